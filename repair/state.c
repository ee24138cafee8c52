/** \file state.c
 * The encoder's state, samples, and what is done with a finished dictionary: recompressing a sequence whose
 * free slots were completed (Zakharov 2015, 1.7.3, step 3), and the way back to a sequence without some
 * phrases. Cost: one pass over the sequence each. */
#include "config.h"
#include "repair/repair_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* src->sym becomes st->ids, which the rounds overwrite; everything else is st's, to be cleared. */
int sd_repair_init (sd_repair *st, sd_seq *src, unsigned max_phrases, sd_error *err) {
  *st = (sd_repair){ .alphabet = src->alphabet,
                     .m = sd_alphabet_main (src->alphabet),
                     .a = sd_alphabet_size (src->alphabet),
                     .max_length = SD_REPAIR_MAX_LENGTH,
                     .max_batch = 1024,
                     .pair = &sd_pair_exact,
                     .ids = src->sym,
                     .n = src->n };
  if (src->n > UINT32_MAX)
    return sd_fail (err, SD_ERANGE, "repair: %llu symbols, at most 2^32 - 1 can be compressed at once",
                    (unsigned long long) src->n);
  /* Ids are given in order: main symbols, subdefinite symbols, then phrases up to the limit. */
  st->used = st->a;
  st->limit = max_phrases < SD_REPAIR_IDS - st->a ? st->a + max_phrases : SD_REPAIR_IDS;

  st->left = sd_alloc (st->limit, sizeof *st->left);
  st->right = sd_alloc (st->limit, sizeof *st->right);
  st->length = sd_alloc (st->limit, sizeof *st->length);
  st->depth = sd_alloc (st->limit, sizeof *st->depth);
  st->freq = sd_alloc0 (st->limit, sizeof *st->freq);
  st->flog = sd_alloc (SD_REPAIR_FLOGS, sizeof *st->flog);
  if (!st->flog || !st->left || !st->right || !st->length || !st->depth || !st->freq) {
    sd_repair_clear (st);
    return sd_fail_memory (err, 0);
  }

  for (unsigned f = 0; f < SD_REPAIR_FLOGS; f++)
    st->flog[f] = f ? f * log2 (f) : 0;
  /* What is no phrase is one position and has no parts but itself. */
  for (unsigned i = 0; i < st->a; i++) {
    st->left[i] = st->right[i] = (sd_phrase) i;
    st->length[i] = 1;
    st->depth[i] = 0;
  }
  return SD_OK;
}

void sd_repair_clear (sd_repair *st) {
  free (st->left);
  free (st->right);
  free (st->length);
  free (st->depth);
  free (st->freq);
  free (st->flog);
  st->left = st->right = NULL;
  st->length = NULL;
  st->depth = NULL;
  st->freq = NULL;
  st->flog = NULL;
}

/* ------------------------------------------------------------------ samples */

enum { SAMPLE_PIECE = 1 << 16 }; /* slots */

/* from[0..all-1] to to[0..n-1]: a piece from each of so many equal parts, so that a sample has something of
 * everything. Parts are at least half a piece long, so that no piece reaches beyond the end. */
void sd_repair_sample (const sd_symbol *from, uint64_t all, uint64_t n, sd_symbol *to) {
  const uint64_t pieces = (n + SAMPLE_PIECE - 1) / SAMPLE_PIECE;
  for (uint64_t k = 0; k < pieces; k++) {
    const uint64_t length = k + 1 < pieces ? SAMPLE_PIECE : n - k * SAMPLE_PIECE, room = all / pieces;
    /* Where in its part a piece lies is random, but the same whenever the sample is taken. */
    uint64_t seed = k;
    memcpy (to + k * SAMPLE_PIECE,
            from + k * room + (room > length ? sd_random (&seed) % (room - length) : 0), length * sizeof *to);
  }
}

/* ------------------------------------------------------------- recompression */

typedef struct pair_map {
  uint32_t *key; /* 0xffffffff: free; no pair has it because ids end below 65536 only if a phrase exists */
  sd_phrase *id;
  unsigned log;
} pair_map;

/* The place of a pair, or the empty one where it would be. */
static size_t find_pair (const pair_map *map, uint32_t key) {
  size_t mask = ((size_t) 1 << map->log) - 1, h = (uint32_t) (key * 0x9e3779b1u) >> (32 - map->log);
  while (map->key[h] != UINT32_MAX && map->key[h] != key)
    h = (h + 1) & mask;
  return h;
}

int sd_repair_recompress (sd_repair *st) {
  pair_map map = { .log = sd_bits_for (st->used - st->a) + 2 };
  map.key = sd_alloc ((size_t) 1 << map.log, sizeof *map.key);
  map.id = sd_alloc ((size_t) 1 << map.log, sizeof *map.id);
  if (!map.key || !map.id) {
    free (map.key);
    free (map.id);
    return SD_ENOMEM;
  }
  memset (map.key, 0xff, sizeof *map.key << map.log);
  for (unsigned id = st->used; id-- > st->a;) { /* the oldest phrase of a pair stays */
    uint32_t key = (uint32_t) st->left[id] << 16 | st->right[id];
    size_t h = find_pair (&map, key);
    map.key[h] = key;
    map.id[h] = (sd_phrase) id;
  }

  sd_phrase *s = st->ids;
  uint64_t o = 0;
  for (uint64_t i = 0; i < st->n; i++) { /* s[0..o-1] holds no known pair */
    s[o++] = s[i];
    /* A new phrase may be a pair with what stands before it, again and again. */
    while (o >= 2) {
      size_t h = find_pair (&map, (uint32_t) s[o - 2] << 16 | s[o - 1]);
      if (map.key[h] == UINT32_MAX)
        break;
      s[--o - 1] = map.id[h];
    }
  }
  st->n = o;
  free (map.key);
  free (map.id);
  return SD_OK;
}

/* --------------------------------------------------------------- and back */

/* drop NULL: all phrases go. The sequence grows in place, for which ids[] has room, since no phrase is longer
 * than the slots it came from. */
void sd_repair_open_up (sd_repair *st, const bool *drop) {
  sd_phrase stack[SD_REPAIR_MAX_DEPTH + 1];
  uint64_t grown = 0;

  /* Once to count what results, once to write it from its end on. */
  for (unsigned write = 0; write < 2; write++) {
    uint64_t o = grown;
    for (uint64_t i = st->n; i-- > 0;) { /* backwards, so that nothing unread is overwritten */
      unsigned top = 0;
      stack[top++] = st->ids[i];
      while (top) {
        const unsigned id = stack[--top];
        if (id >= st->a && (!drop || drop[id])) { /* its parts are shorter */
          stack[top++] = st->left[id];
          stack[top++] = st->right[id];
        } else if (write)
          st->ids[--o] = (sd_phrase) id;
        else
          grown++;
      }
    }
  }
  st->n = grown;
}
