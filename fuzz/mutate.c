/** \file mutate.c
 * A main program for targets where libFuzzer is not at hand: damaged copies of a target's own inputs and of
 * the files named, for so many seconds. The same arguments give the same copies in the same order.
 *
 *   fuzz_X [-t SECONDS] [-r SEED] [-s BYTES] [-k FILE] [INPUT...]
 *
 * -s: of the target's own inputs only those of at most so many bytes, which are tried faster; files are not
 * left out.
 * -k: each input is written to FILE before it is tried, so that FILE holds the one that crashed. -t 0: the
 * inputs are tried as they are, nothing else (to repeat a crash). */
#include "config.h"
#include "fuzz/fuzz.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_INPUTS 1024

static void try_one (const uint8_t *data, size_t size, const char *keep) {
  if (keep) {
    FILE *f = fopen (keep, "wb");
    if (f) {
      fwrite (data, 1, size, f);
      fclose (f);
    }
  }
  LLVMFuzzerTestOneInput (data, size);
}

/* Half of all places lie among the first 160 bytes: headers are small and streams are large. */
static size_t place (uint64_t *state, size_t size) {
  uint64_t r = sd_random (state);
  return (size_t) ((r >> 1) % (r & 1 && size > 160 ? 160 : size));
}

static void damage (uint8_t *b, size_t *size, size_t cap, const sd_buf *other, uint64_t *state) {
  static const uint8_t odd[] = { 0, 1, 0x7f, 0x80, 0xff, 0xfe, 0x40, 0x10 };
  for (unsigned n = 1 + (unsigned) (sd_random (state) % 4); n && *size; n--) {
    uint64_t r = sd_random (state);
    size_t at = place (state, *size), len = 1 + (r >> 32) % 8;
    len = len < *size - at ? len : *size - at;
    switch (r % 8) {
    case 0:
    case 1:
      b[at] ^= (uint8_t) (1u << (r >> 8 & 7));
      break;
    case 2:
      b[at] = odd[r >> 8 & 7];
      break;
    case 3:
      for (size_t i = 0; i < len; i++)
        b[at + i] = (uint8_t) sd_random (state);
      break;
    case 4: /* cut */
      *size = at;
      break;
    case 5: /* take out */
      memmove (b + at, b + at + len, *size - at - len);
      *size -= len;
      break;
    case 6: /* put in */
      if (*size + len <= cap) {
        memmove (b + at + len, b + at, *size - at);
        *size += len;
      }
      break;
    default: /* from another input */
      len = (r >> 32) % 64;
      if (at + len <= *size && at + len <= other->len)
        memcpy (b + at, other->data + at, len);
    }
  }
}

int main (int argc, char **argv) {
  static sd_buf input[MOST_INPUTS];
  unsigned n = 0;
  double seconds = 3;
  uint64_t state = 1, runs = 0;
  size_t longest = SIZE_MAX;
  const char *keep = NULL;
  for (int c; (c = getopt (argc, argv, "t:r:s:k:")) != -1;)
    switch (c) {
    case 't':
      seconds = atof (optarg);
      break;
    case 'r':
      state = strtoull (optarg, NULL, 10);
      break;
    case 's':
      longest = strtoull (optarg, NULL, 10);
      break;
    case 'k':
      keep = optarg;
      break;
    default:
      fprintf (stderr, "usage: %s [-t SECONDS] [-r SEED] [-s BYTES] [-k FILE] [INPUT...]\n", argv[0]);
      return 2;
    }
  for (int i = optind; i < argc && n < MOST_INPUTS; i++, n++) {
    sd_map file;
    sd_error err;
    if (sd_map_open (argv[i], &file, &err)) {
      fprintf (stderr, "%s\n", err.text);
      return 1;
    }
    sd_buf_append (&input[n], file.data, file.len);
    sd_map_close (&file);
  }
  for (unsigned k = 0; (seconds > 0 || n == 0) && n < MOST_INPUTS && sd_fuzz_seed (k, &input[n]); k++)
    if (input[n].len <= longest)
      n++;
    else
      input[n].len = 0;
  size_t cap = 64;
  for (unsigned i = 0; i < n; i++)
    cap = input[i].len + 64 > cap ? input[i].len + 64 : cap;
  uint8_t *copy = malloc (cap);
  if (!copy || n == 0) {
    fprintf (stderr, "%s: %s\n", argv[0], copy ? "no input is that short" : "out of memory");
    return 1;
  }
  for (unsigned i = 0; i < n; i++, runs++)
    try_one (input[i].data, input[i].len, keep);
  for (double end = sd_now () + seconds; sd_now () < end; runs++) {
    const sd_buf *from = &input[sd_random (&state) % n], *other = &input[sd_random (&state) % n];
    size_t size = from->len;
    memcpy (copy, from->data, size);
    damage (copy, &size, cap, other, &state);
    try_one (copy, size, keep);
  }
  printf ("%" PRIu64 " inputs in %.1f s of CPU time, no findings\n", runs,
          (double) clock () / CLOCKS_PER_SEC);
  for (const sd_fuzz_count *c = sd_fuzz_counts; c < sd_fuzz_counts + SD_FUZZ_KINDS; c++)
    if (c->kind)
      printf ("  %-8s %12" PRIu64 " tried, %12" PRIu64 " of them accepted\n", c->kind, c->tried, c->accepted);
  free (copy);
  for (unsigned i = 0; i < n; i++)
    sd_buf_free (&input[i]);
  return 0;
}
