/* What cannot be computed without solving an ending: which part of its positions is decided, how long the
 * longest mate is, how many bytes the table takes, how much time.
 *
 * Up to 5 men the first two are published results, by side to move in 1/10,000 of the positions, and in plies
 * (counts that come with Syzygy's tables; Scid's summary of Nalimov's). */
#include "config.h"
#include "gen/estimate_internal.h"
#include <math.h>
#include <string.h>

typedef struct result {
  char name[8];
  uint16_t decided[2], plies;
} result;

/* clang-format off */
static const result results[] = {
  { "KQvK", { 10000, 8968 }, 20 }, { "KRvK", { 10000, 9003 }, 32 }, { "KBvK", { 0, 0 }, 0 },
  { "KNvK", { 0, 0 }, 0 }, { "KPvK", { 7651, 5809 }, 56 }, { "KQvKQ", { 4220, 4220 }, 25 },
  { "KQvKR", { 9920, 9417 }, 70 }, { "KQvKB", { 9969, 7688 }, 34 }, { "KQvKN", { 9935, 8048 }, 42 },
  { "KQvKP", { 9937, 8792 }, 57 }, { "KRvKR", { 2979, 2979 }, 38 }, { "KRvKB", { 3512, 323 }, 58 },
  { "KRvKN", { 4833, 1089 }, 80 }, { "KRvKP", { 9160, 8250 }, 85 }, { "KBvKB", { 0, 0 }, 1 },
  { "KBvKN", { 0, 0 }, 1 }, { "KBvKP", { 524, 2357 }, 57 }, { "KNvKN", { 0, 0 }, 1 },
  { "KNvKP", { 1294, 3256 }, 57 }, { "KPvKP", { 6658, 6658 }, 66 }, { "KQQvK", { 10000, 9793 }, 20 },
  { "KQRvK", { 10000, 9896 }, 32 }, { "KQBvK", { 10000, 9062 }, 20 }, { "KQNvK", { 10000, 9036 }, 20 },
  { "KQPvK", { 10000, 9715 }, 56 }, { "KRRvK", { 10000, 9971 }, 32 }, { "KRBvK", { 10000, 9120 }, 32 },
  { "KRNvK", { 10000, 9082 }, 32 }, { "KRPvK", { 10000, 9754 }, 56 }, { "KBBvK", { 4926, 4119 }, 38 },
  { "KBNvK", { 9951, 8190 }, 66 }, { "KBPvK", { 9595, 8322 }, 62 }, { "KNNvK", { 1, 0 }, 1 },
  { "KNPvK", { 9630, 8150 }, 56 }, { "KPPvK", { 9839, 9209 }, 64 }, { "KQQvKQ", { 9918, 6724 }, 60 },
  { "KQQvKR", { 9999, 9980 }, 70 }, { "KQQvKB", { 10000, 9995 }, 34 }, { "KQQvKN", { 10000, 9991 }, 42 },
  { "KQQvKP", { 10000, 9935 }, 60 }, { "KQRvKQ", { 9724, 7877 }, 134 }, { "KQRvKR", { 9988, 8234 }, 70 },
  { "KQRvKB", { 9997, 8837 }, 58 }, { "KQRvKN", { 9989, 9225 }, 80 }, { "KQRvKP", { 10000, 9864 }, 134 },
  { "KQBvKQ", { 5596, 3771 }, 66 }, { "KQBvKR", { 9938, 7249 }, 80 }, { "KQBvKB", { 9974, 8022 }, 34 },
  { "KQBvKN", { 9945, 8327 }, 42 }, { "KQBvKP", { 9999, 8588 }, 66 }, { "KQNvKQ", { 5043, 3775 }, 82 },
  { "KQNvKR", { 9929, 7280 }, 81 }, { "KQNvKB", { 9976, 7911 }, 34 }, { "KQNvKN", { 9939, 8218 }, 42 },
  { "KQNvKP", { 9990, 8503 }, 82 }, { "KQPvKQ", { 6879, 4880 }, 247 }, { "KQPvKR", { 9971, 9386 }, 86 },
  { "KQPvKB", { 9988, 8325 }, 58 }, { "KQPvKN", { 9967, 8752 }, 60 }, { "KQPvKP", { 10000, 9271 }, 244 },
  { "KRRvKQ", { 6322, 6304 }, 98 }, { "KRRvKR", { 9929, 6659 }, 62 }, { "KRRvKB", { 9927, 7760 }, 58 },
  { "KRRvKN", { 9972, 8503 }, 80 }, { "KRRvKP", { 10000, 9429 }, 99 }, { "KRBvKQ", { 5206, 7442 }, 140 },
  { "KRBvKR", { 4126, 592 }, 129 }, { "KRBvKB", { 9818, 6888 }, 60 }, { "KRBvKN", { 9893, 7596 }, 80 },
  { "KRBvKP", { 9906, 8294 }, 139 }, { "KRNvKQ", { 5888, 8029 }, 138 }, { "KRNvKR", { 3671, 640 }, 81 },
  { "KRNvKB", { 9772, 6763 }, 62 }, { "KRNvKN", { 9898, 7536 }, 80 }, { "KRNvKP", { 9847, 8290 }, 135 },
  { "KRPvKQ", { 8816, 9288 }, 207 }, { "KRPvKR", { 6698, 4561 }, 148 }, { "KRPvKB", { 9640, 6739 }, 146 },
  { "KRPvKN", { 9749, 7530 }, 108 }, { "KRPvKP", { 9963, 9351 }, 205 }, { "KBBvKQ", { 7985, 9713 }, 162 },
  { "KBBvKR", { 1657, 278 }, 61 }, { "KBBvKB", { 1564, 137 }, 44 }, { "KBBvKN", { 4823, 3388 }, 156 },
  { "KBBvKP", { 4977, 4587 }, 165 }, { "KBNvKQ", { 9356, 9829 }, 106 }, { "KBNvKR", { 2619, 532 }, 81 },
  { "KBNvKB", { 2554, 125 }, 78 }, { "KBNvKN", { 3212, 385 }, 213 }, { "KBNvKP", { 9455, 7702 }, 208 },
  { "KBPvKQ", { 8851, 9718 }, 100 }, { "KBPvKR", { 3274, 2685 }, 89 }, { "KBPvKB", { 4130, 1310 }, 101 },
  { "KBPvKN", { 5662, 2697 }, 209 }, { "KBPvKP", { 9044, 7622 }, 134 }, { "KNNvKQ", { 5722, 9398 }, 144 },
  { "KNNvKR", { 39, 624 }, 81 }, { "KNNvKB", { 2, 0 }, 7 }, { "KNNvKN", { 8, 1 }, 13 },
  { "KNNvKP", { 3360, 2639 }, 229 }, { "KNPvKQ", { 8810, 9773 }, 124 }, { "KNPvKR", { 3066, 3148 }, 133 },
  { "KNPvKB", { 3884, 1191 }, 85 }, { "KNPvKN", { 4919, 2278 }, 194 }, { "KNPvKP", { 8629, 7267 }, 115 },
  { "KPPvKQ", { 8738, 9847 }, 247 }, { "KPPvKR", { 7995, 8181 }, 107 }, { "KPPvKB", { 5437, 2464 }, 86 },
  { "KPPvKN", { 6470, 3761 }, 100 }, { "KPPvKP", { 8962, 8102 }, 254 }, { "KQQQvK", { 10000, 9604 }, 8 },
  { "KQQRvK", { 10000, 9694 }, 12 }, { "KQQBvK", { 10000, 9733 }, 16 }, { "KQQNvK", { 10000, 9761 }, 18 },
  { "KQQPvK", { 10000, 9794 }, 20 }, { "KQRRvK", { 10000, 9803 }, 14 }, { "KQRBvK", { 10000, 9832 }, 32 },
  { "KQRNvK", { 10000, 9858 }, 32 }, { "KQRPvK", { 10000, 9892 }, 32 }, { "KQBBvK", { 10000, 9497 }, 38 },
  { "KQBNvK", { 10000, 9889 }, 66 }, { "KQBPvK", { 10000, 9878 }, 62 }, { "KQNNvK", { 10000, 9093 }, 18 },
  { "KQNPvK", { 10000, 9897 }, 54 }, { "KQPPvK", { 10000, 9933 }, 64 }, { "KRRRvK", { 10000, 9910 }, 14 },
  { "KRRBvK", { 10000, 9922 }, 32 }, { "KRRNvK", { 10000, 9937 }, 32 }, { "KRRPvK", { 10000, 9966 }, 32 },
  { "KRBBvK", { 10000, 9570 }, 38 }, { "KRBNvK", { 10000, 9953 }, 66 }, { "KRBPvK", { 10000, 9937 }, 62 },
  { "KRNNvK", { 10000, 9148 }, 32 }, { "KRNPvK", { 10000, 9946 }, 54 }, { "KRPPvK", { 10000, 9975 }, 64 },
  { "KBBBvK", { 7395, 6841 }, 38 }, { "KBBNvK", { 9998, 9594 }, 66 }, { "KBBPvK", { 9833, 9317 }, 62 },
  { "KBNNvK", { 9998, 9159 }, 68 }, { "KBNPvK", { 10000, 9917 }, 66 }, { "KBPPvK", { 9980, 9873 }, 64 },
  { "KNNNvK", { 9873, 7499 }, 42 }, { "KNNPvK", { 9838, 8799 }, 56 }, { "KNPPvK", { 9998, 9897 }, 64 },
  { "KPPPvK", { 9994, 9937 }, 66 },
};
/* clang-format on */

static bool find (const sd_material *m, sd_outlook *out) {
  char name[16];
  sd_material_name (m, name);
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    if (strcmp (results[i].name, name) == 0) {
      *out = (sd_outlook){ true,
                           { results[i].decided[0] / 1e4, results[i].decided[1] / 1e4 },
                           results[i].plies };
      return true;
    }
  return false;
}

/* ---------------------------------------------------------- six and seven men */

/* What the models look at. The stronger side is the one with more: queen 9, rook 5, minor pieces 3, pawn 2.
 */
typedef struct features {
  unsigned strong;    /* colour */
  double more, least; /* by how much; what the weaker side has */
  unsigned pieces, strong_pawns;
  bool pawns, weak_pawns, bare, both_queens;
  bool even;  /* no pawn of the stronger side, and less than a rook's worth more: mostly drawn */
  bool mates; /* the stronger side can force mate if the weaker one has nothing */
} features;

static double worth (const uint8_t *count) {
  return 9. * count[SD_QUEEN] + 5. * count[SD_ROOK] + 3. * (count[SD_BISHOP] + count[SD_KNIGHT])
         + 2. * count[SD_PAWN];
}

static features features_of (const sd_material *m) {
  const double white = worth (m->count[SD_WHITE]), black = worth (m->count[SD_BLACK]);
  features f = { .strong = white >= black ? SD_WHITE : SD_BLACK,
                 .more = fabs (white - black),
                 .least = fmin (white, black) };
  const uint8_t *a = m->count[f.strong], *b = m->count[1 - f.strong];
  f.pieces = sd_material_men (m) - 2;
  f.strong_pawns = a[SD_PAWN];
  f.weak_pawns = b[SD_PAWN];
  f.pawns = f.strong_pawns || f.weak_pawns;
  f.bare = f.least == 0;
  f.both_queens = a[SD_QUEEN] && b[SD_QUEEN];
  f.even = !f.strong_pawns && f.more < 3.5;
  f.mates = a[SD_QUEEN] || a[SD_ROOK] || a[SD_PAWN] || a[SD_BISHOP] + (a[SD_KNIGHT] > 0) >= 2;
  return f;
}

/* A logistic regression over the 145 endings above: 0.12 off (root of the mean square), 0.135 where it has
 * not seen the ending. */
static double decided (const features *f, bool strong_moves) {
  const double few = fmin (f->more, 4), own = strong_moves;
  double z = -3.440 + 0.412 * few + 0.505 * (fmin (fmax (f->more, 4), 10) - 4) + own * (0.342 + 0.305 * few);
  if (f->even)
    z -= 0.343 + 0.300 * own;
  if (!f->mates)
    z -= 2.731;
  if (f->bare)
    z += 1.906;
  if (f->weak_pawns)
    z += 1.976;
  z += 0.613 * f->strong_pawns + 2.241 / 5 * f->least;
  if (f->both_queens)
    z -= 1.876 - 0.036 * own;
  return 1 / (1 + exp (-z));
}

/* A regression of the logarithm, over the same endings: within a factor of 1.9 (likewise); KRNvKNN takes 3.4
 * times as long. */
static double longest (const features *f) {
  double z = 2.667 + 0.013 * log1p (f->more) + 0.187 / 5 * f->least + 0.386 * f->pieces;
  z += 0.881 * f->pawns - 0.478 * f->bare + 0.584 * (!f->pawns && f->more > 0 && f->more < 3.5)
       - 1.636 * !f->mates;
  return exp (z);
}

void sd_estimate_outlook (const sd_material *m, sd_outlook *out) {
  if (find (m, out))
    return;
  const features f = features_of (m);
  *out = (sd_outlook){ .published = false, .plies = (unsigned) longest (&f) };
  for (unsigned side = 0; side < 2; side++)
    out->decided[side] = decided (&f, side == f.strong);
}

/* -------------------------------------------------------------- bytes, seconds */

/* A regression of the logarithm over 36 tables with 3 to 5 men: the more is decided and the longer it takes,
 * the more bytes; 1.6 times too few (KBBvK) or too many (KQPvK) at most, 1.76 where it has not seen the
 * table. */
double sd_estimate_density (const sd_material *m, const sd_outlook *o) {
  const features f = features_of (m);
  unsigned equal = 0;
  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned type = SD_PAWN; type <= SD_QUEEN; type++)
      equal += m->count[colour][type] > 1;
  const double part = fmax ((o->decided[0] + o->decided[1]) / 2, 1e-5), plies = o->plies > 4 ? o->plies : 4;
  return exp (-2.962 + 0.608 * log (part) + 0.297 * log (plies) - 0.064 * equal + 0.286 * !f.bare);
}

/* Looking at each state, sending a mark, passing a record by in an iteration: by six endings with 5 men, on
 * one core (papers/retrograde), 30 % off at most where no three pieces are equal; coding a slot, a byte:
 * least squares over how long coding the 40 tables with 3 to 5 men took. */
double sd_estimate_seconds (uint64_t states, uint64_t marks, unsigned iterations, uint64_t file_bytes) {
  const double n = (double) states;
  return 2.8e-8 * n + 9e-9 * (double) marks + 2e-11 * n * iterations + 2.8e-8 * n
         + 1.0e-6 * (double) file_bytes;
}
