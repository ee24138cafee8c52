/* The parts of the report: a folder of query files (parts/NN-name.sql), which are also in the program as
 * texts, so that it finds them wherever it runs. Their numbers say where they stand; a new table is a new
 * file and its line in local.mk. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *name, *text;
} parts[] = {
#include "experiments/report/parts.inc"
};
enum { PARTS = sizeof parts / sizeof *parts };

int sd_parts_read (sd_parts *out, sd_error *err) {
  out->part = sd_alloc0 (PARTS, sizeof *out->part);
  if (!out->part)
    return sd_fail_memory (err, PARTS * sizeof *out->part);
  for (; out->n < PARTS; out->n++) {
    out->part[out->n].number = (unsigned) atoi (parts[out->n].name);
    SD_TRY (sd_query_parse (parts[out->n].name, parts[out->n].text, &out->part[out->n].file, err));
  }
  return SD_OK;
}

void sd_parts_free (sd_parts *p) {
  for (size_t i = 0; i < p->n; i++) {
    sd_query_file_free (&p->part[i].file);
    sd_buf_free (&p->part[i].csv);
  }
  free (p->part);
  *p = (sd_parts){ .n = 0 };
}

int sd_parts_put (sd_parts *p, sd_doc *d, sd_query *q, unsigned from, unsigned to, sd_error *err) {
  for (size_t i = 0; i < p->n; i++)
    if (p->part[i].number >= from && p->part[i].number < to)
      SD_TRY (sd_report_part (d, q, &p->part[i].file, &p->part[i].csv, err));
  return SD_OK;
}

const char *sd_parts_csv (const sd_parts *p, size_t i, char *out, size_t cap) {
  snprintf (out, cap, "%s.csv", p->part[i].file.name);
  return p->part[i].csv.len && *p->part[i].file.name ? out : NULL;
}

int sd_parts_write (const sd_parts *p, const char *dir, sd_error *err) {
  char path[4200], name[80];
  for (size_t i = 0; i < p->n; i++) {
    const char *csv = sd_parts_csv (p, i, name, sizeof name);
    snprintf (path, sizeof path, "%s/%s", dir, name);
    if (csv)
      SD_TRY (sd_write_file (dir, csv, &p->part[i].csv, err));
    else if (*p->part[i].file.name)
      unlink (path);
  }
  return SD_OK;
}
