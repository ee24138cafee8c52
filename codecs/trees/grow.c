/** \file grow.c
 * Growing the forest: gradient boosting with trees that grow where most is gained (Friedman 2001; counts in
 * classes as in LightGBM, Ke and others 2017). The first tree takes what it can get of the entropy, the
 * others follow the gradient of what is left. A split must save more bits than it costs in the stream.
 *
 * Sums are integers, so that they do not depend on the order of adding, that is on the number of threads.
 * Cost: each level of a tree reads the smaller halves of the samples once, a byte for each feature; the
 * larger half's counts are what is left of the parent's. Memory: the samples and 16 bytes more for each, and
 * 64 kB for each leaf of a tree. */
#include "config.h"
#include "codecs/trees/trees_internal.h"

#include <math.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define UNIT (1 << 20)   /* of gradients */
#define CHUNK (1u << 15) /* samples of one task */
#define ENTRY 18         /* bits of a split in the stream, about */
#define FEW 10           /* a leaf has more samples of the first tree */
#define PACE 0.7         /* of the way along a gradient */
#define STEPS_A_NAT 12.0 /* scores are logits in twelfths */

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
  int16_t *score;        /* [sample] of the trees so far */
  int32_t *slope, *bend; /* [sample] UNIT */
  bool first;
  unsigned features;
  const sd_trees_growth *how;
  const sd_trees_model *mo; /* which features there are */
} grower;

static void add_up (const grower *g, uint32_t begin, uint32_t end, histogram *h) {
  for (uint32_t i = begin; i < end; i++) {
    const uint32_t k = g->index[i];
    const uint8_t *row = g->s->row[k];
    const int64_t a = g->first ? !g->s->yes[k] : g->slope[k], b = g->first ? g->s->yes[k] : g->bend[k];
    for (unsigned f = 0; f < g->features; f++) {
      (*h)[f][row[f]].a += a;
      (*h)[f][row[f]].b += b;
    }
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

/* Samples that say no to the right; where they begin. */
static uint32_t part (grower *g, const leaf *l) {
  uint32_t left = l->begin, right = 0;
  for (uint32_t i = l->begin; i < l->end; i++) {
    uint32_t k = g->index[i];
    if (g->s->row[k][l->feature] <= l->limit)
      g->index[left++] = k;
    else
      g->spare[right++] = k;
  }
  /* Both halves keep their order, so that nothing depends on the number of threads. */
  memcpy (g->index + left, g->spare, right * sizeof *g->spare);
  return left;
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

static void finish_leaf (const grower *g, sd_trees_model *mo, const leaf *l) {
  int64_t a = 0, b = 0;
  for (unsigned v = 0; v < SD_TREES_VALUES; v++) {
    a += (*l->h)[0][v].a;
    b += (*l->h)[0][v].b;
  }
  double nats = g->first ? log (((double) b + 0.4) / ((double) a + 0.4))
                         : PACE * ((double) a / UNIT) / ((double) b / UNIT + 1);
  double steps = round (nats * STEPS_A_NAT);
  int value = steps > 127 ? 127 : steps < -127 ? -127 : (int) steps;
  mo->node[l->node] = sd_trees_leaf (l->node);
  mo->score[l->node] = (int8_t) value;
  for (uint32_t i = l->begin; i < l->end; i++)
    g->score[g->index[i]] = (int16_t) (g->score[g->index[i]] + value);
}

static void follow_gradient (grower *g) {
#pragma omp parallel for schedule(static)
  for (uint32_t i = 0; i < g->s->n; i++) {
    double p = 1 / (1 + exp (-g->score[i] / STEPS_A_NAT));
    g->slope[i] = (int32_t) (((g->s->yes[i] ? 1 : 0) - p) * UNIT);
    g->bend[i] = (int32_t) (p * (1 - p) * UNIT) + 1;
  }
}

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
  if (!g->first)
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
  for (unsigned k = 0; k < n; k++)
    finish_leaf (g, mo, l + k);
  mo->root[mo->ntrees++] = (uint16_t) root;
done:
  for (unsigned k = 0; l && k < n; k++)
    free (l[k].h);
  return status;
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
  g.index = sd_alloc (samples->n, sizeof *g.index);
  g.spare = sd_alloc (samples->n, sizeof *g.spare);
  g.score = sd_alloc0 (samples->n, sizeof *g.score);
  g.slope = sd_alloc (samples->n, sizeof *g.slope);
  g.bend = sd_alloc (samples->n, sizeof *g.bend);
  int status = sd_trees_forest_new (mo, trees * 2 * how->leaves);
  if (!status)
    status = g.index && g.spare && g.score && g.slope && g.bend ? SD_OK : SD_ENOMEM;
  for (unsigned t = 0; !status && t < trees; t++) {
    sd_report (how->progress, "growing trees", t, trees);
    g.first = t == 0;
    status = grow_tree (&g, mo);
    /* a tree without a split would be a waste */
    if (!status && t > 0 && sd_trees_is_leaf (mo, mo->root[t])) {
      mo->nnodes = mo->root[t];
      mo->ntrees--;
      break;
    }
  }
  if (!status)
    status = sd_trees_forest_finish (mo);
  free (g.index);
  free (g.spare);
  free (g.score);
  free (g.slope);
  free (g.bend);
  return status;
}
