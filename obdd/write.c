/** \file write.c
 * The stream of a diagram (docs/format.md, section 7.5), and how many bytes its parts take. */
#include "config.h"
#include "obdd/ef_internal.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>

uint64_t sd_obdd_level_bytes (uint64_t n, uint64_t below) {
  uint64_t number = 1; /* bytes of n - 1 as a varint */
  for (uint64_t rest = (n - 1) >> 7; rest; rest >>= 7)
    number++;
  return sd_ef_bytes (n, below * below) + number;
}

uint64_t sd_obdd_root_bytes (uint64_t n, uint64_t below) {
  return (n * sd_bits_for (below) + 7) / 8;
}

static void write_roots (const sd_obdd_diagram *d, uint32_t nodes, sd_buf *out) {
  const uint64_t n = UINT64_C (1) << (d->vars - d->top), bytes = sd_obdd_root_bytes (n, nodes);
  const unsigned width = sd_bits_for (nodes);
  uint8_t *bits = sd_alloc0 (bytes + 1, 1);
  if (!bits) {
    out->failed = true;
    return;
  }
  for (uint64_t i = 0; i < n; i++)
    for (unsigned b = 0; b < width; b++)
      if (d->root[i] >> b & 1)
        bits[(i * width + b) / 8] |= (uint8_t) (1u << (i * width + b) % 8);
  sd_buf_append (out, bits, bytes);
  free (bits);
}

static void write_level (const sd_obdd_level *l, uint64_t below, sd_buf *out) {
  uint64_t *key = sd_alloc (l->n, sizeof *key);
  if (!key) {
    out->failed = true;
    return;
  }
  for (uint32_t x = 0; x < l->n; x++)
    key[x] = l->node[x].lo * below + l->node[x].hi;
  sd_ef_write (key, l->n, below * below, out);
  free (key);
}

void sd_obdd_write (const sd_obdd_vars *v, const sd_obdd_diagram *d, sd_buf *out) {
  sd_obdd_vars_write (v, out);
  sd_buf_u8 (out, d->top);
  for (unsigned k = d->top; k > 0; k--)
    sd_buf_varint (out, d->level[k].n - 1);
  write_roots (d, d->top ? d->level[d->top].n : d->leaves, out);
  for (unsigned k = d->top; k > 0; k--)
    write_level (&d->level[k], k > 1 ? d->level[k - 1].n : d->leaves, out);
}
