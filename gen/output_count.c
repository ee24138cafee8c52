/* What values occur in a solved ending, over all ranks: the counts of won, drawn and lost, and the map of
 * each side from symbols to values, the same as sd_subdefine makes of it. Cost: one pass over the values, 512
 * kB a thread. */
#include "config.h"
#include "gen/output_internal.h"
#include <stdlib.h>

/* Collective: count[side * SD_OUTPUT_VALUES + (uint16_t) value] over all stored states of all ranks. */
static int count_values (sd_output *o, uint64_t *count, sd_error *err) {
  int status = SD_OK;
#pragma omp parallel num_threads(o->threads)
  {
    /* A table for each thread, added up at its end: in a common one threads would wait for each other. */
    uint64_t *own = sd_alloc0 (SD_OUTPUT_VALUES, sizeof *own);
    if (!own) {
#pragma omp atomic write
      status = SD_ENOMEM;
    }
    for (unsigned side = 0; side < o->counted; side++) {
      /* A game's sides may share one stream of states, and are counted apart. */
      const uint64_t n = o->n * o->nsides / o->counted;
      const uint64_t from = sd_output_before (&o->solution->deal, side * n, o->t->rank);
      const uint64_t to = sd_output_before (&o->solution->deal, (side + 1) * n, o->t->rank);
#pragma omp for schedule(static) nowait
      for (uint64_t i = from; i < to; i += SD_OUTPUT_WINDOW) {
        const uint64_t m = to - i < SD_OUTPUT_WINDOW ? to - i : SD_OUTPUT_WINDOW;
        sd_value room[SD_OUTPUT_WINDOW];
        const sd_value *v = sd_output_values (o, i, m, room);
        for (uint64_t k = 0; own && k < m; k++)
          own[(uint16_t) v[k]]++;
      }
#pragma omp critical(sd_output_count)
      for (unsigned u = 0; own && u < SD_OUTPUT_VALUES; u++) {
        count[side * SD_OUTPUT_VALUES + u] += own[u];
        own[u] = 0; /* for the next side */
      }
    }
    free (own);
  }
  SD_TRY (sd_agree (o->t, status ? sd_fail_memory (err, SD_OUTPUT_VALUES * sizeof *count) : SD_OK, err));
  return sd_exchanged (o->t->sum (o->t->ctx, count, 2 * SD_OUTPUT_VALUES), o->path, "their counts", err);
}

/* Values rise, so that the last win is the longest, and of the losses the first one. */
static void tell_counts (const uint64_t *count, unsigned side, sd_output_stats *stats) {
  sd_counts *out = &stats->counts[side];
  stats->cursed[side] = stats->blessed[side] = 0;
  *out = (sd_counts){ 0 };
  for (int v = SD_ILLEGAL + 1; v <= INT16_MAX; v++) {
    const uint64_t n = count[(uint16_t) v];
    if (n == 0)
      continue;
    out->positions += n;
    if (sd_value_beyond_rule ((sd_value) v))
      *(v > 0 ? &stats->cursed[side] : &stats->blessed[side]) += n;
    *(v > 0 ? &out->won : v < 0 ? &out->lost : &out->drawn) += n;
    if (v > 0)
      out->longest_win = (sd_value) v;
    else if (v < out->longest_loss)
      out->longest_loss = (sd_value) v;
  }
}

/* What the values are stood for by, and what free slots hold: what occurs most. It packs best where
 * neighbours hold it, too, and all ranks know it from here on. */
static int make_map (const uint64_t *count, sd_output_side *side, sd_error *err) {
  SD_OWNED uint8_t *in_map = sd_alloc0 (SD_MAP_NUMBERS, 1);
  unsigned best = 0;
  if (!in_map)
    return sd_fail_memory (err, SD_MAP_NUMBERS);
  for (unsigned u = 0; u < SD_MAP_NUMBERS; u++)
    in_map[u] = count[u] && (sd_value) u != SD_ILLEGAL;
  SD_TRY (sd_map_make (in_map, SD_CODING_SIGNED, true, &side->map, &side->m, &side->index, err));
  for (unsigned i = 0; i < side->m; i++)
    if (count[(uint16_t) side->map[i]] > count[(uint16_t) side->map[best]])
      best = i;
  side->index[(uint16_t) SD_ILLEGAL] = (uint16_t) best;
  return SD_OK;
}

int sd_output_count (sd_output *o, sd_output_stats *stats, sd_error *err) {
  const uint64_t bytes = (2 + o->threads) * SD_OUTPUT_VALUES * sizeof (uint64_t);
  SD_OWNED uint64_t *count = sd_alloc0 (2 * SD_OUTPUT_VALUES, sizeof *count);

  sd_output_hold (o, bytes);
  int st = sd_agree (o->t, count ? SD_OK : sd_fail_memory (err, bytes), err);
  if (st == SD_OK)
    st = count_values (o, count, err);
  for (unsigned s = 0; s < o->counted && st == SD_OK; s++)
    tell_counts (count + s * SD_OUTPUT_VALUES, s, stats);
  /* One map for all states of such a game. */
  for (unsigned v = 0; o->counted > o->nsides && v < SD_OUTPUT_VALUES && st == SD_OK; v++)
    count[v] += count[SD_OUTPUT_VALUES + v];
  for (unsigned s = 0; s < o->nsides && st == SD_OK; s++) {
    sd_output_side *side = &o->side[s];
    st = make_map (count + s * SD_OUTPUT_VALUES, side, err);
    /* A side of one value is a constant stream, and has no blocks. */
    side->first = o->blocks;
    if (st == SD_OK && side->m > 1) {
      sd_blocks_plan (o->spec.side[s].codec, &o->spec.side[s].settings, o->n, side->m, &side->plan);
      o->blocks += side->plan.blocks;
    }
  }
  /* Equal material: either side has the same counts. */
  if (o->counted == 1) {
    stats->counts[1] = stats->counts[0];
    stats->cursed[1] = stats->cursed[0];
    stats->blessed[1] = stats->blessed[0];
  }

  sd_output_release (o, bytes);
  sd_output_hold (o, o->nsides * SD_OUTPUT_VALUES * sizeof *o->side[0].index);
  return sd_agree (o->t, st, err);
}
