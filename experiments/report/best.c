/* The best row of a sweep for a table, as a specification that can be built. A table has one coding and one
 * set of freedoms, but each side its own order and codec: for every (coding, freedom) that has rows for all
 * sides the smallest row of each side is taken (of equal ones the quickest), and the smallest sum wins. Cost:
 * quadratic in the number of different (coding, freedom), which is small. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/experiments_internal.h"
#include <stdlib.h>
#include <string.h>

static bool of_table (const sd_row *r, const char *name, enum sd_metric metric, unsigned side) {
  return strcmp (r->table, name) == 0 && strcmp (r->metric, sd_metric_name (metric)) == 0
         && r->side[0] == "wb"[side];
}

static bool quicker (const sd_row *a, const sd_row *b) {
  return a->get_ns > 0 && (!(b->get_ns > 0) || a->get_ns < b->get_ns);
}

static const sd_row *smallest (const sd_row *row, size_t n, const char *name, enum sd_metric metric,
                               unsigned side, const sd_row *like, double max_ns) {
  const sd_row *best = NULL;
  for (size_t i = 0; i < n; i++) {
    const sd_row *r = &row[i];
    if (!of_table (r, name, metric, side) || strcmp (r->coding, like->coding)
        || strcmp (r->freedom, like->freedom))
      continue;
    if (max_ns > 0 && !(r->get_ns > 0 && r->get_ns <= max_ns))
      continue;
    if (!best || r->bytes < best->bytes || (r->bytes == best->bytes && quicker (r, best)))
      best = r;
  }
  return best;
}

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

uint64_t sd_rows_baseline (const sd_row *row, size_t n, const char *table, enum sd_metric metric) {
  uint64_t least[2] = { 0, 0 };
  bool side_there[2] = { false, false };
  for (size_t i = 0; i < n; i++)
    for (unsigned s = 0; s < 2; s++) {
      const sd_row *r = &row[i];
      if (!of_table (r, table, metric, s))
        continue;
      side_there[s] = true;
      if (strcmp (r->codec, "lzma") == 0 && r->block == 16384 && strcmp (r->freedom, "none") == 0
          && plain_order (r) && (least[s] == 0 || r->bytes < least[s]))
        least[s] = r->bytes;
    }
  const bool whole = (!side_there[0] || least[0]) && (!side_there[1] || least[1]);
  return whole ? least[0] + least[1] : 0;
}

static int fill (const sd_material *m, enum sd_metric metric, unsigned nsides, const sd_row *const *row,
                 sd_best *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  out->nsides = nsides;
  out->spec.material = *m;
  out->spec.metric = metric;
  out->spec.coding = sd_coding_find (row[0]->coding);
  SD_TRY (sd_freedom_parse (row[0]->freedom, &out->spec.freedom, err));
  for (unsigned side = 0; side < nsides; side++) {
    const sd_row *r = row[side];
    snprintf (out->side[side].codec, sizeof out->side[side].codec, "%s", r->codec);
    snprintf (out->side[side].settings, sizeof out->side[side].settings, "%s", r->settings);
    snprintf (out->side[side].order, sizeof out->side[side].order, "%s", r->order);
    snprintf (out->side[side].numbering, sizeof out->side[side].numbering, "%s", r->numbering);
    out->side[side].bytes = r->bytes;
    out->side[side].probe_ns = r->probe_ns > 0 ? r->probe_ns : 0;
    out->side[side].get_ns = r->get_ns > 0 ? r->get_ns : 0;
    out->bytes += r->bytes;
    out->spec.side[side].codec = sd_codec_find (r->codec);
    if (!out->spec.side[side].codec)
      return sd_fail (err, SD_EUNSUPPORTED, "codec %s is not in this build", r->codec);
    SD_TRY (sd_settings_read (out->spec.side[side].codec, r->settings, &out->spec.side[side].settings, err));
    SD_TRY (sd_layout_parse (m, r->order, r->numbering, &out->spec.side[side].layout, err));
  }
  return SD_OK;
}

int sd_report_best (const char *db, const sd_material *m, enum sd_metric metric, double max_latency_ns,
                    sd_best *out, sd_error *err) {
  sd_store *store = NULL;
  sd_row *row = NULL;
  sd_material canonical;
  size_t n = 0, of_it = 0;
  char name[16];
  sd_material_canonical (m, &canonical);
  sd_material_name (&canonical, name);
  const unsigned nsides = sd_material_symmetric (&canonical) ? 1 : 2;
  int status = sd_store_open (db, false, &store, err);
  if (status == SD_OK)
    status = sd_store_rows (store, &row, &n, err);
  const sd_row *best[2] = { NULL, NULL };
  uint64_t best_bytes = UINT64_MAX;
  for (size_t i = 0; i < n && status == SD_OK; i++) {
    if (!of_table (&row[i], name, metric, 0))
      continue;
    of_it++;
    bool seen = false; /* this coding and freedom were tried */
    for (size_t k = 0; k < i && !seen; k++)
      seen = of_table (&row[k], name, metric, 0) && strcmp (row[k].coding, row[i].coding) == 0
             && strcmp (row[k].freedom, row[i].freedom) == 0;
    if (seen)
      continue;
    const sd_row *side[2] = { NULL, NULL };
    uint64_t bytes = 0;
    bool all = true;
    for (unsigned s = 0; s < nsides; s++) {
      side[s] = smallest (row, n, name, metric, s, &row[i], max_latency_ns);
      all = all && side[s];
      bytes += side[s] ? side[s]->bytes : 0;
    }
    if (all && bytes < best_bytes) {
      best_bytes = bytes;
      best[0] = side[0];
      best[1] = side[1];
    }
  }
  if (status == SD_OK && !best[0])
    status = of_it && max_latency_ns > 0
                 ? sd_fail (err, SD_ENOENT,
                            "%s: no row of %s %s reads a symbol in %.0f ns or less (median) for every side",
                            db, name, sd_metric_name (metric), max_latency_ns)
                 : sd_fail (err, SD_ENOENT, "%s: no rows for every side of %s %s", db, name,
                            sd_metric_name (metric));
  if (status == SD_OK)
    status = fill (&canonical, metric, nsides, best, out, err);
  if (status == SD_OK)
    out->lzma16k_bytes = sd_rows_baseline (row, n, name, metric);
  free (row);
  sd_store_close (store);
  return status;
}
