/** \file encode.c
 * From a sequence to a stream: pair replacement, final replacement, pruning, new parses, Huffman code,
 * blocks. Layout of a stream: docs/format.md, section 7.3. */
#include "config.h"
#include "repair/repair_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const sd_tunable sd_repair_tunables[] = {
  { "initial", "initial replacement", "ternary", 1, 0, NULL },
  { "pair", "pair replacement", "subdefinite", 1, 0, "exact|subdefinite" },
  { "final", "final replacement", "longest", 1, 0, "frequent|longest" },
  { "block", "bytes of compressed data in a block", "128", SD_REPAIR_MIN_BLOCK, SD_REPAIR_MAX_BLOCK, NULL },
  { "parse", "as the pairs were replaced, or the cheapest phrases that fit (smaller, slower)", "greedy", 1, 0,
    "greedy|optimal" },
  { "rounds", "parse=optimal: parses before the last one, with new pairs in between", "3", 0, 100, NULL },
  { "slack", "parse=optimal: bits by which a way may be behind and is still followed", "0", 0, 256, NULL },
  { "symbols", "phrases in the dictionary at most", "65535", 0, 65535, NULL },
  { "min", "occurrences that a phrase needs at least (0: as many as pay for its entry)", "0", 0, 1000000,
    NULL },
  { "maxlen", "positions of the longest phrase", "1048576", 1, SD_REPAIR_MAX_LENGTH, NULL },
  { "maxcode", "bits of the longest Huffman code (raised if the phrases need more)", "24", 1,
    SD_HUFFMAN_MAX_LENGTH, NULL },
  { 0 },
};

/* ---------------------------------------------------------------- blocks */

/* Where the blocks end when none holds more than `room` bits and no code crosses a border. SD_ENOMEM. */
static int cut_blocks (const sd_repair *st, const uint8_t *bits, uint64_t room, sd_parsed *blocks) {
  uint64_t used = room, position = 0, cap = 0;
  for (uint64_t i = 0; i < st->n; i++) {
    unsigned id = st->sym[i];
    used += bits[id];
    if (used > room) {
      SD_TRY (sd_parsed_reserve (blocks, &cap));
      blocks->start[blocks->n] = position;
      blocks->phrase[blocks->n++] = i;
      used = bits[id];
    }
    position += st->length[id];
  }
  SD_TRY (sd_parsed_reserve (blocks, &cap));
  blocks->phrase[blocks->n] = st->n;
  return SD_OK;
}

/* The codes of all blocks, each but the last one filled up to `room` bits. */
static int pack (const sd_repair *st, const sd_parsed *blocks, const uint8_t *bits, const uint32_t *code,
                 uint64_t room, sd_buf *out) {
  sd_bitw w = { .out = out };
  for (uint64_t b = 0; b < blocks->n; b++) {
    uint64_t left = room;
    for (uint64_t i = blocks->phrase[b]; i < blocks->phrase[b + 1]; i++) {
      unsigned id = st->sym[i];
      sd_bitw_put (&w, code[id], bits[id]);
      left -= bits[id];
    }
    if (b + 1 == blocks->n)
      break;
    for (; left > 32; left -= 32)
      sd_bitw_put (&w, 0, 32);
    sd_bitw_put (&w, 0, (unsigned) left);
  }
  sd_bitw_flush (&w);
  return sd_buf_status (out);
}

/* ------------------------------------------------------------------ stream */

/* Code lengths for st->freq. */
static int code_lengths (const sd_repair *st, const sd_settings *set, uint8_t *bits) {
  unsigned distinct = 0, limit = (unsigned) sd_settings_int (set, "maxcode");
  for (unsigned id = 0; id < st->used; id++)
    distinct += st->freq[id] != 0;
  if (limit < sd_bits_for (distinct))
    limit = sd_bits_for (distinct);
  return sd_huffman_lengths (st->freq, st->used, limit, bits);
}

/* Code, model, blocks. */
static int write_stream (const sd_repair *st, const sd_parsed *blocks, const uint8_t *bits, uint64_t n,
                         unsigned block, sd_buf *out) {
  sd_buf payload = { 0 };
  sd_model model = { 0 };
  sd_symbol *new_id = sd_alloc (st->used, sizeof *new_id);
  uint32_t *code = NULL, *old_code = sd_alloc0 (st->used, sizeof *old_code);
  int status = new_id && old_code ? SD_OK : SD_ENOMEM;
  if (status || (status = sd_model_from_encoder (st, bits, &model, new_id)))
    goto done;
  code = sd_alloc0 (model.ids, sizeof *code);
  status = code ? sd_huffman_codes (model.bits, model.ids, code) : SD_ENOMEM;
  if (status)
    goto done;
  for (unsigned id = 0; id < st->used; id++)
    old_code[id] = code[new_id[id]];
  if ((status = pack (st, blocks, bits, old_code, 8 * (uint64_t) block, &payload)))
    goto done;
  sd_buf_varint (out, block - SD_REPAIR_MIN_BLOCK);
  sd_buf_varint (out, blocks->n);
  sd_model_write (&model, out);
  sd_starts_write (blocks->start, blocks->n, n, out);
  sd_buf_append (out, payload.data, payload.len);
  status = sd_buf_status (out);
done:
  sd_buf_free (&payload);
  sd_model_free (&model);
  free (new_id);
  free (code);
  free (old_code);
  return status;
}

/* ---------------------------------------------------------------- encoding */

/* As the rules left it: the sequence is coded as it stands. */
static int finish_greedy (sd_repair *st, uint64_t n, const sd_settings *set, sd_buf *out) {
  sd_parsed blocks = { 0 };
  unsigned block = (unsigned) sd_settings_int (set, "block");
  uint8_t *bits = sd_alloc0 (st->used, sizeof *bits);
  int status = bits ? SD_OK : SD_ENOMEM;
  sd_repair_count_symbols (st);
  if (!status)
    status = code_lengths (st, set, bits);
  if (!status)
    status = cut_blocks (st, bits, 8 * (uint64_t) block, &blocks);
  if (!status)
    status = write_stream (st, &blocks, bits, n, block, out);
  sd_parsed_clear (&blocks);
  free (bits);
  return status;
}

/* Every slot needs a symbol with a code wherever a block may start. */
static void count_needed_symbols (sd_repair *st, const sd_seq *slots) {
  for (uint64_t i = 0; i < slots->n; i++)
    if (slots->sym[i] < st->m && !st->freq[slots->sym[i]])
      st->freq[slots->sym[i]] = 1;
  for (unsigned x = st->m; x < st->a; x++) {
    bool some = false;
    for (unsigned v = 0; v < st->m && !some; v++)
      some = st->freq[v] && sd_admits (st->alphabet, (sd_symbol) x, (sd_symbol) v);
    if (!some)
      st->freq[sd_best_completion (st->alphabet, (sd_symbol) x, st->freq)] = 1;
  }
}

/* Costs for the next parse: ideal code lengths for what was used in the last one. A phrase that was not used
 * gets its chance as if it had been half a time. */
static void ideal_costs (const sd_repair *st, uint32_t *cost) {
  double total = 0;
  for (unsigned id = 0; id < st->used; id++)
    total += st->freq[id] ? (double) st->freq[id] : 0.5;
  for (unsigned id = 0; id < st->used; id++) {
    double bits = log2 (total / (st->freq[id] ? (double) st->freq[id] : 0.5));
    cost[id] = sd_repair_definite (st, id) ? (uint32_t) (bits * SD_PARSE_BIT + 0.5) : SD_TRIE_NONE;
  }
}

/* The slots are parsed anew with the cheapest phrases that fit, new pairs are made of these, what does not
 * pay is dropped; again and again. At last with the final code, block by block. */
static int finish_optimal (sd_repair *st, const sd_seq *slots, const sd_settings *set, sd_buf *out) {
  sd_parsed blocks = { 0 };
  unsigned block = (unsigned) sd_settings_int (set, "block");
  uint32_t slack = (uint32_t) sd_settings_int (set, "slack") * SD_PARSE_BIT;
  long rounds = sd_settings_int (set, "rounds");
  uint8_t *bits = sd_alloc0 (st->limit, sizeof *bits);
  uint32_t *cost = sd_alloc (st->limit, sizeof *cost);
  int status = bits && cost ? SD_OK : SD_ENOMEM;
  sd_repair_count_symbols (st);
  for (long round = 0; !status && round < rounds; round++) {
    ideal_costs (st, cost);
    status = sd_repair_parse (st, slots->sym, slots->n, cost, slack, 0, NULL);
    if (!status && round + 1 < rounds)
      status = sd_repair_rounds (st, NULL);
    if (!status)
      status = sd_repair_prune (st);
  }
  if (!status) {
    count_needed_symbols (st, slots);
    status = code_lengths (st, set, bits);
  }
  for (unsigned id = 0; !status && id < st->used; id++)
    cost[id] = bits[id] ? bits[id] * (uint32_t) SD_PARSE_BIT : SD_TRIE_NONE;
  if (!status)
    status = sd_repair_parse (st, slots->sym, slots->n, cost, slack, 8 * block, &blocks);
  if (!status)
    status = write_stream (st, &blocks, bits, slots->n, block, out);
  sd_parsed_clear (&blocks);
  free (bits);
  free (cost);
  return status;
}

int sd_repair_encode (sd_seq *src, const sd_seq *slots, const sd_settings *set, const sd_progress *progress,
                      sd_buf *out, sd_error *err) {
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
    status = strcmp (sd_settings_word (set, "parse"), "optimal") ? finish_greedy (&st, n, set, out)
                                                                 : finish_optimal (&st, slots, set, out);
  if (status)
    status = status == SD_ENOMEM ? sd_fail_memory (err, 0) : sd_fail (err, status, "repair: encoding failed");
done:
  sd_repair_clear (&st);
  return status;
}
