/* values.c - values of positions: bit boards and FENs become positions, and values what engines expect. */
#include "config.h"
#include "engine/engine_internal.h"
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- positions */

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

/* The fifth field of a FEN: half-moves since the last capture or pawn move; 0 where there is none. */
static uint8_t clock_of (const char *fen) {
  char digits[256] = "";
  if (sscanf (fen, "%*s %*s %*s %*s %255[0-9]", digits) != 1)
    return 0;
  const unsigned long clock = strtoul (digits, NULL, 10);
  return (uint8_t) (clock > UINT8_MAX ? UINT8_MAX : clock);
}

int sd_prober_fen (const char *fen, sd_prober_position *out) {
  char text[256];
  bool castling = false;
  sd_pos p = { 0 };
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
                               .ep = (uint8_t) (p.ep == SD_NO_SQUARE ? 0 : p.ep),
                               .castling = castling,
                               .black_to_move = p.stm,
                               .clock = clock_of (text) };
  return SD_PROBER_OK;
}

/* ----------------------------------------------------------------- probing */

/* The value of pos in one metric. */
static inline int value_of (const sd_prober *prober, enum sd_metric metric, const sd_prober_position *pos,
                            sd_value *v) {
  sd_pos p;
  int st = sd_prober_pos (pos, &p);
  if (st != SD_PROBER_OK)
    return st;
  st = sd_probe_legal (prober->tables, metric, &p, v, NULL);
  return st == SD_OK ? SD_PROBER_OK : sd_prober_failed (&p, st);
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
    status[i] = sd_prober_pos (&pos[i], &p[legal]);
    legal += status[i] == SD_PROBER_OK;
  }
  if (!legal) /* with sanitizers gcc 12 else says that p is used before it has a value */
    return;
  sd_probe_several (prober->tables, SD_WDL, p, legal, v, st);
  for (unsigned k = 0; k < legal; k++)
    if (st[k] == SD_OK)
      wdl[from[k]] = v[k];
    else
      status[from[k]] = sd_prober_failed (&p[k], st[k]);
}

int sd_prober_wdl_batch (const sd_prober *prober, const sd_prober_position *pos, unsigned n, int *wdl,
                         int *status) {
  int first = SD_PROBER_OK;
  if (!prober || !pos || !wdl || !status)
    return SD_PROBER_ARGUMENT;
  for (unsigned i = 0; i < n; i += SOME)
    wdl_of_some (prober, pos + i, n - i < SOME ? n - i : (unsigned) SOME, wdl + i, status + i);
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
    *plies = sd_prober_plies (v);
  }
  return st;
}

/* -2 to 2: a value of DTZ50 as a result under the 50-move rule. */
static int result_of (sd_value v) {
  const int sign = sd_value_wdl (v);
  return sd_prober_plies (v) > SD_RULE_PLIES ? sign : 2 * sign;
}

int sd_prober_wdl50 (const sd_prober *prober, const sd_prober_position *pos, int *wdl50) {
  sd_value v;
  if (!prober || !pos || !wdl50)
    return SD_PROBER_ARGUMENT;
  const int st = value_of (prober, SD_WDL50, pos, &v);
  if (st == SD_PROBER_OK)
    *wdl50 = v;
  return st;
}

int sd_prober_dtz50 (const sd_prober *prober, const sd_prober_position *pos, int *wdl50, int *plies) {
  sd_value v;
  if (!prober || !pos || !wdl50 || !plies)
    return SD_PROBER_ARGUMENT;
  const int st = value_of (prober, SD_DTZ50, pos, &v);
  if (st == SD_PROBER_OK) {
    *wdl50 = result_of (v);
    *plies = sd_prober_plies (v);
  }
  return st;
}

int sd_prober_explain (const sd_prober *prober, const sd_prober_position *pos, enum sd_prober_metric metric,
                       char *message, size_t room) {
  static const enum sd_metric own[] = { [SD_PROBER_WDL] = SD_WDL,
                                        [SD_PROBER_DTM] = SD_DTM,
                                        [SD_PROBER_WDL50] = SD_WDL50,
                                        [SD_PROBER_DTZ50] = SD_DTZ50 };
  sd_error err = { 0 };
  sd_pos p;
  sd_value v;
  if (!prober || !pos || (unsigned) metric >= sizeof own / sizeof own[0])
    return sd_prober_say (SD_PROBER_ARGUMENT, "no prober, no position or no metric", message, room);
  int st = sd_prober_pos (pos, &p);
  if (st != SD_PROBER_OK)
    return sd_prober_say (st, sd_prober_text (st), message, room);
  st = sd_probe_legal (prober->tables, own[metric], &p, &v, &err);
  return sd_prober_say (st == SD_OK ? SD_PROBER_OK : sd_prober_failed (&p, st), st == SD_OK ? "" : err.text,
                        message, room);
}
