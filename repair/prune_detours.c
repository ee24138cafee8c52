/** \file prune_detours.c
 * Dropping phrases by what the sequence would cost without them (grammar.c). prune.c estimates that by the
 * parts of a phrase. Here each occurrence is parsed once more without the phrase, so that other phrases that
 * fit there, and other completions of its free slots, count.
 *
 * Let a phrase have f occurrences at b bits each, and let the ways around cost w bits in all, at the present
 * code lengths. To drop it costs w - f * b, and gives its entry and those of the parts that only it uses; and
 * as the other symbols share what it had, their codes become shorter by f / ln 2 bits in all (the first order
 * of a change of n log n - sum f log f). Phrases on a way around stay until the next parse.
 *
 * Where a dictionary has room for fewer phrases than pay (sd_repair.keep), an entry costs what the worst one
 * that stays saves: those go first that save least for each entry that goes with them.
 *
 * Cost: about a parse, or next to nothing along a lattice, whose ways are not much dearer than the best one:
 * where it has none around an occurrence the phrase stays. Memory: a bit for each pair of ids. */
#include "config.h"
#include "repair/repair_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Occurrences of a phrase that is not asked about; the same where some phrases have to go. */
enum { MANY = 200, MANY_TOO_MANY = 1000 };

typedef struct choice {
  double gain; /* bits; for each entry, where phrases have to go */
  unsigned id;
} choice;

typedef struct dropper {
  sd_repair *st;
  uint32_t *refs; /* [id] how often it is a part */
  bool *keep, *drop, *want;
  choice *choice;
  unsigned n, must; /* must: entries that have to go; 0: none have */
} dropper;

static int by_gain (const void *pa, const void *pb) {
  const choice *a = pa, *b = pb;
  if (a->gain != b->gain)
    return a->gain > b->gain ? -1 : 1;
  return a->id < b->id ? -1 : a->id > b->id;
}

/* Is this part in the dictionary for nothing but what it is a part of? through: what the ways around take. */
static bool is_spare (const dropper *d, unsigned id, const uint64_t *through) {
  return d->refs[id] == 0 && id >= d->st->a && !d->st->freq[id] && !d->keep[id]
         && !(through[id / 64] >> (id % 64) & 1);
}

/* Entries that go with this one. */
static unsigned release (dropper *d, unsigned id, const uint64_t *through, bool write) {
  const unsigned part[2] = { d->st->left[id], d->st->right[id] };
  unsigned freed = 1;
  if (write)
    d->drop[id] = true;
  for (unsigned k = 0; k < 2; k++) {
    d->refs[part[k]]--;
    if (is_spare (d, part[k], through))
      freed += release (d, part[k], through, write);
  }
  return freed;
}

/* And back. */
static void hold (dropper *d, unsigned id, const uint64_t *through) {
  const unsigned part[2] = { d->st->left[id], d->st->right[id] };
  for (unsigned k = 2; k-- > 0;) {
    if (is_spare (d, part[k], through))
      hold (d, part[k], through);
    d->refs[part[k]]++;
  }
}

static void judge (dropper *d, const sd_detours *ways, const uint32_t *cost) {
  const sd_repair *st = d->st;
  for (unsigned id = st->a; id < st->used; id++) {
    /* Nothing fits in its place without it: it stays. */
    if (!d->want[id] || ways->cost[id] == UINT64_MAX)
      continue;
    const double f = (double) st->freq[id], now = f * cost[id] / SD_PARSE_BIT,
                 then = (double) ways->cost[id] / SD_PARSE_BIT;
    /* Counted by letting go and holding again; ways around need some parts, which do not go. */
    const unsigned freed = release (d, id, ways->through + id * ways->words, false);
    hold (d, id, ways->through + id * ways->words);
    /* Entries, what it costs now, what it would cost, and the share that all other codes gain. */
    const double gain = (double) st->entry_bits * freed + now - then + f * M_LOG2E;
    if (d->must)
      d->choice[d->n++] = (choice){ gain / freed, id };
    else if (gain > 0)
      d->choice[d->n++] = (choice){ gain, id };
  }
}

static void take (dropper *d, const sd_detours *ways) {
  const size_t words = ways->words;
  unsigned gone = 0;

  qsort (d->choice, d->n, sizeof *d->choice, by_gain);
  /* The best first, while they gain, or as long as there are entries that must go. */
  for (unsigned k = 0; k < d->n && (d->choice[k].gain > 0 || gone < d->must); k++) {
    const unsigned id = d->choice[k].id;
    const uint64_t *through = ways->through + id * words;
    bool open = !d->keep[id];
    /* Its way around may lead through a phrase that has been dropped meanwhile. */
    for (unsigned x = 0; open && x < d->st->used; x++)
      open = !(through[x / 64] >> (x % 64) & 1 && d->drop[x]);
    if (!open)
      continue;
    gone += release (d, id, through, true);
    for (unsigned x = 0; x < d->st->used; x++)
      d->keep[x] |= through[x / 64] >> (x % 64) & 1;
  }
}

int sd_repair_prune_by_detours (sd_repair *st, const sd_seq *slots, const uint32_t *cost, uint32_t slack,
                                sd_lattice *l) {
  const size_t words = st->used / 64 + 1;
  SD_OWNED uint32_t *refs = sd_alloc0 (st->used, sizeof *refs);
  SD_OWNED bool *keep = sd_alloc0 (st->used, sizeof *keep), *drop = sd_alloc0 (st->used, sizeof *drop),
                *want = sd_alloc0 (st->used, sizeof *want);
  SD_OWNED choice *some = sd_alloc (st->used, sizeof *some);
  SD_OWNED uint64_t *total = sd_alloc0 (st->used, sizeof *total),
                    *through = sd_alloc0 (st->used * words, sizeof *through);

  if (!refs || !keep || !drop || !want || !some || !total || !through)
    return SD_ENOMEM;
  for (unsigned id = st->a; id < st->used; id++) {
    refs[st->left[id]]++;
    refs[st->right[id]]++;
  }
  /* What is used nowhere goes without being asked about, the youngest first. */
  unsigned left = st->used;
  for (unsigned id = st->used; id-- > st->a;)
    if (!refs[id] && !st->freq[id]) {
      drop[id] = true;
      left--;
      refs[st->left[id]]--;
      refs[st->right[id]]--;
    }
  const unsigned must = st->keep && left > st->keep ? left - st->keep : 0;
  /* Only phrases that are no parts can go. Very frequent ones pay for themselves, and would take a parse
   * for each occurrence. */
  for (unsigned id = st->a; id < st->used; id++)
    want[id] = !refs[id] && st->freq[id] && st->freq[id] < (must ? MANY_TOO_MANY : MANY);
  dropper d = {
    .st = st, .refs = refs, .keep = keep, .drop = drop, .want = want, .choice = some, .must = must
  };
  sd_detours ways = { .want = want, .cost = total, .through = through, .words = words };
  SD_TRY (l ? sd_lattice_detours (st, l, cost, &ways)
            : sd_repair_find_detours (st, slots, cost, slack, &ways));
  judge (&d, &ways, cost);
  take (&d, &ways);
  return sd_repair_drop (st, drop, l);
}
