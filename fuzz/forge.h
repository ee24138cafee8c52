/** \file forge.h
 * Streams and tables as an attacker writes them: every checksum is right, and numbers ask for far more than
 * the bytes hold. For the fuzz targets and the tests. */
#ifndef SD_FUZZ_FORGE_H
#define SD_FUZZ_FORGE_H

#include "repair/repair_internal.h"
#include "table/table.h"

#include <stdlib.h>

/** A RE-PAIR stream whose dictionary has `ids` ids in next to no bytes: each phrase is twice symbol 0, or,
 * with `doubling`, twice the phrase before (30 of these hold 2^30 slots). One block of `payload` bytes. */
static inline void sd_forge_repair (unsigned m, unsigned ids, bool doubling, unsigned payload, sd_buf *out) {
  sd_model model;
  if (sd_model_alloc (&model, m, ids)) {
    out->failed = true;
    return;
  }
  for (unsigned v = m; doubling && v < ids; v++)
    model.left[v] = model.right[v] = (sd_symbol) (v == m ? 0 : v - 1);
  model.bits[doubling ? ids - 1 : 0] = model.bits[1] = 1;
  sd_buf_u8 (out, SD_STREAM_CODEC);
  sd_buf_varint (out, 0);
  sd_buf_varint (out, 1);
  sd_model_write (&model, 0, out);
  for (unsigned k = 0; k < payload; k++)
    sd_buf_u8 (out, 0xff); /* the second of the two used ids */
  sd_model_free (&model);
}

/** `pieces` times one stream, for pieces of `slots` slots. */
static inline void sd_forge_pieces (uint64_t slots, uint64_t pieces, const sd_buf *one, sd_buf *out) {
  sd_buf_u8 (out, SD_STREAM_PIECES);
  sd_buf_varint (out, slots);
  for (uint64_t k = 0; k < pieces; k++)
    sd_buf_varint (out, one->len);
  for (uint64_t k = 0; k < pieces; k++)
    sd_buf_append (out, one->data, one->len);
}

/** A WDL table around streams, one for each side that `spec` stores. SD_ENOMEM, SD_EINVAL. */
static inline int sd_forge_table (const sd_table_spec *spec, const sd_value *map, unsigned m,
                                  const sd_buf *const stream[2], sd_buf *out) {
  const size_t CHUNK = SD_CHUNK_BYTES;
  sd_table_stream part[2] = { { 0 }, { 0 } };
  uint32_t *sums[2] = { NULL, NULL };
  for (unsigned i = 0; i < 2; i++) {
    if (!stream[i])
      continue;
    const size_t len = stream[i]->len;
    sums[i] = sd_alloc (len / CHUNK + 1, sizeof *sums[i]);
    for (size_t at = 0; sums[i] && at < len; at += CHUNK)
      sums[i][at / CHUNK] = (uint32_t) sd_hash64 (stream[i]->data + at, len - at < CHUNK ? len - at : CHUNK);
    part[i] = (sd_table_stream){ .map = map, .main = m, .bytes = len, .sums = sums[i] };
  }
  int st = sd_table_head (spec, part, out, NULL);
  for (unsigned i = 0; i < 2 && !st; i++)
    if (stream[i])
      sd_buf_append (out, stream[i]->data, stream[i]->len);
  free (sums[0]);
  free (sums[1]);
  return st ? st : sd_buf_status (out);
}

/** A WDL table of another game with n states around a stream. */
static inline int sd_forge_game (const sd_codec *codec, uint64_t n, const sd_buf *stream, sd_buf *out) {
  static const sd_value results[3] = { -1, 0, 1 };
  const sd_table_spec spec = { .game = { .name = "toy", .slice = "forged", .states = n },
                               .metric = SD_WDL,
                               .coding = SD_CODING_WDL,
                               .side = { { .codec = codec } } };
  const sd_buf *const streams[2] = { stream, NULL };
  return sd_forge_table (&spec, results, 3, streams, out);
}

#endif
