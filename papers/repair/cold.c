/* Probes whose bytes are not in memory: ./cold FILE ENDING COUNT page|readahead
 *   make -C build papers/repair/cold
 * FILE is a DTM table that is complete by itself. It is mapped and opened. For each of COUNT random positions
 * the system is asked to forget its pages (madvise, posix_fadvise) and one probe is timed (cold), then the
 * same probe once more (warm). A page that is not there is read alone, as the sectors of a disk are, or with
 * what the system reads ahead (/sys/block/NAME/queue/read_ahead_kb). Checksums of chunks of 1 MiB are not
 * compared: a cold probe would read one whole.
 * One line: file bytes, medians of cold and warm in microseconds, 90 % of cold, pages that the probe brought
 * in (mean), share of the pages that could not be forgotten. */
#include "config.h"
#include "probe/probe.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 100000, TRIES = 1000 };

static double now_us (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec * 1e6 + (double) t.tv_nsec / 1e3;
}

static int by_size (const void *a, const void *b) {
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* A random placement of the men of a name such as KRvKP, as a FEN; it need not be legal. */
static void random_fen (const char *ending, char *fen) {
  char board[64] = { 0 };
  int black = 0;
  for (const char *c = ending; *c; c++) {
    if (*c == 'v') {
      black = 1;
      continue;
    }
    int square;
    do
      square = rand () % 64;
    while (board[square]);
    board[square] = black ? (char) (*c + 'a' - 'A') : *c;
  }
  for (int rank = 7; rank >= 0; rank--) {
    for (int file = 0; file < 8; file++) {
      const char man = board[8 * rank + file];
      *fen++ = man ? man : '1';
    }
    *fen++ = rank ? '/' : ' ';
  }
  strcpy (fen, rand () % 2 ? "w - - 0 1" : "b - - 0 1");
}

typedef struct mapped {
  int fd;
  size_t bytes, pages;
  void *data;
  unsigned char *resident; /* [pages] */
} mapped;

static void map (const char *path, int advice, mapped *m) {
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);
  m->fd = open (path, O_RDONLY);
  m->bytes = m->fd < 0 ? 0 : (size_t) lseek (m->fd, 0, SEEK_END);
  m->pages = (m->bytes + page - 1) / page;
  m->data = m->fd < 0 ? MAP_FAILED : mmap (NULL, m->bytes, PROT_READ, MAP_SHARED, m->fd, 0);
  m->resident = malloc (m->pages + 1);
  if (m->data == MAP_FAILED || !m->resident || madvise (m->data, m->bytes, advice) || fdatasync (m->fd)) {
    perror (path);
    exit (1);
  }
}

static size_t in_memory (const mapped *m) {
  size_t n = 0;
  if (mincore (m->data, m->bytes, m->resident))
    return m->pages;
  for (size_t i = 0; i < m->pages; i++)
    n += m->resident[i] & 1;
  return n;
}

/* Pages that are still there afterwards. */
static size_t forget (const mapped *m) {
  if (madvise (m->data, m->bytes, MADV_DONTNEED) || posix_fadvise (m->fd, 0, 0, POSIX_FADV_DONTNEED)) {
    perror ("forget");
    exit (1);
  }
  return in_memory (m);
}

/* Time of one probe, or -1: not a legal position. */
static double probe (const sd_tables *tables, const char *fen) {
  sd_error err = { 0 };
  sd_pos position;
  sd_value value;
  if (sd_pos_from_fen (fen, &position, &err) != SD_OK)
    return -1;
  const double from = now_us ();
  const int status = sd_probe_dtm (tables, &position, &value, &err);
  const double to = now_us ();
  if (status != SD_OK && status != SD_EINVAL) {
    fprintf (stderr, "cold: %s: %s\n", fen, err.text);
    exit (1);
  }
  return status == SD_OK ? to - from : -1;
}

int main (int argc, char **argv) {
  static double cold[MOST], warm[MOST];
  char fen[128];
  const int count = argc > 3 ? atoi (argv[3]) : 0;
  sd_error err = { 0 };
  sd_table *table = NULL;
  sd_tables *tables = NULL;
  mapped m;
  double brought = 0, kept = 0;
  int n = 0;
  if (argc != 5 || count < 1 || count > MOST) {
    fprintf (stderr, "Usage: cold FILE ENDING COUNT page|readahead\n");
    return 2;
  }
  map (argv[1], strcmp (argv[4], "page") == 0 ? MADV_RANDOM : MADV_NORMAL, &m);
  if (sd_table_open_memory (m.data, m.bytes, argv[1], SD_OPEN_UNSAFE_NO_CHECKSUMS, &table, &err) != SD_OK
      || sd_tables_open ("", 0, &tables, &err) != SD_OK || sd_tables_use (tables, table) != SD_OK) {
    fprintf (stderr, "cold: %s: %s\n", argv[1], err.text);
    return 1;
  }
  srand (1);
  for (int tries = 0; n < count && tries < TRIES * count; tries++) {
    random_fen (argv[2], fen);
    if (probe (tables, fen) < 0)
      continue;
    const size_t before = forget (&m);
    cold[n] = probe (tables, fen);
    brought += (double) (in_memory (&m) - before) / count;
    kept += (double) before / (double) m.pages / count;
    warm[n++] = probe (tables, fen);
  }
  sd_tables_close (tables);
  sd_table_close (table);
  if (n < count) {
    fprintf (stderr, "cold: too few legal positions\n");
    return 1;
  }
  qsort (cold, (size_t) n, sizeof *cold, by_size);
  qsort (warm, (size_t) n, sizeof *warm, by_size);
  printf ("%zu,%.1f,%.1f,%.1f,%.1f,%.2f\n", m.bytes, cold[n / 2], warm[n / 2], cold[n * 9 / 10], brought,
          kept);
  return 0;
}
