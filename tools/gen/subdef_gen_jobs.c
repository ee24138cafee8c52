/* What subdef-gen is to make: which tables are there already, where they go, checkpoints. Only rank 0 looks
 * at the disk; what it finds goes to all, so that all make the same tables. A table that is whole and about
 * the right thing is kept; one that is damaged is told and made again. */
#include "config.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#include <stdlib.h>
#include <string.h>

int sd_gen_folder (sd_gen_session *s, char *room, size_t cap, sd_error *err) {
  s->folder = s->o->folder;
  if (!s->folder) {
    sd_tool_first_folder (sd_tool_path (NULL), room, cap);
    s->folder = room;
  }

  const bool make = s->t->rank == 0 && !s->o->estimate;
  const int st = make ? sd_make_folder (s->folder, err) : SD_OK;
  if (make && st == SD_OK)
    /* What killed runs have left under temporary names. */
    sd_outfile_sweep (s->folder, ".sdt");
  return sd_agree (s->t, st, err);
}

/* FOLDER/FILE, and FOLDER/NAME.ckpt, the name without its ".dtm.sdt"; of another metric NAME.METRIC.ckpt. Two
 * metrics of one ending may be made in one folder, each with a checkpoint. j owns both texts. */
static int paths (const char *folder, const char *file, enum sd_metric metric, sd_gen_job *j, sd_error *err) {
  const bool usual = metric == SD_USUAL_EXACT;
  if (asprintf (&j->path, "%s/%s", folder, file) < 0) {
    j->path = NULL;
    return sd_fail_memory (err, 0);
  }

  if (asprintf (&j->checkpoint, "%s/%.*s%s%s.ckpt", folder, (int) strcspn (file, "."), file, usual ? "" : ".",
                usual ? "" : sd_metrics[metric].name)
      < 0) {
    j->checkpoint = NULL;
    return sd_fail_memory (err, 0);
  }
  return SD_OK;
}

void sd_gen_jobs_free (sd_gen_job *jobs, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    free (jobs[i].path);
    free (jobs[i].checkpoint);
  }
  free (jobs);
}

/* On rank 0, not with --force: is there a whole table about this? SD_ENOMEM: not known. */
static int look (const sd_gen_session *s, const sd_table_spec *subject, sd_gen_job *j, sd_error *err) {
  const sd_gen_options *o = s->o;
  sd_error damage = { 0 };
  sd_table *table;

  if (s->t->rank != 0 || o->force || !sd_file_exists (j->path))
    return SD_OK;

  int st = sd_table_open (j->path, SD_OPEN_CHECK, &table, &damage);
  if (st == SD_OK) {
    sd_table_info info;
    sd_table_describe (table, &info);
    /* A renamed table, or one of other rules, is not what its name says. */
    j->skip = sd_subject_is (subject, &info) && info.metric == o->metric;
    sd_table_close (table);
    if (!j->skip)
      sd_fail (&damage, SD_EFORMAT, "%s: holds another table than its name says%s", j->path,
               subject->game.name[0] ? ", or one made from other rules" : "");
  }

  if (st == SD_ENOMEM) {
    *err = damage;
    return st;
  }

  if (!j->skip && !o->quiet)
    sd_tool_say ("%s; built again", damage.text);
  if (j->skip && !o->estimate) { /* left by a run that was killed between the two */
    sd_checkpoint_remove (j->checkpoint);
    sd_gen_parts_remove (j->path);
  }
  return SD_OK;
}

/* Name, paths, estimate, and whether it is there. */
static int make_job (const sd_gen_session *s, sd_slice slice, sd_gen_job *j, sd_error *err) {
  sd_table_spec subject;
  char file[SD_GAME_FILE_NAME];
  j->slice = slice;
  s->rules.kind->slice_name (s->rules.ctx, slice, j->name);
  SD_TRY (sd_rules_subject (&s->rules, slice, &subject, err));
  sd_subject_file_name (&subject, s->o->metric, file);

  SD_TRY (paths (s->folder, file, s->o->metric, j, err));
  SD_TRY (sd_gen_estimate_slice (&s->rules, slice, &s->estimate, &j->estimate, err));
  return look (s, &subject, j, err);
}

/* Collective: each rank has looked with status st; what rank 0 has seen goes to all. */
static int agree (const sd_transport *t, int st, sd_gen_job *jobs, unsigned n, sd_error *err) {
  uint8_t *skip = st == SD_OK ? sd_alloc0 (n, 1) : NULL;
  if (st == SD_OK && !skip)
    st = sd_fail_memory (err, n);
  for (unsigned i = 0; skip && i < n; i++)
    skip[i] = jobs[i].skip;

  if ((st = sd_agree (t, st, err)) == SD_OK)
    st = sd_exchanged (t->broadcast (t->ctx, 0, skip, n), NULL, "what exists", err);
  for (unsigned i = 0; i < n && st == SD_OK; i++)
    jobs[i].skip = skip[i];
  free (skip);
  return st;
}

/* Of order[0..n-1] those that are wanted, in their order. */
static unsigned keep_named (sd_slice *order, unsigned n, const sd_slice *want, unsigned nwant) {
  unsigned kept = 0;
  for (unsigned i = 0; i < n; i++) {
    bool named = false;
    for (unsigned k = 0; k < nwant; k++)
      named |= want[k] == order[i];
    if (named)
      order[kept++] = order[i];
  }
  return kept;
}

/* After a failure *out is still to be freed: each rank has as much of it as it came to. */
int sd_gen_jobs (const sd_gen_session *s, const sd_slice *want, unsigned nwant, sd_gen_job **out,
                 unsigned *nout, sd_error *err) {
  sd_slice *order = NULL;
  unsigned n = 0;
  int st = sd_rules_order (&s->rules, want, nwant, &order, &n, err);
  if (st == SD_OK && s->o->only)
    n = keep_named (order, n, want, nwant);
  sd_gen_job *jobs = st == SD_OK ? sd_alloc0 (n, sizeof *jobs) : NULL;
  if (st == SD_OK && !jobs)
    st = sd_fail_memory (err, n * sizeof *jobs);
  for (unsigned i = 0; i < n && st == SD_OK; i++)
    st = make_job (s, order[i], &jobs[i], err);

  free (order);
  *out = jobs;
  *nout = jobs ? n : 0;
  return agree (s->t, st, jobs, n, err);
}

int sd_gen_begin (const sd_gen_session *s, const sd_gen_job *j, const sd_progress *progress, sd_gen_making *m,
                  sd_error *err) {
  const sd_gen_options *o = s->o;
  /* Only some solvers can go on from a state of theirs. */
  const bool keep = o->checkpoint > 0 && o->solver->resumable;
  *m = (sd_gen_making){ .notice = { sd_gen_checkpoint_says, (void *) (uintptr_t) o },
                        .log = { j->name, s->t->size },
                        .how = { .grain = o->grain,
                                 .threads = o->threads,
                                 .balance = o->balanced ? &o->balance : NULL,
                                 .trace = o->log ? sd_gen_log_iteration : NULL,
                                 .trace_ctx = &m->log,
                                 .checkpoint = keep ? &m->checkpoint : NULL,
                                 .progress = progress },
                        .start = sd_now () };

  const int st =
      keep ? sd_checkpoint_open (j->checkpoint, o->checkpoint, s->t, &m->notice, &m->checkpoint, err) : SD_OK;
  return sd_agree (s->t, st, err);
}

/* The checkpoint of a table that is there would be for nothing; after a failure it stays for the next run. */
void sd_gen_end (const sd_gen_session *s, const sd_gen_job *j, sd_gen_making *m, bool made) {
  sd_checkpoint_close (&m->checkpoint);
  if (made && s->t->rank == 0)
    sd_checkpoint_remove (j->checkpoint);
}
