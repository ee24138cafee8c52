/* The same subdefinite data in another layout: a gather through the indexers' remapping, by all threads.
 * Slots of the new layout without a placement become `*`, or the symbol of a draw where illegal slots are not
 * free. A sweep does this for each of many piece orders, so nothing is judged anew. Cost: one remapped index
 * and one random read per slot. */
#include "config.h"
#include "recode/recode_internal.h"
#include "table/table_internal.h"
#include <stdlib.h>
#include <string.h>

enum { STEP = 4096, TRIM_STEPS = 1024 /* between two looks at what was decoded */ };

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
  sd_alphabet_set_zero (b, sd_alphabet_zero (a));
  *out = b;
  return SD_OK;
}

/* Mistakes of the program: with another ending's layout each slot would get some symbol. */
static int check (const sd_subdefined *from, const sd_indexer *from_ix, const sd_indexer *to_ix,
                  sd_error *err) {
  if (sd_indexer_size (from_ix) != from->seq.n)
    return sd_fail (err, SD_EINVAL, "relayout: %llu values, their layout has %llu slots",
                    (unsigned long long) from->seq.n, (unsigned long long) sd_indexer_size (from_ix));
  if (!sd_material_equal (&sd_indexer_layout (from_ix)->material, &sd_indexer_layout (to_ix)->material))
    return sd_fail (err, SD_EINVAL, "relayout: the two layouts are of different endings");
  return SD_OK;
}

/* Room for n symbols that mean what `from` means; *none: the symbol of slots without a placement. */
static int frame_like (const sd_subdefined *from, uint64_t n, sd_subdefined **out, sd_symbol *none,
                       sd_error *err) {
  sd_subdefined *d = calloc (1, sizeof *d);
  if (!d)
    return sd_fail_memory (err, sizeof *d);
  const unsigned m = sd_alphabet_main (from->alphabet);
  d->metric = from->metric;
  d->coding = from->coding;
  d->freedom = from->freedom;
  d->side = from->side;
  int st = copy_alphabet (from->alphabet, &d->alphabet);
  d->map = sd_alloc (m, sizeof *d->map);
  d->seq.sym = sd_alloc (n, sizeof *d->seq.sym);
  *none = 0;
  if (st == SD_OK && (!d->map || !d->seq.sym))
    st = SD_ENOMEM;
  if (st == SD_OK)
    memcpy (d->map, from->map, m * sizeof *d->map);
  /* The set of all symbols is in the alphabet already, or is added now. */
  if (st == SD_OK && (d->freedom & SD_FREE_ILLEGAL))
    st = sd_alphabet_add_range (d->alphabet, 0, m - 1, none);
  /* The draw's number, which make_map () put there for this. */
  else
    while (st == SD_OK && *none + 1u < m && d->map[*none] != 0)
      ++*none;
  if (st != SD_OK) {
    sd_subdefined_free (d);
    return st == SD_ENOMEM ? sd_fail_memory (err, n * sizeof *d->seq.sym)
                           : sd_fail (err, st, "relayout: alphabet: %s", sd_strerror (st));
  }
  d->seq.alphabet = d->alphabet;
  d->seq.n = n;
  *out = d;
  return SD_OK;
}

/* Where symbols come from: a whole side, or a judge; and in which layouts. */
typedef struct source {
  const sd_symbol *sym; /* of a whole side; NULL: packed, or ask the judge */
  const sd_packed_side *packed;
  const sd_symbol *final; /* [of packed] what it becomes */
  const sd_judge *judge;
  const sd_values *trim; /* what the judge looks up is held within the budget; NULL: it is not looked at */
  const sd_progress *progress; /* NULL: nobody asks */
  const sd_indexer *from, *to;
} source;

/* Runs of slots of the new layout; where each begins. */
typedef struct runs {
  uint64_t n, length;
  uint64_t *begin;
} runs;

static void runs_free (runs *r) {
  free (r->begin);
}

static int runs_new (uint64_t n, uint64_t length, runs *out, sd_error *err) {
  *out = (runs){ n, length, sd_alloc (n, sizeof *out->begin) };
  return out->begin ? SD_OK : sd_fail_memory (err, n * sizeof *out->begin);
}

/* From a whole side it is one read a slot; a judge has to look at each. */
static int gather_step (const source *src, const uint64_t *slot, uint64_t count, sd_symbol none,
                        sd_symbol *to, sd_error *err) {
  if (src->judge)
    return sd_judge_slots (src->judge, slot, count, none, to, err);
  for (uint64_t k = 0; k < count && src->packed; k++)
    to[k] = slot[k] == UINT64_MAX ? none : src->final[sd_packed_at (src->packed, slot[k])];
  for (uint64_t k = 0; k < count && src->sym; k++)
    to[k] = slot[k] == UINT64_MAX ? none : src->sym[slot[k]];
  return SD_OK;
}

/* Each thread its own stretch of these steps of the new layout; reads are scattered over the old one. */
static int gather_steps (const source *src, const runs *of, sd_symbol none, uint64_t first, uint64_t last,
                         sd_symbol *dst, sd_error *err) {
  const uint64_t length = of->length, steps = (length + STEP - 1) / STEP;
  int status = SD_OK;

#pragma omp parallel for schedule(static)
  for (uint64_t step = first; step < last; step++) {
    const uint64_t run = step / steps, at = step % steps * STEP;
    uint64_t slot[STEP], count = length - at < STEP ? length - at : STEP;
    sd_symbol *to = dst + run * length + at;
    sd_index_remap (src->to, src->from, of->begin[run] + at, count, slot);
    sd_error mine = { 0 };
    const int st = gather_step (src, slot, count, none, to, &mine);
    if (st != SD_OK) {
#pragma omp critical(sd_relayout)
      {
        status = st;
        if (err)
          *err = mine;
      }
    }
  }
  return status;
}

/* In one go, or with pauses in which what was decoded meanwhile is trimmed. */
static int gather (const source *src, const runs *of, sd_symbol none, sd_symbol *dst, sd_error *err) {
  const uint64_t all = of->n * ((of->length + STEP - 1) / STEP), at_once = src->trim ? TRIM_STEPS : all;
  for (uint64_t first = 0; first < all; first += at_once) {
    const uint64_t last = all - first < at_once ? all : first + at_once;
    SD_TRY (gather_steps (src, of, none, first, last, dst, err));
    if (src->trim)
      sd_values_trim (src->trim, sd_values_budget (src->trim));
    sd_report (src->progress, "subdefining", last, all);
  }
  return SD_OK;
}

static int take (const sd_subdefined *from, const source *src, const runs *of, sd_subdefined **out,
                 sd_error *err) {
  SD_OWN (sd_subdefined) *d = NULL;
  sd_symbol none = 0;
  SD_TRY (check (from, src->from, src->to, err));
  SD_TRY (frame_like (from, of->n * of->length, &d, &none, err));
  SD_TRY (gather (src, of, none, d->seq.sym, err));
  *out = d;
  d = NULL;
  return SD_OK;
}

static int sample (const sd_subdefined *from, const source *src, sd_extent of, sd_subdefined **out,
                   sd_error *err) {
  SD_RELEASED_BY (runs_free) runs r = { 0 };
  const uint64_t size = sd_indexer_size (src->to), room = size / of.pieces;
  if (of.length > room)
    return sd_fail (err, SD_EINVAL, "relayout: %llu pieces of %llu slots overlap in %llu",
                    (unsigned long long) of.pieces, (unsigned long long) of.length,
                    (unsigned long long) size);
  SD_TRY (runs_new (of.pieces, of.length, &r, err));
  for (uint64_t i = 0; i < of.pieces; i++) {
    uint64_t seed = i;
    /* anywhere in its part of the table: equal steps would meet the same squares again and again */
    r.begin[i] = i * room + (room > of.length ? sd_random (&seed) % (room - of.length) : 0);
  }
  SD_TRY (take (from, src, &r, out, err));
  if ((*out)->seq.n == size) /* runs have no shape */
    (*out)->seq.ndims = sd_indexer_shape (src->to, (*out)->seq.radix);
  return SD_OK;
}

int sd_subdefined_sample (const sd_subdefined *from, const sd_indexer *from_ix, const sd_indexer *to_ix,
                          sd_extent of, sd_subdefined **out, sd_error *err) {
  const source src = { .sym = from->seq.sym, .from = from_ix, .to = to_ix };
  return sample (from, &src, of, out, err);
}

int sd_judge_sample (const sd_judge *j, const sd_indexer *from_ix, const sd_indexer *to_ix, sd_extent of,
                     sd_subdefined **out, sd_error *err) {
  const source src = { .judge = j, .from = from_ix, .to = to_ix };
  return sample (sd_judge_frame (j), &src, of, out, err);
}

/* Only some values of the first digits, in full: a sample that keeps the shape of the others, for codecs that
 * look at digits. */
static int slices (const sd_subdefined *from, const source *src, sd_part of, sd_subdefined **out,
                   sd_error *err) {
  SD_RELEASED_BY (runs_free) runs r = { 0 };
  uint32_t radix[SD_MAX_RADICES];
  const unsigned ndims = sd_indexer_shape (src->to, radix);
  uint64_t all = 1;
  if (of.digits == 0 || of.digits >= ndims)
    return sd_fail (err, SD_EINVAL, "relayout: slices of %u digits of %u", of.digits, ndims);
  for (unsigned d = 0; d < of.digits; d++)
    all *= radix[d];

  SD_TRY (runs_new (of.n, sd_indexer_size (src->to) / all, &r, err));
  for (uint32_t i = 0; i < of.n; i++) {
    if (of.number[i] >= all)
      return sd_fail (err, SD_EINVAL, "relayout: slice %llu of %llu", (unsigned long long) of.number[i],
                      (unsigned long long) all);
    r.begin[i] = of.number[i] * r.length;
  }
  SD_TRY (take (from, src, &r, out, err));

  sd_seq *seq = &(*out)->seq;
  seq->radix[0] = of.n;
  memcpy (seq->radix + 1, radix + of.digits, (ndims - of.digits) * sizeof *radix);
  seq->ndims = ndims - of.digits + 1;
  return SD_OK;
}

int sd_subdefined_slices (const sd_subdefined *from, const sd_indexer *from_ix, const sd_indexer *to_ix,
                          sd_part of, sd_subdefined **out, sd_error *err) {
  const source src = { .sym = from->seq.sym, .from = from_ix, .to = to_ix };
  return slices (from, &src, of, out, err);
}

static void judge_free (sd_judge **j) {
  sd_judge_free (*j);
}

int sd_subdefine_slices (const sd_values *s, const sd_exact *e, const sd_stored *what,
                         const sd_indexer *to_ix, sd_part of, sd_subdefined **out, sd_error *err) {
  SD_RELEASED_BY (judge_free) sd_judge *j = NULL;
  SD_TRY (sd_judge_new (s, e, what, &j, err));
  const source src = { .judge = j, .from = e->indexer, .to = to_ix };
  return slices (sd_judge_frame (j), &src, of, out, err);
}

int sd_judge_slices (const sd_judge *j, const sd_values *trim, const sd_indexer *from_ix,
                     const sd_indexer *to_ix, sd_part of, const sd_progress *progress, sd_subdefined **out,
                     sd_error *err) {
  const source src = { .judge = j,
                       .trim = trim && sd_values_budget (trim) ? trim : NULL,
                       .progress = progress,
                       .from = from_ix,
                       .to = to_ix };
  return slices (sd_judge_frame (j), &src, of, out, err);
}

int sd_relayout_packed (const sd_subdefined *from, const sd_packed_side *packed, const sd_symbol *final,
                        const sd_indexer *from_ix, const sd_indexer *to_ix, sd_subdefined **out,
                        sd_error *err) {
  const source src = { .packed = packed, .final = final, .from = from_ix, .to = to_ix };
  return sample (from, &src, (sd_extent){ 1, sd_indexer_size (to_ix) }, out, err);
}

int sd_subdefined_relayout (const sd_subdefined *from, const sd_indexer *from_ix, const sd_indexer *to_ix,
                            sd_subdefined **out, sd_error *err) {
  return sd_subdefined_sample (from, from_ix, to_ix, (sd_extent){ 1, sd_indexer_size (to_ix) }, out, err);
}
