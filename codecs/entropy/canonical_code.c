/** \file canonical_code.c
 * Canonical Huffman codes with a length limit.
 *
 * Lengths: package-merge (Larmore and Hirschberg 1990). Level 1 holds the leaves in order of weight; every
 * further level merges the leaves with packages of two neighbours of the level before. Of the last level the
 * first 2n - 2 items are bought; a leaf that is bought adds 1 to its length, a package buys its two parts one
 * level below. Items bought are always a prefix of a level, so one bit for each item (leaf or package) is all
 * that must be kept: O (n L) time, 2 n L bits. Optimal among all codes within the limit.
 *
 * Decoding: the limits of the left-aligned code space tell the length of a code. Used by the codecs huffman,
 * rle and repair. A reader gets the lengths alone: codes follow from them. */
#include "config.h"
#include "codecs/entropy/entropy.h"
#include "codecs/stream/stream.h"

#include <stdlib.h>
#include <string.h>

/* The sum, stuck at the top: weights near 2^64 lose their order but never wrap. */
static uint64_t add (uint64_t a, uint64_t b) {
  uint64_t sum;
  return sd_add (a, b, &sum) ? UINT64_MAX : sum;
}

/* Lengths of leaves[0..n-1], n >= 2, sorted by rank, which is their weight, n <= 2^levels; their number is
 * their symbol. weight: scratch of 4 n; is_leaf: 2 n * levels bytes. */
static void package_merge (const sd_ranked *leaves, size_t n, unsigned levels, uint64_t *weight,
                           uint8_t *is_leaf, uint8_t *length) {
  uint64_t *below = weight, *here = weight + 2 * n;
  size_t items = 0; /* of the level below */

  for (unsigned level = 0; level < levels; level++) {
    uint8_t *mark = is_leaf + level * 2 * n;
    size_t packages = items / 2, l = 0, p = 0;
    for (items = 0; l < n || p < packages; items++) {
      uint64_t package = p < packages ? add (below[2 * p], below[2 * p + 1]) : 0;
      /* The lighter one of the next leaf and the next package; of equal ones the leaf. */
      mark[items] = p == packages || (l < n && leaves[l].rank <= package);
      here[items] = mark[items] ? leaves[l].rank : package;
      l += mark[items];
      p += !mark[items];
    }

    uint64_t *swap = below;
    below = here;
    here = swap;
  }
  /* Back from the last level: what was bought there says how many packages are bought below. */
  size_t bought = 2 * n - 2;
  for (unsigned level = levels; level-- > 0 && bought > 0;) {
    const uint8_t *mark = is_leaf + level * 2 * n;
    size_t l = 0;
    for (size_t i = 0; i < bought; i++)
      l += mark[i];
    for (size_t i = 0; i < l; i++)
      length[leaves[i].number]++;
    bought = 2 * (bought - l);
  }
}

/* Symbols that never occur get length 0. A lone one gets a bit, since a code without bits could not be
 * counted. */
int sd_huffman_lengths (const uint64_t *freq, unsigned n, unsigned max_length, uint8_t *length) {
  if (max_length < 1 || max_length > SD_HUFFMAN_MAX_LENGTH || n > SD_HUFFMAN_MAX_SYMBOLS)
    return SD_EINVAL;
  memset (length, 0, n);
  SD_OWNED sd_ranked *leaves = sd_alloc (n, sizeof *leaves);
  if (!leaves)
    return SD_ENOMEM;

  size_t used = 0;
  for (unsigned i = 0; i < n; i++)
    if (freq[i])
      leaves[used++] = (sd_ranked){ freq[i], i };
  /* More symbols than there are codes of that length. */
  if (used > 1ull << max_length)
    return SD_ERANGE;
  if (used == 1)
    length[leaves[0].number] = 1;
  if (used < 2)
    return SD_OK;

  qsort (leaves, used, sizeof *leaves, sd_by_rank);
  unsigned levels = used - 1 < max_length ? (unsigned) used - 1 : max_length; /* no code needs more */
  SD_OWNED uint64_t *weight = sd_alloc (4 * used, sizeof *weight);
  SD_OWNED uint8_t *is_leaf = sd_alloc (2 * used, levels);
  if (!weight || !is_leaf)
    return SD_ENOMEM;
  package_merge (leaves, used, levels, weight, is_leaf, length);
  return SD_OK;
}

/* Kraft's sum in units of 2^-32, UINT64_MAX if a length is above the limit; *used = symbols with a code. */
static uint64_t kraft (const uint8_t *length, unsigned n, unsigned *used) {
  uint64_t sum = 0;
  *used = 0;
  for (unsigned i = 0; i < n; i++) {
    if (length[i] > SD_HUFFMAN_MAX_LENGTH)
      return UINT64_MAX;
    if (length[i]) {
      sum += 1ull << (SD_HUFFMAN_MAX_LENGTH - length[i]);
      ++*used;
    }
  }
  return sum;
}

/* May a decoder be built? Every bit string must lead to a symbol, but a lone symbol may own half of them. */
static bool decodable (const uint8_t *length, unsigned n) {
  unsigned used;
  uint64_t sum = kraft (length, n, &used);
  return sum == 1ull << 32 || (used == 1 && sum == 1ull << 31);
}

/* first[l] = code of the first symbol of length l, count[l] = how many there are. */
/* Codes of a length rise with their symbols, and shorter ones stand before longer ones, as the tops of a
 * tree: so the lengths say everything. */
static void first_codes (const uint8_t *length, unsigned n, uint64_t *first, uint32_t *count) {
  memset (count, 0, (SD_HUFFMAN_MAX_LENGTH + 1) * sizeof *count);
  for (unsigned i = 0; i < n; i++)
    count[length[i]]++;
  count[0] = 0;
  first[0] = 0;
  for (unsigned l = 1; l <= SD_HUFFMAN_MAX_LENGTH; l++)
    first[l] = (first[l - 1] + count[l - 1]) << 1;
}

int sd_huffman_codes (const uint8_t *length, unsigned n, uint32_t *code) {
  unsigned used;
  uint64_t next[SD_HUFFMAN_MAX_LENGTH + 1];
  uint32_t count[SD_HUFFMAN_MAX_LENGTH + 1];
  if (n > SD_HUFFMAN_MAX_SYMBOLS || kraft (length, n, &used) > 1ull << 32)
    return SD_EINVAL;
  first_codes (length, n, next, count);
  for (unsigned i = 0; i < n; i++)
    code[i] = length[i] ? (uint32_t) next[length[i]]++ : 0;
  return SD_OK;
}

void sd_huffman_put_lengths (const uint8_t *length, unsigned n, sd_buf *out) {
  sd_bitw w = { .out = out };
  for (unsigned i = 0; i < n; i++)
    sd_bitw_put (&w, length[i], 4);
  sd_bitw_flush (&w);
}

bool sd_huffman_get_lengths (sd_reader *r, unsigned n, uint8_t *length) {
  const uint8_t *p = sd_get_bytes (r, ((uint64_t) n + 1) / 2);
  for (unsigned i = 0; p && i < n; i++)
    length[i] = p[i / 2] >> (i % 2 ? 0 : 4) & 15;
  return p != NULL;
}

int sd_huffman_init (sd_huffman *h, const uint8_t *length, unsigned n) {
  *h = (sd_huffman){ 0 };
  if (n > SD_HUFFMAN_MAX_SYMBOLS || !decodable (length, n))
    return SD_EINVAL;

  uint64_t first[SD_HUFFMAN_MAX_LENGTH + 1];
  uint32_t count[SD_HUFFMAN_MAX_LENGTH + 1], place[SD_HUFFMAN_MAX_LENGTH + 1], used = 0;
  first_codes (length, n, first, count);
  for (unsigned l = 1; l <= SD_HUFFMAN_MAX_LENGTH; l++) {
    /* Left-aligned, codes of a length end where those of the next begin: bits below the limit have that
     * length. */
    h->limit[l] = (first[l] + count[l]) << (32 - l);
    h->offset[l] = used - first[l];
    place[l] = used;
    used += count[l];
    h->longest = count[l] ? l : h->longest;
  }

  for (unsigned l = h->longest; l <= SD_HUFFMAN_MAX_LENGTH; l++)
    h->limit[l] = 1ull << 32; /* changes something for a lone symbol only: all bits are its */

  h->symbol = sd_alloc (used + 1, sizeof *h->symbol); /* a lone symbol stands there for 0 and for 1 */
  if (!h->symbol)
    return SD_ENOMEM;
  for (unsigned i = 0; i < n; i++)
    if (length[i])
      h->symbol[place[length[i]]++] = (uint16_t) i;
  h->symbol[used] = h->symbol[used - 1];
  h->places = used + 1;
  return SD_OK;
}

void sd_huffman_clear (sd_huffman *h) {
  free (h->symbol);
  *h = (sd_huffman){ 0 };
}
