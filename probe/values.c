/* values.c - values of finished endings, decoded in blocks as they are asked for.
 *
 * Idea: whoever counts the conversions of a larger ending, state by state, asks for neighbouring slots of its
 * sub-endings. So a lookup that finds nothing decodes a whole block of the file's codec, and the next
 * thousands of lookups are two loads. A block is an array of symbols of one byte where the table has at most
 * 256 values, else of values. Nothing is freed while lookups run, so that these need no lock and no reference
 * count: the owner trims between batches.
 *
 * A file that holds its values as the generator writes them (SD_CODING_SIGNED, at most illegal slots free,
 * kings first) is one `source` a side: blocks of the file. Any other has a source in the file's layout and
 * above it one in the generator's, whose blocks are made by restoring each position (as load.c, S0 Sec. 1.8,
 * 1.9) with the sub-endings' sources: right, and slow, some microseconds a slot.
 *
 * Cost: a block of 2 Mi slots of LZMA takes some 50 ms (26 ns a slot, on a busy machine). Black's half of the
 * states of KNNvKP, 175 million, with four sub-endings of 5 men: 20.4 s of CPU time where all of the 123
 * blocks fit (241 MiB, 0.75 bytes a state of the ending), 35.0 s with 0.4 bytes (320 blocks decoded), 43.3 s
 * with 64 MiB (471): without pawns the kings of a parent come back to the same slots from several sides.
 *
 * Locks: a source decodes one block at a time. Restoring asks sources of the same file and of sub-endings, so
 * locks are taken in the order of material and cannot form a circle. */
#include "config.h"
#include "probe/values_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEP = 4096, /* slots restored at a time */
  OLDEST = 4095 /* trims: some 100 million states of one that two threads build */
};

/* ------------------------------------------------------------------ counts */

static void count_bytes (sd_values *c, int64_t change) {
  uint64_t now = __atomic_add_fetch (&c->bytes, (uint64_t) change, __ATOMIC_RELAXED);
  uint64_t peak = __atomic_load_n (&c->peak, __ATOMIC_RELAXED);
  while (now > peak
         && !__atomic_compare_exchange_n (&c->peak, &peak, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static uint64_t block_first (const sd_source *s, uint64_t b) {
  return b << s->side.shift;
}
static uint64_t block_slots (const sd_source *s, uint64_t b) {
  const uint64_t rest = s->side.n - block_first (s, b), most = s->side.mask + 1;
  return rest < most ? rest : most;
}
static uint64_t count_blocks (const sd_source *s) {
  return s->side.n ? ((s->side.n - 1) >> s->side.shift) + 1 : 0;
}
static uint64_t block_bytes (const sd_source *s, uint64_t b) {
  return block_slots (s, b) * (s->side.wide ? sizeof (sd_value) : 1);
}

/* ---------------------------------------------------------------- decoding */

/* A block of the file; symbols become bytes or values in place. */
static int decode (sd_source *s, uint64_t b, void **out, sd_error *err) {
  const uint64_t n = block_slots (s, b), first = block_first (s, b);
  sd_symbol *sym = sd_alloc (n, sizeof *sym);
  if (!sym)
    return sd_fail_memory (err, n * sizeof *sym);
  count_bytes (s->cache, (int64_t) (n * sizeof *sym));
  int st = sd_codec_read (s->table->info.side[s->stm].decoder, first, n, sym);
  if (st != SD_OK) {
    count_bytes (s->cache, -(int64_t) (n * sizeof *sym));
    free (sym);
    return sd_fail (err, st, "%s: %s: slots %" PRIu64 " to %" PRIu64 " cannot be decoded: %s", s->table->name,
                    sd_table_mover (s->table, s->stm), first, first + n - 1, sd_strerror (st));
  }
  if (s->side.wide) {
    sd_value *value = (sd_value *) sym; /* the signed twin of the same type */
    for (uint64_t i = 0; i < n; i++)
      value[i] = s->side.map[sym[i]];
  } else {
    uint8_t *byte = (uint8_t *) sym;
    for (uint64_t i = 0; i < n; i++)
      byte[i] = (uint8_t) sym[i];
    void *less = realloc (sym, n);
    sym = less ? less : sym;
    count_bytes (s->cache, -(int64_t) n);
  }
  *out = sym;
  return SD_OK;
}

/* --------------------------------------------------------------- restoring */

static int position_value (const sd_values *c, const sd_pos *p, sd_value *out, sd_error *err) {
  sd_board b;
  uint8_t sq[SD_MAX_MEN];
  bool swapped;
  if (!sd_board_of (p, &b))
    return sd_fail (err, SD_EINVAL, "too many men");
  *out = 0;
  if (b.key == SD_KEY_KVK)
    return SD_OK;
  const sd_values_ending *e = sd_values_find (c, b.key, &swapped);
  if (!e)
    return sd_fail (err, SD_ENOENT, "a sub-ending is not there"); /* opened with the sd_values_ending */
  const unsigned side = sd_stored_side (e->nsides, p->stm, &swapped);
  sd_board_squares (&b, swapped, sq);
  *out = sd_values_at (&e->values[side]->side, sd_index_of (e->indexer, sq));
  return *out == SD_ILLEGAL ? sd_values_problem (&e->values[side]->side, err) : SD_OK;
}

/* What the conversions of p offer. */
static int best_conversion (const sd_values *c, const sd_pos *p, enum sd_move_class which, bool *has,
                            sd_value *best, sd_error *err) {
  sd_move move[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, which, move);
  *has = n > 0;
  for (unsigned i = 0; i < n; i++) {
    sd_pos child;
    sd_value v = 0;
    sd_pos_apply (p, &move[i], &child);
    SD_TRY (position_value (c, &child, &v, err));
    v = sd_value_back (v);
    if (i == 0 || sd_value_rank (v) > sd_value_rank (*best))
      *best = v;
  }
  return SD_OK;
}

/* The value of position p from what the file holds; `result`: likewise from the WDL file. */
static int restore (const sd_source *s, const sd_pos *p, sd_value stored, sd_value result, sd_value *out,
                    sd_error *err) {
  const sd_table_info *d = &s->of->table[SD_DTM]->info;
  const sd_table *wdl = s->of->table[SD_WDL];
  const unsigned freedom[2] = { wdl ? wdl->info.freedom : 0, d->freedom };
  enum sd_move_class which;
  bool has = false;
  sd_value best = 0;
  if (wdl) {
    if (sd_freedom_conversions (freedom[0], &which))
      SD_TRY (best_conversion (s->cache, p, which, &has, &best, err));
    result = (sd_value) sd_restore_wdl (result, has, sd_value_wdl (best));
    if (result == 0) {
      *out = 0;
      return SD_OK;
    }
  }
  if (!wdl || freedom[0] != freedom[1]) {
    has = false;
    if (sd_freedom_conversions (freedom[1], &which))
      SD_TRY (best_conversion (s->cache, p, which, &has, &best, err));
  }
  *out =
      wdl ? sd_restore_moves (result, (unsigned) stored, has, best) : sd_restore_signed (stored, has, best);
  return SD_OK;
}

/* value[0..count-1]: what the file of this metric holds for the slots first.. of the generator's layout;
 * SD_ILLEGAL where there is no placement. */
static int stored_values (const sd_source *s, enum sd_metric metric, uint64_t first, uint64_t count,
                          sd_value *value, sd_error *err) {
  const sd_values_ending *e = s->of;
  const sd_values_side *from = &e->stored[metric][s->stm]->side;
  uint64_t slot[STEP];
  sd_index_remap (e->indexer, e->table[metric]->info.side[s->stm].indexer, first, count, slot);
  for (uint64_t k = 0; k < count; k++) {
    value[k] = slot[k] == UINT64_MAX ? SD_ILLEGAL : sd_values_at (from, slot[k]);
    if (slot[k] != UINT64_MAX && value[k] == SD_ILLEGAL)
      return sd_values_problem (from, err);
  }
  return SD_OK;
}

static int restore_step (const sd_source *s, uint64_t first, uint64_t count, sd_value *value, sd_error *err) {
  const sd_values_ending *e = s->of;
  sd_value result[STEP];
  SD_TRY (stored_values (s, SD_DTM, first, count, value, err));
  if (!sd_values_restores (e))
    return SD_OK;
  if (e->table[SD_WDL])
    SD_TRY (stored_values (s, SD_WDL, first, count, result, err));
  for (uint64_t k = 0; k < count; k++) {
    uint8_t sq[SD_MAX_MEN];
    sd_pos p;
    if (value[k] == SD_ILLEGAL || !sd_index_squares (e->indexer, first + k, sq))
      continue;
    sd_pos_from_squares (&e->material, sq, s->stm, &p);
    if (!sd_pos_legal (&p))
      value[k] = SD_ILLEGAL;
    else
      SD_TRY (restore (s, &p, value[k], e->table[SD_WDL] ? result[k] : 0, &value[k], err));
  }
  return SD_OK;
}

/* A block of the generator's layout. */
static int make (sd_source *s, uint64_t b, void **out, sd_error *err) {
  const uint64_t n = block_slots (s, b), first = block_first (s, b);
  sd_value *value = sd_alloc (n, sizeof *value);
  if (!value)
    return sd_fail_memory (err, n * sizeof *value);
  count_bytes (s->cache, (int64_t) (n * sizeof *value));
  int st = SD_OK;
  for (uint64_t i = 0; i < n && st == SD_OK; i += STEP)
    st = restore_step (s, first + i, n - i < STEP ? n - i : STEP, value + i, err);
  if (st != SD_OK) {
    count_bytes (s->cache, -(int64_t) (n * sizeof *value));
    free (value);
    return st;
  }
  *out = value;
  return SD_OK;
}

/* ------------------------------------------------------------------ misses */

sd_value sd_values_miss (const sd_values_side *h, uint64_t slot) {
  sd_source *s = (sd_source *) (uintptr_t) h; /* all handles are members of sources, which are not const */
  sd_values_block *b = &h->block[slot >> h->shift];
  void *made = NULL;
  pthread_mutex_lock (&s->lock);
  int st = SD_OK;
  if (!__atomic_load_n (&b->data, __ATOMIC_RELAXED)) { /* else somebody was faster */
    sd_error why = { 0 };
    st = (s->table ? decode : make) (s, slot >> h->shift, &made, &why);
    if (st == SD_OK) {
      __atomic_add_fetch (&s->cache->blocks, 1, __ATOMIC_RELAXED);
      __atomic_add_fetch (&s->cache->slots, block_slots (s, slot >> h->shift), __ATOMIC_RELAXED);
      __atomic_store_n (&b->data, made, __ATOMIC_RELEASE);
    } else {
      s->problem = why;
      s->problem.status = st;
    }
  }
  pthread_mutex_unlock (&s->lock);
  return st == SD_OK ? sd_values_at (h, slot) : SD_ILLEGAL;
}

int sd_values_problem (const sd_values_side *h, sd_error *err) {
  sd_source *s = (sd_source *) (uintptr_t) h;
  char name[16];
  sd_error why;
  pthread_mutex_lock (&s->lock);
  why = s->problem;
  pthread_mutex_unlock (&s->lock);
  if (why.status != SD_OK)
    return sd_fail (err, why.status, "%s", why.text);
  sd_material_name (&s->of->material, name);
  return sd_fail (err, SD_EINVAL, "%s: a legal position has no value", name);
}

/* ---------------------------------------------------------------- trimming */

/* Every block that may be freed, to `each`. */
static void walk (sd_values *c, void (*each) (sd_source *s, uint64_t b, void *ctx), void *ctx) {
  for (size_t i = 0; i < c->n; i++) {
    sd_values_ending *e = c->at[i];
    sd_source *const all[] = { e->stored[0][0], e->stored[0][1], e->stored[1][0],
                               e->stored[1][1], e->values[0],    e->values[1] };
    for (unsigned k = 0; k < 6; k++) {
      if (!all[k] || !e->table[SD_DTM] || (k >= 4 && all[k] == e->stored[SD_DTM][k - 4]))
        continue;
      for (uint64_t b = 0; b < count_blocks (all[k]); b++)
        if (all[k]->side.block[b].data)
          each (all[k], b, ctx);
    }
  }
}

static void grow_older (sd_source *s, uint64_t b, void *ctx) {
  uint64_t *bytes = ctx;
  sd_values_block *x = &s->side.block[b];
  x->age = x->used ? 0 : x->age < OLDEST ? x->age + 1 : OLDEST;
  x->used = 0;
  bytes[x->age] += block_bytes (s, b);
}

typedef struct evict {
  unsigned age;
  uint64_t at_most;
} evict;

static void free_old (sd_source *s, uint64_t b, void *ctx) {
  const evict *e = ctx;
  sd_values_block *x = &s->side.block[b];
  if (x->age < e->age || (x->age == e->age && s->cache->bytes <= e->at_most))
    return;
  count_bytes (s->cache, -(int64_t) block_bytes (s, b));
  free ((void *) (uintptr_t) x->data);
  *x = (sd_values_block){ 0 };
}

void sd_values_trim (sd_values *c, uint64_t at_most) {
  uint64_t bytes[OLDEST + 1] = { 0 }, young = 0;
  if (c->bytes <= at_most / 2) /* what is used now need not be known yet */
    return;
  walk (c, grow_older, bytes);
  if (c->bytes <= at_most)
    return;
  evict e = { 0, at_most };
  while (e.age < OLDEST && young + bytes[e.age] <= at_most) /* the youngest that do not fit all */
    young += bytes[e.age++];
  walk (c, free_old, &e);
}

uint64_t sd_values_budget (const sd_values *c) {
  return c->budget;
}

void sd_values_set_budget (sd_values *c, uint64_t budget) {
  c->budget = budget;
}

void sd_values_describe (const sd_values *c, sd_values_stats *out) {
  *out = (sd_values_stats){ c->bytes, c->peak, c->blocks, c->slots };
}

void sd_values_forget_peak (sd_values *c) {
  c->peak = c->bytes;
}
