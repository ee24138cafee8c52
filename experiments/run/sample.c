/* A cell that codes a part of its table. With 5 men a whole table takes minutes; what it would take can be
 * told from a part, within bounds.
 *
 * The part is made of slices (recode/sample.c).
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
  MOST = 4096 /* the smallest part that can be asked for is one slot in so many */
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

int sd_sample_take (const sd_cell *c, const sd_values *s, const sd_exact *e, const sd_indexer *ix,
                    sd_subdefined **out, sd_error *err) {
  SD_OWNED uint64_t *number = NULL;
  sd_part part;
  SD_TRY (sd_sample_slices (ix, c->part, &number, &part, err));
  return sd_subdefine_slices (s, e, &SD_STORED (c, c->side), ix, part, out, err);
}

/* Of each LOTS runs one, which is another one each time: else a lot could always have the same squares. sym:
 * room for them. */
static void take_lot (const sd_seq *whole, unsigned lot, sd_symbol *sym, sd_seq *out) {
  const uint64_t length = whole->n / whole->radix[0], run = sd_sample_run (whole->radix[0], length) * length;
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
