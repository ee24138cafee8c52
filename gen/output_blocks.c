/* The blocks of a table, coded by the ranks in rounds: in each round a rank takes some blocks, all ranks send
 * it the values that they hold of them, its threads code them, decode what they have coded and compare. What
 * stays is the coded bytes, so that a rank needs, beside its values, memory for a few blocks and no more.
 *
 * A block is the same whoever codes it: its place in the table is fixed, and free slots hold the most
 * frequent value of the side, which all ranks know. Places rise with states on every rank (sd_deal), so a
 * rank's part of a block is one range of its values. */
#include "config.h"
#include "base/parts.h"
#include "gen/output_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_A_CODER = 2 }; /* of a round: threads that are done early find another one */
enum { BUDGET = 24 << 20 };  /* bytes for coding that a rank may take at least */

uint64_t sd_output_before (const sd_deal *d, uint64_t end, int rank) {
  /* States are dealt in turns of `grain` to each rank. */
  const uint64_t round = d->grain * d->size, turns = end / round, rest = end % round;
  const uint64_t first = (uint64_t) rank * d->grain;
  return turns * d->grain + (rest <= first ? 0 : rest - first < d->grain ? rest - first : d->grain);
}

/* What the blocks of a round need. */
typedef struct round {
  uint64_t first, last;           /* blocks of all ranks */
  unsigned hold, coders;          /* blocks of a rank in a round; threads that code */
  uint64_t raw_bytes;             /* of the largest block */
  uint8_t *raw;                   /* [hold * raw_bytes] this rank's blocks */
  uint8_t *out, *in;              /* the exchange */
  uint64_t *out_bytes, *in_bytes; /* [size] */
  uint64_t *out_at;               /* [hold * size] place in out of this rank's part of block first + i */
} round;

/* The states of block i. */
static uint64_t states_of (const sd_output *o, uint64_t i, uint64_t *first) {
  const unsigned s = sd_output_side_of (o, i);
  const sd_block_plan *p = &o->side[s].plan;
  *first = s * o->n + (i - o->side[s].first) * p->block;
  return sd_block_count (p, i - o->side[s].first);
}

/* The places of rank `rank` whose states are in block i. */
static uint64_t places_of (const sd_output *o, uint64_t i, int rank, uint64_t *place) {
  uint64_t first, n = states_of (o, i, &first);
  *place = sd_output_before (&o->solution->deal, first, rank);
  return sd_output_before (&o->solution->deal, first + n, rank) - *place;
}

/* Bytes of a symbol. */
static unsigned width_of (const sd_output *o, uint64_t i) {
  return o->side[sd_output_side_of (o, i)].plan.width;
}

/* As sd_block_raw () writes symbols, straight from values. */
static void to_symbols (const uint16_t *index, const sd_value *v, uint64_t n, unsigned width, uint8_t *out) {
  if (width == 1)
    for (uint64_t i = 0; i < n; i++)
      out[i] = (uint8_t) index[(uint16_t) v[i]];
  else
    for (uint64_t i = 0; i < n; i++) {
      unsigned x = index[(uint16_t) v[i]];
      out[2 * i] = (uint8_t) x;
      out[2 * i + 1] = (uint8_t) (x >> 8);
    }
}

/* Neighbouring places of a rank. */
typedef struct places {
  int rank;
  uint64_t first, n;
} places;

/* The symbols of these places to where they belong in block i, whose symbols are raw[]. */
static void put (const sd_output *o, uint64_t i, places at, const uint8_t *src, uint8_t *raw) {
  const unsigned width = width_of (o, i);
  uint64_t first, place = at.first, n = at.n;
  states_of (o, i, &first);
  while (n) {
    /* Neighbouring places are neighbouring states for a stretch only. */
    uint64_t run, state = sd_deal_state (&o->solution->deal, at.rank, place, &run);
    run = run < n ? run : n;
    memcpy (raw + (state - first) * width, src, run * width);
    src += run * width;
    place += run;
    n -= run;
  }
}

/* ---------------------------------------------------------------- exchange */

/* Block number k of this rank in the round. */
static uint64_t own_block (const sd_output *o, const round *r, uint64_t k) {
  return r->first + k * (uint64_t) o->t->size + (uint64_t) o->t->rank;
}

/* How many blocks of this round are this rank's. */
static uint64_t own_blocks (const sd_output *o, const round *r) {
  const uint64_t size = (uint64_t) o->t->size, rank = (uint64_t) o->t->rank, n = r->last - r->first;
  return n / size + (n % size > rank);
}

/* Who sends how much to whom in this round; r->first is a multiple of the number of ranks. */
static void count_parts (const sd_output *o, round *r) {
  const uint64_t size = (uint64_t) o->t->size;
  uint64_t place, at = 0;

  memset (r->out_bytes, 0, size * sizeof *r->out_bytes);
  memset (r->in_bytes, 0, size * sizeof *r->in_bytes);
  /* Blocks of a rank in their order, so that its part of the buffer is one piece. */
  for (uint64_t to = 0; to < size; to++)
    for (uint64_t i = r->first + to; i < r->last; i += size) {
      r->out_at[i - r->first] = at;
      if (to == (uint64_t) o->t->rank) { /* stays here */
        for (uint64_t from = 0; from < size; from++)
          if (from != to)
            r->in_bytes[from] += places_of (o, i, (int) from, &place) * width_of (o, i);
        continue;
      }
      uint64_t bytes = places_of (o, i, o->t->rank, &place) * width_of (o, i);
      r->out_bytes[to] += bytes;
      at += bytes;
    }
}

static uint64_t total (const uint64_t *v, int n) {
  uint64_t sum = 0;
  for (int i = 0; i < n; i++)
    sum += v[i];
  return sum;
}

/* This rank's values of block i: to the exchange, or to where they belong if it is its own. */
static void give (const sd_output *o, const round *r, uint64_t i) {
  const uint64_t size = (uint64_t) o->t->size;
  const unsigned width = width_of (o, i);
  const uint16_t *index = o->side[sd_output_side_of (o, i)].index;
  uint64_t place, n = places_of (o, i, o->t->rank, &place);
  /* In windows: symbols need not stand in memory beside the block. */

  const bool own = i % size == (uint64_t) o->t->rank;
  uint8_t window[2 * SD_OUTPUT_WINDOW], *raw = r->raw + (i - r->first) / size * r->raw_bytes;
  sd_value room[SD_OUTPUT_WINDOW];
  for (uint64_t k = 0; k < n; k += SD_OUTPUT_WINDOW) {
    const uint64_t m = n - k < SD_OUTPUT_WINDOW ? n - k : SD_OUTPUT_WINDOW;
    const sd_value *v = sd_output_values (o, place + k, m, room);
    to_symbols (index, v, m, width, own ? window : r->out + r->out_at[i - r->first] + k * width);
    if (own)
      put (o, i, (places){ o->t->rank, place + k, m }, window, raw);
  }
}

/* What the others have sent for this rank's blocks. */
static void take (const sd_output *o, const round *r) {
  const uint8_t *src = r->in;
  for (int from = 0; from < o->t->size; from++) {
    if (from == o->t->rank)
      continue;
    /* Each sender has put its parts in the order of blocks. */
    for (uint64_t k = 0; k < own_blocks (o, r); k++) {
      uint64_t i = own_block (o, r, k), place, n = places_of (o, i, from, &place);
      put (o, i, (places){ from, place, n }, src, r->raw + k * r->raw_bytes);
      src += n * width_of (o, i);
    }
  }
}

/* Collective: r->raw for the blocks first..last-1. */
static int collect (sd_output *o, round *r, sd_error *err) {
  count_parts (o, r);
  const uint64_t out = total (r->out_bytes, o->t->size), in = total (r->in_bytes, o->t->size);
  r->out = sd_alloc (out, 1);
  r->in = sd_alloc (in, 1);
  sd_output_hold (o, out + in);
  /* All go on, or none: an exchange needs all of them. */
  int st = sd_agree (o->t, r->out && r->in ? SD_OK : sd_fail_memory (err, out + in), err);
  if (st == SD_OK) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(r->coders)
    for (uint64_t i = r->first; i < r->last; i++)
      give (o, r, i);
    if (o->t->size > 1) {
      st = o->t->exchange (o->t->ctx, r->out, r->out_bytes, r->in, r->in_bytes);
      st = sd_exchanged (st, o->path, "their values", err);
      if (st == SD_OK)
        take (o, r);
    }
  }
  free (r->out);
  free (r->in);
  sd_output_release (o, out + in);
  return st;
}

/* ------------------------------------------------------------------ coding */

/* One block: coded, decoded, compared, kept. */
static int code_block (sd_output *o, const round *r, uint64_t k, sd_block_coder *c, uint8_t *packed) {
  const uint64_t i = own_block (o, r, k), number = i / (uint64_t) o->t->size;
  const sd_output_side *side = &o->side[sd_output_side_of (o, i)];
  const uint8_t *raw = r->raw + k * r->raw_bytes;
  const uint64_t count = sd_block_count (&side->plan, i - side->first);
  size_t len;

  SD_TRY (sd_block_pack (c, raw, count, packed, &len));
  SD_TRY (sd_block_compare (c, packed, len, raw, count));

  sd_output_block *b = &o->mine[number];
  /* As long as the block has become: most are much shorter than the room for one. */
  b->data = sd_alloc (len, 1);
  if (!b->data)
    return SD_ENOMEM;
  memcpy (b->data, packed, len);
  b->bytes = (uint32_t) len;
  o->length[i] = len;
  return SD_OK;
}

/* A block that does not decode to its values stops everything: the table would be wrong, and nobody would
 * know why. */
static int code_round (sd_output *o, const round *r, sd_error *err) {
  const uint64_t n = own_blocks (o, r);
  int status = SD_OK;
  uint64_t bad = 0;

#pragma omp parallel num_threads(r->coders)
  {
    sd_block_coder *coder = NULL;
    unsigned coder_side = 2;
    uint8_t *packed = sd_alloc (r->raw_bytes, 1);
    int st = packed ? SD_OK : SD_ENOMEM;
#pragma omp for schedule(dynamic, 1)
    for (uint64_t k = 0; k < n; k++) {
      const uint64_t i = own_block (o, r, k);
      const unsigned side = sd_output_side_of (o, i);
      if (sd_thread_number () == 0)
        sd_report (o->progress, "coding", i, o->blocks);
      /* A coder is made for a side's plan, and kept for its blocks. */
      if (st == SD_OK && side != coder_side) {
        sd_block_coder_free (coder);
        st = sd_block_coder_new (&o->side[side].plan, &coder);
        coder_side = side;
      }
      if (st == SD_OK)
        st = code_block (o, r, k, coder, packed);
      if (st != SD_OK) {
#pragma omp critical(sd_output_code)
        {
          status = st;
          bad = i;
        }
      }
    }
    sd_block_coder_free (coder);
    free (packed);
  }
  for (uint64_t k = 0; k < n; k++)
    sd_output_hold (o, o->mine[own_block (o, r, k) / (uint64_t) o->t->size].bytes);
  if (status == SD_EDIFF || status == SD_EFORMAT)
    return sd_fail (err, SD_EDIFF,
                    "%s: block %" PRIu64 ": its coded bytes do not give its values back: the memory or the "
                    "processor of this machine cannot be relied on",
                    o->path, bad);
  if (status == SD_ENOMEM)
    return sd_fail_memory (err, 0);
  return status
             ? sd_fail (err, status, "%s: block %" PRIu64 ": coding: %s", o->path, bad, sd_strerror (status))
             : SD_OK;
}

/* ------------------------------------------------------------------ rounds */

unsigned sd_output_coders (uint64_t local, uint64_t share, unsigned threads, uint64_t coder_bytes,
                           uint64_t raw_bytes) {
  const uint64_t budget = local / 4 * 3 > BUDGET ? local / 4 * 3 : BUDGET;
  const uint64_t each = coder_bytes + BLOCKS_A_CODER * raw_bytes;
  uint64_t coders = threads;
  /* As many as the memory bears, and no more than have work. */
  coders = coders > budget / each ? budget / each : coders;
  coders = coders > share ? share : coders;
  return coders ? (unsigned) coders : 1;
}

unsigned sd_output_hold_blocks (unsigned coders, uint64_t share) {
  const uint64_t hold = (uint64_t) coders * BLOCKS_A_CODER;
  return (unsigned) (hold > share ? share : hold);
}

/* Collective: as many threads as all ranks have, and as their memory bears. */
static int plan_round (sd_output *o, round *r, uint64_t *coder_bytes, sd_error *err) {
  const uint64_t size = (uint64_t) o->t->size, share = o->blocks / size + (o->blocks % size != 0);
  const uint64_t local = sd_output_before (&o->solution->deal, o->solution->deal.nstates, o->t->rank);
  uint64_t memory = 0;

  for (unsigned s = 0; s < o->nsides; s++) {
    const sd_output_side *side = &o->side[s];
    /* A side of one value has no blocks. */
    if (side->m == 1)
      continue;
    uint64_t raw = side->plan.block * side->plan.width, coder = sd_blocks_memory (&side->plan);
    r->raw_bytes = raw > r->raw_bytes ? raw : r->raw_bytes;
    memory = coder > memory ? coder : memory;
  }
  *coder_bytes = memory + r->raw_bytes;
  /* the largest of these is the fewest coders */
  uint64_t coders = UINT32_MAX - sd_output_coders (local, share, o->threads, *coder_bytes, r->raw_bytes);
  SD_TRY (sd_exchanged (o->t->max (o->t->ctx, &coders, 1), NULL, "their numbers of threads", err));
  r->coders = (unsigned) (UINT32_MAX - coders);
  r->hold = sd_output_hold_blocks (r->coders, share);
  return SD_OK;
}

int sd_output_code (sd_output *o, sd_error *err) {
  const uint64_t size = (uint64_t) o->t->size, rank = (uint64_t) o->t->rank;
  round r = { 0 };
  uint64_t coder_bytes;

  if (o->blocks == 0)
    return SD_OK;
  SD_TRY (plan_round (o, &r, &coder_bytes, err));
  const uint64_t step = r.hold * size;
  o->nmine = o->blocks / size + (o->blocks % size > rank);
  o->mine = sd_alloc0 (o->nmine, sizeof *o->mine);
  o->length = sd_alloc0 (o->blocks, sizeof *o->length);
  r.raw = sd_alloc (r.hold, r.raw_bytes);
  r.out_bytes = sd_alloc (size, sizeof *r.out_bytes);
  r.in_bytes = sd_alloc (size, sizeof *r.in_bytes);
  r.out_at = sd_alloc (step, sizeof *r.out_at);
  const uint64_t fixed = r.hold * r.raw_bytes + (2 * size + step) * sizeof *r.out_at;
  sd_output_hold (o, o->nmine * sizeof *o->mine + o->blocks * sizeof *o->length + fixed);
  int st = SD_OK;
  if (!o->mine || !o->length || !r.raw || !r.out_bytes || !r.in_bytes || !r.out_at)
    st = sd_fail_memory (err, fixed);
  /* No rank begins to exchange where another one has no memory. */
  st = sd_agree (o->t, st, err);
  sd_report_stage (o->progress, SD_STAGE_CODE);
  for (r.first = 0; st == SD_OK && r.first < o->blocks; r.first = r.last) {
    r.last = o->blocks - r.first < step ? o->blocks : r.first + step;
    sd_report (o->progress, "coding", r.first, o->blocks);
    st = collect (o, &r, err);
    if (st == SD_OK) {
      sd_output_hold (o, r.coders * coder_bytes);
      st = code_round (o, &r, err);
      sd_output_release (o, r.coders * coder_bytes);
    }
    st = sd_agree (o->t, st, err);
  }
  /* Each rank knows its own lengths, the others' are 0: the sum is all of them. */
  if (st == SD_OK)
    st = sd_exchanged (o->t->sum (o->t->ctx, o->length, (unsigned) o->blocks), o->path,
                       "the lengths of their blocks", err);
  sd_output_release (o, fixed);
  free (r.raw);
  free (r.out_bytes);
  free (r.in_bytes);
  free (r.out_at);
  return st;
}
