/* Comparisons in pairs. Sizes of different tables differ by orders of magnitude, so each table is compared
 * with itself in the baseline, and what is averaged are the ratios (geometric mean). Beside them the worst
 * case. And the cells whose times are not to be relied on: their repeats differ too much. Cost: quadratic in
 * the lines. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void sd_ratios_add (sd_ratios *r, double of, double to, const void *whose) {
  if (!(of > 0) || !(to > 0))
    return;
  const double ratio = of / to;
  if (r->n == 0 || ratio > r->most) {
    r->most = ratio;
    r->worst = whose;
  }
  r->log_sum += log (ratio);
  r->n++;
}

double sd_ratios_mean (const sd_ratios *r) {
  return r->n ? exp (r->log_sum / (double) r->n) : NAN;
}

const char *sd_text_ratio (double v, char *out) {
  if (isfinite (v))
    snprintf (out, 32, "%.3f", v);
  else
    snprintf (out, 32, "-");
  return out;
}

/* ----------------------------------------------------------------------- pairs */

/* The same metric, coding, freedom, sides, codec and settings. */
static bool alike (const sd_row *a, const sd_row *b) {
  return strcmp (a->metric, b->metric) == 0 && strcmp (a->coding, b->coding) == 0
         && strcmp (a->freedom, b->freedom) == 0 && strcmp (a->sides, b->sides) == 0
         && strcmp (a->codec, b->codec) == 0 && strcmp (a->settings, b->settings) == 0;
}

/* Does the line take part? It holds all sides, and so does a baseline. */
static bool counts (const sd_rowsums *all, const sd_rowsum *l) {
  const sd_subject *s = &all->subject[l->subject];
  return s->plain && l->nsides == s->sides;
}

/* Of the lines of a table that are alike (of several groups) the smallest stands for them. */
static bool stands (const sd_rowsums *all, const sd_rowsum *l) {
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *o = &all->line[i];
    if (o != l && o->subject == l->subject && counts (all, o) && alike (o->row, l->row)
        && (o->best < l->best || (o->best == l->best && o < l)))
      return false;
  }
  return counts (all, l);
}

static void put_pair (const sd_rowsums *all, const sd_rowsum *l, sd_buf *csv) {
  const sd_subject *s = &all->subject[l->subject];
  const sd_row *r = l->row;
  char text[6][32] = { "", "", "", "", "", "" };
  snprintf (text[0], sizeof text[0], "%llu", (unsigned long long) l->best);
  snprintf (text[1], sizeof text[1], "%llu", (unsigned long long) s->plain);
  snprintf (text[2], sizeof text[2], "%.4f", (double) l->best / (double) s->plain);
  if (l->get_ns > 0)
    snprintf (text[3], sizeof text[3], "%.0f", l->get_ns);
  if (s->plain_ns > 0)
    snprintf (text[4], sizeof text[4], "%.0f", s->plain_ns);
  if (l->get_ns > 0 && s->plain_ns > 0)
    snprintf (text[5], sizeof text[5], "%.4f", l->get_ns / s->plain_ns);
  sd_put_csv (csv,
              (const char *[]){ r->metric, r->coding, r->sides, r->freedom, r->codec, r->settings, r->table,
                                text[0], text[1], text[2], text[3], text[4], text[5] },
              13);
}

static const char *worst_table (const sd_ratios *r) {
  const sd_rowsum *l = r->worst;
  return l ? l->row->table : "-";
}

/* One choice, all its tables; `first`: one of its lines. */
static void put_choice (sd_doc *d, const sd_rowsums *all, const sd_rowsum *first, sd_buf *csv) {
  sd_ratios bytes = { 0 }, time = { 0 };
  char label[160], n[24], text[4][32];
  for (const sd_rowsum *l = first; l < all->line + all->n; l++)
    if (alike (l->row, first->row) && stands (all, l)) {
      const sd_subject *s = &all->subject[l->subject];
      sd_ratios_add (&bytes, (double) l->best, (double) s->plain, l);
      sd_ratios_add (&time, l->get_ns, s->plain_ns, l);
      put_pair (all, l, csv);
    }
  sd_rowsum_label (all, first, label, sizeof label);
  snprintf (n, sizeof n, "%zu", bytes.n);
  sd_doc_row (d,
              (const char *[]){ sd_metric_title (first->row->metric), label, sd_rowsum_freedom (first), n,
                                sd_text_ratio (sd_ratios_mean (&bytes), text[0]),
                                sd_text_ratio (bytes.most, text[1]), worst_table (&bytes),
                                sd_text_ratio (sd_ratios_mean (&time), text[2]),
                                sd_text_ratio (time.n ? time.most : NAN, text[3]), worst_table (&time) },
              false);
}

int sd_report_pairs (sd_doc *d, const sd_rowsums *all, sd_buf *csv, sd_error *err) {
  static const char *const head[] = { "metric",      "coder",        "free symbols", "tables",
                                      "bytes, mean", "bytes, worst", "its table",    "time, mean",
                                      "time, worst", "its table" };
  static const char *const key[] = { "metric",         "coding",      "sides",  "freedom",
                                     "codec",          "settings",    "table",  "bytes",
                                     "baseline_bytes", "bytes_ratio", "get_ns", "baseline_get_ns",
                                     "get_ratio" };
  bool *done = sd_alloc0 (all->n + 1, sizeof *done);
  if (!done)
    return sd_fail_memory (err, all->n);
  sd_put_csv (csv, key, 13);
  if (all->baseline.any) {
    sd_doc_heading (d, 2, "Compared in pairs");
    sd_doc_para (
        d,
        "Each table against itself in %s: its bytes, and its median time of one symbol, divided by those "
        "of the baseline (below 1: smaller, quicker). Mean: the geometric mean over the tables. Of several "
        "piece orders the best counts. pairs.csv has the ratios table by table.",
        all->baseline.text);
    sd_doc_table (d, "lllrrrlrrl", head);
    for (size_t i = 0; i < all->n; i++) {
      if (done[i] || !stands (all, &all->line[i]))
        continue;
      put_choice (d, all, &all->line[i], csv);
      for (size_t k = i; k < all->n; k++)
        done[k] = done[k] || alike (all->line[i].row, all->line[k].row);
    }
    sd_doc_table_end (d);
  }
  free (done);
  return SD_OK;
}

/* --------------------------------------------------------------------- scatter */

static void put_scatter (sd_doc *d, const sd_row *r, sd_buf *csv) {
  const bool probe = r->probe_scatter > SD_SCATTER && !(r->get_scatter >= r->probe_scatter);
  const double ns = probe ? r->probe_ns : r->get_ns, scatter = probe ? r->probe_scatter : r->get_scatter;
  char time[32], by[32], number[32];
  snprintf (by, sizeof by, "%.2f", scatter);
  snprintf (number, sizeof number, "%.0f", ns);
  const char *what = probe ? "probe" : "symbol";
  sd_doc_row (d,
              (const char *[]){ r->table, r->metric, r->side, r->codec, r->settings, r->order, what,
                                sd_text_ns (ns, time), by },
              false);
  sd_put_csv (csv,
              (const char *[]){ r->group, r->table, r->metric, r->coding, r->side, r->freedom, r->codec,
                                r->settings, r->order, r->numbering, what, number, by },
              13);
}

void sd_report_scatter (sd_doc *d, const sd_rowsums *all, sd_buf *csv) {
  static const char *const head[] = { "table", "metric",   "side",
                                      "codec", "settings", "order",
                                      "what",  "median",   "repeats differ by" };
  static const char *const key[] = { "group",    "table", "metric",    "coding", "side", "freedom", "codec",
                                     "settings", "order", "numbering", "what",   "ns",   "scatter" };
  size_t n = 0, known = 0;
  sd_put_csv (csv, key, 13);
  for (size_t i = 0; i < all->nrows; i++) {
    const sd_row *r = &all->row[i];
    known += r->get_scatter > 0 || r->probe_scatter > 0;
    n += r->get_scatter > SD_SCATTER || r->probe_scatter > SD_SCATTER;
  }
  if (!known)
    return;
  sd_doc_heading (d, 3, "Times that scatter");
  sd_doc_para (
      d,
      "Each cell was timed several times, by turns with others. Of %zu of %zu cells the medians of two "
      "repeats differ by more than a factor of %.1f: their times should be taken again.",
      n, known, SD_SCATTER);
  if (!n)
    return;
  sd_doc_table (d, "lllllllrr", head);
  for (size_t i = 0; i < all->nrows; i++)
    if (all->row[i].get_scatter > SD_SCATTER || all->row[i].probe_scatter > SD_SCATTER)
      put_scatter (d, &all->row[i], csv);
  sd_doc_table_end (d);
}
