/** \file decode.c
 * Opening a RE-PAIR stream (layout: docs/format.md, section 7.3), and what is made of it so that access is
 * fast (access.c): phrases, the table of the next bits, room for marks.
 *
 * Everything that an index or a size depends on is checked here. The payload is not: any bits decode to
 * phrases of the dictionary, a block has a bounded number of them, and a position behind the last one is
 * SD_EFORMAT.
 *
 * Memory: an id takes at most 45 bytes (32 as a phrase, 2 as a code, 3 in a line, 8 as one of the others), 10
 * in the model besides while a stream is opened, and 48 afterwards of what is written out (written.c says of
 * how much); blocks take a byte for each byte of them (marks) and at most 12 each (starts); the table of
 * the next bits takes 2 to 8 KiB, and above 2 KiB at most 32 bytes for each of the stream. */
#include "config.h"
#include "repair/decoder_internal.h"

#include <stdlib.h>
#include <string.h>

#define MIN_TABLE_BITS 8
#define MAX_TABLE_BITS 10
#define TABLE_SHARE 32 /* bytes of the table for each of the stream, but for the least table */

typedef sd_repair_decoder decoder;

/* ------------------------------------------------------------------ opening */

/* What `width` bits at the top of the window tell. */
static sd_repair_entry make_entry (const decoder *d, uint32_t window, unsigned width) {
  sd_repair_entry e = { .all = UINT32_MAX };
  unsigned used = 0;
  uint64_t positions = 0;

  /* As many whole codes as the bits hold. A last one that is cut off waits for the next look at the table. */
  while (used < width) {
    unsigned nbits, coded = (unsigned) sd_huffman_place (&d->code, window << used, 1, &nbits);
    const uint32_t length = sd_repair_coded_length (d, coded);
    if (used + nbits > width || positions + length >= UINT32_MAX) {
      /* Behind these bits there are zeros here, and of longer codes the shorter ones come first. */
      e.all_bits = used ? e.all_bits : (uint8_t) nbits;
      break;
    }
    positions += length;
    used += nbits;
    /* The first one also stands by itself, for the walk near a slot (find_coded). */
    if (e.one_bits == 0) {
      e.coded = (uint16_t) coded;
      e.one_bits = (uint8_t) nbits;
    }
    e.all = (uint32_t) positions;
    e.all_bits = (uint8_t) used;
  }
  return e;
}

/* Wide enough for all codes but those that one code word in 32 uses, and small enough to stay in a cache:
 * long codes are found by their length's limit, in an order that has the frequent ones side by side. */
static int build_table (decoder *d, size_t len) {
  unsigned width = MIN_TABLE_BITS;
  while (width < MAX_TABLE_BITS && sizeof *d->table << (width + 1) <= TABLE_SHARE * (uint64_t) len
         && d->code.limit[width] < (UINT64_C (1) << 32) - (UINT64_C (1) << 27))
    width++;
  d->table_bits = width;
  /* A window has 57 bits at least (access.c). So many may be used up before a step, which takes the table's
   * width or the longest code, could need bits that it has not. */
  d->reach = 57 - (d->code.longest > width ? d->code.longest : width);
  d->table = sd_alloc ((uint64_t) 1 << width, sizeof *d->table);
  if (!d->table)
    return SD_ENOMEM;
  for (uint32_t i = 0; i < 1u << width; i++)
    d->table[i] = make_entry (d, i << (32 - width), width);
  return SD_OK;
}

/* Symbols of phrase v at hand: the parts' ones, one behind the other. */
static uint64_t symbols_of (const decoder *d, const sd_repair_phrase *l, const sd_repair_phrase *r) {
  return l->symbols | r->symbols << (l->length * d->symbol_bits);
}

/* The first symbols of a phrase of more than one. */
static void make_head (decoder *d, unsigned v, unsigned l, unsigned r) {
  const uint32_t length = d->phrase[l].length;
  for (unsigned j = 0; j < SD_REPAIR_SHORT; j++)
    d->head[v][j] = j < length ? d->head[l][j] : d->head[r][j - length];
}

/* The symbol of which all of p consists, or -1. */
static int constant (const decoder *d, unsigned id) {
  const sd_repair_phrase *p = d->phrase + id;
  if (p->length > d->at_hand)
    return p->split ? -1 : p->left;
  /* Up to at_hand symbols are in the word: all of them are compared with the first one. */
  const uint64_t one = p->symbols & ((UINT64_C (1) << d->symbol_bits) - 1);
  for (unsigned k = 1; k < p->length; k++)
    if ((p->symbols >> (k * d->symbol_bits) & ((UINT64_C (1) << d->symbol_bits) - 1)) != one)
      return -1;
  return (int) one;
}

static void make_phrase (decoder *d, unsigned v, unsigned l, unsigned r) {
  const sd_repair_phrase *left = d->phrase + l, *right = d->phrase + r;
  sd_repair_phrase *p = d->phrase + v;
  p->length = left->length + right->length;
  make_head (d, v, l, r);
  if (p->length <= d->at_hand) {
    p->symbols = symbols_of (d, left, right);
    return;
  }
  /* Runs of one symbol keep no parts: `split` 0 says so, and access.c fills instead of going down. */
  const int a = constant (d, l), b = constant (d, r);
  p->split = a >= 0 && a == b ? 0 : left->length;
  p->left = p->split ? (sd_phrase) l : (sd_phrase) a;
  p->right = p->split ? (sd_phrase) r : (sd_phrase) a;
}

/* In an order that has the parts before the whole: by depth. */
static int build_phrases (decoder *d, const sd_model *model) {
  d->ids = model->ids;
  d->symbol_bits = model->m > 1 ? sd_bits_for (model->m) : 1;
  d->at_hand = 64 / d->symbol_bits;
  d->phrase = sd_alloc0 (d->ids, sizeof *d->phrase);
  d->head = sd_alloc (d->ids, sizeof *d->head);
  SD_OWNED sd_phrase *order = sd_alloc (d->ids, sizeof *order);
  if (!d->phrase || !d->head || !order)
    return SD_ENOMEM;
  /* Sorted by counting: from[depth] is where the ids of a depth begin. Depths have been checked (model.c). */
  uint32_t from[SD_REPAIR_MAX_DEPTH + 2] = { 0 };
  for (unsigned v = 0; v < d->ids; v++)
    from[model->depth[v] + 1]++;
  for (unsigned k = 0; k <= SD_REPAIR_MAX_DEPTH; k++)
    from[k + 1] += from[k];
  for (unsigned v = 0; v < d->ids; v++)
    order[from[model->depth[v]]++] = (sd_phrase) v;
  for (unsigned k = 0; k < d->ids; k++) {
    const unsigned v = order[k];
    /* Main symbols have depth 0, so that they are there before the first phrase is made. */
    if (v >= model->m) {
      make_phrase (d, v, model->left[v], model->right[v]);
      continue;
    }
    d->phrase[v] = (sd_repair_phrase){ .length = 1, .symbols = v };
    for (unsigned j = 0; j < SD_REPAIR_SHORT; j++)
      d->head[v][j] = (sd_symbol) v;
  }
  return SD_OK;
}

/* Room for marks; without it a stream is read all the same. rANS has a state besides the place. A lone block
 * may be nearly empty, whatever its size. */
static void make_room_for_marks (decoder *d, uint64_t blocks) {
  const uint64_t bytes = blocks > 1 ? d->blocks.block : d->blocks.payload_bytes;
  /* Places SD_REPAIR_MARK_STEP, twice that, ... inside the block; bit 0 needs none. */
  d->marks = (unsigned) ((8 * bytes - 1) / SD_REPAIR_MARK_STEP);
  if (d->marks > 1 && !d->rans.used)
    d->mark = sd_alloc0 (blocks, d->marks * sizeof *d->mark);
}

void sd_repair_close (sd_decoder *base) {
  decoder *d = (decoder *) base;
  sd_starts_close (&d->blocks.starts);
  free (d->phrase);
  free (d->head);
  free (d->written);
  sd_rans_clear (&d->rans);
  sd_huffman_clear (&d->code);
  free (d->table);
  free (d->line);
  free (d->other);
  free (d->mark);
  free (d);
}

static int open_blocks (decoder *d, sd_reader *r, size_t len, sd_error *err) {
  const uint8_t *begin = r->end - len;
  uint64_t block = sd_get_varint (r), blocks = sd_get_varint (r), n = d->base.n;

  /* The first number says both how many bytes a block has and which code its phrases have. */
  const bool rans = block >= SD_REPAIR_RANS;
  block -= rans ? SD_REPAIR_RANS : 0;
  if (r->bad || block > SD_REPAIR_MAX_BLOCK - SD_REPAIR_MIN_BLOCK)
    return sd_fail (err, SD_EFORMAT, "repair: header: cut off, or blocks of more than %d bytes",
                    SD_REPAIR_MAX_BLOCK);
  block += SD_REPAIR_MIN_BLOCK;
  /* A block holds at least one position, which bounds what a forged number can ask for. */
  if (n > UINT32_MAX || blocks == 0 || blocks > n)
    return sd_fail (err, SD_EFORMAT, "repair: header: %llu blocks for %llu positions",
                    (unsigned long long) blocks, (unsigned long long) n);
  d->blocks.block = (unsigned) block;
  d->parts.header = (uint64_t) (r->p - begin);
  /* The model proves itself: no cycle, no depth or length above the limits (sd_model_read). */
  SD_RELEASED_BY (sd_model_free) sd_model model = { 0 };
  SD_TRY (sd_model_read (r, d->base.m, &model, err));
  if (rans)
    SD_TRY (sd_payload_read_rans (r, &model, &d->rans, err));
  d->parts.model = (uint64_t) (r->p - begin) - d->parts.header;
  d->parts.symbols = model.ids - model.m;
  d->parts.symbol = "phrase";
  /* Phrases first: what is written out and the table of the next bits are made of their lengths and
   * symbols. */
  int status = build_phrases (d, &model);
  if (!status && !rans)
    status = sd_huffman_init (&d->code, model.bits, model.ids);
  sd_model_free (&model); /* before more is asked for */
  if (!status)
    status = rans ? sd_repair_write_out (d, d->rans.symbol, d->rans.used, len)
                  : sd_repair_write_out (d, d->code.symbol, d->code.places, len);
  if (!status && !rans)
    status = build_table (d, len);
  if (status)
    return status == SD_ENOMEM
               ? sd_fail_memory (err, 0)
               : sd_fail (err, SD_EFORMAT, "repair: model: the code lengths do not form a code");
  /* Where blocks begin, and what is left of the stream is their payload. */
  SD_TRY (sd_coded_blocks_open (&d->blocks, "repair", r, blocks, n, &d->parts, err));
  make_room_for_marks (d, blocks);
  return SD_OK;
}

int sd_repair_open (const sd_stream *s, sd_decoder *base, sd_error *err) {
  sd_reader r = sd_reader_of (s->data, s->len);
  return open_blocks ((decoder *) base, &r, s->len, err);
}

void sd_repair_describe (const sd_decoder *base, sd_codec_parts *parts) {
  *parts = ((const decoder *) base)->parts;
}
