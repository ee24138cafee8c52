/* What an engine asks Fathom's interface about one position. */
#ifndef PROBES_CALLS_H
#define PROBES_CALLS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct probe_question {
  uint64_t white, black, kings, queens, rooks, bishops, knights, pawns;
  unsigned rule50, ep;
  bool turn, repeated, ruled; /* White is to move; a position has occurred twice; the 50-move rule counts */
} probe_question;

/** A legal move: what tb_probe_root lists, and the ranks and scores of tb_probe_root_dtz and
 * tb_probe_root_wdl. */
typedef struct move_answer {
  unsigned key; /* from, to, promotion */
  unsigned wdl, plies, passant;
  int dtz_rank, dtz_score, wdl_rank, wdl_score;
} move_answer;

typedef struct probe_answers {
  unsigned wdl;                  /* tb_probe_wdl */
  unsigned root_wdl, root_plies; /* tb_probe_root */
  unsigned best;                 /* the number of the move that it suggests; n: none */
  unsigned ends;                 /* 1 checkmate, 2 stalemate */
  unsigned n;
  move_answer move[256]; /* by key */
} probe_answers;

/** The same in each of two object files, one with Fathom (theirs), one with <subdef/fathom.h> (ours). open:
 * false if there are no tables; ask: false if a call fails. */
bool theirs_open (const char *path);
bool ours_open (const char *path);
bool theirs_ask (const probe_question *q, probe_answers *out);
bool ours_ask (const probe_question *q, probe_answers *out);

#endif
