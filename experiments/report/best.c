/* The best row of a sweep for a table, as a specification that can be built. A table has one coding and one
 * set of freedoms, but each side its own order and codec.
 *
 * `subdef reformat --best-of OUT.db` asks it for each ending and makes the table anew from the
 * specification: nothing of the file that the sweep coded is used. The rows that it takes are checked as
 * they are read (sd_store_best), though not the whole store. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/report/report_internal.h"
#include <string.h>

/* Rows of the store as what sd_table_code takes. White's row has the coding and freedom of the table, which
 * both share. row[0..nsides-1]. */
static int fill (const sd_material *m, enum sd_metric metric, unsigned nsides, const sd_row *row,
                 sd_table_spec *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  out->material = *m;
  out->metric = metric;
  out->coding = sd_coding_find (row[0].coding);
  SD_TRY (sd_freedom_parse (row[0].freedom, &out->freedom, err));

  /* Order, numbering and settings are read by the parsers of the sweep; a codec may be missing in this
   * build. */
  for (unsigned side = 0; side < nsides; side++) {
    const sd_row *r = &row[side];
    out->side[side].codec = sd_codec_find (r->codec);
    if (!out->side[side].codec)
      return sd_fail (err, SD_EUNSUPPORTED, "codec %s is not in this build", r->codec);
    SD_TRY (sd_settings_read (out->side[side].codec, r->settings, &out->side[side].settings, err));
    SD_TRY (sd_layout_parse (m, r->order, r->numbering, &out->side[side].layout, err));
  }
  return SD_OK;
}

/* Without a row in the bound, a second question tells whether the bound is the reason. */
static int find (const char *db, sd_store *store, const sd_material *m, enum sd_metric metric,
                 double max_latency_ns, sd_table_spec *out, sd_error *err) {
  const char *what = sd_metrics[metric].name;
  const unsigned nsides = sd_material_symmetric (m) ? 1 : 2;
  sd_row row[2];
  bool found, slow = false;
  char name[16];

  sd_material_name (m, name);
  SD_TRY (sd_store_snapshot (store, err));
  SD_TRY (sd_store_best (store, name, what, nsides, max_latency_ns, row, &found, err));

  if (found)
    return fill (m, metric, nsides, row, out, err);

  if (max_latency_ns > 0)
    SD_TRY (sd_store_best (store, name, what, nsides, 0, row, &slow, err));
  return slow ? sd_fail (err, SD_ENOENT,
                         "%s: no row of %s %s reads a slot in %.0f ns or less (median) for every side", db,
                         name, what, max_latency_ns)
              : sd_fail (err, SD_ENOENT, "%s: no rows for every side of %s %s", db, name, what);
}

int sd_report_best (const char *db, const sd_material *m, enum sd_metric metric, double max_latency_ns,
                    sd_table_spec *out, sd_error *err) {
  sd_store *store = NULL;
  sd_material canonical;
  sd_material_canonical (m, &canonical);
  SD_TRY (sd_store_peek (db, &store, err));
  const int status = find (db, store, &canonical, metric, max_latency_ns, out, err);
  sd_store_close (store);
  return status;
}
