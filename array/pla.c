/* Boolean functions as arrays. Each output is an array of its own; the outputs are the first dimension, since
 * the set of what a slot may hold is then 0, 1, or both, whatever another output is.
 *
 * An output is filled by halving the inputs: the terms that cover a part altogether have said what they say
 * of it, those that say no more than has been said are dropped, and the others go on into the half or halves
 * that they touch. A part without terms is filled at once. A term with k dashes costs 2^k steps at most, and
 * fewer where its dashes are its last inputs or where another term covers the same; memory is 2 bytes a slot.
 */
#include "config.h"
#include "array/array_internal.h"
#include "array/pla.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_0, VALUE_1, FREE, CODES }; /* as symbols where all three occur */

typedef struct filler {
  const sd_pla *p;
  const char *name;
  unsigned output;
  sd_symbol *to;  /* of this output */
  uint32_t *list; /* numbers of terms: a stretch for each level of halving, one behind the other */
  uint64_t count[CODES];
  sd_error *err;
} filler;

/* What a term tells of this output, as bits. */
static uint8_t says (const filler *f, uint32_t term) {
  return f->p->says[(uint64_t) term * f->p->outputs + f->output];
}

/* The line of the first term that says `what` of an input. */
static unsigned line_of (const filler *f, uint32_t in, uint8_t what) {
  uint32_t t = 0;
  /* Only for messages: from the first term on. */
  while (!(says (f, t) & what) || (in & f->p->term[t].care) != f->p->term[t].ones)
    t++;
  return f->p->term[t].line;
}

/* The input as the file would write it, and the lines of both terms. "adder.pla: output 1 of input 0110 is
 * both 1 (line 4) and 0 (line 9)" */
static int conflict (const filler *f, uint32_t in) {
  char bits[SD_PLA_MOST_INPUTS + 1];
  for (unsigned i = 0; i < f->p->inputs; i++)
    bits[i] = (char) ('0' + (in >> (f->p->inputs - 1 - i) & 1));
  bits[f->p->inputs] = 0;
  return sd_fail (f->err, SD_EFORMAT, "%s: output %u of input %s is both 1 (line %u) and 0 (line %u)",
                  f->name, f->output + 1, bits, line_of (f, in, SD_PLA_ON), line_of (f, in, SD_PLA_OFF));
}

/* What no term says anything of is free where the type tells both values, else the value that it does not
 * tell. */
static unsigned code_of (const filler *f, unsigned said) {
  const unsigned type = f->p->type, values = type & (SD_PLA_ON | SD_PLA_OFF);
  if ((said & SD_PLA_FREE) || (!said && values == (SD_PLA_ON | SD_PLA_OFF)))
    return FREE;
  /* With only one value told, what nothing is said of is the other one. */
  const bool one = said ? (said & SD_PLA_ON) != 0 : values == SD_PLA_OFF;
  /* A negative phase turns the output around, not what is free. */
  return one != (f->p->negative && f->p->negative[f->output]) ? VALUE_1 : VALUE_0;
}

static int fill_all (filler *f, uint32_t first, uint64_t n, unsigned said) {
  /* Wherever a conflict is, halving ends in a part that both terms cover altogether. */
  if ((said & SD_PLA_ON) && (said & SD_PLA_OFF))
    return conflict (f, first);
  const unsigned code = code_of (f, said);
  for (uint64_t i = 0; i < n; i++)
    f->to[first + i] = (sd_symbol) code;

  f->count[code] += n;
  return SD_OK;
}

/* Fill the 2^bits slots from `first` on: `said` is said of all of them, and list[0..n-1] are terms that touch
 * them. What stands behind list[n-1] may be written to. */
static int fill (filler *f, uint32_t first, unsigned bits, unsigned said, uint32_t *list, uint64_t n) {
  const uint32_t inside = (uint32_t) (((uint64_t) 1 << bits) - 1),
                 bit = bits ? (uint32_t) 1 << (bits - 1) : 0;
  /* A term that cares for none of the inputs left covers the whole part. */
  for (uint64_t i = 0; i < n; i++)
    if (!(f->p->term[list[i]].care & inside))
      said |= says (f, list[i]);
  /* Those that have been taken are among those that say nothing new. */
  uint64_t left = 0;
  for (uint64_t i = 0; i < n; i++)
    if (says (f, list[i]) & ~said)
      list[left++] = list[i];
  if (!left)
    return fill_all (f, first, (uint64_t) 1 << bits, said);
  /* The halves take turns with the memory behind the list. */
  for (unsigned half = 0; half < 2; half++) {
    uint64_t m = 0;
    for (uint64_t i = 0; i < left; i++) {
      const sd_pla_term *t = &f->p->term[list[i]];
      if (!(t->care & bit) || !(t->ones & bit) == !half)
        list[left + m++] = list[i];
    }
    SD_TRY (fill (f, half ? first | bit : first, bits - 1, said, list + left, m));
  }
  return SD_OK;
}

/* The list of this output: terms that say nothing of it are left out from the beginning. */
static int fill_output (filler *f) {
  uint64_t n = 0;
  for (uint64_t t = 0; t < f->p->nterms; t++)
    if (says (f, (uint32_t) t))
      f->list[n++] = (uint32_t) t;
  return fill (f, 0, f->p->inputs, 0, f->list, n);
}

/* A dimension for each input; one for all where there are too many of them, and two for 32. */
static int shape_of (const sd_pla *p, sd_array_shape *s, sd_error *err) {
  *s = (sd_array_shape){ .type = SD_ARRAY_U8, .ndims = 1, .dim = { p->outputs } };
  /* A dimension's length has 32 bits: 32 inputs do not go into one. */
  const unsigned parts = p->inputs < SD_MAX_DIMS ? p->inputs : p->inputs < 32 ? 1 : 2;
  for (unsigned i = 0; i < parts; i++)
    s->dim[s->ndims++] = (uint32_t) 1 << p->inputs / parts;
  return sd_array_shape_set (s, err);
}

/* Where one value alone is in slots that are not free, or none, there is one symbol, and each slot holds it.
 */
static int one_value (const sd_array_shape *s, const filler *f, sd_subdefined **d, sd_error *err) {
  const sd_value value = f->count[VALUE_1] > 0;
  sd_subdefined_free (*d);
  *d = NULL;
  SD_TRY (sd_array_frame (s, &value, 1, d, err));
  memset ((*d)->seq.sym, 0, s->n * sizeof *(*d)->seq.sym);
  return SD_OK;
}

/* Both values are symbols until it is known which of them occur. */
static int subdefine (const sd_pla *p, const char *name, const sd_array_shape *s, sd_subdefined **d,
                      sd_error *err) {
  static const sd_value both[] = { 0, 1 };
  /* A stretch for each level, none longer than all terms. */
  SD_OWNED uint32_t *list = sd_alloc ((p->nterms + 1) * (p->inputs + 1), sizeof *list);
  sd_symbol any;
  if (!list)
    return sd_fail_memory (err, 0);
  SD_TRY (sd_array_frame (s, both, 2, d, err));

  filler f = { .p = p, .name = name, .list = list, .err = err };
  /* Each by itself, from all terms that say something of it. */
  for (f.output = 0; f.output < p->outputs; f.output++) {
    f.to = (*d)->seq.sym + ((uint64_t) f.output << p->inputs);
    SD_TRY (fill_output (&f));
  }
  if (!f.count[VALUE_0] || !f.count[VALUE_1])
    return one_value (s, &f, d, err);
  /* The set exists only if a slot has it. */
  return !f.count[FREE] || sd_alphabet_add_range ((*d)->alphabet, 0, 1, &any) == SD_OK
             ? SD_OK
             : sd_fail_memory (err, 0);
}

int sd_array_pla (const char *text, size_t len, const char *name, sd_array_shape *s, sd_subdefined **out,
                  sd_error *err) {
  SD_RELEASED_BY (sd_pla_free) sd_pla p = { 0 };
  *out = NULL;
  SD_TRY (sd_pla_read (text, len, name, &p, err));
  SD_TRY (shape_of (&p, s, err));
  const int st = subdefine (&p, name, s, out, err);
  if (st != SD_OK) {
    sd_subdefined_free (*out);
    *out = NULL;
  }
  return st;
}
