/* probe.c - the value of a position from the open tables, exactly. How is said in restore_internal.h; here is
 * what mapped files add to it: a value is asked for only as exactly as its parent needs it. The value of a
 * table that is complete by itself is no worse than its number: a win there ends a WDL probe before any other
 * move is made, and of a draw it need only be known whether some move wins.
 *
 * One-sided tables (Zakharov 2015, 1.4) and losses only: where the side to move is not stored, or is known to
 * win and its wins are free, all moves are made. A quiet one leads to the other side to move of the same
 * table, which is stored (a won position looks at lost children only, and losses are stored): so at most one
 * such ply in an ending before a conversion leaves it. Quiet children are looked up together
 * (quiet.c), after those that leave the ending. A child is worth at least what is stored for it (a
 * conversion only betters it), so that children are looked at from the one on that is worst off, and no more
 * where the next one's bound is of no use to the parent. And where another metric tells the sign, it says
 * which children count at all: to a winner the lost ones, to a loser all, each of them won.
 *
 * Positions that no legal move leads to (SD_FREE_UNREACHABLE) can only be asked for by a caller: the moves
 * that are made here lead elsewhere. Such a position has the best of all its moves.
 *
 * Where checks are free (SD_FREE_CHECK), a position in check without a move that gives check has the best of
 * all its moves, too. None of these leads to a check, so that the slots of the quiet ones are stored. Where
 * all that is evident is free (SD_FREE_EVIDENT) that is so as well, and of the others in check the slot
 * counts if evident.c does not tell the value.
 *
 * Measured, both sides to move of 20,000 random positions, RE-PAIR in blocks of 1024 bytes, CPU time: the
 * restored side of one-sided KQvKR fell from 55 to 13 us by these and by reading neighbours together.
 *
 * Cost: one index, one decode per visited ending, some ten to twenty where all moves are made; the depth of
 * the recursion is bounded by men and pawns, for each conversion takes a man or a pawn off the board. No lock
 * or global state; memory is asked for only where a table is opened (SD_OPEN_LATER), and texts are made only
 * where a probe fails. */
#include "config.h"
#include "probe/probing_internal.h"

#define COLD __attribute__ ((cold))
#define ALWAYS __attribute__ ((always_inline)) /* on the way of every child */

/* ------------------------------------------------------------ own table */

ALWAYS static inline int sit (const sd_probing *pr, const sd_pos *p, sd_seat *out) {
  if (!sd_board_of (p, &out->board))
    return sd_probe_refused (pr);
  out->ending = NULL;
  out->swapped = false;
  out->escapes = SD_ESCAPES_UNKNOWN;
  out->found[0].view = out->found[1].view = NULL;
  if (out->board.key == SD_KEY_KVK)
    return SD_OK;
  static const sd_ending none = { 0 };
  const sd_keyed *k = sd_keys_find (&pr->ts->keys, out->board.key);
  out->ending = k ? &pr->ts->ending[k->item] : &none;
  out->swapped = k && k->swapped;
  return SD_OK;
}

/* The slot of p in v. */
ALWAYS static inline uint64_t slot_in (const sd_seat *at, const sd_view *v, const sd_pos *p, unsigned *side) {
  bool swapped = at->swapped;
  uint8_t sq[SD_SQUARES];
  *side = sd_stored_side (v->nsides, p->stm, &swapped);
  sd_board_squares (&at->board, swapped, sq);
  return sd_side_slot (&v->side[*side], sq);
}

/* What the view's map says about p. */
ALWAYS static inline int stored (const sd_probing *pr, const sd_seat *at, const sd_view *v, const sd_pos *p,
                                 sd_value *out) {
  const sd_found *found = at->found[0].view == v ? &at->found[0] : &at->found[1];
  unsigned side = found->side;
  const uint64_t i = found->view == v ? found->slot : slot_in (at, v, p, &side);
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

static unsigned side_of (const sd_seat *at, const sd_view *v, const sd_pos *p) {
  bool swapped = at->swapped;
  return sd_stored_side (v->nsides, p->stm, &swapped);
}

/* Does v hold the side to move of p? */
static bool holds (const sd_seat *at, const sd_view *v, const sd_pos *p) {
  return v->sides >> side_of (at, v, p) & 1;
}

/* --------------------------------------------------------------- prefetches */

/* Where p is in v, if v stores it. */
static void look_for (const sd_seat *at, const sd_view *v, const sd_pos *p, sd_found *out) {
  if (!v || !v->table || !holds (at, v, p))
    return;
  out->slot = slot_in (at, v, p, &out->side);
  out->view = v;
}

/* One step of the prefetches of one slot, in a table that is worth them; false: it was the last one. */
static bool fetch (const sd_found *f, unsigned step) {
  const sd_side *s = f->view ? &f->view->side[f->side] : NULL;
  const sd_decoder *d = s && f->view->large && f->slot < s->slots ? s->decoder : NULL;
  return d && !d->constant && d->ops->fetch && d->ops->fetch (d, f->slot, step);
}

/* ------------------------------------------------------------------ values */

/* The better of *best and what v holds for p, where a value is not below its number. */
ALWAYS static inline int better_stored (const sd_probing *pr, const sd_seat *at, const sd_view *v,
                                        const sd_pos *p, sd_best *best) {
  const sd_metric_kind *k = &sd_metrics[v->metric];
  sd_value own = 0;
  SD_TRY (stored (pr, at, v, p, &own));
  if (!best->has || sd_metric_rank (k, own) > sd_metric_rank (k, best->value))
    best->value = own;
  best->has = true;
  return SD_OK;
}

/* The better of *best and the captures of the position that a caller asks for. The prefetches of its own slot
 * begin before the first of them, and go one step on behind each: what a step needs should be there by then.
 * Inline, although children then have frames with room for the moves: out of line all probes of small tables
 * take a tenth longer (papers/probes). */
ALWAYS static inline int captures_meanwhile (const sd_probing *pr, sd_seat *at, const sd_view *v,
                                             enum sd_move_class which, sd_bound bound, sd_best *best) {
  const sd_metric_kind *k = &sd_metrics[v->metric];
  sd_move_list l;
  /* Of several positions the slots have been prefetched. */
  const bool alone = at->found[0].view != v && at->found[1].view != v;
  if (alone)
    look_for (at, v, pr->root, &at->found[0]);
  bool more = alone && fetch (&at->found[0], 0);
  l.n = sd_moves (pr->root, which, l.at);
  unsigned step = 1;
  for (unsigned under = 0; under < 2; under++)
    for (unsigned i = 0; i < l.n; i++) {
      if (sd_is_underpromotion (&l.at[i]) != under)
        continue;
      SD_TRY (sd_restore_move (&pr->source, k, pr->root, &l.at[i], bound, best));
      if (sd_best_will_do (best, k, bound.limit))
        return SD_OK;
      more = more && fetch (&at->found[0], step++);
    }
  return SD_OK;
}

/* The value of the position that a caller asks for, which v tells without another metric. It has few
 * conversions that decide: the number comes first, and a win needs no move. But a large table waits for
 * memory longer than its captures take, which are in smaller ones. Promotions, into tables as large, come
 * last there. */
ALWAYS static inline int root_by_itself (const sd_probing *pr, sd_seat *at, const sd_view *v, sd_bound bound,
                                         sd_value *out) {
  const sd_metric_kind *k = &sd_metrics[v->metric];
  unsigned rest = v->converts ? v->classes : 0;
  sd_best best = { false, 0 };
  if (v->large && (rest & SD_MOVES_CAPTURES)) {
    const unsigned first = rest & ~(unsigned) SD_MOVES_PROMOTIONS;
    SD_TRY (captures_meanwhile (pr, at, v, (enum sd_move_class) first, bound, &best));
    rest = rest == first ? 0 : rest & ~(unsigned) SD_MOVES_CAPTURES;
  }
  if (!sd_best_will_do (&best, k, bound.limit)) {
    SD_TRY (better_stored (pr, at, v, pr->root, &best));
    SD_TRY (sd_restore_conversions (&pr->source, k, pr->root, (enum sd_move_class) rest, bound, &best));
  }
  *out = best.value;
  return SD_OK;
}

/* The same of p, to which a move has led. A man that has just been promoted is often taken at once, and where
 * both sides promote the number of a slot that a promotion frees says little: captures and queens come first.
 * Other promotions come last: the number mostly settles what a queen does not. */
static int child_by_itself (const sd_probing *pr, const sd_seat *at, const sd_view *v, const sd_pos *p,
                            sd_bound bound, sd_value *out) {
  const sd_metric_kind *k = &sd_metrics[v->metric];
  sd_best best = sd_best_begin (bound);
  sd_move_list l;

  l.n = v->converts ? sd_moves (p, v->classes, l.at) : 0;
  if (l.n) {
    SD_TRY (sd_restore_some (&pr->source, k, p, &l, false, bound, &best));
    if (sd_best_will_do (&best, k, bound.limit)) {
      *out = best.value;
      return SD_OK;
    }
  }
  SD_TRY (better_stored (pr, at, v, p, &best));
  if (l.n && !sd_best_will_do (&best, k, bound.limit))
    SD_TRY (sd_restore_some (&pr->source, k, p, &l, true, bound, &best));
  *out = best.value;
  return SD_OK;
}

/* The value itself, for who is seated. */
static int seated_exactly (const sd_probing *pr, sd_seat *at, enum sd_metric metric, const sd_pos *p,
                           sd_value *out);

/* The table of the ending in metric m, opened if need be, that tells values by itself; NULL: there is none,
 * and *seen is what there is instead. */
COLD static int teller (const sd_probing *pr, const sd_ending *e, enum sd_metric m, const sd_view **out,
                        const sd_view **seen) {
  const sd_view *v = m < SD_METRICS ? sd_ending_view (e, m) : NULL;
  if (v && v->later) {
    const int st = sd_view_open (pr->ts, v, &v, pr->err);
    if (st != SD_OK && st != SD_ENOENT) /* its file is gone */
      return st;
  }
  *out = v && v->table && sd_codings[v->coding].needs == SD_NO_METRIC ? v : NULL;
  *seen = *seen || !v || v->later ? *seen : v;
  return SD_OK;
}

/* There is no table of metric k that can be read: one of another metric may tell it. */
COLD static int by_other (const sd_probing *pr, sd_seat *at, const sd_metric_kind *k, const sd_pos *p,
                          sd_value *out) {
  const enum sd_metric metric = (enum sd_metric) (k - sd_metrics), other[2] = { k->told_by, k->or_by };
  const sd_view *own = sd_ending_view (at->ending, metric), *seen = NULL, *v;
  if (own && !own->later) /* it cannot be used, and no other table hides that */
    return sd_probe_missing (pr, &at->board, own, metric);
  for (unsigned i = 0; i < 2; i++) {
    SD_TRY (teller (pr, at->ending, other[i], &v, &seen));
    if (v) {
      SD_TRY (seated_exactly (pr, at, other[i], p, out));
      *out = k->of (*out);
      return SD_OK;
    }
  }
  return sd_probe_missing (pr, &at->board, seen, metric);
}

/* The value of p, whose side v holds, from the symbol and the conversions. */
ALWAYS static inline int from_stored (const sd_probing *pr, sd_seat *at, const sd_view *v, const sd_pos *p,
                                      sd_bound bound, sd_value *out) {
  const sd_metric_kind *k = &sd_metrics[v->metric];
  sd_best best = { false, 0 };
  sd_value own = 0;
  if (v->side[0].number_of) {
    const sd_rule rule = { k, &sd_codings[v->coding], (enum sd_move_class) 0, &v->side[0] };
    SD_TRY (stored (pr, at, v, p, &own));
    const int st = sd_restore_stored (&pr->source, &rule, p, bound.sign, own, out);
    return st == SD_EFORMAT ? sd_probe_damaged (
               pr, v, p, "the stored number cannot occur with the result that the position has", own)
                            : st;
  }
  if (v->complete)
    return p == pr->root ? root_by_itself (pr, at, v, bound, out)
                         : child_by_itself (pr, at, v, p, bound, out);
  if (v->converts)
    SD_TRY (sd_restore_conversions (&pr->source, k, p, v->classes, bound, &best));
  SD_TRY (stored (pr, at, v, p, &own));
  *out = sd_codings[v->coding].restore (bound.sign, own, best.has, best.value);
  return SD_OK;
}

/* The value of p from all its moves, which l has if it is not NULL. Where the result of a child says how its
 * number is to be read, and does not follow from that of p, each child is asked for by itself. */
static int all_moves (const sd_probing *pr, sd_seat *at, const sd_view *v, const sd_pos *p,
                      const sd_move_list *l, sd_bound bound, sd_value *out) {
  const sd_metric_kind *k = &sd_metrics[v->metric];
  sd_probing as = *pr;
  if (k->limit && !v->complete)
    as.source.quiets = NULL;
  SD_TRY (l ? sd_restore_from (&as.source, k, p, l, bound, out)
            : sd_restore_by_moves (&as.source, k, p, at, bound, out));
  return *out == SD_ILLEGAL
             ? sd_probe_damaged (pr, v, p, "won according to the WDL table, but no move wins", 0)
             : SD_OK;
}

/* What v holds and frees, with each side to move of p's colours. */
static sd_seen seen_of (const sd_seat *at, const sd_view *v) {
  const unsigned free = sd_freedom_evident (v->freedom);
  sd_seen seen = { 0, 0 };
  for (unsigned stm = 0; stm < 2; stm++) {
    bool swapped = at->swapped;
    const unsigned side = sd_stored_side (v->nsides, stm, &swapped);
    seen.stored |= (v->sides >> side & 1) << stm;
    seen.free |= (free >> side & 1) << stm;
  }
  return seen;
}

/* The value of p, which is in check, from v, which frees such slots where others tell their value. */
static int evident (const sd_probing *pr, sd_seat *at, const sd_view *v, const sd_pos *p, sd_seen seen,
                    sd_bound bound, sd_value *out) {
  SD_TRY (sd_restore_evident (&pr->source, &sd_metrics[v->metric], p, seen, out));
  return *out == SD_ILLEGAL ? from_stored (pr, at, v, p, bound, out) : SD_OK;
}

/* The value of p, which is in check, from v, which frees some of such slots. Where no move gives check, all
 * slots that the moves lead to say what they should, if they are held. */
static int in_check (const sd_probing *pr, sd_seat *at, const sd_view *v, const sd_pos *p, sd_bound bound,
                     sd_value *out) {
  const sd_seen seen = seen_of (at, v);
  const bool evidents = seen.free >> p->stm & 1;
  sd_move_list l;
  if (!evidents && !sd_freedom_checks (v->freedom, side_of (at, v, p)))
    return from_stored (pr, at, v, p, bound, out);
  l.place = at;
  l.n = at->escapes == SD_ESCAPES_NO ? 0 : sd_moves (p, SD_MOVES_ALL, l.at);
  if (at->escapes == SD_ESCAPES_UNKNOWN)
    at->escapes = sd_all_escape (p, l.at, l.n) ? SD_ESCAPES_YES : SD_ESCAPES_NO;
  if (at->escapes == SD_ESCAPES_YES && seen.stored >> (p->stm ^ 1) & 1)
    return all_moves (pr, at, v, p, &l, bound, out);
  return evidents ? evident (pr, at, v, p, seen, bound, out) : from_stored (pr, at, v, p, bound, out);
}

/* The value of p, which is seated and has no en-passant right. */
ALWAYS static inline int seated (const sd_probing *pr, sd_seat *at, const sd_metric_kind *k, const sd_pos *p,
                                 sd_bound bound, sd_value *out) {
  const sd_view *v = sd_ending_view (at->ending, (enum sd_metric) (k - sd_metrics));
  if (!v || !v->table) {
    if (!v || !v->later)
      return by_other (pr, at, k, p, out);
    const int st = sd_view_open (pr->ts, v, &v, pr->err);
    if (st != SD_OK && st != SD_ENOENT)
      return st;
    if (!v->table)
      return by_other (pr, at, k, p, out);
  }
  if (v->settled) {
    *out = v->all;
    return SD_OK;
  }
  if (v->complete)
    bound.sign = SD_NOT_KNOWN;
  else if (bound.sign == SD_NOT_KNOWN) { /* Zakharov 2015, 1.8: who wins first */
    SD_TRY (seated_exactly (pr, at, sd_codings[v->coding].needs, p, out));
    bound.sign = (int8_t) *out;
  }
  if (bound.sign == 0) {
    *out = 0;
    return SD_OK;
  }
  if (!holds (at, v, p) || (sd_sign_won (bound.sign) && (v->freedom & SD_FREE_WIN)))
    return all_moves (pr, at, v, p, NULL, bound, out);
  if (v->freedom & SD_FREE_IN_CHECK && sd_in_check (p, p->stm))
    return in_check (pr, at, v, p, bound, out);
  return from_stored (pr, at, v, p, bound, out);
}

static int seated_exactly (const sd_probing *pr, sd_seat *at, enum sd_metric metric, const sd_pos *p,
                           sd_value *out) {
  return seated (pr, at, &sd_metrics[metric], p, SD_EXACT (&sd_metrics[metric]), out);
}

/* The value of p, which has no en-passant right. */
ALWAYS static inline int value_of (const sd_probing *pr, const sd_metric_kind *k, const sd_pos *p,
                                   sd_bound bound, sd_value *out) {
  sd_seat at;
  SD_TRY (sit (pr, p, &at));
  if (!at.ending) {
    *out = 0;
    return SD_OK;
  }
  return seated (pr, &at, k, p, bound, out);
}

/* sd_source.plain */
static int plain (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, sd_bound bound,
                  sd_value *out) {
  return value_of ((const sd_probing *) s, k, p, bound, out);
}

/* The metric that tells k's values in this ending, where k itself has no table. */
static enum sd_metric told_instead (const sd_ending *e, const sd_metric_kind *k) {
  return k->told_by < SD_METRICS && sd_ending_view (e, k->told_by) ? k->told_by : k->or_by;
}

/* May the slot of p hold anything, because no move leads to p? That is known of the position that is asked
 * for alone: to every other one a move has led. */
COLD static bool is_unreachable (const sd_probing *pr, enum sd_metric metric, const sd_pos *p) {
  sd_seat at = { .ending = NULL };
  bool frees = false;
  if (sit (pr, p, &at) != SD_OK || !at.ending)
    return false;
  for (unsigned i = 0; i < SD_METRICS && metric != SD_NO_METRIC && !frees; i++) { /* all that would be read */
    const sd_view *v = sd_ending_view (at.ending, metric);
    frees = v && (v->freedom & SD_FREE_UNREACHABLE);
    metric = v ? sd_codings[v->coding].needs : told_instead (at.ending, &sd_metrics[metric]);
  }
  return frees && !sd_pos_reachable_mirrored (p);
}

/* The value of the legal position p, whose en-passant right, if it has one, is real. */
ALWAYS static inline int probe (sd_probing *pr, const sd_metric_kind *k, const sd_pos *p, sd_value *value) {
  if (!pr->ts->frees_unreachable || !is_unreachable (pr, (enum sd_metric) (k - sd_metrics), p))
    return p->ep == SD_NO_SQUARE ? value_of (pr, k, p, SD_EXACT (k), value)
                                 : sd_restore_right (&pr->source, k, p, SD_EXACT (k), value);
  pr->source.quiets = NULL; /* each child is asked for like any other position */
  return sd_restore_by_moves (&pr->source, k, p, NULL, SD_EXACT (k), value);
}

/* --------------------------------------------------------- several positions */

enum { TOGETHER = 16 }; /* enough to hide what a read of memory takes, and few enough for the nearest cache */

/* A position of several whose tables are prefetched together. */
typedef struct ahead {
  sd_seat at;
  bool seated;
} ahead;

/* Begin with p: find its tables and the slots that are worth a prefetch. Are there any? */
static bool begin (const sd_probing *pr, const sd_metric_kind *k, const sd_pos *p, ahead *a) {
  a->seated =
      p->ep == SD_NO_SQUARE && !pr->ts->frees_unreachable && sit (pr, p, &a->at) == SD_OK && a->at.ending;
  const sd_view *v = a->seated ? sd_ending_view (a->at.ending, (enum sd_metric) (k - sd_metrics)) : NULL;
  if (!a->seated || (v && !v->large))
    return false;
  const enum sd_metric other = v ? sd_codings[v->coding].needs : told_instead (a->at.ending, k);
  look_for (&a->at, v, p, &a->at.found[0]);
  if (other != SD_NO_METRIC)
    look_for (&a->at, sd_ending_view (a->at.ending, other), p, &a->at.found[1]);
  return true;
}

static void several (const sd_tables *ts, const sd_metric_kind *k, const sd_pos *p, unsigned n,
                     sd_value *value, int *status) {
  ahead all[TOGETHER];
  sd_probing pr = { { plain, sd_probe_quiets, false }, ts, NULL, NULL };
  bool more = false;

  for (unsigned i = 0; i < n; i++) {
    pr.root = &p[i];
    more |= begin (&pr, k, &p[i], &all[i]);
  }
  for (unsigned step = 0; more; step++) {
    more = false;
    for (unsigned i = 0; i < n; i++)
      for (unsigned j = 0; all[i].seated && j < 2; j++)
        more |= fetch (&all[i].at.found[j], step);
  }
  for (unsigned i = 0; i < n; i++) {
    pr.root = &p[i];
    status[i] = all[i].seated
                    ? seated (&pr, &all[i].at, k, &p[i], SD_EXACT (k), &value[i])
                    : sd_probe_legal (ts, (enum sd_metric) (k - sd_metrics), &p[i], &value[i], NULL);
  }
}

/* ------------------------------------------------------------------ public */

void sd_probe_several (const sd_tables *ts, enum sd_metric metric, const sd_pos *p, unsigned n,
                       sd_value *value, int *status) {
  for (unsigned i = 0; i < n; i += TOGETHER)
    several (ts, &sd_metrics[metric], p + i, n - i < TOGETHER ? n - i : (unsigned) TOGETHER, value + i,
             status + i);
}

int sd_probe_value (const sd_tables *ts, enum sd_metric metric, const sd_pos *p, sd_value *value,
                    sd_error *err) {
  if (!sd_pos_legal (p))
    return sd_probe_refused (&(sd_probing){ .root = p, .err = err });
  return sd_probe_legal (ts, metric, p, value, err);
}

/* sd_probe_legal, with rounded plies as the smaller or the larger number. */
ALWAYS static inline int probe_legal (sd_probing *pr, enum sd_metric metric, const sd_pos *p,
                                      sd_value *value) {
  const sd_metric_kind *k = &sd_metrics[metric];
  if (p->ep == SD_NO_SQUARE || (sd_ep_squares (p) >> p->ep & 1))
    return probe (pr, k, p, value);
  sd_pos none = *p; /* engines set the square behind every double step */
  none.ep = SD_NO_SQUARE;
  return probe (pr, k, &none, value);
}

int sd_probe_legal (const sd_tables *ts, enum sd_metric metric, const sd_pos *p, sd_value *value,
                    sd_error *err) {
  sd_probing pr = { { plain, sd_probe_quiets, false }, ts, p, err };
  return probe_legal (&pr, metric, p, value);
}

/* Are numbers of plies in the table of p rounded? Those of other endings do not count: a move that leads
 * there counts plies anew. */
static bool is_rounded (const sd_probing *pr, enum sd_metric metric) {
  sd_seat at = { .ending = NULL };
  if (!sd_metrics[metric].counts_from || sit (pr, pr->root, &at) != SD_OK || !at.ending)
    return false;
  const sd_view *v = sd_ending_view (at.ending, metric);
  return v && (v->side[0].rounded || v->side[v->nsides - 1].rounded);
}

/* A value rises with each of the plies that it is made of, so that the smaller numbers give one end of the
 * span and the larger ones the other. */
int sd_probe_span (const sd_tables *ts, enum sd_metric metric, const sd_pos *p, sd_span *out, sd_error *err) {
  sd_probing pr = { { plain, sd_probe_quiets, true }, ts, p, err };
  sd_value soon, late;
  SD_TRY (sd_probe_value (ts, metric, p, &soon, err));
  late = soon;
  if (soon != 0 && is_rounded (&pr, metric))
    SD_TRY (probe_legal (&pr, metric, p, &late));
  *out = soon > 0 ? (sd_span){ late, soon } : (sd_span){ soon, late };
  return SD_OK;
}

int sd_probe_wdl (const sd_tables *ts, const sd_pos *p, int *wdl, sd_error *err) {
  sd_value value;
  SD_TRY (sd_probe_value (ts, SD_WDL, p, &value, err));
  *wdl = value;
  return SD_OK;
}

int sd_probe_dtm (const sd_tables *ts, const sd_pos *p, sd_value *value, sd_error *err) {
  return sd_probe_value (ts, SD_DTM, p, value, err);
}
