/* What info, list and verify do with files of arrays (.sda): plain numbers with what is free. A source holds
 * for each slot all values that it may have, a table one of them. The commands call these functions where
 * sd_array_is says that a name is that of an array. */
#include "config.h"
#include "tools/arrays.h"
#include "tools/positions.h"
#include "tools/tools_internal.h"
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------- info, list */

/* "array" has the type of the values, and tells a reader of a list that this is no table of chess. */
json_t *sd_array_json (const char *path, const sd_array *a) {
  sd_array_info in;
  sd_array_describe (a, &in);
  json_t *shape = json_array ();
  for (unsigned d = 0; d < in.shape.ndims; d++)
    json_array_append_new (shape, json_integer (in.shape.dim[d]));

  json_t *record = json_pack ("{s:s, s:s, s:b, s:o, s:i, s:i, s:I, s:s, s:i, s:I, s:I}", "file", path,
                              "array", sd_array_types[in.shape.type].name, "source", (int) in.source, "shape",
                              shape, "values", (int) in.main, "sets", (int) in.sets, "slots",
                              (json_int_t) in.shape.n, "codec", in.codec->name, "version", (int) in.version,
                              "bytes", (json_int_t) in.bytes, "stream_bytes", (json_int_t) in.stream_bytes);
  sd_json_parts (record, &in.parts);
  return record;
}

/* "array u8 64,64: a table, some values that its source admits; format version 1 of arrays, 1,234 bytes",
 * then codec and parts as of a table. */
static void array_text (const char *path, const sd_array *a) {
  sd_array_info in;
  char shape[192];

  sd_array_describe (a, &in);
  sd_array_shape_text (&in.shape, shape);
  printf ("%s\n  array %s %s: %s; format version %u of arrays, %s bytes\n", path,
          sd_array_types[in.shape.type].name, shape,
          in.source ? "a source, values and what is free" : "a table, some values that its source admits",
          in.version, sd_tool_count (in.bytes));

  printf ("  codec %s, %u values", in.codec->name, in.main);
  if (in.source)
    printf (", %u set%s", in.sets, in.sets == 1 ? "" : "s");
  printf ("\n      %s slots in %s bytes = %.4f bits/slot", sd_tool_count (in.shape.n),
          sd_tool_count (in.stream_bytes), 8.0 * (double) in.stream_bytes / (double) in.shape.n);
  sd_tool_parts (&in.parts);
}

/* The checksums are compared first, as info does of tables. */
int sd_array_info_one (const char *path, json_t *all, sd_error *err) {
  SD_OWN (sd_array) *a = NULL;
  SD_TRY (sd_array_open (path, SD_OPEN_CHECK, &a, err));
  if (all)
    json_array_append_new (all, sd_array_json (path, a));
  else
    array_text (path, a);
  return SD_OK;
}

/* As scandir asks. */
static int is_array (const struct dirent *e) {
  return sd_array_is (e->d_name);
}

unsigned sd_array_list (const char *path, json_t *all, int *status) {
  unsigned n = 0;
  char folder[2048];

  while (sd_tool_next_folder (&path, folder, sizeof folder)) {
    struct dirent **entry;
    const int found = scandir (folder, &entry, is_array, alphasort);
    for (int i = 0; i < found; i++) {
      char file[4096], shape[192];
      sd_error err = { 0 };
      SD_OWN (sd_array) *a = NULL;
      sd_array_info in;

      n++;
      snprintf (file, sizeof file, "%s/%s", folder, entry[i]->d_name);
      free (entry[i]);
      if (sd_array_open (file, 0, &a, &err)) { /* a damaged file is told, not left out */
        *status = sd_tool_fail (&err) ? SD_EXIT_FAILED : *status;
        continue;
      }

      sd_array_describe (a, &in);
      sd_array_shape_text (&in.shape, shape);
      if (all)
        json_array_append_new (all, sd_array_json (file, a));
      else
        printf ("%-9s %-6s  %-7s %13s  %s  %s\n", "array", in.source ? "source" : "table", in.codec->name,
                sd_tool_count (in.bytes), file, shape);
    }
    if (found >= 0)
      free (entry);
  }
  return n;
}

/* ------------------------------------------------------------------ verify */

/* Does each slot of the table hold what the source admits? */
static int compare (const char *source, const sd_array *a, sd_error *err) {
  SD_OWN (sd_array) *from = NULL;
  SD_OWN (sd_subdefined) *d = NULL;
  sd_array_info in;
  SD_TRY (sd_array_open (source, SD_OPEN_CHECK, &from, err));
  sd_array_describe (from, &in);
  if (!in.source)
    return sd_fail (err, SD_EFORMAT, "%s: no source: 'subdef import' makes one of the plain file", source);
  SD_TRY (sd_array_load (from, &d, err));
  return sd_array_compare (&in.shape, d, a, err);
}

/* All slots, as far as they can be told without the source. */
static int decode (const sd_array *a, uint64_t n, sd_error *err) {
  enum { PIECE = 1 << 16 };
  int32_t value[PIECE];
  for (uint64_t i = 0; i < n; i += PIECE)
    SD_TRY (sd_array_read (a, i, n - i < PIECE ? n - i : PIECE, value, err));
  return SD_OK;
}

/* said: "the checksums of 1,234 bytes, and 4,096 slots decode". */
int sd_array_verify_one (const char *path, const char *source, bool sums_only, char *said, size_t cap,
                         sd_error *err) {
  SD_OWN (sd_array) *a = NULL;
  sd_array_info in;
  SD_TRY (sd_array_open (path, SD_OPEN_CHECK, &a, err));
  sd_array_describe (a, &in);
  /* Without its source only what the file itself promises can be checked: that each slot decodes. */
  if (!sums_only)
    SD_TRY (source ? compare (source, a, err) : decode (a, in.shape.n, err));

  const size_t n = (size_t) snprintf (said, cap, "the checksums of %s bytes", sd_tool_count (in.bytes));
  if (!sums_only)
    snprintf (said + n, cap - n,
              source ? ", and each of %s slots holds what %.200s admits" : ", and %s slots decode",
              sd_tool_count (in.shape.n), source);
  return SD_OK;
}
