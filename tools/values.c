/* The words that options may be: enumerated from the rows that the library has of them, so that help,
 * complaints, guesses and completion say the same and nothing is typed twice. */
#include "config.h"
#include "codecs/codecs.h"
#include "papers/retrograde/solvers/solvers.h"
#include "tools/tools_internal.h"
#include <string.h>

/* Bytes of the longest word, the 0 included. */
enum { WORD = 24 };

const char *sd_tool_metric_word (unsigned i) {
  return i < SD_METRICS ? sd_metrics[i].name : NULL;
}

/* "plies to mate", "won, drawn or lost under the 50-move rule" */
const char *sd_tool_metric_about (unsigned i) {
  static char text[160];
  snprintf (text, sizeof text, "%s%s", sd_metrics[i].unit ? sd_metrics[i].unit : "won, drawn or lost",
            sd_metric_has_rule ((enum sd_metric) i) ? " under the 50-move rule" : "");
  return text;
}

const char *sd_tool_codec_word (unsigned i) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  return i < n ? all[i]->name : NULL;
}

const char *sd_tool_coding_word (unsigned i) {
  return i < SD_CODINGS ? sd_codings[i].name : NULL;
}

/* "of dtm (default), read together with the WDL table" */
const char *sd_tool_coding_about (unsigned i) {
  static char text[160];
  char of[80] = "";
  const enum sd_metric needs = sd_codings[i].needs;
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (sd_metric_takes ((enum sd_metric) m, (enum sd_coding) i, false))
      sd_text_list (of, sizeof of, "%s%s", sd_metrics[m].name,
                    sd_metrics[m].coding[0] == (enum sd_coding) i ? " (default)" : "");

  snprintf (text, sizeof text, "of %s, %s%s%s", of,
            needs == SD_NO_METRIC ? "complete by itself" : "read together with the ",
            needs == SD_NO_METRIC ? "" : sd_metrics[needs].title, needs == SD_NO_METRIC ? "" : " table");
  return text;
}

/* The rows are numbered from 1, as sets of sides are. */
const char *sd_tool_sides_word (unsigned i) {
  const sd_sides_kind *k = sd_sides_row (i + 1);
  return k ? k->name : NULL;
}

/* "none" stands before the sources, since the empty set has no row. */
const char *sd_tool_freedom_word (unsigned i) {
  return i == 0 ? "none" : sd_freedom_sources[i - 1].name;
}

const char *sd_tool_freedom_about (unsigned i) {
  return i == 0 ? "nothing" : sd_freedom_sources[i - 1].about;
}

/* Names of numberings are known to layouts alone, so that a layout with this one for all men is asked. */
const char *sd_tool_numbering_word (unsigned i) {
  static char word[WORD];
  sd_material m = { .count = { [0][SD_KING] = 1, [1][SD_KING] = 1, [0][SD_QUEEN] = 1 } };
  sd_layout l;
  if (i >= SD_NUMBERINGS)
    return NULL;
  sd_layout_default (&m, &l);
  for (unsigned g = 0; g < l.ngroups; g++)
    l.group[g].numbering = (uint8_t) i;
  sd_layout_numbering_text (&l, word);
  return word;
}

const char *sd_tool_solver_word (unsigned i) {
  const sd_solver_kind *k = sd_solver_at (i);
  return k ? k->name : NULL;
}

/* *which stays as it is where there is none. */
bool sd_tool_find_word (sd_words_at *words, const char *text, unsigned *which) {
  const char *word;
  for (unsigned i = 0; (word = words (i)); i++)
    if (strcmp (word, text) == 0) {
      *which = i;
      return true;
    }
  return false;
}

bool sd_tool_is_word (sd_words_at *words, const char *text) {
  unsigned which;
  return sd_tool_find_word (words, text, &which);
}

/* `between` the words, each with what it is about, and `last` before the last one. */
static void join (sd_words_at *words, sd_words_at *about, const char *between, const char *last, char *out,
                  size_t cap) {
  size_t n = 0;
  *out = 0;
  /* Cut where out is too short. */
  for (unsigned i = 0; words (i) && n < cap; i++) {
    const bool more = words (i + 1) != NULL; /* asked first: a word may lie where the next one is put */
    n += (size_t) snprintf (out + n, cap - n, "%s%s", i == 0 ? "" : more ? between : last, words (i));
    if (about && n < cap)
      n += (size_t) snprintf (out + n, cap - n, ": %s", about (i));
  }
}

void sd_tool_say_words (sd_words_at *words, sd_words_at *about, char *out, size_t cap) {
  const char *between = about ? "; " : ", ";
  join (words, about, between, between, out, cap);
}

void sd_tool_alternatives (sd_words_at *words, char *out, size_t cap) {
  join (words, NULL, "|", "|", out, cap);
}

/* Words may lie where the next one is put, so that the nearest is copied before the next is asked for. */
void sd_tool_expected (sd_words_at *words, const char *given, char *out, size_t cap) {
  char known[300], near[WORD] = "";
  sd_guess guess = sd_guess_of (given);
  for (unsigned i = 0; words (i); i++) {
    sd_guess_offer (&guess, words (i));
    if (guess.nearest && guess.nearest != near) {
      snprintf (near, sizeof near, "%s", guess.nearest);
      guess.nearest = near;
    }
  }

  join (words, NULL, ", ", " or ", known, sizeof known);
  snprintf (out, cap, "expected %s%s", known, sd_guess_ask (&guess));
}
