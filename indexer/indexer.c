/* Position <-> index (Zakharov 2015, 1.3, Syzygy item 7, Kristensen 2005, 2.3): mixed radix over groups of
 * pieces, most significant first.
 *
 * Everything that depends on squares is a table made once: for each group and each of the 8 board symmetries
 * the digit of every square. An index is then one look-up, one multiplication and one addition a group.
 * Symmetry: t = mirror files (1), mirror ranks (2), then transpose (4); the leader decides t. With the leader
 * on the diagonal both t and t ^ 4 serve, and the smaller index wins, so the canonical slot is defined
 * without naming a "first piece off the diagonal", which groups of equal pieces would make ambiguous. Equal
 * pieces: colexicographic rank of their digits. */
#include "config.h"
#include "indexer/indexer_internal.h"
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------- symmetries */

/* Constant expressions, so that the table is read-only data: no thread has to wait until another one has
 * filled it. */
#define FILES_MIRRORED(t, sq) ((t) &1 ? (sq) ^ 7 : (sq))
#define MIRRORED(t, sq) ((t) &2 ? FILES_MIRRORED (t, sq) ^ 56 : FILES_MIRRORED (t, sq))
#define TURNED(t, sq) ((t) &4 ? (MIRRORED (t, sq) >> 3) | (MIRRORED (t, sq) & 7) << 3 : MIRRORED (t, sq))
#define ROW(t, sq)                                                                                           \
  TURNED (t, sq), TURNED (t, sq + 1), TURNED (t, sq + 2), TURNED (t, sq + 3), TURNED (t, sq + 4),            \
      TURNED (t, sq + 5), TURNED (t, sq + 6), TURNED (t, sq + 7)
#define BOARD(t)                                                                                             \
  { ROW (t, 0), ROW (t, 8), ROW (t, 16), ROW (t, 24), ROW (t, 32), ROW (t, 40), ROW (t, 48), ROW (t, 56) }
const uint8_t sd_ix_turned[8][64] = { BOARD (0), BOARD (1), BOARD (2), BOARD (3),
                                      BOARD (4), BOARD (5), BOARD (6), BOARD (7) };

/* -------------------------------------------------- square numberings */

/* Bits of file and rank in turn, the highest first. */
static unsigned z_value (unsigned f, unsigned r) {
  unsigned v = 0;
  for (unsigned b = 3; b-- > 0;)
    v = v << 2 | ((f >> b) & 1) << 1 | ((r >> b) & 1);
  return v;
}

/* The number of a square on Hilbert's curve through the board, 0 at a1 and 63 at h1. rx and ry say in which
 * quarter the square lies; along the curve these come as (0,0), (0,1), (1,1), (1,0), which is 3 rx ^ ry. */
static unsigned hilbert_value (unsigned x, unsigned y) {
  unsigned d = 0;
  /* From the largest quarter to the smallest; the curve is turned so that quarters join. */
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

/* The numberings that Kristensen 2005 (2.6) prints, Z and folded, in closed form; and others. */
static unsigned numbering_value (unsigned numbering, unsigned sq) {
  unsigned f = sq & 7, r = sq >> 3;
  switch (numbering) {
  case SD_Z:
    return z_value (f, r);
  case SD_FOLDED_Z:
    return 32 * (f > 3) + 16 * (r > 3) + z_value (f > 3 ? 7 - f : f, r > 3 ? 7 - r : r);
  case SD_HILBERT:
    return hilbert_value (f, r);
  case SD_FILES:
    return 8 * f + r;
  default:
    return sq;
  }
}

/* Where symmetry can bring the leader: files a-d with pawns, without them a1-d1-d4, the diagonal included. */
static bool in_region (bool pawns, unsigned sq) {
  unsigned f = sq & 7, r = sq >> 3;
  return f < 4 && (pawns || r <= f);
}

/* Number the squares of a domain in the order of the numbering's values. */
static void number_squares (const sd_indexer *ix, const sd_group *g, bool confined, sd_digit *d) {
  uint8_t by_value[64];
  for (unsigned sq = 0; sq < 64; sq++)
    by_value[numbering_value (g->numbering, sq)] = (uint8_t) sq;
  /* Where no man of the group can stand there is no rank, and no lookup of a placement asks for one. */
  memset (d->rank, SD_NO_RANK, sizeof d->rank);
  /* Squares that men of the group cannot stand on get no number: pawns' ranks, what symmetry leaves out. */
  for (unsigned v = 0; v < 64; v++) {
    unsigned sq = by_value[v];
    if (g->type == SD_PAWN && (sq < 8 || sq >= 56))
      continue;
    if (confined && !in_region (ix->pawns, sq))
      continue;
    d->square[d->domain] = (uint8_t) sq;
    d->rank[0][sq] = d->domain++;
  }
  /* Turned tables, so that a lookup turns no square. */
  for (unsigned t = 1; t < 8; t++)
    for (unsigned sq = 0; sq < 64; sq++)
      d->rank[t][sq] = d->rank[0][sd_ix_transform (t, sq)];
}

/* The digit of both kings: all placements in which White's king is home and the two are not adjacent, by the
 * numbers of White's square and then of Black's. Kept as tables, since no formula leaves out adjacent
 * squares. */
static void number_kings (sd_indexer *ix, sd_digit *d) {
  memset (ix->pair, 0xff, sizeof ix->pair);
  unsigned n = 0;
  for (unsigned a = 0; a < d->domain; a++) {
    unsigned white = d->square[a];
    if (!in_region (ix->pawns, white))
      continue;
    for (unsigned b = 0; b < d->domain; b++) {
      unsigned black = d->square[b];
      /* With White's king on the diagonal one of two mirror images has Black's on it or below it. */
      bool below = (black >> 3) <= (black & 7);
      if (sd_ix_adjacent (white, black) || (!ix->pawns && (white & 7) == (white >> 3) && !below))
        continue;
      ix->pair[white][black] = (uint16_t) n;
      ix->pair_square[n][0] = (uint8_t) white;
      ix->pair_square[n][1] = (uint8_t) black;
      n++;
    }
  }
  d->radix = n;
}

/* Thousands of table entries are computed, so that an indexer is made once for a table or an ending. */
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

  /* Pascal's triangle, for combinations of equal men. */
  for (unsigned n = 0; n <= 64; n++) {
    ix->choose[n][0] = 1;
    for (unsigned k = 1; k <= SD_MAX_MEN; k++)
      ix->choose[n][k] = n == 0 ? 0 : ix->choose[n - 1][k - 1] + ix->choose[n - 1][k];
  }

  /* Where the men of each group stand in the list of squares, which has the order of the name. */
  static const uint8_t name_order[6] = { SD_KING, SD_QUEEN, SD_ROOK, SD_BISHOP, SD_KNIGHT, SD_PAWN };
  uint8_t first[2][6];
  unsigned place = 0;
  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned k = 0; k < 6; k++) {
      unsigned type = name_order[k];
      first[colour][type] = (uint8_t) place;
      place += type == SD_KING ? 1 : l->material.count[colour][type];
    }

  /* The leader is one man, or the pair of kings, of which White's is confined. */
  ix->white_king = first[SD_WHITE][SD_KING];
  ix->black_king = first[SD_BLACK][SD_KING];
  const sd_group *leader = &l->group[l->leader];
  ix->leader_at = leader->kind == SD_GROUP_KINGS ? ix->white_king : first[leader->colour][leader->type];

  /* A digit a group: which squares it covers, their numbers, how many values it has. */
  ix->alone = true;
  for (unsigned i = 0; i < ix->ngroups; i++) {
    const sd_group *g = &l->group[i];
    sd_digit *d = &ix->digit[i];
    d->kings = g->kind == SD_GROUP_KINGS;
    d->count = g->count;
    ix->alone &= d->count == 1 && !d->kings;
    for (unsigned k = 0; k < g->count; k++)
      d->at[k] = (uint8_t) (d->kings ? (k ? ix->black_king : ix->white_king) : first[g->colour][g->type] + k);
    /* The pair of kings is confined by number_kings (): Black's king may stand anywhere. */
    number_squares (ix, g, !d->kings && i == l->leader, d);
    if (d->kings)
      number_kings (ix, d);
    else
      d->radix = ix->choose[d->domain][d->count];
  }

  uint64_t n = 1;
  /* Mixed radix: the last group runs fastest. */
  for (unsigned i = ix->ngroups; i-- > 0;) {
    ix->digit[i].stride = n;
    if (sd_mul (n, ix->digit[i].radix, &n)) { /* 7 men need at most 2^43, so this is a matter of principle */
      free (ix);
      return sd_fail (err, SD_ERANGE, "layout: the index needs more than 64 bits");
    }
  }

  ix->n = n;
  /* Only the last two digits change places; whatever stands before them keeps its stride. */
  ix->span = l->around ? 64ull * ix->digit[ix->ngroups - 2].radix : 0;
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
/* What codecs are told that look at the digits of an index (sd_seq.radix). */
unsigned sd_indexer_shape (const sd_indexer *ix, uint32_t radix[SD_MAX_RADICES]) {
  const unsigned n = ix->ngroups;
  for (unsigned i = 0; i < n; i++)
    radix[i] = ix->digit[i].radix;
  if (!ix->span)
    return n;
  /* A digit that stands around another one is two digits of 8. */
  radix[n - 1] = radix[n - 2];
  radix[n - 2] = radix[n] = 8;
  return n + 1;
}

/* ------------------------------------------------------------------ use */

uint64_t sd_ix_equal_men (const sd_indexer *ix, const sd_digit *d, unsigned t, const uint8_t *sq) {
  uint8_t v[SD_MAX_MEN];
  /* The colexicographic rank: sum of C (v_k, k + 1) over the rising numbers. */
  for (unsigned k = 0; k < d->count; k++) { /* insertion sort, then the rank */
    const uint8_t x = d->rank[t][sq[d->at[k]]];
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

uint64_t sd_index_of (const sd_indexer *ix, const uint8_t *sq) {
  bool tie;
  unsigned t = sd_ix_symmetry (ix, sq, &tie);
  uint64_t i = sd_ix_index_under (ix, t, sq);
  /* The leader is on the diagonal: both of two mirror images are home, and the smaller index holds them. */
  if (tie) {
    uint64_t j = sd_ix_index_under (ix, t ^ 4, sq);
    i = i < j ? i : j;
  }
  return sd_ix_wrap (ix, i);
}

bool sd_index_squares (const sd_indexer *ix, uint64_t i, uint8_t *sq) {
  uint64_t rest = i = sd_ix_unwrap (ix, i);
  for (unsigned g = 0; g < ix->ngroups; g++) {
    const sd_digit *d = &ix->digit[g];
    uint64_t v = rest / d->stride;
    rest -= v * d->stride;
    sd_ix_digit_squares (ix, d, (uint32_t) v, sq);
  }
  /* Two men on a square, adjacent kings and the larger of two mirror images are slots of nothing. */
  return sd_ix_is_home (ix, i, sq);
}

bool sd_index_position (const sd_indexer *ix, uint64_t i, unsigned side, sd_pos *out) {
  uint8_t sq[SD_MAX_MEN];
  if (!sd_index_squares (ix, i, sq))
    return false;
  sd_pos_from_squares (&sd_indexer_layout (ix)->material, sq, side, out);
  return sd_pos_legal (out);
}
