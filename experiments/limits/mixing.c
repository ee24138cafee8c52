/** \file mixing.c
 * An estimate of the code length by context mixing, as strong compressors of texts use it (Mahoney 2005):
 * many contexts each predict the next binary decision, a small network weighs the predictions in the logistic
 * domain and learns from the outcome.
 *
 * A slot is a first decision, "the value of its nearest neighbour or another one", and then the decisions of
 * a binary tree over the main symbols. Where a slot admits both outcomes of a decision, the likelier one is
 * taken: that is how freedom is used. Contexts are digits of the index and values of neighbouring slots that
 * are complete already. Cost: CONTEXTS reads of memory that are not cached a decision.
 *
 * Everything is in single precision and in a fixed order, so that a machine gives the same length each
 * time. One `mixer` takes some 240 MB, nearly all of them the table of guesses. The result is a length and
 * no stream: nothing could decode it, as the arithmetic coder is left out. */
#include "config.h"
#include "experiments/limits/limits_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  CONTEXTS = 28,    /* a multiple of 4; the last one is a constant */
  SLOT_BITS = 20,   /* predictions a context, as a power of two */
  STRETCHED = 4096, /* entries of the table of the logistic function's inverse */
  SEEN = 500,       /* more is not counted */
  SETS = 512,       /* sets of weights for each kind of decision */
  FIRST = 1,        /* node of the decision "as the neighbour"; the tree's are above */
  REPORT_EVERY = 1 << 18
};
static const float SURE = 1.f / (1 << 20); /* no probability is nearer to 0 or 1 */

/* What a context knows of a decision: how often it was 1, and how sure that is. Contexts that fall into one
 * place of the table share it: collisions are not resolved, as they cost little in a table of this size. */
typedef struct {
  float p;
  uint32_t seen;
} guess;

typedef struct {
  const sd_seq *seq;
  unsigned m, bits; /* m: main symbols; bits: levels of the tree */
  sd_symbol *value; /* [seq->n], completed so far */
  guess *table; /* [CONTEXTS << SLOT_BITS] */
  /* weight: for the first decision and for those of the tree, by set and context; stretch: ln (p / (1 - p))
   * by p */
  float weight[2][SETS][CONTEXTS], stretch[STRETCHED];
  float trust[SEEN + 1], step[SEEN + 1]; /* by how often a decision was seen: its weight; how far it learns */
  double length;                         /* bits so far */
  /* of the slot */
  uint64_t hash[CONTEXTS];
  unsigned set;       /* of weights */
  sd_symbol expected; /* the value of the nearest neighbour */
} mixer;

/* ---------------------------------------------------------------- a decision */

/* Predict the decision `node`, and learn `bit`; bit 2: whatever is likelier. Returns the bit. `node` says
 * which decision of the slot it is: FIRST, or a node of the tree. */
static unsigned decide (mixer *x, unsigned node, unsigned bit) {
  guess *g[CONTEXTS];
  float in[CONTEXTS], sum[4] = { 0 }, *weight = x->weight[node != FIRST][x->set];

  for (unsigned k = 0; k < CONTEXTS - 1; k++) {
    const uint64_t h = (x->hash[k] + node * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    g[k] = &x->table[(size_t) k << SLOT_BITS | h >> (64 - SLOT_BITS)];
    __builtin_prefetch (g[k], 1); /* all are on their way before the first one is waited for */
  }

  /* What the contexts say, each as a logarithm of odds. One that has seen little counts less. */
  for (unsigned k = 0; k < CONTEXTS - 1; k++)
    in[k] = x->stretch[(unsigned) (g[k]->p * STRETCHED)] * x->trust[g[k]->seen];
  in[CONTEXTS - 1] = 0.3f;
  for (unsigned k = 0; k < CONTEXTS; k += 4) /* in lanes, so that the order of the sum is fixed */
    for (unsigned j = 0; j < 4; j++)
      sum[j] += weight[k + j] * in[k + j];

  float p = 1 / (1 + expf (-(sum[0] + sum[1] + sum[2] + sum[3])));
  p = p < SURE ? SURE : p > 1 - SURE ? 1 - SURE : p;

  /* A free choice costs what its likelier outcome costs, and is learnt from as if it had been given. */
  if (bit == 2)
    bit = p >= 0.5f;
  x->length -= log2f (bit ? p : 1 - p);

  /* The weights go down the gradient of the length. */
  const float rate = 0.012f * ((float) bit - p);
  for (unsigned k = 0; k < CONTEXTS; k++)
    weight[k] += rate * in[k];
  /* The guess stays below 1, as it is an index of `stretch`. */
  for (unsigned k = 0; k < CONTEXTS - 1; k++) {
    g[k]->p += ((bit ? 0.9999999f : 0) - g[k]->p) * x->step[g[k]->seen];
    g[k]->seen += g[k]->seen < SEEN;
  }
  return bit;
}

/* -------------------------------------------------------------------- a slot */

/* Does the set s admit a main symbol in [from, from + n)? */
static bool admits_one (const mixer *x, sd_symbol s, unsigned from, unsigned n) {
  for (unsigned v = from; v < from + n && v < x->m; v++)
    if (sd_admits (x->seq->alphabet, s, (sd_symbol) v))
      return true;
  return false;
}

/* The value that slot s takes, and what saying so costs. A value that the set does not admit is never chosen:
 * where one half of the tree has none, the decision is given. */
static sd_symbol code (mixer *x, sd_symbol s) {
  const bool as_expected = sd_admits (x->seq->alphabet, s, x->expected),
             another = !as_expected || sd_alphabet_choices (x->seq->alphabet, s) > 1;
  if (decide (x, FIRST, as_expected && another ? 2 : as_expected))
    return x->expected;
  /* The tree's nodes depend on the value that it cannot be, and so learn to leave that out. */
  unsigned from = 0, node = 1;
  for (unsigned half = 1u << x->bits >> 1; half; half >>= 1) {
    const bool low = admits_one (x, s, from, half), high = admits_one (x, s, from + half, half);
    const unsigned bit = decide (x, FIRST + node + ((x->expected + 1u) << 13), low && high ? 2 : high);
    node = 2 * node + bit;
    from += bit ? half : 0;
  }
  return (sd_symbol) from;
}

/* Two numbers as one, so that other pairs seldom give the same. */
static uint64_t mix (uint64_t a, uint64_t b) {
  return (a ^ b) * 0xC2B2AE3D27D4EB4Fu ^ b >> 7;
}

/* Values beyond the next ones along the two digits that change fastest. On a board: the squares at the left
 * and right one rank back, two squares and two ranks back, and mixed steps of both pieces. In an array: the
 * places at the left and right in the row before, and two and three places back. */
typedef struct {
  unsigned left, right, step2, rank2, left1, right1, both, toward, ranks;
} further;

static void look_further (const sd_nearby *w, further *f) {
  const uint32_t *d = w->digit;
  const uint64_t s0 = w->stride[0], s1 = w->stride[1];
  if (!w->board) {
    const bool row = w->dims > 1 && d[1] > 0, more = d[0] + 1 < w->radix[0];
    f->left = f->toward = sd_nearby_value (w, row && d[0] > 0, s1 + s0);
    f->right = f->both = sd_nearby_value (w, row && more, s1 - s0);
    f->step2 = sd_nearby_value (w, d[0] > 1, 2 * s0);
    f->rank2 = sd_nearby_value (w, d[0] > 2, 3 * s0);
    f->left1 = sd_nearby_value (w, row && d[1] > 1 && d[0] > 0, 2 * s1 + s0);
    f->right1 = sd_nearby_value (w, row && d[1] > 1 && more, 2 * s1 - s0);
    f->ranks = sd_nearby_value (w, row && d[0] + 2 < w->radix[0], s1 - 2 * s0);
    return;
  }

  /* On a board a step must not go round the edge: file0 and file1 tell where a rank ends. */
  const bool *square = w->square;
  const unsigned file0 = d[0] & 7, file1 = d[1] & 7;
  f->left = sd_nearby_value (w, square[0] && file0 > 0 && d[0] > 7, 9 * s0);
  f->right = sd_nearby_value (w, square[0] && file0 < 7 && d[0] > 7, 7 * s0);
  f->step2 = sd_nearby_value (w, file0 > 1, 2 * s0);
  f->rank2 = sd_nearby_value (w, d[0] > 15, 16 * s0);
  f->left1 = sd_nearby_value (w, square[1] && file1 > 0 && d[1] > 7, 9 * s1);
  f->right1 = sd_nearby_value (w, square[1] && file1 < 7 && d[1] > 7, 7 * s1);
  f->both = sd_nearby_value (w, file1 > 0 && file0 < 7, s1 - s0);
  f->toward = sd_nearby_value (w, file1 > 0 && file0 > 0, s1 + s0);
  f->ranks = sd_nearby_value (w, d[1] > 7 && d[0] + 8 < w->radix[0], 8 * s1 - 8 * s0);
}

/* The contexts of a slot, after trials on 4-man endings (papers/limits). A and B of the two digits that
 * change fastest are `step` and `rank`, the values one step and one rank back. */
static void look_around (mixer *x, const sd_nearby *w) {
  unsigned step[SD_NEAR_DIMS], rank[SD_NEAR_DIMS], alike = 0, outside = 0;
  const uint32_t *d = w->digit;
  uint64_t near = 0, first, second, others;
  /* The neighbours that conditional.c has, too; `near` is all of them as one number. */

  for (unsigned i = 0; i < SD_NEAR_DIMS; i++) {
    step[i] = sd_nearby_step (w, i);
    rank[i] = sd_nearby_rank (w, i);
    near = (near * 4099 + step[i]) * 4099 + rank[i];
  }

  /* The nearest slot that there is: one step along the digit that changes fastest, one rank, one step along
   * the next. */
  x->expected = (sd_symbol) (step[0] != w->none   ? step[0]
                             : rank[0] != w->none ? rank[0]
                             : step[1] != w->none ? step[1]
                                                  : sd_alphabet_zero (x->seq->alphabet));

  for (unsigned i = 0; i < w->dims; i++) {
    alike += (step[i] == x->expected) + (rank[i] == x->expected);
    outside += (step[i] == w->none) + (rank[i] == w->none);
  }

  further f;
  look_further (w, &f);
  const unsigned left = f.left, right = f.right, step2 = f.step2, rank2 = f.rank2, left1 = f.left1,
                 right1 = f.right1, both = f.both, toward = f.toward, ranks = f.ranks;

  /* 4099 is a prime beyond the number of main symbols of most tables, so that pairs of values are told
   * apart. */
  first = step[0] * 4099ull + rank[0];
  second = step[1] * 4099ull + rank[1];
  others = mix (step[2] * 4099ull + rank[2], step[3] * 4099ull + rank[3]);

  /* A line each: all neighbours; these and the further ones; the digits that change fastest in pairs; places
   * and values together. The number of the context goes into its hash, so that equal lines of two contexts
   * differ. */
  const uint64_t place[CONTEXTS - 1][4] = {
    { near },
    { near, left, right, step2 * 4099ull + rank2 },
    { near, left1, right1, mix (both, ranks) + toward },
    { mix (first, second), left, right, mix (both, ranks) + toward },
    { first, step2, rank2, mix (left, right) },
    { mix (first, second), step[2], rank[2] },
    { mix (first, second), step[3], rank[3] },
    { first, step[2] * 4099ull + rank[2], step[3] * 4099ull + rank[3] },
    { d[0], d[1] },
    { d[0], d[2] },
    { d[1], d[2] },
    { d[0], d[3] },
    { d[1], d[3] },
    { d[2], d[3] },
    { d[0], d[1], d[2], first },
    { d[0], d[1], d[3], first },
    { d[2], d[3], d[0], first },
    { d[2], d[3], d[1], mix (first, second) },
    { d[0], near },
    { d[1], near },
    { d[2], near },
    { d[3], near },
    { d[0], d[1], near },
    { d[2], d[3], near },
    { d[0], d[1], mix (first, second), others },
    { d[0], d[2], mix (first, second), others },
    { d[0], d[1], d[2], mix (d[3], d[4]) },
  };
  for (unsigned k = 0; k < CONTEXTS - 1; k++)
    x->hash[k] = mix (mix (mix (mix (k + 1, place[k][0]), place[k][1]), place[k][2]), place[k][3]);

  /* Which set of weights: how many neighbours have the expected value, how many are outside, how large the
   * value is, and whether the nearest two agree with it and with each other. */
  alike = alike < 8 ? alike : 7;
  outside = outside < 4 ? outside : 3;
  const unsigned grade = (unsigned) (x->expected * 3ull / x->m); /* low, middle, high */
  x->set = (((alike * 4 + outside) * 3 + grade) * 2 + (step[0] == rank[0])) * 2 + (step[1] == x->expected);
}

/* ----------------------------------------------------------------- the whole */

/* All tables at their beginnings: a guess of one half for each context, equal weights for all of them. */
static int set_up (mixer *x, const sd_seq *s) {
  x->seq = s;
  x->m = sd_alphabet_main (s->alphabet);
  while (1u << x->bits < x->m)
    x->bits++;

  x->value = sd_alloc (s->n, sizeof *x->value);
  x->table = sd_alloc0_large ((uint64_t) CONTEXTS << SLOT_BITS, sizeof *x->table);
  if (!x->value || !x->table)
    return SD_ENOMEM;

  for (size_t i = 0; i < (size_t) CONTEXTS << SLOT_BITS; i++)
    x->table[i] = (guess){ .p = 0.5f };
  for (unsigned i = 0; i < STRETCHED; i++)
    x->stretch[i] = logf (((float) i + 0.5f) / ((float) STRETCHED - (float) i - 0.5f));

  /* A guess follows the last outcomes the less, the more often it was seen, but never less than a 400th. */
  for (unsigned i = 0; i <= SEEN; i++) {
    const float step = 1 / ((float) i + 1.25f);
    x->trust[i] = i >= 30 ? 1 : 0.25f + 0.025f * (float) i;
    x->step[i] = step < 1.f / 400 ? 1.f / 400 : step;
  }

  for (unsigned i = 0; i < 2 * SETS; i++)
    for (unsigned k = 0; k < CONTEXTS - 1; k++)
      x->weight[i / SETS][i % SETS][k] = 0.2f;
  return SD_OK;
}

int sd_mixed_length (const sd_seq *s, bool board, bool free_known, const sd_progress *progress, double *bits,
                     sd_error *err) {
  mixer *x = sd_alloc0 (1, sizeof *x);
  int st = x ? set_up (x, s) : SD_ENOMEM;
  if (st == SD_OK) {
    sd_nearby w;
    for (sd_nearby_start (&w, s, board, x->value); w.at < s->n; sd_nearby_next (&w)) {
      const sd_symbol sym = s->sym[w.at];
      /* As if its place were known: it is completed by its nearest neighbour, and nothing is coded. */
      if (free_known && sd_alphabet_choices (s->alphabet, sym) == x->m) {
        const unsigned v = sd_nearby_step (&w, 0), u = sd_nearby_rank (&w, 0), t = sd_nearby_step (&w, 1);
        x->value[w.at] = (sd_symbol) (v != w.none   ? v
                                      : u != w.none ? u
                                      : t != w.none ? t
                                                    : sd_alphabet_zero (s->alphabet));
      } else {
        look_around (x, &w);
        x->value[w.at] = code (x, sym);
      }
      if (w.at % REPORT_EVERY == 0)
        sd_report (progress, "mixing", w.at, s->n);
    }

    *bits = x->length;
  }
  if (x) {
    free (x->value);
    free (x->table);
  }
  free (x);
  return st == SD_ENOMEM ? sd_fail_memory (err, 0) : st;
}
