/* gnuplot, run as a program over the scripts of a folder: all of them go through one process beside this one,
 * its messages into a file that is removed when there are none. A process for each query would write other
 * files: in gnuplot's first figure two groups that hold no line are in ink where later ones have one in grey.
 * -d: its start-up files are not read, so that a figure looks the same everywhere.
 *
 * sd_figures_draw only begins; sd_figures_wait ends it, and sd_figures_free does, too, after a failure in
 * between. A gnuplot that is missing or fails is no failure of a report: the page says "No figures here:
 * gnuplot cannot be run: No such file or directory". */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The program in the folder, without input, both outputs into the log. Returns 0 or a number of the
 * system's. */
static int start (const char *gnuplot, const char *dir, int log, char *const *args, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init (&actions);
  if (code == 0)
    code = posix_spawn_file_actions_addchdir_np (&actions, dir);
  if (code == 0)
    code = posix_spawn_file_actions_addopen (&actions, 0, "/dev/null", O_RDONLY, 0);
  if (code == 0)
    code = posix_spawn_file_actions_adddup2 (&actions, log, 1);
  if (code == 0)
    code = posix_spawn_file_actions_adddup2 (&actions, log, 2);
  /* Figures are UTF-8 in any locale; in that of plain C gnuplot would warn of signs. */
  setenv ("LC_ALL", "C.UTF-8", 1);
  if (code == 0)
    code = posix_spawnp (pid, gnuplot, &actions, NULL, args, environ);
  posix_spawn_file_actions_destroy (&actions);
  return code;
}

/* drawn: all scripts went through; else `why` says what became of it. */
static void wait_for (sd_figures *f) {
  int state = 0;
  while (waitpid (f->process, &state, 0) < 0)
    if (errno != EINTR) {
      snprintf (f->why, sizeof f->why, "gnuplot: %s", strerror (errno));
      return;
    }

  f->drawn = WIFEXITED (state) && WEXITSTATUS (state) == 0;
  if (!f->drawn)
    snprintf (f->why, sizeof f->why, "gnuplot failed with status %d; figures.log says why",
              WIFEXITED (state) ? WEXITSTATUS (state) : -1);
}

static const char log_file[] = "figures.log";

/* Of earlier figures nothing is left. A file that is there already is not ours. */
static int open_log (const char *dir, int *log) {
  char path[4200];
  snprintf (path, sizeof path, "%s/%s", dir, log_file);
  unlink (path);
  *log = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  return *log < 0 ? errno : 0;
}

int sd_figures_draw (sd_figures *f, const char *gnuplot, const char *dir, sd_error *err) {
  /* gnuplot takes commands and scripts in this order; the style of dark paper goes into all figures at once
   */
  const char *const first[] = { gnuplot, "-d", "-e", "LATER = 1" }, *const last[] = { "-e", "eval darken" };
  enum { FIRST = sizeof first / sizeof *first, LAST = sizeof last / sizeof *last };
  const char **args SD_OWNED = sd_alloc0 (FIRST + f->n + LAST + 1, sizeof *args);
  char (*script)[104] SD_OWNED = sd_alloc (f->n + 1, sizeof *script);

  if (!args || !script)
    return sd_fail_memory (err, f->n * sizeof *args);

  memcpy (args, first, sizeof first);
  for (uint64_t i = 0; i < f->n; i++) {
    snprintf (script[i], sizeof script[i], "%s.gp", f->figure[i].name);
    args[FIRST + i] = script[i];
  }
  memcpy (args + FIRST + f->n, last, sizeof last);

  int log, code = open_log (dir, &log);
  if (code == 0) {
    code = start (gnuplot, dir, log, (char *const *) (uintptr_t) args, &f->process);
    close (log);
  }

  f->drawing = code == 0;
  f->dir = dir;
  if (code != 0)
    snprintf (f->why, sizeof f->why, "%s cannot be run: %s", gnuplot, strerror (code));
  return SD_OK;
}

void sd_figures_wait (sd_figures *f) {
  char path[4200];
  struct stat is;
  if (!f->drawing)
    return;

  wait_for (f);
  f->drawing = false;

  /* An empty log would be one more file that nobody needs. */
  snprintf (path, sizeof path, "%s/%s", f->dir, log_file);
  if (stat (path, &is) == 0 && is.st_size == 0)
    unlink (path);
}
