/** \file huffman_model.c
 * The code lengths of all words by an adaptive range coder. A word's length is guessed from those of two
 * words that have been told already: of the word before, which differs in the last slot, and of the one that
 * differs in the slot before that. Layout: docs/format.md, section 7.7. Writing and reading are one walk
 * (sd_rc_coder), so that they cannot come apart. */
#include "config.h"
#include "codecs/huffman/huffman_internal.h"
#include "codecs/entropy/range_coder.h"

#include <string.h>

enum { BITS = 5, CLASSES = SD_HUFFMAN_LONGEST + 1, ROW = 1 << BITS };

/* Lengths of 0 are those of words that never occur; a bit of its own tells them. */
static int code_model (sd_rc_coder *c, uint8_t *length, unsigned words, unsigned m) {
  SD_OWNED sd_rc_bit *unused = sd_alloc (CLASSES * CLASSES, sizeof *unused);
  SD_OWNED sd_rc_bit *row = sd_alloc (CLASSES * ROW, sizeof *row);

  if (!unused || !row)
    return SD_ENOMEM;
  sd_rc_init (unused, CLASSES * CLASSES);
  sd_rc_init (row, CLASSES * ROW);

  for (unsigned v = 0; v < words; v++) {
    /* `above` differs in the slot before the last one, `before` in the last one. */
    const unsigned before = v ? length[v - 1] : 0, above = v >= m ? length[v - m] : before;
    const unsigned like = above ? above : before;
    if (sd_rc_code_bit (c, unused + before * CLASSES + above, length[v] == 0))
      length[v] = 0;
    else
      length[v] = (uint8_t) (1 + sd_rc_code_number (c, row + like * ROW, BITS, length[v] - 1u));
    if (length[v] > SD_HUFFMAN_LONGEST)
      return SD_EFORMAT;
  }
  return SD_OK;
}

int sd_huffman_put_model (const uint8_t *length, unsigned words, unsigned m, sd_buf *out) {
  const size_t start = out->len;
  sd_rc_enc e = sd_rc_enc_of (out);
  sd_rc_coder c = { .enc = &e };
  SD_OWNED uint8_t *copy = sd_alloc (words, 1); /* the walk writes what it is given */
  if (!copy)
    return SD_ENOMEM;
  memcpy (copy, length, words);
  int status = code_model (&c, copy, words, m);
  sd_rc_finish (&e, start);
  return status ? status : sd_buf_status (out);
}

int sd_huffman_get_model (const uint8_t *data, size_t len, unsigned words, unsigned m, uint8_t *length) {
  sd_rc_dec d = sd_rc_dec_of (data, len);
  sd_rc_coder c = { .dec = &d };
  memset (length, 0, words);
  return code_model (&c, length, words, m);
}
