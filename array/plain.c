/* Raw numbers, and arrays of NumPy (.npy, versions 1 to 3 of its format: the magic "\x93NUMPY", two bytes of the
 * version, the length of the header in two or four bytes, and a dictionary with `descr`, `fortran_order` and
 * `shape`; then the numbers). What the header says is compared with the size of the file before anything is
 * taken from it. */
#include "config.h"
#include "array/array_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char npy_magic[] = "\x93NUMPY";
enum { NPY_MAGIC = 6, MOST_HEADER = 65536 };

static bool ends (const char *path, const char *ending) {
  const size_t n = strlen (path), k = strlen (ending);
  return n >= k && strcmp (path + n - k, ending) == 0;
}

/* ----------------------------------------------------------------- headers */

static void blanks (const char **p) {
  *p += strspn (*p, " \t\n");
}

/* One character behind blanks. */
static bool take (const char **p, char c) {
  blanks (p);
  if (**p != c)
    return false;
  ++*p;
  return true;
}

static bool quoted (const char **p, char *out, size_t cap) {
  blanks (p);
  const char q = **p;
  if (q != '\'' && q != '"')
    return false;
  const char *end = strchr (*p + 1, q);
  if (!end || (size_t) (end - *p - 1) >= cap)
    return false;
  memcpy (out, *p + 1, (size_t) (end - *p - 1));
  out[end - *p - 1] = 0;
  *p = end + 1;
  return true;
}

/* (64, 64) or (5,) or (); numbers above 2^32 - 1 count as wrong. */
static bool tuple (const char **p, sd_array_shape *s) {
  s->ndims = 0;
  if (!take (p, '('))
    return false;
  while (!take (p, ')')) {
    char *end;
    if (**p < '0' || **p > '9' || s->ndims == SD_MAX_DIMS)
      return false;
    const unsigned long long v = strtoull (*p, &end, 10);
    if (v > UINT32_MAX)
      return false;
    s->dim[s->ndims++] = (uint32_t) v;
    *p = end;
    if (!take (p, ',')) {
      if (!take (p, ')'))
        return false;
      break;
    }
  }
  return true;
}

/* The dictionary: each key once. */
static int dictionary (const char *text, const char *path, sd_array_plain *out, sd_error *err) {
  const char *p = text;
  char key[32], descr[32] = "";
  unsigned seen = 0;
  bool ok = take (&p, '{'), fortran = false;
  while (ok && !take (&p, '}')) {
    ok = quoted (&p, key, sizeof key) && take (&p, ':');
    unsigned bit = 0;
    if (ok && strcmp (key, "descr") == 0)
      bit = 1, ok = quoted (&p, descr, sizeof descr);
    else if (ok && strcmp (key, "fortran_order") == 0) {
      bit = 2;
      blanks (&p);
      fortran = strncmp (p, "True", 4) == 0;
      ok = fortran || strncmp (p, "False", 5) == 0;
      p += fortran ? 4 : 5;
    } else if (ok && strcmp (key, "shape") == 0)
      bit = 4, ok = tuple (&p, &out->shape);
    ok = ok && bit && !(seen & bit);
    seen |= bit;
    if (ok && !take (&p, ',')) {
      ok = take (&p, '}');
      break;
    }
  }
  blanks (&p);
  if (!ok || seen != 7 || *p)
    return sd_fail (err, SD_EFORMAT,
                    "%s: header: expected a dictionary of descr (a simple type), fortran_order and shape (at "
                    "most %d dimensions), near byte %td of it",
                    path, SD_MAX_DIMS, p - text);
  unsigned t = 0;
  while (t < SD_ARRAY_TYPES && strcmp (sd_array_types[t].descr, descr) != 0)
    t++;
  out->boolean = strcmp (descr, "|b1") == 0;
  if (out->boolean)
    t = SD_ARRAY_U8;
  if (t == SD_ARRAY_TYPES)
    return sd_fail (err, SD_EFORMAT,
                    "%s: numbers of the type '%s': only |u1, |i1, <u2 and <i2 (and |b1 for masks) are read; "
                    "save the array with astype('<i2') or the like",
                    path, descr);
  if (fortran && out->shape.ndims > 1)
    return sd_fail (
        err, SD_EFORMAT,
        "%s: the first dimension runs fastest (fortran_order): save numpy.ascontiguousarray of it", path);
  out->shape.type = (enum sd_array_type) t;
  if (out->shape.ndims == 0)
    out->shape.dim[out->shape.ndims++] = 1;
  sd_error why = { 0 };
  if (sd_array_shape_set (&out->shape, &why))
    return sd_fail (err, SD_EFORMAT, "%s: header: %s", path, why.text);
  return SD_OK;
}

static int npy_header (const char *path, const sd_map *file, size_t *start, sd_array_plain *out,
                       sd_error *err) {
  sd_reader r = sd_reader_of (file->data, file->len);
  const uint8_t *magic = sd_get_bytes (&r, NPY_MAGIC);
  if (!magic || memcmp (magic, npy_magic, NPY_MAGIC) != 0)
    return sd_fail (err, SD_EFORMAT, "%s: not an .npy file: it does not begin with \\x93NUMPY", path);
  const unsigned major = sd_get_u8 (&r);
  sd_get_u8 (&r);
  if (r.bad || major < 1 || major > 3)
    return sd_fail (err, SD_EFORMAT, "%s: .npy of version %u: versions 1 to 3 are read", path, major);
  const uint8_t *two = major == 1 ? sd_get_bytes (&r, 2) : NULL;
  const uint32_t n = two ? (uint32_t) two[0] | (uint32_t) two[1] << 8 : sd_get_u32 (&r);
  const uint8_t *text = n <= MOST_HEADER ? sd_get_bytes (&r, n) : NULL;
  if (r.bad || !text || memchr (text, 0, n))
    return sd_fail (err, SD_EFORMAT,
                    "%s: the header is cut off or no text: %" PRIu32 " bytes, the file has %zu", path, n,
                    file->len);
  *start = (size_t) (r.p - file->data);
  char *copy = sd_alloc ((uint64_t) n + 1, 1);
  if (!copy)
    return sd_fail_memory (err, n);
  memcpy (copy, text, n);
  copy[n] = 0;
  const int st = dictionary (copy, path, out, err);
  free (copy);
  return st;
}

/* ------------------------------------------------------------------ reading */

static int32_t number (const uint8_t *p, enum sd_array_type type) {
  const unsigned v = sd_array_types[type].bytes == 1 ? p[0] : (unsigned) p[0] | (unsigned) p[1] << 8;
  switch (type) {
  case SD_ARRAY_I8:
    return (int8_t) v;
  case SD_ARRAY_I16:
    return (int16_t) v;
  default:
    return (int32_t) v;
  }
}

/* Raw numbers: the file has to have as many as the shape says. */
static int raw_header (const char *path, const sd_map *file, const sd_array_shape *want,
                       enum sd_array_type type, sd_array_plain *out, sd_error *err) {
  out->shape = *want;
  if (type == SD_ARRAY_TYPES)
    type = want->ndims && file->len == 2 * want->n ? SD_ARRAY_U16 : SD_ARRAY_U8;
  out->shape.type = type;
  if (want->ndims)
    return SD_OK;
  const unsigned bytes = sd_array_types[type].bytes;
  if (file->len == 0 || file->len % bytes || file->len / bytes > SD_ARRAY_MAX_SLOTS)
    return sd_fail (err, SD_EFORMAT, "%s: %zu bytes: expected 1 to %" PRIu64 " numbers of %u bytes", path,
                    file->len, SD_ARRAY_MAX_SLOTS, bytes);
  out->shape.ndims = 1;
  out->shape.dim[0] = (uint32_t) (file->len / bytes);
  return sd_array_shape_set (&out->shape, err);
}

static int check_shape (const char *path, const sd_array_shape *is, const sd_array_shape *want,
                        sd_error *err) {
  char a[192], b[192];
  if (!want->ndims
      || (is->ndims == want->ndims && memcmp (is->dim, want->dim, is->ndims * sizeof is->dim[0]) == 0))
    return SD_OK;
  sd_array_shape_text (is, a);
  sd_array_shape_text (want, b);
  return sd_fail (err, SD_EFORMAT, "%s: its shape is %s, expected %s", path, a, b);
}

static int read_mapped (const char *path, const sd_map *file, const sd_array_shape *want,
                        enum sd_array_type type, sd_array_plain *out, sd_error *err) {
  size_t start = 0;
  out->npy =
      ends (path, ".npy") || (file->len >= NPY_MAGIC && memcmp (file->data, npy_magic, NPY_MAGIC) == 0);
  if (out->npy) {
    SD_TRY (npy_header (path, file, &start, out, err));
    SD_TRY (check_shape (path, &out->shape, want, err));
  } else
    SD_TRY (raw_header (path, file, want, type, out, err));
  const unsigned bytes = sd_array_types[out->shape.type].bytes;
  const uint64_t n = out->shape.n;
  char shape[192];
  sd_array_shape_text (&out->shape, shape);
  if (file->len - start != n * bytes)
    return sd_fail (err, SD_EFORMAT, "%s: %zu bytes of numbers, %s of %u byte%s %s %" PRIu64 "%s", path,
                    file->len - start, shape, bytes, bytes == 1 ? "" : "s", "take", n * bytes,
                    out->npy ? ": the file is cut off or damaged" : ": see --shape and --type");
  out->value = sd_alloc (n, sizeof *out->value);
  if (!out->value)
    return sd_fail_memory (err, n * sizeof *out->value);
  for (uint64_t i = 0; i < n; i++)
    out->value[i] = number (file->data + start + i * bytes, out->shape.type);
  return SD_OK;
}

int sd_array_plain_of (const char *path, const uint8_t *data, size_t len, const sd_array_shape *want,
                       enum sd_array_type type, sd_array_plain *out, sd_error *err) {
  const sd_map bytes = { .data = data, .len = len };
  *out = (sd_array_plain){ 0 };
  return read_mapped (path, &bytes, want, type, out, err);
}

int sd_array_plain_read (const char *path, const sd_array_shape *want, enum sd_array_type type,
                         sd_array_plain *out, sd_error *err) {
  SD_RELEASED_BY (sd_map_close) sd_map file = { 0 };
  *out = (sd_array_plain){ 0 };
  SD_TRY (sd_map_open (path, &file, err));
  return read_mapped (path, &file, want, type, out, err);
}

/* ------------------------------------------------------------------ writing */

/* As numpy.save writes it: version 1, filled up to 64 bytes. */
static void put_npy_header (const sd_array_shape *s, sd_buf *out) {
  char text[320], shape[256];
  size_t at = 0;
  for (unsigned d = 0; d < s->ndims; d++)
    at += (size_t) snprintf (shape + at, sizeof shape - at, "%s%" PRIu32 "%s", d ? " " : "", s->dim[d],
                             d + 1 < s->ndims || s->ndims == 1 ? "," : "");
  size_t n = (size_t) snprintf (text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                                sd_array_types[s->type].descr, shape);
  const size_t whole = (NPY_MAGIC + 4 + n + 1 + 63) / 64 * 64, header = whole - NPY_MAGIC - 4;
  sd_buf_append (out, npy_magic, NPY_MAGIC);
  sd_buf_u8 (out, 1);
  sd_buf_u8 (out, 0);
  sd_buf_u8 (out, (unsigned) header & 255);
  sd_buf_u8 (out, (unsigned) header >> 8);
  sd_buf_append (out, text, n);
  for (; n + 1 < header; n++)
    sd_buf_u8 (out, ' ');
  sd_buf_u8 (out, '\n');
}

int sd_array_export (const sd_array *a, const char *path, const sd_progress *progress, sd_error *err) {
  const sd_array_shape *s = &a->info.shape;
  const unsigned bytes = sd_array_types[s->type].bytes;
  SD_OWNED int32_t *value = sd_alloc (SD_ARRAY_PIECE, sizeof *value);
  sd_buf b = { 0 };
  sd_outfile *f;
  if (!value)
    return sd_fail_memory (err, SD_ARRAY_PIECE * sizeof *value);
  SD_TRY (sd_outfile_open (path, &f, err));
  if (ends (path, ".npy"))
    put_npy_header (s, &b);
  int st = SD_OK;
  for (uint64_t i = 0; i < s->n && st == SD_OK; i += SD_ARRAY_PIECE) {
    const uint64_t count = s->n - i < SD_ARRAY_PIECE ? s->n - i : SD_ARRAY_PIECE;
    st = sd_array_read (a, i, count, value, err);
    for (uint64_t k = 0; k < count && st == SD_OK; k++) {
      sd_buf_u8 (&b, (unsigned) value[k] & 255);
      if (bytes == 2)
        sd_buf_u8 (&b, (unsigned) value[k] >> 8 & 255);
    }
    if (st == SD_OK && b.failed)
      st = sd_fail_memory (err, 0);
    if (st == SD_OK)
      st = sd_outfile_write (f, b.data, b.len, err);
    b.len = 0;
    sd_report (progress, "writing", i + count, s->n);
  }
  sd_buf_free (&b);
  if (st == SD_OK)
    return sd_outfile_commit (f, err);
  sd_outfile_abort (f);
  return st;
}
