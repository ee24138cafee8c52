/* What subdef-gen does alike for chess and for other games: which tables are there already, checkpoints. */
#include "config.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#include <stdlib.h>
#include <string.h>

int sd_gen_folder (const sd_gen_options *o, const sd_transport *t, char *room, size_t cap, const char **out,
                   sd_error *err) {
  *out = o->folder;
  if (!o->folder) {
    sd_tool_first_folder (sd_tool_path (NULL), room, cap);
    *out = room;
  }
  const bool make = t->rank == 0 && !o->estimate;
  const int st = make ? sd_make_folder (*out, err) : SD_OK;
  if (make && st == SD_OK)
    sd_outfile_sweep (*out, ".sdt");
  return sd_agree (t, st, err);
}

int sd_gen_job_paths (sd_gen_job *j, const char *folder, const char *file, const char *name, sd_error *err) {
  if (asprintf (&j->path, "%s/%s", folder, file) < 0) {
    j->path = NULL;
    return sd_fail_memory (err, 0);
  }
  if (asprintf (&j->checkpoint, "%s/%s.ckpt", folder, name) < 0) {
    j->checkpoint = NULL;
    return sd_fail_memory (err, 0);
  }
  return SD_OK;
}

void sd_gen_job_free (sd_gen_job *j) {
  free (j->path);
  free (j->checkpoint);
}

int sd_gen_job_look (const sd_gen_options *o, const sd_transport *t, sd_gen_job *j,
                     bool (*ours) (const void *ctx, const sd_table_info *info), const void *ctx,
                     const char *other, sd_error *err) {
  sd_error damage = { 0 };
  sd_table *table;
  if (t->rank != 0 || o->force || !sd_file_exists (j->path))
    return SD_OK;
  int st = sd_table_open (j->path, SD_OPEN_CHECK, &table, &damage);
  if (st == SD_OK) {
    sd_table_info info;
    sd_table_describe (table, &info);
    j->skip = ours (ctx, &info);
    sd_table_close (table);
    if (!j->skip)
      sd_fail (&damage, SD_EFORMAT, "%s: %s", j->path, other);
  }
  if (st == SD_ENOMEM) {
    *err = damage;
    return st;
  }
  if (!j->skip && !o->quiet)
    fprintf (stderr, "subdef-gen: %s; built again\n", damage.text);
  if (j->skip && !o->estimate) /* left by a run that was killed between the two */
    sd_checkpoint_remove (j->checkpoint);
  return SD_OK;
}

int sd_gen_jobs_agree (const sd_transport *t, int st, void *jobs, size_t bytes, unsigned n, sd_error *err) {
  uint8_t *skip = st == SD_OK ? sd_alloc0 (n, 1) : NULL;
  if (st == SD_OK && !skip)
    st = sd_fail_memory (err, n);
  for (unsigned i = 0; skip && i < n; i++)
    skip[i] = ((sd_gen_job *) ((char *) jobs + i * bytes))->skip;
  if ((st = sd_agree (t, st, err)) == SD_OK && (st = t->broadcast (t->ctx, 0, skip, n)) != SD_OK)
    sd_fail (err, st, "the ranks could not exchange what exists: %s", sd_strerror (st));
  for (unsigned i = 0; i < n && st == SD_OK; i++)
    ((sd_gen_job *) ((char *) jobs + i * bytes))->skip = skip[i];
  free (skip);
  return st;
}

int sd_gen_begin (const sd_gen_options *o, const sd_transport *t, const sd_gen_job *j, const char *name,
                  const sd_progress *progress, sd_gen_making *m, sd_error *err) {
  const bool keep = o->checkpoint > 0 && o->solver->resumable;
  *m = (sd_gen_making){ .notice = { sd_gen_checkpoint_says, (void *) (uintptr_t) o },
                        .log = { name, t->size },
                        .start = sd_now () };
  const int st =
      keep ? sd_checkpoint_open (j->checkpoint, o->checkpoint, t, &m->notice, &m->checkpoint, err) : SD_OK;
  m->how = sd_gen_how (o, &m->log, keep ? &m->checkpoint : NULL, progress);
  return sd_agree (t, st, err);
}

void sd_gen_end (const sd_transport *t, const sd_gen_job *j, sd_gen_making *m, bool made) {
  sd_checkpoint_close (&m->checkpoint);
  if (made && t->rank == 0)
    sd_checkpoint_remove (j->checkpoint);
}
