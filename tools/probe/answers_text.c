/* Answers as text: lines for scripts, and for people the board with every move in SAN and UCI, the best line,
 * and that line as a game of PGN. */
#include "config.h"
#include "tools/probe/answers.h"
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *sd_position_key (const sd_game_kind *kind) {
  return kind->words.position ? kind->words.position : "position";
}

/* "won, zeroing in 5 plies", of rounded plies "in 5 or 6 plies"; nothing where the metric says no more than who
 * wins. */
static void put_plies (const sd_known *k, enum sd_metric metric, char *out, size_t cap) {
  const sd_span s = k->of[metric];
  const enum sd_metric results = sd_metrics[metric].signs;
  const sd_value result = sd_known_in (k, results).least;
  const bool plies = sd_known_plies (k, metric);
  char text[80];

  *out = 0;
  if (!sd_known_has (k, metric) || !sd_known_is (k, results) || result == 0 || (!plies && results == SD_WDL))
    return;

  if (plies && s.least == s.most)
    sd_metric_text (metric, s.least, text, sizeof text);
  else
    sd_metric_text (results, result, text, sizeof text);
  /* Rounded: the span has two values, of which the nearer one is named first. */
  if (plies && s.least != s.most) {
    const int soon = result > 0 ? s.most : -s.least - 1;
    const size_t n = strlen (text);
    snprintf (text + n, sizeof text - n, ", %s in %d or %d plies", sd_metrics[metric].ends, soon, soon + 1);
  }

  snprintf (out, cap, "; %s: %s", sd_metric_has_rule (metric) ? "50-move rule" : sd_metrics[metric].title, text);
}

/* First the result, with plies to mate if they are known; then what each other metric adds. */
void sd_known_text (const sd_game_kind *kind, const sd_known *k, char out[SD_KNOWN_TEXT]) {
  char text[80];
  int result;

  if (!sd_known_result (k, &result))
    snprintf (text, sizeof text, "?");
  else if (!sd_known_is (k, SD_DTM))
    snprintf (text, sizeof text, "%s", sd_tool_result ((sd_value) result));
  else
    sd_tool_value (kind, k->of[SD_DTM].least, text, sizeof text);

  int n = snprintf (out, SD_KNOWN_TEXT, "%s", text);
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (sd_metrics[m].exact == m && m != SD_USUAL_EXACT) {
      put_plies (k, (enum sd_metric) m, out + n, SD_KNOWN_TEXT - (size_t) n);
      n += (int) strlen (out + n);
    }
}

/* ------------------------------------------------------------------------- lines */

/* Why there are no moves. */
static const char *over_text (const sd_answer *a) {
  const sd_game_kind *k = a->p->rules->kind;
  const char *over = a->end < 0 ? k->words.lost : k->words.drawn;
  return over ? over : "no moves";
}

/* The form stays: scripts read it. "  * h1d1  won, mates in 14 moves (27 plies)" is a best move. */
void sd_answer_lines (const sd_answer *a, const char *text) {
  const sd_game_kind *k = a->p->rules->kind;
  char value[SD_KNOWN_TEXT];
  sd_known_text (k, &a->here, value);
  printf ("%s\n  %s\n", text, value);
  for (size_t i = 0; i < a->n; i++) {
    sd_known_text (k, &a->at[i].mine, value);
    printf ("  %c %-*s %s\n", a->at[i].best ? '*' : ' ', k->words.move ? k->words.move : 15,
            a->at[i].text, value);
  }
  if (a->n == 0)
    printf ("  %s\n", over_text (a));
}

/* ------------------------------------------------------------------------- board */

sd_look sd_look_of_stdout (void) {
  const char *no = getenv ("NO_COLOR"), *term = getenv ("TERM");
  const bool terminal = isatty (STDOUT_FILENO) && term && strcmp (term, "dumb") != 0;
  sd_look look = { .colours = terminal && !(no && *no) };
  /* The locale of the user alone for this question: the program itself stays in "C", in which numbers have a
   * point. */
  locale_t user = newlocale (LC_CTYPE_MASK, "", (locale_t) 0);
  if (user) {
    look.symbols = isatty (STDOUT_FILENO) && strcmp (nl_langinfo_l (CODESET, user), "UTF-8") == 0;
    freelocale (user);
  }
  return look;
}

/* Codes of a terminal. */
static const char *const plain = "\033[0m", *const bold = "\033[1m";
/* Green for a win, red for a loss of the player who makes the move. */
static const char *colour_of (const sd_known *k) {
  int result;
  return !sd_known_result (k, &result) || result == 0 ? "" : result > 0 ? "\033[32m" : "\033[31m";
}

/* One square of the board, one column wide. */
static const char *square_text (const sd_pos *p, unsigned square, bool symbols) {
  static const char *const symbol[2][6] = { { "\u2659", "\u2658", "\u2657", "\u2656", "\u2655", "\u2654" },
                                            { "\u265f", "\u265e", "\u265d", "\u265c", "\u265b", "\u265a" } };
  static const char *const letter[2][6] = { { "P", "N", "B", "R", "Q", "K" },
                                            { "p", "n", "b", "r", "q", "k" } };

  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned type = SD_PAWN; type <= SD_KING; type++)
      if (p->by[colour][type] & sd_bit (square))
        return symbols ? symbol[colour][type] : letter[colour][type];

  return symbols ? "\u00b7" : ".";
}

/* What stands beside the board, a line a rank from the eighth on. */
enum { BESIDE = 8, BESIDE_TEXT = 240 };

/* Does a table tell the result under the 50-move rule? */
static bool has_rule (const sd_known *k) {
  return sd_known_has (k, SD_DTZ50) && sd_known_is (k, SD_WDL50);
}

/* What is counted: the mate or the result, the 50-move rule, then whatever other tables tell. */
static void tell_units (const sd_answer *a, char out[BESIDE_TEXT]) {
  const sd_known *k = &a->here;
  int n = snprintf (out, BESIDE_TEXT, "%s",
                    (k->has >> SD_DTM & 1) && sd_known_is (k, SD_DTM) ? "DTM: moves and plies to mate"
                    : sd_answer_known (a)                             ? "WDL: no distances"
                                                                      : "no table tells its value");

  for (unsigned m = 0; m < SD_METRICS; m++) {
    /* Of the 50-move rule it is told, too, that no table knows it; of other metrics nothing where no table
     * has them. */
    const bool rule = m == SD_DTZ50;
    if (m == SD_USUAL_EXACT || sd_metrics[m].exact != m || !(rule || k->has >> m & 1))
      continue;
    const char *unit = k->has >> m & 1 ? sd_metrics[m].unit : "the result alone";
    if (rule && !has_rule (k))
      n += snprintf (out + n, BESIDE_TEXT - (size_t) n, "; no 50-move rule");
    else
      n += snprintf (out + n, BESIDE_TEXT - (size_t) n, "; %s: %s", rule ? "50-move rule" : sd_metrics[m].title, unit);
  }
}

/* Values are those of a fresh clock, which a reader of a FEN with another clock must know. */
static void tell_clock (const sd_answer *a, char out[BESIDE_TEXT]) {
  *out = 0;
  if (a->clocks.halfmoves)
    snprintf (out, BESIDE_TEXT, "half-move clock %u: %s", a->clocks.halfmoves,
              has_rule (&a->here) ? "the values are for a clock of 0" : "it does not count here");
}

static void put_board (const sd_answer *a, sd_look look) {
  char beside[BESIDE][BESIDE_TEXT] = { "" }, name[SD_SLICE_NAME], value[SD_KNOWN_TEXT];
  const sd_rules *r = a->p->rules;
  const sd_pos board = sd_answer_board (a)->of (&a->position);

  r->kind->slice_name (r->ctx, a->position.slice, name);
  sd_known_text (r->kind, &a->here, value);
  /* The eighth rank has nothing beside it; then come the ending, why no table has it, the value, what is
   * counted, the clock, en passant. */
  snprintf (beside[1], BESIDE_TEXT, "%s, %s to move%s", name, board.stm == SD_WHITE ? "White" : "Black",
            a->n         ? ""
            : a->end < 0 ? ": checkmate"
                         : ": stalemate");
  snprintf (beside[3], BESIDE_TEXT, "%s%s%s", look.colours ? colour_of (&a->here) : "", value,
            look.colours ? plain : "");
  if (sd_answer_beyond (a))
    snprintf (beside[2], BESIDE_TEXT, "%s", sd_answer_beyond (a));
  tell_units (a, beside[4]);
  tell_clock (a, beside[5]);
  if (board.ep < SD_NO_SQUARE)
    snprintf (beside[6], BESIDE_TEXT, "en passant on %c%c", 'a' + (board.ep & 7), '1' + (board.ep >> 3));

  for (unsigned i = 0; i < 8; i++) {
    printf ("  %u", 8 - i);
    for (unsigned file = 0; file < 8; file++)
      printf (" %s", square_text (&board, 8 * (7 - i) + file, look.symbols));
    printf ("%s%s\n", *beside[i] ? "    " : "", beside[i]);
  }
  puts ("    a b c d e f g h");
}

void sd_answer_draw (const sd_answer *a, const char *text, sd_look look) {
  char value[SD_KNOWN_TEXT], san[SD_SAN_TEXT];

  printf ("%s\n\n", text);
  put_board (a, look);

  if (a->n)
    puts ("\n    move     UCI    for the player who makes it");
  for (size_t i = 0; i < a->n; i++) {
    const sd_choice *c = &a->at[i];
    const bool best = a->at[i].best;
    sd_answer_board (a)->san (&a->position, c->text, san);
    sd_known_text (a->p->rules->kind, &c->mine, value);
    printf ("  %c %s%-8s%s %-6s %s%s%s\n", best ? '*' : ' ', best && look.colours ? bold : "", san,
            best && look.colours ? plain : "", c->text, look.colours ? colour_of (&c->mine) : "", value,
            look.colours ? plain : "");
  }
}

/* --------------------------------------------------------------------- best line */

/* Words of a text, broken into lines. */
typedef struct paragraph {
  unsigned column, width; /* of this line so far; of any line */
  const char *indent;     /* before the first word of a line */
} paragraph;

/* A word that is longer than a line stands on one alone. */
static void put_word (paragraph *p, const char *word) {
  const unsigned n = (unsigned) strlen (word);
  if (p->column && p->column + 1 + n > p->width) {
    putchar ('\n');
    p->column = 0;
  }
  p->column += (unsigned) printf ("%s%s", p->column ? " " : p->indent, word);
}

/* Moves with their numbers, as PGN has them. */
static void put_moves (const sd_answer *a, const sd_line_of_play *l, paragraph *p) {
  const sd_position *before = &a->position;
  unsigned number = a->clocks.move;
  char word[40];

  /* "12. Rd1 Kc4 13. Ra1", and "12... Kc4" where Black begins. */
  for (uint64_t i = 0; i < l->n; i++) {
    const bool white = sd_answer_board (a)->of (before).stm == SD_WHITE;
    if (white || i == 0) {
      snprintf (word, sizeof word, "%u%s", number, white ? "." : "...");
      put_word (p, word);
    }

    sd_answer_board (a)->san (before, l->at[i].text, word);
    put_word (p, word);
    number += !white;
    before = &l->at[i].to;
  }
}

/* Why the line ends where it is not known. The first reason that applies: tables are missing, no table counts
 * plies, or plies that are known do not lead on. */
static const char *unknown_text (const sd_answer *a, const sd_line_of_play *l) {
  if (l->missing.n)
    return l->n ? "not known any further: tables are missing" : "not known: tables are missing";
  if (sd_answer_known (a) && !sd_known_any_plies (&a->here))
    return "not known: that takes tables of dtm, or of another metric that counts plies";
  return l->n ? "not known any further: no move is known to lead on" : "not known: no move is known to lead on";
}

/* NULL: the game is over, which the moves show. */
static const char *end_text (const sd_answer *a, const sd_line_of_play *l) {
  switch (l->end) {
  case SD_LINE_DRAWN:
    return l->n ? "drawn from here on" : "drawn: every move that keeps the draw is as good";
  case SD_LINE_UNKNOWN:
    return unknown_text (a, l);
  default:
    return NULL;
  }
}

/* "  best line:" and below it the moves, broken into lines, and why it ends there. */
void sd_line_text (const sd_answer *a, const sd_line_of_play *l) {
  paragraph p = { .width = 79, .indent = "    " };
  const char *end = end_text (a, l);

  puts ("  best line:");

  if (sd_answer_board (a))
    put_moves (a, l, &p);
  else
    for (uint64_t i = 0; i < l->n; i++)
      put_word (&p, l->at[i].text);

  if (p.column)
    putchar ('\n');
  if (end)
    printf ("    %s\n", end);
  else if (!l->n)
    printf ("    none: %s\n", over_text (a));
}

/* The result of the game that the line ends with; "*": it goes on. */
static const char *pgn_result (const sd_answer *a, const sd_line_of_play *l) {
  if (l->end == SD_LINE_DRAWN)
    return "1/2-1/2";
  if (l->end == SD_LINE_UNKNOWN)
    return "*";
  /* The game is over: who is to move is mated or has no move. */
  const sd_pos last = sd_answer_board (a)->of (l->n ? &l->at[l->n - 1].to : &a->position);
  return !sd_in_check (&last, last.stm) ? "1/2-1/2" : last.stm == SD_WHITE ? "0-1" : "1-0";
}

/* Names of players and the date are not known: PGN has question marks for them. The value stands as a comment
 * before the moves. */
void sd_line_pgn (const sd_answer *a, const sd_line_of_play *l) {
  const char *result = pgn_result (a, l), *end = end_text (a, l);
  char fen[SD_POSITION_TEXT], value[SD_KNOWN_TEXT];
  paragraph p = { .width = 79, .indent = "" };

  sd_answer_board (a)->fen (&a->position, &a->clocks, fen);
  sd_known_text (a->p->rules->kind, &a->here, value);

  printf ("[Event \"Best line of the endgame tables\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"-\"]\n"
          "[White \"?\"]\n[Black \"?\"]\n[Result \"%s\"]\n[SetUp \"1\"]\n[FEN \"%s\"]\n"
          "[Annotator \"%s\"]\n\n",
          result, fen, PACKAGE_STRING);
  printf ("{%s%s%s}\n", value, end ? "; " : "", end ? end : "");
  put_moves (a, l, &p);
  put_word (&p, result);
  puts ("\n");
}
