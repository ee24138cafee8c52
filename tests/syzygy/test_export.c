/* Syzygy files of our own tables, made as a user makes them: what readers find in them is what the tables
 * say, results exactly, plies up to the rounding to full moves. */
#include "config.h"
#include "values/values.h"
#include "syzygy/syzygy.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const endings[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
enum { ENDINGS = sizeof endings / sizeof *endings };

static void run (const char *arguments) {
  char command[1024];
  const char *base = getenv ("SD_BUILDDIR");
  snprintf (command, sizeof command, "%s/tools/%s >export.log 2>&1", base ? base : ".", arguments);
  cr_assert_eq (system (command), 0, "%s", command);
}

/* What files with full moves say of n plies is n or n - 1; a mate counts as a mate. */
static bool agree (const sd_syzygy_tables *ts, const sd_pos *p, sd_value v) {
  int wdl = 9, dtz = 0;
  sd_error err = { 0 };
  if (sd_syzygy_wdl (ts, p, &wdl, &err) != SD_OK || sd_syzygy_dtz (ts, p, &dtz, &err) != SD_OK) {
    fprintf (stderr, "%s\n", err.text);
    return false;
  }
  const int want = v > 0 ? v : v < 0 ? -v - 1 : 0, plies = dtz > 0 ? dtz : dtz < 0 ? -dtz - 1 : 0;
  return wdl == sd_metrics[SD_WDL50].of (v) && (dtz > 0) == (v > 0) && (dtz < 0) == (v < 0)
         && abs (plies - want) <= 1;
}

static void compare (sd_values *own, const sd_syzygy_tables *ts, const char *name, uint64_t step) {
  sd_material m;
  const sd_exact *e;
  sd_error err = { 0 };
  uint64_t wrong = 0, seen = 0;
  cr_assert_eq (sd_material_parse (name, &m, &err), SD_OK);
  cr_assert_eq (sd_values_whole (own, &m, &e, &err), SD_OK, "%s", err.text);
  for (unsigned side = 0; side < e->nsides; side++)
    for (uint64_t k = 0; k < e->n; k += step) {
      uint8_t sq[SD_MAX_MEN];
      sd_pos p;
      if (e->value[side][k] == SD_ILLEGAL || !sd_index_squares (e->indexer, k, sq))
        continue;
      sd_pos_from_squares (&m, sq, side, &p);
      wrong += !agree (ts, &p, e->value[side][k]);
      seen++;
    }
  cr_expect_eq (wrong, 0, "%s: %llu of %llu", name, (unsigned long long) wrong, (unsigned long long) seen);
  cr_expect_gt (seen, 1000);
}

Test (syzygy_export, readers_find_what_our_tables_say) {
  sd_syzygy_tables *ts;
  sd_values *own;
  sd_error err = { 0 };
  run ("subdef-gen --metric dtz50 -f -q KPvK KBvK KNvK -o tests/syzygy/dtz50");
  run (
      "subdef export -f --syzygy tests/syzygy/exported --tables tests/syzygy/dtz50 KQvK KRvK KBvK KNvK KPvK");
  cr_assert_eq (sd_values_new ("tests/syzygy/dtz50", SD_DTZ50, &own, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_syzygy_tables_open ("tests/syzygy/exported", &ts, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_syzygy_tables_count (ts), 2 * ENDINGS);
  for (unsigned k = 0; k < ENDINGS; k++)
    compare (own, ts, endings[k], 1);
  sd_values_free (own);
  sd_syzygy_tables_close (ts);
}

/* A file that is there stays, however it was made; smaller files of the same values can be made of it. */
Test (syzygy_export, files_are_made_smaller_from_the_command_line) {
  sd_map before, after;
  run ("subdef-gen --metric dtz50 -f -q KRvK -o tests/syzygy/dtz50-r");
  remove ("tests/syzygy/exported-r/KRvK.rtbz");
  run ("subdef export -f -q --wdl-only --syzygy tests/syzygy/exported-r --tables tests/syzygy/dtz50-r KRvK");
  cr_expect (sd_file_exists ("tests/syzygy/exported-r/KRvK.rtbw"));
  cr_expect (!sd_file_exists ("tests/syzygy/exported-r/KRvK.rtbz"));
  run ("subdef export -f -q --syzygy tests/syzygy/exported-r --tables tests/syzygy/dtz50-r KRvK");
  run ("subdef recompress -f -o tests/syzygy/smaller tests/syzygy/exported-r/KRvK.rtbw "
       "tests/syzygy/exported-r/KRvK.rtbz");
  for (unsigned dtz = 0; dtz < 2; dtz++) {
    char path[64];
    snprintf (path, sizeof path, "tests/syzygy/exported-r/KRvK.rtb%c", dtz ? 'z' : 'w');
    cr_assert_eq (sd_map_open (path, &before, NULL), SD_OK);
    snprintf (path, sizeof path, "tests/syzygy/smaller/KRvK.rtb%c", dtz ? 'z' : 'w');
    cr_assert_eq (sd_map_open (path, &after, NULL), SD_OK);
    cr_expect (after.len && after.len <= before.len);
    sd_map_close (&before);
    sd_map_close (&after);
  }
}

/* Is a golden file what it was, by its own checksum, which the list has, too? */
static void look_at_golden (const char *root, const char *file, unsigned long bytes, const char *sum) {
  char path[1100], found[2 * SD_SYZYGY_CHECKSUM_BYTES + 1];
  sd_map map;
  sd_syzygy *s;
  sd_error err = { 0 };
  snprintf (path, sizeof path, "%s/tests/golden/%s", root, file);
  cr_assert_eq (sd_map_open (path, &map, &err), SD_OK, "%s", err.text);
  cr_assert_eq (map.len, bytes, "%s", file);
  cr_assert_eq (sd_syzygy_open (map.data, map.len, &s, &err), SD_OK, "%s: %s", file, err.text);
  cr_expect_eq (sd_syzygy_check (s, &err), SD_OK, "%s: %s", file, err.text);
  for (unsigned k = 0; k < SD_SYZYGY_CHECKSUM_BYTES; k++)
    snprintf (found + 2 * k, 3, "%02x", map.data[map.len - SD_SYZYGY_CHECKSUM_BYTES + k]);
  cr_expect_str_eq (found, sum, "%s: the file was changed", file);
  sd_syzygy_close (s);
  sd_map_close (&map);
}

/* The files of tests/golden/syzygy, read for ever: no byte has changed, and readers find in them what tables
 * say that are made now. */
Test (syzygy_export, golden_files_say_what_they_said) {
  const char *root = getenv ("SD_SRCDIR") ? getenv ("SD_SRCDIR") : ".";
  char path[1100], line[200], file[64], sum[64];
  unsigned long bytes;
  unsigned n = 0;
  sd_syzygy_tables *ts;
  sd_values *own;
  sd_error err = { 0 };
  snprintf (path, sizeof path, "%s/tests/golden/syzygy.csv", root);
  FILE *list = fopen (path, "r");
  cr_assert_not_null (list, "%s", path);
  for (; fgets (line, sizeof line, list); n++) {
    cr_assert_eq (sscanf (line, "%63[^,],%lu,%63s", file, &bytes, sum), 3, "%s", line);
    look_at_golden (root, file, bytes, sum);
  }
  fclose (list);
  snprintf (path, sizeof path, "%s/tests/golden/syzygy", root);
  run ("subdef-gen --metric dtz50 -f -q KPvK KRvKR -o tests/syzygy/dtz50-golden");
  cr_assert_eq (sd_values_new ("tests/syzygy/dtz50-golden", SD_DTZ50, &own, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_syzygy_tables_open (path, &ts, &err), SD_OK, "%s", err.text);
  cr_expect_eq (n, 2 * ENDINGS + 2);
  cr_expect_eq (sd_syzygy_tables_count (ts), n);
  for (unsigned k = 0; k < ENDINGS; k++)
    compare (own, ts, endings[k], 1);
  compare (own, ts, "KRvKR", 97);
  sd_values_free (own);
  sd_syzygy_tables_close (ts);
}
