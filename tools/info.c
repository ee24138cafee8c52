/* subdef info, subdef list. `info` opens single files, compares their checksums and says how each is made:
 * metric, coding, what is free, and for each side to move codec, layout and where its bytes go. With
 * --statistics it decodes the values, too. `list` has a line for each table on the path. Both also take
 * arrays (arrays.c); each has the same facts as JSON. */
#include "config.h"
#include "table/table_internal.h"
#include "tools/arrays.h"
#include "tools/positions.h"
#include "tools/statistics.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of both commands. Which of the options a command takes is in its own table. */
static struct {
  const char *tables;
  enum sd_metric metric; /* SD_NO_METRIC: all */
  bool json, layouts, statistics, checksums;
} opt = { .metric = SD_NO_METRIC };

static const sd_option info_options[] = {
  { "tables", .text = &opt.tables },
  { "json", .flag = &opt.json },
  { "statistics", 's', NULL,
    "decode all values, too: bits a position, how many are won, drawn and lost, the longest mates with a position "
    "each, the checksum of the values, and with --json how often each value occurs",
    .flag = &opt.statistics },
  { "checksums", 'c', NULL, "only the checksums of the values and the counts, as CSV",
    .flag = &opt.checksums },
  { 0 },
};
static const sd_option list_options[] = {
  { "tables", .text = &opt.tables },
  { "metric", 0, NULL, "only tables of this metric (default: all)", .metric = &opt.metric },
  { "layouts", 'l', NULL,
    "with --metric: piece order and numbering of each table as CSV, for 'subdef reformat --layouts'",
    .flag = &opt.layouts },
  { "json", .flag = &opt.json },
  { 0 },
};

/* What one of its symbols is called. */
static const char *symbol_of (const sd_codec_parts *p) {
  return p->symbol ? p->symbol : "phrase";
}

/* Bytes of a stream by what they are for; their sum is that of the stream. */
void sd_json_parts (json_t *record, const sd_codec_parts *p) {
  const bool nodes = strcmp (symbol_of (p), "node") == 0;
  sd_json_put (record, "{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "header_bytes", (json_int_t) p->header,
               "model_bytes", (json_int_t) p->model, "index_bytes", (json_int_t) p->index, "payload_bytes",
               (json_int_t) p->payload, "blocks", (json_int_t) p->blocks, "phrases",
               (json_int_t) (nodes ? 0 : p->symbols), "nodes", (json_int_t) (nodes ? p->symbols : 0));
}

/* The members of one side to move. say_part: lines that only some formats have. */
static json_t *side_json (const sd_table *t, const sd_table_info *in, unsigned s) {
  const sd_side *of = &in->side[s];
  json_t *side = json_pack ("{s:s*}", "to_move", sd_table_info_mover (in, s));
  char order[24], numbering[24], line[200];

  sd_tool_layout (of, order, numbering);

  if (of->layout)
    sd_json_put (side, "{s:s, s:s}", "order", order, "numbering", numbering);
  sd_json_put (side, "{s:s, s:I, s:i, s:I}", "codec", sd_side_codec (of), "slots", (json_int_t) of->slots,
               "symbols", (int) of->main, "bytes", (json_int_t) of->stream_bytes);
  sd_json_parts (side, &of->parts);

  json_t *said = t->format->say_part ? json_array () : NULL;
  for (unsigned i = 0; said && t->format->say_part (t, s, i, line, sizeof line); i++)
    json_array_append_new (said, json_string (line));
  sd_json_put (side, "{s:o*}", "parts", said);
  return side;
}

/* The records of `subdef reformat --json` have the same members. */
json_t *sd_table_json (const char *path, const sd_table *t) {
  sd_table_info in;
  sd_fact fact;
  char freedom[120];

  sd_table_describe (t, &in);
  sd_freedom_text (in.freedom, freedom, sizeof freedom);
  json_t *sides = json_array (), *table = json_pack ("{s:s}", "file", path);
  /* What names the table: of chess the ending, of other games the game, the slice and their fingerprint. */
  for (unsigned i = 0; sd_table_fact (&in, i, &fact); i++)
    json_object_set_new (table, fact.key, json_string (fact.text));

  sd_json_put (table, "{s:s, s:s, s:s, s:i, s:I}", "metric", sd_metrics[in.metric].name, "coding",
               sd_codings[in.coding].name, "freedom", freedom, "version", (int) in.version, "bytes",
               (json_int_t) in.bytes);
  if (sd_table_info_mover (&in, 0))
    sd_json_put (table, "{s:b}", "joint", (int) in.joint);
  /* Only sides that are stored. */
  for (unsigned s = 0; s < in.nsides; s++)
    if (sd_table_info_has (&in, s))
      json_array_append_new (sides, side_json (t, &in, s));
  sd_json_put (table, "{s:o}", "sides", sides);
  return table;
}

/* Also for arrays. */
void sd_tool_parts (const sd_codec_parts *p) {
  printf (": header %s, model %s, block index %s, payload %s; %s block%s", sd_tool_count (p->header),
          sd_tool_count (p->model), sd_tool_count (p->index), sd_tool_count (p->payload),
          sd_tool_count (p->blocks), p->blocks == 1 ? "" : "s");
  if (p->symbols)
    printf (", %s %s%s", sd_tool_count (p->symbols), symbol_of (p), p->symbols == 1 ? "" : "s");
  putchar ('\n');
}

/* A joint stream is told once, with White, over the slots of both. */
static void parts_text (const sd_table_info *in, unsigned s) {
  if (s == 1 && in->joint) {
    printf ("      %s slots in White's stream\n", sd_tool_count (in->side[s].slots));
    return;
  }

  const double slots = (double) in->side[s].slots * (in->joint ? 2 : 1);
  printf ("      %s slots%s in %s bytes = %.4f bits/slot", sd_tool_count (in->side[s].slots),
          in->joint ? " a side" : "", sd_tool_count (in->side[s].stream_bytes),
          8.0 * (double) in->side[s].stream_bytes / slots);
  sd_tool_parts (&in->side[s].parts);
}

/* "fingerprint of the game 0123456789abcdef": what is not in the table's name. */
static void facts_text (const sd_table_info *in) {
  sd_fact fact;
  for (unsigned i = 0; sd_table_fact (in, i, &fact); i++)
    if (!fact.names)
      printf (", %s of the game %s", fact.key, fact.text);
}

/* What a user sees first of a table: "KRvKP wdl, ..., free where: all; format version 3, 57,603 bytes", then
 * each side. */
static void table_text (const char *path, const sd_table *t) {
  sd_table_info in;
  char name[SD_TABLE_NAME], freedom[80], order[24], numbering[24], line[200];

  sd_table_describe (t, &in);
  sd_table_info_name (&in, name);
  sd_freedom_text (in.freedom, freedom, sizeof freedom);
  printf ("%s\n  %s %s, %s, free where: %s; format version %u, %s bytes\n", path, name,
          sd_metrics[in.metric].name, sd_codings[in.coding].title, freedom, in.version,
          sd_tool_count (in.bytes));

  for (unsigned s = 0; s < in.nsides; s++) {
    if (!sd_table_info_has (&in, s)) {
      printf ("  %s  not stored: restored by one ply of all moves\n", sd_table_mover (t, s));
      continue;
    }
    printf ("  %s  codec %s", sd_table_mover (t, s), sd_side_codec (&in.side[s]));
    sd_tool_layout (&in.side[s], order, numbering);
    if (in.side[s].layout)
      printf (", order %s, squares %s", order, numbering);
    printf (", %u symbols", in.side[s].main);
    facts_text (&in);
    putchar ('\n');
    parts_text (&in, s);
    for (unsigned i = 0; t->format->say_part && t->format->say_part (t, s, i, line, sizeof line); i++)
      printf ("      %s\n", line);
  }
}

static json_t *all; /* of --json: what was told */

/* Checksums are compared on opening, so that what is told is that of a sound file. */
static int info_one (const char *path, sd_error *err) {
  SD_OWN (sd_table) *t = NULL;
  SD_OWN_STATISTICS statistics[2] = { 0 };
  const bool values = opt.statistics || opt.checksums;

  if (sd_array_is (path))
    return sd_array_info_one (path, all, err);
  SD_TRY (sd_table_open (path, SD_OPEN_CHECK, &t, err));
  if (values)
    SD_TRY (sd_statistics_of_file (path, t, opt.tables, statistics, err));
  if (opt.checksums)
    sd_statistics_csv (t, statistics);
  else if (opt.json) {
    json_t *table = sd_table_json (path, t);
    if (values)
      sd_statistics_json (table, t, statistics, true);
    json_array_append_new (all, table);
  } else {
    table_text (path, t);
    if (values)
      sd_statistics_text (t, statistics);
  }
  return SD_OK;
}

/* A file that fails is told, and the next one is looked at all the same. */
static int run_info (const sd_words *words) {
  if (words->n == 0)
    return sd_tool_usage ("no file is named; 'subdef list' shows the tables on the path");
  if (opt.checksums && opt.json)
    return sd_tool_usage ("--checksums writes CSV and excludes --json");

  const sd_rules chess = { sd_game_kind_at (0), NULL };
  int status = SD_EXIT_OK;

  all = opt.json ? json_array () : NULL;
  /* The names of the columns. */
  if (opt.checksums)
    sd_statistics_csv (NULL, NULL);

  for (int i = 0; i < words->n && !ferror (stdout); i++) {
    sd_error err = { 0 };
    if (sd_tool_each_file (words->at[i], &chess, opt.tables, info_one, &err))
      status = sd_tool_fail (&err);
  }
  /* What could be opened is told though something failed: the exit status says that. */
  sd_json_rows (all, SD_OK);
  return status;
}

const sd_command sd_cmd_info = { "info", run_info, info_options, .args = "FILE|ENDING..." };

/* "KRvKP     wdl     repair         57,603  tables/KRvKP.wdl.sdt". The codec is that of the first side that
 * is stored. */
static void list_line (const sd_table_info *in, const char *path) {
  char name[SD_TABLE_NAME];
  sd_table_info_name (in, name);
  printf ("%-*s %-6s  %-7s %13s  %s\n", strchr (name, ' ') ? 15 : 9, name, sd_metrics[in->metric].name,
          sd_side_codec (&in->side[in->sides == SD_SIDES_BLACK]), sd_tool_count (in->bytes), path);
}

/* What stands below the list. */
static void list_end (const sd_tables *ts, unsigned count, uint64_t sum, unsigned arrays) {
  if (opt.json || opt.layouts)
    return;
  if (count)
    printf ("%u table%s, %s bytes\n", count, count == 1 ? "" : "s", sd_tool_count (sum));
  else if (sd_tables_count (ts) == 0 && arrays == 0) { /* not where all are damaged */
    char folder[300], where[300];
    sd_tool_first_folder (sd_tool_path (opt.tables), folder, sizeof folder);
    sd_path_said (sd_tool_path (opt.tables), where, sizeof where);
    sd_tool_say ("no tables in %s; 'subdef gen KRvK -o %s' makes the first ones", where, folder);
  }
}

static int run_list (const sd_words *words) {
  if (words->n)
    return sd_tool_usage ("takes no arguments; name folders with --tables DIR[:DIR]");
  if (opt.layouts && (opt.metric == SD_NO_METRIC || opt.json))
    return sd_tool_usage ("--layouts needs --metric and excludes --json");

  sd_tables *ts;
  sd_error err = { 0 };
  if (sd_tool_open (opt.tables, 0, &ts, &err))
    return sd_tool_fail (&err);

  all = opt.json ? json_array () : NULL;
  uint64_t sum = 0;
  unsigned count = 0;
  int status = SD_EXIT_OK;

  if (opt.layouts)
    sd_layouts_header ();

  for (unsigned i = 0; i < sd_tables_count (ts) && !ferror (stdout); i++) {
    const char *path;
    const sd_table *t = sd_tables_at (ts, i, &path);
    if (!t) { /* a damaged file is told, not left out */
      status = sd_tool_fail (sd_tables_problem (ts, i)) ? SD_EXIT_FAILED : status;
      continue;
    }

    sd_table_info in;
    sd_table_describe (t, &in);
    /* --layouts: a file without layouts, as one of Syzygy, cannot be told by a line. */
    if ((opt.metric != SD_NO_METRIC && in.metric != opt.metric)
        || (opt.layouts && !in.side[in.sides == SD_SIDES_BLACK].layout))
      continue;
    /* The head of the columns, once there is a line to stand below it. */
    if (count++ == 0 && !opt.json && !opt.layouts)
      printf ("%-9s %s  %-7s %13s  %s\n", "ending", "metric", "codec", "bytes", "file");
    if (opt.json) {
      json_array_append_new (all, sd_table_json (path, t));
      continue;
    }
    if (opt.layouts) {
      sd_layouts_line (&in);
      continue;
    }
    list_line (&in, path);
    sum += in.bytes;
  }
  /* Arrays have no metric and no layout. */
  const unsigned arrays =
      opt.layouts || opt.metric != SD_NO_METRIC ? 0 : sd_array_list (sd_tool_path (opt.tables), all, &status);

  list_end (ts, count, sum, arrays);
  sd_json_rows (all, SD_OK);
  sd_tables_close (ts);
  return status;
}

const sd_command sd_cmd_list = { "list", run_list, list_options, .args = "" };
