/** \file fathom.h
 * The calls of Fathom's interface that engines use most, over <subdef/probe.h>, so that an engine can try
 * these tables without changing its code: include this header in place of tbprobe.h. All that it defines may
 * stand in any number of source files of a program (the linker keeps one). Needs gcc or clang.
 *
 * What differs: the tables tell DTM, not DTZ, so that TB_GET_DTZ gives plies to mate (at most 4095), and
 * they know no 50-move rule: results are TB_LOSS, TB_DRAW and TB_WIN, no blessed losses or cursed wins, and
 * a `rule50` that is not 0 fails in tb_probe_wdl, as in Fathom, and is not looked at in tb_probe_root.
 * tb_init reads tables of this project (*.sdt); Syzygy files are passed over. tb_probe_root may run in
 * several threads at once. */
#ifndef SUBDEF_FATHOM_H
#define SUBDEF_FATHOM_H

#include "probe.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TB_MAX_MOVES 256
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

/* A result: WDL in bits 0-3, to 4-9, from 10-15, promotion 16-18, en passant 19, plies 20-31. */
#define TB_GET_WDL(r) ((unsigned) (r) &0xf)
#define TB_GET_TO(r) ((unsigned) (r) >> 4 & 0x3f)
#define TB_GET_FROM(r) ((unsigned) (r) >> 10 & 0x3f)
#define TB_GET_PROMOTES(r) ((unsigned) (r) >> 16 & 7)
#define TB_GET_EP(r) ((unsigned) (r) >> 19 & 1)
#define TB_GET_DTZ(r) ((unsigned) (r) >> 20)
#define TB_SET_WDL(r, x) (((unsigned) (r) & ~0xfu) | ((unsigned) (x) &0xf))
#define TB_SET_TO(r, x) (((unsigned) (r) & ~(0x3fu << 4)) | ((unsigned) (x) &0x3f) << 4)
#define TB_SET_FROM(r, x) (((unsigned) (r) & ~(0x3fu << 10)) | ((unsigned) (x) &0x3f) << 10)
#define TB_SET_PROMOTES(r, x) (((unsigned) (r) & ~(7u << 16)) | ((unsigned) (x) &7) << 16)
#define TB_SET_EP(r, x) (((unsigned) (r) & ~(1u << 19)) | ((unsigned) (x) &1) << 19)
#define TB_SET_DTZ(r, x) (((unsigned) (r) &0xfffffu) | ((unsigned) (x) &0xfff) << 20)
#define TB_RESULT_CHECKMATE TB_SET_WDL (0, TB_WIN)
#define TB_RESULT_STALEMATE TB_SET_WDL (0, TB_DRAW)
#define TB_RESULT_FAILED 0xffffffffu

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
 * closed. false: no folder of the path is there, or none of its tables can be opened (sd_prober_open tells
 * why). Not while a probe runs. */
bool tb_init (const char *path);
SUBDEF_WEAK bool tb_init (const char *path) {
  tb_free ();
  const bool empty = !path || !*path || (path[0] == '<' && path[1] == 'e');
  if (sd_prober_open (empty ? "" : path, 0, &subdef_fathom_prober, 0, 0) != SD_PROBER_OK)
    return false;
  TB_LARGEST = sd_prober_men (subdef_fathom_prober);
  return true;
}

static inline sd_prober_position subdef_fathom_position (uint64_t white, uint64_t black, uint64_t kings,
                                                         uint64_t queens, uint64_t rooks, uint64_t bishops,
                                                         uint64_t knights, uint64_t pawns, unsigned castling,
                                                         unsigned ep, bool turn) {
  const sd_prober_position pos = { white,          black,   kings, queens,       rooks,
                                   bishops,        knights, pawns, (uint8_t) ep, (uint8_t) (castling != 0),
                                   (uint8_t) !turn };
  return pos;
}

/** TB_LOSS, TB_DRAW, TB_WIN, or TB_RESULT_FAILED. turn: White is to move; ep: 0 or the square behind a pawn
 * that has just made a double step. Thread-safe. */
static inline unsigned tb_probe_wdl (uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                                     uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                                     unsigned rule50, unsigned castling, unsigned ep, bool turn) {
  int wdl = 0;
  if (castling || rule50)
    return TB_RESULT_FAILED;
  const sd_prober_position pos = subdef_fathom_position (white, black, kings, queens, rooks, bishops, knights,
                                                         pawns, castling, ep, turn);
  return sd_prober_wdl (subdef_fathom_prober, &pos, &wdl) == SD_PROBER_OK ? (unsigned) (2 * wdl + 2)
                                                                          : TB_RESULT_FAILED;
}

static inline unsigned subdef_fathom_result (const sd_prober_position *pos, const sd_prober_move *m) {
  const unsigned promotes = m->promotion == 'q'   ? TB_PROMOTES_QUEEN
                            : m->promotion == 'r' ? TB_PROMOTES_ROOK
                            : m->promotion == 'b' ? TB_PROMOTES_BISHOP
                            : m->promotion == 'n' ? TB_PROMOTES_KNIGHT
                                                  : TB_PROMOTES_NONE;
  const unsigned dtm = m->dtm < 0 ? 0 : m->dtm > 4095 ? 4095 : (unsigned) m->dtm;
  const unsigned ep = pos->ep && m->to == pos->ep && (pos->pawns >> m->from & 1) && ((m->from ^ m->to) & 7);
  return (unsigned) (2 * m->wdl + 2) | (unsigned) m->to << 4 | (unsigned) m->from << 10 | promotes << 16
         | ep << 19 | dtm << 20;
}

/** The best move; TB_RESULT_CHECKMATE and TB_RESULT_STALEMATE where there is none; TB_RESULT_FAILED. results
 * (NULL, or TB_MAX_MOVES of them): all moves, best first, then TB_RESULT_FAILED. */
static inline unsigned tb_probe_root (uint64_t white, uint64_t black, uint64_t kings, uint64_t queens,
                                      uint64_t rooks, uint64_t bishops, uint64_t knights, uint64_t pawns,
                                      unsigned rule50, unsigned castling, unsigned ep, bool turn,
                                      unsigned *results) {
  sd_prober_move moves[SD_PROBER_MOVES];
  unsigned n = 0;
  int wdl = 0;
  (void) rule50;
  const sd_prober_position pos = subdef_fathom_position (white, black, kings, queens, rooks, bishops, knights,
                                                         pawns, castling, ep, turn);
  if (sd_prober_root (subdef_fathom_prober, &pos, moves, &n) != SD_PROBER_OK)
    return TB_RESULT_FAILED;
  for (unsigned i = 0; results && i < n; i++)
    results[i] = subdef_fathom_result (&pos, &moves[i]);
  if (results && n < TB_MAX_MOVES)
    results[n] = TB_RESULT_FAILED;
  if (n > 0)
    return subdef_fathom_result (&pos, &moves[0]);
  if (sd_prober_wdl (subdef_fathom_prober, &pos, &wdl) != SD_PROBER_OK)
    return TB_RESULT_FAILED;
  return wdl < 0 ? TB_RESULT_CHECKMATE : TB_RESULT_STALEMATE;
}

#ifdef __cplusplus
}
#endif

#endif
