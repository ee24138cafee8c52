/** \file encode.c
 * From slots to a stream. The questions of a first walk, completed by the first neighbour that a slot admits,
 * grow a forest; the next walks take the cheapest completion that the forest offers, and their questions grow
 * a better one; the last walk's blocks are the stream. A block ends when the next slot would not fit. */
#include "config.h"
#include "base/parts.h"
#include "codecs/entropy/entropy.h"
#include "codecs/row.h"
#include "codecs/trees/trees_internal.h"

#include <math.h>
#include <stdlib.h>

#define FIRST_TREES 2    /* of the forests but the last */
#define LEAST_BLOCKS 512 /* of a part: some of the first are for nothing */
#define FRONT 192        /* bytes of a stream before its usual symbol: at most 45 numbers */

#define TUNABLES                                                                                             \
  { "initial", "initial replacement", "none", 1, 0, NULL }, { "block",                                       \
                                                              "bytes of compressed data in a block",         \
                                                              "256",                                         \
                                                              SD_TREES_MIN_BLOCK,                            \
                                                              SD_TREES_MAX_BLOCK,                            \
                                                              NULL },                                        \
      { "slots", "slots in a block at most", "65536", 16, SD_TREES_MAX_SLOTS, NULL },                        \
      { "trees", "decision trees in the forest", "8", 1, SD_TREES_MAX_TREES, NULL },                         \
      { "leaves", "leaves of a tree at most", "500", 2, 2048, NULL },                                        \
      { "depth", "splits above a leaf at most", "12", 1, SD_TREES_MAX_DEPTH, NULL },                         \
      { "rounds", "forests grown, each from the completions of the one before", "2", 1, 10, NULL },          \
      { "samples", "questions that a forest learns from, in thousands", "2000", 1, 100000, NULL },

const sd_tunable sd_trees_tunables[] = { TUNABLES{ 0 } };
const sd_tunable sd_forest_tunables[] = {
  TUNABLES{ "groups", "one question for eight slots that are likely to be alike, which is quicker", "yes", 1,
            0, "yes|no" },
  { 0 },
};

/* A tree of two leaves has one split. */
const sd_overrule sd_trees_overrules[] = {
  { "depth", "1", false, { "leaves" } },
  { "leaves", "2", false, { "depth" } },
  { 0 },
};

/* Where the code stands, and to where what was put may be taken back. */
typedef struct point {
  size_t len;
  uint32_t lo, hi;
  uint64_t work, questions;
} point;

/* What there was before a block. */
typedef struct mark {
  uint64_t questions;
  uint32_t samples;
} mark;

typedef struct encoder {
  const sd_alphabet *alphabet;
  const sd_symbol *slot; /* [0..n-1] */
  sd_symbol *sym;        /* [0..most_slots-1] completions of the block */
  uint64_t n;
  unsigned block, most_slots, symbol_bits;
  bool averages;    /* the codec is `forest` */
  uint64_t entries; /* of its tables at most */
  const sd_progress *progress;
  const char *reports; /* what is done; NULL: somebody else says so */
  sd_trees_model model;
  sd_trees_cursor cursor;
  uint64_t work, cost; /* of the block's questions; of one */
  float price_yes[2 * SD_TREES_SCORE + 1], price_no[2 * SD_TREES_SCORE + 1];
  /* questions of the slot */
  int score[SD_TREES_QUESTIONS];
  unsigned asked; /* how many are asked until yes */
  bool found;     /* else the symbol follows */
  sd_symbol symbol;
  /* blocks */
  sd_buf payload;
  uint32_t lo, hi;
  point group; /* before the last slot whose last digit is a multiple of eight */
  uint64_t *start, *byte, blocks, cap;
  mark *mark;
  uint64_t mark_cap;
  uint64_t end; /* of a part: where the next block would begin */
  /* samples */
  sd_trees_samples samples;
  uint32_t share;     /* of slots whose questions are kept, in 2^-32 */
  uint64_t questions; /* of the last walk */
  bool thinned;       /* in this walk */
} encoder;

/* -------------------------------------------------------------------- one slot */

/* The cheapest yes for a free slot: no later one can be cheaper once the answers no cost as much. A definite
 * slot has one yes. */
static void ask (encoder *e, sd_symbol slot) {
  sd_trees_cursor *c = &e->cursor;
  const bool definite = slot < e->model.m;
  float spent = 0, best = INFINITY;
  c->asked = 0;
  for (; spent < best && sd_trees_question (c); c->asked++) {
    const sd_symbol s = c->tried[c->asked];
    const int score = e->score[c->asked] = sd_trees_score (c);
    const float price = spent + e->price_yes[score + SD_TREES_SCORE];
    /* A yes that the slot admits, and cheaper than any before: its questions and this one's yes. */
    if ((definite ? s == slot : sd_admits (e->alphabet, slot, s)) && price < best) {
      best = definite ? 0 : price;
      e->asked = c->asked + 1;
      e->symbol = s;
    }
    spent += e->price_no[score + SD_TREES_SCORE];
  }
  /* Nobody has asked for a symbol that the slot admits: it follows plainly. */
  e->found = best < INFINITY;
  if (e->found)
    return;
  e->asked = c->asked;
  e->symbol = slot;
  for (unsigned v = 0; !definite && v < e->model.m; v++)
    if (sd_admits (e->alphabet, slot, (sd_symbol) v)) {
      e->symbol = (sd_symbol) v;
      break;
    }
}

static void put (encoder *e, bool bit, uint32_t yes) {
  uint32_t mid = sd_trees_split (e->lo, e->hi, yes);
  if (bit)
    e->hi = mid;
  else
    e->lo = mid + 1;
  while (!((e->lo ^ e->hi) >> 24)) {
    sd_buf_u8 (&e->payload, e->hi >> 24);
    e->lo <<= 8;
    e->hi = e->hi << 8 | 255;
  }
}

static void put_slot (encoder *e) {
  for (unsigned k = 0; k < e->asked; k++)
    put (e, e->found && k + 1 == e->asked, sd_trees_yes (e->score[k]));
  for (unsigned b = e->found ? 0 : e->symbol_bits; b-- > 0;)
    put (e, e->symbol >> b & 1, 32768);
}

/* Bytes that end the code: the shortest that begin a number in lo..hi. */
static unsigned ending (const encoder *e, uint32_t *number) {
  for (unsigned bytes = 0; bytes < 4; bytes++) {
    uint64_t step = UINT64_C (1) << (32 - 8 * bytes), v = (e->lo + step - 1) & ~(step - 1);
    if (v <= e->hi) {
      *number = (uint32_t) v;
      return bytes;
    }
  }
  *number = e->lo;
  return 4;
}

/* --------------------------------------------------------------------- samples */

/* Half of the samples go. Every second one would not do: the questions of a slot follow each other, the first
 * of them answered by no and the last one by yes. */
static void thin_out (encoder *e) {
  sd_trees_samples *s = &e->samples;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < s->n; k++)
    if (k * UINT32_C (0x9e3779b9) >> 31) { /* evenly, wherever in a slot they stand */
      memcpy (s->row[kept], s->row[k], sizeof *s->row);
      s->yes[kept++] = s->yes[k];
    }
  s->n = kept;
  e->share /= 2;
  e->thinned = true;
}

/* Are questions of slot i among those that are kept? */
static bool keeps (const encoder *e, uint64_t i) {
  return e->share && (uint32_t) (i * UINT64_C (0x9e3779b97f4a7c15) >> 32) <= e->share;
}

static void keep_question (encoder *e, bool yes) {
  sd_trees_samples *s = &e->samples;
  if (s->n == s->cap)
    thin_out (e);
  for (unsigned f = 0; f < SD_TREES_FEATURES; f++)
    s->row[s->n][f] = (uint8_t) (e->cursor.row[f] >> 8);
  s->yes[s->n++] = yes;
}

static void keep_questions (encoder *e) {
  for (unsigned k = 0; k < e->asked; k++) {
    e->cursor.asked = k;
    sd_trees_features (&e->cursor);
    keep_question (e, e->found && k + 1 == e->asked);
  }
}

/* ---------------------------------------------------------------------- blocks */

static int list_block (encoder *e, uint64_t first) {
  uint64_t same = e->cap;
  if (!sd_grow (&e->start, &same, e->blocks + 2) || !sd_grow (&e->byte, &e->cap, e->blocks + 2)
      || !sd_grow (&e->mark, &e->mark_cap, e->blocks + 2))
    return SD_ENOMEM;
  e->start[e->blocks] = first;
  e->mark[e->blocks] = (mark){ e->questions, e->samples.n };
  e->byte[e->blocks++] = e->payload.len;
  return SD_OK;
}

static int new_block (encoder *e, uint64_t first) {
  SD_TRY (list_block (e, first));
  e->lo = 0;
  e->hi = UINT32_MAX;
  e->work = 0;
  sd_trees_begin (&e->cursor, &e->model, e->sym, first);
  return SD_OK;
}

static void end_block (encoder *e) {
  uint32_t number;
  unsigned bytes = ending (e, &number);
  for (unsigned k = 0; k < bytes; k++)
    sd_buf_u8 (&e->payload, number >> (24 - 8 * k) & 255);
  /* Of `trees` no block is empty. */
  if (!e->averages && e->payload.len == e->byte[e->blocks - 1])
    sd_buf_u8 (&e->payload, 0);
}

static point where (const encoder *e) {
  return (point){ e->payload.len, e->lo, e->hi, e->work, e->questions };
}

static void go_back (encoder *e, const point *to) {
  e->payload.len = to->len;
  e->lo = to->lo;
  e->hi = to->hi;
  e->work = to->work;
  e->questions = to->questions;
}

/* With its questions and the bytes that would end the block here. */
static bool fits (const encoder *e) {
  uint32_t number;
  return e->payload.len - e->byte[e->blocks - 1] + ending (e, &number) <= e->block
         && e->work <= SD_TREES_MAX_WORK;
}

static void count_questions (encoder *e, unsigned asked) {
  e->work += asked * e->cost;
  e->questions += asked;
}

/* The slot; false: it does not fit into the block, and was taken back. */
static bool code_slot (encoder *e, uint64_t i) {
  sd_trees_cursor *c = &e->cursor;
  if (!sd_trees_look (c)) {
    c->sym[c->at] = (sd_symbol) c->near[0];
    return true;
  }
  const point before = where (e);
  ask (e, e->slot[i]);
  put_slot (e);
  const unsigned tried = c->asked;
  count_questions (e, e->asked);
  const bool has_room = fits (e);
  if (!has_room)
    go_back (e, &before);
  else if (keeps (e, i))
    keep_questions (e);
  /* Also if it does not fit: the next block forgets all. */
  sd_trees_settle (c, e->symbol, tried);
  return has_room;
}

/* Is slot i the first of a group that is all alike, and is passed? Else, if *has_room, the slot itself is to
 * be coded. */
static bool code_group (encoder *e, uint64_t i, bool *has_room) {
  sd_trees_cursor *c = &e->cursor;
  *has_room = true;
  if (c->last % SD_TREES_GROUP == 0)
    e->group = where (e);
  if (!sd_trees_look_ahead (c))
    return false;
  const sd_symbol first = (sd_symbol) c->near[0];
  if (!sd_trees_group_is_free (c)) {
    bool alike = true;
    for (unsigned k = 0; k < SD_TREES_GROUP; k++)
      alike &= e->slot[i + k] == first || sd_admits (e->alphabet, e->slot[i + k], first);
    const int score = sd_trees_score (c);
    if (keeps (e, i))
      keep_question (e, alike);
    put (e, alike, sd_trees_yes (score));
    count_questions (e, 1);
    *has_room = fits (e);
    if (!*has_room)
      go_back (e, &e->group);
    if (!alike || !*has_room) {
      c->ahead = SD_TREES_IN_GROUP;
      return false;
    }
  }
  for (unsigned k = 0; k < SD_TREES_GROUP; k++)
    c->sym[c->at + k] = first;
  sd_trees_skip (c);
  return true;
}

/* The slot, or a group; *i becomes the next one. false: it does not fit into the block. */
static bool code_some (encoder *e, uint64_t *i) {
  bool has_room;
  if (e->cursor.at >= e->most_slots)
    return false;
  if (code_group (e, *i, &has_room)) {
    *i += SD_TREES_GROUP;
    return true;
  }
  if (!has_room || !code_slot (e, *i))
    return false;
  sd_trees_next (&e->cursor);
  ++*i;
  return true;
}

/* Not within a group, if the block has others before that: so groups lie in blocks alike, but in one that
 * began within a group. */
static void leave_group (encoder *e, uint64_t *i) {
  const unsigned within = e->cursor.has_groups ? e->cursor.last % SD_TREES_GROUP : 0;
  if (within && e->cursor.at > within) {
    go_back (e, &e->group);
    *i -= within;
  }
}

/* A block begins with slot *i, without neighbours; *i becomes the next block's first. What the block is
 * follows from where it begins alone. */
static int code_block (encoder *e, uint64_t *i) {
  SD_TRY (new_block (e, *i));
  if (!code_some (e, i))
    return SD_ERANGE;
  while (*i < e->n && code_some (e, i))
    ;
  if (*i < e->n)
    leave_group (e, i);
  end_block (e);
  return sd_buf_status (&e->payload);
}

/* Blocks from slot *i on; *i becomes the first that begins at `to` or behind. */
static int code_blocks (encoder *e, uint64_t *i, uint64_t to) {
  const uint64_t from = *i;
  for (uint64_t told = from; *i < to;) {
    if (*i >= told) {
      if (e->reports)
        sd_report (e->progress, e->reports, *i - from, to - from);
      SD_TRY (sd_stopped (e->progress));
      told = *i + 65536;
    }
    SD_TRY (code_block (e, i));
  }
  return SD_OK;
}

/* ------------------------------------------------------------------------ parts */

/* A walk by several threads. A part of the slots is coded as if a block began with its first slot. In truth
 * another one does, but blocks are about as long as there is room for, and soon one of the part begins where
 * one in truth begins: from there on they are the same. In both walks of KRPvKR, WDL, less than 4 % of the
 * part's blocks stood before that. Blocks that end for want of slots, not of bytes, may never meet: then the
 * part was coded for nothing. Samples are the same, too, but where there are too many: then one thread walks.
 * So does it at first, when samples are thinned out again and again. */

/* Block b of p and those behind it follow what e has. */
static int take_over (encoder *e, const encoder *p, uint64_t b) {
  const uint64_t bytes = p->byte[b], questions = p->mark[b].questions;
  const uint32_t samples = p->mark[b].samples, n = p->samples.n - samples;
  if (n > e->samples.cap - e->samples.n) {
    e->thinned = true;
    return SD_OK;
  }
  for (uint64_t k = b; k < p->blocks; k++) {
    SD_TRY (list_block (e, p->start[k]));
    e->byte[e->blocks - 1] += p->byte[k] - bytes;
    e->mark[e->blocks - 1].questions += p->mark[k].questions - questions;
    e->mark[e->blocks - 1].samples += p->mark[k].samples - samples;
  }
  sd_buf_append (&e->payload, p->payload.data + bytes, p->payload.len - bytes);
  e->questions += p->questions - questions;
  if (n) {
    memcpy (e->samples.row + e->samples.n, p->samples.row + samples, n * sizeof *e->samples.row);
    memcpy (e->samples.yes + e->samples.n, p->samples.yes + samples, n * sizeof *e->samples.yes);
  }
  e->samples.n += n;
  return sd_buf_status (&e->payload);
}

/* Behind what e has, up to slot *i: blocks of its own until one of the part begins there. */
static int join_part (encoder *e, const encoder *p, uint64_t *i) {
  uint64_t b = 0;
  for (;;) {
    while (b < p->blocks && p->start[b] < *i)
      b++;
    if (b == p->blocks)
      return SD_OK;
    if (p->start[b] == *i)
      break;
    SD_TRY (sd_stopped (e->progress));
    SD_TRY (code_block (e, i));
  }
  *i = p->end;
  return take_over (e, p, b);
}

static int new_part (const encoder *e, encoder *p) {
  *p = *e;
  p->reports = NULL;
  p->payload = (sd_buf){ 0 };
  p->start = p->byte = NULL;
  p->mark = NULL;
  p->blocks = p->cap = p->mark_cap = 0;
  p->sym = sd_alloc (e->most_slots, sizeof *p->sym);
  /* Memory that no sample comes to is never used. */
  p->samples.row = e->share ? sd_alloc (e->samples.cap, sizeof *p->samples.row) : NULL;
  p->samples.yes = e->share ? sd_alloc (e->samples.cap, sizeof *p->samples.yes) : NULL;
  return p->sym && (!e->share || (p->samples.row && p->samples.yes)) ? SD_OK : SD_ENOMEM;
}

static void clear_part (encoder *p) {
  sd_buf_free (&p->payload);
  free (p->sym);
  free (p->start);
  free (p->byte);
  free (p->mark);
  free (p->samples.row);
  free (p->samples.yes);
}

/* first[0..parts]: where parts begin, with as many questions each as the others in the walk before. How many.
 */
static unsigned cut (const encoder *e, uint64_t *first) {
  const unsigned most = sd_parts (e->n);
  const unsigned parts = e->blocks / LEAST_BLOCKS < most ? 1 + (unsigned) (e->blocks / LEAST_BLOCKS) : most;
  uint64_t b = 0;
  for (unsigned k = 0; k < parts; k++) {
    while (b + 1 < e->blocks && e->mark[b].questions < e->questions / parts * k)
      b++;
    first[k] = k ? e->start[b] : 0;
  }
  first[parts] = e->n;
  return parts;
}

/* The first part is e itself, since its blocks are right. */
static int walk_parts (encoder *e, const uint64_t *first, unsigned parts) {
  SD_OWNED encoder *part = sd_alloc0 (parts, sizeof *part);
  uint64_t i = 0;
  int status = part ? SD_OK : SD_ENOMEM;
  for (unsigned k = 1; !status && k < parts; k++)
    status = new_part (e, part + k);
  const unsigned ready = status ? 0 : parts;
#pragma omp parallel for schedule(static, 1) reduction(max : status)
  for (unsigned k = 0; k < ready; k++) {
    uint64_t *end = k ? &part[k].end : &i;
    *end = first[k];
    const int mine = code_blocks (k ? part + k : e, end, first[k + 1]);
    /* A block that is none in truth may be too small for its first slot. */
    status = k && mine == SD_ERANGE ? status : mine > status ? mine : status;
  }
  for (unsigned k = 1; part && k < parts; k++) {
    e->thinned |= part[k].thinned;
    if (!status && !e->thinned)
      status = join_part (e, part + k, &i);
    clear_part (part + k);
  }
  return status || e->thinned ? status : code_blocks (e, &i, e->n);
}

static void begin_walk (encoder *e) {
  e->payload.len = 0;
  e->blocks = 0;
  e->samples.n = 0;
  e->questions = 0;
  e->thinned = false;
}

/* All slots with the forest that there is. keep: 0, no samples; UINT32_MAX: those of all
 * slots, as long as there is room. */
static int walk (encoder *e, uint32_t keep, const char *what) {
  uint64_t first[SD_MAX_PARTS + 1], i = 0;
  const unsigned parts = keep == UINT32_MAX ? 1 : cut (e, first);
  e->share = keep;
  e->reports = what;
  e->cost = sd_trees_cost (&e->model);
  begin_walk (e);
  if (parts > 1) {
    SD_TRY (walk_parts (e, first, parts));
    if (!e->thinned)
      return SD_OK;
    /* Too many samples: which of them go depends on all that were kept before. */
    e->share = keep;
    begin_walk (e);
  }
  return code_blocks (e, &i, e->n);
}

/* ---------------------------------------------------------------------- stream */

/* The slots of each block but the last; 0: they differ. */
static uint64_t equal_slots (const encoder *e) {
  const uint64_t slots = e->start[e->blocks > 1];
  for (uint64_t b = 1; b < e->blocks; b++)
    if (e->start[b] != b * slots)
      return 0;
  return slots && e->n - e->start[e->blocks - 1] <= slots ? slots : 0;
}

static void put_stream (encoder *e, sd_buf *out) {
  const uint64_t slots = e->averages ? equal_slots (e) : 0;
  sd_buf_varint (out, e->block);
  sd_buf_varint (out, e->blocks);
  sd_trees_model_write (&e->model, out);
  if (e->averages)
    sd_buf_varint (out, slots);
  if (!slots)
    sd_starts_write (e->start, e->blocks, e->n, out);
  sd_buf_varint (out, e->payload.len);
  /* Blocks of `forest` may be empty, so that each is listed with a byte more. */
  for (uint64_t b = 0; e->averages && b < e->blocks; b++)
    e->byte[b] += b;
  sd_starts_write (e->byte, e->blocks, e->payload.len + (e->averages ? e->blocks : 0), out);
  sd_buf_append (out, e->payload.data, e->payload.len);
}

static void set_prices (encoder *e) {
  for (int s = -SD_TREES_SCORE; s <= SD_TREES_SCORE; s++) {
    double yes = sd_trees_yes (s) / 65536.0;
    e->price_yes[s + SD_TREES_SCORE] = (float) -log2 (yes);
    e->price_no[s + SD_TREES_SCORE] = (float) -log2 (1 - yes);
  }
}

static int usual_symbol (encoder *e, const sd_seq *s) {
  SD_OWNED uint64_t *freq = sd_alloc (sd_alphabet_size (e->alphabet), sizeof *freq);
  SD_TRY (freq ? sd_seq_frequencies (s, freq) : SD_ENOMEM);
  for (unsigned v = 1; v < e->model.m; v++)
    if (freq[v] > freq[e->model.usual])
      e->model.usual = (sd_symbol) v;
  return SD_OK;
}

static int grow (encoder *e, const sd_settings *set, bool small, double *worth) {
  const unsigned trees = (unsigned) sd_settings_int (set, "trees");
  const sd_trees_growth how = { .trees = small && trees > FIRST_TREES ? FIRST_TREES : trees,
                                .leaves = (unsigned) sd_settings_int (set, "leaves"),
                                .depth = (unsigned) sd_settings_int (set, "depth"),
                                .progress = e->progress,
                                .worth = worth };
  return sd_trees_grow (&e->samples, &how, &e->model);
}

/* A small forest shows which averages are worth their bytes. */
static int choose_averages (encoder *e, const sd_settings *set) {
  double worth[SD_TREES_FEATURES] = { 0 };
  if (!e->model.naverages)
    return SD_OK;
  SD_TRY (grow (e, set, true, worth));
  return sd_trees_choose_averages (&e->model, worth, e->entries, &e->samples);
}

static int code (encoder *e, const sd_seq *given, const sd_settings *set) {
  const unsigned rounds = (unsigned) sd_settings_int (set, "rounds");
  uint64_t samples = (uint64_t) sd_settings_int (set, "samples") * 1000;
  /* There cannot be more. */
  if (samples > e->n * SD_TREES_QUESTIONS)
    samples = e->n * SD_TREES_QUESTIONS;
  sd_trees_model_init (&e->model, sd_alphabet_main (e->alphabet), given->radix, given->ndims, e->n);
  SD_TRY (usual_symbol (e, given));
  SD_TRY (sd_trees_pairs (&e->model, given));
  e->model.has_averages = e->averages;
  e->model.groups = e->averages && strcmp (sd_settings_word (set, "groups"), "yes") == 0;
  if (e->averages)
    SD_TRY (sd_trees_averages (&e->model, given));
  /* The first walk has no forest: each answer is as likely as the other. */
  SD_TRY (sd_trees_forest_new (&e->model, 0));
  set_prices (e);
  e->symbol_bits = sd_bits_for (e->model.m);
  if (!e->samples.cap) {
    e->samples.cap = (uint32_t) samples;
    e->samples.row = sd_alloc_large (samples, sizeof *e->samples.row);
    e->samples.yes = sd_alloc (samples, sizeof *e->samples.yes);
  }
  if (!e->samples.row || !e->samples.yes)
    return SD_ENOMEM;
  for (unsigned r = 0; r < rounds; r++) {
    /* As many as there is room for, if the slots are asked about as much as before. */
    const double share = r ? 0.98 * (double) e->samples.cap / (double) (e->questions + 1) : 1;
    SD_TRY (walk (e, share < 1 ? (uint32_t) (share * UINT32_MAX) : UINT32_MAX, "collecting questions"));
    e->samples.weight = (double) UINT32_MAX / (e->share ? e->share : 1);
    if (!r)
      SD_TRY (choose_averages (e, set));
    /* a forest that only chooses completions for the next one may be small */
    SD_TRY (grow (e, set, r + 1 < rounds, NULL));
  }
  return walk (e, 0, "coding");
}

/* What a reader takes depends on the bytes, which are known in the end: where the model asks for too much,
 * the stream is made again with fewer averages, and then with none. */
static int encode (encoder *e, const sd_seq *given, const sd_settings *set, sd_buf *out) {
  const uint64_t most[] = { UINT64_MAX, SD_TREES_ENTRIES / 2, 0 };
  const size_t before = out->len;
  for (unsigned k = 0; k < 3; k++) {
    e->entries = most[k];
    sd_trees_model_clear (&e->model);
    SD_TRY (code (e, given, set));
    put_stream (e, out);
    SD_TRY (sd_buf_status (out));
    /* What stands in front of the usual symbol has at most so many bytes. */
    const size_t bytes = out->len - before;
    if (sd_trees_fits (&e->model, bytes > FRONT ? bytes - FRONT : 0))
      return SD_OK;
    out->len = before;
    if (!e->model.naverages)
      break;
  }
  return SD_ERANGE;
}

int sd_trees_encode (const sd_encoding *what, sd_buf *out, sd_error *err) {
  const sd_seq *src = what->src;
  const sd_settings *set = what->set;
  SD_OWNED encoder *e = sd_alloc0 (1, sizeof *e);
  if (!e)
    return sd_fail_memory (err, sizeof *e);
  if (src->n >> 48)
    return sd_fail (err, SD_ERANGE, "%s: more than 2^48 symbols", what->codec->name);
  const unsigned slots = (unsigned) sd_settings_int (set, "slots");
  const bool averages = what->codec->id == SD_CODEC_ID_forest;
  *e = (encoder){ .alphabet = src->alphabet,
                  .n = src->n,
                  .block = (unsigned) sd_settings_int (set, "block"),
                  .most_slots = averages ? slots / SD_TREES_GROUP * SD_TREES_GROUP : slots,
                  .averages = averages,
                  .progress = what->progress,
                  .slot = src->sym,
                  .sym = sd_alloc (slots, sizeof *e->sym) };
  int status = e->sym ? encode (e, src, set, out) : SD_ENOMEM;
  sd_trees_model_clear (&e->model);
  sd_buf_free (&e->payload);
  free (e->sym);
  free (e->start);
  free (e->byte);
  free (e->mark);
  free (e->samples.row);
  free (e->samples.yes);
  if (status)
    return status == SD_ESTOPPED ? status
           : status == SD_ENOMEM
               ? sd_fail_memory (err, 0)
               : sd_fail (
                   err, status,
                   "%s: a slot does not fit a block, or the forest is far larger than what it codes: choose a larger "
                   "block, or fewer trees or leaves",
                   what->codec->name);
  return SD_OK;
}
