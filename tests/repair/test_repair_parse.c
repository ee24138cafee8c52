/* The cheapest parse against a slow one, with and without blocks. */
#include "config.h"
#include <criterion/criterion.h>
#include <math.h>
#include <omp.h>
#include "tests/codecs/codec_suite.h"
#include "repair/parse_internal.h"

/* All symbols that a phrase stands for. */
static unsigned spell (const sd_repair *st, unsigned id, sd_symbol *out) {
  if (id < st->m) {
    out[0] = (sd_symbol) id;
    return 1;
  }
  unsigned n = spell (st, st->left[id], out);
  return n + spell (st, st->right[id], out + n);
}

/* How many slots from `at` on the phrase fits. */
static unsigned fit (const sd_repair *st, unsigned id, const sd_symbol *slot, uint64_t n, uint64_t at) {
  static sd_symbol text[1 << 16];
  unsigned len = spell (st, id, text), k = 0;
  while (k < len && at + k < n && sd_admits (st->alphabet, slot[at + k], text[k]))
    k++;
  return k;
}

/* Cost of the cheapest parse: every phrase is tried at every position. */
static uint64_t cheapest_parse (const sd_repair *st, const uint32_t *cost, const sd_symbol *slot,
                                uint64_t n) {
  uint64_t *best = sd_alloc (n + 1, sizeof *best);
  for (uint64_t i = 0; i <= n; i++)
    best[i] = i ? UINT64_MAX : 0;
  for (uint64_t i = 0; i < n; i++)
    for (unsigned id = 0; best[i] != UINT64_MAX && id < st->used; id++)
      if (cost[id] < SD_TRIE_NONE && fit (st, id, slot, n, i) == st->length[id]) {
        uint64_t *to = best + i + st->length[id], c = best[i] + cost[id];
        *to = c < *to ? c : *to;
      }
  uint64_t result = best[n];
  free (best);
  return result;
}

/* A dictionary over m symbols for a sequence of n slots; slot[] is kept. */
static sd_symbol *parse_case (unsigned m, uint64_t n, uint64_t *rng, sd_repair *st, sd_seq *work,
                              uint32_t **cost) {
  sd_alphabet *a = suite_alphabet (m);
  const sd_symbol star = suite_range (a, 0, m - 1);
  unsigned size = sd_alphabet_size (a), value = 0, left = 0;
  sd_symbol *slot = sd_alloc (n, sizeof *slot);
  *work = (sd_seq){ .alphabet = a, .n = n, .sym = sd_alloc (n, sizeof *slot) };
  for (uint64_t i = 0; i < n; i++) {
    uint64_t x = sd_random (rng);
    if (left-- == 0) { /* every fourth run admits everything, some of them for long */
      value = x >> 40 & 3 ? (unsigned) (x % m) : star;
      left = x >> 48 & 31 ? x >> 32 & 15 : 300;
    }
    work->sym[i] = slot[i] = (sd_symbol) (x >> 16 & 7 ? value : x % size);
    if (slot[i] >= size)
      work->sym[i] = slot[i] = (sd_symbol) (size - 1);
  }
  sd_error err;
  cr_assert_eq (sd_repair_init (st, work, 60, &err), SD_OK);
  st->min_count = 2;
  st->pair = &sd_pair_subdefinite;
  cr_assert_eq (sd_repair_rounds (st, &err), SD_OK);
  cr_assert_eq (sd_final_longest (st, &err), SD_OK);
  *cost = sd_alloc (st->used, sizeof **cost);
  for (unsigned id = 0; id < st->used; id++)
    (*cost)[id] = id >= st->m && (id < st->a || sd_random (rng) % 8 == 0)
                      ? SD_TRIE_NONE
                      : 1 + (uint32_t) (sd_random (rng) % (12 * SD_PARSE_BIT));
  return slot;
}

Test (repair, a_parse_without_bounds_is_the_cheapest) {
  uint64_t rng = 77;
  for (unsigned k = 0; k < 60; k++) {
    sd_repair st;
    sd_seq work;
    uint32_t *cost;
    unsigned m = k % 3 == 2 ? 20 : 2 + k % 3;
    uint64_t n = 1 + sd_random (&rng) % 700;
    sd_symbol *slot = parse_case (m, n, &rng, &st, &work, &cost);
    const sd_seq slots = { .alphabet = work.alphabet, .sym = slot, .n = n };
    uint64_t best = cheapest_parse (&st, cost, slot, n);
    static const uint32_t slack[] = { UINT32_MAX, 8 * SD_PARSE_BIT, 0, 0 };
    for (unsigned j = 0; j < 4; j++) {
      st.narrow = j == 3;
      cr_assert_eq (sd_repair_parse (&st, &slots, cost, slack[j]), SD_OK);
      uint64_t sum = 0, at = 0;
      for (uint64_t i = 0; i < st.n; i++) {
        cr_assert_eq (fit (&st, st.ids[i], slot, n, at), st.length[st.ids[i]]);
        at += st.length[st.ids[i]];
        sum += cost[st.ids[i]];
      }
      cr_assert_eq (at, n);
      cr_expect (j ? sum >= best : sum == best, "case %u, %u symbols, %u slots: %u, best is %u", k, m,
                 (unsigned) n, (unsigned) sum, (unsigned) best);
    }
    sd_repair_clear (&st);
    sd_alphabet_free ((sd_alphabet *) work.alphabet);
    free (work.sym);
    free (slot);
    free (cost);
  }
}

/* The symbols below an edge, of which some places stand before `at`. */
static void mark_below (const sd_trie *trie, const sd_trie_edge *e, const sd_ahead *a, uint32_t at,
                        uint64_t *words) {
  for (const sd_trie_edge *k = trie->edge + e->kids, *end = k + e->nkids; k < end; k++) {
    cr_assert_eq (a->symbol[a->number[k->value]], k->value);
    for (uint32_t place = at; place < at + k->run && place < SD_AHEAD; place++)
      words[place / 64 * a->m + a->number[k->value]] |= UINT64_C (1) << place % 64;
    mark_below (trie, k, a, at + k->run, words);
  }
}

/* What is known behind an edge against a walk over all that stands below it. */
static void check_behind (const sd_trie *trie, const sd_trie_edge *e, const sd_ahead *a,
                          const sd_ahead_stop *s) {
  uint64_t words[SD_AHEAD_WORDS * SD_PARSE_PLANES] = { 0 };
  mark_below (trie, e, a, 0, words);
  cr_expect_arr_eq (s->words, words, SD_AHEAD_WORDS * a->m * sizeof *words);
  uint16_t least = SD_TRIE_NONE;
  for (uint32_t k = e->kids; k < e->kids + e->nkids; k++)
    least = trie->edge[k].least < least ? trie->edge[k].least : least;
  cr_expect_eq (s->least, least);
  uint32_t clear = 0;
  while (s->clear && e != trie->edge + s->next && clear < s->clear) {
    cr_assert_eq (e->nkids, 1);
    cr_expect (!clear || e->cost == SD_TRIE_NONE, "a phrase ends in a straight line");
    e = trie->edge + e->kids;
    clear += e->run;
  }
  cr_expect_eq (s->clear, clear);
  cr_expect (s->clear ? e == trie->edge + s->next : e->nkids > 1);
}

/* Other phrases of any two parts, up to a thousand symbols long, most of which are only parts. */
static void mix_phrases (sd_repair *st, uint32_t *cost, uint64_t *rng) {
  for (unsigned id = st->a + 3; id < st->used; id++) {
    unsigned part[2];
    do
      for (unsigned k = 0; k < 2; k++)
        part[k] = sd_random (rng) % 8 ? id - 1 - (unsigned) (sd_random (rng) % 3)
                                      : (unsigned) (sd_random (rng) % st->m);
    while (st->length[part[0]] + st->length[part[1]] > 1000);
    st->left[id] = (sd_phrase) part[0];
    st->right[id] = (sd_phrase) part[1];
    st->length[id] = st->length[part[0]] + st->length[part[1]];
    if (sd_random (rng) % 4)
      cost[id] = SD_TRIE_NONE;
  }
}

Test (repair, what_stands_behind_an_edge_is_known) {
  uint64_t rng = 83;
  unsigned stops = 0, lines = 0, far = 0;
  for (unsigned k = 0; k < 30; k++) {
    sd_repair st;
    sd_seq work;
    uint32_t *cost;
    const unsigned m = 2 + k % (SD_PARSE_PLANES - 1);
    sd_symbol *slot = parse_case (m, 3000, &rng, &st, &work, &cost);
    mix_phrases (&st, cost, &rng);
    sd_trie trie;
    sd_ahead ahead;
    cr_assert_eq (sd_trie_new (&st, cost, &trie), SD_OK);
    cr_assert_eq (sd_ahead_new (&st, &trie, &ahead), SD_OK);
    for (const sd_trie_edge *e = trie.edge; e < trie.edge + trie.edges; e++)
      if (e->stop != SD_AHEAD_NONE) {
        const sd_ahead_stop *s = sd_ahead_at (&ahead, e->stop);
        check_behind (&trie, e, &ahead, s);
        stops++;
        lines += s->clear > 0;
        far += s->clear > 64;
      } else
        cr_expect (e->nkids < 2 && (!e->nkids || e->cost == SD_TRIE_NONE));
    sd_ahead_clear (&ahead);
    sd_trie_clear (&trie);
    sd_repair_clear (&st);
    sd_alphabet_free ((sd_alphabet *) work.alphabet);
    free (work.sym);
    free (slot);
    free (cost);
  }
  cr_expect (stops > 100 && lines > 50 && far > 10, "%u, %u, %u", stops, lines, far);
}

/* Cost of the cheapest parse of a sequence without free slots. */
static uint64_t parse_exact (const sd_repair *st, const uint32_t *cost, const sd_symbol *text, uint64_t n) {
  uint64_t best[17];
  for (uint64_t i = 0; i <= n; i++)
    best[i] = i ? UINT64_MAX : 0;
  for (uint64_t i = 0; i < n; i++)
    for (unsigned id = 0; best[i] != UINT64_MAX && id < st->used; id++) {
      if (cost[id] >= SD_TRIE_NONE || i + st->length[id] > n)
        continue;
      sd_symbol says[16];
      spell (st, id, says);
      if (!memcmp (says, text + i, st->length[id] * sizeof *says)
          && best[i] + cost[id] < best[i + st->length[id]])
        best[i + st->length[id]] = best[i] + cost[id];
    }
  return best[n];
}

/* The least cost over all completions, one after the other: the slots from `at` on are still to be chosen. */
static uint64_t cheapest_completion (const sd_repair *st, const uint32_t *cost, const sd_symbol *slot,
                                     uint64_t n, uint64_t at, sd_symbol *text, unsigned *tried) {
  if (at == n) {
    ++*tried;
    return parse_exact (st, cost, text, n);
  }
  uint64_t least = UINT64_MAX;
  for (unsigned v = 0; v < st->m; v++)
    if (sd_admits (st->alphabet, slot[at], (sd_symbol) v)) {
      text[at] = (sd_symbol) v;
      const uint64_t one = cheapest_completion (st, cost, slot, n, at + 1, text, tried);
      least = one < least ? one : least;
    }
  return least;
}

/* What a parse chooses for the free slots is as cheap as the best of all completions, each parsed by itself.
 */
Test (repair, a_parse_finds_the_cheapest_of_all_completions) {
  uint64_t rng = 79;
  unsigned tried = 0;
  for (unsigned k = 0; k < 300; k++) {
    const unsigned m = 2 + k % 2, n = 6 + (unsigned) (sd_random (&rng) % 7); /* at most 12 */
    sd_alphabet *a = suite_alphabet_with_star (m);
    const unsigned size = sd_alphabet_size (a);
    sd_symbol slot[16], sym[16], text[16];
    for (unsigned i = 0; i < n; i++) {
      const uint64_t x = sd_random (&rng);
      slot[i] = sym[i] = (sd_symbol) (x & 1 ? m + (x >> 16) % (size - m) : x >> 8 & 1);
    }
    sd_seq work = { .alphabet = a, .n = n, .sym = sym };
    sd_repair st;
    sd_error err;
    cr_assert_eq (sd_repair_init (&st, &work, 12, &err), SD_OK);
    for (unsigned j = 0; j < 12; j++) {                   /* phrases of anything below them */
      const unsigned id = st.used, below = id - st.a + m; /* main symbols and phrases so far */
      unsigned part[2];
      for (unsigned h = 0; h < 2; h++) {
        part[h] = (unsigned) (sd_random (&rng) % below);
        part[h] = part[h] < m ? part[h] : part[h] - m + st.a;
      }
      if (st.length[part[0]] + st.length[part[1]] > 8)
        continue;
      st.left[id] = (sd_symbol) part[0];
      st.right[id] = (sd_symbol) part[1];
      st.length[id] = st.length[part[0]] + st.length[part[1]];
      st.depth[id] =
          (uint8_t) (1 + (st.depth[part[0]] > st.depth[part[1]] ? st.depth[part[0]] : st.depth[part[1]]));
      st.used++;
    }
    uint32_t cost[64];
    cr_assert_leq (st.used, 64);
    for (unsigned id = 0; id < st.used; id++)
      cost[id] =
          id >= st.m && id < st.a ? SD_TRIE_NONE : 1 + (uint32_t) (sd_random (&rng) % (12 * SD_PARSE_BIT));
    const sd_seq slots = { .alphabet = a, .sym = slot, .n = n };
    const uint64_t least = cheapest_completion (&st, cost, slot, n, 0, text, &tried);
    cr_assert_eq (sd_repair_parse (&st, &slots, cost, UINT32_MAX), SD_OK);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < st.n; i++)
      sum += cost[st.ids[i]];
    cr_assert_eq (sum, least, "case %u, %u symbols, %u slots: %u, the best completion costs %u", k, m, n,
                  (unsigned) sum, (unsigned) least);
    sd_repair_clear (&st);
    sd_alphabet_free (a);
  }
  cr_expect_gt (tried, 10000);
}

Test (repair, a_parse_in_blocks_keeps_to_its_budget) {
  uint64_t rng = 78;
  unsigned cut = 0;
  for (unsigned k = 0; k < 40; k++) {
    sd_repair st;
    sd_seq work;
    uint32_t *cost;
    uint64_t n = 1 + sd_random (&rng) % 5000;
    sd_symbol *slot = parse_case (k % 2 ? 20 : 3, n, &rng, &st, &work, &cost);
    const sd_seq slots = { .alphabet = work.alphabet, .sym = slot, .n = n };
    sd_parsed b;
    st.part_positions = k % 4 < 2 ? 0 : 1 + sd_random (&rng) % 900;
    cr_assert_eq (sd_repair_parse_blocks (&st, &slots, cost, k % 3 ? 0 : UINT32_MAX, 128, &b), SD_OK);
    cr_assert (b.n && b.start[0] == 0 && b.phrase[0] == 0);
    for (uint64_t at = st.part_positions; at && at < n; at += st.part_positions) {
      uint64_t block = 0;
      while (block < b.n && b.start[block] < at)
        block++;
      cr_assert (block < b.n && b.start[block] == at, "no block begins at %u", (unsigned) at);
    }
    for (uint64_t block = 0; block < b.n; block++) {
      uint64_t at = b.start[block], end = block + 1 < b.n ? b.start[block + 1] : n, spent = 0;
      for (uint64_t i = b.phrase[block]; i < b.phrase[block + 1]; i++) {
        unsigned id = b.ids[i];
        cr_assert_lt (at, end);
        uint64_t want = end - at < st.length[id] ? end - at : st.length[id];
        cr_assert_geq (fit (&st, id, slot, n, at), want, "case %u, block %u", k, (unsigned) block);
        cut += want < st.length[id];
        cr_assert (want == st.length[id] || i + 1 == b.phrase[block + 1], "only the last phrase is cut");
        at += want;
        spent += cost[id];
      }
      cr_assert_eq (at, end);
      cr_assert_leq (spent, 128 * SD_PARSE_BIT);
    }
    sd_parsed_clear (&b);
    sd_repair_clear (&st);
    sd_alphabet_free ((sd_alphabet *) work.alphabet);
    free (work.sym);
    free (slot);
    free (cost);
  }
  cr_assert_gt (cut, 0);
}

/* A chain of phrases, each one symbol longer than the one below, of which only the longest occurs, and too
 * seldom: pruning looks at some levels of parts at a time. What is left must spell the same. */
Test (repair, pruning_goes_down_a_long_chain) {
  enum { M = 4, CHAIN = 40, N = 2000, TIMES = 4 };
  uint64_t rng = 7;
  sd_alphabet *a = suite_alphabet (M);
  sd_symbol *text = sd_alloc (N + TIMES * (CHAIN + 1), sizeof *text), *back;
  sd_symbol *sym = sd_alloc (N + TIMES * (CHAIN + 1), sizeof *sym);
  sd_seq work = { .alphabet = a, .n = N, .sym = sym };
  sd_repair st;
  sd_error err;
  cr_assert_eq (sd_repair_init (&st, &work, CHAIN, &err), SD_OK);
  for (unsigned k = 0; k < CHAIN; k++) {
    const unsigned id = st.used++;
    st.left[id] = (sd_symbol) (k ? id - 1 : sd_random (&rng) % M);
    st.right[id] = (sd_symbol) (sd_random (&rng) % M);
    st.length[id] = k + 2;
    st.depth[id] = (uint8_t) (k + 1);
  }
  uint64_t n = 0, spelt = 0;
  for (unsigned i = 0; i < N; i++) {
    sym[i] = (sd_symbol) (i % (N / TIMES) ? sd_random (&rng) >> 20 & (M - 1) : st.used - 1);
    n += spell (&st, sym[i], text + n);
  }
  st.anew = true;
  cr_assert_eq (sd_repair_prune (&st), SD_OK);
  cr_expect_lt (st.used, st.a + CHAIN, "nothing was dropped");
  for (unsigned id = st.a; id < st.used; id++)
    cr_assert (st.left[id] < id && st.right[id] < id);
  back = sd_alloc (n, sizeof *back);
  for (uint64_t i = 0; i < st.n; i++) {
    cr_assert_leq (spelt + st.length[st.ids[i]], n);
    spelt += spell (&st, st.ids[i], back + spelt);
  }
  cr_expect_eq (spelt, n);
  cr_expect_eq (memcmp (back, text, n * sizeof *text), 0);
  free (back);
  free (text);
  free (sym);
  sd_repair_clear (&st);
  sd_alphabet_free (a);
}

static bool same_spelling (const sd_repair *st, unsigned x, unsigned y) {
  static sd_symbol a[1 << 16], b[1 << 16];
  return st->length[x] == st->length[y]
         && (spell (st, x, a), spell (st, y, b), !memcmp (a, b, st->length[x] * sizeof *a));
}

/* What the occurrences of a phrase in st->ids cost without it, by the slow parse. */
static uint64_t slow_detours (const sd_repair *st, const uint32_t *cost, const sd_symbol *slot, unsigned id) {
  uint32_t *without = sd_alloc (st->used, sizeof *without);
  uint64_t sum = 0, at = 0;
  for (unsigned x = 0; x < st->used; x++)
    without[x] = same_spelling (st, x, id) ? SD_TRIE_NONE : cost[x];
  for (uint64_t i = 0; i < st->n; i++) {
    if (st->ids[i] == id)
      sum += cheapest_parse (st, without, slot + at, st->length[id]);
    at += st->length[st->ids[i]];
  }
  free (without);
  return sum;
}

/* Ideal bits of the sequence, and the entries of the dictionary. */
static double bits_now (sd_repair *st) {
  double bits = (double) st->entry_bits * (st->used - st->a);
  sd_repair_count_symbols (st);
  for (unsigned id = 0; id < st->used; id++)
    bits += st->freq[id] ? (double) st->freq[id] * log2 ((double) st->n / (double) st->freq[id]) : 0;
  return bits;
}

static void free_case (sd_repair *st, sd_seq *work, sd_symbol *slot, uint32_t *cost) {
  sd_repair_clear (st);
  sd_alphabet_free ((sd_alphabet *) work->alphabet);
  free (work->sym);
  free (slot);
  free (cost);
}

Test (repair, detours_are_the_cheapest_ways_without_a_phrase) {
  uint64_t rng = 4711, asked = 0;
  for (unsigned k = 0; k < 40; k++) {
    sd_repair st;
    sd_seq work;
    uint32_t *cost;
    const uint64_t n = 1 + sd_random (&rng) % 700;
    sd_symbol *slot = parse_case (2 + k % 3, n, &rng, &st, &work, &cost);
    const sd_seq slots = { .alphabet = work.alphabet, .sym = slot, .n = n };
    const size_t words = st.used / 64 + 1;
    bool *want = sd_alloc0 (st.used, sizeof *want);
    uint64_t *sum = sd_alloc0 (st.used, sizeof *sum), *through = sd_alloc0 (st.used * words, sizeof *through);
    sd_detours ways = { want, sum, through, words };
    cr_assert_eq (sd_repair_parse (&st, &slots, cost, UINT32_MAX), SD_OK);
    sd_repair_count_symbols (&st);
    for (unsigned id = st.a; id < st.used; id++)
      asked += want[id] = st.freq[id] && id % 4;
    cr_assert_eq (sd_repair_find_detours (&st, &slots, cost, UINT32_MAX, &ways), SD_OK);
    for (unsigned id = st.a; id < st.used; id++) {
      const uint64_t expected = want[id] ? slow_detours (&st, cost, slot, id) : 0;
      cr_expect_eq (sum[id], expected, "case %u, phrase %u: %u, expected %u", k, id, (unsigned) sum[id],
                    (unsigned) expected);
      cr_expect (!(through[id * words + id / 64] >> (id % 64) & 1), "phrase %u goes through itself", id);
    }
    free (want);
    free (sum);
    free (through);
    free_case (&st, &work, slot, cost);
  }
  cr_assert_gt (asked, 100);
}

/* Along the ways of a lattice: the same parse, and the same detours where they cost little more than what is
 * there. */
Test (repair, a_lattice_has_the_cheapest_ways) {
  uint64_t rng = 1234, near = 0;
  for (unsigned k = 0; k < 40; k++) {
    sd_repair st;
    sd_seq work;
    uint32_t *cost;
    const uint64_t n = 1 + sd_random (&rng) % 700;
    sd_symbol *slot = parse_case (2 + k % 3, n, &rng, &st, &work, &cost);
    const sd_seq slots = { .alphabet = work.alphabet, .sym = slot, .n = n };
    const size_t words = st.used / 64 + 1;
    SD_OWNED bool *want = sd_alloc0 (st.used, sizeof *want);
    SD_OWNED uint64_t *sum = sd_alloc0 (st.used, sizeof *sum),
                      *through = sd_alloc0 (st.used * words, sizeof *through);
    sd_detours ways = { want, sum, through, words };
    sd_lattice l = { 0 };
    uint64_t total = 0;
    /* The second time at the places of the first. */
    for (unsigned turn = 0; turn < 2; turn++)
      cr_assert_eq (sd_lattice_make (&st, &slots, cost, UINT32_MAX, &l), SD_OK);
    cr_assert_eq (sd_lattice_parse (&st, &l, cost), SD_OK);
    for (uint64_t i = 0; i < st.n; i++)
      total += cost[st.ids[i]];
    cr_expect_eq (total, cheapest_parse (&st, cost, slot, n), "case %u", k);
    sd_repair_count_symbols (&st);
    for (unsigned id = st.a; id < st.used; id++)
      want[id] = st.freq[id] > 0;
    cr_assert_eq (sd_lattice_detours (&st, &l, cost, &ways), SD_OK);
    for (unsigned id = st.a; id < st.used; id++) {
      const uint64_t expected = want[id] ? slow_detours (&st, cost, slot, id) : 0;
      const bool little = want[id] && expected - st.freq[id] * cost[id] <= 8 * SD_PARSE_BIT;
      near += little;
      cr_expect (little ? sum[id] == expected : sum[id] >= expected, "case %u, phrase %u: %u, expected %u", k,
                 id, (unsigned) sum[id], (unsigned) expected);
    }
    sd_lattice_clear (&l);
    free_case (&st, &work, slot, cost);
  }
  cr_assert_gt (near, 100);
}

Test (repair, dropping_by_detours_takes_fewer_bits) {
  uint64_t rng = 99, dropped = 0;
  double before = 0, after = 0;
  for (unsigned k = 0; k < 40; k++) {
    sd_repair st;
    sd_seq work;
    uint32_t *cost;
    const uint64_t n = 400 + sd_random (&rng) % 700;
    sd_symbol *slot = parse_case (2 + k % 3, n, &rng, &st, &work, &cost);
    const sd_seq slots = { .alphabet = work.alphabet, .sym = slot, .n = n };
    st.entry_bits = 24;
    for (unsigned turn = 0; turn < 2; turn++) {
      const unsigned used = st.used;
      sd_repair_count_symbols (&st);
      sd_repair_ideal_costs (&st, cost);
      cr_assert_eq (sd_repair_parse (&st, &slots, cost, UINT32_MAX), SD_OK);
      *(turn ? &after : &before) += bits_now (&st);
      sd_repair_ideal_costs (&st, cost);
      if (turn)
        continue;
      sd_lattice l = { 0 };
      if (k % 2) /* what goes is gone from the lattice, too */
        cr_assert_eq (sd_lattice_make (&st, &slots, cost, UINT32_MAX, &l), SD_OK);
      cr_assert_eq (sd_repair_prune_by_detours (&st, &slots, cost, UINT32_MAX, l.parts ? &l : NULL), SD_OK);
      if (l.parts) {
        cr_assert_eq (sd_lattice_parse (&st, &l, cost), SD_OK);
        uint64_t spelt = 0;
        for (uint64_t i = 0; i < st.n; i++)
          spelt += st.length[st.ids[i]];
        cr_expect_eq (spelt, n);
      }
      sd_lattice_clear (&l);
      dropped += used - st.used;
      for (unsigned id = st.a; id < st.used; id++)
        cr_assert (st.left[id] < id && st.right[id] < id);
    }
    free_case (&st, &work, slot, cost);
  }
  cr_assert_gt (dropped, 100);
  cr_assert_lt (after, before * 0.9);
}

/* 01 in all places, 0101 and 01010101 in none. */
Test (repair, dropping_by_detours_drops_what_is_not_used) {
  enum { N = 3000 };
  sd_alphabet *a;
  sd_symbol sym[N], slot[N];
  uint32_t cost[20];
  cr_assert_eq (sd_alphabet_new (2, &a), SD_OK);
  for (unsigned i = 0; i < N; i++)
    sym[i] = slot[i] = (sd_symbol) (i % 2);
  sd_seq work = { .alphabet = a, .sym = sym, .n = N };
  const sd_seq slots = { .alphabet = a, .sym = slot, .n = N };
  sd_repair st;
  cr_assert_eq (sd_repair_init (&st, &work, 10, NULL), SD_OK);
  const unsigned first = st.used;
  st.entry_bits = 24;
  for (; st.used < first + 3; st.used++) {
    st.left[st.used] = st.used == first ? 0 : (sd_phrase) (st.used - 1);
    st.right[st.used] = st.used == first ? 1 : (sd_phrase) (st.used - 1);
    st.length[st.used] = 2u << (st.used - first);
    st.depth[st.used] = (uint8_t) (1 + st.used - first);
  }
  for (unsigned i = 0; i < N / 2; i++)
    st.ids[i] = (sd_phrase) first;
  st.n = N / 2;
  sd_repair_count_symbols (&st);
  sd_repair_ideal_costs (&st, cost);
  cr_assert_eq (sd_repair_prune_by_detours (&st, &slots, cost, UINT32_MAX, NULL), SD_OK);
  cr_expect_eq (st.used, first + 1);
  sd_repair_clear (&st);
  sd_alphabet_free (a);
}

/* Words, a quarter of their slots free in each place; few pairs are replaced before. New phrases make the
 * sequence shorter than their entries are long, none does that at a high price, and they are the same for any
 * number of threads. The slots are several segments. */
Test (repair, pairs_that_parses_would_take_save_bits) {
  enum { N = 4 * SD_PARSE_SEGMENT + 77, LIMIT = 3000, WORDS = 600 };
  sd_alphabet *a;
  sd_symbol any;
  uint64_t rng = 4;
  cr_assert_eq (sd_alphabet_new (3, &a), SD_OK);
  cr_assert_eq (sd_alphabet_add_range (a, 0, 2, &any), SD_OK);
  SD_OWNED sd_symbol *slot = sd_alloc (N, sizeof *slot), *ids = sd_alloc (N, sizeof *ids);
  for (uint64_t i = 0; i < N;) {
    uint64_t word = sd_random (&rng) % WORDS, length = 20 + word % 20;
    for (; length-- && i < N; i++) {
      const sd_symbol value = (sd_symbol) (sd_random (&word) % 3);
      slot[i] = sd_random (&rng) % 4 ? value : any;
    }
  }
  const sd_seq slots = { .alphabet = a, .sym = slot, .n = N };
  unsigned used[2];
  sd_phrase left[LIMIT], right[LIMIT];
  uint32_t cost[LIMIT];
  for (unsigned turn = 0; turn < 2; turn++) {
    sd_repair st;
    sd_seq work = { .alphabet = a, .sym = ids, .n = N };
    memcpy (ids, slot, N * sizeof *slot);
    omp_set_num_threads (turn ? 3 : 1);
    cr_assert_eq (sd_repair_init (&st, &work, LIMIT - 10, NULL), SD_OK);
    st.min_count = 20;
    st.entry_bits = 24;
    st.max_length = 256;
    st.pair = &sd_pair_subdefinite;
    cr_assert_eq (sd_repair_rounds (&st, NULL), SD_OK);
    cr_assert_eq (sd_final_longest (&st, NULL), SD_OK);
    sd_repair_count_symbols (&st);
    sd_repair_ideal_costs (&st, cost);
    sd_lattice l = { 0 };
    cr_assert_eq (sd_lattice_make (&st, &slots, cost, 4 * SD_PARSE_BIT, &l), SD_OK);
    cr_assert_eq (sd_lattice_parse (&st, &l, cost), SD_OK);
    const double before = bits_now (&st);
    const unsigned old = st.used;
    sd_repair_ideal_costs (&st, cost);
    cr_assert_eq (sd_repair_add_pairs (&st, &l, cost, 1e6, st.limit), SD_OK);
    cr_expect_eq (st.used, old);
    cr_assert_eq (sd_repair_add_pairs (&st, &l, cost, 24, st.limit), SD_OK);
    for (unsigned id = old; id < st.used; id++) {
      cr_assert (st.left[id] < old && st.right[id] < old && st.length[id] <= 256);
      cr_expect_gt (st.freq[id], 1);
    }
    sd_lattice_clear (&l);
    sd_repair_ideal_costs (&st, cost);
    cr_assert_eq (sd_repair_parse (&st, &slots, cost, 4 * SD_PARSE_BIT), SD_OK);
    cr_expect_lt (bits_now (&st), before * 0.9, "%u bits, %u before", (unsigned) bits_now (&st),
                  (unsigned) before);
    used[turn] = st.used;
    for (unsigned id = st.a; id < st.used; id++) {
      cr_expect (!turn || (left[id] == st.left[id] && right[id] == st.right[id]), "phrase %u", id);
      left[id] = st.left[id];
      right[id] = st.right[id];
    }
    cr_expect_gt (st.used, old + 20);
    sd_repair_clear (&st);
  }
  cr_expect_eq (used[0], used[1]);
  sd_alphabet_free (a);
}
