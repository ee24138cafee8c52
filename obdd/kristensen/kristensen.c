/** \file kristensen.c
 * What Kristensen 2005 does otherwise, to compare sizes with (papers/obdd): the bits of the pieces
 * interleaved, levels with edges. The stream says how it is stored, and is read as any other (nodes.c). */
#include "config.h"
#include "obdd/kristensen/kristensen_internal.h"

#include <stdlib.h>
#include <string.h>

/* Each number inside a digit counts as a digit here. */
static void interleave (sd_obdd_vars *v) {
  struct {
    unsigned first, bits;
  } part[SD_OBDD_MAX_VARS];
  unsigned parts = 0, first = 0, k = v->n, most = 0;
  for (unsigned d = 0; d < v->ndigits; d++)
    for (unsigned c = 0; c < v->digit[d].count; c++) {
      unsigned bits = v->digit[d].bits / v->digit[d].count;
      if (bits == 0)
        continue;
      part[parts].first = first;
      part[parts++].bits = bits;
      first += bits;
      most = bits > most ? bits : most;
    }
  /* The highest bits of all numbers first, from the root down; digits with fewer bits come in later. */
  for (unsigned b = most; b-- > 0;)
    for (unsigned p = 0; p < parts; p++)
      if (b < part[p].bits)
        v->sum[--k] = UINT64_C (1) << (part[p].first + part[p].bits - 1 - b);
}

/* ------------------------------------------------------------------- levels */

static uint64_t level_bytes (bool ideal, uint64_t n, uint64_t below) {
  /* Of ideal nodes one edge is left; at most as many nodes are ideal as pairs of neighbours stand below. */
  return sd_obdd_root_bytes (2 * n - (!ideal ? 0 : n < below ? n : below - 1), below);
}

static bool is_same (sd_obdd_node x) {
  return x.lo == x.hi;
}
static bool is_ideal (sd_obdd_node x) {
  return x.hi == x.lo + UINT64_C (1);
}

/* Numbers that begin the kinds of an ideal level: as many nodes as may be go without a flag. */
static void divide (const sd_obdd_level *l, uint32_t *same, uint32_t *flagged, uint32_t *full) {
  *same = 0;
  while (*same < l->n && is_same (l->node[*same]))
    ++*same;
  *flagged = *same;
  while (*flagged < l->n && is_ideal (l->node[*flagged]))
    ++*flagged;
  *full = l->n;
  while (*full > *flagged && !is_ideal (l->node[*full - 1]))
    --*full;
}

static void write_level (bool ideal, const sd_obdd_level *l, uint64_t below, sd_buf *out) {
  uint32_t same = 0, flagged = 0, full = 0;
  if (ideal) {
    divide (l, &same, &flagged, &full);
    /* How many nodes of each kind there are; the order of the kinds is fixed (nodes_internal.h). */
    sd_buf_varint (out, same);
    sd_buf_varint (out, flagged - same);
    sd_buf_varint (out, full - flagged);
  }
  const uint64_t flags = (full - flagged + UINT64_C (7)) / 8,
                 most = sd_obdd_root_bytes (2 * (uint64_t) l->n, below);
  const unsigned width = sd_bits_for (below);
  SD_OWNED uint8_t *bits = sd_alloc0 (flags + most + 1, 1);
  if (!bits) {
    out->failed = true;
    return;
  }
  uint64_t place = 0;
  for (uint32_t x = 0; x < l->n; x++) {
    /* Only in the mixed stretch each node says whether its right edge follows. */
    const bool flag = x >= flagged && x < full && is_ideal (l->node[x]);
    if (flag)
      sd_put_number (bits, x - flagged, 1, 1);
    sd_put_number (bits + flags, place++, width, l->node[x].lo);
    if (x >= flagged && !flag)
      sd_put_number (bits + flags, place++, width, l->node[x].hi);
  }
  sd_buf_append (out, bits, flags + sd_obdd_root_bytes (place, below));
}

const sd_comparison sd_kristensen = { .interleave = interleave,
                              .merge_from_root = sd_kristensen_merge_from_root,
                              .level_bytes = level_bytes,
                              .order_ideal = sd_kristensen_order_ideal,
                              .write_level = write_level };
