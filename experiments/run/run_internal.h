/** \file run_internal.h
 * What the files of the runner share: a sweep and its cells, one cell, the time left, the runner itself. */
#ifndef SD_RUN_INTERNAL_H
#define SD_RUN_INTERNAL_H

#include "base/eta.h"
#include "experiments/run/run.h"
#include "experiments/statistics/statistics.h"
#include "experiments/store/store.h"
#include <pthread.h>

/* ----------------------------------------------------------- a sweep and its cells */

/** One cell: one side of one table, coded in one way. */
typedef struct sd_cell {
  sd_name name;   /* the values of its axes as texts */
  unsigned group; /* index into sd_sweep.group */
  unsigned phase; /* cells that ask for the best order of another group run after it */
  sd_material material;
  enum sd_metric metric;
  enum sd_coding coding;
  unsigned side; /* 0, 1; 2: both in one stream */
  unsigned freedom;    /* bits of SD_FREE_... */
  unsigned part;       /* one slot in so many is coded; 0: all of them */
  int best_of;         /* group whose best order is taken, or -1 */
  bool keep_numbering; /* best_of: take only the order, the numbering is an axis of this group */
  const sd_codec *codec;
  uint64_t array; /* slots of an array, which has none of material, metric, coding, side and best_of; 0: an
                     ending */
} sd_cell;

typedef struct sd_sweep_group {
  char name[48];
  bool latency, probe; /* time single gets; time whole probes too */
  unsigned phase;      /* cells of phase 0 run first; see sd_cell.phase */
} sd_sweep_group;

typedef struct sd_sweep {
  char *path, *text; /* the file and what is in it */
  char title[128];
  uint64_t seed;
  sd_sweep_group *group;
  unsigned ngroups, nphases; /* nphases: the largest phase and 1 */
  sd_cell *cell;
  uint64_t ncells, cap; /* cap: cells that there is room for */
} sd_sweep;

/** Read, check and expand a sweep file. SD_EINVAL: "FILE:LINE: what". */
int sd_sweep_read (const char *path, sd_sweep **out, sd_error *err);
/** With some keys overridden, "key=value" each. */
int sd_sweep_read_with (const char *path, const char *const *overrides, size_t n, sd_sweep **out,
                        sd_error *err);
void sd_sweep_free (sd_sweep *s);
SD_LEFT_BY (sd_sweep, sd_sweep_free)

/** Its group and the values of its axes, which make a row unique:
 * "GROUP/KRvKP/wdl/wdl/w/all/KRkP/rows/repair/block=128,..."; returns key. axes.c */
#define SD_KEY_TEXT (SD_SETTINGS_TEXT + SD_TABLE_TEXT + 256)
const char *sd_cell_key (const sd_cell *c, char key[SD_KEY_TEXT]);
/** The same for a list that people read: each axis has a column, empty or not, with a tab between two. NULL:
 * what the columns are called. */
void sd_cell_columns (const sd_cell *c, char *out, size_t cap);
/** Which rows of a group the best order of a cell comes from: of cells that share them the same number, a
 * hash. sweep_read.c */
uint64_t sd_cell_orders (const sd_cell *c, unsigned group);
/** Do they share the subdefined data? And the sequence? */
bool sd_cells_share_base (const sd_cell *x, const sd_cell *y);
bool sd_cells_share_unit (const sd_cell *x, const sd_cell *y);

/** What runs here and now; command: what the user typed, or NULL. The texts are the caller's (see
 * sd_provenance_clear). SD_ENOMEM. */
int sd_run_here (const sd_sweep *s, unsigned jobs, const char *command, sd_provenance *out, sd_error *err);
/* --------------------------------------------------------------------- one cell */

/** CPU times of the same work, done several times: of the thread that asks, which is all that a cell takes,
 * since workers start no threads. effort.c */
#define SD_MOST_EFFORTS 9
typedef struct sd_efforts {
  double enough; /* seconds of CPU time that are to be seen; a time that is longer counts alone */
  double cpu[SD_MOST_EFFORTS]; /* of each that is over */
  size_t n;
  double now, sum;        /* CPU time of the one in work, and of all */
  double first, wall;     /* seconds by the clock of the first, and of all */
  int64_t cpu_at;         /* it went on */
  double wall_at;
} sd_efforts;
#define SD_ENOUGH_S 0.01       /* for sizes */
#define SD_ENOUGH_TIMED_S 0.1 /* for groups that ask for times */
void sd_efforts_go (sd_efforts *e);
void sd_efforts_pause (sd_efforts *e);
/** One is over. */
void sd_efforts_count (sd_efforts *e);
/** Should it be done once more? Up to `enough` seconds together, three times at least, if the first took
 * less. */
bool sd_efforts_more (const sd_efforts *e);
/** Where the median of several times goes, its bounds (95 %) and their number; of calls, too, the 99th
 * percentile of single ones (from 100 on) and the largest median of a repeat by the smallest. */
typedef struct sd_spread_to {
  double *median, *low, *high;
  uint64_t *samples;
  double *p99, *scatter;
} sd_spread_to;
/** The bounds of fewer than three are NaN. */
void sd_efforts_note (const sd_efforts *e, uint64_t seed, sd_spread_to to);

/** SD_EDIFF unless decoding gives an admissible value for every slot; *e: what sd_codec_read takes. */
int sd_cell_verify (const sd_seq *seq, const sd_decoder *d, sd_efforts *e, sd_error *err);

/** Positions to time with, and small tables of everything that a probe asks on its way. */
typedef struct sd_probe_set sd_probe_set;
#define SD_SAMPLES 4096

int sd_probe_set_new (sd_probe_set **out, sd_error *err);
void sd_probe_set_free (sd_probe_set *p);
/** Build what probes of m under a metric need (m itself and all its successors, loaded in e), `jobs` at a
 * time. */
int sd_probe_set_need (sd_probe_set *p, sd_values *s, const sd_material *m, enum sd_metric metric, int jobs,
                       sd_error *err);
/** Is it the name of an array's file? Its values are made: cell->name, cell->array. cell_array.c */
bool sd_cell_is_array (const char *table);
int sd_cell_array_set (sd_cell *cell, const char *path, sd_error *err);
/** The array of a cell as subdefinite data. SD_EDIFF: it has other slots than when the sweep was read. */
int sd_cell_array_load (const sd_cell *cell, sd_subdefined **out, sd_error *err);
/** Times of calls, of several repeats one behind the other. Where one call is too short for the clock,
 * `together` calls are timed as one, and ns has their means; their 99th percentile then comes from single
 * calls, for which the clock is good enough. */
#define SD_REPEATS 5
typedef struct sd_calls {
  double *ns, *single;
  size_t n, repeats, end[SD_REPEATS]; /* where each repeat ends */
  size_t nsingle, together;           /* together: 0: not known yet */
} sd_calls;
void sd_times_free (sd_calls *c);
/** Sorts the times. Drawn for the bounds are repeats, and times of these; seed: of that. */
void sd_times_note (sd_calls *c, uint64_t seed, sd_spread_to to);
/** A repeat of sd_codec_get at random legal positions of a cell, other ones in each repeat, which stands in
 * the layout of ix. Seven
 * arguments, here and below, because the cell owns neither the layout nor the decoder. */
int sd_latency_get (const sd_cell *cell, const sd_exact *e, uint64_t seed, const sd_indexer *ix,
                    const sd_decoder *d, sd_calls *out, sd_error *err);
/** The same at random slots of an array. */
int sd_latency_array (const sd_cell *cell, uint64_t seed, const sd_decoder *d, sd_calls *out, sd_error *err);
/** The same for whole probes with `table` in front; each answer is compared with the exact value (SD_EDIFF).
 */
int sd_latency_probe (const sd_cell *cell, const sd_probe_set *p, sd_values *exacts, uint64_t seed,
                      const sd_table *table, sd_calls *out, sd_error *err);

/** A coded cell: a stream with its decoder, or a container image with its table (then the decoder is the
 * table's). */
typedef struct sd_cell_coded {
  sd_buf bytes; /* of the stream, or of the whole container */
  const sd_decoder *decoder;
  sd_table *table;
  sd_codec_parts parts; /* of the stream */
  uint64_t stream;      /* its bytes */
} sd_cell_coded;
void sd_cell_coded_free (sd_cell_coded *c);

/** How a cell is coded. */
typedef struct sd_cell_how {
  const sd_layout
      *image; /* the order that its data stands in, where a whole table is to be made; NULL: the stream */
  double enough;          /* sd_efforts.enough */
  uint64_t seed;          /* of bounds */
} sd_cell_how;
/** Encode, open, decode and verify; fills what the stream tells, and how long it took, into *row. */
int sd_cell_run (const sd_cell *cell, const sd_cell_how *how, const sd_subdefined *d, sd_row *row,
                 sd_cell_coded *out, sd_error *err);
/** Slots that permit more than one value. */
uint64_t sd_count_free (const sd_seq *s);

/** "no" or "1/16": *part is 0 or 16. SD_EINVAL: neither. sample.c */
int sd_sample_parse (const char *text, unsigned *part, sd_error *err);
/** The slices of a table that a cell with c->part codes, in the layout of ix; the first digit of *out is
 * their number. One stream for both sides has none. The same on each call, with any number of threads. */
int sd_sample_take (const sd_cell *c, const sd_values *s, const sd_exact *e, const sd_indexer *ix,
                    sd_subdefined **out, sd_error *err);
/** Codes lots of what sd_sample_take gave, each alone: what they take together, with bounds, into *row. */
int sd_sample_lots (const sd_cell *c, const sd_settings *set, const sd_subdefined *d, sd_row *row,
                    sd_error *err);

/* ------------------------------------------------------------------- the time left
 * Cells of one class (codec, settings, metric, coding) cost so many seconds a slot, learnt from rows that
 * there are, those of this sweep included (sweep_time.c). */

/** What is known of one class of cells. */
typedef struct sd_cost_class {
  const sd_codec *codec;
  enum sd_metric metric;
  char settings[SD_SETTINGS_TEXT];    /* "": of all settings; then metric may be of all metrics */
  double seconds, slots;              /* of the rows that there are */
  double left;                        /* slots of cells that are still to be computed */
  struct sd_cost_class *wider, *next; /* the class that has this one, NULL: none; of all classes */
} sd_cost_class;

typedef struct sd_costs {
  void *tree; /* of classes, by <search.h> */
  sd_cost_class *all;
  double timings; /* seconds that timing what is left will take, one at a time */
  unsigned jobs;
} sd_costs;

/** What a cell costs. */
typedef struct sd_cost {
  sd_cost_class *class;
  double slots, timing; /* timing: seconds, the same for all codecs */
} sd_cost;

void sd_costs_free (sd_costs *c);
/** False: no memory. */
bool sd_costs_cell (sd_costs *c, const sd_cell *cell, bool latency, bool probe, sd_cost *out);
/** Seconds that coding takes. */
double sd_cost_coding (const sd_cost *k);
/** Is that more than a guess: are there rows of the codec? */
bool sd_cost_is_known (const sd_cost *k);
/** The cell is still to be computed (more: 1), or no more (-1). */
void sd_costs_count (sd_costs *c, const sd_cost *k, int more);
/** A cell was computed. */
void sd_cost_learn (const sd_cost *k, double seconds);
/** Seconds that all that is left takes on a machine without other work: what is still to be computed, by all
 * workers, and what is still to be timed, while they rest. */
double sd_costs_left (const sd_costs *c);
/** The same of one cell. */
double sd_costs_share (const sd_costs *c, const sd_cost *k);
/** Slots of a cell, about. */
double sd_cell_slots (const sd_cell *c);
/** Slots of an ending's index for one side, about: the leader's squares times those of the others. */
double sd_material_slots (const sd_material *m);
/** Learn from the rows of a store. */
int sd_costs_learn_rows (sd_costs *c, sd_store *store, sd_error *err);

/* ---------------------------------------------------------------------- the runner */

#define SD_MAX_JOBS 256
#define SD_BATCH 16                           /* cells timed together */
#define SD_BATCH_BYTES (UINT64_C (256) << 20) /* or so many coded bytes */

/** Subdefined data that several units share. */
typedef struct sd_base {
  const sd_cell *cell;   /* the first of them */
  const sd_exact *exact; /* NULL: an array */
  size_t users;          /* units that still need it */
  enum { SD_UNTOUCHED, SD_IN_WORK, SD_READY } state;
  int status; /* why it cannot be made */
  sd_error why;
  sd_subdefined *data[2]; /* of the side; of both for one stream */
  uint64_t positions;
  double seconds; /* that making the data took, and no row tells yet */
} sd_base;

/** Cells of one sequence, which one worker codes one after the other. */
typedef struct sd_unit {
  size_t first, count; /* in todo */
  size_t base;         /* number of its base in sd_runner.base */
} sd_unit;

/** A coded cell that waits for being timed. */
typedef struct sd_pending {
  sd_cell *cell;
  sd_layout layout;
  sd_row row;
  sd_cell_coded coded;
  sd_calls get, probe;
  double seconds; /* that timing it took up to now */
} sd_pending;

/** What a worker does at this moment. */
typedef struct sd_busy {
  const sd_cell *cell; /* NULL: nothing */
  double since;
  size_t at;           /* its place in todo */
  const sd_unit *unit; /* NULL: none */
} sd_busy;

/** A cell that is over, and not in the store yet: its row, or why it failed. */
typedef struct sd_finished {
  const sd_cell *cell;
  int status;
  sd_row row;
  sd_error why;
} sd_finished;

/** What is known of a cell of todo. */
enum sd_owner { SD_NOT_ASKED, SD_OURS, SD_NOT_OURS };

/** The last answer to the question for a best order. */
typedef struct sd_best_known {
  bool there;
  uint64_t orders; /* sd_cell_orders */
  int status;
  sd_name answer; /* of the cell that asked, with the order that was found */
  sd_error why;
} sd_best_known;

/** What becomes of a cell of the sweep. */
typedef struct sd_cell_state {
  unsigned part; /* from 0 */
  sd_cost cost;
  bool broken;  /* it failed in this run */
  bool stored;  /* this run has stored its row */
  bool counted; /* the costs have it as left */
} sd_cell_state;

typedef struct sd_runner {
  sd_sweep *sweep; /* which it owns, with all below but `opt` */
  const sd_sweep_options *opt;
  sd_store *store;      /* NULL: a dry run of a sweep that has none yet */
  enum sd_metric exact; /* what `exacts` says, of which all cells are made */
  sd_values *exacts;
  sd_probe_set *neighbours; /* small tables of what probes ask; NULL before it is made */
  int jobs;

  sd_provenance run; /* stored with the first row */
  bool registered;   /* the run is in the store */
  sd_best_known *best; /* one answer, which cells of one sequence ask for again */
  sd_material *need; /* tables to load, each after its successors */
  uint64_t nneed, need_cap;
  sd_costs costs;
  sd_cell_state *state; /* [sweep->ncells] */
  double there_work; /* sd_costs_share of cells that had their rows when the sweep began */
  sd_eta estimate;
  double started; /* computing began */
  double beaten;  /* last sign of life in the store */
  double ticked;  /* and to the user */
  sd_busy_clock window; /* since it was last seen what other programs use */
  double others; /* cores that other programs kept busy in the last second or so; NaN: not known */

  sd_cell **left; /* cells of this phase that had no row when they were looked at last */
  size_t nleft;
  sd_cell **todo; /* those of them that are to be computed now */
  size_t ntodo;
  unsigned char *owner; /* [todo] enum sd_owner */
  sd_base *base;        /* [nbases], with room for one a cell */
  size_t nbases;
  sd_unit *unit; /* [nunits], by rising places in todo */
  size_t nunits;

  pthread_mutex_t lock; /* guards all below, and the costs; the store belongs to the calling thread */
  pthread_cond_t changed; /* for all that anybody may wait for; who waits looks again */
  size_t next;          /* unit */
  int running, resting; /* workers */
  bool rest;            /* they are asked to rest */
  /* cells that wait for being timed; each worker that still codes when it is full adds one more */
  sd_pending batch[SD_BATCH + SD_MAX_JOBS];
  size_t nbatch;
  uint64_t batch_bytes;      /* coded bytes of them */
  sd_busy busy[SD_MAX_JOBS]; /* by the worker's number */
  sd_finished *finished; /* not yet stored */
  uint64_t nfinished, finished_cap;
  double unsaved, unsaved_since; /* seconds of work in them; when the first of them came */
  bool waiting;                  /* a worker needs to know whose its next cell is, or will soon */
  size_t ahead, last_ahead;      /* cells that are claimed and not begun; when it was asked last */
  size_t claimed, taken;         /* cells of this pass that were free to be computed here, and were not */
  double work; /* sd_costs_share of cells that this run has computed */
  /* cells that are asked for; of these: had rows, copied from a twin, computed by this run, failed */
  uint64_t cells, there, copied, computed, failed;
  char now[SD_TABLE_TEXT + 80];                                 /* what is being done, for the user */
  double load_done, load_all, load_item, load_mark, load_since; /* loading: slots; times of the last end */
  /* what ended the run, and why; SD_OK: nothing so far */
  int status;
  sd_error error;
  int failure; /* of the first cell that failed */
  sd_error why;
} sd_runner;

static inline sd_cell_state *sd_state_of (const sd_runner *r, const sd_cell *c) {
  return &r->state[c - r->sweep->cell];
}

/** Add the files of tables that were read, and of arrays that are to be read, to r->run, with the XXH3 of
 * each (`xxhsum -H3` gives the same number). provenance.c */
int sd_run_tables (sd_runner *r, sd_error *err);

/* sweep_plan.c */
/** The times that its group asks for. */
sd_times sd_cell_times (const sd_sweep *s, const sd_cell *c);
/** Is the cell one of this part, and of what `only` names? */
bool sd_cell_wanted (const sd_runner *r, const sd_cell *c);
/** Set the order that a cell asked another group for. SD_ENOENT: the group has no row for it. */
int sd_cell_resolve (const sd_runner *r, sd_cell *c, sd_error *err);
/** Had the cell its row when the plan was made, in the order that the best one has at this moment? No store:
 * no. */
bool sd_cell_done (const sd_runner *r, const sd_cell *c);
/** What can be known before anything runs: classes of cells with their costs, tables that are needed.
 * SD_EINVAL: nothing is wanted. */
int sd_plan_all (sd_runner *r, sd_error *err);
/** Deal the cells out to the parts of the sweep. SD_EINVAL: there is no such part. */
int sd_plan_parts (sd_runner *r, sd_error *err);
/** SD_ENOENT: which of the tables that are needed are missing. */
int sd_plan_check_tables (const sd_runner *r, sd_error *err);
/** The cells of a phase that have no row yet; resolves best orders. first: of several plans of the phase. */
int sd_plan_phase (sd_runner *r, unsigned phase, bool first, sd_error *err);
/** The cell is no work any more: computed here, or done elsewhere. */
void sd_uncount (sd_runner *r, const sd_cell *c);

/* sweep_list.c */
/** To opt->list: each cell with `done` or `to do`, and what they take in all. */
void sd_list_cells (sd_runner *r);
/** To opt->list: for each group how many cells there are, have a row, failed, and the time left; who is at
 * work. */
int sd_print_status (sd_runner *r, sd_error *err);

/* sweep_work.c */
/** Start the workers on what was planned; returns how many run. */
int sd_work_start (sd_runner *r, pthread_t *thread);
/** Time the cells that wait for it. All workers rest or are gone; lock held. */
void sd_work_measure (sd_runner *r);
void sd_base_free (sd_base *b); /* what it holds */

/* sweep_clerk.c: what goes into the store and comes out of it while cells are computed. All with the lock
 * held. */
/** A cell has its row, which took so many seconds. SD_ENOMEM. */
int sd_cell_finished (sd_runner *r, const sd_cell *c, const sd_row *row, double seconds, sd_error *err);
/** A cell failed with this error: it gets a row that says so, and the sweep goes on. SD_ENOMEM. */
int sd_cell_failed (sd_runner *r, const sd_cell *c, int status, const sd_error *why, sd_error *err);
/** Should rows be stored, or cells be claimed? */
bool sd_clerk_due (const sd_runner *r);
/** Store what is finished, and claim what will be computed next, in one transaction. By the calling thread;
 * the lock is not held meanwhile. */
int sd_clerk_serve (sd_runner *r, sd_error *err);
/** Stop all workers: the sweep ends with this error, if it is the first. */
void sd_stop (sd_runner *r, int status, const sd_error *err);

/* sweep.c */
/** Signs of life, to the user and in the store. Lock held. */
void sd_tick (sd_runner *r);
/** How far the sweep is, as the sweep itself sees it: what the bar shows, and what stands in the store for
 * those who ask (sd_store_beat). */
typedef struct sd_sweep_says {
  double share, left; /* 0 to 1; seconds, NaN: not known */
  bool busy;          /* other programs keep cores busy that the workers need */
} sd_sweep_says;
/** Tell opt->stored how many cells are in the store. */
void sd_tell_stored (const sd_runner *r);
sd_sweep_says sd_sweep_estimate (const sd_runner *r);
/** "about 3 min 05 s left", "the machine is busy", "". */
void sd_sweep_says_text (const sd_sweep_says *s, char *out, size_t cap);

#endif
