/* How long a single access takes: sd_codec_get at random legal positions, and whole probes (captures and
 * promotions included) as an engine makes them. Calls are timed one by one, the clock's own cost (median of
 * empty timings) is taken off; those that take less than CLOCKS such costs are timed several together. A pass
 * that is not timed, at other positions, warms code and mapping first. There are several repeats, each at
 * positions of its own, and whoever calls this takes those of many cells by turns and keeps the other cores
 * quiet. The time spent is bounded (BUDGET_S), so slow codecs get fewer samples.
 *
 * A probe asks the ending's own table and those of its successors; these are built here once, in memory, with
 * codec `repair` at its defaults, so that all codecs under test meet the same neighbours. Every answer is
 * compared with the exact value.
 *
 * The calling thread of a sweep asks, while all workers rest (sweep_work.c). A repeat adds its times to an
 * sd_calls; sd_times_note makes the columns of a row of all repeats. A lookup that fails, or a probe that
 * gives a wrong value, is the failure of its cell: `probing "8/8/..." gives 3, expected 5`. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/run/run_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* of one repeat */
#define BUDGET_S (0.1 / SD_REPEATS)
#define WARM_UP_S (0.02 / SD_REPEATS)
#define MIN_SAMPLES 2            /* however slow a codec is */
#define WARM_UP (SD_SAMPLES / 8) /* positions for it, behind those that are timed */
#define POSITIONS (SD_SAMPLES + WARM_UP)
#define CLOCKS 20.        /* a time is to be as long as so many readings of the clock */
#define MOST_TOGETHER 256 /* calls */
#define LEAST_NS 0.1      /* what is faster than the clock can see */

int64_t sd_clock_ns (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The median, as now and then a reading is interrupted. */
double sd_clock_cost (void) {
  double v[255];
  const size_t n = sizeof v / sizeof *v;
  for (size_t i = 0; i < n; i++) {
    int64_t a = sd_clock_ns (), b = sd_clock_ns ();
    v[i] = (double) (b - a);
  }
  return sd_stats_quantile (v, n, 0.5);
}

/* What is called, with positions 0..n-1 to be timed, n.. n + warm - 1 for the pass before. */
typedef struct calls {
  int (*call) (void *ctx, size_t i);
  void *ctx;
  size_t n, warm;
} calls;

/* Nanoseconds of a call, of k together. *ns is the time of one of them, with the clock's cost taken off once.
 * Nothing is checked between the readings but the status. */
static int time_some (const calls *c, size_t first, size_t k, double cost, double *ns) {
  const int64_t a = sd_clock_ns ();
  int status = SD_OK;
  for (size_t i = first; i < first + k && status == SD_OK; i++)
    status = c->call (c->ctx, i);
  const int64_t b = sd_clock_ns ();
  const double t = ((double) (b - a) - cost) / (double) k;
  *ns = t > LEAST_NS ? t : LEAST_NS;
  return status;
}

/* The pass before, and how many calls are to be timed together. *together: 0 before the first repeat; from
 * then on it stays, so that all times of a cell are of one kind. */
static int warm_up (const calls *c, double cost, size_t *together) {
  const int64_t start = sd_clock_ns ();
  size_t n = 0;
  for (; n < c->warm && (n == 0 || (double) (sd_clock_ns () - start) < WARM_UP_S * 1e9); n++)
    SD_TRY (c->call (c->ctx, c->n + n));

  if (*together)
    return SD_OK;

  /* The pass itself tells how long a call takes: about so many calls are as long as CLOCKS readings. */
  const double one =
      n ? (double) (sd_clock_ns () - start) / (double) n - cost : INFINITY; /* a reading a call */
  const double k = one > 0 ? CLOCKS * cost / one : MOST_TOGETHER;
  *together = k < 1 ? 1 : k < MOST_TOGETHER ? (size_t) ceil (k) : MOST_TOGETHER;

  /* Few positions must still give a few times. */
  if (*together > c->n / MIN_SAMPLES)
    *together = c->n > MIN_SAMPLES ? c->n / MIN_SAMPLES : 1;
  return SD_OK;
}

/* Times of all positions, `together` at a time, into ns; stops at the first failure. When the budget is used
 * up it stops, too; *n says how many there are. */
static int time_calls (const calls *c, size_t together, double cost, double *ns, size_t *n) {
  const int64_t start = sd_clock_ns ();
  *n = 0;
  for (size_t i = 0; i + together <= c->n; i += together) {
    SD_TRY (time_some (c, i, together, cost, &ns[(*n)++]));
    if (*n >= MIN_SAMPLES && (double) (sd_clock_ns () - start) > BUDGET_S * 1e9)
      break;
  }
  return SD_OK;
}

/* One more repeat behind the others. Where calls are timed together, single ones are timed behind them, for
 * the 99th percentile alone. */
static int add_repeat (const calls *c, sd_calls *out) {
  size_t n = 0;
  if (!out->ns)
    out->ns = sd_alloc (SD_REPEATS * SD_SAMPLES, sizeof *out->ns);
  if (!out->single)
    out->single = sd_alloc (SD_REPEATS * SD_SAMPLES, sizeof *out->single);
  if (!out->ns || !out->single)
    return SD_ENOMEM;
  if (out->repeats == SD_REPEATS)
    return SD_EINVAL;

  /* Anew for each repeat, as a machine may have changed its speed. */
  const double cost = sd_clock_cost ();
  SD_TRY (warm_up (c, cost, &out->together));
  SD_TRY (time_calls (c, out->together, cost, out->ns + out->n, &n));

  out->n += n;
  out->end[out->repeats++] = out->n;

  if (out->together > 1) {
    SD_TRY (time_calls (c, 1, cost, out->single + out->nsingle, &n));
    out->nsingle += n;
  }
  return SD_OK;
}

void sd_times_free (sd_calls *c) {
  free (c->ns);
  free (c->single);
  memset (c, 0, sizeof *c);
}

void sd_times_note (sd_calls *c, uint64_t seed, sd_spread_to to) {
  double least = 0, most = 0, bound[2];
  for (size_t i = 0, first = 0; i < c->repeats; first = c->end[i++]) {
    const double median = sd_stats_quantile (c->ns + first, c->end[i] - first, 0.5);
    least = i == 0 || median < least ? median : least;
    most = fmax (most, median);
  }

  sd_stats_median_bounds (c->ns, c->end, c->repeats, seed, bound); /* each repeat is sorted by now */

  /* This sorts over the repeats; from here on end[] means nothing. */
  const double median = sd_stats_quantile (c->ns, c->n, 0.5);
  const bool apart = c->together > 1;
  const double p99 = (apart ? c->nsingle : c->n) < 100 ? NAN
                     : apart                           ? sd_stats_quantile (c->single, c->nsingle, 0.99)
                                                       : sd_stats_quantile (c->ns, c->n, 0.99);

  *to.median = median;
  *to.p99 = p99 < median ? NAN : p99; /* single calls come second and may find all in the caches */
  /* where a machine changes its speed between repeats, resampling them may pass over the median itself */
  *to.low = fmin (bound[0], median);
  *to.high = fmax (bound[1], median);
  *to.scatter = c->repeats > 1 && least > 0 ? most / least : NAN;
  *to.samples = c->n;
}

/* Each repeat has a seed of its own. */
static uint64_t seed_of (uint64_t seed, size_t repeat) {
  return seed + repeat * UINT64_C (0xd1342543de82ef95);
}

/* Of n positions, what is timed and what is for the pass before; of few legal ones both have some. */
static calls calls_of (int (*call) (void *ctx, size_t i), void *ctx, size_t n) {
  const size_t warm = n * WARM_UP / POSITIONS;
  return (calls){ call, ctx, n - warm, warm };
}

/* Slots of random legal positions; returns how many (fewer only where hardly any is legal). slot: room for
 * POSITIONS. The same cell has the same positions in each run, whatever codec it is coded with, so that
 * codecs are compared at the same places. */
static size_t sample_slots (const sd_exact *e, unsigned side, uint64_t seed, uint64_t *slot) {
  uint64_t state = seed ^ sd_material_key (&e->material) * 0x9e3779b97f4a7c15u ^ side;
  size_t n = 0;
  for (size_t tries = 0; tries < 1000u * POSITIONS && n < POSITIONS; tries++) {
    uint64_t i = sd_random (&state) % e->n;
    if (sd_exact_at (e, side, i) != SD_ILLEGAL)
      slot[n++] = i;
  }
  return n;
}

/* Where random positions of a cell stand in its stream; of one stream for both sides every second is Black's,
 * whose slots are the second half. What was drawn are slots of the exact values; in the stream's layout the
 * same position has another slot. */
static size_t sample_positions (const sd_cell *cell, const sd_exact *e, uint64_t seed, const sd_indexer *ix,
                                uint64_t *index) {
  const bool joint = cell->side == 2;
  uint64_t black[POSITIONS];
  size_t n = sample_slots (e, joint ? 0 : cell->side, seed, index);
  const size_t other = joint ? sample_slots (e, 1, seed, black) : n;
  n = other < n ? other : n;

  for (size_t i = 0; i < n; i++) {
    uint8_t sq[SD_MAX_MEN];
    if (joint && i % 2)
      index[i] = black[i];
    sd_index_squares (e->indexer, index[i], sq); /* legal, so it has squares */
    index[i] = sd_index_of (ix, sq) + (joint && i % 2 ? sd_indexer_size (ix) : 0);
  }
  return n;
}

/* ------------------------------------------------------------------ one symbol */

/* What a timed call needs; `at` is for the message where one fails. */
struct get_ctx {
  const sd_decoder *d;
  const uint64_t *index;
  size_t at; /* the last that was asked */
};

static int call_get (void *ctx, size_t i) {
  struct get_ctx *c = ctx;
  sd_symbol s;
  c->at = i;
  return sd_codec_get (c->d, c->index[i], &s);
}

/* One repeat over index[0..n-1]. */
static int get_repeat (const sd_decoder *d, const uint64_t *index, size_t n, sd_calls *out, sd_error *err) {
  struct get_ctx c = { d, index, 0 };
  const calls all = calls_of (call_get, &c, n);
  const int status = add_repeat (&all, out);
  if (status != SD_OK)
    sd_fail (err, status, "reading symbol %llu failed: %s", (unsigned long long) index[c.at],
             sd_strerror (status));
  return status;
}

int sd_latency_get (const sd_cell *cell, const sd_exact *e, uint64_t seed, const sd_indexer *ix,
                    const sd_decoder *d, sd_calls *out, sd_error *err) {
  SD_OWNED uint64_t *index = sd_alloc (POSITIONS, sizeof *index);
  if (!index)
    return sd_fail_memory (err, POSITIONS * sizeof *index);
  const size_t n = sample_positions (cell, e, seed_of (seed, out->repeats), ix, index);
  return get_repeat (d, index, n, out, err);
}

int sd_latency_array (const sd_cell *cell, uint64_t seed, const sd_decoder *d, sd_calls *out, sd_error *err) {
  SD_OWNED uint64_t *index = sd_alloc (POSITIONS, sizeof *index);
  uint64_t state = seed_of (seed, out->repeats) ^ cell->array * 0x9e3779b97f4a7c15u;
  if (!index)
    return sd_fail_memory (err, POSITIONS * sizeof *index);

  for (size_t i = 0; i < POSITIONS; i++)
    index[i] = sd_random (&state) % cell->array;
  return get_repeat (d, index, POSITIONS, out, err);
}

/* ------------------------------------------------------------- tables around */

/* A table that probes ask beside the one in front. It is built in memory, which `table` reads as long as it
 * is open. */
struct neighbour {
  sd_material material;
  enum sd_metric metric;
  const sd_exact *exact;
  sd_buf image;
  sd_table *table;
};

/* Tables of a sweep, of several metrics; each is built once. */
struct sd_probe_set {
  struct neighbour *at;
  uint64_t n, cap;
};

int sd_probe_set_new (sd_probe_set **out, sd_error *err) {
  *out = calloc (1, sizeof **out);
  return *out ? SD_OK : sd_fail_memory (err, sizeof **out);
}

/* All from the first on: a table that was not built is not asked. */
static void forget_from (sd_probe_set *p, size_t first) {
  for (; p->n > first; p->n--) {
    sd_table_close (p->at[p->n - 1].table);
    sd_buf_free (&p->at[p->n - 1].image);
  }
}

void sd_probe_set_free (sd_probe_set *p) {
  if (!p)
    return;
  forget_from (p, 0);
  free (p->at);
  free (p);
}

static bool is_listed (const sd_probe_set *p, const sd_material *m, enum sd_metric metric) {
  for (size_t i = 0; i < p->n; i++)
    if (p->at[i].metric == metric && sd_material_equal (&p->at[i].material, m))
      return true;
  return false;
}

/* m and everything that it can turn into. Each is listed before its successors; a table whose exact values
 * cannot be had is not listed, and its failure passes up. */
static int list_all (sd_probe_set *p, sd_values *s, const sd_material *m, enum sd_metric metric,
                     sd_error *err) {
  sd_material next[64];
  if (is_listed (p, m, metric))
    return SD_OK; /* and then its successors are too */

  if (!sd_grow (&p->at, &p->cap, p->n + 1))
    return sd_fail_memory (err, 0);
  struct neighbour *b = &p->at[p->n];
  *b = (struct neighbour){ .material = *m, .metric = metric };
  SD_TRY (sd_values_whole (s, m, &b->exact, err));
  p->n++;

  const unsigned n = sd_material_successors (m, next);
  for (unsigned i = 0; i < n; i++)
    SD_TRY (list_all (p, s, &next[i], metric, err));
  return SD_OK;
}

/* In the order and coding that a table has by itself, all freedom used: what a user would have beside the
 * table. */
static int build (const sd_values *s, struct neighbour *b, sd_error *err) {
  const sd_codec *codec = sd_codec_find ("repair");
  sd_table_spec spec = { .material = b->material, .metric = b->metric, .freedom = SD_FREE_ALL };
  spec.coding = sd_metric_coding (b->metric, false);
  char name[32];
  sd_table_file_name (&b->material, b->metric, name);

  int status = codec ? SD_OK : sd_fail (err, SD_EUNSUPPORTED, "codec repair is not in this build");
  for (unsigned side = 0; side < b->exact->nsides && status == SD_OK; side++) {
    spec.side[side].layout = *sd_indexer_layout (b->exact->indexer);
    spec.side[side].codec = codec;
    status = sd_settings_parse (codec, "", &spec.side[side].settings, err);
  }

  if (status == SD_OK)
    status = sd_table_code (s, b->exact, &spec, NULL, &b->image, err);
  if (status == SD_OK)
    status = sd_table_open_memory (b->image.data, b->image.len, name, 0, &b->table, err);
  if (status != SD_OK)
    sd_error_prefix (err, "%s", name);
  return status;
}

int sd_probe_set_need (sd_probe_set *p, sd_values *s, const sd_material *m, enum sd_metric metric, int jobs,
                       sd_error *err) {
  size_t first = p->n;
  const enum sd_metric signs = sd_metrics[metric].signs; /* they are asked first */
  /* A metric whose values have no sign of their own is probed behind the table that has it (WDL). */
  int status = signs != SD_NO_METRIC ? list_all (p, s, m, signs, err) : SD_OK;
  if (status == SD_OK)
    status = list_all (p, s, m, metric, err);

  const long long n = status == SD_OK ? (long long) (p->n - first) : 0;
  (void) jobs; /* without OpenMP */
#pragma omp parallel for schedule(dynamic, 1) num_threads(jobs)
  for (long long i = 0; i < n; i++) {
    sd_error one = { 0 };
    int st = build (s, &p->at[first + (size_t) i], &one);
#pragma omp critical(sd_probe_set)
    if (st != SD_OK && status == SD_OK) {
      status = st;
      if (err)
        *err = one;
    }
  }

  /* All that was listed by this call goes: some of them have no table. */
  if (status != SD_OK)
    forget_from (p, first);
  return status;
}

/* ------------------------------------------------------------------- a probe */

/* What a timed probe needs and leaves: got[i] where asked[i], for the comparison behind the timing. */
struct probe_ctx {
  const sd_tables *tables;
  const sd_pos *pos;
  enum sd_metric metric;
  sd_value *got;
  bool *asked;
  size_t at; /* the last that was asked */
};

static int call_probe (void *ctx, size_t i) {
  struct probe_ctx *c = ctx;
  c->asked[i] = true;
  c->at = i;
  return sd_probe_value (c->tables, c->metric, &c->pos[i], &c->got[i], NULL);
}

/* Not while the time runs: looking the exact value up would fill the caches. */
static int compare (const struct probe_ctx *c, const sd_values *exacts, size_t n, sd_error *err) {
  for (size_t i = 0; i < n; i++) {
    sd_value v = 0;
    if (!c->asked[i])
      continue;
    SD_TRY (sd_values_of (exacts, &c->pos[i], &v));
    int expected = sd_metrics[c->metric].of (v);
    if (expected != c->got[i]) {
      char fen[96];
      sd_pos_to_fen (&c->pos[i], fen, sizeof fen);
      return sd_fail (err, SD_EDIFF, "probing \"%s\" gives %d, expected %d", fen, c->got[i], expected);
    }
  }
  return SD_OK;
}

/* Random positions of the side to move; returns how many. slot, pos: room for POSITIONS. An index holds one
 * of two mirrored positions; an engine asks both. */
static size_t sample_probes (const sd_exact *e, unsigned side, uint64_t seed, uint64_t *slot, sd_pos *pos) {
  const size_t n = sample_slots (e, side, seed, slot);
  uint64_t state = seed ^ 0x5e7f;
  for (size_t i = 0; i < n; i++) {
    uint8_t sq[SD_MAX_MEN];
    sd_index_squares (e->indexer, slot[i], sq);
    const uint8_t mirror = sd_random (&state) & 1 ? 7 : 0; /* files a-h swapped: legal with pawns too */
    for (unsigned k = 0; k < sd_material_men (&e->material); k++)
      sq[k] ^= mirror;
    sd_pos_from_squares (&e->material, sq, side, &pos[i]);
  }
  return n;
}

static int probe_repeat (const sd_cell *cell, const sd_tables *tables, sd_values *exacts, uint64_t seed,
                         sd_calls *out, sd_error *err) {
  const sd_exact *e = NULL;
  SD_OWNED uint64_t *slot = sd_alloc (POSITIONS, sizeof *slot);
  SD_OWNED sd_pos *pos = sd_alloc (POSITIONS, sizeof *pos);
  SD_OWNED sd_value *got = sd_alloc0 (POSITIONS, sizeof *got);
  SD_OWNED bool *asked = sd_alloc0 (POSITIONS, sizeof *asked);

  if (!slot || !pos || !got || !asked)
    return sd_fail_memory (err, POSITIONS * sizeof *pos);

  SD_TRY (sd_values_whole (exacts, &cell->material, &e, err));
  const size_t n = sample_probes (e, cell->side, seed, slot, pos);
  struct probe_ctx c = { tables, pos, cell->metric, got, asked, 0 };
  const calls all = calls_of (call_probe, &c, n);
  const int status = add_repeat (&all, out);

  char fen[96];
  if (status == SD_OK)
    return compare (&c, exacts, n, err);
  sd_pos_to_fen (&pos[c.at], fen, sizeof fen);
  return sd_fail (err, status, "probing \"%s\" failed: %s", fen, sd_strerror (status));
}

/* The table in front stands in for the neighbour of its own material and metric. */
int sd_latency_probe (const sd_cell *cell, const sd_probe_set *p, sd_values *exacts, uint64_t seed,
                      const sd_table *table, sd_calls *out, sd_error *err) {
  SD_OWN (sd_tables) *tables = NULL;
  SD_TRY (sd_tables_open (NULL, 0, &tables, err));
  for (size_t i = 0; i < p->n; i++)
    if (!(p->at[i].metric == cell->metric && sd_material_equal (&p->at[i].material, &cell->material)))
      SD_TRY (sd_tables_use (tables, p->at[i].table));
  SD_TRY (sd_tables_use (tables, table));
  return probe_repeat (cell, tables, exacts, seed_of (seed, out->repeats), out, err);
}
