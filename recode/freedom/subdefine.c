/* Which symbols a slot may hold (Zakharov 2015, 1.6, 1.8, 1.9).
 *
 * Let v be a position's value and c the best that its conversions offer. The prober looks the conversions up
 * before it believes the table, so where c = v the slot need not repeat v: any symbol will do that restoring
 * turns into v. Where c is worse than v (it is never better) only v itself works.
 *
 * WDL, WDL50, and plies as values: restored is the better of stored and c, so anything not better than v. For
 * WDL this is Zakharov 2015's `*` (won) and `#` (drawn).
 *
 * What no move leads to (SD_FREE_UNREACHABLE) is restored from its successors, which a move leads to, and may
 * be anything. So is what is in check and has no move that gives check (SD_FREE_CHECK): its successors are
 * not in check. These are a third of the positions of some endings, and the slots that are least like their
 * neighbours: a line that is opened or closed changes their value, and not that of the others. And so is what
 * follows from positions that are not in check (SD_FREE_EVIDENT), which is found as the prober finds it.
 *
 * Moves, plies to zeroing: a win takes the minimum, a loss the maximum: n-up, n-down. With SD_FREE_WIN a win
 * is one ply from the other side's losses and may be anything.
 *
 * Cost: one look at each slot; conversions are generated and looked up only where they could free a slot, and
 * only until one offers v. Two bytes per slot, beside the exact values as they are held; where another layout
 * follows, the bits that tell apart what occurs near a slot.
 */
#include "config.h"
#include "recode/recode_internal.h"
#include "table/table_internal.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEP = SD_PACKED_BLOCK, /* slots that one thread takes at a time */
  CHUNK = 1 << 20         /* slots between two reports, and two trims of the store: a multiple of STEP */
};

/* While slots are judged, symbols are provisional; only the kinds that occur go into the alphabet. */
typedef struct kinds {
  unsigned m;
  unsigned up, down, any; /* main i; up + i: i..m-1; down + i: 0..i; any: 0..m-1 */
  uint16_t *index;        /* [65536] by (uint16_t) map value: main symbol */
} kinds;

/* Threads store the same into it, and only where it is not there. */
static void note (uint8_t *one) {
  if (!__atomic_load_n (one, __ATOMIC_RELAXED))
    __atomic_store_n (one, 1, __ATOMIC_RELAXED);
}

/* Which values a side has, by (uint16_t) value. */
static void note_values (const sd_exact *e, unsigned side, uint8_t *occurs) {
#pragma omp parallel for schedule(static)
  for (uint64_t first = 0; first < e->n; first += STEP) {
    const uint64_t count = e->n - first < STEP ? e->n - first : STEP;
    sd_value v[STEP];
    sd_exact_read (e, side, first, count, v);
    for (uint64_t k = 0; k < count; k++)
      note (&occurs[(uint16_t) v[k]]);
  }
}

/* d->map and k->m, k->index from what occurs on these sides, a bit each. */
static int make_map (const sd_exact *e, unsigned sides, sd_subdefined *d, kinds *k, sd_error *err) {
  const sd_coding_kind *c = &sd_codings[d->coding];
  SD_OWNED uint8_t *occurs = sd_alloc0 (SD_MAP_NUMBERS, 1), *in_map = sd_alloc0 (SD_MAP_NUMBERS, 1);

  if (!occurs || !in_map)
    return sd_fail_memory (err, 2 * SD_MAP_NUMBERS);
  /* Both sides where one stream is to hold them: a number then means the same for either. */
  for (unsigned side = 0; side < e->nsides; side++)
    if (sides >> side & 1 && !c->map)
      note_values (e, side, occurs);
  /* slots that may not hold anything and have no number of their own hold that of a draw: 0; among moves it
   * is also the number of mate on the board, from which the result tells it */
  in_map[0] = !(d->freedom & SD_FREE_ILLEGAL);
  for (unsigned u = 0; u < SD_MAP_NUMBERS && !c->map; u++) {
    sd_value v = (sd_value) (int16_t) (uint16_t) u;
    /* Values whose slots may hold anything need no number of their own. */
    if (occurs[u] && v != SD_ILLEGAL && !(v == 0 && (d->freedom & SD_FREE_DRAW))
        && !(v > 0 && (d->freedom & SD_FREE_WIN)))
      in_map[(uint16_t) c->number (v)] = 1;
  }
  SD_TRY (sd_map_make (in_map, d->coding, !e->indexer, &d->map, &k->m, &k->index, err));
  /* The kinds follow one another, so that a kind's base is subtracted to get its number. */
  k->up = k->m;
  k->down = 2 * k->m;
  k->any = 3 * k->m;
  return SD_OK;
}

struct sd_judge {
  const sd_values *s;
  const sd_exact *e;
  const sd_state_rules *rules; /* of a game; NULL: conversions are looked up in s */
  kinds k;
  sd_subdefined *d; /* what is known before any slot is looked at; seq.sym: only while all are judged */
  bool converts;
  enum sd_move_class which;
  unsigned sides;   /* that the table holds, a bit each */
  unsigned illegal; /* provisional symbol of slots that may not be reached */
  sd_symbol *final; /* [provisional symbol] symbol of d->alphabet; NULL while all are judged */
  /* While all are judged: */
  uint8_t *used;          /* [provisional symbol] does it occur? */
  sd_packed_side *packed; /* in place of seq.sym, where another layout follows */
};

/* Provisional symbol of a legal position of value v if that needs no look at its conversions; else UINT_MAX,
 * and it is *freed if they offer v, *fixed if not. */
static unsigned judge (const sd_judge *j, bool converts, sd_value v, unsigned *freed, unsigned *fixed) {
  const kinds *k = &j->k;
  const sd_coding_kind *c = &sd_codings[j->d->coding];
  const unsigned freedom = j->d->freedom;

  /* The result comes from another table: numbers say how far, not who wins. */
  const bool unsigned_numbers = c->needs != SD_NO_METRIC;
  if (unsigned_numbers && v == 0)
    return freedom & SD_FREE_DRAW ? k->any : k->index[0];
  if (v > 0 && (freedom & SD_FREE_WIN))
    return k->any;
  *fixed = k->index[(uint16_t) c->number (v)];
  if (!converts)
    return *fixed;
  /* The prober takes the better of both: for a win fewer plies, and so a number too large does no harm; for a
   * loss, and for signed values, one too small. */
  *freed = (unsigned_numbers && v > 0 ? k->up : k->down) + *fixed;
  /* where freedom would permit the exact symbol only, nothing need be looked up */
  bool useless = *freed >= k->down ? *fixed == 0 : *fixed == k->m - 1;
  return useless ? *fixed : UINT_MAX;
}

/* The same of state i of a game, which exists. */
static int judge_state (const sd_judge *j, uint64_t i, sd_value v, unsigned *out) {
  unsigned freed = 0, fixed = 0;
  bool any = false, all = false;
  sd_value best = 0;
  SD_TRY (j->rules->best (j->rules->ctx, i, &best, &any, &all));
  /* Every move is a conversion: they tell the value, and the slot need not. */
  *out = any && all ? j->k.any : judge (j, any, v, &freed, &fixed);
  if (*out == UINT_MAX)
    *out = sd_metrics[j->d->metric].of (best) == sd_metrics[j->d->metric].of (v) ? freed : fixed;
  return SD_OK;
}

/* Provisional symbol of slot i of the generator's layout, whose value is v. */
static int judge_slot (const sd_judge *j, sd_index_walk *walk, uint64_t i, sd_value v, unsigned *out) {
  const sd_subdefined *d = j->d;

  if (v == SD_ILLEGAL) {
    *out = j->illegal;
    return SD_OK;
  }
  unsigned freed = 0, fixed = 0;
  if (j->rules)
    return judge_state (j, i, v, out);
  *out = judge (j, j->converts, v, &freed, &fixed);
  /* Whether moves tell it is looked at only where that would free the slot. */
  const bool by_moves = (d->freedom & SD_FREE_UNREACHABLE || (sd_freedom_evident (d->freedom) >> d->side & 1)
                         || sd_freedom_checks (d->freedom, d->side))
                        && *out != j->k.any;
  if (*out != UINT_MAX && !by_moves)
    return SD_OK;
  bool yes = false;
  /* Most slots are settled by their value; only for the others are the squares found. */
  if (sd_index_walk_to (walk, i)) {
    sd_pos p;
    sd_pos_from_squares (&j->e->material, walk->sq, d->side, &p);
    if (by_moves && sd_freedom_by_moves (d->freedom, &p)) {
      *out = j->k.any;
      return SD_OK;
    }
    if (by_moves && d->freedom & SD_FREE_EVIDENTS && sd_in_check (&p, p.stm)) {
      SD_TRY (sd_values_evident (j->s, j->e, &sd_metrics[d->metric], &p, j->sides, d->freedom, &yes));
      if (yes) {
        *out = j->k.any;
        return SD_OK;
      }
    }
    if (*out != UINT_MAX)
      return SD_OK;
    SD_TRY (sd_values_offers (j->s, &sd_metrics[d->metric], &p, j->which, v, &yes));
  }
  *out = yes ? freed : fixed;
  return SD_OK;
}

static int fail_conversion (int status, sd_error *err) {
  if (status == SD_ENOMEM)
    return sd_fail_memory (err, 0);
  if (status == SD_EDIFF)
    return sd_fail (err, status, "subdefining: what was packed reads back otherwise");
  return sd_fail (err, status, "subdefining: a conversion's value: %s", sd_strerror (status));
}

/* Slots in a row: a walk goes from one to the next cheaply. */
static int judge_step (const sd_judge *j, uint64_t first, uint64_t count) {
  sd_index_walk walk = { .ix = j->e->indexer };
  sd_value v[STEP];
  sd_exact_read (j->e, j->d->side, first, count, v);
  for (uint64_t k = 0; k < count; k++) {
    unsigned is = 0;
    SD_TRY (judge_slot (j, &walk, first + k, v[k], &is));
    note (&j->used[is]);
    v[k] = (sd_value) is;
  }
  if (j->packed)
    return sd_packed_put (j->packed, first, count, v);
  for (uint64_t k = 0; k < count; k++)
    j->d->seq.sym[first + k] = (sd_symbol) v[k];
  return SD_OK;
}

static int judge_all (const sd_judge *j, const sd_progress *progress, sd_error *err) {
  const uint64_t n = j->e->n, budget = j->s ? sd_values_budget (j->s) : 0;
  int status = SD_OK;

  for (uint64_t at = 0; at < n && status == SD_OK; at += CHUNK) {
    const uint64_t end = n - at < CHUNK ? n : at + CHUNK;
#pragma omp parallel for schedule(dynamic, 1) reduction(max : status)
    for (uint64_t first = at; first < end; first += STEP) {
      const int st = judge_step (j, first, end - first < STEP ? end - first : STEP);
      status = st > status ? st : status;
    }
    /* Looking up conversions decodes blocks, which nobody asks for any more some slots later. */
    if (budget)
      sd_values_trim (j->s, budget);
    sd_report (progress, "subdefining", end, n);
  }
  return status == SD_OK ? SD_OK : fail_conversion (status, err);
}

/* The main symbol whose value is nearest to 0. */
static unsigned zero_of (const sd_value *map, unsigned m) {
  unsigned zero = 0;
  for (unsigned i = 1; i < m; i++)
    if (abs (map[i]) < abs (map[zero]))
      zero = i;
  return zero;
}

/* An alphabet of the main symbols, of the provisional symbols that are used, and of `*` where illegal slots
 * are free; final[provisional symbol] is its symbol. */
static int make_alphabet (const kinds *k, const uint8_t *used, sd_subdefined *d, sd_symbol *final) {
  const unsigned total = 3 * k->m + 1;
  int st = sd_alphabet_new (k->m, &d->alphabet);

  for (unsigned i = 0; i < total && st == SD_OK; i++) {
    /* Main symbols stay what they are. */
    if (i < k->m)
      final[i] = (sd_symbol) i;
    else if (used[i] && i < k->down)
      st = sd_alphabet_add_range (d->alphabet, i - k->up, k->m - 1, &final[i]);
    else if (used[i] && i < k->any)
      st = sd_alphabet_add_range (d->alphabet, 0, i - k->down, &final[i]);
    else if (used[i])
      st = sd_alphabet_add_range (d->alphabet, 0, k->m - 1, &final[i]);
  }
  if (st == SD_OK)
    sd_alphabet_set_zero (d->alphabet, zero_of (d->map, k->m));
  d->seq.alphabet = d->alphabet;
  return st;
}

/* An alphabet of what occurs; j->final: the symbol of each provisional one. */
static int number_kinds (sd_judge *j, sd_error *err) {
  const kinds *k = &j->k;
  sd_subdefined *d = j->d;
  const unsigned total = 3 * k->m + 1;
  j->final = sd_alloc (total, sizeof *j->final);
  if (!j->final)
    return sd_fail_memory (err, total * sizeof *j->final);
  /* Slots that a layout has and the generator's has not may hold anything, too. */
  j->used[k->any] |= (d->freedom & (SD_FREE_ILLEGAL | SD_FREE_POSITION)) != 0;
  const int st = make_alphabet (k, j->used, d, j->final);
  return st == SD_OK ? SD_OK
                     : sd_fail (err, st, "subdefining: alphabet of %u values: %s", k->m, sd_strerror (st));
}

static int check_successors (const sd_values *s, const sd_exact *e, sd_error *err) {
  sd_material next[64];
  unsigned n = sd_material_successors (&e->material, next);
  /* Said before any slot is judged: a lookup would fail somewhere in the middle. */
  for (unsigned i = 0; i < n; i++)
    if (!sd_values_has (s, &next[i])) {
      char name[16], sub[16];
      sd_material_name (&e->material, name);
      sd_material_name (&next[i], sub);
      return sd_fail (err, SD_ENOENT,
                      "%s: freedom from conversions needs the values of %s, which are not loaded", name, sub);
    }
  return SD_OK;
}

/* A judge who has seen no slot yet. map_of: sides whose values the map has, a bit each. */
static int judge_new (const sd_values *s, const sd_exact *e, const sd_stored *w, unsigned map_of,
                      sd_judge **out, sd_error *err) {
  if (w->side >= e->nsides)
    return sd_fail (err, SD_EINVAL, "side %u of an ending that has %u", w->side, e->nsides);
  if (!sd_metric_takes (w->metric, w->coding, false) || w->freedom & ~SD_FREE_KNOWN)
    return sd_fail (err, SD_EINVAL, "coding %u with freedom %u: not known", (unsigned) w->coding, w->freedom);
  /* Values of another metric can be turned into it where they tell as much. */
  if (s
      && (!sd_metric_made_of (w->metric, sd_values_metric (s))
          || (sd_values_told (s) == SD_WDL && w->metric != SD_WDL)))
    return sd_fail (err, SD_EINVAL, "%s is not made of what is loaded", sd_metrics[w->metric].name);
  if (e->indexer
      && (sd_freedom_classes (w->freedom) || w->freedom & SD_FREE_EVIDENTS)) /* a game brings rules */
    SD_TRY (check_successors (s, e, err));
  sd_judge *j = calloc (1, sizeof *j);
  sd_subdefined *d = j ? j->d = calloc (1, sizeof *d) : NULL;
  if (!d) {
    free (j);
    return sd_fail_memory (err, sizeof *d);
  }
  j->s = s;
  j->e = e;
  d->metric = w->metric;
  d->coding = w->coding;
  /* What frees nothing here is left out, and the table does not say it. */
  d->freedom = sd_freedom_kept (w->freedom, w->coding, &e->material);
  d->side = w->side;
  j->sides = w->sides;
  d->seq.n = e->n;
  if (e->indexer) /* a table of another game has no shape that is known */
    d->seq.ndims = sd_indexer_shape (e->indexer, d->seq.radix);
  j->which = sd_freedom_classes (d->freedom);
  j->converts = j->which != 0;
  int st = make_map (e, map_of, d, &j->k, err);
  if (st == SD_OK && !(j->used = sd_alloc0 (j->k.any + 1, 1)))
    st = sd_fail_memory (err, j->k.any + 1);
  if (st != SD_OK) {
    sd_judge_free (j);
    return st;
  }
  j->illegal = d->freedom & SD_FREE_ILLEGAL ? j->k.any : j->k.index[0];
  *out = j;
  return SD_OK;
}

void sd_judge_free (sd_judge *j) {
  if (!j)
    return;
  sd_subdefined_free (j->d);
  free (j->k.index);
  free (j->final);
  free (j->used);
  sd_packed_free (j->packed);
  free (j);
}

int sd_judge_new (const sd_values *s, const sd_exact *e, const sd_stored *what, sd_judge **out,
                  sd_error *err) {
  SD_TRY (judge_new (s, e, what, 1u << (what->side & 1), out, err));
  const kinds *k = &(*out)->k;
  const unsigned from = sd_codings[what->coding].needs != SD_NO_METRIC ? k->up : k->down;
  /* No slot has been seen: whatever a slot may turn out to hold. */
  memset ((*out)->used + from, 1, k->any + 1 - from);
  int st = number_kinds (*out, err);
  if (st != SD_OK) {
    sd_judge_free (*out);
    *out = NULL;
  }
  return st;
}

const sd_subdefined *sd_judge_frame (const sd_judge *j) {
  return j->d;
}

int sd_judge_slots (const sd_judge *j, const uint64_t *slot, uint64_t count, sd_symbol none, sd_symbol *out,
                    sd_error *err) {
  sd_index_walk walk = { .ix = j->e->indexer };
  for (uint64_t i = 0; i < count; i++) {
    unsigned is = 0;
    /* A slot without a placement has nobody to judge. */
    int st = slot[i] == UINT64_MAX
                 ? SD_OK
                 : judge_slot (j, &walk, slot[i], sd_exact_at (j->e, j->d->side, slot[i]), &is);
    if (st != SD_OK)
      return fail_conversion (st, err);
    out[i] = slot[i] == UINT64_MAX ? none : j->final[is];
  }
  return SD_OK;
}

/* Provisional symbols of all slots; room for them is in j. */
static int judge_whole (sd_judge *j, const sd_progress *progress, sd_error *err) {
  if (!j->packed && !j->d->seq.sym)
    return sd_fail_memory (err, j->e->n);
  SD_TRY (judge_all (j, progress, err));
  return number_kinds (j, err);
}

/* Takes over j. */
static int judge_in_place (sd_judge *j, const sd_progress *progress, sd_subdefined **out, sd_error *err) {
  const uint64_t n = j->e->n;
  sd_symbol *sym = j->d->seq.sym = sd_alloc (n, sizeof *sym);
  const int st = judge_whole (j, progress, err);
  if (st == SD_OK) {
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < n; i++)
      sym[i] = j->final[sym[i]];
    *out = j->d;
    j->d = NULL;
  }
  sd_judge_free (j);
  return st;
}

int sd_subdefine (const sd_values *s, const sd_exact *e, const sd_stored *what, const sd_progress *progress,
                  sd_subdefined **out, sd_error *err) {
  sd_judge *j = NULL;
  SD_TRY (judge_new (s, e, what, 1u << (what->side & 1), &j, err));
  return judge_in_place (j, progress, out, err);
}

int sd_subdefine_in (const sd_values *s, const sd_exact *e, const sd_stored *what, const sd_indexer *to,
                     const sd_progress *progress, sd_subdefined **out, sd_error *err) {
  sd_judge *j = NULL;
  SD_TRY (judge_new (s, e, what, 1u << (what->side & 1), &j, err));
  int st = sd_packed_frame (e->n, &j->packed);
  st = st == SD_OK ? judge_whole (j, progress, err) : sd_fail_memory (err, 0);
  /* What was decoded to judge, and then what was judged, takes room of what follows. */
  if (st == SD_OK && s && sd_values_budget (s)) {
    sd_values_trim (s, 0);
    sd_memory_back ();
  }
  if (st == SD_OK)
    st = sd_relayout_packed (j->d, j->packed, j->final, e->indexer, to, out, err);
  sd_judge_free (j);
  sd_memory_back ();
  return st;
}

int sd_subdefine_both (const sd_values *s, const sd_exact *e, const sd_stored *what,
                       const sd_progress *progress, sd_subdefined *out[2], sd_error *err) {
  out[0] = out[1] = NULL;
  if (e->nsides != 2)
    return sd_fail (err, SD_EINVAL, "both sides of an ending that has one");
  sd_stored one = *what;
  one.sides = SD_SIDES_BOTH;
  /* Each with a map of both sides' values, so that a number means the same in either. */
  for (one.side = 0; one.side < 2; one.side++) {
    sd_judge *j = NULL;
    int st = judge_new (s, e, &one, 3, &j, err);
    if (st == SD_OK)
      st = judge_in_place (j, progress, &out[one.side], err);
    if (st != SD_OK) {
      sd_subdefined_free (out[0]);
      out[0] = out[1] = NULL;
      return st;
    }
  }
  return SD_OK;
}

int sd_subdefine_states (const sd_table_spec *spec, const sd_exact *e, const sd_state_rules *rules,
                         const sd_progress *progress, sd_subdefined **out, sd_error *err) {
  sd_judge *j = NULL;
  SD_TRY (judge_new (NULL, e, &SD_STORED (spec, 0), 1, &j, err));
  /* Where no conversion frees anything the rules are not asked. */
  j->rules = j->converts ? rules : NULL;
  return judge_in_place (j, progress, out, err);
}
