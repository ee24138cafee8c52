/* What a chess engine asks of tables, in C:
 *   cc engine.c $(pkg-config --cflags --libs subdef-probe) -o engine
 *   ./engine FOLDER[:FOLDER...] 'FEN' */
#include <subdef/probe.h>

#include <stdio.h>

static const char *const result[] = { "lost", "drawn", "won" };

static int fail (const char *text) {
  fprintf (stderr, "engine: %s\n", text);
  return 1;
}

int main (int argc, char **argv) {
  sd_prober *prober;
  sd_prober_position position;
  sd_prober_move moves[SD_PROBER_MOVES];
  char text[512];
  int wdl, plies;
  unsigned n;
  if (argc != 3)
    return fail ("usage: engine FOLDER[:FOLDER...] FEN");
  if (sd_prober_open (argv[1], 0, &prober, text, sizeof text) != SD_PROBER_OK)
    return fail (text);
  fprintf (stderr, "%s\n", text); /* how many tables there are */

  int status = sd_prober_fen (argv[2], &position);
  if (status == SD_PROBER_OK)
    status = sd_prober_wdl (prober, &position, &wdl);
  if (status == SD_PROBER_OK) {
    printf ("%s", result[wdl + 1]);
    if (sd_prober_dtm (prober, &position, &wdl, &plies) == SD_PROBER_OK && wdl != 0)
      printf (", mate in %d plies", plies);
    printf ("\n");
    status = sd_prober_root (prober, &position, moves, &n);
  }
  for (unsigned i = 0; status == SD_PROBER_OK && i < n; i++) { /* the best move first */
    printf ("%s %s", moves[i].uci, result[moves[i].wdl + 1]);
    if (moves[i].dtm > 0)
      printf (" %d", moves[i].dtm);
    printf ("\n");
  }
  if (status != SD_PROBER_OK) { /* the name of the table, where this position itself is the reason */
    sd_prober_explain (prober, &position, 0, text, sizeof text);
    fail (text[0] ? text : sd_prober_text (status));
  }
  sd_prober_close (prober);
  return status != SD_PROBER_OK;
}
