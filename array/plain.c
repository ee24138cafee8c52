/* Plain numbers: .npy files and raw little-endian ones. What the header or the user says of them is compared
 * with the size of the file before anything is taken from it. Both become 32-bit numbers in the order of our
 * slots, whatever order the file has; which of our types holds them is found here or asked for. */
#include "config.h"
#include "array/array_internal.h"
#include "array/npy.h"
#include "array/pla.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Names say only what a file is to be; what it is its first bytes say, where they can. */
static bool ends (const char *path, const char *ending) {
  const size_t n = strlen (path), k = strlen (ending);
  return n >= k && strcmp (path + n - k, ending) == 0;
}

enum sd_array_form sd_array_form_of (const uint8_t *data, size_t len) {
  return sd_npy_is (data, len)                    ? SD_ARRAY_NPY
         : sd_pla_is ((const char *) data, len)   ? SD_ARRAY_PLA
         : sd_cubes_is ((const char *) data, len) ? SD_ARRAY_CUBES
                                                  : SD_ARRAY_RAW;
}

/* ------------------------------------------------------------------ reading */

/* Raw numbers, as an .npy header would describe them. */
static int raw_header (const char *path, size_t len, const sd_array_want *want, sd_npy *h, sd_error *err) {
  const sd_array_shape *s = want->shape;
  /* Without a type: two bytes a slot if the size says so, else bytes. */
  const enum sd_array_type type = want->raw < SD_ARRAY_TYPES ? want->raw
                                  : s && len == 2 * s->n     ? SD_ARRAY_U16
                                                             : SD_ARRAY_U8;
  const unsigned bytes = sd_array_types[type].bytes;
  *h = (sd_npy){ .kind = sd_array_types[type].least ? 'i' : 'u', .bytes = bytes };
  /* The size is compared with it later. */
  if (s) {
    h->shape = *s;
    return SD_OK;
  }
  if (len == 0 || len % bytes || len / bytes > UINT32_MAX)
    return sd_fail (err, SD_EFORMAT, "%s: %zu bytes: expected 1 to %" PRIu32 " numbers of %u byte%s", path,
                    len, UINT32_MAX, bytes, bytes == 1 ? "" : "s");
  h->shape.dim[h->shape.ndims++] = (uint32_t) (len / bytes);
  return sd_array_shape_set (&h->shape, err);
}

/* Two files of one array, such as the values and what is free. */
static int check_shape (const char *path, const sd_array_shape *is, const sd_array_shape *want,
                        sd_error *err) {
  char a[192], b[192];
  if (!want || sd_array_same_dims (is, want))
    return SD_OK;
  sd_array_shape_text (is, a);
  sd_array_shape_text (want, b);
  return sd_fail (err, SD_EFORMAT, "%s: its shape is %s, expected %s", path, a, b);
}

/* is: bytes behind the header, if there is one. */
static int check_size (const char *path, size_t is, const sd_npy *h, bool npy, sd_error *err) {
  char shape[192];
  if (is == h->shape.n * h->bytes)
    return SD_OK;
  sd_array_shape_text (&h->shape, shape);
  /* An .npy file says its shape itself; of raw numbers the user may have said a wrong one. */
  return sd_fail (err, SD_EFORMAT, "%s: %zu bytes of numbers, %s of %u byte%s take %" PRIu64 "%s", path, is,
                  shape, h->bytes, h->bytes == 1 ? "" : "s", h->shape.n * h->bytes,
                  npy ? ": the file is cut off or damaged" : ": see --shape and --type");
}

/* Its own type, if it is one of those of arrays; SD_ARRAY_TYPES: it is none. */
static enum sd_array_type own_type (const sd_npy *h) {
  /* A Boolean counts as a byte without a sign. */
  unsigned t = 0;
  while (t < SD_ARRAY_TYPES
         && (sd_array_types[t].bytes != h->bytes || (sd_array_types[t].least < 0) != (h->kind == 'i')))
    t++;
  return (enum sd_array_type) t;
}

/* Walks over the slots in the order of the file. */
typedef struct walk {
  const sd_array_shape *s;
  uint32_t at[SD_MAX_DIMS];
  uint64_t stride[SD_MAX_DIMS], slot; /* where the first dimension runs fastest */
} walk;

static walk walk_of (const sd_array_shape *s) {
  walk w = { .s = s };
  uint64_t stride = 1;
  /* In an array of ours the last dimension runs fastest. */
  for (unsigned d = s->ndims; d-- > 0; stride *= s->dim[d])
    w.stride[d] = stride;
  return w;
}

/* As an odometer whose first wheel is the fast one. */
static void step (walk *w) {
  for (unsigned d = 0; d < w->s->ndims; d++) {
    w->slot += w->stride[d];
    if (++w->at[d] < w->s->dim[d])
      return;
    w->slot -= w->stride[d] * w->s->dim[d];
    w->at[d] = 0;
  }
}

static int does_not_fit (const sd_npy *h, const uint8_t *p, uint64_t slot, const char *into, sd_error *err) {
  char where[224];
  /* Taken from the bytes anew: numbers of 64 bits without a sign do not fit into the values themselves. */
  const bool sign = h->kind == 'i' && sd_npy_number (h, p) < 0;
  const uint64_t raw = sign ? -(uint64_t) sd_npy_number (h, p) : sd_npy_raw (h, p);
  sd_array_slot_text (&h->shape, slot, where);
  return sd_fail (err, SD_ERANGE, "%s: %s%" PRIu64 " does not fit into %s", where, sign ? "-" : "", raw,
                  into);
}

/* The values, and the first type from *type to `last` in which all of them fit. Ranges only grow, so that a
 * type that was passed over need not be tried again. */
static int take_values (const sd_npy *h, const uint8_t *numbers, unsigned *type, unsigned last,
                        int32_t *value, sd_error *err) {
  int64_t least = INT64_MAX, most = INT64_MIN;
  /* Where there is one type only, the message names it. */
  const char *into =
      *type == last
          ? sd_array_types[last].name
          : "the 16 bits of an array, together with those before it; subdef.compress_wide of Python "
            "splits wider numbers";
  walk w = walk_of (&h->shape);
  for (uint64_t i = 0; i < h->shape.n; i++, step (&w)) {
    const uint8_t *p = numbers + i * h->bytes;
    const uint64_t slot = h->fortran ? w.slot : i;
    const int64_t v = sd_npy_number (h, p);
    least = v < least ? v : least;
    most = v > most ? v : most;
    /* All values so far must fit, not only this one. */
    while (least < sd_array_types[*type].least || most > sd_array_types[*type].most)
      if ((*type)++ == last)
        return does_not_fit (h, p, slot, into, err);
    value[slot] = (int32_t) v;
  }
  return SD_OK;
}

static int read_numbers (const char *path, const sd_map *file, const sd_npy *h, enum sd_array_type type,
                         sd_array_plain *out, sd_error *err) {
  unsigned first = type < SD_ARRAY_TYPES ? type : own_type (h), last = first;
  /* A wider type of NumPy: the narrowest of ours that holds all values. */
  if (first == SD_ARRAY_TYPES) {
    first = 0;
    last = SD_ARRAY_TYPES - 1;
  }

  out->shape = h->shape;

  out->value = sd_alloc (h->shape.n, sizeof *out->value);
  if (!out->value)
    return sd_fail_memory (err, h->shape.n * sizeof *out->value);
  if (take_values (h, file->data + h->start, &first, last, out->value, err) == SD_OK) {
    out->shape.type = (enum sd_array_type) first;
    return SD_OK;
  }
  free (out->value);
  out->value = NULL;
  return sd_error_prefix (err, "%s", path), SD_ERANGE;
}

int sd_array_plain_of (const char *path, const sd_map *file, const sd_array_want *want, sd_array_plain *out,
                       sd_error *err) {
  sd_npy h = { 0 };
  const enum sd_array_form form = want->as_raw ? SD_ARRAY_RAW : sd_array_form_of (file->data, file->len);
  /* A file named .npy that is none is damaged; it is not taken for raw numbers. */
  const bool npy = !want->as_raw && (form == SD_ARRAY_NPY || ends (path, ".npy"));
  *out = (sd_array_plain){ 0 };
  if (form == SD_ARRAY_PLA)
    return sd_fail (err, SD_EFORMAT, "%s: is text of a PLA: expected numbers", path);
  SD_TRY (npy ? sd_npy_header (path, file->data, file->len, &h, err)
              : raw_header (path, file->len, want, &h, err));
  SD_TRY (check_shape (path, &h.shape, want->shape, err));
  SD_TRY (check_size (path, file->len - h.start, &h, npy, err));
  return read_numbers (path, file, &h, npy ? want->npy : own_type (&h), out, err);
}

int sd_array_plain_read (const char *path, const sd_array_want *want, sd_array_plain *out, sd_error *err) {
  SD_RELEASED_BY (sd_map_close) sd_map file = { 0 };
  *out = (sd_array_plain){ 0 };
  SD_TRY (sd_map_open (path, &file, err));
  return sd_array_plain_of (path, &file, want, out, err);
}

/* ------------------------------------------------------------------ writing */

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
    sd_npy_put_header (s, &b);
  int st = SD_OK;
  /* In pieces: the array may be larger than memory. */
  for (uint64_t i = 0; i < s->n && st == SD_OK; i += SD_ARRAY_PIECE) {
    const uint64_t count = s->n - i < SD_ARRAY_PIECE ? s->n - i : SD_ARRAY_PIECE;
    st = sd_array_read (a, i, count, value, err);
    for (uint64_t k = 0; k < count && st == SD_OK; k++) {
      sd_buf_u8 (&b, (unsigned) value[k] & 255);
      if (bytes == 2)
        sd_buf_u8 (&b, (unsigned) value[k] >> 8 & 255);
    }
    /* The buffer fails silently, and is asked once a piece. */
    if (st == SD_OK && b.failed)
      st = sd_fail_memory (err, 0);
    if (st == SD_OK)
      st = sd_outfile_write (f, b.data, b.len, err);
    /* The memory is kept for the next piece. */
    b.len = 0;
    sd_report (progress, "writing", i + count, s->n);
  }
  sd_buf_free (&b);
  if (st == SD_OK)
    return sd_outfile_commit (f, err);
  sd_outfile_abort (f);
  return st;
}
