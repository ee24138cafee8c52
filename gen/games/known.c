/* Spans of values. All steps keep the order of values: what is worse for one player behind a move is better
 * for the other one before it, so that the ends of a span give the ends of the next one. A span is what
 * tables tell of one position: one value, or, where a table has full moves or a result alone, the least and
 * the most that it may be. Tools ask this for all metrics at once. */
#include "config.h"
#include "gen/games/known.h"

enum { LONGEST = INT16_MAX }; /* plies of a win */

/* Where results change, rising: lost soon to won soon. */
static const sd_value edges[] = {
  -1, -SD_RULE_PLIES - 1, -SD_RULE_PLIES - 2, -LONGEST, 0, LONGEST, SD_RULE_PLIES + 1, SD_RULE_PLIES, 1
};
enum { EDGES = sizeof edges / sizeof *edges };

/* The order of values for the player to move. */
static int rank (enum sd_metric metric, sd_value v) {
  return sd_metric_rank (&sd_metrics[metric], v);
}

static enum sd_metric exact_of (unsigned metric) {
  return sd_metrics[metric].exact;
}

/* All values that have a result of this span in the metric. */
static sd_span values_of (enum sd_metric metric, sd_span results) {
  const sd_metric_kind *k = &sd_metrics[metric];
  unsigned first = 0, last = EDGES - 1;
  /* The outermost values that still have such a result. */
  while (first + 1 < EDGES && rank (metric, k->of (edges[first])) < rank (metric, results.least))
    first++;
  while (last > 0 && rank (metric, k->of (edges[last])) > rank (metric, results.most))
    last--;
  return (sd_span){ edges[first], edges[last] };
}

/* *span becomes what both say. */
static void narrow (enum sd_metric metric, sd_span *span, sd_span also) {
  sd_span both = *span;
  if (rank (metric, also.least) > rank (metric, both.least))
    both.least = also.least;
  if (rank (metric, also.most) < rank (metric, both.most))
    both.most = also.most;
  /* Tables that contradict each other leave what was known before. */
  if (rank (metric, both.least) <= rank (metric, both.most))
    *span = both;
}

/* A mate within the 100 plies of the rule is a win under it, and a capture, a pawn move or the mate itself
 * comes no later. */
static void mate_in_time (sd_known *k) {
  const sd_span s = k->of[SD_DTM];
  if (s.least > 0 && s.least <= SD_RULE_PLIES)
    narrow (SD_DTZ50, &k->of[SD_DTZ50], (sd_span){ s.least, edges[EDGES - 1] });
  if (s.most < 0 && s.most >= -SD_RULE_PLIES - 1)
    narrow (SD_DTZ50, &k->of[SD_DTZ50], (sd_span){ edges[0], s.most });
}

/* Who wins is the same in all metrics. */
static void agree (sd_known *k) {
  sd_span result = { -1, 1 };
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (exact_of (m) == m) {
      const sd_span own = { (sd_value) sd_value_wdl (k->of[m].least),
                            (sd_value) sd_value_wdl (k->of[m].most) };
      narrow (SD_WDL, &result, own);
    }
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (exact_of (m) == m)
      narrow ((enum sd_metric) m, &k->of[m], values_of (SD_WDL, result));
  mate_in_time (k);
}

sd_known sd_known_nothing (void) {
  sd_known k = { 0 };
  for (unsigned m = 0; m < SD_METRICS; m++)
    k.of[m] = (sd_span){ edges[0], edges[EDGES - 1] };
  return k;
}

void sd_known_tell (sd_known *k, enum sd_metric metric, sd_span span) {
  const enum sd_metric exact = exact_of (metric);
  narrow (exact, &k->of[exact], exact == metric ? span : values_of (metric, span));
  /* What one metric tells of the result narrows all others. */
  k->has |= 1u << metric;
  agree (k);
}

sd_span sd_known_in (const sd_known *k, enum sd_metric metric) {
  const sd_span *s = &k->of[exact_of (metric)];
  return (sd_span){ sd_metrics[metric].of (s->least), sd_metrics[metric].of (s->most) };
}

bool sd_known_is (const sd_known *k, enum sd_metric metric) {
  const sd_span s = sd_known_in (k, metric);
  return s.least == s.most;
}

bool sd_known_has (const sd_known *k, enum sd_metric metric) {
  for (unsigned m = 0; m < SD_METRICS; m++)
    if ((k->has >> m & 1) && exact_of (m) == exact_of (metric))
      return true;
  return false;
}

bool sd_known_plies (const sd_known *k, enum sd_metric metric) {
  const sd_span s = k->of[metric];
  return s.least && s.most && rank (metric, s.most) - rank (metric, s.least) <= 1;
}

void sd_known_meet (sd_known *k, const sd_known *also) {
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (exact_of (m) == m)
      narrow ((enum sd_metric) m, &k->of[m], also->of[m]);
  k->has |= also->has;
  agree (k);
}

bool sd_known_result (const sd_known *k, int *result) {
  const sd_span s = sd_known_in (k, SD_WDL);
  *result = s.least;
  return s.least == s.most;
}

sd_known sd_known_back (const sd_known *theirs, unsigned step) {
  sd_known mine = { .has = theirs->has };
  /* The ends change places: what is best for them is worst for the mover. */
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (exact_of (m) == m)
      mine.of[m] = (sd_span){ sd_metric_back (&sd_metrics[m], theirs->of[m].most, step),
                              sd_metric_back (&sd_metrics[m], theirs->of[m].least, step) };
  return mine;
}

/* Behind a move that is worth v. Nobody is lost in one ply by a move that leads on. */
static sd_value value_behind (sd_value v) {
  return v >= 0          ? (sd_value) -v
         : v == -LONGEST ? (sd_value) LONGEST
         : v < -2        ? (sd_value) (-v - 2)
                         : (sd_value) 1;
}

sd_known sd_known_forth (const sd_known *mine, unsigned step) {
  sd_known theirs = sd_known_nothing ();
  /* Behind a move that begins a new count nothing is known of it. */
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (exact_of (m) == m && !(step & sd_metrics[m].counts_from))
      theirs.of[m] = (sd_span){ value_behind (mine->of[m].most), value_behind (mine->of[m].least) };
  return theirs;
}

/* Of two moves the better one: both ends of the span count, each by itself. */
void sd_known_better (sd_known *best, const sd_known *k) {
  for (unsigned m = 0; m < SD_METRICS; m++) {
    const enum sd_metric metric = (enum sd_metric) m;
    if (exact_of (m) != m)
      continue;
    if (rank (metric, k->of[m].least) > rank (metric, best->of[m].least))
      best->of[m].least = k->of[m].least;
    if (rank (metric, k->of[m].most) > rank (metric, best->of[m].most))
      best->of[m].most = k->of[m].most;
  }
  best->has |= k->has;
}

int sd_known_compare (const sd_known *a, const sd_known *b, enum sd_metric metric) {
  const sd_span x = sd_known_in (a, metric), y = sd_known_in (b, metric);
  const int least = rank (metric, x.least) - rank (metric, y.least);
  return least ? least : rank (metric, x.most) - rank (metric, y.most);
}
