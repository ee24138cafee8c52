/* The long tables of the report: sizes, latencies, piece orders with their statistics; each also as CSV. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <stdlib.h>
#include <string.h>

const char *sd_metric_title (const char *metric) {
  const enum sd_metric m = sd_metric_find (metric);
  return m == SD_METRICS ? metric : sd_metrics[m].title;
}

/* A time or a rate for a table of numbers; empty: not measured. out needs 32 bytes. */
static const char *text_measured (double v, unsigned decimals, char *out) {
  out[0] = '\0';
  if (v > 0)
    snprintf (out, 32, "%.*f", (int) decimals, v);
  return out;
}

static const char *or_dash (const char *text) {
  return *text ? text : "-";
}

/* -------------------------------------------------------------- sizes, latency */

/* What stands in a line of both tables of sizes. */
struct size_texts {
  char label[200], order[160], bits[32], ratio[32], encode[32], decode[32];
};

static void size_texts (const sd_rowsums *all, const sd_rowsum *l, uint64_t plain, struct size_texts *t) {
  sd_rowsum_label (all, l, t->label, sizeof t->label);
  sd_rowsum_order (l, t->order, sizeof t->order);
  snprintf (t->bits, sizeof t->bits, "%.4f", l->bits_per_position);
  text_measured (l->best ? (double) plain / (double) l->best : 0, 2, t->ratio);
  text_measured (l->encode_rate, 1, t->encode);
  text_measured (l->decode_rate, 0, t->decode);
}

static void put_size_row (sd_doc *d, const sd_rowsum *l, const struct size_texts *t, bool strong) {
  char order[200], bytes[32], one[32], model[32], index[32];
  snprintf (order, sizeof order, "%s", t->order);
  if (l->varied) {
    size_t len = strlen (order);
    snprintf (order + len, sizeof order - len, " (best of %zu)", l->side[0].n > l->side[1].n ? l->side[0].n : l->side[1].n);
  }
  sd_doc_row (d,
              (const char *[]){ t->label, sd_rowsum_freedom (l), order, sd_text_count (l->best, bytes),
                                l->one ? sd_text_count (l->one, one) : "-", t->bits, or_dash (t->ratio),
                                sd_text_count (l->model_bytes, model), sd_text_count (l->index_bytes, index),
                                or_dash (t->encode), or_dash (t->decode) },
              strong);
}

static void csv_size_row (sd_buf *csv, const sd_rowsum *l, const struct size_texts *t) {
  const uint64_t number[] = { l->side[0].n,   l->best,        l->worst,      (uint64_t) (l->mean + 0.5),
                              l->slots,       l->positions,   l->free_slots, (uint64_t) (l->slots_per_block + 0.5),
                              l->model_bytes, l->index_bytes, l->one };
  const sd_row *r = l->row;
  char raw[11][32];
  for (unsigned k = 0; k < 11; k++)
    snprintf (raw[k], 32, "%llu", (unsigned long long) number[k]);
  sd_put_csv (csv,
              (const char *[]){ r->group, r->table, r->metric, r->coding, r->freedom, r->codec, r->settings, t->order, raw[0],
                                raw[1], raw[2], raw[3], t->bits, raw[4], raw[5], raw[6], raw[7], raw[8], raw[9], t->encode,
                                t->decode, raw[10] },
              22);
}

static void put_sizes_of (sd_doc *d, const sd_rowsums *all, size_t subject, const char *const *head, sd_buf *csv) {
  const char *table = all->subject[subject].table, *metric = all->subject[subject].metric;
  const sd_rowsum *best = sd_rowsums_winner (all, table, metric);
  const uint64_t plain = sd_rowsums_baseline (all, table, metric);
  char title[160], a[32], b[32];
  snprintf (title, sizeof title, "%s %s: %s slots, %s positions", table, sd_metric_title (metric),
            sd_text_count (best->slots, a), sd_text_count (best->positions, b));
  sd_doc_heading (d, 3, title);
  sd_doc_table (d, all->baseline.any ? "lllrrrrrrrr" : "lllrrrxrrrr", head);
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *l = &all->line[i];
    struct size_texts t;
    if (!sd_rowsum_is (l, table, metric))
      continue;
    size_texts (all, l, plain, &t);
    put_size_row (d, l, &t, l == best);
    csv_size_row (csv, l, &t);
  }
  sd_doc_table_end (d);
}

void sd_report_sizes (sd_doc *d, const sd_rowsums *all, sd_buf *csv) {
  static const char *const columns[] = {
    "group",     "table",          "metric",      "coding",      "freedom",
    "codec",     "settings",       "order",       "orders",      "bytes",
    "worst_bytes", "mean_bytes",   "bits_per_position", "slots", "positions",
    "free_slots", "slots_per_block", "model_bytes", "index_bytes", "encode_mslots_per_s",
    "decode_mslots_per_s", "one_side_bytes"
  };
  char ratio[sizeof all->baseline.text + 2];
  snprintf (ratio, sizeof ratio, "x %s", all->baseline.text);
  const char *const head[] = { "coder", "free symbols", "order W / B",  "bytes",        "one side",   "bits/position",
                               ratio,   "model, bytes", "index, bytes", "encode, M/s", "decode, M/s" };
  sd_doc_heading (d, 2, "Sizes");
  sd_doc_para (d,
               "Both sides to move together; one side: the smaller alone, from which one ply restores the other. "
               "Where several orders were tried, each side has its best one. "
               "M/s: million slots a second and core, measured while the other cores were coding too.%s%s%s",
               all->baseline.any ? " x " : "", all->baseline.any ? all->baseline.text : "",
               all->baseline.any ? ": how many times smaller." : "");
  sd_put_csv (csv, columns, 22);
  for (size_t s = 0; s < all->nsubjects; s++)
    put_sizes_of (d, all, s, head, csv);
}

void sd_report_latency (sd_doc *d, const sd_rowsums *all, sd_buf *csv) {
  static const char *const head[] = { "coder",          "free symbols", "slots a block", "bytes",
                                      "symbol, median", "symbol, 99 %", "probe, median", "probe, 99 %" };
  static const char *const columns[] = { "table",  "metric",     "coding",          "freedom",
                                         "codec",  "settings",   "slots_per_block", "bytes",
                                         "get_ns", "get_p99_ns", "probe_ns",        "probe_p99_ns" };
  bool any = false;
  sd_put_csv (csv, columns, 12);
  for (size_t i = 0; i < all->n; i++)
    any = any || all->line[i].get_ns > 0 || all->line[i].probe_ns > 0;
  if (!any)
    return;
  sd_doc_heading (d, 2, "Latency");
  sd_doc_para (
      d, "One thread while the other jobs rest, warm mapping, random legal positions. Symbol: one value read "
         "from the stream. Probe: the "
         "whole answer as an engine gets it, captures and promotions looked up in the smaller "
         "tables (these in RE-PAIR, 128-byte "
         "blocks); for DTM the WDL table is asked first. The medians of the two sides are averaged, "
         "for 99 %% the slower side "
         "counts; every answer was compared with the exact value.");
  for (size_t s = 0; s < all->nsubjects; s++) {
    const char *table = all->subject[s].table, *metric = all->subject[s].metric;
    char title[64];
    bool begun = false;
    for (size_t i = 0; i < all->n; i++) {
      const sd_rowsum *l = &all->line[i];
      char label[200], per[32], bytes[32], t[4][32], raw[6][32];
      if (!sd_rowsum_is (l, table, metric) || !(l->get_ns > 0 || l->probe_ns > 0))
        continue;
      if (!begun) {
        snprintf (title, sizeof title, "%s %s", table, sd_metric_title (metric));
        sd_doc_heading (d, 3, title);
        sd_doc_table (d, "llrrrrrr", head);
        begun = true;
      }
      sd_rowsum_label (all, l, label, sizeof label);
      sd_doc_row (d,
                  (const char *[]){ label, sd_rowsum_freedom (l),
                                    sd_text_count ((uint64_t) (l->slots_per_block + 0.5), per),
                                    sd_text_count (l->best, bytes), sd_text_ns (l->get_ns, t[0]),
                                    sd_text_ns (l->get_p99_ns, t[1]), sd_text_ns (l->probe_ns, t[2]),
                                    sd_text_ns (l->probe_p99_ns, t[3]) },
                  false);
      const double number[] = { l->slots_per_block, (double) l->best, l->get_ns,
                                l->get_p99_ns,      l->probe_ns,      l->probe_p99_ns };
      for (unsigned k = 0; k < 6; k++)
        text_measured (number[k], 0, raw[k]);
      sd_put_csv (csv,
                  (const char *[]){ table, metric, l->row->coding, l->row->freedom, l->row->codec,
                                    l->row->settings, raw[0], raw[1], raw[2], raw[3], raw[4], raw[5] },
                  12);
    }
    if (begun)
      sd_doc_table_end (d);
  }
}

/* --------------------------------------------------------------------- orders */

/* Do the two sides like the same orders? Rank correlation over the orders that both have; 0 if there is only
 * one side. */
static double sides_agree (const sd_rowsums *all, const sd_rowsum *l, size_t *n) {
  double *v[2] = { sd_alloc (all->nrows, sizeof (double)), sd_alloc (all->nrows, sizeof (double)) };
  double r = 0;
  *n = 0;
  for (size_t i = 0; v[0] && v[1] && i < all->nrows; i++) {
    const sd_row *a = &all->row[i];
    if (a->side[0] != 'w' || strcmp (a->group, l->row->group) || strcmp (a->table, l->row->table)
        || strcmp (a->metric, l->row->metric) || strcmp (a->coding, l->row->coding)
        || strcmp (a->freedom, l->row->freedom) || strcmp (a->codec, l->row->codec)
        || strcmp (a->settings, l->row->settings))
      continue;
    for (size_t k = 0; k < all->nrows; k++) {
      const sd_row *b = &all->row[k];
      if (b->side[0] == 'b' && strcmp (a->order, b->order) == 0 && strcmp (a->numbering, b->numbering) == 0
          && strcmp (a->group, b->group) == 0 && strcmp (a->table, b->table) == 0
          && strcmp (a->metric, b->metric) == 0 && strcmp (a->coding, b->coding) == 0
          && strcmp (a->freedom, b->freedom) == 0 && strcmp (a->codec, b->codec) == 0
          && strcmp (a->settings, b->settings) == 0) {
        v[0][*n] = (double) a->bytes;
        v[1][(*n)++] = (double) b->bytes;
        break;
      }
    }
  }
  if (v[0] && v[1])
    r = sd_stats_rank_correlation (v[0], v[1], *n);
  free (v[0]);
  free (v[1]);
  return r;
}

static void put_order_row (sd_doc *d, const sd_rowsums *all, const sd_rowsum *l, unsigned side, sd_buf *csv) {
  const sd_stats *q = &l->side[side].bytes;
  const char *best = l->side[side].best->order, *worst = l->side[side].worst->order;
  const double shown[] = { q->min, q->mean, q->sd, q->median, q->max };
  const double all_of_it[] = { q->min, q->q05, q->q25, q->median, q->q75, q->q95, q->max, q->mean, q->sd };
  char name[40], label[200], n[32], t[5][32], ratio[32], below[32], raw[9][32];
  snprintf (name, sizeof name, "%s %s", l->row->table, sd_metric_title (l->row->metric));
  sd_rowsum_label (all, l, label, sizeof label);
  snprintf (n, sizeof n, "%zu", l->side[side].n);
  for (unsigned k = 0; k < 5; k++)
    sd_text_count ((uint64_t) (shown[k] + 0.5), t[k]);
  snprintf (ratio, sizeof ratio, "%.2f", q->min > 0 ? q->max / q->min : 0);
  snprintf (below, sizeof below, "%.1f %%", q->mean > 0 ? 100 * (1 - q->min / q->mean) : 0);
  sd_doc_row (d,
              (const char *[]){ name, side ? "Black" : "White", label, sd_rowsum_freedom (l), n, best, t[0], t[1], t[2], t[3],
                                worst, t[4], ratio, below },
              false);
  for (unsigned k = 0; k < 9; k++)
    snprintf (raw[k], 32, "%.1f", all_of_it[k]);
  sd_put_csv (csv,
              (const char *[]){ l->row->table, l->row->metric, side ? "b" : "w", l->row->codec, l->row->settings,
                                l->row->freedom, n, best, raw[0], raw[1], raw[2], raw[3], raw[4], raw[5], raw[6], worst,
                                raw[7], raw[8] },
              18);
}

static void put_agreement (sd_doc *d, const sd_rowsums *all) {
  static const char *const head[] = { "table", "free symbols", "orders", "rank correlation, White and Black to move" };
  sd_doc_para (d, "Do both sides to move like the same orders? Spearman's rank correlation of their sizes:");
  sd_doc_table (d, "llrr", head);
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *l = &all->line[i];
    char name[40], orders[32], r[32];
    size_t n;
    if (!l->varied || l->nsides != 2)
      continue;
    snprintf (name, sizeof name, "%s %s", l->row->table, sd_metric_title (l->row->metric));
    snprintf (r, sizeof r, "%+.2f", sides_agree (all, l, &n));
    snprintf (orders, sizeof orders, "%zu", n);
    sd_doc_row (d, (const char *[]){ name, sd_rowsum_freedom (l), orders, r }, false);
  }
  sd_doc_table_end (d);
}

void sd_report_orders (sd_doc *d, const sd_rowsums *all, sd_buf *csv) {
  static const char *const head[] = { "table", "side",   "coder", "free symbols", "orders", "best",         "bytes",
                                      "mean",  "sd",     "median", "worst",       "bytes",  "worst / best", "best below mean" };
  static const char *const columns[] = { "table",  "metric",     "side", "codec",       "settings", "freedom",
                                         "orders", "best_order", "min",  "q05",         "q25",      "median",
                                         "q75",    "q95",        "max",  "worst_order", "mean",     "sd" };
  bool any = false;
  sd_put_csv (csv, columns, 18);
  for (size_t i = 0; i < all->n; i++)
    any = any || all->line[i].varied;
  if (!any)
    return;
  sd_doc_heading (d, 2, "Piece orders");
  sd_doc_para (d, "The first letter is the most significant digit of the index; capitals are White's pieces, "
                  "an exclamation mark stands behind the piece that symmetry confines.");
  sd_doc_table (d, "llllrlrrrrlrrr", head);
  for (size_t i = 0; i < all->n; i++)
    for (unsigned s = 0; s < 2 && all->line[i].varied; s++)
      if (all->line[i].side[s].n > 1)
        put_order_row (d, all, &all->line[i], s, csv);
  sd_doc_table_end (d);
  put_agreement (d, all);
}
