/* subdef COMMAND ...: chooses the command by its first word and gives it the words behind. The commands are
 * the rows of other files; this one has the list of them, the overview that `subdef --help` prints, the
 * version, and what has to be set up before any command: GSL's error handler, signals, the check of standard
 * output, threads. It returns the exit status of the command. */
#include "config.h"
#include "tools/tools_internal.h"
#include <gsl/gsl_errno.h>
#include <string.h>

/* In the order of the overview, of the manual page and of completion. */
static const sd_command *const commands[] = {
  &sd_cmd_gen,    &sd_cmd_set,   &sd_cmd_reformat,   &sd_cmd_probe, &sd_cmd_serve,
  &sd_cmd_info,   &sd_cmd_list,  &sd_cmd_verify,     &sd_cmd_dump,  &sd_cmd_import,
  &sd_cmd_export, &sd_cmd_get,   &sd_cmd_recompress, &sd_cmd_sweep, &sd_cmd_report,
  &sd_cmd_limits, &sd_cmd_bench, &sd_cmd_simulate,   NULL
};

/* `subdef --help` prints it on stdout, `subdef` alone on stderr. */
static void help (FILE *out) {
  fputs ("Usage: subdef COMMAND [OPTION...] [ARGUMENT...]\n"
         "Generate, compress, measure and probe endgame tables.\n\nCommands:\n",
         out);
  for (unsigned i = 0; commands[i]; i++)
    fprintf (out, "  %-10s %s\n", commands[i]->name, sd_tool_help (commands[i]->name)->summary);
  fputs (
      "\nA first tour:\n"
      "  subdef gen KRvK -o tables                           exact DTM tables of KRvK and all its sub-endings\n"
      "  subdef reformat KRvK --metric wdl --tables tables   a small WDL table\n"
      "  subdef probe --tables tables '8/8/8/8/8/2k5/8/K6R w - - 0 1'\n\n"
      "WDL tables say whether the side to move wins, draws or loses; DTM tables give the distance to mate in plies.\n"
      "'subdef COMMAND --help' explains a command. Each command takes -h, --help, -V and --version.\n"
      "Tables are looked for in --tables DIR[:DIR], else in SUBDEF_PATH, else in the current folder.\n"
      "Exit status: 0 fine, 1 failed or differs, 2 wrong usage.\n",
      out);
}

/* NULL: there is none. Names are not abbreviated. */
static const sd_command *find (const char *name) {
  for (unsigned i = 0; commands[i]; i++)
    if (strcmp (name, commands[i]->name) == 0)
      return commands[i];
  return NULL;
}

/* "subdef: unknown command 'reformt'; did you mean "reformat"?" */
static int unknown (const char *word) {
  sd_guess guess = sd_guess_of (word);
  for (unsigned i = 0; commands[i]; i++)
    sd_guess_offer (&guess, commands[i]->name);
  return sd_tool_usage ("unknown command '%s'%s", word,
                        guess.nearest ? sd_guess_ask (&guess) : "; 'subdef --help' lists them");
}

/* argv[0] is "subdef NAME", for argp's messages. A command with `start` gets the words as they were typed.
 * `instead` has to be asked before the options are read, since the other command has options of its own
 * (`subdef import` of Syzygy files). */
static int start (const sd_command *c, int argc, char **argv) {
  sd_words words;
  if (c->start)
    return c->start (argc, argv);

  const sd_command *other = c->instead ? c->instead (argc, argv) : NULL;
  c = other ? other : c;
  /* Reading options sorts the words, so that the line is kept before. */
  sd_tool_keep_line (argc, argv);
  sd_tool_parse (c, argc, argv, &words);
  return c->run (&words);
}

/* `subdef --complete WORD...`, from the shell: of the command, or what that command makes of the words
 * behind. */
static int complete (int argc, char **argv) {
  const sd_command *c = argc > 3 ? find (argv[2]) : NULL;

  if (c) {
    /* The command gets "NAME --complete WORD...". Words beyond the 63rd, where nobody completes anything by
     * hand, are left out. */
    char *behind[64] = { argv[2], argv[1] };
    int n = 2;
    for (int i = 3; i < argc && n < 63; i++)
      behind[n++] = argv[i];
    return start (c, n, behind);
  }
  for (unsigned i = 0; argc == 3 && commands[i]; i++)
    if (strncmp (commands[i]->name, argv[2], strlen (argv[2])) == 0)
      printf ("%s\t%s\n", commands[i]->name, sd_tool_help (commands[i]->name)->summary);
  return SD_EXIT_OK;
}

/* The words that are looked at before a command is known are compared whole: no command begins with a '-'. */
int main (int argc, char **argv) {
  gsl_set_error_handler_off (); /* GSL would abort; its statuses are looked at instead */
  sd_tool_watch_stdout ();
  sd_tool_watch_signals ();

  if (argc < 2) {
    help (stderr);
    return SD_EXIT_USAGE;
  }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0 || strcmp (argv[1], "-?") == 0
      || strcmp (argv[1], "help") == 0) {
    help (stdout);
    return SD_EXIT_OK;
  }
  if (strcmp (argv[1], "--man") == 0) { /* for the makefile */
    sd_tool_man_overview ("subdef", "generate, compress, measure, recode and probe endgame tables", commands);
    return SD_EXIT_OK;
  }
  if (strcmp (argv[1], "--version") == 0 || strcmp (argv[1], "-V") == 0) {
    puts (PACKAGE_STRING);
    return SD_EXIT_OK;
  }
  if (strcmp (argv[1], "--complete") == 0)
    return complete (argc, argv);

  const sd_command *c = find (argv[1]);
  if (!c)
    return unknown (argv[1]);

  static char name[64]; /* messages begin with it until the program ends */
  /* Before anything of the command has been done, for it may start this program once more. */
  if (c->threads) {
    sd_tool_wait_gently (argv);
    sd_tool_leave_busy_cores ();
  }

  snprintf (name, sizeof name, "subdef %s", c->name);
  argv[1] = name;
  sd_tool_called (name);
  return start (c, argc - 1, argv + 1);
}
