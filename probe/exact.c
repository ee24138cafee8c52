/* Exact values in memory: endings by material, values of positions, what conversions offer. Endings are found
 * as the prober finds its tables (lookup.h). Values of positions with an en-passant right are put together
 * here, since tables do not hold such positions (S0 Sec. 1.6, S3). Loading is load.c's, which uses this file.
 */
#include "config.h"
#include "probe/exact_internal.h"
#include "probe/lookup.h"
#include "table/table_internal.h"
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- an ending */

int sd_exact_new (const sd_material *m, sd_exact **out, sd_error *err) {
  sd_layout layout;
  sd_exact *e = calloc (1, sizeof *e);
  if (!e)
    return sd_fail_memory (err, sizeof *e);
  e->material = *m;
  e->nsides = sd_material_symmetric (m) ? 1 : 2;
  sd_layout_kings_first (m, &layout);
  int st = sd_indexer_new (&layout, &e->indexer, err);
  if (st != SD_OK) {
    free (e);
    return st;
  }
  e->n = sd_indexer_size (e->indexer);
  for (unsigned side = 0; side < e->nsides; side++) {
    e->value[side] = sd_alloc (e->n, sizeof *e->value[side]);
    if (!e->value[side]) {
      size_t bytes = e->n * sizeof *e->value[side];
      sd_exact_free (e);
      return sd_fail_memory (err, bytes);
    }
    for (uint64_t i = 0; i < e->n; i++)
      e->value[side][i] = SD_ILLEGAL;
  }
  *out = e;
  return SD_OK;
}

void sd_exact_free (sd_exact *e) {
  if (!e)
    return;
  free (e->value[0]);
  free (e->value[1]);
  sd_indexer_free (e->indexer);
  free (e);
}

bool sd_exact_position (const sd_exact *e, unsigned side, uint64_t i, sd_pos *p) {
  uint8_t sq[SD_MAX_MEN];
  if (!sd_index_squares (e->indexer, i, sq))
    return false;
  sd_pos_from_squares (&e->material, sq, side, p);
  return sd_pos_legal (p);
}

void sd_exact_count (const sd_exact *e, unsigned side, sd_counts *out) {
  memset (out, 0, sizeof *out);
  const sd_value *v = e->value[e->nsides == 1 ? 0 : side];
  for (uint64_t i = 0; i < e->n; i++) {
    if (v[i] == SD_ILLEGAL)
      continue;
    out->positions++;
    if (v[i] == 0)
      out->drawn++;
    else if (v[i] > 0) {
      out->won++;
      if (v[i] > out->longest_win)
        out->longest_win = v[i];
    } else {
      out->lost++;
      if (v[i] < out->longest_loss)
        out->longest_loss = v[i];
    }
  }
}

/* --------------------------------------------------------------- their set */

struct sd_exacts {
  char *path;
  sd_exact **owned;
  size_t count, room;
  sd_keys keys; /* material -> place in owned[] */
  char **file;  /* that values were read from */
  size_t nfiles;
};

int sd_exacts_new (const char *path, sd_exacts **out, sd_error *err) {
  sd_exacts *s = calloc (1, sizeof *s);
  if (!s || !(s->path = strdup (path ? path : ""))) {
    free (s);
    return sd_fail_memory (err, 0);
  }
  *out = s;
  return SD_OK;
}

void sd_exacts_free (sd_exacts *s) {
  if (!s)
    return;
  for (size_t i = 0; i < s->count; i++)
    sd_exact_free (s->owned[i]);
  free (s->owned);
  sd_keys_free (&s->keys);
  for (size_t i = 0; i < s->nfiles; i++)
    free (s->file[i]);
  free (s->file);
  free (s->path);
  free (s);
}

const char *sd_exacts_path (const sd_exacts *s) {
  return s->path;
}

int sd_exacts_note_file (sd_exacts *s, const char *name) {
  char **more = realloc (s->file, (s->nfiles + 1) * sizeof *more);
  if (!more)
    return SD_ENOMEM;
  s->file = more;
  if (!(more[s->nfiles] = strdup (name)))
    return SD_ENOMEM;
  s->nfiles++;
  return SD_OK;
}

size_t sd_exacts_files (const sd_exacts *s, const char *const **files) {
  *files = (const char *const *) s->file;
  return s->nfiles;
}

int sd_exacts_put (sd_exacts *s, sd_exact *e) {
  const sd_keyed *old = sd_keys_find (&s->keys, sd_key_of_material (&e->material));
  if (old) {
    if (s->owned[old->item] != e)
      sd_exact_free (s->owned[old->item]);
    s->owned[old->item] = e;
    return SD_OK;
  }
  if (s->count == s->room) {
    size_t room = s->room ? 2 * s->room : 32;
    sd_exact **more = realloc (s->owned, room * sizeof *more);
    if (!more) {
      sd_exact_free (e);
      return SD_ENOMEM;
    }
    s->owned = more;
    s->room = room;
  }
  if (sd_keys_add (&s->keys, &e->material, (uint32_t) s->count)) {
    sd_exact_free (e);
    return SD_ENOMEM;
  }
  s->owned[s->count++] = e;
  return SD_OK;
}

const sd_exact *sd_exacts_find (const sd_exacts *s, const sd_material *m) {
  const sd_keyed *found = sd_keys_find (&s->keys, sd_key_of_material (m));
  return found && !found->swapped ? s->owned[found->item] : NULL;
}

/* --------------------------------------------------------- values of positions */

/* The key of m with colours swapped. */
static uint64_t swapped_key (const sd_material *m) {
  const uint64_t key = sd_key_of_material (m), low = (1ull << 24) - 1;
  return key >> 24 | (key & low) << 24;
}

/* Where values come from. */
typedef struct from {
  const sd_exacts *s;
  const sd_exact *own; /* before what s has for its material; may be NULL */
  bool results;        /* -1, 0, 1 */
} from;

/* Value of p with its en-passant right left aside. */
static int plain_value (const from *f, const sd_pos *p, sd_value *out) {
  sd_board b;
  uint8_t sq[SD_MAX_MEN];
  if (!sd_board_of (p, &b))
    return SD_ENOENT;
  if (b.key == SD_KEY_KVK) {
    *out = 0;
    return SD_OK;
  }
  const sd_exact *e = f->own;
  bool swapped = false;
  if (!e || b.key != sd_key_of_material (&e->material)) {
    const sd_keyed *found = sd_keys_find (&f->s->keys, b.key);
    if (e && b.key == swapped_key (&e->material))
      swapped = true;
    else if (!found)
      return SD_ENOENT;
    else {
      e = f->s->owned[found->item];
      swapped = found->swapped;
    }
  }
  unsigned side = sd_stored_side (e->nsides, p->stm, &swapped);
  sd_board_squares (&b, swapped, sq);
  *out = e->value[side][sd_index_of (e->indexer, sq)];
  if (f->results && *out != SD_ILLEGAL)
    *out = (sd_value) sd_value_wdl (*out);
  return SD_OK;
}

static sd_value back (const from *f, sd_value v) {
  return f->results ? (sd_value) -v : sd_value_back (v);
}

/* Best of the listed moves, none of which is a double step; only en-passant captures if asked. */
static int best_of (const from *f, const sd_pos *p, const sd_move *move, unsigned n, bool only_ep, bool *has,
                    sd_value *best) {
  *has = false;
  for (unsigned i = 0; i < n; i++) {
    if (only_ep && !move[i].en_passant)
      continue;
    sd_pos child;
    sd_value v;
    sd_pos_apply (p, &move[i], &child);
    SD_TRY (plain_value (f, &child, &v));
    v = back (f, v);
    if (!*has || sd_value_rank (v) > sd_value_rank (*best))
      *best = v;
    *has = true;
  }
  return SD_OK;
}

static int value_of (const from *f, const sd_pos *p, sd_value *out) {
  if (p->ep == SD_NO_SQUARE)
    return plain_value (f, p, out);
  sd_pos plain = *p;
  sd_move move[SD_MAX_MOVES];
  sd_value best;
  bool has;
  unsigned n = sd_moves (p, SD_MOVES_CAPTURES, move);
  SD_TRY (best_of (f, p, move, n, true, &has, &best));
  plain.ep = SD_NO_SQUARE;
  SD_TRY (plain_value (f, &plain, out));
  if (*out == SD_ILLEGAL)
    return SD_OK;
  /* without any other move the table says mated or stalemate, which is not so: en passant must be played */
  if (has && (sd_value_rank (best) > sd_value_rank (*out) || !sd_has_move (&plain)))
    *out = best;
  return SD_OK;
}

int sd_exacts_value (const sd_exacts *s, const sd_pos *p, sd_value *out) {
  const from f = { .s = s };
  return value_of (&f, p, out);
}

int sd_exacts_by_moves (const sd_exacts *s, const sd_exact *own, const sd_pos *p, bool results,
                        sd_value *out) {
  const from f = { s, own, results };
  sd_move move[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, move);
  bool has = false;
  *out = 0;
  if (n == 0) {
    *out = sd_in_check (p, p->stm) ? -1 : 0;
    return SD_OK;
  }
  for (unsigned i = 0; i < n; i++) {
    sd_pos child;
    sd_value v;
    sd_pos_apply (p, &move[i], &child);
    SD_TRY (value_of (&f, &child, &v));
    if (v == SD_ILLEGAL)
      continue;
    *out = sd_restore_signed (back (&f, v), has, *out);
    has = true;
  }
  return has ? SD_OK : SD_EFORMAT;
}

int sd_exacts_best (const sd_exacts *s, const sd_pos *p, enum sd_move_class which, bool *has,
                    sd_value *best) {
  const from f = { .s = s };
  sd_move move[SD_MAX_MOVES];
  return best_of (&f, p, move, sd_moves (p, which, move), false, has, best);
}

bool sd_exacts_conversions (const sd_exacts *s, const sd_pos *p, enum sd_move_class which, sd_value *best,
                            int *status) {
  bool has = false;
  *status = sd_exacts_best (s, p, which, &has, best);
  return *status == SD_OK && has;
}

int sd_exacts_offers (const sd_exacts *s, const sd_pos *p, enum sd_move_class which, sd_value v,
                      bool only_result, bool *yes) {
  const from f = { .s = s };
  sd_move move[SD_MAX_MOVES];
  unsigned n = sd_moves (p, which, move);
  *yes = false;
  for (unsigned i = 0; i < n && !*yes; i++) {
    sd_pos child;
    sd_value w;
    sd_pos_apply (p, &move[i], &child);
    SD_TRY (plain_value (&f, &child, &w));
    w = sd_value_back (w);
    *yes = only_result ? sd_value_wdl (w) == sd_value_wdl (v) : w == v;
  }
  return SD_OK;
}

int sd_exacts_restore (const sd_exacts *s, const sd_pos *p, enum sd_coding coding, unsigned freedom,
                       sd_value stored, int wdl, sd_value *out) {
  enum sd_move_class which;
  bool has = false;
  sd_value best = 0;
  if (sd_freedom_conversions (freedom, &which) && !(sd_codings[coding].needs != SD_METRICS && wdl == 0))
    SD_TRY (sd_exacts_best (s, p, which, &has, &best));
  *out = sd_codings[coding].restore (wdl, stored, has, sd_metrics[sd_coding_metric (coding)].of (best));
  return SD_OK;
}
