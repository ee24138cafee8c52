/* The best moves of both sides, one after the other.
 *
 * Each ply has to be known to lead on. A move that is surely best, measured in plies, does: the distance
 * falls by one. Where plies are rounded and the distances of all moves are known, the one that may take
 * fewest leads on, too: if the win takes t plies, some move leaves t - 1, which its table may tell as t, so
 * that the one that is chosen leaves at most t; after the reply at most t - 1 are left, two plies later. So
 * no position comes twice; where tables contradict each other, that ends the line. */
#include "config.h"
#include "tools/probe/answers.h"
#include <stdlib.h>
#include <string.h>

/* More moves than any line of the tables has: cursed wins of 7 men take some 1,100 plies to mate. */
enum { LONGEST = 4096 };

/* 0 where it is not known, too. */
static int result_of (const sd_known *k) {
  int result;
  return sd_known_result (k, &result) ? result : 0;
}

/* Among moves that may be rounded: is none that may be better than number i unknown? */
static bool all_known (const sd_answer *a, size_t i) {
  const sd_metric_kind *k = &sd_metrics[SD_DTZ50];
  const int least = sd_metric_rank (k, a->at[i].mine.of[SD_DTZ50].least);
  for (size_t j = 0; j < a->n; j++)
    if (sd_metric_rank (k, a->at[j].mine.of[SD_DTZ50].most) > least
        && !sd_known_plies (&a->at[j].mine, SD_DTZ50))
      return false;
  return sd_known_plies (&a->at[i].mine, SD_DTZ50);
}

/* The move that leads on; NULL: none is known to. Moves are sorted, so that a best one is the first. Where
 * none is surely best, plies to zeroing may be rounded. */
static const sd_choice *next_move (const sd_answer *a) {
  size_t best = 0;
  if (a->at[0].best && a->measure != SD_NO_METRIC && sd_metrics[a->measure].plies)
    return &a->at[0];
  for (size_t i = 1; i < a->n; i++)
    if (sd_known_compare (&a->at[i].mine, &a->at[best].mine, SD_DTZ50) > 0)
      best = i;
  return all_known (a, best) ? &a->at[best] : NULL;
}

/* Does the position behind the move stand in the line since the last move that cannot be taken back? */
static bool repeats (const sd_answer *from, const sd_line_of_play *l, const sd_choice *c) {
  const unsigned anew = sd_metrics[SD_DTZ50].counts_from;
  if (c->ends || (c->step & anew))
    return false;
  for (uint64_t i = l->n; i > 0; i--) {
    if (memcmp (&l->at[i - 1].to, &c->to, sizeof c->to) == 0)
      return true;
    if (l->at[i - 1].step & anew)
      return false;
  }
  return memcmp (&from->position, &c->to, sizeof c->to) == 0;
}

/* The next move of the line, or NULL and how it ends. */
static const sd_choice *step (const sd_answer *from, const sd_answer *now, sd_line_of_play *l) {
  const bool known = sd_answer_known (now);
  if (now->n == 0) {
    l->end = SD_LINE_OVER;
    return NULL;
  }
  l->end = known && result_of (&now->here) == 0 ? SD_LINE_DRAWN : SD_LINE_UNKNOWN;
  if (!known || l->end == SD_LINE_DRAWN || l->n == LONGEST)
    return NULL;
  const sd_choice *c = next_move (now);
  return c && !repeats (from, l, c) ? c : NULL;
}

/* Each position behind a move is looked up as the first one was. `now` is the last of them; the first one,
 * which is the caller's, is not freed. */
int sd_line_find (const sd_answer *a, sd_line_of_play *l, sd_error *err) {
  sd_answer now = *a;
  int st = SD_OK;
  const sd_choice *c;

  *l = (sd_line_of_play){ 0 };
  while (st == SD_OK && (c = step (a, &now, l))) {
    if (!sd_grow (&l->at, &l->room, l->n + 1)) {
      st = sd_fail_memory (err, (l->n + 1) * sizeof *l->at);
      break;
    }

    const sd_moment then = sd_answer_behind (&now, c);
    l->at[l->n++] = *c;
    if (now.at != a->at)
      sd_answer_free (&now);
    if (l->at[l->n - 1].ends) {
      l->end = SD_LINE_OVER;
      return SD_OK;
    }
    st = sd_answer_position (a->p, &l->at[l->n - 1].to, &then, &now, err);
  }

  if (l->end == SD_LINE_UNKNOWN)
    sd_missing_add (&l->missing, &now.missing);
  if (now.at != a->at)
    sd_answer_free (&now);
  return st;
}

void sd_line_free (sd_line_of_play *l) {
  sd_missing_free (&l->missing);
  free (l->at);
  *l = (sd_line_of_play){ 0 };
}

const char *sd_line_end_name (const sd_line_of_play *l) {
  static const char *const name[] = {
    [SD_LINE_OVER] = "over", [SD_LINE_DRAWN] = "drawn", [SD_LINE_UNKNOWN] = "unknown"
  };
  return name[l->end];
}
