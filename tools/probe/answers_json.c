/* Answers as records of JSON: what every game has, and of chess the members of the web API that chess sites
 * offer for endgame tables (category, dtz, dtm, checkmate, ..., moves), so that their clients can read these.
 *
 * The two differ in one point that matters: "result", "wdl" and "plies" of a move are the mover's, "category",
 * "dtz" and "dtm" are those of the position behind it, for who is to move there. */
#include "config.h"
#include "tools/probe/answers.h"
#include <string.h>

/* Plies of a value that is no draw. */
static json_t *plies_json (sd_value v) {
  return json_integer (v > 0 ? v : -v - 1);
}

static json_t *value_json (const char *key, const char *text, const sd_found *f) {
  const sd_known *k = &f->k;
  const sd_known_rule *rule = &f->rule;
  json_t *j = json_object ();
  json_object_set_new (j, key, sd_json_text (text));
  json_object_set_new (j, "result", json_string (k->is ? sd_tool_result (k->value) : "unknown"));
  json_object_set_new (j, "wdl", k->is ? json_integer (sd_value_wdl (k->value)) : json_null ());
  if (k->is && k->dtm && k->value)
    json_object_set_new (j, "plies", plies_json (k->value));
  if (rule->is)
    json_object_set_new (j, "wdl50", json_integer (sd_rule_result (rule)));
  if (rule->is && rule->dtz && rule->value)
    json_object_set_new (j, "dtz50", plies_json (rule->value));
  return j;
}

/* ------------------------------------------------------------------------- chess */

/* Plies with a sign: above 0 where the side to move wins, below where it loses. */
static json_int_t signed_plies (sd_value v) {
  return v < 0 ? v + 1 : v;
}

/* With the 50-move rule where the tables tell it, `clock` half-moves after the last zeroing move. Plies to
 * zeroing that bring the clock to 100 exactly may be 1 too small in Syzygy's files, so that the result is not
 * sure then. Nor is it where the plies are not known. */
static const char *category_of (const sd_found *f, unsigned clock) {
  static const char *const name[] = {
    "blessed-loss", "loss", "maybe-loss", "cursed-win", "win", "maybe-win"
  };
  const sd_known_rule *r = &f->rule;
  if (!f->k.is)
    return "unknown";
  if (f->k.value == 0)
    return "draw";
  const char *const *of = f->k.value > 0 ? name + 3 : name;
  if (!r->is)
    return of[1];
  if (sd_rule_result (r) != 2 && sd_rule_result (r) != -2)
    return of[0];
  if (clock == 0)
    return of[1];
  const json_int_t plies = signed_plies (r->value), at = (plies < 0 ? -plies : plies) + (json_int_t) clock;
  return !r->dtz || at == SD_RULE_PLIES ? of[2] : at < SD_RULE_PLIES ? of[1] : of[0];
}

/* The members of a position, or of a move and the position behind it. */
static void add_api (json_t *j, const sd_pos *board, const sd_found *f, unsigned clock) {
  const sd_known_rule *r = &f->rule;
  const bool over = !sd_has_move (board), check = sd_in_check (board, board->stm);
  const bool drawn = f->k.is && f->k.value == 0;
  json_t *dtz, *dtm;
  if (over && check) /* the web API's convention: a mate counts as zeroing */
    dtz = json_integer (-1);
  else if (drawn)
    dtz = json_integer (0);
  else
    dtz = r->is && r->dtz ? json_integer (signed_plies (r->value)) : json_null ();
  dtm = drawn                 ? json_integer (0)
        : f->k.is && f->k.dtm ? json_integer (signed_plies (f->k.value))
                              : json_null ();
  json_object_set_new (j, "category", json_string (over && check ? "loss" : category_of (f, clock)));
  json_object_set_new (j, "dtz", dtz);
  json_object_set_new (j, "precise_dtz", json_null ());
  json_object_set_new (j, "dtm", dtm);
  json_object_set_new (j, "checkmate", json_boolean (over && check));
  json_object_set_new (j, "stalemate", json_boolean (over && !check));
  json_object_set_new (j, "variant_win", json_false ());
  json_object_set_new (j, "variant_loss", json_false ());
  json_object_set_new (j, "insufficient_material", json_boolean (sd_pos_insufficient (board)));
}

/* The move of that name, and its text for people. */
static void san_of (const sd_pos *board, const char *uci, char out[SD_SAN_TEXT]) {
  sd_move all[SD_MAX_MOVES];
  const unsigned n = sd_moves (board, SD_MOVES_ALL, all);
  char name[6];
  *out = 0;
  for (unsigned i = 0; i < n && !*out; i++) {
    sd_move_name (&all[i], name);
    if (strcmp (name, uci) == 0)
      sd_move_san (board, &all[i], out);
  }
}

void sd_choice_san (const sd_pos *board, const sd_choice *c, char out[SD_SAN_TEXT]) {
  san_of (board, c->text, out);
}

static void add_move_api (json_t *j, const sd_pos *board, const sd_choice *c, unsigned clock) {
  char san[SD_SAN_TEXT];
  const sd_pos behind = sd_chess_board (&c->to);
  const bool zeroing = (c->step & sd_metrics[SD_DTZ50].anew) != 0;
  san_of (board, c->text, san);
  json_object_set_new (j, "uci", json_string (c->text));
  json_object_set_new (j, "san", json_string (san));
  json_object_set_new (j, "zeroing", json_boolean (zeroing));
  json_object_set_new (j, "conversion",
                       json_boolean ((c->step & (SD_STEP_CAPTURE | SD_STEP_PROMOTION)) != 0));
  add_api (j, &behind, &c->theirs, zeroing ? 0 : clock + 1);
}

static bool is_chess (const sd_answer *a) {
  return a->p->rules->kind == &sd_game_chess;
}

/* What the values count. */
static void add_units (json_t *j, const sd_answer *a, unsigned clock) {
  const sd_found *f = &a->here;
  json_object_set_new (j, "metric",
                       !f->k.is                    ? json_null ()
                       : f->k.dtm                  ? json_string (sd_metrics[SD_DTM].name)
                       : f->rule.is && f->rule.dtz ? json_string (sd_metrics[SD_DTZ50].name)
                       : f->rule.is                ? json_string (sd_metrics[SD_WDL50].name)
                                                   : json_string (sd_metrics[SD_WDL].name));
  json_object_set_new (j, "unit", json_string ("plies"));
  json_object_set_new (j, "fifty_move_rule", json_boolean (f->rule.is));
  json_object_set_new (j, "halfmove_clock", json_integer (clock));
}

static json_t *moves_json (const sd_answer *a, const sd_pos *board, unsigned clock) {
  json_t *moves = json_array ();
  for (size_t i = 0; i < a->n; i++) {
    json_t *m = value_json ("move", a->at[i].text, &a->at[i].mine);
    json_object_set_new (m, "best", json_boolean (sd_answer_best (a, i)));
    if (board)
      add_move_api (m, board, &a->at[i], clock);
    json_array_append_new (moves, m);
  }
  return moves;
}

json_t *sd_answer_json (const sd_answer *a, const char *text) {
  const sd_game_kind *kind = a->p->rules->kind;
  char name[SD_SLICE_NAME];
  sd_clocks clocks = { 0 };
  sd_pos board;
  if (is_chess (a)) {
    board = sd_chess_board (&a->position);
    sd_pos_from_epd (text, &(sd_pos){ 0 }, &clocks, NULL);
  }
  json_t *all = value_json (sd_position_key (kind), text, &a->here);
  kind->slice_name (a->p->rules->ctx, a->position.slice, name);
  json_object_set_new (all, kind->words.slice ? kind->words.slice : "slice", json_string (name));
  json_object_set_new (all, "moves", moves_json (a, is_chess (a) ? &board : NULL, clocks.halfmoves));
  if (is_chess (a)) {
    add_api (all, &board, &a->here, clocks.halfmoves);
    add_units (all, a, clocks.halfmoves);
  }
  sd_json_missing (all, &a->missing);
  return all;
}

json_t *sd_line_json (const sd_answer *a, const sd_line_of_play *l, const char *text) {
  json_t *line = json_array ();
  sd_clocks clocks = { 0 };
  sd_pos board;
  if (is_chess (a)) {
    board = sd_chess_board (&a->position);
    sd_pos_from_epd (text, &(sd_pos){ 0 }, &clocks, NULL);
  }
  for (uint64_t i = 0; i < l->n; i++) {
    const sd_choice *c = &l->at[i];
    json_t *m = value_json ("move", c->text, &c->mine);
    if (is_chess (a)) {
      add_move_api (m, &board, c, clocks.halfmoves);
      clocks.halfmoves = c->step & sd_metrics[SD_DTZ50].anew ? 0 : clocks.halfmoves + 1;
      board = sd_chess_board (&c->to);
    }
    json_array_append_new (line, m);
  }
  return line;
}
