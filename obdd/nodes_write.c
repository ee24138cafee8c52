/** \file nodes_write.c
 * Writing the levels of nodes_internal.h. */
#include "config.h"
#include "obdd/nodes_internal.h"

#include <stdlib.h>

void sd_put_number (uint8_t *p, uint64_t place, unsigned width, uint64_t x) {
  for (uint64_t bit = place * width; x; x >>= 1, bit++)
    p[bit / 8] |= (uint8_t) ((x & 1) << bit % 8);
}

uint64_t sd_nodes_bytes (sd_obdd_form form, uint64_t n, uint64_t below) {
  return form == SD_FORM_SORTED ? sd_ef_bytes (n, below * below)
                                : sd_kristensen.level_bytes (form == SD_FORM_IDEAL, n, below);
}

static void write_sorted (const sd_obdd_level *l, uint64_t below, sd_buf *out) {
  SD_OWNED uint64_t *key = sd_alloc (l->n, sizeof *key);
  if (!key) {
    out->failed = true;
    return;
  }
  for (uint32_t x = 0; x < l->n; x++)
    key[x] = l->node[x].lo * below + l->node[x].hi;
  sd_ef_write (key, l->n, below * below, out);
}

void sd_nodes_write (sd_obdd_form form, const sd_obdd_level *l, uint64_t below, sd_buf *out) {
  if (form == SD_FORM_SORTED)
    write_sorted (l, below, out);
  else
    sd_kristensen.write_level (form == SD_FORM_IDEAL, l, below, out);
}
