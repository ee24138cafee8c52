/* Who does the work. Cells of one sequence (table, side, coding, freedom, order, numbering) form a unit,
 * which one worker takes: it lays the sequence out once and codes it with each codec. Units of one base
 * (table, side, coding, freedom) follow each other and share the subdefined data, which is judged once (by
 * all cores) and freed behind the last unit, so that memory is a few sequences however large the sweep.
 *
 * A cell is claimed in the store before it is computed, so that several sweeps may work on one store; a unit
 * whose cells all belong to others costs nothing but the question. The calling thread asks and stores
 * (sweep_clerk.c), a little ahead and a little behind the workers.
 *
 * What goes wrong with a cell, or with the data of many, ends these cells and no others.
 *
 * Cells whose latency is asked for are coded like the others; a batch of them then waits until all workers
 * rest, and the calling thread times them on a quiet machine. A killed run loses at most a batch. */
#include "config.h"
#include "experiments/run/run_internal.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------ rows */

/* The sequence of a unit in its own order. */
typedef struct laid {
  sd_layout layout;
  const sd_subdefined *data;
  sd_subdefined *own; /* to be freed; NULL: the base's stands so already */
  uint64_t free_slots, positions;
  uint64_t whole; /* slots of the table, of which data is a part; 0: data has all */
  double seconds; /* that all this took, and no row tells yet */
} laid;

/* A row with what its cell is; all that is measured is 0 or not known. */
static void name_row (const sd_runner *r, const sd_cell *c, const laid *in, sd_row *row) {
  *row = (sd_row){ .name = c->name };
  sd_row_forget_times (row);
  row->threads = (unsigned) r->jobs;
  row->positions = in->positions;
  row->free_slots = in->free_slots;
  row->whole_slots = in->whole;
}

/* ----------------------------------------------------------------------- bases */

/* Positions of the sides of a cell. */
static uint64_t count_positions (const sd_base *b) {
  uint64_t positions = 0;
  for (unsigned s = 0; s < 2 && b->exact; s++)
    if (b->cell->side == s || b->cell->side == 2) {
      sd_counts counts;
      sd_exact_count (b->exact, s, &counts);
      positions += counts.positions;
    }
  return b->exact ? positions : b->cell->array;
}

/* The subdefined data of a base; the first worker that comes judges it, others wait. Why it cannot be made is
 * an answer, too: all units of the base get it. Lock held on entry and exit. */
static int enter_base (sd_runner *r, sd_base *b, sd_error *err) {
  while (b->state == SD_IN_WORK && r->status == SD_OK)
    pthread_cond_wait (&r->changed, &r->lock);

  if (r->status == SD_OK && b->state == SD_UNTOUCHED) {
    const sd_cell *c = b->cell;
    b->state = SD_IN_WORK;
    pthread_mutex_unlock (&r->lock);
    const double began = sd_now ();
    /* All cores: the other workers wait for this base, or have cells of the one before. */
    omp_set_num_threads (r->jobs);
    b->positions = count_positions (b);
    if (!b->exact)
      b->status = sd_cell_array_load (c, &b->data[0], &b->why);
    else if (c->side == 2)
      b->status = sd_subdefine_both (r->exacts, b->exact, &SD_STORED (c, 0), NULL, b->data, &b->why);
    else
      b->status = sd_subdefine (r->exacts, b->exact, &SD_STORED (c, c->side), NULL, &b->data[0], &b->why);
    omp_set_num_threads (1);
    b->seconds = sd_now () - began;
    pthread_mutex_lock (&r->lock);
    b->state = SD_READY;
    pthread_cond_broadcast (&r->changed);
  }

  if (b->status != SD_OK)
    *err = b->why;
  return b->status;
}

void sd_base_free (sd_base *b) {
  for (unsigned s = 0; s < 2; s++) {
    sd_subdefined_free (b->data[s]);
    b->data[s] = NULL;
  }
}

/* A unit of the base is over, whether its cells were computed here or not. Lock held. */
static void leave_base (sd_base *b) {
  if (--b->users == 0)
    sd_base_free (b);
}

/* ----------------------------------------------------------------------- units */

/* Wait while the machine is to be quiet. Lock held. The calling thread counts those that rest, and begins
 * when all do. */
static void rest (sd_runner *r) {
  while (r->rest && r->status == SD_OK) {
    r->resting++;
    pthread_cond_broadcast (&r->changed);
    pthread_cond_wait (&r->changed, &r->lock);
    r->resting--;
  }
}

/* The next cell of its unit from *at on that is to be computed here, or NULL. Lock held; it may have to wait
 * until the clerk knows. */
static sd_cell *next_cell (sd_runner *r, unsigned worker, const sd_unit *u, size_t *at) {
  while (*at < u->count && r->status == SD_OK) {
    const size_t i = r->busy[worker].at = u->first + *at;
    if (r->owner[i] == SD_NOT_ASKED) {
      r->waiting = true;
      pthread_cond_broadcast (&r->changed);
      pthread_cond_wait (&r->changed, &r->lock);
      continue;
    }
    ++*at;
    if (r->owner[i] != SD_OURS)
      continue;
    if (2 * --r->ahead < r->last_ahead && !r->waiting) { /* in time, so that nobody has to wait */
      r->waiting = true;
      pthread_cond_broadcast (&r->changed);
    }
    return r->todo[i];
  }
  return NULL;
}

/* One cell of a unit. Lock held on entry and exit. */
static int run_one (sd_runner *r, unsigned worker, sd_cell *c, laid *in, sd_error *err) {
  const sd_sweep_group *g = &r->sweep->group[c->group];
  const double began = sd_now ();
  sd_row row;
  sd_cell_coded coded;
  sd_error why = { 0 };

  name_row (r, c, in, &row);
  /* The first cell of a unit has the time that laying it out took; the others have 0. */
  row.prepare_s = in->seconds;
  in->seconds = 0;

  r->busy[worker].cell = c;
  r->busy[worker].since = began;
  snprintf (r->now, sizeof r->now, "%s %s %s %.30s", c->name.table, c->name.metric, c->name.side,
            c->name.codec);
  pthread_mutex_unlock (&r->lock);

  const bool timed = g->latency || g->probe;
  const sd_cell_how how = { .image = g->probe ? &in->layout : NULL,
                            .enough = timed ? SD_ENOUGH_TIMED_S : SD_ENOUGH_S,
                            .seed = r->sweep->seed };

  sd_busy_clock busy;
  sd_busy_start (&busy);
  int status = sd_cell_run (c, &how, in->data, &row, &coded, &why);
  row.coding_busy_cores = sd_busy_cores (&busy);

  pthread_mutex_lock (&r->lock);
  if (isnan (row.coding_busy_cores)) /* too short to say; just before it the machine was as busy */
    row.coding_busy_cores = r->others;
  r->busy[worker].cell = NULL;

  if (status != SD_OK)
    status = sd_cell_failed (r, c, status, &why, err);
  else if (timed) {
    r->batch_bytes += coded.bytes.len;
    r->batch[r->nbatch++] = (sd_pending){ .cell = c, .layout = in->layout, .row = row, .coded = coded };
    if (r->nbatch >= SD_BATCH || r->batch_bytes >= SD_BATCH_BYTES)
      r->rest = true;
  } else {
    sd_cell_coded_free (&coded);
    status = sd_cell_finished (r, c, &row, sd_now () - began, err);
  }

  if (r->rest || sd_clerk_due (r))
    pthread_cond_broadcast (&r->changed);
  return status;
}

/* *out is empty at first. An array stands in its own order. Data that stands in the order of the generator
 * already is used as it is, and *out->own stays NULL. */
static int lay_out (const sd_cell *c, const sd_base *b, laid *out, sd_error *err) {
  SD_OWN (sd_indexer) *ix = NULL;
  SD_OWN_SIDES *side[2] = { NULL, NULL };
  const sd_subdefined *now[2] = { b->data[0], b->data[1] };
  if (b->exact)
    SD_TRY (sd_layout_parse (&c->material, c->name.order, c->name.numbering, &out->layout, err));
  if (b->exact && !sd_layout_equal (&out->layout, sd_indexer_layout (b->exact->indexer))) {
    SD_TRY (sd_indexer_new (&out->layout, &ix, err));
    for (unsigned s = 0; s < 2 && b->data[s]; s++) {
      SD_TRY (sd_subdefined_relayout (b->data[s], b->exact->indexer, ix, &side[s], err));
      now[s] = side[s];
    }
  }

  /* One stream for both sides: White's slots, then Black's. */
  if (now[1])
    SD_TRY (sd_subdefined_join (now, &out->own, err));
  else {
    out->own = side[0];
    side[0] = NULL;
  }

  out->data = out->own ? out->own : now[0];
  out->free_slots = sd_count_free (&out->data->seq);
  out->positions = b->positions;
  return SD_OK;
}

/* The same for a cell that codes a part: only slots of it are judged, so that the base is not needed. */
static int lay_out_part (const sd_runner *r, const sd_cell *c, const sd_base *b, laid *out, sd_error *err) {
  SD_OWN (sd_indexer) *ix = NULL;
  SD_TRY (sd_layout_parse (&c->material, c->name.order, c->name.numbering, &out->layout, err));
  SD_TRY (sd_indexer_new (&out->layout, &ix, err));
  SD_TRY (sd_sample_take (c, r->exacts, b->exact, ix, &out->own, err));
  out->data = out->own;
  out->free_slots = sd_count_free (&out->data->seq);
  out->positions = count_positions (b);
  out->whole = sd_indexer_size (ix);
  return SD_OK;
}

/* From the first cell that is to be computed here. Without its data each of them fails. Lock held on entry
 * and exit. */
static int run_cells (sd_runner *r, unsigned worker, const sd_unit *u, size_t at, sd_cell *c, sd_error *err) {
  sd_base *b = &r->base[u->base];
  laid in = { .own = NULL };
  sd_error why = { 0 };
  int without = c->part ? SD_OK : enter_base (r, b, &why), status = SD_OK;

  /* The time of judging the base goes to the first unit that uses it. */
  if (without == SD_OK && r->status == SD_OK) {
    const double judging = c->part ? 0 : b->seconds;
    if (!c->part)
      b->seconds = 0;
    pthread_mutex_unlock (&r->lock);
    const double began = sd_now ();
    without = c->part ? lay_out_part (r, c, b, &in, &why) : lay_out (c, b, &in, &why);
    in.seconds = judging + sd_now () - began;
    pthread_mutex_lock (&r->lock);
  }

  for (; c && status == SD_OK && r->status == SD_OK; c = next_cell (r, worker, u, &at)) {
    rest (r);
    if (r->status != SD_OK)
      break;
    status = without == SD_OK ? run_one (r, worker, c, &in, err) : sd_cell_failed (r, c, without, &why, err);
    if (status != SD_OK)
      break;
  }

  sd_subdefined_free (in.own);
  return status;
}

/* Lock held on entry and exit. */
static int run_unit (sd_runner *r, unsigned worker, const sd_unit *u, sd_error *err) {
  size_t at = 0;
  r->busy[worker].at = u->first;
  r->busy[worker].unit = u;
  sd_cell *c = next_cell (r, worker, u, &at);
  const int status = c ? run_cells (r, worker, u, at, c, err) : SD_OK;
  r->busy[worker].unit = NULL;
  leave_base (&r->base[u->base]);
  return status;
}

typedef struct job {
  sd_runner *r;
  unsigned worker;
} job;

/* A worker: units from the list until there is none, or the sweep ends. */
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
    if (status != SD_OK)
      sd_stop (r, status, &err);
  }
  r->running--;
  pthread_cond_broadcast (&r->changed);
  pthread_mutex_unlock (&r->lock);
  free (j);
  return NULL;
}

/* Fewer workers than were asked for are enough; without any the sweep ends. */
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
    sd_stop (r, sd_fail (&e, SD_ENOMEM, "no worker thread can be started"), &e);
  }
  return started;
}

/* ------------------------------------------------------------ quiet measuring */

/* One repeat of the timing of a cell. */
static int time_once (sd_runner *r, sd_pending *p, sd_error *err) {
  const sd_cell *c = p->cell;
  const uint64_t seed = r->sweep->seed;
  const sd_exact *e;
  SD_OWN (sd_indexer) *ix = NULL;
  if (c->array)
    return sd_latency_array (c, seed, p->coded.decoder, &p->get, err);
  SD_TRY (sd_values_whole (r->exacts, &c->material, &e, err));
  SD_TRY (sd_indexer_new (&p->layout, &ix, err));
  SD_TRY (sd_latency_get (c, e, seed, ix, p->coded.decoder, &p->get, err));
  return !r->sweep->group[c->group].probe
             ? SD_OK
             : sd_latency_probe (c, r->neighbours, r->exacts, seed, p->coded.table, &p->probe, err);
}

/* Cells that fail while they are timed have no row, though they were coded. */
static int measure (sd_runner *r, sd_pending *p, sd_error *err) {
  sd_error why = { 0 };
  const double began = sd_now ();
  const int status = time_once (r, p, &why);
  p->seconds += sd_now () - began;
  return status == SD_OK ? SD_OK : sd_cell_failed (r, p->cell, status, &why, err);
}

/* All repeats of a cell are over: its row. */
static int conclude (sd_runner *r, sd_pending *p, sd_error *err) {
  sd_row *row = &p->row;
  const double began = sd_now ();
  const uint64_t seed = r->sweep->seed;
  sd_times_note (&p->get, seed,
                 (sd_spread_to){ &row->get_ns, &row->get_low_ns, &row->get_high_ns, &row->get_samples,
                                 &row->get_p99_ns, &row->get_scatter });
  if (p->probe.n)
    sd_times_note (&p->probe, seed,
                   (sd_spread_to){ &row->probe_ns, &row->probe_low_ns, &row->probe_high_ns,
                                   &row->probe_samples, &row->probe_p99_ns, &row->probe_scatter });
  row->timing_s = p->seconds + sd_now () - began;
  return sd_cell_finished (r, p->cell, row, row->encode_s + row->decode_s, err);
}

void sd_work_measure (sd_runner *r) {
  sd_busy_clock busy; /* of the whole batch: the system counts in steps that are longer than many a repeat */
  double others = NAN;
  sd_busy_start (&busy);
  /* The repeats of all cells by turns: what slows the machine down for a while meets one repeat of many
   * cells, not all of one. */
  for (unsigned repeat = 0; repeat <= SD_REPEATS; repeat++) {
    if (repeat == SD_REPEATS)
      others = sd_busy_cores (&busy);
    for (size_t i = 0; i < r->nbatch; i++) {
      sd_pending *p = &r->batch[i];
      sd_error err = { 0 };
      int status = SD_OK;
      snprintf (r->now, sizeof r->now, "timing %s", p->cell->name.table);
      p->row.busy_cores = others;
      if (r->status == SD_OK && !sd_state_of (r, p->cell)->broken)
        status = repeat < SD_REPEATS ? measure (r, p, &err) : conclude (r, p, &err);
      if (status != SD_OK)
        sd_stop (r, status, &err);
      sd_tick (r);
    }
  }

  /* Coded streams are kept only as long as this: SD_BATCH_BYTES bounds them. */
  for (size_t i = 0; i < r->nbatch; i++) {
    sd_cell_coded_free (&r->batch[i].coded);
    sd_times_free (&r->batch[i].get);
    sd_times_free (&r->batch[i].probe);
  }
  r->nbatch = r->batch_bytes = 0;
  r->rest = false;
  pthread_cond_broadcast (&r->changed);
}
