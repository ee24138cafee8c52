/** \file encode.c
 * From slots to a stream. The questions of a first pass, completed by the first neighbour that a slot admits,
 * grow a forest; the next passes take the cheapest completion that the forest offers, and their questions
 * grow a better one; the last pass's blocks are the stream. */
#include "config.h"
#include "codecs/entropy/entropy.h"
#include "codecs/row.h"
#include "codecs/trees/encoder_internal.h"

#include <math.h>
#include <stdlib.h>

#define FIRST_TREES 2 /* of the forests but the last */
#define FRONT 192     /* bytes of a stream before its usual symbol: at most 45 numbers */

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

/* ---------------------------------------------------------------------- stream */

/* The slots of each block but the last; 0: they differ. */
static uint64_t equal_slots (const sd_trees_encoder *e) {
  const uint64_t slots = e->start[e->blocks > 1];
  for (uint64_t b = 1; b < e->blocks; b++)
    if (e->start[b] != b * slots)
      return 0;
  return slots && e->n - e->start[e->blocks - 1] <= slots ? slots : 0;
}

static void put_stream (sd_trees_encoder *e, sd_buf *out) {
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

static void set_prices (sd_trees_encoder *e) {
  for (int s = -SD_TREES_SCORE; s <= SD_TREES_SCORE; s++) {
    double yes = sd_trees_yes (s) / 65536.0;
    e->price_yes[s + SD_TREES_SCORE] = (float) -log2 (yes);
    e->price_no[s + SD_TREES_SCORE] = (float) -log2 (1 - yes);
  }
}

static int usual_symbol (sd_trees_encoder *e, const sd_seq *s) {
  SD_OWNED uint64_t *freq = sd_alloc (sd_alphabet_size (e->alphabet), sizeof *freq);
  SD_TRY (freq ? sd_seq_frequencies (s, freq) : SD_ENOMEM);
  for (unsigned v = 1; v < e->model.m; v++)
    if (freq[v] > freq[e->model.usual])
      e->model.usual = (sd_symbol) v;
  return SD_OK;
}

static int grow (sd_trees_encoder *e, const sd_settings *set, bool small, double *worth) {
  const unsigned trees = (unsigned) sd_settings_int (set, "trees");
  const sd_trees_growth how = { .trees = small && trees > FIRST_TREES ? FIRST_TREES : trees,
                                .leaves = (unsigned) sd_settings_int (set, "leaves"),
                                .depth = (unsigned) sd_settings_int (set, "depth"),
                                .progress = e->progress,
                                .worth = worth };
  return sd_trees_grow (&e->samples, &how, &e->model);
}

/* A small forest shows which averages are worth their bytes. */
static int choose_averages (sd_trees_encoder *e, const sd_settings *set) {
  double worth[SD_TREES_FEATURES] = { 0 };
  if (!e->model.naverages)
    return SD_OK;
  SD_TRY (grow (e, set, true, worth));
  return sd_trees_choose_averages (&e->model, worth, e->entries, &e->samples);
}

static int code (sd_trees_encoder *e, const sd_seq *given, const sd_settings *set) {
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
  /* The first pass has no forest: each answer is as likely as the other. */
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
    SD_TRY (
        sd_trees_pass (e, share < 1 ? (uint32_t) (share * UINT32_MAX) : UINT32_MAX, "collecting questions"));
    e->samples.weight = (double) UINT32_MAX / (e->share ? e->share : 1);
    if (!r)
      SD_TRY (choose_averages (e, set));
    /* a forest that only chooses completions for the next one may be small */
    SD_TRY (grow (e, set, r + 1 < rounds, NULL));
  }
  return sd_trees_pass (e, 0, "coding");
}

/* What a reader takes depends on the bytes, which are known in the end: where the model asks for too much,
 * the stream is made again with fewer averages, and then with none. */
static int encode (sd_trees_encoder *e, const sd_seq *given, const sd_settings *set, sd_buf *out) {
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
  SD_OWNED sd_trees_encoder *e = sd_alloc0 (1, sizeof *e);
  if (!e)
    return sd_fail_memory (err, sizeof *e);
  if (src->n >> 48)
    return sd_fail (err, SD_ERANGE, "%s: more than 2^48 symbols", what->codec->name);
  const unsigned slots = (unsigned) sd_settings_int (set, "slots");
  const bool averages = what->codec->id == SD_CODEC_ID_forest;
  *e = (sd_trees_encoder){ .alphabet = src->alphabet,
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
