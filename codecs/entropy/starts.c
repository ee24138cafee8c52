/** \file starts.c
 * Index of the block starts: an Elias-Fano code (Elias 1974, Fano 1971), about 2 + log2 (positions per block)
 * bits a block and exact, where the sparse index of Syzygy, 4 and appendix A.4 takes 16 bits a block and the
 * samples. Finding a block: two neighbours in a list of where the groups of equal upper bits begin (32 bits
 * for each, one to two groups a block; made when a stream is opened, not in the file), a few lower parts, and
 * where no start of the group is early enough, upper bits backwards. */
#include "config.h"
#include "codecs/entropy/coded_blocks.h"

#include <stdlib.h>
#include <string.h>

uint64_t sd_starts_bytes (uint64_t blocks, uint64_t n) {
  return blocks < 2 ? 0 : sd_ef_bytes (blocks - 1, n);
}

void sd_ef_write (const uint64_t *value, uint64_t n, uint64_t universe, sd_buf *out) {
  const unsigned low = sd_ef_low (n, universe);
  const uint64_t bytes = sd_ef_bytes (n, universe);
  uint8_t *p = sd_alloc0 (bytes, 1), *upper = p + (n * low + 7) / 8;
  if (!p) {
    out->failed = true;
    return;
  }
  for (uint64_t j = 0, at = 0; j < n; j++) {
    const uint64_t u = (value[j] >> low) + j;
    for (unsigned b = 0; b < low; b++, at++)
      p[at / 8] |= (uint8_t) ((value[j] >> b & 1) << at % 8);
    upper[u / 8] |= (uint8_t) (1 << u % 8);
  }
  sd_buf_append (out, p, bytes);
  free (p);
}

void sd_starts_write (const uint64_t *start, uint64_t blocks, uint64_t n, sd_buf *out) {
  if (blocks > 1)
    sd_ef_write (start + 1, blocks - 1, n, out);
}

/* 64 bits from bit position 8 * byte on; zeros beyond what may be read. */
static inline uint64_t load64 (const uint8_t *p, size_t avail, uint64_t byte) {
  uint64_t w = 0;
  if (byte + 8 <= avail)
    memcpy (&w, p + byte, 8);
  else if (byte < avail)
    memcpy (&w, p + byte, avail - byte);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  w = __builtin_bswap64 (w);
#endif
  return w;
}
static inline uint64_t lower_at (const sd_starts *s, uint64_t j) {
  uint64_t at = j * s->low, mask = ((uint64_t) 1 << s->low) - 1;
  return load64 (s->lower, s->lower_avail, at >> 3) >> (at & 7) & mask; /* low < 48: one word has it all */
}
/* Word k of the upper bits, with zeros behind the last one. */
static inline uint64_t upper_word (const sd_starts *s, uint64_t k) {
  if (64 * k >= s->upper_bits)
    return 0;
  uint64_t w = load64 (s->upper, s->upper_avail, 8 * k), left = s->upper_bits - 64 * k;
  return left < 64 ? w & (((uint64_t) 1 << left) - 1) : w;
}

int sd_starts_open (sd_starts *s, const uint8_t *data, uint64_t bytes, size_t avail, uint64_t blocks,
                    uint64_t n) {
  *s = (sd_starts){ .n = n, .blocks = blocks };
  if (blocks < 2)
    return SD_OK;
  uint64_t count = blocks - 1;
  if (count >= n || bytes != sd_starts_bytes (blocks, n) || bytes > avail || n > UINT64_C (1) << 48)
    return SD_EFORMAT;
  s->low = sd_ef_low (count, n);
  s->upper_bits = sd_ef_upper_bits (count, n);
  uint64_t lower_bytes = (count * s->low + 7) / 8;
  s->lower = data;
  s->lower_avail = avail;
  s->upper = data + lower_bytes;
  s->upper_avail = avail - lower_bytes;
  if (s->upper_bits > UINT32_MAX)
    return SD_EFORMAT;
  uint64_t zeros = s->upper_bits - count;
  s->group = sd_alloc0 (zeros + 1, sizeof *s->group);
  if (!s->group)
    return SD_ENOMEM;
  uint64_t j = 0, zero = 0, last = 0;
  for (uint64_t b = 0; b < s->upper_bits; b++) {
    if (!(data[lower_bytes + (b >> 3)] >> (b & 7) & 1)) {
      if (++zero > zeros)
        break;
      s->group[zero] = (uint32_t) b + 1;
      continue;
    }
    if (j == count)
      break;
    uint64_t v = (b - j) << s->low | lower_at (s, j);
    if (v <= last || v >= n)
      break;
    last = v;
    j++;
  }
  if (j == count && zero == zeros)
    return SD_OK;
  sd_starts_close (s);
  return SD_EFORMAT;
}

int sd_starts_read (sd_starts *s, sd_reader *r, uint64_t blocks, uint64_t n, uint64_t *bytes) {
  const uint64_t avail = (uint64_t) (r->end - r->p);
  *bytes = sd_starts_bytes (blocks, n);
  const uint8_t *at = sd_get_bytes (r, *bytes);
  return at ? sd_starts_open (s, at, *bytes, avail, blocks, n) : SD_EFORMAT;
}

int sd_coded_blocks_open (sd_coded_blocks *b, const char *codec, sd_reader *r, uint64_t blocks, uint64_t n,
                          sd_codec_parts *parts, sd_error *err) {
  const uint64_t avail = (uint64_t) (r->end - r->p);
  const int status = sd_starts_read (&b->starts, r, blocks, n, &parts->index);
  if (status == SD_ENOMEM)
    return sd_fail_memory (err, 0);
  if (status)
    return sd_fail (err, status, "%s: index: %llu bytes that list no %llu blocks", codec,
                    (unsigned long long) avail, (unsigned long long) blocks);
  b->payload = r->p;
  b->payload_bytes = parts->payload = (uint64_t) (r->end - r->p);
  parts->blocks = blocks;
  if (b->payload_bytes > blocks * b->block || b->payload_bytes <= (blocks - 1) * b->block)
    return sd_fail (err, SD_EFORMAT, "%s: payload: %llu bytes do not fill %llu blocks of %u bytes", codec,
                    (unsigned long long) b->payload_bytes, (unsigned long long) blocks, b->block);
  return SD_OK;
}

void sd_starts_close (sd_starts *s) {
  free (s->group);
  s->group = NULL;
}

uint64_t sd_starts_find (const sd_starts *s, uint64_t i, uint64_t *first, uint64_t *end) {
  *first = 0;
  if (end)
    *end = s->n;
  if (s->blocks < 2)
    return 0;
  const uint64_t h = i >> s->low, p = s->group[h]; /* the starts with upper part h stand from p on */
  const uint64_t behind = h < s->upper_bits - (s->blocks - 1) ? s->group[h + 1] - 1 : s->upper_bits;
  const uint64_t j = p - h, ones = behind - p; /* starts before p; how many stand there */
  uint64_t k, w;
  uint64_t mask = ((uint64_t) 1 << s->low) - 1, lo = 0, hi = ones; /* how many of them are at or before i */
  while (lo < hi) {
    uint64_t mid = (lo + hi) / 2;
    if (lower_at (s, j + mid) <= (i & mask))
      lo = mid + 1;
    else
      hi = mid;
  }
  if (lo) {
    *first = h << s->low | lower_at (s, j + lo - 1);
  } else if (j) { /* the start before stands in an earlier group: look back for its one */
    k = p >> 6;
    w = p & 63 ? upper_word (s, k) & (((uint64_t) 1 << (p & 63)) - 1) : 0;
    while (!w && k)
      w = upper_word (s, --k);
    uint64_t b = 64 * k + 63 - (unsigned) __builtin_clzll (w | 1);
    *first = (b - (j - 1)) << s->low | lower_at (s, j - 1);
  }
  if (end && j + lo < s->blocks - 1) {
    k = (p + lo) >> 6;
    w = upper_word (s, k) & (~(uint64_t) 0 << ((p + lo) & 63));
    while (!w)
      w = upper_word (s, ++k);
    uint64_t b = 64 * k + (unsigned) __builtin_ctzll (w);
    *end = (b - (j + lo)) << s->low | lower_at (s, j + lo);
  }
  return j + lo;
}

bool sd_starts_fetch (const sd_starts *s, uint64_t i, unsigned step) {
  if (s->blocks < 2)
    return false;
  const uint32_t *group = s->group + (i >> s->low);
  if (step == 0) {
    __builtin_prefetch (group);
    return true;
  }
  const uint64_t upper = *group ? *group - 1 : 0, starts = *group - (i >> s->low);
  __builtin_prefetch (s->lower + (starts * s->low >> 3));
  __builtin_prefetch (s->upper + (upper >> 3)); /* where no start of the group is early enough */
  return false;
}
