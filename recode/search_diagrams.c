/* Layouts for diagrams. Their levels stand in any order, which sifting finds, so that the order of the groups
 * is only where sifting starts. What counts is which squares are alike in which bits, that is the numberings,
 * and the leader, whose digit has few numbers. One of these is varied at a time, as all together would be
 * hundreds of codings: leaders; the numbering of kings, pawns and other men; the group that comes first;
 * leaders again; and once more from the numberings on until nothing becomes smaller. Hilbert's curve is left
 * out: its bits are not bits of file and rank, and it took 1.1 to 3.5 times the bytes wherever it was tried
 * (papers/obdd).
 *
 * The cheap codec is the diagram codec with few nodes remembered: half a second for a side with 4 men, 1.0 to
 * 1.1 times the bytes, and the ranking hardly changes. Some 20 codings a side and time around. */
#include "config.h"
#include "recode/search_internal.h"
#include <string.h>

enum men { KINGS, PAWNS, OTHERS, NMEN };

static enum men men_of (const sd_group *g) {
  return g->type == SD_KING ? KINGS : g->type == SD_PAWN ? PAWNS : OTHERS;
}

static void number (sd_layout *l, enum men which, unsigned numbering) {
  for (unsigned g = 0; g < l->ngroups; g++)
    if (men_of (&l->group[g]) == which)
      l->group[g].numbering = (uint8_t) numbering;
}

static void add_leaders (sd_candidate *c, unsigned *n, sd_layout l) {
  for (unsigned g = 0; g < l.ngroups; g++) {
    l.leader = (uint8_t) g;
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

/* Another group comes first. */
static void add_orders (sd_candidate *c, unsigned *n, const sd_layout *of) {
  for (unsigned g = 1; g < of->ngroups; g++) {
    sd_layout l = *of;
    memmove (l.group + 1, l.group, g * sizeof *l.group);
    l.group[0] = of->group[g];
    /* The leader stays the same group. */
    l.leader = of->leader == g ? 0 : (uint8_t) (of->leader + (of->leader < g));
    sd_search_add (c, n, &l);
  }
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

int sd_search_diagrams (sd_search *s, sd_candidate *c, unsigned *count, sd_error *err) {
  sd_settings cheap = *s->settings;
  sd_search quick = *s;
  quick.settings = &cheap;
  sd_search_cheapen (&cheap);
  unsigned n = 0;
  sd_layout start;
  sd_layout_default (&sd_indexer_layout (s->from)->material, &start);
  for (enum men m = 0; m < NMEN; m++)
    number (&start, m, SD_FOLDED_Z);
  sd_search_add (c, &n, &start);
  SD_TRY (sd_search_rank (&quick, c, n, "leading pieces", err));
  *count = n;
  if (c[0].bytes <= SD_CONSTANT_BYTES)
    return SD_OK;
  if (!s->known[0] && sd_search_hopeless (s, c[0].bytes)) { /* known layouts were judged before */
    *count = 0;
    return SD_OK;
  }
  add_leaders (c, &n, start);
  for (unsigned i = 0; i < 2; i++)
    if (s->known[i])
      sd_search_add (c, &n, s->known[i]);
  SD_TRY (sd_search_rank (&quick, c, n, "leading pieces", err));
  uint64_t before;
  /* Until a round of all changes has found nothing. */
  do {
    before = c[0].bytes;
    for (enum men m = 0; m < NMEN; m++) {
      add_numberings (c, &n, &c[0].layout, m);
      SD_TRY (sd_search_rank (&quick, c, n, "numberings of the squares", err));
    }
    add_orders (c, &n, &c[0].layout);
    SD_TRY (sd_search_rank (&quick, c, n, "where sifting starts", err));
    add_leaders (c, &n, c[0].layout);
    SD_TRY (sd_search_rank (&quick, c, n, "leading pieces", err));
  } while (c[0].bytes < before);
  *count = n;
  return SD_OK;
}
