/** \file store.h
 * Rows and runs of sweeps in one SQLite file: what a row and a run hold, a column a line; storing, asking,
 * sharing the work. Beside them what both the runner and the report need: one function for each border that a
 * text passes on its way out of a database. Uses recode/. */
#ifndef SD_STORE_H
#define SD_STORE_H

#include "base/words.h"
#include "recode/recode.h"

/* ---------------------------------------------------------------------- columns */

/* Columns of a cell and of a run, X (kind, name, characters); struct members, tables, questions and checks
 * are made of these lists. A store that lacks a column gets it when it is opened. T: text; O: text that may
 * be unknown, P: text of any length; I, U: integer; R: real; N: real, C: count, which may be unknown or not
 * measured. What is unknown is NULL in the file, "", NaN or 0 in a struct. A new column is of kind O, N or C.
 */

/** The longest name of a table: that of an array is a path. */
#define SD_TABLE_TEXT 224

/* Under which names a row is found, and what was coded how: two rows of one store that agree in the latter
 * and in SD_PLACE_COLUMNS are one cell in two groups. */
#define SD_GROUP_COLUMNS(X)                                                                                  \
  X (T, group, 48)                                                                                           \
  X (O, sides, 8) /* one, joint (sd_sides_row); else "": each side alone */
#define SD_CODED_COLUMNS(X)                                                                                  \
  X (T, table, SD_TABLE_TEXT) /* KRvKP; of an array its file, as the sweep names it */                       \
  X (T, metric, 8)            /* `array`: an array; it has no coding, sides, order and numbering */          \
  X (T, coding, 8)                                                                                           \
  X (T, freedom, 64)                                                                                         \
  X (T, codec, 32)                                                                                           \
  X (T, settings, SD_SETTINGS_TEXT)                                                                          \
  SD_AXIS_COLUMNS (X)
/* Axes that reports show among the settings of the codec, NAME=VALUE, so that no query names them: all that
 * stands of settings in a label, a table, a pair of axes, a baseline holds for them. Of kind O, one word of
 * at most 31 characters; "": it is as ever. Of words that stand for themselves run/axes.c makes the rows; a
 * test has one (tests/experiments/test_axis.c). */
#ifndef SD_WORD_AXIS_COLUMNS
#define SD_WORD_AXIS_COLUMNS(X)
#endif
#define SD_AXIS_COLUMNS(X)                                                                                   \
  X (O, sampled, 32) /* 1/16: so much of the table was coded, and what was measured is of that part */       \
  SD_WORD_AXIS_COLUMNS (X)
/* What a line of a report has in common: rows that differ only in SD_PLACE_COLUMNS are one table in one
 * coding. */
#define SD_LINE_COLUMNS(X) SD_GROUP_COLUMNS (X) SD_CODED_COLUMNS (X)
#define SD_PLACE_COLUMNS(X)                                                                                  \
  X (T, side, 8) /* w, b; wb: one stream for both; -: an array */                                            \
  X (T, order, SD_ORDER_TEXT)                                                                                \
  X (T, numbering, SD_ORDER_TEXT)
/* What was measured. */
#define SD_MEASURE_COLUMNS(X)                                                                                \
  X (I, block, )   /* the codec's tunable `block`, 0: it has none */                                         \
  X (I, main, )    /* main symbols */                                                                        \
  X (I, threads, ) /* workers that ran beside */                                                             \
  X (I, slots, )                                                                                             \
  X (I, positions, )                                                                                         \
  X (I, free_slots, )                                                                                        \
  X (I, bytes, )                                                                                             \
  X (I, header_bytes, )                                                                                      \
  X (I, model_bytes, )                                                                                       \
  X (I, index_bytes, )                                                                                       \
  X (I, payload_bytes, )                                                                                     \
  X (I, blocks, )                                                                                            \
  X (I, dictionary, )                                                                                        \
  X (R, encode_s, )                                                                                          \
  X (R, decode_s, )                                                                                          \
  X (N, prepare_s, ) /* judging its slots and laying them out: of the first cell that needs it, else 0 */    \
  X (N, check_s, )   /* comparing what was decoded, opening, the container */                                \
  X (N, timing_s, )  /* that timing it took */                                                               \
  X (N, get_ns, )                                                                                            \
  X (N, get_p99_ns, )                                                                                        \
  X (C, get_samples, )                                                                                       \
  X (N, probe_ns, )                                                                                          \
  X (N, probe_p99_ns, )                                                                                      \
  X (C, probe_samples, )                                                                                     \
  X (N, busy_cores, ) /* that other programs used while latencies were timed */                              \
  X (N, get_low_ns, ) /* 95 % of the median */                                                               \
  X (N, get_high_ns, )                                                                                       \
  X (N, get_scatter, ) /* the largest median of a repeat by the smallest */                                  \
  X (N, probe_low_ns, )                                                                                      \
  X (N, probe_high_ns, )                                                                                     \
  X (N, probe_scatter, )                                                                                     \
  X (N, encode_low_s, ) /* 95 % of the median encode_s; not known: it was measured once */                   \
  X (N, encode_high_s, )                                                                                     \
  X (C, encode_samples, ) /* CPU times whose median encode_s is; 0: of an older program, one by the clock */ \
  X (N, decode_low_s, )                                                                                      \
  X (N, decode_high_s, )                                                                                     \
  X (C, decode_samples, )                                                                                    \
  X (N, repeat_s, )          /* that coding it several times took */                                         \
  X (N, coding_busy_cores, ) /* that other programs used while it was coded */                               \
  X (C, whole_slots, )       /* of the table, where a part of it was coded (run/sample.c); then also: */     \
  X (C, lots, )              /* of the part, disjoint, that were coded alone */                              \
  X (C, lots_bytes, )        /* all of them together; 95 % bounds from the spread of the lots */             \
  X (C, lots_low_bytes, )                                                                                    \
  X (C, lots_high_bytes, )
#define SD_NAME_COLUMNS(X) SD_LINE_COLUMNS (X) SD_PLACE_COLUMNS (X)
#define SD_CELL_COLUMNS(X) SD_NAME_COLUMNS (X) SD_MEASURE_COLUMNS (X)

#define SD_RUN_COLUMNS(X)                                                                                    \
  X (T, started, 32)                                                                                         \
  X (T, title, 128)                                                                                          \
  X (T, version, 64)                                                                                         \
  X (T, commit, 64)                                                                                          \
  X (T, compiler, 160)                                                                                       \
  X (T, flags, 1024)                                                                                         \
  X (T, configure, 1024) /* its arguments */                                                                 \
  X (T, cpu, 128)                                                                                            \
  X (U, cores, )                                                                                             \
  X (U, jobs, )                                                                                              \
  X (I, seed, )                                                                                              \
  X (T, host, 128)                                                                                           \
  X (T, kernel, 160)                                                                                         \
  X (C, memory_bytes, )                                                                                      \
  X (N, load, )        /* of one minute, when the sweep began */                                             \
  X (N, load_s, )      /* seconds that loading tables took */                                                \
  X (T, command, 1024) /* what the user typed */                                                             \
  X (T, libraries, 512)                                                                                      \
  X (T, sweep_file, 256)                                                                                     \
  X (T, sweep_hash, 20)                                                                                      \
  X (C, expected_rows, ) /* of the store, when this sweep is over */                                         \
  X (P, sweep, )         /* the sweep's whole text */                                                        \
  X (P, tables, )        /* "NAME XXH3" of each table file that was read, a line each */

/* Bytes of a column, with the 0 behind the text. */
#define SD_SETTINGS_TEXT 512
#define SD_ORDER_TEXT 32

#define SD_MEMBER_T(name, size) char name[size];
#define SD_MEMBER_O(name, size) char name[size];
#define SD_MEMBER_P(name, size) char *name;
#define SD_MEMBER_I(name, size) uint64_t name;
#define SD_MEMBER_U(name, size) unsigned name;
#define SD_MEMBER_R(name, size) double name;
#define SD_MEMBER_N(name, size) double name;
#define SD_MEMBER_C(name, size) uint64_t name;
#define SD_MEMBER(kind, name, size) SD_MEMBER_##kind (name, size)

/** What a cell is: the values of its axes, as texts. */
typedef struct sd_name {
  SD_NAME_COLUMNS (SD_MEMBER)
} sd_name;

/** One measured cell, as stored. Times in seconds or nanoseconds as the names say; of the latencies those
 * that were not measured are NaN, so that `x > 0` asks whether there is one. */
typedef struct sd_row {
  int64_t id, run; /* set when rows are read: its number; sd_provenance.id */
  union {
    struct {
      SD_NAME_COLUMNS (SD_MEMBER)
    };
    sd_name name;
  };
  SD_MEASURE_COLUMNS (SD_MEMBER)
} sd_row;

/** No latency was measured: all of them are NaN. */
void sd_row_forget_times (sd_row *row);

/** Provenance of a run. What a run of an older version did not write down is "", 0 or NaN (load). */
typedef struct sd_provenance {
  int64_t id; /* sd_row.run */
  SD_RUN_COLUMNS (SD_MEMBER)
} sd_provenance;
void sd_provenance_clear (sd_provenance *run); /* frees the texts */
void sd_provenances_free (sd_provenance *run, size_t n);

/* ------------------------------------------------------------------------ store */

typedef struct sd_store sd_store;
/** create: make the file if need be, else SD_ENOENT. A file of an older version is brought up to date; if it
 * cannot be written, a copy in memory is. Names mean files only: there is no ":memory:" and no
 * "file:...?...". SD_EINVAL: no name; SD_EFORMAT: not a database of sweeps; SD_EVERSION: made by a newer
 * version. */
int sd_store_open (const char *path, bool create, sd_store **out, sd_error *err);
/** The name of its file. */
const char *sd_store_path (const sd_store *s);
/** To look at a store that there is: as sd_store_open, but the file stays as it is; of an older version a
 * copy in memory is brought up to date. */
int sd_store_peek (const char *path, sd_store **out, sd_error *err);
void sd_store_close (sd_store *s);
SD_LEFT_BY (sd_store, sd_store_close)
/** What queries of experiments/query/ are asked of; it stays the store's. */
struct sqlite3 *sd_store_database (sd_store *s);
/** What is asked of every database before it is read. store.c */
void sd_store_harden (struct sqlite3 *db);
/** All rows inserted from now on belong to this run. */
int sd_store_run (sd_store *s, const sd_provenance *run, sd_error *err);
/** This run's sweep is over: the rows that are there are those that were expected. */
int sd_store_run_over (sd_store *s, sd_error *err);
/** What is asked of a row beside its sizes: latencies of single symbols, of whole probes. */
typedef struct sd_times {
  bool get, probe;
} sd_times;
/** How many rows there are. */
int sd_store_count (sd_store *s, uint64_t *out, sd_error *err);
/** Is there a row, with these times? */
int sd_store_has (sd_store *s, const char *key, sd_times times, bool *out, sd_error *err);
/** A row that another group has for the same cell becomes a row of this group too, with the run that made it.
 * *out: was there one? */
int sd_store_adopt (sd_store *s, const char *key, const sd_name *name, sd_times times, bool *out,
                    sd_error *err);
/** Ends the claim on the cell, too. A row that somebody else has stored meanwhile stays, unless it lacks
 * times that this one has. */
int sd_store_insert (sd_store *s, const char *key, const sd_row *row, sd_error *err);

/** The cell failed, for this reason; when, "": now. Ends the claim on it. store_failures.c */
int sd_store_failed_cell (sd_store *s, const char *key, const char *finished, const char *error,
                          sd_error *err);
/** The failure of this key is over: what it was about is known by another key now. */
int sd_store_forget_failure (sd_store *s, const char *key, sd_error *err);
/** Has any cell ever failed? */
int sd_store_any_failure (sd_store *s, bool *out, sd_error *err);
/** Has the cell of this key failed, and no row? There are failures. */
int sd_store_has_failed (sd_store *s, const char *key, bool *out, sd_error *err);

/** Does the text of a commit name one source? "", "unknown" and "...-dirty" may stand for any. */
bool sd_commit_is_exact (const char *commit);

/** What two runs must have in common for their rows to be comparable: columns of a run, with a word for
 * each. */
typedef struct sd_identity {
  size_t at; /* of sd_provenance, a text; "": not known */
  const char *one;
  bool is_long; /* too long, and too much alike, to be shown */
} sd_identity;
enum { SD_IDENTITIES = 7 };
extern const sd_identity sd_identities[SD_IDENTITIES];

/** How rows that are there differ from what would be computed here and now. */
typedef struct sd_stale {
  uint64_t rows, runs;
  bool differs[SD_IDENTITIES];
  char example[600]; /* "commit abc (this is def), host x (this is y)": of the last such run */
} sd_stale;
/** Look at the rows that there are at this moment, among all runs. redo: from now on those that differ count
 * as not there (sd_store_has), and inserting replaces them. */
int sd_store_compare (sd_store *s, const sd_provenance *here, bool redo, sd_stale *out, sd_error *err);
/** Seconds of encoding and decoding, repeats included, of all rows of one codec, settings, metric and table.
 * A text may be NULL: files are untrusted. */
typedef struct sd_store_cost {
  const char *codec, *settings, *metric, *table;
  double seconds;
  uint64_t rows;
} sd_store_cost;
int sd_store_costs (sd_store *s, void (*each) (void *ctx, const sd_store_cost *cost), void *ctx,
                    sd_error *err);

/* Several sweeps on one store (store_claims.c). */
/** This process is at work from now on; it leaves when the store is closed. */
int sd_store_join (sd_store *s, sd_error *err);
/** This process is at work no more: its claims are free. sd_store_close does it, too. */
void sd_store_quit (sd_store *s);
/** A sign of life, every ten seconds or so, with what this process says of its work ("": nothing). Who was held for
 * dead joins again. */
int sd_store_beat (sd_store *s, const char *says, sd_error *err);
/** What a process that is at work has said last; "": none has. To be asked behind sd_store_others, which sends the dead
 * away. */
int sd_store_says (sd_store *s, char *out, size_t cap, sd_error *err);
/** Other processes that are at work on this store, and one of them in words. Those that are dead leave the
 * store. */
int sd_store_others (sd_store *s, unsigned *n, char *example, size_t cap, sd_error *err);
/** What stands between is one transaction, which costs a small cell more than its coding does. They may be
 * nested. end: takes back all of it if status is not SD_OK; returns status, or why the transaction failed. */
int sd_store_begin (sd_store *s, sd_error *err);
int sd_store_end (sd_store *s, int status, sd_error *err);
/** MINE: to be computed here; DONE: has its row; TAKEN: another process computes it. */
enum sd_claim { SD_CLAIM_MINE, SD_CLAIM_DONE, SD_CLAIM_TAKEN };
int sd_store_claim (sd_store *s, const char *key, sd_times times, enum sd_claim *out, sd_error *err);

/** What merging did: rows that are new in the store, and those that it had with the same bytes. */
typedef struct sd_merged {
  uint64_t added, same;
} sd_merged;
/** The rows of several stores, with the runs that made them, into one, which is made if need be; its own rows
 * stay. A cell that several hold must have the same bytes in all, or nothing is merged; of equal ones the
 * first stays, unless it lacks times that another one has. SD_EDIFF: which cell differs; SD_EINVAL: a store
 * is to be merged into itself. store_merge.c */
int sd_store_merge (const char *into, const char *const *from, size_t n, sd_merged *out, sd_error *err);

/** The rows and runs of another store as the temporary tables other_cell and other_run of this one.
 * store_merge.c */
int sd_store_put_beside (sd_store *into, sd_store *from, sd_error *err);

/** Look at every row and every run of a store that is only read, column by column, whether two rows are of
 * one cell, and whether each row has its run; how many rows there are. SD_EFORMAT: the file, the row and the
 * column, and why. */
int sd_store_check (sd_store *s, uint64_t *rows, sd_error *err);
/** Every column of every row with its provenance as CSV. */
int sd_store_csv (sd_store *s, sd_buf *out, sd_error *err);
/** All runs that have rows, in the order in which they began; sd_provenances_free frees them. */
int sd_store_runs (sd_store *s, sd_provenance **runs, size_t *n, sd_error *err);
/** The order and numbering of the smallest row of a group for the table, metric, coding and side of *name,
 * same freedom if the group has it, into *name. SD_ENOENT: the group has no such row. */
int sd_store_best_order (sd_store *s, const char *group, sd_name *name, sd_error *err);
/** The smallest row of each side of a table, for the one coding and set of freedoms in which all `sides` of
 * them take the least; of equal rows the quickest (eight arguments: the question's values, the answer, who is
 * told). max_ns > 0: only rows with get_ns up to that. row[0..sides-1], White's first. *found: is there one?
 * Streams that hold both sides do not count, and each side may have a codec of its own: not so in the winner
 * of a report. */
int sd_store_best (sd_store *s, const char *table, const char *metric, unsigned sides, double max_ns,
                   sd_row *row, bool *found, sd_error *err);
/** What is read from now on is of one moment, until the store is closed; for stores that are only read. */
int sd_store_snapshot (sd_store *s, sd_error *err);

/** (*first)[i]: which of hash[0..n-1] is the first that equals hash[i]; n < 2^32. The caller frees *first.
 * SD_ENOMEM. alike.c */
int sd_first_alike (const uint64_t *hash, uint64_t n, uint32_t **first, sd_error *err);

/* ---------------------------------------------------------------------- settings
 * "key=value,key=value"; a pair may be a word alone. settings.c */

/** The pair at *at, its length and that of its key, and on to the next; NULL at the end. */
const char *sd_pair_next (const char **at, size_t *len, size_t *key);
bool sd_pair_is_in (const char *settings, const char *pair, size_t len);
/** Is it the key of a setting of any codec? */
bool sd_is_setting (const char *word, size_t len);

/* ------------------------------------------------------------------------- texts
 * Everything that is written out of a database goes through these, the report's own texts too. What is no
 * character (control characters, bytes that are not UTF-8) is shown as U+FFFD. */

/** Text as it is; for what is markup already. */
void sd_put (sd_buf *b, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
void sd_put_text (sd_buf *b, const char *text);
/** Text into HTML, also into an attribute between quotes. Tabs and line breaks stay. */
void sd_put_html (sd_buf *b, const char *text);
/** Text into Markdown as one line that is no markup: backslashes before the characters that would be some. */
void sd_put_md (sd_buf *b, const char *text);
/** Text of many lines into Markdown, as a block of code whose fence is longer than any in the text. */
void sd_put_md_code (sd_buf *b, const char *text);
/** Text into LaTeX: printable ASCII, a question mark for each other byte, nothing that is a command. */
void sd_put_tex (sd_buf *b, const char *text);
/** One cell: quotes where a comma, a quote or a line break makes them necessary (RFC 4180), and an apostrophe
 * before what a spreadsheet would compute: a text, not a number, that begins with = + - @, a tab or a
 * carriage return. */
void sd_put_csv_cell (sd_buf *b, const char *text);
/** One line of cells. */
void sd_put_csv (sd_buf *b, const char *const *cell, unsigned n);
/** A string of gnuplot with its quotes, as its scripts and its data files read it: printable UTF-8. Quotes
 * that mean something inside become typographic ones; a backslash and each other byte a question mark. */
void sd_put_gnuplot (sd_buf *b, const char *text);
/** A part of a file's name: letters, digits and '_'; each other byte becomes '_'. */
void sd_file_part (const char *text, char *out, size_t cap);
/** A question mark for each byte that is not printable ASCII, for messages: what a terminal obeys begins with
 * such. In place. */
void sd_text_tame (char *text);

#endif
