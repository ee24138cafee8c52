/** \file tools_internal.h
 * What the commands share: their options, messages, the path of tables, progress on a terminal. One file a
 * command. Functions that fail return a status and fill *err in; those that return an exit status have told
 * what was wrong. */
#ifndef SD_TOOLS_INTERNAL_H
#define SD_TOOLS_INTERNAL_H

#include "base/words.h"
#include "gen/games/games.h"
#include <argp.h>

/* Exit statuses: 0 fine, 1 failed or differs, 2 wrong usage. */
enum { SD_EXIT_OK = 0, SD_EXIT_FAILED = 1, SD_EXIT_USAGE = 2 };

enum { SD_MOST_PIECES = 24 }; /* of a slice of any game */

/* --------------------------------------------------- options: options.c, shared_options.c */

/** A list of words: the i-th one, kept until the next call; NULL behind the last. */
typedef const char *sd_words_at (unsigned i);
/** An option: its row in --help and in the manual page, and where its value goes, by one of the places. What
 * the row of an option that several commands take leaves out comes from shared_options.c. */
typedef struct sd_option {
  const char *name;
  int letter; /* SD_NO_LETTER: not even that of other commands */
  const char *arg, *doc;
  bool *flag;
  const char **text; /* with `expected`: not empty */
  enum sd_metric *metric;
  unsigned *choice; /* which of `words` it is */
  unsigned *count;  /* of a number from least to most */
  double *number;   /* the same, in units of `unit`, if that is not 0 */
  double least, most, unit;
  bool (*take) (const char *arg); /* anything else; false: it is wrong */
  const char *expected;           /* for the complaint, if it says more than the range */
  sd_words_at *words; /* that the text may be: made into `expected`, into `arg` if that is NULL, and put in
                         place of an '@' in `doc` */
  sd_words_at *about; /* what each of them means, for `doc`; NULL: nothing is said */
  char joint;         /* between several of them, as '+'; what reads the text knows more then */
  int group;          /* of --help, in their order */
  unsigned of;        /* bits of the command's own: what it means something for */
} sd_option;
enum { SD_NO_LETTER = -1 };

/** The row with what it leaves out. shared_options.c */
sd_option sd_option_whole (const sd_option *given);
/** Was the option of that name given? */
bool sd_tool_said (const char *name);
/** The first option given that has none of the bits `of`; NULL: all have. */
const char *sd_tool_said_not_of (unsigned of);

/* ------------------------------------------------------------------ commands: main.c */

/** The words besides options. */
typedef struct sd_words {
  char **at;
  int n;
} sd_words;

typedef struct sd_command sd_command;
/** A command of a program: a row in its file. */
struct sd_command {
  const char *name;
  int (*run) (const sd_words *words); /* with what the options say at their places; the exit status */
  const sd_option *options;           /* a row without a name at the end */
  const char *args;                   /* as in struct argp */
  int most;                           /* words besides options; 0: any number */
  sd_words_at *named;                 /* what a word in args in capitals may also be, as PRESET */
  const char *about;                  /* NULL: as its help says */
  bool makes;                         /* ENDINGs are made, not looked for */
  bool threads;                       /* it runs some itself */
  /** The command that these words are for; NULL: it is this one. */
  const sd_command *(*instead) (int argc, char **argv);
  int (*start) (int argc, char **argv); /* takes the words as they are, in place of `run` */
};

/** Those of subdef, each in its file. */
extern const sd_command sd_cmd_gen, sd_cmd_reformat, sd_cmd_probe, sd_cmd_serve, sd_cmd_info, sd_cmd_list,
    sd_cmd_verify, sd_cmd_dump, sd_cmd_import, sd_cmd_export, sd_cmd_get, sd_cmd_recompress, sd_cmd_sweep,
    sd_cmd_set, sd_cmd_report, sd_cmd_limits, sd_cmd_bench, sd_cmd_simulate;

/** What tools/help/NAME.txt says of a command: a line for the list of commands; what it does, a vertical tab,
 * more. */
typedef struct sd_help {
  const char *name, *summary, *about;
} sd_help;
const sd_help *sd_tool_help (const char *name);

/** Read the options to their places and the other words to *words. Wrong usage is one line on stderr and exit
 * SD_EXIT_USAGE; help, version and --man, which prints the manual page, end the program, too. */
void sd_tool_parse (const sd_command *c, int argc, char **argv, sd_words *words);
/** The option that a word names: "--codec", "--cod=x" by as many letters as tell it from others, as getopt
 * does, or the last letter of "-qo". NULL: none. */
const sd_option *sd_option_named (const sd_command *c, const char *word);
/** Print what the last of the words that were typed behind the command may become: a line each, the whole
 * word, a tab, and what it means. The line ":files" stands for the names of files. */
void sd_tool_complete (const sd_command *c, char **typed, int n);
/** The same with argp's flags, so that ARGP_NO_EXIT and ARGP_SILENT come back: an error number (EINVAL: wrong
 * usage), *told: help or the like was asked for. */
int sd_options_read (const sd_command *c, int argc, char **argv, unsigned flags, sd_words *words, bool *told);

/** The manual page of a command on stdout, from the table that its --help prints. */
void sd_tool_man_page (const char *name, const struct argp *argp);
/** The page of a program that has commands, with a line about each. */
void sd_tool_man_overview (const char *name, const char *about, const sd_command *const *command);

/* ------------------------------------------------------------------ messages: common.c */

/** The command line as one could type it again, words quoted where the shell asks for it, as it was before it
 * was read; NULL: no memory. */
const char *sd_tool_line (void);
void sd_tool_keep_line (int argc, char **argv);
/** The words by which the program was called, "subdef reformat": messages begin with them. Kept, not copied.
 */
void sd_tool_called (const char *name);
const char *sd_tool_name (void);
/** The program subdef-gen, beside this one or else as PATH has it. start_gen.c */
void sd_tool_find_generator (char *out, size_t cap);
/** By which 'subdef gen' tells subdef-gen what the user has typed. */
#define SD_GEN_CALLED "SUBDEF_GEN_CALLED"
/** "subdef reformat: TEXT" on stderr. */
void sd_tool_say (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
/** "subdef reformat: note: TEXT" on stderr. */
#define sd_tool_note(...) sd_tool_say ("note: " __VA_ARGS__)
/** "subdef reformat: TEXT" on stderr; returns the exit status that fits err->status. */
int sd_tool_fail (const sd_error *err);
/** The same for a message made here, of wrong usage. */
#define sd_tool_usage(...) (sd_tool_say (__VA_ARGS__), SD_EXIT_USAGE)

/* -------------------------------------------------- games and their words: common.c */

/** The rules of --game; NULL: of the first game of the list. */
int sd_tool_rules (const char *game, sd_rules *out, sd_error *err);
/** After a failure of something that needs the tables of a slice on `path`: where one is missing
 * (err->missing), add the command that makes it; where the wdl table of one that holds moves only is missing,
 * say so. game: as typed, NULL: not. */
void sd_tool_advise (sd_error *err, const char *game, const sd_rules *r, sd_slice slice, const char *path);
/** "won", "drawn", "lost": of any value. */
const char *sd_tool_result (sd_value v);
/** What the game calls a slice, and several of them. */
const char *sd_tool_slice (const sd_game_kind *k);
const char *sd_tool_slices (const sd_game_kind *k);
/** A DTM value in the words of the game; of a draw "drawn". */
void sd_tool_value (const sd_game_kind *k, sd_value v, char *out, size_t cap);

/* ------------------------------------------------------ the path of tables: common.c */

/** The path of tables: the option if given, else SUBDEF_PATH, else ".". */
const char *sd_tool_path (const char *option);
/** Open the tables of that path; a failure tells if the path is that of SUBDEF_PATH. */
int sd_tool_open (const char *option, unsigned flags, sd_tables **out, sd_error *err);
/** A folder for exact tables that are missing: the first of the path that holds such, else one that holds
 * nothing or is not there, else "exact", so that the small tables of a folder stay by themselves. */
void sd_tool_exact_folder (const char *path, char *out, size_t cap);
/** Say which folders of the path are not there, the option's if it is given. sd_tool_open does. SD_ENOENT:
 * none is. */
int sd_tool_note_absent (const char *option, sd_error *err);
/** Is it the name of a list of what commands have made, which lies beside the files (reformat/done.h)? */
bool sd_tool_is_list (const char *path);
/** Call `one` for a file, or for the tables of a slice (an ending) in the folders of the path: WDL, then
 * DTM; a list of what was made is passed over. Ends where it fails. SD_ENOENT: the slice has none. */
int sd_tool_each_file (const char *text, const sd_rules *r, const char *tables,
                       int (*one) (const char *path, sd_error *err), sd_error *err);
/** The next folder of a path, and *path behind it; false: there is none. Longer names than `cap` are cut. */
bool sd_tool_next_folder (const char **path, char *out, size_t cap);
/** The folder of a file: "." of a name alone. */
void sd_tool_folder_of (const char *file, char out[4096]);
/** Where what belongs to a file is looked for: in its own folder, on the path of tables, and in `more` (NULL:
 * none). *out is malloced. SD_ENOMEM. */
int sd_tool_path_from (const char *file, const char *tables, const char *more, char **out, sd_error *err);
/** Is it one file, however both are spelled? */
bool sd_tool_same_file (const char *a, const char *b);
/** First folder of a path, for output; out has room for cap bytes. */
void sd_tool_first_folder (const char *path, char *out, size_t cap);

/* ------------------------------------------------ words of options, texts of values */

/** The codec of --codec (NULL: repair) with its settings, those of --set. SD_EINVAL. settings.c */
int sd_tool_codec (const char *name, const char *set, const sd_codec **codec, sd_settings *settings,
                   sd_error *err);
/** All codecs, their settings and the initial replacements on stdout; exit status. */
int sd_tool_list_settings (void);
/** The words of options, from the rows of the library. values.c */
sd_words_at sd_tool_metric_word, sd_tool_codec_word, sd_tool_coding_word, sd_tool_sides_word,
    sd_tool_freedom_word, sd_tool_numbering_word, sd_tool_solver_word;
/** What each of the words means. */
sd_words_at sd_tool_metric_about, sd_tool_coding_about, sd_tool_freedom_about;
/** *which: its number. False: it is none of them. */
bool sd_tool_find_word (sd_words_at *words, const char *text, unsigned *which);
bool sd_tool_is_word (sd_words_at *words, const char *text);
/** "wdl: won, drawn or lost; dtm: plies to mate"; about NULL: "rows, z". */
void sd_tool_say_words (sd_words_at *words, sd_words_at *about, char *out, size_t cap);
/** "wdl|dtm": for the help of an option. */
void sd_tool_alternatives (sd_words_at *words, char *out, size_t cap);
/** "expected wdl or dtm; did you mean "wdl"?" */
void sd_tool_expected (sd_words_at *words, const char *given, char *out, size_t cap);
/** "8G", "500M", with k, M, G or T; bytes without a letter. false: it is none of these, or less than one. */
bool sd_tool_read_bytes (const char *text, double *bytes);
/** "1,234,567", kept until the tenth call from now of the same thread. */
const char *sd_tool_count (uint64_t v);
/** The parts of a stream in the line of `subdef info`: ": header 4, ... 17 blocks". */
void sd_tool_parts (const sd_codec_parts *p);
/** Order and numbering of a side's layout; "-": it has none. */
void sd_tool_layout (const sd_side *s, char order[24], char numbering[24]);

/* ---------------------------------------------------- how a program begins and ends */

/** Flush stdout; a failed write (full disk, closed pipe) is told, and makes it exit 1. */
int sd_tool_finish (int status);
/** Do that at the end of the program, whichever way it ends (argp leaves by exit). Called once by main. */
void sd_tool_watch_stdout (void);

/** Threads of programs started from here on sleep while they wait, unless the user has chosen how; false: he
 * has, or there are no threads. waiting.c */
bool sd_tool_choose_waiting (void);
/** The same for this program, which is started once more for it, with the same arguments. The first call of
 * main. */
void sd_tool_wait_gently (char **argv);
/** Start with as many threads as there are cores that other programs leave free, at least one, unless the
 * user has set OMP_NUM_THREADS or bound the program to some of the cores. Two threads that share one core and
 * a half with others wait for one another in every loop: they took 1.3 times the CPU time of one thread. Not
 * for ranks, whose launcher deals out the cores. */
void sd_tool_leave_busy_cores (void);
/** How many cores other programs keep busy, from the text of Linux' /proc/loadavg: what both the load of the
 * last minute and the number of runnable threads now (without the one that asks) say, so that neither a
 * moment's activity nor a program that has just ended counts. 0 if the text is something else. */
unsigned sd_tool_busy_cores (const char *loadavg);

/** Have SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU and SIGXFSZ remove the temporary files that are
 * open and then end the program as they would have without. Called once by main. */
void sd_tool_watch_signals (void);

/** From now on the first SIGINT ends nothing, and only sd_tool_interrupted says that it came; the next one
 * ends the program again. Not `on`: SIGINT ends the program. Nothing changes where it was ignored from the
 * start. */
void sd_tool_catch_interrupt (bool on);
/** Has a SIGINT come since? As sd_progress.stop. */
bool sd_tool_interrupted (void *ctx);

/** What a signal leaves on stderr: the line `text`, which stays the caller's and as it is until another takes
 * its place; NULL: none. */
void sd_tool_last_words (const char *text);

/* ------------------------------------------------------------- progress: progress.c */

/** Progress on stderr, for work that takes longer than two seconds: a bar with the time left while that is
 * known, and behind it what stands behind a tab in the text of a report ("sweep\t12 of 54 cells"); behind a
 * second tab the time itself, of work that knows better, or nothing. If stderr is no terminal, a plain line
 * every 30 seconds; `always`: a bar all the same (mpirun hands a terminal on as a pipe). */
extern const sd_progress sd_terminal, sd_terminal_always;
/** Remove the bar before other output. */
void sd_terminal_clear (void);

/* --------------------------------------------------------------- layouts, tasks, data */

/** Files of layouts (layouts.c): header and a table's line on stdout; the layouts of the sides that spec
 * stores, of its material, and SD_SIDES_JOINT if the line says so. SD_ENOENT without a line. */
void sd_layouts_header (void);
void sd_layouts_line (const sd_table_info *in);
/** file "papers": that of the smallest tables that are known, which comes with the program (papers/). codec:
 * codec and settings, too, where the file has them. freedom: likewise. *bytes: what the file says came out;
 * 0: nothing. */
int sd_layouts_find (const char *file, bool codec, bool freedom, sd_table_spec *spec, uint64_t *bytes,
                     sd_error *err);

/** One of several tasks that a launcher started (mpirun, srun); rank 0 of 1 without one. tasks.c */
typedef struct sd_task {
  unsigned rank, ranks;
  unsigned cores; /* that are this task's share */
} sd_task;
sd_task sd_task_of_launcher (void);
/** The part, from 1, of this task of a job array of Slurm; untouched where there is none. *alone: the array
 * has this task only, which may be one of a larger array that was submitted again. False: the numbers of the
 * environment do not fit each other. tasks.c */
bool sd_task_of_array (unsigned *part, unsigned *parts, bool *alone);
/** Of all tasks that share the files or tables of one command: those of a launcher, of a job array, or of
 * both. False: as sd_task_of_array. tasks.c */
bool sd_task_take (sd_task *task);
/** Programs that this process starts are no tasks: nothing in its environment says so from here on. tasks.c
 */
void sd_task_forget (void);
/** By which tasks are dealt out: what a table of that ending takes to make, compared with others; it rises
 * with the slots. tasks.c */
double sd_task_weight (const sd_material *m);

/** A file that comes with the program, "papers/...": its path (data.c). SD_ENOENT tells where it was looked
 * for. */
int sd_tool_data (const char *name, char *path, size_t cap, sd_error *err);

#endif
