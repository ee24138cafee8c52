/** \file clusters.c
 * Clusters (Kristensen 2005, 2.7): a table as several diagrams, each of which holds some of the slots and is
 * free elsewhere. Kristensen 2005 does not say how slots are put into clusters. Here the table is halved by
 * the highest bit of one digit of its index, each half by the highest bit that its own slots still differ in,
 * and so on; a half keeps the order of the whole or is sifted anew, whichever is smaller.
 *
 * Why it pays: a node of a level is a pair of nodes below, of which a half has fewer. Where two halves of the
 * table share few nodes, each node takes almost a bit less; orders that suit the halves are the smaller part
 * of the gain, mostly. Where they share many, as WDL of easy endings does, one diagram is smaller.
 *
 * Which digit: both halves by each, in the order of the whole and with few choices remembered, which takes a
 * fraction of the time of sifting. Sizes of plain diagrams do not rank them well. The halves are then divided
 * in turn as long as that does not look worse, and of all divisions those stay that make real diagrams
 * smaller. All this is done on plain diagrams; the table is not looked at again. */
#include "config.h"
#include "obdd/clusters_internal.h"

#include <stdlib.h>
#include <string.h>

#define CHEAP 16        /* nodes remembered, and pairs tried, where sizes are compared only */
#define TRIED 2         /* digits by which the halves are also sifted */
#define LEAST_HOPE 1.03 /* halves that seem so much larger are not made */

typedef struct task {
  const sd_obdd_maker *by;
  uint64_t
      *code[SD_MAX_DIMS]; /* equal men: [radix] the bits of each value; else NULL, the value is its bits */
  unsigned done;          /* clusters */
} task;

/* Some slots: those whose digit d lies in low[d]..end[d] - 1, where the highest `fixed` bits are the same. */
typedef struct part {
  sd_obdd_plain plain; /* free in all other slots */
  sd_obdd_vars vars;
  uint64_t cheap; /* bytes of its diagram, about */
  uint8_t fixed[SD_MAX_DIMS];
  uint32_t low[SD_MAX_DIMS], end[SD_MAX_DIMS];
} part;

/* How a part is halved: the digit, the least value of the second half, the level that tells them apart; and
 * bytes of both halves in the order of the whole, about. */
typedef struct way {
  unsigned digit, level;
  uint32_t middle;
  uint64_t bytes;
} way;

typedef struct halves {
  way way;
  part half[2];
} halves;

static void halves_free (halves *h) {
  sd_obdd_plain_free (&h->half[0].plain);
  sd_obdd_plain_free (&h->half[1].plain);
}

/* --------------------------------------------------------------------- diagrams */

static int cheap_size (const task *t, part *p) {
  const sd_obdd_options opt = sd_obdd_fewer (&t->by->opt, CHEAP);
  return sd_obdd_size (&p->plain, t->by->alphabet, &opt, &p->cheap);
}

/* Another order, if that is smaller. */
static int sift (const task *t, part *p) {
  part other = *p;
  if (t->by->rounds == 0)
    return SD_OK;
  SD_TRY (sd_obdd_plain_copy (&p->plain, &other.plain));
  int st = sd_obdd_sift (&other.vars, &other.plain, t->by->rounds, t->by->sums, NULL);
  if (!st)
    st = cheap_size (t, &other);
  /* Exchanged, so that the worse one is freed below. */
  if (!st && other.cheap < p->cheap) {
    const part worse = *p;
    *p = other;
    other = worse;
  }
  sd_obdd_plain_free (&other.plain);
  return st;
}

/* The smallest main symbol that all slots of p may hold, or the number of main symbols. */
static unsigned common_symbol (const task *t, const sd_obdd_plain *p) {
  const sd_alphabet *a = t->by->alphabet;
  const unsigned m = sd_alphabet_main (a), words = (m + 63) / 64;
  uint64_t both[(SD_MAX_MAIN + 63) / 64];
  /* Level 1 leads to all symbols that the part holds; a part without levels is left to the diagram. */
  unsigned v = p->vars > 0 ? 0 : m;
  memset (both, 0xff, sizeof both);
  for (uint32_t x = 0; v < m && x < 2 * p->level[1].n; x++) {
    const sd_obdd_node node = p->level[1].node[x / 2];
    const uint32_t symbol = x % 2 ? node.hi : node.lo;
    for (unsigned w = 0; symbol != t->by->fill && w < words; w++)
      both[w] &= sd_alphabet_set (a, (sd_symbol) symbol)[w];
  }
  while (v < m && !(both[v / 64] >> v % 64 & 1))
    v++;
  return v;
}

/* The stream of one diagram; p is taken apart. */
static int put_one (const task *t, const sd_obdd_vars *v, sd_obdd_plain *p, sd_buf *out) {
  const unsigned common = common_symbol (t, p);
  SD_RELEASED_BY (sd_obdd_diagram_free) sd_obdd_diagram d = { 0 };
  /* What one symbol can fill is no diagram: two bytes. */
  if (common < sd_alphabet_main (t->by->alphabet)) {
    sd_codec_put_constant (common, out);
    return sd_buf_status (out);
  }
  const sd_obdd_options *opt = &t->by->opt;
  SD_TRY (sd_obdd_build (p, t->by->alphabet, opt, &d, NULL));
  /* Only this form cares for the order of the nodes within a level. */
  if (opt->form == SD_FORM_IDEAL)
    SD_TRY (sd_kristensen.order_ideal (&d));
  sd_buf_u8 (out, SD_STREAM_CODEC);
  sd_obdd_write (v, &d, opt->form, out);
  return sd_buf_status (out);
}

/* ----------------------------------------------------------------------- halves */

static uint64_t bits_of (const task *t, unsigned d, uint32_t value) {
  return t->code[d] ? t->code[d][value] : value;
}

/* The least value of digit d among those of p whose bits are not below `bits`. */
static uint32_t value_from (const task *t, const part *p, unsigned d, uint64_t bits) {
  uint32_t low = p->low[d], end = p->end[d];
  while (low < end) {
    const uint32_t middle = low + (end - low) / 2;
    if (bits_of (t, d, middle) < bits)
      low = middle + 1;
    else
      end = middle;
  }
  return low;
}

/* The highest bit of digit w->digit in which slots of p differ; false: none, or no level tests it alone. */
static bool can_halve (const task *t, part *p, way *w) {
  const unsigned d = w->digit;
  const unsigned bits = p->vars.digit[d].bits;
  unsigned variable = 0;

  /* The digit's variables stand behind those of the digits before it. */
  for (unsigned e = 0; e < d; e++)
    variable += p->vars.digit[e].bits;
  /* From the highest bit on, those in which all values of the part are the same tell no halves apart. */
  for (; p->fixed[d] < bits; p->fixed[d]++) {
    const unsigned rest = bits - p->fixed[d] - 1;
    w->middle = value_from (t, p, d, (bits_of (t, d, p->low[d]) >> rest | 1) << rest);
    if (w->middle > p->low[d] && w->middle < p->end[d])
      break;
  }
  if (p->fixed[d] == bits)
    return false;
  variable += p->fixed[d];
  /* Halving sends one level one way only (plain_part.c), which must test this bit and nothing else. */
  for (unsigned k = 0; k < p->vars.n; k++)
    if (p->vars.sum[k] == UINT64_C (1) << variable) {
      w->level = k + 1;
      return true;
    }
  return false;
}

static int make_half (const task *t, const part *p, halves *h, unsigned side) {
  part *half = &h->half[side];
  *half = *p;
  half->plain = (sd_obdd_plain){ 0 };
  half->fixed[h->way.digit]++;
  /* The halves' values of the digit are below `middle`, and from it on. */
  *(side ? &half->low[h->way.digit] : &half->end[h->way.digit]) = h->way.middle;
  SD_TRY (sd_obdd_plain_half (&p->plain, h->way.level, side, t->by->fill, &half->plain));
  return cheap_size (t, half);
}

static int make_halves (const task *t, const part *p, halves *h) {
  SD_TRY (make_half (t, p, h, 0));
  return make_half (t, p, h, 1);
}

static uint64_t bytes_of (const halves *h) {
  return h->half[0].cheap + h->half[1].cheap;
}

/* The digits that halve p, those of the smallest halves first. */
static int list_ways (const task *t, part *p, way *list, unsigned *n) {
  *n = 0;
  for (unsigned d = 0; d < p->vars.ndigits; d++) {
    way w = { .digit = d };
    if (!can_halve (t, p, &w))
      continue;
    SD_RELEASED_BY (halves_free) halves h = { .way = w };
    SD_TRY (make_halves (t, p, &h));
    w.bytes = bytes_of (&h);
    unsigned k = (*n)++;
    /* Sorted in: there are few digits. */
    for (; k > 0 && list[k - 1].bytes > w.bytes; k--)
      list[k] = list[k - 1];
    list[k] = w;
  }
  return SD_OK;
}

/* The best halves of p; their bytes, about, or UINT64_MAX if there are none. */
static int best_halves (const task *t, part *p, halves *best, uint64_t *bytes) {
  way list[SD_MAX_DIMS];
  unsigned n;

  *best = (halves){ .half = { { .cheap = 0 } } };
  *bytes = UINT64_MAX;
  SD_TRY (list_ways (t, p, list, &n));
  /* The best ways are made once more and sifted, which takes most of the time. */
  for (unsigned k = 0; k < n && k < TRIED; k++) {
    SD_TRY (sd_stopped (t->by->progress));
    SD_RELEASED_BY (halves_free) halves h = { .way = list[k] };
    SD_TRY (make_halves (t, p, &h));
    for (unsigned side = 0; side < 2; side++)
      SD_TRY (sift (t, &h.half[side]));
    if (bytes_of (&h) < *bytes) {
      const halves worse = *best;
      *best = h;
      h = worse;
      *bytes = bytes_of (best);
    }
  }
  return SD_OK;
}

/* ---------------------------------------------------------------------- streams */

static int put_part (task *t, part *p, unsigned clusters, sd_buf *out, unsigned *streams);

static int put_halves (task *t, halves *h, unsigned clusters, sd_buf *out, unsigned *streams) {
  const sd_obdd_vars *v = &h->half[0].vars;
  sd_fork f = { .stride = 1, .radix = v->digit[h->way.digit].radix, .limit = h->way.middle };
  /* A reader tells the halves apart by the digit, which it takes out of the slot's number. */
  for (unsigned d = h->way.digit + 1; d < v->ndigits; d++)
    f.stride *= v->digit[d].radix;
  SD_RELEASED_BY (sd_buf_free) sd_buf low = { 0 }, high = { 0 };
  unsigned n[2];
  SD_TRY (put_part (t, &h->half[0], clusters - clusters / 2, &low, &n[0]));
  SD_TRY (put_part (t, &h->half[1], clusters / 2, &high, &n[1]));
  *streams = n[0] + n[1];
  return sd_codec_put_fork (&f, &low, &high, out);
}

/* The stream of p in at most so many clusters, *streams of which are no constant; p is taken apart. */
static int put_part (task *t, part *p, unsigned clusters, sd_buf *out, unsigned *streams) {
  SD_RELEASED_BY (halves_free) halves h = { .half = { { .cheap = 0 } } };
  uint64_t bytes = UINT64_MAX;
  const uint64_t values = sd_obdd_values (&p->vars);
  const size_t start = out->len;
  /* The halves are looked for before the part's own diagram takes its plain one apart. */
  if (clusters > 1)
    SD_TRY (best_halves (t, p, &h, &bytes));
  SD_TRY (put_one (t, &p->vars, &p->plain, out));
  *streams = out->data[start] == SD_STREAM_CODEC;
  sd_obdd_plain_free (&p->plain);
  /* Both estimates are made with few choices; only real streams decide, below. */
  if ((double) bytes < (double) p->cheap * LEAST_HOPE) {
    SD_RELEASED_BY (sd_buf_free) sd_buf both = { 0 };
    unsigned n = 0;
    SD_TRY (put_halves (t, &h, clusters, &both, &n));
    /* A reader limits what all streams together may ask for (sd_clusters_fit). */
    if (both.len < out->len - start && sd_clusters_fit (n, n * values, both.len - 1)) {
      *streams = n;
      out->len = start;
      sd_buf_append (out, both.data, both.len);
    }
  } else if (t->by->clusters > 1)
    sd_report (t->by->progress, "clusters", t->done += clusters, t->by->clusters);
  return sd_buf_status (out);
}

/* ------------------------------------------------------------------------ whole */

static void task_free (task *t) {
  for (unsigned d = 0; d < SD_MAX_DIMS; d++)
    free (t->code[d]);
}

static int make_codes (task *t, const sd_obdd_vars *v) {
  unsigned first = 0;
  for (unsigned d = 0; d < v->ndigits; first += v->digit[d++].bits) {
    const sd_obdd_digit *g = &v->digit[d];
    uint64_t column[SD_OBDD_MAX_VARS] = { 0 };
    if (g->count == 1)
      continue;
    /* Bits of the digit alone, the first variable the highest: values then rise with their bits. */
    for (unsigned b = 0; b < g->bits; b++)
      column[first + b] = UINT64_C (1) << (g->bits - 1 - b);
    t->code[d] = sd_alloc (g->radix, sizeof *t->code[d]);
    if (!t->code[d])
      return SD_ENOMEM;
    sd_obdd_digit_codes (v, column, d, t->code[d]);
  }
  return SD_OK;
}

int sd_obdd_put (const sd_obdd_maker *by, const sd_obdd_vars *v, sd_obdd_plain *p, sd_buf *out) {
  SD_RELEASED_BY (task_free) task t = { .by = by };
  part all = { .plain = *p, .vars = *v };
  unsigned streams;
  *p = (sd_obdd_plain){ 0 };
  int st = make_codes (&t, v);
  /* The whole table is a part, too: all values of every digit. */
  for (unsigned d = 0; d < v->ndigits; d++)
    all.end[d] = v->digit[d].radix;
  if (!st && by->clusters > 1)
    st = cheap_size (&t, &all);
  if (!st)
    st = put_part (&t, &all, by->clusters, out, &streams);
  sd_obdd_plain_free (&all.plain);
  return st;
}
