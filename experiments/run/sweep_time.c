/* How long a sweep will take. What is computed is shared by the workers, what is timed is not: all of them
 * rest meanwhile. A class of cells (codec, settings, metric) costs so many seconds a slot: what
 * its rows say, else rows of the same codec and metric, of the same codec, or a guess. The pace of this run
 * (seconds of the clock for a second of work) corrects what is wrong in all of them alike: the number of
 * workers, a busy machine, work that no row counts. So the time left is right as soon as a few cells are
 * done, and roughly right before. Cost: the number of classes, which is small, for each question. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/run/run_internal.h"
#include <stdlib.h>
#include <string.h>

#define TRUST_S 3.     /* so many seconds must the run's own pace show before it counts for half */
#define TIMING_S 0.15  /* timing single symbols, or probes, of one cell (latency.c) */
#define ANY_CODEC 2e-7 /* seconds a slot where nothing is known */

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
  memset (c, 0, sizeof *c);
}

static size_t class_of (sd_costs *c, const sd_codec *codec, const char *settings, enum sd_metric metric) {
  for (size_t k = 0; k < c->n; k++) { /* cells come in the order of their codecs: mostly the next one */
    const size_t i = (c->last + k) % c->n;
    if (c->at[i].codec == codec && c->at[i].metric == metric && strcmp (c->at[i].settings, settings) == 0) {
      c->last = i + 1;
      return i;
    }
  }
  if (!sd_grow (&c->at, &c->cap, c->n + 1))
    return SIZE_MAX;
  sd_cost_class *k = &c->at[c->n];
  *k = (sd_cost_class){ .codec = codec, .metric = metric };
  snprintf (k->settings, sizeof k->settings, "%s", settings);
  return c->n++;
}

size_t sd_costs_class (sd_costs *c, const sd_cell *cell) {
  return class_of (c, cell->codec, cell->name.settings, cell->metric);
}

/* Seconds a slot: the nearest relatives that have rows. */
static double rate (const sd_costs *c, size_t class) {
  const sd_cost_class *k = &c->at[class];
  double seconds[2] = { 0, 0 }, slots[2] = { 0, 0 }; /* same codec; and the same metric */
  if (k->slots > 0)
    return k->seconds / k->slots;
  for (size_t i = 0; i < c->n; i++)
    for (unsigned metric = 0; metric < 2; metric++)
      if (c->at[i].codec == k->codec && (!metric || c->at[i].metric == k->metric)) {
        seconds[metric] += c->at[i].seconds;
        slots[metric] += c->at[i].slots;
      }
  for (int metric = 1; metric >= 0; metric--)
    if (slots[metric] > 0)
      return seconds[metric] / slots[metric];
  return ANY_CODEC;
}

double sd_costs_of (const sd_costs *c, size_t class, double slots) {
  return slots * rate (c, class);
}

bool sd_costs_known (const sd_costs *c, size_t class) {
  for (size_t i = 0; i < c->n; i++)
    if (c->at[i].codec == c->at[class].codec && c->at[i].slots > 0)
      return true;
  return false;
}

double sd_timing_seconds (bool latency, bool probe) {
  return TIMING_S * ((latency || probe) + probe);
}

void sd_costs_learn (sd_costs *c, size_t class, double slots, double seconds) {
  c->at[class].seconds += seconds;
  c->at[class].slots += slots;
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

double sd_costs_left (const sd_costs *c, double running, double elapsed) {
  double left = 0 - running, timings = 0; /* not -0 */
  for (size_t i = 0; i < c->n; i++) {
    left += sd_costs_of (c, i, c->at[i].left);
    timings += c->at[i].timings;
  }
  if (left < 0)
    left = 0;
  const double worked = elapsed > c->timed ? elapsed - c->timed : 0,
               pace = (TRUST_S / c->jobs + worked) / (TRUST_S + c->done + running),
               pace_of_timing = (TRUST_S + c->timed) / (TRUST_S + c->timings_done);
  return left * pace + timings * pace_of_timing;
}
