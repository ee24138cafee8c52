/** \file restore_internal.h
 * The value of a position from what is stored: the one place where conversions are looked up, en-passant
 * rights are honoured and all moves are made. What is stored, and how a child's value is had, is a source's
 * business: open files (probe.c), the store of exact values (values/).
 *
 * Conversions (Zakharov 2015, 1.6, 1.8, 1.9): a table may hold anything that its conversions correct, so
 * these are asked first, and the coding's row says what becomes of their best and the stored number. Only
 * those kinds of moves are generated that the table's header names as sources of its freedom.
 *
 * En passant (Syzygy): positions with such a right are not in the index. Their value is the better of the
 * same position without the right and of the en-passant captures; only where the position without the right
 * would be stalemate the captures count alone (where it would be mate, the mated side's value is the worst
 * there is, and the rule holds as it stands).
 *
 * Bounds are a source's to use: who holds finished values gives them, whatever is asked. */
#ifndef SD_RESTORE_INTERNAL_H
#define SD_RESTORE_INTERNAL_H

#include "probe/probe.h"
#include "table/table_internal.h"

/** What is known of a value, and how exactly it is wanted. */
typedef struct sd_bound {
  int limit; /* a rank: from it on any lower bound of the value that is not below it will do; k->top: exact */
  int16_t floor; /* a rank: of a value that is not above it any upper bound that is not either will do;
                    SD_NO_FLOOR: exact. Never where values count plies */
  int8_t sign;   /* what the metric that tells the signs says (-1, 0, 1; WDL50: -2 to 2); or SD_NOT_KNOWN */
} sd_bound;
enum { SD_NOT_KNOWN = 9, SD_NO_FLOOR = INT16_MIN };

/** A win, known to be one. */
static inline bool sd_sign_won (int sign) {
  return sign > 0 && sign != SD_NOT_KNOWN;
}

/** Nothing is known, and the value itself is wanted. */
#define SD_EXACT(k) ((sd_bound){ (k)->top, SD_NO_FLOOR, SD_NOT_KNOWN })

/** The best so far. */
typedef struct sd_best {
  bool has;
  sd_value value;
} sd_best;

typedef struct sd_move_list {
  const void *place; /* of the position, as the source calls it */
  unsigned n;
  sd_move at[SD_MAX_MOVES];
} sd_move_list;

/** Where values of positions come from. The first member of what a store adds. */
typedef struct sd_source sd_source;
struct sd_source {
  /** The value of p, which has no en-passant right, in metric k; SD_ILLEGAL: it is not known yet. */
  int (*plain) (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, sd_bound bound, sd_value *out);
  /** The better of *best and what the quiet moves among l lead to, as far as the bound asks; NULL: these are
   * asked for one by one like the others. */
  int (*quiets) (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const sd_move_list *l,
                 sd_bound bound, sd_best *best);
  bool later; /* rounded plies stand for the larger number that they may mean */
};

/** How a table's numbers become values. */
typedef struct sd_rule {
  const sd_metric_kind *k;
  const sd_coding_kind *c;
  enum sd_move_class classes; /* conversions that restoring looks at; 0: none */
  const sd_side *side;        /* that the number comes from, if it has number_of; else NULL */
} sd_rule;
static inline sd_rule sd_rule_of (const sd_table_info *info) {
  return (sd_rule){ &sd_metrics[info->metric], &sd_codings[info->coding], sd_freedom_classes (info->freedom),
                    NULL };
}

/** Does m stay in the ending, and is what it leads to in the index? A double step may give an en-passant
 * right. */
static inline bool sd_is_quiet (const sd_move *m) {
  return m->captured == SD_NO_PIECE && m->promotion == SD_NO_PIECE && !m->en_passant
         && !(m->piece == SD_PAWN && (m->from ^ m->to) == 16);
}

/** Which kind of move m is: bits of enum sd_step. */
static inline unsigned sd_move_step (const sd_move *m) {
  return (m->captured != SD_NO_PIECE || m->en_passant ? (unsigned) SD_STEP_CAPTURE : 0)
         | (m->promotion != SD_NO_PIECE ? (unsigned) SD_STEP_PROMOTION : 0)
         | (m->piece == SD_PAWN ? (unsigned) SD_STEP_PAWN : 0);
}

/** The same, where it matters to metric k. */
static inline unsigned sd_metric_step (const sd_metric_kind *k, const sd_move *m) {
  return k->counts_from ? sd_move_step (m) : 0;
}

/** A child, to which a move of this kind leads, has value v. */
static inline void sd_best_take (sd_best *b, const sd_metric_kind *k, sd_value v, unsigned step) {
  v = sd_metric_back (k, v, step);
  if (!b->has || sd_metric_rank (k, v) > sd_metric_rank (k, b->value))
    b->value = v;
  b->has = true;
}
static inline bool sd_best_will_do (const sd_best *b, const sd_metric_kind *k, int limit) {
  return b->has && sd_metric_rank (k, b->value) >= limit;
}

/** From which rank on a child is of no use to its parent. Plies are asked for exactly. */
static inline int sd_best_child (const sd_best *b, const sd_metric_kind *k) {
  return k->plies || !b->has ? k->top : -b->value;
}

/** From which rank down a child is as good for its parent, who is asked so, as it could be. */
static inline int16_t sd_bound_child (sd_bound bound, const sd_metric_kind *k) {
  return (int16_t) (k->plies ? (int) SD_NO_FLOOR : -bound.limit);
}

/** Where the search for the best begins: what is not above the floor need not be found. */
static inline sd_best sd_best_begin (sd_bound bound) {
  return (sd_best){ bound.floor != SD_NO_FLOOR, (sd_value) (bound.floor != SD_NO_FLOOR ? bound.floor : 0) };
}

/** sd_restore_value of a position with an en-passant right. */
int sd_restore_right (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, sd_bound bound,
                      sd_value *out);

/** The value of the legal position p; SD_ILLEGAL: it is not known yet. Thread-safe if the source is. */
static inline int sd_restore_value (const sd_source *s, const sd_metric_kind *k, const sd_pos *p,
                                    sd_bound bound, sd_value *out) {
  return p->ep == SD_NO_SQUARE ? s->plain (s, k, p, bound, out) : sd_restore_right (s, k, p, bound, out);
}

/** Is m a promotion to less than a queen? Seldom the best move. */
static inline bool sd_is_underpromotion (const sd_move *m) {
  return m->promotion < SD_QUEEN;
}

/** The better of *best and what the move m of p is worth, as far as the bound asks. */
int sd_restore_move (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const sd_move *m,
                     sd_bound bound, sd_best *best);

/** The better of *best and what those of the moves l of p offer that are underpromotions, or those that are
 * none, as far as the bound asks. */
int sd_restore_some (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const sd_move_list *l,
                     bool underpromotions, sd_bound bound, sd_best *best);

/** sd_restore_conversions where `which` is not 0 and *best will not do yet. */
int sd_restore_any_conversions (const sd_source *s, const sd_metric_kind *k, const sd_pos *p,
                                enum sd_move_class which, sd_bound bound, sd_best *best);

/** The better of *best and what the conversions of p offer. With a sign only those count that bear it out. */
static inline int sd_restore_conversions (const sd_source *s, const sd_metric_kind *k, const sd_pos *p,
                                          enum sd_move_class which, sd_bound bound, sd_best *best) {
  if (!which || sd_best_will_do (best, k, bound.limit))
    return SD_OK;
  return sd_restore_any_conversions (s, k, p, which, bound, best);
}

/** The value of p from the number that a table with this rule holds. sign: the value's, if the coding needs
 * it. */
int sd_restore_stored (const sd_source *s, const sd_rule *r, const sd_pos *p, int sign, sd_value number,
                       sd_value *out);

/** Of whose positions the table of an ending says something: players to move, a bit each, in the colours of
 * the position that is looked at. */
typedef struct sd_seen {
  unsigned stored; /* the table holds them */
  unsigned free;   /* and what is in check may hold anything where its value is evident */
} sd_seen;

/** The value of p, whose player is in check, as far as it follows from positions that are not in check or not
 * free for that reason, and from other endings; what the table does not hold is looked into. *out is
 * SD_ILLEGAL where more than one value is possible; SD_EINVAL: the table holds no side. For metrics whose
 * values are ranks (WDL). What it finds is right whatever slots hold that it does not ask for, and the same
 * for whoever asks. evident.c */
int sd_restore_evident (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, sd_seen seen,
                        sd_value *out);

/** The value of p, which has no en-passant right, from all its moves: mated, stalemated, else the best child.
 * Children whose value is not known are passed over; SD_ILLEGAL: all are. place: for sd_source.quiets. */
int sd_restore_by_moves (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const void *place,
                         sd_bound bound, sd_value *out);

/** The same from all its moves l. */
int sd_restore_from (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, const sd_move_list *l,
                     sd_bound bound, sd_value *out);

#endif
