/* The header of an array of NumPy (.npy, versions 1 to 3 of its format: the magic "\x93NUMPY", two bytes of
 * the version, the length of the header in two or four bytes, and a dictionary with `descr`, `fortran_order`
 * and `shape`; then the numbers). Other writers than NumPy give a byte an order, and Python 2 writes the
 * numbers of a shape as 3L; NumPy reads both, and so do we. A header is a text of Python, of which just what
 * numpy.save and its like write is read: a dictionary of three members, in any order. */
#include "config.h"
#include "array/npy.h"
#include "base/text.h"
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC = 6, MOST_HEADER = 65536 };

bool sd_npy_is (const uint8_t *data, size_t len) {
  return len >= MAGIC && memcmp (data, magic, MAGIC) == 0;
}

/* -------------------------------------------------------------- dictionary */

/* What reading a dictionary works with; the text ends in a byte 0. */
typedef struct reader {
  const char *path, *text, *p;
  sd_npy *out;
  sd_error *err;
} reader;

/* The byte is counted from where the dictionary begins. */
static int wrong (const reader *r, const char *expected) {
  return sd_fail (r->err, SD_EFORMAT, "%s: header: expected %s at byte %td of it", r->path, expected,
                  r->p - r->text);
}

static void blanks (reader *r) {
  r->p += strspn (r->p, " \t\r\n");
}

/* One character behind blanks. */
static bool take (reader *r, char c) {
  blanks (r);
  if (*r->p != c)
    return false;
  r->p++;
  return true;
}

/* True and False are followed by a comma or a brace, so that longer words are found out there. */
static bool take_word (reader *r, const char *word) {
  const size_t n = strlen (word);
  blanks (r);
  if (strncmp (r->p, word, n) != 0)
    return false;
  r->p += n;
  return true;
}

static int quoted (reader *r, const char *what, char *out, size_t cap) {
  blanks (r);
  /* Python writes either kind of quotes; escapes do not occur in what is looked for. */
  const char *end = *r->p == '\'' || *r->p == '"' ? strchr (r->p + 1, *r->p) : NULL;
  const size_t n = end ? (size_t) (end - r->p - 1) : cap;
  if (n >= cap)
    return wrong (r, what);
  memcpy (out, r->p + 1, n);
  out[n] = 0;
  r->p = end + 1;
  return SD_OK;
}

/* '<u2', '|b1', 'i1' */
static int get_type (reader *r) {
  char descr[32];
  SD_TRY (quoted (r, "a simple type, such as '<i2',", descr, sizeof descr));
  const char *t = descr + (*descr && strchr ("<>|=", *descr) ? 1 : 0), order = t > descr ? *descr : 0;
  sd_npy *h = r->out;
  h->kind = *t;
  /* One digit, and nothing behind it. */
  h->bytes = *t && t[1] && !t[2] ? (unsigned) (t[1] - '0') : 0;
  h->big_endian = order == '>';
  /* Wider than a byte, the order must be said; for bytes it means nothing. */
  const bool whole = (*t == 'u' || *t == 'i') && (h->bytes == 2 || h->bytes == 4 || h->bytes == 8);
  if ((h->bytes == 1 && strchr ("uib", *t)) || (whole && (order == '<' || order == '>')))
    return SD_OK;
  return sd_fail (
      r->err, SD_EFORMAT,
      "%s: numbers of the type '%s': whole numbers (i, u) of 1, 2, 4 or 8 bytes and Booleans (b1) are "
      "read; save the array with astype('<i2') or the like, real numbers rounded to whole multiples of the error that is allowed",
      r->path, descr);
}

/* Fortran: the first dimension runs fastest. */
static int get_order (reader *r) {
  r->out->fortran = take_word (r, "True");
  return r->out->fortran || take_word (r, "False") ? SD_OK : wrong (r, "True or False");
}

/* "64", or "64L" */
static int get_dimension (reader *r, sd_array_shape *s) {
  blanks (r);
  const size_t digits = strspn (r->p, "0123456789");
  if (!digits)
    return wrong (r, "a shape, such as (3, 4),");
  /* More than ten digits could go beyond 64 bits, and are too many anyway. */
  const unsigned long long v = digits <= 10 ? strtoull (r->p, NULL, 10) : ULLONG_MAX;
  if (v > UINT32_MAX)
    return sd_fail (r->err, SD_EFORMAT, "%s: header: a dimension of %.*s: at most %" PRIu32 " is read",
                    r->path, (int) (digits < 60 ? digits : 60), r->p, UINT32_MAX);
  /* Counted on, so that the message can say how many there are. */
  if (s->ndims < SD_MAX_DIMS)
    s->dim[s->ndims] = (uint32_t) v;
  s->ndims++;
  r->p += digits + (r->p[digits] == 'L');
  return SD_OK;
}

/* (64, 64) or (5,) or () */
static int get_shape (reader *r) {
  sd_array_shape *s = &r->out->shape;
  s->ndims = 0;
  if (!take (r, '('))
    return wrong (r, "a shape, such as (3, 4),");
  /* A comma may stand before the parenthesis: (5,). */
  for (bool more = true; !take (r, ')'); more = take (r, ',')) {
    if (!more)
      return wrong (r, "a comma or ')'");
    SD_TRY (get_dimension (r, s));
  }
  /* The shape's message does not know of the file. */
  sd_error why = { 0 };
  return sd_array_shape_set (s, &why) == SD_OK
             ? SD_OK
             : sd_fail (r->err, SD_EFORMAT, "%s: header: %s", r->path, why.text);
}

/* A key and what it says; *seen has a bit for each key that has come. */
static int get_member (reader *r, unsigned *seen) {
  static const struct {
    const char *key;
    int (*get) (reader *r);
  } member[] = { { "descr", get_type }, { "fortran_order", get_order }, { "shape", get_shape } };
  char key[32];
  const char *at = r->p;
  unsigned k = 0;
  SD_TRY (quoted (r, "'descr', 'fortran_order' or 'shape'", key, sizeof key));
  while (k < 3 && strcmp (member[k].key, key) != 0)
    k++;
  /* Back to the key, which the message points at. */
  if (k == 3 || (*seen & 1u << k)) {
    r->p = at;
    return wrong (r, "'descr', 'fortran_order' and 'shape', once each,");
  }
  *seen |= 1u << k;
  return take (r, ':') ? member[k].get (r) : wrong (r, "':'");
}

static int get_dictionary (reader *r) {
  unsigned seen = 0;
  if (!take (r, '{'))
    return wrong (r, "'{'");
  for (bool more = true; !take (r, '}'); more = take (r, ',')) {
    if (!more)
      return wrong (r, "a comma or '}'");
    SD_TRY (get_member (r, &seen));
  }
  blanks (r);
  /* A bit for each of the three keys. */
  if (seen != 7)
    return wrong (r, "'descr', 'fortran_order' and 'shape'");
  return *r->p ? wrong (r, "its end") : SD_OK;
}

/* ------------------------------------------------------------------ header */

/* The file may just have been copied in part: the message has both sizes. */
static int cut_off (const char *path, size_t needs, size_t len, sd_error *err) {
  return sd_fail (err, SD_EFORMAT, "%s: the file is cut off: its header takes %zu bytes, the file has %zu",
                  path, needs, len);
}

int sd_npy_header (const char *path, const uint8_t *data, size_t len, sd_npy *out, sd_error *err) {
  if (!sd_npy_is (data, len))
    return sd_fail (err, SD_EFORMAT, "%s: not an .npy file: it does not begin with \\x93NUMPY", path);
  sd_reader r = sd_reader_of (data + MAGIC, len - MAGIC);
  const unsigned major = sd_get_u8 (&r);
  sd_get_u8 (&r);
  if (!r.bad && (major < 1 || major > 3))
    return sd_fail (err, SD_EFORMAT, "%s: .npy of version %u: versions 1 to 3 are read", path, major);
  /* Version 1 has two bytes for the length of its header, later ones four. */
  const uint8_t *two = major == 1 ? sd_get_bytes (&r, 2) : NULL;
  const uint32_t n = major != 1 ? sd_get_u32 (&r) : two ? (uint32_t) two[0] | (uint32_t) two[1] << 8 : 0;
  if (r.bad)
    return cut_off (path, major == 1 ? 10 : 12, len, err);
  /* Headers of simple arrays have about 100 bytes. */
  if (n > MOST_HEADER)
    return sd_fail (err, SD_EFORMAT, "%s: a header of %" PRIu32 " bytes: at most %d are read", path, n,
                    MOST_HEADER);
  const uint8_t *text = sd_get_bytes (&r, n);
  if (!text)
    return cut_off (path, (size_t) (r.p - data) + n, len, err);
  SD_TRY (sd_text_check (text, n, path, err));
  out->start = (size_t) (r.p - data);
  /* With a byte 0 behind it, where every look ahead ends. */
  SD_OWNED char *copy = sd_alloc ((uint64_t) n + 1, 1);
  if (!copy)
    return sd_fail_memory (err, n);
  memcpy (copy, text, n);
  copy[n] = 0;
  return get_dictionary (&(reader){ .path = path, .text = copy, .p = copy, .out = out, .err = err });
}

/* ----------------------------------------------------------------- numbers */

uint64_t sd_npy_raw (const sd_npy *h, const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned i = 0; i < h->bytes; i++)
    v = v << 8 | p[h->big_endian ? i : h->bytes - 1 - i];
  return v;
}

int64_t sd_npy_number (const sd_npy *h, const uint8_t *p) {
  const uint64_t v = sd_npy_raw (h, p);
  if (h->kind == 'b')
    return v != 0;
  /* What is too large for the type that is asked for stays too large. */
  if (h->kind == 'u')
    return v > INT64_MAX ? INT64_MAX : (int64_t) v;
  /* The sign is in the highest bit of the number's own bytes. */
  const unsigned above = 64 - 8 * h->bytes;
  return (int64_t) (v << above) >> above;
}

/* ----------------------------------------------------------------- writing */

void sd_npy_put_header (const sd_array_shape *s, sd_buf *out) {
  char text[320], shape[256] = "";
  size_t at = 0;

  /* A tuple of one has a comma behind it. */
  for (unsigned d = 0; d < s->ndims; d++)
    at += (size_t) snprintf (shape + at, sizeof shape - at, "%s%" PRIu32 "%s", d ? " " : "", s->dim[d],
                             d + 1 < s->ndims || s->ndims == 1 ? "," : "");
  size_t n = (size_t) snprintf (text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                                sd_array_types[s->type].descr, shape);
  /* Blanks up to a multiple of 64 bytes, as NumPy writes it, so that the numbers are aligned. */
  const size_t whole = (MAGIC + 4 + n + 1 + 63) / 64 * 64, header = whole - MAGIC - 4;
  sd_buf_append (out, magic, MAGIC);
  sd_buf_u8 (out, 1);
  sd_buf_u8 (out, 0);
  sd_buf_u8 (out, (unsigned) header & 255);
  sd_buf_u8 (out, (unsigned) header >> 8);
  sd_buf_append (out, text, n);
  for (; n + 1 < header; n++)
    sd_buf_u8 (out, ' ');
  sd_buf_u8 (out, '\n');
}
