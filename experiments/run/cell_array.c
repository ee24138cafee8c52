/* Cells of arrays: a file of array/ in place of an ending. A cell has the array's name and the codec; metric
 * `array` stands where an ending has its own, and there is one stream, in the order of the file.
 *
 * The row of a cell has the name that the sweep file gives the array, so that a report of a store of
 * another machine still tells arrays apart. The file is opened twice: for its shape, when the sweep is
 * read, and for its data, when the first cell of it is computed; whoever changed it in between is told so. */
#include "config.h"
#include "array/array.h"
#include "experiments/run/run_internal.h"
#include <string.h>

bool sd_cell_is_array (const char *table) {
  return sd_array_is (table);
}

/* Checksums of the data are not compared yet; `freedom` of the row says whether the file has its source, from
 * which slots have more than one value. */
int sd_cell_array_set (sd_cell *cell, const char *path, sd_error *err) {
  sd_name *n = &cell->name;
  SD_OWN (sd_array) *a = NULL;
  sd_array_info in;
  if (strlen (path) >= sizeof n->table)
    return sd_fail (err, SD_EINVAL, "%s: the name has more than %zu characters", path, sizeof n->table - 1);

  SD_TRY (sd_array_open (path, 0, &a, err));
  sd_array_describe (a, &in);

  cell->array = in.shape.n;
  cell->material = (sd_material){ 0 };
  cell->metric = SD_NO_METRIC;
  cell->coding = SD_NO_CODING;
  cell->side = 0;
  cell->freedom = 0;
  cell->best_of = -1;

  snprintf (n->table, sizeof n->table, "%s", path);
  snprintf (n->metric, sizeof n->metric, "array");
  snprintf (n->side, sizeof n->side, "-");
  snprintf (n->freedom, sizeof n->freedom, "%s", in.source ? "all" : "none");
  n->coding[0] = n->sides[0] = n->order[0] = n->numbering[0] = 0;
  return SD_OK;
}

/* All checksums are compared, since what is coded is taken from it. */
int sd_cell_array_load (const sd_cell *cell, sd_subdefined **out, sd_error *err) {
  SD_OWN (sd_array) *a = NULL;
  SD_OWN (sd_subdefined) *d = NULL;
  SD_TRY (sd_array_open (cell->name.table, SD_OPEN_CHECK, &a, err));
  SD_TRY (sd_array_load (a, &d, err));
  if (d->seq.n != cell->array)
    return sd_fail (err, SD_EDIFF, "%s: %llu slots, and %llu when the sweep was read: it was changed",
                    cell->name.table, (unsigned long long) d->seq.n, (unsigned long long) cell->array);
  *out = d;
  d = NULL;
  return SD_OK;
}
