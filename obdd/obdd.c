/** \file obdd.c
 * The codec's row for the list of codecs, its settings, and encoding from end to end: variables, table,
 * order, diagram, stream. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

static const sd_tunable tunables[] = {
  { "initial", "initial replacement, a chain such as alg2+full", "none", 1, 0, NULL },
  { "order", "bits of the index in the diagram: sift, pieces, interleaved, or letters, root first", "sift", 1,
    0, NULL },
  { "sums", "sifting: levels may test sums modulo 2 of bits", "no", 1, 0, "yes|no" },
  { "top", "auto, an array of roots where that is smaller; root, one root", "auto", 1, 0, "auto|root" },
  { "rounds", "sifting: rounds over all variables", "10", 1, 20, NULL },
  { "polish", "orders tried with the whole diagram after sifting", "0", 0, 100000, NULL },
  { "split", "digits of equal men: yes, their squares' bits; no, the digit's own", "yes", 1, 0, "yes|no" },
  { "merge",
    "free slots: leaves, from the leaves up; root, from the root down first; none, the most frequent symbol",
    "leaves", 1, 0, "leaves|root|none" },
  { "match", "new nodes: cover, those that fit most sub-tables; first, the first that fits", "cover", 1, 0,
    "cover|first" },
  { "choices", "nodes remembered for a sub-table", "1024", 1, 65536, NULL },
  { "pairs", "pairs of nodes tried for a sub-table", "1024", 1, 65536, NULL },
  { 0 },
};

/* One encoding. */
typedef struct job {
  const sd_seq *seq;
  sd_symbol
      fill; /* for codes without a slot: one more than the alphabet has, or one that permits everything */
  sd_obdd_options opt;
  bool from_root;
  const sd_progress *progress;
} job;

static sd_symbol free_symbol (const sd_alphabet *a) {
  for (unsigned x = 0; x < sd_alphabet_size (a); x++)
    if (sd_alphabet_choices (a, (sd_symbol) x) == sd_alphabet_main (a))
      return (sd_symbol) x;
  return (sd_symbol) sd_alphabet_size (a);
}

static int try_order (const job *j, const sd_obdd_vars *v, sd_obdd_diagram *out, uint64_t *bytes) {
  sd_symbol *table;
  SD_TRY (sd_obdd_spread (v, j->seq, j->fill, &table));
  int st = j->from_root ? sd_obdd_merge_from_root (j->seq->alphabet, table, v->n) : SD_OK;
  if (!st)
    st = sd_obdd_build (v, j->seq->alphabet, table, &j->opt, out, bytes);
  free (table);
  return st;
}

static int sift (const job *j, sd_obdd_vars *v, unsigned rounds, bool sums) {
  sd_symbol *table;
  SD_TRY (sd_obdd_spread (v, j->seq, j->fill, &table));
  int st = sd_obdd_sift (v, table, j->fill + 1u, rounds, sums, j->progress);
  free (table);
  return st;
}

/* Local search with the real size: a variable taken at random moves to another place, near ones preferred. */
static int polish (const job *j, sd_obdd_vars *v, unsigned tries) {
  uint64_t best, bytes, seed = 1;
  if (tries == 0 || v->n < 2)
    return SD_OK;
  SD_TRY (try_order (j, v, NULL, &best));
  for (unsigned t = 0; t < tries; t++) {
    unsigned from = (unsigned) (sd_random (&seed) % v->n), to = (unsigned) (sd_random (&seed) % v->n);
    if (sd_random (&seed) & 1)
      to = (unsigned) ((from + 1 + sd_random (&seed) % 3) % v->n);
    if (to == from)
      continue;
    sd_obdd_vars w = *v;
    sd_obdd_vars_move (&w, from, to);
    SD_TRY (try_order (j, &w, NULL, &bytes));
    if (bytes < best) {
      best = bytes;
      *v = w;
    }
    sd_report (j->progress, "orders", t, tries);
  }
  return SD_OK;
}

static int cannot_build (int status, sd_error *err) {
  return status == SD_ERANGE ? sd_fail (
             err, SD_ERANGE,
             "obdd: merge=root: too many different sets of symbols; merge=leaves has no such limit")
                             : sd_fail_memory (err, 0);
}

static int choose_order (const job *j, const sd_settings *set, sd_obdd_vars *v, sd_error *err) {
  const char *word = sd_settings_word (set, "order");
  int st = SD_OK;
  if (strcmp (word, "interleaved") == 0)
    sd_obdd_vars_interleave (v);
  else if (strcmp (word, "sift") == 0)
    st = sift (j, v, (unsigned) sd_settings_int (set, "rounds"),
               strcmp (sd_settings_word (set, "sums"), "yes") == 0);
  else if (strcmp (word, "pieces") != 0 && sd_obdd_vars_parse (v, word))
    return sd_fail (err, SD_EINVAL,
                    "obdd: order=%s: expected sift, pieces, interleaved, or for each of the %u levels a "
                    "letter from a on, "
                    "or a sum of letters in brackets",
                    word, v->n);
  if (!st)
    st = polish (j, v, (unsigned) sd_settings_int (set, "polish"));
  return st ? cannot_build (st, err) : SD_OK;
}

static int encode (sd_seq *src, const sd_seq *slots, const sd_settings *set, const sd_progress *progress,
                   sd_buf *out, sd_error *err) {
  (void) slots;
  sd_obdd_vars v;
  if (sd_obdd_vars_of (src, strcmp (sd_settings_word (set, "split"), "yes") == 0, &v))
    return sd_fail (err, SD_ERANGE, "obdd: an index of %llu slots takes more than %d bits",
                    (unsigned long long) src->n, SD_OBDD_MAX_VARS);
  if (strcmp (sd_settings_word (set, "merge"), "none") == 0 && sd_complete_frequent (src))
    return sd_fail_memory (err, 0);
  const job j = { .seq = src,
                  .fill = free_symbol (src->alphabet),
                  .opt = { .one_root = strcmp (sd_settings_word (set, "top"), "root") == 0,
                           .choices = (unsigned) sd_settings_int (set, "choices"),
                           .pairs = (unsigned) sd_settings_int (set, "pairs"),
                           .cover = strcmp (sd_settings_word (set, "match"), "cover") == 0 },
                  .from_root = strcmp (sd_settings_word (set, "merge"), "root") == 0,
                  .progress = progress };
  SD_TRY (choose_order (&j, set, &v, err));
  sd_obdd_diagram d;
  int st = try_order (&j, &v, &d, NULL);
  if (st)
    return cannot_build (st, err);
  sd_obdd_write (&v, &d, out);
  sd_obdd_diagram_free (&d);
  return sd_buf_status (out);
}

const sd_codec sd_codec_obdd = {
  .name = "obdd",
  .summary = "decision diagram over the bits of the index, one step a bit",
  .id = 9,
  .subdefinite = true,
  .tunables = tunables,
  .encode = encode,
  .open = sd_obdd_open,
  .get = sd_obdd_get,
  .read = sd_obdd_read,
  .close = sd_obdd_close,
  .describe = sd_obdd_describe,
};
