/* The tables of a report for LaTeX: a file each, \input where it is wanted, with caption and label. Rules as
 * booktabs has them: three horizontal ones, no vertical. A table of many rows goes over several pages, its
 * head on each of them; a short one floats. Nothing is scaled: from the widest cell of each column this file
 * estimates how wide the table becomes, and it takes smaller letters, and lets texts go over several lines,
 * until the table fits the line of an article. A head breaks at blanks where it is wider than its cells.
 *
 * Numbers stand under one another: all of a column get one number of decimals and one unit, which moves into
 * the head.
 *
 * sd_doc_put_table makes the text of a table when it is put on the page; sd_doc_write_tex writes all of
 * them at the end. Columns that are folded away on the page are left out. tests/experiments/latex.sh
 * compiles them all. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char marker[] = "% made by subdef report";
#define MOST_COUNT 9e15 /* of the counts that a double holds exactly */

/* ------------------------------------------------------------------- columns */

typedef struct column {
  unsigned of;      /* its number in the table */
  bool numbers;     /* all cells are, but those that are not known */
  const char *unit; /* of all of them; "" */
  double scale;     /* a number in this unit is so many times smaller */
  int decimals;
  size_t letters; /* of the widest cell */
  size_t word;    /* of the longest word of a cell, which is not broken */
  size_t room;    /* letters a line; less than `letters`: cells go over several lines */
  char head[200];
} column;

typedef struct table {
  const sd_doc_table *of;
  column column[SD_DOC_COLUMNS]; /* those that are shown */
  unsigned n;
} table;

/* What a page shows of NULL, or nothing. */
static bool is_unknown (const char *text) {
  return strcmp (text, "-") == 0 || !*text;
}

/* Times get the unit of the least of them, with as many decimals as show three of its digits. least:
 * nanoseconds. */
static void choose_time (column *c, double least) {
  const bool ms = least >= 1e6, us = least >= 1e3 && !ms;
  c->unit = ms ? "ms" : us ? "us" : "ns";
  c->scale = ms ? 1e6 : us ? 1e3 : 1;
  least /= c->scale;
  c->decimals = (!ms && !us) || least >= 100 ? 0 : least >= 10 ? 1 : 2;
}

/* 1234567.5 -> "1,234,567.5". is_signed: a plus stands before what is not negative. Signs are those of
 * formulas, as a hyphen is shorter than a plus. */
static void put_number (sd_buf *b, const column *c, double number, bool is_signed) {
  char digits[64], whole[34], *rest;
  snprintf (digits, sizeof digits, "%.*f", c->decimals, fabs (number) / c->scale);
  sd_text_count (strtoull (digits, &rest, 10), whole);
  sd_put_text (b, number < 0 ? "$-$" : is_signed ? "$+$" : "");
  sd_put_text (b, whole);
  sd_put_text (b, rest);
}

static size_t max_of (size_t a, size_t b) {
  return a > b ? a : b;
}

/* Lines of a narrow column may break behind these, as they do at a blank. */
#define BREAKS ",/="

/* Letters between two of `ends`. */
static size_t longest_word (const char *text, const char *ends) {
  size_t most = 0;
  while (*text) {
    const size_t n = strcspn (text, ends);
    most = max_of (most, n);
    text += n + (text[n] != '\0');
  }
  return most;
}

/* One unit and number of decimals, if all cells are numbers that can be told so; how wide it is. */
static void measure (const sd_doc_table *t, column *c) {
  double least = INFINITY, most = 0;
  sd_buf widest SD_RELEASED_BY (sd_buf_free) = { 0 };

  for (size_t r = 1; r <= t->nrows; r++) {
    const char *text = sd_doc_text (t, r, c->of), *point = strchr (text, '.');
    const double size = fabs (t->cell[r * t->ncolumns + c->of].number);
    c->letters = max_of (c->letters, strlen (text));
    c->word = max_of (c->word, longest_word (text, " " BREAKS));

    if (is_unknown (text))
      continue;
    c->numbers = c->numbers && size < MOST_COUNT && !strchr (text, 'e'); /* 1e-07 */
    c->decimals = (int) max_of ((size_t) c->decimals, point ? strspn (point + 1, "0123456789") : 0);
    least = fmin (least, size);
    most = fmax (most, size);
  }

  /* A column of texts is as wide as its cells were on the page; numbers are written anew below, and are as
   * wide as the largest. */
  if (!c->numbers)
    return;

  const enum sd_query_unit unit = t->column[c->of].of->unit;
  c->unit = unit == SD_UNIT_PERCENT ? "%" : "";
  if (unit == SD_UNIT_NS || unit == SD_UNIT_SIGNED_NS)
    choose_time (c, least);

  put_number (&widest, c, most, unit == SD_UNIT_SIGNED_NS || unit == SD_UNIT_SIGNED || unit == SD_UNIT_OFF);
  c->letters = c->word = widest.len;
}

/* A head goes over several lines where it is wider than the cells. */
static void add_column (table *t, unsigned i) {
  enum { HEAD = 6 }; /* letters that a head may take though its cells are narrower */
  column *c = &t->column[t->n];
  *c = (column){ .of = i, .numbers = t->of->column[i].right, .unit = "", .scale = 1 };

  measure (t->of, c);
  snprintf (c->head, sizeof c->head, "%.150s%s%s", sd_doc_text (t->of, 0, i), *c->unit ? ", " : "", c->unit);

  const size_t least = max_of (HEAD, longest_word (c->head, " ")), all = strlen (c->head);
  c->letters = max_of (c->letters, all < least ? all : least);
  c->room = c->letters;
  t->n++;
}

/* ---------------------------------------------------------------------- width */

/* Sizes of letters, and the points that a digit takes; others take less on average. */
static const struct {
  const char *name;
  double points;
} size[] = { { "\\small", 4.62 }, { "\\footnotesize", 4.25 }, { "\\scriptsize", 3.98 } };
enum { NSIZES = sizeof size / sizeof *size };

static bool fits (const table *t, unsigned letters) {
#define LINE 335.0 /* points: a little less than a line of an article in 10 points, on A4 or letter paper */
#define GAP 5.0    /* between columns */
  double sum = -GAP;
  for (unsigned i = 0; i < t->n; i++)
    sum += (double) t->column[i].room * size[letters].points + GAP;
  return sum <= LINE;
}

/* The largest letters in which the table fits. If it fits in none, texts give way, the widest first. */
static const char *fit (table *t) {
  enum { WIDEST = 200, NARROWEST = 7 };
  unsigned k = 0;

  while (k < NSIZES - 1 && !fits (t, k))
    k++;

  /* One letter less each time for the widest texts, but no word is broken. */
  for (size_t most = WIDEST; most >= NARROWEST && !fits (t, k); most--)
    for (unsigned i = 0; i < t->n; i++) {
      column *c = &t->column[i];
      if (!c->numbers && c->room > most)
        c->room = max_of (most, c->word);
    }
  return size[k].name;
}

/* Its cells go over several lines. */
static bool is_broken (const column *c) {
  return c->room < c->letters;
}

/* ---------------------------------------------------------------------- table */

/* The text of a narrow column. LaTeX may break behind a sign of BREAKS, where it would see one word. */
static void put_words (sd_buf *b, const char *text) {
  char part[200];
  while (*text) {
    const size_t n = strcspn (text, BREAKS) + 1;
    snprintf (part, n < sizeof part ? n + 1 : sizeof part, "%s", text);
    sd_put_tex (b, part);
    text += strlen (part);
    sd_put_text (b, *text ? "\\hspace{0pt}" : "");
  }
}

/* A cell as LaTeX. */
static void put_cell (sd_buf *b, const sd_doc_table *t, const column *c, size_t row) {
  const char *text = sd_doc_text (t, row, c->of);
  if (is_unknown (text))
    sd_put_text (b, "--");
  else if (c->numbers)
    put_number (b, c, t->cell[row * t->ncolumns + c->of].number, *text == '+');
  else if (is_broken (c))
    put_words (b, text);
  else
    sd_put_tex (b, text);
}

/* A head stands on the line above the rule, with others above it. */
static void put_head (sd_buf *b, const column *c, char side) {
  const char *head = c->head;
  char word[sizeof c->head];
  size_t n = 0;

  if (strlen (head) <= c->room) {
    sd_put_tex (b, head);
    return;
  }

  sd_put (b, "\\begin{tabular}[b]{@{}%c@{}}", side);
  for (; *head; head += strspn (head, " ")) {
    const size_t len = strcspn (head, " ");
    const bool fits = n + 1 + len <= c->room;
    snprintf (word, sizeof word, "%.*s", (int) len, head);
    sd_put_text (b, !n ? "" : fits ? " " : "\\\\");
    sd_put_tex (b, word);
    n = n && fits ? n + 1 + len : len;
    head += len;
  }
  sd_put_text (b, "\\end{tabular}");
}

/* Where the cells of a column stand, as LaTeX says it. */
static char side_of (const table *t, unsigned i) {
  return t->of->column[t->column[i].of].right ? 'r' : 'l';
}

static void put_heads (sd_buf *b, const table *t) {
  sd_put_text (b, "\\toprule\n");
  for (unsigned i = 0; i < t->n; i++) {
    sd_put_text (b, i ? " & " : "");
    put_head (b, &t->column[i], side_of (t, i));
  }
  sd_put_text (b, " \\\\\n\\midrule\n");
}

static void put_rows (sd_buf *b, const table *t) {
  for (size_t r = 1; r <= t->of->nrows; r++)
    for (unsigned i = 0; i < t->n; i++) {
      put_cell (b, t->of, &t->column[i], r);
      sd_put_text (b, i + 1 < t->n ? " & " : " \\\\\n");
    }
}

/* "\begin{tabular}{@{}lr@{}}" in letters of a size. */
static void put_begin (sd_buf *b, const table *t, const char *letters, const char *environment) {
  sd_put (b, "%s\\setlength{\\tabcolsep}{2.5pt}%%\n\\begin{%s}{@{}", letters, environment);
  for (unsigned i = 0; i < t->n; i++)
    if (is_broken (&t->column[i]))
      sd_put (b, ">{\\raggedright\\arraybackslash}p{%.1fem}", 0.5 * (double) t->column[i].room);
    else
      sd_put (b, "%c", side_of (t, i));
  sd_put_text (b, "@{}}\n");
}

static void put_caption (sd_buf *b, const sd_doc *d, const char *name) {
  sd_put_text (b, "\\caption{");
  sd_put_tex (b, d->caption);
  sd_put (b, "}\\label{tab:%s}", name);
}

/* Is it taller than a page? As if each row had as many lines as the one with most. */
static bool is_long (const table *t) {
  enum { MOST_LINES = 36 };
  size_t lines = 1;
  for (unsigned i = 0; i < t->n; i++)
    if (is_broken (&t->column[i]))
      lines = max_of (lines, 1 + t->column[i].letters / t->column[i].room);
  return t->of->nrows * lines > MOST_LINES;
}

/* A table that floats, or one that goes over pages, which cannot. */
static void put_table (const sd_doc *d, table *t, const char *name, sd_buf *b) {
  const char *letters = fit (t);
  sd_put (b, "%s\n%% in the preamble: \\usepackage{booktabs,array,longtable}\n", marker);

  if (is_long (t)) {
    sd_put_text (b, "{");
    put_begin (b, t, letters, "longtable");
    put_caption (b, d, name);
    sd_put_text (b, " \\\\\n");
    put_heads (b, t);
    sd_put_text (b, "\\endfirsthead\n");
    put_heads (b, t);
    sd_put_text (b, "\\endhead\n\\bottomrule\n\\endfoot\n");
    put_rows (b, t);
    sd_put_text (b, "\\end{longtable}}\n");
    return;
  }

  sd_put_text (b, "\\begin{table}[htbp]\n\\centering\n");
  put_caption (b, d, name);
  sd_put_text (b, "\n");
  put_begin (b, t, letters, "tabular");
  put_heads (b, t);
  put_rows (b, t);
  sd_put_text (b, "\\bottomrule\n\\end{tabular}\n\\end{table}\n");
}

/* -------------------------------------------------------------------- files */

/* "Sizes: KRvK WDL: 12,000 slots" -> "sizes-KRvK-WDL"; a number tells tables apart that would have one name. */
static void name_table (const sd_doc *d, char *out, size_t cap) {
  size_t n = 0, colons = 0, same = 0;

  for (const char *p = d->caption; *p && colons < 2 && n + 8 < cap; p++) {
    const unsigned char c = (unsigned char) *p;
    colons += c == ':';
    if (c < 0x80 && isalnum (c)) {
      out[n] = (char) (n ? c : tolower (c));
      n++;
    } else if (n && out[n - 1] != '-')
      out[n++] = '-';
  }
  if (n && out[n - 1] == '-')
    n--;
  out[n] = '\0';

  for (uint64_t i = 0; i < d->ntex; i++)
    same += strncmp (d->tex[i].name, out, n) == 0 && (!d->tex[i].name[n] || d->tex[i].name[n] == '_');
  if (same)
    snprintf (out + n, cap - n, "_%zu", same + 1);
}

bool sd_doc_table_tex (sd_doc *d, const sd_doc_table *t) {
  table *shown SD_OWNED = sd_alloc0 (1, sizeof *shown);
  if (!shown || t->texts.failed || !sd_grow (&d->tex, &d->tex_cap, d->ntex + 1))
    return false;

  sd_doc_tex *to = &d->tex[d->ntex];
  *to = (sd_doc_tex){ .name = "" };
  name_table (d, to->name, sizeof to->name);

  shown->of = t;
  for (unsigned i = 0; i < t->ncolumns; i++)
    if (!t->column[i].more && (!t->column[i].of->screen || t->column[i].of->rises))
      add_column (shown, i);

  put_table (d, shown, to->name, &to->text);
  d->ntex++;
  return !to->text.failed;
}

/* Tables of an earlier report in this folder would pass for a part of it. */
static void remove_old (const char *folder) {
  DIR *dir = opendir (folder);
  const struct dirent *e;
  while (dir && (e = readdir (dir))) {
    const size_t n = strlen (e->d_name);
    char path[4400], first[sizeof marker] = "";
    snprintf (path, sizeof path, "%s/%s", folder, e->d_name);
    FILE *f = n > 4 && strcmp (e->d_name + n - 4, ".tex") == 0 ? fopen (path, "r") : NULL;
    if (!f)
      continue;
    const bool ours = fgets (first, sizeof first, f) && strcmp (first, marker) == 0;
    fclose (f);
    if (ours)
      unlink (path);
  }
  if (dir)
    closedir (dir);
}

int sd_doc_write_tex (const sd_doc *d, sd_error *err) {
  char folder[4096], file[120];
  sd_buf all SD_RELEASED_BY (sd_buf_free) = { 0 };
  snprintf (folder, sizeof folder, "%s/tables", d->dir);

  SD_TRY (sd_report_folder (folder, err));
  remove_old (folder);

  sd_put (&all, "%s: all its tables, to be compiled in this folder. Each is a file that a text of one's own\n"
                "%% can \\input; their labels are tab:NAME. They need these packages and no others.\n"
                "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs,array,longtable}\n"
                "\\begin{document}\n",
          marker);

  if (*d->unfinished) {
    sd_put_text (&all, "\\noindent ");
    sd_put_tex (&all, d->unfinished);
    sd_put_text (&all, "\\par\n");
  }

  for (uint64_t i = 0; i < d->ntex; i++) {
    snprintf (file, sizeof file, "%s.tex", d->tex[i].name);
    SD_TRY (sd_write_file (folder, file, &d->tex[i].text, err));
    sd_put (&all, "\\input{tables/%s}\n", d->tex[i].name);
    if (i % 12 == 11) /* LaTeX keeps only so many tables that float */
      sd_put_text (&all, "\\clearpage\n");
  }

  sd_put_text (&all, "\\end{document}\n");
  return sd_write_file (d->dir, "tables.tex", &all, err);
}
