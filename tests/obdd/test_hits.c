/* The nodes that a sub-table may become (hits.c), against a look at every node: by rows of bits and by marks,
 * by nodes in arrays and in lists. */
#include "config.h"
#include "obdd/merge_internal.h"
#include <criterion/criterion.h>

enum { BELOW = 700, SETS = 60, NODES = 30000, LISTED = 500, ITEMS = 400 };

/* `n` nodes, all in arrays but the last LISTED, which stand in lists. */
static void make_nodes (sd_merger *m, uint32_t n) {
  uint64_t rng = 3;
  uint32_t x;
  for (unsigned half = 0; half < 2; half++) {
    m->by[half].start = sd_alloc0 (BELOW + 1, sizeof (uint32_t));
    m->by[half].at = sd_alloc (n, sizeof *m->by[half].at);
    m->by[half].first = sd_alloc (BELOW, sizeof (uint32_t));
    m->by[half].last = sd_alloc (BELOW, sizeof (uint32_t));
    memset (m->by[half].first, 0xff, BELOW * sizeof (uint32_t));
  }
  cr_assert_eq (sd_obdd_pairs_reset (&m->nodes, n), SD_OK);
  while (m->nodes.n < n - LISTED)
    sd_obdd_pairs_add (&m->nodes, (uint32_t) sd_random (&rng) % BELOW, (uint32_t) sd_random (&rng) % BELOW);
  for (unsigned half = 0; half < 2; half++) {
    uint32_t k = 0;
    for (uint32_t c = 0; c < BELOW; m->by[half].start[++c] = k)
      for (x = 0; x < m->nodes.n; x++) {
        const sd_obdd_node p = m->nodes.pair[x];
        if ((half ? p.hi : p.lo) == c)
          m->by[half].at[k++] = (struct sd_parent){ half ? p.lo : p.hi, x };
      }
  }
  while (m->nodes.n < n)
    cr_assert_eq (
        sd_merger_add_node (m, (uint32_t) sd_random (&rng) % BELOW, (uint32_t) sd_random (&rng) % BELOW, &x),
        SD_OK);
}

static void free_nodes (sd_merger *m) {
  for (unsigned half = 0; half < 2; half++)
    sd_by_child_free (&m->by[half]);
  sd_obdd_pairs_free (&m->nodes);
}

/* Sets of one node, of a few, and of most of all. */
static void make_sets (sd_obdd_sets *s) {
  uint64_t rng = 4;
  uint32_t elem[BELOW];
  cr_assert_eq (sd_obdd_sets_init (s, BELOW), SD_OK);
  for (unsigned k = 0; k < SETS; k++) {
    const unsigned of = k % 3 == 0 ? 1 : k % 3 == 1 ? 40 : 900;
    uint32_t n = 0;
    for (uint32_t x = 0; x < BELOW; x++)
      if (sd_random (&rng) % 1000 < of)
        elem[n++] = x;
    if (n == 0)
      elem[n++] = k;
    sd_obdd_sets_add (s, elem, n);
  }
}

static bool fits (const sd_merger *m, uint32_t i, uint32_t x) {
  return sd_obdd_sets_has (m->below, m->item[i].lo, m->nodes.pair[x].lo)
         && sd_obdd_sets_has (m->below, m->item[i].hi, m->nodes.pair[x].hi);
}

/* All that fit if these are fewer than `most`; else so many different ones, or fewer where it took much work;
 * the same by bits and by marks. */
static void check_item (sd_merger *m, uint64_t *bits, uint64_t *mark, uint32_t i, uint32_t most) {
  static uint32_t list[2][NODES];
  static bool seen[NODES];
  uint32_t n[2], all = 0, work = 0;
  for (unsigned k = 0; k < 2; k++) {
    m->bits = k ? bits : NULL;
    n[k] = sd_merger_hits (m, mark, i, list[k], most);
    cr_expect_eq (sd_merger_hits (m, mark, i, NULL, 1), n[k] > 0);
  }
  for (uint32_t w = 0; w <= BELOW / 64; w++)
    cr_assert_eq (mark[w], 0);
  cr_assert (n[0] == n[1] && memcmp (list[0], list[1], n[0] * sizeof **list) == 0, "item %u", i);
  memset (seen, 0, sizeof seen);
  for (uint32_t k = 0; k < n[0]; k++) {
    cr_assert (fits (m, i, list[0][k]) && !seen[list[0][k]]);
    seen[list[0][k]] = true;
  }
  for (uint32_t x = 0; x < m->nodes.n; x++) {
    all += fits (m, i, x);
    work += sd_obdd_sets_has (m->below, m->item[i].lo ? m->item[i].lo : m->item[i].hi,
                              m->item[i].lo ? m->nodes.pair[x].lo : m->nodes.pair[x].hi);
  }
  if (work < 1u << 14)
    cr_assert_eq (n[0], all < most ? all : most, "item %u: %u of %u", i, n[0], all);
  else
    cr_assert (n[0] > 0 || all == 0);
}

Test (hits, are_the_nodes_with_both_children_in_the_sets) {
  static const uint32_t sizes[] = { 1000, NODES }, most[] = { 1, 3, 16, 64, 1024, NODES };
  sd_obdd_sets below;
  sd_obdd_node item[ITEMS];
  uint64_t rng = 9;
  make_sets (&below);
  for (uint32_t i = 0; i < ITEMS; i++)
    do
      item[i] =
          (sd_obdd_node){ (uint32_t) (sd_random (&rng) % below.n), (uint32_t) (sd_random (&rng) % below.n) };
    while (item[i].lo == 0 && item[i].hi == 0);
  for (unsigned s = 0; s < 2; s++) {
    sd_merger m = { .below = &below, .nbelow = BELOW, .nitems = ITEMS, .item = item };
    make_nodes (&m, sizes[s]);
    sd_merger_list_bits (&m);
    uint64_t *bits = m.bits, *mark = sd_merger_marks (&m);
    cr_assert (bits && mark);
    for (uint32_t i = 0; i < ITEMS; i++)
      check_item (&m, bits, mark, i, most[i % 6]);
    free (bits);
    free (mark);
    free_nodes (&m);
  }
  sd_obdd_sets_free (&below);
}
