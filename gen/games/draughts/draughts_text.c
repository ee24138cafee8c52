/* Draughts: names of slices, positions and moves as players write them. Positions are as in PDN's FEN,
 * "W:WK29,30:BK1,7"; inside, the mover always goes up, so that Black's squares are turned on the way in and
 * out. */
#include "config.h"
#include "gen/games/draughts/draughts_internal.h"
#include <string.h>

void sd_draughts_slice_name (const void *ctx, sd_slice slice, char out[SD_SLICE_NAME]) {
  (void) ctx;
  const sd_draughts_slice m = sd_draughts_of_number (slice);
  sd_draughts_name (&m, out);
}

/* One side of a name, up to its end or a v. */
static const char *read_side (const char *p, uint8_t *men, uint8_t *kings) {
  if (*p == '-')
    return p + 1;
  const char *start = p;
  for (; *p == 'K' && p - start <= SD_DRAUGHTS_SIDE; p++)
    ++*kings;
  for (; *p == 'M' && p - start <= SD_DRAUGHTS_SIDE; p++)
    ++*men;
  return p > start ? p : NULL;
}

int sd_draughts_slice_of (const void *ctx, const char *name, sd_slice *out, sd_error *err) {
  const sd_draughts *d = ctx;
  sd_draughts_slice m = { { 0, 0 }, { 0, 0 } };
  const char *p = read_side (name, &m.men[0], &m.kings[0]);
  if (p && (*p++ != 'v' || !(p = read_side (p, &m.men[1], &m.kings[1])) || *p))
    p = NULL;
  if (!p)
    return sd_fail (
        err, SD_EINVAL,
        "%s: not a slice of draughts: expected both sides' pieces, kings before men, as KKvM or Kv-", name);
  SD_TRY (sd_draughts_check (&m, err));
  /* Either name is the slice's. */
  if (!sd_draughts_canonical (&m))
    m = sd_draughts_mirrored (&m);
  *out = sd_draughts_number (&m);
  return d->shape[*out].slots ? SD_OK : sd_fail (err, SD_ERANGE, "%s: has more than 2^62 slots", name);
}

/* Square s of the mover as players number it: 1..32, line by line from Black's first rank to White's, on
 * which White sees 29 at his left. White moves up. */
static unsigned number_of (unsigned s, bool black) {
  const unsigned t = black ? 31 - s : s;
  return (7 - t / 4) * 4 + t % 4 + 1;
}
static unsigned square_of (unsigned number, bool black) {
  const unsigned t = (7 - (number - 1) / 4) * 4 + (number - 1) % 4;
  return black ? 31 - t : t;
}

static char *put_number (char *out, unsigned n) {
  if (n > 9)
    *out++ = (char) ('0' + n / 10);
  *out++ = (char) ('0' + n % 10);
  return out;
}

static int no_position (const char *text, const char *why, sd_error *err) {
  return sd_fail (
      err, SD_EINVAL,
      "%.80s: no position of draughts: %s; an example: 'W:WK29,30:BK1,7' (White to move; kings on 29 "
      "and 1, men on 30 and 7)",
      text, why);
}

static bool starts_piece (char c) {
  return c == 'K' || (c >= '0' && c <= '9');
}

/* The pieces of a colour: "WK29,30". */
static const char *read_pieces (const char *p, bool black, uint32_t *men, uint32_t *kings) {
  bool more = starts_piece (*p);
  while (more) {
    const bool king = *p == 'K';
    unsigned n = 0;
    p += king;
    for (unsigned k = 0; k < 2 && *p >= '0' && *p <= '9'; k++)
      n = 10 * n + (unsigned) (*p++ - '0');
    if (n < 1 || n > 32)
      return NULL;
    const uint32_t bit = 1u << square_of (n, black);
    if ((*men | *kings) & bit)
      return NULL;
    *(king ? kings : men) |= bit;
    more = *p == ',';
    p += more;
  }
  return p;
}

int sd_draughts_parse (const void *ctx, const char *text, sd_position *out, sd_error *err) {
  sd_draughts_pos p = { { 0, 0 }, { 0, 0 } };
  bool seen[2] = { false, false };
  const char *at = text;

  *out = (sd_position){ 0 };
  if (*at != 'W' && *at != 'B')
    return no_position (text, "it does not start with W or B, the side to move", err);
  const bool black = out->turned = *at++ == 'B';
  for (unsigned k = 0; k < 2; k++) {
    if (*at != ':' || (at[1] != 'W' && at[1] != 'B'))
      return no_position (text, "expected ':' and then W or B with this side's pieces", err);
    const unsigned other = (at[1] == 'B') != black; /* not the player to move */
    if (seen[other])
      return no_position (text, "one side stands there twice", err);
    seen[other] = true;
    at = read_pieces (at + 2, black, &p.men[other], &p.kings[other]);
    if (!at)
      return no_position (text, "squares are numbers from 1 to 32, none twice, K before kings", err);
  }
  if (*at == '.')
    at++;
  if (*at)
    return no_position (text, "there is more behind its end", err);
  if (p.men[0] >> SD_DRAUGHTS_LAST_RANK || (p.men[1] & 0xf))
    return no_position (text, "a man stands on his last rank", err);
  return sd_draughts_find (ctx, &p, &out->slice, &out->state) == SD_OK
             ? SD_OK
             : no_position (text, "one piece at least, 12 a side at most, none on another", err);
}

static char *put_pieces (char *out, uint32_t men, uint32_t kings) {
  bool any = false;
  for (unsigned n = 1; n <= 32; n++) {
    const uint32_t bit = 1u << square_of (n, false);
    if (!((men | kings) & bit))
      continue;
    if (any)
      *out++ = ',';
    if (kings & bit)
      *out++ = 'K';
    out = put_number (out, n);
    any = true;
  }
  return out;
}

/* Always as White to move. */
bool sd_draughts_print (const void *ctx, sd_slice slice, sd_state state, char out[SD_POSITION_TEXT]) {
  sd_draughts_pos p;
  if (!sd_draughts_position (ctx, slice, state, &p))
    return false;
  memcpy (out, "W:W", 3); /* 24 pieces take 4 characters each at most: 104 in all */
  out = put_pieces (out + 3, p.men[0], p.kings[0]);
  memcpy (out, ":B", 2);
  *put_pieces (out + 2, p.men[1], p.kings[1]) = 0;
  return true;
}

typedef struct told {
  const sd_draughts *d;
  void (*visit) (void *arg, const sd_game_move *move);
  void *arg;
  bool black;
} told;

static void tell_move (void *arg, const sd_draughts_move *m) {
  told *t = arg;
  sd_game_move move = { .known = false };
  const sd_draughts_pos child = sd_draughts_turn (&m->after);
  char *text = move.text;
  /* Two ranks at once, or more than one step. */
  const bool jumps =
      m->len > 2 || m->path[0] / 4 == m->path[1] / 4 + 2 || m->path[1] / 4 == m->path[0] / 4 + 2;
  for (unsigned k = 0; k < m->len; k++) { /* 13 squares and 12 signs */
    if (k)
      *text++ = jumps ? 'x' : '-';
    text = put_number (text, number_of (m->path[k], t->black));
  }
  move.conversion = jumps ? SD_FREE_CAPTURE : m->inner ? 0 : SD_FREE_PROMOTION;
  sd_draughts_locate (t->d, &child, &move.to.slice, &move.to.state);
  t->visit (t->arg, &move);
}

bool sd_draughts_tell_moves (const void *ctx, const sd_position *at, sd_value *end,
                             void (*visit) (void *arg, const sd_game_move *move), void *arg) {
  sd_draughts_pos p;
  told t = { .d = ctx, .visit = visit, .arg = arg, .black = at->turned };
  if (!sd_draughts_position (ctx, at->slice, at->state, &p))
    return false;
  sd_draughts_each_move (&p, tell_move, &t);
  *end = -1; /* who cannot move has lost */
  return true;
}
