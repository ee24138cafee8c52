/** \file repair_internal.h
 * What the files of this room share: the state of an encoder, the interface of the replacement rules, and the
 * model (dictionary and code lengths) that encoder and decoder exchange. Not for other rooms; the tests look
 * in here. */
#ifndef SD_REPAIR_INTERNAL_H
#define SD_REPAIR_INTERNAL_H

#include "codecs/entropy/entropy.h"
#include "codecs/row.h"

/** What stands in a sequence while it is coded, by its id: in an encoder 0..m-1 are the main symbols,
 * m..a-1 the subdefinite ones, a.. the phrases in order of creation; in a stream 0..m-1 are the main
 * symbols and m.. the phrases. So an id below a is an sd_symbol as well, of the same size: an encoder works
 * where the symbols lie. */
typedef uint16_t sd_phrase;
_Static_assert(sizeof (sd_phrase) == sizeof (sd_symbol), "phrases take the place of symbols");

#define SD_REPAIR_IDS                                                                                        \
  65536 /* main symbols, subdefinite symbols and phrases of one encoder; ids have 16 bits */
#define SD_REPAIR_MAX_DEPTH 200         /* levels of phrases inside a phrase; bounds the decoder's stack */
#define SD_REPAIR_MAX_LENGTH (1u << 30) /* positions of one phrase */
#define SD_REPAIR_FLOGS 4096
/* Ids of a stream: so many, and one for each two bytes from the model on. An id costs 55 bytes of memory
 * while a stream is opened (decode.c), and next to nothing in a forged model, where it may take 0.02 bits. In
 * the model of an encoder with 500 phrases and more one takes at least 12 bits (all endings with 3 and 4
 * men), because the right part alone takes about as many bits as tell the ids apart; and the payload comes on
 * top. Were that too little an encoder would put zeros behind the model. */
#define SD_REPAIR_FREE_IDS 8192
#define SD_REPAIR_ID_BYTES 2
static inline uint64_t sd_repair_most_ids (uint64_t bytes) {
  const uint64_t most = SD_REPAIR_FREE_IDS + bytes / SD_REPAIR_ID_BYTES;
  return most < SD_REPAIR_IDS ? most : SD_REPAIR_IDS;
}
#define SD_REPAIR_MIN_BLOCK 16
#define SD_REPAIR_MAX_BLOCK 65536
#define SD_REPAIR_RANS 65536 /* added to the first number of a stream with entropy=rans */

/* -------------------------------------------------------------- codec's row */

extern const sd_tunable sd_repair_tunables[];
extern const sd_overrule sd_repair_overrules[];
int sd_repair_encode (const sd_encoding *what, sd_buf *out, sd_error *err);
bool sd_repair_parses (const sd_settings *set);
int sd_repair_open (const sd_stream *s, sd_decoder *base, sd_error *err);
int sd_repair_get (const sd_decoder *d, uint64_t i, sd_symbol *out);
bool sd_repair_fetch (const sd_decoder *d, uint64_t i, unsigned step);
int sd_repair_read (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out);
void sd_repair_close (sd_decoder *d);
void sd_repair_describe (const sd_decoder *d, sd_codec_parts *parts);

/* ----------------------------------------------------------------- encoder */

typedef struct sd_pair_rule sd_pair_rule;

/** An encoder at work, with `used` ids. */
typedef struct sd_repair {
  const sd_alphabet *alphabet;
  unsigned m, a, used, limit; /* limit: no id at or above it */
  unsigned keep;              /* ids that are left at most where phrases are dropped; 0: limit */
  uint32_t max_length;        /* positions of the longest phrase */
  uint64_t min_count;  /* occurrences that a new phrase needs; 0: what it saves must exceed what it costs */
  unsigned max_batch;  /* pairs replaced in one pass; 1 = the textbook algorithm */
  unsigned entry_bits; /* that a phrase takes in the dictionary; 0: as the streams of this room store it */
  uint32_t block_positions; /* sd_repair_parse_blocks: of a block, at most; 0: any number */
  uint64_t part_positions;  /* the same: a block begins behind each so many, for any threads; 0: one part */
  bool narrow;              /* sd_repair_parse: not all symbols are tried for a free slot */
  uint32_t lead; /* the same without slack: a place is not looked at where one further on costs no more than
                    so much more, in 1 / SD_PARSE_BIT bits */
  bool anew;     /* sd_repair_prune: the sequence will be parsed anew */
  const sd_pair_rule *pair;
  const sd_progress *progress;
  sd_phrase *ids;          /* the sequence, in the caller's memory */
  uint64_t n;              /* its length now */
  sd_phrase *left, *right; /* [id] parts of a phrase */
  uint32_t *length;        /* [id] positions */
  uint8_t *depth;          /* [id] 0 for symbols of the alphabet */
  uint64_t *freq;          /* [id] occurrences in sym, as last counted */
  double *flog;            /* [f] f * log2 f for small f */
  uint64_t rounds;         /* passes made */
} sd_repair;

static inline bool sd_repair_definite (const sd_repair *st, unsigned id) {
  return id < st->m || id >= st->a;
}

/** May slot x (any id) become the definite symbol a? A free slot is one symbol long, so it can only stand for
 * a symbol of the alphabet, never for a phrase. */
static inline bool sd_repair_may_be (const sd_repair *st, unsigned x, unsigned a) {
  return x == a
         || (a < st->m && x >= st->m && x < st->a && sd_admits (st->alphabet, (sd_symbol) x, (sd_symbol) a));
}

/** Occurrences of all adjacent pairs; within a run AAA only every second one counts. */
typedef struct sd_pair_counts sd_pair_counts;
uint64_t sd_pair_count (const sd_pair_counts *c, unsigned x, unsigned y);

/** A pair replacement algorithm (Zakharov 2015, 1.7.2): which neighbours may become AB, and how much AB
 * counts. One file and one row of pair_rules.def each. */
struct sd_pair_rule {
  /** May a slot x (any id) be taken as the definite symbol a? Always true for x == a. */
  bool (*stands_for) (const sd_repair *st, unsigned x, unsigned a);
  /** How often AB counts that occurs at least once; a and b are definite. NULL: just as often as it does. */
  uint64_t (*weight) (const sd_repair *st, const sd_pair_counts *c, unsigned a, unsigned b);
};
#define SD_PAIR_RULE(name, summary) extern const sd_pair_rule sd_pair_##name;
#include "repair/pair_rules.def"
#undef SD_PAIR_RULE

/** A final replacement algorithm (Zakharov 2015, 1.7.3): afterwards every id in st->ids is definite.
 * SD_ENOMEM. One file and one row of final_rules.def each. */
typedef int (*sd_final_rule) (sd_repair *st, sd_error *err);
#define SD_FINAL_RULE(name, summary) int sd_final_##name (sd_repair *st, sd_error *err);
#include "repair/final_rules.def"
#undef SD_FINAL_RULE

/** By name; NULL if there is none. */
const sd_pair_rule *sd_repair_find_pair_rule (const char *name);
sd_final_rule sd_repair_find_final_rule (const char *name);

/** State for a sequence of at most 2^32 - 1 symbols; the caller sets the knobs afterwards. SD_ENOMEM,
 * SD_ERANGE. */
int sd_repair_init (sd_repair *st, sd_seq *src, unsigned max_phrases, sd_error *err);
void sd_repair_clear (sd_repair *st);

/** n slots out of a longer sequence of `all`, in pieces that lie somewhere in equal parts of it. */
void sd_repair_sample (const sd_symbol *from, uint64_t all, uint64_t n, sd_symbol *to);

/** Replace pairs until none pays or the dictionary is full. */
int sd_repair_rounds (sd_repair *st, sd_error *err);

/** st->freq = occurrences of every id in st->ids; in ids[0..n-1]. */
void sd_repair_count_symbols (sd_repair *st);
void sd_repair_count_ids (sd_repair *st, const sd_phrase *ids, uint64_t n);

/** Replace neighbours that the dictionary knows by their phrase, from left to right. SD_ENOMEM. */
int sd_repair_recompress (sd_repair *st);

/** Write all phrases of the sequence as their parts, those parts too; drop: only ids with drop[id]. st->ids
 * has room for what results. */
void sd_repair_open_up (sd_repair *st, const bool *drop);

/** Drop phrases that do not pay for their entry, and of the others those that save least until at most
 * st->keep ids are left; ids are renumbered without gaps. SD_ENOMEM. */
int sd_repair_prune (sd_repair *st);

/** Drop phrases with drop[0..used-1] that are parts of no others that stay; they go from the lattice, too,
 * which may be NULL. As sd_repair_prune. */
typedef struct sd_lattice sd_lattice;
int sd_repair_drop (sd_repair *st, const bool *drop, sd_lattice *l);

/* ----------------------------------------------------------------- parsing */

#define SD_PARSE_PLANES 8                /* main symbols for which the slots are kept as bits */
#define SD_PARSE_BIT 256                 /* costs are in 1 / SD_PARSE_BIT bits */
#define SD_PARSE_STEP (SD_PARSE_BIT / 4) /* how fine the bounds of the search look at them */

#define SD_TRIE_NONE UINT16_MAX /* no such cost */

/** A run of one main symbol, below a node of the tree of phrases. `upto`: of this edge and those of the same
 * symbol before it. */
typedef struct sd_trie_edge {
  uint32_t run, reach; /* positions; of the longest phrase that ends here or below */
  uint32_t reach_upto;
  uint32_t kids;                    /* the edges that follow begin there */
  uint32_t stop;                    /* sd_ahead: its number, or SD_AHEAD_NONE */
  uint16_t nkids, same;             /* how many; edges of the same symbol from here on */
  uint16_t cost, least, least_upto; /* of the phrase that ends here; of the cheapest one here or below */
  sd_symbol value;
  sd_phrase id, cheapest;
} sd_trie_edge;

/** Phrases as runs: edges below the same node stand side by side, by value and then by run. */
typedef struct sd_trie {
  sd_trie_edge *edge;
  uint32_t edges, roots; /* the edges of the root are edge[0..roots-1] */
} sd_trie;

/** The phrases and main symbols with a cost[0..used-1] below SD_TRIE_NONE; a few with very many runs may be
 * left out. SD_ENOMEM. */
int sd_trie_new (const sd_repair *st, const uint32_t *cost, sd_trie *trie);
void sd_trie_clear (sd_trie *trie);

#define SD_AHEAD_WORDS 4
#define SD_AHEAD (64 * SD_AHEAD_WORDS) /* slots behind an edge of which is known what stands there */
#define SD_AHEAD_NONE UINT32_MAX       /* nothing is known behind this edge */

/** Behind an edge at which a walk chooses or a phrase ends. */
typedef struct sd_ahead_stop {
  uint32_t clear; /* so many symbols stand in a line, up to the end of the edge `next`; 0: it branches */
  uint32_t next;
  uint16_t least;   /* cost of the cheapest phrase below */
  uint64_t words[]; /* [place / 64 * m + number], bit place % 64: does it stand there in a phrase below? */
} sd_ahead_stop;

/** What stands behind the edges of a tree of phrases over few main symbols. */
typedef struct sd_ahead {
  uint64_t *stop; /* each an sd_ahead_stop of so many words */
  size_t size;
  unsigned m; /* symbols that stand in phrases, and their numbers */
  uint8_t number[SD_PARSE_PLANES];
  sd_symbol symbol[SD_PARSE_PLANES];
} sd_ahead;

static inline sd_ahead_stop *sd_ahead_at (const sd_ahead *a, uint32_t stop) {
  return (sd_ahead_stop *) (a->stop + stop * a->size);
}

/** Made for a tree of phrases, whose edges get their numbers. SD_ENOMEM. */
int sd_ahead_new (const sd_repair *st, sd_trie *trie, sd_ahead *ahead);
void sd_ahead_clear (sd_ahead *ahead);

#define SD_WILD_REACH 256 /* runs of free slots shorter than this are looked up in tables */

/** The cheapest phrase of a length. */
typedef struct sd_wild_length {
  uint32_t length;
  uint16_t cost;
  sd_phrase id;
} sd_wild_length;

/** An edge that covers place `run` of its phrases, with `rest` symbols from there on. */
typedef struct sd_wild_edge {
  uint32_t edge, rest;
} sd_wild_edge;

/** What fits where a run of slots admits everything. */
typedef struct sd_wild {
  sd_wild_length *length;       /* by rising length, below SD_WILD_REACH */
  uint32_t upto[SD_WILD_REACH]; /* [run] how many of them are no longer than run */
  sd_wild_edge *edge;           /* by place and symbol, those that need least first */
  uint32_t *first;              /* [run * m + symbol] where they begin; SD_WILD_REACH * m + 1 */
} sd_wild;

/** Made from a tree of phrases; it says what the tree says. SD_ENOMEM. */
int sd_wild_new (const sd_repair *st, const sd_trie *trie, sd_wild *wild);
void sd_wild_clear (sd_wild *wild);

/** A sequence in blocks. */
typedef struct sd_parsed {
  uint64_t *start;  /* [0..n-1] first position */
  uint64_t *phrase; /* [0..n] first phrase */
  sd_phrase *ids;   /* [0..phrase[n]-1] the phrases; NULL: those of the encoder */
  uint64_t n;
} sd_parsed;

/** Room for one more block and the end; *cap: blocks there is room for. SD_ENOMEM. */
int sd_parsed_reserve (sd_parsed *blocks, uint64_t *cap);
void sd_parsed_clear (sd_parsed *blocks);

/** Make st->ids[0..st->n-1] the cheapest sequence of phrases and main symbols that completes the slots, as
 * far as the dictionary and cost[0..used-1] (SD_TRIE_NONE and more: not to be used) go; st->ids has room for
 * as many ids as there are slots. Ways that cost `slack` more than one that is further on are not followed;
 * UINT32_MAX: all are. The same result for any number of threads. SD_ENOMEM; SD_EINVAL: a slot that admits
 * nothing with a cost. */
int sd_repair_parse (sd_repair *st, const sd_seq *slots, const uint32_t *cost, uint32_t slack);

/** The same of one slot at least, in blocks of at most block_bits bits; the last phrase of each may reach
 * beyond its end. Their phrases come into *blocks, which is to be cleared, and not into st->ids. Memory: up
 * to 2.5 times what comes out and, for each thread, 8 bytes a position of the longest block and a bit for
 * each slot of a part and main symbol. */
int sd_repair_parse_blocks (const sd_repair *st, const sd_seq *slots, const uint32_t *cost, uint32_t slack,
                            uint32_t block_bits, sd_parsed *blocks);

/** What the occurrences of phrases would cost if these were not there. */
typedef struct sd_detours {
  const bool *want;  /* [0..used-1] phrases that are asked about */
  uint64_t *cost;    /* [0..used-1] of all occurrences, in 1 / SD_PARSE_BIT bits; UINT64_MAX: nothing fits */
  uint64_t *through; /* [id * words] a bit for each id that takes the place of one */
  size_t words;      /* used / 64 + 1 */
} sd_detours;

/** Find them for st->ids, which is a parse of slot[0..n-1]. As sd_repair_parse. */
int sd_repair_find_detours (const sd_repair *st, const sd_seq *slots, const uint32_t *cost, uint32_t slack,
                            sd_detours *out);

/** Drop the phrases that are not used, and those without which a parse of the slots takes fewer bits; st->ids
 * is such a parse with these costs, ideal ones of st->freq. With a lattice, which may be NULL, by detours
 * along its ways, of which st->ids is one. If more than st->keep ids are left, those that save least for each
 * entry go as well, though more than st->keep may stay. SD_ENOMEM. */
int sd_repair_prune_by_detours (sd_repair *st, const sd_seq *slots, const uint32_t *cost, uint32_t slack,
                                sd_lattice *l);

/* -------------------------------------------------------- parses once more */

/** A phrase that fits between two places. */
typedef struct sd_lattice_edge {
  uint32_t to; /* number of the place where it ends */
  sd_phrase id;
} sd_lattice_edge;

/** The phrases on good ways through a segment. Place `places` is its end. */
typedef struct sd_lattice_part {
  uint64_t slot;         /* at which it begins */
  uint32_t places;       /* at which phrases begin */
  uint32_t *at, *first;  /* [0..places] slots from the first one on; the phrases that begin there */
  sd_lattice_edge *edge; /* by place */
} sd_lattice_part;

struct sd_lattice {
  uint64_t parts;
  sd_lattice_part *part;
};

/** The cheapest way to a place: where it comes from, and by which phrase. */
typedef struct sd_lattice_way {
  uint32_t cost, from;
  sd_phrase id;
} sd_lattice_way;

/** What sd_repair_parse finds with this slack to fit, on ways that cost little more than its result. If *l is
 * not zero before, only at its places, as far as there are ways through these; what it had is released. It is
 * to be cleared whatever comes. As sd_repair_parse; costs are short enough for sums over a segment, and
 * phrases have 65535 positions at most. */
int sd_lattice_make (const sd_repair *st, const sd_seq *slots, const uint32_t *cost, uint32_t slack,
                     sd_lattice *l);
void sd_lattice_clear (sd_lattice *l);

/** As sd_repair_parse along these ways, with other costs. SD_ENOMEM; SD_EINVAL: all ways have been dropped.
 */
int sd_lattice_parse (sd_repair *st, const sd_lattice *l, const uint32_t *cost);

/** The ids have changed: new_id[id], but for those with drop[id], which are gone. */
void sd_lattice_drop (sd_lattice *l, const bool *drop, const sd_phrase *new_id);

/** As sd_repair_find_detours along these ways, of which st->ids is one. SD_ENOMEM. */
int sd_lattice_detours (const sd_repair *st, const sd_lattice *l, const uint32_t *cost, sd_detours *out);

/** The cheapest ways from place `from` to those up to `to`, without phrase `but`: way[from..to]; the cost is
 * UINT32_MAX where there is none. */
void sd_lattice_ways (const sd_lattice_part *l, uint32_t from, uint32_t to, unsigned but,
                      const uint32_t *cost, sd_lattice_way *way);

/** What the cheapest ways from each place to the end cost: back[0..places]; UINT32_MAX where there is none.
 */
void sd_lattice_ways_back (const sd_lattice_part *l, const uint32_t *cost, uint32_t *back);
uint32_t sd_lattice_most_places (const sd_lattice *l);

/** Add pairs of phrases that parses along these ways would take, if they save more than `price` bits, as long
 * as there are less than `most` ids, st->limit at most. st->n and st->freq are those of such a parse, the
 * costs ideal ones. New phrases get the frequency that is to be expected. The same for any number of threads.
 * SD_ENOMEM. */
int sd_repair_add_pairs (sd_repair *st, const sd_lattice *l, const uint32_t *cost, double price,
                         unsigned most);

/** Costs for a parse: ideal code lengths for st->freq. A phrase that was not used gets its chance as if it
 * had been half a time. */
void sd_repair_ideal_costs (const sd_repair *st, uint32_t *cost);

/** How a dictionary is made better: so many parses with new pairs in between, so many new starts; `slack` as
 * in sd_repair_parse. `wide_rounds` times the best one then gets pairs that parses with wide_slack would
 * take, and loses what does not pay (phrases of 65535 positions at most). `promise`: bits of the stream
 * that the dictionary and st->freq promise. SD_ENOMEM. */
typedef struct sd_refining {
  long rounds, restarts, wide_rounds;
  uint32_t slack, wide_slack;
  int (*promise) (const sd_repair *st, const void *ctx, double *bits);
  const void *ctx;
  bool each;        /* the best of all rounds is kept, not the best of the last ones */
  sd_lattice *ways; /* for wide rounds, which leave their last ways there; zero before */
} sd_refining;

/** A better dictionary and its frequencies for the slots; st->ids is scratch afterwards. SD_ENOMEM. */
int sd_repair_refine (sd_repair *st, const sd_seq *slots, const sd_refining *how);

/** Count once more what every slot needs: a main symbol with a code wherever a block may start. */
void sd_repair_count_needed (sd_repair *st, const sd_seq *slots);

/* ------------------------------------------------------------------- model */

/** Dictionary and code lengths as they stand in a stream. Ids: 0..m-1 main symbols, m..ids-1 phrases,
 * numbered so that the left parts ascend (and are smaller than the phrase); a right part may be any id
 * without a cycle. */
typedef struct sd_model {
  unsigned m, ids, room;   /* room: ids that left and bits have room for */
  sd_phrase *left, *right; /* [m..ids-1] */
  uint8_t *bits;           /* [0..ids-1] length of the Huffman code, 0 = not used in the payload */
  uint32_t *length;        /* [0..ids-1] positions; set by sd_model_read only, as is depth */
  uint8_t *depth;
} sd_model;

int sd_model_alloc (sd_model *model, unsigned m, unsigned ids);
void sd_model_free (sd_model *model);

/** Number main symbols and phrases of an encoder as the stream wants them: new_id[0..used-1], 0 for
 * subdefinite ids. bits[0..used-1]: code lengths. Allocates *model. SD_ENOMEM. */
int sd_model_from_encoder (const sd_repair *st, const uint8_t *bits, sd_model *model, sd_phrase *new_id);

/** Append the model, with zeros behind it up to `least` bytes. */
void sd_model_write (const sd_model *model, uint64_t least, sd_buf *out);

/** Parse one over m main symbols and check it: no more ids than what is left of the stream admits
 * (sd_repair_most_ids), no cycle, no phrase longer than SD_REPAIR_MAX_LENGTH or deeper than
 * SD_REPAIR_MAX_DEPTH, no code longer than SD_HUFFMAN_MAX_LENGTH. Memory grows with the ids that are there.
 * SD_EFORMAT, SD_ENOMEM. */
int sd_model_read (sd_reader *r, unsigned m, sd_model *model, sd_error *err);

/* ----------------------------------------------------------- entropy stage */

#define SD_PAYLOAD_MAX_PER_BIT 8 /* phrases for each bit of a block, at most, with rANS */

/** Codes for the phrases of an encoder, old ids. */
typedef struct sd_payload {
  bool is_rans;
  uint32_t block, reserve; /* bytes of a block; bits of it that no cost may use */
  sd_model model;
  sd_phrase *new_id;
  uint8_t *bits;     /* [0..used-1] length of the Huffman code; rANS: cost in quarters of a bit */
  uint32_t *code;    /* [0..used-1] Huffman code; rANS: place */
  uint32_t *cost;    /* [0..used-1] for sd_repair_parse_blocks */
  uint8_t *quarters; /* rANS: [0..model.ids-1], costs by new id */
  sd_rans rans;
} sd_payload;

/** Codes for st->freq, entropy stage and block as the settings say. SD_ENOMEM, SD_ERANGE. */
int sd_payload_new (const sd_repair *st, const sd_settings *set, sd_payload *p);
void sd_payload_clear (sd_payload *p);

/** Bits of a block that costs may fill, above 0. */
uint32_t sd_payload_room (const sd_payload *p);

/** Cut the sequence as it stands into blocks; *blocks is to be cleared. SD_ENOMEM. */
int sd_payload_cut (const sd_repair *st, const sd_payload *p, sd_parsed *blocks);

/** Append the stream. SD_ENOSPC: a block does not fit, the room is smaller now, cut again; SD_ENOMEM. */
int sd_payload_write (const sd_repair *st, sd_payload *p, const sd_parsed *blocks, uint64_t n, sd_buf *out);

/** What stands behind the model with rANS. SD_EFORMAT, SD_ENOMEM. */
void sd_payload_write_rans (const uint8_t *cost, unsigned ids, sd_buf *out);
int sd_payload_read_rans (sd_reader *r, const sd_model *model, sd_rans *rans, sd_error *err);

#endif
