/* File formats: a row each, which file is in which, opening, and what all of them share. A file is taken for
 * what its name says; what it holds is for its format to say. Probers, loaders and commands open tables by
 * sd_table_open () and never see a format; what fails is said with the file's name in front. */
#include "config.h"
#include "table/table_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

const sd_format *const sd_formats[] = { &sd_format_sdt, &sd_format_rtbw, &sd_format_rtbz, NULL };

/* ------------------------------------------------------------------ names */

/* False, and nothing written, where the text and its 0 do not fit. */
static bool copy (char *out, size_t room, const char *text, size_t n) {
  if (n >= room)
    return false;
  memcpy (out, text, n);
  out[n] = 0;
  return true;
}

bool sd_holding_parse (const char *file, const char *ending, sd_holding *out) {
  const char *dot = strchr (file, '.'), *dash = strchr (file, '-');
  char word[16];

  *out = (sd_holding){ .game = { .states = 1 } };
  /* "KRvKP.wdl.sdt", "draughts-NAME.wdl.sdt": the metric stands between the first dot and the ending. */
  const size_t len = dot ? strlen (dot + 1) : 0, last = strlen (ending);
  if (len < last || strcmp (dot + 1 + len - last, ending) != 0
      || !copy (word, sizeof word, dot + 1, len - last))
    return false;
  out->metric = sd_metric_find (word);
  if (out->metric == SD_NO_METRIC)
    return false;
  /* A dash before the dot parts game and slice; names of endings have none. */
  if (dash && dash < dot)
    return copy (out->game.name, sizeof out->game.name, file, (size_t) (dash - file))
           && copy (out->game.slice, sizeof out->game.slice, dash + 1, (size_t) (dot - dash - 1))
           && sd_table_game_check (&out->game, NULL) == SD_OK;
  sd_material as_written;
  if (!copy (word, sizeof word, file, (size_t) (dot - file))
      || sd_material_parse (word, &as_written, NULL) != SD_OK)
    return false;
  sd_material_canonical (&as_written, &out->material);
  return true;
}

bool sd_holding_equal (const sd_holding *a, const sd_holding *b) {
  return strcmp (a->game.name, b->game.name) == 0 && strcmp (a->game.slice, b->game.slice) == 0
         && sd_material_equal (&a->material, &b->material) && a->metric == b->metric;
}

void sd_table_holding (const sd_table_info *info, sd_holding *out) {
  *out = (sd_holding){ info->game, info->material, info->metric };
}

void sd_holding_print (const sd_holding *s, const char *ending, char out[SD_GAME_FILE_NAME]) {
  char name[16];
  sd_material_name (&s->material, name);
  if (s->game.name[0])
    snprintf (out, SD_GAME_FILE_NAME, "%s-%s.%s%s", s->game.name, s->game.slice, sd_metrics[s->metric].name,
              ending);
  else
    snprintf (out, SD_GAME_FILE_NAME, "%s.%s%s", name, sd_metrics[s->metric].name, ending);
}

void sd_holding_file_name (const sd_holding *s, char out[SD_GAME_FILE_NAME]) {
  sd_formats[0]->file_name (s, out);
}

void sd_holding_name (const sd_holding *s, bool syzygy, char out[SD_GAME_FILE_NAME]) {
  sd_holding_file_name (s, out);
  /* The first format of engines that has such a table. */
  for (const sd_format *const *f = sd_formats + 1; syzygy && *f; f++)
    if ((*f)->file_name (s, out))
      return;
}

void sd_table_file_name (const sd_material *m, enum sd_metric metric, char *out) {
  const sd_holding s = { .material = *m, .metric = metric };
  char name[SD_GAME_FILE_NAME];
  sd_holding_file_name (&s, name);
  snprintf (out, 32, "%.31s", name);
}

void sd_table_game_file_name (const sd_table_game *g, enum sd_metric metric, char *out) {
  const sd_holding s = { .game = *g, .metric = metric };
  sd_holding_file_name (&s, out);
}

/* ----------------------------------------------------------- what it is of */

/* One list for all who tell what a table is of: `subdef info`, its JSON, messages and file names take the
 * same words in the same order. */
bool sd_table_fact (const sd_table_info *info, unsigned i, sd_fact *out) {
  const sd_table_game *g = &info->game;
  char name[16];
  sd_material_name (&info->material, name);
  /* An ending has one fact, its material; another game has three, of which the fingerprint is no part of its
   * name. */
  *out = (sd_fact){ .names = i < 2 };
  if (!g->name[0] && i == 0)
    *out = (sd_fact){ .key = "material", .names = true };
  else if (g->name[0] && i < 3)
    out->key = i == 0 ? "game" : i == 1 ? "slice" : "fingerprint";
  if (g->name[0] && i == 2)
    snprintf (out->text, sizeof out->text, "%016" PRIx64, g->fingerprint);
  else
    snprintf (out->text, sizeof out->text, "%s", !g->name[0] ? name : i == 0 ? g->name : g->slice);
  return out->key != NULL;
}

/* A name that does not fit is cut: n then passes SD_TABLE_NAME, and nothing more is written. */
void sd_table_info_name (const sd_table_info *info, char out[SD_TABLE_NAME]) {
  sd_fact f;
  size_t n = 0;
  for (unsigned i = 0; sd_table_fact (info, i, &f); i++)
    if (f.names && n < SD_TABLE_NAME)
      n += (size_t) snprintf (out + n, SD_TABLE_NAME - n, "%s%s", n ? " " : "", f.text);
}

const char *sd_table_info_mover (const sd_table_info *info, unsigned side) {
  return info->game.name[0] ? NULL : side ? "b" : "w";
}

const sd_format *sd_format_of (const char *file, sd_holding *holds) {
  const sd_format *const *f = sd_formats;
  while (*f && !(*f)->matches (file, holds))
    f++;
  return *f;
}

bool sd_format_names (const char *word) {
  const char *dot = strrchr (word, '.');
  for (const sd_format *const *f = sd_formats; dot && *f; f++)
    if (strcmp (dot + 1, (*f)->name) == 0)
      return true;
  return false;
}

int sd_path_find_table (const char *path, const sd_holding *what, bool syzygy, char **out, sd_error *err) {
  char name[SD_GAME_FILE_NAME];
  *out = NULL;
  /* Folder by folder, and in each all formats: an earlier folder wins, whatever the format. */
  for (const char *p = path; *p && !*out; p += *p == ':') {
    const size_t len = strcspn (p, ":");
    SD_OWNED char *folder = strndup (p, len);
    if (!folder)
      return sd_fail_memory (err, len);
    /* For a store of engines' files our own are not looked for. */
    for (const sd_format *const *f = sd_formats; *f && !*out; f++)
      if (!(syzygy && *f == &sd_format_sdt) && (*f)->file_name (what, name))
        SD_TRY (sd_path_find_file (folder, name, out, err));
    p += len;
  }
  return SD_OK;
}

/* ---------------------------------------------------------------- opening */

/* By the ending alone: a file may be opened under any name. */
static const sd_format *format_by_ending (const char *file) {
  const char *dot = strrchr (file, '.');
  for (const sd_format *const *f = sd_formats; dot && *f; f++)
    if (strcmp (dot + 1, (*f)->name) == 0)
      return *f;
  return sd_formats[0];
}

/* Takes t over, whatever comes: it is closed on failure. Until `own` and the sides are filled they are 0,
 * which closing takes for nothing. */
static int open_table (sd_table *t, unsigned flags, sd_table **out, sd_error *err) {
  const unsigned both = SD_OPEN_CHECK | SD_OPEN_UNSAFE_NO_CHECKSUMS;
  int st = SD_OK;

  if ((flags & both) == both)
    st = sd_fail (err, SD_EINVAL, "%s: all checksums and none are asked for at once", t->name);

  t->format = format_by_ending (t->name);
  /* A table by itself has a cache of its own. */
  if (st == SD_OK && (flags & SD_OPEN_CACHE) && !t->cache) {
    st = sd_block_cache_new (SD_CACHE_BYTES, &t->cache, err);
    t->owns_cache = true;
  }
  if (st == SD_OK)
    /* What is asked for at once is read here; all else when a probe needs it. */
    st = t->format->open (t, flags, err);
  if (st != SD_OK) {
    sd_table_close (t);
    return st;
  }
  *out = t;
  return SD_OK;
}

int sd_table_open_memory (const uint8_t *data, size_t len, const char *name, unsigned flags, sd_table **out,
                          sd_error *err) {
  sd_table *t = calloc (1, sizeof *t);
  char *copy = strdup (name);
  if (!t || !copy) {
    free (t);
    free (copy);
    return sd_fail_memory (err, 0);
  }
  /* The bytes stay the caller's. */
  t->data = data;
  t->len = len;
  t->name = copy;
  return open_table (t, flags, out, err);
}

int sd_table_open (const char *path, unsigned flags, sd_table **out, sd_error *err) {
  return sd_table_open_cached (path, flags, NULL, out, err);
}

/* Of SD_OPEN_MAP_OTHERS: all endings with up to 4 men are read, of more there may be more than memory. */
enum { READ_BYTES = 1 << 20 };
static int map_or_read (const char *path, sd_map *out, sd_error *err) {
  SD_TRY (sd_map_open (path, out, err));
  if (out->len > READ_BYTES)
    return SD_OK;
  sd_map_close (out);
  return sd_map_read (path, out, err);
}

/* The image: mapped, read, or to be read part by part. */
static int load (sd_table *t, const char *path, unsigned flags, sd_error *err) {
  const unsigned at_once = SD_OPEN_COPY | SD_OPEN_CHECK | SD_OPEN_UNSAFE_NO_CHECKSUMS;
  const bool other = format_by_ending (path) != sd_formats[0];
  if (!(flags & (SD_OPEN_COPY | SD_OPEN_PARTS)))
    return sd_map_open (path, &t->file, err);
  if (other && (flags & SD_OPEN_MAP_OTHERS))
    return map_or_read (path, &t->file, err);
  /* All of it is wanted now, or the format cannot be read in parts. */
  if ((flags & at_once) || other)
    return sd_map_read (path, &t->file, err);
  SD_TRY (sd_map_reserve (path, &t->file, &t->source, err));
  t->parts = true;
  return SD_OK;
}

/* The file is closed as soon as nothing is left to be read from it. */
static void end_reading (sd_table *t) {
  bool more = !t->parts;
  for (unsigned side = 0; side < 2 && !more; side++)
    for (uint64_t c = 0; t->stream[side].guard.state && c < sd_table_chunks (t->info.side[side].stream_bytes);
         c++)
      more |= t->stream[side].guard.state[c] == SD_CHUNK_NEW;
  if (more)
    return;
  /* A folder of tables would have a descriptor open for each. */
  close (t->source);
  t->parts = false;
}

int sd_table_open_cached (const char *path, unsigned flags, sd_block_cache *cache, sd_table **out,
                          sd_error *err) {
  sd_table *t = calloc (1, sizeof *t);
  char *copy = strdup (path);
  int st = t && copy ? load (t, path, flags, err) : sd_fail_memory (err, 0);

  if (st != SD_OK) {
    free (t);
    free (copy);
    return st;
  }
  /* From here on the table owns the mapping and the name, and open_table () frees both on failure. */
  t->cache = cache;
  t->data = t->file.data;
  t->len = t->file.len;
  t->name = copy;

  st = open_table (t, flags, out, err);
  if (st == SD_OK)
    end_reading (t);
  return st;
}

void sd_table_close (sd_table *t) {
  if (!t)
    return;
  for (unsigned side = 0; side < 2; side++) {
    /* Before the stream of both sides, of which these may be windows. */
    sd_codec_close ((sd_decoder *) t->info.side[side].decoder);
    /* With one stream both sides have one indexer. */
    if (side == 0 || !t->info.joint)
      sd_indexer_free ((sd_indexer *) t->info.side[side].indexer);
    free (t->map[side]);
    free (t->stream[side].guard.state);
  }
  sd_codec_close ((sd_decoder *) t->joint);
  if (t->format && t->format->close)
    t->format->close (t);
  if (t->owns_cache)
    sd_block_cache_free (t->cache);
  if (t->parts)
    close (t->source);
  if (t->file.data)
    sd_map_close (&t->file);
  free (t->name);
  free (t);
}

int sd_table_check (const sd_table *t, sd_error *err) {
  return t->format->check ? t->format->check (t, err) : SD_OK;
}

void sd_table_describe (const sd_table *t, sd_table_info *out) {
  *out = t->info;
}

/* ---------------------------------------------------------------- reading */

void sd_side_remap (const sd_side *s, const sd_indexer *to, uint64_t first, uint64_t count, uint64_t *slot) {
  if (s->indexer) {
    sd_index_remap (to, s->indexer, first, count, slot);
    return;
  }
  /* An index that is no layout (Syzygy) is asked for each placement. */
  for (uint64_t k = 0; k < count; k++) {
    uint8_t sq[SD_MAX_MEN];
    const bool there = sd_index_squares (to, first + k, sq);
    slot[k] = there ? s->slot_of (s, sq) : UINT64_MAX;
    slot[k] = slot[k] < s->slots ? slot[k] : UINT64_MAX;
  }
}

/* Parts of the slots go to threads as these become free; each writes its own part of `out`. After a failure
 * the others end their parts all the same, and the message names the part that failed last. */
int sd_table_read_all (const sd_table *t, unsigned side, sd_symbol *out, const sd_progress *progress,
                       const char *what, sd_error *err) {
  const sd_decoder *d = t->info.side[side].decoder;
  uint64_t n = t->info.side[side].slots, threads = 1;
  const uint64_t block = sd_table_info_block (&t->info, side), blocks = block ? n / block : 0;

#ifdef _OPENMP
  threads = (uint64_t) omp_get_max_threads ();
#endif
  /* A part's ends cut a block in two, which is then decoded twice: many parts only where blocks are many. */
  uint64_t parts = blocks > 64 * threads ? 16 * threads : threads, step = n / parts + 1, done = 0;
  int status = SD_OK;
  uint64_t bad = 0;
#pragma omp parallel for schedule(dynamic, 1)
  for (uint64_t part = 0; part < parts; part++) {
    /* The last parts may be empty, since the step is rounded up. */
    uint64_t first = part * step, count = first >= n ? 0 : n - first < step ? n - first : step, seen;
    int st = count ? sd_codec_read (d, first, count, out + first) : SD_OK;
#pragma omp atomic capture
    seen = done += count;

    bool reports = true;
#ifdef _OPENMP
    reports = omp_get_thread_num () == 0;
#endif
    /* Progress is told by one thread only. */
    if (reports && what)
      sd_report (progress, what, seen, n);
    if (st != SD_OK) {
#pragma omp critical(sd_table_read_all)
      {
        status = st;
        bad = first;
      }
    }
  }
  if (status != SD_OK)
    return sd_fail (err, status, "%s: %s: slots from %" PRIu64 " on cannot be decoded: %s", t->name,
                    sd_table_mover (t, side), bad, sd_strerror (status));
  return SD_OK;
}
