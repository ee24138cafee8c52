/** \file grammar_split.c
 * Other parts for the symbols of a dictionary: fewer symbols that are only parts of others, and fewer steps
 * from a symbol to a value. A symbol spells the same however it is cut into two parts, as
 * long as both are in the dictionary. Two fifths of a dictionary have no code and are only such parts; each
 * of them can go as soon as all symbols that it is a part of are cut elsewhere.
 *
 * A reader that wants one value goes from a symbol to one of its parts until it is there. Among the cuts into
 * symbols that are left, the one with the fewest steps, summed over all positions, costs no byte. Four streams
 * of KRvKP, KPvKP, KNvKP and KBBvK: 7.8 to 13.4 steps on average as pairs were found, 5.2 to 6.2 so.
 *
 * Substrings are found by their hashes and compared. Time: for each symbol one look-up for each of its
 * positions, and once more for each part that is tried. Memory: 10 bytes for each position of each symbol. */
#include "config.h"
#include "repair/grammar.h"

#include <stdlib.h>
#include <string.h>

#define BASE UINT64_C (0x9e3779b97f4a7c15)
enum { NOBODY = UINT16_MAX };

typedef struct splitter {
  sd_grammar *g;
  uint64_t *at;   /* [id] where its positions begin in text */
  uint16_t *text; /* of all symbols, one behind the other */
  uint64_t *sum;  /* [position] hash of the symbol up to here, and with it */
  uint64_t *power;
  uint16_t *table; /* ids by the hash of what they spell */
  unsigned log;
  uint32_t *refs; /* [id] symbols in use that it is a part of */
  bool *alive;    /* [id] has a code or is a part of one that is alive */
} splitter;

/* Hash of n positions of a symbol, from `from` on. */
static uint64_t hash_of (const splitter *s, unsigned id, unsigned from, unsigned n) {
  const uint64_t *sum = s->sum + s->at[id];
  return sum[from + n - 1] - (from ? sum[from - 1] * s->power[n] : 0);
}

static size_t slot_of (const splitter *s, uint64_t hash) {
  return (size_t) ((hash ^ hash >> 31) * BASE >> (64 - s->log));
}

/* The symbol that spells these positions; NOBODY: none does. */
static unsigned find_part (const splitter *s, unsigned id, unsigned from, unsigned n) {
  const uint16_t *want = s->text + s->at[id] + from;
  const size_t mask = ((size_t) 1 << s->log) - 1;
  for (size_t h = slot_of (s, hash_of (s, id, from, n)); s->table[h] != NOBODY; h = (h + 1) & mask) {
    const unsigned x = s->table[h];
    if (s->g->length[x] == n && memcmp (s->text + s->at[x], want, n * sizeof *want) == 0)
      return x;
  }
  return NOBODY;
}

static void spell (splitter *s) {
  const sd_grammar *g = s->g;
  for (unsigned id = 0; id < g->n; id++) {
    uint16_t *to = s->text + s->at[id];
    if (id < g->m)
      *to = (uint16_t) id;
    else {
      memcpy (to, s->text + s->at[g->left[id]], g->length[g->left[id]] * sizeof *to);
      memcpy (to + g->length[g->left[id]], s->text + s->at[g->right[id]],
              g->length[g->right[id]] * sizeof *to);
    }
    uint64_t hash = 0;
    for (unsigned i = 0; i < g->length[id]; i++)
      s->sum[s->at[id] + i] = hash = hash * BASE + to[i] + 1;
  }
}

/* Symbols with a code come first, so that of two that spell the same the useful one is found. */
static void fill_table (splitter *s) {
  const size_t mask = ((size_t) 1 << s->log) - 1;
  memset (s->table, 255, sizeof *s->table << s->log);
  for (unsigned coded = 1; coded < 2; coded--)
    for (unsigned id = 0; id < s->g->n; id++) {
      if ((s->g->bits[id] != 0) != coded)
        continue;
      size_t h = slot_of (s, hash_of (s, id, 0, s->g->length[id]));
      while (s->table[h] != NOBODY)
        h = (h + 1) & mask;
      s->table[h] = (uint16_t) id;
    }
}

/* ------------------------------------------------------------------- parts */

/* A cut of the symbol into parts that are alive, or have a code, without `but`; false: there is none. */
static bool find_cut (const splitter *s, unsigned id, unsigned but, bool coded, uint16_t part[2]) {
  const sd_grammar *g = s->g;
  for (unsigned k = 1; k < g->length[id]; k++) {
    const unsigned l = find_part (s, id, 0, k);
    if (l == NOBODY || l == but || !(coded ? g->bits[l] != 0 : s->alive[l]))
      continue;
    const unsigned r = find_part (s, id, k, g->length[id] - k);
    if (r == NOBODY || r == but || !(coded ? g->bits[r] != 0 : s->alive[r]))
      continue;
    part[0] = (uint16_t) l;
    part[1] = (uint16_t) r;
    return true;
  }
  return false;
}

static void hold (splitter *s, unsigned id) {
  sd_grammar *g = s->g;
  if (s->refs[id]++ || g->bits[id]) /* what has a code lives by itself */
    return;
  s->alive[id] = true;
  if (id >= g->m) {
    hold (s, g->left[id]);
    hold (s, g->right[id]);
  }
}

static void release (splitter *s, unsigned id) {
  sd_grammar *g = s->g;
  if (--s->refs[id] || g->bits[id])
    return;
  s->alive[id] = false;
  if (id >= g->m) {
    release (s, g->left[id]);
    release (s, g->right[id]);
  }
}

static void cut (splitter *s, unsigned id, const uint16_t part[2]) {
  const unsigned l = s->g->left[id], r = s->g->right[id];
  hold (s, part[0]);
  hold (s, part[1]);
  s->g->left[id] = part[0];
  s->g->right[id] = part[1];
  release (s, l);
  release (s, r);
}

/* Cut all that this one is a part of elsewhere; if that works it is not alive afterwards. */
static void try_without (splitter *s, unsigned x) {
  sd_grammar *g = s->g;
  uint16_t part[2];
  for (unsigned write = 0; write < 2; write++)
    for (unsigned id = g->m; id < g->n; id++) {
      if (!s->alive[id] || (g->left[id] != x && g->right[id] != x))
        continue;
      if (!find_cut (s, id, x, false, part))
        return;
      if (write)
        cut (s, id, part);
    }
}

static void split (splitter *s) {
  sd_grammar *g = s->g;
  uint16_t part[2];
  for (unsigned id = g->m; id < g->n; id++)
    if (find_cut (s, id, NOBODY, true, part)) {
      g->left[id] = part[0];
      g->right[id] = part[1];
    }
  for (unsigned id = 0; id < g->n; id++)
    if (g->bits[id]) {
      s->alive[id] = true;
      if (id >= g->m) {
        hold (s, g->left[id]);
        hold (s, g->right[id]);
      }
    }
  for (unsigned most = 1; most < 9; most++) /* those that are parts of few others go first */
    for (unsigned id = g->n; id-- > g->m;)
      if (s->alive[id] && !g->bits[id] && s->refs[id] <= most)
        try_without (s, id);
}

/* ------------------------------------------------------------------- steps */

static int by_value (const void *pa, const void *pb) {
  const uint32_t *a = pa, *b = pb;
  return *a < *b ? -1 : *a > *b;
}

/* The cut with the fewest steps to all positions together, of parts that are alive. */
static uint32_t fewest_steps (splitter *s, unsigned id, const uint32_t *steps) {
  sd_grammar *g = s->g;
  const unsigned n = g->length[id];
  uint32_t best = steps[g->left[id]] + steps[g->right[id]] + n;
  for (unsigned k = 1; k < n; k++) {
    const unsigned l = find_part (s, id, 0, k);
    if (l == NOBODY || !s->alive[l])
      continue;
    const unsigned r = find_part (s, id, k, n - k);
    if (r == NOBODY || !s->alive[r] || steps[l] + steps[r] + n >= best)
      continue;
    best = steps[l] + steps[r] + n;
    g->left[id] = (uint16_t) l;
    g->right[id] = (uint16_t) r;
  }
  return best;
}

/* The shorter ones first, as the parts of others. Symbols are no more than before. */
static int flatten (splitter *s) {
  const sd_grammar *g = s->g;
  SD_OWNED uint32_t *order = sd_alloc (g->n, sizeof *order), *steps = sd_alloc0 (g->n, sizeof *steps);
  if (!order || !steps)
    return SD_ENOMEM;
  for (unsigned id = 0; id < g->n; id++)
    order[id] = (uint32_t) g->length[id] << 16 | id;
  qsort (order, g->n, sizeof *order, by_value);
  for (unsigned i = 0; i < g->n; i++) {
    const unsigned id = order[i] & UINT16_MAX;
    if (id >= g->m && s->alive[id])
      steps[id] = fewest_steps (s, id, steps);
  }
  return SD_OK;
}

int sd_grammar_split (sd_grammar *g) {
  SD_OWNED uint64_t *at = sd_alloc (g->n, sizeof *at), *power = sd_alloc (UINT16_MAX + 1, sizeof *power);
  uint64_t all = 0;
  for (unsigned id = 0; at && id < g->n; id++) {
    at[id] = all;
    all += g->length[id];
  }
  SD_OWNED uint16_t *text = sd_alloc (all, sizeof *text);
  SD_OWNED uint64_t *sum = sd_alloc (all, sizeof *sum);
  splitter s = { .g = g, .at = at, .text = text, .sum = sum, .power = power, .log = sd_bits_for (g->n) + 2 };
  SD_OWNED uint16_t *table = s.table = sd_alloc ((size_t) 1 << s.log, sizeof *table);
  SD_OWNED uint32_t *refs = s.refs = sd_alloc0 (g->n, sizeof *refs);
  SD_OWNED bool *alive = s.alive = sd_alloc0 (g->n, sizeof *alive);
  if (!at || !power || !text || !sum || !table || !refs || !alive)
    return SD_ENOMEM;
  power[0] = 1;
  for (unsigned i = 1; i <= UINT16_MAX; i++)
    power[i] = power[i - 1] * BASE;
  spell (&s);
  fill_table (&s);
  split (&s);
  return flatten (&s);
}
