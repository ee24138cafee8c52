/* Draughts: moves, and a slice as a game of the solver.
 *
 * Quiet moves without promotion stay in the slice. Captures and promotions leave it, to slices with fewer
 * pieces or fewer men, whose values are looked up. Captures are compulsory, so a state with a capture has no
 * inner move, and `preds` must leave it out though a quiet un-move leads to it. "No move" covers everything
 * terminal: blocked, or no pieces left. A piece may not be taken twice, but when it leaves the board does not
 * matter: landing squares and jumped squares lie an odd number of ranks apart.
 *
 * Cost: 0.36 us of CPU time a state for solving alone (all slices up to 5 pieces, 161.6 million states, 58 s,
 * before other slices came from files); 0.76 us with all reading, coding and comparing (up to 4 pieces, 7.5
 * million states, 5.7 s on a busy machine). */
#include "config.h"
#include "gen/games/draughts/draughts_internal.h"
#include <stdlib.h>

enum { SD_DRAUGHTS_MAX_INNER = 4 * SD_DRAUGHTS_SIDE };

typedef struct sd_draughts_game {
  const sd_draughts *d;
  const sd_outside *outside;
  sd_draughts_shape shape;
  bool both; /* the second side's states stand behind the first's */
  char name[32];
} sd_draughts_game;

bool sd_draughts_captures (const sd_draughts_pos *p) {
  int over;
  for (uint32_t b = p->men[0] | p->kings[0]; b; b &= b - 1) {
    int s = __builtin_ctz (b);
    /* Directions 0 and 1 are forward: men go only there. */
    for (unsigned k = 0; k < (p->kings[0] >> s & 1 ? 4u : 2u); k++)
      if (sd_draughts_jump (p, s, k, &over) >= 0)
        return true;
  }
  return false;
}

/* All ways to go on jumping with the piece lifted off the last square of the path; true: there is one. */
static bool jumps_from (sd_draughts_move *m, const sd_draughts_pos *p, bool king, sd_draughts_visitor *visit,
                        void *arg) {
  const int s = m->path[m->len - 1];
  bool any = false;

  for (unsigned k = 0; k < (king ? 4u : 2u); k++) {
    int over, to = sd_draughts_jump (p, s, k, &over);
    if (to < 0)
      continue;
    any = true;
    sd_draughts_pos q = *p;
    /* Taken off at once; that it may not be taken twice follows. */
    q.men[1] &= ~(1u << over);
    q.kings[1] &= ~(1u << over);
    bool crowned = !king && to >= SD_DRAUGHTS_LAST_RANK;
    m->path[m->len++] = (uint8_t) to;
    /* A man that is crowned stops; others must go on as long as they can. */
    if (crowned || !jumps_from (m, &q, king, visit, arg)) {
      m->after = q;
      *(king || crowned ? &m->after.kings[0] : &m->after.men[0]) |= 1u << to;
      visit (arg, m);
    }
    m->len--;
  }
  return any;
}

void sd_draughts_each_move (const sd_draughts_pos *p, sd_draughts_visitor *visit, void *arg) {
  sd_draughts_move m = { .len = 1 };
  bool captured = false;

  for (uint32_t b = p->men[0] | p->kings[0]; b; b &= b - 1) {
    m.path[0] = (uint8_t) __builtin_ctz (b);
    sd_draughts_pos q = *p;
    q.men[0] &= ~(1u << m.path[0]);
    q.kings[0] &= ~(1u << m.path[0]);
    captured |= jumps_from (&m, &q, p->kings[0] >> m.path[0] & 1, visit, arg);
  }
  /* Captures are compulsory. */
  if (captured)
    return;

  const uint32_t occupied = sd_draughts_all_of (p);
  m.len = 2;
  for (uint32_t b = p->men[0] | p->kings[0]; b; b &= b - 1) {
    const int s = __builtin_ctz (b);
    const bool king = p->kings[0] >> s & 1;
    for (unsigned k = 0; k < (king ? 4u : 2u); k++) {
      const int to = sd_draughts_step (s, k);
      if (to < 0 || (occupied >> to & 1))
        continue;
      m.path[0] = (uint8_t) s;
      m.path[1] = (uint8_t) to;
      m.inner = king || to < SD_DRAUGHTS_LAST_RANK;
      m.after = *p;
      *(king ? &m.after.kings[0] : &m.after.men[0]) &= ~(1u << s);
      *(king || !m.inner ? &m.after.kings[0] : &m.after.men[0]) |= 1u << to;
      visit (arg, &m);
    }
  }
}

/* What the moves of one state add up to. */
typedef struct outcome {
  const sd_draughts_game *g;
  sd_state_info *info;
  unsigned inner, left;
  bool drawn;
  int status;
  sd_slice missing;
} outcome;

static void count_move (void *arg, const sd_draughts_move *m) {
  outcome *o = arg;
  if (m->inner) {
    o->inner++;
    return;
  }
  sd_value v;
  sd_slice slice;
  sd_state state;
  /* As the other player sees the board. */
  const sd_draughts_pos child = sd_draughts_turn (&m->after);
  sd_draughts_locate (o->g->d, &child, &slice, &state);
  o->left++;
  int st = o->g->outside->value (o->g->outside->ctx, slice, state, &v);
  if (st != SD_OK) {
    o->status = st;
    o->missing = slice;
    return;
  }
  /* Drawn ones are as good as each other, and count once. */
  if (v == 0)
    o->drawn = true;
  else if (v < 0 && (o->info->win == 0 || -v < o->info->win))
    o->info->win = (uint16_t) -v; /* lost in -v - 1 */
  else if (v > 0 && v + 1 > o->info->loss)
    o->info->loss = (uint16_t) (v + 1);
}

static int draughts_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out,
                          sd_error *err) {
  const sd_draughts_game *g = ctx;
  for (uint64_t k = 0; k < count; k++) {
    sd_state s = first + k;
    /* The second side's states stand behind the first's. */
    unsigned side = s >= g->shape.slots;
    sd_draughts_pos p;
    outcome o = { .g = g, .info = &out[k], .status = SD_OK };
    out[k] = (sd_state_info){ 0 };
    if (!sd_draughts_pos_of (g->d, &g->shape, s - side * g->shape.slots, side, &p))
      continue;
    sd_draughts_each_move (&p, count_move, &o);
    if (o.status != SD_OK) {
      char name[32];
      const sd_draughts_slice m = sd_draughts_of_number (o.missing);
      sd_draughts_name (&m, name);
      return sd_fail (err, o.status, "%s: the values of slice %s, which it can turn into: %s", g->name, name,
                      sd_strerror (o.status));
    }
    out[k].exists = true;
    out[k].moves = (uint16_t) (o.inner + o.drawn);
    out[k].terminal_lost = o.inner + o.left == 0;
  }
  return SD_OK;
}

/* Un-moves of the player who has just moved: quiet, in the slice, and only where he had no capture. */
static unsigned draughts_preds (const void *ctx, sd_state q, sd_state *out) {
  const sd_draughts_game *g = ctx;
  unsigned n = 0, side = q >= g->shape.slots, other = g->both ? !side : 0;
  sd_draughts_pos p, turned_board;

  sd_draughts_pos_of (g->d, &g->shape, q - side * g->shape.slots, side, &turned_board);
  p = sd_draughts_turn (&turned_board);
  uint32_t occupied = sd_draughts_all_of (&p);
  for (uint32_t b = p.men[0] | p.kings[0]; b; b &= b - 1) {
    int s = __builtin_ctz (b);
    bool king = p.kings[0] >> s & 1;
    /* Backwards for men: they have come from there. */
    for (unsigned k = king ? 0 : 2; k < 4; k++) {
      int from = sd_draughts_step (s, k);
      if (from < 0 || (occupied >> from & 1))
        continue;
      sd_draughts_pos before = p;
      *(king ? &before.kings[0] : &before.men[0]) ^= 1u << s | 1u << from;
      if (!sd_draughts_captures (&before))
        out[n++] = other * g->shape.slots + sd_draughts_slot_of (g->d, &g->shape, &before, other);
    }
  }
  return n;
}

/* Quiet moves that stay in the slice; none where there is a capture. */
static unsigned draughts_succs (const void *ctx, sd_state s, sd_state *out) {
  const sd_draughts_game *g = ctx;
  unsigned n = 0, side = s >= g->shape.slots, other = g->both ? !side : 0;
  sd_draughts_pos p;

  sd_draughts_pos_of (g->d, &g->shape, s - side * g->shape.slots, side, &p);
  if (sd_draughts_captures (&p))
    return 0;
  uint32_t occupied = sd_draughts_all_of (&p);
  for (uint32_t b = p.men[0] | p.kings[0]; b; b &= b - 1) {
    int from = __builtin_ctz (b);
    bool king = p.kings[0] >> from & 1;
    for (unsigned k = 0; k < (king ? 4u : 2u); k++) {
      int to = sd_draughts_step (from, k);
      if (to < 0 || (occupied >> to & 1) || (!king && to >= SD_DRAUGHTS_LAST_RANK))
        continue;
      sd_draughts_pos after = p;
      *(king ? &after.kings[0] : &after.men[0]) ^= 1u << from | 1u << to;
      after = sd_draughts_turn (&after);
      out[n++] = other * g->shape.slots + sd_draughts_slot_of (g->d, &g->shape, &after, other);
    }
  }
  return n;
}

static void draughts_tidy (const void *ctx, bool over) {
  const sd_draughts_game *g = ctx;
  if (g->outside->tidy)
    g->outside->tidy (g->outside->ctx, over);
}

int sd_draughts_game_new (const void *ctx, sd_slice slice, const sd_outside *outside, sd_game *out,
                          sd_error *err) {
  const sd_draughts *d = ctx;
  *out = (sd_game){ 0 };
  if (slice >= SD_DRAUGHTS_SLICES)
    return sd_fail (err, SD_EINVAL, "draughts: there is no slice %ju", (uintmax_t) slice);
  const sd_draughts_slice m = sd_draughts_of_number (slice);
  SD_TRY (sd_draughts_check (&m, err));
  if (!sd_draughts_canonical (&m))
    return sd_fail (err, SD_EINVAL, "draughts: the side with more pieces, or more kings, comes first");
  sd_draughts_game *g = sd_alloc0 (1, sizeof *g);
  if (!g)
    return sd_fail_memory (err, sizeof *g);
  g->d = d;
  g->outside = outside;
  g->both = !sd_draughts_same (&m);
  int st = sd_draughts_measure (&m, &g->shape, err);
  if (st != SD_OK) {
    free (g);
    return st;
  }
  sd_draughts_name (&m, g->name);

  *out = (sd_game){ .name = g->name,
                    .ctx = g,
                    .nstates = g->shape.slots * (g->both ? 2 : 1),
                    .max_moves = SD_DRAUGHTS_MAX_INNER + 1, /* drawn conversions count once */
                    .max_preds = SD_DRAUGHTS_MAX_INNER,
                    .init = draughts_init,
                    .preds = draughts_preds,
                    .succs = draughts_succs,
                    .tidy = draughts_tidy };
  return SD_OK;
}

void sd_draughts_game_free (sd_game *g) {
  free (g->ctx);
  *g = (sd_game){ 0 };
}
