/* Texts of Berkeley's PLA format (the page espresso(5)). Words with a dot say how many inputs and outputs
 * there are and what they mean; then each term has a character for every input and every output. Blanks and |
 * between them mean nothing, # starts a comment, and a term may go on in the next line, but ends where a line
 * ends. Lines before .i and .o that are neither are a title.
 *
 * `.type` says which characters of an output mean something: f: 1, the output is 1; d: - or 2, it is free; r:
 * 0, it is 0. 4 is another 1, and ~ never means anything. 3 is another ~ on the page, and another 0 in the
 * program espresso, so that it is refused where 0 means something. */
#include "config.h"
#include "array/pla.h"
#include "base/text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  const char *name;
  unsigned line;
  sd_pla *out;
  unsigned at;       /* characters of the term so far; 0: none is open */
  bool covers;       /* the term covers some inputs: it has no ? */
  unsigned names;    /* of inputs or outputs that are still to come */
  uint64_t terms;    /* also those that cover nothing */
  uint64_t expected; /* .p */
  bool counted, ended;
  sd_error *err;
} reader;

static int bad (const reader *r, const char *what) {
  return sd_fail (r->err, SD_EFORMAT, "%s: line %u: %s", r->name, r->line, what);
}

static bool blank (char c) {
  return c == ' ' || c == '\t' || c == '|' || c == '\r' || c == '\f' || c == '\v';
}

/* A part of a line, without the blanks around it. */
typedef struct word {
  const char *p;
  size_t n;
} word;

static word trimmed (const char *p, size_t n) {
  while (n && blank (*p))
    p++, n--;
  while (n && blank (p[n - 1]))
    n--;
  return (word){ p, n };
}

/* The first word of w, which keeps the rest. */
static word take_word (word *w) {
  size_t n = 0;
  while (n < w->n && !blank (w->p[n]))
    n++;
  const word first = { w->p, n };
  *w = trimmed (w->p + n, w->n - n);
  return first;
}

static bool is (word w, const char *text) {
  return w.n == strlen (text) && memcmp (w.p, text, w.n) == 0;
}

static bool is_number (word w, uint64_t most, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < w.n; i++) {
    /* Looked at before the next digit: most is far enough below 2^64. */
    if (w.p[i] < '0' || w.p[i] > '9' || *out > most)
      return false;
    *out = 10 * *out + (uint64_t) (w.p[i] - '0');
  }
  return w.n && *out <= most;
}

/* The next line behind text[*at], without its comment. */
static word next_line (const char *text, size_t len, size_t *at) {
  const char *p = text + *at, *end = memchr (p, '\n', len - *at);
  const size_t n = end ? (size_t) (end - p) : len - *at;
  /* A comment ends with its line. */
  const char *comment = memchr (p, '#', n);
  *at += n + 1;
  return trimmed (p, comment ? (size_t) (comment - p) : n);
}

/* ------------------------------------------------------------------ directives */

/* How many inputs or outputs: a slot for each output and each of the 2^inputs values of the inputs. */
static int size (reader *r, word rest, const char *of_what, unsigned most, unsigned *out) {
  uint64_t v;
  const sd_pla *p = r->out;

  if (*out)
    return sd_fail (r->err, SD_EFORMAT, "%s: line %u: the number of %s stands here a second time", r->name,
                    r->line, of_what);
  if (!is_number (rest, UINT32_MAX, &v) || !v)
    return sd_fail (r->err, SD_EFORMAT, "%s: line %u: expected the number of %s, from 1 on", r->name, r->line,
                    of_what);
  if (v > most)
    return sd_fail (r->err, SD_EFORMAT,
                    "%s: line %u: %" PRIu64 " %s: at most %u are read, since an array has at most 2^32 slots",
                    r->name, r->line, v, of_what, most);

  *out = (unsigned) v;
  /* Whichever of the two comes last. */
  if (p->inputs && (uint64_t) p->outputs << p->inputs > SD_PLA_MOST_SLOTS)
    return sd_fail (
        r->err, SD_EFORMAT,
        "%s: line %u: %u outputs of %u inputs take more than 2^32 slots, which is the most of an array: "
        "put the outputs into several files",
        r->name, r->line, p->outputs, p->inputs);
  return SD_OK;
}

static int inputs (reader *r, word rest) {
  return size (r, rest, "inputs", SD_PLA_MOST_INPUTS, &r->out->inputs);
}

static int outputs (reader *r, word rest) {
  return size (r, rest, "outputs", SD_PLA_MOST_OUTPUTS, &r->out->outputs);
}

static int terms (reader *r, word rest) {
  r->counted = true;
  return is_number (rest, UINT32_MAX, &r->expected) ? SD_OK : bad (r, ".p: expected a number");
}

/* Which of the three an output may say; whatever the type does not name means nothing in a term. */
static int type (reader *r, word rest) {
  static const struct {
    const char *name;
    unsigned type;
  } known[] = { { "f", SD_PLA_ON },
                { "r", SD_PLA_OFF },
                { "fd", SD_PLA_ON | SD_PLA_FREE },
                { "fr", SD_PLA_ON | SD_PLA_OFF },
                { "dr", SD_PLA_FREE | SD_PLA_OFF },
                { "fdr", SD_PLA_ON | SD_PLA_FREE | SD_PLA_OFF } };
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (is (rest, known[i].name)) {
      r->out->type = known[i].type;
      return SD_OK;
    }
  return bad (r, ".type: expected f, r, fd, fr, dr or fdr");
}

/* A digit for each output, 0: negative. */
static int phase (reader *r, word rest) {
  sd_pla *p = r->out;
  unsigned n = 0;
  if (!p->outputs || p->negative)
    return bad (r, ".phase: expected once, behind .o");
  if (!(p->negative = sd_alloc0 (p->outputs, 1)))
    return sd_fail_memory (r->err, p->outputs);
  for (size_t i = 0; i < rest.n; i++) {
    /* As terms, digits may have blanks between them. */
    if (blank (rest.p[i]))
      continue;
    if (n == p->outputs || (rest.p[i] != '0' && rest.p[i] != '1'))
      return bad (r, ".phase: expected a 0 or 1 for each output");
    p->negative[n++] = rest.p[i] == '0';
  }
  return n == p->outputs ? SD_OK : bad (r, ".phase: expected a 0 or 1 for each output");
}

/* Names tell nothing of the function. They may go on in further lines until there are `expected`. */
static int names (reader *r, word rest, unsigned expected) {
  r->names = expected;
  while (rest.n && r->names) {
    take_word (&rest);
    r->names--;
  }
  return SD_OK;
}

static int names_of_inputs (reader *r, word rest) {
  return names (r, rest, r->out->inputs);
}

static int names_of_outputs (reader *r, word rest) {
  return names (r, rest, r->out->outputs);
}

/* Both values of an input, or the outputs, which count as the variable behind the inputs. */
static int label (reader *r, word rest) {
  word var = take_word (&rest);
  uint64_t v;
  if (var.n < 4 || memcmp (var.p, "var=", 4) != 0
      || !is_number ((word){ var.p + 4, var.n - 4 }, r->out->inputs, &v))
    return bad (r, ".label: expected var= and the number of a variable, from 0 on");
  return names (r, rest, v < r->out->inputs ? 2 : r->out->outputs);
}

static int end (reader *r, word rest) {
  (void) rest;
  r->ended = true;
  return SD_OK;
}

/* A word with a dot, and what stands behind it in its line. */
static int directive (reader *r, word w) {
  static const struct {
    const char *name;
    int (*read) (reader *r, word rest);
    bool before; /* the first term */
  } known[] = { { ".i", inputs, true },
                { ".o", outputs, true },
                { ".type", type, true },
                { ".p", terms, false },
                { ".phase", phase, false },
                { ".ilb", names_of_inputs, false },
                { ".ob", names_of_outputs, false },
                { ".label", label, false },
                { ".e", end, false },
                { ".end", end, false } };
  /* What is not known is refused: it might change what the terms mean. */
  const word name = take_word (&w);
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (is (name, known[i].name))
      return known[i].before && r->terms
                 ? bad (r, "a directive behind the first term: .i, .o and .type stand before it")
                 : known[i].read (r, w);
  return sd_fail (
      r->err, SD_EFORMAT,
      "%s: line %u: '%.*s' is not read: only .i, .o, .p, .type, .phase, .ilb, .ob, .label and .e are",
      r->name, r->line, (int) (name.n < 40 ? name.n : 40), name.p);
}

/* ----------------------------------------------------------------------- terms */

/* Room for one more term, which stands there from its first character on, and counts from its last. */
static int begin (reader *r) {
  sd_pla *p = r->out;
  if (!p->inputs || !p->outputs)
    return bad (r, "a term stands before .i and .o have said how many inputs and outputs there are");
  if (p->nterms == UINT32_MAX)
    return bad (r, "more than 2^32 terms");
  if (!sd_grow (&p->term, &p->term_cap, p->nterms + 1)
      || !sd_grow (&p->says, &p->says_cap, (p->nterms + 1) * p->outputs))
    return sd_fail_memory (r->err, p->outputs);

  p->term[p->nterms] = (sd_pla_term){ .line = r->line };
  /* Until an input says otherwise. */
  r->covers = true;
  r->terms++;
  return SD_OK;
}

/* Bits of the inputs from the highest on, so that a term reads as a binary number. */
static int input (reader *r, char c) {
  sd_pla_term *t = &r->out->term[r->out->nterms];
  const uint32_t bit = (uint32_t) 1 << (r->out->inputs - 1 - r->at);

  switch (c) {
  case '1':
    t->ones |= bit; /* fall through */
  case '0':
    t->care |= bit; /* fall through */
  case '-':
  case '2':
    return SD_OK;
  case '?': /* neither 0 nor 1 */
    r->covers = false;
    return SD_OK;
  default:
    return bad (r, "an input is 0, 1 or -");
  }
}

static int output (reader *r, char c) {
  sd_pla *p = r->out;
  unsigned says = 0;

  switch (c) {
  case '1':
  case '4':
    says = SD_PLA_ON;
    break;
  case '0':
    says = SD_PLA_OFF;
    break;
  case '-':
  case '2':
    says = SD_PLA_FREE;
    break;
  case '3':
    if (p->type & SD_PLA_OFF)
      return bad (r, "an output of 3 is ~ on espresso's page and 0 in its program: write what it is");
    break;
  case '~':
    break;
  default:
    return bad (r, "an output is 0, 1, - or ~");
  }
  p->says[p->nterms * p->outputs + r->at - p->inputs] = (uint8_t) (says & p->type);
  return SD_OK;
}

/* The characters of a line: a term, its beginning, or more of the one that is open. */
static int characters (reader *r, word w) {
  sd_pla *p = r->out;
  for (size_t i = 0; i < w.n; i++) {
    if (blank (w.p[i]))
      continue;
    /* A term ends where a line ends, and so a second one cannot begin in the middle of it. */
    if (r->at == 0 && i > 0)
      return sd_fail (r->err, SD_EFORMAT,
                      "%s: line %u: more characters than a term has, %u for inputs and %u for outputs",
                      r->name, r->line, p->inputs, p->outputs);
    if (r->at == 0)
      SD_TRY (begin (r));
    SD_TRY (r->at < p->inputs ? input (r, w.p[i]) : output (r, w.p[i]));
    if (++r->at == p->inputs + p->outputs) {
      r->at = 0;
      /* One that covers nothing is overwritten by the next. */
      p->nterms += r->covers;
    }
  }
  return SD_OK;
}

/* ------------------------------------------------------------------------ text */

/* Whether nothing stands in the line that could not stand in a term. */
static bool like_a_term (word w) {
  size_t k = 0;
  while (k < w.n && (blank (w.p[k]) || strchr ("01-234~?", w.p[k])))
    k++;
  return k == w.n;
}

/* A further line of names. One that could be terms as well is none: names were forgotten then. */
static int more_names (reader *r, word w) {
  if (like_a_term (w))
    return bad (r, "names or a term? .ilb, .ob and .label need a name for each input or output");
  return names (r, w, r->names);
}

static int unfinished (const reader *r) {
  const sd_pla *p = r->out;
  return sd_fail (r->err, SD_EFORMAT, "%s: line %u: %u inputs and outputs, expected %u and %u", r->name,
                  p->term[p->nterms].line, r->at, p->inputs, p->outputs);
}

/* Before both .i and .o espresso passes over lines without a dot, so that files begin with a title. It passes
 * over terms there, too, which would be lost without a word. */
static bool is_title (const reader *r, word w) {
  return (!r->out->inputs || !r->out->outputs) && !like_a_term (w);
}

/* Comments and blanks are gone: what is left is a title, a directive, names, or characters of terms. */
static int read_line (reader *r, word w) {
  if (!w.n)
    return SD_OK;
  if (*w.p == '.') {
    /* Fewer names than there are inputs: nobody needs them. */
    r->names = 0;
    return r->at ? unfinished (r) : directive (r, w);
  }
  if (r->names)
    return more_names (r, w);
  return is_title (r, w) ? SD_OK : characters (r, w);
}

int sd_pla_read (const char *text, size_t len, const char *name, sd_pla *out, sd_error *err) {
  *out = (sd_pla){ .type = SD_PLA_ON | SD_PLA_FREE };
  reader r = { .name = name, .out = out, .err = err };
  SD_TRY (sd_text_check (text, len, name, err));
  /* What stands behind .e is not looked at. */
  for (size_t at = sd_text_mark (text, len); at < len && !r.ended;) {

    r.line++;
    SD_TRY (read_line (&r, next_line (text, len, &at)));
  }

  if (r.at)
    return unfinished (&r);
  if (!out->inputs || !out->outputs)
    return sd_fail (err, SD_EFORMAT,
                    "%s: the text ends before .i and .o have said how many inputs and outputs there are",
                    name);
  if (r.counted && r.terms != r.expected)
    return sd_fail (err, SD_EFORMAT, "%s: %" PRIu64 " terms, .p says %" PRIu64, name, r.terms, r.expected);
  return SD_OK;
}

void sd_pla_free (sd_pla *p) {
  free (p->term);
  free (p->says);
  free (p->negative);
}

static bool is_text (word w) {
  for (size_t i = 0; i < w.n; i++)
    if (((unsigned char) w.p[i] < ' ' && !blank (w.p[i])) || w.p[i] == 127)
      return false;
  return true;
}

/* Only the first 64 KiB are looked at; a file of numbers is found out within its first bytes. */
bool sd_pla_is (const char *text, size_t len) {
  enum { NEAR = 1 << 16 };
  const size_t end = len < NEAR ? len : NEAR;
  for (size_t at = sd_text_mark (text, len); at < end;) {
    word w = next_line (text, end, &at);
    uint64_t v;
    /* Raw numbers may have bytes that look like a directive, but hardly without some that no text has. */
    if (!is_text (w))
      return false;
    const word name = take_word (&w);
    if (is (name, ".mv") || (is (name, ".i") && is_number (w, UINT64_MAX / 20, &v)))
      return true;
  }
  return false;
}
