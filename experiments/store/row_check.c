/* Rows and runs of a results database, checked column by column. Names are read by the parsers that the sweep
 * itself uses; they would also take texts that nothing has written, so that the letters are looked at before.
 * Free text is one line; what marks it up is quoted where it is written out (quote.c), not refused.
 *
 * sd_store_check asks it for each row and each run of a store that is to be read, and read_row of store.c
 * for each row that becomes part of something else. A refusal is one sentence: "x.db: row 17: column
 * order: "KRkQ": why". A user can find the row by its id with any program for SQLite. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/store/store_internal.h"
#include <math.h>
#include <string.h>

#define MOST_COUNT (UINT64_C (1) << 53) /* beyond that a double is not exact; no table comes near */
#define MOST_TIME 1e15

/* Who is checked, for messages. kind: "row" or "run". */
typedef struct place {
  const char *file, *kind;
  int64_t id;
  sd_error *err;
} place;

/* SD_EFORMAT. Both the text and the reason may hold bytes of the file, and are cut and tamed. */
static int refuse (const place *p, const char *column, const char *text, const char *why) {
  char shown[48], reason[400];
  snprintf (shown, sizeof shown, "%.*s", (int) sizeof shown - 1, text);
  snprintf (reason, sizeof reason, "%.*s", (int) sizeof reason - 1, why);
  sd_text_tame (shown);
  sd_text_tame (reason);
  return sd_fail (p->err, SD_EFORMAT, "%s: %s %lld: column %s: \"%s\": %s", p->file, p->kind,
                  (long long) p->id, column, shown, reason);
}

/* Of ASCII, in any locale. */
static bool is_letter_or_digit (char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Letters, digits and what is in `more`; not empty. */
static int word (const place *p, const char *column, const char *text, const char *more) {
  for (const char *t = text; *t; t++)
    if (!is_letter_or_digit (*t) && !strchr (more, *t))
      return refuse (p, column, text, "holds a character that does not belong there");
  return *text ? SD_OK : refuse (p, column, text, "is empty");
}

/* A column in which one of few words stands; "" is a word, too. */
typedef struct words {
  const char *column;
  size_t at; /* of sd_row */
  const char *word[4];
} words;

/* The column's text is one of its words. */
static int one_of (const place *p, const sd_row *r, const words *w) {
  const char *text = (const char *) r + w->at;
  for (unsigned i = 0; i < 4 && w->word[i]; i++)
    if (strcmp (w->word[i], text) == 0)
      return SD_OK;
  return refuse (p, w->column, text, "is not one of the words that stand there");
}
#define WORDS(column, ...)                                                                                   \
  {                                                                                                          \
#column, offsetof(sd_row, column), {                                                                     \
      __VA_ARGS__                                                                                            \
    }                                                                                                        \
  }

/* Free text on one line. */
static int line (const place *p, const char *column, const char *text) {
  for (const char *t = text; *t; t++)
    if ((unsigned char) *t < ' ' || *t == 0x7f)
      return refuse (p, column, text, "holds a control character");
  return SD_OK;
}

/* A number that is negative in the file is a large one here, and so refused. */
static int count (const place *p, const char *column, uint64_t v) {
  char text[32];
  if (v <= MOST_COUNT)
    return SD_OK;
  snprintf (text, sizeof text, "%lld", (long long) v);
  return refuse (p, column, text, "is no number that can have been counted");
}

/* Seconds, nanoseconds, load; not a number: not measured. */
static int duration (const place *p, const char *column, double v) {
  char text[32];
  if (isnan (v) || (v >= 0 && v <= MOST_TIME))
    return SD_OK;
  snprintf (text, sizeof text, "%g", v);
  return refuse (p, column, text, "is nothing that can have been measured");
}

/* ---------------------------------------------------------------------- a row */

static int check_group (const place *p, const sd_row *r) {
  SD_TRY (line (p, "group", r->group));
  return *r->group && !strchr (r->group, '/') ? SD_OK
                                              : refuse (p, "group", r->group, "is no name of a group");
}

/* *m: the men, for the checks of the layout. The name must be the canonical one: rows of KPvKR and KRvKP
 * would be two tables. */
static int check_table (const place *p, const sd_row *r, sd_material *m) {
  static const words sides = WORDS (sides, "", "one", "joint"), side = WORDS (side, "w", "b", "wb");
  const enum sd_metric metric = sd_metric_find (r->metric);
  sd_error why = { 0 };
  sd_material canonical;
  char name[16];

  SD_TRY (word (p, "table", r->table, ""));

  if (sd_material_parse (r->table, m, &why) != SD_OK)
    return refuse (p, "table", r->table, why.text);
  sd_material_canonical (m, &canonical);
  sd_material_name (&canonical, name);
  if (strcmp (name, r->table))
    return refuse (p, "table", r->table, "is not the name that the table's file has");

  if (metric == SD_NO_METRIC)
    return refuse (p, "metric", r->metric, "is not one of the words that stand there");
  if (!sd_metric_takes (metric, sd_coding_find (r->coding), false))
    return refuse (p, "coding", r->coding, "is not one of the words that stand there");

  SD_TRY (one_of (p, r, &sides));
  SD_TRY (one_of (p, r, &side));
  if ((strcmp (r->sides, "joint") == 0) != (strcmp (r->side, "wb") == 0))
    return refuse (p, "side", r->side,
                   "is no side of such a table: both are in one stream where sides is joint");
  return SD_OK;
}

/* A row of an array: its file's name, and nothing of what only endings have. */
static int check_array (const place *p, const sd_row *r) {
  static const words fixed[] = { WORDS (side, "-"),  WORDS (freedom, "all", "none"),
                                 WORDS (coding, ""), WORDS (sides, ""),
                                 WORDS (order, ""),  WORDS (numbering, "") };
  const size_t n = strlen (r->table);
  SD_TRY (line (p, "table", r->table));
  if (n < 5 || strcmp (r->table + n - 4, ".sda") != 0)
    return refuse (p, "table", r->table, "is no name of an array, NAME.sda");
  for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++)
    SD_TRY (one_of (p, r, &fixed[i]));
  return SD_OK;
}

/* Freedom, order and numbering, each as the sweep itself would read it. The letters come first: parsers skip
 * or accept some that nothing writes. */
static int check_layout (const place *p, const sd_row *r, const sd_material *m) {
  sd_error why = { 0 };
  sd_layout layout;
  unsigned freedom;
  SD_TRY (word (p, "freedom", r->freedom, "+"));
  if (sd_freedom_parse (r->freedom, &freedom, &why) != SD_OK)
    return refuse (p, "freedom", r->freedom, why.text);

  SD_TRY (word (p, "order", r->order, "!()[]"));
  SD_TRY (word (p, "numbering", r->numbering, "/"));
  if (sd_layout_parse (m, r->order, NULL, &layout, &why) != SD_OK)
    return refuse (p, "order", r->order, why.text);
  if (sd_layout_parse (m, r->order, r->numbering, &layout, &why) != SD_OK)
    return refuse (p, "numbering", r->numbering, why.text);
  return SD_OK;
}

/* A codec that this build does not have is known by its name only, and its settings by their form. */
static int check_codec (const place *p, const sd_row *r) {
  sd_error why = { 0 };
  sd_settings set;
  SD_TRY (word (p, "codec", r->codec, "-_"));
  if (*r->settings)
    SD_TRY (word (p, "settings", r->settings, "=,+-_.:/!()[]"));
  const sd_codec *codec = sd_codec_find (r->codec);
  if (codec && sd_settings_read (codec, r->settings, &set, &why) != SD_OK)
    return refuse (p, "settings", r->settings, why.text);
  return SD_OK;
}

/* Every number of a list of columns; texts are looked at one by one. A macro a kind, as in store.h: of
 * integers whether they can be counts, of reals whether they can be times. */
#define CHECK_T(name)
#define CHECK_O(name)
#define CHECK_P(name)
#define CHECK_I(name) SD_TRY (count (p, #name, r->name));
#define CHECK_U(name) CHECK_I (name)
#define CHECK_C(name) CHECK_I (name)
#define CHECK_R(name) SD_TRY (duration (p, #name, r->name));
#define CHECK_N(name) CHECK_R (name)
#define CHECK_NUMBER(kind, name, size) CHECK_##kind (name)

static int check_numbers (const place *p, const sd_row *r) {
  SD_MEASURE_COLUMNS (CHECK_NUMBER)
  if (r->bytes == 0) /* a stream has two bytes at least; a text in this column counts as 0 */
    return refuse (p, "bytes", "0", "is no number that can have been counted");
  return SD_OK;
}

static int check_run_numbers (const place *p, const sd_provenance *r) {
  SD_RUN_COLUMNS (CHECK_NUMBER)
  return SD_OK;
}

/* Of the axes that stand among the settings: a value of one. */
#define CHECK_AXIS(kind, name, size)                                                                         \
  if (*r->name)                                                                                              \
    SD_TRY (word (p, #name, r->name, "+-_./"));

static int check_axes (const place *p, const sd_row *r) {
  (void) p;
  (void) r;
  SD_AXIS_COLUMNS (CHECK_AXIS)
  return SD_OK;
}

/* Estimates divide by these. */
static int check_part (const place *p, const sd_row *r) {
  const bool part = *r->sampled != 0;
  if (part != (r->whole_slots > 0) || part != (r->lots > 0) || part != (r->lots_bytes > 0))
    return refuse (p, "sampled", r->sampled, "does not agree with whole_slots, lots and lots_bytes");
  if (part && (r->slots == 0 || r->slots > r->whole_slots || r->lots < 2))
    return refuse (p, "sampled", r->sampled, "is of a part that is no part");
  return SD_OK;
}

int sd_row_check (const char *file, int64_t id, const sd_row *row, sd_error *err) {
  const place p = { file, "row", id, err };
  sd_material m;
  SD_TRY (check_group (&p, row));
  if (strcmp (row->metric, "array") == 0)
    SD_TRY (check_array (&p, row));
  else {
    SD_TRY (check_table (&p, row, &m));
    SD_TRY (check_layout (&p, row, &m));
  }
  SD_TRY (check_codec (&p, row));
  SD_TRY (check_axes (&p, row));
  SD_TRY (check_part (&p, row));
  return check_numbers (&p, row);
}

/* ---------------------------------------------------------------------- a run */

/* 2026-11-22T09:34:50Z */
static int moment (const place *p, const char *column, const char *text) {
  static const char form[] = "0000-00-00T00:00:00Z";
  bool right = strlen (text) == strlen (form);
  for (unsigned i = 0; right && form[i]; i++)
    right = form[i] == '0' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i];
  return right ? SD_OK : refuse (p, column, text, "is no moment such as 2026-01-31T23:59:59Z");
}

/* What a user typed (title, command, configure, flags, the sweep's file and text) may hold anything, and is
 * only quoted. Lines of the system (processor, host) are one line each, since reports put them into a cell of
 * a table. */
int sd_run_check (const char *file, int64_t id, const sd_provenance *run, sd_error *err) {
  const place p = { file, "run", id, err };
  SD_TRY (moment (&p, "started", run->started));
  SD_TRY (word (&p, "commit", run->commit, "-_./+"));
  SD_TRY (word (&p, "sweep_hash", run->sweep_hash, ""));
  SD_TRY (line (&p, "version", run->version));
  SD_TRY (line (&p, "compiler", run->compiler));
  SD_TRY (line (&p, "cpu", run->cpu));
  SD_TRY (line (&p, "host", run->host));
  SD_TRY (line (&p, "kernel", run->kernel));
  SD_TRY (line (&p, "libraries", run->libraries));
  return check_run_numbers (&p, run);
}
