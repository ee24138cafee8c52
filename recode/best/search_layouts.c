/* Layouts for codecs that look at neighbours: the stages 1 to 3 of search.c. All orders, then leaders and
 * numberings of the best ones: to try all together would take thousands of codings. c[] holds the candidates,
 * best first behind each ranking, and room for SD_MAX_CANDIDATES. */
#include "config.h"
#include "recode/best/search_internal.h"
#include <stdlib.h>

enum { KEEP_FIRST = 16, KEEP_QUICK = 4, KEEP_ORDERS = 4 };

static const sd_extent small_sample = { 64, 1 << 13 };

static void lead_with_first (sd_layout *l) {
  /* The first single man; what leads best is found later. */
  for (unsigned g = 0; g < l->ngroups; g++)
    if (l->group[g].count == 1) {
      l->leader = (uint8_t) g;
      return;
    }
}

bool sd_search_add (sd_candidate *c, unsigned *n, const sd_layout *l) {
  for (unsigned i = 0; i < *n; i++)
    if (sd_layout_equal (&c[i].layout, l))
      return false;
  /* Layouts are made by loops; those that cannot be are left out. */
  if (*n == SD_MAX_CANDIDATES || sd_layout_check (l, NULL))
    return false;
  c[*n] = (sd_candidate){ .layout = *l };
  (*n)++;
  return true;
}

static void forget_sizes (sd_candidate *c, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    c[i].bytes = 0;
}

/* The best `keep` orders of a large table, in a small sample. Sizes in other samples are forgotten before,
 * and those in this one behind it. */
static int drop_most (sd_search *s, sd_candidate *c, unsigned *n, unsigned keep, sd_error *err) {
  const sd_extent usual = s->extent;
  forget_sizes (c, *n);
  s->extent = small_sample;
  const int status = sd_search_rank (s, c, *n, "orders of the pieces, roughly", err);
  s->extent = usual;
  *n = *n < keep ? *n : keep;
  forget_sizes (c, *n);
  return status;
}

static void number_all (sd_layout *l, unsigned kings, unsigned others) {
  for (unsigned g = 0; g < l->ngroups; g++)
    l->group[g].numbering = (uint8_t) (l->group[g].type == SD_KING ? kings : others);
}

/* Four variants of one layout: the last digit around the one before it, either of the two, by files too. */
static void add_around (sd_candidate *c, unsigned *n, const sd_layout *of) {
  if (of->ngroups < 2)
    return;
  for (unsigned k = 0; k < 4; k++) {
    const unsigned last = of->ngroups - 1;
    sd_layout l = *of;
    l.around = true;
    if (k & 1) {
      const sd_group swap = l.group[last];
      l.group[last] = l.group[last - 1];
      l.group[last - 1] = swap;
      /* The leader goes with its group. */
      l.leader = l.leader == last ? (uint8_t) (last - 1) : l.leader == last - 1 ? (uint8_t) last : l.leader;
    }
    if (k & 2)
      number_all (&l, SD_FILES, SD_FILES);
    sd_search_add (c, n, &l);
  }
}

int sd_search_layouts (sd_search *s, sd_candidate *c, unsigned *count, sd_error *err) {
  sd_layout start, *orders = sd_alloc (SD_MAX_CANDIDATES, sizeof *orders);
  if (!orders)
    return sd_fail_memory (err, SD_MAX_CANDIDATES * sizeof *orders);
  sd_layout_default (&sd_indexer_layout (s->from)->material, &start);
  unsigned n = 0, norders = sd_layout_orders (&start, orders, SD_MAX_CANDIDATES);
  for (unsigned i = 0; i < norders; i++) {
    lead_with_first (&orders[i]);
    sd_search_add (c, &n, &orders[i]);
  }

  free (orders);
  /* One symbol serves every slot (White never fails to win KQvK): all orders are the same two or three bytes.
   */
  SD_TRY (sd_search_rank (s, c, 1, "orders of the pieces", err));
  if (c[0].bytes <= SD_CONSTANT_BYTES) {
    *count = 1;
    return SD_OK;
  }
  if (s->judge)
    SD_TRY (drop_most (s, c, &n, s->how->quick ? KEEP_QUICK : KEEP_FIRST, err));
  SD_TRY (sd_search_rank (s, c, n, "orders of the pieces", err));
  if (s->how->quick) {
    *count = n;
    return SD_OK;
  }

  unsigned keep = n < KEEP_ORDERS ? n : KEEP_ORDERS;
  /* The list goes on behind those that are kept. */
  n = keep;
  for (unsigned i = 0; i < keep; i++)
    for (unsigned g = 0; g < start.ngroups; g++) {
      sd_layout l = c[i].layout;
      l.leader = (uint8_t) g;
      sd_search_add (c, &n, &l);
    }
  SD_TRY (sd_search_rank (s, c, n, "leading pieces", err));

  keep = n < 2 ? n : 2;
  n = keep < SD_FINALISTS ? keep : SD_FINALISTS;
  for (unsigned i = 0; i < keep; i++)
    for (unsigned kings = 0; kings < SD_NUMBERINGS; kings++)
      for (unsigned others = 0; others < SD_NUMBERINGS; others++) {
        if (kings != others && others != SD_FOLDED_Z && kings != SD_ROWS && others != SD_ROWS)
          continue; /* mixed curves: only with rows, or Kristensen 2005's choice */
        sd_layout l = c[i].layout;
        number_all (&l, kings, others);
        sd_search_add (c, &n, &l);
      }
  SD_TRY (sd_search_rank (s, c, n, "numberings of the squares", err));

  n = SD_FINALISTS;
  for (unsigned i = 0; i < keep; i++)
    add_around (c, &n, &c[i].layout);
  SD_TRY (sd_search_rank (s, c, n, "digits around others", err));
  *count = n;
  return SD_OK;
}
