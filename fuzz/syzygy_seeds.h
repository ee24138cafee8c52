/** \file syzygy_seeds.h
 * Small Syzygy files, made up: in each stream a code of one bit stands for 256 positions, so that a block of
 * 64 bytes holds as many positions as it may. For the fuzz target, and for tests without public files. */
#ifndef SD_SYZYGY_SEEDS_H
#define SD_SYZYGY_SEEDS_H

#include "syzygy/syzygy.h"
#include <string.h>

typedef struct syzygy_seed {
  const char *men;  /* the order, of both sides and all sub-tables: "KRk" */
  unsigned digits;  /* of the leading group, and of a second group of pawns in the next nibble */
  bool dtz, single; /* single: the first stream has one value */
  unsigned flags;   /* of DTZ streams */
} syzygy_seed;

static const syzygy_seed syzygy_seeds[] = {
  { "KRk", 0, false, false, 0 },
  { "KRk", 0, true, false, SD_SYZYGY_MAPPED },
  { "kQK", 0, false, true, 0 },
  { "KkRr", 1, false, false, 0 },
  { "KkQQ", 1, false, false, 0 },
  { "KkQQ", 0, true, false, SD_SYZYGY_MAPPED | SD_SYZYGY_WIDE | SD_SYZYGY_BLACK },
  { "PKk", 2, false, true, 0 },
  { "PPPKk", 1, false, false, 0 },
  { "pRKk", 1, true, false, SD_SYZYGY_WIN_PLIES | SD_SYZYGY_LOSS_PLIES },
  { "PpKk", 0x13, false, false, 0 },
  { "pPPKk", 0x20, true, false, SD_SYZYGY_MAPPED },
};
enum { SYZYGY_SEEDS = sizeof syzygy_seeds / sizeof *syzygy_seeds };

static inline void syzygy_put16 (sd_buf *b, unsigned v) {
  sd_buf_u8 (b, v & 255);
  sd_buf_u8 (b, v >> 8);
}

static inline void syzygy_align (sd_buf *b, size_t from, unsigned to) {
  while ((b->len - from) % to)
    sd_buf_u8 (b, 0);
}

static inline unsigned syzygy_code (char man) {
  return (unsigned) (strchr (".PNBRQK..pnbrqk", man) - ".PNBRQK..pnbrqk");
}

static inline sd_material syzygy_seed_material (const syzygy_seed *s) {
  sd_material m = { .count = { { 0 } } };
  for (const char *man = s->men; *man; man++)
    m.count[syzygy_code (*man) >> 3][(syzygy_code (*man) & 7) - 1]++;
  return m;
}

/* Slots of sub-table f. */
static inline uint64_t syzygy_seed_slots (const syzygy_seed *s, unsigned f) {
  const sd_material m = syzygy_seed_material (s);
  const bool both = m.count[0][SD_PAWN] && m.count[1][SD_PAWN];
  sd_syzygy_order o = { .lead = s->digits & 15, .pawns = both ? s->digits >> 4 : SD_SYZYGY_NO_PAWNS };
  sd_syzygy_squares squares;
  sd_syzygy_index ix;
  for (unsigned i = 0; s->men[i]; i++)
    o.man[i] = (uint8_t) syzygy_code (s->men[i]);
  sd_syzygy_squares_init (&squares);
  return sd_syzygy_index_init (&ix, &squares, &m, f, &o, NULL) == SD_OK ? ix.slots : 0;
}

static inline void syzygy_put_orders (const syzygy_seed *s, unsigned files, bool both, sd_buf *b) {
  for (unsigned f = 0; f < files; f++) {
    sd_buf_u8 (b, (s->digits & 15) * 17);
    if (both)
      sd_buf_u8 (b, (s->digits >> 4) * 17);
    for (const char *man = s->men; *man; man++)
      sd_buf_u8 (b, syzygy_code (*man) * 17);
  }
}

/* Two values, and eight doublings of the first; 00 and 01 are the values, 1 is the last doubling. */
static inline void syzygy_put_symbols (sd_buf *b, unsigned value, unsigned other) {
  enum { SYMBOLS = 10 };
  sd_buf_u8 (b, 2);
  sd_buf_u8 (b, 1);
  syzygy_put16 (b, 2);
  syzygy_put16 (b, 0);
  syzygy_put16 (b, SYMBOLS);
  for (unsigned i = 0; i < SYMBOLS; i++) {
    const unsigned part = i == SYMBOLS - 1 ? 0 : i + 1, left = i == 0 ? value : i == 1 ? other : part;
    const unsigned right = i < 2 ? (unsigned) SD_SYZYGY_LEAF : part;
    sd_buf_u8 (b, left & 255);
    sd_buf_u8 (b, (left >> 8) | (right & 15) << 4);
    sd_buf_u8 (b, right >> 4);
  }
}

static inline void syzygy_put_maps (const syzygy_seed *s, unsigned files, size_t from, sd_buf *b) {
  for (unsigned f = 0; s->dtz && (s->flags & SD_SYZYGY_MAPPED) && f < files; f++) {
    const unsigned wide = s->flags & SD_SYZYGY_WIDE ? 1 : 0;
    if (wide)
      syzygy_align (b, from, 2);
    for (unsigned k = 0; k < SD_SYZYGY_MAPS; k++)
      for (unsigned i = 0; i <= 5 - k; i++) { /* its number of entries first */
        sd_buf_u8 (b, i ? 7 * i : 5 - k);
        if (wide)
          sd_buf_u8 (b, i == 2);
      }
  }
  syzygy_align (b, from, 2);
}

/** Append seed k; false: there are no more. */
static inline bool syzygy_seed_put (unsigned k, sd_buf *b) {
  static const uint8_t magic[2][4] = { { 0x71, 0xe8, 0x23, 0x5d }, { 0xd7, 0x66, 0x0c, 0xa5 } };
  enum { BLOCK = 64, SLOTS = SD_SYZYGY_BLOCK_SLOTS };
  if (k >= SYZYGY_SEEDS)
    return false;
  const syzygy_seed *s = &syzygy_seeds[k];
  const sd_material m = syzygy_seed_material (s);
  const bool both = m.count[0][SD_PAWN] && m.count[1][SD_PAWN], equal = sd_material_symmetric (&m);
  const unsigned files = sd_material_has_pawns (&m) ? 4 : 1, streams = !s->dtz && !equal ? 2 : 1;
  const size_t from = b->len;
  sd_buf_append (b, magic[s->dtz], 4);
  sd_buf_u8 (b, (equal ? 0 : 1) | (files == 4 ? 2 : 0) | sd_material_men (&m) << 4);
  syzygy_put_orders (s, files, both, b);
  syzygy_align (b, from, 2);
  for (unsigned i = 0; i < files * streams; i++) {
    const bool single = s->single && i == 0;
    sd_buf_u8 (b, (s->dtz ? s->flags : 0) | (single ? SD_SYZYGY_SINGLE : 0));
    sd_buf_u8 (b, single ? 4 : 6); /* the value, or 2^6 bytes a block */
    if (single)
      continue;
    sd_buf_u8 (b, 16);
    sd_buf_u8 (b, 1);
    sd_buf_u32 (b, (uint32_t) ((syzygy_seed_slots (s, i / streams) - 1) / SLOTS + 1));
    syzygy_put_symbols (b, i % 3, s->dtz ? 3 : 4);
  }
  if (s->dtz)
    syzygy_put_maps (s, files, from, b);
  for (unsigned part = 0; part < 3; part++)
    for (unsigned i = s->single; i < files * streams; i++) {
      const uint64_t slots = syzygy_seed_slots (s, i / streams), blocks = (slots - 1) / SLOTS + 1;
      if (part == 2)
        syzygy_align (b, from, 64);
      for (uint64_t at = 0; at < blocks + (part == 1); at++) {
        const uint64_t left = at < blocks ? slots - at * SLOTS : SLOTS, here = left < SLOTS ? left : SLOTS;
        if (part == 0) {
          sd_buf_u32 (b, (uint32_t) at);
          syzygy_put16 (b, SLOTS / 2);
        } else if (part == 1)
          syzygy_put16 (b, (unsigned) here - 1);
        else
          for (unsigned i8 = 0; i8 < BLOCK; i8++)
            sd_buf_u8 (b, i8 ? 255 : 0x13);
      }
    }
  syzygy_align (b, from, 64);
  for (unsigned i = 0; i < SD_SYZYGY_CHECKSUM_BYTES; i++)
    sd_buf_u8 (b, 0);
  return !b->failed;
}

#endif
