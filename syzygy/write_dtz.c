/* What the slots of a DTZ file may hold, from another DTZ file of the same ending: its maps, rounding and
 * side are kept. Free are slots where no legal position stands, draws, and wins by a capture or a pawn move:
 * readers find these by themselves. Losses are never free: not all readers see that all moves are captures
 * or pawn moves. */
#include "config.h"
#include "syzygy/syzygy_write.h"
#include <stdlib.h>
#include <string.h>

enum { DRAW = 2, WIN = 4 };

int sd_syzygy_stored_alphabet (unsigned most, sd_alphabet **out) {
  SD_TRY (sd_alphabet_new (most + 1, out));
  sd_symbol any;
  const int status = sd_alphabet_add_range (*out, 0, most, &any);
  if (status) {
    sd_alphabet_free (*out);
    *out = NULL;
  }
  return status;
}

int sd_syzygy_dtz_alphabet (const sd_syzygy *old, sd_alphabet **out) {
  unsigned most = 0;
  for (unsigned f = 0; f < old->files; f++) {
    const sd_syzygy_pairs *p = &old->pairs[f][0];
    /* The largest value that any leaf holds. */
    for (unsigned s = 0; s < p->symbols; s++)
      if (p->symbol[s].right == SD_SYZYGY_LEAF && p->symbol[s].left > most)
        most = p->symbol[s].left;
  }
  return sd_syzygy_stored_alphabet (most, out);
}

int sd_syzygy_wins_at_once (const sd_pos *p, unsigned value, const sd_syzygy_source *source, bool *yes) {
  sd_move move[SD_MAX_MOVES];
  const unsigned n = value > DRAW ? sd_moves (p, SD_MOVES_ALL, move) : 0;
  *yes = false;
  for (unsigned k = 0; k < n && !*yes; k++) {
    unsigned after_value;
    sd_pos after;
    /* Only moves that begin a new count; after one of these a reader needs no distance. */
    if (move[k].piece != SD_PAWN && move[k].captured == SD_NO_PIECE)
      continue;
    sd_pos_apply (p, &move[k], &after);
    SD_TRY (source->wdl (source->ctx, &after, &after_value));
    /* What is left to the opponent is the rest of 4: 0 lost, 4 won. */
    *yes = after_value <= WIN && WIN - after_value >= value;
  }
  return SD_OK;
}

/* What the old file holds, and what tells whether a slot is free. */
typedef struct old_values {
  const sd_syzygy_index *index;
  const uint16_t *stored;
  const sd_syzygy_source *source;
  sd_symbol any;
} old_values;

static int dtz_symbol (const void *ctx, const sd_pos *p, const uint8_t *sq, sd_symbol *out) {
  const old_values *old = ctx;
  unsigned value;
  bool free_slot;
  /* Free: no legal position, a draw, or a win at once (Syzygy, item 3). */
  *out = old->any;
  if (!sd_pos_legal (p))
    return SD_OK;
  SD_TRY (old->source->wdl (old->source->ctx, p, &value));
  if (value == DRAW)
    return SD_OK;
  SD_TRY (sd_syzygy_wins_at_once (p, value, old->source, &free_slot));
  if (!free_slot)
    *out = old->stored[sd_syzygy_index_of (old->index, sq)];
  return SD_OK;
}

int sd_syzygy_dtz_slots (sd_syzygy_slots *s, const sd_syzygy *old, const sd_syzygy_source *source,
                         sd_error *err) {
  const sd_syzygy_pairs *p = &old->pairs[s->index.file][0];
  SD_OWNED uint16_t *stored = sd_alloc (s->index.slots, sizeof *stored);
  s->seq.n = s->index.slots;
  s->seq.sym = sd_alloc (s->seq.n, sizeof *s->seq.sym);
  /* The old file's numbers in its own order; each slot of the new order looks up the one it stands for. */
  int status = stored && s->seq.sym ? sd_syzygy_pairs_read (p, 0, s->seq.n, stored) : SD_ENOMEM;
  const old_values values = { &p->index, stored, source,
                              (sd_symbol) (sd_alphabet_size (s->seq.alphabet) - 1) };
  if (!status)
    status = sd_syzygy_each_slot (&s->index, &s->material, s->side, dtz_symbol, &values, s->seq.sym);
  if (!status)
    return SD_OK;
  sd_syzygy_slots_clear (s);
  return sd_fail (err, status, "values of positions: %s", sd_strerror (status));
}

int sd_syzygy_dtz_maps (const sd_syzygy *old, sd_buf *out) {
  for (unsigned f = 0; f < old->files; f++) {
    const sd_syzygy_pairs *p = &old->pairs[f][0];
    const unsigned wide = (p->flags & SD_SYZYGY_WIDE) != 0;
    if (!(p->flags & SD_SYZYGY_MAPPED))
      continue;
    /* As readers align them. */
    if (wide && out->len % 2)
      sd_buf_u8 (out, 0);
    for (unsigned k = 0; k < SD_SYZYGY_MAPS; k++) {
      sd_buf_u8 (out, p->map[k].n & 255);
      if (wide)
        sd_buf_u8 (out, p->map[k].n >> 8);
      if (p->map[k].n)
        sd_buf_append (out, p->map[k].at, (size_t) p->map[k].n << wide);
    }
  }
  return sd_buf_status (out);
}
