/** \file encode.c
 * From a sequence to a stream: pair replacement, final replacement, pruning, Huffman code, blocks. Layout of a
 * stream: docs/format.md, section 7.3. */
#include "config.h"
#include "repair/repair_internal.h"

#include <stdlib.h>
#include <string.h>

const sd_tunable sd_repair_tunables[] = {
  { "initial", "initial replacement", "ternary", 1, 0, NULL },
  { "pair", "pair replacement", "subdefinite", 1, 0, "exact|subdefinite" },
  { "final", "final replacement", "longest", 1, 0, "frequent|longest" },
  { "block", "bytes of compressed data in a block", "128", SD_REPAIR_MIN_BLOCK, SD_REPAIR_MAX_BLOCK, NULL },
  { "symbols", "phrases in the dictionary at most", "65535", 0, 65535, NULL },
  { "min", "occurrences that a phrase needs at least (0: as many as pay for its entry)", "0", 0, 1000000,
    NULL },
  { "maxlen", "positions of the longest phrase", "1048576", 1, SD_REPAIR_MAX_LENGTH, NULL },
  { "maxcode", "bits of the longest Huffman code (raised if the phrases need more)", "24", 1,
    SD_HUFFMAN_MAX_LENGTH, NULL },
  { 0 },
};

typedef struct packer {
  const uint8_t *bits;
  const uint32_t *code;
  uint64_t *start; /* [block] first position */
  uint64_t blocks, cap;
} packer;

/* Codes into blocks of `block` bytes, none across a border. */
static int pack (packer *pk, const sd_repair *st, unsigned block, sd_buf *out) {
  uint64_t room = 0, position = 0;
  sd_bitw w = { .out = out };
  for (uint64_t i = 0; i < st->n; i++) {
    unsigned id = st->sym[i], nbits = pk->bits[id];
    if (nbits > room) {
      if (pk->blocks == pk->cap) {
        uint64_t cap = pk->cap * 2 + 64;
        uint64_t *bigger = realloc (pk->start, cap * sizeof *bigger);
        if (!bigger)
          return SD_ENOMEM;
        pk->start = bigger;
        pk->cap = cap;
      }
      if (room)
        for (; room > 32; room -= 32)
          sd_bitw_put (&w, 0, 32);
      sd_bitw_put (&w, 0, (unsigned) room);
      pk->start[pk->blocks++] = position;
      room = 8 * (uint64_t) block;
    }
    sd_bitw_put (&w, pk->code[id], nbits);
    room -= nbits;
    position += st->length[id];
  }
  sd_bitw_flush (&w);
  return sd_buf_status (out);
}

/* Everything behind the rules: code, model, blocks. */
static int write_stream (sd_repair *st, uint64_t n, const sd_settings *set, sd_buf *out) {
  sd_buf payload = { 0 };
  packer pk = { 0 };
  sd_model model = { 0 };
  uint8_t *bits = sd_alloc0 (st->used, sizeof *bits);
  sd_symbol *new_id = sd_alloc (st->used, sizeof *new_id);
  uint32_t *code = NULL, *old_code = sd_alloc0 (st->used, sizeof *old_code);
  int status = bits && new_id && old_code ? SD_OK : SD_ENOMEM;
  if (status)
    goto done;
  sd_repair_count_symbols (st);
  unsigned distinct = 0, limit = (unsigned) sd_settings_int (set, "maxcode");
  for (unsigned id = 0; id < st->used; id++)
    distinct += st->freq[id] != 0;
  if (limit < sd_bits_for (distinct))
    limit = sd_bits_for (distinct);
  if ((status = sd_huffman_lengths (st->freq, st->used, limit, bits)))
    goto done;
  if ((status = sd_model_from_encoder (st, bits, &model, new_id)))
    goto done;
  code = sd_alloc0 (model.ids, sizeof *code);
  status = code ? sd_huffman_codes (model.bits, model.ids, code) : SD_ENOMEM;
  if (status)
    goto done;
  for (unsigned id = 0; id < st->used; id++)
    old_code[id] = code[new_id[id]];
  pk.bits = bits;
  pk.code = old_code;
  unsigned block = (unsigned) sd_settings_int (set, "block");
  if ((status = pack (&pk, st, block, &payload)))
    goto done;
  sd_buf_varint (out, block - SD_REPAIR_MIN_BLOCK);
  sd_buf_varint (out, pk.blocks);
  sd_model_write (&model, out);
  sd_starts_write (pk.start, pk.blocks, n, out);
  sd_buf_append (out, payload.data, payload.len);
  status = sd_buf_status (out);
done:
  sd_buf_free (&payload);
  sd_model_free (&model);
  free (pk.start);
  free (bits);
  free (new_id);
  free (code);
  free (old_code);
  return status;
}

int sd_repair_encode (sd_seq *src, const sd_settings *set, const sd_progress *progress, sd_buf *out,
                      sd_error *err) {
  sd_repair st;
  uint64_t n = src->n;
  if (n == 0)
    return sd_fail (err, SD_EINVAL, "repair: no symbols to encode");
  SD_TRY (sd_repair_init (&st, src, (unsigned) sd_settings_int (set, "symbols"), err));
  st.max_length = (uint32_t) sd_settings_int (set, "maxlen");
  st.min_count = (uint64_t) sd_settings_int (set, "min");
  st.pair = sd_repair_find_pair_rule (sd_settings_word (set, "pair"));
  st.progress = progress;
  const sd_final_rule *final = sd_repair_find_final_rule (sd_settings_word (set, "final"));
  int status;
  if (!st.pair || !final) {
    status = sd_fail (err, SD_EINVAL, "repair: pair=%s,final=%s: no such rule",
                      sd_settings_word (set, "pair"), sd_settings_word (set, "final"));
    goto done;
  }
  if ((status = sd_repair_rounds (&st, err)) || (status = final->run (&st, err)))
    goto done;
  if (!(status = sd_repair_prune (&st)))
    status = write_stream (&st, n, set, out);
  if (status)
    status = status == SD_ENOMEM ? sd_fail_memory (err, 0) : sd_fail (err, status, "repair: encoding failed");
done:
  sd_repair_clear (&st);
  return status;
}
