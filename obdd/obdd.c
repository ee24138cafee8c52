/** \file obdd.c
 * The codec's settings, and encoding from end to end: variables, table,
 * order, diagram, stream. */
#include "config.h"
#include "obdd/clusters_internal.h"

#include <stdlib.h>
#include <string.h>

const sd_tunable sd_obdd_tunables[] = {
  SD_TUNABLE_INITIAL ("none"),
  { "order", "bits of the index in the diagram: sift, pieces, interleaved, or letters, root first", "sift", 1,
    0, NULL },
  { "sums", "sifting: levels may test sums modulo 2 of bits", "no", 1, 0, "yes|no" },
  { "top", "auto, an array of roots where that is smaller; root, one root", "auto", 1, 0, "auto|root" },
  { "rounds", "sifting: rounds over all variables", "10", 1, 20, NULL },
  { "starts", "orders that sifting finds, the best finished diagram counts; 0: 1, with polish 4", "0", 0, 4,
    NULL },
  { "polish", "rounds over all variables with the size of the finished diagram, after sifting", "0", 0, 100,
    NULL },
  { "split", "digits of equal men: yes, their squares' bits; no, the digit's own", "yes", 1, 0, "yes|no" },
  { "merge",
    "free slots: leaves, from the leaves up; root, from the root down first; none, the most frequent symbol",
    "leaves", 1, 0, "leaves|root|none" },
  { "match", "new nodes: cover, those that fit most sub-tables; first, the first that fits", "cover", 1, 0,
    "cover|first" },
  { "nodes",
    "stored as sorted, pairs in rising order; edges, both edges; ideal, without the right edge if it leads behind the left one",
    "sorted", 1, 0, "sorted|edges|ideal" },
  { "choices", "nodes remembered for a sub-table", "1024", 1, 65536, NULL },
  { "pairs", "pairs of nodes tried for a sub-table", "1024", 1, 65536, NULL },
  { "clusters", "diagrams that a table may be divided into, where they are smaller together", "1", 1,
    SD_MAX_CLUSTERS, NULL },
  { 0 },
};

/* Only sifting finds several orders, and one that tests sums cannot be reached by exchanging what levels test
 * (choose_order). Matching has work even where no slot is free: codes without a slot are. */
const sd_overrule sd_obdd_overrules[] = {
  { "order", "sift", true, { "rounds", "starts", "sums" } },
  { "sums", "yes", false, { "starts" } },
  { "match", "first", false, { "pairs" } },
  { 0 },
};

/* One encoding. by.fill: for codes without a slot: a symbol that permits everything, or one more than there
 * are. */
typedef struct job {
  const sd_seq *seq;
  const sd_settings *set;
  sd_obdd_maker by;
} job;

static bool is (const sd_settings *set, const char *key, const char *word) {
  return strcmp (sd_settings_word (set, key), word) == 0;
}

static unsigned number (const sd_settings *set, const char *key) {
  return (unsigned) sd_settings_int (set, key);
}

/* The symbol that permits everything, or the number behind the last one: this alphabet has no such set. */
static sd_symbol free_symbol (const sd_alphabet *a) {
  for (unsigned x = 0; x < sd_alphabet_size (a); x++)
    if (sd_alphabet_choices (a, (sd_symbol) x) == sd_alphabet_main (a))
      return (sd_symbol) x;
  return (sd_symbol) sd_alphabet_size (a);
}

static uint32_t leaves_of (const job *j) {
  const unsigned size = sd_alphabet_size (j->by.alphabet);
  return j->by.fill < size ? size : size + 1;
}

/* The plain diagram in order v; after merging from the root, if that is wanted. */
static int in_order (const job *j, const sd_obdd_vars *v, bool from_root, sd_obdd_plain *out) {
  SD_OWNED sd_symbol *table = NULL;
  SD_TRY (sd_obdd_spread (v, j->seq, j->by.fill, &table));
  if (from_root)
    SD_TRY (sd_kristensen.merge_from_root (j->by.alphabet, table, v->n));
  return sd_obdd_plain_of_table (v->n, table, leaves_of (j), out);
}

/* Why, for a user who can change a setting. */
static int cannot_build (int status, sd_error *err) {
  if (status == SD_ERANGE)
    return sd_fail (err, status,
                    "obdd: merge=root: too many different sets of symbols; merge=leaves has no such limit");
  if (status == SD_ENOSPC)
    return sd_fail (err, status,
                    "obdd: a level's sets of nodes have more than 2^32 elements; take fewer choices "
                    "(choices=256 or less)");
  return status == SD_ESTOPPED ? status : sd_fail_memory (err, 0);
}

/* The order, and the plain diagram in it. */
static int choose_order (const job *j, sd_obdd_vars *v, sd_obdd_plain *p, sd_error *err) {
  const bool sift = is (j->set, "order", "sift");
  sd_obdd_search how = { .starts = number (j->set, "starts"),
                         .rounds = number (j->set, "rounds"),
                         .polish = number (j->set, "polish"),
                         .fill = j->by.fill,
                         .leaves = leaves_of (j) };

  /* More than one start is worth its time only if polishing compares whole codings afterwards. */
  if (how.starts == 0)
    how.starts = how.polish ? 4 : 1;
  if (!sift || j->by.sums) /* other orders cannot be reached by exchanging what levels test */
    how.starts = 1;

  int st = SD_OK;
  if (is (j->set, "order", "interleaved"))
    sd_kristensen.interleave (v);
  else if (sift) {
    st = sd_obdd_plain_of_seq (v, j->seq, j->by.fill, how.leaves, p);
    if (!st)
      st = sd_obdd_sift (v, p, how.rounds, j->by.sums, j->by.progress);
  } else if (!is (j->set, "order", "pieces") && sd_obdd_vars_parse (v, sd_settings_word (j->set, "order")))
    return sd_fail (err, SD_EINVAL,
                    "obdd: order=%s: expected sift, pieces, interleaved, or for each of the %u levels a "
                    "letter from a on, or a sum of letters in brackets",
                    sd_settings_word (j->set, "order"), v->n);
  /* Sifting leaves the diagram of its last order behind; the orders that are named have none yet. */
  if (!st && p->vars == 0)
    st = in_order (j, v, false, p);
  if (!st && (how.starts > 1 || how.polish > 0))
    st = sd_obdd_better_order (v, p, j->seq, &how, &j->by.opt, j->by.progress);
  /* The order was chosen with free slots left free. Merging from the root fixes them (Kristensen 2005,
   * 2.5), so that the diagram is made anew. */
  if (!st && is (j->set, "merge", "root")) {
    sd_obdd_plain_free (p);
    st = in_order (j, v, true, p);
  }
  return st ? cannot_build (st, err) : SD_OK;
}

/* The settings that building a diagram needs, as numbers. */
static sd_obdd_options options (const sd_seq *src, const sd_settings *set) {
  return (sd_obdd_options){ .form = is (set, "nodes", "edges")   ? SD_FORM_EDGES
                                    : is (set, "nodes", "ideal") ? SD_FORM_IDEAL
                                                                 : SD_FORM_SORTED,
                            .one_root = is (set, "top", "root"),
                            .choices = number (set, "choices"),
                            .pairs = number (set, "pairs"),
                            .slots = src->n,
                            .cover = is (set, "match", "cover") };
}

/* From a sequence to a stream. */
static int code (const sd_seq *src, const sd_settings *set, const sd_progress *progress, sd_buf *out,
                 sd_error *err) {
  sd_obdd_vars v;
  if (sd_obdd_vars_of (src, is (set, "split", "yes"), &v))
    return sd_fail (err, SD_ERANGE, "obdd: an index of %llu slots takes more than %d bits",
                    (unsigned long long) src->n, SD_OBDD_MAX_VARS);
  const job j = { .seq = src,
                  .set = set,
                  .by = { .alphabet = src->alphabet,
                          .fill = free_symbol (src->alphabet),
                          .opt = options (src, set),
                          .clusters = number (set, "clusters"),
                          .rounds = is (set, "order", "sift") ? number (set, "rounds") : 0,
                          .sums = is (set, "sums", "yes"),
                          .progress = progress } };
  SD_RELEASED_BY (sd_obdd_plain_free) sd_obdd_plain p = { 0 };
  int st = choose_order (&j, &v, &p, err);
  if (!st && (st = sd_obdd_put (&j.by, &v, &p, out)))
    cannot_build (st, err);
  return st;
}

int sd_obdd_encode (const sd_encoding *e, sd_buf *out, sd_error *err) {
  sd_seq seq = *e->src;
  SD_OWNED sd_symbol *definite = NULL;
  if (is (e->set, "merge", "none")) {
    if (sd_obdd_complete (e->src, "none", &definite) != SD_OK)
      return sd_fail_memory (err, seq.n * sizeof *seq.sym);
    seq.sym = definite;
  }
  return code (&seq, e->set, e->progress, out, err);
}
