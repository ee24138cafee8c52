/* What tables know of a position and of its moves, and which moves are best.
 *
 * All values are spans (gen/games/known.h), so that what is known, what is not and what is rounded is
 * reckoned alike. A position is worth as much as the better ends of the spans of its moves, and lies in the
 * span that its own tables tell; no move is worth more than the position; and where a single move can be as
 * good as the position, it is. A move is best if the worst that it may be is as good as the best that the
 * position may be. */
#include "config.h"
#include "tools/probe/answers.h"
#include <stdlib.h>
#include <string.h>

typedef sd_answer answer;
typedef sd_choice choice;

/* ------------------------------------------------------------------- looking up */

static void say_missed (void *ctx, const char *name, enum sd_metric exact) {
  sd_missing_note (ctx, name, exact);
}

/* Keeps the first reason, damage before absence. Returns st. SD_ENOENT, a table that is not there, is a
 * reason only until there is a worse one. */
static int failed (answer *a, const sd_error *err, int st) {
  if (st == SD_OK || (a->why.status != SD_OK && (a->why.status != SD_ENOENT || st == SD_ENOENT)))
    return st;
  a->why = *err;
  a->why.status = st;
  return st;
}

/* A position without moves that no table has: its value follows from the rules. As sd_game_kind.moves calls
 * it: *arg tells that there is a move. */
static void visit_nothing (void *arg, const sd_game_move *m) {
  (void) m;
  *(bool *) arg = true;
}

/* What fails leaves k unknown and the reason in a: one bad table does not hide what the others know. */
static int look_up (answer *a, const sd_position *position, sd_known *k) {
  const sd_missed missed = { &a->missing, say_missed };
  const sd_rules *r = a->p->rules;
  sd_error err = { 0 };
  sd_value end = 0;
  bool moves = false;
  int st = sd_game_tables_look_up (a->p->tables, position, k, &missed, &err);

  if (st == SD_ENOENT && r->kind->moves (r->ctx, position, &end, visit_nothing, &moves) && !moves) {
    sd_known_tell (k, SD_DTM, (sd_span){ end, end });
    st = SD_OK;
  }
  return failed (a, &err, st);
}

static bool is_decided (const sd_known *k) {
  int result;
  return sd_known_result (k, &result);
}

bool sd_answer_known (const sd_answer *a) {
  return is_decided (&a->here);
}

const sd_game_board *sd_answer_board (const sd_answer *a) {
  return a->p->rules->kind->board;
}

/* "tables hold at most 7 men", "tables know no castling rights". */
const char *sd_answer_beyond (const sd_answer *a) {
  const sd_game_board *board = sd_answer_board (a);
  return board ? board->beyond (&a->position) : NULL;
}

/* As sd_game_kind.moves calls it. The position behind the move is looked up here; where the move ends the
 * game its value is known. */
static void add_move (void *arg, const sd_game_move *m) {
  answer *a = arg;

  if (a->status != SD_OK)
    return;
  if (!sd_grow (&a->at, &a->room, a->n + 1)) {
    a->status = sd_fail_memory (&a->own, (a->n + 1) * sizeof (choice));
    return;
  }

  choice *c = &a->at[a->n++];
  *c = (choice){ .ends = m->known, .step = m->step, .theirs = sd_known_nothing () };
  memcpy (c->text, m->text, sizeof c->text);
  if (m->known)
    sd_known_tell (&c->theirs, SD_DTM, (sd_span){ m->value, m->value });
  else {
    c->to = m->to;
    look_up (a, &m->to, &c->theirs);
  }
  c->mine = sd_known_back (&c->theirs, c->step);
  a->unknown += !is_decided (&c->mine);
}

/* ------------------------------------------------- what a position and its moves say of each other */

/* Are values kept in this metric? */
static bool is_kept (unsigned metric) {
  return sd_metrics[metric].exact == metric;
}

/* The higher the better for who moves: a short win before a long one, a long loss before a short one. */
static int rank (enum sd_metric metric, sd_value v) {
  return sd_metric_rank (&sd_metrics[metric], v);
}

/* Without moves the rules tell the value. Else the position is worth the best of them: its own table may know
 * less, as one that tells results alone. */
static void position_from_moves (answer *a) {
  if (a->n == 0) {
    sd_known_tell (&a->here, SD_DTM, (sd_span){ a->end, a->end });
    return;
  }
  sd_known best = a->at[0].mine;
  for (size_t i = 1; i < a->n; i++)
    sd_known_better (&best, &a->at[i].mine);
  sd_known_meet (&a->here, &best);
}

/* The moves that can be as good as the position in this metric; *one: the last of them. */
static unsigned count_candidates (const answer *a, enum sd_metric metric, size_t *one) {
  unsigned n = 0;
  for (size_t i = 0; i < a->n; i++)
    if (rank (metric, a->at[i].mine.of[metric].most) >= rank (metric, a->here.of[metric].least)) {
      *one = i;
      n++;
    }
  return n;
}

/* Three steps: no move is worth more than the position; a move that alone can be as good is as good; what is
 * now known of a move holds for the position behind it. */
static void moves_from_position (answer *a) {
  const sd_known nothing = sd_known_nothing ();
  sd_known most = nothing;

  for (unsigned m = 0; m < SD_METRICS; m++)
    most.of[m].most = a->here.of[m].most;
  for (size_t i = 0; i < a->n; i++)
    sd_known_meet (&a->at[i].mine, &most);
  for (unsigned m = 0; m < SD_METRICS; m++) {
    size_t one = 0;
    sd_known least = nothing;
    least.of[m].least = a->here.of[m].least;
    if (is_kept (m) && count_candidates (a, (enum sd_metric) m, &one) == 1)
      sd_known_meet (&a->at[one].mine, &least);
  }

  for (size_t i = 0; i < a->n; i++) {
    const sd_known theirs = sd_known_forth (&a->at[i].mine, a->at[i].step);
    sd_known_meet (&a->at[i].theirs, &theirs);
  }
}

/* ----------------------------------------------------------------------- best moves */

sd_moment sd_answer_behind (const answer *a, const choice *c) {
  return sd_moment_after (&a->now, (c->step & sd_metrics[SD_DTZ50].counts_from) != 0);
}

/* What the move is worth at least under the 50-move rule, with the clock; 0: nobody knows the rule, or
 * results for a clock of 0 are all that is compared. */
static int least_by_rule (const answer *a, const choice *c, enum sd_metric metric) {
  const sd_moment then = sd_answer_behind (a, c);
  if (!sd_known_has (&a->here, SD_DTZ50) || (!sd_metrics[metric].plies && a->now.clock == 0))
    return 0;
  return -sd_ruled (&c->theirs, &then).most;
}

/* Is no move better in this metric? */
static bool is_best (const answer *a, const sd_known *k, enum sd_metric metric) {
  const sd_span mine = sd_known_in (k, metric), here = sd_known_in (&a->here, metric);
  return rank (metric, mine.least) >= rank (metric, here.most);
}

/* A move that is surer to keep the result under the rule is better, whatever the metric says. Returns whether
 * any move is best in this metric; else none is marked, and another metric may be tried. */
static bool mark_best (answer *a, enum sd_metric metric) {
  int surest = -2; /* the lowest result that there is */
  bool any = false;

  for (size_t i = 0; i < a->n; i++) {
    const int least = least_by_rule (a, &a->at[i], metric);
    surest = least > surest ? least : surest;
  }

  for (size_t i = 0; i < a->n; i++) {
    const choice *c = &a->at[i];
    a->at[i].best = is_best (a, &c->mine, metric) && least_by_rule (a, c, metric) == surest;
    any |= a->at[i].best;
  }
  a->measure = any ? metric : SD_NO_METRIC;
  return any;
}

bool sd_known_any_plies (const sd_known *k) {
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (is_kept (m) && sd_known_plies (k, (enum sd_metric) m))
      return true;
  return false;
}

/* Are results all that there is to compare? Not if plies are known of a move that keeps the result, or of the
 * position, and not if something is missing that might tell more. */
static bool only_results (const answer *a) {
  bool plies = sd_known_any_plies (&a->here);
  for (size_t i = 0; i < a->n; i++)
    plies |= sd_known_any_plies (&a->at[i].mine)
             && sd_known_in (&a->at[i].mine, SD_WDL50).most >= sd_known_in (&a->here, SD_WDL50).least;
  return !plies && a->unknown == 0 && a->missing.n == 0;
}

/* Does the mate come before anybody can claim a draw? Along the moves to it its plies fall as the clock
 * rises, so that it stays so; elsewhere plies to zeroing fall. A line that follows these measures never
 * returns. */
static bool mates_in_time (const answer *a) {
  const sd_span s = a->here.of[SD_DTM];
  return sd_value_plies (s.least) + (int) a->now.clock <= SD_RULE_PLIES
         && sd_value_plies (s.most) + (int) a->now.clock <= SD_RULE_PLIES;
}

/* Plies to zeroing count more than a mate that may come too late. */
static bool mark_by_plies (answer *a) {
  if (!sd_known_has (&a->here, SD_DTZ50))
    return mark_best (a, SD_DTM);
  if (mates_in_time (a))
    return mark_best (a, SD_DTM) || mark_best (a, SD_DTZ50);
  return mark_best (a, SD_DTZ50) || (!sd_known_plies (&a->here, SD_DTZ50) && mark_best (a, SD_DTM));
}

/* Is it another metric to compare by, which tables on the path tell? */
static bool is_told (const answer *a, enum sd_metric metric) {
  bool told = sd_known_has (&a->here, metric);
  for (size_t i = 0; i < a->n && !told; i++)
    told = sd_known_has (&a->at[i].mine, metric);
  return is_kept (metric) && metric != SD_USUAL_EXACT && metric != SD_DTZ50 && told;
}

/* By what decides first: plies to mate or to zeroing, other plies, the result. */
static void find_best (answer *a) {
  bool any = mark_by_plies (a);
  for (unsigned m = 0; m < SD_METRICS && !any; m++)
    any = is_told (a, (enum sd_metric) m) && mark_best (a, (enum sd_metric) m);
  if (!any && only_results (a) && !(sd_known_is (&a->here, SD_WDL50) && mark_best (a, SD_WDL50)))
    mark_best (a, SD_WDL);
}

/* Where a move stands: wins come first, then what may be a win, as people look for one. 5: won, under the
 * 50-move rule too as far as is known; 4: it may be a win; 3: a cursed win; 2: a draw; 1: it may be a draw;
 * 0: a blessed loss; -1: lost. */
static int standing (const sd_known *k) {
  const sd_span result = sd_known_in (k, SD_WDL), rule = sd_known_in (k, SD_WDL50);
  if (result.least > 0)
    return rule.most == 2 ? 5 : 3;
  if (result.least < result.most)
    return result.most > 0 ? 4 : 1;
  return result.most == 0 ? 2 : rule.least == -1 ? 0 : -1;
}

/* What is best first; then by standing; then by plies in each metric. */
static int compare (const choice *m, const choice *n) { /* > 0: m comes first */
  if (m->best != n->best)
    return m->best - n->best;
  const int by_standing = standing (&m->mine) - standing (&n->mine);
  if (by_standing)
    return by_standing;
  int by_plies = 0;
  for (unsigned k = 0; k < SD_METRICS && by_plies == 0; k++)
    by_plies = is_kept (k) ? sd_known_compare (&m->mine, &n->mine, (enum sd_metric) k) : 0;
  return by_plies;
}

/* Stable. By insertion: a position has at most some dozens of moves, and equal ones stay in the order of the
 * game. */
static void sort_moves (answer *a) {
  for (size_t i = 1; i < a->n; i++)
    for (size_t j = i; j > 0 && compare (&a->at[j], &a->at[j - 1]) > 0; j--) {
      const choice swap = a->at[j];
      a->at[j] = a->at[j - 1];
      a->at[j - 1] = swap;
    }
}

/* The order is that of what depends on what: the position's own tables, its moves, then what each tells of
 * the other, and only then which moves are best. */
int sd_answer_position (const sd_sources *p, const sd_position *position, const sd_moment *now, sd_answer *a,
                        sd_error *err) {
  const sd_rules *r = p->rules;
  *a = (answer){
    .p = p, .position = *position, .clocks = { .move = 1 }, .now = *now, .measure = SD_NO_METRIC
  };

  const int st = look_up (a, &a->position, &a->here);
  if (st == SD_EINVAL) { /* a position that no table can have */
    *err = a->why;
    return SD_EINVAL;
  }
  r->kind->moves (r->ctx, &a->position, &a->end, add_move, a);
  if (a->status != SD_OK) {
    *err = a->own;
    return a->status;
  }

  position_from_moves (a);
  moves_from_position (a);
  find_best (a);
  sort_moves (a);
  /* Something is known, or nothing is damaged: an answer. Else the damage is the failure. */
  if (sd_answer_known (a) || a->unknown < a->n || a->why.status == SD_ENOENT)
    return SD_OK;
  *err = a->why;
  return err->status;
}

int sd_answer_text (const sd_sources *p, const char *text, sd_answer *a, sd_error *err) {
  const sd_rules *r = p->rules;
  sd_position position;
  /* So that it can be freed after a failure. */
  *a = (answer){ .p = p };
  if (!r->kind->parse)
    return sd_fail (err, SD_EINVAL, "%s: these tables have no positions to be asked for", r->kind->name);
  SD_TRY (r->kind->parse (r->ctx, text, &position, err));
  const sd_clocks clocks = r->kind->board ? r->kind->board->clocks (text) : (sd_clocks){ .move = 1 };
  const int st = sd_answer_position (p, &position, &(sd_moment){ .clock = clocks.halfmoves }, a, err);
  a->clocks = clocks;
  return st;
}

void sd_answer_free (sd_answer *a) {
  sd_missing_free (&a->missing);
  free (a->at);
  a->at = NULL;
}
