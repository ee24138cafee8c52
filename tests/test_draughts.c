/* English draughts against published figures and a slow second set of rules on an 8 x 8 board. */
#include "config.h"
#include "gen/games.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static sd_draughts *solve_all (unsigned pieces) {
  sd_draughts *d;
  sd_draughts_slice m[64];
  sd_transport t;
  sd_error err = { 0 };
  sd_transport_self (&t);
  cr_assert_eq (sd_draughts_new (&d, &err), SD_OK);
  unsigned n = sd_draughts_order (pieces, m, 64);
  cr_assert_leq (n, 64);
  for (unsigned i = 0; i < n; i++)
    cr_assert_eq (sd_draughts_solve (d, &t, &m[i], NULL, NULL, &err), SD_OK, "%s", err.text);
  return d;
}

/* OEIS A055213: positions with exactly n pieces, the player to move not counted. */
static const uint64_t published_positions[] = {
  0,           120,          6972,          261224,         7092774,        148688232,
  2503611964u, 34779531480u, 406309208481u, 4048627642976u, 34778882769216u
};

Test (draughts, placements_agree_with_the_published_counts_up_to_ten_pieces) {
  uint64_t eight = 0;
  for (unsigned pieces = 1; pieces <= 10; pieces++) {
    sd_draughts_slice m[512];
    unsigned n = sd_draughts_order (pieces, m, 512);
    uint64_t sum = 0, one;
    cr_assert_leq (n, 512);
    for (unsigned i = 0; i < n; i++) {
      cr_expect (sd_draughts_canonical (&m[i]));
      if (m[i].men[0] + m[i].kings[0] + m[i].men[1] + m[i].kings[1] != (int) pieces)
        continue;
      cr_assert_eq (sd_draughts_placements (&m[i], &one, NULL), SD_OK);
      sum += m[i].men[0] == m[i].men[1] && m[i].kings[0] == m[i].kings[1] ? one : 2 * one;
    }
    cr_expect_eq (sum, published_positions[pieces], "%u pieces: %ju", pieces, (uintmax_t) sum);
    eight += pieces <= 8 ? sum : 0;
  }
  cr_expect_eq (eight, 443748401247u); /* the Chinook project's count */
}
Test (draughts, placements_of_kings_agree_with_the_published_counts) {
  static const struct {
    uint8_t first, second;
    uint64_t n;
  } row[] = { { 1, 0, 32 },        { 1, 1, 992 },       { 2, 0, 496 },         { 2, 1, 14880 },
              { 2, 2, 215760 },    { 3, 0, 4960 },      { 3, 1, 143840 },      { 3, 2, 2013760 },
              { 3, 3, 18123840 },  { 4, 0, 35960 },     { 4, 1, 1006880 },     { 4, 2, 13592880 },
              { 4, 3, 117804960 }, { 4, 4, 736281000 }, { 5, 5, 16257084480u } };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    sd_draughts_slice m = { { 0, 0 }, { row[i].first, row[i].second } };
    uint64_t n;
    cr_assert_eq (sd_draughts_placements (&m, &n, NULL), SD_OK);
    cr_expect_eq (n, row[i].n, "%u v %u: %ju", row[i].first, row[i].second, (uintmax_t) n);
  }
}

/* E. Trice's figures, one king against one king, the side to move fixed; all but one: he gives 32 positions
 * with the longest win. Here they are 34, by the solver and by the forward solution below; the distances add
 * up to his 230 wins. */
Test (draughts, one_king_against_one_has_the_published_results) {
  sd_draughts *d = solve_all (2);
  sd_draughts_slice m = { { 0, 0 }, { 1, 1 } };
  sd_counts c;
  unsigned by_jump = 0, by_quiet = 0, longest = 0, no_jump[3] = { 0 };
  cr_assert_eq (sd_draughts_count (d, &m, 0, &c), SD_OK);
  cr_expect_eq (c.positions, 992);
  cr_expect_eq (c.won, 230);
  cr_expect_eq (c.drawn, 654);
  cr_expect_eq (c.lost, 108);
  cr_expect_eq (c.longest_win, 11);
  for (unsigned a = 0; a < 32; a++)
    for (unsigned b = 0; b < 32; b++) {
      if (a == b)
        continue;
      sd_draughts_pos p = { { 0, 0 }, { 1u << a, 1u << b } },
                      other = { { 0, 0 }, { 1u << (31 - b), 1u << (31 - a) } };
      bool jump = sd_draughts_captures (&p);
      sd_value v;
      cr_assert_eq (sd_draughts_value (d, &p, &v), SD_OK);
      by_jump += v > 0 && jump;
      by_quiet += v > 0 && !jump;
      longest += v == 11;
      if (!jump && !sd_draughts_captures (&other))
        no_jump[v > 0 ? 0 : v == 0 ? 1 : 2]++;
    }
  cr_expect_eq (by_jump, 72);
  cr_expect_eq (by_quiet, 158);
  cr_expect_eq (longest, 34, "%u", longest);
  cr_expect_eq (no_jump[0], 140, "%u", no_jump[0]);
  cr_expect_eq (no_jump[1], 650, "%u", no_jump[1]);
  cr_expect_eq (no_jump[2], 108, "%u", no_jump[2]);
  sd_draughts_free (d);
}

/* A second set of rules: 8 x 8 squares, line 0 below, the mover's men m and kings k, the other's o and q. */
typedef struct board {
  char at[8][8];
} board;

static board to_board (const sd_draughts_pos *p) {
  board b;
  memset (&b, ' ', sizeof b);
  for (int s = 0; s < 32; s++) {
    char *sq = &b.at[s / 4][s % 4 * 2 + s / 4 % 2];
    *sq = p->men[0] >> s & 1     ? 'm'
          : p->kings[0] >> s & 1 ? 'k'
          : p->men[1] >> s & 1   ? 'o'
          : p->kings[1] >> s & 1 ? 'q'
                                 : ' ';
  }
  return b;
}

/* The board as the other player sees it when he is to move. */
static sd_draughts_pos from_other_side (const board *b) {
  sd_draughts_pos p = { { 0, 0 }, { 0, 0 } };
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++) {
      uint32_t bit = 1u << ((7 - y) * 4 + (7 - x) / 2);
      switch (b->at[y][x]) {
      case 'o':
        p.men[0] |= bit;
        break;
      case 'q':
        p.kings[0] |= bit;
        break;
      case 'm':
        p.men[1] |= bit;
        break;
      case 'k':
        p.kings[1] |= bit;
        break;
      default:
        break;
      }
    }
  return p;
}

typedef struct children {
  sd_draughts_pos pos[128];
  unsigned n;
} children;

static bool on (int y, int x) {
  return y >= 0 && y < 8 && x >= 0 && x < 8;
}

static bool oracle_jumps (board b, int y, int x, children *out) {
  char piece = b.at[y][x];
  bool any = false;
  for (int dy = piece == 'k' ? -1 : 1; dy <= 1; dy += 2)
    for (int dx = -1; dx <= 1; dx += 2) {
      int oy = y + dy, ox = x + dx, ty = y + 2 * dy, tx = x + 2 * dx;
      if (!on (ty, tx) || (b.at[oy][ox] != 'o' && b.at[oy][ox] != 'q') || b.at[ty][tx] != ' ')
        continue;
      board c = b;
      any = true;
      c.at[y][x] = c.at[oy][ox] = ' ';
      bool crowned = piece == 'm' && ty == 7;
      c.at[ty][tx] = crowned ? 'k' : piece;
      if (crowned || !oracle_jumps (c, ty, tx, out))
        out->pos[out->n++] = from_other_side (&c);
    }
  return any;
}

static void oracle_moves (const sd_draughts_pos *p, children *out) {
  board b = to_board (p);
  out->n = 0;
  for (int pass = 0; pass < 2 && out->n == 0; pass++)
    for (int y = 0; y < 8; y++)
      for (int x = 0; x < 8; x++) {
        char piece = b.at[y][x];
        if (piece != 'm' && piece != 'k')
          continue;
        if (pass == 0) {
          oracle_jumps (b, y, x, out);
          continue;
        }
        for (int dy = piece == 'k' ? -1 : 1; dy <= 1; dy += 2)
          for (int dx = -1; dx <= 1; dx += 2) {
            if (!on (y + dy, x + dx) || b.at[y + dy][x + dx] != ' ')
              continue;
            board c = b;
            c.at[y][x] = ' ';
            c.at[y + dy][x + dx] = piece == 'm' && y + dy == 7 ? 'k' : piece;
            out->pos[out->n++] = from_other_side (&c);
          }
      }
}

/* Distances that follow from their children everywhere are right everywhere: by induction over the plies for
 * the decided ones, and a position called drawn has a drawn child, for ever. */
static void check_position (const sd_draughts *d, const sd_draughts_pos *p) {
  children c;
  sd_value v, child;
  int win = 0, loss = 0;
  bool drawn = false;
  cr_assert_eq (sd_draughts_value (d, p, &v), SD_OK);
  oracle_moves (p, &c);
  for (unsigned i = 0; i < c.n; i++) {
    cr_assert_eq (sd_draughts_value (d, &c.pos[i], &child), SD_OK);
    if (child < 0)
      win = win == 0 || -child < win ? -child : win;
    else if (child == 0)
      drawn = true;
    else
      loss = child + 1 > loss ? child + 1 : loss;
  }
  int want = win ? win : drawn ? 0 : -(loss + 1);
  cr_assert_eq (v, want, "men %x %x kings %x %x: %d, but its moves say %d", p->men[0], p->men[1], p->kings[0],
                p->kings[1], v, want);
}

/* All positions with `left` more pieces on squares from s upwards. */
static uint64_t check_all (const sd_draughts *d, const sd_draughts_pos *p, unsigned s, unsigned left) {
  uint64_t n = 0;
  if (left == 0) {
    check_position (d, p);
    return 1;
  }
  for (; s < 32; s++)
    for (unsigned kind = 0; kind < 4; kind++) {
      sd_draughts_pos q = *p;
      if ((kind == 0 && s >= 28) || (kind == 1 && s < 4))
        continue;
      *(kind < 2 ? &q.men[kind] : &q.kings[kind - 2]) |= 1u << s;
      n += check_all (d, &q, s + 1, left - 1);
    }
  return n;
}

Test (draughts, every_position_with_up_to_three_pieces_follows_from_its_moves) {
  sd_draughts *d = solve_all (3);
  const sd_draughts_pos empty = { { 0, 0 }, { 0, 0 } };
  for (unsigned pieces = 1; pieces <= 3; pieces++)
    cr_expect_eq (check_all (d, &empty, 0, pieces), published_positions[pieces]);
  sd_draughts_free (d);
}

/* Two pieces once more, ply by ply and by forward moves alone: nothing of the solver is used. */
typedef struct known {
  sd_draughts_pos pos;
  int value;
  bool decided;
} known;

static int by_position (const void *a, const void *b) {
  return memcmp (&((const known *) a)->pos, &((const known *) b)->pos, sizeof (sd_draughts_pos));
}

static void collect (known *k, unsigned *n, const sd_draughts_pos *p, unsigned s, unsigned left) {
  if (left == 0)
    k[(*n)++] = (known){ .pos = *p };
  for (; left && s < 32; s++)
    for (unsigned kind = 0; kind < 4; kind++) {
      sd_draughts_pos q = *p;
      if ((kind == 0 && s >= 28) || (kind == 1 && s < 4))
        continue;
      *(kind < 2 ? &q.men[kind] : &q.kings[kind - 2]) |= 1u << s;
      collect (k, n, &q, s + 1, left - 1);
    }
}

Test (draughts, two_pieces_agree_with_a_solution_by_forward_moves) {
  enum { ALL = 120 + 6972 };
  static known k[ALL];
  const sd_draughts_pos empty = { { 0, 0 }, { 0, 0 } };
  unsigned n = 0;
  collect (k, &n, &empty, 0, 1);
  collect (k, &n, &empty, 0, 2);
  cr_assert_eq (n, ALL);
  qsort (k, n, sizeof *k, by_position);
  bool news = true;
  for (int v = 0; news || v < 3; v++) {
    news = false;
    for (unsigned i = 0; i < n; i++) {
      children c;
      bool all = true, one = false;
      if (k[i].decided)
        continue;
      oracle_moves (&k[i].pos, &c);
      for (unsigned j = 0; j < c.n; j++) {
        known key = { .pos = c.pos[j] };
        const known *to = bsearch (&key, k, n, sizeof *k, by_position);
        cr_assert_not_null (to);
        bool before = to->decided && (to->value > 0 ? to->value : -to->value - 1) < v;
        all &= before && to->value > 0;
        one |= before && to->value < 0;
      }
      if (all || one) {
        k[i].decided = news = true;
        k[i].value = one ? v : -v - 1;
      }
    }
  }
  sd_draughts *d = solve_all (2);
  for (unsigned i = 0; i < n; i++) {
    sd_value v;
    cr_assert_eq (sd_draughts_value (d, &k[i].pos, &v), SD_OK);
    cr_expect_eq (v, k[i].value, "position %u: %d, expected %d", i, v, k[i].value);
  }
  sd_draughts_free (d);
}

Test (draughts, moves_and_unmoves_name_each_other_as_often) {
  /* what preds must guarantee, seen from outside: the sum of inner moves over a slice is the number of its
   * marks */
  sd_draughts *d = solve_all (3);
  sd_draughts_slice m[64];
  unsigned n = sd_draughts_order (3, m, 64);
  for (unsigned i = 0; i < n; i++) {
    sd_game g;
    sd_error err = { 0 };
    cr_assert_eq (sd_draughts_game_new (d, &m[i], &g, &err), SD_OK, "%s", err.text);
    sd_state_info *info = calloc (g.nstates, sizeof *info);
    sd_state pred[64];
    unsigned *count = calloc (g.nstates, sizeof *count);
    cr_assert_leq (g.max_preds, 64);
    cr_assert_eq (g.init (g.ctx, 0, g.nstates, info, &err), SD_OK);
    for (sd_state q = 0; q < g.nstates; q++)
      for (unsigned j = info[q].exists ? g.preds (g.ctx, q, pred) : 0; j-- > 0;) {
        cr_assert_lt (pred[j], g.nstates);
        count[pred[j]]++;
      }
    for (sd_state p = 0; p < g.nstates; p++) /* one more: a drawn conversion */
      cr_assert (count[p] == info[p].moves || count[p] + 1 == info[p].moves,
                 "%s: state %ju: %u moves, named %u times", g.name, (uintmax_t) p, info[p].moves, count[p]);
    free (count);
    free (info);
    sd_draughts_game_free (&g);
  }
  sd_draughts_free (d);
}

Test (draughts, names_and_order) {
  sd_draughts_slice m[16];
  char name[32], all[128] = "";
  unsigned n = sd_draughts_order (2, m, 16);
  for (unsigned i = 0; i < n; i++) {
    sd_draughts_name (&m[i], name);
    strcat (strcat (all, name), " ");
  }
  cr_expect_str_eq (all, "Kv- Mv- KvK KKv- KvM KMv- MvM MMv- ");
  cr_expect_eq (sd_draughts_order (2, m, 3), n); /* counts what has no room */
}
Test (draughts, what_is_no_slice_or_no_position_is_refused) {
  sd_draughts *d;
  sd_game g;
  sd_value v;
  sd_counts c;
  sd_error err = { 0 };
  sd_transport t;
  sd_transport_self (&t);
  cr_assert_eq (sd_draughts_new (&d, &err), SD_OK);
  const sd_draughts_slice nobody = { { 0, 0 }, { 0, 0 } }, many = { { 13, 0 }, { 0, 1 } },
                          mirrored = { { 1, 0 }, { 0, 1 } }, crowd = { { 200, 255 }, { 255, 255 } },
                          kk = { { 0, 0 }, { 1, 1 } };
  cr_expect_eq (sd_draughts_game_new (d, &nobody, &g, &err), SD_EINVAL);
  cr_expect_eq (sd_draughts_game_new (d, &many, &g, &err), SD_EINVAL);
  cr_expect_eq (sd_draughts_game_new (d, &crowd, &g, &err), SD_EINVAL);
  cr_expect_eq (sd_draughts_game_new (d, &mirrored, &g, &err), SD_EINVAL);
  cr_expect_eq (sd_draughts_solve (d, &t, &kk, NULL, NULL, &err), SD_ENOENT);
  cr_expect (strstr (err.text, "KvK: the slice Kv-,"), "%s", err.text);
  cr_expect_eq (sd_draughts_count (d, &kk, 0, &c), SD_ENOENT);
  const sd_draughts_pos none = { { 0, 0 }, { 0, 0 } }, two_on_one = { { 1, 0 }, { 1, 0 } },
                        last = { { 1u << 28, 0 }, { 0, 1 } }, other_last = { { 0, 1 }, { 2, 0 } },
                        fine = { { 1, 0 }, { 0, 2 } };
  cr_expect_eq (sd_draughts_value (d, &none, &v), SD_EINVAL);
  cr_expect_eq (sd_draughts_value (d, &two_on_one, &v), SD_EINVAL);
  cr_expect_eq (sd_draughts_value (d, &last, &v), SD_EINVAL);
  cr_expect_eq (sd_draughts_value (d, &other_last, &v), SD_EINVAL);
  cr_expect_eq (sd_draughts_value (d, &fine, &v), SD_ENOENT);
  sd_draughts_free (d);
}
