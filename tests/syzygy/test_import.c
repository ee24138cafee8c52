/* Tables made of the public Syzygy files beside our own: values that were loaded, and tables made from the
 * command line. SD_LONG_TESTS=1: all endings with 3 and 4 men, some 10 CPU-minutes. */
#include "config.h"
#include "values/values.h"
#include "tests/base/long_tests.h"
#include "tests/syzygy/files.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREE = 5 };
/* Both sides equal, one value, pawns, with the side to move that is stored and that is not. */
static const char *const quick[] = { "KQvK", "KRvK", "KPvK", "KBvK", "KRvKR" };

static void run (const char *arguments) {
  char command[1024];
  const char *base = getenv ("SD_BUILDDIR");
  snprintf (command, sizeof command, "%s/tools/%s >import.log 2>&1", base ? base : ".", arguments);
  cr_assert_eq (system (command), 0, "%s", command);
}

/* Number i of the endings that are compared. */
static bool wanted (unsigned i, char name[16]) {
  if (sd_long_tests ())
    return small_ending (i, name);
  if (i < sizeof quick / sizeof *quick)
    snprintf (name, 16, "%s", quick[i]);
  return i < sizeof quick / sizeof *quick;
}

static const sd_exact *load (sd_values *s, const char *name) {
  sd_material m;
  const sd_exact *e;
  sd_error err = { 0 };
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK);
  cr_assert_eq (sd_values_whole (s, &m, &e, &err), SD_OK, "%s", err.text);
  return e;
}

static void same_values (const sd_exact *is, const sd_exact *right, enum sd_metric metric, const char *name) {
  uint64_t wrong = 0, seen = 0;
  for (unsigned side = 0; side < right->nsides; side++)
    for (uint64_t i = 0; i < right->n; i++) {
      const sd_value v = right->value[side][i], w = is->value[side][i];
      wrong +=
          (v == SD_ILLEGAL) != (w == SD_ILLEGAL) ? 1 : sd_metrics[metric].of (v) != sd_metrics[metric].of (w);
      seen += v != SD_ILLEGAL;
    }
  cr_expect_eq (wrong, 0, "%s, %s: %llu of %llu", name, sd_metrics[metric].name, (unsigned long long) wrong,
                (unsigned long long) seen);
  cr_expect_gt (seen, 1000);
}

/* All positions of both sides: plies exactly, though the files hold full moves of one side; and results, from
 * the WDL files alone. */
Test (syzygy_import, loaded_values_are_our_own) {
  const char *folder = syzygy_folder ();
  char name[16];
  if (!folder)
    return;
  run (sd_long_tests () ? "subdef-gen --metric dtz50 -f -q --men 4 -o tests/syzygy/dtz50-i"
                        : "subdef-gen --metric dtz50 -f -q KPvK KBvK KNvK KRvKR -o tests/syzygy/dtz50-i");
  for (unsigned i = 0; wanted (i, name); i++) {
    sd_values *own, *files, *results;
    sd_error err = { 0 };
    cr_assert_eq (sd_values_new ("tests/syzygy/dtz50-i", SD_DTZ50, &own, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_values_new_syzygy (folder, true, &files, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_values_new_syzygy (folder, false, &results, &err), SD_OK, "%s", err.text);
    const sd_exact *right = load (own, name);
    same_values (load (files, name), right, SD_DTZ50, name);
    same_values (load (results, name), right, SD_WDL50, name);
    sd_values_free (own);
    sd_values_free (files);
    sd_values_free (results);
  }
}

/* A probe of every 7th slot of the new table, where smaller endings are Syzygy files. */
static void probes_agree (const char *path, enum sd_metric metric, const sd_exact *right) {
  sd_tables *ts;
  sd_error err = { 0 };
  uint64_t wrong = 0;
  cr_assert_eq (sd_tables_open (path, SD_OPEN_CACHE, &ts, &err), SD_OK, "%s", err.text);
  for (unsigned side = 0; side < right->nsides; side++)
    for (uint64_t i = side; i < right->n; i += 7) {
      uint8_t sq[SD_MAX_MEN];
      sd_pos p;
      sd_value v = SD_ILLEGAL;
      if (right->value[side][i] == SD_ILLEGAL || !sd_index_squares (right->indexer, i, sq))
        continue;
      sd_pos_from_squares (&right->material, sq, side, &p);
      wrong += sd_probe_value (ts, metric, &p, &v, &err) != SD_OK
               || v != sd_metrics[metric].of (right->value[side][i]);
    }
  cr_expect_eq (wrong, 0, "%s: %llu %s", path, (unsigned long long) wrong, err.text);
  sd_tables_close (ts);
}

Test (syzygy_import, tables_from_the_command_line_hold_the_values) {
  static const struct {
    const char *ending, *arguments, *path;
    enum sd_metric metric;
  } made[] = {
    { "KPvK", "%s/KPvK.rtbw --codec huffman", "%s:%s", SD_WDL50 },
    { "KPvK", "%s/KPvK.rtbz --codec lzma --coding signed", "%s:%s", SD_DTZ50 },
    { "KPvK", "%s/KPvK.rtbz --metric wdl --codec zstd --freedom illegal", "%s", SD_WDL },
    { "KRvK", "%s/KRvK.rtbz --codec repair --set block=128", "%s:%s", SD_DTZ50 },
  };
  const char *folder = syzygy_folder ();
  sd_values *own;
  sd_error err = { 0 };
  if (!folder)
    return;
  run ("subdef-gen --metric dtz50 -f -q KPvK KBvK KNvK -o tests/syzygy/dtz50-c");
  cr_assert_eq (sd_values_new ("tests/syzygy/dtz50-c", SD_DTZ50, &own, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < sizeof made / sizeof *made; i++) {
    char words[900], command[1000], path[1200], to[64];
    snprintf (to, sizeof to, "tests/syzygy/import-%u", i);
    snprintf (words, sizeof words, made[i].arguments, folder);
    snprintf (command, sizeof command, "subdef import -f %s -o %s", words, to);
    run (command);
    snprintf (path, sizeof path, made[i].path, to, folder);
    probes_agree (path, made[i].metric, load (own, made[i].ending));
  }
  sd_values_free (own);
}
