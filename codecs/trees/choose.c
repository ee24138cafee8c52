/** \file choose.c
 * The tables of averages of a stream: their values, from all slots, and which of them are worth their bytes.
 */
#include "config.h"
#include "codecs/trees/trees_internal.h"

#include <math.h>
#include <stdlib.h>

/* --------------------------------------------------------------------- values */

typedef struct total {
  uint64_t sum, n;
} total;

/* Row after row of slots that differ in the last digit only; where a row goes follows from the digits before.
 */
static void add_up (const sd_trees_model *mo, const sd_seq *slots, const sd_trees_average *a, total *to) {
  const uint32_t row = mo->radix[mo->ndims - 1];
  uint32_t digit[SD_MAX_DIMS] = { 0 };
  const unsigned step = a->digit[a->ndigits - 1] + 1u == mo->ndims;

  for (uint64_t first = 0; first < slots->n; first += row) {
    size_t at = 0;
    for (unsigned j = 0; j < a->ndigits; j++)
      at = at * mo->radix[a->digit[j]] + digit[a->digit[j]];
    for (uint32_t v = 0; v < row; v++) {
      const sd_symbol s = slots->sym[first + v];
      const bool known = s < mo->m;
      to[at + step * v].sum += known ? s : 0;
      to[at + step * v].n += known;
    }
    for (unsigned k = mo->ndims - 1; k-- > 0 && ++digit[k] == mo->radix[k];)
      digit[k] = 0;
  }
}

/* Averages near both ends are told apart more finely: there the odds double and halve. */
static uint8_t value_of (total t, unsigned m) {
  if (!t.n)
    return 255;
  const double share = m > 1 ? (double) t.sum / ((double) t.n * (m - 1)) : 0;
  return (uint8_t) (63 * M_2_PI * asin (sqrt (share)) + 0.5);
}

/* The values become those that a reader gets. */
static int settle (const sd_trees_model *mo, sd_trees_average *a) {
  SD_RELEASED_BY (sd_buf_free) sd_buf packed = { 0 };
  sd_rc_enc enc = sd_rc_enc_of (&packed);
  sd_rc_coder c = { .enc = &enc };
  sd_trees_code_average (&c, mo, a);
  sd_rc_finish (&enc, 0);
  a->bytes = (uint32_t) packed.len;
  return sd_buf_status (&packed);
}

/* One table by itself, so that threads share nothing but the slots. */
static int measure (const sd_trees_model *mo, const sd_seq *slots, sd_trees_average *a) {
  SD_OWNED total *t = sd_alloc0 (a->size, sizeof *t);
  a->value = sd_alloc (a->size, 1);
  if (!t || !a->value)
    return SD_ENOMEM;

  add_up (mo, slots, a, t);
  for (uint32_t k = 0; k < a->size; k++)
    a->value[k] = value_of (t[k], mo->m);
  return settle (mo, a);
}

int sd_trees_averages (sd_trees_model *mo, const sd_seq *slots) {
  int status = SD_OK;
  mo->naverages = sd_trees_list_averages (mo, mo->average);
#pragma omp parallel for schedule(dynamic) reduction(max : status)
  for (unsigned k = 0; k < mo->naverages; k++) {
    const int st = measure (mo, slots, mo->average + k);
    status = st > status ? st : status;
  }
  return status;
}

/* --------------------------------------------------------------------- choice */

/* What a table seems to save is more than is missed without it: features next to it say much of the same. Of
 * tables that seemed worth their bytes once, most made KRvKP, KBNvK and KQvKR larger. */
#define SURPLUS 3

/* What table k saves for each of its entries; 0: it is not worth its bytes. */
static double worth_of (const sd_trees_average *a, double worth) {
  return worth < SURPLUS * 8.0 * a->bytes ? 0 : worth / a->size;
}

/* Greedily by what a table saves for each of its entries, since entries are what a reader's time and a
 * stream's allowance go to. Samples lose the features of the tables that go, and the trees are to be grown
 * anew. */
int sd_trees_choose_averages (sd_trees_model *mo, const double *worth, uint64_t entries,
                              sd_trees_samples *samples) {
  bool keep[SD_TREES_AVERAGES] = { false };
  for (unsigned round = 0; round < mo->naverages; round++) {
    unsigned best = 0;
    double most = 0;
    for (unsigned k = 0; k < mo->naverages; k++) {
      const double now = worth_of (mo->average + k, worth[SD_TREES_AVERAGE_HERE + k]);
      if (!keep[k] && now > most && mo->average[k].size <= entries) {
        most = now;
        best = k;
      }
    }
    if (most == 0)
      break;
    keep[best] = true;
    entries -= mo->average[best].size;
  }

  unsigned kept = 0, from[SD_TREES_AVERAGES];
  for (unsigned k = 0; k < mo->naverages; k++)
    if (keep[k]) {
      from[kept] = k;
      mo->average[kept++] = mo->average[k];
    } else
      free (mo->average[k].value);
  mo->naverages = kept;

  for (uint32_t i = 0; i < samples->n; i++)
    for (unsigned k = 0; k < kept; k++)
      samples->row[i][SD_TREES_AVERAGE_HERE + k] = samples->row[i][SD_TREES_AVERAGE_HERE + from[k]];
  return sd_trees_forest_new (mo, 0);
}
