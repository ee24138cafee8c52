/* The options by which tables are coded and searched for, of `reformat` and `set`: which of them exclude each
 * other, and how they are told to another program. */
#include "config.h"
#include "tools/reformat/choices.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

sd_reformat sd_reformat_asked = SD_REFORMAT_PLAIN;

/* Bounds of --best on the seconds of a lookup; 0: none. */
static const struct {
  const char *name;
  double latency;
  const char *about;
} presets[] = { { "small", 0, "none, which admits the smallest codecs (a lookup takes up to milliseconds)" },
                { "fast", 500e-9, "500ns" } };
enum { NPRESETS = sizeof presets / sizeof *presets };
/* NPRESETS: --preset was not given. */
unsigned sd_reformat_preset = NPRESETS;

/* For the option's list of words, and for completion. */
const char *sd_reformat_preset_word (unsigned i) {
  return i < NPRESETS ? presets[i].name : NULL;
}

const char *sd_reformat_preset_about (unsigned i) {
  return presets[i].about;
}

typedef struct unit {
  const char *name; /* NULL ends a list */
  double seconds;
} unit;

/* A number with a unit of the list; the number alone: *u is NULL. */
static bool read_time (const char *text, const unit *known, double *v, const unit **u) {
  char *end;
  *v = strtod (text, &end);
  while (known->name && strcmp (end, known->name) != 0)
    known++;
  *u = known->name ? known : NULL;
  return end != text && *v >= 0 && !isinf (*v) && (*u || !*end);
}

/* "500ns", "2us", "0"; a number without a unit says nothing, but for 0. */
bool sd_reformat_take_latency (const char *text) {
  static const unit units[] = { { "ns", 1e-9 }, { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 }, { 0 } };
  const unit *u;
  double v;
  if (!read_time (text, units, &v, &u) || (!u && v != 0))
    return false;
  sd_reformat_asked.max_latency = u ? v * u->seconds : 0;
  return true;
}

/* Seconds, or a number with a unit. */
bool sd_reformat_take_budget (const char *text) {
  static const unit units[] = { { "s", 1 }, { "min", 60 }, { "h", 3600 }, { 0 } };
  const unit *u;
  double v;
  if (!read_time (text, units, &v, &u) || v == 0)
    return false;
  sd_reformat_asked.budget = v * (u ? u->seconds : 1);
  return true;
}

/* What chooses by itself, and the words that it would have to ignore. */
int sd_reformat_check_choices (void) {
  static const struct {
    const char *by, *other, *why;
  } all[] = {
    { "preset", "max-latency", "a preset has a bound of its own" },
    { "preset", "best-of", "the one searches, the other takes what a sweep found" },
    { "preset", "layouts", "the search chooses order and numbering" },
    { "preset", "order", "the search chooses the order" },
    { "preset", "numbering", "the search chooses the numbering" },
    { "best", "best-of", "the one searches, the other takes what a sweep found" },
    { "best", "layouts", "the search chooses order and numbering" },
    { "best", "order", "the search chooses the order" },
    { "best", "numbering", "the search chooses the numbering" },
    { "best-of", "layouts", "the sweep's row has order and numbering" },
    { "best-of", "order", "the sweep's row has the order" },
    { "best-of", "numbering", "the sweep's row has the numbering" },
    { "best-of", "codec", "the sweep's row has the codec" },
    { "best-of", "set", "the sweep's row has the settings" },
    { "best-of", "freedom", "the sweep's row has what is free" },
    { "best-of", "coding", "the sweep's row has the coding" },
    { "parts", "best", "the search codes whole tables" },
    { "parts", "preset", "the search codes whole tables" },
    { "parts", "estimate", "it tells of tables that are coded whole" },
    { "layouts", "order", "the file has the order of each ending" },
    { "layouts", "numbering", "the file has the numbering of each ending" },
  };

  /* The first pair that was typed is told: "--best and --order exclude each other: the search chooses the
   * order". */
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (sd_tool_said (all[i].by) && sd_tool_said (all[i].other))
      return sd_tool_usage ("--%s and --%s exclude each other: %s", all[i].by, all[i].other, all[i].why);

  if (sd_tool_said ("max-latency") && !sd_reformat_asked.best && !sd_reformat_asked.sweep)
    return sd_tool_usage ("--max-latency is a bound for --best or --best-of, and neither is given");
  /* A preset is --best with a bound of its own, and nothing else from here on. */
  if (sd_reformat_preset < NPRESETS) {
    sd_reformat_asked.best = true;
    sd_reformat_asked.max_latency = presets[sd_reformat_preset].latency;
  }
  if (sd_tool_said ("budget") && !sd_reformat_asked.best)
    return sd_tool_usage ("--budget bounds the search of --best or --preset, and neither is given");
  return SD_EXIT_OK;
}

/* What stands behind an option; NULL: nothing. */
static const char *text_of (const sd_option *o) {
  static char latency[40], budget[40];
  if (o->text)
    return *o->text;
  if (o->choice)
    return o->words (*o->choice);
  snprintf (latency, sizeof latency, "%.9gs", sd_reformat_asked.max_latency);
  snprintf (budget, sizeof budget, "%.9gs", sd_reformat_asked.budget);
  return !o->take ? NULL : o->take == sd_reformat_take_budget ? budget : latency;
}

unsigned sd_reformat_words (const sd_option *options, const char **out) {
  static char name[SD_REFORMAT_WORDS][24];
  unsigned n = 0;
  for (const sd_option *o = options; o->name && n + 2 <= SD_REFORMAT_WORDS; o++) {
    if (!(o->of & SD_OF_REFORMAT) || !sd_tool_said (o->name))
      continue;
    snprintf (name[n], sizeof name[n], "--%s", o->name);
    out[n] = name[n];
    n++;
    const char *text = text_of (o);
    if (text)
      out[n++] = text;
  }
  return n;
}
