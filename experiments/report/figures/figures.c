/* The figures of a report. Each is a script NAME.gp with its data beside it in NAME.dat, and can be drawn
 * again by hand: style.gp, which all of them read, lies in the same folder. No letter is smaller than 14
 * pixels in a figure of 640. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ACCESS }; /* of the kinds */

static const char style[] =
#include "experiments/report/figures/style.inc"
    ;

static int write_plot (sd_plot *p, const char *dir, sd_error *err) {
  char file[80], drawn[4200];
  static const char *const ending[] = { "svg", "pdf" };
  for (unsigned i = 0; i < 2; i++) { /* an older figure would otherwise pass for this one */
    snprintf (drawn, sizeof drawn, "%s/%s.%s", dir, p->name, ending[i]);
    unlink (drawn);
  }
  sd_put (&p->gp,
          "\neval finished\n"
          "# the same for paper\nif (strstrt (GPVAL_TERMINALS, 'pdfcairo')) {\n"
          "  set terminal pdfcairo noenhanced size %.2fin,%.2fin font 'sans-serif,11'\n"
          "  set output '%s.pdf'\n  replot\n  unset output\n}\n",
          p->width / 96., p->height / 96., p->name);
  snprintf (file, sizeof file, "%s.dat", p->name);
  SD_TRY (sd_write_file (dir, file, &p->dat, err));
  snprintf (file, sizeof file, "%s.gp", p->name);
  return sd_write_file (dir, file, &p->gp, err);
}

static int write_style (const char *dir, sd_error *err) {
  sd_buf text = { 0 };
  sd_buf_append (&text, style, sizeof style - 1);
  const int status = sd_write_file (dir, "style.gp", &text, err);
  sd_buf_free (&text);
  return status;
}

/* The figure stays if there were enough rows for it. */
static int end_figure (sd_plot *p, const char *dir, int status, sd_figures *out, sd_error *err) {
  sd_figure *f = &out->figure[out->n];
  if (status == SD_OK && p->gp.len) {
    status = write_plot (p, dir, err);
    snprintf (f->name, sizeof f->name, "%s", p->name);
    snprintf (f->script, sizeof f->script, "%s.gp", p->name);
    f->wide = p->width > SD_PLOT_WIDTH;
    out->n++;
  }
  sd_plot_free (p);
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

static int make_figure (const sd_rowsums *all, size_t subject, unsigned kind, bool narrow, const char *dir,
                        sd_figures *out, sd_error *err) {
  static const char *const name[SD_FIGURES] = { [ACCESS] = "access", "size", "latency", "orders", "heat" };
  static int (*const put[SD_FIGURES]) (sd_plot *, const sd_rowsums *, size_t, sd_figure *,
                                       sd_error *) = { sd_put_access, sd_put_size, sd_put_latency,
                                                       sd_put_orders, sd_put_heat };
  sd_figure *f = &out->figure[out->n];
  char table[48], metric[16];
  sd_plot p = { .narrow = narrow };
  name_table (all, subject, table, sizeof table);
  sd_file_part (all->subject[subject].metric, metric, sizeof metric);
  snprintf (p.name, sizeof p.name, "%s_%.40s_%s%s", name[kind], table, metric, narrow ? "_narrow" : "");
  f->subject = narrow ? SD_NARROW : subject;
  const int status = put[kind](&p, all, subject, f, err);
  return end_figure (&p, dir, status, out, err);
}

static int make_staircase (sd_query *q, enum sd_metric metric, const char *dir, sd_figures *out,
                           sd_error *err) {
  sd_figure *f = &out->figure[out->n];
  sd_plot p = { .sets = 0 };
  snprintf (p.name, sizeof p.name, "staircase_%s", sd_metrics[metric].name);
  f->subject = SD_ALL_TABLES;
  const int status = sd_put_staircase (&p, q, metric, f, err);
  return end_figure (&p, dir, status, out, err);
}

int sd_figures_make (const sd_rowsums *all, sd_query *q, const char *dir, const char *gnuplot,
                     sd_figures *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  const size_t most = (SD_FIGURES + 1) * all->nsubjects + SD_METRICS; /* access has a narrow drawing, too */
  out->figure = sd_alloc0 (most, sizeof *out->figure);
  int status = out->figure ? write_style (dir, err) : sd_fail_memory (err, most * sizeof *out->figure);
  for (unsigned m = 0; m < SD_METRICS && status == SD_OK; m++)
    status = make_staircase (q, (enum sd_metric) m, dir, out, err);
  for (unsigned kind = 0; kind < SD_FIGURES; kind++)
    for (size_t s = 0; s < all->nsubjects && status == SD_OK; s++)
      status = make_figure (all, s, kind, false, dir, out, err);
  for (size_t s = 0; s < all->nsubjects && status == SD_OK; s++)
    status = make_figure (all, s, ACCESS, true, dir, out, err);
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
