/** \file fuzz_array.c
 * Files of arrays and what they are made of, from anywhere: a .sda file, its header's checksum put right, an
 * .npy file, raw numbers, or a PLA text. Each is refused with its name and a sentence, or can be read to the
 * last slot; what was read comes back from a file that is made of it.
 *
 * Input: u8 kind (0 .sda, 1 .npy, 2 raw, 3 PLA; by 4 above that: the type that numbers are or must fit, the
 * wanted shape), then the bytes. */
#include "config.h"
#include "array/array_internal.h"
#include "array/pla.h"
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/memory.h"

#include <string.h>

enum { SDA, NPY, RAW, PLA, CUBES, KINDS };
sd_fuzz_count sd_fuzz_counts[SD_FUZZ_KINDS]; /* by these kinds */
enum { MOST_SLOTS = 1 << 22, MOST_INPUTS = 12, SMALL = 20000 };

/* Sets of an array's values are kept as bits: 2^14 of 512 bytes at most, however few bytes say them. */
#define SETS_FREE ((uint64_t) 10 << 20)

static void refused (const sd_error *err) {
  SD_FUZZ_CHECK (strncmp (err->text, "fuzz", 4) == 0 && err->text[4]);
}

/* What was subdefined comes back whole from a source, and admitted from a table. */
static void there_and_back (const sd_array_shape *s, const sd_subdefined *d) {
  if (s->n > SMALL)
    return;
  for (unsigned coded = 0; coded < 2; coded++) {
    sd_array_codec how = { .codec = coded ? sd_codec_find ("store") : NULL };
    sd_buf image = { 0 };
    sd_array *a;
    sd_error err = { 0 };
    if (coded && sd_settings_parse (how.codec, NULL, &how.settings, &err))
      abort ();
    SD_FUZZ_CHECK (sd_array_image (s, d, &how, NULL, &image, &err) == SD_OK);
    SD_FUZZ_CHECK (sd_array_open_memory (image.data, image.len, "made", SD_OPEN_CHECK, &a, &err) == SD_OK);
    SD_FUZZ_CHECK (sd_array_compare (s, d, a, &err) == SD_OK);
    sd_array_close (a);
    sd_buf_free (&image);
  }
}

static void put_checksum_right (uint8_t *data, size_t size) {
  sd_reader r = sd_reader_of (data, size);
  sd_get_bytes (&r, SD_ARRAY_MAGIC_BYTES + 1);
  const uint64_t header = sd_get_varint (&r);
  const size_t left = (size_t) (r.end - r.p);
  if (r.bad || left < 4 || header > left - 4)
    return;
  const size_t covered = size - left + (size_t) header;
  const uint64_t sum = sd_hash64 (data, covered);
  for (unsigned i = 0; i < 4; i++)
    data[covered + i] = (uint8_t) (sum >> (8 * i));
}

/* Slots of what is open: together and one by one, least and list. */
static void read_array (const sd_array *a, const sd_array_info *in, uint64_t *state) {
  int32_t value[64], alone;
  char text[300];
  const sd_array_type_kind *type = &sd_array_types[in->shape.type];
  for (unsigned k = 0; k < 6; k++) {
    const uint64_t first = k == 0 ? 0 : sd_random (state) % in->shape.n, left = in->shape.n - first,
                   count = left < 64 ? left : 64;
    if (sd_array_read (a, first, count, value, NULL) != SD_OK)
      continue;
    for (uint64_t i = 0; i < count; i += 1 + count / 4) {
      SD_FUZZ_CHECK (value[i] >= type->least && value[i] <= type->most);
      if (sd_array_read (a, first + i, 1, &alone, NULL) == SD_OK)
        SD_FUZZ_CHECK (alone == value[i]);
      if (sd_array_get (a, first + i, &alone, NULL) == SD_OK)
        SD_FUZZ_CHECK (alone == value[i]);
      if (sd_array_slot (a, first + i, text, sizeof text, NULL) == SD_OK)
        SD_FUZZ_CHECK (text[0] && strlen (text) < sizeof text);
    }
  }
}

/* Was it opened? */
static bool sda (uint8_t *data, size_t len) {
  sd_array *a;
  sd_array_info in;
  sd_error err = { 0 };
  uint64_t state = len;
  put_checksum_right (data, len);
  const uint64_t start = sd_fuzz_memory_start ();
  const int st = sd_array_open_memory (data, len, "fuzz", 0, &a, &err);
  SD_FUZZ_CHECK (sd_fuzz_memory_peak (start) <= sd_open_bound (len) + SETS_FREE);
  if (st != SD_OK) {
    refused (&err);
    return false;
  }
  sd_array_describe (a, &in);
  SD_FUZZ_CHECK (in.shape.n >= 1 && in.shape.n <= SD_ARRAY_MAX_SLOTS);
  read_array (a, &in, &state);
  sd_array_check (a, &err);
  sd_subdefined *d;
  if (in.shape.n <= SMALL && sd_array_load (a, &d, &err) == SD_OK) {
    there_and_back (&in.shape, d);
    sd_subdefined_free (d);
  }
  sd_array_close (a);
  return true;
}

static bool plain (const uint8_t *data, size_t len, bool npy, unsigned how) {
  sd_array_plain p = { 0 };
  sd_array_shape shape;
  sd_subdefined *d;
  sd_error err = { 0 };
  if (sd_array_shape_parse ("2,3", &shape, &err))
    abort ();
  const enum sd_array_type type = (enum sd_array_type) (how % 8 % (SD_ARRAY_TYPES + 1));
  const sd_array_want want = { .shape = how & 8 ? &shape : NULL, .raw = type, .npy = type, .as_raw = !npy };
  const int st = sd_array_plain_of (npy ? "fuzz.npy" : "fuzz.raw", &(sd_map){ .data = data, .len = len }, &want, &p, &err);
  if (st != SD_OK) {
    SD_FUZZ_CHECK (p.value == NULL);
    refused (&err);
    return false;
  }
  SD_FUZZ_CHECK (npy || p.shape.n * sd_array_types[p.shape.type].bytes == len);
  SD_FUZZ_CHECK (type == SD_ARRAY_TYPES || p.shape.type == type);
  if (p.shape.n <= SMALL && sd_array_subdefine (&p.shape, p.value, NULL, &d, &err) == SD_OK) {
    there_and_back (&p.shape, d);
    sd_subdefined_free (d);
  }
  free (p.value);
  return true;
}

/* Large functions take seconds each: only their terms are read. */
static bool is_small (const uint8_t *data, size_t len) {
  SD_RELEASED_BY (sd_pla_free) sd_pla p = { 0 };
  sd_error err = { 0 };
  if (sd_pla_read ((const char *) data, len, "fuzz", &p, &err) != SD_OK)
    refused (&err);
  return p.inputs <= MOST_INPUTS && p.outputs <= SMALL;
}

static bool pla (const uint8_t *data, size_t len) {
  sd_array_shape s;
  sd_subdefined *d;
  sd_error err = { 0 };
  sd_array_form_of (data, len);
  if (!is_small (data, len))
    return false;
  if (sd_array_pla ((const char *) data, len, "fuzz", &s, &d, &err) != SD_OK) {
    refused (&err);
    return false;
  }
  SD_FUZZ_CHECK (s.n == d->seq.n);
  there_and_back (&s, d);
  sd_subdefined_free (d);
  return true;
}

static bool cubes (const uint8_t *data, size_t len) {
  sd_array_shape s;
  sd_subdefined *d;
  sd_error err = { 0 };
  if (sd_array_cubes ((const char *) data, len, "fuzz", &s, &d, &err) != SD_OK) {
    refused (&err);
    return false;
  }
  SD_FUZZ_CHECK (s.n == d->seq.n && s.n <= len);
  there_and_back (&s, d);
  sd_subdefined_free (d);
  return true;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const size_t len = size - 1;
  uint8_t *exact = sd_alloc (len, 1); /* ends where the file ends */
  if (!exact)
    return 0;
  memcpy (exact, data + 1, len);
  static const char *const name[] = {
    [SDA] = "sda", [NPY] = "npy", [RAW] = "raw", [PLA] = "pla", [CUBES] = "cubes"
  };
  const unsigned kind = data[0] % KINDS;
  const bool accepted = kind == SDA     ? sda (exact, len)
                        : kind == PLA   ? pla (exact, len)
                        : kind == CUBES ? cubes (exact, len)
                                        : plain (exact, len, kind == NPY, data[0] / KINDS);
  sd_fuzz_count_one (kind, name[kind], accepted);
  free (exact);
  return 0;
}

/* ------------------------------------------------------------------- seeds */

/* A grid with bounds, or a mask: a source, or a table in codec number `codec`. */
static bool sda_seed (unsigned k, size_t ncodecs, const sd_codec *const *codec, sd_buf *out) {
  enum { ROWS = 30, COLUMNS = 40, N = ROWS * COLUMNS };
  static int32_t value[N], low[N], high[N];
  static uint8_t mask[N];
  uint64_t state = k;
  sd_array_shape s = { .type = (enum sd_array_type) (k % SD_ARRAY_TYPES),
                       .ndims = 2,
                       .dim = { ROWS, COLUMNS } };
  sd_subdefined *d;
  sd_array_codec how = { .codec = k < SD_ARRAY_TYPES ? NULL : codec[k % ncodecs] };
  for (unsigned i = 0; i < N; i++) {
    value[i] = (int32_t) ((i / COLUMNS + i % COLUMNS) / 4 + sd_random (&state) % 2);
    low[i] = value[i] - (int32_t) (i % 3);
    high[i] = value[i] + 1;
    mask[i] = i % 5 == 0;
  }
  const sd_array_freedom with =
      k & 1 ? (sd_array_freedom){ .low = low, .high = high } : (sd_array_freedom){ .mask = mask };
  bool ok =
      sd_array_shape_set (&s, NULL) == SD_OK && sd_array_subdefine (&s, value, &with, &d, NULL) == SD_OK;
  if (!ok)
    return false;
  sd_buf_u8 (out, SDA);
  ok = (!how.codec || sd_fuzz_settings (how.codec, k, &how.settings))
       && sd_array_image (&s, d, &how, NULL, out, NULL) == SD_OK;
  sd_subdefined_free (d);
  return ok;
}

bool sd_fuzz_seed (unsigned k, sd_buf *out) {
  static const char *const text[] = {
    ".i 3\n.o 2\n.type fd\n.p 3\n1-0 1-\n--1 -1\n000 01\n.e\n",
    ".i 4\n.o 3\n# a comment\n.type fr\n.ilb a b c d\n.ob x y z\n11-- 1-0\n0--1 010\n.end\n",
    ".i 2\n.o 1\n.type f\n01 1\n10 1\n.e\n",
    ".i 3\n.o 2\n.type fdr\n.phase 01\n01\n1 4~\n2-0 -0 # two lines\n1?1 10\n.e\n",
    "\xef\xbb\xbf.o 2\r\n.i 2\r\n.type dr\r\n.label var=0 a b\r\n.label var=2 x\r\n y\r\n|0-| 02 |\r\n.end\r\n",
    ".i 9\n.o 1\n.type r\n.ilb a b c d\n e f g h i\n0-------0 0\n-1-0-1-0- 0\n",
    ".i 32\n.o 1\n11111111111111111111111111111111 1\n",
  };
  static const char *const header[] = {
    "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n",
    "{'descr': '|u1', 'fortran_order': False, 'shape': (12,), }\n",
    "{\"shape\": (), 'fortran_order': True, 'descr': '<u2'}\n",
    "{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3, 2), }\n",
    "{'descr': '>i2', 'fortran_order': True, 'shape': (2L, 3L), }\n",
    "{'descr': '<i4', 'fortran_order': True, 'shape': (3, 1), }\n",
    "{'descr': '>u4', 'fortran_order': False, 'shape': (3,), }\n",
    "{'descr': '<u1', 'fortran_order': True, 'shape': (2, 3, 2), }\n",
    "{'fortran_order':", /* a header that ends in the key */
    "{'fortran_order': T",
    "{'descr': '|u1', 'shape':",
    "{'descr':",
    "{'descr': '|u1', 'fortran_order': False, 'shape': (12L",
  };
  enum { TEXTS = sizeof text / sizeof *text, HEADERS = sizeof header / sizeof *header };
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  const unsigned sources = SD_ARRAY_TYPES + 2 * (unsigned) ncodecs;
  if (k < sources)
    return sda_seed (k, ncodecs, codec, out);
  k -= sources;
  if (k < TEXTS) {
    sd_buf_u8 (out, PLA);
    sd_buf_append (out, text[k], strlen (text[k]));
    return !out->failed;
  }
  k -= TEXTS;
  if (k < 2 * HEADERS) {
    const char *h = header[k % HEADERS];
    const unsigned version = 1 + k / HEADERS; /* its length in two or four bytes */
    sd_buf_u8 (out, NPY + KINDS * (k % HEADERS == 0 ? 8 + SD_ARRAY_TYPES : SD_ARRAY_TYPES));
    sd_buf_append (out, "\x93NUMPY", 6);
    sd_buf_u8 (out, version);
    sd_buf_u8 (out, 0);
    sd_buf_u8 (out, (unsigned) strlen (h));
    sd_buf_u8 (out, 0);
    for (unsigned i = 0; version > 1 && i < 2; i++)
      sd_buf_u8 (out, 0);
    sd_buf_append (out, h, strlen (h));
    for (unsigned i = 0; i < (k % HEADERS == 2 ? 2 : 12); i++)
      sd_buf_u8 (out, i & 1);
    return !out->failed;
  }
  k -= 2 * HEADERS;
  static const char *const cube[] = { "01X\nx-1\n", "\xef\xbb\xbf# two\r\n\n  01X1 \r\n\tx-10" };
  enum { CUBE_TEXTS = sizeof cube / sizeof *cube };
  if (k < CUBE_TEXTS) {
    sd_buf_u8 (out, CUBES);
    sd_buf_append (out, cube[k], strlen (cube[k]));
    return !out->failed;
  }
  k -= CUBE_TEXTS;
  if (k > SD_ARRAY_TYPES)
    return false;
  sd_buf_u8 (out, RAW + KINDS * k);
  for (unsigned i = 0; i < 64; i++)
    sd_buf_u8 (out, i / 7);
  return !out->failed;
}
