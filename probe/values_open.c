/* values_open.c - where values of finished endings come from: files, opened when an ending is first asked
 * for, and endings that are lent. See values.c. */
#include "config.h"
#include "probe/exact_internal.h"
#include "probe/values_internal.h"
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 16 }; /* log2 of the slots in a block of a codec with short blocks */

/* Blocks of 2^shift slots, none of them there; NULL: no memory. */
static sd_values_store *store_new (sd_values *c, const sd_values_ending *e, unsigned stm, uint64_t n,
                                   unsigned shift, sd_error *err) {
  sd_values_store *s = calloc (1, sizeof *s);
  const uint64_t mask = ((uint64_t) 1 << shift) - 1, blocks = (n >> shift) + ((n & mask) != 0);
  sd_values_block *block = sd_alloc0 (blocks, sizeof *block);
  if (!s || !block || pthread_mutex_init (&s->lock, NULL) != 0) {
    free (s);
    free (block);
    sd_fail_memory (err, blocks * sizeof *block);
    return NULL;
  }
  s->side = (sd_values_side){ .block = block, .shift = shift, .wide = true, .mask = mask, .n = n };
  s->cache = c;
  s->of = e;
  s->stm = stm;
  return s;
}

static void store_free (sd_values_store *s) {
  if (!s)
    return;
  pthread_mutex_destroy (&s->lock);
  free (s->side.block);
  free (s);
}

static void ending_free (sd_values_ending *e) {
  if (!e)
    return;
  for (unsigned side = 0; side < 2; side++) {
    if (e->values[side] != e->stored[e->metric][side])
      store_free (e->values[side]);
    for (unsigned k = 0; k < SD_METRICS; k++)
      store_free (e->stored[k][side]);
  }
  for (unsigned k = 0; k < SD_METRICS; k++)
    sd_table_close (e->table[k]);
  sd_indexer_free (e->own);
  free (e);
}

/* Blocks of the file's codec, or several of its blocks where they are short: a block of LZMA is decoded from
 * its beginning, so that half of one costs half as much and both halves one and a half. */
static int file_store (sd_values *c, const sd_values_ending *e, enum sd_metric metric, unsigned stm,
                       sd_values_store **out, sd_error *err) {
  const sd_table *t = e->table[metric];
  const uint64_t n = t->info.side[stm].slots, slots = sd_table_info_block (&t->info, stm);
  unsigned shift = sd_bits_for (slots ? slots : 1);
  if (shift < SMALLEST)
    shift = SMALLEST;
  if (!(*out = store_new (c, e, stm, n, shift, err)))
    return SD_ENOMEM;
  (*out)->table = t;
  (*out)->side.map = t->info.side[stm].map;
  (*out)->side.wide = t->info.side[stm].main > 256;
  return SD_OK;
}

/* The stores of a table that has been opened. */
static int stores_setup (sd_values *c, sd_values_ending *e, sd_error *err) {
  const sd_table_info *own = &e->table[e->metric]->info;
  sd_layout layout;
  sd_layout_kings_first (&e->material, &layout);
  bool same = !sd_values_restores (e);
  for (unsigned side = 0; side < e->nsides; side++) {
    same = same && own->side[side].layout && sd_layout_equal (&layout, own->side[side].layout);
    for (unsigned k = 0; k < SD_METRICS; k++)
      if (e->table[k])
        SD_TRY (file_store (c, e, (enum sd_metric) k, side, &e->stored[k][side], err));
  }
  if (!same) {
    SD_TRY (sd_indexer_new (&layout, &e->own, err));
    for (unsigned side = 0; side < e->nsides; side++)
      if (!(e->values[side] = store_new (c, e, side, sd_indexer_size (e->own), SMALLEST, err)))
        return SD_ENOMEM;
    e->indexer = e->own;
    return SD_OK;
  }
  for (unsigned side = 0; side < e->nsides; side++)
    e->values[side] = e->stored[e->metric][side];
  e->indexer = own->side[0].indexer;
  return SD_OK;
}

static int open_ending (sd_values *c, const sd_material *m, sd_values_ending **out, sd_error *err);

/* Ended by the number of men and pawns. */
static int open_successors (sd_values *c, const sd_material *m, sd_error *err) {
  sd_material next[64];
  const unsigned n = sd_material_successors (m, next);
  for (unsigned i = 0; i < n; i++) {
    sd_values_ending *e;
    SD_TRY (open_ending (c, &next[i], &e, err));
  }
  return SD_OK;
}

/* c owns e afterwards, also if this fails. */
static int keep (sd_values *c, sd_values_ending *e, sd_error *err) {
  if (!sd_grow (&c->at, &c->room, c->n + 1)) {
    ending_free (e);
    return sd_fail_memory (err, (c->n + 1) * sizeof (sd_values_ending *));
  }
  c->at[c->n++] = e;
  return SD_OK;
}

/* The same, to be found by its material. */
static int file_ending (sd_values *c, sd_values_ending *e, sd_error *err) {
  if (sd_keys_add (&c->keys, &e->material, (uint32_t) c->n) != SD_OK) {
    ending_free (e);
    return sd_fail_memory (err, 0);
  }
  return keep (c, e, err);
}

static int ending_new (const sd_values *c, const sd_material *m, sd_values_ending **out, sd_error *err) {
  if (!(*out = calloc (1, sizeof **out)))
    return sd_fail_memory (err, sizeof **out);
  (*out)->material = *m;
  (*out)->metric = c->metric;
  (*out)->nsides = sd_material_symmetric (m) ? 1 : 2;
  return SD_OK;
}

/* The values of e are somebody else's, in one block a side. */
static int lend (sd_values *c, sd_values_ending *e, const sd_exact *exact, sd_error *err) {
  e->indexer = exact->indexer;
  for (unsigned side = 0; side < e->nsides; side++) {
    if (!(e->values[side] = store_new (c, e, side, exact->n, 63, err)))
      return SD_ENOMEM;
    e->values[side]->side.block[0].data = exact->value[side];
  }
  return SD_OK;
}

/* A file of which positions are restored by one ply of all moves (a side that is not stored, wins that are
 * free): their neighbours are anywhere in the ending, so that it is restored whole, beside the budget. */
static int load_whole (sd_values *c, sd_values_ending *e, sd_error *err) {
  const sd_exact *exact;
  if (!c->loaded)
    SD_TRY (sd_exacts_new_of (c->path, c->metric, &c->loaded, err));
  SD_TRY (sd_exacts_get (c->loaded, &e->material, &exact, err));
  for (unsigned k = 0; k < SD_METRICS; k++) {
    sd_table_close (e->table[k]);
    e->table[k] = NULL;
  }
  return lend (c, e, exact, err);
}

/* Of a DTZ file of engines: full moves, whose plies only all positions together tell. */
static int refuse_syzygy (const sd_table *t, sd_error *err) {
  if (!t->info.side[0].number_of && !t->info.side[1].number_of)
    return SD_OK;
  return sd_fail (err, SD_EUNSUPPORTED,
                  "%s: values of positions cannot be taken from it: 'subdef import' makes a table of it",
                  t->name);
}

static int open_ending (sd_values *c, const sd_material *m, sd_values_ending **out, sd_error *err) {
  bool swapped;
  sd_values_ending *e;
  if (sd_values_find (c, sd_key_of_material (m), &swapped)) {
    *out = c->at[sd_keys_find (&c->keys, sd_key_of_material (m))->item];
    return SD_OK;
  }
  SD_TRY (ending_new (c, m, &e, err));
  int st = sd_table_open_needed (c->path, m, e->metric, e->table, err);
  bool looks = false, by_moves = false;
  for (unsigned k = 0; k < SD_METRICS && st == SD_OK; k++)
    if (e->table[k] && (st = refuse_syzygy (e->table[k], err)) == SD_OK) {
      looks |= sd_table_info_looks (&e->table[k]->info);
      by_moves |= sd_table_info_by_moves (&e->table[k]->info);
    }
  if (st == SD_OK && by_moves)
    st = load_whole (c, e, err);
  else if (st == SD_OK) {
    st = looks ? open_successors (c, m, err) : SD_OK;
    if (st == SD_OK)
      st = stores_setup (c, e, err);
  }
  if (st != SD_OK) {
    ending_free (e);
    return st;
  }
  *out = e;
  return file_ending (c, e, err);
}

int sd_values_add_game (sd_values *c, sd_table *t, const sd_values_side **out, sd_error *err) {
  sd_values_ending *e = calloc (1, sizeof *e);
  if (!e) {
    sd_table_close (t);
    return sd_fail_memory (err, sizeof *e);
  }
  e->nsides = 1;
  e->metric = t->info.metric;
  e->table[e->metric] = t;
  int st = sd_table_info_is_game (&t->info)
               ? file_store (c, e, e->metric, 0, &e->stored[e->metric][0], err)
               : sd_fail (err, SD_EINVAL, "%s: a table of chess, not of another game", t->name);
  if (st != SD_OK) {
    ending_free (e);
    return st;
  }
  e->values[0] = e->stored[e->metric][0];
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
  sd_values_ending *e;
  SD_TRY (refuse_mirrored (m, err));
  SD_TRY (open_ending (c, m, &e, err));
  if (side >= e->nsides)
    return sd_fail (err, SD_EINVAL, "side %u: the ending has %u", side, e->nsides);
  *out = &e->values[side]->side;
  return SD_OK;
}

int sd_values_use (sd_values *c, const sd_exact *exact, sd_error *err) {
  bool swapped;
  sd_values_ending *e;
  SD_TRY (refuse_mirrored (&exact->material, err));
  if (sd_values_find (c, sd_key_of_material (&exact->material), &swapped))
    return sd_fail (err, SD_EINVAL, "an ending that is there already cannot be replaced");
  SD_TRY (ending_new (c, &exact->material, &e, err));
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
  c->metric = SD_USUAL_EXACT;
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
