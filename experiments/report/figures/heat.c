/* A heat map of all piece orders (Zakharov 2015, 1.3): a row for each stream of each choice of coding that
 * was measured in several orders, a column for each order, sorted by what it takes in the mean over the rows.
 * A place is as dark as the order's bytes are many times the row's best. So one sees whether the same orders
 * win for both sides to move and under every codec. Cost: O(n log n) for n rows of the subject. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STREAMS = 24, MAX_COLUMNS = 240, MAX_NAMES = 48, ROW_HEIGHT = 26, SCALE_HEIGHT = 150 };

typedef struct column {
  const sd_row *row; /* one of this order */
  double logs;       /* sum of the logarithms of its bytes in units of the stream's best */
  unsigned n;        /* streams that have it */
} column;
typedef struct stream {
  const sd_rowsum *line;
  unsigned side;
} stream;
typedef struct heat {
  stream of[MAX_STREAMS];
  unsigned streams, left_out;
  column *at; /* first one a row, then one an order */
  uint64_t n, cap;
  double most; /* the largest ratio of all */
} heat;

/* The bytes of a row in units of its stream's best; 0: of no bytes. */
static double ratio (const stream *s, const sd_row *r) {
  const uint64_t least = s->line->side[s->side].best->bytes;
  return least ? (double) r->bytes / (double) least : 0;
}

static int add_stream (heat *h, const sd_rowsum *line, unsigned side, sd_error *err) {
  if (h->streams == MAX_STREAMS) {
    h->left_out++;
    return SD_OK;
  }
  const stream *s = &h->of[h->streams++];
  h->of[h->streams - 1] = (stream){ line, side };
  for (size_t i = 0; i < line->nrows; i++) {
    const sd_row *r = &line->row[i];
    const double times = (r->side[0] == 'b') == side ? ratio (s, r) : 0;
    if (!(times > 0))
      continue;
    if (!sd_grow (&h->at, &h->cap, h->n + 1))
      return sd_fail_memory (err, 0);
    h->at[h->n++] = (column){ r, log (times), 1 };
    h->most = times > h->most ? times : h->most;
  }
  return SD_OK;
}

static int compare_orders (const sd_row *a, const sd_row *b) {
  const int order = strcmp (a->order, b->order);
  return order ? order : strcmp (a->numbering, b->numbering);
}

static int by_order (const void *a, const void *b) {
  const column *x = a, *y = b;
  return compare_orders (x->row, y->row);
}

/* The rows of an order become one column. */
static void join_orders (heat *h) {
  size_t n = 0;
  qsort (h->at, h->n, sizeof *h->at, by_order);
  for (size_t i = 0; i < h->n; i++)
    if (n && compare_orders (h->at[n - 1].row, h->at[i].row) == 0) {
      h->at[n - 1].logs += h->at[i].logs;
      h->at[n - 1].n++;
    } else
      h->at[n++] = h->at[i];
  h->n = n;
}

/* The best first; one that some streams lack behind all others. */
static int by_mean (const void *a, const void *b) {
  const column *x = a, *y = b;
  if (x->n != y->n)
    return x->n > y->n ? -1 : 1;
  return x->logs < y->logs ? -1 : x->logs > y->logs ? 1 : by_order (a, b);
}

static void put_names (sd_plot *p, const heat *h, size_t columns) {
  const size_t step = (columns + MAX_NAMES - 1) / MAX_NAMES;
  char label[200];
  sd_put (&p->gp, "set xtics rotate by 90 right offset 0,0 font 'monospace,14' (");
  for (size_t k = 0; k < columns; k += step) {
    const sd_row *r = h->at[k * (h->n - 1) / (columns - 1)].row;
    const bool rows = strcmp (r->numbering, "rows") == 0;
    snprintf (label, sizeof label, "%s%s%s", r->order, rows ? "" : ":", rows ? "" : r->numbering);
    sd_put (&p->gp, "%s", k ? ", " : "");
    sd_put_gnuplot (&p->gp, label);
    sd_put (&p->gp, " %zu", k);
  }
  sd_put (&p->gp, ")\n");
}

static void put_streams (sd_plot *p, const heat *h, size_t columns) {
  static const char *const mover[] = { "White", "Black" };
  char kind[160], label[200];
  sd_put (&p->gp, "set yrange [%u.5:-0.5]\nset ytics (", h->streams - 1);
  sd_plot_set (p, "a row for each stream, a column for each order: bytes by those of the row's best order");
  for (unsigned s = 0; s < h->streams; s++) {
    const sd_rowsum *l = h->of[s].line;
    const bool joint = !l->side[1].n && l->nsides == 2;
    sd_rowsum_label (l, kind, sizeof kind);
    snprintf (label, sizeof label, "%.60s, %s", kind, joint ? "both" : mover[h->of[s].side]);
    sd_put (&p->gp, "%s", s ? ", " : "");
    sd_put_gnuplot (&p->gp, label);
    sd_put (&p->gp, " %u", s);
    for (size_t k = 0; k < columns; k++) {
      const column *c = &h->at[k * (h->n - 1) / (columns - 1)];
      const sd_row *r = sd_rowsum_row (l, h->of[s].side, c->row);
      sd_plot_number (&p->dat, r ? ratio (&h->of[s], r) : 0);
    }
    sd_put (&p->dat, "\n");
  }
  sd_put (&p->gp, ")\n");
}

/* A scale on which more than its end is written. */
static void put_scale (sd_plot *p, double most) {
  enum { TICKS = 8 };
  static const struct {
    double most, tick[TICKS];
  } scale[] = { { 1.12, { 1, 1.02, 1.04, 1.06, 1.08, 1.1 } },
                { 1.6, { 1, 1.1, 1.2, 1.3, 1.4, 1.5 } },
                { 4, { 1, 1.25, 1.5, 2, 2.5, 3 } },
                { INFINITY, { 1, 2, 5, 10, 20, 50, 100, 1000 } } };
  unsigned k = 0;
  while (most > scale[k].most)
    k++;
  sd_put (&p->gp, "set logscale cb\nset cbrange [1:%.6g]\nset cbtics (", most > 1.02 ? most : 1.02);
  for (unsigned i = 0; i < TICKS && scale[k].tick[i] > 0; i++)
    sd_put (&p->gp, "%s'%.4g' %.4g", i ? ", " : "", scale[k].tick[i], scale[k].tick[i]);
  sd_put (&p->gp, ")\n");
}

static double wider (double w, const char *text, double letter) {
  const double own = letter * (double) strlen (text);
  return own > w ? own : w;
}

/* The names of streams on the left, those of orders below, a scale on the right. */
static sd_box margin_of (const heat *h) {
  char kind[160];
  double left = 0, below = 0;
  for (unsigned s = 0; s < h->streams; s++) {
    sd_rowsum_label (h->of[s].line, kind, sizeof kind);
    kind[60] = '\0';
    left = wider (left, kind, 8.2);
  }
  for (size_t k = 0; k < h->n; k++)
    below = wider (below, h->at[k].row->order, 8.6);
  return (sd_box){ left + 75, 72, 110, below + 48 };
}

static void draw (sd_plot *p, const sd_rowsums *all, size_t subject, const heat *h) {
  const size_t columns = h->n < MAX_COLUMNS ? h->n : MAX_COLUMNS;
  const sd_box margin = margin_of (h);
  char title[160], level[120];
  snprintf (title, sizeof title, "%s: all %zu piece orders", all->subject[subject].title, (size_t) h->n);
  snprintf (level, sizeof level, "piece order%s, the best in the mean on the left",
            columns > MAX_NAMES ? " (some are named)" : "");
  sd_plot_begin (p, &(sd_plot_words){ title, "bytes, times those of the best order of the row", level },
                 SD_PLOT_WIDE,
                 (unsigned) (margin.top + margin.bottom)
                     + (ROW_HEIGHT * h->streams > SCALE_HEIGHT ? ROW_HEIGHT * h->streams : SCALE_HEIGHT),
                 margin);
  put_names (p, h, columns);
  put_streams (p, h, columns);
  put_scale (p, h->most);
  sd_put (
      &p->gp,
      "unset grid\nunset key\nset border 0\nset xtics scale 0\nset ytics scale 0\nset xrange [-0.5:%zu.5]\n"
      "set palette defined (0 '#fff7e6', 0.15 '#f4b566', 0.5 '#c2452d', 1 '#3b0f2b')\n"
      "plot '%s.dat' matrix with image pixels",
      columns - 1, p->name);
}

int sd_put_heat (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err) {
  heat h = { .n = 0 };
  int status = SD_OK;
  const sd_subject *of = &all->subject[subject];
  for (size_t i = 0; i < of->nlines && status == SD_OK; i++)
    for (unsigned side = 0; side < 2 && status == SD_OK; side++)
      if (of->line[i]->varied && of->line[i]->side[side].n)
        status = add_stream (&h, of->line[i], side, err);
  if (h.n)
    join_orders (&h);
  if (status == SD_OK && h.streams > 1 && h.n > 2) {
    char left_out[80] = "";
    qsort (h.at, h.n, sizeof *h.at, by_mean);
    draw (p, all, subject, &h);
    if (h.left_out)
      snprintf (left_out, sizeof left_out, " %u more rows are in the table of piece orders.", h.left_out);
    snprintf (f->caption, sizeof f->caption,
              "all piece orders: each row is one stream, each place the bytes in that order by those in the "
              "row's best order. Light places are good orders.%s",
              left_out);
  }
  free (h.at);
  return status;
}
