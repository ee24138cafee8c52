/** \file ahead.c
 * What stands behind the edges of the tree of phrases (trie.c), where there are few main symbols: which of
 * them have a phrase below the edge at each of the next slots.
 *
 * Where many slots are free nearly all phrases fit a few dozen slots far, and a walk that finds out symbol by
 * symbol visits most of the tree. But few of them are worth a place: a phrase has to reach beyond the places
 * that are known to cost no more, so that it covers a known number of slots behind an edge. If one of these
 * slots admits none of the symbols that stand there below the edge, no phrase below it is worth a visit. 64
 * slots are compared by a few operations on words. (WDL of KRvKP in the order of the name: a fifth of the
 * edges is visited.)
 *
 * Looked at are edges at which a walk chooses or a phrase ends. All others have one edge below them, and lead
 * in a straight line to the next one of these: what is compared includes the symbols on the way.
 *
 * Memory: for each such edge 12 bytes and 32 bytes a main symbol; there are less than three a phrase. */
#include "config.h"
#include "repair/repair_internal.h"

#include <stdlib.h>

/* Symbol number v at `count` places from `from` on. */
static void put_run (uint64_t *words, unsigned m, sd_symbol v, uint32_t from, uint32_t count) {
  const uint32_t end = count < SD_AHEAD - from ? from + count : SD_AHEAD;
  for (uint32_t w = from / 64; w * 64 < end; w++) {
    const uint32_t low = from > w * 64 ? from - w * 64 : 0, high = end - w * 64;
    words[w * m + v] |= UINT64_MAX << low & (high < 64 ? ~(UINT64_MAX << high) : UINT64_MAX);
  }
}

/* What stands behind a lower edge, `by` places further on. */
static void put_words (uint64_t *words, const uint64_t *below, unsigned m, uint32_t by) {
  for (uint32_t w = by / 64; w < SD_AHEAD_WORDS; w++) {
    const uint32_t from = w - by / 64, shift = by % 64;
    for (unsigned v = 0; v < m; v++) {
      words[w * m + v] |= below[from * m + v] << shift;
      if (shift && from)
        words[w * m + v] |= below[(from - 1) * m + v] >> (64 - shift);
    }
  }
}

/* Edges that are looked at get a number, which rises by edge. */
static uint32_t number_stops (sd_trie *trie, uint32_t edges) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < edges; k++)
    trie->edge[k].stop = k < trie->roots ? 0 : SD_AHEAD_NONE;
  /* Whoever is above stands before what is below. */
  for (uint32_t k = 0; k < edges; k++) {
    sd_trie_edge *e = trie->edge + k;
    for (uint32_t j = 0; e->nkids > 1 && j < e->nkids; j++)
      trie->edge[e->kids + j].stop = 0;
    const bool looked_at = e->stop == 0 || e->nkids > 1 || e->cost != SD_TRIE_NONE;
    e->stop = looked_at && e->nkids ? n++ : SD_AHEAD_NONE;
  }
  return n;
}

/* Only symbols that stand in phrases have words: of the five values of WDL50 endings with 3 and 4 men have
 * three. */
static void number_symbols (const sd_trie *trie, unsigned m, sd_ahead *a) {
  bool stands[SD_PARSE_PLANES] = { 0 };
  for (uint32_t k = trie->roots; k < trie->edges; k++)
    stands[trie->edge[k].value] = true;
  for (unsigned v = 0; v < m; v++)
    if (stands[v]) {
      a->number[v] = (uint8_t) a->m;
      a->symbol[a->m++] = (sd_symbol) v;
    }
}

/* The line below an edge with one edge below it. */
static void follow_line (const sd_trie *trie, const sd_trie_edge *e, sd_ahead *a) {
  const unsigned m = a->m;
  sd_ahead_stop *s = sd_ahead_at (a, e->stop);
  do {
    e = trie->edge + e->kids;
    if (s->clear < SD_AHEAD)
      put_run (s->words, m, a->number[e->value], s->clear, e->run);
    s->clear += e->run;
  } while (e->nkids && e->stop == SD_AHEAD_NONE);
  s->next = (uint32_t) (e - trie->edge);
  if (e->nkids && s->clear < SD_AHEAD)
    put_words (s->words, sd_ahead_at (a, e->stop)->words, m, s->clear);
}

static void look_behind (const sd_trie *trie, const sd_trie_edge *e, sd_ahead *a) {
  const unsigned m = a->m;
  sd_ahead_stop *s = sd_ahead_at (a, e->stop);
  s->least = SD_TRIE_NONE;
  for (const sd_trie_edge *k = trie->edge + e->kids, *end = k + e->nkids; k < end; k++) {
    s->least = k->least < s->least ? k->least : s->least;
    if (e->nkids == 1)
      break;
    put_run (s->words, m, a->number[k->value], 0, k->run);
    if (k->nkids && k->run < SD_AHEAD)
      put_words (s->words, sd_ahead_at (a, k->stop)->words, m, k->run);
  }
  if (e->nkids == 1)
    follow_line (trie, e, a);
}

int sd_ahead_new (const sd_repair *st, sd_trie *trie, sd_ahead *ahead) {
  const uint32_t n = number_stops (trie, trie->edges);
  *ahead = (sd_ahead){ 0 };
  number_symbols (trie, st->m, ahead);
  ahead->size = sizeof (sd_ahead_stop) / sizeof *ahead->stop + SD_AHEAD_WORDS * ahead->m;
  ahead->stop = sd_alloc0 (n * ahead->size, sizeof *ahead->stop);
  if (!ahead->stop)
    return SD_ENOMEM;
  /* What is below is known first. */
  for (uint32_t k = trie->edges; k-- > 0;)
    if (trie->edge[k].stop != SD_AHEAD_NONE)
      look_behind (trie, trie->edge + k, ahead);
  return SD_OK;
}

void sd_ahead_clear (sd_ahead *ahead) {
  free (ahead->stop);
  *ahead = (sd_ahead){ 0 };
}
