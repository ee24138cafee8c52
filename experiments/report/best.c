/* The best row of a sweep for a table, as a specification that can be built. A table has one coding and one
 * set of freedoms, but each side its own order and codec. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/report/report_internal.h"
#include <stdlib.h>
#include <string.h>

static int fill (const sd_material *m, enum sd_metric metric, unsigned nsides, const sd_row *row,
                 sd_best *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  out->nsides = nsides;
  out->spec.material = *m;
  out->spec.metric = metric;
  out->spec.coding = sd_coding_find (row[0].coding);
  SD_TRY (sd_freedom_parse (row[0].freedom, &out->spec.freedom, err));
  for (unsigned side = 0; side < nsides; side++) {
    const sd_row *r = &row[side];
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

/* Both sides with what others are compared with; 0: no such rows. */
static int read_plain (sd_store *store, const char *name, const char *metric, uint64_t *out, sd_error *err) {
  sd_row *row = NULL;
  sd_rowsums all = { 0 };
  size_t n = 0;
  SD_TRY (sd_store_rows (store, &row, &n, err));
  int status = sd_rowsums_make (row, n, NULL, &all, err);
  for (size_t s = 0; s < all.nsubjects; s++)
    if (strcmp (all.subject[s].table, name) == 0 && strcmp (all.subject[s].metric, metric) == 0)
      *out = all.subject[s].plain;
  sd_rowsums_free (&all);
  return status;
}

int sd_report_best (const char *db, const sd_material *m, enum sd_metric metric, double max_latency_ns,
                    sd_best *out, sd_error *err) {
  const char *what = sd_metrics[metric].name;
  sd_store *store = NULL;
  sd_material canonical;
  sd_row row[2];
  bool found = false, slow = false;
  char name[16];
  sd_material_canonical (m, &canonical);
  sd_material_name (&canonical, name);
  const unsigned nsides = sd_material_symmetric (&canonical) ? 1 : 2;
  int status = sd_store_open (db, false, &store, err);
  if (status == SD_OK)
    status = sd_store_best (store, name, what, nsides, max_latency_ns, row, &found, err);
  if (status == SD_OK && found)
    status = fill (&canonical, metric, nsides, row, out, err);
  if (status == SD_OK && found)
    status = read_plain (store, name, what, &out->lzma16k_bytes, err);
  if (status == SD_OK && !found && max_latency_ns > 0)
    status = sd_store_best (store, name, what, nsides, 0, row, &slow, err);
  if (status == SD_OK && !found)
    status = slow ? sd_fail (err, SD_ENOENT,
                             "%s: no row of %s %s reads a symbol in %.0f ns or less (median) for every side",
                             db, name, what, max_latency_ns)
                  : sd_fail (err, SD_ENOENT, "%s: no rows for every side of %s %s", db, name, what);
  sd_store_close (store);
  return status;
}
