/* Dictionaries within the limits of a format: their room, and the parts that symbols are cut into. */
#include "config.h"
#include <criterion/criterion.h>
#include <omp.h>
#include <string.h>
#include "repair/grammar.h"

/* A dictionary with room for few phrases, in a stream that has more to offer; with a sample of several
 * pieces, in which the last value does not stand; the blocks are the same for any number of threads. */
Test (repair, a_grammar_keeps_to_its_room) {
  enum { N = 400000, SYMBOLS = 300 };
  sd_alphabet *a;
  uint64_t rng = 5;
  sd_symbol *sym = sd_alloc (N, sizeof *sym);
  cr_assert_eq (sd_alphabet_new (5, &a), SD_OK);
  for (uint64_t i = 0; i < N;) { /* words out of 900, the first ones more often */
    const uint64_t words = 1 + sd_random (&rng) % 900;
    uint64_t word = sd_random (&rng) % words, length = 4 + word % 23;
    for (; length-- && i < N; i++)
      sym[i] = (sd_symbol) (sd_random (&word) % 4);
  }
  sym[N - 1] = 4;
  const sd_seq slots = { .alphabet = a, .sym = sym, .n = N };
  double bits[5];
  uint64_t blocks = 0;
  for (unsigned k = 0; k < 5; k++) { /* the last one: pairs from wide rounds push others out */
    const sd_grammar_rules rules = { .symbols = SYMBOLS,
                                     .positions = 256,
                                     .block_positions = 65536,
                                     .entry_bits = 24,
                                     .code_bits = 32,
                                     .rounds = 3,
                                     .excess = k ? 4 : 1,
                                     .slack = k == 4 ? 60 : 0,
                                     .lead = k == 4 ? 512 : 0,
                                     .wide_rounds = k == 4 ? 2 : 0,
                                     .sample = k < 2 || k == 4 ? 0 : 150000,
                                     .part_positions = 50000 };
    sd_grammar_maker *maker;
    sd_grammar_cut cut;
    sd_error err;
    omp_set_num_threads (k == 3 ? 3 : 1);
    cr_assert_eq (sd_grammar_find (&slots, &rules, &maker, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_grammar_cut_blocks (maker, 512, &cut, &err), SD_OK, "%s", err.text);
    cr_expect (cut.grammar.n <= SYMBOLS && cut.grammar.n > SYMBOLS * 8 / 10, "%u symbols", cut.grammar.n);
    bits[k] = sd_grammar_bits (maker);
    cr_expect (k != 3 || cut.blocks == blocks, "%u blocks", (unsigned) cut.blocks);
    blocks = cut.blocks;
    cr_expect (cut.grammar.bits[4] > 0, "the last value has no code");
    sd_grammar_cut_clear (&cut);
    sd_grammar_maker_free (maker);
  }
  cr_expect_lt (bits[1], bits[0]);
  cr_expect_lt (bits[4], bits[1] * 0.99, "%.0f bits, %.0f without wide rounds", bits[4], bits[1]);
  sd_alphabet_free (a);
  free (sym);
}

static unsigned spell_grammar (const sd_grammar *g, unsigned id, uint16_t *out) {
  if (id < g->m) {
    *out = (uint16_t) id;
    return 1;
  }
  const unsigned n = spell_grammar (g, g->left[id], out);
  return n + spell_grammar (g, g->right[id], out + n);
}

/* Of a symbol to its positions, all together. */
static unsigned steps_from (const sd_grammar *g, unsigned id) {
  return id < g->m ? 0 : g->length[id] + steps_from (g, g->left[id]) + steps_from (g, g->right[id]);
}

/* All slots at the symbol's places have to admit what it spells; the cut is one block, in which each symbol
 * stands where the one before ends, the last one beyond the end. */
static void check_cut (const sd_grammar_cut *cut, const sd_seq *slots) {
  uint16_t row[256];
  uint64_t at = 0;
  for (uint64_t i = 0; i < cut->first[1]; i++) {
    const unsigned n = spell_grammar (&cut->grammar, cut->symbol[i], row);
    cr_assert_eq (n, cut->grammar.length[cut->symbol[i]]);
    for (unsigned k = 0; k < n && at < slots->n; k++, at++)
      cr_expect (sd_admits (slots->alphabet, slots->sym[at], row[k]), "slot %u", (unsigned) at);
  }
  cr_assert_eq (at, slots->n);
}

/* One value in rows of all lengths, each the row before and one more. Two have no code. */
Test (repair, symbols_are_cut_anew_and_spell_the_same) {
  enum { N = 64 };
  uint16_t left[N], right[N], length[N], row[N], symbol[N];
  uint8_t bits[N];
  sd_alphabet *a;
  cr_assert_eq (sd_alphabet_new (1, &a), SD_OK);
  sd_symbol slot[N * (N + 1) / 2] = { 0 };
  const sd_seq slots = { .alphabet = a, .sym = slot, .n = N * (N + 1) / 2 - 40 - 41 - 2 };
  uint64_t start[] = { 0, slots.n }, first[] = { 0, N - 2 };
  sd_grammar_cut cut = {
    .grammar = { .m = 1, .n = N, .left = left, .right = right, .length = length, .bits = bits },
    .blocks = 1,
    .start = start,
    .first = first,
    .symbol = symbol
  };
  const sd_grammar *g = &cut.grammar;
  for (unsigned id = 0, n = 0; id < N; id++) {
    left[id] = (uint16_t) (id ? id - 1 : 0);
    right[id] = 0;
    length[id] = (uint16_t) (id + 1);
    bits[id] = id == 40 || id == 41 ? 0 : 9;
    if (bits[id])
      symbol[n++] = (uint16_t) id;
  }
  cr_assert_eq (sd_grammar_split (&cut, &slots), SD_OK);
  for (unsigned id = 1; id < N; id++) {
    cr_expect_eq (spell_grammar (g, id, row), id + 1);
    cr_expect (!bits[id] || (bits[left[id]] && bits[right[id]]), "%u needs a part", id);
  }
  cr_expect_eq (steps_from (g, N - 1), N * 6, "a row of 64 is cut in halves");
  sd_alphabet_free (a);
}

/* With few values and with more than 64, whose sets are not looked into. Symbols: 01 and 11 with a code, 10
 * without one, 1010 made of it twice, 0110 of 01 and 10. Where 1010 stands its second and fourth positions
 * are free, so that 1111 may stand there; 0110 ends behind 011, so that 0111 may. Nothing needs 10. */
Test (repair, symbols_change_where_slots_admit_it) {
  for (unsigned m = 2; m < 80; m += 70) {
    enum { ROWS = 5 };
    sd_alphabet *a;
    sd_symbol any;
    cr_assert_eq (sd_alphabet_new (m, &a), SD_OK);
    cr_assert_eq (sd_alphabet_add_range (a, 0, m - 1, &any), SD_OK);
    const unsigned n = m + ROWS;
    SD_OWNED uint16_t *left = sd_alloc0 (n, sizeof *left), *right = sd_alloc0 (n, sizeof *right),
                      *length = sd_alloc0 (n, sizeof *length);
    SD_OWNED uint8_t *bits = sd_alloc0 (n, 1);
    for (unsigned id = 0; id < n; id++)
      length[id] = id < m ? 1 : id < m + 3 ? 2 : 4;
    const unsigned parts[ROWS][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { m + 2, m + 2 }, { m, m + 2 } };
    for (unsigned k = 0; k < ROWS; k++) {
      left[m + k] = (uint16_t) parts[k][0];
      right[m + k] = (uint16_t) parts[k][1];
      bits[m + k] = k == 2 ? 0 : 3;
    }
    bits[0] = bits[1] = 3;
    /* 01, 11, 1*1*, 011 and no more */
    sd_symbol slot[] = { 0, 1, 1, 1, 1, any, 1, any, 0, 1, 1 };
    const sd_seq slots = { .alphabet = a, .sym = slot, .n = sizeof slot / sizeof *slot };
    uint16_t symbol[] = { (uint16_t) m, (uint16_t) (m + 1), (uint16_t) (m + 3), (uint16_t) (m + 4) };
    uint64_t start[] = { 0, slots.n }, first[] = { 0, 4 };
    sd_grammar_cut cut = {
      .grammar = { .m = m, .n = n, .left = left, .right = right, .length = length, .bits = bits },
      .blocks = 1,
      .start = start,
      .first = first,
      .symbol = symbol
    };
    check_cut (&cut, &slots);
    cr_assert_eq (sd_grammar_split (&cut, &slots), SD_OK);
    check_cut (&cut, &slots);
    for (unsigned k = 3; k < ROWS; k++)
      cr_expect (bits[left[m + k]] && bits[right[m + k]], "%u values: symbol %u needs a part without a code",
                 m, k);
    sd_alphabet_free (a);
  }
}

/* Symbols that are needed: with a code, or parts of such. */
static void mark_needed (const sd_grammar *g, unsigned id, bool *needed) {
  needed[id] = true;
  if (id >= g->m) {
    mark_needed (g, g->left[id], needed);
    mark_needed (g, g->right[id], needed);
  }
}

static unsigned count_needed (const sd_grammar *g) {
  bool needed[512] = { false };
  unsigned n = 0;
  for (unsigned id = 0; id < g->n; id++)
    if (g->bits[id])
      mark_needed (g, id, needed);
  for (unsigned id = 0; id < g->n; id++)
    n += needed[id];
  return n;
}

/* Dictionaries of any kind, a third of whose symbols have a code, and sequences of them in which slots also
 * admit other values: afterwards the slots admit all that symbols spell, and no more symbols are needed. */
Test (repair, cutting_anew_keeps_within_the_slots) {
  enum { MOST = 3000 };
  uint64_t rng = 17, spared = 0;
  for (unsigned k = 0; k < 400; k++) {
    const unsigned m = k % 5 == 4 ? 70 : 2 + k % 3, rows = 20 + (unsigned) (sd_random (&rng) % 60),
                   n = m + rows;
    sd_alphabet *a;
    sd_symbol any, low;
    cr_assert_eq (sd_alphabet_new (m, &a), SD_OK);
    cr_assert_eq (sd_alphabet_add_range (a, 0, m - 1, &any), SD_OK);
    low = any;
    if (m > 2)
      cr_assert_eq (sd_alphabet_add_range (a, 0, 1, &low), SD_OK);
    uint16_t left[512] = { 0 }, right[512] = { 0 }, length[512] = { 0 }, row[256];
    uint8_t bits[512] = { 0 };
    SD_OWNED uint16_t *symbol = sd_alloc (MOST, sizeof *symbol);
    SD_OWNED sd_symbol *slot = sd_alloc (MOST * 256, sizeof *slot);
    uint64_t start[] = { 0, 0 }, first[] = { 0, 0 };
    sd_grammar_cut cut = { .grammar = { m, n, left, right, length, bits }, 1, start, first, symbol };
    for (unsigned id = 0; id < n; id++) {
      length[id] = 1;
      bits[id] = id < 2 || sd_random (&rng) % 3 == 0 ? 5 : 0;
      if (id < m)
        continue;
      do {
        left[id] = (uint16_t) (sd_random (&rng) % (id < m + 9 ? 2 : id));
        right[id] = (uint16_t) (sd_random (&rng) % (id < m + 9 ? 2 : id));
      } while (length[left[id]] + length[right[id]] > 200);
      length[id] = (uint16_t) (length[left[id]] + length[right[id]]);
    }
    sd_seq slots = { .alphabet = a, .sym = slot };
    for (unsigned i = 0; i < 3 * rows; i++) {
      const unsigned id = (unsigned) (sd_random (&rng) % n);
      if (!bits[id])
        continue;
      symbol[first[1]++] = (uint16_t) id;
      for (unsigned j = 0, count = spell_grammar (&cut.grammar, id, row); j < count; j++)
        slot[slots.n++] = sd_random (&rng) % 2 ? any : sd_random (&rng) % 2 && row[j] < 2 ? low : row[j];
    }
    slots.n -= sd_random (&rng) % length[symbol[first[1] - 1]]; /* the last one may be longer */
    start[1] = slots.n;
    const unsigned before = count_needed (&cut.grammar);
    cr_assert_eq (sd_grammar_split (&cut, &slots), SD_OK);
    check_cut (&cut, &slots);
    for (unsigned id = m; id < n; id++)
      cr_assert_eq (length[left[id]] + length[right[id]], length[id]);
    const unsigned after = count_needed (&cut.grammar);
    cr_expect (after <= before, "case %u: %u symbols, %u before", k, after, before);
    spared += before - after;
    sd_alphabet_free (a);
  }
  cr_expect_gt (spared, 2500, "%u", (unsigned) spared);
}
