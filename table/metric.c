/* The rows of the metrics and of the sets of sides; the sources of freedom by name. Nothing here reads or
 * writes a file: commands make their options and texts of these rows, and restoring, subdefining and
 * verifying ask them how a metric differs from another one. */
#include "config.h"
#include "base/words.h"
#include "table/metric.h"
#include <string.h>

/* ---------------------------------------------------------------- metrics */

/* What `of` makes of an exact value: of the distances the value itself, of WDL the result without the
 * rule. */
static sd_value same (sd_value v) {
  return v;
}

static sd_value sign (sd_value v) {
  return (sd_value) sd_value_wdl (v);
}

static sd_value rule (sd_value v) {
  /* Beyond the rule a win counts 1 and not 2. */
  return (sd_value) (sd_value_wdl (v) * (sd_value_beyond_rule (v) ? 1 : 2));
}

/* Words of a value that is no draw, as `subdef verify` prints them where it finds a difference: "won". */
static void say_result (const sd_metric_kind *k, sd_value v, char *out, size_t cap) {
  snprintf (out, cap, "%s", v > 0 ? k->won : k->lost);
}

/* "mate in 27 plies", "mated in 4 plies". */
static void say_plies (const sd_metric_kind *k, sd_value v, char *out, size_t cap) {
  char plies[32];
  snprintf (out, cap, "%s in %s", v > 0 ? k->won : k->lost, sd_text_plies (sd_value_plies (v), plies));
}

/* "won", "cursed win", "blessed loss", "lost": 1 and -1 are those beyond the rule, see rule (). */
static void say_rule (const sd_metric_kind *k, sd_value v, char *out, size_t cap) {
  snprintf (out, cap, "%s", v == 1 ? "cursed win" : v == -1 ? "blessed loss" : v > 0 ? k->won : k->lost);
}

/* "won, zeroing in 5 plies": the end of the count alone would not tell who wins, so the result comes first,
 * in the words of the metric that tells it. */
static void say_end (const sd_metric_kind *k, sd_value v, char *out, size_t cap) {
  char result[16], plies[32];
  const sd_metric_kind *signs = &sd_metrics[k->signs];
  signs->say (signs, signs->of (v), result, sizeof result);
  snprintf (out, cap, "%s, %s in %s", result, k->ends, sd_text_plies (sd_value_plies (v), plies));
}

/* A row's number stands in files: new rows come last, and none goes. A member that is not named is 0: no
 * unit, no limit, no moves that begin a new count; `told_by`, `or_by` and `signs` are always named, since 0
 * is WDL. */
const sd_metric_kind sd_metrics[SD_METRICS] = {
  [SD_WDL] = { .name = "wdl",
               .title = "WDL",
               .mated = -1,
               .top = 1,
               .told_by = SD_DTM,
               .or_by = SD_WDL50,
               .exact = SD_DTM,
               .of = sign,
               .one_ply = true,
               .signs = SD_NO_METRIC,
               .say = say_result,
               .won = "won",
               .lost = "lost",
               .coding = { SD_CODING_WDL, SD_NO_CODING } },
  [SD_DTM] = { .name = "dtm",
               .title = "DTM",
               .unit = "plies to mate",
               .plies = true,
               .mated = -1,
               .top = SD_RANK_SOON - 1,
               .told_by = SD_NO_METRIC,
               .or_by = SD_NO_METRIC,
               .exact = SD_DTM,
               .of = same,
               .one_ply = true,
               .signs = SD_WDL,
               .say = say_plies,
               .won = "mate",
               .lost = "mated",
               .coding = { SD_CODING_MOVES, SD_CODING_SIGNED, SD_NO_CODING } },
  [SD_WDL50] = { .name = "wdl50",
                 .title = "WDL50",
                 .mated = -2,
                 .top = 2,
                 .told_by = SD_DTZ50,
                 .or_by = SD_NO_METRIC,
                 .exact = SD_DTZ50,
                 .of = rule,
                 .signs = SD_NO_METRIC,
                 .say = say_rule,
                 .won = "won",
                 .lost = "lost",
                 .coding = { SD_CODING_WDL50, SD_NO_CODING } },
  [SD_DTZ50] = { .name = "dtz50",
                 .title = "DTZ50",
                 .unit = "plies to the next capture, pawn move or mate",
                 .plies = true,
                 .mated = -1,
                 .top = SD_RANK_SOON - 1,
                 .told_by = SD_NO_METRIC,
                 .or_by = SD_NO_METRIC,
                 .exact = SD_DTZ50,
                 .of = same,
                 .counts_from = SD_STEP_CAPTURE | SD_STEP_PROMOTION | SD_STEP_PAWN,
                 .limit = SD_RULE_PLIES,
                 .one_ply = true,
                 .signs = SD_WDL50,
                 .say = say_end,
                 .ends = "zeroing",
                 .coding = { SD_CODING_ZEROING, SD_CODING_SIGNED, SD_NO_CODING } },
  [SD_DTC] = { .name = "dtc",
               .title = "DTC",
               .unit = "plies to the next capture, promotion or mate",
               .plies = true,
               .mated = -1,
               .top = SD_RANK_SOON - 1,
               .told_by = SD_NO_METRIC,
               .or_by = SD_NO_METRIC,
               .exact = SD_DTC,
               .of = same,
               .counts_from = SD_STEP_CAPTURE | SD_STEP_PROMOTION,
               .one_ply = true,
               .signs = SD_WDL,
               .say = say_end,
               .ends = "converting",
               .coding = { SD_CODING_PLIES, SD_CODING_SIGNED, SD_NO_CODING } },
};

/* Both return the number behind the last row for a word that is none, which is SD_NO_METRIC and
 * SD_NO_CODING. */
enum sd_metric sd_metric_find (const char *name) {
  unsigned m = 0;
  while (m < SD_METRICS && strcmp (sd_metrics[m].name, name) != 0)
    m++;
  return (enum sd_metric) m;
}

enum sd_coding sd_coding_find (const char *name) {
  unsigned c = 0;
  while (c < SD_CODINGS && strcmp (sd_codings[c].name, name) != 0)
    c++;
  return (enum sd_coding) c;
}

bool sd_metric_takes (enum sd_metric metric, enum sd_coding coding, bool game) {
  const enum sd_coding *list = metric < SD_METRICS ? sd_metrics[metric].coding : NULL;
  while (list && *list != SD_NO_CODING && *list != coding)
    list++;
  /* Other games have neither a second table for the sign nor moves that begin a new count. */
  return list && *list != SD_NO_CODING
         && !(game && (sd_codings[coding].needs != SD_NO_METRIC || sd_metric_counts_anew (metric)));
}

enum sd_coding sd_metric_coding (enum sd_metric metric, bool game) {
  const enum sd_coding *list = sd_metrics[metric].coding;
  /* The first one that will do is the usual one. */
  while (*list != SD_NO_CODING && !sd_metric_takes (metric, *list, game))
    list++;
  return *list;
}

void sd_metric_text (enum sd_metric metric, sd_value v, char *out, size_t cap) {
  const sd_metric_kind *k = &sd_metrics[metric];
  /* The same words in all metrics. */
  if (v == 0)
    snprintf (out, cap, "drawn");
  else
    k->say (k, v, out, cap);
}

/* ---------------------------------------------------------------- freedom */

/* In the order in which texts and messages list them. */
const sd_freedom_source sd_freedom_sources[] = {
  { "all", "the next four", SD_FREE_ALL }, /* before its members, which it replaces in a text */
  { "illegal", "no legal position", SD_FREE_ILLEGAL },
  { "draw", "drawn, as another table tells", SD_FREE_DRAW },
  { "capture", "as good as a capture", SD_FREE_CAPTURE },
  { "promotion", "as good as a promotion", SD_FREE_PROMOTION },
  { "won", "won, with --coding moves, so that only losses are stored", SD_FREE_WIN },
  { "queen",
    "with capture or promotion, only promotions to a queen free a slot, so that a probe of a position that is "
    "not in check need not look at others",
    SD_FREE_QUEEN },
  { "unreachable", "no legal move leads there (not with won, and both sides to move must be stored)",
    SD_FREE_UNREACHABLE },
  { "check",
    "in check, and no move gives check (not with won or unreachable, and both sides to move must be stored)",
    SD_FREE_CHECK },
  { "check-white", "the same with White to move alone", SD_FREE_CHECK_WHITE },
  { "check-black", "the same with Black to move alone, which frees nothing of equal material",
    SD_FREE_CHECK_BLACK },
  { "evident",
    "in check, and the value follows from positions that are not in check, of WDL, also of one side to move "
    "alone (not with won, unreachable or check)",
    SD_FREE_EVIDENT },
  { "evident-white", "the same with White to move alone (both sides to move must be stored)",
    SD_FREE_EVIDENT_WHITE },
  { "evident-black", "the same with Black to move alone, which frees nothing of equal material",
    SD_FREE_EVIDENT_BLACK },
  { 0 }
};
enum { NSOURCES = sizeof sd_freedom_sources / sizeof sd_freedom_sources[0] - 1 };

/* Quotes the whole text and the word in it that is none: "freedom 'all+wn': unknown source 'wn': ..". */
static int no_such_source (const char *text, const char *source, size_t len, sd_error *err) {
  char known[200] = "", word[40];
  snprintf (word, sizeof word, "%.*s", (int) len, source);
  sd_guess guess = sd_guess_of (word);
  for (unsigned i = 0; i < NSOURCES; i++) {
    sd_guess_offer (&guess, sd_freedom_sources[i].name);
    sd_text_list (known, sizeof known, "%s", sd_freedom_sources[i].name);
  }
  return sd_fail (
      err, SD_EINVAL,
      "freedom '%s': unknown source '%s': allowed are none, or one of %s, or several joined by +%s", text,
      word, known, sd_guess_ask (&guess));
}

bool sd_freedom_by_moves (unsigned freedom, const sd_pos *p) {
  return (freedom & SD_FREE_UNREACHABLE && !sd_pos_reachable_mirrored (p))
         || (sd_freedom_checks (freedom, p->stm) && sd_only_escapes (p));
}

static bool is_called (const char *name, const char *text, size_t len) {
  return strlen (name) == len && strncmp (name, text, len) == 0;
}

int sd_freedom_parse (const char *text, unsigned *out, sd_error *err) {
  if (strcmp (text, "none") == 0) {
    *out = 0;
    return SD_OK;
  }
  unsigned bits = 0;
  /* Names may come twice, and in any order; "none" stands alone. */
  for (const char *p = text;; p++) {
    size_t len = strcspn (p, "+");
    unsigned i = 0;
    while (i < NSOURCES && !is_called (sd_freedom_sources[i].name, p, len))
      i++;
    if (i == NSOURCES)
      return no_such_source (text, p, len, err);
    bits |= sd_freedom_sources[i].bit;
    p += len;
    if (*p == 0)
      break;
  }
  *out = bits;
  return SD_OK;
}

/* The one form in which the program writes a set. Where `out` is too short the text ends behind a whole name
 * or within one, with a 0 in any case. */
void sd_freedom_text (unsigned freedom, char *out, size_t cap) {
  if (cap == 0)
    return;
  size_t at = 0;
  freedom &= SD_FREE_KNOWN;
  snprintf (out, cap, "%s", freedom ? "" : "none");
  for (unsigned i = 0; i < NSOURCES; i++) {
    /* "all" comes first and takes its members with it. */
    if ((freedom & sd_freedom_sources[i].bit) != sd_freedom_sources[i].bit)
      continue;
    freedom &= ~sd_freedom_sources[i].bit;
    int n = snprintf (out + at, cap - at, "%s%s", at ? "+" : "", sd_freedom_sources[i].name);
    if (n < 0 || (size_t) n >= cap - at)
      return;
    at += (size_t) n;
  }
}

/* ------------------------------------------------------------------ sides */

/* Without a row 0, which stands for SD_SIDES_BOTH: who fills a spec with zeros gets the whole table. */
static const sd_sides_kind sides_rows[] = { [SD_SIDES_WHITE] = { .name = "white", .stored = 1 },
                                            [SD_SIDES_BLACK] = { .name = "black", .stored = 2 },
                                            [SD_SIDES_BOTH] = { .name = "both", .stored = 3 },
                                            [SD_SIDES_ONE] = { .name = "one", .stored = 3, .smaller = true },
                                            [SD_SIDES_JOINT] = {
                                                .name = "joint", .stored = 3, .joint = true } };
enum { NSIDES = sizeof sides_rows / sizeof sides_rows[0] };

const sd_sides_kind *sd_sides_row (unsigned sides) {
  return sides >= NSIDES ? NULL : &sides_rows[sides ? sides : SD_SIDES_BOTH];
}

int sd_sides_parse (const char *text, unsigned *out, sd_error *err) {
  for (unsigned i = 1; i < NSIDES; i++)
    if (strcmp (text, sides_rows[i].name) == 0) {
      *out = i;
      return SD_OK;
    }
  char known[80] = "";
  sd_guess guess = sd_guess_of (text);
  for (unsigned i = 1; i < NSIDES; i++) {
    sd_guess_offer (&guess, sides_rows[i].name);
    sd_text_list (known, sizeof known, "%s", sides_rows[i].name);
  }
  return sd_fail (err, SD_EINVAL, "'%.40s': expected one of %s%s", text, known, sd_guess_ask (&guess));
}
