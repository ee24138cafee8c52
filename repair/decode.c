/** \file decode.c
 * Random access and sequential reading of a RE-PAIR stream (layout: docs/format.md, section 7.3).
 *
 * get: the index gives the block; a table driven by the next bits skips as many whole phrases as
 * these bits hold; in the phrase that covers the position the parts are followed downwards. A phrase of equal
 * symbols, most of what a table consists of, ends the descent at once. read: phrase after phrase, short ones
 * copied from a table. With rANS a block is decoded phrase by phrase from its start.
 *
 * Everything that an index or a size depends on is checked in open. The payload is not: any bits decode to
 * phrases of the dictionary, a block has a bounded number of them, and a position behind the last one is
 * SD_EFORMAT. */
#include "config.h"
#include "repair/repair_internal.h"

#include <stdlib.h>
#include <string.h>

#define MIN_TABLE_BITS 8
#define MAX_TABLE_BITS 16
#define SHORT 8                      /* symbols of a phrase at hand for read */
#define PARALLEL_POSITIONS (1 << 16) /* read: positions of one task */

/* What the next table_bits bits of a block hold. */
typedef struct entry {
  uint32_t all; /* positions of all whole phrases in these bits; UINT32_MAX: not even one is whole */
  sd_symbol id; /* the first phrase */
  uint8_t all_bits;
  uint8_t one_bits; /* of the first phrase; 0: not whole */
} entry;

typedef struct node {
  uint32_t split; /* positions of the left part; 0: all positions hold the symbol `left` */
  sd_symbol left, right;
} node;

typedef struct decoder {
  sd_decoder base;
  uint32_t block;
  const uint8_t *payload;
  uint64_t payload_bytes;
  sd_starts starts;
  sd_codec_parts parts;
  unsigned ids;
  node *node;
  uint32_t *length;
  sd_symbol (*head)[SHORT]; /* first symbols of each phrase */
  sd_rans rans;             /* used 0: Huffman codes */
  sd_huffman code;
  unsigned table_bits;
  unsigned reach; /* so many of 57 bits may be gone before the next code is not sure to fit */
  entry *table;
} decoder;

/* ------------------------------------------------------------------ opening */

/* What `width` bits at the top of the window tell. */
static entry make_entry (const decoder *d, uint32_t window, unsigned width) {
  entry e = { .all = UINT32_MAX };
  unsigned used = 0;
  uint64_t positions = 0;
  while (used < width) {
    unsigned nbits, id = sd_huffman_find (&d->code, window << used, 1, &nbits);
    if (used + nbits > width || positions + d->length[id] >= UINT32_MAX)
      break;
    positions += d->length[id];
    used += nbits;
    if (e.one_bits == 0) {
      e.id = (sd_symbol) id;
      e.one_bits = (uint8_t) nbits;
    }
    e.all = (uint32_t) positions;
    e.all_bits = (uint8_t) used;
  }
  return e;
}

/* Wide enough for all codes but those that one code word in 32 uses: a miss costs more than a larger table.
 */
static int build_table (decoder *d) {
  unsigned width = MIN_TABLE_BITS;
  while (width < MAX_TABLE_BITS && d->code.limit[width] < (UINT64_C (1) << 32) - (UINT64_C (1) << 27))
    width++;
  d->table_bits = width;
  d->reach = 57 - (d->code.longest > width ? d->code.longest : width);
  d->table = sd_alloc ((uint64_t) 1 << width, sizeof *d->table);
  if (!d->table)
    return SD_ENOMEM;
  for (uint32_t i = 0; i < 1u << width; i++)
    d->table[i] = make_entry (d, i << (32 - width), width);
  return SD_OK;
}

/* Nodes and heads, in an order that has the parts before the whole: by depth. */
static int build_phrases (decoder *d, sd_model *model) {
  d->ids = model->ids;
  d->node = sd_alloc (d->ids, sizeof *d->node);
  d->head = sd_alloc (d->ids, sizeof *d->head);
  sd_symbol *order = sd_alloc (d->ids, sizeof *order);
  if (!d->node || !d->head || !order) {
    free (order);
    return SD_ENOMEM;
  }
  d->length = model->length;
  model->length = NULL;
  uint32_t from[SD_REPAIR_MAX_DEPTH + 2] = { 0 };
  for (unsigned v = 0; v < d->ids; v++)
    from[model->depth[v] + 1]++;
  for (unsigned k = 0; k <= SD_REPAIR_MAX_DEPTH; k++)
    from[k + 1] += from[k];
  for (unsigned v = 0; v < d->ids; v++)
    order[from[model->depth[v]]++] = (sd_symbol) v;
  for (unsigned k = 0; k < d->ids; k++) {
    unsigned v = order[k];
    if (v < model->m) {
      d->node[v] = (node){ 0, (sd_symbol) v, (sd_symbol) v };
      for (unsigned j = 0; j < SHORT; j++)
        d->head[v][j] = (sd_symbol) v;
      continue;
    }
    unsigned l = model->left[v], r = model->right[v];
    const node *nl = d->node + l, *nr = d->node + r;
    bool equal = nl->split == 0 && nr->split == 0 && nl->left == nr->left;
    d->node[v] =
        equal ? (node){ 0, nl->left, nl->left } : (node){ d->length[l], (sd_symbol) l, (sd_symbol) r };
    for (unsigned j = 0; j < SHORT; j++)
      d->head[v][j] = j < d->length[l] ? d->head[l][j] : d->head[r][j - d->length[l]];
  }
  free (order);
  return SD_OK;
}

void sd_repair_close (sd_decoder *base) {
  decoder *d = (decoder *) base;
  sd_starts_close (&d->starts);
  free (d->node);
  free (d->length);
  free (d->head);
  sd_rans_clear (&d->rans);
  sd_huffman_clear (&d->code);
  free (d->table);
  free (d);
}

static int open_blocks (decoder *d, sd_reader *r, size_t len, sd_error *err) {
  const uint8_t *begin = r->end - len;
  uint64_t block = sd_get_varint (r), blocks = sd_get_varint (r), n = d->base.n;
  const bool rans = block >= SD_REPAIR_RANS;
  block -= rans ? SD_REPAIR_RANS : 0;
  if (r->bad || block > SD_REPAIR_MAX_BLOCK - SD_REPAIR_MIN_BLOCK)
    return sd_fail (err, SD_EFORMAT, "repair: header: cut off, or blocks of more than %d bytes",
                    SD_REPAIR_MAX_BLOCK);
  block += SD_REPAIR_MIN_BLOCK;
  if (n > UINT32_MAX || blocks == 0 || blocks > n)
    return sd_fail (err, SD_EFORMAT, "repair: header: %llu blocks for %llu positions",
                    (unsigned long long) blocks, (unsigned long long) n);
  d->block = (uint32_t) block;
  d->parts.header = (uint64_t) (r->p - begin);
  sd_model model = { 0 };
  SD_TRY (sd_model_read (r, d->base.m, &model, err));
  int status = rans ? sd_payload_read_rans (r, &model, &d->rans, err) : SD_OK;
  if (status) {
    sd_model_free (&model);
    return status;
  }
  d->parts.model = (uint64_t) (r->p - begin) - d->parts.header;
  d->parts.symbols = model.ids - model.m;
  d->parts.blocks = blocks;
  status = build_phrases (d, &model);
  if (!status && !rans)
    status = sd_huffman_init (&d->code, model.bits, model.ids);
  if (!status && !rans)
    status = build_table (d);
  sd_model_free (&model);
  if (status)
    return status == SD_ENOMEM
               ? sd_fail_memory (err, 0)
               : sd_fail (err, SD_EFORMAT, "repair: model: the code lengths do not form a code");
  uint64_t index = sd_starts_bytes (blocks, n), avail = (uint64_t) (r->end - r->p);
  const uint8_t *at = sd_get_bytes (r, index);
  status = at ? sd_starts_open (&d->starts, at, index, avail, blocks, n) : SD_EFORMAT;
  if (status)
    return status == SD_ENOMEM ? sd_fail_memory (err, 0)
                               : sd_fail (err, status, "repair: index: %llu bytes that list no %llu blocks",
                                          (unsigned long long) avail, (unsigned long long) blocks);
  d->parts.index = index;
  d->payload = r->p;
  d->payload_bytes = d->parts.payload = (uint64_t) (r->end - r->p);
  if (d->payload_bytes > blocks * block || d->payload_bytes <= (blocks - 1) * block)
    return sd_fail (err, SD_EFORMAT, "repair: payload: %llu bytes do not fill %llu blocks of %llu bytes",
                    (unsigned long long) d->payload_bytes, (unsigned long long) blocks,
                    (unsigned long long) block);
  return SD_OK;
}

int sd_repair_open (const uint8_t *data, size_t len, uint64_t n, unsigned m, sd_decoder **out,
                    sd_error *err) {
  decoder *d = sd_alloc0 (1, sizeof *d);
  *out = NULL;
  if (!d)
    return sd_fail_memory (err, sizeof *d);
  d->base = (sd_decoder){ .codec = &sd_codec_repair, .n = n, .m = m };
  sd_reader r = sd_reader_of (data, len);
  int status = open_blocks (d, &r, len, err);
  if (status)
    sd_repair_close (&d->base);
  else
    *out = &d->base;
  return status;
}

void sd_repair_describe (const sd_decoder *base, sd_codec_parts *parts) {
  *parts = ((const decoder *) base)->parts;
}

/* ----------------------------------------------------------------- decoding */

/* At least 57 bits of the block at bit `at`, left-aligned; zeros beyond the data. */
static inline uint64_t window_at (const uint8_t *p, uint64_t avail, uint64_t at) {
  uint64_t byte = at >> 3, w = 0;
  if (byte + 8 <= avail) {
    memcpy (&w, p + byte, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    w = __builtin_bswap64 (w);
#endif
  } else
    for (uint64_t k = 0; k < 8 && byte + k < avail; k++)
      w |= (uint64_t) p[byte + k] << (56 - 8 * k);
  return w << (at & 7);
}

typedef struct place {
  const uint8_t *p; /* the block */
  uint64_t avail;   /* bytes that may be read from there on */
  uint64_t bits;    /* of the block */
} place;

static inline place block_at (const decoder *d, uint64_t b) {
  uint64_t from = b * d->block, avail = d->payload_bytes - from;
  return (place){ d->payload + from, avail, 8 * (avail < d->block ? avail : d->block) };
}

/* The phrase at the top of the window and its bits, where `e` is what the table says. */
static inline unsigned decode_one (const decoder *d, const entry *e, uint64_t w, unsigned *nbits) {
  if (!e->one_bits)
    return sd_huffman_find (&d->code, (uint32_t) (w >> 32), d->table_bits, nbits); /* it is longer */
  *nbits = e->one_bits;
  return e->id;
}

/* How far a block has been read. */
typedef struct cursor {
  uint64_t at; /* Huffman: bits; rANS: phrases */
  sd_rans_reader rans;
} cursor;

/* The next phrase, or -1 at the block's end. */
static inline int next_phrase (const decoder *d, const place *b, cursor *c) {
  if (d->rans.used)
    return c->at++ < SD_PAYLOAD_MAX_PER_BIT * b->bits ? (int) sd_rans_next (&d->rans, &c->rans) : -1;
  if (c->at >= b->bits)
    return -1;
  const uint64_t w = window_at (b->p, b->avail, c->at);
  unsigned nbits, id = decode_one (d, d->table + (w >> (64 - d->table_bits)), w, &nbits);
  c->at += nbits;
  return (int) id;
}

/* As find_phrase, rANS. */
static int find_rans (const decoder *d, const place *b, uint64_t *rem, cursor *c) {
  c->rans = (sd_rans_reader){ 0, b->p, b->p + b->bits / 8 };
  for (;;) {
    const int id = next_phrase (d, b, c);
    if (id < 0 || *rem < d->length[id])
      return id;
    *rem -= d->length[id];
  }
}

/* Skip whole phrases while they end at or before position *rem of the block; *c, zeros before, is behind the
 * phrase found, *rem the position inside it. The id, or -1 if the block ends before. */
static inline int find_phrase (const decoder *d, place b, uint64_t *rem, cursor *c) {
  if (d->rans.used)
    return find_rans (d, &b, rem, c);
  uint64_t left = *rem, at = 0;
  while (at < b.bits) {
    uint64_t w = window_at (b.p, b.avail, at), begin = at;
    do { /* while the longest code fits into what is left of the window */
      const entry *e = d->table + (w >> (64 - d->table_bits));
      if (left >= e->all) {
        left -= e->all;
        at += e->all_bits;
        w <<= e->all_bits;
        continue;
      }
      unsigned nbits, id = decode_one (d, e, w, &nbits);
      uint32_t length = d->length[id];
      if (left < length) {
        if (at + nbits > b.bits)
          return -1;
        c->at = at + nbits;
        *rem = left;
        return (int) id;
      }
      left -= length;
      at += nbits;
      w <<= nbits;
    } while (at - begin <= d->reach);
  }
  return -1;
}

int sd_repair_get (const sd_decoder *base, uint64_t i, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  cursor c = { 0 };
  uint64_t first, b = sd_starts_find (&d->starts, i, &first, NULL), rem = i - first;
  int id = find_phrase (d, block_at (d, b), &rem, &c);
  if (id < 0)
    return SD_EFORMAT;
  const node *v = d->node + id;
  while (v->split) {
    bool right = rem >= v->split;
    rem -= right ? v->split : 0;
    v = d->node + (right ? v->right : v->left);
  }
  *out = v->left;
  return SD_OK;
}

static void fill (sd_symbol *out, sd_symbol value, uint64_t count) {
  for (uint64_t k = 0; k < count; k++)
    out[k] = value;
}

/* Up to `room` symbols of phrase id from its position `skip` on; how many. */
static uint64_t expand (const decoder *d, unsigned id, uint64_t skip, sd_symbol *out, uint64_t room) {
  sd_symbol stack[SD_REPAIR_MAX_DEPTH + 1];
  unsigned top = 0;
  uint64_t o = 0;
  for (;;) {
    const node *v = d->node + id;
    uint64_t length = d->length[id];
    if (skip >= length)
      skip -= length;
    else if (v->split == 0) {
      uint64_t count = length - skip < room - o ? length - skip : room - o;
      fill (out + o, v->left, count);
      o += count;
      skip = 0;
    } else if (length <= SHORT && skip == 0) {
      uint64_t count = length < room - o ? length : room - o;
      if (room - o >= SHORT)
        memcpy (out + o, d->head[id], sizeof d->head[id]);
      else
        memcpy (out + o, d->head[id], count * sizeof *out);
      o += count;
    } else {
      stack[top++] = v->right;
      id = v->left;
      continue;
    }
    if (top == 0 || o == room)
      return o;
    id = stack[--top];
  }
}

static int read_piece (const decoder *d, uint64_t first, uint64_t count, sd_symbol *out) {
  while (count) {
    uint64_t begin, end, skip;
    cursor c = { 0 };
    uint64_t b = sd_starts_find (&d->starts, first, &begin, &end);
    uint64_t want = end - first < count ? end - first : count;
    place pl = block_at (d, b);
    first += want;
    count -= want;
    skip = first - want - begin;
    int id = find_phrase (d, pl, &skip, &c);
    if (id < 0)
      return SD_EFORMAT;
    for (;;) {
      uint64_t done = expand (d, (unsigned) id, skip, out, want);
      out += done;
      want -= done;
      skip = 0;
      if (!want)
        break;
      if ((id = next_phrase (d, &pl, &c)) < 0)
        return SD_EFORMAT;
    }
  }
  return SD_OK;
}

int sd_repair_read (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  if (count < 2 * PARALLEL_POSITIONS)
    return read_piece (d, first, count, out);
  int status = SD_OK;
  uint64_t tasks = (count + PARALLEL_POSITIONS - 1) / PARALLEL_POSITIONS;
#pragma omp parallel for schedule(dynamic) reduction(max : status)
  for (uint64_t t = 0; t < tasks; t++) {
    uint64_t from = t * PARALLEL_POSITIONS;
    uint64_t size = count - from < PARALLEL_POSITIONS ? count - from : PARALLEL_POSITIONS;
    int s = read_piece (d, first + from, size, out + from);
    status = s > status ? s : status;
  }
  return status;
}
