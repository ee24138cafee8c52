/** \file table.h
 * The table file: what a symbol stands for, writing and opening the container (docs/format.md). Uses codecs/
 * and indexer/. */
#ifndef SD_TABLE_H
#define SD_TABLE_H

#include "codecs/codecs.h"
#include "indexer/indexer.h"
#include "table/metric.h"

/** A file format, known by the last part of its files' names, such as ".sdt". */
typedef struct sd_format sd_format;

/** An open table: mapped file or memory image. Read-only, thread-safe. */
typedef struct sd_table sd_table;

/* -------------------------------------------------------- subdefinite values */

/** One side of an ending as subdefinite data, in any layout. */
typedef struct sd_subdefined {
  sd_alphabet *alphabet;
  sd_seq seq;    /* slot by slot, in the order of the layout */
  sd_value *map; /* map[k], for k below the number of main symbols: the number that main symbol k stands for
                    (WDL: -1, 0, 1; SIGNED: the value; MOVES: a number of moves) */
  enum sd_metric metric;
  enum sd_coding coding;
  unsigned freedom, side;
} sd_subdefined;

void sd_subdefined_free (sd_subdefined *d);
SD_LEFT_BY (sd_subdefined, sd_subdefined_free)

/** The same of both sides to move: SD_OWN_SIDES *d[2] = { NULL, NULL }; */
#define SD_OWN_SIDES SD_RELEASED_BY (sd_subdefined_leave_both) sd_subdefined
static inline void sd_subdefined_leave_both (sd_subdefined *(*d)[2]) {
  sd_subdefined_free ((*d)[0]);
  sd_subdefined_free ((*d)[1]);
}

/** Both sides one behind the other, White's first: n slots each, the side is a digit in front of the others.
 * SD_EINVAL: their maps or their shapes differ. */
int sd_subdefined_join (const sd_subdefined *const side[2], sd_subdefined **out, sd_error *err);

/* ------------------------------------------------------------- table files */

/** What a table of another game than chess holds: the states 0..states-1 of one part of it, a value each.
 * Texts as they stand in the file: the name has lower-case letters and digits and starts with a letter; the
 * slice has letters, digits and "_+-". */
typedef struct sd_table_game {
  char name[16];        /* "draughts"; "": an ending of chess, and nothing here counts */
  char slice[64];       /* "KKvM" */
  uint64_t fingerprint; /* of what else defines the states, such as a file of rules; who reads the values must
                           compare it */
  uint64_t states;
} sd_table_game;
#define SD_MAX_STATES ((uint64_t) 1 << 48)

/** SD_EINVAL: a text is not as it must be, no states or more than SD_MAX_STATES. */
int sd_table_game_check (const sd_table_game *g, sd_error *err);

/** What to build, with a layout, a codec and its settings for each side. A table of another game has one
 * side, no layout, a coding that is complete by itself and no freedom but SD_FREE_ILLEGAL, SD_FREE_CAPTURE
 * and SD_FREE_PROMOTION. */
typedef struct sd_table_spec {
  sd_material material; /* chess */
  sd_table_game game;   /* other games */
  enum sd_metric metric;
  enum sd_coding coding;
  unsigned freedom;
  unsigned sides; /* enum sd_sides; 0: both. SD_SIDES_ONE is for sd_table_build and sd_table_search */
  const sd_format *format; /* NULL: the first */
  uint64_t memory;         /* bytes that sd_table_build may take; 0: no bound */
  /** How many parts each side is coded in by sd_table_build, one after the other or by several programs, each
   * part a piece of the stream; 0 or 1: whole. */
  unsigned parts;
  uint64_t parts_of;    /* a number of what they are made of: parts of something else are made anew */
  uint64_t parts_since; /* sd_parts_since of the path when it was found that the table is to be made: programs
                         * that come when others have made it meanwhile do not make it again */
  struct {
    sd_layout layout;
    const sd_codec *codec;
    sd_settings settings;
    const sd_buf *coded; /* the stream, where it has been coded before of the same values; NULL: not yet */
  } side[2]; /* of sides that are not stored: not looked at; SD_SIDES_JOINT: side[0] is for both */
} sd_table_spec;

/** The sides that a table of this spec stores, a bit each as in sd_table_info; both of SD_SIDES_ONE, of which
 * one is kept. */
unsigned sd_table_sides (const sd_table_spec *spec);

/** Does a table of this spec hold one stream for both sides? Not if the ending has one side only. */
bool sd_table_joint (const sd_table_spec *spec);

/** Encode already subdefined and laid-out sides into one container image, appended to *out; side[] by colour
 * to move, NULL for what is not stored. SD_SIDES_JOINT: as sd_subdefined_join asks for. SD_EINVAL:
 * SD_SIDES_ONE with SD_FREE_EVIDENT, whose sides were judged as if each were alone. */
int sd_table_image (const sd_table_spec *spec, const sd_subdefined *const side[2],
                    const sd_progress *progress, sd_buf *out, sd_error *err);

/** The stream of one of its sides, appended to *out, for those who have one side after the other in memory:
 * sd_table_put makes the image of both. Its symbols are used up and freed. Not of SD_SIDES_JOINT, and of the
 * first format alone. */
int sd_table_code_side (const sd_table_spec *spec, sd_subdefined *d, unsigned side,
                        const sd_progress *progress, sd_buf *out, sd_error *err);

/** What the head of a container says about one stream. */
typedef struct sd_table_stream {
  const sd_value *map; /* map[0..main-1], as in sd_subdefined */
  unsigned main;
  uint64_t bytes;
  const uint32_t *sums; /* of its chunks; NULL: zeros */
  bool in_parts;        /* it is in pieces that the codec could have taken at once */
} sd_table_stream;
enum { SD_MAP_NUMBERS = 65536 };

/** The map of a side in which these numbers occur (in_map[SD_MAP_NUMBERS], by (uint16_t) number; those of a
 * coding with one map only are added), by the coding's order; nothing occurs: 0 alone. *index:
 * [SD_MAP_NUMBERS], the main symbol of each number. SD_ERANGE: too many, or one that the coding cannot hold
 * in a table of chess or another `game`. SD_ENOMEM. */
int sd_map_make (uint8_t *in_map, enum sd_coding coding, bool game, sd_value **map, unsigned *m,
                 uint16_t **index, sd_error *err);

/** Checksums of a stream, one a chunk of SD_CHUNK_BYTES. */
static inline uint64_t sd_table_chunks (uint64_t stream_bytes) {
  return stream_bytes / SD_CHUNK_BYTES + (stream_bytes % SD_CHUNK_BYTES != 0);
}

/** Append what stands before the streams of a container. Its length does not depend on the checksums.
 * SD_SIDES_JOINT: side[0] is the stream of both.
 * SD_EINVAL: a map that no reader would accept; SD_ENOMEM. */
int sd_table_head (const sd_table_spec *spec, const sd_table_stream side[2], sd_buf *out, sd_error *err);

/** The whole container around streams that data[0..1] were coded to, NULL: there is none. Their symbols are
 * not looked at. Appended to *out. */
int sd_table_put (const sd_table_spec *spec, const sd_subdefined *const data[2], const sd_buf stream[2],
                  sd_buf *out, sd_error *err);

/** Values of the states 0..states-1 of a table of another game as they are stored, by all threads: states
 * that there are not, and those that are left to the moves of the game (SD_FREE_CAPTURE, SD_FREE_PROMOTION),
 * may have any. SD_EINVAL: a table of chess; SD_EFORMAT, SD_ECHECKSUM: damaged. */
int sd_table_game_stored (const sd_table *t, sd_value *out, const sd_progress *progress, sd_error *err);

/** "draughts-KKvM.dtm.sdt"; room for SD_GAME_FILE_NAME bytes. */
#define SD_GAME_FILE_NAME 96
void sd_table_game_file_name (const sd_table_game *g, enum sd_metric metric, char *out);

/** How a table is opened. Without a flag the file is mapped. What opening reads is compared with its
 * checksums at once, each further chunk (1 MiB) when a probe reads it for the first time. A damaged table
 * gives SD_ECHECKSUM and never a wrong value, unless SD_OPEN_UNSAFE_NO_CHECKSUMS is given. */
enum {
  /** Compare all checksums now. */
  SD_OPEN_CHECK = 1,
  /** Read the file into memory instead of mapping it. A mapped file must not be written to while it is open:
   * what was compared once is not compared again, and if the file becomes shorter the system ends the process
   * (SIGBUS). Files that are replaced by renaming, as this library writes them, do no harm. */
  SD_OPEN_COPY = 2,
  /** Compare no checksum but the header's. Wrong values from damaged files are then possible. */
  SD_OPEN_UNSAFE_NO_CHECKSUMS = 4,
  /** Keep decoded blocks of general compressors, at most SD_CACHE_BYTES of them: reading then takes a lock
   * and may ask for memory, and is some thousand times faster where blocks are long. */
  SD_OPEN_CACHE = 16,
  /** Read the file into memory, each chunk when a probe reads it for the first time; threads that need the
   * same chunk meanwhile wait for it. Whatever happens to the file there is no SIGBUS and no wrong value: a
   * chunk that cannot be read any more gives SD_EIO or SD_ECHECKSUM. Files of which chunks are still to be
   * read stay open. Files of other formats are read at once. Opening from memory: no effect. */
  SD_OPEN_PARTS = 32,
  /** sd_tables_open: a table whose codec asks for memory while it is read is refused (SD_EUNSUPPORTED). */
  SD_OPEN_STEADY = 64,
  /** With SD_OPEN_PARTS or SD_OPEN_COPY: files of other formats are mapped all the same if they have more
     than 1 MiB. */
  SD_OPEN_MAP_OTHERS = 128,
  /** sd_table_open: the header alone, compared with its checksum; no slot can be read. Of files in other
   * formats as without it. */
  SD_OPEN_HEADER = 256,
  /** sd_tables_open: of each file the header is read and compared, and the file closed again; the first probe
   * that needs the table opens it. Not together with SD_OPEN_CACHE. */
  SD_OPEN_LATER = 512,
  /** sd_tables_open: of files that hold the same, in whichever folders, one that can be opened counts before
   * one that cannot, and one in this library's format before one in another. */
  SD_OPEN_OURS_FIRST = 1024,
  /** As SD_OPEN_OURS_FIRST, with files in other formats first. */
  SD_OPEN_OTHERS_FIRST = 2048
};
#define SD_CACHE_BYTES ((uint64_t) 256 << 20)

/** SD_EINVAL: SD_OPEN_CHECK with SD_OPEN_UNSAFE_NO_CHECKSUMS. */
int sd_table_open (const char *path, unsigned flags, sd_table **out, sd_error *err);

/** name: for messages. data must stay valid until close. */
int sd_table_open_memory (const uint8_t *data, size_t len, const char *name, unsigned flags, sd_table **out,
                          sd_error *err);
void sd_table_close (sd_table *t);
SD_LEFT_BY (sd_table, sd_table_close)

/** All checksums, with the place of the first that differs. Reads the whole file. */
int sd_table_check (const sd_table *t, sd_error *err);

/** One side to move of an open table: slots in order, with a symbol each, which the map turns into a value.
 * The indexer tells the slot of a placement; in a format whose index is no layout, slot_of does. */
typedef struct sd_side sd_side;
struct sd_side {
  uint64_t slots;
  const sd_indexer *indexer; /* NULL: none */
  /** The slot of a placement, whose squares stand in the order of the name; `slots` or more: it has none. */
  uint64_t (*slot_of) (const sd_side *s, const uint8_t *sq); /* NULL: the indexer tells */
  const sd_decoder *decoder;                                 /* NULL: not stored */
  const sd_value *map;
  /** What a number from the map becomes once the metric that the coding needs has told the result `sign`
   * (not 0); SD_ILLEGAL: damaged. Such a side holds anything where a win by a move that counts plies anew, or
   * the lack of any other move, tells the value (sd_restore_stored). NULL: numbers stay as they are. */
  sd_value (*number_of) (const sd_side *s, sd_value number, int sign);
  /** May the plies that this number stands for be one more? NULL: never. */
  bool (*rounds) (const sd_side *s, sd_value number, int sign);
  bool rounded;            /* some number does so */
  unsigned main;           /* entries of map */
  uint64_t near;           /* slots at most so far apart are read faster together than one by one */
  const sd_layout *layout; /* NULL: none */
  const sd_codec *codec;   /* NULL: none */
  uint64_t stream_bytes;
  sd_codec_parts parts;
  const void *own; /* the format's */
};

/** The name of its codec; "-": its format has none. */
static inline const char *sd_side_codec (const sd_side *s) {
  return s->codec ? s->codec->name : "-";
}
static inline uint64_t sd_side_slot (const sd_side *s, const uint8_t *sq) {
  return s->indexer ? sd_index_of (s->indexer, sq) : s->slot_of (s, sq);
}

/** What the header says. Of a table of another game material is empty, layout and indexer are NULL, nsides
 * is 1. side[] of a side that is not stored is all zeros. */
typedef struct sd_table_info {
  sd_material material;
  sd_table_game game;
  enum sd_metric metric;
  enum sd_coding coding;
  unsigned freedom, version;
  unsigned nsides; /* that the ending has: 1 for equal material */
  unsigned sides;  /* that are stored, a bit each: 1 White (all of equal material), 2 Black */
  bool joint;      /* in one stream: the bytes and parts of both stand in side[0] */
  uint64_t bytes;  /* of the whole file */
  sd_side side[2];
} sd_table_info;
void sd_table_describe (const sd_table *t, sd_table_info *out);

/** Does the table hold another game than chess? */
static inline bool sd_table_info_is_game (const sd_table_info *info) {
  return info->game.name[0] != 0;
}
static inline bool sd_table_info_has (const sd_table_info *info, unsigned side) {
  return info->sides >> side & 1;
}

/** Slots in a block of a side's stream, rounded up; 0: it has no blocks. */
static inline uint64_t sd_table_info_block (const sd_table_info *info, unsigned side) {
  const uint64_t blocks = info->side[info->joint ? 0 : side].parts.blocks;
  return blocks ? ((info->side[side].slots << info->joint) - 1) / blocks + 1 : 0;
}

/** Are there positions that only moves restore, a ply of them or two? */
static inline bool sd_table_info_by_moves (const sd_table_info *info) {
  return info->sides + 1 != 1u << info->nsides || (info->freedom & SD_FREE_BY_MOVES);
}

/** One thing that tells what a table is of. names: it is a part of its name. */
typedef struct sd_fact {
  const char *key;
  char text[80];
  bool names;
} sd_fact;

/** Fact number i: material; or game, slice and fingerprint. false: there is none. */
bool sd_table_fact (const sd_table_info *info, unsigned i, sd_fact *out);

/** "KRvKP", "draughts KKvM". */
enum { SD_TABLE_NAME = 96 };
void sd_table_info_name (const sd_table_info *info, char out[SD_TABLE_NAME]);

/** "w", "b": who is to move; NULL: the table does not tell sides to move apart. */
const char *sd_table_info_mover (const sd_table_info *info, unsigned side);

/** "KRvKP.wdl.sdt"; out needs 32 bytes. */
void sd_table_file_name (const sd_material *m, enum sd_metric metric, char *out);

#endif
