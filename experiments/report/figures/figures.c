/* Figures by gnuplot: each is a script NAME.gp with its data beside it in NAME.dat, and can be drawn again by
 * hand. Scripts hold no text of a row but through sd_put_gnuplot. The paper is white, so that a figure can be
 * read wherever it is shown alone; on the page, which follows the reader's light or dark, style takes paper
 * and ink over. No letter is smaller than 14 pixels in a figure of 640, which a page shows at four fifths of
 * its size at least. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char sd_plot_times[] =
    "'1 ns' 1, '10 ns' 10, '100 ns' 100, '1 us' 1e3, '10 us' 1e4, '100 us' 1e5, '1 ms' 1e6, '10 ms' 1e7, "
    "'100 ms' 1e8, '1 s' 1e9";
enum { WIDTH = SD_PLOT_WIDTH, WIDE = 1000 };

unsigned sd_plot_height (unsigned rows_of_key) {
  return 440 + 20 * rows_of_key;
}

void sd_plot_head (sd_plot *p, const char *title, unsigned width, unsigned height) {
  p->width = width;
  p->height = height;
  sd_put (&p->gp, "# run gnuplot in this folder to draw the figure again\nreset\n");
  sd_put (
      &p->gp,
      "set terminal svg size %u,%u dynamic noenhanced background rgb 'white' font 'sans-serif,14' name '%s'\n",
      width, p->height, p->name);
  sd_put (&p->gp, "set output '%s.svg'\nset title ", p->name);
  sd_put_gnuplot (&p->gp, title);
  sd_put (&p->gp, "\nset datafile missing '?'\nset border 3 lw 0.8\nset tics nomirror\n"
                  "set grid ytics lt 1 lc rgb '#9aa4b1' lw 0.4\n"
                  "set key bmargin center horizontal\n");
}

static void put_block_axis (sd_plot *p, const sd_curves *c) {
  static const char *const unit[] = { "", " k", " M", " G" };
  sd_put (&p->gp,
          "set logscale x 2\nset xlabel 'slots in a block' offset 0,0.6\nset xrange [%.6g:%.6g]\nset xtics (",
          c->from / 1.25, c->to * 1.25);
  for (unsigned k = 0; k < 40; k += 2)
    sd_put (&p->gp, "%s'%u%s' %llu", k ? ", " : "", 1u << (k % 10), unit[k / 10], 1ull << k);
  sd_put (&p->gp, ")\n");
}

void sd_plot_set (sd_plot *p, const char *label) {
  sd_put (&p->dat, "%s# ", p->sets++ ? "\n\n" : "");
  sd_put_gnuplot (&p->dat, label);
  sd_put (&p->dat, "\n");
}

void sd_plot_number (sd_buf *b, double v) {
  if (v > 0)
    sd_put (b, " %.6g", v);
  else
    sd_put (b, " ?");
}

bool sd_bounds_of (const sd_rowsum *l, double ns, size_t low, size_t high, double out[2]) {
  out[0] = sd_rowsum_of (l, SD_MEAN, low, false);
  out[1] = sd_rowsum_of (l, SD_MEAN, high, false);
  if (out[0] > 0 && out[0] <= ns && out[1] >= ns)
    return true;
  out[0] = out[1] = ns;
  return false;
}

/* A median and its bounds; low, high: offsets in a row. */
static void put_time (sd_plot *p, double ns, const sd_rowsum *l, size_t low, size_t high) {
  double bound[2];
  sd_bounds_of (l, ns, low, high, bound);
  sd_plot_number (&p->dat, ns);
  sd_plot_number (&p->dat, bound[0]);
  sd_plot_number (&p->dat, bound[1]);
}

/* The points of a curve; of a flat one both ends of the figure, and the place where it was measured if it has
 * one. */
static void put_curve (sd_plot *p, const sd_curves *all, const sd_curve *c, bool timed) {
  double at[3] = { all->from, 0, all->to };
  sd_plot_set (p, c->label);
  if (c->flat && c->line[0]->row->block)
    at[1] = c->line[0]->slots_per_block;
  for (unsigned i = 0; i < (c->flat ? 3 : c->n); i++) {
    const sd_rowsum *l = c->line[c->flat ? 0 : i];
    if (c->flat && !(at[i] > 0))
      continue;
    sd_put (&p->dat, "%.6g", c->flat ? at[i] : l->slots_per_block);
    if (timed) {
      put_time (p, l->probe_ns, l, offsetof (sd_row, probe_low_ns), offsetof (sd_row, probe_high_ns));
      put_time (p, l->get_ns, l, offsetof (sd_row, get_low_ns), offsetof (sd_row, get_high_ns));
    } else
      sd_plot_number (&p->dat, (double) l->best / 1000);
    sd_put (&p->dat, "\n");
  }
}

void sd_plot_entry (sd_plot *p, unsigned set, const char *columns, const char *look, sd_style style,
                    const char *label) {
  sd_put (&p->gp, "%s'%s.dat' index %u using %s with %s", p->entries++ ? ", \\\n  " : "", p->name, set,
          columns, look);
  if (style.mark)
    sd_put (&p->gp, " pt %u ps 0.8", style.mark);
  sd_put (&p->gp, " lc rgb '%s' title ", style.colour);
  sd_put_gnuplot (&p->gp, label);
}

/* ---------------------------------------------------------------------- sizes */

void sd_plot_ticks (sd_plot *p, char axis, double least, double most) {
  static const double fine[] = { 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 }, middle[] = { 1, 2, 5 };
  const double *step = most < 8 * least ? fine : middle;
  const unsigned steps = most < 8 * least ? sizeof fine / sizeof *fine : most < 100 * least ? 3 : 1;
  bool any = false;
  sd_put (&p->gp, "set logscale %c\nset %crange [%.6g:%.6g]\nset %ctics (", axis, axis, least, most, axis);
  for (int e = -3; e < 12; e++)
    for (unsigned k = 0; k < steps; k++) {
      const double v = step[k] * pow (10, e);
      if (v < least || v > most)
        continue;
      sd_put (&p->gp, "%s'%.10g' %.10g", any ? ", " : "", v, v);
      any = true;
    }
  sd_put (&p->gp, ")\n");
}

/* From zero, unless the largest would press all others to the ground. */
static void put_size_axis (sd_plot *p, const sd_curves *c) {
  double least = 0, most = 0;
  for (unsigned k = 0; k < c->n; k++)
    for (unsigned i = 0; i < c->curve[k].n; i++) {
      const double v = (double) c->curve[k].line[i]->best / 1000;
      least = least == 0 || v < least ? v : least;
      most = v > most ? v : most;
    }
  if (least > 0 && most > 6 * least)
    sd_plot_ticks (p, 'y', least / 1.3, most * 1.3);
  else
    sd_put (&p->gp, "set yrange [0:*]\n");
}

/* Is there something to see from left to right? One block of compressed bytes holds now more slots, now
 * fewer. */
static bool several_blocks (const sd_curves *c) {
  return c->n > 0 && c->to > 1.5 * c->from;
}

static const char *sides_text (const sd_rowsums *all, size_t subject) {
  return all->subject[subject].sides == 2 ? "both sides" : "one side";
}

static void put_caption (sd_figure *f, const char *what, const sd_curves *c) {
  snprintf (f->caption, sizeof f->caption, "%s%s%s", what,
            c->nflat ? " Horizontal: coders without blocks, or measured with one block size." : "",
            c->left_out);
}

static int put_size (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err) {
  sd_curves c;
  char title[120];
  SD_TRY (sd_curves_make (all, subject, false, &c, err));
  if (several_blocks (&c)) {
    snprintf (title, sizeof title, "%s: size of %s, thousand bytes", all->subject[subject].title,
              sides_text (all, subject));
    sd_plot_head (p, title, WIDTH, sd_plot_height ((c.n + 1) / 2));
    put_block_axis (p, &c);
    put_size_axis (p, &c);
    sd_put (&p->gp, "set ylabel 'thousand bytes, %s'\nplot ", sides_text (all, subject));
    for (unsigned k = 0; k < c.n; k++) {
      const sd_row *r = c.curve[k].line[0]->row;
      const bool none = strcmp (r->freedom, "none") == 0;
      put_curve (p, &c, &c.curve[k], false);
      sd_plot_entry (p, k, "1:2", none ? "linespoints lw 1.4 dt 2" : "linespoints lw 2.2",
                     sd_style_of (all, c.curve[k].line[0]), c.curve[k].label);
    }
    put_caption (
        f,
        "size against block size; each point is the smallest row of its kind. Short blocks make an access fast; "
        "coders without a dictionary for the whole file pay for it.",
        &c);
  }
  sd_curves_free (&c);
  return SD_OK;
}

/* -------------------------------------------------------------------- latency */

static void put_latency_entry (sd_plot *p, const sd_rowsums *all, const sd_curves *c, unsigned k) {
  const sd_curve *v = &c->curve[k];
  const sd_style style = sd_style_of (all, v->line[0]);
  char label[sizeof v->label + 20];
  bool probes = false, symbols = false;
  for (unsigned i = 0; i < v->n; i++) {
    probes = probes || v->line[i]->probe_ns > 0;
    symbols = symbols || v->line[i]->get_ns > 0;
  }
  put_curve (p, c, v, true);
  if (probes) {
    snprintf (label, sizeof label, "%s, probe", v->label);
    sd_plot_entry (p, k, "1:2:3:4", "yerrorlines lw 2.2", style, label);
  }
  if (symbols) {
    snprintf (label, sizeof label, "%s, one symbol", v->label);
    sd_plot_entry (p, k, "1:5:6:7", "yerrorlines lw 1.4 dt 2", style, label);
  }
}

static int put_latency (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err) {
  sd_curves c;
  char title[120];
  SD_TRY (sd_curves_make (all, subject, true, &c, err));
  if (several_blocks (&c)) {
    snprintf (title, sizeof title, "%s: median time of one access", all->subject[subject].title);
    sd_plot_head (p, title, WIDTH, sd_plot_height (c.n));
    put_block_axis (p, &c);
    sd_put (&p->gp, "set logscale y\nset ylabel 'median time of one access'\nset ytics (%s)\nplot ",
            sd_plot_times);
    for (unsigned k = 0; k < c.n; k++)
      put_latency_entry (p, all, &c, k);
    put_caption (
        f, "median time of one access against block size, both axes logarithmic. Bars: the median with 95 %.",
        &c);
  }
  sd_curves_free (&c);
  return SD_OK;
}

/* --------------------------------------------------------------------- orders */

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
  sd_put (&p->dat, " %.3f %.3f %.3f\n", (double) side[0] / 1000, (double) side[1] / 1000,
          (double) b->off / 1000);
}

/* Have all orders a row with nothing free, too, and do these leave the bars to be seen? */
static bool has_crosses (const sd_rowsum *l, const bar *bars, unsigned n) {
  uint64_t most = 0;
  bool all = strcmp (l->row->freedom, "none") != 0;
  for (unsigned k = 0; k < n; k++) {
    all = all && bars[k].off;
    most = bars[k].off > most ? bars[k].off : most;
  }
  return all && most <= 4 * bars[n - 1].sum;
}

static void draw_bars (sd_plot *p, const sd_rowsum *l, const bar *bars, unsigned n, unsigned total,
                       bool off) {
  const unsigned step = (n + MAX_LABELS - 1) / MAX_LABELS;
  char title[SD_TABLE_TEXT + 136];
  snprintf (title, sizeof title, "%s %s: thousand bytes over %u piece orders (%s)", l->row->table,
            sd_metric_title (l->row->metric), total, l->row->codec);
  sd_plot_head (p, title, n > NARROW_BARS ? WIDE : WIDTH, sd_plot_height (3));
  sd_put (&p->gp, "set ylabel 'thousand bytes'\nset yrange [0:*]\nset style data histograms\n"
                  "set style histogram rowstacked\nset style fill solid 0.85 noborder\nset boxwidth 0.72\n"
                  "set xtics rotate by 90 right font 'monospace,14'\n");
  if (step == 1)
    sd_put (&p->gp, "set xlabel 'piece order' offset 0,0.6\nplot ");
  else
    sd_put (&p->gp, "set xlabel 'piece order; each %u. is named' offset 0,0.6\nplot ", step);
  sd_plot_set (p, "order, White to move, Black to move, both with nothing free: thousand bytes");
  for (unsigned k = 0; k < n; k++)
    put_bar (p, &bars[k], k % step == 0);
  sd_plot_entry (p, 0, "2:xtic(1)", "histograms", (sd_style){ "#2f7de1", 0 },
                 l->row->side[1] ? "both in one stream" : "White to move");
  if (l->side[1].n)
    sd_plot_entry (p, 0, "3", "histograms", (sd_style){ "#8fb8ee", 0 }, "Black to move");
  if (off)
    sd_plot_entry (p, 0, "0:4", "points lw 1.6", (sd_style){ "#d9822b", 2 },
                   l->nsides == 2 ? "both, nothing free" : "nothing free");
}

static int put_orders (sd_plot *p, const sd_rowsums *all, size_t subject, sd_figure *f, sd_error *err) {
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
    const bool off = has_crosses (l, bars, n);
    sd_rowsum_label (l, label, sizeof label);
    draw_bars (p, l, bars, n, total, off);
    if (n < total)
      snprintf (drawn, sizeof drawn, " %u of the %u orders are drawn, evenly through the list.", n, total);
    if (sweeps > 1)
      snprintf (others, sizeof others, " All %u lines over several orders are in the table of piece orders.",
                sweeps);
    snprintf (f->caption, sizeof f->caption, "size over the orders of the pieces with %.120s, sorted%s.%s%s",
              label, off ? "; crosses are the same orders with nothing free" : "", drawn, others);
  }
  free (bars);
  return SD_OK;
}

/* ----------------------------------------------------------------------- all */

static int write_plot (sd_plot *p, const char *dir, sd_error *err) {
  char file[80], drawn[4200];
  static const char *const ending[] = { "svg", "pdf" };
  for (unsigned i = 0; i < 2; i++) { /* an older figure would otherwise pass for this one */
    snprintf (drawn, sizeof drawn, "%s/%s.%s", dir, p->name, ending[i]);
    unlink (drawn);
  }
  sd_put (&p->gp,
          "\nunset output\n"
          "# the same for paper\nif (strstrt (GPVAL_TERMINALS, 'pdfcairo')) {\n"
          "  set terminal pdfcairo noenhanced size %.2fin,%.2fin font 'sans-serif,10'\n"
          "  set output '%s.pdf'\n  replot\n  unset output\n}\n",
          p->width / 96., p->height / 96., p->name);
  snprintf (file, sizeof file, "%s.dat", p->name);
  SD_TRY (sd_write_file (dir, file, &p->dat, err));
  snprintf (file, sizeof file, "%s.gp", p->name);
  return sd_write_file (dir, file, &p->gp, err);
}

/* The figure stays if there were enough rows for it. */
static int end_figure (sd_plot *p, const char *dir, int status, sd_figures *out, sd_error *err) {
  sd_figure *f = &out->figure[out->n];
  if (status == SD_OK && p->gp.len) {
    status = write_plot (p, dir, err);
    snprintf (f->name, sizeof f->name, "%s", p->name);
    snprintf (f->script, sizeof f->script, "%s.gp", p->name);
    f->wide = p->width > WIDTH;
    out->n++;
  }
  sd_buf_free (&p->gp);
  sd_buf_free (&p->dat);
  return status;
}

/* The table's part of the names of figures. Of an array this is the name of its file without the folder.
 * gnuplot takes no hyphen in the name of a figure. */
static void file_part (const char *table, char *out, size_t cap) {
  const char *slash = strrchr (table, '/');
  sd_file_part (slash ? slash + 1 : table, out, cap);
  for (; *out; out++)
    if (*out == '-')
      *out = '_';
}

/* With a number where tables before it have the same part: their figures would lie in the same files. */
static void name_table (const sd_rowsums *all, size_t subject, char *out, size_t cap) {
  const sd_subject *s = &all->subject[subject];
  char own[25], other[sizeof own];
  size_t number = 1;
  file_part (s->table, own, sizeof own);
  for (size_t i = 0; i < subject; i++) {
    file_part (all->subject[i].table, other, sizeof other);
    number += strcmp (all->subject[i].metric, s->metric) == 0 && strcmp (own, other) == 0;
  }
  if (number == 1)
    snprintf (out, cap, "%s", own);
  else
    snprintf (out, cap, "%s_%zu", own, number);
}

static int make_figure (const sd_rowsums *all, size_t subject, unsigned kind, const char *dir,
                        sd_figures *out, sd_error *err) {
  static const char *const name[SD_FIGURES] = { "access", "size", "latency", "orders", "heat" };
  static int (*const put[SD_FIGURES]) (sd_plot *, const sd_rowsums *, size_t, sd_figure *,
                                       sd_error *) = { sd_put_access, put_size, put_latency, put_orders,
                                                       sd_put_heat };
  sd_figure *f = &out->figure[out->n];
  char table[48], metric[16];
  sd_plot p = { .sets = 0 };
  name_table (all, subject, table, sizeof table);
  sd_file_part (all->subject[subject].metric, metric, sizeof metric);
  snprintf (p.name, sizeof p.name, "%s_%.40s_%s", name[kind], table, metric);
  f->subject = subject;
  const int status = put[kind](&p, all, subject, f, err);
  return end_figure (&p, dir, status, out, err);
}

static int make_staircase (const sd_rowsums *all, enum sd_metric metric, const char *dir, sd_figures *out,
                           sd_error *err) {
  sd_figure *f = &out->figure[out->n];
  sd_plot p = { .sets = 0 };
  snprintf (p.name, sizeof p.name, "staircase_%s", sd_metrics[metric].name);
  f->subject = SIZE_MAX;
  const int status = sd_put_staircase (&p, all, metric, f, err);
  return end_figure (&p, dir, status, out, err);
}

int sd_figures_make (const sd_rowsums *all, const char *dir, const char *gnuplot, sd_figures *out,
                     sd_error *err) {
  memset (out, 0, sizeof *out);
  const size_t most = SD_FIGURES * all->nsubjects + SD_METRICS;
  out->figure = sd_alloc0 (most, sizeof *out->figure);
  int status = out->figure ? SD_OK : sd_fail_memory (err, most * sizeof *out->figure);
  for (unsigned m = 0; m < SD_METRICS && status == SD_OK; m++)
    status = make_staircase (all, (enum sd_metric) m, dir, out, err);
  for (unsigned kind = 0; kind < SD_FIGURES; kind++)
    for (size_t s = 0; s < all->nsubjects && status == SD_OK; s++)
      status = make_figure (all, s, kind, dir, out, err);
  if (status == SD_OK && out->n)
    status = sd_gnuplot (gnuplot, dir, out, err);
  else if (status == SD_OK)
    snprintf (out->why, sizeof out->why,
              "the rows hold neither times, nor several block sizes, nor several orders");
  return status;
}

void sd_figures_free (sd_figures *f) {
  free (f->figure);
  memset (f, 0, sizeof *f);
}
