/* subdef reformat. */
#include "config.h"
#include "experiments/experiments.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *tables, *out, *codec, *set, *order, *numbering, *freedom, *coding, *sweep, *layouts, *game, *sides;
  enum sd_metric metric;
  bool best, overwrite, quiet;
  double max_latency;
  int men;
  char **material;
  int nmaterials;
} opt = { .codec = "repair", .freedom = "all", .max_latency = 2e-6 };

enum {
  KEY_ORDER = 256,
  KEY_NUMBERING,
  KEY_FREEDOM,
  KEY_CODING,
  KEY_BEST,
  KEY_LATENCY,
  KEY_MEN,
  KEY_SWEEP,
  KEY_LAYOUTS,
  KEY_SIDES,
  MAX_PIECES = 24 /* of other games */
};

static const struct argp_option options[] = {
  { "metric", 'm', "wdl|dtm", 0, "results or distances to mate (default: wdl)", 0 },
  { "codec", 'c', "NAME", 0, "the coder (default: repair); '--set help' lists all", 0 },
  { "set", 's', "KEY=VALUE,...", 0, "settings of the codec; '--set help' lists them", 0 },
  { "order", KEY_ORDER, "PIECES", 0,
    "order of the pieces in the index, most significant first, capitals White; '!' behind a piece: "
    "confined by symmetry (default: the order of the name)",
    0 },
  { "numbering", KEY_NUMBERING, "NAME[/NAME]", 0,
    "numbering of the squares, kings/others: rows, z, folded, hilbert (default: rows)", 0 },
  { "freedom", KEY_FREEDOM, "A+B..", 0,
    "which slots are free: illegal, draw, capture, promotion; all (of these); won (losses only: dtm, moves); none "
    "(default: all)",
    0 },
  { "sides", KEY_SIDES, "white|black|one|both", 0,
    "which sides to move are stored; what is not is restored by one ply of all moves; one: the smaller "
    "(default: both)",
    0 },
  { "coding", KEY_CODING, "moves|signed", 0,
    "dtm only: moves with the result from the wdl table, or complete by itself (default: moves)", 0 },
  { "best", KEY_BEST, NULL, 0,
    "search the order, the numbering and the settings with the smallest file within --max-latency", 0 },
  { "best-of", KEY_SWEEP, "OUT.db", 0, "take the best row of a sweep's results instead of searching", 0 },
  { "layouts", KEY_LAYOUTS, "FILE.csv", 0,
    "take each ending's order and numbering from a file that 'subdef list --layouts' wrote", 0 },
  { "max-latency", KEY_LATENCY, "TIME", 0,
    "bound for --best and --best-of, e.g. 500ns, 2us, 1ms; 0: none (default: 2us)", 0 },
  { "men", KEY_MEN, "N", 0, "all endings with 3 to N men instead of named ones; other games: with 1 to N pieces", 0 },
  { "game", 'g', "NAME[:FILE]", 0, "slices of another game than chess: draughts, graph:FILE", 0 },
  { "tables", 'p', "DIR[:DIR]", 0,
    "where the exact tables are (default: SUBDEF_PATH, else the current folder)", 0 },
  { "output", 'o', "DIR", 0, "folder of the new tables (default: first folder of the path)", 0 },
  { "force", 'f', NULL, 0, "overwrite tables that are there", 0 },
  { "quiet", 'q', NULL, 0, "no line for each table", 0 },
  { 0 },
};

static bool parse_time (const char *text, double *out) {
  char *end;
  double v = strtod (text, &end);
  double unit = strcmp (end, "ns") == 0   ? 1e-9
                : strcmp (end, "us") == 0 ? 1e-6
                : strcmp (end, "ms") == 0 ? 1e-3
                : strcmp (end, "s") == 0  ? 1
                                          : 0;
  if (end == text || !(v >= 0) || (unit == 0 && !(v == 0 && *end == 0)))
    return false;
  *out = v * unit;
  return true;
}

static error_t parse (int key, char *arg, struct argp_state *state) {
  switch (key) {
  case 'm':
    if (!sd_tool_metric (arg, &opt.metric))
      argp_error (state, "--metric %s: expected wdl or dtm", arg);
    return 0;
  case 'c':
    opt.codec = arg;
    return 0;
  case 's':
    opt.set = arg;
    return 0;
  case KEY_ORDER:
    opt.order = arg;
    return 0;
  case KEY_NUMBERING:
    opt.numbering = arg;
    return 0;
  case KEY_FREEDOM:
    opt.freedom = arg;
    return 0;
  case KEY_SIDES:
    opt.sides = arg;
    return 0;
  case KEY_CODING:
    opt.coding = arg;
    return 0;
  case KEY_BEST:
    opt.best = true;
    return 0;
  case KEY_SWEEP:
    opt.sweep = arg;
    return 0;
  case KEY_LAYOUTS:
    opt.layouts = arg;
    return 0;
  case KEY_LATENCY:
    if (!parse_time (arg, &opt.max_latency))
      argp_error (state, "--max-latency %s: expected a number with ns, us, ms or s, or 0", arg);
    return 0;
  case KEY_MEN: {
    char *end;
    long v = strtol (arg, &end, 10);
    if (*end || v < 1 || v > MAX_PIECES)
      argp_error (state, "--men %s: expected 3 to %d, or with --game 1 to %d", arg, SD_MAX_MEN, MAX_PIECES);
    opt.men = (int) v;
    return 0;
  }
  case 'g':
    opt.game = arg;
    return 0;
  case 'p':
    opt.tables = arg;
    return 0;
  case 'o':
    opt.out = arg;
    return 0;
  case 'f':
    opt.overwrite = true;
    return 0;
  case 'q':
    opt.quiet = true;
    return 0;
  case ARGP_KEY_ARGS:
    opt.material = state->argv + state->next;
    opt.nmaterials = state->argc - state->next;
    return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

static int list_settings (void) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  for (size_t i = 0; i < n; i++) {
    printf ("%s: %s\n", all[i]->name, all[i]->summary);
    for (const sd_tunable *t = all[i]->tunables; t->key; t++) {
      printf ("  %-9s %s (default %s", t->key, t->summary, t->deflt);
      if (t->min <= t->max)
        printf ("; %ld to %ld", t->min, t->max);
      else if (t->words)
        printf ("; %s", t->words);
      puts (")");
    }
  }
  puts ("initial replacements (chained with '+'):");
  const sd_initial *in = sd_initial_all (&n);
  for (size_t i = 0; i < n; i++)
    printf ("  %-9s %s [%s]\n", in[i].name, in[i].summary, in[i].source);
  return SD_EXIT_OK;
}

/* What the options say of every ending alike. */
static int common_spec (sd_table_spec *spec, sd_error *err) {
  memset (spec, 0, sizeof *spec);
  spec->metric = opt.metric;
  spec->coding = opt.metric == SD_WDL ? SD_CODING_WDL : SD_CODING_MOVES;
  if (opt.coding && opt.metric == SD_DTM && strcmp (opt.coding, "signed") == 0)
    spec->coding = SD_CODING_SIGNED;
  else if (opt.coding && (opt.metric == SD_WDL || strcmp (opt.coding, "moves") != 0))
    return sd_fail (err, SD_EINVAL, "--coding %s: expected moves or signed, with --metric dtm", opt.coding);
  SD_TRY (sd_freedom_parse (opt.freedom, &spec->freedom, err));
  if (opt.sides && sd_sides_parse (opt.sides, &spec->sides, err))
    return sd_error_prefix (err, "--sides"), SD_EINVAL;
  if ((spec->freedom & SD_FREE_WIN) && spec->coding != SD_CODING_MOVES)
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
  if (opt.layouts) {
    sd_layout side[2];
    SD_TRY (sd_layouts_find (opt.layouts, &e->material, sd_table_sides (spec), side, err));
    for (unsigned s = 0; s < 2; s++)
      if (sd_table_sides (spec) >> s & 1)
        spec->side[s].layout = side[s];
  }
  if (opt.sweep) {
    sd_best best;
    SD_TRY (sd_report_best (opt.sweep, &e->material, opt.metric, opt.max_latency * 1e9, &best, err));
    best.spec.sides = spec->sides;
    best.spec.freedom = best.spec.freedom | (spec->freedom & SD_FREE_WIN);
    *spec = best.spec;
  }
  if (opt.best) {
    sd_search_options how = { .max_latency = opt.max_latency, .fixed_codec = opt.set != NULL,
                              .fixed_initial = opt.set && strstr (opt.set, "initial=") };
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
    if (!sd_table_info_has (&in, s))
      continue;
    char order[24], numbering[24];
    sd_layout_order_text (in.side[s].layout, order);
    sd_layout_numbering_text (in.side[s].layout, numbering);
    printf (" %c: %" PRIu64 " %s %s %s", s ? 'b' : 'w', in.side[s].stream_bytes, in.side[s].codec->name,
            order, numbering);
  }
  printf ("  (%.1f s, every position restored and compared)\n", seconds);
  fflush (stdout);
  sd_table_close (t);
}

/* A dtm table that is complete by itself, or a file that cannot be opened and is left to the caller. */
static bool holds_results (const char *path) {
  sd_table *t;
  if (sd_table_open (path, 0, &t, NULL))
    return false;
  sd_table_info in;
  sd_table_describe (t, &in);
  const bool signs = in.coding == SD_CODING_SIGNED;
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
  if (!opt.overwrite && sd_file_exists (path))
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

int sd_cmd_reformat (int argc, char **argv) {
  static const struct argp a = {
    options,
    parse,
    "MATERIAL...|SLICE...",
    "Recode tables: another coder, order of the pieces, numbering, sources of freedom.\v"
    "Needs the exact dtm tables of the ending and of all endings that a capture or promotion leads to. Each "
    "new table is read "
    "back, every position is restored and compared with the exact value before the file gets its name.\n\n"
    "Examples:\n"
    "  subdef reformat KRvKP --metric wdl --best -o best\n"
    "  subdef reformat KRvKP --metric wdl --codec repair --set block=128,initial=ternary --order pRKk -o "
    "best\n"
    "  subdef reformat --men 4 --metric dtm --codec lzma --set block=16384 -o lzma\n"
    "  subdef reformat KRvKP --metric wdl --sides one -o small\n"
    "  subdef reformat KRvKP --metric dtm --freedom all+won -o losses\n"
    "  subdef reformat --game draughts KKvM --metric wdl --set block=64\n",
    NULL,
    NULL,
    NULL
  };
  sd_tool_parse (&a, argc, argv);
  if (opt.set && strcmp (opt.set, "help") == 0)
    return list_settings ();
  if (opt.game && (opt.best || opt.sweep || opt.layouts || opt.order || opt.numbering || opt.sides))
    return sd_tool_usage ("reformat: --game: --best, --best-of, --layouts, --order, --numbering and --sides are for chess: the states of "
                          "other games have one order");
  if (!opt.game && opt.men && (opt.men < 3 || opt.men > SD_MAX_MEN))
    return sd_tool_usage ("reformat: --men %d: expected 3 to %d", opt.men, SD_MAX_MEN);
  if (!opt.game && opt.nmaterials == 0 && !opt.men)
    return sd_tool_usage (
        "reformat: no ending is named; e.g. 'subdef reformat KRvKP --metric wdl --best -o best'");
  if (opt.best + (opt.sweep != NULL) + (opt.layouts != NULL) + (opt.order != NULL) > 1)
    return sd_tool_usage ("reformat: --best, --best-of, --layouts and --order exclude each other");
  if (opt.men && opt.nmaterials)
    return sd_tool_usage ("reformat: either --men or endings by name");
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
  for (int i = 0; i < opt.nmaterials; i++) {
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
