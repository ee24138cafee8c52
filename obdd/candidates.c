/** \file candidates.c
 * The candidates for new nodes that are listed at a time (cover.c): those that fit at least `least`
 * sub-tables.
 *
 * A level with few candidates has all of them listed. Otherwise they are looked at by parts, each the
 * candidates whose left nodes are in some range: first all are counted in a filter, 2 bits for each hash
 * value, then those are put into a hash table that more than one sub-table has (or that share a hash value),
 * then those are listed that fit `least` sub-tables, 2 at first. When there are too many, `least` rises.
 *
 * Memory while a part is looked at, on each thread: the filter, 1 to 2 bytes for each candidate of the part,
 * and about 24 bytes for each that passes it. */
#include "config.h"
#include "obdd/merge_internal.h"

#include <string.h>

#define MOST_PAIRS                                                                                           \
  (1u << 26) /* candidates looked at in a pass; sub-tables behind these wait for a later one */
#define LEAST_FEW (1u << 17)
#define MOST_FEW (1u << 20)

/* A place where a candidate of the part fits. */
typedef struct place {
  uint32_t candidate, item;
} place;

/* Sub-tables that are looked at, and in how many parts. */
typedef struct stretch {
  const sd_merger *m;
  uint32_t from, end;
  uint32_t parts;
  unsigned filter_bits; /* 0: no filter */
} stretch;

/* A part. */
typedef struct part {
  uint8_t *filter;    /* 2^filter_bits counters of 2 bits: 0, 1, more; NULL: all pass */
  sd_obdd_pairs seen; /* its candidates */
  place *place;
  uint64_t nplaces, cap_places;
  uint32_t *first; /* candidate x fits item[first[x]..first[x + 1] - 1] */
  uint32_t *item;
} part;

typedef struct lister {
  stretch s;
  sd_candidates *out;
  uint64_t cap_pairs, cap_starts, cap_items; /* of *out */
  size_t most;                               /* places listed */
  uint32_t passed;                           /* candidates that fit so many are passed over; 0: none are */
} lister;

static size_t between (size_t low, uint64_t x, size_t high) {
  return x < low ? low : x > high ? high : (size_t) x;
}

static bool takes_part (const sd_merger *m, uint32_t i) {
  return !m->hit[i] && m->item[i].lo && m->item[i].hi && sd_candidates_of (m, i) <= m->opt->pairs;
}

void sd_candidates_free (sd_candidates *c) {
  free (c->pair);
  free (c->start);
  free (c->item);
  *c = (sd_candidates){ 0 };
}

/* ---------------------------------------------------------------------- filter */

static uint64_t hash_of (uint32_t lo, uint32_t hi) {
  return ((uint64_t) lo << 32 | hi) * UINT64_C (0x9e3779b97f4a7c15);
}

static void count (part *p, unsigned bits, uint32_t lo, uint32_t hi) {
  const uint64_t x = hash_of (lo, hi) >> (64 - bits);
  /* Two bits a counter: none, one, more. More need not be told apart. */
  if ((p->filter[x / 4] >> x % 4 * 2 & 3) < 2)
    p->filter[x / 4] = (uint8_t) (p->filter[x / 4] + (1u << x % 4 * 2));
}

static bool is_shared (const part *p, unsigned bits, uint32_t lo, uint32_t hi) {
  if (!p->filter)
    return true;
  const uint64_t x = hash_of (lo, hi) >> (64 - bits);
  return (p->filter[x / 4] >> x % 4 * 2 & 3) == 2;
}

/* ------------------------------------------------------------------------ a part */

static void part_free (part *p) {
  sd_obdd_pairs_free (&p->seen);
  free (p->filter);
  free (p->place);
  free (p->first);
  free (p->item);
}

static int add_place (part *p, uint32_t lo, uint32_t hi, uint32_t item) {
  const uint32_t x = sd_obdd_pairs_add (&p->seen, lo, hi);
  if (x == UINT32_MAX)
    return SD_ENOMEM;
  if (!sd_grow (&p->place, &p->cap_places, p->nplaces + 1))
    return SD_ENOMEM;
  p->place[p->nplaces++] = (place){ x, item };
  return SD_OK;
}

/* All candidates of sub-table i with left nodes first..end-1: to the filter, or those that pass it to the
 * places. */
static int look_at (const stretch *s, part *p, uint32_t i, uint32_t first, uint32_t end, bool counting) {
  const sd_obdd_sets *below = s->m->below;
  const uint32_t a = s->m->item[i].lo, b = s->m->item[i].hi;
  const uint32_t begin_b = below->start[b], end_b = below->start[b + 1];

  /* Sets rise, so that the left nodes of the part stand side by side. */
  for (uint32_t j = sd_obdd_sets_from (below, a, first); j < below->start[a + 1]; j++) {
    const uint32_t lo = sd_obdd_sets_at (below, j);
    if (lo >= end)
      break;
    for (uint32_t k = begin_b; k < end_b; k++) {
      const uint32_t hi = sd_obdd_sets_at (below, k);
      if (counting)
        count (p, s->filter_bits, lo, hi);
      else if (is_shared (p, s->filter_bits, lo, hi))
        SD_TRY (add_place (p, lo, hi, i));
    }
  }
  return SD_OK;
}

static int look_at_all (const stretch *s, part *p, uint32_t number, bool counting) {
  const uint64_t nodes = s->m->nbelow;
  const uint32_t first = (uint32_t) (number * nodes / s->parts),
                 end = (uint32_t) ((number + 1) * nodes / s->parts);
  for (uint32_t i = s->from; i < s->end; i++)
    if (takes_part (s->m, i))
      SD_TRY (look_at (s, p, i, first, end, counting));
  return SD_OK;
}

/* Places in the order of the candidates, the sub-tables of each rising. */
static int sort_places (part *p) {
  const size_t n = p->seen.n;
  p->first = sd_alloc0 (n + 2, sizeof *p->first);
  p->item = sd_alloc (p->nplaces, sizeof *p->item);
  if (!p->first || !p->item)
    return SD_ENOMEM;
  /* Sorted by counting, shifted by two, since filling moves each begin on by one. */
  for (size_t e = 0; e < p->nplaces; e++)
    p->first[p->place[e].candidate + 2]++;
  for (size_t x = 2; x <= n; x++)
    p->first[x] += p->first[x - 1];
  for (size_t e = 0; e < p->nplaces; e++)
    p->item[p->first[p->place[e].candidate + 1]++] = p->place[e].item;
  return SD_OK;
}

/* *p, which may have been another part before, becomes part `number`. */
static int find_part (const stretch *s, part *p, uint32_t number) {
  p->nplaces = 0;
  p->seen.n = 0;
  SD_TRY (sd_obdd_pairs_reset (&p->seen, 1024));
  if (s->filter_bits) {
    const size_t bytes = (size_t) 1 << (s->filter_bits - 2);
    if (!p->filter && !(p->filter = sd_alloc (bytes, 1)))
      return SD_ENOMEM;
    memset (p->filter, 0, bytes);
    /* Two rounds: the filter is made of all candidates of the part before any is put into the table. */
    SD_TRY (look_at_all (s, p, number, true));
  }
  SD_TRY (look_at_all (s, p, number, false));
  free (p->first);
  free (p->item);
  p->first = NULL;
  p->item = NULL;
  return sort_places (p);
}

/* ---------------------------------------------------------------------- the list */

/* Room for a candidate that fits `fits` sub-tables: those that fit the fewest go. false: all listed ones are
 * equally good, and as good as it is or better. */
static bool raise_least (sd_candidates *c, uint32_t fits) {
  uint32_t low = UINT32_MAX, high = fits, n = 0, places = 0;
  /* The least degree among those listed, and the greatest with the new one: if they are equal nobody
   * can go. */
  for (uint32_t x = 0; x < c->n; x++) {
    const uint32_t degree = c->start[x + 1] - c->start[x];
    low = degree < low ? degree : low;
    high = degree > high ? degree : high;
  }
  if (low >= high) {
    c->least = low;
    return false;
  }
  /* All of the least degree go at once, and none of that degree is listed any more. */
  c->least = low + 1;
  for (uint32_t x = 0; x < c->n; x++) {
    const uint32_t from = c->start[x], degree = c->start[x + 1] - from;
    if (degree <= low)
      continue;
    memmove (c->item + places, c->item + from, degree * sizeof *c->item);
    c->pair[n] = c->pair[x];
    c->start[n++] = places;
    places += degree;
  }
  c->n = n;
  c->start[n] = places;
  return true;
}

/* For one more candidate and so many places. */
static bool make_room (lister *l, uint32_t places) {
  sd_candidates *c = l->out;
  const uint64_t need = c->n + UINT64_C (2);
  if (!sd_grow (&c->pair, &l->cap_pairs, need) || !sd_grow (&c->start, &l->cap_starts, need))
    return false;
  if (c->n == 0)
    c->start[0] = 0;
  return sd_grow (&c->item, &l->cap_items, c->start[c->n] + (uint64_t) places);
}

/* Candidates of the part, in the order in which they came. When the list is full of equally good ones, the
 * others of that degree are passed over, and what comes later is still looked at: it may be better. */
static int list_part (lister *l, const part *p) {
  sd_candidates *c = l->out;
  for (uint32_t x = 0; x < p->seen.n; x++) {
    const uint32_t degree = p->first[x + 1] - p->first[x];
    /* No room for its places: worse ones make it, as long as there are any. */
    while (degree > l->passed && degree >= c->least && c->n && c->start[c->n] + degree > l->most)
      if (!raise_least (c, degree))
        l->passed = c->least;
    if (degree < c->least || degree <= l->passed)
      continue;
    if (!make_room (l, degree))
      return SD_ENOMEM;
    memcpy (c->item + c->start[c->n], p->item + p->first[x], degree * sizeof *c->item);
    c->pair[c->n++] = p->seen.pair[x];
    c->start[c->n] = c->start[c->n - 1] + degree;
  }
  return SD_OK;
}

/* How many sub-tables, in how many parts, and the filter. */
static void plan (lister *l) {
  stretch *s = &l->s;
  const sd_merger *m = s->m;
  const uint64_t slots = m->opt->slots;
  uint64_t pairs = 0;

  /* A stretch of sub-tables with about MOST_PAIRS pairs: the rest waits for another pass. */
  for (s->end = s->from; s->end < m->nitems && pairs < MOST_PAIRS; s->end++)
    if (takes_part (m, s->end))
      pairs += sd_candidates_of (m, s->end);
  /* Few pairs are all listed, even those that fit one sub-table only, without a filter. */
  s->parts = 1;
  l->most = between (LEAST_FEW, slots / 4, MOST_PAIRS);
  l->out->least = 1;
  if (pairs <= between (LEAST_FEW, slots / 4, MOST_FEW))
    return;
  /* Parts are cut by left nodes, of which each part needs one at least. */
  const uint64_t in_part = between (LEAST_FEW, slots / 8, MOST_FEW);
  l->out->least = 2;
  s->parts = (uint32_t) ((pairs + in_part - 1) / in_part);
  if (s->parts > m->nbelow)
    s->parts = m->nbelow;
  s->filter_bits = 12;
  /* Four counters for each candidate, so that few pass the filter only for sharing a hash value. */
  while ((UINT64_C (1) << s->filter_bits) < 4 * pairs / s->parts)
    s->filter_bits++;
}

/* Parts are looked for on all threads and listed in their order. */
static int list_parts (lister *l) {
  int status = SD_OK;
#pragma omp parallel if (l->s.parts > 1)
  {
    SD_RELEASED_BY (part_free) part p = { 0 };
#pragma omp for ordered schedule(static, 1)
    for (uint32_t number = 0; number < l->s.parts; number++) {
      const int st = find_part (&l->s, &p, number);
#pragma omp ordered
      if (status == SD_OK)
        status = st == SD_OK ? list_part (l, &p) : st;
    }
  }
  return status;
}

int sd_candidates_list (const sd_merger *m, uint32_t from, sd_candidates *out) {
  lister l = { .s = { .m = m, .from = from }, .out = out };
  *out = (sd_candidates){ 0 };
  plan (&l);
  const uint32_t least = out->least;
  const int st = list_parts (&l);
  /* Something was left out for want of room: cover.c asks again when these have been used up. */
  out->more = out->least > least || l.passed;
  out->end = l.s.end;
  return st;
}
