/* The report: what was gained in a few figures on top, then each step beside what was published, figures, sizes, latencies,
 * piece orders, provenance. Everything comes from the rows; nothing is measured here. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <stdlib.h>
#include <string.h>

#ifndef SD_GNUPLOT
#define SD_GNUPLOT "gnuplot"
#endif

/* ------------------------------------------------------------------- summary */

static void put_summary (sd_doc *d, const sd_rowsums *all) {
  char (*card)[3][160] = sd_alloc0 (all->nsubjects, sizeof *card);
  sd_doc_para (d,
               "How small chess endgame tables become when a coder may choose the values of slots that "
               "nobody has to look at, "
               "and how long one access takes. Each of the %zu rows behind this page was decoded completely "
               "and every slot compared "
               "with what it may hold.",
               all->nrows);
  if (card) {
    for (size_t s = 0; s < all->nsubjects; s++) {
      const char *table = all->subject[s].table, *metric = all->subject[s].metric;
      const sd_rowsum *best = sd_rowsums_winner (all, table, metric);
      const uint64_t plain = sd_rowsums_baseline (all, table, metric);
      char label[160], order[160], count[32], against[64];
      sd_rowsum_label (all, best, label, sizeof label);
      sd_rowsum_order (best, order, sizeof order);
      snprintf (card[s][0], sizeof card[s][0], "%s %s", table, sd_metric_title (metric));
      snprintf (card[s][1], sizeof card[s][1], "%s bytes", sd_text_count (best->best, count));
      int len = snprintf (card[s][2], sizeof card[s][2], "%.70s, order %.60s", label, order);
      if (plain && len > 0 && (size_t) len < sizeof card[s][2])
        snprintf (card[s][2] + len, sizeof card[s][2] - (size_t) len, "; %s %s",
                  sd_text_against (plain, best->best, against), all->baseline.text);
    }
    if (all->nsubjects <= 12)
      sd_doc_cards (d, (unsigned) all->nsubjects, (const char (*)[3][160]) card);
  }
  free (card);
}

/* The runs in a line, and what should be known before rows are compared. */
static void put_runs_line (sd_doc *d, const sd_provenance *run, size_t n, const char *warnings) {
  const sd_provenance *last = &run[n - 1];
  if (n == 1)
    sd_doc_para (d, "Measured by %s, commit %s, on %s with %u cores and %u jobs, from %s on.", last->version, last->commit,
                 last->cpu, last->cores, last->jobs, last->started);
  else
    sd_doc_para (d, "Measured in %zu runs; the last by %s, commit %s, on %s, from %s on. All of them are listed at the end.", n,
                 last->version, last->commit, last->cpu, last->started);
  while (*warnings) {
    const int len = (int) strcspn (warnings, "\n");
    sd_doc_para (d, "Warning: %.*s.", len, warnings);
    warnings += len + (warnings[len] == '\n');
  }
}

static void put_best_row (sd_doc *d, const sd_rowsum *l, const sd_rowsums *all, bool quick, sd_buf *csv) {
  const char *table = l->row->table, *metric = l->row->metric;
  const uint64_t plain = sd_rowsums_baseline (all, table, metric);
  char name[40], label[160], order[160], bytes[32], bits[32], ratio[32] = "", time[2][32], raw[4][32] = { "", "", "", "" };
  snprintf (name, sizeof name, "%s %s", table, sd_metric_title (metric));
  sd_rowsum_label (all, l, label, sizeof label);
  sd_rowsum_order (l, order, sizeof order);
  snprintf (bits, sizeof bits, "%.4f", l->bits_per_position);
  if (plain && l->best)
    snprintf (ratio, sizeof ratio, "%.2f", (double) plain / (double) l->best);
  sd_doc_row (d,
              (const char *[]){ name, quick ? "2 us" : "none", label, sd_rowsum_freedom (l), order,
                                sd_text_count (l->best, bytes), bits, sd_text_ns (l->get_ns, time[0]),
                                sd_text_ns (l->probe_ns, time[1]), *ratio ? ratio : "-" },
              quick);
  snprintf (raw[0], 32, "%llu", (unsigned long long) l->best);
  if (plain)
    snprintf (raw[1], 32, "%llu", (unsigned long long) plain);
  if (l->get_ns > 0)
    snprintf (raw[2], 32, "%.0f", l->get_ns);
  if (l->probe_ns > 0)
    snprintf (raw[3], 32, "%.0f", l->probe_ns);
  sd_put_csv (csv,
              (const char *[]){ table, metric, quick ? "2000" : "", label, sd_rowsum_freedom (l), order, raw[0], bits, raw[2],
                                raw[3], raw[1], ratio, plain ? all->baseline.text : "" },
              13);
}

/* What the table of winners says; the baseline only where there is one. */
static void put_best_words (sd_doc *d, const sd_rowsums *all) {
  char ratio[500] = "";
  bool orders = false;
  for (size_t s = 0; s < all->nsubjects; s++)
    orders = orders || sd_rowsums_orders (all, all->subject[s].table, all->subject[s].metric) > 1;
  if (all->baseline.any)
    snprintf (ratio, sizeof ratio, " x %s: how many times smaller than %s (below 1: larger).", all->baseline.text,
              all->baseline.asked ? "the smallest rows of this group and codec"
                                  : "LZMA in blocks of 16 kB, no slot free, in the order of the name");
  sd_doc_heading (d, 2, orders ? "Best coder and order" : "Best coder");
  sd_doc_para (d,
               "Bytes of both sides to move: the smallest of all rows that read a symbol in at most 2 us (median), "
               "and the smallest at any price. Counted are the coded streams with dictionary and block "
               "index; a file adds its header and checksums, some dozens of bytes.%s WDL: won, drawn or lost. DTM: "
               "the number of moves to mate; which side mates stands in the WDL table, which is not counted here, unless "
               "the coder is marked (signed).",
               ratio);
}

static void put_best (sd_doc *d, const sd_rowsums *all, sd_buf *csv) {
  static const char *const columns[] = { "table",  "metric",  "bound_ns",       "coder",         "freedom",
                                         "order",  "bytes",   "bits_per_position", "get_ns",     "probe_ns",
                                         "baseline_bytes", "times_smaller", "baseline" };
  char ratio[sizeof all->baseline.text + 2];
  snprintf (ratio, sizeof ratio, "x %s", all->baseline.text);
  const char *const head[] = { "table", "bound",         "coder",  "free symbols", "order W / B",
                               "bytes", "bits/position", "symbol", "probe",        ratio };
  put_best_words (d, all);
  sd_put_csv (csv, columns, 13);
  sd_doc_table (d, all->baseline.any ? "lllllrrrrr" : "lllllrrrrx", head);
  for (size_t s = 0; s < all->nsubjects; s++) {
    const char *table = all->subject[s].table, *metric = all->subject[s].metric;
    const sd_rowsum *quick = sd_rowsums_best (all, table, metric, SD_QUICK_NS),
                    *any = sd_rowsums_best (all, table, metric, 0);
    if (quick)
      put_best_row (d, quick, all, true, csv);
    if (any != quick)
      put_best_row (d, any, all, false, csv);
  }
  sd_doc_table_end (d);
}

/* The gains of some subjects as columns of one table; steps in the order in which they first appear. */
static void put_gain_table (sd_doc *d, const sd_rowsums *all, size_t first, size_t count, sd_buf *csv) {
  enum { MOST = 4, STEPS = 24 };
  sd_gain (*gain)[STEPS] = sd_alloc0 (MOST, sizeof *gain);
  const sd_gain *step[STEPS];
  size_t n[MOST] = { 0 }, nsteps = 0;
  char head[MOST][64];
  const char *heads[MOST + 2] = { "step", "Zakharov et al. 2015" }, *cell[MOST + 2];
  if (!gain)
    return;
  for (size_t k = 0; k < count; k++) {
    const char *table = all->subject[first + k].table, *metric = all->subject[first + k].metric;
    n[k] = sd_gains (all, first + k, gain[k], STEPS);
    snprintf (head[k], sizeof head[k], "%s %s", table, sd_metric_title (metric));
    heads[k + 2] = head[k];
    for (size_t i = 0; i < n[k]; i++) {
      bool known = false;
      for (size_t j = 0; j < nsteps && !known; j++)
        known = strcmp (step[j]->step, gain[k][i].step) == 0;
      if (!known && nsteps < STEPS)
        step[nsteps++] = &gain[k][i];
      sd_put_csv (
          csv, (const char *[]){ table, metric, gain[k][i].step, gain[k][i].ours, gain[k][i].published }, 5);
    }
  }
  if (nsteps) {
    static const char *const align[] = { "lll", "llll", "lllll", "llllll" };
    sd_doc_table (d, align[count - 1], heads);
    for (size_t j = 0; j < nsteps; j++) {
      cell[0] = step[j]->step;
      cell[1] = step[j]->published;
      for (size_t k = 0; k < count; k++) {
        cell[k + 2] = "-";
        for (size_t i = 0; i < n[k]; i++)
          if (strcmp (step[j]->step, gain[k][i].step) == 0)
            cell[k + 2] = gain[k][i].ours;
      }
      sd_doc_row (d, cell, false);
    }
    sd_doc_table_end (d);
  }
  free (gain);
}

static void put_gains (sd_doc *d, const sd_rowsums *all, sd_buf *csv) {
  static const char *const columns[] = { "table", "metric", "step", "here", "published" };
  sd_put_csv (csv, columns, 5);
  sd_doc_heading (d, 2, "What each step gains, beside Zakharov et al. 2015");
  sd_doc_para (d, "Zakharov, Malkovskiy and Shchukin (2015) speak of tables with 5 to 7 men; small endings like these have "
                  "other shares of free slots, so the directions should agree and the figures need not. Unless a step says "
                  "otherwise, each side is in the smallest of the orders that the rows hold.");
  for (size_t s = 0; s < all->nsubjects; s += 4)
    put_gain_table (d, all, s, all->nsubjects - s < 4 ? all->nsubjects - s : 4, csv);
}

/* -------------------------------------------------------------------- figures */

static void put_figures (sd_doc *d, const sd_rowsums *all, const sd_figures *figures) {
  sd_doc_heading (d, 2, "Figures");
  if (!figures->drawn) {
    sd_doc_para (d, "No figures here: %s.%s", figures->why,
                 figures->n ? " The scripts (*.gp) lie beside this page; with gnuplot they draw the figures." : "");
    return;
  }
  sd_doc_figures_begin (d);
  for (size_t i = 0; i < figures->n; i++) {
    const sd_figure *f = &figures->figure[i];
    char text[sizeof f->caption + 64];
    snprintf (text, sizeof text, "%s %s: %s", all->subject[f->subject].table,
              sd_metric_title (all->subject[f->subject].metric), f->caption);
    sd_doc_figure (d, f->name, text, f->wide);
  }
  sd_doc_figures_end (d);
}

/* --------------------------------------------------------------------- reading */

/* Everything that is read from the database. */
typedef struct source {
  sd_rowsums all;
  sd_provenance *run; /* those with rows */
  size_t nruns;
  sd_buf warnings; /* sentences, one a line, and a 0 */
} source;

static void source_free (source *s) {
  sd_rowsums_free (&s->all);
  sd_provenances_free (s->run, s->nruns);
  sd_buf_free (&s->warnings);
}

/* Each row says by which run it was made. */
static int check_runs (const char *db, const source *s, sd_error *err) {
  for (size_t i = 0; i < s->all.nrows; i++) {
    bool known = false;
    for (size_t k = 0; k < s->nruns && !known; k++)
      known = s->run[k].id == s->all.row[i].run;
    if (!known)
      return sd_fail (err, SD_EFORMAT, "%s: a row is of run %lld, and there is no such run", db,
                      (long long) s->all.row[i].run);
  }
  return SD_OK;
}

static int read_store (sd_store *store, const char *db, const char *baseline, source *out, sd_error *err) {
  sd_row *row = NULL;
  size_t n = 0;
  SD_TRY (sd_store_rows (store, &row, &n, err));
  if (n == 0) {
    free (row);
    return sd_fail (err, SD_ENOENT, "%s: holds no row yet: run a sweep first", db);
  }
  SD_TRY (sd_rowsums_make (row, n, baseline, &out->all, err));
  SD_TRY (sd_store_runs (store, &out->run, &out->nruns, err));
  SD_TRY (check_runs (db, out, err));
  sd_runs_warn (&out->all, out->run, out->nruns, &out->warnings);
  sd_buf_u8 (&out->warnings, 0);
  return sd_buf_status (&out->warnings) == SD_OK ? SD_OK : sd_fail_memory (err, out->warnings.len);
}

/* csv: every row as it stands there, or NULL. */
static int read_source (const char *db, const sd_report_options *opt, source *out, sd_buf *csv, sd_error *err) {
  sd_store *store = NULL;
  memset (out, 0, sizeof *out);
  SD_TRY (sd_store_open (db, false, &store, err));
  int status = read_store (store, db, opt ? opt->baseline : NULL, out, err);
  if (status == SD_OK && csv)
    status = sd_store_csv (store, csv, err);
  if (status == SD_OK && opt && opt->warnings)
    sd_buf_append (opt->warnings, out->warnings.data, out->warnings.len - 1);
  sd_store_close (store);
  return status;
}

/* ------------------------------------------------------------- on a terminal */

static void put_summary_line (sd_buf *out, const sd_rowsums *all, size_t subject) {
  const char *table = all->subject[subject].table, *metric = all->subject[subject].metric;
  const sd_rowsum *best = sd_rowsums_winner (all, table, metric);
  const uint64_t plain = sd_rowsums_baseline (all, table, metric);
  char label[160], order[160], count[32], time[32], against[64];
  sd_rowsum_label (all, best, label, sizeof label);
  sd_rowsum_order (best, order, sizeof order);
  sd_put (out, "%s %s: %s, order %s: %s bytes", table, sd_metric_title (metric), label, order,
          sd_text_count (best->best, count));
  if (plain)
    sd_put (out, ", %s %s (%s bytes)", sd_text_against (plain, best->best, against), all->baseline.text,
            sd_text_count (plain, count));
  if (best->probe_ns > 0)
    sd_put (out, "; probe %s", sd_text_ns (best->probe_ns, time));
  sd_put (out, "\n");
}

int sd_report_summary (const char *db, const sd_report_options *opt, sd_buf *out, sd_error *err) {
  source s;
  int status = read_source (db, opt, &s, NULL, err);
  for (size_t i = 0; i < s.all.nsubjects && status == SD_OK; i++)
    put_summary_line (out, &s.all, i);
  if (status == SD_OK)
    status = sd_buf_status (out);
  source_free (&s);
  return status;
}

/* ----------------------------------------------------------------------- all */

enum { BEST, GAINS, SIZES, LATENCY, ORDERS, CELLS, NFILES };

static void put_page (sd_doc *d, const source *s, const sd_figures *figures, sd_buf *csv) {
  const char *title = s->run[s->nruns - 1].title;
  sd_doc_begin (d, *title ? title : "Endgame tables: size and speed");
  put_summary (d, &s->all);
  put_runs_line (d, s->run, s->nruns, (const char *) s->warnings.data);
  put_best (d, &s->all, &csv[BEST]);
  put_gains (d, &s->all, &csv[GAINS]);
  put_figures (d, &s->all, figures);
  sd_report_sizes (d, &s->all, &csv[SIZES]);
  sd_report_latency (d, &s->all, &csv[LATENCY]);
  sd_report_orders (d, &s->all, &csv[ORDERS]);
  sd_report_runs (d, &s->all, s->run, s->nruns);
  sd_doc_end (d);
}

static int write_files (const sd_doc *d, const sd_buf *csv, sd_error *err) {
  static const char *const file[NFILES] = { "best.csv",    "gains.csv",  "sizes.csv",
                                            "latency.csv", "orders.csv", "cells.csv" };
  for (unsigned i = 0; i < NFILES; i++)
    SD_TRY (sd_write_file (d->dir, file[i], &csv[i], err));
  SD_TRY (sd_write_file (d->dir, "report.md", &d->md, err));
  return sd_write_file (d->dir, "index.html", &d->html, err);
}

int sd_report_write (const char *db, const char *dir, const sd_report_options *opt, sd_error *err) {
  const sd_report_options none = { .baseline = NULL };
  const sd_report_options *o = opt ? opt : &none;
  source s;
  sd_doc d = { .dir = dir };
  sd_figures figures = { .n = 0 };
  sd_buf csv[NFILES] = { { 0 } };
  int status = read_source (db, o, &s, &csv[CELLS], err);
  if (status == SD_OK)
    status = sd_make_folder (dir, err);
  sd_report (o->progress, "report: figures", 0, 3);
  if (status == SD_OK)
    status = sd_figures_make (&s.all, dir, o->gnuplot ? o->gnuplot : SD_GNUPLOT, &figures, err);
  sd_report (o->progress, "report: pages", 1, 3);
  if (status == SD_OK) {
    put_page (&d, &s, &figures, csv);
    status = write_files (&d, csv, err);
  }
  sd_report (o->progress, "report: pages", 3, 3);
  for (unsigned i = 0; i < NFILES; i++)
    sd_buf_free (&csv[i]);
  sd_buf_free (&d.md);
  sd_buf_free (&d.html);
  sd_figures_free (&figures);
  source_free (&s);
  return status;
}
