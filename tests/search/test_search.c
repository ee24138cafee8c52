/* Forward search: hashes, the transposition table, mates against exact values and against plain minimax. */
#include "config.h"
#include "search/search.h"
#include "tests/probe/three_men.h"

/* ------------------------------------------------------------------------ hashes */

static sd_pos pos_of (const char *fen) {
  sd_pos p;
  sd_error err = { 0 };
  cr_assert (sd_pos_from_fen (fen, &p, &err) == SD_OK, "%s", err.text);
  return p;
}

static bool same (sd_hash a, sd_hash b) {
  return a.f == b.f && a.g == b.g;
}

Test (hash, kept_up_move_by_move_it_equals_the_hash_from_scratch) {
  static const char *const fen[] = { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
                                     "8/P2k3p/8/2pP4/8/8/1p1K3P/R7 w - c6 0 1",
                                     "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1",
                                     "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" };
  sd_zobrist z;
  uint64_t seed = 5, en_passant = 0, promotions = 0, captures = 0;
  sd_zobrist_fill (&z, 1);
  for (unsigned game = 0; game < 2000; game++) {
    sd_pos p = pos_of (fen[game % 4]), q;
    sd_hash h = sd_hash_of (&z, &p);
    for (unsigned ply = 0; ply < 60; ply++) {
      sd_move move[SD_MAX_MOVES];
      const unsigned n = sd_moves (&p, SD_MOVES_ALL, move);
      if (!n)
        break;
      const sd_move *m = &move[sd_random (&seed) % n];
      sd_pos_apply (&p, m, &q);
      h = sd_hash_after (&z, h, &p, m, &q);
      cr_assert (same (h, sd_hash_of (&z, &q)), "game %u, ply %u", game, ply);
      en_passant += m->en_passant;
      promotions += m->promotion != SD_NO_PIECE;
      captures += m->captured != SD_NO_PIECE;
      p = q;
    }
  }
  cr_expect (en_passant > 5 && promotions > 50 && captures > 50);
}

Test (hash, both_hashes_tell_the_side_to_move_and_the_en_passant_right) {
  sd_zobrist z;
  sd_zobrist_fill (&z, 1);
  const sd_pos p = pos_of ("8/3k4/8/2pP4/8/8/3K4/8 w - c6 0 1");
  sd_pos q = p;
  q.ep = SD_NO_SQUARE;
  const sd_hash a = sd_hash_of (&z, &p), b = sd_hash_of (&z, &q);
  q.stm = SD_BLACK;
  const sd_hash c = sd_hash_of (&z, &q);
  cr_expect (a.f != b.f && a.g != b.g && b.f != c.f && b.g != c.g && a.f != a.g);
}

Test (hash, the_numbers_depend_on_the_seed_alone) {
  sd_zobrist a, b, c;
  sd_zobrist_fill (&a, 1);
  sd_zobrist_fill (&b, 1);
  sd_zobrist_fill (&c, 2);
  cr_expect (memcmp (&a, &b, sizeof a) == 0);
  cr_expect (memcmp (&a, &c, sizeof a) != 0);
  cr_expect (a.man[0][0][0].f == UINT64_C (0x910a2dec89025cc1), "splitmix64 of 1: %llx",
             (unsigned long long) a.man[0][0][0].f);
}

/* ------------------------------------------------------------------------- table */

Test (transposition, an_entry_has_eight_bytes_and_the_fields_of_the_document) {
  cr_expect (sizeof (sd_entry) == 8);
  cr_expect (sizeof ((sd_entry *) 0)->score == 2 && sizeof ((sd_entry *) 0)->depth == 1);
  cr_expect (sizeof ((sd_entry *) 0)->flags == 1 && sizeof ((sd_entry *) 0)->code == 4);
  sd_trans *t;
  cr_assert (sd_trans_new (&(sd_trans_options){ .slots = 1000 }, &t, NULL) == SD_OK);
  cr_expect (sd_trans_bytes (t) == 8000);
  sd_trans_free (t);
  cr_assert (sd_trans_new (&(sd_trans_options){ .slots = 1000, .code_bits = 33 }, &t, NULL) == SD_OK);
  cr_expect (sd_trans_bytes (t) == 16000);
  sd_trans_free (t);
}

Test (transposition, wrong_options_are_refused) {
  sd_trans *t;
  sd_error err = { 0 };
  cr_expect (sd_trans_new (&(sd_trans_options){ .slots = 0 }, &t, &err) == SD_EINVAL && !t && err.text[0]);
  cr_expect (sd_trans_new (&(sd_trans_options){ .slots = 8, .code_bits = 65 }, &t, &err) == SD_EINVAL && !t);
  cr_expect (sd_trans_new (&(sd_trans_options){ .slots = UINT64_MAX }, &t, &err) == SD_ENOMEM && !t);
  sd_trans_free (NULL);
}

/* Store with depth `first`, then for another position of the same slot with depth `second`; which one stands
 * there? */
static bool second_replaces (bool keep_deeper, unsigned first, unsigned second) {
  const sd_trans_options o = { .slots = 7, .keep_deeper = keep_deeper };
  const sd_pos p = pos_of ("8/8/8/8/8/1K6/2R5/k7 w - -");
  const sd_hash a = { 3, 1 }, b = { 10, 2 }; /* 10 mod 7 = 3 */
  sd_trans *t;
  sd_trans_found e;
  cr_assert (sd_trans_new (&o, &t, NULL) == SD_OK);
  cr_expect (!sd_trans_find (t, a, &p, &e));
  sd_trans_store (t, a, &p, &(sd_trans_found){ -31990, first, SD_AT_MOST, false });
  cr_expect (sd_trans_find (t, a, &p, &e) && e.score == -31990 && e.depth == first && e.flags == SD_AT_MOST);
  cr_expect (!sd_trans_find (t, b, &p, &e), "another code");
  sd_trans_store (t, b, &p, &(sd_trans_found){ 17, second, SD_EXACT, false });
  const bool old = sd_trans_find (t, a, &p, &e), fresh = sd_trans_find (t, b, &p, &e);
  cr_expect (old != fresh);
  cr_expect (sd_trans_counted (t)->refused == old);
  sd_trans_clear (t);
  cr_expect (!sd_trans_find (t, a, &p, &e) && !sd_trans_find (t, b, &p, &e));
  sd_trans_free (t);
  return fresh;
}

Test (transposition, always_a_new_entry_replaces_an_old_one) {
  cr_expect (second_replaces (false, 9, 1) && second_replaces (false, 1, 9)
             && second_replaces (false, 255, 0));
}

Test (transposition, or_only_if_its_depth_is_at_least_the_old_one) {
  cr_expect (!second_replaces (true, 9, 8) && second_replaces (true, 9, 9) && second_replaces (true, 1, 9));
  cr_expect (!second_replaces (true, 255, 254));
}

/* Is an entry with code g found by one who asks with the code `with`, with so many bits? */
static bool matches (unsigned bits, uint64_t g, uint64_t with, bool *other) {
  const sd_trans_options o = { .slots = 1, .code_bits = bits, .keep_positions = true };
  const sd_pos p = pos_of ("8/8/8/8/8/1K6/2R5/k7 w - -"), q = pos_of ("8/8/8/8/8/1K6/2R5/k7 b - -");
  sd_trans *t;
  sd_trans_found e = { 0 };
  cr_assert (sd_trans_new (&o, &t, NULL) == SD_OK);
  sd_trans_store (t, (sd_hash){ 0, g }, &p, &(sd_trans_found){ 1, 1, SD_EXACT, false });
  cr_expect (sd_trans_find (t, (sd_hash){ 0, g }, &p, &e) && !e.other);
  cr_expect (sd_trans_counted (t)->others == 0);
  const bool found = sd_trans_find (t, (sd_hash){ 0, with }, &q, &e);
  *other = e.other;
  cr_expect (sd_trans_counted (t)->others == 1 && sd_trans_counted (t)->false_matches == found);
  cr_expect (sd_trans_counted (t)->probes == 2 && sd_trans_counted (t)->occupied == 2);
  sd_trans_free (t);
  return found;
}

Test (transposition, false_matches_are_those_of_the_bits_of_the_code_and_are_counted) {
  bool other;
  cr_expect (matches (8, 0x105, 0x205, &other) && other, "8 bits do not tell these apart");
  cr_expect (!matches (10, 0x105, 0x205, &other) && other);
  cr_expect (matches (32, UINT64_C (5) << 32, 0, &other) && matches (0, UINT64_C (5) << 32, 0, &other));
  cr_expect (!matches (33, UINT64_C (5) << 32, 0, &other) && !matches (64, UINT64_C (1) << 63, 0, &other));
}

/* ------------------------------------------------------------------------ search */

static sd_mate_search *search_of (sd_trans_options table) {
  sd_mate_search *s;
  sd_error err = { 0 };
  cr_assert (sd_mate_search_new (&(sd_mate_options){ .table = table, .seed = 1 }, &s, &err) == SD_OK, "%s",
             err.text);
  return s;
}

static const sd_trans_options tables[] = {
  { 0 },                                  /* none */
  { .slots = 1 << 16 },                   /* 8 bytes */
  { .slots = 1000, .keep_deeper = true }, /* crowded */
  { .slots = 1 << 16, .code_bits = 64 },  /* 16 bytes */
  { .slots = 99991, .keep_positions = true },
};

/* Every stride-th position of an ending: what the search finds within so many plies is its exact value, or
 * nothing if that is longer. */
static void compare (const sd_exact *e, uint64_t stride, unsigned plies) {
  for (unsigned k = 0; k < sizeof tables / sizeof tables[0]; k++) {
    sd_mate_search *s = search_of (tables[k]);
    const unsigned most = tables[k].slots ? plies : 3; /* without a table it takes long */
    unsigned mates = 0, none = 0;
    for (unsigned side = 0; side < 2; side++)
      for (uint64_t i = 0; i < e->n; i += stride) {
        sd_pos p;
        if (!position (e, side, i, &p))
          continue;
        const sd_value v = e->value[side][i];
        const unsigned n = v > 0 ? (unsigned) v : v < 0 ? (unsigned) (-v - 1) : 999;
        int found;
        cr_assert (sd_mate_find (s, &p, most, &found) == SD_OK);
        cr_assert (found == (n <= most ? v : 0), "table %u, side %u, slot %llu: found %d, exact %d", k, side,
                   (unsigned long long) i, found, v);
        mates += found != 0;
        none += found == 0;
      }
    cr_expect (mates > 0 && none > 20, "table %u: %u mates, %u others", k, mates, none);
    sd_mate_search_free (s);
  }
}

TestSuite (search, .init = make_folder, .fini = remove_folder);

Test (search, finds_the_exact_mates_of_KQvK_and_KRvK_and_none_that_are_longer) {
  sd_values *s = three_men ("KQvK");
  const sd_exact *e;
  const sd_material m = material ("KQvK"), r = material ("KRvK");
  cr_assert (sd_values_whole (s, &m, &e, NULL) == SD_OK);
  compare (e, 61, 7);
  sd_values_free (s);
  s = three_men ("KRvK");
  cr_assert (sd_values_whole (s, &r, &e, NULL) == SD_OK);
  compare (e, 61, 6);
  sd_values_free (s);
}

Test (search, searches_on_through_promotions_of_KPvK) {
  sd_values *s = three_men ("KPvK");
  const sd_exact *e;
  const sd_material m = material ("KPvK");
  cr_assert (sd_values_whole (s, &m, &e, NULL) == SD_OK);
  compare (e, 97, 7);
  sd_values_free (s);
}

static int mate_of (const char *fen, unsigned plies) {
  sd_mate_search *s = search_of (tables[1]);
  const sd_pos p = pos_of (fen);
  int found;
  cr_assert (sd_mate_find (s, &p, plies, &found) == SD_OK);
  sd_mate_search_free (s);
  return found;
}

Test (search, knows_mate_stalemate_and_bare_kings) {
  cr_expect (mate_of ("k1K5/8/8/8/8/8/8/R7 b - -", 0) == -1, "mated on the board");
  cr_expect (mate_of ("k7/8/1Q6/8/8/8/8/7K b - -", 9) == 0, "stalemate");
  cr_expect (mate_of ("k7/8/1K6/8/8/8/8/7R w - -", 0) == 0 && mate_of ("k7/8/1K6/8/8/8/8/7R w - -", 9) == 1);
  cr_expect (mate_of ("8/8/3k4/8/8/3K4/8/8 w - -", 20) == 0);
}

Test (search, mates_by_an_en_passant_capture) {
  /* exd6 opens the fifth rank for the rook */
  const char *with = "5N2/8/7p/R2pP2k/8/5KP1/8/8 w - d6 0 1",
             *without = "5N2/8/7p/R2pP2k/8/5KP1/8/8 w - - 0 1";
  const sd_pos p = pos_of (with);
  cr_assert (p.ep != SD_NO_SQUARE);
  cr_expect (mate_of (with, 1) == 1 && mate_of (without, 1) == 0, "%d %d", mate_of (with, 5),
             mate_of (without, 5));
}

static int balance (const sd_pos *p) {
  int sum = 0;
  for (unsigned t = SD_PAWN; t < SD_KING; t++)
    sum += (int) (t + 1)
           * (__builtin_popcountll (p->by[p->stm][t]) - __builtin_popcountll (p->by[p->stm ^ 1u][t]));
  return sum;
}

/* The value by trying everything. */
static int minimax (const sd_pos *p, unsigned depth) {
  sd_move move[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, move);
  if (!n)
    return sd_in_check (p, p->stm) ? -SD_MATE : 0;
  if (!depth)
    return balance (p);
  int best = -SD_MATE - 1;
  for (unsigned i = 0; i < n; i++) {
    sd_pos q;
    sd_pos_apply (p, &move[i], &q);
    int v = -minimax (&q, depth - 1);
    v += v > SD_MATE_LEAST ? -1 : v < -SD_MATE_LEAST ? 1 : 0;
    best = v > best ? v : best;
  }
  return best;
}

Test (search, with_an_evaluation_it_finds_the_value_of_plain_minimax) {
  static const char *const fen[] = { "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w - -",
                                     "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", "4k3/P6P/8/8/8/8/p6p/4K3 b - -",
                                     "7k/5Q2/8/8/8/8/8/K5R1 b - -" };
  for (unsigned i = 0; i < 4; i++)
    for (unsigned depth = 0; depth <= 3; depth++) {
      const sd_pos p = pos_of (fen[i]);
      const int right = minimax (&p, depth);
      for (unsigned k = 0; k < 2; k++) {
        sd_mate_search *s;
        int v;
        cr_assert (sd_mate_search_new (
                       &(sd_mate_options){ .table = tables[k], .seed = 3, .evaluate = balance }, &s, NULL)
                   == SD_OK);
        cr_assert (sd_mate_score (s, &p, depth, -SD_MATE - 1, SD_MATE + 1, &v) == SD_OK);
        cr_expect (v == right, "%s, depth %u, table %u: %d, expected %d", fen[i], depth, k, v, right);
        cr_assert (sd_mate_score (s, &p, depth, right, right + 1, &v) == SD_OK && v <= right);
        cr_assert (sd_mate_score (s, &p, depth, right - 1, right, &v) == SD_OK && v >= right);
        sd_mate_search_free (s);
      }
    }
}

Test (search, ends_at_the_limit_of_nodes_and_can_be_asked_again) {
  const sd_mate_options o = { .table = { .slots = 4096 }, .seed = 1, .most_nodes = 1000 };
  const sd_pos p = pos_of ("8/8/8/3k4/8/8/8/KQ6 w - -"), easy = pos_of ("k7/8/1K6/8/8/8/8/7R w - -");
  sd_mate_search *s;
  int v;
  cr_assert (sd_mate_search_new (&o, &s, NULL) == SD_OK);
  cr_expect (sd_mate_find (s, &p, 19, &v) == SD_ERANGE);
  cr_expect_eq (sd_mate_nodes (s), 1000, "over all depths");
  cr_expect (sd_mate_find (s, &easy, 19, &v) == SD_OK && v == 1);
  cr_expect (sd_mate_nodes (s) > 1000);
  sd_mate_search_free (s);
}
