/* Chess as the generator and the tools know it: slices are endings, named by their pieces.
 *
 * What a game need not bring and chess does: its tables have layouts, are probed by libsubdef, which restores
 * what they leave free, and are verified, recoded and dumped by recode/. The texts of positions are
 * chess_text.c's. */
#include "config.h"
#include "chess/ending.h"
#include "gen/games/chess/chess_game.h"
#include "gen/games/chess/chess_kind.h"
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------- slices */

enum { COUNT_BITS = 4, TYPES = SD_QUEEN - SD_PAWN + 1 };

sd_slice sd_chess_slice (const sd_material *m) {
  sd_slice n = 0;
  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned type = SD_PAWN; type <= SD_QUEEN; type++)
      n = n << COUNT_BITS | m->count[colour][type];
  return n;
}

sd_material sd_chess_material (sd_slice slice) {
  sd_material m = { 0 };
  for (unsigned i = 2 * TYPES; i-- > 0; slice >>= COUNT_BITS)
    m.count[i / TYPES][SD_PAWN + i % TYPES] = slice & ((1u << COUNT_BITS) - 1);
  m.count[0][SD_KING] = m.count[1][SD_KING] = 1;
  return m;
}

static void chess_slice_name (const void *ctx, sd_slice slice, char out[SD_SLICE_NAME]) {
  (void) ctx;
  const sd_material m = sd_chess_material (slice);
  sd_material_name (&m, out);
}

static int chess_slice_of (const void *ctx, const char *name, sd_slice *out, sd_error *err) {
  sd_material as_is, m;
  (void) ctx;
  SD_TRY (sd_ending_parse (name, &as_is, err));
  sd_material_canonical (&as_is, &m);
  if (sd_material_men (&m) < 3)
    return sd_fail (err, SD_EINVAL, "%s: two kings alone are always drawn and have no table", name);
  *out = sd_chess_slice (&m);
  return SD_OK;
}

static unsigned chess_below (const void *ctx, sd_slice slice, sd_slice *out, unsigned room) {
  (void) ctx;
  sd_material next[64];
  const sd_material m = sd_chess_material (slice);
  const unsigned n = sd_material_successors (&m, next);
  for (unsigned i = 0; i < n && i < room; i++)
    out[i] = sd_chess_slice (&next[i]);
  return n;
}

static unsigned chess_all (const void *ctx, unsigned pieces, sd_slice *out, unsigned room) {
  (void) ctx;
  sd_material few[1];
  unsigned n = 0;
  for (unsigned men = 3; men <= pieces; men++) {
    const unsigned more = sd_material_all (men, few, 0);
    sd_material *all = sd_alloc (more, sizeof *all);
    if (!all)
      return 0;
    sd_material_all (men, all, more);
    for (unsigned i = 0; i < more; i++, n++)
      if (n < room)
        out[n] = sd_chess_slice (&all[i]);
    free (all);
  }
  return n;
}

static unsigned chess_sides (const void *ctx, sd_slice slice) {
  (void) ctx;
  (void) slice;
  return 2; /* of equal material both alike */
}

/* -------------------------------------------------------------------- solving */

static int chess_open (const char *file, void **ctx, sd_error *err) {
  (void) file;
  (void) err;
  *ctx = NULL;
  return SD_OK;
}

static void chess_close (void *ctx) {
  (void) ctx;
}

static uint64_t chess_fingerprint (const void *ctx) {
  (void) ctx;
  return 0; /* the layout stands in each table */
}

static int chess_game (const void *ctx, sd_slice slice, const sd_outside *outside, sd_game *out,
                       sd_error *err) {
  (void) ctx;
  const sd_material m = sd_chess_material (slice);
  return sd_chess_game_new (outside->values, &m, out, err);
}

static int chess_subject (const void *ctx, sd_slice slice, sd_table_spec *spec, sd_error *err) {
  (void) ctx;
  (void) err;
  spec->material = sd_chess_material (slice);
  for (unsigned side = 0; side < 2; side++)
    sd_layout_kings_first (&spec->material, &spec->side[side].layout);
  return SD_OK;
}

/* --------------------------------------------------------------------- tables */

typedef struct store {
  sd_tables *tables;
  const char *path;
  bool rule; /* tables of a metric with the 50-move rule are among them */
} store;

static bool has_rule (const sd_tables *tables) {
  sd_table_info info;
  for (unsigned i = 0; i < sd_tables_count (tables); i++) {
    const sd_table *t = sd_tables_at (tables, i, NULL);
    if (t)
      sd_table_describe (t, &info);
    if (t && sd_metric_has_rule (info.metric))
      return true;
  }
  return false;
}

static int store_open (const char *path, unsigned flags, void **out, sd_error *err) {
  store *s = sd_alloc0 (1, sizeof *s);
  *out = NULL;
  if (!s)
    return sd_fail_memory (err, sizeof *s);
  s->path = path;
  const int st = sd_tables_open (path, flags | SD_OPEN_CACHE, &s->tables, err);
  if (st != SD_OK) {
    free (s);
    return st;
  }
  s->rule = has_rule (s->tables);
  *out = s;
  return SD_OK;
}

static void store_close (void *p) {
  store *s = p;
  sd_tables_close (s->tables);
  free (s);
}

static const sd_tables *store_tables (const void *p) {
  return ((const store *) p)->tables;
}

/* Endings that have been asked for on the way to what is missing. */
enum { MANY = 1024 };
typedef struct looked {
  sd_slice slice[MANY];
  unsigned n;
} looked;

static bool is_there (const store *s, const sd_material *m, enum sd_metric metric, bool *looks,
                      bool *halves) {
  const sd_table *t = sd_tables_find (s->tables, m, metric);
  sd_table_info in;
  if (!t) {
    char name[32];
    sd_table_file_name (m, metric, name);
    return sd_path_has (s->path, name); /* a damaged one */
  }
  sd_table_describe (t, &in);
  *halves |= sd_codings[in.coding].needs != SD_METRICS;
  *looks |= (in.freedom & (SD_FREE_CAPTURE | SD_FREE_PROMOTION)) || sd_table_info_by_moves (&in);
  return true;
}

/* Tell what is missing of the ending m and, where its table rests on them, of those below. Ended by the
 * number of men and pawns; no ending is looked at twice that is there. */
static void tell_missing (const store *s, const sd_missed *missed, const sd_material *as_is, looked *seen) {
  sd_material m, next[64];
  char name[32];
  bool looks = false, halves = false; /* halves: DTM without WDL */
  sd_material_canonical (as_is, &m);
  if (sd_material_men (&m) < 3)
    return;
  const sd_slice slice = sd_chess_slice (&m);
  const bool wdl = is_there (s, &m, SD_WDL, &looks, &halves);
  const bool dtm = is_there (s, &m, SD_DTM, &looks, &halves);
  sd_material_name (&m, name);
  if (!wdl && !dtm)
    missed->say (missed->ctx, name);
  if (!wdl && halves) {
    sd_table_file_name (&m, SD_WDL, name);
    missed->say (missed->ctx, name);
  }
  for (unsigned i = 0; i < seen->n; i++)
    if (seen->slice[i] == slice)
      return;
  if (!looks || seen->n == MANY)
    return;
  seen->slice[seen->n++] = slice;
  const unsigned n = sd_material_successors (&m, next);
  for (unsigned i = 0; i < n; i++)
    tell_missing (s, missed, &next[i], seen);
}

static int store_look_up (void *p, const sd_position *position, sd_known *out, const sd_missed *missed,
                          sd_error *err) {
  const store *s = p;
  const sd_pos board = sd_chess_board (position);
  int wdl = 0;
  *out = (sd_known){ .is = true, .dtm = true };
  int st = sd_probe_dtm (s->tables, &board, &out->value, err);
  if (st == SD_ENOENT) {
    out->dtm = false;
    st = sd_probe_wdl (s->tables, &board, &wdl, err);
    out->value = (sd_value) wdl;
  }
  if (st == SD_OK)
    return SD_OK;
  *out = (sd_known){ .is = false };
  if (st == SD_ENOENT && missed) {
    looked *seen = sd_alloc0 (1, sizeof *seen);
    sd_material m;
    sd_material_of (&board, &m);
    if (seen)
      tell_missing (s, missed, &m, seen);
    free (seen);
  }
  return st;
}

/* Tables of the rule are an addition to those of look_up, so nobody is told which of them are missing. */
static int store_look_up_rule (void *p, const sd_position *position, sd_known_rule *out, sd_error *err) {
  const store *s = p;
  const sd_pos board = sd_chess_board (position);
  *out = (sd_known_rule){ .dtz = true };
  if (!s->rule) /* two kings alone would be known even then */
    return SD_ENOENT;
  int st = sd_probe_value (s->tables, SD_DTZ50, &board, &out->value, err);
  if (st == SD_ENOENT) {
    out->dtz = false;
    st = sd_probe_value (s->tables, SD_WDL50, &board, &out->value, err);
  }
  out->is = st == SD_OK;
  return st;
}

static const sd_game_store chess_store = { store_open, store_close, store_tables, store_look_up,
                                           store_look_up_rule };

static int chess_verify (const char *path, const sd_table *t, const sd_progress *progress, sd_verified *out,
                         sd_error *err) {
  sd_tables *ts;
  SD_TRY (sd_tables_open (path, 0, &ts, err));
  int st = sd_tables_use (ts, t);
  if (st == SD_OK)
    st = sd_table_verify_told (ts, t, progress, out, err);
  sd_tables_close (ts);
  return st;
}

static int chess_dump (const void *ctx, const char *name, const char *path, sd_outfile *out,
                       const sd_progress *progress, sd_error *err) {
  (void) ctx;
  sd_material m; /* as it is typed: the mirrored name gives the mirrored numbers */
  sd_exacts *exacts;
  SD_TRY (sd_ending_parse (name, &m, err));
  SD_TRY (sd_exacts_new (path, &exacts, err));
  const int st = sd_table_dump (exacts, &m, out, progress, err);
  sd_exacts_free (exacts);
  return st;
}

static int chess_recode (const void *ctx, sd_slice slice, const char *path, sd_table_spec *spec,
                         const sd_chooser *how, const char *file, sd_error *err) {
  (void) ctx;
  const sd_material m = sd_chess_material (slice);
  const sd_exact *e;
  sd_exacts *exacts;
  SD_TRY (sd_exacts_new_of (path, sd_metrics[spec->metric].exact, &exacts, err));
  int st = sd_exacts_need (exacts, &m, err);
  if (st == SD_OK)
    st = sd_exacts_get (exacts, &m, &e, err);
  if (st == SD_OK)
    st = how->choose (how->ctx, exacts, e, spec, err);
  if (st == SD_OK)
    st = sd_table_build (exacts, spec, file, how->progress, err);
  sd_exacts_free (exacts);
  return st;
}

const sd_game_kind sd_game_chess = {
  .name = "chess",
  .summary = "endings of chess (the game where none is named)",
  .slices = "White's pieces, v, Black's: KRvKP; the mirrored name means the same",
  .positions = "FEN or EPD",
  .example = "KRvKP",
  .open = chess_open,
  .close = chess_close,
  .fingerprint = chess_fingerprint,
  .slice_name = chess_slice_name,
  .slice_of = chess_slice_of,
  .below = chess_below,
  .all = chess_all,
  .fewest = 3,
  .most = SD_MAX_MEN,
  .sides = chess_sides,
  .game = chess_game,
  .game_free = sd_chess_game_free,
  .parse = sd_chess_parse,
  .print = sd_chess_print,
  .moves = sd_chess_moves,
  .words = { .slice = "ending",
             .slices = "endings",
             .side = { "White", "Black" },
             .position = "fen",
             .lost = "checkmate",
             .drawn = "stalemate",
             .move = 6,
             .longest = "mate in %u moves",
             .plies = 2,
             .none = "no mate",
             .dtm = sd_chess_dtm },
  .subject = chess_subject,
  .store = &chess_store,
  .freedom = SD_FREE_KNOWN,
  .verify = chess_verify,
  .dump = chess_dump,
  .recode = chess_recode,
};
