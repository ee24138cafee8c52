/* memory.c - how long opening a folder of tables takes, and how much memory of its own a process has then and
 * after probes: Fathom in Syzygy's files beside <subdef/probe.h>.
 *   memory SYZYGY POSITIONS SEED NAME=PATH... ENDING...
 * As fathom.c; a row of CSV for Fathom and for each NAME. Each row is of PROCESSES processes that open the
 * folder once: the median of the times, and of one of them the private memory (Private_Clean and
 * Private_Dirty of /proc/self/smaps_rollup) that came by opening and then by probing the positions of all the
 * endings. The files have been read before, so that no time is that of a disk. */
#include "positions.h"
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROBERS = 8, PROCESSES = 51 };

typedef struct cost {
  uint64_t ns;
  long opened, probed; /* KiB */
} cost;

typedef struct folder {
  unsigned files;
  uint64_t bytes;
} folder;

static long private_kib (void) {
  char line[200];
  long sum = 0, kib;
  FILE *f = fopen ("/proc/self/smaps_rollup", "r");
  if (!f)
    fail ("cannot be read", "/proc/self/smaps_rollup");
  while (fgets (line, sizeof line, f))
    if (sscanf (line, "Private_Clean: %ld", &kib) == 1 || sscanf (line, "Private_Dirty: %ld", &kib) == 1)
      sum += kib;
  fclose (f);
  return sum;
}

/* All files of the folder are read; of those that a prober knows by their names the number and the bytes. */
static folder read_folder (const char *path, bool syzygy) {
  static char part[1 << 16];
  folder sum = { 0 };
  DIR *d = opendir (path);
  if (!d)
    fail ("cannot be opened", path);
  for (struct dirent *e; (e = readdir (d));) {
    char name[4096];
    const char *end = strrchr (e->d_name, '.');
    if (!end || strcmp (end, syzygy ? ".rtbw" : ".sdt") != 0)
      continue;
    snprintf (name, sizeof name, "%s/%s", path, e->d_name);
    FILE *f = fopen (name, "rb");
    if (!f)
      fail ("cannot be opened", name);
    for (size_t n; (n = fread (part, 1, sizeof part, f));)
      sum.bytes += n;
    sum.files++;
    fclose (f);
  }
  closedir (d);
  return sum;
}

static cost one_process (const char *path, bool syzygy, const sd_prober_position *at, unsigned n) {
  char message[256];
  sd_prober *own = NULL;
  cost c;
  int wdl;
  const long before = private_kib ();
  const uint64_t begin = now ();
  if (syzygy ? !tb_init (path) : sd_prober_open (path, 0, &own, message, sizeof message) != SD_PROBER_OK)
    fail (syzygy ? "no Syzygy files" : message, path);
  c.ns = now () - begin;
  c.opened = private_kib () - before;
  for (unsigned i = 0; i < n; i++)
    if (syzygy)
      fathom_wdl (&at[i]);
    else if (sd_prober_wdl (own, &at[i], &wdl) != SD_PROBER_OK)
      fail ("no value for a position", path);
  c.probed = private_kib () - before;
  return c;
}

static cost apart (const char *path, bool syzygy, const sd_prober_position *at, unsigned n) {
  cost c;
  int ends[2], status = 1;
  if (pipe (ends))
    fail ("cannot be made", "a pipe");
  const pid_t child = fork ();
  if (child == 0) {
    c = one_process (path, syzygy, at, n);
    _exit (write (ends[1], &c, sizeof c) == sizeof c ? 0 : 2);
  }
  close (ends[1]);
  const bool whole = child > 0 && read (ends[0], &c, sizeof c) == sizeof c;
  close (ends[0]);
  if (!whole || waitpid (child, &status, 0) != child || status)
    fail ("the process that opens it has failed", path);
  return c;
}

static int by_time (const void *a, const void *b) {
  const uint64_t x = ((const cost *) a)->ns, y = ((const cost *) b)->ns;
  return x < y ? -1 : x > y;
}

static void measure (const char *name, const char *path, bool syzygy, const sd_prober_position *at,
                     unsigned n) {
  const folder f = read_folder (path, syzygy);
  if (!f.files)
    fail ("has no tables", path);
  cost c[PROCESSES];
  for (unsigned i = 0; i < PROCESSES; i++)
    c[i] = apart (path, syzygy, at, i ? 0 : n);
  const cost first = c[0];
  qsort (c, PROCESSES, sizeof *c, by_time);
  printf ("%s,%u,%llu,%.3f,%ld,%u,%ld\n", name, f.files, (unsigned long long) f.bytes,
          (double) c[PROCESSES / 2].ns / 1e6, first.opened, n, first.probed);
  fflush (stdout);
}

int main (int argc, char **argv) {
  const char *path[PROBERS], *name[PROBERS];
  unsigned count = 0, endings = 0;
  char message[256];
  sd_prober *legal = NULL;
  if (argc < 6)
    fail ("SYZYGY POSITIONS SEED NAME=PATH... ENDING...", "usage");
  const unsigned each = (unsigned) strtoul (argv[2], NULL, 10);
  state = strtoull (argv[3], NULL, 10);
  sd_prober_position *at = calloc ((size_t) argc * (each ? each : 1), sizeof *at);
  for (int i = 4; i < argc; i++) {
    char *is = strchr (argv[i], '=');
    if (is && count < PROBERS) {
      *is = 0;
      name[count] = argv[i];
      path[count++] = is + 1;
      if (count == 1 && sd_prober_open (is + 1, 0, &legal, message, sizeof message) != SD_PROBER_OK)
        fail (message, is + 1);
      continue;
    }
    if (!legal || !at)
      fail ("no tables before it", argv[i]);
    for (unsigned k = 0; k < each; k++)
      draw_position (argv[i], legal, &at[endings * each + k]);
    endings++;
  }
  printf ("tables,files,bytes,opening_ms,opened_kib,probes,probed_kib\n");
  fflush (stdout); /* or each process that fails would write it once more */
  measure ("syzygy", argv[1], true, at, endings * each);
  for (unsigned i = 0; i < count; i++)
    measure (name[i], path[i], false, at, endings * each);
  sd_prober_close (legal);
  free (at);
  return 0;
}
