/** \file cached.c
 * Decoded blocks of general compressors, kept for the next reader.
 *
 * Such a codec decodes its block for each symbol that is read; with blocks of 1 MiB that is some 20 ms. A
 * program that asks for many positions, one after the other, comes back to the same blocks. A cached decoder
 * decodes a block as a whole the first time and copies from it afterwards. What is kept is shared by all
 * decoders of a cache; of more than its budget those blocks go first that nobody has asked for the longest.
 *
 * Cost: a lock and a few loads for each reading of a block that is there; a byte a slot (two with more than
 * 256 symbols); 8 bytes for each block of an open stream. A block is decoded without the lock, so that
 * readers of others do not wait; two threads that miss the same one decode it twice. */
#include "config.h"
#include "codecs/blocks/blocks_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept {
  struct kept *newer, *older;
  struct kept **home; /* where its decoder looks for it */
  uint64_t bytes;
  uint8_t data[];
} kept;

struct sd_block_cache {
  pthread_mutex_t lock; /* of all below, and of `at` of the decoders */
  kept *newest, *oldest;
  uint64_t bytes, budget;
};

typedef struct cached {
  sd_decoder base;
  sd_decoder *whole;
  sd_block_cache *cache;
  uint64_t block, blocks; /* slots of a block; blocks */
  kept **at;              /* [blocks] */
} cached;

int sd_block_cache_new (uint64_t budget, sd_block_cache **out, sd_error *err) {
  sd_block_cache *c = sd_alloc0 (1, sizeof *c);
  *out = NULL;
  if (!c || pthread_mutex_init (&c->lock, NULL) != 0) {
    free (c);
    return sd_fail_memory (err, sizeof *c);
  }
  c->budget = budget;
  *out = c;
  return SD_OK;
}

void sd_block_cache_free (sd_block_cache *c) {
  if (!c)
    return;
  pthread_mutex_destroy (&c->lock);
  free (c);
}

/* ----------------------------------------------------- the list, under the lock */

static void take_out (sd_block_cache *c, kept *k) {
  *(k->newer ? &k->newer->older : &c->newest) = k->older;
  *(k->older ? &k->older->newer : &c->oldest) = k->newer;
}

static void put_first (sd_block_cache *c, kept *k) {
  k->newer = NULL;
  k->older = c->newest;
  *(c->newest ? &c->newest->newer : &c->oldest) = k;
  c->newest = k;
}

static void drop (sd_block_cache *c, kept *k) {
  take_out (c, k);
  c->bytes -= k->bytes;
  *k->home = NULL;
  free (k);
}

/* c owns k afterwards. */
static void keep (sd_block_cache *c, kept **home, kept *k) {
  if (*home) { /* another thread was faster */
    free (k);
    return;
  }
  k->home = home;
  *home = k;
  put_first (c, k);
  c->bytes += k->bytes;
  while (c->bytes > c->budget)
    drop (c, c->oldest);
}

/* --------------------------------------------------------------------- reading */

static void copy_out (const kept *k, bool wide, uint64_t skip, uint64_t count, sd_symbol *out) {
  if (wide)
    memcpy (out, k->data + skip * sizeof *out, count * sizeof *out);
  else
    for (uint64_t i = 0; i < count; i++)
      out[i] = k->data[skip + i];
}

/* What a block of n symbols, at most 2^21, takes in the cache. */
static uint64_t kept_bytes (uint64_t n, bool wide) {
  return sizeof (kept) + n * (wide ? sizeof (sd_symbol) : 1);
}

/* The symbols of a block as they are kept; NULL: out of memory. */
static kept *pack (const sd_symbol *sym, uint64_t n, bool wide) {
  kept *k = sd_alloc (kept_bytes (n, wide), 1);
  if (!k)
    return NULL;
  k->bytes = kept_bytes (n, wide);
  if (wide)
    memcpy (k->data, sym, n * sizeof *sym);
  else
    for (uint64_t i = 0; i < n; i++)
      k->data[i] = (uint8_t) sym[i];
  return k;
}

/* Symbols skip..skip+count-1 of block b, which are all in it. */
static int read_block (const cached *d, uint64_t b, uint64_t skip, uint64_t count, sd_symbol *out) {
  sd_block_cache *c = d->cache;
  const bool wide = d->base.m > 256;
  const uint64_t rest = d->base.n - b * d->block, n = rest < d->block ? rest : d->block;

  pthread_mutex_lock (&c->lock);
  kept *k = d->at[b];
  /* There: copied under the lock, since another thread may throw it out. */
  if (k) {
    copy_out (k, wide, skip, count, out);
    take_out (c, k);
    put_first (c, k);
  }
  pthread_mutex_unlock (&c->lock);
  if (k)
    return SD_OK;
  SD_OWNED sd_symbol *sym = kept_bytes (n, wide) <= c->budget ? sd_alloc (n, sizeof *sym) : NULL;
  if (!sym) /* without keeping it */
    return d->whole->ops->read (d->whole, b * d->block + skip, count, out);
  /* Unpacked outside of the lock; two threads may do so at once, and the second one's work is thrown away. */
  const int st = d->whole->ops->read (d->whole, b * d->block, n, sym);
  if (st == SD_OK) {
    memcpy (out, sym + skip, count * sizeof *out);
    if ((k = pack (sym, n, wide))) {
      pthread_mutex_lock (&c->lock);
      keep (c, &d->at[b], k);
      pthread_mutex_unlock (&c->lock);
    }
  }
  return st;
}

static int get (const sd_decoder *base, uint64_t i, sd_symbol *out) {
  const cached *d = (const cached *) base;
  return read_block (d, i / d->block, i % d->block, 1, out);
}

/* Who reads whole blocks reads all of them, by many threads, and will not come back. */
static int read (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const cached *d = (const cached *) base;
  if (count >= d->block)
    return d->whole->ops->read (d->whole, first, count, out);
  while (count) {
    const uint64_t skip = first % d->block, room = d->block - skip, part = count < room ? count : room;
    SD_TRY (read_block (d, first / d->block, skip, part, out));
    first += part;
    out += part;
    count -= part;
  }
  return SD_OK;
}

static void close (sd_decoder *base) {
  cached *d = (cached *) base;
  pthread_mutex_lock (&d->cache->lock);
  for (uint64_t b = 0; b < d->blocks; b++)
    if (d->at[b])
      drop (d->cache, d->at[b]);
  pthread_mutex_unlock (&d->cache->lock);
  sd_codec_close (d->whole);
  free (d->at);
  free (d);
}

static void describe (const sd_decoder *base, sd_codec_parts *parts) {
  const cached *d = (const cached *) base;
  d->whole->ops->describe (d->whole, parts);
}

static bool block_of (const sd_decoder *base, uint64_t i, sd_codec_block *out) {
  return sd_codec_block_of (((const cached *) base)->whole, i, out);
}

static const sd_decoder_ops ops = {
  .get = get, .read = read, .close = close, .describe = describe, .block_of = block_of
};

int sd_codec_cached (sd_decoder *whole, sd_block_cache *cache, sd_decoder **out, sd_error *err) {
  *out = whole;
  if (whole->ops != &sd_blocks_ops)
    return SD_OK;
  cached *d = sd_alloc0 (1, sizeof *d);
  const uint64_t block = sd_blocks_slots (whole), blocks = (whole->n - 1) / block + 1;
  if (!d || !(d->at = sd_alloc0 (blocks, sizeof *d->at))) {
    free (d);
    sd_codec_close (whole);
    *out = NULL;
    return sd_fail_memory (err, blocks * sizeof *d->at);
  }
  d->base = *whole;
  d->base.ops = &ops;
  d->whole = whole;
  d->cache = cache;
  d->block = block;
  d->blocks = blocks;
  *out = &d->base;
  return SD_OK;
}
