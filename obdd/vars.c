/** \file vars.c
 * The variables of a diagram: bits of the digits of an index (Kristensen 2005, 2.3), and their order. A digit
 * whose radix is no power of two is padded: codes without a slot are free. A digit that combines equal men is
 * split into their numbers again, because a diagram wants a square's bits, not a rank among combinations;
 * Kristensen 2005 sorts equal pieces likewise. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

static uint64_t binomial (unsigned n, unsigned k) {
  uint64_t b = 1;
  if (k > n)
    return 0;
  for (unsigned i = 0; i < k; i++)
    b = b * (n - i) / (i + 1);
  return b;
}

/* Is r a combination of equal men on 64 squares, or pawns on 48? */
static bool combination (uint32_t r, sd_obdd_digit *d) {
  static const uint8_t size[2] = { 64, 48 };
  /* The radix tells how many men the digit stands for: C (64, k) and C (48, k) are all different. */
  for (unsigned s = 0; s < 2; s++)
    for (unsigned k = 2; k <= 4; k++)
      if (binomial (size[s], k) == r && r <= SD_OBDD_MAX_COMBINED) {
        *d = (sd_obdd_digit){ .radix = r, .count = (uint8_t) k, .size = size[s], .bits = (uint8_t) (6 * k) };
        return true;
      }
  return false;
}

uint64_t sd_obdd_values (const sd_obdd_vars *v) {
  uint64_t values = 0;
  for (unsigned d = 0; d < v->ndigits; d++)
    values += v->digit[d].count > 1 ? v->digit[d].radix : 0;
  return values;
}

void sd_obdd_order_of_pieces (sd_obdd_vars *v) {
  for (unsigned k = 0; k < v->n; k++)
    v->sum[k] = UINT64_C (1) << (v->n - 1 - k);
}

int sd_obdd_vars_of (const sd_seq *s, bool split, sd_obdd_vars *out) {
  memset (out, 0, sizeof *out);
  const uint32_t *radix = s->radix;
  uint32_t whole = (uint32_t) s->n;
  out->ndigits = s->ndims;
  if (s->ndims == 0 || s->ndims > SD_MAX_DIMS) { /* no shape: one number */
    if (s->n > UINT32_MAX)
      return SD_ERANGE;
    radix = &whole;
    out->ndigits = 1;
  }
  for (unsigned d = 0; d < out->ndigits; d++) {
    /* The table of a split digit's values is memory that a reader needs (SD_VALUES_FREE). */
    if (!split || sd_obdd_values (out) + radix[d] > SD_VALUES_FREE || !combination (radix[d], &out->digit[d]))
      out->digit[d] =
          (sd_obdd_digit){ .radix = radix[d], .count = 1, .bits = (uint8_t) sd_bits_for (radix[d]) };
    out->n += out->digit[d].bits;
  }
  if (out->n > SD_OBDD_MAX_VARS)
    return SD_ERANGE;
  sd_obdd_order_of_pieces (out);
  return SD_OK;
}

static unsigned number_of (char c) {
  return c >= 'a' && c <= 'z' ? (unsigned) (c - 'a') : c >= 'A' && c <= 'Z' ? (unsigned) (c - 'A') + 26 : 64;
}

/* Gauss's elimination. */
static bool independent (const sd_obdd_vars *v) {
  uint64_t row[SD_OBDD_MAX_VARS];
  memcpy (row, v->sum, sizeof row);
  for (unsigned k = 0; k < v->n; k++) {
    if (row[k] == 0)
      return false;
    /* No row behind has this bit any more: a row that is 0 in the end was a sum of others. */
    const uint64_t lowest = row[k] & -row[k];
    for (unsigned i = k + 1; i < v->n; i++)
      if (row[i] & lowest)
        row[i] ^= row[k];
  }
  return true;
}

int sd_obdd_vars_parse (sd_obdd_vars *v, const char *text) {
  unsigned k = v->n;
  bool inside = false;

  for (; *text; text++) {
    if (*text == (inside ? ')' : '(')) {
      inside = !inside;
      /* A bracket is one level, whose letters are added up. */
      if (!inside)
        continue;
      if (k-- == 0)
        return SD_EINVAL;
      v->sum[k] = 0;
      continue;
    }
    const unsigned i = number_of (*text);
    if (i >= v->n || (!inside && k-- == 0))
      return SD_EINVAL;
    v->sum[k] = UINT64_C (1) << i | (inside ? v->sum[k] : 0);
  }
  return k == 0 && !inside && independent (v) ? SD_OK : SD_EINVAL;
}

/* ------------------------------------------------------------------ in streams */

void sd_obdd_vars_write (const sd_obdd_vars *v, sd_buf *out) {
  sd_buf_u8 (out, v->ndigits);
  for (unsigned d = 0; d < v->ndigits; d++) {
    sd_buf_u8 (out, v->digit[d].count);
    sd_buf_varint (out, v->digit[d].count > 1 ? v->digit[d].size : v->digit[d].radix);
  }
  sd_bitw w = { .out = out };
  for (unsigned k = v->n; k-- > 0;)
    for (uint64_t rest = v->sum[k]; rest; rest &= rest - 1) {
      sd_bitw_put (&w, (unsigned) __builtin_ctzll (rest), sd_bits_for (v->n));
      sd_bitw_put (&w, (rest & (rest - 1)) != 0, 1);
    }
  sd_bitw_flush (&w);
}

static int read_digit (sd_reader *r, sd_obdd_digit *d) {
  unsigned count = sd_get_u8 (r);
  uint64_t number = sd_get_varint (r), radix = number;
  /* Bounded before binomial () multiplies. */
  if (r->bad || count < 1 || count > 4 || number < 1 || number > UINT32_MAX || (count > 1 && number > 64))
    return SD_EFORMAT;
  if (count > 1)
    radix = binomial ((unsigned) number, count);
  if (radix < 1 || (count > 1 && radix > SD_OBDD_MAX_COMBINED))
    return SD_EFORMAT;
  *d = (sd_obdd_digit){ .radix = (uint32_t) radix,
                        .count = (uint8_t) count,
                        .size = (uint8_t) (count > 1 ? number : 0),
                        .bits = (uint8_t) (count * sd_bits_for (number)) };
  return SD_OK;
}

/* For each level, root first: a variable, and a bit whether another one follows; zero bits up to a byte. */
static int read_sums (sd_reader *r, sd_obdd_vars *v) {
  const unsigned width = sd_bits_for (v->n);
  uint64_t used = 0;
  const uint64_t avail = 8 * (uint64_t) (r->end - r->p);
  sd_bitr bits = sd_bitr_of (r->p, (size_t) (r->end - r->p));

  for (unsigned k = v->n; k-- > 0;)
    for (bool more = true; more;) {
      const unsigned x = (unsigned) sd_bitr_get (&bits, width);
      /* Letters of a sum rise, so that no sum is written in two ways. */
      if (x >= v->n || v->sum[k] >> x)
        return SD_EFORMAT;
      v->sum[k] |= UINT64_C (1) << x;
      more = sd_bitr_get (&bits, 1);
      used += width + 1;
    }
  if (used > avail)
    return SD_EFORMAT;
  return sd_get_bytes (r, (used + 7) / 8) || used == 0 ? SD_OK : SD_EFORMAT;
}

int sd_obdd_vars_read (sd_reader *r, uint64_t n, sd_obdd_vars *out) {
  memset (out, 0, sizeof *out);
  uint64_t product = 1;
  out->ndigits = sd_get_u8 (r);
  if (r->bad || out->ndigits < 1 || out->ndigits > SD_MAX_DIMS)
    return SD_EFORMAT;
  for (unsigned d = 0; d < out->ndigits; d++) {
    SD_TRY (read_digit (r, &out->digit[d]));
    out->n += out->digit[d].bits;
    if (sd_mul (product, out->digit[d].radix, &product))
      return SD_EFORMAT;
  }
  /* The digits must be those of the slots, and their tables within what any file may ask for. */
  if (product != n || out->n > SD_OBDD_MAX_VARS || sd_obdd_values (out) > SD_VALUES_FREE)
    return SD_EFORMAT;
  return read_sums (r, out);
}

/* --------------------------------------------------------------- index to code */

void sd_obdd_columns (const sd_obdd_vars *v, const uint64_t *level, uint64_t *column) {
  for (unsigned i = 0; i < v->n; i++) {
    column[i] = 0;
    for (unsigned k = 0; k < v->n; k++)
      column[i] ^= v->sum[k] >> i & 1 ? level[k] : 0;
  }
}

/* What the bits of raw add, whose lowest one is of the variable before `behind`. */
static uint64_t code_of (const uint64_t *behind, uint64_t raw) {
  uint64_t code = 0;
  for (; raw; raw >>= 1) {
    behind--;
    if (raw & 1)
      code ^= *behind;
  }
  return code;
}

/* The column behind those of digit d. */
static const uint64_t *behind (const sd_obdd_vars *v, const uint64_t *column, unsigned d) {
  for (unsigned e = 0; e <= d; e++)
    column += v->digit[e].bits;
  return column;
}

void sd_obdd_digit_codes (const sd_obdd_vars *v, const uint64_t *column, unsigned d, uint64_t *code) {
  const sd_obdd_digit *g = &v->digit[d];
  const unsigned bits = g->bits / g->count;
  uint64_t number[4] = { 0, 1, 2, 3 }; /* rising; the largest one's variables are the first ones */

  column = behind (v, column, d);
  for (uint32_t x = 0; x < g->radix; x++) {
    uint64_t raw = x;
    if (g->count > 1) {
      raw = 0;
      /* The largest number's bits are the highest. */
      for (unsigned c = g->count; c-- > 0;)
        raw = raw << bits | number[c];
      unsigned c = 0; /* those that can rise no more start anew */
      for (; c + 1 < g->count && number[c] + 1 == number[c + 1]; c++)
        number[c] = c;
      number[c]++;
    }
    code[x] = code_of (column, raw);
  }
}

/* Bits of digit d from bit `shift` on that one table turns into a code. */
static unsigned chunk_bits (const sd_obdd_digit *g, unsigned shift) {
  return g->bits - shift < SD_OBDD_CHUNK ? g->bits - shift : SD_OBDD_CHUNK;
}

/* Entries of the tables of digit d: none if its bits weigh nothing. */
static uint64_t entries_of (const sd_obdd_vars *v, const uint64_t *column, unsigned d) {
  const sd_obdd_digit *g = &v->digit[d];
  const uint64_t *const end = behind (v, column, d);
  uint64_t any = 0, entries = 0;
  for (unsigned b = 1; b <= g->bits; b++)
    any |= end[-(int) b];
  if (!any || g->count > 1)
    return any ? g->radix : 0;
  for (unsigned shift = 0; shift < g->bits; shift += SD_OBDD_CHUNK)
    entries += UINT64_C (1) << chunk_bits (g, shift);
  return entries;
}

/* Tables of digit d, if it has any; what is behind them. */
static uint64_t *new_chunks (const sd_obdd_vars *v, const uint64_t *column, unsigned d, sd_obdd_coder *out,
                             uint64_t *table) {
  const sd_obdd_digit *g = &v->digit[d];
  const uint64_t *const end = behind (v, column, d);

  if (!entries_of (v, column, d))
    return table;
  if (g->count > 1) {
    out->digit[d].chunks = 1;
    /* The bits of equal men's numbers do not follow from bits of the digit: one table by value. */
    out->digit[d].chunk[0].mask = UINT32_MAX;
    out->digit[d].chunk[0].code = table;
    sd_obdd_digit_codes (v, column, d, table);
    return table + g->radix;
  }
  for (unsigned shift = 0; shift < g->bits; shift += SD_OBDD_CHUNK) {
    const unsigned k = out->digit[d].chunks++;
    out->digit[d].chunk[k].shift = shift;
    out->digit[d].chunk[k].mask = (1u << chunk_bits (g, shift)) - 1;
    out->digit[d].chunk[k].code = table;
    /* Values from the radix on never come. */
    for (uint64_t x = 0; x < UINT64_C (1) << chunk_bits (g, shift); x++)
      *table++ = x << shift < g->radix ? code_of (end, x << shift) : 0;
  }
  return table;
}

int sd_obdd_coder_new (const sd_obdd_vars *v, const sd_obdd_weights *weights, sd_obdd_coder *out) {
  memset (out, 0, sizeof *out);
  sd_obdd_weights plain = { { 0 }, { 0 } };
  uint64_t column[SD_OBDD_MAX_VARS], need = 0, stride = 1;
  for (unsigned k = 0; k < v->n; k++)
    plain.level[k] = UINT64_C (1) << k;
  if (!weights)
    weights = &plain;
  sd_obdd_columns (v, weights->level, column);
  for (unsigned d = 0; d < v->ndigits; d++)
    need += entries_of (v, column, d);
  uint64_t *table = out->tables = sd_alloc (need, sizeof *table);
  if (!table)
    return SD_ENOMEM;
  out->ndigits = v->ndigits;
  /* From the last digit, which runs fastest, to the first. */
  for (unsigned d = v->ndigits; d-- > 0;) {
    out->digit[d].stride = stride;
    out->digit[d].inverse = sd_obdd_inverse (stride);
    out->digit[d].radix = v->digit[d].radix;
    out->digit[d].factor = weights->digit[d];
    stride *= v->digit[d].radix;
    table = new_chunks (v, column, d, out, table);
  }
  return SD_OK;
}

void sd_obdd_coder_clear (sd_obdd_coder *c) {
  free (c->tables);
  *c = (sd_obdd_coder){ 0 };
}

int sd_obdd_spread (const sd_obdd_vars *v, const sd_seq *s, sd_symbol fill, sd_symbol **table) {
  SD_RELEASED_BY (sd_obdd_coder_clear) sd_obdd_coder c = { 0 };
  uint64_t size = UINT64_C (1) << v->n;
  *table = NULL;
  SD_TRY (sd_obdd_coder_new (v, NULL, &c));
  sd_symbol *t = *table = sd_alloc (size, sizeof *t);
  if (!t)
    return SD_ENOMEM;
  /* All codes first, since many of them are no slot. */
  for (uint64_t i = 0; i < size; i++)
    t[i] = fill;
  for (uint64_t i = 0; i < s->n; i++)
    t[sd_obdd_code (&c, i)] = s->sym[i];
  return SD_OK;
}
