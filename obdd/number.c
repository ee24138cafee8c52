/** \file number.c
 * The different pairs of an array, numbered in the order in which they come; many of them on all threads.
 *
 * Many pairs are divided into parts by their hash values, so that equal ones are in one part. In each part a
 * hash table finds for every pair the place of the first that is equal. Counting these first places then
 * numbers them. Neither the parts nor the threads show in the numbers.
 *
 * Memory, beside what the caller holds: of few pairs at most 2 MB; of many 4 bytes a pair, and for each
 * thread 8 to 16 for each different pair of a part, of which there are about 2^PART_BITS up to 2^24 pairs. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

#define PART_BITS 14       /* a part has about so many pairs, as a power of 2 */
#define MOST_PARTS_BITS 10 /* powers of 2, too */
#define CHUNK (1u << 15)   /* pairs that a thread takes at a time */
#define FEW (1u << 17)     /* pairs that one thread is done with before others would have started */

typedef struct numbering {
  const sd_obdd_node *in;
  uint64_t n;
  unsigned bits;    /* 2^bits parts */
  uint32_t chunks;  /* of CHUNK pairs */
  uint32_t *start;  /* [2^bits][chunks], then one more: where each chunk's pairs of a part begin in place[] */
  uint32_t *place;  /* [n] part after part, places rising; then the numbers of first places */
  uint32_t *number; /* [n] the first equal place; then the number */
  uint32_t *firsts; /* [chunks + 1] first places before a chunk */
} numbering;

static uint64_t hash_of (sd_obdd_node x) {
  const uint64_t h = ((uint64_t) x.lo << 32 | x.hi) * UINT64_C (0x9e3779b97f4a7c15);
  return h ^ h >> 32;
}

static uint32_t part_of (const numbering *s, uint64_t hash) {
  return (uint32_t) (hash >> (64 - s->bits));
}

static uint64_t end_of (const numbering *s, uint32_t chunk) {
  const uint64_t end = ((uint64_t) chunk + 1) * CHUNK;
  return end < s->n ? end : s->n;
}

/* How many pairs of each part a chunk has. */
static void count_chunk (const numbering *s, uint32_t chunk) {
  for (uint64_t i = (uint64_t) chunk * CHUNK; i < end_of (s, chunk); i++)
    s->start[(uint64_t) part_of (s, hash_of (s->in[i])) * s->chunks + chunk]++;
}

static void scatter_chunk (const numbering *s, uint32_t chunk) {
  uint32_t at[1u << MOST_PARTS_BITS];
  for (uint32_t part = 0; part < 1u << s->bits; part++)
    at[part] = s->start[(uint64_t) part * s->chunks + chunk];
  for (uint64_t i = (uint64_t) chunk * CHUNK; i < end_of (s, chunk); i++)
    s->place[at[part_of (s, hash_of (s->in[i]))]++] = (uint32_t) i;
}

/* ------------------------------------------------------------------ first places */

/* First places by hash value, plus 1; 0: empty. */
typedef struct table {
  uint32_t *slot; /* [mask + 1 of cap] */
  size_t mask, cap, used;
} table;

static bool make_table (table *t, size_t slots) {
  if (slots > t->cap) {
    free (t->slot);
    t->cap = (t->slot = sd_alloc (slots, sizeof *t->slot)) ? slots : 0;
  }
  if (!t->slot)
    return false;
  memset (t->slot, 0, slots * sizeof *t->slot);
  t->mask = slots - 1;
  t->used = 0;
  return true;
}

static uint32_t *slot_of (const numbering *s, const table *t, sd_obdd_node x) {
  size_t h = (size_t) hash_of (x) & t->mask;
  while (t->slot[h] && (s->in[t->slot[h] - 1].lo != x.lo || s->in[t->slot[h] - 1].hi != x.hi))
    h = (h + 1) & t->mask;
  return &t->slot[h];
}

/* Twice as large, with all that it has. */
static bool grow (const numbering *s, table *t) {
  table more = { 0 };
  if (!make_table (&more, 2 * (t->mask + 1)))
    return false;
  for (size_t h = 0; h <= t->mask; h++)
    if (t->slot[h])
      *slot_of (s, &more, s->in[t->slot[h] - 1]) = t->slot[h];
  more.used = t->used;
  free (t->slot);
  *t = more;
  return true;
}

/* number[i] = the first place of a pair that is equal to pair i, for all of a part. Different pairs may be
 * few, however large the part: the table grows with them. */
static bool find_firsts (const numbering *s, uint32_t part, table *t) {
  const uint32_t from = s->start[(uint64_t) part * s->chunks],
                 end = s->start[((uint64_t) part + 1) * s->chunks];
  size_t slots = 64;
  while (slots < end - from && slots < UINT32_C (1) << PART_BITS)
    slots *= 2;
  if (!make_table (t, slots))
    return false;
  for (uint32_t k = from; k < end; k++) {
    const uint32_t i = s->place[k];
    uint32_t *first = slot_of (s, t, s->in[i]);
    if (!*first) {
      *first = i + 1;
      if (2 * ++t->used > t->mask && !grow (s, t))
        return false;
      s->number[i] = i;
    } else
      s->number[i] = *first - 1;
  }
  return true;
}

/* ---------------------------------------------------------------------- all steps */

/* Counts become beginnings: parts one after the other, in each its chunks. */
static void begin_parts (const numbering *s) {
  const uint64_t n = (uint64_t) s->chunks << s->bits;
  uint32_t sum = 0;
  for (uint64_t i = 0; i <= n; i++) {
    const uint32_t here = i < n ? s->start[i] : 0;
    s->start[i] = sum;
    sum += here;
  }
}

static void count_firsts (const numbering *s, uint32_t chunk) {
  uint32_t n = 0;
  for (uint64_t i = (uint64_t) chunk * CHUNK; i < end_of (s, chunk); i++)
    n += s->number[i] == i;
  s->firsts[chunk + 1] = n;
}

/* First places get their numbers, and their pairs go to the list. */
static void list_firsts (const numbering *s, uint32_t chunk, sd_obdd_node *list) {
  uint32_t n = s->firsts[chunk];
  for (uint64_t i = (uint64_t) chunk * CHUNK; i < end_of (s, chunk); i++)
    if (s->number[i] == i) {
      s->place[i] = n;
      list[n++] = s->in[i];
    }
}

/* In one parallel region, since beginning one within another starts its threads anew. */
static int number_all (numbering *s, sd_obdd_level *out) {
  sd_obdd_node *list = NULL;
  bool ok = true;
#pragma omp parallel
  {
    table t = { 0 };
#pragma omp for
    for (uint32_t c = 0; c < s->chunks; c++)
      count_chunk (s, c);
#pragma omp single
    begin_parts (s);
#pragma omp for
    for (uint32_t c = 0; c < s->chunks; c++)
      scatter_chunk (s, c);
#pragma omp for schedule(dynamic)
    for (uint32_t part = 0; part < 1u << s->bits; part++)
      if (!find_firsts (s, part, &t))
#pragma omp atomic write
        ok = false;
    free (t.slot);
#pragma omp for
    for (uint32_t c = 0; c < s->chunks; c++)
      if (ok)
        count_firsts (s, c);
#pragma omp single
    {
      for (uint32_t c = 0; c < s->chunks; c++)
        s->firsts[c + 1] += s->firsts[c];
      list = ok ? sd_alloc (s->firsts[s->chunks], sizeof *list) : NULL;
    }
    if (list) {
#pragma omp for
      for (uint32_t c = 0; c < s->chunks; c++)
        list_firsts (s, c, list);
#pragma omp for
      for (uint64_t i = 0; i < s->n; i++)
        s->number[i] = s->place[s->number[i]];
    }
  }
  if (!list)
    return SD_ENOMEM;
  *out = (sd_obdd_level){ s->firsts[s->chunks], list };
  return SD_OK;
}

/* One after the other, in one pass. */
static int number_few (const sd_obdd_node *in, uint64_t n, uint32_t *number, sd_obdd_level *out) {
  SD_RELEASED_BY (sd_obdd_pairs_free) sd_obdd_pairs pairs = { 0 };
  SD_TRY (sd_obdd_pairs_reset (&pairs, n));
  for (uint64_t i = 0; i < n; i++)
    if ((number[i] = sd_obdd_pairs_add (&pairs, in[i].lo, in[i].hi)) == UINT32_MAX)
      return SD_ENOMEM;
  sd_obdd_pairs_take (&pairs, out);
  return SD_OK;
}

int sd_obdd_number (const sd_obdd_node *in, uint64_t n, uint32_t *number, sd_obdd_level *out) {
  if (n >= UINT32_MAX) /* places have 32 bits */
    return SD_ENOMEM;
  if (n < FEW)
    return number_few (in, n, number, out);
  numbering s = { .in = in, .n = n, .number = number, .chunks = (uint32_t) ((n + CHUNK - 1) / CHUNK) };
  while (s.bits < MOST_PARTS_BITS && n >> s.bits > UINT64_C (1) << PART_BITS)
    s.bits++;
  SD_OWNED uint32_t *start = s.start = sd_alloc0 (((uint64_t) s.chunks << s.bits) + 1, sizeof *start);
  SD_OWNED uint32_t *place = s.place = sd_alloc (n, sizeof *place);
  SD_OWNED uint32_t *firsts = s.firsts = sd_alloc0 (s.chunks + UINT64_C (1), sizeof *firsts);
  return start && place && firsts ? number_all (&s, out) : SD_ENOMEM;
}
