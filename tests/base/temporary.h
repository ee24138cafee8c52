/* Folders of tests: below $TMPDIR, with names that nobody else has. */
#ifndef SD_TESTS_TEMPORARY_H
#define SD_TESTS_TEMPORARY_H

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A new empty folder whose name begins with `name`; false: it cannot be made. */
static inline bool temporary_folder (const char *name, char *out, size_t cap) {
  const char *above = getenv ("TMPDIR");
  const int n = snprintf (out, cap, "%s/%s-XXXXXX", above && *above ? above : "/tmp", name);
  return n > 0 && (size_t) n < cap && mkdtemp (out) != NULL;
}

static inline int temporary_remove_one (const char *path, const struct stat *st, int flag, struct FTW *ftw) {
  (void) st, (void) flag, (void) ftw;
  return remove (path);
}

/* The folder and all in it. */
static inline void temporary_remove (const char *folder) {
  nftw (folder, temporary_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
