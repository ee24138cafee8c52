/* subdef bench probe: random legal positions of the whole ending, both sides, uniform over the stored ones.
 * Each probe stands between two readings of the clock, whose own median cost is subtracted; a probe takes
 * some hundred nanoseconds, the clock about 20. The mean is that of the fastest of PASSES passes in CPU time,
 * each between two readings. Probes of other positions go before and are not counted, so that pages and
 * caches are warm and decoders have learned what they do from probes: this is the latency of an engine that
 * lives in the ending, not of a disk, and not of a position that it has just seen. */
#include "config.h"
#include "experiments/run/run.h"
#include "tools/bench/bench.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 5, MOST_SECONDS = 120, WARM_PROBES = 1000000, WARM_SECONDS = 3 };

/* ------------------------------------------------------------------- probe */

/* The side whose layout serves for positions with `side` to move. */
static unsigned layout_of (const sd_table_info *in, unsigned side) {
  return sd_table_info_has (in, side) ? side : !side;
}

/* False: the slot has no legal position. */
static bool position (const sd_table_info *in, unsigned side, uint64_t slot, sd_pos *p) {
  return sd_index_position (in->side[layout_of (in, side)].indexer, slot, side, p);
}

uint64_t sd_bench_positions (const sd_table_info *in) {
  enum { ROW = 1 << 12, PIECE = 1 << 22 };
  uint64_t sum = 0, all = 0, before = 0;

  for (unsigned side = 0; side < in->nsides; side++)
    all += in->side[layout_of (in, side)].slots;
  for (unsigned side = 0; side < in->nsides; side++) {
    const sd_indexer *ix = in->side[layout_of (in, side)].indexer;
    const uint64_t n = sd_indexer_size (ix);
    for (uint64_t first = 0; first < n; first += PIECE) {
      const uint64_t end = n - first < PIECE ? n : first + PIECE;
#pragma omp parallel for reduction(+ : sum)
      for (uint64_t row = first; row < end; row += ROW) {
        const uint64_t count = end - row < ROW ? end - row : ROW;
        bool legal[ROW];
        sd_index_legal (ix, side, row, count, legal);
        for (uint64_t i = 0; i < count; i++)
          sum += legal[i];
      }
      sd_report (&sd_terminal, "counting positions", before + end, all);
    }
    before += n;
  }
  return sum;
}

/* Probes by so many threads for a while, each from its own part of the positions on, round and round, without
 * waiting for the others: where a core is taken away from one, that costs its own probes alone. Probes a
 * second. */
static double together (const sd_tables *ts, const sd_bench_options *how, const sd_pos *p, size_t n,
                        unsigned threads) {
  enum { BETWEEN = 64 }; /* probes between two looks at the clock */
  const double start = sd_now ();
  double rate = 0;
#pragma omp parallel num_threads((int) threads) reduction(+ : rate)
  {
    const size_t first = n / (size_t) omp_get_num_threads () * (size_t) omp_get_thread_num ();
    size_t done = 0;
    double seconds;
    /* What the probes find is not looked at: time_probes has made each of them before, and would have
     * failed. */
    do {
      for (unsigned k = 0; k < BETWEEN; k++, done++) {
        sd_value v;
        sd_probe_value (ts, how->metric, &p[(first + done) % n], &v, NULL);
      }
      seconds = sd_now () - start;
    } while (seconds < 0.25);
    rate += (double) done / seconds;
  }
  return rate;
}

/* 1, 2, 4, ... threads and as many as are asked for, in turn; the medians of some rounds, of the ratio within
 * a round, too, so that other programs disturb both of its sides. */
static void scaling (const sd_tables *ts, const sd_bench_options *how, const sd_pos *p, size_t n,
                     json_t *row) {
  enum { TURNS = 9 };
  unsigned threads[SD_BENCH_MOST_STEPS];
  double rate[SD_BENCH_MOST_STEPS][TURNS], ratio[SD_BENCH_MOST_STEPS][TURNS];
  const unsigned steps = sd_bench_thread_steps (how->threads, threads);

  for (unsigned turn = 0; turn < TURNS; turn++)
    for (unsigned k = 0; k < steps; k++) {
      rate[k][turn] = together (ts, how, p, n, threads[k]);
      ratio[k][turn] = rate[k][turn] / rate[0][turn];
    }

  json_t *list = row ? json_array () : NULL;
  for (unsigned k = 0; k < steps; k++) {
    qsort (rate[k], TURNS, sizeof rate[k][0], sd_bench_by_value);
    qsort (ratio[k], TURNS, sizeof ratio[k][0], sd_bench_by_value);
    const double probes = rate[k][TURNS / 2], times = ratio[k][TURNS / 2];

    if (row)
      json_array_append_new (list, json_pack ("{s:I, s:f, s:f}", "threads", (json_int_t) threads[k],
                                              "probes_per_s", probes, "ratio", times));
    else
      printf ("  %4u threads       %9.0f probes/s  %6.2f times one\n", threads[k], probes, times);
  }
  if (row)
    json_object_set_new (row, "threads", list);
}

/* Is it this table that a probe of its ending reads? The first of the path is, and for WDL one of
 * DTM only where there is none of WDL. */
static bool is_read (const sd_tables *ts, const sd_table *t, const sd_table_info *in, enum sd_metric metric) {
  return sd_tables_find (ts, &in->material, in->metric) == t
         && (in->metric == metric || !sd_tables_find (ts, &in->material, metric));
}

/* The table with the longest blocks among those that a probe of ending m may ask, m itself not counted. */
static uint64_t longest_blocks (const sd_tables *ts, const sd_material *m, enum sd_metric metric,
                                const char **path) {
  sd_material next[64];
  const unsigned count = sd_material_successors (m, next);
  uint64_t longest = 0;

  for (unsigned i = 0; i < sd_tables_count (ts); i++) {
    const char *file;
    const sd_table *t = sd_tables_at (ts, i, &file);
    sd_table_info in;
    bool asked = false;
    if (!t || !file)
      continue;
    sd_table_describe (t, &in);
    for (unsigned k = 0; k < count && !in.game.name[0] && !asked; k++)
      asked = sd_material_equal (&in.material, &next[k]) && is_read (ts, t, &in, metric);

    for (unsigned side = 0; asked && side < in.nsides; side++) {
      const uint64_t slots = sd_table_info_block (&in, side);
      if (slots > longest && in.side[side].codec->blocks) {
        longest = slots;
        *path = file;
      }
    }
  }
  return longest;
}

/* Tables in long blocks, as the generator writes them, decode one for each probe that meets a capture: nobody
 * waits for 100,000 of these. SD_ERANGE: the whole run would take minutes, by what the first probes took. The
 * whole run is warming up, PASSES passes for the mean, and one with a clock around each probe. */
static int refuse_slow (const sd_tables *ts, const sd_table_info *in, const sd_bench_options *how,
                        size_t done, double seconds, sd_error *err) {
  const double all = seconds / (double) done * (double) how->count * (1 + PASSES + 1);
  const char *path = NULL;
  char name[16], sub[80] = "";

  if (seconds < 1 || all < MOST_SECONDS)
    return SD_OK;
  sd_material_name (&in->material, name);
  /* The sentence names the table that is slow, which need not be that of the ending itself. */
  const uint64_t slots = longest_blocks (ts, &in->material, how->metric, &path);
  if (path)
    snprintf (sub, sizeof sub, ", as %.32s is in blocks of %llu slots", basename (path),
              (unsigned long long) slots);
  return sd_fail (
      err, SD_ERANGE,
      "%s: a probe takes %.1f ms%s: this would take %.0f minutes. Recode what %s depends on with "
      "'subdef reformat --codec repair' and name that folder first, or take fewer positions (--count)",
      name, 1e3 * seconds / (double) done, sub, all / 60, name);
}

/* Slots of both sides by turns of chance, until one has a position. */
static int random_position (const sd_table_info *in, uint64_t *state, sd_pos *p, sd_error *err) {
  enum { MOST_TRIES = 1000000 };
  for (unsigned tries = 0; tries < MOST_TRIES; tries++) {
    const unsigned side = in->nsides == 2 ? sd_random (state) & 1 : 0;
    if (position (in, side, sd_random (state) % in->side[layout_of (in, side)].slots, p))
      return SD_OK;
  }
  return sd_fail (err, SD_EDIFF, "no legal positions found in %d tries", MOST_TRIES);
}

/* As many probes of random positions as are measured, and some more while there is time. */
static int warm (const sd_tables *ts, const sd_table_info *in, const sd_bench_options *how, uint64_t *state,
                 sd_error *err) {
  const double start = sd_now ();
  for (size_t i = 0; i < how->count || (i < WARM_PROBES && sd_now () - start < WARM_SECONDS); i++) {
    sd_pos p;
    sd_value v;
    SD_TRY (random_position (in, state, &p, err));
    SD_TRY (sd_probe_value (ts, how->metric, &p, &v, err));
    SD_TRY (refuse_slow (ts, in, how, i + 1, sd_now () - start, err));
  }
  return SD_OK;
}

/* What a position is. */
enum { CAPTURES = 1, BY_MOVES = 2 }; /* it has a capture; its value is restored by a ply */

/* Positions and what was measured of them; n of each. */
typedef struct sample {
  sd_pos *p;
  int32_t *ns, *scratch; /* times of probes; room for sorting them */
  uint8_t *kind;         /* CAPTURES and BY_MOVES */
  int32_t cost;          /* of the clock */
} sample;

static void sample_free (sample *s) {
  free (s->p);
  free (s->ns);
  free (s->scratch);
  free (s->kind);
}

/* s is to be freed in any case. */
static int sample_new (sample *s, const sd_table_info *in, size_t n, uint64_t *state, sd_error *err) {
  *s = (sample){ sd_alloc0 (n, sizeof *s->p), sd_alloc0 (n, sizeof *s->ns), sd_alloc0 (n, sizeof *s->scratch),
                 sd_alloc0 (n, sizeof *s->kind), (int32_t) sd_clock_cost () };
  if (!s->p || !s->ns || !s->scratch || !s->kind)
    return sd_fail_memory (err, n * (sizeof *s->p + 9));

  for (size_t i = 0; i < n; i++) {
    sd_move moves[SD_MAX_MOVES];
    SD_TRY (random_position (in, state, &s->p[i], err));
    s->kind[i] = sd_moves (&s->p[i], SD_MOVES_CAPTURES, moves) > 0 ? CAPTURES : 0;
  }
  return SD_OK;
}

/* Times to s->ns, and from the value whether it was restored by moves. */
static int time_probes (const sd_tables *ts, const sd_table_info *in, const sd_bench_options *how, sample *s,
                        sd_error *err) {
  for (size_t i = 0; i < how->count; i++) {
    const sd_pos now = s->p[i]; /* whoever asks has it at hand */
    sd_value v;
    const int64_t begin = sd_clock_ns ();
    const int st = sd_probe_value (ts, how->metric, &now, &v, err);
    s->ns[i] = sd_bench_ns_since (begin, s->cost);
    SD_TRY (st);
    /* Why a value is restored: its side is not stored, wins are free and this is one, the position is free by
     * its moves, or it is in check and may be evident. */
    if (!sd_table_info_has (in, in->nsides == 2 ? now.stm : 0) || ((in->freedom & SD_FREE_WIN) && v > 0)
        || sd_freedom_by_moves (in->freedom, &now)
        || (sd_in_check (&now, now.stm)
            && sd_freedom_evident (in->freedom) >> (in->nsides == 2 ? now.stm : 0) & 1))
      s->kind[i] |= BY_MOVES;
  }
  return SD_OK;
}

/* Of the fastest pass: what disturbs can only add. */
static double mean_ns (const sd_tables *ts, const sd_bench_options *how, const sample *s) {
  double least = INFINITY;
  for (unsigned pass = 0; pass < PASSES; pass++) {
    sd_value v;
    const int64_t begin = sd_thread_ns ();
    for (size_t i = 0; i < how->count; i++)
      sd_probe_value (ts, how->metric, &s->p[i], &v, NULL);
    least = fmin (least, (double) (sd_thread_ns () - begin) / (double) how->count);
  }
  return least;
}

/* The table alone: one index and one symbol, no moves. How many positions it stores. */
static size_t time_symbols (const sd_table_info *in, size_t n, sample *s) {
  size_t symbols = 0;
  for (size_t i = 0; i < n; i++) {
    uint8_t sq[SD_MAX_MEN];
    sd_symbol symbol;
    /* Its symbol says nothing of its value. */
    if (s->kind[i] & BY_MOVES)
      continue;
    sd_pos_to_squares (&in->material, &s->p[i], sq);

    const unsigned side = in->nsides == 2 ? s->p[i].stm : 0;
    const int64_t begin = sd_clock_ns ();
    sd_codec_get (in->side[side].decoder, sd_index_of (in->side[side].indexer, sq), &symbol);
    s->ns[symbols++] = sd_bench_ns_since (begin, s->cost);
  }
  return symbols;
}

/* Seven arguments: those of sd_bench_probe with what was prepared. */
static int measure (const sd_tables *ts, const sd_table_info *in, const sd_bench_options *how,
                    const char *title, sample *s, json_t *row, sd_error *err) {
  const size_t n = how->count;
  /* The summaries are taken before time_symbols writes over s->ns. */
  SD_TRY (time_probes (ts, in, how, s, err));
  const sd_bench_latency with = sd_bench_summary (s->ns, s->kind, CAPTURES, CAPTURES, n, s->scratch),
                         without = sd_bench_summary (s->ns, s->kind, CAPTURES, 0, n, s->scratch),
                         own = sd_bench_summary (s->ns, s->kind, BY_MOVES, 0, n, s->scratch),
                         restored = sd_bench_summary (s->ns, s->kind, BY_MOVES, BY_MOVES, n, s->scratch);
  sd_bench_latency all = sd_bench_summary (s->ns, s->kind, 0, 0, n, s->scratch);
  all.mean = mean_ns (ts, how, s);
  const sd_bench_latency alone = sd_bench_summary (s->ns, s->kind, 0, 0, time_symbols (in, n, s), s->scratch);

  if (row) {
    sd_json_put (row, "{s:i, s:b}", "clock_ns", (int) s->cost, "cache", (int) how->cache);
  } else {
    printf ("%s  one probe at a time, warm, %s; the clock's own %d ns subtracted\n", title,
            how->cache ? "decoded blocks kept" : "no decoded blocks kept", (int) s->cost);
    printf ("  %-18s %9s %9s %9s %9s %9s\n", "probes", "positions", "median ns", "90 % ns", "99 % ns",
            "mean ns");
  }

  sd_bench_say_latency ("all", &all, row);
  sd_bench_say_latency ("with captures", &with, row);
  sd_bench_say_latency ("without captures", &without, row);
  if (restored.n) {
    sd_bench_say_latency ("stored", &own, row);
    sd_bench_say_latency ("restored by a ply", &restored, row);
  }
  sd_bench_say_latency ("table alone", &alone, row);
  if (how->threads > 1)
    scaling (ts, how, s->p, n, row);
  return SD_OK;
}

int sd_bench_probe (const sd_tables *ts, const sd_table *t, const sd_bench_options *how, const char *title,
                    json_t *row, sd_error *err) {
  sd_table_info in;
  sample s SD_RELEASED_BY (sample_free) = { .cost = 0 };
  uint64_t state = how->seed;
  sd_table_describe (t, &in);
  SD_TRY (sd_table_check (t, err)); /* reads every page */
  SD_TRY (warm (ts, &in, how, &state, err));
  SD_TRY (sample_new (&s, &in, how->count, &state, err));
  return measure (ts, &in, how, title, &s, row, err);
}
