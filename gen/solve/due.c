/* Where the next decided states are: for each 512 records the least distance beyond the present iteration, so
 * that an iteration reads only what it is about. Most endings have a long tail of iterations in which few
 * states are decided: of KQRvKQ's 134 each used to read all 484 MB.
 *
 * `now` is what the scans found; they renew it as they go. What marks of the present iteration decide goes to
 * `next`, since scans and marks run at once; before the next iteration both become one.
 *
 * Cost: 4 bytes for 512 states. */
#include "config.h"
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

void sd_due_forget (sd_solver *s) {
  memset (s->now, 0, s->ndue * sizeof *s->now);
  memset (s->next, 0xff, s->ndue * sizeof *s->next);
}

void sd_due_begin (sd_solver *s) {
  for (uint64_t b = 0; b < s->ndue; b++) {
    s->now[b] = s->next[b] < s->now[b] ? s->next[b] : s->now[b];
    s->next[b] = SD_DUE_NEVER;
  }
}

/* Sixteen records at once; as signed numbers the tagged ones are negative. */
typedef int16_t lanes __attribute__ ((vector_size (32)));
typedef uint8_t parts __attribute__ ((vector_size (16)));
enum { LANES = 16 };

/* Those of other parts, as if they were tagged. */
static inline void tag_others (const uint8_t *part_of, unsigned part, lanes *r) {
  parts of;
  memcpy (&of, part_of, sizeof of);
  *r |= __builtin_convertvector(of, lanes) != (int16_t) part;
}

bool sd_due_look (sd_solver *s, uint64_t block, uint16_t key) {
  const int16_t k = (int16_t) key, far = INT16_MAX;
  const uint16_t *rec = s->rec + block * SD_DUE;
  const uint8_t *part = s->part_of ? s->part_of + block * SD_DUE : NULL;
  lanes eq = { 0 }, gt = { 0 }, least = far - (lanes){ 0 };
  for (unsigned i = 0; i < SD_DUE; i += LANES) {
    lanes r, beyond, smaller;
    memcpy (&r, rec + i, sizeof r);
    if (part)
      tag_others (part + i, s->part, &r);
    eq |= r == k;
    beyond = r > k;
    gt |= beyond;
    r = (r & beyond) | (far & ~beyond);
    smaller = r < least;
    least = (r & smaller) | (least & ~smaller);
  }
  int16_t min = INT16_MAX, any = 0, more = 0;
  for (unsigned i = 0; i < LANES; i++) {
    min = least[i] < min ? least[i] : min;
    any |= eq[i];
    more |= gt[i];
  }
  s->now[block] = more ? (uint16_t) min : SD_DUE_NEVER;
  return any != 0;
}
