/* Progress on stderr: on a terminal a bar with the time left, elsewhere a plain line now and then, and only
 * for work that takes longer than two seconds. The state is this program's, not the library's. */
#include "config.h"
#include "tools/tools_internal.h"
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LINES_S 30. /* between two lines off a terminal */

static struct {
  char what[64];
  double started, drawn;
  bool shown;
} bar;

void sd_terminal_clear (void) {
  if (bar.shown) {
    fputs ("\r\033[K", stderr);
    fflush (stderr);
    bar.shown = false;
  }
}

/* Work of a new name, or the same from the start. The name ends at a tab; what is behind may change. Returns
 * for how long it has been done. */
static double follow (const char *what, uint64_t done, double now) {
  const int n = (int) strcspn (what, "\t");
  char name[sizeof bar.what];
  snprintf (name, sizeof name, "%.*s", n, what);
  if (strcmp (name, bar.what) != 0 || done == 0) {
    memcpy (bar.what, name, sizeof name);
    bar.started = now;
  }
  return now - bar.started;
}

static const char *detail_of (const char *what) {
  what += strcspn (what, "\t");
  return *what ? what + 1 : what;
}

/* "1 min 10 s, 2 min 05 s left". */
static void times (double run, uint64_t done, uint64_t total, char *out, size_t cap) {
  char so_far[32], left[32] = "?";
  sd_time_text (run, so_far, sizeof so_far);
  if (done > 0)
    sd_time_text (run * ((double) total / (double) done - 1), left, sizeof left);
  snprintf (out, cap, "%s, %s left", so_far, left);
}

static unsigned columns (void) {
  struct winsize w;
  return ioctl (STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col : 80;
}

static void draw (void *ctx, const char *what, uint64_t done, uint64_t total) {
  (void) ctx;
  enum { WIDTH = 30 };
  const double now = sd_now (), run = follow (what, done, now);
  char line[512], blocks[WIDTH + 1], time[80];
  if (done >= total && total) {
    sd_terminal_clear ();
    return;
  }
  if (run < 2 || now - bar.drawn < 0.1)
    return;
  bar.drawn = now;
  bar.shown = true;
  if (!total)
    snprintf (line, sizeof line, "%s: %llu", bar.what, (unsigned long long) done);
  else {
    const int full = (int) ((double) done / (double) total * WIDTH);
    memset (blocks, '#', (size_t) full);
    memset (blocks + full, '.', (size_t) (WIDTH - full));
    blocks[WIDTH] = 0;
    times (run, done, total, time, sizeof time);
    const char *detail = detail_of (what);
    snprintf (line, sizeof line, *detail ? "%s [%s] %3.0f %%  %s  %s" : "%-28s [%s] %3.0f %%  %s%s", bar.what,
              blocks, 100 * (double) done / (double) total, time, detail);
  }
  fprintf (stderr, "\r\033[K%.*s", (int) columns () - 1, line);
  fflush (stderr);
}

/* Off a terminal. */
static void write_line (void *ctx, const char *what, uint64_t done, uint64_t total) {
  (void) ctx;
  const double now = sd_now (), run = follow (what, done, now);
  const char *detail = detail_of (what);
  char time[80];
  if ((done >= total && total) || run < LINES_S || now - bar.drawn < LINES_S)
    return;
  bar.drawn = now;
  if (!total)
    fprintf (stderr, "%s: %llu\n", bar.what, (unsigned long long) done);
  else {
    times (run, done, total, time, sizeof time);
    fprintf (stderr, "%s: %.0f %%, %s%s%s\n", bar.what, 100 * (double) done / (double) total, time,
             *detail ? "; " : "", detail);
  }
}

void sd_terminal_progress (sd_progress *out, bool always) {
  *out = (sd_progress){ .report = always || isatty (STDERR_FILENO) ? draw : write_line };
}
