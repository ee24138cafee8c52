/* Where the next decided states are: for each 512 records the least distance beyond the present iteration, so
 * that an iteration reads only what it is about. Most endings have a long tail of iterations in which few
 * states are decided: of KQRvKQ's 134 each used to read all 484 MB.
 *
 * `now` is what the scans found; they renew it as they go. What marks of the present iteration decide goes to
 * `next`, since scans and marks run at once; before the next iteration both become one.
 *
 * Cost: 4 bytes for 512 states. */
#include "config.h"
#include "gen/lanes.h"
#include "gen/solve/solver_internal.h"
#include <stdlib.h>
#include <string.h>

int sd_due_new (sd_solver *s, sd_error *err) {
  s->ndue = s->nlocal / SD_DUE + 1;
  s->now = sd_alloc0 (s->ndue, sizeof *s->now); /* nothing is known: everything may be due */
  s->next = sd_alloc (s->ndue, sizeof *s->next);
  if (!s->now || !s->next)
    return sd_fail_memory (err, 2 * s->ndue * sizeof *s->now);
  memset (s->next, 0xff, s->ndue * sizeof *s->next);
  return SD_OK;
}

void sd_due_free (sd_solver *s) {
  free (s->now);
  free (s->next);
}

void sd_due_begin (sd_solver *s) {
  for (uint64_t b = 0; b < s->ndue; b++) {
    s->now[b] = s->next[b] < s->now[b] ? s->next[b] : s->now[b];
    s->next[b] = SD_DUE_NEVER;
  }
}

/* Records are counted from key + 1 on, round in 16 bits: `key` becomes the greatest number, and those below
 * it, like the undecided ones, are beyond what a later distance can be. */
bool sd_due_look (sd_solver *s, uint64_t block, uint16_t key) {
  uint16_t least, most;
  sd_lanes_span (s->rec + block * SD_DUE, SD_DUE, (uint16_t) (key + 1), &least, &most);
  s->now[block] = key + 1 + least < SD_REC_TAG ? (uint16_t) (key + 1 + least) : SD_DUE_NEVER;
  return most == 0xffff;
}
