/* whole.c - tables decoded whole into memory.
 *
 * Idea: checks and comparisons look at every position and at all its successors; through the prober each of
 * these would be a decode of its own (with 2 MiB blocks of LZMA: of millions of positions). So a table is
 * decoded once, in its own layouts, the endings that restoring needs before it, and afterwards a value is one
 * index and one load. Cost: 2 bytes a slot; time of the decoder, of unranking every slot and of the
 * conversions' moves. */
#include "config.h"
#include "recode/whole.h"
#include "table/table_internal.h"

#include <stdlib.h>

#define CHUNK ((uint64_t) 1 << 20) /* slots between two reports of progress */

void sd_wholes_free (sd_wholes *w) {
  for (size_t i = 0; i < w->n; i++)
    for (unsigned m = 0; m < 2; m++)
      for (unsigned s = 0; s < 2; s++)
        free (w->at[i][m].value[s]);
  free (w->at);
  sd_keys_free (&w->keys);
  w->at = NULL;
  w->n = 0;
}

bool sd_view_position (const sd_view *v, unsigned side, uint64_t i, sd_pos *p, uint8_t *sq) {
  if (!sd_index_squares (v->side[side].indexer, i, sq))
    return false;
  sd_pos_from_squares (&v->material, sq, side, p);
  return sd_pos_legal (p);
}

const sd_whole *sd_wholes_find (const sd_wholes *w, const sd_material *m, enum sd_metric metric) {
  const sd_keyed *k = sd_keys_find (&w->keys, sd_key_of_material (m));
  return k && w->at[k->item][metric].view ? &w->at[k->item][metric] : NULL;
}

int sd_wholes_value (const sd_wholes *w, const sd_pos *p, enum sd_metric metric, sd_value *out) {
  sd_board b;
  if (!sd_board_of (p, &b))
    return SD_EINVAL;
  if (b.key == SD_KEY_KVK) {
    *out = 0;
    return SD_OK;
  }
  const sd_keyed *k = sd_keys_find (&w->keys, b.key);
  const sd_whole *at = k ? &w->at[k->item][metric] : NULL;
  if (!at || !at->view)
    return SD_ENOENT;
  bool swapped = k->swapped;
  unsigned side = sd_stored_side (at->view->nsides, p->stm, &swapped);
  uint8_t sq[SD_MAX_MEN];
  sd_board_squares (&b, swapped, sq);
  const uint64_t i = sd_index_of (at->view->side[side].indexer, sq);
  if (i >= at->view->side[side].slots)
    return SD_EINVAL;
  *out = at->value[side][i];
  if (p->ep == SD_NO_SQUARE || *out == SD_ILLEGAL)
    return SD_OK;
  sd_pos plain = *p; /* the rule for such positions: see probe.c */
  plain.ep = SD_NO_SQUARE;
  bool alone = *out == 0 && !sd_has_move (&plain);
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_CAPTURES, moves);
  for (unsigned j = 0; j < n; j++)
    if (moves[j].en_passant) {
      sd_pos child;
      sd_value theirs;
      sd_pos_apply (p, &moves[j], &child);
      SD_TRY (sd_wholes_value (w, &child, metric, &theirs));
      *out = sd_restore_signed (sd_whole_back (metric, theirs), !alone, *out);
      alone = false;
    }
  return SD_OK;
}

/* --------------------------------------------------------------- decoding */

/* The value of slot i from its symbol. */
static int restore (const sd_wholes *w, const sd_view *v, unsigned side, uint64_t i, sd_symbol symbol,
                    sd_value *out) {
  sd_pos p;
  uint8_t sq[SD_MAX_MEN];
  *out = SD_ILLEGAL;
  if (!sd_view_position (v, side, i, &p, sq))
    return SD_OK;
  const sd_value own = v->side[side].map[symbol];
  sd_value wdl = 0;
  if (v->metric == SD_DTM && v->coding == SD_CODING_MOVES) {
    SD_TRY (sd_wholes_value (w, &p, SD_WDL, &wdl));
    if (wdl == 0) {
      *out = 0;
      return SD_OK;
    }
    if (wdl > 0 && (v->freedom & SD_FREE_WIN)) { /* comes later, by moves */
      *out = SD_ILLEGAL;
      return SD_OK;
    }
  }
  bool has = false;
  sd_value best = SD_ILLEGAL;
  if (v->converts) {
    sd_move moves[SD_MAX_MOVES];
    const unsigned n = sd_moves (&p, v->classes, moves);
    for (unsigned j = 0; j < n; j++) {
      sd_pos child;
      sd_value theirs;
      sd_pos_apply (&p, &moves[j], &child);
      SD_TRY (sd_wholes_value (w, &child, v->metric, &theirs));
      best = sd_restore_signed (sd_whole_back (v->metric, theirs), has, best);
      has = true;
    }
  }
  if (v->metric == SD_DTM && v->coding == SD_CODING_MOVES)
    *out = sd_restore_moves (wdl, (uint16_t) own, has, best);
  else if (v->metric == SD_WDL)
    *out = (sd_value) sd_restore_wdl (own, has, best);
  else
    *out = sd_restore_signed (own, has, best);
  return SD_OK;
}

int sd_wholes_by_moves (const sd_wholes *w, const sd_whole *own, enum sd_metric metric, const sd_pos *p,
                        const uint8_t *sq, sd_value *out) {
  const sd_view *v = own->view;
  const unsigned men = sd_material_men (&v->material);
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, moves);
  if (n == 0) {
    *out = sd_in_check (p, p->stm) ? -1 : 0;
    return SD_OK;
  }
  uint8_t next[SD_MAX_MEN];
  bool has = false;
  sd_value best = 0;
  for (unsigned i = 0; i < n; i++) {
    const sd_move *m = &moves[i];
    const bool twice = m->piece == SD_PAWN && (m->from ^ m->to) == 16;
    sd_value theirs;
    if (m->captured == SD_NO_PIECE && m->promotion == SD_NO_PIECE && !m->en_passant && !twice) {
      unsigned side = p->stm ^ 1u;
      if (side < v->nsides) {
        for (unsigned k = 0; k < men; k++)
          next[k] = sq[k] == m->from ? m->to : sq[k];
      } else { /* symmetric material: the other side's men come first then */
        const unsigned half = men / 2;
        for (unsigned k = 0; k < men; k++) {
          const uint8_t s = sq[(k + half) % men];
          next[k] = (s == m->from ? m->to : s) ^ 56;
        }
        side = 0;
      }
      const uint64_t at = sd_index_of (v->side[side].indexer, next);
      if (at >= v->side[side].slots)
        return SD_ERANGE;
      theirs = own->value[side][at];
    } else {
      sd_pos child;
      sd_pos_apply (p, m, &child);
      SD_TRY (sd_wholes_value (w, &child, metric, &theirs));
    }
    if (theirs == SD_ILLEGAL) /* not restored yet */
      continue;
    best = sd_restore_signed (sd_whole_back (metric, theirs), has, best);
    has = true;
  }
  *out = best;
  return has ? SD_OK : SD_EFORMAT;
}

static int decode (const sd_wholes *w, const sd_view *v, sd_value *value[2], sd_error *err) {
  char file[32];
  sd_table_file_name (&v->material, v->metric, file);
  for (unsigned side = 0; side < v->nsides; side++) {
    const uint64_t slots = v->side[side].slots;
    value[side] = sd_alloc (slots, sizeof *value[side]);
    if (!(v->sides >> side & 1)) { /* comes later, from the other side */
      for (uint64_t i = 0; i < slots && value[side]; i++)
        value[side][i] = SD_ILLEGAL;
      if (value[side])
        continue;
      return sd_fail_memory (err, slots * sizeof *value[side]);
    }
    sd_symbol *sym = sd_alloc (slots, sizeof *sym);
    if (!sym || !value[side]) {
      free (sym);
      return sd_fail_memory (err, slots * 4);
    }
    int st = sd_table_read_all (v->table, side, sym, w->progress, file, err);
    const bool read = st == SD_OK;
    for (uint64_t from = 0; st == SD_OK && from < slots; from += CHUNK) {
      const uint64_t to = slots - from < CHUNK ? slots : from + CHUNK;
      sd_report (w->progress, file, from, slots);
#pragma omp parallel for schedule(dynamic, 1024)
      for (uint64_t i = from; i < to; i++) {
        int one = sym[i] < v->side[side].main ? restore (w, v, side, i, sym[i], &value[side][i]) : SD_EFORMAT;
        if (one != SD_OK) {
#pragma omp atomic write
          st = one;
        }
      }
    }
    free (sym);
    if (st != SD_OK)
      return read ? sd_fail (err, st, "%s: cannot restore its values: %s", file, sd_strerror (st)) : st;
  }
  return SD_OK;
}

/* The legal positions that have no value yet, of one side. Read from the other side's, but for equal
 * material, whose values therefore stay as they are until all are found. */
static int by_moves (const sd_wholes *w, sd_whole *own, enum sd_metric metric, unsigned side, sd_error *err) {
  const sd_view *v = own->view;
  const uint64_t slots = v->side[side].slots;
  char file[32];
  sd_table_file_name (&v->material, v->metric, file);
  sd_value *fresh = sd_alloc (slots, sizeof *fresh);
  int st = SD_OK;
  if (!fresh)
    return sd_fail_memory (err, slots * sizeof *fresh);
  for (uint64_t from = 0; st == SD_OK && from < slots; from += CHUNK) {
    const uint64_t to = slots - from < CHUNK ? slots : from + CHUNK;
    sd_report (w->progress, file, from, slots);
#pragma omp parallel for schedule(dynamic, 1024)
    for (uint64_t i = from; i < to; i++) {
      sd_pos p;
      uint8_t sq[SD_MAX_MEN];
      int one = SD_OK;
      fresh[i] = own->value[side][i];
      if (fresh[i] == SD_ILLEGAL && sd_view_position (v, side, i, &p, sq))
        one = sd_wholes_by_moves (w, own, metric, &p, sq, &fresh[i]);
      if (one != SD_OK) {
#pragma omp atomic write
        st = one;
      }
    }
  }
  free (own->value[side]);
  own->value[side] = fresh;
  return st == SD_OK
             ? st
             : sd_fail (err, st, "%s: cannot restore its values by moves: %s", file, sd_strerror (st));
}

/* ---------------------------------------------------------------- needing */

static const sd_view *view_for (const sd_wholes *w, const sd_material *m, enum sd_metric metric) {
  if (w->first && w->first->metric == metric && sd_material_equal (&w->first->material, m))
    return w->first;
  const sd_keyed *k = sd_keys_find (&w->ts->keys, sd_key_of_material (m));
  return k ? w->ts->ending[k->item].view[metric] : NULL;
}

static int file_whole (sd_wholes *w, const sd_material *m, enum sd_metric metric, const sd_whole *whole) {
  const sd_keyed *k = sd_keys_find (&w->keys, sd_key_of_material (m));
  size_t item = k ? k->item : w->n;
  if (!k) {
    sd_whole (*more)[2] = realloc (w->at, (w->n + 1) * sizeof *more);
    if (!more)
      return SD_ENOMEM;
    w->at = more;
    SD_TRY (sd_keys_add (&w->keys, m, (uint32_t) item));
    w->at[item][0] = w->at[item][1] = (sd_whole){ 0 };
    w->n++;
  }
  w->at[item][metric] = *whole;
  return SD_OK;
}

static int all_by_moves (sd_wholes *w, const sd_material *m, enum sd_metric metric, sd_error *err) {
  sd_whole *own = &w->at[sd_keys_find (&w->keys, sd_key_of_material (m))->item][metric];
  const sd_view *v = own->view;
  for (unsigned side = 0; side < v->nsides; side++)
    if (!(v->sides >> side & 1) || (v->freedom & SD_FREE_WIN))
      SD_TRY (by_moves (w, own, metric, side, err));
  return SD_OK;
}

int sd_wholes_need (sd_wholes *w, const sd_material *m, enum sd_metric metric, sd_error *err) {
  if (sd_wholes_find (w, m, metric))
    return SD_OK;
  sd_whole whole = { .view = view_for (w, m, metric) };
  int st = SD_OK;
  if (!whole.view
      && metric == SD_WDL) { /* as the prober: the signs of a DTM table that is complete by itself */
    const sd_view *d = view_for (w, m, SD_DTM);
    if (d && d->table && d->coding == SD_CODING_SIGNED) {
      SD_TRY (sd_wholes_need (w, m, SD_DTM, err));
      const sd_whole *dtm = sd_wholes_find (w, m, SD_DTM);
      whole.view = d;
      for (unsigned side = 0; side < d->nsides; side++) {
        whole.value[side] = sd_alloc (d->side[side].slots, sizeof (sd_value));
        if (!whole.value[side]) {
          st = sd_fail_memory (err, d->side[side].slots * sizeof (sd_value));
          goto done;
        }
        for (uint64_t i = 0; i < d->side[side].slots; i++) {
          const sd_value v = dtm->value[side][i];
          whole.value[side][i] = v == SD_ILLEGAL ? v : (sd_value) sd_value_wdl (v);
        }
      }
      goto file;
    }
  }
  char name[32];
  sd_table_file_name (m, metric, name);
  if (!whole.view)
    return sd_fail_missing (err, name, "%s: not found in %s", name,
                            w->ts->path[0] ? w->ts->path : "the empty table path");
  if (!whole.view->table)
    return sd_fail (err, whole.view->problem->status, "%s", whole.view->problem->text);
  if (whole.view != w->first) /* a damaged one would be held against the table that rests on it */
    SD_TRY (sd_table_check (whole.view->table, err));
  if (whole.view->converts || whole.view->by_moves) {
    sd_material next[64];
    const unsigned n = sd_material_successors (m, next);
    for (unsigned i = 0; i < n; i++)
      SD_TRY (sd_wholes_need (w, &next[i], metric, err));
  }
  if (metric == SD_DTM && whole.view->coding == SD_CODING_MOVES)
    SD_TRY (sd_wholes_need (w, m, SD_WDL, err));
  st = decode (w, whole.view, whole.value, err);
  if (st != SD_OK)
    goto done;
file:
  st = file_whole (w, m, metric, &whole);
  if (st == SD_OK) /* w owns the values from here on */
    return whole.view->by_moves && whole.view->metric == metric ? all_by_moves (w, m, metric, err) : SD_OK;
  st = sd_fail_memory (err, sizeof whole);
done:
  free (whole.value[0]);
  free (whole.value[1]);
  return st;
}
