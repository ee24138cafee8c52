/* What the tests of reports share: rows that were written by hand, as a store or as lines in memory. */
#ifndef SD_TESTS_WRITTEN_ROWS_H
#define SD_TESTS_WRITTEN_ROWS_H

#include "codecs/codecs.h"
#include "experiments/report/report_internal.h"
#include "tests/experiments/in_folder.h"
#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------- lines in memory */

/* One row for a side; the caller fills in what else it asks for. */
static inline sd_row a_row (const char *group, const char *table, const char *side, const char *codec,
                            uint64_t bytes) {
  static int64_t id;
  sd_row r = { .id = ++id, .bytes = bytes, .slots = 100, .blocks = 1 };
  sd_row_forget_times (&r);
  snprintf (r.group, sizeof r.group, "%s", group);
  snprintf (r.table, sizeof r.table, "%s", table);
  snprintf (r.side, sizeof r.side, "%s", side);
  snprintf (r.codec, sizeof r.codec, "%s", codec);
  strcpy (r.metric, "wdl");
  strcpy (r.coding, "wdl");
  strcpy (r.freedom, "none");
  strcpy (r.order, "KRk");
  strcpy (r.numbering, "rows");
  return r;
}

/* --------------------------------------------------------------------- a store */

/* Both sides of KRvK with a codec, settings and order; times in nanoseconds, NAN: none. */
static inline void insert (sd_store *store, const char *group, const char *codec, const char *settings,
                           const char *freedom, const char *order, uint64_t bytes, double get_ns) {
  sd_row r = a_row (group, "KRvK", "w", codec, bytes);
  sd_settings set;
  sd_error err = { 0 };
  snprintf (r.order, sizeof r.order, "%s", order);
  snprintf (r.freedom, sizeof r.freedom, "%s", freedom);
  snprintf (r.settings, sizeof r.settings, "%s", settings);
  if (sd_codec_find (codec)) {
    cr_assert_eq (sd_settings_parse (sd_codec_find (codec), settings, &set, &err), SD_OK, "%s", err.text);
    sd_settings_text (&set, r.settings, sizeof r.settings);
  }
  const char *block = strstr (r.settings, "block=");
  r.block = block ? atoi (block + 6) : 0;
  r.blocks = r.block ? 64000 / (uint64_t) r.block : 1;
  r.slots = 64000;
  r.positions = 900;
  r.payload_bytes = bytes;
  r.main = 3;
  r.threads = 1;
  r.get_ns = get_ns;
  r.get_low_ns = get_ns - 10;
  r.get_high_ns = get_ns + 20;
  r.encode_s = r.decode_s = 0.5;
  for (unsigned side = 0; side < 2; side++) {
    char key[SD_SETTINGS_TEXT + 384];
    snprintf (r.side, sizeof r.side, "%c", "wb"[side]);
    snprintf (key, sizeof key, "%s/%s/%s/%s/%s/%s", group, codec, r.settings, freedom, order, r.side);
    cr_assert_eq (sd_store_insert (store, key, &r, &err), SD_OK, "%s", err.text);
  }
}

static inline sd_store *open_store (void) {
  sd_store *store;
  sd_error err = { 0 };
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), true, &store, &err), SD_OK, "%s", err.text);
  return store;
}

/* Rows as they are, which no sweep would have written, in one transaction; each has a key of its own. */
static inline void insert_all (sd_store *store, const sd_row *row, size_t n) {
  sd_error err = { 0 };
  cr_assert_eq (sd_store_begin (store, &err), SD_OK, "%s", err.text);
  for (size_t i = 0; i < n; i++) {
    char key[32];
    snprintf (key, sizeof key, "%zu", i);
    cr_assert_eq (sd_store_insert (store, key, &row[i], &err), SD_OK, "%s", err.text);
  }
  cr_assert_eq (sd_store_end (store, SD_OK, &err), SD_OK, "%s", err.text);
}

/* What a part of the report says of them, in Markdown and as numbers: texts to be freed. */
typedef struct asked_part {
  char *md, *csv;
} asked_part;
static inline asked_part ask_part (sd_query *q, const char *part) {
  sd_parts all = { .n = 0 };
  sd_doc d = { .dir = "" };
  sd_error err = { 0 };
  bool found = false;
  asked_part out = { NULL, NULL };
  cr_assert_eq (sd_parts_read (&all, "parts", &err), SD_OK, "%s", err.text);
  for (size_t i = 0; i < all.n; i++) {
    if (strcmp (all.part[i].file.path, part))
      continue;
    found = true;
    cr_assert_eq (sd_report_part (&d, q, &all.part[i].file, &all.part[i].csv, &err), SD_OK, "%s", err.text);
    sd_buf_u8 (&all.part[i].csv, 0);
    sd_buf_u8 (&d.md, 0);
    out = (asked_part){ strdup ((char *) d.md.data), strdup ((char *) all.part[i].csv.data) };
  }
  cr_assert (found, "no part %s", part);
  sd_doc_free (&d);
  sd_parts_free (&all);
  return out;
}

/* Rows that are put into a store of their own, which can be asked. */
static inline sd_query *open_rows (const sd_row *row, size_t n, const char *baseline, sd_store **store) {
  static unsigned number;
  char name[24];
  sd_query *q;
  sd_error err = { 0 };
  snprintf (name, sizeof name, "asked-%u.db", number++);
  cr_assert_eq (sd_store_open (in_folder (name), true, store, &err), SD_OK, "%s", err.text);
  insert_all (*store, row, n);
  cr_assert_eq (sd_query_over (*store, &(sd_query_options){ .baseline = baseline }, &q, &err), SD_OK, "%s",
                err.text);
  return q;
}

static inline asked_part ask_rows (const sd_row *row, size_t n, const char *baseline, const char *part) {
  sd_store *store;
  sd_query *q = open_rows (row, n, baseline, &store);
  const asked_part a = ask_part (q, part);
  sd_query_close (q);
  sd_store_close (store);
  return a;
}

/* What a SELECT of one row and one column gives. */
static inline double ask_number (sd_query *q, const char *sql) {
  sd_query_file f;
  sd_result a;
  sd_error err = { 0 };
  cr_assert_eq (sd_query_parse ("asked", sql, &f, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_query_ask (q, &f, &a, &err), SD_OK, "%s", err.text);
  cr_assert_eq (a.nrows, 1, "%s: %zu rows", sql, a.nrows);
  const double v = sd_result_at (&a, 0, 0)->is == SD_IS_NUMBER ? sd_result_at (&a, 0, 0)->number : NAN;
  sd_result_free (&a);
  sd_query_file_free (&f);
  return v;
}

/* Scripts and data of a part that is a figure, in the folder "drawn"; gnuplot is not run. How many. */
static inline size_t draw_part (sd_query *q, const char *part) {
  sd_parts all = { .n = 0 };
  sd_figures figures = { .n = 0 };
  sd_error err = { 0 };
  cr_assert_eq (sd_make_folder (in_folder ("drawn"), &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_parts_read (&all, "parts", &err), SD_OK, "%s", err.text);
  for (size_t i = 0; i < all.n; i++)
    if (strcmp (all.part[i].file.path, part) == 0)
      cr_assert_eq (sd_figures_add (&figures, q, &all.part[i].file, in_folder ("drawn"), &err), SD_OK, "%s",
                    err.text);
  const size_t n = figures.n;
  sd_figures_free (&figures);
  sd_parts_free (&all);
  return n;
}

static inline void draw_rows (const sd_row *row, size_t n, const char *part) {
  sd_store *store;
  sd_query *q = open_rows (row, n, NULL, &store);
  cr_assert (draw_part (q, part) > 0, "%s: no figure", part);
  sd_query_close (q);
  sd_store_close (store);
}

static inline void forget (asked_part *a) {
  free (a->md);
  free (a->csv);
}

static inline void add_run (sd_store *store, const char *commit, const char *cpu, double load) {
  sd_provenance run = { .cores = 2, .jobs = 2, .seed = 1, .load = load, .memory_bytes = 8000000000u };
  sd_error err = { 0 };
  strcpy (run.started, "2026-11-22T09:34:50Z");
  strcpy (run.title, "Rooks");
  strcpy (run.version, "subdef 0");
  snprintf (run.commit, sizeof run.commit, "%s", commit);
  strcpy (run.compiler, "gcc 12");
  strcpy (run.flags, "-O2");
  strcpy (run.configure, "--quiet");
  snprintf (run.cpu, sizeof run.cpu, "%s", cpu);
  strcpy (run.host, "here");
  strcpy (run.kernel, "Linux 6");
  strcpy (run.libraries, "GSL 2");
  strcpy (run.command, "subdef sweep a.conf");
  strcpy (run.sweep_file, "a.conf");
  strcpy (run.sweep_hash, "0123456789abcdef");
  run.sweep = strdup ("groups = ();");
  run.tables = strdup ("KRvK.dtm.sdt 0123456789abcdef\n");
  cr_assert_eq (sd_store_run (store, &run, &err), SD_OK, "%s", err.text);
  sd_provenance_clear (&run);
}

/* Rows enough for a figure of each kind. */
static inline void fill_store (void) {
  sd_store *store = open_store ();
  add_run (store, "abc", "a processor", 0.1);
  insert (store, "plain", "lzma", "block=16384", "none", "KRk", 900, NAN);
  insert (store, "orders", "repair", "block=128", "all", "KRk", 300, 100);
  insert (store, "orders", "repair", "block=128", "all", "RKk", 400, 110);
  insert (store, "blocks", "repair", "block=64", "all", "KRk", 350, 90);
  sd_store_close (store);
}

static inline void put (const char *table, const char *column, const char *text) {
  sqlite3 *db;
  sqlite3_stmt *q;
  char sql[200];
  cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
  snprintf (sql, sizeof sql, "UPDATE \"%s\" SET \"%s\" = ?%s", table, column,
            strcmp (table, "cell") ? "" : " WHERE id = 3");
  cr_assert_eq (sqlite3_prepare_v2 (db, sql, -1, &q, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg (db));
  sqlite3_bind_text (q, 1, text, -1, SQLITE_STATIC);
  cr_assert_eq (sqlite3_step (q), SQLITE_DONE, "%s", sqlite3_errmsg (db));
  sqlite3_finalize (q);
  sqlite3_close (db);
}

static inline int report (const sd_report_options *opt, sd_error *err) {
  return sd_report_write (in_folder ("rows.db"), in_folder ("report"), opt, err);
}

#endif
