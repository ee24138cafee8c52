/** \file candidates.c
 * The candidates for new nodes that are listed at a time (cover.c): those that fit at least `least`
 * sub-tables.
 *
 * A level with few candidates has all of them listed. Otherwise they are looked at by parts, each the
 * candidates whose left nodes are in some range: first all are counted in a filter, 2 bits for each hash
 * value, then those are put into a hash table that more than one sub-table has (or that share a hash value),
 * then those are listed that fit `least` sub-tables, 2 at first. When there are too many, `least` rises.
 *
 * Memory while a part is looked at: the filter, 1 to 2 bytes for each candidate of the part, and about 24
 * bytes for each that passes it. */
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

typedef struct lister {
  const sd_merger *m;
  sd_candidates *out;
  uint32_t from, end; /* sub-tables that are looked at */
  uint32_t parts;
  size_t most;     /* places listed */
  uint8_t *filter; /* 2^filter_bits counters of 2 bits: 0, 1, more; NULL: all pass */
  unsigned filter_bits;
  sd_obdd_pairs seen; /* candidates of the part */
  place *place;
  uint64_t nplaces, cap_places, cap_pairs, cap_starts, cap_items; /* the last three of *out */
  uint32_t *first; /* candidate x of the part fits item[first[x]..first[x + 1] - 1] */
  uint32_t *item;
  uint32_t passed; /* candidates that fit so many are passed over; 0: none are */
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

static void count (lister *l, uint32_t lo, uint32_t hi) {
  const uint64_t x = hash_of (lo, hi) >> (64 - l->filter_bits);
  /* Two bits a counter: none, one, more. More need not be told apart. */
  if ((l->filter[x / 4] >> x % 4 * 2 & 3) < 2)
    l->filter[x / 4] = (uint8_t) (l->filter[x / 4] + (1u << x % 4 * 2));
}

static bool is_shared (const lister *l, uint32_t lo, uint32_t hi) {
  if (!l->filter)
    return true;
  const uint64_t x = hash_of (lo, hi) >> (64 - l->filter_bits);
  return (l->filter[x / 4] >> x % 4 * 2 & 3) == 2;
}

/* ------------------------------------------------------------------------ a part */

static int add_place (lister *l, uint32_t lo, uint32_t hi, uint32_t item) {
  const uint32_t x = sd_obdd_pairs_add (&l->seen, lo, hi);
  if (x == UINT32_MAX)
    return SD_ENOMEM;
  if (!sd_grow (&l->place, &l->cap_places, l->nplaces + 1))
    return SD_ENOMEM;
  l->place[l->nplaces++] = (place){ x, item };
  return SD_OK;
}

/* All candidates of sub-table i with left nodes first..end-1: to the filter, or those that pass it to the
 * places. */
static int look_at (lister *l, uint32_t i, uint32_t first, uint32_t end, bool counting) {
  const sd_obdd_sets *below = l->m->below;
  const uint32_t a = l->m->item[i].lo, b = l->m->item[i].hi;
  const uint32_t begin_b = below->start[b], end_b = below->start[b + 1];

  /* Sets rise, so that the left nodes of the part stand side by side. */
  for (uint32_t j = sd_obdd_sets_from (below, a, first); j < below->start[a + 1]; j++) {
    const uint32_t lo = sd_obdd_sets_at (below, j);
    if (lo >= end)
      break;
    for (uint32_t k = begin_b; k < end_b; k++) {
      const uint32_t hi = sd_obdd_sets_at (below, k);
      if (counting)
        count (l, lo, hi);
      else if (is_shared (l, lo, hi))
        SD_TRY (add_place (l, lo, hi, i));
    }
  }
  return SD_OK;
}

static int look_at_all (lister *l, uint32_t part, bool counting) {
  const uint64_t nodes = l->m->nbelow;
  const uint32_t first = (uint32_t) (part * nodes / l->parts),
                 end = (uint32_t) ((part + 1) * nodes / l->parts);
  for (uint32_t i = l->from; i < l->end; i++)
    if (takes_part (l->m, i))
      SD_TRY (look_at (l, i, first, end, counting));
  return SD_OK;
}

/* Places in the order of the candidates, the sub-tables of each rising. */
static int sort_places (lister *l) {
  const size_t n = l->seen.n;
  l->first = sd_alloc0 (n + 2, sizeof *l->first);
  l->item = sd_alloc (l->nplaces, sizeof *l->item);
  if (!l->first || !l->item)
    return SD_ENOMEM;
  /* Sorted by counting, shifted by two, since filling moves each begin on by one. */
  for (size_t e = 0; e < l->nplaces; e++)
    l->first[l->place[e].candidate + 2]++;
  for (size_t x = 2; x <= n; x++)
    l->first[x] += l->first[x - 1];
  for (size_t e = 0; e < l->nplaces; e++)
    l->item[l->first[l->place[e].candidate + 1]++] = l->place[e].item;
  return SD_OK;
}

static int find_part (lister *l, uint32_t part) {
  l->nplaces = 0;
  l->seen.n = 0;
  SD_TRY (sd_obdd_pairs_reset (&l->seen, 1024));
  /* Two rounds: the filter is made of all candidates of the part before any is put into the table. */
  if (l->filter) {
    memset (l->filter, 0, (size_t) 1 << (l->filter_bits - 2));
    SD_TRY (look_at_all (l, part, true));
  }
  SD_TRY (look_at_all (l, part, false));
  free (l->first);
  free (l->item);
  l->first = NULL;
  l->item = NULL;
  return sort_places (l);
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
static int list_part (lister *l) {
  sd_candidates *c = l->out;
  for (uint32_t x = 0; x < l->seen.n; x++) {
    const uint32_t degree = l->first[x + 1] - l->first[x];
    /* No room for its places: worse ones make it, as long as there are any. */
    while (degree > l->passed && degree >= c->least && c->n && c->start[c->n] + degree > l->most)
      if (!raise_least (c, degree))
        l->passed = c->least;
    if (degree < c->least || degree <= l->passed)
      continue;
    if (!make_room (l, degree))
      return SD_ENOMEM;
    memcpy (c->item + c->start[c->n], l->item + l->first[x], degree * sizeof *c->item);
    c->pair[c->n++] = l->seen.pair[x];
    c->start[c->n] = c->start[c->n - 1] + degree;
  }
  return SD_OK;
}

/* How many parts, and the filter. */
static int plan (lister *l) {
  const sd_merger *m = l->m;
  const uint64_t slots = m->opt->slots;
  uint64_t pairs = 0;

  /* A stretch of sub-tables with about MOST_PAIRS pairs: the rest waits for another pass. */
  for (l->end = l->from; l->end < m->nitems && pairs < MOST_PAIRS; l->end++)
    if (takes_part (m, l->end))
      pairs += sd_candidates_of (m, l->end);
  /* Few pairs are all listed, even those that fit one sub-table only, without a filter. */
  l->parts = 1;
  l->most = between (LEAST_FEW, slots / 4, MOST_PAIRS);
  l->out->least = 1;
  if (pairs <= between (LEAST_FEW, slots / 4, MOST_FEW))
    return SD_OK;
  /* Parts are cut by left nodes, of which each part needs one at least. */
  const uint64_t in_part = between (LEAST_FEW, slots / 8, MOST_FEW);
  l->out->least = 2;
  l->parts = (uint32_t) ((pairs + in_part - 1) / in_part);
  if (l->parts > m->nbelow)
    l->parts = m->nbelow;
  l->filter_bits = 12;
  /* Four counters for each candidate, so that few pass the filter only for sharing a hash value. */
  while ((UINT64_C (1) << l->filter_bits) < 4 * pairs / l->parts)
    l->filter_bits++;
  l->filter = sd_alloc ((UINT64_C (1) << l->filter_bits) / 4, 1);
  return l->filter ? SD_OK : SD_ENOMEM;
}

int sd_candidates_list (const sd_merger *m, uint32_t from, sd_candidates *out) {
  lister l = { .m = m, .out = out, .from = from };
  *out = (sd_candidates){ 0 };
  int st = plan (&l);
  const uint32_t least = out->least;
  for (uint32_t part = 0; part < l.parts && !st; part++) {
    st = find_part (&l, part);
    if (!st)
      st = list_part (&l);
  }
  /* Something was left out for want of room: cover.c asks again when these have been used up. */
  out->more = out->least > least || l.passed;
  out->end = l.end;
  sd_obdd_pairs_free (&l.seen);
  free (l.filter);
  free (l.place);
  free (l.first);
  free (l.item);
  return st;
}
