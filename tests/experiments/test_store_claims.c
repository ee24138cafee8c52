/* Several sweeps on one store: cells are claimed, the dead give theirs back, and the time left is told. */
#include "config.h"
#include "tests/experiments/sweeps.h"
#include <math.h>
#include <sys/wait.h>

TestSuite (claims, .init = make_folder, .fini = remove_folder);

static sd_store *open_store (void) {
  sd_store *s;
  sd_error err = { 0 };
  cr_assert_eq (sd_store_open (in_folder ("rows.db"), true, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_store_join (s, &err), SD_OK, "%s", err.text);
  return s;
}

static enum sd_claim claim (sd_store *s, const char *key) {
  enum sd_claim c;
  sd_error err = { 0 };
  cr_assert_eq (sd_store_claim (s, key, (sd_times){ 0 }, &c, &err), SD_OK, "%s", err.text);
  return c;
}

Test (claims, a_cell_is_claimed_once) {
  sd_store *a = open_store (), *b = open_store ();
  sd_provenance run = { .sweep = (char[]){ "" }, .tables = (char[]){ "" } };
  const sd_row row = { .bytes = 5 }, other = { .bytes = 6 };
  unsigned n;
  char who[200];
  cr_expect_eq (claim (a, "x"), SD_CLAIM_MINE);
  cr_expect_eq (claim (a, "x"), SD_CLAIM_MINE);
  cr_expect_eq (claim (b, "x"), SD_CLAIM_TAKEN);
  cr_expect_eq (claim (b, "y"), SD_CLAIM_MINE);
  cr_assert_eq (sd_store_others (a, &n, who, sizeof who, NULL), SD_OK);
  cr_expect_eq (n, 1);
  cr_expect (strncmp (who, "process ", 8) == 0, "%s", who);
  cr_assert_eq (sd_store_run (a, &run, NULL), SD_OK);
  cr_assert_eq (sd_store_insert (a, "x", &row, NULL), SD_OK);
  cr_expect_eq (claim (b, "x"), SD_CLAIM_DONE);
  cr_assert_eq (sd_store_insert (b, "x", &other, NULL), SD_OK, "too late, and no failure");
  cr_expect_eq (ask ("SELECT bytes FROM cell WHERE key = 'x'"), 5, "the first row stays");
  sd_store_close (b);
  cr_expect_eq (claim (a, "y"), SD_CLAIM_MINE, "who leaves gives back what he had claimed");
  sd_store_close (a);
  cr_expect_eq (ask ("SELECT (SELECT count (*) FROM worker) + (SELECT count (*) FROM claim)"), 0);
}

Test (claims, what_a_dead_process_had_claimed_is_free) {
  sd_store *a = open_store (), *b = open_store ();
  cr_expect_eq (claim (a, "x"), SD_CLAIM_MINE);
  ask ("UPDATE worker SET born = 1 WHERE id = 1"); /* the number is that of a younger process */
  cr_expect_eq (claim (b, "x"), SD_CLAIM_MINE);
  cr_expect_eq (claim (b, "y"), SD_CLAIM_MINE);
  ask ("UPDATE worker SET pid = 2147483646 WHERE id = 2");
  cr_expect_eq (claim (a, "y"), SD_CLAIM_MINE);
  sd_store_close (a);
  sd_store_close (b);
}

Test (claims, a_worker_elsewhere_lives_while_it_has_not_been_silent_for_long) {
  sd_store *a = open_store (), *b = open_store ();
  cr_expect_eq (claim (a, "x"), SD_CLAIM_MINE);
  ask ("UPDATE worker SET place = 'moon', pid = 2147483646, born = 1 WHERE id = 1");
  cr_expect_eq (claim (b, "x"), SD_CLAIM_TAKEN);
  cr_expect_eq (claim (b, "x"), SD_CLAIM_TAKEN);
  sd_store_close (b);
  sd_store_close (a);
}

Test (claims, a_process_that_was_killed_and_not_waited_for_is_dead) {
  sd_store *a = open_store (), *b = open_store ();
  char sql[100];
  const pid_t child = fork ();
  if (child == 0)
    _exit (0);
  siginfo_t info;
  cr_assert_eq (waitid (P_PID, (id_t) child, &info, WEXITED | WNOWAIT), 0); /* it stays a zombie */
  cr_expect_eq (claim (a, "x"), SD_CLAIM_MINE);
  snprintf (sql, sizeof sql, "UPDATE worker SET born = 0, pid = %d WHERE id = 1", (int) child);
  ask (sql);
  cr_expect_eq (claim (b, "x"), SD_CLAIM_MINE);
  waitpid (child, NULL, 0);
  sd_store_close (a);
  sd_store_close (b);
}

Test (claims, the_dead_are_not_counted_and_leave) {
  sd_store *a = open_store ();
  unsigned n;
  char who[200];
  ask (
      "INSERT INTO worker (place, host, pid, born, started) WITH RECURSIVE k (i) AS (SELECT 1 UNION ALL SELECT i + 1"
      " FROM k WHERE i < 70) SELECT place, host, 2147483646, 1, started FROM k, worker");
  ask (
      "INSERT INTO worker (place, host, pid, born, started) WITH RECURSIVE k (i) AS (SELECT 1 UNION ALL SELECT i + 1"
      " FROM k WHERE i < 70) SELECT 'moon', 'moon', i, 1, '2020-01-01T00:00:00Z' FROM k");
  cr_assert_eq (sd_store_others (a, &n, who, sizeof who, NULL), SD_OK);
  cr_expect_eq (n, 0, "%u", n);
  cr_expect_eq (ask ("SELECT count (*) FROM worker WHERE place <> 'moon'"), 1,
                "only this one is left of those here");
  cr_expect_eq (ask ("SELECT count (*) FROM worker"), 71, "who is elsewhere is watched first");
  ask ("UPDATE worker SET beat = beat + 1 WHERE host = 'moon' AND pid = 70");
  ask ("UPDATE worker SET started = strftime ('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE host = 'moon' AND pid = 1");
  cr_assert_eq (sd_store_others (a, &n, who, sizeof who, NULL), SD_OK);
  cr_expect_eq (n, 2, "one began just now, the beat of another was seen to move: %u", n);
  sd_store_close (a);
}

Test (claims, who_was_held_for_dead_joins_again) {
  sd_store *a = open_store ();
  ask ("DELETE FROM worker");
  cr_assert_eq (sd_store_beat (a, "", NULL), SD_OK);
  cr_expect_eq (ask ("SELECT count (*) FROM worker"), 1);
  sd_store_close (a);
  cr_expect_eq (ask ("SELECT count (*) FROM worker"), 0);
}

/* ------------------------------------------------------------------- time left */

static sd_cost cost_of (sd_costs *c, const sd_cell *cell, double slots, double timing) {
  sd_cost k;
  cr_assert (sd_costs_cell (c, cell, false, false, &k));
  k.slots = slots;
  k.timing = timing;
  return k;
}

Test (claims, the_time_left_is_learnt_from_rows) {
  const sd_codec *repair = sd_codec_find ("repair"), *lzma = sd_codec_find ("lzma");
  sd_cell quick = { .codec = lzma, .name.settings = "block=1024", .metric = SD_WDL },
          slow = { .codec = repair, .name.settings = "block=128", .metric = SD_DTM },
          like = { .codec = repair, .name.settings = "block=64", .metric = SD_DTM };
  sd_costs c = { .jobs = 1 };
  const sd_cost q = cost_of (&c, &quick, 1000, 0), s = cost_of (&c, &slow, 1000, 0);
  cr_expect_eq (cost_of (&c, &slow, 1, 0).class, s.class);
  sd_cost_learn (&q, 1);
  sd_cost_learn (&s, 50);
  cr_expect_float_eq (sd_cost_coding (&(sd_cost){ q.class, 3000, 0 }), 3, 1e-9);
  const sd_cost l = cost_of (&c, &like, 3000, 0);
  cr_expect_float_eq (sd_cost_coding (&l), 150, 1e-9, "as its nearest relative");
  /* nine quick cells are done, a slow one is left: the count of cells would say a ninth of the time so far */
  sd_costs_count (&c, &s, 1);
  cr_expect_float_eq (sd_costs_left (&c), 50, 1e-9, "%g", sd_costs_left (&c));
  cr_expect_float_eq (sd_costs_share (&c, &(sd_cost){ s.class, 500, 2 }), 27, 1e-9);
  sd_costs_free (&c);
}

/* A sweep over settings has a class for each cell. */
Test (claims, the_time_left_of_many_settings, .timeout = 20) {
  sd_cell cell = { .codec = sd_codec_find ("repair"), .metric = SD_DTM };
  sd_costs c = { .jobs = 1 };
  enum { N = 100000 };
  sd_cost *k = malloc (N * sizeof *k);
  cr_assert (k != NULL);
  for (size_t i = 0; i < N; i++) {
    snprintf (cell.name.settings, sizeof cell.name.settings, "block=%zu", i);
    k[i] = cost_of (&c, &cell, 1000, 0);
    sd_costs_count (&c, &k[i], 1);
  }
  snprintf (cell.name.settings, sizeof cell.name.settings, "block=%d", 77);
  cr_expect_eq (cost_of (&c, &cell, 1000, 0).class, k[77].class);
  cr_expect_not (sd_cost_is_known (&k[77]));
  for (size_t i = 0; i < N; i += 2) /* half of them are over, at 1 ms a slot; the others cost the same */
    sd_cost_learn (&k[i], 1);
  cr_expect (sd_cost_is_known (&k[77]));
  cr_expect_float_eq (sd_cost_coding (&k[77]), 1, 1e-9);
  for (size_t i = 0; i < N; i += 2)
    sd_costs_count (&c, &k[i], -1);
  cr_expect_float_eq (sd_costs_left (&c), N / 2, N / 1000., "%g", sd_costs_left (&c));
  free (k);
  sd_costs_free (&c);
}

/* Four workers share what is computed, and rest while one cell is timed. */
Test (claims, timing_is_not_shared_by_the_workers) {
  sd_cell cell = { .codec = sd_codec_find ("repair"), .name.settings = "block=128", .metric = SD_DTM };
  sd_costs c = { .jobs = 4 };
  const sd_cost k = cost_of (&c, &cell, 800, 30);
  sd_cost_learn (&(sd_cost){ k.class, 1000, 0 }, 50);
  sd_costs_count (&c, &k, 1);
  cr_expect_float_eq (sd_costs_left (&c), 40. / 4 + 30, 1e-9, "%g", sd_costs_left (&c));
  sd_costs_count (&c, &k, -1);
  char text[32];
  snprintf (text, sizeof text, "%.0f", sd_costs_left (&c));
  cr_expect_str_eq (text, "0", "not -0");
  sd_costs_free (&c);
}

/* The system counts hundredths of a second. */
Test (claims, cores_of_others_are_never_more_than_there_are_nor_counted_in_a_moment) {
  const double cores = (double) sysconf (_SC_NPROCESSORS_ONLN);
  sd_busy_clock c;
  sd_busy_start (&c);
  if (c.all < 0)
    cr_skip_test ("the system does not tell");
  c.at -= SD_BUSY_LEAST_S / 2;
  c.all -= 100;
  cr_expect (isnan (sd_busy_cores (&c)), "%g", sd_busy_cores (&c));
  c.at -= SD_BUSY_LEAST_S;
  cr_expect_eq (sd_busy_cores (&c), cores);
  c.at -= 1000;
  const double few = sd_busy_cores (&c); /* 100 s of 1000 */
  cr_expect (few > 0.09 && few < 0.2, "%g", few);
}
