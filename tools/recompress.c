/* subdef recompress: smaller Syzygy files, which the same programs read. Files are dealt out to tasks, and in
 * a task to threads, the largest first. Each gets its name after it was compared; only then a line of the
 * list says that it is done (done.h). */
#include "config.h"
#include "syzygy/syzygy_write.h"
#include "tools/done.h"
#include "tools/positions.h"
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *folder, *tables;
  unsigned jobs;
  bool quiet, high, again, json;
} opt;

static const sd_option options[] = {
  { "output", 'o', "DIR",
    "write into this folder, files that do not become smaller too "
    "(default: smaller files replace the old ones)",
    .text = &opt.folder },
  { "tables", 'p', "DIR[:DIR]",
    "where the WDL files of the ending and of smaller ones are (default: beside FILE)", .text = &opt.tables },
  { "jobs", 'j', "N", "files at the same time (default: all cores; under mpirun or srun the share of a task)",
    .count = &opt.jobs, .least = 1, .most = 4096 },
  { "high", 'H', NULL, "WDL files: look longer", .flag = &opt.high },
  { "force", 'f', NULL, "also files that an earlier run has made", .flag = &opt.again },
  { "quiet", 'q', NULL, "do not say what was saved", .flag = &opt.quiet },
  { "json", 0, NULL, "one JSON array, an object for each file, in place of text", .flag = &opt.json },
  { 0 },
};

/* One file. */
typedef struct job {
  const char *path, *name;
  char from[4096], to[4096], out[4200]; /* folders, without a slash; the file to be made */
  sd_material material;
  enum sd_syzygy_kind kind;
  double weight;                  /* rises with the slots, and never changes */
  const sd_syzygy_tables *tables; /* that tell its values */
  uint64_t before, after;
  bool done; /* by an earlier run */
  int status;
  sd_error err;
} job;

typedef struct batch {
  job *job;
  unsigned n, finished;
  double weight, finished_weight;
  sd_task task;
  sd_done_list list;
  sd_progress progress;
} batch;

/* ------------------------------------------------------------------ one file */

static int wdl_of (const void *ctx, const sd_pos *p, unsigned *value) {
  int wdl;
  SD_TRY (sd_syzygy_wdl (ctx, p, &wdl, NULL));
  *value = (unsigned) (wdl + 2);
  return SD_OK;
}

/* Where a folder is asked for it gets all files. */
static int copy_file (const job *j, const sd_map *map, sd_error *err) {
  sd_outfile *f;
  SD_TRY (sd_outfile_open (j->out, &f, err));
  const int status = sd_outfile_write (f, map->data, map->len, err);
  if (!status)
    return sd_outfile_commit (f, err);
  sd_outfile_abort (f);
  return status;
}

static int make (job *j, const sd_map *map, sd_error *err) {
  const sd_syzygy_source source = { .ctx = j->tables, .wdl = wdl_of };
  const bool is_wdl = j->kind == SD_SYZYGY_WDL;
  sd_syzygy_effort effort = !is_wdl    ? SD_SYZYGY_DTZ_EFFORT
                            : opt.high ? SD_SYZYGY_WDL_HIGH
                                       : SD_SYZYGY_WDL_EFFORT;
  sd_syzygy *file = NULL;
  uint64_t bytes = 0;
  effort.at_most = map->len;
  SD_TRY (sd_syzygy_open (map->data, map->len, &file, err));
  int status = SD_OK;
  if (file->kind != j->kind || !sd_material_equal (&j->material, &file->material))
    status = sd_fail (err, SD_EFORMAT, "it holds another table than its name says");
  if (!status)
    status = sd_syzygy_check (file, err);
  if (!status) /* wrong values of others would pass for freedom, and be compared with themselves */
    status = sd_syzygy_tables_check (j->tables, &j->material, !is_wdl, err);
  if (!status)
    status = is_wdl ? sd_syzygy_write_wdl (&file->material, &source, &effort, j->out, &bytes, err)
                    : sd_syzygy_write_dtz (file, &source, &effort, j->out, &bytes, err);
  sd_syzygy_close (file);
  if (!status && bytes >= map->len) {
    bytes = map->len;
    status = opt.folder ? copy_file (j, map, err) : SD_OK;
  }
  j->before = map->len;
  j->after = bytes;
  return status;
}

/* As the lists tell it. Only WDL files can be looked at longer, and what was is done for less, too. */
static const char *effort_of (const job *j) {
  return opt.high && j->kind == SD_SYZYGY_WDL ? "recompress --high" : "recompress";
}

/* Has an earlier run made it, of what is there now? Where files are replaced, it is what was made. */
static bool was_made (const batch *b, job *j, const sd_done_file *from) {
  sd_done_file to = *from;
  if (opt.again || (opt.folder && (!sd_file_exists (j->out) || sd_done_tell_file (j->out, &to, NULL))))
    return false;
  const sd_done *r = sd_done_find (&b->list, j->name, &to);
  const size_t least = strlen (effort_of (j));
  if (!r || strncmp (r->how, effort_of (j), least) || (opt.folder && !sd_done_same (&r->from, from)))
    return false;
  j->before = r->from.bytes;
  j->after = r->to.bytes;
  return true;
}

static int note (const batch *b, const job *j, const sd_done_file *from, sd_error *err) {
  sd_done row = { .from = *from };
  snprintf (row.name, sizeof row.name, "%s", j->name);
  snprintf (row.how, sizeof row.how, "%s", effort_of (j));
  SD_TRY (sd_done_tell_file (j->out, &row.to, err));
  return sd_done_note (j->to, &b->task, &row, err);
}

static void recompress (const batch *b, job *j) {
  sd_map from;
  j->status = sd_map_open (j->path, &from, &j->err);
  if (j->status)
    return;
  const sd_done_file is = sd_done_tell (&from);
  j->done = was_made (b, j, &is);
  if (!j->done)
    j->status = make (j, &from, &j->err);
  if (!j->done && !j->status)
    j->status = note (b, j, &is, &j->err);
  sd_map_close (&from);
}

static void say_json (const job *j, double seconds) {
  json_t *record = json_object ();
  json_object_set_new (record, "file", sd_json_text (j->out));
  json_object_set_new (record, "status", json_string (j->status ? "failed" : j->done ? "kept" : "made"));
  if (j->status)
    json_object_set_new (record, "error", sd_json_text (j->err.text));
  else
    json_object_update_new (record, json_pack ("{s:I, s:I, s:f}", "bytes_before", (json_int_t) j->before,
                                               "bytes", (json_int_t) j->after, "seconds", seconds));
  sd_json_row (record);
}

static void say_text (const job *j, double seconds) {
  if (j->done || j->after == j->before)
    printf ("%s: %s bytes, %s\n", j->name, sd_tool_count (j->after),
            !j->done                ? "as it is"
            : j->after == j->before ? "as it was made before"
                                    : "made before");
  else
    printf ("%s: %s -> %s bytes, %.1f %% less, %.1f s\n", j->name, sd_tool_count (j->before),
            sd_tool_count (j->after), 100 * (1 - (double) j->after / (double) j->before), seconds);
}

static void say (batch *b, const job *j, double seconds) {
  b->finished++;
  b->finished_weight += j->weight;
  sd_terminal_clear ();
  if (j->status)
    sd_tool_say ("%s: %s", j->path, j->err.text);
  if (opt.json)
    say_json (j, seconds);
  else if (!j->status && !opt.quiet)
    say_text (j, seconds);
  fflush (stdout);
  char what[80];
  snprintf (what, sizeof what, "recompressing\t%u of %u files", b->finished, b->n);
  sd_report (&b->progress, what, (uint64_t) (1e6 * b->finished_weight / b->weight), 1000000);
}

/* --------------------------------------------------------------------- files */

/* Of slots, whatever the order of the men: which file is the larger does not change while others are
 * replaced. */
static double weigh (const sd_material *m, enum sd_syzygy_kind kind) {
  const double slots = sd_task_weight (m);
  return kind == SD_SYZYGY_WDL && !sd_material_symmetric (m) ? 2 * slots : slots;
}

static int open_job (job *j, const char *path, sd_error *err) {
  const char *slash = strrchr (path, '/');
  const int n = slash ? (int) (slash - path) + (slash == path) : 1;
  j->path = path;
  j->name = slash ? slash + 1 : path;
  if (!sd_syzygy_name_parse (j->name, &j->material, &j->kind))
    return sd_fail (err, SD_EINVAL,
                    "%s: expected the name of a Syzygy file, the stronger side first, e.g. KRvKP.rtbw", path);
  j->weight = weigh (&j->material, j->kind);
  if (snprintf (j->from, sizeof j->from, "%.*s", n, slash ? path : ".") >= (int) sizeof j->from
      || snprintf (j->to, sizeof j->to, "%s", opt.folder ? opt.folder : j->from) >= (int) sizeof j->to)
    return sd_fail (err, SD_EINVAL, "%s: the path is too long", path);
  if (opt.folder)
    snprintf (j->out, sizeof j->out, "%s/%s", j->to, j->name);
  else
    snprintf (j->out, sizeof j->out, "%s", path);
  return SD_OK;
}

/* The tables of a folder are opened once, and its list is read once. */
static int open_tables (batch *b, unsigned i, sd_error *err) {
  job *j = &b->job[i];
  bool listed = false;
  for (unsigned k = 0; k < i; k++) {
    listed |= strcmp (b->job[k].to, j->to) == 0;
    if (opt.tables || strcmp (b->job[k].from, j->from) == 0)
      j->tables = b->job[k].tables;
  }
  if (!listed)
    SD_TRY (sd_done_read (j->to, &b->list, err));
  sd_syzygy_tables *ts = NULL;
  if (!j->tables)
    SD_TRY (sd_syzygy_tables_open (opt.tables ? opt.tables : j->from, &ts, err));
  if (ts)
    j->tables = ts;
  return SD_OK;
}

static int larger_first (const void *pa, const void *pb) {
  const job *a = pa, *b = pb;
  return a->weight != b->weight ? (a->weight > b->weight ? -1 : 1) : strcmp (a->path, b->path);
}

/* Two tasks or threads must not make the same file. */
static int refuse_twice (const job *sorted, unsigned n, sd_error *err) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = i + 1; k < n && sorted[k].weight >= sorted[i].weight; k++)
      if (strcmp (sorted[i].out, sorted[k].out) == 0)
        return sd_fail (err, SD_EINVAL, "%s and %s: both would become %s", sorted[i].path, sorted[k].path,
                        sorted[i].out);
  return SD_OK;
}

/* The files of this task: each task sees the same order, and takes every so many-th. */
static int take_files (batch *b, const sd_words *words, sd_error *err) {
  unsigned own = 0;
  b->job = sd_alloc0 ((uint64_t) words->n, sizeof *b->job);
  if (!b->job)
    return sd_fail_memory (err, (size_t) words->n * sizeof *b->job);
  for (int i = 0; i < words->n; i++)
    SD_TRY (open_job (&b->job[i], words->at[i], err));
  qsort (b->job, (size_t) words->n, sizeof *b->job, larger_first);
  SD_TRY (refuse_twice (b->job, (unsigned) words->n, err));
  for (unsigned i = 0; i < (unsigned) words->n; i++)
    if (i % b->task.ranks == b->task.rank) {
      b->job[own++] = b->job[i];
      b->weight += b->job[i].weight;
    }
  b->n = own;
  for (unsigned i = 0; i < own; i++)
    SD_TRY (open_tables (b, i, err));
  return SD_OK;
}

static void close_files (batch *b) {
  for (unsigned i = b->job ? b->n : 0; i-- > 0;) {
    bool shared = false;
    for (unsigned k = 0; k < i && !shared; k++)
      shared = b->job[k].tables == b->job[i].tables;
    if (!shared)
      sd_syzygy_tables_close ((sd_syzygy_tables *) b->job[i].tables);
  }
  free (b->job);
  free (b->list.row);
}

/* ---------------------------------------------------------------------- run */

/* A thread for each file; where there are more cores, several for each. */
static void run (batch *b) {
  const unsigned cores = opt.jobs ? opt.jobs : b->task.cores, files = b->n ? b->n : 1,
                 jobs = cores < files ? cores : files;
  sd_terminal_progress (&b->progress, false);
  omp_set_max_active_levels (2);
#pragma omp parallel for schedule(dynamic, 1) num_threads(jobs)
  for (unsigned i = 0; i < b->n; i++) {
    const double start = sd_now ();
    omp_set_num_threads ((int) (cores / jobs));
    recompress (b, &b->job[i]);
#pragma omp critical(recompress_say)
    say (b, &b->job[i], sd_now () - start);
  }
  sd_report (&b->progress, "recompressing", 1, 1);
}

static int sum_up (const batch *b) {
  uint64_t before = 0, after = 0;
  unsigned failed = 0, done = 0;
  for (unsigned i = 0; i < b->n; i++) {
    failed += b->job[i].status != SD_OK;
    done += b->job[i].done;
    before += b->job[i].status ? 0 : b->job[i].before;
    after += b->job[i].status ? 0 : b->job[i].after;
  }
  if (!opt.quiet && !opt.json && b->n > 1 && before) {
    if (b->task.ranks > 1)
      printf ("task %u of %u: ", b->task.rank + 1, b->task.ranks);
    printf ("%u files, %u of them made before: %s -> %s bytes, %s saved, %.1f %% less\n", b->n - failed, done,
            sd_tool_count (before), sd_tool_count (after), sd_tool_count (before - after),
            100 * (1 - (double) after / (double) before));
  }
  if (failed > 1)
    sd_tool_say ("%u of %u files could not be recompressed; they are as they were", failed, b->n);
  return failed ? SD_EXIT_FAILED : SD_EXIT_OK;
}

int sd_cmd_recompress (int argc, char **argv) {
  static const sd_syntax syntax = {
    options,
    "FILE.rtbw|FILE.rtbz...",
    "Make Syzygy files smaller.\v"
    "The format stays the same, and so does what programs find in the files: the order of the men, the values "
    "of slots that nobody looks at, the dictionary and the blocks are chosen anew. Every position is compared "
    "before a file gets its name. The WDL files of the ending and of all endings that captures lead to "
    "must be there, for DTZ files also those of promotions.\n\n"
    "Several files are made at the same time, the largest first. Under mpirun or srun, and as a job array, the tasks "
    "share the files, which each must be given in full. A file that is made is noted in made.list beside it "
    "(of several tasks in lists of their own), with the checksums of the old and the new one. When the same command "
    "is given again, for files that were being made when it was stopped, what is noted and has these checksums is "
    "passed over. A program that is killed leaves every file either as it was or made and compared. A file that cannot be "
    "made stays as it is, and the exit status is 1. Open MPI's mpirun ends all tasks as soon as one has ended so, unless it "
    "is told '--mca orte_abort_on_non_zero_status 0'.\n\n"
    "A record of --json has the file, its status (made; kept, which an earlier run has made; failed), the bytes before and "
    "now and the seconds, or the error. Each of several tasks prints an array of its own.\n\n"
    "Examples:\n"
    "  subdef recompress syzygy/*.rtbw syzygy/*.rtbz\n"
    "  mpirun -n 64 subdef recompress -o smaller --tables syzygy syzygy/*.rtbw",
    .most = 0,
  };
  sd_words words;
  sd_error err = { 0 };
  batch b = { .n = 0 };
  sd_tool_parse (&syntax, argc, argv, &words);
  if (!words.n)
    return sd_tool_usage ("FILE is missing");
  if (!sd_task_take (&b.task))
    return sd_tool_usage ("SLURM_ARRAY_TASK_ID is none of SLURM_ARRAY_TASK_COUNT tasks");
  int status = opt.folder ? sd_make_folder (opt.folder, &err) : SD_OK;
  status = status ? status : take_files (&b, &words, &err);
  if (status) {
    close_files (&b);
    return sd_tool_fail (&err);
  }
  run (&b);
  if (opt.json)
    sd_json_rows_end ();
  status = sum_up (&b);
  close_files (&b);
  return status;
}
