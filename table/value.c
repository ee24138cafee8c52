/* Values: their order and their way up the tree. */
#include "config.h"
#include "table/table_internal.h"

int sd_value_compare (sd_value a, sd_value b) {
  int ra = sd_value_rank (a), rb = sd_value_rank (b);
  return (ra > rb) - (ra < rb);
}

sd_value sd_value_back (sd_value v) {
  if (v == 0 || v == SD_ILLEGAL)
    return v;
  /* child mated in n plies, -(n+1): won in n+1. Child mates in n: mated in n+1 plies, -(n+2), or as late as a
   * value can say. */
  const int back = v < 0 ? -v : -v - 2;
  return (sd_value) (back > SD_ILLEGAL ? back : SD_ILLEGAL + 1);
}

int sd_value_wdl (sd_value v) {
  return (v > 0) - (v < 0);
}
