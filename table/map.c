/* Which numbers a side's symbols stand for. Whoever codes values says which numbers occur (recode/ for one
 * side of an ending, gen/ when it writes a table directly) and gets the list for the header and its inverse.
 * Cost: some passes over the 65,536 numbers that there can be. */
#include "config.h"
#include "table/table_internal.h"
#include <stdlib.h>

/* By insertion: the numbers come nearly in order. */
static void sort (sd_value *map, unsigned m, int (*compare) (sd_value a, sd_value b)) {
  for (unsigned i = 1; i < m; i++) {
    const sd_value one = map[i];
    unsigned k = i;
    for (; k > 0 && compare (map[k - 1], one) > 0; k--)
      map[k] = map[k - 1];
    map[k] = one;
  }
}

/* What has been allocated when it fails stays with the caller, whose structs own both lists in any case. */
int sd_map_make (uint8_t *in_map, enum sd_coding coding, bool game, sd_value **map, unsigned *m,
                 uint16_t **index, sd_error *err) {
  const sd_coding_kind *c = &sd_codings[coding];
  unsigned n = 0;

  /* Codings of results have all their numbers in every table. */
  for (unsigned i = 0; i < c->main; i++)
    in_map[(uint16_t) c->map[i]] = 1;
  /* Numbers are 16 bits wide, so that a byte for each says which ones there are. */
  for (unsigned u = 0; u < SD_MAP_NUMBERS; u++)
    n += in_map[u];
  if (n == 0) /* a codec needs at least one symbol */
    in_map[0] = n = 1;
  if (n > SD_MAX_MAIN)
    return sd_fail (err, SD_ERANGE, "%u different values, a table holds at most %d", n, SD_MAX_MAIN);

  *map = sd_alloc (n, sizeof **map);
  *index = sd_alloc0 (SD_MAP_NUMBERS, sizeof **index);
  if (!*map || !*index)
    return sd_fail_memory (err, SD_MAP_NUMBERS * sizeof **index);

  *m = 0;
  for (unsigned u = 0; u < SD_MAP_NUMBERS; u++)
    if (in_map[u])
      (*map)[(*m)++] = (sd_value) (int16_t) (uint16_t) u;
  sort (*map, n, c->compare);
  /* And back: from a number to its symbol. */
  for (unsigned i = 0; i < n; i++) {
    if (!c->map && !c->fits ((*map)[i], game))
      return sd_fail (err, SD_ERANGE, "a table of coding %s cannot hold the value %d", c->name, (*map)[i]);
    (*index)[(uint16_t) (*map)[i]] = (uint16_t) i;
  }
  return SD_OK;
}
