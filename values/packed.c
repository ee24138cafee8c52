/* The values of one side to move of an ending, packed, or numbers of what its slots hold or may hold: in each
 * block of slots few occur, and a slot takes the bits that tell these apart. DTM with 5 men takes about 0.7
 * bytes a slot so, and not two, and any slot is still read where it stands: subdefining and comparing need no
 * more of a large ending in memory. */
#include "config.h"
#include "values/values_internal.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK = SD_PACKED_BLOCK, SPILL = 4 /* bytes behind the last index that a read may touch */ };

/* Which values occur in a block: at[(uint16_t) value] is 1 + the place in palette[], or 0. */
typedef struct counted {
  uint16_t *at;
  sd_value *palette;
  unsigned n;
} counted;

static void count (const sd_value *v, uint64_t n, counted *c) {
  /* Only what the block before left is cleared. */
  for (unsigned k = 0; k < c->n; k++)
    c->at[(uint16_t) c->palette[k]] = 0;
  c->n = 0;
  for (uint64_t i = 0; i < n; i++)
    if (!c->at[(uint16_t) v[i]]) {
      c->palette[c->n++] = v[i];
      c->at[(uint16_t) v[i]] = (uint16_t) c->n;
    }
}

/* One piece of memory a block: the indices, and the palette in front of them. */
static int pack_block (const sd_value *v, uint64_t n, counted *c, sd_packed_block *out) {
  count (v, n, c);
  const unsigned bits = sd_bits_for (c->n);
  const size_t head = c->n * sizeof *c->palette;
  uint8_t *data = calloc (1, head + (n * bits + 7) / 8 + SPILL);
  if (!data)
    return SD_ENOMEM;
  memcpy (data, c->palette, head);
  for (uint64_t i = 0; i < n && bits; i++) {
    const uint64_t bit = i * bits;
    uint32_t word = (uint32_t) (c->at[(uint16_t) v[i]] - 1) << (bit & 7);
    for (uint8_t *to = data + head + (bit >> 3); word; word >>= 8)
      *to++ |= (uint8_t) word;
  }
  *out = (sd_packed_block){ .palette = (sd_value *) data, .index = data + head, .bits = bits };
  /* These values are what files are held against. */
  for (uint64_t i = 0; i < n; i++)
    if (sd_packed_block_at (out, i) != v[i])
      return SD_EDIFF;
  return SD_OK;
}

int sd_packed_frame (uint64_t n, sd_packed_side **out) {
  sd_packed_side *p = calloc (1, sizeof *p);
  if (!p || !(p->block = sd_alloc0 ((n + BLOCK - 1) / BLOCK, sizeof *p->block))) {
    free (p);
    return SD_ENOMEM;
  }
  p->n = n;
  *out = p;
  return SD_OK;
}

int sd_packed_put (sd_packed_side *p, uint64_t first, uint64_t n, const sd_value *v) {
  counted c = { .at = calloc (SD_MAP_NUMBERS, sizeof *c.at), .palette = malloc (BLOCK * sizeof *c.palette) };
  int st = c.at && c.palette ? SD_OK : SD_ENOMEM;
  for (uint64_t i = 0; i < n && st == SD_OK; i += BLOCK)
    st = pack_block (v + i, n - i < BLOCK ? n - i : BLOCK, &c, &p->block[(first + i) / BLOCK]);
  free (c.at);
  free (c.palette);
  return st;
}

void sd_packed_free (sd_packed_side *p) {
  if (!p)
    return;
  for (uint64_t b = 0; b < (p->n + BLOCK - 1) / BLOCK; b++)
    free (p->block[b].palette);
  free (p->block);
  free (p);
}

void sd_packed_read (const sd_packed_side *p, uint64_t first, uint64_t count, sd_value *out) {
  for (uint64_t i = 0; i < count;) {
    const sd_packed_block *b = &p->block[(first + i) / BLOCK];
    const uint64_t from = (first + i) % BLOCK, here = count - i < BLOCK - from ? count - i : BLOCK - from;
    for (uint64_t k = 0; k < here; k++)
      out[i + k] = sd_packed_block_at (b, from + k);
    i += here;
  }
}
