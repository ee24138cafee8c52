/** \file grow.c
 * Growing the forest: gradient boosting with trees that grow where most is gained (Friedman 2001; counts in
 * classes as in LightGBM, Ke and others 2017). The first tree takes what it can get of the entropy, the
 * others follow the gradient of what is left. A split must save more bits than it costs in the stream. A
 * leaf's score is right for the trees that stand before it. Whenever the number of trees has doubled, and at
 * the end, the leaves of each tree are fitted again to what all trees leave (Johnson and Zhang 2014
 * correct all leaves so, in their regularized greedy forest).
 *
 * Sums are integers, so that they do not depend on the order of adding, that is on the number of threads.
 * Cost: each level of a tree reads the smaller halves of the samples once, a byte for each feature; the
 * larger half's counts are what is left of the parent's. A fit walks each sample
 * through each tree, five times or so in all. Memory: the samples and 18 bytes more for each, and 64 kB for
 * each leaf of a tree. */
#include "config.h"
#include "codecs/trees/trees_internal.h"

#include <math.h>
#include <stdlib.h>

#define UNIT (1 << 20)   /* of gradients */
#define CHUNK (1u << 15) /* samples of one task */
#define SOON 48          /* samples ahead are fetched */
#define TOGETHER 8       /* samples that walk through a tree at the same time */
#define PACKED 2000 /* samples whose gradients sum up to less than 2^31, and curvatures to less than 2^32 */
#define ENTRY 18    /* bits of a split in the stream, about */
#define FEW 10      /* a leaf has more samples of the first tree */
#define PACE 0.7    /* of the way along a gradient */
#define STEPS_A_NAT 12.0 /* scores are logits in twelfths */
#define FAR 300          /* scores beyond are as good as certain */

/* First tree: answers no, yes. Later: gradient, curvature. */
typedef struct sum {
  int64_t a, b;
} sum;
typedef sum histogram[SD_TREES_FEATURES][SD_TREES_VALUES];

typedef struct leaf {
  uint32_t node, begin, end; /* index[begin..end-1] are its samples */
  histogram *h;
  double gain; /* nats; of the best split */
  double more; /* than the best split by a feature that is no average */
  int feature, limit;
  unsigned depth;
} leaf;

typedef struct grower {
  const sd_trees_samples *s;
  uint32_t *index, *spare;
  uint32_t *yes;  /* [samples / CHUNK + 1] see part() */
  int16_t *score; /* [sample] of the trees so far */
  uint64_t *both; /* [sample] a and b of struct sum, packed */
  struct {
    int32_t p, bend; /* UNIT: the chance of a yes, and the curvature of what an answer costs there */
  } at[2 * FAR + 1]; /* [score + FAR] */
  bool first;
  unsigned features;
  const sd_trees_growth *how;
  const sd_trees_model *mo; /* which features there are */
} grower;

_Static_assert(PACKED < (1ll << 31) / UNIT, "sums of packed gradients");

static uint64_t pack (int64_t a, int64_t b) {
  return ((uint64_t) a << 32) + (uint64_t) b;
}

static void add (sum *to, uint64_t both) {
  to->a += (int32_t) (both >> 32);
  to->b += (uint32_t) both;
}

/* Sums of few samples stay packed: one addition for a and b, and half of the memory. */
static void add_up (const grower *g, uint32_t begin, uint32_t end, histogram *h) {
  uint64_t packed[SD_TREES_FEATURES][SD_TREES_VALUES];
  for (uint32_t to; begin < end; begin = to) {
    to = end - begin < PACKED ? end : begin + PACKED;
    memset (packed, 0, g->features * sizeof *packed);
    for (uint32_t i = begin; i < to; i++) {
      if (i + SOON < to) {
        __builtin_prefetch (g->s->row[g->index[i + SOON]]);
        __builtin_prefetch (&g->both[g->index[i + SOON]]);
      }
      const uint64_t both = g->both[g->index[i]];
      const uint8_t *row = g->s->row[g->index[i]];
#pragma GCC unroll 8
      for (unsigned f = 0; f < g->features; f++)
        packed[f][row[f]] += both;
    }
    for (unsigned f = 0; f < g->features; f++)
      for (unsigned v = 0; v < SD_TREES_VALUES; v++)
        add (&(*h)[f][v], packed[f][v]);
  }
}

static void merge (const grower *g, const histogram *from, int64_t sign, histogram *to) {
  const sum *x = (*from)[0];
  sum *y = (*to)[0];
  for (unsigned k = 0; k < g->features * SD_TREES_VALUES; k++) {
    y[k].a += sign * x[k].a;
    y[k].b += sign * x[k].b;
  }
}

static int count_samples (const grower *g, uint32_t begin, uint32_t end, histogram *h) {
  int status = SD_OK;
  /* Few samples are not worth a histogram of 64 kB for each thread. */
  if (end - begin <= CHUNK) {
    add_up (g, begin, end, h);
    return SD_OK;
  }
#pragma omp parallel
  {
    histogram *own = sd_alloc0 (1, sizeof *own);
#pragma omp for schedule(static) reduction(max : status)
    for (uint32_t from = begin; from < end; from += CHUNK)
      if (own)
        add_up (g, from, end - from < CHUNK ? end : from + CHUNK, own);
      else
        status = SD_ENOMEM;
#pragma omp critical(sd_trees_grow)
    if (own)
      merge (g, own, 1, h);
    free (own);
  }
  return status;
}

/* What is still to pay for the samples of a leaf: nats, but for a constant. */
static double price (bool first, int64_t a, int64_t b) {
  double x = (double) a, y = (double) b;
  if (!first)
    return -x * x / (y / UNIT + 1) / (2.0 * UNIT * UNIT);
  return (a ? -x * log (x / (x + y)) : 0) + (b ? -y * log (y / (x + y)) : 0);
}

static bool too_few (bool first, int64_t a, int64_t b) {
  return first ? a + b < FEW : b < 3 * UNIT;
}

static void find_split (const grower *g, leaf *l) {
  l->gain = l->more = 0;
  if (l->depth >= g->how->depth)
    return;
  for (int f = 0; f < (int) g->features; f++) {
    /* Between neighbours and averages stands what is computed, but not looked at. */
    if (!sd_trees_is_feature (g->mo, (unsigned) f))
      continue;
    const sum *h = (*l->h)[f];
    sum all = { 0, 0 }, left = { 0, 0 };
    for (unsigned v = 0; v < SD_TREES_VALUES; v++) {
      all.a += h[v].a;
      all.b += h[v].b;
    }
    /* What a leaf costs as it is; a split must bring both halves below that. */
    double now = price (g->first, all.a, all.b);
    /* Each limit between two values that occur, from the left. */
    for (int v = 0; v + 1 < SD_TREES_VALUES; v++) {
      if (!h[v].a && !h[v].b)
        continue;
      left.a += h[v].a;
      left.b += h[v].b;
      if (too_few (g->first, left.a, left.b) || too_few (g->first, all.a - left.a, all.b - left.b))
        continue;
      double gain = now - price (g->first, left.a, left.b) - price (g->first, all.a - left.a, all.b - left.b);
      if (gain > l->gain) {
        l->more = f < SD_TREES_AVERAGE_HERE ? 0 : l->more + gain - l->gain;
        l->gain = gain;
        l->feature = f;
        l->limit = v;
      }
    }
  }
}

/* Of index[begin..end-1] those that say yes come first, the others to spare; how many said yes. Both are
 * written each time, since nobody can foresee the answer. */
static uint32_t part_some (grower *g, const leaf *l, uint32_t begin, uint32_t end, uint32_t *spare) {
  uint32_t left = begin, right = 0;
  for (uint32_t i = begin; i < end; i++) {
    const uint32_t k = g->index[i];
    if (i + SOON < end)
      __builtin_prefetch (g->s->row[g->index[i + SOON]] + l->feature);
    const uint32_t yes = g->s->row[k][l->feature] <= l->limit;
    g->index[left] = k;
    spare[right] = k;
    left += yes;
    right += 1 - yes;
  }
  return left - begin;
}

/* Samples that say no to the right; where they begin. Both halves keep their order, so that nothing depends
 * on the number of threads. */
static uint32_t part (grower *g, const leaf *l) {
  const uint32_t n = l->end - l->begin, chunks = (n + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static) if (chunks > 1)
  for (uint32_t c = 0; c < chunks; c++) {
    const uint32_t from = c * CHUNK, to = n - from < CHUNK ? n : from + CHUNK;
    g->yes[c] = part_some (g, l, l->begin + from, l->begin + to, g->spare + from);
  }
  uint32_t at = l->begin;
  for (uint32_t c = 0; c < chunks; at += g->yes[c++])
    memmove (g->index + at, g->index + l->begin + c * CHUNK, g->yes[c] * sizeof *g->index);
  const uint32_t middle = at;
  for (uint32_t c = 0; c < chunks; c++) {
    const uint32_t from = c * CHUNK, no = (n - from < CHUNK ? n - from : CHUNK) - g->yes[c];
    memcpy (g->index + at, g->spare + from, no * sizeof *g->index);
    at += no;
  }
  return middle;
}

/* l and *r share what l had. */
static int split (grower *g, sd_trees_model *mo, leaf *l, leaf *r) {
  uint32_t at = part (g, l);
  if (g->how->worth)
    g->how->worth[l->feature] += l->more * g->s->weight / M_LN2;
  sd_trees_node *x = mo->node + l->node;
  *x = (sd_trees_node){ (uint8_t) l->feature, (uint8_t) l->limit, (uint16_t) mo->nnodes };
  *r = (leaf){
    .node = mo->nnodes + 1, .begin = at, .end = l->end, .depth = ++l->depth, .h = sd_alloc0 (1, sizeof *r->h)
  };
  l->node = mo->nnodes;
  l->end = at;
  mo->nnodes += 2;
  if (!r->h)
    return SD_ENOMEM;
  /* The smaller half is counted; the larger one's counts are the parent's less these. */
  bool small = r->end - r->begin < l->end - l->begin;
  SD_TRY (count_samples (g, small ? r->begin : l->begin, small ? r->end : l->end, r->h));
  merge (g, r->h, -1, l->h);
  if (!small) {
    histogram *h = l->h;
    l->h = r->h;
    r->h = h;
  }
  find_split (g, l);
  find_split (g, r);
  return SD_OK;
}

static int bounded_score (double steps) {
  return steps > 127 ? 127 : steps < -127 ? -127 : (int) steps;
}

static void finish_leaf (const grower *g, sd_trees_model *mo, const leaf *l) {
  int64_t a = 0, b = 0;
  for (unsigned v = 0; v < SD_TREES_VALUES; v++) {
    a += (*l->h)[0][v].a;
    b += (*l->h)[0][v].b;
  }
  double nats = g->first ? log (((double) b + 0.4) / ((double) a + 0.4))
                         : PACE * ((double) a / UNIT) / ((double) b / UNIT + 1);
  int value = bounded_score (round (nats * STEPS_A_NAT));
  mo->node[l->node] = sd_trees_leaf (l->node);
  mo->score[l->node] = (int8_t) value;
  for (uint32_t i = l->begin; i < l->end; i++)
    g->score[g->index[i]] = (int16_t) (g->score[g->index[i]] + value);
}

static void set_chances (grower *g) {
  for (int score = -FAR; score <= FAR; score++) {
    const double p = 1 / (1 + exp (-score / STEPS_A_NAT));
    g->at[score + FAR].p = (int32_t) (p * UNIT);
    g->at[score + FAR].bend = (int32_t) (p * (1 - p) * UNIT) + 1;
  }
}

/* Gradient and curvature of a sample. */
static uint64_t pull_of (const grower *g, uint32_t i) {
  const int score = g->score[i];
  const unsigned place = (unsigned) ((score > FAR ? FAR : score < -FAR ? -FAR : score) + FAR);
  return pack ((g->s->yes[i] ? UNIT : 0) - g->at[place].p, g->at[place].bend);
}

static void follow_gradient (grower *g) {
#pragma omp parallel for schedule(static)
  for (uint32_t i = 0; i < g->s->n; i++)
    g->both[i] = g->first ? pack (!g->s->yes[i], g->s->yes[i]) : pull_of (g, i);
}

/* One more tree, or none where no split is worth its bytes. */
static int grow_tree (grower *g, sd_trees_model *mo) {
  const unsigned leaves = g->how->leaves;
  SD_OWNED leaf *l = sd_alloc0 (leaves, sizeof *l);
  unsigned n = 1;
  uint32_t root = mo->nnodes++;
  int status = l && (l[0].h = sd_alloc0 (1, sizeof *l->h)) ? SD_OK : SD_ENOMEM;
  if (status)
    goto done;
  for (uint32_t i = 0; i < g->s->n; i++)
    g->index[i] = i;
  follow_gradient (g);
  l[0].node = root;
  l[0].end = g->s->n;
  if ((status = count_samples (g, 0, g->s->n, l[0].h)))
    goto done;
  find_split (g, l);
  while (n < leaves) {
    unsigned best = 0;
    /* The leaf with the most to gain is split first, wherever it stands. */
    for (unsigned k = 1; k < n; k++)
      if (l[k].gain > l[best].gain)
        best = k;
    /* It would save less than it costs in the stream. */
    if (l[best].gain * g->s->weight < ENTRY * M_LN2)
      break;
    if ((status = split (g, mo, l + best, l + n++)))
      goto done;
  }
  /* A later tree without a split would be a waste. */
  if (n == 1 && !g->first) {
    mo->nnodes = root;
    goto done;
  }
  for (unsigned k = 0; k < n; k++)
    finish_leaf (g, mo, l + k);
  mo->root[mo->ntrees++] = (uint16_t) root;
done:
  for (unsigned k = 0; l && k < n; k++)
    free (l[k].h);
  return status;
}

/* To which leaves of a tree `count` samples come. While one waits for what its step reads the others go
 * theirs; a leaf leads to itself. */
static void leaves_of (const sd_trees_node *node, uint32_t root, const sd_trees_row *row, unsigned count,
                       uint32_t at[TOGETHER]) {
  uint32_t moved;
  for (unsigned i = 0; i < TOGETHER; i++)
    at[i] = root;
  do {
    moved = 0;
    for (unsigned i = 0; i < TOGETHER; i++) {
      const sd_trees_node x = node[at[i]];
      const uint32_t next = x.next + (row[i < count ? i : 0][x.feature] > x.limit);
      moved |= next ^ at[i];
      at[i] = next;
    }
  } while (moved);
}

/* index[begin..end-1]: to which of the tree's nodes these samples come; *all: what they pull them. */
static void find_leaves (grower *g, const sd_trees_node *tree, uint32_t root, uint32_t begin, uint32_t end,
                         sum *all) {
  uint32_t at[TOGETHER];
  for (uint32_t i = begin; i < end; i += TOGETHER) {
    const unsigned count = end - i < TOGETHER ? end - i : TOGETHER;
    leaves_of (tree, root, g->s->row + i, count, at);
    for (unsigned k = 0; k < count; k++) {
      g->index[i + k] = at[k] - root;
      add (&all[at[k] - root], pull_of (g, i + k));
    }
  }
}

/* The leaves of tree t: a step of Newton along what all trees leave. */
static int fit_tree (grower *g, sd_trees_model *mo, unsigned t) {
  const uint32_t first = mo->root[t], n = (t + 1 < mo->ntrees ? mo->root[t + 1] : mo->nnodes) - first;
  SD_OWNED sum *all = sd_alloc0 (n, sizeof *all);
  SD_OWNED int *more = sd_alloc0 (n, sizeof *more);
  int status = all && more ? SD_OK : SD_ENOMEM;
  SD_TRY (status);
#pragma omp parallel
  {
    sum *own = sd_alloc0 (n, sizeof *own);
#pragma omp for schedule(static) reduction(max : status)
    for (uint32_t from = 0; from < g->s->n; from += CHUNK)
      if (own)
        find_leaves (g, mo->node, first, from, g->s->n - from < CHUNK ? g->s->n : from + CHUNK, own);
      else
        status = SD_ENOMEM;
#pragma omp critical(sd_trees_grow)
    for (uint32_t k = 0; own && k < n; k++) {
      all[k].a += own[k].a;
      all[k].b += own[k].b;
    }
    free (own);
  }
  SD_TRY (status);
  for (uint32_t k = 0; k < n; k++)
    if (sd_trees_is_leaf (mo, first + k)) {
      const int before = mo->score[first + k];
      const double nats = ((double) all[k].a / UNIT) / ((double) all[k].b / UNIT + 1);
      mo->score[first + k] = (int8_t) bounded_score (round (before + nats * STEPS_A_NAT));
      more[k] = mo->score[first + k] - before;
    }
#pragma omp parallel for schedule(static)
  for (uint32_t i = 0; i < g->s->n; i++)
    g->score[i] = (int16_t) (g->score[i] + more[g->index[i]]);
  return SD_OK;
}

/* One tree after the other, the first one first: each sees what those before it have become. */
static int fit_trees (grower *g, sd_trees_model *mo) {
  for (unsigned t = 0; t < mo->ntrees; t++)
    SD_TRY (fit_tree (g, mo, t));
  return SD_OK;
}

int sd_trees_grow (const sd_trees_samples *samples, const sd_trees_growth *how, sd_trees_model *mo) {
  unsigned trees = how->trees;
  grower g = { .s = samples,
               .how = how,
               .mo = mo,
               .features = mo->naverages ? SD_TREES_AVERAGE_HERE + mo->naverages
                                         : SD_TREES_AHEAD + (unsigned) sd_trees_has_groups (mo) };
  while (trees > 1 && trees * 2 * how->leaves >= SD_TREES_MAX_NODES)
    trees--;
  set_chances (&g);
  g.index = sd_alloc_large (samples->n, sizeof *g.index);
  g.spare = sd_alloc_large (samples->n, sizeof *g.spare);
  g.yes = sd_alloc (samples->n / CHUNK + 1, sizeof *g.yes);
  g.score = sd_alloc0 (samples->n, sizeof *g.score);
  g.both = sd_alloc_large (samples->n, sizeof *g.both);
  int status = sd_trees_forest_new (mo, trees * 2 * how->leaves);
  if (!status)
    status = g.index && g.spare && g.yes && g.score && g.both ? SD_OK : SD_ENOMEM;
  for (unsigned t = 0; !status && t == mo->ntrees && t < trees; t++) {
    sd_report (how->progress, "growing trees", t, trees);
    g.first = t == 0;
    status = sd_stopped (how->progress);
    if (!status)
      status = grow_tree (&g, mo);
    if (!status && t < mo->ntrees && (mo->ntrees & t) == 0)
      status = fit_trees (&g, mo);
  }
  if (!status)
    status = fit_trees (&g, mo);
  if (!status)
    status = sd_trees_forest_finish (mo);
  free (g.index);
  free (g.spare);
  free (g.yes);
  free (g.score);
  free (g.both);
  return status;
}
