/* What the golden files are compared by: the text of a header, and one number for all values of a table.
 * Shared by the program that writes tests/golden/files.csv (from exact tables) and the test that reads the
 * files. */
#ifndef SD_TESTS_GOLDEN_H
#define SD_TESTS_GOLDEN_H

#include "table/table.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SD_GOLDEN_TEXT = 1000 };

/* First byte of a side's stream; the streams are the end of the file. */
static inline unsigned golden_wrapper (const sd_table_info *info, const sd_map *file, unsigned side) {
  uint64_t back = info->side[side].stream_bytes + (side ? 0 : info->side[1].stream_bytes);
  return back && back <= file->len ? file->data[file->len - back] : 255;
}

static inline size_t golden_side (const sd_table_info *info, const sd_map *file, unsigned side, char *out,
                                  size_t room) {
  static const char *const wrappers[] = { "constant", "stream", "pieces", "clusters" };
  const unsigned wrapper = golden_wrapper (info, file, side);
  char order[24] = "-", numbering[24] = "-";
  if (info->side[side].layout) {
    sd_layout_order_text (info->side[side].layout, order);
    sd_layout_numbering_text (info->side[side].layout, numbering);
  }
  return (size_t) snprintf (out, room, "; %s: %s %s %s %s m=%u n=%" PRIu64 " %" PRIu64 " bytes",
                            side ? "black" : "white", info->side[side].codec->name,
                            wrapper < 4 ? wrappers[wrapper] : "?", order, numbering, info->side[side].main,
                            info->side[side].slots, info->side[side].stream_bytes);
}

/* What the header says, as one line without commas. */
static inline void golden_header (const sd_table *t, const sd_map *file, char out[SD_GOLDEN_TEXT]) {
  static const char *const codings[] = { "results", "signed", "moves", "wdl50", "zeroing", "plies" };
  sd_table_info info;
  char subject[128], freedom[80];
  sd_table_describe (t, &info);
  if (sd_table_info_is_game (&info))
    snprintf (subject, sizeof subject, "%s %s %016" PRIx64 " %" PRIu64 " states", info.game.name,
              info.game.slice, info.game.fingerprint, info.game.states);
  else
    sd_material_name (&info.material, subject);
  sd_freedom_text (info.freedom, freedom, sizeof freedom);
  size_t n = (size_t) snprintf (out, SD_GOLDEN_TEXT, "version %u %s %s %s free: %s", info.version, subject,
                                sd_metrics[info.metric].name, codings[info.coding], freedom);
  for (unsigned side = 0; side < info.nsides; side++)
    if (sd_table_info_has (&info, side) && !(side && info.joint))
      n += golden_side (&info, file, side, out + n, SD_GOLDEN_TEXT - n);
  if (info.joint)
    snprintf (out + n, SD_GOLDEN_TEXT - n, "; both in one stream");
}

/* A value to be counted in: 16 bits, low byte first. */
static inline void golden_put (sd_buf *b, sd_value v) {
  sd_buf_u8 (b, (uint8_t) v);
  sd_buf_u8 (b, (uint8_t) ((uint16_t) v >> 8));
}

typedef int (*golden_value) (void *ctx, const sd_pos *p, sd_value *out);

/* The values of each `every`th placement that is a legal position, in the order of side to move and squares
 * (a1, b1, ...; men as in the name): White's king on files a to d, without pawns in the triangle a1-d1-d4,
 * which is every position up to symmetry. */
static inline int golden_positions (const sd_material *m, uint64_t every, golden_value value, void *ctx,
                                    sd_buf *out) {
  const unsigned men = sd_material_men (m);
  const bool pawns = m->count[0][SD_PAWN] || m->count[1][SD_PAWN];
  const uint64_t n = (uint64_t) 1 << (6 * men);
  for (uint64_t i = 0; i < 2 * n; i += every) {
    uint8_t sq[SD_MAX_MEN];
    sd_pos p;
    sd_value v;
    for (unsigned k = 0; k < men; k++)
      sq[k] = i >> (6 * (men - 1 - k)) & 63;
    const unsigned file = sq[0] & 7, rank = sq[0] >> 3;
    if (file > 3 || (!pawns && rank > file))
      continue;
    sd_pos_from_squares (m, sq, i >= n, &p);
    if (!sd_pos_legal (&p))
      continue;
    int st = value (ctx, &p, &v);
    if (st != SD_OK)
      return st;
    golden_put (out, v);
  }
  return SD_OK;
}

#endif
