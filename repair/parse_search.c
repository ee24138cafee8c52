/** \file parse_search.c
 * The way through one segment or block of a sequence.
 *
 * Positions are settled from left to right. At each one a walk through the tree of phrases (trie.c) finds the
 * phrases that fit; a free slot lets the walk follow several branches. Two bounds keep that cheap. A place
 * that costs `slack` more than a place further on is not looked at, nor is a branch that can only lead to
 * such places: with tables a phrase covers dozens to hundreds of slots, so few places are left. slack =
 * UINT32_MAX gives the exact optimum. With few main symbols, words of bits tell whether a branch can fit as
 * far as it has to (ahead.c).
 *
 * With many main symbols the free slots would still open far too many branches. Where a run of slots admits
 * everything, tables say what fits (wild.c); and with st->narrow a free slot inside a phrase, or behind such
 * a run, is only tried with the symbol of the next definite slot, and a place is dropped for one further on
 * that costs one bit more (DTM of KQvKR: 7 times as fast for 0.5 % more bytes). */
#include "config.h"
#include "repair/parse_internal.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096       /* of costs, a ring; a power of two */
#define MAX_CUT (1u << 16) /* so far from the end of the sequence a phrase may reach beyond it */
#define NEAR 64            /* slots in which a free slot's next definite one is looked for */

/* 64 bits of a row from `at` on. */
static inline uint64_t word_at (const uint64_t *plane, uint64_t at) {
  const unsigned shift = at & 63;
  return plane[at >> 6] >> shift | plane[(at >> 6) + 1] << 1 << (63 - shift);
}

/* Slots from `at` on that admit v, at most `most`. */
static inline uint32_t run_of (const sd_parser *p, sd_symbol v, uint64_t at, uint32_t most) {
  uint64_t left = p->end - at;
  uint32_t n = 0;

  if (most > left)
    most = (uint32_t) left;
  /* A row of bits says which slots admit v: 64 of them are looked at together, until one does not. */
  if (p->plane) {
    uint64_t stop = ~word_at (p->plane[v], at);
    while (!stop && (n += 64) < most)
      stop = ~word_at (p->plane[v], at + n);
    n += stop ? (uint32_t) __builtin_ctzll (stop) : 0;
    return n < most ? n : most;
  }
  const sd_alphabet *a = p->st->alphabet;
  while (n < most && sd_admits (a, p->slot[at + n], v))
    n++;
  return n;
}

/* The nearest place that is worth this cost: there is none as far whose cost is lower by the slack. With a
 * lead: none further on that costs no more than this and the lead. */
static inline uint64_t nearest (const sd_parser *p, uint32_t cost) {
  if (cost + p->lead < p->slack)
    return 0;
  /* far[bucket] is the furthest place that costs at most that; costs are rounded so that no place is dropped
   * which the exact comparison would keep. */
  uint64_t bucket = (cost + p->lead - p->slack) / SD_PARSE_STEP;
  return p->far[(bucket < p->top ? bucket : p->top) % BUCKETS] + (p->lead == 0);
}

static inline bool hopeless (const sd_parser *p, uint64_t to, uint32_t cost) {
  return to < nearest (p, cost);
}

/* Can the phrases that end with this edge or below lead nowhere? */
static inline bool useless (const sd_parser *p, const sd_trie_edge *x) {
  /* The cheapest phrase below, as if it were the longest one as well: a bound for all of them. */
  uint32_t cost = p->spent + x->least;
  return cost > p->budget || hopeless (p, p->at + x->reach, cost);
}

/* An edge for parse_pairs.c, which looks at more ways than the best one. */
static void note (sd_parser *p, uint64_t to, uint32_t cost, sd_phrase id) {
  if (p->failed || !sd_grow (&p->edge, &p->edge_room, p->edges + 1)) {
    p->failed = true;
    return;
  }
  p->edge[p->edges++] = (sd_parse_edge){ (uint32_t) (p->at - p->first), (uint32_t) (to - p->first),
                                         (uint16_t) (cost - p->spent), id };
}

static inline void reach (sd_parser *p, uint64_t to, uint32_t cost, sd_phrase id) {
  if (cost > p->budget || id == p->but || hopeless (p, to, cost))
    return;
  if (p->only && !(p->only[to / 64] >> (to % 64) & 1))
    return;
  if (p->notes)
    note (p, to, cost, id);
  sd_parse_place *at = p->place + (to - p->first);
  /* Of two ways that cost the same the one that was found first stays. */
  if (at->mark == p->mark && at->cost <= cost)
    return;
  *at = (sd_parse_place){ cost, id, p->mark };
  uint64_t bucket = cost / SD_PARSE_STEP + 1; /* the cost rounded up */
  /* Dearer than anything so far: up to there the furthest place is the one that was furthest before. */
  while (p->top < bucket) {
    p->far[(p->top + 1) % BUCKETS] = p->far[p->top % BUCKETS];
    p->top++;
  }
  /* All that may cost this much or more can be as far now. */
  for (; bucket <= p->top && p->far[bucket % BUCKETS] < to; bucket++)
    p->far[bucket % BUCKETS] = to;
  if (to > p->last)
    p->last = to;
}

/* What begins here fits up to `to` only. */
static inline void cut (sd_parser *p, uint64_t to, uint32_t cost, sd_phrase id) {
  /* The furthest slot counts, then the cheapest phrase that covers it. */
  if (cost > p->budget || to < p->cut_end || (to == p->cut_end && cost >= p->cut_cost))
    return;
  p->cut_end = to;
  p->cut_at = p->at;
  p->cut_cost = cost;
  p->cut_id = id;
}

/* Does each of the next `need` slots admit a symbol that stands there? */
static inline bool admits_some (const sd_parser *p, const uint64_t *words, uint64_t at, uint64_t need,
                                const unsigned m) {
  for (const uint64_t end = at + need; at < end; at += 64, words += m) {
    uint64_t fit = end - at < 64 ? UINT64_MAX << (end - at) : 0;
    for (unsigned v = 0; v < m; v++)
      fit |= words[v] & word_at (p->plane[p->ahead->symbol[v]], at);
    if (fit != UINT64_MAX)
      return false;
  }
  return true;
}

/* May a phrase below an edge that fits up to `to` fit as far as is worth a visit? Its symbols are compared in
 * a straight line, too. */
static inline bool may_go_on (const sd_parser *p, const sd_ahead_stop *s, uint64_t to) {
  const uint64_t from = nearest (p, p->spent + s->least);
  uint64_t need = from > to ? from - to : 1;
  need = need < s->clear ? s->clear : need;
  if (need > p->end - to)
    return false;
  need = need < SD_AHEAD ? need : SD_AHEAD;
  /* WDL has three symbols: a loop of known length is faster. */
  return p->ahead->m == 3 ? admits_some (p, s->words, to, need, 3)
                          : admits_some (p, s->words, to, need, p->ahead->m);
}

static void walk (sd_parser *p, const sd_trie_edge *e, uint32_t count, uint64_t at);

/* All phrases that begin with what this edge ends; it fits up to `to`. Most nodes have one edge below them.
 */
static void follow (sd_parser *p, const sd_trie_edge *x, uint64_t to) {
  for (;;) {
    bool ends = x->cost != SD_TRIE_NONE;
    if (ends)
      reach (p, to, p->spent + x->cost, x->id);
    /* No phrase goes on from here. */
    if (!x->nkids)
      return;
    if (p->cuts)
      cut (p, to, p->spent + x->least, x->cheapest);
    if (to == p->end)
      return;
    /* Phrases that are cut may be of use where others are not. */
    const sd_ahead_stop *known =
        p->ahead && x->stop != SD_AHEAD_NONE && !p->cuts ? sd_ahead_at (p->ahead, x->stop) : NULL;
    if (known && !may_go_on (p, known, to))
      return;
    const sd_trie_edge *y = p->trie->edge + x->kids;
    if (x->nkids > 1) {
      /* A definite slot with the symbol of this run cannot begin another run: runs do not follow their
       * like. */
      if (p->slot[to] != x->value)
        walk (p, y, x->nkids, to);
      return;
    }
    /* What is cheaper or longer below has been asked about at the edge above, unless a phrase has ended
     * since. */
    if (ends && useless (p, y))
      return;
    /* The line was compared whole. */
    if (known && known->clear <= SD_AHEAD) {
      to += known->clear;
      x = p->trie->edge + known->next;
      continue;
    }
    uint32_t run = run_of (p, y->value, to, y->run);
    to += run;
    if (run < y->run) {
      if (p->cuts)
        cut (p, to, p->spent + y->least, y->cheapest);
      return;
    }
    x = y;
  }
}

/* The first of some edges that has this symbol or a higher one. */
static inline uint32_t first_edge (const sd_trie_edge *e, uint32_t count, sd_symbol value) {
  uint32_t from = 0;
  while (count) {
    uint32_t half = count / 2;
    bool below = e[from + half].value < value;
    from += below ? half + 1 : 0;
    count = below ? count - half - 1 : half;
  }
  return from;
}

/* What a free slot is taken for where not everything is tried: the next definite slot's symbol, if that is
 * near and fits; else the slot stays free. */
static inline sd_symbol next_definite (const sd_parser *p, uint64_t at) {
  const sd_symbol slot = p->slot[at];
  const uint64_t stop = p->end - at < NEAR ? p->end : at + NEAR;
  uint64_t j = at + 1;
  while (j < stop && p->slot[j] >= p->st->m)
    j++;
  return j < stop && sd_admits (p->st->alphabet, slot, p->slot[j]) ? p->slot[j] : slot;
}

/* Edges of one symbol that are as long as `run` at most: the shortest ones, as they stand by length. */
static inline uint32_t edges_within (const sd_trie_edge *e, uint32_t count, uint32_t run) {
  uint32_t from = 0;
  while (count) {
    const uint32_t half = count / 2;
    const bool within = e[from + half].run <= run;
    from += within ? half + 1 : 0;
    count = within ? count - half - 1 : half;
  }
  return from;
}

/* As useless, this edge and the shorter ones before it. */
static inline bool useless_upto (const sd_parser *p, const sd_trie_edge *x) {
  const uint32_t cost = p->spent + x->least_upto;
  return cost > p->budget || hopeless (p, p->at + x->reach_upto, cost);
}

/* All phrases below these edges of one symbol, when the way to them fits up to `at`. In a long run of slots
 * most edges end where it goes on: no phrase does there, nor can another symbol follow. */
static void walk_symbol (sd_parser *p, const sd_trie_edge *e, uint32_t count, uint64_t at) {
  const sd_symbol value = e->value;
  const uint32_t run = run_of (p, value, at, e[count - 1].run);
  const uint32_t within = run ? edges_within (e, count, run) : 0;
  /* Edges that are longer than the slots fit are cut off there, which may do at the end of a block. */
  for (uint32_t j = count; p->cuts && run && j-- > within;)
    cut (p, at + run, p->spent + e[j].least, e[j].cheapest);
  for (uint32_t j = within; j-- > 0 && !useless_upto (p, e + j);) {
    const uint64_t to = at + e[j].run;
    /* Where a definite slot goes on with the same symbol, an edge that ends here and is no phrase leads
     * nowhere. */
    if (e[j].cost == SD_TRIE_NONE && !p->cuts && to < p->end && p->slot[to] == value)
      continue;
    if (!useless (p, e + j))
      follow (p, e + j, to);
  }
}

/* All phrases below these edges that fit at p->at, when the way to the edges fits up to `at`. A definite slot
 * leaves the edges of one symbol. */
static void walk (sd_parser *p, const sd_trie_edge *e, uint32_t count, uint64_t at) {
  sd_symbol slot = p->slot[at];
  if (p->st->narrow && slot >= p->st->m)
    slot = next_definite (p, at);
  const bool definite = slot < p->st->m;
  for (uint32_t k = definite ? first_edge (e, count, slot) : 0; k < count; k += e[k].same) {
    if (definite && e[k].value != slot)
      break;
    walk_symbol (p, e + k, e[k].same, at);
  }
}

/* Slots from p->at on that admit everything. */
static uint32_t wild_run (sd_parser *p) {
  /* Measured once for a run; the places inside it know where it ends. */
  if (p->wild_end <= p->at) {
    const sd_alphabet *a = p->st->alphabet;
    uint64_t end = p->at;
    while (end < p->end && end - p->at < SD_WILD_REACH && sd_alphabet_choices (a, p->slot[end]) == p->st->m)
      end++;
    p->wild_end = end;
  }
  return (uint32_t) (p->wild_end - p->at);
}

/* All phrases where the next `run` slots admit everything: those within the run only differ in length and
 * cost; longer ones are found by the symbol that the first slot behind it wants. */
static void walk_from_wild (sd_parser *p, uint32_t run) {
  const sd_wild *w = p->wild;
  uint32_t least = UINT32_MAX;

  /* From long to short: a shorter phrase that costs more than a longer one by the slack is not worth a
   * place. */
  for (uint32_t k = w->upto[run]; k-- > 0;) {
    const sd_wild_length *x = w->length + k;
    if (least == UINT32_MAX || p->slack == UINT32_MAX || x->cost < least + p->slack) {
      reach (p, p->at + x->length, p->spent + x->cost, x->id);
      least = x->cost < least ? x->cost : least;
    }
  }
  if (p->at + run == p->end)
    return;
  sd_symbol slot = p->slot[p->at + run];
  if (p->st->narrow && slot >= p->st->m)
    slot = next_definite (p, p->at + run);
  const bool definite = slot < p->st->m;
  const uint32_t *first = w->first + (size_t) run * p->st->m;
  const unsigned end = definite ? slot + 1u : p->st->m;
  /* Those that reach beyond the run must go on with a symbol that the next slot admits. */
  for (unsigned v = definite ? slot : 0; v < end; v++) {
    if (first[v] == first[v + 1] || !sd_admits (p->st->alphabet, slot, (sd_symbol) v))
      continue;
    uint32_t fits = run_of (p, (sd_symbol) v, p->at + run, w->edge[first[v + 1] - 1].rest);
    /* Sorted by how many symbols they still need there: behind the first that does not fit none does. */
    for (uint32_t k = first[v]; k < first[v + 1] && w->edge[k].rest <= fits; k++) {
      const sd_trie_edge *e = p->trie->edge + w->edge[k].edge;
      if (!useless (p, e))
        follow (p, e, p->at + run + w->edge[k].rest);
    }
  }
}

void sd_parser_settle (sd_parser *p) {
  p->last = p->first;
  p->place[0] = (sd_parse_place){ 0, 0, p->mark };
  p->top = 0;
  p->far[0] = p->first;
  p->edges = 0;
  p->cut_end = p->first;
  p->cut_cost = UINT32_MAX;
  p->wild_end = 0;
  /* Near the end of its bits or of its slots a block may end in a phrase that does not fit whole. */
  bool blocks = p->budget != UINT32_MAX;
  uint32_t near = p->budget > 64 * SD_PARSE_BIT ? p->budget - 64 * SD_PARSE_BIT : 0;
  /* short blocks end often: where phrases are short they only reach beyond the end from near it */
  const uint64_t within = p->st->block_positions ? p->st->max_length : MAX_CUT;
  for (uint64_t i = p->first; i <= p->last && i < p->end; i++) {
    const sd_parse_place *at = p->place + (i - p->first);
    /* No way leads here, or a place further on is cheaper by the slack. */
    if (at->mark != p->mark || hopeless (p, p->lead ? i : i + 1, at->cost))
      continue;
    p->at = i;
    p->spent = at->cost;
    p->cuts = blocks && (at->cost >= near || p->end - i < within);
    /* The tables for free runs know nothing of phrases that are cut. */
    uint32_t run = p->wild && !p->cuts ? wild_run (p) : 0;
    if (run > 0 && run < SD_WILD_REACH)
      walk_from_wild (p, run);
    else
      walk (p, p->trie->edge, p->trie->roots, i);
  }
}

uint64_t sd_parser_trace (const sd_parser *p, sd_phrase *out, uint64_t *block_end) {
  uint64_t end = p->last, count = 0, at = end;
  const sd_parse_place *last = p->place + (end - p->first);

  /* A cut phrase at the end of the block is worth it if it covers more slots, or the last one for less. */
  bool cut_last = p->cut_end > end || (p->cut_end == end && end == p->end && p->cut_cost < last->cost);
  if (cut_last) {
    end = p->cut_end;
    at = p->cut_at;
    count++;
  }
  /* Backwards along the best way twice: to count its phrases, and to write them from the last one on. */
  for (uint64_t i = at; i > p->first; count++)
    i -= p->st->length[p->place[i - p->first].id];
  uint64_t o = count;
  if (cut_last)
    out[--o] = p->cut_id;
  for (uint64_t i = at; i > p->first;) {
    sd_phrase id = p->place[i - p->first].id;
    out[--o] = id;
    i -= p->st->length[id];
  }
  *block_end = end;
  return count;
}

int sd_parser_init (sd_parser *p, uint64_t window) {
  p->size = window + 1;
  p->place = sd_alloc0 (p->size, sizeof *p->place);
  p->far = sd_alloc (BUCKETS, sizeof *p->far);
  return p->place && p->far ? SD_OK : SD_ENOMEM;
}
void sd_parser_clear (sd_parser *p) {
  free (p->place);
  free (p->far);
  free (p->edge);
}

void sd_parser_forget (sd_parser *p) {
  /* A new mark makes all places old, without touching them; only when marks begin anew are they wiped. */
  if (++p->mark == 0) {
    memset (p->place, 0, p->size * sizeof *p->place);
    p->mark = 1;
  }
}
