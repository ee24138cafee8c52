/** \file verify.h
 * What verify.c and verify_search.c share. */
#ifndef SD_TOOLS_VERIFY_H
#define SD_TOOLS_VERIFY_H

#include "tools/tools_internal.h"

/** What is to be proved by searching. */
typedef struct sd_proof_options {
  unsigned samples;      /* mates to prove, and as many other values at most; 0: by `positions` */
  unsigned moves;        /* longer mates are not searched for */
  unsigned seed;         /* of the sample */
  const char *positions; /* a file of FENs instead of a sample, "-": standard input; NULL: a sample */
} sd_proof_options;
/** Compare values of the chess table t, of WDL or DTM, with what a search for mates finds, which reads no
 * table. path: where tables are that restoring t's values needs. Each wrong value is a sentence on stderr;
 * said[0..cap-1] tells what was proved. SD_EDIFF: some are wrong, and how many; SD_EUNSUPPORTED: a table of
 * another kind. verify_search.c */
int sd_verify_by_search (const char *path, const sd_table *t, const sd_proof_options *how, char *said,
                         size_t cap, sd_error *err);

#endif
