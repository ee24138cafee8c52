/* statistics.c - what the values of a table are, all together, whatever its codec, layout and coding.
 *
 * Idea: each unique position has a number that its men's squares make, so that a sum over all positions of a
 * hash of number and value does not depend on the order in which a file stores them, nor on how it codes
 * them. Two tables with the same sum hold the same values, but for one chance in 2^64 (recode.h says what is
 * hashed, so that other programs can repeat it). Cost: the table decoded whole, then some 0.1 us a slot. */
#include "config.h"
#include "recode/recode.h"
#include "recode/verify/whole_internal.h"

#include <stdlib.h>

enum { VALUES = 1 << 16, CHUNK = 1 << 20 };

/* ------------------------------------------------------ numbers of positions */

/* A square in one of the 8 images of the board. The first two keep the ranks, and with them the pawns. */
static unsigned image_of (unsigned square, unsigned image) {
  square ^= (image & 1 ? 7u : 0u) ^ (image & 2 ? 56u : 0u);
  return image & 4 ? (square >> 3 | square << 3) & 63 : square;
}

/* Where the groups of equal men begin, as bits: man i, if i stands in the name as another man than i - 1. */
static unsigned first_of_groups (const sd_material *m) {
  unsigned first = 0, i = 0;
  for (unsigned colour = 0; colour < 2; colour++)
    for (int type = SD_KING; type >= SD_PAWN; type--)
      if (m->count[colour][type]) {
        first |= 1u << i;
        i += m->count[colour][type];
      }
  return first;
}

static uint64_t number_in_image (const uint8_t *sq, unsigned men, unsigned first, unsigned image) {
  uint8_t at[SD_MAX_MEN];
  uint64_t number = 0;
  /* Equal men may stand in any order in a slot, but have one in the number. */
  for (unsigned i = 0; i < men; i++) {
    const uint8_t square = (uint8_t) image_of (sq[i], image);
    unsigned k = i; /* sorted in: equal men rise */
    for (; !(first >> k & 1) && at[k - 1] > square; k--)
      at[k] = at[k - 1];
    at[k] = square;
  }
  for (unsigned i = 0; i < men; i++)
    number = number << 6 | at[i];
  return number;
}

uint64_t sd_position_number (const sd_material *m, const uint8_t *sq) {
  const unsigned men = sd_material_men (m), first = first_of_groups (m);
  /* With pawns only the mirror image is the same position. */
  const unsigned images = sd_material_has_pawns (m) ? 2 : 8;
  uint64_t least = UINT64_MAX;
  for (unsigned image = 0; image < images; image++) {
    const uint64_t number = number_in_image (sq, men, first, image);
    least = number < least ? number : least;
  }
  return least;
}

/* ---------------------------------------------------------------- summing up */

/* A value with the least number of the positions that have it. */
typedef struct extreme {
  sd_value value;
  uint64_t number;
} extreme;

typedef struct sums {
  uint64_t content, positions;
  uint64_t *count; /* [VALUES] */
  extreme win, loss;
} sums;

/* The longest, of equal ones that of the position with the least number. */
static void extend (extreme *e, sd_value value, uint64_t number) {
  if (abs (value) > abs (e->value) || (value == e->value && number < e->number))
    *e = (extreme){ value, number };
}

static void add (sums *s, sd_value value, uint64_t number) {
  uint64_t state = number << 16 | (uint16_t) value;
  s->content += sd_random (&state);
  s->positions++;
  s->count[value - INT16_MIN]++;
  if (value != 0)
    extend (value > 0 ? &s->win : &s->loss, value, number);
}

static void add_all (sums *to, const sums *from) {
  to->content += from->content;
  to->positions += from->positions;
  for (unsigned v = 0; v < VALUES; v++)
    to->count[v] += from->count[v];
  if (from->win.value)
    extend (&to->win, from->win.value, from->win.number);
  if (from->loss.value)
    extend (&to->loss, from->loss.value, from->loss.number);
}

/* The values of one side to move, in the order of ix; SD_ILLEGAL where no position counts. */
typedef struct values {
  const sd_material *material;
  enum sd_metric metric;
  unsigned side;
  const sd_indexer *ix;
  const sd_value *value;
  const sd_exact *exact; /* in place of value[]: what `of` makes values of the metric of */
  sd_value (*of) (sd_value);
} values;

static inline sd_value value_at (const values *o, uint64_t i) {
  if (!o->exact)
    return o->value[i];
  const sd_value v = sd_exact_at (o->exact, o->side, i);
  return v == SD_ILLEGAL ? v : o->of (v);
}

static int sum_side (const values *o, const char *name, const sd_progress *progress, sums *all) {
  const uint64_t slots = sd_indexer_size (o->ix);
  uint64_t done = 0;
  bool memory = true;

  sd_report (progress, name, 0, slots);
#pragma omp parallel
  {
    /* Counted by each thread for itself: 512 kB each, and no lock in the loop. */
    sums own = { .count = calloc (VALUES, sizeof *own.count) };
    const bool mine = own.count != NULL;
#pragma omp for schedule(dynamic)
    for (uint64_t from = 0; from < slots; from += CHUNK) {
      const uint64_t to = slots - from < CHUNK ? slots : from + CHUNK;
      uint8_t sq[SD_MAX_MEN];
      /* A thread without memory passes over its slots, and all fails in the end. */
      for (uint64_t i = from; mine && i < to; i++) {
        const sd_value v = value_at (o, i);
        if (v != SD_ILLEGAL && sd_index_squares (o->ix, i, sq))
          add (&own, v, sd_position_number (o->material, sq));
      }
#pragma omp critical
      sd_report (progress, name, done += to - from, slots);
    }
#pragma omp critical
    if (mine)
      add_all (all, &own);
    else
      memory = false;
    free (own.count);
  }
  return memory ? SD_OK : SD_ENOMEM;
}

/* The FEN of the position of that number; "": there is none. */
static void say_position (const sd_material *m, unsigned side, const extreme *e, char *fen, size_t cap) {
  uint8_t sq[SD_MAX_MEN];
  sd_pos p;
  uint64_t number = e->number;
  fen[0] = 0;
  if (e->value == 0)
    return;
  /* The number is the squares, the last man in the lowest bits. */
  for (unsigned i = sd_material_men (m); i-- > 0; number >>= 6)
    sq[i] = number & 63;
  sd_pos_from_squares (m, sq, side, &p);
  sd_pos_to_fen (&p, fen, cap);
}

static void say_side (const values *o, const sums *s, sd_statistics *out) {
  out->positions = s->positions;
  out->content = s->content;
  out->count = s->count;
  for (int v = INT16_MIN; v <= INT16_MAX; v++)
    *(v > 0 ? &out->won : v < 0 ? &out->lost : &out->drawn) += s->count[v - INT16_MIN];
  /* Results have no longest. */
  if (!sd_metrics[o->metric].plies)
    return;
  out->longest_win = s->win.value;
  out->longest_loss = s->loss.value;
  say_position (o->material, o->side, &s->win, out->win_fen, sizeof out->win_fen);
  say_position (o->material, o->side, &s->loss, out->loss_fen, sizeof out->loss_fen);
}

static int sum_up (const values *o, const sd_progress *progress, sd_statistics *out, sd_error *err) {
  char name[32];
  sums s = { .count = calloc (VALUES, sizeof *s.count) };
  sd_table_file_name (o->material, o->metric, name);
  if (!s.count || sum_side (o, name, progress, &s) != SD_OK) {
    free (s.count);
    return sd_fail_memory (err, VALUES * sizeof *s.count);
  }
  say_side (o, &s, out);
  return SD_OK;
}

void sd_statistics_free (sd_statistics *s) {
  free (s->count);
  *s = (sd_statistics){ 0 };
}

static int refuse (const sd_table_info *info, sd_error *err) {
  if (sd_table_info_is_game (info))
    return sd_fail (err, SD_EINVAL, "%s-%s: statistics of values are made of chess tables only",
                    info->game.name, info->game.slice);
  if (info->side[0].rounded || info->side[1].rounded)
    return sd_fail (err, SD_EINVAL,
                    "the table holds rounded plies, of which no exact statistics can be made");
  return SD_OK;
}

int sd_table_statistics (const sd_tables *ts, const sd_table *t, const sd_progress *progress,
                         sd_statistics out[2], sd_error *err) {
  const sd_table_info *info = &t->info;
  sd_wholes w = { .ts = ts, .first = t, .progress = progress };

  out[0] = out[1] = (sd_statistics){ 0 };
  SD_TRY (refuse (info, err));
  int st = sd_table_check (t, err);
  if (st == SD_OK)
    st = sd_wholes_need (&w, &info->material, info->metric, err);
  for (unsigned side = 0; side < info->nsides && st == SD_OK; side++) {
    const sd_whole *o = sd_wholes_find (&w, &info->material, info->metric);
    const values v = { &info->material, info->metric, side, o->ix[side], o->value[side], NULL, NULL };
    st = sum_up (&v, progress, &out[side], err);
  }
  sd_wholes_free (&w);
  if (st != SD_OK)
    for (unsigned side = 0; side < 2; side++)
      sd_statistics_free (&out[side]);
  return st;
}

int sd_exact_statistics (const sd_exact *e, enum sd_metric metric, const sd_progress *progress,
                         sd_statistics out[2], sd_error *err) {
  int st = SD_OK;
  out[0] = out[1] = (sd_statistics){ 0 };
  for (unsigned side = 0; side < e->nsides && st == SD_OK; side++) {
    const values v = { &e->material, metric, side, e->indexer, NULL, e, sd_metrics[metric].of };
    st = sum_up (&v, progress, &out[side], err);
  }
  if (st != SD_OK)
    for (unsigned side = 0; side < 2; side++)
      sd_statistics_free (&out[side]);
  return st;
}
