/* place.c - where a table holds a position, for people who want to see it. */
#include "config.h"
#include "probe/lookup_internal.h"

/* For `subdef serve` and its page, which show slot and block; nothing is decoded. SD_ENOENT: no table of that
 * metric has the position's ending. */
int sd_tables_place (const sd_tables *ts, enum sd_metric metric, const sd_pos *p, sd_place *out) {
  sd_board board;
  uint8_t sq[SD_SQUARES];

  *out = (sd_place){ 0 };
  if (!sd_board_of (p, &board))
    return SD_EINVAL;
  const sd_keyed *k = sd_keys_find (&ts->keys, board.key);
  const sd_view *v = k && metric < SD_METRICS ? sd_ending_view (&ts->ending[k->item], metric) : NULL;
  if (!v || !v->table)
    return SD_ENOENT;

  bool swapped = k->swapped;
  out->table = v->table;
  out->path = v->path;
  out->side = sd_stored_side (v->nsides, p->stm, &swapped);
  const sd_side *side = &v->side[out->side];

  sd_board_squares (&board, swapped, sq);
  out->slot = sd_side_slot (side, sq);
  out->stored = side->decoder != NULL;
  if (out->stored && out->slot < side->slots)
    sd_codec_block_of (side->decoder, out->slot, &out->block);
  return SD_OK;
}
