/* answers_check KIND DTZ50 DTM TABLES POSITIONS SEED ENDING...: what is answered of random positions, from
 * tables that are complete or not, against the exact values of complete tables in the folders DTZ50 and DTM
 * (`-`: not against mates).
 *
 * KIND: `exact`: the tables tell everything; `rounded`: plies may be rounded; `partial`: some files are
 * missing. Everything that is told has to be true: spans hold the value; a move marked best is one, with the
 * clock as well where the rule is known; lines repeat no position and never give away the result; categories
 * are those of a slow and obvious search that counts the clock move by move, and the position is left open
 * only where its moves are.
 *
 * Half of the clocks bring the position within 5 plies of the claim of the draw, and a quarter of the
 * positions are drawn again until their plies are many. */
#include "config.h"
#include "tools/probe/answers.h"
#include <stdlib.h>
#include <string.h>

/* Plies of the search: with clocks from 97 (98 behind a move) on it reaches the claim of the draw. */
enum { DEPTH = 3 };
enum { MANY_PLIES = 90, DRAWS = 4000, BORDER = 5 };

static sd_values *exact[SD_METRICS];
static sd_sources sources;
static bool complete, rounded;
static unsigned long positions, decisive, near_border, marked, with_best, lines, plies, open_roots, faults;

static void fault (const char *fen, const char *what, const char *more) {
  if (faults++ < 40)
    printf ("FAULT %s: %s %s\n", fen, what, more);
}

static sd_value truth (enum sd_metric metric, const sd_pos *p) {
  sd_value v = 0;
  if (sd_values_of (exact[metric], p, &v) != SD_OK) {
    puts ("no exact value");
    exit (1);
  }
  return v;
}

/* ------------------------------------------------------------------------ categories */

static bool is_zeroing (const sd_move *m) {
  return m->piece == SD_PAWN || m->captured != SD_NO_PIECE;
}

static int plies_of (sd_value v) {
  return v > 0 ? v : -v - 1;
}

/* The result for the player to move, who may claim a draw from a clock of 100 on. Behind a capture or a pawn
 * move the table is right by definition: its clock is 0. */
static int search (const sd_pos *p, unsigned clock, unsigned depth) {
  sd_move move[SD_MAX_MOVES];
  const unsigned n = clock > 100 ? 0 : sd_moves (p, SD_MOVES_ALL, move);
  int best = -1;
  if (n == 0)
    return clock <= 100 && sd_in_check (p, p->stm) ? -1 : 0;
  if (clock == 100)
    return 0;
  if (depth == 0 || clock == 0) {
    const sd_value v = truth (SD_DTZ50, p);
    return plies_of (v) + (int) clock <= 100 ? sd_value_wdl (v) : 0;
  }
  for (unsigned i = 0; i < n && best < 1; i++) {
    sd_pos child;
    sd_pos_apply (p, &move[i], &child);
    const int theirs = search (&child, is_zeroing (&move[i]) ? 0 : clock + 1, depth - 1);
    best = -theirs > best ? -theirs : best;
  }
  return best;
}

/* From -2, lost, to 2, won. spent: the draw has been claimed before. */
static int right_of (const sd_pos *p, unsigned clock, bool spent, unsigned depth) {
  const int result = spent ? 0 : search (p, clock, depth);
  return result ? 2 * result : sd_value_wdl (truth (SD_DTZ50, p));
}

/* The results that a category leaves open. */
static sd_span meaning (const char *category) {
  static const struct {
    const char *name;
    sd_span is;
  } all[] = { { "win", { 2, 2 } },           { "cursed-win", { 1, 1 } },
              { "draw", { 0, 0 } },          { "blessed-loss", { -1, -1 } },
              { "loss", { -2, -2 } },        { "syzygy-win", { 1, 2 } },
              { "syzygy-loss", { -2, -1 } }, { "maybe-win", { 1, 2 } },
              { "maybe-loss", { -2, -1 } },  { "unknown", { -2, 2 } } };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp (category, all[i].name) == 0)
      return all[i].is;
  printf ("no category: %s\n", category);
  exit (1);
}

/* What a category says. Without a table that knows the rule, a win is told as one whatever the clock. */
static sd_span said_of (const sd_known *k, const sd_moment *at) {
  const sd_span s = meaning (sd_category (k, at));
  if (s.least < -1 && s.most > 1 && (at->clock >= 100 || at->spent)) /* no mate: that would be known */
    return (sd_span){ -1, 1 };
  if (sd_known_has (k, SD_DTZ50) || s.least != s.most)
    return s;
  return s.least == 2 ? (sd_span){ 1, 2 } : s.least == -2 ? (sd_span){ -2, -1 } : s;
}

/* May it be left open like this? */
static bool may_say (const sd_known *k, const char *category) {
  return strncmp (category, "syzygy-", 7) == 0  ? rounded
         : strncmp (category, "maybe-", 6) == 0 ? !complete
         : strcmp (category, "unknown") == 0    ? !complete
                                                : sd_known_has (k, SD_DTZ50) || !complete;
}

static void check_category (const char *fen, const char *of, const sd_known *k, const sd_moment *at,
                            int right) {
  char more[80];
  const char *said = sd_category (k, at);
  const sd_span s = said_of (k, at);
  snprintf (more, sizeof more, "%s is '%s', right: %d", of, said, right);
  if (right < s.least || right > s.most || !may_say (k, said))
    fault (fen, "category of", more);
}

/* Not by the answer's own reckoning. */
static sd_moment behind (const sd_moment *now, const sd_choice *c) {
  return (sd_moment){ .clock = c->step ? 0 : now->clock + 1, .spent = now->spent || now->clock >= 100 };
}

/* What the moves leave open of the root: it must not be left more open than they are, and none of them may
 * surely be worth more. */
static void check_open (const char *fen, const sd_answer *a, const sd_moment *now) {
  const sd_span root = said_of (&a->here, now);
  sd_span moves = { -2, -2 };
  open_roots += strncmp (sd_category (&a->here, now), "syzygy-", 7) == 0;
  for (size_t i = 0; i < a->n; i++) {
    const sd_choice *c = &a->at[i];
    const sd_moment then = behind (now, c);
    const sd_span theirs = said_of (&c->theirs, &then), mine = { -theirs.most, -theirs.least };
    moves.least = mine.least > moves.least ? mine.least : moves.least;
    moves.most = mine.most > moves.most ? mine.most : moves.most;
  }
  const bool unknown = root.least < 0 && root.most > 0, moves_know = moves.least * moves.most > 0;
  if (a->n && (unknown ? moves_know : root.least < moves.least || root.most > moves.most))
    fault (fen, "the position is more open than its moves:", sd_category (&a->here, now));
  if (a->n && moves.least > root.most)
    fault (fen, "a move is told to be worth more than", sd_category (&a->here, now));
}

static void check_categories (const char *fen, const sd_answer *a, const sd_pos *board) {
  const int right = right_of (board, a->now.clock, false, DEPTH);
  check_category (fen, "the position", &a->here, &a->now, right);
  for (size_t i = 0; i < a->n; i++) {
    const sd_choice *c = &a->at[i];
    const sd_pos child = sd_game_chess.board->of (&c->to);
    const sd_moment then = behind (&a->now, c);
    const int theirs = right_of (&child, then.clock, then.spent, DEPTH - 1);
    check_category (fen, c->text, &c->theirs, &then, theirs);
    if (c->best && sd_known_has (&a->here, SD_DTZ50) && sd_known_is (&a->here, SD_DTZ50) && -theirs < right)
      fault (fen, "marked best and too late:", c->text);
  }
  check_open (fen, a, &a->now);
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
  const sd_pos child = sd_game_chess.board->of (&c->to);
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
      const sd_pos child = sd_game_chess.board->of (&a->at[i].to);
      if (!holds (&a->at[i].mine, metric, worth (&a->at[i], metric))
          || !holds (&a->at[i].theirs, metric, truth (metric, &child)))
        fault (fen, "not within its span:", a->at[i].text);
    }
  }
}

static void check_best (const char *fen, const sd_answer *a, const sd_pos *board) {
  const enum sd_metric metric = a->measure == SD_NO_METRIC || !exact[sd_metrics[a->measure].exact]
                                    ? SD_WDL50
                                    : a->measure,
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

/* Who wins at the beginning wins all along. */
static void check_results (const char *fen, const sd_line_of_play *l, const sd_pos *board) {
  const int sign = sd_value_wdl (truth (SD_DTZ50, board));
  for (uint64_t i = 0; i < l->n; i++) {
    const sd_pos at = sd_game_chess.board->of (&l->at[i].to);
    if (sd_value_wdl (truth (SD_DTZ50, &at)) != (i % 2 ? sign : -sign))
      fault (fen, "the line gives the result away by", l->at[i].text);
  }
}

static void check_line (const char *fen, const sd_answer *a, const sd_pos *board) {
  sd_line_of_play l;
  sd_error err = { 0 };
  if (sd_line_find (a, &l, &err) != SD_OK)
    fault (fen, "no line:", err.text);
  for (uint64_t i = 0; i < l.n; i++) {
    const sd_pos at = sd_game_chess.board->of (&l.at[i].to);
    bool again = sd_pos_equal (&at, board);
    for (uint64_t j = 0; j < i; j++) {
      const sd_pos before = sd_game_chess.board->of (&l.at[j].to);
      again |= sd_pos_equal (&at, &before);
    }
    if (again)
      fault (fen, "a position of the line comes twice behind", l.at[i].text);
  }
  if (complete && truth (SD_DTZ50, board) != 0 && l.end != SD_LINE_OVER)
    fault (fen, "the line does not end in mate", "");
  check_results (fen, &l, board);
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

static void drawn_position (const sd_material *m, sd_pos *out) {
  const bool many = below (4) == 0;
  random_position (m, out);
  for (unsigned i = 0; many && i < DRAWS && plies_of (truth (SD_DTZ50, out)) < MANY_PLIES; i++)
    random_position (m, out);
}

/* Half of them are where it matters. */
static unsigned random_clock (const sd_pos *p) {
  const sd_value v = truth (SD_DTZ50, p);
  const int near = 100 - BORDER - plies_of (v) + (int) below (2 * BORDER + 1);
  return v && below (2) && near >= 0 ? (unsigned) near : below (121);
}

static void check_position (const sd_material *m) {
  const sd_clocks clocks = { .move = 1 };
  sd_pos board;
  sd_answer a;
  sd_error err = { 0 };
  sd_position at;
  char fen[SD_POSITION_TEXT], plain[96];
  drawn_position (m, &board);
  sd_pos_to_fen (&board, plain, sizeof plain);
  if (sd_game_chess.parse (NULL, plain, &at, &err) != SD_OK)
    return; /* more men than a game has */
  sd_game_chess.board->fen (&at, &(sd_clocks){ random_clock (&board), clocks.move }, fen);
  if (sd_answer_text (&sources, fen, &a, &err) != SD_OK) {
    fault (fen, "no answer:", err.text);
    return;
  }
  positions++;
  const sd_value v = truth (SD_DTZ50, &board);
  const int reach = plies_of (v) + (int) a.now.clock;
  decisive += v != 0;
  near_border += v && reach >= 100 - BORDER && reach <= 100 + BORDER;
  check_values (fen, &a, &board);
  check_best (fen, &a, &board);
  check_categories (fen, &a, &board);
  check_line (fen, &a, &board);
  sd_answer_free (&a);
}

static int open_all (char **argv, sd_error *err) {
  sd_game_tables *tables;
  SD_TRY (sd_values_new (argv[2], SD_DTZ50, &exact[SD_DTZ50], err));
  if (strcmp (argv[3], "-") != 0)
    SD_TRY (sd_values_new (argv[3], SD_DTM, &exact[SD_DTM], err));
  SD_TRY (sd_game_tables_open (sources.rules, argv[4], 64 << 20, &tables, err));
  sources.tables = tables;
  return SD_OK;
}

/* Of an ending and of all that it can turn into. */
static int load (const sd_material *m, sd_error *err) {
  sd_material next[64];
  const unsigned n = sd_material_successors (m, next);
  SD_TRY (sd_values_need (exact[SD_DTZ50], m, err));
  if (exact[SD_DTM])
    SD_TRY (sd_values_need (exact[SD_DTM], m, err));
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
  printf (
      "%lu positions (%lu decisive, %lu near the claim), %lu with %lu moves marked best, %lu lines of %lu plies, %lu left open by "
      "rounding, %lu faults\n",
      positions, decisive, near_border, with_best, marked, lines, plies, open_roots, faults);
  return st != SD_OK || faults;
}
