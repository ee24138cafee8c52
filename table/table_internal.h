/** \file table_internal.h
 * The open table and the formats of files, a row each; what whoever restores values asks of a table. */
#ifndef SD_TABLE_INTERNAL_H
#define SD_TABLE_INTERNAL_H

#include "codecs/blocks/blocks.h"
#include "table/table.h"
#include <limits.h>

/* --------------------------------------------------------------- restoring */

/** Which moves a prober looks up before it believes a stored symbol; 0: none. */
static inline enum sd_move_class sd_freedom_classes (unsigned freedom) {
  const unsigned moves = ((freedom & SD_FREE_CAPTURE) ? (unsigned) SD_MOVES_CAPTURES : 0)
                         | ((freedom & SD_FREE_PROMOTION) ? (unsigned) SD_MOVES_PROMOTIONS : 0);
  return (enum sd_move_class) (moves | (moves && (freedom & SD_FREE_QUEEN) ? (unsigned) SD_MOVES_QUEENS : 0));
}

/** What is left of a freedom that a table is to have: what means something for its coding and its men (of
 * another game: none are known). */
static inline unsigned sd_freedom_kept (unsigned freedom, enum sd_coding coding, const sd_material *m) {
  /* White to move stands for both sides of equal material. */
  if (sd_material_symmetric (m))
    freedom = (freedom & ~SD_FREE_ONE_SIDE) | (freedom & SD_FREE_CHECK_WHITE ? SD_FREE_CHECK : 0)
              | (freedom & SD_FREE_EVIDENT_WHITE ? SD_FREE_EVIDENT : 0);
  return freedom & sd_freedom_of_coding (coding)
         & ~(sd_material_has_pawns (m) ? 0u : (unsigned) SD_FREE_QUEEN);
}

/** sd_metric_rank of plies. */
static inline int sd_value_rank (sd_value v) {
  return v > 0 ? SD_RANK_SOON - v : v < 0 ? -SD_RANK_SOON - v : 0;
}

/* -------------------------------------------------------------- open tables */

/** Does restoring look at sub-endings? */
static inline bool sd_table_info_looks (const sd_table_info *info) {
  return sd_freedom_classes (info->freedom) || sd_table_info_by_moves (info);
}

/** What the name of a file says that it holds. */
typedef struct sd_holding {
  sd_table_game game; /* without a name: chess */
  sd_material material;
  enum sd_metric metric;
} sd_holding;

/** The row of a format. What it opens is read through sd_side alone: slots by sd_side_slot, numbers by the
 * decoder, which a format makes (its own struct with sd_decoder first), values by the map. It promises that
 * maps never hold SD_ILLEGAL (a slot that is free has some value), that decoders give symbols below `main` or
 * fail, and that all stored sides have slots, map and decoder. It need have no layout, indexer or codec. */
struct sd_format {
  const char *name;                                      /* the last part of a file's name */
  bool (*matches) (const char *file, sd_holding *holds); /* is it a name of a table in this format? */
  /** The name of a file that holds this; false: this format has none. */
  bool (*file_name) (const sd_holding *holds, char out[SD_GAME_FILE_NAME]);
  int (*open) (sd_table *t, unsigned flags, sd_error *err); /* t->data[0..len-1] -> t->info */
  void (*close) (sd_table *t);                              /* what open left in t->own; NULL: nothing */
  int (*check) (const sd_table *t, sd_error *err);          /* all checksums; NULL: it has none */
  /** A line about part i of what holds a stored side; false: there are no more. NULL: nothing to say. */
  bool (*say_part) (const sd_table *t, unsigned side, unsigned i, char *out, size_t cap);
  /** Coded sides (NULL: not stored), joined if it is one stream, appended to *out; NULL: it is only read. */
  int (*write) (const sd_table_spec *spec, const sd_subdefined *const data[2], const sd_progress *progress,
                sd_buf *out, sd_error *err);
};
extern const sd_format *const sd_formats[]; /* NULL-terminated; the first is what this program writes */

/** The format of a file of this name, which says what it holds; NULL: not the name of a table. */
const sd_format *sd_format_of (const char *file, sd_holding *holds);

/** "KRvKP.wdl" or "draughts-KKvM.dtm" before `ending` (".sdt"). For sd_format.matches and file_name. */
bool sd_holding_parse (const char *file, const char *ending, sd_holding *out);
void sd_holding_print (const sd_holding *s, const char *ending, char out[SD_GAME_FILE_NAME]);

/** Does the word look like the name of a table's file, such as KRvKP.wdl.sdt? The suffixes of the formats
 * tell. */
bool sd_format_names (const char *word);
bool sd_holding_equal (const sd_holding *a, const sd_holding *b);

/** The name of a file that holds this, in the format that this program writes. */
void sd_holding_file_name (const sd_holding *s, char out[SD_GAME_FILE_NAME]);

/** The same, syzygy: of the Syzygy file that would hold it, if one could. */
void sd_holding_name (const sd_holding *s, bool syzygy, char out[SD_GAME_FILE_NAME]);
void sd_table_holding (const sd_table_info *info, sd_holding *out);

/** The file of this table in the first folder of a colon-separated path that has one, in any format that its
 * name could have, syzygy: in Syzygy's alone; *out is malloced, NULL: none has it. SD_ENOMEM. */
int sd_path_find_table (const char *path, const sd_holding *what, bool syzygy, char **out, sd_error *err);

extern const sd_format sd_format_sdt, sd_format_rtbw, sd_format_rtbz;

/** sd_format.write of the container. */
int sd_container_write (const sd_table_spec *spec, const sd_subdefined *const data[2],
                        const sd_progress *progress, sd_buf *out, sd_error *err);

/** Where the parts of a file stand: the header's first byte and that behind its last; of each stream its
 * codec's number, its length and its checksums in the header, and itself. For programs that damage files on
 * purpose. */
typedef struct sd_sdt_places {
  size_t header, end;
  size_t sums[2], codec[2], length[2], stream[2];
  uint64_t bytes[2];
  bool there[2];
} sd_sdt_places;

/** Without a look at any checksum. False: streams do not follow a header that can be read; `end` is 0 if
 * there is none. */
bool sd_sdt_find_places (const uint8_t *data, size_t len, sd_sdt_places *out);
#define SD_MAGIC "\x89SDT"
#define SD_MAGIC_BYTES 4
/* The highest that is read. Written is the lowest that knows what a table needs: 2 where states of another
 * game than chess are left to its conversions, 3 where positions that no move leads to are free, 4 for the
 * metrics under the 50-move rule, 5 where promotions to less than a queen free nothing, 6 for the metrics
 * that came later, which have a byte, 7 where positions in check are free, 8 where evident ones are, 9 where
 * streams are in pieces of fewer slots than a codec takes at once. */
#define SD_VERSION 9
/* Of a table whose streams are whole, or in pieces of as many slots as a codec takes at once. */
static inline unsigned sd_version_of (enum sd_metric metric, bool game, unsigned freedom) {
  return freedom & SD_FREE_EVIDENTS                      ? 8
         : freedom & SD_FREE_CHECKS                      ? 7
         : metric > SD_DTZ50                             ? 6
         : freedom & SD_FREE_QUEEN                       ? 5
         : sd_metric_has_rule (metric)                   ? 4
         : freedom & SD_FREE_UNREACHABLE                 ? 3
         : game && freedom & ~(unsigned) SD_FREE_ILLEGAL ? 2
                                                         : 1;
}

/** What a table is of and how, as the header holds it: metric, coding, stored sides, one stream for both. Up
 * to version 5 in one byte, which has two bits for the metric and three for the coding. */
typedef struct sd_kind {
  unsigned metric, coding, sides;
  bool joint;
} sd_kind;
static inline void sd_kind_put (const sd_kind *k, unsigned version, sd_buf *out) {
  const unsigned sides = k->sides << 4 | (unsigned) k->joint << 6;
  if (version < 6) {
    sd_buf_u8 (out, k->metric | (k->coding & 3) << 2 | sides | k->coding >> 2 << 7);
    return;
  }
  sd_buf_u8 (out, k->metric);
  sd_buf_u8 (out, k->coding);
  sd_buf_u8 (out, sides);
}

/** False: bits are set that mean nothing. */
static inline bool sd_kind_get (sd_reader *r, unsigned version, sd_kind *k) {
  const unsigned byte = sd_get_u8 (r);
  k->metric = version < 6 ? byte & 3 : byte;
  k->coding = version < 6 ? (byte >> 2 & 3) | byte >> 7 << 2 : sd_get_u8 (r);
  const unsigned sides = version < 6 ? byte : sd_get_u8 (r);
  k->sides = sides >> 4 & 3;
  k->joint = sides >> 6 & 1;
  return version < 6 || (sides & ~0x70u) == 0;
}

/** The sources of freedom; an unknown one is left to the caller, who knows the coding. */
static inline void sd_freedom_put (unsigned freedom, unsigned version, sd_buf *out) {
  if (version < 7)
    sd_buf_u8 (out, freedom);
  else
    sd_buf_varint (out, freedom);
}
static inline unsigned sd_freedom_get (sd_reader *r, unsigned version) {
  const uint64_t freedom = version < 7 ? sd_get_u8 (r) : sd_get_varint (r);
  return freedom > SD_FREE_KNOWN ? UINT_MAX : (unsigned) freedom;
}
_Static_assert(SD_DTZ50 == 3 && SD_CODING_ZEROING < 8, "what versions below 6 have bits for");
_Static_assert(SD_METRICS <= 256 && SD_CODINGS <= 256, "a byte each in the header");

struct sd_table {
  const sd_format *format;
  void *own;          /* the format's */
  sd_table_info info; /* side[i].layout and .map point below */
  sd_layout layout[2];
  sd_value *map[2];
  const uint8_t *data; /* the image */
  size_t len;
  sd_map file; /* data = NULL: opened from memory */
  char *name;  /* for messages */
  bool parts;  /* the image is read from `source` part by part, and so is what open reads of it */
  int source;
  uint64_t there; /* bytes of the image, from its start, that have been read in any case */
  struct {
    uint64_t offset;                     /* of the stream in the image */
    const uint8_t *sums;                 /* 4 bytes per chunk */
    const uint8_t *codec_at, *length_at; /* the header's words of them */
    sd_guard_file file;                  /* of the guard, if parts */
    sd_guard guard;                      /* without state: nothing is compared when it is read */
  } stream[2];
  const sd_decoder *joint; /* of one stream for both sides; the sides' own are windows of it */
  sd_block_cache *cache;   /* of decoded blocks; NULL: none are kept */
  bool owns_cache;
};

/** Pages of its file that are mapped and in memory go back to the system, where they are not wanted for a
 * while. */
static inline void sd_table_let_go (const sd_table *t) {
  sd_map_let_go (&t->file);
}

/** As sd_table_open; decoded blocks are kept in `cache`, which outlives the table, unless it is NULL. */
int sd_table_open_cached (const char *path, unsigned flags, sd_block_cache *cache, sd_table **out,
                          sd_error *err);

/** SD_EUNSUPPORTED: "NAME: WHY; 'subdef reformat ...' makes a table that can be read here". */
int sd_table_refuse_codec (const sd_table *t, const char *why, sd_error *err);

/** "White to move", "Black to move", "states": for messages. */
const char *sd_table_mover (const sd_table *t, unsigned side);

/** Do kind of table, metric, coding and freedom go together? SD_EINVAL. */
int sd_table_spec_check (const sd_table_spec *spec, sd_error *err);

/** Slots of one side decoded into out[0..n-1] as symbols, in file order, by all threads. SD_EFORMAT with the
 * place. */
int sd_table_read_all (const sd_table *t, unsigned side, sd_symbol *out, const sd_progress *progress,
                       const char *what, sd_error *err);

/** slot[k]: where the side has the placement of slot first + k of `to`; UINT64_MAX: nowhere. */
void sd_side_remap (const sd_side *s, const sd_indexer *to, uint64_t first, uint64_t count, uint64_t *slot);

#endif
