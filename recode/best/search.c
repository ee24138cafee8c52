/* The smallest table within a latency bound (Zakharov 2015, 1.3: close positions should have close indices,
 * closeness has no definition, so the order is found by trial compression; Syzygy item 6 does the same).
 *
 * Stage 1 codes the side in every order of its groups, the first possible piece leading, with a cheap
 * codec, whose sizes rank orders as the full ones do. Stage 2 varies the leader of the best orders, stage
 * 3 the numbering of the squares, and whether the last digit stands around the one before it. Of a table
 * with more than 4 million slots, stages 1 to 3 code pieces from everywhere, 4 million slots in all, as
 * long as Syzygy's generator takes them. Stage 4 predicts what every codec that can be quick enough would
 * take with all settings of its row of trials, by half a million slots, codes those that may win exactly
 * in the finalists, slow codecs in layouts of their own (sampled_layouts.c), and asks a model how long a
 * lookup takes (latency_model.c). Stage 5 tries other settings with the best of each codec, such as initial
 * replacements, which decide what phrases are found (search_codecs.c).
 *
 * Of a LARGE table slots are judged where a sample meets them, a small sample drops most orders before the
 * others are coded in the usual one, and finalists are coded in a larger sample, from which their latency is
 * told, too. Then the table is judged whole, and what won is coded whole: slow codecs in layouts of their own
 * and diagrams, which a sample says too little of, must better that. A table of more than MOST slots is never
 * judged whole.
 *
 * One stream for both sides is tried at the end, in what was best for the sides (search_joint.c).
 *
 * Diagrams have other layouts (search_diagrams.c), found and coded likewise; they are always given the whole
 * table. */
#include "config.h"
#include "base/parts.h"
#include "codecs/codecs.h"
#include "recode/best/search_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t LARGE = 1 << 26, MOST = 1ull << 30; /* where the options have 0 */

static const sd_extent whole = { 0, 0 }, sample = { 256, 1 << 14 }, large_sample = { 256, 1 << 16 };

static int cut (const sd_search *s, const sd_subdefined *data, const sd_indexer *to, sd_subdefined **out,
                sd_error *err) {
  const sd_extent *x = &s->extent, all = { 1, sd_indexer_size (to) };
  if (s->part.digits)
    return sd_subdefined_slices (data, s->from, to, s->part, out, err);
  if (s->slices) {
    uint64_t number[SD_SLICES];
    sd_search_squares (to, number);
    return sd_subdefined_slices (data, s->from, to, (sd_part){ 1, SD_SLICES, number }, out, err);
  }
  /* A table that is smaller than its sample is taken whole. */
  if (x->pieces == 0 || all.length <= x->pieces * x->length)
    x = &all;
  return s->judge ? sd_judge_sample (s->judge, s->from, to, *x, out, err)
                  : sd_subdefined_sample (data, s->from, to, *x, out, err);
}

/* In layout l, of which slices have another order; both sides one behind the other, if there are two. */
static int lay_out (const sd_search *s, const sd_layout *l, sd_indexer **to, sd_subdefined **out,
                    sd_error *err) {
  SD_OWN (sd_subdefined) *white = NULL, *black = NULL;
  sd_layout front = *l;
  if (s->slices)
    sd_search_slice (&front);
  SD_TRY (sd_indexer_new (&front, to, err));
  if (!s->other)
    return cut (s, s->data, *to, out, err);
  SD_TRY (cut (s, s->data, *to, &white, err));
  SD_TRY (cut (s, s->other, *to, &black, err));
  return sd_subdefined_join ((const sd_subdefined *const[]){ white, black }, out, err);
}

int sd_search_stream (const sd_search *s, const sd_layout *l, sd_buf *out, sd_search_code *what,
                      sd_error *err) {
  SD_OWN (sd_indexer) *to = NULL;
  SD_OWN (sd_subdefined) *laid = NULL;
  SD_TRY (lay_out (s, l, &to, &laid, err));
  what->n = laid->seq.n;
  what->m = sd_alphabet_main (laid->alphabet);
  what->all = sd_indexer_size (to) * (s->other ? 2 : 1);
  return sd_codec_encode (s->codec, &laid->seq, s->settings, s->encoding, out, err);
}

/* Those of c[first..end-1] that have not been coded in an earlier stage, which keep their sizes. */
static int code_candidates (const sd_search *s, sd_candidate *c, unsigned first, unsigned end, unsigned n,
                            const char *what, sd_error *err) {
  int status = SD_OK;
  unsigned done = first;
#pragma omp parallel for schedule(dynamic,                                                                   \
                                  1) if (s->extent.pieces || s->slices || sd_indexer_size(s->from) <= LARGE)
  for (unsigned i = first; i < end; i++) {
    if (c[i].bytes == 0) {
      SD_RELEASED_BY (sd_buf_free) sd_buf b = { 0 };
      sd_error mine = { 0 };
      sd_search_code coded;
      int st = sd_search_stream (s, &c[i].layout, &b, &coded, &mine);
      c[i].bytes = st == SD_OK ? b.len : UINT64_MAX; /* stands behind all others */
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
    if (sd_thread_number () == 0)
      sd_report (s->progress, what, done, n);
  }
  return status;
}

int sd_search_rank (const sd_search *s, sd_candidate *c, unsigned n, const char *what, sd_error *err) {
  enum { FEW = 32 }; /* between two trims of the store, whose blocks a judge decodes */
  const uint64_t budget = s->judge && s->exacts ? sd_values_budget (s->exacts) : 0;
  const unsigned step = budget ? FEW : n;
  int status = SD_OK;
  for (unsigned first = 0; first < n; first += step) {
    const int st = code_candidates (s, c, first, n - first < step ? n : first + step, n, what, err);
    status = st != SD_OK ? st : status;
    if (budget)
      sd_values_trim (s->exacts, budget);
  }
  for (unsigned i = 1; i < n;
       i++) /* stable: ties keep the lexicographic order, so the result is the same each time */
    for (unsigned j = i; j > 0 && c[j].bytes < c[j - 1].bytes; j--) {
      sd_candidate swap = c[j];
      c[j] = c[j - 1];
      c[j - 1] = swap;
    }
  /* A layout that fails is no failure while another one can be coded. */
  if (n == 0 || c[0].bytes != UINT64_MAX)
    return SD_OK;
  return status != SD_OK ? status : sd_fail (err, SD_EINVAL, "%s: none can be coded", what);
}

bool sd_search_is_diagram (const sd_codec *codec) {
  return codec->trials.whole;
}

/* The codec by whose quick settings layouts are ranked. */
const sd_codec *sd_search_ranking_codec (void) {
  size_t n;
  const sd_codec *const *codec = sd_codec_all (&n);
  while (!(*codec)->trials.ranking)
    codec++;
  return *codec;
}

/* The best layouts of one kind, and in these the codecs of that kind: the one that is given, or all. */
static int search_kind (sd_search what, bool diagram, sd_candidate *c, sd_winner *w, sd_error *err) {
  const sd_codec *given = what.codec, *ranking = sd_search_ranking_codec ();
  const sd_settings *set = what.settings;
  sd_settings mine = *set;
  unsigned n = 0;

  what.codec = diagram ? given : ranking;
  what.extent = diagram ? whole : sample;
  what.settings = &mine;
  if (!diagram)
    SD_TRY (sd_settings_parse (ranking, ranking->trials.ranking, &mine, err));
  /* Layouts first, with quick settings; then codecs in the best of them. */
  const int status = (diagram ? sd_search_diagrams : sd_search_layouts) (&what, c, &n, err);
  if (status != SD_OK)
    return sd_search_failed (&what, status, err);
  /* The finalists whole, or where slots are judged in a larger sample. */
  what.extent = what.judge ? large_sample : whole;
  what.codec = what.how->fixed_codec || diagram ? given : NULL;
  what.settings = set;
  if (what.how->quick && n) {
    *w = (sd_winner){ { c[0].layout, given, *set, NULL }, c[0].bytes };
    return SD_OK;
  }
  n = n < SD_FINALISTS ? n : SD_FINALISTS;
  return sd_search_codecs (&what, c, n, what.judge ? sample : what.extent, w, err);
}

/* The codecs with layouts of their own, each with its defaults; what.best: bytes that they must better. */
static int search_diagrams (const sd_search *what, sd_candidate *c, sd_winner *w, sd_error *err) {
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  for (size_t i = 0; i < ncodecs; i++) {
    sd_settings own;
    sd_search mine = *what;
    /* They need not be coded in full where they cannot win. */
    mine.best = w->bytes;
    if (!sd_search_is_diagram (codec[i]))
      continue;
    SD_TRY (sd_settings_parse (codec[i], NULL, &own, err));
    mine.codec = codec[i];
    mine.settings = &own;
    SD_TRY (search_kind (mine, true, c, w, err));
  }
  return SD_OK;
}

int sd_search_diagram (const sd_search *what, sd_winner *w, sd_error *err) {
  SD_OWNED sd_candidate *c = sd_alloc (SD_MAX_CANDIDATES, sizeof *c);
  if (!c)
    return sd_fail_memory (err, SD_MAX_CANDIDATES * sizeof *c);
  return search_kind (*what, true, c, w, err);
}

/* What only a whole table says is not tried. */
static void leave_out_whole (const sd_search *what, const char *why) {
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  for (size_t i = 0; i < ncodecs && !what->how->fixed_codec; i++)
    if (sd_search_is_diagram (codec[i]))
      sd_search_why (what, codec[i], "not tried: %.100s", why);
}

/* What won in samples, whole; slow codecs, predicted by slices, and then whole. If it cannot be coded, or
 * is too slow, all codecs take part in that. */
static int code_whole (sd_search what, sd_winner *w, sd_error *err) {
  const sd_winner sampled = *w;
  const sd_candidate c = { .layout = sampled.side.layout };
  sd_search_code coded;
  int status;

  what.codec = sampled.side.codec;
  what.settings = &sampled.side.settings;
  *w = (sd_winner){ .bytes = UINT64_MAX };
  if (sd_search_better (&what, &c.layout, UINT64_MAX, &coded, &status, err)) {
    *w = (sd_winner){ sampled.side, coded.bytes };
    sd_search_note (&what, &c.layout, &coded);
  }
  if (what.how->fixed_codec)
    return status;
  what.codec = NULL;
  what.best = w->bytes;
  what.only_slow = w->side.codec != NULL;
  return sd_search_codecs (&what, &c, 1, whole, w, err);
}

/* A table of which only samples were judged; c is scratch. */
static int search_whole (const sd_search *sampled, sd_candidate *c, sd_winner *w, sd_error *err) {
  SD_OWN (sd_subdefined) *data = NULL;
  sd_search what = *sampled;
  const int status =
      sd_subdefine (what.exacts, what.exact, &SD_STORED_OF (what.spec, what.side), what.progress, &data, err);

  if (status == SD_ENOMEM) {
    leave_out_whole (sampled, sd_strerror (status));
    return SD_OK;
  }
  SD_TRY (status);
  what.judge = NULL;
  what.data = data;
  what.extent = whole;
  sd_search_were_samples (&what);
  if (w->side.codec)
    SD_TRY (code_whole (what, w, err));
  return what.how->fixed_codec ? SD_OK : search_diagrams (&what, c, w, err);
}

static uint64_t most_of (const sd_search_options *how) {
  return how->most ? how->most : MOST;
}

int sd_search_kinds (const sd_search *what, sd_winner *w, sd_error *err) {
  const bool fixed = what->how->fixed_codec, only_diagrams = fixed && sd_search_is_diagram (what->codec);
  const uint64_t most = most_of (what->how);
  SD_OWNED sd_candidate *c = sd_alloc (SD_MAX_CANDIDATES, sizeof *c);
  if (!c)
    return sd_fail_memory (err, SD_MAX_CANDIDATES * sizeof *c);
  *w = (sd_winner){ .bytes = UINT64_MAX };
  /* Neighbours first: what they take is what diagrams have to better. */
  SD_TRY (search_kind (*what, only_diagrams, c, w, err));
  if (what->how->quick)
    return w->side.codec ? SD_OK : sd_search_nothing (what, err);
  if (what->judge && sd_indexer_size (what->from) > most)
    leave_out_whole (what, "only --codec makes diagrams of a table of this size");
  else if (what->judge)
    SD_TRY (search_whole (what, c, w, err));
  else if (!fixed)
    SD_TRY (search_diagrams (what, c, w, err));
  return w->side.codec ? SD_OK : sd_search_nothing (what, err);
}

static bool is_large (const sd_exact *e, const sd_search_options *how) {
  return e->n > (how->large ? how->large : LARGE);
}

/* Is what won smaller if positions in check hold their values? Then *w is that, and *checks false. */
static int try_without_checks (const sd_search *with, sd_winner *w, bool *checks, sd_error *err) {
  SD_OWN (sd_subdefined) *data = NULL;
  sd_table_spec spec = *with->spec;
  sd_settings set = w->side.settings;
  sd_search what = *with;
  sd_search_code coded;
  int status = SD_OK;

  spec.freedom &= ~SD_FREE_IN_CHECK;
  status =
      sd_subdefine (with->exacts, with->exact, &SD_STORED_OF (&spec, with->side), with->progress, &data, err);
  if (status != SD_OK)
    return status == SD_ENOMEM ? SD_OK : status; /* what won stays */
  what.judge = NULL;
  what.data = data;
  what.codec = w->side.codec;
  what.settings = &set;
  what.extent = whole;
  if (with->how->quick) { /* w->bytes are those of a quick coding, too */
    what.slices = sd_search_by_slices (with);
    sd_search_cheapen (&set);
  }
  if (!sd_search_better (&what, &w->side.layout, w->bytes, &coded, &status, err))
    return SD_OK; /* what failed is noted, and what won stays */
  if (!with->how->quick)
    sd_search_note (&what, &w->side.layout, &coded);
  w->bytes = coded.bytes;
  *checks = false;
  return SD_OK;
}

bool sd_search_may_hold_checks (const sd_table_spec *spec) {
  return sd_sides_both (spec->sides) && spec->freedom & (SD_FREE_CHECK | SD_FREE_EVIDENT);
}

void sd_search_free_checks (sd_table_spec *spec, unsigned nsides, unsigned sides) {
  static const unsigned check[] = { 0, SD_FREE_CHECK_WHITE, SD_FREE_CHECK_BLACK, SD_FREE_CHECK },
                        evident[] = { 0, SD_FREE_EVIDENT_WHITE, SD_FREE_EVIDENT_BLACK, SD_FREE_EVIDENT };
  const unsigned is = nsides == 1 && sides ? SD_SIDES_BOTH : sides;
  spec->freedom =
      (spec->freedom & ~SD_FREE_IN_CHECK) | (spec->freedom & SD_FREE_EVIDENT ? evident : check)[is];
}

/* checks: whether positions in check are free, if the search may choose that. */
static int search_side (const sd_search *all, unsigned side, sd_winner *w, bool *checks, sd_error *err) {
  sd_search what = *all;
  const sd_exact *e = all->exact;
  const sd_table_spec *spec = all->spec;

  what.codec = spec->side[side].codec;
  what.settings = &spec->side[side].settings;
  what.side = side;
  /* A diagram is made of the whole table, however large it is. */
  const bool large = !(all->how->fixed_codec && sd_search_is_diagram (what.codec)) && is_large (e, all->how);
  sd_subdefined *data = NULL;
  sd_judge *judge = NULL;
  int status = large ? sd_judge_new (all->exacts, e, &SD_STORED_OF (spec, side), &judge, err)
                     : sd_subdefine (all->exacts, e, &SD_STORED_OF (spec, side), all->progress, &data, err);
  what.judge = judge;
  what.data = large && judge ? sd_judge_frame (judge) : data;
  if (status == SD_OK)
    status = sd_search_kinds (&what, w, err);
  sd_judge_free (judge);
  sd_subdefined_free (data);
  /* A sample that won is not compared with a whole table. */
  if (status == SD_OK && *checks && !(large && sd_search_row_of (&what, w->side.codec)->sample))
    status = try_without_checks (&what, w, checks, err);
  return status;
}

int sd_table_search (const sd_values *s, const sd_exact *e, const sd_search_options *given,
                     sd_table_spec *spec, const sd_progress *progress, sd_error *err) {
  sd_search_report own;
  sd_search_options options = *given;
  const sd_search_options *how = &options;

  /* Stages read what earlier ones have written there. */
  if (!options.report)
    options.report = &own;
  sd_search_report *r = options.report;
  r->n = 0;
  r->apart = r->joint = 0;
  r->why[0] = 0;
  const sd_search all = {
    .exacts = s, .exact = e, .spec = spec, .how = how, .progress = progress, .from = e->indexer, .report = r
  };
  r->large = !how->budget && !how->quick && is_large (e, how);
  if (how->budget)
    return sd_search_budgeted (&all, spec, err);
  sd_winner w[2] = { { .bytes = UINT64_MAX }, { .bytes = UINT64_MAX } }, both = { .bytes = UINT64_MAX };
  const bool must_share = sd_table_joint (spec),
             chosen = how->checks && !must_share && sd_search_may_hold_checks (spec);
  unsigned sides = 0; /* with free checks */
  /* Each side by itself, unless one stream for both is asked for. */
  for (unsigned side = 0; side < e->nsides && !must_share; side++)
    if (sd_table_sides (spec) >> side & 1) {
      bool checks = chosen;
      SD_TRY (search_side (&all, side, &w[side], &checks, err));
      sides |= (unsigned) checks << side;
    }
  /* Only where both sides are stored, and nobody said that one is enough. */
  const bool may_share = !must_share && !how->quick && e->nsides == 2
                         && sd_table_sides (spec) == SD_SIDES_BOTH && spec->sides != SD_SIDES_ONE;
  if (may_share)
    r->apart = w[0].bytes + w[1].bytes;
  /* The joint search needs both sides in memory. */
  if (may_share && is_large (e, how))
    snprintf (r->why, sizeof r->why, "not tried: the sides of a table of this size are never held at once");
  else if (must_share || may_share)
    SD_TRY (sd_search_joint (&all, must_share ? NULL : w, &both, err));
  if (must_share || both.bytes <= r->apart) { /* of two equal ones the joint table has the shorter header */
    spec->sides = SD_SIDES_JOINT;
    w[0] = w[1] = both;
  } else if (chosen)
    sd_search_free_checks (spec, e->nsides, sides);
  for (unsigned side = 0; side < e->nsides; side++)
    if (w[side].side.codec)
      spec->side[side] = w[side].side;
  return SD_OK;
}
