/* Arrays of NumPy: each type, order and shape that NumPy itself reads, and headers that lie or end too early.
 */
#include "config.h"
#include "array/array_internal.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite (npy, .timeout = 60);

/* A file of version 1 whose header says its own length rightly. */
static sd_buf file_of (const char *header, const void *numbers, size_t len) {
  sd_buf b = { 0 };
  sd_buf_append (&b, "\x93NUMPY\1\0", 8);
  sd_buf_u8 (&b, strlen (header) & 255);
  sd_buf_u8 (&b, (unsigned) (strlen (header) >> 8));
  sd_buf_append (&b, header, strlen (header));
  sd_buf_append (&b, numbers, len);
  return b;
}

static int read_file (const sd_buf *b, const sd_array_shape *shape, enum sd_array_type type,
                      sd_array_plain *out, sd_error *err) {
  uint8_t *exact =
      malloc (b->len); /* ends where the file ends, so that a sanitizer sees what is read beyond */
  memcpy (exact, b->data, b->len);
  const sd_map map = { .data = exact, .len = b->len };
  const sd_array_want want = { .shape = shape, .raw = SD_ARRAY_TYPES, .npy = type };
  const int st = sd_array_plain_of ("x.npy", &map, &want, out, err);
  free (exact);
  return st;
}

/* "u8 2,3: 1 2 3 4 5 6", or the message. */
static void reads_as (const char *descr, const char *order, const char *shape, enum sd_array_type type,
                      const char *numbers, size_t len, const char *expected) {
  char header[200], text[400], dims[192];
  sd_array_plain p;
  sd_error err = { 0 };
  snprintf (header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }  \n", descr, order,
            shape);
  sd_buf b = file_of (header, numbers, len);
  if (read_file (&b, NULL, type, &p, &err) == SD_OK) {
    sd_array_shape_text (&p.shape, dims);
    int at = snprintf (text, sizeof text, "%s %s:", sd_array_types[p.shape.type].name, dims);
    for (uint64_t i = 0; i < p.shape.n; i++)
      at += snprintf (text + at, sizeof text - (size_t) at, " %d", p.value[i]);
    cr_expect_str_eq (text, expected, "%s, expected %s", text, expected);
    free (p.value);
  } else
    cr_expect (*expected && strstr (err.text, expected), "%s, expected %s", err.text, expected);
  sd_buf_free (&b);
}
#define READS(descr, order, shape, bytes, expected)                                                          \
  reads_as (descr, order, shape, SD_ARRAY_TYPES, bytes, sizeof (bytes) - 1, expected)
#define READS_AS(type, descr, shape, bytes, expected)                                                        \
  reads_as (descr, "False", shape, type, bytes, sizeof (bytes) - 1, expected)

Test (npy, a_byte_has_no_order) {
  static const char *const u1[] = { "|u1", "<u1", ">u1", "=u1", "u1" };
  static const char *const i1[] = { "|i1", "<i1", ">i1" };
  static const char *const b1[] = { "|b1", "<b1", ">b1" };
  for (unsigned i = 0; i < 5; i++)
    READS (u1[i], "False", "(3,)", "\1\377\0", "u8 3: 1 255 0");
  for (unsigned i = 0; i < 3; i++) {
    READS (i1[i], "False", "(3,)", "\1\377\0", "i8 3: 1 -1 0");
    READS (b1[i], "False", "(3,)", "\1\377\0", "u8 3: 1 1 0");
  }
}

Test (npy, either_end_of_a_number_may_come_first) {
  READS ("<u2", "False", "(2,)", "\1\2\376\377", "u16 2: 513 65534");
  READS (">u2", "False", "(2,)", "\1\2\377\376", "u16 2: 258 65534");
  READS ("<i2", "False", "(2,)", "\1\2\376\377", "i16 2: 513 -2");
  READS (">i2", "False", "(2,)", "\1\2\377\376", "i16 2: 258 -2");
  READS ("=i2", "False", "(1,)", "\1\2", "numbers of the type '=i2'");
  READS ("i2", "False", "(1,)", "\1\2", "numbers of the type 'i2'");
}

Test (npy, wider_numbers_get_the_first_type_in_which_all_of_them_fit) {
  READS ("<i4", "False", "(2,)", "\1\0\0\0\377\0\0\0", "u8 2: 1 255");
  READS ("<i4", "False", "(2,)", "\1\0\0\0\377\377\377\377", "i8 2: 1 -1");
  READS (">i4", "False", "(2,)", "\0\0\1\0\0\0\0\7", "u16 2: 256 7");
  READS (">i8", "False", "(2,)", "\0\0\0\0\0\0\1\0\377\377\377\377\377\377\377\376", "i16 2: 256 -2");
  READS ("<u4", "False", "(2,)", "\377\377\0\0\1\0\0\0", "u16 2: 65535 1");
  READS ("<u8", "False", "(1,)", "\377\377\0\0\0\0\0\0", "u16 1: 65535");
  READS ("<u4", "False", "(2, 1)", "\1\0\0\0\0\0\1\0",
         "x.npy: slot 1 (1,0): 65536 does not fit into the 16 bits");
  READS ("<u8", "False", "(1,)", "\377\377\377\377\377\377\377\377",
         "slot 0: 18446744073709551615 does not fit");
  READS ("<i8", "False", "(1,)", "\0\0\0\0\0\0\0\200", "slot 0: -9223372036854775808 does not fit");
  READS ("<i4", "False", "(3,)", "\0\200\0\0\377\377\377\377\1\0\0\0",
         "slot 1: -1 does not fit into the 16 bits of an array, together with those before it");
  READS_AS (SD_ARRAY_I16, "<i8", "(1,)", "\7\0\0\0\0\0\0\0", "i16 1: 7");
  READS_AS (SD_ARRAY_I8, "<i2", "(2,)", "\7\0\200\377", "i8 2: 7 -128");
  READS_AS (SD_ARRAY_U8, "<i2", "(2,)", "\7\0\200\377", "slot 1: -128 does not fit into u8");
}

Test (npy, the_first_dimension_may_run_fastest) {
  READS ("|u1", "True", "(2, 3)", "\1\4\2\5\3\6", "u8 2,3: 1 2 3 4 5 6");
  READS (">i2", "True", "(2, 2, 2)", "\0\1\0\5\0\3\0\7\0\2\0\6\0\4\0\10", "i16 2,2,2: 1 2 3 4 5 6 7 8");
  READS ("|u1", "True", "(3,)", "\1\2\3", "u8 3: 1 2 3");
  READS ("<u4", "True", "(1, 2)", "\1\0\0\0\0\0\1\0", "slot 1 (0,1): 65536");
}

Test (npy, shapes_of_python_2_and_without_dimensions_are_read) {
  READS ("|u1", "False", "(3L, 2L)", "\1\2\3\4\5\6", "u8 3,2: 1 2 3 4 5 6");
  READS ("|u1", "False", "(3L,)", "\1\2\3", "u8 3: 1 2 3");
  READS ("|u1", "False", "()", "\5", "u8 (): 5");
  READS ("|u1", "True", "( 2 ,3 )", "\1\4\2\5\3\6", "u8 2,3: 1 2 3 4 5 6");
}

Test (npy, what_a_header_says_is_refused_truly) {
  READS ("|u1", "False", "(4294967296, 2)", "\1", "a dimension of 4294967296: at most 4294967295");
  READS ("|u1", "False", "(18446744073709551617,)", "\1",
         "a dimension of 18446744073709551617: at most 4294967295");
  READS ("|u1", "False", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,6)", "\1",
         "17 dimensions: an array has at most 16");
  READS ("|u1", "False", "(65536, 65536, 2)", "\1", "header: more than 4294967296 slots");
  READS ("|u1", "False", "(0, 3)", "", "dimension 1 is 0");
  READS ("|u1", "False", "(3, -1)", "\1", "expected a shape");
  READS ("|u1", "False", "(3 4)", "\1", "expected a comma or ')'");
  READS ("|u1", "Tru", "(3,)", "\1\2\3", "expected True or False");
  READS ("<f8", "False", "(1,)", "\0\0\0\0\0\0\0\0", "numbers of the type '<f8'");
  READS ("|O", "False", "(1,)", "\1", "numbers of the type '|O'");
  READS ("", "False", "(1,)", "\1", "numbers of the type ''");
  READS ("|u1", "False", "(3,)", "\1\2", "2 bytes of numbers, 3 of 1 byte take 3: the file is cut off");
}

static void header_refused (const char *header, const char *says) {
  sd_array_plain p;
  sd_error err = { 0 };
  sd_buf b = file_of (header, "\1", 1);
  cr_expect_neq (read_file (&b, NULL, SD_ARRAY_TYPES, &p, &err), SD_OK, "%s", header);
  cr_expect (strstr (err.text, says), "%s: %s, expected %s", header, err.text, says);
  const char *at = strstr (err.text, "at byte ");
  cr_expect (!at || strtoul (at + 8, NULL, 10) <= strlen (header), "%s: %s", header, err.text);
  sd_buf_free (&b);
}

Test (npy, a_header_may_end_anywhere) {
  static const char whole[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (1L,), }";
  char part[sizeof whole];
  for (size_t n = 0; n + 1 < sizeof whole; n++) {
    memcpy (part, whole, n);
    part[n] = 0;
    header_refused (part, "x.npy: header: expected ");
  }
  header_refused ("{'fortran_order':", "expected True or False at byte 17");
  header_refused ("{'fortran_order': T", "expected True or False at byte 18");
  header_refused ("{'shape': (1,)}", "expected 'descr', 'fortran_order' and 'shape'");
  header_refused ("{'shape': (1,), 'shape': (1,)}", "once each, at byte 16");
  header_refused ("{'shape': (1,), 'x': 1}", "once each, at byte 16");
  header_refused ("{'descr': [('a', '|u1')]}", "expected a simple type");
  header_refused ("{'descr': '|u1', 'fortran_order': False, 'shape': (1,)} x", "expected its end");
}

Test (npy, a_file_may_be_cut_off_anywhere) {
  sd_buf b = file_of ("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }", "\1", 1);
  const size_t whole = b.len;
  for (b.len = 6; b.len < whole; b.len++) {
    sd_array_plain p;
    sd_error err = { 0 };
    cr_expect_neq (read_file (&b, NULL, SD_ARRAY_TYPES, &p, &err), SD_OK);
    cr_expect (strstr (err.text, "is cut off"), "%zu bytes: %s", b.len, err.text);
  }
  sd_buf_free (&b);
}

Test (npy, a_wanted_shape_is_compared) {
  const sd_array_shape none = { .type = SD_ARRAY_U8, .n = 1 };
  sd_array_plain p;
  sd_error err = { 0 };
  sd_buf b = file_of ("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }", "\1", 1);
  cr_expect_eq (read_file (&b, &none, SD_ARRAY_TYPES, &p, &err), SD_EFORMAT);
  cr_expect (strstr (err.text, "its shape is 1, expected ()"), "%s", err.text);
  sd_buf_free (&b);
}
