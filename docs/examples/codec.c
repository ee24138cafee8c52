/* Coding data of one's own, in C:
 *   cc codec.c $(pkg-config --cflags --libs subdef) -o codec
 *   ./codec FILE.sda
 * The data are depths of a sea on a grid. Land may hold anything. Each codec of the library codes them, the
 * smallest result is stored, and the file is opened and asked again. */
#include <subdef/subdef.h>

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 64, COLUMNS = 96, SLOTS = ROWS * COLUMNS };

static int fail (const char *text) {
  fprintf (stderr, "codec: %s\n", text);
  return 1;
}

/* A bay that gets deeper to the middle; what lies near its corners is land. */
static void make (int32_t *depth, uint8_t *land) {
  for (int i = 0; i < SLOTS; i++) {
    const int y = i / COLUMNS - ROWS / 2, x = i % COLUMNS - COLUMNS / 2;
    depth[i] = 60 - (x * x + 2 * y * y) / 64 + (x + y) % 3;
    land[i] = depth[i] <= 12;
  }
}

static int store (const sd_coded *coded, const char *path) {
  size_t len;
  const void *bytes = sd_coded_bytes (coded, &len);
  FILE *f = fopen (path, "wb");
  const int right = f && fwrite (bytes, 1, len, f) == len;
  return f && fclose (f) == 0 && right ? 0 : fail ("the file cannot be written");
}

/* The bytes of a file, malloced. */
static void *load (const char *path, size_t *len) {
  FILE *f = fopen (path, "rb");
  long size = -1;
  void *bytes = NULL;
  if (f && fseek (f, 0, SEEK_END) == 0 && (size = ftell (f)) > 0 && fseek (f, 0, SEEK_SET) == 0)
    bytes = malloc ((size_t) size);
  *len = bytes ? fread (bytes, 1, (size_t) size, f) : 0;
  if (f)
    fclose (f);
  return bytes;
}

/* Code with every codec; what the smallest made, to be closed by the caller. NULL: none can code the data. */
static sd_coded *smallest (const sd_data *data) {
  char text[512];
  sd_coded *best = NULL, *coded;
  sd_coded_info info, least;
  const char *codec;
  for (unsigned i = 0; (codec = sd_coded_codec (i)) != NULL; i++) {
    if (sd_coded_encode (data, codec, NULL, &coded, text, sizeof text) != SD_CODED_OK) {
      fail (text);
      continue;
    }
    sd_coded_describe (coded, &info);
    fprintf (stderr, "%-8s %6lu bytes\n", codec, (unsigned long) info.bytes);
    if (best)
      sd_coded_describe (best, &least);
    if (best && least.bytes <= info.bytes)
      sd_coded_close (coded);
    else {
      sd_coded_close (best);
      best = coded;
    }
  }
  return best;
}

/* Open what was stored, and ask it. */
static int ask (const char *path, const sd_data *data, uint64_t slot, int32_t depth) {
  char text[512];
  size_t len;
  sd_coded *coded;
  int32_t value = 0;
  void *bytes = load (path, &len);
  if (!bytes)
    return fail ("the file cannot be read");
  int status = sd_coded_open (bytes, len, SD_CODED_CHECK, &coded, text, sizeof text);
  if (status == SD_CODED_OK) {
    status = sd_coded_compare (coded, data, text, sizeof text);
    if (status == SD_CODED_OK)
      status = sd_coded_get (coded, slot, &value);
    sd_coded_close (coded);
  }
  free (bytes); /* they had to stay until the close */
  if (status != SD_CODED_OK)
    return fail (text[0] ? text : sd_coded_text (status));
  printf ("slot %lu holds %ld, stored was %ld\n", (unsigned long) slot, (long) value, (long) depth);
  return 0;
}

int main (int argc, char **argv) {
  static int32_t depth[SLOTS];
  static uint8_t land[SLOTS];
  static const uint32_t dim[] = { ROWS, COLUMNS };
  char text[512];
  sd_data *data;
  sd_data_info info;
  sd_data_input input = { 0 };
  if (argc != 2)
    return fail ("usage: codec FILE.sda");
  make (depth, land);
  input.value = depth;
  input.n = SLOTS;
  input.dim = dim;
  input.ndims = 2;
  input.mask = land;
  if (sd_data_new (&input, &data, text, sizeof text) != SD_CODED_OK)
    return fail (text);
  sd_data_describe (data, &info);
  printf ("%lu slots, %lu of them free, %u values\n", (unsigned long) info.slots,
          (unsigned long) (info.slots - info.fixed), info.values);

  sd_coded *best = smallest (data);
  int failed = best ? store (best, argv[1]) : fail ("no codec can code the data");
  sd_coded_close (best);
  if (!failed)
    failed = ask (argv[1], data, SLOTS / 2 + COLUMNS / 2, depth[SLOTS / 2 + COLUMNS / 2]);
  sd_data_free (data);
  return failed;
}
