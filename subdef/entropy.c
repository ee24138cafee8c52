/** \file entropy.c
 * The entropy of subdefinite data for words of a fixed length: docs/limits.md. The words of the sequence are
 * counted by a hash; each becomes the list of the words of main symbols that it admits; the iteration goes
 * over these lists. Cost: a pass over the sequence, then the length of all lists a round. */
#include "config.h"
#include "subdef/subdef_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 1 << 20, MAX_ELEMENTS = 1 << 27 };

/* A word of symbols and how often it stands in the sequence; 0 times: an empty place of the hash. */
typedef struct {
  sd_symbol sym[SD_MAX_WORD];
  uint64_t times;
} counted;

typedef struct {
  const sd_seq *seq;
  unsigned length, m;
  counted *place;
  size_t places, used; /* places: a power of two */
  uint32_t words;      /* m^length */
  uint64_t total;      /* words of the sequence that are not free everywhere */
  size_t *first;       /* [used + 1]: where the list of a set begins */
  uint32_t *element;
  double *times;  /* [used] */
  double *q, *up; /* [words]: the distribution, and what each element is multiplied by */
} work;

static void release (work *w) {
  free (w->place);
  free (w->first);
  free (w->element);
  free (w->times);
  free (w->q);
  free (w->up);
}

/* ------------------------------------------------------------------ counting */

static counted *find (counted *place, size_t places, const sd_symbol *sym, unsigned length) {
  uint64_t h = 0;
  for (unsigned i = 0; i < length; i++)
    h = (h ^ sym[i]) * 0x9E3779B97F4A7C15u;
  for (size_t i = (h ^ h >> 29) & (places - 1);; i = (i + 1) & (places - 1))
    if (!place[i].times || memcmp (place[i].sym, sym, length * sizeof *sym) == 0)
      return &place[i];
}

static int double_places (work *w) {
  size_t places = w->places ? 2 * w->places : 1024;
  counted *place = sd_alloc0 (places, sizeof *place);
  if (!place)
    return SD_ENOMEM;
  for (size_t i = 0; i < w->places; i++)
    if (w->place[i].times)
      *find (place, places, w->place[i].sym, w->length) = w->place[i];
  free (w->place);
  w->place = place;
  w->places = places;
  return SD_OK;
}

/* The word at slot i; false: it is free everywhere. */
static bool word_at (const work *w, uint64_t i, sd_symbol *sym) {
  const sd_alphabet *a = w->seq->alphabet;
  bool bound = false;
  for (unsigned k = 0; k < w->length; k++) {
    sym[k] = i + k < w->seq->n ? w->seq->sym[i + k] : SD_MAX_SYMBOLS;
    if (sym[k] < SD_MAX_SYMBOLS && sd_alphabet_choices (a, sym[k]) == w->m)
      sym[k] = SD_MAX_SYMBOLS; /* all that are free are one */
    bound |= sym[k] < SD_MAX_SYMBOLS;
  }
  return bound;
}

static int count_words (work *w) {
  for (uint64_t i = 0; i < w->seq->n; i += w->length) {
    sd_symbol sym[SD_MAX_WORD];
    if (!word_at (w, i, sym))
      continue;
    if (2 * w->used >= w->places)
      SD_TRY (double_places (w));
    counted *c = find (w->place, w->places, sym, w->length);
    if (!c->times++) {
      memcpy (c->sym, sym, w->length * sizeof *sym);
      w->used++;
    }
    w->total++;
  }
  return SD_OK;
}

/* --------------------------------------------------------------------- lists */

static bool admits (const work *w, sd_symbol s, unsigned v) {
  return s == SD_MAX_SYMBOLS || sd_admits (w->seq->alphabet, s, (sd_symbol) v);
}

/* Elements of the list of c. */
static double elements (const work *w, const counted *c) {
  double n = 1;
  for (unsigned k = 0; k < w->length; k++)
    n *= c->sym[k] == SD_MAX_SYMBOLS ? w->m : sd_alphabet_choices (w->seq->alphabet, c->sym[k]);
  return n;
}

/* The list: words of main symbols are numbers with m as the base; each slot of the word multiplies the list
 * by what it admits. Returns its end. */
static uint32_t *write_list (const work *w, const counted *c, uint32_t *list) {
  size_t n = 1;
  list[0] = 0;
  for (unsigned k = 0; k < w->length; k++) {
    size_t to = n * (c->sym[k] == SD_MAX_SYMBOLS ? w->m : sd_alphabet_choices (w->seq->alphabet, c->sym[k]));
    for (size_t i = n, end = n = to; i-- > 0;) /* from the end, because the list grows in place */
      for (unsigned v = w->m; v-- > 0;)
        if (admits (w, c->sym[k], v))
          list[--end] = list[i] * w->m + v;
  }
  return list + n;
}

static int make_lists (work *w, sd_error *err) {
  double sum = 0, words = pow (w->m, w->length);
  for (size_t i = 0; i < w->places; i++)
    if (w->place[i].times)
      sum += elements (w, &w->place[i]);
  if (words > MAX_WORDS || sum > MAX_ELEMENTS)
    return sd_fail (
        err, SD_ERANGE,
        "words of %u slots over %u main symbols: %.3g words in sets of %.3g elements, more than %u and %u",
        w->length, w->m, words, sum, MAX_WORDS, MAX_ELEMENTS);
  w->words = (uint32_t) words;
  w->first = sd_alloc (w->used + 1, sizeof *w->first);
  w->element = sd_alloc ((size_t) sum, sizeof *w->element);
  w->times = sd_alloc (w->used, sizeof *w->times);
  w->q = sd_alloc0 (w->words, sizeof *w->q);
  w->up = sd_alloc (w->words, sizeof *w->up);
  if (!w->first || !w->element || !w->times || !w->q || !w->up)
    return SD_ENOMEM;
  size_t n = 0;
  w->first[0] = 0;
  for (size_t i = 0; i < w->places; i++)
    if (w->place[i].times) {
      w->first[n + 1] = (size_t) (write_list (w, &w->place[i], w->element + w->first[n]) - w->element);
      w->times[n++] = (double) w->place[i].times;
    }
  return SD_OK;
}

/* ----------------------------------------------------------------- iterating */

/* The start: each set shares out its times among its elements. */
static void start (work *w) {
  for (size_t t = 0; t < w->used; t++)
    for (size_t i = w->first[t]; i < w->first[t + 1]; i++)
      w->q[w->element[i]] += w->times[t] / (double) (w->first[t + 1] - w->first[t]) / (double) w->total;
}

/* Bits with the present distribution, a bound below the least, and a better distribution. With g_i the factor
 * of element i, any other distribution r has sum_T p_T log2 (r(T) / q(T)) <= log2 sum_i r_i g_i <= log2 max
 * g: so no distribution is better by more than log2 max g bits a word, and q is optimal where no g_i exceeds
 * 1. */
static void iterate (work *w, sd_entropy *out) {
  double bits = 0, most = 0;
  memset (w->up, 0, w->words * sizeof *w->up);
  for (size_t t = 0; t < w->used; t++) {
    double sum = 0;
    for (size_t i = w->first[t]; i < w->first[t + 1]; i++)
      sum += w->q[w->element[i]];
    bits -= w->times[t] * log2 (sum);
    const double share = w->times[t] / sum / (double) w->total;
    for (size_t i = w->first[t]; i < w->first[t + 1]; i++)
      w->up[w->element[i]] += share;
  }
  for (uint32_t i = 0; i < w->words; i++) {
    most = w->up[i] > most ? w->up[i] : most;
    w->q[i] *= w->up[i];
  }
  const double least = bits - (double) w->total * log2 (most);
  out->bits = bits > 0 ? bits : 0; /* not -0, nor a rounding error of the sum */
  out->at_least = least > out->at_least ? least : out->at_least;
  out->rounds++;
}

int sd_seq_entropy (const sd_seq *s, unsigned length, double tolerance, unsigned rounds, sd_entropy *out,
                    sd_error *err) {
  *out = (sd_entropy){ 0 };
  if (length < 1 || length > SD_MAX_WORD)
    return sd_fail (err, SD_EINVAL, "words of %u slots: only 1 to %u", length, SD_MAX_WORD);
  for (uint64_t i = 0; i < s->n; i++)
    if (s->sym[i] >= sd_alphabet_size (s->alphabet))
      return sd_fail (err, SD_EINVAL, "slot %llu: a symbol outside the alphabet", (unsigned long long) i);
  work w = { .seq = s, .length = length, .m = sd_alphabet_main (s->alphabet) };
  int st = count_words (&w);
  out->sets = w.used;
  if (st == SD_OK && w.used)
    st = make_lists (&w, err);
  if (st == SD_OK && w.used) {
    start (&w);
    do
      iterate (&w, out);
    while (out->rounds < rounds && out->bits - out->at_least > tolerance * out->bits);
  }
  release (&w);
  return st == SD_ENOMEM ? sd_fail_memory (err, 0) : st;
}
