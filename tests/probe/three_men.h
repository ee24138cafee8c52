/* For the tests of probing, of paths and of verifying: the endings with three men as tables in a folder that
 * goes away, solved by the generator or by a slow and obvious solver. Only included by tests. */
#ifndef SD_TESTS_THREE_MEN_H
#define SD_TESTS_THREE_MEN_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codecs/codecs.h"
#include "gen/gen.h"
#include "tests/gen/endings.h"

static char folder[512];

static inline void make_folder (void) {
  const char *base = getenv ("SD_BUILDDIR");
  snprintf (folder, sizeof folder, "%s/probe-XXXXXX", base ? base : ".");
  cr_assert (mkdtemp (folder), "no folder %s", folder);
}

static inline void remove_folder (void) {
  DIR *d = opendir (folder);
  for (struct dirent *e; d && (e = readdir (d));) {
    char path[800];
    snprintf (path, sizeof path, "%s/%s", folder, e->d_name);
    unlink (path);
  }
  if (d)
    closedir (d);
  rmdir (folder);
}

static inline sd_material material (const char *name) {
  sd_material m;
  cr_assert (sd_material_parse (name, &m, NULL) == SD_OK);
  return m;
}

static inline bool position (const sd_exact *e, unsigned side, uint64_t i, sd_pos *p) {
  uint8_t sq[SD_MAX_MEN];
  if (!sd_index_squares (e->indexer, i, sq))
    return false;
  sd_pos_from_squares (&e->material, sq, side, p);
  return sd_pos_legal (p);
}

/* Forward scans: in round n the positions won or lost in n plies are found (successors must be there), until
 * nothing is decided and no conversion waits for a later round. */
static inline void solve (sd_values *s, const char *name) {
  sd_material m = material (name);
  sd_exact *e;
  cr_assert (sd_exact_new (&m, &e, NULL) == SD_OK);
  cr_assert (sd_values_put (s, e) == SD_OK);
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      sd_pos p;
      if (position (e, side, i, &p))
        e->value[side][i] = !sd_has_move (&p) && sd_in_check (&p, side) ? -1 : 0;
    }
  bool pending = true;
  for (int ply = 1; pending && ply < 300; ply++) {
    pending = false;
    for (unsigned side = 0; side < e->nsides; side++)
      for (uint64_t i = 0; i < e->n; i++) {
        sd_pos p, child;
        if (e->value[side][i] != 0 || !position (e, side, i, &p))
          continue;
        sd_move moves[SD_MAX_MOVES];
        const unsigned n = sd_moves (&p, SD_MOVES_ALL, moves);
        sd_value best = 0;
        for (unsigned k = 0; k < n; k++) {
          sd_value v;
          sd_pos_apply (&p, &moves[k], &child);
          cr_assert (sd_values_of (s, &child, &v) == SD_OK);
          v = sd_value_back (v);
          if (k == 0 || sd_value_compare (v, best) > 0)
            best = v;
        }
        if (n && (best == ply || best == -(ply + 1)))
          e->value[side][i] = best;
        pending |= best != 0; /* decided just now, or by a conversion that takes longer */
      }
  }
}

/* The five endings with three men, or the first of them up to `last`; by the solver above, or fast. */
static inline sd_values *three_men_by (const char *last, bool obvious) {
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  sd_values *s;
  sd_error err = { 0 };
  cr_assert (sd_values_new (NULL, SD_DTM, &s, NULL) == SD_OK);
  for (unsigned i = 0; i < 5; i++) {
    sd_material m = material (names[i]);
    if (obvious)
      solve (s, names[i]);
    else
      cr_assert (gen_into (s, &m, &err) == SD_OK, "%s", err.text);
    if (strcmp (names[i], last) == 0)
      break;
  }
  return s;
}

static inline sd_values *three_men (const char *last) {
  return three_men_by (last, false);
}

static unsigned stored_sides; /* of what is built; 0: both */

/* Build one table into the folder; `order` NULL: the generator's layout. */
static inline void build (sd_values *s, const char *name, enum sd_metric metric, enum sd_coding coding,
                          unsigned freedom, const char *codec, const char *set, const char *order) {
  sd_table_spec spec = {
    .material = material (name), .metric = metric, .coding = coding, .freedom = freedom, .sides = stored_sides
  };
  sd_error err = { 0 };
  for (unsigned side = 0; side < 2; side++) {
    spec.side[side].codec = sd_codec_find (codec);
    cr_assert (spec.side[side].codec, "codec %s", codec);
    cr_assert (sd_settings_parse (spec.side[side].codec, set, &spec.side[side].settings, &err) == SD_OK, "%s",
               err.text);
    if (order)
      cr_assert (sd_layout_parse (&spec.material, order, NULL, &spec.side[side].layout, &err) == SD_OK, "%s",
                 err.text);
    else
      sd_layout_kings_first (&spec.material, &spec.side[side].layout);
  }
  char file[32], path[600];
  sd_table_file_name (&spec.material, metric, file);
  snprintf (path, sizeof path, "%s/%s", folder, file);
  int st = sd_table_build (s, &spec, path, NULL, &err);
  cr_assert (st == SD_OK, "%s: %s", file, err.text);
}

static inline sd_tables *open_folder (void) {
  sd_tables *ts;
  sd_error err = { 0 };
  cr_assert (sd_tables_open (folder, SD_OPEN_CHECK, &ts, &err) == SD_OK, "%s", err.text);
  return ts;
}

/* Probe every position of the ending as it is, and with colours swapped. */
static inline void compare_all (const sd_tables *ts, sd_values *s, const char *name, bool wdl, bool dtm,
                                const char *what) {
  sd_material m = material (name);
  const sd_exact *e;
  sd_error err = { 0 };
  cr_assert (sd_values_whole (s, &m, &e, &err) == SD_OK);
  uint64_t seen = 0, wrong = 0;
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      sd_pos p[2];
      if (!position (e, side, i, &p[0]))
        continue;
      sd_pos_flip (&p[0], &p[1]);
      const sd_value is = e->value[side][i];
      for (unsigned k = 0; k < 2; k++, seen++) {
        int result = 7;
        sd_value value = 7777;
        if (wdl && (sd_probe_wdl (ts, &p[k], &result, &err) != SD_OK || result != sd_value_wdl (is)))
          wrong++;
        if (dtm && (sd_probe_dtm (ts, &p[k], &value, &err) != SD_OK || value != is))
          wrong++;
        if (wrong) {
          char fen[96];
          sd_pos_to_fen (&p[k], fen, sizeof fen);
          cr_assert_fail ("%s %s: %s: result %d, value %d, is %d (%s)", what, name, fen, result, value, is,
                          err.text);
        }
      }
    }
  cr_assert (seen > 20000, "only %lu positions", (unsigned long) seen);
}

#endif
