/* What quiet moves lead to: see quiet_internal.h. */
#include "config.h"
#include "probe/quiet_internal.h"

enum { MOST = 2048 }; /* slots read at once */

bool sd_quiets_stored (const sd_view *v, const sd_pos *p, const sd_seat *seat) {
  bool swapped = seat->swapped;
  const unsigned side = sd_stored_side (v->nsides, p->stm ^ 1u, &swapped);
  if (!(v->sides >> side & 1))
    return false;
  /* a move may give check, and what it leads to be free */
  return !(sd_freedom_checks (v->freedom, side) || sd_freedom_evident (v->freedom) >> side & 1)
         || seat->escapes == SD_ESCAPES_YES || (seat->escapes == SD_ESCAPES_UNKNOWN && sd_only_escapes (p));
}

/* Insert by the slot; moves come piece by piece, so that they are nearly in order. */
static void insert (sd_quiets *q, uint64_t slot, const sd_move *m) {
  unsigned k = q->n++;
  for (; k > 0 && q->at[k - 1].slot > slot; k--)
    q->at[k] = q->at[k - 1];
  q->at[k].slot = slot;
  q->at[k].move = m;
}

/* The slots of a large table come from memory together, instead of one after the other. Near ones are read in
 * one go. */
static void fetch_all (const sd_view *v, const sd_quiets *q) {
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

void sd_quiets_list (const sd_view *v, const sd_seat *seat, unsigned stm, const sd_move_list *l,
                     const bool *only, sd_quiets *out) {
  const sd_board *b = &seat->board;
  bool swapped = seat->swapped;
  uint8_t sq[SD_SQUARES];
  const unsigned men = (unsigned) (b->men[0] + b->men[1]) / 8;

  out->side = sd_stored_side (v->nsides, stm ^ 1u, &swapped);
  out->n = 0;
  sd_board_squares (b, swapped, sq);
  const unsigned mirror = swapped ? 56 : 0;

  unsigned k = 0; /* whose square is `from`: a man's moves come one behind the other */
  uint8_t from = sq[0];
  for (unsigned i = 0; i < l->n; i++) {
    const sd_move *move = &l->at[i];
    if (!sd_is_quiet (move) || (only && !only[i]))
      continue;
    if (from != (move->from ^ mirror)) {
      from = (uint8_t) (move->from ^ mirror);
      for (k = 0; k + 1 < men && sq[k] != from;)
        k++;
    }
    sq[k] = (uint8_t) (move->to ^ mirror);
    insert (out, sd_side_slot (&v->side[out->side], sq), move);
    sq[k] = from;
  }
  fetch_all (v, out);
}

int sd_quiets_read (const sd_view *v, sd_quiets *q, unsigned first, unsigned *end) {
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
