/* subdef recompress: smaller Syzygy files, which the same programs read. */
#include "config.h"
#include "syzygy/syzygy_write.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *folder, *tables;
  bool quiet, high;
} opt;

static const sd_option options[] = {
  { "output", 'o', "DIR",
    "write into this folder, files that do not become smaller too "
    "(default: smaller files replace the old ones)",
    .text = &opt.folder },
  { "tables", 'p', "DIR", "where the WDL files of the ending and of smaller ones are (default: beside FILE)",
    .text = &opt.tables },
  { "high", 'H', NULL, "WDL files: look many times as long", .flag = &opt.high },
  { "quiet", 'q', NULL, "do not say what was saved", .flag = &opt.quiet },
  { 0 },
};

/* One file, and the tables that tell its values. */
typedef struct job {
  const char *path, *name;
  char out[4096];
  sd_map map;
  sd_syzygy *file;
  sd_syzygy_tables *tables;
} job;

static int wdl_of (const void *ctx, const sd_pos *p, unsigned *value) {
  const job *j = ctx;
  int wdl;
  SD_TRY (sd_syzygy_wdl (j->tables, p, &wdl, NULL));
  *value = (unsigned) (wdl + 2);
  return SD_OK;
}

static void close_job (job *j) {
  sd_syzygy_tables_close (j->tables);
  sd_syzygy_close (j->file);
  sd_map_close (&j->map);
}

static int open_job (job *j, sd_error *err) {
  char folder[4096];
  const char *slash = strrchr (j->path, '/');
  j->name = slash ? slash + 1 : j->path;
  if (strlen (j->path) >= sizeof folder)
    return sd_fail (err, SD_EINVAL, "too long");
  snprintf (folder, sizeof folder, "%.*s", slash ? (int) (slash - j->path) + 1 : 1, slash ? j->path : ".");
  const int n = opt.folder ? snprintf (j->out, sizeof j->out, "%s/%s", opt.folder, j->name)
                           : snprintf (j->out, sizeof j->out, "%s", j->path);
  if (n >= (int) sizeof j->out)
    return sd_fail (err, SD_EINVAL, "too long");
  SD_TRY (sd_map_open (j->path, &j->map, err));
  SD_TRY (sd_syzygy_open (j->map.data, j->map.len, &j->file, err));
  sd_material m;
  enum sd_syzygy_kind kind;
  if (!sd_syzygy_name_parse (j->name, &m, &kind) || kind != j->file->kind
      || !sd_material_equal (&m, &j->file->material))
    return sd_fail (err, SD_EFORMAT, "it holds another table than its name says");
  return sd_syzygy_tables_open (opt.tables ? opt.tables : folder, &j->tables, err);
}

/* Where a folder is asked for it gets all files. */
static int copy_file (const job *j, sd_error *err) {
  sd_outfile *f;
  SD_TRY (sd_outfile_open (j->out, &f, err));
  const int status = sd_outfile_write (f, j->map.data, j->map.len, err);
  if (!status)
    return sd_outfile_commit (f, err);
  sd_outfile_abort (f);
  return status;
}

static int recompress (job *j, uint64_t *before, uint64_t *after, sd_error *err) {
  SD_TRY (open_job (j, err));
  const sd_syzygy_source source = { .ctx = j, .wdl = wdl_of };
  const bool is_wdl = j->file->kind == SD_SYZYGY_WDL;
  sd_syzygy_effort effort = !is_wdl    ? SD_SYZYGY_DTZ_EFFORT
                            : opt.high ? SD_SYZYGY_WDL_HIGH
                                       : SD_SYZYGY_WDL_EFFORT;
  uint64_t bytes;
  effort.at_most = j->map.len;
  SD_TRY (is_wdl ? sd_syzygy_write_wdl (&j->file->material, &source, &effort, j->out, &bytes, err)
                 : sd_syzygy_write_dtz (j->file, &source, &effort, j->out, &bytes, err));
  const bool smaller = bytes < j->map.len;
  if (!smaller && opt.folder)
    SD_TRY (copy_file (j, err));
  *before += j->map.len;
  *after += smaller ? bytes : j->map.len;
  if (!opt.quiet)
    printf ("%s: %zu -> %" PRIu64 " bytes%s\n", j->name, j->map.len, smaller ? bytes : (uint64_t) j->map.len,
            smaller ? "" : ", as it is");
  return SD_OK;
}

int sd_cmd_recompress (int argc, char **argv) {
  static const sd_syntax syntax = {
    options, "FILE.rtbw|FILE.rtbz...",
    "Make Syzygy files smaller.\v"
    "The format stays the same, and so does what programs find in the files: the order of the men, the values "
    "of slots that nobody looks at, the dictionary and the blocks are chosen anew. Every position is compared "
    "before a file gets its name. The WDL files of the ending and of all endings that captures lead to "
    "must be there, for DTZ files also those of promotions.",
    0
  };
  sd_words words;
  sd_error err = { 0 };
  uint64_t before = 0, after = 0;
  sd_tool_parse (&syntax, argc, argv, &words);
  if (!words.n)
    return sd_tool_usage ("FILE is missing");
  if (opt.folder && sd_make_folder (opt.folder, &err))
    return sd_tool_fail (&err);
  for (int i = 0; i < words.n; i++) {
    job j = { .path = words.at[i] };
    const int status = recompress (&j, &before, &after, &err);
    close_job (&j);
    if (status) {
      sd_error_prefix (&err, "%s", words.at[i]);
      return sd_tool_fail (&err);
    }
    fflush (stdout);
  }
  if (!opt.quiet && words.n > 1)
    printf ("all: %" PRIu64 " -> %" PRIu64 " bytes, %.1f %% less\n", before, after,
            100 * (1 - (double) after / (double) before));
  return SD_EXIT_OK;
}
