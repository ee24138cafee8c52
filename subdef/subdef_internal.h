/** \file subdef_internal.h
 * What the initial replacement algorithms share. Not for other rooms. */
#ifndef SD_SUBDEF_INTERNAL_H
#define SD_SUBDEF_INTERNAL_H

#include "base/parts.h"
#include "subdef/subdef.h"

/** Frequencies of a sequence and, for each symbol that occurs, its most frequent completion. */
typedef struct sd_symbol_counts {
  uint64_t *freq;  /* [size] */
  sd_symbol *best; /* [size] a main symbol: itself */
  bool any_free;   /* some subdefinite symbol occurs */
} sd_symbol_counts;

/** SD_EINVAL: a symbol outside the alphabet; SD_ENOMEM. Nothing to free on failure. */
int sd_symbol_counts_new (const sd_seq *s, sd_symbol_counts *c);
void sd_symbol_counts_free (sd_symbol_counts *c);

/** Every slot becomes best[its symbol]. */
void sd_seq_replace (sd_seq *s, const sd_symbol *best);

/** pair[A * m + B] = how often the main symbols A B are neighbours; NULL: out of memory. At most 8 * 4096^2
 * bytes, of which the operating system hands out only the rows in use. */
uint64_t *sd_count_main_pairs (const sd_seq *s);

/* The algorithms. Their `run` knows that the symbols lie inside the alphabet. */
#define SD_INITIAL(name) extern const sd_initial sd_initial_##name;
#include "subdef/initials.def"
#undef SD_INITIAL

/** sd_seq_entropy, which also gives the distribution that was found: (*q)[0 .. main symbols ^ length - 1], a
 * word being a number with the main symbols as the base and its first slot as the highest digit. free () it;
 * NULL: all words are free, or it failed. q NULL: not wanted. */
typedef struct sd_entropy_options {
  unsigned length, rounds;
  double tolerance;
} sd_entropy_options;
int sd_seq_entropy_of (const sd_seq *s, const sd_entropy_options *how, sd_entropy *out, double **q,
                       sd_error *err);

#endif
