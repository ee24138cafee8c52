/* The files of tests/golden, read for ever: what their headers say and each value; those of bad/ refused,
 * each with its own sentence; and the worked example of docs/format.md, taken from the page. */
#include "config.h"
#include "gen/games/games.h"
#include "tests/base/long_tests.h"
#include "tests/table/golden.h"
#include "tests/table/states.h"
#include "tests/table/made_up.h"
#include <ctype.h>
#include <pthread.h>

#ifdef __has_feature
#define SD_SANITIZED (__has_feature (address_sanitizer) || __has_feature (memory_sanitizer))
#elif defined __SANITIZE_ADDRESS__
#define SD_SANITIZED 1
#else
#define SD_SANITIZED 0
#endif

static const char *golden (const char *file, char path[4096]) {
  const char *root = getenv ("SD_SRCDIR");
  snprintf (path, 4096, "%s/tests/golden/%s", root ? root : ".", file);
  return path;
}

/* --------------------------------------------------------------- lines of a list */

typedef struct row {
  char *file, *bytes, *sum, *every, *values, *values_sum, *header;
} row;

static bool split (char *line, row *out) {
  char **field[] = { &out->file,   &out->bytes,      &out->sum,   &out->every,
                     &out->values, &out->values_sum, &out->header };
  for (unsigned i = 0; i < sizeof field / sizeof *field; i++)
    if (!(*field[i] = strsep (&line, i < 6 ? "," : "\n")))
      return false;
  return true;
}

/* Calls `look` for each file; returns how many there are. */
static unsigned for_each (void (*look) (const row *r)) {
  char path[4096], line[2000];
  unsigned n = 0;
  FILE *f = fopen (golden ("files.csv", path), "r");
  cr_assert_not_null (f, "%s", path);
  while (fgets (line, sizeof line, f)) {
    row r;
    cr_assert (split (line, &r), "%s", line);
    look (&r);
    n++;
  }
  fclose (f);
  return n;
}

/* NULL: of a codec that this build has not. */
static sd_table *open_file (const char *file) {
  char path[4096];
  sd_table *t;
  sd_error err = { 0 };
  int st = sd_table_open (golden (file, path), SD_OPEN_CHECK, &t, &err);
  if (st == SD_EUNSUPPORTED && strstr (err.text, "build it with the library of that name"))
    return NULL;
  cr_assert_eq (st, SD_OK, "%s", err.text);
  return t;
}

/* -------------------------------------------------------------------- headers */

static void look_at_header (const row *r) {
  char path[4096], header[SD_GOLDEN_TEXT];
  sd_map map;
  sd_error err = { 0 };
  cr_assert_eq (sd_map_open (golden (r->file, path), &map, &err), SD_OK, "%s", err.text);
  cr_expect_eq (map.len, strtoull (r->bytes, NULL, 10), "%s: another length", r->file);
  cr_expect_eq (sd_hash64 (map.data, map.len), strtoull (r->sum, NULL, 16), "%s: the file was changed",
                r->file);
  sd_table *t = open_file (r->file);
  if (t) {
    golden_header (t, &map, header);
    cr_expect_str_eq (header, r->header, "%s: '%s', expected '%s'", r->file, header, r->header);
    sd_table_close (t);
  }
  sd_map_close (&map);
}

Test (golden, each_header_says_what_it_said) {
  cr_expect_geq (for_each (look_at_header), 67);
}

/* --------------------------------------------------------------------- values */

typedef struct prober {
  sd_tables *ts, *usual; /* usual: tables opened as always, where the others are not; else NULL */
  enum sd_metric metric;
  sd_error err;
} prober;

static int probe (void *ctx, const sd_pos *p, sd_value *out) {
  prober *b = ctx;
  SD_TRY (sd_probe_value (b->ts, b->metric, p, out, &b->err));
  sd_value expected = *out;
  if (b->usual)
    SD_TRY (sd_probe_value (b->usual, b->metric, p, &expected, &b->err));
  cr_expect_eq (*out, expected);
  return SD_OK;
}

static unsigned open_flags = SD_OPEN_CHECK; /* of the tables that are probed */
static unsigned step = 1;                   /* `every` of the list is multiplied by it */

/* The folder of the file first, then base, where smaller endings and results are. */
static void probe_all (const row *r, const sd_table_info *info, sd_buf *out) {
  char own[4096], path[8200], base[4096];
  prober b = { .metric = info->metric };
  golden (r->file, own);
  *strrchr (own, '/') = 0;
  snprintf (path, sizeof path, "%s:%s", own, golden ("base", base));
  cr_assert_eq (sd_tables_open (path, open_flags, &b.ts, &b.err), SD_OK, "%s", b.err.text);
  if (step > 1)
    cr_assert_eq (sd_tables_open (path, SD_OPEN_CHECK, &b.usual, &b.err), SD_OK, "%s", b.err.text);
  cr_assert_eq (golden_positions (&info->material, step * strtoull (r->every, NULL, 10), probe, &b, out),
                SD_OK, "%s: %s", r->file, b.err.text);
  sd_tables_close (b.ts);
  sd_tables_close (b.usual);
}

/* A table that leaves conversions to the moves is read with what is in base. */
static int read_restored (const sd_rules *r, const char *file, enum sd_metric metric, uint64_t n,
                          sd_value *value) {
  char base[4096];
  sd_game_tables *g;
  sd_slice slice;
  SD_TRY (sd_game_tables_open (r, golden ("base", base), 1 << 20, &g, NULL));
  int st = sd_game_tables_use (g, open_file (file), &slice, NULL);
  for (uint64_t i = 0; st == SD_OK && i < n; i++)
    st = sd_game_tables_value (g, slice, metric, i, &value[i]);
  sd_game_tables_close (g);
  return st;
}

static void read_states (const char *file, const sd_table *t, const sd_table_info *info, sd_buf *out) {
  char path[4096], game[4200], text[SD_POSITION_TEXT];
  sd_rules r;
  sd_slice slice;
  sd_error err = { 0 };
  const bool made = strcmp (info->game.name, "made") == 0; /* no rules; see tests/table/golden_tool.c */
  const uint64_t first = made ? ((uint64_t) 1 << 31) - 64 : 0, n = info->game.states - first;
  sd_value *value = sd_alloc (n, sizeof *value);
  cr_assert_not_null (value);
  snprintf (game, sizeof game, "%s%s%s", info->game.name, info->game.name[0] == 'g' ? ":" : "",
            info->game.name[0] == 'g' ? golden ("../data/race.txt", path) : "");
  if (!made) {
    cr_assert_eq (sd_rules_open (game, &r, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_rules_slice (&r, r.kind->slice_of ? info->game.slice : NULL, &slice, &err), SD_OK);
    cr_expect_eq (r.kind->fingerprint (r.ctx), info->game.fingerprint);
  }
  cr_assert_eq (info->version == 2 ? read_restored (&r, file, info->metric, n, value)
                                   : read_some_states (t, first, n, value),
                SD_OK, "%s", file);
  for (uint64_t i = 0; i < n; i++)
    if (made || r.kind->print (r.ctx, slice, i, text))
      golden_put (out, value[i]);
  if (!made)
    sd_rules_close (&r);
  free (value);
}

static void look_at_values (const row *r) {
  sd_buf values = { 0 };
  sd_table_info info;
  sd_table *t = open_file (r->file);
  if (!t)
    return;
  sd_table_describe (t, &info);
  if (sd_table_info_is_game (&info))
    read_states (r->file, t, &info, &values);
  else
    probe_all (r, &info, &values);
  if (step == 1 || sd_table_info_is_game (&info)) {
    cr_expect_eq (values.len / 2, strtoull (r->values, NULL, 10), "%s: %zu values, expected %s", r->file,
                  values.len / 2, r->values);
    cr_expect_eq (sd_hash64 (values.data, values.len), strtoull (r->values_sum, NULL, 16), "%s: other values",
                  r->file);
  }
  sd_buf_free (&values);
  sd_table_close (t);
}

Test (golden, each_value_is_what_it_was) {
  for_each (look_at_values);
}

static void *look_at_all_values (void *n) {
  *(unsigned *) n = for_each (look_at_values);
  return n;
}

/* The first probe of a table opens it, and with it the decoder of its codec. <subdef/probe.h> promises that
 * a stack of 256 KiB is enough for that. */
Test (golden, a_small_stack_is_enough_to_open_by_the_first_probe) {
  pthread_attr_t small;
  pthread_t thread;
  unsigned n = 0;
  open_flags = SD_OPEN_LATER | SD_OPEN_PARTS;
  step = sd_every (50); /* of these positions each value is compared with that of the test above */
  cr_assert (pthread_attr_init (&small) == 0);
#if !SD_SANITIZED /* sanitizers take more */
  cr_assert (pthread_attr_setstacksize (&small, 256 << 10) == 0);
#endif
  cr_assert (pthread_create (&thread, &small, look_at_all_values, &n) == 0);
  cr_assert (pthread_join (thread, NULL) == 0);
  cr_expect_geq (n, 67);
}

Test (golden, every_file_is_in_the_list) {
  char path[4096], line[2000], file[600];
  unsigned there = 0, listed = 0;
  DIR *d = opendir (golden ("", path));
  cr_assert_not_null (d);
  for (struct dirent *e; (e = readdir (d));) {
    DIR *in = strcmp (e->d_name, "bad") && e->d_name[0] != '.' ? opendir (golden (e->d_name, path)) : NULL;
    for (struct dirent *k; in && (k = readdir (in));)
      there += strstr (k->d_name, ".sdt") != NULL;
    if (in)
      closedir (in);
  }
  closedir (d);
  FILE *f = fopen (golden ("files.csv", path), "r");
  while (fgets (line, sizeof line, f)) {
    snprintf (file, sizeof file, "%.*s", (int) strcspn (line, ","), line);
    cr_expect (sd_file_exists (golden (file, path)), "%s", path);
    listed++;
  }
  fclose (f);
  cr_expect_eq (there, listed);
}

/* ------------------------------------------------------------------- bad files */

Test (golden, each_bad_file_is_refused_with_its_sentence) {
  char path[4096], line[2000], name[600];
  unsigned n = 0;
  FILE *f = fopen (golden ("messages.txt", path), "r");
  cr_assert_not_null (f);
  while (fgets (line, sizeof line, f)) {
    const size_t len = strcspn (line, ":");
    char *expected = line + len + 2;
    sd_table *t;
    sd_error err = { 0 };
    line[strcspn (line, "\n")] = 0;
    snprintf (name, sizeof name, "bad/%.*s", (int) len, line);
    int st = sd_table_open (golden (name, path), SD_OPEN_CHECK, &t, &err);
    cr_assert_neq (st, SD_OK, "%s: is not refused", name);
    cr_assert_gt (strlen (err.text), strlen (path) + 2, "%s", err.text);
    if (st != SD_EUNSUPPORTED
        || strcmp (name, "bad/codec-unknown.sdt") == 0) /* else a codec that was left out */
      cr_expect_str_eq (err.text + strlen (path) + 2, expected, "%s: '%s', expected '%s'", name,
                        err.text + strlen (path) + 2, expected);
    n++;
  }
  fclose (f);
  cr_expect_geq (n, 80);
}

/* ------------------------------------------------------------ the worked example */

/* The bytes at the beginning of a line: pairs of digits, until three spaces or another word follow. */
static void take_bytes (const char *line, sd_buf *out) {
  const char *p = line + strspn (line, " ");
  while (isxdigit ((unsigned char) p[0]) && isxdigit ((unsigned char) p[1])
         && (p[2] == ' ' || p[2] == '\n')) {
    unsigned v;
    sscanf (p, "%2x", &v);
    sd_buf_u8 (out, (uint8_t) v);
    p += 2;
    if (strncmp (p, "   ", 3) == 0)
      return;
    p += strspn (p, " ");
  }
}

Test (golden, the_worked_example_of_the_page_is_the_file) {
  char path[4096], line[2000];
  sd_buf page = { 0 };
  sd_map file;
  sd_error err = { 0 };
  bool section = false, block = false;
  FILE *f = fopen (golden ("../../docs/format.md", path), "r");
  cr_assert_not_null (f, "%s", path);
  while (fgets (line, sizeof line, f)) {
    if (strncmp (line, "## ", 3) == 0)
      section = strstr (line, "Worked example") != NULL;
    else if (section && strncmp (line, "```", 3) == 0)
      block = !block;
    else if (section && block)
      take_bytes (line, &page);
  }
  fclose (f);
  cr_assert_eq (sd_map_open (golden ("example/KBvK.wdl.sdt", path), &file, &err), SD_OK, "%s", err.text);
  cr_assert_eq (page.len, file.len, "%zu bytes on the page, %zu in the file", page.len, file.len);
  cr_expect_eq (memcmp (page.data, file.data, file.len), 0);
  sd_map_close (&file);
  sd_buf_free (&page);
}

/* What is written today: the example's bytes too. */
Test (golden, the_worked_example_is_what_is_written) {
  char path[4096];
  sd_map file;
  sd_error err = { 0 };
  sd_values *s = endings ("KBvK", DRAWN, 1);
  sd_table_spec spec =
      spec_of ("KBvK", SD_CODING_WDL, SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW, "repair", "[Kk]B");
  sd_buf b = image_of (s, &spec);
  cr_assert_eq (sd_map_open (golden ("example/KBvK.wdl.sdt", path), &file, &err), SD_OK, "%s", err.text);
  cr_assert_eq (b.len, file.len);
  cr_expect_eq (memcmp (b.data, file.data, b.len), 0);
  sd_map_close (&file);
  sd_buf_free (&b);
  sd_values_free (s);
}
