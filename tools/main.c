/* The front door: subdef COMMAND ... */
#include "config.h"
#include "tools/tools_internal.h"
#include <gsl/gsl_errno.h>
#include <string.h>

static const sd_command commands[] = {
  { "gen", "generate tables by retrograde analysis, on all cores", sd_cmd_gen, false },
  { "reformat", "recode tables with another codec, piece order, freedom, or in another format", sd_cmd_reformat, true },
  { "probe", "tell WDL, DTM and best moves of positions", sd_cmd_probe, false },
  { "serve", "answer questions about positions over HTTP, with a page for browsers", sd_cmd_serve, false },
  { "info", "say what a table file holds and where its bytes go", sd_cmd_info, false },
  { "list", "list the tables on the path", sd_cmd_list, false },
  { "verify", "check checksums, and that each value follows from those of its successors", sd_cmd_verify,
    true },
  { "dump", "write plain 16-bit values for other programs", sd_cmd_dump, true },
  { "import", "make a source of a plain array and of what is free in it", sd_cmd_import, true },
  { "export", "write an array as a plain file, or endings as Syzygy files", sd_cmd_export, true },
  { "get", "print values of an array", sd_cmd_get, false },
  { "recompress", "make Syzygy files smaller", sd_cmd_recompress, true },
  { "sweep", "run an experiment: each cell of a sweep file", sd_cmd_sweep, true },
  { "report", "make tables, figures and one HTML page from the rows of a sweep", sd_cmd_report, false },
  { "limits", "how short tables can be: entropies and estimates beside all codecs", sd_cmd_limits, true },
  { "bench", "measure probes, decoding, encoding and solving", sd_cmd_bench, true },
  { "simulate", "simulate the generator's load balancing on up to 1,048,576 ranks", sd_cmd_simulate, true },
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

static void help (FILE *out) {
  fputs ("Usage: subdef COMMAND [OPTION...] [ARGUMENT...]\n"
         "Generate, compress, measure and probe endgame tables.\n\nCommands:\n",
         out);
  for (unsigned i = 0; i < NCOMMANDS; i++)
    fprintf (out, "  %-10s %s\n", commands[i].name, commands[i].summary);
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

static const sd_command *find (const char *name) {
  for (unsigned i = 0; i < NCOMMANDS; i++)
    if (strcmp (name, commands[i].name) == 0)
      return &commands[i];
  return NULL;
}

static int unknown (const char *word) {
  sd_guess guess = sd_guess_of (word);
  for (unsigned i = 0; i < NCOMMANDS; i++)
    sd_guess_offer (&guess, commands[i].name);
  return sd_tool_usage ("unknown command '%s'%s", word,
                        guess.nearest ? sd_guess_ask (&guess) : "; 'subdef --help' lists them");
}

/* `subdef --complete WORD...`, from the shell: of the command, or what that command makes of the words
 * behind. */
static int complete (int argc, char **argv) {
  const sd_command *c = argc > 3 ? find (argv[2]) : NULL;
  if (c) {
    char *behind[64] = { argv[2], argv[1] };
    int n = 2;
    for (int i = 3; i < argc && n < 63; i++)
      behind[n++] = argv[i];
    return c->run (n, behind);
  }
  for (unsigned i = 0; argc == 3 && i < NCOMMANDS; i++)
    if (strncmp (commands[i].name, argv[2], strlen (argv[2])) == 0)
      printf ("%s\t%s\n", commands[i].name, commands[i].summary);
  return SD_EXIT_OK;
}

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
    sd_tool_man_overview ("subdef", "generate, compress, measure, recode and probe endgame tables", commands,
                          NCOMMANDS);
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
  if (c->threads) {
    sd_tool_wait_gently (argv);
    sd_tool_leave_busy_cores ();
  }
  snprintf (name, sizeof name, "subdef %s", c->name);
  argv[1] = name;
  sd_tool_called (name);
  return c->run (argc - 1, argv + 1);
}
