/* The same subdefinite data in another layout: a gather through the indexers' remapping, by all threads.
 * Slots of the new layout without a placement become `*`, or the symbol of a draw where illegal slots are not
 * free. A sweep does this for each of many piece orders, so nothing is judged anew. Cost: one remapped index
 * and one random read per slot. */
#include "config.h"
#include "table/table.h"
#include "table/table_internal.h"
#include <stdlib.h>
#include <string.h>

enum { STEP = 4096 };

/* An equal alphabet: symbols are distinct sets, so that adding them in order numbers them alike. */
static int copy_alphabet (const sd_alphabet *a, sd_alphabet **out) {
  unsigned m = sd_alphabet_main (a), size = sd_alphabet_size (a);
  sd_alphabet *b;
  SD_TRY (sd_alphabet_new (m, &b));
  for (unsigned s = m; s < size; s++) {
    sd_symbol same;
    int st = sd_alphabet_add (b, sd_alphabet_set (a, (sd_symbol) s), &same);
    if (st != SD_OK || same != s) {
      sd_alphabet_free (b);
      return st != SD_OK ? st : SD_EINVAL;
    }
  }
  *out = b;
  return SD_OK;
}

int sd_subdefined_sample (const sd_subdefined *from, const sd_indexer *from_ix, const sd_indexer *to_ix,
                          uint64_t pieces, uint64_t length, sd_subdefined **out, sd_error *err) {
  const uint64_t n = pieces * length, room = sd_indexer_size (to_ix) / pieces;
  if (length > room)
    return sd_fail (err, SD_EINVAL, "relayout: %llu pieces of %llu slots overlap in %llu",
                    (unsigned long long) pieces, (unsigned long long) length,
                    (unsigned long long) sd_indexer_size (to_ix));
  if (sd_indexer_size (from_ix) != from->seq.n)
    return sd_fail (err, SD_EINVAL, "relayout: %llu values, their layout has %llu slots",
                    (unsigned long long) from->seq.n, (unsigned long long) sd_indexer_size (from_ix));
  if (!sd_material_equal (&sd_indexer_layout (from_ix)->material, &sd_indexer_layout (to_ix)->material))
    return sd_fail (err, SD_EINVAL, "relayout: the two layouts are of different endings");
  sd_subdefined *d = calloc (1, sizeof *d);
  if (!d)
    return sd_fail_memory (err, sizeof *d);
  d->metric = from->metric;
  d->coding = from->coding;
  d->freedom = from->freedom;
  d->side = from->side;
  unsigned m = sd_alphabet_main (from->alphabet);
  int st = copy_alphabet (from->alphabet, &d->alphabet);
  d->map = sd_alloc (m, sizeof *d->map);
  d->seq.sym = sd_alloc (n, sizeof *d->seq.sym);
  if (st != SD_OK || !d->map || !d->seq.sym) {
    st = st != SD_OK && st != SD_ENOMEM ? sd_fail (err, st, "relayout: alphabet: %s", sd_strerror (st))
                                        : sd_fail_memory (err, n * sizeof *d->seq.sym);
    goto fail;
  }
  memcpy (d->map, from->map, m * sizeof *d->map);
  sd_symbol none = 0;
  if (d->freedom & SD_FREE_ILLEGAL) {
    st = sd_alphabet_add_range (d->alphabet, 0, m - 1, &none);
    if (st != SD_OK) {
      sd_fail (err, st, "relayout: alphabet: %s", sd_strerror (st));
      goto fail;
    }
  } else {
    while (none + 1u < m && d->map[none] != 0)
      none++;
  }
  d->seq.alphabet = d->alphabet;
  d->seq.n = n;
  if (n == sd_indexer_size (to_ix)) /* a sample has no shape */
    d->seq.ndims = sd_indexer_shape (to_ix, d->seq.radix);

  const sd_symbol *src = from->seq.sym;
  const uint64_t steps = (length + STEP - 1) / STEP;
  sd_symbol *dst = d->seq.sym;
#pragma omp parallel for schedule(static)
  for (uint64_t step = 0; step < pieces * steps; step++) {
    const uint64_t piece = step / steps, at = step % steps * STEP;
    uint64_t slot[STEP], count = length - at < STEP ? length - at : STEP, seed = piece;
    /* anywhere in its part of the table: equal distances would meet the same squares again and again */
    const uint64_t begin = piece * room + (room > length ? sd_random (&seed) % (room - length) : 0);
    sd_index_remap (to_ix, from_ix, begin + at, count, slot);
    for (uint64_t k = 0; k < count; k++)
      dst[piece * length + at + k] = slot[k] == UINT64_MAX ? none : src[slot[k]];
  }
  *out = d;
  return SD_OK;
fail:
  sd_subdefined_free (d);
  return st;
}

int sd_subdefined_relayout (const sd_subdefined *from, const sd_indexer *from_ix, const sd_indexer *to_ix,
                            sd_subdefined **out, sd_error *err) {
  return sd_subdefined_sample (from, from_ix, to_ix, 1, sd_indexer_size (to_ix), out, err);
}
