/* The paths of `subdef serve`: /standard and /standard/mainline as the web API of chess sites has them, /wdl,
 * /info, those of lists.c, stats.c and files.c, and / for people. docs/api.md describes the members. */
#include "config.h"
#include "tools/serve/service.h"
#include "tools/statistics.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Bytes of decoded values that stay; characters of a position, of which a FEN has fewer than 100. */
enum { BUDGET = 64 << 20, LONGEST_FEN = 200 };

/* Files of which parts are still to be read stay open, and each connection is one more. A limit that cannot
 * be raised is no failure: the tables beyond it are told with their reason. */
static void allow_files (void) {
  struct rlimit files;
  if (getrlimit (RLIMIT_NOFILE, &files) || files.rlim_cur == files.rlim_max)
    return;
  files.rlim_cur = files.rlim_max;
  setrlimit (RLIMIT_NOFILE, &files);
}

/* Nothing that happens to a table's file may end the server: it is read into memory where it is asked for,
 * or, if it has no parts and is large, mapped and given up once it is cut. */
int sd_service_open (const char *path, const sd_service_options *how, sd_service *s, sd_error *err) {
  sd_error none = { 0 };
  *s = (sd_service){ .path = path };
  allow_files ();
  SD_TRY (sd_tool_rules (NULL, &s->rules, err));
  SD_TRY (sd_game_tables_open (&s->rules, path, BUDGET, &s->answers, err));
  SD_TRY (sd_game_tables_start (s->answers, SD_OPEN_PARTS | SD_OPEN_MAP_OTHERS, err));
  s->tables = sd_game_tables_found (s->answers);
  sd_outlive_cuts (s->tables);
  /* Where the program was copied alone the published list is not there; nothing else needs it. */
  if (sd_published_text (&s->published, &none) != SD_OK)
    s->published = NULL;
  SD_TRY (sd_service_list (s, how->downloads, err));
  if (how->downloads)
    SD_TRY (sd_offers_new (s->tables, &s->offers, err));
  return sd_counting_new (path, how->statistics_bytes, sd_tables_count (s->tables), &s->counting, err);
}

void sd_service_close (sd_service *s) {
  sd_counting_free (s->counting);
  sd_offers_free (s->offers);
  free (s->list);
  free (s->published);
  sd_game_tables_close (s->answers);
  if (s->rules.kind)
    sd_rules_close (&s->rules);
  *s = (sd_service){ 0 };
}

/* ------------------------------------------------------------------ replies */

/* The first n bytes. */
static void erase (char *text, size_t n) {
  memmove (text, text + n, strlen (text + n) + 1);
}

/* "DIR/KRvK.rtbw: ..." becomes "KRvK.rtbw: ...". Only where a word begins, so that a folder whose name ends
 * like this one stays. */
static void erase_folder (char *text, const char *folder, size_t n) {
  for (char *at = text; n && *at; at++)
    while ((at == text || at[-1] == ' ') && strncmp (at, folder, n) == 0 && at[n] == '/')
      erase (at, n + strspn (at + n, "/"));
}

/* Where tables lie on this machine is nobody's business who asks: what failed is told without it. Two forms
 * stand in messages: " in PATH", with all folders, and the folder before a file's name. */
json_t *sd_service_sentence (const sd_service *s, const char *sentence) {
  char text[sizeof ((sd_error *) 0)->text], in[sizeof text + 4] = " in ";
  snprintf (text, sizeof text, "%s", sentence);
  sd_path_said (s->path, in + 4, sizeof in - 4);
  for (char *at; s->path[0] && (at = strstr (text, in));)
    erase (at, strlen (in));
  for (const char *folder = s->path; *folder; folder += strspn (folder, ":")) {
    const size_t n = strcspn (folder, ":");
    erase_folder (text, folder, n);
    folder += n;
  }
  return sd_json_text (text);
}

/* Frees the record. */
void sd_service_reply (unsigned status, enum sd_keep keep, json_t *record, sd_reply *out) {
  static char empty[] = "{\"error\":\"out of memory\"}\n";
  *out = (sd_reply){ .status = status, .type = "application/json", .keep = keep, .owned = true };
  /* NULL for a record that could not be made, too. */
  out->body = json_dumps (record, JSON_COMPACT);
  json_decref (record);
  if (out->body)
    out->n = strlen (out->body);
  else
    *out = (sd_reply){ .status = 500, .type = "application/json", .body = empty, .n = sizeof empty - 1 };
}

/* What is wrong with the tables. */
static void fail (const sd_service *s, unsigned status, const char *sentence, const sd_missing *missing,
                  sd_reply *out) {
  json_t *record = json_pack ("{s:o}", "error", sd_service_sentence (s, sentence));
  if (missing)
    sd_json_missing (record, missing);
  sd_service_reply (status, SD_KEEP_NOT, record, out);
  out->damaged = status == 500;
}

void sd_service_refuse (unsigned status, const char *sentence, sd_reply *out) {
  sd_service_reply (status, SD_KEEP_NOT, json_pack ("{s:o}", "error", sd_json_text (sentence)), out);
}

/* Without its folder, for the same reason. */
const char *sd_service_file (const char *path) {
  return path ? basename (path) : "-";
}

/* ---------------------------------------------------------------------- positions */

/* Where one table holds the position, and what its block takes. */
static json_t *place_json (const sd_place *p, enum sd_metric metric) {
  sd_table_info in;

  sd_table_describe (p->table, &in);
  /* A joint stream belongs to the first side; its slots are those of both. */
  const sd_side *side = &in.side[in.joint ? 0 : p->side];
  json_t *j =
      json_pack ("{s:s, s:s, s:s, s:s, s:b, s:I}", "metric", sd_metrics[metric].name, "file",
                 sd_service_file (p->path), "codec", p->stored ? sd_side_codec (side) : "-", "side",
                 p->side == SD_WHITE ? "w" : "b", "stored", (int) p->stored, "slot", (json_int_t) p->slot);
  if (!p->stored)
    return j;

  const uint64_t slots = in.side[p->side].slots << in.joint;
  sd_json_put (j, "{s:I, s:b, s:I, s:f}", "slots", (json_int_t) in.side[p->side].slots, "joint",
               (int) in.joint, "stream_bits", (json_int_t) (8 * side->stream_bytes), "bits_per_slot",
               slots ? 8.0 * (double) side->stream_bytes / (double) slots : 0.0);
  if (p->block.bytes)
    sd_json_put (j, "{s:{s:I, s:I, s:I, s:I}}", "block", "number", (json_int_t) p->block.number, "first",
                 (json_int_t) p->block.first, "slots", (json_int_t) p->block.slots, "bits",
                 (json_int_t) (8 * p->block.bytes));
  return j;
}

/* In which slot of which file, for each metric that has a table of the ending. */
static json_t *places_json (const sd_service *s, const sd_answer *a) {
  const sd_pos board = sd_answer_board (a)->of (&a->position);
  json_t *all = json_array ();
  for (unsigned metric = 0; metric < SD_METRICS && !sd_answer_beyond (a); metric++) {
    sd_place place;
    if (sd_tables_place (s->tables, (enum sd_metric) metric, &board, &place) == SD_OK)
      json_array_append_new (all, place_json (&place, (enum sd_metric) metric));
  }
  return all;
}

/* A table that is not there (SD_ENOENT) is no damage. */
static bool is_damaged (const sd_answer *a) {
  return a->why.status != SD_OK && a->why.status != SD_ENOENT;
}

static enum sd_keep keeping (const sd_answer *a) {
  return is_damaged (a) ? SD_KEEP_NOT : a->missing.n ? SD_KEEP_MINUTE : SD_KEEP_DAY;
}

/* What is known, and where it stands. */
static void answer_standard (const sd_service *s, const sd_answer *a, const char *fen, sd_reply *out) {
  json_t *record = sd_answer_json (a, fen);
  json_object_set_new (record, "tables", places_json (s, a));
  if (is_damaged (a))
    json_object_set_new (record, "damage", sd_service_sentence (s, a->why.text));
  sd_service_reply (200, keeping (a), record, out);
  out->damaged = is_damaged (a);
}

/* The moves of the best line and the value at its beginning, as the web API of chess sites has them. */
static void answer_mainline (const sd_service *s, const sd_answer *a, const char *fen, sd_reply *out) {
  sd_line_of_play l;
  sd_error err = { 0 };
  const sd_pos board = sd_answer_board (a)->of (&a->position);

  if (!sd_answer_known (a)) {
    fail (s, 404, "no table tells who wins here, so there is no best line", &a->missing, out);
    return;
  }
  if (sd_line_find (a, &l, &err) != SD_OK) {
    fail (s, 500, err.text, NULL, out);
    sd_line_free (&l);
    return;
  }

  int result;
  const bool decisive = sd_known_result (&a->here, &result) && result != 0;
  json_t *record = sd_answer_json (a, fen);
  json_t *brief = json_pack ("{s:o, s:s?, s:O, s:O, s:O, s:s}", "mainline", sd_line_json (a, &l), "winner",
                             !decisive                                 ? NULL
                             : (result > 0) == (board.stm == SD_WHITE) ? "w"
                                                                       : "b",
                             "dtz", json_object_get (record, "dtz"), "precise_dtz",
                             json_object_get (record, "precise_dtz"), "dtm", json_object_get (record, "dtm"),
                             "end", sd_line_end_name (&l));

  sd_json_missing (brief, &l.missing);
  json_decref (record);
  const enum sd_keep keep = l.missing.n && !is_damaged (a) ? SD_KEEP_MINUTE : keeping (a);
  sd_line_free (&l);
  sd_service_reply (200, keep, brief, out);
}

/* A blank may stand as an underscore, so that an address can be typed. False: too long. */
static bool read_fen (const char *text, char fen[LONGEST_FEN + 1]) {
  const size_t n = strlen (text);
  if (n > LONGEST_FEN)
    return false;
  for (size_t i = 0; i <= n; i++)
    fen[i] = (char) (text[i] == '_' ? ' ' : text[i]);
  return true;
}

/* What a table of results or of mates alone tells, which is most of what programs ask for, without looking at
 * moves where it need not and without a record. False: /standard may know more. */
static bool answer_quickly (const sd_service *s, const char *fen, sd_reply *out) {
  static const char *const body[] = { "{\"wdl\":-1}\n", "{\"wdl\":0}\n", "{\"wdl\":1}\n" };
  const sd_game_board *board = s->rules.kind->board;
  sd_position position;
  sd_error err;
  int wdl;

  if (s->rules.kind->parse (s->rules.ctx, fen, &position, &err) != SD_OK || board->beyond (&position))
    return false;
  const sd_pos p = board->of (&position);
  if (sd_probe_wdl (s->tables, &p, &wdl, NULL) != SD_OK)
    return false;
  *out = (sd_reply){ .status = 200,
                     .type = "application/json",
                     .keep = SD_KEEP_DAY,
                     .body = (char *) body[wdl + 1],
                     .n = strlen (body[wdl + 1]) };
  return true;
}

/* The result alone; null: no table tells it. */
static void answer_wdl (const sd_service *s, const sd_answer *a, sd_reply *out) {
  int result;
  const bool known = sd_known_result (&a->here, &result);
  json_t *record = json_pack ("{s:o}", "wdl", known ? json_integer (result) : json_null ());
  sd_json_missing (record, &a->missing);
  if (is_damaged (a))
    json_object_set_new (record, "damage", sd_service_sentence (s, a->why.text));
  sd_service_reply (200, keeping (a), record, out);
  out->damaged = is_damaged (a);
}

/* 400: the text is no position; 404: nothing tells the line; 500: a table is damaged and nothing else
 * knows. */
enum what { RECORD, LINE, RESULT };
static void answer_position (const sd_service *s, enum what what, const char *text, sd_reply *out) {
  const sd_sources p = { &s->rules, s->answers };
  char fen[LONGEST_FEN + 1];
  sd_answer a;
  sd_error err = { 0 };

  if (!text || !*text) {
    sd_service_refuse (400, "the parameter fen is missing: /standard?fen=8/8/8/8/8/2k5/8/K6R_w_-_-_0_1", out);
    return;
  }
  if (!read_fen (text, fen)) {
    sd_service_refuse (400, "FEN: the text is longer than 200 characters", out);
    return;
  }
  if (what == RESULT && answer_quickly (s, fen, out))
    return;

  const int st = sd_answer_text (&p, fen, &a, &err);
  if (st == SD_OK && what == LINE)
    answer_mainline (s, &a, fen, out);
  else if (st == SD_OK && what == RECORD)
    answer_standard (s, &a, fen, out);
  else if (st == SD_OK)
    answer_wdl (s, &a, out);
  else if (st == SD_EINVAL)
    sd_service_refuse (400, err.text, out);
  else
    fail (s, 500, err.text[0] ? err.text : sd_strerror (st), &a.missing, out);
  sd_answer_free (&a);
}

/* --------------------------------------------------------------------------- info */

/* A table that cannot be used is in the list, too, with the reason. */
static json_t *table_json (const sd_service *s, unsigned i) {
  const sd_tables *ts = s->tables;
  const char *path;
  const sd_table *t = sd_tables_at (ts, i, &path);
  sd_table_info in;
  char name[SD_TABLE_NAME];

  if (!t)
    return json_pack (
        "{s:s, s:o}", "file", sd_service_file (path), "error",
        sd_service_sentence (s, sd_tables_problem (ts, i) ? sd_tables_problem (ts, i)->text : "unusable"));
  sd_table_describe (t, &in);
  sd_table_info_name (&in, name);
  return json_pack ("{s:s, s:s, s:s, s:s, s:I}", "file", sd_service_file (path), "ending", name, "metric",
                    sd_metrics[in.metric].name, "codec",
                    sd_side_codec (&in.side[!sd_table_info_has (&in, 0)]), "bytes", (json_int_t) in.bytes);
}

/* What there is: the version, the most men, and each table of the path. */
static void answer_info (const sd_service *s, const sd_ask *ask, sd_reply *out) {
  (void) ask;
  json_t *tables = json_array ();
  for (unsigned i = 0; i < sd_tables_count (s->tables); i++)
    json_array_append_new (tables, table_json (s, i));
  sd_service_reply (200, SD_KEEP_CHECKED,
                    json_pack ("{s:s, s:s, s:i, s:o}", "program", "subdef", "version", PACKAGE_VERSION,
                               "most_men", SD_MAX_MEN, "tables", tables),
                    out);
}

static void answer_value (const sd_service *s, const sd_ask *ask, sd_reply *out) {
  answer_position (s, RECORD, ask->fen, out);
}

static void answer_line (const sd_service *s, const sd_ask *ask, sd_reply *out) {
  answer_position (s, LINE, ask->fen, out);
}

static void answer_result (const sd_service *s, const sd_ask *ask, sd_reply *out) {
  answer_position (s, RESULT, ask->fen, out);
}

/* Made when the server started, since nothing of it changes. */
static void answer_list (const sd_service *s, const sd_ask *ask, sd_reply *out) {
  (void) ask;
  *out = (sd_reply){
    .status = 200, .type = "application/json", .keep = SD_KEEP_CHECKED, .body = s->list, .n = strlen (s->list)
  };
}

static const struct {
  const char *path;
  void (*answer) (const sd_service *s, const sd_ask *ask, sd_reply *out);
} paths[] = {
  { "/wdl", answer_result },  { "/standard", answer_value },       { "/standard/mainline", answer_line },
  { "/tables", answer_list }, { "/stats", sd_service_statistics }, { "/info", answer_info }
};

/* Paths are compared whole, but for the names of files; what is none of them may be a file of the page. */
void sd_service_answer (const sd_service *s, const sd_ask *ask, sd_reply *out) {
  static const char files[] = "/files/";
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    if (strcmp (ask->path, paths[i].path) == 0) {
      paths[i].answer (s, ask, out);
      return;
    }

  if (s->offers && strncmp (ask->path, files, sizeof files - 1) == 0)
    sd_service_download (s, ask->path + sizeof files - 1, out);
  else if (!sd_page_file (ask->path, out))
    sd_service_refuse (
        404,
        "there is no such page: /, /info, /tables, /stats?ending=..., /wdl?fen=..., "
        "/standard?fen=..., /standard/mainline?fen=..., /tables.html, /metrics, and /files/ where files are offered",
        out);
}
