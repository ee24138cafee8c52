/* A game on a graph that is written down by hand: the smallest complete example of the game interface
 * (docs/games.md walks through it), and a test bed for states whose value can be found with a pencil. The
 * graph is in memory as graph_read.c has read it, so that every callback just looks. */
#include "config.h"
#include "gen/games/graph/graph_internal.h"
#include <stdlib.h>
#include <string.h>

enum { NAME = SD_GRAPH_NAME };

/* ------------------------------------------------------------------ callbacks */

/* Everything was counted when the file was read. */
static int graph_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out, sd_error *err) {
  const sd_graph *g = ctx;
  (void) err; /* nothing can fail here */
  for (uint64_t k = 0; k < count; k++)
    out[k] = g->info[first + k];
  return SD_OK;
}

static unsigned graph_preds (const void *ctx, sd_state q, sd_state *out) {
  const sd_graph *g = ctx;
  unsigned n = g->first[q + 1] - g->first[q];
  for (unsigned k = 0; k < n; k++)
    out[k] = g->from[g->first[q] + k];
  return n;
}

static unsigned graph_succs (const void *ctx, sd_state p, sd_state *out) {
  const sd_graph *g = ctx;
  unsigned n = g->next[p + 1] - g->next[p];
  for (unsigned k = 0; k < n; k++)
    out[k] = g->to[g->next[p] + k];
  return n;
}

void sd_graph_game (const sd_graph *g, sd_game *out) {
  *out = (sd_game){ .name = g->title,
                    .ctx = (void *) g, /* all callbacks only read it */
                    .nstates = g->n,
                    .max_moves = g->max_moves,
                    .max_preds = g->max_preds,
                    .init = graph_init,
                    .preds = graph_preds,
                    .succs = graph_succs };
}

void sd_graph_free (sd_graph *g) {
  if (!g)
    return;
  free (g->title);
  free (g->name);
  free (g->sorted);
  free (g->info);
  free (g->first);
  free (g->from);
  free (g->next);
  free (g->to);
  free (g);
}

uint64_t sd_graph_size (const sd_graph *g) {
  return g->n;
}

/* The number of a state by its name; sd_graph_size () if there is none. */
sd_state sd_graph_find (const sd_graph *g, const char *name) {
  uint32_t lo = 0, hi = g->n;
  /* By name, in the sorted numbers. */
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    int c = strcmp (g->name[g->sorted[mid]], name);
    if (c == 0)
      return g->sorted[mid];
    if (c < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  return g->n;
}

/* -------------------------------------------------------------- as a kind of game */

static int graph_open (const char *file, void **ctx, sd_error *err) {
  sd_graph *g;
  *ctx = NULL;
  SD_TRY (sd_graph_read (file, &g, err));
  *ctx = g;
  return SD_OK;
}

static void graph_close (void *ctx) {
  sd_graph_free (ctx);
}

static uint64_t graph_fingerprint (const void *ctx) {
  return ((const sd_graph *) ctx)->fingerprint;
}

static void graph_slice_name (const void *ctx, sd_slice slice, char out[SD_SLICE_NAME]) {
  (void) slice;
  memcpy (out, ((const sd_graph *) ctx)->slice, SD_SLICE_NAME);
}

static int graph_game (const void *ctx, sd_slice slice, const sd_outside *outside, sd_game *out,
                       sd_error *err) {
  (void) slice;
  (void) outside; /* what lies outside a graph stands in its file */
  (void) err;
  sd_graph_game (ctx, out);
  return SD_OK;
}

static void graph_game_free (sd_game *g) {
  *g = (sd_game){ 0 };
}

static int graph_parse_state (const void *ctx, const char *text, sd_position *out, sd_error *err) {
  const sd_graph *g = ctx;
  *out = (sd_position){ .state = sd_graph_find (g, text) };
  return out->state < g->n ? SD_OK : sd_fail (err, SD_EINVAL, "%.80s: %s has no such state", text, g->title);
}

static bool graph_print (const void *ctx, sd_slice slice, sd_state state, char out[SD_POSITION_TEXT]) {
  const sd_graph *g = ctx;
  (void) slice;
  if (state >= g->n)
    return false;
  memcpy (out, g->name[state], NAME);
  return true;
}

/* Moves as texts: names of states; "-4" and "+5" for moves out of the graph to a position lost in 4 or won in
 * 5 plies, "=" to a drawn one. */
static bool graph_moves (const void *ctx, const sd_position *p, sd_value *end,
                         void (*visit) (void *arg, const sd_game_move *move), void *arg) {
  const sd_graph *g = ctx;
  const sd_state state = p->state;

  if (p->slice || state >= g->n)
    return false;
  const sd_state_info *i = &g->info[state];
  const uint32_t inner = g->next[state + 1] - g->next[state];
  for (uint32_t k = 0; k < inner; k++) {
    sd_game_move m = { .to.state = g->to[g->next[state] + k] };
    memcpy (m.text, g->name[m.to.state], NAME);
    visit (arg, &m);
  }
  /* of the moves out of the graph only the best and the longest are kept */
  sd_game_move out = { .known = true };
  if (i->win) {
    snprintf (out.text, sizeof out.text, "-%u", i->win - 1u);
    out.value = (sd_value) -i->win;
    visit (arg, &out);
  }
  if (i->loss) {
    snprintf (out.text, sizeof out.text, "+%u", i->loss - 1u);
    out.value = (sd_value) (i->loss - 1);
    visit (arg, &out);
  }
  /* A drawn conversion is counted behind the inner moves. */
  if (i->moves > inner) {
    out.value = 0;
    memcpy (out.text, "=", 2);
    visit (arg, &out);
  }
  *end = i->terminal_lost ? -1 : i->terminal_won ? 1 : 0;
  return true;
}

const sd_game_kind sd_game_graph = {
  .name = "graph",
  .summary = "a game written down by hand, one line a state (docs/games.md)",
  .file = "FILE",
  .positions = "the name of a state",
  .open = graph_open,
  .close = graph_close,
  .fingerprint = graph_fingerprint,
  .slice_name = graph_slice_name,
  .game = graph_game,
  .game_free = graph_game_free,
  .parse = graph_parse_state,
  .print = graph_print,
  .moves = graph_moves,
};
