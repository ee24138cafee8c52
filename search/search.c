/* Alpha-beta in its negamax form, fail-soft, with a transposition table (Nemec 2007).
 *
 * A score counts plies from the position that it is of, not from the root, so that an entry serves wherever
 * the position arises. A mate that was proved holds at any depth: of such a bound the depth is not asked.
 * Every other bound is used if its depth suffices. The entry holds no move; moves are ordered by what the
 * table says of the positions that they lead to, and by how few replies these have.
 *
 * sd_mate_find asks "is there a mate within d plies" for d = 0, 1, 2, ...: windows of width 1 at the score of
 * that mate. One side then has to try all of its moves and the other one needs a single answer. */
#include "config.h"
#include "search/search.h"
#include <stdlib.h>

/* A move of a position in work. */
typedef struct child {
  sd_pos pos;
  sd_hash hash;
  int order; /* least first */
} child;

struct sd_mate_search {
  sd_mate_options o;
  sd_zobrist zobrist;
  sd_trans *table; /* NULL: none */
  child *child;    /* of all positions between the root and the one in work */
  uint64_t used;
  uint64_t nodes, last; /* last: no node beyond this one */
  bool stopped;
};

/* Scores of a position after the move, as the mover sees them: a mate is one ply farther away. And back. */
static int score_back (int s) {
  return s > SD_MATE_LEAST ? 1 - s : s < -SD_MATE_LEAST ? -1 - s : -s;
}
static int score_forth (int s) {
  return s > SD_MATE_LEAST ? -1 - s : s < -SD_MATE_LEAST ? 1 - s : -s;
}

/* May the entry end a search of this depth and window? Then *score is the value or a bound outside of the
 * window. */
static bool ends (const sd_trans_found *e, unsigned depth, int alpha, int beta, int *score) {
  const bool deep = e->depth >= depth;
  *score = e->score;
  if (e->flags == SD_EXACT && deep)
    return true;
  if ((e->flags & SD_AT_LEAST) && e->score >= beta && (deep || e->score > SD_MATE_LEAST))
    return true;
  return (e->flags & SD_AT_MOST) && e->score <= alpha && (deep || e->score < -SD_MATE_LEAST);
}

/* What the table says of a position that is searched to this depth. *other: falsely, as far as is known. */
static bool known (sd_mate_search *s, const sd_pos *p, sd_hash h, unsigned depth, int alpha, int beta,
                   int *score, bool *other) {
  sd_trans_found e;
  if (!s->table || !sd_trans_find (s->table, h, p, &e) || !ends (&e, depth, alpha, beta, score))
    return false;
  *other = e.other;
  return true;
}

static void count_use (sd_mate_search *s, bool other) {
  sd_trans_counted (s->table)->false_uses += other;
}

static int at_horizon (const sd_mate_search *s, const sd_pos *p) {
  const bool check = sd_in_check (p, p->stm);
  if (!check && !s->o.evaluate)
    return 0;
  if (!sd_has_move (p))
    return check ? -SD_MATE : 0;
  return s->o.evaluate ? s->o.evaluate (p) : 0;
}

/* Has this side nothing but a king? */
static bool is_bare (const sd_pos *p, unsigned colour) {
  return p->occ[colour] == p->by[colour][SD_KING];
}

static int by_order (const void *a, const void *b) {
  const child *x = a, *y = b;
  return (x->order > y->order) - (x->order < y->order);
}

/* The successors into s->child[s->used ..], with their hashes if they will be looked up; returns how many. */
static unsigned successors (sd_mate_search *s, const sd_pos *p, sd_hash h, bool hashed) {
  sd_move move[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, move);
  child *c = s->child + s->used;
  for (unsigned i = 0; i < n; i++) {
    sd_pos_apply (p, &move[i], &c[i].pos);
    c[i].order = move[i].captured == SD_NO_PIECE ? 0 : -1 - move[i].captured;
    if (hashed)
      c[i].hash = sd_hash_after (&s->zobrist, h, p, &move[i], &c[i].pos);
  }
  return n;
}

/* Does the table know one of c[0..n-1] so well that its score leaves the window of the position before? All
 * slots are asked for before the first one is read, so that the waits for memory overlap. */
static bool cut_by_table (sd_mate_search *s, const child *c, unsigned n, unsigned depth, int alpha, int beta,
                          int *score) {
  for (unsigned i = 0; i < n; i++)
    sd_trans_prefetch (s->table, c[i].hash);
  for (unsigned i = 0; i < n; i++) {
    bool other;
    if (!known (s, &c[i].pos, c[i].hash, depth - 1, score_forth (beta), score_forth (alpha), score, &other)
        || (*score = score_back (*score)) < beta)
      continue;
    count_use (s, other);
    return true;
  }
  return false;
}

/* Sorted for a search of this depth: captures of large men first; who wants to mate takes those first that
 * leave few replies. */
static void sort (child *c, unsigned n, unsigned depth, bool mating) {
  sd_move reply[SD_MAX_MOVES];
  if (mating && depth > 2)
    for (unsigned i = 0; i < n; i++)
      c[i].order = (int) sd_moves (&c[i].pos, SD_MOVES_ALL, reply);
  qsort (c, n, sizeof *c, by_order);
}

static int visit (sd_mate_search *s, const sd_pos *p, sd_hash h, unsigned depth, int alpha, int beta);

/* The best of c[0..n-1], by searching them. */
static int best_of (sd_mate_search *s, const child *c, unsigned n, unsigned depth, int alpha, int beta) {
  int best = -SD_MATE;
  for (unsigned i = 0; i < n && best < beta && !s->stopped; i++) {
    const int low = best > alpha ? best : alpha;
    const int v =
        score_back (visit (s, &c[i].pos, c[i].hash, depth - 1, score_forth (beta), score_forth (low)));
    best = v > best ? v : best;
  }
  return best;
}

static int visit (sd_mate_search *s, const sd_pos *p, sd_hash h, unsigned depth, int alpha, int beta) {
  int best;
  bool other;
  s->stopped |= s->nodes == s->last;
  if (s->stopped)
    return 0;
  s->nodes++;
  if (depth == 0)
    return at_horizon (s, p);
  if (!s->o.evaluate && ((alpha >= 0 && is_bare (p, p->stm)) || (beta <= 0 && is_bare (p, p->stm ^ 1u))))
    return 0; /* who asks for a mate has nothing to give it with */
  if (known (s, p, h, depth, alpha, beta, &best, &other)) {
    count_use (s, other);
    return best;
  }
  const unsigned n = successors (s, p, h, depth > 1);
  if (n == 0)
    return sd_in_check (p, p->stm) ? -SD_MATE : 0;
  child *c = s->child + s->used;
  s->used += n;
  if (depth < 2 || !s->table || !cut_by_table (s, c, n, depth, alpha, beta, &best)) {
    if (depth > 1)
      sort (c, n, depth, !s->o.evaluate && alpha >= 0);
    best = best_of (s, c, n, depth, alpha, beta);
  }
  s->used -= n;
  const unsigned flags = (best > alpha ? SD_AT_LEAST : 0) | (best < beta ? SD_AT_MOST : 0);
  if (s->table && !s->stopped)
    sd_trans_store (s->table, h, p, &(sd_trans_found){ best, depth, flags, false });
  return best;
}

/* A call begins, which may visit so many nodes. */
static void start (sd_mate_search *s) {
  s->stopped = false;
  s->last = s->o.most_nodes ? s->nodes + s->o.most_nodes : UINT64_MAX;
}

/* sd_mate_score with the nodes that are left. */
static int score_of (sd_mate_search *s, const sd_pos *p, unsigned depth, int alpha, int beta, int *score) {
  s->used = 0;
  const int v = visit (s, p, sd_hash_of (&s->zobrist, p), depth, alpha, beta);
  if (s->stopped)
    return SD_ERANGE;
  *score = v;
  return SD_OK;
}

int sd_mate_score (sd_mate_search *s, const sd_pos *p, unsigned depth, int alpha, int beta, int *score) {
  start (s);
  return score_of (s, p, depth, alpha, beta, score);
}

int sd_mate_find (sd_mate_search *s, const sd_pos *p, unsigned plies, int *value) {
  start (s);
  for (unsigned d = 0; d <= plies; d++) {
    const int mate = SD_MATE - (int) d; /* the player to move mates in an odd number of plies */
    int v;
    SD_TRY (d & 1 ? score_of (s, p, d, mate - 1, mate, &v) : score_of (s, p, d, -mate, -mate + 1, &v));
    *value = d & 1 ? (v >= mate ? (int) d : 0) : v <= -mate ? -(int) d - 1 : 0;
    if (*value)
      return SD_OK;
  }
  return SD_OK;
}

int sd_mate_search_new (const sd_mate_options *o, sd_mate_search **out, sd_error *err) {
  *out = NULL;
  sd_mate_search *s = calloc (1, sizeof *s);
  if (!s)
    return sd_fail_memory (err, sizeof *s);
  s->o = *o;
  const uint64_t room = (uint64_t) SD_MAX_DEPTH * SD_MAX_MOVES;
  s->child = sd_alloc (room, sizeof *s->child); /* the system gives memory to what is used of it */
  int st = s->child ? SD_OK : sd_fail_memory (err, room * sizeof *s->child);
  if (st == SD_OK && o->table.slots)
    st = sd_trans_new (&o->table, &s->table, err);
  if (st != SD_OK) {
    sd_mate_search_free (s);
    return st;
  }
  sd_zobrist_fill (&s->zobrist, o->seed);
  *out = s;
  return SD_OK;
}

void sd_mate_search_free (sd_mate_search *s) {
  if (!s)
    return;
  sd_trans_free (s->table);
  free (s->child);
  free (s);
}

uint64_t sd_mate_nodes (const sd_mate_search *s) {
  return s->nodes;
}

sd_trans *sd_mate_table (sd_mate_search *s) {
  return s->table;
}
