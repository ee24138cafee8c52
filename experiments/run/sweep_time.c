/* How much work a sweep is. What is computed is shared by the workers, what is timed is not: all of them rest
 * meanwhile. A class of cells (codec, settings, metric) costs so many seconds a slot: what its rows say, else
 * rows of the same codec and metric, of the same codec, or a guess. How long that takes by the clock, on a
 * machine that may have other work, is seen while it is done (base/eta.c). Sums are kept of the classes with
 * rows, and for each codec and metric of those without, so that a question costs the number of codecs and
 * metrics however many settings a sweep has. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/run/run_internal.h"
#include <stdlib.h>
#include <string.h>

#define TIMING_S 0.15  /* timing single symbols, or probes, of one cell (latency.c) */
#define ANY_CODEC 2e-7 /* seconds a slot where nothing is known, */
#define SLOW_CODEC 5e-6 /* also of a codec that is called slow, so that the bar does not run ahead of it */
#define ANY_METRIC ((enum sd_metric) (SD_METRICS + 1)) /* arrays have SD_NO_METRIC */

double sd_material_slots (const sd_material *m) {
  double n = sd_material_has_pawns (m) ? 32 * 64 : 10 * 64; /* the kings */
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = 0; t < 5; t++)
      for (unsigned k = 0; k < m->count[c][t]; k++)
        n *= ((t == SD_PAWN ? 48. : 64.) - k) / (k + 1);
  return n;
}

double sd_cell_slots (const sd_cell *c) {
  return c->array ? (double) c->array : (c->side == 2 ? 2 : 1) * sd_material_slots (&c->material);
}

void sd_costs_free (sd_costs *c) {
  free (c->at);
  free (c->chain);
  free (c->family);
  memset (c, 0, sizeof *c);
}

/* ------------------------------------------------------------------- classes */

/* The family of a codec and metric; SIZE_MAX: no memory. */
static uint64_t family_of (sd_costs *c, const sd_codec *codec, enum sd_metric metric) {
  uint64_t whole = 0;
  for (uint64_t i = 0; i < c->nfamilies; i++)
    if (c->family[i].codec == codec && c->family[i].metric == metric)
      return i;
  if (metric != ANY_METRIC && (whole = family_of (c, codec, ANY_METRIC)) == SIZE_MAX)
    return SIZE_MAX;
  if (!sd_grow (&c->family, &c->family_cap, c->nfamilies + 1))
    return SIZE_MAX;
  c->family[c->nfamilies] = (sd_cost_family){ .codec = codec,
                                              .metric = metric,
                                              .codec_family = metric == ANY_METRIC ? c->nfamilies : whole };
  return c->nfamilies++;
}

/* The chain that a class is in, if it is there. */
static uint64_t *chain_of (const sd_costs *c, const sd_codec *codec, const char *settings,
                           enum sd_metric metric) {
  const uint64_t hash = sd_hash64 (settings, strlen (settings)) + 31 * (uint64_t) metric
                        + sd_hash64 (codec->name, strlen (codec->name));
  return &c->chain[hash % c->nchains];
}

/* Twice as many chains, as soon as there are as many classes. */
static bool lengthen (sd_costs *c) {
  if (c->n < c->nchains)
    return true;
  const uint64_t n = c->nchains ? 2 * c->nchains : 64;
  uint64_t *chain = sd_alloc0 (n, sizeof *chain);
  if (!chain)
    return false;
  free (c->chain);
  c->chain = chain;
  c->nchains = n;
  for (uint64_t i = 0; i < c->n; i++) {
    uint64_t *head = chain_of (c, c->at[i].codec, c->at[i].settings, c->at[i].metric);
    c->at[i].next = *head;
    *head = i + 1;
  }
  return true;
}

static size_t class_of (sd_costs *c, const sd_codec *codec, const char *settings, enum sd_metric metric) {
  if (!lengthen (c))
    return SIZE_MAX;
  uint64_t *head = chain_of (c, codec, settings, metric);
  for (uint64_t i = *head; i; i = c->at[i - 1].next)
    if (c->at[i - 1].codec == codec && c->at[i - 1].metric == metric
        && strcmp (c->at[i - 1].settings, settings) == 0)
      return i - 1;
  const uint64_t family = family_of (c, codec, metric);
  if (family == SIZE_MAX || !sd_grow (&c->at, &c->cap, c->n + 1))
    return SIZE_MAX;
  sd_cost_class *k = &c->at[c->n];
  *k = (sd_cost_class){ .codec = codec, .metric = metric, .family = family, .next = *head };
  snprintf (k->settings, sizeof k->settings, "%s", settings);
  *head = ++c->n;
  return c->n - 1;
}

size_t sd_costs_class (sd_costs *c, const sd_cell *cell) {
  return class_of (c, cell->codec, cell->name.settings, cell->metric);
}

/* -------------------------------------------------------------------- costs */

/* Seconds a slot where the class itself has no rows. */
static double rate_of_family (const sd_costs *c, uint64_t family) {
  const sd_cost_family *f = &c->family[family], *whole = &c->family[f->codec_family];
  return f->slots > 0            ? f->seconds / f->slots
         : whole->slots > 0      ? whole->seconds / whole->slots
         : f->codec->trials.slow ? SLOW_CODEC
                                 : ANY_CODEC;
}

double sd_costs_of (const sd_costs *c, size_t class, double slots) {
  const sd_cost_class *k = &c->at[class];
  return slots * (k->slots > 0 ? k->seconds / k->slots : rate_of_family (c, k->family));
}

bool sd_costs_known (const sd_costs *c, size_t class) {
  return c->family[c->family[c->at[class].family].codec_family].slots > 0;
}

double sd_timing_seconds (bool latency, bool probe) {
  return TIMING_S * ((latency || probe) + probe);
}

/* What is left of a class stands in one of two sums. */
static void add_left (sd_costs *c, const sd_cost_class *k, double slots) {
  if (k->slots > 0)
    c->left += slots * k->seconds / k->slots;
  else
    c->family[k->family].left += slots;
}

void sd_costs_count (sd_costs *c, size_t class, double slots, double timings) {
  sd_cost_class *k = &c->at[class];
  add_left (c, k, slots);
  k->left += slots;
  c->timings += timings;
}

void sd_costs_learn (sd_costs *c, size_t class, double slots, double seconds) {
  sd_cost_class *k = &c->at[class];
  sd_cost_family *f = &c->family[k->family], *whole = &c->family[f->codec_family];
  add_left (c, k, -k->left);
  k->seconds += seconds;
  k->slots += slots;
  f->seconds += seconds;
  f->slots += slots;
  whole->seconds += seconds;
  whole->slots += slots;
  add_left (c, k, k->left);
}

static void learn_row (void *ctx, const sd_store_cost *r) {
  sd_costs *c = ctx;
  const sd_codec *codec = r->codec ? sd_codec_find (r->codec) : NULL;
  sd_material m;
  if (!codec || !r->settings || !r->metric || !r->table || sd_material_parse (r->table, &m, NULL) != SD_OK)
    return; /* nothing to learn here */
  const size_t k = class_of (c, codec, r->settings, sd_metric_find (r->metric));
  if (k != SIZE_MAX)
    sd_costs_learn (c, k, (double) r->rows * sd_material_slots (&m), r->seconds);
}

int sd_costs_learn_rows (sd_costs *c, sd_store *store, sd_error *err) {
  return sd_store_costs (store, learn_row, c, err);
}

double sd_costs_left (const sd_costs *c) {
  double left = c->left;
  for (uint64_t i = 0; i < c->nfamilies; i++)
    left += c->family[i].left * rate_of_family (c, i);
  return (left > 0 ? left / c->jobs : 0) + (c->timings > 0 ? c->timings : 0); /* not -0 */
}

double sd_costs_share (const sd_costs *c, size_t class, double slots, double timings) {
  return sd_costs_of (c, class, slots) / c->jobs + timings;
}
