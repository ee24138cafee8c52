/** \file syzygy_write.h
 * Writing Syzygy files: what each slot may hold, the order of the men, streams, whole files. Uses repair/
 * (grammar.h) and subdef/ besides what reading uses. */
#ifndef SD_SYZYGY_WRITE_H
#define SD_SYZYGY_WRITE_H

#include "subdef/subdef.h"
#include "syzygy/syzygy.h"

/* ------------------------------------------------------------------ streams */

/** How hard to look, and what blocks may be like. */
typedef struct sd_syzygy_effort {
  unsigned rounds, restarts, slack; /* of sd_grammar_rules */
  /** Streams of at most so many slots get these restarts and this slack instead, and wide rounds. */
  uint64_t small;
  unsigned small_restarts, small_slack, wide_rounds;
  unsigned trial_rounds; /* of sd_grammar_rules, for orders of the men that are tried on all slots */
  unsigned orders;     /* orders of the men that are coded as they will be written, from 1 on */
  const char *initial; /* of sd_grammar_rules */
  unsigned least_block_bits, block_bits; /* bytes of a block as powers of two, 5 to 16 */
  /** Streams of more slots than `large` get their dictionary from `sample` slots at most, in one order, by
   * these rounds, restarts, wide rounds, slack and lead (of sd_grammar_rules); 0: none do. */
  uint64_t large, sample;
  unsigned large_rounds, large_restarts, large_wide_rounds, large_slack, large_lead;
  uint64_t at_most;     /* files of so many bytes or more are not written; 0: all are */
  unsigned most_single; /* the largest value that a stream of one value may have; sd_syzygy_write_wdl and its
                           like choose it */
} sd_syzygy_effort;
static inline bool sd_syzygy_is_large (const sd_syzygy_effort *e, uint64_t slots) {
  return e->large && slots > e->large;
}
enum { SD_SYZYGY_SMALL = 1 << 22, SD_SYZYGY_LARGE = 5 << 22, SD_SYZYGY_SAMPLE = 1 << 24 };

/** What both efforts for WDL streams share. */
#define SD_SYZYGY_WDL_SHARED                                                                                 \
  .rounds = 3, .small = SD_SYZYGY_SMALL, .small_slack = 150, .wide_rounds = 4, .slack = 60,                  \
  .trial_rounds = 1, .initial = "ternary", .least_block_bits = 5, .block_bits = 6, .large = SD_SYZYGY_LARGE, \
  .sample = SD_SYZYGY_SAMPLE, .large_rounds = 6, .large_restarts = 1, .most_single = 4

/** What takes a quarter of an hour of CPU time for all endings with 3 and 4 men, and one to two seconds a
 * million slots of a large stream. */
#define SD_SYZYGY_WDL_EFFORT                                                                                 \
  ((sd_syzygy_effort){ SD_SYZYGY_WDL_SHARED, .orders = 1, .restarts = 3, .small_restarts = 6,                \
                       .large_lead = 512 })

/** More of it: two orders and four times the new starts for small streams; wide rounds and slack for large
 * ones, which take ten times as long, for some 4 % less. */
#define SD_SYZYGY_WDL_HIGH                                                                                   \
  ((sd_syzygy_effort){ SD_SYZYGY_WDL_SHARED, .orders = 2, .restarts = 6, .small_restarts = 24,               \
                       .large_wide_rounds = 2, .large_slack = 60 })
#define SD_SYZYGY_DTZ_EFFORT                                                                                 \
  ((sd_syzygy_effort){ .rounds = 3,                                                                          \
                       .restarts = 1,                                                                        \
                       .orders = 1,                                                                          \
                       .initial = "ternary",                                                                 \
                       .least_block_bits = 5,                                                                \
                       .block_bits = 10,                                                                     \
                       .large = SD_SYZYGY_LARGE,                                                             \
                       .sample = SD_SYZYGY_SAMPLE,                                                           \
                       .large_rounds = 3,                                                                    \
                       .large_restarts = 1,                                                                  \
                       .large_lead = 512 })

/** One stream as the parts of a file hold it. A stream of one value has a value only. */
typedef struct sd_syzygy_stream {
  bool single;
  unsigned value, flags; /* flags: those of a DTZ stream, which an encoder leaves 0 */
  sd_buf header;         /* from the size of blocks on to the symbols, without the flags in front */
  sd_buf sparse, lengths, data;
} sd_syzygy_stream;

/** Code the slots: main symbol v is the stored value v. Of the sizes of blocks that `effort` allows the one
 * that takes least. SD_EINVAL: no slots, sizes out of range; SD_ERANGE: values above 4095 or more than the
 * format has symbols; SD_ENOMEM. *out is to be cleared. Thread-safe; uses OpenMP. */
int sd_syzygy_encode (const sd_seq *slots, const sd_syzygy_effort *effort, sd_syzygy_stream *out,
                      sd_error *err);
void sd_syzygy_stream_clear (sd_syzygy_stream *s);

/** Bytes that a stream takes, but for what aligns it. */
uint64_t sd_syzygy_stream_bytes (const sd_syzygy_stream *s);

/* -------------------------------------------------------------------- slots */

/** Values of positions, whence they may come. */
typedef struct sd_syzygy_source {
  const void *ctx;
  /** The value for the player to move of a legal position, right to capture en passant honoured, of the
   * ending or of one that captures lead to, KvK too, and for DTZ also promotions: 0 lost, 1 lost but for the
   * 50 moves, 2 drawn, 3, 4 won. Thread-safe.
   */
  int (*wdl) (const void *ctx, const sd_pos *p, unsigned *value);
  /** Plies to the next capture, pawn move or mate, 0 of a mated player; more than 100 of
   * cursed wins and blessed losses. Only sd_syzygy_write_new_dtz asks, of positions of the ending that are no
   * draws. Thread-safe. */
  int (*dtz) (const void *ctx, const sd_pos *p, unsigned *plies);
} sd_syzygy_source;

/** What each slot of a sub-table may hold. All but seq.sym and seq.n say which slots are meant, and are set
 * before these are made. The alphabet is shared by all of a file. */
typedef struct sd_syzygy_slots {
  sd_syzygy_index index;
  sd_material material;
  unsigned side;
  sd_seq seq;
} sd_syzygy_slots;

/** What the slot of a placement may hold. p may be no legal position. Thread-safe. */
typedef int (*sd_syzygy_symbol_of) (const void *ctx, const sd_pos *p, const uint8_t *sq, sd_symbol *out);

/** Ask for each slot of an index: out[0..ix->slots-1]. What `of` fails with. Uses OpenMP. */
int sd_syzygy_each_slot (const sd_syzygy_index *ix, const sd_material *m, unsigned side,
                         sd_syzygy_symbol_of of, const void *ctx, sd_symbol *out);

/** The values of a WDL file and the sets "up to a value". To be freed with sd_alphabet_free. SD_ENOMEM. */
int sd_syzygy_wdl_alphabet (sd_alphabet **out);

/** Which values readers turn into the right one. They take the better of what is stored and of the best
 * capture, so that a slot may hold anything up to the value if a capture reaches it, and anything at all if
 * that is a win, or if no legal position stands there. Uses OpenMP. What source->wdl fails with; SD_EDIFF: a
 * capture is better than its position; SD_ENOMEM. */
int sd_syzygy_wdl_slots (sd_syzygy_slots *s, const sd_syzygy_source *source, sd_error *err);

/** The values that a DTZ file stores, and all of them as the last symbol. SD_ENOMEM, SD_EINVAL: too many. */
int sd_syzygy_dtz_alphabet (const sd_syzygy *old, sd_alphabet **out);

/** Which stored values mean the same as those of another DTZ file of the ending. As sd_syzygy_wdl_slots. */
int sd_syzygy_dtz_slots (sd_syzygy_slots *s, const sd_syzygy *old, const sd_syzygy_source *source,
                         sd_error *err);

/** The values 0 to `most`, and all of them as the last symbol. As sd_syzygy_dtz_alphabet. */
int sd_syzygy_stored_alphabet (unsigned most, sd_alphabet **out);

/** Is a legal position of this value (0 to 4) a win that a capture or a pawn move keeps? What source->wdl
 * fails with. Thread-safe. */
int sd_syzygy_wins_at_once (const sd_pos *p, unsigned value, const sd_syzygy_source *source, bool *yes);

/** What the numbers of a DTZ file that is made anew mean. */
typedef struct sd_syzygy_meaning {
  sd_syzygy *head; /* material, side, flags, maps, and the first order of the men; no streams */
  sd_buf maps[SD_SYZYGY_FILES];
  uint16_t *answer[SD_SYZYGY_FILES]; /* what each slot in this order has to tell */
  uint16_t *place;                   /* the stored value by sub-table, result and number */
  unsigned most;                     /* the largest stored value */
} sd_syzygy_meaning;

/** Ask for the values of all positions with `side` to move. *m is zero before, and to be cleared whatever
 * comes. What the source fails with; SD_ERANGE: its values are none, or contradict each other; SD_ENOMEM.
 * Two bytes a slot. Uses OpenMP. */
int sd_syzygy_meaning_init (sd_syzygy_meaning *m, const sd_material *material, unsigned side,
                            const sd_syzygy_squares *squares, const sd_syzygy_source *source, sd_error *err);
void sd_syzygy_meaning_clear (sd_syzygy_meaning *m);

/** Choose rounding and maps, once. SD_ERANGE: more distances than a file can tell apart; SD_ENOMEM. */
int sd_syzygy_meaning_settle (sd_syzygy_meaning *m, sd_error *err);

/** As sd_syzygy_dtz_slots, with values from the source, or, if that is NULL and the order the first one, with
 * those that sd_syzygy_meaning_init got. SD_EDIFF: the source says now what it did not say then. */
int sd_syzygy_meaning_slots (const sd_syzygy_meaning *m, sd_syzygy_slots *s, const sd_syzygy_source *source,
                             sd_error *err);

/** Append the maps of a DTZ file as they stand in it. SD_ENOMEM. */
int sd_syzygy_dtz_maps (const sd_syzygy *old, sd_buf *out);

/** The same in another order of the men; `pieces` runs of `length` slots from equal parts of it, or all of it
 * where pieces is 0 or the runs would not fit. SD_ENOMEM. */
int sd_syzygy_slots_reorder (const sd_syzygy_slots *from, const sd_syzygy_index *ix, uint64_t pieces,
                             uint64_t length, sd_syzygy_slots *out, sd_error *err);
void sd_syzygy_slots_clear (sd_syzygy_slots *s);

/* ------------------------------------------------------------------- orders */

enum { SD_SYZYGY_MAX_ORDERS = 4096 };

/** All orders that an ending may have; how many there are, at most `cap` of which are written. */
unsigned sd_syzygy_orders (const sd_material *m, sd_syzygy_order *out, unsigned cap);

/** The order in which the slots take least, by quick trials, and the stream in this order. *stream is to be
 * cleared. Uses OpenMP. */
int sd_syzygy_best_order (const sd_syzygy_slots *from, const sd_syzygy_effort *effort, sd_syzygy_order *out,
                          sd_syzygy_stream *stream, sd_error *err);

/* -------------------------------------------------------------------- files */

/** All parts of a file. */
typedef struct sd_syzygy_parts {
  enum sd_syzygy_kind kind;
  sd_material material; /* canonical */
  unsigned files, streams;
  sd_syzygy_order order[SD_SYZYGY_FILES][2];
  sd_syzygy_stream stream[SD_SYZYGY_FILES][2];
  sd_buf maps; /* DTZ: as they stand in the file */
} sd_syzygy_parts;

/** Append the file's bytes, its checksum at the end. SD_ENOMEM. */
int sd_syzygy_image (const sd_syzygy_parts *p, sd_buf *out, sd_error *err);
void sd_syzygy_parts_clear (sd_syzygy_parts *p);

/** Do the values of one stream of an open file lie in the sets of its slots? SD_EDIFF names the first slot
 * that differs, SD_EFORMAT one that cannot be read. */
int sd_syzygy_compare (const sd_syzygy *file, unsigned sub_table, unsigned stream, const sd_seq *slots,
                       sd_error *err);

/** The whole job: what the slots may hold, the best orders, streams, the file under a temporary name, read
 * back and compared slot by slot, its name. *bytes: of the file. One that is not written,
 * being as large as effort->at_most, is no failure. On any failure nothing is left at `path` that was not
 * there before. Memory: four bytes a slot of the largest sub-table, the file, and what a dictionary is found
 * in: 12 bytes a slot of a sample; of a stream that is not large (sd_syzygy_effort) 12, and while orders are
 * tried 4 for each thread, 16 at most; and the pairs of wide rounds, some 25 bytes a slot of KBPvKN, 216 at
 * most. Uses OpenMP; the same bytes for any number of threads. */
int sd_syzygy_write_wdl (const sd_material *m, const sd_syzygy_source *source, const sd_syzygy_effort *effort,
                         const char *path, uint64_t *bytes, sd_error *err);

/** The same of a DTZ file, with the values, maps, rounding and side of another one. */
int sd_syzygy_write_dtz (const sd_syzygy *old, const sd_syzygy_source *source, const sd_syzygy_effort *effort,
                         const char *path, uint64_t *bytes, sd_error *err);

/** The same of a DTZ file that is made anew: plies from source->dtz, the side to move of which the file is
 * smaller, maps, rounding. Wins that a capture or a pawn move keeps, and draws, are free. Memory: two bytes
 * more for each slot of all sub-tables. */
int sd_syzygy_write_new_dtz (const sd_material *m, const sd_syzygy_source *source,
                             const sd_syzygy_effort *effort, const char *path, uint64_t *bytes,
                             sd_error *err);

#endif
