/** \file answers.h
 * What tables know of a position and of its moves, and how programs and people are told: for `subdef probe`
 * and `subdef serve`. */
#ifndef SD_ANSWERS_H
#define SD_ANSWERS_H

#include "tools/positions.h"
#include "tools/tools_internal.h"

/* ---------------------------------------------- the 50-move rule in a game: category.c */

/** Where a position stands in a game. */
typedef struct sd_moment {
  unsigned clock; /* half-moves since the last capture or pawn move */
  bool spent; /* the game could be claimed drawn before the move that led here, so that not even a mate counts
               */
} sd_moment;
/** Behind a move. */
sd_moment sd_moment_after (const sd_moment *before, bool zeroing);
/** The results that are possible with this clock: 2 win, 1 cursed win, 0 draw, -1 blessed loss, -2 loss. */
sd_span sd_ruled (const sd_known *k, const sd_moment *at);
/** "win", "syzygy-win", "maybe-win", "cursed-win", "draw", ..., "unknown": docs/api.md says what each
 * means. */
const char *sd_category (const sd_known *k, const sd_moment *at);

/* ---------------------------------------------------------------- answers */

/** Where answers come from. Thread-safe for chess after sd_game_tables_start. */
typedef struct sd_sources {
  const sd_rules *rules;
  sd_game_tables *tables;
} sd_sources;

/** A move. */
typedef struct sd_choice {
  char text[SD_MOVE_TEXT];
  bool ends;     /* the game: there is nothing at `to` */
  bool best;     /* surely no move is better; where that is open no move is best */
  unsigned step; /* bits of enum sd_step: what kind of move it is */
  sd_position to;
  sd_known mine;   /* for the player who makes the move */
  sd_known theirs; /* of the position behind it, for who is to move there */
} sd_choice;

/** A position that has been looked at. Its value follows from its own tables and from its moves, and what is
 * known of it bounds that of its moves: none is worth more. */
typedef struct sd_answer {
  const sd_sources *p;
  sd_position position;
  sd_clocks clocks; /* of the text it was read from */
  sd_moment now;    /* in the game: it counts where the 50-move rule is known */
  sd_known here;
  sd_value end;  /* without moves */
  sd_choice *at; /* the moves, best first; unknown ones behind those that win */
  uint64_t n, room;
  enum sd_metric measure; /* in which the best moves are so; SD_NO_METRIC: no move is */
  size_t unknown;         /* moves of which no table tells the result */
  sd_missing missing;     /* tables that were asked for in vain */
  int status;             /* of the list itself */
  sd_error own;           /* and why */
  sd_error why;           /* the first failure to look something up, damage before absence; SD_OK: none */
} sd_answer;

/** Look at a position, reached at that moment of a game, and at its moves. That nothing is known is an
 * answer, too; a damaged table is none if nothing else is known. The answer is to be freed in any case. */
int sd_answer_position (const sd_sources *p, const sd_position *position, const sd_moment *now,
                        sd_answer *out, sd_error *err);
/** The same of a text. SD_EINVAL: it is none of this game's positions. */
int sd_answer_text (const sd_sources *p, const char *text, sd_answer *out, sd_error *err);
void sd_answer_free (sd_answer *a);
/** Behind its move c. */
sd_moment sd_answer_behind (const sd_answer *a, const sd_choice *c);
/** Are plies of a win or a loss known in any metric? */
bool sd_known_any_plies (const sd_known *k);
/** Is it known who wins? */
bool sd_answer_known (const sd_answer *a);

/** What its game knows of boards; NULL: nothing. */
const sd_game_board *sd_answer_board (const sd_answer *a);
/** Why no table can hold the position, or NULL if one can. */
const char *sd_answer_beyond (const sd_answer *a);

/** "won, mates in 5 moves (9 plies); 50-move rule: won, zeroing in 9 plies", "?". */
enum { SD_KNOWN_TEXT = 200 };
void sd_known_text (const sd_game_kind *kind, const sd_known *k, char out[SD_KNOWN_TEXT]);

/* ------------------------------------------------------------------ best line */

/** How a line of best moves ends: the game is over; nobody wins, so that all moves that keep the draw are
 * alike; or the tables do not tell which move surely leads on. */
enum sd_line_end { SD_LINE_OVER, SD_LINE_DRAWN, SD_LINE_UNKNOWN };
/** Best moves of both sides, one after the other. */
typedef struct sd_line_of_play {
  sd_choice *at;
  uint64_t n, room;
  enum sd_line_end end;
  sd_missing missing; /* of its last position */
} sd_line_of_play;
/** From the position of an answer. SD_ENOMEM, or damage of a table on the way. */
int sd_line_find (const sd_answer *a, sd_line_of_play *out, sd_error *err);
void sd_line_free (sd_line_of_play *l);

/* -------------------------------------------------------------------- telling */

/** The key of a position in records: "fen". */
const char *sd_position_key (const sd_game_kind *kind);
/** A record: what all games have, of chess the members of the known web API as well (docs/api.md). text: what
 * the position was read from. */
json_t *sd_answer_json (const sd_answer *a, const char *text);
/** An array of the line's moves. */
json_t *sd_line_json (const sd_answer *a, const sd_line_of_play *l);
/** "over", "drawn", "unknown". */
const char *sd_line_end_name (const sd_line_of_play *l);

/** Lines of text that stay as they are, for scripts: the position, its value, a line a move. */
void sd_answer_lines (const sd_answer *a, const char *text);

/** How people are shown a position. */
typedef struct sd_look {
  bool symbols, colours;
} sd_look;
/** What the terminal behind stdout can show: symbols in UTF-8; colours unless NO_COLOR is set. */
sd_look sd_look_of_stdout (void);
/** Of chess: the board, its value, a line a move in SAN and UCI; what is counted and in which unit. */
void sd_answer_draw (const sd_answer *a, const char *text, sd_look look);
/** The best line as text; the same as a game of PGN (chess). */
void sd_line_text (const sd_answer *a, const sd_line_of_play *l);
void sd_line_pgn (const sd_answer *a, const sd_line_of_play *l);

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
