/* Types of values, dimensions, and what a slot is called in messages. A shape comes from a command line, an
 * .npy file or the header of an .sda file; whichever it is, sd_array_shape_set () bounds it before anything
 * is allocated by it. */
#include "config.h"
#include "array/array_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A row's number stands in files. Narrow types come first: an array of NumPy with wider numbers gets the
 * first one that holds all its values. */
const sd_array_type_kind sd_array_types[SD_ARRAY_TYPES] = {
  [SD_ARRAY_U8] = { "u8", "|u1", 1, 0, UINT8_MAX },
  [SD_ARRAY_I8] = { "i8", "|i1", 1, INT8_MIN, INT8_MAX },
  [SD_ARRAY_U16] = { "u16", "<u2", 2, 0, UINT16_MAX },
  [SD_ARRAY_I16] = { "i16", "<i2", 2, INT16_MIN, INT16_MAX },
};

/* Neither the type nor how a text or a file wrote it: "64,64" is (64, 64). */
bool sd_array_same_dims (const sd_array_shape *a, const sd_array_shape *b) {
  return a->ndims == b->ndims && memcmp (a->dim, b->dim, a->ndims * sizeof a->dim[0]) == 0;
}

enum sd_array_type sd_array_type_find (const char *name) {
  unsigned t = 0;
  while (t < SD_ARRAY_TYPES && strcmp (sd_array_types[t].name, name) != 0)
    t++;
  return (enum sd_array_type) t;
}

/* No dimension at all makes one slot, as a scalar of NumPy is one. */
int sd_array_shape_set (sd_array_shape *s, sd_error *err) {
  if (s->ndims > SD_MAX_DIMS)
    return sd_fail (err, SD_EINVAL, "%u dimensions: an array has at most %d", s->ndims, SD_MAX_DIMS);

  s->n = 1;
  for (unsigned d = 0; d < s->ndims; d++) {
    if (s->dim[d] == 0)
      return sd_fail (err, SD_EINVAL, "dimension %u is 0: an array has at least one slot", d + 1);
    if (sd_mul (s->n, s->dim[d], &s->n) || s->n > SD_ARRAY_MAX_SLOTS)
      return sd_fail (err, SD_EINVAL, "more than %" PRIu64 " slots", SD_ARRAY_MAX_SLOTS);
  }
  return SD_OK;
}

int sd_array_shape_parse (const char *text, sd_array_shape *s, sd_error *err) {
  /* strtoull () would take blanks and signs, which are no dimensions: a digit must come first. */
  s->ndims = 0;
  for (const char *p = text;; p++) {
    char *end;
    const unsigned long long v = *p >= '0' && *p <= '9' ? strtoull (p, &end, 10) : 0;
    if (v == 0 || v > UINT32_MAX || (*end != 0 && *end != ',') || s->ndims == SD_MAX_DIMS)
      return sd_fail (err, SD_EINVAL,
                      "'%.60s': expected 1 to %d dimensions above 0 with commas between them, as 64,64,12",
                      text, SD_MAX_DIMS);
    s->dim[s->ndims++] = (uint32_t) v;
    p = end;
    if (!*p)
      return sd_array_shape_set (s, err);
  }
}

/* At most 16 dimensions of ten digits, so that 192 bytes hold them all. */
void sd_array_shape_text (const sd_array_shape *s, char out[192]) {
  size_t at = 0;
  strcpy (out, "()");
  for (unsigned d = 0; d < s->ndims; d++)
    at += (size_t) snprintf (out + at, 192 - at, d ? ",%" PRIu32 : "%" PRIu32, s->dim[d]);
}

/* "slot 77"; with two dimensions or more also what each index is, as it would be typed in Python. */
void sd_array_slot_text (const sd_array_shape *s, uint64_t i, char out[224]) {
  uint32_t at[SD_MAX_DIMS];
  uint64_t left = i;
  for (unsigned d = s->ndims; d-- > 0; left /= s->dim[d])
    at[d] = (uint32_t) (left % s->dim[d]);

  size_t n = (size_t) snprintf (out, 224, "slot %" PRIu64, i);
  for (unsigned d = 0; d < s->ndims && s->ndims > 1; d++)
    n += (size_t) snprintf (out + n, 224 - n, "%s%" PRIu32 "%s", d ? "," : " (", at[d],
                            d + 1 == s->ndims ? ")" : "");
}
