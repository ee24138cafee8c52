/* The order of the men: all that an ending may have are tried with a quick encoder on a sample, the best ones
 * on all slots, and what is left with the encoder that counts. To code each order with full effort would take
 * too long where there are many. For WDL files the trials on all slots have a round of parses, as the encoder
 * has: without it they rank orders wrongly that differ by a few per cent (KQvKR, Black: 10,292 bytes instead
 * of 10,787). The caller gets the stream, too, since the last step has coded it (write.c). */
#include "config.h"
#include "repair/grammar.h"
#include "syzygy/syzygy_write.h"
#include <stdlib.h>
#include <string.h>

enum {
  PIECES = 12,       /* runs of slots of a small sample */
  PIECE = 8192,      /* slots of each */
  QUICK = 300,       /* symbols of the quick encoder */
  SECOND = 4,        /* orders that are tried on all slots, or on these: */
  LARGE_PIECES = 64, /* the sample that stands for all slots of a large stream */
  LARGE_PIECE = 1 << 16
};

/* ------------------------------------------------------------------- orders */

typedef struct maker {
  uint8_t group[SD_MAX_MEN][2]; /* code and number of men */
  unsigned ngroups, fixed;      /* fixed: groups of pawns, which come first */
  unsigned lead;                /* men of the leading group without pawns: 3 or 2 */
  unsigned chosen[SD_MAX_MEN];  /* groups in the order that is being made */
  sd_syzygy_order *out;         /* out[0..cap-1]; n counts on, beyond cap too */
  unsigned n, cap;
} maker;

static void collect_groups (const sd_material *m, maker *k) {
  const unsigned first = sd_syzygy_leading_colour (m);
  unsigned single = 0;

  /* The leading colour's pawns first. */
  for (unsigned c = 0; c < 2; c++)
    if (m->count[c ? !first : first][SD_PAWN]) {
      k->group[k->ngroups][0] = (uint8_t) sd_syzygy_code (c ? !first : first, SD_PAWN);
      k->group[k->ngroups++][1] = m->count[c ? !first : first][SD_PAWN];
    }
  /* Pawns come first, those of the leading colour before the others: nothing is left to choose there. */
  k->fixed = k->ngroups;
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = SD_KNIGHT; t <= SD_KING; t++)
      if (m->count[c][t]) {
        k->group[k->ngroups][0] = (uint8_t) sd_syzygy_code (c, t);
        k->group[k->ngroups++][1] = m->count[c][t];
        single += m->count[c][t] == 1;
      }
  k->lead = k->fixed ? 0 : single >= 3 ? 3 : 2;
}

/* May group g stand at place `at` of the list of kinds of men? */
static bool fits (const maker *k, unsigned g, unsigned at) {
  if (k->fixed)
    return at < k->fixed ? g == at : g >= k->fixed;
  /* Behind the leading group any order will do. */
  if (at >= k->lead)
    return true;
  return k->lead == 3 ? k->group[g][1] == 1 : (k->group[g][0] & 7) == SD_KING + 1;
}

/* The digits of the leading groups may be any. */
static void add_orders (maker *k) {
  sd_syzygy_order o = { .pawns = SD_SYZYGY_NO_PAWNS };
  const unsigned digits = k->fixed ? k->ngroups : k->ngroups - k->lead + 1;
  unsigned men = 0;

  for (unsigned i = 0; i < k->ngroups; i++)
    for (unsigned j = 0; j < k->group[k->chosen[i]][1]; j++)
      o.man[men++] = k->group[k->chosen[i]][0];
  /* Besides the order of the groups a file says which digits of the index the leading groups are. */
  for (unsigned lead = 0; lead < digits; lead++)
    for (unsigned pawns = 0; pawns < (k->fixed == 2 ? digits : 1); pawns++) {
      if (k->fixed == 2 && pawns == lead)
        continue;
      o.lead = (uint8_t) lead;
      if (k->fixed == 2)
        o.pawns = (uint8_t) pawns;
      if (k->n < k->cap)
        k->out[k->n] = o;
      /* Counted even where there is no room, so that a caller knows. */
      k->n++;
    }
}

static void permute (maker *k, unsigned at, unsigned taken) {
  if (at == k->ngroups) {
    add_orders (k);
    return;
  }
  /* All orders of the groups, those apart that may not stand at a place. */
  for (unsigned g = 0; g < k->ngroups; g++)
    if (!(taken >> g & 1) && fits (k, g, at)) {
      k->chosen[at] = g;
      permute (k, at + 1, taken | 1u << g);
    }
}

unsigned sd_syzygy_orders (const sd_material *m, sd_syzygy_order *out, unsigned cap) {
  maker k = { .out = out, .cap = cap };
  collect_groups (m, &k);
  permute (&k, 0, 0);
  return k.n;
}

/* ------------------------------------------------------------------- search */

typedef struct trial {
  sd_syzygy_order order;
  double bits;
} trial;

/* Of equal bits the order decides by its bytes, so that the file does not depend on which thread came
 * first. */
static int by_bits (const void *pa, const void *pb) {
  const trial *a = pa, *b = pb;
  if (a->bits != b->bits)
    return a->bits < b->bits ? -1 : 1;
  return memcmp (&a->order, &b->order, sizeof a->order);
}

/* Bits of the slots by the quick encoder. */
static int quick_bits (const sd_syzygy_slots *s, const char *initial, unsigned symbols, unsigned rounds,
                       double *bits, sd_error *err) {
  const sd_grammar_rules rules = { .symbols = symbols,
                                   .positions = SD_SYZYGY_MAX_LENGTH,
                                   .block_positions = SD_SYZYGY_BLOCK_SLOTS,
                                   .entry_bits = 24,
                                   .initial = initial,
                                   .compatible = rounds > 0,
                                   .rounds = rounds,
                                   .detours = rounds > 0,
                                   .code_bits = SD_SYZYGY_MAX_BITS };
  sd_grammar_maker *found;
  SD_TRY (sd_grammar_find (&s->seq, &rules, &found, err));
  *bits = sd_grammar_bits (found);
  sd_grammar_maker_free (found);
  return SD_OK;
}

/* The first time on a small sample; then on all slots, or a large one. */
static int try_order (const sd_syzygy_slots *from, const sd_syzygy_effort *effort, trial *t, bool again,
                      sd_error *err) {
  const uint64_t pieces = sd_syzygy_is_large (effort, from->index.slots) ? LARGE_PIECES : 0;
  const unsigned m = sd_alphabet_main (from->seq.alphabet);
  sd_syzygy_index ix;
  SD_RELEASED_BY (sd_syzygy_slots_clear) sd_syzygy_slots s = { 0 };
  SD_TRY (sd_syzygy_index_init (&ix, from->index.squares, &from->material, from->index.file, &t->order, err));
  SD_TRY (sd_syzygy_slots_reorder (from, &ix, again ? pieces : PIECES, again ? LARGE_PIECE : PIECE, &s, err));
  return quick_bits (&s, effort->initial, again ? SD_SYZYGY_MAX_SYMBOLS : QUICK + m,
                     again && !pieces ? effort->trial_rounds : 0, &t->bits, err);
}

/* The stream in this order, if it is the first one or smaller than the one before. */
static int code_order (const sd_syzygy_slots *from, const trial *t, const sd_syzygy_effort *effort,
                       sd_syzygy_order *order, sd_syzygy_stream *stream, sd_error *err) {
  sd_syzygy_index ix;
  SD_RELEASED_BY (sd_syzygy_slots_clear) sd_syzygy_slots s = { 0 };
  SD_RELEASED_BY (sd_syzygy_stream_clear) sd_syzygy_stream one = { 0 };
  SD_TRY (sd_syzygy_index_init (&ix, from->index.squares, &from->material, from->index.file, &t->order, err));
  /* All slots, not a sample. */
  SD_TRY (sd_syzygy_slots_reorder (from, &ix, 0, 0, &s, err));
  SD_TRY (sd_syzygy_encode (&s.seq, effort, &one, err));
  /* The bytes decide, not what the trials promised. */
  if (stream->header.len && sd_syzygy_stream_bytes (&one) >= sd_syzygy_stream_bytes (stream))
    return SD_OK;
  const sd_syzygy_stream old = *stream;
  *order = t->order;
  *stream = one;
  one = old;
  return SD_OK;
}

/* Statuses of threads: any failure wins over SD_OK, which is 0. */
static int worse (int a, int b) {
  return a > b ? a : b;
}

int sd_syzygy_best_order (const sd_syzygy_slots *from, const sd_syzygy_effort *effort, sd_syzygy_order *out,
                          sd_syzygy_stream *stream, sd_error *err) {
  SD_OWNED sd_syzygy_order *order = sd_alloc (SD_SYZYGY_MAX_ORDERS, sizeof *order);
  SD_OWNED trial *all = sd_alloc (SD_SYZYGY_MAX_ORDERS, sizeof *all);

  *stream = (sd_syzygy_stream){ 0 };
  if (!order || !all)
    return sd_fail_memory (err, 0);
  unsigned n = sd_syzygy_orders (&from->material, order, SD_SYZYGY_MAX_ORDERS);
  n = n < SD_SYZYGY_MAX_ORDERS ? n : SD_SYZYGY_MAX_ORDERS;
  /* All orders on a small sample, the best few on all slots, the best of these as they will be written. */
  for (unsigned i = 0; i < n; i++)
    all[i].order = order[i];
  int status = SD_OK;
#pragma omp parallel for schedule(dynamic, 1) reduction(max : status)
  for (unsigned i = 0; i < n; i++)
    status = worse (status, try_order (from, effort, &all[i], false, NULL));
  qsort (all, n, sizeof *all, by_bits);

  const bool large = sd_syzygy_is_large (effort, from->index.slots);
  const unsigned second = n < SECOND ? n : SECOND, most = large ? 1 : effort->orders,
                 third = second < most ? second : most;
#pragma omp parallel for schedule(dynamic, 1) reduction(max : status)
  for (unsigned i = 0; i < second; i++)
    status = worse (status, try_order (from, effort, &all[i], true, NULL));
  if (status)
    return sd_fail (err, status, "trying orders of the men: %s", sd_strerror (status));
  /* A sample may have ranked the best few wrongly. */
  qsort (all, second, sizeof *all, by_bits);
  /* One value for all slots takes two bytes in any order, so that no other one need be tried. */
  for (unsigned i = 0; i < third && !status && !stream->single; i++)
    status = code_order (from, &all[i], effort, out, stream, err);
  if (status)
    sd_syzygy_stream_clear (stream);
  return status;
}
