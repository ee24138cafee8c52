/** \file refine.c
 * Better dictionaries (parse=optimal). The slots are parsed anew with the cheapest phrases that fit, new
 * pairs are made of these, what does not pay is dropped; `rounds` times.
 *
 * What the last parse completed the free slots with repeats itself more than any filling that looks at
 * neighbours only. So another dictionary is made of that sequence, from the start, and refined likewise;
 * `restarts` times. The one that promises the smallest stream is kept. Results of KQvKR, KNPvK, KRvKN (four
 * streams), no file counted: 67,300 bytes without, 65,856, 65,435 and 64,619 with 1, 2 and 4 restarts.
 *
 * What is left are pairs that the parse does not have, but would have if they were phrases (parse_pairs.c).
 * The best dictionary gets those at a low price, and loses phrases that a parse without them is cheaper
 * than, a few times. This needs parses that look at dearer ways, too. These are kept as a lattice
 * (lattice.c), along which all but one parse of a round go.
 *
 * Memory: a parse, 17 bytes an id for what is kept, and in wide rounds the lattice and the pairs
 * (parse_pairs.c). Time: rounds * (1 + restarts) parses, one with slack, and a fraction of that for each wide
 * round, as only the places of the lattice are looked at; some seven where the dictionary is full. */
#include "config.h"
#include "repair/repair_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FITTING 3             /* times at most that phrases go by detours until few enough are left */
#define LEAST_SHARE (5.0 / 6) /* of an entry's price, which pairs have to save in the first wide round */

/* A dictionary that is kept, with what its phrases are worth. */
typedef struct kept {
  unsigned used;
  sd_phrase *left, *right;
  uint32_t *length;
  uint8_t *depth;
  uint64_t *freq;
  double bits; /* of the stream that it promises; 0: nothing is kept yet */
} kept;

void sd_repair_ideal_costs (const sd_repair *st, uint32_t *cost) {
  double total = 0;
  /* A phrase without an occurrence counts as half a one: it is dear, but may be tried. */
  for (unsigned id = 0; id < st->used; id++)
    total += st->freq[id] ? (double) st->freq[id] : 0.5;
  for (unsigned id = 0; id < st->used; id++) {
    double bits = log2 (total / (st->freq[id] ? (double) st->freq[id] : 0.5));
    cost[id] = sd_repair_definite (st, id) ? (uint32_t) (bits * SD_PARSE_BIT + 0.5) : SD_TRIE_NONE;
  }
}

/* A dictionary is its phrases, and what they are worth: what stands in the encoder, as it is kept. */
static kept as_kept (const sd_repair *st) {
  return (kept){ st->used, st->left, st->right, st->length, st->depth, st->freq, 0 };
}

static void copy (const kept *from, const kept *to) {
  memcpy (to->left, from->left, from->used * sizeof *to->left);
  memcpy (to->right, from->right, from->used * sizeof *to->right);
  memcpy (to->length, from->length, from->used * sizeof *to->length);
  memcpy (to->depth, from->depth, from->used * sizeof *to->depth);
  memcpy (to->freq, from->freq, from->used * sizeof *to->freq);
}

static void kept_free (kept *k) {
  free (k->left);
  free (k->right);
  free (k->length);
  free (k->depth);
  free (k->freq);
}

static void copy_back (const kept *k, sd_repair *st) {
  const kept to = as_kept (st);
  copy (k, &to);
  st->used = k->used;
}

/* slightly: even if it promises little less. */
static int keep_if_better (const sd_repair *st, const sd_refining *how, bool slightly, kept *k) {
  double bits;
  SD_TRY (how->promise (st, how->ctx, &bits));
  if (k->bits > 0 && bits > k->bits * (slightly ? 1 : 1 - 1.0 / 256)) /* cutting into blocks may cost that */
    return SD_OK;
  const kept now = as_kept (st);
  copy (&now, k);
  k->used = st->used;
  k->bits = bits;
  return SD_OK;
}

static int refine (sd_repair *st, const sd_seq *slots, const sd_refining *how, uint32_t *cost, kept *k) {
  for (long round = 0; round < how->rounds; round++) {
    sd_repair_ideal_costs (st, cost);
    SD_TRY (sd_repair_parse (st, slots, cost, how->slack));
    /* The last parse is coded as it is; pairs added to it would stand in the dictionary untried. */
    if (round + 1 < how->rounds)
      SD_TRY (sd_repair_rounds (st, NULL));
    SD_TRY (sd_repair_prune (st));
    /* For grammar.c each round also drops what parses do better without, and any round may be the best one.
     * */
    if (how->each) {
      sd_repair_count_symbols (st);
      sd_repair_ideal_costs (st, cost);
      SD_TRY (sd_repair_prune_by_detours (st, slots, cost, how->slack, NULL));
      SD_TRY (keep_if_better (st, how, true, k));
    }
  }
  return SD_OK;
}

/* A parse along the ways of the lattice, its counts, and the costs that they give. */
static int parse_again (sd_repair *st, const sd_lattice *l, uint32_t *cost) {
  SD_TRY (sd_lattice_parse (st, l, cost));
  sd_repair_count_symbols (st);
  sd_repair_ideal_costs (st, cost);
  return SD_OK;
}

/* The same along new ways, since there are new phrases: these are parts of ways that were good before, so
 * that no other places need to be looked at. In a full dictionary new phrases push others out, and there all
 * places are. */
static int parse_anew (sd_repair *st, const sd_seq *slots, uint32_t slack, uint32_t *cost, sd_lattice *l) {
  if (st->keep)
    sd_lattice_clear (l);
  sd_repair_ideal_costs (st, cost);
  SD_TRY (sd_lattice_make (st, slots, cost, slack, l));
  return parse_again (st, l, cost);
}

/* A full dictionary also loses phrases that are far dearer to do without than a lattice knows. */
static int drop_by_detours (sd_repair *st, const sd_seq *slots, uint32_t slack, uint32_t *cost,
                            sd_lattice *l) {
  SD_TRY (sd_repair_prune_by_detours (st, slots, cost, slack, st->keep ? NULL : l));
  if (st->keep)
    return parse_anew (st, slots, slack, cost, l);
  sd_repair_ideal_costs (st, cost);
  return parse_again (st, l, cost);
}

/* As few as may be kept. A phrase on another one's way around stays until the next parse. */
static int drop_surplus (sd_repair *st, const sd_seq *slots, uint32_t slack, uint32_t *cost, sd_lattice *l) {
  for (unsigned n = 0; n < FITTING && st->keep && st->used > st->keep; n++)
    SD_TRY (drop_by_detours (st, slots, slack, cost, l));
  if (!st->keep || st->used <= st->keep)
    return SD_OK;
  SD_TRY (sd_repair_prune (st));
  return parse_anew (st, slots, slack, cost, l);
}

/* Add pairs that save less than an entry costs, nearly as much in the last round, and then drop what does not
 * pay for a whole one: which of them do is only known from a parse. A full dictionary gets as many as it has
 * phrases, and the better half stays. */
static int widen (sd_repair *st, const sd_seq *slots, const sd_refining *how, uint32_t *cost, kept *k) {
  const unsigned twice = st->keep ? 2 * st->keep - st->a : st->limit,
                 most = twice < st->limit ? twice : st->limit;
  sd_lattice *l = how->ways;
  copy_back (k, st);
  SD_TRY (parse_anew (st, slots, how->wide_slack, cost, l));
  for (long round = 0; round < how->wide_rounds; round++) {
    const double share = LEAST_SHARE + (1 - LEAST_SHARE) * (double) round / (double) how->wide_rounds;
    SD_TRY (sd_repair_add_pairs (st, l, cost, st->entry_bits * share, most));
    SD_TRY (parse_anew (st, slots, how->wide_slack, cost, l));
    SD_TRY (drop_by_detours (st, slots, how->wide_slack, cost, l));
    SD_TRY (drop_surplus (st, slots, how->wide_slack, cost, l));
    SD_TRY (keep_if_better (st, how, true, k));
  }
  return SD_OK;
}

int sd_repair_refine (sd_repair *st, const sd_seq *slots, const sd_refining *how) {
  SD_OWNED uint32_t *cost = sd_alloc (st->limit, sizeof *cost);
  SD_RELEASED_BY (kept_free)
  kept k = { .left = sd_alloc (st->limit, sizeof *k.left),
             .right = sd_alloc (st->limit, sizeof *k.right),
             .length = sd_alloc (st->limit, sizeof *k.length),
             .depth = sd_alloc (st->limit, 1),
             .freq = sd_alloc (st->limit, sizeof *k.freq) };
  if (!cost || !k.left || !k.right || !k.length || !k.depth || !k.freq)
    return SD_ENOMEM;
  for (long n = 0; n <= how->restarts; n++) {
    sd_repair_count_symbols (st);
    /* A new start: all phrases are written out as the last parse completed the slots, and pairs are counted
     * anew. */
    if (n > 0) {
      st->anew = true;
      sd_repair_open_up (st, NULL);
      st->used = st->a;
      SD_TRY (sd_repair_rounds (st, NULL));
      SD_TRY (sd_repair_prune (st));
    }
    SD_TRY (refine (st, slots, how, cost, &k));
    SD_TRY (keep_if_better (st, how, how->each, &k));
  }
  if (how->wide_rounds)
    SD_TRY (widen (st, slots, how, cost, &k));
  /* The best one that was seen, which need not be the last. */
  copy_back (&k, st);
  return SD_OK;
}
