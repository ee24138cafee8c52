/* subdef reformat: tables of any game coded anew, as a job of many tables that tasks share and that goes on
 * where it was stopped. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/experiments.h"
#include "table/table_internal.h"
#include "tools/arrays.h"
#include "tools/positions.h"
#include "tools/reformat.h"
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  BUDGET = 64 << 20, /* bytes of decoded values */
  DIAGRAM_MEN = 4
}; /* the most for which diagrams are made by default */

static sd_reformat opt;
static sd_search_report found;

/* A run. */
typedef struct job {
  sd_rules rules;
  const char *folder, *path; /* of the new tables; where the exact ones are */
  sd_game_tables *tables;
  sd_progress progress;
  sd_task task;
  sd_done_list list; /* of what earlier runs have made in the folder */
  unsigned made, kept, otherwise;
  int status; /* of the program */
} job;
typedef sd_reformat_item item;

/* A coding that tables of the metric do not have. */
static int no_such_coding (bool game, sd_error *err) {
  char known[80] = "";
  for (unsigned c = 0; c < SD_CODINGS; c++)
    if (sd_metric_takes (opt.metric, (enum sd_coding) c, game))
      sd_text_list (known, sizeof known, "%s", sd_codings[c].name);
  return sd_fail (err, SD_EINVAL, "--coding %s: tables of the metric %s have: %s", opt.coding,
                  sd_metrics[opt.metric].name, known);
}

static int take_codec (const char *name, const char *set, sd_table_spec *spec, sd_error *err) {
  const sd_codec *codec = sd_codec_find (name);
  if (!codec)
    return sd_fail (err, SD_EINVAL,
                    "the codec %s is not in this build; 'subdef reformat --set help' lists those that are",
                    name);
  for (unsigned s = 0; s < 2; s++) {
    spec->side[s].codec = codec;
    SD_TRY (sd_settings_parse (codec, set, &spec->side[s].settings, err));
  }
  return SD_OK;
}

/* What the options say of every table alike. */
static int common_spec (const sd_game_kind *kind, sd_table_spec *spec, sd_error *err) {
  const bool moves = kind->recode != NULL; /* DTM may leave WDL to another table */
  memset (spec, 0, sizeof *spec);
  spec->metric = opt.metric;
  spec->coding = sd_metric_coding (opt.metric, !moves);
  const enum sd_coding asked = opt.coding ? sd_coding_find (opt.coding) : spec->coding;
  if (!sd_metric_takes (opt.metric, asked, !moves))
    return no_such_coding (!moves, err);
  spec->coding = asked;
  const char *freedom = opt.freedom ? opt.freedom : kind->recode ? "all" : "illegal";
  SD_TRY (sd_freedom_parse (freedom, &spec->freedom, err));
  if (strcmp (freedom, "all") == 0)
    spec->freedom &= kind->freedom | SD_FREE_ILLEGAL;
  if (spec->freedom & ~(kind->freedom | SD_FREE_ILLEGAL)) {
    char known[80];
    sd_freedom_text (kind->freedom | SD_FREE_ILLEGAL, known, sizeof known);
    return sd_fail (err, SD_EINVAL, "--freedom %s: tables of %s know only %s", opt.freedom, kind->name,
                    known);
  }
  if (sd_freedom_choose (spec->metric, spec->coding, spec->freedom, &spec->freedom, err))
    return sd_error_prefix (err, "--freedom %s", freedom), SD_EINVAL;
  if (opt.sides && sd_sides_parse (opt.sides, &spec->sides, err))
    return sd_error_prefix (err, "--sides"), SD_EINVAL;
  return take_codec (opt.codec, opt.set, spec, err);
}

/* Layouts, and codec and settings where no option names them, from a file; "papers": that of the program. */
static int take_layouts (sd_table_spec *spec, sd_error *err) {
  char path[4096];
  uint64_t bytes;
  const bool own = strcmp (opt.layouts, "papers") == 0;
  if (own)
    SD_TRY (sd_layouts_pinned (opt.metric, path, sizeof path, err));
  return sd_layouts_find (own ? path : opt.layouts, !opt.fixed_codec && !opt.set, spec, &bytes, err);
}

/* What nobody chose: for plies, to whatever end, with few men diagrams of both sides in one stream, in the
 * numbering that suits them: smaller than the exact table in each of the 35 endings, as RE-PAIR is not
 * (papers/obdd/defaults.csv), and quick to look up. For larger endings they take too long for a default. */
static int take_default (const sd_material *m, const char **numbering, sd_table_spec *spec, sd_error *err) {
  const bool chosen = opt.fixed_codec || opt.set || opt.best || opt.sweep || opt.layouts;
  *numbering = opt.numbering;
  if (chosen || !sd_metrics[spec->metric].plies || sd_material_men (m) > DIAGRAM_MEN)
    return SD_OK;
  *numbering = opt.numbering ? opt.numbering : "folded";
  spec->sides = opt.sides ? spec->sides : SD_SIDES_JOINT;
  return take_codec ("obdd", "choices=256,pairs=256", spec, err);
}

/* The layouts of a table, and what a row of a sweep or of a file has besides: all but what is searched for.
 */
static int choose_plainly (const sd_material *m, sd_table_spec *spec, sd_error *err) {
  const unsigned nsides = sd_material_symmetric (m) ? 1 : 2;
  const char *numbering;
  char order[24];
  sd_layout plain;
  SD_TRY (take_default (m, &numbering, spec, err));
  sd_layout_default (m, &plain);
  sd_layout_order_text (&plain, order);
  for (unsigned s = 0; s < nsides; s++)
    SD_TRY (sd_layout_parse (m, opt.order ? opt.order : order, numbering, &spec->side[s].layout, err));
  if (opt.layouts)
    SD_TRY (take_layouts (spec, err));
  if (opt.sweep) {
    const unsigned sides = spec->sides;
    SD_TRY (sd_report_best (opt.sweep, m, opt.metric, opt.max_latency * 1e9, spec, err));
    spec->sides = sides;
  }
  return SD_OK;
}

/* As sd_chooser.choose. */
static int choose (void *ctx, sd_values *exacts, const sd_exact *e, sd_table_spec *spec, sd_error *err) {
  const job *j = ctx;
  SD_TRY (choose_plainly (&e->material, spec, err));
  sd_search_options how = { .max_latency = opt.max_latency,
                            .report = &found,
                            .fixed_codec = opt.set || opt.fixed_codec,
                            .fixed = opt.set };
  return opt.best ? sd_table_search (exacts, e, &how, spec, &j->progress, err) : SD_OK;
}

/* The spec as a text, which is the same for the same table. */
static void describe (const sd_table_spec *spec, char *out, size_t cap) {
  char freedom[80], settings[400], order[24], numbering[24];
  sd_freedom_text (spec->freedom, freedom, sizeof freedom);
  size_t n = (size_t) snprintf (out, cap, "reformat %s %s %s %s", sd_metrics[spec->metric].name,
                                sd_codings[spec->coding].name, freedom, sd_sides_row (spec->sides)->name);
  if (opt.best)
    snprintf (out + n, cap - n, " best %g %s %s", opt.max_latency, opt.fixed_codec ? opt.codec : "any",
              opt.set ? opt.set : "");
  for (unsigned s = 0; !opt.best && s < 2 && n < cap; s++) {
    const bool laid_out = spec->side[s].layout.ngroups > 0;
    sd_settings_text (&spec->side[s].settings, settings, sizeof settings);
    if (laid_out) {
      sd_layout_order_text (&spec->side[s].layout, order);
      sd_layout_numbering_text (&spec->side[s].layout, numbering);
    }
    n += (size_t) snprintf (out + n, cap - n, " %s %s %s %s", spec->side[s].codec->name, settings,
                            laid_out ? order : "-", laid_out ? numbering : "-");
  }
}

/* A dtm table that is complete by itself, or a file that cannot be opened and is left to the caller. */
static bool holds_results (const char *path) {
  sd_table *t;
  if (sd_table_open (path, 0, &t, NULL))
    return false;
  sd_table_info in;
  sd_table_describe (t, &in);
  const bool signs = sd_codings[in.coding].needs == SD_NO_METRIC;
  sd_table_close (t);
  return signs;
}

/* FOLDER/FILE of a table. */
static int table_path (const char *folder, const sd_table_spec *subject, enum sd_metric metric, char *out,
                       size_t cap, sd_error *err) {
  char file[SD_GAME_FILE_NAME];
  sd_subject_file_name (subject, metric, file);
  return snprintf (out, cap, "%s/%s", folder, file) < (int) cap
             ? SD_OK
             : sd_fail (err, SD_EINVAL, "%s: the path is too long", folder);
}

/* A table whose coding needs that of another metric (DTM as moves) is told if the folder has none: *alone. It
 * does not take the place of a table that is complete by itself. */
static int check_results (const job *j, const sd_table_spec *subject, const sd_table_spec *spec,
                          const char *path, bool *alone, sd_error *err) {
  const enum sd_metric needs = sd_codings[spec->coding].needs;
  char other[4096];
  *alone = false;
  if (needs == SD_NO_METRIC)
    return SD_OK;
  SD_TRY (table_path (j->folder, subject, needs, other, sizeof other, err));
  *alone = !sd_file_exists (other);
  if (*alone && sd_file_exists (path) && holds_results (path))
    return sd_fail (
        err, SD_EIO,
        "%s: holds WDL as well, which --coding moves would drop, and %s has no WDL table of this ending: "
        "reformat --metric wdl first, or take --coding signed or another folder",
        path, j->folder);
  return SD_OK;
}

/* It needs the table of another metric beside it, which is not there. */
static void note_alone (const sd_table_spec *subject, enum sd_metric needs, const char *path) {
  char file[SD_GAME_FILE_NAME];
  sd_subject_file_name (subject, needs, file);
  sd_tool_note ("%s holds no %s; it is read together with %s ('subdef reformat --metric %s')", path,
                sd_metrics[needs].title, file, sd_metrics[needs].name);
}

/* ------------------------------------------------------------ what is there */

/* Is the file the one that the values come from? Written anew it would be a recoded table in place of the
 * exact one. */
static bool is_source (const job *j, const item *it) {
  char file[SD_GAME_FILE_NAME], folder[4096], from[4096];
  struct stat made, exact;
  if (stat (it->path, &made))
    return false;
  sd_subject_file_name (&it->subject, sd_metrics[opt.metric].exact, file);
  for (const char *p = j->path; sd_tool_next_folder (&p, folder, sizeof folder);)
    if (snprintf (from, sizeof from, "%s/%s", folder, file) < (int) sizeof from && stat (from, &exact) == 0
        && made.st_dev == exact.st_dev && made.st_ino == exact.st_ino)
      return true;
  return false;
}

/* With -f alone; told before any of the tables is made. */
static int refuse_sources (const job *j, const item *all, unsigned n, sd_error *err) {
  for (unsigned i = 0; i < n && !opt.overwrite; i++)
    if (is_source (j, &all[i]))
      return sd_fail (
          err, SD_EIO,
          "%s: is the table that is to be recoded; -f overwrites it, --output names another folder",
          all[i].path);
  return SD_OK;
}

/* The exact table on the path that the values come from; none: *out stays as it is. */
static int tell_source (const job *j, const item *it, sd_done_file *out, sd_error *err) {
  for (unsigned metric = 0; metric < SD_METRICS; metric++) {
    const sd_holding what = { it->subject.game, it->subject.material, (enum sd_metric) metric };
    char *file = NULL;
    if (!sd_metric_made_of (opt.metric, (enum sd_metric) metric) || sd_metrics[metric].exact != metric)
      continue;
    SD_TRY (sd_path_find_table (j->path, &what, false, &file, err));
    if (!file)
      continue;
    const int st = sd_done_tell_file (file, out, err);
    free (file);
    return st;
  }
  return SD_OK;
}

/* Is the table newer than the exact one? */
static bool is_newer (const job *j, const item *it) {
  char from[4096], first[4096];
  struct stat made, exact;
  if (stat (it->path, &made))
    return false;
  sd_tool_first_folder (j->path, first, sizeof first);
  if (table_path (first, &it->subject, sd_metrics[opt.metric].exact, from, sizeof from, NULL) != SD_OK
      || stat (from, &exact))
    return true; /* in another folder of the path: nothing to compare with */
  return made.st_mtim.tv_sec != exact.st_mtim.tv_sec ? made.st_mtim.tv_sec > exact.st_mtim.tv_sec
                                                     : made.st_mtim.tv_nsec >= exact.st_mtim.tv_nsec;
}

/* A table that is there and is not what was asked for. */
static int differs (const item *it, const sd_done *was, sd_error *err) {
  static const char remedy[] = "-f makes it anew, --output names another folder";
  if (!was)
    return sd_fail (err, SD_EIO, "%s: is there already, and no list says how it was made; %s", it->path,
                    remedy);
  if (strcmp (was->how, it->row.how) == 0)
    return sd_fail (err, SD_EIO, "%s: is there already, made of an exact table that has changed; %s",
                    it->path, remedy);
  return sd_fail (err, SD_EIO, "%s: is there already, made otherwise ('%.72s...'); %s", it->path, was->how,
                  remedy);
}

/* Is there what was asked for, or, of a table that was not named, anything that is newer than the exact one?
 * Not kept: it is to be made. What an earlier run of the same command had begun and nobody noted as made is
 * made anew. */
static int look (const job *j, item *it, bool *kept, sd_error *err) {
  *kept = false;
  if (opt.overwrite || !sd_file_exists (it->path))
    return SD_OK;
  SD_TRY (sd_done_tell_file (it->path, &it->row.to, err));
  const sd_done *was = sd_done_find (&j->list, it->row.name, &it->row.to);
  const bool newer = is_newer (j, it),
             noted = was && strcmp (was->how, it->row.how) == 0 && sd_done_same (&was->from, &it->row.from);
  it->otherwise = !noted && !it->named && newer;
  *kept = noted || it->otherwise;
  if (*kept || (!was && sd_done_begun (&j->list, &it->row)) || (opt.successors && !newer))
    return SD_OK;
  return differs (it, was, err);
}

/* ------------------------------------------------------------------ the run */

/* What a table is of, and where it is to stand. */
static int name_it (const job *j, item *it, sd_error *err) {
  const sd_rules *r = &j->rules;
  char file[SD_GAME_FILE_NAME];
  r->kind->slice_name (r->ctx, it->slice, it->name);
  SD_TRY (sd_rules_subject (r, it->slice, &it->subject, err));
  sd_subject_file_name (&it->subject, opt.metric, file);
  snprintf (it->row.name, sizeof it->row.name, "%s", file);
  return table_path (j->folder, &it->subject, opt.metric, it->path, sizeof it->path, err);
}

/* What it is to become, but for what is searched for, and of what. */
static int plan (const job *j, item *it, sd_error *err) {
  SD_TRY (common_spec (j->rules.kind, &it->spec, err));
  sd_table_spec plain = it->spec;
  plain.material = it->subject.material;
  if (j->rules.kind->recode)
    SD_TRY (choose_plainly (&plain.material, &plain, err));
  describe (&plain, it->row.how, sizeof it->row.how);
  return tell_source (j, it, &it->row.from, err);
}

/* Note that it is begun, make it, note that it is made. Over what is there only its end is noted: until then
 * it is as the list says. */
static int make (job *j, item *it, sd_error *err) {
  const sd_chooser how = { j, choose, &j->progress };
  const bool there = sd_file_exists (it->path);
  bool alone;
  it->row.to = (sd_done_file){ 0 };
  SD_TRY (check_results (j, &it->subject, &it->spec, it->path, &alone, err));
  if (!there && it->row.from.bytes)
    SD_TRY (sd_done_note (j->folder, &j->task, &it->row, err));
  SD_TRY (sd_game_tables_recode (j->tables, it->slice, &it->spec, &how, it->path, err));
  SD_TRY (sd_done_tell_file (it->path, &it->row.to, err));
  SD_TRY (sd_done_note (j->folder, &j->task, &it->row, err));
  if (alone && !opt.quiet)
    note_alone (&it->subject, sd_codings[it->spec.coding].needs, it->path);
  return SD_OK;
}

static int reformat (job *j, item *it, bool *kept, sd_error *err) {
  const double start = sd_now ();
  SD_TRY (plan (j, it, err));
  SD_TRY (look (j, it, kept, err));
  int st = *kept ? SD_OK : make (j, it, err);
  if (st != SD_OK)
    sd_tool_advise (err, opt.game, &j->rules, it->slice, j->path);
  it->seconds = sd_now () - start;
  return st;
}

/* One table after the other; what cannot be made is told, and the next ones are made all the same, unless the
 * command itself is wrong. */
static void run (job *j, item *all, unsigned n) {
  for (unsigned i = 0; i < n && j->status != SD_EXIT_USAGE; i++) {
    sd_error err = { 0 };
    bool kept = false;
    const int st = reformat (j, &all[i], &kept, &err);
    j->kept += kept;
    j->otherwise += all[i].otherwise;
    j->made += st == SD_OK && !kept;
    sd_terminal_clear ();
    if (st == SD_OK)
      sd_reformat_say (&opt, &all[i], kept, &found);
    else {
      sd_reformat_say_failed (&opt, &all[i], &err);
      const int status = sd_tool_fail (&err);
      j->status = j->status ? j->status : status;
    }
  }
}

static void sum_up (const job *j, unsigned n, double start, double cpu) {
  if (opt.json)
    sd_json_rows_end ();
  if (opt.quiet || opt.json)
    return;
  sd_reformat_say_better (&opt, n);
  if (n < 2 && !opt.successors)
    return;
  if (j->task.ranks > 1)
    printf ("task %u of %u: ", j->task.rank + 1, j->task.ranks);
  printf ("%u of %u tables made, %u were there", j->made, n, j->kept);
  if (j->otherwise)
    printf (
        ", %u of them newer than the exact tables and made otherwise, or not by this command (-f makes all anew)",
        j->otherwise);
  printf ("; %.1f s, %.1f CPU-seconds\n", sd_now () - start, sd_cpu_now () - cpu);
}

static int larger_first (const void *pa, const void *pb) {
  const item *a = pa, *b = pb;
  const double x = sd_task_weight (&a->subject.material), y = sd_task_weight (&b->subject.material);
  return x != y ? (x > y ? -1 : 1) : a->slice != b->slice ? (a->slice < b->slice ? -1 : 1) : 0;
}

/* Of all tables those of this task: each task sees the same order, and takes every so many-th. */
static unsigned share (const job *j, item *all, unsigned n) {
  unsigned own = 0;
  if (j->task.ranks < 2)
    return n;
  qsort (all, n, sizeof *all, larger_first);
  for (unsigned i = j->task.rank; i < n; i += j->task.ranks)
    all[own++] = all[i];
  return own;
}

/* The slices that are wanted, with all that they lead to if asked for, each behind those that it leads to. */
static int take (job *j, const sd_slices *want, item **out, unsigned *n, sd_error *err) {
  sd_slice *all = want->at;
  *n = want->n;
  if (opt.successors)
    SD_TRY (sd_rules_order (&j->rules, want->at, want->n, &all, n, err));
  item *items = sd_alloc0 (*n, sizeof *items);
  int st = items ? SD_OK : sd_fail_memory (err, *n * sizeof *items);
  for (unsigned i = 0; st == SD_OK && i < *n; i++) {
    items[i].slice = all[i];
    for (unsigned k = 0; k < want->n; k++)
      items[i].named |= want->at[k] == all[i];
    st = name_it (j, &items[i], err);
  }
  if (all != want->at)
    free (all);
  *out = items;
  return st;
}

/* Everything, once the words are known to be right. */
static int run_all (job *j, const sd_slices *want, sd_error *err) {
  const double start = sd_now (), cpu = sd_cpu_now ();
  item *all = NULL;
  unsigned n = 0;
  int st = take (j, want, &all, &n, err);
  st = st ? st : refuse_sources (j, all, n, err);
  st = st ? st : sd_make_folder (j->folder, err);
  st = st ? st : sd_done_read (j->folder, &j->list, err);
  st = st ? st : sd_game_tables_open (&j->rules, j->path, BUDGET, &j->tables, err);
  if (st == SD_OK) {
    sd_terminal_progress (&j->progress, false);
    n = share (j, all, n);
    run (j, all, n);
    sum_up (j, n, start, cpu);
  }
  free (all);
  return st;
}

/* What is for layouts only. */
static int check_words (const sd_game_kind *kind) {
  if (!kind->recode && (opt.best || opt.sweep || opt.layouts || opt.order || opt.numbering || opt.sides))
    return sd_tool_usage (
        "--game %s: --best, --preset, --best-of, --layouts, --order, --numbering and "
        "--sides are for games whose tables have layouts, as chess: the states of others have "
        "one order",
        opt.game);
  return SD_EXIT_OK;
}

static int reformat_arrays (const char *folder) {
  const sd_array_reformat how = { opt.codec, opt.set, opt.best, opt.overwrite, opt.quiet, opt.json };
  sd_error err = { 0 };
  for (int i = 0; i < opt.endings.n; i++)
    if (sd_array_reformat_one (opt.endings.at[i], folder, &how, &err))
      return sd_tool_fail (&err);
  if (opt.json)
    sd_json_rows_end ();
  return SD_EXIT_OK;
}

int sd_cmd_reformat (int argc, char **argv) {
  int status;
  char folder[4096];
  sd_error err = { 0 };
  sd_slices want = { NULL, 0 };
  if (!sd_reformat_args (argc, argv, &opt, &status))
    return status;
  job j = { .folder = folder, .path = sd_tool_path (opt.tables) };
  sd_tool_first_folder (j.path, folder, sizeof folder);
  if (opt.out && (!*opt.out || snprintf (folder, sizeof folder, "%s", opt.out) >= (int) sizeof folder))
    return sd_tool_usage ("--output %s: expected the name of a folder", opt.out);
  if (opt.arrays)
    return reformat_arrays (folder);
  if (!sd_task_take (&j.task))
    return sd_tool_usage ("SLURM_ARRAY_TASK_ID is none of SLURM_ARRAY_TASK_COUNT tasks");
  if (j.task.ranks > 1)
    omp_set_num_threads ((int) j.task.cores);
  sd_table_spec spec;
  int st = sd_tool_rules (opt.game, &j.rules, &err);
  if (st == SD_OK && (status = check_words (j.rules.kind)) != SD_EXIT_OK)
    return status;
  if (st == SD_OK) /* before anything is made or loaded */
    st = common_spec (j.rules.kind, &spec, &err);
  if (st == SD_OK)
    st = sd_rules_wanted (&j.rules, opt.endings.at, (unsigned) opt.endings.n, opt.men, &want, &err);
  if (st == SD_OK)
    st = run_all (&j, &want, &err);
  free (want.at);
  free (j.list.row);
  sd_game_tables_close (j.tables);
  sd_rules_close (&j.rules);
  return st == SD_OK ? j.status : sd_tool_fail (&err);
}
