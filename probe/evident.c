/* What follows from positions that are not in check (SD_FREE_EVIDENT, restore_internal.h has the rule).
 *
 * Idea: positions in check are the slots that are least like their neighbours, and a player in check has few
 * moves. So these slots are not asked for. What is known of a position is then a range. That of a player in
 * check is looked for among the moves, and what a table does not hold among the replies; a position in check
 * behind them is worth what its conversions offer or more. Where all that leaves one value, no slot is
 * needed; papers/obdd, "Positions in check", has bytes and times. */
#include "config.h"
#include "probe/restore_internal.h"

/* The worst and the best that a position can be. */
typedef struct range {
  int low, high;
} range;

/* A successor has `theirs`. */
static void take (range *best, range theirs) {
  if (-theirs.high > best->low)
    best->low = -theirs.high;
  if (-theirs.low > best->high)
    best->high = -theirs.low;
}

static bool leaves_ending (const sd_move *m) {
  return m->captured != SD_NO_PIECE || m->promotion != SD_NO_PIECE;
}

static int exactly (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, int enough, range *out) {
  sd_value v;
  SD_TRY (sd_restore_value (s, k, p, ((sd_bound){ enough, SD_NO_FLOOR, SD_NOT_KNOWN }), &v));
  *out = (range){ v, v };
  return v == SD_ILLEGAL ? SD_EFORMAT : SD_OK;
}

/* follow: quiet moves are looked into; else what they lead to is not known. enough: from it on a lower bound
 * will do, since the parent has as much by another move: neither of its bounds depends on more. */
static int by_moves (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, sd_seen seen, bool follow,
                     int enough, range *out);

/* Of p, to which a quiet move has led. */
static int of_child (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, sd_seen seen, int enough,
                     range *out) {
  if (!(seen.stored >> p->stm & 1))
    return by_moves (s, k, p, seen, true, enough, out);
  return seen.free >> p->stm & 1 && sd_in_check (p, p->stm) ? by_moves (s, k, p, seen, false, enough, out)
                                                            : exactly (s, k, p, enough, out);
}

static int by_moves (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, sd_seen seen, bool follow,
                     int enough, range *out) {
  sd_move move[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, move);
  range best = { k->mated, k->mated };
  if (n == 0 && !sd_in_check (p, p->stm))
    best.low = best.high = 0;
  /* Those that leave the ending first: they are cheap, and may settle it. */
  for (unsigned quiet = 0; quiet < 2; quiet++)
    for (unsigned i = 0; i < n && best.low < enough; i++) {
      range theirs = { k->mated, k->top };
      sd_pos child;
      if (leaves_ending (&move[i]) == quiet)
        continue;
      sd_pos_apply (p, &move[i], &child);
      if (!quiet)
        SD_TRY (exactly (s, k, &child, -best.low, &theirs));
      else if (follow)
        SD_TRY (of_child (s, k, &child, seen, -best.low, &theirs));
      take (&best, theirs);
    }
  *out = best;
  return SD_OK;
}

int sd_restore_evident (const sd_source *s, const sd_metric_kind *k, const sd_pos *p, sd_seen seen,
                        sd_value *out) {
  range best;
  if (!seen.stored) /* there would be no end of replies */
    return SD_EINVAL;
  SD_TRY (by_moves (s, k, p, seen, true, k->top, &best));
  *out = best.low == best.high ? (sd_value) best.low : SD_ILLEGAL;
  return SD_OK;
}
