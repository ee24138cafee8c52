/* Does every value of a table follow from those that the moves lead to?
 *
 * As recode/verify/verify.c for chess: who cannot move has what the rules say, otherwise the best of what the
 * moves lead to. For DTM only one assignment passes, so the check is a proof, given right tables of the
 * slices below; WDL is compared with the signs of DTM as well, since around a cycle wrong ones
 * agree with one another. Moves come from kind->moves: neither `init` nor `preds`, from which the solver made
 * the values, is asked. Cost: the moves of each position; memory: what BUDGET says. The first state that
 * fails is told as a position, with what the table says and what follows. */
#include "config.h"
#include "base/words.h"
#include "gen/games/games.h"
#include "probe/restore_internal.h"
#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 16, BUDGET = 128 << 20 };

typedef struct reckoning {
  const sd_game_tables *tables;
  enum sd_metric metric;
  sd_best best;
  int status;
} reckoning;

/* Called for each move of one state: the best value so far for its mover, or the status of a value that is
 * missing. */
static void reckon (void *arg, const sd_game_move *move) {
  reckoning *r = arg;
  sd_value theirs = move->value;
  if (move->known) {
    theirs = sd_metrics[r->metric].of (theirs);
  } else {
    int st = sd_game_tables_value (r->tables, move->to.slice, r->metric, move->to.state, &theirs);
    if (st != SD_OK) {
      r->status = st;
      return;
    }
  }
  sd_best_take (&r->best, &sd_metrics[r->metric], theirs, move->conversion);
}

static void value_text (enum sd_metric metric, sd_value v, char *out, size_t cap) {
  const char *word = v > 0 ? "won" : v < 0 ? "lost" : "drawn";
  char plies[32];
  if (!sd_metrics[metric].plies || v == 0)
    snprintf (out, cap, "%s", word);
  else
    snprintf (out, cap, "%s in %s", word, sd_text_plies (sd_value_plies (v), plies));
}

/* What is checked. */
typedef struct subject {
  const sd_rules *rules;
  sd_game_tables *tables;
  sd_slice slice;
  sd_table_info info; /* of which only what stands in it is used */
  const sd_progress *progress;
} subject;

typedef struct failure {
  sd_state state; /* UINT64_MAX: none */
  int status;
  sd_value is, should;
} failure;

/* "draughts-KvK.dtm.sdt: W:WK1:BK32: the table says won in 5 plies, but the best move says drawn" */
static int tell (const subject *c, const failure *f, bool signs, sd_error *err) {
  const sd_table_game *game = &c->info.game;
  char name[SD_GAME_FILE_NAME], text[SD_POSITION_TEXT] = "?", a[40], b[40], source[40] = "the best move";
  if (f->status != SD_EDIFF)
    return sd_fail (err, f->status, "%s-%s: state %ju: a value cannot be had: %s", game->name, game->slice,
                    (uintmax_t) f->state, sd_strerror (f->status));
  if (signs)
    snprintf (source, sizeof source, "the %s table", sd_metrics[sd_metrics[c->info.metric].told_by].title);
  sd_table_game_file_name (game, c->info.metric, name);

  c->rules->kind->print (c->rules->ctx, c->slice, f->state, text);
  value_text (c->info.metric, f->is, a, sizeof a);
  value_text (c->info.metric, f->should, b, sizeof b);
  return sd_fail (err, SD_EDIFF, "%s: %s: the table says %s, but %s says %s", name, text, a, source, b);
}

/* Does the state exist? If so, *out: does its value differ, and how? */
static bool check_state (const subject *c, sd_state s, bool signs, failure *out) {
  const enum sd_metric metric = c->info.metric;
  const sd_position at = { .slice = c->slice, .state = s };
  reckoning k = { .tables = c->tables, .metric = metric };
  sd_value is = 0, end = 0;

  *out = (failure){ .state = UINT64_MAX };
  if (!c->rules->kind->moves (c->rules->ctx, &at, &end, reckon, &k))
    return false;

  int st = sd_game_tables_value (c->tables, c->slice, metric, s, &is);
  /* Without a move the rules say what it is. */
  sd_value should = k.best.has ? k.best.value : sd_metrics[metric].of (end);
  if (signs) {
    st =
        st == SD_OK ? sd_game_tables_value (c->tables, c->slice, sd_metrics[metric].told_by, s, &should) : st;
    should = sd_metrics[metric].of (should);
  } else if (st == SD_OK)
    st = k.status;
  if (st != SD_OK || is != should)
    *out = (failure){ s, st != SD_OK ? st : SD_EDIFF, is, should };
  return true;
}

/* signs: against the DTM table, else against the moves. *worst: the first failure; returns how many states
 * there are. */
static uint64_t check_states (const subject *c, bool signs, failure *worst) {
  const uint64_t n = c->info.game.states;
  uint64_t seen = 0;

  worst->state = UINT64_MAX;
  for (uint64_t from = 0; from < n && worst->state == UINT64_MAX; from += STEP) {
    const uint64_t to = n - from < STEP ? n : from + STEP;
    sd_report (c->progress, "verifying", from, n);
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : seen)
    for (uint64_t s = from; s < to; s++) {
      failure f;
      seen += check_state (c, s, signs, &f);
      if (f.state == UINT64_MAX)
        continue;
#pragma omp critical(sd_game_verify)
      if (s < worst->state)
        *worst = f;
    }
    /* Between steps, when no thread reads. */
    sd_game_tables_trim (c->tables);
  }
  return seen;
}

int sd_game_verify (const sd_rules *r, const char *path, sd_table *t, const sd_progress *progress,
                    sd_verified *out, sd_error *err) {
  sd_verified v = { 0 };
  subject c = { .rules = r, .progress = progress };

  sd_table_describe (t, &c.info);
  /* Chess has a way of its own. */
  if (r->kind->verify && strcmp (sd_game_of_table (&c.info), r->kind->name) == 0) {
    const int status = r->kind->verify (path, t, progress, out ? out : &v, err);
    sd_table_close (t);
    return status;
  }

  int st = sd_table_check (t, err);
  if (st == SD_OK)
    st = sd_game_tables_open (r, path, BUDGET, &c.tables, err);
  if (st != SD_OK) {
    sd_table_close (t);
    return st;
  }
  st = sd_game_tables_use (c.tables, t, &c.slice, err);
  /* Values that moves lead to. */
  if (st == SD_OK)
    st = sd_game_tables_need_below (c.tables, c.slice, c.info.metric, err);

  const enum sd_metric told_by = sd_metrics[c.info.metric].told_by;
  if (st == SD_OK && told_by != SD_NO_METRIC) {
    st = sd_game_tables_need (c.tables, c.slice, told_by, err);
    v.signs = st == SD_OK;
    /* Without the other metric's table there is one pass, and that is told. */
    st = st == SD_ENOENT ? SD_OK : st;
  }
  for (unsigned pass = 0; pass <= v.signs && st == SD_OK; pass++) {
    failure worst;
    v.positions = check_states (&c, pass == 1, &worst);
    if (worst.state != UINT64_MAX)
      st = tell (&c, &worst, pass, err);
  }

  sd_game_tables_close (c.tables);
  if (out)
    *out = v;
  return st;
}
