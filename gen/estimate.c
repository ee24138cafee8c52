/* What an ending takes before it is generated: memory, disk, messages, time.
 *
 * Idea: as much as possible is computed by what the generator itself uses: the deal of the states, the counts
 * of its buffers, the plan of the blocks, the sides of the sub-endings that conversions lead to. Marks are as
 * many as un-moves of decided positions; these are counted for a sample of the states, spread evenly over
 * both sides (a survey of the game needs no sub-ending), with the owner of each predecessor under the deal.
 * What nobody can compute without solving - which part is decided, how long the longest mate is, how well the
 * values code - is left to estimate_model.c.
 *
 * Cost: 3 ms an ending, with as many ranks as one likes some 20 ns a rank more. */
#include "config.h"
#include "gen/solve/checkpoint_internal.h"
#include "gen/games/chess/chess_game.h"
#include "gen/games/chess/chess_internal.h"
#include "gen/estimate_internal.h"
#include "gen/output_internal.h"
#include "gen/parts.h"
#include "gen/solve/solver_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An ending of 7 men has some 20 sides of sub-endings. */
enum { SIDES = 64, SAMPLES = 4096 };

/* Memory that a process takes beside what is counted: the program, its libraries, decoders; MPI's own.
 * Measured. */
enum { PROCESS = 12 << 20, PROCESS_MPI = 22 << 20 };

typedef struct estimator {
  const sd_material *m;
  sd_estimate_run run;
  sd_game game; /* a survey */
  const sd_chess *chess;
  sd_game part; /* what is in memory at one time: the game, or its largest part; only numbers are filled in */
  sd_deal deal, part_deal;
  sd_outlook outlook;
  sd_estimate *out;
} estimator;

/* ------------------------------------------------------------ sub-endings */

static int slots_of (const sd_material *m, uint64_t *out, sd_error *err) {
  sd_layout layout;
  sd_indexer *ix;
  sd_layout_kings_first (m, &layout);
  SD_TRY (sd_indexer_new (&layout, &ix, err));
  *out = sd_indexer_size (ix);
  sd_indexer_free (ix);
  return SD_OK;
}

static bool is_new (const sd_chess_reached *list, unsigned n, const sd_chess_reached *s) {
  /* Several conversions lead to one side of an ending. */
  for (unsigned i = 0; i < n; i++)
    if (list[i].side == s->side && sd_material_equal (&list[i].material, &s->material))
      return false;
  return true;
}

/* What a rank decodes of the sub-endings, a byte a slot (tables have at most 256 different values with up to
 * 5 men), and twice that of a block while it is decoded. */
static int cache_bytes (const estimator *e, uint64_t *out, sd_error *err) {
  enum { BLOCK = 1 << 20 }; /* of earlier tables and those of other codecs; by default it is a quarter */
  const uint64_t budget = sd_gen_budget (e->game.nstates, e->game.parts > 0, e->run.ranks);
  sd_chess_reached list[SIDES];
  unsigned n = 0;
  uint64_t all = 0, largest = 0;

  for (unsigned mover = 0; mover < 2; mover++)
    for (unsigned promoted = SD_PAWN; promoted <= SD_QUEEN; promoted++)
      for (unsigned captured = SD_PAWN; captured <= SD_KING; captured++) {
        sd_chess_reached s;
        uint64_t slots;
        if (!sd_chess_conversion (e->m, mover, promoted, captured, &s) || !is_new (list, n, &s) || n == SIDES)
          continue;
        list[n++] = s;
        SD_TRY (slots_of (&s.material, &slots, err));
        all += slots;
        largest = slots > largest ? slots : largest;
      }
  *out = (all < budget ? all : budget) + (largest < BLOCK ? largest : BLOCK);
  return SD_OK;
}

/* ----------------------------------------------------------------- memory */

/* Kings and one minor piece: no mate, all values alike, nothing to code. */
static bool all_drawn (const sd_material *m) {
  return sd_material_men (m) == 3 && m->count[0][SD_BISHOP] + m->count[0][SD_KNIGHT] == 1;
}

/* What is in memory while an ending is solved. */
static void find_largest (estimator *e) {
  uint64_t most = 0;
  e->part = e->game;
  for (unsigned k = 0; k < e->game.parts; k++) {
    const uint64_t n = e->game.part_states (e->game.ctx, k);
    most = n > most ? n : most;
  }
  if (most) {
    e->part.nstates = most;
    e->part.block = most / e->chess->nsides / e->chess->kings->n;
  }
}

/* As sd_gen_output counts it, on the rank that writes `local` states. */
static uint64_t output_on (const estimator *e, const sd_block_plan *plan, uint64_t coder, uint64_t local,
                           uint64_t least_local) {
  const uint64_t size = (uint64_t) e->run.ranks, nsides = e->chess->nsides;
  const uint64_t all = local * sizeof (sd_value),
                 values = e->game.parts && all > SD_PARTS_MAPPED ? SD_PARTS_MAPPED : all;
  const uint64_t counting = values + (2 + e->run.threads) * SD_OUTPUT_VALUES * sizeof (uint64_t);
  uint64_t coding = values + nsides * SD_OUTPUT_VALUES * sizeof (uint16_t);

  /* As output_blocks.c takes it. */
  if (plan->blocks) {
    const uint64_t blocks = nsides * plan->blocks, share = blocks / size + (blocks % size != 0);
    const uint64_t raw = plan->block * plan->width, coder_bytes = coder + raw;
    const unsigned coders = sd_output_coders (least_local, share, e->run.threads, coder_bytes, raw);
    const uint64_t hold = sd_output_hold_blocks (coders, share);
    coding += hold * raw + (2 * size + hold * size) * sizeof (uint64_t) + coders * coder_bytes;
    coding += share * sizeof (sd_output_block) + blocks * sizeof (uint64_t);
    coding += (uint64_t) ((double) e->out->disk_bytes / (double) blocks * (double) (blocks / size));
  }
  return coding > counting ? coding : counting;
}

static int memory (estimator *e, sd_error *err) {
  static const sd_rules chess = { &sd_game_chess, NULL };
  sd_estimate *out = e->out;
  sd_table_spec spec;
  sd_block_plan plan = { 0 };
  uint64_t cache, coder = 0;

  SD_TRY (cache_bytes (e, &cache, err));
  SD_TRY (sd_gen_spec (&chess, sd_chess_slice (e->m), e->run.coding, &spec, err));
  if (!all_drawn (e->m)) {
    /* a byte a symbol */
    sd_blocks_plan (spec.side[0].codec, &spec.side[0].settings, e->chess->n, 256, &plan);
    coder = sd_blocks_memory (&plan);
  }
  const sd_transport t = { .size = e->run.ranks, .group = sd_transport_group (e->run.ranks, NULL) };
  uint64_t least = e->game.nstates;
  for (int r = 0; r < t.size; r++) {
    const uint64_t local = sd_deal_count (&e->deal, r);
    least = local < least ? local : least;
  }
  for (int r = 0; r < t.size; r++) {
    sd_solver s = {
      .game = &e->part, .t = &t, .nlocal = sd_deal_count (&e->part_deal, r), .nthreads = e->run.threads
    };
    out->solve_bytes += sd_solver_bytes (&s) + (s.nlocal ? cache : 0);
    out->output_bytes += output_on (e, &plan, coder, sd_deal_count (&e->deal, r), least);
  }
  out->memory_bytes = out->solve_bytes > out->output_bytes ? out->solve_bytes : out->output_bytes;
  out->process_bytes =
      out->memory_bytes + (uint64_t) t.size * (e->run.mpi || t.size > 1 ? PROCESS_MPI : PROCESS);
  return SD_OK;
}

/* ------------------------------------------------------------------- marks */

/* Un-moves of the positions with `side` to move: in all, and those that lead to states of other ranks. */
static int sample (const estimator *e, unsigned side, sd_state *pred, double *all, double *remote,
                   sd_error *err) {
  const sd_game *g = &e->game;
  const uint64_t n = e->chess->n, samples = n < SAMPLES ? n : SAMPLES;
  uint64_t marks = 0, away = 0;

  for (uint64_t i = 0; i < samples; i++) {
    /* one in each of equal parts, at a place that the golden ratio shifts from part to part */
    const uint64_t shift = i * 0x9e3779b97f4a7c15u;
    const sd_u128 at = (((sd_u128) i << 64) + shift) / samples * n;
    const sd_state q = side * n + (uint64_t) (at >> 64);
    sd_state_info info;
    int owner, to;
    uint64_t place;
    SD_TRY (g->init (g->ctx, q, 1, &info, err));
    if (!info.exists)
      continue;
    const unsigned k = g->preds (g->ctx, q, pred);
    sd_deal_find (&e->deal, q, &owner, &place);
    for (unsigned j = 0; j < k; j++) {
      sd_deal_find (&e->deal, pred[j], &to, &place);
      away += to != owner;
    }
    marks += k;
  }
  *all = (double) marks / (double) samples * (double) n;
  *remote = (double) away / (double) samples * (double) n;
  return SD_OK;
}

/* Groups for `remote` words. In each iteration the last group goes to each rank anyway. Marks of a pair of
 * ranks are taken to be spread over the iterations like an exponential distribution: then those with full
 * groups before the last one are known from the mean alone. A full group holds as many stages of a thread as
 * fit, each with a word before it, and each a word or two short of SD_STAGE. */
static double messages_for (const estimator *e, double remote) {
  const double pairs = (double) e->run.ranks * (e->run.ranks - 1);
  if (pairs == 0)
    return 0;
  const size_t stages = (sd_transport_group (e->run.ranks, NULL) - 1) / (SD_STAGE + 1);
  const double full = (double) (stages * (SD_STAGE - 1));
  /* Each part has iterations of its own, fewer where pawns are near: measured 0.81 of the most (KPvK). */
  const double parts = e->game.parts ? 0.8 * e->game.parts : 1;
  const double lasts = pairs * parts * e->out->iterations, mean = remote / lasts;
  return lasts * (1 + (mean > 0 ? 1 / expm1 (full / mean) : 0));
}

static int marks (estimator *e, sd_error *err) {
  sd_estimate *out = e->out;
  SD_OWNED sd_state *pred = sd_alloc (e->game.max_preds, sizeof *pred);

  double marks = 0, most = 0, remote = 0, words = 0;
  if (!pred)
    return sd_fail_memory (err, e->game.max_preds * sizeof *pred);
  for (unsigned side = 0; side < e->chess->nsides; side++) {
    double all, away, each = 1;
    SD_TRY (sample (e, side, pred, &all, &away, err));
    if (away > 0)
      SD_TRY (sd_estimate_words (&e->game, &e->deal, side, e->outlook.together[side], &each, err));
    most += all;
    marks += all * e->outlook.decided[side];
    remote += away * e->outlook.decided[side];
    words += away * e->outlook.decided[side] * each;
  }
  out->iterations = e->outlook.plies + 2; /* that of mate, and the one in which nobody has a mark left */
  out->marks_most = (uint64_t) most;
  out->marks = (uint64_t) marks;
  out->marks_remote = (uint64_t) remote;
  const double messages = messages_for (e, words);
  out->messages = (uint64_t) messages;
  out->message_bytes = (uint64_t) ((words + messages) * sizeof (uint32_t));
  return SD_OK;
}

/* ------------------------------------------------------------------ all of it */

int sd_gen_estimate (const sd_material *m, const sd_estimate_run *run, sd_estimate *out, sd_error *err) {
  enum { OTHER = 200 }; /* bytes of a table without values */
  estimator e = { .m = m, .out = out };
  char name[16];

  *out = (sd_estimate){ 0 };
  if (run)
    e.run = *run;
  e.run.ranks = e.run.ranks > 0 ? e.run.ranks : 1;
  e.run.threads = e.run.threads > 0 ? e.run.threads : 1;
  SD_TRY (sd_chess_game_new (NULL, m, &e.game, err));
  e.chess = e.game.ctx;
  sd_material_name (m, name);
  sd_deal_make (e.game.nstates, e.run.ranks, sd_deal_grain (&e.game, e.run.ranks, e.run.grain), &e.deal);
  find_largest (&e);
  sd_deal_make (e.part.nstates, e.run.ranks, sd_deal_grain (&e.part, e.run.ranks, e.run.grain), &e.part_deal);
  sd_estimate_outlook (m, &e.outlook);
  out->published = e.outlook.published;
  out->slots = e.chess->n * e.chess->nsides;
  out->states = e.game.nstates;
  /* A rank numbers its states with 32 bits. */
  out->least_ranks = (int) (e.part.nstates / UINT32_MAX + 1);
  out->longest_conversion = sd_rec_step (e.game.max_moves) - 1u;
  out->disk_bytes =
      all_drawn (m) ? 42 : (uint64_t) (sd_estimate_density (m, &e.outlook) * (double) out->slots) + OTHER;
  out->checkpoint_bytes = 2 * sd_ckpt_bytes (&e.part_deal, strlen (name));
  if (e.game.parts)
    out->checkpoint_bytes += out->slots * sizeof (sd_value);
  int st = memory (&e, err);
  if (st == SD_OK)
    st = marks (&e, err);
  out->cpu_s = sd_estimate_seconds (out->states, out->marks, out->iterations, out->disk_bytes);
  sd_chess_game_free (&e.game);
  return st;
}
