/* The words of subdef reformat. */
#include "config.h"
#include "array/array.h"
#include "tools/reformat.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static sd_reformat opt = { .max_latency = -1 }; /* NULL, -1: not said */
static const char *preset;

/* Bounds of --best on the seconds of a lookup; 0: none. */
static const struct {
  const char *name;
  double latency;
} presets[] = { { "small", 0 }, { "fast", 500e-9 } };
enum { NPRESETS = sizeof presets / sizeof *presets };

static const char *preset_word (unsigned i) {
  return i < NPRESETS ? presets[i].name : NULL;
}

static bool take_latency (const char *text) {
  char *end;
  double v = strtod (text, &end);
  double unit = strcmp (end, "ns") == 0   ? 1e-9
                : strcmp (end, "us") == 0 ? 1e-6
                : strcmp (end, "ms") == 0 ? 1e-3
                : strcmp (end, "s") == 0  ? 1
                                          : 0;
  if (end == text || !(v >= 0) || isinf (v) || (unit == 0 && !(v == 0 && *end == 0)))
    return false;
  opt.max_latency = v * unit;
  return true;
}

static const sd_option options[] = {
  { "metric", 'm', NULL, "wdl: won, drawn or lost; dtm: distance to mate (default: wdl)",
    .metric = &opt.metric },
  { "codec", 'c', "NAME",
    "the codec; '--set help' lists all (default: repair; for --metric dtm, dtc and dtz50 with 3 and 4 men obdd, "
    "with --set choices=256,pairs=256 --numbering folded --sides joint, unless an option chooses otherwise)",
    .text = &opt.codec, .words = sd_tool_codec_word },
  { "set", 's', "KEY=VALUE,...", "settings of the codec; '--set help' lists them", .text = &opt.set },
  { "order", 0, "PIECES",
    "the piece order: most significant piece of the index first, capitals White; '!' behind a piece: it is the "
    "leader, which symmetry confines; 'R(K)' at the end: R's rank before and R's file behind K (default: the "
    "order of the name)",
    .text = &opt.order },
  { "numbering", 0, "NAME[/NAME]",
    "numbering of the squares, all, KINGS/OTHERS or KINGS/OTHERS/PAWNS: rows, z, folded, hilbert, files "
    "(default: rows)",
    .text = &opt.numbering, .words = sd_tool_numbering_word, .joint = '/' },
  { "freedom", 0, "A+B..",
    "which slots are free: illegal, draw, capture, promotion; all (of these); won (with --metric dtm --coding "
    "moves: only losses are stored); queen (with capture or promotion: only promotions to a queen free a slot, "
    "so that a probe need not look at others); unreachable (positions that no legal move leads to; not with won, both sides to "
    "move must be stored); none (default: all, of other games illegal; there capture and promotion need "
    "the tables of all slices below)",
    .text = &opt.freedom, .words = sd_tool_freedom_word, .joint = '+' },
  { "sides", 0, NULL,
    "which sides to move are stored; the other one is restored by one ply of all moves; one: the side that takes "
    "fewer bytes; joint: both sides in one stream, often smaller with codecs obdd and trees (--best tries it) "
    "(default: both)",
    .text = &opt.sides, .words = sd_tool_sides_word },
  { "coding", 0, "NAME",
    "of dtm: moves, read together with the WDL table, or signed, complete by itself; of dtz50: zeroing, read together "
    "with the WDL50 table, or signed; of dtc: plies, read together with the WDL table, or signed (default: the first)",
    .text = &opt.coding, .words = sd_tool_coding_word },
  { "best", 0, NULL,
    "search for the smallest file within --max-latency: piece order and numbering (which must not be given) and, "
    "without --codec and --set, codec and settings",
    .flag = &opt.best },
  { "best-of", 0, "OUT.db",
    "take the best row of a sweep, with its layout, codec, settings, freedom and coding",
    .text = &opt.sweep },
  { "preset", 0, NULL,
    "--best with another bound: small: no bound, which admits the smallest codecs (a lookup takes up to "
    "milliseconds); fast: 500ns",
    .text = &preset, .words = preset_word },
  { "layouts", 0, "FILE.csv|papers",
    "take each ending's piece order and numbering from a file such as 'subdef list --layouts' writes, and codec "
    "and settings where the file names them and --codec and --set do not; papers: the smallest known tables with "
    "3 and 4 men, from files that come with the program",
    .text = &opt.layouts },
  { "with-successors", 0, NULL,
    "also all endings that captures and promotions lead to, these first; a table that is newer than the exact "
    "one is kept",
    .flag = &opt.successors },
  { "max-latency", 0, "TIME",
    "bound of --best and --best-of on the time of a lookup, e.g. 500ns, 2us, 1ms; 0: none (default: 2us)",
    .take = take_latency, .expected = "a number with ns, us, ms or s, or 0" },
  { "men", 0, "N", "all endings with 3 to N men instead of named ones; other games: with 1 to N pieces",
    .count = &opt.men, .least = 1, .most = SD_MOST_PIECES, .expected = "3 to 7, or with --game 1 to 24" },
  { "game", 'g', "NAME[:FILE]", "slices of another game than chess (subdef gen --help lists them)",
    .text = &opt.game },
  { "tables", 'p', "DIR[:DIR]", "where the exact tables are (default: SUBDEF_PATH, else the current folder)",
    .text = &opt.tables },
  { "output", 'o', "DIR", "folder of the new tables (default: first folder of the path)", .text = &opt.out },
  { "force", 'f', NULL, "make all tables anew, and overwrite what is there", .flag = &opt.overwrite },
  { "quiet", 'q', NULL, "no line for each table", .flag = &opt.quiet },
  { "json", 0, NULL, "one JSON array, an object for each table, in place of text", .flag = &opt.json },
  { 0 },
};

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
      return sd_tool_usage ("%s and %s exclude each other: %s", all[i].by.name, all[i].other.name,
                            all[i].why);
  if (opt.max_latency >= 0 && !opt.best && !opt.sweep)
    return sd_tool_usage ("--max-latency is a bound for --best or --best-of, and neither is given");
  if (preset) {
    opt.best = true;
    for (unsigned i = 0; i < NPRESETS; i++)
      if (strcmp (preset, presets[i].name) == 0)
        opt.max_latency = presets[i].latency;
  }
  return SD_EXIT_OK;
}

/* Arrays have one order, one metric and no tables below them. */
static int check_arrays (void) {
  for (int i = 0; i < opt.endings.n; i++)
    if (!sd_array_is (opt.endings.at[i]))
      return sd_tool_usage ("'%s': either arrays (.sda) or endings", opt.endings.at[i]);
  if (opt.order || opt.numbering || opt.freedom || opt.sides || opt.coding || opt.sweep || opt.layouts
      || opt.successors || opt.men || opt.game || opt.tables || preset || opt.max_latency >= 0)
    return sd_tool_usage ("arrays take only --codec, --set, --best, --output, --force, --json and --quiet");
  if (opt.best && (opt.codec || opt.set))
    return sd_tool_usage ("of arrays, --best chooses codec and settings by itself");
  return SD_EXIT_OK;
}

/* Words that do not go together. */
static int check (void) {
  opt.arrays = opt.endings.n && sd_array_is (opt.endings.at[0]);
  if (opt.arrays)
    return check_arrays ();
  if (!opt.game && opt.endings.n == 0 && !opt.men)
    return sd_tool_usage ("no ending is named; e.g. 'subdef reformat KRvKP --metric wdl --best -o best'");
  if (opt.men && opt.endings.n)
    return sd_tool_usage ("either --men or endings by name");
  return check_choices ();
}

bool sd_reformat_args (int argc, char **argv, sd_reformat *out, int *exit_status) {
  static const sd_syntax syntax = {
    options,
    "ENDING...|SLICE...|FILE.sda...",
    "Recode tables with another codec, piece order, numbering or freedom.\v"
    "The command needs the exact tables of the ending and of all endings that captures and promotions lead to: those "
    "that 'subdef gen' makes, for wdl50 and dtz50 with '--metric dtz50'. Each new table is read back, every position is restored and compared with the exact value, and only then "
    "does the file get its name.\n\n"
    "A line for each table tells ending, metric and bytes of the file; then for each stream its side to move (w, b, "
    "both), bytes, codec, piece order and numbering; and the seconds that it took. A record of --json has the table, its "
    "status (made; kept, which an earlier run has made; failed), the seconds and the members of 'subdef info --json', with "
    "--best also what was searched, or the error. Each of several tasks prints an array of its own.\n\n"
    "Of the source of an array, FILE.sda ('subdef import'), the command makes a table of the same name in the folder "
    "of --output, with --codec and --set, or with --best, which tries what each codec's search list has.\n\n"
    "Examples:\n"
    "  subdef reformat KRvKP --metric wdl --best -o best\n"
    "  subdef reformat KRvKP --metric dtm --layouts papers -o best\n"
    "  subdef reformat KRvKP --metric wdl --preset small --with-successors -o small\n"
    "  subdef reformat KRvKP --metric wdl --codec repair --set block=128,initial=ternary --order pRKk -o "
    "best\n"
    "  subdef reformat --men 4 --metric dtm --codec lzma --set block=16384 -o lzma\n"
    "  subdef reformat KRvKP --metric wdl --sides one -o small\n"
    "  subdef reformat KRvKP --metric dtm --freedom all+won -o losses\n"
    "  subdef reformat --game draughts KKvM --metric wdl --set block=64\n"
    "  subdef reformat grid.sda --best -o small\n",
    .most = 0,
  };
  sd_tool_parse (&syntax, argc, argv, &opt.endings);
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
