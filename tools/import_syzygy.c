/* subdef import of Syzygy files. The values come from values/load.c; before they are coded each position is
 * looked up once more by syzygy/probe.c, which shares no code with that but the decoding of a stream. */
#include "config.h"
#include "codecs/codecs.h"
#include "recode/recode.h"
#include "syzygy/syzygy.h"
#include "tools/import_syzygy.h"
#include "tools/positions.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 4096 };

static const double latency = 2e-6; /* of a lookup with --best, as with reformat */

/* An import. */
typedef struct job {
  const char *path;
  const sd_syzygy_import *how;
  sd_material material;
  enum sd_syzygy_kind kind;
  sd_table_spec spec;
  bool plies;      /* not results alone */
  bool rounded;    /* the file may have one ply too few */
  unsigned stored; /* sides to move that the file has, a bit each */
  char name[16], folders[8200], out[4096];
  sd_progress progress;
  sd_values *values;
  sd_syzygy_tables *files;
} job;

static bool ends (const char *text, const char *ending) {
  const size_t n = strlen (text), k = strlen (ending);
  return n > k && strcmp (text + n - k, ending) == 0;
}

bool sd_import_is_syzygy (const char *path) {
  return ends (path, ".rtbw") || ends (path, ".rtbz");
}

/* ------------------------------------------------------------------- words */

/* The folder of the file first, then those of smaller endings. */
static int find_folders (job *j, sd_error *err) {
  const char *slash = strrchr (j->path, '/'), *tables = j->how->tables;
  const int n = slash ? (int) (slash - j->path) + (slash == j->path) : 1;
  return snprintf (j->folders, sizeof j->folders, "%.*s%s%s", n, slash ? j->path : ".", tables ? ":" : "",
                   tables ? tables : "")
                 < (int) sizeof j->folders
             ? SD_OK
             : sd_fail (err, SD_EINVAL, "%s: the path is too long", j->path);
}

static int find_metric (job *j, sd_error *err) {
  const enum sd_metric own = j->kind == SD_SYZYGY_WDL ? SD_WDL50 : SD_DTZ50;
  j->spec.metric = j->how->metric == SD_NO_METRIC ? own : j->how->metric;
  if (j->spec.metric == SD_DTM)
    return sd_fail (err, SD_EINVAL, "--metric dtm: Syzygy files have no distances to mate");
  if (j->spec.metric == SD_DTZ50 && j->kind == SD_SYZYGY_WDL)
    return sd_fail (err, SD_EINVAL, "--metric dtz50: plies stand in the .rtbz file; name that one");
  j->plies = j->spec.metric == SD_DTZ50;
  return SD_OK;
}

static int find_codec (job *j, sd_error *err) {
  const sd_syzygy_import *how = j->how;
  sd_table_spec *spec = &j->spec;
  const sd_codec *codec = sd_codec_find (how->codec ? how->codec : "repair");
  if (!codec)
    return sd_fail (err, SD_EINVAL,
                    "the codec %s is not in this build; \'subdef reformat --set help\' lists those that are",
                    how->codec ? how->codec : "repair");
  spec->coding = how->coding ? sd_coding_find (how->coding) : sd_metric_coding (spec->metric, false);
  if (!sd_metric_takes (spec->metric, spec->coding, false))
    return sd_fail (err, SD_EINVAL, "--coding %s: expected zeroing or signed, with --metric dtz50",
                    how->coding);
  SD_TRY (sd_freedom_parse (how->freedom ? how->freedom : "all", &spec->freedom, err));
  if (sd_freedom_choose (spec->metric, spec->coding, spec->freedom, &spec->freedom, err))
    return sd_error_prefix (err, "--freedom %s", how->freedom);
  for (unsigned s = 0; s < 2; s++) {
    spec->side[s].codec = codec;
    sd_layout_default (&j->material, &spec->side[s].layout);
    SD_TRY (sd_settings_parse (codec, how->set, &spec->side[s].settings, err));
  }
  return SD_OK;
}

/* --output: a folder, or the name that a table of this ending has. */
static int find_name (job *j, sd_error *err) {
  char file[SD_GAME_FILE_NAME];
  const char *out = j->how->out ? j->how->out : ".", *slash = strrchr (out, '/');
  const bool named = ends (out, ".sdt") || ends (out, ".sda");
  sd_table_file_name (&j->material, j->spec.metric, file);
  if (named && strcmp (slash ? slash + 1 : out, file) != 0)
    return sd_fail (err, SD_EINVAL, "--output %s: a table of this ending is found as %s only", out, file);
  if (snprintf (j->out, sizeof j->out, named ? "%s" : "%s/%s", out, file) >= (int) sizeof j->out)
    return sd_fail (err, SD_EINVAL, "--output %s: the path is too long", out);
  if (!named || (slash && slash > out)) {
    char folder[sizeof j->out];
    snprintf (folder, sizeof folder, "%.*s", named ? (int) (slash - out) : (int) strlen (out), out);
    SD_TRY (sd_make_folder (folder, err));
  }
  if (!j->how->overwrite && sd_file_exists (j->out))
    return sd_fail (err, SD_EIO, "%s: is there already; -f overwrites it", j->out);
  return SD_OK;
}

/* ----------------------------------------------------------------- compare */

/* Does what engines find agree with the value? Of files with full moves they find one ply less at times.
 * Plies of a side that the file does not have follow from those that it has by one ply; of these only the
 * results are compared. */
static int agree (const job *j, const sd_pos *p, sd_value v, bool *same) {
  int wdl, dtz = 0;
  SD_TRY (sd_syzygy_wdl (j->files, p, &wdl, NULL));
  *same = wdl == sd_metrics[SD_WDL50].of (v);
  if (j->plies && *same && j->stored >> p->stm & 1) {
    SD_TRY (sd_syzygy_dtz (j->files, p, &dtz, NULL));
    *same = v == dtz || (j->rounded && (dtz > 0 ? v == dtz + 1 : dtz < 0 && v == dtz - 1));
  }
  return SD_OK;
}

static int compare_step (const job *j, const sd_exact *e, unsigned side, uint64_t first, uint64_t *differs) {
  const uint64_t end = e->n - first < STEP ? e->n : first + STEP;
  for (uint64_t i = first; i < end; i++) {
    uint8_t sq[SD_MAX_MEN];
    sd_pos p;
    bool same;
    if (e->value[side][i] == SD_ILLEGAL || !sd_index_squares (e->indexer, i, sq))
      continue;
    sd_pos_from_squares (&e->material, sq, side, &p);
    SD_TRY (agree (j, &p, e->value[side][i], &same));
    if (!same) {
      *differs = i;
      return SD_EDIFF;
    }
  }
  return SD_OK;
}

static int fail_compare (const job *j, int status, const sd_exact *e, unsigned side, uint64_t i,
                         sd_error *err) {
  char fen[96] = "";
  uint8_t sq[SD_MAX_MEN];
  sd_pos p;
  if (status == SD_EDIFF && sd_index_squares (e->indexer, i, sq)) {
    sd_pos_from_squares (&e->material, sq, side, &p);
    sd_pos_to_fen (&p, fen, sizeof fen);
  }
  return sd_fail (err, status, "%s: %s: %s", j->path, *fen ? fen : "looking up its positions",
                  *fen ? "the value that was read is not the one that engines find" : sd_strerror (status));
}

/* Each position of both sides, as read, beside what the rules of engines find in the files. */
static int compare (const job *j, const sd_exact *e, sd_error *err) {
  for (unsigned side = 0; side < e->nsides; side++) {
    const uint64_t steps = (e->n + STEP - 1) / STEP;
    int status = SD_OK;
    uint64_t done = 0, at = 0;
#pragma omp parallel for schedule(dynamic, 4)
    for (uint64_t s = 0; s < steps; s++) {
      uint64_t where = 0, so_far;
      int seen;
#pragma omp atomic read
      seen = status;
      if (seen != SD_OK)
        continue;
      const int st = compare_step (j, e, side, s * STEP, &where);
#pragma omp atomic capture
      so_far = ++done;
#pragma omp critical(import_compare)
      {
        if (st != SD_OK && status == SD_OK) {
          status = st;
          at = where;
        }
        if (so_far % 64 == 0)
          sd_report (&j->progress, "comparing with the source", so_far, steps);
      }
    }
    if (status != SD_OK)
      return fail_compare (j, status, e, side, at, err);
  }
  return SD_OK;
}

/* -------------------------------------------------------------------- work */

/* What the freedom of the new table looks at. */
static int load (job *j, const sd_exact **e, sd_error *err) {
  SD_TRY (sd_values_new_syzygy (j->folders, j->plies, &j->values, err));
  sd_values_show (j->values, &j->progress);
  SD_TRY (sd_values_whole (j->values, &j->material, e, err));
  return j->spec.freedom & ~(unsigned) SD_FREE_ILLEGAL ? sd_values_need (j->values, &j->material, err)
                                                       : SD_OK;
}

static int find_sides (job *j, sd_error *err) {
  sd_table *t;
  sd_table_info in;
  SD_TRY (sd_table_open (j->path, SD_OPEN_CHECK, &t, err));
  sd_table_describe (t, &in);
  for (unsigned side = 0; side < in.nsides; side++)
    if (sd_table_info_has (&in, side)) {
      j->stored |= 1u << side;
      j->rounded |= in.side[side].rounded;
    }
  sd_table_close (t);
  return SD_OK;
}

static int make (job *j, sd_error *err) {
  const sd_exact *e;
  SD_TRY (find_sides (j, err));
  SD_TRY (load (j, &e, err));
  SD_TRY (sd_syzygy_tables_open (j->folders, &j->files, err));
  SD_TRY (compare (j, e, err));
  if (j->how->best) {
    const sd_search_options how = { .max_latency = latency,
                                    .fixed_codec = j->how->codec || j->how->set,
                                    .fixed = j->how->set };
    SD_TRY (sd_table_search (j->values, e, &how, &j->spec, &j->progress, err));
  }
  return sd_table_build (j->values, &j->spec, j->out, &j->progress, err);
}

/* Results of an .rtbz file are those of the .rtbw file. */
static void say (const job *j, double seconds) {
  sd_table *t;
  sd_table_info in;
  const bool other = j->kind == SD_SYZYGY_DTZ && !j->plies;
  if ((j->how->quiet && !j->how->made) || sd_table_open (j->out, 0, &t, NULL))
    return;
  sd_table_describe (t, &in);
  sd_terminal_clear ();
  if (j->how->made)
    json_array_append_new (j->how->made, sd_table_json (j->out, t));
  else
    printf ("%s: %s bytes, every position compared with %s%s (%.1f s)\n", j->out, sd_tool_count (in.bytes),
            other ? j->name : j->path, other ? ".rtbw" : "", seconds);
  sd_table_close (t);
}

/* The table of results that it is read with, if it is not beside it. */
static void note_alone (const job *j) {
  const enum sd_metric needs = sd_codings[j->spec.coding].needs;
  char file[SD_GAME_FILE_NAME], beside[4200];
  const char *slash = strrchr (j->out, '/');
  if (needs == SD_NO_METRIC || j->how->quiet)
    return;
  sd_table_file_name (&j->material, needs, file);
  snprintf (beside, sizeof beside, "%.*s%s", slash ? (int) (slash - j->out) + 1 : 0, j->out, file);
  if (!sd_file_exists (beside))
    sd_tool_note ("%s holds no %s; it is read together with %s or %s.rtbw", j->out, sd_metrics[needs].title,
                  file, j->name);
}

int sd_import_syzygy (const char *path, const sd_syzygy_import *how, sd_error *err) {
  job j = { .path = path, .how = how };
  const char *slash = strrchr (path, '/');
  const double start = sd_now ();
  if (!sd_syzygy_name_parse (slash ? slash + 1 : path, &j.material, &j.kind))
    return sd_fail (err, SD_EINVAL,
                    "%s: expected the name of a Syzygy file, the stronger side first, e.g. KRvKP.rtbw", path);
  if (!sd_file_exists (path))
    return sd_fail (err, SD_ENOENT, "%s: there is no such file", path);
  sd_material_name (&j.material, j.name);
  j.spec.material = j.material;
  SD_TRY (find_folders (&j, err));
  SD_TRY (find_metric (&j, err));
  SD_TRY (find_codec (&j, err));
  SD_TRY (find_name (&j, err));
  sd_terminal_progress (&j.progress, false);
  const int status = make (&j, err);
  sd_values_free (j.values);
  sd_syzygy_tables_close (j.files);
  if (status != SD_OK)
    return status;
  say (&j, sd_now () - start);
  note_alone (&j);
  return SD_OK;
}
