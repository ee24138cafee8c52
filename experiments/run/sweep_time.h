/** \file sweep_time.h
 * How long a sweep will take: cells of one class (codec, settings, metric, coding) cost so many seconds a slot,
 * learnt from rows that there are, those of this sweep included (sweep_time.c). */
#ifndef SD_SWEEP_TIME_H
#define SD_SWEEP_TIME_H

#include "experiments/experiments_internal.h"

/** What is known of one class of cells. */
typedef struct sd_cost_class {
  const sd_codec *codec;
  char settings[SD_SETTINGS_TEXT];
  enum sd_metric metric;
  double seconds, slots; /* of the rows that there are */
  double left;           /* slots of cells that are still to be computed */
  double timings;        /* seconds that timing them will take */
} sd_cost_class;

typedef struct sd_costs {
  sd_cost_class *at;
  size_t n, cap;
  double started; /* 0: not yet */
  double done;    /* seconds of work, as the classes see them, of cells that this run has computed */
  unsigned jobs;
} sd_costs;

void sd_costs_free (sd_costs *c);
/** The class of a cell, made if need be: its number, or SIZE_MAX (no memory). */
size_t sd_costs_class (sd_costs *c, const sd_cell *cell);
/** Seconds that so many slots of a class take. */
double sd_costs_of (const sd_costs *c, size_t class, double slots);
/** Seconds that timing a cell takes, which are the same for all codecs. */
double sd_timing_seconds (bool latency, bool probe);
/** A cell was computed. */
void sd_costs_learn (sd_costs *c, size_t class, double slots, double seconds);
/** Seconds that are left: what is still to be computed at the pace that was seen up to now. `running`: seconds
 * of work that are already done of cells that are not complete; elapsed: since the work began. */
double sd_costs_left (const sd_costs *c, double running, double elapsed);
/** Slots of an ending's index for one side, about: the leader's squares times those of the others. */
double sd_material_slots (const sd_material *m);
/** Learn from the rows of a store. */
int sd_costs_learn_rows (sd_costs *c, sd_store *store, sd_error *err);

#endif
