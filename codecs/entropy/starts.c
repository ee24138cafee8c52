/** \file starts.c
 * Index of the block starts: an Elias-Fano code (Elias 1974, Fano 1971), about 2 + log2 (positions per block)
 * bits a block and exact, where the sparse index of Syzygy, 4 and appendix A.4 takes 16 bits a block and the
 * samples. When a stream is opened the starts are written out, 4 bytes each, with a hint for each group of
 * equal upper bits, one to two groups a block: that is 8 to 12 bytes a block in memory and none in the file.
 * Finding a block is then a hint and the few starts behind it, in two places of the memory. Where no near
 * cache would hold the hints, there is one for eight groups (5 bytes a block together), and a few more starts
 * are passed. Starts are slots or words of slots, whatever the codec counts; the first one is 0 and is not
 * stored. */
#include "config.h"
#include "codecs/entropy/coded_blocks.h"

#include <stdlib.h>
#include <string.h>

enum {
  NEAR = 8,       /* so many starts are looked at one after the other */
  MANY = 1 << 13, /* blocks from which on a hint is for several groups */
  SEVERAL_BITS = 3
};

uint64_t sd_starts_bytes (uint64_t blocks, uint64_t n) {
  return blocks < 2 ? 0 : sd_ef_bytes (blocks - 1, n);
}

/* value[0..n-1] rise and lie below `universe`. The lower bits of all stand first, then the upper bits; both
 * parts begin at a byte. */
void sd_ef_write (const uint64_t *value, uint64_t n, uint64_t universe, sd_buf *out) {
  const unsigned low = sd_ef_low (n, universe);
  const uint64_t bytes = sd_ef_bytes (n, universe);
  uint8_t *p = sd_alloc0 (bytes, 1), *upper = p + (n * low + 7) / 8;

  if (!p) {
    out->failed = true;
    return;
  }
  for (uint64_t j = 0, at = 0; j < n; j++) {
    /* Upper bits in unary: the j-th one stands behind as many zeros as its upper bits say. */
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

/* Elias-Fano code of starts 1.. at data, followed to its end: fills start[1..] and hint[]. SD_EFORMAT. */
static int expand (sd_starts *s, const uint8_t *data, size_t avail) {
  const uint64_t count = s->blocks - 1, lower_bytes = (count * s->low + 7) / 8,
                 upper_bits = sd_ef_upper_bits (count, s->n), zeros = upper_bits - count,
                 mask = ((uint64_t) 1 << s->low) - 1;
  const uint8_t *upper = data + lower_bytes;
  const unsigned several = s->hint_bits - s->low;
  uint64_t j = 0, zero = 0, last = 0;

  for (uint64_t b = 0; b < upper_bits; b++) {
    /* A zero begins the next group of upper bits: the hint says how many starts came before. */
    if (!(upper[b >> 3] >> (b & 7) & 1)) {
      if (++zero > zeros)
        return SD_EFORMAT;
      if (zero % (1u << several) == 0)
        s->hint[zero >> several] = (uint32_t) j;
      continue;
    }
    if (j == count)
      return SD_EFORMAT;
    const uint64_t at = j * s->low; /* low < 48: one word has it all */
    const uint64_t v = (b - j) << s->low | (load64 (data, avail, at >> 3) >> (at & 7) & mask);
    /* Starts must rise: a block without slots would be found by nobody. */
    if (v <= last || v >= s->n)
      return SD_EFORMAT;
    last = v;
    j++;
    if (s->wide)
      s->wide[j] = v;
    else
      s->start[j] = (uint32_t) v;
  }
  s->hint[(zeros >> several) + 1] = (uint32_t) count;
  return j == count && zero == zeros ? SD_OK : SD_EFORMAT;
}

/* One block needs no index. With more than 2^32 slots starts take 8 bytes each, for nobody else. */
int sd_starts_open (sd_starts *s, const uint8_t *data, uint64_t bytes, size_t avail, uint64_t blocks,
                    uint64_t n) {
  *s = (sd_starts){ .n = n, .blocks = blocks };
  if (blocks < 2)
    return SD_OK;
  const uint64_t count = blocks - 1;
  if (count >= n || bytes != sd_starts_bytes (blocks, n) || bytes > avail || n > UINT64_C (1) << 48
      || sd_ef_upper_bits (count, n) > UINT32_MAX)
    return SD_EFORMAT;
  const bool wide = n > UINT32_MAX;

  s->low = sd_ef_low (count, n);
  s->hint_bits = s->low + (blocks < MANY ? 0 : SEVERAL_BITS);
  s->hint = sd_alloc0 (((n - 1) >> s->hint_bits) + 2, sizeof *s->hint);
  s->wide = wide ? sd_alloc0 (blocks + 1, sizeof *s->wide) : NULL;
  s->start = wide ? NULL : sd_alloc0 (blocks + 1, sizeof *s->start);
  int status = s->hint && (s->wide || s->start) ? expand (s, data, avail) : SD_ENOMEM;
  if (status != SD_OK) {
    sd_starts_close (s);
    return status;
  }

  if (wide)
    s->wide[blocks] = n;
  else
    s->start[blocks] = (uint32_t) n;
  return SD_OK;
}

int sd_starts_read (sd_starts *s, sd_reader *r, uint64_t blocks, uint64_t n, uint64_t *bytes) {
  const uint64_t avail = (uint64_t) (r->end - r->p);
  *bytes = sd_starts_bytes (blocks, n);
  const uint8_t *at = sd_get_bytes (r, *bytes);
  return at ? sd_starts_open (s, at, *bytes, avail, blocks, n) : SD_EFORMAT;
}

/* All blocks but the last are full, so that the number of blocks and the bytes of the payload must go
 * together. */
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
  free (s->hint);
  free (s->start);
  free (s->wide);
  s->hint = s->start = NULL;
  s->wide = NULL;
}

uint64_t sd_starts_find (const sd_starts *s, uint64_t i, uint64_t *first, uint64_t *end) {
  if (s->blocks < 2) {
    *first = 0;
    if (end)
      *end = s->n;
    return 0;
  }
  /* Those with the same upper bits as i, and the last one before them. */
  const uint32_t *hint = s->hint + (i >> s->hint_bits);

  uint64_t k = hint[0], last = hint[1];
  while (last - k > NEAR) { /* many blocks are short here */
    const uint64_t mid = k + (last - k + 1) / 2;
    if (sd_starts_at (s, mid) <= i)
      k = mid;
    else
      last = mid - 1;
  }
  while (sd_starts_at (s, k + 1) <= i)
    k++;
  *first = sd_starts_at (s, k);
  if (end)
    *end = sd_starts_at (s, k + 1);
  return k;
}

/* Two steps: where the starts of a group stand is known when its hint has come. So a prober that has several
 * tables to ask waits for none of them. */
bool sd_starts_fetch (const sd_starts *s, uint64_t i, unsigned step) {
  if (s->blocks < 2)
    return false;
  const uint32_t *hint = s->hint + (i >> s->hint_bits);
  if (step == 0)
    __builtin_prefetch (hint);
  else
    for (unsigned k = 0; k < 2; k++) /* from the first to the last that may be it, mostly a line or two */
      __builtin_prefetch (s->start ? (const void *) (s->start + hint[k])
                                   : (const void *) (s->wide + hint[k]));
  return step == 0;
}
