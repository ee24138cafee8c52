/* verify.c - does every value of a table follow from the values of its successors?
 *
 * Idea: mated = -1, stalemated = 0, otherwise the best of what the moves lead to, quiet ones looked up in the
 * table itself (decoded whole), conversions in the smaller ones. For distances to mate there is only one
 * assignment of values that passes (a win in n rests on a loss in n - 1, down to the mates; what is called
 * drawn cannot be a win, because the first wrong one would fail), so the check is a proof, given the smaller
 * tables. For results see the note in table.h. Quiet moves other than double pawn steps change one square of
 * the list, so that they cost an index and a load, no new position. Cost: about a microsecond a position; 2
 * bytes a slot. Uses OpenMP; the position named is the first one in any case. */
#include "config.h"
#include "recode/recode.h"
#include "recode/whole.h"
#include "table/table_internal.h"

#include <stdlib.h>
#include <string.h>

static int complain (const char *name, const char *source, const sd_view *v, enum sd_metric metric,
                     unsigned side, uint64_t slot, sd_value is, sd_value should, sd_error *err) {
  sd_pos p;
  uint8_t sq[SD_MAX_MEN];
  char fen[96] = "?", is_text[40], should_text[40];
  if (sd_view_position (v, side, slot, &p, sq))
    sd_pos_to_fen (&p, fen, sizeof fen);
  sd_metric_text (metric, is, is_text, sizeof is_text);
  sd_metric_text (metric, should, should_text, sizeof should_text);
  return sd_fail (err, SD_EDIFF, "%s: %s: the table says %s, but %s says %s", name, fen, is_text, source,
                  should_text);
}

struct failure {
  uint64_t slot; /* UINT64_MAX: none */
  int status;    /* a lookup failed, or SD_EDIFF */
  sd_value is, should;
};

/* Every slot of one side; against its successors, or (signs) against the signs of a DTM table. Returns how many
 * positions were looked at. */
static uint64_t check_side (const sd_wholes *w, const sd_whole *own, enum sd_metric metric, unsigned side,
                            bool signs, const char *what, struct failure *worst) {
  const sd_view *v = own->view;
  const uint64_t slots = v->side[side].slots, step = 1 << 18;
  uint64_t positions = 0;
  worst->slot = UINT64_MAX;
  for (uint64_t from = 0; worst->slot == UINT64_MAX && from < slots; from += step) {
    const uint64_t to = slots - from < step ? slots : from + step;
    sd_report (w->progress, what, from, slots);
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : positions)
    for (uint64_t i = from; i < to; i++) {
      const sd_value is = own->value[side][i];
      sd_pos p;
      uint8_t sq[SD_MAX_MEN];
      if (!sd_view_position (v, side, i, &p, sq))
        continue;
      sd_value should = 0;
      int st;
      positions++;
      if (signs) {
        st = sd_wholes_value (w, &p, SD_DTM, &should);
        should = (sd_value) sd_value_wdl (should);
      } else
        st = sd_wholes_by_moves (w, own, metric, &p, sq, &should);
      if (st == SD_OK && is == should)
        continue;
#pragma omp critical
      if (i < worst->slot)
        *worst = (struct failure){ i, st != SD_OK ? st : SD_EDIFF, is, should };
    }
  }
  sd_report (w->progress, what, slots, slots);
  return positions;
}

int sd_table_verify (const sd_tables *ts, const sd_table *t, const sd_progress *progress, sd_error *err) {
  sd_verified verified;
  return sd_table_verify_told (ts, t, progress, &verified, err);
}

int sd_table_verify_told (const sd_tables *ts, const sd_table *t, const sd_progress *progress,
                          sd_verified *out, sd_error *err) {
  sd_view view = { 0 };
  *out = (sd_verified){ 0 };
  SD_TRY (sd_view_fill (&view, t, err));
  if (view.game.name[0])
    return sd_fail (err, SD_EINVAL, "%s-%s: a table of another game than chess: its rules are not known here",
                    view.game.name, view.game.slice);
  SD_TRY (sd_table_check (t, err));
  char name[32];
  sd_table_file_name (&view.material, view.metric, name);
  sd_wholes w = { .ts = ts, .first = &view, .progress = progress };
  sd_material next[64];
  const unsigned n = sd_material_successors (&view.material, next);
  int st = SD_OK;
  for (unsigned i = 0; st == SD_OK && i < n; i++)
    st = sd_wholes_need (&w, &next[i], view.metric, err);
  if (st == SD_OK)
    st = sd_wholes_need (&w, &view.material, view.metric, err);
  if (st != SD_OK)
    goto done;
  /* A sound DTM table of the same ending tells results that no cycle can fake. Without its successors: no
   * comparison. */
  bool signs = false;
  if (view.metric == SD_WDL && sd_tables_find (ts, &view.material, SD_DTM)) {
    st = sd_wholes_need (&w, &view.material, SD_DTM, err);
    signs = st == SD_OK;
    if (st == SD_ENOENT)
      st = SD_OK;
    if (st != SD_OK)
      goto done;
  }
  for (unsigned side = 0; side < view.nsides; side++)
    for (unsigned pass = 0; pass <= signs; pass++) {
      const sd_whole *own = sd_wholes_find (&w, &view.material, view.metric);
      struct failure worst = { 0 };
      const uint64_t positions = check_side (&w, own, view.metric, side, pass == 1, name, &worst);
      out->positions += pass ? 0 : positions;
      out->signs = signs;
      if (worst.slot == UINT64_MAX)
        continue;
      st = worst.status == SD_EDIFF
               ? complain (name, pass ? "the table of distances" : "the best move", &view, view.metric, side,
                           worst.slot, worst.is, worst.should, err)
               : sd_fail (err, worst.status, "%s: slot %llu of side %u: a successor cannot be looked up: %s",
                          name, (unsigned long long) worst.slot, side, sd_strerror (worst.status));
      goto done;
    }
done:
  sd_wholes_free (&w);
  return st;
}
