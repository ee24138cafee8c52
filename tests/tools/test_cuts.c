/* Mapped files that are cut while many threads read them, as those of a server do: no thread is ended by it,
 * and none gets a value that it did not get before. */
#include "config.h"
#include "fuzz/syzygy_seeds.h"
#include "table/table_internal.h"
#include "tools/serve/service.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 8, SLOTS = 32, ROUNDS = 20 };

/* Of each table the slots that are read, with what stood there before the cut. */
typedef struct sample {
  const sd_decoder *from;
  uint64_t slot[SLOTS];
  sd_symbol before[SLOTS];
} sample;
static sample samples[2 * SYZYGY_SEEDS];
static unsigned nsamples;

static bool over;
static uint64_t good, lost, wrong;

static void add (uint64_t *to) {
  __atomic_fetch_add (to, 1, __ATOMIC_RELAXED);
}

static void *read_on (void *arg) {
  unsigned k = (unsigned) (uintptr_t) arg;
  while (!__atomic_load_n (&over, __ATOMIC_ACQUIRE)) {
    const sample *of = &samples[k++ % nsamples];
    for (unsigned i = 0; i < SLOTS; i++) {
      sd_symbol now;
      const int st = sd_codec_get (of->from, of->slot[i], &now);
      add (st == SD_EIO ? &lost : st == SD_OK && now == of->before[i] ? &good : &wrong);
    }
  }
  return NULL;
}

/* All streams of the tables of a folder. */
static void take_samples (const sd_tables *ts) {
  nsamples = 0;
  for (unsigned i = 0; i < sd_tables_count (ts); i++) {
    const sd_table *t = sd_tables_at (ts, i, NULL);
    sd_table_info in;
    cr_assert (t);
    sd_table_describe (t, &in);
    for (unsigned side = 0; side < in.nsides; side++) {
      if (!sd_table_info_has (&in, side))
        continue;
      sample *of = &samples[nsamples++];
      of->from = in.side[side].decoder;
      for (unsigned k = 0; k < SLOTS; k++) {
        of->slot[k] = k * (in.side[side].slots / SLOTS);
        cr_assert_eq (sd_codec_get (of->from, of->slot[k], &of->before[k]), SD_OK);
      }
    }
  }
}

/* Other names than those of the seeds' endings do not occur, so that a second seed of an ending replaces the
 * first one. */
static void put_files (const char *folder, bool remove) {
  for (unsigned k = 0; k < SYZYGY_SEEDS; k++) {
    const sd_material m = syzygy_seed_material (&syzygy_seeds[k]);
    char ending[16], path[128];
    sd_buf b = { 0 };
    sd_material_name (&m, ending);
    snprintf (path, sizeof path, "%s/%s.%s", folder, ending, syzygy_seeds[k].dtz ? "rtbz" : "rtbw");
    if (remove) {
      unlink (path);
      continue;
    }
    cr_assert (syzygy_seed_put (k, &b));
    FILE *f = fopen (path, "wb");
    cr_assert (f && fwrite (b.data, 1, b.len, f) == b.len && fclose (f) == 0);
    sd_buf_free (&b);
  }
}

Test (cuts, files_that_are_cut_end_none_of_many_threads) {
  char folder[] = "/tmp/sd-cuts-XXXXXX";
  cr_assert (mkdtemp (folder));
  for (unsigned round = 0; round < ROUNDS; round++) {
    sd_tables *ts;
    sd_error err = { 0 };
    pthread_t thread[THREADS];
    put_files (folder, false);
    /* Mapped, whatever their size. */
    cr_assert_eq (sd_tables_open (folder, 0, &ts, &err), SD_OK, "%s", err.text);
    sd_outlive_cuts (ts);
    take_samples (ts);
    cr_assert_gt (nsamples, 5);
    good = lost = wrong = 0;
    over = false;
    for (uintptr_t i = 0; i < THREADS; i++)
      cr_assert_eq (pthread_create (&thread[i], NULL, read_on, (void *) i), 0);
    while (__atomic_load_n (&good, __ATOMIC_RELAXED) < 1000)
      usleep (100);
    for (unsigned i = 0; i < sd_tables_count (ts); i++) {
      const char *path;
      sd_tables_at (ts, i, &path);
      cr_assert_eq (truncate (path, 0), 0);
    }
    while (__atomic_load_n (&lost, __ATOMIC_RELAXED) < 1000)
      usleep (100);
    __atomic_store_n (&over, true, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < THREADS; i++)
      pthread_join (thread[i], NULL);
    cr_expect_eq (wrong, 0, "round %u: %llu reads gave something else", round, (unsigned long long) wrong);
    sd_tables_close (ts);
  }
  put_files (folder, true);
  rmdir (folder);
}
