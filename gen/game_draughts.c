/* English draughts by slices of material, each a game of its own over the slices solved before.
 *
 * A position is always seen from the player to move, whose men go up; making a move turns the board round
 * (square s becomes 31 - s), so there is one move generator. A slice AvB has the states "A to move" and then
 * "B to move", or only the first where A = B. The slot of a position is a mixed-radix number of four
 * combinations (combinadics): men of either side among the 28 squares that are not their last rank, then
 * kings among the squares left; slots whose men collide hold no position.
 *
 * Quiet moves without promotion stay in the slice. Captures and promotions leave it, to slices with fewer
 * pieces or fewer men, whose values are looked up. Captures are compulsory, so a state with a capture has no
 * inner move, and `preds` must leave it out though a quiet un-move leads to it. "No move" covers everything
 * terminal: blocked, or no pieces left. A piece may not be taken twice, but when it leaves the board does not
 * matter: landing squares and jumped squares lie an odd number of ranks apart.
 *
 * Cost: 0.36 us of CPU time a state (all slices up to 5 pieces, 161.6 million states, 58 s); 2 bytes a slot
 * and side for each solved slice. */
#include "config.h"
#include "gen/games.h"
#include <stdlib.h>
#include <string.h>

enum { SIDE = SD_DRAUGHTS_SIDE, RADIX = SIDE + 1, SLICES = RADIX * RADIX * RADIX * RADIX, MEN_SQUARES = 28 };
enum { LAST_RANK = 28, GATHER = 1 << 16, MAX_INNER = 4 * SIDE };

/* How the positions of a slice are numbered. */
typedef struct shape {
  sd_draughts_slice m;
  uint64_t slots; /* of one side to move */
  /* combinations of a side's men; of its kings if it places them first; if it does so last */
  uint64_t men[2], kings[2], last[2];
} shape;

typedef struct solved {
  shape shape;
  sd_value *value; /* NULL: not solved */
} solved;

struct sd_draughts {
  uint32_t choose[33][RADIX]; /* binomials, for speed */
  solved slice[SLICES];
};

typedef struct draughts_game {
  const sd_draughts *d;
  shape shape;
  bool both; /* the second side's states stand behind the first's */
  char name[32];
} draughts_game;

/* --------------------------------------------------------------------- board */

/* The square one step from s; directions 0, 1 go up, 2, 3 down; even ones left. -1: off the board. Rank r
 * holds the columns 2 c + r % 2, c = s % 4. */
static inline int step (int s, unsigned direction) {
  int rank = s >> 2, c = s & 3, odd = rank & 1, right = direction & 1;
  int to = direction < 2 ? rank + 1 : rank - 1, column = c + (odd ? right : right - 1);
  return to < 0 || to > 7 || column < 0 || column > 3 ? -1 : to * 4 + column;
}

static inline uint32_t turned (uint32_t b) {
  b = (b >> 1 & 0x55555555) | (b & 0x55555555) << 1;
  b = (b >> 2 & 0x33333333) | (b & 0x33333333) << 2;
  b = (b >> 4 & 0x0f0f0f0f) | (b & 0x0f0f0f0f) << 4;
  return __builtin_bswap32 (b);
}

static inline sd_draughts_pos turn (const sd_draughts_pos *p) {
  return (sd_draughts_pos){ { turned (p->men[1]), turned (p->men[0]) },
                            { turned (p->kings[1]), turned (p->kings[0]) } };
}

static inline uint32_t all_of (const sd_draughts_pos *p) {
  return p->men[0] | p->men[1] | p->kings[0] | p->kings[1];
}

/* Where a jump from s lands, -1 if it cannot; *over: the square jumped. */
static inline int jump (const sd_draughts_pos *p, int s, unsigned direction, int *over) {
  *over = step (s, direction);
  if (*over < 0 || !((p->men[1] | p->kings[1]) >> *over & 1))
    return -1;
  int to = step (*over, direction);
  return to >= 0 && !(all_of (p) >> to & 1) ? to : -1;
}

bool sd_draughts_captures (const sd_draughts_pos *p) {
  int over;
  for (uint32_t b = p->men[0] | p->kings[0]; b; b &= b - 1) {
    int s = __builtin_ctz (b);
    for (unsigned k = 0; k < (p->kings[0] >> s & 1 ? 4u : 2u); k++)
      if (jump (p, s, k, &over) >= 0)
        return true;
  }
  return false;
}

/* --------------------------------------------------------------------- index */

static uint64_t choose (unsigned n, unsigned k) {
  uint64_t c = 1;
  if (k > n)
    return 0;
  for (unsigned i = 1; i <= k; i++)
    c = c * (n - k + i) / i; /* below 2^32 * 32 for n <= 32 */
  return c;
}

/* The rank of the set b among the subsets of `free` of that size: sum of C (place, i). */
static uint64_t rank_of (const sd_draughts *d, uint32_t b, uint32_t free) {
  uint64_t r = 0;
  for (unsigned i = 1; b; b &= b - 1, i++)
    r += d->choose[__builtin_popcount (free & ((b & -b) - 1))][i];
  return r;
}

static uint32_t set_of (const sd_draughts *d, uint64_t r, unsigned k, uint32_t free) {
  uint32_t b = 0;
  for (; k; k--) {
    unsigned place = k - 1;
    while (d->choose[place + 1][k] <= r)
      place++;
    r -= d->choose[place][k];
    uint32_t f = free;
    for (unsigned i = 0; i < place; i++)
      f &= f - 1;
    b |= f & -f;
  }
  return b;
}

static uint64_t slot_of (const sd_draughts *d, const shape *h, const sd_draughts_pos *p, unsigned side) {
  uint32_t free = ~(p->men[0] | p->men[1]);
  uint64_t r = rank_of (d, p->men[0], ~0u) * h->men[!side] + rank_of (d, turned (p->men[1]), ~0u);
  r = r * h->kings[side] + rank_of (d, p->kings[0], free);
  return r * h->last[!side] + rank_of (d, p->kings[1], free & ~p->kings[0]);
}

/* False: no position. */
static bool pos_of (const sd_draughts *d, const shape *h, uint64_t slot, unsigned side, sd_draughts_pos *p) {
  uint64_t k1 = slot % h->last[!side];
  slot /= h->last[!side];
  uint64_t k0 = slot % h->kings[side];
  slot /= h->kings[side];
  p->men[0] = set_of (d, slot / h->men[!side], h->m.men[side], ~0u);
  p->men[1] = turned (set_of (d, slot % h->men[!side], h->m.men[!side], ~0u));
  if (p->men[0] & p->men[1])
    return false;
  uint32_t free = ~(p->men[0] | p->men[1]);
  p->kings[0] = set_of (d, k0, h->m.kings[side], free);
  p->kings[1] = set_of (d, k1, h->m.kings[!side], free & ~p->kings[0]);
  return true;
}

/* -------------------------------------------------------------------- slices */

static bool same (const sd_draughts_slice *m) {
  return m->men[0] == m->men[1] && m->kings[0] == m->kings[1];
}

static sd_draughts_slice mirrored (const sd_draughts_slice *m) {
  return (sd_draughts_slice){ { m->men[1], m->men[0] }, { m->kings[1], m->kings[0] } };
}

bool sd_draughts_canonical (const sd_draughts_slice *m) {
  int pieces = m->men[0] + m->kings[0] - m->men[1] - m->kings[1];
  return pieces > 0 || (pieces == 0 && m->kings[0] >= m->kings[1]);
}

void sd_draughts_name (const sd_draughts_slice *m, char *out) {
  for (unsigned side = 0; side < 2; side++) {
    unsigned kings = m->kings[side] < SIDE ? m->kings[side] : SIDE;
    unsigned men = m->men[side] < SIDE - kings ? m->men[side] : SIDE - kings;
    if (side)
      *out++ = 'v';
    if (kings + men == 0)
      *out++ = '-';
    memset (out, 'K', kings);
    memset (out + kings, 'M', men);
    out += kings + men;
  }
  *out = 0;
}

static int check_slice (const sd_draughts_slice *m, sd_error *err) {
  unsigned a = m->men[0] + m->kings[0], b = m->men[1] + m->kings[1];
  if (a + b == 0 || a > SIDE || b > SIDE)
    return sd_fail (err, SD_EINVAL, "draughts: %u against %u pieces: expected 1 piece at least and %d a side",
                    a, b, SIDE);
  return SD_OK;
}

static unsigned number_of (const sd_draughts_slice *m) {
  return (unsigned) (((m->men[0] * RADIX + m->kings[0]) * RADIX + m->men[1]) * RADIX + m->kings[1]);
}

static int measure (const sd_draughts_slice *m, shape *h, sd_error *err) {
  unsigned left = 32u - m->men[0] - m->men[1];
  h->m = *m;
  for (unsigned side = 0; side < 2; side++) {
    h->men[side] = choose (MEN_SQUARES, m->men[side]);
    h->kings[side] = choose (left, m->kings[side]);
    h->last[side] = choose (left - m->kings[!side], m->kings[side]);
  }
  h->slots = h->men[0] * h->men[1]; /* below 2^51, and kings[0] * last[1] below 2^45 */
  if (sd_mul (h->slots, h->kings[0] * h->last[1], &h->slots) || h->slots > UINT64_MAX / 4)
    return sd_fail (err, SD_ERANGE, "draughts: the slice has more than 2^62 slots");
  return SD_OK;
}

int sd_draughts_placements (const sd_draughts_slice *m, uint64_t *out, sd_error *err) {
  shape h;
  uint64_t sum = 0;
  SD_TRY (check_slice (m, err));
  SD_TRY (measure (m, &h, err));
  /* k of the first side's men stand on the 24 squares that the other side's men could use too */
  for (unsigned k = 0; k <= m->men[0]; k++)
    sum += choose (24, k) * choose (4, m->men[0] - k) * choose (MEN_SQUARES - k, m->men[1]);
  *out = h.kings[0] * h.last[1] * sum;
  return SD_OK;
}

unsigned sd_draughts_order (unsigned pieces, sd_draughts_slice *out, unsigned room) {
  unsigned n = 0;
  for (unsigned all = 1; all <= pieces; all++)
    for (unsigned men = 0; men <= all; men++)
      for (unsigned first = (all + 1) / 2; first <= all && first <= SIDE; first++)
        for (unsigned m0 = 0; m0 <= men && m0 <= first; m0++) {
          if (men - m0 > all - first)
            continue;
          sd_draughts_slice m = { { (uint8_t) m0, (uint8_t) (men - m0) },
                                  { (uint8_t) (first - m0), (uint8_t) (all - first - (men - m0)) } };
          if (!sd_draughts_canonical (&m))
            continue;
          if (n < room)
            out[n] = m;
          n++;
        }
  return n;
}

int sd_draughts_new (sd_draughts **out, sd_error *err) {
  *out = sd_alloc0 (1, sizeof **out);
  if (!*out)
    return sd_fail_memory (err, sizeof **out);
  for (unsigned n = 0; n < 33; n++)
    for (unsigned k = 0; k < RADIX; k++)
      (*out)->choose[n][k] = (uint32_t) choose (n, k);
  return SD_OK;
}

void sd_draughts_free (sd_draughts *d) {
  for (unsigned i = 0; d && i < SLICES; i++)
    free (d->slice[i].value);
  free (d);
}

static sd_draughts_slice slice_of (const sd_draughts_pos *p) {
  sd_draughts_slice m;
  for (unsigned side = 0; side < 2; side++) {
    m.men[side] = (uint8_t) __builtin_popcount (p->men[side]);
    m.kings[side] = (uint8_t) __builtin_popcount (p->kings[side]);
  }
  return m;
}

/* Value of a position with valid material; SD_ENOENT: not solved. */
static int look_up (const sd_draughts *d, const sd_draughts_pos *p, sd_value *out) {
  sd_draughts_slice m = slice_of (p);
  unsigned side = !sd_draughts_canonical (&m);
  if (side)
    m = mirrored (&m);
  const solved *v = &d->slice[number_of (&m)];
  if (!v->value)
    return SD_ENOENT;
  *out = v->value[side * v->shape.slots + slot_of (d, &v->shape, p, side)];
  return SD_OK;
}

int sd_draughts_value (const sd_draughts *d, const sd_draughts_pos *p, sd_value *out) {
  sd_draughts_slice m = slice_of (p);
  int sum = m.men[0] + m.kings[0] + m.men[1] + m.kings[1];
  if (__builtin_popcount (all_of (p)) != sum || p->men[0] >> LAST_RANK || (p->men[1] & 0xf))
    return SD_EINVAL;
  SD_TRY (check_slice (&m, NULL));
  return look_up (d, p, out);
}

/* ----------------------------------------------------------------- callbacks */

typedef struct outcome {
  const sd_draughts *d;
  sd_state_info *info;
  bool drawn;
  int status;
  sd_draughts_slice missing;
} outcome;

/* The mover has left the slice with this board, still seen from his side. */
static void leave (outcome *o, const sd_draughts_pos *after) {
  sd_value v;
  sd_draughts_pos child = turn (after);
  int st = look_up (o->d, &child, &v);
  if (st != SD_OK) {
    o->status = st;
    o->missing = slice_of (&child);
    return;
  }
  if (v == 0)
    o->drawn = true;
  else if (v < 0 && (o->info->win == 0 || -v < o->info->win))
    o->info->win = (uint16_t) -v; /* lost in -v - 1 */
  else if (v > 0 && v + 1 > o->info->loss)
    o->info->loss = (uint16_t) (v + 1);
}

/* All ways to go on jumping with the piece lifted off s; true: there is one. */
static bool jumps_from (outcome *o, const sd_draughts_pos *p, int s, bool king) {
  bool any = false;
  for (unsigned k = 0; k < (king ? 4u : 2u); k++) {
    int over, to = jump (p, s, k, &over);
    if (to < 0)
      continue;
    any = true;
    sd_draughts_pos q = *p;
    q.men[1] &= ~(1u << over);
    q.kings[1] &= ~(1u << over);
    bool crowned = !king && to >= LAST_RANK;
    if (crowned || !jumps_from (o, &q, to, king)) {
      *(king || crowned ? &q.kings[0] : &q.men[0]) |= 1u << to;
      leave (o, &q);
    }
  }
  return any;
}

static void describe (outcome *o, const sd_draughts_pos *p) {
  sd_state_info *info = o->info;
  bool captured = false, promoted = false;
  unsigned inner = 0;
  info->exists = true;
  for (uint32_t b = p->men[0] | p->kings[0]; b; b &= b - 1) {
    int s = __builtin_ctz (b);
    sd_draughts_pos q = *p;
    q.men[0] &= ~(1u << s);
    q.kings[0] &= ~(1u << s);
    captured |= jumps_from (o, &q, s, p->kings[0] >> s & 1);
  }
  if (!captured) {
    uint32_t occupied = all_of (p);
    for (uint32_t b = p->men[0] | p->kings[0]; b; b &= b - 1) {
      int s = __builtin_ctz (b);
      bool king = p->kings[0] >> s & 1;
      for (unsigned k = 0; k < (king ? 4u : 2u); k++) {
        int to = step (s, k);
        if (to < 0 || (occupied >> to & 1))
          continue;
        if (king || to < LAST_RANK) {
          inner++;
          continue;
        }
        sd_draughts_pos q = *p;
        q.men[0] &= ~(1u << s);
        q.kings[0] |= 1u << to;
        leave (o, &q);
        promoted = true;
      }
    }
  }
  info->moves = (uint16_t) (inner + o->drawn);
  info->terminal_lost = !captured && !promoted && inner == 0;
}

static int draughts_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out,
                          sd_error *err) {
  const draughts_game *g = ctx;
  for (uint64_t k = 0; k < count; k++) {
    sd_state s = first + k;
    unsigned side = s >= g->shape.slots;
    sd_draughts_pos p;
    outcome o = { .d = g->d, .info = &out[k], .status = SD_OK };
    out[k] = (sd_state_info){ 0 };
    if (pos_of (g->d, &g->shape, s - side * g->shape.slots, side, &p))
      describe (&o, &p);
    if (o.status != SD_OK) {
      char name[32];
      if (!sd_draughts_canonical (&o.missing))
        o.missing = mirrored (&o.missing);
      sd_draughts_name (&o.missing, name);
      return sd_fail (err, o.status, "%s: the slice %s, which it can turn into, is not solved", g->name,
                      name);
    }
  }
  return SD_OK;
}

/* Un-moves of the player who has just moved: quiet, in the slice, and only where he had no capture. */
static unsigned draughts_preds (const void *ctx, sd_state q, sd_state *out) {
  const draughts_game *g = ctx;
  unsigned n = 0, side = q >= g->shape.slots, other = g->both ? !side : 0;
  sd_draughts_pos p, turned_board;
  pos_of (g->d, &g->shape, q - side * g->shape.slots, side, &turned_board);
  p = turn (&turned_board);
  uint32_t occupied = all_of (&p);
  for (uint32_t b = p.men[0] | p.kings[0]; b; b &= b - 1) {
    int s = __builtin_ctz (b);
    bool king = p.kings[0] >> s & 1;
    for (unsigned k = king ? 0 : 2; k < 4; k++) {
      int from = step (s, k);
      if (from < 0 || (occupied >> from & 1))
        continue;
      sd_draughts_pos before = p;
      *(king ? &before.kings[0] : &before.men[0]) ^= 1u << s | 1u << from;
      if (!sd_draughts_captures (&before))
        out[n++] = other * g->shape.slots + slot_of (g->d, &g->shape, &before, other);
    }
  }
  return n;
}

/* Quiet moves that stay in the slice; none where there is a capture. */
static unsigned draughts_succs (const void *ctx, sd_state s, sd_state *out) {
  const draughts_game *g = ctx;
  unsigned n = 0, side = s >= g->shape.slots, other = g->both ? !side : 0;
  sd_draughts_pos p;
  pos_of (g->d, &g->shape, s - side * g->shape.slots, side, &p);
  if (sd_draughts_captures (&p))
    return 0;
  uint32_t occupied = all_of (&p);
  for (uint32_t b = p.men[0] | p.kings[0]; b; b &= b - 1) {
    int from = __builtin_ctz (b);
    bool king = p.kings[0] >> from & 1;
    for (unsigned k = 0; k < (king ? 4u : 2u); k++) {
      int to = step (from, k);
      if (to < 0 || (occupied >> to & 1) || (!king && to >= LAST_RANK))
        continue;
      sd_draughts_pos after = p;
      *(king ? &after.kings[0] : &after.men[0]) ^= 1u << from | 1u << to;
      after = turn (&after);
      out[n++] = other * g->shape.slots + slot_of (g->d, &g->shape, &after, other);
    }
  }
  return n;
}

int sd_draughts_game_new (const sd_draughts *d, const sd_draughts_slice *m, sd_game *out, sd_error *err) {
  draughts_game *g = sd_alloc0 (1, sizeof *g);
  *out = (sd_game){ 0 };
  if (!g)
    return sd_fail_memory (err, sizeof *g);
  g->d = d;
  g->both = !same (m);
  int st = check_slice (m, err);
  if (st == SD_OK && !sd_draughts_canonical (m))
    st = sd_fail (err, SD_EINVAL, "draughts: the side with more pieces, or more kings, comes first");
  if (st == SD_OK)
    st = measure (m, &g->shape, err);
  if (st != SD_OK) {
    free (g);
    return st;
  }
  sd_draughts_name (m, g->name);
  *out = (sd_game){ .name = g->name,
                    .ctx = g,
                    .nstates = g->shape.slots * (g->both ? 2 : 1),
                    .max_moves = MAX_INNER + 1, /* drawn conversions count once */
                    .max_preds = MAX_INNER,
                    .init = draughts_init,
                    .preds = draughts_preds,
                    .succs = draughts_succs };
  return SD_OK;
}

void sd_draughts_game_free (sd_game *g) {
  free (g->ctx);
  *g = (sd_game){ 0 };
}

/* ------------------------------------------------------------------- solving */

int sd_draughts_solve (sd_draughts *d, const sd_transport *t, const sd_draughts_slice *m,
                       const sd_progress *progress, sd_solve_stats *stats, sd_error *err) {
  return sd_draughts_solve_by (NULL, d, t, m, progress, stats, err);
}

int sd_draughts_solve_by (const sd_solver_kind *kind, sd_draughts *d, const sd_transport *t,
                          const sd_draughts_slice *m, const sd_progress *progress, sd_solve_stats *stats,
                          sd_error *err) {
  const sd_solve_options o = { .progress = progress };
  sd_game game;
  sd_solution mine = { .value = NULL };
  sd_value *value = NULL;
  int st = sd_agree (t, sd_draughts_game_new (d, m, &game, err), err);
  if (st == SD_OK)
    st = (kind ? kind : sd_solver_at (0))->solve (&game, t, &o, &mine, stats, err);
  if (st == SD_OK)
    st = sd_solution_gather (t, &mine, true, &value, err);
  if (st == SD_OK) {
    solved *v = &d->slice[number_of (m)];
    free (v->value);
    v->value = value;
    v->shape = ((draughts_game *) game.ctx)->shape;
    value = NULL;
  }
  free (value);
  free (mine.value);
  if (game.ctx)
    sd_draughts_game_free (&game);
  return st;
}

int sd_draughts_count (const sd_draughts *d, const sd_draughts_slice *m, unsigned side, sd_counts *out) {
  sd_draughts_slice c = *m;
  *out = (sd_counts){ 0 };
  if (check_slice (m, NULL) != SD_OK || side > 1)
    return SD_ENOENT;
  if (!sd_draughts_canonical (m)) {
    c = mirrored (m);
    side = !side;
  }
  const solved *v = &d->slice[number_of (&c)];
  if (!v->value)
    return SD_ENOENT;
  const sd_value *value = v->value + (same (&c) ? 0 : side * v->shape.slots);
  for (uint64_t i = 0; i < v->shape.slots; i++) {
    if (value[i] == SD_ILLEGAL)
      continue;
    out->positions++;
    out->drawn += value[i] == 0;
    out->won += value[i] > 0;
    out->lost += value[i] < 0;
    if (value[i] > out->longest_win)
      out->longest_win = value[i];
    if (value[i] < out->longest_loss)
      out->longest_loss = value[i];
  }
  return SD_OK;
}
