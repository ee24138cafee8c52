/* Other games than chess in the commands that know chess: probe, dump, verify, reformat with --game. */
#include "config.h"
#include "codecs/codecs.h"
#include "gen/games/games.h"
#include "tools/positions.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BUDGET = 64 << 20 }; /* bytes of decoded values */

/* Add the command that makes a missing table. */
static void advise (sd_error *err, const sd_rules *r, const char *game, sd_slice slice, const char *path) {
  if (!err->missing[0])
    return;
  char name[SD_SLICE_NAME], folder[300], before[sizeof err->text];
  r->kind->slice_name (r->ctx, slice, name);
  sd_tool_exact_folder (path, folder, sizeof folder);
  snprintf (before, sizeof before, "%s", err->text);
  sd_fail (err, SD_ENOENT, "%.300s; 'subdef gen --game %.200s%s%s -o %s' makes it", before, game,
           r->kind->slice_of ? " " : "", r->kind->slice_of ? name : "", folder);
}

static const char *result (int wdl) {
  return wdl > 0 ? "won" : wdl < 0 ? "lost" : "drawn";
}

static int plies (sd_value v) {
  return v > 0 ? v : v < 0 ? -v - 1 : 0;
}

/* ----------------------------------------------------------------------- probe */

/* A value is one of a table of distances, or only a result. */
typedef struct prober {
  const char *game, *path;
  const sd_rules *rules;
  sd_game_tables *tables;
  bool json;
  sd_missing missing, now; /* for all positions; for the one that is looked at */
} prober;

typedef struct known {
  char text[SD_MOVE_TEXT];
  bool is, distance;
  sd_value value; /* only a result: -1, 0, 1 */
} known;

typedef struct move_list {
  prober *p;
  known *at;
  size_t n, room, unknown;
  int status;    /* of the list itself */
  sd_error *err; /* and why */
  sd_error why;  /* the first failure to look something up, damage before absence */
} move_list;

/* SD_ENOENT: noted as missing. */
static int read_value (prober *p, sd_slice slice, sd_state state, known *k, sd_error *err) {
  char name[SD_SLICE_NAME];
  int st = sd_game_tables_need (p->tables, slice, SD_DTM, err);
  k->distance = st == SD_OK;
  if (st == SD_ENOENT)
    st = sd_game_tables_need (p->tables, slice, SD_WDL, NULL) == SD_OK ? SD_OK : SD_ENOENT;
  if (st == SD_ENOENT) {
    p->rules->kind->slice_name (p->rules->ctx, slice, name);
    sd_missing_note (&p->now, name);
  }
  if (st != SD_OK)
    return st;
  st = sd_game_tables_value (p->tables, slice, k->distance ? SD_DTM : SD_WDL, state, &k->value);
  sd_game_tables_trim (p->tables);
  return st == SD_OK ? SD_OK : sd_fail (err, st, "a value cannot be read: %s", sd_strerror (st));
}

/* What fails leaves k unknown and the reason in l: one bad table does not hide what the others know. */
static void look_up (move_list *l, sd_slice slice, sd_state state, known *k) {
  sd_error err = { 0 };
  const int st = read_value (l->p, slice, state, k, &err);
  k->is = st == SD_OK;
  k->distance &= k->is;
  if (st == SD_OK || (l->why.status != SD_OK && (l->why.status != SD_ENOENT || st == SD_ENOENT)))
    return;
  l->why = err;
  l->why.status = st;
}

static void add_move (void *arg, const sd_game_move *m) {
  move_list *l = arg;
  if (l->status != SD_OK)
    return;
  if (l->n == l->room) {
    const size_t room = l->room ? 2 * l->room : 32;
    known *more = realloc (l->at, room * sizeof *more);
    if (!more) {
      l->status = sd_fail_memory (l->err, room * sizeof *more);
      return;
    }
    l->at = more;
    l->room = room;
  }
  known *k = &l->at[l->n++];
  memcpy (k->text, m->text, sizeof k->text);
  k->is = k->distance = true;
  k->value = m->value;
  if (!m->known)
    look_up (l, m->slice, m->state, k);
  if (!k->is)
    l->unknown++;
  else
    k->value = k->distance ? sd_value_back (k->value) : (sd_value) -k->value;
}

static int compare (const known *a, const known *b) { /* > 0: a is better for the player to move */
  if (!a->is || !b->is)
    return a->is - b->is;
  const int by_result = sd_value_wdl (a->value) - sd_value_wdl (b->value);
  if (by_result || a->value == 0) /* all draws are alike */
    return by_result;
  if (!a->distance || !b->distance)
    return a->distance - b->distance;
  return sd_value_compare (a->value, b->value);
}

/* Can the moves be compared with each other? Not where one is unknown, nor where of those that lead to the
 * best result some have a distance and others have none. */
static bool comparable (const move_list *l) {
  const int best = sd_value_wdl (l->at[0].value);
  for (size_t i = 0; i < l->n; i++)
    if (!l->at[i].is
        || (best && sd_value_wdl (l->at[i].value) == best && l->at[i].distance != l->at[0].distance))
      return false;
  return true;
}

/* Is there surely no better move? Where the moves cannot tell, the position does: by its distance if it has
 * one, else by its result alone. */
static bool is_best (const move_list *l, const known *here, size_t i) {
  const known *k = &l->at[i];
  if (!k->is || comparable (l))
    return k->is && compare (k, &l->at[0]) == 0;
  if (!here->is || sd_value_wdl (k->value) != sd_value_wdl (here->value))
    return false;
  return !here->value || !here->distance || (k->distance && k->value == here->value);
}

static void say (const known *k) {
  if (!k->is)
    puts ("?");
  else
    printf (k->distance && k->value ? "%s in %d\n" : "%s\n", result (k->value), plies (k->value));
}

static json_t *value_json (const char *key, const char *text, const known *k) {
  json_t *j = json_object ();
  json_object_set_new (j, key, sd_json_text (text));
  json_object_set_new (j, "result", json_string (k->is ? result (k->value) : "unknown"));
  json_object_set_new (j, "wdl", k->is ? json_integer (sd_value_wdl (k->value)) : json_null ());
  if (k->is && k->distance && k->value)
    json_object_set_new (j, "plies", json_integer (plies (k->value)));
  return j;
}

static void say_json (const prober *p, const char *text, sd_slice slice, const known *here,
                      const move_list *l) {
  char name[SD_SLICE_NAME];
  json_t *moves = json_array (), *all = value_json ("position", text, here);
  p->rules->kind->slice_name (p->rules->ctx, slice, name);
  for (size_t i = 0; i < l->n; i++) {
    json_t *m = value_json ("move", l->at[i].text, &l->at[i]);
    json_object_set_new (m, "best", json_boolean (is_best (l, here, i)));
    json_array_append_new (moves, m);
  }
  json_object_set_new (all, "slice", json_string (name));
  json_object_set_new (all, "moves", moves);
  sd_json_missing (all, &p->now);
  sd_json_line (all);
}

static void say_text (const char *text, const known *here, const move_list *l) {
  printf ("%s\n  ", text);
  say (here);
  for (size_t i = 0; i < l->n; i++) {
    printf ("  %c %-15s ", is_best (l, here, i) ? '*' : ' ', l->at[i].text);
    say (&l->at[i]);
  }
  if (l->n == 0)
    puts ("  no moves");
}

/* What the moves say of a position whose table is missing: all of them, or one that wins. end: without moves.
 */
static void from_moves (const move_list *l, sd_value end, known *here) {
  if (l->n == 0)
    *here = (known){ .is = true, .distance = true, .value = end };
  else if (l->at[0].is && (l->unknown == 0 || l->at[0].value > 0)) {
    *here = l->at[0];
    for (size_t i = 0; i < l->n; i++)
      here->distance &= l->at[i].is && l->at[i].distance;
    if (!here->distance)
      here->value = (sd_value) sd_value_wdl (here->value);
  }
}

/* The position and its moves, best first. */
static int look_at (prober *p, const char *text, sd_slice *slice, known *here, move_list *l, sd_error *err) {
  sd_state state;
  sd_value end = 0;
  bool turned = false;
  SD_TRY (p->rules->kind->parse (p->rules->ctx, text, slice, &state, &turned, err));
  look_up (l, *slice, state, here);
  p->rules->kind->moves (p->rules->ctx, *slice, state, turned, &end, add_move, l);
  SD_TRY (l->status);
  for (size_t i = 1; i < l->n; i++) /* stable */
    for (size_t j = i; j > 0 && compare (&l->at[j], &l->at[j - 1]) > 0; j--) {
      const known swap = l->at[j];
      l->at[j] = l->at[j - 1];
      l->at[j - 1] = swap;
    }
  if (!here->is)
    from_moves (l, end, here);
  if (here->is || l->unknown < l->n
      || l->why.status == SD_ENOENT) /* where tables are missing "?" is an answer, too */
    return SD_OK;
  *err = l->why;
  return err->status;
}

static int probe (void *ctx, const sd_given *g) {
  prober *p = ctx;
  sd_error err = { 0 };
  sd_slice slice;
  known here = { .text = "" };
  move_list l = { .p = p, .err = &err };
  int status = look_at (p, g->text, &slice, &here, &l, &err);
  for (unsigned i = 0; i < p->now.n; i++)
    sd_missing_note (&p->missing, p->now.name[i]);
  if (status != SD_OK) {
    err.status = status;
    status = sd_given_fail (g, "position", p->json, &p->now, &err);
  } else {
    if (p->json)
      say_json (p, g->text, slice, &here, &l);
    else
      say_text (g->text, &here, &l);
    if (l.why.status != SD_OK && l.why.status != SD_ENOENT) { /* what is missing is told at the end */
      sd_error_prefix (&l.why, "%.200s", g->text);
      sd_tool_fail (&l.why);
    }
    status = here.is && l.unknown == 0 ? SD_EXIT_OK : SD_EXIT_FAILED;
  }
  sd_missing_free (&p->now);
  free (l.at);
  return status;
}

int sd_game_probe (const char *game, const char *path, char **position, int n, bool json) {
  sd_rules r = { 0 };
  sd_game_tables *tables = NULL;
  sd_error err = { 0 };
  char command[400];
  if (sd_rules_open (game, &r, &err) || sd_game_tables_open (&r, path, BUDGET, &tables, &err)) {
    sd_rules_close (&r);
    return sd_tool_fail (&err);
  }
  prober p = { .game = game, .path = path, .rules = &r, .tables = tables, .json = json };
  const int status = sd_tool_positions (position, n, probe, &p);
  snprintf (command, sizeof command, "subdef gen --game %.300s", game);
  sd_missing_tell (&p.missing, path, command, r.kind->slice_of != NULL);
  sd_missing_free (&p.missing);
  sd_game_tables_close (tables);
  sd_rules_close (&r);
  return status;
}

/* ------------------------------------------------------------------------ dump */

static int dump_text (const sd_rules *r, sd_slice slice, const sd_value *value, uint64_t n) {
  for (uint64_t i = 0; i < n && !ferror (stdout); i++) {
    char text[SD_POSITION_TEXT];
    if (value[i] == SD_ILLEGAL || !r->kind->print (r->ctx, slice, i, text))
      continue;
    if (value[i])
      printf ("%s %s in %d\n", text, result (value[i]), plies (value[i]));
    else
      printf ("%s drawn\n", text);
  }
  return SD_OK;
}

static int dump_numbers (const sd_value *value, uint64_t n, const char *file, sd_error *err) {
  enum { CHUNK = 1 << 16 };
  uint8_t bytes[2 * CHUNK];
  sd_outfile *out;
  SD_TRY (sd_outfile_open (file, &out, err));
  int st = SD_OK;
  for (uint64_t from = 0; from < n && st == SD_OK; from += CHUNK) {
    const uint64_t count = n - from < CHUNK ? n - from : CHUNK;
    for (uint64_t i = 0; i < count; i++) {
      const uint16_t v = (uint16_t) value[from + i];
      bytes[2 * i] = (uint8_t) v;
      bytes[2 * i + 1] = (uint8_t) (v >> 8);
    }
    st = sd_outfile_write (out, bytes, 2 * count, err);
  }
  if (st == SD_OK)
    return sd_outfile_commit (out, err);
  sd_outfile_abort (out);
  return st;
}

int sd_game_dump (const char *game, const char *path, const char *slice_name, const char *file) {
  sd_rules r = { 0 };
  sd_game_tables *tables = NULL;
  sd_error err = { 0 };
  sd_slice slice = 0;
  sd_value *value = NULL;
  uint64_t n = 0;
  int st = sd_rules_open (game, &r, &err);
  if (st == SD_OK)
    st = sd_rules_slice (&r, slice_name, &slice, &err);
  if (st == SD_OK)
    st = sd_game_tables_open (&r, path, BUDGET, &tables, &err);
  if (st == SD_OK && (st = sd_game_tables_exact (tables, slice, &value, &n, &err)) != SD_OK)
    advise (&err, &r, game, slice, path);
  if (st == SD_OK)
    st = file ? dump_numbers (value, n, file, &err) : dump_text (&r, slice, value, n);
  free (value);
  sd_game_tables_close (tables);
  sd_rules_close (&r);
  return st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}

/* ---------------------------------------------------------------------- verify */

int sd_game_verify_table (const char *game, const char *path, sd_table *t, const sd_progress *progress,
                          sd_error *err) {
  sd_rules r = { 0 };
  sd_table_info info;
  sd_table_describe (t, &info);
  int st = sd_rules_open (game ? game : info.game.name, &r, err);
  if (st == SD_OK)
    st = sd_game_verify (&r, path, t, progress, err);
  else
    sd_table_close (t);
  sd_rules_close (&r);
  return st;
}

/* -------------------------------------------------------------------- reformat */

static int spec_for (const sd_game_reformat_options *o, sd_table_spec *spec, sd_error *err) {
  spec->metric = o->metric;
  spec->coding = sd_metric_coding (o->metric, true);
  if (o->coding && (!sd_metrics[o->metric].plies || sd_coding_find (o->coding) != spec->coding))
    return sd_fail (err, SD_EINVAL,
                    "--coding %s: tables of other games than chess take signed, with --metric dtm",
                    o->coding);
  SD_TRY (sd_freedom_parse (o->freedom, &spec->freedom, err));
  if (strcmp (o->freedom, "all") == 0)
    spec->freedom = SD_FREE_ILLEGAL;
  if (spec->freedom & ~(unsigned) SD_FREE_ILLEGAL)
    return sd_fail (err, SD_EINVAL,
                    "--freedom %s: in tables of other games than chess only 'illegal' slots can be free",
                    o->freedom);
  spec->side[0].codec = sd_codec_find (o->codec);
  if (!spec->side[0].codec)
    return sd_fail (err, SD_EINVAL, "--codec %s: unknown; 'subdef reformat --set help' lists the codecs",
                    o->codec);
  return sd_settings_parse (spec->side[0].codec, o->set, &spec->side[0].settings, err);
}

static int reformat (const sd_game_reformat_options *o, sd_game_tables *tables, sd_slice slice,
                     const sd_progress *progress, sd_error *err) {
  const sd_rules *r = sd_game_tables_rules (tables);
  const double start = sd_now ();
  sd_table_spec spec = { .metric = SD_DTM };
  char file[SD_GAME_FILE_NAME], path[4096];
  sd_value *value;
  uint64_t n;
  SD_TRY (spec_for (o, &spec, err));
  SD_TRY (sd_rules_describe (r, slice, &spec.game, err));
  sd_table_game_file_name (&spec.game, o->metric, file);
  if (snprintf (path, sizeof path, "%s/%s", o->folder, file) >= (int) sizeof path)
    return sd_fail (err, SD_EINVAL, "%s: the path is too long", o->folder);
  if (!o->overwrite && sd_file_exists (path))
    return sd_fail (err, SD_EIO, "%s: is there already; -f overwrites it", path);
  int st = sd_game_tables_exact (tables, slice, &value, &n, err);
  if (st != SD_OK) {
    advise (err, r, o->game, slice, o->path);
    return st;
  }
  st = sd_table_build_game (&spec, value, path, progress, err);
  free (value);
  sd_map map;
  if (st != SD_OK || o->quiet || sd_map_open (path, &map, NULL))
    return st;
  sd_terminal_clear ();
  printf ("%-8s %s %10zu bytes  %s  (%.1f s, every state compared)\n", spec.game.slice,
          sd_tool_metric_name (o->metric), map.len, spec.side[0].codec->name, sd_now () - start);
  fflush (stdout);
  sd_map_close (&map);
  return st;
}

/* All slices that the options ask for. */
static int reformat_all (const sd_game_reformat_options *o, sd_game_tables *tables, sd_error *err) {
  const sd_rules *r = sd_game_tables_rules (tables);
  sd_progress progress;
  sd_slice slice;
  unsigned n = 0;
  int st = SD_OK;
  sd_terminal_progress (&progress, false);
  if (o->pieces && !r->kind->all)
    return sd_fail (err, SD_EINVAL, "--men %d: %s has no pieces", o->pieces, r->kind->name);
  for (int i = 0; i < o->n && st == SD_OK; i++)
    if ((st = sd_rules_slice (r, o->slice[i], &slice, err)) == SD_OK)
      st = reformat (o, tables, slice, &progress, err);
  if (o->n == 0 && !o->pieces && (st = sd_rules_slice (r, NULL, &slice, err)) == SD_OK)
    st = reformat (o, tables, slice, &progress, err);
  if (o->pieces)
    n = r->kind->all (r->ctx, (unsigned) o->pieces, NULL, 0);
  sd_slice *all = sd_alloc (n, sizeof *all);
  if (!all)
    return sd_fail_memory (err, n * sizeof *all);
  if (n)
    r->kind->all (r->ctx, (unsigned) o->pieces, all, n);
  for (unsigned i = 0; i < n && st == SD_OK; i++)
    st = reformat (o, tables, all[i], &progress, err);
  free (all);
  return st;
}

int sd_game_reformat (const sd_game_reformat_options *o) {
  sd_rules r = { 0 };
  sd_game_tables *tables = NULL;
  sd_error err = { 0 };
  int st = sd_rules_open (o->game, &r, &err);
  if (st == SD_OK)
    st = sd_game_tables_open (&r, o->path, BUDGET, &tables, &err);
  if (st == SD_OK)
    st = reformat_all (o, tables, &err);
  sd_game_tables_close (tables);
  sd_rules_close (&r);
  return st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}
