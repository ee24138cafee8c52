/* A query written out: as a part of the report (all documents side by side, and its file of numbers), or
 * alone in one form. What the head of the file does not say is made from the answer: its columns as they
 * stand, on the right where they are numbers. Every text passes the border of its form (quote.c).
 *
 * A part of the report and a user's query (`subdef report --query FILE.sql --format csv`) go the same way:
 * ask, choose the columns, write. What the head says of a column, of sections, of axes is explained in
 * `man subdef-report`; what goes wrong with it is one sentence with the file. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MOST_HEADS: heads of a table of two axes on the page; WITH_ALL: of more heads than these only the first
 * column of each is not folded away; NUMBER: bytes of a number as text. */
enum { MOST_HEADS = 12, WITH_ALL = 5, NUMBER = 40 };

/* A query in work. */
typedef struct part {
  sd_doc *d;
  sd_query *q;
  const sd_query_file *f;
  sd_result a;
  sd_query_column *column; /* of the head, or made from the answer */
  int *at;                 /* where each stands in the answer */
  unsigned n;
} part;

static void part_free (part *p) {
  sd_result_free (&p->a);
  free (p->column);
  free (p->at);
}

static const sd_result_value *value (const part *p, size_t row, unsigned column) {
  return sd_result_at (&p->a, row, p->at[column]);
}

/* Of the answer's column: no text, and any number. */
static bool is_number (const part *p, unsigned column) {
  bool any = false;
  for (size_t i = 0; i < p->a.nrows; i++) {
    const sd_result_value *v = value (p, i, column);
    if (v->is == SD_IS_TEXT)
      return false;
    any = any || v->is == SD_IS_NUMBER;
  }
  return any;
}

/* Of columns that stand there only where they say something (`known`). */
static bool has_values (const part *p, unsigned column) {
  for (size_t i = 0; i < p->a.nrows; i++)
    if (value (p, i, column)->is != SD_IS_NULL)
      return true;
  return false;
}

static int choose_columns (part *p, sd_error *err) {
  const sd_query_file *f = p->f;

  p->n = f->ncolumns ? f->ncolumns : p->a.ncolumns;
  p->column = sd_alloc0 (p->n + 1, sizeof *p->column);
  p->at = sd_alloc0 (p->n + 1, sizeof *p->at);
  if (!p->column || !p->at)
    return sd_fail_memory (err, p->n * sizeof *p->column);

  if (p->n > SD_DOC_COLUMNS)
    return sd_fail (err, SD_EINVAL, "%s: %u columns are more than a table can have (%d)", f->path, p->n,
                    (int) SD_DOC_COLUMNS);

  for (unsigned i = 0; i < p->n; i++) {
    sd_query_column *c = &p->column[i];
    if (f->ncolumns)
      *c = f->column[i];
    else {
      *c = (sd_query_column){ .page = true, .file = true };
      snprintf (c->key, sizeof c->key, "%s", p->a.name[i]);
      memcpy (c->head, c->key, sizeof c->key);
    }

    /* A `known` column without values leaves the page, and the file if it stands there alone. */
    p->at[i] = f->ncolumns ? sd_result_column (&p->a, c->key) : (int) i;
    c->right = f->ncolumns ? c->right : is_number (p, i);
    const bool shown = !c->known || has_values (p, i);
    c->file = c->file && (c->page || shown);
    c->page = c->page && shown;
  }
  return SD_OK;
}

/* The text of a column that is no cell (section, note, ...); out: NUMBER bytes. */
static const char *role (const part *p, size_t row, const char *name, char *out) {
  return sd_result_text (&p->a, sd_result_at (&p->a, row, sd_result_column (&p->a, name)), out);
}

/* Set off: the column that the head calls `strong` is neither NULL nor 0. */
static bool is_strong (const part *p, size_t row) {
  return sd_result_at (&p->a, row, sd_result_column (&p->a, p->f->strong))->number != 0;
}

/* --------------------------------------------------------------------- files of numbers */

/* A row of a table of two axes that was not measured is none of the file. */
static bool is_in_file (const part *p, size_t row) {
  for (unsigned i = 0; i < p->n && *p->f->cross[0]; i++)
    if (p->column[i].known && value (p, row, i)->is == SD_IS_NULL)
      return false;
  return true;
}

/* Names of the SELECT as heads, numbers without units: for programs. */
static void put_csv (const part *p, sd_buf *csv) {
  const char *cell[SD_DOC_COLUMNS];
  char text[SD_DOC_COLUMNS][NUMBER];
  unsigned n = 0;
  for (unsigned i = 0; i < p->n; i++)
    if (p->column[i].file)
      cell[n++] = p->column[i].key;

  if (n)
    sd_put_csv (csv, cell, n);

  for (size_t r = 0; r < p->a.nrows && n; r++) {
    unsigned k = 0;
    for (unsigned i = 0; i < p->n; i++)
      if (p->column[i].file) {
        cell[k] = sd_result_shown (&p->a, value (p, r, i), p->column[i].unit, false, text[k]);
        k++;
      }
    if (is_in_file (p, r))
      sd_put_csv (csv, cell, n);
  }
}

/* What is no UTF-8 becomes question marks: files are untrusted. */
static json_t *text_json (const char *text) {
  char *tame SD_OWNED = NULL;
  json_t *j = json_string (text);
  if (!j && (tame = strdup (text))) {
    sd_text_tame (tame);
    j = json_string (tame);
  }
  return j;
}

/* An object a row, its values as they are. */
static int put_json (const part *p, sd_buf *out, sd_error *err) {
  json_t *list = json_array ();
  for (size_t r = 0; r < p->a.nrows; r++) {
    json_t *row = json_object ();
    for (unsigned i = 0; i < p->n; i++) {
      const sd_result_value *v = value (p, r, i);
      char text[NUMBER];
      if (!p->column[i].file)
        continue;
      json_t *j = v->is == SD_IS_NULL   ? json_null ()
                  : v->is == SD_IS_TEXT ? text_json (sd_result_text (&p->a, v, text))
                  : v->integer          ? json_integer (v->whole)
                                        : json_real (v->number); /* NULL: not finite */

      char key[sizeof p->column[i].key];
      memcpy (key, p->column[i].key, sizeof key);
      if (json_object_set (row, key, j ? j : json_null ())) { /* no UTF-8 */
        sd_text_tame (key);
        json_object_set (row, key, j ? j : json_null ());
      }
      json_decref (j);
    }
    json_array_append_new (list, row);
  }

  char *text = json_dumps (list, JSON_INDENT (2));
  json_decref (list);
  if (!text)
    return sd_fail_memory (err, 0);
  sd_buf_append (out, text, strlen (text));
  sd_buf_u8 (out, '\n');
  free (text);
  return SD_OK;
}

/* ------------------------------------------------------------------------------- tables */

/* The columns are in it, and what they point to is the part's. */
static void table_free (sd_doc_table *t) {
  free (t->cell);
  free (t->strong);
  sd_buf_free (&t->texts);
}

/* fold: it is folded away. */
static void add_column (sd_doc_table *t, const sd_query_column *c, bool fold) {
  t->column[t->ncolumns++] = (sd_doc_column){ c, c->right, fold, (c->desk || c->apart) && !fold };
}

/* A text and the number that it came from: LaTeX prints numbers anew, with one unit a column. Failure of
 * memory is kept in texts.failed. */
static void add_cell (sd_doc_table *t, const char *text, double number) {
  if (sd_grow (&t->cell, &t->cap, t->ncells + 1))
    t->cell[t->ncells++] = (sd_doc_cell){ t->texts.len, number };
  else
    t->texts.failed = true;
  sd_buf_append (&t->texts, text, strlen (text) + 1);
}

/* The cells of a row of the answer that stand on the page. */
static void add_cells (sd_doc_table *t, const part *p, size_t row) {
  char text[NUMBER];
  for (unsigned i = 0; i < p->n; i++) {
    const sd_result_value *v = value (p, row, i);
    if (p->column[i].page)
      add_cell (t, sd_result_shown (&p->a, v, p->column[i].unit, true, text),
                v->is == SD_IS_NUMBER ? v->number : NAN);
  }
}

/* A column without anything below its head is left out; the last one stays where all are empty. */
static void leave_out_empty (sd_doc_table *t) {

  const unsigned n = t->ncolumns;
  bool kept[SD_DOC_COLUMNS] = { false }, any = false;
  for (uint64_t i = n; i < t->ncells; i++) {
    const char *text = (const char *) t->texts.data + t->cell[i].text;
    if (*text && strcmp (text, "-") != 0)
      kept[i % n] = any = true;
  }

  kept[n - 1] = kept[n - 1] || !any;
  t->ncolumns = 0;
  for (unsigned i = 0; i < n; i++)
    if (kept[i])
      t->column[t->ncolumns++] = t->column[i];

  /* Cells move together behind those that were left out, so that rows are shorter from here on. */
  uint64_t left = 0;
  for (uint64_t i = 0; i < t->ncells; i++)
    if (kept[i % n])
      t->cell[left++] = t->cell[i];
  t->ncells = left;
}

/* A row of the table: what a phone tells of it, and with one column more. Both as hashes of its texts. */
typedef struct look {
  uint64_t of, with;
  size_t row;
} look;

static int by_look (const void *a, const void *b) {
  const look *x = a, *y = b;
  return x->of != y->of ? (x->of > y->of) - (x->of < y->of) : (x->with > y->with) - (x->with < y->with);
}

/* Are rows alike that this column tells apart? */
static bool tells_apart (const sd_doc_table *t, look *all, unsigned column) {
  for (size_t k = 0; k < t->nrows; k++) {
    const char *text = sd_doc_text (t, all[k].row, column);
    all[k].with = all[k].of * 0x100000001b3 + sd_hash64 (text, strlen (text));
  }

  qsort (all, t->nrows, sizeof *all, by_look);
  for (size_t k = 1; k < t->nrows; k++)
    if (all[k].of == all[k - 1].of && all[k].with != all[k - 1].with)
      return true;
  return false;
}

/* A phone has what tells rows apart that would look alike on it. */
static int tell_rows_apart (sd_doc_table *t, sd_error *err) {
  look *all SD_OWNED = sd_alloc (t->nrows + 1, sizeof *all);
  if (!all)
    return sd_fail_memory (err, t->nrows * sizeof *all);

  for (size_t k = 0; k < t->nrows; k++)
    all[k] = (look){ .row = k + 1 };

  /* A column `apart` is shown on a phone only if it tells rows apart that those before it do not. */
  for (unsigned apart = 0; apart < 2; apart++) /* the texts that it has, then those that it may have */
    for (unsigned i = 0; i < t->ncolumns; i++) {
      sd_doc_column *c = &t->column[i];
      if (c->right || c->more || c->of->desk || c->of->apart != apart)
        continue;
      c->desk = !tells_apart (t, all, i) && apart;
      for (size_t k = 0; k < t->nrows && !c->desk; k++)
        all[k].of = all[k].with;
    }
  return SD_OK;
}

/* A text of the head with its {expressions}, which know no row of the answer. */
static int fill (const part *p, const char *text, sd_buf *out, sd_error *err) {
  out->len = 0;
  return sd_query_fill (p->q, p->f, NULL, 0, text, out, err);
}

/* A table as the answer has it: row 0 has the heads, rows from..to-1 of the answer follow. */
static int fill_rows (const part *p, size_t from, size_t to, sd_doc_table *t, sd_error *err) {
  sd_buf head SD_RELEASED_BY (sd_buf_free) = { 0 };
  for (unsigned i = 0; i < p->n; i++)
    if (p->column[i].page) {
      SD_TRY (fill (p, p->column[i].head, &head, err));
      add_column (t, &p->column[i], p->column[i].fold);
      add_cell (t, (const char *) head.data, NAN);
    }

  for (size_t r = from; r < to; r++) {
    add_cells (t, p, r);
    t->strong[++t->nrows] = is_strong (p, r);
  }

  if (t->texts.failed)
    return sd_fail_memory (err, t->texts.len);
  leave_out_empty (t);
  return tell_rows_apart (t, err);
}

/* How many rows of the answer make a row of the table: those of one name follow each other, and each name has
 * the same heads in the same order. */
static int check_cross (const part *p, size_t from, size_t to, unsigned *heads, sd_error *err) {
  char text[4][NUMBER];
  const char *name = role (p, from, p->f->cross[0], text[0]);
  *heads = 0;
  while (from + *heads < to && strcmp (role (p, from + *heads, p->f->cross[0], text[1]), name) == 0)
    ++*heads;

  for (size_t r = from; r < to; r++) {
    const size_t first = r - (r - from) % *heads, like = from + (r - from) % *heads;
    const char *row = role (p, r, p->f->cross[0], text[0]), *head = role (p, r, p->f->cross[2], text[1]);
    if (strcmp (row, role (p, first, p->f->cross[0], text[2])) != 0
        || strcmp (head, role (p, like, p->f->cross[2], text[3])) != 0 || first + *heads > to)
      return sd_fail (
          err, SD_EINVAL,
          "%s: the row \"%.40s\" has \"%.40s\" where the first row has another head: a table of two axes "
          "needs each head in each row, in the same order",
          p->f->path, row, head);
  }
  return SD_OK;
}

/* So many heads have room on the page; those beyond them stand in the file of numbers alone. */
static unsigned heads_shown (const part *p, unsigned heads) {
  unsigned columns = 0;
  for (unsigned i = 0; i < p->n; i++)
    columns += p->column[i].page;

  const unsigned room = columns ? (SD_DOC_COLUMNS - 1) / columns : 0,
                 most = room < MOST_HEADS ? room : MOST_HEADS;
  return heads < most ? heads : most;
}

/* The rows of two axes. *left_out: heads that have no room. */
static int fill_cross (const part *p, size_t from, size_t to, sd_doc_table *t, unsigned *left_out,
                       sd_error *err) {
  static const sd_query_column name = { .unit = SD_UNIT_TEXT };
  char text[NUMBER];
  unsigned heads = 0;

  SD_TRY (check_cross (p, from, to, &heads, err));
  const unsigned shown = heads_shown (p, heads);
  *left_out = heads - shown;

  /* The first column has the names of the rows; each head has one column for each that stands on the page, of
   * which the first is called like the head. */
  add_column (t, &name, false);
  add_cell (t, role (p, from, p->f->cross[1], text), NAN);
  for (unsigned h = 0; h < shown; h++)
    for (unsigned i = 0, k = 0; i < p->n; i++)
      if (p->column[i].page) {
        add_cell (t, k ? p->column[i].head : role (p, from + h, p->f->cross[2], text), NAN);
        add_column (t, &p->column[i], k++ && heads > WITH_ALL);
      }

  for (size_t r = from; r + heads <= to && heads; r += heads) {
    t->nrows++;
    add_cell (t, role (p, r, p->f->cross[0], text), NAN);
    for (unsigned h = 0; h < shown; h++) {
      add_cells (t, p, r + h);
      t->strong[t->nrows] = t->strong[t->nrows] || is_strong (p, r + h);
    }
  }
  return t->texts.failed ? sd_fail_memory (err, t->texts.len) : SD_OK;
}

/* A paragraph a line. */
static void put_lines (sd_doc *d, const char *text) {
  while (*text) {
    const size_t n = strcspn (text, "\n");
    if (n)
      sd_doc_para (d, "%.*s", (int) n, text);
    text += n + (text[n] == '\n');
  }
}

/* One section: its heading, what is said above it, its table. */
static int put_table (const part *p, size_t from, size_t to, sd_error *err) {
  sd_doc_table t SD_RELEASED_BY (table_free) = { .strong = sd_alloc0 (to - from + 1, sizeof *t.strong) };
  const sd_query_file *f = p->f;
  char text[NUMBER], about[NUMBER];
  unsigned left_out = 0;

  if (!t.strong)
    return sd_fail_memory (err, to - from);
  SD_TRY (*f->cross[0] ? fill_cross (p, from, to, &t, &left_out, err) : fill_rows (p, from, to, &t, err));

  if (*f->section)
    sd_doc_heading (p->d, 3, role (p, from, f->section, text));
  if (*f->note)
    put_lines (p->d, role (p, from, f->note, text));

  t.about = role (p, from, f->about, about);
  t.chief = f->chief && from == 0;
  sd_doc_put_table (p->d, &t);
  if (left_out)
    sd_doc_para (p->d, "%u more column%s no room here; the table as CSV has all of them.", left_out,
                 left_out == 1 ? " has" : "s have");
  return SD_OK;
}

/* A table for each section, whose rows follow each other in the answer. */
static int put_tables (const part *p, sd_error *err) {
  char name[NUMBER], other[NUMBER];
  for (size_t r = 0, to; r < p->a.nrows; r = to) {
    for (to = r + 1;
         to < p->a.nrows
         && (!*p->f->section
             || strcmp (role (p, r, p->f->section, name), role (p, to, p->f->section, other)) == 0);)
      to++;
    SD_TRY (put_table (p, r, to, err));
  }
  return SD_OK;
}

/* Big figures on top of the page; of many nobody sees any. */
static void put_cards (const part *p) {
  enum { MOST_CARDS = 12 };
  char head[NUMBER], number[NUMBER], remark[NUMBER];
  if (p->a.nrows > MOST_CARDS)
    return;
  sd_doc_box_begin (p->d, "cards");
  for (size_t r = 0; r < p->a.nrows; r++)
    sd_doc_card (p->d, role (p, r, p->f->cards[0], head), role (p, r, p->f->cards[1], number),
                 role (p, r, p->f->cards[2], remark));
  sd_doc_box_end (p->d);
  sd_put (&p->d->md, "\n");
}

static void put_paragraphs (const part *p) {
  char text[NUMBER];
  for (size_t r = 0; r < p->a.nrows; r++)
    sd_doc_para (p->d, "%s", role (p, r, p->f->paragraphs, text));
}

static void put_details (const part *p) {
  char what[NUMBER], text[NUMBER];
  for (size_t r = 0; r < p->a.nrows; r++)
    sd_doc_details (p->d, role (p, r, p->f->details[0], what), role (p, r, p->f->details[1], text));
}

/* Of cards the title is that of the page. */
static int put_words (const part *p, sd_error *err) {
  sd_buf text SD_RELEASED_BY (sd_buf_free) = { 0 };
  SD_TRY (fill (p, p->f->title, &text, err));
  if (*text.data && !*p->f->cards[0])
    sd_doc_heading (p->d, p->f->level, (const char *) text.data);
  for (unsigned i = 0; i < p->f->ntexts; i++) {
    SD_TRY (fill (p, p->f->text[i], &text, err));
    put_lines (p->d, (const char *) text.data);
  }
  return SD_OK;
}

/* Some parts are only files of numbers: no column of theirs stands on the page. */
static bool is_for_page (const part *p) {
  bool any = false;
  for (unsigned i = 0; i < p->n; i++)
    any = any || p->column[i].page;
  return any;
}

/* Is it shown though no row is? */
static int is_wanted (const part *p, bool *out, sd_error *err) {
  sd_buf text SD_RELEASED_BY (sd_buf_free) = { 0 };
  char *expression SD_OWNED = malloc (strlen (p->f->when) + 3);
  *out = p->a.nrows > 0;

  if (!*p->f->when)
    return SD_OK;
  if (!expression)
    return sd_fail_memory (err, 0);

  sprintf (expression, "{%s}", p->f->when);
  SD_TRY (fill (p, expression, &text, err));
  *out = strcmp ((const char *) text.data, "0") != 0 && *text.data;
  return SD_OK;
}

int sd_report_part (sd_doc *d, sd_query *q, const sd_query_file *f, sd_buf *csv, sd_error *err) {
  part p SD_RELEASED_BY (part_free) = { .d = d, .q = q, .f = f };
  bool wanted;
  SD_TRY (sd_query_ask (q, f, &p.a, err));
  SD_TRY (is_wanted (&p, &wanted, err));
  if (!wanted)
    return SD_OK;

  SD_TRY (choose_columns (&p, err));
  put_csv (&p, csv);
  if (!is_for_page (&p))
    return SD_OK;

  SD_TRY (put_words (&p, err));
  if (*f->cards[0])
    put_cards (&p);
  else if (*f->paragraphs)
    put_paragraphs (&p);
  else if (*f->details[0])
    put_details (&p);
  else
    return put_tables (&p, err);
  return SD_OK;
}

/* -------------------------------------------------------------------------- by itself */

/* CSV and JSON have the rows alone: no title, no text, no table of two axes. */
static int put_numbers (sd_query *q, const sd_query_file *f, bool json, sd_buf *out, sd_error *err) {
  part p SD_RELEASED_BY (part_free) = { .q = q, .f = f };
  SD_TRY (sd_query_ask (q, f, &p.a, err));
  SD_TRY (choose_columns (&p, err));
  if (json)
    return put_json (&p, out, err);
  put_csv (&p, out);
  return SD_OK;
}

/* Markdown, HTML or LaTeX, of the same document that a report is made of. */
static int put_document (sd_query *q, const sd_query_file *f, enum sd_report_form form, sd_doc *d,
                         sd_buf *out, sd_error *err) {
  sd_buf csv SD_RELEASED_BY (sd_buf_free) = { 0 }, title SD_RELEASED_BY (sd_buf_free) = { 0 };
  SD_TRY (sd_query_fill (q, f, NULL, 0, f->title, &title, err));

  if (form == SD_FORM_HTML)
    sd_doc_begin (d, *title.data ? (const char *) title.data : f->path);
  SD_TRY (sd_report_part (d, q, f, &csv, err));
  if (form == SD_FORM_HTML)
    sd_doc_end (d);

  for (uint64_t i = 0; i < d->ntex && form == SD_FORM_TEX; i++)
    sd_buf_append (out, d->tex[i].text.data, d->tex[i].text.len);
  const sd_buf *whole = form == SD_FORM_HTML ? &d->html : form == SD_FORM_MD ? &d->md : NULL;
  if (whole && !whole->failed)
    sd_buf_append (out, whole->data, whole->len);
  return whole && whole->failed ? sd_fail_memory (err, whole->len) : SD_OK;
}

/* A figure lies in a folder; what is said is where. */
static int draw_query (sd_query *q, const sd_query_file *f, const char *dir, sd_buf *out, sd_error *err) {
  sd_figures all SD_RELEASED_BY (sd_figures_free) = { .n = 0 };
  SD_TRY (sd_report_folder (dir, err));
  SD_TRY (sd_figures_add (&all, q, f, dir, err));
  if (!all.n)
    return sd_fail (err, SD_ENOENT, "%s: no row is there to be drawn", f->path);

  SD_TRY (sd_figures_draw (&all, SD_GNUPLOT, dir, err));
  sd_figures_wait (&all);

  for (uint64_t i = 0; i < all.n; i++)
    sd_put (out, "%s/%s.%s\n", dir, all.figure[i].name, all.drawn ? "svg" : "gp");
  return all.drawn ? SD_OK
                   : sd_fail (err, SD_EIO, "%s: %s; the scripts (*.gp) lie in %s", f->path, all.why, dir);
}

/* A figure is drawn only where Markdown is asked for; in other forms its rows are written. */
static int put_query (sd_query *q, const sd_query_file *f, const sd_report_asked *asked, sd_buf *out,
                      sd_error *err) {
  sd_doc d = { .dir = "." };
  for (unsigned i = 0; i < asked->ncsv; i++)
    SD_TRY (sd_query_add_csv (q, asked->csv_name[i], asked->csv_file[i], err));
  SD_TRY (sd_query_add_files (q, f, err));

  if (*f->figure && asked->form == SD_FORM_MD)
    return draw_query (q, f, asked->dir, out, err);
  if (asked->form == SD_FORM_CSV || asked->form == SD_FORM_JSON)
    return put_numbers (q, f, asked->form == SD_FORM_JSON, out, err);

  const int status = put_document (q, f, asked->form, &d, out, err);
  sd_doc_free (&d);
  return status;
}

int sd_report_query (const char *db, const sd_report_asked *asked, const char *baseline, sd_buf *out,
                     sd_error *err) {
  sd_query *q = NULL;
  sd_query_file f = { .level = 2 };
  SD_TRY (sd_query_read (asked->query, &f, err));
  int status = sd_query_open (db, &(sd_query_options){ .baseline = baseline }, &q, err);
  if (status == SD_OK)
    status = put_query (q, &f, asked, out, err);
  if (status == SD_OK && sd_buf_status (out) != SD_OK)
    status = sd_fail_memory (err, out->len);
  sd_query_close (q);
  sd_query_file_free (&f);
  return status;
}
