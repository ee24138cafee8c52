/* Test cubes of circuits: lines of 0, 1 and X (also x and -), a cube a line, a bit a place. An X may become
 * either. Lines that are empty or begin with # are passed over. The cubes are the first dimension, the bits
 * of a cube the last. */
#include "config.h"
#include "array/array.h"
#include "base/text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The next line that has a cube, without blanks around it; false: there is none. */
typedef struct cursor {
  const char *at, *end;
  const char *cube;
  size_t width;
  unsigned line; /* from 1 on */
} cursor;

static bool is_blank (char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static bool next_cube (cursor *c) {
  while (c->at < c->end) {
    const char *from = c->at, *stop = memchr (from, '\n', (size_t) (c->end - from));
    stop = stop ? stop : c->end;
    c->at = stop < c->end ? stop + 1 : stop;
    c->line++;
    while (from < stop && is_blank (*from))
      from++;
    while (stop > from && is_blank (stop[-1]))
      stop--;
    if (from < stop && *from != '#') {
      c->cube = from;
      c->width = (size_t) (stop - from);
      return true;
    }
  }
  return false;
}

static cursor begin (const char *text, size_t len) {
  return (cursor){ .at = text + sd_text_mark (text, len), .end = text + len };
}

/* 0, 1; 2: either; -1: no such letter. */
static int bit_of (char c) {
  return c == '0' ? 0 : c == '1' ? 1 : c == 'X' || c == 'x' || c == '-' ? 2 : -1;
}

/* Not whole, since a file may be long: what is wrong further on is told where it is read. A file of 0 and 1
 * alone may be anything. */
bool sd_cubes_is (const char *text, size_t len) {
  enum { NEAR = 1 << 16 };
  cursor c = begin (text, len);
  size_t width = 0;
  bool some_free = false;
  while (next_cube (&c) && c.cube - text < NEAR) {
    if (width && c.width != width)
      return false;
    width = c.width;
    for (size_t i = 0; i < width && i < NEAR; i++) {
      const int bit = bit_of (c.cube[i]);
      if (bit < 0)
        return false;
      some_free |= bit == 2;
    }
  }
  return some_free;
}

/* The shape, or what is wrong with the lines. */
static int measure (const char *text, size_t len, const char *name, sd_array_shape *s, sd_error *err) {
  cursor c = begin (text, len);
  size_t width = 0;
  uint64_t cubes = 0;
  for (; next_cube (&c); cubes++) {
    if (width && c.width != width)
      return sd_fail (err, SD_EFORMAT, "%s:%u: a cube of %zu bits, where those before it have %zu", name,
                      c.line, c.width, width);
    width = c.width;
    for (size_t i = 0; i < width; i++)
      if (bit_of (c.cube[i]) < 0)
        return sd_fail (err, SD_EFORMAT, "%s:%u: '%c' in a cube: expected 0, 1, X, x or -", name, c.line,
                        c.cube[i] > ' ' && c.cube[i] < 127 ? c.cube[i] : '?');
  }
  if (cubes == 0)
    return sd_fail (err, SD_EFORMAT, "%s: no line has a cube", name);
  if (width > UINT32_MAX || cubes > UINT32_MAX)
    return sd_fail (err, SD_EFORMAT, "%s: %" PRIu64 " cubes of %zu bits are too many", name, cubes, width);
  *s = (sd_array_shape){ .type = SD_ARRAY_U8, .ndims = 2, .dim = { (uint32_t) cubes, (uint32_t) width } };
  return sd_array_shape_set (s, err) == SD_OK ? SD_OK : sd_error_prefix (err, "%s", name);
}

int sd_array_cubes (const char *text, size_t len, const char *name, sd_array_shape *s, sd_subdefined **out,
                    sd_error *err) {
  SD_TRY (measure (text, len, name, s, err));
  SD_OWNED int32_t *value = sd_alloc (s->n, sizeof *value);
  SD_OWNED uint8_t *mask = sd_alloc (s->n, 1);
  if (!value || !mask)
    return sd_fail_memory (err, s->n * (sizeof *value + 1));
  uint64_t i = 0;
  for (cursor c = begin (text, len); next_cube (&c);)
    for (size_t k = 0; k < c.width; k++, i++) {
      const int bit = bit_of (c.cube[k]);
      value[i] = bit & 1;
      mask[i] = bit == 2;
    }
  const sd_array_freedom is = { .mask = mask };
  return sd_array_subdefine (s, value, &is, out, err) == SD_OK ? SD_OK : sd_error_prefix (err, "%s", name);
}
