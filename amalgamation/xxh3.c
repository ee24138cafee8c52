/* XXH3, 64 bits, seed 0, as Yann Collet defines it (xxHash 0.8; BSD 2-clause licence): the checksum of the
 * files. What a compiler makes vectors of is enough here, so that the two files to copy need no library. */
static const uint8_t xxh3_secret[192] = {
  0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4,
  0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e,
  0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21, 0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43,
  0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb,
  0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19,
  0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8, 0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7,
  0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78,
  0x73, 0x64, 0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
  0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16,
  0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f,
  0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e
};
#define XXH3_P32_1 UINT64_C (0x9E3779B1)
#define XXH3_P32_2 UINT64_C (0x85EBCA77)
#define XXH3_P32_3 UINT64_C (0xC2B2AE3D)
#define XXH3_P64_1 UINT64_C (0x9E3779B185EBCA87)
#define XXH3_P64_2 UINT64_C (0xC2B2AE3D27D4EB4F)
#define XXH3_P64_3 UINT64_C (0x165667B19E3779F9)
#define XXH3_P64_4 UINT64_C (0x85EBCA77C2B2AE63)
#define XXH3_P64_5 UINT64_C (0x27D4EB2F165667C5)

static inline uint64_t xxh3_64 (const uint8_t *p) {
  uint64_t v;
  memcpy (&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  v = __builtin_bswap64 (v);
#endif
  return v;
}

static inline uint32_t xxh3_32 (const uint8_t *p) {
  uint32_t v;
  memcpy (&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  v = __builtin_bswap32 (v);
#endif
  return v;
}

/* The product of 64 by 64 bits, its halves folded. */
static inline uint64_t xxh3_fold (uint64_t a, uint64_t b) {
  const uint64_t al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
  const uint64_t ll = al * bl, hl = ah * bl, lh = al * bh, hh = ah * bh;
  const uint64_t cross = (ll >> 32) + (hl & 0xffffffff) + lh;
  return ((hl >> 32) + (cross >> 32) + hh) ^ (cross << 32 | (ll & 0xffffffff));
}

static inline uint64_t xxh3_avalanche (uint64_t h) {
  h ^= h >> 37;
  h *= UINT64_C (0x165667919E3779F9);
  return h ^ h >> 32;
}

static inline uint64_t xxh64_avalanche (uint64_t h) {
  h ^= h >> 33;
  h *= XXH3_P64_2;
  h ^= h >> 29;
  h *= XXH3_P64_3;
  return h ^ h >> 32;
}

static inline uint64_t xxh3_mix16 (const uint8_t *p, const uint8_t *secret) {
  return xxh3_fold (xxh3_64 (p) ^ xxh3_64 (secret), xxh3_64 (p + 8) ^ xxh3_64 (secret + 8));
}

static uint64_t xxh3_short (const uint8_t *p, size_t n) {
  const uint8_t *s = xxh3_secret;
  if (n > 8) {
    const uint64_t low = xxh3_64 (p) ^ xxh3_64 (s + 24) ^ xxh3_64 (s + 32),
                   high = xxh3_64 (p + n - 8) ^ xxh3_64 (s + 40) ^ xxh3_64 (s + 48);
    return xxh3_avalanche (n + __builtin_bswap64 (low) + high + xxh3_fold (low, high));
  }
  if (n >= 4) {
    const uint64_t both = xxh3_32 (p + n - 4) + ((uint64_t) xxh3_32 (p) << 32);
    uint64_t h = both ^ (xxh3_64 (s + 8) ^ xxh3_64 (s + 16));
    h ^= (h << 49 | h >> 15) ^ (h << 24 | h >> 40);
    h *= UINT64_C (0x9FB21C651E98DF25);
    h ^= (h >> 35) + n;
    h *= UINT64_C (0x9FB21C651E98DF25);
    return h ^ h >> 28;
  }
  if (n > 0) {
    const uint32_t all = (uint32_t) p[0] << 16 | (uint32_t) p[n >> 1] << 24 | p[n - 1] | (uint32_t) n << 8;
    return xxh64_avalanche (all ^ (uint64_t) (xxh3_32 (s) ^ xxh3_32 (s + 4)));
  }
  return xxh64_avalanche (xxh3_64 (s + 56) ^ xxh3_64 (s + 64));
}

static uint64_t xxh3_middle (const uint8_t *p, size_t n) {
  const uint8_t *s = xxh3_secret;
  uint64_t h = n * XXH3_P64_1;
  if (n <= 128) {
    for (unsigned i = (unsigned) (n - 1) / 32 + 1; i-- > 0;)
      h += xxh3_mix16 (p + 16 * i, s + 32 * i) + xxh3_mix16 (p + n - 16 * (i + 1), s + 32 * i + 16);
    return xxh3_avalanche (h);
  }
  for (unsigned i = 0; i < 8; i++)
    h += xxh3_mix16 (p + 16 * i, s + 16 * i);
  h = xxh3_avalanche (h);
  for (unsigned i = 8; i < n / 16; i++)
    h += xxh3_mix16 (p + 16 * i, s + 16 * (i - 8) + 3);
  return xxh3_avalanche (h + xxh3_mix16 (p + n - 16, s + 136 - 17));
}

static inline void xxh3_stripe (uint64_t acc[8], const uint8_t *p, const uint8_t *secret) {
  for (unsigned i = 0; i < 8; i++) {
    const uint64_t v = xxh3_64 (p + 8 * i), k = v ^ xxh3_64 (secret + 8 * i);
    acc[i ^ 1] += v;
    acc[i] += (k & 0xffffffff) * (k >> 32);
  }
}

static uint64_t XXH3_64bits (const void *data, size_t n) {
  const uint8_t *p = (const uint8_t *) data, *s = xxh3_secret;
  if (n <= 16)
    return xxh3_short (p, n);
  if (n <= 240)
    return xxh3_middle (p, n);
  enum { STRIPE = 64, STRIPES = (192 - STRIPE) / 8 }; /* of a block */
  uint64_t acc[8] = { XXH3_P32_3, XXH3_P64_1, XXH3_P64_2, XXH3_P64_3,
                      XXH3_P64_4, XXH3_P32_2, XXH3_P64_5, XXH3_P32_1 };
  const size_t blocks = (n - 1) / (STRIPE * STRIPES);
  for (size_t b = 0; b < blocks; b++) {
    for (unsigned i = 0; i < STRIPES; i++)
      xxh3_stripe (acc, p + STRIPE * (b * STRIPES + i), s + 8 * i);
    for (unsigned i = 0; i < 8; i++)
      acc[i] = (acc[i] ^ acc[i] >> 47 ^ xxh3_64 (s + 192 - STRIPE + 8 * i)) * XXH3_P32_1;
  }
  const size_t rest = (n - 1 - STRIPE * STRIPES * blocks) / STRIPE;
  for (size_t i = 0; i < rest; i++)
    xxh3_stripe (acc, p + STRIPE * (blocks * STRIPES + i), s + 8 * i);
  xxh3_stripe (acc, p + n - STRIPE, s + 192 - STRIPE - 7);
  uint64_t h = n * XXH3_P64_1;
  for (unsigned i = 0; i < 4; i++)
    h += xxh3_fold (acc[2 * i] ^ xxh3_64 (s + 11 + 16 * i), acc[2 * i + 1] ^ xxh3_64 (s + 11 + 16 * i + 8));
  return xxh3_avalanche (h);
}
