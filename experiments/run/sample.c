/* A cell that codes a part of its table. With 5 men a whole table takes minutes; what it would take can be
 * told from a part, within bounds.
 *
 * The part is made of slices: the first digits of the layout, read as one number, have certain values, and
 * the other digits all of theirs. So the part has digits, too, and no codec needs to know that it is one. The
 * last two digits stay whole, since codecs find there what is alike, or the last one where else there were
 * too few slices; as many of these as make RUN slots then follow each other. Where runs stand is random
 * within equal ranges, and the same each time.
 *
 * Two errors are to be told. That of the choice of slices shows in lots: disjoint samples like the part that
 * are coded alone; the bounds of their mean are stored. That of the size shows in how much more all lots take
 * than the part, since a small stream has learnt less. Estimates and their bounds are made of both in SQL
 * (SD_WHOLE_BYTES, query_internal.h), so that a row holds nothing but what was measured.
 *
 * A user sees of it only refusals: `my.conf:3: sampled "2/3": no, or a part from 1/2 to 1/4096 such as 1/16,
 * is needed`. */
#include "config.h"
#include "experiments/run/run_internal.h"
#include <stdlib.h>
#include <string.h>

enum {
  LOTS = 8,
  FEWEST = 2 * LOTS, /* slices, even if these are more slots than were asked for */
  RUN = 16384,       /* slots that stand together, where slices are shorter, */
  RUNS = 64,         /* and there are so many runs */
  MOST = 4096        /* the smallest part that can be asked for is one slot in so many */
};

int sd_sample_parse (const char *text, unsigned *part, sd_error *err) {
  char again[32];
  *part = 0;
  if (strcmp (text, "no") == 0)
    return SD_OK;
  if (strncmp (text, "1/", 2) == 0)
    *part = (unsigned) strtoul (text + 2, NULL, 10);
  snprintf (again, sizeof again, "1/%u", *part);
  if (*part < 2 || *part > MOST || strcmp (again, text) != 0)
    return sd_fail (err, SD_EINVAL, "sampled \"%s\": no, or a part from 1/2 to 1/%d such as 1/16, is needed",
                    text, MOST);
  return SD_OK;
}

/* How many digits the slices are made of, and how many numbers these have together. */
static uint64_t numbers_of (const sd_indexer *ix, unsigned *digits) {
  uint32_t radix[SD_MAX_RADICES];
  const unsigned ndims = sd_indexer_shape (ix, radix);
  uint64_t all = 1;
  for (*digits = 0; *digits + 1 < ndims && (*digits + 2 < ndims || all < 2 * FEWEST); ++*digits)
    all *= radix[*digits];
  return all;
}

/* Slices of a run, of n in all. */
static uint64_t run_of (uint64_t n, uint64_t length) {
  const uint64_t run = RUN / length, most = n / RUNS;
  return run > most ? (most ? most : 1) : (run ? run : 1);
}

int sd_sample_take (const sd_cell *c, const sd_values *s, const sd_exact *e, const sd_indexer *ix,
                    sd_subdefined **out, sd_error *err) {
  unsigned digits;
  const uint64_t all = numbers_of (ix, &digits), wanted = all / c->part > FEWEST ? all / c->part : FEWEST;
  const uint64_t run = run_of (wanted, sd_indexer_size (ix) / all), runs = wanted / run, n = runs * run;
  SD_OWNED uint64_t *number = sd_alloc (n, sizeof *number);
  if (!number)
    return sd_fail_memory (err, n * sizeof *number);
  for (uint64_t i = 0; i < runs; i++) {
    const uint64_t from = i * all / runs, room = (i + 1) * all / runs - from - run;
    uint64_t seed = i;
    const uint64_t first = from + sd_random (&seed) % (room + 1);
    for (uint64_t k = 0; k < run; k++)
      number[i * run + k] = first + k;
  }
  return sd_subdefine_slices (s, e, &SD_STORED (c, c->side), ix, (sd_part){ digits, (uint32_t) n, number },
                              out, err);
}

/* Of each LOTS runs one, which is another one each time: else a lot could always have the same squares. sym:
 * room for them. */
static void take_lot (const sd_seq *whole, unsigned lot, sd_symbol *sym, sd_seq *out) {
  const uint64_t length = whole->n / whole->radix[0], run = run_of (whole->radix[0], length) * length;
  uint64_t n = 0;
  for (uint64_t i = 0; i < whole->n / run; i++) {
    if ((i + i / LOTS) % LOTS != lot)
      continue;
    memcpy (sym + n, whole->sym + i * run, run * sizeof *sym);
    n += run;
  }
  *out = *whole;
  out->sym = sym;
  out->n = n;
  out->radix[0] = (uint32_t) (n / length);
}

int sd_sample_lots (const sd_cell *c, const sd_settings *set, const sd_subdefined *d, sd_row *row,
                    sd_error *err) {
  double rate[LOTS], bounds[2], sum = 0;
  SD_OWNED sd_symbol *sym = sd_alloc (d->seq.n, sizeof *sym);
  if (!sym)
    return sd_fail_memory (err, d->seq.n * sizeof *sym);

  for (unsigned lot = 0; lot < LOTS; lot++) {
    SD_RELEASED_BY (sd_buf_free) sd_buf stream = { 0 };
    sd_seq seq;
    take_lot (&d->seq, lot, sym, &seq);
    SD_TRY (sd_codec_encode (c->codec, &seq, set, NULL, &stream, err));
    /* Lots have as many runs or one more. */
    rate[lot] = (double) stream.len / (double) seq.n * (double) d->seq.n / LOTS;
    sum += rate[lot];
  }
  sd_stats_mean_bounds (rate, LOTS, bounds);
  row->lots = LOTS;
  row->lots_bytes = (uint64_t) (sum + 0.5);
  row->lots_low_bytes = (uint64_t) (LOTS * bounds[0] + 0.5);
  row->lots_high_bytes = (uint64_t) (LOTS * bounds[1] + 0.5);
  return SD_OK;
}
