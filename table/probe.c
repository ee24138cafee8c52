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
 * its parent has already: a `limit` from which on any lower bound will do, and then a stored symbol often
 * spares the child's moves.
 *
 * Cost: one index, one decode per visited ending, some ten to twenty where all moves are made; the depth of
 * the recursion is bounded by men and pawns, for each conversion takes a man or a pawn off the board. No
 * allocation, lock or global state; texts are made only where a probe fails. */
#include "config.h"
#include "table/lookup.h"
#include "table/table_internal.h"

struct probe {
  const sd_tables *ts;
  const sd_pos *root;
  sd_error *err;
};

/* A position with its place among the tables. */
struct seat {
  sd_board board;
  const sd_ending *ending; /* NULL: king against king */
  bool swapped;
};

enum { NOT_KNOWN = 2 }; /* beside the results -1, 0, 1 */

/* limit -1..1: from it on, *wdl may be any lower bound of the result that is not below it; 1: *wdl is exact.
 */
static int wdl_of (const struct probe *pr, const sd_pos *p, int limit, int *wdl);
static int dtm_of (const struct probe *pr, const sd_pos *p, int result, sd_value *value);

/* ----------------------------------------------------------- what can fail */

static __attribute__ ((cold, noinline)) int missing (const struct probe *pr, const sd_board *b,
                                                     const sd_view *v, enum sd_metric metric) {
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
    return sd_fail (pr->err, SD_ENOENT, "%s: not found in %s", file, where);
  return sd_fail (pr->err, SD_ENOENT, "%s: not found in %s, needed by %s", file, where, name);
}

static __attribute__ ((cold, noinline)) int damaged (const struct probe *pr, const sd_view *v,
                                                     const sd_pos *p, const char *what, long number) {
  if (!pr->err)
    return SD_EFORMAT;
  char file[32], fen[96];
  sd_table_file_name (&v->material, v->metric, file);
  sd_pos_to_fen (p, fen, sizeof fen);
  return sd_fail (pr->err, SD_EFORMAT, "%s: %s: %s (%ld)", v->path ? v->path : file, fen, what, number);
}

static __attribute__ ((cold, noinline)) int refused (const struct probe *pr) {
  const sd_pos *p = pr->root;
  const int men = __builtin_popcountll (p->occ[0] | p->occ[1]);
  if (men > SD_MAX_MEN)
    return sd_fail (pr->err, SD_EINVAL, "the position has %d men: tables hold at most %d", men, SD_MAX_MEN);
  return sd_fail (pr->err, SD_EINVAL, "the position is not legal, so no table has a value for it");
}

/* ------------------------------------------------------------ own table */

static int sit (const struct probe *pr, const sd_pos *p, struct seat *out) {
  if (!sd_board_of (p, &out->board))
    return refused (pr);
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
static int stored (const struct probe *pr, const struct seat *seat, const sd_view *v, const sd_pos *p,
                   sd_value *out) {
  bool swapped = seat->swapped;
  unsigned side = sd_stored_side (v->nsides, p->stm, &swapped);
  uint8_t sq[SD_MAX_MEN];
  sd_board_squares (&seat->board, swapped, sq);
  const uint64_t i = sd_index_of (v->side[side].indexer, sq);
  if (i >= v->side[side].slots)
    return refused (pr);
  sd_symbol s;
  int st = sd_codec_get (v->side[side].decoder, i, &s);
  if (st != SD_OK)
    return damaged (pr, v, p, sd_strerror (st), (long) i);
  if (s >= v->side[side].main)
    return damaged (pr, v, p, "a symbol that the header does not know", s);
  *out = v->side[side].map[s];
  return SD_OK;
}

static bool is_stored (const struct seat *seat, const sd_view *v, const sd_pos *p) {
  bool swapped = seat->swapped;
  return v->sides >> sd_stored_side (v->nsides, p->stm, &swapped) & 1;
}

/* ----------------------------------------------------------------- results */

/* What all moves of p, which has no en-passant right, lead to; limit: as in wdl_of. */
static int wdl_by_moves (const struct probe *pr, const sd_pos *p, int limit, int *wdl) {
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, moves);
  *wdl = n || sd_in_check (p, p->stm) ? -1 : 0;
  for (unsigned i = 0; i < n && *wdl < limit; i++) {
    sd_pos child;
    int theirs;
    sd_pos_apply (p, &moves[i], &child);
    SD_TRY (wdl_of (pr, &child, -*wdl, &theirs));
    *wdl = *wdl > -theirs ? *wdl : -theirs;
  }
  return SD_OK;
}

/* p has no en-passant right. */
static int wdl_plain (const struct probe *pr, const struct seat *seat, const sd_pos *p, int limit, int *wdl) {
  const sd_view *v = seat->ending->view[SD_WDL];
  if (!v || !v->table) {
    const sd_view *d = seat->ending->view[SD_DTM];
    if (v || !d || !d->table || d->coding != SD_CODING_SIGNED)
      return missing (pr, &seat->board, v, SD_WDL);
    sd_value value;
    SD_TRY (dtm_of (pr, p, NOT_KNOWN, &value));
    *wdl = (value > 0) - (value < 0);
    return SD_OK;
  }
  if (!is_stored (seat, v, p))
    return wdl_by_moves (pr, p, limit, wdl);
  sd_value own = -1;
  if (limit < 1) { /* a stored symbol is never above the result: it may do, and then no move need be made */
    SD_TRY (stored (pr, seat, v, p, &own));
    *wdl = own;
    if (own >= limit)
      return SD_OK;
  }
  int best = own;
  if (v->converts) {
    sd_move moves[SD_MAX_MOVES];
    const unsigned n = sd_moves (p, v->classes, moves);
    for (unsigned i = 0; i < n; i++) {
      sd_pos child;
      int theirs;
      sd_pos_apply (p, &moves[i], &child);
      SD_TRY (wdl_of (pr, &child, -best, &theirs));
      best = best > -theirs ? best : -theirs;
      if (best >= limit) {
        *wdl = best;
        return SD_OK;
      }
    }
  }
  if (limit == 1)
    SD_TRY (stored (pr, seat, v, p, &own));
  *wdl = sd_restore_wdl (own, true, best); /* -1 is no better than nothing */
  return SD_OK;
}

static int wdl_of (const struct probe *pr, const sd_pos *p, int limit, int *wdl) {
  struct seat seat;
  SD_TRY (sit (pr, p, &seat));
  if (!seat.ending) {
    *wdl = 0;
    return SD_OK;
  }
  if (p->ep == SD_NO_SQUARE)
    return wdl_plain (pr, &seat, p, limit, wdl);
  sd_pos plain = *p;
  plain.ep = SD_NO_SQUARE;
  SD_TRY (wdl_plain (pr, &seat, &plain, limit, wdl));
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
      SD_TRY (wdl_of (pr, &child, 1, &theirs));
      *wdl = sd_restore_wdl (alone ? -1 : *wdl, true, -theirs);
      alone = false;
    }
  return SD_OK;
}

/* --------------------------------------------------------------- distances */

/* What all moves of p, which has no en-passant right, lead to; `result`: -1, 1 if it is known, and then only
 * children that have the opposite one are looked up. */
static int dtm_by_moves (const struct probe *pr, const sd_view *v, const sd_pos *p, int result,
                         sd_value *value) {
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, moves);
  bool has = false;
  *value = sd_in_check (p, p->stm) ? -1 : 0;
  for (unsigned i = 0; i < n; i++) {
    sd_pos child;
    sd_value theirs;
    int their_result = NOT_KNOWN;
    sd_pos_apply (p, &moves[i], &child);
    if (result == 1) {
      SD_TRY (wdl_of (pr, &child, 0, &their_result));
      if (their_result >= 0)
        continue;
    } else if (result == -1)
      their_result = 1;
    SD_TRY (dtm_of (pr, &child, their_result, &theirs));
    *value = sd_restore_signed (sd_value_back (theirs), has, *value);
    has = true;
  }
  if (n && !has)
    return damaged (pr, v, p, "won according to the WDL table, but no move wins", (long) n);
  return SD_OK;
}

/* p has no en-passant right. `result`: -1, 0, 1 if the caller knows it; then no WDL table is asked for p. */
static int dtm_plain (const struct probe *pr, const struct seat *seat, const sd_pos *p, int result,
                      sd_value *value) {
  const sd_view *v = seat->ending->view[SD_DTM];
  if (!v || !v->table)
    return missing (pr, &seat->board, v, SD_DTM);
  const bool moves_only = v->coding == SD_CODING_MOVES;
  if (moves_only) { /* S0 Sec. 1.8: results first */
    if (result == NOT_KNOWN)
      SD_TRY (wdl_plain (pr, seat, p, 1, &result));
    if (result == 0) {
      *value = 0;
      return SD_OK;
    }
  }
  if (!is_stored (seat, v, p) || (result == 1 && moves_only && (v->freedom & SD_FREE_WIN)))
    return dtm_by_moves (pr, v, p, moves_only ? result : NOT_KNOWN, value);
  bool has = false;
  sd_value best = SD_ILLEGAL, own;
  if (v->converts) {
    sd_move moves[SD_MAX_MOVES];
    const unsigned n = sd_moves (p, v->classes, moves);
    for (unsigned i = 0; i < n; i++) {
      sd_pos child;
      sd_value theirs;
      int their_result = NOT_KNOWN;
      sd_pos_apply (p, &moves[i], &child);
      if (moves_only) { /* to a winner only lost children matter; a loser has only won ones */
        if (result > 0)
          SD_TRY (wdl_of (pr, &child, 0, &their_result));
        else
          their_result = 1;
        if (their_result + result != 0)
          continue;
      }
      SD_TRY (dtm_of (pr, &child, their_result, &theirs));
      best = sd_restore_signed (sd_value_back (theirs), has, best);
      has = true;
    }
  }
  SD_TRY (stored (pr, seat, v, p, &own));
  if (moves_only)
    *value = sd_restore_moves (result, (uint16_t) own, has, best);
  else if (own == SD_ILLEGAL)
    return damaged (pr, v, p, "a legal position marked as illegal", own);
  else
    *value = sd_restore_signed (own, has, best);
  return SD_OK;
}

static int dtm_of (const struct probe *pr, const sd_pos *p, int result, sd_value *value) {
  struct seat seat;
  SD_TRY (sit (pr, p, &seat));
  if (!seat.ending) {
    *value = 0;
    return SD_OK;
  }
  if (p->ep == SD_NO_SQUARE)
    return dtm_plain (pr, &seat, p, result, value);
  sd_pos plain = *p;
  plain.ep = SD_NO_SQUARE;
  SD_TRY (dtm_plain (pr, &seat, &plain, NOT_KNOWN, value));
  bool alone = *value == 0 && !sd_has_move (&plain);
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_CAPTURES, moves);
  for (unsigned i = 0; i < n; i++)
    if (moves[i].en_passant) {
      sd_pos child;
      sd_value theirs;
      sd_pos_apply (p, &moves[i], &child);
      SD_TRY (dtm_of (pr, &child, NOT_KNOWN, &theirs));
      *value = sd_restore_signed (sd_value_back (theirs), !alone, *value);
      alone = false;
    }
  return SD_OK;
}

/* ------------------------------------------------------------------ public */

int sd_probe_wdl (const sd_tables *ts, const sd_pos *p, int *wdl, sd_error *err) {
  const struct probe pr = { ts, p, err };
  if (!sd_pos_legal (p))
    return refused (&pr);
  return wdl_of (&pr, p, 1, wdl);
}

int sd_probe_dtm (const sd_tables *ts, const sd_pos *p, sd_value *value, sd_error *err) {
  const struct probe pr = { ts, p, err };
  if (!sd_pos_legal (p))
    return refused (&pr);
  return dtm_of (&pr, p, NOT_KNOWN, value);
}
