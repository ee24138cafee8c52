/* subdef probe: what is known of positions, and of their moves. */
#include "config.h"
#include "tools/positions.h"
#include "tools/tools_internal.h"
#include "gen/games/games.h"
#include <stdlib.h>
#include <string.h>

static struct {
  const char *tables, *game;
  bool json;
} opt;

static const sd_option options[] = {
  { "tables", 'p', "DIR[:DIR]", "where the tables are (default: SUBDEF_PATH, else the current folder)",
    .text = &opt.tables },
  { "game", 'g', "NAME[:FILE]", "positions of another game than chess (subdef gen --help lists them)",
    .text = &opt.game },
  { "json", 'j', NULL, "one JSON object a line", .flag = &opt.json },
  { 0 },
};

enum { BUDGET = 64 << 20 }; /* bytes of decoded values */

typedef struct prober {
  const sd_game_kind *kind;
  const sd_rules *rules;
  sd_game_tables *tables;
  sd_missing missing, now; /* for all positions; for the one that is looked at */
  bool noted;
} prober;

typedef struct choice {
  char text[SD_MOVE_TEXT];
  sd_known k; /* for the player who makes the move */
  sd_known_rule rule;
} choice;

/* A position that has been looked at. */
typedef struct answer {
  prober *p;
  sd_position position;
  sd_known here;
  sd_known_rule rule;
  sd_value end; /* without moves */
  choice *at;   /* the moves */
  uint64_t n, room;
  size_t unknown;
  int status;   /* of the list itself */
  sd_error own; /* and why */
  sd_error why; /* the first failure to look something up, damage before absence */
} answer;

/* ------------------------------------------------------------------- looking up */

static void say_missed (void *ctx, const char *name) {
  sd_missing_note (ctx, name);
}

/* Keeps the first reason, damage before absence. */
static int failed (answer *a, const sd_error *err, int st) {
  if (st == SD_OK || (a->why.status != SD_OK && (a->why.status != SD_ENOENT || st == SD_ENOENT)))
    return st;
  a->why = *err;
  a->why.status = st;
  return st;
}

/* What fails leaves k and rule unknown and the reason in a: one bad table does not hide what the others know.
 * The sign of what is known with the 50-move rule is the result without it, so that tables with the rule
 * alone are enough. */
static int look_up (answer *a, const sd_position *position, sd_known *k, sd_known_rule *rule) {
  const sd_missed missed = { &a->p->now, say_missed };
  sd_error err = { 0 };
  int st = sd_game_tables_look_up_rule (a->p->tables, position, rule, &err);
  if (st != SD_ENOENT)
    failed (a, &err, st);
  st = sd_game_tables_look_up (a->p->tables, position, k, rule->is ? NULL : &missed, &err);
  if (st == SD_ENOENT && rule->is) {
    *k = (sd_known){ .is = true, .value = (sd_value) sd_value_wdl (rule->value) };
    st = SD_OK;
  }
  return failed (a, &err, st);
}

/* The value of a move under the 50-move rule, from that of the position behind it. A quiet move to a position
 * that is lost just within the rule comes too late by one ply, which WDL50 alone does not tell; no move is
 * worth more than the position. */
static void rule_back (const answer *a, sd_known_rule *rule, unsigned step) {
  const enum sd_metric metric = rule->dtz ? SD_DTZ50 : SD_WDL50;
  rule->value = sd_metric_back (&sd_metrics[metric], rule->value, step);
  if (rule->dtz || !a->rule.is || (step & sd_metrics[SD_DTZ50].anew))
    return;
  const sd_value most = sd_metrics[SD_WDL50].of (a->rule.value);
  const sd_value here = a->rule.dtz ? most : a->rule.value;
  rule->value = rule->value > here ? here : rule->value;
}

static void add_move (void *arg, const sd_game_move *m) {
  answer *a = arg;
  if (a->status != SD_OK)
    return;
  if (!sd_grow (&a->at, &a->room, a->n + 1)) {
    a->status = sd_fail_memory (&a->own, (a->n + 1) * sizeof (choice));
    return;
  }
  choice *c = &a->at[a->n++];
  memcpy (c->text, m->text, sizeof c->text);
  c->k = (sd_known){ .is = true, .dtm = true, .value = m->value };
  c->rule = (sd_known_rule){ .is = false };
  if (!m->known)
    look_up (a, &m->to, &c->k, &c->rule);
  if (c->rule.is)
    rule_back (a, &c->rule, m->step);
  if (!c->k.is)
    a->unknown++;
  else
    c->k.value = c->k.dtm ? sd_value_back (c->k.value) : (sd_value) -c->k.value;
}

/* The value of WDL50, of whichever it is. */
static sd_value rule_result (const sd_known_rule *r) {
  return r->dtz ? sd_metrics[SD_WDL50].of (r->value) : r->value;
}

static int compare_rules (const sd_known_rule *a, const sd_known_rule *b) {
  if (!a->is || !b->is)
    return a->is - b->is;
  const int by_result = rule_result (a) - rule_result (b);
  if (by_result)
    return by_result;
  if (!a->dtz || !b->dtz)
    return a->dtz - b->dtz;
  return sd_metric_rank (&sd_metrics[SD_DTZ50], a->value) - sd_metric_rank (&sd_metrics[SD_DTZ50], b->value);
}

static int compare (const choice *m, const choice *n) { /* > 0: m is better for the player to move */
  const sd_known *a = &m->k, *b = &n->k;
  if (!a->is || !b->is)
    return a->is - b->is;
  const int by_result = sd_value_wdl (a->value) - sd_value_wdl (b->value);
  if (by_result || a->value == 0) /* all draws are alike */
    return by_result;
  if (!a->dtm && !b->dtm)
    return compare_rules (&m->rule, &n->rule);
  if (!a->dtm || !b->dtm)
    return a->dtm - b->dtm;
  return sd_value_compare (a->value, b->value);
}

/* Best first, unknown ones last, stable. */
static void sort_moves (answer *a) {
  for (size_t i = 1; i < a->n; i++)
    for (size_t j = i; j > 0 && compare (&a->at[j], &a->at[j - 1]) > 0; j--) {
      const choice swap = a->at[j];
      a->at[j] = a->at[j - 1];
      a->at[j - 1] = swap;
    }
}

/* What the moves say of a position whose own tables do not: all of them, or one that wins. */
static void from_moves (answer *a) {
  if (a->n == 0)
    a->here = (sd_known){ .is = true, .dtm = true, .value = a->end };
  else if (a->at[0].k.is && (a->unknown == 0 || a->at[0].k.value > 0)) {
    a->here = a->at[0].k;
    for (size_t i = 0; i < a->n; i++)
      a->here.dtm &= a->at[i].k.is && a->at[i].k.dtm;
    if (!a->here.dtm)
      a->here.value = (sd_value) sd_value_wdl (a->here.value);
  }
}

/* The position and its moves. */
static int look_at (answer *a, const char *text, sd_error *err) {
  const sd_rules *r = a->p->rules;
  if (!r->kind->parse)
    return sd_fail (err, SD_EINVAL, "%s: these tables have no positions to be asked for", r->kind->name);
  SD_TRY (r->kind->parse (r->ctx, text, &a->position, err));
  if (look_up (a, &a->position, &a->here, &a->rule) == SD_EINVAL) { /* a position that no table can have */
    *err = a->why;
    return SD_EINVAL;
  }
  r->kind->moves (r->ctx, &a->position, &a->end, add_move, a);
  if (a->status != SD_OK) {
    *err = a->own;
    return a->status;
  }
  sort_moves (a);
  if (!a->here.is)
    from_moves (a);
  if (a->here.is || a->unknown < a->n)
    return SD_OK;
  *err = a->why;
  return err->status;
}

/* How much is known of a move that wins or loses. */
static unsigned known_of (const choice *c) {
  return c->k.dtm ? 3 : c->rule.is ? 1u + c->rule.dtz : 0;
}

/* Can the moves be compared with each other? Not if the value of one is unknown. Nor if, of the moves with
 * the best WDL value, more is known of some than of others. */
static bool comparable (const answer *a) {
  const int best = sd_value_wdl (a->at[0].k.value);
  for (size_t i = 0; i < a->n; i++) {
    const sd_known *k = &a->at[i].k;
    if (!k->is || (best && sd_value_wdl (k->value) == best && known_of (&a->at[i]) != known_of (&a->at[0])))
      return false;
  }
  return true;
}

/* Is there surely no better move? Where the moves cannot tell, the position does: by its distance if it has
 * one, else by its result alone. */
static bool is_best (const answer *a, size_t i) {
  const sd_known *k = &a->at[i].k;
  if (!k->is || comparable (a))
    return k->is && compare (&a->at[i], &a->at[0]) == 0;
  if (!a->here.is || sd_value_wdl (k->value) != sd_value_wdl (a->here.value))
    return false;
  return !a->here.value || !a->here.dtm || (k->dtm && k->value == a->here.value);
}

/* ----------------------------------------------------------------------- saying */

static void say (const sd_game_kind *kind, const sd_known *k, const sd_known_rule *rule) {
  char text[80];
  if (!k->is)
    printf ("?");
  else if (!k->dtm || k->value == 0)
    printf ("%s", sd_tool_result (k->value));
  else {
    sd_tool_value (kind, k->value, text, sizeof text);
    printf ("%s", text);
  }
  if (rule->is && rule->value) {
    sd_metric_text (rule->dtz ? SD_DTZ50 : SD_WDL50, rule->value, text, sizeof text);
    printf ("; 50-move rule: %s", text);
  }
  putchar ('\n');
}

/* Plies of a value that is no draw. */
static json_t *plies_json (sd_value v) {
  return json_integer (v > 0 ? v : -v - 1);
}

static json_t *value_json (const char *key, const char *text, const sd_known *k, const sd_known_rule *rule) {
  json_t *j = json_object ();
  json_object_set_new (j, key, sd_json_text (text));
  json_object_set_new (j, "result", json_string (k->is ? sd_tool_result (k->value) : "unknown"));
  json_object_set_new (j, "wdl", k->is ? json_integer (sd_value_wdl (k->value)) : json_null ());
  if (k->is && k->dtm && k->value)
    json_object_set_new (j, "plies", plies_json (k->value));
  if (rule->is)
    json_object_set_new (j, "wdl50", json_integer (rule_result (rule)));
  if (rule->is && rule->dtz && rule->value)
    json_object_set_new (j, "dtz50", plies_json (rule->value));
  return j;
}

static const char *key_of (const prober *p) {
  return p->kind->words.position ? p->kind->words.position : "position";
}

static void say_json (const answer *a, const char *text) {
  const prober *p = a->p;
  char name[SD_SLICE_NAME];
  json_t *moves = json_array (), *all = value_json (key_of (p), text, &a->here, &a->rule);
  p->kind->slice_name (p->rules->ctx, a->position.slice, name);
  for (size_t i = 0; i < a->n; i++) {
    json_t *m = value_json ("move", a->at[i].text, &a->at[i].k, &a->at[i].rule);
    json_object_set_new (m, "best", json_boolean (is_best (a, i)));
    json_array_append_new (moves, m);
  }
  json_object_set_new (all, p->kind->words.slice ? p->kind->words.slice : "slice", json_string (name));
  json_object_set_new (all, "moves", moves);
  sd_json_missing (all, &p->now);
  sd_json_line (all);
}

static void say_text (const answer *a, const char *text) {
  const sd_game_kind *k = a->p->kind;
  const char *over = a->end < 0 ? k->words.lost : k->words.drawn;
  printf ("%s\n  ", text);
  say (k, &a->here, &a->rule);
  for (size_t i = 0; i < a->n; i++) {
    printf ("  %c %-*s ", is_best (a, i) ? '*' : ' ', k->words.move ? k->words.move : 15, a->at[i].text);
    say (k, &a->at[i].k, &a->at[i].rule);
  }
  if (a->n == 0)
    printf ("  %s\n", over ? over : "no moves");
}

/* An answer as any other; what is missing is told at the end. */
static int say_answer (answer *a, const sd_given *g) {
  prober *p = a->p;
  if (a->position.note && !p->noted)
    fprintf (stderr, "subdef: note: %s\n", a->position.note);
  p->noted |= a->position.note != NULL;
  (opt.json ? say_json : say_text) (a, g->text);
  if (a->why.status != SD_OK && a->why.status != SD_ENOENT) {
    sd_error_prefix (&a->why, "%.200s", g->text);
    sd_tool_fail (&a->why);
  }
  return a->here.is && a->unknown == 0 ? SD_EXIT_OK : SD_EXIT_FAILED;
}

static int probe (void *ctx, const sd_given *g) {
  prober *p = ctx;
  answer a = { .p = p };
  sd_error err = { 0 };
  int status = look_at (&a, g->text, &err);
  for (unsigned i = 0; i < p->now.n; i++)
    sd_missing_note (&p->missing, p->now.name[i]);
  if (status == SD_ENOENT && !opt.json) {
    printf ("%s\n  ?\n", g->text);
    status = SD_EXIT_FAILED;
  } else if (status != SD_OK) {
    err.status = status;
    status = sd_given_fail (g, key_of (p), opt.json, &p->now, &err);
  } else
    status = say_answer (&a, g);
  sd_missing_free (&p->now);
  free (a.at);
  return status;
}

int sd_cmd_probe (int argc, char **argv) {
  static const sd_syntax syntax = {
    options,
    "FEN...|POSITION...|-",
    "WDL and DTM of positions and of all their moves, best moves first and marked '*'.\v"
    "'-' reads a position a line from standard input: FEN with or without clocks, or EPD with its operations. "
    "Blank lines and lines that begin with '#' are skipped. Each other line gives one answer, with --json one "
    "record. Where a line fails, the record has the members \"line\", \"fen\" and \"error\", and \"missing\" names "
    "the tables that are missing.\n\n"
    "Positions have at most 7 men and no castling rights. An en-passant right counts; a half-move clock does not. DTM needs the "
    "DTM tables; with WDL tables alone only won, drawn or lost is shown. The words beside a move say what it gives to the side that makes it.\n\n"
    "Tables of the metrics dtz50 and wdl50, and Syzygy files (.rtbz beside .rtbw), tell results under the 50-move "
    "rule as well, for a half-move clock of 0: won, cursed win, drawn, blessed loss or lost, and the plies to the "
    "next capture, pawn move or mate. With --json these are the members \"wdl50\", 2 to -2, and \"dtz50\". Without "
    "DTM, moves are compared by them.\n\n"
    "Examples:\n"
    "  subdef probe --tables tables '8/8/8/8/8/2k5/8/K6R w - - 0 1'\n"
    "  subdef probe --json - < positions.fen\n"
    "  subdef probe --game draughts --tables tables W:WK1:BK32\n"
    "  subdef probe --game graph:race.txt --tables tables start\n\n"
    "A position of draughts: the side to move, then both sides' pieces by the numbers of their squares, K "
    "before kings; 1 to 4 is "
    "Black's first rank, 29 to 32 White's.",
    .most = 0,
  };
  sd_words words;
  sd_tool_parse (&syntax, argc, argv, &words);
  if (words.n == 0)
    return sd_tool_usage ("probe: no position is given; e.g. subdef probe '8/8/8/8/8/2k5/8/K6R w - - 0 1'");
  sd_rules r = { 0 };
  sd_game_tables *tables = NULL;
  sd_error err = { 0 };
  const char *path = sd_tool_path (opt.tables);
  char command[400] = "subdef gen";
  int status = sd_tool_rules (opt.game, &r, &err);
  if (status == SD_OK)
    status = sd_tool_note_absent (opt.tables, &err);
  if (status == SD_OK)
    status = sd_game_tables_open (&r, path, BUDGET, &tables, &err);
  if (status != SD_OK) {
    sd_rules_close (&r);
    return sd_tool_fail (&err);
  }
  prober p = { .kind = r.kind, .rules = &r, .tables = tables };
  status = sd_tool_positions (words.at, words.n, probe, &p);
  if (opt.game)
    snprintf (command, sizeof command, "subdef gen --game %.300s", opt.game);
  sd_missing_tell (&p.missing, path, command, r.kind->slice_of != NULL);
  sd_missing_free (&p.missing);
  sd_game_tables_close (tables);
  sd_rules_close (&r);
  return status;
}
