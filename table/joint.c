/* Both sides to move as one sequence: the side is a digit in front of the others. A codec then finds what the
 * sides have in common: a diagram its sub-tables, RE-PAIR its phrases. Which bit of the index a diagram tests
 * where is its own choice, so that the side may well be the last one. Called for SD_SIDES_JOINT before a
 * container is written; the reader gives each side a window of the one decoder. */
#include "config.h"
#include "table/table_internal.h"
#include <stdlib.h>
#include <string.h>

void sd_subdefined_free (sd_subdefined *d) {
  if (!d)
    return;
  sd_alphabet_free (d->alphabet);
  free (d->seq.sym);
  free (d->map);
  free (d);
}

/* A header with one stream has one layout and one map, so both must be equal to the last entry. */
static bool match (const sd_subdefined *a, const sd_subdefined *b) {
  const unsigned m = sd_alphabet_main (a->alphabet);
  return a->metric == b->metric && a->coding == b->coding && a->freedom == b->freedom && a->seq.n == b->seq.n
         && a->seq.ndims == b->seq.ndims
         && memcmp (a->seq.radix, b->seq.radix, a->seq.ndims * sizeof *a->seq.radix) == 0
         && sd_alphabet_main (b->alphabet) == m && memcmp (a->map, b->map, m * sizeof *a->map) == 0;
}

/* Symbols of `from` in an alphabet that gets those it lacks, to[0..n-1]. */
static int append (const sd_subdefined *from, sd_alphabet *a, sd_symbol *to) {
  const unsigned size = sd_alphabet_size (from->alphabet);
  sd_symbol *same = sd_alloc (size, sizeof *same);
  int st = same ? SD_OK : SD_ENOMEM;
  for (unsigned x = 0; x < size && st == SD_OK; x++)
    st = sd_alphabet_add (a, sd_alphabet_set (from->alphabet, (sd_symbol) x), &same[x]);
  for (uint64_t i = 0; i < from->seq.n && st == SD_OK; i++)
    to[i] = same[from->seq.sym[i]];
  free (same);
  return st;
}

int sd_subdefined_join (const sd_subdefined *const side[2], sd_subdefined **out, sd_error *err) {
  const sd_subdefined *a = side[0], *b = side[1];
  if (!match (a, b))
    return sd_fail (err, SD_EINVAL, "two sides in one stream: their values or their layouts differ");
  const unsigned m = sd_alphabet_main (a->alphabet), ndims = a->seq.ndims;
  const uint64_t n = a->seq.n;
  sd_subdefined *d = calloc (1, sizeof *d);
  if (!d)
    return sd_fail_memory (err, sizeof *d);
  /* Until it is whole, *out is not set: a failure frees all of d. */
  d->metric = a->metric;
  d->coding = a->coding;
  d->freedom = a->freedom;
  d->seq.n = 2 * n;
  /* The side is the first digit of the index, in front of the layout's. */
  if (ndims > 0 && ndims < SD_MAX_DIMS) {
    d->seq.ndims = ndims + 1;
    d->seq.radix[0] = 2;
    memcpy (d->seq.radix + 1, a->seq.radix, ndims * sizeof *a->seq.radix);
  }
  /* Shape or no shape, the order of the slots is the same: without room for one more digit a codec is told
   * none. */
  d->map = sd_alloc (m, sizeof *d->map);
  d->seq.sym = sd_alloc (2 * n, sizeof *d->seq.sym);

  int st = d->map && d->seq.sym ? sd_alphabet_new (m, &d->alphabet) : SD_ENOMEM;
  if (st == SD_OK) {
    /* White's symbols keep their numbers; Black's get those of equal sets, or new ones behind them. */
    d->seq.alphabet = d->alphabet;
    memcpy (d->map, a->map, m * sizeof *d->map);
    sd_alphabet_set_zero (d->alphabet, sd_alphabet_zero (a->alphabet));
    st = append (a, d->alphabet, d->seq.sym);
  }
  if (st == SD_OK)
    st = append (b, d->alphabet, d->seq.sym + n);
  if (st != SD_OK) {
    sd_subdefined_free (d);
    return st == SD_ENOMEM ? sd_fail_memory (err, 2 * n * sizeof *d->seq.sym)
                           : sd_fail (err, st, "two sides in one stream: %s", sd_strerror (st));
  }
  *out = d;
  return SD_OK;
}
