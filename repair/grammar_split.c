/** \file grammar_split.c
 * Other parts for the symbols of a dictionary: fewer symbols that are only parts of others, and fewer steps
 * from a symbol to a value.
 *
 * The sequence is parsed, and each symbol stands at certain places of it, by itself or inside others. All
 * that it spells has to be admitted by the slots there, and where none of them asks for a value it may spell
 * any. So a symbol may be cut into any two symbols that fit what its places ask for, not only into those that
 * spell what it did, and a part without a code can go as soon as all symbols that it is a part of are cut
 * elsewhere.
 *
 * A reader that wants one value goes from a symbol to one of its parts until it is there. Among the cuts into
 * symbols that are left, the one with the fewest steps, summed over all positions, costs no byte. Four
 * streams of KRvKP, KPvKP, KNvKP and KBBvK: 7.8 to 13.4 steps on average without that, 5.2 to 6.2 with it.
 *
 * Parts are found by comparing with all symbols of a length. Time: a few comparisons for each pair of
 * symbols, and again for each part that is tried. Memory: 18 bytes for each position of each symbol. */
#include "config.h"
#include "repair/grammar.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = UINT16_MAX, FEW = 64, PASSES = 3 };

typedef struct splitter {
  sd_grammar *g;
  uint64_t *at;    /* [id] where its positions begin in the three that follow */
  uint16_t *text;  /* what it spells */
  uint64_t *asked; /* bits of the values that all its places in the sequence admit; with more than FEW values
                      all bits, or none: only what it spells now */
  uint64_t *may;   /* the same of its places inside others, too; never more than is asked */
  uint16_t *order; /* ids by rising length */
  uint32_t *first; /* [length] where these begin there */
  uint32_t *refs;  /* [id] symbols in use that it is a part of */
  bool *alive;     /* [id] has a code or is a part of one that is alive */
  bool *changed;   /* [id] */
} splitter;

/* ------------------------------------------------------------------- what symbols spell */

static void spell (splitter *s, unsigned id) {
  const sd_grammar *g = s->g;
  uint16_t *to = s->text + s->at[id];
  if (id < g->m)
    *to = (uint16_t) id;
  else {
    const unsigned l = g->left[id], r = g->right[id];
    memcpy (to, s->text + s->at[l], g->length[l] * sizeof *to);
    memcpy (to + g->length[l], s->text + s->at[r], g->length[r] * sizeof *to);
  }
}

/* This symbol, and all that it is inside of. */
static void spell_above (splitter *s, unsigned id) {
  const sd_grammar *g = s->g;
  memset (s->changed, 0, g->n * sizeof *s->changed);
  s->changed[id] = true;
  /* Whatever has it inside is longer. By rising length parts are spelled before what they are parts of. */
  for (uint32_t i = s->first[g->length[id]]; i < g->n; i++) {
    const unsigned x = s->order[i];
    if (x == id || (x >= g->m && (s->changed[g->left[x]] || s->changed[g->right[x]]))) {
      spell (s, x);
      s->changed[x] = true;
    }
  }
}

static void sort_by_length (splitter *s) {
  const sd_grammar *g = s->g;
  for (unsigned id = 0; id < g->n; id++)
    s->first[g->length[id] + 1]++;
  for (unsigned n = 0; n <= UINT16_MAX; n++)
    s->first[n + 1] += s->first[n];
  for (unsigned id = 0; id < g->n; id++)
    s->order[s->first[g->length[id]]++] = (uint16_t) id;
  /* Counting moved each begin to where the next length begins: back by one. */
  memmove (s->first + 1, s->first, (UINT16_MAX + 1) * sizeof *s->first);
  s->first[0] = 0;
}

/* ------------------------------------------------------------------- what places ask for */

/* The values that a slot admits, as bits. */
static uint64_t admitted (const splitter *s, const sd_alphabet *a, sd_symbol slot) {
  if (s->g->m <= FEW)
    return sd_alphabet_set (a, slot)[0];
  return sd_alphabet_choices (a, slot) == s->g->m ? UINT64_MAX : 0;
}

static void ask_sequence (splitter *s, const sd_grammar_cut *cut, const sd_seq *slots) {
  const sd_grammar *g = s->g;
  for (uint64_t b = 0; b < cut->blocks; b++) {
    uint64_t place = cut->start[b];
    for (uint64_t i = cut->first[b]; i < cut->first[b + 1]; i++) {
      const unsigned id = cut->symbol[i];
      /* The last symbol of a block may reach beyond its end; nobody looks at its positions there. */
      const uint64_t left = cut->start[b + 1] - place, n = g->length[id] < left ? g->length[id] : left;
      for (uint64_t k = 0; k < n; k++)
        s->asked[s->at[id] + k] &= admitted (s, slots->alphabet, slots->sym[place + k]);
      place += n;
    }
  }
}

/* A part asks for what its symbol is asked for, and its parts do. */
static void narrow (splitter *s, unsigned id, const uint64_t *may, unsigned n) {
  uint64_t *mine = s->may + s->at[id];
  uint64_t lost = 0;
  for (unsigned k = 0; k < n; k++) {
    /* What these positions may no longer hold. If nothing is lost, the parts have been told. */
    lost |= mine[k] & ~may[k];
    mine[k] &= may[k];
  }
  if (lost && id >= s->g->m) {
    const unsigned l = s->g->left[id], r = s->g->right[id], middle = s->g->length[l];
    narrow (s, l, mine, middle);
    narrow (s, r, mine + middle, n - middle);
  }
}

/* Forget what symbols asked for that are no longer cut so, or not alive. */
static void ask_anew (splitter *s, uint64_t all) {
  const sd_grammar *g = s->g;
  memcpy (s->may, s->asked, all * sizeof *s->may);
  /* From long to short: a symbol knows all that is asked of it before its parts are asked. */
  for (uint32_t i = g->n; i-- > 0;) {
    const unsigned id = s->order[i];
    if (id < g->m || !s->alive[id])
      continue;
    const uint64_t *mine = s->may + s->at[id];
    const unsigned part[2] = { g->left[id], g->right[id] };
    for (unsigned k = 0; k < 2; k++) {
      uint64_t *to = s->may + s->at[part[k]];
      for (unsigned n = 0; n < g->length[part[k]]; n++)
        to[n] &= *mine++;
    }
  }
}

/* ------------------------------------------------------------------- parts */

/* May x stand at these positions of id? */
static bool fits (const splitter *s, unsigned x, unsigned id, unsigned from) {
  const uint16_t *text = s->text + s->at[x], *now = s->text + s->at[id] + from;
  const uint64_t *may = s->may + s->at[id] + from;
  const bool few = s->g->m <= FEW;
  /* With more than 64 values the bits say only whether any value may stand there; else it must be what it
   * is. */
  for (unsigned k = 0; k < s->g->length[x]; k++)
    if (few ? !(may[k] >> text[k] & 1) : !may[k] && text[k] != now[k])
      return false;
  return true;
}

/* The next symbol of n positions that may stand there, has a code (coded) or is alive, and is not `but`.
 * from: where the search goes on among the symbols of that length. */
static unsigned find_part (const splitter *s, unsigned id, unsigned at, unsigned n, unsigned but, bool coded,
                           uint32_t *from) {
  while (*from < s->first[n + 1]) {
    const unsigned x = s->order[(*from)++];
    if (x != but && (coded ? s->g->bits[x] != 0 : s->alive[x]) && fits (s, x, id, at))
      return x;
  }
  return NOBODY;
}

static unsigned any_part (const splitter *s, unsigned id, unsigned at, unsigned n, unsigned but, bool coded) {
  uint32_t from = s->first[n];
  return find_part (s, id, at, n, but, coded, &from);
}

/* A cut of the symbol into parts that are alive, or have a code, without `but`; false: there is none. */
static bool find_cut (const splitter *s, unsigned id, unsigned but, bool coded, uint16_t part[2]) {
  const unsigned n = s->g->length[id];
  for (unsigned k = 1; k < n; k++) {
    const unsigned l = any_part (s, id, 0, k, but, coded);
    /* The right part is only looked for where there is a left one: most lengths fail at once. */
    const unsigned r = l == NOBODY ? NOBODY : any_part (s, id, k, n - k, but, coded);
    if (r != NOBODY) {
      part[0] = (uint16_t) l;
      part[1] = (uint16_t) r;
      return true;
    }
  }
  return false;
}

/* One more symbol in use has this one as a part; the first one brings it to life, and its parts. */
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

/* One less; the last one lets it go, and its parts. */
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

static void recut (splitter *s, unsigned id, const uint16_t part[2]) {
  sd_grammar *g = s->g;
  const unsigned l = g->left[id], r = g->right[id], middle = g->length[part[0]];
  /* The new parts are held before the old ones are let go, as they may have symbols in common. */
  hold (s, part[0]);
  hold (s, part[1]);
  g->left[id] = part[0];
  g->right[id] = part[1];
  release (s, l);
  release (s, r);
  /* The new parts now stand in all places of this symbol, too, and must not change what these ask for. */
  narrow (s, part[0], s->may + s->at[id], middle);
  narrow (s, part[1], s->may + s->at[id] + middle, g->length[id] - middle);
  spell_above (s, id);
}

/* Cut all that this one is a part of elsewhere; if that works it is not alive afterwards. */
static void try_without (splitter *s, unsigned x) {
  sd_grammar *g = s->g;
  uint16_t part[2];
  /* First all symbols that it is a part of are asked whether they can be cut elsewhere, and only if all can
   * are they. A cut narrows what others may be cut into, so that the second time one may still fail; then x
   * stays. */
  for (unsigned write = 0; write < 2; write++)
    for (unsigned id = g->m; id < g->n; id++) {
      if (!s->alive[id] || (g->left[id] != x && g->right[id] != x))
        continue;
      if (!find_cut (s, id, x, false, part))
        return;
      if (write)
        recut (s, id, part);
    }
}

static bool has_code (const splitter *s, unsigned id) {
  return s->g->bits[id] != 0;
}

static void split (splitter *s, uint64_t all) {
  sd_grammar *g = s->g;
  uint16_t part[2];

  /* A symbol lives because it has a code, or because one that lives is made of it. */
  for (unsigned id = 0; id < g->n; id++)
    if (has_code (s, id)) {
      s->alive[id] = true;
      if (id >= g->m) {
        hold (s, g->left[id]);
        hold (s, g->right[id]);
      }
    }
  for (unsigned pass = 0; pass < PASSES; pass++) {
    ask_anew (s, all);
    /* Two parts that have codes anyway take no entry for their own sake. */
    for (uint32_t i = 0; i < g->n; i++) {
      const unsigned id = s->order[i];
      if (id >= g->m && s->alive[id] && !(has_code (s, g->left[id]) && has_code (s, g->right[id]))
          && find_cut (s, id, NOBODY, true, part))
        recut (s, id, part);
    }
    /* Then parts without a code are tried one after the other. */
    for (unsigned most = 1; most < 9; most++) { /* those that are parts of few others go first */
      ask_anew (s, all);
      for (unsigned id = g->n; id-- > g->m;)
        if (s->alive[id] && !has_code (s, id) && s->refs[id] <= most)
          try_without (s, id);
    }
  }
}

/* ------------------------------------------------------------------- steps */

/* The cut with the fewest steps to all positions together, of parts that are alive. */
static void fewest_steps (splitter *s, unsigned id, uint32_t *steps) {
  sd_grammar *g = s->g;
  const unsigned n = g->length[id];

  /* Going down from a symbol of n positions is one step for each of them, and then what its parts take. */
  uint32_t best = steps[g->left[id]] + steps[g->right[id]] + n;
  uint16_t part[2] = { NOBODY, NOBODY };
  for (unsigned k = 1; k < n; k++) {
    unsigned l = NOBODY, r = NOBODY, x;
    /* The cheapest left part of k positions; with it alone a cut may already be too dear. */
    for (uint32_t from = s->first[k]; (x = find_part (s, id, 0, k, NOBODY, false, &from)) != NOBODY;)
      if (l == NOBODY || steps[x] < steps[l])
        l = x;
    if (l == NOBODY || steps[l] + n >= best)
      continue;
    for (uint32_t from = s->first[n - k]; (x = find_part (s, id, k, n - k, NOBODY, false, &from)) != NOBODY;)
      if (r == NOBODY || steps[x] < steps[r])
        r = x;
    if (r == NOBODY || steps[l] + steps[r] + n >= best)
      continue;
    best = steps[l] + steps[r] + n;
    part[0] = (uint16_t) l;
    part[1] = (uint16_t) r;
  }
  if (part[0] != NOBODY)
    recut (s, id, part);
  steps[id] = best;
}

/* The shorter ones first, as the parts of others. Symbols are no more than before. */
static int flatten (splitter *s, uint64_t all) {
  const sd_grammar *g = s->g;
  SD_OWNED uint32_t *steps = sd_alloc0 (g->n, sizeof *steps);
  if (!steps)
    return SD_ENOMEM;
  ask_anew (s, all);
  for (uint32_t i = 0; i < g->n; i++) {
    const unsigned id = s->order[i];
    if (id >= g->m && s->alive[id])
      fewest_steps (s, id, steps);
  }
  return SD_OK;
}

int sd_grammar_split (sd_grammar_cut *cut, const sd_seq *slots) {
  sd_grammar *g = &cut->grammar;
  SD_OWNED uint64_t *at = sd_alloc (g->n, sizeof *at);
  uint64_t all = 0;

  for (unsigned id = 0; at && id < g->n; id++) {
    at[id] = all;
    all += g->length[id];
  }
  SD_OWNED uint16_t *text = sd_alloc (all, sizeof *text), *order = sd_alloc (g->n, sizeof *order);
  SD_OWNED uint64_t *asked = sd_alloc (all, sizeof *asked), *may = sd_alloc (all, sizeof *may);
  SD_OWNED uint32_t *first = sd_alloc0 (UINT16_MAX + 2, sizeof *first),
                    *refs = sd_alloc0 (g->n, sizeof *refs);
  SD_OWNED bool *alive = sd_alloc0 (g->n, sizeof *alive), *changed = sd_alloc0 (g->n, sizeof *changed);
  splitter s = { g, at, text, asked, may, order, first, refs, alive, changed };
  if (!at || !text || !order || !asked || !may || !first || !refs || !alive || !changed)
    return SD_ENOMEM;
  sort_by_length (&s);
  for (unsigned i = 0; i < g->n; i++)
    spell (&s, order[i]);
  memset (asked, 255, all * sizeof *asked);
  ask_sequence (&s, cut, slots);
  split (&s, all);
  return flatten (&s, all);
}
