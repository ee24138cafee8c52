/** \file parse_pairs.c
 * Pairs of phrases that parses would take if they were phrases themselves.
 *
 * Replacing pairs (pairs.c) counts what stands side by side in one sequence. Where slots are free many
 * other sequences cost nearly as little, and a pair that stands twice in the present one may stand in ten
 * of those. So all phrases on ways that cost little more than the best one (lattice.c) are looked at, as
 * edges between places of a segment. With F[p] bits for the cheapest way to place p, B[r] for the one from r
 * to the end, and T for the whole, a phrase from p to r that costs c saves T - F[p] - c - B[r], whatever two
 * edges it is made of.
 *
 * A new phrase with n occurrences among N costs each of them log2 (N / n) bits, and log2 e that all others
 * together take more (the first order of a change of N log N - sum f log f). What is left has to pay for
 * the entry. The best pair is taken first; where it would stand no other one counts.
 *
 * Memory: the occurrences, 2 to 9 a slot of tables, at 12 bytes, and up to twice that while they are
 * collected and sorted. */
#include "config.h"
#include "repair/parse_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  BEHIND = 8 * SD_PARSE_BIT, /* an edge on ways that cost so much more than the cheapest one is left out */
  MANY = 64,                 /* an occurrence that saves less than one of so many costs is not collected */
  PASSES = 4                 /* each with the cost of an occurrence that the number found before gives */
};

/* An occurrence of a pair. */
typedef struct use {
  uint32_t key, from; /* its parts, left one above; slot */
  uint16_t length, worth;
} use;

typedef struct uses {
  use *use;
  uint64_t n, room;
} uses;

typedef struct offer {
  double gain;
  uint64_t first, n; /* in uses */
} offer;

/* ------------------------------------------------------------------ occurrences */

/* Costs of the cheapest ways from and to the places of a segment. */
typedef struct ways {
  const uint32_t *cost;
  sd_lattice_way *way;
  uint32_t *back;
} ways;

static bool is_behind (const ways *w, uint32_t from, const sd_lattice_edge *x) {
  return w->way[from].cost == UINT32_MAX || w->back[x->to] == UINT32_MAX
         || w->way[from].cost + w->cost[x->id] + w->back[x->to] > w->back[0] + BEHIND;
}

/* The edges from place i to x->to and on along y as an occurrence, if that saves more than `least`. */
static int collect_pair (const sd_repair *st, const sd_lattice_part *p, const ways *w, uint32_t i,
                         const sd_lattice_edge *x, const sd_lattice_edge *y, uint32_t least, uses *out) {
  /* If the pair were one phrase that costs nothing, the whole way would cost `around`. `least` keeps the
   * memory within bounds: what saves less than even a frequent phrase costs can never pay. */
  const uint32_t length = p->at[y->to] - p->at[i], around = w->way[i].cost + w->back[y->to],
                 total = w->back[0];
  if (length > st->max_length || around + least >= total)
    return SD_OK;
  if (!sd_grow (&out->use, &out->room, out->n + 1))
    return SD_ENOMEM;
  const uint32_t worth = total - around; /* two edges cost no less, and each of them below 2^15 */
  assert (worth <= UINT16_MAX);
  out->use[out->n++] = (use){ .key = (uint32_t) x->id << 16 | y->id,
                              .from = (uint32_t) (p->slot + p->at[i]),
                              .length = (uint16_t) length,
                              .worth = (uint16_t) worth };
  return SD_OK;
}

/* Each edge with each one that begins where it ends. */
static int collect (const sd_repair *st, const sd_lattice_part *p, const ways *w, uint32_t least, uses *out) {
  sd_lattice_ways (p, 0, p->places, SD_PARSE_ALL, w->cost, w->way);
  sd_lattice_ways_back (p, w->cost, w->back);
  for (uint32_t i = 0; i < p->places; i++)
    for (const sd_lattice_edge *x = p->edge + p->first[i]; x < p->edge + p->first[i + 1]; x++) {
      if (x->to == p->places || is_behind (w, i, x))
        continue;
      for (const sd_lattice_edge *y = p->edge + p->first[x->to]; y < p->edge + p->first[x->to + 1]; y++)
        if (!is_behind (w, x->to, y))
          SD_TRY (collect_pair (st, p, w, i, x, y, least, out));
    }
  return SD_OK;
}

static int by_key (const void *pa, const void *pb) {
  const use *a = pa, *b = pb;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return a->from < b->from ? -1 : a->from > b->from;
}

static int collect_all (const sd_repair *st, const sd_lattice *l, const uint32_t *cost, uint32_t least,
                        uses *all) {
  const uint32_t most = sd_lattice_most_places (l) + 1;
  SD_OWNED sd_lattice_way *way = sd_alloc (most, sizeof *way);
  SD_OWNED uint32_t *back = sd_alloc (most, sizeof *back);
  if (!way || !back)
    return SD_ENOMEM;
  for (uint64_t k = 0; k < l->parts; k++)
    SD_TRY (collect (st, &l->part[k], &(ways){ cost, way, back }, least, all));
  if (all->n)
    qsort (all->use, all->n, sizeof *all->use, by_key);
  return SD_OK;
}

/* ----------------------------------------------------------------------- offers */

/* What an occurrence of a new phrase costs if there are k of n. */
static double cost_of_one (double n, uint64_t k) {
  const double bits = log2 (n / (double) k) + M_LOG2E;
  return bits > 1 ? bits : 1;
}

static bool is_open (const uint64_t *taken, const use *u) {
  for (uint64_t at = u->from; at < (uint64_t) u->from + u->length; at++)
    if (taken[at / 64] >> (at % 64) & 1)
      return false;
  return true;
}

/* What the occurrences save that are worth more than one costs and do not overlap, without what they cost;
 * *n: how many. */
static double worth_of (const use *u, uint64_t count, double one, const uint64_t *taken, uint64_t *n) {
  double sum = 0, last = 0;
  uint64_t end = 0;
  *n = 0;
  for (uint64_t i = 0; i < count; i++) {
    const double worth = (double) u[i].worth / SD_PARSE_BIT;
    if (worth <= one || (taken && !is_open (taken, &u[i])))
      continue;
    /* Two that overlap cannot both be there; the better one stays. As they rise by place, only the last one
     * can. */
    if (*n && u[i].from < end) {
      if (worth <= last)
        continue;
      sum -= last;
      --*n;
    }
    sum += last = worth;
    end = (uint64_t) u[i].from + u[i].length;
    ++*n;
  }
  return sum;
}

/* Bits that the pair saves, an entry paid; *n: its occurrences. */
static double gain_of (const sd_repair *st, const use *u, uint64_t count, double price, const uint64_t *taken,
                       uint64_t *n) {
  const double total = (double) st->n;
  double one = cost_of_one (total, count), sum = 0;
  /* What one costs depends on how many there are, and how many pay on what one costs: a few turns
   * settle it. */
  for (unsigned pass = 0; pass < PASSES; pass++) {
    sum = worth_of (u, count, one, taken, n);
    if (!*n)
      return -price;
    one = cost_of_one (total, *n);
  }
  return sum - (double) *n * one - price;
}

typedef struct chooser {
  sd_repair *st;
  const uses *all;
  double price;
  offer *offer;
  uint64_t n, room;
  uint64_t *taken; /* a bit for each slot */
  uint64_t *hash;  /* [id] of what it spells */
  sd_symbol *text;
} chooser;

static int by_gain (const void *pa, const void *pb) {
  const offer *a = pa, *b = pb;
  if (a->gain != b->gain)
    return a->gain > b->gain ? -1 : 1;
  return a->first < b->first ? -1 : a->first > b->first;
}

static int make_offers (chooser *c) {
  const use *u = c->all->use;
  for (uint64_t i = 0, j; i < c->all->n; i = j) {
    /* Sorted by key: the occurrences of one pair stand side by side. */
    for (j = i + 1; j < c->all->n && u[j].key == u[i].key; j++)
      ;
    uint64_t count;
    const double gain = gain_of (c->st, u + i, j - i, c->price, NULL, &count);
    if (gain <= 0 || count < 2)
      continue;
    if (!sd_grow (&c->offer, &c->room, c->n + 1))
      return SD_ENOMEM;
    c->offer[c->n++] = (offer){ gain, i, j - i };
  }
  if (c->n)
    qsort (c->offer, c->n, sizeof *c->offer, by_gain);
  return SD_OK;
}

static sd_symbol *spell (const sd_repair *st, unsigned id, sd_symbol *out) {
  if (id >= st->a)
    return spell (st, st->right[id], spell (st, st->left[id], out));
  *out = (sd_symbol) id;
  return out + 1;
}

/* Of the symbols, not of the parts: two phrases may spell the same by different parts. */
static uint64_t hash_of (chooser *c, unsigned id) {
  const sd_symbol *end = spell (c->st, id, c->text);
  uint64_t hash = 0;
  for (const sd_symbol *s = c->text; s < end; s++) {
    hash = (hash ^ *s) * UINT64_C (0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return hash;
}

/* Does another phrase spell the same? If two hashes were equal by chance a pair would be passed over. */
static bool is_known (const chooser *c, unsigned id) {
  for (unsigned x = c->st->a; x < id; x++)
    if (c->hash[x] == c->hash[id] && c->st->length[x] == c->st->length[id])
      return true;
  return false;
}

/* The pair as a new phrase with n occurrences. */
static void take (chooser *c, const offer *o, uint64_t n) {
  sd_repair *st = c->st;
  const use *u = c->all->use + o->first;
  const unsigned l = u->key >> 16, r = u->key & UINT16_MAX, id = st->used;
  const unsigned depth = 1u + (st->depth[l] > st->depth[r] ? st->depth[l] : st->depth[r]);

  if (depth >= SD_REPAIR_MAX_DEPTH)
    return;
  st->left[id] = (sd_phrase) l;
  st->right[id] = (sd_phrase) r;
  st->length[id] = st->length[l] + st->length[r];
  st->depth[id] = (uint8_t) depth;
  c->hash[id] = hash_of (c, id);
  /* An entry that spells what another one does would only be an entry more. */
  if (is_known (c, id))
    return;
  /* Expected, not counted: the next parse will know. */
  st->freq[id] = n;
  st->used++;
  const double one = cost_of_one ((double) st->n, n);
  /* Whatever else would want these slots is judged without them from here on. */
  for (uint64_t i = 0; i < o->n; i++)
    if ((double) u[i].worth / SD_PARSE_BIT > one)
      for (uint64_t at = u[i].from; at < (uint64_t) u[i].from + u[i].length; at++)
        c->taken[at / 64] |= UINT64_C (1) << at % 64;
}

static int choose (chooser *c, uint64_t slots, unsigned most) {
  sd_repair *st = c->st;
  c->taken = sd_alloc0 (slots / 64 + 1, sizeof *c->taken);
  c->hash = sd_alloc (st->limit, sizeof *c->hash);
  c->text = sd_alloc (st->max_length, sizeof *c->text);
  if (!c->taken || !c->hash || !c->text)
    return SD_ENOMEM;
  for (unsigned id = st->a; id < st->used; id++)
    c->hash[id] = hash_of (c, id);
  for (uint64_t i = 0; i < c->n && st->used < most; i++) {
    const offer *o = &c->offer[i];
    uint64_t n;
    /* Its gain was that of all its occurrences; some of their slots may be taken by now. */
    if (gain_of (st, c->all->use + o->first, o->n, c->price, c->taken, &n) > 0 && n > 1)
      take (c, o, n);
  }
  return SD_OK;
}

int sd_repair_add_pairs (sd_repair *st, const sd_lattice *l, const uint32_t *cost, double price,
                         unsigned most) {
  uses all = { 0 };
  chooser c = { .st = st, .all = &all, .price = price };
  const sd_lattice_part *last = &l->part[l->parts - 1];
  const uint64_t slots = last->slot + last->at[last->places];

  /* An occurrence that saves less is not collected: it could only pay for a pair with more than MANY of them.
   * */
  const uint32_t least = (uint32_t) (cost_of_one ((double) st->n, MANY) * SD_PARSE_BIT);
  assert (st->max_length <= UINT16_MAX && most <= st->limit);
  if (st->used >= most)
    return SD_OK;
  int status = collect_all (st, l, cost, least, &all);
  if (!status)
    status = make_offers (&c);
  if (!status)
    status = choose (&c, slots, most);
  free (all.use);
  free (c.offer);
  free (c.taken);
  free (c.hash);
  free (c.text);
  return status;
}
