/* answers_check KIND DTZ50 DTM TABLES POSITIONS SEED ENDING...: what is answered of random positions, from
 * tables that are complete or not, against the exact values of complete tables in the folders DTZ50 and DTM.
 *
 * KIND: `exact`: the tables tell everything; `rounded`: plies may be rounded; `partial`: some files are
 * missing. Everything that is told has to be true: spans hold the value, a move marked best is one, lines
 * repeat no position, categories are those of a slow and obvious search that counts the clock move by move.
 */
#include "config.h"
#include "tools/probe/answers.h"
#include "tools/probe/category.h"
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 2 }; /* plies of the search; with clocks from 98 on it reaches the claim of the draw */

static sd_exacts *exact[SD_METRICS];
static sd_sources sources;
static bool complete, rounded;
static unsigned long positions, decisive, marked, with_best, lines, plies, open_roots, faults;

static void fault (const char *fen, const char *what, const char *more) {
  if (faults++ < 40)
    printf ("FAULT %s: %s %s\n", fen, what, more);
}

static sd_value truth (enum sd_metric metric, const sd_pos *p) {
  sd_value v = 0;
  if (sd_exacts_value (exact[metric], p, &v) != SD_OK) {
    puts ("no exact value");
    exit (1);
  }
  return v;
}

/* ------------------------------------------------------------------------ categories */

static bool is_zeroing (const sd_move *m) {
  return m->piece == SD_PAWN || m->captured != SD_NO_PIECE;
}

/* The result for the player to move, who may claim a draw from a clock of 100 on. */
static int search (const sd_pos *p, unsigned clock, unsigned depth) {
  sd_move move[SD_MAX_MOVES];
  const unsigned n = clock > 100 ? 0 : sd_moves (p, SD_MOVES_ALL, move);
  int best = -1;
  if (n == 0)
    return clock <= 100 && sd_in_check (p, p->stm) ? -1 : 0;
  if (clock == 100)
    return 0;
  if (depth == 0) {
    const sd_value v = truth (SD_DTZ50, p);
    return (unsigned) (v > 0 ? v : -v - 1) + clock <= 100 ? sd_value_wdl (v) : 0;
  }
  for (unsigned i = 0; i < n && best < 1; i++) {
    sd_pos child;
    sd_pos_apply (p, &move[i], &child);
    const int theirs = search (&child, is_zeroing (&move[i]) ? 0 : clock + 1, depth - 1);
    best = -theirs > best ? -theirs : best;
  }
  return best;
}

static const char *category_of (const sd_pos *p, unsigned clock, bool spent) {
  const int result = spent ? 0 : search (p, clock, DEPTH), sign = sd_value_wdl (truth (SD_DTZ50, p));
  return result > 0 ? "win" : result < 0 ? "loss" : sign > 0 ? "cursed-win" : sign < 0 ? "blessed-loss" : "draw";
}

/* May this be said where that is so? */
static bool fits (const char *said, const char *is) {
  const bool win = strstr (is, "win") != NULL, loss = strstr (is, "loss") != NULL;
  if (strcmp (said, is) == 0)
    return true;
  if (strncmp (said, "syzygy-", 7) == 0)
    return rounded && ((win && strstr (said, "win")) || (loss && strstr (said, "loss")));
  if (strncmp (said, "maybe-", 6) == 0)
    return !complete && ((win && strstr (said, "win")) || (loss && strstr (said, "loss")));
  return !complete && strcmp (said, "unknown") == 0;
}

static void check_category (const char *fen, const char *of, const char *said, const char *is) {
  char more[80];
  snprintf (more, sizeof more, "%s is '%s', right: '%s'", of, said, is);
  if (!fits (said, is))
    fault (fen, "category of", more);
}

/* What is left open at the root must be open in its moves, too: none wins for sure, or not all of them lose.
 */
static void check_open (const char *fen, const char *root, bool sure_win, bool any_open) {
  open_roots += strncmp (root, "syzygy-", 7) == 0;
  if (strcmp (root, "syzygy-win") == 0 && sure_win)
    fault (fen, "open, though a move surely wins", "");
  if (strcmp (root, "syzygy-loss") == 0 && !any_open)
    fault (fen, "open, though all moves are sure", "");
}

static void check_categories (const char *fen, const sd_answer *a, const sd_pos *board) {
  const sd_moment now = { .clock = a->clocks.halfmoves };
  const char *root = sd_category (&a->here, &now);
  bool sure_win = false, any_open = false;
  check_category (fen, "the position", root, category_of (board, now.clock, false));
  for (size_t i = 0; i < a->n; i++) {
    const sd_choice *c = &a->at[i];
    const sd_pos child = sd_chess_board (&c->to);
    const sd_moment then = sd_moment_after (&now, c->step != 0);
    const char *said = sd_category (&c->theirs, &then);
    check_category (fen, c->text, said, category_of (&child, then.clock, then.spent));
    sure_win |= strcmp (said, "loss") == 0;
    any_open |= strncmp (said, "syzygy-", 7) == 0;
  }
  check_open (fen, root, sure_win, any_open);
}

/* ------------------------------------------------------------------- values and marks */

static int rank (enum sd_metric metric, sd_value v) {
  return sd_metric_rank (&sd_metrics[metric], v);
}

static bool holds (const sd_known *k, enum sd_metric metric, sd_value v) {
  const sd_span s = sd_known_in (k, metric);
  return rank (metric, s.least) <= rank (metric, v) && rank (metric, v) <= rank (metric, s.most);
}

static sd_value worth (const sd_choice *c, enum sd_metric metric) {
  const sd_pos child = sd_chess_board (&c->to);
  return sd_metric_back (&sd_metrics[metric], truth (metric, &child), c->step);
}

static void check_values (const char *fen, const sd_answer *a, const sd_pos *board) {
  for (unsigned m = 0; m < SD_METRICS; m++) {
    const enum sd_metric metric = (enum sd_metric) m;
    if (!exact[m])
      continue;
    if (!holds (&a->here, metric, truth (metric, board)))
      fault (fen, "not within its span in", sd_metrics[m].name);
    for (size_t i = 0; i < a->n; i++) {
      const sd_pos child = sd_chess_board (&a->at[i].to);
      if (!holds (&a->at[i].mine, metric, worth (&a->at[i], metric))
          || !holds (&a->at[i].theirs, metric, truth (metric, &child)))
        fault (fen, "not within its span:", a->at[i].text);
    }
  }
}

static void check_best (const char *fen, const sd_answer *a, const sd_pos *board) {
  const enum sd_metric metric = a->measure == SD_METRICS ? SD_WDL : a->measure,
                       from = sd_metrics[metric].exact;
  const int most = rank (metric, sd_metrics[metric].of (truth (from, board)));
  bool any = false;
  for (size_t i = 0; i < a->n; i++) {
    any |= a->at[i].best;
    marked += a->at[i].best;
    if (a->at[i].best && rank (metric, sd_metrics[metric].of (worth (&a->at[i], from))) < most)
      fault (fen, "marked best and is not:", a->at[i].text);
  }
  with_best += any;
  if (complete && !rounded && a->n && !any)
    fault (fen, "no move is best", "");
}

static void check_line (const char *fen, const sd_answer *a, const sd_pos *board) {
  sd_line_of_play l;
  sd_error err = { 0 };
  if (sd_line_find (a, &l, &err) != SD_OK)
    fault (fen, "no line:", err.text);
  for (uint64_t i = 0; i < l.n; i++) {
    const sd_pos at = sd_chess_board (&l.at[i].to);
    bool again = sd_pos_equal (&at, board);
    for (uint64_t j = 0; j < i; j++) {
      const sd_pos before = sd_chess_board (&l.at[j].to);
      again |= sd_pos_equal (&at, &before);
    }
    if (again)
      fault (fen, "a position of the line comes twice behind", l.at[i].text);
  }
  if (complete && truth (SD_DTM, board) != 0 && l.end != SD_LINE_OVER)
    fault (fen, "the line does not end in mate", "");
  lines += l.n > 0;
  plies += l.n;
  sd_line_free (&l);
}

/* -------------------------------------------------------------------------- positions */

static uint64_t state = 1;

static unsigned below (unsigned n) { /* splitmix64 */
  uint64_t z = state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return (unsigned) ((z ^ z >> 31) >> 33) % n;
}

static void random_position (const sd_material *m, sd_pos *out) {
  uint8_t sq[SD_MAX_MEN];
  do {
    for (unsigned i = 0; i < sd_material_men (m); i++)
      sq[i] = (uint8_t) below (64);
    sd_pos_from_squares (m, sq, below (2), out);
    const uint64_t rights = sd_pos_legal (out) ? sd_ep_squares (out) : 0;
    if (rights && below (2))
      out->ep = (uint8_t) sd_lowest (rights);
  } while (!sd_pos_legal (out));
}

/* Half of the clocks are where it matters. */
static unsigned random_clock (const sd_pos *p) {
  const sd_value v = truth (SD_DTZ50, p);
  const int n = v > 0 ? v : -v - 1, near = 97 - n + (int) below (7);
  return v && below (2) && near >= 0 ? (unsigned) near : below (121);
}

static void check_position (const sd_material *m) {
  const sd_clocks clocks = { .move = 1 };
  sd_pos board;
  sd_answer a;
  sd_error err = { 0 };
  sd_position at;
  char fen[SD_POSITION_TEXT], plain[96];
  random_position (m, &board);
  sd_pos_to_fen (&board, plain, sizeof plain);
  if (sd_game_chess.parse (NULL, plain, &at, &err) != SD_OK)
    return; /* more men than a game has */
  sd_chess_fen (&at, &(sd_clocks){ random_clock (&board), clocks.move }, fen);
  if (sd_answer_text (&sources, fen, &a, &err) != SD_OK) {
    fault (fen, "no answer:", err.text);
    return;
  }
  positions++;
  decisive += truth (SD_DTZ50, &board) != 0;
  check_values (fen, &a, &board);
  check_best (fen, &a, &board);
  check_categories (fen, &a, &board);
  check_line (fen, &a, &board);
  sd_answer_free (&a);
}

static int open_all (char **argv, sd_error *err) {
  sd_game_tables *tables;
  SD_TRY (sd_exacts_new_of (argv[2], SD_DTZ50, &exact[SD_DTZ50], err));
  SD_TRY (sd_exacts_new (argv[3], &exact[SD_DTM], err));
  SD_TRY (sd_game_tables_open (sources.rules, argv[4], 64 << 20, &tables, err));
  sources.tables = tables;
  return SD_OK;
}

/* Of an ending and of all that it can turn into. */
static int load (const sd_material *m, sd_error *err) {
  sd_material next[64];
  const unsigned n = sd_material_successors (m, next);
  SD_TRY (sd_exacts_need (exact[SD_DTZ50], m, err));
  SD_TRY (sd_exacts_need (exact[SD_DTM], m, err));
  for (unsigned i = 0; i < n; i++)
    SD_TRY (load (&next[i], err));
  return SD_OK;
}

static int check_ending (const char *name, unsigned n, sd_error *err) {
  sd_material as_is, m;
  SD_TRY (sd_material_parse (name, &as_is, err));
  sd_material_canonical (&as_is, &m);
  SD_TRY (load (&m, err));
  for (unsigned i = 0; i < n; i++)
    check_position (&m);
  return SD_OK;
}

int main (int argc, char **argv) {
  static sd_rules chess = { &sd_game_chess, NULL };
  sd_error err = { 0 };
  int st = SD_OK;
  if (argc < 8)
    return 2;
  complete = strcmp (argv[1], "partial") != 0;
  rounded = strcmp (argv[1], "exact") != 0;
  state = strtoull (argv[6], NULL, 10);
  sources.rules = &chess;
  st = open_all (argv, &err);
  for (int i = 7; i < argc && st == SD_OK; i++)
    st = check_ending (argv[i], (unsigned) atoi (argv[5]), &err);
  if (st != SD_OK)
    printf ("%s\n", err.text);
  printf ("%lu positions (%lu decisive), %lu with %lu moves marked best, %lu lines of %lu plies, %lu left open by "
          "rounding, %lu faults\n",
          positions, decisive, with_best, marked, lines, plies, open_roots, faults);
  return st != SD_OK || faults;
}
