/* The checksum at the end of a file: CityHash with CRC-32C as its authors first published it (Pike and
 * Alakuijala 2011, version 1.0), taken in two steps. Each 16 MiB of the file give 256 bits, and all of these
 * the 128 bits of the checksum. Later versions of CityHash give other numbers. The names of the constants are
 * theirs; what each step mixes with what has no other reason, and any change would make all files wrong. */
#include "config.h"
#include "syzygy/syzygy.h"
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((uint64_t) 1 << 24) /* of the first step, a thread each */
enum { ROUND_BYTES = 240, STEP_BYTES = 40, LANES = 5, TABLES = 8 };
enum { SMALL = 900, MEDIUM = 128 }; /* bytes: up to SMALL by CityHash128, below MEDIUM in its other way */

#define K0 UINT64_C (0xc3a5c85c97cb3127)
#define K1 UINT64_C (0xb492b66fbe98f273)
#define K3 UINT64_C (0xc949d7c7509e6557)
#define KM UINT64_C (0x9ddfea08eb382d69)

/* Eight bytes, the lowest first, on every machine; p need not be aligned. */
static uint64_t word (const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned i = 8; i-- > 0;)
    v = v << 8 | p[i];
  return v;
}

static uint64_t turn (uint64_t v, unsigned by) {
  return v >> by | v << (-by & 63);
}

static uint64_t fold (uint64_t v) {
  return v ^ v >> 47;
}

static uint64_t two_to_one (uint64_t u, uint64_t v) {
  const uint64_t a = fold ((u ^ v) * KM);
  return fold ((v ^ a) * KM) * KM;
}

/* --------------------------------------------------------------- CRC-32C */

typedef struct crc {
  uint32_t of[TABLES][256]; /* of[k]: what a byte does that k further ones follow */
} crc;

/* Tables for eight bytes at a time. */
static void make_crc (crc *c) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t v = i;
    for (unsigned bit = 0; bit < 8; bit++)
      v = v >> 1 ^ (v & 1 ? 0x82f63b78u : 0);
    c->of[0][i] = v;
  }
  for (unsigned k = 1; k < TABLES; k++)
    for (unsigned i = 0; i < 256; i++)
      c->of[k][i] = c->of[k - 1][i] >> 8 ^ c->of[0][c->of[k - 1][i] & 255];
}

/* What the CRC32 instruction of a processor makes of eight bytes; many machines have none. */
static uint32_t crc_of (const crc *c, uint64_t before, uint64_t v) {
  uint32_t sum = 0;
  v ^= before & UINT32_MAX;
  for (unsigned i = 0; i < TABLES; i++)
    sum ^= c->of[TABLES - 1 - i][v >> 8 * i & 255];
  return sum;
}

/* ------------------------------------------------------------ 256 bits of many bytes */

typedef struct state {
  uint64_t lane[LANES + 1];
  uint64_t sum[LANES];
} state;

static void step (state *s, const crc *c, const uint8_t *p, bool even) {
  static const uint8_t turns[LANES] = { 41, 27, 41, 33, 25 };
  const uint64_t first = s->lane[0];
  for (unsigned i = 0; i < LANES; i++) {
    s->lane[i] = turn (s->lane[i + 1], turns[i] ^ even) * (even ? 1 : K0) + word (p + 8 * i);
    s->sum[i] = crc_of (c, s->sum[i], s->lane[i]);
  }
  /* The lanes move on by one with each step. */
  s->lane[LANES] = first;
}

/* Six lanes and five sums into 256 bits, as CityHashCrc256 ends. */
static void finish (const state *s, uint64_t out[4]) {
  uint64_t a = s->lane[0], b = s->lane[1], c = s->lane[2], d = s->lane[3], e = s->lane[4];
  const uint64_t f = s->sum[0], h = s->sum[2] + (s->sum[1] << 32);
  uint64_t i = s->sum[3], j = s->sum[4] + (i << 32);

  a = two_to_one (a, j);
  b += h;
  c = two_to_one (c, f) + i;
  d = two_to_one (d, e + out[0]);
  j += e;
  i += two_to_one (h, s->lane[LANES]);
  e = two_to_one (a, d) + j;
  const uint64_t x = two_to_one (b, c) + a, y = two_to_one (j, i) + c;
  out[0] = e + x + y + h;

  a = fold ((a + y) * K0) * K0 + b;
  out[1] += a + out[0];
  a = fold (a * K0) * K0 + c;
  out[2] = a + out[1];
  a = fold ((a + e) * K0) * K0;
  out[3] = a + out[2];
}

/* p[0..n-1], at least a round. */
static void sum_rounds (const crc *c, const uint8_t *p, uint64_t n, uint32_t seed, uint64_t out[4]) {
  state s = { .sum = { seed } };
  /* out[0] and out[1] begin as lanes, and finish () adds to them. */
  s.lane[0] = word (p + 56) + K0;
  s.lane[1] = word (p + 96) + K0;
  s.lane[2] = out[0] = two_to_one (s.lane[1], n);
  s.lane[3] = out[1] = word (p + 120) * K0 + n;
  s.lane[4] = word (p + 184) + seed;
  s.lane[5] = s.lane[2] + s.lane[3];

  for (; n >= ROUND_BYTES; n -= ROUND_BYTES)
    for (unsigned i = 0; i < ROUND_BYTES / STEP_BYTES; i++, p += STEP_BYTES)
      step (&s, c, p, i % 2 == 0);
  for (; n >= STEP_BYTES; n -= STEP_BYTES, p += STEP_BYTES)
    step (&s, c, p, false);
  /* The rest: the last 40 bytes, some of which have been taken already. */
  if (n)
    step (&s, c, p + n - STEP_BYTES, false);
  finish (&s, out);
}

static void sum_many (const crc *c, const uint8_t *p, uint64_t n, uint64_t out[4]) {
  uint8_t padded[ROUND_BYTES] = { 0 };
  if (n >= ROUND_BYTES) {
    sum_rounds (c, p, n, 0, out);
    return;
  }
  /* Few bytes are padded, and their number takes the place of the seed. */
  memcpy (padded, p, n);
  sum_rounds (c, padded, ROUND_BYTES, ~(uint32_t) n, out);
}

/* ------------------------------------------------------------- 128 bits of few bytes */

typedef struct pair {
  uint64_t a, b;
} pair;

/* n is 16, 48, 80 or 112. */
static pair sum_few (const uint8_t *p, uint64_t n, pair seed) {
  uint64_t a = seed.a, b = seed.b, c, d;
  if (n == 16) {
    const uint64_t last = word (p + 8);
    a = fold (a * K1) * K1;
    c = b * K1 + (two_to_one (word (p), turn (last + 16, 16)) ^ last);
    d = fold (a + word (p));
  } else {
    c = two_to_one (word (p + n - 8) + K1, a);
    d = two_to_one (b + n, c + word (p + n - 16));
    a += d;
    for (uint64_t at = 0; at + 16 < n; at += 16) {
      a = (a ^ fold (word (p + at) * K1) * K1) * K1;
      b ^= a;
      c = (c ^ fold (word (p + at + 8) * K1) * K1) * K1;
      d ^= c;
    }
  }
  a = two_to_one (a, c);
  b = two_to_one (d, b);
  return (pair){ a ^ b, two_to_one (b, a) };
}

/* Four words into two that were there. */
static pair take_four (const uint8_t *p, uint64_t a, uint64_t b) {
  const uint64_t first = a + word (p), sum = first + word (p + 8) + word (p + 16);
  return (pair){ sum + word (p + 24), turn (b + first + word (p + 24), 21) + turn (sum, 44) + first };
}

/* At least MEDIUM bytes. */
static pair sum_some (const uint8_t *p, uint64_t n, pair seed) {
  uint64_t x = seed.a, y = seed.b, z = n * K1;
  pair v, w;

  v.a = turn (y ^ K1, 49) * K1 + word (p);
  v.b = turn (v.a, 42) * K1 + word (p + 8);
  w.a = turn (y + z, 35) * K1 + x;
  w.b = turn (x + word (p + 88), 53) * K1;
  /* 128 bytes a turn, in two halves. */
  for (; n >= MEDIUM; n -= MEDIUM)
    for (unsigned half = 0; half < 2; half++, p += MEDIUM / 2) {
      x = turn (x + y + v.a + word (p + 8), 37) * K1 ^ w.b;
      y = turn (y + v.b + word (p + 48), 42) * K1 + v.a + word (p + 40);
      z = turn (z + w.a, 33) * K1;
      v = take_four (p, v.b * K1, x + w.a);
      w = take_four (p + 32, z + w.b, y + word (p + 16));
      const uint64_t swap = z;
      z = x;
      x = swap;
    }

  x += turn (v.a + z, 49) * K0;
  z += turn (w.a, 37) * K0;
  for (uint64_t done = 32; done < n + 32; done += 32) { /* from the end, maybe into what was taken */
    const uint8_t *at = p + n - done;
    y = turn (x + y, 42) * K0 + v.b;
    w.a += word (at + 16);
    x = x * K0 + w.a;
    z += w.b + word (at);
    w.b += v.a;
    v = take_four (at, v.a + z, v.b);
  }
  x = two_to_one (x, v.a);
  y = two_to_one (y + z, w.a);
  return (pair){ two_to_one (x + v.b, w.b) + y, two_to_one (x + w.b, y + v.b) };
}

/* -------------------------------------------------------------------- file */

static void put_word (uint8_t *out, uint64_t v) {
  for (unsigned i = 0; i < 8; i++)
    out[i] = (uint8_t) (v >> 8 * i);
}

/* Memory: 32 bytes for each 16 MiB of the file. No chunk depends on another, so that the sum is the same for
 * any number of threads. */
int sd_syzygy_checksum (const uint8_t *image, uint64_t bytes, uint8_t out[SD_SYZYGY_CHECKSUM_BYTES]) {
  const uint64_t chunks = (bytes - 1) / CHUNK_BYTES + 1;
  uint8_t *sums = bytes ? sd_alloc (chunks, 32) : NULL;
  crc *c = sums ? malloc (sizeof *c) : NULL;

  if (!c) {
    free (sums);
    return bytes ? SD_ENOMEM : SD_EINVAL;
  }
  make_crc (c);
#pragma omp parallel for schedule(dynamic, 1)
  for (uint64_t i = 0; i < chunks; i++) {
    const uint64_t at = i * CHUNK_BYTES;
    uint64_t four[4];
    sum_many (c, image + at, bytes - at < CHUNK_BYTES ? bytes - at : CHUNK_BYTES, four);
    for (unsigned k = 0; k < 4; k++)
      put_word (sums + 32 * i + 8 * k, four[k]);
  }
  /* The sums of all chunks are summed themselves; for few of them CityHash has other ways. */
  const uint64_t n = 32 * chunks;
  const pair seed = { word (sums) ^ K3, word (sums + 8) };
  pair sum;
  if (n <= SMALL)
    sum = n - 16 < MEDIUM ? sum_few (sums + 16, n - 16, seed) : sum_some (sums + 16, n - 16, seed);
  else {
    uint64_t four[4];
    sum_many (c, sums, n, four);
    sum = (pair){ four[2], four[3] };
  }
  put_word (out, sum.a);
  put_word (out + 8, sum.b);
  free (sums);
  free (c);
  return SD_OK;
}

int sd_syzygy_check (const sd_syzygy *s, sd_error *err) {
  uint8_t sum[SD_SYZYGY_CHECKSUM_BYTES];
  const uint64_t n = s->bytes - sizeof sum;
  const int st = sd_syzygy_checksum (s->image, n, sum);
  if (st != SD_OK)
    return sd_fail (err, st, "its checksum: %s", sd_strerror (st));
  if (memcmp (sum, s->image + n, sizeof sum) != 0)
    return sd_fail (err, SD_ECHECKSUM,
                    "its checksum differs: the last 16 bytes begin with %02x%02x, expected %02x%02x",
                    s->image[n], s->image[n + 1], sum[0], sum[1]);
  return SD_OK;
}
