/* For the tests of table/: endings with made-up values, tables as bytes, a folder that goes away. Random
 * values that respect their conversions (never worse than the best of them) are as good as true ones for
 * everything in that room, and reach corners that 3-man endings do not. Only included by tests. */
#ifndef SD_TESTS_MADE_UP_H
#define SD_TESTS_MADE_UP_H

#include "codecs/codecs.h"
#include "values/values_internal.h"
#include "tests/probe/conversions.h"
#include "recode/recode.h"
#include "table/table_internal.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------- made-up endings */

static inline sd_material material (const char *name) {
  sd_material m;
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK, "%s", err.text);
  return m;
}

enum kind { DRAWN, RANDOM };

/* Odd plies to win, even ones to lose, few enough to fall on conversions' values often. */
static inline sd_value random_value (uint64_t *state) {
  uint64_t r = sd_random (state);
  switch (r % 3) {
  case 0:
    return 0;
  case 1:
    return (sd_value) (1 + 2 * (r / 3 % 12));
  default:
    return (sd_value) - (1 + 2 * (int) (r / 3 % 12));
  }
}

static inline sd_exact *made_up (const sd_values *s, const sd_material *m, enum kind kind, uint64_t seed) {
  sd_exact *e;
  sd_error err = { 0 };
  uint64_t state = seed ^ sd_material_key (m);
  cr_assert_eq (sd_exact_new (m, &e, &err), SD_OK, "%s", err.text);
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      sd_pos p;
      if (!sd_exact_position (e, side, i, &p))
        continue;
      sd_value v = kind == DRAWN ? 0 : random_value (&state), c;
      int status = SD_OK;
      if (kind == RANDOM && best_conversion (s, &p, SD_MOVES_CONVERSIONS, &c, &status)
          && sd_value_compare (c, v) > 0)
        v = c;
      cr_assert_eq (status, SD_OK);
      e->value[side][i] = v;
    }
  return e;
}

static inline void put_all (sd_values *s, const char *name, enum kind kind, uint64_t seed) {
  sd_material m = material (name), next[64];
  unsigned n = sd_material_successors (&m, next);
  for (unsigned i = 0; i < n; i++)
    if (!sd_values_find (s, &next[i])) {
      char sub[16];
      sd_material_name (&next[i], sub);
      put_all (s, sub, kind, seed);
    }
  if (!sd_values_find (s, &m))
    cr_assert_eq (sd_values_put (s, made_up (s, &m, kind, seed)), SD_OK);
}

static inline sd_values *endings (const char *name, enum kind kind, uint64_t seed) {
  sd_values *s;
  sd_error err = { 0 };
  cr_assert_eq (sd_values_new (NULL, SD_DTM, &s, &err), SD_OK);
  put_all (s, name, kind, seed);
  return s;
}

static inline const sd_exact *get (sd_values *s, const char *name) {
  sd_material m = material (name);
  const sd_exact *e = sd_values_find (s, &m);
  cr_assert_not_null (e);
  return e;
}

static inline sd_table_spec spec_of (const char *name, enum sd_coding coding, unsigned freedom,
                                     const char *codec, const char *order) {
  sd_table_spec spec;
  sd_error err = { 0 };
  memset (&spec, 0, sizeof spec);
  spec.material = material (name);
  spec.metric = coding == SD_CODING_WDL ? SD_WDL : SD_DTM;
  spec.coding = coding;
  spec.freedom = freedom;
  for (unsigned side = 0; side < 2; side++) {
    spec.side[side].codec = sd_codec_find (codec);
    cr_assert_not_null (spec.side[side].codec);
    cr_assert_eq (sd_settings_parse (spec.side[side].codec, NULL, &spec.side[side].settings, &err), SD_OK,
                  "%s", err.text);
    if (order)
      cr_assert_eq (sd_layout_parse (&spec.material, order, NULL, &spec.side[side].layout, &err), SD_OK, "%s",
                    err.text);
    else
      sd_layout_kings_first (&spec.material, &spec.side[side].layout);
  }
  return spec;
}

/* A table as bytes. */
static inline sd_buf image_of (const sd_values *s, const sd_table_spec *spec) {
  const sd_exact *e = sd_values_find (s, &spec->material);
  sd_subdefined *d[2] = { NULL, NULL };
  sd_buf b = { 0 };
  sd_error err = { 0 };
  for (unsigned side = 0; side < e->nsides; side++) {
    sd_subdefined *first;
    sd_indexer *ix;
    cr_assert_eq (sd_subdefine (s, e, &SD_STORED (spec, side), NULL, &first, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_indexer_new (&spec->side[side].layout, &ix, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_subdefined_relayout (first, e->indexer, ix, &d[side], &err), SD_OK, "%s", err.text);
    sd_indexer_free (ix);
    sd_subdefined_free (first);
  }
  cr_assert_eq (sd_table_image (spec, (const sd_subdefined *const *) d, NULL, &b, &err), SD_OK, "%s",
                err.text);
  sd_subdefined_free (d[0]);
  sd_subdefined_free (d[1]);
  return b;
}

static char folder[64]; /* of the running test */
static inline void make_folder (void) {
  strcpy (folder, "/tmp/sd-test-table-XXXXXX");
  cr_assert_not_null (mkdtemp (folder));
}
static inline unsigned files_in_folder (void) {
  unsigned n = 0;
  DIR *d = opendir (folder);
  for (struct dirent *e; d && (e = readdir (d));)
    n += e->d_name[0] != '.';
  closedir (d);
  return n;
}
static inline void remove_folder (void) {
  DIR *d = opendir (folder);
  for (struct dirent *e; d && (e = readdir (d));) {
    char path[400];
    snprintf (path, sizeof path, "%s/%s", folder, e->d_name);
    if (e->d_name[0] != '.')
      unlink (path);
  }
  if (d)
    closedir (d);
  rmdir (folder);
}
static inline void path_of (const char *name, enum sd_metric metric, char out[128]) {
  sd_material m = material (name);
  char file[32];
  sd_table_file_name (&m, metric, file);
  snprintf (out, 128, "%s/%s", folder, file);
}
static inline void build (sd_values *s, const sd_table_spec *spec, const char *name) {
  char path[128];
  sd_error err = { 0 };
  path_of (name, spec->metric, path);
  cr_assert_eq (sd_table_build (s, spec, path, NULL, &err), SD_OK, "%s", err.text);
}

#endif
