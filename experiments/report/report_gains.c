/* How much each step gains, beside what S0 (Zakharov, Malkovskiy, Shchukin 2015) says of its 5- to 7-man tables (Sec. 1.2, 1.3,
 * 1.7.4, 1.10, 1.11). No text begins with a sign: a spreadsheet would take it for a formula.
 * Sizes are of both sides. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <math.h>
#include <string.h>

typedef struct list {
  sd_gain *out;
  size_t n, cap;
} list;

static void add (list *g, const char *step, const char *published, const char *ours) {
  if (g->n == g->cap)
    return;
  sd_gain *to = &g->out[g->n++];
  snprintf (to->step, sizeof to->step, "%s", step);
  snprintf (to->ours, sizeof to->ours, "%s", ours);
  snprintf (to->published, sizeof to->published, "%s", published);
}

static double percent (double part, double whole) {
  return whole > 0 ? 100.0 * part / whole : 0;
}

/* "12.0 % smaller (1.14 x)" or "5.0 % larger (0.95 x)". */
static int put_change (char *out, size_t cap, uint64_t before, uint64_t after) {
  double saved = percent ((double) before - (double) after, (double) before);
  return snprintf (out, cap, "%.1f %% %s (%.2f x)", saved < 0 ? -saved : saved,
                   saved < 0 ? "larger" : "smaller", after ? (double) before / (double) after : 0);
}

/* "14.4 % more", "3.0 % less". */
static int put_growth (char *out, size_t cap, double part) {
  return snprintf (out, cap, "%.1f %% %s", part < 0 ? -part : part, part < 0 ? "less" : "more");
}

/* The widest order sweep of the subject with its smallest size. */
static const sd_rowsum *order_sweep (const sd_rowsums *all, const char *table, const char *metric,
                                     const char *freedom) {
  const sd_rowsum *best = NULL;
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *l = &all->line[i];
    if (sd_rowsum_is (l, table, metric) && l->varied && strcmp (sd_rowsum_freedom (l), freedom) == 0
        && (!best || l->side[0].n > best->side[0].n
            || (l->side[0].n == best->side[0].n && l->best < best->best)))
      best = l;
  }
  return best;
}

/* Smallest line of a codec, block and freedom; block 0: any. */
static const sd_rowsum *pick (const sd_rowsums *all, const char *table, const char *metric, const char *codec,
                              int64_t block, const char *freedom) {
  const unsigned sides = sd_rowsums_sides (all, table, metric);
  const sd_rowsum *best = NULL;
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *l = &all->line[i];
    if (sd_rowsum_is (l, table, metric) && l->nsides == sides && strcmp (l->row->codec, codec) == 0
        && strcmp (sd_rowsum_freedom (l), freedom) == 0 && (block == 0 || l->row->block == block)
        && (!best || l->best < best->best || (l->best == best->best && l->get_ns > 0)))
      best = l;
  }
  return best;
}

static void gain_orders (list *g, const sd_rowsums *all, const char *table, const char *metric) {
  char ours[160];
  const char *const freedom[2] = { "on", "off" };
  for (unsigned f = 0; f < 2; f++) {
    const sd_rowsum *l = order_sweep (all, table, metric, freedom[f]);
    if (!l)
      continue;
    snprintf (ours, sizeof ours, "worst / best %.2f; %.1f %% below the mean of %zu",
              (double) l->worst / (double) l->best, percent (l->mean - (double) l->best, l->mean),
              l->side[0].n);
    add (g, f ? "Best piece order, free symbols off" : "Best piece order, free symbols on",
         "factor 2 to 3 between best and worst for some endings; 25 to 30 % saved on average", ours);
  }
}

static void gain_freedom (list *g, const sd_rowsums *all, const char *table, const char *metric) {
  static const struct {
    const char *codec;
    int64_t block;
    const char *step;
  } what[] = { { "repair", 128, "Subdefinite symbols, RE-PAIR in 128-byte blocks" },
               { "lzma", 16384, "Subdefinite symbols, LZMA in 16 kB blocks" } };
  for (unsigned i = 0; i < 2; i++) {
    const sd_rowsum *on = pick (all, table, metric, what[i].codec, what[i].block, "on");
    const sd_rowsum *off = pick (all, table, metric, what[i].codec, what[i].block, "off");
    char ours[160];
    if (!on || !off)
      continue;
    put_change (ours, sizeof ours, off->best, on->best);
    add (g, what[i].step,
         "tens of per cent over universal compressors; full tables: 17 % (5 men) and 23 % (6 men) by n-up "
         "and n-down alone",
         ours);
  }
}

static void gain_coder (list *g, const sd_rowsums *all, const char *table, const char *metric) {
  char ours[160];
  const sd_rowsum *repair = pick (all, table, metric, "repair", 128, "on");
  const sd_rowsum *lzma = pick (all, table, metric, "lzma", 16384, "on");
  const uint64_t plain = sd_rows_baseline (all->row, all->nrows, table, sd_metric_find (metric));
  const size_t orders = sd_rowsums_orders (all, table, metric);
  if (repair && lzma) {
    const double shorter = lzma->slots_per_block / repair->slots_per_block;
    int len = put_change (ours, sizeof ours, lzma->best, repair->best);
    if (shorter >= 1.5)
      len += snprintf (ours + len, sizeof ours - (size_t) len, ", blocks %.0f x shorter", shorter);
    if (orders > 1)
      snprintf (ours + len, sizeof ours - (size_t) len, "; best of %zu orders", orders);
    add (g, "RE-PAIR (128 B) against LZMA (16 kB), both with free symbols",
         "up to 35 % better than LZMA (English summary)", ours);
  }
  if (repair && plain) {
    put_change (ours, sizeof ours, plain, repair->best);
    add (g, "All steps together, against LZMA (16 kB) with nothing free in the order of the name",
         "results: more than 2 times (15 TB to 7 TB, 7 men); full tables: about 25 %", ours);
  }
  const double fast = repair ? (repair->probe_ns > 0 ? repair->probe_ns : repair->get_ns) : 0;
  const double slow = lzma ? (lzma->probe_ns > 0 ? lzma->probe_ns : lzma->get_ns) : 0;
  if (fast > 0 && slow > 0) {
    char a[32], b[32];
    snprintf (ours, sizeof ours, "%.0f x faster: %s, not %s", slow / fast, sd_text_ns (fast, a),
              sd_text_ns (slow, b));
    add (g, "Access, RE-PAIR (128 B) against LZMA (16 kB)", "several times faster", ours);
  }
}

static void gain_blocks (list *g, const sd_rowsums *all, const char *table, const char *metric) {
  char ours[160];
  const sd_rowsum *a = pick (all, table, metric, "lzma", 16384, "off"),
                  *b = pick (all, table, metric, "lzma", 2097152, "off");
  if (a && b) {
    put_growth (ours, sizeof ours, percent ((double) a->best - (double) b->best, (double) b->best));
    add (g, "LZMA blocks from 2 MB to 16 kB (free symbols off)", "45 % more", ours);
  }
  a = pick (all, table, metric, "lzma", 4096, "off");
  b = pick (all, table, metric, "lzma", 65536, "off");
  if (a && b) {
    /* four halvings: the mean is the fourth root */
    int len = put_growth (ours, sizeof ours, 100 * (sqrt (sqrt ((double) a->best / (double) b->best)) - 1));
    snprintf (ours + len, sizeof ours - (size_t) len, " a halving on average");
    add (g, "LZMA blocks from 64 kB to 4 kB", "up to 10 % more for each halving", ours);
  }
  b = a;
  a = pick (all, table, metric, "lzma", 1024, "off");
  if (a && b) {
    put_growth (ours, sizeof ours, percent ((double) a->best - (double) b->best, (double) b->best));
    add (g, "LZMA blocks from 4 kB to 1 kB", "compression collapses, unusable", ours);
  }
  a = pick (all, table, metric, "repair", 128, "on");
  b = pick (all, table, metric, "repair", 1024, "on");
  if (a && b) {
    put_growth (ours, sizeof ours, percent ((double) a->best - (double) b->best, (double) b->best));
    add (g, "RE-PAIR blocks from 1024 to 128 compressed bytes",
         "suffers little: one dictionary for the whole file", ours);
  }
}

size_t sd_gains (const sd_rowsums *all, size_t subject, sd_gain *out, size_t cap) {
  list g = { out, 0, cap };
  const char *table = all->subject[subject].table, *metric = all->subject[subject].metric;
  gain_orders (&g, all, table, metric);
  gain_freedom (&g, all, table, metric);
  gain_coder (&g, all, table, metric);
  gain_blocks (&g, all, table, metric);
  return g.n;
}
