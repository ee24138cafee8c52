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
 * are coded in a larger sample. What its latency then is measured on is the sample, too.
 *
 * Diagrams have other layouts (search_diagrams.c), found and coded likewise; they are always given the whole
 * table, so that they compete for LARGE ones only where they are asked for. */
#include "config.h"
#include "table/search_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { LARGE = 1 << 26 };

static const sd_extent whole = { 0, 0 }, sample = { 256, 1 << 14 }, large_sample = { 256, 1 << 16 };

/* Fewer phrases than the real coder: three times as fast, and the ranking of orders hardly changes. */
static const char cheap_settings[] = "symbols=600,min=24";

static int lay_out (const sd_search *s, const sd_subdefined *data, const sd_indexer *to, sd_subdefined **out,
                    sd_error *err) {
  const sd_extent *x = &s->extent, all = { 1, sd_indexer_size (to) };
  if (x->pieces == 0 || all.length <= x->pieces * x->length)
    x = &all;
  return s->judge ? sd_judge_sample (s->judge, s->from, to, x->pieces, x->length, out, err)
                  : sd_subdefined_sample (data, s->from, to, x->pieces, x->length, out, err);
}

/* Both sides, one behind the other. */
static int lay_out_both (const sd_search *s, const sd_indexer *to, sd_subdefined **out, sd_error *err) {
  sd_subdefined *side[2] = { NULL, NULL };
  int status = lay_out (s, s->data, to, &side[0], err);
  if (status == SD_OK)
    status = lay_out (s, s->other, to, &side[1], err);
  if (status == SD_OK)
    status = sd_subdefined_join ((const sd_subdefined *const *) side, out, err);
  sd_subdefined_free (side[0]);
  sd_subdefined_free (side[1]);
  return status;
}

int sd_search_stream (const sd_search *s, const sd_layout *l, sd_buf *out, uint64_t *n, sd_error *err) {
  sd_indexer *to = NULL;
  sd_subdefined *laid = NULL;
  int status = sd_indexer_new (l, &to, err);
  if (status == SD_OK)
    status = s->other ? lay_out_both (s, to, &laid, err) : lay_out (s, s->data, to, &laid, err);
  *n = status == SD_OK ? laid->seq.n : 0;
  if (status == SD_OK)
    status = sd_codec_encode (s->codec, &laid->seq, s->settings, NULL, out, err);
  sd_subdefined_free (laid);
  sd_indexer_free (to);
  return status;
}

int sd_search_rank (const sd_search *s, sd_candidate *c, unsigned n, const char *what,
                    const sd_progress *progress, sd_error *err) {
  int status = SD_OK;
  unsigned done = 0;
#pragma omp parallel for schedule(dynamic, 1) if (s->extent.pieces || sd_indexer_size(s->from) <= LARGE)
  for (unsigned i = 0; i < n; i++) {
    if (c[i].bytes == 0) {
      sd_buf b = { 0 };
      sd_error mine = { 0 };
      uint64_t coded;
      int st = sd_search_stream (s, &c[i].layout, &b, &coded, &mine);
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
      sd_candidate swap = c[j];
      c[j] = c[j - 1];
      c[j - 1] = swap;
    }
  return status;
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

/* Diagrams have layouts of their own, and a sample of slots is not a table of bits. */
static bool is_diagram (const sd_codec *codec) {
  return codec == sd_codec_find ("obdd");
}

static bool keeps_bound (const sd_search *s, const sd_search_options *how, const sd_buf *b, uint64_t n) {
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

/* What the winner is coded with, too, each alone; of codecs that are not named, all have the key. */
static const struct {
  const char *codec, *key, *word;
} ways[] = {
  { NULL, "initial", "none" },    { NULL, "initial", "frequent" }, { NULL, "initial", "left" },
  { NULL, "initial", "edges:8" }, { NULL, "initial", "larger:8" }, { "obdd", "sums", "yes" },
  { "obdd", "polish", "20" },     { "obdd", "clusters", "16" },
};

static bool may_vary (const sd_search *s, const sd_search_options *how, unsigned way) {
  char named[32];
  snprintf (named, sizeof named, "%s=", ways[way].key);
  const char *of = is_diagram (s->codec) ? s->codec->name : NULL;
  return (of ? ways[way].codec && strcmp (ways[way].codec, of) == 0 : !ways[way].codec)
         && !(how->fixed_codec && how->fixed && strstr (how->fixed, named));
}

/* Other initial replacements or sums for the winner, and parse=optimal where that is free to choose. */
static int refine (sd_search *s, const sd_search_options *how, const sd_layout *layout, sd_settings *settings,
                   uint64_t *best, const sd_progress *progress, sd_error *err) {
  const bool parse = !how->fixed_codec && s->codec == sd_codec_find ("repair") && !s->judge;
  const unsigned n = 1 + sizeof ways / sizeof ways[0]; /* 0: as it is */
  sd_settings start = *settings;
  if (parse)
    sd_settings_put (&start, "parse", "optimal");
  for (unsigned k = parse || s->judge ? 0 : 1; k < n; k++) {
    if (*best <= SD_CONSTANT_BYTES)
      break;
    if (k && !may_vary (s, how, k - 1))
      continue;
    sd_buf b = { 0 };
    sd_settings mine = start;
    if (k)
      sd_settings_put (&mine, ways[k - 1].key, ways[k - 1].word);
    s->settings = &mine;
    sd_report (progress, "settings", k, n);
    uint64_t coded;
    const int status = sd_search_stream (s, layout, &b, &coded, err);
    if (status == SD_OK && b.len < *best && (s->judge || keeps_bound (s, how, &b, coded))) {
      *best = b.len;
      *settings = mine;
    }
    sd_buf_free (&b);
    SD_TRY (status);
  }
  sd_report (progress, "settings", 1, 1);
  return SD_OK;
}

typedef struct winner {
  __typeof__ (((sd_table_spec *) NULL)->side[0]) side;
  uint64_t bytes; /* UINT64_MAX: none keeps the bound */
} winner;

/* The best layouts of one kind, and in these the coders of that kind: the one that is given, or those of the
 * ladder. */
static int search_kind (sd_search what, bool diagram, const sd_search_options *how, const sd_codec *codec,
                        const sd_settings *set, sd_candidate *c, winner *w, const sd_progress *progress,
                        sd_error *err) {
  sd_settings mine = *set;
  unsigned n = 0;
  what.codec = diagram ? codec : sd_codec_find ("repair");
  what.extent = diagram ? whole : sample;
  what.settings = &mine;
  if (!diagram)
    SD_TRY (sd_settings_parse (what.codec, cheap_settings, &mine, err));
  SD_TRY ((diagram ? sd_search_diagrams : sd_search_layouts) (&what, c, &n, progress, err));
  n = n < SD_FINALISTS ? n : SD_FINALISTS;
  what.extent = what.judge ? large_sample : whole;
  const bool one = how->fixed_codec || diagram;
  const unsigned coders = one ? 1 : sizeof ladder / sizeof ladder[0];
  winner best = { .bytes = UINT64_MAX };
  for (unsigned k = 0; k < coders; k++)
    for (unsigned i = 0; i < n; i++) {
      sd_report (progress, "finalists", k * n + i, (uint64_t) coders * n);
      mine = *set;
      what.codec = one ? codec : sd_codec_find (ladder[k].codec);
      if (!one)
        SD_TRY (sd_settings_parse (what.codec, ladder[k].settings, &mine, err));
      sd_buf b = { 0 };
      uint64_t coded;
      const int status = sd_search_stream (&what, &c[i].layout, &b, &coded, err);
      if (status == SD_OK && b.len < best.bytes && keeps_bound (&what, how, &b, coded))
        best = (winner){ { c[i].layout, what.codec, mine }, b.len };
      sd_buf_free (&b);
      SD_TRY (status);
    }
  sd_report (progress, "finalists", 1, 1);
  if (best.bytes == UINT64_MAX)
    return SD_OK;
  what.codec = best.side.codec;
  if (what.judge) { /* from here on in a smaller sample */
    what.extent = sample;
    best.bytes = UINT64_MAX;
  }
  SD_TRY (refine (&what, how, &best.side.layout, &best.side.settings, &best.bytes, progress, err));
  if (best.bytes < w->bytes)
    *w = best;
  return SD_OK;
}

/* The best of all kinds that are allowed. */
static int search_kinds (const sd_search *what, const sd_search_options *how, bool large,
                         const sd_codec *given, const sd_settings *set, winner *w,
                         const sd_progress *progress, sd_error *err) {
  const bool only_diagrams = how->fixed_codec && is_diagram (given);
  const sd_codec *diagrams = sd_codec_find ("obdd");
  sd_candidate *c = sd_alloc (SD_MAX_CANDIDATES, sizeof *c);
  if (!c)
    return sd_fail_memory (err, SD_MAX_CANDIDATES * sizeof *c);
  int status = SD_OK;
  *w = (winner){ .bytes = UINT64_MAX };
  if (!only_diagrams)
    status = search_kind (*what, false, how, given, set, c, w, progress, err);
  if (status == SD_OK && (only_diagrams || (!how->fixed_codec && !large))) {
    sd_settings own = *set;
    if (!only_diagrams)
      status = sd_settings_parse (diagrams, NULL, &own, err);
    if (status == SD_OK)
      status = search_kind (*what, true, how, diagrams, &own, c, w, progress, err);
  }
  free (c);
  if (status == SD_OK && !w->side.codec)
    status = sd_fail (err, SD_ENOENT, "no coder keeps the latency bound of %.4g ns", how->max_latency * 1e9);
  return status;
}

static int search_side (const sd_exacts *s, const sd_exact *e, unsigned side, const sd_search_options *how,
                        const sd_table_spec *spec, winner *w, const sd_progress *progress, sd_error *err) {
  const sd_codec *given = spec->side[side].codec;
  const bool large = !(how->fixed_codec && is_diagram (given)) && e->n > (how->large ? how->large : LARGE);
  sd_subdefined *data = NULL;
  sd_judge *judge = NULL;
  int status = large ? sd_judge_new (s, e, side, spec->coding, spec->freedom, &judge, err)
                     : sd_subdefine (s, e, side, spec->coding, spec->freedom, progress, &data, err);
  const sd_search what = { .from = e->indexer,
                           .judge = judge,
                           .data = large ? sd_judge_frame (judge) : data };
  if (status == SD_OK)
    status = search_kinds (&what, how, large, given, &spec->side[side].settings, w, progress, err);
  sd_judge_free (judge);
  sd_subdefined_free (data);
  return status;
}

/* Bytes of the side or sides of `s` in layout l. */
static int bytes_in (const sd_search *s, const sd_layout *l, uint64_t *bytes, sd_error *err) {
  sd_buf b = { 0 };
  uint64_t coded;
  const int status = sd_search_stream (s, l, &b, &coded, err);
  *bytes = b.len;
  sd_buf_free (&b);
  return status;
}

/* Could one stream for both be smaller than those that were found for the sides? Told by quick codings in
 * their layouts: what is up to a tenth larger there has become smaller in a layout found for both. */
static int may_share (const sd_search *both, const winner apart[2], bool *yes, sd_error *err) {
  uint64_t sum = 0, least = UINT64_MAX, bytes;
  sd_settings cheap = *both->settings;
  sd_search_cheapen (&cheap);
  for (unsigned i = 0; i < 2; i++) {
    sd_search quick = *both;
    quick.settings = &cheap;
    SD_TRY (bytes_in (&quick, &apart[i].side.layout, &bytes, err));
    least = bytes < least ? bytes : least;
    quick.data = i ? both->other : both->data;
    quick.other = NULL;
    SD_TRY (bytes_in (&quick, &apart[i].side.layout, &bytes, err));
    sum += bytes;
  }
  *yes = (double) least < 1.1 * (double) sum;
  return SD_OK;
}

/* One stream for both sides; apart[0..1]: what was found for the sides, NULL if they must share. Then it may
 * be that there is none, w->bytes = UINT64_MAX: none keeps the bound, or the sides together have too many
 * values or bits. Only diagrams gain by it: phrases and statistics of the two sides are too different
 * (papers/obdd). */
static int search_joint (const sd_exacts *s, const sd_exact *e, const sd_search_options *how,
                         const sd_table_spec *spec, const winner *apart, winner *w,
                         const sd_progress *progress, sd_error *err) {
  const sd_codec *codec = apart ? apart[0].side.codec : spec->side[0].codec;
  sd_settings set = spec->side[0].settings;
  sd_search_options options = *how;
  sd_subdefined *data[2];
  bool worth = true;
  if (apart && !how->fixed_codec)
    SD_TRY (sd_settings_parse (codec, NULL, &set, err));
  const int st = sd_subdefine_both (s, e, spec->coding, spec->freedom, progress, data, err);
  if (st != SD_OK)
    return apart && st == SD_ERANGE ? SD_OK : st;
  sd_search what = {
    .from = e->indexer, .data = data[0], .other = data[1], .codec = codec, .settings = &set
  };
  int status = apart ? may_share (&what, apart, &worth, err) : SD_OK;
  for (unsigned i = 0; i < 2 && apart; i++)
    what.known[i] = &apart[i].side.layout;
  options.fixed_codec |= apart != NULL;
  if (status == SD_OK && worth)
    status = search_kinds (&what, &options, false, codec, &set, w, progress, err);
  for (unsigned i = 0; i < 2; i++)
    sd_subdefined_free (data[i]);
  if (apart && (status == SD_ENOENT || status == SD_ERANGE)) {
    w->bytes = UINT64_MAX;
    status = SD_OK;
  }
  return status;
}

int sd_table_search (const sd_exacts *s, const sd_exact *e, const sd_search_options *how, sd_table_spec *spec,
                     const sd_progress *progress, sd_error *err) {
  winner w[2] = { { .bytes = UINT64_MAX }, { .bytes = UINT64_MAX } }, both = { .bytes = UINT64_MAX };
  const bool must_share = sd_table_joint (spec);
  for (unsigned side = 0; side < e->nsides && !must_share; side++)
    if (sd_table_sides (spec) >> side & 1)
      SD_TRY (search_side (s, e, side, how, spec, &w[side], progress, err));
  const bool may = sd_table_sides (spec) == SD_SIDES_BOTH && spec->sides != SD_SIDES_ONE && w[0].side.codec
                   && is_diagram (w[0].side.codec) && w[1].side.codec && is_diagram (w[1].side.codec)
                   && e->n <= LARGE; /* twice the memory */
  if (must_share || may)
    SD_TRY (search_joint (s, e, how, spec, must_share ? NULL : w, &both, progress, err));
  if (must_share || both.bytes < w[0].bytes + w[1].bytes) {
    spec->sides = SD_SIDES_JOINT;
    w[0] = w[1] = both;
  }
  for (unsigned side = 0; side < e->nsides; side++)
    if (w[side].side.codec)
      spec->side[side] = w[side].side;
  return SD_OK;
}
