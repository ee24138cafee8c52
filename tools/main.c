/* The front door: subdef COMMAND ... */
#include "config.h"
#include "tools/tools_internal.h"
#include <gsl/gsl_errno.h>
#include <string.h>

static const struct {
  const char *name, *summary;
  int (*run) (int argc, char **argv);
  bool threads; /* that it runs itself */
} commands[] = {
  { "gen", "generate tables by retrograde analysis, on all cores", sd_cmd_gen, false },
  { "reformat", "recode tables with another coder, order of pieces, freedom", sd_cmd_reformat, true },
  { "probe", "value, distance and best moves of positions", sd_cmd_probe, false },
  { "info", "what a table file holds and where its bytes go", sd_cmd_info, false },
  { "list", "the tables on the path", sd_cmd_list, false },
  { "verify", "check sums, and that each value follows from its successors", sd_cmd_verify, true },
  { "dump", "plain 16-bit values for other programs", sd_cmd_dump, true },
  { "sweep", "run an experiment: all cells of a sweep file", sd_cmd_sweep, true },
  { "report", "tables, figures and one HTML page from a sweep's results", sd_cmd_report, false },
  { "bench", "probe latency, decoding and encoding speed", sd_cmd_bench, true },
  { "simulate", "the generator's load balancing on up to 65,536 ranks", sd_cmd_simulate, true },
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

static void help (FILE *out) {
  fputs ("Usage: subdef COMMAND [OPTION...] [ARGUMENT...]\n"
         "Generate, compress, measure, reformat and probe chess endgame tables.\n\n",
         out);
  for (unsigned i = 0; i < NCOMMANDS; i++)
    fprintf (out, "  %-10s %s\n", commands[i].name, commands[i].summary);
  fputs ("\nA first tour:\n"
         "  subdef gen KRvK -o tables                          exact distances to mate, with all that KRvK "
         "depends on\n"
         "  subdef reformat KRvK --metric wdl --tables tables   a small table of results\n"
         "  subdef probe --tables tables '8/8/8/8/8/2k5/8/K6R w - - 0 1'\n\n"
         "'subdef COMMAND --help' explains a command. Tables are looked for in --tables DIR[:DIR], else in "
         "SUBDEF_PATH,\n"
         "else in the current folder. Exit status: 0 fine, 1 failed or differs, 2 wrong usage.\n",
         out);
}

static void man_page (void) {
  const char *name[NCOMMANDS], *summary[NCOMMANDS];
  for (unsigned i = 0; i < NCOMMANDS; i++) {
    name[i] = commands[i].name;
    summary[i] = commands[i].summary;
  }
  sd_tool_man_overview ("subdef", "generate, compress, measure, recode and probe endgame tables", name, summary,
                        NCOMMANDS);
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
    man_page ();
    return SD_EXIT_OK;
  }
  if (strcmp (argv[1], "--version") == 0 || strcmp (argv[1], "-V") == 0) {
    puts (PACKAGE_STRING);
    return SD_EXIT_OK;
  }
  for (unsigned i = 0; i < NCOMMANDS; i++)
    if (strcmp (argv[1], commands[i].name) == 0) {
      char name[64];
      if (commands[i].threads) {
        sd_tool_wait_gently (argv);
        sd_tool_leave_busy_cores ();
      }
      snprintf (name, sizeof name, "subdef %s", commands[i].name);
      argv[1] = name;
      return commands[i].run (argc - 1, argv + 1);
    }
  return sd_tool_usage ("unknown command '%s'; 'subdef --help' lists them", argv[1]);
}
