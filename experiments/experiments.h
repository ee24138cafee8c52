/** \file experiments.h
 * What the programs need of this room: running sweeps, merging their stores, reports of their rows, bounds
 * and estimates. */
#ifndef SD_EXPERIMENTS_H
#define SD_EXPERIMENTS_H

#include "experiments/limits/limits.h"
#include "experiments/report/report.h"
#include "experiments/run/run.h"
#include "experiments/store/store.h"

#endif
