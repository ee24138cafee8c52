/** \file decode.c
 * Random access and sequential reading of a stream of trees (layout: docs/format.md, section 7.6): the block
 * is decoded from its first slot on. Everything that an index or a size depends on is checked in open, but
 * for the number of slots of a block and what its questions cost, which is checked when it is used. */
#include "config.h"
#include "codecs/entropy/entropy.h"
#include "codecs/row.h"
#include "codecs/trees/trees_internal.h"

#include <stdlib.h>

#define PARALLEL_SLOTS (1u << 18) /* read: the blocks that begin in so many slots are one task */
#define WINDOW 8192               /* slots kept on a small stack; a row of 64 * 64 and some */
#define FAR SD_TREES_MAX_SLOTS    /* the same where neighbours are farther away; none is out of a block */

typedef struct decoder {
  sd_decoder base;
  sd_trees_model model;
  uint64_t slots; /* of each block but the last; 0: starts says where they begin */
  sd_starts starts;
  sd_starts bytes; /* of blocks in the payload */
  bool may_be_empty;
  const uint8_t *payload;
  unsigned symbol_bits;
  uint64_t window; /* a power of two above the distance of all neighbours */
  uint64_t cost;   /* of a question */
  sd_codec_parts parts;
} decoder;

static void close (sd_decoder *base) {
  decoder *d = (decoder *) base;
  sd_starts_close (&d->starts);
  sd_starts_close (&d->bytes);
  sd_trees_model_clear (&d->model);
  free (d);
}

/* The bytes of each block. `may_be_empty`: each is listed with one byte more than it has. */
static int open_bytes (decoder *d, sd_reader *r, uint64_t blocks, bool may_be_empty) {
  const uint64_t bytes = sd_get_varint (r), listed = bytes + (may_be_empty ? blocks : 0);
  uint64_t size;
  d->may_be_empty = may_be_empty;
  if (r->bad || bytes > (uint64_t) (r->end - r->p) || listed < blocks)
    return SD_EFORMAT;
  SD_TRY (sd_starts_read (&d->bytes, r, blocks, listed, &size));
  d->parts.index += size;
  d->payload = r->p;
  d->parts.payload = (uint64_t) (r->end - r->p);
  return d->parts.payload == bytes ? SD_OK : SD_EFORMAT;
}

/* Where block b begins in the payload; d->parts.blocks: where the last one ends. */
static inline uint64_t byte_of (const decoder *d, uint64_t b) {
  return sd_starts_at (&d->bytes, b) - (d->may_be_empty ? b : 0);
}

/* Where the blocks begin: all have the same number of slots, or a list tells. */
static int open_blocks (decoder *d, sd_reader *r, uint64_t blocks, bool may_be_equal) {
  const uint64_t n = d->base.n;
  d->slots = may_be_equal ? sd_get_varint (r) : 0;
  if (!d->slots)
    return sd_starts_read (&d->starts, r, blocks, n, &d->parts.index);
  return r->bad || d->slots > SD_TREES_MAX_SLOTS || blocks != (n - 1) / d->slots + 1 ? SD_EFORMAT : SD_OK;
}

static int open_stream (decoder *d, const uint8_t *data, size_t len, bool is_forest) {
  sd_reader r = sd_reader_of (data, len);

  uint64_t n = d->base.n, block = sd_get_varint (&r), blocks = sd_get_varint (&r);

  if (r.bad || block < SD_TREES_MIN_BLOCK || block > SD_TREES_MAX_BLOCK || !blocks || blocks > n || n >> 48)
    return SD_EFORMAT;

  d->parts.header = (uint64_t) (r.p - data);
  SD_TRY (sd_trees_model_read (&r, d->base.m, n, is_forest, &d->model));
  d->parts.model = (uint64_t) (r.p - data) - d->parts.header;
  d->parts.symbols = d->model.nnodes;
  d->parts.symbol = "node";
  d->parts.unpaid = d->model.unpaid + sd_unpaid (SD_DECODER_BYTES, len);
  d->parts.blocks = blocks;
  SD_TRY (open_blocks (d, &r, blocks, is_forest));

  d->symbol_bits = sd_bits_for (d->base.m);
  d->cost = sd_trees_cost (&d->model);
  d->window = 1;
  /* As far back as neighbours are looked at. */
  for (unsigned k = 0; k < d->model.nneighbours; k++)
    while (d->window <= d->model.offset[k])
      d->window *= 2;

  SD_TRY (open_bytes (d, &r, blocks, is_forest));
  d->parts.header = len - d->parts.model - d->parts.index - d->parts.payload;
  return SD_OK;
}

/* is_forest: the codec is `forest`, whose streams also have averages, groups, blocks of equal slots, and
 * blocks without bytes. */
static int open_as (const sd_stream *s, sd_decoder *base, bool is_forest, sd_error *err) {
  const int status = open_stream ((decoder *) base, s->data, s->len, is_forest);
  if (status == SD_ENOMEM)
    return sd_fail_memory (err, 0);
  return status ? sd_fail (err, status, "%s: not a valid stream of %llu slots",
                           is_forest ? "forest" : "trees", (unsigned long long) s->n)
                : SD_OK;
}

static int open_trees (const sd_stream *s, sd_decoder *base, sd_error *err) {
  return open_as (s, base, false, err);
}

static int open_forest (const sd_stream *s, sd_decoder *base, sd_error *err) {
  return open_as (s, base, true, err);
}

static void describe (const sd_decoder *base, sd_codec_parts *parts) {
  *parts = ((const decoder *) base)->parts;
}

/* The block that holds slot i, its first slot, and the first one behind it. */
static uint64_t find_block (const decoder *d, uint64_t i, uint64_t *first, uint64_t *end) {
  if (!d->slots)
    return sd_starts_find (&d->starts, i, first, end);
  *first = i - i % d->slots;
  *end = d->base.n - *first < d->slots ? d->base.n : *first + d->slots;
  return i / d->slots;
}

/* -------------------------------------------------------------------- decoding */

/* The slot at the cursor. *work counts what its questions have cost, in the steps of sd_trees_cost (), also
 * where the answer is found at once. */
static int decode_slot (const decoder *d, sd_trees_cursor *c, sd_trees_reader *r, uint64_t *work) {
  if (!sd_trees_look (c)) {
    c->sym[c->at & c->mask] = (sd_symbol) c->near[0];
    return SD_OK;
  }
  for (; sd_trees_question (c); c->asked++)
    if (sd_trees_get (r, sd_trees_yes (sd_trees_score (c)))) {
      *work += (c->asked + 1) * d->cost;
      sd_trees_settle (c, c->tried[c->asked], c->asked + 1);
      return SD_OK;
    }
  *work += c->asked * d->cost;

  unsigned s = 0;
  /* All questions were answered no: the symbol itself, bit by bit. */
  for (unsigned b = 0; b < d->symbol_bits; b++)
    s = s << 1 | sd_trees_get (r, 32768);
  if (s >= d->base.m)
    return SD_EFORMAT;
  sd_trees_settle (c, (sd_symbol) s, c->asked);
  return SD_OK;
}

/* Slots of a block from its first one on, and where they go. */
typedef struct part {
  uint64_t first, count;
  sd_symbol *sym; /* [k & mask]: slot first + k */
  uint64_t mask;
  uint64_t from; /* slots first + from, and those behind it, also go to out[0..] */
  sd_symbol *out;
} part;

/* A group that is all alike: it is passed; false: its slots are asked for. */
static bool decode_group (const decoder *d, const part *p, sd_trees_cursor *c, sd_trees_reader *r,
                          uint64_t *work) {
  if (!sd_trees_look_ahead (c))
    return false;
  if (!sd_trees_group_is_free (c)) {
    *work += d->cost;
    if (!sd_trees_get (r, sd_trees_yes (sd_trees_score (c)))) {
      c->ahead = SD_TREES_IN_GROUP;
      return false;
    }
  }
  const uint64_t left = p->count - c->at;
  for (unsigned k = 0; k < SD_TREES_GROUP && k < left; k++)
    c->sym[(c->at + k) & c->mask] = (sd_symbol) c->near[0];
  sd_trees_skip (c);
  return true;
}

/* Slots from the first one of block b up to p->count, since each is told by those before it. */
static int decode_block (const decoder *d, uint64_t b, const part *p) {
  sd_trees_cursor c;
  const uint64_t begin = byte_of (d, b);
  sd_trees_reader r = sd_trees_reader_of (d->payload + begin, byte_of (d, b + 1) - begin);
  uint64_t work = 0;

  if (p->count > SD_TREES_MAX_SLOTS)
    return SD_EFORMAT;

  sd_trees_begin (&c, &d->model, p->sym, p->first);
  c.mask = p->mask;
  for (uint64_t k = 0; k < p->count;) {
    if (!decode_group (d, p, &c, &r, &work)) {
      SD_TRY (decode_slot (d, &c, &r, &work));
      sd_trees_next (&c);
    }
    /* Checked here, since what questions cost depends on their answers. */
    if (work > SD_TREES_MAX_WORK)
      return SD_EFORMAT;
    for (; k < c.at && k < p->count; k++)
      if (k >= p->from)
        p->out[k - p->from] = p->sym[k & p->mask];
  }
  return SD_OK;
}

static int check_block (const decoder *d, uint64_t b) {
  return sd_guard_check (d->base.guard, d->payload + byte_of (d, b), byte_of (d, b + 1) - byte_of (d, b));
}

/* Block b is decoded straight to out. */
static int read_block (const decoder *d, uint64_t b, uint64_t first, uint64_t count, sd_symbol *out) {
  const part p = { .first = first, .count = count, .sym = out, .mask = UINT64_MAX, .from = count };
  SD_TRY (check_block (d, b));
  return decode_block (d, b, &p);
}

/* Only what later slots look at is kept. */
static int decode_near (const decoder *d, uint64_t b, part *p) {
  sd_symbol some[WINDOW];
  p->sym = some;
  p->mask = WINDOW - 1;
  return decode_block (d, b, p);
}

/* 128 KiB of stack, only where neighbours are that far: inlined, every access would take it. */
__attribute__ ((noinline)) static int decode_far (const decoder *d, uint64_t b, part *p) {
  sd_symbol some[FAR];
  p->sym = some;
  p->mask = FAR - 1;
  return decode_block (d, b, p);
}

/* The slots from..stop-1 of block b, which begins at slot `begin`. */
static int read_part (const decoder *d, uint64_t b, uint64_t begin, uint64_t from, uint64_t stop,
                      sd_symbol *out) {
  part p = { .first = begin, .count = stop - begin, .from = from - begin, .out = out };
  SD_TRY (check_block (d, b));
  return d->window > WINDOW ? decode_far (d, b, &p) : decode_near (d, b, &p);
}

static int get (const sd_decoder *base, uint64_t i, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  uint64_t first, end, b = find_block (d, i, &first, &end);
  return read_part (d, b, first, i, i + 1, out);
}

/* The blocks that begin in first .. first + count - 1, and, with `all`, the one that holds first. */
static int read_piece (const decoder *d, uint64_t first, uint64_t count, bool all, uint64_t end,
                       sd_symbol *out) {
  for (uint64_t at = first; at < first + count;) {
    uint64_t begin, behind, b = find_block (d, at, &begin, &behind);
    uint64_t stop = behind < end ? behind : end;
    if (begin == at)
      SD_TRY (read_block (d, b, begin, stop - begin, out + (at - first)));
    else if (all)
      SD_TRY (read_part (d, b, begin, at, stop, out));
    at = behind;
    all = false;
  }
  return SD_OK;
}

static int read (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  int status = SD_OK;
  uint64_t tasks = (count + PARALLEL_SLOTS - 1) / PARALLEL_SLOTS;
#pragma omp parallel for schedule(dynamic) reduction(max : status)
  for (uint64_t t = 0; t < tasks; t++) {
    uint64_t from = t * PARALLEL_SLOTS, size = count - from < PARALLEL_SLOTS ? count - from : PARALLEL_SLOTS;
    int s = read_piece (d, first + from, size, t == 0, first + count, out + from);
    status = s > status ? s : status;
  }
  return status;
}

static bool block_of (const sd_decoder *base, uint64_t i, sd_codec_block *out) {
  const decoder *d = (const decoder *) base;
  uint64_t end;
  out->number = find_block (d, i, &out->first, &end);
  out->slots = end - out->first;
  out->bytes = byte_of (d, out->number + 1) - byte_of (d, out->number);
  return true;
}

static const sd_decoder_ops ops_trees = { get,        read,     close, describe, sizeof (decoder),
                                          open_trees, block_of, NULL };
static const sd_decoder_ops ops_forest = { get,         read,     close, describe, sizeof (decoder),
                                           open_forest, block_of, NULL };

/* Within a budget one forest is grown at first, and again from its completions where there is time for it.
 * Of WDL, means of KRvKN, KNvKP, KBvKP and KPvKP, of plies KRvKR and KQvKR. */
#define SD_QUICK "rounds=1"
static const sd_more trees_more[] = { { "rounds=2", { 0.985F, 0.985F }, { 1.5F, 1.7F } },
                                      { NULL, { 0 }, { 0 } } };
static const sd_more forest_more[] = {
  { "rounds=2", { 0.985F, 0.985F }, { 1.5F, 1.7F } },
  { "groups=no", { 1.05F, 0.995F }, { 1.1F, 1.1F } },
  { "rounds=2,groups=no", { 1.03F, 0.98F }, { 1.6F, 1.9F } },
  { "rounds=2,trees=20,leaves=600,samples=16000", { 0.975F, 0.95F }, { 2.2F, 5 } },
  { "rounds=2,groups=no,trees=20,leaves=600,samples=16000", { 1, 0.935F }, { 2.5F, 5 } },
  { NULL, { 0 }, { 0 } }
};

const sd_codec sd_codec_trees = {
  SD_IDENTITY (trees),
  .summary = "questions about neighbours, decision trees for their odds, arithmetic code in small blocks",
  .takes_free_slots = true,
  .only_reads_source = true,
  .in_pieces = true,
  .checks_while_reading = true,
  SD_ENCODER (.tunables = sd_trees_tunables, .overrules = sd_trees_overrules, .encode = sd_trees_encode, )
      .ops = &ops_trees,
  /* forest tries the others: it is smaller, or the same but for some bytes */
  .trials = { .settings = { "block=8192" },
              .more = trees_more,
              .quick = SD_QUICK,
              .gain = 0.7,
              .slow = true },
  .latency = { 0, 51.5, 9.35, 289 },        /* off by 49 % at most */
  .memory = { 1, 3, 256 << 20, 132 << 20 }, /* a thread more holds samples, too (pass.c) */
  .colour = "#1f8f63",
  .mark = 9,
};

const sd_codec sd_codec_forest = {
  SD_IDENTITY (forest),
  .summary = "trees that also look at averages by two and three digits of the index, which the stream holds",
  .takes_free_slots = true,
  .only_reads_source = true,
  .in_pieces = true,
  .checks_while_reading = true,
  SD_ENCODER (.tunables = sd_forest_tunables, .overrules = sd_trees_overrules, .encode = sd_trees_encode, )
      .ops = &ops_forest,
  /* DTM loses a fourth without the shape, which no sample has (papers/repair/dtm.md) */
  .trials = { .settings = { "block=1024,slots=64,leaves=1000", "block=1024,slots=256,leaves=1000",
                            "block=128", "block=256", "block=1024", "block=8192" },
              .ways = { "groups=no" },
              .more = forest_more,
              .quick = SD_QUICK,
              .gain = 0.7,
              .slow = true },
  .latency = { 0, 51.5, 9.35, 289 },        /* as trees */
  .memory = { 1, 3, 256 << 20, 132 << 20 }, /* a thread more holds samples, too (pass.c) */
  .colour = "#5f8f4f",
  .mark = 9,
};
