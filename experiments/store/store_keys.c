/* Which cells have their rows, read at once: a sweep of many cells asks this table in memory, not the file.
 * Keys are known by 128 bits of XXH3, so that no two of them meet. Cost: one walk over the rows; a search in
 * a sorted list for each question. */
#include "config.h"
#include "experiments/store/store_internal.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A row under one of its names. */
typedef struct known {
  XXH128_hash_t hash;
  sd_times times;
} known;

typedef struct known_list {
  known *at;
  uint64_t n, cap;
} known_list;

struct sd_store_keys {
  known_list key, coded;
};

static XXH128_hash_t hash_of (const char *text) {
  return XXH3_128bits (text, strlen (text));
}

#define APPEND(kind, column, size)                                                                           \
  if (len < cap)                                                                                             \
    len += (size_t) snprintf (text + len, cap - len, "%s/", row->column);
static void coded_text (const sd_name *row, char *text, size_t cap) {
  size_t len = 0;
  SD_CODED_COLUMNS (APPEND)
  SD_PLACE_COLUMNS (APPEND)
}
enum { CODED_TEXT = SD_SETTINGS_TEXT + 256 };

uint64_t sd_name_hash (const sd_name *name) {
  char text[CODED_TEXT];
  coded_text (name, text, sizeof text);
  return XXH3_64bits (text, strlen (text));
}

static int by_hash (const void *a, const void *b) {
  const known *x = a, *y = b;
  return XXH128_cmp (&x->hash, &y->hash);
}

static bool add (known_list *list, const char *text, sd_times times) {
  if (!sd_grow (&list->at, &list->cap, list->n + 1))
    return false;
  list->at[list->n++] = (known){ hash_of (text), times };
  return true;
}

/* Rows of one cell have the same hash: any of them may have the times. */
static bool has (const known_list *list, XXH128_hash_t hash, sd_times times) {
  uint64_t low = 0, high = list->n;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (XXH128_cmp (&list->at[middle].hash, &hash) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < list->n && XXH128_isEqual (list->at[low].hash, hash); low++)
    if (list->at[low].times.get >= times.get && list->at[low].times.probe >= times.probe)
      return true;
  return false;
}

static int read_all (sd_store *s, sd_store_keys *k, sd_error *err) {
  char sql[1000];
  sqlite3_stmt *q = NULL;
  int code = SQLITE_DONE, status = SD_OK;
  snprintf (sql, sizeof sql,
            "SELECT key, get_ns IS NOT NULL, probe_ns IS NOT NULL" SD_CODED_COLUMNS (SD_COLUMN_NAME)
                SD_PLACE_COLUMNS (SD_COLUMN_NAME) " FROM cell%s",
            s->redo ? " WHERE run NOT IN (SELECT id FROM stale)" : "");
  SD_TRY (sd_store_prepare (s, sql, &q, err));
  while (status == SD_OK && (code = sqlite3_step (q)) == SQLITE_ROW) {
    const char *key = (const char *) sqlite3_column_text (q, 0);
    const sd_times times = { sqlite3_column_int (q, 1), sqlite3_column_int (q, 2) };
    sd_name name = { 0 }, *row = &name;
    char text[CODED_TEXT];
    int at = 3;
    SD_CODED_COLUMNS (SD_READ)
    SD_PLACE_COLUMNS (SD_READ)
    coded_text (&name, text, sizeof text);
    if (!add (&k->key, key ? key : "", times) || !add (&k->coded, text, times))
      status = sd_fail_memory (err, k->key.n * sizeof *k->key.at);
  }
  return sd_store_finish (s, q, code, status, "rows cannot be read", err);
}

int sd_store_keys_read (sd_store *s, sd_store_keys **out, sd_error *err) {
  *out = NULL;
  sd_store_keys *k = calloc (1, sizeof *k);
  if (!k)
    return sd_fail_memory (err, sizeof *k);
  const int status = read_all (s, k, err);
  if (status != SD_OK) {
    sd_store_keys_free (k);
    return status;
  }
  if (k->key.n) {
    qsort (k->key.at, k->key.n, sizeof *k->key.at, by_hash);
    qsort (k->coded.at, k->coded.n, sizeof *k->coded.at, by_hash);
  }
  *out = k;
  return SD_OK;
}

void sd_store_keys_free (sd_store_keys *k) {
  if (!k)
    return;
  free (k->key.at);
  free (k->coded.at);
  free (k);
}

bool sd_store_keys_has (const sd_store_keys *k, const char *key, sd_times times) {
  return has (&k->key, hash_of (key), times);
}

bool sd_store_keys_twin (const sd_store_keys *k, const sd_name *name, sd_times times) {
  char text[CODED_TEXT];
  coded_text (name, text, sizeof text);
  return has (&k->coded, hash_of (text), times);
}
