/* cold.c - what a WDL probe reads whose table no memory holds: Fathom in Syzygy's files beside
 * <subdef/probe.h>.
 *   cold SYZYGY POSITIONS SEED NAME=PATH... ENDING...
 * As fathom.c; a row of CSV for each ending and prober: Fathom, and each NAME as it is opened by default
 * (parts of 1 MiB are read and compared with their checksums) and mapped (SD_PROBER_MAP, which compares them,
 * too). Whatever fails ends it with 2 and a sentence, a value that differs from that of the first NAME, too.
 *
 * Each row is of processes that do one thing each, after the system has forgotten the pages of all files:
 * `opening`, all tables of the folder; `first`, a probe after that; `later`, a probe after one of another
 * position of the ending, when the system has forgotten again what it may. Of each its time, the major page
 * faults, the bytes that the process had read (/proc/self/io), and the pages of the files that are in memory
 * then and were not before (mincore). Bytes count when reading begins, pages when they have been read: what
 * the system reads ahead and is still under way counts as bytes alone. */
#include "positions.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROBERS = 8 };

typedef struct cost {
  uint64_t ns, bytes, faults, pages;
} cost;

typedef struct file {
  char *path;
  size_t bytes;
  void *map; /* for mincore alone: nothing is read through it */
  dev_t device;
  ino_t number;
} file;

static file *files;
static size_t nfiles, page_bytes;

static void fail_errno (const char *path) {
  fail (strerror (errno), path);
}

static void *map_file (const char *path, int fd, size_t bytes, off_t from) {
  void *map = mmap (NULL, bytes, PROT_READ, MAP_SHARED, fd, from);
  if (map == MAP_FAILED)
    fail_errno (path);
  return map;
}

static size_t pages_of (const char *path, void *map, size_t bytes) {
  const size_t n = (bytes + page_bytes - 1) / page_bytes;
  size_t sum = 0;
  unsigned char *in = malloc (n);
  if (!in || mincore (map, bytes, in))
    fail_errno (path);
  for (size_t i = 0; i < n; i++)
    sum += in[i] & 1;
  free (in);
  return sum;
}

/* Since Linux 5.2 mincore calls all pages of a file resident for a process that neither owns the file nor may
 * write it. A page far behind the file's end is in memory only by such an answer. */
static void check_mincore (const char *path, int fd, size_t bytes) {
  const size_t behind = (bytes / page_bytes + 1) * page_bytes + (UINT64_C (1) << 30);
  void *map = map_file (path, fd, page_bytes, (off_t) behind);
  if (pages_of (path, map, page_bytes))
    fail ("which pages are in memory is told only to the owner and to those who may write it", path);
  munmap (map, page_bytes);
}

static void add_file (const char *path, const struct stat *st) {
  for (size_t i = 0; i < nfiles; i++)
    if (files[i].device == st->st_dev && files[i].number == st->st_ino)
      return; /* of a folder given twice, or under another name */
  const int fd = open (path, O_RDONLY);
  if (fd < 0)
    fail_errno (path);
  const size_t bytes = (size_t) st->st_size;
  check_mincore (path, fd, bytes);
  fsync (fd); /* what has not been written yet cannot be forgotten */
  files = realloc (files, (nfiles + 1) * sizeof *files);
  char *name = strdup (path);
  if (!files || !name)
    fail ("out of memory", path);
  files[nfiles++] = (file){ name, bytes, map_file (path, fd, bytes, 0), st->st_dev, st->st_ino };
  close (fd);
}

static void add_folder (const char *path) {
  DIR *d = opendir (path);
  if (!d)
    fail_errno (path);
  for (struct dirent *e; errno = 0, (e = readdir (d)) != NULL;) {
    char name[4096];
    struct stat st;
    if ((size_t) snprintf (name, sizeof name, "%s/%s", path, e->d_name) >= sizeof name)
      fail ("the name is too long", path);
    if (stat (name, &st))
      fail_errno (name);
    if (S_ISREG (st.st_mode) && st.st_size > 0)
      add_file (name, &st);
  }
  if (errno)
    fail_errno (path);
  closedir (d);
}

static void forget (size_t first) {
  for (size_t i = first; i < nfiles; i++) {
    const int fd = open (files[i].path, O_RDONLY);
    if (fd < 0)
      fail_errno (files[i].path);
    posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED);
    close (fd);
  }
}

static uint64_t pages_in_memory (size_t first) {
  uint64_t sum = 0;
  for (size_t i = first; i < nfiles; i++)
    sum += pages_of (files[i].path, files[i].map, files[i].bytes);
  return sum;
}

/* The files of folders that colons part, as the probers take them. */
static void add_folders (const char *path) {
  const size_t first = nfiles;
  char *copy = strdup (path);
  if (!copy)
    fail ("out of memory", path);
  for (char *rest = copy, *folder; (folder = strsep (&rest, ":"));)
    if (*folder)
      add_folder (folder);
  free (copy);
  forget (first);
  const uint64_t kept = pages_in_memory (first);
  if (kept)
    fprintf (stderr,
             "%s: %llu pages stay in memory and are not counted: a file system in memory, or another "
             "process has mapped them\n",
             path, (unsigned long long) kept);
}

static uint64_t bytes_read (void) {
  static const char path[] = "/proc/self/io";
  char line[100];
  unsigned long long n = 0;
  bool found = false;
  FILE *f = fopen (path, "r");
  if (!f)
    fail_errno (path);
  while (fgets (line, sizeof line, f))
    found |= sscanf (line, "read_bytes: %llu", &n) == 1;
  fclose (f);
  if (!found)
    fail ("does not tell how many bytes were read", path);
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
  cost c = { .pages = pages_in_memory (0), .bytes = bytes_read (), .faults = major_faults () };
  c.ns = now (); /* last: counting pages takes a while */
  return c;
}

typedef struct place {
  sd_prober_position at;
  int wdl;
} place;

/* own: NULL for Fathom */
static void probe (const char *path, const sd_prober *own, const place *p) {
  int wdl = 2;
  const int status = own ? sd_prober_wdl (own, &p->at, &wdl) : SD_PROBER_OK;
  if (status != SD_PROBER_OK)
    fail (sd_prober_text (status), path);
  if ((own ? wdl : fathom_wdl (&p->at)) != p->wdl)
    fail ("another value than that of the first tables", path);
}

/* In a process of its own. flags < 0: Fathom. */
static cost one_stage (const char *path, int flags, enum stage stage, const place *other, const place *p) {
  char message[256];
  sd_prober *own = NULL;
  forget (0);
  cost before = so_far ();
  if (flags < 0 ? !tb_init (path) || TB_LARGEST == 0
                : sd_prober_open (path, (unsigned) flags, &own, message, sizeof message) != SD_PROBER_OK)
    fail (flags < 0 ? "no Syzygy files" : message, path);
  if (stage == LATER)
    probe (path, own, other);
  if (stage != OPENING) {
    forget (0);
    before = so_far ();
    probe (path, own, p);
  }
  const uint64_t end = now ();
  const cost after = so_far ();
  return (cost){ end - before.ns, after.bytes - before.bytes, after.faults - before.faults,
                 after.pages - before.pages };
}

static cost apart (const char *path, int flags, enum stage stage, const place *other, const place *p) {
  cost c;
  int ends[2], status;
  if (pipe (ends))
    fail_errno ("a pipe");
  const pid_t child = fork ();
  if (child < 0)
    fail_errno ("a process");
  if (child == 0) {
    c = one_stage (path, flags, stage, other, p);
    _exit (write (ends[1], &c, sizeof c) == sizeof c ? 0 : 3);
  }
  close (ends[1]);
  const bool whole = read (ends[0], &c, sizeof c) == sizeof c;
  close (ends[0]);
  if (waitpid (child, &status, 0) != child)
    fail_errno ("a process");
  if (WIFEXITED (status) && WEXITSTATUS (status) == 2)
    exit (2); /* it has said why */
  if (status || !whole)
    fail ("the process of a probe has ended before its time", path);
  return c;
}

static int by_size (const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? -1 : x > y;
}

static void measure (const char *ending, const char *name, const char *path, int flags, enum stage stage,
                     unsigned n, const place *p) {
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
          stage_name[stage], n, (double) ns[n / 2] / 1e3, (double) ns[(size_t) n * 9 / 10] / 1e3,
          (double) sum.faults / n, (double) (int64_t) sum.pages / n, (double) sum.bytes / 1024 / n);
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
  place *p = calloc (n ? n : 1, sizeof *p);
  sd_prober *legal = NULL;
  char message[256];
  if (!p || n < 10)
    fail ("at least 10 positions", argv[2]);
  page_bytes = (size_t) sysconf (_SC_PAGESIZE);
  bytes_read (); /* fails before the first row, if it does */
  add_folders (argv[1]);
  printf ("ending,tables,opened,what,processes,median_us,p90_us,major_faults,pages,kib_read\n");
  fflush (stdout); /* or each process that fails would write it once more */
  for (int i = 4; i < argc; i++) {
    char *is = strchr (argv[i], '=');
    if (is) {
      if (count == PROBERS)
        fail ("at most 8 times NAME=PATH", argv[i]);
      *is = 0;
      name[count] = argv[i];
      path[count] = is + 1;
      add_folders (is + 1);
      if (count++ == 0 && sd_prober_open (is + 1, 0, &legal, message, sizeof message) != SD_PROBER_OK)
        fail (message, is + 1);
      continue;
    }
    if (!legal)
      fail ("no tables before it", argv[i]);
    for (unsigned k = 0; k < n; k++) {
      draw_position (argv[i], legal, &p[k].at);
      sd_prober_wdl (legal, &p[k].at, &p[k].wdl); /* as draw_position has done */
    }
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
