/* The columns of the report: one list, from which each table's heads and rows are printed for the page
 * (Markdown, HTML, LaTeX) and for the files of numbers (CSV), and which says how the sides of a line make one
 * number. A new column is a row of this list; what was measured stands in SD_MEASURE_COLUMNS (store.h). */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a value stands: in the best rows of a line's streams, which are summed; in the line, its twin with
 * most orders, its first row, its subject; in the sizes of a stream over its orders, in the smallest and the
 * largest row of it; in the entry. Or a function gives its text. */
enum origin {
  OF_ROWS,
  OF_LINE,
  OF_SWEPT,
  OF_NAME,
  OF_SUBJECT,
  OF_STREAM,
  OF_BEST,
  OF_WORST,
  OF_ENTRY,
  OF_TEXT
};
enum type { U64, F64, TEXT };

/* How a number is printed: on the page, and in files of numbers. What is not known is "-" there and nothing
 * here. */
enum unit { COUNT, WHOLE, MOST_WHOLE, TENTHS, HUNDREDTHS, BITS, NS, PERCENT };
static const struct {
  int decimals;  /* in files */
  bool positive; /* 0: not measured */
} unit[] = {
  [COUNT] = { 0, false },     [WHOLE] = { 1, false }, [MOST_WHOLE] = { 0, true }, [TENTHS] = { 1, true },
  [HUNDREDTHS] = { 2, true }, [BITS] = { 4, false },  [NS] = { 0, true },         [PERCENT] = { 1, false },
};

typedef struct sd_report_column {
  const char *key, *head; /* in a file of numbers, on the page; NULL: not there */
  unsigned tables;        /* enum sd_report_table */
  char align;             /* a capital: of less importance, folded away */
  enum unit unit;
  enum origin origin;
  enum sd_sum sum; /* OF_ROWS */
  size_t at;
  enum type type;
  void (*text) (const sd_entry *e, char *out, size_t cap);
  bool (*shown) (const sd_rowsums *all); /* on the page; NULL: always */
  const char *mark;                      /* behind the letter: see sd_doc_table; NULL: none */
} sd_report_column;

/* ---------------------------------------------------------------------- texts */

static void put_label (const sd_entry *e, char *out, size_t cap) {
  sd_rowsum_label (e->line, out, cap);
}

static void put_freedom (const sd_entry *e, char *out, size_t cap) {
  snprintf (out, cap, "%s", sd_rowsum_freedom (e->line));
}

/* Of separate streams those that are there. */
static void put_sides (const sd_entry *e, char *out, size_t cap) {
  const sd_rowsum *l = e->line;
  snprintf (out, cap, "%s",
            *l->row->sides                           ? l->row->sides
            : l->side[0].n && l->side[1].n           ? "both"
            : e->all->subject[l->subject].sides == 1 ? ""
            : l->side[0].n                           ? "white"
                                                     : "black");
}

static void put_groups (const sd_entry *e, char *out, size_t cap) {
  snprintf (out, cap, "%s", sd_rowsum_groups (e->line));
}

static void put_order (const sd_entry *e, char *out, size_t cap) {
  sd_rowsum_order (e->line, out, cap);
}

static void put_side_name (const sd_entry *e, char *out, size_t cap) {
  const char *side = e->line->side[e->side].best->side;
  snprintf (out, cap, "%s", side[1] ? "both" : *side == '-' ? side : e->side ? "Black" : "White");
}

static void put_plain_name (const sd_entry *e, char *out, size_t cap) {
  snprintf (out, cap, "%s", e->line->plain_bytes ? e->all->baseline.text : "");
}

static void put_worst_by_best (const sd_entry *e, char *out, size_t cap) {
  const sd_stats *q = &e->line->side[e->side].bytes;
  snprintf (out, cap, "%.2f", q->min > 0 ? q->max / q->min : 0);
}

static void put_below_mean (const sd_entry *e, char *out, size_t cap) {
  const sd_stats *q = &e->line->side[e->side].bytes;
  snprintf (out, cap, "%.1f %%", q->mean > 0 ? 100 * (1 - q->min / q->mean) : 0);
}

/* Do the two sides like the same orders? Rank correlation over the orders that both have: in a line White's
 * row stands before Black's of the same order. */
static double sides_agree (const sd_rowsum *l, size_t *n) {
  double *v[2] = { sd_alloc (l->nrows, sizeof (double)), sd_alloc (l->nrows, sizeof (double)) }, r = 0;
  *n = 0;
  for (size_t i = 1; v[0] && v[1] && i < l->nrows; i++) {
    const sd_row *a = &l->row[i - 1], *b = &l->row[i];
    if (a->side[0] != 'w' || b->side[0] != 'b' || strcmp (a->order, b->order)
        || strcmp (a->numbering, b->numbering))
      continue;
    v[0][*n] = (double) a->bytes;
    v[1][(*n)++] = (double) b->bytes;
  }
  if (v[0] && v[1])
    r = sd_stats_rank_correlation (v[0], v[1], *n);
  free (v[0]);
  free (v[1]);
  return r;
}

static void put_agreement (const sd_entry *e, char *out, size_t cap) {
  size_t n;
  snprintf (out, cap, "%+.2f", sides_agree (e->line, &n));
}

static void put_common_orders (const sd_entry *e, char *out, size_t cap) {
  size_t n;
  sides_agree (e->line, &n);
  snprintf (out, cap, "%zu", n);
}

/* "90 ns to 120 ns": mean of the sides. */
static void put_bounds (const sd_rowsum *l, size_t low, size_t high, char *out, size_t cap) {
  char a[32], b[32];
  const double from = sd_rowsum_of (l, SD_MEAN, low, false), to = sd_rowsum_of (l, SD_MEAN, high, false);
  if (from > 0 && to > 0)
    snprintf (out, cap, "%s to %s", sd_text_ns (from, a), sd_text_ns (to, b));
}

static void put_get_bounds (const sd_entry *e, char *out, size_t cap) {
  put_bounds (e->line, offsetof (sd_row, get_low_ns), offsetof (sd_row, get_high_ns), out, cap);
}

static void put_probe_bounds (const sd_entry *e, char *out, size_t cap) {
  put_bounds (e->line, offsetof (sd_row, probe_low_ns), offsetof (sd_row, probe_high_ns), out, cap);
}

/* ---------------------------------------------------------------------- shown */

static bool has_baseline (const sd_rowsums *all) {
  return all->baseline.any;
}

static bool has_symbols (const sd_rowsums *all) {
  return all->symbols;
}

static bool has_probes (const sd_rowsums *all) {
  return all->probes;
}

static bool has_groups (const sd_rowsums *all) {
  return all->groups;
}

static bool has_other_sides (const sd_rowsums *all) {
  return all->other_sides;
}

/* ----------------------------------------------------------------------- list */

#define FIELD(struct_, member)                                                                               \
  .at = offsetof (struct_, member), .type = _Generic(((struct_ *) NULL)->member, uint64_t                    \
                                                     : U64, double                                           \
                                                     : F64, default                                          \
                                                     : TEXT)
#define ROWS(how, member) .origin = OF_ROWS, .sum = how, FIELD (sd_row, member)
#define LINE(member) .origin = OF_LINE, FIELD (sd_rowsum, member)
#define STREAM(member) .origin = OF_STREAM, FIELD (sd_stats, member)
#define IN_ROW(which, member) .align = 'l', .origin = which, FIELD (sd_row, member)
#define NAME(member) IN_ROW (OF_NAME, member)
#define LEFT(put) .align = 'l', .origin = OF_TEXT, .text = put
#define RIGHT(put) .align = 'r', .origin = OF_TEXT, .text = put
enum { B = SD_IN_BEST, S = SD_IN_SIZES, L = SD_IN_LATENCY, O = SD_IN_ORDERS, A = SD_IN_AGREEMENT };

static const sd_report_column columns[] = {
  { "group", NULL, S, LEFT (put_groups) },
  { "table", NULL, B | S | L | O, NAME (table) },
  { "metric", NULL, B | S | L | O, NAME (metric) },
  { NULL, "table", B | O | A, 'l', COUNT, .origin = OF_SUBJECT, FIELD (sd_subject, title) },
  { "bound_ns", "bound", B, 'r', NS, .origin = OF_ENTRY, FIELD (sd_entry, bound), .mark = "~" },
  { "coding", NULL, S | L, NAME (coding) },
  { "side", NULL, O, IN_ROW (OF_BEST, side) },
  { NULL, "side", O, LEFT (put_side_name) },
  { "sides", "sides", B | S | L | O, LEFT (put_sides), .shown = has_other_sides, .mark = "~" },
  { "codec", "codec", B, LEFT (put_label) },
  { NULL, "codec", S | L, LEFT (put_label) },
  { NULL, "codec", O, LEFT (put_label), .mark = "~" },
  { "codec", NULL, S | L | O, NAME (codec) },
  { "settings", NULL, S | L | O, NAME (settings) },
  { "freedom", NULL, B | S | L | O, NAME (freedom) },
  { NULL, "free slots", S | L | A, LEFT (put_freedom) },
  { NULL, "free slots", B | O, LEFT (put_freedom), .mark = "~" },
  { "order", "order W / B", B, LEFT (put_order), .mark = "~" },
  { "order", "order W / B", S, LEFT (put_order), .mark = "~" },
  { NULL, "order W / B", L, LEFT (put_order), .mark = "~" },
  { "orders", "orders tried", S, 'R', COUNT, .origin = OF_SWEPT, FIELD (sd_rowsum, orders) },
  { "orders", "orders", O, 'r', COUNT, STREAM (n), .mark = "-~" },
  { NULL, "orders", A, RIGHT (put_common_orders) },
  { NULL, "rank correlation, White and Black to move", A, RIGHT (put_agreement) },
  { "bytes", "bytes", B, 'r', COUNT, LINE (best) },
  { "bytes", "bytes", S | L, 'r', COUNT, LINE (best), .mark = "<" },
  { NULL, "x ", S, 'r', HUNDREDTHS, LINE (ratio), .shown = has_baseline, .mark = "~" },
  { NULL, "slot", S, 'r', NS, LINE (get_ns), .shown = has_symbols },
  { NULL, "probe", S, 'r', NS, LINE (probe_ns), .shown = has_probes, .mark = "~" },
  { "one_side_bytes", "one side, bytes", S, 'R', MOST_WHOLE, LINE (one) },
  { "worst_bytes", NULL, S, 'r', COUNT, .origin = OF_SWEPT, FIELD (sd_rowsum, worst) },
  { "mean_bytes", NULL, S, 'r', COUNT, .origin = OF_SWEPT, FIELD (sd_rowsum, mean) },
  { "bits_per_position", "bits/position", B | S, 'R', BITS, LINE (bits_per_position) },
  { "slots", NULL, S, 'r', COUNT, LINE (slots) },
  { "positions", NULL, S, 'r', COUNT, LINE (positions) },
  { "free_slots", NULL, S, 'r', COUNT, ROWS (SD_SUM, free_slots) },
  { "slots_per_block", NULL, S, 'r', COUNT, LINE (slots_per_block) },
  { "slots_per_block", "slots a block", L, 'R', COUNT, LINE (slots_per_block) },
  { "header_bytes", "header, bytes", S, 'R', COUNT, ROWS (SD_SUM, header_bytes) },
  { "model_bytes", "model, bytes", S, 'R', COUNT, ROWS (SD_SUM, model_bytes) },
  { "index_bytes", "index, bytes", S, 'R', COUNT, ROWS (SD_SUM, index_bytes) },
  { "encode_mslots_per_s", "encode, M/s", S, 'r', TENTHS, LINE (encode_rate), .mark = "~" },
  { "decode_mslots_per_s", "decode, M/s", S, 'r', MOST_WHOLE, LINE (decode_rate), .mark = "~" },
  { NULL, "groups", S, LEFT (put_groups), .shown = has_groups, .mark = "-~" },
  { "get_ns", "slot", B, 'r', NS, LINE (get_ns) },
  { "get_ns", "slot, median", L, 'r', NS, LINE (get_ns), .shown = has_symbols },
  { "get_p99_ns", "slot, 99 %", L, 'r', NS, ROWS (SD_MOST, get_p99_ns), .shown = has_symbols, .mark = "~" },
  { "get_low_ns", NULL, L, 'r', NS, ROWS (SD_MEAN, get_low_ns) },
  { "get_high_ns", NULL, L, 'r', NS, ROWS (SD_MEAN, get_high_ns) },
  { NULL, "median, 95 %", L, RIGHT (put_get_bounds), .shown = has_symbols, .mark = "-~" },
  { "probe_ns", "probe", B, 'r', NS, LINE (probe_ns), .mark = "~" },
  { "probe_ns", "probe, median", L, 'r', NS, LINE (probe_ns), .shown = has_probes },
  { "probe_p99_ns", "probe, 99 %", L, 'r', NS, ROWS (SD_MOST, probe_p99_ns), .shown = has_probes,
    .mark = "~" },
  { "probe_low_ns", NULL, L, 'r', NS, ROWS (SD_MEAN, probe_low_ns) },
  { "probe_high_ns", NULL, L, 'r', NS, ROWS (SD_MEAN, probe_high_ns) },
  { NULL, "median, 95 %", L, RIGHT (put_probe_bounds), .shown = has_probes, .mark = "-~" },
  { "baseline_bytes", NULL, B, 'r', MOST_WHOLE, LINE (plain_bytes) },
  { "times_smaller", "x ", B, 'r', HUNDREDTHS, LINE (ratio), .shown = has_baseline, .mark = "~" },
  { "baseline", NULL, B, LEFT (put_plain_name) },
  { "best_order", "best", O, IN_ROW (OF_BEST, order) },
  { "min", "bytes", O, 'r', WHOLE, STREAM (min) },
  { "q05", NULL, O, 'r', WHOLE, STREAM (q05) },
  { "q25", NULL, O, 'r', WHOLE, STREAM (q25) },
  { "mean", "mean", O, 'r', WHOLE, STREAM (mean), .mark = "-~" },
  { "sd", "sd", O, 'R', WHOLE, STREAM (sd) },
  { "median", "median", O, 'R', WHOLE, STREAM (median) },
  { "q75", NULL, O, 'r', WHOLE, STREAM (q75) },
  { "q95", NULL, O, 'r', WHOLE, STREAM (q95) },
  { "worst_order", "worst", O, IN_ROW (OF_WORST, order), .mark = "~" },
  { "max", "bytes", O, 'r', WHOLE, STREAM (max), .mark = "~" },
  { NULL, "worst / best", O, RIGHT (put_worst_by_best), .mark = "-" },
  { NULL, "best below mean", O, RIGHT (put_below_mean), .mark = "~" },
};
enum { NCOLUMNS = sizeof columns / sizeof *columns };

/* --------------------------------------------------------------------- values */

/* The struct in which the value stands. */
static const void *base_of (const sd_report_column *c, const sd_entry *e) {
  const sd_row_stream *s = &e->line->side[e->side];
  const void *const base[] = { [OF_LINE] = e->line,      [OF_SWEPT] = e->line->swept,
                               [OF_NAME] = e->line->row, [OF_SUBJECT] = &e->all->subject[e->line->subject],
                               [OF_STREAM] = &s->bytes,  [OF_BEST] = s->best,
                               [OF_WORST] = s->worst,    [OF_ENTRY] = e };
  return base[c->origin];
}

static double number_of (const sd_report_column *c, const sd_entry *e) {
  return c->origin == OF_ROWS ? sd_rowsum_of (e->line, c->sum, c->at, c->type == U64)
                              : sd_number_at (base_of (c, e), c->at, c->type == U64);
}

static void put_value (const sd_report_column *c, const sd_entry *e, bool page, char *out, size_t cap) {
  double v;
  out[0] = '\0';
  if (c->origin == OF_TEXT)
    c->text (e, out, cap);
  else if (c->type == TEXT)
    snprintf (out, cap, "%s", (const char *) base_of (c, e) + c->at);
  else if (isfinite (v = number_of (c, e)) && (v > 0 || !unit[c->unit].positive)) {
    if (page && c->unit == NS)
      sd_text_ns (v, out);
    else if (page && (c->unit == COUNT || c->unit == WHOLE || (c->unit == MOST_WHOLE && c->type == U64)))
      sd_text_count ((uint64_t) (v + 0.5), out);
    else
      snprintf (out, cap, "%.*f", unit[c->unit].decimals, v);
  }
  if (page && !*out)
    snprintf (out, cap, "-");
}

/* ------------------------------------------------------------------- printing */

void sd_columns_csv_head (enum sd_report_table table, sd_buf *csv) {
  const char *key[NCOLUMNS];
  unsigned n = 0;
  for (unsigned i = 0; i < NCOLUMNS; i++)
    if (columns[i].key && (columns[i].tables & table))
      key[n++] = columns[i].key;
  sd_put_csv (csv, key, n);
}

static bool on_page (const sd_report_column *c, enum sd_report_table table, const sd_rowsums *all) {
  return c->head && (c->tables & table) && (!c->shown || c->shown (all));
}

void sd_columns_head (enum sd_report_table table, const sd_rowsums *all, sd_doc *d) {
  const char *head[NCOLUMNS];
  char align[4 * NCOLUMNS + 1] = "", *letter = align, ratio[120];
  unsigned n = 0;
  snprintf (ratio, sizeof ratio, "x %s", all->baseline.text);
  for (unsigned i = 0; i < NCOLUMNS; i++)
    if (on_page (&columns[i], table, all)) {
      head[n++] = strcmp (columns[i].head, "x ") ? columns[i].head : ratio;
      *letter++ = columns[i].align;
      for (const char *mark = columns[i].mark; mark && *mark; mark++)
        *letter++ = *mark;
    }
  sd_doc_table (d, align, head);
}

void sd_columns_row (enum sd_report_table table, const sd_entry *e, bool strong, sd_doc *d, sd_buf *csv) {
  char text[NCOLUMNS][SD_SETTINGS_TEXT];
  const char *cell[NCOLUMNS];
  for (unsigned page = 0; page < 2; page++) {
    unsigned n = 0;
    for (unsigned i = 0; i < NCOLUMNS; i++)
      if (page ? on_page (&columns[i], table, e->all) : columns[i].key && (columns[i].tables & table)) {
        put_value (&columns[i], e, page, text[n], sizeof text[n]);
        cell[n] = text[n];
        n++;
      }
    if (page)
      sd_doc_row (d, cell, strong);
    else if (csv)
      sd_put_csv (csv, cell, n);
  }
}
