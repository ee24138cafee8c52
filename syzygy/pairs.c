/* Decoding. A slot's block is found from the entry of the sparse index that is nearest to it, by adding up
 * lengths of blocks; in the block, symbols are passed over by their lengths until the one that holds the
 * slot, and only that one is taken apart.
 *
 * Codes are read as numbers: those of one length are consecutive, and shorter ones are larger. A damaged
 * block may lead anywhere, but not out of it: who needs more bits than a block has gets a status. */
#include "config.h"
#include "syzygy/syzygy.h"

enum { MAX_STEPS = 1 << 20 }; /* of a walk along the lengths; a file of the public kind needs some dozens */

static unsigned u16_at (const uint8_t *p) {
  return p[0] | p[1] << 8;
}

static uint32_t u32_at (const uint8_t *p) {
  return u16_at (p) | (uint32_t) u16_at (p + 2) << 16;
}

/* Stored less 1, so that a block may have 65,536 slots and none is empty. */
static unsigned block_slots (const sd_syzygy_pairs *p, uint64_t block) {
  return u16_at (p->lengths + 2 * block) + 1;
}

/* The block of a slot, and the slot's place in it. */
static int find_block (const sd_syzygy_pairs *p, uint64_t slot, uint64_t *block, uint64_t *place) {
  const uint64_t span = (uint64_t) 1 << p->span_bits, all = (uint64_t) p->blocks + p->padding;
  const uint8_t *entry = p->sparse + SD_SYZYGY_SPARSE_BYTES * (slot >> p->span_bits);

  /* An entry tells where the middle of its span lies: so far before or behind it is the slot (Syzygy, item
   * 8). */
  int64_t rest = (int64_t) (slot & (span - 1)) - (int64_t) (span / 2) + u16_at (entry + 4);
  uint64_t b = u32_at (entry), steps = 0;
  if (b > all)
    return SD_EFORMAT;
  /* Backward over whole blocks, or forward; a damaged entry could send the walk through all of the file. */
  for (; rest < 0; rest += block_slots (p, b))
    if (b-- == 0 || b >= all || steps++ == MAX_STEPS)
      return SD_EFORMAT;
  for (;; b++) {
    if (b >= p->blocks && (b >= all || rest < block_slots (p, b)))
      return SD_EFORMAT;
    if (rest < block_slots (p, b))
      break;
    if (steps++ == MAX_STEPS)
      return SD_EFORMAT;
    rest -= block_slots (p, b);
  }
  *block = b;
  *place = (uint64_t) rest;
  return SD_OK;
}

/* ------------------------------------------------------------------ a block */

typedef struct bits {
  sd_bitr r;
  uint64_t left; /* bits of the block that no symbol has taken */
} bits;

static bits bits_of (const sd_syzygy_pairs *p, uint64_t block) {
  return (bits){ sd_bitr_of (p->data + (block << p->block_bits), (size_t) 1 << p->block_bits),
                 (uint64_t) 8 << p->block_bits };
}

/* The next symbol; NULL: the block has no more. */
static const sd_syzygy_symbol *next_symbol (const sd_syzygy_pairs *p, bits *b) {
  unsigned i = 0;
  sd_bitr_refill (&b->r);
  /* Shorter codes are larger: the first length whose least code is not above the bits. */
  while (b->r.acc < p->base[i])
    i++; /* the base of the longest codes is 0 */

  const unsigned n = p->min_bits + i;
  const uint64_t symbol = p->lowest[i] + ((b->r.acc - p->base[i]) >> (64 - n));
  /* Behind the last symbol that a code leads to, or behind the block. */
  if (symbol >= p->symbols || n > b->left)
    return NULL;
  b->left -= n;
  sd_bitr_skip (&b->r, n);
  return &p->symbol[symbol];
}

/* Down to the part that holds the place; parts end, as has been checked when the file was opened. */
static unsigned value_at (const sd_syzygy_pairs *p, const sd_syzygy_symbol *s, uint64_t place) {
  while (s->right != SD_SYZYGY_LEAF) {
    const sd_syzygy_symbol *left = &p->symbol[s->left];
    if (place < left->length)
      s = left;
    else {
      place -= left->length;
      s = &p->symbol[s->right];
    }
  }
  return s->left;
}

/* What one probe costs: an entry of the sparse index, some dozens of lengths, half a block of codes and one
 * symbol that is taken apart. */
int sd_syzygy_pairs_get (const sd_syzygy_pairs *p, uint64_t slot, unsigned *value) {
  uint64_t block, place;
  *value = p->value;
  if (p->flags & SD_SYZYGY_SINGLE)
    return SD_OK;
  SD_TRY (find_block (p, slot, &block, &place));
  bits b = bits_of (p, block);
  const sd_syzygy_symbol *s;
  /* Whole symbols are passed over by their lengths; only the one that holds the slot is opened. */
  while ((s = next_symbol (p, &b)) && s->length <= place)
    place -= s->length;
  if (!s)
    return SD_EFORMAT;
  *value = value_at (p, s, place);
  return SD_OK;
}

/* The first n values of a symbol behind those that are skipped. */
static void write_values (const sd_syzygy_pairs *p, const sd_syzygy_symbol *s, uint64_t skip, uint64_t n,
                          uint16_t *out) {
  const sd_syzygy_symbol *stack[SD_SYZYGY_MAX_LENGTH + 1];
  unsigned depth = 0;

  for (;;) {
    /* Left out as a whole. */
    if (skip >= s->length)
      skip -= s->length;
    /* The left part first; the right part waits. */
    else if (s->right != SD_SYZYGY_LEAF) {
      stack[depth++] = &p->symbol[s->right];
      s = &p->symbol[s->left];
      continue;
    } else {
      *out++ = s->left;
      if (--n == 0)
        return;
    }
    s = stack[--depth];
  }
}

int sd_syzygy_pairs_read (const sd_syzygy_pairs *p, uint64_t first, uint64_t count, uint16_t *out) {
  uint64_t block, place;
  if (p->flags & SD_SYZYGY_SINGLE) {
    for (uint64_t i = 0; i < count; i++)
      out[i] = (uint16_t) p->value;
    return SD_OK;
  }
  if (count)
    SD_TRY (find_block (p, first, &block, &place));
  while (count) {
    if (block >= p->blocks)
      return SD_EFORMAT;
    /* As many values as the block has behind `place`: its last symbol may spell more than that. */
    uint64_t here = block_slots (p, block) - place;
    here = here < count ? here : count;
    count -= here;
    for (bits b = bits_of (p, block); here;) {
      const sd_syzygy_symbol *s = next_symbol (p, &b);
      if (!s)
        return SD_EFORMAT;
      /* Symbols before the first slot. */
      if (place >= s->length) {
        place -= s->length;
        continue;
      }
      const uint64_t n = s->length - place < here ? s->length - place : here;
      write_values (p, s, place, n, out);
      place = 0;
      out += n;
      here -= n;
    }
    block++;
  }
  return SD_OK;
}

/* -------------------------------------------------------------------- DTZ */

/* The map is read from the image at each call: lists of its own would have to be made for each file that is
 * opened. */
int sd_syzygy_plies (const sd_syzygy_pairs *p, int wdl, unsigned stored, unsigned *plies) {
  const unsigned result = wdl == 2   ? SD_SYZYGY_WIN
                          : wdl == 1 ? SD_SYZYGY_CURSED
                          : wdl < -1 ? SD_SYZYGY_LOSS
                                     : SD_SYZYGY_BLESSED;
  /* Cursed wins and blessed losses are halved whatever the flags; their sign and 100 plies are not stored
   * (Syzygy, item 12). */
  const unsigned exact = wdl == 2 ? SD_SYZYGY_WIN_PLIES : wdl == -2 ? SD_SYZYGY_LOSS_PLIES : 0;
  /* The most frequent distances have small numbers, by result (Syzygy, item 10). */
  if (p->flags & SD_SYZYGY_MAPPED) {
    if (stored >= p->map[result].n)
      return SD_EFORMAT;
    const uint8_t *at = p->map[result].at + (p->flags & SD_SYZYGY_WIDE ? 2 * stored : stored);
    stored = p->flags & SD_SYZYGY_WIDE ? at[0] | at[1] << 8 : at[0];
  }
  *plies = (p->flags & exact ? stored : 2 * stored) + 1 + (wdl == 1 || wdl == -1 ? 100 : 0);
  return *plies <= SD_SYZYGY_MAX_PLIES ? SD_OK : SD_EFORMAT;
}

/* --------------------------------------------------------- all sub-tables */

unsigned sd_syzygy_sub_table (const sd_syzygy *s, unsigned stream, uint64_t *slot) {
  unsigned f = 0;
  while (*slot >= s->pairs[f][stream].index.slots)
    *slot -= s->pairs[f++][stream].index.slots;
  return f;
}

uint64_t sd_syzygy_slot_of (const sd_syzygy *s, unsigned stream, const uint8_t *sq) {
  const unsigned f = sd_syzygy_file_of (&s->squares, &s->material, sq);
  uint64_t slot = sd_syzygy_index_of (&s->pairs[f][stream].index, sq);
  for (unsigned i = 0; i < f; i++)
    slot += s->pairs[i][stream].index.slots;
  return slot;
}

int sd_syzygy_get (const sd_syzygy *s, unsigned stream, uint64_t slot, unsigned *value) {
  const unsigned f = sd_syzygy_sub_table (s, stream, &slot);
  return sd_syzygy_pairs_get (&s->pairs[f][stream], slot, value);
}

int sd_syzygy_read (const sd_syzygy *s, unsigned stream, uint64_t first, uint64_t count, uint16_t *out) {
  while (count) {
    uint64_t slot = first;
    const sd_syzygy_pairs *p = &s->pairs[sd_syzygy_sub_table (s, stream, &slot)][stream];
    const uint64_t n = p->index.slots - slot < count ? p->index.slots - slot : count;
    SD_TRY (sd_syzygy_pairs_read (p, slot, n, out));
    first += n;
    out += n;
    count -= n;
  }
  return SD_OK;
}
