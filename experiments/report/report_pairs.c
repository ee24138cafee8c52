/* Comparisons in pairs. Sizes of different tables differ by orders of magnitude, so each table is compared
 * with itself in the baseline, and what is averaged are the ratios (geometric mean). Beside them the worst
 * case. A line in its best order gains by its order and by its codec; the ratio within the baseline's own
 * order is what the codec alone gains. The spread: a bootstrap interval of the geometric mean. And the cells
 * whose times are not to be relied on: their repeats differ too much. Cost: O(n log n) for n lines. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
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

/* Means of samples drawn anew from the logarithms. */
void sd_ratios_bounds (const double *log_ratio, size_t n, double bound[2]) {
  enum { DRAWS = 1000, FEWEST = 3 };
  double mean[DRAWS];
  gsl_rng *g = n >= FEWEST ? gsl_rng_alloc (gsl_rng_mt19937) : NULL;
  bound[0] = bound[1] = NAN;
  if (!g)
    return;
  gsl_rng_set (g, 1);
  for (unsigned d = 0; d < DRAWS; d++) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
      sum += log_ratio[gsl_rng_uniform_int (g, n)];
    mean[d] = sum / (double) n;
  }
  gsl_rng_free (g);
  gsl_sort (mean, 1, DRAWS);
  bound[0] = exp (gsl_stats_quantile_from_sorted_data (mean, 1, DRAWS, 0.025));
  bound[1] = exp (gsl_stats_quantile_from_sorted_data (mean, 1, DRAWS, 0.975));
}

const char *sd_text_bounds (const double bound[2], char *out) {
  if (isfinite (bound[0]) && isfinite (bound[1]))
    snprintf (out, 32, "%.3f to %.3f", bound[0], bound[1]);
  else
    snprintf (out, 32, "-");
  return out;
}

/* ----------------------------------------------------------------------- pairs */

/* Does the line take part? It holds all sides, and so does a baseline. */
static bool counts (const sd_rowsums *all, const sd_rowsum *l) {
  return l->plain_bytes && l->nsides == all->subject[l->subject].sides;
}

/* By choice, of a choice by table, of a table (lines of several groups) the smallest first. */
static int by_choice (const void *a, const void *b) {
  const sd_rowsum *x = *(const sd_rowsum *const *) a, *y = *(const sd_rowsum *const *) b;
  const uint32_t i = x->like[SD_ONE_CHOICE], k = y->like[SD_ONE_CHOICE];
  if (i != k)
    return i < k ? -1 : 1;
  if (x->subject != y->subject)
    return x->subject < y->subject ? -1 : 1;
  if (x->best != y->best)
    return x->best < y->best ? -1 : 1;
  return x < y ? -1 : x > y;
}

int sd_choices_make (const sd_rowsums *all, sd_choices *out, sd_error *err) {
  *out = (sd_choices){ .line = sd_alloc (all->n, sizeof (const sd_rowsum *)) };
  if (!out->line)
    return sd_fail_memory (err, all->n);
  size_t n = 0;
  for (size_t i = 0; i < all->n; i++)
    if (counts (all, &all->line[i]))
      out->line[n++] = &all->line[i];
  qsort (out->line, n, sizeof *out->line, by_choice);
  for (size_t i = 0; i < n; i++) { /* of a table and choice the first stands for all */
    const sd_rowsum *l = out->line[i], *last = out->n ? out->line[out->n - 1] : NULL;
    if (!last || last->subject != l->subject || last->like[SD_ONE_CHOICE] != l->like[SD_ONE_CHOICE])
      out->line[out->n++] = l;
  }
  return SD_OK;
}

void sd_choices_free (sd_choices *c) {
  free (c->line);
}

size_t sd_choices_end (const sd_choices *c, size_t from) {
  size_t to = from;
  while (to < c->n && c->line[to]->like[SD_ONE_CHOICE] == c->line[from]->like[SD_ONE_CHOICE])
    to++;
  return to;
}

/* Bytes of a line in the order that its baseline has; 0: it was not measured in it. */
static uint64_t bytes_in_same_order (const sd_rowsum *l) {
  uint64_t sum = 0;
  for (unsigned side = 0; side < 2; side++) {
    const sd_row *plain = l->plain->row[side];
    if (!plain)
      continue;
    const sd_row *r = sd_rowsum_row (l, plain->side[0] == 'b', plain);
    if (!r || strcmp (r->side, plain->side))
      return 0;
    sum += r->bytes;
  }
  return sum;
}

/* "": a value that is not there. */
static void put_known (char *out, const char *form, double v) {
  out[0] = '\0';
  if (v > 0)
    snprintf (out, 32, form, v);
}

static void put_pair (const sd_rowsum *l, sd_buf *csv) {
  const sd_row *r = l->row;
  const double bytes = (double) l->best, same = (double) bytes_in_same_order (l),
               plain = (double) l->plain_bytes, ns = l->plain->ns;
  char text[8][32];
  put_known (text[0], "%.0f", bytes);
  put_known (text[1], "%.0f", plain);
  put_known (text[2], "%.4f", bytes / plain);
  put_known (text[3], "%.0f", same);
  put_known (text[4], "%.4f", same / plain);
  put_known (text[5], "%.0f", l->get_ns);
  put_known (text[6], "%.0f", ns);
  put_known (text[7], "%.4f", l->get_ns / ns);
  sd_put_csv (csv,
              (const char *[]){ r->metric, r->coding, r->sides, r->freedom, r->codec, r->settings, r->table,
                                text[0], text[1], text[2], text[3], text[4], text[5], text[6], text[7] },
              15);
}

static const char *worst_table (const sd_ratios *r) {
  const sd_rowsum *l = r->worst;
  return l ? l->row->table : "-";
}

/* The lines of one choice, a table each. */
static void put_choice (sd_doc *d, const sd_rowsum *const *line, size_t n, double *work, sd_buf *csv) {
  sd_ratios bytes = { 0 }, same = { 0 }, time = { 0 };
  double *log_time = work + n, bound[2][2];
  char label[160], count[24], alone[24], text[7][32];
  size_t timed = 0;
  for (size_t i = 0; i < n; i++) {
    const sd_rowsum *l = line[i];
    const double plain = (double) l->plain_bytes, ns = l->plain->ns;
    sd_ratios_add (&bytes, (double) l->best, plain, l);
    sd_ratios_add (&same, (double) bytes_in_same_order (l), plain, l);
    sd_ratios_add (&time, l->get_ns, ns, l);
    work[i] = log ((double) l->best / plain);
    if (l->get_ns > 0 && ns > 0)
      log_time[timed++] = log (l->get_ns / ns);
    put_pair (l, csv);
  }
  sd_ratios_bounds (work, n, bound[0]);
  sd_ratios_bounds (log_time, timed, bound[1]);
  sd_rowsum_label (line[0], label, sizeof label);
  snprintf (count, sizeof count, "%zu", bytes.n);
  snprintf (alone, sizeof alone, "%zu", same.n);
  sd_doc_row (
      d,
      (const char *[]){ sd_metric_title (line[0]->row->metric), label, sd_rowsum_freedom (line[0]), count,
                        sd_text_ratio (sd_ratios_mean (&bytes), text[0]), sd_text_bounds (bound[0], text[1]),
                        sd_text_ratio (sd_ratios_mean (&same), text[2]), alone,
                        sd_text_ratio (bytes.most, text[3]), worst_table (&bytes),
                        sd_text_ratio (sd_ratios_mean (&time), text[4]), sd_text_bounds (bound[1], text[5]),
                        sd_text_ratio (time.n ? time.most : NAN, text[6]), worst_table (&time) },
      false);
}

static int put_choices (sd_doc *d, const sd_rowsums *all, sd_buf *csv, sd_error *err) {
  sd_choices c SD_RELEASED_BY (sd_choices_free) = { .n = 0 };
  double *work SD_OWNED = sd_alloc (all->nsubjects, 2 * sizeof *work); /* a choice has a line a subject */
  SD_TRY (sd_choices_make (all, &c, err));
  if (!work)
    return sd_fail_memory (err, all->nsubjects * sizeof *work);
  for (size_t i = 0, to; i < c.n; i = to) {
    to = sd_choices_end (&c, i);
    put_choice (d, c.line + i, to - i, work, csv);
  }
  return SD_OK;
}

int sd_report_pairs (sd_doc *d, const sd_rowsums *all, sd_buf *csv, sd_error *err) {
  static const char *const head[] = { "metric",           "codec",           "free slots",
                                      "tables",           "bytes, mean",     "mean, 95 %",
                                      "same order, mean", "of these tables", "bytes, worst",
                                      "its table",        "time, mean",      "time, mean, 95 %",
                                      "time, worst",      "its table" };
  static const char *const key[] = { "metric",
                                     "coding",
                                     "sides",
                                     "freedom",
                                     "codec",
                                     "settings",
                                     "table",
                                     "bytes",
                                     "baseline_bytes",
                                     "bytes_ratio",
                                     "same_order_bytes",
                                     "same_order_ratio",
                                     "get_ns",
                                     "baseline_get_ns",
                                     "get_ratio" };
  sd_put_csv (csv, key, 15);
  if (!all->baseline.any)
    return SD_OK;
  sd_doc_heading (d, 2, "Compared in pairs");
  sd_doc_para (
      d,
      "Each table against itself in %s, in the same coding: its bytes, and its median time of one slot, "
      "divided by those of the baseline (below 1: smaller, quicker). Mean: the geometric mean over the tables, "
      "and its bounds with 95 %% (bootstrap over the tables, from three on). Of several piece orders the best "
      "counts, so that the mean holds the gain of the order and that of the codec; \"same order\" takes the "
      "row in the baseline's order, of the tables that have one (their number stands beside it), and holds the gain of "
      "the codec alone. pairs.csv has the ratios table by table.",
      all->baseline.text);
  sd_doc_table (d, "lllrrrRRRLrrRL", head);
  const int status = put_choices (d, all, csv, err);
  sd_doc_table_end (d);
  return status;
}

/* --------------------------------------------------------------------- scatter */

static void put_scatter (sd_doc *d, const sd_row *r, sd_buf *csv) {
  const bool probe = r->probe_scatter > SD_SCATTER && !(r->get_scatter >= r->probe_scatter);
  const double ns = probe ? r->probe_ns : r->get_ns, scatter = probe ? r->probe_scatter : r->get_scatter;
  char time[32], by[32], number[32];
  snprintf (by, sizeof by, "%.2f", scatter);
  snprintf (number, sizeof number, "%.0f", ns);
  const char *what = probe ? "probe" : "slot";
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
