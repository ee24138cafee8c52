/* What tables know of a position and of its moves, and which moves are best. */
#include "config.h"
#include "tools/probe/answers.h"
#include <stdlib.h>
#include <string.h>

typedef sd_answer answer;
typedef sd_choice choice;

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
static int look_up (answer *a, const sd_position *position, sd_found *f) {
  const sd_missed missed = { &a->missing, say_missed };
  sd_known *k = &f->k;
  sd_known_rule *rule = &f->rule;
  sd_error err = { 0 };
  int st = sd_game_tables_look_up_rule (a->p->tables, position, rule, &err);
  if (st != SD_OK)
    *rule = (sd_known_rule){ .is = false };
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
  if (rule->dtz || !a->here.rule.is || (step & sd_metrics[SD_DTZ50].anew))
    return;
  const sd_value most = sd_metrics[SD_WDL50].of (a->here.rule.value);
  const sd_value here = a->here.rule.dtz ? most : a->here.rule.value;
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
  *c = (choice){ .ends = m->known, .step = m->step };
  memcpy (c->text, m->text, sizeof c->text);
  if (m->known)
    c->theirs.k = (sd_known){ .is = true, .dtm = true, .value = m->value };
  else {
    c->to = m->to;
    look_up (a, &m->to, &c->theirs);
  }
  c->mine = c->theirs;
  if (c->mine.rule.is)
    rule_back (a, &c->mine.rule, m->step);
  if (!c->mine.k.is)
    a->unknown++;
  else
    c->mine.k.value = c->mine.k.dtm ? sd_value_back (c->mine.k.value) : (sd_value) -c->mine.k.value;
}

sd_value sd_rule_result (const sd_known_rule *r) {
  return r->dtz ? sd_metrics[SD_WDL50].of (r->value) : r->value;
}

static int compare_rules (const sd_known_rule *a, const sd_known_rule *b) {
  if (!a->is || !b->is)
    return a->is - b->is;
  const int by_result = sd_rule_result (a) - sd_rule_result (b);
  if (by_result)
    return by_result;
  if (!a->dtz || !b->dtz)
    return a->dtz - b->dtz;
  return sd_metric_rank (&sd_metrics[SD_DTZ50], a->value) - sd_metric_rank (&sd_metrics[SD_DTZ50], b->value);
}

static int compare (const choice *m, const choice *n) { /* > 0: m is better for the player to move */
  const sd_known *a = &m->mine.k, *b = &n->mine.k;
  if (!a->is || !b->is)
    return a->is - b->is;
  const int by_result = sd_value_wdl (a->value) - sd_value_wdl (b->value);
  if (by_result || a->value == 0) /* all draws are alike */
    return by_result;
  if (!a->dtm && !b->dtm)
    return compare_rules (&m->mine.rule, &n->mine.rule);
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
  sd_known *here = &a->here.k;
  if (a->n == 0)
    *here = (sd_known){ .is = true, .dtm = true, .value = a->end };
  else if (a->at[0].mine.k.is && (a->unknown == 0 || a->at[0].mine.k.value > 0)) {
    *here = a->at[0].mine.k;
    for (size_t i = 0; i < a->n; i++)
      here->dtm &= a->at[i].mine.k.is && a->at[i].mine.k.dtm;
    if (!here->dtm)
      here->value = (sd_value) sd_value_wdl (here->value);
  }
}

int sd_answer_position (const sd_sources *p, const sd_position *position, sd_answer *a, sd_error *err) {
  const sd_rules *r = p->rules;
  *a = (answer){ .p = p, .position = *position };
  if (look_up (a, &a->position, &a->here) == SD_EINVAL) { /* a position that no table can have */
    *err = a->why;
    return SD_EINVAL;
  }
  r->kind->moves (r->ctx, &a->position, &a->end, add_move, a);
  if (a->status != SD_OK) {
    *err = a->own;
    return a->status;
  }
  sort_moves (a);
  if (!a->here.k.is)
    from_moves (a);
  if (a->here.k.is || a->unknown < a->n)
    return SD_OK;
  *err = a->why;
  return err->status;
}

int sd_answer_text (const sd_sources *p, const char *text, sd_answer *a, sd_error *err) {
  const sd_rules *r = p->rules;
  sd_position position;
  *a = (answer){ .p = p };
  if (!r->kind->parse)
    return sd_fail (err, SD_EINVAL, "%s: these tables have no positions to be asked for", r->kind->name);
  SD_TRY (r->kind->parse (r->ctx, text, &position, err));
  return sd_answer_position (p, &position, a, err);
}

void sd_answer_free (sd_answer *a) {
  sd_missing_free (&a->missing);
  free (a->at);
  a->at = NULL;
}

/* How much is known of a move that wins or loses. */
static unsigned known_of (const choice *c) {
  return c->mine.k.dtm ? 3 : c->mine.rule.is ? 1u + c->mine.rule.dtz : 0;
}

/* Can the moves be compared with each other? Not if the value of one is unknown. Nor if, of the moves with
 * the best WDL value, more is known of some than of others. */
static bool comparable (const answer *a) {
  const int best = sd_value_wdl (a->at[0].mine.k.value);
  for (size_t i = 0; i < a->n; i++) {
    const sd_known *k = &a->at[i].mine.k;
    if (!k->is || (best && sd_value_wdl (k->value) == best && known_of (&a->at[i]) != known_of (&a->at[0])))
      return false;
  }
  return true;
}

bool sd_answer_best (const answer *a, size_t i) {
  const sd_known *k = &a->at[i].mine.k, *here = &a->here.k;
  if (!k->is || comparable (a))
    return k->is && compare (&a->at[i], &a->at[0]) == 0;
  if (!here->is || sd_value_wdl (k->value) != sd_value_wdl (here->value))
    return false;
  return !here->value || !here->dtm || (k->dtm && k->value == here->value);
}

/* ------------------------------------------------------------------ best line */

/* More moves than any line of the tables has: cursed wins of 7 men take some 1,100 plies to mate. */
enum { LONGEST = 4096 };

/* Does the first move bring the end of the game nearer, for sure? */
static bool leads_on (const answer *a) {
  return sd_answer_best (a, 0) && (a->at[0].mine.k.dtm || a->at[0].mine.rule.dtz);
}

static int follow (const answer *from, sd_line_of_play *l, sd_error *err) {
  answer now = *from;
  int st = SD_OK;
  for (l->end = SD_LINE_OVER; st == SD_OK && now.n;) {
    if (!now.here.k.is || !leads_on (&now) || l->n == LONGEST)
      l->end = SD_LINE_UNKNOWN;
    if (now.here.k.is && now.here.k.value == 0)
      l->end = SD_LINE_DRAWN;
    if (l->end != SD_LINE_OVER)
      break;
    if (!sd_grow (&l->at, &l->room, l->n + 1)) {
      st = sd_fail_memory (err, (l->n + 1) * sizeof *l->at);
      break;
    }
    const choice *best = &l->at[l->n];
    l->at[l->n++] = now.at[0];
    if (now.at != from->at)
      sd_answer_free (&now);
    if (best->ends)
      return SD_OK;
    st = sd_answer_position (from->p, &best->to, &now, err);
    if (st == SD_ENOENT) { /* a table is missing on the way */
      l->end = SD_LINE_UNKNOWN;
      st = SD_OK;
      break;
    }
  }
  if (now.at != from->at)
    sd_answer_free (&now);
  return st;
}

int sd_line_find (const sd_answer *a, sd_line_of_play *out, sd_error *err) {
  *out = (sd_line_of_play){ 0 };
  return follow (a, out, err);
}

void sd_line_free (sd_line_of_play *l) {
  free (l->at);
  *l = (sd_line_of_play){ 0 };
}
