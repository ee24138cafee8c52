/* whole.c - tables decoded whole into memory.
 *
 * Idea: checks look at every position and at all its successors; through the prober each of
 * these would be a decode of its own (with 2 MiB blocks of LZMA: of millions of positions). So a table is
 * decoded once, in its own layouts, the endings that restoring needs before it, and afterwards a value is one
 * index and one load. Cost: 2 bytes a slot; time of the decoder, of a position for each legal slot and of the
 * conversions' moves. */
#include "config.h"
#include "recode/verify/whole_internal.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK ((uint64_t) 1 << 20) /* slots between two reports of progress */
enum { ROW = 1024 };               /* slots that a thread looks at together */

/* ------------------------------------------------------------------ values */

/* Rises with what the side to move prefers. */
static int worth (enum sd_metric metric, sd_value v) {
  return sd_metric_rank (&sd_metrics[metric], v);
}

/* Kinds of moves after which plies are counted anew. */
static unsigned step_of (const sd_move *m) {
  return (m->piece == SD_PAWN ? (unsigned) SD_STEP_PAWN : 0)
         | (m->captured == SD_NO_PIECE && !m->en_passant ? 0 : (unsigned) SD_STEP_CAPTURE)
         | (m->promotion == SD_NO_PIECE ? 0 : (unsigned) SD_STEP_PROMOTION);
}

/* The better of *best, if there is one, and the move m to a child of value v. */
static inline void take (enum sd_metric metric, const sd_move *m, sd_value v, bool *has, sd_value *best) {
  const sd_metric_kind *k = &sd_metrics[metric];
  /* From what it is worth to the other side to what the move is worth. */
  const sd_value mine = sd_metric_back (k, v, k->counts_from ? step_of (m) : 0);
  if (!*has || sd_metric_rank (k, mine) > sd_metric_rank (k, *best))
    *best = mine;
  *has = true;
}

void sd_wholes_free (sd_wholes *w) {
  for (size_t i = 0; i < w->n; i++)
    for (unsigned m = 0; m < SD_METRICS; m++) {
      free (w->at[i].by[m].value[0]);
      free (w->at[i].by[m].value[1]);
      sd_indexer_free (w->at[i].by[m].own);
    }
  free (w->at);
  w->at = NULL;
  w->n = 0;
}

/* Slots in a row, and which of them are looked at. */
typedef struct row {
  uint64_t first, count;
  bool legal[ROW];
} row;

/* checked: those in check alone, in which the other side would be to move against the rules. */
static void find_row (const sd_indexer *ix, unsigned side, bool checked, row *r) {
  bool quiet[ROW];
  sd_index_legal (ix, side, r->first, r->count, r->legal);
  if (!checked)
    return;
  sd_index_legal (ix, side ^ 1, r->first, r->count, quiet);
  for (uint64_t k = 0; k < r->count; k++)
    r->legal[k] = r->legal[k] && !quiet[k];
}

/* The status of the first failure of a row, whose slot is *failed, else SD_OK; *seen more positions. */
static int look_at_row (const sd_whole *o, unsigned side, const row *r, sd_whole_look *look, const void *of,
                        uint64_t *seen, uint64_t *failed) {
  sd_index_walk walk = { .ix = o->ix[side] };
  for (uint64_t k = 0; k < r->count; k++) {
    if (!r->legal[k] || !sd_index_walk_to (&walk, r->first + k))
      continue;
    sd_pos p;
    sd_pos_from_squares (&o->t->info.material, walk.sq, side, &p);
    *failed = r->first + k;
    *seen += 1;
    SD_TRY (look (of, *failed, &p, walk.sq));
  }
  return SD_OK;
}

int sd_whole_each (const sd_whole *o, unsigned side, bool checked, sd_whole_look *look, const void *of,
                   const char *what, const sd_progress *progress, sd_whole_seen *out) {
  const uint64_t slots = sd_indexer_size (o->ix[side]);
  const char *slash = strrchr (o->t->name, '/');
  char said[80];
  uint64_t positions = 0;
  int status = SD_OK;

  snprintf (said, sizeof said, "%.40s %c: %s", slash ? slash + 1 : o->t->name, "wb"[side], what);

  *out = (sd_whole_seen){ .failed = UINT64_MAX };
  for (uint64_t from = 0; status == SD_OK && from < slots; from += CHUNK) {
    const uint64_t to = slots - from < CHUNK ? slots : from + CHUNK;
    sd_report (progress, said, from, slots);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : positions)
    for (uint64_t first = from; first < to; first += ROW) {
      row r = { .first = first, .count = to - first < ROW ? to - first : ROW };
      uint64_t failed = UINT64_MAX;
      find_row (o->ix[side], side, checked, &r);
      const int st = look_at_row (o, side, &r, look, of, &positions, &failed);
      if (st != SD_OK)
#pragma omp critical(whole_each)
        if (failed < out->failed) {
          out->failed = failed;
          status = st;
        }
    }
  }
  sd_report (progress, said, slots, slots);
  out->positions = positions;
  return status;
}

/* The number of the first ending whose men are not below `men`: at[] rises by them. */
static size_t place_of (const sd_wholes *w, uint64_t men) {
  size_t low = 0, high = w->n;
  while (low < high) {
    const size_t mid = (low + high) / 2;
    if (w->at[mid].men < men)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

/* An ending's men as one number: 32 bits for each colour, 4 for each kind of man but the king. */
static uint64_t men_of (const sd_material *m) {
  uint64_t men = 0;
  for (unsigned i = 0; i < 10; i++)
    men |= (uint64_t) m->count[i / 5][i % 5] << (i / 5 * 32 + i % 5 * 4);
  return men;
}

/* The squares of each colour in the order of an ending's name, king first; returns the men as above. */
static uint64_t men_on (const sd_pos *p, uint8_t sq[2][SD_MAX_MEN], unsigned n[2]) {
  uint64_t men = 0;
  for (unsigned c = 0; c < 2; c++) {
    n[c] = 0;
    /* Of equal men the one on the lowest square first: an indexer takes them in any order. */
    for (int t = SD_KING; t >= SD_PAWN; t--)
      for (uint64_t left = p->by[c][t]; left && n[c] < SD_MAX_MEN; left &= left - 1) {
        sq[c][n[c]++] = (uint8_t) __builtin_ctzll (left);
        men += t == SD_KING ? 0 : UINT64_C (1) << (c * 32 + (unsigned) t * 4);
      }
  }
  return men;
}

static const sd_whole *find (const sd_wholes *w, uint64_t men, enum sd_metric metric) {
  const size_t i = place_of (w, men);
  return i < w->n && w->at[i].men == men && w->at[i].by[metric].t ? &w->at[i].by[metric] : NULL;
}

const sd_whole *sd_wholes_find (const sd_wholes *w, const sd_material *m, enum sd_metric metric) {
  return find (w, men_of (m), metric);
}

/* The value of p without its en-passant right. */
static int plain_value (const sd_wholes *w, const sd_pos *p, enum sd_metric metric, sd_value *out) {
  uint8_t by[2][SD_MAX_MEN], sq[2 * SD_MAX_MEN];
  unsigned n[2];
  const uint64_t men = men_on (p, by, n);

  /* Two bare kings are drawn, and have no table. */
  *out = 0;
  if (men == 0)
    return SD_OK;
  const sd_whole *o = find (w, men, metric);
  /* An ending is found under one of its two names; then colours and ranks change places. */
  bool turn = !o;
  if (turn && !(o = find (w, men << 32 | men >> 32, metric)))
    return SD_ENOENT;
  if (o->t->info.nsides == 1) /* both orientations are the ending's */
    turn = p->stm == SD_BLACK;
  for (unsigned c = 0, k = 0; c < 2; c++)
    for (unsigned i = 0; i < n[c ^ turn]; i++)
      sq[k++] = by[c ^ turn][i] ^ (turn ? 56 : 0);
  const unsigned side = p->stm ^ turn;
  const uint64_t i = sd_index_of (o->ix[side], sq);
  /* No slot: a position that cannot be. */
  if (i >= sd_indexer_size (o->ix[side]))
    return SD_EINVAL;
  *out = o->value[side][i];
  return SD_OK;
}

int sd_wholes_value (const sd_wholes *w, const sd_pos *p, enum sd_metric metric, sd_value *out) {
  SD_TRY (plain_value (w, p, metric, out));
  if (p->ep == SD_NO_SQUARE || *out == SD_ILLEGAL)
    return SD_OK;
  /* such a position is in no table: the right adds a move, and where there is no other one the table says
   * stalemate */
  sd_pos plain = *p;
  plain.ep = SD_NO_SQUARE;
  /* A value that is not 0 rests on moves, or is that of mate, which any move betters. */
  bool has = *out != 0 || sd_has_move (&plain);
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_CAPTURES, moves);
  for (unsigned j = 0; j < n; j++)
    if (moves[j].en_passant) {
      sd_pos child;
      sd_value theirs;
      sd_pos_apply (p, &moves[j], &child);
      SD_TRY (sd_wholes_value (w, &child, metric, &theirs));
      take (metric, &moves[j], theirs, &has, out);
    }
  return SD_OK;
}

/* --------------------------------------------------------------- decoding */

/* A Syzygy DTZ table: nothing is stored for wins by a capture or a pawn move, nor where there are no other
 * moves. */
static int from_number (const sd_wholes *w, const sd_whole *o, unsigned side, const sd_pos *p, int sign,
                        sd_value number, sd_value *out) {
  const sd_table_info *info = &o->t->info;
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, moves);

  /* What the rule turns into a draw takes more plies than the rule allows. */
  const int least = sign == 1 || sign == -1 ? SD_RULE_PLIES + 1 : 1;
  bool quiet = false;
  *out = n || sign == 0 ? 0 : -1;
  for (unsigned i = 0; i < n && sign != 0; i++) {
    sd_pos child;
    sd_value theirs = 0;
    const bool anew = moves[i].piece == SD_PAWN || moves[i].captured != SD_NO_PIECE;
    quiet = quiet || !anew;
    /* Losses are not told by conversions; only whether there are other moves is asked. */
    if (!anew || sign < 0)
      continue;
    sd_pos_apply (p, &moves[i], &child);
    SD_TRY (sd_wholes_value (w, &child, sd_codings[info->coding].needs, &theirs));
    if (theirs == -sign) {
      *out = (sd_value) least;
      return SD_OK;
    }
  }
  if (n == 0 || sign == 0)
    return SD_OK;
  if (sign < 0 && !quiet) {
    *out = (sd_value) (-least - 1);
    return SD_OK;
  }
  number = info->side[side].number_of (&info->side[side], number, sign);
  if (number == SD_ILLEGAL)
    return SD_EFORMAT;
  *out = sd_codings[info->coding].restore (sign, number, false, 0);
  return SD_OK;
}

/* The value of p from the number that the table holds; SD_ILLEGAL: it comes later, by moves. */
static int restore (const sd_wholes *w, const sd_whole *o, const sd_pos *p, sd_value number, sd_value *out) {
  const sd_table_info *info = &o->t->info;
  const sd_coding_kind *c = &sd_codings[info->coding];
  const unsigned classes = (info->freedom & SD_FREE_CAPTURE ? (unsigned) SD_MOVES_CAPTURES : 0)
                           | (info->freedom & SD_FREE_PROMOTION ? (unsigned) SD_MOVES_PROMOTIONS : 0);
  const bool queens = info->freedom & SD_FREE_QUEEN;
  sd_value sign = 0, best = 0;
  bool has = false;

  *out = SD_ILLEGAL;
  if (sd_freedom_by_moves (info->freedom, p))
    return SD_OK;
  if (c->needs != SD_NO_METRIC)
    SD_TRY (sd_wholes_value (w, p, c->needs, &sign));
  if (sign > 0 && (info->freedom & SD_FREE_WIN))
    return SD_OK;
  /* A DTZ table of Syzygy. */
  if (info->side[p->stm].number_of)
    return from_number (w, o, p->stm, p, sign, number, out);
  /* As if no conversion offered anything. */
  const sd_value own = c->restore (sign, number, false, 0);
  /* A draw is told by the result; the number there says nothing. */
  if (c->needs != SD_NO_METRIC && sign == 0) {
    *out = 0;
    return SD_OK;
  }
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = classes ? sd_moves (p, (enum sd_move_class) classes, moves) : 0;
  for (unsigned j = 0; j < n; j++) {
    sd_pos child;
    sd_value theirs;
    /* Slots are free by promotions to queens only: others are not looked up. */
    if (queens && moves[j].promotion < SD_QUEEN)
      continue;
    sd_pos_apply (p, &moves[j], &child);
    SD_TRY (sd_wholes_value (w, &child, info->metric, &theirs));
    take (info->metric, &moves[j], theirs, &has, &best);
  }
  /* the better of both; where the result is known from elsewhere a conversion of another one says nothing */
  const bool counts = has && (c->needs == SD_NO_METRIC || sd_metrics[c->needs].of (best) == sign)
                      && worth (info->metric, best) > worth (info->metric, own);
  *out = counts ? best : own;
  return SD_OK;
}

int sd_wholes_by_moves (const sd_wholes *w, const sd_whole *own, enum sd_metric metric, const sd_pos *p,
                        const uint8_t *sq, sd_value *out) {
  const sd_table_info *info = &own->t->info;
  const unsigned men = sd_material_men (&info->material);
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, moves);
  bool has = false;

  *out = 0;
  if (n == 0) {
    *out = sd_in_check (p, p->stm) ? sd_metrics[metric].mated : 0;
    return SD_OK;
  }
  uint8_t next[SD_MAX_MEN];
  for (unsigned i = 0; i < n; i++) {
    const sd_move *m = &moves[i];
    /* It may give an en-passant right, which no table has. */
    const bool twice = m->piece == SD_PAWN && (m->from ^ m->to) == 16;
    sd_value theirs;
    /* The men stay the same: no new position, only a new index. */
    if (m->captured == SD_NO_PIECE && m->promotion == SD_NO_PIECE && !m->en_passant && !twice) {
      unsigned side = p->stm ^ 1u;
      if (side < info->nsides) {
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
      const uint64_t at = sd_index_of (own->ix[side], next);
      if (at >= sd_indexer_size (own->ix[side]))
        return SD_ERANGE;
      theirs = own->value[side][at];
    } else {
      sd_pos child;
      sd_pos_apply (p, m, &child);
      SD_TRY (sd_wholes_value (w, &child, metric, &theirs));
    }
    if (theirs != SD_ILLEGAL) /* else not restored yet */
      take (metric, m, theirs, &has, out);
  }
  return has ? SD_OK : SD_EFORMAT;
}

/* A stored side whose values are found. sym[0..]: its numbers, by slots of the file. */
typedef struct stored {
  const sd_wholes *w;
  const sd_whole *own;
  const sd_symbol *sym;
} stored;

static int restore_slot (const void *of, uint64_t slot, const sd_pos *p, const uint8_t *sq) {
  const stored *in = of;
  const sd_side *s = &in->own->t->info.side[p->stm];
  uint64_t at = slot;
  (void) sq;
  /* A Syzygy table has no indexer of ours: its slots are found one by one. */
  if (in->own->own)
    sd_side_remap (s, in->own->own, slot, 1, &at);
  if (at == UINT64_MAX)
    return SD_OK;
  return restore (in->w, in->own, p, s->map[in->sym[at]], &in->own->value[p->stm][slot]);
}

/* Do all slots have symbols that stand for numbers? */
static bool are_main (const sd_symbol *sym, const sd_side *s) {
  bool all = true;
  for (uint64_t i = 0; i < s->slots; i++)
    all &= sym[i] < s->main;
  return all;
}

/* what: for the message, "cannot restore %s". */
static int look_at_all (const sd_wholes *w, const sd_whole *own, unsigned side, bool checked,
                        sd_whole_look *look, const void *of, const char *what, sd_error *err) {
  sd_whole_seen seen;
  char file[32];
  const int st = sd_whole_each (own, side, checked, look, of, "restoring", w->progress, &seen);
  if (st == SD_OK)
    return SD_OK;
  sd_table_file_name (&own->t->info.material, own->t->info.metric, file);
  return sd_fail (err, st, "%s: cannot restore %s: %s", file, what, sd_strerror (st));
}

static int decode (const sd_wholes *w, sd_whole *o, sd_error *err) {
  const sd_table_info *info = &o->t->info;
  char file[32];

  sd_table_file_name (&info->material, info->metric, file);
  for (unsigned side = 0; side < info->nsides; side++) {
    const uint64_t slots = sd_indexer_size (o->ix[side]);
    if (!(o->value[side] = sd_alloc (slots, sizeof *o->value[side])))
      return sd_fail_memory (err, slots * sizeof *o->value[side]);
    for (uint64_t i = 0; i < slots; i++)
      o->value[side][i] = SD_ILLEGAL;
    if (!sd_table_info_has (info, side)) /* comes later, from the other side */
      continue;
    sd_symbol *sym = sd_alloc (info->side[side].slots, sizeof *sym);
    if (!sym)
      return sd_fail_memory (err, info->side[side].slots * sizeof *sym);
    /* All symbols first: a codec reads them in one go. */
    int st = sd_table_read_all (o->t, side, sym, w->progress, file, err);
    if (st == SD_OK && !are_main (sym, &info->side[side]))
      st = sd_fail (err, SD_EFORMAT, "%s: a symbol that the header does not know", file);
    if (st == SD_OK)
      st = look_at_all (w, o, side, false, restore_slot, &(stored){ w, o, sym }, "its values", err);
    free (sym);
    SD_TRY (st);
  }
  return SD_OK;
}

/* Do slots in check with that side to move say nothing where the value is evident? */
static bool frees_evident (const sd_table_info *info, unsigned side) {
  return info->freedom & SD_FREE_EVIDENT
         || info->freedom & (side ? SD_FREE_EVIDENT_BLACK : SD_FREE_EVIDENT_WHITE);
}

/* What is known of a position's value: at least low, at most high. */
typedef struct bounds {
  int low, high;
} bounds;

/* By the moves of p. A table that frees a side's evident positions says nothing of those in check, so that
 * what is known of them is what captures and promotions offer. deep: of a position on which more is to be
 * found out: that whose slot is free, or one that the table does not hold. */
static int bound_by_moves (const sd_wholes *w, const sd_whole *own, const sd_pos *p, bool deep, bounds *out) {
  const sd_table_info *info = &own->t->info;
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, moves);
  const int none = n || sd_in_check (p, p->stm) ? -1 : 0; /* stalemate */

  *out = (bounds){ none, none };
  for (unsigned i = 0; i < n && out->low < 1; i++) {
    const bool stays = moves[i].captured == SD_NO_PIECE && moves[i].promotion == SD_NO_PIECE;
    bounds theirs = { -1, 1 };
    sd_pos child;
    sd_pos_apply (p, &moves[i], &child);
    const bool held = info->nsides == 1 || sd_table_info_has (info, child.stm);
    const bool checked = held && frees_evident (info, child.stm) && sd_in_check (&child, child.stm);
    if (stays && deep && (checked || !held))
      SD_TRY (bound_by_moves (w, own, &child, !held, &theirs));
    else if (!stays || deep) {
      sd_value v;
      SD_TRY (sd_wholes_value (w, &child, info->metric, &v));
      theirs = (bounds){ v, v };
    }
    out->low = -theirs.high > out->low ? -theirs.high : out->low;
    out->high = -theirs.low > out->high ? -theirs.low : out->high;
  }
  return SD_OK;
}

/* A side that is restored further. into[slot]: the value so far, and afterwards. */
typedef struct further {
  const sd_wholes *w;
  const sd_whole *own;
  sd_value *into;
} further;

static int evident_slot (const void *of, uint64_t slot, const sd_pos *p, const uint8_t *sq) {
  const further *in = of;
  bounds is;
  (void) sq;
  if (in->into[slot] == SD_ILLEGAL)
    return SD_OK;
  SD_TRY (bound_by_moves (in->w, in->own, p, true, &is));
  if (is.low == is.high)
    in->into[slot] = (sd_value) is.low;
  return SD_OK;
}

/* Positions in check whose value is evident, in place: read is only what is not in check, or not free. */
static int by_evidence (const sd_wholes *w, sd_whole *own, unsigned side, sd_error *err) {
  const further in = { w, own, own->value[side] };
  return look_at_all (w, own, side, true, evident_slot, &in, "what is evident", err);
}

static int empty_slot (const void *of, uint64_t slot, const sd_pos *p, const uint8_t *sq) {
  const further *in = of;
  sd_value *value = &in->into[slot];
  return *value == SD_ILLEGAL ? sd_wholes_by_moves (in->w, in->own, in->own->t->info.metric, p, sq, value)
                              : SD_OK;
}

/* The legal positions that have no value yet, of one side. Read from the other side's, but for equal
 * material, whose values therefore stay as they are until all are found. */
static int by_moves (const sd_wholes *w, sd_whole *own, unsigned side, sd_error *err) {
  const uint64_t slots = sd_indexer_size (own->ix[side]);
  sd_value *fresh = sd_alloc (slots, sizeof *fresh);
  if (!fresh)
    return sd_fail_memory (err, slots * sizeof *fresh);
  memcpy (fresh, own->value[side], slots * sizeof *fresh);
  const further in = { w, own, fresh };
  const int st = look_at_all (w, own, side, false, empty_slot, &in, "its values by moves", err);
  free (own->value[side]);
  own->value[side] = fresh;
  return st;
}

/* ---------------------------------------------------------------- needing */

static const sd_table *table_for (const sd_wholes *w, const sd_material *m, enum sd_metric metric) {
  if (w->first && w->first->info.metric == metric && sd_material_equal (&w->first->info.material, m))
    return w->first;
  return sd_tables_find (w->ts, m, metric);
}

/* There is no table of m: why not? */
static int fail_absent (const sd_wholes *w, const sd_material *m, enum sd_metric metric, sd_error *err) {
  char name[32];
  sd_table_file_name (m, metric, name);
  /* A file that is there and cannot be used is the better reason. */
  for (unsigned i = 0; i < sd_tables_count (w->ts); i++) {
    const char *path, *last;
    const sd_error *why = sd_tables_problem (w->ts, i);
    sd_tables_at (w->ts, i, &path);
    last = path ? strrchr (path, '/') : NULL;
    if (why && last && strcmp (last + 1, name) == 0)
      return sd_fail (err, why->status, "%s", why->text);
  }
  char where[sizeof err->text];
  sd_path_said (sd_tables_path (w->ts), where, sizeof where);
  return sd_fail_missing (err, name, "%s: not found in %s", name, where);
}

static int file_whole (sd_wholes *w, const sd_material *m, enum sd_metric metric, const sd_whole *whole) {
  const uint64_t men = men_of (m);
  const size_t i = place_of (w, men);
  if (i == w->n || w->at[i].men != men) {
    struct sd_whole_ending *more = realloc (w->at, (w->n + 1) * sizeof *more);
    if (!more)
      return SD_ENOMEM;
    w->at = more;
    /* Sorted by men, for the search in place_of (). */
    memmove (more + i + 1, more + i, (w->n++ - i) * sizeof *more);
    more[i] = (struct sd_whole_ending){ .men = men };
  }
  w->at[i].by[metric] = *whole;
  return SD_OK;
}

/* Indexers of all sides that the ending has; a side that is not stored is laid out as the other one. */
static int index_sides (sd_whole *o, sd_error *err) {
  const sd_table_info *info = &o->t->info;
  sd_layout layout;
  for (unsigned side = 0; side < info->nsides; side++)
    o->ix[side] = info->side[sd_table_info_has (info, side) ? side : !side].indexer;
  if (o->ix[0])
    return SD_OK;
  sd_layout_kings_first (&info->material, &layout);
  SD_TRY (sd_indexer_new (&layout, &o->own, err));
  o->ix[0] = o->ix[1] = o->own;
  return SD_OK;
}

/* What another metric's table, which is complete by itself, says in this one. */
static int told_by (sd_wholes *w, const sd_material *m, enum sd_metric metric, sd_whole *o, sd_error *err) {
  const enum sd_metric from = sd_metrics[metric].told_by;
  SD_TRY (sd_wholes_need (w, m, from, err));
  const sd_whole *by = sd_wholes_find (w, m, from);
  o->t = by->t;
  SD_TRY (index_sides (o, err));
  for (unsigned side = 0; side < o->t->info.nsides; side++) {
    const uint64_t n = sd_indexer_size (o->ix[side]);
    if (!(o->value[side] = sd_alloc (n, sizeof (sd_value))))
      return sd_fail_memory (err, n * sizeof (sd_value));
    for (uint64_t i = 0; i < n; i++) {
      const sd_value v = by->value[side][i];
      o->value[side][i] = v == SD_ILLEGAL ? v : sd_metrics[metric].of (v);
    }
  }
  return SD_OK;
}

/* From the table o->t, first whatever it needs. */
static int from_table (sd_wholes *w, const sd_material *m, enum sd_metric metric, sd_whole *o,
                       sd_error *err) {
  const sd_table_info *info = &o->t->info;
  const enum sd_metric needs = sd_codings[info->coding].needs;
  if (o->t != w->first) /* a damaged one would be held against the table that rests on it */
    SD_TRY (sd_table_check (o->t, err));
  /* What conversions lead to; ended by the number of men and pawns. */
  if (sd_table_info_looks (info)) {
    sd_material next[64];
    const unsigned n = sd_material_successors (m, next);
    for (unsigned i = 0; i < n; i++)
      SD_TRY (sd_wholes_need (w, &next[i], metric, err));
  }
  if (needs != SD_NO_METRIC)
    SD_TRY (sd_wholes_need (w, m, needs, err));
  SD_TRY (index_sides (o, err));
  return decode (w, o, err);
}

int sd_wholes_need (sd_wholes *w, const sd_material *m, enum sd_metric metric, sd_error *err) {
  if (sd_wholes_find (w, m, metric))
    return SD_OK;
  sd_whole o = { .t = table_for (w, m, metric) };
  const enum sd_metric from = sd_metrics[metric].told_by;
  const sd_table *other = !o.t && from != SD_NO_METRIC ? table_for (w, m, from) : NULL;
  const bool tells = other && sd_codings[other->info.coding].needs == SD_NO_METRIC;
  int st = o.t     ? from_table (w, m, metric, &o, err)
           : tells ? told_by (w, m, metric, &o, err)
                   : fail_absent (w, m, metric, err);
  if (st == SD_OK && file_whole (w, m, metric, &o) != SD_OK)
    st = sd_fail_memory (err, sizeof o);
  if (st != SD_OK) {
    free (o.value[0]);
    free (o.value[1]);
    sd_indexer_free (o.own);
    return st;
  }
  /* w owns the values from here on, and finds them */
  sd_whole *own = (sd_whole *) (uintptr_t) sd_wholes_find (w, m, metric);
  for (unsigned side = 0; side < o.t->info.nsides && o.t->info.metric == metric; side++)
    if (sd_table_info_has (&o.t->info, side) && frees_evident (&o.t->info, side))
      SD_TRY (by_evidence (w, own, side, err));
  for (unsigned side = 0; side < o.t->info.nsides && o.t->info.metric == metric; side++)
    if (!sd_table_info_has (&o.t->info, side) || (o.t->info.freedom & SD_FREE_BY_MOVES & ~SD_FREE_EVIDENTS))
      SD_TRY (by_moves (w, own, side, err));
  return SD_OK;
}
