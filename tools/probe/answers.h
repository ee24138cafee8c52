/** \file answers.h
 * What tables know of a position and of its moves, and how programs and people are told: for `subdef probe`
 * and `subdef serve`. */
#ifndef SD_ANSWERS_H
#define SD_ANSWERS_H

#include "tools/positions.h"
#include "tools/tools_internal.h"

/** Where answers come from. Thread-safe for chess after sd_game_tables_start. */
typedef struct sd_sources {
  const sd_rules *rules;
  sd_game_tables *tables;
} sd_sources;

/** What is known of a position, with the 50-move rule and without. */
typedef struct sd_found {
  sd_known k;
  sd_known_rule rule;
} sd_found;

/** A move. */
typedef struct sd_choice {
  char text[SD_MOVE_TEXT];
  bool ends; /* the game: there is nothing at `to` */
  unsigned step;
  sd_position to;
  sd_found mine;   /* for the player who makes the move */
  sd_found theirs; /* of the position behind it, for who is to move there */
} sd_choice;

/** A position that has been looked at. */
typedef struct sd_answer {
  const sd_sources *p;
  sd_position position;
  sd_found here;
  sd_value end;  /* without moves */
  sd_choice *at; /* the moves, best first, unknown ones last */
  uint64_t n, room;
  size_t unknown;
  sd_missing missing; /* tables that were asked for in vain */
  int status;         /* of the list itself */
  sd_error own;       /* and why */
  sd_error why;       /* the first failure to look something up, damage before absence; SD_OK: none */
} sd_answer;

/** Look at a position and at its moves. SD_OK: something is known; else err says why not. The answer is to be
 * freed in any case. */
int sd_answer_position (const sd_sources *p, const sd_position *position, sd_answer *out, sd_error *err);
/** The same of a text. SD_EINVAL: it is none of this game's positions. */
int sd_answer_text (const sd_sources *p, const char *text, sd_answer *out, sd_error *err);
void sd_answer_free (sd_answer *a);
/** Is there surely no better move than number i? Where the moves cannot tell, the position does: by its
 * distance if it has one, else by its result alone. */
bool sd_answer_best (const sd_answer *a, size_t i);
/** The value of WDL50, of whichever it is. */
sd_value sd_rule_result (const sd_known_rule *r);

/** "won, mates in 5 moves (9 plies); 50-move rule: won, zeroing in 9 plies", "?". */
enum { SD_FOUND_TEXT = 200 };
void sd_found_text (const sd_game_kind *kind, const sd_found *f, char out[SD_FOUND_TEXT]);

/* ------------------------------------------------------------------ best line */

/** How a line of best moves ends: the game is over; nobody wins, so that all moves that keep the draw are
 * alike; or the tables do not tell how fast a win is. */
enum sd_line_end { SD_LINE_OVER, SD_LINE_DRAWN, SD_LINE_UNKNOWN };
/** Best moves of both sides, one after the other. */
typedef struct sd_line_of_play {
  sd_choice *at;
  uint64_t n, room;
  enum sd_line_end end;
} sd_line_of_play;
/** From the position of an answer. SD_ENOMEM, or damage of a table on the way. */
int sd_line_find (const sd_answer *a, sd_line_of_play *out, sd_error *err);
void sd_line_free (sd_line_of_play *l);

/* -------------------------------------------------------------------- telling */

/** The key of a position in records: "fen". */
const char *sd_position_key (const sd_game_kind *kind);
/** A move of chess as people write it; board: before it. */
void sd_choice_san (const sd_pos *board, const sd_choice *c, char out[SD_SAN_TEXT]);
/** A record: what all games have, of chess the members of the known web API as well (docs/api.md). text: what
 * the position was read from. */
json_t *sd_answer_json (const sd_answer *a, const char *text);
/** An array of the line's moves; text: the position it starts from. */
json_t *sd_line_json (const sd_answer *a, const sd_line_of_play *l, const char *text);

/** Lines of text that stay as they are, for scripts: the position, its value, a line a move. */
void sd_answer_lines (const sd_answer *a, const char *text);

/** How people are shown a position. */
typedef struct sd_look {
  bool symbols, colours;
} sd_look;
/** What the terminal behind stdout can show: symbols in UTF-8; colours unless NO_COLOR is set. */
sd_look sd_look_of_stdout (void);
/** Of chess: the board, its value, a line a move in SAN and UCI; what is counted and in which unit. */
void sd_answer_board (const sd_answer *a, const char *text, sd_look look);
/** The best line as text; the same as a game of PGN (chess). */
void sd_line_text (const sd_answer *a, const sd_line_of_play *l, const char *text);
void sd_line_pgn (const sd_answer *a, const sd_line_of_play *l, const char *text);

/* -------------------------------------------------------------- streams of values */

/** How `subdef probe --metric` answers. */
typedef struct sd_stream_options {
  const char *tables; /* as typed; NULL: not */
  enum sd_metric metric;
  unsigned threads;
} sd_stream_options;
/** A value a line for each position: of the words, where "-" stands for the lines of standard input, and of
 * the lines of a file (NULL: none). Returns the exit status. */
int sd_stream_values (const sd_words *words, const char *file, const sd_stream_options *how);

#endif
