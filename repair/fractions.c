/** \file fractions.c
 * What a code with rANS takes less than the whole bits that the model tells, in quarters of a bit: two bits
 * for each phrase, by the adaptive range coder. The model has code lengths in whole bits, which Huffman codes
 * need; rANS can do with less, and both sides get the frequencies from lengths and fractions alone
 * (codecs/entropy/rans.c). */
#include "config.h"
#include "codecs/entropy/range_coder.h"
#include "repair/repair_internal.h"

typedef struct fractions {
  sd_rc_bit bit[SD_HUFFMAN_MAX_LENGTH + 1][4]; /* by the whole part; two bits as a tree */
} fractions;

static void fractions_init (fractions *f) {
  sd_rc_init (&f->bit[0][0], sizeof f->bit / sizeof (sd_rc_bit));
}

void sd_payload_write_rans (const uint8_t *cost, unsigned ids, sd_buf *out) {
  fractions f;
  SD_RELEASED_BY (sd_buf_free) sd_buf code = { 0 };
  sd_rc_enc enc = sd_rc_enc_of (&code);
  fractions_init (&f);
  for (unsigned v = 0; v < ids; v++) {
    if (!cost[v])
      continue;
    /* Rounded up, as the model tells it, and by how many quarters that is too much. */
    const unsigned whole = (cost[v] + 3u) / 4, less = 4 * whole - cost[v];
    sd_rc_put (&enc, &f.bit[whole][1], less >> 1);
    sd_rc_put (&enc, &f.bit[whole][2 + (less >> 1)], less & 1);
  }
  sd_rc_finish (&enc, 0);
  if (code.failed)
    out->failed = true;
  sd_buf_varint (out, code.len);
  sd_buf_append (out, code.data, code.len);
}

/* model->bits has the whole bits already. Any bytes give some fractions; what cannot be a code sd_rans_init
 * () refuses. */
int sd_payload_read_rans (sd_reader *r, const sd_model *model, sd_rans *rans, sd_error *err) {
  const uint64_t bytes = sd_get_varint (r);
  const uint8_t *p = sd_get_bytes (r, bytes);

  if (!p)
    return sd_fail (err, SD_EFORMAT, "repair: fractions of bits: cut off, %llu bytes are announced",
                    (unsigned long long) bytes);
  fractions f;
  sd_rc_dec dec = sd_rc_dec_of (p, bytes);

  SD_OWNED uint8_t *cost = sd_alloc0 (model->ids, 1);
  if (!cost)
    return sd_fail_memory (err, model->ids);
  fractions_init (&f);
  for (unsigned v = 0; v < model->ids; v++) {
    const unsigned whole = model->bits[v];
    if (!whole)
      continue;
    const unsigned high = sd_rc_get (&dec, &f.bit[whole][1]);
    cost[v] = (uint8_t) (4 * whole - (2 * high + sd_rc_get (&dec, &f.bit[whole][2 + high])));
  }
  const int status = sd_rans_init (rans, cost, model->ids);
  return status == SD_OK       ? SD_OK
         : status == SD_ENOMEM ? sd_fail_memory (err, 0)
                               : sd_fail (err, SD_EFORMAT, "repair: model: no phrase has a code");
}
