/** \file indexer.h
 * Position <-> index. A `layout` describes the index completely and is stored in every table: the order of
 * the groups of men, the numbering of the squares, how equal men share a digit, which man (the "leader")
 * symmetry confines to a part of the board. An `indexer` is a layout with the tables that make it fast. Uses
 * chess/.
 *
 * Symmetry: without pawns the 8 symmetries of the board, with pawns left-right only. The leader (a king,
 * another man that is alone of its colour and type, or the pair of kings as one digit) is brought to
 * a1-d1-d4, or to files a-d. Where two symmetries do that (leader on the diagonal), the smaller index holds
 * the position and the other slot is free. */
#ifndef SD_INDEXER_H
#define SD_INDEXER_H

#include "chess/chess.h"

#define SD_MAX_GROUPS SD_MAX_MEN

enum sd_numbering {
  SD_ROWS,     /* a1 b1 .. h1 a2 .. h8 */
  SD_Z,        /* bits of file and rank in turn: a1 a2 b1 b2 a3 .. h8 */
  SD_FOLDED_Z, /* each quarter of the board by itself, from its corner on: a1 a2 b1 .. d4 a8 .. */
  SD_HILBERT,  /* Hilbert's curve from a1 to h1: neighbours in number are neighbours on the board */
  SD_FILES,    /* a1 a2 .. a8 b1 .. h8 */
  SD_NUMBERINGS
};                                                      /* in files; Z and folded: Kristensen 2005, 2.6 */
enum sd_group_kind { SD_GROUP_PIECES, SD_GROUP_KINGS }; /* in files */

/** One digit of the index: `count` equal men (combinations of their squares), or both kings (462 or 1806
 * placements). */
typedef struct sd_group {
  uint8_t kind, colour, type, count, numbering; /* of the pair of kings: colour 0, type SD_KING, count 2 */
} sd_group;

/** Everything that defines the index of an ending, and nothing else: two equal layouts give every placement
 * the same slot, in each version of the program, since files hold nothing but this. */
typedef struct sd_layout {
  sd_material material;
  uint8_t ngroups;
  uint8_t
      leader; /* index of the group that is confined: KINGS if there is that group, else one with count 1 */
  /* The last group's digit stands around the one before it: its upper three bits, that digit, its lower three
   * bits. For a last group that is a single man, neither pawn nor leader. */
  bool around;
  sd_group group[SD_MAX_GROUPS]; /* most significant first */
} sd_layout;

/** The generator's layout: the kings, pawns, equal pieces, single pieces, each in the order of the name and
 * several pawns before a single one; rows. A single piece comes last, if there is one, because neighbours in
 * the table then differ by the square of a piece alone, and more of these have the same value at the same
 * time (gen/games/chess/chess_row.h). */
void sd_layout_kings_first (const sd_material *m, sd_layout *out);

/** A layout of single groups in the order of the name: K Q R .. k q r .., leader = white king. */
void sd_layout_default (const sd_material *m, sd_layout *out);

/** From text: "RkKp", capitals White; equal men once ("KPPvK": "kKP"); "[Kk]" is the pair of kings; a '!'
 * behind a letter marks the leader (the pair if there is one, else any group of one man; without a '!': the
 * first king in the order); "R(K)" at the end: R's digit around K's; `numbering` NULL or one of rows, z,
 * folded, hilbert, files, or two with a slash: kings/others ("z/folded", Kristensen 2005's choice), or three:
 * kings/others/pawns. */
int sd_layout_parse (const sd_material *m, const char *order, const char *numbering, sd_layout *out,
                     sd_error *err);

/** Canonical text of order and numbering; 24 bytes each suffice. */
void sd_layout_order_text (const sd_layout *l, char *out);
void sd_layout_numbering_text (const sd_layout *l, char *out);

/** SD_EINVAL unless the groups hold exactly the material, once, and the leader is allowed. */
int sd_layout_check (const sd_layout *l, sd_error *err);
bool sd_layout_equal (const sd_layout *a, const sd_layout *b);

/** Every order of the groups of `like` (its group set, leader and numberings kept), in lexicographic order of
 * group numbers; returns how many there are (ngroups!), fills at most cap. */
unsigned sd_layout_orders (const sd_layout *like, sd_layout *out, unsigned cap);

/** Compact bytes for files, and back (untrusted; material given). */
void sd_layout_write (const sd_layout *l, sd_buf *out);
int sd_layout_read (sd_reader *r, const sd_material *m, sd_layout *out, sd_error *err);

typedef struct sd_indexer sd_indexer;
int sd_indexer_new (const sd_layout *l, sd_indexer **out,
                    sd_error *err); /* SD_EINVAL, SD_ENOMEM, SD_ERANGE */
void sd_indexer_free (sd_indexer *ix);
SD_LEFT_BY (sd_indexer, sd_indexer_free)
const sd_layout *sd_indexer_layout (const sd_indexer *ix);
uint64_t sd_indexer_size (const sd_indexer *ix); /* number of slots */
#define SD_MAX_RADICES (SD_MAX_GROUPS + 1)
unsigned sd_indexer_shape (const sd_indexer *ix,
                           uint32_t radix[SD_MAX_RADICES]); /* how many; most significant first */

/** Index of a placement: squares in the order of the material's name (equal men in any order), all different,
 * kings not adjacent, pawns on ranks 2-7. Does not depend on the side to move. Thread-safe, no allocation. */
uint64_t sd_index_of (const sd_indexer *ix, const uint8_t *sq);

/** Squares of slot i; false if the slot stands for no placement of its own: two men on a square, adjacent
 * kings, or the mirror image of a position that another slot holds. Then sq is undefined. */
bool sd_index_squares (const sd_indexer *ix, uint64_t i, uint8_t *sq);
/** The same as a position with `side` to move; false: there is no placement, or it is not legal. */
bool sd_index_position (const sd_indexer *ix, uint64_t i, unsigned side, sd_pos *out);

/** Squares of slots that are asked for one after the other: several times as fast as the call above, since
 * only the last digit changes in most steps. Start with { .ix = ix }. */
typedef struct sd_index_walk {
  const sd_indexer *ix;
  uint64_t row, end; /* sq[] holds squares of one of these slots, the last digit's aside; end 0: of none */
  uint8_t sq[SD_MAX_MEN];
} sd_index_walk;

/** w->sq = squares of slot i, any slot; false as above. Not for several threads at once. */
bool sd_index_walk_to (sd_index_walk *w, uint64_t i);

/** legal[0..count-1]: do slots first..first + count - 1, all below sd_index_size, hold legal positions with
 * `side` to move, as sd_index_position tells of each? In the generator's layout many times as fast, since one
 * man's squares are looked at together. */
void sd_index_legal (const sd_indexer *ix, unsigned side, uint64_t first, uint64_t count, bool *legal);

/** map[0..count-1]: for slots first.. of `to`, the slot of the same placement in `from` (same material), or
 * UINT64_MAX where `to` has none. Faster than the two calls above; for reordering whole tables. */
void sd_index_remap (const sd_indexer *to, const sd_indexer *from, uint64_t first, uint64_t count,
                     uint64_t *map);

#endif
