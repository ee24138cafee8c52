/* The chess game of the solver: making and freeing it (Makhnychev 2012; Zakharov 2015, 1.2 for the
 * symmetries).
 *
 * All that depends on squares becomes a table here, and every kind of conversion (who moves, what it promotes
 * to, what it captures) a ready-made way into the values of the sub-ending. Cost: some 0.1 ms and 0.2 MB an
 * ending, more with equal pieces. What is made here is only read afterwards, by all threads, until
 * sd_chess_game_free (). */
#include "config.h"
#include "gen/games/chess/chess_game.h"
#include "gen/games/chess/chess_internal.h"
#include <stdlib.h>
#include <string.h>

static const uint8_t name_order[5] = { SD_QUEEN, SD_ROOK, SD_BISHOP, SD_KNIGHT, SD_PAWN };

/* A square behind one of the 8 symmetries: bit 0 turns files round, bit 1 ranks, bit 2 then exchanges the
 * two. */
static unsigned turned (unsigned turn, unsigned sq) {
  if (turn & 1)
    sq ^= 7;
  if (turn & 2)
    sq ^= 56;
  return turn & 4 ? (sq >> 3) | (sq & 7) << 3 : sq;
}

/* Tables by squares, the same for all endings. swapped: seen with colours exchanged, ranks turned round. */
static void squares_setup (sd_chess *c) {
  for (unsigned swapped = 0; swapped < 2; swapped++)
    for (unsigned turn = 0; turn < 8; turn++)
      for (unsigned sq = 0; sq < 64; sq++)
        c->turn[swapped][turn][sq] = (uint8_t) turned (turn, swapped ? sq ^ 56 : sq);
  for (unsigned a = 0; a < 64; a++) {
    c->line[0][a] = sd_bishop_attacks (a, 0);
    c->line[1][a] = sd_rook_attacks (a, 0);
    for (unsigned b = 0; b < 64; b++) {
      /* Each attacks up to the other one: both have the squares between. */
      if (c->line[0][a] & sd_bit (b))
        c->between[a][b] = sd_bishop_attacks (a, sd_bit (b)) & sd_bishop_attacks (b, sd_bit (a));
      if (c->line[1][a] & sd_bit (b))
        c->between[a][b] = sd_rook_attacks (a, sd_bit (b)) & sd_rook_attacks (b, sd_bit (a));
    }
  }
  for (unsigned a = 0; a < 64; a++)
    for (unsigned b = 0; b < 64; b++)
      for (unsigned behind = 0; behind < 64; behind++)
        c->beyond[a][b] |= (c->between[a][behind] >> b & 1) << behind;

  for (unsigned n = 0; n <= 64; n++) {
    c->choose[0][n] = 1;
    for (unsigned k = 1; k <= SD_CHESS_GROUPS; k++)
      c->choose[k][n] = n ? c->choose[k - 1][n - 1] + c->choose[k][n - 1] : 0;
  }
}

/* All sets of two and more equal men in the order of their numbers, so that decoding a state looks its
 * squares up; larger groups are computed (sd_chess_set). */
static int sets_setup (sd_chess *c, unsigned most, sd_error *err) {
  for (unsigned k = 2; k <= most && k <= SD_CHESS_LISTED; k++) {
    uint32_t n = c->choose[k][64];
    c->bytes += n * sizeof *c->set[k];
    c->set[k] = sd_alloc (n, sizeof *c->set[k]);
    if (!c->set[k])
      return sd_fail_memory (err, n * sizeof *c->set[k]);

    uint64_t set = sd_bit (k) - 1;
    for (uint32_t i = 0; i < n; i++) { /* rising as numbers is rising in colexicographic rank */
      c->set[k][i] = set;
      /* The next larger number with as many bits. */
      uint64_t low = set & -set, up = set + low;
      set = up | ((set ^ up) >> 2) / low;
    }
  }
  return SD_OK;
}

/* The numbering of indexer.c: White's king in a1-d1-d4, or on files a-d with pawns; Black's below or on the
 * diagonal if White's is on it. */
static void kings_setup (sd_chess_kings *k, bool pawns) {
  uint16_t number[64][64];
  memset (number, 0xff, sizeof number);
  k->n = 0;
  for (unsigned a = 0; a < 64; a++)
    for (unsigned b = 0; b < 64; b++) {
      unsigned f = a & 7, r = a >> 3;
      /* One pair of all that symmetries make alike. */
      if (f > 3 || (!pawns && (r > f || (r == f && b >> 3 > (b & 7)))))
        continue;
      if (a == b || (sd_king_attacks (a) & sd_bit (b)))
        continue;
      k->square[k->n][0] = (uint8_t) a;
      k->square[k->n][1] = (uint8_t) b;
      number[a][b] = (uint16_t) k->n++;
    }
  for (unsigned a = 0; a < 64; a++)
    for (unsigned b = 0; b < 64; b++) {
      sd_chess_home *h = &k->at[a][b];
      *h = (sd_chess_home){ .digit = SD_CHESS_NO_PAIR };
      /* The first turn that brings the pair home; ties are settled by the other men. */
      for (unsigned turn = 0; turn < (pawns ? 2 : 8) && h->digit == SD_CHESS_NO_PAIR; turn++) {
        unsigned x = turned (turn, a), y = turned (turn, b);
        h->digit = number[x][y];
        h->turn = (uint8_t) turn;
        h->tie = !pawns && x >> 3 == (x & 7) && y >> 3 == (y & 7);
      }
    }
}

/* Groups in the order of the name, with strides as the generator's layout has them. rising: their numbers by
 * stride. Returns the stride of the kings. */
static uint64_t groups_setup (const sd_chess *c, const sd_material *m, sd_chess_group *group,
                              uint8_t rising[SD_CHESS_GROUPS], unsigned *ngroups) {
  sd_layout layout;
  unsigned n = 0, k = 0;

  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned i = 0; i < 5; i++) {
      unsigned type = name_order[i], count = m->count[colour][type];
      if (count == 0)
        continue;
      /* Pawns have 48 squares. */
      bool pawn = type == SD_PAWN;
      uint64_t radix = c->choose[count][pawn ? 48 : 64];
      group[n++] = (sd_chess_group){ .colour = (uint8_t) colour,
                                     .type = (uint8_t) type,
                                     .count = (uint8_t) count,
                                     .low = pawn ? 8 : 0,
                                     .radix = radix,
                                     .inverse = UINT64_MAX / radix + 1 };
    }

  uint64_t stride = 1; /* with 7 men the product is below 2^43 */
  sd_layout_kings_first (m, &layout);
  for (unsigned i = layout.ngroups; i-- > 1;) {
    unsigned g = 0;
    while (group[g].colour != layout.group[i].colour || group[g].type != layout.group[i].type)
      g++;
    rising[k++] = (uint8_t) g;
    group[g].stride = stride;
    stride *= group[g].radix;
  }
  *ngroups = n;
  return stride;
}

/* promoted SD_PAWN: nothing is promoted; captured SD_KING: nothing is taken. false: no such move, or it
 * leaves two kings alone. */
bool sd_chess_conversion (const sd_material *from, unsigned mover, unsigned promoted, unsigned captured,
                          sd_chess_reached *out) {
  sd_material m = *from;
  if (promoted != SD_PAWN) {
    if (m.count[mover][SD_PAWN] == 0 || captured == SD_PAWN) /* no pawn stands on the last rank */
      return false;
    m.count[mover][SD_PAWN]--;
    m.count[mover][promoted]++;
  }
  if (captured != SD_KING) {
    if (m.count[1 - mover][captured] == 0)
      return false;
    m.count[1 - mover][captured]--;
  } else if (promoted == SD_PAWN)
    return false;
  /* Two kings are drawn, and have no values to look up. */
  if (sd_material_men (&m) == 2)
    return false;

  const unsigned stm = 1 - mover;
  out->swapped = sd_material_canonical (&m, &out->material);
  /* Equal material is stored with White to move. */
  if (sd_material_symmetric (&out->material))
    out->swapped = stm == SD_BLACK;
  out->side = stm ^ out->swapped;
  return true;
}

/* How `mover` gets from the ending to what it is after a conversion. */
static int child_setup (sd_chess *c, unsigned mover, unsigned promoted, unsigned captured, sd_error *err) {
  sd_chess_reached to;
  sd_chess_child *k = &c->child[mover][promoted][captured];

  /* What neither takes nor promotes is the move of a pawn to another part. */
  const unsigned step = (captured < SD_KING ? SD_STEP_CAPTURE : 0)
                        | (promoted > SD_PAWN ? SD_STEP_PROMOTION | SD_STEP_PAWN : 0)
                        | (captured == SD_KING && promoted == SD_PAWN ? SD_STEP_PAWN : 0);
  k->ends = (step & c->counts_from) != 0;
  if (!c->values || !sd_chess_conversion (&c->material, mover, promoted, captured, &to))
    return SD_OK;

  k->swapped = to.swapped;
  SD_TRY (sd_values_in_blocks (c->values, &to.material, to.side, &k->values, err));
  k->kings = &c->kings_of[sd_material_has_pawns (&to.material)];
  uint8_t rising[SD_CHESS_GROUPS];
  unsigned n;
  k->kings_stride = groups_setup (c, &to.material, k->group, rising, &n);
  k->ngroups = (uint8_t) n;
  /* Groups are those of the sub-ending, in the colours of this one. */
  for (unsigned g = 0; g < n; g++)
    k->group[g].colour ^= k->swapped;
  if (k->kings_stride * k->kings->n != k->values->n)
    return sd_fail (err, SD_EINVAL, "a sub-ending is not in the generator's layout");
  return SD_OK;
}

/* No side to move has more moves, nor more un-moves with the states that en-passant rights add; the weights
 * of symmetric positions (chess_init.c) add at most one for each square of the diagonal that one piece can
 * reach. */
static void bounds_setup (const sd_chess *c, sd_game *g) {
  static const uint8_t reach[5] = { 12, 8, 13, 14, 27 }; /* by type; pawn: 3 targets with 4 promotions */
  for (unsigned colour = 0; colour < 2; colour++) {
    /* The king's, and what symmetry may add. */
    unsigned moves = 8 + 4, preds = 8;
    for (unsigned type = 0; type < 5; type++) {
      moves += c->material.count[colour][type] * reach[type];
      preds += c->material.count[colour][type] * (type == SD_PAWN ? 2 : reach[type]);
    }
    preds *= 1 + (c->has_ep ? c->material.count[1 - colour][SD_PAWN] : 0u);
    if (moves > g->max_moves)
      g->max_moves = moves;
    if (preds > g->max_preds)
      g->max_preds = preds;
  }
}

static void chess_free (sd_chess *c) {
  if (!c)
    return;
  for (unsigned i = 0; i <= SD_CHESS_LISTED; i++)
    free (c->set[i]);
  for (unsigned side = 0; side < 2; side++) {
    free (c->ep_number[side]);
    free (c->ep[side]);
  }
  free (c->parts.placement);
  free (c->parts.spot);
  free (c);
}

static int chess_setup (sd_chess *c, const sd_material *m, sd_error *err) {
  sd_material canonical;
  unsigned most = 0;

  sd_material_name (m, c->name);
  if (sd_material_men (m) > SD_MAX_MEN
      || (sd_material_canonical (m, &canonical) && !sd_material_symmetric (m)))
    return sd_fail (err, SD_EINVAL, "the ending must have at most %d men and the stronger side first",
                    SD_MAX_MEN);
  c->material = *m;
  c->bytes = sizeof *c;
  c->nsides = sd_material_symmetric (m) ? 1 : 2;
  c->has_pawns = sd_material_has_pawns (m);
  c->has_ep = m->count[SD_WHITE][SD_PAWN] && m->count[SD_BLACK][SD_PAWN];

  /* The numbers of combinations are needed below. */
  squares_setup (c);
  kings_setup (&c->kings_of[0], false);
  kings_setup (&c->kings_of[1], true);
  c->kings = &c->kings_of[c->has_pawns];
  c->kings_stride = groups_setup (c, m, c->group, c->rising, &c->ngroups);
  c->n = c->kings_stride * c->kings->n;

  c->small = c->n <= UINT32_MAX;
  c->inner = 1;
  for (unsigned g = 0; g < c->ngroups; g++) {
    const sd_chess_group *x = &c->group[g];
    if (x->type != SD_PAWN) {
      c->npieces++;
      c->inner *= x->radix;
    }
    c->first_group[x->colour + 1] = g + 1;
    if (x->type == SD_PAWN)
      c->pawns[x->colour] = g;
    if (x->count > most)
      most = x->count;
  }
  /* Black has the king alone. */
  if (c->first_group[2] < c->first_group[1])
    c->first_group[2] = c->first_group[1];

  SD_TRY (sets_setup (c, most, err));
  SD_TRY (sd_chess_parts_setup (c, err));
  c->pawns_stay = c->parts.used && !c->values;
  SD_TRY (sd_chess_ep_setup (c, err));
  for (unsigned mover = 0; mover < 2; mover++)
    for (unsigned promoted = SD_PAWN; promoted <= SD_QUEEN; promoted++)
      for (unsigned captured = SD_PAWN; captured <= SD_KING; captured++)
        SD_TRY (child_setup (c, mover, promoted, captured, err));
  return SD_OK;
}

/* Between batches of init: within the budget. Afterwards some stays for the endings to come, too little to be
 * felt beside the records of a large one. */
static void chess_tidy (const void *ctx, bool over) {
  const sd_chess *c = ctx;
  if (!c->values)
    return;
  const uint64_t budget = sd_values_budget (c->values);
  const bool rest = over && !c->keeps && budget > SD_CHESS_KEEP;
  sd_values_trim (c->values, rest ? SD_CHESS_KEEP : budget);
  if (rest) /* else what is free stays with this process, beside the records of parts that need less */
    sd_memory_back ();
}

void sd_chess_game_of (sd_chess *c, sd_game *out) {
  *out = (sd_game){ .name = c->name,
                    .ctx = c,
                    .nstates = c->nstates,
                    .block = c->kings_stride,
                    .bytes = c->bytes,
                    .init = sd_chess_init,
                    .preds = sd_chess_preds,
                    .succs = sd_chess_succs,
                    .tidy = chess_tidy,
                    .loss_delay = c->anew ? 3 : 0 }; /* wins and losses may take any number of plies */
  const sd_chess_group *x = &c->group[c->rising[0]];
  const bool rows = !c->by_parts || c->npieces; /* else the pawns stay where they are in all states */
  if (rows)
    out->preds_of_run = sd_chess_preds_of_run;
  if (rows && x->count == 1) { /* chess_row.h */
    out->row = (unsigned) x->radix;
    if (c->nsides == 1)
      out->run_stride = (unsigned) (x - c->first_group[1])->stride;
  }
  bounds_setup (c, out);
}

int sd_chess_game_new (sd_values *values, const sd_material *m, sd_game *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  sd_chess *c = calloc (1, sizeof *c);
  if (!c)
    return sd_fail_memory (err, sizeof *c);
  c->values = values;
  const enum sd_metric metric = values ? sd_values_metric (values) : SD_USUAL_EXACT;
  c->anew = sd_metric_counts_anew (metric);
  c->limit = sd_metrics[metric].limit;
  c->counts_from = sd_metrics[sd_metrics[metric].exact].counts_from;
  int st = chess_setup (c, m, err);
  if (st != SD_OK) {
    if (err)
      sd_error_prefix (err, "%s", c->name);
    chess_free (c);
    return st;
  }

  sd_chess_game_of (c, out);
  if (c->parts.used) {
    out->parts = c->parts.n;
    out->read_states = c->nsides * c->n;
    out->part = sd_chess_part;
    out->part_states = sd_chess_part_states;
    out->part_free = sd_chess_part_free;
    out->read_parts = sd_chess_read_parts;
  }
  return SD_OK;
}

void sd_chess_game_free (sd_game *g) {
  if (!g)
    return;
  chess_free (g->ctx);
  memset (g, 0, sizeof *g);
}
