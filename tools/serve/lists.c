/* The tables that a server has, as /tables lists them: what each is, the checksum of its file that the
 * manifest of `subdef set` has, and those of its values that are published (docs/checksums.csv). It is made
 * once, when the server starts: a table that is new or replaced counts from the next start. */
#include "config.h"
#include "tools/serve/service.h"
#include "tools/set/set.h"
#include "tools/statistics.h"
#include <inttypes.h>
#include <string.h>

json_t *sd_service_published (const sd_service *s, const sd_table_info *in, bool whole) {
  json_t *sides = json_array ();
  for (unsigned side = 0; s->published && side < in->nsides; side++) {
    sd_published p;
    char content[17];
    if (!sd_published_line (s->published, in, side, &p))
      break;
    snprintf (content, sizeof content, "%016" PRIx64, p.content);
    json_t *one = json_pack ("{s:s, s:s}", "to_move", side ? "b" : "w", "checksum", content);
    if (whole)
      sd_json_put (one, "{s:I, s:I, s:I, s:I}", "positions", (json_int_t) p.positions, "won",
                   (json_int_t) p.won, "drawn", (json_int_t) p.drawn, "lost", (json_int_t) p.lost);
    if (whole && p.longest_win)
      sd_json_put (one, "{s:{s:i}}", "longest_win", "value", p.longest_win);
    if (whole && p.longest_loss)
      sd_json_put (one, "{s:{s:i}}", "longest_loss", "value", p.longest_loss);
    json_array_append_new (sides, one);
  }
  /* All sides or none. */
  if (json_array_size (sides) == in->nsides)
    return sides;
  json_decref (sides);
  return json_null ();
}

/* The manifest of the folder in which tables are listed one after the other. */
typedef struct manifest {
  char folder[4096];
  json_t *rows; /* NULL: none */
} manifest;

/* One that cannot be read tells nothing, and is no reason not to serve. */
static void open_manifest (manifest *m, const char *path) {
  char folder[sizeof m->folder];
  json_t *all;
  sd_error err = { 0 };
  sd_tool_folder_of (path, folder);
  if (strcmp (folder, m->folder) == 0)
    return;
  json_decref (m->rows);
  m->rows = NULL;
  memcpy (m->folder, folder, sizeof folder);
  if (sd_manifest_read (folder, &all, &err) != SD_OK) {
    sd_tool_note ("%s", err.text);
    return;
  }
  m->rows = json_incref (json_object_get (all, "files"));
  json_decref (all);
}

/* XXH3 of the whole file; NULL: no manifest has it, or it has another file of that name. */
static json_t *sum_of (const manifest *m, const char *file, const sd_table_info *in) {
  for (size_t i = 0; i < json_array_size (m->rows); i++) {
    const json_t *row = json_array_get (m->rows, i), *name = json_object_get (row, "file"),
                 *sum = json_object_get (row, "sum");
    if (json_is_string (name) && json_is_string (sum) && strcmp (json_string_value (name), file) == 0)
      return json_integer_value (json_object_get (row, "bytes")) == (json_int_t) in->bytes
                 ? sd_json_text (json_string_value (sum))
                 : NULL;
  }
  return NULL;
}

static json_t *usable (const sd_service *s, const sd_table *t, const char *path, bool downloads,
                       manifest *m) {
  sd_table_info in;
  char name[SD_TABLE_NAME];
  const char *file = sd_service_file (path);

  sd_table_describe (t, &in);
  sd_table_info_name (&in, name);
  if (path)
    open_manifest (m, path);
  json_t *row = json_pack ("{s:s, s:s, s:s, s:i, s:s, s:I, s:o}", "file", file, "ending", name, "metric",
                           sd_metrics[in.metric].name, "men", (int) sd_material_men (&in.material), "codec",
                           sd_side_codec (&in.side[!sd_table_info_has (&in, 0)]), "bytes",
                           (json_int_t) in.bytes, "published", sd_service_published (s, &in, false));
  sd_json_put (row, "{s:o*}", "sum", sum_of (m, file, &in));
  if (downloads) {
    char address[256];
    snprintf (address, sizeof address, "files/%s", file);
    sd_json_put (row, "{s:o}", "download", sd_json_text (address));
  }
  return row;
}

int sd_service_list (sd_service *s, bool downloads, sd_error *err) {
  manifest m = { .rows = NULL };
  json_t *rows = json_array ();
  for (unsigned i = 0; i < sd_tables_count (s->tables); i++) {
    const char *path;
    const sd_table *t = sd_tables_at (s->tables, i, &path);
    sd_table_info in;
    if (!t) {
      const sd_error *why = sd_tables_problem (s->tables, i);
      json_array_append_new (rows, json_pack ("{s:s, s:o}", "file", sd_service_file (path), "error",
                                              sd_service_sentence (s, why ? why->text : "unusable")));
      continue;
    }
    sd_table_describe (t, &in);
    s->usable++;
    s->bytes += in.bytes;
    json_array_append_new (rows, usable (s, t, path, downloads, &m));
  }
  json_decref (m.rows);
  json_t *all = json_pack ("{s:o}", "tables", rows);
  s->list = all ? json_dumps (all, JSON_COMPACT) : NULL;
  json_decref (all);
  return s->list ? SD_OK : sd_fail_memory (err, 0);
}
