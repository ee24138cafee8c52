/* What the tests of sweeps and of reports share: a folder of their own, files in it. */
#ifndef SD_TESTS_IN_FOLDER_H
#define SD_TESTS_IN_FOLDER_H

#include "base/base.h"
#include "tests/base/temporary.h"
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <string.h>

static char folder[256];

static inline void make_folder (void) {
  cr_assert (temporary_folder ("experiments", folder, sizeof folder), "no folder %s", folder);
}

static inline void remove_folder (void) {
  temporary_remove (folder);
}

static inline const char *in_folder (const char *name) {
  static char path[4][512];
  static unsigned turn;
  char *p = path[turn++ % 4];
  snprintf (p, sizeof path[0], "%s/%s", folder, name);
  return p;
}

static inline const char *write_file (const char *name, const char *text) {
  const char *path = in_folder (name);
  FILE *f = fopen (path, "w");
  cr_assert (f != NULL, "%s cannot be written", path);
  fputs (text, f);
  fclose (f);
  return path;
}

static inline char *read_file (const char *name) {
  sd_map map;
  sd_error err = { 0 };
  cr_assert_eq (sd_map_open (in_folder (name), &map, &err), SD_OK, "%s", err.text);
  char *text = calloc (1, map.len + 1);
  if (map.len)
    memcpy (text, map.data, map.len);
  sd_map_close (&map);
  return text;
}

static inline size_t count (const char *text, const char *word) {
  size_t n = 0;
  for (const char *p = text; (p = strstr (p, word)); p++)
    n++;
  return n;
}

/* Changes to a database. */
static inline void run_sql (const char *db, const char *sql) {
  sqlite3 *file;
  cr_assert_eq (sqlite3_open (in_folder (db), &file), SQLITE_OK);
  cr_assert_eq (sqlite3_exec (file, sql, NULL, NULL, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg (file));
  sqlite3_close (file);
}

#endif
