/** \file payload.c
 * The entropy stage: codes for the phrases, the blocks that they fill, and the stream made of all this.
 * Huffman codes (Zakharov 2015, 1.7.3), or rANS (codecs/entropy/rans.c), whose costs are fractions of bits:
 * the model keeps their whole part, rounded up, as the length of a code, and what that is too much follows in
 * quarters of a bit (fractions.c).
 *
 * A block is cut by what its phrases cost. With rANS the last phrase of a block, the first to be coded, costs
 * as much as its place among the frequencies is high, whatever its frequency: `reserve` bits of each block
 * are kept for that, more if a block turns out not to fit. */
#include "config.h"
#include "repair/repair_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------- codes */

/* Code lengths for st->freq. */
static int code_lengths (const sd_repair *st, const sd_settings *set, uint8_t *bits) {
  unsigned distinct = 0, limit = (unsigned) sd_settings_int (set, "maxcode");
  for (unsigned id = 0; id < st->used; id++)
    distinct += st->freq[id] != 0;
  /* A limit below log2 of the number of phrases has no code. */
  if (limit < sd_bits_for (distinct))
    limit = sd_bits_for (distinct);
  return sd_huffman_lengths (st->freq, st->used, limit, bits);
}

/* Codes by new ids, as the model has them; costs for a parse are whole bits. */
static int make_huffman (const sd_repair *st, sd_payload *p) {
  SD_OWNED uint32_t *code = sd_alloc0 (p->model.ids, sizeof *code);
  SD_TRY (code ? sd_huffman_codes (p->model.bits, p->model.ids, code) : SD_ENOMEM);
  for (unsigned id = 0; id < st->used; id++) {
    p->code[id] = code[p->new_id[id]];
    p->cost[id] = p->bits[id] ? p->bits[id] * (uint32_t) SD_PARSE_BIT : SD_TRIE_NONE;
  }
  return SD_OK;
}

/* p->code: places. */
static int make_rans (const sd_repair *st, sd_payload *p) {
  uint32_t *place = NULL;
  p->quarters = sd_alloc0 (p->model.ids, 1);
  place = sd_alloc0 (p->model.ids, sizeof *place);
  int status = p->quarters && place ? SD_OK : SD_ENOMEM;
  for (unsigned id = 0; !status && id < st->used; id++)
    if (p->bits[id]) /* quarters of a bit so far */
      p->quarters[p->new_id[id]] = p->bits[id];
  if (!status)
    status = sd_rans_init (&p->rans, p->quarters, p->model.ids);
  /* The coder knows phrases by their place among the frequencies. */
  for (unsigned k = 0; !status && k < p->rans.used; k++)
    place[p->rans.symbol[k]] = k;
  double reserve = 0;
  for (unsigned id = 0; !status && id < st->used; id++) {
    p->cost[id] = SD_TRIE_NONE;
    if (!p->bits[id])
      continue;
    const unsigned k = p->code[id] = place[p->new_id[id]];
    /* What a phrase costs anywhere, and what the first one of a block costs beyond that: its place's upper
     * end. */
    const double bits = p->rans.scale - log2 (p->rans.first[k + 1] - p->rans.first[k]),
                 first = log2 (p->rans.first[k + 1]) - bits;
    reserve = first > reserve ? first : reserve;
    p->cost[id] = (uint32_t) ceil (bits * SD_PARSE_BIT);
    /* A decoder counts phrases (access.c), so that no more of them may go into a bit than it allows. */
    if (p->cost[id] < SD_PARSE_BIT / SD_PAYLOAD_MAX_PER_BIT)
      p->cost[id] = SD_PARSE_BIT / SD_PAYLOAD_MAX_PER_BIT;
  }
  p->reserve = (uint32_t) ceil (reserve);
  free (place);
  return status;
}

int sd_payload_new (const sd_repair *st, const sd_settings *set, sd_payload *p) {
  *p = (sd_payload){ .block = (uint32_t) sd_settings_int (set, "block"),
                     .is_rans = strcmp (sd_settings_word (set, "entropy"), "rans") == 0 };
  p->bits = sd_alloc0 (st->used, 1);
  p->cost = sd_alloc0 (st->used, sizeof *p->cost);
  p->code = sd_alloc0 (st->used, sizeof *p->code);
  p->new_id = sd_alloc (st->used, sizeof *p->new_id);
  SD_OWNED uint8_t *whole = sd_alloc0 (st->used, 1);
  int status = p->bits && p->cost && p->code && p->new_id && whole ? SD_OK : SD_ENOMEM;
  if (!status)
    status = p->is_rans ? sd_rans_costs (st->freq, st->used, p->bits) : code_lengths (st, set, p->bits);
  /* The model keeps whole bits; with rANS costs come in quarters, rounded up here (fractions.c has the
   * rest). */
  for (unsigned id = 0; !status && id < st->used; id++)
    whole[id] = p->is_rans ? (uint8_t) ((p->bits[id] + 3) / 4) : p->bits[id];
  if (!status)
    status = sd_model_from_encoder (st, whole, &p->model, p->new_id);
  if (!status)
    status = p->is_rans ? make_rans (st, p) : make_huffman (st, p);
  if (status)
    sd_payload_clear (p);
  return status;
}

void sd_payload_clear (sd_payload *p) {
  sd_model_free (&p->model);
  sd_rans_clear (&p->rans);
  free (p->bits);
  free (p->quarters);
  free (p->cost);
  free (p->code);
  free (p->new_id);
  *p = (sd_payload){ 0 };
}

/* ------------------------------------------------------------------- blocks */

uint32_t sd_payload_room (const sd_payload *p) {
  return 8 * p->block - p->reserve;
}

/* No code crosses a border. */
int sd_payload_cut (const sd_repair *st, const sd_payload *p, sd_parsed *blocks) {
  const uint64_t room = (uint64_t) sd_payload_room (p) * SD_PARSE_BIT;
  /* As if a block were full: the first phrase begins one. */
  uint64_t used = room, position = 0, cap = 0;
  for (uint64_t i = 0; i < st->n; i++) {
    const unsigned id = st->ids[i];
    used += p->cost[id];
    if (used > room) {
      SD_TRY (sd_parsed_reserve (blocks, &cap));
      blocks->start[blocks->n] = position;
      blocks->phrase[blocks->n++] = i;
      used = p->cost[id];
    }
    position += st->length[id];
  }
  SD_TRY (sd_parsed_reserve (blocks, &cap));
  blocks->phrase[blocks->n] = st->n;
  return SD_OK;
}

/* The codes of all blocks, each but the last one filled up to its room. */
static int pack_huffman (const sd_repair *st, const sd_payload *p, const sd_parsed *blocks, sd_buf *out) {
  sd_bitw w = { .out = out };
  for (uint64_t b = 0; b < blocks->n; b++) {
    uint64_t left = 8 * (uint64_t) p->block;
    for (uint64_t i = blocks->phrase[b]; i < blocks->phrase[b + 1]; i++) {
      const unsigned id = st->ids[i];
      sd_bitw_put (&w, p->code[id], p->bits[id]);
      left -= p->bits[id];
    }
    /* The last block ends with its last code: a reader knows the length of the stream. */
    if (b + 1 == blocks->n)
      break;
    for (; left > 32; left -= 32)
      sd_bitw_put (&w, 0, 32);
    sd_bitw_put (&w, 0, (unsigned) left);
  }
  sd_bitw_flush (&w);
  return sd_buf_status (out);
}

/* Leading zero bytes that the last block can do without. It keeps one byte, and as many as its n phrases
 * need: a decoder counts what a block may hold by the bytes that are there. */
static size_t needless (const uint8_t *block, uint32_t bytes, uint64_t n) {
  size_t skip = 0;
  while (skip + 1 < bytes && !block[skip] && n <= 8 * SD_PAYLOAD_MAX_PER_BIT * (uint64_t) (bytes - skip - 1))
    skip++;
  return skip;
}

static int pack_rans (const sd_repair *st, const sd_payload *p, const sd_parsed *blocks, sd_buf *out) {
  const uint64_t most = 8 * (uint64_t) p->block * SD_PAYLOAD_MAX_PER_BIT;
  SD_OWNED uint32_t *place = sd_alloc (most, sizeof *place);
  SD_OWNED uint8_t *block = sd_alloc (p->block, 1);

  if (!place || !block)
    return SD_ENOMEM;
  for (uint64_t b = 0; b < blocks->n; b++) {
    const uint64_t from = blocks->phrase[b], n = blocks->phrase[b + 1] - from;
    /* Too many for one block by the decoder's count: the caller cuts again with less room. */
    if (n > most)
      return SD_ENOSPC;
    for (uint64_t i = 0; i < n; i++)
      place[i] = p->code[st->ids[from + i]];
    SD_TRY (sd_rans_put_block (&p->rans, place, n, block, p->block));
    const size_t skip = b + 1 == blocks->n ? needless (block, p->block, n) : 0;
    sd_buf_append (out, block + skip, p->block - skip);
  }
  return sd_buf_status (out);
}

/* Bytes that a stream of n slots must have from its model on, so that it is not refused for its ids: see
 * sd_repair_most_ids, and for what may be a piece sd_codec_encode_pieces. */
static uint64_t least_bytes (const sd_model *model, uint64_t n) {
  const uint64_t ids = model->ids,
                 whole = ids > SD_REPAIR_FREE_IDS ? SD_REPAIR_ID_BYTES * (ids - SD_REPAIR_FREE_IDS) : 0,
                 piece = n > sd_codec_repair.max_slots / 2 ? SD_PIECE_BYTES * (ids + SD_PIECE_SYMBOLS) : 0;
  return piece > whole ? piece : whole;
}

int sd_payload_write (const sd_repair *st, sd_payload *p, const sd_parsed *blocks, uint64_t n, sd_buf *out) {
  SD_RELEASED_BY (sd_buf_free) sd_buf payload = { 0 }, behind = { 0 };
  int status = p->is_rans ? pack_rans (st, p, blocks, &payload) : pack_huffman (st, p, blocks, &payload);
  /* Costs are estimates with rANS; where a block does not fit all blocks get half a byte less room. */
  if (status == SD_ENOSPC)
    p->reserve += 4;
  SD_TRY (status);
  sd_buf_varint (out, p->block - SD_REPAIR_MIN_BLOCK + (p->is_rans ? SD_REPAIR_RANS : 0));
  sd_buf_varint (out, blocks->n);
  if (p->is_rans)
    sd_payload_write_rans (p->quarters, p->model.ids, &behind);
  sd_starts_write (blocks->start, blocks->n, n, &behind);
  /* Few bytes for many ids would look like a forged dictionary: zeros behind the model make up for it. */
  const uint64_t least = least_bytes (&p->model, n), rest = behind.len + payload.len;
  sd_model_write (&p->model, least > rest ? least - rest : 0, out);
  sd_buf_append (out, behind.data, behind.len);
  sd_buf_append (out, payload.data, payload.len);
  return sd_buf_status (&behind) ? SD_ENOMEM : sd_buf_status (out);
}
