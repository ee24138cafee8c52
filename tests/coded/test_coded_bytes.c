/* <subdef/subdef.h>: bytes from anywhere. Cut off, changed and forged ones end with a status or with values,
 * and no changed byte ever decides a value; sources of the programs are data. */
#include "config.h"
#include "base/base.h"
#include "coded/subdef.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite (coded_bytes, .timeout = 300);

enum { N = 300, HEADER = 5 }; /* magic and version stand before the length of the header */

static char text[512];

/* The coded bytes of a small array with a mask, in memory that ends where they end. */
static uint8_t *make (const char *codec, size_t *len, int32_t *value) {
  uint8_t mask[N];
  sd_data *data;
  sd_coded *c;
  uint64_t seed = 4;
  for (int i = 0; i < N; i++) {
    value[i] = i / 20 % 5 + (int) (sd_random (&seed) % 3) - 3;
    mask[i] = i % 7 == 0;
  }
  const sd_data_input in = { .value = value, .n = N, .mask = mask };
  cr_assert_eq (sd_data_new (&in, &data, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_assert_eq (sd_coded_encode (data, codec, NULL, &c, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_assert_eq (sd_coded_read (c, 0, N, value, NULL, 0), SD_CODED_OK);
  const void *bytes = sd_coded_bytes (c, len);
  uint8_t *copy = malloc (*len);
  cr_assert (copy);
  memcpy (copy, bytes, *len);
  sd_coded_close (c);
  sd_data_free (data);
  return copy;
}

/* Open and read everything; how many values are not those of value[0..N-1] (NULL: none is known), -1 if
 * nothing can be opened, -2 if something cannot be read. */
static int read_all (const uint8_t *bytes, size_t len, unsigned flags, const int32_t *value) {
  sd_coded *c = (sd_coded *) text;
  int status = sd_coded_open (bytes, len, flags, &c, text, sizeof text);
  cr_assert ((status == SD_CODED_OK) == (c != NULL) && (status == SD_CODED_OK) == (text[0] == 0));
  if (status != SD_CODED_OK) {
    cr_expect (status == SD_CODED_DAMAGED || status == SD_CODED_UNSUPPORTED, "%d: %s", status, text);
    return -1;
  }
  sd_coded_info info;
  sd_coded_describe (c, &info);
  const uint64_t n = info.slots < 4 * N ? info.slots : 4 * N; /* forged ones may have 2^32 */
  int32_t got[4 * N], one;
  int differ = 0;
  status = sd_coded_read (c, 0, n, got, text, sizeof text);
  cr_expect (status == SD_CODED_OK || status == SD_CODED_DAMAGED, "%d: %s", status, text);
  for (uint64_t i = 0; i < n; i++) {
    const int alone = sd_coded_get (c, i, &one);
    cr_expect (alone == SD_CODED_OK || alone == SD_CODED_DAMAGED, "%d", alone);
    if (alone == SD_CODED_OK)
      differ += (status == SD_CODED_OK && one != got[i]) || (value && one != value[i]);
  }
  sd_coded_get (c, info.slots - 1, &one);
  sd_coded_close (c);
  return status == SD_CODED_OK ? differ : -2;
}

Test (coded_bytes, no_byte_may_be_missing) {
  const char *codec;
  int32_t value[N];
  for (unsigned k = 0; (codec = sd_coded_codec (k)); k++) {
    size_t len;
    uint8_t *bytes = make (codec, &len, value);
    cr_expect_eq (read_all (bytes, len, SD_CODED_CHECK, value), 0, "%s", codec);
    for (size_t cut = 0; cut < len; cut++) {
      uint8_t *some = malloc (cut + 1); /* so that a sanitizer sees what is read beyond */
      memcpy (some, bytes, cut);
      cr_expect_eq (read_all (some, cut, 0, NULL), -1, "%s, %zu bytes", codec, cut);
      free (some);
    }
    free (bytes);
  }
}

Test (coded_bytes, a_changed_bit_is_found_and_decides_no_value) {
  const char *codec;
  int32_t value[N];
  for (unsigned k = 0; (codec = sd_coded_codec (k)); k++) {
    size_t len;
    uint8_t *bytes = make (codec, &len, value);
    for (size_t bit = 0; bit < 8 * len; bit++) {
      bytes[bit / 8] ^= (uint8_t) (1 << bit % 8);
      cr_expect_eq (read_all (bytes, len, SD_CODED_CHECK, NULL), -1, "%s, bit %zu", codec, bit);
      cr_expect_lt (read_all (bytes, len, 0, value), 1, "%s, bit %zu", codec, bit);
      bytes[bit / 8] ^= (uint8_t) (1 << bit % 8);
    }
    free (bytes);
  }
}

/* Right checksums over what has been changed: of the stream, which has one chunk, and of the header. */
static void forge (uint8_t *bytes, size_t len) {
  const size_t end = HEADER + 1 + (size_t) bytes[HEADER];
  for (unsigned pass = 0; pass < 2; pass++) {
    const uint32_t sum =
        (uint32_t) (pass ? sd_hash64 (bytes, end) : sd_hash64 (bytes + end + 4, len - end - 4));
    for (unsigned b = 0; b < 4; b++)
      bytes[(pass ? end : end - 4) + b] = (uint8_t) (sum >> 8 * b);
  }
}

Test (coded_bytes, forged_bytes_under_right_checksums_end_with_a_status_or_values) {
  const char *codec;
  int32_t value[N];
  for (unsigned k = 0; (codec = sd_coded_codec (k)); k++) {
    size_t len;
    uint8_t *bytes = make (codec, &len, value), *forged = malloc (len);
    unsigned opened = 0, refused = 0;
    uint64_t seed = k + 1;
    cr_assert (forged && bytes[HEADER] < 128);
    for (unsigned round = 0; round < 1500; round++) {
      memcpy (forged, bytes, len);
      for (unsigned changes = 1 + round % 3; changes-- > 0;)
        forged[HEADER + 1 + sd_random (&seed) % (len - HEADER - 1)] = (uint8_t) sd_random (&seed);
      forge (forged, len);
      const int is = read_all (forged, len, SD_CODED_CHECK, NULL);
      opened += is >= 0;
      refused += is == -1;
      cr_expect_leq (is, 0, "%s, round %u: %d values read alone are others than read together", codec, round,
                     is);
    }
    cr_expect (opened > 0 && refused > 0, "%s: %u open, %u refused", codec, opened, refused);
    free (forged);
    free (bytes);
  }
}

Test (coded_bytes, bytes_of_other_kinds_are_refused_with_a_sentence) {
  uint8_t zeros[64] = { 0 };
  sd_coded *c;
  sd_data *data;
  cr_expect_eq (sd_coded_open (zeros, 0, 0, &c, text, sizeof text), SD_CODED_DAMAGED);
  cr_expect_eq (sd_coded_open (zeros, sizeof zeros, 0, &c, text, sizeof text), SD_CODED_DAMAGED);
  cr_expect (strstr (text, "64 bytes"), "%s", text);
  cr_expect_eq (sd_data_open (zeros, sizeof zeros, &data, text, sizeof text), SD_CODED_DAMAGED);
  memcpy (zeros, "\x89SDA\x7f", 5);
  cr_expect_eq (sd_coded_open (zeros, sizeof zeros, 0, &c, text, sizeof text), SD_CODED_UNSUPPORTED);
  cr_expect (strstr (text, "version 127"), "%s", text);
}

/* One slot of four dimensions becomes 127^4, some 260 million: sound, as each holds the same value, and more
 * than so short a file may bring into memory. */
Test (coded_bytes, a_short_file_of_many_slots_is_too_large_and_not_damaged) {
  static const uint32_t dim[] = { 1, 1, 1, 1 };
  uint8_t bytes[100];
  size_t len;
  sd_data *data;
  sd_coded *c;
  int32_t last;
  const sd_data_input in = { .value = (int32_t[]){ 7 }, .n = 1, .dim = dim, .ndims = 4 };
  cr_assert_eq (sd_data_new (&in, &data, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_assert_eq (sd_coded_encode (data, "store", NULL, &c, text, sizeof text), SD_CODED_OK, "%s", text);
  const void *one = sd_coded_bytes (c, &len);
  cr_assert_leq (len, sizeof bytes);
  memcpy (bytes, one, len);
  sd_coded_close (c);
  sd_data_free (data);
  cr_assert (bytes[HEADER + 3] == 4 && bytes[HEADER + 4] == 1); /* behind its length, the type and the kind */
  memset (bytes + HEADER + 4, 127, 4);
  forge (bytes, len);
  cr_expect_eq (sd_data_open (bytes, len, &data, text, sizeof text), SD_CODED_LIMIT, "%s", text);
  cr_expect (strstr (text, "260144641 slots are more than a file of"), "%s", text);
  cr_assert_eq (sd_coded_open (bytes, len, SD_CODED_CHECK, &c, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_expect (sd_coded_get (c, 260144640, &last) == SD_CODED_OK && last == 7);
  sd_coded_close (c);
}

/* The example of docs/format.md, section 10: 2 by 3 slots with the values 1 to 6, of which 3 and 6 are
 * free. */
Test (coded_bytes, the_source_of_the_specification_is_data_and_no_coded_table) {
  static const uint8_t source[] = { 0x89, 0x53, 0x44, 0x41, 0x01, 0x18, 0x00, 0x01, 0x02, 0x02, 0x03, 0x04,
                                    0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x03,
                                    0x01, 0x0b, 0xba, 0xd9, 0xe4, 0xb7, 0xb9, 0xe6, 0x99, 0x98, 0x01, 0x06,
                                    0x03, 0x06, 0x00, 0x00, 0x01, 0x04, 0x02, 0x03, 0x04 };
  const char *codec;
  sd_data *data;
  sd_data_info info;
  sd_coded *c;
  cr_expect_eq (sd_coded_open (source, sizeof source, 0, &c, text, sizeof text), SD_CODED_DAMAGED);
  cr_expect (!c && strstr (text, "a source"), "%s", text);
  cr_assert_eq (sd_data_open (source, sizeof source, &data, text, sizeof text), SD_CODED_OK, "%s", text);
  sd_data_describe (data, &info);
  cr_expect (info.slots == 6 && info.values == 4 && info.sets == 1 && info.fixed == 4);
  for (unsigned i = 0; i < 6; i++)
    for (int v = 0; v < 8; v++) {
      const bool occurs = v == 1 || v == 2 || v == 4 || v == 5;
      cr_expect_eq (sd_data_admits (data, i, v), i % 3 == 2 ? occurs : v == (int) i + 1, "slot %u, %d", i, v);
    }
  for (unsigned k = 0; (codec = sd_coded_codec (k)); k++) {
    sd_data *again;
    size_t len;
    cr_assert_eq (sd_coded_encode (data, codec, NULL, &c, text, sizeof text), SD_CODED_OK, "%s", text);
    const void *bytes = sd_coded_bytes (c, &len);
    /* of a table each slot has one value, which coding can only keep */
    cr_assert_eq (sd_data_open (bytes, len, &again, text, sizeof text), SD_CODED_OK, "%s", text);
    sd_data_describe (again, &info);
    cr_expect_eq (info.fixed, info.slots);
    cr_expect_eq (sd_coded_compare (c, again, text, sizeof text), SD_CODED_OK, "%s", text);
    sd_data_free (again);
    sd_coded_close (c);
  }
  sd_data_free (data);
}

Test (coded_bytes, many_threads_read_one_table) {
  enum { MANY = 200000 };
  static int32_t value[MANY], back[MANY];
  sd_data *data;
  sd_coded *c, *opened;
  size_t len;
  unsigned wrong = 0;
  for (int i = 0; i < MANY; i++)
    value[i] = i / 1000 * 7 % 50 + i % 3;
  const sd_data_input in = { .value = value, .n = MANY };
  cr_assert_eq (sd_data_new (&in, &data, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_assert_eq (sd_coded_encode (data, "repair", NULL, &c, text, sizeof text), SD_CODED_OK, "%s", text);
  const void *bytes = sd_coded_bytes (c, &len);
  cr_assert_eq (sd_coded_open (bytes, len, 0, &opened, text, sizeof text), SD_CODED_OK, "%s", text);
#pragma omp parallel for num_threads(4) reduction(+ : wrong)
  for (int i = 0; i < MANY; i += 100) {
    int32_t one;
    wrong += sd_coded_get (opened, (uint64_t) i, &one) != SD_CODED_OK || one != value[i];
    wrong += sd_coded_read (opened, (uint64_t) i, 100, back + i, NULL, 0) != SD_CODED_OK;
  }
  cr_expect_eq (wrong, 0, "%u", wrong);
  cr_expect_arr_eq (back, value, sizeof value);
  sd_coded_close (opened);
  sd_coded_close (c);
  sd_data_free (data);
}
