/** \file blocks.c
 * Blocks of slots coded one behind the other, and samples of the questions that they ask. A block ends when
 * the next slot would not fit. */
#include "config.h"
#include "codecs/trees/encoder_internal.h"

#include <math.h>

/* -------------------------------------------------------------------- one slot */

/* The cheapest yes for a free slot: no later one can be cheaper once the answers no cost as much. A definite
 * slot has one yes. */
static void ask (sd_trees_encoder *e, sd_symbol slot) {
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

static void put (sd_trees_encoder *e, bool bit, uint32_t yes) {
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

static void put_slot (sd_trees_encoder *e) {
  for (unsigned k = 0; k < e->asked; k++)
    put (e, e->found && k + 1 == e->asked, sd_trees_yes (e->score[k]));
  for (unsigned b = e->found ? 0 : e->symbol_bits; b-- > 0;)
    put (e, e->symbol >> b & 1, 32768);
}

/* Bytes that end the code: the shortest that begin a number in lo..hi. */
static unsigned ending (const sd_trees_encoder *e, uint32_t *number) {
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

/* Samples k with stays (k) close up. The blocks of a part know how many samples they had before them. */
static void keep_some (sd_trees_encoder *e, bool stays (const sd_trees_encoder *e, uint32_t k)) {
  sd_trees_samples *s = &e->samples;
  uint32_t kept = 0;
  uint64_t b = 0;
  for (uint32_t k = 0; k < s->n; k++) {
    for (; b < e->blocks && e->mark[b].samples == k; b++)
      e->mark[b].samples = kept;
    if (!stays (e, k))
      continue;
    memcpy (s->row[kept], s->row[k], sizeof *s->row);
    if (e->rank)
      e->rank[kept] = e->rank[k];
    s->yes[kept++] = s->yes[k];
  }
  for (; b < e->blocks; b++)
    e->mark[b].samples = kept;
  s->n = kept;
}

/* Every second one would not do: the questions of a slot follow each other, the first of them answered by no
 * and the last one by yes. */
static bool by_number (const sd_trees_encoder *e, uint32_t k) {
  (void) e;
  return k * UINT32_C (0x9e3779b9) >> 31; /* evenly, wherever in a slot they stand */
}

static bool by_rank (const sd_trees_encoder *e, uint32_t k) {
  return e->rank[k] <= e->share;
}

/* Half of the samples go, and of the slots to come half as many have any. Which samples go depends on all
 * that were kept before. A part does not know these, and lets whole slots go. */
static void thin_out (sd_trees_encoder *e) {
#pragma omp atomic update
  e->share /= 2; /* parts that begin look at it */
  keep_some (e, e->rank ? by_rank : by_number);
}

static uint32_t rank_of (uint64_t i) {
  return (uint32_t) (i * UINT64_C (0x9e3779b97f4a7c15) >> 32);
}

/* Are questions of slot i among those that are kept? */
static bool keeps (const sd_trees_encoder *e, uint64_t i) {
  return e->share && rank_of (i) <= e->share;
}

/* Of the questions that a slot asks at once the first one BEGINS; all of them are kept or none. */
enum { YES = 1, BEGINS = 2 };

/* A sample with everything but its features. NULL: a part has just decided to keep none of that slot. */
static uint8_t *new_sample (sd_trees_encoder *e, uint64_t i, unsigned flags) {
  sd_trees_samples *s = &e->samples;
  while (s->n == s->cap)
    thin_out (e);
  if (e->rank && !keeps (e, i))
    return NULL;
  if (e->rank)
    e->rank[s->n] = rank_of (i);
  s->yes[s->n] = (uint8_t) (e->rank ? flags : flags & YES);
  return s->row[s->n++];
}

static void keep_question (sd_trees_encoder *e, uint64_t i, unsigned flags) {
  uint8_t *row = new_sample (e, i, flags);
  for (unsigned f = 0; row && f < SD_TREES_FEATURES; f++)
    row[f] = (uint8_t) (e->cursor.row[f] >> 8);
}

static void keep_questions (sd_trees_encoder *e, uint64_t i) {
  for (unsigned k = 0; k < e->asked; k++) {
    e->cursor.asked = k;
    sd_trees_features (&e->cursor);
    keep_question (e, i, (k ? 0 : BEGINS) | (e->found && k + 1 == e->asked ? YES : 0));
  }
}

/* As if e had asked what the part asked from sample k on. It may keep those of fewer slots than the part did.
 */
static void take_samples (sd_trees_encoder *e, const sd_trees_samples *s, const uint32_t *rank, uint32_t k) {
  for (bool kept = false; k < s->n; k++) {
    if (s->yes[k] & BEGINS)
      kept = e->share && rank[k] <= e->share;
    if (kept)
      memcpy (new_sample (e, 0, s->yes[k]), s->row[k], sizeof *s->row);
  }
}

/* ---------------------------------------------------------------------- blocks */

static int list_block (sd_trees_encoder *e, uint64_t first) {
  uint64_t same = e->cap;
  if (!sd_grow (&e->start, &same, e->blocks + 2) || !sd_grow (&e->byte, &e->cap, e->blocks + 2)
      || !sd_grow (&e->mark, &e->mark_cap, e->blocks + 2))
    return SD_ENOMEM;
  e->start[e->blocks] = first;
  e->mark[e->blocks] = (sd_trees_mark){ e->questions, e->samples.n };
  e->byte[e->blocks++] = e->payload.len;
  return SD_OK;
}

static int new_block (sd_trees_encoder *e, uint64_t first) {
  SD_TRY (list_block (e, first));
  e->lo = 0;
  e->hi = UINT32_MAX;
  e->work = 0;
  sd_trees_begin (&e->cursor, &e->model, e->sym, first);
  return SD_OK;
}

static void end_block (sd_trees_encoder *e) {
  uint32_t number;
  unsigned bytes = ending (e, &number);
  for (unsigned k = 0; k < bytes; k++)
    sd_buf_u8 (&e->payload, number >> (24 - 8 * k) & 255);
  /* Of `trees` no block is empty. */
  if (!e->averages && e->payload.len == e->byte[e->blocks - 1])
    sd_buf_u8 (&e->payload, 0);
}

static sd_trees_point where (const sd_trees_encoder *e) {
  return (sd_trees_point){ e->payload.len, e->lo, e->hi, e->work, e->questions };
}

static void go_back (sd_trees_encoder *e, const sd_trees_point *to) {
  e->payload.len = to->len;
  e->lo = to->lo;
  e->hi = to->hi;
  e->work = to->work;
  e->questions = to->questions;
}

/* With its questions and the bytes that would end the block here. */
static bool fits (const sd_trees_encoder *e) {
  uint32_t number;
  return e->payload.len - e->byte[e->blocks - 1] + ending (e, &number) <= e->block
         && e->work <= SD_TREES_MAX_WORK;
}

static void count_questions (sd_trees_encoder *e, unsigned asked) {
  e->work += asked * e->cost;
  e->questions += asked;
}

/* The slot; false: it does not fit into the block, and was taken back. */
static bool code_slot (sd_trees_encoder *e, uint64_t i) {
  sd_trees_cursor *c = &e->cursor;
  if (!sd_trees_look (c)) {
    c->sym[c->at] = (sd_symbol) c->near[0];
    return true;
  }
  const sd_trees_point before = where (e);
  ask (e, e->slot[i]);
  put_slot (e);
  const unsigned tried = c->asked;
  count_questions (e, e->asked);
  const bool has_room = fits (e);
  if (!has_room)
    go_back (e, &before);
  else if (keeps (e, i))
    keep_questions (e, i);
  /* Also if it does not fit: the next block forgets all. */
  sd_trees_settle (c, e->symbol, tried);
  return has_room;
}

/* Is slot i the first of a group that is all alike, and is passed? Else, if *has_room, the slot itself is to
 * be coded. */
static bool code_group (sd_trees_encoder *e, uint64_t i, bool *has_room) {
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
      keep_question (e, i, BEGINS | (alike ? YES : 0));
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
static bool code_some (sd_trees_encoder *e, uint64_t *i) {
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
static void leave_group (sd_trees_encoder *e, uint64_t *i) {
  const unsigned within = e->cursor.has_groups ? e->cursor.last % SD_TREES_GROUP : 0;
  if (within && e->cursor.at > within) {
    go_back (e, &e->group);
    *i -= within;
  }
}

int sd_trees_code_block (sd_trees_encoder *e, uint64_t *i) {
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

int sd_trees_code_blocks (sd_trees_encoder *e, uint64_t *i, uint64_t to) {
  const uint64_t from = *i;
  for (uint64_t told = from; *i < to;) {
    if (*i >= told) {
      if (e->reports)
        sd_report (e->progress, e->reports,
                   e->told_from + (uint64_t) ((double) e->told * (double) (*i - from) / (double) (to - from)),
                   e->n);
      SD_TRY (sd_stopped (e->progress));
      told = *i + 65536;
    }
    SD_TRY (sd_trees_code_block (e, i));
  }
  return SD_OK;
}

int sd_trees_take_blocks (sd_trees_encoder *e, const sd_trees_encoder *p, uint64_t b) {
  const uint64_t bytes = p->byte[b], questions = p->mark[b].questions;
  const uint64_t len = e->payload.len, before = e->questions;
  for (uint64_t k = b; k < p->blocks; k++) {
    SD_TRY (list_block (e, p->start[k]));
    e->byte[e->blocks - 1] = len + p->byte[k] - bytes;
    e->mark[e->blocks - 1].questions = before + p->mark[k].questions - questions;
  }
  sd_buf_append (&e->payload, p->payload.data + bytes, p->payload.len - bytes);
  e->questions += p->questions - questions;
  if (p->share)
    take_samples (e, &p->samples, p->rank, p->mark[b].samples);
  return sd_buf_status (&e->payload);
}
