/* probe_dtm.c - the distance to mate of a position from the tables, exactly. The rules are those of probe.c.
 *
 * Where all moves are made, distances rest on two bounds. A child is worth at least what is stored for it (a
 * conversion only betters it), so that children are looked at from the one on that is worst off, and no more
 * where the next one's bound is of no use to the parent. And the results say which children count at all: to
 * a winner the lost ones, to a loser all, each of them won.
 *
 * Measured, both sides to move of 20,000 random positions, RE-PAIR in blocks of 1024 bytes, CPU time: the
 * restored side of one-sided KQvKR fell from 55 to 13 us by these and by reading neighbours together
 * (quiet.h). */
#include "config.h"
#include "probe/probe_internal.h"
#include "table/table_internal.h"

/* What the conversions of p offer; result: p's, if v needs it. */
static int dtm_converted (const sd_probe *pr, const sd_view *v, const sd_pos *p, int result, bool *has,
                          sd_value *best) {
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = v->converts ? sd_moves (p, v->classes, moves) : 0;
  *has = false;
  for (unsigned i = 0; i < n; i++) {
    sd_pos child;
    sd_value theirs;
    int their_result = SD_NOT_KNOWN;
    sd_pos_apply (p, &moves[i], &child);
    if (v->coding == SD_CODING_MOVES) { /* to a winner only lost children matter; a loser has only won ones */
      if (result > 0)
        SD_TRY (sd_probe_result (pr, &child, 0, &their_result));
      else
        their_result = 1;
      if (their_result + result != 0)
        continue;
    }
    SD_TRY (sd_probe_distance (pr, &child, their_result, &theirs));
    *best = sd_restore_signed (sd_value_back (theirs), *has, *best);
    *has = true;
  }
  return SD_OK;
}

/* The value of a stored position p from its symbol and its conversions, if there are any. */
static int dtm_value (const sd_probe *pr, const sd_view *v, const sd_pos *p, int result, sd_value own,
                      bool has, sd_value best, sd_value *value) {
  if (v->coding == SD_CODING_MOVES)
    *value = sd_restore_moves (result, (uint16_t) own, has, best);
  else if (own == SD_ILLEGAL)
    return sd_probe_damaged (pr, v, p, "a legal position marked as illegal", own);
  else
    *value = sd_restore_signed (own, has, best);
  return SD_OK;
}

/* lost[i]: does move i of the position, a quiet one, lead to a lost position? */
static int find_lost (const sd_probe *pr, const sd_seat *seat, const sd_pos *p, const sd_move *moves,
                      unsigned n, bool *lost) {
  const sd_view *v = seat->ending->view[SD_WDL];
  const bool together = v && v->table && sd_quiets_stored (v, p, seat->swapped);
  int theirs;
  if (!together) {
    for (unsigned i = 0; i < n; i++) {
      if (!sd_is_quiet (&moves[i]))
        continue;
      sd_pos child;
      sd_pos_apply (p, &moves[i], &child);
      SD_TRY (sd_probe_result (pr, &child, 0, &theirs));
      lost[i] = theirs < 0;
    }
    return SD_OK;
  }
  sd_quiets q;
  sd_quiets_list (v, &seat->board, seat->swapped, p, moves, n, NULL, &q);
  for (unsigned i = 0, known = 0; i < q.n; i++) {
    if (i == known)
      SD_TRY (sd_probe_read (pr, v, p, &q, i, &known));
    SD_TRY (sd_probe_quiet (pr, v, p, &q.at[i], 0, &theirs));
    lost[q.at[i].move - moves] = theirs < 0;
  }
  return SD_OK;
}

/* Those that are worst for the child first, judged by what is stored. */
static void sort_by_own (sd_quiets *q) {
  for (unsigned i = 1; i < q->n; i++) {
    const sd_quiet one = q->at[i];
    unsigned k = i;
    for (; k > 0 && sd_value_rank (q->at[k - 1].own) > sd_value_rank (one.own); k--)
      q->at[k] = q->at[k - 1];
    q->at[k] = one;
  }
}

/* The quiet moves of p: the better of *value and what they lead to. A child is worth at least what is stored,
 * so that the rest is of no use to its parent once that is too much. their_result: of all of them, if it is
 * known. */
static int dtm_quiets (const sd_probe *pr, const sd_view *v, const sd_pos *p, sd_quiets *q, int their_result,
                       bool *has, sd_value *value) {
  for (unsigned i = 0, known = 0; i < q->n; i++) {
    if (i == known)
      SD_TRY (sd_probe_read (pr, v, p, q, i, &known));
    SD_TRY (dtm_value (pr, v, p, their_result, q->at[i].own, false, 0, &q->at[i].own));
  }
  sort_by_own (q);
  for (unsigned i = 0; i < q->n; i++) {
    const sd_value own = q->at[i].own;
    bool converts;
    sd_value best = 0;
    sd_pos child;
    if (*has && sd_value_rank (sd_value_back (own)) <= sd_value_rank (*value))
      break;
    sd_pos_apply (p, q->at[i].move, &child);
    SD_TRY (dtm_converted (pr, v, &child, their_result, &converts, &best));
    const sd_value theirs =
        v->coding == SD_CODING_MOVES && converts && sd_value_wdl (best) != sd_value_wdl (own)
            ? own
            : sd_restore_signed (own, converts, best);
    *value = sd_restore_signed (sd_value_back (theirs), *has, *value);
    *has = true;
  }
  return SD_OK;
}

/* What all moves of p, which has no en-passant right, lead to; `result`: -1, 1 if it is known, and then only
 * children that have the opposite one are looked up. */
static int dtm_by_moves (const sd_probe *pr, const sd_seat *seat, const sd_view *v, const sd_pos *p,
                         int result, sd_value *value) {
  sd_move moves[SD_MAX_MOVES];
  bool lost[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, moves);
  const int their_result = result == SD_NOT_KNOWN ? SD_NOT_KNOWN : -result;
  bool has = false;
  *value = sd_in_check (p, p->stm) ? -1 : 0;
  for (unsigned i = 0; i < n; i++) {
    if (sd_is_quiet (&moves[i]))
      continue;
    sd_pos child;
    sd_value theirs;
    int opposite = their_result;
    sd_pos_apply (p, &moves[i], &child);
    if (result == 1)
      SD_TRY (sd_probe_result (pr, &child, 0, &opposite));
    if (opposite != their_result && result == 1)
      continue;
    SD_TRY (sd_probe_distance (pr, &child, opposite, &theirs));
    *value = sd_restore_signed (sd_value_back (theirs), has, *value);
    has = true;
  }
  if (result == 1)
    SD_TRY (find_lost (pr, seat, p, moves, n, lost));
  sd_quiets q;
  sd_quiets_list (v, &seat->board, seat->swapped, p, moves, n, result == 1 ? lost : NULL, &q);
  SD_TRY (dtm_quiets (pr, v, p, &q, their_result, &has, value));
  if (n && !has)
    return sd_probe_damaged (pr, v, p, "won according to the WDL table, but no move wins", (long) n);
  return SD_OK;
}

/* p has no en-passant right. `result`: -1, 0, 1 if the caller knows it; then no WDL table is asked for p. */
static int dtm_plain (const sd_probe *pr, const sd_seat *seat, const sd_pos *p, int result, sd_value *value) {
  const sd_view *v = seat->ending->view[SD_DTM];
  if (!v || !v->table)
    return sd_probe_missing (pr, &seat->board, v, SD_DTM);
  const bool moves_only = v->coding == SD_CODING_MOVES;
  if (moves_only) { /* S0 Sec. 1.8: results first */
    if (result == SD_NOT_KNOWN)
      SD_TRY (sd_probe_plain (pr, seat, p, 1, &result));
    if (result == 0) {
      *value = 0;
      return SD_OK;
    }
  }
  if (!sd_probe_holds (seat, v, p) || (result == 1 && moves_only && (v->freedom & SD_FREE_WIN)))
    return dtm_by_moves (pr, seat, v, p, moves_only ? result : SD_NOT_KNOWN, value);
  bool has;
  sd_value best = SD_ILLEGAL, own;
  SD_TRY (dtm_converted (pr, v, p, result, &has, &best));
  SD_TRY (sd_probe_stored (pr, seat, v, p, &own));
  return dtm_value (pr, v, p, result, own, has, best, value);
}

int sd_probe_distance (const sd_probe *pr, const sd_pos *p, int result, sd_value *value) {
  sd_seat seat;
  SD_TRY (sd_probe_sit (pr, p, &seat));
  if (!seat.ending) {
    *value = 0;
    return SD_OK;
  }
  if (p->ep == SD_NO_SQUARE)
    return dtm_plain (pr, &seat, p, result, value);
  sd_pos plain = *p;
  plain.ep = SD_NO_SQUARE;
  SD_TRY (dtm_plain (pr, &seat, &plain, SD_NOT_KNOWN, value));
  bool alone = *value == 0 && !sd_has_move (&plain);
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_CAPTURES, moves);
  for (unsigned i = 0; i < n; i++)
    if (moves[i].en_passant) {
      sd_pos child;
      sd_value theirs;
      sd_pos_apply (p, &moves[i], &child);
      SD_TRY (sd_probe_distance (pr, &child, SD_NOT_KNOWN, &theirs));
      *value = sd_restore_signed (sd_value_back (theirs), !alone, *value);
      alone = false;
    }
  return SD_OK;
}

int sd_probe_dtm (const sd_tables *ts, const sd_pos *p, sd_value *value, sd_error *err) {
  const sd_probe pr = { ts, p, err };
  sd_pos plain;
  if (!sd_pos_legal (p))
    return sd_probe_refused (&pr);
  return sd_probe_distance (&pr, sd_probe_asked (p, &plain), SD_NOT_KNOWN, value);
}
