/* The words of subdef reformat: its options, which of them exclude each other, and what is taken where
 * nothing is said. The result is one sd_reformat for batch.c. `import` of Syzygy files reads the same options
 * (sd_reformat_imports). Options that would have no effect are refused with a sentence. */
#include "config.h"
#include "array/array.h"
#include "tools/positions.h"
#include "tools/reformat/batch.h"
#include "tools/reformat/choices.h"
#include <stdlib.h>
#include <string.h>

/* What the options say; given to sd_reformat_run as it is. */
#define opt sd_reformat_asked

/* The words of --to, and what each makes, from the rows of formats. */
static const char *target_word (unsigned i) {
  return sd_targets[i].name;
}

static const char *target_about (unsigned i) {
  return sd_targets[i].about;
}

/* "sdt", "rtbw,rtbz" */
static bool take_targets (const char *text) {
  opt.to = 0;
  for (size_t n; *text; text += n + (text[n] == ',' && text[n + 1])) {
    unsigned t = 0;
    n = strcspn (text, ",");
    while (sd_targets[t].name && (strlen (sd_targets[t].name) != n || strncmp (sd_targets[t].name, text, n)))
      t++;
    /* A name that is not known, or a comma with nothing behind it. */
    if (!sd_targets[t].name || (text[n] && !text[n + 1]))
      return false;
    opt.to |= 1u << t;
  }
  return opt.to != 0;
}

static bool take_memory (const char *text) {
  return sd_tool_read_bytes (text, &opt.memory);
}

static const sd_option options[] = {
  /* What is made. */
  { "to", 't', "FORMAT,...", "what is made: @ (default: the first)", .take = take_targets,
    .words = target_word, .about = target_about, .joint = ',', .of = SD_OF_SYZYGY },
  { "metric", 0, NULL,
    "what sdt tables tell: @ (default: of a file that is named what it holds, else the first)",
    .metric = &opt.metric },
  /* How a table is coded. */
  { "codec", 0, NULL,
    "the codec; '--set help' lists all (default: obdd with --numbering folded, with 5 and 6 men, one of them "
    "besides the kings the only one of its kind, in the order whose leader is best in a part of the diagram, for plies also with --sides joint --set "
    "choices=256,pairs=256; where an option chooses otherwise, and for plies of more than 4 men, repair, of these "
    "plies like other codecs in the order that samples choose)",
    .text = &opt.codec, .of = SD_OF_ARRAYS },
  { "set", 0, NULL, "settings of the codec; '--set help' lists them", .text = &opt.set, .of = SD_OF_ARRAYS },
  { "order", .text = &opt.order },
  { "numbering", .text = &opt.numbering },
  { "freedom", 0, NULL,
    "which slots are free, several with '+': @ (default: of wdl all+queen+evident, with --best all+evident, else all+check, with one side and of "
    "wdl50 all, of other games illegal). With check or evident tables are smaller, and probes of "
    "positions in check take longer; the generator reads all faster. In other games capture and promotion need the tables of all slices below",
    .text = &opt.freedom },
  { "sides", .text = &opt.sides },
  { "coding", .text = &opt.coding },
  /* What chooses by itself. */
  { "best", 0, NULL,
    "search for the smallest file within --max-latency: piece order and numbering (which must not be given) and, "
    "without --codec and --set, codec and settings",
    .flag = &opt.best, .of = SD_OF_ARRAYS },
  { "budget", .take = sd_reformat_take_budget },
  { "preset", .choice = &sd_reformat_preset, .words = sd_reformat_preset_word,
    .about = sd_reformat_preset_about },
  { "layouts", .text = &opt.layouts },
  { "max-latency", .take = sd_reformat_take_latency },
  { "best-of", 0, "OUT.db",
    "take the best row of a sweep, with its layout, codec, settings, freedom and coding",
    .text = &opt.sweep },
  /* Which endings, from where and to where. */
  { "with-successors", 0, NULL,
    "also all endings that captures and promotions lead to, these first; a table that is newer than the exact "
    "one is kept",
    .flag = &opt.successors, .of = SD_OF_SYZYGY },
  { "men", 0, "N", "all endings with 3 to N men instead of named ones; other games: with 1 to N pieces",
    .count = &opt.men, .least = 1, .most = SD_MOST_PIECES, .expected = "3 to 7, or with --game 1 to 24",
    .of = SD_OF_SYZYGY },
  { "high", .flag = &opt.high, .of = SD_OF_SYZYGY },
  { "game", .text = &opt.game, .of = SD_OF_SYZYGY },
  { "tables", 0, NULL,
    "where the exact tables are, of a file that is named behind its own folder (default: SUBDEF_PATH, else the "
    "current folder; of a file its own)",
    .text = &opt.tables, .of = SD_OF_SYZYGY },
  { "output", .text = &opt.out, .of = SD_OF_ARRAYS | SD_OF_SYZYGY },
  /* How it is worked on and told. */
  { "jobs", SD_NO_LETTER, .count = &opt.jobs, .least = 1, .most = 4096, .of = SD_OF_SYZYGY },
  { "memory", 0, "BYTES",
    "what making an sdt table may take, e.g. 8G: the sides to move are coded one after the other where both at once "
    "could take more; a table that could take more even so is refused (default: no bound)",
    .take = take_memory, .expected = "a number of bytes, with k, M, G or T behind it" },
  { "parts", SD_NO_LETTER, "N",
    "code each side in N parts, each a stream by itself: of memory a part is needed, tasks of mpirun, srun or a job "
    "array share the parts of each table, and a run that was stopped keeps them; with --codec repair, huffman, trees "
    "or forest",
    .count = &opt.parts, .least = 2, .most = 4096 },
  { "estimate", 'e', NULL,
    "only print what each table takes, and all: bytes with bounds, CPU time and memory, from samples; nothing is written",
    .flag = &opt.estimate },
  { "force", 0, NULL, "make all tables anew, and overwrite what is there", .flag = &opt.overwrite,
    .of = SD_OF_ARRAYS | SD_OF_SYZYGY },
  { "quiet", 0, NULL, "no line for each table", .flag = &opt.quiet, .of = SD_OF_ARRAYS | SD_OF_SYZYGY },
  { "statistics", 0, NULL,
    "with --json: positions won, drawn and lost, longest wins and the checksum of the values, of each table that is made",
    .flag = &opt.statistics },
  { "json", 0, NULL, "one JSON array, an object for each table, in place of text", .flag = &opt.json,
    .of = SD_OF_ARRAYS | SD_OF_SYZYGY },
  { 0 },
};

/* Options that mean something only for some formats. */
static int check_formats (void) {
  /* An option without the bit SD_OF_SYZYGY was typed, and no .sdt table is made. */
  const char *other = sd_tool_said_not_of (SD_OF_SYZYGY);
  if (!(opt.to & SD_TO_SDT) && other)
    return sd_tool_usage ("--%s says what an .sdt table is like, and --to names others alone", other);
  if (opt.to & SD_TO_SDT && opt.jobs)
    return sd_tool_usage ("--jobs: .sdt tables are made one after the other, each by all cores");
  if (opt.to == SD_TO_SDT && opt.high)
    return sd_tool_usage ("--high goes with --to rtbw");
  return SD_EXIT_OK;
}

/* Arrays have one order, one metric and no tables below them. The list of options that arrays take is made
 * from their bits. */
static int check_arrays (void) {
  for (int i = 0; i < opt.words.n; i++)
    if (!sd_array_is (opt.words.at[i]))
      return sd_tool_usage ("'%s': either arrays (.sda) or endings", opt.words.at[i]);

  if (sd_tool_said_not_of (SD_OF_ARRAYS)) {
    char known[120] = "";
    for (const sd_option *o = options; o->name; o++)
      if (o->of & SD_OF_ARRAYS)
        sd_text_list (known, sizeof known, "--%s", o->name);
    return sd_tool_usage ("arrays take only %s", known);
  }

  if (opt.best && (opt.codec || opt.set))
    return sd_tool_usage ("of arrays, --best chooses codec and settings by itself");
  return SD_EXIT_OK;
}

/* Exit status 2 before anything is read if the words do not fit together. */
static int run_reformat (const sd_words *words) {
  opt.words = *words;
  if (opt.set && strcmp (opt.set, "help") == 0)
    return sd_tool_list_settings ();
  /* The first word decides; check_arrays refuses a mixture. */
  opt.arrays = opt.words.n && sd_array_is (opt.words.at[0]);
  if (!opt.game && opt.words.n == 0 && !opt.men)
    return sd_tool_usage ("no ending is named; e.g. 'subdef reformat KRvKP --metric wdl --best -o best'");
  if (opt.men && opt.words.n)
    return sd_tool_usage ("either --men or endings by name");
  if (opt.statistics && !opt.json && !opt.estimate)
    return sd_tool_usage ("--statistics goes with --json; 'subdef info --statistics' prints them of a table");

  opt.to = opt.to ? opt.to : SD_TO_SDT;
  int status = opt.arrays ? check_arrays () : check_formats ();
  status = status ? status : sd_reformat_check_choices ();
  return status ? status : sd_reformat_run (&opt);
}

const sd_command sd_cmd_reformat = {
  "reformat", run_reformat, options, .args = "ENDING...|SLICE...|FILE...", .threads = true,
};

/* subdef import of Syzygy files: another default codec and folder. */
static int run_import (const sd_words *words) {
  opt.out = opt.out ? opt.out : ".";
  if (!opt.codec && !opt.best && !opt.sweep && !opt.layouts)
    opt.codec = "repair";
  return run_reformat (words);
}

/* Its name is that of reformat, whose help and options it has; it is no row of main.c. */
const sd_command sd_reformat_imports = {
  "reformat",
  run_import,
  options,
  .args = "ENDING...|SLICE...|FILE...",
};
