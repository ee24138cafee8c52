/* Boolean functions in the PLA format of Berkeley's espresso. A line has a character for each input, 0, 1 or
 * - (also written 2), and one for each output; spaces and | between them mean nothing, # starts a comment.
 * `.type` says what an output character says of the inputs that the line covers (the page espresso(5)):
 *
 *   f    1: the output is 1; all else: nothing. What no line covers is 0, and nothing is free.
 *   fd   (usual) 1: the output is 1; - or 2: it is free, whatever another line says. The rest is 0.
 *   fr   1: the output is 1; 0: it is 0. The rest is free, and no input may have both.
 *
 * Each output is an array of its own; the outputs are the first dimension, since the set of what a slot may
 * hold is then 0, 1, or both, whatever another output is. Cost: 2^inputs * outputs bytes, and 2^k steps for a
 * line with k dashes. */
#include "config.h"
#include "array/array_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 24, MOST_OUTPUTS = 256, MOST_SLOTS = 1 << 26 };
enum { ON = 1, FREE = 2, OFF = 4 };
enum type { FD, F, FR };

typedef struct reader {
  const char *name;
  unsigned line, inputs, outputs;
  enum type type;
  bool any, ended; /* a line of the function; .e */
  uint8_t *said;   /* [output << inputs | input] */
  uint64_t products, expected;
  bool counted; /* .p is there */
} reader;

static int bad (const reader *r, sd_error *err, const char *what) {
  return sd_fail (err, SD_EFORMAT, "%s: line %u: %s", r->name, r->line, what);
}

static bool blank (char c) {
  return c == ' ' || c == '\t' || c == '|' || c == '\r';
}

/* A number behind a word such as .i */
static bool take_number (const char *text, size_t len, unsigned most, uint64_t *out) {
  uint64_t v = 0;
  size_t i = 0, digits = 0;
  while (i < len && blank (text[i]))
    i++;
  for (; i < len && text[i] >= '0' && text[i] <= '9' && v <= most; i++, digits++)
    v = 10 * v + (uint64_t) (text[i] - '0');
  while (i < len && blank (text[i]))
    i++;
  *out = v;
  return digits && i == len && v <= most;
}

static bool is (const char *text, size_t len, const char *word) {
  return len == strlen (word) && memcmp (text, word, len) == 0;
}

static int directive (reader *r, const char *p, size_t len, sd_error *err) {
  size_t n = 0;
  while (n < len && !blank (p[n]))
    n++;
  const char *rest = p + n;
  size_t left = len - n;
  uint64_t v = 0;
  if (is (p, n, ".e") || is (p, n, ".end")) {
    r->ended = true;
    return SD_OK;
  }
  if (is (p, n, ".ilb") || is (p, n, ".ob"))
    return SD_OK; /* names of inputs and outputs */
  if (is (p, n, ".p")) {
    r->counted = true;
    return take_number (rest, left, UINT32_MAX, &r->expected) ? SD_OK : bad (r, err, ".p: expected a number");
  }
  if (r->any)
    return bad (r, err,
                "a directive behind the first line of the function: only .p, .e and names may stand there");
  if (is (p, n, ".i") && !r->inputs && take_number (rest, left, MOST_INPUTS, &v) && v) {
    r->inputs = (unsigned) v;
    return SD_OK;
  }
  if (is (p, n, ".o") && !r->outputs && take_number (rest, left, MOST_OUTPUTS, &v) && v) {
    r->outputs = (unsigned) v;
    return SD_OK;
  }
  if (is (p, n, ".i") || is (p, n, ".o"))
    return bad (r, err, "expected .i and .o once each, with 1 to 24 inputs and 1 to 256 outputs");
  if (is (p, n, ".type")) {
    while (left && blank (*rest))
      rest++, left--;
    while (left && blank (rest[left - 1]))
      left--;
    if (!is (rest, left, "f") && !is (rest, left, "fd") && !is (rest, left, "fr"))
      return bad (r, err, ".type: expected f, fd or fr");
    r->type = left == 1 ? F : rest[1] == 'd' ? FD : FR;
    return SD_OK;
  }
  return sd_fail (err, SD_EFORMAT,
                  "%s: line %u: '%.*s' is not read: only .i, .o, .p, .type, .ilb, .ob and .e are", r->name,
                  r->line, (int) (n < 40 ? n : 40), p);
}

static int begin (reader *r, sd_error *err) {
  if (!r->inputs || !r->outputs)
    return bad (r, err,
                "the function begins before .i and .o have said how many inputs and outputs there are");
  if (((uint64_t) r->outputs << r->inputs) > MOST_SLOTS)
    return bad (r, err, "more than 2^26 values: outputs times 2^inputs");
  r->said = sd_alloc0 ((uint64_t) r->outputs << r->inputs, 1);
  r->any = true;
  return r->said ? SD_OK : sd_fail_memory (err, (size_t) r->outputs << r->inputs);
}

/* What a character of an output says; -1: it is none. */
static int meaning (enum type type, char c) {
  switch (c) {
  case '1':
    return ON;
  case '0':
    return type == FR ? OFF : 0;
  case '-':
  case '2':
    return type == FD ? FREE : 0;
  case '~':
    return 0;
  default:
    return -1;
  }
}

static int product (reader *r, const char *p, size_t len, sd_error *err) {
  uint32_t ones = 0, open = 0;
  unsigned at = 0;
  uint8_t says[MOST_OUTPUTS];
  if (!r->any)
    SD_TRY (begin (r, err));
  for (size_t i = 0; i < len; i++) {
    if (blank (p[i]))
      continue;
    if (at < r->inputs) {
      const uint32_t bit = (uint32_t) 1 << (r->inputs - 1 - at);
      if (!strchr ("01-2", p[i]))
        return bad (r, err, "an input is 0, 1 or -");
      ones |= p[i] == '1' ? bit : 0;
      open |= p[i] == '-' || p[i] == '2' ? bit : 0;
    } else if (at < r->inputs + r->outputs) {
      const int m = meaning (r->type, p[i]);
      if (m < 0)
        return bad (r, err, "an output is 0, 1, - or ~");
      says[at - r->inputs] = (uint8_t) m;
    }
    at++;
  }
  if (at != r->inputs + r->outputs)
    return sd_fail (err, SD_EFORMAT, "%s: line %u: %u inputs and outputs, expected %u and %u", r->name,
                    r->line, at, r->inputs, r->outputs);
  for (unsigned o = 0; o < r->outputs; o++) {
    if (!says[o])
      continue;
    uint8_t *to = r->said + ((size_t) o << r->inputs);
    for (uint32_t x = open;; x = (x - 1) & open) { /* all subsets of the dashes */
      to[ones | x] |= says[o];
      if (!x)
        break;
    }
  }
  r->products++;
  return SD_OK;
}

static int read_text (reader *r, const char *text, size_t len, sd_error *err) {
  for (size_t at = 0; at < len && !r->ended;) {
    const char *p = text + at, *end = memchr (p, '\n', len - at);
    size_t n = end ? (size_t) (end - p) : len - at;
    at += n + 1;
    r->line++;
    const char *comment = memchr (p, '#', n);
    n = comment ? (size_t) (comment - p) : n;
    while (n && blank (*p))
      p++, n--;
    while (n && blank (p[n - 1]))
      n--;
    if (memchr (p, 0, n))
      return bad (r, err, "no text");
    if (n)
      SD_TRY (*p == '.' ? directive (r, p, n, err) : product (r, p, n, err));
  }
  if (!r->any)
    SD_TRY (begin (r, err)); /* a function without lines is a constant */
  if (r->counted && r->products != r->expected)
    return sd_fail (err, SD_EFORMAT, "%s: %" PRIu64 " lines of the function, .p says %" PRIu64, r->name,
                    r->products, r->expected);
  return SD_OK;
}

static int subdefine (reader *r, sd_array_shape *s, sd_subdefined **out, sd_error *err) {
  *s = (sd_array_shape){ .type = SD_ARRAY_U8, .ndims = 1, .dim = { r->outputs } };
  if (r->inputs < SD_MAX_DIMS)
    for (unsigned i = 0; i < r->inputs; i++)
      s->dim[s->ndims++] = 2;
  else
    s->dim[s->ndims++] = (uint32_t) 1 << r->inputs;
  SD_TRY (sd_array_shape_set (s, err));
  SD_OWNED int32_t *value = sd_alloc (s->n, sizeof *value);
  if (!value)
    return sd_fail_memory (err, s->n * sizeof *value);
  for (uint64_t i = 0; i < s->n; i++) {
    const uint8_t is_said = r->said[i];
    if ((is_said & ON) && (is_said & OFF))
      return sd_fail (err, SD_EFORMAT, "%s: output %" PRIu64 " of input %" PRIu64 " is both 0 and 1", r->name,
                      (i >> r->inputs) + 1, i & (((uint64_t) 1 << r->inputs) - 1));
    value[i] = (is_said & ON) && !(is_said & FREE);
    r->said[i] = r->type == FR ? !is_said : (is_said & FREE) != 0;
  }
  const sd_array_freedom f = { .mask = r->said };
  return sd_array_subdefine (s, value, &f, out, err);
}

int sd_array_pla (const char *text, size_t len, const char *name, sd_array_shape *s, sd_subdefined **out,
                  sd_error *err) {
  reader r = { .name = name };
  int st = read_text (&r, text, len, err);
  if (st == SD_OK)
    st = subdefine (&r, s, out, err);
  free (r.said);
  return st;
}
