/* What a search within a budget may do next, with predicted bytes and seconds of each (search_budget.c).
 *
 * Of a family, a codec for a side to move or for both, these are: other layouts in its plain settings, and in
 * the best layout the plain settings and those of its row (codec->trials.more). What a layout takes in other
 * settings is what it takes in the plain ones, times a share; the shares are those of the row until the
 * family has seen its own. What another layout saves is the mean of what others have saved so far.
 *
 * The gain counts what may follow: a layout, or a codec in plain settings, may be coded with the best of the
 * row's settings later. */
#include "config.h"
#include "recode/best/budget_internal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stream for both as a share of two, and one of two as a share of that for both: of diagrams, others.
 * Diagrams took 0.57 at the least, codecs of neighbours 0.82 (search_joint.c). */
static const double joint_share[2] = { 0.97, 0.80 }, apart_share = 0.5;
static const double layout_gain = 0.03; /* of codecs of neighbours, in the next one by samples */
static const double checks_gain = 0.01;
static const double slices_err = 0.02; /* what slices of two layouts may be wrong by */
/* Below this share of the slices of the layout that is best whole another one is coded whole soon, and what
 * by a sample takes less than the table: it counts so many times. */
static const double much_better = 0.93, soon = 25;
/* How much what must be done again in a better layout counts: while more than this share of the budget is
 * left, after that, and when the rest is at most so many times what it takes. */
static const double early_until = 0.7, early_wait = 0.02, wait_for_layouts = 0.2, due_at = 1.5, due = 20;

/* -------------------------------------------------------------------- predictions */

static const sd_family *find (const sd_budgeted *b, unsigned group, const sd_codec *codec) {
  for (unsigned i = 0; i < b->nfamilies; i++)
    if (b->family[i].group == group && b->family[i].codec == codec)
      return &b->family[i];
  return NULL;
}

/* Another codec that was sampled in the same way and coded since: what the sample had wrong of it, it has
 * wrong of f, too. */
static const sd_family *coded_alike (const sd_budgeted *b, const sd_family *f) {
  for (unsigned i = 0; i < b->nfamilies; i++) {
    const sd_family *of = &b->family[i];
    if (of->group == f->group && of->sampled > 0 && of->plain_bytes
        && of->codec->trials.slow == f->codec->trials.slow)
      return of;
  }
  return NULL;
}

static bool knows (const sd_budgeted *b, const sd_family *f, sd_layout *l, double *bytes, double *seconds) {
  if (f->plain_bytes) {
    *l = f->plain_layout;
    *bytes = (double) f->plain_bytes;
    *seconds = f->plain_seconds;
    return true;
  }
  if (f->sampled > 0) {
    *l = b->group[f->group].layouts[f->codec->trials.slow].layout[0].layout;
    *bytes = f->sampled;
    *seconds = f->sampled_seconds;
    const sd_family *like = coded_alike (b, f);
    if (like) {
      *bytes *= (double) like->plain_bytes / like->sampled;
      *seconds *= like->plain_seconds / like->sampled_seconds;
    }
    return true;
  }
  return false;
}

static bool is_slices (const sd_tried *t, const sd_family *f) {
  return t->codec == f->codec && t->side == f->group && t->how == SD_TRIED_SLICES && t->bytes;
}

uint64_t sd_budget_ranked (const sd_budgeted *b, const sd_family *f, const sd_layout *l) {
  for (unsigned i = 0; i < b->budget->n; i++) {
    const sd_tried *t = &b->budget->tried[i];
    if (is_slices (t, f) && sd_layout_equal (&t->layout, l))
      return t->bytes;
  }
  return 0;
}

bool sd_budget_expects (const sd_budgeted *b, const sd_family *f, sd_layout *l, double *bytes,
                        double *seconds) {
  sd_layout other;
  double more_bytes, more_seconds;
  if (knows (b, f, l, bytes, seconds))
    return true;
  if (f->group == SD_BOTH) {
    const sd_family *w = find (b, 0, f->codec), *k = find (b, 1, f->codec);
    if (!w || !k || !w->plain_bytes || !k->plain_bytes || !knows (b, w, l, bytes, seconds)
        || !knows (b, k, &other, &more_bytes, &more_seconds))
      return false;
    *bytes = (*bytes + more_bytes) * joint_share[f->diagram];
    *seconds += more_seconds;
    /* What suits one side may double one stream for both: where both began is the safer layout. With pawns in
     * rows nine endings took 0.77 of it in the mean (papers/budget). */
    if (f->diagram) {
      *l = b->all->spec->side[0].layout;
      for (unsigned i = 0; i < l->ngroups; i++)
        if (l->group[i].type == SD_PAWN)
          l->group[i].numbering = SD_ROWS;
    }
    return true;
  }
  const sd_family *joint = find (b, SD_BOTH, f->codec);
  if (!joint || !joint->plain_bytes || !knows (b, joint, l, bytes, seconds))
    return false;
  *bytes *= apart_share;
  *seconds *= apart_share;
  return true;
}

/* Was it tried, or is it what was found? */
static bool was_tried (const sd_budgeted *b, const sd_family *f, const sd_next *n) {
  char text[96];
  const bool checks = b->group[f->group].checks && n->more != SD_NO_CHECKS;
  sd_settings_differing (&n->settings, text, sizeof text);
  for (unsigned i = 0; i < b->budget->n; i++) {
    const sd_tried *t = &b->budget->tried[i];
    if (t->codec == f->codec && t->side == f->group && t->how == n->how && t->checks == checks
        && strcmp (t->settings, text) == 0 && sd_layout_equal (&t->layout, &n->layout))
      return true;
  }
  return false;
}

/* Row k of the codec's settings, without what the user has chosen; false: nothing of it is left. */
static bool with_row (const sd_budgeted *b, const sd_family *f, unsigned k, sd_settings *out) {
  char text[128], before[96], after[96];
  *out = f->plain;
  snprintf (text, sizeof text, "%s", f->codec->trials.more[k].set);
  for (char *save = NULL, *way = strtok_r (text, ",", &save); way; way = strtok_r (NULL, ",", &save))
    if (sd_search_may_vary (b->all->how, way))
      sd_search_put (out, way);
  sd_settings_differing (&f->plain, before, sizeof before);
  sd_settings_differing (out, after, sizeof after);
  return strcmp (before, after) != 0;
}

static unsigned rows (const sd_family *f) {
  unsigned n = 0;
  while (f->codec->trials.more && n < SD_MORE_ROWS && f->codec->trials.more[n].set)
    n++;
  return n;
}

/* Diagrams in their best layouts took two thirds of those in the first one, some half; the more layouts were
 * tried, the less is left. What a small sample tells of other codecs is too much rather than too little. */
static double layout_hope (const sd_family *f) {
  const double tried = 1 + f->layouts / 6.0;
  return !f->diagram ? 1 : 1 - 0.3 / (tried * tried);
}

/* The share of the plain settings' bytes that the family may come to in its best layout. */
static double hope (const sd_budgeted *b, const sd_family *f) {
  double least = 1;
  sd_settings set;
  for (unsigned k = 0; k < rows (f); k++)
    if (f->share[k] < least && with_row (b, f, k, &set))
      least = f->share[k];
  if (!f->plain_bytes && !f->diagram && f->codec->trials.gain > 0 && !coded_alike (b, f))
    least *= f->codec->trials.gain;
  return least;
}

/* The least that a group's stream may take with what is known. */
static double promise (const sd_budgeted *b, unsigned group) {
  double least = b->group[group].best.bytes == UINT64_MAX ? INFINITY : (double) b->group[group].best.bytes;
  for (unsigned i = 0; i < b->nfamilies; i++) {
    const sd_family *f = &b->family[i];
    sd_layout l;
    double bytes, seconds;
    if (f->group != group || !sd_budget_expects (b, f, &l, &bytes, &seconds))
      continue;
    bytes *= hope (b, f) * layout_hope (f);
    least = bytes < least ? bytes : least;
  }
  return least;
}

uint64_t sd_budget_total (const sd_budgeted *b) {
  const sd_goal *g = b->group;
  uint64_t apart = 0;
  for (unsigned i = 0; i < SD_BOTH; i++)
    if (g[i].open)
      apart = apart == UINT64_MAX || g[i].best.bytes == UINT64_MAX ? UINT64_MAX : apart + g[i].best.bytes;
  if (!g[0].open && !g[1].open)
    apart = UINT64_MAX;
  return g[SD_BOTH].open && g[SD_BOTH].best.bytes < apart ? g[SD_BOTH].best.bytes : apart;
}

/* ------------------------------------------------------------------------ the list */

typedef struct listing {
  const sd_budgeted *b;
  sd_next *list;
  unsigned n;
  bool one; /* the table holds one side to move, the smaller; each is searched for by itself */
  double total, left, promise[SD_BUDGET_GROUPS];
} listing;

/* What the other stream of the table takes, or may take. */
static double beside (const listing *l, unsigned group) {
  const sd_goal *g = l->b->group;
  const unsigned other = 1 - group;
  if (group == SD_BOTH || !g[other].open || l->one)
    return 0;
  return g[other].best.bytes < UINT64_MAX ? (double) g[other].best.bytes : l->promise[other];
}

/* Bytes of the table that a stream of so many saves. One stream and two compete: where they are behind, what
 * is saved counts less, unless the table may become smaller by it, and nothing if they cannot become
 * the smaller ones. */
static double gain_of (const listing *l, unsigned group, double may_become) {
  const sd_goal *g = l->b->group;
  const double total = l->one ? (double) g[group].best.bytes : l->total;
  const double found = (double) g[group].best.bytes + beside (l, group);
  const unsigned other = 1 - group;
  const double least =
      l->promise[group] + (group == SD_BOTH || !g[other].open || l->one ? 0 : l->promise[other]);
  if (least > total)
    return 0;
  if (g[group].best.bytes == UINT64_MAX)
    return total - may_become - beside (l, group);
  const double behind = ((double) g[group].best.bytes - may_become) * pow (total / found, 4);
  return fmax (behind, total - may_become - beside (l, group));
}

/* What has to be done again in a better layout waits while there is time for layouts, in the first 30 %
 * of it above all, and is due when the rest is just enough for it, for each stream of the table. */
static double urgency (const listing *l, const sd_family *f, const sd_next *n) {
  const sd_goal *g = l->b->group;
  const unsigned streams = f->group == SD_BOTH ? 1 : (unsigned) (g[0].open + g[1].open);
  const double rest = l->left / (streams * n->seconds);
  const bool early = l->left > early_until * (l->b->budget->end - l->b->budget->begin);
  if (n->more == SD_PLAIN)
    return n->soon ? soon : 1;
  return rest <= due_at ? due : early ? early_wait : wait_for_layouts;
}

static void add (listing *l, const sd_family *f, sd_next n, double may_become) {
  const sd_goal *g = &l->b->group[f->group];
  n.family = (unsigned) (f - l->b->family);
  n.gain = gain_of (l, f->group, may_become);
  if (!g->search.data)
    n.seconds += g->subdefine_seconds;
  if (n.gain < 1 || l->n == SD_MAX_NEXT || was_tried (l->b, f, &n))
    return;
  n.value = n.gain / (n.seconds + 1e-3) * urgency (l, f, &n);
  l->list[l->n++] = n;
}

/* Layouts to compare with the best one. One stream for both may have that of either side, and sides may have
 * that of one stream for both, but for diagrams. */
static unsigned other_layouts (const sd_budgeted *b, const sd_family *f, enum sd_variation which,
                               sd_candidate *c) {
  sd_search s = b->group[f->group].search;
  unsigned n = 0;
  s.slices = f->slices;
  if (f->diagram)
    sd_search_vary (&s, &f->layout, which, c, &n);
  for (unsigned i = 0; i < SD_BUDGET_GROUPS; i++) {
    const sd_sampled_layouts *known = &b->group[i].layouts[f->codec->trials.slow];
    const sd_family *of = find (b, i, f->codec);
    if (f->group != SD_BOTH && i != f->group && (f->diagram || i != SD_BOTH))
      continue;
    if (f->diagram && i != f->group && of && of->plain_bytes && which == SD_VARY_LEADER)
      sd_search_add (c, &n, &of->layout);
    for (unsigned k = 0; !f->diagram && which == SD_VARY_ORDER && k < known->n; k++)
      sd_search_add (c, &n, &known->layout[k].layout);
  }
  return n;
}

/* What is behind has to become smaller by the row's settings, too; what leads saves them anyway. */
static double least_of (const listing *l, const sd_family *f, double bytes) {
  const bool leads = f->best.bytes == l->b->group[f->group].best.bytes;
  return leads ? (double) f->best.bytes : bytes * hope (l->b, f);
}

static void add_layouts (listing *l, const sd_family *f, double bytes, double seconds) {
  enum { MOST = 64 };
  sd_candidate c[MOST]; /* room for all that other_layouts () can find of a variation */
  const double least = least_of (l, f, bytes) * layout_hope (f);
  sd_next n = { .more = SD_PLAIN, .settings = f->plain, .how = f->slices ? SD_TRIED_SLICES : SD_TRIED_WHOLE };
  n.seconds = !f->slices ? seconds : f->rank_seconds > 0 ? f->rank_seconds : seconds / 3;
  for (unsigned v = 0; v < SD_VARIATIONS; v++) {
    const double gain = f->diagram ? l->b->learned[v] : layout_gain;
    /* Slices are compared with slices of the best layout, which have to be coded first. */
    if (f->slices && !f->ranked) {
      n.layout = f->layout;
      n.variation = SD_VARIATIONS;
      n.bytes = bytes;
      add (l, f, n, least * (1 - gain / 2));
      return;
    }
    const unsigned found = other_layouts (l->b, f, (enum sd_variation) v, c);
    for (unsigned i = 0; i < found && i < MOST; i++) {
      n.layout = c[i].layout;
      n.variation = (enum sd_variation) v;
      n.bytes = (f->slices ? (double) f->ranked : bytes) * (1 - gain);
      add (l, f, n, least * (1 - gain));
    }
  }
}

/* Whole in layouts that were good in slices, which may be wrong by some per cent. What slices say is much
 * better is coded soon: more layouts by slices would put it off until the budget ends. */
static void add_ranked (listing *l, const sd_family *f) {
  sd_next n = { .more = SD_PLAIN, .settings = f->plain, .how = SD_TRIED_WHOLE, .variation = SD_VARIATIONS };
  n.seconds = f->plain_seconds;
  for (unsigned i = 0; f->slices && f->plain_ranked && i < l->b->budget->n; i++) {
    const sd_tried *t = &l->b->budget->tried[i];
    if (!is_slices (t, f))
      continue;
    const double share = (double) t->bytes / (double) f->plain_ranked;
    n.layout = t->layout;
    n.bytes = share * (double) f->plain_bytes;
    n.soon = share < much_better;
    add (l, f, n, share * least_of (l, f, (double) f->plain_bytes) * (1 - slices_err));
  }
}

static void add_family (listing *l, const sd_family *f) {
  const sd_goal *g = &l->b->group[f->group];
  sd_layout best;
  double bytes, seconds;
  if (!sd_budget_expects (l->b, f, &best, &bytes, &seconds))
    return;
  sd_next n = { .how = SD_TRIED_WHOLE, .variation = SD_VARIATIONS, .layout = best };
  const sd_family *white = find (l->b, 0, f->codec);
  n.more = SD_PLAIN;
  /* One stream for both begins with the settings that were best for White's. */
  n.settings = f->group == SD_BOTH && !f->plain_bytes && !(f->sampled > 0) && white ? white->plain : f->plain;
  n.bytes = bytes;
  n.seconds = seconds;
  const double total = l->one ? (double) g->best.bytes : l->total;
  n.soon = f->sampled > 0 && !f->plain_bytes && bytes + beside (l, f->group) < total;
  add (l, f, n, bytes * hope (l->b, f) * (f->plain_bytes ? 1 : layout_hope (f)));
  for (unsigned k = 0; k < rows (f); k++) {
    n.more = (int) k;
    n.bytes = bytes * f->share[k];
    n.seconds = seconds * f->cost[k];
    if (f->plain_bytes && with_row (l->b, f, k, &n.settings))
      add (l, f, n, n.bytes);
  }
  if (f->plain_bytes) {
    add_layouts (l, f, bytes, seconds);
    add_ranked (l, f);
  }
  /* The best of the side, with values for positions in check. */
  if (!g->tried_checks && f->best.bytes < UINT64_MAX && f->codec == g->best.side.codec) {
    n.more = SD_NO_CHECKS;
    n.layout = f->best.side.layout;
    n.settings = f->best.side.settings;
    n.bytes = (double) f->best.bytes * (1 - checks_gain);
    n.seconds = f->best_seconds + g->subdefine_seconds;
    add (l, f, n, n.bytes);
  }
}

static int by_value (const void *x, const void *y) {
  const sd_next *a = x, *b = y;
  if (a->value != b->value)
    return a->value > b->value ? -1 : 1;
  return a->family != b->family ? (a->family < b->family ? -1 : 1) : a->more - b->more;
}

unsigned sd_budget_next (const sd_budgeted *b, sd_next *list) {
  listing l = { .b = b,
                .list = list,
                .total = (double) sd_budget_total (b),
                .left = sd_budget_left (b),
                .one = b->all->spec->sides == SD_SIDES_ONE };
  for (unsigned g = 0; g < SD_BUDGET_GROUPS; g++)
    l.promise[g] = promise (b, g);
  for (unsigned i = 0; i < b->nfamilies; i++)
    add_family (&l, &b->family[i]);
  qsort (list, l.n, sizeof *list, by_value);
  return l.n;
}
