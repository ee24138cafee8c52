/** \file trees_internal.h
 * What the files of the codecs `trees` and `forest` share: its limits, its model, the walk over the slots of
 * a block that encoder and decoder make alike, and the arithmetic coder of a block. Not for other rooms or
 * codecs.
 *
 * A slot is a row of yes-or-no questions: is it the symbol of the slot before? of the slot one row up? and so
 * on through its neighbours, then through the symbols by their distance from the first neighbour. How likely
 * a yes is, a forest of small decision trees tells from what is around, and with `forest` also from the
 * averages of all slots where two or three digits of the index are those of this one. Where the model says
 * that every slot is free there is no question at all. With `forest`, where all neighbours are alike, one
 * question is asked for a group of eight slots: are they all so? Most groups of a table are settled by it.
 * Layout of a stream: docs/format.md, section 7.6. */
#ifndef SD_TREES_INTERNAL_H
#define SD_TREES_INTERNAL_H

#include "codecs/entropy/range_coder.h"
#include "codecs/stream/stream.h"

#include <string.h>

#define SD_TREES_MIN_BLOCK 128 /* a slot takes at most 64 questions of 13.5 bits and a symbol */
#define SD_TREES_MAX_BLOCK 65536
#define SD_TREES_MAX_SLOTS 65536 /* in a block: bounds the memory of one access */
/* For the questions of a block, in steps (sd_trees_cost): bounds the time of one access. A step takes up
 * to 4.4 ns, so that a block with all of them takes 0.04 s. No block of KRvKP and KNNvK takes more than
 * 3,557,792 with the default forest (DTM, block=8192), and 7,346,268 with 32 trees of depth 40
 * (WDL, block=1024). */
#define SD_TREES_MAX_WORK (UINT64_C (1) << 23)
#define SD_TREES_NEIGHBOURS 24
#define SD_TREES_LANES 32     /* neighbours, and some more */
#define SD_TREES_ASKED 13     /* neighbours whose symbols are asked for first */
#define SD_TREES_QUESTIONS 64 /* at a slot */
#define SD_TREES_GROUP 8      /* slots that one question may settle */
#define SD_TREES_MAX_TREES 32
#define SD_TREES_MAX_NODES 32768
#define SD_TREES_MAX_DEPTH 40 /* of a tree */
#define SD_TREES_PAIRS 120    /* of 16 digits */
#define SD_TREES_PAIR 65536   /* values of a pair of digits, at most */
#define SD_TREES_ROW 4096     /* values of a digit that is part of a pair, at most */
#define SD_TREES_LEVELS                                                                                      \
  262144 /* of all pairs of a stream: they may take next to no bytes. Chess has 190,364 at most: the kings   \
            as a digit of 462, five men that are all different, and the side to move */
#define SD_TREES_AVERAGES 20    /* tables of averages */
#define SD_TREES_AVERAGE 262144 /* entries of one: three squares */
/* Entries of all tables, and one more for each byte of the stream from its usual symbol on: each takes time
 * to read.
 */
#define SD_TREES_ENTRIES 327680
/* Bytes of memory for levels, entries and nodes together, and SD_TREES_MEMORY_A_BYTE more for each byte of
 * the stream from its usual symbol on: all of them may take next to no bytes, and a file may have two
 * streams. */
#define SD_TREES_MEMORY 393216
#define SD_TREES_MEMORY_A_BYTE 24
#define SD_TREES_MEMORY_A_NODE 24 /* as it is read, and in a forest of each kind */
#define SD_TREES_CERTAIN 7        /* how free a slot is: 0 .. 7, 7 = each slot of the kind is */
#define SD_TREES_CLIP 12          /* differences are looked at up to this */
#define SD_TREES_VALUES 64        /* of a feature */
#define SD_TREES_SCORE 112        /* largest score; a score is a logit in twelfths */

/* What the trees look at. */
enum {
  SD_TREES_ASKING, /* how many questions were asked before */
  SD_TREES_KNOWN,  /* how many neighbours lie in the block */
  SD_TREES_FREE,   /* how free the slot is likely to be */
  SD_TREES_SYMBOL, /* the symbol in question, scaled to 0..63 */
  SD_TREES_DIGITS, /* the last four digits of the index, low three bits and what is above each */
  SD_TREES_DIFFERENCES = SD_TREES_DIGITS + 8,                  /* symbol in question minus neighbour */
  SD_TREES_AHEAD = SD_TREES_DIFFERENCES + SD_TREES_NEIGHBOURS, /* an sd_trees_ahead */
  SD_TREES_AVERAGE_HERE =
      SD_TREES_DIFFERENCES + SD_TREES_LANES, /* what the slot's digits say by themselves */
  SD_TREES_FEATURES = SD_TREES_AVERAGE_HERE + SD_TREES_AVERAGES,
  SD_TREES_ZERO = SD_TREES_FEATURES /* in a row: a 0, which is above no limit */
};
typedef uint8_t sd_trees_row[SD_TREES_FEATURES];

/** Is the question for one slot, for one in a group that is not all alike, or for a group? */
enum sd_trees_ahead { SD_TREES_ALONE, SD_TREES_IN_GROUP, SD_TREES_FOR_GROUP };
_Static_assert(SD_TREES_FEATURES <= 64, "a feature has 6 bits in a stream");

/** A node asks feature <= limit: the next node is `next`, else next + 1. */
typedef struct sd_trees_node {
  uint8_t feature, limit;
  uint16_t next;
} sd_trees_node;

/** A leaf asks what is always true and leads to itself, so that all trees may be walked for the same number
 * of steps (walk.c). */
static inline sd_trees_node sd_trees_leaf (unsigned at) {
  return (sd_trees_node){ 0, 255, (uint16_t) at };
}

/** How free the slots are where digits a < b have certain values: level[va * radix[b] + vb]. */
typedef struct sd_trees_pair {
  uint8_t a, b;
  uint8_t *level;
} sd_trees_pair;

/** The kinds of questions. What is the same for all questions of a kind is decided when a stream is opened:
 * the forest of a kind has no split that asks for it. */
enum {
  SD_TREES_CALM,  /* the first of a slot whose neighbours are all alike */
  SD_TREES_FIRST, /* the first of another slot: for its first neighbour */
  SD_TREES_LATER,
  SD_TREES_OF_GROUP,
  SD_TREES_KINDS
};

/** The forest as the walk sees it, tree by tree and level by level, so that what is read often lies together.
 * A node is a number: next << 16 | limit << 8 | feature. Less the feature's value << 8, that leaves `next` in
 * the high half, or next - 1 where the value is above the limit: a step is two loads and a subtraction. A
 * leaf has its score + 128 as limit, and asks for SD_TREES_ZERO, so that it leads to itself. Behind the last
 * tree stands a leaf with score 0. */
typedef struct sd_trees_forest {
  uint32_t *node;
  uint16_t root[SD_TREES_MAX_TREES];
  uint8_t steps[SD_TREES_MAX_TREES / 8]; /* of the deepest of eight trees */
} sd_trees_forest;

/** The average symbol of the slots where two or three digits have certain values (target encoding,
 * Micci-Barreca 2001): what two or three men say by how they stand to each other, wherever the others are. */
typedef struct sd_trees_average {
  uint8_t digit[3], ndigits; /* rising */
  uint32_t size;             /* product of their radices */
  uint8_t *value; /* [size], the last digit fastest: 0..63 for the symbols 0..m-1, finer near both ends */
  uint32_t bytes; /* of the table in a stream, about; the encoder knows */
} sd_trees_average;

typedef struct sd_trees_model {
  unsigned m, shift;                                         /* main symbols; scale of SD_TREES_SYMBOL */
  sd_symbol usual;                                           /* stands for neighbours that there are not */
  unsigned ndims, nneighbours, npairs, ntrees, nnodes, room; /* room: nodes that there is memory for */
  uint32_t radix[SD_MAX_DIMS], offset[SD_TREES_NEIGHBOURS];
  sd_trees_pair pair[SD_TREES_PAIRS];
  bool has_averages; /* a stream of `forest`, which says what averages there are */
  bool groups;       /* and that groups are asked for, if the digits allow it */
  unsigned naverages;
  uint64_t unpaid; /* of a model that was read: as in sd_codec_parts */
  sd_trees_average average[SD_TREES_AVERAGES];
  uint8_t by_distance[SD_TREES_NEIGHBOURS]; /* neighbours, the nearest first */
  unsigned ngroups;
  uint32_t group[SD_TREES_NEIGHBOURS]; /* distances that are multiples of eight, rising */
  uint16_t root[SD_TREES_MAX_TREES];
  uint8_t steps[SD_TREES_MAX_TREES / 4]; /* of the deepest of four trees */
  sd_trees_node *node;                   /* [nnodes] */
  int8_t *score;                         /* [nnodes] of a leaf */
  sd_trees_forest forest[SD_TREES_KINDS];
} sd_trees_model;

/** m, digits (none if they do not multiply to n) and the neighbours that follow from them; no pairs, no
 * trees. */
void sd_trees_model_init (sd_trees_model *mo, unsigned m, const uint32_t *radix, unsigned ndims, uint64_t n);
void sd_trees_model_clear (sd_trees_model *mo);

/** An empty forest with room for `nodes` nodes. SD_ENOMEM. */
int sd_trees_forest_new (sd_trees_model *mo, unsigned nodes);

/** After the last tree: what the walk needs. SD_ENOMEM. */
int sd_trees_forest_finish (sd_trees_model *mo);

/** The neighbours by their distances, once these are known. */
void sd_trees_sort_neighbours (sd_trees_model *mo);

/** Are questions asked for groups? They lie in the last digit. */
static inline bool sd_trees_has_groups (const sd_trees_model *mo) {
  return mo->groups && mo->ndims && mo->radix[mo->ndims - 1] % SD_TREES_GROUP == 0;
}

/** May a split ask for this? */
static inline bool sd_trees_is_feature (const sd_trees_model *mo, unsigned f) {
  return f < SD_TREES_AHEAD || (f == SD_TREES_AHEAD && sd_trees_has_groups (mo))
         || (f >= SD_TREES_AVERAGE_HERE && f < SD_TREES_AVERAGE_HERE + mo->naverages);
}

static inline bool sd_trees_is_leaf (const sd_trees_model *mo, unsigned at) {
  return mo->node[at].next == at;
}

/** Pairs from the slots: which kinds of slots are wholly free (they admit everything). SD_ENOMEM. */
int sd_trees_pairs (sd_trees_model *mo, const sd_seq *slots);

/** All tables of averages that the digits allow, without values: pairs first, each kind by rising digits. How
 * many. Reader and writer list the same. */
unsigned sd_trees_list_averages (const sd_trees_model *mo, sd_trees_average *list);

/** One table through the coder. The encoder keeps values within a few of those that there are: a writer puts
 * what a reader gets. 255 stands for any value. */
void sd_trees_code_average (sd_rc_coder *c, const sd_trees_model *mo, sd_trees_average *a);

void sd_trees_model_write (const sd_trees_model *mo, sd_buf *out);

/** May a reader hold the model, if so many bytes follow from the usual symbol on? */
bool sd_trees_fits (const sd_trees_model *mo, uint64_t bytes);

/** SD_EFORMAT, SD_ENOMEM. To be cleared in any case. */
int sd_trees_model_read (sd_reader *r, unsigned m, uint64_t n, bool has_averages, sd_trees_model *mo);

/* ------------------------------------------------------------------- walking */

/** A slot of a block, and what is known there. */
typedef struct sd_trees_cursor {
  const sd_trees_model *mo;
  sd_symbol *sym; /* [k & mask]: slot k of the block, for k up to at, as far back as neighbours are */
  uint64_t mask;  /* all bits, or one less than a power of two above the largest distance */
  uint64_t at;    /* slots since the block began */
  unsigned level; /* how free the slot is */
  uint32_t last;  /* value of the last digit */
  uint32_t digit[SD_MAX_DIMS];
  unsigned known; /* how many neighbours lie in the block */
  bool has_groups;
  enum sd_trees_ahead ahead;
  bool calm; /* all neighbours are alike */
  /* Up to a whole number of vectors: what is behind the last neighbour is computed, but not looked at. */
  int32_t near[SD_TREES_LANES];
  uint32_t row[SD_TREES_ZERO + 1]; /* features of the question << 8; [SD_TREES_ZERO] is 0 */
  /* questions of this slot */
  unsigned asked, neighbour, distance;
  bool above; /* the last question was for near[0] + distance */
  sd_symbol tried[SD_TREES_QUESTIONS];
  uint64_t seen[SD_MAX_MAIN / 64];
  uint32_t by_last; /* 0: the last digit has too many values to be part of a pair, else all bits */
  uint8_t levels[SD_TREES_ROW];              /* by last & by_last */
  const uint8_t *average[SD_TREES_AVERAGES]; /* of the row of slots: by last & average_by_last */
  uint32_t average_by_last[SD_TREES_AVERAGES];
  /* [k]: do the slots 8k .. 8k + 7 of the block differ? */
  uint8_t differing[SD_TREES_MAX_SLOTS / SD_TREES_GROUP];
} sd_trees_cursor;

/** Levels and averages of the row of slots that differ in the last digit only. */
void sd_trees_new_row (sd_trees_cursor *c);

/** Begin a block at slot `first`, with room for all of it in sym. */
void sd_trees_begin (sd_trees_cursor *c, const sd_trees_model *mo, sd_symbol *sym, uint64_t first);

/** What a question costs: the steps through four trees at once, and what must be done without any. */
static inline uint64_t sd_trees_cost (const sd_trees_model *mo) {
  uint64_t cost = 4;
  for (unsigned t = 0; t < mo->ntrees; t += 4)
    cost += mo->steps[t / 4];
  return cost;
}

/** The last digit has become as large as its radix. */
static inline void sd_trees_carry (sd_trees_cursor *c) {
  const sd_trees_model *mo = c->mo;
  c->last = 0;
  for (unsigned k = mo->ndims - 1; k-- > 0;) {
    if (++c->digit[k] < mo->radix[k])
      break;
    c->digit[k] = 0;
  }
  sd_trees_new_row (c);
}

/** Eight slots of the block have got their symbols, the last of them at c->at - 1. */
static inline void sd_trees_end_group (sd_trees_cursor *c) {
  const sd_symbol first = c->sym[(c->at - SD_TREES_GROUP) & c->mask];
  unsigned differing = 0;
  for (unsigned k = 1; k < SD_TREES_GROUP; k++)
    differing |= c->sym[(c->at - k) & c->mask] ^ first;
  c->differing[c->at / SD_TREES_GROUP - 1] = differing != 0;
  c->ahead = SD_TREES_ALONE;
}

/** To the next slot; sym[at] is known. */
static inline void sd_trees_next (sd_trees_cursor *c) {
  c->at++;
  if (c->has_groups && c->at % SD_TREES_GROUP == 0)
    sd_trees_end_group (c);
  if (c->mo->ndims && ++c->last == c->mo->radix[c->mo->ndims - 1])
    sd_trees_carry (c);
}

/** Behind a group of which all slots hold near[0]; there is room for it in sym. */
static inline void sd_trees_skip (sd_trees_cursor *c) {
  c->differing[c->at / SD_TREES_GROUP] = 0;
  c->ahead = SD_TREES_ALONE;
  c->at += SD_TREES_GROUP;
  c->last += SD_TREES_GROUP;
  if (c->last == c->mo->radix[c->mo->ndims - 1])
    sd_trees_carry (c);
}

/** The features of the last digit (0) or of one of those before it. */
static inline void sd_trees_set_digit (sd_trees_cursor *c, unsigned which, uint32_t digit) {
  const uint32_t high = digit >> 3 < SD_TREES_VALUES ? digit >> 3 : SD_TREES_VALUES - 1;
  c->row[SD_TREES_DIGITS + 2 * which] = (digit & 7) << 8;
  c->row[SD_TREES_DIGITS + 2 * which + 1] = high << 8;
}

/** The first neighbour, and how free the slot is. */
static inline void sd_trees_look_back (sd_trees_cursor *c) {
  const sd_trees_model *mo = c->mo;
  c->near[0] = c->at >= mo->offset[0] ? c->sym[(c->at - mo->offset[0]) & c->mask] : mo->usual;
  c->level = mo->npairs ? c->levels[c->last & c->by_last] : 0;
}

/** All neighbours, and the features that all questions of the slot share. */
static inline void sd_trees_look_around (sd_trees_cursor *c) {
  const sd_trees_model *mo = c->mo;
  const int first = c->near[0];
  while (c->known < mo->nneighbours && c->at >= mo->offset[mo->by_distance[c->known]])
    c->known++;
  int other = 0;
  for (unsigned j = 0; j < c->known; j++) {
    const unsigned k = mo->by_distance[j];
    const int s = c->sym[(c->at - mo->offset[k]) & c->mask];
    c->near[k] = s;
    other |= s ^ first;
  }
  /* Those that are not there are as the first. */
  for (unsigned j = c->known; j < mo->nneighbours; j++)
    c->near[mo->by_distance[j]] = first;
  c->calm = !other;
  c->row[SD_TREES_KNOWN] = c->known << 8;
  c->row[SD_TREES_FREE] = c->level << 8;
  for (unsigned k = 0; k < mo->naverages; k++)
    c->row[SD_TREES_AVERAGE_HERE + k] = (uint32_t) c->average[k][c->last & c->average_by_last[k]] << 8;
  if (mo->ndims)
    sd_trees_set_digit (c, 0, c->last);
}

/** Look at a slot. false: it is free, and holds c->near[0] without a question. */
static inline bool sd_trees_look (sd_trees_cursor *c) {
  sd_trees_look_back (c);
  if (c->level == SD_TREES_CERTAIN)
    return false;
  sd_trees_look_around (c);
  c->asked = c->neighbour = c->distance = 0;
  c->above = true;
  return true;
}

/** Do all groups hold one symbol that lie a multiple of eight slots back, as neighbours do? */
static inline bool sd_trees_groups_are_calm (const sd_trees_cursor *c) {
  const sd_trees_model *mo = c->mo;
  unsigned differing = 0;
  for (unsigned j = 0; j < mo->ngroups && mo->group[j] <= c->at; j++)
    differing |= c->differing[(c->at - mo->group[j]) / SD_TREES_GROUP];
  return !differing;
}

/** Look at a group: the question is for near[0] in all of its slots. false: they are settled one by one. */
static inline bool sd_trees_look_ahead (sd_trees_cursor *c) {
  if (!c->has_groups || c->at % SD_TREES_GROUP || c->last % SD_TREES_GROUP)
    return false;
  sd_trees_look_back (c);
  sd_trees_look_around (c);
  if (!c->calm || !sd_trees_groups_are_calm (c))
    return false;
  c->asked = 0;
  c->tried[0] = (sd_symbol) c->near[0];
  c->ahead = SD_TREES_FOR_GROUP;
  return true;
}

/** All slots of the group are free, and hold c->near[0] without a question. */
static inline bool sd_trees_group_is_free (const sd_trees_cursor *c) {
  bool is_free = c->mo->npairs > 0;
  for (unsigned k = 0; k < SD_TREES_GROUP; k++)
    is_free &= c->levels[(c->last + k) & c->by_last] == SD_TREES_CERTAIN;
  return is_free;
}

static inline bool sd_trees_try (sd_trees_cursor *c, sd_symbol s) {
  if (c->seen[s >> 6] >> (s & 63) & 1)
    return false;
  c->seen[s >> 6] |= UINT64_C (1) << (s & 63);
  c->tried[c->asked] = s;
  return true;
}

/** The next symbol to ask for stands in c->tried[c->asked]; false: no more questions. */
static inline bool sd_trees_question (sd_trees_cursor *c) {
  const sd_trees_model *mo = c->mo;
  unsigned asked = mo->nneighbours < SD_TREES_ASKED ? mo->nneighbours : SD_TREES_ASKED;
  if (c->asked == SD_TREES_QUESTIONS)
    return false;
  while (c->neighbour < asked)
    if (sd_trees_try (c, (sd_symbol) c->near[c->neighbour++]))
      return true;
  while (c->distance < mo->m) {
    c->above = !c->above;
    c->distance += !c->above;
    int s = c->near[0] + (c->above ? (int) c->distance : -(int) c->distance);
    if (s >= 0 && s < (int) mo->m && sd_trees_try (c, (sd_symbol) s))
      return true;
  }
  return false;
}

/** The features of the question. */
static inline void sd_trees_features (sd_trees_cursor *c) {
  const int s = c->tried[c->asked];
  c->row[SD_TREES_ASKING] = c->asked << 8;
  c->row[SD_TREES_SYMBOL] = (uint32_t) (s >> c->mo->shift) << 8;
  for (unsigned k = 0; k < SD_TREES_LANES; k++) {
    int d = s - c->near[k] + SD_TREES_CLIP;
    d = d < 0 ? 0 : d;
    d = d > 2 * SD_TREES_CLIP ? 2 * SD_TREES_CLIP : d;
    c->row[SD_TREES_DIFFERENCES + k] = (uint32_t) d << 8;
  }
  c->row[SD_TREES_AHEAD] = (uint32_t) c->ahead << 8;
}

/** The sum of the scores of up to eight trees from tree t on, walked all at once. Where all stands in one
 * file (amalgamation/), compilers would put it into the loop over the slots, which gets some per cent
 * slower. */
__attribute__ ((noinline)) int sd_trees_walk (const sd_trees_forest *f, unsigned t, const uint32_t *row);

static inline int sd_trees_sum (const sd_trees_cursor *c, unsigned kind) {
  int score = 0;
  for (unsigned t = 0; t < c->mo->ntrees; t += 8)
    score += sd_trees_walk (c->mo->forest + kind, t, c->row);
  return score > SD_TREES_SCORE ? SD_TREES_SCORE : score < -SD_TREES_SCORE ? -SD_TREES_SCORE : score;
}

/** How likely a yes is: -SD_TREES_SCORE .. SD_TREES_SCORE. */
static inline int sd_trees_score (sd_trees_cursor *c) {
  sd_trees_features (c);
  return sd_trees_sum (c, c->ahead == SD_TREES_FOR_GROUP ? SD_TREES_OF_GROUP
                          : c->asked                     ? SD_TREES_LATER
                          : c->calm                      ? SD_TREES_CALM
                                                         : SD_TREES_FIRST);
}

/** The slot has got its symbol: forget the questions. */
static inline void sd_trees_settle (sd_trees_cursor *c, sd_symbol s, unsigned asked) {
  for (unsigned k = 0; k < asked; k++)
    c->seen[c->tried[k] >> 6] = 0;
  c->sym[c->at & c->mask] = s;
}

/* -------------------------------------------------------------------- coding */

/** Probability of a yes in 1 / 65536, by score + SD_TREES_SCORE. */
extern const uint16_t sd_trees_chance[SD_TREES_SCORE + 1];
static inline uint32_t sd_trees_yes (int score) {
  return score < 0 ? 65536u - sd_trees_chance[-score] : sd_trees_chance[score];
}

/* Binary arithmetic coder over an interval lo..hi of 32-bit numbers (as in Mahoney's lpaq): no carries, ends
 * in as few bytes as tell a number in the interval apart; what is behind the end reads as zeros. */
static inline uint32_t sd_trees_split (uint32_t lo, uint32_t hi, uint32_t yes) {
  return lo + (uint32_t) ((uint64_t) (hi - lo) * yes >> 16);
}

typedef struct sd_trees_reader {
  const uint8_t *p, *end;
  uint32_t lo, hi, code;
} sd_trees_reader;

static inline uint32_t sd_trees_byte (sd_trees_reader *r) {
  return r->p < r->end ? *r->p++ : 0;
}
static inline sd_trees_reader sd_trees_reader_of (const uint8_t *p, uint64_t bytes) {
  sd_trees_reader r = { p, p + bytes, 0, UINT32_MAX, 0 };
  for (unsigned k = 0; k < 4; k++)
    r.code = r.code << 8 | sd_trees_byte (&r);
  return r;
}
static inline bool sd_trees_get (sd_trees_reader *r, uint32_t yes) {
  uint32_t mid = sd_trees_split (r->lo, r->hi, yes);
  bool bit = r->code <= mid;
  if (bit)
    r->hi = mid;
  else
    r->lo = mid + 1;
  while (!((r->lo ^ r->hi) >> 24)) {
    r->lo <<= 8;
    r->hi = r->hi << 8 | 255;
    r->code = r->code << 8 | sd_trees_byte (r);
  }
  return bit;
}

/* ------------------------------------------------------------------- growing */

/** Questions that were asked, and their answers. */
typedef struct sd_trees_samples {
  sd_trees_row *row;
  uint8_t *yes;
  uint32_t n, cap;
  double weight; /* questions that each stands for */
} sd_trees_samples;

/** All tables of averages, from the slots that hold a symbol. SD_ENOMEM. */
int sd_trees_averages (sd_trees_model *mo, const sd_seq *slots);

/** Only tables stay that save more bits than they take, those first that save most an entry, as far as they
 * have `entries` together: worth[f] are the bits that splits by feature f save beyond those by any feature
 * that is no average. The samples follow. There is no forest then. SD_ENOMEM. */
int sd_trees_choose_averages (sd_trees_model *mo, const double *worth, uint64_t entries,
                              sd_trees_samples *samples);

typedef struct sd_trees_growth {
  unsigned trees, leaves, depth; /* at most: fewer leaves where a split would save less than it costs */
  const sd_progress *progress;
  double *worth; /* NULL, or [SD_TREES_FEATURES], see sd_trees_choose_averages */
} sd_trees_growth;

/** Trees that tell the answers from the features. The same for any number of threads. mo->node, root, ntrees,
 * nnodes are replaced. SD_ENOMEM. */
int sd_trees_grow (const sd_trees_samples *samples, const sd_trees_growth *how, sd_trees_model *mo);

/* -------------------------------------------------------------- codec's row */

extern const sd_tunable sd_trees_tunables[], sd_forest_tunables[];
extern const sd_overrule sd_trees_overrules[];
int sd_trees_encode (const sd_encoding *what, sd_buf *out, sd_error *err);

#endif
