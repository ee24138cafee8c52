/* Byte buffers, bounded readers, bit writer, checksum. */
#include "config.h"
#include "base/base.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A buffer that has failed stays failed: whoever writes asks once, at the end. */
static bool reserve (sd_buf *b, size_t more) {
  if (b->failed)
    return false;
  if (b->cap - b->len >= more)
    return true;
  /* Doubled, so that appending byte by byte takes linear time. */
  size_t want = b->cap ? b->cap : 64;
  while (want - b->len < more) {
    if (want > SIZE_MAX / 4) {
      b->failed = true;
      return false;
    }
    want *= 2;
  }
  uint8_t *p = realloc (b->data, want);
  if (!p) {
    b->failed = true;
    return false;
  }
  b->data = p;
  b->cap = want;
  return true;
}

void sd_buf_append (sd_buf *b, const void *src, size_t n) {
  if (n == 0 || !reserve (b, n))
    return;
  memcpy (b->data + b->len, src, n);
  b->len += n;
}

static void put_le (sd_buf *b, uint64_t v, unsigned bytes) {
  uint8_t raw[8];
  for (unsigned i = 0; i < bytes; i++)
    raw[i] = (uint8_t) (v >> (8 * i));
  sd_buf_append (b, raw, bytes);
}
void sd_buf_u8 (sd_buf *b, unsigned v) {
  put_le (b, v, 1);
}
void sd_buf_u32 (sd_buf *b, uint32_t v) {
  put_le (b, v, 4);
}
void sd_buf_u64 (sd_buf *b, uint64_t v) {
  put_le (b, v, 8);
}
void sd_buf_varint (sd_buf *b, uint64_t v) {
  for (; v >= 0x80; v >>= 7)
    sd_buf_u8 (b, (v & 0x7f) | 0x80);
  sd_buf_u8 (b, (unsigned) v);
}
void sd_buf_free (sd_buf *b) {
  if (b) {
    free (b->data);
    memset (b, 0, sizeof *b);
  }
}
int sd_buf_status (const sd_buf *b) {
  return b->failed ? SD_ENOMEM : SD_OK;
}

const uint8_t *sd_get_bytes (sd_reader *r, uint64_t n) {
  if (r->bad || (uint64_t) (r->end - r->p) < n) {
    r->bad = true;
    return NULL;
  }
  const uint8_t *p = r->p;
  r->p += n;
  return p;
}
static uint64_t get_le (sd_reader *r, unsigned bytes) {
  const uint8_t *p = sd_get_bytes (r, bytes);
  uint64_t v = 0;
  if (p)
    for (unsigned i = 0; i < bytes; i++)
      v |= (uint64_t) p[i] << (8 * i);
  return v;
}
unsigned sd_get_u8 (sd_reader *r) {
  return (unsigned) get_le (r, 1);
}
uint32_t sd_get_u32 (sd_reader *r) {
  return (uint32_t) get_le (r, 4);
}
uint64_t sd_get_u64 (sd_reader *r) {
  return get_le (r, 8);
}
uint64_t sd_get_varint (sd_reader *r) {
  uint64_t v = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    unsigned byte = sd_get_u8 (r);
    if (r->bad)
      return 0;
    if (shift == 63 && byte > 1) /* more than 64 bits */
      break;
    v |= (uint64_t) (byte & 0x7f) << shift;
    if (!(byte & 0x80)) {
      if (byte == 0 && shift > 0) /* overlong: the same number has a shorter form */
        break;
      return v;
    }
  }
  r->bad = true;
  return 0;
}

void sd_bitw_put (sd_bitw *w, uint64_t value, unsigned nbits) {
  if (nbits == 0)
    return;
  w->acc = (w->acc << nbits) | (value & (~0ull >> (64 - nbits)));
  w->fill += nbits;
  while (w->fill >= 8) {
    w->fill -= 8;
    sd_buf_u8 (w->out, (unsigned) (w->acc >> w->fill) & 0xff);
  }
}
void sd_bitw_flush (sd_bitw *w) {
  if (w->fill)
    sd_buf_u8 (w->out, (unsigned) (w->acc << (8 - w->fill)) & 0xff);
  w->fill = 0;
  w->acc = 0;
}

uint64_t sd_hash64 (const void *data, size_t n) {
  return XXH3_64bits (data, n);
}
