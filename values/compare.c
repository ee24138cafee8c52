/* Is a table what its exact values say? Every legal position, restored from the table's bytes by the rules
 * that the prober uses (probe/restore_internal.h), is compared with them.
 *
 * Where the exact values are the truth, little has to be in memory: the symbols of one side, packed.
 * Positions that a table leaves to one ply of all moves come last. Their successors are those that have been
 * found equal before, so that the exact values stand for them; a successor that is left to its moves as well
 * has none, as it has none for the prober. One bit a slot says which these are.
 *
 * Where what is evident is free, a slot in check that holds another value is no mistake if the value follows
 * from positions that are not in check: these have been found equal by then.
 *
 * The sign that the prober takes from the WDL table where a coding has none is here the exact value's sign:
 * the WDL table is held to the same sign when it is built. */
#include "config.h"
#include "values/values_internal.h"
#include <stdlib.h>

/* Slots between two trims of the store, a multiple of SD_VALUES_STEP: as many as make it pay to part them. */
enum { CHUNK = 1 << 22 };

/* The two kinds of passes over a side, each with a bar of its own: by what is stored, then by moves. */
enum { STORED, MOVES };

typedef struct comparison {
  const sd_values *v;
  const sd_table *t;
  const sd_exact *e;
  const sd_progress *progress;
  uint64_t *hidden[2];      /* a bit a slot: left to all of its moves, or has to be evident; NULL: none is */
  uint64_t done[2], all[2]; /* [kind of pass]: of the slots of its sides */
  /* the first position that differs, if bad < UINT64_MAX; else a failure */
  uint64_t bad;
  sd_value is;
  int status;
  sd_error why;
} comparison;

/* The earliest one is told, whatever the number of threads. */
static void found (comparison *c, uint64_t slot, sd_value is) {
#pragma omp critical(values_compare)
  if (slot < c->bad) {
    c->bad = slot;
    c->is = is;
  }
}

static void failed (comparison *c, int status, const sd_error *why) {
#pragma omp critical(values_compare)
  {
    c->status = status;
    c->why = *why;
  }
}

static int ended (const comparison *c, unsigned side, sd_error *err) {
  sd_value (*const of) (sd_value) = sd_metrics[c->t->info.metric].of;
  char fen[96] = "a slot without a placement";
  sd_pos p;
  if (c->status != SD_OK)
    return sd_fail (err, c->status, "%s: restoring its values: %s", c->t->name,
                    c->why.text[0] ? c->why.text : sd_strerror (c->status));
  if (c->bad == UINT64_MAX)
    return SD_OK;
  if (sd_exact_position (c->e, side, c->bad, &p))
    sd_pos_to_fen (&p, fen, sizeof fen);
  if (c->is == SD_ILLEGAL)
    return sd_fail (err, SD_EDIFF, "%s: %s: the exact value %d is neither stored nor evident", c->t->name,
                    fen, of (sd_exact_at (c->e, side, c->bad)));
  return sd_fail (err, SD_EDIFF, "%s: %s: restored value %d, exact value %d", c->t->name, fen, c->is,
                  of (sd_exact_at (c->e, side, c->bad)));
}

static bool may_be_evident (const comparison *c, unsigned side, uint64_t slot) {
  sd_pos p;
  return sd_values_evidents (&c->t->info, side) && sd_exact_position (c->e, side, slot, &p)
         && sd_in_check (&p, p.stm);
}

/* Slots first.., of which a thread takes SD_VALUES_STEP at a time. */
static void compare_step (comparison *c, const sd_side_read *from, uint64_t first, uint64_t count) {
  sd_value (*const of) (sd_value) = sd_metrics[c->t->info.metric].of;
  sd_value is[SD_VALUES_STEP], exact[SD_VALUES_STEP];
  uint64_t *hidden = c->hidden[from->side];
  sd_error why = { 0 };
  const int st = sd_restore_step (from, first, count, is, &why);

  if (st != SD_OK) {
    failed (c, st, &why);
    return;
  }
  sd_exact_read (c->e, from->side, first, count, exact);
  for (uint64_t k = 0; k < count; k++) {
    if (exact[k] == SD_ILLEGAL)
      continue;
    if (hidden
        && (is[k] == SD_ILLEGAL || (is[k] != of (exact[k]) && may_be_evident (c, from->side, first + k))))
      hidden[(first + k) / 64] |= (uint64_t) 1 << ((first + k) % 64); /* a step has its words to itself */
    else if (is[k] != of (exact[k]))
      found (c, first + k, is[k]);
  }
}

/* A position that is left to its moves. */
static void compare_moves (comparison *c, const sd_values_source *from, unsigned side, uint64_t slot) {
  const sd_metric_kind *k = &sd_metrics[c->t->info.metric];
  sd_value is = SD_ILLEGAL;
  sd_error why;
  sd_pos p;
  /* One byte is cleared and not the whole text: there is one for each position. */
  why.text[0] = '\0';
  sd_values_source mine = *from;
  mine.err = &why;
  const bool evident = sd_values_evidents (&c->t->info, side);
  int st = !sd_exact_position (c->e, side, slot, &p) ? SD_EFORMAT
           : evident ? sd_restore_evident (&mine.source, k, &p, sd_values_seen_of (&c->t->info), &is)
                     : sd_restore_by_moves (&mine.source, k, &p, NULL, SD_EXACT (k), &is);
  /* No move leads to a position whose value is known. */
  st = st == SD_OK && is == SD_ILLEGAL && !evident ? SD_EFORMAT : st;
  if (st != SD_OK)
    failed (c, st, &why);
  else if (is != k->of (sd_exact_at (c->e, side, slot)))
    found (c, slot, is);
}

static void moves_step (comparison *c, const sd_values_source *from, unsigned side, uint64_t first,
                        uint64_t count) {
  for (uint64_t i = first; i < first + count; i++)
    if (c->hidden[side][i / 64] >> (i % 64) & 1)
      compare_moves (c, from, side, i);
}

/* All slots of a side, by all threads: by what is stored, or, stored == NULL, by moves. */
static int pass (comparison *c, const sd_side_read *stored, unsigned side, sd_error *err) {
  const uint64_t n = c->e->n, budget = sd_values_budget (c->v);
  sd_values_source from = sd_values_as_source (c->v, c->e);
  from.hidden[0] = c->hidden[0];
  from.hidden[1] = c->hidden[1];

  for (uint64_t at = 0; at < n && c->status == SD_OK && c->bad == UINT64_MAX; at += CHUNK) {
    const uint64_t end = n - at < CHUNK ? n : at + CHUNK;
#pragma omp parallel for schedule(dynamic, 4)
    for (uint64_t first = at; first < end; first += SD_VALUES_STEP) {
      const uint64_t count = end - first < SD_VALUES_STEP ? end - first : SD_VALUES_STEP;
      if (stored)
        compare_step (c, stored, first, count);
      else
        moves_step (c, &from, side, first, count);
    }
    if (budget)
      sd_values_trim (c->v, budget);
    const int kind = stored ? STORED : MOVES;
    sd_report (c->progress, stored ? "comparing" : "comparing by moves", c->done[kind] += end - at,
               c->all[kind]);
  }
  return ended (c, side, err);
}

/* Of a side that is not stored all legal positions are left to their moves. */
static void hide_all (comparison *c, unsigned side) {
#pragma omp parallel for schedule(static, 4096)
  for (uint64_t word = 0; word < (c->e->n + 63) / 64; word++)
    for (uint64_t i = word * 64; i < c->e->n && i < word * 64 + 64; i++)
      if (sd_exact_at (c->e, side, i) != SD_ILLEGAL)
        c->hidden[side][word] |= (uint64_t) 1 << (i % 64);
}

static int compare_stored (comparison *c, unsigned side, sd_error *err) {
  const enum sd_metric needs = sd_codings[c->t->info.coding].needs;
  const bool signs = needs != SD_NO_METRIC;
  sd_side_read from = { .v = c->v,
                        .t = c->t,
                        .side = side,
                        .ix = c->e->indexer,
                        .known = c->e,
                        .sign = signs ? c->e : NULL,
                        .sign_of = signs ? sd_metrics[needs].of : NULL };
  int st = sd_side_read_all (&from, c->progress, err);
  if (st == SD_OK)
    st = pass (c, &from, side, err);
  sd_packed_free (from.packed);
  return st;
}

static int compare (comparison *c, sd_error *err) {
  const sd_table_info *info = &c->t->info;
  for (unsigned side = 0; side < c->e->nsides; side++) {
    c->all[STORED] += sd_table_info_has (info, side) ? c->e->n : 0;
    if (sd_values_needs_moves (info, side) || sd_values_evidents (info, side)) {
      const uint64_t words = (c->e->n + 63) / 64;
      c->all[MOVES] += c->e->n;
      if (!(c->hidden[side] = sd_alloc0 (words, sizeof *c->hidden[side])))
        return sd_fail_memory (err, words * sizeof *c->hidden[side]);
    }
  }
  for (unsigned side = 0; side < c->e->nsides; side++)
    if (sd_table_info_has (info, side))
      SD_TRY (compare_stored (c, side, err));
    else
      hide_all (c, side);
  for (unsigned side = 0; side < c->e->nsides; side++)
    if (c->hidden[side] && sd_values_evidents (info, side)) {
      SD_TRY (pass (c, NULL, side, err));
      free (c->hidden[side]); /* they have values now, for the side that is restored from them */
      c->hidden[side] = NULL;
    }
  for (unsigned side = 0; side < c->e->nsides; side++)
    if (c->hidden[side])
      SD_TRY (pass (c, NULL, side, err));
  return SD_OK;
}

int sd_values_compare (const sd_values *v, const sd_table *t, const sd_exact *known,
                       const sd_progress *progress, sd_error *err) {
  comparison c = { .v = v, .t = t, .e = known, .progress = progress, .bad = UINT64_MAX };
  const int st = compare (&c, err);
  free (c.hidden[0]);
  free (c.hidden[1]);
  return st;
}
