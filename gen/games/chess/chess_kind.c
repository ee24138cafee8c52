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
  /* Kings are left out: each side has one. */
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
  (void) ctx; /* as sd_material_name, of any number of men */
  const sd_material m = sd_chess_material (slice);
  for (unsigned colour = 0; colour < 2; colour++) {
    if (colour)
      *out++ = 'v';
    for (unsigned type = SD_KING + 1; type-- > SD_PAWN;)
      for (unsigned i = 0; i < m.count[colour][type]; i++)
        *out++ = "PNBRQK"[type];
  }
  *out = 0;
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
  /* Captures and promotions; names are the stronger side's first. */
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
    /* Counted first, since there is no bound to say beforehand. */
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
  unsigned exact;       /* metrics, a bit each, of whose values there are tables */
  enum sd_metric usual; /* that most positions are told in */
} store;

/* Which kinds of values the folder's tables tell: positions are answered in these. */
static void see_metrics (store *s) {
  sd_table_info info;
  for (unsigned i = 0; i < sd_tables_count (s->tables); i++) {
    const sd_table *t = sd_tables_at (s->tables, i, NULL);
    if (!t)
      continue;
    sd_table_describe (t, &info);
    s->exact |= 1u << sd_metrics[info.metric].exact;
  }
  /* If there are no values of that kind, those of the first metric that there are. */
  s->usual = SD_USUAL_EXACT;
  for (unsigned m = SD_METRICS; m-- > 0 && !(s->exact >> SD_USUAL_EXACT & 1);)
    if (s->exact >> m & 1)
      s->usual = (enum sd_metric) m;
}

/* Are positions told in this metric, which is its own `exact`? In that which `subdef gen` makes always. */
static bool tells (const store *s, enum sd_metric exact) {
  return exact == SD_USUAL_EXACT || s->exact >> exact & 1;
}

static int store_open (const char *path, unsigned flags, void **out, sd_error *err) {
  store *s = sd_alloc0 (1, sizeof *s);
  *out = NULL;
  if (!s)
    return sd_fail_memory (err, sizeof *s);
  s->path = path;
  /* With a cache: neighbouring positions of a game are asked for. */
  const int st = sd_tables_open (path, flags | SD_OPEN_CACHE, &s->tables, err);
  if (st != SD_OK) {
    free (s);
    return st;
  }
  see_metrics (s);
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

/* What of the tables made of the values `exact` is there of an ending. */
typedef struct holding {
  bool any;       /* something, though it may be damaged */
  bool looks;     /* that rests on the next endings */
  unsigned needs; /* metrics, a bit each, without which a table says nothing */
  unsigned has;
  bool syzygy;
} holding;

/* What a table rests on, added to what is known of its ending's tables. */
static void look_at (const sd_table *t, holding *h) {
  sd_table_info in;
  sd_table_describe (t, &in);
  if (sd_codings[in.coding].needs != SD_NO_METRIC)
    h->needs |= 1u << sd_codings[in.coding].needs;
  /* Conversions, or one ply of all moves. */
  h->looks |= (in.freedom & (SD_FREE_CAPTURE | SD_FREE_PROMOTION)) || sd_table_info_by_moves (&in);
  h->syzygy |= in.side[0].number_of || in.side[1].number_of;
}

static holding held (const store *s, const sd_material *m, enum sd_metric exact) {
  holding h = { 0 };
  char name[32];
  for (unsigned metric = 0; metric < SD_METRICS; metric++) {
    /* A WDL table is made of DTM values, and belongs to them. */
    if (sd_metrics[metric].exact != exact)
      continue;
    const sd_table *t = sd_tables_find (s->tables, m, (enum sd_metric) metric);
    sd_table_file_name (m, (enum sd_metric) metric, name);
    if (t)
      look_at (t, &h);
    if (t || sd_path_has (s->path, name)) /* a damaged one */
      h.has |= 1u << metric;
  }
  h.any = h.has != 0;
  return h;
}

/* The files without which those that are there say nothing. */
static void tell_files (const holding *h, const sd_material *m, enum sd_metric exact,
                        const sd_missed *missed) {
  char name[32];
  for (unsigned metric = 0; metric < SD_METRICS; metric++)
    if ((h->needs & ~h->has) >> metric & 1) {
      sd_table_file_name (m, (enum sd_metric) metric, name);
      /* The same ending as engines name its file. */
      if (h->syzygy)
        strcpy (strchr (name, '.'), ".rtbw");
      missed->say (missed->ctx, name, exact);
    }
}

/* Tell what is missing of the ending m and, where its tables rest on them, of those below. Ended by the
 * number of men and pawns; no ending is looked at twice that is there. */
static void tell_missing (const store *s, const sd_missed *missed, enum sd_metric exact,
                          const sd_material *as_is, looked *seen) {
  sd_material m, next[64];
  char name[32];

  sd_material_canonical (as_is, &m);
  if (sd_material_men (&m) < 3)
    return;
  const sd_slice slice = sd_chess_slice (&m);
  const holding h = held (s, &m, exact);
  sd_material_name (&m, name);
  if (!h.any)
    missed->say (missed->ctx, name, exact);
  tell_files (&h, &m, exact, missed);
  /* Many ways of captures lead to one ending. */
  for (unsigned i = 0; i < seen->n; i++)
    if (seen->slice[i] == slice)
      return;
  if (!h.looks || seen->n == MANY)
    return;
  seen->slice[seen->n++] = slice;
  const unsigned n = sd_material_successors (&m, next);
  for (unsigned i = 0; i < n; i++)
    tell_missing (s, missed, exact, &next[i], seen);
}

static void tell_missing_of (const store *s, const sd_missed *missed, enum sd_metric exact,
                             const sd_material *m) {
  looked *seen = missed ? sd_alloc0 (1, sizeof *seen) : NULL;
  if (seen)
    tell_missing (s, missed, exact, m, seen);
  free (seen);
}

/* The values `exact` themselves, or what else is made of them. SD_ENOENT: the values are not known. */
static int look_in (const store *s, enum sd_metric exact, const sd_pos *board, sd_known *out, sd_error *err) {
  sd_span span;
  const int st = sd_probe_span (s->tables, exact, board, &span, err);

  if (st == SD_OK)
    sd_known_tell (out, exact, span);
  /* Found, or wrong in a way that another table would hide. */
  if (st != SD_ENOENT)
    return st;
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (m != exact && sd_metrics[m].exact == exact) {
      const int other = sd_probe_span (s->tables, (enum sd_metric) m, board, &span, err);
      if (other == SD_OK)
        sd_known_tell (out, (enum sd_metric) m, span);
      if (other != SD_OK && other != SD_ENOENT)
        return other;
    }
  return SD_ENOENT;
}

/* What needs no table: a mate, a stalemate, men that cannot mate. */
static void look_at_rules (const store *s, const sd_pos *board, sd_known *out) {
  const bool over = !sd_has_move (board), mate = over && sd_in_check (board, board->stm);
  for (unsigned m = 0; m < SD_METRICS && (over || sd_pos_insufficient (board)); m++) {
    const sd_value v = mate ? sd_metrics[m].mated : 0;
    if (sd_metrics[m].exact == m && tells (s, (enum sd_metric) m))
      sd_known_tell (out, (enum sd_metric) m, (sd_span){ v, v });
  }
}

/* Is something missing that its tables rest on, so that they do not say what they are there for? Nobody
 * misses it where other tables tell how far the mate is. */
static bool lacks (const store *s, const sd_material *m, enum sd_metric exact, const sd_known *k) {
  int result;
  const unsigned has = held (s, m, exact).has;
  return has && !sd_known_is (k, SD_USUAL_EXACT) && ((has >> exact & 1) || !sd_known_result (k, &result));
}

/* Where an ending has tables, what these rest on may be missing; where it has none, its own are. */
static int store_look_up (void *p, const sd_position *position, sd_known *out, const sd_missed *missed,
                          sd_error *err) {
  const store *s = p;
  const sd_pos board = sd_chess_board (position);
  int status = SD_OK, result;
  bool told = false;
  sd_material m, canonical;

  sd_material_of (&board, &m);
  sd_material_canonical (&m, &canonical);
  look_at_rules (s, &board, out);
  /* The rules have told it, or no table can have the position. */
  if (sd_known_result (out, &result) || sd_chess_beyond (position))
    return SD_OK;

  for (unsigned e = 0; e < SD_METRICS; e++) {
    const enum sd_metric exact = (enum sd_metric) e;
    if (sd_metrics[e].exact != exact || !tells (s, exact))
      continue;
    /* A table that fails does not keep another one from answering. */
    sd_error why = { 0 };
    const int st = look_in (s, exact, &board, out, &why);
    if (st == SD_ENOENT && lacks (s, &canonical, exact, out)) {
      tell_missing_of (s, missed, exact, &m);
      told = true;
    }
    if (st != SD_OK && st != SD_ENOENT && status == SD_OK) {
      status = st;
      if (err)
        *err = why;
    }
  }
  if (!told && status == SD_OK && !sd_known_result (out, &result))
    tell_missing_of (s, missed, s->usual, &m);
  return status;
}

static const sd_game_store chess_store = { store_open, store_close, store_tables, store_look_up };

static int chess_verify (const char *path, const sd_table *t, const sd_progress *progress, sd_verified *out,
                         sd_error *err) {
  sd_tables *ts;
  SD_TRY (sd_tables_open (path, 0, &ts, err));
  /* The table itself may stand anywhere; the path has those that it rests on. */
  int st = sd_tables_use (ts, t);
  if (st == SD_OK)
    st = sd_table_verify (ts, t, progress, out, err);
  sd_tables_close (ts);
  return st;
}

static int chess_dump (const void *ctx, const char *name, const char *path, sd_outfile *out,
                       const sd_progress *progress, sd_error *err) {
  (void) ctx;
  sd_material m; /* as it is typed: the mirrored name gives the mirrored numbers */
  sd_values *exacts;
  SD_TRY (sd_ending_parse (name, &m, err));
  SD_TRY (sd_values_new (path, SD_DTM, &exacts, err));
  const int st = sd_table_dump (exacts, &m, out, progress, err);
  sd_values_free (exacts);
  return st;
}

/* Bytes of values of the endings that conversions lead to, beside what else making the table takes. */
static uint64_t blocks_of (const sd_table_spec *spec, uint64_t others) {
  enum { USUAL = 1 << 30, LEAST = 16 << 20 };
  const uint64_t rest = !spec->memory ? USUAL : spec->memory > others ? spec->memory - others : 0;
  return rest > USUAL ? USUAL : rest < LEAST ? LEAST : rest;
}

/* Exact values from the path, the layout and codec from the chooser (`subdef reformat`), then the file as
 * sd_table_build () makes it. */
static int chess_recode (const void *ctx, sd_slice slice, const char *path, sd_table_spec *spec,
                         const sd_chooser *how, const char *file, sd_error *err) {
  (void) ctx;
  const sd_material m = sd_chess_material (slice);
  const sd_exact *e;
  sd_values *exacts;
  SD_TRY (sd_values_new (path, sd_metrics[spec->metric].exact, &exacts, err));
  sd_values_pack (exacts, spec->metric);
  sd_values_set_budget (exacts, blocks_of (spec, spec->memory / 8 * 7));
  /* First the endings that conversions lead to, then its own values. */
  int st = sd_values_need (exacts, &m, err);
  if (st == SD_OK)
    st = sd_values_whole (exacts, &m, &e, err);
  if (st == SD_OK)
    st = how->choose (how->ctx, exacts, e, spec, err);
  if (st != SD_OK || how->instead) {
    st = st == SD_OK ? how->instead (how->ctx, exacts, e, spec, err) : st;
    sd_values_free (exacts);
    return st;
  }
  uint64_t others = 0;
  if (spec->memory)
    st = sd_table_memory (spec, e->n, false, &others, err);
  sd_values_set_budget (exacts, blocks_of (spec, others));
  if (st == SD_OK)
    st = sd_table_build (exacts, spec, file, how->progress, err);
  sd_values_free (exacts);
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
             .longest = "mate",
             .plies = 2,
             .none = "no mate",
             .dtm = sd_chess_dtm },
  .subject = chess_subject,
  .store = &chess_store,
  .board = &sd_chess_game_board,
  .steps = SD_STEP_CAPTURE | SD_STEP_PROMOTION | SD_STEP_PAWN,
  .freedom = SD_FREE_KNOWN,
  .verify = chess_verify,
  .dump = chess_dump,
  .recode = chess_recode,
};
