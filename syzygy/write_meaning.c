/* What the numbers of a new DTZ file mean: its side to move, the rounding and the maps of each sub-table,
 * from the values of all positions. Plies are asked for once, in the first order of the men, and kept.
 *
 * A sub-table counts full moves where all its wins (losses) take less than 100 plies: a rounded number then
 * never hides that the 50-move rule comes first. Quiet moves do not leave a sub-table, so each decides for
 * itself. Maps number the plies of each result from the most frequent on: what results share are the small
 * numbers, and so symbols. */
#include "config.h"
#include "syzygy/syzygy_write.h"
#include <stdlib.h>
#include <string.h>

enum {
  DRAW = 2,         /* of results from 0 (lost) to 4 (won) */
  FREE = 65535,     /* an answer: the slot may hold anything */
  CLASS_SHIFT = 14, /* an answer: the map's number in the upper two bits, plies in the others */
  PLIES = 1 << CLASS_SHIFT,
  RULE = 100,      /* plies of the 50-move rule */
  NARROW = 255,    /* most entries of a map of bytes, and the largest of them */
  NO_PLACE = 65535 /* of a number that no position has */
};

/* ----------------------------------------------------------------- answers */

/* Class and plies of a position that a file must tell, plies from 1 on; FREE: it need not. */
static int answer_of (const void *ctx, const sd_pos *p, const uint8_t *sq, sd_symbol *out) {
  const sd_syzygy_source *source = ctx;
  (void) sq;
  static const uint8_t class[] = { SD_SYZYGY_LOSS, SD_SYZYGY_BLESSED, 0, SD_SYZYGY_CURSED, SD_SYZYGY_WIN };
  unsigned value, plies;
  bool free_slot;
  *out = FREE;
  if (!sd_pos_legal (p))
    return SD_OK;
  SD_TRY (source->wdl (source->ctx, p, &value));
  if (value == DRAW)
    return SD_OK;
  /* 0 to 4 are results; anything else is a source that does not keep its promise. */
  if (value > 2 * DRAW)
    return SD_ERANGE;
  SD_TRY (sd_syzygy_wins_at_once (p, value, source, &free_slot));
  if (free_slot)
    return SD_OK;
  SD_TRY (source->dtz (source->ctx, p, &plies));
  /* A cursed win or a blessed loss takes more than 100 plies, and no other result does. */
  const bool ruled = value == 1 || value == 3;
  if (plies > SD_SYZYGY_MAX_PLIES || ruled != (plies > RULE))
    return SD_ERANGE;
  plies -= ruled ? RULE : 0;
  *out = (uint16_t) (class[value] << CLASS_SHIFT | (plies ? plies : 1)); /* a mate is read as one ply */
  return SD_OK;
}

int sd_syzygy_meaning_init (sd_syzygy_meaning *m, const sd_material *material, unsigned side,
                            const sd_syzygy_squares *squares, const sd_syzygy_source *source, sd_error *err) {
  /* All values are asked for in one order of the men, kept, and reordered later. */
  sd_syzygy_order first;
  sd_syzygy_orders (material, &first, 1);
  m->head = sd_alloc0 (1, sizeof *m->head);
  m->place = sd_alloc ((uint64_t) SD_SYZYGY_FILES * SD_SYZYGY_MAPS * PLIES, sizeof *m->place);
  if (!m->head || !m->place)
    return sd_fail_memory (err, 0);
  m->head->kind = SD_SYZYGY_DTZ;
  m->head->material = *material;
  m->head->files = sd_material_has_pawns (material) ? SD_SYZYGY_FILES : 1;
  m->head->streams = 1;
  m->head->side = side;
  for (unsigned f = 0; f < m->head->files; f++) {
    sd_syzygy_index *ix = &m->head->pairs[f][0].index;
    SD_TRY (sd_syzygy_index_init (ix, squares, material, f, &first, err));
    m->answer[f] = sd_alloc (ix->slots, sizeof *m->answer[f]);
    if (!m->answer[f])
      return sd_fail_memory (err, ix->slots * sizeof *m->answer[f]);
    const int status = sd_syzygy_each_slot (ix, material, side, answer_of, source, m->answer[f]);
    if (status)
      return sd_fail (err, status, "values of positions: %s", sd_strerror (status));
  }
  return SD_OK;
}

void sd_syzygy_meaning_clear (sd_syzygy_meaning *m) {
  for (unsigned f = 0; f < SD_SYZYGY_FILES; f++) {
    free (m->answer[f]);
    sd_buf_free (&m->maps[f]);
  }
  free (m->head);
  free (m->place);
  *m = (sd_syzygy_meaning){ 0 };
}

/* -------------------------------------------------------------------- maps */

typedef struct number {
  unsigned number;
  uint64_t often;
} number;

static int by_often (const void *pa, const void *pb) {
  const number *a = pa, *b = pb;
  if (a->often != b->often)
    return a->often > b->often ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

/* What a sub-table has: numbers of each class, the most frequent first. */
typedef struct numbers {
  number *of[SD_SYZYGY_MAPS];
  unsigned n[SD_SYZYGY_MAPS], most;
} numbers;

/* The number that a file tells for so many plies: plies - 1 or half of it. A reader doubles it, if it was
 * halved, and adds 1. */
static unsigned number_of (unsigned flags, unsigned class, unsigned plies) {
  const bool exact = class == SD_SYZYGY_WIN ? flags & SD_SYZYGY_WIN_PLIES
                                            : class == SD_SYZYGY_LOSS && flags & SD_SYZYGY_LOSS_PLIES;
  return exact ? plies - 1 : (plies - 1) / 2;
}

static unsigned rounding (const uint64_t *often) {
  unsigned flags = 0;
  /* Exact plies only where some take 100 or more: rounded, these could hide that the 50-move rule comes first
   * (Syzygy, item 11). */
  for (unsigned plies = RULE; plies < PLIES; plies++) {
    flags |= often[SD_SYZYGY_WIN * PLIES + plies] ? SD_SYZYGY_WIN_PLIES : 0u;
    flags |= often[SD_SYZYGY_LOSS * PLIES + plies] ? SD_SYZYGY_LOSS_PLIES : 0u;
  }
  return flags;
}

/* `space`: of all numbers. */
static void collect (const uint64_t *often, unsigned flags, number *space, numbers *out) {
  *out = (numbers){ .most = 0 };
  for (unsigned c = 0; c < SD_SYZYGY_MAPS; c++) {
    number *at = out->of[c] = &space[c * PLIES];
    unsigned n = 0;
    for (unsigned plies = 1; plies < PLIES; plies++) {
      const unsigned k = number_of (flags, c, plies);
      /* Plies rise, and so do their numbers: equal ones are neighbours. */
      if (!often[c * PLIES + plies])
        continue;
      /* Two numbers of plies that are rounded to one. */
      if (n && at[n - 1].number == k)
        at[n - 1].often += often[c * PLIES + plies];
      else
        at[n++] = (number){ k, often[c * PLIES + plies] };
      out->most = k > out->most ? k : out->most;
    }
    out->n[c] = n;
    qsort (at, n, sizeof *at, by_often);
  }
}

/* Maps are of use where several results share a stream; a single value has to be 0. */
static bool wants_map (const numbers *k) {
  unsigned classes = 0, all = 0;
  for (unsigned c = 0; c < SD_SYZYGY_MAPS; c++) {
    classes += k->n[c] > 0;
    all += k->n[c];
  }
  /* With one result the numbers can be stored as they are. */
  return classes > 1 || (all == 1 && k->most > 0) || k->most >= SD_SYZYGY_MAX_SYMBOLS;
}

/* Maps, and the place of each number: that in the map, or itself. */
static int set_places (sd_syzygy_meaning *m, unsigned f, const numbers *k) {
  sd_syzygy_pairs *p = &m->head->pairs[f][0];
  uint16_t *place = &m->place[f * SD_SYZYGY_MAPS * PLIES];
  const bool mapped = p->flags & SD_SYZYGY_MAPPED, wide = p->flags & SD_SYZYGY_WIDE;
  size_t from[SD_SYZYGY_MAPS];

  memset (place, 0xff, (size_t) SD_SYZYGY_MAPS * PLIES * sizeof *place);
  for (unsigned c = 0; c < SD_SYZYGY_MAPS; c++) {
    from[c] = m->maps[f].len;
    /* Mapped: what is stored is the place in the list of the result, the most frequent first. */
    for (unsigned i = 0; i < k->n[c]; i++) {
      const unsigned v = k->of[c][i].number, stored = mapped ? i : v;
      place[c * PLIES + v] = (uint16_t) stored;
      m->most = stored > m->most ? stored : m->most;
      if (mapped)
        sd_buf_u8 (&m->maps[f], v & 255);
      if (mapped && wide)
        sd_buf_u8 (&m->maps[f], v >> 8);
    }
  }
  if (sd_buf_status (&m->maps[f]))
    return SD_ENOMEM;
  /* Only now, since the buffer may have moved while it grew. */
  for (unsigned c = 0; c < SD_SYZYGY_MAPS && mapped; c++) {
    p->map[c].n = k->n[c];
    p->map[c].at = k->n[c] ? m->maps[f].data + from[c] : NULL;
  }
  return SD_OK;
}

static int settle (sd_syzygy_meaning *m, unsigned f, uint64_t *often, number *space, sd_error *err) {
  sd_syzygy_pairs *p = &m->head->pairs[f][0];
  numbers k;
  bool wide = false;

  memset (often, 0, (size_t) SD_SYZYGY_MAPS * PLIES * sizeof *often);
  /* How often each result with each number of plies must be told. */
  for (uint64_t i = 0; i < p->index.slots; i++)
    if (m->answer[f][i] != FREE)
      often[m->answer[f][i]]++;

  p->flags = (m->head->side ? SD_SYZYGY_BLACK : 0u) | rounding (often);
  collect (often, p->flags, space, &k);
  for (unsigned c = 0; c < SD_SYZYGY_MAPS; c++) {
    /* Entries of a byte, if neither a number nor how many there are needs more. */
    wide = wide || k.n[c] > NARROW || k.most > NARROW;
    if (k.n[c] >= SD_SYZYGY_MAX_SYMBOLS)
      return sd_fail (err, SD_ERANGE, "%u distances of one result, more than a file can tell apart", k.n[c]);
  }
  if (wants_map (&k))
    p->flags |= SD_SYZYGY_MAPPED | (wide ? SD_SYZYGY_WIDE : 0u);
  return set_places (m, f, &k) ? sd_fail_memory (err, 0) : SD_OK;
}

int sd_syzygy_meaning_settle (sd_syzygy_meaning *m, sd_error *err) {
  SD_OWNED uint64_t *often = sd_alloc (SD_SYZYGY_MAPS * PLIES, sizeof *often);
  SD_OWNED number *space = sd_alloc (SD_SYZYGY_MAPS * PLIES, sizeof *space);
  if (!often || !space)
    return sd_fail_memory (err, 0);
  for (unsigned f = 0; f < m->head->files; f++)
    SD_TRY (settle (m, f, often, space, err));
  return SD_OK;
}

/* ------------------------------------------------------------------- slots */

static bool same_order (const sd_syzygy_index *a, const sd_syzygy_index *b) {
  return memcmp (&a->order, &b->order, sizeof a->order) == 0;
}

int sd_syzygy_meaning_slots (const sd_syzygy_meaning *m, sd_syzygy_slots *s, const sd_syzygy_source *source,
                             sd_error *err) {
  const unsigned f = s->index.file;
  const sd_syzygy_pairs *p = &m->head->pairs[f][0];
  const sd_symbol any = (sd_symbol) (sd_alphabet_size (s->seq.alphabet) - 1);

  s->seq.n = s->index.slots;
  s->seq.sym = sd_alloc (s->seq.n, sizeof *s->seq.sym);
  if (!s->seq.sym)
    return sd_fail_memory (err, s->seq.n * sizeof *s->seq.sym);
  int status = SD_OK;
  /* From what was kept, or asked anew, for comparing. */
  if (!source && same_order (&s->index, &p->index))
    memcpy (s->seq.sym, m->answer[f], s->seq.n * sizeof *s->seq.sym);
  else if (source)
    status = sd_syzygy_each_slot (&s->index, &s->material, s->side, answer_of, source, s->seq.sym);
  else
    status = SD_EINVAL;
  for (uint64_t i = 0; i < s->seq.n && !status; i++) {
    const unsigned answer = s->seq.sym[i], class = answer >> CLASS_SHIFT;
    /* From class and plies to what is stored. */
    if (answer != FREE)
      s->seq.sym[i] =
          m->place[(f * SD_SYZYGY_MAPS + class) * PLIES + number_of (p->flags, class, answer & (PLIES - 1))];
    /* A value that was not there when the maps were made. */
    status = answer != FREE && s->seq.sym[i] == NO_PLACE ? SD_EDIFF : SD_OK;
    s->seq.sym[i] = answer == FREE ? any : s->seq.sym[i];
  }
  if (!status)
    return SD_OK;
  sd_syzygy_slots_clear (s);
  return sd_fail (err, status, "values of positions: %s", sd_strerror (status));
}
