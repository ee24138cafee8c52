/* Many slots at once: a walk over the squares of neighbouring slots, and the same placements in another
 * layout. The last digit runs fastest, so that what depends on the others is looked at once a row. Values are
 * loaded, subdefined and laid out anew by these two, whole tables at a time (values/, recode/); a probe of
 * one position has no use for them. */
#include "config.h"
#include "indexer/indexer_internal.h"

bool sd_index_walk_to (sd_index_walk *w, uint64_t i) {
  const sd_indexer *ix = w->ix;
  const sd_digit *last = &ix->digit[ix->ngroups - 1];

  i = sd_ix_unwrap (ix, i);
  sd_ix_row_squares (w, i);
  sd_ix_digit_squares (ix, last, (uint32_t) (i - w->row), w->sq);
  return sd_ix_is_home (ix, i, w->sq);
}

/* A layout while one man moves: what his digit and the others add to the index. */
typedef struct moving {
  const sd_indexer *ix;
  const sd_digit *digit; /* of the man, or of the pair of kings if he is one; NULL: he has equals */
  bool leads;            /* his square decides the symmetry */
  unsigned t;            /* the symmetry, if he does not lead, */
  bool tie;              /* and whether its transpose serves as well */
  unsigned known;        /* a bit for each symmetry of which the sum is known */
  uint64_t sum[8];       /* of the other digits */
} moving;

static moving moving_of (const sd_indexer *ix, unsigned place) {
  moving m = { .ix = ix };
  for (unsigned g = 0; g < ix->ngroups; g++) {
    const sd_digit *d = &ix->digit[g];
    const bool king = d->kings && (place == ix->white_king || place == ix->black_king);
    if (!king && (d->count > 1 || d->at[0] != place))
      continue;
    m.digit = d;
    m.leads = ix->layout.leader == g;
  }
  return m;
}

/* The others stand on sq. */
static void begin_row (moving *m, const uint8_t *sq) {
  m->known = 0;
  if (!m->leads)
    m->t = sd_ix_symmetry (m->ix, sq, &m->tie);
}

/* What the other digits add under the symmetry t, computed once a row. */
static uint64_t sum_of (moving *m, unsigned t, const uint8_t *sq) {
  if (m->known >> t & 1)
    return m->sum[t];
  m->known |= 1u << t;
  m->sum[t] = 0;
  for (unsigned g = 0; g < m->ix->ngroups; g++)
    if (&m->ix->digit[g] != m->digit)
      m->sum[t] += sd_ix_digit_value (m->ix, &m->ix->digit[g], t, sq) * m->ix->digit[g].stride;
  return m->sum[t];
}

/* The mixed-radix number with the man on his square, too. */
static uint64_t number_of (moving *m, unsigned t, const uint8_t *sq) {
  return sum_of (m, t, sq) + sd_ix_digit_value (m->ix, m->digit, t, sq) * m->digit->stride;
}

/* A row of slots: the man of the last digit moves, and the others stay. */
typedef struct row {
  moving to, from;
  uint64_t blocked;  /* squares that he may not take */
  bool no_placement; /* wherever he stands */
} row;

/* Two of the others on a square, or both kings among them side by side: no slot is a placement. */
static void look_at_others (row *r, const uint8_t *sq) {
  const sd_indexer *to = r->to.ix;
  const unsigned place = r->to.digit->at[0];
  const bool king = place == to->white_king || place == to->black_king;
  r->blocked = 0;
  for (unsigned k = 0; k < to->men; k++)
    if (k != place)
      r->blocked |= 1ull << sq[k];
  r->no_placement = (unsigned) __builtin_popcountll (r->blocked) != to->men - 1
                    || (!king && sd_ix_adjacent (sq[to->white_king], sq[to->black_king]));
  if (r->no_placement)
    return;
  /* A king that moves keeps away from the other one. */
  const unsigned other = sq[place == to->white_king ? to->black_king : to->white_king];
  for (unsigned s = 0; king && s < 64; s++)
    if (sd_ix_adjacent (s, other))
      r->blocked |= 1ull << s;
  begin_row (&r->to, sq);
  begin_row (&r->from, sq);
}

/* The slot in `from` of slot i of the row, in which the man stands on s; sq[] gets that. */
static uint64_t slot_at (row *r, uint64_t i, unsigned s, uint8_t *sq) {
  bool tie = r->to.tie;
  if (r->blocked >> s & 1)
    return UINT64_MAX;
  sq[r->to.digit->at[0]] = (uint8_t) s;
  if (r->to.leads)
    sd_ix_symmetry (r->to.ix, sq, &tie);
  /* Of two mirror images the smaller number is home; all squares are home, so that the other symmetry is the
   * transpose. */
  if (tie && number_of (&r->to, 4, sq) < i)
    return UINT64_MAX;
  tie = r->from.tie;
  const unsigned t = r->from.leads ? sd_ix_symmetry (r->from.ix, sq, &tie) : r->from.t;
  const uint64_t one = number_of (&r->from, t, sq), other = tie ? number_of (&r->from, t ^ 4, sq) : one;
  return sd_ix_wrap (r->from.ix, one < other ? one : other);
}

/* Slots i.. of the row, whose last digits are v..: *map is theirs. */
static void map_row (row *r, uint64_t i, uint32_t v, uint64_t n, uint8_t *sq, uint64_t *map) {
  const uint8_t *square = r->to.digit->square + v;
  if (r->no_placement) {
    for (uint64_t k = 0; k < n; k++)
      map[k] = UINT64_MAX;
    return;
  }
  /* (a king of a pair leads, since the pair does) */
  if (r->to.leads || r->from.leads || r->to.tie || r->from.tie) {
    for (uint64_t k = 0; k < n; k++)
      map[k] = slot_at (r, i + k, square[k], sq);
    return;
  }
  /* Most rows: no square changes the symmetry. */
  const uint64_t sum = sum_of (&r->from, r->from.t, sq), stride = r->from.digit->stride;
  const uint8_t *rank = r->from.digit->rank[r->from.t];
  for (uint64_t k = 0; k < n; k++)
    map[k] =
        r->blocked >> square[k] & 1 ? UINT64_MAX : sd_ix_wrap (r->from.ix, sum + rank[square[k]] * stride);
}

/* Any two layouts; about as slow as sd_index_of () itself. */
static void map_slots (const sd_indexer *to, const sd_indexer *from, uint64_t first, uint64_t count,
                       uint64_t *map) {
  sd_index_walk walk = { .ix = to };
  for (uint64_t k = 0; k < count; k++)
    map[k] = sd_index_walk_to (&walk, first + k) ? sd_index_of (from, walk.sq) : UINT64_MAX;
}

void sd_index_remap (const sd_indexer *to, const sd_indexer *from, uint64_t first, uint64_t count,
                     uint64_t *map) {
  const unsigned last = to->ngroups - 1, place = to->digit[last].at[0];
  row r = { .to = moving_of (to, place), .from = moving_of (from, place) };
  if (count == 0)
    return;
  /* A digit around another one does not run fastest, and several men have no rows of one. */
  if (to->span || r.to.digit != &to->digit[last] || r.to.digit->kings || !r.from.digit) {
    map_slots (to, from, first, count, map);
    return;
  }
  /* v: the digits of the slot that comes next; sq: their squares, kept together with v. */
  uint32_t v[SD_MAX_GROUPS];
  uint8_t sq[SD_MAX_MEN];
  uint64_t rest = first;
  for (unsigned g = 0; g < to->ngroups; g++) {
    v[g] = (uint32_t) (rest / to->digit[g].stride);
    rest -= v[g] * to->digit[g].stride;
    sd_ix_digit_squares (to, &to->digit[g], v[g], sq);
  }

  /* Row by row; the first and the last may be cut. */
  for (uint64_t done = 0, n; done < count; done += n) {
    const uint32_t radix = to->digit[last].radix;
    n = radix - v[last] < count - done ? radix - v[last] : count - done;
    look_at_others (&r, sq);
    map_row (&r, first + done, v[last], n, sq, map + done);
    v[last] += (uint32_t) n - 1; /* at the row's last slot, from which counting on carries */
    /* The next row: digits rise as in counting, and only the squares of those that change are looked up. */
    for (unsigned g = last; done + n < count; g--) {
      v[g] = v[g] + 1 < to->digit[g].radix ? v[g] + 1 : 0;
      sd_ix_digit_squares (to, &to->digit[g], v[g], sq);
      if (v[g] || g == 0)
        break;
    }
  }
}
