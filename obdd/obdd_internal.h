/** \file obdd_internal.h
 * What the files of this room share. Levels are counted from the leaves: level 0 are the main symbols, a node
 * of level k stands for a table of 2^k slots and has two edges to level k - 1. */
#ifndef SD_OBDD_INTERNAL_H
#define SD_OBDD_INTERNAL_H

#include "codecs/row.h"

#define SD_OBDD_MAX_VARS 36
#define SD_OBDD_TOP 63             /* bits of a byte of the stream that are the top level */
#define SD_OBDD_FORM 6             /* and place of those that say how levels are stored */
#define SD_OBDD_CHUNK 8            /* bits of a digit that one table turns into a code */
#define SD_OBDD_MAX_COMBINED 65536 /* largest digit of equal men that is split into their squares */

/* ---------------------------------------------------------------- variables (vars.c) */

/** One digit of the index. count = 1: a number below radix, `bits` variables. count > 1: radix = C(size,
 * count), and the digit is `count` rising numbers below size, as in docs/format.md section 4; each has its
 * own variables, the largest number first. */
typedef struct sd_obdd_digit {
  uint32_t radix;
  uint8_t count, size, bits; /* bits: of all its variables */
} sd_obdd_digit;

/** The variables: the bits of all digits, number 0 the highest one of the first digit; and what each level
 * tests: one of them, or the sum modulo 2 of several. The sums must be independent. */
typedef struct sd_obdd_vars {
  unsigned ndigits, n;
  sd_obdd_digit digit[SD_MAX_DIMS];
  uint64_t
      sum[SD_OBDD_MAX_VARS]; /* sum[k]: bit i for variable i; level k + 1 tests it, bit k of a code is it */
} sd_obdd_vars;

/** Digits of a sequence's shape, and the order of the pieces. SD_ERANGE: more than SD_OBDD_MAX_VARS
 * variables. */
int sd_obdd_vars_of (const sd_seq *s, bool split, sd_obdd_vars *out);

/** Of the levels; vars.c. */
void sd_obdd_order_of_pieces (sd_obdd_vars *v);

/** Values of all digits of equal men; at most SD_VALUES_FREE. */
uint64_t sd_obdd_values (const sd_obdd_vars *v);

/** From letters, root first; a sum stands in brackets: "a(bc)c". SD_EINVAL: not as many independent ones as
 * there are variables. */
int sd_obdd_vars_parse (sd_obdd_vars *v, const char *text);
void sd_obdd_vars_write (const sd_obdd_vars *v, sd_buf *out);

/** Untrusted; the product of the radices must be n, the sums need not be independent. SD_EFORMAT. */
int sd_obdd_vars_read (sd_reader *r, uint64_t n, sd_obdd_vars *out);

/** What the number that an index is turned into is made of: level[k], no bit of which any other of these has,
 * if the sum that level k + 1 tests is odd; and digit[d] times the value of digit d. */
typedef struct sd_obdd_weights {
  uint64_t level[SD_OBDD_MAX_VARS], digit[SD_MAX_DIMS];
} sd_obdd_weights;

/** Index to number: tables made from the variables. */
typedef struct sd_obdd_coder {
  unsigned ndigits;
  struct {
    uint64_t radix, stride, inverse; /* inverse: of the stride, for the division */
    uint64_t factor;                 /* the digit's weight */
    unsigned chunks;
    struct {
      unsigned shift, mask;
      const uint64_t *code;
    } chunk[32 / SD_OBDD_CHUNK];
  } digit[SD_MAX_DIMS];
  uint64_t *tables;
} sd_obdd_coder;

/** weights NULL: the code, bit k of which is what level k + 1 tests. SD_ENOMEM. */
int sd_obdd_coder_new (const sd_obdd_vars *v, const sd_obdd_weights *weights, sd_obdd_coder *out);
void sd_obdd_coder_clear (sd_obdd_coder *c);

/** v / by for by >= 1, with inverse = sd_obdd_inverse (by). */
static inline uint64_t sd_obdd_divide (uint64_t v, uint64_t by, uint64_t inverse) {
  uint64_t q = (uint64_t) (((sd_u128) v * inverse) >> 64);
  return q + (v - q * by >= by); /* the quotient is at most one too small */
}
static inline uint64_t sd_obdd_inverse (uint64_t by) {
  return by == 1 ? UINT64_MAX : (uint64_t) (((sd_u128) 1 << 64) / by);
}

/* The number of a slot: the weights of its digits' bits by exclusive or, those of whole digits by sums. */
static inline uint64_t sd_obdd_code (const sd_obdd_coder *c, uint64_t i) {
  uint64_t code = 0, sum = 0, above = 0;
  for (unsigned d = 0; d < c->ndigits; d++) { /* no division waits for the one before */
    const uint64_t q = sd_obdd_divide (i, c->digit[d].stride, c->digit[d].inverse),
                   v = q - above * c->digit[d].radix;
    above = q;
    sum += v * c->digit[d].factor;
    for (unsigned k = 0; k < c->digit[d].chunks; k++)
      code ^= c->digit[d].chunk[k].code[v >> c->digit[d].chunk[k].shift & c->digit[d].chunk[k].mask];
  }
  return code + sum;
}

/** column[i]: of variable i, the weights of the levels that it changes; n entries. */
void sd_obdd_columns (const sd_obdd_vars *v, const uint64_t *level, uint64_t *column);

/** code[x]: what value x of digit d adds by its bits; radix entries. */
void sd_obdd_digit_codes (const sd_obdd_vars *v, const uint64_t *column, unsigned d, uint64_t *code);

/** table[code] = symbol for every slot, `fill` where no slot is; 2^n entries. SD_ENOMEM. */
int sd_obdd_spread (const sd_obdd_vars *v, const sd_seq *s, sd_symbol fill, sd_symbol **table);

/* ------------------------------------------------------- different pairs (pairs.c) */

/** A node, as its edges: nodes of the level below, for bit 0 and bit 1. Other pairs of numbers as well. */
typedef struct sd_obdd_node {
  uint32_t lo, hi;
} sd_obdd_node;

/** The nodes of one level. */
typedef struct sd_obdd_level {
  uint32_t n;
  sd_obdd_node *node; /* [n] */
} sd_obdd_level;

/** Different pairs in the order in which they came, and a hash table that finds their numbers. {0} is not
 * ready: reset it first. */
typedef struct sd_obdd_pairs {
  sd_obdd_node *pair; /* [n] */
  uint32_t n;
  uint64_t cap;
  uint32_t *slot; /* [mask + 1 of cap_slots] a pair's number + 1; 0: empty */
  size_t cap_slots, mask;
} sd_obdd_pairs;

/** Empty it, with room for `expected` pairs before it grows. SD_ENOMEM. */
int sd_obdd_pairs_reset (sd_obdd_pairs *p, size_t expected);
void sd_obdd_pairs_free (sd_obdd_pairs *p);

/** No more pairs will come: the hash table's memory is given back. */
void sd_obdd_pairs_done (sd_obdd_pairs *p);

/** The pairs become a level; the hash table's memory stays. */
void sd_obdd_pairs_take (sd_obdd_pairs *p, sd_obdd_level *out);

/** The number of a pair; p->n before the call if it is a new one. UINT32_MAX: out of memory. */
uint32_t sd_obdd_pairs_add (sd_obdd_pairs *p, uint32_t lo, uint32_t hi);

/** number[i] = the number of pair in[i], 0 <= i < n, in the order in which different pairs come; *out =
 * these. Many are numbered on all threads, which does not show in the numbers. number.c. SD_ENOMEM, also of
 * 2^32 - 1 pairs and more. */
int sd_obdd_number (const sd_obdd_node *in, uint64_t n, uint32_t *number, sd_obdd_level *out);

/** Exchange what a level and the one below test, or (`add`) add what the upper one tests to what the lower
 * one tests: the halves of the sub-tables of `up` after that, [2 up->n] pairs of nodes of the level below
 * `low`. A sub-table has four quarters a.lo, a.hi, b.lo, b.hi: an exchange swaps the inner ones, adding swaps
 * the two of the second half. number.c. NULL: out of memory; to be freed. */
sd_obdd_node *sd_obdd_halves_after (const sd_obdd_level *up, const sd_obdd_level *low, bool add);

/* -------------------------------------------------------------------- levels */

/** How the nodes of levels are stored (nodes_internal.h); the stream's number of it. */
typedef enum sd_obdd_form {
  SD_FORM_SORTED, /* a rising sequence of pairs */
  SD_FORM_EDGES,  /* both edges of each, in that order (Kristensen 2005, 2.4) */
  SD_FORM_IDEAL,  /* nodes whose right edge leads behind their left one are stored without it (Kristensen
                     2005, 2.4) */
  SD_FORMS
} sd_obdd_form;

/** A diagram: level[1..top], and the node of level `top` for each code >> top. */
typedef struct sd_obdd_diagram {
  unsigned vars, top;
  uint32_t leaves; /* main symbols */
  sd_obdd_level level[SD_OBDD_MAX_VARS + 1];
  uint32_t *root; /* [2^(vars - top)] */
} sd_obdd_diagram;
void sd_obdd_diagram_free (sd_obdd_diagram *d);

/** Bytes that writing `n` nodes over `below` nodes takes (roughly, of SD_FORM_IDEAL), and `n` roots over
 * `below` nodes. */
uint64_t sd_obdd_level_bytes (sd_obdd_form form, uint64_t n, uint64_t below);
uint64_t sd_obdd_root_bytes (uint64_t n, uint64_t below);

/** How free slots are completed. */
typedef struct sd_obdd_options {
  sd_obdd_form form; /* in which levels will be stored, to choose the top one */
  bool one_root;     /* no array of roots */
  unsigned choices;  /* nodes that are remembered for a sub-table at most */
  unsigned pairs;    /* pairs of nodes that are tried for a sub-table at most */
  bool cover;        /* new nodes by a greedy cover; else the first pair that fits */
  uint64_t slots;    /* of the sequence: the memory that may be taken grows with it */
} sd_obdd_options;

/** The plain diagram of a sequence: a symbol is a leaf of its own, whatever it permits, and only equal nodes
 * are one. plain.c */
typedef struct sd_obdd_plain {
  unsigned vars;
  uint32_t leaves, root;                     /* symbols; the node of level `vars` for the whole */
  sd_obdd_level level[SD_OBDD_MAX_VARS + 1]; /* from 1 on */
  uint32_t *count[SD_OBDD_MAX_VARS + 1];     /* sorted: how often a node occurs, modulo 2^32 */
  sd_symbol *leaf;                           /* sorted: [leaves] their symbols */
} sd_obdd_plain;

/** Of s in the order of the pieces; `fill` where no slot is; symbols and fill below `leaves`. SD_ENOMEM. */
int sd_obdd_plain_of_seq (const sd_obdd_vars *v, const sd_seq *s, sd_symbol fill, uint32_t leaves,
                          sd_obdd_plain *out);

/** Of table[0..2^vars - 1], all below `leaves`. SD_ENOMEM. */
int sd_obdd_plain_of_table (unsigned vars, const sd_symbol *table, uint32_t leaves, sd_obdd_plain *out);

/** Number leaves and the nodes of each level in the order in which they first occur, and count them. What a
 * plain diagram then holds does not depend on how it was made. SD_ENOMEM. */
int sd_obdd_plain_sort (sd_obdd_plain *p);

/** q = p, which is not sorted. SD_ENOMEM. */
int sd_obdd_plain_copy (const sd_obdd_plain *p, sd_obdd_plain *q);
void sd_obdd_plain_free (sd_obdd_plain *p);

/** The diagram of p, which is sorted first and taken apart, over a; *out is to be freed in any case, NULL:
 * its bytes only. merge.c, build.c. SD_ENOMEM, SD_ENOSPC: too many choices. */
int sd_obdd_build (sd_obdd_plain *p, const sd_alphabet *a, const sd_obdd_options *opt, sd_obdd_diagram *out,
                   uint64_t *bytes);

/** Bytes of the nodes and roots of that diagram; p, which is not sorted, is kept. As sd_obdd_build. */
int sd_obdd_size (const sd_obdd_plain *p, const sd_alphabet *a, const sd_obdd_options *opt, uint64_t *bytes);

/** opt with at most so many choices and pairs: sizes to compare orders by, in a fraction of the time. */
static inline sd_obdd_options sd_obdd_fewer (const sd_obdd_options *opt, unsigned most) {
  sd_obdd_options few = *opt;
  few.choices = few.choices < most ? few.choices : most;
  few.pairs = few.pairs < most ? few.pairs : most;
  return few;
}

/* Sets of nodes of one level, each once; number 0 is the set of all. Their elements take 2 bytes each where
 * the level has no more than 2^16 nodes. sets.c */
typedef struct sd_obdd_sets {
  bool wide, full; /* full: there was no place for one more, however much memory there is */
  void *elem;
  uint32_t *start, *slot;
  uint64_t cap; /* of start */
  size_t n, elems, elem_cap, slots;
} sd_obdd_sets;
int sd_obdd_sets_init (sd_obdd_sets *s, uint32_t nodes); /* SD_ENOMEM */
void sd_obdd_sets_free (sd_obdd_sets *s);

/** Number of the set elem[0..n-1], rising. UINT32_MAX: out of memory, or full. */
uint32_t sd_obdd_sets_add (sd_obdd_sets *s, const uint32_t *elem, uint32_t n);

/** No more sets will be added: give back what only adding needs. */
void sd_obdd_sets_finish (sd_obdd_sets *s);
static inline uint32_t sd_obdd_sets_count (const sd_obdd_sets *s, uint32_t set) { /* set > 0 */
  return s->start[set + 1] - s->start[set];
}

/** Element k of all sets' elements, which stand one after the other: a set's begin at s->start[set]. */
static inline uint32_t sd_obdd_sets_at (const sd_obdd_sets *s, size_t k) {
  return s->wide ? ((const uint32_t *) s->elem)[k] : ((const uint16_t *) s->elem)[k];
}
static inline uint32_t sd_obdd_sets_first (const sd_obdd_sets *s, uint32_t set) { /* set > 0 */
  return sd_obdd_sets_at (s, s->start[set]);
}

/** Place of the set's first element that is not below x; s->start[set + 1] if there is none. set > 0. */
static inline uint32_t sd_obdd_sets_from (const sd_obdd_sets *s, uint32_t set, uint32_t x) {
  uint32_t lo = s->start[set], hi = s->start[set + 1];
  while (lo < hi) {
    const uint32_t mid = lo + (hi - lo) / 2;
    if (sd_obdd_sets_at (s, mid) < x)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}
static inline bool sd_obdd_sets_has (const sd_obdd_sets *s, uint32_t set, uint32_t x) {
  if (set == 0)
    return true;
  const uint32_t k = sd_obdd_sets_from (s, set, x);
  return k < s->start[set + 1] && sd_obdd_sets_at (s, k) == x;
}

/** One level from the one below (`below` sets of its `nodes` nodes). plain[0..n-1] are sub-tables, as pairs
 * of sub-tables of the level below, and (*cur)[i] is the set of what number i of these may become. *cur is
 * freed; afterwards (*cur)[i] is a set of nodes of *level in *sets, for plain[i]; *sets is {0} before, and to
 * be freed in any case. merge.c, cover.c.
 * SD_ENOMEM; SD_ENOSPC: the sets have more than 2^32 elements. Eight arguments: a level is two things, its
 * nodes and its sets, which live for different times. */
int sd_obdd_merge (const sd_obdd_sets *below, uint32_t nodes, const sd_obdd_level *plain,
                   const uint32_t *count, uint32_t **cur, const sd_obdd_options *opt, sd_obdd_level *level,
                   sd_obdd_sets *sets);

/** (*cur)[i]: the set of main symbols that symbol leaf[i] permits (leaf NULL: symbol i), as level 0 of a
 * diagram. The symbol behind the alphabet's last one, for codes without a slot, permits everything. Sets and
 * *cur are to be freed in any case. build.c. SD_ENOMEM. */
int sd_obdd_leaf_sets (const sd_alphabet *a, const sd_symbol *leaf, uint32_t n, sd_obdd_sets *sets,
                       uint32_t **cur);

/** Sift the order of v, in which p is (Kristensen 2005, 2.7: before free slots are completed); p follows.
 * `sums`: also try sums of neighbours. sift.c. SD_ENOMEM. */
int sd_obdd_sift (sd_obdd_vars *v, sd_obdd_plain *p, unsigned rounds, bool sums, const sd_progress *progress);

/** sum[0..n-1] = tests[0..n-1], which levels 1..n test, that of the level with the most nodes (nodes[0..n-1])
 * first. sift.c */
void sd_obdd_largest_first (unsigned n, const uint64_t *tests, const uint32_t *nodes, uint64_t *sum);

/** Exchange levels until they test sum[], which is an order of what they test; p follows. sift.c. SD_ENOMEM.
 */
int sd_obdd_arrange (sd_obdd_vars *v, sd_obdd_plain *p, const uint64_t *sum);

/** Move what is tested at one level to another one, as long as the finished diagram over a gets smaller, as
 * `opt` makes it; p, which is in order v, follows. At most `rounds` over all levels. polish.c. SD_ENOMEM,
 * SD_ENOSPC: p has lost its levels. */
int sd_obdd_polish (sd_obdd_vars *v, sd_obdd_plain *p, const sd_alphabet *a, const sd_obdd_options *opt,
                    unsigned rounds, const sd_progress *progress);

/** How an order is looked for. */
typedef struct sd_obdd_search {
  unsigned starts, rounds, polish; /* orders that sifting finds; rounds of sifting and polishing */
  sd_symbol fill;                  /* as sd_obdd_plain_of_seq takes them */
  uint32_t leaves;
} sd_obdd_search;

/** (*out)[0..n-1], to be freed in any case, is s with its free slots completed by the initial replacement
 * `way`, and what that leaves by the most frequent symbols. starts.c. SD_ENOMEM. */
int sd_obdd_complete (const sd_seq *s, const char *way, sd_symbol **out);

/** A better order than v, that of p, which sifting found: others that it finds for the sequence with its free
 * slots completed, polished. The best finished diagram counts, with few choices while orders are compared.
 * starts.c. SD_ENOMEM, SD_ENOSPC: p may have lost its levels. */
int sd_obdd_better_order (sd_obdd_vars *v, sd_obdd_plain *p, const sd_seq *s, const sd_obdd_search *how,
                          const sd_obdd_options *opt, const sd_progress *progress);

/* ---------------------------------------------------------------- the stream */

/** What Kristensen 2005 does otherwise, to compare with; the encoder asks for it where a setting is not at
 * its default. All SD_ENOMEM. kristensen/ */
typedef struct sd_comparison {
  /** order=interleaved: bits of equal weight of all digits beside each other. */
  void (*interleave) (sd_obdd_vars *v);
  /** merge=root: complete slots of table[0..2^vars - 1] from the root downward; symbol sd_alphabet_size (a)
   * permits everything. SD_ERANGE: too many different sets of symbols. */
  int (*merge_from_root) (const sd_alphabet *a, sd_symbol *table, unsigned vars);
  /** nodes=edges|ideal: as sd_nodes_bytes, sd_nodes_write; and the nodes of each level in an order in which
   * many are ideal. */
  uint64_t (*level_bytes) (bool ideal, uint64_t n, uint64_t below);
  void (*write_level) (bool ideal, const sd_obdd_level *l, uint64_t below, sd_buf *out);
  int (*order_ideal) (sd_obdd_diagram *d);
} sd_comparison;
extern const sd_comparison sd_kristensen;

/** The levels must stand in the order of the form. */
void sd_obdd_write (const sd_obdd_vars *v, const sd_obdd_diagram *d, sd_obdd_form form, sd_buf *out);
extern const sd_decoder_ops sd_obdd_ops;
extern const sd_tunable sd_obdd_tunables[];
extern const sd_overrule sd_obdd_overrules[];
int sd_obdd_encode (const sd_encoding *e, sd_buf *out, sd_error *err);

#endif
