/** \file initial_edges.c
 * A run of free slots as the symbols at its two edges: A up to some place, B from there on. Where that place
 * is decides how often the same phrase comes back, so it is put where runs of the table end anyway: at a
 * multiple of K, the squares of a rank (8) or of the last man (64). One of the two goes on as far as it may:
 * with `edges` the more frequent one, with `larger` the larger one (the longer distance).
 *
 *     A X X X X X X X X B        K = 4, the run begins at slot 2, X admit everything:
 *     2 3 4 5 6 7 8 9            A goes on: A from 2 to 7, B from 8.   B goes on: A from 2 to 3, B from 4.
 *
 * Where A ends before B may begin A goes on as far as it may, and the slot behind it takes the most frequent
 * symbol that it admits, which is the A of the rest. Symbols are counted before the first replacement.
 * Nothing stays free. Cost: O (n).
 *
 * Not in Zakharov 2015. Distances of KQvKR, KRvKN, KQvKB, KBPvK, captures bound, RE-PAIR, against Zakharov
 * 2015's `full` with nothing bound: alg2+full 0.887, left 0.816, edges:8 0.781, larger:8 0.773
 * (papers/repair/README.md). */
#include "config.h"
#include "subdef/subdef_internal.h"

typedef struct run {
  uint64_t first, end; /* slots; what is before first is completed, end is definite or beyond the sequence */
  uint64_t from;       /* B may stand from here to the end of the run */
} run;

/* Where B begins, between r->from and `to`, behind which A cannot go on. */
static uint64_t border (const run *r, uint64_t to, uint64_t step, bool a_goes_on) {
  const uint64_t at = a_goes_on ? to / step * step : (r->from + step - 1) / step * step;
  if (at >= r->from && at <= to)
    return at;
  return a_goes_on ? to : r->from;
}

static void fill (sd_seq *s, const run *r, uint64_t step, bool by_size, const sd_symbol_counts *c) {
  sd_symbol *y = s->sym;
  for (uint64_t i = r->first; i < r->end;) {
    uint64_t to = i;
    while (i > 0 && to < r->end && sd_admits (s->alphabet, y[to], y[i - 1]))
      to++;
    uint64_t at = to; /* the left edge's symbol up to here */
    if (to >= r->from && i > 0 && r->end < s->n) {
      const sd_symbol a = y[i - 1], b = y[r->end];
      at = border (r, to, step, by_size ? a >= b : c->freq[a] >= c->freq[b]);
    }
    const bool met = at >= r->from, stuck = !met && at == i;
    for (const sd_symbol a = i > 0 ? y[i - 1] : 0; i < at; i++)
      y[i] = a;
    if (stuck) {
      y[i] = c->best[y[i]];
      i++;
    }
    for (; met && i < r->end; i++)
      y[i] = y[r->end];
  }
}

/* The runs of free slots that begin in from..to-1. */
static void fill_part (sd_seq *s, uint64_t from, uint64_t to, uint64_t step, bool by_size,
                       const sd_symbol_counts *c) {
  const unsigned m = sd_alphabet_main (s->alphabet);
  for (uint64_t i = from; i < to; i++) {
    if (s->sym[i] < m)
      continue;
    run r = { .first = i, .end = i };
    while (r.end < s->n && s->sym[r.end] >= m)
      r.end++;
    r.from = r.end;
    while (r.end < s->n && r.from > i && sd_admits (s->alphabet, s->sym[r.from - 1], s->sym[r.end]))
      r.from--;
    fill (s, &r, step, by_size, c);
    i = r.end;
  }
}

static bool is_definite (const void *ctx, uint64_t i) {
  const sd_seq *s = ctx;
  return s->sym[i] < sd_alphabet_main (s->alphabet);
}

/* A run is filled by what stands at its edges, which nobody changes: where no part begins within a run,
 * threads do not meet. */
static int by_edges (sd_seq *s, const sd_symbol_counts *c, unsigned param, bool by_size) {
  uint64_t first[SD_MAX_PARTS + 1];
  const unsigned parts = sd_parts (s->n);
  sd_parts_cut (0, s->n, parts, is_definite, s, first);
#pragma omp parallel for if (parts > 1) schedule(static, 1)
  for (unsigned k = 0; k < parts; k++)
    fill_part (s, first[k], first[k + 1], param ? param : 1, by_size, c);
  return SD_OK;
}

static int run_edges (sd_seq *s, const sd_symbol_counts *c, unsigned param, sd_error *err) {
  (void) err;
  return by_edges (s, c, param, false);
}

static int run_larger (sd_seq *s, const sd_symbol_counts *c, unsigned param, sd_error *err) {
  (void) err;
  return by_edges (s, c, param, true);
}

const sd_initial sd_initial_edges = {
  .name = "edges",
  .completes = true,
  .summary =
      "edges:K: as the two neighbours of the run, which meet at multiples of K; the more frequent goes "
      "on",
  .source = "ours",
  .takes_param = true,
  .run = run_edges,
};

const sd_initial sd_initial_larger = {
  .name = "larger",
  .completes = true,
  .summary = "larger:K: the same, the larger of the two goes on",
  .source = "ours",
  .takes_param = true,
  .run = run_larger,
};
