/* subdef export: values for other programs: an array as a plain file, endings as Syzygy files. */
#include "config.h"
#include "chess/ending.h"
#include "array/array.h"
#include "syzygy/syzygy_write.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *syzygy, *tables;
  bool overwrite, quiet, wdl_only, high;
} opt;

static const sd_option options[] = {
  { "syzygy", 's', "DIR", "write the endings as Syzygy files (.rtbw and .rtbz) into this folder",
    .text = &opt.syzygy },
  { "tables", 'p', "DIR[:DIR]",
    "where the exact dtz50 tables are (default: SUBDEF_PATH, else the current folder)", .text = &opt.tables },
  { "wdl-only", 'w', NULL, "with --syzygy: no .rtbz files", .flag = &opt.wdl_only },
  { "high", 'H', NULL, "with --syzygy: look longer for small .rtbw files", .flag = &opt.high },
  { "force", 'f', NULL, "overwrite existing files", .flag = &opt.overwrite },
  { "quiet", 'q', NULL, "do not say what was written", .flag = &opt.quiet },
  { 0 },
};

/* ------------------------------------------------------------------ arrays */

static int export_array (const char *from, const char *to, sd_error *err) {
  sd_array *a;
  sd_progress progress;
  SD_TRY (sd_array_open (from, SD_OPEN_CHECK, &a, err));
  sd_terminal_progress (&progress, false);
  const int status = sd_array_export (a, to, &progress, err);
  sd_array_close (a);
  return status;
}

/* ----------------------------------------------------------------- endings */

static int wdl_of (const void *ctx, const sd_pos *p, unsigned *value) {
  sd_value v;
  SD_TRY (sd_values_of (ctx, p, &v));
  *value = (unsigned) (sd_metrics[SD_WDL50].of (v) + 2);
  return SD_OK;
}

static int dtz_of (const void *ctx, const sd_pos *p, unsigned *plies) {
  sd_value v;
  SD_TRY (sd_values_of (ctx, p, &v));
  *plies = (unsigned) sd_value_plies (v);
  return SD_OK;
}

/* One file; one that is there already stays, so that an export that was stopped goes on. */
static int export_file (const sd_values *values, const sd_material *m, bool dtz, sd_error *err) {
  const sd_syzygy_source source = { values, wdl_of, dtz_of };
  const sd_syzygy_effort wdl_effort = opt.high ? SD_SYZYGY_WDL_HIGH : SD_SYZYGY_WDL_EFFORT,
                         dtz_effort = SD_SYZYGY_DTZ_EFFORT;
  char name[16], path[4096];
  uint64_t bytes;
  sd_material_name (m, name);
  if (snprintf (path, sizeof path, "%s/%s.%s", opt.syzygy, name, dtz ? "rtbz" : "rtbw") >= (int) sizeof path)
    return sd_fail (err, SD_EINVAL, "%s: the path is too long", opt.syzygy);
  if (!opt.overwrite && sd_file_exists (path)) {
    if (!opt.quiet)
      printf ("%s: is there already\n", path);
    return SD_OK;
  }
  SD_TRY (dtz ? sd_syzygy_write_new_dtz (m, &source, &dtz_effort, path, &bytes, err)
              : sd_syzygy_write_wdl (m, &source, &wdl_effort, path, &bytes, err));
  if (!opt.quiet)
    printf ("%s: %s bytes, every position compared\n", path, sd_tool_count (bytes));
  fflush (stdout);
  return SD_OK;
}

static int export_ending (const char *name, sd_error *err) {
  sd_material as_written, m;
  sd_values *values;
  SD_TRY (sd_ending_parse (name, &as_written, err));
  sd_material_canonical (&as_written, &m);
  SD_TRY (sd_values_new (sd_tool_path (opt.tables), SD_DTZ50, &values, err));
  int status = sd_values_need (values, &m, err);
  for (unsigned dtz = 0; dtz < (opt.wdl_only ? 1 : 2) && !status; dtz++)
    status = export_file (values, &m, dtz, err);
  sd_values_free (values);
  if (status == SD_ENOENT && err)
    sd_error_prefix (err, "'subdef gen --metric dtz50 %s -o DIR' makes exact tables; %s", name, name);
  else if (status)
    sd_error_prefix (err, "%s", name);
  return status;
}

int sd_cmd_export (int argc, char **argv) {
  static const sd_syntax syntax = {
    options,
    "FILE.sda OUT\n--syzygy DIR ENDING...",
    "Write values for other programs: those of an array as a plain file, or endings as Syzygy files.\v"
    "OUT becomes an .npy file if its name ends so, else raw little-endian numbers. Of a source each slot gets the "
    "least value that it may hold.\n\n"
    "With --syzygy, ENDING.rtbw (the result under the 50-move rule) and ENDING.rtbz (plies to the next capture or "
    "pawn move) are made of exact dtz50 tables of the ending and of all that captures and promotions lead to. Engines "
    "load them like the public files. Every position is compared before a file gets its name. Files that "
    "are there already are passed over, so that an export that was stopped goes on where it was. Programs that probe "
    "an ending also need the files of those that captures and promotions lead to.\n\n"
    "Examples:\n"
    "  subdef export small/grid.sda back.npy\n"
    "  subdef gen KRvKP --metric dtz50 -o exact\n"
    "  subdef export --syzygy syzygy --tables exact KRvKP KQvK KRvK",
    .most = 0,
  };
  sd_words words;
  sd_error err = { 0 };
  sd_tool_parse (&syntax, argc, argv, &words);
  if (opt.syzygy) {
    if (!words.n)
      return sd_tool_usage ("ENDING is missing, e.g. 'subdef export --syzygy %s KRvKP'", opt.syzygy);
    int status = sd_make_folder (opt.syzygy, &err);
    for (int i = 0; i < words.n && !status; i++)
      status = export_ending (words.at[i], &err);
    return status ? sd_tool_fail (&err) : SD_EXIT_OK;
  }
  if (opt.tables || opt.wdl_only || opt.high)
    return sd_tool_usage ("--%s goes with --syzygy", opt.tables     ? "tables"
                                                     : opt.wdl_only ? "wdl-only"
                                                                    : "high");
  if (words.n != 2)
    return sd_tool_usage ("expected FILE.sda and OUT, e.g. 'subdef export grid.sda grid.npy', or --syzygy "
                          "DIR and endings");
  if (!opt.overwrite && sd_file_exists (words.at[1]))
    return sd_tool_usage ("%s: is there already; -f overwrites it", words.at[1]);
  return export_array (words.at[0], words.at[1], &err) ? sd_tool_fail (&err) : SD_EXIT_OK;
}
