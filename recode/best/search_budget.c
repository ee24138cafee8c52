/* The search within a budget of CPU time.
 *
 * The first coding is that of the spec, which is what a table takes by default; it is made whatever the
 * budget is. Then small samples tell what each codec that looks at neighbours would take, and how long
 * (budget_samples.c). From there on there is one list of all that may be done next, each with the bytes and
 * the seconds that are predicted for it: another layout for the diagram that is best so far, more settings
 * for a codec in its best layout, a codec that has only been sampled, one stream for both sides to move,
 * values for positions in check (budget_next.c). What may save most bytes for its time is coded, if it fits
 * what is left, and what it took makes the next predictions better. The search ends with the budget, or when
 * nothing on the list promises a byte.
 *
 * The budget is CPU time of the process, so that a busy machine finds as much as an idle one. An encoder that
 * is at work when it ends gives up (sd_stopped). The stream of the best coding is kept, and is written
 * without coding it again.
 *
 * Everything is done by one thread but what encoders share out by themselves. */
#include "config.h"
#include "codecs/codecs.h"
#include "recode/best/budget_internal.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLICED = 1 << 18 }; /* slots of a side; layouts for diagrams of more are compared by slices */

/* ----------------------------------------------------------------- the clock */

double sd_budget_left (const sd_budgeted *b) {
  return b->budget->end - sd_cpu_now ();
}

static bool caller_stops (const sd_budgeted *b) {
  return sd_stopped (b->all->progress) != SD_OK;
}

bool sd_budget_is_over (void *ctx) {
  const sd_budgeted *b = ctx;
  return !b->patient && (sd_budget_left (b) <= 0 || caller_stops (b));
}

/* Whatever an encoder says of itself, what the search has found is told, and the time that it has left. */
static void report (void *ctx, const char *what, uint64_t done, uint64_t total) {
  const sd_budgeted *b = ctx;
  char text[200], left[40];
  const uint64_t best = sd_budget_total (b);
  const double spent = sd_cpu_now () - b->budget->begin, all = b->budget->end - b->budget->begin;
  (void) what;
  (void) done;
  (void) total;
  sd_time_text (spent < all ? all - spent : 0, left, sizeof left);
  if (best == UINT64_MAX)
    snprintf (text, sizeof text, "searching\t\t%s of CPU time left", left);
  else
    snprintf (text, sizeof text, "searching\tbest %" PRIu64 " bytes\t%s of CPU time left", best, left);
  sd_report (b->all->progress, text, (uint64_t) (1000 * (spent < all ? spent : all)),
             (uint64_t) (1000 * all) + 1);
}

/* ---------------------------------------------------------------- what there is */

sd_family *sd_budget_family (sd_budgeted *b, unsigned group, const sd_codec *codec) {
  for (unsigned i = 0; i < b->nfamilies; i++)
    if (b->family[i].group == group && b->family[i].codec == codec)
      return &b->family[i];
  return NULL;
}

static void add_families (sd_budgeted *b, unsigned group) {
  const sd_search *s = &b->group[group].search;
  const sd_search_options *how = s->how;
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  for (size_t i = 0; i < ncodecs && b->nfamilies < SD_MAX_FAMILIES; i++) {
    const bool given = codec[i] == b->all->spec->side[0].codec;
    if ((how->fixed_codec && !given) || (codec[i]->trials.apart && !given)
        || sd_search_is_too_slow (s, codec[i]))
      continue;
    sd_family *f = &b->family[b->nfamilies++];
    *f = (sd_family){ .codec = codec[i], .group = group, .diagram = sd_search_is_diagram (codec[i]) };
    f->slices = f->diagram && sd_indexer_size (s->from) > SLICED;
    f->best.bytes = UINT64_MAX;
    if (given)
      f->plain = b->all->spec->side[0].settings;
    else if (sd_settings_parse (codec[i], codec[i]->trials.settings[0], &f->plain, NULL))
      b->nfamilies--;
    const bool plies = sd_metrics[b->all->spec->metric].plies;
    for (unsigned k = 0; codec[i]->trials.more && codec[i]->trials.more[k].set && k < SD_MORE_ROWS; k++) {
      f->share[k] = codec[i]->trials.more[k].bytes[plies];
      f->cost[k] = codec[i]->trials.more[k].seconds[plies];
    }
  }
}

/* Which streams the table may have. */
static void open_groups (sd_budgeted *b) {
  const sd_search *all = b->all;
  const sd_table_spec *spec = all->spec;
  const unsigned sides = sd_table_sides (spec);
  const bool joint = sd_table_joint (spec), two = all->exact->nsides == 2;
  const bool share =
      joint || (all->how->may_share && two && sides == SD_SIDES_BOTH && spec->sides != SD_SIDES_ONE);
  for (unsigned g = 0; g < SD_BUDGET_GROUPS; g++) {
    sd_goal *to = &b->group[g];
    to->search = *all;
    to->search.side = g;
    to->search.progress = &b->clock;
    to->search.encoding = &b->clock;
    to->best.bytes = UINT64_MAX;
    to->checks = true; /* as the spec says */
    to->open = g == SD_BOTH ? share : (!joint || all->how->may_share) && sides >> g & 1;
    /* Where one stream may be made, positions in check are as free in two: a table has one freedom. */
    to->tried_checks = g == SD_BOTH || !all->how->checks || !sd_search_may_hold_checks (spec)
                       || (joint && !all->how->may_share);
    if (to->open)
      add_families (b, g);
  }
}

/* -------------------------------------------------------------------- first coding */

/* As the spec says, of each stream that it has; these are coded whatever the budget is. */
static void begin (sd_budgeted *b) {
  const sd_table_spec *spec = b->all->spec;
  const bool joint = sd_table_joint (spec);
  for (unsigned g = joint ? SD_BOTH : 0; g < (joint ? SD_BUDGET_GROUPS : SD_BOTH); g++) {
    const unsigned side = joint ? 0 : g;
    sd_family *f = b->group[g].open ? sd_budget_family (b, g, spec->side[side].codec) : NULL;
    if (!f)
      continue;
    const sd_next n = { .family = (unsigned) (f - b->family),
                        .more = SD_PLAIN,
                        .how = SD_TRIED_WHOLE,
                        .variation = SD_VARIATIONS,
                        .layout = spec->side[side].layout,
                        .settings = spec->side[side].settings };
    f->plain = n.settings;
    sd_budget_try (b, &n);
  }
}

/* Where that keeps no bound, or cannot be coded: each codec in turn, from the settings with the quickest
 * lookups on, until there is a table. */
static void begin_otherwise (sd_budgeted *b) {
  for (unsigned i = 0; i < b->nfamilies && sd_budget_total (b) == UINT64_MAX; i++) {
    sd_family *f = &b->family[i];
    if (b->group[f->group].best.bytes < UINT64_MAX)
      continue;
    sd_next n = { .family = i, .more = SD_PLAIN, .how = SD_TRIED_WHOLE, .variation = SD_VARIATIONS };
    n.settings = f->plain;
    n.layout = b->all->spec->side[0].layout;
    sd_budget_try (b, &n);
  }
}

/* -------------------------------------------------------------------------- the end */

/* What was left out, behind what was tried. */
static void note_left (sd_budgeted *b, const sd_next *list, unsigned n) {
  sd_search_budget *to = b->budget;
  const unsigned tried = to->n;
  to->over |= n > 0;
  for (unsigned i = 0; i < n; i++)
    if (!sd_budget_note (b, &b->family[list[i].family], &list[i]))
      to->more++;
  to->left = to->n - tried;
  to->n = tried;
}

/* Why there is nothing of a codec in the rows, which tell of each codec. */
static void tell_codecs (sd_budgeted *b) {
  for (unsigned i = 0; i < b->nfamilies; i++) {
    const sd_family *f = &b->family[i];
    const sd_search *s = &b->group[f->group].search;
    sd_search_row *row = sd_search_row_of (s, f->codec);
    sd_layout l;
    double bytes, seconds;
    if (row->bytes || row->why[0])
      continue;
    if (!sd_budget_expects (b, f, &l, &bytes, &seconds)) {
      sd_search_why (s, f->codec,
                     f->group == SD_BOTH ? "not tried: no side was coded with it"
                                         : "not tried: no time for a sample");
      continue;
    }
    bool left = false;
    for (unsigned k = b->budget->n; k < b->budget->n + b->budget->left; k++)
      left |= b->budget->tried[k].codec == f->codec && b->budget->tried[k].side == f->group;
    row->predicted = (uint64_t) bytes;
    sd_search_why (s, f->codec,
                   left ? "left out: the budget was too short for it" : "predicted to be too large");
  }
}

static void tell_joint (const sd_budgeted *b) {
  sd_search_report *r = b->all->report;
  const sd_goal *g = b->group;
  if (!g[SD_BOTH].open || g[0].best.bytes == UINT64_MAX || g[1].best.bytes == UINT64_MAX)
    return;
  r->apart = g[0].best.bytes + g[1].best.bytes;
  if (g[SD_BOTH].best.bytes < UINT64_MAX)
    r->joint = g[SD_BOTH].best.bytes;
  else
    snprintf (r->why, sizeof r->why, "not made: predicted to be larger, or without time for it");
}

/* The spec as the best table has it. */
static void choose (sd_budgeted *b) {
  sd_table_spec *spec = b->spec;
  sd_goal *g = b->group;
  const unsigned nsides = b->all->exact->nsides;
  const bool checks = b->all->how->checks && !(sd_table_joint (spec) && !b->all->how->may_share);
  unsigned sides = 0;
  uint64_t apart = 0;
  for (unsigned i = 0; i < nsides; i++)
    if (sd_table_sides (spec) >> i & 1) {
      apart = !g[i].open || g[i].best.bytes == UINT64_MAX || apart == UINT64_MAX ? UINT64_MAX
                                                                                 : apart + g[i].best.bytes;
      sides |= (unsigned) g[i].checks << i;
    }
  const bool joint = g[SD_BOTH].best.bytes < UINT64_MAX && g[SD_BOTH].best.bytes <= apart;
  if (joint)
    spec->sides = SD_SIDES_JOINT;
  else if (spec->sides == SD_SIDES_JOINT)
    spec->sides = SD_SIDES_BOTH;
  if (!joint && checks && sd_search_may_hold_checks (spec))
    sd_search_free_checks (spec, nsides, sides);
  for (unsigned i = 0; i < nsides; i++) {
    sd_goal *from = &g[joint ? SD_BOTH : i];
    if (from->best.bytes == UINT64_MAX)
      continue;
    spec->side[i] = from->best.side;
    if (joint && i)
      continue;
    b->budget->stream[i] = from->stream;
    from->stream = (sd_buf){ 0 };
    spec->side[i].coded = &b->budget->stream[i];
  }
}

/* One after the other, until nothing fits what is left. */
static void search (sd_budgeted *b, sd_next *list) {
  for (;;) {
    const unsigned n = sd_budget_next (b, list);
    const double left = sd_budget_left (b);
    unsigned i = 0;
    while (i < n && list[i].seconds > left)
      i++;
    /* Predictions are rough: where nothing fits there is nothing to lose. */
    if (i == n)
      for (i = 0; i < n && list[i].seconds > 2 * left;)
        i++;
    if (i == n || b->budget->n == SD_MAX_TRIED || sd_budget_is_over (b)
        || sd_budget_try (b, &list[i]) == SD_ESTOPPED) {
      b->budget->stopped = caller_stops (b);
      note_left (b, list, sd_budget_next (b, list));
      return;
    }
  }
}

static void budgeted_free (sd_budgeted *b) {
  for (unsigned g = 0; g < SD_BUDGET_GROUPS; g++) {
    sd_subdefined_free (b->group[g].data[0]);
    sd_subdefined_free (b->group[g].data[1]);
    sd_buf_free (&b->group[g].stream);
  }
  free (b);
}

int sd_search_budgeted (const sd_search *all, sd_table_spec *spec, sd_error *err) {
  static const double gain[SD_VARIATIONS] = {
    [SD_VARY_LEADER] = 0.06, [SD_VARY_PAWNS] = 0.06,    [SD_VARY_KINGS] = 0.03,
    [SD_VARY_OTHERS] = 0.03, [SD_VARY_TOGETHER] = 0.08, [SD_VARY_ORDER] = 0.01
  };
  const sd_table_spec given = *spec;
  sd_search start = *all;
  SD_OWNED sd_next *list = sd_alloc (SD_MAX_NEXT, sizeof *list);
  sd_budgeted *b = sd_alloc0 (1, sizeof *b);
  if (!b || !list) {
    free (b);
    return sd_fail_memory (err, sizeof *b + SD_MAX_NEXT * sizeof *list);
  }
  start.spec = &given; /* that the search starts from, whatever becomes of *spec */
  b->all = &start;
  b->spec = spec;
  b->budget = all->how->budget;
  b->clock = (sd_progress){ .report = report, .stop = sd_budget_is_over, .ctx = b };
  for (unsigned v = 0; v < SD_VARIATIONS; v++) {
    b->learned[v] = gain[v];
    b->weight[v] = 3; /* as if so many had been tried */
  }
  open_groups (b);

  b->patient = true;
  begin (b);
  if (sd_budget_total (b) == UINT64_MAX)
    begin_otherwise (b);
  b->patient = false;
  int status = SD_OK;
  if (sd_budget_total (b) == UINT64_MAX) {
    for (unsigned g = 0; g < SD_BUDGET_GROUPS && status == SD_OK; g++)
      if (b->group[g].open && b->group[g].best.bytes == UINT64_MAX)
        status = sd_search_nothing (&b->group[g].search, err);
  } else {
    sd_budget_sample (b);
    search (b, list);
  }
  b->budget->used = sd_cpu_now () - b->budget->begin;
  if (status == SD_OK) {
    tell_codecs (b);
    tell_joint (b);
    choose (b);
  }
  budgeted_free (b);
  return status;
}
