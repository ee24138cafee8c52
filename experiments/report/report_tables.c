/* The long tables of the report: winners, sizes, latencies, piece orders with their statistics; each also as
 * CSV. What stands in which column is said in report_columns.c. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *sd_metric_title (const char *metric) {
  const enum sd_metric m = sd_metric_find (metric);
  return m == SD_METRICS ? metric : sd_metrics[m].title;
}

/* -------------------------------------------------------------------- winners */

/* What the table of winners says; the baseline only where there is one. */
static void put_best_words (sd_doc *d, const sd_rowsums *all) {
  const char *plain = all->baseline.named
                          ? "the smallest rows of this group and codec"
                          : "LZMA in blocks of 16 KiB, no slot free, in the order of the name, "
                            "in the same coding";
  char ratio[500];
  const bool arrays = sd_rowsums_only_arrays (all);
  bool orders = false;
  for (size_t s = 0; s < all->nsubjects; s++)
    orders = orders || all->subject[s].orders > 1;
  if (all->baseline.any)
    snprintf (ratio, sizeof ratio, " x %s: how many times smaller than %s (below 1: larger).",
              all->baseline.text, plain);
  else
    snprintf (ratio, sizeof ratio, " No column says how many times smaller than %s they are: no row is %s.",
              all->baseline.text, all->baseline.named ? "of that group and codec" : plain);
  sd_doc_heading (d, 2, orders ? "Best codec and order" : "Best codec");
  if (arrays)
    sd_doc_para (
        d,
        "The smallest of all codecs that read a slot in at most 2 us (median), and the smallest at any price. "
        "Counted is the coded stream with dictionary and block index; a file adds its header and checksums, "
        "some dozens of bytes.%s",
        ratio);
  else
    sd_doc_para (
        d,
        "Bytes of both sides to move: the smallest of all codecs that read a slot of each side in at most 2 us "
        "(median), and the smallest at any price; one codec with one choice of settings for both sides, in a "
        "stream each or in one. (subdef reformat --best-of takes for each side the stream of its own that is "
        "smallest for it, of whichever codec.) Counted are the coded streams with dictionary and block index; a "
        "file adds its header and checksums, some dozens of bytes.%s WDL: won, drawn or lost. DTM: "
        "the number of moves to mate; which side mates stands in the WDL table, which is not counted here, unless "
        "the codec is marked (signed). Order: the most significant man of the index first, capitals White; ! "
        "stands behind the man that symmetry confines.",
        ratio);
}

void sd_report_best_rows (sd_doc *d, const sd_rowsums *all, sd_buf *csv) {
  put_best_words (d, all);
  sd_columns_csv_head (SD_IN_BEST, csv);
  sd_columns_head (SD_IN_BEST, all, d);
  for (size_t s = 0; s < all->nsubjects; s++) {
    const sd_rowsum *quick = sd_rowsums_best (all, s, SD_QUICK_NS), *any = sd_rowsums_best (all, s, 0);
    if (quick)
      sd_columns_row (SD_IN_BEST, &(sd_entry){ all, quick, 0, SD_QUICK_NS }, true, d, csv);
    if (any != quick)
      sd_columns_row (SD_IN_BEST, &(sd_entry){ all, any, 0, NAN }, false, d, csv);
  }
  sd_doc_table_end (d);
}

/* -------------------------------------------------------------- sizes, latency */

/* What is said of a table of lines while it is closed: its smallest and its largest whole table. */
static void put_range (sd_doc *d, const sd_rowsum **line, size_t n) {
  char a[32], b[32], label[2][160];
  while (line[n - 1]->nsides < line[0]->nsides)
    n--;
  sd_rowsum_label (line[0], label[0], sizeof label[0]);
  sd_rowsum_label (line[n - 1], label[1], sizeof label[1]);
  sd_doc_about (d, "%s bytes (%.100s) to %s bytes (%.100s)", sd_text_count (line[0]->best, a), label[0],
                sd_text_count (line[n - 1]->best, b), label[1]);
}

static void put_lines (sd_doc *d, const sd_rowsums *all, enum sd_report_table table, const sd_rowsum **line,
                       size_t n, bool chief, sd_buf *csv) {
  sd_columns_head (table, all, d);
  for (size_t i = 0; i < n; i++)
    sd_columns_row (table, &(sd_entry){ .all = all, .line = line[i] }, table == SD_IN_SIZES && i == 0, d,
                    csv);
  put_range (d, line, n);
  if (chief)
    sd_doc_chief (d);
  sd_doc_table_end (d);
}

int sd_report_sizes (sd_doc *d, const sd_rowsums *all, sd_buf *csv, sd_error *err) {
  sd_doc_heading (d, 2, "Sizes");
  sd_doc_para (
      d, "%sM/s: million slots a second and core, measured while the other cores were coding too.%s%s%s",
      sd_rowsums_only_arrays (all)
          ? ""
          : "Both sides to move together; one side: the smaller alone, from which one ply restores the other. "
            "Where several orders were tried, each side has its best one. ",
      all->baseline.any ? " x " : "", all->baseline.any ? all->baseline.text : "",
      all->baseline.any ? ": how many times smaller." : "");
  sd_columns_csv_head (SD_IN_SIZES, csv);
  for (size_t s = 0; s < all->nsubjects; s++) {
    const sd_rowsum **line SD_OWNED = NULL;
    char title[160], a[32], b[32];
    size_t n;
    SD_TRY (sd_lines_listed (all, s, &line, &n, err));
    snprintf (title, sizeof title, "%s: %s slots, %s positions", all->subject[s].title,
              sd_text_count (line[0]->slots, a), sd_text_count (line[0]->positions, b));
    sd_doc_heading (d, 3, title);
    put_lines (d, all, SD_IN_SIZES, line, n, s == 0, csv);
  }
  return SD_OK;
}

int sd_report_latency (sd_doc *d, const sd_rowsums *all, sd_buf *csv, sd_error *err) {
  bool any = false;
  sd_columns_csv_head (SD_IN_LATENCY, csv);
  for (size_t i = 0; i < all->n; i++)
    any = any || sd_rowsum_is_timed (&all->line[i]);
  if (!any)
    return SD_OK;
  sd_doc_heading (d, 2, "Latency");
  if (sd_rowsums_only_arrays (all))
    sd_doc_para (d, "One thread while the other jobs rest, warm mapping, random slots. Slot: one value.");
  else
    sd_doc_para (
        d,
        "One thread while the other jobs rest, warm mapping, random legal positions. Slot: one value read "
        "from the stream. Probe: the "
        "whole answer as an engine gets it, captures and promotions looked up in the smaller "
        "tables (these in RE-PAIR, 128-byte "
        "blocks); for DTM the WDL table is asked first. The medians of the two sides are averaged, "
        "for 99 %% the slower side "
        "counts; every answer was compared with the exact value.");
  for (size_t s = 0; s < all->nsubjects; s++) {
    const sd_rowsum **line SD_OWNED = NULL;
    size_t n, timed = 0;
    SD_TRY (sd_lines_listed (all, s, &line, &n, err));
    for (size_t i = 0; i < n; i++)
      if (sd_rowsum_is_timed (line[i]))
        line[timed++] = line[i];
    if (!timed)
      continue;
    sd_doc_heading (d, 3, all->subject[s].title);
    put_lines (d, all, SD_IN_LATENCY, line, timed, false, csv);
  }
  return SD_OK;
}

/* --------------------------------------------------------------------- orders */

void sd_report_orders (sd_doc *d, const sd_rowsums *all, sd_buf *csv) {
  bool any = false;
  sd_columns_csv_head (SD_IN_ORDERS, csv);
  for (size_t i = 0; i < all->n; i++)
    any = any || all->line[i].varied;
  if (!any)
    return;
  sd_doc_heading (d, 2, "Piece orders");
  sd_doc_para (d, "The first letter is the most significant digit of the index; capitals are White's pieces, "
                  "an exclamation mark stands behind the piece that symmetry confines.");
  sd_columns_head (SD_IN_ORDERS, all, d);
  for (size_t i = 0; i < all->n; i++)
    for (unsigned s = 0; s < 2; s++)
      if (all->line[i].side[s].n > 1)
        sd_columns_row (SD_IN_ORDERS, &(sd_entry){ .all = all, .line = &all->line[i], .side = s }, false, d,
                        csv);
  sd_doc_table_end (d);
  sd_doc_para (d, "Do both sides to move like the same orders? Spearman's rank correlation of their sizes:");
  sd_columns_head (SD_IN_AGREEMENT, all, d);
  for (size_t i = 0; i < all->n; i++)
    if (all->line[i].varied && all->line[i].side[0].n && all->line[i].side[1].n)
      sd_columns_row (SD_IN_AGREEMENT, &(sd_entry){ .all = all, .line = &all->line[i] }, false, d, NULL);
  sd_doc_table_end (d);
}
