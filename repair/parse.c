/** \file parse.c
 * The cheapest parse of a subdefinite sequence with a given dictionary: a shortest path over positions, with
 * an edge wherever a phrase fits, that is, wherever each of its symbols is admissible for the slot there.
 *
 * Positions are settled from left to right. At each one a walk through the tree of phrases (trie.c) finds the
 * phrases that fit; a free slot lets the walk follow several branches. Two bounds keep that cheap. A place
 * that costs `slack` more than a place further on is not looked at, nor is a branch that can only lead to
 * such places: with tables a phrase covers dozens to hundreds of slots, so few places are left. slack =
 * UINT32_MAX gives the exact optimum.
 *
 * With a budget the sequence is cut into blocks that hold as many slots as the budget pays for. What is left
 * of the budget at the end of a block buys the phrase that covers most slots, even if its tail does not fit:
 * the decoder stops where the next block starts.
 *
 * Memory: 8 bytes for each position of a window. */
#include "config.h"
#include "repair/repair_internal.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define SEGMENT (1u << 17)    /* positions of one task without blocks */
#define MAX_WINDOW (1u << 24) /* positions of a block at most */
#define BUCKETS 4096          /* of costs, a ring; a power of two */
#define PLANES 8              /* main symbols for which the slots are kept as bits */
#define MAX_CUT (1u << 16)    /* so far from the end of the sequence a phrase may reach beyond it */
#define MAX_SLACK (512 * SD_PARSE_BIT)

/* Cheapest known way to a position. */
typedef struct place {
  uint32_t cost;
  sd_symbol id;  /* last phrase of the way */
  uint16_t mark; /* of the block in which it was found */
} place;

typedef struct parser {
  const sd_repair *st;
  const sd_trie *trie;
  const sd_symbol *slot; /* the sequence to be completed */
  uint64_t *const *plane;
  uint64_t first, end; /* the block begins at first; no phrase starts at end */
  uint32_t slack, budget;
  place *place; /* ring of window positions */
  uint64_t mask;
  uint16_t mark;
  uint64_t *far;  /* [bucket] the furthest place within this cost */
  uint64_t top;   /* last bucket that is set */
  uint64_t at;    /* the position that is settled */
  uint32_t spent; /* its cost */
  bool cuts;      /* cut phrases count there */
  uint64_t last;  /* furthest place so far */
  /* the furthest slot that a cut phrase covers, and what it costs to do so */
  uint64_t cut_end, cut_at;
  uint32_t cut_cost;
  sd_symbol cut_id;
} parser;

/* Slots from `at` on that admit v, at most `most`. */
static inline uint32_t run_of (const parser *p, sd_symbol v, uint64_t at, uint32_t most) {
  uint64_t left = p->end - at;
  uint32_t n = 0;
  if (most > left)
    most = (uint32_t) left;
  if (p->plane) {
    const uint64_t *plane = p->plane[v] + (at >> 6);
    unsigned shift = at & 63;
    uint64_t stop = ~(plane[0] >> shift | plane[1] << 1 << (63 - shift));
    while (!stop && (n += 64) < most) {
      plane++;
      stop = ~(plane[0] >> shift | plane[1] << 1 << (63 - shift));
    }
    n += stop ? (uint32_t) __builtin_ctzll (stop) : 0;
    return n < most ? n : most;
  }
  const sd_alphabet *a = p->st->alphabet;
  while (n < most && sd_admits (a, p->slot[at + n], v))
    n++;
  return n;
}

/* Is there a place as far as this whose cost is lower by the slack? */
static inline bool hopeless (const parser *p, uint64_t to, uint32_t cost) {
  if (cost < p->slack)
    return false;
  uint64_t bucket = (cost - p->slack) / SD_PARSE_STEP;
  return p->far[(bucket < p->top ? bucket : p->top) % BUCKETS] >= to;
}

/* Can the phrases that end with this edge or below lead nowhere? */
static inline bool useless (const parser *p, const sd_trie_edge *x) {
  uint32_t cost = p->spent + x->least;
  return cost > p->budget || hopeless (p, p->at + x->reach, cost);
}

static inline void reach (parser *p, uint64_t to, uint32_t cost, sd_symbol id) {
  if (cost > p->budget || hopeless (p, to, cost))
    return;
  place *at = p->place + (to & p->mask);
  if (at->mark == p->mark && at->cost <= cost)
    return;
  *at = (place){ cost, id, p->mark };
  uint64_t bucket = cost / SD_PARSE_STEP + 1; /* the cost rounded up */
  while (p->top < bucket) {
    p->far[(p->top + 1) % BUCKETS] = p->far[p->top % BUCKETS];
    p->top++;
  }
  for (; bucket <= p->top && p->far[bucket % BUCKETS] < to; bucket++)
    p->far[bucket % BUCKETS] = to;
  if (to > p->last)
    p->last = to;
}

/* What begins here fits up to `to` only. */
static inline void cut (parser *p, uint64_t to, uint32_t cost, sd_symbol id) {
  if (cost > p->budget || to < p->cut_end || (to == p->cut_end && cost >= p->cut_cost))
    return;
  p->cut_end = to;
  p->cut_at = p->at;
  p->cut_cost = cost;
  p->cut_id = id;
}

static void walk (parser *p, const sd_trie_edge *e, uint32_t count, uint64_t at);

/* All phrases that begin with what this edge ends; it fits up to `to`. Most nodes have one edge below them.
 */
static void follow (parser *p, const sd_trie_edge *x, uint64_t to) {
  for (;;) {
    bool ends = x->cost != SD_TRIE_NONE;
    if (ends)
      reach (p, to, p->spent + x->cost, x->id);
    if (!x->nkids)
      return;
    if (p->cuts)
      cut (p, to, p->spent + x->least, x->cheapest);
    if (to == p->end)
      return;
    const sd_trie_edge *y = p->trie->edge + x->kids;
    if (x->nkids > 1) {
      if (p->slot[to] != x->value)
        walk (p, y, x->nkids, to);
      return;
    }
    if (ends && useless (p, y))
      return;
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

/* All phrases below these edges that fit at p->at, when the way to the edges fits up to `at`. */
static void walk (parser *p, const sd_trie_edge *e, uint32_t count, uint64_t at) {
  for (uint32_t k = 0; k < count;) {
    sd_symbol value = e[k].value;
    uint32_t behind = k + 1;
    while (behind < count && e[behind].value == value)
      behind++;
    uint32_t run = run_of (p, value, at, e[behind - 1].run);
    for (uint32_t j = run ? behind : k; j-- > k;) {
      if (e[j].run <= run) {
        if (!useless (p, e + j))
          follow (p, e + j, at + e[j].run);
      } else if (p->cuts)
        cut (p, at + run, p->spent + e[j].least, e[j].cheapest);
    }
    k = behind;
  }
}

/* Settle the positions of one block from p->first on. */
static void settle (parser *p) {
  p->last = p->first;
  p->place[p->first & p->mask] = (place){ 0, 0, p->mark };
  p->top = 0;
  p->far[0] = p->first;
  p->cut_end = p->first;
  p->cut_cost = UINT32_MAX;
  bool blocks = p->budget != UINT32_MAX;
  uint32_t near = p->budget > 64 * SD_PARSE_BIT ? p->budget - 64 * SD_PARSE_BIT : 0;
  for (uint64_t i = p->first; i <= p->last && i < p->end; i++) {
    const place *at = p->place + (i & p->mask);
    if (at->mark != p->mark || hopeless (p, i + 1, at->cost))
      continue;
    p->at = i;
    p->spent = at->cost;
    p->cuts = blocks && (at->cost >= near || p->end - i < MAX_CUT);
    walk (p, p->trie->edge, p->trie->roots, i);
  }
}

/* The best way through the block to out[0..]; its last phrase may be cut. Phrases, and where the block ends.
 * 0: there is none. */
static uint64_t trace (const parser *p, sd_symbol *out, uint64_t *block_end) {
  uint64_t end = p->last, count = 0, at = end;
  const place *last = p->place + (end & p->mask);
  bool cut_last = p->cut_end > end || (p->cut_end == end && end == p->end && p->cut_cost < last->cost);
  if (cut_last) {
    end = p->cut_end;
    at = p->cut_at;
    count++;
  }
  for (uint64_t i = at; i > p->first; count++)
    i -= p->st->length[p->place[i & p->mask].id];
  uint64_t o = count;
  if (cut_last)
    out[--o] = p->cut_id;
  for (uint64_t i = at; i > p->first;) {
    sd_symbol id = p->place[i & p->mask].id;
    out[--o] = id;
    i -= p->st->length[id];
  }
  *block_end = end;
  return count;
}

static int parser_init (parser *p, uint64_t window) {
  uint64_t size = 1;
  while (size <= window)
    size *= 2;
  p->mask = size - 1;
  p->place = sd_alloc0 (size, sizeof *p->place);
  p->far = sd_alloc (BUCKETS, sizeof *p->far);
  return p->place && p->far ? SD_OK : SD_ENOMEM;
}
static void parser_clear (parser *p) {
  free (p->place);
  free (p->far);
}

/* All places forgotten. */
static void next_mark (parser *p) {
  if (++p->mark == 0) {
    memset (p->place, 0, (p->mask + 1) * sizeof *p->place);
    p->mark = 1;
  }
}

static bool first_thread (void) {
#ifdef _OPENMP
  return omp_get_thread_num () == 0;
#else
  return true;
#endif
}

/* Without blocks: segments by themselves, then put together. */
static int parse_segments (sd_repair *st, const parser *common, uint64_t n) {
  uint64_t segments = (n + SEGMENT - 1) / SEGMENT, done = 0;
  uint64_t *count = sd_alloc (segments, sizeof *count);
  int status = count ? SD_OK : SD_ENOMEM;
#pragma omp parallel
  {
    parser p = *common;
    int mine = count ? parser_init (&p, n < SEGMENT ? n : SEGMENT) : SD_ENOMEM;
#pragma omp for schedule(dynamic) reduction(max : status)
    for (uint64_t s = 0; s < segments; s++) {
      if (mine) {
        status = mine;
        continue;
      }
      uint64_t end;
      p.first = s * SEGMENT;
      p.end = n - p.first < SEGMENT ? n : p.first + SEGMENT;
      next_mark (&p);
      settle (&p);
      count[s] = trace (&p, st->sym + p.first, &end);
      if (end != p.end)
        status = SD_EINVAL; /* no phrase fits */
      uint64_t so_far;
#pragma omp atomic capture
      so_far = ++done;
      if (s % 8 == 0 && first_thread ())
        sd_report (st->progress, "parsing", so_far, segments);
    }
    parser_clear (&p);
  }
  uint64_t o = 0;
  for (uint64_t s = 0; !status && s < segments; s++) {
    memmove (st->sym + o, st->sym + s * SEGMENT, count[s] * sizeof *st->sym);
    o += count[s];
  }
  st->n = o;
  free (count);
  return status;
}

static int parse_blocks (sd_repair *st, const parser *common, uint64_t n, sd_parsed *blocks) {
  parser p = *common;
  uint64_t o = 0, end = 0, cap = 0;
  int status = parser_init (&p, n < MAX_WINDOW ? n : MAX_WINDOW);
  *blocks = (sd_parsed){ 0 };
  while (!status && end < n) {
    if ((status = sd_parsed_reserve (blocks, &cap)))
      break;
    p.first = end;
    p.end = n - end < MAX_WINDOW ? n : end + MAX_WINDOW;
    next_mark (&p);
    settle (&p);
    uint64_t count = trace (&p, st->sym + o, &end);
    if (!count) {
      status = SD_EINVAL; /* no phrase fits */
      break;
    }
    blocks->start[blocks->n] = p.first;
    blocks->phrase[blocks->n++] = o;
    o += count;
    sd_report (st->progress, "blocks", end, n);
  }
  if (!status)
    blocks->phrase[blocks->n] = o;
  st->n = o;
  parser_clear (&p);
  return status;
}

int sd_parsed_reserve (sd_parsed *blocks, uint64_t *cap) {
  if (blocks->n + 1 < *cap)
    return SD_OK;
  uint64_t more = 2 * *cap + 64;
  uint64_t *start = realloc (blocks->start, more * sizeof *start);
  if (!start)
    return SD_ENOMEM;
  blocks->start = start;
  uint64_t *phrase = realloc (blocks->phrase, more * sizeof *phrase);
  if (!phrase)
    return SD_ENOMEM;
  blocks->phrase = phrase;
  *cap = more;
  return SD_OK;
}

void sd_parsed_clear (sd_parsed *blocks) {
  free (blocks->start);
  free (blocks->phrase);
  *blocks = (sd_parsed){ 0 };
}

static int make_planes (const sd_alphabet *a, const sd_symbol *slot, uint64_t n, uint64_t **plane) {
  unsigned m = sd_alphabet_main (a);
  uint64_t words = n / 64 + 2;
  plane[0] = sd_alloc0 (m * words, sizeof **plane);
  if (!plane[0])
    return SD_ENOMEM;
  for (unsigned v = 0; v < m; v++)
    plane[v] = plane[0] + v * words;
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t rest = sd_alphabet_set (a, slot[i])[0]; rest; rest &= rest - 1)
      plane[__builtin_ctzll (rest)][i >> 6] |= UINT64_C (1) << (i & 63);
  return SD_OK;
}

int sd_repair_parse (sd_repair *st, const sd_symbol *slot, uint64_t n, const uint32_t *cost, uint32_t slack,
                     uint32_t block_bits, sd_parsed *blocks) {
  sd_trie trie;
  uint64_t *plane[PLANES] = { NULL };
  int status = sd_trie_new (st, cost, &trie);
  if (!status && st->m <= PLANES)
    status = make_planes (st->alphabet, slot, n, plane);
  parser p = { .st = st,
               .trie = &trie,
               .slot = slot,
               .plane = st->m <= PLANES ? plane : NULL,
               .slack = slack == UINT32_MAX || slack <= MAX_SLACK ? slack : MAX_SLACK,
               .budget = blocks ? block_bits * SD_PARSE_BIT : UINT32_MAX };
  if (!status)
    status = blocks ? parse_blocks (st, &p, n, blocks) : parse_segments (st, &p, n);
  free (plane[0]);
  sd_trie_clear (&trie);
  return status;
}
