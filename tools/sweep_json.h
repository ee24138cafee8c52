/** \file sweep_json.h
 * What `subdef sweep --status --json` prints. */
#ifndef SD_SWEEP_JSON_H
#define SD_SWEEP_JSON_H

#include "experiments/run/run.h"

/** The status of a sweep on stdout, one object on a line; ctx is not used. */
void sd_sweep_json (void *ctx, const sd_sweep_status *status);

#endif
