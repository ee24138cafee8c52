/* quiet.c - the quiet moves of a position by the slots that they lead to, and what is stored there. For a
 * prober that restores a position by one ply of all moves.
 *
 * Idea: such children differ from their parent in one square, so that no child is set up to find its slot;
 * and many of them are neighbours in the index (a man in the last digits, a king beside itself), so that one
 * reading of a few hundred slots costs less than to decode the same block once for each (figures:
 * papers/repair). No allocation with codecs repair, rle, store. */
#include "config.h"
#include "probe/probing_internal.h"
#include <limits.h>

enum { MOST = 2048 }; /* slots read at once */

/* A quiet move. */
typedef struct quiet {
  uint64_t slot;
  const sd_move *move;
  sd_value own;   /* what the map says about the slot, after read_near */
  sd_value bound; /* what the child is worth at least; own until its coding has been asked */
  int rank;       /* what the move is worth at most, if the quiets have been ordered */
} quiet;

/* Those of one position, by rising slot. */
typedef struct quiets {
  unsigned side; /* that answers for the children */
  unsigned n;
  quiet at[SD_MAX_MOVES];
} quiets;

/* Does v hold what the moves of p, at `seat`, lead to without leaving the ending? */
static bool holds_children (const sd_view *v, const sd_pos *p, const sd_seat *seat) {
  bool swapped = seat->swapped;
  const unsigned side = sd_stored_side (v->nsides, p->stm ^ 1u, &swapped);
  if (!(v->sides >> side & 1))
    return false;
  /* a move may give check, and what it leads to be free */
  return !(sd_freedom_checks (v->freedom, side) || sd_freedom_evident (v->freedom) >> side & 1)
         || seat->escapes == SD_ESCAPES_YES || (seat->escapes == SD_ESCAPES_UNKNOWN && sd_only_escapes (p));
}

/* Insert by the slot; moves come piece by piece, so that they are nearly in order. */
static void insert (quiets *q, uint64_t slot, const sd_move *m) {
  unsigned k = q->n++;
  for (; k > 0 && q->at[k - 1].slot > slot; k--)
    q->at[k] = q->at[k - 1];
  q->at[k].slot = slot;
  q->at[k].move = m;
}

/* The slots of a large table come from memory together, instead of one after the other. Near ones are read in
 * one go. */
static void fetch_all (const sd_view *v, const quiets *q) {
  const sd_side *side = &v->side[q->side];
  const sd_decoder *d = side->decoder;
  bool more = v->large && !d->constant && d->ops->fetch;
  for (unsigned step = 0; more; step++) {
    more = false;
    for (unsigned i = 0; i < q->n && q->at[i].slot < side->slots; i++)
      if (i == 0 || q->at[i].slot - q->at[i - 1].slot > side->near)
        more |= d->ops->fetch (d, q->at[i].slot, step);
  }
}

/* The quiet ones among l, all moves of the position at `seat` with `stm` to move, for which only[i] is set
 * (NULL: all). */
static void list (const sd_view *v, const sd_seat *seat, unsigned stm, const sd_move_list *l,
                  const bool *only, quiets *out) {
  const sd_board *b = &seat->board;
  bool swapped = seat->swapped;

  out->side = sd_stored_side (v->nsides, stm ^ 1u, &swapped);
  out->n = 0;
  sd_moving moving = sd_moving_of (b, swapped);
  for (unsigned i = 0; i < l->n; i++) {
    const sd_move *move = &l->at[i];
    if (sd_is_quiet (move) && (!only || only[i]))
      insert (out, sd_side_slot (&v->side[out->side], sd_moving_to (&moving, move->from, move->to)), move);
  }
  fetch_all (v, out);
}

/* Set `own` of number `first` and, where that is cheap, of some behind it; *end is behind the last one. The
 * view must hold their side. A failure says that slot at[first] cannot be decoded: SD_EFORMAT, SD_ENOMEM. */
static int read_near (const sd_view *v, quiets *q, unsigned first, unsigned *end) {
  const sd_decoder *d = v->side[q->side].decoder;
  const sd_value *map = v->side[q->side].map;
  const uint64_t from = q->at[first].slot, near = v->side[q->side].near;

  sd_symbol s[MOST];
  unsigned last = first;
  /* As many of the following slots as are near enough to be read in one go. */
  while (last + 1 < q->n && q->at[last + 1].slot - q->at[last].slot <= near
         && q->at[last + 1].slot - from < MOST)
    last++;

  *end = last + 1;
  if (q->at[last].slot >= v->side[q->side].slots)
    return SD_EFORMAT;
  SD_TRY (last == first ? sd_codec_get (d, from, s)
                        : sd_codec_read (d, from, q->at[last].slot - from + 1, s));
  for (unsigned i = first; i <= last; i++) {
    const sd_symbol one = s[q->at[i].slot - from];
    if (one >= v->side[q->side].main)
      return SD_EFORMAT;
    q->at[i].own = q->at[i].bound = map[one];
  }
  return SD_OK;
}

/* Those from number `first` on that are read together. */
static int read_quiets (const sd_probing *pr, const sd_view *v, const sd_pos *p, quiets *q, unsigned first,
                        unsigned *end) {
  const int st = read_near (v, q, first, end);
  return st == SD_OK ? SD_OK : sd_probe_unreadable (pr, v, p, st, q->at[first].slot);
}

/* The value of p, for which v holds `own`; sign: as in sd_bound. */
static int with_own (const sd_probing *pr, const sd_view *v, const sd_pos *p, sd_value own, sd_bound bound,
                     sd_value *out) {
  sd_best best = { .has = v->complete, .value = own };
  if (v->converts)
    SD_TRY (sd_restore_conversions (&pr->source, &sd_metrics[v->metric], p, v->classes, bound, &best));
  *out = v->complete ? best.value : sd_codings[v->coding].restore (bound.sign, own, best.has, best.value);
  return SD_OK;
}

/* lost[i]: does move i of p, a quiet one, lead to a lost position, as the metric `signs` tells? */
static int find_lost (const sd_probing *pr, const sd_seat *at, enum sd_metric signs, const sd_pos *p,
                      const sd_move_list *l, bool *lost) {
  const sd_metric_kind *k = &sd_metrics[signs];
  const sd_bound bound = { 0, SD_NO_FLOOR, SD_NOT_KNOWN };
  const sd_view *v = sd_ending_view (at->ending, signs);
  sd_pos child;
  sd_value theirs;

  if (!(v && v->table && holds_children (v, p, at))) {
    for (unsigned i = 0; i < l->n; i++)
      if (sd_is_quiet (&l->at[i])) {
        sd_pos_apply (p, &l->at[i], &child);
        SD_TRY (sd_restore_value (&pr->source, k, &child, bound, &theirs));
        lost[i] = theirs < 0;
      }
    return SD_OK;
  }
  quiets q;
  list (v, at, p->stm, l, NULL, &q);
  for (unsigned i = 0, known = 0; i < q.n; i++) {
    if (i == known)
      SD_TRY (read_quiets (pr, v, p, &q, i, &known));
    theirs = q.at[i].own;
    if (theirs < 0 && v->converts) {
      sd_pos_apply (p, q.at[i].move, &child);
      SD_TRY (with_own (pr, v, &child, theirs, bound, &theirs));
    }
    lost[q.at[i].move - l->at] = theirs < 0;
  }
  return SD_OK;
}

/* What the move is worth at most. */
static int rank_of (const sd_metric_kind *k, const quiet *q) {
  return sd_metric_rank (k, sd_metric_back (k, q->bound, sd_metric_step (k, q->move)));
}

/* at[0..n-1]: the moves that may be best first. */
static void sort_by_rank (quiet *at, unsigned n) {
  for (unsigned i = 1; i < n; i++) {
    const quiet one = at[i];
    unsigned j = i;
    for (; j > 0 && at[j - 1].rank < one.rank; j--)
      at[j] = at[j - 1];
    at[j] = one;
  }
}

/* What the children of q are worth at least; moves that may be best come first. Numbers of plies are compared
 * over all of them. */
static int order_quiets (const sd_probing *pr, const sd_view *v, const sd_pos *p, int sign, quiets *q) {
  const sd_coding_kind *c = &sd_codings[v->coding];
  for (unsigned i = 0, known = 0; i < q->n; i++) {
    if (i == known)
      SD_TRY (read_quiets (pr, v, p, q, i, &known));
    if (!v->complete) /* else a value is not below its number */
      q->at[i].bound = c->restore (sign, q->at[i].own, false, 0);
    q->at[i].rank = rank_of (&sd_metrics[v->metric], &q->at[i]);
  }
  sort_by_rank (q->at, q->n);
  return SD_OK;
}

/* listed[i]: what move i of p, a quiet one, leads to is not in check or not free for that reason, so that its
 * slot says what it is worth. */
static void list_unchecked (const sd_seat *at, const sd_view *v, const sd_pos *p, const sd_move_list *l,
                            bool *listed) {
  bool swapped = at->swapped;
  const unsigned side = sd_stored_side (v->nsides, p->stm ^ 1u, &swapped);
  const bool free = sd_freedom_evident (v->freedom) >> side & 1;
  for (unsigned i = 0; i < l->n; i++)
    if (sd_is_quiet (&l->at[i])) {
      sd_pos child;
      sd_pos_apply (p, &l->at[i], &child);
      listed[i] = !(free && sd_in_check (&child, child.stm));
    }
}

/* The better of *best and the quiet moves that are not listed, each asked for by itself. */
static int unlisted (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const sd_move_list *l,
                     const bool *listed, sd_bound bound, sd_best *best) {
  for (unsigned i = 0; i < l->n && !sd_best_will_do (best, k, bound.limit); i++)
    if (sd_is_quiet (&l->at[i]) && !listed[i])
      SD_TRY (sd_restore_move (s, k, p, &l->at[i], bound, best));
  return SD_OK;
}

/* sd_source.quiets. What is not ordered is looked at as it is read. */
int sd_probe_quiets (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const sd_move_list *l,
                     sd_bound bound, sd_best *best) {
  const sd_probing *pr = (const sd_probing *) s;
  bool listed[SD_MAX_MOVES];
  const sd_seat *at = (const sd_seat *) l->place;
  quiets q;
  const sd_view *v = sd_ending_view (at->ending, (enum sd_metric) (k - sd_metrics));
  const bool ordered = k->plies || !v->complete;
  const int sign = bound.sign == SD_NOT_KNOWN ? SD_NOT_KNOWN : -bound.sign;

  /* Where no move gives check, none has to be looked for. */
  const bool evident = v->freedom & SD_FREE_EVIDENTS && at->escapes != SD_ESCAPES_YES,
             some = evident || sd_sign_won (bound.sign);

  if (evident) /* of WDL, which needs no signs */
    list_unchecked (at, v, p, l, listed);
  else if (some)
    SD_TRY (find_lost (pr, at, sd_codings[v->coding].needs, p, l, listed));
  list (v, at, p->stm, l, some ? listed : NULL, &q);
  if (ordered)
    SD_TRY (order_quiets (pr, v, p, sign, &q));
  int have = best->has ? sd_metric_rank (k, best->value) : INT_MIN;
  for (unsigned i = 0, known = ordered ? q.n : 0; i < q.n && have < bound.limit; i++) {
    if (i == known)
      SD_TRY (read_quiets (pr, v, p, &q, i, &known));
    sd_value theirs = q.at[i].bound;
    if ((ordered ? q.at[i].rank : rank_of (k, &q.at[i])) <= have) {
      if (ordered) /* neither is what comes behind it */
        break;
      continue;
    }
    const int enough = sd_best_child (best, k);
    if (v->converts && sd_metric_rank (k, theirs) < enough) {
      sd_pos child;
      sd_pos_apply (p, q.at[i].move, &child);
      SD_TRY (
          with_own (pr, v, &child, q.at[i].own, (sd_bound){ enough, SD_NO_FLOOR, (int8_t) sign }, &theirs));
    }
    sd_best_take (best, k, theirs, sd_metric_step (k, q.at[i].move));
    have = sd_metric_rank (k, best->value);
  }
  return evident ? unlisted (s, k, p, l, listed, bound, best) : SD_OK;
}
