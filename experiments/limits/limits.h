/** \file limits.h
 * How short subdefinite data can be: bounds and estimates beside what the codecs reach. docs/limits.md says
 * what each figure is. Uses recode/ and what is below it. */
#ifndef SD_LIMITS_H
#define SD_LIMITS_H

#include "recode/recode.h"

/** What a figure of the ladder is. */
enum sd_limit_kind {
  SD_LIMIT_ENTROPY, /* of words of slots, each by itself: a bound for codes of such words */
  SD_LIMIT_NEARBY,  /* of slots behind some of their neighbours: the code length of one completion */
  SD_LIMIT_MIXED,   /* by context mixing: a code length, but no codec */
  SD_LIMIT_SIZE,    /* of a codec's stream */
  SD_LIMIT_KINDS
};
extern const char *const sd_limit_kind_name[SD_LIMIT_KINDS];

/** A figure. */
typedef struct sd_limit {
  enum sd_limit_kind kind;
  char name[96];   /* "words of 4 slots", "repair" */
  double bytes;    /* NaN: there is none, and `why` says it */
  double at_least; /* entropies: what no distribution can be below; NaN for all others */
  double model;    /* numbers of the model that are not counted in bytes; 0: none, or all is counted */
  double seconds;  /* CPU time it took */
  char why[128];
} sd_limit;

enum { SD_MAX_WORDS = 8 };

/** What is asked for. */
typedef struct sd_limits_options {
  unsigned word[SD_MAX_WORDS], words; /* entropies of words of so many slots */
  bool nearby, mixed;
  bool board; /* the digits of the index are squares, where they have a multiple of 8 values: endings */
  const char *codecs;   /* names with commas, "all", or NULL: none */
  const char *settings; /* of these codecs; NULL: their defaults */
} sd_limits_options;

/** The figures for d, in the order of enum sd_limit_kind: (*out)[0..*n-1]; free () them, after a failure
 * too.
 * A figure that cannot be made is a row with its reason, and the figures behind it are made all the same. If
 * that is because it is too large or not supported, sd_limits succeeds; else it gives the first such failure
 * at the end. SD_EINVAL: unknown codec or settings, before any figure is made; SD_ENOMEM. err may be NULL. */
int sd_limits (const sd_subdefined *d, const sd_limits_options *how, const sd_progress *progress,
               sd_limit **out, uint64_t *n, sd_error *err);

/** Code length in bits of the best completion that was found, each slot behind the values of its first
 * `neighbours` neighbours (sd_nearby), with the shares of that completion itself; slots that admit everything
 * cost nothing. *model: the numbers of that distribution that are not 0. SD_ERANGE: the alphabet is too large
 * for so many neighbours; SD_ENOMEM. board: as in sd_limits_options. conditional.c */
int sd_nearby_entropy (const sd_seq *s, bool board, unsigned neighbours, double *bits, double *model,
                       sd_error *err);

/** Code length in bits by context mixing of binary decisions, learnt on the way: nothing but the program and
 * some 240 MB of memory are behind it. free_known: slots that admit everything cost nothing, as if the reader
 * knew which these are; else they are coded like all others. The same number each time. SD_ENOMEM. */
int sd_mixed_length (const sd_seq *s, bool board, bool free_known, const sd_progress *progress, double *bits,
                     sd_error *err);

#endif
