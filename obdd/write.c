/** \file write.c
 * The stream of a diagram (docs/format.md, section 7.5), and how many bytes its parts take. */
#include "config.h"
#include "obdd/nodes_internal.h"

#include <stdlib.h>

uint64_t sd_obdd_level_bytes (sd_obdd_form form, uint64_t n, uint64_t below) {
  uint64_t number = 1; /* bytes of n - 1 as a varint */
  for (uint64_t rest = (n - 1) >> 7; rest; rest >>= 7)
    number++;
  return sd_nodes_bytes (form, n, below) + number;
}

/* Each as wide as the number of the last node. */
static void write_roots (const sd_obdd_diagram *d, uint32_t nodes, sd_buf *out) {
  const uint64_t n = UINT64_C (1) << (d->vars - d->top), bytes = sd_obdd_root_bytes (n, nodes);
  const unsigned width = sd_bits_for (nodes);
  SD_OWNED uint8_t *bits = sd_alloc0 (bytes + 1, 1);
  if (!bits) {
    out->failed = true;
    return;
  }
  for (uint64_t i = 0; i < n; i++)
    sd_put_number (bits, i, width, d->root[i]);
  sd_buf_append (out, bits, bytes);
}

void sd_obdd_write (const sd_obdd_vars *v, const sd_obdd_diagram *d, sd_obdd_form form, sd_buf *out) {
  sd_obdd_vars_write (v, out);
  sd_buf_u8 (out, d->top | (unsigned) form << SD_OBDD_FORM);
  /* Numbers of nodes first: with them a reader knows the width of roots and edges. */
  for (unsigned k = d->top; k > 0; k--)
    sd_buf_varint (out, d->level[k].n - 1);
  write_roots (d, d->top ? d->level[d->top].n : d->leaves, out);
  for (unsigned k = d->top; k > 0; k--)
    sd_nodes_write (form, &d->level[k], k > 1 ? d->level[k - 1].n : d->leaves, out);
}
