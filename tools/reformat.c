/* subdef reformat: tables of any game coded anew. What a game with layouts has to choose, and what may be
 * said after it, are the second half; the run is the same for all. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/experiments.h"
#include "gen/gen.h"
#include "tools/arrays.h"
#include "tools/reformat.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BUDGET = 64 << 20 }; /* bytes of decoded values */

static sd_reformat opt;
static sd_search_report found;

/* A run. */
typedef struct job {
  sd_rules rules;
  const char *folder, *path; /* of the new tables; where the exact ones are */
  sd_game_tables *tables;
  sd_progress progress;
  bool alone; /* one table alone: what is there already is refused, not kept */
} job;

/* A coding that tables of the metric do not have. */
static int no_such_coding (bool game, sd_error *err) {
  char known[80] = "";
  for (unsigned c = 0; c < SD_CODINGS; c++)
    if (sd_metric_takes (opt.metric, (enum sd_coding) c, game))
      sd_text_list (known, sizeof known, "%s", sd_codings[c].name);
  return sd_fail (err, SD_EINVAL, "--coding %s: tables of the metric %s have: %s", opt.coding,
                  sd_metrics[opt.metric].name, known);
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
  if (opt.sides && sd_sides_parse (opt.sides, &spec->sides, err))
    return sd_error_prefix (err, "--sides"), SD_EINVAL;
  if ((spec->freedom & SD_FREE_WIN) && !(sd_freedom_of_coding (spec->coding) & SD_FREE_WIN))
    return sd_fail (err, SD_EINVAL, "--freedom won: losses only are for --metric dtm --coding moves");
  const sd_codec *codec = sd_codec_find (opt.codec);
  if (!codec)
    return sd_fail (err, SD_EINVAL,
                    "the codec %s is not in this build; \'subdef reformat --set help\' lists those that are",
                    opt.codec);
  for (unsigned s = 0; s < 2; s++) {
    spec->side[s].codec = codec;
    SD_TRY (sd_settings_parse (codec, opt.set, &spec->side[s].settings, err));
  }
  return SD_OK;
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

/* As sd_chooser.choose. */
static int choose (void *ctx, sd_exacts *exacts, const sd_exact *e, sd_table_spec *spec, sd_error *err) {
  const job *j = ctx;
  for (unsigned s = 0; s < e->nsides; s++) {
    if (opt.order)
      SD_TRY (sd_layout_parse (&e->material, opt.order, opt.numbering, &spec->side[s].layout, err));
    else {
      char order[24];
      sd_layout plain;
      sd_layout_default (&e->material, &plain);
      sd_layout_order_text (&plain, order);
      SD_TRY (sd_layout_parse (&e->material, order, opt.numbering, &spec->side[s].layout, err));
    }
  }
  if (opt.layouts)
    SD_TRY (take_layouts (spec, err));
  if (opt.sweep) {
    const unsigned sides = spec->sides;
    SD_TRY (sd_report_best (opt.sweep, &e->material, opt.metric, opt.max_latency * 1e9, spec, err));
    spec->sides = sides;
  }
  if (opt.best) {
    sd_search_options how = { .max_latency = opt.max_latency,
                              .report = &found,
                              .fixed_codec = opt.set || opt.fixed_codec,
                              .fixed = opt.set };
    SD_TRY (sd_table_search (exacts, e, &how, spec, &j->progress, err));
  }
  return SD_OK;
}

/* The streams of a table with layouts; of others the bytes are all, and stand before. */
static void say_streams (const sd_table_info *in) {
  for (unsigned s = 0; s < in->nsides; s++) {
    if (!sd_table_info_has (in, s) || (s && in->joint))
      continue;
    if (!in->side[s].layout) {
      printf (" %s", sd_side_codec (&in->side[s]));
      continue;
    }
    char order[24], numbering[24];
    sd_tool_layout (&in->side[s], order, numbering);
    printf (" %s: %s %s %s %s",
            in->joint ? "both"
            : s       ? "b"
                      : "w",
            sd_tool_count (in->side[s].stream_bytes), sd_side_codec (&in->side[s]), order, numbering);
  }
}

static void say (const char *name, const char *path, double seconds) {
  sd_table *t;
  sd_table_info in;
  if (opt.quiet || sd_table_open (path, 0, &t, NULL))
    return;
  sd_table_describe (t, &in);
  sd_terminal_clear ();
  printf ("%-8s %s %10s bytes ", name, sd_metrics[in.metric].name, sd_tool_count (in.bytes));
  say_streams (&in);
  printf ("  (%.1f s, every position restored and compared)\n", seconds);
  fflush (stdout);
  sd_table_close (t);
}

static int by_bytes (const void *x, const void *y) {
  const sd_search_row *a = x, *b = y;
  if (a->side != b->side)
    return a->side < b->side ? -1 : 1;
  if (!a->bytes != !b->bytes)
    return a->bytes ? -1 : 1;
  if (a->bytes != b->bytes)
    return a->bytes < b->bytes ? -1 : 1;
  return a->codec->id < b->codec->id ? -1 : 1;
}

/* One stream for both sides to move: its bytes beside those of two, or why it was not made. */
static void say_joint (void) {
  const sd_search_row *best = NULL;
  for (unsigned i = 0; i < found.n && !best; i++)
    if (found.row[i].side == 2 && found.row[i].bytes)
      best = &found.row[i];
  if (found.joint && best)
    printf ("  one stream for both sides: %s bytes (%s), two streams %s\n", sd_tool_count (found.joint),
            best->codec->name, sd_tool_count (found.apart));
  else
    printf ("  one stream for both sides: %s\n", found.why);
}

/* What the search tried: of each side the winner, by how much it won against each other codec, and why others
 * were left out. */
static void say_search (void) {
  static const char *const of[] = { "White to move", "Black to move", "both sides in one stream" };
  if (opt.quiet || !opt.best)
    return;
  qsort (found.row, found.n, sizeof *found.row, by_bytes);
  const sd_search_row *first = NULL;
  bool told = false;
  for (unsigned i = 0; i < found.n; i++) {
    const sd_search_row *r = &found.row[i];
    if (i == 0 || r->side != found.row[i - 1].side) {
      first = r;
      if (r->side == 2 && found.apart)
        say_joint ();
      else
        printf ("  searched: %s\n", of[r->side]);
      told |= r->side == 2;
    }
    if (r->bytes == 0)
      printf ("    %-8s not chosen: %s", r->codec->name, r->why);
    else
      printf ("    %-8s %10s bytes %+6.1f %%, a lookup some %.2f us%s%s", r->codec->name,
              sd_tool_count (r->bytes), 100 * ((double) r->bytes / (double) first->bytes - 1),
              1e6 * r->seconds, *r->settings ? ": " : "", r->settings);
    if (r->bytes == 0 && r->predicted)
      printf (" (some %s bytes predicted)", sd_tool_count (r->predicted));
    putchar ('\n');
  }
  if (found.apart && !told)
    say_joint ();
}

/* What the smallest table that is known would take, after one with everything left as it is by default. */
static void say_better (const sd_table_spec *subject, const char *name, const char *path) {
  sd_table *t;
  char file[4096];
  sd_table_spec spec = { .material = subject->material, .metric = opt.metric };
  sd_table_info in;
  uint64_t bytes = 0;
  if (!opt.plain || opt.quiet || opt.sides || sd_table_open (path, 0, &t, NULL))
    return;
  sd_table_describe (t, &in);
  const char *metric = sd_metrics[opt.metric].name;
  if (sd_layouts_pinned (opt.metric, file, sizeof file, NULL) == SD_OK
      && sd_layouts_find (file, true, &spec, &bytes, NULL) == SD_OK && bytes > 0 && bytes < in.bytes)
    printf ("  the smallest known takes %s bytes (%.0f %% of these): 'subdef reformat %s --metric %s "
            "--layouts papers'\n",
            sd_tool_count (bytes), 100 * (double) bytes / (double) in.bytes, name, metric);
  else if (bytes == 0)
    printf (
        "  order, codec and settings were not searched for: 'subdef reformat %s --metric %s --best' does\n",
        name, metric);
  sd_table_close (t);
}

/* A dtm table that is complete by itself, or a file that cannot be opened and is left to the caller. */
static bool holds_results (const char *path) {
  sd_table *t;
  if (sd_table_open (path, 0, &t, NULL))
    return false;
  sd_table_info in;
  sd_table_describe (t, &in);
  const bool signs = sd_codings[in.coding].needs == SD_METRICS;
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
  if (needs == SD_METRICS)
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

/* One table. */
static int reformat (job *j, sd_slice slice, sd_error *err) {
  const sd_rules *r = &j->rules;
  char path[4096], name[SD_SLICE_NAME];
  sd_table_spec subject, spec;
  bool alone;
  const double start = sd_now ();
  const sd_chooser how = { j, choose, &j->progress };
  SD_TRY (common_spec (r->kind, &spec, err));
  SD_TRY (sd_rules_subject (r, slice, &subject, err));
  SD_TRY (table_path (j->folder, &subject, opt.metric, path, sizeof path, err));
  if (!opt.overwrite && j->alone && sd_file_exists (path))
    return sd_fail (err, SD_EIO, "%s: is there already; -f overwrites it", path);
  SD_TRY (check_results (j, &subject, &spec, path, &alone, err));
  const int st = sd_game_tables_recode (j->tables, slice, &spec, &how, path, err);
  if (st != SD_OK) {
    sd_tool_advise (err, opt.game, r, slice, j->path);
    return st;
  }
  r->kind->slice_name (r->ctx, slice, name);
  say (name, path, sd_now () - start);
  say_search ();
  if (r->kind->recode)
    say_better (&subject, name, path);
  if (alone && !opt.quiet)
    note_alone (&subject, sd_codings[spec.coding].needs, path);
  return SD_OK;
}

/* ---------------------------------------------------------- with all below */

/* Is the file the one that the values come from? Written anew it would be a recoded table in place of the
 * exact one. */
static bool is_source (const job *j, const sd_table_spec *subject, const char *path) {
  char file[SD_GAME_FILE_NAME], folder[4096], from[4096];
  struct stat made, exact;
  if (stat (path, &made))
    return false;
  sd_subject_file_name (subject, sd_metrics[opt.metric].exact, file);
  for (const char *p = j->path; sd_tool_next_folder (&p, folder, sizeof folder);)
    if (snprintf (from, sizeof from, "%s/%s", folder, file) < (int) sizeof from && stat (from, &exact) == 0
        && made.st_dev == exact.st_dev && made.st_ino == exact.st_ino)
      return true;
  return false;
}

/* With -f alone; told before any of the tables is made. */
static int refuse_sources (const job *j, const sd_slice *all, unsigned n, sd_error *err) {
  char path[4096];
  for (unsigned i = 0; i < n && !opt.overwrite; i++) {
    sd_table_spec subject;
    SD_TRY (sd_rules_subject (&j->rules, all[i], &subject, err));
    if (table_path (j->folder, &subject, opt.metric, path, sizeof path, NULL) == SD_OK
        && is_source (j, &subject, path))
      return sd_fail (
          err, SD_EIO,
          "%s: is the table that is to be recoded; -f overwrites it, --output names another folder", path);
  }
  return SD_OK;
}

/* Is the table there, and newer than the exact one? */
static bool is_there (const job *j, sd_slice slice) {
  char path[4096], from[4096], first[4096];
  struct stat made, exact;
  sd_table_spec subject;
  if (sd_rules_subject (&j->rules, slice, &subject, NULL) != SD_OK
      || table_path (j->folder, &subject, opt.metric, path, sizeof path, NULL) != SD_OK || stat (path, &made))
    return false;
  sd_tool_first_folder (j->path, first, sizeof first);
  if (table_path (first, &subject, sd_metrics[opt.metric].exact, from, sizeof from, NULL) != SD_OK
      || stat (from, &exact))
    return true; /* in another folder of the path: nothing to compare with */
  if (made.st_dev == exact.st_dev && made.st_ino == exact.st_ino)
    return false;
  return made.st_mtim.tv_sec != exact.st_mtim.tv_sec ? made.st_mtim.tv_sec > exact.st_mtim.tv_sec
                                                     : made.st_mtim.tv_nsec >= exact.st_mtim.tv_nsec;
}

/* These tables, in this order. Those that are there and newer than the exact ones are kept, so that a command
 * of many tables that was ended goes on where it was. */
static int make_all (job *j, const sd_slice *all, unsigned n, sd_error *err) {
  unsigned made = 0, kept = 0;
  int st = refuse_sources (j, all, n, err);
  const double start = sd_now (), cpu = sd_cpu_now ();
  for (unsigned i = 0; i < n && st == SD_OK; i++)
    if (!opt.overwrite && is_there (j, all[i]))
      kept++;
    else {
      st = reformat (j, all[i], err);
      made += st == SD_OK;
    }
  if (!opt.quiet && (st == SD_OK || made) && (kept || opt.successors))
    printf (
        "%u of %u tables made, %u were there and newer than the exact tables%s; %.1f s, %.1f CPU-seconds\n",
        made, n, kept, kept ? " (-f makes them anew)" : "", sd_now () - start, sd_cpu_now () - cpu);
  return st;
}

/* All slices that the named ones lead to, and these, in an order in which each stands behind those. */
static int with_successors (job *j, const sd_slice *want, unsigned nwant, sd_error *err) {
  sd_slice *all = NULL;
  unsigned n = 0;
  int st = sd_rules_order (&j->rules, want, nwant, &all, &n, err);
  if (st == SD_OK)
    st = make_all (j, all, n, err);
  free (all);
  return st;
}

/* Everything, once the words are known to be right. */
static int run (job *j, const sd_slice *want, unsigned n, sd_error *err) {
  SD_TRY (sd_make_folder (j->folder, err));
  SD_TRY (sd_game_tables_open (&j->rules, j->path, BUDGET, &j->tables, err));
  sd_terminal_progress (&j->progress, false);
  j->alone = n == 1 && !opt.successors;
  if (opt.successors)
    return with_successors (j, want, n, err);
  return n == 1 ? reformat (j, want[0], err) : make_all (j, want, n, err);
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
  const sd_array_reformat how = { opt.codec, opt.set, opt.best, opt.overwrite, opt.quiet };
  sd_error err = { 0 };
  for (int i = 0; i < opt.endings.n; i++)
    if (sd_array_reformat_one (opt.endings.at[i], folder, &how, &err))
      return sd_tool_fail (&err);
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
  sd_table_spec spec;
  int st = sd_tool_rules (opt.game, &j.rules, &err);
  if (st == SD_OK && (status = check_words (j.rules.kind)) != SD_EXIT_OK)
    return status;
  if (st == SD_OK) /* before anything is made or loaded */
    st = common_spec (j.rules.kind, &spec, &err);
  if (st == SD_OK)
    st = sd_rules_wanted (&j.rules, opt.endings.at, (unsigned) opt.endings.n, opt.men, &want, &err);
  if (st == SD_OK)
    st = run (&j, want.at, want.n, &err);
  free (want.at);
  sd_game_tables_close (j.tables);
  sd_rules_close (&j.rules);
  return st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}
