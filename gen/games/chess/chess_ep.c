/* En-passant states of the chess game: which there are, their numbers, who may capture.
 *
 * Idea: tables hold no en-passant rights, yet a double step must be valued with the capture that answers it
 * (Syzygy). So a position in which the right can be used is a state of its own while the ending is solved. It
 * has the moves of the plain position and the captures as conversions, and a single kind of predecessor, the
 * double step. Such states are few: of the pawns' placements only those with the pair side by side are
 * numbered (KPvKP: 14 of 2304). */
#include "config.h"
#include "gen/games/chess/chess_internal.h"

/* The pawns of the side to move that may take the one pushed on this file: none if it stands elsewhere, was
 * not free to come, or each capture would leave the own king in check. */
uint64_t sd_chess_ep_capturers (const sd_chess *c, const sd_chess_place *p, unsigned file) {
  const unsigned us = p->stm, them = 1 - us;
  const sd_chess_push push = sd_chess_push_of (them, file);
  const uint64_t occ = p->occ[0] | p->occ[1];

  if (!(p->by[them][SD_PAWN] & sd_bit (push.pushed)) || (occ & (sd_bit (push.behind) | sd_bit (push.origin))))
    return 0;

  uint64_t legal = 0;
  uint64_t from = sd_pawn_attacks (them, push.behind) & p->by[us][SD_PAWN];
  for (; from; from &= from - 1) {
    const uint64_t pawn = from & -from;
    const uint64_t after = (occ ^ pawn ^ sd_bit (push.pushed)) | sd_bit (push.behind);
    bool check = false;
    for (unsigned g = c->first_group[them]; g < c->first_group[them + 1]; g++) {
      uint64_t pieces = p->by[them][c->group[g].type] & after;
      for (; pieces; pieces &= pieces - 1)
        check |= (sd_attacks (them, c->group[g].type, sd_lowest (pieces), after) & sd_bit (p->king[us])) != 0;
    }
    if (!check)
      legal |= pawn;
  }
  return legal;
}

/* Behind all plain states: by side, then by the other men, then by the numbered placements of pawns. The
 * right must be usable. */
sd_state sd_chess_ep_state (const sd_chess *c, const sd_chess_place *p, unsigned file) {
  const sd_chess_home *home = &c->kings->at[p->king[0]][p->king[1]];
  const uint8_t *turn = c->turn[0][home->turn];
  uint64_t i = home->digit * c->ep_kings_stride;
  uint32_t digit[2] = { 0, 0 };

  for (unsigned g = 0; g < c->ngroups; g++) {
    const sd_chess_group *x = &c->group[g];
    uint64_t d = sd_chess_digit_turned (c, x, turn, p->by[x->colour][x->type]);
    if (x->type == SD_PAWN)
      digit[x->colour] = (uint32_t) d;
    else
      i += d * x->ep_stride;
  }

  const unsigned seen = turn[file]; /* a1-h1 stay on their rank: pawns allow left-right mirroring only */
  const unsigned files = sd_chess_ep_files (1 - p->stm, sd_chess_turned (turn, p->by[SD_WHITE][SD_PAWN]),
                                            sd_chess_turned (turn, p->by[SD_BLACK][SD_PAWN]));
  const unsigned below = (unsigned) __builtin_popcount (files & ((1u << seen) - 1));
  const uint64_t number = c->ep_number[p->stm][digit[0] * c->group[c->pawns[1]].radix + digit[1]];
  return c->ep_first[p->stm] + i * c->ep_count[p->stm] + number + below;
}

/* Placements of both sides' pawns with a possible right of `side`, each as often as it has files: the pawn
 * that was pushed, two squares behind it that are empty, and of the one or two beside it at least one with a
 * pawn of `side`. The pushed pawn's fellows may stand on some of these first (j). */
static uint64_t count_rights (const sd_chess *c, unsigned side) {
  enum { FREE = 48 - 3 }; /* squares of pawns but the pushed one's and those behind it */
  const unsigned fellows = c->group[c->pawns[1 - side]].count - 1u, ours = c->group[c->pawns[side]].count;
  const unsigned left = FREE - fellows;
  uint64_t n = 0;
  for (unsigned file = 0; file < 8; file++) {
    const unsigned beside = file == 0 || file == 7 ? 1 : 2;
    for (unsigned j = 0; j <= beside && j <= fellows; j++)
      n += (uint64_t) c->choose[j][beside] * c->choose[fellows - j][FREE - beside]
           * (c->choose[ours][left] - c->choose[ours][left - (beside - j)]);
  }
  return n;
}

/* Number the placements of both sides' pawns with a possible right. */
static void number_pawns (const sd_chess *c, unsigned side, uint32_t *number, sd_chess_ep *ep) {
  const sd_chess_group *white = &c->group[c->pawns[0]], *black = &c->group[c->pawns[1]];
  uint64_t n = 0;
  for (uint32_t w = 0; w < white->radix; w++) {
    uint64_t white_set = sd_chess_set (c, white->count, w) << white->low;
    for (uint32_t b = 0; b < black->radix; b++) {
      uint64_t black_set = sd_chess_set (c, black->count, b) << black->low;
      unsigned files = white_set & black_set ? 0 : sd_chess_ep_files (1 - side, white_set, black_set);
      number[w * black->radix + b] = (uint32_t) n;
      for (; files; files &= files - 1)
        ep[n++] = (sd_chess_ep){ { w, b }, (uint8_t) __builtin_ctz (files) };
    }
  }
}

/* The tables of one side. */
static int list_rights (sd_chess *c, unsigned side, uint64_t pairs, sd_error *err) {
  c->ep_number[side] = sd_alloc (pairs, sizeof *c->ep_number[side]);
  c->ep[side] = sd_alloc (c->ep_count[side], sizeof *c->ep[side]);
  if (!c->ep_number[side] || !c->ep[side])
    return sd_fail_memory (err, pairs * sizeof *c->ep_number[side]);
  number_pawns (c, side, c->ep_number[side], c->ep[side]);
  return SD_OK;
}

int sd_chess_ep_setup (sd_chess *c, sd_error *err) {
  uint64_t end = c->nsides * c->n;
  c->ep_first[0] = c->ep_first[1] = c->ep_first[2] = c->nstates = end;
  if (!c->has_ep)
    return SD_OK;
  c->ep_kings_stride = 1;
  for (unsigned g = c->ngroups; g-- > 0;)
    if (c->group[g].type != SD_PAWN) {
      c->group[g].ep_stride = c->ep_kings_stride;
      c->ep_kings_stride *= c->group[g].radix;
    }
  for (unsigned side = 0; side < c->nsides; side++) {
    const uint64_t n = count_rights (c, side),
                   pairs = c->group[c->pawns[0]].radix * c->group[c->pawns[1]].radix;
    c->ep_count[side] = (uint32_t) n; /* 7 men: at most 17296 * 1128 * 3 */
    c->bytes += pairs * sizeof *c->ep_number[side] + n * sizeof *c->ep[side];
    if (c->pawns_stay) /* a survey of the parts, which have no such states */
      continue;
    if (c->values)
      SD_TRY (list_rights (c, side, pairs, err));
    end += c->ep_kings_stride * c->kings->n * n;
    c->ep_first[side + 1] = end;
  }
  c->ep_first[2] = c->nstates = end;
  c->has_ep = c->values != NULL;
  return SD_OK;
}
