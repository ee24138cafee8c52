/** \file search.h
 * Forward search for mates: two Zobrist hashes, a transposition table, alpha-beta (Nemec 2007). It knows the
 * moves of chess and nothing else: no moves backwards, no endgame table. Uses chess/. */
#ifndef SD_SEARCH_H
#define SD_SEARCH_H

#include "chess/chess.h"

/* -------------------------------------------------------------------- hashes */

/** Two independent hashes of a position: F chooses the slot, G is the check code. */
typedef struct sd_hash {
  uint64_t f, g;
} sd_hash;

/** Random numbers, a pair for every man on every square, for Black to move and for every en-passant square
 * (Zobrist 1970). A position's hash is the exclusive or of those that apply to it. */
typedef struct sd_zobrist {
  sd_hash man[2][6][64]; /* [colour][type][square] */
  sd_hash black;         /* is to move */
  sd_hash ep[64];
} sd_zobrist;

/** The numbers are those of sd_random (splitmix64), F and G in turn, in the order of the members: the same on
 * every machine. */
void sd_zobrist_fill (sd_zobrist *z, uint64_t seed);
sd_hash sd_hash_of (const sd_zobrist *z, const sd_pos *p);

/** The hash of `after`, which is what `m` makes of `before`, whose hash is h. */
sd_hash sd_hash_after (const sd_zobrist *z, sd_hash h, const sd_pos *before, const sd_move *m,
                       const sd_pos *after);

/* ------------------------------------------------------- transposition table */

enum {
  SD_AT_LEAST = 1,                     /* D: the position is worth at least the score */
  SD_AT_MOST = 2,                      /* H: at most */
  SD_EXACT = SD_AT_LEAST | SD_AT_MOST, /* 0: an empty slot */
};

/** An entry, 8 bytes. */
typedef struct sd_entry {
  int16_t score;
  uint8_t depth; /* plies of the search that gave the score */
  uint8_t flags;
  uint32_t code;
} sd_entry;

/** The same with a longer code: 16 bytes, of which 4 are not used. */
typedef struct sd_long_entry {
  int16_t score;
  uint8_t depth, flags;
  uint64_t code;
} sd_long_entry;

typedef struct sd_trans_options {
  uint64_t slots;     /* N; a position stands in slot F mod N or nowhere */
  unsigned code_bits; /* of G: up to 32 in an sd_entry, up to 64 in an sd_long_entry; 0: 32 */
  bool keep_deeper;   /* an entry of another position is replaced only if the new depth is at least its depth;
                         else always */
  bool keep_positions; /* beside the entries, so that false matches are counted: an sd_pos more a slot */
} sd_trans_options;

/** The last three need positions (keep_positions); else they are 0. */
typedef struct sd_trans_counts {
  uint64_t probes, occupied, matches; /* all; those that found an entry in the slot; one with their code */
  uint64_t stores, refused;           /* all; those that left a deeper entry where it was */
  uint64_t others;                    /* probes that found the entry of another position */
  uint64_t false_matches;             /* others with the code of the position that was asked for */
  uint64_t false_uses;                /* false matches that ended a search; counted by who searches */
} sd_trans_counts;

/** What a slot says. */
typedef struct sd_trans_found {
  int score;
  unsigned depth, flags;
  bool other; /* it is known to be the entry of another position (keep_positions) */
} sd_trans_found;

/** Not for several threads at once. */
typedef struct sd_trans sd_trans;

/** SD_EINVAL: no slots, or more than 64 bits of code; SD_ENOMEM. */
int sd_trans_new (const sd_trans_options *o, sd_trans **out, sd_error *err);
void sd_trans_free (sd_trans *t); /* NULL does nothing */

/** As new: no entries, all counts 0. */
void sd_trans_clear (sd_trans *t);

/** False: the slot is empty or has another code. p is looked at only where positions are kept. */
bool sd_trans_find (sd_trans *t, sd_hash h, const sd_pos *p, sd_trans_found *out);

/** Have the memory of the slot on its way; returns at once. */
void sd_trans_prefetch (const sd_trans *t, sd_hash h);

/** score: of 16 bits; depth: of 8. */
void sd_trans_store (sd_trans *t, sd_hash h, const sd_pos *p, const sd_trans_found *e);
sd_trans_counts *sd_trans_counted (sd_trans *t);
uint64_t sd_trans_bytes (const sd_trans *t);

/* ---------------------------------------------------------------- alpha-beta */

/** Scores: -SD_MATE for a player who is mated on the board, SD_MATE - n for a mate in n plies, -SD_MATE + n
 * for being mated in n. What is above SD_MATE_LEAST or below its negative is a mate, all else the value of an
 * evaluation. */
enum { SD_MATE = 32000, SD_MATE_LEAST = 31000, SD_MAX_DEPTH = 255 };

typedef struct sd_mate_options {
  sd_trans_options table; /* slots 0: no table */
  uint64_t seed;          /* of the Zobrist numbers */
  /** What a position that is no mate is worth at the horizon to the player to move, |value| < SD_MATE_LEAST;
   * NULL: 0. */
  int (*evaluate) (const sd_pos *p);
  uint64_t most_nodes; /* of one call of sd_mate_score or sd_mate_find; 0: no limit */
} sd_mate_options;

/** A search with its table, which later calls go on using. Not for several threads at once; any number of
 * searches may run side by side. */
typedef struct sd_mate_search sd_mate_search;

/** SD_EINVAL, SD_ENOMEM. */
int sd_mate_search_new (const sd_mate_options *o, sd_mate_search **out, sd_error *err);
void sd_mate_search_free (sd_mate_search *s); /* NULL does nothing */

/** Positions that were visited, over all calls. */
uint64_t sd_mate_nodes (const sd_mate_search *s);

/** NULL: no table. */
sd_trans *sd_mate_table (sd_mate_search *s);

/** The value of p, which is legal, by a search of `depth` plies (SD_MAX_DEPTH at most) in the window
 * (alpha, beta), alpha < beta: the value itself if it lies in the window, else a bound on the same side of
 * the window. SD_ERANGE: most_nodes did not suffice; *score is not set. */
int sd_mate_score (sd_mate_search *s, const sd_pos *p, unsigned depth, int alpha, int beta, int *score);

/** The shortest mate of at most `plies` plies (SD_MAX_DEPTH), by either side: a value as in tables (n: the
 * player to move mates in n plies; -(n + 1): is mated in n); 0: there is none. Searches for 0, 1, 2, ...
 * plies, so that a value of n says as well that there is none in less. Only without an evaluation. SD_ERANGE
 * as above. */
int sd_mate_find (sd_mate_search *s, const sd_pos *p, unsigned plies, int *value);

#endif
