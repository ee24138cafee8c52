/* An ending with pawns by parts, so that only some of its states are in memory at a time: a part has the
 * states whose pawns have so many steps before them, and where an ending with a single pawn is large, so far
 * from the edge, unless it promotes next. A pawn's move leads to the part with a step less, a double step to
 * the one before that, and these are solved: such a move is a conversion whose value is looked up, and a
 * double step is worth what it is with the capture in passing that answers it. So a part has no states with
 * a right to capture.
 *
 * A part is numbered as the ending is (chess_internal.h), but that the pawns are one digit: the placements of
 * the part, in the order that they have in the ending. Kings stand above the pawns, all other pieces below.
 *
 * Every part decodes the values that it needs of the sub-endings, whose blocks hold all placements of pawns
 * and of what these become. The endings after a promotion are the largest, so that all files of a single pawn
 * that promotes are one part: of KRPvKR 3,818 blocks are decoded, and 15,006 where each file is a part.
 * So an ending with several pawns is solved in one piece, unless its records take more than 4 GiB, or pawn
 * moves count anew.
 *
 * Cost: 12 bytes a placement of the pawns, and some 10 ns for each of these. */
#include "config.h"
#include "gen/games/chess/chess_internal.h"
#include <stdlib.h>
#include <string.h>

enum {
  FILES = 4,      /* a-d, those that the board's symmetry tells apart */
  LARGE = 1 << 27 /* states from which a single pawn's files are parts of their own */
};
#define SEVERAL ((uint64_t) 1 << 31) /* states from which several pawns are solved by parts */

static unsigned pawns_of (const sd_chess *c) {
  return c->material.count[SD_WHITE][SD_PAWN] + c->material.count[SD_BLACK][SD_PAWN];
}

/* The steps before the pawns of `side`. */
static unsigned steps_of (unsigned side, uint64_t pawns) {
  unsigned n = 0;
  for (; pawns; pawns &= pawns - 1)
    n += side == SD_WHITE ? 6 - (sd_lowest (pawns) >> 3) : (sd_lowest (pawns) >> 3) - 1;
  return n;
}

/* The part of a placement, or SD_CHESS_NO_PART. Mirroring the board, and exchanging equal sides, changes
 * neither the steps nor how far the pawn is from the edge. */
static unsigned part_of (const sd_chess *c, uint64_t white, uint64_t black) {
  if (white & black)
    return SD_CHESS_NO_PART;
  const unsigned steps = steps_of (SD_WHITE, white) + steps_of (SD_BLACK, black);
  const unsigned file = sd_lowest (white | black) & 7;
  return c->parts.by_file && steps ? 1 + (steps - 1) * FILES + (file < FILES ? file : 7 - file) : steps;
}

/* The squares of the pawns of `side` in a placement. */
static uint64_t pawns_at (const sd_chess *c, unsigned side, uint64_t placement) {
  if (c->material.count[side][SD_PAWN] == 0)
    return 0;
  const sd_chess_group *x = &c->group[c->pawns[side]];
  return sd_chess_set (c, x->count, (uint32_t) (placement / (x->stride / c->inner) % x->radix)) << x->low;
}

static int list_placements (sd_chess *c, sd_error *err) {
  sd_chess_parts *p = &c->parts;
  uint64_t next[SD_CHESS_PARTS];

  p->spot = sd_alloc (p->all, sizeof *p->spot);
  p->placement = sd_alloc (p->first[p->n], sizeof *p->placement);
  if (!p->spot || !p->placement)
    return sd_fail_memory (err, p->all * sizeof *p->spot);
  memcpy (next, p->first, sizeof next);
  for (uint64_t d = 0; d < p->all; d++) {
    const unsigned part = part_of (c, pawns_at (c, SD_WHITE, d), pawns_at (c, SD_BLACK, d));
    p->spot[d] = (sd_chess_spot){ .part = part };
    if (part == SD_CHESS_NO_PART)
      continue;
    p->spot[d].number = (uint32_t) (next[part] - p->first[part]);
    p->placement[next[part]++] = (uint32_t) d;
  }
  return SD_OK;
}

/* Placements by steps, square by square: each has no pawn, one of White's or one of Black's. */
static void count_by_steps (const sd_chess *c, uint64_t *count) {
  enum { MEN = SD_MAX_MEN - 1 };
  uint64_t n[MEN][MEN][SD_CHESS_PARTS] = { { { 1 } } };
  const unsigned white = c->material.count[SD_WHITE][SD_PAWN], black = c->material.count[SD_BLACK][SD_PAWN];
  for (unsigned sq = 8; sq < 56; sq++) {
    const unsigned of_white = steps_of (SD_WHITE, sd_bit (sq)), of_black = steps_of (SD_BLACK, sd_bit (sq));
    for (unsigned w = white + 1; w-- > 0;)
      for (unsigned b = black + 1; b-- > 0;)
        for (unsigned s = 0; s < SD_CHESS_PARTS; s++) {
          if (w && s >= of_white)
            n[w][b][s] += n[w - 1][b][s - of_white];
          if (b && s >= of_black)
            n[w][b][s] += n[w][b - 1][s - of_black];
        }
  }
  memcpy (count, n[white][black], sizeof n[white][black]);
}

int sd_chess_parts_setup (sd_chess *c, sd_error *err) {
  sd_chess_parts *p = &c->parts;
  uint64_t count[SD_CHESS_PARTS];

  if (!c->has_pawns)
    return SD_OK;
  p->all = c->kings_stride / c->inner;
  p->by_file = pawns_of (c) == 1 && c->nsides * c->n > LARGE;
  p->used = pawns_of (c) == 1 || c->nsides * c->n > SEVERAL || (c->counts_from & SD_STEP_PAWN);
  p->n = SD_CHESS_STEPS * pawns_of (c) * (p->by_file ? FILES : 1) + 1;
  if (p->by_file)
    for (unsigned k = 0; k < p->n; k++)
      count[k] = k ? 2 : 2 * FILES; /* a square and its mirror image */
  else
    count_by_steps (c, count);
  for (unsigned k = 0; k < p->n; k++)
    p->first[k + 1] = p->first[k] + count[k];
  c->bytes += p->all * sizeof *p->spot + p->first[p->n] * sizeof *p->placement;
  return c->values ? list_placements (c, err) : SD_OK;
}

static uint64_t placements_of (const sd_chess *c, unsigned part) {
  return c->parts.first[part + 1] - c->parts.first[part];
}

uint64_t sd_chess_part_states (const void *ctx, unsigned part) {
  const sd_chess *c = ctx;
  return c->nsides * c->kings->n * placements_of (c, part) * c->inner;
}

int sd_chess_part (const void *ctx, unsigned part, const sd_value *const *below, sd_game *out,
                   sd_error *err) {
  const sd_chess *whole = ctx;
  sd_chess *c = malloc (sizeof *c);

  if (!c)
    return sd_fail_memory (err, sizeof *c);
  *c = *whole; /* its tables stay those of the whole */
  c->kings = &whole->kings_of[1];
  c->by_parts = c->pawns_stay = true;
  c->below = below;
  c->placements = placements_of (c, part);
  c->placement = c->parts.placement + c->parts.first[part];
  c->kings_stride = c->placements * c->inner;
  c->n = c->kings_stride * c->kings->n;
  c->small = c->n <= UINT32_MAX;
  for (sd_chess_group *x = c->group; x < c->group + c->ngroups; x++)
    if (x->type == SD_PAWN)
      x->stride /= c->inner;
  c->keeps = pawns_of (c) > 1 && part + 1 < c->parts.n; /* the next part has a pawn before it promotes, too */
  c->has_ep = false;
  c->nstates = c->nsides * c->n;
  c->ep_first[0] = c->ep_first[1] = c->ep_first[2] = c->nstates;
  sd_chess_game_of (c, out);
  return SD_OK;
}

void sd_chess_part_free (sd_game *g) {
  free (g->ctx);
}

/* Of a part below. */
static const sd_value *row_at (const sd_chess *c, unsigned side, unsigned pair, uint64_t pawns) {
  const sd_chess_spot *at = &c->parts.spot[pawns];
  const uint64_t n = placements_of (c, at->part);
  return c->below[at->part] + ((side * c->kings->n + pair) * n + at->number) * c->inner;
}

sd_value sd_chess_below (const sd_chess *c, const sd_chess_place *p) {
  const bool swapped = c->nsides == 1; /* Black is to move, and White in what is stored */
  const unsigned white = swapped ? p->king[1] ^ 56u : p->king[0],
                 black = swapped ? p->king[0] ^ 56u : p->king[1];
  const sd_chess_home *home = &c->kings->at[white][black];
  const uint8_t *turn = c->turn[swapped][home->turn];
  uint64_t pawns = 0, pieces = 0;
  for (const sd_chess_group *x = c->group; x < c->group + c->ngroups; x++)
    *(x->type == SD_PAWN ? &pawns : &pieces) +=
        sd_chess_digit_turned (c, x, turn, p->by[x->colour ^ swapped][x->type]) * x->stride;
  return row_at (c, swapped ? 0 : p->stm, home->digit, pawns)[pieces];
}

const sd_value *sd_chess_row_below (const sd_chess *c, const sd_chess_place *p, uint64_t pieces) {
  uint64_t pawns = 0;
  for (const sd_chess_group *x = c->group; x < c->group + c->ngroups; x++)
    if (x->type == SD_PAWN)
      pawns += sd_chess_rank (c, p->by[x->colour][x->type] >> x->low, x->count) * x->stride;
  return row_at (c, 1u - p->stm, p->pair, pawns) + pieces;
}

void sd_chess_read_parts (const void *ctx, const sd_value *const *value, sd_state first, uint64_t n,
                          sd_value *out) {
  const sd_chess *c = ctx;
  uint64_t run;
  for (; n; n -= run, first += run, out += run) {
    const uint64_t pieces = first % c->inner, kings = first / c->inner / c->parts.all; /* and the side */
    const sd_chess_spot *at = &c->parts.spot[first / c->inner % c->parts.all];
    run = c->inner - pieces < n ? c->inner - pieces : n;
    if (at->part == SD_CHESS_NO_PART)
      for (uint64_t i = 0; i < run; i++)
        out[i] = SD_ILLEGAL;
    else
      memcpy (out, value[at->part] + (kings * placements_of (c, at->part) + at->number) * c->inner + pieces,
              run * sizeof *out);
  }
}
