/* The index: a digit for each group of men. The leading group is brought to one part of the board by the
 * board's symmetries; each further group takes combinations of the squares that the groups before it have
 * left. So every slot has a placement, and the way back is a walk over the digits. A probe goes from squares
 * to the slot (sd_syzygy_index_of), a writer and a check of all slots the other way; neither allocates. Which
 * man stands where in the digits is the file's choice, for each sub-table and side. */
#include "config.h"
#include "syzygy/syzygy.h"
#include <string.h>

/* Placements of three different men, up to symmetry: the first one off the diagonal on 6 squares, the others
 * anywhere; the first one on it, the second below it; both on it, the third below; all three on it. Together
 * 31,332. */
enum {
  TRIPLES_OFF = 6 * 63 * 62,
  TRIPLES_ONE = 4 * 28 * 62,
  TRIPLES_TWO = 4 * 7 * 28,
  TRIPLES_ALL = 4 * 7 * 6
};
enum { TRIPLES = TRIPLES_OFF + TRIPLES_ONE + TRIPLES_TWO + TRIPLES_ALL, KINGS = 462, NO_KINGS = 65535 };

static unsigned file_of (unsigned sq) {
  return sq & 7;
}
static unsigned rank_of (unsigned sq) {
  return sq >> 3;
}
static unsigned transposed (unsigned sq) {
  return rank_of (sq) | file_of (sq) << 3;
}
static bool on_diagonal (unsigned sq) {
  return file_of (sq) == rank_of (sq);
}
static bool adjacent (unsigned a, unsigned b) { /* or equal */
  return a == b || (sd_king_attacks (a) & sd_bit (b));
}

/* ------------------------------------------------------- numbers of squares */

/* The 462 placements of two kings up to symmetry, where there are no three single men to lead. */
static void number_kings (sd_syzygy_squares *s) {
  unsigned n = 0;
  memset (s->kings, 255, sizeof s->kings);
  for (unsigned both = 0; both < 2; both++) /* pairs with both on the diagonal come last */
    for (unsigned c = 0; c < 10; c++)
      for (unsigned b = 0; b < 64; b++) {
        const unsigned a = s->corner_square[c];
        /* One of two mirror images: a first king on the diagonal has the second on it or below it. */
        if (adjacent (a, b) || (on_diagonal (a) && rank_of (b) > file_of (b))
            || (on_diagonal (a) && on_diagonal (b)) != both)
          continue;
        s->kings_square[n][0] = (uint8_t) a;
        s->kings_square[n][1] = (uint8_t) b;
        s->kings[c][b] = (uint16_t) n++;
      }
}

void sd_syzygy_squares_init (sd_syzygy_squares *s) {
  memset (s, 0, sizeof *s);
  /* Pascal's triangle. */
  for (unsigned n = 0; n < 65; n++)
    for (unsigned k = 0; k < SD_MAX_MEN; k++)
      s->choose[k][n] = k == 0 ? 1 : n == 0 ? 0 : s->choose[k][n - 1] + s->choose[k - 1][n - 1];
  /* Of the ten squares a1-d1-d4 the six below the diagonal have the lower numbers. */
  unsigned below = 0, corner = 0, diagonal = 6;
  for (unsigned sq = 0; sq < 64; sq++) {
    if (file_of (sq) > rank_of (sq)) {
      s->below_square[below] = (uint8_t) sq;
      s->below[sq] = (uint8_t) below++;
    }
    if (file_of (sq) < 4 && file_of (sq) >= rank_of (sq)) {
      unsigned *n = on_diagonal (sq) ? &diagonal : &corner;
      s->corner_square[*n] = (uint8_t) sq;
      s->corner[sq] = (uint8_t) (*n)++;
    }
  }
  number_kings (s);
  /* The leading pawn is the one with the largest number: nearest to the edge, then to the first rank. */
  unsigned n = 48; /* a2 h2 a3 h3 .. a7 h7 b2 g2 .. e7, falling */
  for (unsigned f = 0; f < 4; f++)
    for (unsigned r = 1; r < 7; r++)
      for (unsigned mirrored = 0; mirrored < 2; mirrored++) {
        const unsigned sq = 8 * r + (mirrored ? 7 - f : f);
        s->pawn_square[--n] = (uint8_t) sq;
        s->pawn[sq] = (uint8_t) n;
      }
}

/* ------------------------------------------------------------------ groups */

static unsigned type_of (unsigned code) {
  return (code & 7) - 1;
}
static unsigned colour_of (unsigned code) {
  return code >> 3;
}

unsigned sd_syzygy_leading_colour (const sd_material *m) {
  const unsigned w = m->count[SD_WHITE][SD_PAWN], b = m->count[SD_BLACK][SD_PAWN];
  return b && (!w || b < w) ? SD_BLACK : SD_WHITE;
}

/* Men of the leading group. */
static unsigned leading_men (const sd_material *m) {
  unsigned single = 0;
  if (sd_material_has_pawns (m))
    return m->count[sd_syzygy_leading_colour (m)][SD_PAWN];
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = 0; t < 6; t++)
      single += m->count[c][t] == 1;
  /* Three men of which there is one each, if there are so many; else the kings. */
  return single >= 3 ? 3 : 2;
}

/* Does the order have each man of the material once, equal men side by side? Its places follow. */
static bool place_men (sd_syzygy_index *ix, const sd_material *m) {
  unsigned start[2][6], at = 0, left[2][6];
  /* Where the men of each kind begin in the list of squares: the order of the material's name. */
  for (unsigned c = 0; c < 2; c++)
    for (int t = SD_KING; t >= SD_PAWN; t--) {
      start[c][t] = at;
      at += left[c][t] = m->count[c][t];
    }
  for (unsigned i = 0; i < ix->men; i++) {
    const unsigned code = ix->order.man[i], t = type_of (code), c = colour_of (code);
    if ((code & 7) < 1 || (code & 7) > 6 || c > 1 || !left[c][t])
      return false;
    /* A man of a kind that has begun must stand right behind its like. */
    if (left[c][t] < m->count[c][t] && ix->order.man[i - 1] != code)
      return false;
    ix->place[i] = (uint8_t) (start[c][t] + m->count[c][t] - left[c][t]--);
  }
  return true;
}

/* A file that begins with other men would number other placements than readers look up. */
static bool lead_as_must_be (const sd_syzygy_index *ix, const sd_material *m, unsigned count) {
  const uint8_t *man = ix->order.man;
  if (ix->pawns)
    return man[0] == sd_syzygy_code (sd_syzygy_leading_colour (m), SD_PAWN);
  /* Without pawns: the two kings, or three men of which there is one each. */
  for (unsigned i = 0; i < count; i++)
    if (count == 2 ? type_of (man[i]) != SD_KING : m->count[colour_of (man[i])][type_of (man[i])] != 1)
      return false;
  return true;
}

/* Groups behind the leading one, with their radices. */
static bool make_groups (sd_syzygy_index *ix, const sd_material *m, unsigned lead) {
  const unsigned second = ix->pawns ? m->count[!sd_syzygy_leading_colour (m)][SD_PAWN] : 0;
  unsigned at = lead, n = 1;

  if (second && type_of (ix->order.man[lead]) != SD_PAWN)
    return false;

  while (at < ix->men) {
    sd_syzygy_group *g = &ix->group[n];
    *g = (sd_syzygy_group){ .first = (uint8_t) at, .count = 1 };
    while (at + g->count < ix->men && ix->order.man[at + g->count] == ix->order.man[at])
      g->count++;
    /* Combinations of the squares that the groups before it have left; of pawns 48 squares are to be had. */
    g->radix = ix->squares->choose[g->count][(n == 1 && second ? 48 : 64) - at];
    at += g->count;
    n++;
  }

  ix->ngroups = n;
  /* A file says a place for a second group of pawns exactly if there is one. */
  return (ix->order.pawns == SD_SYZYGY_NO_PAWNS) == (second == 0);
}

static void lead_pawns (sd_syzygy_index *ix) {
  uint32_t sum = 0;
  /* By the leading pawn's rank: the other pawns take combinations of the squares with lower numbers. */
  for (unsigned r = 0; r < 6; r++) {
    ix->pawn_base[r] = sum;
    sum += ix->squares->choose[ix->group[0].count - 1][ix->squares->pawn[8 * (r + 1) + ix->file]];
  }
  ix->group[0].radix = sum;
}

/* Digits from the least significant one: the leading groups where the order says, the others between them. */
static bool make_strides (sd_syzygy_index *ix) {
  const unsigned lead = ix->order.lead, pawns = ix->order.pawns;
  unsigned next = pawns == SD_SYZYGY_NO_PAWNS ? 1 : 2;
  if (lead >= ix->ngroups || lead == pawns || (next == 2 && pawns >= ix->ngroups))
    return false;
  uint64_t stride = 1;
  /* The k-th digit from the end is the leading group's, the second pawns', or that of the next other
   * group. */
  for (unsigned k = 0; k < ix->ngroups; k++) {
    sd_syzygy_group *g = &ix->group[k == lead ? 0 : k == pawns ? 1 : next++];
    g->stride = stride;
    stride *= g->radix; /* below 64^7 */
  }
  ix->slots = stride;
  return true;
}

/* The order comes from a file or from a writer's search; what is refused is said without a file's name. */
int sd_syzygy_index_init (sd_syzygy_index *ix, const sd_syzygy_squares *squares, const sd_material *m,
                          unsigned file, const sd_syzygy_order *order, sd_error *err) {
  *ix = (sd_syzygy_index){ .squares = squares, .order = *order, .men = sd_material_men (m), .file = file };
  ix->pawns = sd_material_has_pawns (m);
  const unsigned lead = leading_men (m);
  if (ix->men < 3 || ix->men > SD_MAX_MEN || !place_men (ix, m) || !lead_as_must_be (ix, m, lead))
    return sd_fail (err, SD_EINVAL, "the order of the men does not hold the ending, or begins otherwise");

  ix->group[0] = (sd_syzygy_group){ .first = 0, .count = (uint8_t) lead };
  if (ix->pawns)
    lead_pawns (ix);
  else
    ix->group[0].radix = lead == 3 ? TRIPLES : KINGS;
  if (!make_groups (ix, m, lead) || !make_strides (ix))
    return sd_fail (err, SD_EINVAL, "the order of the men names no digits with %u and %u", order->lead,
                    order->pawns);
  return SD_OK;
}

/* ------------------------------------------------------- placement -> slot */

/* The place of the leading pawn among n squares. */
static unsigned leading_pawn (const sd_syzygy_squares *s, const uint8_t *sq, unsigned n) {
  unsigned best = 0;
  for (unsigned i = 1; i < n; i++)
    if (s->pawn[sq[i]] > s->pawn[sq[best]])
      best = i;
  return best;
}

unsigned sd_syzygy_file_of (const sd_syzygy_squares *s, const sd_material *m, const uint8_t *sq) {
  if (!sd_material_has_pawns (m))
    return 0;
  const unsigned c = sd_syzygy_leading_colour (m), n = m->count[c][SD_PAWN];
  const uint8_t *pawns = sq; /* the last men of their colour */
  /* Pawns are the last men of their colour in the name. */
  for (unsigned colour = 0; colour <= c; colour++)
    for (unsigned t = 0; t < 6; t++)
      pawns += m->count[colour][t];
  pawns -= n;
  const unsigned f = file_of (pawns[leading_pawn (s, pawns, n)]);
  return f > 3 ? 7 - f : f;
}

/* Rising; there are seven men at most. */
static void sort (uint8_t *v, unsigned n) {
  for (unsigned i = 1; i < n; i++)
    for (unsigned k = i; k > 0 && v[k - 1] > v[k]; k--) {
      const uint8_t x = v[k];
      v[k] = v[k - 1];
      v[k - 1] = x;
    }
}

/* All seven places, men or not: one vector, and no bound that a compiler could doubt. */
static void flip (uint8_t p[SD_MAX_MEN], unsigned mask) {
  for (unsigned i = 0; i < SD_MAX_MEN; i++)
    p[i] ^= (uint8_t) mask;
}

/* The leading man to a1-d1-d4, and the first man of the group that is off the diagonal below it. All men are
 * turned with it, since they stand on one board. */
static void bring_home (const sd_syzygy_index *ix, uint8_t p[SD_MAX_MEN]) {
  flip (p, (p[0] & 4 ? 7 : 0) | (p[0] & 32 ? 56 : 0));
  /* A mirror image at the diagonal only where the first man off it stands above. */
  unsigned i = 0;
  while (i < ix->group[0].count && on_diagonal (p[i]))
    i++;
  if (i == ix->group[0].count || rank_of (p[i]) < file_of (p[i]))
    return;
  for (unsigned k = 0; k < SD_MAX_MEN; k++)
    p[k] = (uint8_t) transposed (p[k]);
}

/* Counts in the order of TRIPLES_OFF to TRIPLES_ALL; triple_squares () is the way back. */
static unsigned triple_number (const sd_syzygy_squares *s, const uint8_t *p) {
  const unsigned over = p[1] > p[0], over2 = (unsigned) (p[2] > p[0]) + (p[2] > p[1]);
  /* The first man below the diagonal: the others stand anywhere. `over`: squares before theirs that are
   * taken. */
  if (!on_diagonal (p[0]))
    return (s->corner[p[0]] * 63u + p[1] - over) * 62 + p[2] - over2;
  /* The first on the diagonal, the second below it; then both on it and the third below; then all three on
   * it. */
  if (!on_diagonal (p[1]))
    return TRIPLES_OFF + (rank_of (p[0]) * 28 + s->below[p[1]]) * 62 + p[2] - over2;
  const unsigned pair = rank_of (p[0]) * 7 + rank_of (p[1]) - over;
  if (!on_diagonal (p[2]))
    return TRIPLES_OFF + TRIPLES_ONE + pair * 28 + s->below[p[2]];
  return TRIPLES_OFF + TRIPLES_ONE + TRIPLES_TWO + pair * 6 + rank_of (p[2]) - over2;
}

/* The leading pawn comes to the front; the others by rising numbers, all below its own. */
static uint32_t pawns_number (const sd_syzygy_index *ix, uint8_t *p) {
  const sd_syzygy_squares *s = ix->squares;
  const unsigned n = ix->group[0].count, best = leading_pawn (s, p, n);

  /* The rest of the pawns may have any order, as they are sorted by their numbers. */

  const uint8_t leader = p[best];
  p[best] = p[0];
  p[0] = leader;
  if (file_of (leader) > 3)
    flip (p, 7);
  uint8_t number[SD_MAX_MEN];
  for (unsigned i = 1; i < n; i++)
    number[i - 1] = s->pawn[p[i]];
  sort (number, n - 1);

  uint32_t v = ix->pawn_base[rank_of (p[0]) - 1];
  for (unsigned i = 0; i + 1 < n; i++)
    v += s->choose[i + 1][number[i]];
  return v;
}

static uint64_t leading_number (const sd_syzygy_index *ix, uint8_t *p) {
  if (ix->pawns)
    return pawns_number (ix, p);
  bring_home (ix, p);
  return ix->group[0].count == 3 ? triple_number (ix->squares, p)
                                 : ix->squares->kings[ix->squares->corner[p[0]]][p[1]];
}

/* Squares that are no squares of a digit's men: the first rank, where these are pawns. */
static unsigned skipped (const sd_syzygy_index *ix, unsigned g) {
  return g == 1 && ix->order.pawns != SD_SYZYGY_NO_PAWNS ? 8 : 0;
}

uint64_t sd_syzygy_index_of (const sd_syzygy_index *ix, const uint8_t *sq) {
  uint8_t p[SD_MAX_MEN] = { 0 };
  for (unsigned i = 0; i < ix->men; i++)
    p[i] = sq[ix->place[i]];

  uint64_t slot = leading_number (ix, p) * ix->group[0].stride, taken = 0;
  for (unsigned i = 0; i < ix->group[0].count; i++)
    taken |= sd_bit (p[i]);
  /* Each further group counts only the squares that are still free, so that no slot has two men on a
   * square. */
  for (unsigned k = 1; k < ix->ngroups; k++) {
    const sd_syzygy_group *g = &ix->group[k];
    uint8_t *v = p + g->first;
    uint64_t number = 0, own = 0;
    /* Equal men in one order: their colexicographic number. */
    sort (v, g->count);
    for (unsigned i = 0; i < g->count; i++) {
      const unsigned lower = (unsigned) __builtin_popcountll (taken & (sd_bit (v[i]) - 1));
      number += ix->squares->choose[i + 1][v[i] - lower - skipped (ix, k)];
      own |= sd_bit (v[i]);
    }
    taken |= own;
    slot += number * g->stride;
  }
  return slot;
}

/* ------------------------------------------------------- slot -> placement */

/* The combination of k numbers below n that has this number, falling. */
static void combination (const sd_syzygy_squares *s, uint64_t number, unsigned k, unsigned n, uint8_t *out) {
  /* Largest first: the largest n with C (n, k) not above the number. */
  for (; k > 0; k--) {
    do
      n--;
    while (s->choose[k][n] > number);
    number -= s->choose[k][n];
    *out++ = (uint8_t) n;
  }
}

static void triple_squares (const sd_syzygy_squares *s, unsigned v, uint8_t *p) {
  /* Backwards through the four cases of triple_number (). */
  if (v < TRIPLES_OFF) {
    p[0] = s->corner_square[v / (63 * 62)];
    p[1] = (uint8_t) (v / 62 % 63);
    p[1] += p[1] >= p[0];
    p[2] = (uint8_t) (v % 62);
  } else if ((v -= TRIPLES_OFF) < TRIPLES_ONE) {
    p[0] = (uint8_t) (9 * (v / (28 * 62)));
    p[1] = s->below_square[v / 62 % 28];
    p[2] = (uint8_t) (v % 62);
  } else {
    const bool two = (v -= TRIPLES_ONE) < TRIPLES_TWO;
    const unsigned last = two ? 28 : 6, pair = (two ? v : v - TRIPLES_TWO) / last;
    const unsigned a = pair / 7, b = pair % 7 + (pair % 7 >= a), low = a < b ? a : b, high = a < b ? b : a;
    unsigned c = (two ? v : v - TRIPLES_TWO) % last;
    p[0] = (uint8_t) (9 * a);
    p[1] = (uint8_t) (9 * b);
    if (!two) {
      c += c >= low;
      c += c >= high;
    }
    p[2] = two ? s->below_square[c] : (uint8_t) (9 * c);
    return;
  }
  /* The third man's number leaves out the squares of the first two. */
  const uint8_t low = p[0] < p[1] ? p[0] : p[1], high = p[0] < p[1] ? p[1] : p[0];
  p[2] += p[2] >= low;
  p[2] += p[2] >= high;
}

/* p[0..n-1] from the number of the leading group; always at home, so that nothing is turned. */
static void leading_squares (const sd_syzygy_index *ix, uint32_t v, uint8_t *p) {
  const sd_syzygy_squares *s = ix->squares;
  const unsigned n = ix->group[0].count;

  if (!ix->pawns) {
    if (n == 3)
      triple_squares (s, v, p);
    else
      memcpy (p, s->kings_square[v], 2);
    return;
  }
  /* The rank whose placements hold this number. */
  unsigned r = 5;
  while (ix->pawn_base[r] > v)
    r--;
  p[0] = (uint8_t) (8 * (r + 1) + ix->file);
  combination (s, v - ix->pawn_base[r], n - 1, s->pawn[p[0]], p + 1);
  for (unsigned i = 1; i < n; i++)
    p[i] = s->pawn_square[p[i]];
}

/* The square with this many squares below it that are not taken. */
static unsigned free_square (uint64_t taken, unsigned rank) {
  for (; taken; taken &= taken - 1)
    if (sd_lowest (taken) <= rank)
      rank++;
  return rank;
}

void sd_syzygy_index_squares (const sd_syzygy_index *ix, uint64_t i, uint8_t *sq) {
  uint8_t p[SD_MAX_MEN];
  uint64_t taken = 0;

  leading_squares (ix, (uint32_t) (i / ix->group[0].stride % ix->group[0].radix), p);
  for (unsigned k = 0; k < ix->group[0].count; k++)
    taken |= sd_bit (p[k]);
  for (unsigned k = 1; k < ix->ngroups; k++) {
    const sd_syzygy_group *g = &ix->group[k];
    uint64_t own = 0;
    combination (ix->squares, i / g->stride % g->radix, g->count, 64 - g->first, p + g->first);
    for (unsigned j = g->first; j < g->first + (unsigned) g->count; j++) {
      /* From a number among free squares to the square. */
      p[j] = (uint8_t) free_square (taken, p[j] + skipped (ix, k));
      own |= sd_bit (p[j]);
    }
    taken |= own;
  }
  for (unsigned k = 0; k < ix->men; k++)
    sq[ix->place[k]] = p[k];
}
