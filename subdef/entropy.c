/** \file entropy.c
 * The entropy of subdefinite data for words of a fixed length: docs/limits.md. The words of the sequence are
 * counted by a hash. The set of a word is a product of sets of slots, and those are mostly a few runs of
 * symbols: its share of a distribution is a sum of a few prefix sums, one for each corner of each box, or of
 * its elements where these are fewer. Cost: a pass over the sequence, then all such sums and two passes over
 * all words of main symbols a round. */
#include "config.h"
#include "subdef/subdef_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 1 << 20, MAX_TERMS = 1 << 27 };

/* A word of symbols and how often it stands in the sequence; 0 times: an empty place of the hash. */
typedef struct {
  sd_symbol sym[SD_MAX_WORD];
  uint64_t times;
} counted;

/* A sum of entries of an array of words: each one is twice its place, and 1 more where it is taken off. */
typedef struct {
  size_t first, end;
  bool corners; /* entries of `prefix`; else of q itself */
} terms;

typedef struct {
  const sd_seq *seq;
  unsigned length, m;
  counted *place;
  size_t places, used; /* places: a power of two */
  uint32_t words;      /* m^length */
  bool boxes;          /* some sets are given by corners */
  uint64_t total;      /* words of the sequence that are not free everywhere */
  terms *set;          /* [used]: what q(T) is the sum of */
  uint32_t *term;
  double *times;   /* [used] */
  double *q, *up;  /* [words]: the distribution, and what each element is multiplied by */
  double *prefix;  /* [words]: sums of q over all words that are not above this one in any slot */
  double *corners; /* [words]: of `up`, before suffixes are summed */
} work;

static void release (work *w) {
  free (w->place);
  free (w->set);
  free (w->term);
  free (w->times);
  free (w->q);
  free (w->up);
  free (w->prefix);
  free (w->corners);
}

/* ------------------------------------------------------------------ counting */

static counted *find (counted *place, size_t places, const sd_symbol *sym, unsigned length) {
  uint64_t h = 0;
  for (unsigned i = 0; i < length; i++)
    h = (h ^ sym[i]) * 0x9E3779B97F4A7C15u;
  /* High bits are the better ones of a product. */
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
    /* Slots behind the end are free. */
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
    /* A word that may be anything costs nothing. */
    if (!word_at (w, i, sym))
      continue;
    /* Never more than half full. */
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

/* --------------------------------------------------------------------- terms */

static bool admits (const work *w, sd_symbol s, unsigned v) {
  return s == SD_MAX_SYMBOLS || sd_admits (w->seq->alphabet, s, (sd_symbol) v);
}

/* What stands for the set s of one slot: its elements, or the ends of its runs: a run from a to b is the
 * prefix to b less that to a - 1. Returns how many. */
static unsigned slot_terms (const work *w, sd_symbol s, bool corners, uint32_t *out) {
  unsigned n = 0;
  for (unsigned v = 0; v < w->m; v++) {
    if (!admits (w, s, v))
      continue;
    if (!corners)
      out[n++] = 2 * v;
    if (corners && v > 0 && !admits (w, s, v - 1))
      out[n++] = 2 * (v - 1) + 1;
    if (corners && (v + 1 == w->m || !admits (w, s, v + 1)))
      out[n++] = 2 * v;
  }
  return n;
}

/* Terms of the word c. */
static double word_terms (const work *w, const counted *c, bool corners, uint32_t *room) {
  double n = 1;
  for (unsigned k = 0; k < w->length; k++)
    n *= slot_terms (w, c->sym[k], corners, room);
  return n;
}

/* Words of main symbols are numbers with m as the base; each slot of the word multiplies the list by its own
 * terms. Returns the end of the list. */
static size_t write_terms (const work *w, const counted *c, bool corners, uint32_t *room, uint32_t *list) {
  size_t n = 1;
  list[0] = 0;
  for (unsigned k = 0; k < w->length; k++) {
    const unsigned of_slot = slot_terms (w, c->sym[k], corners, room);
    for (size_t i = n, end = n *= of_slot; i-- > 0;) /* from the end, because the list grows in place */
      for (unsigned j = of_slot; j-- > 0;)
        list[--end] = 2 * ((list[i] >> 1) * w->m + (room[j] >> 1)) + ((list[i] ^ room[j]) & 1);
  }
  return n;
}

static int make_arrays (work *w, size_t all) {
  w->set = sd_alloc (w->used, sizeof *w->set);
  w->term = sd_alloc (all, sizeof *w->term);
  w->times = sd_alloc (w->used, sizeof *w->times);
  w->q = sd_alloc0 (w->words, sizeof *w->q);
  w->up = sd_alloc (w->words, sizeof *w->up);
  w->prefix = sd_alloc (w->words, sizeof *w->prefix);
  w->corners = sd_alloc (w->words, sizeof *w->corners);
  return w->set && w->term && w->times && w->q && w->up && w->prefix && w->corners ? SD_OK : SD_ENOMEM;
}

static int make_terms (work *w, sd_error *err) {
  SD_OWNED uint32_t *room = sd_alloc (2 * (uint64_t) w->m, sizeof *room);
  /* In floating point: m^length may be far too large. */
  double sum = 0, elements = 0, words = pow (w->m, w->length);
  if (!room)
    return SD_ENOMEM;
  for (size_t i = 0; i < w->places; i++)
    if (w->place[i].times) {
      const double one = word_terms (w, &w->place[i], false, room);
      elements += one;
      sum += fmin (one, word_terms (w, &w->place[i], true, room));
    }
  w->boxes = elements - sum > w->length * words; /* else the passes over all words cost more than they save */
  sum = w->boxes ? sum : elements;
  if (words > MAX_WORDS || sum > MAX_TERMS)
    return sd_fail (
        err, SD_ERANGE,
        "words of %u slots over %u main symbols: %.3g words, sums of %.3g terms, more than %u and %u",
        w->length, w->m, words, sum, MAX_WORDS, MAX_TERMS);
  w->words = (uint32_t) words;
  SD_TRY (make_arrays (w, (size_t) sum));
  size_t n = 0, end = 0;
  for (size_t i = 0; i < w->places; i++) {
    const counted *c = &w->place[i];
    if (!c->times)
      continue;
    const bool corners = w->boxes && word_terms (w, c, true, room) < word_terms (w, c, false, room);
    w->set[n] = (terms){ end, end + write_terms (w, c, corners, room, w->term + end), corners };
    end = w->set[n].end;
    w->times[n++] = (double) c->times;
  }
  return SD_OK;
}

/* ----------------------------------------------------------------- iterating */

/* Along each slot of the words, a[i] becomes the sum of what is not above i, or not below it. */
static void sum_along (const work *w, double *a, bool up) {
  for (size_t stride = 1; stride < w->words; stride *= w->m)
    for (size_t from = 0; from < w->words; from += stride * w->m)
      for (size_t v = 1; v < w->m; v++) {
        double *to = a + from + (up ? v : w->m - 1 - v) * stride;
        const double *with = up ? to - stride : to + stride;
        for (size_t i = 0; i < stride; i++)
          to[i] += with[i];
      }
}

/* q(T). It is never less than the share of T among the words: so it is at the start, and then the new q(T) is
 * the sum over i in T of q_i g_i, where each g_i is at least p_T / q(T). A difference of prefixes may fall
 * below by a rounding error. */
static double sum_of (const work *w, size_t t) {
  const terms *s = &w->set[t];
  const double *from = s->corners ? w->prefix : w->q, least = w->times[t] / (double) w->total;
  double sum = 0;
  for (size_t i = s->first; i < s->end; i++)
    sum += w->term[i] & 1 ? -from[w->term[i] >> 1] : from[w->term[i] >> 1];
  return sum > least ? sum : least;
}

/* Add `share` to each element of T; complete when add_corners has been called. */
static void add_to (const work *w, size_t t, double share) {
  const terms *s = &w->set[t];
  double *to = s->corners ? w->corners : w->up;
  for (size_t i = s->first; i < s->end; i++)
    to[w->term[i] >> 1] += w->term[i] & 1 ? -share : share;
}
static void clear (work *w) {
  memset (w->up, 0, w->words * sizeof *w->up);
  if (w->boxes)
    memset (w->corners, 0, w->words * sizeof *w->corners);
}
static void add_corners (work *w) {
  if (!w->boxes)
    return;
  sum_along (w, w->corners, false);
  for (uint32_t i = 0; i < w->words; i++) {
    const double sum = w->up[i] + w->corners[i];
    w->up[i] = sum > 0 ? sum : 0; /* differences of corners may leave a rounding error */
  }
}

/* The start: each set shares out its times among its elements. */
static void start (work *w) {
  clear (w);
  for (size_t i = 0, t = 0; i < w->places; i++)
    if (w->place[i].times) {
      double n = 1;
      for (unsigned k = 0; k < w->length; k++) {
        const sd_symbol s = w->place[i].sym[k];
        n *= s == SD_MAX_SYMBOLS ? w->m : sd_alphabet_choices (w->seq->alphabet, s);
      }
      add_to (w, t, w->times[t] / n / (double) w->total);
      t++;
    }
  add_corners (w);
  memcpy (w->q, w->up, w->words * sizeof *w->q);
}

/* Bits with the present distribution, a bound below the least, and a better distribution. With g_i the factor
 * of element i, any other distribution r has sum_T p_T log2 (r(T) / q(T)) <= log2 sum_i r_i g_i <= log2 max
 * g: so no distribution is better by more than log2 max g bits a word, and q is optimal where no g_i exceeds
 * 1. True: these bits are near enough to the bound, and q is left as it is. */
static bool iterate (work *w, double tolerance, sd_entropy *out) {
  double bits = 0, most = 0;
  clear (w);
  if (w->boxes) {
    memcpy (w->prefix, w->q, w->words * sizeof *w->q);
    sum_along (w, w->prefix, true);
  }
  for (size_t t = 0; t < w->used; t++) {
    const double sum = sum_of (w, t);
    bits -= w->times[t] * log2 (sum);
    add_to (w, t, w->times[t] / sum / (double) w->total);
  }
  add_corners (w);
  for (uint32_t i = 0; i < w->words; i++)
    most = w->up[i] > most ? w->up[i] : most;
  const double least = bits - (double) w->total * log2 (most);
  out->bits = bits > 0 ? bits : 0; /* not -0, nor a rounding error of the sum */
  /* The best bound of all rounds holds. */
  out->at_least = fmin (out->bits, fmax (out->at_least, least));
  out->rounds++;
  if (out->bits - out->at_least <= tolerance * out->bits)
    return true;
  for (uint32_t i = 0; i < w->words; i++)
    w->q[i] *= w->up[i];
  return false;
}

int sd_seq_entropy_of (const sd_seq *s, const sd_entropy_options *how, sd_entropy *out, double **q,
                       sd_error *err) {
  *out = (sd_entropy){ 0 };
  if (how->length < 1 || how->length > SD_MAX_WORD)
    return sd_fail (err, SD_EINVAL, "words of %u slots: only 1 to %u", how->length, SD_MAX_WORD);
  for (uint64_t i = 0; i < s->n; i++)
    if (s->sym[i] >= sd_alphabet_size (s->alphabet))
      return sd_fail (err, SD_EINVAL, "slot %llu: a symbol outside the alphabet", (unsigned long long) i);
  work w = { .seq = s, .length = how->length, .m = sd_alphabet_main (s->alphabet) };
  int st = count_words (&w);
  out->sets = w.used;
  if (st == SD_OK && w.used)
    st = make_terms (&w, err);
  if (st == SD_OK && w.used) {
    start (&w);
    while (!iterate (&w, how->tolerance, out) && out->rounds < how->rounds)
      ;
  }
  /* The caller takes the distribution. */
  if (q) {
    *q = w.q;
    w.q = NULL;
  }
  release (&w);
  return st == SD_ENOMEM ? sd_fail_memory (err, 0) : st;
}

int sd_seq_entropy (const sd_seq *s, unsigned length, double tolerance, unsigned rounds, sd_entropy *out,
                    sd_error *err) {
  return sd_seq_entropy_of (s, &(sd_entropy_options){ length, rounds, tolerance }, out, NULL, err);
}
