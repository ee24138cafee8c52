/* What the calling thread does in the store while the workers compute: it claims the cells that they will
 * come to next, and stores the rows of those that are over, all in one transaction, which costs the disk as
 * much as several small cells. It begins when half of what was claimed is under way, so that workers seldom
 * wait for it. So much work is
 * between two transactions at most (SAVE_S seconds of each worker), and so much is lost when the program is
 * killed; a row that was counted to the user is in the store. Cells are claimed so far ahead (AHEAD_S
 * seconds), and no further, since other sweeps may have nothing else to do. */
#include "config.h"
#include "experiments/run/run_internal.h"
#include <stdlib.h>
#include <string.h>

#define SAVE_S 0.5  /* seconds of work of each worker that may be lost */
#define AHEAD_S 1.  /* seconds of work that are claimed for each worker */
#define GUESSES 16. /* so many cells at once of whose costs nothing is known */

/* Workers look at r->status wherever they take the lock, so the cells in work still end. */
void sd_stop (sd_runner *r, int status, const sd_error *err) {
  if (r->status == SD_OK) {
    r->status = status;
    r->error = *err;
  }
  pthread_cond_broadcast (&r->changed);
}

/* ------------------------------------------------------------- what is over */

/* A cell is over: it waits for the next transaction. seconds: what would be lost with it. Lock held. */
static int push (sd_runner *r, const sd_finished *f, double seconds, sd_error *err) {
  if (!sd_grow (&r->finished, &r->finished_cap, r->nfinished + 1))
    return sd_fail_memory (err, sizeof *f);
  if (r->nfinished == 0)
    r->unsaved_since = sd_now ();
  r->finished[r->nfinished++] = *f;
  r->unsaved += seconds;
  sd_uncount (r, f->cell);
  return SD_OK;
}

/* The costs learn from the row at once, before it is stored, so that the bar is right for the cells that come
 * next. */
int sd_cell_finished (sd_runner *r, const sd_cell *c, const sd_row *row, double seconds, sd_error *err) {
  const sd_cost *k = &sd_state_of (r, c)->cost;
  const sd_finished f = { .cell = c, .row = *row };
  SD_TRY (push (r, &f, seconds, err));
  sd_cost_learn (k, row->encode_s + row->decode_s + row->repeat_s);
  r->work += sd_costs_share (&r->costs, k);
  return SD_OK;
}

/* The first failure is that of the sweep, with the cell's key in front: "a/KRvK/dtm/moves/w/...: decoding
 * failed: ...". */
int sd_cell_failed (sd_runner *r, const sd_cell *c, int status, const sd_error *why, sd_error *err) {
  const sd_finished f = { .cell = c, .status = status, .why = *why };
  char key[SD_KEY_TEXT];
  SD_TRY (push (r, &f, 0, err));
  sd_state_of (r, c)->broken = true;
  if (r->failed++ == 0) {
    r->failure = status;
    r->why = *why;
    sd_error_prefix (&r->why, "%.300s", sd_cell_key (c, key));
  }
  return SD_OK;
}

/* Before the first row the run that it belongs to: a run that does nothing leaves no trace. */
static int save (sd_runner *r, const sd_finished *f, sd_error *err) {
  char key[SD_KEY_TEXT];
  sd_cell_key (f->cell, key);
  if (f->status != SD_OK)
    return sd_store_failed_cell (r->store, key, "", f->why.text, err);
  if (!r->registered)
    SD_TRY (sd_store_run (r->store, &r->run, err));
  r->registered = true;
  return sd_store_insert (r->store, key, &f->row, err);
}

/* ------------------------------------------------------------ what comes next */

/* Cells of todo, and whose they are. Asked for with the lock held, answered without it. */
typedef struct asked {
  struct question {
    size_t at;
    enum sd_claim answer;
  } * q;
  uint64_t n, cap;
} asked;

/* Seconds that a cell will take. Of a codec of which nothing is known so much that GUESSES of its cells are
 * claimed at a time, and not thousands. */
static double cost (const sd_runner *r, const sd_cell *c) {
  const sd_cost *k = &sd_state_of (r, c)->cost;
  const double coding = sd_cost_coding (k), guess = AHEAD_S / GUESSES;
  return (coding < guess && !sd_cost_is_known (k) ? guess : coding) + k->timing;
}

/* Cells from `at` to `end` that take `seconds`; returns how much of that is left over. *room false: no
 * memory. */
static double ask_for (sd_runner *r, size_t at, size_t end, double seconds, asked *out, bool *room) {
  for (; at < end && seconds > 0 && *room; at++) {
    if (sd_state_of (r, r->todo[at])->broken)
      r->owner[at] = SD_NOT_OURS;
    if (r->owner[at] == SD_NOT_OURS)
      continue;
    /* Cells that are claimed already are part of what a worker has before it. */
    seconds -= cost (r, r->todo[at]);
    if (r->owner[at] == SD_OURS)
      continue;
    if ((*room = sd_grow (&out->q, &out->cap, out->n + 1)))
      out->q[out->n++] = (struct question){ .at = at };
  }
  return seconds > 0 ? seconds : 0;
}

/* For each worker the rest of its unit, for those with less the units that nobody has taken yet. Workers
 * without a unit, and those whose unit ends soon, will take the next ones. */
static int look_ahead (sd_runner *r, asked *out, sd_error *err) {
  double left = 0;
  bool room = true;
  for (int w = 0; w < r->jobs; w++) {
    const sd_unit *u = r->busy[w].unit;
    left += u ? ask_for (r, r->busy[w].at, u->first + u->count, AHEAD_S, out, &room) : AHEAD_S;
  }
  for (size_t i = r->next; i < r->nunits && left > 0; i++)
    left = ask_for (r, r->unit[i].first, r->unit[i].first + r->unit[i].count, left, out, &room);
  return room ? SD_OK : sd_fail_memory (err, out->n * sizeof *out->q);
}

static int claim (sd_runner *r, struct question *q, sd_error *err) {
  const sd_cell *c = r->todo[q->at];
  char key[SD_KEY_TEXT];
  return sd_store_claim (r->store, sd_cell_key (c, key), sd_cell_times (r->sweep, c), &q->answer, err);
}

/* claimed and taken say at the end of a pass whether anything was done and whether others hold the rest. */
static void note (sd_runner *r, const struct question *q) {
  r->owner[q->at] = q->answer == SD_CLAIM_MINE ? SD_OURS : SD_NOT_OURS;
  r->claimed += q->answer == SD_CLAIM_MINE;
  r->ahead += q->answer == SD_CLAIM_MINE;
  r->taken += q->answer == SD_CLAIM_TAKEN;
  if (q->answer == SD_CLAIM_DONE)
    sd_uncount (r, r->todo[q->at]); /* another sweep was quicker */
}

/* ------------------------------------------------------------------ the clerk */

/* A worker waits; much is unsaved; or a little is, for some time. */
bool sd_clerk_due (const sd_runner *r) {
  return r->waiting || r->unsaved >= SAVE_S * r->jobs
         || (r->nfinished && sd_now () - r->unsaved_since >= SAVE_S);
}

/* Rows first, then claims: all of it is stored or nothing is. */
static int exchange (sd_runner *r, const sd_finished *f, uint64_t n, asked *ask, sd_error *err) {
  SD_TRY (sd_store_begin (r->store, err));
  int status = SD_OK;
  for (uint64_t i = 0; i < n && status == SD_OK; i++)
    status = save (r, &f[i], err);
  for (uint64_t i = 0; i < ask->n && status == SD_OK; i++)
    status = claim (r, &ask->q[i], err);
  return sd_store_end (r->store, status, err);
}

int sd_clerk_serve (sd_runner *r, sd_error *err) {
  sd_finished *f = r->finished;
  const uint64_t n = r->nfinished;
  asked ask = { NULL, 0, 0 };
  int status = r->running && r->status == SD_OK ? look_ahead (r, &ask, err) : SD_OK;

  /* The list is the clerk's from here on: workers begin a new one while the store is written. */
  r->finished = NULL;
  r->nfinished = r->finished_cap = 0;
  r->unsaved = 0;
  r->waiting = false;

  if (status == SD_OK && n + ask.n > 0) {
    pthread_mutex_unlock (&r->lock);
    status = exchange (r, f, n, &ask, err);
    pthread_mutex_lock (&r->lock);
  }

  /* Only now are cells counted to the user. */
  for (uint64_t i = 0; i < n && status == SD_OK; i++)
    if (f[i].status == SD_OK) {
      r->computed++;
      sd_state_of (r, f[i].cell)->stored = true;
    }
  sd_tell_stored (r);

  for (uint64_t i = 0; i < ask.n && status == SD_OK; i++)
    note (r, &ask.q[i]);
  r->last_ahead = r->ahead;

  if (status != SD_OK)
    r->registered = false; /* taken back with all else */

  free (f);
  free (ask.q);
  pthread_cond_broadcast (&r->changed);
  return status;
}
