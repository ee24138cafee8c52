/* Piece orders as bars, sorted by size: both sides to move on top of each other, and a hollow mark where the
 * same order takes with nothing free. Of more bars than can be drawn some from everywhere. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bar {
  const sd_row *row[2];
  uint64_t sum, off;
} bar;
enum { MAX_BARS = 120, MAX_LABELS = 48, NARROW_BARS = 26 };

static int by_sum (const void *a, const void *b) {
  const bar *x = a, *y = b;
  return x->sum < y->sum ? -1 : x->sum > y->sum;
}

/* The line that differs from l in its freedom only; NULL: none. */
static const sd_rowsum *line_with (const sd_rowsums *all, const sd_rowsum *l, const char *freedom) {
  const sd_subject *s = &all->subject[l->subject];
  const sd_row *k = l->row;
  for (size_t i = 0; i < s->nlines; i++) {
    const sd_row *r = s->line[i]->row;
    if (strcmp (r->group, k->group) == 0 && strcmp (r->coding, k->coding) == 0
        && strcmp (r->sides, k->sides) == 0 && strcmp (r->codec, k->codec) == 0
        && strcmp (r->settings, k->settings) == 0 && strcmp (r->freedom, freedom) == 0)
      return s->line[i];
  }
  return NULL;
}

/* The order sweep that is drawn: the smallest line with freedom if there is one. *n: how many there are. */
static const sd_rowsum *swept (const sd_rowsums *all, size_t subject, unsigned *n) {
  const sd_subject *s = &all->subject[subject];
  const sd_rowsum *best = NULL;
  *n = 0;
  for (size_t i = 0; i < s->nlines; i++) {
    const sd_rowsum *l = s->line[i];
    if (!l->varied)
      continue;
    ++*n;
    if (!best || (strcmp (best->row->freedom, "none") == 0) > (strcmp (l->row->freedom, "none") == 0)
        || (strcmp (best->row->freedom, l->row->freedom) == 0 && l->best < best->best))
      best = l;
  }
  return best;
}

/* A bar for each order that all sides have, by rising size; bars has room for one a row. The rows of an order
 * follow each other. */
static unsigned make_bars (const sd_rowsums *all, const sd_rowsum *l, bar *bars) {
  const sd_rowsum *none = line_with (all, l, "none");
  const unsigned streams = (l->side[0].n > 0) + (l->side[1].n > 0);
  unsigned n = 0, kept = 0;
  for (size_t i = 0; i < l->nrows; i++) {
    const sd_row *r = &l->row[i];
    const bool more = n && strcmp (bars[n - 1].row[0]->order, r->order) == 0
                      && strcmp (bars[n - 1].row[0]->numbering, r->numbering) == 0;
    bar *b = &bars[more ? n - 1 : n++];
    b->row[more] = r;
    b->sum += r->bytes;
  }
  for (unsigned k = 0; k < n; k++) {
    for (unsigned side = 0; none && side < 2; side++) {
      const sd_row *r = sd_rowsum_row (none, side, bars[k].row[0]);
      bars[k].off += r ? r->bytes : 0;
    }
    if ((bars[k].row[1] != NULL) == (streams == 2))
      bars[kept++] = bars[k];
  }
  qsort (bars, kept, sizeof *bars, by_sum);
  return kept;
}

/* Of more bars than can be drawn some from everywhere, the first and the last among them. */
static unsigned thin_bars (bar *bars, unsigned n) {
  if (n <= MAX_BARS)
    return n;
  for (unsigned k = 0; k < MAX_BARS; k++)
    bars[k] = bars[(uint64_t) k * (n - 1) / (MAX_BARS - 1)];
  return MAX_BARS;
}

static void put_bar (sd_plot *p, const bar *b, bool named) {
  uint64_t side[2] = { 0, 0 };
  char label[2 * SD_ORDER_TEXT + 4] = "";
  const bool rows = strcmp (b->row[0]->numbering, "rows") == 0;
  if (named)
    snprintf (label, sizeof label, "%s%s%s", b->row[0]->order, rows ? "" : ":",
              rows ? "" : b->row[0]->numbering);
  for (unsigned s = 0; s < 2; s++)
    if (b->row[s])
      side[b->row[s]->side[0] == 'b'] = b->row[s]->bytes;
  sd_put_gnuplot (&p->dat, label);
  sd_put (&p->dat, " %llu %llu %llu\n", (unsigned long long) side[0], (unsigned long long) side[1],
          (unsigned long long) b->off);
}

/* Have all orders a row with nothing free, too, and do these leave the bars to be seen? */
static bool has_marks (const sd_rowsum *l, const bar *bars, unsigned n) {
  uint64_t most = 0;
  bool all = strcmp (l->row->freedom, "none") != 0;
  for (unsigned k = 0; k < n; k++) {
    all = all && bars[k].off;
    most = bars[k].off > most ? bars[k].off : most;
  }
  return all && most <= 4 * bars[n - 1].sum;
}

/* Places for the names below the axis, which stand upright. */
static double longest_name (const bar *bars, unsigned n) {
  size_t most = 0;
  for (unsigned k = 0; k < n; k++) {
    const sd_row *r = bars[k].row[0];
    const size_t len = strlen (r->order) + (strcmp (r->numbering, "rows") ? 1 + strlen (r->numbering) : 0);
    most = len > most ? len : most;
  }
  return 8.6 * (double) most; /* a letter of monospace, 14 pixels */
}

static void put_axes (sd_plot *p, const sd_rowsum *l, const bar *bars, unsigned n, unsigned total) {
  const unsigned step = (n + MAX_LABELS - 1) / MAX_LABELS;
  const double names = longest_name (bars, n);
  char title[SD_TABLE_TEXT + 60], label[160], level[60] = "piece order", upright[sizeof label + 20];
  uint64_t most = bars[n - 1].sum;
  sd_box margin = sd_plot_margin;
  for (unsigned k = 0; k < n; k++)
    most = bars[k].off > most ? bars[k].off : most;
  sd_rowsum_label (l, label, sizeof label);
  snprintf (title, sizeof title, "%s %s: size over %u piece orders", l->row->table,
            sd_metric_title (l->row->metric), total);
  snprintf (upright, sizeof upright, "bytes, %.60s", label);
  if (step > 1)
    snprintf (level, sizeof level, "piece order; each %u. is named", step);
  margin.bottom = 44 + names;
  sd_plot_begin (p, &(sd_plot_words){ title, upright, level }, n > NARROW_BARS ? SD_PLOT_WIDE : SD_PLOT_WIDTH,
                 400 + (unsigned) names, margin);
  sd_put (&p->gp,
          "eval linear_ticks ('y', 'bytes', %llu)\nset yrange [0:%.6g]\nset style data histograms\n"
          "set style histogram rowstacked\nset style fill solid 0.9 noborder\nset boxwidth 0.72\n"
          "set xtics rotate by 90 right offset 0,0 font 'monospace,14'\n",
          (unsigned long long) most, 1.05 * (double) most);
}

static void draw_bars (sd_plot *p, const sd_rowsum *l, const bar *bars, unsigned n, bool off) {
  const unsigned step = (n + MAX_LABELS - 1) / MAX_LABELS;
  sd_plot_set (p, "order, White to move, Black to move, both with nothing free: bytes");
  for (unsigned k = 0; k < n; k++)
    put_bar (p, &bars[k], k % step == 0);
  sd_plot_legend (p, 5, "#2f7de1", l->row->side[1] ? "both in one stream" : "White to move");
  if (l->side[1].n)
    sd_plot_legend (p, 5, "#8fb8ee", "Black to move");
  if (off)
    sd_plot_legend (p, 6, "black", l->nsides == 2 ? "both, nothing free" : "nothing free");
  sd_plot_entry (p, 0, "2:xtic(1)", "histograms", "#2f7de1");
  if (l->side[1].n)
    sd_plot_entry (p, 0, "3", "histograms", "#8fb8ee");
  if (off) {
    sd_plot_entry (p, 0, "0:4", "points pt 7 ps 0.7", "white");
    sd_plot_entry (p, 0, "0:4", "points pt 6 ps 0.7 lw 1.4", "black");
  }
}

int sd_put_orders (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err) {
  unsigned sweeps;
  const sd_rowsum *l = swept (all, subject, &sweeps);
  if (!l)
    return SD_OK;
  bar *bars = sd_alloc0 (l->nrows, sizeof *bars);
  if (!bars)
    return sd_fail_memory (err, l->nrows * sizeof *bars);
  const unsigned total = make_bars (all, l, bars), n = thin_bars (bars, total);
  if (n > 1) {
    char drawn[80] = "", label[160], others[160] = "";
    const bool off = has_marks (l, bars, n);
    sd_rowsum_label (l, label, sizeof label);
    put_axes (p, l, bars, n, total);
    draw_bars (p, l, bars, n, off);
    if (n < total)
      snprintf (drawn, sizeof drawn, " %u of the %u orders are drawn, evenly through the list.", n, total);
    if (sweeps > 1)
      snprintf (others, sizeof others, " All %u lines over several orders are in the table of piece orders.",
                sweeps);
    snprintf (f->caption, sizeof f->caption, "size over the orders of the pieces with %.120s, sorted%s.%s%s",
              label, off ? "; hollow marks are the same orders with nothing free" : "", drawn, others);
  }
  free (bars);
  return SD_OK;
}
