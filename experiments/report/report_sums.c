/* Rows summed to lines: the sides of a table together, orders to their best, worst and mean. Cost: quadratic
 * in the number of lines. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <stdlib.h>
#include <string.h>

static bool same_line (const sd_row *a, const sd_row *b) {
  return strcmp (a->group, b->group) == 0 && strcmp (a->table, b->table) == 0
         && strcmp (a->metric, b->metric) == 0 && strcmp (a->coding, b->coding) == 0
         && strcmp (a->freedom, b->freedom) == 0 && strcmp (a->codec, b->codec) == 0
         && strcmp (a->settings, b->settings) == 0;
}

static int sum_line (sd_rowsum *l, const sd_row *row, size_t n, sd_error *err) {
  uint64_t blocks = 0;
  double encode_s = 0, decode_s = 0, *bytes = sd_alloc (n, sizeof *bytes);
  unsigned gets = 0, probes = 0;
  if (!bytes)
    return sd_fail_memory (err, n * sizeof *bytes);
  for (unsigned s = 0; s < 2; s++) {
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
      const sd_row *r = &row[i];
      if (r->side[0] != "wb"[s] || !same_line (r, l->row))
        continue;
      if (!l->side[s].best || r->bytes < l->side[s].best->bytes)
        l->side[s].best = r;
      if (!l->side[s].worst || r->bytes > l->side[s].worst->bytes)
        l->side[s].worst = r;
      bytes[k++] = (double) r->bytes;
      if (r->encode_s > 0) { /* sums for now */
        encode_s += r->encode_s;
        l->encode_rate += (double) r->slots;
      }
      if (r->decode_s > 0) {
        decode_s += r->decode_s;
        l->decode_rate += (double) r->slots;
      }
    }
    if (k == 0)
      continue;
    sd_stats_of (bytes, k, &l->side[s].bytes);
    const sd_row *b = l->side[s].best;
    l->side[s].n = k;
    l->nsides++;
    l->varied = l->varied || k > 1;
    l->best += b->bytes;
    l->one = l->nsides == 1 || b->bytes < l->one ? b->bytes : l->one;
    l->worst += l->side[s].worst->bytes;
    l->mean += l->side[s].bytes.mean;
    l->slots += b->slots;
    l->positions += b->positions;
    l->free_slots += b->free_slots;
    l->index_bytes += b->index_bytes;
    l->model_bytes += b->header_bytes + b->model_bytes;
    blocks += b->blocks;
    if (b->get_ns > 0) {
      gets++;
      l->get_ns += b->get_ns;
      l->get_p99_ns = b->get_p99_ns > l->get_p99_ns ? b->get_p99_ns : l->get_p99_ns;
    }
    if (b->probe_ns > 0) {
      probes++;
      l->probe_ns += b->probe_ns;
      l->probe_p99_ns = b->probe_p99_ns > l->probe_p99_ns ? b->probe_p99_ns : l->probe_p99_ns;
    }
  }
  free (bytes);
  if (strstr (l->row->freedom, "won")) /* losses only: each side needs the other one */
    l->one = 0;
  l->get_ns = gets ? l->get_ns / gets : 0;
  l->probe_ns = probes ? l->probe_ns / probes : 0;
  l->encode_rate = encode_s > 0 ? l->encode_rate / encode_s / 1e6 : 0;
  l->decode_rate = decode_s > 0 ? l->decode_rate / decode_s / 1e6 : 0;
  l->slots_per_block = blocks ? (double) l->slots / (double) blocks : (double) l->slots;
  l->bits_per_position = l->positions ? 8.0 * (double) l->best / (double) l->positions : 0;
  return SD_OK;
}

static int make_lines (sd_row *row, size_t n, sd_rowsums *out, sd_error *err) {
  out->line = sd_alloc0 (n, sizeof *out->line);
  out->subject = sd_alloc0 (n, sizeof *out->subject);
  if (!out->line || !out->subject)
    return sd_fail_memory (err, n * sizeof *out->line);
  for (size_t i = 0; i < n; i++) {
    bool there = false, known = false;
    for (size_t k = 0; k < out->n && !there; k++)
      there = same_line (out->line[k].row, &row[i]);
    if (there)
      continue;
    sd_rowsum *l = &out->line[out->n++];
    l->row = &row[i];
    SD_TRY (sum_line (l, row, n, err));
    for (size_t k = 0; k < out->nsubjects && !known; k++)
      known = sd_rowsum_is (l, out->subject[k].table, out->subject[k].metric);
    if (!known) {
      out->subject[out->nsubjects].table = row[i].table;
      out->subject[out->nsubjects++].metric = row[i].metric;
    }
  }
  return SD_OK;
}

int sd_rowsums_make (sd_row *row, size_t n, const char *baseline, sd_rowsums *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  out->row = row;
  out->nrows = n;
  SD_TRY (make_lines (row, n, out, err));
  snprintf (out->baseline.text, sizeof out->baseline.text, "%s", baseline ? baseline : "LZMA 16 kB");
  out->baseline.asked = baseline;
  for (size_t s = 0; s < out->nsubjects; s++)
    out->baseline.any = out->baseline.any || sd_rowsums_baseline (out, out->subject[s].table, out->subject[s].metric);
  if (baseline && !out->baseline.any)
    return sd_fail (err, SD_EINVAL, "baseline %s: no row of this group and codec (with these settings) for all sides of a table",
                    baseline);
  return SD_OK;
}

void sd_rowsums_free (sd_rowsums *l) {
  free (l->line);
  free (l->subject);
  free (l->row);
  memset (l, 0, sizeof *l);
}

bool sd_rowsum_is (const sd_rowsum *l, const char *table, const char *metric) {
  return strcmp (l->row->table, table) == 0 && strcmp (l->row->metric, metric) == 0;
}

const char *sd_rowsum_freedom (const sd_rowsum *l) {
  return strcmp (l->row->freedom, "all") == 0    ? "on"
         : strcmp (l->row->freedom, "none") == 0 ? "off"
                                                 : l->row->freedom;
}

bool sd_next_setting (const char **at, char *out, size_t cap) {
  size_t len = strcspn (*at, ",");
  if (len == 0)
    return false;
  snprintf (out, cap, "%.*s", (int) len, *at);
  *at += len + ((*at)[len] == ',');
  return true;
}

bool sd_has_setting (const char *settings, const char *pair) {
  char one[128];
  while (sd_next_setting (&settings, one, sizeof one))
    if (strcmp (one, pair) == 0)
      return true;
  return false;
}

void sd_rowsum_label (const sd_rowsums *all, const sd_rowsum *l, char *out, size_t cap) {
  const sd_row *r = l->row;
  char one[128];
  if (r->block == 0)
    snprintf (out, cap, "%s", r->codec);
  else if (r->block >= 1024 && r->block % 1024 == 0)
    snprintf (out, cap, "%s %lld kB", r->codec, (long long) r->block / 1024);
  else
    snprintf (out, cap, "%s %lld B", r->codec, (long long) r->block);
  for (const char *at = r->settings; sd_next_setting (&at, one, sizeof one);) {
    bool differs = false;
    if (strncmp (one, "block=", 6) == 0)
      continue;
    for (size_t i = 0; i < all->n && !differs; i++)
      differs = sd_rowsum_is (&all->line[i], r->table, r->metric)
                && strcmp (all->line[i].row->codec, r->codec) == 0
                && !sd_has_setting (all->line[i].row->settings, one);
    size_t len = strlen (out);
    if (differs)
      snprintf (out + len, cap - len, " %s", one);
  }
  size_t len = strlen (out);
  if (strcmp (r->coding, "signed") == 0)
    snprintf (out + len, cap - len, " (signed)");
}

void sd_rowsum_order (const sd_rowsum *l, char *out, size_t cap) {
  char text[2][2 * SD_ORDER_TEXT + 4];
  unsigned n = 0;
  for (unsigned s = 0; s < 2; s++) {
    const sd_row *r = l->side[s].best;
    if (r)
      snprintf (text[n++], sizeof text[0], "%s%s%s", r->order, strcmp (r->numbering, "rows") ? " " : "",
                strcmp (r->numbering, "rows") ? r->numbering : "");
  }
  if (n == 2 && strcmp (text[0], text[1]))
    snprintf (out, cap, "%s / %s", text[0], text[1]);
  else
    snprintf (out, cap, "%s", n ? text[0] : "");
}

unsigned sd_rowsums_sides (const sd_rowsums *all, const char *table, const char *metric) {
  unsigned n = 0;
  for (size_t i = 0; i < all->n; i++)
    if (sd_rowsum_is (&all->line[i], table, metric) && all->line[i].nsides > n)
      n = all->line[i].nsides;
  return n;
}

const sd_rowsum *sd_rowsums_best (const sd_rowsums *all, const char *table, const char *metric,
                                  double max_ns) {
  const sd_rowsum *best = NULL;
  unsigned sides = sd_rowsums_sides (all, table, metric);
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *l = &all->line[i];
    if (sd_rowsum_is (l, table, metric) && l->nsides == sides
        && (max_ns <= 0 || (l->get_ns > 0 && l->get_ns <= max_ns))
        && (!best || l->best < best->best || (l->best == best->best && l->get_ns > 0)))
      best = l;
  }
  return best;
}

const sd_rowsum *sd_rowsums_winner (const sd_rowsums *all, const char *table, const char *metric) {
  const sd_rowsum *quick = sd_rowsums_best (all, table, metric, SD_QUICK_NS);
  return quick ? quick : sd_rowsums_best (all, table, metric, 0);
}

const char *sd_text_against (uint64_t plain, uint64_t bytes, char *out) {
  const double ratio = bytes ? (double) plain / (double) bytes : 0;
  if (ratio <= 0)
    snprintf (out, 64, "-");
  else if (ratio >= 1)
    snprintf (out, 64, "%.2f times smaller than", ratio);
  else
    snprintf (out, 64, "%.2f times larger than", 1 / ratio);
  return out;
}

/* ------------------------------------------------------------------- baseline */

/* Is the row of the kind "GROUP/CODEC" or "GROUP/CODEC/KEY=VALUE,..."? */
static bool of_kind (const sd_row *r, const char *asked) {
  const size_t group = strcspn (asked, "/");
  const char *codec = asked + group + (asked[group] == '/');
  const size_t len = strcspn (codec, "/");
  const char *settings = codec + len + (codec[len] == '/');
  char one[128];
  if (strlen (r->group) != group || memcmp (r->group, asked, group) || strlen (r->codec) != len
      || memcmp (r->codec, codec, len))
    return false;
  while (sd_next_setting (&settings, one, sizeof one))
    if (!sd_has_setting (r->settings, one))
      return false;
  return true;
}

uint64_t sd_rowsums_baseline (const sd_rowsums *all, const char *table, const char *metric) {
  uint64_t least = 0;
  if (!all->baseline.asked)
    return sd_rows_baseline (all->row, all->nrows, table, sd_metric_find (metric));
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *l = &all->line[i];
    if (sd_rowsum_is (l, table, metric) && l->nsides == sd_rowsums_sides (all, table, metric)
        && of_kind (l->row, all->baseline.asked) && (least == 0 || l->best < least))
      least = l->best;
  }
  return least;
}

/* --------------------------------------------------------------------- orders */

/* Was this order met before in the rows of its side? */
static bool met (const sd_rowsums *all, size_t i) {
  const sd_row *r = &all->row[i];
  for (size_t k = 0; k < i; k++) {
    const sd_row *b = &all->row[k];
    if (strcmp (b->order, r->order) == 0 && strcmp (b->numbering, r->numbering) == 0 && b->side[0] == r->side[0]
        && strcmp (b->table, r->table) == 0 && strcmp (b->metric, r->metric) == 0)
      return true;
  }
  return false;
}

size_t sd_rowsums_orders (const sd_rowsums *all, const char *table, const char *metric) {
  size_t n[2] = { 0, 0 };
  for (size_t i = 0; i < all->nrows; i++)
    if (strcmp (all->row[i].table, table) == 0 && strcmp (all->row[i].metric, metric) == 0 && !met (all, i))
      n[all->row[i].side[0] == 'b']++;
  return n[0] > n[1] ? n[0] : n[1];
}
