/* tables.c - the tables found on a path, opened at once and filed by material.
 *
 * Idea: everything that a probe would have to decide is decided here, so that probing only reads. A folder is
 * listed and sorted, so the order does not depend on the file system. The name of a file says what it has to
 * hold: one that cannot be opened, or holds something else, is kept as a "problem" under that material and
 * metric. It does not disturb the other tables; whoever needs it gets the reason. (Falling back on a later
 * folder would hide the damage.) Cost: one open and one mapping per file; lookups are one hash step. */
#include "config.h"
#include "probe/lookup.h"
#include "table/table_internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ keys */

uint64_t sd_key_of_material (const sd_material *m) {
  uint64_t key = SD_KEY_KVK;
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = SD_PAWN; t < SD_KING; t++)
      key += (uint64_t) (m->count[c][t] & 15) << (4 * (6 * c + t));
  return key;
}

void sd_key_to_material (uint64_t key, sd_material *out) {
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = 0; t < 6; t++)
      out->count[c][t] = key >> (4 * (6 * c + t)) & 15;
}

static void put (sd_keys *k, uint64_t key, uint32_t item, bool swapped) {
  size_t i = (key * 0x9e3779b97f4a7c15u >> 32) & k->mask;
  while (k->at[i].key && k->at[i].key != key)
    i = (i + 1) & k->mask;
  k->used += !k->at[i].key;
  k->at[i] = (sd_keyed){ key, item, swapped };
}

int sd_keys_add (sd_keys *k, const sd_material *m, uint32_t item) {
  if (!k->at || 4 * (k->used + 2) > k->mask + 1) {
    sd_keys bigger = { .mask = k->at ? 2 * (k->mask + 1) - 1 : 255 };
    bigger.at = sd_alloc0 (bigger.mask + 1, sizeof *bigger.at);
    if (!bigger.at)
      return SD_ENOMEM;
    for (size_t i = 0; k->at && i <= k->mask; i++)
      if (k->at[i].key)
        put (&bigger, k->at[i].key, k->at[i].item, k->at[i].swapped);
    free (k->at);
    *k = bigger;
  }
  const uint64_t key = sd_key_of_material (m), low = (1ull << 24) - 1;
  const uint64_t swapped = key >> 24 | (key & low) << 24;
  if (swapped != key)
    put (k, swapped, item, true);
  put (k, key, item, false);
  return SD_OK;
}

void sd_keys_free (sd_keys *k) {
  free (k->at);
  *k = (sd_keys){ 0 };
}

/* ----------------------------------------------------------------- views */

/* To read on behind a slot costs more for each slot than to skip it. A 16th of a block was best or near it in
 * KRvKP, KQvKR, KBPvK, KPvK (RE-PAIR) when each access began at the start of a block; since it begins at a mark
 * (repair/access.c) any part from none to that is about as good. General compressors decode all of a block in any
 * case, and ask for memory each time. Where there are no blocks, nothing is gained. */
static uint64_t near_slots (const sd_table_info *in, unsigned side) {
  return sd_table_info_block (in, side) / (in->side[side].codec->method ? 1 : 16);
}

int sd_view_fill (sd_view *v, const sd_table *t, sd_error *err) {
  sd_table_info info;
  sd_table_describe (t, &info);
  v->table = t;
  v->game = info.game;
  v->metric = info.metric;
  if (sd_table_info_is_game (&info)) /* found and listed, not probed as chess is */
    return SD_OK;
  if (info.nsides != (sd_material_symmetric (&info.material) ? 1u : 2u)) {
    char name[16];
    sd_material_name (&info.material, name);
    return sd_fail (err, SD_EFORMAT, "%s: the table holds %u sides to move", name, info.nsides);
  }
  v->material = info.material;
  v->coding = info.coding;
  v->freedom = info.freedom;
  v->nsides = info.nsides;
  v->sides = info.sides;
  v->by_moves = sd_table_info_by_moves (&info);
  v->converts = sd_freedom_conversions (info.freedom, &v->classes);
  for (unsigned s = 0; s < info.nsides; s++) {
    const unsigned from = sd_table_info_has (&info, s) ? s : !s;
    v->side[s].indexer = info.side[from].indexer;
    v->side[s].slots = info.side[from].slots;
    v->side[s].decoder = info.side[s].decoder;
    v->side[s].map = info.side[s].map;
    v->side[s].main = info.side[s].main;
    v->side[s].near = info.side[s].codec ? near_slots (&info, s) : 0;
  }
  return SD_OK;
}

static void free_view (sd_view *v) {
  if (!v)
    return;
  sd_table_close (v->owned);
  free (v->path);
  free (v->problem);
  free (v);
}

/* File a view under its material and metric; `front`: also where something is there already. Those of other
 * games are only listed. */
static int file_view (sd_tables *ts, sd_view *v, bool front) {
  const bool game = v->game.name[0];
  const sd_keyed *k = game ? NULL : sd_keys_find (&ts->keys, sd_key_of_material (&v->material));
  size_t item = k ? k->item : ts->nendings;
  if (!k && !game) {
    sd_ending *more = realloc (ts->ending, (ts->nendings + 1) * sizeof *more);
    if (!more)
      return SD_ENOMEM;
    ts->ending = more;
    ts->ending[item] = (sd_ending){ 0 };
    SD_TRY (sd_keys_add (&ts->keys, &v->material, (uint32_t) item));
    ts->nendings++;
  }
  sd_view **all = realloc (ts->view, (ts->nviews + 1) * sizeof *all);
  if (!all)
    return SD_ENOMEM;
  ts->view = all;
  ts->view[ts->nviews++] = v;
  if (!game && (front || !ts->ending[item].view[v->metric]))
    ts->ending[item].view[v->metric] = v;
  return SD_OK;
}

/* -------------------------------------------------------------- folders */

/* What the name of a file says that it holds. */
typedef struct subject {
  sd_table_game game; /* without a name: chess */
  sd_material material;
  enum sd_metric metric;
} subject;

static bool copy (char *out, size_t room, const char *text, size_t n) {
  if (n >= room)
    return false;
  memcpy (out, text, n);
  out[n] = 0;
  return true;
}

/* "KRvKP.wdl.sdt" -> canonical material and metric; "draughts-KKvM.dtm.sdt" -> game, slice and metric; false
 * for any other name. */
static bool parse_file_name (const char *name, subject *out) {
  *out = (subject){ .game = { .states = 1 } };
  const char *dot = strchr (name, '.'), *dash = strchr (name, '-');
  if (!dot)
    return false;
  const size_t len = strlen (dot + 1);
  char word[16];
  if (len < 4 || strcmp (dot + len - 3, ".sdt") != 0 || !copy (word, sizeof word, dot + 1, len - 4))
    return false;
  out->metric = sd_metric_find (word);
  if (out->metric == SD_METRICS)
    return false;
  if (dash && dash < dot)
    return copy (out->game.name, sizeof out->game.name, name, (size_t) (dash - name))
           && copy (out->game.slice, sizeof out->game.slice, dash + 1, (size_t) (dot - dash - 1))
           && sd_table_game_check (&out->game, NULL) == SD_OK;
  char text[16];
  sd_material as_written;
  if (!copy (text, sizeof text, name, (size_t) (dot - name))
      || sd_material_parse (text, &as_written, NULL) != SD_OK)
    return false;
  sd_material_canonical (&as_written, &out->material);
  return true;
}

static bool same_game (const sd_table_game *a, const sd_table_game *b) {
  return strcmp (a->name, b->name) == 0 && strcmp (a->slice, b->slice) == 0;
}

static int by_name (const void *a, const void *b) {
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void free_names (char **names, size_t n) {
  for (size_t i = 0; i < n; i++)
    free (names[i]);
  free (names);
}

/* The names of a folder that are names of tables, sorted. */
static int list_folder (const char *folder, char ***out, size_t *count, sd_error *err) {
  DIR *d = opendir (folder);
  if (!d)
    return sd_fail (err, errno == ENOENT ? SD_ENOENT : SD_EIO, "%s: cannot list the folder: %s", folder,
                    strerror (errno));
  char **names = NULL;
  size_t n = 0, cap = 0;
  int st = SD_OK;
  for (struct dirent *e; st == SD_OK && (errno = 0, e = readdir (d));) {
    subject holds;
    if (!parse_file_name (e->d_name, &holds))
      continue;
    if (n == cap) {
      cap = cap ? 2 * cap : 64;
      char **more = realloc (names, cap * sizeof *more);
      if (!more) {
        st = sd_fail_memory (err, cap * sizeof *more);
        break;
      }
      names = more;
    }
    names[n] = strdup (e->d_name);
    if (!names[n])
      st = sd_fail_memory (err, 0);
    else
      n++;
  }
  if (st == SD_OK && errno)
    st = sd_fail (err, SD_EIO, "%s: cannot list the folder: %s", folder, strerror (errno));
  closedir (d);
  if (st != SD_OK) {
    free_names (names, n);
    return st;
  }
  if (n)
    qsort (names, n, sizeof *names, by_name);
  *out = names;
  *count = n;
  return SD_OK;
}

/* Open one file; a damaged one becomes a view with a problem. Only lack of memory fails. */
static int add_file (sd_tables *ts, const char *folder, const char *name, unsigned flags, sd_error *err) {
  sd_view *v = sd_alloc0 (1, sizeof *v);
  const size_t room = strlen (folder) + strlen (name) + 2;
  if (!v || !(v->path = sd_alloc0 (room, 1))) {
    free_view (v);
    return sd_fail_memory (err, room);
  }
  snprintf (v->path, room, "%s/%s", folder, name);
  subject wanted;
  if (!parse_file_name (name, &wanted)) { /* it was accepted when the folder was listed */
    free_view (v);
    return sd_fail (err, SD_EINVAL, "%s/%s: not the name of a table", folder, name);
  }
  sd_error why = { 0 };
  int st = sd_table_open_cached (v->path, flags, ts->cache, &v->owned, &why);
  if (st == SD_OK)
    st = sd_view_fill (v, v->owned, &why);
  if (st == SD_OK
      && (!same_game (&v->game, &wanted.game) || !sd_material_equal (&v->material, &wanted.material)
          || v->metric != wanted.metric)) {
    char holds[SD_GAME_FILE_NAME];
    if (v->game.name[0])
      sd_table_game_file_name (&v->game, v->metric, holds);
    else
      sd_table_file_name (&v->material, v->metric, holds);
    st = sd_fail (&why, SD_EFORMAT, "%s: the file holds another table, %s", v->path, holds);
  }
  if (st == SD_ENOMEM) {
    free_view (v);
    return sd_fail (err, st, "%s", why.text);
  }
  if (st != SD_OK) {
    sd_table_close (v->owned);
    v->owned = NULL;
    v->table = NULL;
    v->problem = sd_alloc0 (1, sizeof *v->problem);
    if (!v->problem) {
      free_view (v);
      return sd_fail_memory (err, sizeof *v->problem);
    }
    *v->problem = why;
    v->problem->status = st;
  }
  if (v->problem || !v->game.name[0]) /* of an open table of a game more is known than its name */
    v->game = wanted.game;
  v->material = wanted.material;
  v->metric = wanted.metric;
  const size_t before = ts->nviews;
  if (file_view (ts, v, false) != SD_OK) {
    if (ts->nviews == before)
      free_view (v);
    return sd_fail_memory (err, sizeof *v);
  }
  return SD_OK;
}

/* Note a folder that is not there; its message stays in *err. */
static int add_absent (sd_tables *ts, const char *folder, sd_error *err) {
  char **more = realloc (ts->absent, (ts->nabsent + 1) * sizeof *more);
  if (!more)
    return sd_fail_memory (err, (ts->nabsent + 1) * sizeof *more);
  ts->absent = more;
  if (!(more[ts->nabsent] = strdup (folder)))
    return sd_fail_memory (err, strlen (folder) + 1);
  ts->nabsent++;
  return SD_OK;
}

/* All tables of a folder; SD_ENOENT: it is not there. */
static int add_folder (sd_tables *ts, const char *folder, unsigned flags, sd_error *err) {
  char **names = NULL;
  size_t n = 0;
  int st = list_folder (folder, &names, &n, err);
  for (size_t i = 0; st == SD_OK && i < n; i++)
    st = add_file (ts, folder, names[i], flags, err);
  free_names (names, n);
  return st;
}

int sd_tables_open (const char *path, unsigned flags, sd_tables **out, sd_error *err) {
  *out = NULL;
  sd_tables *ts = sd_alloc0 (1, sizeof *ts);
  char *folders = strdup (path ? path : "");
  sd_error absent = { 0 }; /* the first of them */
  unsigned there = 0;
  int st = SD_OK;
  if (!ts || !folders || !(ts->path = strdup (folders))) {
    st = sd_fail_memory (err, 0);
    goto done;
  }
  if (flags & SD_OPEN_CACHE)
    st = sd_block_cache_new (SD_CACHE_BYTES, &ts->cache, err);
  for (char *rest = folders, *folder; st == SD_OK && (folder = strsep (&rest, ":"));) {
    sd_error why = { 0 };
    if (!*folder)
      continue;
    st = add_folder (ts, folder, flags, &why);
    there += st == SD_OK;
    if (st == SD_ENOENT) {
      absent = ts->nabsent ? absent : why;
      st = add_absent (ts, folder, &why);
    }
    if (st != SD_OK && err)
      *err = why;
  }
  if (st == SD_OK && !there && ts->nabsent) {
    st = absent.status;
    if (err)
      *err = absent;
  }
done:
  free (folders);
  if (st != SD_OK) {
    sd_tables_close (ts);
    return st;
  }
  *out = ts;
  return SD_OK;
}

int sd_tables_use (sd_tables *ts, const sd_table *t) {
  sd_view *v = sd_alloc0 (1, sizeof *v);
  if (!v)
    return SD_ENOMEM;
  const size_t before = ts->nviews;
  int st = sd_view_fill (v, t, NULL);
  if (st == SD_OK)
    st = file_view (ts, v, true);
  if (st != SD_OK && ts->nviews == before)
    free_view (v);
  return st;
}

void sd_tables_close (sd_tables *ts) {
  if (!ts)
    return;
  for (size_t i = 0; i < ts->nviews; i++)
    free_view (ts->view[i]);
  sd_block_cache_free (ts->cache);
  free_names (ts->absent, ts->nabsent);
  free (ts->view);
  free (ts->ending);
  sd_keys_free (&ts->keys);
  free (ts->path);
  free (ts);
}

const sd_table *sd_tables_find (const sd_tables *ts, const sd_material *m, enum sd_metric metric) {
  const sd_keyed *k = sd_keys_find (&ts->keys, sd_key_of_material (m));
  if (!k || metric >= SD_METRICS)
    return NULL;
  const sd_view *v = ts->ending[k->item].view[metric];
  return v ? v->table : NULL;
}

const sd_table *sd_tables_find_game (const sd_tables *ts, const sd_table_game *g, enum sd_metric metric,
                                     const sd_error **problem) {
  const sd_view *found = NULL;
  for (size_t i = 0; i < ts->nviews; i++) {
    const sd_view *v = ts->view[i];
    if (!same_game (&v->game, g) || v->metric != metric)
      continue;
    if (!found || !v->path) /* what was handed over comes first */
      found = v;
    if (!v->path)
      break;
  }
  if (problem)
    *problem = found ? found->problem : NULL;
  return found ? found->table : NULL;
}

const char *sd_tables_absent (const sd_tables *ts, unsigned i) {
  return i < ts->nabsent ? ts->absent[i] : NULL;
}

unsigned sd_tables_count (const sd_tables *ts) {
  return (unsigned) ts->nviews;
}

const sd_table *sd_tables_at (const sd_tables *ts, unsigned i, const char **path) {
  if (path)
    *path = i < ts->nviews ? ts->view[i]->path : NULL;
  return i < ts->nviews ? ts->view[i]->table : NULL;
}

const sd_error *sd_tables_problem (const sd_tables *ts, unsigned i) {
  return i < ts->nviews ? ts->view[i]->problem : NULL;
}
