/* gnuplot, run as a program over the scripts of a folder: all of them go through one process beside this one,
 * its messages into a file that is removed when there are none. A process for each query would write other
 * files: in gnuplot's first figure two groups that hold no line are in ink where later ones have one in grey.
 * -d: its start-up files are not read, so that a figure looks the same everywhere. */
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

/* ------------------------------------------------------------------------ dark paper */

static const char dark_file[] = "figures.dark", log_file[] = "figures.log";
/* style.gp, told so, leaves to us what it writes into each figure, and says what that is. */
static const char say_dark[] =
    "LATER = 1; load 'style.gp'; set print 'figures.dark'; print DARK; unset print";

/* The style of dark paper in front of what is drawn. A figure that gnuplot did not draw stays away. */
static int put_dark_into (const char *dir, const char *name, const sd_map *dark, sd_error *err) {
  static const char canvas[] = "\n<g id=\"gnuplot_canvas\">";
  sd_buf out SD_RELEASED_BY (sd_buf_free) = { 0 };
  char path[4200], file[104];
  sd_map svg;
  snprintf (file, sizeof file, "%s.svg", name);
  snprintf (path, sizeof path, "%s/%s", dir, file);
  if (sd_map_open (path, &svg, NULL) != SD_OK)
    return SD_OK;
  const uint8_t *at = memmem (svg.data, svg.len, canvas, sizeof canvas - 1);
  const size_t before = at ? (size_t) (at - svg.data) + 1 : svg.len;
  sd_buf_append (&out, svg.data, before);
  sd_buf_append (&out, dark->data, at ? dark->len - 1 : 0); /* but the end of its line */
  sd_buf_append (&out, svg.data + before, svg.len - before);
  sd_map_close (&svg);
  return sd_write_file (dir, file, &out, err);
}

static int put_dark (const sd_figures *f, const char *dir, const char *path, sd_error *err) {
  sd_map dark;
  int status = SD_OK;
  if (sd_map_open (path, &dark, NULL) != SD_OK)
    return SD_OK;
  for (size_t i = 0; i < f->n && status == SD_OK && dark.len; i++)
    status = put_dark_into (dir, f->figure[i].name, &dark, err);
  sd_map_close (&dark);
  unlink (path);
  return status;
}

/* Of earlier figures nothing is left. A file that is there already is not ours. */
static int open_log (const char *dir, int *log) {
  char path[4200];
  snprintf (path, sizeof path, "%s/%s", dir, dark_file);
  unlink (path);
  snprintf (path, sizeof path, "%s/%s", dir, log_file);
  unlink (path);
  *log = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  return *log < 0 ? errno : 0;
}

int sd_figures_draw (sd_figures *f, const char *gnuplot, const char *dir, sd_error *err) {
  enum { FIRST = 4 }; /* of the scripts among the arguments */
  const char **args SD_OWNED = sd_alloc0 (f->n + FIRST + 1, sizeof *args);
  char (*script)[104] SD_OWNED = sd_alloc (f->n + 1, sizeof *script);
  if (!args || !script)
    return sd_fail_memory (err, f->n * sizeof *args);
  args[0] = gnuplot;
  args[1] = "-d";
  args[2] = "-e";
  args[3] = say_dark;
  for (uint64_t i = 0; i < f->n; i++) {
    snprintf (script[i], sizeof script[i], "%s.gp", f->figure[i].name);
    args[FIRST + i] = script[i];
  }
  int log, code = open_log (dir, &log);
  if (code == 0) {
    code = start (gnuplot, dir, log, (char *const *) (uintptr_t) args, &f->process);
    close (log);
  }
  f->drawing = code == 0;
  if (code != 0)
    snprintf (f->why, sizeof f->why, "%s cannot be run: %s", gnuplot, strerror (code));
  return SD_OK;
}

void sd_figures_wait (sd_figures *f) {
  if (f->drawing)
    wait_for (f);
  f->drawing = false;
}

int sd_figures_finish (sd_figures *f, const char *dir, sd_error *err) {
  char path[4200];
  sd_map map;
  sd_figures_wait (f);
  snprintf (path, sizeof path, "%s/%s", dir, log_file);
  if (sd_map_open (path, &map, NULL) == SD_OK) {
    if (map.len == 0)
      unlink (path);
    sd_map_close (&map);
  }
  snprintf (path, sizeof path, "%s/%s", dir, dark_file);
  return put_dark (f, dir, path, err);
}
