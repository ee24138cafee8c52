/** \file subdef.h
 * Subdefinite data (Zakharov 2015, 1.5, after Sholomov 2009): an alphabet of main symbols, symbols that stand
 * for a non-empty subset of them, sequences of such symbols, and the initial replacement algorithms that
 * complete a part of the freedom before a codec starts. Uses base/. */
#ifndef SD_SUBDEF_H
#define SD_SUBDEF_H

#include "base/base.h"

/** A symbol: 0..m-1 are the main symbols, m.. the registered subdefinite ones. */
typedef uint16_t sd_symbol;

#define SD_MAX_MAIN 4096     /* main symbols of one alphabet */
#define SD_MAX_SYMBOLS 16384 /* main and subdefinite symbols of one alphabet */
#define SD_MAX_DIMS 16       /* radices that describe the shape of a sequence */

/* ---------------------------------------------------------------- alphabet */

/** Which main symbols each symbol permits, as rows of bits. Read-only after set-up and then thread-safe. The
 * members are private to subdef/; they stand here only so that sd_admits costs one load in the loops of the
 * codecs. */
typedef struct sd_alphabet {
  unsigned m, size, words; /* main symbols, all symbols, words of a row */
  unsigned zero;           /* the main symbol for the value 0 */
  uint64_t *bits;          /* [size * words] */
  uint16_t *choices;       /* [size] */
  uint16_t *table;         /* open addressing: symbol + 1 by the hash of its row, 0 = empty */
  unsigned cap, slots;     /* rows allocated; size of the table, a power of two */
} sd_alphabet;

/** m main symbols, 1 <= m <= SD_MAX_MAIN, no subdefinite ones. SD_EINVAL, SD_ENOMEM. */
int sd_alphabet_new (unsigned m, sd_alphabet **out);
void sd_alphabet_free (sd_alphabet *a);

/** The symbol for the subset given by bit v of set[v / 64]; an equal one is reused; a one-element set gives
 * the main symbol. SD_EINVAL: empty set, or a bit outside m; SD_ERANGE: more than SD_MAX_SYMBOLS; SD_ENOMEM.
 */
int sd_alphabet_add (sd_alphabet *a, const uint64_t *set, sd_symbol *out);

/** The symbol for lo..hi (inclusive): `*` is 0..m-1, Zakharov 2015's `#` is 0..1 of {lost, drawn, won}, n-up
 * is n..m-1, n-down is 0..n (or what part of it occurs). As above; SD_EINVAL: not lo <= hi < m. */
int sd_alphabet_add_range (sd_alphabet *a, unsigned lo, unsigned hi, sd_symbol *out);

/** Set the main symbol that stands for the value 0, or is next to it if there is none. Until it is set, it is
 * symbol 0. v < m. */
static inline void sd_alphabet_set_zero (sd_alphabet *a, unsigned v) {
  a->zero = v;
}
static inline unsigned sd_alphabet_zero (const sd_alphabet *a) {
  return a->zero;
}
static inline unsigned sd_alphabet_main (const sd_alphabet *a) { /* m */
  return a->m;
}
static inline unsigned sd_alphabet_size (const sd_alphabet *a) { /* main and subdefinite symbols */
  return a->size;
}
static inline const uint64_t *sd_alphabet_set (const sd_alphabet *a, sd_symbol s) { /* ceil (m / 64) words */
  return a->bits + (size_t) s * a->words;
}
static inline unsigned sd_alphabet_choices (const sd_alphabet *a,
                                            sd_symbol s) { /* main symbols that s permits */
  return a->choices[s];
}

/** May slot symbol s be completed by main symbol v? s < size, v < m. */
static inline bool sd_admits (const sd_alphabet *a, sd_symbol s, sd_symbol v) {
  return (sd_alphabet_set (a, s)[v >> 6] >> (v & 63)) & 1;
}

/** The admissible main symbol of s with the largest weight[0..m-1]; the smallest symbol wins a tie. */
sd_symbol sd_best_completion (const sd_alphabet *a, sd_symbol s, const uint64_t *weight);

/* ---------------------------------------------------------------- sequence */

/** n symbols over an alphabet, and the radices (most significant first, product n) of the index they stand
 * in; ndims = 0: no shape is known. Plain struct; whoever made `sym` frees it. */
typedef struct sd_seq {
  const sd_alphabet *alphabet;
  sd_symbol *sym;
  uint64_t n;
  unsigned ndims;
  uint32_t radix[SD_MAX_DIMS];
} sd_seq;

/** freq[0..size - 1] = how often each symbol stands in sym[0..n-1], size >= 1. SD_EINVAL: one of them is not
 * below size, and freq is of no use. Thread-safe; uses OpenMP. */
int sd_count_symbols (const sd_symbol *sym, uint64_t n, unsigned size, uint64_t *freq);

/** The same for a sequence: freq[0..sd_alphabet_size - 1] = occurrences. SD_EINVAL if a symbol is outside the
 * alphabet. */
int sd_seq_frequencies (const sd_seq *s, uint64_t *freq);

/** Index of the first slot of s that does not admit completion[i], or n if all do. */
uint64_t sd_seq_first_violation (const sd_seq *s, const sd_symbol *completion);

/* ----------------------------------------------------------------- entropy */

#define SD_MAX_WORD 16 /* slots of a word of sd_seq_entropy */

/** The entropy of a sequence as subdefinite data (Sholomov 2009), in bits, of the whole sequence. */
typedef struct sd_entropy {
  double bits;     /* of the distribution that was found */
  double at_least; /* no distribution has less than this */
  uint64_t sets;   /* different words that are not free everywhere */
  unsigned rounds; /* of the iteration */
} sd_entropy;

/** Cut s into words of `length` slots (the last one is filled up with free slots). With p_T the share of the
 * words that admit the set T of words of main symbols, the entropy of a word is the minimum over all
 * distributions q of -sum_T p_T log2 q(T), q(T) = sum over i in T of q_i. The iteration
 * q_i <- q_i sum over T containing i of p_T / q(T) comes down to it; it ends when `bits` is within
 * `tolerance` (a share of it, > 0) of `at_least`, or after `rounds` rounds. A code that codes words one by
 * one, with a distribution that does not change, needs `at_least` bits or more, its model not counted.
 * SD_EINVAL: length outside 1..SD_MAX_WORD, or a symbol outside the alphabet. SD_ERANGE: more words than
 * 2^20 of main symbols, or sets whose shares are sums of more than 2^27 terms altogether; SD_ENOMEM.
 * docs/limits.md */
int sd_seq_entropy (const sd_seq *s, unsigned length, double tolerance, unsigned rounds, sd_entropy *out,
                    sd_error *err);

/* ----------------------------------------------------- initial replacement */

struct sd_symbol_counts;

/** An initial replacement: an algorithm that completes some or all subdefinite symbols in place (Zakharov
 * 2015, 1.7.1, 1.8, 1.9). */
typedef struct sd_initial {
  const char *name;    /* as a user writes it: initial=NAME or initial=NAME:PARAM */
  const char *summary; /* one line for --help */
  const char *source;  /* document and section */
  bool takes_param;    /* e.g. constant:3 */
  bool completes;      /* leaves no slot free */
  /** NULL: leaves every slot as it is. c: counts of s. SD_EINVAL, SD_ENOMEM. */
  int (*run) (sd_seq *s, const struct sd_symbol_counts *c, unsigned param, sd_error *err);
} sd_initial;

/** All of them; *n receives the count. */
const sd_initial *const *sd_initial_all (size_t *n);

/** Apply a chain "alg2+full" from left to right to s->sym in place. SD_EINVAL: unknown name, parameter
 * missing, not expected or not below m, a symbol outside the alphabet. SD_ENOMEM. */
int sd_initial_apply (const char *chain, sd_seq *s, sd_error *err);

/** Is the chain well-formed? SD_EINVAL as above, as far as it can be told without a sequence. */
int sd_initial_check (const char *chain, sd_error *err);

/** Does every link of a well-formed chain change something? Not so where `none` stands in a chain of several,
 * behind one that completes all slots, and, if all that is left free is completed by the most frequent symbol
 * anyway (`completed`), `none` alone and `frequent` behind others. SD_EINVAL: which link, and why. */
int sd_initial_check_effect (const char *chain, bool completed, sd_error *err);

/** Complete every remaining subdefinite symbol by the most frequent main symbol it admits. SD_EINVAL,
 * SD_ENOMEM. */
int sd_complete_frequent (sd_seq *s);

#endif
