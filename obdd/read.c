/** \file read.c
 * Lookups in a stored diagram: the digits of the index give a code, its high bits a root, each further bit an
 * edge. A node is read where it stands (ef_internal.h). Opening looks at every node and root once, so that
 * lookups need no checks; many steps are taken at once (hops.c). */
#include "config.h"
#include "codecs/row.h"
#include "obdd/read_internal.h"

#include <stdlib.h>

static inline sd_symbol find (const sd_obdd_decoder *d, uint64_t i) {
  const uint64_t word = sd_obdd_code (&d->coder, i);
  uint64_t node = d->from_root ? sd_root_of (d, word >> d->root_shift) : 0;
  /* Each hop takes its own bits of the word: no hop waits for the index, only for the node before. */
  for (const sd_hop *h = d->hop, *end = h + d->nhops; h < end; h++) {
    const uint64_t way = word >> h->shift & h->mask;
    node = h->table.byte ? sd_packed_get (&h->table, node * h->ways + way)
                         : sd_nodes_child (&d->level[h->from], node, (unsigned) way);
  }
  return (sd_symbol) node;
}

static int get (const sd_decoder *d, uint64_t i, sd_symbol *out) {
  *out = find ((const sd_obdd_decoder *) d, i);
  return SD_OK;
}

/* Slot by slot: neighbours share no work, since each walks down from its root. */
static int find_all (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out) {
  for (uint64_t i = 0; i < count; i++)
    out[i] = find ((const sd_obdd_decoder *) d, first + i);
  return SD_OK;
}

static int read (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out) {
  return sd_read_parts (d, first, count, SD_READ_STEP / 4, find_all, out);
}

static void close (sd_decoder *base) {
  sd_obdd_decoder *d = (sd_obdd_decoder *) base;
  sd_hops_close (d);
  free (d->level);
  free (d);
}

/* ------------------------------------------------------------------- opening */

static int open_roots (sd_obdd_decoder *d, sd_reader *r, uint64_t nodes, sd_error *err) {
  const uint64_t n = UINT64_C (1) << (d->vars.n - d->top);
  d->root_width = sd_bits_for (nodes);
  d->parts.index = sd_obdd_root_bytes (n, nodes);
  d->root = sd_get_bytes (r, d->parts.index);
  if (!d->root)
    return sd_fail (err, SD_EFORMAT, "obdd: the stream ends before its %llu roots", (unsigned long long) n);
  /* Checked once here, so that a lookup need not. */
  for (uint64_t i = 0; i < sd_roots_to_look_at (d); i++)
    if (sd_root_of (d, i) >= nodes)
      return sd_fail (err, SD_EFORMAT, "obdd: root %llu is no node of level %u", (unsigned long long) i,
                      d->top);
  return SD_OK;
}

static int open_level (sd_obdd_decoder *d, sd_reader *r, unsigned k, uint64_t nodes, uint64_t below,
                       sd_error *err) {
  const uint8_t *from = r->p;
  const char *why = sd_nodes_open (&d->level[k], d->form, r, nodes, below);
  if (why)
    return sd_fail (err, SD_EFORMAT, "obdd: level %u: %s", k, why);
  d->parts.payload += (uint64_t) (r->p - from);
  d->parts.symbols += nodes;
  d->parts.symbol = "node";
  return SD_OK;
}

static int open (const sd_stream *s, sd_decoder *base, sd_error *err) {
  sd_obdd_decoder *d = (sd_obdd_decoder *) base;
  sd_reader r = sd_reader_of (s->data, s->len);
  uint64_t nodes[SD_OBDD_MAX_VARS + 1] = { s->m };

  d->is_small = s->small;
  d->end = r.end;
  if (sd_obdd_vars_read (&r, s->n, &d->vars))
    return sd_fail (err, SD_EFORMAT, "obdd: damaged list of variables");

  const unsigned form = sd_get_u8 (&r), top = form & SD_OBDD_TOP;
  if (r.bad || top > d->vars.n)
    return sd_fail (err, SD_EFORMAT, "obdd: %u levels of %u variables", top, d->vars.n);
  if (form >> SD_OBDD_FORM >= SD_FORMS)
    return sd_fail (err, SD_EFORMAT, "obdd: levels are stored in a way that this program does not know");
  d->form = (sd_obdd_form) (form >> SD_OBDD_FORM);
  /* No level has more nodes than its stream has bits; a number beyond that would only be asked memory for. */
  for (unsigned k = top; k > 0; k--) {
    nodes[k] = sd_get_varint (&r);
    if (r.bad || nodes[k] >= UINT32_MAX || nodes[k] >= 8 * (uint64_t) s->len)
      return sd_fail (err, SD_EFORMAT, "obdd: level %u: damaged number of nodes", k);
    nodes[k]++;
  }

  d->parts.header = (uint64_t) (r.p - s->data);
  /* What digits of equal men take beside the stream counts among what a reader may be asked for. */
  d->parts.values = sd_obdd_values (&d->vars);
  d->level = sd_alloc0 (top + 1, sizeof *d->level);
  if (!d->level)
    return sd_fail_memory (err, 0);

  d->top = top; /* from here on close () frees the levels */
  SD_TRY (open_roots (d, &r, nodes[top], err));
  for (unsigned k = top; k > 0; k--)
    SD_TRY (open_level (d, &r, k, nodes[k], nodes[k - 1], err));
  if (r.p != r.end)
    return sd_fail (err, SD_EFORMAT, "obdd: %llu bytes behind the last level",
                    (unsigned long long) (r.end - r.p));
  return sd_hops_open (d, s->m, s->len) ? sd_fail_memory (err, 0) : SD_OK;
}

static void describe (const sd_decoder *d, sd_codec_parts *parts) {
  *parts = ((const sd_obdd_decoder *) d)->parts;
}

const sd_decoder_ops sd_obdd_ops = { get, read, close, describe, sizeof (sd_obdd_decoder), open, NULL, NULL };

/* Of WDL, means of KBvKP (one stream for both sides), KRvKN (White), KQvKR (Black) and KBNvK (White). */
static const sd_more more[] = { { "starts=1,polish=1", { 0.82F, 0.985F }, { 3.5F, 10 } },
                                { "starts=1,polish=4", { 0.78F, 0.98F }, { 6, 25 } },
                                { "polish=20", { 0.76F, 0.975F }, { 15, 60 } },
                                { "clusters=64", { 0.97F, 0.78F }, { 3, 12 } },
                                { "polish=20,clusters=64", { 0.755F, 0.77F }, { 18, 75 } },
                                { "sums=yes,clusters=64", { 0.97F, 0.79F }, { 4, 14 } },
                                { "sums=yes,polish=20", { 0.85F, 0.97F }, { 7, 30 } },
                                { NULL, { 0 }, { 0 } } };

const sd_codec sd_codec_obdd = {
  SD_IDENTITY (obdd),
  .summary = "decision diagram over the bits of the index, one step a bit",
  .takes_free_slots = true,
  .only_reads_source = true,
  .makes_clusters = true,
  SD_ENCODER (.tunables = sd_obdd_tunables, .overrules = sd_obdd_overrules, .encode = sd_obdd_encode, ).ops =
      &sd_obdd_ops,
  .trials = { .settings = { "" },
              .ways = { "sums=yes", "polish=20", "clusters=64" },
              .more = more,
              .slow = true,
              .whole = true },
  .latency = { 0, 0, 0, 0.886 }, /* off by 28 % at most */
  .memory = { 4, 18, 0, 0 },
  .colour = "#c93f82",
  .mark = 13,
};
