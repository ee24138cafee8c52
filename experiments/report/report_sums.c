/* Rows summed to lines for figures and headlines: the sides of a table together, orders to their best
 * (tables ask experiments/query/lines.sql). The rows of a line follow each other (sd_store_rows). Cost:
 * O(n log n) for n rows. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *sd_metric_title (const char *metric) {
  const enum sd_metric m = sd_metric_find (metric);
  return m == SD_METRICS ? metric : sd_metrics[m].title;
}

/* ---------------------------------------------------------------------- lines */

static bool is_smaller (const sd_row *a, const sd_row *b) {
  return !b || a->bytes < b->bytes || (a->bytes == b->bytes && a->id < b->id);
}

static unsigned side_of (const sd_row *r) {
  return r->side[0] == 'b';
}

static void sum_stream (const sd_rowsum *l, unsigned side, sd_row_stream *s) {
  for (size_t i = 0; i < l->nrows; i++) {
    const sd_row *r = &l->row[i];
    if (side_of (r) != side)
      continue;
    if (is_smaller (r, s->best))
      s->best = r;
    s->n++;
  }
}

/* Which streams count, and whose values they hold. */
static void count_sides (sd_rowsum *l) {
  const sd_row *best[2] = { l->side[0].best, l->side[1].best };
  const bool two = best[0] && best[1], one = two && strcmp (l->row->sides, "one") == 0;
  const bool joint = strcmp (l->row->side, "wb") == 0;
  l->counted[0] = best[0] && !(one && best[1]->bytes < best[0]->bytes);
  l->counted[1] = best[1] && !(one && l->counted[0]);
  l->nsides = joint || (two && !one) ? 2 : 1;
}

double sd_number_at (const void *base, size_t at, bool whole) {
  const void *p = (const char *) base + at;
  return whole ? (double) *(const uint64_t *) p : *(const double *) p;
}

double sd_rowsum_of (const sd_rowsum *l, enum sd_sum how, size_t at, bool whole) {
  double sum = 0;
  unsigned n = 0;
  for (unsigned s = 0; s < 2; s++) {
    const double v = l->counted[s] ? sd_number_at (l->side[s].best, at, whole) : NAN;
    if (isnan (v))
      continue;
    sum = how != SD_MOST ? sum + v : n == 0 || v > sum ? v : sum;
    n++;
  }
  return n == 0 ? NAN : how == SD_MEAN ? sum / n : sum;
}

static void sum_line (sd_rowsum *l) {
  for (unsigned s = 0; s < 2; s++)
    sum_stream (l, s, &l->side[s]);
  count_sides (l);
  for (unsigned s = 0; s < 2; s++) {
    const sd_row_stream *v = &l->side[s];
    l->varied = l->varied || v->n > 1;
    if (!l->counted[s])
      continue;
    l->best += v->best->bytes;
    l->slots += v->best->slots;
    l->positions += v->best->positions;
  }
  l->get_ns = sd_rowsum_of (l, SD_MEAN, offsetof (sd_row, get_ns), false);
  l->probe_ns = sd_rowsum_of (l, SD_MEAN, offsetof (sd_row, probe_ns), false);
  l->bits_per_position = l->positions ? 8.0 * (double) l->best / (double) l->positions : 0;
}

/* In a line rows stand by order, by numbering, White's before Black's. */
const sd_row *sd_rowsum_row (const sd_rowsum *l, unsigned side, const sd_row *place) {
  size_t from = 0, to = l->nrows;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    const sd_row *r = &l->row[middle];
    const int order = strcmp (r->order, place->order),
              at = order ? order : strcmp (r->numbering, place->numbering);
    if (at < 0 || (at == 0 && side_of (r) < side))
      from = middle + 1;
    else
      to = middle;
  }
  const sd_row *r = from < l->nrows ? &l->row[from] : NULL;
  return r && side_of (r) == side && strcmp (r->order, place->order) == 0
                 && strcmp (r->numbering, place->numbering) == 0
             ? r
             : NULL;
}

/* ------------------------------------------------------------------- subjects */

/* Names of the subjects, and the lines of each behind one another. */
static void fill_subjects (sd_rowsums *all) {
  const sd_rowsum **to = all->by_subject;
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *l = &all->line[i];
    sd_subject *s = &all->subject[l->subject];
    if (s->nlines++ == 0) {
      s->table = l->row->table;
      s->metric = l->row->metric;
      snprintf (s->title, sizeof s->title, "%.63s %s", s->table, sd_metric_title (s->metric));
    }
    s->sides = l->nsides > s->sides ? l->nsides : s->sides;
  }
  for (size_t s = 0; s < all->nsubjects; s++) {
    all->subject[s].line = to;
    to += all->subject[s].nlines;
    all->subject[s].nlines = 0;
  }
  for (size_t i = 0; i < all->n; i++) {
    sd_subject *s = &all->subject[all->line[i].subject];
    s->line[s->nlines++] = &all->line[i];
  }
}

static int make_lines (sd_rowsums *out, sd_error *err) {
  const size_t n = out->nrows;
  out->line = sd_alloc0 (n, sizeof *out->line);
  out->by_subject = sd_alloc (n, sizeof (const sd_rowsum *));
  if (!out->line || !out->by_subject)
    return sd_fail_memory (err, n * sizeof *out->line);
  for (size_t i = 0; i < n;) {
    sd_rowsum *l = &out->line[out->n++];
    l->row = &out->row[i];
    for (; i < n && out->row[i].line == l->row->line; i++)
      l->nrows++;
    sum_line (l);
  }
  SD_TRY (sd_rowsums_number (out, err));
  SD_TRY (sd_styles_number (out, err));
  out->subject = sd_alloc0 (out->nsubjects, sizeof *out->subject);
  if (!out->subject)
    return sd_fail_memory (err, out->nsubjects * sizeof *out->subject);
  fill_subjects (out);
  return sd_rowsums_twins (out, err);
}

static void find_least (const sd_subject *s, const char *kind, enum sd_coding coding, sd_least *out);

/* Each line is compared with the baseline in its own coding, unless the user names a coding. */
static void compare_lines (sd_rowsums *all) {
  const bool any_coding = strstr (all->baseline.kind, "coding=") != NULL;
  for (size_t s = 0; s < all->nsubjects; s++)
    for (unsigned c = 0; c < SD_CODINGS; c++)
      find_least (&all->subject[s], all->baseline.kind, any_coding ? SD_CODINGS : (enum sd_coding) c,
                  &all->subject[s].plain[c]);
  for (size_t i = 0; i < all->n; i++) {
    sd_rowsum *l = &all->line[i];
    const enum sd_coding coding = sd_coding_find (l->row->coding);
    if (coding == SD_CODINGS)
      continue;
    l->plain = &all->subject[l->subject].plain[coding];
    l->plain_bytes = l->plain->bytes;
    l->ratio = l->best ? (double) l->plain_bytes / (double) l->best : 0;
    all->baseline.any = all->baseline.any || l->plain_bytes;
  }
}

int sd_rowsums_make (sd_row *row, size_t n, const char *baseline, sd_rowsums *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  out->row = row;
  out->nrows = n;
  SD_TRY (make_lines (out, err));
  out->baseline.named = baseline != NULL;
  out->baseline.text = baseline ? baseline : sd_query_plain_name;
  out->baseline.kind = baseline ? baseline : sd_query_plain_kind;
  compare_lines (out);
  if (baseline && !out->baseline.any)
    return sd_fail (
        err, SD_EINVAL,
        "baseline %s: no row of this group and codec (with these settings) for all sides of a table",
        baseline);
  return SD_OK;
}

void sd_rowsums_free (sd_rowsums *l) {
  for (size_t i = 0; i < l->n; i++) {
    free (l->line[i].shown);
    free (l->line[i].groups);
  }
  free (l->by_subject);
  free (l->unknown);
  free (l->line);
  free (l->subject);
  free (l->row);
  memset (l, 0, sizeof *l);
}

/* ---------------------------------------------------------------------- names */

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

void sd_rowsum_label (const sd_rowsum *l, char *out, size_t cap) {
  const sd_row *r = l->row;
  const char *as = strcmp (r->coding, "signed") ? "" : " (signed)";
  if (r->block == 0)
    snprintf (out, cap, "%s%s%s", r->codec, l->shown, as);
  else if (r->block >= 1024 && r->block % 1024 == 0)
    snprintf (out, cap, "%s %lld KiB%s%s", r->codec, (long long) r->block / 1024, l->shown, as);
  else
    snprintf (out, cap, "%s %lld B%s%s", r->codec, (long long) r->block, l->shown, as);
}

void sd_rowsum_order (const sd_rowsum *l, char *out, size_t cap) {
  char text[2][2 * SD_ORDER_TEXT + 4];
  unsigned n = 0;
  for (unsigned s = 0; s < 2; s++) {
    const sd_row *r = l->side[s].best;
    if (l->counted[s]) {
      const bool named = *r->numbering && strcmp (r->numbering, "rows"); /* an array has none */
      snprintf (text[n++], sizeof text[0], "%s%s%s", r->order, named ? " " : "", named ? r->numbering : "");
    }
  }
  if (n == 2 && strcmp (text[0], text[1]))
    snprintf (out, cap, "%s / %s", text[0], text[1]);
  else
    snprintf (out, cap, "%s", n ? text[0] : "");
}

bool sd_rowsums_only_arrays (const sd_rowsums *all) {
  size_t s = 0;
  while (s < all->nsubjects && sd_metric_find (all->subject[s].metric) == SD_METRICS)
    s++;
  return s == all->nsubjects;
}

/* -------------------------------------------------------------------- winners */

bool sd_rowsum_is_timed (const sd_rowsum *l) {
  return l->get_ns > 0 || l->probe_ns > 0;
}

/* Every stream that counts reads a slot in that time, as sd_store_best asks it of each row. */
static bool is_quick (const sd_rowsum *l, double max_ns) {
  for (unsigned s = 0; s < 2; s++)
    if (l->counted[s] && !(l->side[s].best->get_ns <= max_ns))
      return false;
  return true;
}

const sd_rowsum *sd_rowsums_best (const sd_rowsums *all, size_t subject, double max_ns) {
  const sd_subject *s = &all->subject[subject];
  const sd_rowsum *best = NULL;
  for (size_t i = 0; i < s->nlines; i++) {
    const sd_rowsum *l = s->line[i];
    if (l->listed == l && l->nsides == s->sides && (max_ns <= 0 || is_quick (l, max_ns))
        && (!best || l->best < best->best || (l->best == best->best && l->get_ns > 0)))
      best = l;
  }
  return best;
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

/* ---------------------------------------------------------------------- kinds */

/* In the order that a table has before anybody searches one. */
static bool plain_order (const sd_row *r) {
  sd_material m;
  sd_layout plain;
  char order[24];
  if (strcmp (r->numbering, "rows") || sd_material_parse (r->table, &m, NULL) != SD_OK)
    return false;
  sd_layout_default (&m, &plain);
  sd_layout_order_text (&plain, order);
  return strcmp (r->order, order) == 0;
}

/* "key=value" of a column, or of the codec's settings. */
static bool has_value (const sd_row *r, const char *pair) {
  static const struct {
    const char *key;
    size_t at;
  } column[] = { { "coding=", offsetof (sd_row, coding) },
                 { "freedom=", offsetof (sd_row, freedom) },
                 { "sides=", offsetof (sd_row, sides) },
                 { "order=", offsetof (sd_row, order) },
                 { "numbering=", offsetof (sd_row, numbering) } };
  if (strcmp (pair, "order=name") == 0)
    return plain_order (r);
  for (unsigned i = 0; i < sizeof column / sizeof *column; i++) {
    const size_t len = strlen (column[i].key);
    if (strncmp (pair, column[i].key, len) == 0 && !sd_has_setting (r->settings, pair))
      return strcmp (pair + len, (const char *) r + column[i].at) == 0;
  }
  return sd_has_setting (r->settings, pair);
}

static bool is_text (const char *text, const char *part, size_t len) {
  return strlen (text) == len && memcmp (text, part, len) == 0;
}

static bool of_kind (const sd_row *r, const char *kind) {
  const size_t group = strcspn (kind, "/");
  const char *codec = kind + group + (kind[group] == '/');
  const size_t len = strcspn (codec, "/");
  const char *pairs = codec + len + (codec[len] == '/');
  char one[128];
  if (!is_text (r->codec, codec, len) || !(is_text ("*", kind, group) || is_text (r->group, kind, group)))
    return false;
  while (sd_next_setting (&pairs, one, sizeof one))
    if (!has_value (r, one))
      return false;
  return true;
}

/* The smallest rows of a kind, of all sides of a subject, in one coding (SD_CODINGS: in that with the least
 * sum), and their bytes. */
static void find_least (const sd_subject *s, const char *kind, enum sd_coding coding, sd_least *out) {
  const sd_row *joint = NULL, *least[2] = { NULL, NULL };
  *out = (sd_least){ .ns = NAN };
  for (unsigned c = 0; c < SD_CODINGS && coding == SD_CODINGS; c++) {
    sd_least one;
    find_least (s, kind, (enum sd_coding) c, &one);
    if (one.bytes && (!out->bytes || one.bytes < out->bytes))
      *out = one;
  }
  if (coding == SD_CODINGS)
    return;
  for (size_t i = 0; i < s->nlines; i++)
    for (size_t k = 0; k < s->line[i]->nrows; k++) {
      const sd_row *r = &s->line[i]->row[k],
                   **to = strcmp (r->side, "wb") == 0 ? &joint : &least[side_of (r)];
      if (strcmp (r->coding, sd_codings[coding].name) == 0 && is_smaller (r, *to) && of_kind (r, kind))
        *to = r;
    }
  const bool both = least[0] && least[1], one = s->sides == 1;
  if (both && one) /* one-sided tables */
    least[least[1]->bytes < least[0]->bytes ? 0 : 1] = NULL;
  if (both || (one && (least[0] || least[1])))
    *out = (sd_least){ { least[0], least[1] },
                       (least[0] ? least[0]->bytes : 0) + (least[1] ? least[1]->bytes : 0),
                       NAN };
  if (joint && (out->bytes == 0 || joint->bytes < out->bytes))
    *out = (sd_least){ { joint, NULL }, joint->bytes, NAN };
  const sd_row *const *row = out->row;
  out->ns = row[0] && row[1] ? (row[0]->get_ns + row[1]->get_ns) / 2
            : row[0]         ? row[0]->get_ns
            : row[1]         ? row[1]->get_ns
                             : NAN;
}
