/* What estimate.c asks of the models in estimate_model.c. */
#ifndef SD_GEN_ESTIMATE_INTERNAL_H
#define SD_GEN_ESTIMATE_INTERNAL_H

#include "gen/gen.h"

/* How a game ends, before it is solved. */
typedef struct sd_outlook {
  bool published;    /* else a model */
  double decided[2]; /* by side to move: part of the positions that are won or lost */
  unsigned plies;    /* of the longest mate */
  /* by side to move: chance that another position of a decided one's row is decided in the same ply */
  double together[2];
} sd_outlook;

/** m: canonical. */
void sd_estimate_outlook (const sd_material *m, sd_outlook *out);

/** Words that a mark of a decided position with `side` to move takes on its way to another rank, on average;
 * together: chance that another position of its row is decided in the same ply. SD_ENOMEM. (estimate_runs.c)
 */
int sd_estimate_words (const sd_game *survey, const sd_deal *deal, unsigned side, double together,
                       double *out, sd_error *err);

/** Bytes of the table for each slot. */
double sd_estimate_density (const sd_material *m, const sd_outlook *o);

/** Seconds of a core for solving and for coding. */
double sd_estimate_seconds (uint64_t states, uint64_t marks, unsigned iterations, uint64_t file_bytes);

#endif
