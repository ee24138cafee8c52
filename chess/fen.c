/* FEN, read with suspicion: the text comes from users. Every refusal is one sentence that names the place.
 * What is refused beyond the grammar is what no game can lead to and the rest of the room relies on: king
 * counts, pawns on the last ranks, more men than 16 a side or than promotions explain (which is what bounds
 * SD_MAX_MOVES), the side not to move in check. */
#include "config.h"
#include "chess/chess.h"
#include <string.h>

static const char *const colour_name[2] = { "white", "black" }; /* of men */
static const char *const player_name[2] = { "White", "Black" };
static const char letters[] = "PNBRQKpnbrqk";

/* A character as it may be shown: itself in quotes, or its code. */
static const char *show (char c, char buf[8]) {
  if (c == 0)
    return "the end";
  if (c > 0x20 && c < 0x7f)
    snprintf (buf, 8, "'%c'", c);
  else if (c == ' ')
    return "a blank";
  else
    snprintf (buf, 8, "0x%02x", (unsigned char) c);
  return buf;
}

static bool is_blank (char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_blanks (const char *s) {
  while (is_blank (*s))
    s++;
  return s;
}

static int read_board (const char **at, sd_pos *p, sd_error *err) {
  const char *s = *at;
  char buf[8];
  unsigned rank = 7, file = 0;

  for (;; s++) {
    char c = *s;
    /* The end of a rank, and perhaps of the board. */
    if (c == 0 || is_blank (c) || c == '/') {
      if (file != 8)
        return sd_fail (err, SD_EINVAL, "FEN: rank %u: %u square%s given, a rank has 8", rank + 1, file,
                        file == 1 ? " is" : "s are");
      if (c != '/' && rank > 0)
        return sd_fail (err, SD_EINVAL, "FEN: board: %u rank%s given, a board has 8", 8 - rank,
                        rank == 7 ? " is" : "s are");
      if (c != '/')
        break;
      if (rank == 0)
        return sd_fail (err, SD_EINVAL, "FEN: board: more than 8 ranks are given");
      rank--;
      file = 0;
      continue;
    }
    if (c >= '1' && c <= '8') {
      file += (unsigned) (c - '0');
    } else {
      const char *l = strchr (letters, c);
      if (!l)
        return sd_fail (err, SD_EINVAL,
                        "FEN: rank %u: %s is neither a piece (PNBRQK, pnbrqk) nor a number of empty squares",
                        rank + 1, show (c, buf));
      unsigned i = (unsigned) (l - letters);
      /* The rest of a rank that is too long is counted, not put. */
      if (file < 8)
        sd_pos_put (p, i / 6, i % 6, rank * 8 + file);
      file++;
    }
    if (file > 8)
      return sd_fail (err, SD_EINVAL, "FEN: rank %u: more than 8 squares are given", rank + 1);
  }
  *at = s;
  return SD_OK;
}

static unsigned men_of (const sd_pos *p) {
  sd_material m;
  sd_material_of (p, &m);
  return sd_material_men (&m);
}

static int check_men (const sd_pos *p, sd_error *err) {
  static const unsigned first[6] = { 0, 2, 2, 2, 1, 0 };
  sd_material m;

  sd_material_of (p, &m);
  for (unsigned c = 0; c < 2; c++) {
    const uint8_t *n = m.count[c];
    if (n[SD_KING] != 1)
      return sd_fail (err, SD_EINVAL, "FEN: board: %s has %u kings: each side must have 1", player_name[c],
                      n[SD_KING]);
    /* The first and the last rank. */
    uint64_t lost = p->by[c][SD_PAWN] & UINT64_C (0xff000000000000ff);
    if (lost) {
      unsigned s = sd_lowest (lost);
      return sd_fail (err, SD_EINVAL, "FEN: board: a %s pawn stands on %c%u: pawns stand on ranks 2 to 7",
                      colour_name[c], 'a' + (int) (s & 7), s / 8 + 1);
    }
    if (n[SD_PAWN] > 8)
      return sd_fail (err, SD_EINVAL, "FEN: board: %s has %u pawns: a side has at most 8", player_name[c],
                      n[SD_PAWN]);
    /* More than at the start: each was a pawn. */
    unsigned promoted = 0;
    for (unsigned t = SD_KNIGHT; t <= SD_QUEEN; t++)
      promoted += n[t] > first[t] ? n[t] - first[t] : 0;
    if (promoted + n[SD_PAWN] > 8)
      return sd_fail (
          err, SD_EINVAL,
          "FEN: board: %s has %u pawn%s and %u piece%s that must have been promoted: at most 8 in all",
          player_name[c], n[SD_PAWN], n[SD_PAWN] == 1 ? "" : "s", promoted, promoted == 1 ? "" : "s");
  }
  unsigned king = sd_lowest (p->by[SD_WHITE][SD_KING]);
  if (sd_king_attacks (king) & p->by[SD_BLACK][SD_KING])
    return sd_fail (err, SD_EINVAL, "FEN: board: the kings stand on adjacent squares");
  return SD_OK;
}

/* Exactly one blank-separated field must end here. */
static int end_field (const char *s, const char *field, sd_error *err) {
  char buf[8];
  if (*s == 0 || is_blank (*s))
    return SD_OK;
  return sd_fail (err, SD_EINVAL, "FEN: %s: %s follows: fields are parted by blanks", field, show (*s, buf));
}

static int read_ep (const char **at, sd_pos *p, sd_error *err) {
  const char *s = *at;
  char buf[8];

  if (*s == '-') {
    *at = s + 1;
    return end_field (s + 1, "en passant", err);
  }
  if (s[0] < 'a' || s[0] > 'h' || s[1] < '1' || s[1] > '8')
    return sd_fail (err, SD_EINVAL,
                    "FEN: en passant: %s begins neither a square (a3 to h3, a6 to h6) nor \"-\"",
                    show (*s, buf));
  unsigned square = (unsigned) (s[0] - 'a') + 8 * (unsigned) (s[1] - '1');
  SD_TRY (end_field (s + 2, "en passant", err));
  *at = s + 2;
  unsigned rank = p->stm == SD_WHITE ? 5 : 2, us = p->stm, them = us ^ 1u;
  if (square / 8 != rank)
    return sd_fail (err, SD_EINVAL, "FEN: en passant: %.2s is not on rank %u, where %s takes en passant", s,
                    rank + 1, colour_name[us]);
  /* Where the pawn came from. */
  unsigned origin = p->stm == SD_WHITE ? square + 8 : square - 8;
  if (!(p->by[them][SD_PAWN] & sd_bit (square ^ 8)))
    return sd_fail (err, SD_EINVAL, "FEN: en passant: no %s pawn stands in front of %.2s", colour_name[them],
                    s);
  if ((p->occ[0] | p->occ[1]) & (sd_bit (square) | sd_bit (origin)))
    return sd_fail (err, SD_EINVAL,
                    "FEN: en passant: %.2s or the square behind it is not empty, so no pawn came over it", s);
  /* Kept only where a pawn may take: positions that play alike are equal then. */
  if (sd_ep_squares (p) & sd_bit (square))
    p->ep = (uint8_t) square;
  return SD_OK;
}

/* The number at a place of the text. */
enum { MOST_CLOCK = 1000000, MOST_SHOWN = 20 };
static int read_number (const char **at, const char *field, unsigned *out, sd_error *err) {
  const char *s = *at;
  char buf[8];
  unsigned n = 0;
  /* All digits are passed over, though no more of them are counted. */
  for (; *s >= '0' && *s <= '9'; s++)
    n = n <= MOST_CLOCK ? 10 * n + (unsigned) (*s - '0') : n;
  if (s == *at)
    return sd_fail (err, SD_EINVAL, "FEN: %s: %s is not a digit", field, show (*s, buf));
  if (n > MOST_CLOCK)
    return sd_fail (err, SD_EINVAL, "FEN: %s: %.*s%s is above %d", field,
                    s - *at > MOST_SHOWN ? MOST_SHOWN : (int) (s - *at), *at,
                    s - *at > MOST_SHOWN ? "..." : "", MOST_CLOCK);
  *at = s;
  *out = n;
  return SD_OK;
}

/* One of FEN's last two fields, if it is there. */
static int read_counter (const char **at, const char *field, unsigned *out, sd_error *err) {
  *at = skip_blanks (*at);
  if (**at == 0)
    return SD_OK;
  SD_TRY (read_number (at, field, out, err));
  return end_field (*at, field, err);
}

static int read_side (const char **at, sd_pos *p, sd_error *err) {
  const char *s = *at;
  char buf[8];
  /* What is missing is White. */
  if (*s && *s != 'w' && *s != 'b')
    return sd_fail (err, SD_EINVAL, "FEN: side to move: %s is neither \"w\" nor \"b\"", show (*s, buf));
  p->stm = *s == 'b' ? SD_BLACK : SD_WHITE;
  *at = s + (*s != 0);
  SD_TRY (end_field (*at, "side to move", err));
  if (sd_in_check (p, p->stm ^ 1u))
    return sd_fail (err, SD_EINVAL, "FEN: %s is to move, but %s's king is in check", player_name[p->stm],
                    player_name[p->stm ^ 1u]);
  return SD_OK;
}

/* castling NULL: there must be no right. */
static int read_castling (const char **at, const sd_pos *p, unsigned *castling, sd_error *err) {
  const char *s = *at;
  char buf[8];
  unsigned rights = 0;

  for (; *s != '-' && *s && !is_blank (*s); s++) {
    const unsigned right = sd_castling_right (*s);
    /* A position of a game: that it has too many men is the better reason. */
    if (!castling && men_of (p) > SD_MAX_MEN)
      return sd_fail (err, SD_EINVAL, "FEN: the position has %u men: tables hold at most %u", men_of (p),
                      SD_MAX_MEN);
    if (!castling && strchr ("KQkqABCDEFGHabcdefgh", *s))
      return sd_fail (err, SD_EINVAL,
                      "FEN: castling: %s: tables know no castling rights, only \"-\" is possible",
                      show (*s, buf));
    if (!right || (rights & right))
      return sd_fail (err, SD_EINVAL, "FEN: castling: %s is %s", show (*s, buf),
                      right      ? "given twice"
                      : castling ? "neither \"-\" nor one of K, Q, k and q"
                                 : "not \"-\"");
    if (!sd_castling_possible (p, right))
      return sd_fail (err, SD_EINVAL, "FEN: castling: %s: king and rook do not both stand at home",
                      show (*s, buf));
    rights |= right;
  }
  /* Only if no right stands before it. */
  s += *s == '-' && s == *at;
  *at = s;
  if (castling)
    *castling = rights;
  return end_field (s, "castling", err);
}

/* The fields that FEN and EPD share: men, side to move, castling, en passant. The last ones may be missing.
 * *at: behind them. */
static int read_fields (const char **at, sd_pos *p, unsigned *castling, sd_error *err) {
  sd_pos_clear (p);
  const char *s = skip_blanks (*at);
  if (*s == 0)
    return sd_fail (err, SD_EINVAL, "FEN: the text is empty");
  SD_TRY (read_board (&s, p, err));
  SD_TRY (check_men (p, err));
  s = skip_blanks (s);
  SD_TRY (read_side (&s, p, err));
  s = skip_blanks (s);
  SD_TRY (read_castling (&s, p, castling, err));
  s = skip_blanks (s);
  if (*s)
    SD_TRY (read_ep (&s, p, err));
  *at = skip_blanks (s);
  return SD_OK;
}

/* ---------------------------------------------------------------------------- EPD */

/* Operations of EPD, "opcode operands;" each: a letter first, a semicolon last. */
static bool are_operations (const char *s) {
  size_t n = strlen (s);
  while (n && is_blank (s[n - 1]))
    n--;
  return n && ((*s | 0x20) >= 'a' && (*s | 0x20) <= 'z') && s[n - 1] == ';';
}

/* The operands of the first operation with that opcode; NULL: there is none. A semicolon in quotes ends
 * nothing. */
static const char *operands_of (const char *s, const char *opcode) {
  const size_t n = strlen (opcode);
  while (*(s = skip_blanks (s))) {
    if (strncmp (s, opcode, n) == 0 && (is_blank (s[n]) || s[n] == ';'))
      return skip_blanks (s + n);
    /* To behind the operation. */
    for (bool quoted = false; *s && (quoted || *s != ';'); s++)
      quoted ^= *s == '"';
    s += *s == ';';
  }
  return NULL;
}

/* The number behind an opcode, if that is there. */
static int read_operation (const char *s, const char *opcode, unsigned *out, sd_error *err) {
  char buf[8];
  const char *at = operands_of (s, opcode);
  if (!at)
    return SD_OK;
  SD_TRY (read_number (&at, opcode, out, err));
  if (*at != ';' && !is_blank (*at))
    return sd_fail (err, SD_EINVAL, "FEN: %s: %s follows the number", opcode, show (*at, buf));
  return SD_OK;
}

static int read_text (const char *text, bool operations, sd_pos *out, unsigned *castling, sd_clocks *clocks,
                      sd_error *err) {
  sd_pos p;
  char buf[8];

  *clocks = (sd_clocks){ .move = 1 };
  const char *s = text;
  SD_TRY (read_fields (&s, &p, castling, err));
  /* Numbers where they begin no operation: FEN. */
  if (*s && !(operations && are_operations (s))) {
    SD_TRY (read_counter (&s, "halfmove clock", &clocks->halfmoves, err));
    SD_TRY (read_counter (&s, "move number", &clocks->move, err));
    s = skip_blanks (s);
  }
  if (*s && !(operations && are_operations (s)))
    return sd_fail (err, SD_EINVAL, "FEN: %s follows the six fields", show (*s, buf));
  if (*s) {
    SD_TRY (read_operation (s, "hmvc", &clocks->halfmoves, err));
    SD_TRY (read_operation (s, "fmvn", &clocks->move, err));
  }
  /* 0 is taken for 1. */
  clocks->move = clocks->move ? clocks->move : 1;
  *out = p;
  return SD_OK;
}

int sd_pos_from_fen (const char *fen, sd_pos *out, sd_error *err) {
  sd_clocks clocks;
  return read_text (fen, false, out, NULL, &clocks, err);
}

int sd_pos_from_epd (const char *text, sd_pos *out, sd_clocks *clocks, sd_error *err) {
  sd_clocks unused;
  return read_text (text, true, out, NULL, clocks ? clocks : &unused, err);
}

int sd_pos_from_game (const char *text, sd_pos *out, unsigned *castling, sd_clocks *clocks, sd_error *err) {
  sd_clocks unused;
  return read_text (text, true, out, castling, clocks ? clocks : &unused, err);
}

void sd_pos_to_fen (const sd_pos *p, char *out, size_t cap) {
  char text[8 * 8 + 7 + 1];
  unsigned n = 0, empty = 0;

  for (int rank = 7; rank >= 0; rank--) {
    for (unsigned file = 0; file < 8; file++) {
      uint64_t b = sd_bit ((unsigned) rank * 8 + file);
      char c = 0;
      for (unsigned i = 0; i < 12; i++)
        if (p->by[i / 6][i % 6] & b)
          c = letters[i];
      if (c == 0) {
        empty++;
        continue;
      }
      if (empty)
        text[n++] = (char) ('0' + empty);
      empty = 0;
      text[n++] = c;
    }
    if (empty)
      text[n++] = (char) ('0' + empty);
    empty = 0;
    text[n++] = rank ? '/' : 0;
  }
  char ep[3] = "-";
  if (p->ep < SD_NO_SQUARE) {
    ep[0] = (char) ('a' + (p->ep & 7));
    ep[1] = (char) ('1' + (p->ep >> 3));
  }
  if (cap)
    snprintf (out, cap, "%s %c - %s 0 1", text, p->stm == SD_WHITE ? 'w' : 'b', ep);
}
