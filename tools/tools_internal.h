/** \file tools_internal.h
 * What the commands share: messages, the path of tables, progress on a terminal. One file a command. */
#ifndef SD_TOOLS_INTERNAL_H
#define SD_TOOLS_INTERNAL_H

#include "table/table.h"
#include <argp.h>

/* Exit statuses: 0 fine, 1 failed or differs, 2 wrong usage. */
enum { SD_EXIT_OK = 0, SD_EXIT_FAILED = 1, SD_EXIT_USAGE = 2 };

/** One command: argv[0] is "subdef NAME" (for argp's messages); returns the exit status. */
int sd_cmd_gen (int argc, char **argv);
int sd_cmd_reformat (int argc, char **argv);
int sd_cmd_probe (int argc, char **argv);
int sd_cmd_info (int argc, char **argv);
int sd_cmd_list (int argc, char **argv);
int sd_cmd_verify (int argc, char **argv);
int sd_cmd_dump (int argc, char **argv);
int sd_cmd_sweep (int argc, char **argv);
int sd_cmd_report (int argc, char **argv);
int sd_cmd_bench (int argc, char **argv);
int sd_cmd_simulate (int argc, char **argv);

/** argp_parse where wrong usage is one line on stderr and exit SD_EXIT_USAGE. */
void sd_tool_parse (const struct argp *argp, int argc, char **argv);
/** "subdef: TEXT" on stderr; returns the exit status that fits err->status. */
int sd_tool_fail (const sd_error *err);
/** The same for a message made here; returns SD_EXIT_USAGE. */
int sd_tool_usage (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
/** After a failure of something that needs the exact tables of ending m on `path`: where a dtm table is
 * missing, add the command that makes it; where the wdl table of one that holds moves only is missing, say
 * so. */
void sd_tool_advise (sd_error *err, const sd_material *m, const char *path);
/** The path of tables: the option if given, else SUBDEF_PATH, else ".". */
const char *sd_tool_path (const char *option);
/** Open the tables of that path; a failure tells if the path is that of SUBDEF_PATH. */
int sd_tool_open (const char *option, unsigned flags, sd_tables **out, sd_error *err);
/** First folder of a path, for output; out has room for cap bytes. */
void sd_tool_first_folder (const char *path, char *out, size_t cap);
/** All codecs, their settings and the initial replacements on stdout; exit status. */
int sd_tool_list_settings (void);
/** "wdl" or "dtm"; false: neither. */
bool sd_tool_metric (const char *text, enum sd_metric *out);
const char *sd_tool_metric_name (enum sd_metric m);
/** Flush stdout; a failed write (full disk, closed pipe) is told, and makes it exit 1. */
int sd_tool_finish (int status);
/** Do that at the end of the program, whichever way it ends (argp leaves by exit). Called once by main. */
void sd_tool_watch_stdout (void);

/** Progress bar with time left on stderr, for work that takes longer than two seconds; nothing if stderr is
 * no terminal, unless `always` (mpirun hands a terminal on as a pipe). */
void sd_terminal_progress (sd_progress *out, bool always);
/** Remove the bar before other output. */
void sd_terminal_clear (void);

/** subdef bench codecs (bench_codecs.c): what sd_lookup_seconds is made of; exit status. */
int sd_bench_codecs (char **name, int n, enum sd_metric metric, const char *tables);
/** subdef bench gen (bench_gen.c): endings by name and all with 3 to `men` men (0: none); solvers: names with
 * commas, "all", or NULL; exit status. */
int sd_bench_gen (char **name, int n, unsigned men, const char *solvers, const char *tables, bool json);

/** Other games than chess (games.c); game: NAME[:FILE], path: folders; exit statuses. slice: NULL where a
 * game has one. file: NULL prints a line a position. game NULL: as the table says. sd_game_verify_table
 * closes t. */
int sd_game_probe (const char *game, const char *path, char **position, int n, bool json);
int sd_game_dump (const char *game, const char *path, const char *slice, const char *file);
int sd_game_verify_table (const char *game, const char *path, sd_table *t, const sd_progress *progress,
                          sd_error *err);
typedef struct sd_game_reformat_options {
  const char *game, *path, *folder, *codec, *set, *freedom, *coding;
  enum sd_metric metric;
  bool overwrite, quiet;
  char **slice;
  int n, pieces;
} sd_game_reformat_options;
int sd_game_reformat (const sd_game_reformat_options *o);

/** Files of layouts (layouts.c): header and a table's line on stdout; the layouts of the sides that spec
 * stores, of its material, and SD_SIDES_JOINT if the line says so. SD_ENOENT without a line. */
void sd_layouts_header (void);
void sd_layouts_line (const sd_table_info *in);
/** codec: codec and settings, too, where the file has them. *bytes: what the file says came out; 0: nothing. */
int sd_layouts_find (const char *file, bool codec, sd_table_spec *spec, uint64_t *bytes, sd_error *err);
/** The file of the smallest tables that are known, which comes with the program (papers/). */
int sd_layouts_pinned (enum sd_metric metric, char *path, size_t cap, sd_error *err);
/** A file that comes with the program, "papers/...": its path (data.c). SD_ENOENT tells where it was looked for. */
int sd_tool_data (const char *name, char *path, size_t cap, sd_error *err);

#endif
