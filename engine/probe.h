/** \file probe.h
 * Probing chess endgame tables from an engine, <subdef/probe.h> where it is installed: C11 and C++, nothing
 * else to include.
 *   cc engine.c $(pkg-config --cflags --libs subdef-probe)
 *
 * A prober holds the tables found on a path. Probes may run in any number of threads. The first probe that
 * needs a table opens it, for which it asks for memory; other probes, and with SD_PROBER_ALL all of them, ask
 * for none. A probe prints nothing and never ends the process; a thread with a stack of 256 KiB may probe
 * (tested with up to 4 men). Opening, adding and closing must not happen while a probe of the same prober
 * runs. Any number of probers may be open, also of the same files. A process may fork while probes run; the
 * child may probe on.
 *
 * Each part (1 MiB) of a file is read into memory and compared with its checksum when a probe first needs
 * it; another thread that needs the same part meanwhile waits until it is there. Otherwise no probe waits for
 * another one, and with SD_PROBER_ALL none ever does. So a damaged, shortened or replaced
 * file gives a status, and never a wrong value or a signal. DTM counts half-moves (plies) to mate. The
 * tables know no castling, no 50-move rule and no repetition; en-passant captures are honoured. */
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
  SD_PROBER_ANY_CODEC = 4
};

/** The tables of a path. */
typedef struct sd_prober sd_prober;

/** A position as bit boards: bit 0 is a1, bit 7 is h1, bit 63 is h8. */
typedef struct sd_prober_position {
  uint64_t white, black, kings, queens, rooks, bishops, knights, pawns;
  uint8_t ep;            /* the square behind a pawn that has just made a double step; 0: none */
  uint8_t castling;      /* not 0: some castling right is left */
  uint8_t black_to_move; /* 0 or 1 */
} sd_prober_position;

/** A legal move with what it leads to, seen by the side that makes it. */
typedef struct sd_prober_move {
  int16_t dtm;      /* plies to mate from before the move on; 0: drawn; -1: not known (no DTM tables) */
  int8_t wdl;       /* 1 won, 0 drawn, -1 lost */
  uint8_t from, to; /* squares */
  char promotion;   /* 'q', 'r', 'b', 'n'; 0: none */
  char uci[6];      /* "e7e8q" */
} sd_prober_move;
#define SD_PROBER_MOVES 256 /* no position has more moves */

/** Find all tables (MATERIAL.METRIC.sdt) in the folders of a path, which colons part, and read their headers;
 * where two folders have the same table the first counts. Folders that are not there are skipped, and if
 * there is none at all that is SD_PROBER_MISSING; a table that cannot be opened, for whatever reason, is
 * skipped too, and probes that need it say why. Where there are tables and none can be opened that fails,
 * with the status of the first: so does a folder of what 'subdef gen' writes, without SD_PROBER_ANY_CODEC,
 * until 'subdef reformat' has made tables of them that can be probed. path NULL or "": no tables yet. message
 * (NULL, or room bytes): one sentence, how many tables there are and what was skipped, with the first reason,
 * or why it failed. *out is NULL on failure. */
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

/** A position from a FEN, of which the counters may be missing. */
SUBDEF_API int sd_prober_fen (const char *fen, sd_prober_position *out);

/** 1, 0, -1: the side to move wins, draws, loses. A DTM table does where the WDL table is missing. */
SUBDEF_API int sd_prober_wdl (const sd_prober *prober, const sd_prober_position *pos, int *wdl);

/** sd_prober_wdl of pos[0..n-1]: wdl[i], and what that would return as status[i]. Waits for memory overlap:
 * with tables that are larger than the processor's caches this takes less time than n calls, with others
 * about as much. Returns the first status that is not SD_PROBER_OK; where it is SD_PROBER_ARGUMENT nothing
 * is set. */
SUBDEF_API int sd_prober_wdl_batch (const sd_prober *prober, const sd_prober_position *pos, unsigned n,
                                    int *wdl, int *status);

/** The same as sd_prober_wdl, with the plies to mate: 0 if the side to move is mated, and of a draw. */
SUBDEF_API int sd_prober_dtm (const sd_prober *prober, const sd_prober_position *pos, int *wdl, int *plies);

/** All legal moves of a position, the best first: wins, the fastest first, draws, losses, the slowest first.
 * Moves that are as good as each other come by their squares. Where a DTM table of what follows is missing or
 * damaged only WDL counts (dtm = -1); sd_prober_explain tells why where that concerns this position itself.
 * moves[0..*n-1] with room for SD_PROBER_MOVES; *n is 0 in checkmate and stalemate. */
SUBDEF_API int sd_prober_root (const sd_prober *prober, const sd_prober_position *pos, sd_prober_move *moves,
                               unsigned *n);

/** One sentence: why sd_prober_dtm (with_dtm not 0) or sd_prober_wdl fails for this position, with the names
 * of files. Returns what the probe returns; for messages, not for a search. */
SUBDEF_API int sd_prober_explain (const sd_prober *prober, const sd_prober_position *pos, int with_dtm,
                                  char *message, size_t room);

/** The text of a status; never NULL. */
SUBDEF_API const char *sd_prober_text (int status);

#ifdef __cplusplus
}
#endif

#endif
