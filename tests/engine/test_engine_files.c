/* <subdef/probe.h> where files are cut off, overwritten, replaced or deleted under a running prober, or
 * damaged before: every answer is right or a status; and threads that ask at once. */
#include "config.h"
#include "tests/engine/engine_made.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>

/* KBNvK by plain copy: 6 bits for each of 1.9 million slots, two parts for each side to move. */
typedef struct changing {
  sd_prober *prober;
  sd_tables *sound;
  char path[600];
} changing;

static changing large (void) {
  changing c;
  sd_values *s = three_men ("KNvK");
  const sd_material m = material ("KBNvK");
  sd_error err = { 0 };
  cr_assert (gen_into (s, &m, &err) == SD_OK, "%s", err.text);
  build (s, "KBNvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", "", NULL);
  sd_values_free (s);
  snprintf (c.path, sizeof c.path, "%s/KBNvK.dtm.sdt", folder);
  cr_assert (sd_tables_open (folder, SD_OPEN_COPY, &c.sound, NULL) == SD_OK);
  c.prober = prober_of (folder, 0);
  return c;
}

/* The same, and a probe has opened the table. */
static changing opened (void) {
  changing c = large ();
  sd_prober_position q;
  int wdl, plies;
  cr_assert (sd_prober_fen ("8/8/8/8/3k4/8/8/KBN5 w - - 0 1", &q) == SD_PROBER_OK);
  cr_assert (sd_prober_dtm (c.prober, &q, &wdl, &plies) == SD_PROBER_OK);
  return c;
}

static void end (changing *c) {
  sd_prober_close (c->prober);
  sd_tables_close (c->sound);
}

/* How many positions have their value, and how many a status; no third. */
static void ask (const changing *c, unsigned *right, unsigned *failed) {
  const sd_material m = material ("KBNvK");
  uint64_t random = 3;
  *right = 0;
  *failed = 0;
  for (unsigned n = 0; n < 20000; n++) {
    const uint64_t r = sd_random (&random);
    const uint8_t sq[4] = { r & 63, r >> 6 & 63, r >> 12 & 63, r >> 18 & 63 };
    sd_pos p;
    sd_value v;
    int wdl, plies;
    sd_pos_from_squares (&m, sq, n & 1, &p);
    if (__builtin_popcountll (p.occ[0] | p.occ[1]) != 4 || !sd_pos_legal (&p)
        || sd_probe_dtm (c->sound, &p, &v, NULL) != SD_OK)
      continue;
    const sd_prober_position q = boards_of (&p);
    const int st = sd_prober_dtm (c->prober, &q, &wdl, &plies);
    if (st == SD_PROBER_OK)
      cr_assert (wdl == sd_value_wdl (v) && plies == (v > 0 ? v : v < 0 ? -v - 1 : 0));
    else
      cr_assert (st == SD_PROBER_IO || st == SD_PROBER_DAMAGED, "status %d", st);
    *(st == SD_PROBER_OK ? right : failed) += 1;
  }
}

Test (engine, a_file_cut_off_under_a_prober_gives_a_status, .init = make_folder, .fini = remove_folder) {
  changing c = opened ();
  unsigned right, failed;
  cr_assert (truncate (c.path, 100) == 0);
  ask (&c, &right, &failed);
  cr_expect (right > 1000 && failed > 1000, "%u right, %u failed", right, failed);
  end (&c);
}

Test (engine, a_file_overwritten_under_a_prober_gives_a_status, .init = make_folder, .fini = remove_folder) {
  changing c = opened ();
  unsigned right, failed;
  const int fd = open (c.path, O_WRONLY);
  static uint8_t noise[4 << 20];
  memset (noise, 0xa5, sizeof noise);
  cr_assert (fd >= 0 && write (fd, noise, sizeof noise) == (ssize_t) sizeof noise);
  close (fd);
  ask (&c, &right, &failed);
  cr_expect (right > 1000 && failed > 1000, "%u right, %u failed", right, failed);
  end (&c);
}

Test (engine, a_file_deleted_or_replaced_under_a_prober_does_no_harm, .init = make_folder,
      .fini = remove_folder) {
  changing c = opened ();
  unsigned right, failed;
  cr_assert (unlink (c.path) == 0);
  ask (&c, &right, &failed);
  cr_expect (right > 10000 && failed == 0, "%u right, %u failed", right, failed);
  end (&c);
}

/* Before the first probe that needs it, a file is as if it had never been there, or as it is now. */
Test (engine, a_file_that_changes_before_its_first_probe, .init = make_folder, .fini = remove_folder) {
  changing c = large ();
  char away[1200], message[300];
  sd_prober_position q;
  int wdl, plies;
  cr_assert (sd_prober_fen ("8/8/8/8/3k4/8/8/KBN5 w - - 0 1", &q) == SD_PROBER_OK);
  snprintf (away, sizeof away, "%s.away", c.path);
  cr_assert (rename (c.path, away) == 0);
  cr_expect_eq (sd_prober_dtm (c.prober, &q, &wdl, &plies), SD_PROBER_MISSING);
  cr_assert (rename (away, c.path) == 0); /* and is there again */
  cr_expect_eq (sd_prober_dtm (c.prober, &q, &wdl, &plies), SD_PROBER_OK);
  sd_prober_close (c.prober);
  c.prober = prober_of (folder, 0);
  cr_assert (rename (c.path, away) == 0);
  cr_expect_eq (sd_prober_explain (c.prober, &q, 1, message, sizeof message), SD_PROBER_MISSING);
  cr_expect (strstr (message, "KBNvK.dtm.sdt"), "%s", message);
  sd_prober_close (c.prober);
  cr_assert (rename (away, c.path) == 0);
  c.prober = prober_of (folder, 0);
  cr_assert (truncate (c.path, 1000) == 0);
  cr_expect_eq (sd_prober_dtm (c.prober, &q, &wdl, &plies), SD_PROBER_DAMAGED);
  cr_expect_eq (sd_prober_skipped (c.prober, 0, message, sizeof message), SD_PROBER_DAMAGED);
  cr_expect (strstr (message, "KBNvK.dtm.sdt"), "%s", message);
  end (&c);
}

/* Replaced by a table in which other slots are free, a file does not hold what was filed of it. */
Test (engine, a_file_replaced_by_another_kind_is_told, .init = make_folder, .fini = remove_folder) {
  sd_values *s = three_men ("KQvK");
  build (s, "KQvK", SD_WDL, SD_CODING_WDL, SD_FREE_ALL, "repair", "", NULL);
  sd_prober *prober = prober_of (folder, 0);
  build (s, "KQvK", SD_WDL, SD_CODING_WDL, SD_FREE_ALL | SD_FREE_UNREACHABLE, "repair", "", NULL);
  sd_prober_position q;
  char message[300];
  int wdl;
  cr_assert (sd_prober_fen ("8/8/8/8/8/3k4/8/K6Q w - - 0 1", &q) == SD_PROBER_OK);
  cr_expect_eq (sd_prober_wdl (prober, &q, &wdl), SD_PROBER_DAMAGED);
  cr_expect_eq (sd_prober_skipped (prober, 0, message, sizeof message), SD_PROBER_DAMAGED);
  cr_expect (strstr (message, "was replaced"), "%s", message);
  sd_prober_close (prober);
  sd_values_free (s);
}

Test (engine, a_file_damaged_before_is_found_out, .init = make_folder, .fini = remove_folder) {
  changing c = large ();
  unsigned right, failed;
  sd_prober_close (c.prober);
  const int fd = open (c.path, O_WRONLY);
  cr_assert (fd >= 0 && pwrite (fd, "damage", 6, 1200000) == 6);
  close (fd);
  c.prober = prober_of (folder, 0);
  ask (&c, &right, &failed);
  char message[300] = "";
  sd_prober_skipped (c.prober, 0, message, sizeof message);
  cr_expect (right > 1000 && failed > 100, "%u right, %u failed %s", right, failed, message);
  sd_prober_close (c.prober);
  cr_expect_eq (sd_prober_open (folder, SD_PROBER_ALL, &c.prober, message, sizeof message),
                SD_PROBER_DAMAGED);
  cr_expect (strstr (message, "KBNvK.dtm.sdt"), "%s", message);
  end (&c);
}

/* -------------------------------------------------------- threads */

static void *probe_all (void *changing_) {
  unsigned right, failed;
  ask (changing_, &right, &failed);
  return (void *) (uintptr_t) right;
}

Test (engine, threads_may_read_the_same_part_at_once, .init = make_folder, .fini = remove_folder) {
  changing c = large ();
  pthread_t thread[8];
  pthread_attr_t small;
  void *right[8];
  cr_assert (pthread_attr_init (&small) == 0);
#if COUNTS_REQUESTS /* sanitizers take more */
  cr_assert (pthread_attr_setstacksize (&small, 256 << 10) == 0);
#endif
  for (unsigned i = 0; i < 8; i++)
    cr_assert (pthread_create (&thread[i], &small, probe_all, &c) == 0);
  for (unsigned i = 0; i < 8; i++)
    cr_assert (pthread_join (thread[i], &right[i]) == 0);
  for (unsigned i = 0; i < 8; i++)
    cr_expect (right[i] == right[0] && (uintptr_t) right[i] > 10000);
  end (&c);
}
