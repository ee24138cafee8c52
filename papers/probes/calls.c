/* calls.c - Fathom's calls for one position, as engines make them. Compiled twice from the same text: over
 * Fathom itself, and with -DOURS over <subdef/fathom.h> in place of its header (run.sh). */
#ifdef OURS
#include <subdef/fathom.h>
#define NAME(x) ours_##x
#else
#include "tbprobe.h"
#define NAME(x) theirs_##x
#endif
#include "calls.h"
#include <stdlib.h>

bool NAME (open) (const char *path) {
  return tb_init (path) && TB_LARGEST > 0;
}

static unsigned key_of (unsigned from, unsigned to, unsigned promotes) {
  return from << 9 | to << 3 | promotes;
}

static int by_key (const void *a, const void *b) {
  const unsigned x = ((const move_answer *) a)->key, y = ((const move_answer *) b)->key;
  return (x > y) - (x < y);
}

static move_answer *find (probe_answers *a, unsigned key) {
  const move_answer wanted = { .key = key };
  return bsearch (&wanted, a->move, a->n, sizeof wanted, by_key);
}

/* The ranks and scores of one list in the moves; by_dtz: of tb_probe_root_dtz. */
static bool take (const struct TbRootMoves *list, bool by_dtz, probe_answers *out) {
  for (unsigned i = 0; i < list->size; i++) {
    const struct TbRootMove *m = &list->moves[i];
    move_answer *to =
        find (out, key_of (TB_MOVE_FROM (m->move), TB_MOVE_TO (m->move), TB_MOVE_PROMOTES (m->move)));
    if (!to)
      return false;
    *(by_dtz ? &to->dtz_rank : &to->wdl_rank) = m->tbRank;
    *(by_dtz ? &to->dtz_score : &to->wdl_score) = m->tbScore;
  }
  return list->size == out->n;
}

bool NAME (ask) (const probe_question *q, probe_answers *out) {
  static struct TbRootMoves list;
  unsigned results[TB_MAX_MOVES];
#define MEN q->white, q->black, q->kings, q->queens, q->rooks, q->bishops, q->knights, q->pawns
  out->n = 0;
  out->wdl = tb_probe_wdl (MEN, 0, 0, q->ep, q->turn);
  const unsigned root = tb_probe_root (MEN, q->rule50, 0, q->ep, q->turn, results);
  if (out->wdl == TB_RESULT_FAILED || root == TB_RESULT_FAILED)
    return false;
  out->ends = root == TB_RESULT_CHECKMATE ? 1 : root == TB_RESULT_STALEMATE ? 2 : 0;
  out->root_wdl = TB_GET_WDL (root);
  out->root_plies = TB_GET_DTZ (root);
  for (; !out->ends && results[out->n] != TB_RESULT_FAILED; out->n++) {
    const unsigned r = results[out->n];
    out->move[out->n] = (move_answer){ .key = key_of (TB_GET_FROM (r), TB_GET_TO (r), TB_GET_PROMOTES (r)),
                                       .wdl = TB_GET_WDL (r),
                                       .plies = TB_GET_DTZ (r),
                                       .passant = TB_GET_EP (r) };
  }
  qsort (out->move, out->n, sizeof *out->move, by_key);
  const move_answer *best = find (out, key_of (TB_GET_FROM (root), TB_GET_TO (root), TB_GET_PROMOTES (root)));
  out->best = out->ends || !best ? out->n : (unsigned) (best - out->move);
  return tb_probe_root_dtz (MEN, q->rule50, 0, q->ep, q->turn, q->repeated, q->ruled, &list)
         && take (&list, true, out) && tb_probe_root_wdl (MEN, q->rule50, 0, q->ep, q->turn, q->ruled, &list)
         && take (&list, false, out);
}
