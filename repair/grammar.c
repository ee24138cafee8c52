/** \file grammar.c
 * A dictionary within the limits of a foreign format (grammar.h): the rounds, rules and parses of this room
 * with other limits. After the dictionary is found the sequence is parsed with the costs of real codes until
 * that gains nothing; what is parsed last, in blocks, uses the same codes, and new ones if these are better.
 */
#include "config.h"
#include "repair/grammar.h"
#include "repair/repair_internal.h"

#include <stdlib.h>
#include <string.h>

enum { DROPPING = 3, POLISHING = 3, CUTTING = 2 }; /* parses at most */

struct sd_grammar_maker {
  sd_repair st;
  const sd_seq *slots;
  sd_seq sample;  /* of the slots: all of them, or some */
  sd_symbol *own; /* sample.sym where it is not the caller's */
  sd_grammar_rules rules;
  uint32_t slack; /* in units of sd_repair_parse */
  double bits;
};

/* ------------------------------------------------------------------- codes */

/* Code lengths for st->freq, as costs too (may be NULL); *bits: dictionary and sequence. */
static int code_lengths (const sd_repair *st, unsigned longest, uint8_t *length, uint32_t *cost,
                         double *bits) {
  SD_TRY (sd_huffman_lengths (st->freq, st->used, longest, length));
  /* A foreign dictionary stores its main symbols as entries, too. */
  *bits = (double) st->entry_bits * (st->used - st->a + st->m);
  for (unsigned id = 0; id < st->used; id++) {
    *bits += (double) st->freq[id] * length[id];
    /* A symbol without a code cannot be taken by a parse. */
    if (cost)
      cost[id] = length[id] ? length[id] * (uint32_t) SD_PARSE_BIT : SD_TRIE_NONE;
  }
  return SD_OK;
}

static int promise (const sd_repair *st, const void *ctx, double *bits) {
  const sd_grammar_rules *rules = ctx;
  SD_OWNED uint8_t *length = sd_alloc0 (st->used, 1);
  return length ? code_lengths (st, rules->code_bits, length, NULL, bits) : SD_ENOMEM;
}

/* -------------------------------------------------------------- dictionary */

/* A parse; with slack along ways through the places of those that are known. */
static int parse (sd_grammar_maker *k, const uint32_t *cost, sd_lattice *ways) {
  if (!k->slack)
    return sd_repair_parse (&k->st, &k->sample, cost, 0);
  SD_TRY (sd_lattice_make (&k->st, &k->sample, cost, k->slack, ways));
  return sd_lattice_parse (&k->st, ways, cost);
}

/* Parses with the real codes, as long as they gain something. */
static int polish (sd_grammar_maker *k, sd_lattice *ways) {
  sd_repair *st = &k->st;
  SD_OWNED uint8_t *length = sd_alloc0 (st->limit, 1);
  SD_OWNED uint32_t *cost = sd_alloc (st->limit, sizeof *cost);

  if (!length || !cost)
    return SD_ENOMEM;
  /* Each value that a slot asks for needs a code, even if the present parse has it inside phrases only. */
  sd_repair_count_needed (st, &k->sample);
  SD_TRY (code_lengths (st, k->rules.code_bits, length, cost, &k->bits));
  for (unsigned n = 0; n < POLISHING; n++) {
    const double before = k->bits;
    SD_TRY (parse (k, cost, ways));
    SD_TRY (sd_repair_prune (st));
    sd_repair_count_needed (st, &k->sample);
    SD_TRY (code_lengths (st, k->rules.code_bits, length, cost, &k->bits));
    /* Codes and parse follow each other; below a half per mille another turn is not worth its time. */
    if (k->bits > before * 0.9995)
      break;
  }
  return SD_OK;
}

/* Without phrases that the sequence is cheaper without. */
static int drop_phrases (sd_grammar_maker *k, sd_lattice *ways) {
  sd_repair *st = &k->st;
  SD_OWNED uint32_t *cost = sd_alloc (st->limit, sizeof *cost);

  if (!cost)
    return SD_ENOMEM;
  for (unsigned n = 0; n < DROPPING; n++) {
    const unsigned before = st->used;
    /* Parsed with the costs of what is there, counted, and judged by the costs that these counts give. A
     * parse without slack knows of no other ways than the best one. */
    sd_repair_ideal_costs (st, cost);
    SD_TRY (parse (k, cost, ways));
    sd_repair_count_symbols (st);
    sd_repair_ideal_costs (st, cost);
    SD_TRY (sd_repair_prune_by_detours (st, &k->sample, cost, k->slack, k->slack ? ways : NULL));
    if (st->used == before)
      break;
  }
  return SD_OK;
}

/* A share of what a symbol takes on the average: a code of one bit leaves nothing to wait for. It takes most
 * of the time, and is left for the last parses (KRvKN, White: 33,749 bytes in 17 s without, 33,038 in 69 s
 * with 40 per cent everywhere). */
static int choose_slack (sd_grammar_maker *k) {
  const sd_repair *st = &k->st;
  double bits;
  SD_TRY (promise (st, &k->rules, &bits));
  bits -= (double) st->entry_bits * (st->used - st->a + st->m);
  k->slack = (uint32_t) (bits / (double) st->n * k->rules.slack / 100 * SD_PARSE_BIT);
  return SD_OK;
}

static int find (sd_grammar_maker *k, sd_error *err) {
  sd_repair *st = &k->st;
  SD_RELEASED_BY (sd_lattice_clear) sd_lattice ways = { 0 };
  /* The dictionary of Zakharov 2015 (1.7.2, 1.7.3) as a start: pairs, what is still free, what does not
   * pay. */
  SD_TRY (sd_repair_rounds (st, err));
  SD_TRY (sd_final_longest (st, err));
  int status = sd_repair_prune (st);
  sd_repair_count_symbols (st);
  /* Only now is it known how many bits a symbol takes. */
  if (!status)
    status = choose_slack (k);
  st->lead = k->rules.lead;
  /* Better ones from parses (refine.c). What a lead saves in time it costs in bytes, so the last parses,
   * below, do without. */
  if (!status && k->rules.rounds)
    status = sd_repair_refine (st, &k->sample,
                               &(sd_refining){ .rounds = k->rules.rounds,
                                               .restarts = k->rules.restarts,
                                               .each = k->rules.detours,
                                               .wide_rounds = k->rules.wide_rounds,
                                               .wide_slack = k->slack,
                                               .ways = &ways,
                                               .promise = promise,
                                               .ctx = &k->rules });
  st->lead = 0;
  /* Then phrases go that the sequence is cheaper without, and real code lengths take the place of ideal
   * ones. */
  if (!status && k->rules.rounds && k->rules.detours)
    status = drop_phrases (k, &ways);
  if (!status && k->rules.rounds)
    status = polish (k, &ways);
  else if (!status)
    status = promise (st, &k->rules, &k->bits);
  return status == SD_ENOMEM ? sd_fail_memory (err, 0)
         : status            ? sd_fail (err, status, "grammar: no dictionary: %s", sd_strerror (status))
                             : SD_OK;
}

static bool in_range (const sd_seq *slots, const sd_grammar_rules *r) {
  return slots->n && slots->n <= UINT32_MAX && r->symbols && r->symbols <= 65535 && r->positions
         && r->positions <= UINT16_MAX && r->block_positions >= r->positions && r->entry_bits && r->code_bits
         && r->code_bits <= SD_HUFFMAN_MAX_LENGTH && r->excess <= 256 && r->slack <= 400;
}

/* The slots in which the dictionary is found, and a copy of them to work on. */
static int take_sample (sd_grammar_maker *k, const sd_seq *slots, sd_seq *work, sd_error *err) {
  const uint64_t n = k->rules.sample && k->rules.sample < slots->n ? k->rules.sample : slots->n;
  k->slots = slots;
  k->sample = *slots;
  *work = (sd_seq){ .alphabet = slots->alphabet, .sym = sd_alloc (n, sizeof *work->sym), .n = n };
  k->st.ids = work->sym;
  if (n < slots->n) {
    k->own = sd_alloc (n, sizeof *k->own);
    /* The slots of the sample are kept beside the copy that the rounds overwrite: parses go back to them. */
    k->sample = (sd_seq){ .alphabet = slots->alphabet, .sym = k->own, .n = n };
  }
  if (!work->sym || !k->sample.sym)
    return sd_fail_memory (err, n * sizeof *work->sym);
  if (k->own)
    sd_repair_sample (slots->sym, slots->n, n, k->own);
  memcpy (work->sym, k->sample.sym, n * sizeof *work->sym);
  return SD_OK;
}

static int make (sd_grammar_maker *k, const sd_seq *slots, sd_error *err) {
  const sd_grammar_rules *rules = &k->rules;
  const unsigned m = sd_alphabet_main (slots->alphabet);
  sd_seq work;

  SD_TRY (take_sample (k, slots, &work, err));
  const unsigned fit = rules->symbols - m;
  /* More phrases than fit may be found first (`excess` times as many): the better ones of them stay
   * (prune.c). */
  SD_TRY (sd_repair_init (&k->st, &work, fit * (rules->excess ? rules->excess : 1), err));
  k->st.keep = fit < k->st.limit - k->st.a ? k->st.a + fit : 0;
  /* An entry pays for itself in the whole sequence, of which the sample has this share of the occurrences. */
  const double share = (double) work.n / (double) slots->n;
  k->st.max_length = rules->positions;
  k->st.entry_bits = 1 + (unsigned) ((rules->entry_bits - 1) * share);
  k->st.block_positions = rules->block_positions;
  k->st.part_positions = rules->part_positions;
  /* With many values a free slot is not tried with all of them (parse_search.c). */
  k->st.narrow = m > SD_PARSE_PLANES;
  k->st.pair = rules->compatible ? &sd_pair_compatible : &sd_pair_subdefinite;
  if (rules->initial)
    SD_TRY (sd_initial_apply (rules->initial, &work, err));
  return find (k, err);
}

int sd_grammar_find (const sd_seq *slots, const sd_grammar_rules *rules, sd_grammar_maker **out,
                     sd_error *err) {
  *out = NULL;
  if (!in_range (slots, rules))
    return sd_fail (err, SD_EINVAL, "grammar: no slots, or limits out of range");
  const unsigned m = sd_alphabet_main (slots->alphabet);
  if (m > rules->symbols)
    return sd_fail (err, SD_ERANGE, "grammar: %u values, at most %u fit", m, rules->symbols);
  sd_grammar_maker *k = sd_alloc0 (1, sizeof *k);
  if (!k)
    return sd_fail_memory (err, sizeof *k);
  k->rules = *rules;
  const int status = make (k, slots, err);
  if (status)
    sd_grammar_maker_free (k);
  else
    *out = k;
  return status;
}

void sd_grammar_maker_free (sd_grammar_maker *k) {
  if (!k)
    return;
  free (k->own);
  free (k->st.ids);
  sd_repair_clear (&k->st);
  free (k);
}

double sd_grammar_bits (const sd_grammar_maker *maker) {
  return maker->bits;
}

/* ------------------------------------------------------------------ blocks */

/* The dictionary with these codes, without the gap that the subdefinite symbols leave in an encoder's ids. */
static int copy_grammar (const sd_repair *st, const uint8_t *length, sd_grammar *g) {
  const unsigned gap = st->a - st->m;
  *g = (sd_grammar){ .m = st->m, .n = st->used - gap };
  g->left = sd_alloc0 (g->n, sizeof *g->left);
  g->right = sd_alloc0 (g->n, sizeof *g->right);
  g->length = sd_alloc0 (g->n, sizeof *g->length);
  g->bits = sd_alloc0 (g->n, 1);
  if (!g->left || !g->right || !g->length || !g->bits)
    return SD_ENOMEM;
  for (unsigned id = 0; id < g->n; id++) {
    const unsigned from = id < st->m ? id : id + gap;
    g->length[id] = (uint16_t) st->length[from];
    g->bits[id] = length[from];
    if (id < st->m)
      continue;
    g->left[id] = (uint16_t) (st->left[from] - (st->left[from] < st->m ? 0 : gap));
    g->right[id] = (uint16_t) (st->right[from] - (st->right[from] < st->m ? 0 : gap));
  }
  return SD_OK;
}

/* The blocks as a cut of its own. */
static int copy_cut (const sd_grammar_maker *k, const uint8_t *length, const sd_parsed *blocks,
                     sd_grammar_cut *cut) {
  const sd_repair *st = &k->st;
  const unsigned gap = st->a - st->m;
  sd_grammar_cut_clear (cut);
  cut->blocks = blocks->n;
  cut->start = sd_alloc (blocks->n + 1, sizeof *cut->start);
  cut->first = sd_alloc (blocks->n + 1, sizeof *cut->first);
  cut->symbol = sd_alloc (blocks->phrase[blocks->n], sizeof *cut->symbol);
  if (!cut->start || !cut->first || !cut->symbol)
    return SD_ENOMEM;
  memcpy (cut->start, blocks->start, blocks->n * sizeof *cut->start);
  memcpy (cut->first, blocks->phrase, (blocks->n + 1) * sizeof *cut->first);
  cut->start[blocks->n] = k->slots->n;
  for (uint64_t i = 0; i < blocks->phrase[blocks->n]; i++)
    cut->symbol[i] = (uint16_t) (blocks->ids[i] < st->m ? blocks->ids[i] : blocks->ids[i] - gap);
  return copy_grammar (st, length, &cut->grammar);
}

static int cut_blocks (sd_grammar_maker *k, uint32_t block_bits, sd_grammar_cut *out) {
  sd_repair *st = &k->st;
  SD_OWNED uint8_t *length = sd_alloc0 (st->limit, 1);
  SD_OWNED uint32_t *cost = sd_alloc (st->limit, sizeof *cost);
  SD_OWNED uint64_t *freq = sd_alloc (st->limit, sizeof *freq);

  if (!length || !cost || !freq)
    return SD_ENOMEM;
  /* The maker's frequencies stay as they were: blocks of another length may be cut next. */
  memcpy (freq, st->freq, st->limit * sizeof *freq);
  sd_repair_count_needed (st, k->slots); /* the sample may lack some */
  int status = SD_OK;
  /* First with the codes of the dictionary's frequencies, then with those of the blocks that were cut: these
   * count if they give fewer blocks, and fewer blocks are all that counts in files of blocks of one size.
   * Codes that come from a parse with as much slack are no better the second time. */
  const unsigned most = k->slack && !k->rules.hasty ? 1 : CUTTING;
  for (unsigned n = 0; n < most && !status; n++) {
    double bits;
    SD_RELEASED_BY (sd_parsed_clear) sd_parsed blocks = { 0 };
    const unsigned longest = k->rules.code_bits < block_bits ? k->rules.code_bits : block_bits;
    /* No code may be longer than a block. */
    status = code_lengths (st, longest, length, cost, &bits);
    st->lead = n + 1 < most ? k->rules.lead : 0;
    if (!status)
      status = sd_repair_parse_blocks (st, k->slots, cost, n == 0 && k->rules.hasty ? 0 : k->slack,
                                       block_bits, &blocks);
    const bool better = !status && (!out->blocks || blocks.n < out->blocks);
    if (better)
      status = copy_cut (k, length, &blocks, out);
    if (!better || n + 1 == most)
      break;
    sd_repair_count_ids (st, blocks.ids, blocks.phrase[blocks.n]);
    sd_repair_count_needed (st, k->slots);
  }
  st->lead = 0;
  memcpy (st->freq, freq, st->limit * sizeof *freq);
  return status;
}

int sd_grammar_cut_blocks (sd_grammar_maker *k, uint32_t block_bits, sd_grammar_cut *out, sd_error *err) {
  *out = (sd_grammar_cut){ 0 };
  const int status = cut_blocks (k, block_bits, out);
  if (status)
    sd_grammar_cut_clear (out);
  return status == SD_ENOMEM ? sd_fail_memory (err, 0)
         : status ? sd_fail (err, status, "grammar: blocks of %u bits: %s", block_bits, sd_strerror (status))
                  : SD_OK;
}

void sd_grammar_cut_clear (sd_grammar_cut *cut) {
  free (cut->grammar.left);
  free (cut->grammar.right);
  free (cut->grammar.length);
  free (cut->grammar.bits);
  free (cut->start);
  free (cut->first);
  free (cut->symbol);
  *cut = (sd_grammar_cut){ 0 };
}
