/* Answers as records of JSON: what every game has, and of chess the members of the web API that chess sites
 * offer for endgame tables (category, dtz, dtm, checkmate, ..., moves), so that their clients can read these.
 *
 * The two differ in one point that matters: "result", "wdl" and "plies" of a move are the mover's, "category",
 * "dtz" and "dtm" are those of the position behind it, for who is to move there. */
#include "config.h"
#include "tools/probe/answers.h"
#include <string.h>

/* The plies that are told: of a rounded number the smaller one, as Syzygy's probes give it. */
static sd_value told (sd_span s) {
  return sd_value_plies (s.least) < sd_value_plies (s.most) ? s.least : s.most;
}

/* Of a metric besides that of the mate: plies by its name, results by the name of theirs, if these are not
 * WDL. */
static void add_plies (json_t *j, const sd_known *k, enum sd_metric metric) {
  const sd_span s = k->of[metric];
  const enum sd_metric results = sd_metrics[metric].signs;
  if (!sd_known_has (k, metric) || !sd_known_is (k, results))
    return;
  if (results != SD_WDL)
    json_object_set_new (j, sd_metrics[results].name, json_integer (sd_known_in (k, results).least));

  if (!sd_known_plies (k, metric))
    return;
  json_object_set_new (j, sd_metrics[metric].name, json_integer (sd_value_plies (told (s))));
  if (s.least != s.most)
    json_object_set_new (j, "rounded", json_true ());
}

/* {"move":"h1d1","result":"won","wdl":1,"plies":27}: the members of a position and of each move, in all
 * games. */
static json_t *value_json (const char *key, const char *text, const sd_known *k) {
  int result;
  const bool known = sd_known_result (k, &result);
  json_t *j = json_pack ("{s:o, s:s, s:o}", key, sd_json_text (text), "result",
                         known ? sd_tool_result ((sd_value) result) : "unknown", "wdl",
                         known ? json_integer (result) : json_null ());

  if (known && result && sd_known_is (k, SD_DTM))
    json_object_set_new (j, "plies", json_integer (sd_value_plies (k->of[SD_DTM].least)));
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (sd_metrics[m].exact == m && m != SD_USUAL_EXACT)
      add_plies (j, k, (enum sd_metric) m);
  return j;
}

/* ------------------------------------------------------------------------- chess */

static bool is_zeroing (const sd_choice *c) {
  return (c->step & sd_metrics[SD_DTZ50].counts_from) != 0;
}

/* Plies with a sign: above 0 where the side to move wins, below where it loses. A loss in n plies has the
 * value -(n + 1), and clients expect -n. */
static json_t *signed_plies (sd_value v) {
  return json_integer (v < 0 ? v + 1 : v);
}

/* The web API's convention: a mate counts as zeroing. Of a span that is not known but for one ply: null.
 * precise: a rounded number is null. */
static json_t *dtz_json (const sd_known *k, bool mate, bool precise) {
  const sd_span s = k->of[SD_DTZ50];
  int result;
  if (mate)
    return json_integer (-1);
  if (sd_known_result (k, &result) && result == 0)
    return json_integer (0);
  if (!sd_known_has (k, SD_DTZ50) || !sd_known_plies (k, SD_DTZ50) || (precise && s.least != s.most))
    return json_null ();
  return signed_plies (told (s));
}

/* The members of a position, or of a move and the position behind it. Members that chess does not need
 * (variant_win) stand there all the same, since clients ask for them. */
static void add_api (json_t *j, const sd_pos *board, const sd_known *k, const sd_moment *at) {
  const bool over = !sd_has_move (board), check = sd_in_check (board, board->stm);
  const bool mate = over && check;
  sd_json_put (j, "{s:s, s:o, s:o, s:o, s:b, s:b, s:b, s:b, s:b}", "category", sd_category (k, at), "dtz",
               dtz_json (k, mate, false), "precise_dtz", dtz_json (k, mate, true), "dtm",
               sd_known_is (k, SD_DTM) ? signed_plies (k->of[SD_DTM].least) : json_null (), "checkmate",
               (int) mate, "stalemate", (int) (over && !check), "variant_win", 0, "variant_loss", 0,
               "insufficient_material", (int) sd_pos_insufficient (board));
}

/* "conversion" is a member of ours, the others are those of the web API. What add_api adds is about the
 * position behind the move. */
static void add_move_api (const sd_game_board *game, json_t *j, const sd_position *before, const sd_choice *c,
                          const sd_moment *then) {
  char san[SD_SAN_TEXT];
  const sd_pos behind = game->of (&c->to);
  game->san (before, c->text, san);
  sd_json_put (j, "{s:s, s:s, s:b, s:b}", "uci", c->text, "san", san, "zeroing", (int) is_zeroing (c),
               "conversion", (int) ((c->step & (SD_STEP_CAPTURE | SD_STEP_PROMOTION)) != 0));
  add_api (j, &behind, &c->theirs, then);
}

/* The metric that tells most of the position; SD_NO_METRIC: none tells anything. */
static enum sd_metric metric_of (const sd_known *k) {
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (sd_metrics[m].exact == m && (k->has >> m & 1)
        && (sd_known_is (k, (enum sd_metric) m)
            || (m != SD_USUAL_EXACT && sd_known_plies (k, (enum sd_metric) m))))
      return (enum sd_metric) m;
  return !sd_known_is (k, SD_WDL)                                  ? SD_NO_METRIC
         : sd_known_has (k, SD_WDL50) && sd_known_is (k, SD_WDL50) ? SD_WDL50
                                                                   : SD_WDL;
}

/* What the values count. "metric", "unit", "fifty_move_rule", "halfmove_clock". */
static void add_units (json_t *j, const sd_answer *a) {
  const sd_known *k = &a->here;
  const enum sd_metric metric = metric_of (k);
  sd_json_put (j, "{s:s?, s:s, s:b, s:i}", "metric", metric == SD_NO_METRIC ? NULL : sd_metrics[metric].name,
               "unit", "plies", "fifty_move_rule",
               (int) (sd_known_has (k, SD_WDL50) && sd_known_is (k, SD_WDL50)), "halfmove_clock",
               (int) a->clocks.halfmoves);
}

/* In the order of the answer, the best first. */
static json_t *moves_json (const sd_answer *a) {
  json_t *moves = json_array ();
  for (size_t i = 0; i < a->n; i++) {
    json_t *m = value_json ("move", a->at[i].text, &a->at[i].mine);
    json_object_set_new (m, "best", json_boolean (a->at[i].best));

    const sd_moment then = sd_answer_behind (a, &a->at[i]);
    if (sd_answer_board (a))
      add_move_api (sd_answer_board (a), m, &a->position, &a->at[i], &then);
    json_array_append_new (moves, m);
  }
  return moves;
}

json_t *sd_answer_json (const sd_answer *a, const char *text) {
  const sd_game_kind *kind = a->p->rules->kind;
  char name[SD_SLICE_NAME];
  json_t *all = value_json (sd_position_key (kind), text, &a->here);

  kind->slice_name (a->p->rules->ctx, a->position.slice, name);
  sd_json_put (all, "{s:s, s:o}", sd_tool_slice (kind), name, "moves", moves_json (a));

  if (sd_answer_board (a)) {
    const sd_pos board = sd_answer_board (a)->of (&a->position);
    add_api (all, &board, &a->here, &a->now);
    add_units (all, a);
  }
  sd_json_put (all, "{s:s*}", "no_table", sd_answer_beyond (a));
  sd_json_missing (all, &a->missing);
  return all;
}

json_t *sd_line_json (const sd_answer *a, const sd_line_of_play *l) {
  json_t *line = json_array ();
  sd_moment then = a->now;
  const sd_position *before = &a->position;

  /* The clock of the game goes on along the line, since categories depend on it. */
  for (uint64_t i = 0; i < l->n; i++) {
    const sd_choice *c = &l->at[i];
    json_t *m = value_json ("move", c->text, &c->mine);
    then = sd_moment_after (&then, is_zeroing (c));
    if (sd_answer_board (a))
      add_move_api (sd_answer_board (a), m, before, c, &then);
    before = &c->to;
    json_array_append_new (line, m);
  }
  return line;
}
