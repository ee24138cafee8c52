/* Tests of taking moves back: against a slow board that tries every position before, against the moves
 * themselves, and the numbers of positions that no move leads to in whole endings. */
#include "config.h"
#include "chess/chess.h"
#include "tests/chess/chess_oracle.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static sd_material read_material (const char *name) {
  sd_material m;
  cr_assert_eq (sd_material_parse (name, &m, NULL), SD_OK, "%s", name);
  return m;
}

/* Does a move of this position, in which `us` is to move, lead to p? */
static bool leads_to (const oracle_board *before, unsigned from, const sd_pos *p) {
  const sd_pos q = oracle_pos (before);
  sd_move moves[SD_MAX_MOVES];
  if (((q.by[0][SD_PAWN] | q.by[1][SD_PAWN]) & UINT64_C (0xff000000000000ff))
      || oracle_check (before, before->stm ^ 1)
      || (q.ep != SD_NO_SQUARE && !(oracle_ep_squares (&q) >> q.ep & 1)))
    return false;
  const unsigned n = oracle_moves (&q, 0, moves);
  for (unsigned i = 0; i < n; i++) {
    const oracle_board after = oracle_play (before, &moves[i]);
    sd_pos r = oracle_pos (&after);
    r.ep = p->ep;
    if (moves[i].from == from && sd_pos_equal (&r, p))
      return true;
  }
  return false;
}

/* By trying every man, where it came from, what it was, what it took. */
static bool oracle_reachable (const sd_pos *p) {
  const oracle_board now = oracle_of (p);
  const unsigned us = now.stm ^ 1;
  for (unsigned to = 0; to < 64; to++)
    for (unsigned from = 0; from < 64 && now.man[to] >= 0 && (unsigned) now.man[to] / 6 == us; from++)
      for (unsigned kind = 0; kind < 14 && now.man[from] < 0; kind++) {
        const bool pawn = kind >= 7; /* before a promotion */
        const unsigned taken = kind % 7;
        oracle_board b = now;
        b.stm = us;
        b.ep = SD_NO_SQUARE;
        b.man[to] = -1;
        b.man[from] = pawn ? (int8_t) (us * 6 + SD_PAWN) : now.man[to];
        if (pawn && now.man[to] == (int) (us * 6 + SD_KING))
          continue;
        if (taken < SD_KING)
          b.man[to] = (int8_t) ((us ^ 1) * 6 + taken);
        else if (taken == SD_KING) { /* in place of that: a pawn en passant */
          const unsigned beside = to ^ 8;
          if (now.man[beside] >= 0)
            continue;
          b.ep = (uint8_t) to;
          b.man[beside] = (int8_t) ((us ^ 1) * 6 + SD_PAWN);
        }
        if (leads_to (&b, from, p))
          return true;
      }
  return false;
}

static sd_pos mirrored (const sd_pos *p, unsigned how) {
  sd_pos q;
  sd_pos_clear (&q);
  q.stm = p->stm;
  for (unsigned s = 0; s < 64; s++)
    for (unsigned i = 0; i < 12; i++)
      if (p->by[i / 6][i % 6] >> s & 1) {
        const unsigned f = how & 1 ? 7 - s % 8 : s % 8, r = how & 2 ? 7 - s / 8 : s / 8;
        sd_pos_put (&q, i / 6, i % 6, how & 4 ? f * 8 + r : r * 8 + f);
      }
  return q;
}

Test (unmoves, agree_with_trying_every_position_before, .timeout = 600) {
  static const char *const endings[] = { "KPvK", "KBvK", "KQQvK", "KPvKP", "KPPvKP", "KBBvKR", "KRPvKP" };
  uint64_t rng = 5;
  unsigned not_reached = 0, by_mirroring = 0;
  for (unsigned round = 0; round < 2100; round++) {
    const sd_material m = read_material (endings[round % 7]);
    sd_pos p;
    oracle_random_position (&m, &rng, false, &p);
    if (!sd_in_check (&p, p.stm) && round % 3) /* what no move leads to is mostly a check */
      continue;
    char fen[92];
    sd_pos_to_fen (&p, fen, sizeof fen);
    const bool reached = oracle_reachable (&p);
    cr_assert_eq (sd_pos_reachable (&p), reached, "%s", fen);
    not_reached += !reached;
    bool any = reached;
    for (unsigned how = 1; how < 8 && !any && !sd_material_has_pawns (&m); how++) {
      const sd_pos q = mirrored (&p, how);
      any = oracle_reachable (&q);
      by_mirroring += any;
    }
    cr_assert_eq (sd_pos_reachable_mirrored (&p), any, "%s", fen);
  }
  cr_assert (not_reached > 20 && by_mirroring > 0, "%u, %u", not_reached, by_mirroring);
}

Test (unmoves, every_move_leads_to_what_can_be_reached) {
  static const char *const endings[] = {
    "KPvKP", "KPPvKP", "KPPvKPP", "KRPvKNP", "KQQvKR", "KBBvK", "KPPPvK"
  };
  uint64_t rng = 6;
  unsigned en_passant = 0;
  for (unsigned round = 0; round < 20000; round++) {
    const sd_material m = read_material (endings[round % 7]);
    sd_pos p, q;
    sd_move moves[SD_MAX_MOVES];
    oracle_random_position (&m, &rng, true, &p);
    const unsigned n = sd_moves (&p, SD_MOVES_ALL, moves);
    for (unsigned i = 0; i < n; i++) {
      sd_pos_apply (&p, &moves[i], &q);
      en_passant += moves[i].en_passant;
      char fen[92], name[6];
      sd_pos_to_fen (&p, fen, sizeof fen);
      sd_move_name (&moves[i], name);
      cr_assert (sd_pos_reachable (&q) && sd_pos_reachable_mirrored (&q), "%s %s", fen, name);
    }
  }
  cr_assert (en_passant > 100, "%u", en_passant);
}

/* Of all positions of an ending that are different up to symmetry, the black king in the triangle a1-d1-d4 or
 * on the files a to d, as in Kristensen 2005: the legal ones; those that no move leads to; of these, those of
 * which that is true of all mirror images. */
typedef struct counts {
  uint64_t legal, unreachable, mirrored;
} counts;

static bool next_placement (uint8_t *sq) { /* of the men but for the kings */
  for (unsigned i = 0; i < 8; i++) {
    if (++sq[i] < 64)
      return true;
    sq[i] = 0;
  }
  return false;
}

static void count_kings (const sd_material *m, unsigned white, unsigned black, unsigned stm, counts *c) {
  static const uint8_t order[] = { SD_QUEEN, SD_ROOK, SD_BISHOP, SD_KNIGHT, SD_PAWN };
  const unsigned men = sd_material_men (m);
  const bool pawns = sd_material_has_pawns (m);
  const bool both = !pawns && white / 8 == white % 8 && black / 8 == black % 8;
  uint8_t sq[9] = { 0 };
  do {
    if (sq[men - 2])
      break; /* all placements have been there */
    sd_pos p;
    bool ok = true;
    unsigned k = 0;
    sd_pos_clear (&p);
    p.stm = (uint8_t) stm;
    sd_pos_put (&p, 0, SD_KING, white);
    sd_pos_put (&p, 1, SD_KING, black);
    for (unsigned colour = 0; colour < 2; colour++)
      for (unsigned t = 0; t < 5; t++)
        for (unsigned n = 0; n < m->count[colour][order[t]]; n++, k++) {
          ok = ok && !((p.occ[0] | p.occ[1]) >> sq[k] & 1) && (!n || sq[k] > sq[k - 1]);
          sd_pos_put (&p, colour, order[t], sq[k]);
        }
    if (!ok || !sd_pos_legal (&p))
      continue;
    if (both) { /* two placements that are mirror images: the smaller one counts */
      const sd_pos q = mirrored (&p, 4);
      uint8_t is[SD_MAX_MEN], other[SD_MAX_MEN];
      sd_pos_to_squares (m, &p, is);
      sd_pos_to_squares (m, &q, other);
      if (memcmp (other, is, men) < 0)
        continue;
    }
    const bool reached = sd_pos_reachable (&p);
    c->legal++;
    c->unreachable += !reached;
    c->mirrored += !reached && !sd_pos_reachable_mirrored (&p);
  } while (next_placement (sq));
}

static counts count (const char *name) {
  const sd_material m = read_material (name);
  const bool pawns = sd_material_has_pawns (&m);
  counts c = { 0, 0, 0 };
  for (unsigned stm = 0; stm < (sd_material_symmetric (&m) ? 1 : 2); stm++)
    for (unsigned black = 0; black < 64; black++)
      for (unsigned white = 0; white < 64; white++) {
        const unsigned f = black % 8, r = black / 8;
        if (f > 3 || (!pawns && (r > f || (r == f && white / 8 > white % 8)))
            || (sd_king_attacks (white) | sd_bit (white)) >> black & 1)
          continue;
        count_kings (&m, white, black, stm, &c);
      }
  return c;
}

typedef struct expected {
  const char *ending;
  counts of;
} expected;

static void check_counts (const expected *want, unsigned n, counts *sum) {
  for (unsigned i = 0; i < n; i++) {
    const counts c = count (want[i].ending);
    cr_expect (memcmp (&c, &want[i].of, sizeof c) == 0, "%s: %" PRIu64 " %" PRIu64 " %" PRIu64,
               want[i].ending, c.legal, c.unreachable, c.mirrored);
    sum->legal += c.legal;
    sum->unreachable += c.unreachable;
    sum->mirrored += c.mirrored;
  }
}

/* Kristensen 2005, 2.7: 0.137 % of the positions with 3 men. */
Test (unmoves, three_men_have_the_share_that_kristensen_prints) {
  static const expected want[] = { { "KQvK", { 46137, 0, 0 } },
                                   { "KRvK", { 50015, 1, 0 } },
                                   { "KBvK", { 52234, 107, 2 } },
                                   { "KNvK", { 53806, 2, 2 } },
                                   { "KPvK", { 165676, 394, 394 } } };
  counts sum = { 0, 0, 0 };
  check_counts (want, 5, &sum);
  cr_expect_eq (sum.legal, 367868);
  cr_expect_eq (sum.unreachable, 504);
  cr_expect_eq ((10000000 * sum.unreachable / sum.legal + 50) / 100, 137);
}

Test (unmoves, endings_with_four_men, .timeout = 600) {
  static const expected want[] = { { "KQQvK", { 1208031, 88413, 83875 } },
                                   { "KBBvK", { 1489788, 16287, 10150 } },
                                   { "KQvKR", { 2467122, 191, 1 } },
                                   { "KPvKP", { 3718044, 17240, 17240 } },
                                   { "KPPvK", { 3719043, 18452, 18452 } } };
  counts sum = { 0, 0, 0 };
  check_counts (want, 5, &sum);
}
