/* What cannot be computed without solving an ending: which part of its positions is decided, how long the
 * longest mate is, how often neighbours are decided together, how many bytes the table takes, how much time.
 *
 * Up to 5 men the first two are published results, by side to move in 1/10,000 of the positions, and in plies
 * (counts that come with Syzygy's tables; Scid's summary of Nalimov's). The third, in 1/1,000, is ours:
 * fitted to the words that the marks of 96 solved endings take between 2, 3, 8 and 64 ranks, counted over
 * 6,000 words of 64 places each and more; estimate_runs.c is then within some per cent of these, but for
 * deals in which hardly a mark leaves its rank. 0: not known. */
#include "config.h"
#include "gen/estimate_internal.h"
#include <math.h>
#include <string.h>

typedef struct result {
  char name[8];
  uint16_t decided[2], plies, together[2];
} result;

/* clang-format off */
static const result results[] = {
  { "KQvK", { 10000, 8968 }, 20, { 521, 443 } }, { "KRvK", { 10000, 9003 }, 32, { 374, 323 } },
  { "KBvK", { 0, 0 }, 0, { 0, 0 } }, { "KNvK", { 0, 0 }, 0, { 0, 0 } },
  { "KPvK", { 7651, 5809 }, 56, { 249, 216 } }, { "KQvKQ", { 4220, 4220 }, 25, { 0, 0 } },
  { "KQvKR", { 9920, 9417 }, 70, { 163, 224 } }, { "KQvKB", { 9969, 7688 }, 34, { 301, 384 } },
  { "KQvKN", { 9935, 8048 }, 42, { 261, 224 } }, { "KQvKP", { 9937, 8792 }, 57, { 364, 320 } },
  { "KRvKR", { 2979, 2979 }, 38, { 0, 0 } }, { "KRvKB", { 3512, 323 }, 58, { 126, 59 } },
  { "KRvKN", { 4833, 1089 }, 80, { 107, 1 } }, { "KRvKP", { 9160, 8250 }, 85, { 236, 197 } },
  { "KBvKB", { 0, 0 }, 1, { 0, 0 } }, { "KBvKN", { 0, 0 }, 1, { 0, 0 } },
  { "KBvKP", { 524, 2357 }, 57, { 1, 1 } }, { "KNvKN", { 0, 0 }, 1, { 0, 0 } },
  { "KNvKP", { 1294, 3256 }, 57, { 18, 64 } }, { "KPvKP", { 6658, 6658 }, 66, { 0, 0 } },
  { "KQQvK", { 10000, 9793 }, 20, { 575, 516 } }, { "KQRvK", { 10000, 9896 }, 32, { 498, 384 } },
  { "KQBvK", { 10000, 9062 }, 20, { 447, 405 } }, { "KQNvK", { 10000, 9036 }, 20, { 405, 377 } },
  { "KQPvK", { 10000, 9715 }, 56, { 367, 384 } }, { "KRRvK", { 10000, 9971 }, 32, { 535, 447 } },
  { "KRBvK", { 10000, 9120 }, 32, { 416, 367 } }, { "KRNvK", { 10000, 9082 }, 32, { 391, 323 } },
  { "KRPvK", { 10000, 9754 }, 56, { 245, 228 } }, { "KBBvK", { 4926, 4119 }, 38, { 204, 185 } },
  { "KBNvK", { 9951, 8190 }, 66, { 304, 283 } }, { "KBPvK", { 9595, 8322 }, 62, { 182, 165 } },
  { "KNNvK", { 1, 0 }, 1, { 0, 0 } }, { "KNPvK", { 9630, 8150 }, 56, { 175, 165 } },
  { "KPPvK", { 9839, 9209 }, 64, { 412, 341 } }, { "KQQvKQ", { 9918, 6724 }, 60, { 507, 298 } },
  { "KQQvKR", { 9999, 9980 }, 70, { 733, 332 } }, { "KQQvKB", { 10000, 9995 }, 34, { 832, 401 } },
  { "KQQvKN", { 10000, 9991 }, 42, { 839, 377 } }, { "KQQvKP", { 10000, 9935 }, 60, { 658, 516 } },
  { "KQRvKQ", { 9724, 7877 }, 134, { 214, 273 } }, { "KQRvKR", { 9988, 8234 }, 70, { 354, 298 } },
  { "KQRvKB", { 9997, 8837 }, 58, { 412, 341 } }, { "KQRvKN", { 9989, 9225 }, 80, { 439, 341 } },
  { "KQRvKP", { 10000, 9864 }, 134, { 596, 391 } }, { "KQBvKQ", { 5596, 3771 }, 66, { 236, 364 } },
  { "KQBvKR", { 9938, 7249 }, 80, { 275, 288 } }, { "KQBvKB", { 9974, 8022 }, 34, { 391, 374 } },
  { "KQBvKN", { 9945, 8327 }, 42, { 380, 367 } }, { "KQBvKP", { 9999, 8588 }, 66, { 447, 401 } },
  { "KQNvKQ", { 5043, 3775 }, 82, { 204, 370 } }, { "KQNvKR", { 9929, 7280 }, 81, { 242, 278 } },
  { "KQNvKB", { 9976, 7911 }, 34, { 374, 384 } }, { "KQNvKN", { 9939, 8218 }, 42, { 367, 367 } },
  { "KQNvKP", { 9990, 8503 }, 82, { 398, 377 } }, { "KQPvKQ", { 6879, 4880 }, 247, { 111, 304 } },
  { "KQPvKR", { 9971, 9386 }, 86, { 204, 283 } }, { "KQPvKB", { 9988, 8325 }, 58, { 318, 341 } },
  { "KQPvKN", { 9967, 8752 }, 60, { 323, 296 } }, { "KQPvKP", { 10000, 9271 }, 244, { 431, 338 } },
  { "KRRvKQ", { 6322, 6304 }, 98, { 143, 312 } }, { "KRRvKR", { 9929, 6659 }, 62, { 204, 263 } },
  { "KRRvKB", { 9927, 7760 }, 58, { 283, 301 } }, { "KRRvKN", { 9972, 8503 }, 80, { 320, 285 } },
  { "KRRvKP", { 10000, 9429 }, 99, { 431, 312 } }, { "KRBvKQ", { 5206, 7442 }, 140, { 134, 304 } },
  { "KRBvKR", { 4126, 592 }, 129, { 166, 126 } }, { "KRBvKB", { 9818, 6888 }, 60, { 222, 224 } },
  { "KRBvKN", { 9893, 7596 }, 80, { 201, 236 } }, { "KRBvKP", { 9906, 8294 }, 139, { 335, 301 } },
  { "KRNvKQ", { 5888, 8029 }, 138, { 117, 296 } }, { "KRNvKR", { 3671, 640 }, 81, { 145, 192 } },
  { "KRNvKB", { 9772, 6763 }, 62, { 226, 261 } }, { "KRNvKN", { 9898, 7536 }, 80, { 201, 251 } },
  { "KRNvKP", { 9847, 8290 }, 135, { 285, 247 } }, { "KRPvKQ", { 8816, 9288 }, 207, { 122, 296 } },
  { "KRPvKR", { 6698, 4561 }, 148, { 149, 263 } }, { "KRPvKB", { 9640, 6739 }, 146, { 197, 263 } },
  { "KRPvKN", { 9749, 7530 }, 108, { 197, 216 } }, { "KRPvKP", { 9963, 9351 }, 205, { 304, 254 } },
  { "KBBvKQ", { 7985, 9713 }, 162, { 182, 335 } }, { "KBBvKR", { 1657, 278 }, 61, { 128, 187 } },
  { "KBBvKB", { 1564, 137 }, 44, { 126, 76 } }, { "KBBvKN", { 4823, 3388 }, 156, { 113, 126 } },
  { "KBBvKP", { 4977, 4587 }, 165, { 220, 175 } }, { "KBNvKQ", { 9356, 9829 }, 106, { 168, 332 } },
  { "KBNvKR", { 2619, 532 }, 81, { 79, 240 } }, { "KBNvKB", { 2554, 125 }, 78, { 105, 1 } },
  { "KBNvKN", { 3212, 385 }, 213, { 90, 1 } }, { "KBNvKP", { 9455, 7702 }, 208, { 138, 125 } },
  { "KBPvKQ", { 8851, 9718 }, 100, { 232, 344 } }, { "KBPvKR", { 3274, 2685 }, 89, { 126, 323 } },
  { "KBPvKB", { 4130, 1310 }, 101, { 180, 240 } }, { "KBPvKN", { 5662, 2697 }, 209, { 174, 184 } },
  { "KBPvKP", { 9044, 7622 }, 134, { 249, 214 } }, { "KNNvKQ", { 5722, 9398 }, 144, { 156, 329 } },
  { "KNNvKR", { 39, 624 }, 81, { 1, 254 } }, { "KNNvKB", { 2, 0 }, 7, { 0, 0 } },
  { "KNNvKN", { 8, 1 }, 13, { 0, 0 } }, { "KNNvKP", { 3360, 2639 }, 229, { 1, 1 } },
  { "KNPvKQ", { 8810, 9773 }, 124, { 238, 348 } }, { "KNPvKR", { 3066, 3148 }, 133, { 105, 304 } },
  { "KNPvKB", { 3884, 1191 }, 85, { 174, 242 } }, { "KNPvKN", { 4919, 2278 }, 194, { 159, 185 } },
  { "KNPvKP", { 8629, 7267 }, 115, { 234, 185 } }, { "KPPvKQ", { 8738, 9847 }, 247, { 0, 0 } },
  { "KPPvKR", { 7995, 8181 }, 107, { 0, 0 } }, { "KPPvKB", { 5437, 2464 }, 86, { 210, 283 } },
  { "KPPvKN", { 6470, 3761 }, 100, { 180, 222 } }, { "KPPvKP", { 8962, 8102 }, 254, { 0, 0 } },
  { "KQQQvK", { 10000, 9604 }, 8, { 0, 0 } }, { "KQQRvK", { 10000, 9694 }, 12, { 0, 0 } },
  { "KQQBvK", { 10000, 9733 }, 16, { 0, 0 } }, { "KQQNvK", { 10000, 9761 }, 18, { 0, 0 } },
  { "KQQPvK", { 10000, 9794 }, 20, { 0, 0 } }, { "KQRRvK", { 10000, 9803 }, 14, { 0, 0 } },
  { "KQRBvK", { 10000, 9832 }, 32, { 0, 0 } }, { "KQRNvK", { 10000, 9858 }, 32, { 0, 0 } },
  { "KQRPvK", { 10000, 9892 }, 32, { 0, 0 } }, { "KQBBvK", { 10000, 9497 }, 38, { 0, 0 } },
  { "KQBNvK", { 10000, 9889 }, 66, { 0, 0 } }, { "KQBPvK", { 10000, 9878 }, 62, { 0, 0 } },
  { "KQNNvK", { 10000, 9093 }, 18, { 0, 0 } }, { "KQNPvK", { 10000, 9897 }, 54, { 0, 0 } },
  { "KQPPvK", { 10000, 9933 }, 64, { 0, 0 } }, { "KRRRvK", { 10000, 9910 }, 14, { 0, 0 } },
  { "KRRBvK", { 10000, 9922 }, 32, { 0, 0 } }, { "KRRNvK", { 10000, 9937 }, 32, { 0, 0 } },
  { "KRRPvK", { 10000, 9966 }, 32, { 0, 0 } }, { "KRBBvK", { 10000, 9570 }, 38, { 0, 0 } },
  { "KRBNvK", { 10000, 9953 }, 66, { 0, 0 } }, { "KRBPvK", { 10000, 9937 }, 62, { 0, 0 } },
  { "KRNNvK", { 10000, 9148 }, 32, { 0, 0 } }, { "KRNPvK", { 10000, 9946 }, 54, { 0, 0 } },
  { "KRPPvK", { 10000, 9975 }, 64, { 0, 0 } }, { "KBBBvK", { 7395, 6841 }, 38, { 0, 0 } },
  { "KBBNvK", { 9998, 9594 }, 66, { 0, 0 } }, { "KBBPvK", { 9833, 9317 }, 62, { 0, 0 } },
  { "KBNNvK", { 9998, 9159 }, 68, { 0, 0 } }, { "KBNPvK", { 10000, 9917 }, 66, { 0, 0 } },
  { "KBPPvK", { 9980, 9873 }, 64, { 0, 0 } }, { "KNNNvK", { 9873, 7499 }, 42, { 0, 0 } },
  { "KNNPvK", { 9838, 8799 }, 56, { 0, 0 } }, { "KNPPvK", { 9998, 9897 }, 64, { 0, 0 } },
  { "KPPPvK", { 9994, 9937 }, 66, { 0, 0 } },
};
/* clang-format on */

static const result *find (const sd_material *m) {
  char name[16];
  sd_material_name (m, name);
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    if (strcmp (results[i].name, name) == 0)
      return &results[i];
  return NULL;
}

/* ---------------------------------------------------------- six and seven men */

/* What the models look at. The stronger side is the one with more: queen 9, rook 5, minor pieces 3, pawn 2.
 */
typedef struct features {
  unsigned strong;    /* colour */
  double more, least; /* by how much; what the weaker side has */
  unsigned pieces, strong_pawns;
  bool pawns, weak_pawns, bare, both_queens;
  bool even;   /* no pawn of the stronger side, and less than a rook's worth more: mostly drawn */
  bool mates;  /* the stronger side can force mate if the weaker one has nothing */
  bool knight; /* the piece that makes a row is one */
} features;

static double worth (const uint8_t *count) {
  return 9. * count[SD_QUEEN] + 5. * count[SD_ROOK] + 3. * (count[SD_BISHOP] + count[SD_KNIGHT])
         + 2. * count[SD_PAWN];
}

/* Whose piece is the last one of the name: Black's, if he has one. */
static unsigned last_colour (const sd_material *m) {
  unsigned men = 0;
  for (unsigned type = SD_PAWN; type <= SD_QUEEN; type++)
    men += m->count[SD_BLACK][type];
  return men ? SD_BLACK : SD_WHITE;
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
  const uint8_t *last = m->count[last_colour (m)];
  f.knight = last[SD_KNIGHT] && !last[SD_PAWN];
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

/* A regression of the log-odds over the endings with such numbers above: 0.55 off (root of the mean square),
 * 0.57 where it has not seen the ending; that is a fifth of the words or so. */
static double together (const features *f, const sd_outlook *o) {
  const double part = fmax ((o->decided[0] + o->decided[1]) / 2, 1e-3), plies = o->plies > 8 ? o->plies : 8;
  const double z =
      -0.755 + 0.492 * log (part) - 0.147 * log (plies) + 0.100 * fmin (f->more, 12) - 0.167 * f->knight;
  return 1 / (1 + exp (-z));
}

void sd_estimate_outlook (const sd_material *m, sd_outlook *out) {
  const features f = features_of (m);
  const result *r = find (m);
  *out = (sd_outlook){ .published = r, .plies = r ? r->plies : (unsigned) longest (&f) };
  for (unsigned side = 0; side < 2; side++)
    out->decided[side] = r ? r->decided[side] / 1e4 : decided (&f, side == f.strong);
  for (unsigned side = 0; side < 2; side++)
    out->together[side] = r && r->together[side] ? r->together[side] / 1e3 : together (&f, out);
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
