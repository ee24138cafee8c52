/* Who does the work. Cells of one sequence (table, side, coding, freedom, order, numbering) form a unit, which
 * one worker takes: it lays the sequence out once and codes it with each codec. Units of one base (table, side,
 * coding, freedom) follow each other and share the subdefined data, which is judged once (by all cores) and
 * freed behind the last unit, so that memory is a few sequences however large the sweep.
 *
 * A cell is claimed in the store before it is computed, so that several sweeps may work on one store; a unit
 * whose cells all belong to others costs nothing but the question.
 *
 * Cells whose latency is asked for are coded like the others; a batch of them then waits until all workers
 * rest, and the calling thread times them on a quiet machine. A row is stored when it is complete, hence a
 * killed run loses at most a batch. */
#include "config.h"
#include "experiments/run/sweep_internal.h"
#include "recode/recode.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

void sd_work_stop (sd_runner *r, int status, const sd_error *err) {
  if (r->status == SD_OK) {
    r->status = status;
    r->error = *err;
  }
  pthread_cond_broadcast (&r->changed);
}

static int name_error (const sd_runner *r, const sd_cell *c, sd_error *err) {
  char key[SD_KEY_TEXT];
  sd_cell_key (r->sweep, c, key, sizeof key);
  return sd_error_prefix (err, "%.300s", key);
}

/* ------------------------------------------------------------------------ rows */

static void name_row (const sd_runner *r, const sd_cell *c, const sd_base *b, uint64_t free_slots, sd_row *row) {
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

/* A complete row, and before the first one the run that it belongs to: a run that does nothing leaves no
 * trace. Lock held. */
static int store_row (sd_runner *r, const sd_cell *c, const sd_row *row, sd_error *err) {
  const sd_sweep_group *g = &r->sweep->group[c->group];
  const size_t class = r->class[c - r->sweep->cell];
  char key[SD_KEY_TEXT];
  if (!r->registered) {
    SD_TRY (sd_store_run (r->store, &r->run, err));
    r->registered = true;
  }
  sd_cell_key (r->sweep, c, key, sizeof key);
  SD_TRY (sd_store_insert (r->store, key, row, err));
  r->computed++;
  sd_uncount (r, c);
  sd_costs_learn (&r->costs, class, sd_material_slots (&c->material), row->encode_s + row->decode_s);
  r->costs.done += sd_costs_of (&r->costs, class, sd_material_slots (&c->material))
                   + sd_timing_seconds (g->latency, g->probe);
  return SD_OK;
}

/* ----------------------------------------------------------------------- bases */

/* The subdefined data of a base; the first worker that comes judges it, others wait. Lock held on entry and
 * exit. */
static int enter_base (sd_runner *r, sd_base *b, sd_error *err) {
  while (b->state == SD_IN_WORK && r->status == SD_OK)
    pthread_cond_wait (&r->changed, &r->lock);
  if (r->status != SD_OK || b->state == SD_READY)
    return r->status;
  b->state = SD_IN_WORK;
  pthread_mutex_unlock (&r->lock);
  sd_counts counts;
  omp_set_num_threads (r->jobs);
  sd_exact_count (b->exact, b->side, &counts);
  int status = sd_subdefine (r->exacts, b->exact, b->side, b->coding, b->freedom, NULL, &b->data, err);
  omp_set_num_threads (1);
  pthread_mutex_lock (&r->lock);
  b->positions = counts.positions;
  b->state = SD_READY;
  pthread_cond_broadcast (&r->changed);
  return status;
}

static void leave_base (sd_base *b) {
  if (--b->users == 0) {
    sd_subdefined_free (b->data);
    b->data = NULL;
  }
}

/* ----------------------------------------------------------------------- units */

/* Wait while the machine is to be quiet. Lock held. */
static void rest (sd_runner *r) {
  while (r->rest && r->status == SD_OK) {
    r->resting++;
    pthread_cond_broadcast (&r->changed);
    pthread_cond_wait (&r->changed, &r->lock);
    r->resting--;
  }
}

/* The next cell of a unit from *at on that is free to be computed here, or NULL. Lock held. */
static int claim_next (sd_runner *r, const sd_unit *u, size_t *at, sd_cell **out, sd_error *err) {
  *out = NULL;
  while (*at < u->count && r->status == SD_OK) {
    sd_cell *c = r->todo[u->first + (*at)++];
    char key[SD_KEY_TEXT];
    enum sd_claim claim;
    sd_cell_key (r->sweep, c, key, sizeof key);
    SD_TRY (sd_store_claim (r->store, key, sd_cell_times (r->sweep, c), &claim, err));
    if (claim == SD_CLAIM_DONE)
      sd_uncount (r, c); /* another sweep was quicker */
    if (claim != SD_CLAIM_MINE)
      continue;
    r->claimed++;
    *out = c;
    return SD_OK;
  }
  return SD_OK;
}

/* One cell of a unit. Lock held on entry and exit. Storing the row begins a transaction that the caller ends, in
 * which the next cell can be claimed. */
static int run_one (sd_runner *r, unsigned worker, sd_cell *c, const sd_base *b, const sd_layout *layout,
                    const sd_subdefined *d, uint64_t free_slots, sd_error *err) {
  const sd_sweep_group *g = &r->sweep->group[c->group];
  sd_row row;
  sd_coded coded;
  name_row (r, c, b, free_slots, &row);
  r->busy[worker] = (sd_busy){ c, sd_now () };
  snprintf (r->now, sizeof r->now, "%s %s %c %.30s", c->table, sd_metric_name (c->metric), "wb"[c->side],
            c->codec->name);
  pthread_mutex_unlock (&r->lock);
  int status = sd_cell_run (c, g->probe, layout, d, &row, &coded, err);
  pthread_mutex_lock (&r->lock);
  r->busy[worker].cell = NULL;
  if (status != SD_OK) {
    r->failed++;
    return name_error (r, c, err);
  }
  if (g->latency || g->probe) {
    r->batch_bytes += coded.bytes.len;
    r->batch[r->nbatch++] = (sd_pending){ c, *layout, row, coded };
    if (r->nbatch >= SD_BATCH || r->batch_bytes >= SD_BATCH_BYTES)
      r->rest = true;
  } else {
    sd_coded_free (&coded);
    status = sd_store_begin (r->store, err);
    if (status == SD_OK)
      status = store_row (r, c, &row, err);
  }
  pthread_cond_broadcast (&r->changed);
  return status;
}

/* The sequence of a unit in its own order; *out NULL: it stands so already. */
static int lay_out (const sd_cell *c, const sd_base *b, sd_layout *layout, sd_subdefined **out,
                    uint64_t *free_slots, sd_error *err) {
  sd_indexer *ix = NULL;
  *out = NULL;
  int status = sd_layout_parse (&c->material, c->order, c->numbering, layout, err);
  if (status == SD_OK && !sd_layout_equal (layout, sd_indexer_layout (b->exact->indexer))) {
    status = sd_indexer_new (layout, &ix, err);
    if (status == SD_OK)
      status = sd_subdefined_relayout (b->data, b->exact->indexer, ix, out, err);
    sd_indexer_free (ix);
  }
  if (status == SD_OK)
    *free_slots = sd_count_free (*out ? &(*out)->seq : &b->data->seq);
  return status;
}

/* From the first cell that is free to be computed here. Lock held on entry and exit. */
static int run_cells (sd_runner *r, unsigned worker, const sd_unit *u, sd_base *b, size_t at, sd_cell *c,
                      sd_error *err) {
  sd_subdefined *laid_out = NULL;
  sd_layout layout;
  uint64_t free_slots = 0;
  SD_TRY (enter_base (r, b, err));
  pthread_mutex_unlock (&r->lock);
  int status = lay_out (c, b, &layout, &laid_out, &free_slots, err);
  pthread_mutex_lock (&r->lock);
  if (status != SD_OK)
    name_error (r, c, err);
  while (c && status == SD_OK && r->status == SD_OK) {
    rest (r);
    if (r->status == SD_OK)
      status = run_one (r, worker, c, b, &layout, laid_out ? laid_out : b->data, free_slots, err);
    if (status == SD_OK)
      status = claim_next (r, u, &at, &c, err);
    status = sd_store_end (r->store, status, err);
  }
  sd_subdefined_free (laid_out);
  return status;
}

/* Lock held on entry and exit. */
static int run_unit (sd_runner *r, unsigned worker, const sd_unit *u, sd_error *err) {
  sd_base *b = &r->base[u->base];
  sd_cell *c;
  size_t at = 0;
  int status = claim_next (r, u, &at, &c, err);
  if (status == SD_OK && c)
    status = run_cells (r, worker, u, b, at, c, err);
  leave_base (b);
  return status;
}

typedef struct job {
  sd_runner *r;
  unsigned worker;
} job;

static void *work (void *arg) {
  job *j = arg;
  sd_runner *r = j->r;
  omp_set_num_threads (1); /* each worker is one thread; the setting is the thread's own */
  pthread_mutex_lock (&r->lock);
  while (r->status == SD_OK) {
    rest (r);
    if (r->status != SD_OK || r->next == r->nunits)
      break;
    const sd_unit *u = &r->unit[r->next++];
    sd_error err = { 0 };
    int status = run_unit (r, j->worker, u, &err);
    if (status != SD_OK && r->status == SD_OK)
      sd_work_stop (r, status, &err);
  }
  r->running--;
  pthread_cond_broadcast (&r->changed);
  pthread_mutex_unlock (&r->lock);
  free (j);
  return NULL;
}

int sd_work_start (sd_runner *r, pthread_t *thread) {
  int started = 0;
  for (; started < r->jobs; started++) {
    job *j = malloc (sizeof *j);
    if (!j)
      break;
    *j = (job){ r, (unsigned) started };
    r->running++;
    if (pthread_create (&thread[started], NULL, work, j) != 0) {
      r->running--;
      free (j);
      break;
    }
  }
  if (started == 0) {
    sd_error e = { 0 };
    sd_work_stop (r, sd_fail (&e, SD_ENOMEM, "no worker thread can be started"), &e);
  }
  return started;
}

/* ------------------------------------------------------------ quiet measuring */

static int measure (sd_runner *r, sd_pending *p, sd_error *err) {
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
  sd_indexer_free (ix);
  if (status != SD_OK) {
    r->failed++;
    return name_error (r, c, err);
  }
  return store_row (r, c, &p->row, err);
}

void sd_work_measure (sd_runner *r) {
  for (size_t i = 0; i < r->nbatch; i++) {
    sd_error err = { 0 };
    snprintf (r->now, sizeof r->now, "timing %s", r->batch[i].cell->table);
    int status = r->status == SD_OK ? measure (r, &r->batch[i], &err) : r->status;
    if (status != SD_OK && r->status == SD_OK)
      sd_work_stop (r, status, &err);
    sd_coded_free (&r->batch[i].coded);
    sd_tick (r);
  }
  r->nbatch = r->batch_bytes = 0;
  r->rest = false;
  pthread_cond_broadcast (&r->changed);
}
