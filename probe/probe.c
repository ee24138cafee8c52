/* probe.c - the value of a position from the tables, exactly.
 *
 * Idea (S0 Sec. 1.6, 1.8, 1.9): a table may hold anything that its conversions (captures, promotions)
 * correct, so a probe first asks the smaller endings what the conversions are worth and then takes the better
 * of that and the stored value. For results that is the maximum; for numbers of moves S0 speaks of a minimum
 * (won) and a maximum (lost), which in our values is one rule, "the better one for the side to move". Only
 * those kinds of moves are generated that the table's header names as sources of its freedom, and a winning
 * capture ends a WDL probe before the table itself is looked at.
 *
 * En passant (S3): positions with such a right are not in the index. Their value is the better of the same
 * position without the right and of the en-passant captures; only where the position without the right would
 * be stalemate the captures count alone (where it would be mate, the mated side's value is the worst there
 * is, and the rule holds as it stands).
 *
 * One-sided tables (S0 Sec. 1.4) and losses only: where the side to move is not stored, or is known to win
 * and its wins are free, all moves are made. A quiet one leads to the other side to move of the same table,
 * which is stored (a won position looks at lost children only, and losses are stored): so at most one such
 * ply in an ending before a conversion leaves it. What is asked of a child is only whether it betters what
 * its parent has already: a `limit` from which on any lower bound will do. A stored symbol is such a bound
 * (no conversion makes a value worse), and often spares the child's moves. Quiet children are looked up
 * together (quiet.h), those that leave the ending before them.
 *
 * Cost: one index, one decode per visited ending, some ten to twenty where all moves are made; the depth of
 * the recursion is bounded by men and pawns, for each conversion takes a man or a pawn off the board. No
 * allocation, lock or global state; texts are made only where a probe fails. */
#include "config.h"
#include "probe/probe_internal.h"
#include "table/table_internal.h"
#include <inttypes.h>

/* ----------------------------------------------------------- what can fail */

int sd_probe_missing (const sd_probe *pr, const sd_board *b, const sd_view *v, enum sd_metric metric) {
  if (v && v->problem)
    return sd_fail (pr->err, v->problem->status, "%s", v->problem->text);
  if (!pr->err)
    return SD_ENOENT;
  sd_material m, canonical;
  char file[32], name[16];
  sd_key_to_material (b->key, &m);
  sd_material_canonical (&m, &canonical);
  sd_table_file_name (&canonical, metric, file);
  sd_material root, root_canonical;
  sd_material_of (pr->root, &root);
  sd_material_canonical (&root, &root_canonical);
  sd_material_name (&root_canonical, name);
  const char *where = pr->ts->path[0] ? pr->ts->path : "the empty table path";
  if (sd_material_equal (&canonical, &root_canonical))
    return sd_fail_missing (pr->err, file, "%s: not found in %s", file, where);
  return sd_fail_missing (pr->err, file, "%s: not found in %s, needed by %s", file, where, name);
}

int sd_probe_damaged (const sd_probe *pr, const sd_view *v, const sd_pos *p, const char *what, long number) {
  if (!pr->err)
    return SD_EFORMAT;
  char file[32], fen[96];
  sd_table_file_name (&v->material, v->metric, file);
  sd_pos_to_fen (p, fen, sizeof fen);
  return sd_fail (pr->err, SD_EFORMAT, "%s: %s: %s (%ld)", v->path ? v->path : file, fen, what, number);
}

int sd_probe_unreadable (const sd_probe *pr, const sd_view *v, const sd_pos *p, int status, uint64_t slot) {
  if (status == SD_EFORMAT)
    return sd_probe_damaged (pr, v, p, "its slot cannot be decoded", (long) slot);
  if (!pr->err)
    return status;
  char file[32], fen[96];
  sd_table_file_name (&v->material, v->metric, file);
  sd_pos_to_fen (p, fen, sizeof fen);
  return sd_fail (pr->err, status, "%s: %s: slot %" PRIu64 ": %s", v->path ? v->path : file, fen, slot,
                  status == SD_ECHECKSUM ? "the file is damaged here: the bytes that hold this slot do not have "
                                           "their checksum"
                                         : sd_strerror (status));
}

int sd_probe_refused (const sd_probe *pr) {
  const sd_pos *p = pr->root;
  const int men = __builtin_popcountll (p->occ[0] | p->occ[1]);
  if (men > SD_MAX_MEN)
    return sd_fail (pr->err, SD_EINVAL, "the position has %d men: tables hold at most %d", men, SD_MAX_MEN);
  return sd_fail (pr->err, SD_EINVAL, "the position is not legal, so no table has a value for it");
}

/* ------------------------------------------------------------ own table */

int sd_probe_sit (const sd_probe *pr, const sd_pos *p, sd_seat *out) {
  if (!sd_board_of (p, &out->board))
    return sd_probe_refused (pr);
  out->ending = NULL;
  out->swapped = false;
  if (out->board.key == SD_KEY_KVK)
    return SD_OK;
  static const sd_ending none;
  const sd_keyed *k = sd_keys_find (&pr->ts->keys, out->board.key);
  out->ending = k ? &pr->ts->ending[k->item] : &none;
  out->swapped = k && k->swapped;
  return SD_OK;
}

/* What the view's map says about p. */
int sd_probe_stored (const sd_probe *pr, const sd_seat *seat, const sd_view *v, const sd_pos *p,
                     sd_value *out) {
  bool swapped = seat->swapped;
  unsigned side = sd_stored_side (v->nsides, p->stm, &swapped);
  uint8_t sq[SD_MAX_MEN];
  sd_board_squares (&seat->board, swapped, sq);
  const uint64_t i = sd_index_of (v->side[side].indexer, sq);
  if (i >= v->side[side].slots)
    return sd_probe_refused (pr);
  sd_symbol s;
  int st = sd_codec_get (v->side[side].decoder, i, &s);
  if (st != SD_OK)
    return sd_probe_unreadable (pr, v, p, st, i);
  if (s >= v->side[side].main)
    return sd_probe_damaged (pr, v, p, "a symbol that the header does not know", s);
  *out = v->side[side].map[s];
  return SD_OK;
}

/* Those from number `first` on that are read together. */
int sd_probe_read (const sd_probe *pr, const sd_view *v, const sd_pos *p, sd_quiets *q, unsigned first,
                   unsigned *end) {
  const int st = sd_quiets_read (v, q, first, end);
  return st == SD_OK ? SD_OK : sd_probe_unreadable (pr, v, p, st, q->at[first].slot);
}

/* ----------------------------------------------------------------- results */

/* The better of `best` and what the conversions of p offer; they end where the limit is reached. */
static int wdl_converted (const sd_probe *pr, const sd_view *v, const sd_pos *p, int limit, int best,
                          int *wdl) {
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = v->converts && best < limit ? sd_moves (p, v->classes, moves) : 0;
  for (unsigned i = 0; i < n && best < limit; i++) {
    sd_pos child;
    int theirs;
    sd_pos_apply (p, &moves[i], &child);
    SD_TRY (sd_probe_result (pr, &child, -best, &theirs));
    best = best > -theirs ? best : -theirs;
  }
  *wdl = best;
  return SD_OK;
}

/* The result of a quiet child of p that has been read. */
int sd_probe_quiet (const sd_probe *pr, const sd_view *v, const sd_pos *p, const sd_quiet *q, int limit,
                    int *wdl) {
  sd_pos child;
  *wdl = q->own;
  if (q->own >= limit || !v->converts)
    return SD_OK;
  sd_pos_apply (p, q->move, &child);
  return wdl_converted (pr, v, &child, limit, q->own, wdl);
}

/* What all moves of p, which has no en-passant right, lead to; limit: as in wdl_of. */
static int wdl_by_moves (const sd_probe *pr, const sd_seat *seat, const sd_view *v, const sd_pos *p,
                         int limit, int *wdl) {
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, moves);
  sd_quiets q;
  int theirs;
  *wdl = n || sd_in_check (p, p->stm) ? -1 : 0;
  for (unsigned i = 0; i < n && *wdl < limit; i++)
    if (!sd_is_quiet (&moves[i])) {
      sd_pos child;
      sd_pos_apply (p, &moves[i], &child);
      SD_TRY (sd_probe_result (pr, &child, -*wdl, &theirs));
      *wdl = *wdl > -theirs ? *wdl : -theirs;
    }
  if (*wdl >= limit)
    return SD_OK;
  sd_quiets_list (v, &seat->board, seat->swapped, p, moves, n, NULL, &q);
  for (unsigned i = 0, known = 0; i < q.n && *wdl < limit; i++) {
    if (i == known)
      SD_TRY (sd_probe_read (pr, v, p, &q, i, &known));
    SD_TRY (sd_probe_quiet (pr, v, p, &q.at[i], -*wdl, &theirs));
    *wdl = *wdl > -theirs ? *wdl : -theirs;
  }
  return SD_OK;
}

/* p has no en-passant right. */
int sd_probe_plain (const sd_probe *pr, const sd_seat *seat, const sd_pos *p, int limit, int *wdl) {
  const sd_view *v = seat->ending->view[SD_WDL];
  if (!v || !v->table) {
    const sd_view *d = seat->ending->view[SD_DTM];
    if (v || !d || !d->table || d->coding != SD_CODING_SIGNED)
      return sd_probe_missing (pr, &seat->board, v, SD_WDL);
    sd_value value;
    SD_TRY (sd_probe_distance (pr, p, SD_NOT_KNOWN, &value));
    *wdl = (value > 0) - (value < 0);
    return SD_OK;
  }
  if (!sd_probe_holds (seat, v, p))
    return wdl_by_moves (pr, seat, v, p, limit, wdl);
  sd_value own;
  if (limit < 1) { /* the symbol may do, and then no move need be made */
    SD_TRY (sd_probe_stored (pr, seat, v, p, &own));
    return wdl_converted (pr, v, p, limit, own, wdl);
  }
  SD_TRY (wdl_converted (pr, v, p, limit, -1, wdl)); /* a move that wins spares the symbol */
  if (*wdl < limit) {
    SD_TRY (sd_probe_stored (pr, seat, v, p, &own));
    *wdl = own > *wdl ? own : *wdl;
  }
  return SD_OK;
}

int sd_probe_result (const sd_probe *pr, const sd_pos *p, int limit, int *wdl) {
  sd_seat seat;
  SD_TRY (sd_probe_sit (pr, p, &seat));
  if (!seat.ending) {
    *wdl = 0;
    return SD_OK;
  }
  if (p->ep == SD_NO_SQUARE)
    return sd_probe_plain (pr, &seat, p, limit, wdl);
  sd_pos plain = *p;
  plain.ep = SD_NO_SQUARE;
  SD_TRY (sd_probe_plain (pr, &seat, &plain, limit, wdl));
  bool alone = *wdl == 0 && !sd_has_move (&plain);
  if (!alone && *wdl >= limit)
    return SD_OK;
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_CAPTURES, moves);
  for (unsigned i = 0; i < n; i++)
    if (moves[i].en_passant) {
      sd_pos child;
      int theirs;
      sd_pos_apply (p, &moves[i], &child);
      SD_TRY (sd_probe_result (pr, &child, 1, &theirs));
      *wdl = sd_restore_wdl (alone ? -1 : *wdl, true, -theirs);
      alone = false;
    }
  return SD_OK;
}

/* ------------------------------------------------------------------ public */

const sd_pos *sd_probe_asked (const sd_pos *p, sd_pos *plain) {
  if (p->ep == SD_NO_SQUARE || (sd_ep_squares (p) >> p->ep & 1))
    return p;
  *plain = *p;
  plain->ep = SD_NO_SQUARE;
  return plain;
}

int sd_probe_wdl (const sd_tables *ts, const sd_pos *p, int *wdl, sd_error *err) {
  const sd_probe pr = { ts, p, err };
  sd_pos plain;
  if (!sd_pos_legal (p))
    return sd_probe_refused (&pr);
  return sd_probe_result (&pr, sd_probe_asked (p, &plain), 1, wdl);
}
