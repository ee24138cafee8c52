/* What each slot of a sub-table may hold, in the order of one index or of another. A source is asked for the
 * value of every position (our own tables, or other Syzygy files). The sets follow from what readers do with
 * a stored value: they look at captures and put right what is too low. */
#include "config.h"
#include "syzygy/syzygy_write.h"
#include <stdlib.h>
#include <string.h>

enum { WIN = 4, VALUES = 5, CHUNK = 4096 }; /* CHUNK: slots that a thread takes at a time */

/* Main symbols 0 to 4 are the values; the sets 0 to v follow in the order of v, whose numbers up_to ()
 * computes. Should an alphabet ever number them otherwise, this fails. */
int sd_syzygy_wdl_alphabet (sd_alphabet **out) {
  SD_TRY (sd_alphabet_new (VALUES, out));
  for (unsigned v = 1; v < VALUES; v++) {
    sd_symbol s;
    const int status = sd_alphabet_add_range (*out, 0, v, &s);
    if (status != SD_OK || s != VALUES + v - 1) { /* which up_to () says */
      sd_alphabet_free (*out);
      *out = NULL;
      return status ? status : SD_EINVAL;
    }
  }
  return SD_OK;
}

/* The symbol of sd_syzygy_wdl_alphabet for 0 to v. */
static sd_symbol up_to (unsigned v) {
  return (sd_symbol) (v ? VALUES + v - 1 : 0);
}

/* Promotions without a capture do not count: readers of WDL files look at captures alone. */
static int wdl_symbol (const void *ctx, const sd_pos *p, const uint8_t *sq, sd_symbol *out) {
  const sd_syzygy_source *source = ctx;
  (void) sq;
  unsigned value, after_value;
  sd_move move[SD_MAX_MOVES];
  /* No legal position: anything (Syzygy, item 2). */
  *out = up_to (WIN);
  if (!sd_pos_legal (p))
    return SD_OK;
  SD_TRY (source->wdl (source->ctx, p, &value));
  /* A source that does not keep its promise. */
  if (value > WIN)
    return SD_ERANGE;
  *out = (sd_symbol) value;
  const unsigned n = sd_moves (p, SD_MOVES_CAPTURES, move);
  for (unsigned k = 0; k < n; k++) {
    sd_pos after;
    sd_pos_apply (p, &move[k], &after);
    SD_TRY (source->wdl (source->ctx, &after, &after_value));
    if (after_value > WIN || WIN - after_value > value)
      return SD_EDIFF; /* better than the position */
    /* A capture is as good: any value up to this one is put right by a reader that looks at the captures. */
    if (WIN - after_value == value) {
      *out = up_to (value);
      return SD_OK;
    }
  }
  return SD_OK;
}

static int new_slots (sd_syzygy_slots *s, uint64_t n, sd_error *err) {
  s->seq.n = n;
  s->seq.sym = sd_alloc (n, sizeof *s->seq.sym);
  return s->seq.sym ? SD_OK : sd_fail_memory (err, n * sizeof *s->seq.sym);
}

void sd_syzygy_slots_clear (sd_syzygy_slots *s) {
  free (s->seq.sym);
  s->seq.sym = NULL;
}

int sd_syzygy_each_slot (const sd_syzygy_index *ix, const sd_material *m, unsigned side,
                         sd_syzygy_symbol_of of, const void *ctx, sd_symbol *out) {
  int status = SD_OK;
#pragma omp parallel for schedule(dynamic, CHUNK) reduction(max : status)
  for (uint64_t i = 0; i < ix->slots; i++) {
    uint8_t sq[SD_MAX_MEN];
    sd_pos p;
    if (status > 0) /* of this thread, which begins below 0 */
      continue;
    sd_syzygy_index_squares (ix, i, sq);
    sd_pos_from_squares (m, sq, side, &p);
    status = of (ctx, &p, sq, &out[i]);
  }
  return status > 0 ? status : SD_OK;
}

int sd_syzygy_wdl_slots (sd_syzygy_slots *s, const sd_syzygy_source *source, sd_error *err) {
  SD_TRY (new_slots (s, s->index.slots, err));
  const int status = sd_syzygy_each_slot (&s->index, &s->material, s->side, wdl_symbol, source, s->seq.sym);
  if (status == SD_OK)
    return SD_OK;
  sd_syzygy_slots_clear (s);
  return sd_fail (err, status, "values of positions: %s", sd_strerror (status));
}

/* The values are not asked for again: each slot of the new order takes over the set of the slot where `from`
 * has its placement. */
int sd_syzygy_slots_reorder (const sd_syzygy_slots *from, const sd_syzygy_index *ix, uint64_t pieces,
                             uint64_t length, sd_syzygy_slots *out, sd_error *err) {
  /* Too small for a sample: all slots. */
  if (!pieces || !length || ix->slots / pieces < length) {
    pieces = 1;
    length = ix->slots;
  }
  *out = *from;
  out->index = *ix;
  SD_TRY (new_slots (out, pieces * length, err));
  /* One run from each of so many equal parts, at a place that depends on nothing but the run's number. */
  const uint64_t part = ix->slots / pieces;
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < out->seq.n; i++) {
    uint8_t sq[SD_MAX_MEN];
    uint64_t seed = i / length;
    const uint64_t room = part - length, skip = room ? sd_random (&seed) % room : 0;
    sd_syzygy_index_squares (ix, i / length * part + skip + i % length, sq);
    out->seq.sym[i] = from->seq.sym[sd_syzygy_index_of (&from->index, sq)];
  }
  return SD_OK;
}
