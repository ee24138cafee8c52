/** \file experiments.h
 * What the programs need of this room: running sweeps, merging their stores, making reports of their rows. */
#ifndef SD_EXPERIMENTS_H
#define SD_EXPERIMENTS_H

#include "experiments/report/report.h"
#include "experiments/run/run.h"
#include "experiments/store/store.h"

#endif
