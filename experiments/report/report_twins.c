/* Cells that stand in several groups of a sweep (the best order of one group is an order of another one) are
 * listed once, with the names of all their groups. Lines are twins if they differ in their group only and
 * have the same best rows: of several orders only the best counts. Cost: O(n log n) for n lines. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <stdlib.h>
#include <string.h>

static int compare_best (const sd_rowsum *a, const sd_rowsum *b) {
  for (unsigned s = 0; s < 2; s++) {
    const sd_row *x = a->side[s].best, *y = b->side[s].best;
    if (!x || !y) {
      if (x != y)
        return x ? -1 : 1;
      continue;
    }
    const int order = strcmp (x->order, y->order), at = order ? order : strcmp (x->numbering, y->numbering);
    if (at)
      return at;
    if (x->bytes != y->bytes)
      return x->bytes < y->bytes ? -1 : 1;
  }
  return 0;
}

static int compare (const sd_rowsum *a, const sd_rowsum *b) {
  if (a->subject != b->subject)
    return a->subject < b->subject ? -1 : 1;
  if (a->like[SD_ONE_CHOICE] != b->like[SD_ONE_CHOICE])
    return a->like[SD_ONE_CHOICE] < b->like[SD_ONE_CHOICE] ? -1 : 1;
  return compare_best (a, b);
}

static unsigned times_of (const sd_rowsum *l) {
  return (l->get_ns > 0) + (l->probe_ns > 0);
}

/* Of twins the first is the one with most times, and of these the first in the order of the rows. */
static int by_twins (const void *a, const void *b) {
  const sd_rowsum *x = *(sd_rowsum *const *) a, *y = *(sd_rowsum *const *) b;
  const int c = compare (x, y);
  if (c)
    return c;
  if (times_of (x) != times_of (y))
    return times_of (x) > times_of (y) ? -1 : 1;
  return (x > y) - (x < y);
}

static int by_place (const void *a, const void *b) {
  const sd_rowsum *x = *(sd_rowsum *const *) a, *y = *(sd_rowsum *const *) b;
  return (x > y) - (x < y);
}

/* The first of line[0..n-1] stands for all. Changes their order. */
static int join (sd_rowsum **line, size_t n, sd_error *err) {
  sd_rowsum *first = line[0];
  char groups[600] = "";
  for (size_t i = 1; i < n; i++)
    line[i]->listed = first;
  qsort (line, n, sizeof *line, by_place);
  for (size_t i = 0; i < n; i++)
    sd_text_list (groups, sizeof groups, "%s", line[i]->row->group);
  first->groups = strdup (groups);
  return first->groups ? SD_OK : sd_fail_memory (err, sizeof groups);
}

int sd_rowsums_twins (sd_rowsums *all, sd_error *err) {
  sd_rowsum **line SD_OWNED = sd_alloc (all->n, sizeof *line);
  if (!line)
    return sd_fail_memory (err, all->n * sizeof *line);
  for (size_t i = 0; i < all->n; i++) {
    line[i] = &all->line[i];
    line[i]->listed = line[i];
  }
  qsort (line, all->n, sizeof *line, by_twins);
  for (size_t i = 0, to; i < all->n; i = to) {
    for (to = i + 1; to < all->n && compare (line[i], line[to]) == 0;)
      to++;
    if (to > i + 1)
      SD_TRY (join (line + i, to - i, err));
  }
  return SD_OK;
}

const char *sd_rowsum_groups (const sd_rowsum *l) {
  return l->groups ? l->groups : l->row->group;
}
