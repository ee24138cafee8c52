/* gnuplot, run as a program over the scripts of a folder: all of them go through one process, its messages
 * into a file that is removed when there are none. -d: its start-up files are not read, so that a figure
 * looks the same everywhere. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int start (const char *gnuplot, const char *dir, char *const *args, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init (&actions);
  if (code == 0)
    code = posix_spawn_file_actions_addchdir_np (&actions, dir);
  if (code == 0)
    code = posix_spawn_file_actions_addopen (&actions, 0, "/dev/null", O_RDONLY, 0);
  if (code == 0) /* a file that is there already is not ours: sd_figures_draw has removed the last one */
    code = posix_spawn_file_actions_addopen (&actions, 1, "figures.log", O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (code == 0)
    code = posix_spawn_file_actions_adddup2 (&actions, 1, 2);
  if (code == 0)
    code = posix_spawnp (pid, gnuplot, &actions, NULL, args, environ);
  posix_spawn_file_actions_destroy (&actions);
  return code;
}

static bool run (const char *gnuplot, const char *dir, char *const *args, char *why, size_t cap) {
  pid_t pid;
  int state = 0, code = start (gnuplot, dir, args, &pid);
  if (code != 0) {
    snprintf (why, cap, "%s cannot be run: %s", gnuplot, strerror (code));
    return false;
  }
  while (waitpid (pid, &state, 0) < 0)
    if (errno != EINTR) {
      snprintf (why, cap, "%s: %s", gnuplot, strerror (errno));
      return false;
    }
  if (WIFEXITED (state) && WEXITSTATUS (state) == 0)
    return true;
  snprintf (why, cap, "%s failed with status %d; figures.log says why", gnuplot,
            WIFEXITED (state) ? WEXITSTATUS (state) : -1);
  return false;
}

int sd_figures_draw (sd_figures *f, const char *gnuplot, const char *dir, sd_error *err) {
  char log[4200];
  const char **args SD_OWNED = sd_alloc0 (f->n + 3, sizeof *args);
  char (*script)[104] SD_OWNED = sd_alloc (f->n + 1, sizeof *script);
  sd_map map;
  if (!args || !script)
    return sd_fail_memory (err, f->n * sizeof *args);
  args[0] = gnuplot;
  args[1] = "-d";
  for (size_t i = 0; i < f->n; i++) {
    snprintf (script[i], sizeof script[i], "%s.gp", f->figure[i].name);
    args[2 + i] = script[i];
  }
  snprintf (log, sizeof log, "%s/figures.log", dir);
  unlink (log);
  f->drawn = run (gnuplot, dir, (char *const *) (uintptr_t) args, f->why, sizeof f->why);
  if (sd_map_open (log, &map, NULL) == SD_OK) {
    if (map.len == 0)
      unlink (log);
    sd_map_close (&map);
  }
  return SD_OK;
}
