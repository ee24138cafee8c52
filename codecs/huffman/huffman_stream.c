/** \file huffman_stream.c
 * Codec `huffman`: canonical Huffman (Huffman 1952; canonical order: Schwartz and Kallick 1964) over
 * completed symbols, or over words of a few slots, where one slot would be worth less than the one bit that a
 * code takes at least. Free slots are completed by any initial replacement before.
 *
 * Blocks of a fixed number of coded bytes hold as many words as fit, and an exact index (starts.c) tells the
 * first word of each: so that a slot is found by decoding half a block on average, several words a step
 * (huffman_read.c). A stream of n words takes at most n (H + 1) bits by Huffman's bound, H being the entropy
 * of a word, and less than one code a block of padding, the index and the model. Codes have at most 24 bits,
 * which only sequences of more than 100,000 words with frequencies like Fibonacci's numbers would exceed.
 * Layout: docs/format.md, section 7.7. */
#include "config.h"
#include "base/parts.h"
#include "codecs/huffman/huffman_internal.h"

#include <stdlib.h>
#include <string.h>

const sd_tunable sd_huffman_tunables[] = {
  SD_TUNABLE_INITIAL ("frequent"),
  { "block", "bytes of compressed data in a block", "128", SD_HUFFMAN_MIN_BLOCK, SD_HUFFMAN_MAX_BLOCK, NULL },
  { "word", "slots in a code word, as far as there are 65536 words or less; 0: what makes the least bytes",
    "1", 0, SD_HUFFMAN_MAX_WORD, NULL },
  { 0 },
};

typedef struct encoder {
  const sd_symbol *sym;
  uint64_t n, count; /* slots; words */
  unsigned m, word, words;
  uint64_t *freq;  /* [words] */
  uint8_t *length; /* [words] bits of a word's code; 0: it never occurs */
  uint32_t *code;  /* [words] */
  sd_start_list starts;
} encoder;

/* Word number i, its first slot most significant; behind the last slot it goes on with that slot's symbol. */
static inline unsigned word_at (const encoder *e, uint64_t i) {
  unsigned v = 0;
  if (e->word == 1)
    return e->sym[i];
  for (unsigned k = 0; k < e->word; k++) {
    const uint64_t at = i * e->word + k;
    v = v * e->m + e->sym[at < e->n ? at : e->n - 1];
  }
  return v;
}

/* The code for words of k slots. */
static int make_code (encoder *e, unsigned k) {
  e->word = k;
  e->words = sd_huffman_words (e->m, k);
  e->count = (e->n + k - 1) / k;
  uint64_t *freq = e->freq;
  memset (freq, 0, e->words * sizeof *freq);
#pragma omp parallel for if (e->count > SD_PART) schedule(static) reduction(+ : freq[:e->words])
  for (uint64_t i = 0; i < e->count; i++)
    freq[word_at (e, i)]++;
  SD_TRY (sd_huffman_lengths (e->freq, e->words, SD_HUFFMAN_LONGEST, e->length));
  return sd_huffman_codes (e->length, e->words, e->code);
}

/* Bytes of model, payload and index with the code that is made, the payload's padding left out. */
static int estimate (const encoder *e, unsigned block, uint64_t *bytes) {
  SD_RELEASED_BY (sd_buf_free) sd_buf model = { 0 };
  uint64_t bits = 0;
  int status = sd_huffman_put_model (e->length, e->words, e->m, &model);
  for (unsigned v = 0; v < e->words; v++)
    bits += e->freq[v] * e->length[v];
  const uint64_t blocks = 1 + bits / (8 * (uint64_t) block);
  *bytes = model.len + bits / 8 + sd_starts_bytes (blocks < e->count ? blocks : e->count, e->count);
  return status;
}

/* As far as all words of that length have codes (SD_HUFFMAN_MAX_SYMBOLS). */
static unsigned longest_word (const encoder *e, unsigned limit) {
  unsigned k = 1;
  while (k < limit && sd_huffman_words (e->m, k + 1))
    k++;
  return k;
}

/* Each length is counted through the whole sequence, up to 16 passes: only `word=0` asks for that. A fixed
 * one is made shorter where there would be too many words. */
static int choose_word (encoder *e, unsigned wanted, unsigned block) {
  unsigned best = longest_word (e, wanted);
  if (wanted == 0) {
    uint64_t least = UINT64_MAX, bytes;
    const unsigned most = longest_word (e, SD_HUFFMAN_MAX_WORD);
    for (unsigned k = 1; k <= most; k++) {
      SD_TRY (make_code (e, k));
      SD_TRY (estimate (e, block, &bytes));
      best = bytes < least ? k : best;
      least = bytes < least ? bytes : least;
    }
  }
  return make_code (e, best);
}

#define GROUP 64 /* words whose bits are added up beforehand */

static uint64_t end_of_group (const encoder *e, uint64_t g) {
  return (g + 1) * GROUP < e->count ? (g + 1) * GROUP : e->count;
}

static unsigned bits_of_group (const encoder *e, uint64_t g) {
  const uint64_t end = end_of_group (e, g);
  unsigned sum = 0;
  for (uint64_t i = g * GROUP; i < end; i++)
    sum += e->length[word_at (e, i)];
  return sum;
}

/* Where blocks begin: each has as many words as fit. No code crosses the border of a block, so that each
 * block is read by itself. Where one ends is known from where it begins, so that one thread does this; it
 * passes over whole groups, whose bits all threads have added up. */
static int cut (encoder *e, unsigned block) {
  const uint64_t groups = (e->count + GROUP - 1) / GROUP;
  SD_OWNED uint16_t *bits = sd_alloc (groups, sizeof *bits);
  if (!bits)
    return SD_ENOMEM;
#pragma omp parallel for if (e->count > SD_PART) schedule(static)
  for (uint64_t g = 0; g < groups; g++)
    bits[g] = (uint16_t) bits_of_group (e, g);

  for (uint64_t i = 0; i < e->count;) {
    SD_TRY (sd_start_list_add (&e->starts, i));
    for (uint64_t room = 8 * (uint64_t) block, next; i < e->count; i = next) {
      const uint64_t g = i / GROUP;
      const bool whole = i % GROUP == 0 && bits[g] <= room;
      const unsigned takes = whole ? bits[g] : e->length[word_at (e, i)];
      if (takes > room)
        break;
      room -= takes;
      next = whole ? end_of_group (e, g) : i + 1;
    }
  }
  return SD_OK;
}

/* Block b by itself. */
static void put_block (const encoder *e, uint64_t b, sd_buf *out) {
  const uint64_t end = b + 1 < e->starts.n ? e->starts.at[b + 1] : e->count;
  sd_bitw w = { .out = out };
  for (uint64_t i = e->starts.at[b]; i < end; i++) {
    const unsigned v = word_at (e, i);
    sd_bitw_put (&w, e->code[v], e->length[v]);
  }
  sd_bitw_flush (&w);
}

/* The last block ends with its last code; of the others the rest is zeros. */
static int put_blocks (const encoder *e, unsigned block, uint8_t *to, uint64_t *bytes) {
  const uint64_t last = e->starts.n - 1;
  int status = SD_OK;
#pragma omp parallel if (e->count > SD_PART)
  {
    sd_buf own SD_RELEASED_BY (sd_buf_free) = { 0 };
#pragma omp for schedule(static) reduction(max : status)
    for (uint64_t b = 0; b <= last; b++) {
      own.len = 0;
      put_block (e, b, &own);
      status = sd_buf_status (&own) ? SD_ENOMEM : status;
      if (!sd_buf_status (&own))
        memcpy (to + b * block, own.data, own.len);
      if (b == last)
        *bytes = last * block + own.len;
    }
  }
  return status;
}

/* In the order of docs/format.md: numbers, model, index, payload. */
static int put_stream (encoder *e, unsigned block, sd_buf *out) {
  SD_RELEASED_BY (sd_buf_free) sd_buf model = { 0 };
  SD_TRY (cut (e, block));
  SD_OWNED uint8_t *payload = sd_alloc0 (e->starts.n, block);
  uint64_t bytes = 0;
  SD_TRY (payload ? put_blocks (e, block, payload, &bytes) : SD_ENOMEM);
  SD_TRY (sd_huffman_put_model (e->length, e->words, e->m, &model));
  sd_buf_varint (out, block - SD_HUFFMAN_MIN_BLOCK);
  sd_buf_varint (out, e->word);
  sd_buf_varint (out, e->starts.n);
  sd_buf_varint (out, model.len);
  sd_buf_append (out, model.data, model.len);
  sd_starts_write (e->starts.at, e->starts.n, e->count, out);
  sd_buf_append (out, payload, bytes);
  return sd_buf_status (out);
}

int sd_huffman_encode (const sd_encoding *what, sd_buf *out, sd_error *err) {
  const sd_seq *src = what->src;
  encoder e = { .sym = src->sym, .n = src->n, .m = sd_alphabet_main (src->alphabet) };
  const unsigned block = (unsigned) sd_settings_int (what->set, "block");
  const unsigned wanted = (unsigned) sd_settings_int (what->set, "word");

  if (e.n >> 48)
    return sd_fail (err, SD_ERANGE, "huffman: more than 2^48 symbols");
  /* Room for the longest words that may be tried. */
  const unsigned words = sd_huffman_words (e.m, longest_word (&e, wanted ? wanted : SD_HUFFMAN_MAX_WORD));
  e.freq = sd_alloc (words, sizeof *e.freq);
  e.length = sd_alloc (words, sizeof *e.length);
  e.code = sd_alloc (words, sizeof *e.code);
  int status = e.freq && e.length && e.code ? SD_OK : SD_ENOMEM;
  if (status == SD_OK)
    status = choose_word (&e, wanted, block);
  if (status == SD_OK)
    status = put_stream (&e, block, out);
  free (e.freq);
  free (e.length);
  free (e.code);
  free (e.starts.at);
  if (status == SD_ENOMEM)
    return sd_fail_memory (err, 0);
  return status ? sd_fail (err, status, "huffman: the code lengths: %s", sd_strerror (status)) : SD_OK;
}
