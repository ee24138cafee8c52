/** \file parts.h
 * A game solved part by part, inside gen/ only. */
#ifndef SD_GEN_PARTS_H
#define SD_GEN_PARTS_H

#include "gen/gen.h"

typedef struct sd_gen_parts sd_gen_parts;

/** Bytes of values that are mapped at one time while a table is written. */
enum { SD_PARTS_MAPPED = 32 << 20 };

/** Collective: solve all parts of `whole`, whose values come to lie in a file at path; `name` and path are
 * the caller's until the parts are freed, as `whole` is. With a checkpoint among the options the file stays
 * after a failure, for the run that goes on. *solution reads what *out has; free *out, also after a failure.
 * stats may be NULL. */
int sd_gen_parts_solve (const sd_gen_run *run, const sd_game *whole, const char *name, const char *path,
                        sd_gen_parts **out, sd_solution *solution, sd_solve_stats *stats, sd_error *err);

/** Leaves the file. */
void sd_gen_parts_free (sd_gen_parts *p);

#endif
