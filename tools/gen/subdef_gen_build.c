/* The tables that subdef-gen is to make, in the order of building: large ones one behind the other by all
 * ranks and threads, small ones side by side.
 *
 * A small ending has little to do in an iteration, so that threads of one solver wait for each other most of
 * the time. So on a single rank each thread makes a table of its own, as soon as those that it depends on are
 * there, and as many at one time as memory bears. The tables are the same, and their lines come in the order
 * of building. */
#include "config.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SMALL = 1 << 24 }; /* states of a slice that one thread makes */
enum { WAIT_NS = 500000 };

/* The bar covers the whole run, by what each table is estimated to take. */
typedef struct overall {
  sd_progress bar;
  double before, current, total; /* tables done, this one, all */
  unsigned stage;                /* enum sd_gen_stage */
} overall;

/* CPU seconds as they are estimated; of a game without estimates, states. */
static double weight (const sd_gen_job *j) {
  return j->estimate.bound ? (double) j->estimate.states / 1e6 : j->estimate.cpu_s;
}

/* As sd_progress.stage. */
static void overall_stage (void *ctx, unsigned stage) {
  overall *o = ctx;
  o->stage = stage;
}

/* As sd_progress.report: the share of a stage becomes one of the whole run. */
static void overall_report (void *ctx, const char *what, uint64_t done, uint64_t total) {
  overall *o = ctx;
  /* parts of a table's time that each stage takes, roughly */
  static const double until[SD_GEN_STAGES + 1] = { 0, 0.4, 0.6, 1 };
  const double from = until[o->stage], to = until[o->stage + 1];
  const double part = total ? (double) done / (double) total : 0;
  double at = o->before + o->current * (from + (to - from) * part);
  (void) what;
  /* never quite full: the last stage's end is not the run's end */
  sd_report (&o->bar, "generating", (uint64_t) (at * 1000) + 1, (uint64_t) (o->total * 1000) + 2);
}

/* ------------------------------------------------------------------ one table */

/* What is known of a job beside what it is. */
typedef struct state {
  enum { OPEN, RUNS, DONE } at;
  unsigned *below, nbelow; /* numbers of jobs that it depends on */
  sd_gen_stats stats;
  double seconds;
  uint64_t resident;
} state;

typedef struct queue {
  const sd_gen_session *s;
  sd_gen_job *job;
  state *state; /* [n] */
  unsigned n;
  unsigned told; /* the lines of so many are printed, or not wanted */
  unsigned running;
  uint64_t room, taken; /* bytes for jobs that run together; theirs */
  int status;
  unsigned failed; /* job */
  sd_error *err;
  overall over;
} queue;

/* The tables in the run's folder, from which those above them are made. Budget 0: nothing that was decoded is
 * kept when they are trimmed. */
static int open_tables (const sd_gen_session *s, sd_game_tables **out, sd_error *err) {
  SD_TRY (sd_game_tables_open (&s->rules, s->folder, 0, out, err));
  return sd_values_set_metric (sd_game_tables_store (*out), s->o->metric, err);
}

/* One table: solved and written by all ranks, with so many threads each. */
static int build (const sd_gen_session *s, sd_game_tables *tables, const sd_gen_job *j, unsigned threads,
                  const sd_progress *progress, state *made, sd_error *err) {
  const sd_transport *t = s->t;
  sd_gen_making making;

  sd_gen_forget_resident ();
  int st = sd_gen_begin (s, j, progress, &making, err);
  making.how.threads = threads;
  if (st == SD_OK) {
    const sd_gen_run run = { t, s->o->solver->solve, &making.how, &s->o->coding };
    st = sd_gen_build (&run, tables, j->slice, j->path, &made->stats, err);
  }
  /* Memory of all ranks; a rank that failed takes no part in the sum, for then all have failed. */
  made->resident = sd_gen_resident ();
  if (st == SD_OK)
    st = sd_exchanged (t->sum (t->ctx, &made->resident, 1), j->name, "their counts", err);
  sd_gen_end (s, j, &making, st == SD_OK);
  made->seconds = sd_now () - making.start;
  if (st == SD_ENOMEM)
    sd_error_prefix (err, "%s", j->name);
  return st;
}

/* The job is through: its line, and those that have waited for it. By one thread at a time. */
static void finish (queue *q, unsigned i, int st, const sd_error *e) {
  q->state[i].at = DONE;
  /* Of several failures that of the first job in the order of building is told, whichever came first. */
  q->over.before += weight (&q->job[i]);
  if (st != SD_OK && (q->status == SD_OK || i < q->failed)) {
    q->status = st;
    q->failed = i;
    *q->err = *e;
  }
  /* Lines come in this order, too: a table that is ready early waits for those before it. */
  for (; q->told < q->n && q->state[q->told].at == DONE && q->status == SD_OK; q->told++)
    if (!q->job[q->told].skip && q->s->t->rank == 0)
      sd_gen_print_result (q->s, &q->job[q->told], &q->state[q->told].stats, q->state[q->told].seconds,
                           q->state[q->told].resident);
}

/* ----------------------------------------------------------------- side by side */

bool sd_gen_is_small (const sd_gen_job *j) {
  return j->estimate.states <= SMALL;
}

/* Are all that it depends on made? */
static bool is_ready (const queue *q, unsigned i) {
  if (q->state[i].at != OPEN)
    return false;
  for (unsigned k = 0; k < q->state[i].nbelow; k++)
    if (q->state[q->state[i].below[k]].at != DONE)
      return false;
  return true;
}

/* A small job that can be made now and for which there is memory; n: none. One that runs alone always has. */
static unsigned take_small (queue *q) {
  for (unsigned i = 0; i < q->n && q->status == SD_OK; i++) {
    const uint64_t bytes = q->job[i].estimate.process_bytes;
    if (!sd_gen_is_small (&q->job[i]) || !is_ready (q, i) || (q->running && q->taken + bytes > q->room))
      continue;
    q->state[i].at = RUNS;
    q->running++;
    q->taken += bytes;
    return i;
  }
  return q->n;
}

/* One thread, until no small job is left that could be made without a large one. Each thread has tables of
 * its own, since freeing decoded values is not thread-safe. */
static void work (queue *q) {
  sd_game_tables *tables = NULL;
  sd_error err = { 0 };
  int st = open_tables (q->s, &tables, &err);

  for (;;) {
    unsigned i, running;
#pragma omp critical(sd_gen_queue)
    {
      i = take_small (q);
      running = q->running;
    }

    if (i == q->n && !running)
      break;
    if (i == q->n) { /* what runs may make another one ready */
      nanosleep (&(struct timespec){ .tv_nsec = WAIT_NS }, NULL);
      continue;
    }
    /* Without tables the job ends at once with the failure that opening them had. */
    if (st == SD_OK)
      st = build (q->s, tables, &q->job[i], 1, NULL, &q->state[i], &err);
#pragma omp critical(sd_gen_queue)
    {
      q->running--;
      q->state[i].resident = 0; /* the process had it, for all that ran */
      q->taken -= q->job[i].estimate.process_bytes;
      finish (q, i, st, &err);
      sd_report (&q->over.bar, "generating", (uint64_t) (q->over.before * 1000) + 1,
                 (uint64_t) (q->over.total * 1000) + 2);
    }
  }
  sd_game_tables_close (tables);
}

/* With one thread each, as which they are predicted. */
static int predict (queue *q, sd_error *err) {
  sd_estimate_run run = q->s->estimate;
  run.threads = 1;
  for (unsigned i = 0; i < q->n; i++)
    if (sd_gen_is_small (&q->job[i]) && !q->job[i].skip)
      SD_TRY (sd_gen_estimate_slice (&q->s->rules, q->job[i].slice, &run, &q->job[i].estimate, err));
  return SD_OK;
}

/* ------------------------------------------------------------------ all of them */

/* Numbers of the jobs that job i depends on; in the order of building they stand before it. */
static int find_below (queue *q, unsigned i, sd_error *err) {
  SD_OWNED sd_slice *below = NULL;
  unsigned n;
  SD_TRY (sd_rules_below (&q->s->rules, q->job[i].slice, &below, &n, err));

  state *s = &q->state[i];
  s->below = sd_alloc (n, sizeof *s->below);
  if (!s->below)
    return sd_fail_memory (err, n * sizeof *s->below);
  for (unsigned k = 0; k < n; k++)
    for (unsigned j = 0; j < i; j++)
      if (q->job[j].slice == below[k])
        s->below[s->nbelow++] = j;
  return SD_OK;
}

/* All ranks alike. */
static int prepare (queue *q, sd_error *err) {
  q->state = sd_alloc0 (q->n, sizeof *q->state);
  if (!q->state)
    return sd_fail_memory (err, q->n * sizeof *q->state);
  for (unsigned i = 0; i < q->n; i++) {
    SD_TRY (find_below (q, i, err));
    q->state[i].at = q->job[i].skip ? DONE : OPEN;
    q->over.total += q->job[i].skip ? 0 : weight (&q->job[i]);
  }
  return SD_OK;
}

/* One behind the other from job i on, up to a small one that can be made beside others; its number. */
static unsigned build_next (queue *q, sd_game_tables *tables, unsigned i, bool beside) {
  const sd_progress progress = { .report = overall_report, .ctx = &q->over, .stage = overall_stage };
  for (; i < q->n && q->status == SD_OK && !(beside && sd_gen_is_small (&q->job[i])); i++) {
    sd_error err = { 0 };
    if (q->state[i].at == DONE)
      continue;
    q->over.current = weight (&q->job[i]);
    const int st = build (q->s, tables, &q->job[i], q->s->o->threads, q->over.bar.report ? &progress : NULL,
                          &q->state[i], &err);
    finish (q, i, st, &err);
  }
  return i;
}

/* Small ones side by side, then the large ones that are next, and so on: a large table may stand between
 * small ones that need it and those that it needs. */
int sd_gen_build_all (const sd_gen_session *s, sd_gen_job *jobs, unsigned n, sd_error *err) {
  sd_game_tables *tables = NULL;
  queue q = { .s = s, .job = jobs, .n = n, .room = sd_gen_room (jobs, n), .err = err };
  /* Lines of a log would be mixed. */
  const unsigned threads = s->estimate.threads;
  const bool beside = s->t->size == 1 && threads > 1 && !s->o->log;

  if (s->t->rank == 0 && !s->o->quiet)
    q.over.bar = s->o->progress ? sd_terminal_always : sd_terminal;

  int st = prepare (&q, err);
  if (st == SD_OK && beside)
    st = predict (&q, err);
  if (st == SD_OK)
    st = open_tables (s, &tables, err);
  st = q.status = sd_agree (s->t, st, err);

  for (unsigned i = 0; i < n && q.status == SD_OK;) {
    if (beside) {
#pragma omp parallel num_threads(threads)
      work (&q);
    }
    i = build_next (&q, tables, i, beside);
    while (beside && i < n && q.state[i].at == DONE)
      i++;
  }

  sd_game_tables_close (tables);
  for (unsigned i = 0; q.state && i < n; i++)
    free (q.state[i].below);
  free (q.state);
  return q.status;
}
