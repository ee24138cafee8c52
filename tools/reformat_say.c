/* What subdef reformat says of a table: as text, or as a record of JSON, and at the end once what smaller
 * ones are known. */
#include "config.h"
#include "tools/positions.h"
#include "tools/reformat.h"
#include <stdlib.h>
#include <string.h>

/* The streams of a table with layouts; of others the bytes are all, and stand before. */
static void say_streams (const sd_table_info *in) {
  for (unsigned s = 0; s < in->nsides; s++) {
    if (!sd_table_info_has (in, s) || (s && in->joint))
      continue;
    if (!in->side[s].layout) {
      printf (" %s", sd_side_codec (&in->side[s]));
      continue;
    }
    char order[24], numbering[24];
    sd_tool_layout (&in->side[s], order, numbering);
    printf (" %s: %s %s %s %s",
            in->joint ? "both"
            : s       ? "b"
                      : "w",
            sd_tool_count (in->side[s].stream_bytes), sd_side_codec (&in->side[s]), order, numbering);
  }
}

static void say_made (const sd_reformat_item *it) {
  sd_table *t;
  sd_table_info in;
  if (sd_table_open (it->path, 0, &t, NULL))
    return;
  sd_table_describe (t, &in);
  printf ("%-8s %s %10s bytes ", it->name, sd_metrics[in.metric].name, sd_tool_count (in.bytes));
  say_streams (&in);
  printf ("  (%.1f s, every position restored and compared)\n", it->seconds);
  sd_table_close (t);
}

static int by_bytes (const void *x, const void *y) {
  const sd_search_row *a = x, *b = y;
  if (a->side != b->side)
    return a->side < b->side ? -1 : 1;
  if (!a->bytes != !b->bytes)
    return a->bytes ? -1 : 1;
  if (a->bytes != b->bytes)
    return a->bytes < b->bytes ? -1 : 1;
  return a->codec->id < b->codec->id ? -1 : 1;
}

/* One stream for both sides to move: its bytes beside those of two, or why it was not made. */
static void say_joint (const sd_search_report *found) {
  const sd_search_row *best = NULL;
  for (unsigned i = 0; i < found->n && !best; i++)
    if (found->row[i].side == 2 && found->row[i].bytes)
      best = &found->row[i];
  if (found->joint && best)
    printf ("  one stream for both sides: %s bytes (%s), two streams %s\n", sd_tool_count (found->joint),
            best->codec->name, sd_tool_count (found->apart));
  else
    printf ("  one stream for both sides: %s\n", found->why);
}

/* What the search tried: of each side the winner, by how much it won against each other codec, and why others
 * were left out. */
static void say_search (sd_search_report *found) {
  static const char *const of[] = { "White to move", "Black to move", "both sides in one stream" };
  qsort (found->row, found->n, sizeof *found->row, by_bytes);
  const sd_search_row *first = NULL;
  bool told = false;
  for (unsigned i = 0; i < found->n; i++) {
    const sd_search_row *r = &found->row[i];
    if (i == 0 || r->side != found->row[i - 1].side) {
      first = r;
      if (r->side == 2 && found->apart)
        say_joint (found);
      else
        printf ("  searched: %s\n", of[r->side]);
      told |= r->side == 2;
    }
    if (r->bytes == 0)
      printf ("    %-8s not chosen: %s", r->codec->name, r->why);
    else
      printf ("    %-8s %10s bytes %+6.1f %%, a lookup some %.2f us%s%s", r->codec->name,
              sd_tool_count (r->bytes), 100 * ((double) r->bytes / (double) first->bytes - 1),
              1e6 * r->seconds, *r->settings ? ": " : "", r->settings);
    if (r->bytes == 0 && r->predicted)
      printf (" (some %s bytes predicted)", sd_tool_count (r->predicted));
    putchar ('\n');
  }
  if (found->apart && !told)
    say_joint (found);
}

/* -------------------------------------------------------------------- smaller ones */

/* Of tables with everything left as it is by default: how many are known to be smaller, and what they take.
 */
static struct {
  unsigned known, unknown;
  uint64_t bytes, best;
  char name[SD_SLICE_NAME]; /* the last one of either kind */
} better;

static void note_better (const sd_reformat *opt, const sd_reformat_item *it) {
  char file[4096];
  sd_table_spec spec = { .material = it->subject.material, .metric = opt->metric };
  uint64_t bytes = 0;
  if (!opt->plain || opt->sides)
    return;
  const bool found = sd_layouts_pinned (opt->metric, file, sizeof file, NULL) == SD_OK
                     && sd_layouts_find (file, true, &spec, &bytes, NULL) == SD_OK && bytes > 0;
  if (found && bytes >= it->row.to.bytes)
    return;
  snprintf (better.name, sizeof better.name, "%s", it->name);
  better.known += found;
  better.unknown += !found;
  better.bytes += found ? it->row.to.bytes : 0;
  better.best += bytes;
}

void sd_reformat_say_better (const sd_reformat *opt, unsigned n) {
  const char *metric = sd_metrics[opt->metric].name;
  const double share = 100 * (double) better.best / (double) (better.bytes ? better.bytes : 1);
  if (better.known && n > 1)
    printf (
        "%u of these tables are known smaller, %s bytes in place of %s (%.0f %%): the same command with --layouts papers -f\n",
        better.known, sd_tool_count (better.best), sd_tool_count (better.bytes), share);
  else if (better.known)
    printf (
        "the smallest known takes %s bytes (%.0f %% of these): 'subdef reformat %s --metric %s --layouts papers -f'\n",
        sd_tool_count (better.best), share, better.name, metric);
  else if (better.unknown && n > 1)
    printf ("order, codec and settings were not searched for: the same command with --best -f does\n");
  else if (better.unknown)
    printf (
        "order, codec and settings were not searched for: 'subdef reformat %s --metric %s --best -f' does\n",
        better.name, metric);
}

/* ---------------------------------------------------------------------------- JSON */

static json_t *search_json (const sd_search_report *found) {
  static const char *const of[] = { "white", "black", "both" };
  json_t *rows = json_array ();
  for (unsigned i = 0; i < found->n; i++) {
    const sd_search_row *r = &found->row[i];
    json_t *row = json_pack ("{s:s, s:s}", "to_move", of[r->side], "codec", r->codec->name);
    if (r->bytes)
      json_object_update_new (row, json_pack ("{s:I, s:s, s:f}", "bytes", (json_int_t) r->bytes, "settings",
                                              r->settings, "lookup_seconds", r->seconds));
    else
      json_object_set_new (row, "not_chosen", sd_json_text (r->why));
    json_array_append_new (rows, row);
  }
  return rows;
}

static void say_json (const sd_reformat *opt, const sd_reformat_item *it, bool kept,
                      const sd_search_report *found) {
  sd_table *t;
  json_t *record = json_pack ("{s:s, s:s, s:f}", "table", it->name, "status", kept ? "kept" : "made",
                              "seconds", it->seconds);
  if (sd_table_open (it->path, 0, &t, NULL) == SD_OK) {
    json_object_update_new (record, sd_table_json (it->path, t));
    sd_table_close (t);
  }
  if (opt->best && !kept)
    json_object_set_new (record, "searched", search_json (found));
  sd_json_row (record);
}

void sd_reformat_say_failed (const sd_reformat *opt, const sd_reformat_item *it, const sd_error *err) {
  if (!opt->json)
    return;
  json_t *record = json_pack ("{s:s, s:s, s:s}", "table", it->name, "status", "failed", "metric",
                              sd_metrics[opt->metric].name);
  json_object_set_new (record, "file", sd_json_text (it->path));
  json_object_set_new (record, "error", sd_json_text (err->text));
  sd_json_row (record);
}

/* ---------------------------------------------------------------------------- both */

void sd_reformat_say (const sd_reformat *opt, const sd_reformat_item *it, bool kept,
                      sd_search_report *found) {
  if (!kept)
    note_better (opt, it);
  if (opt->json)
    say_json (opt, it, kept, found);
  else if (!opt->quiet && kept)
    printf ("%-8s %s %10s bytes  made before\n", it->name, sd_metrics[opt->metric].name,
            sd_tool_count (it->row.to.bytes));
  else if (!opt->quiet) {
    say_made (it);
    if (opt->best)
      say_search (found);
  }
  fflush (stdout);
}
