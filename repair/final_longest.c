/** \file final_longest.c
 * Final rule `longest` (Zakharov 2015, 1.7.3): phrases E, longest first, replace blocks of free slots that
 * admit them; the other free slots take their most frequent completion; neighbours that the dictionary knows
 * are compressed again.
 *
 * Zakharov 2015 states step 1 for blocks of `*`; here a block may be any free slots, as long as each admits
 * its symbol. Where a phrase fits is a row of bits, one for each slot of a piece of free slots, and follows
 * from its parts: fits (AB) = fits (A) & fits (B) >> |A|. So a piece costs phrases * slots / 64 operations at
 * most. Memory: phrases * PIECE bits. */
#include "config.h"
#include "repair/repair_internal.h"

#include <stdlib.h>
#include <string.h>

#define PIECE 4096 /* slots handled at once; a longer run of free slots is cut */
#define WORDS (PIECE / 64)

typedef struct filler {
  const sd_repair *st;
  uint64_t *bits;   /* rows of WORDS words: first m main symbols, then phrases short enough */
  uint32_t *row;    /* [id] row, NO_ROW: too long */
  sd_phrase *order; /* phrases with a row, longest first, then most frequent first */
  unsigned norder;
  bool *empty; /* [row] fits nowhere in this piece */
  sd_phrase slot[PIECE];
  sd_phrase fill[PIECE]; /* phrase that starts here */
  uint64_t taken[WORDS];
  unsigned nslot, words;
} filler;

#define NO_ROW UINT32_MAX

static int by_length (const void *pa, const void *pb, void *ctx) {
  const sd_repair *st = ctx;
  unsigned a = *(const sd_phrase *) pa, b = *(const sd_phrase *) pb;
  if (st->length[a] != st->length[b])
    return st->length[a] < st->length[b] ? 1 : -1;
  /* Among phrases of one length the frequent ones have the shorter codes. The id decides last, so that the
   * order, and with it the stream, does not depend on the sort. */
  if (st->freq[a] != st->freq[b])
    return st->freq[a] < st->freq[b] ? 1 : -1;
  return a < b ? -1 : a > b;
}

/* dst = a & b >> shift; false if nothing is left */
static bool and_shifted (uint64_t *dst, const uint64_t *a, const uint64_t *b, unsigned shift,
                         unsigned words) {
  /* The row of the right part moves to the left by the length of the left part: whole words, then bits. */
  unsigned w = shift / 64, s = shift % 64;
  uint64_t any = 0;
  for (unsigned i = 0; i < words; i++) {
    uint64_t v = 0;
    if (i + w < words) {
      v = b[i + w] >> s;
      if (s && i + w + 1 < words)
        v |= b[i + w + 1] << (64 - s);
    }
    any |= dst[i] = a[i] & v;
  }
  return any != 0;
}

/* Has a longer phrase taken one of these slots? */
static bool any_taken (const filler *f, unsigned from, unsigned count) {
  for (unsigned i = from; i < from + count;) {
    unsigned in_word = 64 - i % 64, take = from + count - i < in_word ? from + count - i : in_word;
    uint64_t mask = (take == 64 ? ~(uint64_t) 0 : ((uint64_t) 1 << take) - 1) << (i % 64);
    if (f->taken[i / 64] & mask)
      return true;
    i += take;
  }
  return false;
}

/* The slots of one piece are in f->slot; a main symbol stands between two runs. */
static void fill_piece (filler *f) {
  const sd_repair *st = f->st;
  unsigned words = f->words = (f->nslot + 63) / 64;

  /* Main symbols have the first rows. What fits nowhere is noted, so that phrases with such a part are passed
   * over. */
  for (unsigned v = 0; v < st->m; v++) {
    f->empty[v] = true;
    memset (f->bits + (size_t) v * WORDS, 0, words * sizeof *f->bits);
  }
  memset (f->taken, 0, sizeof f->taken);
  /* A bit for each slot that admits the symbol. */
  for (unsigned i = 0; i < f->nslot; i++) {
    f->fill[i] = 0;
    if (f->slot[i] < st->m)
      continue;
    const uint64_t *set = sd_alphabet_set (st->alphabet, f->slot[i]);
    for (unsigned w = 0; w < (st->m + 63) / 64; w++)
      for (uint64_t rest = set[w]; rest; rest &= rest - 1) {
        unsigned v = 64 * w + (unsigned) __builtin_ctzll (rest);
        f->bits[(size_t) v * WORDS + i / 64] |= (uint64_t) 1 << (i % 64);
        f->empty[v] = false;
      }
  }
  /* A phrase fits where its left part fits and its right part fits behind it: 64 places at once. Parts are
   * older than what they are part of, so their rows are done. */
  for (unsigned id = st->a; id < st->used; id++) {
    uint32_t row = f->row[id];
    if (row == NO_ROW)
      continue;
    uint32_t l = f->row[st->left[id]], r = f->row[st->right[id]];
    f->empty[row] = f->empty[l] || f->empty[r] || st->length[id] > f->nslot
                    || !and_shifted (f->bits + (size_t) row * WORDS, f->bits + (size_t) l * WORDS,
                                     f->bits + (size_t) r * WORDS, st->length[st->left[id]], words);
  }
  /* The longest phrases choose first (Zakharov 2015, 1.7.3), each from left to right. */
  for (unsigned k = 0; k < f->norder; k++) {
    unsigned id = f->order[k];
    uint32_t row = f->row[id], length = st->length[id];
    if (f->empty[row])
      continue;
    const uint64_t *fits = f->bits + (size_t) row * WORDS;
    for (unsigned w = 0; w < words; w++)
      for (uint64_t rest = fits[w] & ~f->taken[w]; rest; rest &= rest - 1) {
        unsigned i = 64 * w + (unsigned) __builtin_ctzll (rest);
        if (any_taken (f, i, length))
          continue;
        for (unsigned j = i; j < i + length; j++)
          f->taken[j / 64] |= (uint64_t) 1 << (j % 64);
        f->fill[i] = (sd_phrase) id;
        /* Places that it has just covered are no longer its own to begin at. */
        rest &= ~f->taken[w];
        if (!rest)
          break;
      }
  }
}

/* First slots of the run of free slots that starts at i, at most PIECE. */
static unsigned run_length (const sd_repair *st, uint64_t i) {
  unsigned length = 0;
  /* A run that is longer than a piece is cut: the rest is another run, in which other phrases may fit. */
  while (length < PIECE && i + length < st->n && !sd_repair_definite (st, st->ids[i + length]))
    length++;
  return length;
}

/* Step 1 over the whole sequence. Many short runs share a piece, a definite symbol between them; a lone free
 * slot can hold no phrase and stays out. */
static void fill_blocks (sd_repair *st, filler *f) {
  sd_phrase *s = st->ids;
  uint64_t o = 0, i = 0;

  while (i < st->n) {
    /* Gather runs until the piece is full. */
    uint64_t end = i;
    f->nslot = 0;
    while (end < st->n) {
      unsigned length = run_length (st, end);
      if (length > 1) {
        if (f->nslot + length > PIECE)
          break;
        memcpy (f->slot + f->nslot, s + end, length * sizeof *s);
        f->nslot += length;
        /* A main symbol (0) behind each run keeps phrases from reaching over its end: no phrase fits there,
         * as the rows have bits for free slots alone. */
        if (f->nslot < PIECE)
          f->slot[f->nslot++] = 0;
      }
      end += length ? length : 1;
    }
    if (f->nslot)
      fill_piece (f);
    /* Write them back, with the phrases that were put into them. */
    unsigned j = 0;
    while (i < end) {
      unsigned length = run_length (st, i);
      if (length < 2) {
        /* Definite symbols and lone free slots stay; the sequence only becomes shorter, so that it is written
         * where it was read. */
        s[o++] = s[i++];
        continue;
      }
      for (unsigned k = 0; k < length;) {
        unsigned id = f->fill[j + k], step = id ? st->length[id] : 1;
        s[o++] = id ? (sd_phrase) id : s[i + k];
        k += step;
      }
      i += length;
      j += length + 1;
    }
  }
  st->n = o;
}

/* Step 1, where the longest run of free slots has `longest` of them. */
static int fill_runs (sd_repair *st, uint64_t longest) {
  SD_OWNED filler *f = sd_alloc0 (1, sizeof *f);
  SD_OWNED uint32_t *row = sd_alloc (st->used, sizeof *row);
  SD_OWNED sd_phrase *order = sd_alloc (st->used, sizeof *order);
  uint32_t rows = st->m;

  if (!f || !row || !order)
    return SD_ENOMEM;
  for (unsigned id = 0; id < st->used; id++)
    row[id] = id < st->m ? id : NO_ROW;
  /* A phrase longer than every run fits nowhere and gets no row: rows take most of the memory. */
  for (unsigned id = st->a; id < st->used; id++)
    if (st->length[id] <= longest) {
      row[id] = rows++;
      order[f->norder++] = (sd_phrase) id;
    }
  qsort_r (order, f->norder, sizeof *order, by_length, st);
  SD_OWNED uint64_t *bits = sd_alloc ((uint64_t) rows * WORDS, sizeof *bits);
  SD_OWNED bool *empty = sd_alloc (rows, sizeof *empty);
  if (!bits || !empty)
    return SD_ENOMEM;
  f->st = st;
  f->bits = bits;
  f->row = row;
  f->order = order;
  f->empty = empty;
  fill_blocks (st, f);
  return SD_OK;
}

int sd_final_longest (sd_repair *st, sd_error *err) {
  sd_repair_count_symbols (st);
  /* The longest run bounds the phrases that can matter. */
  uint64_t longest = 0, current = 0;
  for (uint64_t i = 0; i < st->n; i++) {
    current = sd_repair_definite (st, st->ids[i]) ? 0 : current + 1;
    longest = current > longest ? current : longest;
  }
  if (longest > 1 && fill_runs (st, longest < PIECE ? longest : PIECE) != SD_OK)
    return sd_fail_memory (err, 0);
  /* Step 2 of Zakharov 2015 (1.7.3): what no phrase took gets its most frequent completion. */
  SD_TRY (sd_final_frequent (st, err));
  /* Step 3: completed slots and their neighbours may be pairs that the dictionary knows. */
  return sd_repair_recompress (st) ? sd_fail_memory (err, 0) : SD_OK;
}
