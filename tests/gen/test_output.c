/* Writing a table from values that are dealt out, here by one process: the same bytes as from values in one
 * piece. Several ranks: mpi_output.c. */
#include "config.h"
#include "gen/gen.h"
#include "tests/gen/endings.h"
#include "tests/gen/made_values.h"
#include "tests/base/temporary.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[200];
static char path[2][300];

static void open_folder (void) {
  cr_assert (temporary_folder ("sd-output", folder, sizeof folder));
  for (unsigned i = 0; i < 2; i++)
    snprintf (path[i], sizeof path[i], "%s/%u.dtm.sdt", folder, i);
}

static unsigned entries (void) {
  unsigned n = 0;
  DIR *d = opendir (folder);
  for (struct dirent *f; (f = readdir (d));)
    n += f->d_name[0] != '.';
  closedir (d);
  return n;
}

static void close_folder (void) {
  unlink (path[0]);
  unlink (path[1]);
  rmdir (folder);
}

TestSuite (output, .init = open_folder, .fini = close_folder);

/* Both ways to a file. */
static void compare (const char *name, unsigned kinds) {
  made x;
  sd_transport self;
  sd_error err = { 0 };
  sd_values *s;
  sd_output_stats stats;
  sd_transport_self (&self);
  cr_assert_eq (made_new (name, kinds, 5, &x), SD_OK);
  for (unsigned threads = 0; threads < 4; threads += 3) {
    sd_solution mine;
    made_deal (&x, 0, 1, 0, &mine);
    cr_assert_eq (
        gen_output (&x.m, &self, &mine, path[0], &(sd_solve_options){ .threads = threads }, &stats, &err),
        SD_OK, "%s", err.text);
    cr_expect_gt (stats.bytes, x.nstates * sizeof (sd_value));
    for (unsigned side = 0; side < 2; side++) {
      sd_counts c;
      sd_exact_count (x.e, side, &c);
      cr_expect_eq (memcmp (&c, &stats.counts[side], sizeof c), 0,
                    "%s, side %u: %" PRIu64 " won, expected %" PRIu64, name, side, stats.counts[side].won,
                    c.won);
    }
    if (threads == 0) {
      cr_assert_eq (sd_values_new (NULL, SD_DTM, &s, &err), SD_OK);
      cr_assert_eq (sd_values_put (s, x.e), SD_OK);
      cr_assert_eq (gen_write (s, &x.m, path[1], NULL, &err), SD_OK, "%s", err.text);
    }
    struct stat st;
    cr_assert_eq (stat (path[0], &st), 0);
    cr_expect_eq ((uint64_t) st.st_size, stats.file_bytes);
    cr_expect (made_same_file (path[0], path[1]), "%s with %u kinds, %u threads", name, kinds, threads);
    cr_expect_eq (entries (), 2);
    free (mine.value);
  }
  sd_values_free (s); /* and x.e */
}

Test (output, gives_the_same_bytes_as_values_in_one_piece) {
  compare ("KQvK", 7);
  compare ("KPvK", 90);
}
Test (output, symmetric_material_has_one_side) {
  compare ("KRvKR", 30);
}
Test (output, two_bytes_for_a_symbol_and_many_blocks) {
  compare ("KBNvK", 400);
}
Test (output, pawns_of_both_sides) {
  compare ("KPvKP", 20);
}
Test (output, one_value_takes_no_block) {
  compare ("KNvK", 0);
}

static void count_reports (void *ctx, const char *what, uint64_t done, uint64_t total) {
  (void) what;
  cr_expect (done <= total);
  ++*(unsigned *) ctx;
}

Test (output, what_cannot_be_written_leaves_nothing) {
  made x;
  sd_solution mine;
  sd_transport self;
  sd_error err = { 0 };
  unsigned reports = 0;
  sd_progress progress = { .report = count_reports, .ctx = &reports };
  char elsewhere[300];
  sd_transport_self (&self);
  cr_assert_eq (made_new ("KQvK", 9, 1, &x), SD_OK);
  made_deal (&x, 0, 1, 0, &mine);
  snprintf (elsewhere, sizeof elsewhere, "%s/nowhere/x.sdt", folder);
  cr_expect_eq (
      gen_output (&x.m, &self, &mine, elsewhere, &(sd_solve_options){ .progress = &progress }, NULL, &err),
      SD_ENOENT);
  cr_expect (strstr (err.text, elsewhere), "%s", err.text);
  cr_expect_eq (reports, 0, "coded before the folder was looked at");
  /* a name that is a folder */
  cr_expect_eq (gen_output (&x.m, &self, &mine, folder, NULL, NULL, &err), SD_EIO);
  /* values of another ending, or dealt out to other ranks */
  mine.deal.nstates = x.e->n;
  cr_expect_eq (gen_output (&x.m, &self, &mine, path[0], NULL, NULL, &err), SD_EINVAL);
  mine.deal.nstates = x.nstates;
  mine.deal.size = 2;
  cr_expect_eq (gen_output (&x.m, &self, &mine, path[0], NULL, NULL, &err), SD_EINVAL);
  mine.deal.size = 1;
  /* more values than a table holds */
  for (uint64_t i = 0; i < x.nstates; i++)
    mine.value[i] = (sd_value) (i % 5000);
  cr_expect_eq (gen_output (&x.m, &self, &mine, path[0], NULL, NULL, &err), SD_ERANGE);
  cr_expect (strstr (err.text, "5000 different values"), "%s", err.text);
  cr_expect_eq (entries (), 0);
  /* and then it does */
  for (uint64_t i = 0; i < x.nstates; i++)
    mine.value[i] = (sd_value) (i % 3);
  cr_expect_eq (
      gen_output (&x.m, &self, &mine, path[0], &(sd_solve_options){ .progress = &progress }, NULL, NULL),
      SD_OK);
  cr_expect_gt (reports, 0);
  cr_expect_eq (entries (), 1);
  free (mine.value);
  made_free (&x);
}

/* A file that fails, and one that forgets. */
static int failing_write (void *file, uint64_t at, const void *data, size_t n, sd_error *err) {
  (void) file, (void) at, (void) data, (void) n;
  return sd_fail (err, SD_EIO, "write failed at byte %" PRIu64 ": No space left on device", at);
}
static int (*honest_read) (void *file, uint64_t at, void *data, size_t n, sd_error *err);
static int lying_read (void *file, uint64_t at, void *data, size_t n, sd_error *err) {
  int st = honest_read (file, at, data, n, err);
  ((uint8_t *) data)[n / 2] ^= 1;
  return st;
}

Test (output, bytes_that_do_not_reach_the_disk_are_noticed) {
  made x;
  sd_solution mine;
  sd_transport t;
  sd_error err = { 0 };
  cr_assert_eq (made_new ("KQvK", 9, 1, &x), SD_OK);
  made_deal (&x, 0, 1, 0, &mine);
  sd_transport_self (&t);
  t.file_write = failing_write;
  cr_expect_eq (gen_output (&x.m, &t, &mine, path[0], NULL, NULL, &err), SD_EIO);
  cr_expect (strstr (err.text, path[0]) && strstr (err.text, "No space left"), "%s", err.text);
  sd_transport_self (&t);
  honest_read = t.file_read;
  t.file_read = lying_read;
  cr_expect_eq (gen_output (&x.m, &t, &mine, path[0], NULL, NULL, &err), SD_EIO);
  cr_expect (strstr (err.text, path[0]) && strstr (err.text, "not those that were written"), "%s", err.text);
  cr_expect_eq (entries (), 0);
  free (mine.value);
  made_free (&x);
}
