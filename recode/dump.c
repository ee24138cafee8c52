/* dump.c - plain values for other programs (the layout is that of table.h: 64^men numbers a side, White to
 * move first).
 *
 * Idea: every number is gathered: the place in the file gives the squares, the squares give the slot. All
 * assignments of equal men and all images under the board's symmetries come out filled without any list of
 * them, and chunks are independent. Cost: one index a number (4 men: 2 * 64^4 numbers, a second or two);
 * memory: one chunk of 2 MiB, nothing grows with the men. */
#include "config.h"
#include "probe/lookup_internal.h"
#include "recode/recode.h"

#include <stdlib.h>

#define CHUNK ((uint64_t) 1 << 20) /* numbers */

struct plan {
  const sd_exact *e;
  unsigned men, king[2];
  bool pawn[SD_MAX_MEN];
  bool swapped; /* the name asked for is the exact's with colours swapped */
};

/* The number at place i for side to move stm. */
static sd_value number (const struct plan *d, unsigned stm, uint64_t i) {
  uint8_t sq[SD_MAX_MEN], turned[SD_MAX_MEN];
  uint64_t seen = 0;

  for (unsigned k = d->men; k-- > 0; i >>= 6) {
    sq[k] = i & 63;
    /* A place that is no position. */
    const uint64_t bit = 1ull << sq[k];
    if ((seen & bit) || (d->pawn[k] && (sq[k] < 8 || sq[k] >= 56)))
      return SD_ILLEGAL;
    seen |= bit;
  }
  if (sd_king_attacks (sq[d->king[0]]) >> sq[d->king[1]] & 1)
    return SD_ILLEGAL;
  bool turn = d->swapped;
  const unsigned side = sd_stored_side (d->e->nsides, stm, &turn);
  const uint8_t *squares = sq;
  if (turn) { /* the other colour's men first, on mirrored ranks */
    const unsigned white = d->king[1];
    for (unsigned k = 0; k < d->men; k++)
      turned[k] = sq[(k + white) % d->men] ^ 56;
    squares = turned;
  }
  const uint64_t slot = sd_index_of (d->e->indexer, squares);
  return slot < d->e->n ? d->e->value[side][slot] : SD_ILLEGAL;
}

int sd_table_dump (sd_values *s, const sd_material *m, sd_outfile *out, const sd_progress *progress,
                   sd_error *err) {
  struct plan d = { .men = sd_material_men (m) };
  char name[16];

  sd_material_name (m, name);
  if (d.men > SD_MAX_MEN || d.men < 3)
    return sd_fail (err, SD_EINVAL, "%s: %u men: a dump takes 3 to %d", name, d.men, SD_MAX_MEN);

  sd_material canonical;
  /* Values are kept under one name; the numbers are of the name that was asked for. */
  d.swapped = sd_material_canonical (m, &canonical);
  SD_TRY (sd_values_whole (s, &canonical, &d.e, err));
  unsigned k = 0;
  for (unsigned c = 0; c < 2; c++) {
    d.king[c] = k++;
    for (int t = SD_QUEEN; t >= SD_PAWN; t--)
      for (unsigned j = 0; j < m->count[c][t]; j++)
        d.pawn[k++] = t == SD_PAWN;
  }
  const uint64_t total = 1ull << (6 * d.men), chunk = total < CHUNK ? total : CHUNK;
  SD_OWNED uint8_t *bytes = sd_alloc (chunk, 2);
  if (!bytes)
    return sd_fail_memory (err, chunk * 2);
  for (unsigned stm = 0; stm < 2; stm++)
    for (uint64_t from = 0; from < total; from += chunk) {
      sd_report (progress, name, stm * total + from, 2 * total);
#pragma omp parallel for schedule(dynamic, 4096)
      for (uint64_t i = 0; i < chunk; i++) {
        const uint16_t v = (uint16_t) number (&d, stm, from + i);
        bytes[2 * i] = (uint8_t) v;
        bytes[2 * i + 1] = (uint8_t) (v >> 8);
      }
      SD_TRY (sd_outfile_write (out, bytes, chunk * 2, err));
    }
  sd_report (progress, name, 2 * total, 2 * total);
  return SD_OK;
}
