/* The rows of the codings: how a symbol's number stands for a value, which numbers a header may list, how
 * they are written there (docs/format.md), and what restoring makes of them.
 *
 * A list of rising numbers is stored as runs of equal differences: the numbers of moves in an ending are 0,
 * 1, 2, ... with few gaps, so that most lists take three bytes. The first difference counts from -1. */
#include "config.h"
#include "table/table_internal.h"
#include <stdlib.h>

static void put_list (sd_buf *b, const unsigned *v, unsigned n) {
  sd_buf_varint (b, n);
  for (unsigned i = 0; i < n;) {
    /* UINT32_MAX is -1: a list that begins with 0 has the step 1 there, too. */
    unsigned before = i ? v[i - 1] : UINT32_MAX, step = v[i] - before, run = 1;
    while (i + run < n && v[i + run] - v[i + run - 1] == step)
      run++;
    sd_buf_varint (b, step - 1);
    sd_buf_varint (b, run - 1);
    i += run;
  }
}

/* Numbers up to limit, each put into the map as sign times it, by rising numbers. */
/* Damaged lists are refused before anything is allocated by them: a count of 2^60 or a run past the end costs
 * one comparison. */
static bool get_list (sd_reader *r, unsigned limit, int sign, sd_value *map, unsigned *n) {
  const uint64_t count = sd_get_varint (r);
  if (r->bad || count > SD_MAX_MAIN)
    return false;
  uint64_t value = UINT64_MAX; /* -1 */
  for (*n = 0; *n < count;) {
    uint64_t step = sd_get_varint (r), run = sd_get_varint (r);
    /* The sum cannot wrap around, and no run is longer than what is left of the list. */
    if (r->bad || step > limit || run >= count - *n)
      return false;
    for (uint64_t k = 0; k <= run; k++) {
      value += step + 1;
      if (value > limit)
        return false;
      map[(*n)++] = (sd_value) (sign * (int) value);
    }
  }
  return true;
}

/* -------------------------------------------------------------------- WDL */

static sd_value wdl_number (sd_value v) {
  return (sd_value) sd_value_wdl (v);
}

static int by_number (sd_value a, sd_value b) {
  return a - b;
}

static const sd_value wdl_map[] = { -1, 0, 1 };

/* A position is worth at least its best conversion. Where that is the value, the slot may hold any worse one,
 * so that the better of the two is exact. Of WDL50, too. */
static sd_value wdl_restore (int sign, sd_value number, bool has, sd_value best) {
  (void) sign;
  return has && best > number ? best : number;
}

/* ------------------------------------------------------------------ WDL50 */

static sd_value wdl50_number (sd_value v) {
  return sd_metrics[SD_WDL50].of (v);
}

static const sd_value wdl50_map[] = { -2, -1, 0, 1, 2 };

/* -------------------------------------------------------- values with sign */

/* The largest number of plies: in chess restoring adds to it; to the values of another game nobody adds, and
 * there it is what the solver can find. */
static int limit (bool game, bool wins) {
  return !game ? SD_MAX_MAP_PLIES : wins ? INT16_MAX - 1 : INT16_MAX;
}

static sd_value signed_number (sd_value v) {
  return v;
}

static bool signed_fits (sd_value number, bool game) {
  return number <= limit (game, true) && number >= -limit (game, false);
}

/* Worst first: lost soon .. lost late, drawn, won late .. won soon. Losses and wins as two lists that rise.
 */
static void signed_put (const sd_value *map, unsigned m, sd_buf *b) {
  unsigned list[SD_MAX_MAIN] = { 0 }, n = 0, i = 0;
  for (; i < m && map[i] < 0; i++)
    list[n++] = (unsigned) -map[i];
  put_list (b, list, n);
  const bool drawn = i < m && map[i] == 0;
  sd_buf_u8 (b, drawn);
  i += drawn;
  n = 0;
  for (unsigned k = m; k-- > i;)
    list[n++] = (unsigned) map[k];
  put_list (b, list, n);
}

/* Two lists of at most SD_MAX_MAIN numbers and a draw fit into the map; whether all of them together are too
 * many, the caller sees. */
static bool signed_get (sd_reader *r, bool game, sd_value *map, unsigned *m) {
  unsigned n = 0, won = 0;
  const bool lost = get_list (r, (unsigned) limit (game, false), -1, map, &n) && (n == 0 || map[0] != 0);

  const unsigned drawn = sd_get_u8 (r);
  if (lost && drawn)
    map[n++] = 0;
  if (!lost || drawn > 1 || !get_list (r, (unsigned) limit (game, true), 1, map + n, &won)
      || (won && map[n] == 0))
    return false;
  /* In the file wins go from soon to late, in the map from late to soon, since that is from worse to
   * better. */
  for (unsigned i = n, k = n + won; i + 1 < k; i++) {
    const sd_value swap = map[i];
    map[i] = map[--k];
    map[k] = swap;
  }
  *m = n + won;
  return true;
}

/* As wdl_restore, by rank and not by number: -3 is mated in 2 plies and worse than -5, mated in 4. */
static sd_value signed_restore (int sign, sd_value number, bool has, sd_value best) {
  (void) sign;
  return has && sd_value_rank (best) > sd_value_rank (number) ? best : number;
}

/* ------------------------------------------------------------------- moves */

/* Moves of the player who wins: 27 plies of a win and 28 of a loss are 14. One number serves both results, so
 * that there are half as many symbols. */
static sd_value moves_number (sd_value v) { /* plies: v if won, -v - 1 if lost */
  return (sd_value) (v > 0 ? (v + 1) / 2 : -v / 2);
}

static bool moves_fits (sd_value number, bool game) {
  return !game && number >= 0 && number <= SD_MAX_MAP_MOVES;
}

static void moves_put (const sd_value *map, unsigned m, sd_buf *b) {
  unsigned list[SD_MAX_MAIN] = { 0 };
  for (unsigned i = 0; i < m; i++)
    list[i] = (unsigned) map[i];
  put_list (b, list, m);
}

/* No coding that needs another table's sign stands in a table of another game, so that a file which says so
 * is damaged. */
static bool moves_get (sd_reader *r, bool game, sd_value *map, unsigned *m) {
  return !game && get_list (r, SD_MAX_MAP_MOVES, 1, map, m);
}

/* Zakharov 2015, 1.9: a win takes the minimum of the stored number and the conversions' offers, a loss the
 * maximum. A conversion of another result bounds nothing. */
static sd_value moves_restore (int sign, sd_value number, bool has, sd_value best) {
  if (sign == 0)
    return 0;
  const int n = (uint16_t) number;
  const int v = sign > 0 ? 2 * (n > 0 ? n : 1) - 1 : -(2 * n + 1); /* mated in 2n plies */
  return (sd_value) (has && sd_value_wdl (best) == sign && best < v ? best : v);
}

/* ----------------------------------------------------------------- zeroing */

static sd_value zeroing_number (sd_value v) { /* plies: v if won, -v - 1 if lost */
  return (sd_value) ((v > 0 ? v : v < 0 ? -v - 1 : 0) - (sd_value_beyond_rule (v) ? SD_RULE_PLIES : 0));
}

static bool zeroing_fits (sd_value number, bool game) {
  return !game && number >= 0 && number <= SD_MAX_MAP_MOVES;
}

/* As moves_restore, of the results that differ under the 50-move rule. A win and a blessed loss take at least
 * a ply. */
static sd_value zeroing_restore (int sign, sd_value number, bool has, sd_value best) {
  if (sign == 0)
    return 0;
  const bool beyond = sign == 1 || sign == -1;
  const int n = ((uint16_t) number > 0 || sign < -1 ? (uint16_t) number : 1) + (beyond ? SD_RULE_PLIES : 0);
  const int v = sign > 0 ? n : -n - 1;
  return (sd_value) (has && sd_metrics[SD_WDL50].of (best) == sign && best < v ? best : v);
}

/* ------------------------------------------------------------------- plies */

/* As moves_number, without rounding: the sign is the WDL table's. */
static sd_value plies_number (sd_value v) {
  return (sd_value) (v > 0 ? v : v < 0 ? -v - 1 : 0);
}

/* As moves_restore. A win takes at least a ply. */
static sd_value plies_restore (int sign, sd_value number, bool has, sd_value best) {
  if (sign == 0)
    return 0;
  const int n = (uint16_t) number;
  const int v = sign > 0 ? (n > 0 ? n : 1) : -n - 1;
  return (sd_value) (has && sd_value_wdl (best) == sign && best < v ? best : v);
}

/* -------------------------------------------------------------------- rows */

/* A row's number stands in files: new rows come last, and none goes. What a row does not say (`needs`, `map`)
 * is how restoring finds out what to ask for first. */
const sd_coding_kind sd_codings[SD_CODINGS] = {
  [SD_CODING_WDL] = { .name = "wdl",
                      .title = "won/drawn/lost",
                      .freedom = SD_FREE_ILLEGAL | SD_FREE_CAPTURE | SD_FREE_PROMOTION | SD_FREE_QUEEN
                                 | SD_FREE_POSITION | SD_FREE_EVIDENTS,
                      .needs = SD_NO_METRIC,
                      .number = wdl_number,
                      .compare = by_number,
                      .map = wdl_map,
                      .main = 3,
                      .restore = wdl_restore },
  [SD_CODING_SIGNED] = { .name = "signed",
                         .title = "signed plies",
                         .freedom = SD_FREE_ILLEGAL | SD_FREE_CAPTURE | SD_FREE_PROMOTION | SD_FREE_QUEEN
                                    | SD_FREE_POSITION,
                         .needs = SD_NO_METRIC,
                         .number = signed_number,
                         .compare = sd_value_compare,
                         .fits = signed_fits,
                         .put = signed_put,
                         .get = signed_get,
                         .restore = signed_restore },
  [SD_CODING_MOVES] = { .name = "moves",
                        .title = "moves, read together with the WDL table",
                        .freedom = SD_FREE_ALL | SD_FREE_QUEEN | SD_FREE_WIN | SD_FREE_POSITION,
                        .needs = SD_WDL,
                        .number = moves_number,
                        .compare = by_number,
                        .fits = moves_fits,
                        .put = moves_put,
                        .get = moves_get,
                        .restore = moves_restore },
  [SD_CODING_WDL50] = { .name = "wdl50",
                        .title = "won/cursed/drawn/blessed/lost",
                        .freedom = SD_FREE_ILLEGAL | SD_FREE_CAPTURE | SD_FREE_PROMOTION | SD_FREE_QUEEN,
                        .needs = SD_NO_METRIC,
                        .number = wdl50_number,
                        .compare = by_number,
                        .map = wdl50_map,
                        .main = 5,
                        .restore = wdl_restore },
  [SD_CODING_ZEROING] = { .name = "zeroing",
                          .title = "plies, read together with the WDL50 table",
                          .freedom = SD_FREE_ALL | SD_FREE_QUEEN | SD_FREE_POSITION,
                          .needs = SD_WDL50,
                          .number = zeroing_number,
                          .compare = by_number,
                          .fits = zeroing_fits,
                          .put = moves_put,
                          .get = moves_get,
                          .restore = zeroing_restore },
  [SD_CODING_PLIES] = { .name = "plies",
                        .title = "plies, read together with the WDL table",
                        .freedom = SD_FREE_ALL | SD_FREE_QUEEN | SD_FREE_POSITION,
                        .needs = SD_WDL,
                        .number = plies_number,
                        .compare = by_number,
                        .fits = zeroing_fits,
                        .put = moves_put,
                        .get = moves_get,
                        .restore = plies_restore },
};
