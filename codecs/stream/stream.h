/** \file stream.h
 * What a codec is. A codec turns a sequence of subdefinite symbols into bytes and answers, from these bytes,
 * for any index a main symbol that the slot admits. The codecs do not know each other; the list of all of
 * them is in codecs/codecs.h. Uses subdef/. */
#ifndef SD_STREAM_H
#define SD_STREAM_H

#include "subdef/subdef.h"

/* ---------------------------------------------------------------- settings */

/** One setting that a codec has. A list of them ends with key = NULL. */
typedef struct sd_tunable {
  const char *key;     /* "block" */
  const char *summary; /* "bytes of compressed data in a block" */
  const char *deflt;   /* default as text: "128" */
  long min, max;       /* for numbers; min > max marks a word */
  const char *words;   /* for words: "frequent|longest"; NULL: "initial" must be a chain of algorithms, others
                        * are checked by the codec */
} sd_tunable;

/** The first tunable of every codec. */
#define SD_TUNABLE_INITIAL(deflt)                                                                            \
  { "initial", "initial replacement, a chain such as alg2+full", deflt, 1, 0, NULL }

/** Settings that have no effect while another one, `key`, has (or, unless, has not) the value `word`; of a
 * chain such as initial's: while `word` is part of it. They must stand at their defaults then: an experiment
 * that varied them would run the same codec under several names. A list of them ends with key = NULL. */
typedef struct sd_overrule {
  const char *key, *word;
  bool unless;
  const char *idle[8]; /* NULL-terminated */
} sd_overrule;

#define SD_MAX_SETTINGS 16

/** Checked key/value pairs of one codec, one for each of its tunables. */
typedef struct sd_settings {
  const sd_tunable *tunables;
  char value[SD_MAX_SETTINGS][64];
} sd_settings;

typedef struct sd_codec sd_codec;
typedef struct sd_decoder sd_decoder;

/** Parse "block=256,initial=ternary" against the codec's tunables, defaults where nothing is said. text NULL
 * = "". SD_EINVAL: unknown key, key twice, number out of range, unknown word, a value that has no effect
 * beside the others (codec->overrules); the message names key, value and what is allowed. SD_ERANGE: the
 * codec has more than SD_MAX_SETTINGS tunables, or a default does not fit into sd_settings. */
int sd_settings_parse (const sd_codec *codec, const char *text, sd_settings *out, sd_error *err);

/** The same, but settings without effect are no mistake: for a part of a text, and for what was written
 * before. */
int sd_settings_read (const sd_codec *codec, const char *text, sd_settings *out, sd_error *err);

/** The value of a key that the codec has (else an assertion fails). */
long sd_settings_int (const sd_settings *s, const char *key);
const char *sd_settings_word (const sd_settings *s, const char *key);

/** Change a value of a key that the codec has; unlike parsing, the word is not checked: it must be a right
 * one. */
void sd_settings_put (sd_settings *s, const char *key, const char *word);

/** "block=256,initial=ternary,...": canonical text with every key, for provenance. */
void sd_settings_text (const sd_settings *s, char *out, size_t cap);

/** Those that are not the codec's defaults. */
void sd_settings_differing (const sd_settings *s, char *out, size_t cap);

/** Where the bytes of a stream go. */
typedef struct sd_codec_parts {
  uint64_t header, model, index, payload; /* bytes; they add up to the stream's length */
  uint64_t blocks;                        /* randomly accessible blocks */
  uint64_t symbols;                       /* in the codec's dictionary, such as phrases (0: none) */
  const char *symbol; /* what one of them is: "phrase", "node"; NULL: no word of its own */
  uint64_t values;    /* of digits of equal men, each of which may take 8 bytes of memory (obdd) */
  uint64_t unpaid; /* bytes of memory, or of a model that is read, beyond what the stream's bytes pay for */
} sd_codec_parts;

/* ----------------------------------------------------------- checked bytes */

/** Bytes of a stream under one checksum: the low 32 bits of sd_hash64. */
#define SD_CHUNK_BITS 20
#define SD_CHUNK_BYTES (UINT64_C (1) << SD_CHUNK_BITS)

/** Where the bytes of a guarded stream are read from: a file, and the stream's first byte in it. */
typedef struct sd_guard_file {
  int fd;
  uint64_t offset;
} sd_guard_file;

/** A stream whose chunks are compared with their checksums when they are first read, so that opening a large
 * table does not read all of it and no damaged byte ever decides a value. Threads may compare a chunk at the
 * same time: they come to the same answer, and each writes one byte. Where nothing is to be compared there is
 * no guard (NULL). With a `file` a chunk is also read then, into the memory at `data`, by one thread, for
 * which others that need the chunk wait. What is in memory is right whatever happens to the file. The child
 * of a process that forks meanwhile has no such thread, and reads the chunk itself. */
typedef struct sd_guard {
  const uint8_t *data; /* the stream's first byte */
  uint64_t bytes;
  unsigned chunk_bits;       /* bytes of a chunk as a power of two: SD_CHUNK_BITS in a table file */
  const uint8_t *sums;       /* of its chunks, 4 bytes each, little-endian */
  uint32_t *state;           /* of its chunks: enum sd_chunk_state */
  const sd_guard_file *file; /* NULL: the bytes are there */
} sd_guard;

/** The lower 2 bits of a state. The others are 0, but of READING: the number of the process whose thread
 * reads. */
enum sd_chunk_state { SD_CHUNK_NEW, SD_CHUNK_RIGHT, SD_CHUNK_WRONG, SD_CHUNK_READING };

/** Compare the chunks first..last. SD_ECHECKSUM: one of them differs; SD_EIO: one cannot be read from the
 * file, which is tried again next time. guard.c */
int sd_guard_compare (const sd_guard *g, uint64_t first, uint64_t last);

/** Compare the chunks that hold p[0..n-1], bytes of the guarded stream, unless that has been done.
 * SD_ECHECKSUM, SD_EIO: as sd_guard_compare. Costs a load where the chunk has been read. Thread-safe. */
static inline int sd_guard_check (const sd_guard *g, const uint8_t *p, uint64_t n) {
  if (!g || !n)
    return SD_OK;
  const uint64_t first = (uint64_t) (p - g->data) >> g->chunk_bits;
  const uint64_t last = ((uint64_t) (p - g->data) + n - 1) >> g->chunk_bits;
  if (first == last && __atomic_load_n (g->state + first, __ATOMIC_ACQUIRE) == SD_CHUNK_RIGHT)
    return SD_OK;
  return sd_guard_compare (g, first, last);
}

/** The same, only where bytes are still to be read from a file. */
static inline int sd_guard_fill (const sd_guard *g, const uint8_t *p, uint64_t n) {
  return g && g->file ? sd_guard_check (g, p, n) : SD_OK;
}

/* ---------------------------------------------------------------- decoding */

/** The block that holds a slot: its number, its first slot, how many slots it has, and the bytes it takes. */
typedef struct sd_codec_block {
  uint64_t number, first, slots, bytes;
} sd_codec_block;

/** A stream as `open` gets it. Every number is untrusted. */
typedef struct sd_stream {
  const sd_codec *codec;
  const sd_guard *guard; /* NULL: there are no checksums */
  const uint8_t *data;   /* data[0..len-1]; they stay mapped until the decoder is closed */
  size_t len;
  uint64_t n; /* slots */
  unsigned m; /* main symbols */
  /** The stream is one of many in a table: what is kept to make access fast takes at most 64 KiB, but no
   * more than 4 KiB or 16 bytes for each of the stream. */
  bool small;
  bool old_pieces; /* of a file of a version in which pieces were for sequences that a codec cannot take at
                      once */
} sd_stream;

/** The operations of an open stream. Each codec has these functions, and so has each decoder that stands
 * before others: constant streams, pieces, clusters, windows, cached blocks. */
typedef struct sd_decoder_ops {
  /** Symbol at index i < n. Thread-safe. SD_EFORMAT, SD_ECHECKSUM: damaged; SD_EIO: the file is
   * gone or shorter (sd_guard); SD_ENOMEM: those that unpack whole blocks (codec->blocks) ask for memory. */
  int (*get) (const sd_decoder *d, uint64_t i, sd_symbol *out);
  /** out[0..count-1] = symbols first..first+count-1, all < n; count > 0. Thread-safe. */
  int (*read) (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out);
  void (*close) (sd_decoder *d);
  /** *parts is zero before. */
  void (*describe) (const sd_decoder *d, sd_codec_parts *parts);
  /* Of a codec's own decoders, not of those that stand before others: */
  size_t size; /* bytes of a decoder */
  /** Parse and check a stream into a decoder that is zero but for its first member; `close` follows if that
   * fails. May allocate; afterwards get and read must be memory-safe on any payload (wrong symbols are
   * allowed for a damaged payload, but they are < m). */
  int (*open) (const sd_stream *s, sd_decoder *d, sd_error *err);
  /** The block of slot i < n, from the index alone. Thread-safe. NULL, or false: the stream has none. */
  bool (*block_of) (const sd_decoder *d, uint64_t i, sd_codec_block *out);
  /** Prefetch what `get` of slot i < n will read. Step 0 comes first; each next step uses what the one before
   * has asked for, so that other work should stand between them. False: this was the last step. Reads nothing
   * of the payload, does not fail. NULL: there is nothing to prefetch. Thread-safe. */
  bool (*fetch) (const sd_decoder *d, uint64_t i, unsigned step);
} sd_decoder_ops;

/** First member of every decoder, filled in before `open`. */
struct sd_decoder {
  const sd_decoder_ops *ops;
  const sd_codec *codec; /* the codec that wrote the stream, whatever decoder stands before its own */
  const sd_guard *guard; /* NULL: the bytes are believed */
  uint64_t n;
  unsigned m;
  bool constant; /* all symbols are `value` */
  sd_symbol value;
};

/* ------------------------------------------------------------------- codec */

/** What a codec's `encode` gets. */
typedef struct sd_encoding {
  const sd_codec *codec;
  sd_seq *src; /* behind the initial replacement; src->sym is scratch, unless codec->only_reads_source */
  const sd_seq *slots; /* the same before it, for a codec that completes slots its own way */
  const sd_settings *set;
  const sd_progress *progress;
} sd_encoding;

/** Settings that a search within a budget adds to those that it predicted to be best, and what share of
 * their bytes and how many times their CPU time a table then takes: of values that count no plies, and of
 * plies. Measured on endings with 4 men (papers/budget); by these the search chooses what to try first. */
typedef struct sd_more {
  const char *set;
  float bytes[2], seconds[2];
} sd_more;

/** What the search for the smallest table (--best) tries with a codec. A list ends with the first NULL. */
typedef struct sd_trials {
  const char
      *settings[8];    /* from fast to small, as sd_settings_parse reads them; none: the codec is not tried */
  const char *ways[8]; /* tried with the codec's best settings, and with those before them that helped */
  const char *base;    /* added to each of `ways`, and tried alone; NULL: nothing. Not for large tables */
  const sd_more
      *more;         /* tried within a budget in place of `ways`; the last row has no `set`. NULL: nothing */
  const char *quick; /* a setting that takes less time: layouts are compared with it, and within a budget the
                        codec is coded with it, unless it is the one that is given. NULL: none */
  double gain;       /* with `base` and `ways` a table may take this share of what a sample predicts; 0: 1 */
  bool slow;         /* has layouts of its own, is coded in few of them, and not in samples of large tables */
  bool apart;        /* only where the codec is named: it is there to be compared with */
  bool whole;        /* has layouts of its own, and a sample of slots tells nothing of it */
  const char *ranking; /* quick settings by which layouts are ranked; one codec of all has them */
} sd_trials;

/** The `ways` of a codec whose free slots are completed before it codes, by the most frequent symbol where
 * nothing else is said. */
#define SD_COMPLETING "initial=left", "initial=edges:8", "initial=larger:8"

enum { SD_LOOKUP_FEATURES = 4 };

struct sd_codec {
  const char *name;
  uint8_t id;                   /* in files; never reused */
  const char *summary;          /* one line of --help */
  const sd_tunable *tunables;   /* the first one is always "initial" */
  const sd_overrule *overrules; /* NULL: each setting has an effect beside all others */

  bool takes_free_slots; /* else sd_codec_encode completes all slots before it calls `encode` */
  /** With these settings `encode` looks at the slots as they were before the initial replacement
   * (sd_encoding.slots); NULL: never. */
  bool (*keeps_slots) (const sd_settings *set);
  bool only_reads_source; /* `encode` does not write to src->sym, so that no copy is made for it */
  bool in_pieces;         /* parts of a sequence may be streams of their own (SD_STREAM_PIECES) */
  uint64_t max_slots;     /* that `encode` takes at once; 0: any number. More are cut into pieces */
  /** The stream may be clusters (SD_STREAM_CLUSTERS), so that `encode` writes its first byte, too. Only for
   * a codec that reads a slot without its neighbours, and not in pieces. */
  bool makes_clusters;
  /** `open` reads nothing of the payload, which ends the stream, and `get` and `read` compare checksums
   * (sd_guard_check) of each part of it before they read that part. For other codecs all checksums of a
   * stream are compared when it is opened. */
  bool checks_while_reading;
  /** Not NULL: the stream is made of independent blocks of this compressor. The type is not for users of the
   * library. */
  const struct sd_block_method *blocks;

  /** Append the stream to *out. Deterministic, whatever the number of threads. Never called for a sequence
   * that one symbol can complete: sd_codec_encode codes that. */
  int (*encode) (const sd_encoding *e, sd_buf *out, sd_error *err);
  const sd_decoder_ops *ops; /* of its decoders */
  /** NULL, or the name and version of the library behind the codec, as it runs: "liblzma 5.4.1". */
  void (*runtime) (char *out, size_t cap);

  /* What programs know of the codec. */
  sd_trials trials;
  /** Nanoseconds of a lookup by a model: the sum of these and the stream's features (sd_lookup_features);
   * printed by `subdef bench codecs`, docs/latency.md says where and how. All 0: not known. */
  double latency[SD_LOOKUP_FEATURES];
  /** Bytes that `encode` takes with its usual settings, at most, of one side of the tables of papers/memory:
   * for each slot beside its symbol where there are few symbols (WDL), where there are many (plies), besides,
   * and, divided by k, for the k-th thread beside the first one. sd_codec_memory adds them up. */
  struct {
    double few, many, fixed, thread;
  } memory;
  const char *colour; /* of its curves, "#2f7de1", a mid-tone that holds on light and on dark paper, a grey
                         for what is not subdef's own; NULL: any */
  unsigned
      mark; /* of its points, as gnuplot numbers filled ones in SVG (the number before is hollow); 0: any */
};

/** Bytes that coding so many slots takes beside their symbols, at most, by `codec->memory`. many: more
 * symbols than those of WDL. */
double sd_codec_memory (const sd_codec *codec, bool many, double slots, unsigned threads);

/** The first byte of a stream in a file: behind it a varint v < m, all n symbols are v; the codec's own
 * stream; the streams of pieces, only for a codec that may be in pieces; two streams that hold the sequence
 * together, only for a codec that makes clusters. */
enum { SD_STREAM_CONSTANT = 0, SD_STREAM_CODEC = 1, SD_STREAM_PIECES = 2, SD_STREAM_CLUSTERS = 3 };

/** Encode src (kept): if one main symbol completes all slots (n = 0 counts), that symbol is the stream. Else
 * copy, apply the initial replacement named in the settings, complete the rest if the codec cannot, encode,
 * append to *out. Decoding yields for each slot a main symbol that it admits. SD_EINVAL (a symbol outside the
 * alphabet, an algorithm that does not fit), SD_ENOMEM, SD_ERANGE; *out keeps its length then. */
int sd_codec_encode (const sd_codec *codec, const sd_seq *src, const sd_settings *set,
                     const sd_progress *progress, sd_buf *out, sd_error *err);

/** The same; what src->sym holds afterwards is nothing that one may use, but no copy of it is made, unless
 * the codec asks for one. */
int sd_codec_encode_over (const sd_codec *codec, sd_seq *src, const sd_settings *set,
                          const sd_progress *progress, sd_buf *out, sd_error *err);

/** How much memory the pieces of a stream may make a reader hold. Added up over all pieces that are no
 * constant streams, the main symbols, the symbols of the dictionary and SD_PIECE_SYMBOLS are at most
 * SD_PIECES_FREE, and one more for each SD_PIECE_BYTES bytes of the pieces; and what the bytes of each do not
 * pay for (sd_codec_parts.unpaid) is at most SD_PIECES_UNPAID in all. The `encode` of a codec with max_slots
 * keeps to this wherever it is given more than max_slots / 2 slots. */
#define SD_PIECES_FREE 8192
#define SD_PIECE_SYMBOLS 64
#define SD_PIECE_BYTES 2
#define SD_PIECES_UNPAID 393216
#define SD_DECODER_BYTES 8192 /* of a decoder of trees or huffman by itself, about */
static inline uint64_t sd_unpaid (uint64_t takes, uint64_t bytes) {
  return takes > bytes ? takes - bytes : 0;
}
#define SD_MAX_PIECES 65536

/** Can a sequence of n slots be cut into pieces of `slots` slots? 2 to SD_MAX_PIECES of them, of a codec that
 * may be in pieces and takes so many slots at once. */
bool sd_pieces_valid (const sd_codec *codec, uint64_t n, uint64_t slots);

/** A sequence of n slots, m main symbols, that was coded in pieces: stream k, of bytes[k] bytes, holds slots
 * k * slots to (k + 1) * slots - 1, the last one those that are left. The streams stand one behind the
 * other. */
typedef struct sd_coded_pieces {
  const sd_codec *codec;
  uint64_t n, slots;
  unsigned m;
  const sd_buf *streams;
  const uint64_t *bytes;
} sd_coded_pieces;

/** Append them as one stream. SD_ERANGE: sd_pieces_valid says no, or no reader would open the pieces (see
 * above); *out keeps its length then. Each piece is opened, so that it is not coding that fails but what was
 * coded elsewhere and damaged since (SD_EFORMAT). SD_ENOMEM. */
int sd_codec_put_pieces (const sd_coded_pieces *p, sd_buf *out, sd_error *err);

/** The same as sd_codec_encode, in pieces of `slots` slots; sd_codec_encode does so with more slots than the
 * codec takes at once. SD_ERANGE as sd_codec_put_pieces. Seven arguments: those of sd_codec_encode, and
 * `slots`. */
int sd_codec_encode_pieces (const sd_codec *codec, const sd_seq *src, uint64_t slots, const sd_settings *set,
                            const sd_progress *progress, sd_buf *out, sd_error *err);

#define SD_MAX_CLUSTERS 64

/** How much memory streams in clusters may make a reader hold. Those that are no constant streams are at most
 * SD_CLUSTERS_FREE, and one more for each SD_CLUSTER_BYTES bytes of all of them. Their digits of equal men
 * have at most SD_VALUES_FREE values (as in one stream without clusters), and SD_VALUES_A_BYTE more for each
 * byte. */
#define SD_CLUSTERS_FREE 16
#define SD_CLUSTER_BYTES 1024
#define SD_VALUES_FREE 43680 /* chess has no more: C(64,3) and C(64,2), of five men besides the kings */
#define SD_VALUES_A_BYTE 2
static inline bool sd_clusters_fit (uint64_t streams, uint64_t values, uint64_t bytes) {
  return streams <= SD_CLUSTERS_FREE + bytes / SD_CLUSTER_BYTES
         && values <= SD_VALUES_FREE + SD_VALUES_A_BYTE * bytes;
}

/** Which of two streams holds slot i: the second one if i / stride % radix >= limit (whole numbers), else the
 * first. This is a comparison of a digit of the index: `stride` is the digit's weight, `radix` its radix. 0 <
 * limit < radix <= the number of blocks of `stride` slots, rounded up. */
typedef struct sd_fork {
  uint64_t stride, radix, limit;
} sd_fork;

/** Append a stream in two clusters (Kristensen 2005, 2.7) to *out, made of two streams that each have as many
 * slots: `below` is asked where i / stride % radix < limit, `from` for the other slots. Both are of one codec
 * that makes clusters. Each may itself be in clusters, with at most SD_MAX_CLUSTERS streams in all.
 * SD_ENOMEM. */
int sd_codec_put_fork (const sd_fork *f, const sd_buf *below, const sd_buf *from, sd_buf *out);

/** What sd_codec_encode writes if all symbols can be `value`: the whole stream. */
void sd_codec_put_constant (unsigned value, sd_buf *out);

/** Check and prepare a stream. SD_EINVAL (m), SD_EFORMAT, SD_ENOMEM; *out = NULL then. Seven arguments:
 * what a user of the library knows of a stream, without a struct of which most members are for containers. */
int sd_codec_open (const sd_codec *codec, const uint8_t *data, size_t len, uint64_t n, unsigned m,
                   sd_decoder **out, sd_error *err);

/** The same for a stream, or a part of one, whose bytes may lie under checksums; s->guard must outlive *out.
 * SD_ECHECKSUM: what opening has to read is damaged. */
int sd_stream_open (const sd_stream *s, sd_decoder **out, sd_error *err);
static inline int sd_codec_get (const sd_decoder *d, uint64_t i, sd_symbol *out) { /* i < n */
  if (d->constant) {
    *out = d->value;
    return SD_OK;
  }
  return d->ops->get (d, i, out);
}

/** false: the stream has no blocks. */
static inline bool sd_codec_block_of (const sd_decoder *d, uint64_t i, sd_codec_block *out) {
  return !d->constant && d->ops->block_of && d->ops->block_of (d, i, out);
}
int sd_codec_read (const sd_decoder *d, uint64_t first, uint64_t count,
                   sd_symbol *out); /* first + count <= n */

/** For a codec's `read`: `part` for each `step` of the slots, by all threads; at once where there are less
 * than two steps. The largest status of all. */
int sd_read_parts (const sd_decoder *d, uint64_t first, uint64_t count, uint64_t step,
                   int (*part) (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out),
                   sd_symbol *out);
#define SD_READ_STEP (1 << 16)       /* slots, at least, that are worth a task of their own */
void sd_codec_close (sd_decoder *d); /* NULL does nothing */
SD_LEFT_BY (sd_decoder, sd_codec_close)
void sd_codec_describe (const sd_decoder *d, sd_codec_parts *parts);
void sd_codec_parts_add (sd_codec_parts *sum, const sd_decoder *d);

/** The slots first..first+n-1 of `whole` as a decoder of their own; `whole` must outlive it. What
 * sd_codec_describe says of it means nothing: the bytes are those of `whole`. SD_EINVAL: beyond its end;
 * SD_ENOMEM. window.c */
int sd_codec_window (const sd_decoder *whole, uint64_t first, uint64_t n, sd_decoder **out, sd_error *err);

#endif
