/** \file array.h
 * Plain arrays with their freedom: values of 8 or 16 bits in some dimensions, and for each slot which values
 * it may hold. A *source* holds both, exactly; a *table* holds, with any codec, for each slot a value that
 * its source admits. Both are files NAME.sda (docs/format.md, section 10). Uses table/ for sd_subdefined. */
#ifndef SD_ARRAY_H
#define SD_ARRAY_H

#include "table/table.h"

/** The type of the values; the numbers stand in files. */
enum sd_array_type { SD_ARRAY_U8, SD_ARRAY_I8, SD_ARRAY_U16, SD_ARRAY_I16, SD_ARRAY_TYPES };
typedef struct sd_array_type_kind {
  const char *name;  /* on the command line */
  const char *descr; /* in the header of an .npy file */
  unsigned bytes;
  int32_t least, most;
} sd_array_type_kind;
extern const sd_array_type_kind sd_array_types[SD_ARRAY_TYPES];

/** The type of that name, or SD_ARRAY_TYPES. */
enum sd_array_type sd_array_type_find (const char *name);

#define SD_ARRAY_MAX_SLOTS ((uint64_t) 1 << 32)

/** The last dimension runs fastest. */
typedef struct sd_array_shape {
  enum sd_array_type type;
  unsigned ndims; /* 0 .. SD_MAX_DIMS; 0: one value, without an index */
  uint32_t dim[SD_MAX_DIMS];
  uint64_t n; /* their product, 1 .. SD_ARRAY_MAX_SLOTS */
} sd_array_shape;

/** Put n in place. SD_EINVAL: too many dimensions, one of 0, or too many slots. */
int sd_array_shape_set (sd_array_shape *s, sd_error *err);

/** The same dimensions; the types may differ. */
bool sd_array_same_dims (const sd_array_shape *a, const sd_array_shape *b);

/** "64,64,12". SD_EINVAL. */
int sd_array_shape_parse (const char *text, sd_array_shape *s, sd_error *err);
void sd_array_shape_text (const sd_array_shape *s, char out[192]);

/** "slot 77 (1,2,3)": for messages. */
void sd_array_slot_text (const sd_array_shape *s, uint64_t i, char out[224]);

/** The value that a number of a map stands for. An sd_value has a sign; a value of type U16 stands in it with
 * the same 16 bits. */
static inline int32_t sd_array_value (enum sd_array_type type, sd_value v) {
  return type == SD_ARRAY_U16 ? (uint16_t) v : v;
}

/* ----------------------------------------------------------------- sources */

/** What is free, slot by slot. At most one of three is given: mask; set with list; low or high, or both.
 * None: nothing is free. */
typedef struct sd_array_freedom {
  const uint8_t *mask;       /* [n]: not 0: any value */
  const uint16_t *set;       /* [n]: for each slot the number of its set */
  const char *list;          /* the sets, one a line, as `1,2,10-20` or `*`; set number k is line k, from 0 */
  const char *list_name;     /* for messages */
  const int32_t *low, *high; /* [n], inclusive; either may be NULL: no bound */
} sd_array_freedom;

/** Subdefinite data: value[0..n-1] and what they may be instead. The values that slots may hold are those
 * that stand in slots which are not altogether free: sets and bounds are cut to these. A value must lie in
 * its own set. SD_EFORMAT names the slot that is wrong, or the line of the list; SD_ERANGE: more than
 * SD_MAX_MAIN different values, or more than SD_MAX_SYMBOLS with sets, or a list of more than 65536 sets.
 * (source.c) */
int sd_array_subdefine (const sd_array_shape *s, const int32_t *value, const sd_array_freedom *free_slots,
                        sd_subdefined **out, sd_error *err);

/** A Boolean function of some outputs from a text of Berkeley's PLA format, its types f, fd and fr; '-' in
 * outputs and what the type leaves open is free. The first dimension is the output; then one of 2 for each
 * input, the first one first, or one for all where there are too many. Values 0, 1. name: for messages.
 * SD_EFORMAT names the line. (pla.c) */
int sd_array_pla (const char *text, size_t len, const char *name, sd_array_shape *s, sd_subdefined **out,
                  sd_error *err);

/** Test cubes of circuits: lines of 0, 1 and X (also x and -), all of one width; X is free. The cubes are the
 * first dimension, the bits of a cube the last. Values 0, 1. name: for messages. SD_EFORMAT names the line.
 * (cubes.c) */
int sd_array_cubes (const char *text, size_t len, const char *name, sd_array_shape *s, sd_subdefined **out,
                    sd_error *err);

/** Is it text of cubes, of which some bit near its start is free? */
bool sd_cubes_is (const char *text, size_t len);

/** What a file holds, by its first bytes whatever its name: the magic of .npy; the first words of a PLA;
 * lines of cubes; nothing of these, so that raw numbers must be asked for. (plain.c) */
enum sd_array_form { SD_ARRAY_NPY, SD_ARRAY_PLA, SD_ARRAY_CUBES, SD_ARRAY_RAW };
enum sd_array_form sd_array_form_of (const uint8_t *data, size_t len);

/** Numbers from a file. (plain.c) */
typedef struct sd_array_plain {
  sd_array_shape shape;
  int32_t *value; /* [n]; free () it */
} sd_array_plain;

/** What is wanted of them. */
typedef struct sd_array_want {
  const sd_array_shape *shape; /* NULL: any, and raw numbers have one dimension */
  enum sd_array_type raw; /* SD_ARRAY_TYPES: 8 or 16 bits without a sign, as the size of the file tells */
  enum sd_array_type npy; /* all values must fit; SD_ARRAY_TYPES: its own type (of Booleans u8), of numbers of
                                  more than 16 bits the first one in which all values fit */
  bool as_raw;            /* whatever the bytes look like */
} sd_array_want;

/** .npy by its first bytes or its name, else raw little-endian numbers; a PLA has none. SD_EFORMAT. */
int sd_array_plain_read (const char *path, const sd_array_want *want, sd_array_plain *out, sd_error *err);

/* ------------------------------------------------------------------- files */

/** An open file of an array: read-only, thread-safe. */
typedef struct sd_array sd_array;
typedef struct sd_array_info {
  sd_array_shape shape;
  bool source;         /* it holds the freedom */
  unsigned main, sets; /* different values; sets of more than one of them (source) */
  unsigned version;
  const sd_codec *codec;
  uint64_t bytes, stream_bytes; /* of the file, of its stream */
  sd_codec_parts parts;
} sd_array_info;

/** Does the name end in ".sda"? */
bool sd_array_is (const char *path);

/** flags: 0 or SD_OPEN_CHECK. (open.c) */
int sd_array_open (const char *path, unsigned flags, sd_array **out, sd_error *err);

/** data must stay valid until close; name: for messages. */
int sd_array_open_memory (const uint8_t *data, size_t len, const char *name, unsigned flags, sd_array **out,
                          sd_error *err);
void sd_array_close (sd_array *a);
SD_LEFT_BY (sd_array, sd_array_close)
void sd_array_describe (const sd_array *a, sd_array_info *out);

/** All checksums. SD_ECHECKSUM. */
int sd_array_check (const sd_array *a, sd_error *err);

/** out[0..count-1] = values of the slots first .. first + count - 1, all below n; of a source the least value
 * that a slot may hold. */
int sd_array_read (const sd_array *a, uint64_t first, uint64_t count, int32_t *out, sd_error *err);

/** The same of slot i alone, which is below n. */
int sd_array_get (const sd_array *a, uint64_t i, int32_t *out, sd_error *err);

/** What slot i of a source may hold: "7", "3-5,9", "*"; of a table its value. */
int sd_array_slot (const sd_array *a, uint64_t i, char *out, size_t cap, sd_error *err);

/** All of it as subdefinite data; of a table each slot has one value. SD_ERANGE: more slots than so
 * short a file may bring into memory. Its metric is SD_NO_METRIC and its coding SD_NO_CODING. */
int sd_array_load (const sd_array *a, sd_subdefined **out, sd_error *err);

/** The first slot of `a` whose value the source does not admit, or another shape: SD_EDIFF. `a` may be a
 * source, which must be the same then. */
int sd_array_compare (const sd_array_shape *s, const sd_subdefined *source, const sd_array *a, sd_error *err);

/** How a table is coded. */
typedef struct sd_array_codec {
  const sd_codec *codec; /* NULL: d is written as a source */
  sd_settings settings;
} sd_array_codec;

/** The smallest that the codecs' trials give. `bytes`: [n of sd_codec_all] what each took, 0: it cannot; may
 * be NULL. (build.c) */
int sd_array_search (const sd_subdefined *d, const sd_progress *progress, sd_array_codec *out,
                     uint64_t *bytes, sd_error *err);

/** Code, write under a temporary name, read back, compare each slot with d, rename. */
int sd_array_write (const sd_array_shape *s, const sd_subdefined *d, const sd_array_codec *how,
                    const char *path, const sd_progress *progress, sd_error *err);

/** The bytes of such a file, appended to *out. */
int sd_array_image (const sd_array_shape *s, const sd_subdefined *d, const sd_array_codec *how,
                    const sd_progress *progress, sd_buf *out, sd_error *err);

/** The values as a plain file: .npy where the name ends so, else raw. */
int sd_array_export (const sd_array *a, const char *path, const sd_progress *progress, sd_error *err);

#endif
