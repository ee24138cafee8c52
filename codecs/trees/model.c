/** \file model.c
 * The model of a stream: which neighbours are looked at, which kinds of slots are free, and the forest; made,
 * written and read. Numbers that are many pass an adaptive range coder. The encoder makes a model from slots
 * (encode.c), the decoder reads one; from then on both walk by it alike (trees_internal.h). A read model is
 * bounded by an allowance in memory and entries, since a few forged bytes could ask for megabytes. */
#include "config.h"
#include "codecs/entropy/range_coder.h"
#include "codecs/trees/trees_internal.h"

#include <stdlib.h>

#define FIRST_NODES 1023 /* a stream that is opened has room for so many at first */

/* 65536 / (1 + exp (-score / 12)), at most 65527 */
const uint16_t sd_trees_chance[SD_TREES_SCORE + 1] = {
  32768, 34133, 35492, 36843, 38179, 39498, 40793, 42063, 43303, 44511, 45682, 46816, 47911, 48964, 49974,
  50941, 51865, 52744, 53581, 54374, 55124, 55834, 56502, 57132, 57724, 58279, 58800, 59287, 59743, 60168,
  60565, 60934, 61278, 61598, 61896, 62172, 62428, 62666, 62886, 63090, 63279, 63453, 63615, 63764, 63903,
  64030, 64148, 64257, 64357, 64450, 64535, 64614, 64687, 64754, 64816, 64873, 64925, 64974, 65018, 65060,
  65097, 65132, 65164, 65194, 65221, 65246, 65269, 65291, 65310, 65328, 65345, 65360, 65374, 65387, 65399,
  65410, 65420, 65429, 65438, 65445, 65453, 65459, 65465, 65471, 65476, 65481, 65485, 65489, 65493, 65497,
  65500, 65503, 65505, 65508, 65510, 65512, 65514, 65516, 65517, 65519, 65520, 65522, 65523, 65524, 65525,
  65526, 65526, 65527, 65527, 65527, 65527, 65527, 65527,
};

/* ---------------------------------------------------------------- neighbours */

/* Squares by rows: 1 and 8 are one file and one rank of the last man away, s1 and 8 s1 of the one before, s2
 * of the one before that. */
static void choose_neighbours (sd_trees_model *mo) {
  const uint64_t s1 = mo->ndims ? mo->radix[mo->ndims - 1] : 64;
  const uint64_t s2 = mo->ndims > 1 ? s1 * mo->radix[mo->ndims - 2] : 64 * s1;
  const uint64_t wish[SD_TREES_NEIGHBOURS] = {
    1,      s1,     8,      8 * s1,     s2,         s1 - 1,  s1 - 8,     9,      7, 2, 16,     2 * s1,
    s2 + 1, s1 + 1, s1 + 8, 8 * s1 + 1, 8 * s1 - 1, s2 + s1, 8 * s1 + 8, s2 + 8, 3, 4, s2 - 1, s2 - s1,
  };
  /* Distances that coincide, or lie out of a block, are left out. */
  for (unsigned k = 0; k < SD_TREES_NEIGHBOURS; k++) {
    bool is_new = wish[k] >= 1 && wish[k] < SD_TREES_MAX_SLOTS;
    for (unsigned j = 0; j < mo->nneighbours; j++)
      is_new &= wish[k] != mo->offset[j];
    if (is_new)
      mo->offset[mo->nneighbours++] = (uint32_t) wish[k];
  }
}

/* By insertion, since there are two dozen. A block's first slots know the near neighbours only, which then
 * stand in front. */
void sd_trees_sort_neighbours (sd_trees_model *mo) {
  for (unsigned k = 0; k < mo->nneighbours; k++) {
    unsigned j = k;
    for (; j && mo->offset[mo->by_distance[j - 1]] > mo->offset[k]; j--)
      mo->by_distance[j] = mo->by_distance[j - 1];
    mo->by_distance[j] = (uint8_t) k;
  }
  mo->ngroups = 0;
  for (unsigned j = 0; j < mo->nneighbours; j++)
    if (mo->offset[mo->by_distance[j]] % SD_TREES_GROUP == 0)
      mo->group[mo->ngroups++] = mo->offset[mo->by_distance[j]];
}

/* Do the digits count just the n slots? Else nothing is said of digits at all. */
static bool digits_fit (const uint32_t *radix, unsigned ndims, uint64_t n) {
  uint64_t product = 1;
  for (unsigned k = 0; k < ndims; k++)
    if (!radix[k] || sd_mul (product, radix[k], &product))
      return false;
  return product == n;
}

/* A model without anything but its symbols; all that is freed later is NULL from here on. */
static void set_main (sd_trees_model *mo, unsigned m) {
  *mo = (sd_trees_model){ .m = m };
  while (m - 1 >= (unsigned) SD_TREES_VALUES << mo->shift)
    /* Until the largest symbol is below SD_TREES_VALUES: so coarse is what trees see of a symbol. */
    mo->shift++;
}

void sd_trees_model_init (sd_trees_model *mo, unsigned m, const uint32_t *radix, unsigned ndims, uint64_t n) {
  set_main (mo, m);
  if (ndims && digits_fit (radix, ndims, n)) {
    mo->ndims = ndims;
    memcpy (mo->radix, radix, ndims * sizeof *radix);
  }
  choose_neighbours (mo);
  sd_trees_sort_neighbours (mo);
}

/* The forests by kinds are made from the model's nodes and can be made again; the nodes stay. */
static void clear_forests (sd_trees_model *mo) {
  for (unsigned k = 0; k < SD_TREES_KINDS; k++) {
    free (mo->forest[k].node);
    mo->forest[k] = (sd_trees_forest){ 0 };
  }
}

void sd_trees_model_clear (sd_trees_model *mo) {
  clear_forests (mo);
  for (unsigned k = 0; k < mo->npairs; k++)
    free (mo->pair[k].level);
  for (unsigned k = 0; k < mo->naverages; k++)
    free (mo->average[k].value);
  free (mo->node);
  free (mo->score);
  mo->npairs = mo->naverages = 0;
  mo->node = NULL;
  mo->score = NULL;
}

int sd_trees_forest_new (sd_trees_model *mo, unsigned nodes) {
  clear_forests (mo);
  free (mo->node);
  free (mo->score);
  mo->ntrees = 0;
  mo->room = nodes + 1;
  mo->nnodes = 1; /* the leaf that stands for trees that there are not */
  mo->node = sd_alloc0 (nodes + 1, sizeof *mo->node);
  mo->score = sd_alloc0 (nodes + 1, sizeof *mo->score);
  if (!mo->node || !mo->score)
    return SD_ENOMEM;
  mo->node[0] = sd_trees_leaf (0);
  return SD_OK;
}

/* What a stream may still ask for. */
typedef struct allowance {
  uint64_t memory, entries;
} allowance;

static allowance allowed (uint64_t bytes) {
  return (allowance){ SD_TREES_MEMORY + SD_TREES_MEMORY_A_BYTE * bytes, SD_TREES_ENTRIES + bytes };
}

/* false: it is used up, and the stream is refused. */
static bool take (uint64_t *from, uint64_t much) {
  if (much > *from)
    return false;
  *from -= much;
  return true;
}

/* What of it was taken beyond what the stream's bytes gave. */
static uint64_t unpaid (const allowance *left) {
  return sd_unpaid (SD_TREES_MEMORY, left->memory) + sd_unpaid (SD_TREES_ENTRIES, left->entries);
}

bool sd_trees_fits (const sd_trees_model *mo, uint64_t bytes) {
  allowance a = allowed (bytes);
  bool fits = take (&a.memory, (uint64_t) SD_TREES_MEMORY_A_NODE * mo->nnodes);
  for (unsigned k = 0; k < mo->npairs; k++)
    fits = fits && take (&a.memory, mo->radix[mo->pair[k].a] * mo->radix[mo->pair[k].b]);
  for (unsigned k = 0; k < mo->naverages; k++)
    fits = fits && take (&a.memory, mo->average[k].size) && take (&a.entries, mo->average[k].size);
  return fits;
}

/* `count` more nodes: memory grows with those that are there. The caller's pointers into mo->node are wrong
 * afterwards. */
static int more_nodes (sd_trees_model *mo, unsigned count, allowance *a) {
  if (mo->nnodes + count > SD_TREES_MAX_NODES
      || !take (&a->memory, (uint64_t) SD_TREES_MEMORY_A_NODE * count))
    return SD_EFORMAT;
  if (mo->nnodes + count > mo->room) {
    /* Doubled, so that a forged forest takes memory only as it brings nodes. */
    const unsigned room = 2 * mo->room < SD_TREES_MAX_NODES ? 2 * mo->room : SD_TREES_MAX_NODES;
    sd_trees_node *node = realloc (mo->node, room * sizeof *node);
    mo->node = node ? node : mo->node;
    int8_t *score = realloc (mo->score, room);
    mo->score = score ? score : mo->score;
    if (!node || !score)
      return SD_ENOMEM;
    memset (mo->node + mo->room, 0, (room - mo->room) * sizeof *node);
    memset (mo->score + mo->room, 0, room - mo->room);
    mo->room = room;
  }
  mo->nnodes += count;
  return SD_OK;
}

/* Splits on the longest way down from a node; at most SD_TREES_MAX_DEPTH, which bounds this recursion,
 * too. */
static unsigned depth_below (const sd_trees_model *mo, unsigned at) {
  if (sd_trees_is_leaf (mo, at))
    return 0;
  unsigned left = depth_below (mo, mo->node[at].next), right = depth_below (mo, mo->node[at].next + 1u);
  return 1 + (left > right ? left : right);
}

/* Where a node leads, as far as its splits ask for what is the same in all questions of the kind: whether it
 * is for a group, how many were asked before (0, or more), and the differences to neighbours that hold the
 * symbol in question. */
static uint16_t settled (const sd_trees_model *mo, unsigned kind, uint16_t at) {
  const bool group = kind == SD_TREES_OF_GROUP;
  const unsigned alike = kind == SD_TREES_LATER ? 0 : kind == SD_TREES_FIRST ? 1 : mo->nneighbours;
  while (!sd_trees_is_leaf (mo, at)) {
    const sd_trees_node x = mo->node[at];
    if (x.feature == SD_TREES_ASKING && (kind != SD_TREES_LATER || !x.limit))
      at = (uint16_t) (x.next + (kind == SD_TREES_LATER));
    else if (x.feature == SD_TREES_AHEAD && (group || x.limit))
      at = (uint16_t) (x.next + (group && SD_TREES_FOR_GROUP > x.limit));
    else if (x.feature >= SD_TREES_DIFFERENCES && x.feature < SD_TREES_DIFFERENCES + alike)
      at = (uint16_t) (x.next + (SD_TREES_CLIP > x.limit));
    else
      break;
  }
  return at;
}

static uint32_t leaf_of (unsigned at, int score) {
  return at << 16 | (unsigned) (score + 128) << 8 | SD_TREES_ZERO;
}

/* Tree t level by level behind the n nodes of f; from[k] is the node that node k is made of. Returns how many
 * nodes there are now. */
static unsigned lay_out (const sd_trees_model *mo, unsigned kind, unsigned t, uint16_t *from, unsigned n,
                         sd_trees_forest *f) {
  unsigned at = n, steps = 0;
  f->root[t] = (uint16_t) n;
  from[n++] = settled (mo, kind, mo->root[t]);
  for (unsigned level = n; at < n; level = n, steps++)
    for (; at < level; at++) {
      const sd_trees_node x = mo->node[from[at]];
      if (sd_trees_is_leaf (mo, from[at])) {
        f->node[at] = leaf_of (at, mo->score[from[at]]);
        continue;
      }
      f->node[at] = (n + 1) << 16 | (uint32_t) x.limit << 8 | x.feature;
      from[n++] = settled (mo, kind, (uint16_t) (x.next + 1));
      from[n++] = settled (mo, kind, x.next);
    }

  if (steps - 1 > f->steps[t / 8])
    f->steps[t / 8] = (uint8_t) (steps - 1);
  return n;
}

/* A forest has at most the nodes of the model's. */
static int forest_of_kind (const sd_trees_model *mo, unsigned kind, uint16_t *from, sd_trees_forest *f) {
  unsigned n = 1;
  f->node = sd_alloc (mo->nnodes, sizeof *f->node);
  if (!f->node)
    return SD_ENOMEM;
  f->node[0] = leaf_of (0, 0); /* stands for trees that there are not */
  for (unsigned t = 0; t < mo->ntrees; t++)
    n = lay_out (mo, kind, t, from, n, f);
  return SD_OK;
}

/* A forest for each kind of questions, from the nodes that were read, or that an encoder has grown. */
int sd_trees_forest_finish (sd_trees_model *mo) {
  clear_forests (mo);
  memset (mo->steps, 0, sizeof mo->steps);
  for (unsigned t = 0; t < mo->ntrees; t++) {
    unsigned depth = depth_below (mo, mo->root[t]);
    if (depth > mo->steps[t / 4])
      mo->steps[t / 4] = (uint8_t) depth;
  }

  SD_OWNED uint16_t *from = sd_alloc (mo->nnodes, sizeof *from);
  const unsigned kinds = sd_trees_has_groups (mo) ? SD_TREES_KINDS : SD_TREES_OF_GROUP;
  for (unsigned k = 0; from && k < kinds; k++)
    SD_TRY (forest_of_kind (mo, k, from, mo->forest + k));
  return from ? SD_OK : SD_ENOMEM;
}

/* ---------------------------------------------------------------------- pairs */

/* Digits whose values are few enough to be told apart in pairs. */
static bool pairs_up (const sd_trees_model *mo, unsigned a, unsigned b) {
  return mo->radix[a] <= SD_TREES_ROW && mo->radix[b] <= SD_TREES_ROW
         && mo->radix[a] * mo->radix[b] <= SD_TREES_PAIR;
}

static unsigned levels_of (const sd_trees_model *mo, const sd_trees_pair *p) {
  return mo->radix[p->a] * mo->radix[p->b];
}

/* How free the slots of a kind are, 0 to SD_TREES_CERTAIN; the last level says that all of them are, and then
 * no slot of the kind is asked for. */
static uint8_t level_of (uint64_t wild, uint64_t all) {
  static const double least[SD_TREES_CERTAIN] = { 0.1, 0.3, 0.6, 0.85, 0.95, 0.99, 1 };
  unsigned level = 0;
  while (level < SD_TREES_CERTAIN && (double) wild >= least[level] * (double) all)
    level++;
  return (uint8_t) level;
}

/* How many of the slots where digit a is va and digit b is vb are free, in wild[va * radix[b] + vb]. Each
 * digit counts by itself, since two divisions a slot would take longer than all the rest. */
static void count_free (const sd_trees_model *mo, const sd_seq *slots, const uint8_t *is_free,
                        const sd_trees_pair *p, uint64_t *wild) {
  const uint32_t ra = mo->radix[p->a], rb = mo->radix[p->b];
  uint64_t above = 1, between = 1, below = 1;
  for (unsigned k = 0; k < mo->ndims; k++)
    *(k < p->a ? &above : k > p->b ? &below : &between) *= k == p->a || k == p->b ? 1 : mo->radix[k];

  const sd_symbol *s = slots->sym;
  for (; above; above--)
    for (uint32_t va = 0; va < ra; va++)
      for (uint64_t k = between; k; k--)
        for (uint32_t vb = 0; vb < rb; vb++, s += below) {
          uint64_t count = 0;
          for (uint64_t j = 0; j < below; j++)
            count += is_free[s[j]];
          wild[va * rb + vb] += count;
        }
}

/* false: no memory. *some: a level above 0 occurs. */
static bool measure_pair (const sd_trees_model *mo, const sd_seq *slots, const uint8_t *is_free,
                          sd_trees_pair *p, bool *some) {
  const unsigned size = mo->radix[p->a] * mo->radix[p->b];
  SD_OWNED uint64_t *wild = sd_alloc0 (size, sizeof *wild);
  p->level = sd_alloc (size, 1);
  if (!wild || !p->level)
    return false;
  count_free (mo, slots, is_free, p, wild);
  for (unsigned k = 0; k < size; k++) {
    p->level[k] = level_of (wild[k], slots->n / size);
    *some |= p->level[k] != 0;
  }
  return true;
}

int sd_trees_pairs (sd_trees_model *mo, const sd_seq *slots) {
  sd_trees_pair all[SD_TREES_PAIRS] = { 0 };
  bool some[SD_TREES_PAIRS] = { false };
  unsigned n = 0;
  int status = SD_OK;
  const unsigned symbols = sd_alphabet_size (slots->alphabet);
  SD_OWNED uint8_t *is_free = sd_alloc (symbols, 1);

  if (!is_free)
    return SD_ENOMEM;
  for (unsigned s = 0; s < symbols; s++)
    /* Only what may hold anything counts as free. */
    is_free[s] = s >= mo->m && sd_alphabet_choices (slots->alphabet, (sd_symbol) s) == mo->m;
  for (unsigned a = 0; a < mo->ndims; a++)
    for (unsigned b = a + 1; b < mo->ndims; b++)
      if (pairs_up (mo, a, b))
        all[n++] = (sd_trees_pair){ (uint8_t) a, (uint8_t) b, NULL };
#pragma omp parallel for schedule(dynamic) reduction(max : status)
  for (unsigned k = 0; k < n; k++)
    if (!measure_pair (mo, slots, is_free, all + k, some + k))
      status = SD_ENOMEM;

  unsigned levels = 0;
  /* Only pairs that tell something, and as many as a stream may have. */
  for (unsigned k = 0; k < n; k++)
    if (some[k] && !status && levels + levels_of (mo, all + k) <= SD_TREES_LEVELS) {
      levels += levels_of (mo, all + k);
      mo->pair[mo->npairs++] = all[k];
    } else
      free (all[k].level);
  return status;
}

/* ---------------------------------------------------------------------- coding */

/* Levels are like those to the left and above. */
static void code_levels (sd_rc_coder *c, sd_rc_bit (*bit)[8], const sd_trees_model *mo, sd_trees_pair *p) {
  const unsigned row = mo->radix[p->b], size = mo->radix[p->a] * row;
  for (unsigned k = 0; k < size; k++) {
    unsigned left = k % row ? p->level[k - 1] : 0, up = k >= row ? p->level[k - row] : 0;
    p->level[k] = (uint8_t) sd_rc_code_number (c, bit[left * 8 + up], 3, p->level[k]);
  }
}

/* allow: what is left of the stream's allowance. The encoder has no bound here: it asks sd_trees_fits () when
 * the bytes are known, and codes with fewer averages where a reader would refuse the model. */
static int code_pairs (sd_rc_coder *c, allowance *allow, sd_trees_model *mo) {
  sd_rc_bit bit[64][8], there;
  unsigned n = 0, levels = 0;

  sd_rc_init (bit[0], 64 * 8);
  sd_rc_init (&there, 1);
  for (unsigned a = 0; a < mo->ndims; a++)
    for (unsigned b = a + 1; b < mo->ndims; b++) {
      if (!pairs_up (mo, a, b))
        continue;
      bool has = c->enc && n < mo->npairs && mo->pair[n].a == a && mo->pair[n].b == b;
      /* One bit for each pair of digits that could have levels. */
      if (!sd_rc_code_bit (c, &there, has))
        continue;
      levels += mo->radix[a] * mo->radix[b];
      if (levels > SD_TREES_LEVELS || !take (&allow->memory, mo->radix[a] * mo->radix[b]))
        return SD_EFORMAT;
      if (c->dec) {
        mo->pair[n] = (sd_trees_pair){ (uint8_t) a, (uint8_t) b, sd_alloc0 (mo->radix[a] * mo->radix[b], 1) };
        mo->npairs++;
        if (!mo->pair[n].level)
          return SD_ENOMEM;
      }
      code_levels (c, bit, mo, mo->pair + n++);
    }
  return SD_OK;
}

/* One bit for each table that there could be. */
static int code_averages (sd_rc_coder *c, allowance *allow, sd_trees_model *mo) {
  sd_trees_average list[SD_TREES_AVERAGES];
  const unsigned all = sd_trees_list_averages (mo, list);
  sd_rc_bit there;
  unsigned n = 0;

  sd_rc_init (&there, 1);

  for (unsigned k = 0; k < all; k++) {
    const bool has =
        c->enc && n < mo->naverages && !memcmp (mo->average[n].digit, list[k].digit, sizeof list[k].digit);
    if (!sd_rc_code_bit (c, &there, has))
      continue;
    if (!take (&allow->entries, list[k].size) || !take (&allow->memory, list[k].size))
      return SD_EFORMAT;
    if (c->dec) {
      mo->average[n] = list[k];
      mo->average[n].value = sd_alloc0 (list[k].size, 1);
      mo->naverages++;
      if (!mo->average[n].value)
        return SD_ENOMEM;
    }
    sd_trees_code_average (c, mo, mo->average + n++);
  }
  return SD_OK;
}

/* One tree after the other from the root down, the left branch first. */
typedef struct forest_contexts {
  sd_rc_bit more, is_leaf[SD_TREES_MAX_DEPTH + 1], feature[64], limit[SD_TREES_FEATURES][64], score[2][256];
} forest_contexts;

typedef struct waiting {
  uint16_t node, depth;
} waiting;

/* Writes tree t, or reads it behind the nodes that are there. SD_EFORMAT: too deep, too many nodes, or a
 * feature that this model does not have. */
static int code_tree (sd_rc_coder *c, forest_contexts *x, allowance *allow, sd_trees_model *mo, unsigned t,
                      waiting *stack) {
  unsigned top = 0;
  if (c->dec) {
    SD_TRY (more_nodes (mo, 1, allow));
    mo->root[t] = (uint16_t) (mo->nnodes - 1);
  }
  /* Without recursion: a forged tree is as deep as the limit says and no deeper. */
  stack[top++] = (waiting){ mo->root[t], 0 };
  while (top) {
    waiting w = stack[--top];
    sd_trees_node *n = mo->node + w.node;
    if (sd_rc_code_bit (c, x->is_leaf + w.depth, c->enc && sd_trees_is_leaf (mo, w.node))) {
      unsigned score = sd_rc_code_number (c, x->score[t > 0], 8, (unsigned) (mo->score[w.node] + 128));
      *n = sd_trees_leaf (w.node);
      mo->score[w.node] = (int8_t) ((int) score - 128);
      continue;
    }
    n->feature = (uint8_t) sd_rc_code_number (c, x->feature, 6, n->feature);
    if (!sd_trees_is_feature (mo, n->feature))
      return SD_EFORMAT;
    n->limit = (uint8_t) sd_rc_code_number (c, x->limit[n->feature], 6, n->limit);
    if (c->dec) {
      if (w.depth == SD_TREES_MAX_DEPTH)
        return SD_EFORMAT;
      SD_TRY (more_nodes (mo, 2, allow));
      n = mo->node + w.node; /* may have moved */
      n->next = (uint16_t) (mo->nnodes - 2);
    }
    /* The left branch is on top, and comes next. */
    stack[top++] = (waiting){ (uint16_t) (n->next + 1), (uint16_t) (w.depth + 1) };
    stack[top++] = (waiting){ n->next, (uint16_t) (w.depth + 1) };
  }
  return SD_OK;
}

static int code_forest (sd_rc_coder *c, allowance *allow, sd_trees_model *mo) {
  SD_OWNED forest_contexts *x = sd_alloc (1, sizeof *x);
  SD_OWNED waiting *stack =
      sd_alloc (SD_TREES_MAX_DEPTH + 4, sizeof *stack); /* one right branch waits at each depth */
  if (!x || !stack)
    return SD_ENOMEM;
  sd_rc_init (&x->more, sizeof *x / sizeof x->more);
  unsigned t = 0;
  for (; sd_rc_code_bit (c, &x->more, t < mo->ntrees); t++)
    SD_TRY (t < SD_TREES_MAX_TREES && (c->enc || mo->nnodes < SD_TREES_MAX_NODES)
                ? code_tree (c, x, allow, mo, t, stack)
                : SD_EFORMAT);
  mo->ntrees = t;
  return SD_OK;
}

void sd_trees_model_write (const sd_trees_model *from, sd_buf *out) {
  sd_trees_model mo = *from; /* the walk writes what it reads */
  SD_RELEASED_BY (sd_buf_free) sd_buf packed = { 0 };
  sd_rc_enc enc = sd_rc_enc_of (&packed);
  sd_rc_coder c = { .enc = &enc };
  if (mo.has_averages)
    sd_buf_varint (out, mo.groups);
  sd_buf_varint (out, mo.ndims);
  for (unsigned k = 0; k < mo.ndims; k++)
    sd_buf_varint (out, mo.radix[k]);
  sd_buf_varint (out, mo.nneighbours);
  for (unsigned k = 0; k < mo.nneighbours; k++)
    sd_buf_varint (out, mo.offset[k]);
  sd_buf_varint (out, mo.usual);

  allowance all = { UINT64_MAX, UINT64_MAX };
  if (code_pairs (&c, &all, &mo) || (mo.has_averages && code_averages (&c, &all, &mo))
      || code_forest (&c, &all, &mo))
    out->failed = true;
  /* Pairs and forest share one range coder. */
  sd_rc_finish (&enc, 0);
  if (packed.failed)
    out->failed = true;
  sd_buf_varint (out, packed.len);
  sd_buf_append (out, packed.data, packed.len);
}

/* In the order in which sd_trees_model_write () puts it; each number is compared with its range before it is
 * used. */
int sd_trees_model_read (sd_reader *r, unsigned m, uint64_t n, bool has_averages, sd_trees_model *mo) {
  set_main (mo, m);
  mo->has_averages = has_averages;
  const uint64_t groups = has_averages ? sd_get_varint (r) : 0, ndims = sd_get_varint (r);
  if (groups > 1 || ndims > SD_MAX_DIMS)
    return SD_EFORMAT;
  mo->groups = groups;
  for (unsigned k = 0; k < ndims; k++) {
    uint64_t radix = sd_get_varint (r);
    mo->radix[k] = radix <= UINT32_MAX ? (uint32_t) radix : 0;
  }
  mo->ndims = (unsigned) ndims;
  /* The digits must be those of the slots; without any there are no pairs. */
  if (ndims && !digits_fit (mo->radix, mo->ndims, n))
    return SD_EFORMAT;

  uint64_t nneighbours = sd_get_varint (r);
  if (nneighbours < 1 || nneighbours > SD_TREES_NEIGHBOURS)
    return SD_EFORMAT;
  mo->nneighbours = (unsigned) nneighbours;
  for (unsigned k = 0; k < nneighbours; k++) {
    uint64_t offset = sd_get_varint (r);
    /* A slot cannot look at itself, nor beyond any block. */
    if (offset < 1 || offset >= SD_TREES_MAX_SLOTS)
      return SD_EFORMAT;
    mo->offset[k] = (uint32_t) offset;
  }
  sd_trees_sort_neighbours (mo);

  allowance allow = allowed ((uint64_t) (r->end - r->p));
  uint64_t usual = sd_get_varint (r), bytes = sd_get_varint (r);
  const uint8_t *p = sd_get_bytes (r, bytes);
  if (!p || usual >= m)
    return SD_EFORMAT;

  mo->usual = (sd_symbol) usual;
  SD_TRY (sd_trees_forest_new (mo, FIRST_NODES));
  sd_rc_dec dec = sd_rc_dec_of (p, bytes);
  sd_rc_coder c = { .dec = &dec };
  SD_TRY (code_pairs (&c, &allow, mo));
  if (mo->has_averages)
    SD_TRY (code_averages (&c, &allow, mo));
  SD_TRY (code_forest (&c, &allow, mo));
  mo->unpaid = unpaid (&allow);
  return sd_trees_forest_finish (mo);
}
