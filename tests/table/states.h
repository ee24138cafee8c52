/* Values of some states of a table of another game. */
#ifndef SD_TEST_STATES_H
#define SD_TEST_STATES_H

#include "table/table.h"

/* out[0..n-1]: of the states first.. */
static inline int read_some_states (const sd_table *t, uint64_t first, uint64_t n, sd_value *out) {
  sd_table_info info;
  sd_table_describe (t, &info);
  for (uint64_t k = 0; k < n; k++) {
    sd_symbol s;
    const int st = sd_codec_get (info.side[0].decoder, first + k, &s);
    if (st != SD_OK)
      return st;
    out[k] = info.side[0].map[s];
  }
  return SD_OK;
}

#endif
