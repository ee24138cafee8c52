/* engine.c - what engines call: probe/ behind a few functions that need no other header. What a probe might
 * have to decide is decided when the headers of the tables are read (probe/tables.c). A probe here turns bit
 * boards into a position, asks, and turns the value into what engines expect. */
#include "config.h"
#include "engine/probe.h"
#include "probe/probe.h"
#include <stdlib.h>
#include <string.h>

struct sd_prober {
  sd_tables *tables;
  unsigned flags; /* of sd_tables_open */
  unsigned men, usable;
};

/* ---------------------------------------------------------------- statuses */

static int status_of (int status) {
  switch (status) {
  case SD_OK:
    return SD_PROBER_OK;
  case SD_ENOENT:
    return SD_PROBER_MISSING;
  case SD_EIO:
    return SD_PROBER_IO;
  case SD_ENOMEM:
    return SD_PROBER_MEMORY;
  case SD_EUNSUPPORTED:
  case SD_EVERSION:
    return SD_PROBER_UNSUPPORTED;
  case SD_EINVAL:
    return SD_PROBER_ILLEGAL;
  default:
    return SD_PROBER_DAMAGED;
  }
}

const char *sd_prober_text (int status) {
  static const char *const text[] = {
    [SD_PROBER_OK] = "success",
    [SD_PROBER_MISSING] = "a table or folder is missing",
    [SD_PROBER_DAMAGED] = "a table is damaged",
    [SD_PROBER_IO] = "a table cannot be read",
    [SD_PROBER_UNSUPPORTED] = "a table of a codec that is not supported here",
    [SD_PROBER_ILLEGAL] = "not a legal position",
    [SD_PROBER_CASTLING] = "castling is possible, which tables do not know",
    [SD_PROBER_MEN] = "more men than any table has",
    [SD_PROBER_MEMORY] = "out of memory",
    [SD_PROBER_ARGUMENT] = "a wrong argument",
  };
  return status >= 0 && status < (int) (sizeof text / sizeof text[0]) ? text[status] : "unknown status";
}

static int say (int status, const char *text, char *message, size_t room) {
  if (message && room)
    snprintf (message, room, "%s", text);
  return status;
}

/* ----------------------------------------------------------------- opening */

static unsigned open_flags (unsigned flags) {
  const unsigned steady = flags & SD_PROBER_ANY_CODEC ? 0 : SD_OPEN_STEADY;
  if (flags & SD_PROBER_ALL)
    return steady | SD_OPEN_CHECK | (flags & SD_PROBER_MAP ? 0 : SD_OPEN_COPY);
  return steady | SD_OPEN_LATER | (flags & SD_PROBER_MAP ? 0 : SD_OPEN_PARTS);
}

/* What there is, besides what can be probed. */
typedef struct census {
  unsigned opened, skipped, absent; /* files; folders */
  const sd_error *why;              /* the first was skipped; NULL: none was */
} census;

/* Count what can be probed; of the files from number `first` on, also what else there is. */
static census count (sd_prober *p, unsigned first) {
  census c = { 0 };
  p->men = p->usable = 0;
  for (unsigned i = 0; i < sd_tables_count (p->tables); i++) {
    sd_tables_file file;
    if (!sd_tables_tell (p->tables, i, &file)) {
      c.why = c.skipped || i < first ? c.why : sd_tables_problem (p->tables, i);
      c.skipped += i >= first;
      continue;
    }
    c.opened += i >= first;
    const unsigned men = sd_material_men (&file.material);
    if (file.game || file.metric > SD_DTM || !file.asked)
      continue;
    p->usable++;
    p->men = men > p->men ? men : p->men;
  }
  while (sd_tables_absent (p->tables, c.absent))
    c.absent++;
  return c;
}

/* Count what can be probed, and say so. Files from number `first` on none of which can be opened are refused.
 */
static int finish (sd_prober *p, unsigned first, char *message, size_t room) {
  const census c = count (p, first);
  char text[160 + sizeof c.why->text];
  int n = snprintf (text, sizeof text, "%u table%s with up to %u men", p->usable, p->usable == 1 ? "" : "s",
                    p->men);
  if (c.skipped)
    n += snprintf (text + n, sizeof text - (size_t) n, "; %u cannot be used", c.skipped);
  if (c.absent)
    n += snprintf (text + n, sizeof text - (size_t) n, "; %u folder%s of the path not there", c.absent,
                   c.absent == 1 ? "" : "s");
  if (c.why)
    snprintf (text + n, sizeof text - (size_t) n, "; %s", c.why->text);
  return say (c.why && !c.opened ? status_of (c.why->status) : SD_PROBER_OK, text, message, room);
}

int sd_prober_open (const char *path, unsigned flags, sd_prober **out, char *message, size_t room) {
  sd_error err = { 0 };
  if (!out)
    return say (SD_PROBER_ARGUMENT, "no place for the prober", message, room);
  *out = NULL;
  if (flags & ~(unsigned) (SD_PROBER_MAP | SD_PROBER_ALL | SD_PROBER_ANY_CODEC))
    return say (SD_PROBER_ARGUMENT, "an unknown flag", message, room);
  sd_prober *p = calloc (1, sizeof *p);
  if (!p)
    return say (SD_PROBER_MEMORY, "out of memory", message, room);
  p->flags = open_flags (flags);
  int st = sd_tables_open (path, p->flags, &p->tables, &err);
  st = st == SD_OK ? finish (p, 0, message, room) : say (status_of (st), err.text, message, room);
  if (st == SD_PROBER_OK)
    *out = p;
  else
    sd_prober_close (p);
  return st;
}

int sd_prober_add (sd_prober *prober, const char *path, char *message, size_t room) {
  sd_error err = { 0 };
  if (!prober)
    return say (SD_PROBER_ARGUMENT, "no prober", message, room);
  const unsigned before = sd_tables_count (prober->tables);
  const int st = sd_tables_add (prober->tables, path, prober->flags, &err);
  const int all = finish (prober, before, message, room);
  return st == SD_OK ? all : say (status_of (st), err.text, message, room);
}

void sd_prober_close (sd_prober *prober) {
  if (prober)
    sd_tables_close (prober->tables);
  free (prober);
}

unsigned sd_prober_tables (const sd_prober *prober) {
  return prober ? prober->usable : 0;
}

unsigned sd_prober_men (const sd_prober *prober) {
  return prober ? prober->men : 0;
}

int sd_prober_skipped (const sd_prober *prober, unsigned i, char *message, size_t room) {
  for (unsigned k = 0; prober && k < sd_tables_count (prober->tables); k++) {
    const sd_error *why = sd_tables_problem (prober->tables, k);
    if (why && i-- == 0)
      return say (status_of (why->status), why->text, message, room);
  }
  return say (SD_PROBER_OK, "", message, room);
}

/* --------------------------------------------------------------- positions */

static inline bool is_one (uint64_t set) {
  return set && !(set & (set - 1));
}

/* The men of one type; *men: those of the types before it, *twice: squares with two of them. */
static inline void put_type (const sd_prober_position *q, unsigned type, uint64_t set, sd_pos *p,
                             uint64_t *men, uint64_t *twice) {
  p->by[SD_WHITE][type] = set & q->white;
  p->by[SD_BLACK][type] = set & q->black;
  *twice |= *men & set;
  *men |= set;
}

/* Bit boards as the rest of the project has them; what sd_pos_legal asks for is seen sooner in these. Each
 * man has one colour and one type. */
static inline int position_of (const sd_prober_position *q, sd_pos *p) {
  uint64_t men = 0, twice = q->white & q->black;
  put_type (q, SD_PAWN, q->pawns, p, &men, &twice);
  put_type (q, SD_KNIGHT, q->knights, p, &men, &twice);
  put_type (q, SD_BISHOP, q->bishops, p, &men, &twice);
  put_type (q, SD_ROOK, q->rooks, p, &men, &twice);
  put_type (q, SD_QUEEN, q->queens, p, &men, &twice);
  put_type (q, SD_KING, q->kings, p, &men, &twice);
  p->occ[SD_WHITE] = q->white;
  p->occ[SD_BLACK] = q->black;
  p->stm = q->black_to_move;
  p->ep = q->ep ? q->ep : SD_NO_SQUARE;
  if (q->castling)
    return SD_PROBER_CASTLING;
  if (twice || men != (q->white | q->black) || q->black_to_move > 1 || q->ep >= SD_NO_SQUARE
      || (q->pawns & UINT64_C (0xff000000000000ff)) || !is_one (p->by[SD_WHITE][SD_KING])
      || !is_one (p->by[SD_BLACK][SD_KING]) || sd_in_check (p, p->stm ^ 1u))
    return SD_PROBER_ILLEGAL;
  return SD_PROBER_OK;
}

/* What went wrong with p, which is legal and what was asked for. */
__attribute__ ((cold)) static int failed (const sd_pos *p, int status) {
  if (status == SD_EINVAL && __builtin_popcountll (p->occ[0] | p->occ[1]) > SD_MAX_MEN)
    return SD_PROBER_MEN;
  return status_of (status);
}

/* The FEN without the castling rights, which are the third field; false: it is too long for a FEN. */
static bool without_castling (const char *fen, char *out, size_t room, bool *castling) {
  static const char blanks[] = " \t\r\n";
  const char *at = fen + strspn (fen, blanks);
  for (unsigned k = 0; k < 2; k++) {
    at += strcspn (at, blanks);
    at += strspn (at, blanks);
  }
  const size_t len = strcspn (at, blanks);
  *castling = len > 0 && strspn (at, "KQkqABCDEFGHabcdefgh") == len;
  const int n = *castling ? snprintf (out, room, "%.*s-%s", (int) (at - fen), fen, at + len)
                          : snprintf (out, room, "%s", fen);
  return n >= 0 && (size_t) n < room;
}

int sd_prober_fen (const char *fen, sd_prober_position *out) {
  char text[256];
  bool castling = false;
  sd_pos p;
  if (!fen || !out)
    return SD_PROBER_ARGUMENT;
  *out = (sd_prober_position){ 0 };
  if (strlen (fen) >= sizeof text || !without_castling (fen, text, sizeof text, &castling)
      || sd_pos_from_fen (text, &p, NULL) != SD_OK)
    return SD_PROBER_ILLEGAL;
  uint64_t type[6];
  for (unsigned t = 0; t < 6; t++)
    type[t] = p.by[SD_WHITE][t] | p.by[SD_BLACK][t];
  *out = (sd_prober_position){ .white = p.occ[SD_WHITE],
                               .black = p.occ[SD_BLACK],
                               .kings = type[SD_KING],
                               .queens = type[SD_QUEEN],
                               .rooks = type[SD_ROOK],
                               .bishops = type[SD_BISHOP],
                               .knights = type[SD_KNIGHT],
                               .pawns = type[SD_PAWN],
                               .ep = p.ep == SD_NO_SQUARE ? 0 : p.ep,
                               .castling = castling,
                               .black_to_move = p.stm };
  return SD_PROBER_OK;
}

/* ----------------------------------------------------------------- probing */

static inline int plies_of (sd_value v) {
  return v > 0 ? v : v < 0 ? -v - 1 : 0;
}

/* The value of pos in one metric. */
static inline int value_of (const sd_prober *prober, enum sd_metric metric, const sd_prober_position *pos,
                            sd_value *v) {
  sd_pos p;
  int st = position_of (pos, &p);
  if (st != SD_PROBER_OK)
    return st;
  st = sd_probe_legal (prober->tables, metric, &p, v, NULL);
  return st == SD_OK ? SD_PROBER_OK : failed (&p, st);
}

int sd_prober_wdl (const sd_prober *prober, const sd_prober_position *pos, int *wdl) {
  sd_value v;
  if (!prober || !pos || !wdl)
    return SD_PROBER_ARGUMENT;
  const int st = value_of (prober, SD_WDL, pos, &v);
  if (st == SD_PROBER_OK)
    *wdl = v;
  return st;
}

/* sd_prober_wdl_batch of at most SOME positions. */
enum { SOME = 16, ALONE = 4 };
static void wdl_of_some (const sd_prober *prober, const sd_prober_position *pos, unsigned n, int *wdl,
                         int *status) {
  sd_pos p[SOME];
  sd_value v[SOME];
  int st[SOME];
  uint8_t from[SOME];
  unsigned legal = 0;
  for (unsigned i = 0; i < n; i++) {
    /* Hardly a table with so few men is too large for a cache: there is nothing to wait for. */
    if (__builtin_popcountll (pos[i].white | pos[i].black) <= ALONE) {
      status[i] = sd_prober_wdl (prober, &pos[i], &wdl[i]);
      continue;
    }
    from[legal] = (uint8_t) i;
    status[i] = position_of (&pos[i], &p[legal]);
    legal += status[i] == SD_PROBER_OK;
  }
  if (!legal) /* with sanitizers gcc 12 else says that p is used before it has a value */
    return;
  sd_probe_several (prober->tables, SD_WDL, p, legal, v, st);
  for (unsigned k = 0; k < legal; k++)
    if (st[k] == SD_OK)
      wdl[from[k]] = v[k];
    else
      status[from[k]] = failed (&p[k], st[k]);
}

int sd_prober_wdl_batch (const sd_prober *prober, const sd_prober_position *pos, unsigned n, int *wdl,
                         int *status) {
  int first = SD_PROBER_OK;
  if (!prober || !pos || !wdl || !status)
    return SD_PROBER_ARGUMENT;
  for (unsigned i = 0; i < n; i += SOME)
    wdl_of_some (prober, pos + i, n - i < SOME ? n - i : SOME, wdl + i, status + i);
  for (unsigned i = 0; i < n && first == SD_PROBER_OK; i++)
    first = status[i];
  return first;
}

int sd_prober_dtm (const sd_prober *prober, const sd_prober_position *pos, int *wdl, int *plies) {
  sd_value v;
  if (!prober || !pos || !wdl || !plies)
    return SD_PROBER_ARGUMENT;
  const int st = value_of (prober, SD_DTM, pos, &v);
  if (st == SD_PROBER_OK) {
    *wdl = sd_value_wdl (v);
    *plies = plies_of (v);
  }
  return st;
}

int sd_prober_explain (const sd_prober *prober, const sd_prober_position *pos, int with_dtm, char *message,
                       size_t room) {
  sd_error err = { 0 };
  sd_pos p;
  sd_value v;
  if (!prober || !pos)
    return say (SD_PROBER_ARGUMENT, "no prober or no position", message, room);
  int st = position_of (pos, &p);
  if (st != SD_PROBER_OK)
    return say (st, sd_prober_text (st), message, room);
  st = sd_probe_legal (prober->tables, with_dtm ? SD_DTM : SD_WDL, &p, &v, &err);
  return say (st == SD_OK ? SD_PROBER_OK : failed (&p, st), st == SD_OK ? "" : err.text, message, room);
}

/* ---------------------------------------------------------------- all moves */

/* What a move is worth: wins first, the fastest before, then draws, then losses, the slowest before. */
static int rank_of (const sd_prober_move *m) {
  const int far = 1 << 20, plies = m->dtm < 0 ? 0 : m->dtm;
  return m->wdl > 0 ? far - plies : m->wdl < 0 ? plies - far : 0;
}

static bool comes_before (const sd_prober_move *a, const sd_prober_move *b) {
  const int x = rank_of (a), y = rank_of (b);
  return x != y ? x > y : a->from != b->from ? a->from < b->from : a->to < b->to;
}

static void insert (sd_prober_move *moves, unsigned n, const sd_prober_move *one) {
  for (; n > 0 && comes_before (one, &moves[n - 1]); n--)
    moves[n] = moves[n - 1];
  moves[n] = *one;
}

/* All moves of p with their values in one metric, the best first. A status of the library. */
static int rank_moves (const sd_prober *prober, enum sd_metric metric, const sd_pos *p, sd_prober_move *moves,
                       unsigned *n) {
  static const char letter[] = { 0, 'n', 'b', 'r', 'q' };
  sd_move list[SD_MAX_MOVES];
  const unsigned count = sd_moves (p, SD_MOVES_ALL, list);
  for (unsigned i = 0; i < count; i++) {
    sd_pos child;
    sd_value v;
    sd_pos_apply (p, &list[i], &child);
    SD_TRY (sd_probe_legal (prober->tables, metric, &child, &v, NULL));
    sd_prober_move one = { .wdl = (int8_t) -sd_value_wdl (v),
                           .from = list[i].from,
                           .to = list[i].to,
                           .promotion = list[i].promotion == SD_NO_PIECE ? 0 : letter[list[i].promotion] };
    one.dtm = (int16_t) (metric != SD_DTM ? -1 : v == 0 ? 0 : plies_of (v) + 1);
    sd_move_name (&list[i], one.uci);
    insert (moves, i, &one);
  }
  *n = count;
  return SD_OK;
}

int sd_prober_root (const sd_prober *prober, const sd_prober_position *pos, sd_prober_move *moves,
                    unsigned *n) {
  sd_pos p;
  if (!prober || !pos || !moves || !n)
    return SD_PROBER_ARGUMENT;
  *n = 0;
  int st = position_of (pos, &p);
  if (st != SD_PROBER_OK)
    return st;
  if (__builtin_popcountll (p.occ[0] | p.occ[1]) > SD_MAX_MEN)
    return SD_PROBER_MEN;
  if (p.ep != SD_NO_SQUARE && !(sd_ep_squares (&p) >> p.ep & 1))
    p.ep = SD_NO_SQUARE;
  const int dtm = rank_moves (prober, SD_DTM, &p, moves, n);
  st = dtm == SD_OK ? SD_OK : rank_moves (prober, SD_WDL, &p, moves, n);
  if (st == SD_ENOENT && dtm != SD_ENOENT) /* there are DTM tables, which say more about what is wrong */
    st = dtm;
  return st == SD_OK ? SD_PROBER_OK : failed (&p, st);
}
