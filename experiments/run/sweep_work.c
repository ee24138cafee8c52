/* Who does the work. Cells of one sequence (table, side, coding, freedom, order, numbering) form a unit,
 * which one worker takes: it lays the sequence out once and codes it with each codec. Units of one base
 * (table, side, coding, freedom) follow each other and share the subdefined data, which is judged once (by
 * all cores) and freed behind the last unit, so that memory is a few sequences however large the sweep.
 *
 * A cell is claimed in the store before it is computed, so that several sweeps may work on one store; a unit
 * whose cells all belong to others costs nothing but the question.
 *
 * Cells whose latency is asked for are coded like the others; a batch of them then waits until all workers
 * rest, and the calling thread times them on a quiet machine. A row is stored when it is complete, hence a
 * killed run loses at most a batch. */
#include "config.h"
#include "experiments/run/run_internal.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Lock held. */
static void stop (sd_runner *r, int status, const sd_error *err) {
  if (r->status == SD_OK) {
    r->status = status;
    r->error = *err;
  }
  pthread_cond_broadcast (&r->changed);
}

static int name_error (const sd_cell *c, sd_error *err) {
  char key[SD_KEY_TEXT];
  sd_cell_text (c, '/', key, sizeof key);
  return sd_error_prefix (err, "%.300s", key);
}

/* ------------------------------------------------------------------------ rows */

static void name_row (const sd_runner *r, const sd_cell *c, const sd_base *b, uint64_t free_slots,
                      sd_row *row) {
  *row = (sd_row){ .name = c->name };
  sd_row_forget_times (row);
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
  sd_cell_text (c, '/', key, sizeof key);
  SD_TRY (sd_store_insert (r->store, key, row, err));
  r->computed++;
  sd_uncount (r, c);
  sd_costs_learn (&r->costs, class, sd_cell_slots (c), row->encode_s + row->decode_s);
  r->costs.done +=
      sd_costs_of (&r->costs, class, sd_cell_slots (c)) + sd_timing_seconds (g->latency, g->probe);
  return SD_OK;
}

int sd_cell_failed (sd_runner *r, const sd_cell *c, int status, sd_error *why, sd_error *err) {
  char key[SD_KEY_TEXT];
  sd_cell_text (c, '/', key, sizeof key);
  r->broken[c - r->sweep->cell] = true;
  sd_uncount (r, c);
  SD_TRY (sd_store_failed_cell (r->store, key, "", why->text, err));
  name_error (c, why);
  if (r->failed++ == 0) {
    r->failure = status;
    r->why = *why;
  }
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
  const sd_cell *c = b->cell;
  uint64_t positions = 0;
  int status;
  omp_set_num_threads (r->jobs);
  for (unsigned s = 0; s < 2 && b->exact; s++)
    if (c->side == s || c->side == 2) {
      sd_counts counts;
      sd_exact_count (b->exact, s, &counts);
      positions += counts.positions;
    }
  if (!b->exact) {
    status = sd_cell_array_load (c, &b->data[0], err);
    positions = c->array;
  } else if (c->side == 2)
    status = sd_subdefine_both (r->exacts, b->exact, &SD_STORED (c, 0), NULL, b->data, err);
  else
    status = sd_subdefine (r->exacts, b->exact, &SD_STORED (c, c->side), NULL, &b->data[0], err);
  omp_set_num_threads (1);
  pthread_mutex_lock (&r->lock);
  b->positions = positions;
  b->state = SD_READY;
  pthread_cond_broadcast (&r->changed);
  return status;
}

void sd_base_free (sd_base *b) {
  for (unsigned s = 0; s < 2; s++) {
    sd_subdefined_free (b->data[s]);
    b->data[s] = NULL;
  }
}

static void leave_base (sd_base *b) {
  if (--b->users == 0)
    sd_base_free (b);
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
    sd_cell_text (c, '/', key, sizeof key);
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

/* The sequence of a unit in its own order. */
typedef struct laid {
  sd_layout layout;
  const sd_subdefined *data;
  sd_subdefined *own; /* to be freed; NULL: the base's stands so already */
  uint64_t free_slots;
} laid;

/* One cell of a unit. Lock held on entry and exit. Storing the row begins a transaction that the caller ends,
 * in which the next cell can be claimed. */
static int run_one (sd_runner *r, unsigned worker, sd_cell *c, const sd_base *b, const laid *in,
                    sd_error *err) {
  const sd_sweep_group *g = &r->sweep->group[c->group];
  sd_row row;
  sd_coded coded;
  name_row (r, c, b, in->free_slots, &row);
  r->busy[worker] = (sd_busy){ c, sd_now () };
  snprintf (r->now, sizeof r->now, "%s %s %s %.30s", c->name.table, c->name.metric, c->name.side,
            c->name.codec);
  pthread_mutex_unlock (&r->lock);
  int status = sd_cell_run (c, g->probe ? &in->layout : NULL, in->data, &row, &coded, err);
  pthread_mutex_lock (&r->lock);
  r->busy[worker].cell = NULL;
  if (status != SD_OK) {
    sd_error why = *err;
    SD_TRY (sd_store_begin (r->store, err));
    return sd_cell_failed (r, c, status, &why, err);
  }
  if (g->latency || g->probe) {
    r->batch_bytes += coded.bytes.len;
    r->batch[r->nbatch++] = (sd_pending){ .cell = c, .layout = in->layout, .row = row, .coded = coded };
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

static int lay_out (const sd_cell *c, const sd_base *b, laid *out, sd_error *err) {
  sd_indexer *ix = NULL;
  out->own = NULL;
  sd_subdefined *side[2] = { NULL, NULL };
  if (!b->exact) { /* an array stands in its own order */
    out->data = b->data[0];
    out->free_slots = sd_count_free (&out->data->seq);
    return SD_OK;
  }
  int status = sd_layout_parse (&c->material, c->name.order, c->name.numbering, &out->layout, err);
  const bool there = status == SD_OK && sd_layout_equal (&out->layout, sd_indexer_layout (b->exact->indexer));
  if (status == SD_OK && !there)
    status = sd_indexer_new (&out->layout, &ix, err);
  for (unsigned s = 0; s < 2 && b->data[s] && status == SD_OK && !there; s++)
    status = sd_subdefined_relayout (b->data[s], b->exact->indexer, ix, &side[s], err);
  sd_indexer_free (ix);
  const sd_subdefined *const both[2] = { there ? b->data[0] : side[0], there ? b->data[1] : side[1] };
  if (status == SD_OK && both[1])
    status = sd_subdefined_join (both, &out->own, err);
  else if (!there) {
    out->own = side[0];
    side[0] = NULL;
  }
  out->data = out->own ? out->own : b->data[0];
  if (status == SD_OK)
    out->free_slots = sd_count_free (&out->data->seq);
  sd_subdefined_free (side[0]);
  sd_subdefined_free (side[1]);
  return status;
}

/* From the first cell that is free to be computed here. Lock held on entry and exit. */
static int run_cells (sd_runner *r, unsigned worker, const sd_unit *u, size_t at, sd_cell *c, sd_error *err) {
  sd_base *b = &r->base[u->base];
  laid in;
  SD_TRY (enter_base (r, b, err));
  pthread_mutex_unlock (&r->lock);
  int status = lay_out (c, b, &in, err);
  pthread_mutex_lock (&r->lock);
  if (status != SD_OK)
    name_error (c, err);
  while (c && status == SD_OK && r->status == SD_OK) {
    rest (r);
    if (r->status == SD_OK)
      status = run_one (r, worker, c, b, &in, err);
    if (status == SD_OK)
      status = claim_next (r, u, &at, &c, err);
    status = sd_store_end (r->store, status, err);
  }
  sd_subdefined_free (in.own);
  return status;
}

/* Lock held on entry and exit. */
static int run_unit (sd_runner *r, unsigned worker, const sd_unit *u, sd_error *err) {
  sd_cell *c;
  size_t at = 0;
  int status = claim_next (r, u, &at, &c, err);
  if (status == SD_OK && c)
    status = run_cells (r, worker, u, at, c, err);
  leave_base (&r->base[u->base]);
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
      stop (r, status, &err);
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
    stop (r, sd_fail (&e, SD_ENOMEM, "no worker thread can be started"), &e);
  }
  return started;
}

/* ------------------------------------------------------------ quiet measuring */

/* One repeat of the timing of a cell. */
static int measure (sd_runner *r, sd_pending *p, sd_error *err) {
  const sd_cell *c = p->cell;
  const sd_exact *e = NULL;
  sd_indexer *ix = NULL;
  sd_busy_clock busy;
  int status = c->array ? SD_OK : sd_exacts_get (r->exacts, &c->material, &e, err);
  sd_busy_start (&busy);
  if (c->array)
    status = sd_latency_array (c, r->sweep->seed, p->coded.decoder, &p->get, err);
  if (status == SD_OK && e)
    status = sd_indexer_new (&p->layout, &ix, err);
  if (status == SD_OK && e)
    status = sd_latency_get (c, e, r->sweep->seed, ix, p->coded.decoder, &p->get, err);
  if (status == SD_OK && r->sweep->group[c->group].probe)
    status = sd_latency_probe (c, r->neighbours, r->exacts, r->sweep->seed, p->coded.table, &p->probe, err);
  const double cores = sd_busy_cores (&busy);
  if (isnan (p->row.busy_cores) || cores > p->row.busy_cores) /* the busiest repeat counts */
    p->row.busy_cores = cores;
  sd_indexer_free (ix);
  if (status == SD_OK)
    return SD_OK;
  sd_error why = *err;
  return sd_cell_failed (r, c, status, &why, err);
}

/* All repeats of a cell are over: its row. */
static int conclude (sd_runner *r, sd_pending *p, sd_error *err) {
  sd_row *row = &p->row;
  const uint64_t seed = r->sweep->seed;
  sd_times_note (&p->get, seed,
                 (sd_times_to){ &row->get_ns, &row->get_p99_ns, &row->get_low_ns, &row->get_high_ns,
                                &row->get_scatter, &row->get_samples });
  if (p->probe.n)
    sd_times_note (&p->probe, seed,
                   (sd_times_to){ &row->probe_ns, &row->probe_p99_ns, &row->probe_low_ns, &row->probe_high_ns,
                                  &row->probe_scatter, &row->probe_samples });
  return store_row (r, p->cell, row, err);
}

void sd_work_measure (sd_runner *r) {
  /* The repeats of all cells by turns: what slows the machine down for a while meets one repeat of many
   * cells, not all of one. */
  for (unsigned repeat = 0; repeat <= SD_REPEATS; repeat++)
    for (size_t i = 0; i < r->nbatch; i++) {
      sd_pending *p = &r->batch[i];
      sd_error err = { 0 };
      int status = SD_OK;
      snprintf (r->now, sizeof r->now, "timing %s", p->cell->name.table);
      if (r->status == SD_OK && !r->broken[p->cell - r->sweep->cell])
        status = repeat < SD_REPEATS ? measure (r, p, &err) : conclude (r, p, &err);
      if (status != SD_OK)
        stop (r, status, &err);
      sd_tick (r);
    }
  for (size_t i = 0; i < r->nbatch; i++) {
    sd_coded_free (&r->batch[i].coded);
    sd_times_free (&r->batch[i].get);
    sd_times_free (&r->batch[i].probe);
  }
  r->nbatch = r->batch_bytes = 0;
  r->rest = false;
  pthread_cond_broadcast (&r->changed);
}
