/** \file access.c
 * Random access and sequential reading of a RE-PAIR stream.
 *
 * get: the index gives the block; a table driven by the next bits skips as many whole phrases as
 * these bits hold, longer codes are looked up by their place among all codes. A line of the cache has the
 * lengths of the phrases in the order of their codes, and where their symbols are written out (written.c);
 * of equal symbols, most of what a table consists of, there is one. Of a phrase for which there was no room
 * the parts are followed downwards. read: phrase after phrase, short ones copied from a table. With rANS a
 * block is decoded phrase by phrase from its start.
 *
 * Marks: the index leads to the start of a block only, and skipping half a block was most of a probe. So each
 * walk through a block leaves marks behind, about SD_REPAIR_MARK_STEP bits apart: at this bit a phrase
 * begins, the one with this position. The next walk begins at the last mark before its position. They cost
 * as much memory as the payload, as far as it is used, nothing in the file and nothing at opening. A mark is
 * one word, so that threads write and read them without a lock: each is true by itself, whoever wrote it.
 * Those of a block are known from the first one on without a gap (another thread may see a gap for a while;
 * then it walks further than it had to).
 *
 * Any payload is safe to read: see decode.c. */
#include "config.h"
#include "repair/decoder_internal.h"

#include <string.h>

typedef sd_repair_decoder decoder;
typedef sd_repair_entry entry;
typedef sd_repair_phrase phrase;

/* At least 57 bits of the block at bit `at`, left-aligned; zeros beyond the data. */
static inline uint64_t window_at (const uint8_t *p, uint64_t avail, uint64_t at) {
  uint64_t byte = at >> 3, w = 0;
  /* One load of eight bytes nearly always; only the last bytes of the payload are put together one by one. */
  if (byte + 8 <= avail) {
    memcpy (&w, p + byte, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    w = __builtin_bswap64 (w);
#endif
  } else
    for (uint64_t k = 0; k < 8 && byte + k < avail; k++)
      w |= (uint64_t) p[byte + k] << (56 - 8 * k);
  return w << (at & 7);
}

typedef struct place {
  const uint8_t *p; /* the block */
  uint64_t avail;   /* bytes that may be read from there on */
  uint64_t bits;    /* of the block */
  uint32_t *mark;   /* of the block, or NULL */
} place;

static inline place block_at (const decoder *d, uint64_t b) {
  const uint64_t from = b * d->blocks.block;
  return (place){ d->blocks.payload + from, d->blocks.payload_bytes - from,
                  8 * sd_coded_blocks_bytes (&d->blocks, b), d->mark ? d->mark + b * d->marks : NULL };
}

/* The phrase at the top of the window, by its place in the order of the codes, and its bits; `e` is what the
 * table says. */
static inline unsigned decode_one (const decoder *d, const entry *e, uint64_t w, unsigned *nbits) {
  if (!e->one_bits) /* it is longer */
    return (unsigned) sd_huffman_place (&d->code, (uint32_t) (w >> 32), e->all_bits, nbits);
  *nbits = e->one_bits;
  return e->coded;
}

/* How far a block has been read. */
typedef struct cursor {
  uint64_t at; /* Huffman: bits; rANS: phrases */
  sd_rans_reader rans;
} cursor;

/* The next phrase, or -1 at the block's end. */
static inline int next_phrase (const decoder *d, const place *b, cursor *c) {
  /* A forged rANS block could give phrases for ever, as its state says nothing of an end: they are
   * counted. */
  if (d->rans.used)
    return c->at++ < SD_PAYLOAD_MAX_PER_BIT * b->bits ? (int) sd_rans_next (&d->rans, &c->rans) : -1;
  if (c->at >= b->bits)
    return -1;
  const uint64_t w = window_at (b->p, b->avail, c->at);
  unsigned nbits, coded = decode_one (d, d->table + (w >> (64 - d->table_bits)), w, &nbits);
  c->at += nbits;
  return d->code.symbol[coded];
}

/* As find_phrase, rANS. */
static int find_rans (const decoder *d, const place *b, uint64_t *rem, cursor *c) {
  c->rans = (sd_rans_reader){ 0, b->p, b->p + b->bits / 8 };
  /* No marks and no table: where a phrase begins follows from the state, which all phrases before it made. */
  for (;;) {
    const int id = next_phrase (d, b, c);
    if (id < 0 || *rem < d->phrase[id].length)
      return id;
    *rem -= d->phrase[id].length;
  }
}

/* Mark k of a block, k >= 1; 0: not known. Else its low bits say how far behind bit k * SD_REPAIR_MARK_STEP
 * the phrase begins, and the bits above them its position, above 0. */
static inline uint32_t load_mark (const place *b, uint64_t k) {
  return __atomic_load_n (b->mark + k - 1, __ATOMIC_RELAXED);
}

/* At bit `at` of the block, above 0, begins the phrase with this position: write the marks whose places are
 * bit `next` to `at`. The place of the mark behind them. */
static uint64_t leave_marks (const place *b, uint64_t at, uint64_t next, uint64_t position) {
  /* A place gets the phrase that begins there or behind it, if the low bits can say how far behind. */
  for (; next <= at; next += SD_REPAIR_MARK_STEP)
    if (position <= SD_REPAIR_MARK_MAX && !((at - next) >> SD_REPAIR_MARK_BITS))
      __atomic_store_n (b->mark + next / SD_REPAIR_MARK_STEP - 1,
                        (uint32_t) (position << SD_REPAIR_MARK_BITS | (at - next)), __ATOMIC_RELAXED);
  return next;
}

/* The last known mark at or before position `rem`; the bit where it stands, *left: what is left of rem. */
static inline uint64_t from_mark (const decoder *d, const place *b, uint64_t rem, uint64_t *left) {
  *left = rem;
  if (!b->mark)
    return 0;
  const uint64_t most = rem < SD_REPAIR_MARK_MAX ? rem : SD_REPAIR_MARK_MAX;
  const uint32_t limit =
      (uint32_t) ((most + 1) << SD_REPAIR_MARK_BITS) - 1; /* marks - 1 below it are known and fit */
  /* A binary search: walks leave marks from the front on, so that known and early enough ones stand first. */
  unsigned lo = 0, n = d->marks;                          /* marks 1..lo do, from lo + n + 1 on none */
  uint32_t mark = 0; /* mark lo as it was when it fitted: another thread may put a later place there */
  while (n) {
    const unsigned half = (n + 1) / 2;
    const uint32_t one = load_mark (b, lo + half);
    /* An unknown mark is 0, which less 1 is above every limit. */
    const bool fits = one - 1 < limit;
    mark = fits ? one : mark;
    lo += fits ? half : 0;
    n = fits ? n - half : half - 1;
  }
  if (!lo)
    return 0;
  *left = rem - (mark >> SD_REPAIR_MARK_BITS);
  return (uint64_t) lo * SD_REPAIR_MARK_STEP + mark % (1u << SD_REPAIR_MARK_BITS);
}

/* Skip whole phrases while they end at or before position *rem of the block; *c, zeros before, is behind the
 * phrase found, *rem the position inside it. The place of the phrase in the order of the codes, or -1 if the
 * block ends before. */
static inline int find_coded (const decoder *d, const place *b, uint64_t *rem, cursor *c) {
  uint64_t left, at = from_mark (d, b, *rem, &left);
  /* The first place that may still be without a mark; UINT64_MAX: none is left by this walk. */
  uint64_t next = b->mark ? (at / SD_REPAIR_MARK_STEP + 1) * SD_REPAIR_MARK_STEP : UINT64_MAX;
  while (at < b->bits) {
    uint64_t w = window_at (b->p, b->avail, at), begin = at;
    /* A window of 64 bits is filled once for several codes. */
    do { /* while the longest code fits into what is left of the window */
      /* Marks are left on the way, at most one for each 32 bits, so that a walk writes little more than it
       * saves. */
      if (at >= next) {
        if (at >= b->bits)
          return -1;
        next = leave_marks (b, at, next, *rem - left);
      }
      const entry *e = d->table + (w >> (64 - d->table_bits));
      /* The usual case: all phrases whose codes the table's bits hold end before the slot, and are skipped
       * at once. */
      if (left >= e->all) {
        left -= e->all;
        at += e->all_bits;
        w <<= e->all_bits;
        continue;
      }
      /* Near the slot one phrase after the other. */
      unsigned nbits, coded = decode_one (d, e, w, &nbits);
      const uint32_t length = sd_repair_coded_length (d, coded);
      /* A code that ends behind the block is no code: the bits beyond are another block's, or zeros. */
      if (left < length) {
        if (at + nbits > b->bits)
          return -1;
        c->at = at + nbits;
        *rem = left;
        return (int) coded;
      }
      left -= length;
      at += nbits;
      w <<= nbits;
    } while (at - begin <= d->reach);
  }
  return -1;
}

/* The same; the id of the phrase. */
static inline int find_phrase (const decoder *d, const place *b, uint64_t *rem, cursor *c) {
  if (d->rans.used)
    return find_rans (d, b, rem, c);
  const int coded = find_coded (d, b, rem, c);
  return coded < 0 ? coded : d->code.symbol[coded];
}

/* In a large table neither the payload nor the marks are in the cache. Always inline: of a function that does
 * nothing but prefetch gcc 12 says that it has no effect, and drops the calls. */
__attribute__ ((always_inline)) static inline void fetch_block (const decoder *d, const place *b) {
  if (b->mark) {
    __builtin_prefetch (b->mark + (d->marks - 1) / 2);
    __builtin_prefetch (b->mark);
    __builtin_prefetch (b->mark + d->marks - 1);
  }
  for (uint64_t k = 0; k < b->bits && k < 2048; k += 512)
    __builtin_prefetch (b->p + k / 8);
}

/* Symbol number `rem` of a phrase. */
static sd_symbol symbol_of (const decoder *d, unsigned id, uint64_t rem) {
  const phrase *p = d->phrase + id;
  /* Of each level one part holds the slot, and the others are not looked at. */
  while (p->length > d->at_hand) {
    if (!p->split)
      return p->left;
    if (p->written)
      return sd_repair_written (d, p->written - 1 + rem);
    /* Down to the part that holds the slot, until a phrase's symbols fit into one word. */
    const bool right = rem >= p->split;
    rem -= right ? p->split : 0;
    p = d->phrase + (right ? p->right : p->left);
  }
  return (sd_symbol) (p->symbols >> (rem * d->symbol_bits) & ((UINT64_C (1) << d->symbol_bits) - 1));
}

/* The same of the phrase at a place in the order of the codes. */
static inline sd_symbol symbol_of_coded (const decoder *d, unsigned coded, uint64_t rem) {
  const sd_repair_line *l = d->line + coded / SD_REPAIR_LINE;
  const unsigned k = coded % SD_REPAIR_LINE;
  if (!(l->is_other >> k & 1))
    return sd_repair_written (d, (uint64_t) l->at + l->begin[k] + rem);
  const sd_repair_other *o = sd_repair_other_in (d, l, k);
  return o->symbol != SD_REPAIR_SEVERAL ? o->symbol : symbol_of (d, o->id, rem);
}

int sd_repair_get (const sd_decoder *base, uint64_t i, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  cursor c = { 0 };
  uint64_t first, block = sd_starts_find (&d->blocks.starts, i, &first, NULL), rem = i - first;
  const place b = block_at (d, block);

  SD_TRY (sd_guard_check (d->base.guard, b.p, b.bits / 8));
  fetch_block (d, &b);
  /* The phrase that covers the slot; from here on `rem` is the slot's place inside it. */
  const int one = d->rans.used ? find_rans (d, &b, &rem, &c) : find_coded (d, &b, &rem, &c);
  if (one < 0)
    return SD_EFORMAT;
  *out = d->rans.used ? symbol_of (d, (unsigned) one, rem) : symbol_of_coded (d, (unsigned) one, rem);
  return SD_OK;
}

bool sd_repair_fetch (const sd_decoder *base, uint64_t i, unsigned step) {
  const decoder *d = (const decoder *) base;
  if (step < 2)
    return sd_starts_fetch (&d->blocks.starts, i, step) || d->blocks.starts.blocks > 1;
  uint64_t first;
  const place b = block_at (d, sd_starts_find (&d->blocks.starts, i, &first, NULL));
  fetch_block (d, &b);
  return false;
}

static void fill (sd_symbol *out, sd_symbol value, uint64_t count) {
  for (uint64_t k = 0; k < count; k++)
    out[k] = value;
}

/* Up to `room` symbols of phrase id from its position `skip` on; how many. */
static uint64_t expand (const decoder *d, unsigned id, uint64_t skip, sd_symbol *out, uint64_t room) {
  sd_phrase stack[SD_REPAIR_MAX_DEPTH + 1];
  const uint64_t one = (UINT64_C (1) << d->symbol_bits) - 1;

  /* `top` right parts wait while their left parts are written; a phrase has at most SD_REPAIR_MAX_DEPTH
   * levels. */
  unsigned top = 0;
  uint64_t o = 0;
  for (;;) {
    const phrase *p = d->phrase + id;
    const uint64_t length = p->length, rest = length - skip;
    /* A short phrase is copied whole, beyond its length if need be: there is room, and what is too much is
     * overwritten by the next one. */
    if (skip >= length)
      skip -= length;
    else if (length <= SD_REPAIR_SHORT && skip == 0 && room - o >= SD_REPAIR_SHORT) {
      memcpy (out + o, d->head[id], sizeof d->head[id]);
      o += length;
      /* Longer ones that fit into a word are taken from it symbol by symbol, without a step to their parts.
       */
    } else if (length <= d->at_hand) {
      const uint64_t count = rest < room - o ? rest : room - o;
      uint64_t w = p->symbols >> (skip * d->symbol_bits);
      for (uint64_t k = 0; k < count; k++, w >>= d->symbol_bits)
        out[o + k] = (sd_symbol) (w & one);
      o += count;
      skip = 0;
      /* A long phrase of equal symbols, most of what a table consists of, has no parts that are worth
       * visiting. */
    } else if (p->split == 0) {
      const uint64_t count = rest < room - o ? rest : room - o;
      fill (out + o, p->left, count);
      o += count;
      skip = 0;
    } else {
      /* Any other one is its left part, then its right part. */
      stack[top++] = p->right;
      id = p->left;
      continue;
    }
    if (top == 0 || o == room)
      return o;
    id = stack[--top];
  }
}

static int read_piece (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  while (count) {
    uint64_t begin, end, skip;
    cursor c = { 0 };
    uint64_t b = sd_starts_find (&d->blocks.starts, first, &begin, &end);
    /* Each block is read for itself: its last phrase may reach beyond its end, where the next block
     * counts. */
    uint64_t want = end - first < count ? end - first : count;
    place pl = block_at (d, b);
    SD_TRY (sd_guard_check (d->base.guard, pl.p, pl.bits / 8));
    /* `first` and `count` are already those of the next block, since `want` is used up below. */
    first += want;
    count -= want;
    /* The first phrase is found as for one slot; from there on each follows the one before. */
    skip = first - want - begin;
    int id = find_phrase (d, &pl, &skip, &c);
    if (id < 0)
      return SD_EFORMAT;
    for (;;) {
      uint64_t done = expand (d, (unsigned) id, skip, out, want);
      out += done;
      want -= done;
      skip = 0;
      if (!want)
        break;
      if ((id = next_phrase (d, &pl, &c)) < 0)
        return SD_EFORMAT;
    }
  }
  return SD_OK;
}

int sd_repair_read (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  return sd_read_parts (base, first, count, SD_READ_STEP, read_piece, out);
}
