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
#include "table/lookup.h"
#include "table/table_internal.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
  SMALLEST = 16, /* log2 of the slots in a block of a codec with short blocks */
  STEP = 4096,   /* slots restored at a time */
  OLDEST = 255
};

typedef struct ending ending;

/* One side in one layout. The handle comes first: a handle is its source. */
typedef struct source {
  sd_values_side side;
  sd_values *cache;
  const ending *of;
  unsigned stm;
  const sd_table *table; /* decode from here; NULL: restore, or lent */
  pthread_mutex_t lock;  /* of decoding, and of what follows */
  sd_error problem;
} source;

struct ending {
  sd_material material;
  unsigned nsides;
  sd_indexer *own;           /* made here, or NULL */
  const sd_indexer *indexer; /* of the generator's layout */
  sd_table *table[2];        /* by metric; WDL: only where the DTM table needs it */
  source *stored[2][2];      /* [metric][side] in the file's layout */
  source *values[2];         /* [side] in the generator's; may be stored[SD_DTM][side] */
};

struct sd_values {
  char *path;
  sd_exacts *loaded; /* of the files that leave positions to one ply; NULL: none yet */
  uint64_t budget;
  sd_keys keys; /* material -> place in at[] */
  ending **at;
  size_t n, room;
  uint64_t bytes, peak, blocks, slots; /* atomic */
};

/* ------------------------------------------------------------------ counts */

static void count_bytes (sd_values *c, int64_t change) {
  uint64_t now = __atomic_add_fetch (&c->bytes, (uint64_t) change, __ATOMIC_RELAXED);
  uint64_t peak = __atomic_load_n (&c->peak, __ATOMIC_RELAXED);
  while (now > peak
         && !__atomic_compare_exchange_n (&c->peak, &peak, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static uint64_t block_first (const source *s, uint64_t b) {
  return b << s->side.shift;
}
static uint64_t block_slots (const source *s, uint64_t b) {
  const uint64_t rest = s->side.n - block_first (s, b), most = s->side.mask + 1;
  return rest < most ? rest : most;
}
static uint64_t count_blocks (const source *s) {
  return s->side.n ? ((s->side.n - 1) >> s->side.shift) + 1 : 0;
}
static uint64_t block_bytes (const source *s, uint64_t b) {
  return block_slots (s, b) * (s->side.wide ? sizeof (sd_value) : 1);
}

/* ---------------------------------------------------------------- decoding */

/* A block of the file; symbols become bytes or values in place. */
static int decode (source *s, uint64_t b, void **out, sd_error *err) {
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

static const ending *find (const sd_values *c, uint64_t key, bool *swapped) {
  const sd_keyed *k = sd_keys_find (&c->keys, key);
  if (!k)
    return NULL;
  *swapped = k->swapped;
  return c->at[k->item];
}

static int position_value (const sd_values *c, const sd_pos *p, sd_value *out, sd_error *err) {
  sd_board b;
  uint8_t sq[SD_MAX_MEN];
  bool swapped;
  if (!sd_board_of (p, &b))
    return sd_fail (err, SD_EINVAL, "too many men");
  *out = 0;
  if (b.key == SD_KEY_KVK)
    return SD_OK;
  const ending *e = find (c, b.key, &swapped);
  if (!e)
    return sd_fail (err, SD_ENOENT, "a sub-ending is not there"); /* opened with the ending */
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
static int restore (const source *s, const sd_pos *p, sd_value stored, sd_value result, sd_value *out,
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
static int stored_values (const source *s, enum sd_metric metric, uint64_t first, uint64_t count,
                          sd_value *value, sd_error *err) {
  const ending *e = s->of;
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

static bool needs_restoring (const ending *e) {
  const sd_table_info *d = &e->table[SD_DTM]->info;
  return d->coding != SD_CODING_SIGNED || (d->freedom & ~(unsigned) SD_FREE_ILLEGAL);
}

static int restore_step (const source *s, uint64_t first, uint64_t count, sd_value *value, sd_error *err) {
  const ending *e = s->of;
  sd_value result[STEP];
  SD_TRY (stored_values (s, SD_DTM, first, count, value, err));
  if (!needs_restoring (e))
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
static int make (source *s, uint64_t b, void **out, sd_error *err) {
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
  source *s = (source *) (uintptr_t) h; /* all handles are members of sources, which are not const */
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
  source *s = (source *) (uintptr_t) h;
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
static void walk (sd_values *c, void (*each) (source *s, uint64_t b, void *ctx), void *ctx) {
  for (size_t i = 0; i < c->n; i++) {
    ending *e = c->at[i];
    source *const all[] = { e->stored[0][0], e->stored[0][1], e->stored[1][0],
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

static void grow_older (source *s, uint64_t b, void *ctx) {
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

static void free_old (source *s, uint64_t b, void *ctx) {
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

/* ----------------------------------------------------------------- opening */

/* Blocks of 2^shift slots, none of them there. */
static int source_new (sd_values *c, const ending *e, unsigned stm, uint64_t n, unsigned shift, source **out,
                       sd_error *err) {
  source *s = calloc (1, sizeof *s);
  const uint64_t mask = ((uint64_t) 1 << shift) - 1, blocks = (n >> shift) + ((n & mask) != 0);
  sd_values_block *block = sd_alloc0 (blocks, sizeof *block);
  if (!s || !block || pthread_mutex_init (&s->lock, NULL) != 0) {
    free (s);
    free (block);
    return sd_fail_memory (err, blocks * sizeof *block);
  }
  s->side = (sd_values_side){ .block = block, .shift = shift, .wide = true, .mask = mask, .n = n };
  s->cache = c;
  s->of = e;
  s->stm = stm;
  *out = s;
  return SD_OK;
}

static void source_free (source *s) {
  if (!s)
    return;
  pthread_mutex_destroy (&s->lock);
  free (s->side.block);
  free (s);
}

static void ending_free (ending *e) {
  if (!e)
    return;
  for (unsigned side = 0; side < 2; side++) {
    if (e->values[side] != e->stored[SD_DTM][side])
      source_free (e->values[side]);
    source_free (e->stored[SD_WDL][side]);
    source_free (e->stored[SD_DTM][side]);
  }
  sd_table_close (e->table[SD_DTM]);
  sd_table_close (e->table[SD_WDL]);
  sd_indexer_free (e->own);
  free (e);
}

/* Blocks of the file's codec, or several of its blocks where they are short: a block of LZMA is decoded from
 * its beginning, so that half of one costs half as much and both halves one and a half. */
static int file_source (sd_values *c, const ending *e, enum sd_metric metric, unsigned stm, source **out,
                        sd_error *err) {
  const sd_table *t = e->table[metric];
  const uint64_t n = t->info.side[stm].slots, blocks = t->info.side[stm].parts.blocks;
  const uint64_t slots = blocks ? n / blocks + (n % blocks != 0) : 1;
  unsigned shift = sd_bits_for (slots);
  if (shift < SMALLEST)
    shift = SMALLEST;
  SD_TRY (source_new (c, e, stm, n, shift, out, err));
  (*out)->table = t;
  (*out)->side.map = t->info.side[stm].map;
  (*out)->side.wide = t->info.side[stm].main > 256;
  return SD_OK;
}

/* The sources of a table that has been opened. */
static int sources_setup (sd_values *c, ending *e, sd_error *err) {
  sd_layout layout;
  sd_layout_kings_first (&e->material, &layout);
  bool same = !needs_restoring (e);
  for (unsigned side = 0; side < e->nsides; side++) {
    same = same && sd_layout_equal (&layout, e->table[SD_DTM]->info.side[side].layout);
    for (unsigned metric = SD_WDL; metric <= SD_DTM; metric++)
      if (e->table[metric])
        SD_TRY (file_source (c, e, (enum sd_metric) metric, side, &e->stored[metric][side], err));
  }
  if (!same) {
    SD_TRY (sd_indexer_new (&layout, &e->own, err));
    for (unsigned side = 0; side < e->nsides; side++)
      SD_TRY (source_new (c, e, side, sd_indexer_size (e->own), SMALLEST, &e->values[side], err));
    e->indexer = e->own;
    return SD_OK;
  }
  for (unsigned side = 0; side < e->nsides; side++)
    e->values[side] = e->stored[SD_DTM][side];
  e->indexer = e->table[SD_DTM]->info.side[0].indexer;
  return SD_OK;
}

static int open_ending (sd_values *c, const sd_material *m, ending **out, sd_error *err);

/* Ended by the number of men and pawns. */
static int open_successors (sd_values *c, const sd_material *m, sd_error *err) {
  sd_material next[64];
  const unsigned n = sd_material_successors (m, next);
  for (unsigned i = 0; i < n; i++) {
    ending *e;
    SD_TRY (open_ending (c, &next[i], &e, err));
  }
  return SD_OK;
}

/* c owns e afterwards, also if this fails. */
static int keep (sd_values *c, ending *e, sd_error *err) {
  if (c->n == c->room) {
    size_t room = c->room ? 2 * c->room : 32;
    ending **more = realloc (c->at, room * sizeof *more);
    if (!more) {
      ending_free (e);
      return sd_fail_memory (err, room * sizeof *more);
    }
    c->at = more;
    c->room = room;
  }
  c->at[c->n++] = e;
  return SD_OK;
}

/* The same, to be found by its material. */
static int file_ending (sd_values *c, ending *e, sd_error *err) {
  if (sd_keys_add (&c->keys, &e->material, (uint32_t) c->n) != SD_OK) {
    ending_free (e);
    return sd_fail_memory (err, 0);
  }
  return keep (c, e, err);
}

static int ending_new (const sd_material *m, ending **out, sd_error *err) {
  if (!(*out = calloc (1, sizeof **out)))
    return sd_fail_memory (err, sizeof **out);
  (*out)->material = *m;
  (*out)->nsides = sd_material_symmetric (m) ? 1 : 2;
  return SD_OK;
}

/* The values of e are somebody else's, in one block a side. */
static int lend (sd_values *c, ending *e, const sd_exact *exact, sd_error *err) {
  e->indexer = exact->indexer;
  for (unsigned side = 0; side < e->nsides; side++) {
    SD_TRY (source_new (c, e, side, exact->n, 63, &e->values[side], err));
    e->values[side]->side.block[0].data = exact->value[side];
  }
  return SD_OK;
}

/* A file of which positions are restored by one ply of all moves (a side that is not stored, wins that are
 * free): their neighbours are anywhere in the ending, so that it is restored whole, beside the budget. */
static int load_whole (sd_values *c, ending *e, sd_error *err) {
  const sd_exact *exact;
  if (!c->loaded)
    SD_TRY (sd_exacts_new (c->path, &c->loaded, err));
  SD_TRY (sd_exacts_get (c->loaded, &e->material, &exact, err));
  for (unsigned metric = SD_WDL; metric <= SD_DTM; metric++) {
    sd_table_close (e->table[metric]);
    e->table[metric] = NULL;
  }
  return lend (c, e, exact, err);
}

static int open_ending (sd_values *c, const sd_material *m, ending **out, sd_error *err) {
  bool swapped;
  ending *e;
  if (find (c, sd_key_of_material (m), &swapped)) {
    *out = c->at[sd_keys_find (&c->keys, sd_key_of_material (m))->item];
    return SD_OK;
  }
  SD_TRY (ending_new (m, &e, err));
  int st = sd_table_open_dtm (c->path, m, &e->table[SD_DTM], &e->table[SD_WDL], err);
  const sd_table_info *d = st == SD_OK ? &e->table[SD_DTM]->info : NULL,
                      *r = st == SD_OK && e->table[SD_WDL] ? &e->table[SD_WDL]->info : NULL;
  if (st == SD_OK && (sd_table_info_by_moves (d) || (r && sd_table_info_by_moves (r))))
    st = load_whole (c, e, err);
  else if (st == SD_OK) {
    if (sd_table_info_looks (d) || (r && sd_table_info_looks (r)))
      st = open_successors (c, m, err);
    if (st == SD_OK)
      st = sources_setup (c, e, err);
  }
  if (st != SD_OK) {
    ending_free (e);
    return st;
  }
  *out = e;
  return file_ending (c, e, err);
}

int sd_values_add_game (sd_values *c, sd_table *t, const sd_values_side **out, sd_error *err) {
  ending *e = calloc (1, sizeof *e);
  if (!e) {
    sd_table_close (t);
    return sd_fail_memory (err, sizeof *e);
  }
  e->nsides = 1;
  e->table[SD_DTM] = t; /* whatever its metric: there is nothing to restore */
  int st = sd_table_info_is_game (&t->info)
               ? file_source (c, e, SD_DTM, 0, &e->stored[SD_DTM][0], err)
               : sd_fail (err, SD_EINVAL, "%s: a table of chess, not of another game", t->name);
  if (st != SD_OK) {
    ending_free (e);
    return st;
  }
  e->values[0] = e->stored[SD_DTM][0];
  *out = &e->values[0]->side;
  return keep (c, e, err);
}

static int refuse_mirrored (const sd_material *m, sd_error *err) {
  sd_material canonical;
  char name[16];
  if (!sd_material_canonical (m, &canonical) || sd_material_symmetric (m))
    return SD_OK;
  sd_material_name (m, name);
  return sd_fail (err, SD_EINVAL, "%s: the weaker side stands first: the ending's name is the mirrored one",
                  name);
}

int sd_values_get (sd_values *c, const sd_material *m, unsigned side, const sd_values_side **out,
                   sd_error *err) {
  ending *e;
  SD_TRY (refuse_mirrored (m, err));
  SD_TRY (open_ending (c, m, &e, err));
  if (side >= e->nsides)
    return sd_fail (err, SD_EINVAL, "side %u: the ending has %u", side, e->nsides);
  *out = &e->values[side]->side;
  return SD_OK;
}

int sd_values_use (sd_values *c, const sd_exact *exact, sd_error *err) {
  bool swapped;
  ending *e;
  SD_TRY (refuse_mirrored (&exact->material, err));
  if (find (c, sd_key_of_material (&exact->material), &swapped))
    return sd_fail (err, SD_EINVAL, "an ending that is there already cannot be replaced");
  SD_TRY (ending_new (&exact->material, &e, err));
  int st = lend (c, e, exact, err);
  if (st != SD_OK) {
    ending_free (e);
    return st;
  }
  return file_ending (c, e, err);
}

int sd_values_new (const char *path, uint64_t budget, sd_values **out, sd_error *err) {
  sd_values *c = calloc (1, sizeof *c);
  if (!c || !(c->path = strdup (path ? path : ""))) {
    free (c);
    return sd_fail_memory (err, 0);
  }
  c->budget = budget;
  *out = c;
  return SD_OK;
}

void sd_values_free (sd_values *c) {
  if (!c)
    return;
  sd_values_trim (c, 0);
  for (size_t i = 0; i < c->n; i++)
    ending_free (c->at[i]);
  sd_exacts_free (c->loaded);
  free (c->at);
  sd_keys_free (&c->keys);
  free (c->path);
  free (c);
}
