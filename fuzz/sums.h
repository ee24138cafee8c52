/** \file sums.h
 * Where the checksums of a table file stand, and how they are put right: no checksum is a secret. */
#ifndef SD_FUZZ_SUMS_H
#define SD_FUZZ_SUMS_H

#include "table/table_internal.h"
#include <string.h>

/* Places in a file; false: it does not look like a table. */
typedef struct sd_fuzz_places {
  size_t header, end; /* the header's first byte, and that behind its last */
  size_t sums[2], codec[2], length[2], stream[2];
  uint64_t bytes[2];
  bool there[2];
} sd_fuzz_places;

static inline void sd_fuzz_skip_list (sd_reader *r) {
  const uint64_t count = sd_get_varint (r);
  for (uint64_t i = 0; !r->bad && i < count;) {
    sd_get_varint (r);
    i += 1 + (sd_get_varint (r) & 0xffff);
  }
}

static inline void sd_fuzz_skip_subject (sd_reader *r, bool *game) {
  const unsigned men = sd_get_u8 (r);
  *game = men == 0;
  if (!*game) {
    sd_get_bytes (r, (men >> 4) + (men & 15));
    return;
  }
  sd_get_bytes (r, sd_get_u8 (r));
  sd_get_bytes (r, sd_get_u8 (r));
  sd_get_u64 (r);
  sd_get_varint (r);
}

static inline bool sd_fuzz_find_places (const uint8_t *data, size_t size, sd_fuzz_places *p) {
  sd_reader r = sd_reader_of (data, size);
  bool game;
  memset (p, 0, sizeof *p);
  sd_get_bytes (&r, 5);
  const uint64_t header = sd_get_varint (&r);
  if (r.bad || header > (uint64_t) (r.end - r.p) || (uint64_t) (r.end - r.p) - header < 4)
    return false;
  p->header = (size_t) (r.p - data);
  p->end = p->header + (size_t) header;
  r.end = data + p->end;
  sd_fuzz_skip_subject (&r, &game);
  const unsigned kind = sd_get_u8 (&r), sides = kind >> 4 & 3, coding = kind >> 2 & 3;
  sd_get_u8 (&r);
  size_t at = p->end + 4;
  for (unsigned s = 0; s < 2; s++) {
    if (!(sides >> s & 1) || (s && kind >> 6 & 1))
      continue;
    if (!game)
      sd_get_bytes (&r, sd_get_u8 (&r) & 7);
    p->codec[s] = (size_t) (r.p - data);
    sd_get_u8 (&r);
    if (coding)
      sd_fuzz_skip_list (&r);
    if (coding == SD_CODING_SIGNED) {
      sd_get_u8 (&r);
      sd_fuzz_skip_list (&r);
    }
    p->length[s] = (size_t) (r.p - data);
    p->bytes[s] = sd_get_varint (&r);
    p->sums[s] = (size_t) (r.p - data);
    if (r.bad || p->bytes[s] > size - at || !sd_get_bytes (&r, 4 * sd_table_chunks (p->bytes[s])))
      return false;
    p->stream[s] = at;
    at += (size_t) p->bytes[s];
    p->there[s] = true;
  }
  return r.p == r.end && !r.bad;
}

static inline void sd_fuzz_put_sum (uint8_t *at, const uint8_t *data, size_t n) {
  const uint64_t sum = sd_hash64 (data, n);
  for (unsigned i = 0; i < 4; i++)
    at[i] = (uint8_t) (sum >> (8 * i));
}

/* All checksums that can be found. */
static inline void sd_fuzz_put_right (uint8_t *data, size_t size) {
  sd_fuzz_places p;
  if (!sd_fuzz_find_places (data, size, &p))
    p.there[0] = p.there[1] = false;
  for (unsigned s = 0; s < 2; s++)
    for (uint64_t at = 0, chunk = 0; p.there[s] && at < p.bytes[s]; at += SD_CHUNK_BYTES, chunk++)
      sd_fuzz_put_sum (data + p.sums[s] + 4 * chunk, data + p.stream[s] + at,
                       p.bytes[s] - at < SD_CHUNK_BYTES ? p.bytes[s] - at : SD_CHUNK_BYTES);
  if (p.end && p.end + 4 <= size)
    sd_fuzz_put_sum (data + p.end, data, p.end);
}

#endif
