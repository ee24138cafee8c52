/** \file read.c
 * Lookups in a stored diagram: the digits of the index give a code, its high bits a root, each further bit an
 * edge. A node is read where it stands (ef_internal.h). Opening looks at every node and root once, so that
 * lookups need no checks.
 *
 * Steps near the root and near the leaves go through few different nodes. Opening puts them into two tables
 * of at most QUICK entries, 16 KiB and 8 KiB: all nodes of a level further down by the code's high bits, and
 * all small sub-tables symbol by symbol. On 4-man tables they stand for half of the steps. */
#include "config.h"
#include "obdd/ef_internal.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct decoder {
  sd_decoder base;
  sd_obdd_vars vars;
  sd_obdd_coder coder;
  unsigned top, root_width;
  const uint8_t *root, *end;
  struct {
    sd_ef nodes;
    uint64_t below, inverse; /* nodes of the level below, and for the division */
  } level[SD_OBDD_MAX_VARS + 1];
  unsigned from, to; /* the levels between which a lookup takes steps */
  uint32_t *entry;   /* [2^(variables - from)] node of level `from` */
  sd_symbol *leaf;   /* [nodes of level `to` << to] */
  sd_codec_parts parts;
} decoder;

#define QUICK 4096

#define PARALLEL_SLOTS (1 << 14) /* read: slots of one task */

/* Roots that can differ: those of a level with one node take no bits, and may be 2^36. */
static inline uint64_t roots_to_look_at (const decoder *d) {
  return d->root_width ? UINT64_C (1) << (d->vars.n - d->top) : 1;
}

static inline uint64_t root_of (const decoder *d, uint64_t i) {
  const uint64_t bit = i * d->root_width;
  return sd_ef_word (d->root + bit / 8, d->end) >> bit % 8 & ((UINT64_C (1) << d->root_width) - 1);
}

static inline uint64_t child (const decoder *d, unsigned k, uint64_t node, unsigned bit) {
  const uint64_t key = sd_ef_get (&d->level[k].nodes, node), below = d->level[k].below;
  const uint64_t lo = sd_obdd_divide (key, below, d->level[k].inverse);
  return bit ? key - lo * below : lo;
}

static inline sd_symbol find (const decoder *d, uint64_t i) {
  const uint64_t code = sd_obdd_code (&d->coder, i);
  uint64_t node = d->entry ? d->entry[code >> d->from] : root_of (d, code >> d->top);
  for (unsigned k = d->from; k > d->to; k--)
    node = child (d, k, node, code >> (k - 1) & 1);
  return d->leaf[node << d->to | (code & ((UINT64_C (1) << d->to) - 1))];
}

int sd_obdd_get (const sd_decoder *d, uint64_t i, sd_symbol *out) {
  *out = find ((const decoder *) d, i);
  return SD_OK;
}

int sd_obdd_read (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const decoder *d = (const decoder *) base;
  const uint64_t tasks = (count + PARALLEL_SLOTS - 1) / PARALLEL_SLOTS;
#pragma omp parallel for schedule(dynamic) if (tasks > 1)
  for (uint64_t t = 0; t < tasks; t++) {
    const uint64_t from = t * PARALLEL_SLOTS,
                   to = from + PARALLEL_SLOTS < count ? from + PARALLEL_SLOTS : count;
    for (uint64_t i = from; i < to; i++)
      out[i] = find (d, first + i);
  }
  return SD_OK;
}

void sd_obdd_close (sd_decoder *base) {
  decoder *d = (decoder *) base;
  for (unsigned k = 1; k <= d->top; k++)
    sd_ef_close (&d->level[k].nodes);
  sd_obdd_coder_clear (&d->coder);
  free (d->entry);
  free (d->leaf);
  free (d);
}

/* ------------------------------------------------------------------- opening */

static int open_roots (decoder *d, sd_reader *r, uint64_t nodes, sd_error *err) {
  const uint64_t n = UINT64_C (1) << (d->vars.n - d->top);
  d->root_width = sd_bits_for (nodes);
  d->parts.index = sd_obdd_root_bytes (n, nodes);
  d->root = sd_get_bytes (r, d->parts.index);
  if (!d->root)
    return sd_fail (err, SD_EFORMAT, "obdd: the stream ends before its %llu roots", (unsigned long long) n);
  for (uint64_t i = 0; i < roots_to_look_at (d); i++)
    if (root_of (d, i) >= nodes)
      return sd_fail (err, SD_EFORMAT, "obdd: root %llu is no node of level %u", (unsigned long long) i,
                      d->top);
  return SD_OK;
}

static int open_level (decoder *d, sd_reader *r, unsigned k, uint64_t nodes, uint64_t below, sd_error *err) {
  const uint64_t bytes = sd_ef_bytes (nodes, below * below);
  const uint8_t *at = sd_get_bytes (r, bytes);
  int st = at ? sd_ef_open (&d->level[k].nodes, at, r->end, nodes, below * below) : SD_EFORMAT;
  if (st == SD_ENOMEM)
    return sd_fail_memory (err, 0);
  if (st)
    return sd_fail (err, SD_EFORMAT, "obdd: level %u: %s", k,
                    at ? "its nodes are not different pairs in rising order"
                       : "the stream ends before its nodes");
  d->level[k].below = below;
  d->level[k].inverse = sd_obdd_inverse (below);
  d->parts.payload += bytes;
  d->parts.symbols += nodes;
  return SD_OK;
}

/* The table of entries: from the roots down as far as it stays small. */
static int open_entries (decoder *d) {
  d->from = d->top;
  while (d->from > 0 && UINT64_C (1) << (d->vars.n - d->from + 1) <= QUICK)
    d->from--;
  const uint64_t n = UINT64_C (1) << (d->vars.n - d->from);
  if (n > QUICK) /* the roots are many already */
    return SD_OK;
  d->entry = sd_alloc (n, sizeof *d->entry);
  for (uint64_t i = 0; d->entry && i < n; i++) {
    uint64_t node = root_of (d, i >> (d->top - d->from));
    for (unsigned k = d->top; k > d->from; k--)
      node = child (d, k, node, i >> (k - 1 - d->from) & 1);
    d->entry[i] = (uint32_t) node;
  }
  return d->entry ? SD_OK : SD_ENOMEM;
}

/* The table of leaves: from the main symbols up as far as it stays small. */
static int open_leaves (decoder *d, unsigned m) {
  d->leaf = sd_alloc (m, sizeof *d->leaf);
  for (unsigned v = 0; d->leaf && v < m; v++)
    d->leaf[v] = (sd_symbol) v;
  while (d->leaf && d->to < d->from && d->level[d->to + 1].nodes.n << (d->to + 1) <= QUICK) {
    const uint64_t half = UINT64_C (1) << d->to++, n = d->level[d->to].nodes.n;
    sd_symbol *next = sd_alloc (n * 2 * half, sizeof *next);
    for (uint64_t i = 0; next && i < 2 * n; i++)
      memcpy (next + i * half, d->leaf + child (d, d->to, i / 2, i & 1) * half, half * sizeof *next);
    free (d->leaf);
    d->leaf = next;
  }
  return d->leaf ? SD_OK : SD_ENOMEM;
}

static int open_stream (decoder *d, const uint8_t *data, size_t len, uint64_t n, unsigned m, sd_error *err) {
  sd_reader r = sd_reader_of (data, len);
  uint64_t nodes[SD_OBDD_MAX_VARS + 1] = { m };
  d->end = r.end;
  if (sd_obdd_vars_read (&r, n, &d->vars))
    return sd_fail (err, SD_EFORMAT, "obdd: damaged list of variables");
  const unsigned top = sd_get_u8 (&r);
  if (r.bad || top > d->vars.n)
    return sd_fail (err, SD_EFORMAT, "obdd: %u levels of %u variables", top, d->vars.n);
  for (unsigned k = top; k > 0; k--) {
    nodes[k] = sd_get_varint (&r);
    if (r.bad || nodes[k] >= UINT32_MAX || nodes[k] >= 8 * (uint64_t) len)
      return sd_fail (err, SD_EFORMAT, "obdd: level %u: damaged number of nodes", k);
    nodes[k]++;
  }
  d->parts.header = (uint64_t) (r.p - data);
  d->top = top; /* from here on close () frees the levels */
  SD_TRY (open_roots (d, &r, nodes[top], err));
  for (unsigned k = top; k > 0; k--)
    SD_TRY (open_level (d, &r, k, nodes[k], nodes[k - 1], err));
  if (r.p != r.end)
    return sd_fail (err, SD_EFORMAT, "obdd: %llu bytes behind the last level",
                    (unsigned long long) (r.end - r.p));
  return sd_obdd_coder_new (&d->vars, &d->coder) || open_entries (d) || open_leaves (d, m)
             ? sd_fail_memory (err, 0)
             : SD_OK;
}

int sd_obdd_open (const uint8_t *data, size_t len, uint64_t n, unsigned m, sd_decoder **out, sd_error *err) {
  decoder *d = sd_alloc0 (1, sizeof *d);
  if (!d)
    return sd_fail_memory (err, sizeof *d);
  int st = open_stream (d, data, len, n, m, err);
  if (st)
    sd_obdd_close (&d->base);
  else
    *out = &d->base;
  return st;
}

void sd_obdd_describe (const sd_decoder *d, sd_codec_parts *parts) {
  *parts = ((const decoder *) d)->parts;
}

void sd_obdd_describe_shape (const sd_decoder *base, sd_obdd_shape *out) {
  const decoder *d = (const decoder *) base;
  memset (out, 0, sizeof *out);
  out->variables = d->vars.n;
  out->levels = d->top;
  out->roots = UINT64_C (1) << (d->vars.n - d->top);
  for (unsigned k = 1; k <= d->top; k++) {
    out->nodes[k] = d->level[k].nodes.n;
    out->nodes[k - 1] = d->level[k].below;
    for (uint64_t x = 0; x < out->nodes[k]; x++) {
      const uint64_t key = sd_ef_get (&d->level[k].nodes, x);
      out->branching[k] += key / d->level[k].below != key % d->level[k].below;
    }
  }
  if (d->top == 0)
    out->nodes[0] = base->m;
  sd_obdd_vars_text (&d->vars, out->order);
}

/* ------------------------------------------------------------------ invariants */

/* Mark the children of level k's marked nodes; *useless = the first node that is not marked, or its number of
 * nodes. */
static void reach (const decoder *d, unsigned k, const uint8_t *marked, uint8_t *below, uint64_t *useless) {
  uint64_t n = d->level[k].nodes.n;
  *useless = n;
  for (uint64_t x = n; x-- > 0;)
    if (!marked[x])
      *useless = x;
    else if (below) {
      uint64_t key = sd_ef_get (&d->level[k].nodes, x);
      below[key / d->level[k].below] = below[key % d->level[k].below] = 1;
    }
}

int sd_obdd_validate (const sd_decoder *base, sd_error *err) {
  const decoder *d = (const decoder *) base;
  uint8_t *marked = d->top ? sd_alloc0 (d->level[d->top].nodes.n, 1) : NULL;
  if (d->top && !marked)
    return sd_fail_memory (err, 0);
  for (uint64_t i = 0; i < roots_to_look_at (d); i++) {
    uint64_t x = root_of (d, i);
    if (x >= (d->top ? d->level[d->top].nodes.n : base->m)) {
      free (marked);
      return sd_fail (err, SD_EDIFF, "root %llu is no node", (unsigned long long) i);
    }
    if (marked)
      marked[x] = 1;
  }
  int st = SD_OK;
  for (unsigned k = d->top; !st && k > 0; k--) {
    const sd_ef *e = &d->level[k].nodes;
    const uint64_t below = d->level[k].below;
    uint8_t *next = sd_alloc0 (below, 1);
    uint64_t useless = e->n, last = 0;
    if (!next)
      st = sd_fail_memory (err, 0);
    for (uint64_t x = 0; !st && x < e->n; x++) {
      uint64_t key = sd_ef_get (e, x);
      if (key / below >= below || (x && key <= last))
        st = sd_fail (err, SD_EDIFF, "level %u, node %llu: %s", k, (unsigned long long) x,
                      key / below >= below ? "an edge leads nowhere" : "not behind the node before it");
      last = key;
    }
    if (!st)
      reach (d, k, marked, next, &useless);
    if (!st && useless < e->n)
      st = sd_fail (err, SD_EDIFF, "level %u, node %llu: nothing leads to it", k,
                    (unsigned long long) useless);
    free (marked);
    marked = next;
  }
  free (marked);
  return st;
}
