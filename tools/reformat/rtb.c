/* Syzygy files: made of exact dtz50 tables, or smaller ones made of Syzygy files, of which nothing changes
 * that programs find in them. Whether an item is the one or the other, it->syzygy says. The writers of
 * syzygy/ compare each position before the file has its name. */
#include "config.h"
#include "syzygy/syzygy_write.h"
#include "tools/reformat/batch.h"
#include <string.h>

static bool is_wdl (const sd_item *it) {
  return it->metric == SD_WDL50;
}

/* How long the writer looks for small files; --high: longer, of .rtbw files alone. */
static sd_syzygy_effort effort_of (const sd_batch *r, const sd_item *it) {
  return !is_wdl (it) ? SD_SYZYGY_DTZ_EFFORT : r->opt->high ? SD_SYZYGY_WDL_HIGH : SD_SYZYGY_WDL_EFFORT;
}

/* Only WDL files can be looked at longer. */
int sd_rtb_plan (sd_batch *r, sd_item *it, sd_error *err) {
  (void) err;
  snprintf (it->row.how, sizeof it->row.how, "%s%s%s", it->syzygy ? "recompress" : "reformat ",
            it->syzygy ? "" : it->to->name, r->opt->high && is_wdl (it) ? " --high" : "");
  return SD_OK;
}

/* ---------------------------------------------------------- of exact values */

/* As sd_syzygy_source.wdl: 0 lost to 4 won, as the files have it. One exact value tells both results and
 * plies. */
static int wdl_of (const void *ctx, const sd_pos *p, unsigned *value) {
  sd_value v;
  SD_TRY (sd_values_of (ctx, p, &v));
  *value = (unsigned) (sd_metrics[SD_WDL50].of (v) + 2);
  return SD_OK;
}

/* Without a sign: the result stands in the .rtbw file. */
static int dtz_of (const void *ctx, const sd_pos *p, unsigned *plies) {
  sd_value v;
  SD_TRY (sd_values_of (ctx, p, &v));
  *plies = (unsigned) sd_value_plies (v);
  return SD_OK;
}

/* The values of the ending before stay until another one is asked for: two files are made of them. */
static int load (sd_batch *r, const sd_item *it, sd_values **out, sd_error *err) {
  const sd_item *of = r->values_of;

  *out = r->values;
  if (*out && of->source == it->source && sd_material_equal (&of->subject.material, &it->subject.material))
    return SD_OK;
  sd_values_free (*out);

  r->values = *out = NULL;
  SD_TRY (sd_values_new (it->source->path, SD_DTZ50, out, err));
  /* With several files at a time each has its own. */
  if (r->jobs == 1) {
    r->values = *out;
    r->values_of = it;
  }
  return SD_OK;
}

static int make_new (sd_batch *r, sd_item *it, sd_error *err) {
  const sd_material *m = &it->subject.material;
  const sd_syzygy_effort effort = effort_of (r, it);
  sd_values *values;
  uint64_t bytes;

  SD_TRY (load (r, it, &values, err));
  const sd_syzygy_source source = { values, wdl_of, dtz_of };
  int status = sd_values_need (values, m, err);
  if (status == SD_OK)
    status = is_wdl (it) ? sd_syzygy_write_wdl (m, &source, &effort, it->path, &bytes, err)
                         : sd_syzygy_write_new_dtz (m, &source, &effort, it->path, &bytes, err);
  if (values != r->values)
    sd_values_free (values);
  return status;
}

/* --------------------------------------------------------- of Syzygy files */

/* What engines find in the old files; the new ones must give the same. */
static int looked_up (const void *ctx, const sd_pos *p, unsigned *value) {
  int wdl;
  SD_TRY (sd_syzygy_wdl (ctx, p, &wdl, NULL));
  *value = (unsigned) (wdl + 2);
  return SD_OK;
}

/* A folder gets all files, also those that do not become smaller. */
static int copy_file (const sd_item *it, const sd_map *map, sd_error *err) {
  sd_outfile *f;
  SD_TRY (sd_outfile_open (it->path, &f, err));
  const int status = sd_outfile_write (f, map->data, map->len, err);
  if (!status)
    return sd_outfile_commit (f, err);
  sd_outfile_abort (f);
  return status;
}

static int write_smaller (const sd_batch *r, const sd_item *it, const sd_map *map, const sd_syzygy *file,
                          sd_error *err) {
  const sd_material *m = &it->subject.material;
  const sd_syzygy_source source = { .ctx = it->source->files, .wdl = looked_up };
  sd_syzygy_effort effort = effort_of (r, it);
  uint64_t bytes = 0;
  /* A file that does not become smaller is not written. */
  effort.at_most = map->len;

  if (file->kind != (is_wdl (it) ? SD_SYZYGY_WDL : SD_SYZYGY_DTZ) || !sd_material_equal (m, &file->material))
    return sd_fail (err, SD_EFORMAT, "it holds another table than its name says");
  SD_TRY (sd_syzygy_check (file, err));
  /* wrong values of others would pass for freedom, and be compared with themselves */
  SD_TRY (sd_syzygy_tables_check (it->source->files, m, !is_wdl (it), err));
  SD_TRY (is_wdl (it) ? sd_syzygy_write_wdl (m, &source, &effort, it->path, &bytes, err)
                      : sd_syzygy_write_dtz (file, &source, &effort, it->path, &bytes, err));
  return bytes >= map->len && !sd_item_in_place (it) ? copy_file (it, map, err) : SD_OK;
}

/* Messages name the file that is read. */
static int make_smaller (const sd_batch *r, const sd_item *it, sd_error *err) {
  SD_RELEASED_BY (sd_map_close) sd_map map = { 0 };
  sd_syzygy *file = NULL;
  SD_TRY (sd_map_open (it->from, &map, err));
  int status = sd_syzygy_open (map.data, map.len, &file, err);
  status = status ? status : write_smaller (r, it, &map, file, err);
  sd_syzygy_close (file);
  if (status != SD_OK)
    sd_error_about (err, it->from);
  return status;
}

int sd_rtb_make (sd_batch *r, sd_item *it, sd_error *err) {
  return it->syzygy ? make_smaller (r, it, err) : make_new (r, it, err);
}
