/** \file reformat.h
 * Files of one format made of values that stand in another one: what `subdef reformat` does. `recompress`,
 * `export --syzygy` and `import` of Syzygy files are presets of it. */
#ifndef SD_REFORMAT_H
#define SD_REFORMAT_H

#include "tools/tools_internal.h"

/** Formats that files are made in: a bit each, in the order of their rows (items.c). */
enum { SD_TO_SDT = 1, SD_TO_RTBW = 2, SD_TO_RTBZ = 4 };
/** What becomes of a file that is there already, if no list tells that it is what is asked for. */
enum sd_there { SD_THERE_REFUSE, SD_THERE_KEEP, SD_THERE_REPLACE };

/** What is asked for; NULL, 0 and SD_NO_METRIC: nothing is said. */
typedef struct sd_reformat {
  sd_words words; /* endings, slices of another game, or files whose values are taken */
  unsigned men, jobs, parts;
  unsigned to; /* 0: the format of each Syzygy file that is named */
  enum sd_there there;
  enum sd_metric metric; /* of .sdt; not said: that of the file that is named, of endings WDL */
  const char *tables, *out, *codec, *set, *order, *numbering, *freedom, *coding, *sweep, *layouts, *game,
      *sides;
  double max_latency; /* seconds; 0: no bound */
  double memory;      /* bytes that making an .sdt table may take; 0: no bound */
  double budget;      /* of each search, CPU seconds; 0: none */
  bool arrays;        /* the words are files of these */
  bool best, high, successors, overwrite, quiet, json, statistics;
  bool estimate; /* only say what it takes */
  bool in_place; /* a file may take the place of the one that it is made of */
} sd_reformat;
#define SD_REFORMAT_PLAIN                                                                                    \
  { .metric = SD_NO_METRIC, .max_latency = 2e-6 }

/** Make them all; the exit status. */
int sd_reformat_run (const sd_reformat *opt);
/** What options say of an .sdt table, as a text that is the same for the same table: by it a list knows what
 * is there. subject: of the table's game and ending. sdt.c */
int sd_reformat_how (const sd_reformat *opt, const sd_rules *rules, const sd_table_spec *subject,
                     enum sd_metric metric, char *out, size_t cap, sd_error *err);
/** What a table of a game with layouts takes that `reformat` makes by these options without a search, told by
 * samples. Seven arguments: what is asked for, of what, and what becomes of it. estimate.c */
int sd_reformat_estimate (const sd_reformat *opt, const sd_rules *rules, sd_game_tables *exact,
                          sd_slice slice, enum sd_metric metric, sd_table_estimate *out, sd_error *err);
/** Room for that text. */
enum { SD_REFORMAT_HOW = 768 };
/** Was what `was` says done for what `wanted` asks? What was looked at longer is done for less, too. batch.c
 */
bool sd_reformat_does (const char *was, const char *wanted);
/** subdef import of Syzygy files: reformat with another default codec and folder. */
extern const sd_command sd_reformat_imports;
/** Is it a name of a Syzygy file, right or wrong? */
bool sd_reformat_is_syzygy (const char *path);

#endif
