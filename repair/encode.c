/** \file encode.c
 * From a sequence to a stream: pair replacement, final replacement, pruning, new parses; the entropy stage is
 * payload.c. Layout of a stream: docs/format.md, section 7.3. The sequence comes with its initial replacement
 * done, and beside it the slots as they were: a parse completes free slots in its own way. What fails is a
 * status; the caller drops what has been written. */
#include "config.h"
#include "repair/repair_internal.h"

#include <stdlib.h>
#include <string.h>

/* The words of two settings, "|exact|subdefinite...", without the first bar, and their summaries. */
#define SD_PAIR_RULE(name, summary) "|" #name
#define SD_FINAL_RULE(name, summary) "|" #name
static const char pair_words[] =
#include "repair/pair_rules.def"
    , final_words[] =
#include "repair/final_rules.def"
    ;
#undef SD_PAIR_RULE
#undef SD_FINAL_RULE
#define SD_PAIR_RULE(name, summary) "; " #name ": " summary
#define SD_FINAL_RULE(name, summary) "; " #name ": " summary

const sd_tunable sd_repair_tunables[] = {
  SD_TUNABLE_INITIAL ("edges:8"),
  { "pair", "pairs that are replaced"
#include "repair/pair_rules.def"
    ,
    "subdefinite", 1, 0, pair_words + 1 },
  { "final", "completes what is free behind the pairs"
#include "repair/final_rules.def"
    ,
    "longest", 1, 0, final_words + 1 },
  { "block", "bytes of compressed data in a block", "128", SD_REPAIR_MIN_BLOCK, SD_REPAIR_MAX_BLOCK, NULL },
  { "entropy", "code of the phrases", "huffman", 1, 0, "huffman|rans" },
  { "parse", "as the pairs were replaced, or the cheapest phrases that fit (smaller, slower)", "greedy", 1, 0,
    "greedy|optimal" },
  { "rounds", "parse=optimal: parses before the last one, with new pairs in between", "3", 0, 100, NULL },
  { "restarts", "parse=optimal: times that a new dictionary is made of what the last one completed", "1", 0,
    100, NULL },
  { "slack", "parse=optimal: bits by which a way may be behind and is still followed", "0", 0, 256, NULL },
  { "sample",
    "parse=optimal: slots, in pieces from everywhere, in which the phrases are found (0: all of them)", "0",
    0, 1 << 30, NULL },
  { "tries",
    "parse=optimal: what a free slot is tried with: few: the next definite slot's symbol if there are more "
    "than 8; all",
    "few", 1, 0, "few|all" },
  { "symbols", "phrases in the dictionary at most", "65535", 0, 65535, NULL },
  { "min", "occurrences that a phrase needs at least (0: as many as pay for its entry)", "0", 0, 1000000,
    NULL },
  { "maxlen", "positions of the longest phrase", "1048576", 1, SD_REPAIR_MAX_LENGTH, NULL },
  { "maxcode", "bits of the longest Huffman code (raised if the phrases need more)", "24", 1,
    SD_HUFFMAN_MAX_LENGTH, NULL },
  { 0 },
};

const sd_overrule sd_repair_overrules[] = {
  { "parse", "greedy", false, { "rounds", "restarts", "slack", "sample", "tries" } },
  { "entropy", "rans", false, { "maxcode" } },
  { "symbols", "0", false, { "pair", "final", "min", "maxlen" } },
  { "maxlen", "1", false, { "pair", "final", "min", "symbols" } },
  { 0 },
};

/* ---------------------------------------------------------------- encoding */

/* Blocks as `cut` makes them, into a stream. */
typedef int (*cutter) (sd_repair *st, const sd_payload *p, const sd_seq *slots, const sd_settings *set,
                       sd_parsed *blocks);

/* What is written at the end of either way: codes for the phrases, blocks by `cut`, the stream. */
static int write_blocks (sd_repair *st, const sd_seq *slots, const sd_settings *set, cutter cut,
                         sd_buf *out) {
  SD_RELEASED_BY (sd_payload_clear) sd_payload p = { 0 };
  SD_TRY (sd_payload_new (st, set, &p));
  int status;
  /* With rANS a block may turn out too full; then the room is smaller and all is cut again. */
  do {
    SD_RELEASED_BY (sd_parsed_clear) sd_parsed blocks = { 0 };
    status = cut (st, &p, slots, set, &blocks);
    if (!status)
      status = sd_payload_write (st, &p, &blocks, slots->n, out);
  } while (status == SD_ENOSPC);
  return status;
}

static int cut_as_it_stands (sd_repair *st, const sd_payload *p, const sd_seq *slots, const sd_settings *set,
                             sd_parsed *blocks) {
  (void) slots;
  (void) set;
  return sd_payload_cut (st, p, blocks);
}

/* As the rules left it: the sequence is coded as it stands. */
static int finish_greedy (sd_repair *st, const sd_seq *slots, const sd_settings *set, sd_buf *out) {
  /* Codes are made for the symbols of the sequence and no others. */
  sd_repair_count_symbols (st);
  return write_blocks (st, slots, set, cut_as_it_stands, out);
}

static uint32_t slack_of (const sd_settings *set) {
  return (uint32_t) sd_settings_int (set, "slack") * SD_PARSE_BIT;
}

/* The parse becomes the sequence, so that what is counted and written later is what it chose. */
static int cut_by_parse (sd_repair *st, const sd_payload *p, const sd_seq *slots, const sd_settings *set,
                         sd_parsed *blocks) {
  SD_TRY (sd_repair_parse_blocks (st, slots, p->cost, slack_of (set), sd_payload_room (p), blocks));
  st->n = blocks->phrase[blocks->n];
  memcpy (st->ids, blocks->ids, st->n * sizeof *st->ids);
  free (blocks->ids);
  blocks->ids = NULL;
  return SD_OK;
}

void sd_repair_count_needed (sd_repair *st, const sd_seq *slots) {
  /* A definite value that the present parse has inside phrases only counts as one, so that it gets a code. */
  for (uint64_t i = 0; i < slots->n; i++)
    if (slots->sym[i] < st->m && !st->freq[slots->sym[i]])
      st->freq[slots->sym[i]] = 1;
  /* And one value with a code for each set, so that every free slot can be completed by itself. */
  for (unsigned x = st->m; x < st->a; x++) {
    bool some = false;
    for (unsigned v = 0; v < st->m && !some; v++)
      some = st->freq[v] && sd_admits (st->alphabet, (sd_symbol) x, (sd_symbol) v);
    if (!some)
      st->freq[sd_best_completion (st->alphabet, (sd_symbol) x, st->freq)] = 1;
  }
}

/* At last a parse with the final code, block by block. */
static int finish_optimal (sd_repair *st, const sd_seq *slots, const sd_settings *set, sd_buf *out) {
  sd_repair_count_needed (st, slots);
  return write_blocks (st, slots, set, cut_by_parse, out);
}

static int told (int status, sd_error *err) {
  return status == SD_ENOMEM ? sd_fail_memory (err, 0)
         : status            ? sd_fail (err, status, "repair: encoding failed")
                             : SD_OK;
}

/* Dictionary and phrases at their code lengths; no blocks, no index. */
static int promised_bits (const sd_repair *st, const void *ctx, double *bits) {
  const sd_settings *set = ctx;
  SD_RELEASED_BY (sd_payload_clear) sd_payload p = { 0 };
  SD_RELEASED_BY (sd_buf_free) sd_buf model = { 0 };
  SD_TRY (sd_payload_new (st, set, &p));
  sd_model_write (&p.model, 0, &model);
  /* The model is really written: what a dictionary takes depends on how its numbers are skewed. */
  *bits = 8.0 * (double) model.len;
  for (unsigned id = 0; id < st->used; id++)
    if (p.cost[id] < SD_TRIE_NONE)
      *bits += (double) st->freq[id] * p.cost[id] / SD_PARSE_BIT;
  return sd_buf_status (&model);
}

/* All that the rules decide: pairs, final replacement, what is dropped; for a parse a better dictionary
 * (refine.c). */
static int find_phrases (sd_repair *st, const sd_seq *slots, const sd_settings *set, bool parses,
                         sd_error *err) {
  const sd_final_rule final = sd_repair_find_final_rule (sd_settings_word (set, "final"));
  /* Zakharov 2015, 1.7.2 and 1.7.3; the initial replacement of 1.7.1 has been applied by sd_codec_encode. */
  SD_TRY (sd_repair_rounds (st, err));
  SD_TRY (final (st, err));
  int status = sd_repair_prune (st);
  if (!status && parses)
    status = sd_repair_refine (st, slots,
                               &(sd_refining){ .rounds = sd_settings_int (set, "rounds"),
                                               .restarts = sd_settings_int (set, "restarts"),
                                               .slack = slack_of (set),
                                               .promise = promised_bits,
                                               .ctx = set });
  return told (status, err);
}

/* find_phrases in a sample of so many slots; st->ids is the whole sequence afterwards, not what the phrases
 * make of it. */
static int find_in_sample (sd_repair *st, const sd_seq *slots, const sd_settings *set, uint64_t sample,
                           sd_error *err) {
  sd_phrase *whole = st->ids;
  SD_OWNED sd_phrase *part = sd_alloc (sample, 2 * sizeof *part);
  if (!part)
    return sd_fail_memory (err, sample * 2 * sizeof *part);
  /* Two samples of the same places: the sequence that the rounds overwrite, and the slots as they were. */
  sd_seq some = { .alphabet = slots->alphabet, .sym = part + sample, .n = sample };
  sd_repair_sample (st->ids, st->n, sample, part);
  sd_repair_sample (slots->sym, slots->n, sample, some.sym);
  st->ids = part;
  st->n = sample;
  const int status = find_phrases (st, &some, set, true, err);
  st->ids = whole;
  return status;
}

/* A parse goes back to the slots as they were. */
bool sd_repair_parses (const sd_settings *set) {
  return strcmp (sd_settings_word (set, "parse"), "optimal") == 0;
}

int sd_repair_encode (const sd_encoding *what, sd_buf *out, sd_error *err) {
  sd_seq *src = what->src;
  const sd_seq *slots = what->slots;
  const sd_settings *set = what->set;
  const bool parses = sd_repair_parses (set);
  const uint64_t sample = (uint64_t) sd_settings_int (set, "sample");

  SD_RELEASED_BY (sd_repair_clear) sd_repair st = { 0 };
  if (src->n == 0)
    return sd_fail (err, SD_EINVAL, "repair: no symbols to encode");
  SD_TRY (sd_repair_init (&st, src, (unsigned) sd_settings_int (set, "symbols"), err));

  st.max_length = (uint32_t) sd_settings_int (set, "maxlen");
  st.min_count = (uint64_t) sd_settings_int (set, "min");
  st.narrow = st.m > SD_PARSE_PLANES && strcmp (sd_settings_word (set, "tries"), "all") != 0;
  st.pair = sd_repair_find_pair_rule (sd_settings_word (set, "pair"));
  st.progress = what->progress;
  /* Settings have been checked against the same lists; a rule left out of one of them would end here. */
  if (!st.pair || !sd_repair_find_final_rule (sd_settings_word (set, "final")))
    return sd_fail (err, SD_EINVAL, "repair: pair=%s,final=%s: no such rule", sd_settings_word (set, "pair"),
                    sd_settings_word (set, "final"));

  SD_TRY (parses && sample && sample < slots->n ? find_in_sample (&st, slots, set, sample, err)
                                                : find_phrases (&st, slots, set, parses, err));
  return told (parses ? finish_optimal (&st, slots, set, out) : finish_greedy (&st, slots, set, out), err);
}
