/* Slices that stand for a whole table: the first digits of the layout, read as one number, have certain
 * values, and the other digits all of theirs. So a sample has digits, too, and no codec needs to know that it
 * is one. The last two digits stay whole, since codecs find there what is alike, or the last one where else
 * there were too few slices; as many of these as make RUN slots then follow each other. Where runs stand is
 * random within equal ranges, and the same each time. */
#include "config.h"
#include "recode/recode_internal.h"

enum {
  FEWEST = 16, /* slices, even if these are more slots than were asked for */
  RUN = 16384, /* slots that stand together, where slices are shorter, */
  RUNS = 64    /* and there are so many runs */
};

/* How many digits the slices are made of, and how many numbers these have together. */
static uint64_t numbers_of (const sd_indexer *ix, unsigned *digits) {
  uint32_t radix[SD_MAX_RADICES];
  const unsigned ndims = sd_indexer_shape (ix, radix);
  uint64_t all = 1;
  for (*digits = 0; *digits + 1 < ndims && (*digits + 2 < ndims || all < 2 * FEWEST); ++*digits)
    all *= radix[*digits];
  return all;
}

uint64_t sd_sample_run (uint64_t n, uint64_t length) {
  const uint64_t run = RUN / length, most = n / RUNS;
  return run > most ? (most ? most : 1) : (run ? run : 1);
}

int sd_sample_slices (const sd_indexer *ix, unsigned part, uint64_t **number, sd_part *out, sd_error *err) {
  unsigned digits;
  const uint64_t all = numbers_of (ix, &digits), few = FEWEST < all ? FEWEST : all;
  const uint64_t wanted = all / part > few ? all / part : few;
  const uint64_t run = sd_sample_run (wanted, sd_indexer_size (ix) / all), runs = wanted / run,
                 n = runs * run;
  *number = sd_alloc (n, sizeof **number);
  if (!*number)
    return sd_fail_memory (err, n * sizeof **number);
  for (uint64_t i = 0; i < runs; i++) {
    const uint64_t from = i * all / runs, room = (i + 1) * all / runs - from - run;
    uint64_t seed = i;
    const uint64_t first = from + sd_random (&seed) % (room + 1);
    for (uint64_t k = 0; k < run; k++)
      (*number)[i * run + k] = first + k;
  }
  *out = (sd_part){ digits, (uint32_t) n, *number };
  return SD_OK;
}
