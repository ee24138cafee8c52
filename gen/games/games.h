/** \file games.h
 * Games behind the interface of solve.h: what generator and tools must know of a game, the list of all of
 * them (games.c), and their tables. Chess is the first row; a graph written down by hand and English draughts
 * follow. docs/games.md shows with the graph how to add another. */
#ifndef SD_GEN_GAMES_H
#define SD_GEN_GAMES_H

#include "gen/games/known.h"
#include "gen/solve/solve.h"
#include "recode/recode.h"

/* --------------------------------------------------------- what a game brings */

/** A part of a game that is solved by itself, as the positions with certain pieces; the game's own number. */
typedef uint64_t sd_slice;

/** Room for texts, the 0 included. */
enum { SD_SLICE_NAME = 64, SD_POSITION_TEXT = 200, SD_MOVE_TEXT = 48 };

/** Where a game asks for values of other slices. value: thread-safe; SD_ENOENT: there is no table of that
 * slice; SD_EFORMAT: it cannot be read. tidy: what sd_game.tidy of a game with slices must call. values: the
 * store behind it, for a game whose slices are endings in the sense of sd_values. */
typedef struct sd_outside {
  void *ctx;
  int (*value) (const void *ctx, sd_slice slice, sd_state state, sd_value *out);
  void (*tidy) (void *ctx, bool over);
  sd_values *values;
} sd_outside;

/** A position that is looked at. Where a state stands for a position with the colours exchanged too, `turned`
 * says whether it is that one. What a game must know besides (chess: the board, whose symmetries share a
 * state, and the right to capture en passant) is in own[], which nobody else reads. */
typedef struct sd_position {
  sd_slice slice;
  sd_state state;
  bool turned;
  uint64_t own[16];
} sd_position;

/** A move, and where it leads: to a position of a slice, as the other player sees it, or out of all slices to
 * one whose value for him is known. */
typedef struct sd_game_move {
  char text[SD_MOVE_TEXT];
  unsigned conversion; /* SD_FREE_CAPTURE, SD_FREE_PROMOTION or 0: into which class of them it falls */
  unsigned step; /* bits of enum sd_step, of games whose positions are asked for with the 50-move rule */
  bool known;
  sd_value value; /* if known */
  sd_position to; /* else */
} sd_game_move;

/** Who is told about a table that is missing: its slice and the metric of the values that it is to be made
 * of, or its file where that one alone is missing. */
typedef struct sd_missed {
  void *ctx;
  void (*say) (void *ctx, const char *name, enum sd_metric exact);
} sd_missed;

/** How a recoded table is to look where a game has layouts and conversions: completes spec, given the exact
 * values of the ending e, whose next endings are in s, too. */
typedef struct sd_chooser {
  void *ctx;
  int (*choose) (void *ctx, sd_values *s, const sd_exact *e, sd_table_spec *spec, sd_error *err);
  const sd_progress *progress;
  /** In place of making the table, of the spec that was completed; NULL: it is made. */
  int (*instead) (void *ctx, sd_values *s, const sd_exact *e, sd_table_spec *spec, sd_error *err);
} sd_chooser;

/** How a game finds and reads its tables where game_tables.c is not to do it: chess, whose tables libsubdef
 * probes with everything that they leave to be restored. */
typedef struct sd_game_store {
  /** flags: of sd_tables_open. */
  int (*open) (const char *path, unsigned flags, void **out, sd_error *err);
  void (*close) (void *store);
  /** As sd_game_tables_found. */
  const sd_tables *(*tables) (const void *store);
  /** As sd_game_tables_look_up. */
  int (*look_up) (void *store, const sd_position *p, sd_known *out, const sd_missed *missed, sd_error *err);
} sd_game_store;

/** What a game has whose positions are boards of chess. */
typedef struct sd_game_board {
  /** The board of a position that the game has read, or of one behind a move. */
  sd_pos (*of) (const sd_position *p);
  /** Why no table can hold a position: a sentence without a full stop, or NULL if one can. */
  const char *(*beyond) (const sd_position *p);
  /** The clocks of a text that the game has read. */
  sd_clocks (*clocks) (const char *text);
  /** The position with these clocks. */
  void (*fen) (const sd_position *p, const sd_clocks *clocks, char out[SD_POSITION_TEXT]);
  /** A legal move as people write it, by its text in sd_game_move. */
  void (*san) (const sd_position *before, const char *move, char out[SD_SAN_TEXT]);
} sd_game_board;

/** A game as generator and tools know it: one row of games.c. Functions with a `ctx` get what `open` made;
 * but for open and close they only read it and are thread-safe. Texts that come from users may be anything.
 */
typedef struct sd_game_kind {
  const char *name;      /* as sd_table_game.name */
  const char *summary;   /* one line for --help */
  const char *file;      /* what must stand behind the name: --game NAME:FILE; NULL: nothing may */
  const char *slices;    /* how slices are named, for --help; NULL: there is only slice 0 */
  const char *positions; /* how positions are written, for --help */
  const char *example;   /* the name of a slice; NULL: there is only slice 0 */

  int (*open) (const char *file, void **ctx, sd_error *err);
  void (*close) (void *ctx);
  /** Of everything but the name that decides what a state's number means; stored in tables and compared. */
  uint64_t (*fingerprint) (const void *ctx);

  void (*slice_name) (const void *ctx, sd_slice slice, char out[SD_SLICE_NAME]);
  /** slice_of, below and all are NULL if there is only slice 0. The slice of that name; SD_EINVAL: there is
   * none. */
  int (*slice_of) (const void *ctx, const char *name, sd_slice *out, sd_error *err);
  /** The slices that a move from this one can lead to, without itself. Returns how many; fills at most room.
   */
  unsigned (*below) (const void *ctx, sd_slice slice, sd_slice *out, unsigned room);
  /** The slices with `fewest` to `pieces` pieces, which are at most `most`. Returns how many; fills at most
   * room. */
  unsigned (*all) (const void *ctx, unsigned pieces, sd_slice *out, unsigned room);
  unsigned fewest, most;

  /** 2: it matters which player is to move, and positions are counted for each of them: the first half of the
   * slice's states is the first one's (of endings of chess, the first side). 1: it does not. NULL: 1. */
  unsigned (*sides) (const void *ctx, sd_slice slice);

  /* The rules of the game. A kind of tables whose rules the programs do not know leaves the next five NULL,
   * and has subject, verify, dump and recode instead. */

  /** The slice as a game for the solver; `outside` is kept. ctx and it must outlive the game. */
  int (*game) (const void *ctx, sd_slice slice, const sd_outside *outside, sd_game *out, sd_error *err);
  void (*game_free) (sd_game *g);

  /** Text -> position. SD_EINVAL: no position of this game; the message says what is wrong. */
  int (*parse) (const void *ctx, const char *text, sd_position *out, sd_error *err);
  /** State -> text that parse takes, not turned; false: there is no such state. */
  bool (*print) (const void *ctx, sd_slice slice, sd_state state, char out[SD_POSITION_TEXT]);
  /** Call visit for each move (two moves that lead to the same position may be one), with texts as the
   * colours are turned. Without any, the game is over or stuck, and *end is its value. false: there is no
   * such position. Of p->own only what parse or moves made is looked at. */
  bool (*moves) (const void *ctx, const sd_position *p, sd_value *end,
                 void (*visit) (void *arg, const sd_game_move *move), void *arg);

  /* What follows is optional. */

  /** Words for what players of the game call it otherwise. */
  struct {
    const char *slice, *slices; /* "slice", "slices" */
    const char *side[2];        /* "first", "second" */
    const char *position;       /* "position": the key in records of JSON */
    const char *lost, *drawn;   /* "no moves": said where a player without moves has lost, or drawn */
    int move;                   /* columns for a move; 0: 15 */
    const char *longest;        /* "mate": what the longest win ends in; NULL: only its plies are said */
    unsigned plies;             /* that make a move, in which it is counted; 0: 1, and plies are said */
    const char *none;           /* instead, if nobody wins; NULL: the same */
    /** "won in 5": a DTM value that is no draw. */
    void (*dtm) (sd_value v, char *out, size_t cap);
  } words;
  /** What a table of the slice is about, where the game does not tell it: spec->material and the layouts that
   * the generator takes, or spec->game. */
  int (*subject) (const void *ctx, sd_slice slice, sd_table_spec *spec, sd_error *err);
  const sd_game_store *store;
  const sd_game_board *board; /* NULL: positions are texts */
  /** Bits of enum sd_step that `moves` tells apart; a metric that counts plies from others is not for this
   * game. */
  unsigned steps;
  /** What tables of the game may leave free, bits of enum sd_freedom beside SD_FREE_ILLEGAL. Of a game
   * without `recode`: classes of conversions, moves into slices below, that `moves` tells apart. */
  unsigned freedom;
  /** Each value of t against its moves, as sd_game_verify; t stays the caller's. */
  int (*verify) (const char *path, const sd_table *t, const sd_progress *progress, sd_verified *out,
                 sd_error *err);
  /** All values of the slice as it is named here, for `subdef dump`. */
  int (*dump) (const void *ctx, const char *name, const char *path, sd_outfile *out,
               const sd_progress *progress, sd_error *err);
  /** A table of the slice from its exact values on the path, as spec says (its subject is filled in) and the
   * chooser completes it. NULL: as game_tables.c does, without layouts, and no chooser is asked. Seven
   * arguments: what is read, what is written, how, and who is told. */
  int (*recode) (const void *ctx, sd_slice slice, const char *path, sd_table_spec *spec,
                 const sd_chooser *how, const char *file, sd_error *err);
} sd_game_kind;

/** The i-th game, NULL beyond the last. */
const sd_game_kind *sd_game_kind_at (unsigned i);

/** A game ready to be used. */
typedef struct sd_rules {
  const sd_game_kind *kind;
  void *ctx;
} sd_rules;

/** "draughts", "graph:race.txt". SD_EINVAL: no such game, a file too many or too few; what kind->open
 * returns. */
int sd_rules_open (const char *text, sd_rules *out, sd_error *err);
void sd_rules_close (sd_rules *r);

/** The rules that a table is made of: of `game` if it is not NULL, else of the game that the table names. */
int sd_rules_of_table (const char *game, const sd_table_info *info, sd_rules *out, sd_error *err);

/** The name of the game that a table holds. */
const char *sd_game_of_table (const sd_table_info *info);

/** What stands in the header of the slice's tables (of a game with `subject`: anything). */
int sd_rules_describe (const sd_rules *r, sd_slice slice, sd_table_game *out, sd_error *err);

/** What a table of the slice is about: spec->game, or what kind->subject says; the rest of spec stays. */
int sd_rules_subject (const sd_rules *r, sd_slice slice, sd_table_spec *spec, sd_error *err);

/** The name of the file; room for SD_GAME_FILE_NAME bytes. */
void sd_subject_file_name (const sd_table_spec *subject, enum sd_metric metric, char *out);

/** "KRvKP", "draughts-KKvM-0000000000000001": also tells other rules of the same name apart. */
enum { SD_SUBJECT_NAME = SD_GAME_FILE_NAME + 24 };
void sd_subject_name (const sd_table_spec *subject, char out[SD_SUBJECT_NAME]);

/** Is the table about that? */
bool sd_subject_is (const sd_table_spec *subject, const sd_table_info *info);

/** The slice's name as --game takes it, "KRvKP" or "--game draughts KKvM", for a command to be typed. */
void sd_rules_command (const char *game, const sd_rules *r, sd_slice slice, char *out, size_t cap);

/** The slice that a table of this game holds. SD_EINVAL. */
int sd_rules_slice_of_table (const sd_rules *r, const sd_table_info *info, sd_slice *out, sd_error *err);

/** The slices that the slice's moves lead to; *out is malloced, also if there are none. SD_ENOMEM. */
int sd_rules_below (const sd_rules *r, sd_slice slice, sd_slice **out, unsigned *n, sd_error *err);

/** A list of slices; `at` is malloced. */
typedef struct sd_slices {
  sd_slice *at;
  unsigned n;
} sd_slices;

/** The slices that a user asks for: name[0..n-1], and all slices with up to `pieces` pieces (0: only those
 * that are named). If nothing is asked for, and the game has a single slice, it is that one. SD_EINVAL:
 * unknown names or numbers, or nothing is asked for. */
int sd_rules_wanted (const sd_rules *r, char **name, unsigned n, unsigned pieces, sd_slices *out,
                     sd_error *err);

/** The slice of that name; NULL stands for the only slice of a game that has no others. SD_EINVAL. */
int sd_rules_slice (const sd_rules *r, const char *name, sd_slice *out, sd_error *err);

/** want[0..n-1] and all slices that they depend on, each once, each behind those that its moves lead to. *out
 * is malloced. SD_EINVAL: slices that lead to one another. */
int sd_rules_order (const sd_rules *r, const sd_slice *want, unsigned n, sd_slice **out, unsigned *nout,
                    sd_error *err);

/* --------------------------------------------------------------- their tables */

/** Is there a file of that name in a folder of the path? */
bool sd_path_has (const char *path, const char *name);

/** Tables of one game's slices, looked for on a path as they are needed, decoded block by block. */
typedef struct sd_game_tables sd_game_tables;

/** path: colon-separated folders; it and the rules must outlive the tables. budget: bytes of decoded values
 * that stay when sd_game_tables_trim is called. */
int sd_game_tables_open (const sd_rules *r, const char *path, uint64_t budget, sd_game_tables **out,
                         sd_error *err);
void sd_game_tables_close (sd_game_tables *g);
SD_LEFT_BY (sd_game_tables, sd_game_tables_close)

/** Open now what look_up would open when it is first called; flags: of sd_tables_open, for a game with a
 * store of its own (chess). Afterwards look_up is thread-safe for such a game. */
int sd_game_tables_start (sd_game_tables *g, unsigned flags, sd_error *err);

/** What such a game's store has opened; NULL: nothing so far, or there is no such store. */
const sd_tables *sd_game_tables_found (const sd_game_tables *g);
const sd_rules *sd_game_tables_rules (const sd_game_tables *g);

/** Open a slice's table of that metric; for WDL a DTM table serves, too. SD_ENOENT names the missing
 * file; SD_EFORMAT: the file holds another game, or what this game's file was not when it was made. Not
 * thread-safe. */
int sd_game_tables_need (sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_error *err);

/** The same for all slices below. */
int sd_game_tables_need_below (sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_error *err);

/** Use t as the table of its slice, whatever the path has; g owns it afterwards, even if this fails as need
 * does. */
int sd_game_tables_use (sd_game_tables *g, sd_table *t, sd_slice *slice, sd_error *err);

/** Value of a state of a slice whose table is open; WDL is -1, 0, 1. SD_ENOENT: it is not open; SD_EFORMAT:
 * it cannot be read. Thread-safe while nothing is added or trimmed. The value of a state that there is not
 * may be anything. */
int sd_game_tables_value (const sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_state state,
                          sd_value *out);

/** The store that they come from. */
sd_values *sd_game_tables_store (const sd_game_tables *g);

/** What the tables on the path know of a position in all metrics, by kind->store if there is one, and of one
 * without moves the rules of the game; under the 50-move rule as if the count stood at 0. *out is filled in
 * any case. SD_ENOENT: not even who wins. Other failures: a table is damaged, and *out is what the others
 * know. `missed` (may be NULL) is told which tables are missing for more. Not thread-safe. */
int sd_game_tables_look_up (sd_game_tables *g, const sd_position *p, sd_known *out, const sd_missed *missed,
                            sd_error *err);

/** Free decoded values beyond the budget. Not thread-safe. */
void sd_game_tables_trim (sd_game_tables *g);

/** All exact values of a slice from its table of this metric, which is its own `exact`; SD_ILLEGAL for states
 * that there are not; malloced. */
int sd_game_tables_exact (sd_game_tables *g, sd_slice slice, enum sd_metric metric, sd_value **out,
                          uint64_t *n, sd_error *err);

/** A table of the slice from its exact values on the path, by kind->recode if there is one. spec: its subject
 * is filled in here. Not thread-safe. */
int sd_game_tables_recode (sd_game_tables *g, sd_slice slice, sd_table_spec *spec, const sd_chooser *how,
                           const char *file, sd_error *err);

/** Each value of t follows from those that its moves lead to, by kind->moves. As sd_table_verify: DTM
 * is proved by it, WDL is also compared with the signs of a DTM table if there is one. Smaller slices come
 * from tables on the path. SD_EDIFF: names the first position that differs, and both values.
 * Closes t. out may be NULL. */
int sd_game_verify (const sd_rules *r, const char *path, sd_table *t, const sd_progress *progress,
                    sd_verified *out, sd_error *err);

/* ------------------------------------------------------------------- chess */

/** Endings of chess, up to 7 men: gen/games/chess/chess_kind.c. */
extern const sd_game_kind sd_game_chess;

/** The number of an ending, canonical or not, and back. */
sd_slice sd_chess_slice (const sd_material *m);
sd_material sd_chess_material (sd_slice slice);

/* ------------------------------------------------------------------- graph */

/** A game on an explicit graph: one line a state, "NAME: MOVE...". A move is the name of a state, or +N, -N
 * or = for a move out of the graph to a position that is won in N plies (odd), lost in N plies (even, 0 too)
 * or drawn for the player who is then to move. Instead of moves: "lost" or "won", the game is over, told for
 * the player to move. A line without moves is a stalemate: drawn. '#' starts a comment. Names: a letter or _,
 * then letters, digits and _, at most 31; a state may stand before or after the lines that name it. A move
 * that stands twice counts twice. */
extern const sd_game_kind sd_game_graph;

typedef struct sd_graph sd_graph;

/** Parse text[0..n-1], which need not end in a newline or 0; `name` stands for it in messages and is the
 * game's name. SD_EFORMAT with the line: what is above is violated, there is no state, or a number is above
 * 32766. SD_ERANGE: more than 2^20 states or 2^24 moves. */
int sd_graph_parse (const char *text, size_t n, const char *name, sd_graph **out, sd_error *err);

/** The same from a file. */
int sd_graph_read (const char *path, sd_graph **out, sd_error *err);
void sd_graph_free (sd_graph *g);

/** States are numbered in the order of their lines. */
uint64_t sd_graph_size (const sd_graph *g);

/** The number of the state of that name, or sd_graph_size. */
sd_state sd_graph_find (const sd_graph *g, const char *name);

/** The game, which borrows g. */
void sd_graph_game (const sd_graph *g, sd_game *out);

/* ---------------------------------------------------------------- draughts */

/** English draughts (checkers) on the 32 dark squares. Squares are numbered from the player to move: 0..3 is
 * his first rank, 28..31 his last, each from his left to his right; turned round, s becomes 31 - s. Men move
 * and capture forward, kings both ways, one step; captures are compulsory, any of them, and go on as long as
 * they can; a man that comes to the last rank stops there and becomes a king. Who cannot move has lost.
 *
 * Slices are named by the pieces of both sides, as KKvM; only the canonical one of two mirrored ones is
 * solved. States: side * slots + slot, seen from that side to move; the first side alone where both have the
 * same pieces. `game` fails with SD_EINVAL or SD_ERANGE, its `init` with SD_ENOENT where a slice is missing.
 */
extern const sd_game_kind sd_game_draughts;

enum { SD_DRAUGHTS_SIDE = 12 }; /* pieces of one side, at most */

/** The pieces of two sides. */
typedef struct sd_draughts_slice {
  uint8_t men[2], kings[2];
} sd_draughts_slice;

/** Bit s: square s; [0] the player to move. */
typedef struct sd_draughts_pos {
  uint32_t men[2], kings[2];
} sd_draughts_pos;

/** "KKvM": kings before men, the first side first; "-" for a side without pieces. Room for 27 bytes. */
void sd_draughts_name (const sd_draughts_slice *m, char *out);

/** The side with more pieces first, then with more kings. */
bool sd_draughts_canonical (const sd_draughts_slice *m);

/** The number of a canonical slice, and back. */
sd_slice sd_draughts_number (const sd_draughts_slice *m);
sd_draughts_slice sd_draughts_of_number (sd_slice n);

/** The canonical slices with 1 to `pieces` pieces, each after all that it can turn into: by the number of
 * pieces, then of men. Returns how many; fills at most room. */
unsigned sd_draughts_order (unsigned pieces, sd_draughts_slice *out, unsigned room);

/** Slice and state of a position; ctx: of sd_game_draughts. SD_EINVAL: no position (overlap, a man on his
 * last rank, nobody at all, too many). */
int sd_draughts_find (const void *ctx, const sd_draughts_pos *p, sd_slice *slice, sd_state *state);

/** Can the player to move capture? */
bool sd_draughts_captures (const sd_draughts_pos *p);

#endif
