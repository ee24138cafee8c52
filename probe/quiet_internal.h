/* quiet_internal.h - the quiet moves of a position by the slots that they lead to, and what is stored there.
 * For a prober that restores a position by one ply of all moves.
 *
 * Idea: such children differ from their parent in one square, so that no child is set up to find its slot;
 * and many of them are neighbours in the index (a man in the last digits, a king beside itself), so that one
 * reading of a few hundred slots costs less than to decode the same block once for each (figures:
 * papers/repair). No allocation with codecs repair, rle, store. */
#ifndef SD_TABLE_QUIET_H
#define SD_TABLE_QUIET_H

#include "probe/lookup_internal.h"
#include "probe/restore_internal.h"

/** The slot of a position in a table. */
typedef struct sd_found {
  const sd_view *view; /* NULL: not looked for */
  unsigned side;
  uint64_t slot;
} sd_found;

enum sd_escapes { SD_ESCAPES_UNKNOWN, SD_ESCAPES_NO, SD_ESCAPES_YES };

/** A position with its place among the tables. */
typedef struct sd_seat {
  sd_board board;
  const sd_ending *ending; /* NULL: king against king */
  bool swapped;            /* the ending is stored with colours the other way round */
  enum sd_escapes escapes; /* sd_only_escapes */
  sd_found found[2];       /* ahead of time: in the table of its metric, and in that which tells the signs */
} sd_seat;

/** A quiet move. */
typedef struct sd_quiet {
  uint64_t slot;
  const sd_move *move;
  sd_value own;   /* what the map says about the slot, after sd_quiets_read */
  sd_value bound; /* what the child is worth at least; own until its coding has been asked */
  int rank;       /* what the move is worth at most, if the quiets have been ordered */
} sd_quiet;

/** Those of one position, by rising slot. */
typedef struct sd_quiets {
  unsigned side; /* that answers for the children */
  unsigned n;
  sd_quiet at[SD_MAX_MOVES];
} sd_quiets;

/** Does v hold what the moves of p, at `seat`, lead to without leaving the ending? */
bool sd_quiets_stored (const sd_view *v, const sd_pos *p, const sd_seat *seat);

/** The quiet ones among l, all moves of the position at `seat` with `stm` to move, for which only[i] is set
 * (NULL: all). */
void sd_quiets_list (const sd_view *v, const sd_seat *seat, unsigned stm, const sd_move_list *l,
                     const bool *only, sd_quiets *out);

/** Set `own` of number `first` and, where that is cheap, of some behind it; *end is behind the last one. The
 * view must hold their side. A failure says that slot at[first] cannot be decoded: SD_EFORMAT, SD_ENOMEM. */
int sd_quiets_read (const sd_view *v, sd_quiets *q, unsigned first, unsigned *end);

#endif
