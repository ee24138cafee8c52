/* Does every value of a table follow from those that the moves lead to?
 *
 * As recode/verify.c for chess: who cannot move has what the rules say, otherwise the best of what the moves
 * lead to. For distances only one assignment passes, so the check is a proof, given right tables of the
 * slices below; results are compared with the signs of distances as well, since around a cycle wrong ones
 * agree with one another. Moves come from kind->moves: neither `init` nor `preds`, from which the solver made
 * the values, is asked. Cost: the moves of each position; memory: what BUDGET says. */
#include "config.h"
#include "gen/games/games.h"
#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 16, BUDGET = 128 << 20 };

typedef struct reckoning {
  const sd_game_tables *tables;
  enum sd_metric metric;
  bool any;
  sd_value best;
  int status;
} reckoning;

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
  const sd_value mine = sd_metric_back (&sd_metrics[r->metric], theirs);
  if (!r->any || sd_value_compare (mine, r->best) > 0)
    r->best = mine;
  r->any = true;
}

static void value_text (enum sd_metric metric, sd_value v, char *out, size_t cap) {
  const char *word = v > 0 ? "won" : v < 0 ? "lost" : "drawn";
  if (!sd_metrics[metric].plies || v == 0)
    snprintf (out, cap, "%s", word);
  else
    snprintf (out, cap, "%s in %d plies", word, v > 0 ? v : -v - 1);
}

static int differs (const sd_rules *r, const sd_table_game *game, sd_slice slice, sd_state s, sd_value is,
                    sd_value should, enum sd_metric metric, const char *source, sd_error *err) {
  char name[SD_GAME_FILE_NAME], text[SD_POSITION_TEXT] = "?", a[40], b[40];
  sd_table_game_file_name (game, metric, name);
  r->kind->print (r->ctx, slice, s, text);
  value_text (metric, is, a, sizeof a);
  value_text (metric, should, b, sizeof b);
  return sd_fail (err, SD_EDIFF, "%s: %s: the table says %s, but %s says %s", name, text, a, source, b);
}

typedef struct failure {
  sd_state state; /* UINT64_MAX: none */
  int status;
  sd_value is, should;
} failure;

/* signs: against the table of distances, else against the moves. */
static void check_states (sd_game_tables *g, const sd_rules *r, sd_slice slice, uint64_t n,
                          enum sd_metric metric, bool signs, const sd_progress *progress, failure *worst,
                          uint64_t *positions) {
  uint64_t seen = 0;
  worst->state = UINT64_MAX;
  for (uint64_t from = 0; from < n && worst->state == UINT64_MAX; from += STEP) {
    const uint64_t to = n - from < STEP ? n : from + STEP;
    sd_report (progress, "verifying", from, n);
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : seen)
    for (uint64_t s = from; s < to; s++) {
      reckoning k = { .tables = g, .metric = metric };
      sd_value is = 0, end = 0;
      const sd_position at = { .slice = slice, .state = s };
      if (!r->kind->moves (r->ctx, &at, &end, reckon, &k))
        continue;
      seen++;
      int st = sd_game_tables_value (g, slice, metric, s, &is);
      sd_value should = k.any ? k.best : sd_metrics[metric].of (end);
      if (signs) {
        st = st == SD_OK ? sd_game_tables_value (g, slice, sd_metrics[metric].told_by, s, &should) : st;
        should = sd_metrics[metric].of (should);
      } else if (st == SD_OK)
        st = k.status;
      if (st == SD_OK && is == should)
        continue;
#pragma omp critical(sd_game_verify)
      if (s < worst->state)
        *worst = (failure){ s, st != SD_OK ? st : SD_EDIFF, is, should };
    }
    sd_game_tables_trim (g);
  }
  *positions = seen;
}

int sd_game_verify (const sd_rules *r, const char *path, sd_table *t, const sd_progress *progress,
                    sd_verified *out, sd_error *err) {
  sd_verified v = { 0 };
  sd_table_info info;
  sd_table_describe (t, &info); /* of which only what stands in it is used below */
  if (r->kind->verify && strcmp (sd_game_of_table (&info), r->kind->name) == 0) {
    const int status = r->kind->verify (path, t, progress, out ? out : &v, err);
    sd_table_close (t);
    return status;
  }
  sd_game_tables *g;
  sd_slice slice;
  int st = sd_table_check (t, err);
  if (st == SD_OK)
    st = sd_game_tables_open (r, path, BUDGET, &g, err);
  if (st != SD_OK) {
    sd_table_close (t);
    return st;
  }
  st = sd_game_tables_use (g, t, &slice, err);
  if (st == SD_OK)
    st = sd_game_tables_need_below (g, slice, info.metric, err);
  bool signs = false;
  const enum sd_metric told_by = sd_metrics[info.metric].told_by;
  if (st == SD_OK && told_by != SD_METRICS) {
    st = sd_game_tables_need (g, slice, told_by, err);
    signs = st == SD_OK;
    st = st == SD_ENOENT ? SD_OK : st;
  }
  for (unsigned pass = 0; pass <= signs && st == SD_OK; pass++) {
    failure worst;
    check_states (g, r, slice, info.game.states, info.metric, pass == 1, progress, &worst, &v.positions);
    if (worst.state == UINT64_MAX)
      continue;
    st = worst.status == SD_EDIFF
             ? differs (r, &info.game, slice, worst.state, worst.is, worst.should, info.metric,
                        pass ? "the table of distances" : "the best move", err)
             : sd_fail (err, worst.status, "%s-%s: state %ju: a value cannot be had: %s", info.game.name,
                        info.game.slice, (uintmax_t) worst.state, sd_strerror (worst.status));
  }
  sd_game_tables_close (g);
  v.signs = signs;
  if (out)
    *out = v;
  return st;
}
