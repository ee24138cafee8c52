/* Two stores side by side: what compare/NN-name.sql ask of experiments/query/compare.sql, as a page and a
 * file of numbers. Cells are paired that agree in all axes but those that `by` names.
 *
 * `subdef report --compare A.db B.db` ends with status 1 if cells differ in bytes, which it sees from the
 * counts that are returned here. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <string.h>

#define NAME_IS(kind, name, size) || is_word (at, len, #name)
static bool is_word (const char *at, size_t len, const char *word) {
  return strlen (word) == len && memcmp (at, word, len) == 0;
}

/* Every word is an axis or a setting of a codec. */
static int check_by (const char *by, sd_error *err) {
  for (const char *at = by; *at; at += strcspn (at, ","), at += *at == ',') {
    const size_t len = strcspn (at, ",");
    if (!(sd_is_setting (at, len) SD_NAME_COLUMNS (NAME_IS)))
      return sd_fail (err, SD_EINVAL,
                      "\"%.*s\" is neither a setting of a codec nor one of group, sides, table, metric, coding, freedom, "
                      "codec, settings, side, order, numbering",
                      (int) (len < 60 ? len : 60), at);
  }
  return SD_OK;
}

/* What compare.sql has counted of both stores. */
static int count (sd_query *q, sd_store_comparison *out, sd_error *err) {
  const struct {
    const char *sql;
    size_t *to;
  } all[] = { { "SELECT cells FROM fact", &out->cells },
              { "SELECT differ FROM fact", &out->differ },
              { "SELECT a_only FROM fact", &out->only[0] },
              { "SELECT b_only FROM fact", &out->only[1] } };

  double v;
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    SD_TRY (sd_query_number (q, all[i].sql, &v, err));
    *all[i].to = (size_t) v;
  }
  return SD_OK;
}

static int write_all (sd_query *q, sd_parts *parts, sd_doc *d, sd_error *err) {
  SD_TRY (sd_parts_read (parts, "compare", err));
  sd_doc_begin (d, "Two sweeps compared");
  SD_TRY (sd_parts_put (parts, d, q, NULL, err));
  sd_doc_end (d);
  SD_TRY (sd_report_folder (d->dir, err));
  SD_TRY (sd_parts_write (parts, d->dir, err));
  SD_TRY (sd_write_file (d->dir, "compare.md", &d->md, err));
  return sd_write_file (d->dir, "compare.html", &d->html, err);
}

int sd_report_compare (const char *a, const char *b, const char *by, const char *dir,
                       sd_store_comparison *out, sd_error *err) {
  const sd_query_options asked = { .other = b, .by = by ? by : "" };
  sd_query *q = NULL;
  sd_parts parts = { .n = 0 };
  sd_doc d = { .dir = dir };
  *out = (sd_store_comparison){ 0 };

  SD_TRY (check_by (asked.by, err));
  SD_TRY (sd_query_open (a, &asked, &q, err));
  int status = count (q, out, err);
  if (status == SD_OK && !out->cells)
    status = sd_fail (err, SD_ENOENT, "%s and %s have no cell in common%s", a, b,
                      *asked.by ? "" : "; --by KEY,... pairs cells that differ in some keys");

  if (status == SD_OK)
    status = write_all (q, &parts, &d, err);

  sd_doc_free (&d);
  sd_parts_free (&parts);
  sd_query_close (q);
  return status;
}
