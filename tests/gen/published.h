/* Published figures: rows of the CSV files in tests/data (no quoted fields there). */
#ifndef PUBLISHED_H
#define PUBLISHED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUBLISHED_COLUMNS = 12 };

typedef struct published {
  FILE *f;
  char line[512], *field[PUBLISHED_COLUMNS];
} published;

/* Opens tests/data/NAME behind its header line; false: not there. */
static inline bool published_open (published *p, const char *name) {
  const char *root = getenv ("SD_SRCDIR");
  char path[4096];
  snprintf (path, sizeof path, "%s/tests/data/%s", root ? root : ".", name);
  p->f = fopen (path, "r");
  return p->f && fgets (p->line, sizeof p->line, p->f);
}

/* The next row; fields that are missing are "". */
static inline bool published_row (published *p) {
  static char none[1];
  if (!fgets (p->line, sizeof p->line, p->f)) {
    fclose (p->f);
    p->f = NULL;
    return false;
  }
  p->line[strcspn (p->line, "\r\n")] = 0;
  char *at = p->line;
  for (int i = 0; i < PUBLISHED_COLUMNS; i++) {
    p->field[i] = at ? at : none;
    if (at && (at = strchr (at, ',')))
      *at++ = 0;
  }
  return true;
}

static inline unsigned long long published_number (const published *p, int column) {
  return strtoull (p->field[column], NULL, 10);
}

#endif
