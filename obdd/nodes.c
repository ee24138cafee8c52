/** \file nodes.c
 * Opening the levels of nodes_internal.h, and lookups in those with edges, which kristensen/
 * writes. */
#include "config.h"
#include "obdd/nodes_internal.h"

#include <stdlib.h>

uint64_t sd_obdd_root_bytes (uint64_t n, uint64_t below) {
  return (n * sd_bits_for (below) + 7) / 8;
}

/* ------------------------------------------------------------------- lookups */

static bool flag_at (const sd_nodes *s, uint64_t i) {
  return s->flag[i / 8] >> i % 8 & 1;
}
static uint64_t edge_at (const sd_nodes *s, uint64_t place) {
  return sd_number_at (s->edge, s->end, place, s->width);
}

/* Each node takes a place, and those with both edges one more. */
uint64_t sd_nodes_edge (const sd_nodes *s, uint64_t x, unsigned bit) {
  /* One edge: the right one is the same or, behind `same`, the next node. */
  if (x < s->flagged)
    return edge_at (s, x) + (bit && x >= s->same);
  /* Two edges each; before them `halves` nodes had one. */
  if (x >= s->full)
    return edge_at (s, 2 * x - s->halves + bit);
  const uint64_t i = x - s->flagged, word = sd_ef_word (s->flag + i / 64 * 8, s->end);
  /* Flags before this node, by steps of 64 and a count of bits. */
  const uint64_t ones =
      s->rank[i / 64] + (unsigned) __builtin_popcountll (word & ((UINT64_C (1) << i % 64) - 1));
  const unsigned ideal = word >> i % 64 & 1;
  return edge_at (s, x + i - ones + (bit & !ideal)) + (bit & ideal);
}

sd_obdd_node sd_nodes_next_edges (sd_nodes_cursor *c) {
  const sd_nodes *s = c->s;
  const uint64_t x = c->x++, left = edge_at (s, c->place++);
  uint64_t right = left;
  if (x >= s->full || (x >= s->flagged && !flag_at (s, x - s->flagged)))
    right = edge_at (s, c->place++);
  else if (x >= s->same)
    right++;
  return (sd_obdd_node){ (uint32_t) left, (uint32_t) right };
}

/* ------------------------------------------------------------------- opening */

/* The pairs as one rising sequence of numbers left * below + right. */
static const char *open_sorted (sd_nodes *s, sd_reader *r) {
  const uint64_t pairs = s->below * s->below;
  const uint8_t *at = sd_get_bytes (r, sd_ef_bytes (s->n, pairs));
  s->inverse = sd_obdd_inverse (s->below);
  if (!at)
    return "the stream ends before its nodes";
  return sd_ef_open (&s->rising, at, r->end, s->n, pairs)
             ? "its nodes are not different pairs in rising order"
             : NULL;
}

/* `n` numbers of `width` bits; the rest of the last byte must be zero. */
static const uint8_t *numbers (sd_reader *r, uint64_t n, unsigned width) {
  const uint64_t bits = n * width;
  const uint8_t *at = sd_get_bytes (r, (bits + 7) / 8);
  return at && (bits % 8 == 0 || at[bits / 8] >> bits % 8 == 0) ? at : NULL;
}

static const char *open_kinds (sd_nodes *s, sd_reader *r) {
  const uint64_t same = sd_get_varint (r), ideal = sd_get_varint (r), flagged = sd_get_varint (r);
  /* Each number is compared with what is left, so that none can wrap around. */
  if (r->bad || same > s->n || ideal > s->n - same || flagged > s->n - same - ideal)
    return "more nodes without their right edge than there are nodes";
  s->same = same;
  s->flagged = s->halves = same + ideal;
  s->full = s->flagged + flagged;
  s->flag = numbers (r, flagged, 1);
  if (!s->flag)
    return "its flags are cut off, or not followed by zero bits";
  for (uint64_t i = 0; i < flagged; i++)
    s->halves += flag_at (s, i);
  return NULL;
}

static const char *check_edges (const sd_nodes *s) {
  sd_nodes_cursor c = sd_nodes_from (s);
  sd_obdd_node last = { 0, 0 };
  for (uint64_t x = 0; x < s->n; x++) {
    const sd_obdd_node node = sd_nodes_next (&c);
    if (node.lo >= s->below || node.hi >= s->below)
      return "an edge leads to no node";
    /* Rising pairs are different ones, and there is one way to write them. */
    if (s->form == SD_FORM_EDGES && x && (node.lo < last.lo || (node.lo == last.lo && node.hi <= last.hi)))
      return "its nodes are not different pairs in rising order";
    last = node;
  }
  return NULL;
}

const char *sd_nodes_open (sd_nodes *s, sd_obdd_form form, sd_reader *r, uint64_t n, uint64_t below) {
  *s = (sd_nodes){ .n = n, .below = below, .form = form, .width = sd_bits_for (below), .end = r->end };
  if (form == SD_FORM_SORTED)
    return open_sorted (s, r);
  if (n > below * below) /* edges may take no bits, but a node's work is paid for */
    return "more nodes than there are pairs";
  const char *why = form == SD_FORM_IDEAL ? open_kinds (s, r) : NULL;
  if (why)
    return why;
  s->edge = numbers (r, 2 * n - s->halves, s->width);
  return s->edge ? check_edges (s) : "its edges are cut off, or not followed by zero bits";
}

int sd_nodes_index (sd_nodes *s) {
  if (s->form == SD_FORM_SORTED)
    return sd_ef_index (&s->rising);
  const uint64_t flags = s->full - s->flagged;
  s->rank = sd_alloc (flags / 64 + 1, sizeof *s->rank);
  if (!s->rank)
    return SD_ENOMEM;
  for (uint64_t i = 0, ones = 0; i < flags; ones += flag_at (s, i), i++)
    if (i % 64 == 0)
      s->rank[i / 64] = (uint32_t) ones;
  return SD_OK;
}

void sd_nodes_close (sd_nodes *s) {
  sd_ef_close (&s->rising);
  free (s->rank);
  s->rank = NULL;
}
