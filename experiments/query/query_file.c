/* A query file: lines "-- word: text" that say how the answer looks, then one SELECT. A line that begins with
 * more than one blank goes on with the text before it; the head ends at the first line that is no comment.
 *
 * A slip in the head is one sentence with its place, `FILE:3: "colum": is no word of the head of a query:
 * ...`. What a head says of columns is compared with the answer later, by query.c. The last part of this
 * file prints the numbers of an answer in the units that a head names. */
#include "config.h"
#include "base/text.h"
#include "experiments/query/query_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SD_EINVAL. word: what is shown of the line; it may be hostile, so that a terminal must not obey it. */
static int refuse (const sd_query_file *f, unsigned line, sd_error *err, const char *word, const char *why) {
  char shown[80];
  snprintf (shown, sizeof shown, "%.79s", word);
  sd_text_tame (shown);
  return sd_fail (err, SD_EINVAL, "%s:%u: \"%s\": %s", f->path, line, shown, why);
}

/* ------------------------------------------------------------------------------ columns */

/* Its word, and how numbers are printed on the page, where it is not as in files. */
static const struct {
  const char *word, *file, *page;
} unit[SD_UNITS] = {
  [SD_UNIT_TEXT] = { "text", NULL, NULL },       [SD_UNIT_COUNT] = { "count", "%.0f", NULL },
  [SD_UNIT_WHOLE] = { "whole", "%.1f", NULL },   [SD_UNIT_NS] = { "ns", "%.0f", NULL },
  [SD_UNIT_SIGNED_NS] = { "ns+", "%.1f", NULL }, [SD_UNIT_PERCENT] = { "percent", "%.1f", "%.1f %%" },
  [SD_UNIT_RATIO] = { "ratio", "%.4f", "%.3f" }, [SD_UNIT_TIMES] = { "times", "%.2f", NULL },
  [SD_UNIT_TENTHS] = { "tenths", "%.1f", NULL }, [SD_UNIT_ROUND] = { "round", "%.0f", NULL },
  [SD_UNIT_BITS] = { "bits", "%.4f", NULL },     [SD_UNIT_SIGNED] = { "signed", "%+.4f", NULL },
  [SD_UNIT_OFF] = { "off", "%+.1f", NULL },      [SD_UNIT_DIGITS] = { "digits", "%.4g", NULL },
  [SD_UNIT_SLOPE] = { "slope", "%.6g", "%.4g" },
};

/* A word of a column: a unit, or what a column may be. A unit puts numbers on the right, unless `left` stands
 * behind it. False: it is neither. */
static bool set_word (sd_query_column *c, const char *word) {
  /* a flag is set where its word stands; `page` and `file` say where alone the column stands, so that each
   * clears the other one */
  const struct {
    const char *name;
    bool *at, to;
  } flag[] = { { "right", &c->right, true }, { "left", &c->right, false },   { "fold", &c->fold, true },
               { "rises", &c->rises, true }, { "screen", &c->screen, true }, { "known", &c->known, true },
               { "desk", &c->desk, true },   { "apart", &c->apart, true },   { "page", &c->file, false },
               { "file", &c->page, false } };
  for (unsigned u = 0; u < SD_UNITS; u++)
    if (strcmp (word, unit[u].word) == 0) {
      c->unit = (enum sd_query_unit) u;
      c->right = u != SD_UNIT_TEXT;
      return true;
    }
  for (unsigned i = 0; i < sizeof flag / sizeof *flag; i++)
    if (strcmp (word, flag[i].name) == 0) {
      *flag[i].at = flag[i].to;
      return true;
    }
  return false;
}

bool sd_query_part (const char **at, char *out, size_t cap) {
  const char *from = *at + strspn (*at, " ");
  size_t n = strcspn (from, "|");
  *at = from + n + (from[n] == '|');
  while (n && from[n - 1] == ' ')
    n--;
  const bool fits = n < cap;
  n = fits ? n : cap - 1;
  memmove (out, from, n);
  out[n] = '\0';
  return fits;
}

/* KEY | HEAD | UNIT FLAG ... */
static int read_column (sd_query_file *f, unsigned line, const char *text, sd_error *err) {
  char words[120], *word, *rest;
  if (f->ncolumns == SD_QUERY_COLUMNS)
    return refuse (f, line, err, text, "more columns than a table can have");

  sd_query_column *c = &f->column[f->ncolumns++];
  *c = (sd_query_column){ .page = true, .file = true };
  if (!sd_query_part (&text, c->key, sizeof c->key) || !sd_query_part (&text, c->head, sizeof c->head)
      || !sd_query_part (&text, words, sizeof words))
    return refuse (f, line, err, c->key, "its name, head or words are too long");

  if (!*c->key)
    return refuse (f, line, err, "column", "names no column of the query");
  if (!*c->head)
    memcpy (c->head, c->key, sizeof c->key);

  for (word = strtok_r (words, " ", &rest); word; word = strtok_r (NULL, " ", &rest))
    if (!set_word (c, word))
      return refuse (
          f, line, err, word,
          "is neither a unit (text, count, whole, ns, percent, ratio, times, ...) nor one of left, right, "
          "fold, rises, screen, desk, apart, known, page, file");
  return SD_OK;
}

/* -------------------------------------------------------------------------------- head */

/* NAME FILE: whether the file may be read is asked when it is (csv.c), since the folder of the query
 * counts. */
static int read_csv (sd_query_file *f, unsigned line, const char *text, sd_error *err) {
  if (f->ncsv == SD_QUERY_FILES)
    return refuse (f, line, err, text, "more files than a query can have");
  sd_query_csv *c = &f->csv[f->ncsv++];
  int end = 0;
  if (sscanf (text, "%63s %255s %n", c->name, c->file, &end) != 2 || text[end])
    return refuse (f, line, err, text,
                   "a table and its file are wanted, without blanks: -- csv: NAME FILE.csv");
  return SD_OK;
}

/* One entry of the head, its text complete. Words of three kinds: those that take one text; those that name
 * columns of the SELECT, two or three of them; and the few that mean something else each. Of a word that
 * stands twice the last text counts, but columns, csv and text add up. */
static int take (sd_query_file *f, unsigned line, const char *word, const char *text, sd_error *err) {
  const struct {
    const char *word;
    char *at;
    size_t cap;
  } place[] = { { "title", f->title, sizeof f->title },
                { "name", f->name, sizeof f->name },
                { "when", f->when, sizeof f->when },
                { "section", f->section, sizeof f->section },
                { "note", f->note, sizeof f->note },
                { "about", f->about, sizeof f->about },
                { "strong", f->strong, sizeof f->strong },
                { "figure", f->figure, sizeof f->figure },
                { "x", f->x, sizeof f->x },
                { "y", f->y, sizeof f->y },
                { "legend", f->legend, sizeof f->legend },
                { "caption", f->caption, sizeof f->caption },
                { "paragraphs", f->paragraphs, sizeof f->paragraphs } };
  const struct {
    const char *word;
    char (*at)[64];
    int n;
    const char *wanted;
  } columns[] = {
    { "cross", f->cross, 3,
      "three columns are wanted: of the row's name, of the head above these names, of the heads of the "
      "other columns" },
    { "cards", f->cards, 3, "three columns are wanted: what a card is about, its value, a remark" },
    { "details", f->details, 2, "two columns are wanted: what a text is, and the text" }
  };
  char none[64]; /* the place of a third column of `details`, which takes two */

  for (unsigned i = 0; i < sizeof place / sizeof *place; i++)
    if (strcmp (word, place[i].word) == 0) {
      if ((size_t) snprintf (place[i].at, place[i].cap, "%s", text) >= place[i].cap)
        return refuse (f, line, err, word, "its text is too long");
      return SD_OK;
    }

  if (strcmp (word, "column") == 0)
    return read_column (f, line, text, err);
  if (strcmp (word, "csv") == 0)
    return read_csv (f, line, text, err);

  /* The number is taken before it is looked at: a head that is refused is thrown away. */
  if (strcmp (word, "level") == 0) {
    f->level = (unsigned) (*text - '0');
    return strcmp (text, "2") == 0 || strcmp (text, "3") == 0
               ? SD_OK
               : refuse (f, line, err, text, "a level is 2 or 3");
  }
  if (strcmp (word, "open") == 0) {
    f->chief = true;
    return SD_OK;
  }

  for (unsigned i = 0; i < sizeof columns / sizeof *columns; i++)
    if (strcmp (word, columns[i].word) == 0)
      return sscanf (text, "%63s %63s %63s", columns[i].at[0], columns[i].at[1],
                     columns[i].n == 3 ? columns[i].at[2] : none)
                     >= columns[i].n
                 ? SD_OK
                 : refuse (f, line, err, text, columns[i].wanted);

  if (strcmp (word, "text") == 0 && f->ntexts == SD_QUERY_TEXTS)
    return refuse (f, line, err, word, "more texts than a query can have");
  if (strcmp (word, "text") == 0)
    return (f->text[f->ntexts++] = strdup (text)) ? SD_OK : sd_fail_memory (err, strlen (text));
  return refuse (
      f, line, err, word,
      "is no word of the head of a query: title, level, name, text, when, column, section, note, about, "
      "strong, open, cross, cards, paragraphs, details, csv, figure, x, y, legend, caption");
}

/* The entry that begins at *at with the lines that go on with it, as one line; *line counts on. A line that
 * goes on has two blanks or more behind its dashes; of a line of dashes alone nothing is taken. */
static void next_entry (const char **at, unsigned *line, sd_buf *out) {
  const char *p = *at;
  out->len = 0;
  do {
    const size_t n = strcspn (p, "\n");
    const size_t skip = 2 + strspn (p + 2, " ");
    const size_t len = n > skip ? n - skip : 0;
    if (out->len && len)
      sd_buf_u8 (out, ' ');
    sd_buf_append (out, p + (len ? skip : n), len - (len && p[n - 1] == '\r'));
    p += n + (p[n] == '\n');
    ++*line;
  } while (strncmp (p, "--  ", 4) == 0);
  sd_buf_u8 (out, 0);
  *at = p;
}

/* The head, entry by entry, then the rest of the text as it is. Remarks among the SQL behind the head are
 * SQLite's matter. f->line: where the SQL begins, so that a message of SQLite's can name a line of the
 * file. */
static int parse (const char *text, sd_query_file *f, sd_buf *entry, sd_error *err) {
  unsigned line = 1;
  while (strncmp (text, "--", 2) == 0) {
    const unsigned first = line;
    next_entry (&text, &line, entry);
    if (entry->failed)
      return sd_fail_memory (err, entry->len);

    char *word = (char *) entry->data, *colon = strstr (word, ": ");
    if (!*word)
      continue;
    /* "-- open:" has no text */
    if (!colon) {
      const size_t n = strlen (word);
      if (!n || word[n - 1] != ':')
        return refuse (f, first, err, word,
                       "a line of the head is \"-- WORD: TEXT\"; remarks stand behind an empty line");
      word[n - 1] = '\0';
      SD_TRY (take (f, first, word, "", err));
      continue;
    }

    *colon = '\0';
    SD_TRY (take (f, first, word, colon + 2 + strspn (colon + 2, " "), err));
  }

  f->line = line;
  f->sql = strdup (text);
  return f->sql ? SD_OK : sd_fail_memory (err, strlen (text));
}

int sd_query_parse (const char *path, const char *text, sd_query_file *out, sd_error *err) {
  sd_buf entry SD_RELEASED_BY (sd_buf_free) = { 0 };
  memset (out, 0, sizeof *out);
  out->level = 2;
  if ((size_t) snprintf (out->path, sizeof out->path, "%s", path) >= sizeof out->path)
    return sd_fail (err, SD_EINVAL, "%s: a query file's path has at most %zu bytes", path,
                    sizeof out->path - 1);
  const int status = parse (text, out, &entry, err);
  if (status != SD_OK)
    sd_query_file_free (out);
  return status;
}

int sd_query_read (const char *path, sd_query_file *out, sd_error *err) {
  char *text SD_OWNED = NULL;
  SD_TRY (sd_text_read (path, &text, NULL, err));
  return sd_query_parse (path, text, out, err);
}

void sd_query_file_free (sd_query_file *f) {
  for (unsigned i = 0; i < f->ntexts; i++)
    free (f->text[i]);
  free (f->sql);
  f->sql = NULL;
  f->ntexts = 0;
}

/* ------------------------------------------------------------------------------ values */

#define MOST_COUNT 9e18 /* of what has 64 bits */

/* A file of numbers has what a program can read, without a unit; a page has what people read, with a unit.
 * What is NULL, or an empty text, is "-" on a page and nothing in a file. */
const char *sd_result_shown (const sd_result *a, const sd_result_value *v, enum sd_query_unit of, bool page,
                             char *out) {
  char ns[32];
  if (v->is == SD_IS_NULL || (v->is == SD_IS_TEXT && !*sd_result_text (a, v, out)))
    return page ? "-" : "";
  if (v->is == SD_IS_TEXT || of == SD_UNIT_TEXT)
    return sd_result_text (a, v, out);

  if (page && of == SD_UNIT_NS)
    return sd_text_ns (v->number, out);
  /* No difference is "+0 ns": of 0 alone sd_text_ns would say that it was not measured. */
  if (page && of == SD_UNIT_SIGNED_NS) {
    const double size = fabs (v->number);
    snprintf (out, 32, "%s%.28s", v->number < 0 ? "-" : "+", sd_text_ns (size >= 0.5 ? size : 0.5, ns));
    return out;
  }

  /* All digits of a count are kept: a double has 53 bits, an integer of SQLite's 64. */
  if (of == SD_UNIT_COUNT && v->integer && !page)
    return sd_result_text (a, v, out);
  if (page && (of == SD_UNIT_COUNT || of == SD_UNIT_WHOLE) && v->number >= 0 && v->number < MOST_COUNT)
    return sd_text_count (v->integer ? (uint64_t) v->whole : (uint64_t) (v->number + 0.5), out);

  if (snprintf (out, 32, page && unit[of].page ? unit[of].page : unit[of].file, v->number) >= 32)
    snprintf (out, 32, "%.6g", v->number);
  return out;
}
