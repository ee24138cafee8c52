/* Position <-> index (S0 Sec. 1.3, S3 item 7, S4 Sec. 2.3): mixed radix over groups of pieces, most
 * significant first.
 *
 * Everything that depends on squares is a table made once: for each group and each of the 8 board symmetries
 * the digit of every square. An index is then one look-up, one multiplication and one addition a group.
 * Symmetry: t = mirror files (1), mirror ranks (2), then transpose (4); the leader decides t. With the leader
 * on the diagonal both t and t ^ 4 serve, and the smaller index wins, so the canonical slot is defined
 * without naming a "first piece off the diagonal", which groups of equal pieces would make ambiguous. Equal
 * pieces: colexicographic rank of their digits. */
#include "config.h"
#include "indexer/indexer.h"
#include <stdlib.h>
#include <string.h>

#define NONE 255

typedef struct digit {
  uint8_t count, kings;   /* squares it covers; is it the pair of kings */
  uint8_t at[SD_MAX_MEN]; /* their places in the list of squares */
  uint32_t radix;
  uint64_t stride;
  uint8_t domain;      /* squares a single piece of it may stand on */
  uint8_t rank[8][64]; /* [symmetry][square] -> number within the domain, NONE outside */
  uint8_t square[64];  /* the inverse for symmetry 0 */
} digit;

struct sd_indexer {
  sd_layout layout;
  unsigned men, ngroups;
  bool pawns;
  uint8_t white_king, black_king; /* places in the list of squares */
  uint8_t leader_at;              /* place of the leader (White's king for the pair) */
  uint64_t n;
  digit digit[SD_MAX_GROUPS];
  uint32_t choose[65][SD_MAX_MEN + 1];
  uint16_t pair[64][64]; /* pair of kings -> digit (0xffff: none) */
  uint8_t pair_square[1806][2];
};

static unsigned transform (unsigned t, unsigned sq) {
  if (t & 1)
    sq ^= 7;
  if (t & 2)
    sq ^= 56;
  if (t & 4)
    sq = (sq >> 3) | ((sq & 7) << 3);
  return sq;
}

static bool adjacent (unsigned a, unsigned b) { /* or equal */
  int df = (int) (a & 7) - (int) (b & 7), dr = (int) (a >> 3) - (int) (b >> 3);
  return df >= -1 && df <= 1 && dr >= -1 && dr <= 1;
}

/* -------------------------------------------------- square numberings */

static unsigned z_value (unsigned f, unsigned r) {
  unsigned v = 0;
  for (unsigned b = 3; b-- > 0;)
    v = v << 2 | ((f >> b) & 1) << 1 | ((r >> b) & 1);
  return v;
}

static unsigned hilbert_value (unsigned x, unsigned y) {
  unsigned d = 0;
  for (unsigned s = 4; s > 0; s /= 2) {
    unsigned rx = (x & s) != 0, ry = (y & s) != 0;
    d += s * s * ((3 * rx) ^ ry);
    if (!ry) {
      if (rx) {
        x = 7 - x;
        y = 7 - y;
      }
      unsigned swap = x;
      x = y;
      y = swap;
    }
  }
  return d;
}

static unsigned numbering_value (unsigned numbering, unsigned sq) {
  unsigned f = sq & 7, r = sq >> 3;
  switch (numbering) {
  case SD_Z:
    return z_value (f, r);
  case SD_FOLDED_Z:
    return 32 * (f > 3) + 16 * (r > 3) + z_value (f > 3 ? 7 - f : f, r > 3 ? 7 - r : r);
  case SD_HILBERT:
    return hilbert_value (f, r);
  default:
    return sq;
  }
}

static bool in_region (bool pawns, unsigned sq) { /* where symmetry can bring the leader */
  unsigned f = sq & 7, r = sq >> 3;
  return f < 4 && (pawns || r <= f);
}

/* Number the squares of a domain in the order of the numbering's values. */
static void number_squares (const sd_indexer *ix, const sd_group *g, bool confined, digit *d) {
  uint8_t by_value[64];
  for (unsigned sq = 0; sq < 64; sq++)
    by_value[numbering_value (g->numbering, sq)] = (uint8_t) sq;
  memset (d->rank, NONE, sizeof d->rank);
  for (unsigned v = 0; v < 64; v++) {
    unsigned sq = by_value[v];
    if (g->type == SD_PAWN && (sq < 8 || sq >= 56))
      continue;
    if (confined && !in_region (ix->pawns, sq))
      continue;
    d->square[d->domain] = (uint8_t) sq;
    d->rank[0][sq] = d->domain++;
  }
  for (unsigned t = 1; t < 8; t++)
    for (unsigned sq = 0; sq < 64; sq++)
      d->rank[t][sq] = d->rank[0][transform (t, sq)];
}

static void number_kings (sd_indexer *ix, digit *d) {
  memset (ix->pair, 0xff, sizeof ix->pair);
  unsigned n = 0;
  for (unsigned a = 0; a < d->domain; a++) {
    unsigned white = d->square[a];
    if (!in_region (ix->pawns, white))
      continue;
    for (unsigned b = 0; b < d->domain; b++) {
      unsigned black = d->square[b];
      bool below = (black >> 3) <= (black & 7);
      if (adjacent (white, black) || (!ix->pawns && (white & 7) == (white >> 3) && !below))
        continue;
      ix->pair[white][black] = (uint16_t) n;
      ix->pair_square[n][0] = (uint8_t) white;
      ix->pair_square[n][1] = (uint8_t) black;
      n++;
    }
  }
  d->radix = n;
}

int sd_indexer_new (const sd_layout *l, sd_indexer **out, sd_error *err) {
  *out = NULL;
  SD_TRY (sd_layout_check (l, err));
  sd_indexer *ix = calloc (1, sizeof *ix);
  if (!ix)
    return sd_fail_memory (err, sizeof *ix);
  ix->layout = *l;
  ix->ngroups = l->ngroups;
  ix->men = sd_material_men (&l->material);
  ix->pawns = sd_material_has_pawns (&l->material);
  for (unsigned n = 0; n <= 64; n++) {
    ix->choose[n][0] = 1;
    for (unsigned k = 1; k <= SD_MAX_MEN; k++)
      ix->choose[n][k] = n == 0 ? 0 : ix->choose[n - 1][k - 1] + ix->choose[n - 1][k];
  }
  /* where the pieces of each group stand in the list of squares: the order of the name */
  static const uint8_t name_order[6] = { SD_KING, SD_QUEEN, SD_ROOK, SD_BISHOP, SD_KNIGHT, SD_PAWN };
  uint8_t first[2][6];
  unsigned place = 0;
  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned k = 0; k < 6; k++) {
      unsigned type = name_order[k];
      first[colour][type] = (uint8_t) place;
      place += type == SD_KING ? 1 : l->material.count[colour][type];
    }
  ix->white_king = first[SD_WHITE][SD_KING];
  ix->black_king = first[SD_BLACK][SD_KING];
  const sd_group *leader = &l->group[l->leader];
  ix->leader_at = leader->kind == SD_GROUP_KINGS ? ix->white_king : first[leader->colour][leader->type];

  for (unsigned i = 0; i < ix->ngroups; i++) {
    const sd_group *g = &l->group[i];
    digit *d = &ix->digit[i];
    d->kings = g->kind == SD_GROUP_KINGS;
    d->count = g->count;
    for (unsigned k = 0; k < g->count; k++)
      d->at[k] = (uint8_t) (d->kings ? (k ? ix->black_king : ix->white_king) : first[g->colour][g->type] + k);
    number_squares (ix, g, !d->kings && i == l->leader, d);
    if (d->kings)
      number_kings (ix, d);
    else
      d->radix = ix->choose[d->domain][d->count];
  }
  uint64_t n = 1;
  for (unsigned i = ix->ngroups; i-- > 0;) {
    ix->digit[i].stride = n;
    if (sd_mul (n, ix->digit[i].radix, &n)) { /* 7 men need at most 2^43, so this is a matter of principle */
      free (ix);
      return sd_fail (err, SD_ERANGE, "layout: the index needs more than 64 bits");
    }
  }
  ix->n = n;
  *out = ix;
  return SD_OK;
}

void sd_indexer_free (sd_indexer *ix) {
  free (ix);
}
const sd_layout *sd_indexer_layout (const sd_indexer *ix) {
  return &ix->layout;
}
uint64_t sd_indexer_size (const sd_indexer *ix) {
  return ix->n;
}
unsigned sd_indexer_shape (const sd_indexer *ix, uint32_t radix[SD_MAX_GROUPS]) {
  for (unsigned i = 0; i < ix->ngroups; i++)
    radix[i] = ix->digit[i].radix;
  return ix->ngroups;
}

/* ------------------------------------------------- position -> index */

/* The symmetry that brings the leader home; *tie: its transpose does so as well. */
static inline unsigned symmetry (const sd_indexer *ix, const uint8_t *sq, bool *tie) {
  unsigned s = sq[ix->leader_at], f = s & 7, r = s >> 3;
  unsigned t = f > 3;
  *tie = false;
  if (ix->pawns)
    return t;
  if (f > 3)
    f = 7 - f;
  if (r > 3) {
    t |= 2;
    r = 7 - r;
  }
  if (r > f)
    return t | 4;
  if (r == f) {
    *tie = true;
    if (ix->digit[ix->layout.leader].kings) { /* the black king decides, unless it is on the diagonal, too */
      unsigned b = transform (t, sq[ix->black_king]);
      if ((b >> 3) != (b & 7)) {
        *tie = false;
        t |= (b >> 3) > (b & 7) ? 4 : 0;
      }
    }
  }
  return t;
}

static inline uint64_t digit_value (const sd_indexer *ix, const digit *d, unsigned t, const uint8_t *sq) {
  if (d->kings)
    return ix->pair[transform (t, sq[ix->white_king])][transform (t, sq[ix->black_king])];
  const uint8_t *rank = d->rank[t];
  if (d->count == 1)
    return rank[sq[d->at[0]]];
  unsigned a = rank[sq[d->at[0]]], b = rank[sq[d->at[1]]];
  if (d->count == 2)
    return a < b ? ix->choose[b][2] + a : ix->choose[a][2] + b;
  uint8_t v[SD_MAX_MEN];
  for (unsigned k = 0; k < d->count; k++) { /* insertion sort, then the colexicographic rank */
    uint8_t x = rank[sq[d->at[k]]];
    unsigned j = k;
    for (; j > 0 && v[j - 1] > x; j--)
      v[j] = v[j - 1];
    v[j] = x;
  }
  uint64_t sum = 0;
  for (unsigned k = 0; k < d->count; k++)
    sum += ix->choose[v[k]][k + 1];
  return sum;
}

static inline uint64_t index_under (const sd_indexer *ix, unsigned t, const uint8_t *sq) {
  uint64_t i = 0;
  for (unsigned g = 0; g < ix->ngroups; g++)
    i += digit_value (ix, &ix->digit[g], t, sq) * ix->digit[g].stride;
  return i;
}

uint64_t sd_index_of (const sd_indexer *ix, const uint8_t *sq) {
  bool tie;
  unsigned t = symmetry (ix, sq, &tie);
  uint64_t i = index_under (ix, t, sq);
  if (tie) {
    uint64_t j = index_under (ix, t ^ 4, sq);
    return i < j ? i : j;
  }
  return i;
}

/* ------------------------------------------------- index -> position */

/* Squares of one digit; v < radix. */
static inline void digit_squares (const sd_indexer *ix, const digit *d, uint32_t v, uint8_t *sq) {
  if (d->kings) {
    sq[ix->white_king] = ix->pair_square[v][0];
    sq[ix->black_king] = ix->pair_square[v][1];
    return;
  }
  unsigned top = d->domain;
  for (unsigned k = d->count; k > 1; k--) { /* largest first: the largest x with C(x, k) <= v */
    unsigned x = top - 1;
    while (ix->choose[x][k] > v)
      x--;
    v -= ix->choose[x][k];
    sq[d->at[k - 1]] = d->square[x];
    top = x;
  }
  sq[d->at[0]] = d->square[v];
}

/* Do the squares stand for a placement that lives in slot i? */
static inline bool is_home (const sd_indexer *ix, uint64_t i, const uint8_t *sq) {
  uint64_t occupied = 0;
  for (unsigned k = 0; k < ix->men; k++)
    occupied |= 1ull << sq[k];
  if ((unsigned) __builtin_popcountll (occupied) != ix->men
      || adjacent (sq[ix->white_king], sq[ix->black_king]))
    return false;
  bool tie;
  symmetry (ix, sq, &tie); /* 0 by construction, but for the tie */
  return !tie || index_under (ix, 4, sq) >= i;
}

bool sd_index_squares (const sd_indexer *ix, uint64_t i, uint8_t *sq) {
  uint64_t rest = i;
  for (unsigned g = 0; g < ix->ngroups; g++) {
    const digit *d = &ix->digit[g];
    uint64_t v = rest / d->stride;
    rest -= v * d->stride;
    digit_squares (ix, d, (uint32_t) v, sq);
  }
  return is_home (ix, i, sq);
}

/* ------------------------------------------------------- reordering */

void sd_index_remap (const sd_indexer *to, const sd_indexer *from, uint64_t first, uint64_t count,
                     uint64_t *map) {
  if (count == 0)
    return;
  const unsigned last = to->ngroups - 1;
  const digit *inner = &to->digit[last];
  uint32_t v[SD_MAX_GROUPS];
  uint8_t sq[SD_MAX_MEN];
  uint64_t rest = first;
  for (unsigned g = 0; g < to->ngroups; g++) {
    v[g] = (uint32_t) (rest / to->digit[g].stride);
    rest -= v[g] * to->digit[g].stride;
    digit_squares (to, &to->digit[g], v[g], sq);
  }
  /* The last digit runs fastest. If it is a single piece that does not lead in either layout, all that
   * depends on the other pieces is computed once a row: their squares, the symmetry, the partial sum of the
   * index. */
  const digit *target = NULL; /* the same group in `from` */
  if (inner->count == 1 && !inner->kings && inner->at[0] != to->leader_at && inner->at[0] != from->leader_at)
    for (unsigned g = 0; g < from->ngroups; g++)
      if (from->digit[g].count == 1 && from->digit[g].at[0] == inner->at[0])
        target = &from->digit[g];
  uint64_t done = 0;
  while (done < count) {
    uint64_t row = inner->radix - v[last];
    if (row > count - done)
      row = count - done;
    bool quick = false, tie_to = false, tie_from = false;
    unsigned t = 0;
    uint64_t occupied = 0, sum = 0, blocked = 0;
    if (target) {
      unsigned moving = inner->at[0];
      for (unsigned k = 0; k < to->men; k++)
        if (k != moving)
          occupied |= 1ull << sq[k];
      symmetry (to, sq, &tie_to);
      t = symmetry (from, sq, &tie_from);
      quick = !tie_to && !tie_from;
      if ((unsigned) __builtin_popcountll (occupied) != to->men - 1
          || (moving != to->white_king && moving != to->black_king
              && adjacent (sq[to->white_king], sq[to->black_king]))) { /* no placement in the whole row */
        for (uint64_t k = 0; k < row; k++)
          map[done + k] = UINT64_MAX;
        quick = false;
        blocked = ~0ull;
      } else if (quick) {
        blocked = occupied;
        if (moving == to->white_king || moving == to->black_king) {
          unsigned other = sq[moving == to->white_king ? to->black_king : to->white_king];
          for (unsigned s = 0; s < 64; s++)
            if (adjacent (s, other))
              blocked |= 1ull << s;
        }
        for (unsigned g = 0; g < from->ngroups; g++)
          if (&from->digit[g] != target)
            sum += digit_value (from, &from->digit[g], t, sq) * from->digit[g].stride;
      }
    }
    if (quick) {
      const uint8_t *rank = target->rank[t];
      for (uint64_t k = 0; k < row; k++) {
        unsigned s = inner->square[v[last] + k];
        map[done + k] = (blocked >> s) & 1 ? UINT64_MAX : sum + rank[s] * target->stride;
      }
    } else if (blocked != ~0ull)
      for (uint64_t k = 0; k < row; k++) {
        digit_squares (to, inner, v[last] + (uint32_t) k, sq);
        map[done + k] = is_home (to, first + done + k, sq) ? sd_index_of (from, sq) : UINT64_MAX;
      }
    done += row;
    v[last] += (uint32_t) row - 1; /* carry */
    for (unsigned g = last; done < count; g--) {
      if (++v[g] < to->digit[g].radix) {
        digit_squares (to, &to->digit[g], v[g], sq);
        break;
      }
      v[g] = 0;
      digit_squares (to, &to->digit[g], 0, sq);
      if (g == 0)
        break;
    }
  }
}
