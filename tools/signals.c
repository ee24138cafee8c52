/* What a signal leaves behind: nothing but what was complete before.
 *
 * Ctrl-C, Ctrl-\, a terminal that goes away, kill, a reader that has gone away, a limit on CPU time or on the
 * size of files: temporary files are removed and the program dies by that signal, as it would have without
 * us, so that shells and mpirun see what happened; work that can be gone on with has left a line that says so
 * (sd_tool_last_words). A pipe without a reader is the usual end of "subdef ... |
 * head": no message, nothing computed for nobody.
 *
 * Tables are mapped. If somebody cuts a file that is being read, or its disk fails, the system sends SIGBUS;
 * then the program says so and fails as after any other error. */
#include "config.h"
#include "tools/tools_internal.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *volatile last_words;

void sd_tool_last_words (const char *text) {
  last_words = text;
}

/* Calls only what may be called while anything else is interrupted. */
static void lost (int number) {
  static const char text[] =
      "subdef: a file that is being read was cut short by somebody else, or its disk has failed; "
      "files are replaced by renaming a new one, never in place\n";
  (void) number;
  sd_outfile_remove_open ();
  if (write (STDERR_FILENO, text, sizeof text - 1) < 0)
    _exit (SD_EXIT_FAILED);
  _exit (SD_EXIT_FAILED);
}

/* The handler is reset when it is called (SA_RESETHAND) and the signal is not blocked (SA_NODEFER). */
static void end (int number) {
  const char *text = number == SIGPIPE || number == SIGHUP ? NULL : last_words;
  sd_outfile_remove_open ();
  if (text && write (STDERR_FILENO, text, strlen (text)) < 0)
    _exit (SD_EXIT_FAILED);
  raise (number);
}

static volatile sig_atomic_t interrupted;

static void watch (int number, void (*handler) (int)) {
  struct sigaction now = { .sa_handler = handler, .sa_flags = SA_RESETHAND | SA_NODEFER };
  sigemptyset (&now.sa_mask);
  sigaction (number, &now, NULL);
}

static void note (int number) {
  interrupted = 1;
  watch (number, end);
}

void sd_tool_catch_interrupt (bool on) {
  struct sigaction old;
  interrupted = 0;
  if (sigaction (SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
    watch (SIGINT, on ? note : end);
}

bool sd_tool_interrupted (void *ctx) {
  (void) ctx;
  return interrupted;
}

void sd_tool_watch_signals (void) {
  static const int all[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU, SIGXFSZ };
  sd_outfile_watch ();
  struct sigaction gone = { .sa_handler = lost, .sa_flags = SA_RESETHAND };
  sigemptyset (&gone.sa_mask);
  sigaction (SIGBUS, &gone, NULL);
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    struct sigaction old;
    /* who started us may have asked to ignore it (nohup, a job in the background); of pipes he hardly can
     * have meant it: programs in many languages ignore SIGPIPE and hand that on to their children */
    if (sigaction (all[i], NULL, &old) == 0 && (old.sa_handler != SIG_IGN || all[i] == SIGPIPE))
      watch (all[i], end);
  }
}
