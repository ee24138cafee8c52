/* The smallest table within a latency bound (S0 Sec. 1.3: close positions should have close indices,
 * closeness has no definition, so the order is found by trial compression; S3 item 6 does the same).
 *
 * Stage 1 codes the side in every order of its groups, the first possible piece leading, with a cheap coder:
 * RE-PAIR with few phrases, whose size ranks orders as the full one does. Stage 2 varies the leader of the
 * best orders, stage 3 the numbering of the squares, and whether the last digit stands around the one before
 * it. Of a table with more than 4 million slots, stages 1 to 3
 * code pieces from everywhere, 4 million slots in all, as long as Syzygy's generator takes them. Stage 4
 * codes the finalists exactly with every coder that is allowed and measures its latency, stage 5 the best one
 * with other initial replacements, which decide what phrases are found. Cost for a 4-man ending: some 40
 * cheap codings a side, spread over the threads, and the finalists; parse=optimal in stage 5 takes most of
 * it, so that LARGE tables do without.
 *
 * A LARGE table is never judged whole (judging takes longer than coding): slots are judged where a sample
 * meets them, a small sample drops most orders before the others are coded in the usual one, and finalists
 * are coded in a larger sample. What its latency then is measured on is the sample, too. */
#include "config.h"
#include "table/table.h"
#include "table/table_internal.h"
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { MAX_CANDIDATES = 5040, KEEP_FIRST = 16, KEEP_ORDERS = 4, FINALISTS = 3, CONSTANT_BYTES = 3 };
enum { LARGE = 1 << 26 };

/* How much of a table is coded. */
typedef struct extent {
  uint64_t pieces, length; /* pieces 0: all of it */
} extent;
static const extent whole = { 0, 0 }, small_sample = { 64, 1 << 13 }, sample = { 256, 1 << 14 },
                    large_sample = { 256, 1 << 16 };

/* Fewer phrases than the real coder: three times as fast, and the ranking of orders hardly changes. */
static const char cheap_settings[] = "symbols=600,min=24";

typedef struct candidate {
  sd_layout layout;
  uint64_t bytes; /* 0: not coded yet */
} candidate;

typedef struct search {
  const sd_subdefined *data; /* in the generator's layout; of a large table without symbols */
  const sd_judge *judge;     /* of a large table */
  const sd_indexer *from;
  const sd_codec *codec;
  const sd_settings *settings;
  extent extent;
} search;

/* *n: slots that were coded. */
static int stream_of (const search *s, const sd_layout *l, sd_buf *out, uint64_t *n, sd_error *err) {
  const extent *x = &s->extent;
  sd_indexer *to = NULL;
  sd_subdefined *laid = NULL;
  int status = sd_indexer_new (l, &to, err);
  const uint64_t size = status == SD_OK ? sd_indexer_size (to) : 0;
  const extent all = { 1, size };
  if (x->pieces == 0 || size <= x->pieces * x->length)
    x = &all;
  if (status == SD_OK)
    status = s->judge ? sd_judge_sample (s->judge, s->from, to, x->pieces, x->length, &laid, err)
                      : sd_subdefined_sample (s->data, s->from, to, x->pieces, x->length, &laid, err);
  *n = status == SD_OK ? laid->seq.n : 0;
  if (status == SD_OK)
    status = sd_codec_encode (s->codec, &laid->seq, s->settings, NULL, out, err);
  sd_subdefined_free (laid);
  sd_indexer_free (to);
  return status;
}

/* Code all candidates that have no size yet, then sort by size. */
static int rank (const search *s, candidate *c, unsigned n, const char *what, const sd_progress *progress,
                 sd_error *err) {
  int status = SD_OK;
  unsigned done = 0;
#pragma omp parallel for schedule(dynamic, 1)
  for (unsigned i = 0; i < n; i++) {
    if (c[i].bytes == 0) {
      sd_buf b = { 0 };
      sd_error mine = { 0 };
      uint64_t coded;
      int st = stream_of (s, &c[i].layout, &b, &coded, &mine);
      c[i].bytes = b.len;
      sd_buf_free (&b);
      if (st != SD_OK) {
#pragma omp critical(sd_search)
        {
          status = st;
          if (err)
            *err = mine;
        }
      }
    }
#pragma omp atomic
    done++;
#ifdef _OPENMP
    if (omp_get_thread_num () == 0)
#endif
      sd_report (progress, what, done, n);
  }
  for (unsigned i = 1; i < n;
       i++) /* stable: ties keep the lexicographic order, so the result is the same each time */
    for (unsigned j = i; j > 0 && c[j].bytes < c[j - 1].bytes; j--) {
      candidate swap = c[j];
      c[j] = c[j - 1];
      c[j - 1] = swap;
    }
  return status;
}

static void lead_with_first (sd_layout *l) {
  for (unsigned g = 0; g < l->ngroups; g++)
    if (l->group[g].count == 1) {
      l->leader = (uint8_t) g;
      return;
    }
}

static bool add (candidate *c, unsigned *n, const sd_layout *l) {
  for (unsigned i = 0; i < *n; i++)
    if (sd_layout_equal (&c[i].layout, l))
      return false;
  if (*n == MAX_CANDIDATES || sd_layout_check (l, NULL))
    return false;
  c[*n] = (candidate){ .layout = *l };
  (*n)++;
  return true;
}

/* The best orders of a large table, in a small sample; of these the sizes are then forgotten. */
static int drop_most (search *s, candidate *c, unsigned *n, const sd_progress *progress, sd_error *err) {
  const extent usual = s->extent;
  s->extent = small_sample;
  const int status = rank (s, c, *n, "orders of the pieces, roughly", progress, err);
  s->extent = usual;
  *n = *n < KEEP_FIRST ? *n : KEEP_FIRST;
  for (unsigned i = 0; i < *n; i++)
    c[i].bytes = 0;
  return status;
}

static void number_all (sd_layout *l, unsigned kings, unsigned others) {
  for (unsigned g = 0; g < l->ngroups; g++)
    l->group[g].numbering = (uint8_t) (l->group[g].type == SD_KING ? kings : others);
}

/* The last digit around the one before it, either of the two, by files too. */
static void add_around (candidate *c, unsigned *n, const sd_layout *of) {
  if (of->ngroups < 2)
    return;
  for (unsigned k = 0; k < 4; k++) {
    const unsigned last = of->ngroups - 1;
    sd_layout l = *of;
    l.around = true;
    if (k & 1) {
      const sd_group swap = l.group[last];
      l.group[last] = l.group[last - 1];
      l.group[last - 1] = swap;
      l.leader = l.leader == last ? (uint8_t) (last - 1) : l.leader == last - 1 ? (uint8_t) last : l.leader;
    }
    if (k & 2)
      number_all (&l, SD_FILES, SD_FILES);
    add (c, n, &l);
  }
}

static int best_layouts (search *s, candidate *c, unsigned *count, const sd_progress *progress,
                         sd_error *err) {
  sd_layout start, *orders = sd_alloc (MAX_CANDIDATES, sizeof *orders);
  if (!orders)
    return sd_fail_memory (err, MAX_CANDIDATES * sizeof *orders);
  sd_layout_default (&sd_indexer_layout (s->from)->material, &start);
  unsigned n = 0, norders = sd_layout_orders (&start, orders, MAX_CANDIDATES);
  for (unsigned i = 0; i < norders; i++) {
    lead_with_first (&orders[i]);
    add (c, &n, &orders[i]);
  }
  free (orders);
  /* One symbol serves every slot (White never fails to win KQvK): all orders are the same two or three bytes.
   */
  SD_TRY (rank (s, c, 1, "orders of the pieces", progress, err));
  if (c[0].bytes <= CONSTANT_BYTES) {
    *count = 1;
    return SD_OK;
  }
  if (s->judge)
    SD_TRY (drop_most (s, c, &n, progress, err));
  SD_TRY (rank (s, c, n, "orders of the pieces", progress, err));
  unsigned keep = n < KEEP_ORDERS ? n : KEEP_ORDERS;
  n = keep;
  for (unsigned i = 0; i < keep; i++)
    for (unsigned g = 0; g < start.ngroups; g++) {
      sd_layout l = c[i].layout;
      l.leader = (uint8_t) g;
      add (c, &n, &l);
    }
  SD_TRY (rank (s, c, n, "leading pieces", progress, err));
  keep = n < 2 ? n : 2;
  n = keep < FINALISTS ? keep : FINALISTS;
  for (unsigned i = 0; i < keep; i++)
    for (unsigned kings = 0; kings < SD_NUMBERINGS; kings++)
      for (unsigned others = 0; others < SD_NUMBERINGS; others++) {
        if (kings != others && others != SD_FOLDED_Z && kings != SD_ROWS && others != SD_ROWS)
          continue; /* mixed curves: only with rows, or S4's choice */
        sd_layout l = c[i].layout;
        number_all (&l, kings, others);
        add (c, &n, &l);
      }
  SD_TRY (rank (s, c, n, "numberings of the squares", progress, err));
  n = FINALISTS;
  for (unsigned i = 0; i < keep; i++)
    add_around (c, &n, &c[i].layout);
  SD_TRY (rank (s, c, n, "digits around others", progress, err));
  *count = n;
  return SD_OK;
}

/* Median of a get at random slots, in seconds; batches of 16 keep the clock out of it. */
static double latency (const sd_codec *codec, const sd_buf *b, uint64_t n, unsigned m) {
  enum { BATCHES = 301, BATCH = 16 };
  sd_decoder *d;
  if (n == 0 || sd_codec_open (codec, b->data, b->len, n, m, &d, NULL))
    return 0;
  double t[BATCHES];
  uint64_t seed = 1;
  sd_symbol v;
  for (unsigned i = 0; i < BATCHES; i++) {
    double start = sd_now ();
    for (unsigned k = 0; k < BATCH; k++)
      sd_codec_get (d, sd_random (&seed) % n, &v);
    double one = (sd_now () - start) / BATCH;
    unsigned j = i;
    for (; j > 0 && t[j - 1] > one; j--)
      t[j] = t[j - 1];
    t[j] = one;
    if (i == 20 && t[10] > 1e-3) { /* slow coders need no more samples */
      sd_codec_close (d);
      return t[10];
    }
  }
  sd_codec_close (d);
  return t[BATCHES / 2];
}

static bool keeps_bound (const search *s, const sd_search_options *how, const sd_buf *b, uint64_t n) {
  return how->max_latency <= 0
         || latency (s->codec, b, n, sd_alphabet_main (s->data->alphabet)) <= how->max_latency;
}

/* Coders that compete in the last stage: the given one, and a ladder of blocks for each. */
static const struct {
  const char *codec, *settings;
} ladder[] = {
  { "repair", "block=64" }, { "repair", "block=128" }, { "repair", "block=256" }, { "repair", "block=1024" },
  { "lzma", "block=4096" }, { "lzma", "block=16384" }, { "lzma", "block=65536" }, { "lzma", "block=2097152" },
};

/* Other initial replacements for the winner, and parse=optimal where that is free to choose. */
static int refine (search *s, const sd_search_options *how, const sd_layout *layout, sd_settings *settings,
                   uint64_t *best, const sd_progress *progress, sd_error *err) {
  static const char *const initial[] = { NULL, "none", "frequent", "left" }; /* NULL: as it is */
  const bool parse = !how->fixed_codec && s->codec == sd_codec_find ("repair") && !s->judge;
  const unsigned n = how->fixed_codec && how->fixed_initial ? 1 : sizeof initial / sizeof initial[0];
  sd_settings start = *settings;
  if (parse)
    sd_settings_put (&start, "parse", "optimal");
  for (unsigned k = parse || s->judge ? 0 : 1; k < n; k++) {
    if (*best <= CONSTANT_BYTES)
      break;
    sd_buf b = { 0 };
    sd_settings mine = start;
    if (initial[k])
      sd_settings_put (&mine, "initial", initial[k]);
    s->settings = &mine;
    sd_report (progress, "fillings", k, n);
    uint64_t coded;
    const int status = stream_of (s, layout, &b, &coded, err);
    if (status == SD_OK && b.len < *best && (s->judge || keeps_bound (s, how, &b, coded))) {
      *best = b.len;
      *settings = mine;
    }
    sd_buf_free (&b);
    SD_TRY (status);
  }
  sd_report (progress, "fillings", 1, 1);
  return SD_OK;
}

static int search_side (const sd_exacts *s, const sd_exact *e, unsigned side, const sd_search_options *how,
                        sd_table_spec *spec, const sd_progress *progress, sd_error *err) {
  const bool large = e->n > (how->large ? how->large : LARGE);
  sd_subdefined *data = NULL;
  sd_judge *judge = NULL;
  candidate *c = sd_alloc (MAX_CANDIDATES, sizeof *c);
  if (!c)
    return sd_fail_memory (err, MAX_CANDIDATES * sizeof *c);
  sd_settings settings;
  unsigned n = 0;
  search what = {
    .from = e->indexer, .codec = sd_codec_find ("repair"), .settings = &settings, .extent = sample
  };
  int status = sd_settings_parse (what.codec, cheap_settings, &settings, err);
  if (status == SD_OK && large)
    status = sd_judge_new (s, e, side, spec->coding, spec->freedom, &judge, err);
  else if (status == SD_OK)
    status = sd_subdefine (s, e, side, spec->coding, spec->freedom, progress, &data, err);
  if (status == SD_OK) {
    what.judge = judge;
    what.data = large ? sd_judge_frame (judge) : data;
    status = best_layouts (&what, c, &n, progress, err);
  }
  if (status != SD_OK)
    goto done;
  n = n < FINALISTS ? n : FINALISTS;
  what.extent = large ? large_sample : whole;

  uint64_t best = UINT64_MAX;
  const unsigned coders = how->fixed_codec ? 1 : sizeof ladder / sizeof ladder[0];
  __typeof__ (spec->side[0]) winner = spec->side[side];
  for (unsigned k = 0; k < coders; k++)
    for (unsigned i = 0; i < n; i++) {
      sd_report (progress, "finalists", k * n + i, (uint64_t) coders * n);
      sd_settings mine = spec->side[side].settings;
      what.codec = spec->side[side].codec;
      if (!how->fixed_codec) {
        what.codec = sd_codec_find (ladder[k].codec);
        if ((status = sd_settings_parse (what.codec, ladder[k].settings, &mine, err)) != SD_OK)
          goto done;
      }
      what.settings = &mine;
      sd_buf b = { 0 };
      uint64_t coded;
      status = stream_of (&what, &c[i].layout, &b, &coded, err);
      if (status == SD_OK && b.len < best && keeps_bound (&what, how, &b, coded)) {
        best = b.len;
        winner.layout = c[i].layout;
        winner.codec = what.codec;
        winner.settings = mine;
      }
      sd_buf_free (&b);
      if (status != SD_OK)
        goto done;
    }
  sd_report (progress, "finalists", 1, 1);
  if (best == UINT64_MAX)
    status = sd_fail (err, SD_ENOENT, "no coder keeps the latency bound of %.4g ns", how->max_latency * 1e9);
  else {
    what.codec = winner.codec;
    if (large) {
      what.extent = sample;
      best = UINT64_MAX;
    }
    status = refine (&what, how, &winner.layout, &winner.settings, &best, progress, err);
    spec->side[side] = winner;
  }
done:
  sd_judge_free (judge);
  sd_subdefined_free (data);
  free (c);
  return status;
}

int sd_table_search (const sd_exacts *s, const sd_exact *e, const sd_search_options *how, sd_table_spec *spec,
                     const sd_progress *progress, sd_error *err) {
  for (unsigned side = 0; side < e->nsides; side++)
    if (sd_table_sides (spec) >> side & 1)
      SD_TRY (search_side (s, e, side, how, spec, progress, err));
  return SD_OK;
}
