/** \file syzygy.h
 * Syzygy files (.rtbw, .rtbz): their index, what their headers say, the value at a slot. Uses chess/.
 *
 * A file holds an ending in sub-tables: one, or with pawns four, by the file of the leading pawn. WDL files
 * hold both sides to move of each, DTZ files one of them. Each sub-table and side has an order of the men,
 * which is its index, and a stream of its own. */
#ifndef SD_SYZYGY_H
#define SD_SYZYGY_H

#include "chess/chess.h"

enum sd_syzygy_kind { SD_SYZYGY_WDL, SD_SYZYGY_DTZ };

/** Sub-tables of an ending with pawns: files a-d of the leading pawn. */
enum { SD_SYZYGY_FILES = 4 };

/* ------------------------------------------------------------------- index */

/** A man in an order: 1 to 6 are White's P N B R Q K, 9 to 14 Black's. */
static inline unsigned sd_syzygy_code (unsigned colour, unsigned type) {
  return type + 1 + 8 * colour;
}

/** No second group of pawns. */
enum { SD_SYZYGY_NO_PAWNS = 15 };

/** The order of the men of one side of one sub-table, as a file says it. The leading group comes first:
 * pawns of the leading colour; without pawns three men of which there is one each, or, where there are not
 * three such men, the two kings. With pawns of both colours those of the other colour follow. Each further
 * group is a run of equal men. */
typedef struct sd_syzygy_order {
  uint8_t man[SD_MAX_MEN]; /* codes */
  uint8_t lead;            /* digits less significant than that of the leading group */
  uint8_t pawns;           /* the same of the second group of pawns, or SD_SYZYGY_NO_PAWNS */
} sd_syzygy_order;

/** What all indexes share: numbers of squares. Some 3 kB. */
typedef struct sd_syzygy_squares {
  uint32_t choose[SD_MAX_MEN][65];       /* choose[k][n]: k of n */
  uint8_t corner[64], corner_square[10]; /* a1-d1-d4: six squares below the diagonal, then the diagonal */
  uint8_t below[64], below_square[28];   /* the squares below the diagonal a1-h8, in their order */
  uint16_t kings[10][64];                /* by corner of the first; 65535: none */
  uint8_t kings_square[462][2];
  uint8_t pawn[64], pawn_square[48]; /* the leading pawn is the one with the largest number */
} sd_syzygy_squares;
void sd_syzygy_squares_init (sd_syzygy_squares *s);

typedef struct sd_syzygy_group {
  uint8_t first, count; /* its men in the order */
  uint64_t radix, stride;
} sd_syzygy_group;

/** An order with the numbers that make it fast. */
typedef struct sd_syzygy_index {
  const sd_syzygy_squares *squares;
  sd_syzygy_order order;
  unsigned men, file; /* file: 0 to 3 with pawns */
  bool pawns;
  uint8_t place[SD_MAX_MEN]; /* of man i of the order: its place in the list of squares */
  unsigned ngroups;
  sd_syzygy_group group[SD_MAX_MEN]; /* as in the order */
  uint32_t pawn_base[6]; /* of the leading pawn's rank 2 to 7: the first number of its placements */
  uint64_t slots;
} sd_syzygy_index;

/** The index of one sub-table and side. file: 0 to 3 for files a-d of the leading pawn, 0 without pawns.
 * SD_EINVAL: the order does not hold exactly the material, groups are not as they must be, or `lead` and
 * `pawns` are no places of digits. `squares` outlives it. */
int sd_syzygy_index_init (sd_syzygy_index *ix, const sd_syzygy_squares *squares, const sd_material *m,
                          unsigned file, const sd_syzygy_order *order, sd_error *err);

/** The colour whose pawns lead: the one with fewer, if it has any; White at equality. */
unsigned sd_syzygy_leading_colour (const sd_material *m);

/** The sub-table that has a placement, squares in the order of the material's name. Thread-safe, as all
 * below. */
unsigned sd_syzygy_file_of (const sd_syzygy_squares *s, const sd_material *m, const uint8_t *sq);

/** The slot of a placement of sub-table ix->file, squares in the order of the name, all different, pawns on
 * ranks 2 to 7, and, where the kings are the leading group, these not adjacent. */
uint64_t sd_syzygy_index_of (const sd_syzygy_index *ix, const uint8_t *sq);

/** The placement of slot i < ix->slots. Every slot has one: different squares, pawns on ranks 2 to 7; kings
 * may be adjacent unless they are the leading group. sd_syzygy_index_of gives i for it. Two slots hold mirror
 * images of each other where all men of the leading group stand on a diagonal. */
void sd_syzygy_index_squares (const sd_syzygy_index *ix, uint64_t i, uint8_t *sq);

/* -------------------------------------------------------------------- file */

/** What the name of a file ("KRvKP.rtbw", the stronger side first) says; false: it is no such name. */
bool sd_syzygy_name_parse (const char *file, sd_material *m, enum sd_syzygy_kind *kind);
/** ".rtbw", ".rtbz", by kind. */
extern const char *const sd_syzygy_endings[2];

/** Flags of a stream. Those but the last are of DTZ files. */
enum {
  SD_SYZYGY_BLACK = 1,      /* the stored side to move */
  SD_SYZYGY_MAPPED = 2,     /* what is decoded is a place in a map */
  SD_SYZYGY_WIN_PLIES = 4,  /* wins are stored in plies; without: in full moves */
  SD_SYZYGY_LOSS_PLIES = 8, /* the same of losses */
  SD_SYZYGY_WIDE = 16,      /* entries of maps, and their numbers, have 16 bits */
  SD_SYZYGY_SINGLE = 128    /* all slots have one value, and there is no stream */
};
enum {
  SD_SYZYGY_MAX_SYMBOLS = 4095,
  SD_SYZYGY_LEAF = 4095,         /* as right part: the symbol is the value that its left part is */
  SD_SYZYGY_MAX_LENGTH = 256,    /* positions of a symbol */
  SD_SYZYGY_MAX_BITS = 32,       /* of a code */
  SD_SYZYGY_BLOCK_SLOTS = 65536, /* most positions of a block */
  SD_SYZYGY_SPARSE_BYTES = 6,
  SD_SYZYGY_CHECKSUM_BYTES = 16,
  SD_SYZYGY_ALIGN = 64 /* of the data of each stream, and of the checksum */
};

/** The maps of a DTZ stream, in the order of the file. */
enum { SD_SYZYGY_WIN, SD_SYZYGY_LOSS, SD_SYZYGY_CURSED, SD_SYZYGY_BLESSED, SD_SYZYGY_MAPS };

/** A symbol: a value, or two symbols one behind the other. */
typedef struct sd_syzygy_symbol {
  uint16_t left, right;
  uint16_t length; /* positions that it stands for, 1 to SD_SYZYGY_MAX_LENGTH */
} sd_syzygy_symbol;

/** One side of one sub-table. The members that say where something lies point into the file. */
typedef struct sd_syzygy_pairs {
  sd_syzygy_index index;
  unsigned flags;
  unsigned value;      /* SD_SYZYGY_SINGLE: of all slots, and nothing below counts */
  unsigned block_bits; /* bytes of a block as a power of two */
  unsigned span_bits;  /* slots between two entries of the sparse index as a power of two */
  unsigned padding;    /* lengths of blocks that there are not, behind the others */
  uint32_t blocks;
  unsigned min_bits, max_bits; /* lengths of codes */
  /** By length of code, first the shortest: its symbols with lower numbers have longer codes. */
  uint16_t lowest[SD_SYZYGY_MAX_BITS + 1];
  uint64_t base[SD_SYZYGY_MAX_BITS + 1]; /* the first code of this length, its bits at the top */
  unsigned symbols;
  sd_syzygy_symbol *symbol;
  uint64_t entries;       /* of the sparse index */
  const uint8_t *sparse;  /* SD_SYZYGY_SPARSE_BYTES each: block, place of the middle of the span in it */
  const uint8_t *lengths; /* blocks + padding times 2 bytes: positions - 1 */
  const uint8_t *data;    /* blocks << block_bits bytes */
  struct {
    const uint8_t *at; /* entries of 1 or 2 bytes */
    unsigned n;
  } map[SD_SYZYGY_MAPS];
} sd_syzygy_pairs;

/** What a file holds. */
typedef struct sd_syzygy {
  enum sd_syzygy_kind kind;
  sd_material material; /* canonical */
  unsigned files;       /* sub-tables: 1 or 4 */
  unsigned streams;     /* of a sub-table: 2 of a WDL file with unequal material, else 1 */
  unsigned side;        /* DTZ: the stored side to move, that of all sub-tables */
  sd_syzygy_squares squares;
  sd_syzygy_pairs pairs[SD_SYZYGY_FILES][2];
  uint64_t slots[2]; /* of all sub-tables, by stream */
  const uint8_t *image;
  uint64_t bytes;
} sd_syzygy;

/** Everything that comes before the data, checked, so that decoding never leaves the image. The image stays
 * until sd_syzygy_close. SD_EFORMAT: not a Syzygy file, damaged or cut off; SD_EUNSUPPORTED: what the format
 * allows but no generator makes; SD_ENOMEM. Nothing is to be closed then. */
int sd_syzygy_open (const uint8_t *image, uint64_t bytes, sd_syzygy **out, sd_error *err);
void sd_syzygy_close (sd_syzygy *s); /* NULL does nothing */

/** What follows from `symbols`, `symbol` (but lengths), `min_bits`, `max_bits` and `lowest`: lengths, bases.
 * SD_EFORMAT: symbols that do not end, are too long or not there, or codes that are none. */
int sd_syzygy_pairs_prepare (sd_syzygy_pairs *p, sd_error *err);

/** The checksum of what stands before it: of image[0..bytes-1], bytes > 0. By all threads. SD_ENOMEM. */
int sd_syzygy_checksum (const uint8_t *image, uint64_t bytes, uint8_t out[SD_SYZYGY_CHECKSUM_BYTES]);

/** Is the checksum at the end of the file right? Reads all of it. SD_ECHECKSUM, SD_ENOMEM. */
int sd_syzygy_check (const sd_syzygy *s, sd_error *err);

/* ------------------------------------------------------------------- values */

/** What is stored at a slot < p->index.slots: WDL: 0 to 4, lost to won; DTZ: what sd_syzygy_dtz makes plies
 * of. Thread-safe, as all here. SD_EFORMAT: damaged. A block is left at the first code that needs bits behind
 * its end, a walk along the lengths of blocks after 2^20 of them. */
int sd_syzygy_pairs_get (const sd_syzygy_pairs *p, uint64_t slot, unsigned *value);

/** The same of the slots first..first+count-1, one after the other. */
int sd_syzygy_pairs_read (const sd_syzygy_pairs *p, uint64_t first, uint64_t count, uint16_t *out);

/* Slots of a stream are those of all its sub-tables, one behind the other: s->slots[stream] in all. */

/** The slot of a placement, as sd_syzygy_index_of. */
uint64_t sd_syzygy_slot_of (const sd_syzygy *s, unsigned stream, const uint8_t *sq);

/** The sub-table that has a slot; *slot becomes its number there. */
unsigned sd_syzygy_sub_table (const sd_syzygy *s, unsigned stream, uint64_t *slot);
int sd_syzygy_get (const sd_syzygy *s, unsigned stream, uint64_t slot, unsigned *value);
int sd_syzygy_read (const sd_syzygy *s, unsigned stream, uint64_t first, uint64_t count, uint16_t *out);

/** Plies to zeroing of a position with this result (-2 to 2, not 0) from what a DTZ stream stores for it: at
 * least 1, of cursed wins and blessed losses at least 101. Where only full moves are stored the larger of two
 * numbers is never given. SD_EFORMAT: no entry of the map, or more than SD_SYZYGY_MAX_PLIES. */
enum { SD_SYZYGY_MAX_PLIES = 16000 };
int sd_syzygy_plies (const sd_syzygy_pairs *p, int wdl, unsigned stored, unsigned *plies);

/* ----------------------------------------------------------------- probing */

/** All Syzygy files of some folders, opened. Probes may run in any number of threads. */
typedef struct sd_syzygy_tables sd_syzygy_tables;

/** path: folders, colon-separated, of which earlier ones win. SD_ENOENT: one cannot be read. A file that
 * cannot be opened fails where it is needed. */
int sd_syzygy_tables_open (const char *path, sd_syzygy_tables **out, sd_error *err);
void sd_syzygy_tables_close (sd_syzygy_tables *ts); /* NULL does nothing */

/** Are the checksums right of the WDL files of the canonical ending m and of all that captures lead to, and
 * those that promotions of m lead to? Each file is read once. SD_ENOENT, SD_ECHECKSUM, and what opening a
 * file failed with, and its name. Thread-safe. */
int sd_syzygy_tables_check (const sd_syzygy_tables *ts, const sd_material *m, bool promotions, sd_error *err);
uint64_t sd_syzygy_tables_count (const sd_syzygy_tables *ts);

/** -2 lost, -1 blessed loss, 0 drawn, 1 cursed win, 2 won for the side to move of a legal position, right to
 * capture en passant honoured. SD_ENOENT: a file is missing, SD_EFORMAT: one is damaged. */
int sd_syzygy_wdl (const sd_syzygy_tables *ts, const sd_pos *p, int *wdl, sd_error *err);

/** n: won with the next capture, pawn move or mate n plies away; -(n + 1): lost so; 0: drawn; cursed wins and
 * blessed losses have n > 100. Exact but for files with full moves, see sd_syzygy_plies. */
int sd_syzygy_dtz (const sd_syzygy_tables *ts, const sd_pos *p, int *value, sd_error *err);

#endif
