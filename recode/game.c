/* Building tables of other games than chess: their states are numbers, each has a value; free may be states
 * that there are not, and states whose value follows from moves into other tables, which the game is asked
 * for. recode/build.c is the same for chess; both end in sd_written_end (), which reads back and compares
 * before a file has its name. */
#include "config.h"
#include "recode/recode_internal.h"
#include <inttypes.h>
#include <stdlib.h>

int sd_table_game_subdefine (const sd_table_spec *spec, const sd_value *value, const sd_state_rules *rules,
                             const sd_progress *progress, sd_subdefined **out, sd_error *err) {
  SD_TRY (sd_table_game_check (&spec->game, err));
  SD_TRY (sd_table_spec_check (spec, err));
  if (!rules && spec->freedom & ~(unsigned) SD_FREE_ILLEGAL)
    return sd_fail (
        err, SD_EINVAL,
        "%s-%s: without the game's moves what is free is 'illegal' or nothing: conversions must be asked "
        "for",
        spec->game.name, spec->game.slice);
  const sd_exact e = { .nsides = 1,
                       .n = spec->game.states,
                       .value = { (sd_value *) (uintptr_t) value, NULL } };
  return sd_subdefine_states (spec, &e, rules, progress, out, err);
}

/* *v: the value of a state whose stored value it is. */
static int restore (const sd_table *t, const sd_state_rules *rules, uint64_t state, sd_value *v) {
  sd_value best = 0;
  bool any = false, all = false;
  if (!(t->info.freedom & ~(unsigned) SD_FREE_ILLEGAL))
    return SD_OK;
  SD_TRY (rules->best (rules->ctx, state, &best, &any, &all));
  *v = sd_state_restored (t->info.coding, *v, sd_metrics[t->info.metric].of (best), any, all);
  return SD_OK;
}

/* What the file is compared with. */
typedef struct source {
  const sd_value *value;
  const sd_state_rules *rules;
  const sd_progress *progress;
} source;

/* Every state that there is, restored from the file by the game's moves as a reader does it. */
static int compare (const void *ctx, const sd_table *t, sd_error *err) {
  const source *what = ctx;
  const sd_value *value = what->value;
  const uint64_t n = t->info.game.states;
  SD_OWNED sd_value *stored = sd_alloc (n, sizeof *stored);

  if (!stored)
    return sd_fail_memory (err, n * sizeof *stored);
  SD_TRY (sd_table_game_stored (t, stored, what->progress, err));
  for (uint64_t i = 0; i < n; i++) {
    if (value[i] == SD_ILLEGAL)
      continue;
    const int want = sd_metrics[t->info.metric].of (value[i]);
    const int st = restore (t, what->rules, i, &stored[i]);
    if (st != SD_OK)
      return sd_fail (err, st, "%s: state %" PRIu64 ": a conversion's value: %s", t->name, i,
                      sd_strerror (st));
    if (stored[i] != want)
      return sd_fail (err, SD_EDIFF, "%s: state %" PRIu64 ": restored value %d, exact value %d", t->name, i,
                      stored[i], want);
  }
  return SD_OK;
}

int sd_table_build_states (const sd_table_spec *spec, const sd_value *value, const sd_state_rules *rules,
                           const char *path, const sd_progress *progress, sd_error *err) {
  sd_subdefined *d[2] = { NULL, NULL };
  sd_outfile *f = NULL;
  sd_buf image = { 0 };
  /* the name first: an unwritable folder is told before the work, not after it */
  SD_TRY (sd_outfile_open (path, &f, err));
  int st = sd_table_game_subdefine (spec, value, rules, progress, &d[0], err);
  if (st == SD_OK)
    st = sd_table_image (spec, (const sd_subdefined *const *) d, progress, &image, err);
  sd_subdefined_free (d[0]);
  return sd_written_end (f, &image, path, st, &(sd_comparer){ compare, &(source){ value, rules, progress } },
                         err);
}
