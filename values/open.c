/* Endings in blocks: their files are opened when the ending is first asked for. A whole ending that is handed
 * over is one block a side, so that lookups need not know the difference. See blocks.c. */
#include "config.h"
#include "values/values_internal.h"
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 16 }; /* log2 of the slots in a block of a codec with short blocks */

/* Blocks of 2^shift slots, none of them there; NULL: no memory. */
static sd_values_blocks *blocks_new (sd_values *v, const sd_values_ending *e, unsigned side, uint64_t n,
                                     unsigned shift, sd_error *err) {
  sd_values_blocks *h = calloc (1, sizeof *h);
  const uint64_t mask = ((uint64_t) 1 << shift) - 1, blocks = (n >> shift) + ((n & mask) != 0);
  sd_values_block *block = sd_alloc0 (blocks, sizeof *block);

  if (!h || !block || pthread_mutex_init (&h->lock, NULL) != 0) {
    free (h);
    free (block);
    sd_fail_memory (err, blocks * sizeof *block);
    return NULL;
  }
  h->block = block;
  h->shift = shift;
  /* Until a file says that a byte is enough. */
  h->wide = true;
  h->mask = mask;
  h->n = n;
  h->store = v;
  h->ending = e;
  h->side = side;
  return h;
}

/* Decoded blocks go with their handle; arrays of a whole ending are its own. */
static void blocks_free (sd_values_blocks *h) {
  if (!h)
    return;
  if (sd_values_makes (h->ending))
    sd_values_forget_blocks (h);
  pthread_mutex_destroy (&h->lock);
  free (h->block);
  free (h);
}

void sd_values_ending_free (sd_values_ending *e) {
  if (!e)
    return;
  for (unsigned side = 0; side < 2; side++) {
    /* Stored blocks are those of values where nothing has to be restored. */
    if (e->values[side] != e->stored[e->metric][side])
      blocks_free (e->values[side]);
    for (unsigned k = 0; k < SD_METRICS; k++)
      blocks_free (e->stored[k][side]);
  }
  for (unsigned k = 0; k < SD_METRICS; k++)
    sd_table_close (e->table[k]);
  sd_indexer_free (e->own);
  sd_exact_free (e->whole);
  free (e);
}

/* Blocks of the file's codec, or several of its blocks where they are short: a block of LZMA is decoded from
 * its beginning, so that half of one costs half as much and both halves one and a half. */
static int blocks_of_file (sd_values *v, const sd_values_ending *e, enum sd_metric metric, unsigned side,
                           sd_values_blocks **out, sd_error *err) {
  const sd_table *t = e->table[metric];
  const uint64_t n = t->info.side[side].slots, slots = sd_table_info_block (&t->info, side);
  unsigned shift = sd_bits_for (slots ? slots : 1);
  if (shift < SMALLEST)
    shift = SMALLEST;
  if (!(*out = blocks_new (v, e, side, n, shift, err)))
    return SD_ENOMEM;
  (*out)->table = t;
  (*out)->map = t->info.side[side].map;
  (*out)->wide = t->info.side[side].main > 256;
  return SD_OK;
}

/* With nothing to restore, and in the generator's layout, the file's own slots are handed out. Else values
 * have blocks of their own, made of those. */
static bool holds_values (const sd_values_ending *e) {
  const sd_table_info *own = &e->table[e->metric]->info;
  sd_layout layout;
  bool same = !sd_values_restores (e);

  sd_layout_kings_first (&e->material, &layout);
  for (unsigned side = 0; side < e->nsides; side++)
    same = same && own->side[side].layout && sd_layout_equal (&layout, own->side[side].layout);
  return same;
}

/* Of an ending whose tables have been opened. */
static int set_up_blocks (sd_values *v, sd_values_ending *e, sd_error *err) {
  const sd_table_info *own = &e->table[e->metric]->info;
  for (unsigned side = 0; side < e->nsides; side++)
    for (unsigned k = 0; k < SD_METRICS; k++)
      if (e->table[k])
        SD_TRY (blocks_of_file (v, e, (enum sd_metric) k, side, &e->stored[k][side], err));
  if (!holds_values (e)) {
    sd_layout layout;
    sd_layout_kings_first (&e->material, &layout);
    SD_TRY (sd_indexer_new (&layout, &e->own, err));
    for (unsigned side = 0; side < e->nsides; side++)
      if (!(e->values[side] = blocks_new (v, e, side, sd_indexer_size (e->own), SMALLEST, err)))
        return SD_ENOMEM;
    e->indexer = e->own;
    return SD_OK;
  }
  for (unsigned side = 0; side < e->nsides; side++)
    e->values[side] = e->stored[e->metric][side];
  e->indexer = own->side[0].indexer;
  return SD_OK;
}

/* ------------------------------------------------------------- endings */

static sd_values_ending *ending_new (const sd_values *v, const sd_material *m) {
  sd_values_ending *e = calloc (1, sizeof *e);
  if (!e)
    return NULL;
  e->material = *m;
  e->metric = v->metric;
  e->nsides = sd_material_symmetric (m) ? 1 : 2;
  return e;
}

int sd_values_put (sd_values *v, sd_exact *x) {
  if (sd_values_find (v, &x->material) == x)
    return SD_OK;
  sd_values_ending *e = ending_new (v, &x->material);
  if (!e) {
    sd_exact_free (x);
    return SD_ENOMEM;
  }
  e->whole = x;
  e->indexer = x->indexer;
  for (unsigned side = 0; side < e->nsides; side++) {
    /* An array is one block, by a shift beyond all slots. */
    if (!(e->values[side] = blocks_new (v, e, side, x->n, x->packed[side] ? SMALLEST : 63, NULL))) {
      sd_values_ending_free (e);
      return SD_ENOMEM;
    }
    if (x->value[side])
      e->values[side]->block[0].data = x->value[side];
  }
  return sd_values_keep (v, 0, e);
}

/* Of a DTZ file of engines: full moves, whose plies only all positions together tell. */
static bool counts_moves (const sd_table_info *info) {
  return info->side[0].number_of || info->side[1].number_of;
}

static int refuse_syzygy (sd_table *const *table, sd_error *err) {
  for (unsigned k = 0; k < SD_METRICS; k++)
    if (table[k] && counts_moves (&table[k]->info))
      return sd_fail (err, SD_EUNSUPPORTED,
                      "%s: values of positions cannot be taken from it: 'subdef import' makes a table of it",
                      table[k]->name);
  return SD_OK;
}

/* Open the tables of e. *looks: some positions are restored by conversions; *by_all: some only by other
 * positions of the ending, by one ply of all moves (a side that is not stored, wins or checks that are free)
 * or where full moves are counted. */
static int open_tables (const sd_values *v, sd_values_ending *e, bool *looks, bool *by_all, sd_error *err) {
  *looks = *by_all = false;
  SD_TRY (sd_values_open_tables (v, &e->material, e->metric, e->table, err));
  for (unsigned k = 0; k < SD_METRICS; k++)
    if (e->table[k]) {
      *looks |= sd_table_info_looks (&e->table[k]->info);
      *by_all |= sd_table_info_by_moves (&e->table[k]->info) || counts_moves (&e->table[k]->info);
    }
  return SD_OK;
}

static int open_ending (sd_values *v, const sd_material *m, sd_error *err);

/* Ended by the number of men and pawns. */
static int open_successors (sd_values *v, const sd_material *m, sd_error *err) {
  sd_material next[64];
  const unsigned n = sd_material_successors (m, next);
  for (unsigned i = 0; i < n; i++)
    SD_TRY (open_ending (v, &next[i], err));
  return SD_OK;
}

/* Where positions are restored by one ply of all moves, their neighbours are anywhere in the ending, so that
 * it is loaded whole, beside the budget. */
static int open_ending (sd_values *v, const sd_material *m, sd_error *err) {
  if (sd_values_ending_of (v, m))
    return SD_OK;
  const sd_exact *whole;
  bool looks, by_all;
  sd_values_ending *e = ending_new (v, m);
  if (!e)
    return sd_fail_memory (err, sizeof *e);
  int st = open_tables (v, e, &looks, &by_all, err);
  if (st == SD_OK)
    st = refuse_syzygy (e->table, err);
  if (st == SD_OK && !by_all) {
    /* Before a lookup can ask for them: lookups open nothing. */
    st = looks ? open_successors (v, m, err) : SD_OK;
    if (st == SD_OK)
      st = set_up_blocks (v, e, err);
    if (st == SD_OK)
      return sd_values_keep (v, 0, e) == SD_OK ? SD_OK : sd_fail_memory (err, 0);
  }
  /* Loading opens the tables anew. */
  sd_values_ending_free (e);
  return st == SD_OK ? sd_values_whole (v, m, &whole, err) : st;
}

int sd_values_look_up (sd_values *v, const sd_material *m, sd_error *err) {
  const sd_exact *whole;
  bool looks, by_all;
  if (sd_values_ending_of (v, m))
    return SD_OK;
  /* Plies of Syzygy files are settled over all positions of an ending. */
  if (v->syzygy != SD_NO_METRIC)
    return sd_values_whole (v, m, &whole, err);
  sd_values_ending *e = ending_new (v, m);
  if (!e)
    return sd_fail_memory (err, sizeof *e);
  int st = open_tables (v, e, &looks, &by_all, err);
  const bool blocks = st == SD_OK && !by_all && holds_values (e);
  if (blocks)
    st = sd_values_note_file (v, e->table[e->metric]->name, err);
  if (blocks && st == SD_OK)
    st = set_up_blocks (v, e, err);
  if (blocks && st == SD_OK)
    return sd_values_keep (v, 0, e) == SD_OK ? SD_OK : sd_fail_memory (err, 0);
  sd_values_ending_free (e);
  return st == SD_OK ? sd_values_whole (v, m, &whole, err) : st;
}

int sd_values_add_game (sd_values *v, uint64_t number, sd_table *t, sd_error *err) {
  sd_values_ending *e = calloc (1, sizeof *e);
  if (!e) {
    /* The table has been handed over, and goes in any case. */
    sd_table_close (t);
    return sd_fail_memory (err, sizeof *e);
  }
  e->nsides = 1;
  e->metric = t->info.metric;
  e->table[e->metric] = t;
  int st = sd_table_info_is_game (&t->info)
               ? blocks_of_file (v, e, e->metric, 0, &e->stored[e->metric][0], err)
               : sd_fail (err, SD_EINVAL, "%s: a table of chess, not of another game", t->name);
  if (st != SD_OK) {
    sd_values_ending_free (e);
    return st;
  }
  e->values[0] = e->stored[e->metric][0];
  return sd_values_keep (v, number, e) == SD_OK ? SD_OK : sd_fail_memory (err, 0);
}

sd_values_blocks *sd_values_game (const sd_values *v, uint64_t number, const sd_table_info **info) {
  const sd_keyed *k = sd_keys_find (&v->keys, number);
  if (!k)
    return NULL;
  const sd_values_ending *e = v->at[k->item];
  *info = &e->table[e->metric]->info;
  return e->values[0];
}

int sd_values_refuse_mirrored (const sd_material *m, sd_error *err) {
  sd_material canonical;
  char name[16];
  if (!sd_material_canonical (m, &canonical) || sd_material_symmetric (m))
    return SD_OK;
  sd_material_name (m, name);
  return sd_fail (err, SD_EINVAL, "%s: the weaker side stands first: the ending's name is the mirrored one",
                  name);
}

int sd_values_in_blocks (sd_values *v, const sd_material *m, unsigned side, sd_values_blocks **out,
                         sd_error *err) {
  SD_TRY (sd_values_refuse_mirrored (m, err));
  SD_TRY (open_ending (v, m, err));
  const sd_values_ending *e = sd_values_ending_of (v, m);
  if (side >= e->nsides)
    return sd_fail (err, SD_EINVAL, "side %u: the ending has %u", side, e->nsides);
  *out = e->values[side];
  return SD_OK;
}
