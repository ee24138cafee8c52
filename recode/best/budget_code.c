/* One step of a search within a budget: a stream is coded, whole or in slices, and what its codec is expected
 * to take in other layouts and settings is corrected by what it took. The smallest stream of each side to
 * move, and of both, is kept. */
#include "config.h"
#include "recode/best/budget_internal.h"
#include <stdlib.h>

enum { FEW = 4096 }; /* bytes of a diagram, of which slices say too little */

int sd_budget_data (sd_budgeted *b, unsigned group, sd_error *err) {
  sd_goal *g = &b->group[group];
  const sd_search *all = b->all;
  const double before = sd_cpu_now ();
  sd_stored what = SD_STORED_OF (all->spec, group);
  if (g->search.data)
    return SD_OK;
  if (!g->checks)
    what.freedom &= ~SD_FREE_IN_CHECK;
  const int status = group == SD_BOTH
                         ? sd_subdefine_both (all->exacts, all->exact, &what, &b->clock, g->data, err)
                         : sd_subdefine (all->exacts, all->exact, &what, &b->clock, &g->data[0], err);
  g->search.data = g->data[0];
  g->search.other = g->data[1];
  g->subdefine_seconds = sd_cpu_now () - before;
  return status;
}

sd_tried *sd_budget_note (sd_budgeted *b, const sd_family *f, const sd_next *n) {
  sd_search_budget *to = b->budget;
  if (to->n == SD_MAX_TRIED)
    return NULL;
  sd_tried *t = &to->tried[to->n++];
  *t = (sd_tried){ .codec = f->codec,
                   .side = f->group,
                   .how = n->how,
                   .checks = b->group[f->group].checks && n->more != SD_NO_CHECKS,
                   .layout = n->layout,
                   .predicted_bytes = n->bytes,
                   .predicted_seconds = n->seconds };
  sd_settings_differing (&n->settings, t->settings, sizeof t->settings);
  return t;
}

/* What other layouts save, in the mean. */
static void learn_layout (sd_budgeted *b, sd_family *f, const sd_next *n, uint64_t bytes) {
  const uint64_t best = f->slices ? f->ranked : f->plain_bytes;
  const double gain = bytes < best ? 1 - (double) bytes / (double) best : 0;
  double *mean = &b->learned[n->variation];
  *mean += (gain - *mean) / ++b->weight[n->variation];
  f->layouts++;
}

/* What the family learns of a whole coding. */
static void learn (sd_budgeted *b, sd_family *f, const sd_next *n, uint64_t bytes, double seconds) {
  double expected, took;
  sd_layout l;
  if (n->more == SD_PLAIN) {
    if (!f->slices && n->variation < SD_VARIATIONS)
      learn_layout (b, f, n, bytes);
    if (f->plain_bytes && bytes >= f->plain_bytes) {
      /* Slices were wrong: other layouts are sought around the one that is best whole. */
      if (f->slices && sd_layout_equal (&n->layout, &f->layout)) {
        f->layout = f->plain_layout;
        f->ranked = f->plain_ranked;
      }
      return;
    }
    f->plain = n->settings;
    f->plain_bytes = bytes;
    f->plain_seconds = seconds;
    f->plain_layout = n->layout;
    f->slices &= bytes >= FEW || sd_search_by_slices (&b->group[f->group].search);
    f->plain_ranked = f->slices ? sd_budget_ranked (b, f, &n->layout) : 0;
    if (!f->slices || !f->ranked)
      f->layout = n->layout;
  } else if (n->more >= 0 && sd_budget_expects (b, f, &l, &expected, &took)) {
    const double share = (double) bytes / expected, cost = seconds / took;
    /* The other side's stream, and that of both, are like it to a degree. */
    for (unsigned i = 0; i < b->nfamilies; i++) {
      sd_family *to = &b->family[i];
      const double weight = to == f ? 1 : to->codec == f->codec ? 0.5 : 0;
      to->share[n->more] += weight * (share - to->share[n->more]);
      to->cost[n->more] += weight * (cost - to->cost[n->more]);
    }
  }
}

/* The best so far; its stream is kept. */
static void take (sd_budgeted *b, sd_family *f, const sd_search *s, const sd_next *n,
                  const sd_search_code *coded, double seconds, sd_buf *stream) {
  sd_goal *g = &b->group[f->group];
  const sd_winner w = { { n->layout, f->codec, n->settings, NULL }, coded->bytes };
  if (w.bytes < f->best.bytes) {
    f->best = w;
    f->best_seconds = seconds;
    sd_search_note (s, &n->layout, coded);
  }
  if (w.bytes >= g->best.bytes)
    return;
  const sd_buf old = g->stream;
  g->best = w;
  g->stream = *stream;
  *stream = old;
}

/* Slices of a diagram: is the layout better? */
static void learn_slices (sd_budgeted *b, sd_family *f, const sd_next *n, uint64_t bytes, double seconds) {
  f->rank_seconds = seconds;
  /* A part that takes more than the whole says too little. */
  if (n->variation == SD_VARIATIONS && bytes >= f->plain_bytes
      && !sd_search_by_slices (&b->group[f->group].search)) {
    f->slices = false;
    return;
  }
  if (n->variation == SD_VARIATIONS) { /* the layout that others are compared with */
    f->ranked = f->plain_ranked = bytes;
    return;
  }
  learn_layout (b, f, n, bytes);
  if (bytes < f->ranked) {
    f->ranked = bytes;
    f->layout = n->layout;
  }
}

/* The data of a side without free checks, beside those that it has. */
static int data_without_checks (sd_budgeted *b, sd_goal *g, unsigned group, sd_subdefined **out,
                                sd_error *err) {
  sd_stored what = SD_STORED_OF (b->all->spec, group);
  what.freedom &= ~SD_FREE_IN_CHECK;
  g->tried_checks = true;
  return sd_subdefine (b->all->exacts, b->all->exact, &what, &b->clock, out, err);
}

int sd_budget_try (sd_budgeted *b, const sd_next *n) {
  SD_RELEASED_BY (sd_buf_free) sd_buf stream = { 0 };
  SD_OWN (sd_subdefined) *without = NULL;
  sd_family *f = &b->family[n->family];
  sd_goal *g = &b->group[f->group];
  sd_tried *t = sd_budget_note (b, f, n);
  sd_error err = { 0 };
  sd_settings settings = n->settings;
  sd_search_code coded = { 0 };
  int status = sd_budget_data (b, f->group, &err);
  const double before = sd_cpu_now ();
  sd_search s = g->search;

  if (status == SD_OK && n->more == SD_NO_CHECKS) {
    status = data_without_checks (b, g, f->group, &without, &err);
    s.data = without;
  }
  s.codec = f->codec;
  s.settings = &settings;
  s.slices = n->how == SD_TRIED_SLICES;
  if (s.slices)
    sd_search_cheapen (&settings);
  sd_report (&b->clock, "", 0, 0);
  if (status == SD_OK)
    status = sd_search_code_into (&s, &n->layout, &stream, &coded, &err);
  const double seconds = sd_cpu_now () - before;
  if (t)
    t->seconds = seconds;
  if (status != SD_OK) {
    const bool over = status == SD_ESTOPPED || sd_budget_is_over (b);
    if (t)
      t->why = over ? "given up when the budget ended" : sd_strerror (status);
    b->budget->over |= over;
    if (!over && sd_search_row_of (&s, f->codec)->bytes == 0)
      sd_search_why (&s, f->codec, "failed: %.100s", err.text[0] ? err.text : sd_strerror (status));
    return over ? SD_ESTOPPED : status;
  }
  if (s.slices) {
    learn_slices (b, f, n, coded.bytes, seconds);
    if (t)
      t->bytes = coded.bytes;
    return SD_OK;
  }
  if (n->more != SD_NO_CHECKS)
    learn (b, f, n, coded.bytes, seconds);
  if (!sd_search_keeps_bound (s.how, coded.seconds)) {
    sd_search_row_of (&s, f->codec)->seconds = coded.seconds;
    sd_search_too_slow (&s, f->codec);
    if (t)
      t->why = "a lookup takes longer than the bound";
    return SD_ERANGE;
  }
  if (t)
    t->bytes = coded.bytes;
  const bool smaller = coded.bytes < g->best.bytes;
  take (b, f, &s, n, &coded, seconds, &stream);
  if (n->more == SD_NO_CHECKS && smaller) {
    /* From here on the side is searched so. */
    sd_subdefined_free (g->data[0]);
    g->search.data = g->data[0] = without;
    without = NULL;
    g->checks = false;
  }
  return SD_OK;
}
