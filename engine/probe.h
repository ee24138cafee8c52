/** \file probe.h
 * Probing chess endgame tables from an engine, <subdef/probe.h> where it is installed: C11 and C++, nothing
 * else to include.
 *   cc engine.c $(pkg-config --cflags --libs subdef-probe)
 *
 * A prober holds the tables found on a path. Probes may run in any number of threads. The first probe that
 * needs a table opens it, for which it asks for memory; other probes, and with SD_PROBER_ALL all of them, ask
 * for none. A probe prints nothing and does not end the process (but see mapped files below); a thread with a
 * stack of 256 KiB may probe (tested with up to 4 men). Opening, adding and closing must not happen while a
 * probe of the same prober runs. Any number of probers may be open, also of the same files. A process may
 * fork while probes run; the child may probe on.
 *
 * Each part (1 MiB) of a file is read into memory and compared with its checksum when a probe first needs
 * it; another thread that needs the same part meanwhile waits until it is there. Otherwise no probe waits for
 * another one, and with SD_PROBER_ALL none ever does. So a damaged, shortened or replaced
 * file gives a status, and never a wrong value or a signal. Syzygy files are different: they have one
 * checksum over all of the file, which only SD_PROBER_ALL compares, and without SD_PROBER_ALL those of more
 * than 1 MiB are mapped: a file that somebody cuts short while it is read ends the process (SIGBUS).
 *
 * Four values can be had. WDL and DTM (half-moves, plies, to mate) know no 50-move rule. WDL50 and DTZ50
 * (plies to the next capture, pawn move or mate) do. Tables know no castling and no repetition; en-passant
 * captures are honoured. */
#ifndef SUBDEF_PROBE_H
#define SUBDEF_PROBE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifndef SUBDEF_API
#define SUBDEF_API __attribute__ ((visibility ("default"))) /* what the shared libraries export */
#endif

/** What a call returns; sd_prober_text has a text of each. */
enum sd_prober_status {
  SD_PROBER_OK = 0,
  SD_PROBER_MISSING = 1,     /* no table holds this position, or a position that it may lead to; no folder */
  SD_PROBER_DAMAGED = 2,     /* the file is damaged where this position stands */
  SD_PROBER_IO = 3,          /* the file cannot be read, or has become shorter */
  SD_PROBER_UNSUPPORTED = 4, /* a table of a codec that asks for memory while it is read, or a newer one */
  SD_PROBER_ILLEGAL = 5,     /* not a legal position, or not a FEN */
  SD_PROBER_CASTLING = 6,    /* castling is possible: no table knows such positions */
  SD_PROBER_MEN = 7,         /* more men than any table has (7) */
  SD_PROBER_MEMORY = 8,      /* not enough memory to open a prober or a table */
  SD_PROBER_ARGUMENT = 9     /* an unknown flag, or NULL for something that is needed */
};

/** How tables are opened: 0, or a sum of these. */
enum sd_prober_flags {
  /** Map the files instead of reading them into memory of this process: several processes then share what
   * they read, and the system may drop it. Parts are compared as without it, but a file that becomes shorter
   * meanwhile ends the process (SIGBUS), and bytes that are overwritten after they were compared count. */
  SD_PROBER_MAP = 1,
  /** Open every table, read and compare every part of it now; probes then touch no file (unless SD_PROBER_MAP
   * is set) and ask for no memory. */
  SD_PROBER_ALL = 2,
  /** Also tables of general compressors (lzma and others), as subdef-gen writes them. A probe of such a table
   * asks for memory and takes far longer. Not in libsubdef-probe, which refuses them in any case. */
  SD_PROBER_ANY_CODEC = 4,
  /** Where a Syzygy file and a table of this project hold the same, ask the Syzygy file. */
  SD_PROBER_SYZYGY_FIRST = 8
};

/** The tables of a path. */
typedef struct sd_prober sd_prober;

/** A position as bit boards: bit 0 is a1, bit 7 is h1, bit 63 is h8. */
typedef struct sd_prober_position {
  uint64_t white, black, kings, queens, rooks, bishops, knights, pawns;
  uint8_t ep;            /* the square behind a pawn that has just made a double step; 0: none */
  uint8_t castling;      /* not 0: some castling right is left */
  uint8_t black_to_move; /* 0 or 1 */
  uint8_t clock; /* half-moves since the last capture or pawn move, 255: or more; only sd_prober_root_dtz50
                    looks at it */
} sd_prober_position;

/** A legal move with what it leads to, seen by the side that makes it. Plies count from before the move on.
 */
typedef struct sd_prober_move {
  int16_t dtm;   /* plies to mate; 0: drawn; -1: not known */
  int16_t dtz50; /* plies to the next capture, pawn move or mate, the move itself counting as one; above 100:
                    a win or a loss that the 50-move rule turns into a draw; 0: drawn; -1: not known */
  int16_t
      rank;   /* under the 50-move rule: SD_PROBER_SURE (won) to -SD_PROBER_SURE (lost); sd_prober_root: 0 */
  int8_t wdl; /* 1 won, 0 drawn, -1 lost, without the 50-move rule */
  int8_t wdl50; /* under it (sd_prober_root_dtz50: with the clock): 2 won, 1 cursed win, 0 drawn, -1 blessed
                   loss, -2 lost; SD_PROBER_UNKNOWN */
  uint8_t from, to; /* squares */
  char promotion;   /* 'q', 'r', 'b', 'n'; 0: none */
  char uci[6];      /* "e7e8q" */
} sd_prober_move;
enum { SD_PROBER_SURE = 1000, SD_PROBER_UNKNOWN = 3 };
#define SD_PROBER_MOVES 256 /* no position has more moves */

/** Find all tables (MATERIAL.METRIC.sdt, and Syzygy's MATERIAL.rtbw for WDL50, MATERIAL.rtbz for DTZ50) in
 * the folders of a path, which colons part, and read their headers. Of tables that hold the same one that can
 * be opened counts before one that cannot, then one of this project before a Syzygy file
 * (SD_PROBER_SYZYGY_FIRST: after it), then that of the first folder. Which one is decided now, by the
 * headers: what is found wrong behind the header, by a later probe, is that probe's status. Folders that are
 * not there are skipped, and if there is none at all that is SD_PROBER_MISSING; a table that cannot be
 * opened, for whatever reason, is skipped too, and probes that need it say why. Where there are tables and
 * none can be opened that fails, with the status of the first: so does a folder of what 'subdef gen' writes,
 * without SD_PROBER_ANY_CODEC, until 'subdef reformat' has made tables of them that can be probed. path NULL
 * or "": no tables yet. message (NULL, or room bytes): one sentence, how many tables there are and what was
 * skipped, with the first reason, or why it failed. *out is NULL on failure. */
SUBDEF_API int sd_prober_open (const char *path, unsigned flags, sd_prober **out, char *message, size_t room);

/** The tables of more folders, behind those that there are, which stay if that fails, as sd_prober_open does.
 */
SUBDEF_API int sd_prober_add (sd_prober *prober, const char *path, char *message, size_t room);
SUBDEF_API void sd_prober_close (sd_prober *prober); /* NULL does nothing */

/** How many tables can be probed; the number of men, kings included, of the largest of them (0: none). */
SUBDEF_API unsigned sd_prober_tables (const sd_prober *prober);
SUBDEF_API unsigned sd_prober_men (const sd_prober *prober);

/** Why file number i of those that could not be opened was skipped; SD_PROBER_OK: there are no more. */
SUBDEF_API int sd_prober_skipped (const sd_prober *prober, unsigned i, char *message, size_t room);

/** A position from a FEN, of which the counters may be missing: then the clock is 0. */
SUBDEF_API int sd_prober_fen (const char *fen, sd_prober_position *out);

/** 1, 0, -1: the side to move wins, draws, loses. Where the WDL table is missing a DTM table does that tells
 * by itself who wins, and then a WDL50 table or .rtbw file, whose cursed wins are wins here. */
SUBDEF_API int sd_prober_wdl (const sd_prober *prober, const sd_prober_position *pos, int *wdl);

/** sd_prober_wdl of pos[0..n-1]: wdl[i], and what that would return as status[i]. Waits for memory overlap:
 * with tables that are larger than the processor's caches this takes less time than n calls, with others
 * about as much. Returns the first status that is not SD_PROBER_OK; where it is SD_PROBER_ARGUMENT nothing
 * is set. */
SUBDEF_API int sd_prober_wdl_batch (const sd_prober *prober, const sd_prober_position *pos, unsigned n,
                                    int *wdl, int *status);

/** The same as sd_prober_wdl, with the plies to mate: 0 if the side to move is mated, and of a draw. */
SUBDEF_API int sd_prober_dtm (const sd_prober *prober, const sd_prober_position *pos, int *wdl, int *plies);

/** Under the 50-move rule, with a clock of 0: 2 won, 1 cursed win, 0 drawn, -1 blessed loss, -2 lost. From
 * WDL50 tables and .rtbw files. */
SUBDEF_API int sd_prober_wdl50 (const sd_prober *prober, const sd_prober_position *pos, int *wdl50);

/** The same with the plies to the next capture, pawn move or mate of best play that keeps the result: 0 if
 * the side to move is mated, and of a draw. Those of cursed wins and blessed losses are more than 100, also
 * where the capture or pawn move comes at once. A win with these plies on the board is one for a clock of up
 * to 100 less them. Most .rtbz files are rounded to full moves: there may be one ply more then. From DTZ50
 * tables and .rtbz files, with the WDL50 tables that they rest on. */
SUBDEF_API int sd_prober_dtz50 (const sd_prober *prober, const sd_prober_position *pos, int *wdl50,
                                int *plies);

/** All legal moves of a position, the best first: wins, the fastest to mate first, draws, losses, the slowest
 * first. Moves that are as good as each other come by their squares. Where a DTM table of what follows is
 * missing or damaged only WDL counts (dtm = -1); sd_prober_explain tells why where that concerns this
 * position itself. moves[0..*n-1] with room for SD_PROBER_MOVES; *n is 0 in checkmate and stalemate. */
SUBDEF_API int sd_prober_root (const sd_prober *prober, const sd_prober_position *pos, sd_prober_move *moves,
                               unsigned *n);

/** The same by what counts in a game under the 50-move rule, from pos->clock half-moves on. repeated, not 0:
 * a position has occurred twice since the last capture or pawn move, so that the shortest way should be
 * taken. Ranks are those of Fathom: SD_PROBER_SURE for a win that certainly comes in time (dtz50 + clock <
 * 100, nothing repeated), SD_PROBER_SURE less dtz50 + clock for other wins, cursed ones too; the reverse for
 * losses, all of which have -SD_PROBER_SURE unless a draw by the rule is in sight (2 dtz50 + clock >= 100).
 * So 900 and more is won, -900 and less lost. Within a rank the soonest win and the latest loss come first.
 * (With more than 1000 plies and half-moves together, which take 7 men, a cursed win ranks below a draw, as
 * in Fathom.) Where a DTZ50 table is missing that is the status, and sd_prober_root_wdl50 may know. */
SUBDEF_API int sd_prober_root_dtz50 (const sd_prober *prober, const sd_prober_position *pos, int repeated,
                                     sd_prober_move *moves, unsigned *n);

/** The same by WDL50 alone, as if each move zeroed the clock: ranks are SD_PROBER_SURE, 899 (cursed), 0, -899
 * (blessed), -SD_PROBER_SURE. */
SUBDEF_API int sd_prober_root_wdl50 (const sd_prober *prober, const sd_prober_position *pos,
                                     sd_prober_move *moves, unsigned *n);

/** What sd_prober_explain is asked for. */
enum sd_prober_metric { SD_PROBER_WDL, SD_PROBER_DTM, SD_PROBER_WDL50, SD_PROBER_DTZ50 };

/** One sentence: why the probe of this metric fails for this position, with the names of files. Returns what
 * the probe returns; for messages, not for a search. */
SUBDEF_API int sd_prober_explain (const sd_prober *prober, const sd_prober_position *pos,
                                  enum sd_prober_metric metric, char *message, size_t room);

/** The text of a status; never NULL. */
SUBDEF_API const char *sd_prober_text (int status);

#ifdef __cplusplus
}
#endif

#endif
