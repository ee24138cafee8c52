/** \file plain.c
 * The plain diagram of a sequence: subdefinite symbols are leaves of their own, equal sub-tables are one
 * node. Sifting turns it into other orders of the bits, and merging takes it apart from the leaves up, so
 * that the table is looked at once only and never stands in memory with its codes that no slot has.
 *
 * In the order of the pieces codes rise with indices: a walk over the codes reads the sequence from one end
 * to the other. Sub-tables are numbered as they come, all levels at once, and ranges of codes without a slot
 * are passed over as a whole. Sub-tables of EIGHT slots that came shortly before are found by their symbols.
 *
 * Cost: 8 bytes for each node of all levels, and while the diagram is made 5 to 11 for the hash tables; time
 * linear in the slots. Several threads make a part each, a range of codes. Then nodes that parts share are
 * there once for each, and joining a level takes 24 bytes for each of its nodes. */
#include "config.h"
#include "base/parts.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 6 /* levels that are made at once */
#define EIGHT 8
#define MEMO_BITS 13

/* Codes before a code, in the order of the pieces, that are slots. */
typedef struct ranks {
  unsigned ndigits;
  struct {
    unsigned shift;
    uint32_t mask, radix;
    uint64_t stride;
    uint32_t *below; /* equal men: [mask + 2] numbers of squares before one that rise; else NULL */
  } digit[SD_MAX_DIMS];
} ranks;

typedef struct memo {
  sd_symbol sym[EIGHT];
  uint32_t node; /* UINT32_MAX: none */
} memo;

typedef struct maker {
  const sd_symbol *sym; /* of the slots */
  const ranks *ranks;   /* NULL: each code is a slot */
  sd_symbol fill;
  bool failed;
  sd_obdd_pairs level[SD_OBDD_MAX_VARS + 1];
  uint32_t none[SD_OBDD_MAX_VARS + 1]; /* node without a slot; UINT32_MAX: not needed so far */
  memo *memo;                          /* [2^MEMO_BITS] */
} maker;

/* A diagram made by parts: 2^bits ranges of codes of the same length. */
typedef struct parts {
  unsigned bits;
  maker *maker;   /* [2^bits] */
  uint32_t *root; /* [2^bits] the node of each */
} parts;

/* ----------------------------------------------------------------------- ranks */

static void ranks_free (ranks *r) {
  for (unsigned d = 0; d < r->ndigits; d++)
    free (r->digit[d].below);
}

/* For each number of the variables of digit d, as they stand in the order of the pieces above bit `shift`:
 * values whose number is smaller. */
static uint32_t *numbers_below (const sd_obdd_vars *v, unsigned d, unsigned shift) {
  const sd_obdd_digit *g = &v->digit[d];
  const uint32_t codes = 1u << g->bits;
  SD_OWNED uint64_t *code = sd_alloc (g->radix, sizeof *code);
  uint64_t column[SD_OBDD_MAX_VARS];
  uint32_t *below = code ? sd_alloc ((uint64_t) codes + 1, sizeof *below) : NULL, x = 0;

  if (!below)
    return NULL;
  for (unsigned i = 0; i < v->n; i++)
    column[i] = UINT64_C (1) << (v->n - 1 - i);
  sd_obdd_digit_codes (v, column, d, code);
  /* Codes rise with values, so that one walk over both tells for each code how many values stand below it. */
  for (uint32_t value = 0; value < g->radix; value++)
    while (x <= code[value] >> shift)
      below[x++] = value;
  while (x <= codes)
    below[x++] = g->radix;
  return below;
}

static int ranks_of (const sd_obdd_vars *v, ranks *r) {
  unsigned shift = 0;
  uint64_t stride = 1;
  *r = (ranks){ .ndigits = v->ndigits };
  for (unsigned d = v->ndigits; d-- > 0;) {
    const sd_obdd_digit *g = &v->digit[d];
    r->digit[d].shift = shift;
    r->digit[d].mask = (uint32_t) ((UINT64_C (1) << g->bits) - 1);
    r->digit[d].radix = g->radix;
    r->digit[d].stride = stride;
    if (g->count > 1 && !(r->digit[d].below = numbers_below (v, d, shift)))
      return SD_ENOMEM;
    shift += g->bits;
    stride *= g->radix;
  }
  return SD_OK;
}

/* Slots among the codes before `code`, which may be the one behind the last. */
static uint64_t rank_of (const maker *m, uint64_t code) {
  if (!m->ranks)
    return code;
  uint64_t rank = 0;
  for (unsigned d = 0; d < m->ranks->ndigits; d++) {
    const uint64_t above = code >> m->ranks->digit[d].shift,
                   raw = d ? above & m->ranks->digit[d].mask
                           : above; /* the highest digit may be one too large */
    const uint32_t *below = m->ranks->digit[d].below, radix = m->ranks->digit[d].radix;
    const uint64_t stride = m->ranks->digit[d].stride;
    if (below) {
      /* Behind the last code of the digit: all its values are below. */
      if (raw > m->ranks->digit[d].mask)
        return rank + radix * stride;
      rank += below[raw] * stride;
      /* The code is no value of the digit, so that what stands in lower digits adds no slot. */
      if (below[raw] == below[raw + 1])
        return rank;
    } else {
      if (raw >= radix)
        return rank + radix * stride;
      rank += raw * stride;
    }
  }
  return rank;
}

/* ---------------------------------------------------------------------- levels */

static uint32_t node (maker *m, unsigned k, uint32_t lo, uint32_t hi) {
  const uint32_t x = sd_obdd_pairs_add (&m->level[k], lo, hi);
  m->failed |= x == UINT32_MAX;
  return x;
}

static uint32_t without_slots (maker *m, unsigned k) {
  /* Made when it is first needed, from the leaf up: each of them is a node with both edges to the one
   * below. */
  for (unsigned i = 1; i <= k; i++)
    if (m->none[i] == UINT32_MAX)
      m->none[i] = node (m, i, m->none[i - 1], m->none[i - 1]);
  return m->none[k];
}

/* Node of level 3. */
static uint32_t node_of_eight (maker *m, const sd_symbol *sym) {
  /* Symbols have 16 bits: eight of them are two words. */
  uint64_t half[2];
  memcpy (half, sym, sizeof half);
  memo *x = &m->memo[(half[0] * UINT64_C (0x9e3779b97f4a7c15) ^ half[1] * UINT64_C (0xc2b2ae3d27d4eb4f))
                     >> (64 - MEMO_BITS)];
  if (x->node != UINT32_MAX && memcmp (x->sym, sym, sizeof x->sym) == 0)
    return x->node;
  uint32_t two[4];
  for (unsigned i = 0; i < 4; i++)
    two[i] = node (m, 1, sym[2 * i], sym[2 * i + 1]);
  const uint32_t lo = node (m, 2, two[0], two[1]), hi = node (m, 2, two[2], two[3]);
  x->node = node (m, 3, lo, hi);
  memcpy (x->sym, sym, sizeof x->sym);
  return x->node;
}

/* Node of level `levels` <= CHUNK for so many symbols. */
static uint32_t node_of_chunk (maker *m, unsigned levels, const sd_symbol *sym) {
  uint32_t at[1u << CHUNK];
  unsigned k = levels < 3 ? 0 : 3;
  for (unsigned i = 0; i < 1u << (levels - k); i++)
    at[i] = k ? node_of_eight (m, sym + i * EIGHT) : sym[i];
  while (k++ < levels)
    for (unsigned i = 0; i < 1u << (levels - k); i++)
      at[i] = node (m, k, at[2 * i], at[2 * i + 1]);
  return at[0];
}

/* Symbols of the `size` codes from `code` on, which are slots first..end-1. Halved until all codes are slots
 * or none is, since a code's rank takes longer than its symbol. */
static void list_symbols (const maker *m, uint64_t code, uint64_t size, uint64_t first, uint64_t end,
                          sd_symbol *sym) {
  if (end - first == size) {
    memcpy (sym, m->sym + first, size * sizeof *sym);
    return;
  }
  if (first == end) {
    for (uint64_t i = 0; i < size; i++)
      sym[i] = m->fill;
    return;
  }
  const uint64_t middle = rank_of (m, code + size / 2);
  list_symbols (m, code, size / 2, first, middle, sym);
  list_symbols (m, code + size / 2, size / 2, middle, end, sym + size / 2);
}

/* Node of level k for the codes from `code` on, which are slots first..end-1. */
static uint32_t make (maker *m, unsigned k, uint64_t code, uint64_t first, uint64_t end) {
  /* A range without a slot is one node, however large; of the codes of equal men many have none. */
  if (m->failed || first == end)
    return without_slots (m, k);
  const uint64_t size = UINT64_C (1) << k;
  if (k > CHUNK) {
    const uint64_t middle = rank_of (m, code + size / 2);
    const uint32_t lo = make (m, k - 1, code, first, middle),
                   hi = make (m, k - 1, code + size / 2, middle, end);
    return node (m, k, lo, hi);
  }
  /* Each code is a slot: the symbols stand in the sequence as they are. */
  if (end - first == size)
    return node_of_chunk (m, k, m->sym + first);
  sd_symbol sym[1u << CHUNK];
  list_symbols (m, code, size, first, end, sym);
  return node_of_chunk (m, k, sym);
}

/* ----------------------------------------------------------------------- parts */

/* Several for each thread, since those with few slots are soon done with; a small table is one part. */
static unsigned part_bits (unsigned vars) {
  const unsigned threads = sd_parts (UINT64_C (1) << vars);
  unsigned bits = 0;
  while (threads > 1 && 1u << bits < 4 * threads)
    bits++;
  return bits;
}

/* The 2^vars codes from `first` on; *root: their node. */
static int make_part (maker *m, unsigned vars, uint64_t first, uint32_t *root) {
  int st = SD_OK;
  m->memo = sd_alloc (UINT64_C (1) << MEMO_BITS, sizeof *m->memo);
  if (!m->memo)
    return SD_ENOMEM;
  for (unsigned i = 0; i < 1u << MEMO_BITS; i++)
    m->memo[i].node = UINT32_MAX;
  m->none[0] = m->fill;
  for (unsigned k = 1; k <= vars && !st; k++) {
    m->none[k] = UINT32_MAX;
    st = sd_obdd_pairs_reset (&m->level[k], 64);
  }
  if (!st)
    *root = make (m, vars, first, rank_of (m, first), rank_of (m, first + (UINT64_C (1) << vars)));
  free (m->memo);
  for (unsigned k = 1; k <= vars; k++)
    sd_obdd_pairs_done (&m->level[k]);
  return m->failed ? SD_ENOMEM : st;
}

static void parts_free (parts *p) {
  for (unsigned i = 0; p->maker && i < 1u << p->bits; i++)
    for (unsigned k = 1; k <= SD_OBDD_MAX_VARS; k++)
      sd_obdd_pairs_free (&p->maker[i].level[k]);
  free (p->maker);
  free (p->root);
}

/* Level k of all parts becomes one; edges of parts are numbers of their own lists, which begin at begin[part]
 * of number[]. Both become those of level k. */
static int join_level (const parts *p, unsigned k, uint64_t *begin, uint32_t **number, sd_obdd_level *out) {
  uint64_t n = 0;
  for (unsigned i = 0; i < 1u << p->bits; i++)
    n += p->maker[i].level[k].n;
  SD_OWNED sd_obdd_node *in = sd_alloc (n, sizeof *in);
  uint32_t *fresh = sd_alloc (n, sizeof *fresh);
  if (!in || !fresh) {
    free (fresh);
    return SD_ENOMEM;
  }
  n = 0;
  for (unsigned i = 0; i < 1u << p->bits; i++) {
    sd_obdd_pairs *own = &p->maker[i].level[k];
    const uint32_t *below = k > 1 ? *number + begin[i] : NULL; /* leaves are the same everywhere */
    begin[i] = n;
    for (uint32_t x = 0; x < own->n; x++, n++)
      in[n] = below ? (sd_obdd_node){ below[own->pair[x].lo], below[own->pair[x].hi] } : own->pair[x];
    sd_obdd_pairs_free (own);
  }
  free (*number);
  *number = fresh;
  return sd_obdd_number (in, n, fresh, out);
}

/* Parts of 2^low codes each become one diagram. In every level nodes are numbered as they come with rising
 * codes, so that it does not show how many parts there were. */
static int join (const parts *p, unsigned low, sd_obdd_plain *out) {
  const unsigned n = 1u << p->bits;
  SD_OWNED uint64_t *begin = sd_alloc0 (n, sizeof *begin);
  SD_OWNED uint32_t *number = NULL;
  if (!begin)
    return SD_ENOMEM;
  for (unsigned k = 1; k <= low; k++)
    SD_TRY (join_level (p, k, begin, &number, &out->level[k]));
  for (unsigned i = 0; i < n; i++)
    p->root[i] = number[begin[i] + p->root[i]];
  /* Above them neighbours are halves. */
  for (unsigned k = low + 1; k <= out->vars; k++) {
    const unsigned m = 1u << (out->vars - k);
    SD_OWNED sd_obdd_node *in = sd_alloc (m, sizeof *in);
    if (!in)
      return SD_ENOMEM;
    for (unsigned i = 0; i < m; i++)
      in[i] = (sd_obdd_node){ p->root[2 * i], p->root[2 * i + 1] };
    SD_TRY (sd_obdd_number (in, m, p->root, &out->level[k]));
  }
  out->root = p->root[0];
  return SD_OK;
}

/* The levels of m's diagram, by parts where there are threads to make several at once. */
static int make_all (const maker *m, unsigned vars, uint32_t leaves, sd_obdd_plain *out) {
  SD_RELEASED_BY (parts_free) parts p = { .bits = part_bits (vars) };
  const unsigned low = vars - p.bits;
  int status = SD_OK;

  *out = (sd_obdd_plain){ .vars = vars, .leaves = leaves };
  p.maker = sd_alloc0 (UINT64_C (1) << p.bits, sizeof *p.maker);
  p.root = sd_alloc (UINT64_C (1) << p.bits, sizeof *p.root);
  if (!p.maker || !p.root)
    return SD_ENOMEM;
  for (unsigned i = 0; i < 1u << p.bits; i++)
    p.maker[i] = *m;
#pragma omp parallel for schedule(dynamic) reduction(max : status) if (p.bits > 0)
  for (unsigned i = 0; i < 1u << p.bits; i++) {
    const int st = make_part (&p.maker[i], low, (uint64_t) i << low, &p.root[i]);
    status = st > status ? st : status;
  }
  SD_TRY (status);
  if (p.bits)
    return join (&p, low, out);
  for (unsigned k = 1; k <= vars; k++)
    sd_obdd_pairs_take (&p.maker->level[k], &out->level[k]);
  out->root = *p.root;
  return SD_OK;
}

int sd_obdd_plain_of_seq (const sd_obdd_vars *v, const sd_seq *s, sd_symbol fill, uint32_t leaves,
                          sd_obdd_plain *out) {
  SD_RELEASED_BY (ranks_free) ranks r = { 0 };
  SD_TRY (ranks_of (v, &r));
  const maker m = { .sym = s->sym, .ranks = &r, .fill = fill };
  return make_all (&m, v->n, leaves, out);
}

int sd_obdd_plain_of_table (unsigned vars, const sd_symbol *table, uint32_t leaves, sd_obdd_plain *out) {
  const maker m = { .sym = table };
  return make_all (&m, vars, leaves, out);
}
