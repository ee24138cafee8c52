/* What estimate.c asks of the models in estimate_model.c. */
#ifndef SD_GEN_ESTIMATE_INTERNAL_H
#define SD_GEN_ESTIMATE_INTERNAL_H

#include "gen/gen.h"

/* How a game ends, before it is solved. */
typedef struct sd_outlook {
  bool published;    /* else a model */
  double decided[2]; /* by side to move: part of the positions that are won or lost */
  unsigned plies;    /* longest distance to mate */
} sd_outlook;

/** m: canonical. */
void sd_estimate_outlook (const sd_material *m, sd_outlook *out);
/** Bytes of the table for each slot. */
double sd_estimate_density (const sd_material *m, const sd_outlook *o);
/** Seconds of a core for solving and for coding. */
double sd_estimate_seconds (uint64_t states, uint64_t marks, unsigned iterations, uint64_t file_bytes);

#endif
