/* copied.c - what a probe takes by libsubdef-probe, by libsubdef, by the two files that engines copy and,
 * where it is linked, by an older libsubdef-probe, of the same random positions, in one process and in turns.
 *   copied PROCESS POSITIONS SEED NAME=PATH... ENDING...
 * NAME=PATH: WDL tables, and what the column `tables` calls them. copied.sh links the ways into one
 * program: the functions of libsubdef have `full_` before their names, those of the two files `copied_`,
 * those of an older libsubdef-probe `before_`. A row of CSV for each ending, NAME and way: the least CPU time
 * of a pass over all positions, in nanoseconds a probe. Passes take turns, so that what other programs do
 * meanwhile meets all ways. Ends with 1 if a value differs. */
#define WITHOUT_FATHOM
#include "positions.h"
#include <string.h>

/* A short pass is repeated more often, and a long one until all ways together took that long. */
enum { PASSES = 60, LEAST_PASSES = 5, WAYS = 4, PROBERS = 8 };
static const double MOST_SECONDS = 4;

typedef int open_at (const char *path, unsigned flags, sd_prober **out, char *message, size_t room);
typedef int wdl_at (const sd_prober *prober, const sd_prober_position *pos, int *wdl);
typedef void close_at (sd_prober *prober);
open_at full_sd_prober_open, copied_sd_prober_open;
wdl_at full_sd_prober_wdl, copied_sd_prober_wdl;
close_at full_sd_prober_close, copied_sd_prober_close;
/* null where no older library is linked */
extern open_at before_sd_prober_open __attribute__ ((weak));
extern wdl_at before_sd_prober_wdl __attribute__ ((weak));
extern close_at before_sd_prober_close __attribute__ ((weak));

static const struct {
  const char *name;
  open_at *open;
  wdl_at *wdl;
  close_at *close;
} way[WAYS] = { { "libsubdef-probe", sd_prober_open, sd_prober_wdl, sd_prober_close },
                { "libsubdef", full_sd_prober_open, full_sd_prober_wdl, full_sd_prober_close },
                { "copied", copied_sd_prober_open, copied_sd_prober_wdl, copied_sd_prober_close },
                { "before", before_sd_prober_open, before_sd_prober_wdl, before_sd_prober_close } };
static unsigned ways; /* that are linked */

typedef struct probers {
  unsigned n;
  const char *name[PROBERS];
  sd_prober *of[PROBERS][WAYS];
} probers;

static double cpu_seconds (void) {
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* CPU seconds for all positions. */
static double pass (unsigned w, const sd_prober *of, const sd_prober_position *at, unsigned n, int *value) {
  const double begin = cpu_seconds ();
  for (unsigned i = 0; i < n; i++)
    if (way[w].wdl (of, &at[i], &value[i]) != SD_PROBER_OK)
      fail ("no value for a position", way[w].name);
  return cpu_seconds () - begin;
}

static int measure (const probers *all, unsigned process, const char *ending, unsigned n) {
  sd_prober_position *at = calloc (n, sizeof *at);
  int *first = malloc (n * sizeof *first), *value = malloc (n * sizeof *value), differ = 0;
  if (!at || !first || !value)
    fail ("out of memory", ending);
  for (unsigned i = 0; i < n; i++)
    draw_position (ending, all->of[0][0], &at[i]);
  for (unsigned k = 0; k < all->n; k++) {
    double least[WAYS] = { 0 }, took = 0;
    unsigned passes = 0;
    /* The first ones find out what the values are. */
    for (unsigned w = 0; w < ways; w++) {
      pass (w, all->of[k][w], at, n, w ? value : first);
      differ += w && memcmp (first, value, n * sizeof *value) != 0;
    }
    for (; passes < PASSES && (passes < LEAST_PASSES || took < MOST_SECONDS); passes++)
      for (unsigned t = 0; t < ways; t++) {
        const unsigned w = (t + passes + process) % ways;
        const double s = pass (w, all->of[k][w], at, n, value);
        took += s;
        if (!passes || s < least[w])
          least[w] = s;
      }
    for (unsigned w = 0; w < ways; w++)
      printf ("%s,%s,%s,%u,%u,%u,%.1f\n", ending, all->name[k], way[w].name, process, n, passes,
              1e9 * least[w] / n);
  }
  fflush (stdout);
  free (at);
  free (first);
  free (value);
  return differ;
}

int main (int argc, char **argv) {
  probers all = { 0 };
  int differ = 0;
  ways = way[WAYS - 1].open ? WAYS : WAYS - 1;
  if (argc < 6)
    fail ("PROCESS POSITIONS SEED NAME=PATH... ENDING...", "usage");
  const unsigned process = (unsigned) strtoul (argv[1], NULL, 10), n = (unsigned) strtoul (argv[2], NULL, 10);
  state = strtoull (argv[3], NULL, 10);
  for (int i = 4; i < argc; i++) {
    char *is = strchr (argv[i], '='), message[256] = "too many";
    if (!is) {
      if (all.n == 0)
        fail ("no tables before it", argv[i]);
      differ += measure (&all, process, argv[i], n);
      continue;
    }
    *is = 0;
    /* What is read first lies elsewhere in memory than what is read behind it: each way is first, second ...
     * in some process, and the turn goes either way round. All is read here (SD_PROBER_ALL). */
    for (unsigned t = 0; t < ways; t++) {
      const unsigned turns = process / ways, w = ((turns % 2 ? ways - 1 - t : t) + process + turns) % ways;
      if (all.n == PROBERS
          || way[w].open (is + 1, SD_PROBER_ALL, &all.of[all.n][w], message, sizeof message) != SD_PROBER_OK)
        fail (message, argv[i]);
    }
    all.name[all.n++] = argv[i];
  }
  for (unsigned k = 0; k < all.n; k++)
    for (unsigned w = 0; w < ways; w++)
      way[w].close (all.of[k][w]);
  if (differ)
    fprintf (stderr, "%d times values differ\n", differ);
  return differ != 0;
}
