/** \file chess.h
 * Men, positions, FEN, legal moves, materials and their names. En-passant rights exist in positions but
 * not in tables; castling rights in neither: they are kept beside a position. Uses base/. All functions are
 * pure and thread-safe. */
#ifndef SD_CHESS_H
#define SD_CHESS_H

#include "base/base.h"

enum { SD_PAWN, SD_KNIGHT, SD_BISHOP, SD_ROOK, SD_QUEEN, SD_KING, SD_NO_PIECE };
enum { SD_WHITE, SD_BLACK };
enum { SD_NO_SQUARE = 64 }; /* a1 = 0, b1 = 1, ..., h8 = 63 */
#define SD_MAX_MEN 7        /* in tables; positions may hold any number */
#define SD_MAX_MOVES 256    /* no legal position has more than 218 */

/* --------------------------------------------------------------- positions */

typedef struct sd_pos {
  uint64_t by[2][6]; /* [colour][type], bit = square */
  uint64_t occ[2];
  uint8_t stm; /* side to move */
  uint8_t ep;  /* square behind a pawn that has just made a double step, or SD_NO_SQUARE */
} sd_pos;

typedef struct sd_move {
  uint8_t from, to;
  uint8_t piece;     /* type of the man that moves */
  uint8_t captured;  /* type, or SD_NO_PIECE */
  uint8_t promotion; /* type, or SD_NO_PIECE */
  bool en_passant;
} sd_move;

/** FEN of one to six fields; fields that are missing say that White is to move, that nobody may castle or
 * take en passant, and 0 and 1. SD_EINVAL with one sentence: what is wrong and where; also for castling
 * rights (tables know none), anything but one king a side, adjacent kings, pawns on rank 1 or 8, the side not
 * to move in check, an impossible en-passant square, a counter above 1,000,000. An en-passant square without
 * a legal capture is dropped. */
int sd_pos_from_fen (const char *fen, sd_pos *out, sd_error *err);

/** What a text says beside the position: half-moves since the last capture or pawn move, and the number of
 * the move; each at most 1,000,000. */
typedef struct sd_clocks {
  unsigned halfmoves, move;
} sd_clocks;

/** The same of FEN or of EPD: four fields, or FEN's six, and operations behind them that end with a semicolon
 * ("bm Kd1; hmvc 3;"). Of the operations only hmvc and fmvn count. Clocks that are not given are 0 and 1.
 * clocks may be NULL. */
int sd_pos_from_epd (const char *text, sd_pos *out, sd_clocks *clocks, sd_error *err);

/** The same with castling rights, bits of enum sd_castling; king and rook of each stand at home. */
int sd_pos_from_game (const char *text, sd_pos *out, unsigned *castling, sd_clocks *clocks,
                      sd_error *err);

/** cap >= 92 suffices. */
void sd_pos_to_fen (const sd_pos *p, char *out, size_t cap);

/** The empty board, white to move, no en-passant right (which is not all-zero: build positions from here). */
void sd_pos_clear (sd_pos *p);
void sd_pos_put (sd_pos *p, unsigned colour, unsigned type, unsigned square);

/** One king each, no pawn on rank 1 or 8, no two men on a square (two equal men of one colour there cannot be
 * told from one), occ[] the union of by[], stm 0 or 1, side not to move not in check (so kings are not
 * adjacent). Of the en-passant square only that it is one, or SD_NO_SQUARE. */
bool sd_pos_legal (const sd_pos *p);
bool sd_in_check (const sd_pos *p, unsigned colour);

/** Same men, side to move and en-passant right. */
bool sd_pos_equal (const sd_pos *a, const sd_pos *b);

/** Colours and ranks swapped: the same play with the other side to move. */
void sd_pos_flip (const sd_pos *p, sd_pos *out);

enum sd_move_class {
  SD_MOVES_ALL = 0,
  SD_MOVES_CAPTURES = 1,    /* captures, en passant and capturing promotions among them */
  SD_MOVES_PROMOTIONS = 2,  /* promotions that do not capture */
  SD_MOVES_CONVERSIONS = 3, /* both: the moves that leave the ending */
  SD_MOVES_QUEENS = 4       /* only together with one of the three above: of promotions, capturing ones too,
                               those to queens */
};

/** Legal moves of the given class; returns how many. p must be legal (sd_pos_legal). A position that no game
 * leads to and that has more than SD_MAX_MOVES moves (sd_pos_from_fen refuses it) gets some of them, never
 * more than fit. */
unsigned sd_moves (const sd_pos *p, enum sd_move_class which, sd_move out[SD_MAX_MOVES]);

/** Is there any legal move? */
bool sd_has_move (const sd_pos *p);

/** Is the player to move in check, and gives none of the legal moves check? Mated counts. */
bool sd_only_escapes (const sd_pos *p);

/** The same of p, which is in check and has these n legal moves. */
bool sd_all_escape (const sd_pos *p, const sd_move *move, unsigned n);

/** Position after a legal move; `ep` is set only if the opponent has a legal en-passant capture. */
void sd_pos_apply (const sd_pos *before, const sd_move *m, sd_pos *after);

/** The squares (as bits) of all en-passant rights that p, whose own right is not looked at, could have: an
 * enemy pawn that may have come over the square, and a legal capture. p.ep is always one of these or
 * SD_NO_SQUARE after sd_pos_apply. */
uint64_t sd_ep_squares (const sd_pos *p);

/** Can a legal move have led to the men and the player to move of p, which is legal (sd_pos_legal)? The
 * position before need only be legal itself: any man may have been captured, also beyond those that a game
 * has. An en-passant right is not looked at; a double step leads to p with and without it. True of whatever
 * sd_pos_apply makes of a legal position and one of its moves, those en passant by a right of sd_ep_squares.
 */
bool sd_pos_reachable (const sd_pos *p);

/** The same of p or, if it has no pawn, of one of its mirror images: they share a slot of a table, but pawns
 * promote on one edge of the board, so that a move may lead to one of them and not to another. */
bool sd_pos_reachable_mirrored (const sd_pos *p);

/** Number of leaf positions at `depth` plies. */
uint64_t sd_perft (const sd_pos *p, unsigned depth);

/** "e2e4", "e7e8q"; out needs 6 bytes. */
void sd_move_name (const sd_move *m, char *out);

/** A legal move of p in standard algebraic notation (PGN standard, 8.2.3): "Rad1", "exd6", "b8=Q+", "Qa1xb2#"
 * at most. */
enum { SD_SAN_TEXT = 8 };
void sd_move_san (const sd_pos *p, const sd_move *m, char out[SD_SAN_TEXT]);

/** Can no series of legal moves lead to a mate, whatever both sides play? True of two kings with at most one
 * knight, and of kings with bishops alone that all stand on squares of one colour. */
bool sd_pos_insufficient (const sd_pos *p);

/* ----------------------------------------------------------------- castling */

/** Rights, a bit each, which are kept beside a position. */
enum sd_castling {
  SD_CASTLE_WHITE_SHORT = 1,
  SD_CASTLE_WHITE_LONG = 2,
  SD_CASTLE_BLACK_SHORT = 4,
  SD_CASTLE_BLACK_LONG = 8
};

/** Do king and rook stand at home for all of them? */
bool sd_castling_possible (const sd_pos *p, unsigned rights);

/** The legal castling moves, which sd_moves does not give, as moves of the king; returns how many. */
unsigned sd_castling_moves (const sd_pos *p, unsigned rights, sd_move out[2]);
void sd_castling_apply (const sd_pos *before, const sd_move *m, sd_pos *after);

/** The rights that a move of either kind leaves. */
unsigned sd_castling_left (unsigned rights, const sd_move *m);

/** The right that a letter of FEN, KQkq, stands for; 0: none. */
unsigned sd_castling_right (char letter);

/** "KQkq", "-". */
void sd_castling_text (unsigned rights, char out[5]);

/** "O-O", "O-O-O#". */
void sd_castling_san (const sd_pos *p, const sd_move *m, char out[SD_SAN_TEXT]);

/* ------------------------------------------------------------------ attacks */

/** The four lines through a square (rank, file, diagonal, antidiagonal) without it: the part below it and the
 * part above. */
typedef struct sd_line {
  uint64_t lower, upper;
} sd_line;
extern const sd_line sd_lines[64][4];
extern const uint64_t sd_leaps[4][64]; /* white pawn, black pawn, knight, king */

static inline uint64_t sd_bit (unsigned square) {
  return (uint64_t) 1 << square;
}

/** Index of the lowest set bit; b != 0. */
static inline unsigned sd_lowest (uint64_t b) {
  return (unsigned) __builtin_ctzll (b);
}

/** Squares seen from a square along one of its lines, the first occupied one each way included (attacks.c
 * says why). */
static inline uint64_t sd_line_attacks (const sd_line *line, uint64_t occupied) {
  uint64_t upper = line->upper & occupied;
  uint64_t nearest = (uint64_t) 1 << (63 - __builtin_clzll ((line->lower & occupied) | 1));
  return (line->lower | line->upper) & (upper ^ (upper - nearest));
}
static inline uint64_t sd_knight_attacks (unsigned square) {
  return sd_leaps[2][square];
}
static inline uint64_t sd_king_attacks (unsigned square) {
  return sd_leaps[3][square];
}
static inline uint64_t sd_pawn_attacks (unsigned colour,
                                        unsigned square) { /* squares that a pawn there attacks */
  return sd_leaps[colour][square];
}
static inline uint64_t sd_rook_attacks (unsigned square, uint64_t occupied) {
  return sd_line_attacks (&sd_lines[square][0], occupied) | sd_line_attacks (&sd_lines[square][1], occupied);
}
static inline uint64_t sd_bishop_attacks (unsigned square, uint64_t occupied) {
  return sd_line_attacks (&sd_lines[square][2], occupied) | sd_line_attacks (&sd_lines[square][3], occupied);
}

/** Squares attacked by a man of this type (only pawns need the colour). */
static inline uint64_t sd_attacks (unsigned colour, unsigned type, unsigned square, uint64_t occupied) {
  switch (type) {
  case SD_PAWN:
    return sd_pawn_attacks (colour, square);
  case SD_KNIGHT:
    return sd_knight_attacks (square);
  case SD_BISHOP:
    return sd_bishop_attacks (square, occupied);
  case SD_ROOK:
    return sd_rook_attacks (square, occupied);
  case SD_QUEEN:
    return sd_bishop_attacks (square, occupied) | sd_rook_attacks (square, occupied);
  case SD_KING:
    return sd_king_attacks (square);
  default:
    return 0;
  }
}

/** The squares that men of colour `by` attack when `occupied` blocks the lines. */
uint64_t sd_attacked_by (const sd_pos *p, unsigned by, uint64_t occupied);

/** The men of colour `by` that attack `square`, as a set of squares, when `occupied` blocks the lines. */
uint64_t sd_attackers (const sd_pos *p, unsigned square, unsigned by, uint64_t occupied);

/** Is `square` attacked by any man of colour `by`? */
bool sd_attacked (const sd_pos *p, unsigned square, unsigned by);

/* ----------------------------------------------------------------- material */

/** How many men of each colour and type there are: count[colour][type]; one king each. */
typedef struct sd_material {
  uint8_t count[2][6];
} sd_material;

/** "KRvKP", either side first, any order of men in a side. SD_EINVAL names what is wrong (more than 7 men,
 * two kings, unknown letter, no "v"). *out is as written, not yet canonical. */
int sd_material_parse (const char *name, sd_material *out, sd_error *err);

/** Men in the order K Q R B N P, White's first; out needs 16 bytes; names longer than that (of positions with
 * more men than tables have) are cut off. */
void sd_material_name (const sd_material *m, char *out);

/** Stronger side first, as Syzygy names its files: more men first, then the larger man at the first
 * difference. Returns whether the colours were swapped. */
bool sd_material_canonical (const sd_material *m, sd_material *out);
bool sd_material_equal (const sd_material *a, const sd_material *b);
unsigned sd_material_men (const sd_material *m);
bool sd_material_has_pawns (const sd_material *m);
bool sd_material_symmetric (const sd_material *m);
void sd_material_of (const sd_pos *p, sd_material *out);

/** 4 bits per count without the kings, different for different materials of up to 15 men of a colour and
 * type: for hashing and sorting. */
uint64_t sd_material_key (const sd_material *m);

/** The materials of the next endings (canonical, each once): those that one capture, promotion or capturing
 * promotion of either side can lead to; returns how many (25 at most with 7 men). KvK is left out: it is
 * always drawn. */
unsigned sd_material_successors (const sd_material *m, sd_material out[64]);

/** All canonical materials with exactly `men` men (3..7) in an order in which every next ending comes earlier
 * (fewer pawns first); returns how many there are, even if more than cap, and fills at most cap. 0 for other
 * numbers of men. */
unsigned sd_material_all (unsigned men, sd_material *out, unsigned cap);

/** Position from squares in the order of the material's name, and back. Equal men come out in rising order of
 * squares. from: no check but that squares are < 64; to: p must have exactly this material. */
void sd_pos_from_squares (const sd_material *m, const uint8_t *sq, unsigned stm, sd_pos *out);
void sd_pos_to_squares (const sd_material *m, const sd_pos *p, uint8_t *sq);

#endif
