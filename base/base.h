/** \file base.h
 * What every room needs: status codes, error messages, byte buffers, bit streams, checked arithmetic,
 * checksums, files, progress, clock and random numbers. Uses nothing of the project.
 *
 * Rules for the whole library: it never prints, never exits, reads no environment variable and keeps no
 * mutable globals. What can fail returns an `int` status (0 = SD_OK). Comments cite documents by author,
 * year and section; references.md and references.bib beside format.md say which documents these are. */
#ifndef SD_BASE_H
#define SD_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---------------------------------------------------------------- status */

/** One list for the names, the numbers and the texts of all statuses. */
#define SD_STATUS_LIST(X)                                                                                    \
  X (SD_OK, 0, "success")                                                                                    \
  X (SD_EINVAL, 1, "invalid argument")                                                                       \
  X (SD_ENOMEM, 2, "out of memory")                                                                          \
  X (SD_ENOSPC, 3, "no space left in the output")                                                            \
  X (SD_EIO, 4, "input/output error")                                                                        \
  X (SD_ENOENT, 5, "not found")                                                                              \
  X (SD_EFORMAT, 6, "not a valid file of this kind")                                                         \
  X (SD_ECHECKSUM, 7, "checksum differs")                                                                    \
  X (SD_EVERSION, 8, "made by a version that this one cannot read")                                          \
  X (SD_EDIFF, 9, "values differ")                                                                           \
  X (SD_ERANGE, 10, "out of range")                                                                          \
  X (SD_EUNSUPPORTED, 11, "not supported by this build")                                                     \
  X (SD_ESTOPPED, 12, "stopped before its end")

enum sd_status {
#define SD_X(name, value, text) name = value,
  SD_STATUS_LIST (SD_X)
#undef SD_X
};

/** Text of a status; never NULL, "unknown status" for numbers outside the list. */
const char *sd_strerror (int status);

/** Pass a failure up. A function that owns memory declares it with SD_OWNED or SD_RELEASED_BY, or uses one
 * `goto done` instead. */
#define SD_TRY(expr)                                                                                         \
  do {                                                                                                       \
    int sd_try_status_ = (expr);                                                                             \
    if (sd_try_status_ != SD_OK)                                                                             \
      return sd_try_status_;                                                                                 \
  } while (0)

/** What went wrong, as one sentence without a final stop: "FILE: what failed: why, with the numbers".
 * A program prints it behind its own name. Functions take a pointer to it; NULL: the caller wants no text.
 */
typedef struct sd_error {
  int status;
  char text[768];
  char missing[96]; /* the file that was looked for in the folders of a path and is in none; "": another
                       failure */
} sd_error;

/** Fill `err` (if not NULL) with the formatted text and return `status`. */
int sd_fail (sd_error *err, int status, const char *fmt, ...) __attribute__ ((format (printf, 3, 4)));

/** As sd_fail with SD_ENOENT, for a file that is in no folder of a path; `name` is without a folder. */
int sd_fail_missing (sd_error *err, const char *name, const char *fmt, ...)
    __attribute__ ((format (printf, 3, 4)));

/** As sd_fail with the text "out of memory (N bytes)" ; `bytes` 0 = size not known. */
int sd_fail_memory (sd_error *err, size_t bytes);

/** Put "prefix: " before the text that is already in `err`; returns err->status (SD_OK if err is NULL). */
int sd_error_prefix (sd_error *err, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));

/** Say which file it is about: put "path: " before the text, in place of the file's name without its folder
 * where the text begins so. A text that begins with the path stays as it is. Returns err->status. */
int sd_error_about (sd_error *err, const char *path);

/* ------------------------------------------------------ checked arithmetic */

/** *out = a * b, or a + b; SD_ERANGE and *out untouched when it does not fit. */
static inline int sd_mul (uint64_t a, uint64_t b, uint64_t *out) {
  uint64_t r;
  if (__builtin_mul_overflow (a, b, &r))
    return SD_ERANGE;
  *out = r;
  return SD_OK;
}
static inline int sd_add (uint64_t a, uint64_t b, uint64_t *out) {
  uint64_t r;
  if (__builtin_add_overflow (a, b, &r))
    return SD_ERANGE;
  *out = r;
  return SD_OK;
}

/** malloc (n * size) with the product checked; NULL on overflow or lack of memory; n = 0 gives a free-able
 * block. */
void *sd_alloc (uint64_t n, size_t size);

/** The same, zeroed. */
void *sd_alloc0 (uint64_t n, size_t size);

/** The same two for an array that is large and read at random: in huge pages where the system has them. free
 * () frees it. */
void *sd_alloc_large (uint64_t n, size_t size);
void *sd_alloc0_large (uint64_t n, size_t size);

/** What many small pieces have left free goes back to the system, where it would stay beside large arrays
 * that come next. Takes milliseconds. */
void sd_memory_back (void);

/** In front of the declaration of what a function has for itself: release (&name) when the name goes out of
 * scope, so that SD_TRY and return may leave from anywhere. The name has a value from its first line on. */
#define SD_RELEASED_BY(release) __attribute__ ((cleanup (release)))

/** The same for a pointer to memory, which is freed; NULL does nothing. */
#define SD_OWNED SD_RELEASED_BY (sd_free_owned)
void sd_free_owned (void *pointer_to_it);

/** The same for a thing that a function opens and closes: SD_OWN (sd_table) *t = NULL; its header says,
 * behind the function that closes it, SD_LEFT_BY (sd_table, sd_table_close). */
#define SD_OWN(type) SD_RELEASED_BY (type##_leave) type
#define SD_LEFT_BY(type, close)                                                                              \
  static inline void type##_leave (type **it) {                                                              \
    close (*it);                                                                                             \
  }

/** Room for `need` items in an array that grows, where there is not: sd_grow (&x->item, &x->cap, x->n + 1).
 * The array is NULL with a cap of 0 at first, and is freed with free. False: no memory; the array and its
 * cap are as they were. */
#define sd_grow(array, cap, need)                                                                            \
  ((need) <= *(cap) || sd_grow_array ((array), (cap), (need), sizeof **(array)))

/** What sd_grow stands for: *array has room for at least `need` items of `size` bytes, and for half as many
 * again as before. `array`: the address of a pointer to any type. */
bool sd_grow_array (void *array, uint64_t *cap, uint64_t need, size_t size);

/** Things by number, to be sorted. sd_by_rank, for qsort: the least rank first, equal ones by number. */
typedef struct sd_ranked {
  uint64_t rank;
  uint32_t number;
} sd_ranked;
int sd_by_rank (const void *a, const void *b);

/** key[0..n-1] shall rise. room[0..n-1] is overwritten. Cost: two looks at each key for each byte in which
 * keys differ. */
void sd_sort_keys (uint64_t *key, uint64_t *room, size_t n);

/** Bits to tell n_values values apart; 0 for 0 and 1. */
static inline unsigned sd_bits_for (uint64_t n_values) {
  return n_values < 2 ? 0 : 64 - (unsigned) __builtin_clzll (n_values - 1);
}

/* ------------------------------------------------------------ byte buffers */

/** Growable bytes. {0} is empty. A failed append leaves `failed` set and drops all later appends, so that a
 * writer may append without checks and ask once at the end. */
typedef struct sd_buf {
  uint8_t *data;
  size_t len, cap;
  bool failed;
} sd_buf;

void sd_buf_append (sd_buf *b, const void *src, size_t n);
void sd_buf_u8 (sd_buf *b, unsigned v);
void sd_buf_u32 (sd_buf *b, uint32_t v); /* little-endian, as all fixed-width numbers in our formats */
void sd_buf_u64 (sd_buf *b, uint64_t v);
void sd_buf_varint (sd_buf *b,
                    uint64_t v); /* LEB128: 7 bits a byte, low bits first, high bit = more follow */
void sd_buf_free (sd_buf *b);

/** SD_OK or SD_ENOMEM. */
int sd_buf_status (const sd_buf *b);

/** Bounded reading of untrusted bytes: past the end every getter returns 0 and sets `bad`. */
typedef struct sd_reader {
  const uint8_t *p, *end;
  bool bad;
} sd_reader;

static inline sd_reader sd_reader_of (const uint8_t *p, size_t n) {
  sd_reader r = { p, p + n, false };
  return r;
}
unsigned sd_get_u8 (sd_reader *r);
uint32_t sd_get_u32 (sd_reader *r);
uint64_t sd_get_u64 (sd_reader *r);
uint64_t sd_get_varint (sd_reader *r); /* more than 64 bits, or an overlong form: bad */

/** n bytes in place, or NULL and bad. */
const uint8_t *sd_get_bytes (sd_reader *r, uint64_t n);

/* ------------------------------------------------------------- bit streams */

/** Bits are written most significant first, as canonical Huffman decoders want them. */
typedef struct sd_bitw {
  sd_buf *out;
  uint64_t acc;
  unsigned fill; /* bits pending in acc, < 8 between calls */
} sd_bitw;
void sd_bitw_put (sd_bitw *w, uint64_t value, unsigned nbits); /* nbits <= 56 */
void sd_bitw_flush (sd_bitw *w);                               /* pad with 0 to a byte */

/** Bounded bit reader; past the end it delivers zeros. */
typedef struct sd_bitr {
  const uint8_t *p, *end;
  uint64_t acc;  /* bits left-aligned: the next bit is bit 63 */
  unsigned fill; /* valid bits in acc */
} sd_bitr;
static inline sd_bitr sd_bitr_of (const uint8_t *p, size_t n) {
  sd_bitr r = { p, p + n, 0, 0 };
  return r;
}
static inline void sd_bitr_refill (sd_bitr *r) { /* afterwards fill >= 56 (zeros beyond the end count) */
  if (r->end - r->p >= 8) {
    /* Eight bytes at once: as many of them as there is room for count as read. */
    uint64_t w;
    __builtin_memcpy (&w, r->p, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    w = __builtin_bswap64 (w);
#endif
    if (r->fill < 64)
      r->acc |= w >> r->fill;
    unsigned take = (63 - r->fill) >> 3;
    r->p += take;
    r->fill += take * 8;
    return;
  }
  while (r->fill <= 56) {
    uint64_t byte = r->p < r->end ? *r->p++ : 0;
    r->acc |= byte << (56 - r->fill);
    r->fill += 8;
  }
}
static inline void sd_bitr_skip (sd_bitr *r, unsigned nbits) { /* nbits <= fill, < 64 */
  r->acc <<= nbits;
  r->fill -= nbits;
}
static inline uint64_t sd_bitr_get (sd_bitr *r, unsigned nbits) { /* nbits <= 56 */
  if (nbits == 0)
    return 0;
  sd_bitr_refill (r);
  uint64_t v = r->acc >> (64 - nbits);
  sd_bitr_skip (r, nbits);
  return v;
}

/* --------------------------------------------------------------- checksums */

/** Products of two numbers of 64 bits. */
__extension__ typedef unsigned __int128 sd_u128;

/** XXH3, 64 bits. Checksums in files are this value, or its low 32 bits where the format says so. */
uint64_t sd_hash64 (const void *data, size_t n);

/* ------------------------------------------------------------------- files */

/** A file that gets its name only when it is complete: bytes go to "PATH.HOST.PID.tmp" in the same folder;
 * commit flushes, syncs and renames; abort removes. A folder or device of that name is refused at once
 * (SD_EIO). Opening removes what killed processes of this host have left of the same file. One writer of a
 * file per process at a time; another is refused (SD_EIO). The temporary file is always a new one: what
 * somebody has put in its place (a symbolic link, a device) is removed, and never written to. */
typedef struct sd_outfile sd_outfile;
int sd_outfile_open (const char *path, sd_outfile **out, sd_error *err);
/** The same in a folder that was swept (sd_outfile_sweep), for many files: what others have left of this one
 * is not looked for, which takes a look at each file of the folder. */
int sd_outfile_open_swept (const char *path, sd_outfile **out, sd_error *err);
int sd_outfile_write (sd_outfile *f, const void *data, size_t n, sd_error *err);

/** Name of the temporary file, for reading back before the commit. Call sd_outfile_sync first. */
const char *sd_outfile_temp_name (const sd_outfile *f);
int sd_outfile_sync (sd_outfile *f, sd_error *err);

/** The file gets its name; it takes the permissions of one that it replaces. */
int sd_outfile_commit (sd_outfile *f, sd_error *err); /* frees f in every case; on failure nothing is left */
/** The same without waiting for the disk, of what is soon made again: many small files, as those of a report.
 * A machine that stops at once may leave them short. */
int sd_outfile_commit_unsynced (sd_outfile *f, sd_error *err);
void sd_outfile_abort (sd_outfile *f); /* NULL does nothing */

/** Remove what killed processes of this host have left in a folder of files whose names end in `ending`, as
 * opening such a file does for that one. What is still being written stays; what cannot be removed, too. */
void sd_outfile_sweep (const char *folder, const char *ending);

/** For programs that remove their temporary files when a signal ends them: from here on the names of those
 * that are open are kept where a signal handler can read them (64 of them, 1023 bytes each). */
void sd_outfile_watch (void);

/** Remove the temporary files that are open. Async-signal-safe; the process must end afterwards: no further
 * one is made (sd_outfile_open: SD_EIO). Waits for other threads that are just making one, 2 s at most. */
void sd_outfile_remove_open (void);

/** A lock on a file (flock), which is made where there is none: many may share it, or one has it alone. It
 * ends with the program, or when the descriptor is closed. *lock -1: another has it and one is not to wait,
 * or after a failure. SD_EIO: it is no regular file, or there are no locks. base/lock.c */
int sd_lock_take (const char *path, bool shared, bool wait, int *lock, sd_error *err);

/** A work that programs share, known by a number that stands in FOLDER/tasks.lock. */
typedef struct sd_work {
  uint64_t number;
  /** Called while one is alone: what others have left may go. same: they did the same work, and were stopped.
   * NULL: it stays. */
  void (*clear) (void *ctx, bool same);
  void *ctx;
} sd_work;
/** Share the lock of the folder, which is made, with all that do the same work. *lock -1: others are at
 * another work there. SD_EIO. */
int sd_lock_join (const char *folder, const sd_work *work, int *lock, sd_error *err);
/** Is nobody else there? Then nobody comes either until the lock is closed. */
bool sd_lock_alone (int lock);

/** A whole file mapped read-only. An empty file has data = NULL, len = 0. What is no regular file (a folder,
 * a device, a pipe) is refused without waiting for anybody: SD_EFORMAT. */
typedef struct sd_map {
  const uint8_t *data;
  size_t len;
  bool of_file; /* mapped; else memory of its own */
} sd_map;
int sd_map_open (const char *path, sd_map *out, sd_error *err);

/** The same, read into memory of its own: what happens to the file afterwards does not matter. */
int sd_map_read (const char *path, sd_map *out, sd_error *err);

/** Memory as long as the file, of which nothing is read yet: it is zero. *fd, to be closed by the caller, is
 * for sd_file_read_at. */
int sd_map_reserve (const char *path, sd_map *out, int *fd, sd_error *err);

/** Bytes at..at+n-1 of a file; false: they cannot be read, or the file is shorter. Neither allocates nor
 * moves the file's position. */
bool sd_file_read_at (int fd, uint64_t at, uint8_t *to, size_t n);
void sd_map_close (sd_map *m);

/** Pages of a mapped file that have been read go back to the system, which reads them again where they are
 * asked for. Nothing where it is memory of its own. Thread-safe. */
void sd_map_let_go (const sd_map *m);
bool sd_file_exists (const char *path);

/** The first file of that name in the folders of a colon-separated path; *out is malloced, NULL: none has it.
 * SD_ENOMEM. */
int sd_path_find_file (const char *path, const char *name, char **out, sd_error *err);

/** The folders of a path as words of a sentence, each once: "a, b or the current folder"; what does not fit into
 * cap bytes is left out. "the empty table path": it has none. */
void sd_path_said (const char *path, char *out, size_t cap);

/** A regular file as a stream to read from, *out = NULL on failure; as sd_map_open. */
int sd_file_open (const char *path, FILE **out, sd_error *err);

/** mkdir -p. SD_EINVAL: the path is empty. */
int sd_make_folder (const char *path, sd_error *err);

/* --------------------------------------------------- progress, clock, random */

/** Long-running functions call `report` now and then, at most some 20 times a second and from one thread at
 * a time. `what` is a text for users. `done` and `total` are in any unit; total 0: not known. A function that
 * works in several stages calls `stage` when one begins, with a number that the function defines. `stop` says
 * whether the work is no longer wanted; a function that asks it gives up with SD_ESTOPPED. It may be called
 * by any thread and at any rate. Each pointer may be NULL. */
typedef struct sd_progress {
  void (*report) (void *ctx, const char *what, uint64_t done, uint64_t total);
  void *ctx;
  void (*stage) (void *ctx, unsigned stage);
  bool (*stop) (void *ctx);
} sd_progress;
static inline void sd_report (const sd_progress *p, const char *what, uint64_t done, uint64_t total) {
  if (p && p->report)
    p->report (p->ctx, what, done, total);
}

/** SD_ESTOPPED if the work is no longer wanted, else SD_OK. */
static inline int sd_stopped (const sd_progress *p) {
  return p && p->stop && p->stop (p->ctx) ? SD_ESTOPPED : SD_OK;
}

static inline void sd_report_stage (const sd_progress *p, unsigned stage) {
  if (p && p->stage)
    p->stage (p->ctx, stage);
}

double sd_now (void); /* seconds, monotonic */

/** "42 s", "2 min 10 s", "3 h 05 min". */
void sd_time_text (double s, char *out, size_t cap);
double sd_cpu_now (void); /* CPU seconds of this process, user + system */

/** splitmix64: sampling and tests; not for statistics (those use GSL). */
static inline uint64_t sd_random (uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

#endif
