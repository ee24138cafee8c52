/* root.c - all moves of a position, the best first: by plies to mate, or under the 50-move rule.
 *
 * The ranks under the rule are those that engines know from Fathom (tb_probe_root_dtz, tb_probe_root_wdl), so
 * that an engine filters the same moves with either. A move that zeroes the clock is worth what WDL50 says of
 * what it leads to; of any other the plies of the position behind it count, and the clock goes on. */
#include "config.h"
#include "engine/engine_internal.h"

/* Behind what a move leads to. */
typedef struct around {
  const sd_prober *prober;
  const sd_pos *p;
  unsigned clock;
  bool repeated;
} around;

/* What the move, which leads to child, is worth in one of the orders; a status of the library. */
typedef int look (const around *a, const sd_move *move, const sd_pos *child, sd_prober_move *out);

static int by_dtm (const around *a, const sd_move *move, const sd_pos *child, sd_prober_move *out) {
  sd_value v;
  (void) move;
  SD_TRY (sd_probe_legal (a->prober->tables, SD_DTM, child, &v, NULL));
  out->wdl = (int8_t) -sd_value_wdl (v);
  out->dtm = (int16_t) (v == 0 ? 0 : sd_prober_plies (v) + 1);
  return SD_OK;
}

static int by_wdl (const around *a, const sd_move *move, const sd_pos *child, sd_prober_move *out) {
  sd_value v;
  (void) move;
  SD_TRY (sd_probe_legal (a->prober->tables, SD_WDL, child, &v, NULL));
  out->wdl = (int8_t) -v;
  return SD_OK;
}

static bool zeroes (const sd_move *m) {
  return m->piece == SD_PAWN || m->captured != SD_NO_PIECE || m->en_passant;
}

/* Signed plies of the mover from before the move on, above SD_RULE_PLIES where the rule makes a draw of it.
 */
static int plies_from_root (const around *a, const sd_move *move, const sd_pos *child, int *out) {
  static const int at_once[] = { -1, -(SD_RULE_PLIES + 1), 0, SD_RULE_PLIES + 1, 1 };
  sd_value v;
  if (zeroes (move)) {
    SD_TRY (sd_probe_legal (a->prober->tables, SD_WDL50, child, &v, NULL));
    *out = at_once[2 - v];
    return SD_OK;
  }
  SD_TRY (sd_probe_legal (a->prober->tables, SD_DTZ50, child, &v, NULL));
  *out = v == 0 ? 0 : v < 0 ? sd_prober_plies (v) + 1 : -(sd_prober_plies (v) + 1);
  return SD_OK;
}

/* Wins that are sure rank equally, and so do losses unless a draw by the rule is in sight. */
static int rank_of_plies (const around *a, int plies) {
  const int with_clock = (plies < 0 ? -plies : plies) + (int) a->clock;
  if (plies > 0)
    return with_clock < SD_RULE_PLIES && !a->repeated ? SD_PROBER_SURE : SD_PROBER_SURE - with_clock;
  if (plies < 0)
    return -2 * plies + (int) a->clock < SD_RULE_PLIES ? -SD_PROBER_SURE : -SD_PROBER_SURE + with_clock;
  return 0;
}

static int by_dtz50 (const around *a, const sd_move *move, const sd_pos *child, sd_prober_move *out) {
  int plies;
  SD_TRY (plies_from_root (a, move, child, &plies));
  const int far = plies < 0 ? -plies : plies, sign = (plies > 0) - (plies < 0);
  out->dtz50 = (int16_t) far;
  out->wdl = (int8_t) sign;
  out->wdl50 = (int8_t) (far + (int) a->clock > SD_RULE_PLIES ? sign : 2 * sign);
  out->rank = (int16_t) rank_of_plies (a, plies);
  return SD_OK;
}

static int by_wdl50 (const around *a, const sd_move *move, const sd_pos *child, sd_prober_move *out) {
  static const int16_t rank[] = { -SD_PROBER_SURE, -899, 0, 899, SD_PROBER_SURE };
  sd_value v;
  (void) move;
  SD_TRY (sd_probe_legal (a->prober->tables, SD_WDL50, child, &v, NULL));
  out->wdl50 = (int8_t) -v;
  out->wdl = (int8_t) ((v < 0) - (v > 0));
  out->rank = rank[2 - v];
  return SD_OK;
}

/* ------------------------------------------------------------------- order */

/* Of moves that rank equally a win that comes sooner is better, and a loss that comes later; the measure is 0
 * where it is not known. */
static int sooner (int wdl, int plies) {
  return plies < 0 ? 0 : wdl > 0 ? -plies : wdl < 0 ? plies : 0;
}

static bool comes_before (const sd_prober_move *a, const sd_prober_move *b) {
  if (a->rank != b->rank)
    return a->rank > b->rank;
  if (a->wdl != b->wdl)
    return a->wdl > b->wdl;
  const int x = sooner (a->wdl, a->dtm) + sooner (a->wdl, a->dtz50),
            y = sooner (b->wdl, b->dtm) + sooner (b->wdl, b->dtz50);
  return x != y ? x > y : a->from != b->from ? a->from < b->from : a->to < b->to;
}

static void insert (sd_prober_move *moves, unsigned n, const sd_prober_move *one) {
  for (; n > 0 && comes_before (one, &moves[n - 1]); n--)
    moves[n] = moves[n - 1];
  moves[n] = *one;
}

/* All moves, the best first. A status of the library. */
static int rank_moves (const around *a, look *one_move, sd_prober_move *moves, unsigned *n) {
  static const char letter[] = { 0, 'n', 'b', 'r', 'q' };
  sd_move list[SD_MAX_MOVES];
  const unsigned count = sd_moves (a->p, SD_MOVES_ALL, list);
  for (unsigned i = 0; i < count; i++) {
    sd_pos child;
    sd_prober_move one = { .dtm = -1,
                           .dtz50 = -1,
                           .wdl50 = SD_PROBER_UNKNOWN,
                           .from = list[i].from,
                           .to = list[i].to,
                           .promotion = list[i].promotion == SD_NO_PIECE ? '\0' : letter[list[i].promotion] };
    sd_pos_apply (a->p, &list[i], &child);
    SD_TRY (one_move (a, &list[i], &child, &one));
    sd_move_name (&list[i], one.uci);
    insert (moves, i, &one);
  }
  *n = count;
  return SD_OK;
}

/* By the first of two looks, or the second where tables are missing or damaged for the first. */
static int rank_by (const sd_prober *prober, const sd_prober_position *pos, int repeated, look *first,
                    look *second, sd_prober_move *moves, unsigned *n) {
  sd_pos p;
  if (!prober || !pos || !moves || !n)
    return SD_PROBER_ARGUMENT;
  *n = 0;
  int st = sd_prober_pos (pos, &p);
  if (st != SD_PROBER_OK)
    return st;
  if (sd_prober_crowded (&p))
    return SD_PROBER_MEN;
  if (p.ep != SD_NO_SQUARE && !(sd_ep_squares (&p) >> p.ep & 1))
    p.ep = SD_NO_SQUARE;
  const around a = { prober, &p, pos->clock, repeated != 0 };
  const int fine = rank_moves (&a, first, moves, n);
  st = fine == SD_OK || first == second ? fine : rank_moves (&a, second, moves, n);
  if (st == SD_ENOENT
      && fine != SD_ENOENT) /* the tables of the first are there, which say more of what is wrong */
    st = fine;
  return st == SD_OK ? SD_PROBER_OK : sd_prober_failed (&p, st);
}

int sd_prober_root (const sd_prober *prober, const sd_prober_position *pos, sd_prober_move *moves,
                    unsigned *n) {
  return rank_by (prober, pos, 0, by_dtm, by_wdl, moves, n);
}

int sd_prober_root_wdl50 (const sd_prober *prober, const sd_prober_position *pos, sd_prober_move *moves,
                          unsigned *n) {
  return rank_by (prober, pos, 0, by_wdl50, by_wdl50, moves, n);
}

int sd_prober_root_dtz50 (const sd_prober *prober, const sd_prober_position *pos, int repeated,
                          sd_prober_move *moves, unsigned *n) {
  return rank_by (prober, pos, repeated, by_dtz50, by_dtz50, moves, n);
}
