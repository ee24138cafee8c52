/* Restoring: from what a table holds at a slot to the exact value, by moves (restore_internal.h has what each
 * function promises). Whether values come from files, arrays in memory or decoded blocks is the source's
 * business (sd_source), so that a prober, a loader and a builder that compares all restore by the same
 * lines. */
#include "config.h"
#include "probe/restore_internal.h"

/* With a sign: to a winner only lost children matter, and a loser has only won ones; how the 50-move rule
 * calls these does not follow from what it calls p. */
int sd_restore_move (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const sd_move *m,
                     sd_bound bound, sd_best *best) {
  const int sign = bound.sign;
  sd_pos child;
  sd_value v;
  sd_bound theirs = { sd_best_child (best, k), sd_bound_child (bound, k), SD_NOT_KNOWN };

  sd_pos_apply (p, m, &child);
  if (sign != SD_NOT_KNOWN && (sd_move_step (m) & k->counts_from)) { /* the child's result tells all */
    const sd_metric_kind *signs = &sd_metrics[k->signs];
    SD_TRY (sd_restore_value (s, signs, &child, SD_EXACT (signs), &v));
    const int plies = k->limit && (v == 1 || v == -1) ? k->limit + 1 : 1; /* cursed or blessed */
    if (v != SD_ILLEGAL && !(sign > 0 && v >= 0))
      sd_best_take (best, k, (sd_value) (v > 0 ? plies : v < 0 ? -plies - 1 : 0), sd_move_step (m));
    return SD_OK;
  }
  if (sign != SD_NOT_KNOWN) {
    theirs.sign = (int8_t) (k->limit ? (int) SD_NOT_KNOWN : -sign);
    if (sign > 0) {
      const sd_metric_kind *signs = &sd_metrics[k->signs];
      SD_TRY (sd_restore_value (s, signs, &child, (sd_bound){ 0, SD_NO_FLOOR, SD_NOT_KNOWN }, &v));
      if (v >= 0)
        return SD_OK;
      theirs.sign = (int8_t) v;
    }
  }
  SD_TRY (sd_restore_value (s, k, &child, theirs, &v));
  if (v != SD_ILLEGAL)
    sd_best_take (best, k, v, sd_metric_step (k, m));
  return SD_OK;
}

/* A right to capture en passant is in no table: the value without it, or that of the capture if it is better
 * or the only move. */
int sd_restore_right (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, sd_bound bound,
                      sd_value *out) {
  sd_pos plain = *p;
  plain.ep = SD_NO_SQUARE;
  bound.sign = SD_NOT_KNOWN; /* that of p with its right */
  SD_TRY (s->plain (s, k, &plain, bound, out));
  if (*out == SD_ILLEGAL)
    return SD_OK;

  sd_best best = { .has = *out != 0 || sd_has_move (&plain), .value = *out };
  sd_move move[SD_MAX_MOVES];
  const unsigned n = sd_best_will_do (&best, k, bound.limit) ? 0 : sd_moves (p, SD_MOVES_CAPTURES, move);
  for (unsigned i = 0; i < n; i++)
    if (move[i].en_passant)
      SD_TRY (sd_restore_move (s, k, p, &move[i], bound, &best));
  *out = best.value;
  return SD_OK;
}

int sd_restore_some (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const sd_move_list *l,
                     bool underpromotions, sd_bound bound, sd_best *best) {
  for (unsigned i = 0; i < l->n; i++) {
    if (sd_is_underpromotion (&l->at[i]) != underpromotions)
      continue;
    SD_TRY (sd_restore_move (s, k, p, &l->at[i], bound, best));
    if (sd_best_will_do (best, k, bound.limit))
      break;
  }
  return SD_OK;
}

int sd_restore_any_conversions (const sd_source *s, const sd_metric_kind *k, const sd_pos *p,
                                enum sd_move_class which, sd_bound bound, sd_best *best) {
  sd_move_list l;
  l.n = sd_moves (p, which, l.at);
  if (!l.n)
    return SD_OK;
  SD_TRY (sd_restore_some (s, k, p, &l, false, bound, best));
  if (sd_best_will_do (best, k, bound.limit))
    return SD_OK;
  return sd_restore_some (s, k, p, &l, true, bound, best);
}

static int told_anew (const sd_source *s, const sd_rule *r, const sd_pos *p, int sign, sd_value *out) {
  const sd_metric_kind *signs = &sd_metrics[r->c->needs];
  const int one = sign == 2 || sign == -2 ? 1 : SD_RULE_PLIES + 1;
  sd_move move[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, move);
  unsigned others = n == 0;

  *out = n ? 0 : r->k->mated;
  for (unsigned i = 0; i < n && *out == 0; i++) {
    sd_pos child;
    sd_value theirs = SD_ILLEGAL;
    if (!(sd_move_step (&move[i]) & r->k->counts_from)) {
      others++;
      continue;
    }
    if (sign < 0)
      continue;
    sd_pos_apply (p, &move[i], &child);
    SD_TRY (sd_restore_value (s, signs, &child, SD_EXACT (signs), &theirs));
    if (theirs == -sign)
      *out = (sd_value) one;
  }
  if (sign < 0 && !others)
    *out = (sd_value) (-one - 1);
  return SD_OK;
}

/* The result is known; a move that counts plies anew may settle the rest, or the number does. */
static int from_number (const sd_source *s, const sd_rule *r, const sd_pos *p, int sign, sd_value number,
                        sd_value *out) {
  *out = 0;
  if (sign == 0)
    return SD_OK;
  SD_TRY (told_anew (s, r, p, sign, out));
  if (*out)
    return SD_OK;
  const bool later = s->later && r->side->rounds && r->side->rounds (r->side, number, sign);
  number = r->side->number_of (r->side, number, sign);
  *out = number == SD_ILLEGAL ? 0 : r->c->restore (sign, (sd_value) (number + later), false, 0);
  return number == SD_ILLEGAL ? SD_EFORMAT : SD_OK;
}

int sd_restore_stored (const sd_source *s, const sd_rule *r, const sd_pos *p, int sign, sd_value number,
                       sd_value *out) {
  if (r->side)
    return from_number (s, r, p, sign, number, out);
  const bool complete = r->c->needs == SD_NO_METRIC; /* then the value is not below the number */
  sd_best best = { .has = complete, .value = (sd_value) (complete ? number : 0) };
  if (complete || sign != 0)
    SD_TRY (sd_restore_conversions (s, r->k, p, r->classes, SD_EXACT (r->k), &best));
  *out = r->c->restore (sign, number, best.has, best.value);
  return SD_OK;
}

int sd_restore_by_moves (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const void *place,
                         sd_bound bound, sd_value *out) {
  sd_move_list l;
  l.place = place;
  l.n = sd_moves (p, SD_MOVES_ALL, l.at);
  return sd_restore_from (s, k, p, &l, bound, out);
}

int sd_restore_from (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const sd_move_list *l,
                     sd_bound bound, sd_value *out) {
  sd_best best = { false, SD_ILLEGAL };
  if (l->n == 0) {
    *out = sd_in_check (p, p->stm) ? k->mated : 0;
    return SD_OK;
  }
  bool enough = false;
  for (unsigned i = 0; i < l->n && !enough; i++)
    if (!s->quiets || !sd_is_quiet (&l->at[i])) {
      SD_TRY (sd_restore_move (s, k, p, &l->at[i], bound, &best));
      enough = sd_best_will_do (&best, k, bound.limit);
    }
  if (s->quiets && !enough)
    SD_TRY (s->quiets (s, k, p, l, bound, &best));
  *out = best.value;
  return SD_OK;
}
