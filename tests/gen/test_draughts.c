/* English draughts against published figures and a slow second set of rules on an 8 x 8 board. */
#include "config.h"
#include "codecs/codecs.h"
#include "gen/games/draughts/draughts_internal.h"
#include "tests/gen/endings.h"
#include "tests/gen/solved_draughts.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The value of a position from the stored tables. */
static int value_of (const solved *d, const sd_draughts_pos *p, sd_value *out) {
  sd_slice slice;
  sd_state state;
  SD_TRY (sd_draughts_find (d->rules.ctx, p, &slice, &state));
  return sd_game_tables_value (d->tables, slice, SD_DTM, state, out);
}

/* Placements of these pieces, the player to move not counted, by the numbers that slots are reckoned with. */
static uint64_t placements (const sd_draughts_slice *m) {
  sd_draughts_shape h;
  uint64_t sum = 0;
  cr_assert_eq (sd_draughts_measure (m, &h, NULL), SD_OK);
  /* k of the first side's men stand on the 24 squares that the other side's men could use too */
  for (unsigned k = 0; k <= m->men[0]; k++)
    sum += sd_draughts_choose (24, k) * sd_draughts_choose (4, m->men[0] - k)
           * sd_draughts_choose (SD_DRAUGHTS_MEN_SQUARES - k, m->men[1]);
  return h.kings[0] * h.last[1] * sum;
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
    uint64_t sum = 0;
    cr_assert_leq (n, 512);
    for (unsigned i = 0; i < n; i++) {
      cr_expect (sd_draughts_canonical (&m[i]));
      if (m[i].men[0] + m[i].kings[0] + m[i].men[1] + m[i].kings[1] != (int) pieces)
        continue;
      const uint64_t one = placements (&m[i]);
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
    const uint64_t n = placements (&m);
    cr_expect_eq (n, row[i].n, "%u v %u: %ju", row[i].first, row[i].second, (uintmax_t) n);
  }
}

/* E. Trice's figures, one king against one king, the side to move fixed; all but one: he gives 32 positions
 * with the longest win. Here they are 34, by the solver and by the forward solution below; the distances add
 * up to his 230 wins. */
Test (draughts, one_king_against_one_has_the_published_results) {
  solved *d = solve_all (2);
  unsigned count[3] = { 0 };
  unsigned by_jump = 0, by_quiet = 0, longest = 0, no_jump[3] = { 0 };
  for (unsigned a = 0; a < 32; a++)
    for (unsigned b = 0; b < 32; b++) {
      if (a == b)
        continue;
      sd_draughts_pos p = { { 0, 0 }, { 1u << a, 1u << b } },
                      other = { { 0, 0 }, { 1u << (31 - b), 1u << (31 - a) } };
      bool jump = sd_draughts_captures (&p);
      sd_value v;
      cr_assert_eq (value_of (d, &p, &v), SD_OK);
      count[v > 0 ? 0 : v == 0 ? 1 : 2]++;
      by_jump += v > 0 && jump;
      by_quiet += v > 0 && !jump;
      longest += v == 11;
      if (!jump && !sd_draughts_captures (&other))
        no_jump[v > 0 ? 0 : v == 0 ? 1 : 2]++;
    }
  cr_expect_eq (count[0], 230);
  cr_expect_eq (count[1], 654);
  cr_expect_eq (count[2], 108);
  cr_expect_eq (by_jump, 72);
  cr_expect_eq (by_quiet, 158);
  cr_expect_eq (longest, 34, "%u", longest);
  cr_expect_eq (no_jump[0], 140, "%u", no_jump[0]);
  cr_expect_eq (no_jump[1], 650, "%u", no_jump[1]);
  cr_expect_eq (no_jump[2], 108, "%u", no_jump[2]);
  forget (d);
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
static void check_position (const solved *d, const sd_draughts_pos *p) {
  children c;
  sd_value v, child;
  int win = 0, loss = 0;
  bool drawn = false;
  cr_assert_eq (value_of (d, p, &v), SD_OK);
  oracle_moves (p, &c);
  for (unsigned i = 0; i < c.n; i++) {
    cr_assert_eq (value_of (d, &c.pos[i], &child), SD_OK);
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
static uint64_t check_all (const solved *d, const sd_draughts_pos *p, unsigned s, unsigned left) {
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
  solved *d = solve_all (3);
  const sd_draughts_pos empty = { { 0, 0 }, { 0, 0 } };
  for (unsigned pieces = 1; pieces <= 3; pieces++)
    cr_expect_eq (check_all (d, &empty, 0, pieces), published_positions[pieces]);
  forget (d);
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
  solved *d = solve_all (2);
  for (unsigned i = 0; i < n; i++) {
    sd_value v;
    cr_assert_eq (value_of (d, &k[i].pos, &v), SD_OK);
    cr_expect_eq (v, k[i].value, "position %u: %d, expected %d", i, v, k[i].value);
  }
  forget (d);
}

Test (draughts, moves_and_unmoves_name_each_other_as_often) {
  /* what preds must guarantee, seen from outside: the sum of inner moves over a slice is the number of its
   * marks */
  solved *d = solve_all (3);
  sd_draughts_slice m[64];
  unsigned n = sd_draughts_order (3, m, 64);
  for (unsigned i = 0; i < n; i++) {
    sd_game g;
    sd_error err = { 0 };
    cr_assert_eq (new_game (d, &m[i], &g, &err), SD_OK, "%s", err.text);
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
    sd_game_draughts.game_free (&g);
  }
  forget (d);
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
  sd_game g;
  sd_error err = { 0 };
  sd_transport t;
  sd_counts counts[2];
  sd_slice slice;
  sd_state state;
  char path[200];
  sd_transport_self (&t);
  solved *d = solve_all (1);
  const sd_draughts_slice nobody = { { 0, 0 }, { 0, 0 } }, mirrored = { { 1, 0 }, { 0, 1 } },
                          kk = { { 0, 0 }, { 1, 1 } }, two = { { 0, 0 }, { 2, 1 } };
  cr_expect_eq (new_game (d, &nobody, &g, &err), SD_EINVAL);
  cr_expect_eq (new_game (d, &mirrored, &g, &err), SD_EINVAL);
  cr_expect_eq (sd_game_draughts.game (d->rules.ctx, 1ull << 60, NULL, &g, &err), SD_EINVAL);
  path_of (d, &two, path);
  cr_expect_eq (gen_slice (d->tables, sd_draughts_number (&two), path, counts, &err), SD_ENOENT);
  cr_expect (strstr (err.text, ".dtm.sdt: not found in /tmp/sd-draughts"), "%s", err.text);
  cr_expect_neq (access (path, F_OK), 0);
  const sd_draughts_pos none = { { 0, 0 }, { 0, 0 } }, two_on_one = { { 1, 0 }, { 1, 0 } },
                        last = { { 1u << 28, 0 }, { 0, 1 } }, other_last = { { 0, 1 }, { 2, 0 } },
                        crowd = { { 0x1fff, 0 }, { 0, 0x80000000 } }, fine = { { 1, 0 }, { 0, 2 } };
  const void *ctx = d->rules.ctx;
  cr_expect_eq (sd_draughts_find (ctx, &none, &slice, &state), SD_EINVAL);
  cr_expect_eq (sd_draughts_find (ctx, &two_on_one, &slice, &state), SD_EINVAL);
  cr_expect_eq (sd_draughts_find (ctx, &last, &slice, &state), SD_EINVAL);
  cr_expect_eq (sd_draughts_find (ctx, &other_last, &slice, &state), SD_EINVAL);
  cr_expect_eq (sd_draughts_find (ctx, &crowd, &slice, &state), SD_EINVAL);
  sd_value v;
  cr_expect_eq (value_of (d, &fine, &v), SD_ENOENT);
  const sd_slice number = sd_draughts_number (&kk);
  const sd_draughts_slice back = sd_draughts_of_number (number);
  cr_expect (memcmp (&back, &kk, sizeof kk) == 0);
  forget (d);
}

/* ----------------------------------------------------------------------- text */

Test (draughts, slices_are_read_by_their_names) {
  static const struct {
    const char *text, *name; /* NULL: refused */
  } row[] = { { "KKvM", "KKvM" },
              { "MvKK", "KKvM" },
              { "Kv-", "Kv-" },
              { "-vK", "Kv-" },
              { "KMMvKM", "KMMvKM" },
              { "-v-", NULL },
              { "", NULL },
              { "K", NULL },
              { "Kv", NULL },
              { "MKvK", NULL },
              { "KvKv", NULL },
              { "kvk", NULL },
              { "KKKKKKKKKKKKKvK", NULL } };
  sd_rules r;
  sd_error err = { 0 };
  cr_assert_eq (sd_rules_open ("draughts", &r, &err), SD_OK);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    sd_slice s;
    char name[SD_SLICE_NAME];
    int st = sd_rules_slice (&r, row[i].text, &s, &err);
    cr_expect_eq (st, row[i].name ? SD_OK : SD_EINVAL, "%s", row[i].text);
    if (st != SD_OK)
      continue;
    r.kind->slice_name (r.ctx, s, name);
    cr_expect_str_eq (name, row[i].name);
  }
  sd_rules_close (&r);
}
Test (draughts, what_a_slice_turns_into_comes_first) {
  sd_rules r;
  sd_error err = { 0 };
  sd_slice want, *order;
  unsigned n;
  char all[200] = "", name[SD_SLICE_NAME];
  cr_assert_eq (sd_rules_open ("draughts", &r, &err), SD_OK);
  cr_assert_eq (sd_rules_slice (&r, "MMvK", &want, &err), SD_OK);
  cr_assert_eq (sd_rules_order (&r, &want, 1, &order, &n, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < n; i++) {
    r.kind->slice_name (r.ctx, order[i], name);
    strcat (strcat (all, name), " ");
    /* nothing below it stands behind it */
    sd_slice below[64];
    unsigned k = r.kind->below (r.ctx, order[i], below, 64);
    cr_assert_leq (k, 64);
    for (unsigned b = 0; b < k; b++) {
      unsigned at = 0;
      while (at < n && order[at] != below[b])
        at++;
      cr_expect_lt (at, i, "%s", name);
    }
  }
  cr_expect (strstr (all, "KMvK") && strstr (all, "KKvK") && strstr (all, "Mv-"), "%s", all);
  free (order);
  sd_rules_close (&r);
}
Test (draughts, positions_are_printed_as_they_are_read) {
  sd_rules r;
  sd_error err = { 0 };
  sd_slice slice;
  sd_position again;
  sd_draughts_slice m[64];
  cr_assert_eq (sd_rules_open ("draughts", &r, &err), SD_OK);
  unsigned n = sd_draughts_order (3, m, 64), printed = 0;
  for (unsigned i = 0; i < n; i++) {
    sd_table_game about;
    slice = sd_draughts_number (&m[i]);
    cr_assert_eq (sd_rules_describe (&r, slice, &about, &err), SD_OK);
    for (sd_state s = 0; s < about.states; s++) {
      char text[SD_POSITION_TEXT];
      if (!r.kind->print (r.ctx, slice, s, text))
        continue;
      printed++;
      cr_assert_eq (r.kind->parse (r.ctx, text, &again, &err), SD_OK, "%s", err.text);
      cr_assert (again.slice == slice && again.state == s && !again.turned,
                 "%s: state %ju of %ju, was %ju of %ju", text, (uintmax_t) again.state,
                 (uintmax_t) again.slice, (uintmax_t) s, (uintmax_t) slice);
    }
    cr_expect (!r.kind->print (r.ctx, slice, about.states, (char[SD_POSITION_TEXT]){ 0 }));
  }
  cr_expect_gt (printed, 200000);
  sd_rules_close (&r);
}

static void add_text (void *arg, const sd_game_move *m) {
  strcat (strcat (arg, m->text), " ");
}
Test (draughts, moves_are_written_as_players_write_them) {
  static const struct {
    const char *position, *moves;
  } row[] = { { "B:B11:W32", "11-16 11-15 " },   { "W:W22:B1", "22-17 22-18 " },
              { "B:B9:W14,22", "9x18x25 " },     { "W:W24,25:B9,18", "25-21 25-22 24-19 24-20 " },
              { "W:WK29:B25", "29x22 " },        { "B:B28:W32", "" },
              { "B:WK1:BK32.", "32-28 32-27 " }, { "W:W6:B2", "6-1 " } };
  sd_rules r;
  sd_error err = { 0 };
  cr_assert_eq (sd_rules_open ("draughts", &r, &err), SD_OK);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char text[200] = "";
    sd_position at;
    sd_value end = 7;
    cr_assert_eq (r.kind->parse (r.ctx, row[i].position, &at, &err), SD_OK, "%s", err.text);
    cr_assert (r.kind->moves (r.ctx, &at, &end, add_text, text));
    cr_expect_str_eq (text, row[i].moves, "%s: %s, expected %s", row[i].position, text, row[i].moves);
    cr_expect_eq (end, -1);
  }
  sd_rules_close (&r);
}
Test (draughts, what_is_no_position_is_told) {
  static const struct {
    const char *text, *say;
  } bad[] = {
    { "", "does not start" },       { "K:W1:B2", "does not start" }, { "W", "expected ':'" },
    { "W:WK1,K2", "expected ':'" }, { "W:W9:W10", "twice" },         { "W:W9:B9", "none on another" },
    { "W:W33:B1", "from 1 to 32" }, { "W:W0:B1", "from 1 to 32" },   { "W:WK9,9:B1", "none twice" },
    { "W:W:B", "one piece" },       { "W:W9:B10 x", "more behind" }, { "W:W3:B10", "man stands" },
    { "W:W9:B31", "man stands" },   { "W:W9,:B1", "from 1 to 32" },  { "W:WK:B1", "from 1 to 32" }
  };
  sd_rules r;
  cr_assert_eq (sd_rules_open ("draughts", &r, NULL), SD_OK);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sd_error err = { 0 };
    sd_position at;
    cr_expect_eq (r.kind->parse (r.ctx, bad[i].text, &at, &err), SD_EINVAL, "%s", bad[i].text);
    cr_expect (strstr (err.text, bad[i].say), "%s: %s", bad[i].text, err.text);
  }
  sd_rules_close (&r);
}
Test (draughts, any_text_is_refused_or_is_a_position) {
  static const char alphabet[] = "WBK:,.0123456789 x";
  sd_rules r;
  uint64_t seed = 11;
  unsigned read = 0;
  cr_assert_eq (sd_rules_open ("draughts", &r, NULL), SD_OK);
  for (unsigned round = 0; round < 200000; round++) {
    char text[32] = "W:W9,K14:B1", back[SD_POSITION_TEXT];
    sd_position at, again;
    for (unsigned k = sd_random (&seed) % 4; k > 0; k--)
      text[sd_random (&seed) % 12] = alphabet[sd_random (&seed) % (sizeof alphabet - 1)];
    if (r.kind->parse (r.ctx, text, &at, NULL) != SD_OK)
      continue;
    read++;
    cr_assert (r.kind->print (r.ctx, at.slice, at.state, back), "%s", text);
    cr_assert_eq (r.kind->parse (r.ctx, back, &again, NULL), SD_OK, "%s", back);
    cr_assert (again.slice == at.slice && again.state == at.state && !again.turned, "%s: %s", text, back);
  }
  cr_expect_gt (read, 1000u);
  sd_rules_close (&r);
}

/* Every value of KMvM and of what it rests on, with conversions free, is restored; who does not know the
 * moves refuses. */
Test (draughts, what_a_capture_decides_is_free_and_restored, .timeout = 60) {
  static const unsigned freedoms[] = { SD_FREE_ILLEGAL, SD_FREE_ILLEGAL | SD_FREE_CAPTURE,
                                       SD_FREE_ILLEGAL | SD_FREE_CAPTURE | SD_FREE_PROMOTION };
  solved *d = solve_all (3);
  sd_error err = { 0 };
  const sd_draughts_slice m = { { 1, 1 }, { 1, 0 } };
  const sd_slice slice = sd_draughts_number (&m);
  uint64_t bytes[3], n;
  sd_value *exact, *again, some;
  char path[200];
  const sd_chooser how = { .ctx = NULL };
  cr_assert_eq (sd_game_tables_exact (d->tables, slice, SD_DTM, &exact, &n, &err), SD_OK, "%s", err.text);
  path_of (d, &m, path);
  for (unsigned f = 0; f < 3; f++) {
    sd_table_spec spec = { .metric = SD_DTM, .coding = SD_CODING_SIGNED, .freedom = freedoms[f] };
    sd_table *t;
    sd_table_info info;
    spec.side[0].codec = sd_codec_find ("repair");
    cr_assert_eq (sd_settings_parse (spec.side[0].codec, NULL, &spec.side[0].settings, &err), SD_OK);
    cr_assert_eq (sd_game_tables_recode (d->tables, slice, &spec, &how, path, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_table_open (path, SD_OPEN_CHECK, &t, &err), SD_OK, "%s", err.text);
    sd_table_describe (t, &info);
    bytes[f] = info.bytes;
    cr_expect_eq (info.freedom, freedoms[f]);
    sd_table_close (t);
    sd_game_tables *g;
    cr_assert_eq (sd_game_tables_open (&d->rules, d->folder, 1 << 20, &g, &err), SD_OK);
    cr_assert_eq (sd_game_tables_need (g, slice, SD_DTM, &err), SD_OK, "%s", err.text);
    for (uint64_t i = 0; i < n; i++)
      if (exact[i] != SD_ILLEGAL) {
        cr_assert_eq (sd_game_tables_value (g, slice, SD_DTM, i, &some), SD_OK);
        cr_assert_eq (some, exact[i], "freedom %u, state %ju: %d, expected %d", f, (uintmax_t) i, some,
                      exact[i]);
      }
    cr_assert_eq (sd_game_tables_exact (g, slice, SD_DTM, &again, &n, &err), SD_OK, "%s", err.text);
    cr_expect_eq (memcmp (exact, again, n * sizeof *exact), 0);
    free (again);
    sd_game_tables_close (g);
  }
  cr_expect (bytes[1] < bytes[0] && bytes[2] <= bytes[1], "%ju, %ju, %ju bytes", (uintmax_t) bytes[0],
             (uintmax_t) bytes[1], (uintmax_t) bytes[2]);
  free (exact);
  forget (d);
}
