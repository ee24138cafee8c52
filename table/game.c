/* Tables of other games than chess. What a game is, nobody knows here: its states are numbers, each has a
 * value, and states may be free that there are not or that the game's moves restore, somewhere else. So there
 * is one side, no layout and no conversion to look up; all else, from the codecs to the checksums, is that of
 * a table of chess. Cost: as there. */
#include "config.h"
#include "table/table.h"
#include "table/table_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Not empty, ended within `room`, and every character in `set`. */
static bool well_formed (const char *text, size_t room, const char *set) {
  return memchr (text, 0, room) && *text && text[strspn (text, set)] == 0;
}

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

/* Both names become a part of a file's name, "draughts-KKvM.dtm.sdt": no character that a shell, a path or a
 * reader of such names would take for something else. */
int sd_table_game_check (const sd_table_game *g, sd_error *err) {
  if (!well_formed (g->name, sizeof g->name, LOWER DIGITS) || !strchr (LOWER, g->name[0]))
    return sd_fail (err, SD_EINVAL,
                    "the name of a game takes 1 to %zu lower-case letters and digits, a letter first",
                    sizeof g->name - 1);
  if (!well_formed (g->slice, sizeof g->slice, LOWER DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_+-"))
    return sd_fail (err, SD_EINVAL, "%s: the name of a slice takes 1 to %zu letters, digits and _ + -",
                    g->name, sizeof g->slice - 1);
  if (g->states == 0 || g->states > SD_MAX_STATES)
    return sd_fail (err, SD_EINVAL, "%s-%s: %" PRIu64 " states: expected 1 to 2^48", g->name, g->slice,
                    g->states);
  return SD_OK;
}

/* ------------------------------------------------------------------ reading */

int sd_table_game_stored (const sd_table *t, sd_value *out, const sd_progress *progress, sd_error *err) {
  const uint64_t n = t->info.game.states;
  if (!sd_table_info_is_game (&t->info))
    return sd_fail (err, SD_EINVAL, "%s: a table of chess, not of another game", t->name);
  sd_symbol *sym = (sd_symbol *) out; /* both are 16 bits: decoded in place */
  _Static_assert(sizeof *sym == sizeof *out, "a symbol takes the place of a value");
  SD_TRY (sd_table_read_all (t, 0, sym, progress, "decoding", err));
  for (uint64_t i = 0; i < n; i++)
    out[i] = t->info.side[0].map[sym[i]];
  return SD_OK;
}
