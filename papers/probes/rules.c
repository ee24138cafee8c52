/* rules.c - all values of Fathom's interface under the 50-move rule, by Fathom and by <subdef/fathom.h>, for
 * the same random positions, with clocks from 0 to 100, with and without a repetition, with and without the
 * rule. rules SYZYGY POSITIONS SEED NAME=PATH ENDING... NAME=PATH ENDING... SYZYGY: folders of .rtbw and
 * .rtbz files, for Fathom; PATH: those of ours for the endings behind it, Syzygy's files or tables of this
 * project (WDL50, DTZ50); NAME is what the column `tables` calls them. A row of CSV for each ending: how many
 * positions have another result (wdl), another answer of tb_probe_root (root), another list of moves with
 * results and plies (moves), other ranks or scores by DTZ or by WDL. rounded: positions where plies of ours
 * are one more than Fathom's, which reads files that are rounded; ranks of such moves are not compared. 1 at
 * the end if anything else differs, 2 if a probe fails. */
#include "calls.h"
#include "positions.h"
#include <string.h>

typedef struct counts {
  unsigned passant, wdl, root, moves, dtz_ranks, wdl_ranks, rounded;
} counts;

/* Plies of ours that Fathom's files may have rounded to `theirs`. */
static bool is_rounded (unsigned ours, unsigned theirs) {
  return ours == theirs + 1;
}

/* Does the move that is suggested keep the result, with as many plies as are told? Rounded ones are one off.
 */
static bool suggests (const probe_answers *a) {
  if (a->ends || a->best == a->n)
    return a->ends != 0;
  const move_answer *m = &a->move[a->best];
  return (m->wdl > 2) == (a->root_wdl > 2) && (m->wdl < 2) == (a->root_wdl < 2)
         && m->plies + 1 >= a->root_plies && m->plies <= a->root_plies + 1;
}

static void compare (const probe_answers *ours, const probe_answers *theirs, counts *c) {
  const bool rounded = is_rounded (ours->root_plies, theirs->root_plies);
  bool moves = ours->n != theirs->n, dtz = false, wdl = false, some = rounded;
  for (unsigned i = 0; i < ours->n && !moves; i++) {
    const move_answer *a = &ours->move[i], *b = &theirs->move[i];
    const bool round = is_rounded (a->plies, b->plies);
    some |= round;
    moves |= a->key != b->key || a->passant != b->passant || (a->plies != b->plies && !round)
             || (a->wdl != b->wdl && !round);
    dtz |= !round && (a->dtz_rank != b->dtz_rank || a->dtz_score != b->dtz_score);
    wdl |= a->wdl_rank != b->wdl_rank || a->wdl_score != b->wdl_score;
  }
  c->wdl += ours->wdl != theirs->wdl;
  c->root += ours->ends != theirs->ends || (ours->root_plies != theirs->root_plies && !rounded)
             || (ours->root_wdl != theirs->root_wdl && !rounded) || !suggests (ours);
  c->moves += moves;
  c->dtz_ranks += dtz;
  c->wdl_ranks += wdl;
  c->rounded += some;
}

static bool measure (const char *ending, const char *tables, const sd_prober *legal, unsigned n) {
  static probe_answers ours, theirs;
  counts c = { 0 };
  for (unsigned i = 0; i < n; i++) {
    sd_prober_position p;
    draw_position (ending, legal, &p);
    const probe_question q = { p.white,      p.black,          p.kings,
                         p.queens,     p.rooks,          p.bishops,
                         p.knights,    p.pawns,          (unsigned) draw (101),
                         p.ep,         !p.black_to_move, draw (2),
                         draw (4) != 0 };
    c.passant += p.ep != 0;
    if (!theirs_ask (&q, &theirs))
      fail ("Fathom does not probe_answers", ending);
    if (!ours_ask (&q, &ours))
      fail ("no answer of ours", ending);
    compare (&ours, &theirs, &c);
  }
  printf ("%s,%s,%u,%u,%u,%u,%u,%u,%u,%u\n", ending, tables, n, c.passant, c.wdl, c.root, c.moves,
          c.dtz_ranks, c.wdl_ranks, c.rounded);
  fflush (stdout);
  return !(c.wdl || c.root || c.moves || c.dtz_ranks || c.wdl_ranks);
}

int main (int argc, char **argv) {
  char message[256];
  const char *tables = NULL;
  sd_prober *legal = NULL;
  bool equal = true;
  if (argc < 6)
    fail ("SYZYGY POSITIONS SEED NAME=PATH ENDING...", "usage");
  if (!theirs_open (argv[1]))
    fail ("no Syzygy files", argv[1]);
  const unsigned n = (unsigned) strtoul (argv[2], NULL, 10);
  state = strtoull (argv[3], NULL, 10);
  printf ("ending,tables,positions,en_passant,wdl,root,moves,dtz_ranks,wdl_ranks,rounded\n");
  for (int i = 4; i < argc; i++) {
    char *is = strchr (argv[i], '=');
    if (!is && !tables)
      fail ("no tables before it", argv[i]);
    if (!is) {
      equal &= measure (argv[i], tables, legal, n);
      continue;
    }
    *is = 0;
    tables = argv[i];
    sd_prober_close (legal);
    if (!ours_open (is + 1) || sd_prober_open (is + 1, 0, &legal, message, sizeof message) != SD_PROBER_OK)
      fail ("no tables", is + 1);
  }
  sd_prober_close (legal);
  return equal ? 0 : 1;
}
