/* One stream: the slots become symbols of a dictionary (repair/grammar.h), the symbols codes, and these
 * blocks; the sparse index says in which block every so many-th slot lies.
 *
 * Numbers of symbols: longer codes first, as readers take it; behind them all, without codes, those that are
 * only parts of others. A block size is tried at the price of one parse. The slots come in the order of an
 * index, each with the set of values that it may hold; the parts go out as a file holds them, a buffer each,
 * and write.c puts those of all streams together. */
#include "config.h"
#include "repair/grammar.h"
#include "syzygy/syzygy_write.h"
#include <stdlib.h>
#include <string.h>

enum {
  LEAST_BITS = 5, /* bytes of a block as powers of two */
  MOST_BITS = 16,
  ENTRY_BITS = 24,  /* of a symbol in the header: two numbers of 12 bits */
  SPAN_BLOCKS = 64, /* blocks that a reader passes from an entry of the sparse index, at most twice that */
  LARGE = 64,       /* blocks beyond which smaller ones are not tried */
  EXCESS = 4,       /* times as many phrases as fit, where dictionaries become full */
  PART = 1 << 22,   /* slots behind which a block begins, so that threads share the last parse */
  NO_SYMBOL = 4095  /* of a phrase that no block needs; numbers of symbols end below it */
};

static void put_u16 (sd_buf *b, unsigned v) {
  sd_buf_u8 (b, v & 255);
  sd_buf_u8 (b, v >> 8 & 255);
}

void sd_syzygy_stream_clear (sd_syzygy_stream *s) {
  sd_buf_free (&s->header);
  sd_buf_free (&s->sparse);
  sd_buf_free (&s->lengths);
  sd_buf_free (&s->data);
  *s = (sd_syzygy_stream){ 0 };
}

uint64_t sd_syzygy_stream_bytes (const sd_syzygy_stream *s) {
  return s->single ? 2 : 1 + s->header.len + s->sparse.len + s->lengths.len + s->data.len;
}

/* ------------------------------------------------------- numbers of symbols */

typedef struct numbers {
  unsigned n, min_bits, max_bits;
  unsigned count[SD_SYZYGY_MAX_BITS + 2]; /* symbols with a code of this length */
  uint16_t *of;                           /* [symbol of the grammar] */
  uint32_t *code;                         /* the same */
} numbers;

/* Symbols that are used, and the parts of these. */
static void mark (const sd_grammar *g, unsigned id, bool *used) {
  if (used[id])
    return;
  used[id] = true;
  /* Parts have codes of their own only if they also stand alone. */
  if (id >= g->m) { /* parts are shorter */
    mark (g, g->left[id], used);
    mark (g, g->right[id], used);
  }
}

/* Of lengths of codes (g->bits) the numbers and codes that readers compute from the header alone (make_bases
 * in header.c): both sides must count in the same order. */
static void number_symbols (const sd_grammar *g, const bool *used, numbers *k) {
  unsigned at[SD_SYZYGY_MAX_BITS + 2], next = 0;
  uint64_t code[SD_SYZYGY_MAX_BITS + 2], base = 0;

  k->min_bits = SD_SYZYGY_MAX_BITS;
  /* How many symbols there are of each length of code; 0: only parts of others. */
  for (unsigned id = 0; id < g->n; id++) {
    const unsigned bits = g->bits[id];
    k->n += used[id];
    k->count[bits] += used[id];
    k->max_bits = bits > k->max_bits ? bits : k->max_bits;
    k->min_bits = bits && bits < k->min_bits ? bits : k->min_bits;
  }
  for (unsigned bits = k->max_bits; bits > 0; bits--) { /* the longest codes have the lowest values */
    at[bits] = next;
    next += k->count[bits];
    code[bits] = base;
    /* The codes of this length fill so many codes of the next shorter one. */
    base = (base + k->count[bits]) / 2;
  }
  /* Symbols without a code come last, where no code leads. */

  at[0] = next;
  for (unsigned id = 0; id < g->n; id++)
    if (used[id]) {
      const unsigned bits = g->bits[id];
      k->of[id] = (uint16_t) at[bits]++;
      k->code[id] = bits ? (uint32_t) code[bits]++ : 0;
    }
}

/* On failure k holds what has been allocated; free_numbers () takes it in any case. */
static int make_numbers (const sd_grammar *g, numbers *k, sd_error *err) {
  SD_OWNED bool *used = sd_alloc0 (g->n, sizeof *used);
  *k = (numbers){ .of = sd_alloc0 (g->n, sizeof *k->of), .code = sd_alloc0 (g->n, sizeof *k->code) };
  if (!used || !k->of || !k->code)
    return sd_fail_memory (err, 0);
  for (unsigned id = 0; id < g->n; id++)
    if (g->bits[id])
      mark (g, id, used);
  number_symbols (g, used, k);
  for (unsigned id = 0; id < g->n; id++)
    if (!used[id])
      k->of[id] = NO_SYMBOL;
  return SD_OK;
}

static void free_numbers (numbers *k) {
  free (k->of);
  free (k->code);
}

/* ------------------------------------------------------------------- parts */

/* What the header says of blocks. */
typedef struct layout {
  unsigned block_bits, span_bits, padding;
} layout;

static int put_header (const sd_grammar *g, const numbers *k, const sd_grammar_cut *cut, const layout *l,
                       sd_buf *out) {
  SD_OWNED uint16_t *symbol = sd_alloc (k->n, sizeof *symbol);
  if (!symbol)
    return SD_ENOMEM;
  for (unsigned id = 0; id < g->n; id++)
    if (k->of[id] != NO_SYMBOL)
      symbol[k->of[id]] = (uint16_t) id;

  sd_buf_u8 (out, l->block_bits);
  sd_buf_u8 (out, l->span_bits);
  sd_buf_u8 (out, l->padding);
  sd_buf_u32 (out, (uint32_t) cut->blocks);
  sd_buf_u8 (out, k->max_bits);
  sd_buf_u8 (out, k->min_bits);
  /* Of each length the lowest symbol: as many as have longer codes stand before it. */
  for (unsigned bits = k->min_bits; bits <= k->max_bits; bits++) {
    unsigned lowest = 0;
    for (unsigned longer = bits + 1; longer <= k->max_bits; longer++)
      lowest += k->count[longer];
    put_u16 (out, lowest);
  }

  put_u16 (out, k->n);
  /* Two numbers of 12 bits: the parts, or the value of a leaf. */
  for (unsigned s = 0; s < k->n; s++) {
    const unsigned id = symbol[s], leaf = id < g->m, left = leaf ? id : k->of[g->left[id]],
                   right = leaf ? SD_SYZYGY_LEAF : k->of[g->right[id]];
    sd_buf_u8 (out, left & 255);
    sd_buf_u8 (out, left >> 8 | (right & 15) << 4);
    sd_buf_u8 (out, right >> 4);
  }
  return sd_buf_status (out);
}

/* The middle of each span: its block, and its place there. Behind the end stand blocks that there are not, as
 * long as blocks can be. */
static void put_sparse (const sd_grammar_cut *cut, uint64_t slots, unsigned span_bits, sd_buf *out) {
  const uint64_t span = (uint64_t) 1 << span_bits;
  uint64_t block = 0;

  for (uint64_t from = 0; from < slots; from += span) {
    const uint64_t middle = from + span / 2;
    /* Middles rise, and so do their blocks. */
    while (block + 1 < cut->blocks && cut->start[block + 1] <= middle)
      block++;

    uint64_t at = block, place = middle - cut->start[block];
    if (place >= SD_SYZYGY_BLOCK_SLOTS) { /* behind the last one */
      place = middle - slots;
      at = cut->blocks + place / SD_SYZYGY_BLOCK_SLOTS;
      place %= SD_SYZYGY_BLOCK_SLOTS;
    }
    /* A reader goes from the middle of a span either way. */
    sd_buf_u32 (out, (uint32_t) at);
    put_u16 (out, (unsigned) place);
  }
}

/* Blocks that there are not, which the last entry needs. */
static unsigned padding_blocks (const sd_grammar_cut *cut, uint64_t slots, unsigned span_bits) {
  const uint64_t span = (uint64_t) 1 << span_bits, middle = (slots - 1) / span * span + span / 2;
  return middle < slots || middle - cut->start[cut->blocks - 1] < SD_SYZYGY_BLOCK_SLOTS
             ? 0
             : (unsigned) ((middle - slots) / SD_SYZYGY_BLOCK_SLOTS + 1);
}

/* The power of two of the slots between two entries of the sparse index: more of them cost bytes, fewer cost
 * a probe's time. */
static unsigned choose_span (uint64_t slots, uint64_t blocks) {
  unsigned bits = 1;
  /* As long spans as a reader's walk along the lengths allows: an entry takes six bytes. */
  while (bits < 31 && (uint64_t) 1 << bits < slots
         && ((uint64_t) 2 << bits) <= (slots / blocks + 1) * SPAN_BLOCKS)
    bits++;
  /* No longer than it takes for one entry. */
  while (bits > 1 && ((slots - 1) >> (bits - 1)) == 0)
    bits--;
  return bits;
}

static void put_data (const sd_grammar_cut *cut, const numbers *k, uint64_t block_bytes, sd_buf *out) {
  for (uint64_t b = 0; b < cut->blocks; b++) {
    sd_bitw w = { .out = out };
    /* Codes do not cross blocks. */
    for (uint64_t i = cut->first[b]; i < cut->first[b + 1]; i++)
      sd_bitw_put (&w, k->code[cut->symbol[i]], cut->grammar.bits[cut->symbol[i]]);
    sd_bitw_flush (&w);
    /* Blocks have one size; what is left of one is zeros. */
    while (!out->failed && out->len < (b + 1) * block_bytes)
      sd_buf_u8 (out, 0);
  }
}

/* What a file holds of a stream, part by part. */
static int put_parts (const sd_grammar_cut *cut, uint64_t slots, unsigned block_bits, sd_syzygy_stream *out,
                      sd_error *err) {
  SD_RELEASED_BY (free_numbers) numbers k = { 0 };
  const unsigned span_bits = choose_span (slots, cut->blocks),
                 padding = padding_blocks (cut, slots, span_bits);
  const layout l = { block_bits, span_bits, padding };
  SD_TRY (make_numbers (&cut->grammar, &k, err));
  SD_TRY (put_header (&cut->grammar, &k, cut, &l, &out->header));
  put_sparse (cut, slots, span_bits, &out->sparse);
  /* Lengths are stored less 1: no block is empty. */
  for (uint64_t b = 0; b < cut->blocks; b++)
    put_u16 (&out->lengths, (unsigned) (cut->start[b + 1] - cut->start[b] - 1));
  for (unsigned b = 0; b < padding; b++)
    put_u16 (&out->lengths, SD_SYZYGY_BLOCK_SLOTS - 1);
  put_data (cut, &k, (uint64_t) 1 << block_bits, &out->data);
  return sd_buf_status (&out->sparse) || sd_buf_status (&out->lengths) || sd_buf_status (&out->data)
             ? sd_fail_memory (err, 0)
             : SD_OK;
}

/* ------------------------------------------------------------------ streams */

/* A value up to `most` that all slots admit, the least one. */
static bool one_value (const sd_seq *slots, unsigned most, unsigned *value) {
  const unsigned m = sd_alphabet_main (slots->alphabet);
  /* A stream of one value takes two bytes. */
  for (unsigned v = 0; v < m && v <= most; v++) {
    uint64_t i = 0;
    while (i < slots->n && sd_admits (slots->alphabet, slots->sym[i], (sd_symbol) v))
      i++;
    if (i == slots->n) {
      *value = v;
      return true;
    }
  }
  return false;
}

static void free_maker (sd_grammar_maker **maker) {
  sd_grammar_maker_free (*maker);
}

/* The smallest of the sizes of blocks that are allowed. */
static int best_blocks (sd_grammar_maker *maker, const sd_seq *slots, const sd_syzygy_effort *effort,
                        sd_syzygy_stream *out, sd_error *err) {
  for (unsigned bits = effort->block_bits; bits >= effort->least_block_bits; bits--) {
    SD_RELEASED_BY (sd_grammar_cut_clear) sd_grammar_cut cut = { 0 };
    SD_RELEASED_BY (sd_syzygy_stream_clear) sd_syzygy_stream one = { 0 };
    /* The same dictionary, parsed anew for each size of blocks. */
    SD_TRY (sd_grammar_cut_blocks (maker, 8u << bits, &cut, err));
    if (sd_grammar_split (&cut, slots))
      return sd_fail_memory (err, 0);
    if (cut.blocks > UINT32_MAX)
      return sd_fail (err, SD_ERANGE, "more blocks than the format counts");

    SD_TRY (put_parts (&cut, slots->n, bits, &one, err));
    if (!out->header.len || sd_syzygy_stream_bytes (&one) < sd_syzygy_stream_bytes (out)) {
      const sd_syzygy_stream swap = *out;
      *out = one;
      one = swap;
    } else
      break; /* each block has a length of two bytes, and still smaller ones have more of these */
    /* Of many blocks smaller ones are not tried: each size takes a parse. */
    if (out->data.len > (size_t) LARGE << bits)
      break;
  }
  return SD_OK;
}

static int encode (const sd_seq *slots, const sd_syzygy_effort *effort, sd_syzygy_stream *out,
                   sd_error *err) {
  const bool large = sd_syzygy_is_large (effort, slots->n), small = !large && slots->n <= effort->small;
  /* What the format allows, and how much work `effort` gives to a stream of this size. */
  const sd_grammar_rules rules = { .symbols = SD_SYZYGY_MAX_SYMBOLS,
                                   .positions = SD_SYZYGY_MAX_LENGTH,
                                   .block_positions = SD_SYZYGY_BLOCK_SLOTS,
                                   .entry_bits = ENTRY_BITS,
                                   .code_bits = SD_SYZYGY_MAX_BITS,
                                   .initial = effort->initial,
                                   .compatible = true,
                                   .rounds = large ? effort->large_rounds : effort->rounds,
                                   .restarts = large   ? effort->large_restarts
                                               : small ? effort->small_restarts
                                                       : effort->restarts,
                                   .wide_rounds = large   ? effort->large_wide_rounds
                                                  : small ? effort->wide_rounds
                                                          : 0,
                                   .slack = large   ? effort->large_slack
                                            : small ? effort->small_slack
                                                    : effort->slack,
                                   .lead = large ? effort->large_lead : 0,
                                   .hasty = large,
                                   .detours = !large,
                                   .excess = large ? EXCESS : 1,
                                   .sample = large ? effort->sample : 0,
                                   .part_positions = PART };
  SD_RELEASED_BY (free_maker) sd_grammar_maker *maker = NULL;
  /* Once for all sizes of blocks. */
  SD_TRY (sd_grammar_find (slots, &rules, &maker, err));
  return best_blocks (maker, slots, effort, out, err);
}

int sd_syzygy_encode (const sd_seq *slots, const sd_syzygy_effort *effort, sd_syzygy_stream *out,
                      sd_error *err) {
  *out = (sd_syzygy_stream){ 0 };
  if (!slots->n || effort->least_block_bits < LEAST_BITS || effort->block_bits > MOST_BITS
      || effort->least_block_bits > effort->block_bits)
    return sd_fail (err, SD_EINVAL, "no slots, or blocks of 2^%u to 2^%u bytes, not within 2^5 to 2^16",
                    effort->least_block_bits, effort->block_bits);
  /* Readers know such streams by a flag. */
  if (one_value (slots, effort->most_single, &out->value)) {
    out->single = true;
    return SD_OK;
  }
  const int status = encode (slots, effort, out, err);
  if (status)
    sd_syzygy_stream_clear (out);
  return status;
}
