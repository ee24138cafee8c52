/* An ending with pawns, solved part by part, stopped and taken up again: the table is the same to the byte,
 * and what lies of its parts is removed. */
#include "config.h"
#include "tests/base/temporary.h"
#include "tests/gen/endings.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

typedef struct stopped {
  sd_checkpoint inner;
  unsigned left; /* saves before it stops */
} stopped;

static int stop_at (void *ctx, const sd_game *game, const sd_deal *deal, const sd_solve_point *at,
                    const uint16_t *rec, sd_error *err) {
  stopped *s = ctx;
  SD_TRY (s->inner.save (s->inner.ctx, game, deal, at, rec, err));
  return s->left-- ? SD_OK : sd_fail (err, SD_EIO, "stopped");
}

static int load (void *ctx, const sd_game *game, const sd_deal *deal, sd_solve_point *at, uint16_t *rec,
                 sd_error *err) {
  stopped *s = ctx;
  return s->inner.load (s->inner.ctx, game, deal, at, rec, err);
}

static int at (void *ctx, const char *name, unsigned *ply) {
  stopped *s = ctx;
  return s->inner.at (s->inner.ctx, name, ply);
}

typedef struct parts_run {
  char folder[200], table[300], parts[310], checkpoint[300];
  sd_transport t;
  sd_game_tables *tables;
  sd_slice slice;
  unsigned problems, notices;
  char said[400];
} parts_run;

static void hear (void *ctx, bool problem, const char *text) {
  parts_run *f = ctx;
  *(problem ? &f->problems : &f->notices) += 1;
  snprintf (f->said, sizeof f->said, "%s", text);
}

/* KPvK with all below it in a folder; the table's bytes go to `out`. */
static parts_run begin (sd_map *out) {
  static const char *const name[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  parts_run f = { .problems = 0 };
  sd_error err = { 0 };
  sd_counts counts[2];
  sd_transport_self (&f.t);
  cr_assert (temporary_folder ("sd-parts", f.folder, sizeof f.folder));
  cr_assert_eq (sd_game_tables_open (&chess_rules, f.folder, 0, &f.tables, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
    sd_material m;
    cr_assert_eq (sd_material_parse (name[i], &m, &err), SD_OK);
    f.slice = sd_chess_slice (&m);
    snprintf (f.table, sizeof f.table, "%s/%s.dtm.sdt", f.folder, name[i]);
    cr_assert_eq (gen_slice (f.tables, f.slice, f.table, counts, &err), SD_OK, "%s", err.text);
  }
  snprintf (f.parts, sizeof f.parts, "%s.parts", f.table);
  snprintf (f.checkpoint, sizeof f.checkpoint, "%s/c", f.folder);
  cr_expect (!sd_file_exists (f.parts), "without checkpoints nothing stays");
  cr_assert_eq (sd_map_open (f.table, out, &err), SD_OK, "%s", err.text);
  return f;
}

/* Stops at the border behind so many, each of which is saved. */
static int build (parts_run *f, unsigned borders, sd_error *err) {
  const sd_notice notice = { hear, f };
  stopped s = { .left = borders };
  const sd_checkpoint hook = { .ctx = &s, .save = stop_at, .load = load, .at = at };
  const sd_solve_options o = { .threads = 1, .checkpoint = borders ? &hook : &s.inner };
  const sd_gen_run run = { .t = &f->t, .options = &o };
  cr_assert_eq (sd_checkpoint_open (f->checkpoint, 0, &f->t, &notice, &s.inner, err), SD_OK);
  const int st = sd_gen_build (&run, f->tables, f->slice, f->table, NULL, err);
  sd_checkpoint_close (&s.inner);
  return st;
}

static void expect_same (const parts_run *f, const sd_map *want, unsigned borders) {
  sd_map got;
  sd_error err = { 0 };
  cr_assert_eq (sd_map_open (f->table, &got, &err), SD_OK, "%s", err.text);
  cr_expect (got.len == want->len && memcmp (got.data, want->data, got.len) == 0, "%u borders: another table",
             borders);
  cr_expect (!sd_file_exists (f->parts), "%u borders: the parts are left", borders);
  sd_map_close (&got);
}

static void end (parts_run *f, sd_map *want) {
  sd_map_close (want);
  sd_game_tables_close (f->tables);
  temporary_remove (f->folder);
}

Test (parts, a_run_that_was_stopped_in_any_part_goes_on) {
  static const unsigned borders[] = { 1, 3, 40, 90, 150, 200 };
  sd_map want;
  parts_run f = begin (&want);
  for (unsigned i = 0; i < sizeof borders / sizeof *borders; i++) {
    sd_error err = { 0 };
    cr_assert_eq (build (&f, borders[i], &err), SD_EIO, "%u borders: %s", borders[i], err.text);
    cr_expect (sd_file_exists (f.parts));
    f.notices = 0;
    err = (sd_error){ 0 };
    cr_assert_eq (build (&f, 0, &err), SD_OK, "%u borders: %s", borders[i], err.text);
    cr_expect (f.problems == 0 && f.notices == 1 && strstr (f.said, "resumed at ply"), "%u borders: %s",
               borders[i], f.said);
    expect_same (&f, &want, borders[i]);
    sd_checkpoint_remove (f.checkpoint);
  }
  end (&f, &want);
}

Test (parts, values_that_are_damaged_or_missing_are_not_used) {
  sd_map want;
  parts_run f = begin (&want);
  for (unsigned way = 0; way < 3; way++) {
    sd_error err = { 0 };
    cr_assert_eq (build (&f, 90, &err), SD_EIO, "%s", err.text);
    if (way == 0)
      cr_assert_eq (unlink (f.parts), 0);
    else if (way == 1)
      cr_assert_eq (truncate (f.parts, 1000), 0);
    else {
      FILE *file = fopen (f.parts, "r+");
      cr_assert (file && fseek (file, 100, SEEK_SET) == 0 && fputs ("??", file) >= 0 && fclose (file) == 0);
    }
    f.problems = 0;
    err = (sd_error){ 0 };
    cr_assert_eq (build (&f, 0, &err), SD_OK, "%s", err.text);
    cr_expect (f.problems == 1 && strstr (f.said, "the parts before it are missing or damaged"), "%s",
               f.said);
    expect_same (&f, &want, way);
    sd_checkpoint_remove (f.checkpoint);
  }
  end (&f, &want);
}
