/* The transposition table of Nemec 2007: an array of entries of 8 bytes. A position has one slot, F mod N,
 * and the entry there is taken for its own if the code is G. Collisions are ignored: nothing is chained, and
 * no other slot is tried. Two positions with the same slot and the same code are confused. That is a false
 * match, whose probability for a probe that finds the entry of another position is 2^-bits of code. */
#include "config.h"
#include "search/search.h"
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof (sd_entry) == 8, "an entry has 8 bytes");

struct sd_trans {
  sd_trans_options o;
  uint64_t mask; /* bits of G that are code */
  sd_entry *entry;
  sd_long_entry *longer; /* one of the two */
  sd_pos *position;      /* whose entries they are; NULL: not kept */
  sd_trans_counts counts;
};

int sd_trans_new (const sd_trans_options *o, sd_trans **out, sd_error *err) {
  *out = NULL;
  if (!o->slots || o->code_bits > 64)
    return sd_fail (err, SD_EINVAL,
                    "a table of %llu slots with %u bits of code: expected slots, and 64 bits at most",
                    (unsigned long long) o->slots, o->code_bits);
  sd_trans *t = calloc (1, sizeof *t);
  if (!t)
    return sd_fail_memory (err, sizeof *t);
  t->o = *o;
  if (!o->code_bits)
    t->o.code_bits = 32;
  t->mask = UINT64_MAX >> (64 - t->o.code_bits);
  if (t->o.code_bits <= 32)
    t->entry = sd_alloc0_large (o->slots, sizeof *t->entry);
  else
    t->longer = sd_alloc0_large (o->slots, sizeof *t->longer);
  if (o->keep_positions)
    t->position = sd_alloc0_large (o->slots, sizeof *t->position);
  if ((!t->entry && !t->longer) || (o->keep_positions && !t->position)) {
    sd_trans_free (t);
    return sd_fail_memory (err, 0);
  }
  *out = t;
  return SD_OK;
}

void sd_trans_free (sd_trans *t) {
  if (!t)
    return;
  free (t->entry);
  free (t->longer);
  free (t->position);
  free (t);
}

void sd_trans_clear (sd_trans *t) {
  if (t->entry)
    memset (t->entry, 0, t->o.slots * sizeof *t->entry);
  else
    memset (t->longer, 0, t->o.slots * sizeof *t->longer);
  t->counts = (sd_trans_counts){ 0 };
}

sd_trans_counts *sd_trans_counted (sd_trans *t) {
  return &t->counts;
}

uint64_t sd_trans_bytes (const sd_trans *t) {
  return t->o.slots * (t->entry ? sizeof *t->entry : sizeof *t->longer);
}

/* An entry of either length. */
static sd_long_entry entry_at (const sd_trans *t, uint64_t slot) {
  if (t->longer)
    return t->longer[slot];
  const sd_entry e = t->entry[slot];
  return (sd_long_entry){ e.score, e.depth, e.flags, e.code };
}

void sd_trans_prefetch (const sd_trans *t, sd_hash h) {
  const uint64_t slot = h.f % t->o.slots;
  if (t->longer)
    __builtin_prefetch (&t->longer[slot]);
  else
    __builtin_prefetch (&t->entry[slot]);
}

bool sd_trans_find (sd_trans *t, sd_hash h, const sd_pos *p, sd_trans_found *out) {
  const uint64_t slot = h.f % t->o.slots;
  const sd_long_entry e = entry_at (t, slot);
  t->counts.probes++;
  if (!e.flags)
    return false;
  const bool matches = e.code == (h.g & t->mask),
             other = t->position && !sd_pos_equal (&t->position[slot], p);
  t->counts.occupied++;
  t->counts.matches += matches;
  t->counts.others += other;
  t->counts.false_matches += matches && other;
  *out = (sd_trans_found){ e.score, e.depth, e.flags, other };
  return matches;
}

void sd_trans_store (sd_trans *t, sd_hash h, const sd_pos *p, const sd_trans_found *e) {
  const uint64_t slot = h.f % t->o.slots, code = h.g & t->mask;
  t->counts.stores++;
  if (t->o.keep_deeper) {
    const sd_long_entry old = entry_at (t, slot);
    if (old.flags && old.depth > e->depth) {
      t->counts.refused++;
      return;
    }
  }
  const int16_t score = (int16_t) e->score;
  const uint8_t depth = (uint8_t) e->depth, flags = (uint8_t) e->flags;
  if (t->longer)
    t->longer[slot] = (sd_long_entry){ score, depth, flags, code };
  else
    t->entry[slot] = (sd_entry){ score, depth, flags, (uint32_t) code };
  if (t->position)
    t->position[slot] = *p;
}
