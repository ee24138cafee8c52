/* The RE-PAIR coder: the conformance suite, a naive RE-PAIR as an oracle, the parts of a stream one by one.
 */
#include "config.h"
#include <criterion/criterion.h>
#include "codec_suite.h"
#include "repair/repair_internal.h"

/* ---------------------------------------------------------- as a codec */

static const char *const settings_short[] = { "", "initial=none", "block=16,pair=exact,final=frequent",
                                              NULL };
static const char *const settings_long[] = { "block=65536,symbols=4095,maxcode=12",
                                             "block=17,symbols=0,initial=left",
                                             "block=64,maxlen=1,maxcode=1",
                                             "block=33,maxlen=5,min=2,initial=none",
                                             "block=1024,min=1000000,initial=none,final=frequent",
                                             "symbols=1,initial=none,pair=exact",
                                             NULL };

static const char *const settings_optimal[] = { "parse=optimal",
                                                "parse=optimal,block=16,initial=none,slack=3,rounds=1",
                                                "parse=optimal,block=65536,symbols=100,rounds=5,maxcode=9",
                                                "parse=optimal,block=40,symbols=0,rounds=0,pair=exact,"
                                                "final=frequent",
                                                NULL };

static const char *const settings_rans[] = { "entropy=rans",
                                             "entropy=rans,block=16,initial=none",
                                             "entropy=rans,block=17,symbols=0,parse=optimal",
                                             "entropy=rans,block=65536,symbols=300,parse=optimal,rounds=1",
                                             "entropy=rans,block=40,maxlen=1,min=2,pair=exact",
                                             NULL };

Test (repair, keeps_every_promise_of_a_codec) {
  codec_suite (&sd_codec_repair, settings_short);
}
Test (repair, keeps_every_promise_with_extreme_settings) {
  codec_suite (&sd_codec_repair, settings_long);
}
Test (repair, keeps_every_promise_when_parsed_anew) {
  codec_suite (&sd_codec_repair, settings_optimal);
}
Test (repair, keeps_every_promise_with_rans) {
  codec_suite (&sd_codec_repair, settings_rans);
}
Test (repair, damaged_streams_with_rans_never_crash) {
  codec_suite_damage (&sd_codec_repair, "block=32,entropy=rans", 1200);
  codec_suite_damage (&sd_codec_repair, "block=1024,entropy=rans,initial=none", 600);
}
Test (repair, damaged_streams_never_crash) {
  codec_suite_damage (&sd_codec_repair, "block=32", 1200);
}
Test (repair, damaged_streams_of_one_block_never_crash) {
  codec_suite_damage (&sd_codec_repair, "block=65536,initial=none", 1200);
}

Test (repair, names_of_rules_are_the_words_of_its_settings) {
  size_t npair, nfinal;
  const sd_repair_rule *pair = sd_repair_pair_rules (&npair), *final = sd_repair_final_rules (&nfinal);
  char words[200] = "";
  for (size_t i = 0; i < npair; i++) {
    cr_expect (sd_repair_find_pair_rule (pair[i].name) && pair[i].summary && pair[i].source);
    strcat (strcat (words, i ? "|" : ""), pair[i].name);
  }
  cr_expect_str_eq (words, sd_repair_tunables[1].words);
  words[0] = 0;
  for (size_t i = 0; i < nfinal; i++) {
    cr_expect (sd_repair_find_final_rule (final[i].name) && final[i].summary && final[i].source);
    strcat (strcat (words, i ? "|" : ""), final[i].name);
  }
  cr_expect_str_eq (words, sd_repair_tunables[2].words);
  cr_expect (!sd_repair_find_pair_rule ("no such") && !sd_repair_find_final_rule (""));
}

/* ------------------------------------------------------------ parsing */

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
  unsigned size = sd_alphabet_size (a), value = 0, left = 0;
  sd_symbol *slot = sd_alloc (n, sizeof *slot);
  *work = (sd_seq){ .alphabet = a, .n = n, .sym = sd_alloc (n, sizeof *slot) };
  for (uint64_t i = 0; i < n; i++) {
    uint64_t x = sd_random (rng);
    if (left-- == 0) {
      value = (unsigned) (x % m);
      left = x >> 32 & 15;
    }
    work->sym[i] = slot[i] = (sd_symbol) (x >> 16 & 3 ? value : x % size);
    if (slot[i] >= size)
      work->sym[i] = slot[i] = (sd_symbol) (size - 1);
  }
  sd_error err;
  cr_assert_eq (sd_repair_init (st, work, 60, &err), SD_OK);
  st->min_count = 2;
  st->pair = &sd_pair_subdefinite;
  cr_assert_eq (sd_repair_rounds (st, &err), SD_OK);
  cr_assert_eq (sd_final_longest.run (st, &err), SD_OK);
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
    uint64_t best = cheapest_parse (&st, cost, slot, n);
    static const uint32_t slack[] = { UINT32_MAX, 8 * SD_PARSE_BIT, 0 };
    for (unsigned j = 0; j < 3; j++) {
      cr_assert_eq (sd_repair_parse (&st, slot, n, cost, slack[j], 0, NULL), SD_OK);
      uint64_t sum = 0, at = 0;
      for (uint64_t i = 0; i < st.n; i++) {
        cr_assert_eq (fit (&st, st.sym[i], slot, n, at), st.length[st.sym[i]]);
        at += st.length[st.sym[i]];
        sum += cost[st.sym[i]];
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

Test (repair, a_parse_in_blocks_keeps_to_its_budget) {
  uint64_t rng = 78;
  unsigned cut = 0;
  for (unsigned k = 0; k < 40; k++) {
    sd_repair st;
    sd_seq work;
    uint32_t *cost;
    uint64_t n = 1 + sd_random (&rng) % 5000;
    sd_symbol *slot = parse_case (k % 2 ? 20 : 3, n, &rng, &st, &work, &cost);
    sd_parsed b;
    cr_assert_eq (sd_repair_parse (&st, slot, n, cost, k % 3 ? 0 : UINT32_MAX, 128, &b), SD_OK);
    cr_assert_eq (b.phrase[b.n], st.n);
    for (uint64_t block = 0; block < b.n; block++) {
      uint64_t at = b.start[block], end = block + 1 < b.n ? b.start[block + 1] : n, spent = 0;
      for (uint64_t i = b.phrase[block]; i < b.phrase[block + 1]; i++) {
        unsigned id = st.sym[i];
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

/* ------------------------------------------------------------- oracle */

/* Textbook RE-PAIR: counts every pair by itself, replaces one pair at a time. The smallest pair wins a tie.
 */
typedef struct naive {
  const sd_alphabet *alphabet;
  unsigned m, a, used, left[2000], right[2000];
  unsigned sym[2000];
  size_t n;
  bool subdefinite;
} naive;

static bool naive_is (const naive *v, unsigned x, unsigned as) {
  if (x == as)
    return true;
  return v->subdefinite && as < v->m && x >= v->m && x < v->a
         && sd_admits (v->alphabet, (sd_symbol) x, (sd_symbol) as);
}
static unsigned naive_count (const naive *v, unsigned x, unsigned y) {
  unsigned count = 0;
  for (size_t i = 0; i + 1 < v->n;)
    if (v->sym[i] == x && v->sym[i + 1] == y) {
      count++;
      i += 2;
    } else
      i++;
  return count;
}
static bool naive_step (naive *v, unsigned least) {
  unsigned best = 0, bx = 0, by = 0;
  for (size_t i = 0; i + 1 < v->n; i++) {
    unsigned x = v->sym[i], y = v->sym[i + 1], count;
    if ((x >= v->m && x < v->a) || (y >= v->m && y < v->a))
      continue;
    count = naive_count (v, x, y);
    if (count > best || (count == best && (x < bx || (x == bx && y < by))))
      best = count, bx = x, by = y;
  }
  if (best < least)
    return false;
  size_t o = 0;
  for (size_t i = 0; i < v->n;)
    if (i + 1 < v->n && naive_is (v, v->sym[i], bx) && naive_is (v, v->sym[i + 1], by)) {
      v->sym[o++] = v->used;
      i += 2;
    } else
      v->sym[o++] = v->sym[i++];
  v->n = o;
  v->left[v->used] = bx;
  v->right[v->used++] = by;
  return true;
}

static sd_alphabet *alphabet_with_star (unsigned m) {
  sd_alphabet *a;
  sd_symbol s;
  cr_assert_eq (sd_alphabet_new (m, &a), SD_OK);
  cr_assert_eq (sd_alphabet_add_range (a, 0, m - 1, &s), SD_OK); /* m: anything */
  if (m > 2)
    cr_assert_eq (sd_alphabet_add_range (a, 0, 1, &s), SD_OK); /* m + 1: 0 or 1 */
  return a;
}

static void compare_with_naive (unsigned m, unsigned n, unsigned free_share, bool subdefinite,
                                uint64_t seed) {
  sd_alphabet *a = alphabet_with_star (m);
  naive v = { .alphabet = a, .m = m, .a = sd_alphabet_size (a), .n = n, .subdefinite = subdefinite };
  sd_symbol sym[2000];
  uint64_t rng = seed;
  unsigned value = 0;
  for (unsigned i = 0; i < n; i++) {
    uint64_t x = sd_random (&rng);
    if (x % 4 == 0) /* runs and repeats */
      value = (x >> 8) % m;
    else if (i > 40 && x % 4 == 1)
      value = v.sym[i - 37] % m;
    v.sym[i] =
        x >> 40 & 63 && free_share ? (x >> 16) % 16 < free_share ? m + (m > 2 && x >> 32 & 1) : value : value;
    sym[i] = (sd_symbol) v.sym[i];
  }
  v.used = v.a;
  while (naive_step (&v, 2))
    ;
  sd_seq seq = { .alphabet = a, .sym = sym, .n = n };
  sd_repair st;
  sd_error err;
  cr_assert_eq (sd_repair_init (&st, &seq, 60000, &err), SD_OK);
  st.max_batch = 1;
  st.min_count = 2;
  st.pair = subdefinite ? &sd_pair_subdefinite : &sd_pair_exact;
  cr_assert_eq (sd_repair_rounds (&st, &err), SD_OK);
#define HERE "m %u, n %u, free %u, subdefinite %d, seed %" PRIu64 ": "
#define ARGS m, n, free_share, subdefinite, seed
  cr_assert_eq (st.used, v.used, HERE "%u ids, expected %u", ARGS, st.used, v.used);
  for (unsigned id = v.a; id < v.used; id++)
    cr_assert (st.left[id] == v.left[id] && st.right[id] == v.right[id],
               HERE "id %u is %u %u, expected %u %u", ARGS, id, st.left[id], st.right[id], v.left[id],
               v.right[id]);
  cr_assert_eq (st.n, v.n, HERE "%" PRIu64 " symbols remain, expected %zu", ARGS, st.n, v.n);
  for (size_t i = 0; i < v.n; i++)
    cr_assert_eq (st.sym[i], v.sym[i], HERE "symbol %zu", ARGS, i);
  sd_repair_clear (&st);
  sd_alphabet_free (a);
}

Test (repair, one_pair_a_round_is_textbook_repair) {
  for (uint64_t seed = 1; seed <= 12; seed++)
    for (unsigned m = 2; m <= 5; m++) {
      compare_with_naive (m, 700, 0, false, seed);
      compare_with_naive (m, 300, 3, false, seed);
      compare_with_naive (m, 300, 3, true, seed);
      compare_with_naive (m, 150, 12, true, seed);
    }
}
Test (repair, one_pair_a_round_is_textbook_repair_with_many_symbols) {
  for (uint64_t seed = 1; seed <= 6; seed++) { /* more than 256 ids: counts in the hash table */
    compare_with_naive (250, 2000, 0, false, seed);
    compare_with_naive (300, 1500, 0, true, seed);
    compare_with_naive (300, 1500, 2, true, seed);
    compare_with_naive (400, 1500, 2, false, seed);
  }
}

/* Length of st's sequence in positions; each phrase expanded must admit the slots of `slot`. */
static void expect_completion (const sd_repair *st, const sd_symbol *slot, uint64_t n) {
  uint64_t at = 0;
  for (uint64_t i = 0; i < st->n; i++) {
    sd_symbol stack[SD_REPAIR_MAX_DEPTH + 1];
    unsigned top = 0;
    stack[top++] = st->sym[i];
    while (top) {
      unsigned id = stack[--top];
      if (id >= st->a) {
        stack[top++] = st->right[id];
        stack[top++] = st->left[id];
        continue;
      }
      cr_assert_lt (at, n);
      cr_assert (id == slot[at] || (id < st->m && sd_admits (st->alphabet, slot[at], (sd_symbol) id)),
                 "slot %" PRIu64 " does not admit %u", at, id);
      at++;
    }
  }
  cr_assert_eq (at, n);
}

Test (repair, counts_that_follow_the_replacements_equal_a_fresh_count) {
  /* the same text in batches and pair by pair compresses to nearly the same cost, and both stay completions
   */
  suite_seq q = suite_make (SUITE_RUNS, 6);
  uint64_t n = q.seq.n;
  sd_symbol *keep = sd_alloc (n, sizeof *keep);
  memcpy (keep, q.seq.sym, n * sizeof *keep);
  uint64_t length[2];
  for (int batch = 0; batch < 2; batch++) {
    sd_repair st;
    sd_error err;
    memcpy (q.seq.sym, keep, n * sizeof *keep);
    cr_assert_eq (sd_repair_init (&st, &q.seq, 5000, &err), SD_OK);
    st.pair = &sd_pair_subdefinite;
    st.min_count = 3;
    st.max_batch = batch ? 1024 : 1;
    cr_assert_eq (sd_repair_rounds (&st, &err), SD_OK);
    expect_completion (&st, keep, n);
    uint64_t *freq = sd_alloc (st.used, sizeof *freq);
    memcpy (freq, st.freq, st.used * sizeof *freq);
    sd_repair_count_symbols (&st);
    for (unsigned id = 0; id < st.used; id++)
      cr_assert_eq (freq[id], st.freq[id], "id %u", id);
    free (freq);
    length[batch] = st.n + 3 * st.used;
    if (batch)
      cr_expect_lt (st.rounds, st.used / 10, "%" PRIu64 " rounds for %u ids", st.rounds, st.used);
    sd_repair_clear (&st);
  }
  cr_expect_lt (length[1], length[0] + length[0] / 20, "%" PRIu64 " in batches, %" PRIu64 " pair by pair",
                length[1], length[0]);
  free (keep);
  suite_free (&q);
}

/* --------------------------------------------------- worked examples */

/* Letters: - 0 + * # stand for 0 1 2 3 4; # is - or 0. */
typedef struct letters {
  sd_alphabet *alphabet;
  sd_symbol sym[200];
  sd_seq seq;
  sd_repair st;
} letters;

static void letters_open (letters *l, const char *text, const sd_pair_rule *pair) {
  sd_error err;
  l->alphabet = alphabet_with_star (3);
  l->seq = (sd_seq){ .alphabet = l->alphabet, .sym = l->sym, .n = strlen (text) };
  for (size_t i = 0; text[i]; i++)
    l->sym[i] = (sd_symbol) (strchr ("-0+*#", text[i]) - "-0+*#");
  cr_assert_eq (sd_repair_init (&l->st, &l->seq, 100, &err), SD_OK);
  l->st.pair = pair;
  l->st.max_batch = 1;
  l->st.min_count = 2;
}
/* The sequence, phrases as A, B, ... */
static const char *letters_text (const letters *l) {
  static char out[201];
  for (uint64_t i = 0; i < l->st.n; i++)
    out[i] = (char) (l->st.sym[i] < 5 ? "-0+*#"[l->st.sym[i]] : 'A' + l->st.sym[i] - 5);
  out[l->st.n] = 0;
  return out;
}
static void letters_close (letters *l) {
  sd_repair_clear (&l->st);
  sd_alphabet_free (l->alphabet);
}

Test (repair, a_pair_takes_what_has_it_as_a_completion) {
  static const struct {
    const char *in, *exact, *subdefinite;
  } examples[] = {
    { "0+-0+-0+", "A-A-A", "A-A-A" },        /* no freedom */
    { "0+0+0+**", "AAA**", "AAAA" },         /* ** */
    { "0+0+0+-*+", "AAA-*+", "AAA-A" },      /* *B */
    { "0+0+0+0*-", "AAA0*-", "AAAA-" },      /* A* */
    { "0+0+0+#+-", "AAA#+-", "AAAA-" },      /* # may be 0 */
    { "0+0+0+0#-", "AAA0#-", "AAA0#-" },     /* # may not be + */
    { "0+0+0+-***", "AAA-***", "AAA-A*" },   /* from left to right */
    { "-0-0-0+##*#", "AAA+##*#", "AAA+AA" }, /* ## and *# as -0 */
  };
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
    for (int sub = 0; sub < 2; sub++) {
      letters l;
      sd_error err;
      letters_open (&l, examples[i].in, sub ? &sd_pair_subdefinite : &sd_pair_exact);
      l.st.limit = l.st.a + 1; /* one phrase */
      cr_assert_eq (sd_repair_rounds (&l.st, &err), SD_OK);
      cr_expect_str_eq (letters_text (&l), sub ? examples[i].subdefinite : examples[i].exact,
                        "%s, rule %d: %s", examples[i].in, sub, letters_text (&l));
      letters_close (&l);
    }
}

Test (repair, final_replacement_fills_blocks_with_the_longest_phrase) {
  static const struct {
    const char *in, *longest, *frequent;
  } examples[] = {
    /* A = 00, B = AA; 0 stands alone nowhere, so a lone slot takes the sign that does */
    { "0000-+0000+-0000-****+", "B-+B+-B-B+", "B-+B+-B-----+" },
    { "0000-+0000+-0000-***+", "B-+B+-B-A-+", "B-+B+-B----+" },
    { "0000-+0000+-0000-******+", "B-+B+-B-BA+", "B-+B+-B-------+" },
    { "0000-+0000+-0000-####+", "B-+B+-B-B+", "B-+B+-B-----+" }, /* # may be 0 */
  };
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
    for (int longest = 0; longest < 2; longest++) {
      letters l;
      sd_error err;
      sd_symbol slot[200];
      letters_open (&l, examples[i].in, &sd_pair_exact);
      memcpy (slot, l.sym, sizeof slot);
      l.st.min_count = 3;
      l.st.limit = l.st.a + 2;
      uint64_t n = l.st.n;
      cr_assert_eq (sd_repair_rounds (&l.st, &err), SD_OK);
      cr_assert_eq ((longest ? sd_final_longest : sd_final_frequent).run (&l.st, &err), SD_OK);
      expect_completion (&l.st, slot, n);
      const char *want = longest ? examples[i].longest : examples[i].frequent;
      cr_expect_str_eq (letters_text (&l), want, "%s: %s, expected %s", examples[i].in, letters_text (&l),
                        want);
      letters_close (&l);
    }
}

Test (repair, final_replacement_handles_long_runs_and_many_short_ones) {
  enum { N = 60000 };
  sd_alphabet *a = alphabet_with_star (3);
  sd_symbol *sym = sd_alloc (N, sizeof *sym), *slot = sd_alloc (N, sizeof *slot);
  uint64_t rng = 5;
  for (unsigned shape = 0; shape < 3; shape++) {
    for (unsigned i = 0; i < N; i++) {
      uint64_t x = sd_random (&rng);
      unsigned run = shape == 0 ? i / 9000 % 2 : shape == 1 ? x % 3 == 0 : i % 70 < 69;
      sym[i] = (sd_symbol) (run ? 3 + (x >> 8) % 16 / 15 : i / 7 % 3 + (x >> 32) % 64 / 63);
      slot[i] = sym[i] = sym[i] > 4 ? 4 : sym[i];
    }
    sd_seq seq = { .alphabet = a, .sym = sym, .n = N };
    sd_repair st;
    sd_error err;
    cr_assert_eq (sd_repair_init (&st, &seq, 5000, &err), SD_OK);
    cr_assert_eq (sd_repair_rounds (&st, &err), SD_OK);
    cr_assert_eq (sd_final_longest.run (&st, &err), SD_OK);
    expect_completion (&st, slot, N);
    uint64_t before = st.n;
    cr_assert_eq (sd_repair_prune (&st), SD_OK);
    expect_completion (&st, slot, N);
    cr_expect_lt (st.n, before + before / 10);
    sd_repair_clear (&st);
  }
  free (sym);
  free (slot);
  sd_alphabet_free (a);
}

Test (repair, recompressing_leaves_no_known_pair) {
  letters l;
  sd_error err;
  letters_open (&l, "0+0+0+-0+0+-0++0+0-+0", &sd_pair_exact);
  cr_assert_eq (sd_repair_rounds (&l.st, &err), SD_OK);
  unsigned used = l.st.used;
  sd_symbol slot[200];
  l.st.n = 21;
  for (unsigned i = 0; i < 21; i++)
    l.sym[i] = slot[i] = (sd_symbol) (1 + i % 2);
  cr_assert_eq (sd_repair_recompress (&l.st), SD_OK);
  expect_completion (&l.st, slot, 21);
  for (uint64_t i = 0; i + 1 < l.st.n; i++)
    for (unsigned id = l.st.a; id < used; id++)
      cr_expect (l.sym[i] != l.st.left[id] || l.sym[i + 1] != l.st.right[id]);
  letters_close (&l);
}

/* ------------------------------------------------------------- sizes */

static size_t size_of (unsigned m, const sd_symbol *sym, uint64_t n, const char *settings,
                       sd_codec_parts *parts) {
  suite_seq q = { .kind = "sizes", .alphabet = alphabet_with_star (m) };
  sd_decoder *d;
  sd_error err;
  q.seq = (sd_seq){ .alphabet = q.alphabet, .sym = (sd_symbol *) (uintptr_t) sym, .n = n };
  sd_buf out = suite_encode (&sd_codec_repair, &q, settings);
  cr_assert_eq (sd_codec_open (&sd_codec_repair, out.data, out.len, n, m, &d, &err), SD_OK);
  if (parts)
    sd_codec_describe (d, parts);
  sd_symbol *all = sd_alloc (n, sizeof *all);
  cr_assert_eq (sd_codec_read (d, 0, n, all), SD_OK); /* in parallel if n is large */
  cr_assert_eq (sd_seq_first_violation (&q.seq, all), n);
  free (all);
  sd_codec_close (d);
  size_t len = out.len;
  sd_buf_free (&out);
  sd_alphabet_free (q.alphabet);
  return len;
}

Test (repair, simple_sequences_take_few_bytes) {
  enum { N = 1 << 20 };
  sd_symbol *sym = sd_alloc0 (N, sizeof *sym);
  cr_expect_leq (size_of (3, sym, N, "", NULL), 2, "all equal");
  cr_expect_leq (size_of (3, sym, 0, "", NULL), 2, "empty");
  cr_expect_leq (size_of (1, sym, N, "", NULL), 2, "one symbol only");
  for (unsigned i = 0; i < N; i++)
    sym[i] = i % 5 ? 3 : 1;
  cr_expect_leq (size_of (3, sym, N, "initial=none", NULL), 2, "1 or anything");
  for (unsigned i = 0; i < N; i++)
    sym[i] = i & 1;
  cr_expect_leq (size_of (3, sym, N, "", NULL), 30, "alternating: %zu", size_of (3, sym, N, "", NULL));
  memset (sym, 0, N * sizeof *sym);
  sym[N / 3] = 2;
  cr_expect_leq (size_of (3, sym, N, "", NULL), 70, "one exception: %zu", size_of (3, sym, N, "", NULL));
  cr_expect_leq (size_of (3, sym + N / 3, 1, "", NULL), 2, "one");
  cr_expect_leq (size_of (3, sym + N / 3 - 1, 2, "", NULL), 8, "two: %zu",
                 size_of (3, sym + N / 3 - 1, 2, "", NULL));
  uint64_t rng = 3;
  for (unsigned i = 0; i < N; i++)
    sym[i] = sd_random (&rng) & 255;
  size_t noise = size_of (256, sym, N, "", NULL);
  cr_expect_lt (noise, N + N / 50, "noise of 8 bits a symbol: %zu bytes", noise);
  free (sym);
}

/* White king, white rook, black king on 64 x 64 x 64: lost, drawn or won by distances and lines, free where
 * two men share a square or the black king is in check. Something like a table, made of arithmetic only. */
static sd_symbol *board_like (uint64_t *n) {
  *n = 64 * 64 * 64;
  sd_symbol *sym = sd_alloc (*n, sizeof *sym);
  for (unsigned i = 0; i < *n; i++) {
    int k = i & 63, r = i >> 6 & 63, w = i >> 12, value;
    int dk = abs (k % 8 - w % 8) > abs (k / 8 - w / 8) ? abs (k % 8 - w % 8) : abs (k / 8 - w / 8);
    int dr = abs (k % 8 - r % 8) > abs (k / 8 - r / 8) ? abs (k % 8 - r % 8) : abs (k / 8 - r / 8);
    if (k == r || k == w || r == w || dk < 2)
      value = 3;
    else if (k % 8 == r % 8 || k / 8 == r / 8)
      value = w % 3 ? 4 : 0;
    else
      value = dr == 1 ? 1 : dk > 5 ? 2 : dr > dk + 1 ? 1 : 0;
    sym[i] = (sd_symbol) value;
  }
  return sym;
}

Test (repair, sizes_of_a_table_stay_where_they_were) {
  static const struct {
    const char *settings;
    size_t bound;
  } rows[] = {
    { "", 23066 },           { "initial=none", 24254 }, { "pair=exact,final=frequent,initial=none", 46259 },
    { "block=1024", 22802 }, { "symbols=1000", 25036 },
  };
  uint64_t n;
  sd_symbol *sym = board_like (&n);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sd_codec_parts p;
    size_t size = size_of (3, sym, n, rows[i].settings, &p);
    cr_expect_leq (size, rows[i].bound,
                   "%s: %zu bytes (header %" PRIu64 ", model %" PRIu64 ", index %" PRIu64 ", payload %" PRIu64
                   "), was %zu",
                   rows[i].settings, size, p.header, p.model, p.index, p.payload, rows[i].bound);
  }
  free (sym);
}

Test (repair, limits_on_phrases_are_kept) {
  uint64_t n;
  sd_symbol *sym = board_like (&n);
  sd_codec_parts p;
  size_t free_size = size_of (3, sym, n, "", &p);
  cr_expect_gt (p.symbols, 100);
  cr_expect_lt (free_size, size_of (3, sym, n, "symbols=100", &p));
  cr_expect_leq (p.symbols, 100);
  cr_expect_gt (p.symbols, 90);
  size_of (3, sym, n, "maxlen=1", &p);
  cr_expect_eq (p.symbols, 0);
  size_of (3, sym, n, "maxlen=2", &p);
  cr_expect (p.symbols > 0 && p.symbols <= 9, "%" PRIu64 " pairs of three symbols", p.symbols);
  size_of (3, sym, n, "block=16", &p);
  cr_expect_eq (p.blocks, (p.payload + 15) / 16);
  cr_expect_lt (p.index, 2 * p.blocks, "less than 16 bits a block");
  free (sym);
}

/* ------------------------------------------------------ index of starts */

static void check_starts (const uint64_t *start, uint64_t blocks, uint64_t n) {
  sd_buf out = { 0 };
  sd_starts s;
  sd_starts_write (start, blocks, n, &out);
  cr_assert_eq (out.len, sd_starts_bytes (blocks, n));
  uint8_t *exact = sd_alloc (out.len, 1);
  if (out.len)
    memcpy (exact, out.data, out.len);
  cr_assert_eq (sd_starts_open (&s, exact, out.len, out.len, blocks, n), SD_OK, "%" PRIu64 " blocks", blocks);
  for (uint64_t b = 0; b < blocks; b++) {
    uint64_t next = b + 1 < blocks ? start[b + 1] : n, at[3] = { start[b], (start[b] + next) / 2, next - 1 };
    for (int k = 0; k < 3; k++) {
      uint64_t first, end, found = sd_starts_find (&s, at[k], &first, &end);
      cr_assert (found == b && first == start[b] && end == next,
                 "position %" PRIu64 " of %" PRIu64 ", %" PRIu64 " blocks: block %" PRIu64 " (%" PRIu64
                 "..%" PRIu64 "), expected %" PRIu64 " (%" PRIu64 "..%" PRIu64 ")",
                 at[k], n, blocks, found, first, end, b, start[b], next);
    }
  }
  sd_starts_close (&s);
  cr_expect_eq (sd_starts_open (&s, exact, out.len + 1, out.len + 1, blocks, n),
                blocks < 2 ? SD_OK : SD_EFORMAT);
  if (blocks > 1) {
    for (unsigned bit = 0; bit < 8 * out.len && bit < 400;
         bit++) { /* any start moved: another list or none */
      exact[bit / 8] ^= (uint8_t) (1 << bit % 8);
      if (sd_starts_open (&s, exact, out.len, out.len, blocks, n) == SD_OK) {
        uint64_t first, end, b = sd_starts_find (&s, n - 1, &first, &end);
        cr_expect (b < blocks && first < n && end == n);
        sd_starts_close (&s);
      }
      exact[bit / 8] ^= (uint8_t) (1 << bit % 8);
    }
  }
  free (exact);
  sd_buf_free (&out);
}

Test (repair, the_index_finds_every_block) {
  enum { MOST = 5000 };
  uint64_t start[MOST], rng = 1;
  start[0] = 0;
  check_starts (start, 1, 1);
  check_starts (start, 1, UINT32_MAX);
  for (unsigned shape = 0; shape < 40; shape++) {
    uint64_t blocks = 2 + sd_random (&rng) % (shape < 20 ? 20 : MOST - 2), n = 0;
    for (uint64_t b = 0; b < blocks; b++) {
      uint64_t x = sd_random (&rng);
      start[b] = n;
      n += 1
           + (shape % 4 == 0   ? 0
              : shape % 4 == 1 ? x % 100
              : shape % 4 == 2 ? (x & 63 ? x >> 8 & 7 : x >> 8 & 1048575) /* crowds and gaps */
                               : x % 20000);
    }
    check_starts (start, blocks, n);
  }
}

/* --------------------------------------------------------------- model */

static int reread (const sd_model *model, sd_model *back) {
  sd_buf out = { 0 };
  sd_error err = { 0 };
  sd_model_write (model, &out);
  cr_assert_eq (sd_buf_status (&out), SD_OK);
  sd_reader r = sd_reader_of (out.data, out.len);
  int st = sd_model_read (&r, model->m, back, &err);
  cr_expect (st || r.p == r.end);
  cr_expect (!st || (err.status == st && err.text[0]));
  sd_buf_free (&out);
  return st;
}

Test (repair, a_dictionary_survives_writing) {
  uint64_t rng = 12;
  for (unsigned round = 0; round < 60; round++) {
    unsigned m = 1 + sd_random (&rng) % (round % 2 ? 5 : 400), ids = m + sd_random (&rng) % 900;
    sd_model model, back;
    cr_assert_eq (sd_model_alloc (&model, m, ids), SD_OK);
    for (unsigned v = 0; v < ids; v++) {
      if (v >= m) {
        unsigned low = v > m ? model.left[v - 1] : 0, high = v < low + 2 ? v : low + 2;
        model.left[v] = (sd_symbol) (low + sd_random (&rng) % (high - low));
        model.right[v] = (sd_symbol) (sd_random (&rng) % (v % 8 ? m : v < 100 ? v : 100));
      }
      bool sibling = v > m && model.left[v] == model.left[v - 1];
      unsigned least = sibling ? model.bits[v - 1] : 0;
      model.bits[v] = (uint8_t) (least + sd_random (&rng) % (33 - least));
    }
    cr_assert_eq (reread (&model, &back), SD_OK, "round %u", round);
    cr_assert_eq (back.ids, ids);
    cr_assert_eq (memcmp (back.bits, model.bits, ids), 0);
    for (unsigned v = m; v < ids; v++)
      cr_assert (back.left[v] == model.left[v] && back.right[v] == model.right[v]
                 && back.length[v] == back.length[model.left[v]] + back.length[model.right[v]]);
    sd_model_free (&model);
    sd_model_free (&back);
  }
}

Test (repair, impossible_dictionaries_are_refused) {
  sd_model model, back;
  cr_assert_eq (sd_model_alloc (&model, 2, 4), SD_OK);
  model.left[2] = 0, model.right[2] = 3, model.left[3] = 0, model.right[3] = 2;
  cr_expect_eq (reread (&model, &back), SD_EFORMAT, "a cycle of two phrases");
  model.right[2] = 2, model.right[3] = 0;
  cr_expect_eq (reread (&model, &back), SD_EFORMAT, "a phrase that contains itself");
  sd_model_free (&model);
  for (unsigned deep = SD_REPAIR_MAX_DEPTH; deep <= SD_REPAIR_MAX_DEPTH + 1; deep++) {
    cr_assert_eq (sd_model_alloc (&model, 2, 2 + deep), SD_OK);
    for (unsigned v = 2; v < model.ids; v++)
      model.left[v] = (sd_symbol) (v == 2 ? 0 : v - 1);
    bool good = deep == SD_REPAIR_MAX_DEPTH;
    cr_expect_eq (reread (&model, &back), good ? SD_OK : SD_EFORMAT, "%u levels", deep);
    if (good)
      sd_model_free (&back);
    sd_model_free (&model);
  }
  for (unsigned doublings = 30; doublings <= 31; doublings++) {
    cr_assert_eq (sd_model_alloc (&model, 2, 2 + doublings), SD_OK);
    for (unsigned v = 2; v < model.ids; v++)
      model.left[v] = model.right[v] = (sd_symbol) (v == 2 ? 0 : v - 1);
    bool good = doublings == 30;
    cr_expect_eq (reread (&model, &back), good ? SD_OK : SD_EFORMAT, "2^%u positions", doublings);
    if (good)
      sd_model_free (&back);
    sd_model_free (&model);
  }
}

Test (repair, errors_name_the_place) {
  static const uint8_t cut[] = { 1, 112, 1, 50, 1 }, many[] = { 1, 112, 10, 1, 0 },
                       large[] = { 1, 0xff, 0xff, 7, 1 };
  static const struct {
    const uint8_t *data;
    size_t len;
    uint64_t n;
    const char *text;
  } rows[] = {
    { cut, 5, 9, "repair: model: cut off, 50 bytes are announced" },
    { cut, 2, 9, "repair: header: cut off" },
    { many, 5, 9, "repair: header: 10 blocks for 9 positions" },
    { large, 5, 9, "repair: header: cut off, or blocks of more than 65536 bytes" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sd_decoder *d;
    sd_error err = { 0 };
    cr_expect_eq (sd_codec_open (&sd_codec_repair, rows[i].data, rows[i].len, rows[i].n, 3, &d, &err),
                  SD_EFORMAT);
    cr_expect (strstr (err.text, rows[i].text), "%s", err.text);
  }
}
