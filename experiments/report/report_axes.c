/* Two axes together: of each group of a sweep in which exactly two axes vary, or, where more do, of the pairs
 * that are named below, a table of the bytes of all sides with a row for each value of one axis and a column
 * for each of the other. Where more than two vary, the others stay as they are in the smallest cell.
 *
 * Do the axes act on their own? If each value of an axis had one factor of its own, whatever the other axis
 * is, the logarithms of the bytes would be sums of two numbers (a two-way analysis of variance with one value
 * a cell). The share of their differences that such sums explain is told; the rest is interaction. Cost:
 * linear in the cells, times the values of an axis. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AXES = 40, MOST_VALUES = 150, MOST_COLUMNS = 12, WITH_FACTORS = 5, VALUE_TEXT = 120 };

static const char *const named[][2] = { { "order", "freedom" }, { "initial", "pair" }, { "codec", "freedom" },
                                        { "codec", "order" } };
enum { NNAMED = sizeof named / sizeof *named };

/* A line of the group, or one of its orders. */
typedef struct cell {
  const sd_rowsum *line;
  const sd_row *place; /* the order and numbering; NULL: orders are no axis */
  uint64_t bytes;
  unsigned char at[MOST_AXES]; /* which of the values of each axis */
} cell;

typedef struct axis {
  char name[48];
  void (*put) (const cell *c, const char *name, char *out, size_t cap);
  char (*value)[VALUE_TEXT];
  uint64_t n, cap;
} axis;

/* What varies in a group of one subject. */
typedef struct grid {
  const sd_rowsums *all;
  const sd_rowsum **line;
  size_t nlines;
  cell *cell;
  uint64_t n, cap;
  axis axis[MOST_AXES];
  unsigned naxes;
  bool too_much; /* more axes or values than a table can show */
} grid;

static void free_grid (grid *g) {
  for (unsigned i = 0; i < g->naxes; i++)
    free (g->axis[i].value);
  free (g->cell);
}

/* ---------------------------------------------------------------------- values */

static void put_coding (const cell *c, const char *name, char *out, size_t cap) {
  (void) name;
  snprintf (out, cap, "%s", c->line->row->coding);
}

static void put_sides (const cell *c, const char *name, char *out, size_t cap) {
  (void) name;
  snprintf (out, cap, "%s", *c->line->row->sides ? c->line->row->sides : "both");
}

static void put_freedom (const cell *c, const char *name, char *out, size_t cap) {
  (void) name;
  snprintf (out, cap, "%s", c->line->row->freedom);
}

static void put_codec (const cell *c, const char *name, char *out, size_t cap) {
  (void) name;
  sd_rowsum_label (c->line, out, cap);
}

static void put_order (const cell *c, const char *name, char *out, size_t cap) {
  (void) name;
  const sd_row *r = c->place;
  const bool rows = !r || strcmp (r->numbering, "rows") == 0;
  snprintf (out, cap, "%s%s%s", r ? r->order : "", rows ? "" : " ", rows ? "" : r->numbering);
}

static void put_setting (const cell *c, const char *name, char *out, size_t cap) {
  char one[SD_SETTINGS_TEXT];
  const size_t len = strlen (name);
  *out = '\0';
  for (const char *at = c->line->row->settings; sd_next_setting (&at, one, sizeof one);)
    if (strncmp (one, name, len) == 0 && one[len] == '=')
      snprintf (out, cap, "%.*s", (int) cap - 1, one + len + 1);
}

/* ------------------------------------------------------------------------ grid */

static int add_cell (grid *g, const sd_rowsum *l, const sd_row *place, uint64_t bytes, sd_error *err) {
  if (!sd_grow (&g->cell, &g->cap, g->n + 1))
    return sd_fail_memory (err, 0);
  g->cell[g->n++] = (cell){ .line = l, .place = place, .bytes = bytes };
  return SD_OK;
}

/* The rows of an order follow each other; a side that lacks the order leaves no cell. */
static int add_orders (grid *g, const sd_rowsum *l, sd_error *err) {
  for (size_t i = 0; i < l->nrows; i++) {
    const sd_row *r = &l->row[i], *before = i ? r - 1 : NULL;
    uint64_t bytes = 0;
    bool whole = true;
    if (before && strcmp (before->order, r->order) == 0 && strcmp (before->numbering, r->numbering) == 0)
      continue;
    for (unsigned s = 0; s < 2; s++) {
      const sd_row *at = l->side[s].n ? sd_rowsum_row (l, s, r) : NULL;
      whole = whole && (at || !l->counted[s]);
      bytes += at && l->counted[s] ? at->bytes : 0;
    }
    if (whole)
      SD_TRY (add_cell (g, l, r, bytes, err));
  }
  return SD_OK;
}

static int fill_cells (grid *g, bool orders, sd_error *err) {
  for (size_t i = 0; i < g->nlines; i++)
    SD_TRY (orders ? add_orders (g, g->line[i], err) : add_cell (g, g->line[i], NULL, g->line[i]->best, err));
  return SD_OK;
}

/* The axis stays if its values differ. */
static int add_axis (grid *g, const char *name, void (*put) (const cell *, const char *, char *, size_t),
                     sd_error *err) {
  char text[VALUE_TEXT];
  if (g->naxes == MOST_AXES) {
    g->too_much = true;
    return SD_OK;
  }
  axis *a = &g->axis[g->naxes];
  *a = (axis){ .put = put };
  snprintf (a->name, sizeof a->name, "%.47s", name);
  for (size_t i = 0; i < g->n && !g->too_much; i++) {
    unsigned k = 0;
    put (&g->cell[i], a->name, text, sizeof text);
    while (k < a->n && strcmp (a->value[k], text))
      k++;
    g->too_much = k == MOST_VALUES;
    if (k == a->n) {
      if (!sd_grow (&a->value, &a->cap, a->n + 1))
        return sd_fail_memory (err, 0);
      snprintf (a->value[a->n++], VALUE_TEXT, "%s", text);
    }
    g->cell[i].at[g->naxes] = (unsigned char) k;
  }
  if (a->n > 1)
    g->naxes++;
  else
    free (a->value);
  return SD_OK;
}

/* One codec: each of its settings may be an axis. Several: they are one axis, with their settings. */
static int add_codecs (grid *g, sd_error *err) {
  char one[SD_SETTINGS_TEXT];
  for (size_t i = 1; i < g->nlines; i++)
    if (g->line[i]->like[SD_ONE_CODEC] != g->line[0]->like[SD_ONE_CODEC])
      return add_axis (g, "codec", put_codec, err);
  for (const char *at = g->line[0]->row->settings; sd_next_setting (&at, one, sizeof one);) {
    one[strcspn (one, "=")] = '\0';
    SD_TRY (add_axis (g, one, put_setting, err));
  }
  return SD_OK;
}

static int make_grid (grid *g, sd_error *err) {
  bool orders = false;
  for (size_t i = 0; i < g->nlines; i++)
    orders = orders || g->line[i]->varied;
  SD_TRY (fill_cells (g, orders, err));
  SD_TRY (add_axis (g, "coding", put_coding, err));
  SD_TRY (add_axis (g, "sides", put_sides, err));
  SD_TRY (add_codecs (g, err));
  SD_TRY (add_axis (g, "order", put_order, err));
  return add_axis (g, "freedom", put_freedom, err);
}

/* ----------------------------------------------------------------------- table */

/* Two of the axes; the cells are those of the smallest one in all others. */
typedef struct table {
  const grid *g;
  unsigned row, column; /* axes */
  uint64_t *bytes;      /* by row and column; 0: not measured */
  uint64_t least;
  const cell *smallest;
} table;

static uint64_t *place (const table *t, unsigned row, unsigned column) {
  return &t->bytes[row * t->g->axis[t->column].n + column];
}

static bool is_of (const table *t, const cell *c) {
  for (unsigned a = 0; a < t->g->naxes; a++)
    if (a != t->row && a != t->column && c->at[a] != t->smallest->at[a])
      return false;
  return true;
}

static void fill_table (table *t) {
  const grid *g = t->g;
  t->smallest = g->cell;
  for (size_t i = 1; i < g->n; i++)
    if (g->cell[i].bytes < t->smallest->bytes)
      t->smallest = &g->cell[i];
  t->least = t->smallest->bytes;
  for (size_t i = 0; i < g->n; i++) {
    const cell *c = &g->cell[i];
    uint64_t *to = place (t, c->at[t->row], c->at[t->column]);
    if (is_of (t, c) && (!*to || c->bytes < *to))
      *to = c->bytes;
  }
}

/* The share of the squared differences of the logarithms that sums of a number a row and a number a column
 * explain; NaN: a cell is missing, or all are equal. */
static double explained (const table *t) {
  const unsigned rows = (unsigned) t->g->axis[t->row].n, columns = (unsigned) t->g->axis[t->column].n;
  double row[MOST_VALUES] = { 0 }, column[MOST_COLUMNS] = { 0 }, mean = 0, rest = 0, all = 0;
  for (unsigned i = 0; i < rows; i++)
    for (unsigned k = 0; k < columns; k++) {
      const double v = log ((double) *place (t, i, k));
      row[i] += v / columns;
      column[k] += v / rows;
      mean += v / rows / columns;
    }
  for (unsigned i = 0; i < rows; i++)
    for (unsigned k = 0; k < columns; k++) {
      const double v = log ((double) *place (t, i, k)), r = v - row[i] - column[k] + mean;
      rest += r * r;
      all += (v - mean) * (v - mean);
    }
  return all > 0 ? 1 - rest / all : NAN;
}

/* "initial=left, block=128": axes that vary in the group, and not here. */
static void put_fixed (const table *t, char *out, size_t cap) {
  *out = '\0';
  for (unsigned a = 0; a < t->g->naxes; a++)
    if (a != t->row && a != t->column)
      sd_text_list (out, cap, "%s=%s", t->g->axis[a].name, t->g->axis[a].value[t->smallest->at[a]]);
}

static uint64_t least_of_row (const table *t, unsigned row) {
  uint64_t least = 0;
  for (unsigned k = 0; k < t->g->axis[t->column].n; k++) {
    const uint64_t v = *place (t, row, k);
    least = v && (!least || v < least) ? v : least;
  }
  return least;
}

/* Rows by rising bytes if they are orders, which have no order of their own; else as in the sweep. */
static void sort_rows (const table *t, unsigned char *row) {
  const unsigned n = (unsigned) t->g->axis[t->row].n;
  for (unsigned i = 0; i < n; i++) {
    unsigned k = i;
    for (; strcmp (t->g->axis[t->row].name, "order") == 0 && k > 0; k--) {
      if (least_of_row (t, row[k - 1]) <= least_of_row (t, i))
        break;
      row[k] = row[k - 1];
    }
    row[k] = (unsigned char) i;
  }
}

static void put_head (sd_doc *d, const table *t) {
  const axis *a = &t->g->axis[t->column];
  char head[MOST_COLUMNS][VALUE_TEXT + 50], align[3 * MOST_COLUMNS + 2] = "l";
  const char *heads[2 * MOST_COLUMNS + 1] = { t->g->axis[t->row].name };
  for (unsigned k = 0; k < a->n; k++) {
    snprintf (head[k], sizeof head[k], "%s %s", a->name, a->value[k]);
    heads[2 * k + 1] = head[k];
    heads[2 * k + 2] = "x least";
    strcat (align, a->n <= WITH_FACTORS ? "rr~" : "rR");
  }
  sd_doc_table (d, align, heads);
}

static void put_row (sd_doc *d, const table *t, unsigned row, const char *fixed, sd_buf *csv) {
  const grid *g = t->g;
  const axis *r = &g->axis[t->row], *c = &g->axis[t->column];
  const sd_row *of = g->line[0]->row;
  char text[2 * MOST_COLUMNS][32], raw[32];
  const char *shown[2 * MOST_COLUMNS + 1] = { r->value[row] };
  for (unsigned k = 0; k < c->n; k++) {
    const uint64_t v = *place (t, row, k);
    snprintf (text[2 * k], sizeof *text, "-");
    snprintf (text[2 * k + 1], sizeof *text, "-");
    shown[2 * k + 1] = text[2 * k];
    shown[2 * k + 2] = text[2 * k + 1];
    if (!v)
      continue;
    sd_text_count (v, text[2 * k]);
    snprintf (text[2 * k + 1], sizeof *text, "%.2f", (double) v / (double) t->least);
    snprintf (raw, sizeof raw, "%llu", (unsigned long long) v);
    sd_put_csv (csv,
                (const char *[]){ of->group, of->table, of->metric, fixed, r->name, r->value[row], c->name,
                                  c->value[k], raw, text[2 * k + 1] },
                10);
  }
  sd_doc_row (d, shown, row == t->smallest->at[t->row]);
}

static void begin (sd_doc *d, sd_buf *csv) {
  static const char *const key[] = { "group",       "table",        "metric", "fixed",     "row_axis", "row_value",
                                     "column_axis", "column_value", "bytes",  "times_least" };
  sd_put_csv (csv, key, sizeof key / sizeof *key);
  sd_doc_heading (d, 2, "Two axes together");
  sd_doc_para (
      d,
      "Bytes of all sides for each pair of values, and how many times the least of the table they are. If each "
      "value had one factor of its own, whatever the other axis is, the logarithms of the bytes would be sums of "
      "two numbers: the share of their differences that such sums explain is told, and what is missing from 100 %% "
      "is interaction.");
}

static void put_table (sd_doc *d, const table *t, sd_buf *csv) {
  const grid *g = t->g;
  const sd_rowsum *l = g->line[0];
  const double share = explained (t);
  unsigned char row[MOST_VALUES];
  char title[400], fixed[400], sums[80] = "";
  if (!csv->len)
    begin (d, csv);
  snprintf (title, sizeof title, "%s: %s by %s in group %.80s", g->all->subject[l->subject].title,
            g->axis[t->row].name, g->axis[t->column].name, l->row->group);
  sd_doc_heading (d, 3, title);
  put_fixed (t, fixed, sizeof fixed);
  if (isfinite (share))
    snprintf (sums, sizeof sums, "Factors of their own explain %.1f %%.", 100 * share);
  if (*fixed || *sums)
    sd_doc_para (d, "%s%s%s%s", *fixed ? "As in the smallest cell: " : "", fixed, *fixed ? ". " : "", sums);
  put_head (d, t);
  sort_rows (t, row);
  for (unsigned i = 0; i < g->axis[t->row].n; i++)
    put_row (d, t, row[i], fixed, csv);
  sd_doc_table_end (d);
}

/* The axis with more values goes down. */
static int put_pair (sd_doc *d, const grid *g, unsigned a, unsigned b, sd_buf *csv, sd_error *err) {
  const bool turn = g->axis[a].n < g->axis[b].n;
  table t = { .g = g, .row = turn ? b : a, .column = turn ? a : b };
  if (g->axis[t.column].n > MOST_COLUMNS)
    return SD_OK;
  uint64_t *bytes SD_OWNED = sd_alloc0 (g->axis[a].n * g->axis[b].n, sizeof *bytes);
  if (!bytes)
    return sd_fail_memory (err, 0);
  t.bytes = bytes;
  fill_table (&t);
  put_table (d, &t, csv);
  return SD_OK;
}

static unsigned find_axis (const grid *g, const char *name) {
  unsigned a = 0;
  while (a < g->naxes && strcmp (g->axis[a].name, name))
    a++;
  return a;
}

static int put_grid (sd_doc *d, const grid *g, sd_buf *csv, sd_error *err) {
  if (g->too_much || g->naxes < 2)
    return SD_OK;
  if (g->naxes == 2)
    return put_pair (d, g, 0, 1, csv, err);
  for (unsigned i = 0; i < NNAMED; i++) {
    const unsigned a = find_axis (g, named[i][0]), b = find_axis (g, named[i][1]);
    if (a < g->naxes && b < g->naxes)
      SD_TRY (put_pair (d, g, a, b, csv, err));
  }
  return SD_OK;
}

/* ------------------------------------------------------------------------- all */

static int put_group (sd_doc *d, const sd_rowsums *all, const sd_rowsum **line, size_t n, sd_buf *csv,
                      sd_error *err) {
  grid g SD_RELEASED_BY (free_grid) = { .all = all, .line = line, .nlines = n };
  SD_TRY (make_grid (&g, err));
  return put_grid (d, &g, csv, err);
}

static int by_group (const void *a, const void *b) {
  const sd_rowsum *x = *(const sd_rowsum *const *) a, *y = *(const sd_rowsum *const *) b;
  const int c =
      x->subject != y->subject ? (x->subject < y->subject ? -1 : 1) : strcmp (x->row->group, y->row->group);
  return c ? c : (x > y) - (x < y);
}

int sd_report_axes (sd_doc *d, const sd_rowsums *all, sd_buf *csv, sd_error *err) {
  const sd_rowsum **line SD_OWNED = sd_alloc (all->n, sizeof *line);
  size_t n = 0;
  if (!line)
    return sd_fail_memory (err, all->n * sizeof *line);
  for (size_t i = 0; i < all->n; i++)
    if (all->line[i].nsides == all->subject[all->line[i].subject].sides)
      line[n++] = &all->line[i];
  qsort (line, n, sizeof *line, by_group);
  for (size_t i = 0, to; i < n; i = to) {
    for (to = i + 1; to < n && line[to]->subject == line[i]->subject
                     && strcmp (line[to]->row->group, line[i]->row->group) == 0;)
      to++;
    SD_TRY (put_group (d, all, line + i, to - i, csv, err));
  }
  return SD_OK;
}
