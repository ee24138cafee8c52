/* cold.c - what a WDL probe reads whose table no memory holds: Fathom in Syzygy's files beside
 * <subdef/probe.h>.
 *   cold SYZYGY POSITIONS SEED NAME=PATH... ENDING...
 * As fathom.c; a row of CSV for each ending and prober: Fathom, and each NAME as it is opened by default
 * (parts of 1 MiB are read and compared with their checksums) and mapped (SD_PROBER_MAP, which compares them,
 * too).
 *
 * Each row is of processes that do one thing each, after the system has forgotten the pages of all files:
 * `opening`, all tables of the folder; `first`, a probe after that; `later`, a probe after one of another
 * position of the ending, when the system has forgotten again what it may. Of each its time, the major page
 * faults, the bytes that were read for the process (/proc/self/io), and the pages of the files that are in
 * memory then and were not before (mincore). */
#include "positions.h"
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROBERS = 8, FILES = 4096 };

typedef struct cost {
  uint64_t ns, bytes, faults, pages;
} cost;

typedef struct file {
  int fd;
  size_t bytes;
  void *map; /* for mincore alone: nothing is read through it */
} file;

static file files[FILES];
static unsigned nfiles;

static void add_folder (const char *path) {
  DIR *d = opendir (path);
  if (!d)
    fail ("cannot be read", path);
  for (struct dirent *e; (e = readdir (d)) != NULL && nfiles < FILES;) {
    struct stat st;
    const int fd = openat (dirfd (d), e->d_name, O_RDONLY);
    if (fd < 0)
      continue;
    if (fstat (fd, &st) || !S_ISREG (st.st_mode) || st.st_size == 0) {
      close (fd);
      continue;
    }
    files[nfiles] = (file){ fd, (size_t) st.st_size, NULL };
    files[nfiles].map = mmap (NULL, files[nfiles].bytes, PROT_READ, MAP_SHARED, fd, 0);
    nfiles += files[nfiles].map != MAP_FAILED;
  }
  closedir (d);
}

static void forget (void) {
  for (unsigned i = 0; i < nfiles; i++)
    posix_fadvise (files[i].fd, 0, 0, POSIX_FADV_DONTNEED);
}

static uint64_t pages_in_memory (void) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < nfiles; i++) {
    const size_t n = (files[i].bytes + 4095) / 4096;
    unsigned char *in = malloc (n);
    if (!in || mincore (files[i].map, files[i].bytes, in))
      fail ("mincore failed", "a file");
    for (size_t k = 0; k < n; k++)
      sum += in[k] & 1;
    free (in);
  }
  return sum;
}

static uint64_t bytes_read (void) {
  char line[100];
  unsigned long long n = 0;
  FILE *f = fopen ("/proc/self/io", "r");
  while (f && fgets (line, sizeof line, f))
    sscanf (line, "read_bytes: %llu", &n);
  if (f)
    fclose (f);
  return n;
}

static uint64_t major_faults (void) {
  struct rusage r;
  getrusage (RUSAGE_SELF, &r);
  return (uint64_t) r.ru_majflt;
}

/* What is measured. */
enum stage { OPENING, FIRST, LATER, STAGES };
static const char *const stage_name[STAGES] = { "opening", "first", "later" };

static cost so_far (void) {
  cost c = { .pages = pages_in_memory (), .bytes = bytes_read (), .faults = major_faults () };
  c.ns = now (); /* last: counting pages takes a while */
  return c;
}

/* In a process of its own. flags < 0: Fathom. */
static cost one_stage (const char *path, int flags, enum stage stage, const sd_prober_position *other,
                       const sd_prober_position *p) {
  char message[256];
  sd_prober *own = NULL;
  int wdl;
  forget ();
  cost before = so_far ();
  if (flags < 0 ? !tb_init (path)
                : sd_prober_open (path, (unsigned) flags, &own, message, sizeof message) != SD_PROBER_OK)
    fail (flags < 0 ? "no Syzygy files" : message, path);
  if (stage == LATER && flags < 0)
    fathom_wdl (other);
  else if (stage == LATER)
    sd_prober_wdl (own, other, &wdl);
  if (stage != OPENING) {
    forget ();
    before = so_far ();
    if (flags < 0)
      fathom_wdl (p);
    else if (sd_prober_wdl (own, p, &wdl) != SD_PROBER_OK)
      fail ("no value for a position", path);
  }
  const uint64_t end = now ();
  const cost after = so_far ();
  return (cost){ end - before.ns, after.bytes - before.bytes, after.faults - before.faults,
                 after.pages - before.pages };
}

static cost apart (const char *path, int flags, enum stage stage, const sd_prober_position *other,
                   const sd_prober_position *p) {
  cost c;
  int ends[2], status;
  if (pipe (ends))
    fail ("no pipe", path);
  const pid_t child = fork ();
  if (child == 0) {
    c = one_stage (path, flags, stage, other, p);
    _exit (write (ends[1], &c, sizeof c) == sizeof c ? 0 : 2);
  }
  close (ends[1]);
  const bool whole = read (ends[0], &c, sizeof c) == sizeof c;
  close (ends[0]);
  if (child < 0 || waitpid (child, &status, 0) != child || status || !whole)
    fail ("a probe failed", path);
  return c;
}

static int by_size (const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? -1 : x > y;
}

static void measure (const char *ending, const char *name, const char *path, int flags, enum stage stage,
                     unsigned n, const sd_prober_position *p) {
  uint64_t *ns = calloc (n, sizeof *ns);
  cost sum = { 0 };
  if (!ns)
    fail ("out of memory", ending);
  for (unsigned i = 0; i < n; i++) {
    const cost c = apart (path, flags, stage, &p[i ? i - 1 : n - 1], &p[i]);
    ns[i] = c.ns;
    sum.bytes += c.bytes;
    sum.faults += c.faults;
    sum.pages += c.pages;
  }
  qsort (ns, n, sizeof *ns, by_size);
  printf ("%s,%s,%s,%s,%u,%.1f,%.1f,%.2f,%.1f,%.1f\n", ending, name,
          flags < 0               ? "mapped"
          : flags & SD_PROBER_MAP ? "mapped and compared"
                                  : "read and compared",
          stage_name[stage], n, (double) ns[n / 2] / 1e3, (double) ns[n / 10 * 9] / 1e3,
          (double) sum.faults / n, (double) sum.pages / n, (double) sum.bytes / 1024 / n);
  fflush (stdout);
  free (ns);
}

int main (int argc, char **argv) {
  const char *name[PROBERS], *path[PROBERS];
  unsigned count = 0;
  if (argc < 6)
    fail ("SYZYGY POSITIONS SEED NAME=PATH... ENDING...", "usage");
  const unsigned n = (unsigned) strtoul (argv[2], NULL, 10);
  state = strtoull (argv[3], NULL, 10);
  sd_prober_position *p = calloc (n ? n : 1, sizeof *p);
  sd_prober *legal = NULL;
  char message[256];
  if (!p || n < 10)
    fail ("at least 10 positions", argv[2]);
  add_folder (argv[1]);
  printf ("ending,tables,opened,what,processes,median_us,p90_us,major_faults,pages,kib_read\n");
  for (int i = 4; i < argc; i++) {
    char *is = strchr (argv[i], '=');
    if (is && count < PROBERS) {
      *is = 0;
      name[count] = argv[i];
      path[count] = is + 1;
      add_folder (is + 1);
      if (count++ == 0 && sd_prober_open (is + 1, 0, &legal, message, sizeof message) != SD_PROBER_OK)
        fail (message, is + 1);
      continue;
    }
    if (!legal)
      fail ("no tables before it", argv[i]);
    for (unsigned k = 0; k < n; k++)
      draw_position (argv[i], legal, &p[k]);
    for (enum stage stage = OPENING; stage < STAGES; stage++) {
      measure (argv[i], "syzygy", argv[1], -1, stage, n, p);
      for (unsigned k = 0; k < count; k++) {
        measure (argv[i], name[k], path[k], 0, stage, n, p);
        measure (argv[i], name[k], path[k], SD_PROBER_MAP, stage, n, p);
      }
    }
  }
  sd_prober_close (legal);
  free (p);
  return 0;
}
