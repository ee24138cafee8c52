/* What making a table takes, told by samples. Two samples of each side are coded with the codec and settings
 * of the table, the larger one four times the smaller one or more. From how bytes grow between them follows
 * how they go on to grow: payload and index of most codecs do with the slots, those of diagrams slower.
 *
 * Diagrams look at the bits of squares, so that their samples are made of squares of single men that do not
 * lead, as those that rank layouts (search_diagrams.c): 16 squares of one man, and 8 of him and of another
 * man at the same time. Samples of other codecs are slices from everywhere (sample.c).
 *
 * Seconds are those of the samples times the slots, and how often each stage looks at all slots. What
 * decoding the endings that conversions lead to takes shows in the first sample, which needs as many blocks
 * of them as the whole.
 *
 * The constants were fitted to the 35 endings with 3 and 4 men and to some with 5 (papers/sets). */
#include "config.h"
#include "codecs/codecs.h"
#include "recode/best/search_internal.h"
#include <math.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Bytes of diagrams grow with the slots to the power of base + slope * the power that they grew with between
 * the samples, and the more the larger the table is; by metric: results, and plies. The bounds lie so far
 * from it. */
static const struct {
  double base, slope, size, bounds;
} growth[2] = { { .65, .20, .07, .25 }, { .65, .20, .07, .25 } };
#define USUAL_SLOTS 6e6  /* of which the power is that of base and slope alone */
enum { FEW_BYTES = 20 }; /* what a stream of so few grows by is chance */

/* Seconds, of what loading took, and of what judging and coding all slots as the samples takes. */
static const struct {
  double load, judge, code[2]; /* by metric */
  double rank;                 /* judging, for the leaders, and again for each freedom of checks */
  double statistics;
} takes = { 1.25, 1.95, { .84, 1.2 }, .5, 1 };

enum {
  HEAD_BYTES = 37,        /* of a file with two streams */
  SMALL_TABLE = 1 << 23,  /* slots of tables of which a fourth is coded, of others a sixteenth */
  FEW_LEADERS_GROUPS = 4, /* groups of men of which two may lead at most */
  PROGRAM_BYTES = 10 << 20
};

/* A sample that was coded. */
typedef struct sampled {
  uint64_t n, bytes;
  uint64_t fixed; /* bytes that do not grow with the slots */
  double judge_s, code_s;
} sampled;

/* Of one stream, or of one side. */
typedef struct stream {
  uint64_t slots; /* of the whole */
  bool diagram;   /* samples are of squares */
  sampled small, large;
} stream;

/* What is at work; handed down. */
typedef struct estimating {
  const sd_values *s;
  const sd_exact *e;
  const sd_table_spec *spec;
  sd_subdefined *whole[2]; /* of one stream for both sides, judged whole, since symbols must mean the same */
  sampled known;           /* the larger sample of a side whose leader was found by it; n 0: none was */
  double whole_s;          /* seconds that this took */
  sampled first;           /* that was coded: what other endings it needed was decoded for it */
} estimating;

static bool is_diagram (const sd_codec *codec) {
  return codec->trials.whole;
}

static int take (const estimating *x, const sd_indexer *ix, sd_part part, unsigned side, sd_subdefined **out,
                 sd_error *err) {
  SD_OWN_SIDES *d[2] = { NULL, NULL };
  if (!x->whole[0])
    return sd_subdefine_slices (x->s, x->e, &SD_STORED_OF (x->spec, side), ix, part, out, err);
  for (unsigned k = 0; k < 2; k++)
    SD_TRY (sd_subdefined_slices (x->whole[k], x->e->indexer, ix, part, &d[k], err));
  return sd_subdefined_join ((const sd_subdefined *const *) d, out, err);
}

/* The slices of a layout, coded. */
static int code (estimating *x, const sd_indexer *ix, sd_part part, unsigned side, sampled *out,
                 sd_error *err) {
  const sd_codec *codec = x->spec->side[side].codec;
  SD_OWN (sd_subdefined) *d = NULL;
  SD_RELEASED_BY (sd_buf_free) sd_buf b = { 0 };
  sd_codec_parts parts = { 0 };
  sd_decoder *decoder;
  const double start = sd_cpu_now ();
  SD_TRY (take (x, ix, part, side, &d, err));
  const double judged = sd_cpu_now ();
  SD_TRY (sd_codec_encode (codec, &d->seq, &x->spec->side[side].settings, NULL, &b, err));
  *out = (sampled){ .n = d->seq.n, .bytes = b.len };
  out->judge_s = judged - start;
  out->code_s = sd_cpu_now () - judged;
  x->first = x->first.n ? x->first : *out;
  SD_TRY (sd_codec_open (codec, b.data, b.len, d->seq.n, sd_alphabet_main (d->alphabet), &decoder, err));
  sd_codec_describe (decoder, &parts);
  sd_codec_close (decoder);
  out->fixed = parts.header + parts.model;
  return SD_OK;
}

/* Squares of so many single men, but `stays`: all that one of them is looked at with, or few. *any: there are
 * the men. */
static int code_squares (estimating *x, const sd_layout *of, unsigned side, unsigned men, bool few,
                         const sd_group *stays, sampled *out, bool *any, sd_error *err) {
  uint64_t number[SD_FEW_SLICES * SD_FEW_SLICES];
  sd_layout l = *of;
  uint32_t n = SD_SLICES;
  SD_OWN (sd_indexer) *ix = NULL;
  *any = sd_search_slice_men (&l, men, stays) == men && l.ngroups > men;
  if (!*any)
    return SD_OK;
  SD_TRY (sd_indexer_new (&l, &ix, err));
  if (few)
    n = sd_search_squares_of_men (ix, men, number);
  else
    sd_search_squares (ix, number);
  return code (x, ix, (sd_part){ men, n, number }, side, out, err);
}

/* Few squares of two men, or of one where there are not two. */
static int code_few_squares (estimating *x, const sd_layout *l, unsigned side, const sd_group *stays,
                             sampled *out, bool *any, sd_error *err) {
  SD_TRY (code_squares (x, l, side, 2, true, stays, out, any, err));
  return *any ? SD_OK : code_squares (x, l, side, 1, true, stays, out, any, err);
}

/* Slices from everywhere, and of their runs one in four. */
static int code_spread (estimating *x, const sd_layout *l, unsigned side, stream *out, sd_error *err) {
  SD_OWN (sd_indexer) *ix = NULL;
  SD_OWNED uint64_t *number = NULL;
  sd_part part;
  uint64_t all = 1, few = 0;
  uint32_t radix[SD_MAX_RADICES];
  SD_TRY (sd_indexer_new (l, &ix, err));
  SD_TRY (sd_sample_slices (ix, out->slots > SMALL_TABLE ? 16 : 4, &number, &part, err));
  sd_indexer_shape (ix, radix);
  for (unsigned d = 0; d < part.digits; d++)
    all *= radix[d];
  const uint64_t run = sd_sample_run (part.n, sd_indexer_size (ix) / all);
  SD_OWNED uint64_t *some = sd_alloc (part.n, sizeof *some);
  if (!some)
    return sd_fail_memory (err, part.n * sizeof *some);
  for (uint64_t i = 0; i < part.n; i++)
    if (i / run % 4 == 0)
      some[few++] = number[i];
  SD_TRY (code (x, ix, (sd_part){ part.digits, (uint32_t) few, some }, side, &out->small, err));
  return code (x, ix, part, side, &out->large, err);
}

static int code_stream (estimating *x, unsigned side, stream *out, sd_error *err) {
  const sd_layout *l = &x->spec->side[side].layout;
  bool any = false;
  if (is_diagram (x->spec->side[side].codec))
    SD_TRY (code_few_squares (x, l, side, NULL, &out->small, &any, err));
  if (any && x->known.n > 0) {
    out->large = x->known;
    out->diagram = true;
  } else if (any)
    SD_TRY (code_squares (x, l, side, 1, false, NULL, &out->large, &out->diagram, err));
  return out->diagram ? SD_OK : code_spread (x, l, side, out, err);
}

/* ------------------------------------------------------------------ scaling */

/* The power of the slots that bytes grow with. */
static double grew (const stream *s) {
  if (s->small.n >= s->large.n || s->large.bytes <= FEW_BYTES)
    return 1;
  const double before = (double) (s->small.bytes > FEW_BYTES ? s->small.bytes : FEW_BYTES);
  return log ((double) s->large.bytes / before) / log ((double) s->large.n / (double) s->small.n);
}

static double between (double least, double v, double most) {
  return v < least ? least : v > most ? most : v;
}

/* out[0..2]: the bytes of the stream, the least, the most. */
static void bytes_of (const stream *s, bool plies, double out[3]) {
  const double bytes = (double) s->large.bytes, times = (double) s->slots / (double) s->large.n,
               fixed = (double) s->large.fixed;
  if (s->large.bytes <= SD_CONSTANT_BYTES || times <= 1) {
    out[0] = out[1] = out[2] = bytes;
    return;
  }
  if (s->diagram) {
    const double power = between (0,
                                  growth[plies].base + growth[plies].slope * grew (s)
                                      + growth[plies].size * log ((double) s->slots / USUAL_SLOTS),
                                  1.15);
    for (int i = 0; i < 3; i++)
      out[i] = bytes * pow (times, power + (i ? (i == 1 ? -1 : 1) * growth[plies].bounds : 0));
    return;
  }
  const double scaled = fixed + (bytes - fixed) * times, learnt = bytes * pow (times, grew (s));
  const double chosen = .05; /* what other slices may come to */
  out[0] = scaled;
  out[1] = (1 - chosen) * (learnt < scaled ? learnt : scaled);
  out[2] = (1 + chosen) * (bytes * times > scaled ? bytes * times : scaled);
}

/* CPU seconds of a stream: judged, laid out, coded and compared. ranked: leaders that are tried before. */
static double seconds_of (const estimating *x, const stream *s, unsigned ranked, bool checks) {
  const double times = (double) s->slots / (double) s->large.n, slot = s->large.judge_s / (double) s->large.n,
               code = takes.code[sd_metrics[x->spec->metric].plies] * s->large.code_s * times;
  const double judge = x->whole[0] ? x->whole_s : slot * (double) s->slots;
  double sum = takes.judge * judge + code;
  if (ranked) /* a fourth is coded each time */
    sum += (1 + checks) * takes.rank * judge + (ranked + checks) * code / 4;
  return sum;
}

/* Where both sides are coded at once they share the threads. */
static unsigned threads_of_side (const estimating *x) {
  unsigned threads = 1;
#ifdef _OPENMP
  threads = (unsigned) omp_get_max_threads ();
#endif
  return sd_table_sides (x->spec) == SD_SIDES_BOTH && !sd_table_joint (x->spec) ? (threads + 1) / 2 : threads;
}

/* Bytes that a side takes while it is coded: its symbols, and beside them what was judged or what the codec
 * has. */
static double memory_of (const estimating *x, const stream *s, unsigned side) {
  const bool plies = sd_metrics[x->spec->metric].plies;
  const double symbols = sizeof (sd_symbol) * (double) s->slots,
               judged = (plies ? sizeof (sd_symbol) : 1) * (double) x->e->n;
  const sd_codec *codec = x->spec->side[side].codec;
  const double of_diagrams = .5, of_others = .8; /* what is taken of what may be */
  double coded = sd_codec_memory (codec, plies, (double) s->slots, threads_of_side (x));
  coded *= s->large.bytes <= SD_CONSTANT_BYTES ? 0 : is_diagram (codec) ? of_diagrams : of_others;
  return symbols + (coded > judged ? coded : judged);
}

/* ------------------------------------------------------------------ leaders */

/* Is the other leader better than that of *best? Both are coded with the same squares of the same men, of
 * whom neither leads, for only then bytes are those of the same positions. Where there are few leaders these
 * are the squares that the search takes; fewer of them choose other leaders in some endings. */
static int compare_leaders (estimating *x, unsigned side, const sd_layout *other, sd_layout *best, bool *any,
                            sd_error *err) {
  const bool as_searched = best->ngroups <= FEW_LEADERS_GROUPS && !sd_material_has_pawns (&best->material);
  const sd_group *stays = &best->group[best->leader], *leads = &other->group[other->leader];
  sampled is, was;
  *any = false;
  if (as_searched) {
    SD_TRY (code_squares (x, other, side, 1, false, stays, &is, any, err));
    if (!*any)
      return SD_OK;
    SD_TRY (code_squares (x, best, side, 1, false, leads, &was, any, err));
    x->known = is.bytes < was.bytes ? is : was;
  } else {
    SD_TRY (code_few_squares (x, other, side, stays, &is, any, err));
    if (!*any)
      return SD_OK;
    SD_TRY (code_few_squares (x, best, side, leads, &was, any, err));
  }
  if (is.bytes < was.bytes)
    *best = *other;
  return SD_OK;
}

/* The leader that is best in small samples, of those that the search tries; how many these are. */
static int rank_leaders (estimating *x, sd_table_spec *spec, unsigned side, unsigned *ranked, sd_error *err) {
  sd_layout *l = &spec->side[side].layout, best = *l;
  *ranked = 1;
  for (unsigned g = 0; g < l->ngroups; g++) {
    sd_layout with = *l, sliced = *l;
    bool any;
    with.leader = sliced.leader = (uint8_t) g;
    /* As in the search, the man of whom slices are made does not lead; a king is not sliced to find it. */
    sd_search_slice (&sliced);
    if (g == l->leader || sliced.leader == 0 || sliced.group[0].type == SD_KING
        || sd_layout_check (&with, NULL) != SD_OK)
      continue;
    SD_TRY (compare_leaders (x, side, &with, &best, &any, err));
    *ranked += any;
  }
  *l = best;
  return SD_OK;
}

/* ------------------------------------------------------------------ the whole */

static int size_of (const sd_layout *l, uint64_t *out, sd_error *err) {
  SD_OWN (sd_indexer) *ix = NULL;
  SD_TRY (sd_indexer_new (l, &ix, err));
  *out = sd_indexer_size (ix);
  return SD_OK;
}

/* What the sides come to, one behind the other or at the same time. */
typedef struct sums {
  double bytes[3], alone[3], side_memory[2], seconds;
  double first; /* seconds of the first sample beyond what judging its slots takes */
} sums;

static int add_stream (estimating *x, sd_table_spec *spec, const sd_estimate_of *of, unsigned side, sums *sum,
                       sd_table_estimate *out, sd_error *err) {
  const bool plies = sd_metrics[spec->metric].plies, joint = x->whole[0] != NULL;
  stream st = { .slots = 0 };
  unsigned ranked = 0;
  double bytes[3];
  SD_TRY (size_of (&spec->side[side].layout, &st.slots, err));
  st.slots *= joint ? 2 : 1;
  x->known = (sampled){ .n = 0 };
  if (of->leaders)
    SD_TRY (rank_leaders (x, spec, side, &ranked, err));
  SD_TRY (code_stream (x, side, &st, err));
  bytes_of (&st, plies, bytes);
  for (int i = 0; i < 3; i++) {
    sum->bytes[i] += bytes[i];
    sum->alone[i] = sum->alone[i] > 0 && sum->alone[i] < bytes[i] ? sum->alone[i] : bytes[i];
  }
  sum->seconds += seconds_of (x, &st, ranked, of->checks);
  const double first = x->first.judge_s - st.large.judge_s / (double) st.large.n * (double) x->first.n;
  sum->first = first > sum->first && !joint ? first : sum->first;
  sum->side_memory[side] = memory_of (x, &st, side);
  out->slots += st.slots;
  out->coded += st.large.n;
  return SD_OK;
}

static int judge_whole (estimating *x, sd_error *err) {
  const double start = sd_cpu_now ();
  SD_TRY (sd_subdefine_both (x->s, x->e, &SD_STORED (x->spec, 0), NULL, x->whole, err));
  x->whole_s = sd_cpu_now () - start;
  return SD_OK;
}

static int estimate (estimating *x, sd_table_spec *spec, const sd_estimate_of *of, sd_table_estimate *out,
                     sd_error *err) {
  const bool joint = sd_table_joint (spec);
  sums sum = { .seconds = 0 };
  bool turns;
  if (joint)
    SD_TRY (judge_whole (x, err));
  for (unsigned side = 0; side < (joint ? 1 : x->e->nsides); side++)
    if (sd_table_sides (spec) >> side & 1)
      SD_TRY (add_stream (x, spec, of, side, &sum, out, err));
  SD_TRY (sd_table_takes_turns (x->e, spec, &turns, err));

  const double *bytes = spec->sides == SD_SIDES_ONE ? sum.alone : sum.bytes;
  out->bytes = (uint64_t) bytes[0] + HEAD_BYTES;
  out->low = (uint64_t) bytes[1] + HEAD_BYTES;
  out->high = (uint64_t) bytes[2] + HEAD_BYTES;
  out->cpu_s = sum.seconds + sum.first + (takes.load + (of->statistics ? takes.statistics : 0)) * of->load_s;
  sd_values_stats held;
  sd_values_describe (x->s, &held);
  const double packed = (sd_metrics[spec->metric].plies ? .9 : .25) * x->e->nsides * (double) x->e->n;
  const double *m = sum.side_memory;
  out->memory =
      (uint64_t) (packed + (turns ? (m[0] > m[1] ? m[0] : m[1]) : m[0] + m[1])) + held.peak + PROGRAM_BYTES;
  return SD_OK;
}

int sd_table_estimate_making (const sd_values *s, const sd_exact *e, sd_table_spec *spec,
                              const sd_estimate_of *of, sd_table_estimate *out, sd_error *err) {
  estimating x = { .s = s, .e = e, .spec = spec };
  *out = (sd_table_estimate){ .bytes = 0 };
  SD_TRY (sd_table_spec_check (spec, err));
  const int st = estimate (&x, spec, of, out, err);
  sd_subdefined_free (x.whole[0]);
  sd_subdefined_free (x.whole[1]);
  return st;
}
