/* How much work a sweep is. What is computed is shared by the workers, what is timed is not: all of them rest
 * meanwhile. A class of cells (codec, settings, metric) costs so many seconds a slot: what its rows say, else
 * rows of the same codec and metric, of the same codec, or a guess. How long that takes by the clock, on a
 * machine that may have other work, is seen while it is done (base/eta.c). Classes are found in a tree
 * (tsearch); what is left is summed over all of them, some ten times a second.
 *
 * Three questions are answered from it: how much of the work is done (the bar), how many cells a worker
 * should claim ahead (sweep_clerk.c), and what --dry-run and --status say of the rest: "about 12 s of work
 * for 2 at a time". A guess is wrong only until a few rows have come. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/run/run_internal.h"
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define TIMING_S 0.15  /* timing single symbols, or probes, of one cell (latency.c) */
#define ANY_CODEC 2e-7 /* seconds a slot where nothing is known, */
#define SLOW_CODEC 5e-6 /* also of a codec that is called slow, so that the bar does not run ahead of it */
#define ANY_METRIC ((enum sd_metric) (SD_METRICS + 1)) /* arrays have SD_NO_METRIC */

/* Kings first: 10 fields of one king by symmetry, or 32 with pawns, times 64 of the other. Of k equal men the
 * k-th counts a k-th, as their order does not matter. */
double sd_material_slots (const sd_material *m) {
  double n = sd_material_has_pawns (m) ? 32 * 64 : 10 * 64; /* the kings */
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = 0; t < 5; t++)
      for (unsigned k = 0; k < m->count[c][t]; k++)
        n *= ((t == SD_PAWN ? 48. : 64.) - k) / (k + 1);
  return n;
}

double sd_cell_slots (const sd_cell *c) {
  /* Of a part it is about what is coded: the part once, and all its lots. */
  const double times = c->part ? 2. / c->part : c->side == 2 ? 2 : 1;
  return c->array ? (double) c->array : times * sd_material_slots (&c->material);
}

/* ------------------------------------------------------------------- classes */

/* Any order will do that is the same in all calls. */
static int by_name (const void *a, const void *b) {
  const sd_cost_class *x = a, *y = b;
  return x->codec != y->codec     ? (x->codec < y->codec ? -1 : 1)
         : x->metric != y->metric ? (x->metric < y->metric ? -1 : 1)
                                  : strcmp (x->settings, y->settings);
}

static void keep (void *node) {
  (void) node; /* classes are freed as the list that they are, too */
}

void sd_costs_free (sd_costs *c) {
  tdestroy (c->tree, keep);
  for (sd_cost_class *k = c->all, *next; k; k = next) {
    next = k->next;
    free (k);
  }
  memset (c, 0, sizeof *c);
}

/* Those with all settings, and then with all metrics, are its relatives. Each class knows the wider one, and
 * that its wider one, so that what is learnt of a row goes into all three, and what is not known of a class
 * is asked of the wider ones. */
static sd_cost_class *class_of (sd_costs *c, const sd_codec *codec, const char *settings,
                                enum sd_metric metric) {
  sd_cost_class like = { .codec = codec, .metric = metric }, **found;
  snprintf (like.settings, sizeof like.settings, "%s", settings);

  if ((found = tfind (&like, &c->tree, by_name)))
    return *found;
  if (metric != ANY_METRIC && !(like.wider = class_of (c, codec, "", *settings ? metric : ANY_METRIC)))
    return NULL;

  sd_cost_class *k = malloc (sizeof *k);
  if (!k)
    return NULL;
  *k = like;
  if (!tsearch (k, &c->tree, by_name)) {
    free (k);
    return NULL;
  }
  k->next = c->all;
  return c->all = k;
}

bool sd_costs_cell (sd_costs *c, const sd_cell *cell, bool latency, bool probe, sd_cost *out) {
  /* a codec without settings is a class, too, beside that of all settings */
  const char *settings = *cell->name.settings ? cell->name.settings : "none";
  *out = (sd_cost){ class_of (c, cell->codec, settings, cell->metric), sd_cell_slots (cell),
                    TIMING_S * ((latency || probe) + probe) };
  return out->class != NULL;
}

/* -------------------------------------------------------------------- costs */

/* Seconds a slot. */
static double rate_of (const sd_cost_class *k) {
  for (const sd_cost_class *at = k; at; at = at->wider)
    if (at->slots > 0)
      return at->seconds / at->slots;
  return k->codec->trials.slow ? SLOW_CODEC : ANY_CODEC;
}

double sd_cost_coding (const sd_cost *k) {
  return k->slots * rate_of (k->class);
}

/* The widest class has all rows of the codec. */
bool sd_cost_is_known (const sd_cost *k) {
  return k->class->wider->wider->slots > 0;
}

void sd_costs_count (sd_costs *c, const sd_cost *k, int more) {
  k->class->left += more * k->slots;
  c->timings += more * k->timing;
}

/* Seconds of CPU, as rows have them. */
void sd_cost_learn (const sd_cost *k, double seconds) {
  for (sd_cost_class *at = k->class; at; at = at->wider) {
    at->seconds += seconds;
    at->slots += k->slots;
  }
}

/* Texts come from a store that nobody has checked: what cannot be read teaches nothing. Rows of arrays have
 * no material and are passed over. */
static void learn_row (void *ctx, const sd_store_cost *r) {
  sd_costs *c = ctx;
  const sd_codec *codec = r->codec ? sd_codec_find (r->codec) : NULL;
  sd_material m;
  if (!codec || !r->settings || !r->metric || !r->table || sd_material_parse (r->table, &m, NULL) != SD_OK)
    return; /* nothing to learn here */
  const sd_cost k = { class_of (c, codec, *r->settings ? r->settings : "none", sd_metric_find (r->metric)),
                      (double) r->rows * sd_material_slots (&m), 0 };
  if (k.class)
    sd_cost_learn (&k, r->seconds);
}

int sd_costs_learn_rows (sd_costs *c, sd_store *store, sd_error *err) {
  return sd_store_costs (store, learn_row, c, err);
}

double sd_costs_left (const sd_costs *c) {
  double left = 0;
  for (const sd_cost_class *k = c->all; k; k = k->next)
    left += k->left * rate_of (k);
  return (left > 0 ? left / c->jobs : 0) + (c->timings > 0 ? c->timings : 0); /* not -0 */
}

double sd_costs_share (const sd_costs *c, const sd_cost *k) {
  return sd_cost_coding (k) / c->jobs + k->timing;
}
