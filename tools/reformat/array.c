/* Arrays (.sda): of the source of one a table with any codec. They have one order, one metric and no tables
 * below them, so that codec and settings are all that can be chosen. */
#include "config.h"
#include "tools/arrays.h"
#include "tools/positions.h"
#include "tools/reformat/batch.h"
#include <stdlib.h>
#include <string.h>

/* The same text for the same table. With --best the winner is not known before it is made, so that its text
 * says only that it is searched. */
static int plan (sd_batch *r, sd_item *it, sd_error *err) {
  const sd_reformat *opt = r->opt;
  char settings[sizeof it->row.how - 80];
  snprintf (it->row.how, sizeof it->row.how, "reformat array best");
  if (opt->best)
    return SD_OK;
  SD_TRY (sd_tool_codec (opt->codec, opt->set, &it->spec.side[0].codec, &it->spec.side[0].settings, err));
  sd_settings_text (&it->spec.side[0].settings, settings, sizeof settings);
  snprintf (it->row.how, sizeof it->row.how, "reformat array %.40s %s", it->spec.side[0].codec->name,
            settings);
  return SD_OK;
}

/* What each codec took is said later. */
static int search (sd_search_report *found, const sd_subdefined *d, sd_array_codec *with, sd_error *err) {
  uint64_t bytes[SD_MAX_SEARCH_ROWS];
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);

  SD_TRY (sd_array_search (d, &sd_terminal, with, bytes, err));
  found->n = 0;
  for (size_t c = 0; c < n; c++)
    if (bytes[c])
      found->row[found->n++] = (sd_search_row){ .codec = all[c], .bytes = bytes[c] };
  return SD_OK;
}

/* The source is checked, decoded and coded anew; sd_array_write compares each slot before the file has its
 * name. */
static int make (sd_batch *r, sd_item *it, sd_error *err) {
  SD_OWN (sd_array) *a = NULL;
  SD_OWN (sd_subdefined) *d = NULL;
  sd_array_info in;
  sd_array_codec with = { it->spec.side[0].codec, it->spec.side[0].settings };

  SD_TRY (sd_array_open (it->from, SD_OPEN_CHECK, &a, err));
  sd_array_describe (a, &in);
  SD_TRY (sd_array_load (a, &d, err));
  if (r->opt->best)
    SD_TRY (search (&r->found, d, &with, err));
  /* What was chosen, for the lines that tell it. */
  it->spec.side[0].settings = with.settings;
  SD_TRY (sd_array_write (&in.shape, d, &with, it->path, &sd_terminal, err));
  if (!in.source && !r->opt->quiet)
    sd_tool_note ("%s is no source: nothing was free", it->from);
  return SD_OK;
}

/* No row of sd_targets, since --to does not choose it. */
const sd_target sd_target_array = { "sda", NULL, SD_NO_METRIC, plan, make };

/* Of a run that was stopped before it noted the file as made. */
bool sd_array_is_whole (const char *path) {
  SD_OWN (sd_array) *a = NULL;
  return sd_array_open (path, SD_OPEN_CHECK, &a, NULL) == SD_OK;
}

/* The new file has the name of the old one, in the folder of --output or in the first one of the path. */
int sd_array_item (const sd_reformat *opt, const char *from, sd_item *it, sd_error *err) {
  char folder[4096];
  sd_tool_first_folder (opt->out ? opt->out : sd_tool_path (NULL), folder, sizeof folder);

  *it = (sd_item){ .to = &sd_target_array, .named = true, .metric = SD_NO_METRIC, .weight = 1 };
  if (snprintf (it->path, sizeof it->path, "%s/%s", opt->out ? opt->out : folder, basename (from)) >= 4000
      || snprintf (it->from, sizeof it->from, "%s", from) >= 4000
      || snprintf (it->row.name, sizeof it->row.name, "%s", basename (from)) >= (int) sizeof it->row.name)
    return sd_fail (err, SD_EINVAL, "%s: the path is too long", from);
  if (sd_item_in_place (it)) /* the source would be lost with what is free */
    return sd_fail (err, SD_EINVAL, "%s: is the array that is to be recoded; --output names another folder",
                    from);
  return SD_OK;
}

/* --------------------------------------------------------------------- say */

/* "grid.sda: 1,234 bytes, repair, 0.0123 bits/slot  (0.1 s, every slot decoded and compared)"; with --best
 * what each codec took. */
void sd_array_item_text (const sd_batch *r, const sd_item *it) {
  SD_OWN (sd_array) *a = NULL;
  sd_array_info in;
  char settings[SD_MAX_SETTINGS * 80];

  if (sd_array_open (it->path, 0, &a, NULL))
    return;
  sd_array_describe (a, &in);
  printf ("%s: %s bytes, %s, %.4f bits/slot  ", it->path, sd_tool_count (in.bytes), in.codec->name,
          8.0 * (double) in.stream_bytes / (double) in.shape.n);
  if (it->kept) {
    puts (it->otherwise ? "there already" : "made before");
    return;
  }
  printf ("(%.1f s, every slot decoded and compared)\n", it->seconds);

  if (!r->opt->best)
    return;
  sd_settings_text (&it->spec.side[0].settings, settings, sizeof settings);
  printf ("  chosen: %s %s\n", in.codec->name, settings);
  for (unsigned i = 0; i < r->found.n; i++)
    printf ("    %-8s %10s bytes of stream\n", r->found.row[i].codec->name,
            sd_tool_count (r->found.row[i].bytes));
}

/* The members of `subdef info --json` and with --best "searched". */
void sd_array_item_json (const sd_batch *r, const sd_item *it, json_t *record) {
  SD_OWN (sd_array) *a = NULL;
  json_t *rows = json_array ();
  if (sd_array_open (it->path, 0, &a, NULL) == SD_OK)
    json_object_update_new (record, sd_array_json (it->path, a));
  for (unsigned i = 0; i < r->found.n; i++)
    json_array_append_new (rows, json_pack ("{s:s, s:I}", "codec", r->found.row[i].codec->name, "bytes",
                                            (json_int_t) r->found.row[i].bytes));
  if (r->opt->best && !it->kept)
    sd_json_put (record, "{s:O}", "searched", rows);
  json_decref (rows);
}
