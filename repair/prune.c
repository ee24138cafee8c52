/** \file prune.c
 * Dropping phrases that do not pay for their entry in the dictionary, the youngest first, so that what only
 * they were made of can follow.
 *
 * A phrase with f occurrences saves f times what its parts would cost in its place, at the ideal lengths of
 * an order-0 code. As the pairs were replaced it has to save its own entry. Where the sequence is parsed anew
 * (st->anew) more is known to lie in the dictionary (a third of such a stream, two fifths of its phrases
 * stand in no block and are only parts of others): there a phrase has to pay for the parts that only it uses,
 * too, and a quarter more than its estimate, since another parse will do better without it than its parts do.
 * Results of KQvKR, KNPvK and KRvKN (four streams), three rounds: 67,300 bytes by the first rule, 67,217 with
 * what only it uses, 66,927 with a quarter more as well. Cost: one pass over the sequence.
 *
 * Where a dictionary has room for fewer phrases than pay, the price of an entry rises until those that are
 * left fit. Four times as many phrases as fit, found first, take 0.8 per cent off a stream of 86 million
 * slots (KBPvKN) beside a dictionary that is full with the most frequent pairs. */
#include "config.h"
#include "repair/repair_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define LEVELS 12 /* of parts looked at */

typedef struct pruner {
  sd_repair *st;
  uint32_t *refs; /* [id] how often it is a part */
  bool *drop;
  double total, entry_bits;
  bool dear; /* more is asked than an entry takes */
} pruner;

/* Is x nowhere but inside other phrases? */
static bool is_inner (const sd_repair *st, unsigned x) {
  return x >= st->a && st->freq[x] == 0;
}

/* Phrases that nobody needs once the parts of id are not referred to by it. */
static unsigned release (pruner *p, unsigned id) {
  const sd_phrase part[2] = { p->st->left[id], p->st->right[id] };
  unsigned freed = 0;
  /* A part that stands nowhere else goes with it, and its own parts in turn. */
  for (unsigned k = 0; k < 2; k++)
    if (--p->refs[part[k]] == 0 && is_inner (p->st, part[k]))
      freed += 1 + release (p, part[k]);
  return freed;
}

/* And back. */
static void hold (pruner *p, unsigned id) {
  const sd_phrase part[2] = { p->st->left[id], p->st->right[id] };
  for (unsigned k = 0; k < 2; k++)
    if (p->refs[part[k]]++ == 0 && is_inner (p->st, part[k]))
      hold (p, part[k]);
}

/* Bits for f more occurrences of x; of its parts where nothing else needs it, so many levels down: inner
 * phrases share parts, and all ways through them would be too many. */
static double bits_of (const pruner *p, unsigned x, double f, unsigned levels) {
  const sd_repair *st = p->st;
  const double whole = f * log2 (p->total / ((double) st->freq[x] + f));
  if (!st->anew || !is_inner (st, x) || levels == 0)
    return whole;
  const unsigned l = st->left[x], r = st->right[x];
  const double left = bits_of (p, l, f, levels - 1),
               parts = left + (l == r ? left : bits_of (p, r, f, levels - 1));
  return p->refs[x] && whole < parts ? whole : parts;
}

/* What stands for f occurrences of x that are written out; symbols for each. An inner phrase at the last
 * level gets them itself, and is judged later, being older. */
static double write_out (pruner *p, unsigned x, uint64_t f, unsigned levels) {
  sd_repair *st = p->st;
  if (!is_inner (st, x) || p->refs[x] || !st->anew || levels == 0) {
    if (st->anew && is_inner (st, x) && !p->refs[x]) /* no longer inner: hold (id) will not go into it */
      hold (p, x);
    st->freq[x] += f;
    return 1;
  }
  const unsigned l = st->left[x], r = st->right[x];
  if (l == r)
    return 2 * write_out (p, l, 2 * f, levels - 1);
  return write_out (p, l, f, levels - 1) + write_out (p, r, f, levels - 1);
}

static void judge (pruner *p, unsigned id) {
  sd_repair *st = p->st;
  const uint64_t f = st->freq[id];
  const unsigned l = st->left[id], r = st->right[id];

  /* It is a part of a phrase that stays. */
  if (p->refs[id])
    return;
  if (f > 0) {
    /* What would go with it is taken out while the parts' costs are estimated, and put back afterwards. */
    const unsigned freed = st->anew ? release (p, id) : 0;
    const double bits = bits_of (p, l, (double) f, LEVELS) + bits_of (p, r, (double) f, LEVELS)
                        - (double) f * log2 (p->total / (double) f);
    /* As in pairs.c a frequent phrase is never judged by the estimate, which sees no gain among equal
     * symbols. */
    const bool pays = (f >= 64 && !p->dear) || bits > p->entry_bits * (1 + freed);
    /* Each occurrence becomes as many symbols as stand for its parts. */
    if (!pays)
      p->total += (double) f * (write_out (p, l, f, LEVELS) + write_out (p, r, f, LEVELS) - 1);
    if (st->anew)
      hold (p, id);
    if (pays)
      return;
  }
  p->drop[id] = true;
  st->freq[id] = 0;
  p->refs[l]--;
  p->refs[r]--;
}

int sd_repair_drop (sd_repair *st, const bool *drop, sd_lattice *l) {
  SD_OWNED sd_phrase *new_id = sd_alloc (st->used, sizeof *new_id);
  unsigned next = 0;

  if (!new_id)
    return SD_ENOMEM;
  for (unsigned id = 0; id < st->used; id++)
    new_id[id] = (sd_phrase) (drop[id] ? 0 : next++);
  if (next == st->used)
    return SD_OK;
  if (l)
    sd_lattice_drop (l, drop, new_id);
  /* First the sequence, while phrases still have their old ids, then the ids. */
  sd_repair_open_up (st, drop);
  for (uint64_t i = 0; i < st->n; i++)
    st->ids[i] = new_id[st->ids[i]];
  for (unsigned id = 0; id < st->used; id++)
    if (!drop[id]) {
      const unsigned to = new_id[id];
      /* Parts of what stays must stay themselves; as ids only move down, none is overwritten before it is
       * read. */
      assert (id < st->a || (!drop[st->left[id]] && !drop[st->right[id]]));
      st->left[to] = new_id[st->left[id]];
      st->right[to] = new_id[st->right[id]];
      st->length[to] = st->length[id];
      st->depth[to] = st->depth[id];
      st->freq[to] = st->freq[id];
    }
  st->used = next;
  return SD_OK;
}

/* With entries that cost so many times what they take. */
static int prune_at (sd_repair *st, double times) {
  SD_OWNED uint32_t *refs = sd_alloc0 (st->used, sizeof *refs);
  SD_OWNED bool *drop = sd_alloc0 (st->used, sizeof *drop);
  pruner p = { .st = st, .refs = refs, .drop = drop, .total = (double) st->n, .dear = times > 1 };

  p.entry_bits =
      (st->entry_bits ? st->entry_bits : 5 + sd_bits_for (st->used)) * (st->anew ? 1.25 : 1) * times;
  if (!refs || !drop)
    return SD_ENOMEM;
  sd_repair_count_symbols (st);
  for (unsigned id = st->a; id < st->used; id++) {
    p.refs[st->left[id]]++;
    p.refs[st->right[id]]++;
  }
  /* The youngest first: when an older one is judged it is known whether it is still a part of anything. */
  for (unsigned id = st->used; id-- > st->a;)
    judge (&p, id);
  return sd_repair_drop (st, drop, NULL);
}

/* The price rises in smaller steps near the end, so that few more go than have to; phrases that save the same
 * go together. Parts go after what they are parts of, so that a high price leaves none. */
int sd_repair_prune (sd_repair *st) {
  double times = 1;
  SD_TRY (prune_at (st, times));
  while (st->keep && st->used > st->keep) {
    const double over = (double) st->used / st->keep;
    times *= over > 1.5 ? 1.3 : over > 1.1 ? 1.1 : 1.03;
    SD_TRY (prune_at (st, times));
  }
  return SD_OK;
}
