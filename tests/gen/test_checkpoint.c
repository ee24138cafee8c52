/* Checkpoints of the solver: interrupted at every border and resumed, in memory and in files; files that are
 * damaged, cut short, missing or another game's; a disk that is full. Several ranks: checkpoint_ranks.sh;
 * killed processes: kill.sh. */
#include "config.h"
#include "gen/gen.h"
#include "tests/gen/solve_values.h"
#include "tests/gen/toy_game.h"
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATES = 3000, MOVES = 3, REACH = 4, LONGEST = 20, NEVER = 1000000 };

/* A hook that lets `after` saves pass to what lies below it (memory or files), and then fails. */
typedef struct tap {
  const sd_checkpoint *below;
  unsigned after, saves, loads, ply;
  sd_solve_point at;
  uint16_t *rec; /* without `below` */
} tap;

static int tap_save (void *ctx, const sd_game *game, const sd_deal *deal, const sd_solve_point *at,
                     const uint16_t *rec, sd_error *err) {
  const uint64_t n = sd_deal_count (deal, 0);
  tap *t = ctx;
  t->ply = at->ply;
  if (t->below) {
    cr_assert_eq (t->below->save (t->below->ctx, game, deal, at, rec, err), SD_OK);
  } else {
    free (t->rec);
    t->rec = malloc (n * sizeof *rec);
    memcpy (t->rec, rec, n * sizeof *rec);
    t->at = *at;
  }
  return t->saves++ < t->after ? SD_OK : sd_fail (err, SD_EIO, "killed at ply %u", at->ply);
}
static int tap_load (void *ctx, const sd_game *game, const sd_deal *deal, sd_solve_point *at, uint16_t *rec,
                     sd_error *err) {
  tap *t = ctx;
  t->loads++;
  if (t->below)
    return t->below->load (t->below->ctx, game, deal, at, rec, err);
  if (!t->rec)
    return SD_ENOENT;
  memcpy (rec, t->rec, sd_deal_count (deal, 0) * sizeof *rec);
  *at = t->at;
  return SD_OK;
}
static sd_checkpoint tapped (tap *t) {
  return (sd_checkpoint){ .ctx = t, .interval = 0, .save = tap_save, .load = tap_load };
}

typedef struct stopped_run {
  toy *toy;
  sd_game g;
  sd_transport t;
  sd_value *wanted;
  sd_solve_stats stats;
  char folder[64], said[2][1200]; /* the last notice and the last problem */
  unsigned problems, notices;
} stopped_run;

static void hear (void *ctx, bool problem, const char *text) {
  stopped_run *f = ctx;
  snprintf (f->said[problem], sizeof f->said[problem], "%s", text);
  f->problems += problem;
  f->notices += !problem;
}

static stopped_run begin (void) {
  stopped_run f = { .toy = toy_new (STATES, MOVES, REACH, LONGEST, 5) };
  sd_error err = { 0 };
  f.g = toy_game (f.toy, MOVES);
  sd_transport_self (&f.t);
  cr_assert_eq (solve_values (NULL, &f.g, &f.t, NULL, &f.wanted, &f.stats, &err), SD_OK, "%s", err.text);
  cr_assert (f.stats.plies > 10, "%u plies: the game is too easy", f.stats.plies);
  snprintf (f.folder, sizeof f.folder, "/tmp/sd-ckpt-XXXXXX");
  cr_assert (mkdtemp (f.folder));
  strcat (f.folder, "/c");
  return f;
}
static void end (stopped_run *f) {
  sd_checkpoint_remove (f->folder);
  cr_expect (!sd_file_exists (f->folder), "the folder is still there");
  *strrchr (f->folder, '/') = 0;
  cr_expect_eq (rmdir (f->folder), 0);
  free (f->wanted);
  toy_free (f->toy);
}

static int solve (stopped_run *f, const sd_game *g, const sd_checkpoint *c, sd_solve_stats *stats) {
  sd_value *value;
  sd_error err = { 0 };
  const sd_solve_options o = { .checkpoint = c };
  int st = solve_values (NULL, g, &f->t, &o, &value, stats, &err);
  if (st == SD_OK)
    cr_expect_arr_eq (value, f->wanted, g->nstates * sizeof *value);
  else
    cr_assert (strstr (err.text, "killed at ply"), "%s", err.text);
  free (value);
  return st;
}
/* With files; killed at the border number `after`. */
static int solve_files (stopped_run *f, const sd_game *g, unsigned after) {
  sd_checkpoint c;
  sd_error err = { 0 };
  const sd_notice notice = { hear, f };
  cr_assert_eq (sd_checkpoint_open (f->folder, 0, &f->t, &notice, &c, &err), SD_OK, "%s", err.text);
  tap t = { .below = &c, .after = after };
  sd_checkpoint k = tapped (&t);
  int st = solve (f, g, &k, NULL);
  sd_checkpoint_close (&c);
  return st;
}

Test (checkpoint, a_solve_interrupted_at_any_border_resumes_to_the_same_values_and_counts) {
  stopped_run f = begin ();
  unsigned k = 0;
  for (;; k++) {
    tap t = { .after = k };
    sd_checkpoint c = tapped (&t);
    sd_solve_stats stats;
    bool whole = solve (&f, &f.g, &c, &stats) == SD_OK;
    if (!whole) {
      cr_expect_eq (t.ply, k < f.stats.plies ? k : t.ply);
      t.after = NEVER;
      cr_expect_eq (solve (&f, &f.g, &c, &stats), SD_OK);
    }
    cr_expect_eq (stats.marks_a, f.stats.marks_a, "border %u", k);
    cr_expect_eq (stats.marks_b, f.stats.marks_b, "border %u", k);
    cr_expect_eq (stats.plies, f.stats.plies, "border %u", k);
    cr_expect_eq (t.loads, whole ? 1u : 2u);
    free (t.rec);
    if (whole)
      break;
  }
  cr_expect (k > f.stats.plies, "%u borders in %u plies", k, f.stats.plies);
  end (&f);
}

Test (checkpoint, a_solve_killed_again_and_again_arrives) {
  stopped_run f = begin ();
  unsigned runs = 0;
  while (solve_files (&f, &f.g, runs % 3) != SD_OK)
    cr_assert (++runs < 1000);
  cr_expect (runs > 5, "%u runs", runs);
  cr_expect_eq (f.notices, runs, "resumed %u times in %u runs", f.notices, runs + 1);
  cr_expect (strstr (f.said[0], "toy: resumed at ply ") && strstr (f.said[0], "made by 1 rank"), "%s",
             f.said[0]);
  cr_expect_eq (f.problems, 0, "%s", f.said[1]);
  end (&f);
}

Test (checkpoint, an_interval_that_does_not_pass_leaves_no_trace) {
  stopped_run f = begin ();
  sd_checkpoint c;
  cr_assert_eq (sd_checkpoint_open (f.folder, 3600, &f.t, NULL, &c, NULL), SD_OK);
  cr_expect_eq (solve (&f, &f.g, &c, NULL), SD_OK);
  sd_checkpoint_close (&c);
  cr_expect (!sd_file_exists (f.folder));
  cr_expect_eq (sd_checkpoint_open (f.folder, -1, &f.t, NULL, &c, NULL), SD_EINVAL);
  end (&f);
}

static void path_of (const stopped_run *f, const char *which, char *out, size_t cap) {
  DIR *d = opendir (f->folder);
  struct dirent *e;
  *out = 0;
  while ((e = readdir (d)))
    if (e->d_name[0] != '.' && (strcmp (e->d_name, "manifest") == 0) == (strcmp (which, "manifest") == 0))
      snprintf (out, cap, "%s/%s", f->folder, e->d_name);
  closedir (d);
  cr_assert (*out);
}
static uint8_t *slurp (const char *path, size_t *n) {
  sd_map m;
  cr_assert_eq (sd_map_open (path, &m, NULL), SD_OK);
  uint8_t *p = malloc (m.len + 1);
  memcpy (p, m.data, *n = m.len);
  sd_map_close (&m);
  return p;
}
static void spit (const char *path, const uint8_t *p, size_t n) {
  FILE *f = fopen (path, "wb");
  cr_assert (f && fwrite (p, 1, n, f) == n && fclose (f) == 0);
}

/* The files are as `damage` left them: refused with one sentence that says `why`, and the values are right.
 */
static void expect_refused (stopped_run *f, const sd_game *g, const char *what, size_t at, const char *why) {
  sd_checkpoint c; /* loads, but does not save: that would take the most time here */
  const sd_notice notice = { hear, f };
  f->problems = f->notices = 0;
  cr_assert_eq (sd_checkpoint_open (f->folder, 3600, &f->t, &notice, &c, NULL), SD_OK);
  cr_expect_eq (solve (f, g, &c, NULL), SD_OK);
  sd_checkpoint_close (&c);
  cr_expect (f->problems == 1 && f->notices == 0, "%s, byte %zu: %u problems, %u notices", what, at,
             f->problems, f->notices);
  cr_expect (strstr (f->said[1], why), "%s, byte %zu: %s", what, at, f->said[1]);
}

Test (checkpoint, a_flipped_byte_or_a_missing_end_is_found_wherever_it_is) {
  stopped_run f = begin ();
  static const char *const which[] = { "manifest", "records" };
  for (unsigned k = 0; k < 2; k++) {
    size_t n = 1;
    for (size_t i = 0; i < n; i += k == 0 ? 1 : 331) {
      char path[400];
      sd_checkpoint_remove (f.folder);
      cr_assert_neq (solve_files (&f, &f.g, 4), SD_OK);
      path_of (&f, which[k], path, sizeof path);
      uint8_t *p = slurp (path, &n);
      p[i] ^= 0x10;
      spit (path, p, n);
      expect_refused (&f, &f.g, which[k], i, "cannot be used");
      sd_checkpoint_remove (f.folder);
      if (i % 5 == 0) {
        cr_assert_neq (solve_files (&f, &f.g, 4), SD_OK);
        path_of (&f, which[k], path, sizeof path);
        cr_assert_eq (truncate (path, (off_t) i), 0);
        expect_refused (&f, &f.g, "cut", i, "cannot be used");
      }
      free (p);
    }
    cr_expect (n > 100);
  }
  end (&f);
}

Test (checkpoint, a_missing_a_longer_and_an_exchanged_file_of_records_are_refused) {
  stopped_run f = begin ();
  char path[400], other[400];
  size_t n, m;
  cr_assert_neq (solve_files (&f, &f.g, 2), SD_OK);
  path_of (&f, "records", path, sizeof path);
  cr_assert_eq (unlink (path), 0);
  expect_refused (&f, &f.g, "missing", 0, "cannot be read");

  sd_checkpoint_remove (f.folder);
  cr_assert_neq (solve_files (&f, &f.g, 2), SD_OK);
  path_of (&f, "records", path, sizeof path);
  uint8_t *p = slurp (path, &n);
  p[n] = 0;
  spit (path, p, n + 1);
  expect_refused (&f, &f.g, "longer", n, "is longer than");

  /* sound by itself, but of another generation */
  sd_checkpoint_remove (f.folder);
  cr_assert_neq (solve_files (&f, &f.g, 6), SD_OK);
  path_of (&f, "records", other, sizeof other);
  uint8_t *q = slurp (other, &m);
  cr_assert (n == m && memcmp (p, q, n) != 0);
  spit (other, p, n);
  expect_refused (&f, &f.g, "exchanged", 0, "header");
  free (p), free (q);
  end (&f);
}

/* Sound otherwise: before the deal was part of the manifest; before the states of chess had other numbers. */
Test (checkpoint, one_of_an_older_version_is_refused) {
  static const struct {
    uint8_t at, was;
    const char *why;
  } older[] = { { 8, 1, "version 1.4, this program reads 2.4" },
                { 12, 2, "version 2.2, this program reads 2.4" } };
  for (unsigned k = 0; k < sizeof older / sizeof *older; k++) {
    stopped_run f = begin ();
    char path[400];
    size_t n;
    cr_assert_neq (solve_files (&f, &f.g, 4), SD_OK);
    path_of (&f, "manifest", path, sizeof path);
    uint8_t *p = slurp (path, &n);
    p[older[k].at] = older[k].was;
    const uint64_t sum = sd_hash64 (p, n - 8);
    for (unsigned i = 0; i < 8; i++)
      p[n - 8 + i] = (uint8_t) (sum >> 8 * i);
    spit (path, p, n);
    expect_refused (&f, &f.g, "version", older[k].at, older[k].why);
    free (p);
    end (&f);
  }
}

Test (checkpoint, another_games_checkpoint_is_refused) {
  stopped_run f = begin ();
  sd_game other = f.g;
  cr_assert_neq (solve_files (&f, &f.g, 4), SD_OK);
  other.name = "toys";
  expect_refused (&f, &other, "name", 0, "another game");
  sd_checkpoint_remove (f.folder);
  cr_assert_neq (solve_files (&f, &f.g, 4), SD_OK);
  other.name = f.g.name;
  other.max_moves++; /* the record means something else */
  expect_refused (&f, &other, "moves", 0, "another game");
  end (&f);
}

Test (checkpoint, one_that_is_in_use_is_not_removed) {
  stopped_run f = begin ();
  cr_assert_neq (solve_files (&f, &f.g, 4), SD_OK);
  const int other = open (f.folder, O_RDONLY | O_DIRECTORY); /* as the run that uses it */
  cr_assert (other >= 0 && flock (other, LOCK_EX | LOCK_NB) == 0);
  sd_checkpoint_remove (f.folder);
  char path[400];
  path_of (&f, "manifest", path, sizeof path);
  cr_expect (sd_file_exists (path));
  close (other);
  end (&f);
}

Test (checkpoint, what_a_killed_save_leaves_is_swept_away_and_nothing_else) {
  stopped_run f = begin ();
  static const char *const ours[] = { "0123456789abcdef.0", "0123456789abcdef.17.node-1.4711.tmp",
                                      "manifest.node.lan.99.tmp" };
  char path[3][200], mine[200];
  cr_assert_neq (solve_files (&f, &f.g, 4), SD_OK);
  for (unsigned i = 0; i < 3; i++) {
    snprintf (path[i], sizeof path[i], "%s/%s", f.folder, ours[i]);
    spit (path[i], (const uint8_t *) "x", 1);
  }
  snprintf (mine, sizeof mine, "%s/manifest.of.mine", f.folder);
  spit (mine, (const uint8_t *) "x", 1);
  cr_assert_neq (solve_files (&f, &f.g, 0), SD_OK);
  cr_expect_eq (f.notices, 1);
  for (unsigned i = 0; i < 3; i++)
    cr_expect (!sd_file_exists (path[i]), "%s", path[i]);
  sd_checkpoint_remove (f.folder);
  cr_expect (sd_file_exists (mine));
  unlink (mine);
  end (&f);
}

Test (checkpoint, a_full_disk_is_told_once_and_leaves_the_checkpoint_before_it) {
  stopped_run f = begin ();
  struct rlimit old, small;
  signal (SIGXFSZ, SIG_IGN);
  cr_assert_neq (solve_files (&f, &f.g, 4), SD_OK);
  getrlimit (RLIMIT_FSIZE, &old);
  small = old;
  small.rlim_cur = 2000; /* a file of records takes 6048 bytes */
  cr_assert_eq (setrlimit (RLIMIT_FSIZE, &small), 0);
  int st = solve_files (&f, &f.g, NEVER);
  cr_assert_eq (setrlimit (RLIMIT_FSIZE, &old), 0);
  cr_expect_eq (st, SD_OK);
  cr_expect (f.problems == 1 && f.notices == 1, "%u problems, %u notices", f.problems, f.notices);
  cr_expect (strstr (f.said[1], "goes on without") && strstr (f.said[1], "write failed"), "%s", f.said[1]);
  unsigned files = 0;
  DIR *d = opendir (f.folder);
  for (struct dirent *e; (e = readdir (d));)
    files += e->d_name[0] != '.';
  closedir (d);
  cr_expect_eq (files, 2, "%u files", files);
  cr_expect_eq (solve_files (&f, &f.g, NEVER), SD_OK);
  cr_expect_eq (f.notices, 2, "the old checkpoint was not used");
  cr_expect (strstr (f.said[0], "at ply 4 "), "%s", f.said[0]);
  end (&f);
}
