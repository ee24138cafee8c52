/* Progress on stderr: on a terminal a bar with the time left, elsewhere a plain line now and then, and only
 * for work that takes longer than two seconds. The bar never falls, and a time is told only while it can be
 * right (base/eta.h). Work that knows itself better says its share and its time, in the text of its reports.
 * The state is this program's, not the library's. */
#include "config.h"
#include "base/eta.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A log that is looked at later needs a line now and then, and no bar. */
#define LINES_S 30. /* between two lines off a terminal */

/* There is one bar: work of another name takes the place of the one before. */
static struct {
  char what[64];         /* the name of the work, by which a report of another one is known */
  double started, drawn; /* seconds of sd_now: of the work, of the last line */
  sd_eta estimate;       /* of this work; its share is what the bar shows */
  bool complete;         /* nothing was left at the last report */
  bool shown;            /* a bar stands on the terminal, and is to be removed before other output */
} bar;

/* What a report says: "WHAT\tDETAIL\tTIME", the last two or the last may lack. With a third field, which may
 * be empty, done / total is the share to be shown. */
typedef struct said {
  char what[sizeof bar.what], detail[256], time[64];
  bool has_time;
} said;

/* The field at `at`, cut to cap; what stands behind its tab is returned. *there: there was one. */
static const char *take_field (const char *at, char *out, size_t cap, bool *there) {
  const size_t n = strcspn (at, "\t");
  snprintf (out, cap, "%.*s", (int) n, at);
  *there = at[n] == '\t';
  return at + n + *there;
}

static void read_said (const char *text, said *out) {
  bool more;
  *out = (said){ .has_time = false };
  text = take_field (text, out->what, sizeof out->what, &more);
  if (more)
    text = take_field (text, out->detail, sizeof out->detail, &out->has_time);
  if (out->has_time)
    take_field (text, out->time, sizeof out->time, &more);
}

void sd_terminal_clear (void) {
  if (bar.shown) {
    fputs ("\r\033[K", stderr);
    fflush (stderr);
    bar.shown = false;
  }
}

/* Work of a new name, or the same once more after it was complete. Returns for how long it has been done. */
static double follow (const said *s, uint64_t done, uint64_t total, double now) {
  if (strcmp (s->what, bar.what) != 0 || (done == 0 && bar.complete)) {
    memcpy (bar.what, s->what, sizeof bar.what);
    bar.started = now;
    sd_eta_begin (&bar.estimate, now, 0);
  }
  /* Work that knows its share and time is believed, but for a share that falls; else both are reckoned. */
  bar.complete = total && done >= total;
  if (s->has_time) {
    const double share = total ? (double) done / (double) total : 0;
    bar.estimate.share = share > bar.estimate.share ? share : bar.estimate.share;
  } else if (total)
    sd_eta_update (&bar.estimate, now, (double) done, done < total ? (double) (total - done) : 0);
  return now - bar.started;
}

/* "1 min 10 s, about 2 min 05 s left". */
static void times (const said *s, double run, char *out, size_t cap) {
  char so_far[32], left[32], told[64] = "";
  const double seconds = sd_eta_left (&bar.estimate);
  sd_time_text (run, so_far, sizeof so_far);
  if (s->has_time)
    memcpy (told, s->time, sizeof told);
  else if (isfinite (seconds)) {
    sd_time_text (seconds, left, sizeof left);
    snprintf (told, sizeof told, "about %s left", left);
  }
  snprintf (out, cap, "%s%s%s", so_far, *told ? ", " : "", told);
}

/* Of the terminal; 80 where it does not tell, as a pipe. */
static unsigned columns (void) {
  struct winsize w;
  return ioctl (STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col : 80;
}

/* The bar is what gives way on a narrow terminal: a number whose end is cut off would be another number. */
static void draw_bar (const said *s, const char *time, char *out, size_t cap) {
  enum { WIDTH = 30, LEAST = 8 };
  const double share = bar.estimate.share;
  char before[sizeof s->what + 28], behind[sizeof s->detail + 160], blocks[WIDTH + 1];
  /* Without a detail the bars of one run stand below each other, at the same column. */
  snprintf (before, sizeof before, *s->detail ? "%s [" : "%-28s [", s->what);
  snprintf (behind, sizeof behind, "] %3.0f %%  %s%s%s", floor (100 * share), time, *s->detail ? "  " : "",
            s->detail);
  const int room = (int) columns () - 1 - (int) (strlen (before) + strlen (behind));
  const int width = room > WIDTH ? WIDTH : room < LEAST ? LEAST : room, full = (int) (share * width);
  memset (blocks, '#', (size_t) full);
  memset (blocks + full, '.', (size_t) (width - full));
  blocks[width] = 0;
  snprintf (out, cap, "%s%s%s", before, blocks, behind);
}

/* always: not NULL: a bar also where standard error is no terminal. */
static void report (void *always, const char *what, uint64_t done, uint64_t total) {
  /* On a terminal the first bar after 2 s and ten a second; elsewhere a line each LINES_S seconds. */
  const bool terminal = always || isatty (STDERR_FILENO);
  const double now = sd_now (), from = terminal ? 2 : LINES_S, between = terminal ? 0.1 : LINES_S;
  char line[600], time[128];
  said s;

  read_said (what, &s);
  const double run = follow (&s, done, total, now);
  /* The bar of complete work goes: what it made is told in its place. */
  if (done >= total && total)
    sd_terminal_clear ();
  if ((done >= total && total) || run < from || now - bar.drawn < between)
    return;

  bar.drawn = now;
  bar.shown = terminal;
  times (&s, run, time, sizeof time);
  /* Nobody knows how much there is in all: how much there was. */
  if (!total)
    snprintf (line, sizeof line, "%s: %" PRIu64, s.what, done);
  else if (terminal)
    draw_bar (&s, time, line, sizeof line);
  else
    snprintf (line, sizeof line, "%s: %.0f %%, %s%s%s", s.what, floor (100 * bar.estimate.share), time,
              *s.detail ? "; " : "", s.detail);

  if (terminal)
    fprintf (stderr, "\r\033[K%.*s", (int) columns () - 1, line);
  else
    fprintf (stderr, "%s\n", line);
  fflush (stderr);
}

const sd_progress sd_terminal = { .report = report }, sd_terminal_always = { .report = report, .ctx = &bar };
