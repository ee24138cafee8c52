/* The words of subdef reformat. */
#include "config.h"
#include "tools/reformat.h"
#include <argp.h>
#include <stdlib.h>
#include <string.h>

static sd_reformat opt = { .max_latency = -1 }; /* NULL, -1: not said */
static const char *preset;

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
  KEY_PRESET,
  KEY_SUCCESSORS,
  MAX_PIECES = 24 /* of other games */
};

static const struct argp_option options[] = {
  { "metric", 'm', "wdl|dtm", 0, "wdl: won, drawn or lost; dtm: distance to mate (default: wdl)", 0 },
  { "codec", 'c', "NAME", 0, "the codec (default: repair); '--set help' lists all", 0 },
  { "set", 's', "KEY=VALUE,...", 0, "settings of the codec; '--set help' lists them", 0 },
  { "order", KEY_ORDER, "PIECES", 0,
    "the piece order: most significant piece of the index first, capitals White; '!' behind a piece: it is the "
    "leader, which symmetry confines; 'R(K)' at the end: R's rank before and R's file behind K (default: the "
    "order of the name)",
    0 },
  { "numbering", KEY_NUMBERING, "NAME[/NAME]", 0,
    "numbering of the squares, all, KINGS/OTHERS or KINGS/OTHERS/PAWNS: rows, z, folded, hilbert, files "
    "(default: rows)",
    0 },
  { "freedom", KEY_FREEDOM, "A+B..", 0,
    "which slots are free: illegal, draw, capture, promotion; all (of these); won (with --metric dtm --coding "
    "moves: only losses are stored); none (default: all, of other games illegal; there capture and promotion need "
    "the tables of all slices below)",
    0 },
  { "sides", KEY_SIDES, "white|black|one|both|joint", 0,
    "which sides to move are stored; the other one is restored by one ply of all moves; one: the side that takes "
    "fewer bytes; joint: both sides in one stream, often smaller with codecs obdd and trees (--best tries it) "
    "(default: both)",
    0 },
  { "coding", KEY_CODING, "moves|signed", 0,
    "with --metric dtm: moves, read together with the WDL table, or signed, complete by itself (default: moves)",
    0 },
  { "best", KEY_BEST, NULL, 0,
    "search for the smallest file within --max-latency: piece order and numbering (which must not be given) and, "
    "without --codec and --set, codec and settings",
    0 },
  { "best-of", KEY_SWEEP, "OUT.db", 0,
    "take the best row of a sweep, with its layout, codec, settings, freedom and coding", 0 },
  { "preset", KEY_PRESET, "small|fast", 0,
    "--best with another bound: small: no bound, which admits the smallest codecs (a lookup takes up to "
    "milliseconds); fast: 500ns",
    0 },
  { "layouts", KEY_LAYOUTS, "FILE.csv|papers", 0,
    "take each ending's piece order and numbering from a file such as 'subdef list --layouts' writes, and codec "
    "and settings where the file names them and --codec and --set do not; papers: the smallest known tables with "
    "3 and 4 men, from files that come with the program",
    0 },
  { "with-successors", KEY_SUCCESSORS, NULL, 0,
    "also all endings that captures and promotions lead to, these first; a table that is newer than the exact "
    "one is kept",
    0 },
  { "max-latency", KEY_LATENCY, "TIME", 0,
    "bound of --best and --best-of on the time of a lookup, e.g. 500ns, 2us, 1ms; 0: none (default: 2us)",
    0 },
  { "men", KEY_MEN, "N", 0,
    "all endings with 3 to N men instead of named ones; other games: with 1 to N pieces", 0 },
  { "game", 'g', "NAME[:FILE]", 0, "slices of another game than chess (subdef gen --help lists them)", 0 },
  { "tables", 'p', "DIR[:DIR]", 0,
    "where the exact tables are (default: SUBDEF_PATH, else the current folder)", 0 },
  { "output", 'o', "DIR", 0, "folder of the new tables (default: first folder of the path)", 0 },
  { "force", 'f', NULL, 0, "overwrite existing tables", 0 },
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
      argp_error (state, "--metric %s: expected %s", arg, sd_tool_metrics ());
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
  case KEY_PRESET:
    if (strcmp (arg, "small") != 0 && strcmp (arg, "fast") != 0)
      argp_error (state, "--preset %s: expected small or fast", arg);
    preset = arg;
    return 0;
  case KEY_SUCCESSORS:
    opt.successors = true;
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

/* What chooses by itself, and the words that it would have to ignore. */
static int check_choices (void) {
  const struct word {
    const char *name;
    bool said;
  } by_preset = { "--preset", preset }, latency = { "--max-latency", opt.max_latency >= 0 },
    best = { "--best", opt.best }, best_of = { "--best-of", opt.sweep },
    layouts = { "--layouts", opt.layouts }, order = { "--order", opt.order },
    numbering = { "--numbering", opt.numbering }, codec = { "--codec", opt.codec },
    set = { "--set", opt.set }, freedom = { "--freedom", opt.freedom }, coding = { "--coding", opt.coding };
  const struct choice {
    struct word by, other;
    const char *why;
  } all[] = {
    { by_preset, latency, "a preset has a bound of its own" },
    { by_preset, best_of, "the one searches, the other takes what a sweep found" },
    { by_preset, layouts, "the search chooses order and numbering" },
    { by_preset, order, "the search chooses the order" },
    { by_preset, numbering, "the search chooses the numbering" },
    { best, best_of, "the one searches, the other takes what a sweep found" },
    { best, layouts, "the search chooses order and numbering" },
    { best, order, "the search chooses the order" },
    { best, numbering, "the search chooses the numbering" },
    { best_of, layouts, "the sweep's row has order and numbering" },
    { best_of, order, "the sweep's row has the order" },
    { best_of, numbering, "the sweep's row has the numbering" },
    { best_of, codec, "the sweep's row has the codec" },
    { best_of, set, "the sweep's row has the settings" },
    { best_of, freedom, "the sweep's row has what is free" },
    { best_of, coding, "the sweep's row has the coding" },
    { layouts, order, "the file has the order of each ending" },
    { layouts, numbering, "the file has the numbering of each ending" },
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i].by.said && all[i].other.said)
      return sd_tool_usage ("reformat: %s and %s exclude each other: %s", all[i].by.name, all[i].other.name,
                            all[i].why);
  if (opt.max_latency >= 0 && !opt.best && !opt.sweep)
    return sd_tool_usage ("reformat: --max-latency is a bound for --best or --best-of, and neither is given");
  if (preset) {
    opt.best = true;
    opt.max_latency = strcmp (preset, "small") == 0 ? 0 : 500e-9;
  }
  return SD_EXIT_OK;
}

/* Words that do not go together. */
static int check (void) {
  if (!opt.game && opt.nmaterials == 0 && !opt.men)
    return sd_tool_usage (
        "reformat: no ending is named; e.g. 'subdef reformat KRvKP --metric wdl --best -o best'");
  if (opt.men && opt.nmaterials)
    return sd_tool_usage ("reformat: either --men or endings by name");
  return check_choices ();
}

bool sd_reformat_args (int argc, char **argv, sd_reformat *out, int *exit_status) {
  static const struct argp a = {
    options,
    parse,
    "ENDING...|SLICE...",
    "Recode tables with another codec, piece order, numbering or freedom.\v"
    "The command needs the exact DTM tables of the ending and of all endings that captures and promotions lead "
    "to. Each new table is read back, every position is restored and compared with the exact value, and only then "
    "does the file get its name.\n\n"
    "A line for each table tells ending, metric and bytes of the file; then for each stream its side to move (w, b, "
    "both), bytes, codec, piece order and numbering; and the seconds that it took.\n\n"
    "Examples:\n"
    "  subdef reformat KRvKP --metric wdl --best -o best\n"
    "  subdef reformat KRvKP --metric dtm --layouts papers -o best\n"
    "  subdef reformat KRvKP --metric wdl --preset small --with-successors -o small\n"
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
  if (opt.set && strcmp (opt.set, "help") == 0) {
    *exit_status = sd_tool_list_settings ();
    return false;
  }
  *exit_status = check ();
  *out = opt;
  out->fixed_codec = opt.codec != NULL;
  out->plain = !opt.best && !opt.sweep && !opt.layouts && !opt.order && !opt.numbering && !opt.codec
               && !opt.set && !opt.game;
  out->codec = opt.codec ? opt.codec : "repair";
  out->max_latency = opt.max_latency >= 0 ? opt.max_latency : 2e-6;
  return *exit_status == SD_EXIT_OK;
}
