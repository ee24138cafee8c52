/** \file pair_pass.c
 * A batch of pairs becomes phrases: one compacting pass over the sequence, in its place.
 *
 * Threads take short parts of it. Where a part begins nothing is replaced that lies on both sides, so that
 * each can be done by itself; what has been done closes up in the order of the sequence, and there the hash
 * table learns what has become of its pairs, from notes that the same thread has just made. */
#include "config.h"
#include "repair/pairs_internal.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT64_MAX
#define PART (1u << 15) /* elements: what is noted of them stays in the caches next to a core */

/* Rows and columns for every id that may take part; two ids may share one only in a batch of one pair. */
static int fill_match (const sd_repair *st, sd_pair_pass *p, const uint32_t *batch, unsigned *nbatch) {
  const sd_pair_rule *rule = st->pair;
  size_t rows, cols;

  for (;;) {
    /* Row and column 0 are those of ids that take no part: match is 0 there. */
    bool one = *nbatch == 1;
    rows = cols = 1;
    memset (p->row, 0, st->used * sizeof *p->row);
    memset (p->col, 0, st->used * sizeof *p->col);
    for (unsigned k = 0; k < *nbatch; k++) {
      unsigned a = batch[k] >> 16, b = batch[k] & 0xffff;
      if (!p->row[a])
        p->row[a] = (uint32_t) rows++;
      if (!p->col[b])
        p->col[b] = (uint32_t) cols++;
      /* Zakharov 2015 (1.7.2): a slot that may hold A counts as A in front of B, and one that may hold B as
       * B. */
      for (unsigned x = st->m; x < st->a; x++) {
        if (!st->freq[x])
          continue;
        if (!p->row[x] && rule->stands_for (st, x, a))
          p->row[x] = one ? p->row[a] : (uint32_t) rows++;
        if (!p->col[x] && rule->stands_for (st, x, b))
          p->col[x] = one ? p->col[b] : (uint32_t) cols++;
      }
    }
    /* 16 MiB of phrases: each step of the compacting pass looks into them. */
    if (rows * cols <= (size_t) 1 << 23 || one)
      break;
    *nbatch /= 2; /* very many kinds of free slots: smaller steps keep the table small */
  }
  size_t need = rows * cols;
  /* What was there before is of no use: the table is made anew for each batch. */
  if (need > p->match_cap) {
    free (p->match);
    p->match = sd_alloc (need, sizeof *p->match);
    p->match_cap = p->match ? need : 0;
    if (!p->match)
      return SD_ENOMEM;
  }
  memset (p->match, 0, need * sizeof *p->match);
  /* From here on a row's number is where it begins, so that a lookup is one addition. */
  for (unsigned x = 0; x < st->used; x++)
    p->row[x] *= (uint32_t) cols;
  /* The most frequent pair last: it has the first right to a free slot. */
  for (unsigned k = *nbatch; k-- > 0;) {
    unsigned a = batch[k] >> 16, b = batch[k] & 0xffff;
    sd_phrase id = (sd_phrase) (st->used + k);
    /* AB itself, then *B, A* and ** in which the slots admit A and B. */
    p->match[p->row[a] + p->col[b]] = id;
    for (unsigned x = st->m; x < st->a; x++) {
      bool xa = p->row[x] && rule->stands_for (st, x, a), xb = p->col[x] && rule->stands_for (st, x, b);
      if (xa)
        p->match[p->row[x] + p->col[b]] = id;
      if (xb)
        p->match[p->row[a] + p->col[x]] = id;
      if (xa)
        for (unsigned y = st->m; y < st->a; y++)
          if (p->col[y] && rule->stands_for (st, y, b))
            p->match[p->row[x] + p->col[y]] = id;
    }
  }
  return SD_OK;
}

/* What is done in front of i does not depend on what stands from there on, nor the other way round: no pair
 * is replaced that has s[i - 1] or s[i], and these two are no run. */
static bool may_cut (const sd_pair_pass *p, const sd_phrase *ids, uint64_t n, uint64_t i) {
  const sd_phrase *s = ids + i;
  return s[-1] != s[0] && !p->match[p->row[s[-2]] + p->col[s[-1]]] && !p->match[p->row[s[-1]] + p->col[s[0]]]
         && (i + 1 == n || !p->match[p->row[s[0]] + p->col[s[1]]]);
}

/* The first place in each share at which a part may begin; a share without one belongs to the part before. */
static void cut (sd_pair_pass *p, const sd_phrase *ids, uint64_t n) {
  const uint64_t shares = n / PART;
  p->first[0] = 0;
#pragma omp parallel for if (n >= 2 * SD_PART) schedule(static)
  for (uint64_t k = 1; k < shares; k++) {
    uint64_t i = k * PART;
    while (i < (k + 1) * PART && !may_cut (p, ids, n, i))
      i++;
    p->first[k] = i < (k + 1) * PART ? i : NOWHERE;
  }
  p->parts = 1;
  for (uint64_t k = 1; k < shares; k++)
    if (p->first[k] != NOWHERE)
      p->first[p->parts++] = p->first[k];
  p->first[p->parts] = n;
}

/* The compacting pass over a part, from left to right: of AAA the first two become a phrase, as the counting
 * has it. */
static uint64_t replace_pairs (const sd_pair_pass *p, sd_phrase *s, uint64_t n, sd_pair_worker *to) {
  const uint32_t *row = p->row, *col = p->col;
  const sd_phrase *match = p->match;
  uint64_t i = 0, o = 0;

  while (i + 1 < n) {
    sd_phrase x = s[i], y = s[i + 1], id = match[row[x] + col[y]];
    /* Frequencies follow, so that the next round need not count symbols again. */
    if (id) {
      to->freq[x]--;
      to->freq[y]--;
      to->freq[id]++;
    }
    s[o++] = id ? id : x;
    i += id ? 2 : 1;
  }
  if (i < n)
    s[o++] = s[i];
  return o;
}

#define MORE (UINT64_C (1) << 32)

/* The same, and what the counts in the hash table become is noted. s[i - 1] is still what it was: nothing
 * beyond o is written. */
static uint64_t replace_and_note (const sd_pair_pass *p, sd_phrase *s, uint64_t n, sd_pair_worker *to) {
  const uint32_t *row = p->row, *col = p->col;
  const sd_phrase *match = p->match;
  uint64_t i = 0, o = 0;
  unsigned again = 0;
  bool fresh = false; /* s[o - 1] is a new phrase */

  to->notes = 0;
  /* A symbol is noted twice at most. Room that is not used is no memory yet. */
  if (!sd_grow (&to->note, &to->cap, 2 * n)) {
    to->failed = true;
    return 0;
  }
  uint64_t *note = to->note;
  while (i < n) {
    sd_phrase x = s[i], put = x;
    if (i + 1 < n && (put = match[row[x] + col[s[i + 1]]]) != 0) {
      sd_phrase y = s[i + 1];
      /* The three pairs that the two symbols are part of are gone. The first of them was already taken off
       * if a phrase has just been put before: then s[i - 1] is its second part. */
      if (i && !fresh)
        *note++ = sd_pair_key (s[i - 1], x);
      *note++ = sd_pair_key (x, y);
      if (i + 2 < n)
        *note++ = sd_pair_key (y, s[i + 2]);
      to->freq[x]--;
      to->freq[y]--;
      to->freq[put]++;
      /* The new phrase and what was written before it are a pair from now on. */
      if (o)
        *note++ = MORE | sd_pair_key (s[o - 1], put);
      fresh = true;
      i += 2;
    } else {
      put = x;
      /* A symbol that stays is a new neighbour only of a phrase that has just been written. */
      if (fresh)
        *note++ = MORE | sd_pair_key (s[o - 1], put);
      fresh = false;
      i++;
    }
    /* Of a run of k equal ids k / 2 pairs can be replaced: every second step counts. */
    if (o && s[o - 1] == put) {
      again ^= 1;
      to->equal[put] += again;
    } else
      again = 0;
    s[o++] = put;
  }
  to->notes = (uint64_t) (note - to->note);
  return o;
}

/* In the order in which they were noted: when the table grows, and which pair enters the pool first, depends
 * on it. */
static void count_changes (sd_pair_counts *c, const sd_pair_worker *of) {
  for (uint64_t i = 0; i < of->notes; i++) {
    const uint32_t key = (uint32_t) of->note[i];
    if (i + SD_PAIR_SOON < of->notes)
      __builtin_prefetch (sd_pair_place (c, (uint32_t) of->note[i + SD_PAIR_SOON]));
    if (of->note[i] & MORE)
      sd_pair_more (c, key >> 16, key & 0xffff);
    else
      sd_pair_less (c, key >> 16, key & 0xffff);
  }
}

/* All parts; returns how many elements there are now. */
static uint64_t replace (const sd_pair_pass *p, sd_pair_counts *c, sd_phrase *ids, unsigned threads) {
  uint64_t end = 0;
  (void) threads; /* unless there is OpenMP */
#pragma omp parallel for if (threads > 1) num_threads(threads) ordered schedule(dynamic)
  for (uint64_t k = 0; k < p->parts; k++) {
    sd_pair_worker *me = p->worker + sd_thread_number ();
    sd_phrase *s = ids + p->first[k];
    const uint64_t n = p->first[k + 1] - p->first[k],
                   left = (c->stride_log ? replace_pairs : replace_and_note) (p, s, n, me);
#pragma omp ordered
    {
      memmove (ids + end, s, left * sizeof *s);
      end += left;
      if (!c->stride_log)
        count_changes (c, me);
    }
  }
  return end;
}

int sd_pair_pass_replace (sd_pair_pass *p, sd_repair *st, sd_pair_counts *c, const uint32_t *batch,
                          unsigned *nbatch) {
  SD_TRY (fill_match (st, p, batch, nbatch));
  const unsigned ids = st->used + *nbatch,
                 threads = sd_parts (st->n) < p->workers ? sd_parts (st->n) : p->workers;
  bool failed = false;
  cut (p, st->ids, st->n);
  /* of all: there may be fewer threads in the end */
  for (unsigned k = 0; k < threads; k++) {
    memset (p->worker[k].freq, 0, ids * sizeof *p->worker[k].freq);
    memset (p->worker[k].equal, 0, ids * sizeof *p->worker[k].equal);
  }
  st->n = replace (p, c, st->ids, threads);
  for (unsigned k = 0; k < threads; k++)
    failed |= p->worker[k].failed;
  for (unsigned id = 0; id < ids; id++) {
    uint32_t equal = 0;
    for (unsigned k = 0; k < threads; k++) {
      st->freq[id] += p->worker[k].freq[id];
      equal += p->worker[k].equal[id];
    }
    if (!c->stride_log)
      c->equal[id] = equal;
  }
  return failed ? SD_ENOMEM : SD_OK;
}

int sd_pair_pass_new (const sd_repair *st, sd_pair_pass *p) {
  *p = (sd_pair_pass){ .workers = sd_parts (st->n) };
  p->row = sd_alloc (st->limit, sizeof *p->row);
  p->col = sd_alloc (st->limit, sizeof *p->col);
  p->first = sd_alloc (st->n / PART + 2, sizeof *p->first);
  p->worker = sd_alloc0 (p->workers, sizeof *p->worker);
  bool there = p->row && p->col && p->first && p->worker;
  for (unsigned k = 0; there && k < p->workers; k++) {
    p->worker[k].freq = sd_alloc (st->limit, sizeof *p->worker[k].freq);
    p->worker[k].equal = sd_alloc (st->limit, sizeof *p->worker[k].equal);
    there = p->worker[k].freq && p->worker[k].equal;
  }
  return there ? SD_OK : SD_ENOMEM;
}

void sd_pair_pass_clear (sd_pair_pass *p) {
  for (unsigned k = 0; p->worker && k < p->workers; k++) {
    free (p->worker[k].freq);
    free (p->worker[k].equal);
    free (p->worker[k].note);
  }
  free (p->worker);
  free (p->first);
  free (p->row);
  free (p->col);
  free (p->match);
}
