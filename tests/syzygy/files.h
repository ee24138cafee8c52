/* files.h - the public Syzygy files, where there are any: in the folder that SD_SYZYGY names, or where the
 * project's clone has them. */
#ifndef SD_TESTS_SYZYGY_FILES_H
#define SD_TESTS_SYZYGY_FILES_H

#include "chess/chess.h"
#include <stdlib.h>
#include <unistd.h>

/* NULL: there are none, and the test says so and ends. */
static inline const char *syzygy_folder (void) {
  static char path[1024];
  const char *own = getenv ("SD_SYZYGY"), *src = getenv ("SD_SRCDIR");
  snprintf (path, sizeof path, own ? "%s" : "%s/../shared/reference/syzygy", own ? own : src ? src : ".");
  if (access (path, R_OK) == 0)
    return path;
  fprintf (stderr, "no Syzygy files in %s: skipped (SD_SYZYGY names another folder)\n", path);
  return NULL;
}

/* Number i of the endings with 3 and 4 men; false: there are no more. */
static inline bool small_ending (unsigned i, char name[16]) {
  sd_material m[64];
  const unsigned three = sd_material_all (3, m, 64), all = three + sd_material_all (4, m + three, 64 - three);
  if (i < all)
    sd_material_name (&m[i], name);
  return i < all;
}

static inline void syzygy_path (const char *folder, const char *ending, bool dtz, char out[1100]) {
  snprintf (out, 1100, "%s/%s.%s", folder, ending, dtz ? "rtbz" : "rtbw");
}

#endif
