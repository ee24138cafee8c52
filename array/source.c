/* From values and what is free to subdefinite data. The main symbols are the values of the slots that are
 * not altogether free, by rising value: what stands in a slot that may hold anything tells nothing. A set of
 * values is cut to them; it keeps at least the value of its own slot, which must lie in it. `subdef import`
 * comes here, and the library for data of one's own. Three passes over the slots: what each may hold is
 * checked, the values are numbered, symbols are made. */
#include "config.h"
#include "array/array_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SPAN = 65536, WORDS = SD_MAX_MAIN / 64 }; /* values of 16 bits; words of a set's bits */

/* A line of the list of sets. */
typedef struct line {
  const char *text;
  size_t len;
  bool all;   /* `*` */
  bool known; /* symbol is set */
  sd_symbol symbol;
} line;

/* What one call works with. */
typedef struct work {
  const sd_array_shape *s;
  const int32_t *value;
  const sd_array_freedom *f;
  const sd_array_type_kind *type;
  line *list;
  uint64_t nlines, cap;
  uint32_t below[SPAN + 1]; /* main symbols of values that are less than type->least + i */
  bool seen[SPAN];          /* the value stands in a slot that is not altogether free */
} work;

int sd_array_frame (const sd_array_shape *s, const sd_value *map, unsigned m, sd_subdefined **out,
                    sd_error *err) {
  sd_subdefined *d = calloc (1, sizeof *d);
  if (!d)
    return sd_fail_memory (err, sizeof *d);
  d->metric = SD_NO_METRIC;
  d->coding = SD_NO_CODING;
  d->seq.n = s->n;
  for (unsigned k = 0; k < s->ndims; k++) /* one of length 1 tells a codec nothing */
    if (s->dim[k] > 1)
      d->seq.radix[d->seq.ndims++] = s->dim[k];

  d->map = sd_alloc (m, sizeof *d->map);
  d->seq.sym = sd_alloc (s->n, sizeof *d->seq.sym);
  if (!d->map || !d->seq.sym || sd_alphabet_new (m, &d->alphabet) != SD_OK) {
    sd_subdefined_free (d);
    return sd_fail_memory (err, s->n * sizeof *d->seq.sym);
  }
  d->seq.alphabet = d->alphabet;
  memcpy (d->map, map, m * sizeof *map);
  /* The value next to 0, which an initial replacement may fill with (subdef/initial_constant.c). */
  unsigned zero = 0;
  for (unsigned k = 1; k < m; k++)
    if (abs (sd_array_value (s->type, map[k])) < abs (sd_array_value (s->type, map[zero])))
      zero = k;
  sd_alphabet_set_zero (d->alphabet, zero);
  *out = d;
  return SD_OK;
}

/* ------------------------------------------------------------ list of sets */

/* A value at *p; false: none, or none of the type. */
static bool take_value (const work *w, const char **p, const char *end, int32_t *out) {
  long v = 0;
  const bool minus = *p < end && **p == '-';
  const char *digits = *p += minus;
  for (; *p < end && **p >= '0' && **p <= '9' && v <= SPAN; ++*p)
    v = 10 * v + (**p - '0');
  /* Digits are taken no further than beyond any type, so that v cannot overflow. */
  *out = (int32_t) (minus ? -v : v);
  return *p > digits && *out >= w->type->least && *out <= w->type->most;
}

/* Bits of the main symbols that a line names, added to row, unless that is NULL; false: it is no set. */
static bool read_line (const work *w, const line *l, uint64_t *row) {
  const char *p = l->text, *end = p + l->len;
  for (;;) {
    int32_t low, high;
    while (p < end && *p == ' ')
      p++;
    if (!take_value (w, &p, end, &low))
      return false;
    high = low;
    if (p < end && *p == '-') {
      p++;
      if (!take_value (w, &p, end, &high) || high < low)
        return false;
    }
    /* Only main symbols count; values between them that do not occur name nothing. */
    for (uint32_t x = w->below[low - w->type->least]; row && x < w->below[high - w->type->least + 1]; x++)
      row[x / 64] |= (uint64_t) 1 << (x % 64);
    while (p < end && *p == ' ')
      p++;
    if (p == end)
      return true;
    if (*p++ != ',')
      return false;
  }
}

/* Lines of the list, each checked and none kept but as a stretch of the text, which must stay. */
static int read_list (work *w, sd_error *err) {
  for (const char *p = w->f->list; *p;) {
    const size_t whole = strcspn (p, "\n"), n = whole - (whole && p[whole - 1] == '\r');
    if (w->nlines > UINT16_MAX || !sd_grow (&w->list, &w->cap, w->nlines + 1))
      return w->nlines > UINT16_MAX ? sd_fail (err, SD_ERANGE, "%s: more than 65536 sets", w->f->list_name)
                                    : sd_fail_memory (err, 0);
    /* The text is checked now, and read into a set when a slot first needs it: main symbols are not known
     * yet. */
    line *l = &w->list[w->nlines++];
    *l = (line){ .text = p, .len = n, .all = n == 1 && *p == '*' };
    if (!l->all && !read_line (w, l, NULL))
      return sd_fail (err, SD_EFORMAT,
                      "%s: line %" PRIu64 " (set %" PRIu64
                      "): '%.*s': expected values of %d to %d with commas, "
                      "ranges a-b, or *",
                      w->f->list_name, w->nlines, w->nlines - 1, (int) (n < 60 ? n : 60), p, w->type->least,
                      w->type->most);
    p += whole + (p[whole] == '\n');
  }
  return SD_OK;
}

/* ------------------------------------------------------------------- slots */

static int wrong (const work *w, uint64_t i, sd_error *err, const char *what) {
  char slot[224];
  sd_array_slot_text (w->s, i, slot);
  return sd_fail (err, SD_EFORMAT, "%s: value %" PRId32 " %s", slot, w->value[i], what);
}

/* May slot i hold anything? */
static bool all_free (const work *w, uint64_t i) {
  const sd_array_freedom *f = w->f;
  if (f->mask)
    return f->mask[i] != 0;
  if (f->set)
    return w->list[f->set[i]].all;
  return (f->low || f->high) && (!f->low || f->low[i] <= w->type->least)
         && (!f->high || f->high[i] >= w->type->most);
}

/* Each slot by itself, and which values are main symbols. */
static int look (work *w, sd_error *err) {
  const sd_array_freedom *f = w->f;
  for (uint64_t i = 0; i < w->s->n; i++) {
    const int32_t v = w->value[i];
    if (v < w->type->least || v > w->type->most)
      return wrong (w, i, err, "is none of the type");
    /* Before all_free () looks at the line. */
    if (f->set && f->set[i] >= w->nlines) {
      char slot[224];
      sd_array_slot_text (w->s, i, slot);
      return sd_fail (err, SD_EFORMAT, "%s: set %u: %s has the sets 0 to %" PRId64, slot, f->set[i],
                      f->list_name, (int64_t) w->nlines - 1);
    }
    if (f->low && f->high && f->low[i] > f->high[i]) {
      char slot[224];
      sd_array_slot_text (w->s, i, slot);
      return sd_fail (err, SD_EFORMAT, "%s: the lower bound %" PRId32 " is above the upper bound %" PRId32,
                      slot, f->low[i], f->high[i]);
    }
    if ((f->low && v < f->low[i]) || (f->high && v > f->high[i]))
      return wrong (w, i, err, "is outside of its own bounds");
    /* What stands in a slot that may hold anything need not be a symbol. */
    w->seen[v - w->type->least] |= !all_free (w, i);
  }
  return SD_OK;
}

/* map[0..m-1] by rising values, and below[], by which a bound or a range finds its first and last symbol in
 * one step. */
static int number_values (work *w, sd_value *map, unsigned *m, sd_error *err) {
  const int32_t span = w->type->most - w->type->least + 1;
  *m = 0;
  for (unsigned pass = 0; *m == 0; pass++) { /* a second one where everything is free */
    if (pass)
      w->seen[w->value[0] - w->type->least] = true;
    for (int32_t x = 0; x < span; x++) {
      w->below[x] = *m;
      if (!w->seen[x])
        continue;
      /* Counted on, so that the message can say how many there are. */
      if (*m < SD_MAX_MAIN)
        map[*m] = (sd_value) (uint16_t) (x + w->type->least);
      ++*m;
    }
    w->below[span] = *m;
  }
  if (*m > SD_MAX_MAIN)
    return sd_fail (err, SD_ERANGE,
                    "%u different values in slots that are not free, at most %d can be coded: round them, or "
                    "import high and low bytes as two arrays",
                    *m, SD_MAX_MAIN);
  return SD_OK;
}

/* Which symbol slot i gets, as a set of main symbols. */
static int symbol_of (work *w, sd_alphabet *a, uint64_t i, sd_symbol *out, sd_error *err) {
  const sd_array_freedom *f = w->f;
  const unsigned m = sd_alphabet_main (a);
  const int32_t at = w->value[i] - w->type->least;
  int st = SD_OK;

  if (all_free (w, i))
    st = sd_alphabet_add_range (a, 0, m - 1, out);
  else if (f->set) {
    line *l = &w->list[f->set[i]];
    /* Each line becomes a symbol once, however many slots have it. */
    if (!l->known) {
      uint64_t row[WORDS] = { 0 }, any = 0;
      read_line (w, l, row);
      for (unsigned k = 0; k < WORDS; k++)
        any |= row[k];
      if (!any)
        return wrong (w, i, err, "is not in its own set");
      st = sd_alphabet_add (a, row, &l->symbol);
      l->known = st == SD_OK;
    }
    *out = l->symbol;
    if (st == SD_OK && !sd_admits (a, l->symbol, (sd_symbol) w->below[at]))
      return wrong (w, i, err, "is not in its own set");
  } else if (f->low || f->high) {
    /* Bounds beyond the type bound nothing. */
    const int32_t low = f->low && f->low[i] > w->type->least ? f->low[i] : w->type->least;
    const int32_t high = f->high && f->high[i] < w->type->most ? f->high[i] : w->type->most;
    st = sd_alphabet_add_range (a, w->below[low - w->type->least], w->below[high - w->type->least + 1] - 1,
                                out);
  } else
    *out = (sd_symbol) w->below[at];
  if (st == SD_ERANGE)
    return sd_fail (err, st, "more than %d different values and sets of values: make the sets coarser",
                    SD_MAX_SYMBOLS);
  return st == SD_OK ? SD_OK : sd_fail_memory (err, 0);
}

static int subdefine (work *w, sd_subdefined **out, sd_error *err) {
  sd_value map[SD_MAX_MAIN];
  unsigned m;

  if (w->f->set)
    SD_TRY (read_list (w, err));
  SD_TRY (look (w, err));
  SD_TRY (number_values (w, map, &m, err));

  sd_subdefined *d;
  SD_TRY (sd_array_frame (w->s, map, m, &d, err));
  for (uint64_t i = 0; i < w->s->n; i++) {
    const int st = symbol_of (w, d->alphabet, i, &d->seq.sym[i], err);
    if (st != SD_OK) {
      sd_subdefined_free (d);
      return st;
    }
  }
  *out = d;
  return SD_OK;
}

int sd_array_subdefine (const sd_array_shape *s, const int32_t *value, const sd_array_freedom *free_slots,
                        sd_subdefined **out, sd_error *err) {
  static const sd_array_freedom none = { 0 };
  work *w = calloc (1, sizeof *w);
  if (!w)
    return sd_fail_memory (err, sizeof *w);
  w->s = s;
  w->value = value;
  w->f = free_slots ? free_slots : &none;
  w->type = &sd_array_types[s->type];
  const int st = subdefine (w, out, err);
  free (w->list);
  free (w);
  return st;
}
