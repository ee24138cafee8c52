/** \file parse_pairs.c
 * Pairs of phrases that parses would take if they were phrases themselves.
 *
 * Replacing pairs (pairs.c) counts what stands side by side in one sequence. Where slots are free many
 * other sequences cost nearly as little, and a pair that stands twice in the present one may stand in ten
 * of those. So all phrases that a parse with some slack found to fit are kept as edges between places of a
 * segment. With F[p] bits for the cheapest way to place p, B[r] for the one from r to the end, and T for
 * the whole, a phrase from p to r that costs c saves T - F[p] - c - B[r], whatever two edges it is made of.
 *
 * A new phrase with n occurrences among N costs each of them log2 (N / n) bits, and log2 e that all others
 * together take more (the first order of a change of N log N - sum f log f). What is left has to pay for
 * the entry. The best pair is taken first; where it would stand no other one counts.
 *
 * Time: two to four parses with the same slack. Memory: the occurrences, 2 to 9 a slot of tables, at 12
 * bytes, and up to twice that while they are collected and sorted; 12 bytes for each edge of a segment. */
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

/* Costs of the ways behind each place of a segment, and which edges begin there. */
typedef struct ways {
  uint32_t *back, *start;
} ways;

/* ------------------------------------------------------------------ occurrences */

static void find_ways_back (const sd_parser *p, ways *w) {
  const uint64_t n = p->end - p->first;
  memset (w->back, 255, (n + 1) * sizeof *w->back);
  /* Edges rise by where they begin, so that backwards all ways behind an edge's end are known before it. */
  w->back[n] = 0;
  for (uint64_t e = p->edges; e-- > 0;) { /* from the last place on */
    const sd_parse_edge *x = p->edge + e;
    if (w->back[x->to] != UINT32_MAX && w->back[x->to] + x->cost < w->back[x->from])
      w->back[x->from] = w->back[x->to] + x->cost;
  }
}

/* Leave edges on good ways only. */
static void keep_edges (sd_parser *p, ways *w) {
  const uint64_t n = p->end - p->first;
  uint64_t kept = 0;
  memset (w->start, 0, (n + 2) * sizeof *w->start);
  for (uint64_t e = 0; e < p->edges; e++) {
    const sd_parse_edge x = p->edge[e];
    /* No good way leads through it: pairs with it would hardly ever be taken. */
    if (w->back[x.to] == UINT32_MAX || p->place[x.from].cost + x.cost + w->back[x.to] > w->back[0] + BEHIND)
      continue;
    p->edge[kept++] = x;
    w->start[x.from + 1]++;
  }
  p->edges = kept;
  /* They were already in the order of where they begin: start[i] is where those of place i stand. */
  for (uint64_t i = 0; i <= n; i++)
    w->start[i + 1] += w->start[i];
}

/* All pairs of edges that save more than `least`. */
static int collect (sd_parser *p, ways *w, uint32_t least, uses *out) {
  find_ways_back (p, w);
  const uint32_t total = w->back[0];
  if (total == UINT32_MAX)
    return SD_EINVAL; /* no phrase fits */
  keep_edges (p, w);
  /* Each edge with each one that begins where it ends. */
  for (uint64_t e = 0; e < p->edges; e++) {
    const sd_parse_edge *x = p->edge + e;
    const uint32_t so_far = p->place[x->from].cost;
    for (uint32_t k = w->start[x->to]; k < w->start[x->to + 1]; k++) {
      const sd_parse_edge *y = p->edge + k;
      /* If the pair were one phrase that costs nothing, the whole way would cost `around`. */
      const uint32_t length = y->to - x->from, around = so_far + w->back[y->to];
      /* `least` keeps the memory within bounds: what saves less than even a frequent phrase costs can never
       * pay. */
      if (length > p->st->max_length || around + least >= total)
        continue;
      if (!sd_grow (&out->use, &out->room, out->n + 1))
        return SD_ENOMEM;
      const uint32_t worth = total - around; /* two edges cost no less, and each of them below 2^15 */
      assert (worth <= UINT16_MAX);
      out->use[out->n++] = (use){ .key = (uint32_t) x->id << 16 | y->id,
                                  .from = (uint32_t) (p->first + x->from),
                                  .length = (uint16_t) length,
                                  .worth = (uint16_t) worth };
    }
  }
  return SD_OK;
}

static int append (uses *all, const uses *some) {
  if (!sd_grow (&all->use, &all->room, all->n + some->n))
    return SD_ENOMEM;
  if (some->n)
    memcpy (all->use + all->n, some->use, some->n * sizeof *some->use);
  all->n += some->n;
  return SD_OK;
}

static int by_key (const void *pa, const void *pb) {
  const use *a = pa, *b = pb;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return a->from < b->from ? -1 : a->from > b->from;
}

static int collect_all (const sd_parser *common, uint64_t n, uint32_t least, uses *all) {
  const uint64_t segments = (n + SD_PARSE_SEGMENT - 1) / SD_PARSE_SEGMENT,
                 most = n < SD_PARSE_SEGMENT ? n : SD_PARSE_SEGMENT;
  int status = SD_OK;

#pragma omp parallel if (segments > 1) reduction(max : status)
  {
    sd_parser p = *common;
    uses mine = { 0 };
    ways w = { sd_alloc (most + 1, sizeof *w.back), sd_alloc (most + 2, sizeof *w.start) };
    /* The parser writes down every phrase that fits within its slack, not only those of the best way. */
    p.notes = true;
    status = w.back && w.start ? sd_parser_init (&p, most) : SD_ENOMEM;
#pragma omp for schedule(dynamic)
    for (uint64_t k = 0; k < segments; k++) {
      if (status)
        continue;
      p.first = k * SD_PARSE_SEGMENT;
      p.end = n - p.first < SD_PARSE_SEGMENT ? n : p.first + SD_PARSE_SEGMENT;
      sd_parser_forget (&p);
      sd_parser_settle (&p);
      status = p.failed ? SD_ENOMEM : collect (&p, &w, least, &mine);
    }
/* Sorted afterwards, so that the order in which threads come here does not matter. */
#pragma omp critical(sd_parse_pairs)
    if (!status)
      status = append (all, &mine);
    free (mine.use);
    free (w.back);
    free (w.start);
    sd_parser_clear (&p);
  }
  if (!status && all->n)
    qsort (all->use, all->n, sizeof *all->use, by_key);
  return status;
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

int sd_repair_add_pairs (sd_repair *st, const sd_seq *slots, const uint32_t *cost, uint32_t slack,
                         double price, unsigned most) {
  sd_parse_search s;
  uint64_t *plane[SD_PARSE_PLANES];
  uses all = { 0 };
  chooser c = { .st = st, .all = &all, .price = price };

  /* An occurrence that saves less is not collected: it could only pay for a pair with more than MANY of them.
   * */
  const uint32_t least = (uint32_t) (cost_of_one ((double) st->n, MANY) * SD_PARSE_BIT);
  assert (st->max_length <= UINT16_MAX && most <= st->limit);
  if (st->used >= most)
    return SD_OK;
  SD_TRY (sd_parse_search_init (&s, st, cost, slack));
  int status = sd_parser_set_slots (&s.parser, slots->sym, slots->n, plane);
  if (!status)
    status = collect_all (&s.parser, slots->n, least, &all);
  if (!status)
    status = make_offers (&c);
  if (!status)
    status = choose (&c, slots->n, most);
  free (plane[0]);
  sd_parse_search_clear (&s);
  free (all.use);
  free (c.offer);
  free (c.taken);
  free (c.hash);
  free (c.text);
  return status;
}
