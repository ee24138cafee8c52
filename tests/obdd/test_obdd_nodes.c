/* How a level's nodes are stored: the three forms by number and in turn, damaged ones, the matching that
 * makes nodes ideal against the best cover of tiny levels, and whole diagrams in all forms. */
#include "config.h"
#include <criterion/criterion.h>
#include "tests/obdd/obdd_made.h"
#include "obdd/read_internal.h"
#include "obdd/kristensen/kristensen_internal.h"

static const char *const settings[] = { "nodes=edges",
                                        "nodes=ideal",
                                        "nodes=ideal,order=pieces,top=root",
                                        "nodes=ideal,merge=root,sums=yes",
                                        "nodes=edges,polish=3,rounds=1",
                                        NULL };

Test (obdd_nodes, keep_every_promise_of_a_codec) {
  codec_suite (&sd_codec_obdd, settings);
}
Test (obdd_nodes, damaged_streams_with_edges_never_crash) {
  codec_suite_damage (&sd_codec_obdd, "nodes=edges", 1200);
}
Test (obdd_nodes, damaged_streams_with_ideal_nodes_never_crash) {
  codec_suite_damage (&sd_codec_obdd, "nodes=ideal,order=pieces", 1200);
}

/* ---------------------------------------------------------- one level */

/* n different nodes over `below` ones, in rising order; so many per cent same, so many ideal. */
static sd_obdd_level level_of (uint32_t n, uint32_t below, unsigned same, unsigned ideal, uint64_t *rng) {
  sd_obdd_level l = { .node = sd_alloc (n, sizeof (sd_obdd_node)) };
  uint8_t *taken = sd_alloc0 ((uint64_t) below * below, 1);
  for (unsigned tries = 0; l.n < n && tries < 50 * n; tries++) {
    const unsigned what = (unsigned) (sd_random (rng) % 100);
    sd_obdd_node x = { (uint32_t) (sd_random (rng) % below), (uint32_t) (sd_random (rng) % below) };
    x.hi = what < same ? x.lo : what < same + ideal && x.lo + 1 < below ? x.lo + 1 : x.hi;
    l.n += !taken[x.lo * below + x.hi]++;
  }
  l.n = 0;
  for (uint64_t key = 0; key < (uint64_t) below * below; key++)
    if (taken[key])
      l.node[l.n++] = (sd_obdd_node){ (uint32_t) (key / below), (uint32_t) (key % below) };
  free (taken);
  return l;
}

/* Stored in `form`; bytes behind the level must not be touched. */
static uint64_t round_trip (const sd_obdd_level *l, uint32_t below, sd_obdd_form form) {
  sd_buf out = { 0 };
  sd_nodes s;
  sd_nodes_write (form, l, below, &out);
  cr_assert_eq (sd_buf_status (&out), SD_OK);
  uint8_t *exact = sd_alloc (out.len, 1);
  if (out.len) /* edges to the only node take no bits */
    memcpy (exact, out.data, out.len);
  sd_reader r = sd_reader_of (exact, out.len);
  const char *why = sd_nodes_open (&s, form, &r, l->n, below);
  cr_assert (!why, "form %d, %u nodes over %u: %s", (int) form, l->n, below, why ? why : "");
  cr_assert_eq (r.p, r.end);
  cr_assert_eq (sd_nodes_index (&s), SD_OK);
  sd_nodes_cursor c = sd_nodes_from (&s);
  uint64_t halves = 0;
  for (uint32_t x = 0; x < l->n; x++) {
    const sd_obdd_node node = sd_nodes_next (&c);
    cr_assert (node.lo == l->node[x].lo && node.hi == l->node[x].hi, "form %d, node %u", (int) form, x);
    cr_assert_eq (sd_nodes_child (&s, x, 0), node.lo);
    cr_assert_eq (sd_nodes_child (&s, x, 1), node.hi);
    halves += node.hi == node.lo + 1;
  }
  if (form == SD_FORM_EDGES)
    cr_assert_eq (out.len, sd_nodes_bytes (form, l->n, below));
  if (form == SD_FORM_IDEAL) /* what a stream claims is there */
    cr_assert_eq (s.halves - s.same, halves);
  sd_nodes_close (&s);
  free (exact);
  sd_buf_free (&out);
  return s.halves;
}

Test (obdd_nodes, give_back_each_node_by_number_and_in_turn) {
  static const uint32_t below[] = { 1, 2, 3, 64, 65, 700 }, nodes[] = { 1, 2, 9, 64, 500, 1500 };
  uint64_t rng = 1;
  for (unsigned b = 0; b < 6; b++)
    for (unsigned n = 0; n < 6; n++)
      for (unsigned kinds = 0; kinds < 4; kinds++) {
        sd_obdd_level l = level_of (nodes[n], below[b], kinds % 2 * 30, kinds / 2 * 60, &rng);
        round_trip (&l, below[b], SD_FORM_SORTED);
        round_trip (&l, below[b], SD_FORM_EDGES);
        round_trip (&l, below[b], SD_FORM_IDEAL); /* in an order that needs many flags */
        sd_obdd_node up[4] = { { 0, l.n / 2 }, { l.n / 2, l.n - 1 }, { l.n - 1, l.n / 3 }, { 0, l.n / 3 } };
        uint32_t root = 0;
        sd_obdd_diagram d = { .vars = 2, .top = 2, .leaves = below[b], .root = &root };
        d.level[1] = l;
        d.level[2] = (sd_obdd_level){ 4, up };
        cr_assert_eq (sd_kristensen.order_ideal (&d), SD_OK);
        round_trip (&d.level[1], below[b], SD_FORM_IDEAL);
        free (l.node);
      }
}

/* ---------------------------------------------------------- damaged levels */

/* Bytes from a list; what opening says. */
static const char *opened (sd_obdd_form form, uint64_t n, uint64_t below, unsigned len,
                           const uint8_t *bytes) {
  uint8_t *exact = sd_alloc (len + 1, 1); /* nothing to read behind it for the sanitizer's eyes */
  memcpy (exact + 1, bytes, len);
  sd_reader r = sd_reader_of (exact + 1, len);
  sd_nodes s;
  const char *why = sd_nodes_open (&s, form, &r, n, below);
  sd_nodes_close (&s);
  free (exact);
  return why;
}
#define OPENED(form, n, below, ...)                                                                          \
  opened (form, n, below, sizeof (uint8_t[]){ __VA_ARGS__ }, (uint8_t[]){ __VA_ARGS__ })
#define REFUSED(what, ...)                                                                                   \
  do {                                                                                                       \
    const char *why = OPENED (__VA_ARGS__);                                                                  \
    cr_expect (why &&strstr (why, what), "%s, expected %s", why ? why : "opened", what);                     \
  } while (0)

Test (obdd_nodes, damaged_levels_are_refused) {
  /* over 3 nodes, edges of 2 bits, the first one lowest */
  cr_expect (!OPENED (SD_FORM_EDGES, 2, 3, 0x24)); /* (0, 1), (2, 0) */
  REFUSED ("rising", SD_FORM_EDGES, 2, 3, 0x42);   /* the other way round */
  REFUSED ("rising", SD_FORM_EDGES, 2, 3, 0x44);   /* twice the same */
  REFUSED ("no node", SD_FORM_EDGES, 2, 3, 0xc4);
  REFUSED ("cut off", SD_FORM_EDGES, 3, 3, 0x24);
  REFUSED ("zero bits", SD_FORM_EDGES, 1, 3, 0x14);
  REFUSED ("pairs", SD_FORM_EDGES, 2, 1, 0);
  REFUSED ("pairs", SD_FORM_IDEAL, 1000, 1, 0xe8, 7, 0, 0);
  /* same (2, 2), ideal (1, 2), flagged (0, 1) and (2, 0), full (1, 0) */
  cr_expect (!OPENED (SD_FORM_IDEAL, 5, 3, 1, 1, 2, 0x01, 0x86, 0x10));
  REFUSED ("flags", SD_FORM_IDEAL, 5, 3, 1, 1, 2, 0x05, 0x86, 0x10);
  REFUSED ("zero bits", SD_FORM_IDEAL, 5, 3, 1, 1, 2, 0x01, 0x86, 0xf0, 1);
  REFUSED ("than there are nodes", SD_FORM_IDEAL, 5, 3, 2, 2, 2, 0x01, 0x86, 0x10);
  REFUSED ("than there are nodes", SD_FORM_IDEAL, 5, 3, 6, 0, 0, 0x86, 0x10);
  REFUSED ("than there are nodes", SD_FORM_IDEAL, 5, 3, 1, 1);
  REFUSED ("flags", SD_FORM_IDEAL, 5, 3, 1, 1, 3);
  REFUSED ("no node", SD_FORM_IDEAL, 1, 3, 0, 1, 0, 2); /* ideal, and behind the last node */
  REFUSED ("no node", SD_FORM_IDEAL, 1, 3, 1, 0, 0, 3);
}

Test (obdd_nodes, a_stream_of_an_unknown_form_is_refused) {
  const uint32_t radix = 16;
  sd_symbol sym[16] = { 0, 1, 1, 0, 1 };
  suite_seq q = { .seq = { .sym = sym, .n = 16, .ndims = 1, .radix = { radix } } };
  cr_assert_eq (sd_alphabet_new (2, &q.alphabet), SD_OK);
  q.seq.alphabet = q.alphabet;
  sd_buf out = suite_encode (&sd_codec_obdd, &q, "nodes=ideal,order=pieces,top=root");
  size_t at = 0;
  while (at < out.len && out.data[at] != (4 | SD_FORM_IDEAL << SD_OBDD_FORM))
    at++;
  cr_assert_lt (at, out.len);
  out.data[at] |= 3 << SD_OBDD_FORM;
  sd_decoder *d;
  sd_error err;
  cr_expect_eq (sd_codec_open (&sd_codec_obdd, out.data, out.len, 16, 2, &d, &err), SD_EFORMAT);
  cr_expect (strstr (err.text, "stored in a way"), "%s", err.text);
  sd_buf_free (&out);
  sd_alphabet_free (q.alphabet);
}

/* ---------------------------------------------------------- the matching */

/* The most wishes that paths can meet, by trying all sets of them. */
static uint32_t most (const sd_obdd_node *wish, uint32_t n, uint32_t nodes, uint32_t *next) {
  if (n == 0)
    return 0;
  const sd_obdd_node w = wish[n - 1];
  uint32_t best = most (wish, n - 1, nodes, next);
  bool can = w.lo != w.hi && next[w.lo] == UINT32_MAX;
  for (uint32_t x = 0; can && x < nodes; x++)
    can = next[x] != w.hi;
  for (uint32_t x = w.hi; can && x != UINT32_MAX; x = next[x])
    can = x != w.lo;
  if (can) {
    next[w.lo] = w.hi;
    const uint32_t with = 1 + most (wish, n - 1, nodes, next);
    best = with > best ? with : best;
    next[w.lo] = UINT32_MAX;
  }
  return best;
}

Test (obdd_nodes, paths_meet_nearly_as_many_wishes_as_can_be) {
  uint64_t rng = 3, ours = 0, best = 0;
  for (unsigned round = 0; round < 400; round++) {
    const uint32_t nodes = 2 + round % 6;
    sd_obdd_level l = level_of (1 + (uint32_t) (sd_random (&rng) % 12), nodes, 10, 0, &rng);
    uint32_t next[8], none[8], met = 0, followed = 0, count = 0;
    uint8_t kind[8];
    memset (none, 0xff, sizeof none);
    for (uint32_t x = 0; x < nodes; x++)
      kind[x] = (uint8_t) (sd_random (&rng) % 3);
    cr_assert_eq (sd_kristensen_cover_paths (l.node, l.n, kind, nodes, next, &met), SD_OK);
    for (uint32_t x = 0; x < nodes; x++) {
      if (next[x] == UINT32_MAX)
        continue;
      bool wished = false;
      for (uint32_t i = 0; i < l.n; i++)
        wished |= l.node[i].lo == x && l.node[i].hi == next[x];
      cr_assert (wished && next[x] != x && !(followed >> next[x] & 1), "round %u, node %u", round, x);
      followed |= 1u << next[x];
      count++;
      uint32_t steps = 0;
      for (uint32_t y = next[x]; y != UINT32_MAX; y = next[y])
        cr_assert_lt (steps++, nodes, "round %u: a circle", round);
    }
    cr_assert_eq (met, count);
    const uint32_t optimum = most (l.node, l.n, nodes, none);
    cr_assert_leq (met, optimum);
    ours += met;
    best += optimum;
    free (l.node);
  }
  cr_expect_geq (ours * 100, best * 97, "%llu of %llu", (unsigned long long) ours, (unsigned long long) best);
}

Test (obdd_nodes, a_maximum_matching_beats_one_wish_after_the_other) {
  /* Node i may be followed by i + 1 or i + 2; one path of all nodes meets every wish that can be met. */
  enum { NODES = 5000 };
  sd_obdd_node *wish = sd_alloc (2 * NODES, sizeof *wish);
  uint32_t n = 0, met, *next = sd_alloc (NODES, sizeof *next);
  uint8_t *kind = sd_alloc0 (NODES, 1);
  for (uint32_t x = 0; x < NODES; x++)
    for (uint32_t by = 2; by >= 1; by--)
      if (x + by < NODES)
        wish[n++] =
            (sd_obdd_node){ x * 7 % NODES, (x + by) * 7 % NODES }; /* 7 and 5000 have no common part */
  cr_assert_eq (sd_kristensen_cover_paths (wish, n, kind, NODES, next, &met), SD_OK);
  cr_expect_eq (met, NODES - 1);
  free (wish);
  free (next);
  free (kind);
}

/* ---------------------------------------------------------- whole diagrams */

typedef struct whole {
  uint64_t bytes;
  sd_obdd_shape shape;
} whole;

static whole coded (const suite_seq *q, const char *set) {
  whole w;
  w.bytes = shape_of (q, set, &w.shape);
  return w;
}

Test (obdd_nodes, a_diagram_is_the_same_in_every_form) {
  const uint32_t radix[3] = { 32, 64, 20 };
  suite_seq q = sequence (5, 3, radix);
  uint64_t rng = 8;
  for (uint64_t i = 0; i < q.seq.n; i++) { /* regions with noise at their borders */
    const uint64_t x = i / 1280, y = i / 20 % 64, z = i % 20;
    q.seq.sym[i] = (sd_symbol) ((x * x + y * z + sd_random (&rng) % 24) / 300 % 5);
  }
  const whole sorted = coded (&q, "order=pieces,top=root"),
              edges = coded (&q, "order=pieces,top=root,nodes=edges"),
              ideal = coded (&q, "order=pieces,top=root,nodes=ideal");
  uint64_t wished = 0, met = 0;
  for (unsigned k = 0; k <= sorted.shape.levels; k++) {
    cr_expect_eq (sorted.shape.nodes[k], edges.shape.nodes[k]);
    cr_expect_eq (sorted.shape.nodes[k], ideal.shape.nodes[k]);
    cr_expect_eq (sorted.shape.branching[k], ideal.shape.branching[k]);
    cr_expect_eq (edges.shape.ideal[k], 0);
    cr_expect_leq (ideal.shape.ideal[k], ideal.shape.branching[k]);
    wished += k ? ideal.shape.branching[k] : 0;
    met += k ? ideal.shape.ideal[k] : 0;
  }
  cr_expect_gt (met * 4, wished, "%llu of %llu are ideal", (unsigned long long) met,
                (unsigned long long) wished);
  cr_expect_lt (sorted.bytes, ideal.bytes);
  cr_expect_lt (ideal.bytes, edges.bytes);
  suite_free (&q);
}

/* Invariant 1 of a form whose nodes stand in any order. */
Test (obdd_nodes, validate_finds_equal_nodes) {
  sd_obdd_node one[2] = { { 0, 1 }, { 0, 1 } }, two[1] = { { 0, 1 } };
  uint32_t root = 0;
  sd_obdd_diagram d = { .vars = 2, .top = 2, .leaves = 2, .root = &root };
  sd_obdd_vars v = { .ndigits = 1, .n = 2, .digit = { { 4, 1, 4, 2 } }, .sum = { 2, 1 } };
  d.level[1] = (sd_obdd_level){ 2, one };
  d.level[2] = (sd_obdd_level){ 1, two };
  sd_buf out = { 0 };
  sd_buf_u8 (&out, 1); /* not constant */
  sd_obdd_write (&v, &d, SD_FORM_IDEAL, &out);
  sd_decoder *open;
  sd_error err;
  cr_assert_eq (sd_codec_open (&sd_codec_obdd, out.data, out.len, 4, 2, &open, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_obdd_validate (open, &err), SD_EDIFF);
  cr_expect (strstr (err.text, "two nodes with the edges 0 and 1"), "%s", err.text);
  sd_codec_close (open);
  sd_buf_free (&out);
}
