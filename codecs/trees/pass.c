/** \file pass.c
 * All slots in blocks, by several threads.
 *
 * A part of the slots is coded as if a block began with its first slot. In truth another one does, but blocks
 * are about as long as there is room for, and soon one of the part begins where one in truth begins: from
 * there on they are the same. In the later passes of KRPvKR, WDL, cut in two, less than 4 % of a half's
 * blocks stood before that. Blocks that end for want of slots, not of bytes, may never meet: then the part
 * was coded for nothing.
 *
 * Samples are the same, too. A part keeps those of as many slots as are kept in truth when it begins;
 * when it follows the parts before it, those go that would not have been kept. One that has let more go than
 * that, for want of room, is coded again. */
#include "config.h"
#include "base/parts.h"
#include "codecs/trees/encoder_internal.h"

#include <stdlib.h>

#define LEAST_BLOCKS 512       /* of a part: some of the first are for nothing */
#define LEAST_SLOTS (1u << 17) /* the same where nobody knows how many blocks there will be */
#define TURNS 4                /* parts of a thread then: some have far more questions than others */

/* Behind what e has, up to slot *i: blocks of its own until one of the part begins there. */
static int join_part (sd_trees_encoder *e, const sd_trees_encoder *p, uint64_t *i) {
  uint64_t b = 0;
  /* It had to let samples go that in truth are kept. */
  if (p->share < e->share)
    return SD_OK;
  for (;;) {
    while (b < p->blocks && p->start[b] < *i)
      b++;
    if (b == p->blocks)
      return SD_OK;
    if (p->start[b] == *i)
      break;
    SD_TRY (sd_stopped (e->progress));
    SD_TRY (sd_trees_code_block (e, i));
  }
  *i = p->end;
  return sd_trees_take_blocks (e, p, b);
}

/* samples: that there is room for at most. */
static int code_part (sd_trees_encoder *p, const uint32_t *share, uint32_t samples, uint64_t first,
                      uint64_t end) {
  p->sym = sd_alloc (p->most_slots, sizeof *p->sym);
#pragma omp atomic read
  p->share = *share;
  if (p->share) {
    p->samples.cap = samples;
    p->samples.row = sd_alloc (p->samples.cap, sizeof *p->samples.row);
    p->samples.yes = sd_alloc (p->samples.cap, sizeof *p->samples.yes);
    p->rank = sd_alloc (p->samples.cap, sizeof *p->rank);
  }
  if (!p->sym || (p->share && (!p->samples.row || !p->samples.yes || !p->rank)))
    return SD_ENOMEM;
  p->end = first;
  const int status = sd_trees_code_blocks (p, &p->end, end);
  /* A block that is none in truth may be too small for its first slot. */
  return status == SD_ERANGE ? SD_OK : status;
}

static void clear_part (sd_trees_encoder *p) {
  sd_buf_free (&p->payload);
  free (p->sym);
  free (p->start);
  free (p->byte);
  free (p->mark);
  free (p->samples.row);
  free (p->samples.yes);
  free (p->rank);
}

/* first[0..parts]: where parts begin, with as many questions each as the others in the pass before, or as
 * many slots. How many. */
static unsigned cut (const sd_trees_encoder *e, uint64_t *first) {
  const uint64_t threads = sd_parts (e->n),
                 most = e->blocks     ? threads
                        : threads > 1 ? threads * TURNS
                                      : 1,
                 fit = 1 + (e->blocks ? e->blocks / LEAST_BLOCKS : e->n / LEAST_SLOTS);
  const uint64_t some = most < fit ? most : fit;
  const unsigned parts = some < SD_MAX_PARTS ? (unsigned) some : SD_MAX_PARTS;
  uint64_t b = 0;
  for (unsigned k = 0; k < parts; k++) {
    while (b + 1 < e->blocks && e->mark[b].questions < e->questions / parts * k)
      b++;
    first[k] = !k ? 0 : e->blocks ? e->start[b] : e->n / parts * k;
  }
  first[parts] = e->n;
  return parts;
}

/* Parts follow in their order; the first one is e itself, since its blocks are right. It says how far as many
 * parts are as there are threads; the others are told when they follow. */
static int code_parts (sd_trees_encoder *e, const uint64_t *first, unsigned parts) {
  SD_OWNED sd_trees_encoder *part = sd_alloc (parts, sizeof *part);
  const unsigned threads = sd_parts (e->n) < parts ? sd_parts (e->n) : parts;
  uint64_t i = 0;
  int status = SD_OK;
  if (!part)
    return SD_ENOMEM;
  e->told = e->n / parts * threads;
  for (unsigned k = 1; k < parts; k++) {
    part[k] = *e;
    part[k].payload = (sd_buf){ 0 };
    part[k].samples = (sd_trees_samples){ 0 };
    part[k].start = part[k].byte = NULL;
    part[k].mark = NULL;
    part[k].cap = part[k].mark_cap = 0;
    part[k].sym = NULL;
    part[k].rank = NULL;
    part[k].reports = NULL;
  }
#pragma omp parallel for ordered schedule(static, 1) num_threads((int) threads)
  for (unsigned k = 0; k < parts; k++) {
    /* Of k parts alike e has kept as many samples as it has room for, so that a k-th of them is a part's. */
    const uint32_t room = e->samples.cap / (k ? k : 1) + 1;
    int mine;
#pragma omp atomic read
    mine = status; /* nothing more is begun where a part has failed */
    if (!mine)
      mine = !k ? sd_trees_code_blocks (e, &i, first[1])
                : code_part (part + k, &e->share, room, first[k], first[k + 1]);
#pragma omp ordered
    {
      if (k && !mine && !status)
        mine = join_part (e, part + k, &i);
      if (!status) {
#pragma omp atomic write
        status = mine;
      }
      if (k >= threads)
        sd_report (e->progress, e->reports, e->n / parts * (k + 1), e->n);
    }
    if (k)
      clear_part (part + k);
  }
  /* What the last part did not have. */
  e->told_from = i;
  e->told = e->n - i;
  return status ? status : sd_trees_code_blocks (e, &i, e->n);
}

int sd_trees_pass (sd_trees_encoder *e, uint32_t keep, const char *what) {
  uint64_t first[SD_MAX_PARTS + 1], i = 0;
  const unsigned parts = cut (e, first);
  e->share = keep;
  e->reports = what;
  e->told_from = 0;
  e->told = e->n;
  e->cost = sd_trees_cost (&e->model);
  e->payload.len = 0;
  e->blocks = 0;
  e->samples.n = 0;
  e->questions = 0;
  return parts > 1 ? code_parts (e, first, parts) : sd_trees_code_blocks (e, &i, e->n);
}
