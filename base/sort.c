/* Sorting (base.h has what each function promises). */
#include "config.h"
#include "base/base.h"

#include <string.h>

int sd_by_rank (const void *a, const void *b) {
  const sd_ranked *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static void sort_few (uint64_t *key, size_t n) {
  for (size_t i = 1; i < n; i++) {
    const uint64_t x = key[i];
    size_t j = i;
    for (; j > 0 && key[j - 1] > x; j--)
      key[j] = key[j - 1];
    key[j] = x;
  }
}

/* In the order of one byte, equal ones as they came. */
static void sort_by_byte (const uint64_t *from, uint64_t *to, size_t n, unsigned shift) {
  size_t place[256] = { 0 }, sum = 0;
  for (size_t i = 0; i < n; i++)
    place[from[i] >> shift & 255]++;
  for (unsigned x = 0; x < 256; x++) {
    const size_t count = place[x];
    place[x] = sum;
    sum += count;
  }
  for (size_t i = 0; i < n; i++)
    to[place[from[i] >> shift & 255]++] = from[i];
}

/* From the lowest byte to the highest: each pass keeps the order of the last. */
void sd_sort_keys (uint64_t *key, uint64_t *room, size_t n) {
  uint64_t *from = key, *to = room, some = 0, all = UINT64_MAX;
  if (n < 48) {
    sort_few (key, n);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    some |= key[i];
    all &= key[i];
  }
  for (unsigned shift = 0; shift < 64; shift += 8)
    if ((some & ~all) >> shift & 255) {
      sort_by_byte (from, to, n, shift);
      uint64_t *other = from;
      from = to;
      to = other;
    }
  if (from != key)
    memcpy (key, from, n * sizeof *key);
}
