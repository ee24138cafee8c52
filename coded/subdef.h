/** \file subdef.h
 * Coding data of one's own, <subdef/subdef.h> where it is installed: C11 and C++, nothing else to include.
 *   cc codec.c $(pkg-config --cflags --libs subdef)
 *
 * Data (sd_data) are slots that hold whole numbers, and for each slot what it may hold instead. A codec
 * chooses among these values what takes the fewest bytes. What it makes (sd_coded) answers for each slot with
 * one of the values that the slot may hold. Its bytes are a file NAME.sda as 'subdef reformat' writes it, so
 * that the commands info, get, verify, bench and export read what this library made, and the other way round
 * (docs/data.md; docs/format.md, section 10).
 *
 * A function that can fail returns a status and takes `message` and `room`: one sentence that says why, with
 * the slot or the setting, cut to `room` bytes with the final 0, or "" after a success; message NULL: none is
 * wanted. After a failure *out is NULL, and nothing has changed. NULL for something that is needed gives
 * SD_CODED_ARGUMENT, and from a function without a status what stands there. The library prints nothing,
 * reads no environment variable, ends no process and keeps no state of its own. Different objects may be used
 * by different threads at the same time, and so may one object by functions that take it as const; what frees
 * or closes it must run alone. Long loops use OpenMP; what is written is the same with any number of threads.
 */
#ifndef SUBDEF_SUBDEF_H
#define SUBDEF_SUBDEF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifndef SUBDEF_API
#define SUBDEF_API __attribute__ ((visibility ("default"))) /* what the shared libraries export */
#endif

/** What a call returns. */
enum sd_coded_status {
  SD_CODED_OK = 0,
  SD_CODED_ARGUMENT = 1,    /* NULL for something that is needed, a slot that is not there, an unknown flag */
  SD_CODED_VALUES = 2,      /* the data contradict themselves: a value that its own slot may not hold */
  SD_CODED_LIMIT = 3,       /* more slots, values or sets, or larger values, than can be coded */
  SD_CODED_CODEC = 4,       /* no such codec in this build, no such setting, or a value that it cannot have */
  SD_CODED_DAMAGED = 5,     /* the bytes are no such file, are cut off, or do not have their checksum */
  SD_CODED_UNSUPPORTED = 6, /* the bytes are of a newer version, or of a codec that this build has not */
  SD_CODED_DIFFERS = 7,     /* a slot holds what the data do not allow, or the shapes differ */
  SD_CODED_MEMORY = 8       /* out of memory */
};

/** The text of a status; never NULL. */
SUBDEF_API const char *sd_coded_text (int status);

/* -------------------------------------------------------------------- data */

/** The type of the values, which a file keeps. SD_DATA_FIT: the first of the others that holds all values. */
enum sd_data_type { SD_DATA_FIT = 0, SD_DATA_U8 = 1, SD_DATA_I8 = 2, SD_DATA_U16 = 3, SD_DATA_I16 = 4 };

/** Data as a caller has them; what is 0 or NULL is not given. At most one of three says what is free: mask;
 * set with sets; low or high, or both. Nothing is kept after the call. */
typedef struct sd_data_input {
  const int32_t *value; /* value[0..n-1]: what each slot holds, all within -32768..32767 or 0..65535 */
  uint64_t n;           /* slots, 1 .. 2^32 - 1 (with dimensions 2^32) */
  const uint32_t *dim;  /* dim[0..ndims-1], their product is n; the last runs fastest; some codecs use them */
  unsigned ndims;       /* at most 16; 0: one dimension */
  enum sd_data_type type;
  const uint8_t *mask;       /* mask[0..n-1]: not 0: the slot may hold any value */
  const uint16_t *set;       /* set[0..n-1]: the number of the slot's set, a line of `sets`, counted from 0 */
  const char *sets;          /* "*\n0,1\n5,10-20\n": values and ranges of the type with commas; *: any value */
  const int32_t *low, *high; /* [0..n-1]: the least and the largest value of the slot, both included */
} sd_data_input;

/** Data and their freedom: read-only once they are made. */
typedef struct sd_data sd_data;

/** Make data. A slot can get only values that stand in some slot which may not hold just anything; other
 * values are taken out of sets and bounds. SD_CODED_VALUES: the message names the slot, or the line of
 * `sets`, where a value outside the type (of SD_DATA_FIT that of the values) is a mistake, too;
 * SD_CODED_LIMIT: more than 2^32 slots, 4096 different values, or 16,384 values and sets together;
 * SD_CODED_ARGUMENT, SD_CODED_MEMORY. Takes time in proportion to n, and 2 bytes of memory a slot. */
SUBDEF_API int sd_data_new (const sd_data_input *in, sd_data **out, char *message, size_t room);

/** Data from the bytes of an .sda file: of a source, as 'subdef import' makes it, with what is free; of a
 * table each slot has one value. The bytes may come from anywhere, and are not kept. A short file can bring
 * at most 2^26 slots into memory, and 2^16 for each of its bytes; SD_CODED_LIMIT: it has more, which
 * sd_coded_open can read if it is no source. SD_CODED_DAMAGED, SD_CODED_UNSUPPORTED, SD_CODED_ARGUMENT,
 * SD_CODED_MEMORY. */
SUBDEF_API int sd_data_open (const void *bytes, size_t len, sd_data **out, char *message, size_t room);
SUBDEF_API void sd_data_free (sd_data *data); /* NULL does nothing */

typedef struct sd_data_info {
  uint64_t slots;
  uint64_t fixed;  /* slots that may hold one value only */
  unsigned values; /* different values that slots can get */
  unsigned sets;   /* different sets of more than one of them */
  enum sd_data_type type;
} sd_data_info;

/** data NULL: all members of *out are 0; out NULL does nothing. */
SUBDEF_API void sd_data_describe (const sd_data *data, sd_data_info *out);

/** 1: the slot may hold the value; 0: it may not, there is no such slot, or data is NULL. */
SUBDEF_API int sd_data_admits (const sd_data *data, uint64_t slot, int32_t value);

/** How short the values can be if words of `length` slots (1 .. 16) are coded one by one, always in the same
 * way: *bits is a lower bound for all slots together, the entropy of subdefinite data (Sholomov 2009;
 * docs/limits.md). The description of the code is not counted. SD_CODED_ARGUMENT: length; SD_CODED_LIMIT:
 * there are too many different words; SD_CODED_MEMORY. */
SUBDEF_API int sd_data_entropy (const sd_data *data, unsigned length, double *bits, char *message,
                                size_t room);

/* ------------------------------------------------------------------ codecs */

/** The name of codec number i of this build, "store", "repair", ...; NULL: there are no more. */
SUBDEF_API const char *sd_coded_codec (unsigned i);

/** What a codec is, in one line; NULL: this build has no codec of that name, or it is NULL. */
SUBDEF_API const char *sd_coded_codec_text (const char *codec);

/** A setting of a codec. The texts stay as long as the library is loaded. */
typedef struct sd_coded_setting {
  const char *key, *summary, *deflt;
  const char *words; /* "a|b|c": what it may be; NULL: a number, or a chain of words */
  long min, max;     /* of a number; min > max: it is no number */
} sd_coded_setting;

/** Setting number k of a codec. SD_CODED_ARGUMENT: there are no more, or out is NULL; SD_CODED_CODEC: no such
 * codec, or it is NULL. */
SUBDEF_API int sd_coded_setting_at (const char *codec, unsigned k, sd_coded_setting *out);

/** Check settings, "block=256,initial=full": out gets all settings of the codec with their values in one
 * order, cut to cap bytes (1280 suffice). settings NULL or "": the defaults. SD_CODED_CODEC,
 * SD_CODED_ARGUMENT. */
SUBDEF_API int sd_coded_settings (const char *codec, const char *settings, char *out, size_t cap,
                                  char *message, size_t room);

/* ------------------------------------------------------------------- coded */

/** Coded data: read-only once they are made or opened. */
typedef struct sd_coded sd_coded;

/** Code data. settings: as above. codec NULL: the smallest that all codecs of the build make with some
 * settings of theirs, which takes far longer; settings must be NULL then. Every slot is decoded and compared
 * with the data before *out is set. SD_CODED_CODEC, SD_CODED_LIMIT, SD_CODED_ARGUMENT, SD_CODED_MEMORY;
 * SD_CODED_DIFFERS is a mistake of the library. */
SUBDEF_API int sd_coded_encode (const sd_data *data, const char *codec, const char *settings, sd_coded **out,
                                char *message, size_t room);
enum { SD_CODED_CHECK = 1 }; /* compare all checksums now, not each part when it is first read */

/** Open bytes that were coded before; flags: 0 or SD_CODED_CHECK. They may come from anywhere: whatever they
 * are, opening and reading end with a status or a value, and opening takes at most 11 MiB of memory and 64
 * bytes more for each byte. They are not copied, and must stay as they are until *out is closed.
 * SD_CODED_DAMAGED (also of a source, which is no coded table: sd_data_open), SD_CODED_UNSUPPORTED,
 * SD_CODED_ARGUMENT, SD_CODED_MEMORY. */
SUBDEF_API int sd_coded_open (const void *bytes, size_t len, unsigned flags, sd_coded **out, char *message,
                              size_t room);
SUBDEF_API void sd_coded_close (sd_coded *coded); /* NULL does nothing */

/** All bytes, to be stored; *len of them (len NULL: not told). They stay until `coded` is closed; of NULL
 * there are none: NULL and 0. */
SUBDEF_API const void *sd_coded_bytes (const sd_coded *coded, size_t *len);
typedef struct sd_coded_info {
  uint64_t slots;
  uint32_t dim[16];
  unsigned ndims;
  enum sd_data_type type;
  unsigned values;       /* different values that a slot could hold */
  const char *codec;     /* its name */
  const char *settings;  /* all of them; "": not known, since they are not stored */
  uint64_t bytes;        /* of the file: header, values, checksums and stream */
  uint64_t stream_bytes; /* of the stream alone; the next four add up to it */
  uint64_t header_bytes, model_bytes, index_bytes, payload_bytes;
  uint64_t blocks, dictionary; /* parts that are decoded for themselves; phrases or nodes (0: none) */
} sd_coded_info;

/** What there is and where the bytes go. The texts stay until `coded` is closed. coded NULL: all members of
 * *out are 0 and NULL; out NULL does nothing. */
SUBDEF_API void sd_coded_describe (const sd_coded *coded, sd_coded_info *out);

/** The value of a slot. General compressors (lzma, zstd, ...) unpack a whole block for it and ask for memory,
 * as trees may; store, repair, obdd, rle and huffman ask for none. SD_CODED_ARGUMENT: there is no such slot;
 * SD_CODED_DAMAGED, SD_CODED_MEMORY. */
SUBDEF_API int sd_coded_get (const sd_coded *coded, uint64_t slot, int32_t *out);

/** out[0..count-1] = the values of the slots first .. first + count - 1; count 0 does nothing. As above;
 * asks for at most 128 KiB of memory with every codec. */
SUBDEF_API int sd_coded_read (const sd_coded *coded, uint64_t first, uint64_t count, int32_t *out,
                              char *message, size_t room);

/** Compare all checksums. SD_CODED_DAMAGED: the message says where. */
SUBDEF_API int sd_coded_check (const sd_coded *coded, char *message, size_t room);

/** Decode all slots: does each hold what the data allow? SD_CODED_DIFFERS: the message names the first that
 * does not, or the shapes or types; SD_CODED_DAMAGED, SD_CODED_MEMORY. */
SUBDEF_API int sd_coded_compare (const sd_coded *coded, const sd_data *data, char *message, size_t room);

#ifdef __cplusplus
}
#endif

#endif
