/** \file rle.c
 * Run lengths, Kristensen 2005's HRLE+ (Sec. 2.8; Chinook's way of storing): the sequence is cut into runs of
 * one symbol, their lengths get a canonical Huffman code, free slots are completed by the most frequent
 * symbol first (here by any initial replacement).
 *
 * What Kristensen 2005 leaves open: the symbols of the runs are Huffman coded as well, behind each symbol by
 * a code of its own if there are at most 8 of them (then most runs take one bit for their symbol, or none).
 * Lengths above 64 share classes, four for each power of two, and tell themselves apart by plain bits, so
 * that the code stays small. Blocks of a fixed number of coded bytes and an exact index of their first slots
 * (starts.c) make slots accessible: no run crosses the border of a block. Layout: docs/format.md,
 * section 7.4. */
#include "config.h"
#include "codecs/entropy/entropy.h"
#include "codecs/rle/rle_internal.h"

#include <stdlib.h>
#include <string.h>

const sd_tunable sd_rle_tunables[] = {
  SD_TUNABLE_INITIAL ("frequent"),
  { "block", "bytes of compressed data in a block", "128", SD_RLE_MIN_BLOCK, SD_RLE_MAX_BLOCK, NULL },
  { 0 },
};

typedef struct encoder {
  const sd_symbol *sym;
  uint64_t n;
  unsigned m, rows;
  uint8_t *value_bits, *length_bits; /* [rows * m], [SD_RLE_CLASSES] */
  uint32_t *value_code, *length_code;
  uint64_t *value_freq, *length_freq;
  sd_start_list starts;
} encoder;

/* Slots from i on that hold the same symbol. */
static uint64_t run_at (const encoder *e, uint64_t i) {
  uint64_t end = i + 1;
  while (end < e->n && e->sym[end] == e->sym[i])
    end++;
  return end - i;
}

static unsigned row_behind (const encoder *e, unsigned value) {
  return e->rows == 1 ? 0 : value * e->m;
}

/* Runs are counted as they stand in the sequence, since no border of a block cuts one (put_runs). */
static void count_runs (encoder *e) {
  for (uint64_t i = 0, length; i < e->n; i += length) {
    unsigned extra;
    length = run_at (e, i);
    e->length_freq[sd_rle_class (length, &extra)]++;
    if (i > 0)
      e->value_freq[row_behind (e, e->sym[i - 1]) + e->sym[i]]++;
  }
}

/* A row with one symbol takes no bits; its entry in value_bits stays 1 to say so in the stream. */
static unsigned used_in (const uint8_t *bits, unsigned n) {
  unsigned used = 0;
  for (unsigned i = 0; i < n; i++)
    used += bits[i] != 0;
  return used;
}

static int make_codes (encoder *e) {
  for (unsigned r = 0; r < e->rows; r++) {
    uint8_t *bits = e->value_bits + r * e->m;
    SD_TRY (sd_huffman_lengths (e->value_freq + r * e->m, e->m, SD_RLE_CODE, bits));
    SD_TRY (sd_huffman_codes (bits, e->m, e->value_code + r * e->m));
  }
  SD_TRY (sd_huffman_lengths (e->length_freq, SD_RLE_CLASSES, SD_RLE_CODE, e->length_bits));
  return sd_huffman_codes (e->length_bits, SD_RLE_CLASSES, e->length_code);
}

static int put_runs (encoder *e, unsigned block, sd_buf *out) {
  sd_bitw w = { .out = out };
  uint64_t room = 0;
  bool lone[8] = { false };

  /* What can only be followed by one symbol takes no bits for it. */
  for (unsigned r = 0; r < e->rows; r++)
    lone[r] = used_in (e->value_bits + r * e->m, e->m) == 1;
  for (uint64_t i = 0, length; i < e->n; i += length) {
    length = run_at (e, i);
    unsigned extra, kind = sd_rle_class (length, &extra), row = i ? row_behind (e, e->sym[i - 1]) : 0;
    unsigned value_bits = i == 0 || lone[row / e->m] ? 0 : e->value_bits[row + e->sym[i]];
    uint32_t value = e->value_code[row + e->sym[i]];
    /* It does not fit: the next block begins, with the symbol plainly, since nothing stands before it
     * there. */
    if (i == 0 || room < value_bits + e->length_bits[kind] + extra) {
      for (; room > 32; room -= 32)
        sd_bitw_put (&w, 0, 32);
      sd_bitw_put (&w, 0, (unsigned) room);
      SD_TRY (sd_start_list_add (&e->starts, i));
      room = 8 * (uint64_t) block;
      value = e->sym[i];
      value_bits = sd_bits_for (e->m);
    }
    sd_bitw_put (&w, value, value_bits);
    sd_bitw_put (&w, e->length_code[kind], e->length_bits[kind]);
    sd_bitw_put (&w, length & ((UINT64_C (1) << extra) - 1), extra);
    room -= value_bits + e->length_bits[kind] + extra;
  }
  sd_bitw_flush (&w);
  return sd_buf_status (out);
}

static int put_stream (encoder *e, unsigned block, sd_buf *out) {
  SD_RELEASED_BY (sd_buf_free) sd_buf payload = { 0 };
  count_runs (e);
  SD_TRY (make_codes (e));
  SD_TRY (put_runs (e, block, &payload));

  unsigned classes = SD_RLE_CLASSES;
  /* Long runs that do not occur need no lengths in the stream. */
  while (classes > 1 && !e->length_bits[classes - 1])
    classes--;
  sd_buf_varint (out, block - SD_RLE_MIN_BLOCK);
  sd_buf_varint (out, e->starts.n);
  sd_huffman_put_lengths (e->value_bits, e->rows * e->m, out);
  sd_buf_varint (out, classes);
  sd_huffman_put_lengths (e->length_bits, classes, out);
  sd_starts_write (e->starts.at, e->starts.n, e->n, out);
  sd_buf_append (out, payload.data, payload.len);
  return sd_buf_status (out);
}

int sd_rle_encode (const sd_encoding *what, sd_buf *out, sd_error *err) {
  const sd_seq *src = what->src;
  encoder e = { .sym = src->sym, .n = src->n, .m = sd_alphabet_main (src->alphabet) };

  if (e.n >> 48)
    return sd_fail (err, SD_ERANGE, "rle: more than 2^48 symbols");
  e.rows = sd_rle_rows (e.m);
  uint64_t values = (uint64_t) e.rows * e.m;
  e.value_bits = sd_alloc0 (values + SD_RLE_CLASSES, sizeof *e.value_bits);
  e.value_code = sd_alloc0 (values + SD_RLE_CLASSES, sizeof *e.value_code);
  e.value_freq = sd_alloc0 (values + SD_RLE_CLASSES, sizeof *e.value_freq);
  int st = e.value_bits && e.value_code && e.value_freq ? SD_OK : SD_ENOMEM;
  if (!st) {
    /* Lengths of runs stand behind the symbols, in the same memory. */
    e.length_bits = e.value_bits + values;
    e.length_code = e.value_code + values;
    e.length_freq = e.value_freq + values;
    st = put_stream (&e, (unsigned) sd_settings_int (what->set, "block"), out);
  }
  free (e.value_bits);
  free (e.value_code);
  free (e.value_freq);
  free (e.starts.at);
  return st ? sd_fail_memory (err, 0) : SD_OK;
}
