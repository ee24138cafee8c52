/* A staircase: the groups of a sweep are numbered, "1-lzma", "2-order", ..., and each takes one step more
 * (papers/staircase). For each step its bytes by those of the first, and by those of the step before, as
 * geometric means over the tables, with their spread. A table takes part in a step where it has rows of it
 * and of the first. Cost: O(n log n) for n lines. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <ctype.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A line of a step: of lines of the same table the smallest counts. */
typedef struct entry {
  unsigned number;
  const sd_rowsum *line;
} entry;

/* The number in front of a group's name; 0: none. */
static unsigned step_of (const char *group) {
  char *end;
  const unsigned long n = isdigit ((unsigned char) *group) ? strtoul (group, &end, 10) : 0;
  return n > 0 && n < 1000 && *end == '-' && end[1] ? (unsigned) n : 0;
}

/* "3-free-wdl" -> "free". */
static void name_step (const sd_row *r, char *out, size_t cap) {
  const char *name = strchr (r->group, '-') + 1;
  size_t len = strlen (name), end = strlen (r->metric);
  if (len > end + 1 && name[len - end - 1] == '-' && strcmp (name + len - end, r->metric) == 0)
    len -= end + 1;
  snprintf (out, cap, "%.*s", (int) len, name);
}

static int by_step (const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  if (x->line->subject != y->line->subject)
    return x->line->subject < y->line->subject ? -1 : 1;
  if (x->line->best != y->line->best)
    return x->line->best < y->line->best ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

/* The lines of a metric that stand in numbered groups and are whole tables. */
static size_t collect (const sd_rowsums *all, const char *metric, entry *out) {
  size_t n = 0, kept = 0;
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *l = &all->line[i];
    const sd_subject *s = &all->subject[l->subject];
    const unsigned number = strcmp (s->metric, metric) == 0 ? step_of (l->row->group) : 0;
    if (number && l->best && (l->nsides == s->sides || strcmp (l->row->sides, "one") == 0))
      out[n++] = (entry){ number, l };
  }
  qsort (out, n, sizeof *out, by_step);
  for (size_t i = 0; i < n; i++)
    if (!kept || out[kept - 1].number != out[i].number || out[kept - 1].line->subject != out[i].line->subject)
      out[kept++] = out[i];
  return kept;
}

/* What has been seen of the tables so far, and room for a number a table. */
typedef struct work {
  const sd_rowsum **first, **before;
  double *log_ratio;
} work;

/* One step, of entry[0..n-1]. */
static void sum_step (const entry *at, size_t n, const work *w, sd_stair *out) {
  size_t m = 0;
  name_step (at[0].line->row, out->name, sizeof out->name);
  out->number = at[0].number;
  for (size_t i = 0; i < n; i++) {
    const sd_rowsum *l = at[i].line, **first = &w->first[l->subject], **before = &w->before[l->subject];
    if (!*first && out->is_first)
      *first = *before = l;
    if (!*first)
      continue;
    out->bytes += l->best;
    w->log_ratio[m++] = log ((double) l->best / (double) (*first)->best);
    sd_ratios_add (&out->time, l->get_ns, (*first)->get_ns, l);
    sd_ratios_add (&out->gain, (double) (*before)->best, (double) l->best, l);
    sd_ratios_add (&out->loss, (double) l->best, (double) (*before)->best, l);
    *before = l;
  }
  out->tables = m;
  if (m == 0)
    return;
  sd_ratios_bounds (w->log_ratio, m, out->bound);
  out->mean = exp (gsl_stats_mean (w->log_ratio, 1, m));
  gsl_sort (w->log_ratio, 1, m);
  for (unsigned q = 0; q < 5; q++)
    out->quartile[q] = exp (gsl_stats_quantile_from_sorted_data (w->log_ratio, 1, m, q / 4.));
}

static int sum_steps (const entry *at, size_t n, const work *w, sd_staircase *out, sd_error *err) {
  for (size_t i = 0, to; i < n; i = to) {
    for (to = i + 1; to < n && at[to].number == at[i].number;)
      to++;
    if (!sd_grow (&out->step, &out->cap, out->n + 1))
      return sd_fail_memory (err, out->n);
    out->step[out->n] = (sd_stair){ .is_first = out->n == 0, .bound = { NAN, NAN } };
    sum_step (at + i, to - i, w, &out->step[out->n]);
    out->n += out->step[out->n].tables > 0;
  }
  return SD_OK;
}

int sd_staircase_make (const sd_rowsums *all, const char *metric, sd_staircase *out, sd_error *err) {
  entry *at SD_OWNED = sd_alloc (all->n, sizeof *at);
  const sd_rowsum **seen SD_OWNED = sd_alloc0 (all->nsubjects, 2 * sizeof *seen);
  double *log_ratio SD_OWNED = sd_alloc (all->nsubjects, sizeof *log_ratio);
  *out = (sd_staircase){ .n = 0 };
  if (!at || !seen || !log_ratio)
    return sd_fail_memory (err, all->n * sizeof *at);
  const work w = { seen, seen + all->nsubjects, log_ratio };
  return sum_steps (at, collect (all, metric, at), &w, out, err);
}

void sd_staircase_free (sd_staircase *s) {
  free (s->step);
  *s = (sd_staircase){ .n = 0 };
}

/* ----------------------------------------------------------------------- table */

static const char *table_of (const sd_ratios *r) {
  const sd_rowsum *l = r->worst;
  return l ? l->row->table : "-";
}

static void put_step (sd_doc *d, const char *metric, const sd_stair *s, sd_buf *csv) {
  const double least = s->loss.n ? 1 / s->loss.most : NAN, most = s->gain.n ? s->gain.most : NAN;
  char number[24], tables[24], text[5][32], raw[9][32];
  snprintf (number, sizeof number, "%u", s->number);
  snprintf (tables, sizeof tables, "%zu", s->tables);
  sd_text_ratio (least, raw[0]);
  sd_text_ratio (most, raw[1]);
  sd_doc_row (d,
              (const char *[]){ number, s->name, tables, sd_text_count (s->bytes, text[0]),
                                sd_text_ratio (s->mean, text[1]), sd_text_bounds (s->bound, text[2]),
                                sd_text_ratio (sd_ratios_mean (&s->gain), text[3]), raw[0],
                                table_of (&s->loss), raw[1], table_of (&s->gain),
                                sd_text_ratio (sd_ratios_mean (&s->time), text[4]) },
              false);
  snprintf (raw[0], sizeof raw[0], "%llu", (unsigned long long) s->bytes);
  const double number_of[] = {
    s->mean, s->bound[0], s->bound[1], sd_ratios_mean (&s->gain), least, most, sd_ratios_mean (&s->time)
  };
  for (unsigned i = 0; i < 7; i++) {
    raw[i + 1][0] = '\0';
    if (isfinite (number_of[i]))
      snprintf (raw[i + 1], sizeof raw[0], "%.4f", number_of[i]);
  }
  sd_put_csv (csv,
              (const char *[]){ metric, number, s->name, tables, raw[0], raw[1], raw[2], raw[3], raw[4],
                                raw[5], table_of (&s->loss), raw[6], table_of (&s->gain), raw[7] },
              14);
}

int sd_report_staircase (sd_doc *d, const sd_rowsums *all, sd_buf *csv, sd_error *err) {
  static const char *const head[] = { "step",
                                      "what",
                                      "tables",
                                      "bytes",
                                      "by the first",
                                      "mean, 95 %",
                                      "gain",
                                      "least",
                                      "its table",
                                      "greatest",
                                      "its table",
                                      "time by the first" },
                           *const key[] = { "metric",         "step",         "what",        "tables",
                                            "bytes",          "by_first",     "low",         "high",
                                            "gain",           "least_gain",   "least_table", "greatest_gain",
                                            "greatest_table", "time_by_first" };
  for (unsigned m = 0; m < SD_METRICS; m++) {
    sd_staircase s SD_RELEASED_BY (sd_staircase_free) = { .n = 0 };
    SD_TRY (sd_staircase_make (all, sd_metrics[m].name, &s, err));
    if (s.n < 2)
      continue;
    if (!csv->len) {
      sd_put_csv (csv, key, 14);
      sd_doc_heading (d, 2, "Staircase");
      sd_doc_para (
          d,
          "The groups are numbered: each changes one thing more. Bytes of all sides of the tables that have the "
          "first step; by the first: the geometric mean over the tables of a step's bytes by those of the first "
          "step, and its bounds (bootstrap over the tables); gain: the bytes of the step before by "
          "those of this one (below 1: the step costs bytes), with the least and the greatest; time: of one slot (median), by that of the first "
          "step.");
    }
    sd_doc_heading (d, 3, sd_metrics[m].title);
    sd_doc_table (d, "rlrrrrrrlrlr", head);
    for (size_t i = 0; i < s.n; i++)
      put_step (d, sd_metrics[m].name, &s.step[i], csv);
    sd_doc_table_end (d);
  }
  return SD_OK;
}

/* ---------------------------------------------------------------------- figure */

/* A step a row, from above to below: the names have room on the left. */
static void put_rows (sd_plot *p, const sd_staircase *s) {
  sd_put (&p->gp, "set ytics scale 0 (");
  sd_plot_set (p, "step, the mean, its bounds, least, quartiles, most: bytes in per cent of the first step");
  for (size_t i = 0; i < s->n; i++) {
    const sd_stair *t = &s->step[i];
    char label[80];
    snprintf (label, sizeof label, "%u %s", t->number, t->name);
    sd_put (&p->gp, "%s", i ? ", " : "");
    sd_put_gnuplot (&p->gp, label);
    sd_put (&p->gp, " %zu", i);
    sd_put (&p->dat, "%zu", i);
    sd_plot_number (&p->dat, 100 * t->mean);
    for (unsigned k = 0; k < 2; k++)
      sd_plot_number (&p->dat, isfinite (t->bound[k]) ? 100 * t->bound[k] : 100 * t->mean);
    for (unsigned q = 0; q < 5; q++)
      sd_plot_number (&p->dat, 100 * t->quartile[q]);
    sd_put (&p->dat, "\n");
  }
  sd_put (&p->gp, ")\nset yrange [%zu.6:-0.6]\nset grid noytics xtics\n", s->n - 1);
}

static void draw (sd_plot *p, const sd_staircase *s) {
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < s->n; i++) {
    least = fmin (least, s->step[i].quartile[0]);
    most = fmax (most, s->step[i].quartile[4]);
  }
  put_rows (p, s);
  sd_plot_axis (p, 'x', "per cent", 100 * least, 100 * most);
  sd_plot_legend_line (p, 1, false, "#7a818c", "least to most");
  sd_plot_legend_line (p, 7, false, "#8fb8ee", "middle half");
  sd_plot_legend (p, 7, "#2f7de1", "geometric mean, 95 %");
  sd_plot_entry (p, 0, "5:1:($9-$5):(0)", "vectors nohead lw 1", "#7a818c");
  sd_plot_entry (p, 0, "6:1:($8-$6):(0)", "vectors nohead lw 7", "#8fb8ee");
  sd_plot_entry (p, 0, "2:1:3:4", "xerrorbars pt 7 ps 0.8 lw 1.6", "#2f7de1");
}

int sd_put_staircase (sd_plot *p, const sd_rowsums *all, enum sd_metric metric, sd_figure *f, sd_error *err) {
  sd_staircase s SD_RELEASED_BY (sd_staircase_free) = { .n = 0 };
  char title[120];
  double name = 0;
  SD_TRY (sd_staircase_make (all, sd_metrics[metric].name, &s, err));
  if (s.n < 2)
    return SD_OK;
  snprintf (title, sizeof title, "%s: what each step takes off, %zu tables", sd_metrics[metric].title,
            s.step[0].tables);
  for (size_t i = 0; i < s.n; i++)
    name = fmax (name, sd_label_width (s.step[i].name));
  sd_plot_begin (p, &(sd_plot_words){ title, "step", "bytes, per cent of those of the first step" },
                 SD_PLOT_WIDTH, 160 + 28 * (unsigned) s.n, (sd_box){ name + 50, 96, 24, 64 });
  draw (p, &s);
  snprintf (
      f->caption, sizeof f->caption,
      "%s: staircase of gains, bytes of each step in per cent of those of the first step: geometric mean over the tables "
      "with its bounds (95 %%), quartiles, least and most.",
      sd_metrics[metric].title);
  return SD_OK;
}
