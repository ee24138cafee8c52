/** \file polish.c
 * The order of the variables once more, by the size of the finished diagram: one variable after the other is
 * tried at other levels, as in sift.c, but each order is judged with its free slots completed. What sifting
 * counts, sub-tables that differ, may be far from that: KNvKP, Black to move, takes 41,588 bytes in its best
 * order by that measure, and 31,405 in one near another that is twice as bad by it.
 *
 * Merging goes from the leaves up, so that an order's levels below the first change are those of the order
 * that it came from, and are kept with their sets (a rung). A variable that moves up over one more level
 * costs two merges, one that moves down d levels d + 1. The levels above the last change stand for the same
 * sub-tables as before; they are merged again only when those below promise to be smaller, and the move is
 * kept if the whole is.
 *
 * Cost: a round over all variables takes as long as some 20 to 40 diagrams with so few choices; in large
 * tables it ends earlier (MOST_WORK). Memory: the plain diagram twice, and the sets of all levels twice, 2 or
 * 4 bytes an element. */
#include "config.h"
#include "obdd/obdd_internal.h"

#include <stdlib.h>
#include <string.h>

/* A direction is given up when the levels moved over are 1/PATIENCE of the whole larger. */
#define PATIENCE 16
#define FAR 4 /* levels that a variable moves down at most; up it goes as far as it may */
/* Plain nodes merged, all together; WDL with 4 men needs up to a third, in half a minute at most. */
#define MOST_WORK (UINT64_C (1) << 26)

/* A level, and all that the next one is made of. */
typedef struct rung {
  sd_obdd_level plain;
  uint32_t *count; /* [plain.n] how often each occurs, modulo 2^32 */
  uint32_t nodes;  /* after merging */
  sd_obdd_sets sets;
  uint32_t *cur;  /* [plain.n] */
  uint64_t bytes; /* of this level and those below */
} rung;

typedef struct polisher {
  const sd_obdd_options *opt;
  unsigned n;
  rung *base[SD_OBDD_MAX_VARS + 1]; /* the best order so far */
  rung *now[SD_OBDD_MAX_VARS + 1];  /* the order that is tried; the same rungs where nothing differs */
  uint64_t base_sum[SD_OBDD_MAX_VARS], sum[SD_OBDD_MAX_VARS];
  uint64_t total; /* of the best order */
  uint64_t work;  /* plain nodes that have been merged */
} polisher;

/* ------------------------------------------------------------------------ rungs */

static void rung_free (rung *r) {
  if (!r)
    return;
  free (r->plain.node);
  free (r->count);
  free (r->cur);
  sd_obdd_sets_free (&r->sets);
  free (r);
}

static void *copy_of (const void *x, size_t bytes) {
  void *y = sd_alloc (bytes + 1, 1);
  return y ? memcpy (y, x, bytes) : NULL;
}

/* Unmerged, over so many edges of r's level. */
static rung *rung_like (const rung *r) {
  rung *x = sd_alloc0 (1, sizeof *x);
  if (!x)
    return NULL;
  /* The edges are copied, as they are about to change while the best order keeps its own. */
  x->plain = (sd_obdd_level){ r->plain.n, copy_of (r->plain.node, r->plain.n * sizeof *r->plain.node) };
  x->count = copy_of (r->count, r->plain.n * sizeof *r->count);
  if (x->plain.node && x->count)
    return x;
  rung_free (x);
  return NULL;
}

/* How often sub-tables of the level below occur, by how often those occur that they are halves of. */
static uint32_t *counts_below (const rung *up, uint32_t below) {
  uint32_t *count = sd_alloc0 ((uint64_t) below + 1, sizeof *count);
  for (uint32_t x = 0; count && x < up->plain.n; x++) {
    count[up->plain.node[x].lo] += up->count[x];
    count[up->plain.node[x].hi] += up->count[x];
  }
  return count;
}

static void put (polisher *s, unsigned k, rung *r) {
  /* What the best order shares is never freed here. */
  if (s->now[k] != s->base[k])
    rung_free (s->now[k]);
  s->now[k] = r;
}

static void drop (polisher *s) {
  for (unsigned k = 0; k <= s->n; k++)
    put (s, k, s->base[k]);
  memcpy (s->sum, s->base_sum, sizeof s->sum);
}

/* The order that was tried is the best one from now on. */
static void keep (polisher *s) {
  for (unsigned k = 0; k <= s->n; k++) {
    if (s->now[k] != s->base[k])
      rung_free (s->base[k]);
    s->base[k] = s->now[k];
  }
  memcpy (s->base_sum, s->sum, sizeof s->sum);
}

/* Exchange what levels k and k - 1 test, k >= 2; both are unmerged then. */
static int exchange (polisher *s, unsigned k) {
  const rung *low = s->now[k - 1];
  rung *up = rung_like (s->now[k]), *fresh = sd_alloc0 (1, sizeof *fresh);
  SD_OWNED sd_obdd_node *half = up && fresh ? sd_obdd_halves_after (&up->plain, &low->plain, false) : NULL;
  int st = half ? sd_obdd_number (half, UINT64_C (2) * up->plain.n, &up->plain.node->lo, &fresh->plain)
                : SD_ENOMEM;
  if (!st) {
    /* How often the new halves occur follows from the nodes above, which stand for what they did. */
    fresh->count = counts_below (up, fresh->plain.n);
    st = fresh->count ? SD_OK : SD_ENOMEM;
  }
  if (st) {
    rung_free (up);
    rung_free (fresh);
    return st;
  }
  put (s, k, up);
  put (s, k - 1, fresh);
  const uint64_t x = s->sum[k - 1];
  s->sum[k - 1] = s->sum[k - 2];
  s->sum[k - 2] = x;
  return SD_OK;
}

/* Merge level k >= 1 over the one below. */
static int raise_rung (polisher *s, unsigned k) {
  const rung *below = s->now[k - 1];
  /* The merged one may be the best order's; an unmerged twin takes its place. */
  if (s->now[k]->cur) { /* was merged over another one */
    rung *r = rung_like (s->now[k]);
    if (!r)
      return SD_ENOMEM;
    put (s, k, r);
  }
  rung *r = s->now[k];
  sd_obdd_level level = { 0 };
  r->cur = copy_of (below->cur, below->plain.n * sizeof *below->cur);
  if (!r->cur)
    return SD_ENOMEM;
  SD_TRY (sd_obdd_merge (&below->sets, below->nodes, &r->plain, r->count, &r->cur, s->opt, &level, &r->sets));
  r->nodes = level.n;
  s->work += r->plain.n;
  /* Only how many nodes there are counts here: the diagram is built when the order is final. */
  free (level.node);
  r->bytes = below->bytes + sd_obdd_level_bytes (s->opt->form, r->nodes, below->nodes);
  return SD_OK;
}

/* ------------------------------------------------------------------------ moves */

static int exchange_all (polisher *s, unsigned from, unsigned to) {
  while (from < to)
    SD_TRY (exchange (s, ++from));
  while (from > to)
    SD_TRY (exchange (s, from--));
  return SD_OK;
}

/* Bytes up to level k and those of the next one, whose nodes are taken to be as many as they were. */
static uint64_t bytes_to (const polisher *s, rung *const *at, unsigned k) {
  /* The next level counts too, since its nodes cost more the more there are below. */
  return at[k]->bytes
         + (k < s->n ? sd_obdd_level_bytes (s->opt->form, s->base[k + 1]->nodes, at[k]->nodes) : 0);
}

/* The whole, with the best array of roots. */
static uint64_t total_of (const polisher *s) {
  uint64_t best = UINT64_MAX;
  for (unsigned k = s->opt->one_root ? s->n : 0; k <= s->n; k++) {
    const uint64_t bytes =
        s->now[k]->bytes + sd_obdd_root_bytes (UINT64_C (1) << (s->n - k), s->now[k]->nodes);
    best = bytes < best ? bytes : best;
  }
  return best;
}

typedef struct place {
  unsigned level;
  int64_t gain; /* bytes */
} place;

/* What level `from` tests moves step by step to `end`; the best place. */
static int walk (polisher *s, unsigned from, unsigned end, place *best) {
  int st = SD_OK;
  for (unsigned k = from; k != end && !st;) {
    /* `last` is the highest level that the move has changed so far; those above it stand for the same. */
    const unsigned next = k < end ? k + 1 : k - 1, last = next > from ? next : from;
    st = exchange (s, k < end ? next : k);
    /* Upwards two levels are merged anew; downwards all from the new place up to where the move began. */
    for (unsigned i = k < next ? k : next; i <= last && !st; i++)
      st = raise_rung (s, i);
    if (st)
      break;
    const int64_t gain = (int64_t) bytes_to (s, s->base, last) - (int64_t) bytes_to (s, s->now, last);
    if (gain > best->gain)
      *best = (place){ next, gain };
    /* Too much worse for a place further on to make up for it. */
    if (-gain > (int64_t) (s->total / PATIENCE))
      break;
    k = next;
  }
  /* Only the place is remembered; try_move () goes there again. */
  drop (s);
  return st;
}

/* Move what level `from` tests to level `to` if the whole gets smaller. */
static int try_move (polisher *s, unsigned from, unsigned to) {
  int st = exchange_all (s, from, to);
  /* Now all levels from the lowest changed one to the root, for the whole may lose what the levels gained. */
  for (unsigned k = from < to ? from : to; k <= s->n && !st; k++)
    st = raise_rung (s, k);
  const uint64_t total = st ? UINT64_MAX : total_of (s);
  if (total < s->total) {
    s->total = total;
    keep (s);
  } else
    drop (s);
  return st;
}

static int move (polisher *s, uint64_t sum) {
  unsigned from = 1;
  /* Moves of others have changed its level since the order of the moves was made. */
  while (s->sum[from - 1] != sum)
    from++;
  place best = { from, 0 };
  SD_TRY (walk (s, from, s->n, &best));
  SD_TRY (walk (s, from, from > FAR ? from - FAR : 1, &best));
  return best.level == from ? SD_OK : try_move (s, from, best.level);
}

/* ------------------------------------------------------------------- all together */

static void polisher_free (polisher *s) {
  for (unsigned k = 0; k <= s->n; k++) {
    put (s, k, s->base[k]);
    rung_free (s->base[k]);
  }
}

/* Rungs of the plain diagram, whose levels they take. */
static int first_rungs (polisher *s, sd_obdd_plain *p, const sd_alphabet *a) {
  for (unsigned k = 0; k <= s->n; k++) {
    s->now[k] = s->base[k] = sd_alloc0 (1, sizeof (rung));
    if (!s->now[k])
      return SD_ENOMEM;
    s->now[k]->plain = p->level[k];
    p->level[k] = (sd_obdd_level){ 0 };
  }
  rung *const top = s->now[s->n], *const leaves = s->now[0];
  top->count = sd_alloc0 (1, sizeof *top->count);
  if (!top->count)
    return SD_ENOMEM;
  top->count[0] = 1;
  leaves->plain.n = p->leaves;
  leaves->nodes = sd_alphabet_main (a);
  /* How often sub-tables occur is known from the root down, what they become from the leaves up. */
  for (unsigned k = s->n; k > 1; k--)
    if (!(s->now[k - 1]->count = counts_below (s->now[k], s->now[k - 1]->plain.n)))
      return SD_ENOMEM;
  SD_TRY (sd_obdd_leaf_sets (a, NULL, p->leaves, &leaves->sets, &leaves->cur));
  for (unsigned k = 1; k <= s->n; k++)
    SD_TRY (raise_rung (s, k));
  s->total = total_of (s);
  return SD_OK;
}

static void largest_first (const polisher *s, uint64_t *sum) {
  uint32_t nodes[SD_OBDD_MAX_VARS];
  for (unsigned i = 0; i < s->n; i++)
    nodes[i] = s->base[i + 1]->nodes;
  sd_obdd_largest_first (s->n, s->sum, nodes, sum);
}

static int all_moves (polisher *s, unsigned rounds, const sd_progress *progress) {
  uint64_t sum[SD_OBDD_MAX_VARS];
  for (unsigned r = 0; r < rounds; r++) {
    const uint64_t before = s->total;
    /* What the largest levels test moves first: there is most to be gained. */
    largest_first (s, sum);
    for (unsigned i = 0; i < s->n && s->work < MOST_WORK; i++) {
      SD_TRY (sd_stopped (progress));
      SD_TRY (move (s, sum[i]));
      sd_report (progress, "polishing", (uint64_t) r * s->n + i, (uint64_t) rounds * s->n);
    }
    if (s->total == before)
      break;
  }
  return SD_OK;
}

int sd_obdd_polish (sd_obdd_vars *v, sd_obdd_plain *p, const sd_alphabet *a, const sd_obdd_options *opt,
                    unsigned rounds, const sd_progress *progress) {
  SD_RELEASED_BY (polisher_free) polisher s = { .opt = opt, .n = v->n };
  if (v->n < 2)
    return SD_OK;
  memcpy (s.sum, v->sum, sizeof s.sum);
  memcpy (s.base_sum, v->sum, sizeof s.sum);
  SD_TRY (first_rungs (&s, p, a));
  SD_TRY (all_moves (&s, rounds, progress));
  /* The plain levels of the best order go back to where they came from. */
  drop (&s);
  memcpy (v->sum, s.base_sum, sizeof s.sum);
  for (unsigned k = 1; k <= s.n; k++) {
    p->level[k] = s.base[k]->plain;
    s.base[k]->plain = (sd_obdd_level){ 0 };
  }
  return SD_OK;
}
