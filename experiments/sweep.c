/* The runner. Cells of one sequence (table, side, coding, freedom, order, numbering) form a unit, which one
 * worker takes: it lays the sequence out once and codes it with each codec. Units of one base (table, side,
 * coding, freedom) follow each other and share the subdefined data, which is judged once (by all cores) and
 * freed behind the last unit, so that memory is a few sequences however large the sweep.
 *
 * Cells whose latency is asked for are coded like the others; a batch of them then waits until all workers
 * rest, and the calling thread times them on a quiet machine. A row is stored when it is complete, hence a
 * killed run loses at most a batch. Cells that want the best order of another group belong to a later phase
 * and learn their order when it begins. */
#include "config.h"
#include "experiments/cell.h"
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BATCH 16                 /* cells timed together */
#define BATCH_BYTES (256u << 20) /* or so many coded bytes */

typedef struct base {
  sd_material material;
  unsigned side, freedom;
  enum sd_coding coding;
  const sd_exact *exact;
  size_t users; /* units that still need it */
  enum { UNTOUCHED, IN_WORK, READY } state;
  sd_subdefined *data;
  uint64_t positions;
} base;

typedef struct unit {
  size_t first, count; /* in todo */
  size_t base;
} unit;

typedef struct pending {
  sd_cell *cell;
  sd_layout layout;
  sd_row row;
  sd_coded coded;
} pending;

typedef struct runner {
  sd_sweep *sweep;
  sd_store *store;
  sd_exacts *exacts;
  sd_probe_set *neighbours;
  int jobs;
  const sd_progress *progress;
  uint64_t done, total; /* cells of this run */

  sd_cell **todo; /* of this phase */
  size_t ntodo;
  base *base;
  size_t nbases;
  unit *unit;
  size_t nunits;

  pthread_mutex_t lock; /* guards all below, and the store */
  pthread_cond_t changed;
  size_t next;          /* unit */
  int running, resting; /* workers */
  bool rest;            /* they are asked to rest */
  pending batch[BATCH + 256];
  size_t nbatch, batch_bytes;
  int status;
  sd_error error;
} runner;

/* ------------------------------------------------------------------ planning */

static bool wanted (const sd_sweep_options *opt, const sd_sweep *s, const sd_cell *c) {
  return !opt->only || strstr (s->group[c->group].name, opt->only) || strstr (c->table, opt->only);
}

static bool same_base (const base *b, const sd_cell *c) {
  return b->side == c->side && b->freedom == c->freedom && b->coding == c->coding
         && sd_material_equal (&b->material, &c->material);
}

/* The order that a cell asked another group for. */
static int resolve (sd_store *store, const sd_sweep *s, sd_cell *c, sd_error *err) {
  char order[SD_ORDER_TEXT], numbering[SD_ORDER_TEXT];
  SD_TRY (sd_store_best_order (store, s->group[c->best_of].name, c, order, numbering, err));
  memcpy (c->order, order, sizeof order);
  if (!c->keep_numbering)
    memcpy (c->numbering, numbering, sizeof numbering);
  c->best_of = -1;
  return SD_OK;
}

static int is_done (sd_store *store, const sd_sweep *s, const sd_cell *c, bool *out, sd_error *err) {
  char key[SD_KEY_TEXT];
  sd_cell_key (s, c, key, sizeof key);
  return sd_store_has (store, key, out, err);
}

/* The cells of a phase that have no row yet, and everything that they need; resolves best orders. */
static int plan_phase (runner *r, const sd_sweep_options *opt, unsigned phase, sd_error *err) {
  sd_sweep *s = r->sweep;
  r->ntodo = r->nbases = r->nunits = r->next = 0;
  for (size_t i = 0; i < s->ncells; i++) {
    sd_cell *c = &s->cell[i];
    bool done;
    if (c->phase != phase || !wanted (opt, s, c))
      continue;
    bool late = c->best_of >= 0;
    if (late)
      SD_TRY (resolve (r->store, s, c, err));
    SD_TRY (is_done (r->store, s, c, &done, err));
    if (!done)
      r->todo[r->ntodo++] = c;
    else if (late)
      r->total--; /* it was counted as work when its order was not yet known */
  }
  for (size_t i = 0; i < r->ntodo; i++) {
    const sd_cell *c = r->todo[i], *before = i ? r->todo[i - 1] : NULL;
    if (!before || !same_base (&r->base[r->nbases - 1], c)) {
      base *b = &r->base[r->nbases++];
      *b = (base){ .material = c->material, .side = c->side, .freedom = c->freedom, .coding = c->coding };
      SD_TRY (sd_exacts_get (r->exacts, &c->material, &b->exact, err));
      before = NULL;
    }
    if (!before || strcmp (before->order, c->order) || strcmp (before->numbering, c->numbering)) {
      r->unit[r->nunits++] = (unit){ .first = i, .base = r->nbases - 1 };
      r->base[r->nbases - 1].users++;
    }
    r->unit[r->nunits - 1].count++;
    if (s->group[c->group].probe)
      SD_TRY (sd_probe_set_need (r->neighbours, r->exacts, &c->material, c->metric, r->jobs, err));
  }
  return SD_OK;
}

/* ------------------------------------------------------------------- workers */

/* Called with the lock held. */
static void stop (runner *r, int status, const sd_error *err) {
  if (r->status == SD_OK) {
    r->status = status;
    r->error = *err;
  }
  pthread_cond_broadcast (&r->changed);
}

static int store_row (runner *r, const sd_cell *c, const sd_row *row, sd_error *err) {
  char key[SD_KEY_TEXT];
  sd_cell_key (r->sweep, c, key, sizeof key);
  return sd_store_insert (r->store, key, row, err);
}

static void name_row (const runner *r, const sd_cell *c, const base *b, uint64_t free_slots, sd_row *row) {
  *row = (sd_row){ .get_ns = NAN, .get_p99_ns = NAN, .probe_ns = NAN, .probe_p99_ns = NAN };
  snprintf (row->group, sizeof row->group, "%s", r->sweep->group[c->group].name);
  snprintf (row->table, sizeof row->table, "%s", c->table);
  snprintf (row->metric, sizeof row->metric, "%s", sd_metric_name (c->metric));
  snprintf (row->coding, sizeof row->coding, "%s", sd_coding_name (c->coding));
  snprintf (row->side, sizeof row->side, "%c", "wb"[c->side]);
  sd_freedom_text (c->freedom, row->freedom, sizeof row->freedom);
  snprintf (row->order, sizeof row->order, "%s", c->order);
  snprintf (row->numbering, sizeof row->numbering, "%s", c->numbering);
  snprintf (row->codec, sizeof row->codec, "%s", c->codec->name);
  snprintf (row->settings, sizeof row->settings, "%s", c->settings);
  row->threads = (unsigned) r->jobs;
  row->positions = b->positions;
  row->free_slots = free_slots;
}

static int name_error (const runner *r, const sd_cell *c, sd_error *err) {
  char key[SD_KEY_TEXT];
  sd_cell_key (r->sweep, c, key, sizeof key);
  return sd_error_prefix (err, "%.300s", key);
}

/* The subdefined data of a base; the first worker that comes judges it, others wait. Lock held on entry and
 * exit. */
static int enter_base (runner *r, base *b, sd_error *err) {
  while (b->state == IN_WORK && r->status == SD_OK)
    pthread_cond_wait (&r->changed, &r->lock);
  if (r->status != SD_OK || b->state == READY)
    return r->status;
  b->state = IN_WORK;
  pthread_mutex_unlock (&r->lock);
  sd_counts counts;
  omp_set_num_threads (r->jobs);
  sd_exact_count (b->exact, b->side, &counts);
  int status = sd_subdefine (r->exacts, b->exact, b->side, b->coding, b->freedom, NULL, &b->data, err);
  omp_set_num_threads (1);
  pthread_mutex_lock (&r->lock);
  b->positions = counts.positions;
  b->state = READY;
  pthread_cond_broadcast (&r->changed);
  return status;
}

static void leave_base (base *b) {
  if (--b->users == 0) {
    sd_subdefined_free (b->data);
    b->data = NULL;
  }
}

/* Wait while the machine is to be quiet. Lock held. */
static void rest (runner *r) {
  while (r->rest && r->status == SD_OK) {
    r->resting++;
    pthread_cond_broadcast (&r->changed);
    pthread_cond_wait (&r->changed, &r->lock);
    r->resting--;
  }
}

/* One cell of a unit. Lock held on entry and exit. */
static int run_one (runner *r, sd_cell *c, const base *b, const sd_layout *layout, const sd_subdefined *d,
                    uint64_t free_slots, sd_error *err) {
  const sd_sweep_group *g = &r->sweep->group[c->group];
  sd_row row;
  sd_coded coded;
  name_row (r, c, b, free_slots, &row);
  pthread_mutex_unlock (&r->lock);
  int status = sd_cell_run (c, g->probe, layout, d, &row, &coded, err);
  pthread_mutex_lock (&r->lock);
  if (status != SD_OK)
    return name_error (r, c, err);
  if (g->latency || g->probe) {
    r->batch_bytes += coded.bytes.len;
    r->batch[r->nbatch++] = (pending){ c, *layout, row, coded };
    if (r->nbatch >= BATCH || r->batch_bytes >= BATCH_BYTES)
      r->rest = true;
  } else {
    sd_coded_free (&coded);
    status = store_row (r, c, &row, err);
    r->done += status == SD_OK;
  }
  pthread_cond_broadcast (&r->changed);
  return status;
}

/* Lock held on entry and exit. */
static int run_unit (runner *r, const unit *u, sd_error *err) {
  base *b = &r->base[u->base];
  sd_indexer *ix = NULL;
  sd_subdefined *laid_out = NULL;
  sd_layout layout;
  SD_TRY (enter_base (r, b, err));
  pthread_mutex_unlock (&r->lock);
  const sd_cell *first = r->todo[u->first];
  uint64_t free_slots = 0;
  int status = sd_layout_parse (&first->material, first->order, first->numbering, &layout, err);
  const bool as_it_is = status == SD_OK && sd_layout_equal (&layout, sd_indexer_layout (b->exact->indexer));
  if (status == SD_OK && !as_it_is) {
    status = sd_indexer_new (&layout, &ix, err);
    if (status == SD_OK)
      status = sd_subdefined_relayout (b->data, b->exact->indexer, ix, &laid_out, err);
  }
  if (status == SD_OK)
    free_slots = sd_count_free (as_it_is ? &b->data->seq : &laid_out->seq);
  pthread_mutex_lock (&r->lock);
  if (status != SD_OK)
    name_error (r, first, err);
  for (size_t i = 0; i < u->count && status == SD_OK && r->status == SD_OK; i++) {
    rest (r);
    if (r->status == SD_OK)
      status = run_one (r, r->todo[u->first + i], b, &layout, as_it_is ? b->data : laid_out, free_slots, err);
  }
  sd_subdefined_free (laid_out);
  sd_indexer_free (ix);
  leave_base (b);
  return status;
}

static void *work (void *arg) {
  runner *r = arg;
  omp_set_num_threads (1); /* each worker is one thread; the setting is the thread's own */
  pthread_mutex_lock (&r->lock);
  while (r->status == SD_OK) {
    rest (r);
    if (r->status != SD_OK || r->next == r->nunits)
      break;
    const unit *u = &r->unit[r->next++];
    sd_error err = { 0 };
    int status = run_unit (r, u, &err);
    if (status != SD_OK && r->status == SD_OK)
      stop (r, status, &err);
  }
  r->running--;
  pthread_cond_broadcast (&r->changed);
  pthread_mutex_unlock (&r->lock);
  return NULL;
}

/* ------------------------------------------------------------ quiet measuring */

static int measure (runner *r, pending *p, sd_error *err) {
  const sd_cell *c = p->cell;
  const sd_exact *e = NULL;
  sd_indexer *ix = NULL;
  int status = sd_exacts_get (r->exacts, &c->material, &e, err);
  if (status == SD_OK)
    status = sd_indexer_new (&p->layout, &ix, err);
  if (status == SD_OK)
    status = sd_latency_get (e, c->side, r->sweep->seed, ix, p->coded.decoder, &p->row, err);
  if (status == SD_OK && r->sweep->group[c->group].probe)
    status = sd_latency_probe (r->neighbours, r->exacts, e, c->side, r->sweep->seed, c->metric,
                               p->coded.table, &p->row, err);
  if (status != SD_OK)
    name_error (r, c, err);
  else
    status = store_row (r, c, &p->row, err);
  sd_indexer_free (ix);
  return status;
}

/* All workers rest or are gone; lock held. */
static void measure_batch (runner *r) {
  for (size_t i = 0; i < r->nbatch; i++) {
    sd_error err = { 0 };
    int status = r->status == SD_OK ? measure (r, &r->batch[i], &err) : r->status;
    if (status == SD_OK)
      r->done++;
    else if (r->status == SD_OK)
      stop (r, status, &err);
    sd_coded_free (&r->batch[i].coded);
    sd_report (r->progress, "sweep", r->done, r->total);
  }
  r->nbatch = r->batch_bytes = 0;
  r->rest = false;
  pthread_cond_broadcast (&r->changed);
}

/* ------------------------------------------------------------------- phases */

static int run_phase (runner *r, sd_error *err) {
  pthread_t *thread = calloc ((size_t) r->jobs, sizeof *thread);
  int started = 0;
  if (!thread)
    return sd_fail_memory (err, (size_t) r->jobs * sizeof *thread);
  pthread_mutex_lock (&r->lock);
  for (; started < r->jobs; started++) {
    r->running++;
    if (pthread_create (&thread[started], NULL, work, r) != 0) {
      r->running--;
      sd_error e = { 0 };
      if (started == 0)
        stop (r, sd_fail (&e, SD_ENOMEM, "no worker thread can be started"), &e);
      break;
    }
  }
  while (r->running) {
    struct timespec until;
    clock_gettime (CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait (&r->changed, &r->lock, &until);
    if (r->rest && r->resting == r->running)
      measure_batch (r);
    uint64_t done = r->done, total = r->total;
    pthread_mutex_unlock (&r->lock);
    sd_report (r->progress, "sweep", done, total);
    pthread_mutex_lock (&r->lock);
  }
  measure_batch (r);
  pthread_mutex_unlock (&r->lock);
  for (int i = 0; i < started; i++)
    pthread_join (thread[i], NULL);
  free (thread);
  for (size_t i = 0; i < r->nbases; i++)
    sd_subdefined_free (r->base[i].data); /* left over after a failure */
  if (r->status != SD_OK && err)
    *err = r->error;
  return r->status;
}

/* Count the work and load the tables before anything runs, so that a missing one is known at once. */
static int prepare (runner *r, const sd_sweep_options *opt, sd_error *err) {
  sd_sweep *s = r->sweep;
  for (size_t i = 0; i < s->ncells; i++) {
    const sd_cell *c = &s->cell[i];
    bool done = false;
    if (!wanted (opt, s, c))
      continue;
    if (c->best_of < 0)
      SD_TRY (is_done (r->store, s, c, &done, err));
    else { /* known already if the other group was complete before */
      sd_cell copy = *c;
      if (resolve (r->store, s, &copy, NULL) == SD_OK)
        SD_TRY (is_done (r->store, s, &copy, &done, err));
    }
    if (done && c->best_of < 0)
      continue;
    r->total++;
    if (done)
      continue;
    if (i == 0 || strcmp (s->cell[i - 1].table, c->table))
      sd_report (r->progress, "loading tables", i, s->ncells);
    if (sd_exacts_need (r->exacts, &c->material, err) != SD_OK)
      return sd_error_prefix (err, "%s: table %s", s->path, c->table);
  }
  return SD_OK;
}

static int run_all (runner *r, const sd_sweep_options *opt, sd_error *err) {
  bool provenance = false;
  SD_TRY (prepare (r, opt, err));
  for (unsigned phase = 0; phase < r->sweep->nphases; phase++) {
    SD_TRY (plan_phase (r, opt, phase, err));
    if (r->ntodo && !provenance) {
      sd_provenance run;
      SD_TRY (sd_run_here (r->sweep, (unsigned) r->jobs, opt->command, &run, err));
      int status = sd_run_tables (r->exacts, &run, err);
      if (status == SD_OK)
        status = sd_store_run (r->store, &run, err);
      sd_provenance_clear (&run);
      SD_TRY (status);
      provenance = true;
    }
    if (r->ntodo)
      SD_TRY (run_phase (r, err));
  }
  sd_report (r->progress, "sweep", r->total, r->total);
  return SD_OK;
}

/* ------------------------------------------------------------------ dry run */

static int list_cells (const sd_sweep *s, const char *db, const sd_sweep_options *opt, sd_error *err) {
  sd_store *store = NULL;
  size_t n = 0, there = 0;
  int status = SD_OK;
  if (db && sd_file_exists (db))
    SD_TRY (sd_store_open (db, false, &store, err));
  for (size_t i = 0; i < s->ncells && status == SD_OK; i++) {
    sd_cell c = s->cell[i];
    char freedom[64];
    bool done = false;
    if (!wanted (opt, s, &c))
      continue;
    if (store && (c.best_of < 0 || resolve (store, s, &c, NULL) == SD_OK))
      status = is_done (store, s, &c, &done, err);
    sd_freedom_text (c.freedom, freedom, sizeof freedom);
    n++;
    there += done;
    if (opt->list)
      fprintf (opt->list, "%s\t%s\t%s\t%s\t%c\t%s\t%s\t%s\t%s\t%s\t%s\n", s->group[c.group].name, c.table,
               sd_metric_name (c.metric), sd_coding_name (c.coding), "wb"[c.side], freedom, c.order,
               c.numbering, c.codec->name, c.settings, done ? "done" : "to do");
  }
  if (opt->list && status == SD_OK)
    fprintf (opt->list, "# %zu cells, %zu of them done\n", n, there);
  sd_store_close (store);
  return status;
}

int sd_sweep_run (const char *conf, const char *db, const sd_sweep_options *opt, sd_error *err) {
  static const sd_sweep_options none = { 0 };
  sd_sweep *s = NULL;
  if (!opt)
    opt = &none;
  SD_TRY (sd_sweep_read (conf, &s, err));
  if (opt->dry_run) {
    int st = list_cells (s, db, opt, err);
    sd_sweep_free (s);
    return st;
  }
  runner *r = calloc (1, sizeof *r);
  int status = r ? SD_OK : sd_fail_memory (err, sizeof *r);
  if (status == SD_OK) {
    long cores = sysconf (_SC_NPROCESSORS_ONLN);
    r->sweep = s;
    r->progress = opt->progress;
    r->jobs = opt->jobs > 0 ? opt->jobs : cores > 0 ? (int) cores : 1;
    if (r->jobs > 256)
      r->jobs = 256; /* the batch has room for one cell more of each */
    pthread_mutex_init (&r->lock, NULL);
    pthread_cond_init (&r->changed, NULL);
    r->todo = sd_alloc (s->ncells, sizeof *r->todo);
    r->base = sd_alloc (s->ncells, sizeof *r->base);
    r->unit = sd_alloc (s->ncells, sizeof *r->unit);
    if (!r->todo || !r->base || !r->unit)
      status = sd_fail_memory (err, s->ncells * sizeof *r->base);
    if (status == SD_OK)
      status = sd_store_open (db, true, &r->store, err);
    if (status == SD_OK)
      status = sd_exacts_new (opt->tables, &r->exacts, err);
    if (status == SD_OK)
      status = sd_probe_set_new (&r->neighbours, err);
    if (status == SD_OK)
      status = run_all (r, opt, err);
    sd_probe_set_free (r->neighbours);
    sd_exacts_free (r->exacts);
    sd_store_close (r->store);
    free (r->todo);
    free (r->base);
    free (r->unit);
    pthread_mutex_destroy (&r->lock);
    pthread_cond_destroy (&r->changed);
    free (r);
  }
  sd_sweep_free (s);
  return status;
}
