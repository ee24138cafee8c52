/* What the tests of sweeps share: exact tables of small endings in a folder of their own, sweeps from a text,
 * questions to the database. */
#ifndef SD_TESTS_SWEEPS_H
#define SD_TESTS_SWEEPS_H

#include "experiments/run/run_internal.h"
#include "gen/gen.h"
#include "tests/experiments/in_folder.h"
#include "tests/gen/endings.h"

/* Exact tables of an ending and all that it depends on, as files. */
static inline void generate (const char *name) {
  sd_material want, *order;
  sd_values *s;
  sd_transport t;
  unsigned n;
  sd_error err = { 0 };
  sd_transport_self (&t);
  cr_assert_eq (sd_material_parse (name, &want, &err), SD_OK);
  cr_assert_eq (sd_values_new (folder, SD_DTM, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (gen_order (&want, 1, &order, &n, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < n; i++) {
    char file[32];
    cr_assert_eq (gen_into (s, &order[i], &err), SD_OK, "%s", err.text);
    sd_table_file_name (&order[i], SD_DTM, file);
    cr_assert_eq (gen_write (s, &order[i], in_folder (file), NULL, &err), SD_OK, "%s", err.text);
  }
  free (order);
  sd_values_free (s);
}

static inline int run_text (const char *conf, int jobs, sd_error *err) {
  const char *path = write_file ("sweep.conf", conf), *db = in_folder ("rows.db");
  sd_sweep_options opt = { .tables = folder, .jobs = jobs };
  return sd_sweep_run (path, db, &opt, err);
}

static inline void run (const char *conf) {
  sd_error err = { 0 };
  cr_assert_eq (run_text (conf, 2, &err), SD_OK, "%s", err.text);
}

/* The one number that a question to a database gives. */
static inline double ask_of (sqlite3 *db, const char *sql) {
  sqlite3_stmt *q;
  cr_assert_eq (sqlite3_prepare_v2 (db, sql, -1, &q, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg (db));
  int code = sqlite3_step (q);
  cr_assert (code == SQLITE_ROW || code == SQLITE_DONE, "%s", sqlite3_errmsg (db));
  double v = code == SQLITE_ROW ? sqlite3_column_double (q, 0) : 0;
  sqlite3_finalize (q);
  return v;
}

static inline double ask (const char *sql) {
  sqlite3 *db;
  cr_assert_eq (sqlite3_open (in_folder ("rows.db"), &db), SQLITE_OK);
  const double v = ask_of (db, sql);
  sqlite3_close (db);
  return v;
}

static inline size_t cells_of (const char *conf) {
  sd_sweep *s;
  sd_error err = { 0 };
  cr_assert_eq (sd_sweep_read (write_file ("sweep.conf", conf), &s, &err), SD_OK, "%s", err.text);
  size_t n = s->ncells;
  sd_sweep_free (s);
  return n;
}

#define KRK_ORDERS                                                                                           \
  "{ name = \"orders\"; tables = \"KRvK\"; metric = [\"wdl\", \"dtm\"]; subdefinite = [\"on\", \"off\"];"    \
  "  order = \"all\"; codec = \"repair\"; }"

#define TWO_CELLS                                                                                            \
  "{ name = \"plain\"; tables = \"KRvK\"; side = \"w\"; codec = \"rle\"; },"                                 \
  " { name = \"timed\"; tables = \"KRvK\"; side = \"w\"; codec = \"store\"; latency = true; }"

#endif
