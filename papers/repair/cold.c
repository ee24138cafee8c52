/* Probes whose bytes are not in memory: ./cold FOLDER ENDING COUNT [checked]
 *   cc cold.c $(pkg-config --cflags --libs subdef) -o cold
 * For each of COUNT random positions the mapping of the tables is dropped, the system is asked to forget the
 * file (posix_fadvise), the tables are opened again, which reads their heads, and one probe is timed (cold);
 * then the same probe once more (warm). Chunks of 1 MiB are compared with their checksums only with
 * `checked`, because a cold probe would read one whole. One line: file bytes, medians of cold and warm in microseconds,
 * 90 % of cold. */
#include <probe/probe.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static long forget (const char *path) {
  const int fd = open (path, O_RDONLY);
  if (fd < 0 || posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED)) {
    perror (path);
    exit (1);
  }
  const long bytes = (long) lseek (fd, 0, SEEK_END);
  close (fd);
  return bytes;
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
  char path[4096], fen[128];
  const int count = argc > 3 ? atoi (argv[3]) : 0;
  const unsigned flags = argc > 4 ? 0 : SD_OPEN_UNSAFE_NO_CHECKSUMS;
  long bytes = 0;
  int n = 0;
  if (argc < 4 || count < 1 || count > MOST) {
    fprintf (stderr, "Usage: cold FOLDER ENDING COUNT [checked]\n");
    return 2;
  }
  snprintf (path, sizeof path, "%s/%s.dtm.sdt", argv[1], argv[2]);
  srand (1);
  for (int tries = 0; n < count && tries < TRIES * count; tries++) {
    sd_error err = { 0 };
    sd_tables *tables = NULL;
    bytes = forget (path);
    if (sd_tables_open (argv[1], flags, &tables, &err) != SD_OK) {
      fprintf (stderr, "cold: %s\n", err.text);
      return 1;
    }
    random_fen (argv[2], fen);
    cold[n] = probe (tables, fen);
    if (cold[n] >= 0) {
      warm[n] = probe (tables, fen);
      n++;
    }
    sd_tables_close (tables);
  }
  if (n < count) {
    fprintf (stderr, "cold: too few legal positions\n");
    return 1;
  }
  qsort (cold, (size_t) n, sizeof *cold, by_size);
  qsort (warm, (size_t) n, sizeof *warm, by_size);
  printf ("%ld,%.1f,%.1f,%.1f\n", bytes, cold[n / 2], warm[n / 2], cold[n * 9 / 10]);
  return 0;
}
