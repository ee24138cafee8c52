/* Test cubes of circuits as arrays: what is free, shapes, what is known by its content, and each mistake with
 * its line. */
#include "config.h"
#include "array/array.h"
#include <criterion/criterion.h>
#include <string.h>

static int read_cubes (const char *text, sd_array_shape *s, sd_subdefined **out, sd_error *err) {
  return sd_array_cubes (text, strlen (text), "t.cubes", s, out, err);
}

Test (cubes, each_letter_means_what_it_says) {
  static const char *const texts[] = { "01X\nx-1\n", "\xef\xbb\xbf# two\r\n\n  01X \r\n\tx-1",
                                       "01X\n\nx-1\n#\n" };
  static const char want[] = "01XXX1";
  for (unsigned t = 0; t < sizeof texts / sizeof *texts; t++) {
    sd_array_shape s;
    sd_subdefined *d;
    sd_error err = { 0 };
    cr_assert (read_cubes (texts[t], &s, &d, &err) == SD_OK, "%s", err.text);
    cr_expect (s.type == SD_ARRAY_U8 && s.ndims == 2 && s.dim[0] == 2 && s.dim[1] == 3 && s.n == 6);
    for (unsigned i = 0; i < 6; i++) {
      for (sd_symbol v = 0; v < 2; v++)
        cr_expect (sd_admits (d->alphabet, d->seq.sym[i], v)
                       == (want[i] == 'X' || d->map[v] == want[i] - '0'),
                   "slot %u, value %d", i, d->map[v]);
    }
    sd_subdefined_free (d);
  }
}

Test (cubes, mistakes_are_named_with_their_line) {
  static const struct {
    const char *text, *says;
  } bad[] = {
    { "", "no line has a cube" },
    { "# nothing\n\n", "no line has a cube" },
    { "01X\n\n01\n", "t.cubes:3: a cube of 2 bits, where those before it have 3" },
    { "01X\n01Z\n", "t.cubes:2: 'Z' in a cube" },
    { "01X\n01\x01\n", "t.cubes:2: '?' in a cube" },
  };
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    sd_array_shape s;
    sd_subdefined *d = NULL;
    sd_error err = { 0 };
    cr_expect (read_cubes (bad[i].text, &s, &d, &err) != SD_OK && strstr (err.text, bad[i].says), "%s: %s",
               bad[i].text, err.text);
  }
}

Test (cubes, are_known_by_their_content) {
  static const char *const is[] = { "01X", "X1\n0X\n", "# c\n\n--01\r\n", "0101\n1X11\n" };
  static const char *const none[] = { "", "01\n11\n", "01X\n01\n", "01X2\n", "X 1\n", "X1\n#\n1\n" };
  for (unsigned i = 0; i < sizeof is / sizeof *is; i++)
    cr_expect_eq (sd_array_form_of ((const uint8_t *) is[i], strlen (is[i])), SD_ARRAY_CUBES, "%s", is[i]);
  for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
    cr_expect_eq (sd_array_form_of ((const uint8_t *) none[i], strlen (none[i])), SD_ARRAY_RAW, "%s",
                  none[i]);
}
