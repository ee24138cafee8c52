/* The values of a table all together, as text, JSON and CSV: how many positions are won, drawn and lost, the
 * longest wins with a position each, the checksum of the values. Restoring them needs what the table's
 * freedom refers to, which is looked for beside the file first. */
#include "config.h"
#include "table/table_internal.h"
#include "tools/positions.h"
#include "tools/statistics.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* From rounded plies, which only Syzygy files have: the exact ones that follow by one ply of moves. They are
 * loaded by the ending's name, which must be the file's, so that no other one is read. */
static int of_rounded (const char *path, const char *search, const sd_table_info *info, sd_statistics out[2],
                       sd_error *err) {
  SD_OWN (sd_values) *exacts = NULL;
  const sd_exact *e;
  const char *own = basename (path);
  char name[16], file[24];
  sd_material_name (&info->material, name);
  snprintf (file, sizeof file, "%s.rtbz", name);

  if (strcmp (own, file) != 0 || memchr (path, ':', (size_t) (own - path)))
    return sd_fail (
        err, SD_EINVAL,
        "%s: its plies are rounded, and the exact ones are found from files by their names: expected "
        "FOLDER/%s, no colon in the folder",
        path, file);

  SD_TRY (sd_values_new_syzygy (search, true, &exacts, err));
  sd_values_show (exacts, &sd_terminal);
  SD_TRY (sd_values_whole (exacts, &info->material, &e, err));
  return sd_exact_statistics (e, info->metric, &sd_terminal, out, err);
}

/* All other tables: t itself, restored by what lies on the path. */
static int of_exact (const char *search, const sd_table *t, sd_statistics out[2], sd_error *err) {
  SD_OWN (sd_tables) *ts = NULL;
  SD_TRY (sd_tables_open (search, 0, &ts, err));
  return sd_table_statistics (ts, t, &sd_terminal, out, err);
}

/* Which of the two ways is taken, the table says: only Syzygy files round. */
int sd_statistics_of_file (const char *path, const sd_table *t, const char *tables, sd_statistics out[2],
                           sd_error *err) {
  SD_OWNED char *search = NULL;
  sd_table_info info;

  SD_TRY (sd_tool_path_from (path, tables, NULL, &search, err));
  sd_table_describe (t, &info);
  const bool rounded = info.side[0].rounded || info.side[1].rounded;

  const int st = rounded ? of_rounded (path, search, &info, out, err) : of_exact (search, t, out, err);
  if (st != SD_OK)
    sd_error_about (err, path);
  sd_terminal_clear ();
  return st;
}

/* "longest: mate in 31 plies: 8/8/8/8/8/2k5/1R6/K7 w - - 0 1"; nothing where nobody wins. */
static void longest (enum sd_metric metric, sd_value v, const char *fen) {
  char text[40];
  if (v == 0)
    return;
  sd_metric_text (metric, v, text, sizeof text);
  printf ("      longest: %s: %s\n", text, fen);
}

/* The first line is about both sides to move, since the bytes are those of the whole file. */
void sd_statistics_text (const sd_table *t, const sd_statistics s[2]) {
  sd_table_info in;

  sd_table_describe (t, &in);
  uint64_t positions = 0;
  for (unsigned side = 0; side < in.nsides; side++)
    positions += s[side].positions;
  printf ("  %s positions, %.4f bits a position of the whole file\n", sd_tool_count (positions),
          8.0 * (double) in.bytes / (double) (positions ? positions : 1));

  for (unsigned side = 0; side < in.nsides; side++) {
    printf ("  %s  %s positions: %s won, %s drawn, %s lost; checksum of the values %016" PRIx64 "\n",
            sd_table_mover (t, side), sd_tool_count (s[side].positions), sd_tool_count (s[side].won),
            sd_tool_count (s[side].drawn), sd_tool_count (s[side].lost), s[side].content);
    longest (in.metric, s[side].longest_win, s[side].win_fen);
    longest (in.metric, s[side].longest_loss, s[side].loss_fen);
  }
}

/* count[v - INT16_MIN]: positions of value v. Values that do not occur are left out. */
static json_t *positions_by_value (enum sd_metric metric, const uint64_t *count) {
  json_t *rows = json_array ();
  /* By rising values: losses, draws, wins. */
  for (int v = INT16_MIN; v <= INT16_MAX; v++) {
    char text[40];
    if (count[v - INT16_MIN] == 0)
      continue;
    sd_metric_text (metric, (sd_value) v, text, sizeof text);
    json_array_append_new (rows, json_pack ("{s:i, s:s, s:I}", "value", v, "text", text, "positions",
                                            (json_int_t) count[v - INT16_MIN]));
  }
  return rows;
}

void sd_statistics_json (json_t *table, const sd_table *t, const sd_statistics s[2], bool histogram) {
  sd_table_info in;
  json_t *sides = json_array ();

  sd_table_describe (t, &in);
  for (unsigned side = 0; side < in.nsides; side++) {
    /* 64 bits as text, since numbers of JSON are doubles in many programs. */
    char content[17];
    snprintf (content, sizeof content, "%016" PRIx64, s[side].content);
    json_t *one =
        json_pack ("{s:s, s:I, s:I, s:I, s:I, s:s}", "to_move", side ? "b" : "w", "positions",
                   (json_int_t) s[side].positions, "won", (json_int_t) s[side].won, "drawn",
                   (json_int_t) s[side].drawn, "lost", (json_int_t) s[side].lost, "checksum", content);
    /* Where nobody wins or loses there is no such member. */
    if (s[side].longest_win)
      sd_json_put (one, "{s:{s:i, s:s}}", "longest_win", "value", s[side].longest_win, "fen",
                   s[side].win_fen);
    if (s[side].longest_loss)
      sd_json_put (one, "{s:{s:i, s:s}}", "longest_loss", "value", s[side].longest_loss, "fen",
                   s[side].loss_fen);

    if (histogram)
      json_object_set_new (one, "histogram", positions_by_value (in.metric, s[side].count));
    json_array_append_new (sides, one);
  }
  json_object_set_new (table, "values", sides);
}

/* The columns of docs/checksums.csv, which published.c reads. */
void sd_statistics_csv (const sd_table *t, const sd_statistics s[2]) {
  sd_table_info in;
  char name[SD_TABLE_NAME];
  if (!t) {
    puts ("material,metric,side,positions,won,drawn,lost,longest_win,longest_loss,checksum");
    return;
  }

  sd_table_describe (t, &in);
  sd_table_info_name (&in, name);
  for (unsigned side = 0; side < in.nsides; side++)
    printf ("%s,%s,%c,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d,%d,%016" PRIx64 "\n", name,
            sd_metrics[in.metric].name, side ? 'b' : 'w', s[side].positions, s[side].won, s[side].drawn,
            s[side].lost, s[side].longest_win, s[side].longest_loss, s[side].content);
}
