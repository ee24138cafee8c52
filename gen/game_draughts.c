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
 * Cost: 0.36 us of CPU time a state for solving alone (all slices up to 5 pieces, 161.6 million states, 58 s,
 * before other slices came from files); 0.76 us with all reading, coding and comparing (up to 4 pieces, 7.5
 * million states, 5.7 s on a busy machine). */
#include "config.h"
#include "gen/games.h"
#include <stdlib.h>
#include <string.h>

enum { SIDE = SD_DRAUGHTS_SIDE, RADIX = SIDE + 1, SLICES = RADIX * RADIX * RADIX * RADIX, MEN_SQUARES = 28 };
enum { LAST_RANK = 28, MAX_INNER = 4 * SIDE };

/* How the positions of a slice are numbered. */
typedef struct shape {
  sd_draughts_slice m;
  uint64_t slots; /* of one side to move */
  /* combinations of a side's men; of its kings if it places them first; if it does so last */
  uint64_t men[2], kings[2], last[2];
} shape;

typedef struct draughts {
  uint32_t choose[33][RADIX]; /* binomials, for speed */
  shape shape[SLICES];        /* of canonical slices; slots = 0: no slice */
} draughts;

typedef struct draughts_game {
  const draughts *d;
  const sd_outside *outside;
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
static uint64_t rank_of (const draughts *d, uint32_t b, uint32_t free) {
  uint64_t r = 0;
  for (unsigned i = 1; b; b &= b - 1, i++)
    r += d->choose[__builtin_popcount (free & ((b & -b) - 1))][i];
  return r;
}

static uint32_t set_of (const draughts *d, uint64_t r, unsigned k, uint32_t free) {
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

static uint64_t slot_of (const draughts *d, const shape *h, const sd_draughts_pos *p, unsigned side) {
  uint32_t free = ~(p->men[0] | p->men[1]);
  uint64_t r = rank_of (d, p->men[0], ~0u) * h->men[!side] + rank_of (d, turned (p->men[1]), ~0u);
  r = r * h->kings[side] + rank_of (d, p->kings[0], free);
  return r * h->last[!side] + rank_of (d, p->kings[1], free & ~p->kings[0]);
}

/* False: no position. */
static bool pos_of (const draughts *d, const shape *h, uint64_t slot, unsigned side, sd_draughts_pos *p) {
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

sd_slice sd_draughts_number (const sd_draughts_slice *m) {
  return (sd_slice) (((m->men[0] * RADIX + m->kings[0]) * RADIX + m->men[1]) * RADIX + m->kings[1]);
}

sd_draughts_slice sd_draughts_of_number (sd_slice n) {
  return (
      sd_draughts_slice){ { (uint8_t) (n / (RADIX * RADIX * RADIX) % RADIX), (uint8_t) (n / RADIX % RADIX) },
                          { (uint8_t) (n / (RADIX * RADIX) % RADIX), (uint8_t) (n % RADIX) } };
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

static int draughts_open (const char *file, void **ctx, sd_error *err) {
  (void) file;
  draughts *d = *ctx = sd_alloc0 (1, sizeof *d);
  if (!d)
    return sd_fail_memory (err, sizeof *d);
  for (unsigned n = 0; n < 33; n++)
    for (unsigned k = 0; k < RADIX; k++)
      d->choose[n][k] = (uint32_t) choose (n, k);
  for (unsigned i = 0; i < SLICES; i++) {
    const sd_draughts_slice m = sd_draughts_of_number (i);
    if (check_slice (&m, NULL) != SD_OK || !sd_draughts_canonical (&m)
        || measure (&m, &d->shape[i], NULL) != SD_OK)
      d->shape[i].slots = 0;
  }
  return SD_OK;
}

static uint64_t draughts_fingerprint (const void *ctx) {
  (void) ctx;
  return 1; /* the numbering of the states; another one needs another number */
}

static sd_draughts_slice slice_of (const sd_draughts_pos *p) {
  sd_draughts_slice m;
  for (unsigned side = 0; side < 2; side++) {
    m.men[side] = (uint8_t) __builtin_popcount (p->men[side]);
    m.kings[side] = (uint8_t) __builtin_popcount (p->kings[side]);
  }
  return m;
}

/* Slice and state of a position with valid material. */
static void find (const draughts *d, const sd_draughts_pos *p, sd_slice *slice, sd_state *state) {
  sd_draughts_slice m = slice_of (p);
  unsigned side = !sd_draughts_canonical (&m);
  if (side)
    m = mirrored (&m);
  *slice = sd_draughts_number (&m);
  const shape *h = &d->shape[*slice];
  *state = side * h->slots + slot_of (d, h, p, side);
}

int sd_draughts_find (const void *ctx, const sd_draughts_pos *p, sd_slice *slice, sd_state *state) {
  sd_draughts_slice m = slice_of (p);
  int sum = m.men[0] + m.kings[0] + m.men[1] + m.kings[1];
  if (__builtin_popcount (all_of (p)) != sum || p->men[0] >> LAST_RANK || (p->men[1] & 0xf))
    return SD_EINVAL;
  SD_TRY (check_slice (&m, NULL));
  find (ctx, p, slice, state);
  return SD_OK;
}

/* False: no such state. */
static bool position (const draughts *d, sd_slice slice, sd_state state, sd_draughts_pos *p) {
  if (slice >= SLICES || d->shape[slice].slots == 0)
    return false;
  const shape *h = &d->shape[slice];
  const unsigned side = state >= h->slots;
  return state < h->slots * (same (&h->m) ? 1 : 2) && pos_of (d, h, state - side * h->slots, side, p);
}

/* --------------------------------------------------------------------- moves */

/* A move on its way to whoever looks at moves: the board behind it, still as the mover sees it. */
typedef struct step_to {
  sd_draughts_pos after;
  bool inner;                  /* neither captures nor promotes: the slice is the same */
  uint8_t path[SIDE + 2], len; /* the squares that the piece has stood on */
} step_to;
typedef void visitor (void *arg, const step_to *m);

/* All ways to go on jumping with the piece lifted off the last square of the path; true: there is one. */
static bool jumps_from (step_to *m, const sd_draughts_pos *p, bool king, visitor *visit, void *arg) {
  const int s = m->path[m->len - 1];
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
    m->path[m->len++] = (uint8_t) to;
    if (crowned || !jumps_from (m, &q, king, visit, arg)) {
      m->after = q;
      *(king || crowned ? &m->after.kings[0] : &m->after.men[0]) |= 1u << to;
      visit (arg, m);
    }
    m->len--;
  }
  return any;
}

/* Every move of the player to move. */
static inline void moves_of (const sd_draughts_pos *p, visitor *visit, void *arg) {
  step_to m = { .len = 1 };
  bool captured = false;
  for (uint32_t b = p->men[0] | p->kings[0]; b; b &= b - 1) {
    m.path[0] = (uint8_t) __builtin_ctz (b);
    sd_draughts_pos q = *p;
    q.men[0] &= ~(1u << m.path[0]);
    q.kings[0] &= ~(1u << m.path[0]);
    captured |= jumps_from (&m, &q, p->kings[0] >> m.path[0] & 1, visit, arg);
  }
  if (captured)
    return;
  const uint32_t occupied = all_of (p);
  m.len = 2;
  for (uint32_t b = p->men[0] | p->kings[0]; b; b &= b - 1) {
    const int s = __builtin_ctz (b);
    const bool king = p->kings[0] >> s & 1;
    for (unsigned k = 0; k < (king ? 4u : 2u); k++) {
      const int to = step (s, k);
      if (to < 0 || (occupied >> to & 1))
        continue;
      m.path[0] = (uint8_t) s;
      m.path[1] = (uint8_t) to;
      m.inner = king || to < LAST_RANK;
      m.after = *p;
      *(king ? &m.after.kings[0] : &m.after.men[0]) &= ~(1u << s);
      *(king || !m.inner ? &m.after.kings[0] : &m.after.men[0]) |= 1u << to;
      visit (arg, &m);
    }
  }
}

/* ----------------------------------------------------------------- callbacks */

typedef struct outcome {
  const draughts_game *g;
  sd_state_info *info;
  unsigned inner, left;
  bool drawn;
  int status;
  sd_slice missing;
} outcome;

static void count_move (void *arg, const step_to *m) {
  outcome *o = arg;
  if (m->inner) {
    o->inner++;
    return;
  }
  sd_value v;
  sd_slice slice;
  sd_state state;
  const sd_draughts_pos child = turn (&m->after);
  find (o->g->d, &child, &slice, &state);
  o->left++;
  int st = o->g->outside->value (o->g->outside->ctx, slice, state, &v);
  if (st != SD_OK) {
    o->status = st;
    o->missing = slice;
    return;
  }
  if (v == 0)
    o->drawn = true;
  else if (v < 0 && (o->info->win == 0 || -v < o->info->win))
    o->info->win = (uint16_t) -v; /* lost in -v - 1 */
  else if (v > 0 && v + 1 > o->info->loss)
    o->info->loss = (uint16_t) (v + 1);
}

static int draughts_init (const void *ctx, sd_state first, uint64_t count, sd_state_info *out,
                          sd_error *err) {
  const draughts_game *g = ctx;
  for (uint64_t k = 0; k < count; k++) {
    sd_state s = first + k;
    unsigned side = s >= g->shape.slots;
    sd_draughts_pos p;
    outcome o = { .g = g, .info = &out[k], .status = SD_OK };
    out[k] = (sd_state_info){ 0 };
    if (!pos_of (g->d, &g->shape, s - side * g->shape.slots, side, &p))
      continue;
    moves_of (&p, count_move, &o);
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

static void draughts_tidy (const void *ctx, bool over) {
  const draughts_game *g = ctx;
  if (g->outside->tidy)
    g->outside->tidy (g->outside->ctx, over);
}

static int draughts_game_new (const void *ctx, sd_slice slice, const sd_outside *outside, sd_game *out,
                              sd_error *err) {
  const draughts *d = ctx;
  *out = (sd_game){ 0 };
  if (slice >= SLICES)
    return sd_fail (err, SD_EINVAL, "draughts: there is no slice %ju", (uintmax_t) slice);
  const sd_draughts_slice m = sd_draughts_of_number (slice);
  SD_TRY (check_slice (&m, err));
  if (!sd_draughts_canonical (&m))
    return sd_fail (err, SD_EINVAL, "draughts: the side with more pieces, or more kings, comes first");
  draughts_game *g = sd_alloc0 (1, sizeof *g);
  if (!g)
    return sd_fail_memory (err, sizeof *g);
  g->d = d;
  g->outside = outside;
  g->both = !same (&m);
  int st = measure (&m, &g->shape, err);
  if (st != SD_OK) {
    free (g);
    return st;
  }
  sd_draughts_name (&m, g->name);
  *out = (sd_game){ .name = g->name,
                    .ctx = g,
                    .nstates = g->shape.slots * (g->both ? 2 : 1),
                    .max_moves = MAX_INNER + 1, /* drawn conversions count once */
                    .max_preds = MAX_INNER,
                    .init = draughts_init,
                    .preds = draughts_preds,
                    .succs = draughts_succs,
                    .tidy = draughts_tidy };
  return SD_OK;
}

static void draughts_game_free (sd_game *g) {
  free (g->ctx);
  *g = (sd_game){ 0 };
}

/* -------------------------------------------------------------------- slices */

static void draughts_slice_name (const void *ctx, sd_slice slice, char out[SD_SLICE_NAME]) {
  (void) ctx;
  const sd_draughts_slice m = sd_draughts_of_number (slice);
  sd_draughts_name (&m, out);
}

/* One side of a name, up to its end or a v. */
static const char *read_side (const char *p, uint8_t *men, uint8_t *kings) {
  if (*p == '-')
    return p + 1;
  const char *start = p;
  for (; *p == 'K' && p - start <= SIDE; p++)
    ++*kings;
  for (; *p == 'M' && p - start <= SIDE; p++)
    ++*men;
  return p > start ? p : NULL;
}

static int draughts_slice_of (const void *ctx, const char *name, sd_slice *out, sd_error *err) {
  const draughts *d = ctx;
  sd_draughts_slice m = { { 0, 0 }, { 0, 0 } };
  const char *p = read_side (name, &m.men[0], &m.kings[0]);
  if (p && (*p++ != 'v' || !(p = read_side (p, &m.men[1], &m.kings[1])) || *p))
    p = NULL;
  if (!p)
    return sd_fail (
        err, SD_EINVAL,
        "%s: not a slice of draughts: expected both sides' pieces, kings before men, as KKvM or Kv-", name);
  SD_TRY (check_slice (&m, err));
  if (!sd_draughts_canonical (&m))
    m = mirrored (&m);
  *out = sd_draughts_number (&m);
  return d->shape[*out].slots ? SD_OK : sd_fail (err, SD_ERANGE, "%s: has more than 2^62 slots", name);
}

static unsigned draughts_sides (const void *ctx, sd_slice slice) {
  (void) ctx;
  const sd_draughts_slice m = sd_draughts_of_number (slice);
  return same (&m) ? 1 : 2;
}

/* Every way in which a move changes the pieces: a man may become a king, and any of the other side's pieces
 * may go; a few of these moves no piece can make. */
static unsigned draughts_below (const void *ctx, sd_slice slice, sd_slice *out, unsigned room) {
  (void) ctx;
  const sd_draughts_slice m = sd_draughts_of_number (slice);
  unsigned n = 0;
  for (unsigned mover = 0; mover < 2; mover++)
    for (unsigned crowned = 0; crowned <= (m.men[mover] > 0); crowned++)
      for (unsigned men = 0; men <= m.men[!mover]; men++)
        for (unsigned kings = 0; kings <= m.kings[!mover]; kings++) {
          if (crowned + men + kings == 0)
            continue;
          sd_draughts_slice to = m;
          to.men[mover] = (uint8_t) (to.men[mover] - crowned);
          to.kings[mover] = (uint8_t) (to.kings[mover] + crowned);
          to.men[!mover] = (uint8_t) (to.men[!mover] - men);
          to.kings[!mover] = (uint8_t) (to.kings[!mover] - kings);
          if (to.men[0] + to.kings[0] + to.men[1] + to.kings[1] == 0)
            continue;
          if (!sd_draughts_canonical (&to))
            to = mirrored (&to);
          if (n < room)
            out[n] = sd_draughts_number (&to);
          n++;
        }
  return n;
}

static unsigned draughts_all (const void *ctx, unsigned pieces, sd_slice *out, unsigned room) {
  (void) ctx;
  const unsigned n = sd_draughts_order (pieces, NULL, 0);
  sd_draughts_slice *m = sd_alloc (n, sizeof *m);
  if (!m)
    return 0;
  sd_draughts_order (pieces, m, n);
  for (unsigned i = 0; i < n && i < room; i++)
    out[i] = sd_draughts_number (&m[i]);
  free (m);
  return n;
}

/* ---------------------------------------------------------------------- text */

/* Square s of the mover as players number it: 1..32, line by line from Black's first rank to White's, on
 * which White sees 29 at his left. White moves up. */
static unsigned number_of (unsigned s, bool black) {
  const unsigned t = black ? 31 - s : s;
  return (7 - t / 4) * 4 + t % 4 + 1;
}
static unsigned square_of (unsigned number, bool black) {
  const unsigned t = (7 - (number - 1) / 4) * 4 + (number - 1) % 4;
  return black ? 31 - t : t;
}

static char *put_number (char *out, unsigned n) {
  if (n > 9)
    *out++ = (char) ('0' + n / 10);
  *out++ = (char) ('0' + n % 10);
  return out;
}

static int no_position (const char *text, const char *why, sd_error *err) {
  return sd_fail (
      err, SD_EINVAL,
      "%.80s: no position of draughts: %s; an example: 'W:WK29,30:BK1,7' (White to move; kings on 29 "
      "and 1, men on 30 and 7)",
      text, why);
}

static bool starts_piece (char c) {
  return c == 'K' || (c >= '0' && c <= '9');
}

/* The pieces of a colour: "WK29,30". */
static const char *read_pieces (const char *p, bool black, uint32_t *men, uint32_t *kings) {
  bool more = starts_piece (*p);
  while (more) {
    const bool king = *p == 'K';
    unsigned n = 0;
    p += king;
    for (unsigned k = 0; k < 2 && *p >= '0' && *p <= '9'; k++)
      n = 10 * n + (unsigned) (*p++ - '0');
    if (n < 1 || n > 32)
      return NULL;
    const uint32_t bit = 1u << square_of (n, black);
    if ((*men | *kings) & bit)
      return NULL;
    *(king ? kings : men) |= bit;
    more = *p == ',';
    p += more;
  }
  return p;
}

static int draughts_parse (const void *ctx, const char *text, sd_slice *slice, sd_state *state, bool *turned,
                           sd_error *err) {
  sd_draughts_pos p = { { 0, 0 }, { 0, 0 } };
  bool seen[2] = { false, false };
  const char *at = text;
  if (*at != 'W' && *at != 'B')
    return no_position (text, "it does not start with W or B, the side to move", err);
  const bool black = *turned = *at++ == 'B';
  for (unsigned k = 0; k < 2; k++) {
    if (*at != ':' || (at[1] != 'W' && at[1] != 'B'))
      return no_position (text, "expected ':' and then W or B with this side's pieces", err);
    const unsigned other = (at[1] == 'B') != black; /* not the player to move */
    if (seen[other])
      return no_position (text, "one side stands there twice", err);
    seen[other] = true;
    at = read_pieces (at + 2, black, &p.men[other], &p.kings[other]);
    if (!at)
      return no_position (text, "squares are numbers from 1 to 32, none twice, K before kings", err);
  }
  if (*at == '.')
    at++;
  if (*at)
    return no_position (text, "there is more behind its end", err);
  if (p.men[0] >> LAST_RANK || (p.men[1] & 0xf))
    return no_position (text, "a man stands on his last rank", err);
  return sd_draughts_find (ctx, &p, slice, state) == SD_OK
             ? SD_OK
             : no_position (text, "one piece at least, 12 a side at most, none on another", err);
}

static char *put_pieces (char *out, uint32_t men, uint32_t kings) {
  bool any = false;
  for (unsigned n = 1; n <= 32; n++) {
    const uint32_t bit = 1u << square_of (n, false);
    if (!((men | kings) & bit))
      continue;
    if (any)
      *out++ = ',';
    if (kings & bit)
      *out++ = 'K';
    out = put_number (out, n);
    any = true;
  }
  return out;
}

/* Always as White to move. */
static bool draughts_print (const void *ctx, sd_slice slice, sd_state state, char out[SD_POSITION_TEXT]) {
  sd_draughts_pos p;
  if (!position (ctx, slice, state, &p))
    return false;
  memcpy (out, "W:W", 3); /* 24 pieces take 4 characters each at most: 104 in all */
  out = put_pieces (out + 3, p.men[0], p.kings[0]);
  memcpy (out, ":B", 2);
  *put_pieces (out + 2, p.men[1], p.kings[1]) = 0;
  return true;
}

typedef struct told {
  const draughts *d;
  void (*visit) (void *arg, const sd_game_move *move);
  void *arg;
  bool black;
} told;

static void tell_move (void *arg, const step_to *m) {
  told *t = arg;
  sd_game_move move = { .known = false };
  const sd_draughts_pos child = turn (&m->after);
  char *text = move.text;
  const bool jumps =
      m->len > 2 || m->path[0] / 4 == m->path[1] / 4 + 2 || m->path[1] / 4 == m->path[0] / 4 + 2;
  for (unsigned k = 0; k < m->len; k++) { /* 13 squares and 12 signs */
    if (k)
      *text++ = jumps ? 'x' : '-';
    text = put_number (text, number_of (m->path[k], t->black));
  }
  find (t->d, &child, &move.slice, &move.state);
  t->visit (t->arg, &move);
}

static bool draughts_moves (const void *ctx, sd_slice slice, sd_state state, bool turned, sd_value *end,
                            void (*visit) (void *arg, const sd_game_move *move), void *arg) {
  sd_draughts_pos p;
  told t = { .d = ctx, .visit = visit, .arg = arg, .black = turned };
  if (!position (ctx, slice, state, &p))
    return false;
  moves_of (&p, tell_move, &t);
  *end = -1; /* who cannot move has lost */
  return true;
}

static void draughts_close (void *ctx) {
  free (ctx);
}

const sd_game_kind sd_game_draughts = {
  .name = "draughts",
  .summary = "English draughts (checkers, 8 x 8)",
  .slices = "what both sides have, K a king and M a man, kings first: KKvM; Kv- against nobody",
  .positions = "side to move, then both sides' pieces by the numbers of their squares, kings with K: "
               "'W:WK29,30:BK1,7'",
  .open = draughts_open,
  .close = draughts_close,
  .fingerprint = draughts_fingerprint,
  .slice_name = draughts_slice_name,
  .slice_of = draughts_slice_of,
  .below = draughts_below,
  .all = draughts_all,
  .sides = draughts_sides,
  .game = draughts_game_new,
  .game_free = draughts_game_free,
  .parse = draughts_parse,
  .print = draughts_print,
  .moves = draughts_moves,
};
