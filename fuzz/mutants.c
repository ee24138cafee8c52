/** \file mutants.c
 * Damaged copies of tables, opened as everybody opens them, read and probed beside the original.
 *
 *   mutants [-f] [-t SECONDS] [-n COUNT] [-r SEED] [-k FOLDER] [FILE...]
 *
 * Every second mutant (none with -f) is `plain`, as damage on a disk is: no checksum is put right, and each
 * value that comes back with SD_OK must be the original's, where the mutant has the original's shape. The
 * others are `fixed`, as an attacker makes them: the checksums of the header and of all chunks fit; whatever
 * comes back must be in range and the same by every way. Samples of slots and positions are read (README.md).
 * A child process tries them; what crashes it, takes over 20 s, holds more memory than its bytes allow or
 * gives a wrong value is a finding: the program prints its number, and with -k the file is kept. The same
 * seed, number and files give the same mutant. Without FILE: the tables of table_seeds.c. Exit status: 0 no
 * finding, 1 findings, 2 wrong usage. */
#include "config.h"
#include "fuzz/fuzz.h"
#include "fuzz/memory.h"
#include "fuzz/sums.h"
#include "probe/probe.h"
#include "table/table_internal.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_FILES = 1024, WINDOW = 1000, HANG = 20, MOST_FINDINGS = 20, SLACK = 4096 };

typedef struct original {
  char name[64];
  sd_buf bytes;
  sd_table *table;
  sd_table_info info;
} original;

/* What parent and child share. */
typedef struct report {
  uint64_t next; /* number of the mutant that is tried */
  uint64_t tried[2], opened[2], refused[2], late[2], failed[2], values[2], wrong, memory, contradictions,
      slow;
  double worst;
  uint64_t worst_at, most_memory;
  double most_share; /* of what the bound allows, the largest */
  size_t size;
  uint8_t data[];
} report;

static original *file;
static unsigned nfiles;
static report *rep;
static size_t room;
static const char *keep;
static bool only_fixed;

/* -------------------------------------------------------------------- mutations */

typedef struct mutant {
  uint8_t *data;
  size_t size;
  uint64_t state;
} mutant;

static uint64_t draw (mutant *m) {
  return sd_random (&m->state);
}

/* Replace `old` bytes at `at` by n others. */
static void replace (mutant *m, size_t at, size_t old, const uint8_t *with, size_t n) {
  if (at + old > m->size || m->size - old + n > room)
    return;
  memmove (m->data + at + n, m->data + at + old, m->size - at - old);
  memcpy (m->data + at, with, n);
  m->size += n - old;
}

/* A varint at `at` becomes another one. */
static void put_number (mutant *m, size_t at, uint64_t value) {
  sd_reader r = sd_reader_of (m->data + at, m->size - at);
  sd_buf with = { 0 };
  sd_get_varint (&r);
  sd_buf_varint (&with, value);
  replace (m, at, r.bad ? 1 : (size_t) (r.p - (m->data + at)), with.data, with.len);
  sd_buf_free (&with);
}

/* The lengths in the header follow what was put in or taken out at `at`, or else nothing opens. */
static void put_lengths_right (mutant *m, const sd_sdt_places *p, size_t at, size_t before) {
  const uint64_t delta = m->size - before;
  if (!delta || !p->end)
    return;
  if (at >= p->header && at < p->end)
    put_number (m, 5, p->end - p->header + delta);
  for (unsigned s = 0; s < 2; s++)
    if (p->there[s] && at >= p->stream[s] && at < p->stream[s] + p->bytes[s]) {
      const size_t size = m->size;
      put_number (m, p->length[s], p->bytes[s] + delta);
      if (m->size != size) /* the header has become longer */
        put_number (m, 5, p->end - p->header + (m->size - size));
      return;
    }
}

/* Header, start of a stream, its first 200 bytes, anywhere. */
static size_t place (mutant *m, const sd_sdt_places *p) {
  const uint64_t r = draw (m);
  const unsigned s = p->there[1] && r >> 60 & 1;
  const unsigned zone = r >> 8 & 3;
  size_t from = 0, n = m->size;
  if (zone == 0 && p->end > p->header) {
    from = p->header;
    n = p->end - p->header;
  } else if (zone < 3 && p->there[s] && p->bytes[s]) {
    const size_t most = zone == 1 ? 24 : 200;
    from = p->stream[s];
    n = p->bytes[s] < most ? (size_t) p->bytes[s] : most;
  }
  return n ? from + (r >> 16) % n : 0;
}

static void change (mutant *m, bool fixed) {
  static const uint8_t odd[] = { 0, 1, 0x7f, 0x80, 0xff, 0xfe, 0x40, 0x10 };
  sd_sdt_places p;
  uint8_t bytes[64];
  if (!sd_sdt_find_places (m->data, m->size, &p))
    p = (sd_sdt_places){ .header = 0 };
  const original *other = &file[draw (m) % nfiles];
  const uint64_t r = draw (m);
  const size_t at = place (m, &p), before = m->size;
  size_t n = 1 + (r >> 8) % 8;
  if (at >= m->size)
    return;
  n = n < m->size - at ? n : m->size - at;
  switch (r % 11) {
  case 0:
  case 1:
  case 2:
    m->data[at] ^= (uint8_t) (1u << (r >> 8 & 7));
    break;
  case 3:
    m->data[at] = odd[r >> 8 & 7];
    break;
  case 4:
    m->data[at] = (uint8_t) (r >> 8);
    break;
  case 5: /* a number that is forged */
    put_number (m, at,
                r >> 6 & 1 ? draw (m) >> (r >> 8 & 63) : (UINT64_C (1) << (r >> 8 & 63)) + (r >> 16) % 3 - 1);
    break;
  case 6:
    replace (m, at, n, bytes, 0);
    break;
  case 7:
    for (size_t i = 0; i < n; i++)
      bytes[i] = (uint8_t) draw (m);
    replace (m, at, 0, bytes, n);
    break;
  case 8: /* from another table */
    n = 1 + (r >> 8) % 64;
    if (at + n <= m->size && at + n <= other->bytes.len)
      memcpy (m->data + at, other->bytes.data + at, n);
    break;
  case 9: { /* two places exchanged */
    const size_t there = draw (m) % m->size;
    n = m->size - there < n ? m->size - there : n;
    memcpy (bytes, m->data + at, n);
    memmove (m->data + at, m->data + there, n);
    memcpy (m->data + there, bytes, n);
    break;
  }
  default:
    if (r >> 8 & 1)
      m->size = at ? at : 1;
    else if (p.there[0])
      m->data[p.codec[p.there[1] && r >> 9 & 1]] = (uint8_t) ((r >> 16) % 14);
  }
  if (fixed)
    put_lengths_right (m, &p, at, before);
}

/* Number `number`: of which table, and how. Plain ones begin with each table's bits, one after the other. */
static const original *make (uint64_t seed, uint64_t number, bool *fixed, mutant *m) {
  m->state = seed ^ (number * UINT64_C (0x9e3779b97f4a7c15));
  draw (m);
  const original *o = &file[draw (m) % nfiles];
  *fixed = only_fixed || (number & 1);
  memcpy (m->data, o->bytes.data, o->bytes.len);
  m->size = o->bytes.len;
  const uint64_t r = draw (m);
  if (!*fixed && r % 3 == 0)
    m->data[(r >> 8) % m->size] ^= (uint8_t) (1u << (r >> 4 & 7));
  else if (!*fixed && r % 24 == 1)
    m->size = (r >> 8) % m->size;
  else
    for (unsigned n = 1 + (r >> 8 & 3) / 3 + (r >> 10 & 15) / 15; n; n--)
      change (m, *fixed);
  if (*fixed)
    sd_fuzz_put_right (m->data, m->size);
  return o;
}

/* ---------------------------------------------------------------------- trying */

static void keep_file (uint64_t number) {
  char path[512];
  if (!keep)
    return;
  snprintf (path, sizeof path, "%s/mutant-%llu.sdt", keep, (unsigned long long) number);
  FILE *f = fopen (path, "wb");
  if (f) {
    fwrite (rep->data, 1, rep->size, f);
    fclose (f);
  }
}

static void find (uint64_t *kind, const char *what) {
  if (*kind < MOST_FINDINGS) {
    fprintf (stderr, "mutant %llu: %s\n", (unsigned long long) rep->next, what);
    keep_file (rep->next);
  }
  ++*kind;
}

static void note (unsigned fixed, int st) {
  rep->late[fixed] += st == SD_ECHECKSUM;
  rep->failed[fixed] += st != SD_OK && st != SD_ECHECKSUM;
}

static bool same_shape (const sd_table_info *a, const sd_table_info *b, unsigned s) {
  return sd_table_info_has (a, s) && a->side[s].slots == b->side[s].slots && a->coding == b->coding;
}

/* What the table says about slots first..first+count-1, together and one by one, and what the original does.
 */
static void compare_slots (const original *o, const sd_table_info *in, unsigned s, unsigned fixed,
                           uint64_t first) {
  static sd_symbol all[WINDOW], want[WINDOW];
  const sd_decoder *d = in->side[s].decoder;
  const uint64_t n = in->side[s].slots, count = n - first < WINDOW ? n - first : WINDOW;
  const int st = sd_codec_read (d, first, count, all);
  const bool truth = !fixed && same_shape (&o->info, in, s)
                     && sd_codec_read (o->info.side[s].decoder, first, count, want) == SD_OK;
  note (fixed, st);
  for (uint64_t i = 0; st == SD_OK && i < count; i++) {
    if (all[i] >= in->side[s].main)
      find (&rep->contradictions, "a symbol that there is not");
    else if (truth && in->side[s].map[all[i]] != o->info.side[s].map[want[i]])
      find (&rep->wrong, "a wrong value, read with others");
  }
  for (uint64_t i = 0; i < count; i += 1 + count / 5) {
    sd_symbol one;
    const int alone = sd_codec_get (d, first + i, &one);
    note (fixed, alone);
    if (alone != SD_OK)
      continue;
    rep->values[fixed]++;
    if (one >= in->side[s].main || (st == SD_OK && one != all[i]))
      find (&rep->contradictions, "a symbol that there is not, or another than when read with others");
    else if (truth && in->side[s].map[one] != o->info.side[s].map[want[i]])
      find (&rep->wrong, "a wrong value of a slot");
  }
}

static void compare_probes (const original *o, const sd_table *t, const sd_table_info *in, unsigned fixed,
                            uint64_t state) {
  const sd_indexer *ix = in->side[sd_table_info_has (in, 0) ? 0 : 1].indexer;
  sd_tables *mine, *theirs;
  if (sd_tables_open (NULL, 0, &mine, NULL))
    return;
  if (sd_tables_open (NULL, 0, &theirs, NULL)) {
    sd_tables_close (mine);
    return;
  }
  const bool both = sd_tables_use (mine, t) == SD_OK && !fixed && sd_tables_use (theirs, o->table) == SD_OK;
  for (unsigned k = 0; k < 12; k++) {
    uint8_t sq[SD_MAX_MEN];
    sd_pos p;
    int wdl = 0, want_wdl;
    sd_value v = 0, want;
    if (!sd_index_squares (ix, sd_random (&state) % sd_indexer_size (ix), sq))
      continue;
    sd_pos_from_squares (&in->material, sq, k & 1, &p);
    const int a = sd_probe_wdl (mine, &p, &wdl, NULL), b = sd_probe_dtm (mine, &p, &v, NULL);
    rep->late[fixed] += (a == SD_ECHECKSUM) + (b == SD_ECHECKSUM);
    rep->values[fixed] += (a == SD_OK) + (b == SD_OK);
    if ((a == SD_OK && (wdl < -1 || wdl > 1)) || (b == SD_OK && v == SD_ILLEGAL))
      find (&rep->contradictions, "a probe that gives no value");
    if (both && a == SD_OK && sd_probe_wdl (theirs, &p, &want_wdl, NULL) == SD_OK && want_wdl != wdl)
      find (&rep->wrong, "a wrong value of a position");
    if (both && b == SD_OK && sd_probe_dtm (theirs, &p, &want, NULL) == SD_OK && want != v)
      find (&rep->wrong, "a wrong value of a position");
  }
  sd_tables_close (mine);
  sd_tables_close (theirs);
}

static void try_one (const original *o, const mutant *m, unsigned fixed) {
  uint8_t *exact = malloc (m->size ? m->size : 1); /* ends where the file ends */
  uint64_t state = m->state;
  sd_table *t = NULL;
  sd_error err = { 0 };
  if (!exact)
    abort ();
  memcpy (exact, m->data, m->size);
  const uint64_t start = sd_fuzz_memory_start ();
  const int st = sd_table_open_memory (exact, m->size, "mutant", rep->next % 4 ? 0 : SD_OPEN_CACHE, &t, &err);
  const uint64_t peak = sd_fuzz_memory_peak (start);
  const double share = (double) peak / (double) sd_open_bound (m->size);
  rep->most_memory = peak > rep->most_memory ? peak : rep->most_memory;
  rep->most_share = share > rep->most_share ? share : rep->most_share;
  if (share > 1)
    find (&rep->memory, "opening holds more memory than its bytes allow");
  rep->tried[fixed]++;
  if (st != SD_OK) {
    rep->refused[fixed]++;
    if (!err.text[0])
      find (&rep->contradictions, "refused without a sentence");
    free (exact);
    return;
  }
  rep->opened[fixed]++;
  sd_table_info in;
  sd_table_describe (t, &in);
  for (unsigned s = 0; s < in.nsides; s++)
    if (sd_table_info_has (&in, s)) {
      const uint64_t n = in.side[s].slots;
      for (unsigned w = 0; w < 4; w++)
        compare_slots (o, &in, s, fixed,
                       w == 0   ? 0
                       : w == 1 ? (n > WINDOW ? n - WINDOW : 0)
                                : sd_random (&state) % n);
    }
  if (!sd_table_info_is_game (&in))
    compare_probes (o, t, &in, fixed, state);
  sd_table_close (t);
  free (exact);
}

/* Mutants from rep->next on; ends with the process. */
static void child (uint64_t seed, uint64_t count, double until) {
  mutant m = { .data = rep->data };
  while (rep->next < count && (until <= 0 || sd_now () < until)) {
    bool fixed;
    alarm (HANG);
    const original *o = make (seed, rep->next, &fixed, &m);
    rep->size = m.size;
    const double before = sd_cpu_now ();
    try_one (o, &m, fixed);
    const double s = sd_cpu_now () - before;
    rep->slow += s > 2;
    if (s > rep->worst) {
      rep->worst = s;
      rep->worst_at = rep->next;
    }
    rep->next++;
  }
  _exit (0);
}

/* Children until all is tried; crashes and hangs. */
static void run (uint64_t seed, uint64_t count, double until, unsigned *crashes, unsigned *hangs) {
  while (rep->next < count && *crashes + *hangs < MOST_FINDINGS) {
    int status = 0;
    fflush (stdout);
    const pid_t p = fork ();
    if (p == 0)
      child (seed, count, until);
    if (p < 0 || waitpid (p, &status, 0) != p)
      exit (2);
    if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
      return;
    const bool hang = WIFSIGNALED (status) && WTERMSIG (status) == SIGALRM;
    fprintf (stderr, "mutant %llu: %s\n", (unsigned long long) rep->next,
             hang ? "it does not end in 20 seconds" : "it ends the program");
    keep_file (rep->next++);
    *(hang ? hangs : crashes) += 1;
  }
}

/* ----------------------------------------------------------------------- program */

static bool add (const char *name, sd_buf *bytes) {
  sd_error err;
  original *o = &file[nfiles];
  snprintf (o->name, sizeof o->name, "%.60s", name);
  o->bytes = *bytes;
  if (sd_table_open_memory (o->bytes.data, o->bytes.len, o->name, SD_OPEN_CHECK, &o->table, &err)) {
    fprintf (stderr, "%s\n", err.text);
    return false;
  }
  sd_table_describe (o->table, &o->info);
  room = bytes->len + SLACK > room ? bytes->len + SLACK : room;
  nfiles++;
  return true;
}

static bool load (int n, char **path) {
  for (int i = 0; i < n && nfiles < MOST_FILES; i++) {
    sd_map map;
    sd_error err;
    sd_buf bytes = { 0 };
    if (sd_map_open (path[i], &map, &err)) {
      fprintf (stderr, "%s\n", err.text);
      return false;
    }
    sd_buf_append (&bytes, map.data, map.len);
    sd_map_close (&map);
    if (!add (path[i], &bytes))
      return false;
  }
  for (unsigned k = 0; n == 0 && nfiles < MOST_FILES; k++) {
    sd_buf bytes = { 0 };
    char name[32];
    snprintf (name, sizeof name, "seed %u", k);
    if (!sd_fuzz_seed (k, &bytes))
      break;
    if (!add (name, &bytes))
      return false;
  }
  return nfiles > 0;
}

static void print (void) {
  static const char *const kind[2] = { "plain", "fixed" };
  for (unsigned f = 0; f < 2; f++)
    printf (
        "%s: %llu mutants, %llu opened, %llu refused; %llu values, %llu times a checksum found late, %llu "
        "other failures\n",
        kind[f], (unsigned long long) rep->tried[f], (unsigned long long) rep->opened[f],
        (unsigned long long) rep->refused[f], (unsigned long long) rep->values[f],
        (unsigned long long) rep->late[f], (unsigned long long) rep->failed[f]);
  printf ("wrong values in plain mutants: %llu; contradictions: %llu; too much memory: %llu\n",
          (unsigned long long) rep->wrong, (unsigned long long) rep->contradictions,
          (unsigned long long) rep->memory);
  printf (
      "slowest: %.2f s (mutant %llu), %llu over 2 s; most memory held while opening: %llu bytes, %.0f %% of "
      "what is allowed\n",
      rep->worst, (unsigned long long) rep->worst_at, (unsigned long long) rep->slow,
      (unsigned long long) rep->most_memory, 100 * rep->most_share);
}

int main (int argc, char **argv) {
  double seconds = 0;
  uint64_t count = UINT64_MAX, seed = 1;
  unsigned crashes = 0, hangs = 0;
  for (int c; (c = getopt (argc, argv, "ft:n:r:k:")) != -1;)
    switch (c) {
    case 'f':
      only_fixed = true;
      break;
    case 't':
      seconds = atof (optarg);
      break;
    case 'n':
      count = strtoull (optarg, NULL, 10);
      break;
    case 'r':
      seed = strtoull (optarg, NULL, 10);
      break;
    case 'k':
      keep = optarg;
      break;
    default:
      fprintf (stderr, "usage: %s [-f] [-t SECONDS] [-n COUNT] [-r SEED] [-k FOLDER] [FILE...]\n", argv[0]);
      return 2;
    }
  if (seconds <= 0 && count == UINT64_MAX)
    seconds = 3;
  file = calloc (MOST_FILES, sizeof *file);
  if (!file || !load (argc - optind, argv + optind))
    return 2;
  const size_t size = sizeof *rep + room;
  rep = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (rep == MAP_FAILED)
    return 2;
  run (seed, count, seconds > 0 ? sd_now () + seconds : 0, &crashes, &hangs);
  print ();
  printf ("crashes: %u; hangs: %u\n", crashes, hangs);
  const bool bad = crashes || hangs || rep->wrong || rep->contradictions || rep->memory;
  munmap (rep, size);
  for (unsigned i = 0; i < nfiles; i++) {
    sd_table_close (file[i].table);
    sd_buf_free (&file[i].bytes);
  }
  free (file);
  return bad;
}
