/* WDL and DTM of a position, in C:
 *   cc probe.c $(pkg-config --cflags --libs subdef) -o probe
 *   ./probe FOLDER[:FOLDER...] 'FEN' */
#include <probe/probe.h>

#include <stdio.h>
#include <stdlib.h>

static int fail (const sd_error *err) {
  fprintf (stderr, "probe: %s\n", err->text);
  return 1;
}

int main (int argc, char **argv) {
  sd_error err = { 0 };
  sd_tables *tables = NULL;
  sd_pos position;
  int wdl = 0, status;
  sd_value value = 0;
  if (argc != 3) {
    fprintf (stderr, "Usage: probe FOLDER[:FOLDER...] FEN\n");
    return 2;
  }
  if (sd_tables_open (argv[1], 0, &tables, &err) != SD_OK)
    return fail (&err);
  status = sd_pos_from_fen (argv[2], &position, &err);
  if (status == SD_OK)
    status = sd_probe_wdl (tables, &position, &wdl, &err);
  if (status != SD_OK) {
    sd_tables_close (tables);
    return fail (&err);
  }
  printf ("%s", wdl > 0 ? "won" : wdl < 0 ? "lost" : "drawn");
  /* The DTM table may be missing; then the program says no more. */
  status = sd_probe_dtm (tables, &position, &value, &err);
  if (status == SD_OK && value != 0)
    printf (", mate in %d plies", value > 0 ? value : -value - 1);
  printf ("\n");
  sd_tables_close (tables);
  return status == SD_OK || status == SD_ENOENT ? 0 : fail (&err);
}
