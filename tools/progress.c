/* A progress bar with the time left, on a terminal only and only for work that takes longer than two seconds.
 * The state is this program's, not the library's. */
#include "config.h"
#include "tools/tools_internal.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

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

static void time_text (double s, char *out, size_t cap) {
  if (s < 60)
    snprintf (out, cap, "%.0f s", ceil (s));
  else if (s < 3600)
    snprintf (out, cap, "%d min %02d s", (int) s / 60, (int) s % 60);
  else
    snprintf (out, cap, "%d h %02d min", (int) (s / 3600), (int) s / 60 % 60);
}

static void draw (void *ctx, const char *what, uint64_t done, uint64_t total) {
  (void) ctx;
  double now = sd_now ();
  if (strncmp (what, bar.what, sizeof bar.what - 1) != 0 || done == 0) {
    snprintf (bar.what, sizeof bar.what, "%s", what);
    bar.started = now;
  }
  if (done >= total && total) {
    sd_terminal_clear ();
    return;
  }
  double run = now - bar.started;
  if (run < 2 || now - bar.drawn < 0.1)
    return;
  bar.drawn = now;
  bar.shown = true;
  if (!total) {
    fprintf (stderr, "\r\033[K%s: %llu", what, (unsigned long long) done);
  } else {
    enum { WIDTH = 30 };
    double part = (double) done / (double) total;
    char blocks[WIDTH + 1], left[32];
    int full = (int) (part * WIDTH);
    memset (blocks, '#', (size_t) full);
    memset (blocks + full, '.', (size_t) (WIDTH - full));
    blocks[WIDTH] = 0;
    if (part > 0)
      time_text (run / part - run, left, sizeof left);
    else
      strcpy (left, "?");
    fprintf (stderr, "\r\033[K%-28s [%s] %3.0f %%  %s left", what, blocks, 100 * part, left);
  }
  fflush (stderr);
}

void sd_terminal_progress (sd_progress *out, bool always) {
  *out = (sd_progress){ 0 };
  if (always || isatty (STDERR_FILENO))
    out->report = draw;
}
