/* What cannot be computed without solving an ending: which part of its positions is decided, how long the
 * longest mate is, how often neighbours are decided together, how many bytes the table takes, how much time.
 *
 * Up to 5 men the first two are published results, by side to move in 1/10,000 of the positions, and in plies
 * (counts that come with Syzygy's tables; longest mates, mostly from Scid's summary of Nalimov's tables:
 * tests/data). The third, in 1/1,000, is ours (marks_together.csv): fitted to the words that the marks of 74
 * solved endings take between 2, 3, 8 and 64 ranks, counted over 6,000 words of 64 places each and more, and
 * of eight endings with 4 men and pawns to the messages between 3 and 8 ranks; estimate_runs.c is then within
 * some per cent of these, but for deals in which hardly a mark leaves its rank. 0: not known. */
#include "config.h"
#include "gen/estimate_internal.h"
#include <math.h>
#include <string.h>

typedef struct result {
  char name[8];
  uint16_t decided[2], plies, together[2];
} result;

static const result results[] = {
#include "gen/published.inc" /* made by gen/published.awk */
};

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

/* The piece that counts fastest in the generator's layout. */
static unsigned last_type (const sd_material *m) {
  sd_layout layout;
  sd_layout_kings_first (m, &layout);
  return layout.group[layout.ngroups - 1].type;
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
  f.knight = last_type (m) == SD_KNIGHT;
  f.mates = a[SD_QUEEN] || a[SD_ROOK] || a[SD_PAWN] || a[SD_BISHOP] + (a[SD_KNIGHT] > 0) >= 2;
  return f;
}

/* A logistic regression over these 145 endings: 0.12 off (root of the mean square), 0.135 where it has
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

/* A regression of the log-odds over 96 endings, 22 of which had a pawn in the place of their last piece: 0.55
 * off (root of the mean square), 0.57 where it has not seen the ending; that is a fifth of the words or so.
 * Messages of KNNvKP, KBNvKP, KRNvKP and KQNvKP between 3 ranks: 0.97 to 1.20 of those sent. */
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
 * the more bytes. Of 52 tables with 4 and 5 men as they are coded now, all but those of KNNvKN, KNNvKB and
 * KNNvKR, which are small for their slots, have 0.65 to 1.35 of the bytes. */
double sd_estimate_density (const sd_material *m, const sd_outlook *o) {
  const features f = features_of (m);
  unsigned equal = 0;
  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned type = SD_PAWN; type <= SD_QUEEN; type++)
      equal += m->count[colour][type] > 1;
  const double part = fmax ((o->decided[0] + o->decided[1]) / 2, 1e-5), plies = o->plies > 4 ? o->plies : 4;
  return exp (-2.88 + 0.608 * log (part) + 0.297 * log (plies) - 0.064 * equal + 0.286 * !f.bare);
}

/* Looking at each state, sending a mark, passing a record by in an iteration; coding a slot, a byte: by the
 * same 52 tables on one core (EPYC 9004), of which the sum took 0.45 (KPvKP, KBBBvK) to 1.4 times as long. */
double sd_estimate_seconds (uint64_t states, uint64_t marks, unsigned iterations, uint64_t file_bytes) {
  const double n = (double) states;
  return 1.0e-8 * n + 2.6e-9 * (double) marks + 1.05e-10 * n * iterations + 2.3e-9 * n
         + 9.5e-8 * (double) file_bytes;
}
