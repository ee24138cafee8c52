/** \file table.h
 * Tables: the list of all codecs, the container file, exact values in memory, subdefining a table (which
 * slots are free and why), building and reformatting files, probing and restoring, verifying. Uses codecs/,
 * repair/, indexer/. */
#ifndef SD_TABLE_H
#define SD_TABLE_H

#include "codecs/codec.h"
#include "indexer/indexer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------- all codecs */

/** Every codec of the build, by rising id. Tests, CLI, benchmarks and reports walk this list. */
SD_API const sd_codec *const *sd_codec_all (size_t *n);
SD_API const sd_codec *sd_codec_find (const char *name); /* NULL: no such codec */
SD_API const sd_codec *sd_codec_by_id (unsigned id);     /* NULL: no such codec */
SD_API const char *sd_codec_missing (unsigned id); /* name of a codec that was left out of this build, or NULL */

/** An open table: mapped file or memory image. Read-only, thread-safe. */
typedef struct sd_table sd_table;

/* ------------------------------------------------------------------ values */

/** Value of a position: 0 drawn; +n the side to move mates in n plies; -(n+1) it is mated in n plies (mated
 * on the board = -1); SD_ILLEGAL no legal position (or, in an exact table, a slot without a placement of its
 * own). */
typedef int16_t sd_value;
#define SD_ILLEGAL INT16_MIN

enum sd_metric { SD_WDL, SD_DTM }; /* in files; names "wdl", "dtm" */
/** How symbols stand for values. */
enum sd_coding {
  SD_CODING_WDL,    /* 0 lost, 1 drawn, 2 won */
  SD_CODING_SIGNED, /* symbol -> value through a map in the header: complete by itself */
  SD_CODING_MOVES   /* (plies + 1) / 2 through a map in the header; result from the WDL table (S0 Sec. 1.8) */
};
/** Sources of freedom; a set of them is stored in the header because restoring depends on it. SD_FREE_DRAW
 * means nothing for the other codings and is dropped there. */
enum sd_freedom {
  SD_FREE_ILLEGAL = 1,   /* no legal position: anything */
  SD_FREE_DRAW = 2,      /* SD_CODING_MOVES only: drawn, as the WDL table tells: anything */
  SD_FREE_CAPTURE = 4,   /* what captures (en passant included where it can arise) give bounds the value */
  SD_FREE_PROMOTION = 8, /* quiet promotions likewise */
  SD_FREE_ALL = 15,      /* what does not slow a probe down much */
  SD_FREE_WIN = 16 /* SD_CODING_MOVES only, losses only: won, as the WDL table tells: anything, for 1 + the
                      shortest loss among the children is the value. Needs every side that the ending has */
};
/** Which sides to move a table of unequal material stores; what is not stored is restored by one ply (S0
 * Sec. 1.4). Equal material has one side, and these mean nothing there. */
enum sd_sides {
  SD_SIDES_WHITE = 1,
  SD_SIDES_BLACK = 2,
  SD_SIDES_BOTH = 3,
  SD_SIDES_ONE = 4,  /* to be built: the smaller */
  SD_SIDES_JOINT = 5 /* to be built: both in one stream, which shares what they have in common */
};
/** "white", "black", "one", "both", "joint" <-> the above. */
SD_API int sd_sides_parse (const char *text, unsigned *out, sd_error *err);
SD_API const char *sd_sides_text (unsigned sides);
/** The sources of freedom that mean something for a coding; others are dropped when a table is subdefined. */
static inline unsigned sd_freedom_of_coding (enum sd_coding coding) {
  return coding == SD_CODING_MOVES ? SD_FREE_ALL | SD_FREE_WIN : SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW;
}
/** "illegal+draw+capture+promotion", "all", "all+won", "none" <-> bits. */
SD_API int sd_freedom_parse (const char *text, unsigned *out, sd_error *err);
SD_API void sd_freedom_text (unsigned freedom, char *out, size_t cap);

/* ------------------------------------------------- exact values in memory */

/** All values of one ending under the generator's layout, both sides to move (one side if the material is
 * symmetric). */
typedef struct sd_exact {
  sd_material material;
  unsigned nsides; /* 1: symmetric material, Black to move is looked up with colours swapped */
  sd_indexer *indexer;
  uint64_t n;
  sd_value *value[2]; /* [side][slot] */
} sd_exact;

/** Allocated and filled with SD_ILLEGAL. */
SD_API int sd_exact_new (const sd_material *m, sd_exact **out, sd_error *err);
SD_API void sd_exact_free (sd_exact *e);

/** The exact values of several endings, found by material; what is missing is loaded from DTM table files on
 * the path. Not thread-safe while loading; read-only and thread-safe afterwards. */
typedef struct sd_exacts sd_exacts;
SD_API int sd_exacts_new (const char *path, sd_exacts **out,
                   sd_error *err); /* path: colon-separated folders, may be NULL */
SD_API void sd_exacts_free (sd_exacts *s);
/** Ending m (canonical), loaded if need be. SD_ENOENT names the missing file. A file coded as SD_CODING_MOVES
 * is restored through its WDL table and its sub-tables. */
SD_API int sd_exacts_get (sd_exacts *s, const sd_material *m, const sd_exact **out, sd_error *err);
/** Ending m and all its successors. */
SD_API int sd_exacts_need (sd_exacts *s, const sd_material *m, sd_error *err);
/** The files that values were read from, as they were named, in the order of loading; (*files)[0..return-1]
 * belong to s. */
SD_API size_t sd_exacts_files (const sd_exacts *s, const char *const **files);
/** Hand over an ending that was made elsewhere (the generator); s owns it afterwards, and frees it even if
 * this fails (SD_ENOMEM). An ending of the same material is replaced and freed. */
SD_API int sd_exacts_put (sd_exacts *s, sd_exact *e);
/** Value of any legal position (either colour may be the stronger side; en-passant right honoured) whose
 * ending and successors are loaded; KvK is drawn. SD_ENOENT if not loaded. Thread-safe when nothing is
 * loading. */
SD_API int sd_exacts_value (const sd_exacts *s, const sd_pos *p, sd_value *out);
/** Best value that the conversions of the given classes offer to the side to move, as sd_value of this
 * position (child mated in n -> +n+1, ...); false if there is none. */
bool sd_exacts_conversions (const sd_exacts *s, const sd_pos *p, enum sd_move_class which, sd_value *best,
                            int *status);
/** Which is better for the side to move: won sooner > drawn > lost later. <0, 0, >0. */
SD_API int sd_value_compare (sd_value a, sd_value b);
/** Value of the parent through a move to a child of value v; it never wraps around: lost later than in 32766
 * plies is lost in 32766. */
SD_API sd_value sd_value_back (sd_value v);
SD_API int sd_value_wdl (sd_value v); /* -1, 0, 1 */

/* ------------------------------- values of finished endings as they are asked for */

/** Values of endings by slots of the generator's layout, decoded block by block from DTM table files when
 * they are asked for, and kept as far as a budget allows. Made for programs that look up very many values of
 * large endings, neighbours after neighbours: the generator. Lookups may run in any number of threads; all
 * else must be called by one thread while no lookup runs. */
typedef struct sd_values sd_values;

/** A part of the slots. */
typedef struct sd_values_block {
  const void *data; /* NULL: not decoded; written once, atomically, between two trims */
  uint8_t used;     /* since the last trim */
  uint16_t age;     /* trims since it was used */
} sd_values_block;

/** One side to move of one ending. The members are for sd_values_at. */
typedef struct sd_values_side {
  sd_values_block *block;
  unsigned shift; /* slot >> shift: its block; slot & mask: its place there */
  bool wide;      /* a block is sd_value[]; else uint8_t[], symbols of map[] */
  uint64_t mask;
  const sd_value *map;
  uint64_t n; /* slots */
} sd_values_side;

/** path: colon-separated folders, may be NULL; nothing is opened yet. budget: what sd_values_budget says,
 * bytes. */
int sd_values_new (const char *path, uint64_t budget, sd_values **out, sd_error *err);
void sd_values_free (sd_values *c); /* NULL does nothing */
/** The values of ending m (canonical) with `side` to move (symmetric material has White only). The first
 * time, its table file is opened and all its checksums are verified; a file that does not hold the values
 * themselves (other freedom than illegal slots, SD_CODING_MOVES) needs its WDL table and its sub-endings,
 * which are opened too. *out lives as long as c. SD_ENOENT names the missing file, SD_ECHECKSUM and
 * SD_EFORMAT the damaged one. */
int sd_values_get (sd_values *c, const sd_material *m, unsigned side, const sd_values_side **out,
                   sd_error *err);
/** Take the values of this ending from e: not owned, must outlive c. SD_EINVAL: the ending is there already.
 */
int sd_values_use (sd_values *c, const sd_exact *e, sd_error *err);

/** The values of a table of another game by state, results as -1, 0, 1. Its checksums are taken for verified
 * (SD_OPEN_CHECK). c owns t afterwards, and closes it even if this fails (SD_EINVAL: a table of chess;
 * SD_ENOMEM). */
int sd_values_add_game (sd_values *c, sd_table *t, const sd_values_side **out, sd_error *err);

/** Out of line: the value of a slot whose block is not decoded. */
sd_value sd_values_miss (const sd_values_side *h, uint64_t slot);
/** The value of a slot < n that stands for a legal position; others may give anything. SD_ILLEGAL: it could
 * not be had, sd_values_problem says why. Takes a lock only when it decodes. */
static inline sd_value sd_values_at (const sd_values_side *h, uint64_t slot) {
  sd_values_block *b = &h->block[slot >> h->shift];
  const void *data = __atomic_load_n (&b->data, __ATOMIC_ACQUIRE);
  if (__builtin_expect (!data, 0))
    return sd_values_miss (h, slot);
  if (!__atomic_load_n (&b->used, __ATOMIC_RELAXED)) /* no store, no quarrel over the cache line */
    __atomic_store_n (&b->used, 1, __ATOMIC_RELAXED);
  const uint64_t i = slot & h->mask;
  return h->wide ? ((const sd_value *) data)[i] : h->map[((const uint8_t *) data)[i]];
}
/** Why sd_values_at gave SD_ILLEGAL: the latest failure of h, with the file's name; SD_EINVAL if there was
 * none. Thread-safe. */
int sd_values_problem (const sd_values_side *h, sd_error *err);

/** Free decoded blocks, those first that have been out of use for most trims, until at most so many bytes are
 * held. */
void sd_values_trim (sd_values *c, uint64_t at_most);
uint64_t sd_values_budget (const sd_values *c);
void sd_values_set_budget (sd_values *c, uint64_t budget);
/** bytes: held in decoded blocks, what is being decoded included (not the files' mappings, a codec's own
 * memory, what sd_values_use lent); peak: the most so far; blocks: decoded so far, `slots` in them. */
typedef struct sd_values_stats {
  uint64_t bytes, peak, blocks, slots;
} sd_values_stats;
void sd_values_describe (const sd_values *c, sd_values_stats *out);
/** The peak is counted anew from what is held now. No lookups meanwhile. */
void sd_values_forget_peak (sd_values *c);

/* -------------------------------------------------------------- subdefining */

/** One side of an ending as subdefinite data, in any layout. */
typedef struct sd_subdefined {
  sd_alphabet *alphabet;
  sd_seq seq;    /* in the order of `indexer` */
  sd_value *map; /* [0..main-1]: what a main symbol stands for (WDL: -1, 0, 1; MOVES: the number of moves) */
  enum sd_metric metric;
  enum sd_coding coding;
  unsigned freedom, side;
} sd_subdefined;

/** Which symbols each slot of the generator's layout may hold, given what a prober can restore from
 * successors and (MOVES) from the WDL table (S0 Sec. 1.6, 1.8, 1.9): exactly those that restoring turns into
 * the exact value. Slots that may not be free and have no value of their own (illegal; MOVES: drawn) hold the
 * symbol of 0. The ending's successors must be loaded if a conversion source is asked for: else SD_ENOENT.
 * SD_EINVAL: unknown side, coding or freedom; SD_ERANGE: more than SD_MAX_MAIN values. Uses OpenMP; some 0.3
 * s of CPU time for the 6 million slots of a 4-man ending with a pawn. */
SD_API int sd_subdefine (const sd_exacts *s, const sd_exact *e, unsigned side, enum sd_coding coding,
                  unsigned freedom, const sd_progress *progress, sd_subdefined **out, sd_error *err);
/** Both sides with the same map: the main symbols stand for what either side has. The ending has two sides
 * (SD_EINVAL). out[0..1] to be freed by the caller, NULL after an error. */
SD_API int sd_subdefine_both (const sd_exacts *s, const sd_exact *e, enum sd_coding coding, unsigned freedom,
                       const sd_progress *progress, sd_subdefined *out[2], sd_error *err);
/** Both sides one behind the other, White's first: n slots each, the side is a digit in front of the others.
 * SD_EINVAL: their maps or their shapes differ. */
SD_API int sd_subdefined_join (const sd_subdefined *const side[2], sd_subdefined **out, sd_error *err);
/** The same data in another layout; slots without a placement may hold anything, or the symbol of 0 where
 * illegal slots are not free. SD_EINVAL: `from` does not stand in from_ix, or the layouts are of different
 * endings. Uses OpenMP. */
SD_API int sd_subdefined_relayout (const sd_subdefined *from, const sd_indexer *from_ix, const sd_indexer *to_ix,
                            sd_subdefined **out, sd_error *err);
/** Of that, `pieces` pieces of `length` slots, one anywhere in each of as many equal parts (the same ones
 * each time), one behind the other: to estimate what the whole would take. SD_EINVAL: they do not fit. */
SD_API int sd_subdefined_sample (const sd_subdefined *from, const sd_indexer *from_ix, const sd_indexer *to_ix,
                          uint64_t pieces, uint64_t length, sd_subdefined **out, sd_error *err);
SD_API void sd_subdefined_free (sd_subdefined *d);

/* ------------------------------------------------------------- table files */

/** What a table of another game than chess holds: the states 0..states-1 of one part of it, a value each.
 * Texts as they stand in the file: a name of lower-case letters and digits that starts with a letter, a slice
 * of letters, digits and
 * "_+-". */
typedef struct sd_table_game {
  char name[16];  /* "draughts"; "": an ending of chess, and nothing here counts */
  char slice[64]; /* "KKvM" */
  uint64_t
      fingerprint; /* of what else defines the states, as a file of rules; who reads the values compares it */
  uint64_t states;
} sd_table_game;
#define SD_MAX_STATES ((uint64_t) 1 << 48)
/** SD_EINVAL: a text is not as it must be, no states or more than SD_MAX_STATES. */
SD_API int sd_table_game_check (const sd_table_game *g, sd_error *err);

/** What to build: per side a layout, a codec and its settings. A table of another game has one side, no
 * layout, codings with SD_CODING_WDL or SD_CODING_SIGNED and no freedom but SD_FREE_ILLEGAL. */
typedef struct sd_table_spec {
  sd_material material; /* chess */
  sd_table_game game;   /* other games */
  enum sd_metric metric;
  enum sd_coding coding;
  unsigned freedom;
  unsigned sides; /* enum sd_sides; 0: both. SD_SIDES_ONE is for sd_table_build and sd_table_search */
  struct {
    sd_layout layout;
    const sd_codec *codec;
    sd_settings settings;
  } side[2]; /* of sides that are not stored: not looked at; SD_SIDES_JOINT: side[0] is for both */
} sd_table_spec;

/** The sides that a table of this spec stores, a bit each as in sd_table_info; both of SD_SIDES_ONE, of which
 * one is kept. */
SD_API unsigned sd_table_sides (const sd_table_spec *spec);
/** Is it one stream for both sides? Not if the ending has one side only. */
SD_API bool sd_table_joint (const sd_table_spec *spec);
/** Encode already subdefined and laid-out sides into one container image, appended to *out; side[] by colour
 * to move, NULL for what is not stored. SD_SIDES_JOINT: as sd_subdefined_join asks for. */
SD_API int sd_table_image (const sd_table_spec *spec, const sd_subdefined *const side[2],
                    const sd_progress *progress, sd_buf *out, sd_error *err);
/** What the head of a container says about one stream. */
typedef struct sd_table_stream {
  const sd_value *map; /* map[0..main-1], as in sd_subdefined */
  unsigned main;
  uint64_t bytes;
  const uint32_t *sums; /* of its chunks; NULL: zeros */
} sd_table_stream;
/** Checksums of a stream, one a chunk of SD_CHUNK_BYTES. */
static inline uint64_t sd_table_chunks (uint64_t stream_bytes) {
  return stream_bytes / SD_CHUNK_BYTES + (stream_bytes % SD_CHUNK_BYTES != 0);
}
/** Append what stands before the streams of a container. Its length does not depend on the checksums.
 * SD_SIDES_JOINT: side[0] is the stream of both.
 * SD_EINVAL: a map that no reader would accept; SD_ENOMEM. */
int sd_table_head (const sd_table_spec *spec, const sd_table_stream side[2], sd_buf *out, sd_error *err);
/** The values of a table of another game, value[0..states-1] with SD_ILLEGAL for states that there are not,
 * as subdefinite data. SD_EINVAL: not such a spec; SD_ERANGE: more than SD_MAX_MAIN values. */
SD_API int sd_table_game_subdefine (const sd_table_spec *spec, const sd_value *value, const sd_progress *progress,
                             sd_subdefined **out, sd_error *err);
/** The whole job for another game: subdefine, encode, write under a temporary name, read back, compare,
 * rename. As sd_table_build. */
SD_API int sd_table_build_game (const sd_table_spec *spec, const sd_value *value, const char *path,
                         const sd_progress *progress, sd_error *err);
/** Values of the states first..first+n-1 of a table of another game (results as -1, 0, 1); states that there
 * are not may have any value. A codec with long blocks decodes a block for each call. Thread-safe. SD_EINVAL:
 * a table of chess, or beyond its end; SD_EFORMAT: damaged. */
SD_API int sd_table_game_read (const sd_table *t, uint64_t first, uint64_t n, sd_value *out, sd_error *err);
/** All of them, by all threads. */
SD_API int sd_table_game_read_all (const sd_table *t, sd_value *out, const sd_progress *progress, sd_error *err);
/** "draughts-KKvM.dtm.sdt"; room for SD_GAME_FILE_NAME bytes. */
#define SD_GAME_FILE_NAME 96
SD_API void sd_table_game_file_name (const sd_table_game *g, enum sd_metric metric, char *out);
/** The whole job: subdefine, lay out, encode, write under a temporary name, read back, restore every legal
 * position of both sides to move and compare it with the exact value, rename. The ending, and its successors
 * if freedom names conversions or anything is restored by one ply, must be loaded in s (SD_ENOENT).
 * SD_SIDES_ONE codes each side alone and keeps the smaller file (White's if they are equal). For
 * SD_CODING_MOVES the result comes from the exact values' sign here and from the WDL table in a prober.
 * SD_EDIFF names the FEN and both values; on any failure nothing is left at `path` that was not there before.
 */
SD_API int sd_table_build (const sd_exacts *s, const sd_table_spec *spec, const char *path,
                    const sd_progress *progress, sd_error *err);

/** How a table is opened. Without a flag the file is mapped, what opening reads is compared with its checksums at
 * once, and each further chunk (1 MiB) when a probe reads it for the first time: a damaged table never gives a
 * value, but SD_ECHECKSUM. */
enum {
  /** Compare all checksums now. */
  SD_OPEN_CHECK = 1,
  /** Read the file into memory instead of mapping it. A mapped file must not be written to while it is open: what
   * was compared once is not compared again, and if the file becomes shorter the system ends the process (SIGBUS).
   * Files that are replaced by renaming, as this library writes them, do no harm. */
  SD_OPEN_COPY = 2,
  /** Compare no checksum but the header's. Wrong values from damaged files are then possible. */
  SD_OPEN_UNSAFE_NO_CHECKSUMS = 4,
  /** Keep decoded blocks of general compressors, at most SD_CACHE_BYTES of them: reading then takes a lock and may
   * ask for memory, and is some thousand times faster where blocks are long. */
  SD_OPEN_CACHE = 16
};
#define SD_CACHE_BYTES ((uint64_t) 256 << 20)
/** SD_EINVAL: SD_OPEN_CHECK with SD_OPEN_UNSAFE_NO_CHECKSUMS. */
SD_API int sd_table_open (const char *path, unsigned flags, sd_table **out, sd_error *err);
/** name: for messages. data must stay valid until close. */
SD_API int sd_table_open_memory (const uint8_t *data, size_t len, const char *name, unsigned flags, sd_table **out,
                          sd_error *err);
SD_API void sd_table_close (sd_table *t);
/** All checksums, with the place of the first that differs. Reads the whole file. */
SD_API int sd_table_check (const sd_table *t, sd_error *err);

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
  bool joint;      /* in one stream: the bytes and parts of both are told as White's */
  uint64_t bytes;  /* of the whole file */
  struct {
    const sd_layout *layout;
    const sd_indexer *indexer;
    const sd_codec *codec;
    const sd_decoder *decoder;
    const sd_value *map;
    unsigned main; /* entries of map */
    uint64_t slots, stream_bytes;
    sd_codec_parts parts;
  } side[2];
} sd_table_info;
SD_API void sd_table_describe (const sd_table *t, sd_table_info *out);
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
/** Are there positions that only one ply of all moves restores? */
static inline bool sd_table_info_by_moves (const sd_table_info *info) {
  return info->sides + 1 != 1u << info->nsides || (info->freedom & SD_FREE_WIN);
}
/** "KRvKP.wdl.sdt"; out needs 32 bytes. */
SD_API void sd_table_file_name (const sd_material *m, enum sd_metric metric, char *out);

/* ----------------------------------------------------------------- probing */

/** The tables found on a path, all opened (mapped) at once, those of other games too: they are counted and
 * found, not probed here. Immutable afterwards: probes take no lock, allocate nothing (with codec repair) and
 * may run in any number of threads. Every file named MATERIAL.METRIC.sdt or GAME-SLICE.METRIC.sdt of each
 * folder counts, other names are passed over; earlier folders win. A file that cannot be opened, or holds
 * another table than its name says, does not disturb the others: probes that need it fail with its reason (a
 * sound copy in a later folder is not used instead). path NULL or "": no tables. A folder that is not there is
 * passed over, see sd_tables_absent; SD_ENOENT: there is none of them. SD_OPEN_CACHE: all share one cache. */
typedef struct sd_tables sd_tables;
SD_API int sd_tables_open (const char *path, unsigned flags, sd_tables **out, sd_error *err);
/** Folder number i of those in the path that are not there, NULL beyond the last. */
SD_API const char *sd_tables_absent (const sd_tables *ts, unsigned i);
/** Put an already open table in front of the one of the same material and metric; not owned. Not thread-safe.
 */
SD_API int sd_tables_use (sd_tables *ts, const sd_table *t);
SD_API void sd_tables_close (sd_tables *ts);
SD_API const sd_table *sd_tables_find (const sd_tables *ts, const sd_material *m, enum sd_metric metric);
/** The table of a slice of another game, by name[] and slice[] of g; NULL: none, or it is unusable, and then
 * *problem says why (problem may be NULL). One comparison for each table: look once for a slice, not once for
 * a probe. */
SD_API const sd_table *sd_tables_find_game (const sd_tables *ts, const sd_table_game *g, enum sd_metric metric,
                                     const sd_error **problem);
SD_API unsigned sd_tables_count (const sd_tables *ts);
/** Number i in the order of discovery (folders as given, names sorted, then what was handed over); NULL: that
 * file is unusable. path (may be NULL): its name, NULL for what was handed over. */
SD_API const sd_table *sd_tables_at (const sd_tables *ts, unsigned i, const char **path);
/** Why table i is unusable; NULL: it is usable. */
SD_API const sd_error *sd_tables_problem (const sd_tables *ts, unsigned i);

/** Result for the side to move: -1, 0, 1. SD_ENOENT: a needed table is missing (err names it); SD_EFORMAT,
 * SD_ECHECKSUM: damaged; SD_EINVAL: not legal, or more than SD_MAX_MEN men. err may be NULL. En-passant rights are
 * honoured; an en-passant square on which nothing can be captured is none. Any colour may be the stronger one.
 * A WDL probe without a WDL table uses the signs of a DTM table that is complete by itself (SD_CODING_SIGNED). */
SD_API int sd_probe_wdl (const sd_tables *ts, const sd_pos *p, int *wdl, sd_error *err);
SD_API int sd_probe_dtm (const sd_tables *ts, const sd_pos *p, sd_value *value, sd_error *err);

/* ------------------------------------------------------- verifying, dumping */

/** With SD_DTM tables: each value equals what follows from its successors' values (mate, stalemate, best
 * move, en passant); with SD_WDL tables likewise for results. Message: the first FEN that fails and both
 * values (SD_EDIFF). Uses OpenMP. Successors in smaller endings are taken from ts, which need not hold t. For
 * distances this proves the table, given right smaller ones. For results it does not: positions that call
 * each other won around a cycle are consistent too; therefore the signs of a DTM table of the same ending, if
 * ts has one with its successors, are compared as well. Memory: 2 bytes a slot and side of t and of every
 * ending it needs. */
SD_API int sd_table_verify (const sd_tables *ts, const sd_table *t, const sd_progress *progress, sd_error *err);
/** What has been verified: legal positions, of all sides to move; were results compared with distances, too? */
typedef struct sd_verified {
  uint64_t positions;
  bool signs;
} sd_verified;
/** The same, and what it was; *out is set on success. */
SD_API int sd_table_verify_told (const sd_tables *ts, const sd_table *t, const sd_progress *progress,
                          sd_verified *out, sd_error *err);
/** The plain layout of DESIGN: White to move, then Black, 64^men int16 each, index ((sq0*64 + sq1)*64 + ...),
 * every slot restored exactly; SD_ILLEGAL where no legal position. Written through `out`. */
SD_API int sd_table_dump (sd_exacts *s, const sd_material *m, sd_outfile *out, const sd_progress *progress,
                   sd_error *err);
/** Counts over the positions that are unique up to symmetry. */
typedef struct sd_counts {
  uint64_t positions, won, drawn, lost;
  sd_value longest_win, longest_loss; /* 0: none */
} sd_counts;
SD_API void sd_exact_count (const sd_exact *e, unsigned side, sd_counts *out);

/* --------------------------------------------------------------- searching */

/** What a search tries with a codec; the list ends with the first NULL. trials.c */
typedef struct sd_trials {
  const char *codec;
  const char *settings[8]; /* from fast to small, as sd_settings_parse reads them */
  const char *ways[8];     /* tried with the winner of the codec, each alone */
  const char *base;        /* goes with each of these, and is tried alone; NULL: nothing. Not for large tables */
  double gain;             /* `base`, or what a sample hides, may shrink a prediction to so much; 0: 1 */
  bool slow;               /* coded in one layout only, and not for large tables */
  bool whole;              /* layouts of its own, and a sample of slots tells nothing */
} sd_trials;
/** The row of a codec; NULL: it is never tried. */
const sd_trials *sd_codec_trials (const sd_codec *codec);
/** The codec and settings by which layouts are ranked. */
const sd_codec *sd_trials_ranking (const char **settings);

enum { SD_LOOKUP_FEATURES = 4 };
/** What the time of a lookup depends on: 1, slots of a block, its bytes, bits of a slot's number; means. */
void sd_lookup_features (const sd_decoder *d, double feature[SD_LOOKUP_FEATURES]);
/** Seconds that sd_codec_get takes at random slots (median, warm) by a model of the codec, which depends on
 * the stream alone: docs/latency.md. latency_model.c */
double sd_lookup_seconds (const sd_decoder *d);

/** What became of a codec in a search. */
typedef struct sd_search_row {
  const sd_codec *codec;
  unsigned side;      /* 0, 1; 2: one stream for both */
  sd_layout layout;   /* of the smallest that keeps the bound */
  char settings[96];  /* of it */
  uint64_t bytes;     /* of it; 0: none was coded whole, or none keeps the bound */
  uint64_t predicted; /* by a sample, the least of all settings; 0: not predicted */
  double seconds;     /* a lookup by the model; where bytes is 0 the fastest that was predicted */
  char why[128];      /* why there is none, or why coding ended; else empty */
  bool slow;          /* it is the bound that left it out */
} sd_search_row;
enum { SD_MAX_SEARCH_ROWS = 64 };
/** All of them; large tables: bytes are those of samples. */
typedef struct sd_search_report {
  uint64_t apart; /* bytes of two streams, one a side, where one for both could replace them; 0: it cannot */
  uint64_t joint; /* of the smallest stream for both that keeps the bound; 0: none was coded */
  char why[128];  /* why there is none; else empty */
  unsigned n;
  sd_search_row row[SD_MAX_SEARCH_ROWS];
} sd_search_report;

/** What sd_table_search may choose. All-zero: anything, no latency bound. */
typedef struct sd_search_options {
  double max_latency;       /* seconds, as sd_lookup_seconds tells; 0: no bound */
  sd_search_report *report; /* NULL: not asked for */
  bool fixed_codec;   /* keep the codec and its settings in the spec; search order, leader, numbering and
                         filling only */
  const char *fixed;  /* fixed_codec: settings that are kept in any case, as sd_settings_parse reads them;
                         NULL: none */
  uint64_t large;     /* tables of more slots are never judged whole, see sd_table_search; 0: 2^26 */
} sd_search_options;
/** Fill in each stored side's (SD_SIDES_ONE: both sides') layout, codec and settings of `spec` (material,
 * metric, coding, freedom and a starting codec given) with the smallest found: all orders of the groups with
 * a cheap coder (in a sample if there are more than 4 million slots), then leaders and numberings around the
 * best orders. In the best of these each codec's trials (sd_codec_trials) are predicted by a sample; what is
 * much larger than the best or slower than the bound is left out, the rest is coded whole in the best layouts,
 * and the smallest of each codec that is close with other settings. What cannot be coded (SD_ENOMEM, SD_ERANGE)
 * drops out and does not end the search. No clock is read: the result depends on the arguments alone. Diagrams
 * (codec obdd, free or fixed; of large tables only if fixed): layouts are varied one thing at a time and coded
 * whole, then `sums`, `polish` and `clusters` are tried, each alone. Where both sides are to be stored, one
 * stream for both is predicted from the codecs, layouts and settings that did best for the sides, and coded
 * where it may win (not of large tables); spec->sides becomes SD_SIDES_JOINT if it is smaller (SD_SIDES_JOINT
 * given: only that, with any codec). Large tables: finalists and initial replacements in samples as well, and
 * no slot is judged but those of the samples. Uses OpenMP. SD_ENOENT: nothing can be chosen; the message says
 * what the bound left out, what failed, and what is not in this build. */
SD_API int sd_table_search (const sd_exacts *s, const sd_exact *e, const sd_search_options *how, sd_table_spec *spec,
                     const sd_progress *progress, sd_error *err);

#ifdef __cplusplus
}
#endif

#endif
