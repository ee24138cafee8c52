/* Arrays with their freedom: what is subdefined, each codec on it, files that are damaged or forged. */
#include "config.h"
#include "array/array.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite (array, .timeout = 120);

enum { N = 3000, HEADER = 5 }; /* magic and version before the length of the header */

/* A shape of n slots in two dimensions, the first one `rows`. */
static sd_array_shape shape_of (enum sd_array_type type, uint32_t rows, uint32_t columns) {
  sd_array_shape s = { .type = type, .ndims = 2, .dim = { rows, columns } };
  cr_assert_eq (sd_array_shape_set (&s, NULL), SD_OK);
  return s;
}

/* Values with long runs and some noise, those of the ends of the type among them. */
static void make_values (enum sd_array_type type, int32_t *value, uint64_t seed) {
  const sd_array_type_kind *t = &sd_array_types[type];
  for (unsigned i = 0; i < N; i++)
    value[i] = t->least + (int32_t) (i / 100) + (int32_t) (sd_random (&seed) % 4);
  value[7] = t->most;
  value[N - 1] = t->most;
}

static sd_subdefined *subdefined (const sd_array_shape *s, const int32_t *value, const sd_array_freedom *f) {
  sd_subdefined *d = NULL;
  sd_error err = { 0 };
  cr_assert_eq (sd_array_subdefine (s, value, f, &d, &err), SD_OK, "%s", err.text);
  return d;
}

static sd_array *opened (const sd_buf *image) {
  sd_array *a = NULL;
  sd_error err = { 0 };
  cr_assert_eq (sd_array_open_memory (image->data, image->len, "x.sda", SD_OPEN_CHECK, &a, &err), SD_OK, "%s",
                err.text);
  return a;
}

/* --------------------------------------------------------------- freedoms */

/* The three ways to say what is free, as a slow question: may slot i hold v? */
typedef struct ways {
  uint8_t mask[N];
  uint16_t set[N];
  int32_t low[N], high[N];
  char list[200];
  int32_t least, most;
  sd_array_freedom is;
  unsigned way;
} ways;

static void make_ways (ways *w, enum sd_array_type type, const int32_t *value, unsigned way, uint64_t seed) {
  memset (w, 0, sizeof *w);
  w->way = way;
  w->least = sd_array_types[type].least;
  w->most = sd_array_types[type].most;
  snprintf (w->list, sizeof w->list, "*\n%d-%d,%d\n%d-%d\r\n", w->least, w->least + 10, w->most, w->least + 5,
            w->most);
  for (unsigned i = 0; i < N; i++) {
    const uint64_t r = sd_random (&seed);
    w->mask[i] = r % 3 == 0 ? 255 : 0;
    w->set[i] = value[i] > w->least + 10 && value[i] != w->most ? 2 : value[i] < w->least + 5 ? 1 : 1 + r % 2;
    w->set[i] = r % 5 == 0 ? 0 : w->set[i];
    w->low[i] = value[i] - (int32_t) (r % 4);
    w->high[i] = value[i] + (int32_t) (r / 8 % 4);
  }
  w->is = way == 1 ? (sd_array_freedom){ .mask = w->mask }
          : way == 2
              ? (sd_array_freedom){ .set = w->set, .list = w->list, .list_name = "list" }
              : (sd_array_freedom){ .low = way == 3 ? w->low : NULL, .high = way >= 3 ? w->high : NULL };
}

static bool may (const ways *w, const int32_t *value, unsigned i, int32_t v) {
  switch (w->way) {
  case 1:
    return w->mask[i] || v == value[i];
  case 2:
    return w->set[i] == 0 || (w->set[i] == 1 ? v <= w->least + 10 || v == w->most : v >= w->least + 5);
  case 3:
    return v >= w->low[i] && v <= w->high[i];
  case 4:
    return v <= w->high[i];
  default:
    return v == value[i];
  }
}

Test (array, each_slot_may_hold_what_was_said_of_the_values_that_occur) {
  static int32_t value[N];
  static ways w;
  for (unsigned type = 0; type < SD_ARRAY_TYPES; type++)
    for (unsigned way = 0; way < 5; way++) {
      const sd_array_shape s = shape_of ((enum sd_array_type) type, 30, N / 30);
      make_values (s.type, value, type + 1);
      make_ways (&w, s.type, value, way, type + 11);
      sd_subdefined *d = subdefined (&s, value, &w.is);
      unsigned wrong = 0, open = 0;
      for (unsigned i = 0; i < N; i++)
        for (unsigned k = 0; k < sd_alphabet_main (d->alphabet); k++) {
          const bool is = sd_admits (d->alphabet, d->seq.sym[i], (sd_symbol) k);
          wrong += is != may (&w, value, i, sd_array_value (s.type, d->map[k]));
          open += is;
        }
      cr_expect_eq (wrong, 0, "%s, way %u: %u", sd_array_types[type].name, way, wrong);
      cr_expect (way == 0 ? open == N : open > N + N / 2, "way %u leaves %u", way, open);
      sd_subdefined_free (d);
    }
}

Test (array, every_codec_gives_values_that_the_source_admits) {
  static int32_t value[N], back[N];
  static ways w;
  size_t ncodecs;
  const sd_codec *const *all = sd_codec_all (&ncodecs);
  for (unsigned way = 0; way < 5; way++)
    for (size_t c = 0; c < ncodecs; c++) {
      const sd_array_shape s = shape_of (way % 2 ? SD_ARRAY_I16 : SD_ARRAY_U16, N / 20, 20);
      sd_array_codec how = { .codec = all[c] };
      sd_buf image = { 0 };
      sd_error err = { 0 };
      make_values (s.type, value, way);
      make_ways (&w, s.type, value, way, c);
      sd_subdefined *d = subdefined (&s, value, &w.is);
      cr_assert_eq (sd_settings_parse (all[c], NULL, &how.settings, &err), SD_OK, "%s", err.text);
      cr_assert_eq (sd_array_image (&s, d, &how, NULL, &image, &err), SD_OK, "%s: %s", all[c]->name,
                    err.text);
      sd_array *a = opened (&image);
      cr_expect_eq (sd_array_compare (&s, d, a, &err), SD_OK, "%s: %s", all[c]->name, err.text);
      cr_assert_eq (sd_array_read (a, 0, N, back, &err), SD_OK, "%s", err.text);
      unsigned wrong = 0;
      for (unsigned i = 0; i < N; i++)
        wrong += !may (&w, value, i, back[i]);
      cr_expect_eq (wrong, 0, "%s, way %u: %u values", all[c]->name, way, wrong);
      int32_t one;
      cr_assert_eq (sd_array_read (a, 1234, 1, &one, NULL), SD_OK);
      cr_expect_eq (one, back[1234], "%s", all[c]->name);
      sd_array_close (a);
      sd_subdefined_free (d);
      sd_buf_free (&image);
    }
}

Test (array, a_source_comes_back_whole_also_with_more_symbols_than_a_codec_takes) {
  enum { MANY = 20000 };
  static int32_t value[MANY], high[MANY];
  static const sd_array_codec source = { 0 };
  for (unsigned spread = 1; spread <= 40; spread += 39) {
    const sd_array_shape s = shape_of (SD_ARRAY_I16, 100, MANY / 100);
    uint64_t seed = 5;
    for (unsigned i = 0; i < MANY; i++) {
      value[i] = (int32_t) (sd_random (&seed) % 400) - 200;
      high[i] = value[i] + (int32_t) (sd_random (&seed) % (spread + 1));
    }
    const sd_array_freedom f = { .low = value, .high = high };
    sd_subdefined *d = subdefined (&s, value, &f), *back = NULL;
    cr_assert_eq (sd_alphabet_size (d->alphabet) > SD_MAX_MAIN, spread > 1, "%u symbols",
                  sd_alphabet_size (d->alphabet));
    sd_buf image = { 0 };
    sd_error err = { 0 };
    cr_assert_eq (sd_array_image (&s, d, &source, NULL, &image, &err), SD_OK, "%s", err.text);
    sd_array *a = opened (&image);
    cr_expect_eq (sd_array_compare (&s, d, a, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_array_load (a, &back, &err), SD_OK, "%s", err.text);
    cr_expect_eq (memcmp (back->seq.sym, d->seq.sym, MANY * sizeof *d->seq.sym), 0);
    cr_expect_eq (sd_alphabet_size (back->alphabet), sd_alphabet_size (d->alphabet));
    sd_subdefined_free (back);
    sd_array_close (a);
    sd_subdefined_free (d);
    sd_buf_free (&image);
  }
}

Test (array, a_value_outside_the_freedom_is_told_with_its_slot) {
  static int32_t value[N], other[N];
  static ways w;
  sd_array_codec how = { .codec = sd_codec_find ("store") };
  const sd_array_shape s = shape_of (SD_ARRAY_U8, 30, N / 30);
  sd_error err = { 0 };
  cr_assert_eq (sd_settings_parse (how.codec, NULL, &how.settings, NULL), SD_OK);
  make_values (s.type, value, 3);
  make_ways (&w, s.type, value, 1, 3);
  memcpy (other, value, sizeof other);
  unsigned fixed = 400;
  while (w.mask[fixed])
    fixed++;
  other[fixed] = other[fixed] ? 0 : 1;
  sd_subdefined *d = subdefined (&s, value, &w.is), *wrong = subdefined (&s, other, NULL);
  sd_buf image = { 0 };
  cr_assert_eq (sd_array_image (&s, wrong, &how, NULL, &image, &err), SD_OK);
  sd_array *a = opened (&image);
  char slot[40];
  snprintf (slot, sizeof slot, "slot %u (%u,%u)", fixed, fixed / 100, fixed % 100);
  cr_expect_eq (sd_array_compare (&s, d, a, &err), SD_EDIFF);
  cr_expect (strstr (err.text, slot), "%s", err.text);
  const sd_array_shape turned = shape_of (SD_ARRAY_U8, N / 30, 30);
  cr_expect_eq (sd_array_compare (&turned, d, a, &err), SD_EDIFF);
  sd_array_close (a);
  sd_buf_free (&image);
  sd_subdefined_free (d);
  sd_subdefined_free (wrong);
}

/* ---------------------------------------------------------------- refusals */

static void refused (const int32_t *value, const sd_array_freedom *f, int status, const char *says) {
  const sd_array_shape s = { .type = SD_ARRAY_I8, .ndims = 1, .dim = { 3 }, .n = 3 };
  sd_subdefined *d = NULL;
  sd_error err = { 0 };
  cr_expect_eq (sd_array_subdefine (&s, value, f, &d, &err), status, "%s: %s", says, err.text);
  cr_expect (strstr (err.text, says), "'%s' is not in '%s'", says, err.text);
}

Test (array, wrong_freedom_is_refused_with_slot_or_line) {
  const int32_t value[3] = { 1, 2, -3 }, low[3] = { 1, 2, 0 }, high[3] = { 1, 1, 5 }, far[3] = { 0, 0, -128 };
  const uint16_t first[3] = { 0, 0, 0 }, second[3] = { 0, 1, 0 };
#define LIST(text, sets) (&(sd_array_freedom){ .set = (sets), .list = (text), .list_name = "L" })
  refused (value, LIST ("1,2\n", first), SD_EFORMAT, "slot 2: value -3 is not in its own set");
  refused (value, LIST ("1,2,-3\n", second), SD_EFORMAT, "slot 1: set 1");
  refused (value, LIST ("-3-2\n\n", first), SD_EFORMAT, "L: line 2");
  refused (value, LIST ("-3-2\n3-2\n", first), SD_EFORMAT, "L: line 2");
  refused (value, LIST ("-3-128\n", first), SD_EFORMAT, "L: line 1");
  refused (value, LIST ("-3-2,\n", first), SD_EFORMAT, "L: line 1");
  refused (value, LIST ("99999999999999999999\n", first), SD_EFORMAT, "L: line 1");
  refused (value, LIST ("", first), SD_EFORMAT, "slot 0: set 0");
  refused (value, LIST ("9\n*", second), SD_EFORMAT, "slot 0: value 1 is not in its own set");
  refused (value, &(sd_array_freedom){ .low = low }, SD_EFORMAT, "slot 2: value -3 is outside");
  refused (value, &(sd_array_freedom){ .high = high }, SD_EFORMAT, "slot 1: value 2 is outside");
  refused (value, &(sd_array_freedom){ .low = value, .high = far }, SD_EFORMAT,
           "slot 0: the lower bound 1 is above");
  sd_subdefined *d = NULL;
  const sd_array_shape s = { .type = SD_ARRAY_I8, .ndims = 1, .dim = { 3 }, .n = 3 };
  cr_expect_eq (sd_array_subdefine (&s, value, LIST ("-3-2", first), &d, NULL), SD_OK);
  sd_subdefined_free (d);
  const uint8_t all[3] = { 1, 1, 1 };
  d = subdefined (&s, value, &(sd_array_freedom){ .mask = all });
  cr_expect_eq (sd_alphabet_main (d->alphabet), 1, "everything is free, and one value remains");
  sd_subdefined_free (d);
}

Test (array, more_values_than_symbols_are_refused_and_shapes_that_are_none) {
  enum { MANY = SD_MAX_MAIN + 1 };
  static int32_t value[MANY];
  static uint8_t mask[MANY];
  sd_array_shape s = { .type = SD_ARRAY_U16, .ndims = 1, .dim = { MANY }, .n = MANY };
  sd_subdefined *d = NULL;
  sd_error err = { 0 };
  for (unsigned i = 0; i < MANY; i++)
    value[i] = (int32_t) (UINT16_MAX - i);
  cr_expect_eq (sd_array_subdefine (&s, value, NULL, &d, &err), SD_ERANGE, "%s", err.text);
  mask[9] = 1;
  d = subdefined (&s, value, &(sd_array_freedom){ .mask = mask });
  cr_expect_eq (sd_alphabet_main (d->alphabet), SD_MAX_MAIN);
  sd_subdefined_free (d);
  static const char *const bad[] = {
    "", "0", "3,", ",3", "3,0", "-3", "3,x", "65536,65537", "4294967296", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"
  };
  for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
    cr_expect_eq (sd_array_shape_parse (bad[i], &s, NULL), SD_EINVAL, "%s", bad[i]);
  cr_expect_eq (sd_array_shape_parse ("64,64,12", &s, NULL), SD_OK);
  cr_expect_eq (s.n, 64 * 64 * 12);
}

/* ------------------------------------------------------------------ damage */

/* A source and a table of a small array with sets. */
static void small_images (sd_buf image[2]) {
  enum { SMALL = 60 };
  int32_t value[SMALL], high[SMALL];
  const sd_array_shape s = shape_of (SD_ARRAY_I8, 6, 10);
  sd_array_codec how[2] = { { 0 }, { .codec = sd_codec_find ("repair") } };
  for (int i = 0; i < SMALL; i++) {
    value[i] = i * i % 7 - 3;
    high[i] = value[i] + i % 3;
  }
  sd_subdefined *d = subdefined (&s, value, &(sd_array_freedom){ .low = value, .high = high });
  cr_assert_eq (sd_settings_parse (how[1].codec, NULL, &how[1].settings, NULL), SD_OK);
  for (unsigned k = 0; k < 2; k++)
    cr_assert_eq (sd_array_image (&s, d, &how[k], NULL, &image[k], NULL), SD_OK);
  sd_subdefined_free (d);
}

Test (array, no_bit_may_change_and_no_byte_be_missing) {
  sd_buf image[2] = { { 0 }, { 0 } };
  small_images (image);
  for (unsigned k = 0; k < 2; k++) {
    sd_array *a = NULL;
    for (size_t bit = 0; bit < 8 * image[k].len; bit++) {
      sd_error err = { 0 };
      image[k].data[bit / 8] ^= (uint8_t) (1 << bit % 8);
      cr_expect_neq (sd_array_open_memory (image[k].data, image[k].len, "x.sda", SD_OPEN_CHECK, &a, &err),
                     SD_OK, "image %u, bit %zu", k, bit);
      cr_expect (strncmp (err.text, "x.sda: ", 7) == 0, "%s", err.text);
      image[k].data[bit / 8] ^= (uint8_t) (1 << bit % 8);
    }
    for (size_t len = 0; len < image[k].len; len++) {
      uint8_t *cut = malloc (len + 1); /* so that a sanitizer sees what is read beyond */
      memcpy (cut, image[k].data, len);
      cr_expect_neq (sd_array_open_memory (cut, len, "x.sda", 0, &a, NULL), SD_OK, "image %u, %zu bytes", k,
                     len);
      free (cut);
    }
    sd_buf_free (&image[k]);
  }
}

/* Each byte of the header in turn gets each value, under a right checksum: what opens must be read safely. */
Test (array, forged_headers_are_refused_or_read_safely) {
  sd_buf image[2] = { { 0 }, { 0 } };
  unsigned opened_ones = 0, refused_ones = 0;
  small_images (image);
  for (unsigned k = 0; k < 2; k++) {
    const size_t header = image[k].data[HEADER];
    cr_assert_lt (header, 128);
    const size_t end = HEADER + 1 + header;
    for (size_t at = HEADER + 1; at < end; at++)
      for (unsigned byte = 0; byte < 256; byte++) {
        const uint8_t before = image[k].data[at];
        image[k].data[at] = (uint8_t) byte;
        const uint32_t sum = (uint32_t) sd_hash64 (image[k].data, end);
        for (unsigned b = 0; b < 4; b++)
          image[k].data[end + b] = (uint8_t) (sum >> 8 * b);
        sd_array *a = NULL;
        sd_error err = { 0 };
        if (sd_array_open_memory (image[k].data, image[k].len, "x.sda", 0, &a, &err) == SD_OK) {
          sd_array_info in;
          char text[64];
          int32_t value[8];
          sd_array_describe (a, &in);
          opened_ones++;
          sd_array_read (a, 0, in.shape.n < 8 ? in.shape.n : 8, value, &err);
          sd_array_slot (a, in.shape.n - 1, text, sizeof text, &err);
          sd_array_close (a);
        } else {
          refused_ones++;
          cr_expect (err.text[0], "image %u, byte %zu", k, at);
        }
        image[k].data[at] = before;
      }
    sd_buf_free (&image[k]);
  }
  cr_expect_gt (opened_ones, 100);
  cr_expect_gt (refused_ones, 1000);
}

/* A file of some 40 bytes, right in all but that it has far too many slots, of one value. */
static int open_with_slots (uint64_t slots, sd_array **a, sd_error *err) {
  const sd_array_shape s = { .type = SD_ARRAY_U8, .ndims = 1, .dim = { 4 }, .n = 4 };
  const int32_t value[4] = { 7, 7, 7, 7 };
  static sd_buf forged;
  sd_buf image = { 0 };
  sd_subdefined *d;
  sd_array_codec how = { .codec = sd_codec_find ("store") };
  cr_assert_eq (sd_settings_parse (how.codec, NULL, &how.settings, err), SD_OK);
  cr_assert_eq (sd_array_subdefine (&s, value, NULL, &d, err), SD_OK);
  cr_assert_eq (sd_array_image (&s, d, &how, NULL, &image, err), SD_OK);
  sd_buf dim = { 0 };
  sd_buf_varint (&dim, slots);
  const size_t header = image.data[HEADER], at = HEADER + 4, end = HEADER + 1 + header;
  cr_assert_eq (image.data[at], 4, "the only dimension");
  sd_buf_free (&forged);
  sd_buf_append (&forged, image.data, HEADER);
  sd_buf_u8 (&forged, (unsigned) (header + dim.len - 1));
  sd_buf_append (&forged, image.data + HEADER + 1, at - HEADER - 1);
  sd_buf_append (&forged, dim.data, dim.len);
  sd_buf_append (&forged, image.data + at + 1, end - at - 1);
  sd_buf_u32 (&forged, (uint32_t) sd_hash64 (forged.data, forged.len));
  sd_buf_append (&forged, image.data + end + 4, image.len - end - 4);
  sd_buf_free (&dim);
  sd_buf_free (&image);
  sd_subdefined_free (d);
  return sd_array_open_memory (forged.data, forged.len, "x.sda", SD_OPEN_CHECK, a, err);
}

Test (array, a_small_file_cannot_ask_for_gigabytes) {
  sd_array *a;
  sd_subdefined *d;
  sd_error err = { 0 };
  int32_t last;
  cr_assert_eq (open_with_slots (UINT32_MAX, &a, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_array_get (a, UINT32_MAX - 1, &last, &err), SD_OK, "a slot takes no memory: %s", err.text);
  cr_expect_eq (last, 7);
  cr_assert_eq (sd_array_load (a, &d, &err), SD_ERANGE);
  cr_expect (strstr (err.text, "x.sda: 4294967295 slots are more than a file of"), "%s", err.text);
  sd_array_close (a);
  cr_assert_eq (open_with_slots (1 << 20, &a, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_array_read (a, (1 << 20) - 1, 1, &last, &err), SD_OK, "%s", err.text);
  cr_expect_eq (last, 7);
  sd_array_close (a);
}
