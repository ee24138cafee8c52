/** \file fathom.h
 * Fathom's interface for engines over <subdef/probe.h>: include this header in place of tbprobe.h, and link
 * libsubdef-probe in place of tbprobe.c. The tables of tb_init's path may be Syzygy's files, tables of this
 * project (WDL50 and DTZ50), or both: of those that hold the same this project's are asked. All that is
 * defined here may stand in any number of source files of a program (the linker keeps one). Needs gcc or
 * clang.
 *
 * Values, ranks and scores are Fathom's. What differs: plies of this project's tables are exact, where those
 * of Syzygy's files may be one too few; among moves that are as good another one may be suggested;
 * tb_probe_root may run in several threads at once, as all others. A position of which no table knows the
 * 50-move rule, but one without it (WDL, or DTM) does, is TB_WIN or TB_LOSS by that in tb_probe_wdl, and so
 * ranks tb_probe_root_wdl. The functions on bit boards that Fathom offers besides (tb_pop_count, tb_lsb,
 * tb_king_attacks and so on) are not here. */
#ifndef SUBDEF_FATHOM_H
#define SUBDEF_FATHOM_H

#include "probe.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TB_MAX_MOVES 256
#define TB_MAX_PLY 256
#define TB_CASTLING_K 1
#define TB_CASTLING_Q 2
#define TB_CASTLING_k 4
#define TB_CASTLING_q 8

#define TB_LOSS 0
#define TB_BLESSED_LOSS 1
#define TB_DRAW 2
#define TB_CURSED_WIN 3
#define TB_WIN 4

#define TB_PROMOTES_NONE 0
#define TB_PROMOTES_QUEEN 1
#define TB_PROMOTES_ROOK 2
#define TB_PROMOTES_BISHOP 3
#define TB_PROMOTES_KNIGHT 4

/* A result: WDL in bits 0-3, to 4-9, from 10-15, promotion 16-18, en passant 19, plies to zeroing 20-31. */
#define TB_RESULT_WDL_MASK 0x0000000F
#define TB_RESULT_TO_MASK 0x000003F0
#define TB_RESULT_FROM_MASK 0x0000FC00
#define TB_RESULT_PROMOTES_MASK 0x00070000
#define TB_RESULT_EP_MASK 0x00080000
#define TB_RESULT_DTZ_MASK 0xFFF00000
#define TB_RESULT_WDL_SHIFT 0
#define TB_RESULT_TO_SHIFT 4
#define TB_RESULT_FROM_SHIFT 10
#define TB_RESULT_PROMOTES_SHIFT 16
#define TB_RESULT_EP_SHIFT 19
#define TB_RESULT_DTZ_SHIFT 20
#define SUBDEF_TB_GET(r, what) (((unsigned) (r) &TB_RESULT_##what##_MASK) >> TB_RESULT_##what##_SHIFT)
#define SUBDEF_TB_SET(r, what, x)                                                                            \
  (((unsigned) (r) & ~TB_RESULT_##what##_MASK)                                                               \
   | (((unsigned) (x) << TB_RESULT_##what##_SHIFT) & TB_RESULT_##what##_MASK))
#define TB_GET_WDL(r) SUBDEF_TB_GET (r, WDL)
#define TB_GET_TO(r) SUBDEF_TB_GET (r, TO)
#define TB_GET_FROM(r) SUBDEF_TB_GET (r, FROM)
#define TB_GET_PROMOTES(r) SUBDEF_TB_GET (r, PROMOTES)
#define TB_GET_EP(r) SUBDEF_TB_GET (r, EP)
#define TB_GET_DTZ(r) SUBDEF_TB_GET (r, DTZ)
#define TB_SET_WDL(r, x) SUBDEF_TB_SET (r, WDL, x)
#define TB_SET_TO(r, x) SUBDEF_TB_SET (r, TO, x)
#define TB_SET_FROM(r, x) SUBDEF_TB_SET (r, FROM, x)
#define TB_SET_PROMOTES(r, x) SUBDEF_TB_SET (r, PROMOTES, x)
#define TB_SET_EP(r, x) SUBDEF_TB_SET (r, EP, x)
#define TB_SET_DTZ(r, x) SUBDEF_TB_SET (r, DTZ, x)
#define TB_RESULT_CHECKMATE TB_SET_WDL (0, TB_WIN)
#define TB_RESULT_STALEMATE TB_SET_WDL (0, TB_DRAW)
#define TB_RESULT_FAILED 0xffffffffu

/* A move: to in bits 0-5, from 6-11, promotion 12-14. */
typedef uint16_t TbMove;
#define TB_MOVE_FROM(move) (((move) >> 6) & 0x3F)
#define TB_MOVE_TO(move) ((move) &0x3F)
#define TB_MOVE_PROMOTES(move) (((move) >> 12) & 0x7)

/** A move with its rank (-1000 to 1000), its score in hundredths of a pawn (a win for certain:
 * SUBDEF_TB_SURE), and a line of which the move itself is all. */
enum { SUBDEF_TB_SURE = 32000 - 255 - 1 }; /* Fathom's TB_VALUE_MATE - TB_MAX_MATE_PLY - 1 */
struct TbRootMove {
  TbMove move;
  TbMove pv[TB_MAX_PLY];
  unsigned pvSize;
  int32_t tbScore, tbRank;
};
/** All legal moves, in no order. */
struct TbRootMoves {
  unsigned size;
  struct TbRootMove moves[TB_MAX_MOVES];
};

#define SUBDEF_WEAK __attribute__ ((weak))

/** The number of men of the largest table; 0: none. */
extern unsigned TB_LARGEST;
SUBDEF_WEAK unsigned TB_LARGEST = 0;
extern sd_prober *subdef_fathom_prober;
SUBDEF_WEAK sd_prober *subdef_fathom_prober = 0;

/** Give back what tb_init has opened. Not while a probe runs. */
void tb_free (void);
SUBDEF_WEAK void tb_free (void) {
  sd_prober_close (subdef_fathom_prober);
  subdef_fathom_prober = 0;
  TB_LARGEST = 0;
}

/** Open the tables of a path (colons part its folders); "" and "<empty>": none. What was open before is
 * closed. true, and TB_LARGEST is 0, where there are none, as in Fathom. false: there are tables, and none
 * can be opened (sd_prober_open tells why). Not while a probe runs. */
bool tb_init (const char *path);
SUBDEF_WEAK bool tb_init (const char *path) {
  tb_free ();
  const bool empty = !path || !*path || (path[0] == '<' && path[1] == 'e');
  const int status = sd_prober_open (empty ? "" : path, 0, &subdef_fathom_prober, 0, 0);
  if (status == SD_PROBER_MISSING)
    return sd_prober_open ("", 0, &subdef_fathom_prober, 0, 0) == SD_PROBER_OK;
  if (status != SD_PROBER_OK)
    return false;
  TB_LARGEST = sd_prober_men (subdef_fathom_prober);
  return true;
}

static inline sd_prober_position subdef_fathom_position (uint64_t white, uint64_t black, uint64_t kings,
                                                         uint64_t queens, uint64_t rooks, uint64_t bishops,
                                                         uint64_t knights, uint64_t pawns, unsigned clock,
                                                         unsigned castling, unsigned ep, bool turn) {
  const sd_prober_position pos = { white,           black,
                                   kings,           queens,
                                   rooks,           bishops,
                                   knights,         pawns,
                                   (uint8_t) ep,    (uint8_t) (castling != 0),
                                   (uint8_t) !turn, (uint8_t) (clock > 255 ? 255 : clock) };
  return pos;
}

/** TB_LOSS to TB_WIN under the 50-move rule with a clock of 0, or TB_RESULT_FAILED, always where rule50 is
 * not 0. turn: White is to move; ep: 0 or the square behind a pawn that has just made a double step.
 * Thread-safe. */
static inline unsigned tb_probe_wdl (uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                                     uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                                     unsigned rule50, unsigned castling, unsigned ep, bool turn) {
  int wdl = 0;
  if (castling || rule50)
    return TB_RESULT_FAILED;
  const sd_prober_position pos = subdef_fathom_position (white, black, kings, queens, rooks, bishops, knights,
                                                         pawns, 0, castling, ep, turn);
  int status = sd_prober_wdl50 (subdef_fathom_prober, &pos, &wdl);
  if (status == SD_PROBER_MISSING) {
    status = sd_prober_wdl (subdef_fathom_prober, &pos, &wdl);
    wdl *= 2;
  }
  return status == SD_PROBER_OK ? (unsigned) (wdl + 2) : TB_RESULT_FAILED;
}

static inline unsigned subdef_fathom_promotes (char promotion) {
  return promotion == 'q'   ? TB_PROMOTES_QUEEN
         : promotion == 'r' ? TB_PROMOTES_ROOK
         : promotion == 'b' ? TB_PROMOTES_BISHOP
         : promotion == 'n' ? TB_PROMOTES_KNIGHT
                            : TB_PROMOTES_NONE;
}

/* wdl50: -2 to 2, with the clock. */
static inline unsigned subdef_fathom_result (const sd_prober_position *pos, const sd_prober_move *m,
                                             int wdl50, int plies) {
  const bool ep = pos->ep && m->to == pos->ep && (pos->pawns >> m->from & 1) && ((m->from ^ m->to) & 7);
  unsigned r = TB_SET_WDL (0, wdl50 + 2);
  r = TB_SET_TO (r, m->to);
  r = TB_SET_FROM (r, m->from);
  r = TB_SET_PROMOTES (r, subdef_fathom_promotes (m->promotion));
  r = TB_SET_EP (r, ep);
  return TB_SET_DTZ (r, plies);
}

/** A move that keeps the result, with the result under the 50-move rule and the plies to zeroing of the
 * position; TB_RESULT_CHECKMATE and TB_RESULT_STALEMATE where there is no move; TB_RESULT_FAILED. results
 * (NULL, or TB_MAX_MOVES of them): all moves with theirs, best first, then TB_RESULT_FAILED. Needs DTZ50. */
static inline unsigned tb_probe_root (uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                                      uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                                      unsigned rule50, unsigned castling, unsigned ep, bool turn,
                                      unsigned *results) {
  sd_prober_move moves[SD_PROBER_MOVES];
  unsigned n = 0, best = 0;
  int wdl50 = 0, plies = 0;
  const sd_prober_position pos = subdef_fathom_position (white, black, kings, queens, rooks, bishops, knights,
                                                         pawns, rule50, castling, ep, turn);
  if (sd_prober_dtz50 (subdef_fathom_prober, &pos, &wdl50, &plies) != SD_PROBER_OK
      || sd_prober_root_dtz50 (subdef_fathom_prober, &pos, 0, moves, &n) != SD_PROBER_OK)
    return TB_RESULT_FAILED;
  for (unsigned i = 0; results && i < n; i++)
    results[i] = subdef_fathom_result (&pos, &moves[i], moves[i].wdl50, moves[i].dtz50);
  if (results && n < TB_MAX_MOVES)
    results[n] = TB_RESULT_FAILED;
  if (n == 0)
    return wdl50 < 0 ? TB_RESULT_CHECKMATE : TB_RESULT_STALEMATE;
  /* Fathom's choice: the fewest plies of a win, the most of a loss, whatever the clock. */
  for (unsigned i = 1; i < n; i++)
    if (moves[i].wdl == moves[best].wdl
        && (moves[i].wdl > 0 ? moves[i].dtz50 < moves[best].dtz50 : moves[i].dtz50 > moves[best].dtz50))
      best = i;
  const int sign = (wdl50 > 0) - (wdl50 < 0);
  return subdef_fathom_result (&pos, &moves[best], plies + (int) pos.clock > 100 ? sign : 2 * sign, plies);
}

/* Cursed wins score 3 to 499 hundredths, the more the nearer to a real win. */
static inline int32_t subdef_fathom_score (int32_t rank, bool useRule50) {
  const int32_t bound = useRule50 ? 900 : 1;
  if (rank >= bound)
    return SUBDEF_TB_SURE;
  if (rank <= -bound)
    return -SUBDEF_TB_SURE;
  return rank >= 803 ? rank - 400 : rank > 0 ? 3 : rank == 0 ? 0 : rank > -803 ? -3 : rank + 400;
}

static inline void subdef_fathom_root_move (const sd_prober_move *m, int32_t rank, int32_t score,
                                            struct TbRootMove *out) {
  out->move = (TbMove) (m->to | m->from << 6 | subdef_fathom_promotes (m->promotion) << 12);
  out->pv[0] = out->move;
  out->pvSize = 1;
  out->tbRank = rank;
  out->tbScore = score;
}

/** Rank and score all moves by DTZ50, with the clock; cursed wins score 3, near to a real win up to 499. Not
 * 0: done; 0: not all of it is known. */
static inline int tb_probe_root_dtz (uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                                     uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                                     unsigned rule50, unsigned castling, unsigned ep, bool turn,
                                     bool hasRepeated, bool useRule50, struct TbRootMoves *results) {
  sd_prober_move moves[SD_PROBER_MOVES];
  unsigned n = 0;
  const sd_prober_position pos = subdef_fathom_position (white, black, kings, queens, rooks, bishops, knights,
                                                         pawns, rule50, castling, ep, turn);
  if (sd_prober_root_dtz50 (subdef_fathom_prober, &pos, hasRepeated, moves, &n) != SD_PROBER_OK)
    return 0;
  results->size = n;
  for (unsigned i = 0; i < n; i++)
    subdef_fathom_root_move (&moves[i], moves[i].rank, subdef_fathom_score (moves[i].rank, useRule50),
                             &results->moves[i]);
  return 1;
}

/** The same by WDL50 alone, for where DTZ50 is missing, without the clock. */
static inline int tb_probe_root_wdl (uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                                     uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                                     unsigned rule50, unsigned castling, unsigned ep, bool turn,
                                     bool useRule50, struct TbRootMoves *results) {
  static const int32_t ranks[5] = { -1000, -899, 0, 899, 1000 };
  static const int32_t scores[5] = { -SUBDEF_TB_SURE, -2, 0, 2, SUBDEF_TB_SURE };
  sd_prober_move moves[SD_PROBER_MOVES];
  unsigned n = 0;
  (void) rule50;
  const sd_prober_position pos = subdef_fathom_position (white, black, kings, queens, rooks, bishops, knights,
                                                         pawns, 0, castling, ep, turn);
  const int status = sd_prober_root_wdl50 (subdef_fathom_prober, &pos, moves, &n);
  const bool ruled = status == SD_PROBER_OK;
  if (!ruled
      && (status != SD_PROBER_MISSING
          || sd_prober_root (subdef_fathom_prober, &pos, moves, &n) != SD_PROBER_OK))
    return 0;
  results->size = n;
  for (unsigned i = 0; i < n; i++) {
    const int v = ruled && useRule50 ? moves[i].wdl50 : 2 * moves[i].wdl;
    subdef_fathom_root_move (&moves[i], ranks[v + 2], scores[v + 2], &results->moves[i]);
  }
  return 1;
}

#ifdef __cplusplus
}
#endif

#endif
