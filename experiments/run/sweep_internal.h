/** \file sweep_internal.h
 * What the files of the runner share: sweep.c (the whole, and what the user sees of it), sweep_plan.c (what is
 * to be done), sweep_work.c (who does it). */
#ifndef SD_SWEEP_INTERNAL_H
#define SD_SWEEP_INTERNAL_H

#include "experiments/run/cell.h"
#include "experiments/run/sweep_time.h"
#include <pthread.h>

#define SD_MAX_JOBS 256
#define SD_BATCH 16                    /* cells timed together */
#define SD_BATCH_BYTES (UINT64_C (256) << 20) /* or so many coded bytes */

/** Subdefined data that several units share. */
typedef struct sd_base {
  sd_material material;
  unsigned side, freedom;
  enum sd_coding coding;
  const sd_exact *exact;
  size_t users; /* units that still need it */
  enum { SD_UNTOUCHED, SD_IN_WORK, SD_READY } state;
  sd_subdefined *data;
  uint64_t positions;
} sd_base;

/** Cells of one sequence, which one worker codes one after the other. */
typedef struct sd_unit {
  size_t first, count; /* in todo */
  size_t base;
} sd_unit;

/** A coded cell that waits for being timed. */
typedef struct sd_pending {
  sd_cell *cell;
  sd_layout layout;
  sd_row row;
  sd_coded coded;
} sd_pending;

/** What a worker does at this moment. */
typedef struct sd_busy {
  const sd_cell *cell; /* NULL: nothing */
  double since;
} sd_busy;

typedef struct sd_runner {
  sd_sweep *sweep;
  const sd_sweep_options *opt;
  sd_store *store;
  sd_exacts *exacts;
  sd_probe_set *neighbours;
  int jobs;

  sd_provenance run; /* stored with the first row */
  bool registered;
  sd_material *need; /* tables to load, each after its successors */
  size_t nneed;
  sd_costs costs;
  size_t *class;  /* of each cell of the sweep */
  bool *counted;  /* [cell] costs.left holds it */
  double started; /* computing began */
  double beaten;  /* last sign of life in the store */

  sd_cell **todo; /* of this phase */
  size_t ntodo;
  sd_base *base;
  size_t nbases;
  sd_unit *unit;
  size_t nunits;

  pthread_mutex_t lock; /* guards all below, the costs and the store */
  pthread_cond_t changed;
  size_t next;          /* unit */
  int running, resting; /* workers */
  bool rest;            /* they are asked to rest */
  sd_pending batch[SD_BATCH + SD_MAX_JOBS];
  size_t nbatch;
  uint64_t batch_bytes;
  sd_busy busy[SD_MAX_JOBS];
  size_t claimed; /* cells of this pass that were free to be computed here */
  uint64_t cells, there, computed, failed;
  char now[160]; /* what is being done, for the user */
  double load_done, load_all, load_item, load_mark, load_since; /* loading: slots; times of the last end */
  int status;
  sd_error error;
} sd_runner;

/* sweep_plan.c */
bool sd_wanted (const sd_sweep_options *opt, const sd_sweep *s, const sd_cell *c);
/** The times that its group asks for. */
sd_times sd_cell_times (const sd_sweep *s, const sd_cell *c);
/** What can be known before anything runs: classes of cells with their costs, tables that are needed. SD_EINVAL:
 * nothing is wanted. */
int sd_plan_all (sd_runner *r, sd_error *err);
/** SD_ENOENT: which of the tables that are needed are missing. */
int sd_plan_check_tables (const sd_runner *r, sd_error *err);
/** The cells of a phase that have no row yet; resolves best orders. first: of several plans of the phase. */
int sd_plan_phase (sd_runner *r, unsigned phase, bool first, sd_error *err);
int sd_list_cells (sd_runner *r, sd_error *err);
/** The cell is no work any more: computed here, or done elsewhere. */
void sd_uncount (sd_runner *r, const sd_cell *c);

/* sweep_work.c */
/** Start the workers on what was planned; returns how many run. */
int sd_work_start (sd_runner *r, pthread_t *thread);
/** Time the cells that wait for it. All workers rest or are gone; lock held. */
void sd_work_measure (sd_runner *r);
/** Lock held. */
void sd_work_stop (sd_runner *r, int status, const sd_error *err);

/* sweep.c */
/** Signs of life, to the user and in the store. Lock held. */
void sd_tick (sd_runner *r);

#endif
