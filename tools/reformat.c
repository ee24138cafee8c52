/* subdef reformat. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/experiments.h"
#include "gen/gen.h"
#include "tools/reformat.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static sd_reformat opt;
static sd_search_report found;

/* What the options say of every ending alike. */
static int common_spec (sd_table_spec *spec, sd_error *err) {
  memset (spec, 0, sizeof *spec);
  spec->metric = opt.metric;
  spec->coding = sd_metric_coding (opt.metric, false);
  const enum sd_coding asked = opt.coding ? sd_coding_find (opt.coding) : spec->coding;
  if (sd_metric_takes (opt.metric, asked, false))
    spec->coding = asked;
  else
    return sd_fail (err, SD_EINVAL, "--coding %s: expected moves or signed, with --metric dtm", opt.coding);
  SD_TRY (sd_freedom_parse (opt.freedom, &spec->freedom, err));
  if (opt.sides && sd_sides_parse (opt.sides, &spec->sides, err))
    return sd_error_prefix (err, "--sides"), SD_EINVAL;
  if ((spec->freedom & SD_FREE_WIN) && !(sd_freedom_of_coding (spec->coding) & SD_FREE_WIN))
    return sd_fail (err, SD_EINVAL, "--freedom won: losses only are for --metric dtm --coding moves");
  const sd_codec *codec = sd_codec_find (opt.codec);
  if (!codec)
    return sd_fail (err, SD_EINVAL, "--codec %s: unknown; 'subdef reformat --set help' lists the codecs",
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

static int spec_for (sd_exacts *exacts, const sd_exact *e, sd_table_spec *spec, const sd_progress *progress,
                     sd_error *err) {
  SD_TRY (common_spec (spec, err));
  spec->material = e->material;
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
    sd_best best;
    SD_TRY (sd_report_best (opt.sweep, &e->material, opt.metric, opt.max_latency * 1e9, &best, err));
    best.spec.sides = spec->sides;
    *spec = best.spec;
  }
  if (opt.best) {
    sd_search_options how = { .max_latency = opt.max_latency,
                              .report = &found,
                              .fixed_codec = opt.set || opt.fixed_codec,
                              .fixed = opt.set };
    SD_TRY (sd_table_search (exacts, e, &how, spec, progress, err));
  }
  return SD_OK;
}

static void say (const char *path, double seconds) {
  sd_table *t;
  if (opt.quiet || sd_table_open (path, 0, &t, NULL))
    return;
  sd_table_info in;
  sd_table_describe (t, &in);
  char name[16];
  sd_material_name (&in.material, name);
  sd_terminal_clear ();
  printf ("%-8s %s %10" PRIu64 " bytes ", name, sd_tool_metric_name (in.metric), in.bytes);
  for (unsigned s = 0; s < in.nsides; s++) {
    if (!sd_table_info_has (&in, s) || (s && in.joint))
      continue;
    char order[24], numbering[24];
    sd_layout_order_text (in.side[s].layout, order);
    sd_layout_numbering_text (in.side[s].layout, numbering);
    printf (" %s: %" PRIu64 " %s %s %s",
            in.joint ? "both"
            : s      ? "b"
                     : "w",
            in.side[s].stream_bytes, in.side[s].codec->name, order, numbering);
  }
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

/* What the search tried: of each side the winner, by how much it won against each other codec, and why others
 * were left out. */
static void say_search (void) {
  static const char *const of[] = { "White to move", "Black to move", "both sides in one stream" };
  if (opt.quiet || !opt.best)
    return;
  qsort (found.row, found.n, sizeof *found.row, by_bytes);
  const sd_search_row *first = NULL;
  for (unsigned i = 0; i < found.n; i++) {
    const sd_search_row *r = &found.row[i];
    if (i == 0 || r->side != found.row[i - 1].side) {
      first = r;
      printf ("  searched: %s\n", of[r->side]);
    }
    if (r->bytes == 0)
      printf ("    %-8s not chosen: %s", r->codec->name, r->why);
    else
      printf ("    %-8s %10" PRIu64 " bytes %+6.1f %%, a lookup some %.2f us%s%s", r->codec->name, r->bytes,
              100 * ((double) r->bytes / (double) first->bytes - 1), 1e6 * r->seconds,
              *r->settings ? ": " : "", r->settings);
    if (r->bytes == 0 && r->predicted)
      printf (" (some %" PRIu64 " bytes predicted)", r->predicted);
    putchar ('\n');
  }
}

/* What the smallest table that is known would take, after one with everything left as it is by default. */
static void say_better (const sd_material *m, const char *path) {
  sd_table *t;
  char file[4096], name[16];
  sd_table_spec spec = { .material = *m, .metric = opt.metric };
  sd_table_info in;
  uint64_t bytes = 0;
  if (!opt.plain || opt.quiet || opt.sides || sd_table_open (path, 0, &t, NULL))
    return;
  sd_table_describe (t, &in);
  sd_material_name (m, name);
  const char *metric = sd_tool_metric_name (opt.metric);
  if (sd_layouts_pinned (opt.metric, file, sizeof file, NULL) == SD_OK
      && sd_layouts_find (file, true, &spec, &bytes, NULL) == SD_OK && bytes > 0 && bytes < in.bytes)
    printf ("  the smallest known takes %" PRIu64
            " bytes (%.0f %% of these): 'subdef reformat %s --metric %s "
            "--layouts papers'\n",
            bytes, 100 * (double) bytes / (double) in.bytes, name, metric);
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

/* Is there a wdl table of the ending in the folder? */
static bool has_results (const sd_material *m, const char *folder) {
  char file[32], path[4096];
  sd_table_file_name (m, SD_WDL, file);
  return snprintf (path, sizeof path, "%s/%s", folder, file) < (int) sizeof path && sd_file_exists (path);
}

static int reformat (const sd_material *m, const char *folder, const sd_progress *progress, sd_error *err) {
  char file[32], path[4096];
  sd_table_file_name (m, opt.metric, file);
  if (snprintf (path, sizeof path, "%s/%s", folder, file) >= (int) sizeof path)
    return sd_fail (err, SD_EINVAL, "%s: the path is too long", folder);
  if (!opt.overwrite && !opt.successors && sd_file_exists (path))
    return sd_fail (err, SD_EIO, "%s: is there already; -f overwrites it", path);
  bool alone =
      opt.metric == SD_DTM && !(opt.coding && strcmp (opt.coding, "signed") == 0) && !has_results (m, folder);
  if (alone && sd_file_exists (path) && holds_results (path))
    return sd_fail (
        err, SD_EIO,
        "%s: holds the results, which --coding moves would drop, and %s has no wdl table of this ending: "
        "reformat --metric wdl first, or take --coding signed or another folder",
        path, folder);
  double start = sd_now ();
  sd_exacts *exacts;
  SD_TRY (sd_exacts_new (sd_tool_path (opt.tables), &exacts, err));
  const sd_exact *e;
  sd_table_spec spec;
  int status = sd_exacts_need (exacts, m, err);
  if (status == SD_OK)
    status = sd_exacts_get (exacts, m, &e, err);
  if (status == SD_OK)
    status = spec_for (exacts, e, &spec, progress, err);
  if (status == SD_OK)
    status = sd_table_build (exacts, &spec, path, progress, err);
  sd_exacts_free (exacts);
  sd_tool_advise (err, m, sd_tool_path (opt.tables));
  if (status == SD_OK) {
    say (path, sd_now () - start);
    say_search ();
    say_better (m, path);
    if (alone && !opt.quiet) {
      sd_terminal_clear ();
      sd_table_file_name (m, SD_WDL, file);
      fprintf (
          stderr,
          "subdef: note: %s holds no results; it is read together with %s ('subdef reformat --metric wdl')\n",
          path, file);
    }
  }
  return status;
}

static int ending (const char *name, sd_material *out, sd_error *err) {
  sd_material m;
  SD_TRY (sd_material_parse (name, &m, err));
  sd_material_canonical (&m, out);
  if (sd_material_men (out) < 3)
    return sd_fail (err, SD_EINVAL, "KvK: always drawn, and has no table");
  return SD_OK;
}

/* Is the file the one that the values come from? Written anew it would be a recoded table in place of the
 * exact one. */
static bool is_source (const sd_material *m, const char *path) {
  char file[32], from[4096];
  struct stat made, exact;
  if (stat (path, &made))
    return false;
  sd_table_file_name (m, SD_DTM, file);
  for (const char *p = sd_tool_path (opt.tables); *p;) {
    const size_t n = strcspn (p, ":");
    if (snprintf (from, sizeof from, "%.*s/%s", (int) n, p, file) < (int) sizeof from
        && stat (from, &exact) == 0 && made.st_dev == exact.st_dev && made.st_ino == exact.st_ino)
      return true;
    p += n + (p[n] == ':');
  }
  return false;
}

/* With -f alone; told before any of the tables is made. */
static int refuse_sources (const sd_material *all, unsigned n, const char *folder, sd_error *err) {
  char file[32], path[4096];
  for (unsigned i = 0; i < n && !opt.overwrite; i++) {
    sd_table_file_name (&all[i], opt.metric, file);
    if (snprintf (path, sizeof path, "%s/%s", folder, file) < (int) sizeof path && is_source (&all[i], path))
      return sd_fail (
          err, SD_EIO,
          "%s: is the table that is to be recoded; -f overwrites it, --output names another folder", path);
  }
  return SD_OK;
}

/* Is the table there, and newer than the exact one? */
static bool is_there (const sd_material *m, const char *folder) {
  char file[32], path[4096];
  struct stat made, exact;
  sd_table_file_name (m, opt.metric, file);
  if (snprintf (path, sizeof path, "%s/%s", folder, file) >= (int) sizeof path || stat (path, &made))
    return false;
  char from[4096], first[4096];
  sd_table_file_name (m, SD_DTM, file);
  sd_tool_first_folder (sd_tool_path (opt.tables), first, sizeof first);
  if (snprintf (from, sizeof from, "%s/%s", first, file) >= (int) sizeof from || stat (from, &exact))
    return true; /* in another folder of the path: nothing to compare with */
  if (made.st_dev == exact.st_dev && made.st_ino == exact.st_ino)
    return false;
  return made.st_mtim.tv_sec != exact.st_mtim.tv_sec ? made.st_mtim.tv_sec > exact.st_mtim.tv_sec
                                                     : made.st_mtim.tv_nsec >= exact.st_mtim.tv_nsec;
}

/* All endings that the named ones lead to, and these, in an order in which each stands behind those. */
static int with_successors (const char *folder, const sd_progress *progress, sd_error *err) {
  sd_material *want = sd_alloc ((size_t) opt.nmaterials + 1, sizeof *want), *all = NULL;
  unsigned n = 0, made = 0, kept = 0;
  if (!want)
    return sd_fail_memory (err, 0);
  int status = SD_OK;
  for (int i = 0; i < opt.nmaterials && status == SD_OK; i++)
    status = ending (opt.material[i], &want[i], err);
  if (status == SD_OK)
    status = sd_gen_order (want, (unsigned) opt.nmaterials, &all, &n, err);
  if (status == SD_OK)
    status = refuse_sources (all, n, folder, err);
  const double start = sd_now (), cpu = sd_cpu_now ();
  for (unsigned i = 0; i < n && status == SD_OK; i++)
    if (!opt.overwrite && is_there (&all[i], folder))
      kept++;
    else {
      status = reformat (&all[i], folder, progress, err);
      made += status == SD_OK;
    }
  if (!opt.quiet && (status == SD_OK || made))
    printf ("%u of %u tables made, %u were there and newer than the exact tables; %.1f s, %.1f CPU-seconds\n",
            made, n, kept, sd_now () - start, sd_cpu_now () - cpu);
  free (want);
  free (all);
  return status;
}

int sd_cmd_reformat (int argc, char **argv) {
  int exit_status;
  if (!sd_reformat_args (argc, argv, &opt, &exit_status))
    return exit_status;
  char folder[4096];
  sd_tool_first_folder (sd_tool_path (opt.tables), folder, sizeof folder);
  if (opt.out && (!*opt.out || snprintf (folder, sizeof folder, "%s", opt.out) >= (int) sizeof folder))
    return sd_tool_usage ("reformat: --output %s: expected the name of a folder", opt.out);
  sd_error err = { 0 };
  sd_table_spec spec;
  if (!opt.game && common_spec (&spec, &err)) /* before anything is made or loaded */
    return sd_tool_fail (&err);
  for (int i = 0; !opt.game && i < opt.nmaterials; i++) {
    sd_material m;
    if (ending (opt.material[i], &m, &err))
      return sd_tool_fail (&err);
  }
  if (sd_make_folder (folder, &err))
    return sd_tool_fail (&err);
  if (opt.game) {
    const sd_game_reformat_options o = { .game = opt.game,
                                         .path = sd_tool_path (opt.tables),
                                         .folder = folder,
                                         .codec = opt.codec,
                                         .set = opt.set,
                                         .freedom = opt.freedom,
                                         .coding = opt.coding,
                                         .metric = opt.metric,
                                         .overwrite = opt.overwrite,
                                         .quiet = opt.quiet,
                                         .slice = opt.material,
                                         .n = opt.nmaterials,
                                         .pieces = opt.men };
    return sd_game_reformat (&o);
  }
  sd_progress progress;
  sd_terminal_progress (&progress, false);
  if (opt.successors && opt.nmaterials && with_successors (folder, &progress, &err))
    return sd_tool_fail (&err);
  for (int i = 0; i < opt.nmaterials && !opt.successors; i++) {
    sd_material canonical;
    if (ending (opt.material[i], &canonical, &err) || reformat (&canonical, folder, &progress, &err))
      return sd_tool_fail (&err);
  }
  for (unsigned men = 3; (int) men <= opt.men; men++) {
    enum { CAP = 4096 };
    sd_material *all = sd_alloc (CAP, sizeof *all);
    if (!all)
      return sd_tool_usage ("out of memory");
    unsigned n = sd_material_all (men, all, CAP);
    int status = SD_OK;
    for (unsigned i = 0; i < n && status == SD_OK; i++)
      status = reformat (&all[i], folder, &progress, &err);
    free (all);
    if (status)
      return sd_tool_fail (&err);
  }
  return SD_EXIT_OK;
}
