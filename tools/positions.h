/** \file positions.h
 * Positions as users give them, what was missing to answer them, and records of JSON: for probe in all games.
 */
#ifndef SD_POSITIONS_H
#define SD_POSITIONS_H

#include "probe/probe.h"
#include <jansson.h>

/** A position that is asked for. */
typedef struct sd_given {
  const char *text;   /* without blanks around it; not kept by who is called */
  unsigned long line; /* from 1; 0: an argument */
  const char *source; /* of the line: "stdin", a file */
} sd_given;

/** Call `one` for each of text[0..n-1], and for "-" for each line of standard input that is neither blank nor
 * a comment ('#'). Stops only where nothing can be printed any more. The exit status: that of the last
 * argument that failed; SD_EXIT_FAILED if a line did. */
int sd_tool_positions (char **text, int n, int (*one) (void *ctx, const sd_given *g), void *ctx);
/** The same for the lines of a file. */
int sd_tool_positions_of (const char *file, int (*one) (void *ctx, const sd_given *g), void *ctx);
/** A string, whatever its bytes. */
json_t *sd_json_text (const char *text);
/** null: it is not known, or not finite. */
json_t *sd_json_number (double v);
/** More members, as of json_pack: "{s:s, s:i}". */
void sd_json_put (json_t *record, const char *format, ...);
/** One line on stdout; frees the record. */
void sd_json_line (json_t *record);

/** A record of the one array that a command of many files writes on stdout, each as soon as it is known;
 * frees the record. Behind the last one the array is closed. */
void sd_json_row (json_t *record);
void sd_json_rows_end (void);

/** The array as it stands on stdout where all went well, and its end; NULL does nothing. */
void sd_json_rows (json_t *rows, int status);

/** Tables that were asked for in vain, each once: names as the generator takes them and the metric of the
 * values that they are made of, or names of files ("KRvK.wdl.sdt") where that one alone is missing. {0} is
 * empty. */
typedef struct sd_missing {
  char (*name)[SD_GAME_FILE_NAME];
  enum sd_metric *exact;
  unsigned n;
  uint64_t room, exact_room;
} sd_missing;
void sd_missing_note (sd_missing *m, const char *name, enum sd_metric exact);
/** Note all of them. */
void sd_missing_add (sd_missing *m, const sd_missing *more);
/** On stderr, a line for each metric: all of them, and the command that makes them (named: with the names
 * behind it). */
void sd_missing_tell (const sd_missing *m, const char *path, const char *command, bool named);
void sd_missing_free (sd_missing *m);
/** Add them to a record as "missing"; none: nothing. */
void sd_json_missing (json_t *record, const sd_missing *m);

/** Add where the bytes of a stream go: "header_bytes" to "nodes". info.c */
void sd_json_parts (json_t *record, const sd_codec_parts *p);
/** What `subdef info --json` says of a table. info.c */
json_t *sd_table_json (const char *path, const sd_table *t);

/** Say what is wrong with it, by line and text; json: also as a record {"line", KEY, "error"} on stdout, with
 * "missing" where tables are. Returns the exit status. */
int sd_given_fail (const sd_given *g, const char *key, bool json, const sd_missing *missing, sd_error *err);

#endif
