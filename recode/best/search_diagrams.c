/* Layouts for diagrams. Their levels stand in any order, which sifting finds, so that the order of the groups
 * is only where sifting starts. What counts is which squares are alike in which bits, that is the numberings,
 * and the leader, whose digit has few numbers. One of these is varied at a time, as all together would be
 * hundreds of codings: leaders; the numbering of kings, pawns and other men; the group that comes first;
 * leaders again; and once more from the numberings on until nothing becomes smaller. Hilbert's curve is left
 * out: its bits are not bits of file and rank, and it took 1.1 to 3.5 times the bytes wherever it was tried
 * (papers/obdd).
 *
 * The cheap codec is the diagram codec with few nodes remembered: half a second for a side with 4 men, 1.0 to
 * 1.1 times the bytes, and the ranking hardly changes. Some 20 codings a side and time around.
 *
 * Of a table with more than MOST_SLOTS slots a side, layouts are ranked by slices: all that has one man, who
 * does not lead, on one of SD_SLICES squares. That is a table of bits, too, a quarter of the whole, or a
 * third where the man is a pawn. The squares are mapped to each other by the symmetries of the board, so that
 * the same positions are coded whichever man leads. KRNvKR, White to move, WDL: 16 squares rank the leaders
 * as the whole does (81,833 bytes with the lone king, 95,826 with the rook, 143,847 with the other king;
 * 236,945, 295,971 and 479,263 of the whole), 4 squares do not. */
#include "config.h"
#include "recode/best/search_internal.h"
#include <limits.h>
#include <string.h>

enum { MOST_SLOTS = 1 << 24 };

enum men { KINGS, PAWNS, OTHERS, NMEN };

static enum men men_of (const sd_group *g) {
  return g->type == SD_KING ? KINGS : g->type == SD_PAWN ? PAWNS : OTHERS;
}

static void number (sd_layout *l, enum men which, unsigned numbering) {
  for (unsigned g = 0; g < l->ngroups; g++)
    if (men_of (&l->group[g]) == which)
      l->group[g].numbering = (uint8_t) numbering;
}

/* Where layouts are compared, pawns lead less often than others do. */
static const unsigned no_pawn[] = { [SD_PAWN] = 2, [SD_KING] = 3, [SD_NO_PIECE] = 0 };
/* Samples from which bytes are told: of KRvKP and KNPvK they say more where the pawn has few squares. */
static const unsigned a_pawn[] = { [SD_KING] = 3, [SD_NO_PIECE] = 0 };

/* Of l, the group of whom slices are made: a single man, rather one who is not disliked. without: groups that
 * are not asked for, a bit each. UINT_MAX: none is left. */
static unsigned sliced_of (const sd_layout *l, unsigned without, const unsigned *dislike) {
  unsigned best = UINT_MAX, least = UINT_MAX;
  for (unsigned g = 0; g < l->ngroups; g++) {
    const sd_group *of = &l->group[g];
    if (without >> g & 1)
      continue;
    /* Black's men and light ones first, so that it is the same man in every order of the groups */
    const unsigned much =
        of->count > 1 ? UINT_MAX - 1 : 100 * dislike[of->type] + 10 * of->type + (of->colour == SD_WHITE);
    if (much < least) {
      least = much;
      best = g;
    }
  }
  return best;
}

static unsigned sliced (const sd_layout *l) {
  return sliced_of (l, 0, no_pawn);
}

/* Group g gets to place `to`, in front of it. */
static void put_at (sd_layout *l, unsigned to, unsigned g) {
  const sd_group first = l->group[g];
  memmove (l->group + to + 1, l->group + to, (g - to) * sizeof *l->group);
  l->group[to] = first;
  /* The leader stays the same group. */
  l->leader = l->leader == g ? (uint8_t) to : (uint8_t) (l->leader + (l->leader >= to && l->leader < g));
}

static void put_first (sd_layout *l, unsigned g) {
  put_at (l, 0, g);
}

static void add_leaders (const sd_search *s, sd_candidate *c, unsigned *n, sd_layout l) {
  const unsigned without = s->slices ? sliced (&l) : l.ngroups;
  for (unsigned g = 0; g < l.ngroups; g++) {
    l.leader = (uint8_t) g;
    if (g != without)
      sd_search_add (c, n, &l);
  }
}

static void add_numberings (sd_candidate *c, unsigned *n, const sd_layout *of, enum men which) {
  for (unsigned k = 0; k < SD_NUMBERINGS; k++) {
    sd_layout l = *of;
    number (&l, which, k);
    /* Its bits are not bits of file and rank. */
    if (k != SD_HILBERT)
      sd_search_add (c, n, &l);
  }
}

/* Numberings that the full search chose for several endings with 4 men, pawns by rows in all: none of them is
 * found by varying one kind of men alone if each step makes it larger. */
static void add_numberings_of_all (sd_candidate *c, unsigned *n, const sd_layout *of) {
  static const struct {
    enum sd_numbering kings, others;
  } known[] = { { SD_FOLDED_Z, SD_FOLDED_Z }, { SD_FILES, SD_FILES }, { SD_ROWS, SD_FILES },
                { SD_Z, SD_FOLDED_Z },        { SD_FILES, SD_Z },     { SD_Z, SD_ROWS } };
  for (unsigned k = 0; k < sizeof known / sizeof *known; k++) {
    sd_layout l = *of;
    number (&l, KINGS, known[k].kings);
    number (&l, PAWNS, SD_ROWS);
    number (&l, OTHERS, known[k].others);
    sd_search_add (c, n, &l);
  }
}

/* Another group comes first. */
static void add_orders (sd_candidate *c, unsigned *n, const sd_layout *of) {
  for (unsigned g = 1; g < of->ngroups; g++) {
    sd_layout l = *of;
    put_first (&l, g);
    sd_search_add (c, n, &l);
  }
}

void sd_search_vary (const sd_search *s, const sd_layout *l, enum sd_variation which, sd_candidate *c,
                     unsigned *n) {
  static const enum men of[] = {
    [SD_VARY_KINGS] = KINGS, [SD_VARY_PAWNS] = PAWNS, [SD_VARY_OTHERS] = OTHERS
  };
  if (which == SD_VARY_LEADER)
    add_leaders (s, c, n, *l);
  else if (which == SD_VARY_ORDER)
    add_orders (c, n, l);
  else if (which == SD_VARY_TOGETHER)
    add_numberings_of_all (c, n, l);
  else
    add_numberings (c, n, l, of[which]);
}

void sd_search_cheapen (sd_settings *set) {
  static const char *const most[] = { "choices", "pairs" };
  for (unsigned i = 0; i < 2; i++)
    if (sd_settings_int (set, most[i]) > 64)
      sd_settings_put (set, most[i], "64");
  /* What makes diagrams smaller in the end hardly changes their order. */
  sd_settings_put (set, "polish", "0");
  sd_settings_put (set, "starts", "0");
  sd_settings_put (set, "clusters", "1");
}

bool sd_search_by_slices (const sd_search *s) {
  return sd_indexer_size (s->from) > (s->how->large ? s->how->large : MOST_SLOTS);
}

void sd_search_slice (sd_layout *l) {
  put_first (l, sliced (l));
  l->group[0].numbering = SD_ROWS;
  l->around = false;
}

unsigned sd_search_slice_men (sd_layout *l, unsigned men, const sd_group *stays) {
  unsigned n = 0;
  l->around = false;
  while (n < men) {
    unsigned without = (1u << l->leader) | ((1u << n) - 1);
    for (unsigned g = 0; stays && g < l->ngroups; g++)
      if (l->group[g].type == stays->type && l->group[g].colour == stays->colour)
        without |= 1u << g;
    const unsigned g = sliced_of (l, without, a_pawn);
    if (g == UINT_MAX || l->group[g].count > 1)
      break;
    put_at (l, n, g);
    l->group[n++].numbering = SD_ROWS;
  }
  return n;
}

static void squares_of (uint32_t radix, uint64_t number[SD_SLICES]) {
  /* Of a pawn's 48 squares, which are mirrored from left to right alone, 8 and their mirror images. */
  static const uint8_t of_pawn[SD_SLICES] = { 0, 2, 5, 7, 9, 14, 19, 20, 24, 31, 34, 37, 41, 43, 44, 46 };
  for (unsigned i = 0; i < SD_SLICES; i++) {
    const unsigned rank = i / 2, far = rank < 4 ? 3 - rank : rank - 4;
    /* Of 64 squares two on each rank, d1 and e1, c2 and f2, ... */
    number[i] = radix == 64   ? 8 * rank + (i % 2 ? 7 - far : far)
                : radix == 48 ? of_pawn[i]
                              : i * radix / SD_SLICES;
  }
}

void sd_search_squares (const sd_indexer *to, uint64_t number[SD_SLICES]) {
  uint32_t radix[SD_MAX_RADICES];
  sd_indexer_shape (to, radix);
  squares_of (radix[0], number);
}

/* Half of them, as much alike. */
static void few_squares_of (uint32_t radix, uint64_t number[SD_FEW_SLICES]) {
  static const unsigned pieces[SD_FEW_SLICES] = { 2, 3, 4, 5, 10, 11, 12, 13 }; /* c2 f2 b3 g3 b6 g6 c7 f7 */
  static const unsigned pawns[SD_FEW_SLICES] = { 0, 3, 4, 5, 6, 7, 12, 15 };
  uint64_t all[SD_SLICES];
  squares_of (radix, all);
  for (unsigned i = 0; i < SD_FEW_SLICES; i++)
    number[i] = radix == 64 ? all[pieces[i]] : radix == 48 ? all[pawns[i]] : all[2 * i];
}

unsigned sd_search_squares_of_men (const sd_indexer *to, unsigned men, uint64_t number[]) {
  uint32_t radix[SD_MAX_RADICES];
  uint64_t first[SD_FEW_SLICES], second[SD_FEW_SLICES];
  sd_indexer_shape (to, radix);
  few_squares_of (radix[0], first);
  few_squares_of (radix[1], second);
  if (men == 1) {
    memcpy (number, first, sizeof first);
    return SD_FEW_SLICES;
  }
  for (unsigned i = 0; i < SD_FEW_SLICES * SD_FEW_SLICES; i++)
    number[i] = first[i / SD_FEW_SLICES] * radix[1] + second[i % SD_FEW_SLICES];
  return SD_FEW_SLICES * SD_FEW_SLICES;
}

/* Everything but what is in front and what leads is tried again, until nothing becomes smaller. */
static int vary (const sd_search *quick, sd_candidate *c, unsigned *n, sd_error *err) {
  uint64_t before;
  do {
    before = c[0].bytes;
    for (enum men m = 0; m < NMEN; m++) {
      add_numberings (c, n, &c[0].layout, m);
      SD_TRY (sd_search_rank (quick, c, *n, "numberings of the squares", err));
    }
    add_orders (c, n, &c[0].layout);
    SD_TRY (sd_search_rank (quick, c, *n, "where sifting starts", err));
    add_leaders (quick, c, n, c[0].layout);
    SD_TRY (sd_search_rank (quick, c, *n, "leading pieces", err));
  } while (c[0].bytes < before);
  return SD_OK;
}

int sd_search_diagrams (sd_search *s, sd_candidate *c, unsigned *count, sd_error *err) {
  sd_settings cheap = *s->settings;
  sd_search quick = *s;

  quick.settings = &cheap;
  quick.slices = sd_search_by_slices (s);
  sd_search_cheapen (&cheap);
  unsigned n = 0;
  sd_layout start;
  sd_layout_default (&sd_indexer_layout (s->from)->material, &start);
  for (enum men m = 0; m < NMEN; m++)
    number (&start, m, SD_FOLDED_Z);
  sd_search_add (c, &n, &start);
  /* Slices of a king leave the other one alone to lead, since several equal men cannot. They are coded where
   * their bytes are compared with those of another freedom. */
  if (quick.slices && s->how->quick && start.group[sliced (&start)].type == SD_KING) {
    *count = n;
    return s->how->checks ? sd_search_rank (&quick, c, n, "leading pieces", err) : SD_OK;
  }
  SD_TRY (sd_search_rank (&quick, c, n, "leading pieces", err));
  *count = n;
  if (c[0].bytes <= SD_CONSTANT_BYTES)
    return SD_OK;
  /* known layouts were judged before */
  if (!s->known[0] && !quick.slices && sd_search_hopeless (s, c[0].bytes)) {
    *count = 0;
    return SD_OK;
  }
  add_leaders (&quick, c, &n, start);
  for (unsigned i = 0; i < 2; i++)
    if (s->known[i])
      sd_search_add (c, &n, s->known[i]);
  SD_TRY (sd_search_rank (&quick, c, n, "leading pieces", err));
  if (!s->how->quick)
    SD_TRY (vary (&quick, c, &n, err));
  *count = n;
  return SD_OK;
}
