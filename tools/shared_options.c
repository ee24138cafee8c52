/* Options that several commands take. A command names those that it takes and says where their values go;
 * what its row leaves out stands here, so that an option has one letter and one text. Used by options.c for
 * each row of each command, by its name. */
#include "config.h"
#include "tools/tools_internal.h"
#include <string.h>

/* `.words = NULL` stands where a row has nothing by name: the compiler then asks for no further members. */
static const sd_option shared[] = {
  /* What values mean, and how they are coded. */
  { "metric", 'm', NULL, "the metric of the tables", .words = NULL },
  { "codec", 'c', "NAME", "the codec; 'subdef reformat --set help' lists all", .words = sd_tool_codec_word },
  { "set", 's', "KEY=VALUE,...", "settings of the codec; 'subdef reformat --set help' lists them",
    .words = NULL },
  { "order", 0, "PIECES",
    "the piece order: most significant piece of the index first, capitals White; '!' behind a piece: it is the "
    "leader, which symmetry confines; 'R(K)' at the end: R's rank before and R's file behind K (default: the "
    "order of the name)",
    .words = NULL },
  { "numbering", 0, "NAME[/NAME]",
    "numbering of the squares, all, KINGS/OTHERS or KINGS/OTHERS/PAWNS: @ (default: the first)",
    .words = sd_tool_numbering_word, .joint = '/' },
  { "freedom", 0, "A+B..", "which slots are free, as for 'subdef reformat' (default: all)",
    .words = sd_tool_freedom_word, .about = sd_tool_freedom_about, .joint = '+' },
  { "sides", 0, NULL,
    "which sides to move are stored; the other one is restored by one ply of all moves; one: the side that takes "
    "fewer bytes; joint: both sides in one stream, often smaller with codecs obdd and trees (--best tries it) "
    "(default: both)",
    .words = sd_tool_sides_word },
  { "coding", 0, "NAME", "how numbers stand for values: @", .words = sd_tool_coding_word,
    .about = sd_tool_coding_about },
  { "best", 0, NULL,
    "search for the smallest file with lookups of at most 2 us: piece order and numbering and, without --codec and "
    "--set, codec and settings",
    .words = NULL },
  { "preset", 0, NULL, "--best with another bound: @", .words = NULL },
  { "layouts", 0, "FILE.csv|papers",
    "take each ending's piece order and numbering from a file such as 'subdef list --layouts' writes, and codec "
    "and settings where the file names them and --codec and --set do not; papers: the smallest known tables with "
    "3 and 4 men and of some endings with 5, from files that come with the program",
    .words = NULL },
  { "max-latency", 0, "TIME",
    "bound of --best on the time of a lookup, e.g. 500ns, 2us, 1ms; 0: none (default: 2us)",
    .expected = "a number with ns, us, ms or s, or 0" },
  { "budget", 0, "TIME",
    "CPU time that --best may take for a table, e.g. 90s, 10min, 2h: every codec that the bound admits takes part, "
    "what promises most for its time first, and the smallest that was found by then is written",
    .expected = "a number above 0, of seconds or with s, min or h" },
  /* What of, from where and to where. */
  { "game", 'g', "NAME[:FILE]", "slices of another game than chess (subdef gen --help lists them)",
    .words = NULL },
  { "tables", 'p', "DIR[:DIR]", "where the tables are (default: SUBDEF_PATH, else the current folder)",
    .words = NULL },
  { "output", 'o', "DIR", "folder of the new files (default: first folder of the path)",
    .expected = "the name of a folder" },
  /* How it is worked on and told. `jobs` and `json` have one letter; a command that takes both leaves it out
   * for one of them (SD_NO_LETTER). */
  { "jobs", 'j', "N", "files at the same time", .words = NULL },
  { "high", 'H', NULL, "of .rtbw files: look longer for small ones", .words = NULL },
  { "force", 'f', NULL, "overwrite what is there", .words = NULL },
  { "quiet", 'q', NULL, "do not say what was made", .words = NULL },
  { "json", 'j', NULL, "one JSON array, an object for each file, in place of text", .words = NULL },
  { 0 },
};

/* *given stays as it is. For an option that is not shared, `s` is the empty row at the end, which adds
 * nothing. */
sd_option sd_option_whole (const sd_option *given) {
  sd_option o = *given;
  const sd_option *s = shared;

  while (s->name && strcmp (s->name, o.name))
    s++;

  o.letter = o.letter ? o.letter : s->letter;
  o.letter = o.letter == SD_NO_LETTER ? 0 : o.letter;
  o.arg = o.arg || o.flag ? o.arg : s->arg;
  o.doc = o.doc ? o.doc : s->doc;
  o.expected = o.expected ? o.expected : s->expected;
  /* A text has the words of the shared row with what they mean; an own function (take) knows its words
   * itself. */
  if (!o.words && !o.take && o.text) {
    o.words = s->words;
    o.about = s->about;
    o.joint = s->joint;
  }
  /* A place for a metric needs no words in any row. */
  if (o.metric && !o.words) {
    o.words = sd_tool_metric_word;
    o.about = sd_tool_metric_about;
  }

  return o;
}
