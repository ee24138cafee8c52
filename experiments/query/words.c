/* What SQL cannot know of subdef's own texts: settings of codecs cut in pieces, sources of freedom, the order
 * that a table has before anybody searches one, names for people.
 *
 * Each is a function of SQL that `man subdef-report` names; the list at the end says how many arguments it
 * takes. An answer of NULL is one that nothing was said of: the function returns without a sqlite3_result
 * call. Texts come from rows that store/row_check.c has passed, or from a user's query, which may hold
 * anything. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/query/query_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SQLite has checked how many arguments there are. A function of its own name, FUNCTION (setting), with the
 * arguments as argv[0], argv[1], ... */
#define FUNCTION(name)                                                                                       \
  static void name (sqlite3_context *c, int argc __attribute__ ((unused)), sqlite3_value **argv)

/* NULL is taken for the empty text. What it points to holds until the next call for this value. */
static const char *text_of (sqlite3_value *v) {
  const char *t = (const char *) sqlite3_value_text (v);
  return t ? t : "";
}

static void answer (sqlite3_context *c, const char *text) {
  sqlite3_result_text (c, text, -1, SQLITE_TRANSIENT);
}

/* ------------------------------------------------------------------------- settings */

static bool is_word (const char *at, size_t len, const char *word) {
  return strlen (word) == len && memcmp (at, word, len) == 0;
}

/* setting (settings, 'block'): its value, 16384 say; NULL: it does not stand there. */
FUNCTION (setting) {
  const char *at = text_of (argv[0]), *key = text_of (argv[1]), *pair;
  size_t len, n;
  while ((pair = sd_pair_next (&at, &len, &n)))
    if (is_word (pair, n, key) && len > n)
      sqlite3_result_text (c, pair + n + 1, (int) (len - n - 1), SQLITE_TRANSIENT);
}

/* The pairs of a text that `keep` lets pass, `before` before the first and `between` between two. The answer
 * is a text in any case, an empty one where none passes. */
static void filter (sqlite3_context *c, const char *at, const char *before, const char *between,
                    bool (*keep) (const void *ctx, const char *pair, size_t len, size_t key),
                    const void *ctx) {
  sd_buf out SD_RELEASED_BY (sd_buf_free) = { 0 };
  const char *pair;
  size_t len, n;
  while ((pair = sd_pair_next (&at, &len, &n)))
    if (keep (ctx, pair, len, n)) {
      const char *front = out.len ? between : before;
      sd_buf_append (&out, front, strlen (front));
      sd_buf_append (&out, pair, len);
    }
  sqlite3_result_text (c, out.len ? (const char *) out.data : "", (int) out.len, SQLITE_TRANSIENT);
}

static bool is_other_key (const void *keys, const char *pair, size_t len, size_t key) {
  (void) len;
  return !sd_pair_is_in (keys, pair, key);
}

/* settings_without (settings, 'block'), or several keys with commas */
FUNCTION (settings_without) {
  filter (c, text_of (argv[0]), "", ",", is_other_key, text_of (argv[1]));
}

/* A pair of "key=value" that is not what the codec has by itself. `plain` has its settings at their defaults;
 * of a codec that this build does not have it has none, so that all pairs are unusual. */
static bool is_unusual (const void *ctx, const char *pair, size_t len, size_t key) {
  const sd_settings *plain = ctx;
  for (unsigned k = 0; plain->tunables && plain->tunables[k].key; k++)
    if (len > key && is_word (pair, key, plain->tunables[k].key)
        && is_word (pair + key + 1, len - key - 1, plain->value[k]))
      return false;
  return true;
}

/* unusual_settings (codec, settings): but those that stand at their defaults. */
FUNCTION (unusual_settings) {
  const sd_codec *codec = sd_codec_find (text_of (argv[0]));
  sd_settings plain = { .tunables = NULL };
  if (codec && sd_settings_read (codec, "", &plain, NULL) != SD_OK)
    plain.tunables = NULL;
  filter (c, text_of (argv[1]), "", ",", is_unusual, &plain);
}

static bool is_shown (const void *common, const char *pair, size_t len, size_t key) {
  return !is_word (pair, key, "block") && !sd_pair_is_in (common, pair, len);
}

/* shown_settings (settings, common): " level=3 dict=1", those that not all have, but the block. */
FUNCTION (shown_settings) {
  filter (c, text_of (argv[0]), " ", " ", is_shown, text_of (argv[1]));
}

/* common_settings (settings), an aggregate: the pairs that all rows have. A report says them once above a
 * table, and in the rows only what differs (shown_settings). */
typedef struct common {
  char *text; /* NULL: no row yet */
  bool failed;
} common;

FUNCTION (common_step) {
  common *s = sqlite3_aggregate_context (c, sizeof *s);
  const char *settings = text_of (argv[0]), *pair;
  size_t len, n, kept = 0;

  if (!s || s->failed)
    return;

  if (!s->text) {
    s->text = strdup (settings);
    s->failed = !s->text;
    return;
  }

  for (const char *at = s->text;
       (pair = sd_pair_next (&at, &len, &n));) /* in place: it only becomes shorter */
    if (sd_pair_is_in (settings, pair, len)) {
      if (kept)
        s->text[kept++] = ',';
      memmove (s->text + kept, pair, len);
      kept += len;
    }
  s->text[kept] = '\0';
}

/* Of a group without rows the answer is the empty text. */
static void common_finish (sqlite3_context *c) {
  common *s = sqlite3_aggregate_context (c, 0);
  if (!s || s->failed || !s->text) {
    if (s && s->failed)
      sqlite3_result_error_nomem (c);
    else
      answer (c, "");
    return;
  }
  answer (c, s->text);
  free (s->text);
}

/* ------------------------------------------------------------------------------ kinds */

/* plain_order ('KRvK'): the order of the name. */
FUNCTION (plain_order) {
  sd_material m;
  sd_layout plain;
  char order[24];
  if (sd_material_parse (text_of (argv[0]), &m, NULL) != SD_OK)
    return;
  sd_layout_default (&m, &plain);
  sd_layout_order_text (&plain, order);
  answer (c, order);
}

/* has_settings (wanted, settings): each pair of `wanted` stands in `settings`. */
FUNCTION (has_settings) {
  const char *wanted = text_of (argv[0]), *settings = text_of (argv[1]), *pair;
  bool all = true;
  size_t len, n;
  while ((pair = sd_pair_next (&wanted, &len, &n)))
    all = all && sd_pair_is_in (settings, pair, len);
  sqlite3_result_int (c, all);
}

/* free_bits ('illegal+capture'): a bit for each source; NULL: they are none. */
FUNCTION (free_bits) {
  unsigned bits;
  if (sd_freedom_parse (text_of (argv[0]), &bits, NULL) == SD_OK)
    sqlite3_result_int64 (c, bits);
}

/* ------------------------------------------------------------------------------ names */

/* metric_title ('dtm'): what a page calls it; a metric that this build does not know keeps its name. */
FUNCTION (metric_title) {
  const char *name = text_of (argv[0]);
  const enum sd_metric m = sd_metric_find (name);
  answer (c, m == SD_METRICS ? name : sd_metrics[m].title);
}

/* text_count (1234567): "1,234,567"; NULL stays NULL. */
FUNCTION (text_count) {
  char out[34] = "-";
  const int64_t n = sqlite3_value_int64 (argv[0]);
  sd_text_count (n < 0 ? -(uint64_t) n : (uint64_t) n, out + 1);
  if (sqlite3_value_type (argv[0]) != SQLITE_NULL)
    answer (c, n < 0 ? out : out + 1);
}

/* text_ns (1234): "1.23 us". */
FUNCTION (text_ns) {
  char out[32];
  if (sqlite3_value_type (argv[0]) != SQLITE_NULL)
    answer (c, sd_text_ns (sqlite3_value_double (argv[0]), out));
}

/* file_part ('DIR/x-y.sda'): "x_y_sda", of what stands behind the last slash the beginning, for a name of a file. */
FUNCTION (file_part) {
  const char *text = text_of (argv[0]), *slash = strrchr (text, '/');
  char out[25];
  sd_file_part (slash ? slash + 1 : text, out, sizeof out);
  answer (c, out);
}

/* bounds (low, high): "0.512 to 0.534"; NULL: not known. */
FUNCTION (bounds) {
  char out[80];
  if (sqlite3_value_type (argv[0]) == SQLITE_NULL || sqlite3_value_type (argv[1]) == SQLITE_NULL)
    return;
  const double low = sqlite3_value_double (argv[0]), high = sqlite3_value_double (argv[1]);
  const bool large = fabs (low) >= 1e15 || fabs (high) >= 1e15;
  snprintf (out, sizeof out, large ? "%.3g to %.3g" : "%.3f to %.3f", low, high);
  answer (c, out);
}

/* ns_bounds (low, high): "1.20 to 1.31 us", the unit of both once where it is the same; NULL: not known. */
FUNCTION (ns_bounds) {
  char low[32], high[32], out[80];
  if (!(sqlite3_value_double (argv[0]) > 0) || !(sqlite3_value_double (argv[1]) > 0))
    return;
  sd_text_ns (sqlite3_value_double (argv[0]), low);
  sd_text_ns (sqlite3_value_double (argv[1]), high);
  char *unit = strchr (low, ' ');
  if (unit && strcmp (unit, strchr (high, ' ')) == 0)
    *unit = '\0';
  snprintf (out, sizeof out, "%s to %s", low, high);
  answer (c, out);
}

/* Whole nanoseconds; from a microsecond on three digits that count, in the unit that leaves at least one of
 * them before the point. Milliseconds are the largest unit, and from a second on all of them are shown. */
const char *sd_text_ns (double ns, char *out) {
  if (!(ns > 0)) /* not a number counts, too */
    snprintf (out, 32, "-");
  else if (ns < 1000)
    snprintf (out, 32, "%.0f ns", ns);
  else if (ns < 1e6)
    snprintf (out, 32, "%.*f us", ns < 1e4 ? 2 : ns < 1e5 ? 1 : 0, ns / 1e3);
  else
    snprintf (out, 32, "%.*f ms", ns < 1e7 ? 2 : ns < 1e8 ? 1 : 0, ns / 1e6);
  return out;
}

/* -------------------------------------------------------------------------- numbers */

/* SQLite may have been built without these. */
#define OF_NUMBER(name, expression, sense)                                                                   \
  FUNCTION (name) {                                                                                          \
    const double x = sqlite3_value_double (argv[0]);                                                         \
    if (sqlite3_value_numeric_type (argv[0]) != SQLITE_NULL && (sense))                                      \
      sqlite3_result_double (c, expression);                                                                 \
  }
OF_NUMBER (ln_of, log (x), x > 0)
OF_NUMBER (exp_of, exp (x), true)
OF_NUMBER (sqrt_of, sqrt (x), x >= 0)

/* ------------------------------------------------------------------------- the list */

static const sd_sql_function words[] = {
  { "common_settings", 1, .step = common_step, .finish = common_finish },
  { "setting", 2, .call = setting },
  { "settings_without", 2, .call = settings_without },
  { "shown_settings", 2, .call = shown_settings },
  { "has_settings", 2, .call = has_settings },
  { "plain_order", 1, .call = plain_order },
  { "free_bits", 1, .call = free_bits },
  { "metric_title", 1, .call = metric_title },
  { "text_count", 1, .call = text_count },
  { "text_ns", 1, .call = text_ns },
  { "bounds", 2, .call = bounds },
  { "ns_bounds", 2, .call = ns_bounds },
  { "file_part", 1, .call = file_part },
  { "unusual_settings", 2, .call = unusual_settings },
  { "ln", 1, .call = ln_of },
  { "exp", 1, .call = exp_of },
  { "sqrt", 1, .call = sqrt_of },
};

bool sd_query_add_words (sd_query *q) {
  bool all = true;
  for (unsigned i = 0; i < sizeof words / sizeof *words && all; i++)
    all = sd_query_add (q, &words[i]);
  return all;
}
