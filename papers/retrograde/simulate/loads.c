/* The loads of real iterations: how many states each rank of P would have decided at each distance.
 *
 * A solved table says at which ply each state was decided, and that is the iteration in which its owner sends
 * marks along its un-moves (Makhnychev 2012, 3.3). So one pass over a DTM table gives the loads for
 * any number of ranks and any deal. The file is read in pieces of whole blocks; memory is that of the
 * counters. What illegal slots hold is left to the codec, so that each slot must be looked at: most of the
 * time goes there, some 0.1 us a slot, on all threads. */
#include "config.h"
#include "papers/retrograde/simulate/simulate.h"
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 21 }; /* slots; a multiple of the blocks that the generator writes */
static const uint16_t NEVER = UINT16_MAX;

/* The DTM behind each symbol, in plies. */
static unsigned plies (const sd_value *map, unsigned main, uint16_t *ply) {
  unsigned most = 0;
  for (unsigned i = 0; i < main; i++) {
    const int v = map[i];
    ply[i] = v == 0 || v == SD_ILLEGAL ? NEVER : (uint16_t) (v > 0 ? v : -v - 1);
    if (ply[i] != NEVER && ply[i] > most)
      most = ply[i];
  }
  return most;
}

/* Slots first, first + 1, ... of a side. */
typedef struct piece {
  uint64_t first, n;
  sd_symbol *sym; /* what the side holds there */
  uint16_t *at;   /* when they are decided */
} piece;

static void decided (const sd_table_info *in, unsigned side, const piece *p, const uint16_t *ply) {
  const sd_indexer *indexer = in->side[side].indexer;
  const unsigned main = in->side[side].main;
#pragma omp parallel for schedule(dynamic, 4096)
  for (uint64_t i = 0; i < p->n; i++) {
    sd_pos pos;
    p->at[i] = p->sym[i] < main ? ply[p->sym[i]] : NEVER;
    if (p->at[i] != NEVER && !sd_index_position (indexer, p->first + i, side, &pos))
      p->at[i] = NEVER;
  }
}

/* before: slots of the table before this piece. */
static void tally (sd_sim_loads *l, uint64_t grain, uint64_t before, const piece *p) {
  const uint64_t ranks = (uint64_t) l->deal.ranks, first = before + p->first, n = p->n;
  const uint16_t *ply = p->at;
  uint64_t left = grain - first % grain, owner = first / grain % ranks;
  for (uint64_t i = 0; i < n;) {
    const uint64_t end = left < n - i ? i + left : n;
    left -= end - i;
    for (; i < end; i++)
      if (ply[i] != NEVER)
        l->count[(uint64_t) ply[i] * ranks + owner]++;
    if (left == 0) {
      left = grain;
      owner = owner + 1 < ranks ? owner + 1 : 0;
    }
  }
}

static int prepare (const sd_table_info *in, const char *name, uint16_t *ply[2], sd_sim_loads *out,
                    unsigned n, sd_error *err) {
  if (in->metric != SD_USUAL_EXACT || in->coding != SD_CODING_SIGNED
      || (in->freedom & ~(unsigned) SD_FREE_ILLEGAL) || sd_table_info_by_moves (in))
    return sd_fail (err, SD_EUNSUPPORTED,
                    "%s: is not a complete DTM table; make the table by 'subdef gen', or reformat it with "
                    "'--metric dtm --coding signed --freedom illegal --sides both'",
                    name);
  unsigned most = 0;
  for (unsigned side = 0; side < in->nsides; side++) {
    ply[side] = sd_alloc (in->side[side].main, sizeof **ply);
    if (!ply[side])
      return sd_fail_memory (err, 0);
    unsigned p = plies (in->side[side].map, in->side[side].main, ply[side]);
    most = p > most ? p : most;
  }
  for (unsigned i = 0; i < n; i++) {
    uint64_t cells;
    const int ranks = out[i].deal.ranks;
    if (ranks < 1)
      return sd_fail (err, SD_EINVAL, "%s: states cannot be dealt out to %d ranks", name, ranks);
    out[i].iterations = most + 1;
    if (sd_mul ((uint64_t) most + 1, (uint64_t) ranks, &cells)
        || !(out[i].count = sd_alloc0 (cells, sizeof *out[i].count)))
      return sd_fail_memory (err, (size_t) ranks * (most + 1) * 4);
  }
  return SD_OK;
}

int sd_sim_loads_read (const sd_table *t, const char *name, sd_sim_loads *out, unsigned n,
                       const sd_progress *progress, sd_error *err) {
  sd_table_info in;
  uint16_t *ply[2] = { NULL, NULL };
  for (unsigned i = 0; i < n; i++)
    out[i].count = NULL;
  sd_table_describe (t, &in);
  uint64_t total = 0, first = 0;
  for (unsigned side = 0; side < in.nsides; side++)
    total += in.side[side].slots;
  SD_OWNED sd_symbol *sym = sd_alloc (PIECE, sizeof *sym);
  SD_OWNED uint16_t *at = sd_alloc (PIECE, sizeof *at);
  int st = sym && at ? prepare (&in, name, ply, out, n, err) : sd_fail_memory (err, 2 * PIECE * 2);
  for (unsigned side = 0; side < in.nsides && st == SD_OK; side++) {
    const uint64_t slots = in.side[side].slots;
    for (uint64_t i = 0; i < slots && st == SD_OK; i += PIECE) {
      const uint64_t m = slots - i < PIECE ? slots - i : PIECE;
      sd_report (progress, "counting loads", first + i, total);
      st = sd_codec_read (in.side[side].decoder, i, m, sym);
      if (st != SD_OK) {
        sd_fail (err, st, "%s: side %u, slots from %ju: %s", name, side, (uintmax_t) i, sd_strerror (st));
        break;
      }
      const piece p = { i, m, sym, at };
      decided (&in, side, &p, ply[side]);
      for (unsigned k = 0; k < n; k++) {
        const sd_sim_deal *d = &out[k].deal;
        const uint64_t share = (total + (uint64_t) d->ranks - 1) / (uint64_t) d->ranks;
        tally (&out[k], d->grain ? d->grain : share, first, &p);
      }
    }
    first += slots;
  }
  for (unsigned i = 0; i < n && st != SD_OK; i++)
    sd_sim_loads_free (&out[i]);
  free (ply[0]);
  free (ply[1]);
  return st;
}

void sd_sim_loads_free (sd_sim_loads *l) {
  free (l->count);
  *l = (sd_sim_loads){ 0 };
}
