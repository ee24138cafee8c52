/* The tables of a report for LaTeX: a file each, \input where it is wanted, with caption and label. Rules as
 * booktabs has them: three horizontal ones, no vertical. A table of many rows goes over several pages, its
 * head on each of them; a short one floats. Nothing is scaled: from the widest cell of each column this file
 * knows how wide the table becomes, and it takes smaller letters, and lets texts and heads go over several
 * lines, until the table fits the line of an article.
 *
 * Numbers stand under one another: all of a column get one number of decimals and one unit, which moves into
 * the head. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char marker[] = "% made by subdef report";

/* ------------------------------------------------------------------- numbers */

/* In what a cell is counted; the scale is that of its family. */
static const struct {
  const char *name;
  double scale;
} unit[] = { { "", 1 }, { "%", 1 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
enum { NUNITS = sizeof unit / sizeof *unit, PLAIN = 0, NS = 2 };
#define MOST_COUNT 9e15 /* of the counts that a double holds exactly */

typedef struct number {
  double value;
  unsigned unit;
  int decimals;
  bool is_signed; /* "+1.2": the sign is shown */
} number;

/* "1,234", "-12.5 %", "+3.20 us". */
static bool read_number (const char *text, number *out) {
  char digits[40];
  size_t n = 0;
  const char *p = text + (*text == '+' || *text == '-');
  *out = (number){ .is_signed = *text == '+' };
  for (; isdigit ((unsigned char) *p) || *p == '.' || *p == ','; p++)
    if (*p != ',' && n + 1 < sizeof digits)
      digits[n++] = *p;
  digits[n] = '\0';
  const char *point = strchr (digits, '.');
  if (!n || (point && strchr (point + 1, '.')))
    return false;
  out->decimals = point ? (int) strlen (point + 1) : 0;
  out->value = strtod (digits, NULL) * (*text == '-' ? -1 : 1);
  p += *p == ' ';
  while (out->unit < NUNITS && strcmp (p, unit[out->unit].name))
    out->unit++;
  return out->unit < NUNITS;
}

/* 1234567.5 -> "1,234,567.5". */
static void put_number (const number *n, char *out, size_t cap) {
  char digits[64], grouped[96];
  const double size = fabs (n->value);
  const bool counted =
      n->decimals == 0 && size < MOST_COUNT && size == floor (size); /* printed in a tenth of the time */
  const int len = counted ? snprintf (digits, sizeof digits, "%llu", (unsigned long long) size)
                          : snprintf (digits, sizeof digits, "%.*f", n->decimals, size);
  const int whole = n->decimals ? len - n->decimals - 1 : len;
  int k = 0;
  for (int i = 0; i < len; i++) {
    if (i && i < whole && (whole - i) % 3 == 0)
      grouped[k++] = ',';
    grouped[k++] = digits[i];
  }
  grouped[k] = '\0';
  snprintf (out, cap, "%s%s", n->value < 0 ? "$-$" : n->is_signed ? "$+$" : "", grouped);
}

/* ------------------------------------------------------------------- columns */

typedef struct column {
  unsigned of;    /* its number on the page */
  bool numbers;   /* all cells are, but those that are not known */
  unsigned unit;  /* in which they are shown */
  int decimals;   /* of all of them */
  bool known;     /* any cell is */
  size_t letters; /* of the widest cell */
  size_t word;    /* letters of the longest word of a cell */
  size_t room;    /* letters a line; less than `letters`: cells go over several lines */
} column;

typedef struct table {
  const char **cell; /* the heads first */
  size_t ncells, nrows;
  unsigned width; /* cells in a row */
  column *column; /* those that are shown */
  unsigned n;
} table;

static bool is_unknown (const char *text) {
  return strcmp (text, "-") == 0 || !*text;
}

static const char *cell_of (const table *t, const column *c, size_t row) {
  return t->cell[(row + 1) * t->width + c->of];
}

/* Times get the unit of the smallest of them, with as many decimals as show three of its digits. */
static void choose_unit (const table *t, column *c) {
  double least = INFINITY;
  number n;
  c->unit = PLAIN;
  c->decimals = 0;
  for (size_t i = 0; i < t->nrows && c->numbers; i++) {
    const char *text = cell_of (t, c, i);
    if (is_unknown (text))
      continue;
    const bool first = least == INFINITY && c->unit == PLAIN;
    c->numbers = read_number (text, &n) && (first || (c->unit >= NS ? n.unit >= NS : n.unit == c->unit));
    if (first || n.unit < c->unit)
      c->unit = n.unit;
    const double size = fabs (n.value) * unit[n.unit < NUNITS ? n.unit : 0].scale;
    least = size < least ? size : least;
    c->decimals = n.decimals > c->decimals ? n.decimals : c->decimals;
  }
  if (c->numbers && c->unit >= NS) {
    least /= unit[c->unit].scale;
    c->decimals = c->unit == NS || least >= 100 ? 0 : least >= 10 ? 1 : 2;
  }
}

/* A text; in a narrow column lines may break behind commas, as they do at blanks. */
static void put_words (sd_buf *b, const char *text, bool breaks) {
  char part[200];
  while (*text) {
    const char *comma = breaks ? strchr (text, ',') : NULL;
    const size_t len = comma ? (size_t) (comma + 1 - text) : strlen (text);
    snprintf (part, sizeof part, "%.*s", (int) len, text);
    sd_put_tex (b, part);
    sd_put_text (b, comma ? "\\hspace{0pt}" : "");
    text += len < sizeof part ? len : sizeof part - 1;
  }
}

/* A cell of a column of numbers, in the unit and with the decimals of the column; false: it is none. */
static bool show_number (const column *c, const char *text, char *out, size_t cap) {
  number n;
  if (!c->numbers || !read_number (text, &n))
    return false;
  n.value *= unit[n.unit].scale / unit[c->unit].scale;
  n.decimals = c->decimals;
  put_number (&n, out, cap);
  return true;
}

/* A cell as LaTeX. */
static void put_cell (sd_buf *b, const column *c, const char *text) {
  char shown[120];
  if (is_unknown (text))
    sd_put_text (b, "--");
  else if (show_number (c, text, shown, sizeof shown))
    sd_put_text (b, shown);
  else
    put_words (b, text, c->room < c->letters);
}

static size_t letters_of (const column *c, const char *text) {
  char shown[120];
  return strlen (show_number (c, text, shown, sizeof shown) ? shown : text);
}

/* The longest word, which is not broken. */
static size_t longest_word (const char *text) {
  size_t most = 0, n = 0;
  for (; *text; text++) {
    n = *text == ' ' || *text == ',' ? 0 : n + 1;
    most = n > most ? n : most;
  }
  return most;
}

static void measure (const table *t, column *c, bool right) {
  enum { HEAD = 6 }; /* letters that a head may take though its cells are narrower */
  const char *head = t->cell[c->of];
  const size_t word = longest_word (head), all = strlen (head);
  c->numbers = right;
  choose_unit (t, c);
  for (size_t i = 0; i < t->nrows; i++) {
    const size_t n = letters_of (c, cell_of (t, c, i));
    const size_t longest = longest_word (cell_of (t, c, i));
    c->letters = n > c->letters ? n : c->letters;
    c->word = longest > c->word ? longest : c->word;
    c->known = c->known || !is_unknown (cell_of (t, c, i));
  }
  const size_t least = all < HEAD ? all : word > HEAD ? word : HEAD;
  c->letters = c->letters > least ? c->letters : least;
  c->room = c->letters;
}

/* ---------------------------------------------------------------------- width */

/* Sizes of letters, and the points that a digit takes; others take less on average. */
static const struct {
  const char *name;
  double points;
} size[] = { { "\\small", 4.62 }, { "\\footnotesize", 4.25 }, { "\\scriptsize", 3.98 } };
enum { NSIZES = sizeof size / sizeof *size, NARROWEST = 9 };
#define LINE 335.0 /* points: a little less than a line of an article in 10 points, on A4 or letter paper */
#define GAP 5.0    /* between columns */

static bool fits (const table *t, unsigned letters) {
  double sum = -GAP;
  for (unsigned i = 0; i < t->n; i++)
    sum += (double) t->column[i].room * size[letters].points + GAP;
  return sum <= LINE;
}

/* The widest text gives way, letter by letter; false: none can. */
static bool narrow (table *t) {
  column *widest = NULL;
  for (unsigned i = 0; i < t->n; i++) {
    column *c = &t->column[i];
    if (!c->numbers && c->room > NARROWEST && c->room > c->word && (!widest || c->room > widest->room))
      widest = c;
  }
  if (widest)
    widest->room--;
  return widest != NULL;
}

static const char *fit (table *t) {
  unsigned i = 0;
  while (i < NSIZES - 1 && !fits (t, i))
    i++;
  while (!fits (t, i) && narrow (t))
    ;
  return size[i].name;
}

/* ---------------------------------------------------------------------- head */

/* The next line of a head, at most `room` letters or one word; "": none is left. */
static void head_line (const char **at, size_t room, char *out, size_t cap) {
  size_t n = 0;
  *out = '\0';
  while (**at) {
    const size_t word = strcspn (*at, " ");
    if (n && n + 1 + word > room)
      return;
    n += (size_t) snprintf (out + n, n < cap ? cap - n : 0, "%s%.*s", n ? " " : "", (int) word, *at);
    *at += word;
    *at += strspn (*at, " ");
  }
}

static void head_of (const table *t, const column *c, char *out, size_t cap) {
  const char *head = t->cell[c->of];
  if (c->numbers && c->unit != PLAIN)
    snprintf (out, cap, "%.150s, %s", head, unit[c->unit].name);
  else
    snprintf (out, cap, "%.150s", head);
}

static unsigned head_lines (const table *t, const column *c) {
  char head[200], line[200];
  unsigned n = 0;
  head_of (t, c, head, sizeof head);
  for (const char *at = head; *at; n++)
    head_line (&at, c->room, line, sizeof line);
  return n;
}

/* Heads stand on the line above the rule. */
static void put_head (sd_buf *b, const table *t) {
  unsigned most = 1;
  for (unsigned i = 0; i < t->n; i++) {
    const unsigned n = head_lines (t, &t->column[i]);
    most = n > most ? n : most;
  }
  sd_put_text (b, "\\toprule\n");
  for (unsigned k = 0; k < most; k++) {
    for (unsigned i = 0; i < t->n; i++) {
      const column *c = &t->column[i];
      const unsigned above = most - head_lines (t, c);
      char head[200], line[200] = "";
      head_of (t, c, head, sizeof head);
      const char *at = head;
      for (unsigned j = above; j <= k; j++)
        head_line (&at, c->room, line, sizeof line);
      sd_put_text (b, i ? " & " : "");
      sd_put_tex (b, line);
    }
    sd_put_text (b, " \\\\\n");
  }
  sd_put_text (b, "\\midrule\n");
}

/* ---------------------------------------------------------------------- table */

static void put_rows (sd_buf *b, const table *t) {
  for (size_t r = 0; r < t->nrows; r++) {
    for (unsigned i = 0; i < t->n; i++) {
      sd_put_text (b, i ? " & " : "");
      put_cell (b, &t->column[i], cell_of (t, &t->column[i], r));
    }
    sd_put_text (b, " \\\\\n");
  }
}

static void put_columns (sd_buf *b, const table *t, const sd_doc *d) {
  sd_put_text (b, "{@{}");
  for (unsigned i = 0; i < t->n; i++) {
    const column *c = &t->column[i];
    if (c->room < c->letters)
      sd_put (b, ">{\\raggedright\\arraybackslash}p{%.1fem}", 0.5 * (double) c->room);
    else
      sd_put (b, "%c", d->column[c->of].right ? 'r' : 'l');
  }
  sd_put_text (b, "@{}}\n");
}

/* Lines that all rows take, cells over several lines counted. */
static size_t lines_of (const table *t) {
  size_t lines = 0;
  for (size_t r = 0; r < t->nrows; r++) {
    size_t most = 1;
    for (unsigned i = 0; i < t->n; i++) {
      const column *c = &t->column[i];
      const size_t n = c->room < c->letters ? 1 + strlen (cell_of (t, c, r)) / c->room : 1;
      most = n > most ? n : most;
    }
    lines += most;
  }
  return lines;
}

static void put_table (const sd_doc *d, table *t, const char *name, sd_buf *b) {
  enum { MOST_LINES = 36 };
  const char *letters = fit (t);
  const bool is_long = lines_of (t) > MOST_LINES;
  sd_put (b, "%s\n%% in the preamble: \\usepackage{booktabs,array,longtable}\n", marker);
  if (is_long) {
    sd_put (b, "{%s\\setlength{\\tabcolsep}{2.5pt}%%\n\\begin{longtable}", letters);
    put_columns (b, t, d);
  } else
    sd_put_text (b, "\\begin{table}[htbp]\n\\centering\n");
  sd_put_text (b, "\\caption{");
  sd_put_tex (b, d->caption);
  sd_put (b, "}\\label{tab:%s}%s\n", name, is_long ? " \\\\" : "");
  if (!is_long) {
    sd_put (b, "%s\\setlength{\\tabcolsep}{2.5pt}%%\n\\begin{tabular}", letters);
    put_columns (b, t, d);
  }
  put_head (b, t);
  if (is_long) {
    sd_put_text (b, "\\endfirsthead\n");
    put_head (b, t);
    sd_put_text (b, "\\endhead\n\\bottomrule\n\\endfoot\n");
  }
  put_rows (b, t);
  sd_put_text (b, is_long ? "\\end{longtable}}\n" : "\\bottomrule\n\\end{tabular}\n\\end{table}\n");
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

/* The cells of the page's table, those of the columns that are shown measured. */
static bool read_table (const sd_doc *d, table *t) {
  const char *p = (const char *) d->cells.data;
  *t = (table){ .width = d->ncolumns, .nrows = d->nrows, .ncells = (d->nrows + 1) * d->ncolumns };
  t->cell = sd_alloc (t->ncells, sizeof *t->cell);
  t->column = sd_alloc0 (d->ncolumns, sizeof *t->column);
  if (!t->cell || !t->column)
    return false;
  for (size_t i = 0; i < t->ncells; i++, p += strlen (p) + 1)
    t->cell[i] = p;
  for (unsigned i = 0; i < d->ncolumns; i++)
    if (!d->column[i].more && !d->column[i].screen) {
      column *c = &t->column[t->n];
      *c = (column){ .of = i };
      measure (t, c, d->column[i].right);
      t->n += c->known || !d->nrows; /* a column that no row fills says nothing */
    }
  return true;
}

bool sd_doc_table_tex (sd_doc *d) {
  table t;
  if (d->cells.failed || !sd_grow (&d->tex, &d->tex_cap, d->ntex + 1))
    return false;
  sd_doc_tex *to = &d->tex[d->ntex];
  *to = (sd_doc_tex){ .name = "" };
  name_table (d, to->name, sizeof to->name);
  const bool read = read_table (d, &t);
  if (read)
    put_table (d, &t, to->name, &to->text);
  free (t.cell);
  free (t.column);
  d->ntex++;
  return read && !to->text.failed;
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
