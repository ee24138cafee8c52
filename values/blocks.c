/* Values of finished endings in blocks, decoded as they are asked for.
 *
 * Idea: whoever counts the conversions of a larger ending, state by state, asks for neighbouring slots of its
 * sub-endings. So a lookup that finds nothing decodes a whole block of the file's codec, and the next
 * thousands of lookups are two loads. A block is an array of symbols of one byte where the table has at most
 * 256 values, else of values. Nothing is freed while lookups run, so that these need no lock and no reference
 * count: the owner trims between batches.
 *
 * A file that holds its values as the generator writes them (SD_CODING_SIGNED, at most illegal slots free,
 * kings first) has blocks of one kind, in which the file's own are decoded. Any other has such blocks of
 * numbers in the file's layout, and above them blocks of values in the generator's, which are made by
 * restoring each position (restore_internal.h) from the sub-endings, as load.c does: right, and slow, some
 * microseconds a slot.
 *
 * Cost: a block of 2 Mi slots of LZMA takes some 50 ms (26 ns a slot, on a busy machine), of Zstandard a
 * tenth. By LZMA Black's half of the states of KNNvKP, 175 million, with four sub-endings of 5 men: 20.4 s of
 * CPU time where all of the 123 blocks fit (241 MiB, 0.75 bytes a state of the ending), 35.0 s with 0.4 bytes
 * (320 blocks decoded), 43.3 s with 64 MiB (471): without pawns the kings of a parent come back to the same
 * slots from several sides.
 *
 * Locks: of the blocks of one side one is made at a time. Restoring asks for numbers of the same file and for
 * values of sub-endings, so locks are taken in the order of material and cannot form a circle. */
#include "config.h"
#include "values/values_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OLDEST = 4095 }; /* trims: some 100 million states of one that two threads build */

/* ------------------------------------------------------------------ counts */

static void count_bytes (sd_values *v, int64_t change) {
  uint64_t now = __atomic_add_fetch (&v->bytes, (uint64_t) change, __ATOMIC_RELAXED);
  uint64_t peak = __atomic_load_n (&v->peak, __ATOMIC_RELAXED);
  while (now > peak
         && !__atomic_compare_exchange_n (&v->peak, &peak, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static uint64_t block_first (const sd_values_blocks *h, uint64_t b) {
  return b << h->shift;
}
static uint64_t block_slots (const sd_values_blocks *h, uint64_t b) {
  const uint64_t rest = h->n - block_first (h, b), most = h->mask + 1;
  return rest < most ? rest : most;
}
static uint64_t count_blocks (const sd_values_blocks *h) {
  return h->n ? ((h->n - 1) >> h->shift) + 1 : 0;
}
static uint64_t block_bytes (const sd_values_blocks *h, uint64_t b) {
  return block_slots (h, b) * (h->wide ? sizeof (sd_value) : 1);
}

/* ---------------------------------------------------------------- decoding */

/* A block of the file. Its symbols are freed before the next block is decoded, so that the C library hands
 * the same memory out again: to ask the system for it block by block took longer than decoding. */
static int decode (sd_values_blocks *h, uint64_t b, void **out, sd_error *err) {
  const uint64_t n = block_slots (h, b), first = block_first (h, b);
  sd_symbol *sym = sd_alloc (n, sizeof *sym);
  uint8_t *byte = h->wide ? NULL : sd_alloc (n, 1);
  const int64_t bytes = (int64_t) (n * sizeof *sym), kept = (int64_t) block_bytes (h, b);
  const int64_t held = h->wide ? bytes : bytes + kept;

  if (!sym || (!h->wide && !byte)) {
    free (sym);
    free (byte);
    return sd_fail_memory (err, (size_t) held);
  }
  count_bytes (h->store, held);
  int st = sd_codec_read (h->table->info.side[h->side].decoder, first, n, sym);
  if (st != SD_OK) {
    count_bytes (h->store, -held);
    free (sym);
    free (byte);
    return sd_fail (err, st, "%s: %s: slots %" PRIu64 " to %" PRIu64 " cannot be decoded: %s", h->table->name,
                    sd_table_mover (h->table, h->side), first, first + n - 1, sd_strerror (st));
  }
  if (h->wide) {
    sd_value *value = (sd_value *) sym; /* the signed twin of the same type */
    for (uint64_t i = 0; i < n; i++)
      value[i] = h->map[sym[i]];
    *out = value;
    return SD_OK;
  }
  for (uint64_t i = 0; i < n; i++)
    byte[i] = (uint8_t) sym[i];
  free (sym);
  count_bytes (h->store, -bytes);
  *out = byte;
  return SD_OK;
}

/* --------------------------------------------------------------- restoring */

/* is[0..count-1]: what the file of this metric says of the slots first.. of the generator's layout, after
 * those that its coding needs. */
static int restore_step (const sd_values_blocks *h, enum sd_metric metric, uint64_t first, uint64_t count,
                         sd_value *is, sd_error *err) {
  const sd_values_ending *e = h->ending;
  const sd_table *t = e->table[metric];
  const enum sd_metric needs = sd_codings[t->info.coding].needs;
  sd_values_blocks *stored = e->stored[metric][h->side];
  uint64_t slot[SD_VALUES_STEP];

  sd_side_remap (&t->info.side[h->side], e->indexer, first, count, slot);
  for (uint64_t k = 0; k < count; k++) {
    is[k] = slot[k] == UINT64_MAX ? SD_ILLEGAL : sd_values_at (stored, slot[k]);
    if (slot[k] != UINT64_MAX && is[k] == SD_ILLEGAL)
      return sd_values_problem (stored, err);
  }
  if (metric == e->metric && !sd_values_restores (e))
    return SD_OK;
  sd_value sign[SD_VALUES_STEP];
  if (needs != SD_NO_METRIC)
    SD_TRY (restore_step (h, needs, first, count, sign, err));
  sd_values_source from = sd_values_as_source (h->store, NULL);
  from.err = err;
  return sd_restore_slots (&(sd_slots){ .t = t,
                                        .side = h->side,
                                        .ix = e->indexer,
                                        .from = &from.source,
                                        .first = first,
                                        .count = count,
                                        .sign = needs != SD_NO_METRIC ? sign : NULL },
                           is);
}

/* A block of the generator's layout. */
static int make (sd_values_blocks *h, uint64_t b, void **out, sd_error *err) {
  const uint64_t n = block_slots (h, b), first = block_first (h, b);
  sd_value *value = sd_alloc (n, sizeof *value);

  if (!value)
    return sd_fail_memory (err, n * sizeof *value);
  count_bytes (h->store, (int64_t) (n * sizeof *value));
  int st = SD_OK;
  if (h->ending->whole)
    sd_exact_read (h->ending->whole, h->side, first, n, value);
  for (uint64_t i = 0; i < n && st == SD_OK && !h->ending->whole; i += SD_VALUES_STEP)
    st = restore_step (h, h->ending->metric, first + i, n - i < SD_VALUES_STEP ? n - i : SD_VALUES_STEP,
                       value + i, err);
  if (st != SD_OK) {
    count_bytes (h->store, -(int64_t) (n * sizeof *value));
    free (value);
    return st;
  }
  *out = value;
  return SD_OK;
}

/* ------------------------------------------------------------------ misses */

sd_value sd_values_miss (sd_values_blocks *h, uint64_t slot) {
  sd_values_block *b = &h->block[slot >> h->shift];
  void *made = NULL;

  pthread_mutex_lock (&h->lock);
  int st = SD_OK;
  if (!__atomic_load_n (&b->data, __ATOMIC_RELAXED)) { /* else somebody was faster */
    sd_error why = { 0 };
    st = (h->table ? decode : make) (h, slot >> h->shift, &made, &why);
    if (st == SD_OK) {
      __atomic_add_fetch (&h->store->blocks, 1, __ATOMIC_RELAXED);
      __atomic_add_fetch (&h->store->slots, block_slots (h, slot >> h->shift), __ATOMIC_RELAXED);
      __atomic_store_n (&b->data, made, __ATOMIC_RELEASE);
    } else {
      h->problem = why;
      h->problem.status = st;
    }
  }
  pthread_mutex_unlock (&h->lock);
  return st == SD_OK ? sd_values_at (h, slot) : SD_ILLEGAL;
}

int sd_values_problem (sd_values_blocks *h, sd_error *err) {
  char name[16];
  sd_error why;
  pthread_mutex_lock (&h->lock);
  why = h->problem;
  pthread_mutex_unlock (&h->lock);
  if (why.status != SD_OK)
    return sd_fail (err, why.status, "%s", why.text);
  sd_material_name (&h->ending->material, name);
  return sd_fail (err, SD_EINVAL, "%s: a legal position has no value", name);
}

/* ---------------------------------------------------------------- trimming */

/* Every block that may be freed, to `each`. */
static void walk (const sd_values *v, void (*each) (sd_values_blocks *h, uint64_t b, void *ctx), void *ctx) {
  for (size_t i = 0; i < v->n; i++) {
    sd_values_ending *e = v->at[i];
    sd_values_blocks *all[2 * SD_METRICS + 2];
    unsigned n = 0;
    for (unsigned side = 0; side < 2; side++) {
      for (unsigned k = 0; k < SD_METRICS; k++)
        all[n++] = e->stored[k][side];
      all[n++] = e->values[side] == e->stored[e->metric][side] ? NULL : e->values[side];
    }
    for (unsigned k = 0; k < n; k++) {
      if (!all[k] || !sd_values_makes (e))
        continue;
      for (uint64_t b = 0; b < count_blocks (all[k]); b++)
        if (all[k]->block[b].data)
          each (all[k], b, ctx);
    }
  }
}

static void grow_older (sd_values_blocks *h, uint64_t b, void *ctx) {
  uint64_t *bytes = ctx;
  sd_values_block *x = &h->block[b];
  x->age = x->used ? 0 : x->age < OLDEST ? x->age + 1 : OLDEST;
  x->used = 0;
  bytes[x->age] += block_bytes (h, b);
}

typedef struct evict {
  unsigned age;
  uint64_t at_most;
} evict;

static void free_old (sd_values_blocks *h, uint64_t b, void *ctx) {
  const evict *e = ctx;
  sd_values_block *x = &h->block[b];
  if (x->age < e->age || (x->age == e->age && h->store->bytes <= e->at_most))
    return;
  count_bytes (h->store, -(int64_t) block_bytes (h, b));
  free ((void *) (uintptr_t) x->data);
  *x = (sd_values_block){ 0 };
}

void sd_values_forget_blocks (sd_values_blocks *h) {
  for (uint64_t b = 0; b < count_blocks (h); b++)
    if (h->block[b].data)
      free_old (h, b, &(evict){ 0, 0 });
}

static void let_go (const sd_values *v) {
  for (size_t i = 0; i < v->n; i++)
    for (unsigned k = 0; k < SD_METRICS; k++)
      if (v->at[i]->table[k])
        sd_table_let_go (v->at[i]->table[k]);
}

void sd_values_trim (const sd_values *v, uint64_t at_most) {
  uint64_t bytes[OLDEST + 1] = { 0 }, young = 0;
  if (at_most == 0)
    let_go (v);
  if (v->bytes <= at_most / 2) /* what is used now need not be known yet */
    return;
  walk (v, grow_older, bytes);
  if (v->bytes <= at_most)
    return;
  evict e = { 0, at_most };
  while (e.age < OLDEST && young + bytes[e.age] <= at_most) /* the youngest that do not fit all */
    young += bytes[e.age++];
  walk (v, free_old, &e);
}

uint64_t sd_values_budget (const sd_values *v) {
  return v->budget;
}

void sd_values_set_budget (sd_values *v, uint64_t budget) {
  v->budget = budget;
}

void sd_values_describe (const sd_values *v, sd_values_stats *out) {
  *out = (sd_values_stats){ v->bytes, v->peak, v->blocks, v->slots };
}

void sd_values_forget_peak (sd_values *v) {
  v->peak = v->bytes;
}
