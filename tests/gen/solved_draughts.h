/* Slices of draughts solved, stored in a folder of their own, and read back from there. */
#ifndef SD_TESTS_SOLVED_DRAUGHTS_H
#define SD_TESTS_SOLVED_DRAUGHTS_H

#include "gen/games/games.h"
#include "tests/gen/endings.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct solved {
  sd_rules rules;
  sd_game_tables *tables;
  char folder[40];
} solved;

static inline void path_of (const solved *d, const sd_draughts_slice *m, char path[200]) {
  char name[32];
  sd_draughts_name (m, name);
  snprintf (path, 200, "%s/draughts-%s.dtm.sdt", d->folder, name);
}

static inline solved *solve_all (unsigned pieces) {
  static solved d;
  sd_draughts_slice m[64];
  sd_transport t;
  sd_error err = { 0 };
  sd_counts counts[2];
  char path[200];
  sd_transport_self (&t);
  strcpy (d.folder, "/tmp/sd-draughts-XXXXXX");
  cr_assert_not_null (mkdtemp (d.folder));
  cr_assert_eq (sd_rules_open ("draughts", &d.rules, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_game_tables_open (&d.rules, d.folder, 1 << 20, &d.tables, &err), SD_OK, "%s", err.text);
  unsigned n = sd_draughts_order (pieces, m, 64);
  cr_assert_leq (n, 64);
  for (unsigned i = 0; i < n; i++) {
    path_of (&d, &m[i], path);
    cr_assert_eq (gen_slice (d.tables, sd_draughts_number (&m[i]), path, counts, &err), SD_OK, "%s",
                  err.text);
  }
  /* from here on the stored tables alone */
  sd_game_tables_close (d.tables);
  cr_assert_eq (sd_game_tables_open (&d.rules, d.folder, 1 << 20, &d.tables, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < n; i++)
    cr_assert_eq (sd_game_tables_need (d.tables, sd_draughts_number (&m[i]), SD_DTM, &err), SD_OK, "%s",
                  err.text);
  return &d;
}

static inline void forget (solved *d) {
  sd_draughts_slice m[64];
  char path[200];
  unsigned n = sd_draughts_order (3, m, 64);
  for (unsigned i = 0; i < n; i++) {
    path_of (d, &m[i], path);
    unlink (path);
  }
  cr_expect_eq (rmdir (d->folder), 0);
  sd_game_tables_close (d->tables);
  sd_rules_close (&d->rules);
}

static inline int outside_value (const void *ctx, sd_slice slice, sd_state state, sd_value *out) {
  const solved *d = ctx;
  return sd_game_tables_value (d->tables, slice, SD_DTM, state, out);
}

static inline int new_game (const solved *d, const sd_draughts_slice *m, sd_game *out, sd_error *err) {
  static sd_outside outside;
  outside = (sd_outside){ (void *) (uintptr_t) d, outside_value, NULL, NULL };
  return sd_game_draughts.game (d->rules.ctx, sd_draughts_number (m), &outside, out, err);
}

#endif
