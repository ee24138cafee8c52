/* tables.c - the tables found on a path, filed by material.
 *
 * Idea: everything that a probe would have to decide is decided here, so that probing only reads. A folder is
 * listed and sorted, so the order does not depend on the file system. The name of a file says what it has to
 * hold: one that cannot be opened, for want of memory too, or holds something else, is kept as a "problem"
 * under that material and metric. It does not disturb the other tables; whoever needs it gets the reason.
 * (Falling back on a later folder would hide the damage: only engines ask for that, SD_OPEN_OURS_FIRST.) With
 * SD_OPEN_LATER that is decided by the header alone, and the first probe of a table opens the rest
 * (sd_view_open). Cost: one open and one mapping per file, two of those that are opened later; lookups are
 * one hash step. */
#include "config.h"
#include "probe/lookup_internal.h"
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

static int make_room (sd_keys *k) {
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
  return SD_OK;
}

int sd_keys_add_number (sd_keys *k, uint64_t key, uint32_t item) {
  SD_TRY (make_room (k));
  put (k, key, item, false);
  return SD_OK;
}

int sd_keys_add (sd_keys *k, const sd_material *m, uint32_t item) {
  SD_TRY (make_room (k));
  const uint64_t key = sd_key_of_material (m), swapped = sd_key_swapped (key);
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

/* A king and a bishop or a knight against a king. */
static bool is_minor_alone (const sd_material *m) {
  unsigned minors = 0;
  for (unsigned c = 0; c < 2; c++)
    minors += m->count[c][SD_BISHOP] + m->count[c][SD_KNIGHT];
  return sd_material_men (m) == 3 && minors == 1;
}

/* With three men and no pawn a move leaves the ending for two kings alone, which is drawn: where every slot
 * holds the same number, and that is no loss, it is the value of every position. Positions that are restored
 * by all their moves could be mates, whatever the slots hold; with a single bishop or knight there is none,
 * so that all is drawn. */
static void settle (sd_view *v) {
  const sd_decoder *d[2] = { v->side[0].decoder, v->side[v->nsides - 1].decoder };
  if (!v->complete || v->side[0].number_of || sd_material_men (&v->material) > 3
      || sd_material_has_pawns (&v->material) || !d[0] || !d[1] || !d[0]->constant || !d[1]->constant
      || d[0]->value >= v->side[0].main || d[1]->value >= v->side[v->nsides - 1].main)
    return;
  v->all = v->side[0].map[d[0]->value];
  v->settled = v->all == v->side[v->nsides - 1].map[d[1]->value] && v->all >= 0
               && (!v->by_moves || (v->all == 0 && is_minor_alone (&v->material)))
               && !sd_metrics[v->metric].plies;
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
  v->complete = sd_codings[info.coding].needs == SD_NO_METRIC;
  v->freedom = info.freedom;
  v->nsides = info.nsides;
  v->sides = info.sides;
  v->by_moves = sd_table_info_by_moves (&info);
  v->classes = sd_freedom_classes (info.freedom);
  v->converts = v->classes != 0;
  for (unsigned s = 0; s < info.nsides; s++) {
    const unsigned from = sd_table_info_has (&info, s) ? s : !s;
    v->side[s] = info.side[from];
    if (from != s) { /* the other side's layout, and nothing in it */
      v->side[s].decoder = NULL;
      v->side[s].map = NULL;
      v->side[s].main = 0;
    }
  }
  v->large = v->side[0].slots >= SD_VIEW_LARGE;
  settle (v);
  return SD_OK;
}

static void free_view (sd_view *v) {
  if (!v)
    return;
  free_view (v->opened);
  sd_table_close (v->owned);
  free (v->path);
  free (v->problem);
  free (v);
}

/* Does v take the place of `there`, which was found before and holds the same? */
static bool comes_first (const sd_view *v, const sd_view *there, unsigned flags) {
  if (!(flags & (SD_OPEN_OURS_FIRST | SD_OPEN_OTHERS_FIRST)) || !v->problem != !there->problem)
    return (flags & (SD_OPEN_OURS_FIRST | SD_OPEN_OTHERS_FIRST)) && !v->problem;
  return v->ours != there->ours && v->ours == ((flags & SD_OPEN_OURS_FIRST) != 0);
}

/* File a view under its material and metric; `front`: also where something is there already. Those of other
 * games are only listed. */
static int file_view (sd_tables *ts, sd_view *v, bool front) {
  const bool game = v->game.name[0];
  const sd_keyed *k = game ? NULL : sd_keys_find (&ts->keys, sd_key_of_material (&v->material));
  size_t item = k ? k->item : ts->nendings;

  if (!k && !game) {
    if (!sd_grow (&ts->ending, &ts->endings_room, item + 1))
      return SD_ENOMEM;
    ts->ending[item] = (sd_ending){ 0 };
    SD_TRY (sd_keys_add (&ts->keys, &v->material, (uint32_t) item));
    ts->nendings++;
  }
  if (!sd_grow (&ts->view, &ts->views_room, ts->nviews + 1))
    return SD_ENOMEM;
  ts->view[ts->nviews++] = v;
  ts->frees_unreachable |= (v->freedom & SD_FREE_UNREACHABLE) != 0;
  const sd_view *there = game ? NULL : ts->ending[item].view[v->metric];
  if (!game && (front || !there || comes_first (v, there, v->flags)))
    ts->ending[item].view[v->metric] = v;
  return SD_OK;
}

/* -------------------------------------------------------------- folders */

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
  size_t n = 0;
  uint64_t cap = 0;
  int st = SD_OK;
  for (struct dirent *e; st == SD_OK && (errno = 0, e = readdir (d));) {
    sd_holding holds;
    const sd_format *f = sd_format_of (e->d_name, &holds);
    if (!f)
      continue;
    if (!sd_grow (&names, &cap, n + 1) || !(names[n] = strdup (e->d_name)))
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

/* A probe of it asks for no memory. */
static int is_steady (const sd_view *v, const sd_table *t, sd_error *err) {
  for (unsigned side = 0; side < v->nsides; side++)
    if (v->side[side].codec && v->side[side].codec->blocks) {
      char why[80];
      snprintf (why, sizeof why, "codec %s asks for memory while it is read", v->side[side].codec->name);
      return sd_table_refuse_codec (t, why, err);
    }
  return SD_OK;
}

/* Does the file hold what its name says? */
static int check_holding (const sd_view *v, const sd_table *t, sd_error *err) {
  sd_holding wanted, holds;
  const char *slash = strrchr (v->path, '/');
  if (!sd_format_of (slash ? slash + 1 : v->path, &wanted)) /* it was accepted when the folder was listed */
    return sd_fail (err, SD_EINVAL, "%s: not the name of a table", v->path);
  sd_table_holding (&t->info, &holds);
  if (sd_holding_equal (&holds, &wanted))
    return SD_OK;
  char file[SD_GAME_FILE_NAME];
  sd_holding_file_name (&holds, file);
  return sd_fail (err, SD_EFORMAT, "%s: the file holds another table, %s", v->path, file);
}

/* The table at v->path, or only what its header says. */
static int open_view (const sd_tables *ts, unsigned flags, sd_view *v, sd_error *err) {
  SD_TRY (sd_table_open_cached (v->path, flags, ts->cache, &v->owned, err));
  SD_TRY (sd_view_fill (v, v->owned, err));
  if (flags & SD_OPEN_STEADY)
    SD_TRY (is_steady (v, v->owned, err));
  SD_TRY (check_holding (v, v->owned, err));
  if (!(flags & SD_OPEN_HEADER))
    return SD_OK;
  v->later = true;
  v->table = NULL;
  memset (v->side, 0, sizeof v->side); /* points into the table */
  sd_table_close (v->owned);
  v->owned = NULL;
  return SD_OK;
}

/* One that cannot be opened becomes a view with a problem. Fails only where there is no memory for that. */
static int note_problem (sd_view *v, int status, const sd_error *why, sd_error *err) {
  sd_table_close (v->owned);
  v->owned = NULL;
  v->table = NULL;
  v->problem = sd_alloc0 (1, sizeof *v->problem);
  if (!v->problem)
    return sd_fail_memory (err, sizeof *v->problem);
  *v->problem = *why;
  v->problem->status = status;
  return SD_OK;
}

/* A view of FOLDER/NAME, which has not been looked at. */
static sd_view *view_new (const char *folder, const char *name) {
  sd_view *v = sd_alloc0 (1, sizeof *v);
  const size_t room = strlen (folder) + strlen (name) + 2;
  if (v && !(v->path = sd_alloc0 (room, 1))) {
    free (v);
    v = NULL;
  }
  if (v)
    snprintf (v->path, room, *folder ? "%s/%s" : "%s%s", folder, name);
  return v;
}

/* Open one file. */
static int add_file (sd_tables *ts, const char *folder, const char *name, unsigned flags, sd_error *err) {
  sd_holding wanted;
  sd_error why = { 0 };
  sd_view *v = view_new (folder, name);

  const sd_format *format = sd_format_of (name, &wanted);
  if (!v || !format) {
    free_view (v);
    return sd_fail_memory (err, sizeof *v);
  }
  v->ours = format == sd_formats[0];
  int st = open_view (ts, flags & SD_OPEN_LATER ? flags | SD_OPEN_HEADER : flags, v, &why);
  if (st != SD_OK && note_problem (v, st, &why, err) != SD_OK) {
    free_view (v);
    return SD_ENOMEM;
  }
  if (v->problem || !v->game.name[0]) /* of an open table of a game more is known than its name */
    v->game = wanted.game;
  v->material = wanted.material;
  v->metric = wanted.metric;
  v->flags = flags & ~(unsigned) SD_OPEN_LATER;
  const size_t before = ts->nviews;
  if (file_view (ts, v, false) != SD_OK) {
    if (ts->nviews == before)
      free_view (v);
    return sd_fail_memory (err, sizeof *v);
  }
  return SD_OK;
}

/* The file of v once more, all of it. */
static int open_again (const sd_tables *ts, const sd_view *v, sd_view **out, sd_error *err) {
  sd_error why = { 0 };
  sd_view *mine = view_new ("", v->path);

  if (!mine)
    return sd_fail_memory (err, sizeof *mine);
  mine->ours = v->ours; /* what is added later is compared with it */
  mine->flags = v->flags;
  int st = open_view (ts, v->flags, mine, &why);
  if (st == SD_OK && (mine->freedom != v->freedom || mine->coding != v->coding || mine->sides != v->sides))
    st = sd_fail (&why, SD_EFORMAT, "%s: was replaced by another table since the folder was read", v->path);
  if (st == SD_EIO || st == SD_ENOMEM || st == SD_ENOENT)
    sd_fail (err, st, "%s", why.text);
  else if (st != SD_OK)
    st = note_problem (mine, st, &why, err);
  if (st != SD_OK) {
    free_view (mine);
    return st;
  }
  mine->material = v->material;
  mine->metric = v->metric;
  *out = mine;
  return SD_OK;
}

int sd_view_open (const sd_tables *ts, const sd_view *closed, const sd_view **out, sd_error *err) {
  sd_view *v = (sd_view *) (uintptr_t) closed, *there = __atomic_load_n (&v->opened, __ATOMIC_ACQUIRE),
          *mine = NULL;
  const sd_keyed *k = sd_keys_find (&ts->keys, sd_key_of_material (&v->material));
  const int st = there ? SD_OK : open_again (ts, v, &mine, err);

  if (mine
      && __atomic_compare_exchange_n (&v->opened, &there, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    there = mine;
    mine = NULL;
  }
  free_view (mine); /* another thread was first */
  if (st != SD_OK)  /* what had no room twice may be there once */
    there = __atomic_load_n (&v->opened, __ATOMIC_ACQUIRE);
  if (!there)
    return st;
  if (k)
    __atomic_store_n (&ts->ending[k->item].view[v->metric], there, __ATOMIC_RELEASE);
  *out = there;
  return SD_OK;
}

/* Note a folder that is not there; its message stays in *err. */
static int add_absent (sd_tables *ts, const char *folder, sd_error *err) {
  if (!sd_grow (&ts->absent, &ts->absent_room, ts->nabsent + 1)
      || !(ts->absent[ts->nabsent] = strdup (folder)))
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

/* Put a path behind that of ts. */
static int join_path (sd_tables *ts, const char *path, sd_error *err) {
  const size_t room = (ts->path ? strlen (ts->path) : 0) + strlen (path) + 2;
  char *both = sd_alloc0 (room, 1);
  if (!both)
    return sd_fail_memory (err, room);
  snprintf (both, room, "%s%s%s", ts->path ? ts->path : "", ts->path && *ts->path && *path ? ":" : "", path);
  free (ts->path);
  ts->path = both;
  return SD_OK;
}

/* The folders of a text that strsep cuts. */
static int add_folders (sd_tables *ts, char *folders, unsigned flags, sd_error *err) {
  sd_error absent = { 0 }; /* the first of them */
  unsigned there = 0;
  int st = SD_OK;

  for (char *rest = folders, *folder; st == SD_OK && (folder = strsep (&rest, ":"));) {
    sd_error why = { 0 };
    if (!*folder)
      continue;
    st = add_folder (ts, folder, flags, &why);
    there += st == SD_OK;
    if (st == SD_ENOENT) {
      absent = absent.status ? absent : why;
      st = add_absent (ts, folder, &why);
    }
    if (st != SD_OK && err)
      *err = why;
  }
  if (st == SD_OK && !there && absent.status) {
    st = absent.status;
    if (err)
      *err = absent;
  }
  return st;
}

int sd_tables_add (sd_tables *ts, const char *path, unsigned flags, sd_error *err) {
  SD_OWNED char *folders = strdup (path ? path : "");
  if (!folders)
    return sd_fail_memory (err, 0);
  SD_TRY (join_path (ts, folders, err));
  if ((flags & SD_OPEN_CACHE) && (flags & SD_OPEN_LATER || !ts->cache))
    return sd_fail (err, SD_EINVAL,
                    "SD_OPEN_CACHE is for sd_tables_open, and does not go with SD_OPEN_LATER");
  return add_folders (ts, folders, flags, err);
}

int sd_tables_open (const char *path, unsigned flags, sd_tables **out, sd_error *err) {
  *out = NULL;
  sd_tables *ts = sd_alloc0 (1, sizeof *ts);
  int st = ts ? SD_OK : sd_fail_memory (err, sizeof *ts);
  if (st == SD_OK && (flags & SD_OPEN_CACHE))
    st = sd_block_cache_new (SD_CACHE_BYTES, &ts->cache, err);
  if (st == SD_OK)
    st = sd_tables_add (ts, path, flags, err);
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
  if (!k || metric >= SD_NO_METRIC)
    return NULL;
  const sd_view *v = sd_ending_view (&ts->ending[k->item], metric);
  return v ? v->table : NULL;
}

const char *sd_tables_path (const sd_tables *ts) {
  return ts->path;
}

const char *sd_tables_absent (const sd_tables *ts, unsigned i) {
  return i < ts->nabsent ? ts->absent[i] : NULL;
}

unsigned sd_tables_count (const sd_tables *ts) {
  return (unsigned) ts->nviews;
}

/* View number i, opened or not; NULL: there are not so many. */
static const sd_view *view_at (const sd_tables *ts, unsigned i) {
  const sd_view *v = i < ts->nviews ? ts->view[i] : NULL;
  const sd_view *opened = v ? __atomic_load_n (&v->opened, __ATOMIC_ACQUIRE) : NULL;
  return opened ? opened : v;
}

const sd_table *sd_tables_at (const sd_tables *ts, unsigned i, const char **path) {
  const sd_view *v = view_at (ts, i);
  if (path)
    *path = v ? v->path : NULL;
  return v ? v->table : NULL;
}

const sd_error *sd_tables_problem (const sd_tables *ts, unsigned i) {
  const sd_view *v = view_at (ts, i);
  return v ? v->problem : NULL;
}

bool sd_tables_tell (const sd_tables *ts, unsigned i, sd_tables_file *out) {
  const sd_view *v = view_at (ts, i);
  *out = (sd_tables_file){ .game = true };
  if (!v || v->problem)
    return false;
  *out = (sd_tables_file){ v->material, v->metric, v->game.name[0] != 0, false };
  const sd_keyed *k = out->game ? NULL : sd_keys_find (&ts->keys, sd_key_of_material (&v->material));
  const sd_view *asked = k ? sd_ending_view (&ts->ending[k->item], v->metric) : NULL;
  out->asked = asked && (asked == v || asked == ts->view[i]);
  return true;
}
