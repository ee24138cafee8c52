/* Where the conversions of a row lead. The place in the sub-ending is a sum over its groups, in which only
 * the piece that varies changes from square to square; where X itself captures, nothing does, and the value
 * is looked up once a row. A way is made when it is first asked for, since most rows have few of the
 * conversions that there could be; n->known and its like say which are there. */
#include "config.h"
#include "gen/games/chess/chess_row_count.h"

/* The way of a conversion that has been made in p but for a piece (colour, type) that varies; SD_KING: none.
 */
static void way_make (const sd_chess *c, const sd_chess_child *k, const sd_chess_place *p, unsigned colour,
                      unsigned type, sd_chess_way *w) {
  *w = (sd_chess_way){ .child = k };
  if (!k->values)
    return;
  /* The sub-ending's own White: colours change where its name has them the other way round. */
  unsigned white = p->king[0], black = p->king[1];
  if (k->swapped) {
    white = p->king[1] ^ 56;
    black = p->king[0] ^ 56;
  }

  const sd_chess_home *home = &k->kings->at[white][black];
  /* With both kings on its diagonal a position has two slots, of which the smaller one holds the value. */
  w->n = 1 + home->tie;
  for (unsigned i = 0; i < w->n; i++) {
    const uint8_t *turn = c->turn[k->swapped][home->turn ^ (i ? SD_CHESS_MAIN : 0)];
    uint64_t sum = home->digit * k->kings_stride;
    for (unsigned g = 0; g < k->ngroups; g++) {
      const sd_chess_group *x = &k->group[g];
      const uint64_t set = p->by[x->colour][x->type];
      if (x->colour == colour && x->type == type) {
        w->group = x;
        w->fellows = set;
      } else
        sum += sd_chess_digit_turned (c, x, turn, set) * x->stride;
    }
    w->base[i] = sum;
    w->turn[i] = turn;
  }
}

/* Our man number `mover`, or the king, takes their man number `captured`; X stays, and varies. */
const sd_chess_way *sd_chess_capture_way (sd_chess_row_count *n, unsigned mover, unsigned captured) {
  sd_chess_way *w = &n->way[mover][captured];
  if (n->known[mover] >> captured & 1)
    return w;
  n->known[mover] |= 1u << captured;
  sd_chess_place p = n->r.p;
  const sd_chess_man *t = &n->theirs[captured];
  p.by[n->them][t->type] ^= sd_bit (t->square);
  if (mover == SD_CHESS_ITS_KING)
    p.king[n->us] = t->square;
  else
    p.by[n->us][n->ours[mover].type] ^= sd_bit (n->ours[mover].square) | sd_bit (t->square);
  way_make (n->c, &n->c->child[n->us][SD_PAWN][t->type], &p, n->r.x->colour, n->r.x->type, w);
  return w;
}

/* Our man takes X, wherever that stands: the mover's own square is then the one that varies. */
const sd_chess_way *sd_chess_capture_x_way (sd_chess_row_count *n, unsigned mover) {
  sd_chess_way *w = &n->way[mover][SD_CHESS_X];
  if (n->known[mover] >> SD_CHESS_X & 1)
    return w;
  n->known[mover] |= 1u << SD_CHESS_X;
  sd_chess_place p = n->r.p;
  const sd_chess_man *m = &n->ours[mover];
  p.by[n->us][m->type] ^= sd_bit (m->square);
  way_make (n->c, &n->c->child[n->us][SD_PAWN][n->r.x->type], &p, n->us, m->type, w);
  return w;
}

/* Our pawn becomes `promoted` on the square before it; X stays, and varies. */
const sd_chess_way *sd_chess_push_way (sd_chess_row_count *n, unsigned mover, unsigned to,
                                       unsigned promoted) {
  sd_chess_way *w = &n->push[mover][promoted];
  sd_chess_man *m = &n->ours[mover];
  if (m->pushes >> promoted & 1)
    return w;
  m->pushes |= 1u << promoted;
  sd_chess_place p = n->r.p;
  p.by[n->us][SD_PAWN] ^= sd_bit (m->square);
  p.by[n->us][promoted] ^= sd_bit (to);
  way_make (n->c, &n->c->child[n->us][promoted][SD_KING], &p, n->r.x->colour, n->r.x->type, w);
  return w;
}

/* X itself is the pawn: what it becomes is the piece that varies. */
const sd_chess_way *sd_chess_x_push_way (sd_chess_row_count *n, unsigned promoted) {
  sd_chess_way *w = &n->x_push[promoted];
  if (!(n->x_pushes >> promoted & 1))
    way_make (n->c, &n->c->child[n->us][promoted][SD_KING], &n->r.p, n->us, promoted, w);
  n->x_pushes |= 1u << promoted;
  return w;
}

/* X takes their man: X then stands on his square, so that nothing varies and one value serves all of the
 * row. */
sd_value sd_chess_x_captures (sd_chess_row_count *n, unsigned captured) {
  if (!(n->x_known >> captured & 1)) {
    n->x_known |= 1u << captured;
    sd_chess_way w;
    sd_chess_place p = n->r.p;
    const sd_chess_man *t = &n->theirs[captured];
    p.by[n->them][t->type] ^= sd_bit (t->square);
    p.by[n->us][n->r.x->type] ^= sd_bit (t->square);
    way_make (n->c, &n->c->child[n->us][SD_PAWN][t->type], &p, 0, SD_KING, &w);
    n->x_value[captured] = sd_chess_way_value (n->c, &w, 0);
  }
  return n->x_value[captured];
}
