/* What a run says of a file: as text, or as a record of JSON, and at the end once what was done and what
 * smaller tables are known. Failures are sentences on stderr from batch.c; here they only stand in JSON.
 * Called by one thread at a time. */
#include "config.h"
#include "tools/positions.h"
#include "tools/reformat/batch.h"
#include "tools/statistics.h"
#include <stdlib.h>
#include <string.h>

/* The streams of a table with layouts; of others the bytes are all, and stand before:
 * " w: 1,234 obdd KRk folded b: 2,345 obdd KRk folded". */
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

/* What it was compared with. Results of an .rtbz file are those of the .rtbw file beside it. */
static void say_compared (const sd_item *it) {
  if (it->to != sd_targets)
    printf ("every position compared");
  else if (it->syzygy && it->metric == SD_DTZ50)
    printf ("every position restored and compared with %s.rtbw and %s.rtbz", it->name, it->name);
  else
    printf ("every position restored and compared%s%s%s", it->syzygy ? " with " : "",
            it->syzygy ? it->name : "", it->syzygy ? ".rtbw" : "");
}

/* The bytes of the Syzygy file that it was made of. " of 272, 23.5 % less", behind the bytes of the new
 * file. */
static void say_smaller (const sd_item *it) {
  const uint64_t before = it->row.from.bytes, now = it->row.to.bytes;
  if (now == before)
    printf (" as it was");
  else
    printf (" of %s, %.1f %% less", sd_tool_count (before), 100 * (1 - (double) now / (double) before));
}

/* "KRvK     wdl         97 bytes  w: 2 obdd KRk folded ...  (0.1 s, every position restored and compared)" */
static void say_text (const sd_batch *r, const sd_item *it) {
  if (it->to == &sd_target_array) {
    sd_array_item_text (r, it);
    return;
  }
  SD_OWN (sd_table) *t = NULL;
  sd_table_info in;
  printf ("%-8s %s %10s bytes", it->name, it->to == sd_targets ? sd_metrics[it->metric].name : it->to->name,
          sd_tool_count (it->row.to.bytes));
  if (it->kept) {
    puts (it->otherwise ? "  there already" : "  made before");
    return;
  }

  if (it->to != sd_targets && it->syzygy)
    say_smaller (it);
  else if (it->to == sd_targets && sd_table_open (it->path, 0, &t, NULL) == SD_OK) {
    sd_table_describe (t, &in);
    putchar (' ');
    say_streams (&in);
  }

  printf ("  (%.1f s, ", it->seconds);
  say_compared (it);
  puts (")");
}

/* By side; within a side the smallest first, and codecs without bytes behind the others. */
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
  /* The first row of a side has the winner, which the others are compared with. */
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
      printf ("    %-8s %10s bytes%s %+6.1f %%, a lookup some %.2f us%s%s", r->codec->name,
              sd_tool_count (r->bytes), r->sample ? " of a sample" : "",
              100 * ((double) r->bytes / (double) first->bytes - 1), 1e6 * r->seconds,
              *r->settings ? ": " : "", r->settings);
    if (r->bytes == 0 && r->predicted)
      printf (" (some %s bytes predicted)", sd_tool_count (r->predicted));
    putchar ('\n');
  }
  /* No codec coded both sides in one stream: why stands in the report. */
  if (found->apart && !told)
    say_joint (found);
  if (found->large)
    printf (
        "  samples chose order and codec of this large table; --budget TIME lets every codec take part\n");
}

/* -------------------------------------------------------------------- smaller ones */

/* Of tables with everything left as it is by default: how many are known to be smaller, and what they
 * take. */
typedef struct better {
  unsigned known, unknown; /* tables that a list has smaller; of which no list tells */
  uint64_t bytes, best;    /* of the known ones: as made here, as they are known */
  const sd_item *last;     /* of either kind */
} better;

/* "papers" are the smallest tables that are known. An ending that no list has could still be searched for. */
static void note_better (const sd_item *it, better *b) {
  sd_table_spec spec = { .material = it->subject.material, .metric = it->metric };
  uint64_t bytes = 0;
  const bool found = sd_layouts_find ("papers", true, true, &spec, &bytes, NULL) == SD_OK && bytes > 0;
  if (found && bytes >= it->row.to.bytes)
    return;

  b->last = it;
  b->known += found;
  b->unknown += !found;
  b->bytes += found ? it->row.to.bytes : 0;
  b->best += bytes;
}

/* Nothing is said to those who chose any of these things themselves. How much longer the smallest ones take
 * depends on their codecs: 4 to 9 times the CPU time with KQvKR, KBNvK and KRvKP. */
static void say_better (const sd_batch *r) {
  const sd_reformat *opt = r->opt;
  better b = { .known = 0 };

  if (opt->best || opt->sweep || opt->layouts || opt->order || opt->numbering || opt->codec || opt->set
      || opt->game || opt->sides || opt->freedom)
    return;

  for (unsigned i = 0; i < r->n; i++)
    if (r->item[i].to == sd_targets && !r->item[i].syzygy && !r->item[i].kept && !r->item[i].status)
      note_better (&r->item[i], &b);

  const double share = 100 * (double) b.best / (double) (b.bytes ? b.bytes : 1);

  const char *metric = b.last ? sd_metrics[b.last->metric].name : NULL;
  if (b.known && r->n > 1)
    printf (
        "%u of these tables are known smaller, %s bytes in place of %s (%.0f %%): the same command with --layouts papers -f, which takes several times the CPU time\n",
        b.known, sd_tool_count (b.best), sd_tool_count (b.bytes), share);
  else if (b.known)
    printf (
        "the smallest known takes %s bytes (%.0f %% of these) and several times the CPU time: 'subdef reformat %s --metric %s --layouts papers -f'\n",
        sd_tool_count (b.best), share, b.last->name, metric);
  else if (b.unknown && r->n > 1)
    printf ("order, codec and settings are searched for by the same command with --best -f\n");
  else if (b.unknown)
    printf ("order, codec and settings are searched for by 'subdef reformat %s --metric %s --best -f'\n",
            b.last->name, metric);
}

/* ---------------------------------------------------------------------------- JSON */

/* "searched" of a record: bytes of each codec, or why it was not chosen. */
static json_t *search_json (const sd_search_report *found) {
  static const char *const of[] = { "white", "black", "both" };
  json_t *rows = json_array ();
  for (unsigned i = 0; i < found->n; i++) {
    const sd_search_row *r = &found->row[i];
    json_t *row = json_pack ("{s:s, s:s}", "to_move", of[r->side], "codec", r->codec->name);
    if (r->bytes)
      sd_json_put (row, "{s:I, s:s, s:f}", r->sample ? "bytes_of_sample" : "bytes", (json_int_t) r->bytes,
                   "settings", r->settings, "lookup_seconds", r->seconds);
    else
      sd_json_put (row, "{s:o}", "not_chosen", sd_json_text (r->why));
    json_array_append_new (rows, row);
  }
  return rows;
}

/* By what settings the encoder made each stored side: those that are not the defaults, of which many leave no
 * trace in the file. */
static void put_settings (const sd_table_spec *spec, json_t *record) {
  json_t *side;
  size_t i;
  json_array_foreach (json_object_get (record, "sides"), i, side) {
    char text[400];
    const char *mover = json_string_value (json_object_get (side, "to_move"));
    sd_settings_differing (&spec->side[mover && *mover == 'b' && !sd_table_joint (spec)].settings, text,
                           sizeof text);
    sd_json_put (side, "{s:s}", "settings", text);
  }
}

/* Members of all records: "table" (of arrays "file"), "status" made, kept or failed. What is told of the new
 * file is read from it. */
static void say_json (sd_batch *r, const sd_item *it) {
  SD_OWN (sd_table) *t = NULL;
  const bool array = it->to == &sd_target_array;
  json_t *record = array ? json_object () : json_pack ("{s:s}", "table", it->name);

  /* Of a failure the metric is told here; else it stands among the facts of the new file. */
  if (it->status != SD_OK && !array)
    sd_json_put (record, "{s:s}", "metric", sd_metrics[it->metric].name);
  if (it->status != SD_OK)
    sd_json_put (record, "{s:o, s:s, s:o}", "file", sd_json_text (it->path), "status", "failed", "error",
                 sd_json_text (it->err.text));
  else {
    sd_json_put (record, "{s:s, s:f}", "status", it->kept ? "kept" : "made", "seconds", it->seconds);
    if (it->otherwise)
      sd_json_put (record, "{s:b}", "otherwise", 1);
    if (it->syzygy)
      sd_json_put (record, "{s:I}", "bytes_before", (json_int_t) it->row.from.bytes);
    if (array)
      sd_array_item_json (r, it, record);
    else if (sd_table_open (it->path, 0, &t, NULL) == SD_OK)
      json_object_update_new (record, sd_table_json (it->path, t));
    if (t && !it->kept && it->to == sd_targets)
      put_settings (&it->spec, record);

    if (t && r->statistics[0].count) {
      sd_statistics_json (record, t, r->statistics, false);
      sd_statistics_free (&r->statistics[0]);
      sd_statistics_free (&r->statistics[1]);
    }
    if (r->opt->best && !it->kept && it->to == sd_targets)
      sd_json_put (record, "{s:o}", "searched", search_json (&r->found));
    if (r->opt->best && !it->kept && r->found.large)
      sd_json_put (record, "{s:b}", "searched_by_samples", 1);
    if (r->budget && !it->kept && it->to == sd_targets)
      sd_json_put (record, "{s:o}", "budget", sd_budget_json (r->budget));
  }

  sd_json_row (record);
}

/* ---------------------------------------------------------------------------- both */

/* The line of a file at once, so that a log shows how far a run is. */
void sd_batch_say (sd_batch *r, sd_item *it) {
  if (r->opt->json)
    say_json (r, it);
  else if (!r->opt->quiet && it->status == SD_OK) {
    say_text (r, it);
    if (r->opt->best && !it->kept && it->to == sd_targets)
      say_search (&r->found);
    if (r->budget && !it->kept && it->to == sd_targets)
      sd_budget_say (r->budget);
  }
  fflush (stdout);
}

/* What became smaller, of the bytes of Syzygy files that Syzygy files were made of. */
static void say_saved (const sd_batch *r) {
  uint64_t before = 0, after = 0;
  for (unsigned i = 0; i < r->n; i++)
    if (r->item[i].syzygy && r->item[i].to != sd_targets && r->item[i].status == SD_OK) {
      before += r->item[i].row.from.bytes;
      after += r->item[i].row.to.bytes;
    }
  if (before)
    printf ("; %s -> %s bytes, %s saved, %.1f %% less", sd_tool_count (before), sd_tool_count (after),
            sd_tool_count (before - after), 100 * (1 - (double) after / (double) before));
}

/* "35 of 35 tables made, 0 were there; 12.3 s, 23.4 CPU-seconds"; nothing for a single table. */
void sd_batch_sum_up (const sd_batch *r, double seconds, double cpu_seconds) {
  unsigned kept = 0, otherwise = 0, failed = 0;

  if (r->opt->json)
    sd_json_rows_end ();
  if (r->opt->quiet || r->opt->json)
    return;

  say_better (r);
  if (r->n < 2 && !r->opt->successors)
    return;
  for (unsigned i = 0; i < r->n; i++) {
    kept += r->item[i].kept;
    otherwise += r->item[i].otherwise;
    failed += r->item[i].status != SD_OK;
  }

  if (r->task.ranks > 1)
    printf ("task %u of %u: ", r->task.rank + 1, r->task.ranks);
  /* Files that were not reached, after wrong usage, are neither made nor there. */
  printf ("%u of %u %s made, %u were there", r->finished - kept - failed, r->n,
          r->opt->arrays ? "arrays" : "tables", kept);
  if (otherwise)
    printf (", %u of them made otherwise, or not by this command (-f makes all anew)", otherwise);
  if (failed)
    printf ("; %u failed", failed);
  say_saved (r);
  printf ("; %.1f s, %.1f CPU-seconds\n", seconds, cpu_seconds);
}
