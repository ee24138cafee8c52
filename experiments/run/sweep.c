/* The runner. What is to be done is planned (sweep_plan.c), the tables are loaded, then phase by phase
 * workers compute cells (sweep_work.c) while the calling thread says how far they are and gives signs of life
 * in the store. Cells that want the best order of another group belong to a later phase and learn their order
 * when it begins. Cells that another sweep has claimed are waited for at the end of a phase, and taken over
 * where that sweep has died.
 *
 * Threads: the calling thread owns the store, the progress and the timing of lookups; workers compute
 * cells; one more thread runs what takes long before the workers start (`watch`). r->lock guards what
 * run_internal.h says, and is never held while the store is written or a table is loaded. */
#include "config.h"
#include "experiments/run/run_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BEAT_S 10.      /* signs of life; store_claims.c gives up after twelve of them */
#define TICK_S 0.1      /* to the user */
#define WINDOW_S 1.     /* in which it is seen what other programs do */
#define HALF_A_CORE 0.5 /* less than that nobody feels */
#define LOAD_GUESS 2e-7 /* seconds a slot, until the first table is loaded */

/* ------------------------------------------------------------- signs of life */

/* A report whose bar and time are said, not seen: "WHAT\tDETAIL\tTIME". share: 0 to 1. Never the
 * whole, which sd_report takes for the end. */
static void say (const sd_runner *r, const char *what, const char *detail, const char *time, double share) {
  enum { WHOLE = 1000000 };
  char text[400];
  snprintf (text, sizeof text, "%s\t%s\t%s", what, detail, time);
  sd_report (r->opt->progress, text, (uint64_t) (share * (WHOLE - 1)), WHOLE);
}

/* Seconds of work that are done of cells which are not complete yet. A cell that takes longer than was
 * expected counts as nearly done, so that the bar does not go beyond it. Lock held. */
static double running (const sd_runner *r, double now) {
  double sum = 0;
  for (int i = 0; i < r->jobs; i++) {
    const sd_cell *c = r->busy[i].cell;
    if (!c)
      continue;
    const double all = sd_cost_coding (&sd_state_of (r, c)->cost), spent = now - r->busy[i].since;
    sum += spent < 0.95 * all ? spent : 0.95 * all;
  }
  return sum / r->jobs;
}

/* Do other programs keep cores busy that the workers need? What the workers can get is what the others leave;
 * half a core less is not felt. NaN: no. */
static bool is_busy (const sd_runner *r) {
  const double cores = r->run.cores, ours = r->jobs < cores ? r->jobs : cores;
  return r->others > cores - ours + HALF_A_CORE;
}

sd_sweep_says sd_sweep_estimate (const sd_runner *r) {
  return (sd_sweep_says){ r->estimate.share, sd_eta_left (&r->estimate), is_busy (r) };
}

/* Where nothing right can be told it is "", and the bar stands alone. */
void sd_sweep_says_text (const sd_sweep_says *s, char *out, size_t cap) {
  char left[32];
  out[0] = '\0';
  if (s->busy)
    snprintf (out, cap, "the machine is busy");
  else if (isfinite (s->left)) {
    sd_time_text (s->left, left, sizeof left);
    snprintf (out, cap, "about %s left", left);
  }
}

/* Of the calling thread, to which the store belongs. What it says is "SHARE LEFT BUSY", which ask_sweeps of
 * sweep_list.c reads; -1: the time is not known. */
static void beat (sd_runner *r) {
  const double now = sd_now ();
  if (now - r->beaten <= BEAT_S)
    return;
  r->beaten = now;
  const sd_sweep_says s = sd_sweep_estimate (r);
  char says[64] = "";
  if (r->started > 0)
    snprintf (says, sizeof says, "%.6f %.0f %d", s.share, isfinite (s.left) ? s.left : -1, s.busy);
  sd_store_beat (r->store, says, NULL); /* if it fails, storing a row will, and says so */
}

static void look_at_machine (sd_runner *r, double now) {
  if (now - r->window.at < WINDOW_S)
    return;
  r->others = sd_busy_cores (&r->window);
  sd_busy_start (&r->window);
}

void sd_tick (sd_runner *r) {
  const double now = sd_now ();
  char detail[240], time[64];
  if (now - r->ticked < TICK_S)
    return;
  r->ticked = now;

  look_at_machine (r, now);
  const double under_way = running (r, now), left = sd_costs_left (&r->costs);
  sd_eta_update (&r->estimate, now, r->work + under_way, left > under_way ? left - under_way : 0);

  beat (r);
  const sd_sweep_says s = sd_sweep_estimate (r);
  sd_sweep_says_text (&s, time, sizeof time);
  snprintf (detail, sizeof detail, "%llu of %llu cells; %.150s",
            (unsigned long long) (r->there + r->computed), (unsigned long long) r->cells, r->now);
  say (r, "sweep", detail, time, s.share);
}

void sd_tell_stored (const sd_runner *r) {
  if (r->opt->stored)
    r->opt->stored (r->opt->ctx, r->there + r->computed, r->cells);
}

/* Until something has changed, or so long; the lock is given back meanwhile. Lock held. */
static void wait_a_little (sd_runner *r, long ms) {
  struct timespec until;
  clock_gettime (CLOCK_MONOTONIC, &until); /* as sd_sweep_run made the condition */
  until.tv_nsec += ms * 1000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait (&r->changed, &r->lock, &until);
}

/* ----------------------------------------------- work beside which one watches */

/* What runs beside the calling thread, and how it ended. */
typedef struct task {
  sd_runner *r;
  int (*run) (sd_runner *r, sd_error *err); /* the lock is not held */
  int status;
  sd_error err;
  bool over;
} task;

static void *run_task (void *arg) {
  task *t = arg;
  t->status = t->run (t->r, &t->err);
  pthread_mutex_lock (&t->r->lock);
  t->over = true;
  pthread_cond_broadcast (&t->r->changed);
  pthread_mutex_unlock (&t->r->lock);
  return NULL;
}

/* Runs `run` in a thread of its own and calls `tick` ten times a second, so that a user sees that something
 * happens and other sweeps see a sign of life. */
static int watch (sd_runner *r, int (*run) (sd_runner *, sd_error *), void (*tick) (sd_runner *),
                  sd_error *err) {
  task t = { .r = r, .run = run };
  pthread_t thread;

  if (pthread_create (&thread, NULL, run_task, &t) != 0)
    return run (r, err); /* then without being watched */
  pthread_mutex_lock (&r->lock);
  while (!t.over) {
    wait_a_little (r, 100);
    tick (r);
  }
  pthread_mutex_unlock (&r->lock);

  pthread_join (thread, NULL);
  if (t.status != SD_OK && err)
    *err = t.err;
  return t.status;
}

/* ------------------------------------------------------------- loading tables */

/* What cannot be read ends the cells that need it (sd_plan_phase), not those of other tables. */
static int load (sd_runner *r, sd_error *err) {
  for (size_t i = 0; i < r->nneed; i++) {
    const sd_exact *e;
    char name[16];
    sd_material_name (&r->need[i], name);
    pthread_mutex_lock (&r->lock);
    r->load_item = sd_material_slots (&r->need[i]);
    r->load_mark = sd_now ();
    snprintf (r->now, sizeof r->now, "%s, %zu of %zu", name, i + 1, r->nneed);
    pthread_mutex_unlock (&r->lock);
    /* The long part, without the lock. A failure is asked for again, with its reason, when the first cell
     * needs the table (plan_units). */
    sd_values_whole (r->exacts, &r->need[i], &e, NULL);
    pthread_mutex_lock (&r->lock);
    r->load_done += r->load_item;
    r->load_item = 0;
    r->load_mark = sd_now ();
    pthread_mutex_unlock (&r->lock);
  }
  return sd_run_tables (r, err); /* here, where neither the lock nor the store waits for it */
}

static void tick_load (sd_runner *r) {
  const double now = sd_now (),
               rate = r->load_done > 0 ? (r->load_mark - r->load_since) / r->load_done : LOAD_GUESS;
  const double item = rate * r->load_item, spent = now - r->load_mark,
               part = spent < 0.95 * item ? spent / rate : 0.95 * r->load_item;

  beat (r);
  say (r, "loading tables", r->now, "", (r->load_done + part) / r->load_all);
}

/* Slots tell how long a table takes. load_s is the clock's time of all of them. */
static int load_all (sd_runner *r, sd_error *err) {
  for (size_t i = 0; i < r->nneed; i++)
    r->load_all += sd_material_slots (&r->need[i]);
  r->load_since = r->load_mark = r->beaten = sd_now ();
  SD_TRY (watch (r, load, tick_load, err));
  r->run.load_s = sd_now () - r->load_since;
  sd_report (r->opt->progress, "loading tables", 1, 1);
  return SD_OK;
}

/* Small tables of all that the probes of a unit will ask. Cells whose tables cannot be made fail. */
static int build_for_unit (sd_runner *r, const sd_unit *u, sd_error *err) {
  sd_error why = { 0 };
  int status = SD_OK;
  bool asked = false;
  for (size_t i = u->first; i < u->first + u->count && (!asked || status != SD_OK); i++) {
    const sd_cell *c = r->todo[i];
    if (!r->sweep->group[c->group].probe)
      continue;

    /* Cells of a unit have one table and metric, so the first of them asks for all; if that fails, each of
     * them fails. */
    if (!asked)
      status = sd_probe_set_need (r->neighbours, r->exacts, &c->material, c->metric, r->jobs, &why);
    asked = true;
    if (status == SD_OK)
      continue;
    pthread_mutex_lock (&r->lock);
    const int st = sd_cell_failed (r, c, status, &why, err);
    pthread_mutex_unlock (&r->lock);
    SD_TRY (st);
  }
  return SD_OK;
}

/* Bases without data are passed over: their cells fail by themselves. */
static int build_neighbours (sd_runner *r, sd_error *err) {
  for (size_t u = 0; u < r->nunits; u++)
    if (r->base[r->unit[u].base].status == SD_OK)
      SD_TRY (build_for_unit (r, &r->unit[u], err));
  return SD_OK;
}

/* ------------------------------------------------------------------- phases */

/* Lock held. */
static void serve (sd_runner *r) {
  sd_error err = { 0 };
  const int status = sd_clerk_serve (r, &err);
  if (status != SD_OK)
    sd_stop (r, status, &err);
}

/* What was planned, as far as nobody else computes it. It ends when the workers have no unit left; cells of
 * others are looked at again by the next plan of the phase. */
static int run_pass (sd_runner *r, sd_error *err) {
  pthread_t *thread = sd_alloc0 ((uint64_t) r->jobs, sizeof *thread);
  if (!thread)
    return sd_fail_memory (err, (size_t) r->jobs * sizeof *thread);
  pthread_mutex_lock (&r->lock);
  r->claimed = r->taken = r->ahead = r->last_ahead = 0;
  r->waiting = true; /* nobody has asked yet whose the first cells are */

  const int started = sd_work_start (r, thread);
  /* The order matters: a worker that waits for a claim comes before timing, for which all workers must
   * rest. */
  while (r->running) {
    if (sd_clerk_due (r))
      serve (r);
    else if (r->rest && r->resting == r->running)
      sd_work_measure (r);
    else
      wait_a_little (r, 100);
    sd_tick (r);
  }

  /* What is left over: a batch that was not full, rows that nobody has stored. */
  sd_work_measure (r);
  serve (r);
  pthread_mutex_unlock (&r->lock);

  for (int i = 0; i < started; i++)
    pthread_join (thread[i], NULL);
  free (thread);
  for (size_t i = 0; i < r->nbases; i++)
    sd_base_free (&r->base[i]); /* left over after a failure */

  if (r->status != SD_OK && err)
    *err = r->error;
  return r->status;
}

/* All that is left belongs to other sweeps. Half a second, then the phase is planned again: cells that have
 * their rows meanwhile are done, and cells of a dead sweep are free. */
static int wait_for_others (sd_runner *r, sd_error *err) {
  unsigned n;
  char who[200], text[100];
  SD_TRY (sd_store_others (r->store, &n, who, sizeof who, err));
  snprintf (text, sizeof text, "waiting for other sweeps, cells left\t%.60s", n ? who : "");
  pthread_mutex_lock (&r->lock);
  for (int i = 0; i < 5; i++) {
    wait_a_little (r, 100);
    beat (r);
    sd_report (r->opt->progress, text, r->ntodo, 0); /* how long others take is not known */
  }
  pthread_mutex_unlock (&r->lock);
  return SD_OK;
}

/* Passes until no cell of the phase is left. Each is planned anew, as twins, other sweeps and failures change
 * what there is to do. */
static int run_phase (sd_runner *r, unsigned phase, sd_error *err) {
  for (bool first = true;; first = false) {
    SD_TRY (sd_plan_phase (r, phase, first, err));
    sd_tell_stored (r);
    pthread_mutex_lock (&r->lock);
    const int status = sd_clerk_serve (r, err); /* cells that failed before they began */
    pthread_mutex_unlock (&r->lock);
    SD_TRY (status);
    if (r->ntodo == 0)
      return SD_OK;
    if (first) {
      snprintf (r->now, sizeof r->now, "tables for probes");
      SD_TRY (watch (r, build_neighbours, sd_tick, err));
    }
    SD_TRY (run_pass (r, err));
    if (r->claimed == 0 && r->taken > 0)
      SD_TRY (wait_for_others (r, err));
  }
}

/* ------------------------------------------------------------------- a sweep */

/* --dry-run, --status: nothing is claimed, loaded or stored. */
static bool only_looks (const sd_runner *r) {
  return r->opt->dry_run || r->opt->status;
}

static void tell (const sd_runner *r, const char *text) {
  if (r->opt->notice)
    r->opt->notice (r->opt->ctx, text);
}

/* "another commit, another host". */
static void name_differences (const sd_stale *stale, char *out, size_t cap) {
  out[0] = '\0';
  for (unsigned k = 0; k < SD_IDENTITIES; k++)
    if (stale->differs[k])
      sd_text_list (out, cap, "another %s", sd_identities[k].one);
}

/* Rows of something else than what runs here, and others who are at work. All of it is told as notices; none
 * of it stops a sweep. */
static int look_around (sd_runner *r, sd_error *err) {
  sd_stale stale;
  const bool exact = sd_commit_is_exact (r->run.commit);
  unsigned others;
  char who[200], what[200], text[1200];
  SD_TRY (sd_store_compare (r->store, &r->run, r->opt->redo_stale, &stale, err));
  if (stale.rows && !exact) {
    snprintf (
        text, sizeof text,
        "this program was built from commit \"%.60s\", which names no exact source: rows of all other runs count as "
        "computed by another commit",
        r->run.commit);
    tell (r, text);
  }

  if (stale.rows) {
    name_differences (&stale, what, sizeof what);
    snprintf (text, sizeof text, "%llu row%s of this store %s computed by %s: %s; %s",
              (unsigned long long) stale.rows, stale.rows == 1 ? "" : "s", stale.rows == 1 ? "was" : "were",
              what, stale.example,
              r->opt->redo_stale
                  ? "those of this sweep are computed anew"
                  : "they are kept as they are; --redo-stale computes those of this sweep anew");
    tell (r, text);
  }
  if (only_looks (r))
    return SD_OK;

  SD_TRY (sd_store_others (r->store, &others, who, sizeof who, err));
  if (others) {
    snprintf (text, sizeof text, "%u other sweep%s at work on this store (%s): cells are shared%s", others,
              others == 1 ? " is" : "s are", who,
              ", and latencies are measured beside it if it runs on this machine");
    tell (r, text);
  }
  return SD_OK;
}

/* What all cells are made from. Tables are loaded under one metric, since the store of exact values has one;
 * *out: which. */
static int find_exact (const sd_sweep *s, enum sd_metric *out, sd_error *err) {
  const sd_cell *first = NULL;
  *out = SD_USUAL_EXACT;
  for (size_t i = 0; i < s->ncells; i++) {
    const sd_cell *c = &s->cell[i];
    if (c->metric == SD_NO_METRIC) /* an array */
      continue;
    first = first ? first : c;
    *out = sd_metrics[first->metric].exact;
    if (sd_metrics[c->metric].exact != *out)
      return sd_fail (err, SD_EINVAL,
                      "%s: metrics %s and %s are made from different tables: write a sweep for each", s->path,
                      sd_metrics[first->metric].name, sd_metrics[c->metric].name);
  }
  return SD_OK;
}

static int prepare (sd_runner *r, const char *db, sd_error *err) {
  const size_t n = r->sweep->ncells;
  const long cores = sysconf (_SC_NPROCESSORS_ONLN);
  r->jobs = r->opt->jobs > 0 ? r->opt->jobs : cores > 0 ? (int) cores : 1;
  if (r->jobs > SD_MAX_JOBS)
    r->jobs = SD_MAX_JOBS; /* the batch has room for one cell more of each */

  r->costs.jobs = (unsigned) r->jobs;
  r->state = sd_alloc0 (n, sizeof *r->state);
  r->todo = sd_alloc (n, sizeof *r->todo);
  r->base = sd_alloc (n, sizeof *r->base);
  r->unit = sd_alloc (n, sizeof *r->unit);
  r->left = sd_alloc (n, sizeof *r->left);
  r->owner = sd_alloc0 (n, sizeof *r->owner);
  r->best = sd_alloc0 (1, sizeof *r->best);

  if (!r->state || !r->todo || !r->base || !r->unit || !r->left || !r->owner || !r->best)
    return sd_fail_memory (err, n * sizeof *r->base);

  SD_TRY (sd_plan_parts (r, err));
  if (!only_looks (r))
    SD_TRY (sd_store_open (db, true, &r->store, err));
  else if (db && sd_file_exists (db))
    SD_TRY (sd_store_peek (db, &r->store, err));

  SD_TRY (find_exact (r->sweep, &r->exact, err));
  SD_TRY (sd_values_new (r->opt->tables, r->exact, &r->exacts, err));
  sd_values_pack (r->exacts, r->exact); /* they stay to the end of the sweep */
  return sd_probe_set_new (&r->neighbours, err);
}

/* In this order: what can be refused without a table; notes; the plan; tables; phases. A failed cell is the
 * status at the very end, when all others are computed. */
static int run_all (sd_runner *r, const char *db, sd_error *err) {
  SD_TRY (prepare (r, db, err));
  SD_TRY (sd_run_here (r->sweep, (unsigned) r->jobs, r->opt->command, &r->run, err));

  if (r->store && !only_looks (r))
    SD_TRY (sd_store_join (r->store, err));
  if (r->store) {
    SD_TRY (look_around (r, err));
    SD_TRY (sd_costs_learn_rows (&r->costs, r->store, err));
  }

  SD_TRY (sd_plan_all (r, err));
  if (r->opt->status)
    return sd_print_status (r, err);
  if (r->opt->dry_run)
    sd_list_cells (r);
  SD_TRY (sd_plan_check_tables (r, err));
  if (r->opt->dry_run)
    return SD_OK;

  SD_TRY (load_all (r, err));
  r->started = sd_now ();
  const double left = sd_costs_left (&r->costs);
  sd_eta_begin (&r->estimate, r->started, left > 0 ? r->there_work / (r->there_work + left) : 1);
  sd_busy_start (&r->window);

  for (unsigned phase = 0; phase < r->sweep->nphases; phase++)
    SD_TRY (run_phase (r, phase, err));
  sd_report (r->opt->progress, "sweep", 1, 1);

  if (r->failed == 0)
    return r->registered ? sd_store_run_over (r->store, err) : SD_OK;
  if (err)
    *err = r->why;
  return r->failure;
}

static void runner_free (sd_runner *r) {
  sd_sweep_free (r->sweep);
  sd_probe_set_free (r->neighbours);
  sd_values_free (r->exacts);
  sd_store_close (r->store);
  sd_provenance_clear (&r->run);
  sd_costs_free (&r->costs);
  free (r->need);
  free (r->state);
  free (r->todo);
  free (r->base);
  free (r->unit);
  free (r->left);
  free (r->owner);
  free (r->best);
  free (r->finished);
  pthread_mutex_destroy (&r->lock);
  pthread_cond_destroy (&r->changed);
  free (r);
}

/* Waits for it end on time though somebody sets the clock back. */
static void init_condition (pthread_cond_t *c) {
  pthread_condattr_t attr;
  pthread_condattr_init (&attr);
  pthread_condattr_setclock (&attr, CLOCK_MONOTONIC);
  pthread_cond_init (c, &attr);
  pthread_condattr_destroy (&attr);
}

int sd_sweep_run (const char *conf, const char *db, const sd_sweep_options *opt, sd_error *err) {
  static const sd_sweep_options none = { 0 };
  sd_sweep *s = NULL;
  const double started = sd_now ();
  opt = opt ? opt : &none;

  SD_TRY (sd_sweep_read_with (conf, opt->overrides, opt->noverrides, &s, err));
  sd_runner *r = calloc (1, sizeof *r);
  if (!r) {
    sd_sweep_free (s);
    return sd_fail_memory (err, sizeof *r);
  }

  r->sweep = s;
  r->opt = opt;
  r->others = NAN;
  pthread_mutex_init (&r->lock, NULL);
  init_condition (&r->changed);

  const int status = run_all (r, db, err);
  if (opt->outcome)
    *opt->outcome = (sd_sweep_outcome){ .cells = r->cells,
                                        .computed = r->computed,
                                        .there = r->there,
                                        .copied = r->copied,
                                        .failed = r->failed,
                                        .elsewhere = status == SD_OK ? r->cells - r->computed - r->there : 0,
                                        .seconds = sd_now () - started };

  runner_free (r);
  return status;
}
