/* A run of many files: which of them this task makes, several at a time where they allow it, the largest
 * first; what an earlier run has made is kept. A file gets its name after it was compared; only then a line
 * of the list says that it is done (done.h). */
#include "config.h"
#include "table/table_internal.h"
#include "tools/reformat/batch.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BUDGET = 64 << 20 }; /* bytes of decoded values */

/* ------------------------------------------------------------ what is there */

/* Is the file newer than the one that it is made of? By the times of the files, to the nanosecond; where the
 * old one is gone there is nothing that it could be older than. */
static bool is_newer (const sd_item *it) {
  struct stat made, from;
  if (stat (it->path, &made))
    return false;
  if (stat (it->from, &from))
    return true;
  return made.st_mtim.tv_sec != from.st_mtim.tv_sec ? made.st_mtim.tv_sec > from.st_mtim.tv_sec
                                                    : made.st_mtim.tv_nsec >= from.st_mtim.tv_nsec;
}

/* A file that is there and is not what was asked for. Three sentences: nobody knows how it was made, its
 * source has changed, or it was made by other options. */
static int differs (const sd_item *it, const sd_done *was, sd_error *err) {
  static const char remedy[] = "-f makes it anew, --output names another folder";
  if (!was)
    return sd_fail (err, SD_EIO, "%s: is there already, and no list says how it was made; %s", it->path,
                    remedy);
  if (strcmp (was->how, it->row.how) == 0)
    return sd_fail (err, SD_EIO, "%s: is there already, made of %s that has changed; %s", it->path,
                    it->syzygy || !it->source ? "a file" : "an exact table", remedy);
  return sd_fail (err, SD_EIO, "%s: is there already, made otherwise ('%.72s...'); %s", it->path, was->how,
                  remedy);
}

bool sd_reformat_does (const char *was, const char *wanted) {
  const size_t n = strlen (wanted);
  return strncmp (was, wanted, n) == 0 && (!was[n] || strcmp (was + n, " --high") == 0);
}

/* A run that was stopped between its end and its note left a whole table of this name. */
static bool is_whole (const sd_item *it) {
  SD_OWN (sd_table) *t = NULL;
  sd_holding wanted, holds;
  if (it->to == &sd_target_array)
    return sd_array_is_whole (it->path);
  if (!sd_format_of (basename (it->path), &wanted)
      || sd_table_open (it->path, SD_OPEN_CHECK, &t, NULL) != SD_OK)
    return false;
  sd_table_holding (&t->info, &holds);
  return sd_holding_equal (&holds, &wanted);
}

/* Is there what was asked for, or, of a table that was not named, anything that is newer than the exact one?
 * Not kept: it is to be made. What an earlier run of the same command had begun and nobody noted as made is
 * made anew, and so is what this command has made of an older exact table that is wanted for another one.
 * What no list knows stays. A file in the place of that which it was made of is what was made. */
static int look (const sd_batch *r, sd_item *it, sd_error *err) {
  const sd_reformat *opt = r->opt;

  if (opt->overwrite || !sd_file_exists (it->path))
    return SD_OK;
  /* The checksum of the whole file is what lists know it by: a file that somebody else has put there is no
   * file of a list. */
  const bool in_place = sd_item_in_place (it);
  SD_TRY (sd_done_tell_file (it->path, &it->row.to, err));

  /* noted: a list says that it was made as asked for, of the file that is there now. A file in its own place
   * cannot be compared with what it was made of. */
  const sd_done *was = sd_done_find (&r->list, it->row.name, &it->row.to);
  const bool newer = is_newer (it), noted = was && sd_reformat_does (was->how, it->row.how)
                                            && (in_place || sd_done_same (&was->from, &it->row.from));
  it->otherwise = !noted && !in_place && ((!it->named && newer) || opt->there == SD_THERE_KEEP);
  it->kept = noted || it->otherwise;
  if (noted)
    it->row = *was;

  /* Made anew: what is to be replaced, what was begun and got its name without a note, and what was made of
   * an older table that another file waits for. All else is told, so that nothing of the user's is lost. */
  if (it->kept || opt->there == SD_THERE_REPLACE
      || (!was && sd_done_begun (&r->list, &it->row) && is_whole (it)) || (opt->successors && was && !newer))
    return SD_OK;
  return differs (it, was, err);
}

/* -------------------------------------------------------------------- a file */

/* Note that it is begun, make it, note that it is made. Over what is there only its end is noted: until then
 * it is as the list says. */
static int make (sd_batch *r, sd_item *it, sd_error *err) {
  char folder[4096];
  sd_tool_folder_of (it->path, folder);

  it->row.to = (sd_done_file){ 0 };
  if (r->opt->there == SD_THERE_REFUSE && it->row.from.bytes && !sd_file_exists (it->path))
    SD_TRY (sd_done_note (folder, &r->task, &it->row, err));
  SD_TRY (it->to->make (r, it, err));
  SD_TRY (sd_done_tell_file (it->path, &it->row.to, err));
  return sd_done_note (folder, &r->task, &it->row, err);
}

/* Tasks that share the parts of each table come to all of them, one after the other, and the others may have
 * made one since the lists were read. */
static int look_behind_others (sd_batch *r, sd_item *it, sd_error *err) {
  char folder[4096];
  sd_tool_folder_of (it->path, folder);
  it->since = sd_parts_since (it->path);
  return it->since ? sd_done_read (folder, &r->list, err) : SD_OK;
}

/* The order matters: what is asked for (plan) and what it is made of (from) are what a list is searched
 * for. */
static int plan_and_make (sd_batch *r, sd_item *it, sd_error *err) {
  if (it->syzygy && !sd_file_exists (it->from))
    return sd_fail (err, SD_ENOENT, "%s: there is no such file", it->from);
  SD_TRY (it->to->plan (r, it, err));
  if (*it->from)
    SD_TRY (sd_done_tell_file (it->from, &it->row.from, err));
  if (r->opt->parts && it->to == sd_targets)
    SD_TRY (look_behind_others (r, it, err));
  SD_TRY (look (r, it, err));
  if (!it->kept)
    SD_TRY (make (r, it, err));
  sd_parts_forget (it->path);
  return SD_OK;
}

/* By one thread at a time. The first failure is the exit status; later ones are told, too. */
static void note_result (sd_batch *r, sd_item *it, double seconds) {
  it->seconds = seconds;
  r->finished++;
  r->finished_weight += it->weight;
  sd_terminal_clear ();
  if (r->opt->estimate)
    sd_estimate_say (r, it);
  else
    sd_batch_say (r, it);
  if (it->status != SD_OK) {
    const int status = sd_tool_fail (&it->err);
#pragma omp atomic write
    r->status = r->status ? r->status : status;
  }

  if (it->to->metric != SD_NO_METRIC) { /* .sdt tables and arrays tell their own progress */
    char what[80];
    snprintf (what, sizeof what, "reformatting\t%u of %u files", r->finished, r->n);
    sd_report (&sd_terminal, what, (uint64_t) (1e6 * r->finished_weight / r->weight), 1000000);
  }
}

/* What cannot be made is told, and the next ones are made all the same, unless the command itself is wrong.
 */
static void run_item (sd_batch *r, sd_item *it) {
  const double start = sd_now ();
  int status;
#pragma omp atomic read
  status = r->status;
  if (status == SD_EXIT_USAGE)
    return;
  it->status = (r->opt->estimate ? sd_sdt_estimate : plan_and_make) (r, it, &it->err);
  if (it->status != SD_OK && !it->syzygy && it->source)
    sd_tool_advise (&it->err, r->opt->game, &r->rules, it->slice, it->source->path);
#pragma omp critical(reformat_say)
  note_result (r, it, sd_now () - start);
}

/* A thread for each file; where there are more cores, several for each. */
static void run (sd_batch *r, unsigned cores) {
  if (r->jobs == 1) {
    /* Threads inside a parallel region, even one of a single thread, would be started anew for each loop. */
    omp_set_num_threads ((int) cores);
    for (unsigned i = 0; i < r->n; i++)
      run_item (r, &r->item[i]);
    return;
  }
  /* Files outside, the work on one of them inside. */
  omp_set_max_active_levels (2);
#pragma omp parallel for schedule(dynamic, 1) num_threads(r->jobs)
  for (unsigned i = 0; i < r->n; i++) {
    /* Of this thread's own loops. */
    omp_set_num_threads ((int) (cores / r->jobs));
    run_item (r, &r->item[i]);
  }
}

/* ------------------------------------------------------------------- all */

static int larger_first (const void *pa, const void *pb) {
  const sd_item *a = pa, *b = pb;
  return a->weight != b->weight ? (a->weight > b->weight ? -1 : 1) : strcmp (a->path, b->path);
}

/* Threads for the files of this task, and how many files at a time. Tables that take much memory are made one
 * after the other unless the user says otherwise. Of all files those of this task: each task sees the same
 * order, and takes every so many-th. */
static unsigned share (sd_batch *r) {
  unsigned own = 0, apart = 0;

  for (unsigned i = 0; i < r->n; i++)
    apart += r->item[i].syzygy && r->item[i].to != sd_targets;
  /* apart: Syzygy files of Syzygy files, each of which needs little memory. The others are made one after the
   * other, each by all cores. */
  const bool together = apart == r->n || r->opt->jobs;
  const unsigned cores = r->opt->jobs                    ? r->opt->jobs
                         : together || r->task.ranks > 1 ? r->task.cores
                                                         : (unsigned) omp_get_max_threads ();
  /* Largest first: a large file at the end would leave the other threads without work. Else the order is that
   * of the words, where a table stands behind those that it leads to. */
  if (together || r->task.ranks > 1)
    qsort (r->item, r->n, sizeof *r->item, larger_first);
  /* Parts of a table are shared: each task is at all tables. */
  for (unsigned i = 0; i < r->n; i++)
    if (i % r->task.ranks == r->task.rank || (r->opt->parts && r->item[i].to == sd_targets))
      r->item[own++] = r->item[i];

  r->n = own;
  r->jobs = !together || own == 0 ? 1 : cores < own ? cores : own;
  for (unsigned i = 0; i < own; i++)
    r->weight += r->item[i].weight;
  return cores;
}

/* Is the folder of file i that of one before? Where folders take turns, it is among the last ones. */
static bool is_known (const sd_batch *r, unsigned i, const char *folder) {
  char before[4096] = "";
  while (i-- > 0 && strcmp (before, folder))
    sd_tool_folder_of (r->item[i].path, before);
  return strcmp (before, folder) == 0;
}

/* The folders of the new files, with what their lists say is done; where values come from, opened once. */
static int open_folders (sd_batch *r, sd_error *err) {
  char folder[4096];

  for (unsigned i = 0; i < r->n; i++) {
    sd_item *it = &r->item[i];
    sd_tool_folder_of (it->path, folder);
    if (!r->opt->estimate && !is_known (r, i, folder)) {
      SD_TRY (sd_make_folder (folder, err));
      SD_TRY (sd_done_read (folder, &r->list, err));
    }
    if (it->syzygy && !it->source->files)
      SD_TRY (sd_syzygy_tables_open (it->source->path, &it->source->files, err));
    if (!it->syzygy && it->to == sd_targets && !it->source->exact)
      SD_TRY (sd_game_tables_open (&r->rules, it->source->path, BUDGET, &it->source->exact, err));
  }
  return SD_OK;
}

/* What is for layouts only, or for chess; what the options say of the tables. */
static int check_options (sd_batch *r, sd_error *err) {
  const sd_reformat *opt = r->opt;
  sd_table_spec spec;

  if (!r->rules.kind->recode
      && (opt->best || opt->sweep || opt->layouts || opt->order || opt->numbering || opt->sides
          || opt->parts))
    return sd_fail (
        err, SD_EINVAL,
        "--game %s: --best, --preset, --best-of, --layouts, --order, --numbering, --parts "
        "and --sides are for games whose tables have layouts, as chess: the states of others have "
        "one order",
        opt->game);
  if (opt->to != SD_TO_SDT && r->rules.kind != sd_game_kind_at (0))
    return sd_fail (err, SD_EINVAL, "--game %s: Syzygy files are of chess", opt->game);
  for (unsigned i = 0; i < r->n; i++) /* before anything is made or loaded */
    if (r->item[i].to == sd_targets)
      SD_TRY (sd_sdt_common (opt, r->rules.kind, r->item[i].metric, &spec, err));
    else if (opt->arrays)
      SD_TRY (r->item[i].to->plan (r, &r->item[i], err));
  return SD_OK;
}

/* Everything that is wrong with the command is found before `run`, which makes the first file. */
static int run_all (sd_batch *r, sd_error *err) {
  const double start = sd_now (), cpu = sd_cpu_now ();
  SD_TRY (sd_tool_rules (r->opt->game, &r->rules, err));
  SD_TRY (sd_items_take (r, err));
  SD_TRY (check_options (r, err));
  if (r->opt->estimate)
    SD_TRY (sd_estimate_check (r, err));
  const unsigned cores = share (r);
  SD_TRY (open_folders (r, err));
  run (r, cores);
  /* The bar of a run that ended early goes, too. */
  sd_report (&sd_terminal, "reformatting", 1, 1);
  (r->opt->estimate ? sd_estimate_sum_up : sd_batch_sum_up) (r, sd_now () - start, sd_cpu_now () - cpu);
  return SD_OK;
}

/* Also after a failure half-way: what was not opened is NULL. */
static void close_all (sd_batch *r) {
  for (unsigned i = 0; i < r->nsources; i++) {
    sd_game_tables_close (r->source[i]->exact);
    sd_syzygy_tables_close (r->source[i]->files);
    free (r->source[i]);
  }
  sd_values_free (r->values);
  sd_batch_forget_streams (r);
  free (r->budget);
  sd_statistics_free (&r->statistics[0]);
  sd_statistics_free (&r->statistics[1]);
  free (r->source);
  free (r->item);
  free (r->list.row);
  sd_rules_close (&r->rules);
}

/* A failure of a single file is in r.status; one of the command itself is told here. */
int sd_reformat_run (const sd_reformat *opt) {
  sd_batch r = { .opt = opt };
  sd_error err = { 0 };
  if (!sd_task_take (&r.task))
    return sd_tool_usage ("SLURM_ARRAY_TASK_ID is none of SLURM_ARRAY_TASK_COUNT tasks");
  const int st = run_all (&r, &err);
  close_all (&r);
  return st == SD_OK ? r.status : sd_tool_fail (&err);
}
