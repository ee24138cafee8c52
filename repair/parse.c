/** \file parse.c
 * The cheapest parse of a subdefinite sequence with a given dictionary: a shortest path over positions, with
 * an edge wherever a phrase fits, that is, wherever each of its symbols is admissible for the slot there.
 *
 * With a budget the sequence is cut into blocks that hold as many slots as the budget pays for. What is left
 * of the budget at the end of a block buys the phrase that covers most slots, even if its tail does not fit:
 * the decoder stops where the next block starts.
 *
 * Memory: 8 bytes for each position of the longest block. */
#include "config.h"
#include "base/parts.h"
#include "repair/parse_internal.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(SD_PARSE_PLANES <= 8, "what a slot admits is a byte");

#define MAX_WINDOW (1u << 24) /* positions of a block at most */
#define MAX_SLACK (512 * SD_PARSE_BIT)

/* Without blocks: segments by themselves, then put together. */
static int parse_segments (sd_repair *st, const sd_parser *common, uint64_t n) {
  uint64_t segments = (n + SD_PARSE_SEGMENT - 1) / SD_PARSE_SEGMENT, done = 0;
  SD_OWNED uint64_t *count = sd_alloc (segments, sizeof *count);
  int status = count ? SD_OK : SD_ENOMEM;

/* One segment is no work to share, and threads that wait for more spin. */
#pragma omp parallel if (segments > 1)
  {
    sd_parser p = *common;
    int mine = count ? sd_parser_init (&p, n < SD_PARSE_SEGMENT ? n : SD_PARSE_SEGMENT) : SD_ENOMEM;
#pragma omp for schedule(dynamic) reduction(max : status)
    for (uint64_t s = 0; s < segments; s++) {
      mine = mine ? mine : sd_stopped (st->progress);
      if (mine) {
        status = mine;
        continue;
      }
      uint64_t end;
      p.first = s * SD_PARSE_SEGMENT;
      p.end = n - p.first < SD_PARSE_SEGMENT ? n : p.first + SD_PARSE_SEGMENT;
      /* Each segment is parsed as if nothing stood before and behind it. What that loses is one phrase
       * that might have crossed the border, a segment. */
      sd_parser_forget (&p);
      sd_parser_settle (&p);
      count[s] = sd_parser_trace (&p, st->ids + p.first, &end);
      /* The way must reach the end: the main symbols of all slots have codes, else the caller's costs are
       * wrong. */
      if (end != p.end)
        status = SD_EINVAL; /* no phrase fits */
      uint64_t so_far;
#pragma omp atomic capture
      so_far = ++done;
      /* Progress must not come from several threads. */
      if (s % 8 == 0 && sd_thread_number () == 0)
        sd_report (st->progress, "parsing", so_far, segments);
    }
    sd_parser_clear (&p);
  }
  /* Phrases are never more than slots, so that each segment's phrases stood in its own place until now. */
  uint64_t o = 0;
  for (uint64_t s = 0; !status && s < segments; s++) {
    memmove (st->ids + o, st->ids + s * SD_PARSE_SEGMENT, count[s] * sizeof *st->ids);
    o += count[s];
  }
  st->n = o;
  return status;
}

/* Room for one more block; its two lists grow together. */
int sd_parsed_reserve (sd_parsed *blocks, uint64_t *cap) {
  uint64_t same = *cap;
  return sd_grow (&blocks->start, &same, blocks->n + 2) && sd_grow (&blocks->phrase, cap, blocks->n + 2)
             ? SD_OK
             : SD_ENOMEM;
}

void sd_parsed_clear (sd_parsed *blocks) {
  free (blocks->start);
  free (blocks->phrase);
  free (blocks->ids);
  *blocks = (sd_parsed){ 0 };
}

void sd_parse_search_clear (sd_parse_search *s) {
  sd_trie_clear (&s->trie);
  sd_ahead_clear (&s->ahead);
  sd_wild_clear (&s->wild);
}

/* Where not all symbols are tried, at least one bit. */
static uint32_t lead_of (const sd_repair *st) {
  return st->narrow && st->lead < SD_PARSE_BIT ? SD_PARSE_BIT : st->lead;
}

int sd_parse_search_init (sd_parse_search *s, const sd_repair *st, const uint32_t *cost, uint32_t slack) {
  /* Few main symbols: rows of bits say where each of them fits, and where it stands in phrases. Many: tables
   * for runs of free slots instead. */
  const bool few = st->m <= SD_PARSE_PLANES;
  *s = (sd_parse_search){ 0 };
  SD_TRY (sd_trie_new (st, cost, &s->trie));
  const int status = few ? sd_ahead_new (st, &s->trie, &s->ahead) : sd_wild_new (st, &s->trie, &s->wild);
  if (status) {
    sd_parse_search_clear (s);
    return status;
  }
  s->parser = (sd_parser){ .st = st,
                           .trie = &s->trie,
                           .ahead = few ? &s->ahead : NULL,
                           .wild = few ? NULL : &s->wild,
                           .slack = slack == UINT32_MAX || slack <= MAX_SLACK ? slack : MAX_SLACK,
                           .lead = slack ? 0 : lead_of (st),
                           .but = SD_PARSE_ALL,
                           .budget = UINT32_MAX };
  return SD_OK;
}

/* Bit v of each of eight bytes, the first byte's lowest: the product has no two bits in one place, and bit 8
 * k comes to 56 + k. */
static inline uint64_t bits_of_bytes (uint64_t bytes, unsigned v) {
  return (bytes >> v & UINT64_C (0x0101010101010101)) * UINT64_C (0x0102040810204080) >> 56;
}

/* What 64 slots admit, a byte for each as there are at most SD_PARSE_PLANES main symbols; none behind the
 * last slot. */
static void fill_word (const sd_parser *p, uint64_t from, uint64_t n, uint64_t *const *plane) {
  for (unsigned b = 0; b < 64 && from + b < n; b += 8) {
    uint64_t sets = 0;
    for (unsigned i = 0; i < 8 && from + b + i < n; i++)
      sets |= sd_alphabet_set (p->st->alphabet, p->slot[from + b + i])[0] << 8 * i;
    for (unsigned v = 0; v < p->st->m; v++)
      plane[v][from / 64] |= bits_of_bytes (sets, v) << b;
  }
}

int sd_parser_set_slots (sd_parser *p, const sd_symbol *slot, uint64_t n, uint64_t **plane) {
  const sd_repair *st = p->st;
  const uint64_t words = n / 64 + 2;
  p->slot = slot;
  plane[0] = NULL;
  if (p->wild)
    return SD_OK;
  plane[0] = sd_alloc0 (st->m * words, sizeof **plane);
  if (!plane[0])
    return SD_ENOMEM;
  for (unsigned v = 0; v < st->m; v++)
    plane[v] = plane[0] + v * words;
  for (uint64_t from = 0; from < n; from += 64)
    fill_word (p, from, n, plane);
  p->plane = plane;
  return SD_OK;
}

int sd_repair_parse (sd_repair *st, const sd_seq *slots, const uint32_t *cost, uint32_t slack) {
  sd_parse_search s;
  uint64_t *plane[SD_PARSE_PLANES];
  SD_TRY (sd_parse_search_init (&s, st, cost, slack));
  int status = sd_parser_set_slots (&s.parser, slots->sym, slots->n, plane);
  if (!status)
    status = parse_segments (st, &s.parser, slots->n);
  free (plane[0]);
  sd_parse_search_clear (&s);
  return status;
}

/* ------------------------------------------------------------------ blocks */

/* Blocks of n slots that begin at p->slot. */
static int parse_blocks (sd_parser *p, uint64_t n, sd_parsed *blocks) {
  const sd_repair *st = p->st;
  /* A block ends when its bits are used up. The window bounds its positions: by the format, or for the
   * memory. */
  const uint64_t window = st->block_positions ? st->block_positions : MAX_WINDOW;
  uint64_t o = 0, end = 0, cap = 0, room = 0;
  while (end < n) {
    SD_TRY (sd_stopped (st->progress));
    p->first = end;
    p->end = n - end < window ? n : end + window;
    /* Each block begins with all of its budget: nothing that was found for the one before counts. */
    sd_parser_forget (p);
    sd_parser_settle (p);
    SD_TRY (sd_parsed_reserve (blocks, &cap));
    if (!sd_grow (&blocks->ids, &room, o + (p->last - p->first) + 1))
      return SD_ENOMEM;
    /* `end` is where this block ends and the next one begins. */
    const uint64_t count = sd_parser_trace (p, blocks->ids + o, &end);
    if (!count)
      return SD_EINVAL; /* no phrase fits */
    blocks->start[blocks->n] = p->first;
    blocks->phrase[blocks->n++] = o;
    o += count;
    blocks->phrase[blocks->n] = o;
    if (n == p->total)
      sd_report (st->progress, "blocks", end, n);
  }
  return SD_OK;
}

/* The blocks of one part of the sequence. */
static int parse_part (const sd_parser *common, const sd_symbol *slot, uint64_t n, sd_parsed *blocks) {
  sd_parser p = *common;
  uint64_t *plane[SD_PARSE_PLANES];
  const uint64_t window = p.st->block_positions ? p.st->block_positions : MAX_WINDOW;
  int status = sd_parser_set_slots (&p, slot, n, plane);
  if (!status)
    status = sd_parser_init (&p, n < window ? n : window);
  if (!status)
    status = parse_blocks (&p, n, blocks);
  sd_parser_clear (&p);
  free (plane[0]);
  return status;
}

/* All parts one behind the other. */
static int join (sd_parsed *part, uint64_t parts, uint64_t size, sd_parsed *out) {
  uint64_t blocks = 0, ids = 0;
  /* Nothing to be joined: what the part holds is handed over. */
  if (parts == 1) {
    *out = part[0];
    part[0] = (sd_parsed){ 0 };
    return SD_OK;
  }
  for (uint64_t k = 0; k < parts; k++) {
    blocks += part[k].n;
    ids += part[k].phrase[part[k].n];
  }
  out->start = sd_alloc (blocks, sizeof *out->start);
  out->phrase = sd_alloc (blocks + 1, sizeof *out->phrase);
  out->ids = sd_alloc (ids, sizeof *out->ids);
  if (!out->start || !out->phrase || !out->ids)
    return SD_ENOMEM;
  uint64_t at = 0;
  for (uint64_t k = 0; k < parts; k++) {
    const sd_parsed *p = &part[k];
    for (uint64_t b = 0; b < p->n; b++) {
      /* Positions and phrases were counted from the beginning of the part. */
      out->start[out->n] = k * size + p->start[b];
      out->phrase[out->n++] = at + p->phrase[b];
    }
    memcpy (out->ids + at, p->ids, p->phrase[p->n] * sizeof *p->ids);
    at += p->phrase[p->n];
  }
  out->phrase[out->n] = at;
  return SD_OK;
}

int sd_repair_parse_blocks (const sd_repair *st, const sd_seq *slots, const uint32_t *cost, uint32_t slack,
                            uint32_t block_bits, sd_parsed *blocks) {
  /* Parts of a fixed size, not one for each thread: the blocks are the same for any number of threads. */
  const uint64_t size = st->part_positions && st->part_positions < slots->n ? st->part_positions : slots->n,
                 parts = (slots->n + size - 1) / size;
  sd_parse_search s;
  SD_OWNED sd_parsed *part = sd_alloc0 (parts, sizeof *part);
  *blocks = (sd_parsed){ 0 };
  SD_TRY (part ? sd_parse_search_init (&s, st, cost, slack) : SD_ENOMEM);
  s.parser.budget = block_bits * SD_PARSE_BIT;
  s.parser.total = slots->n;
  int status = SD_OK;
  uint64_t done = 0;
#pragma omp parallel for if (parts > 1) schedule(dynamic, 1) reduction(max : status)
  for (uint64_t k = 0; k < parts; k++) {
    const uint64_t from = k * size, left = slots->n - from;
    const int mine = parse_part (&s.parser, slots->sym + from, left < size ? left : size, &part[k]);
    status = mine > status ? mine : status;
    uint64_t so_far;
#pragma omp atomic capture
    so_far = ++done;
    if (sd_thread_number () == 0)
      sd_report (st->progress, "blocks", so_far, parts);
  }
  if (!status)
    status = join (part, parts, size, blocks);
  for (uint64_t k = 0; k < parts; k++)
    sd_parsed_clear (&part[k]);
  sd_parse_search_clear (&s);
  return status;
}

/* --------------------------------------------------------------- detours */

/* The occurrences of one phrase, each parsed without it. */
static void detours_of (sd_parser *p, const uint64_t *place, uint64_t count, sd_phrase *way, sd_detours *d) {
  const sd_repair *st = p->st;
  const unsigned id = p->but;

  for (uint64_t k = 0; k < count; k++) {
    uint64_t end;
    /* Only the slots that the phrase covers are parsed: before and behind it everything stays. */
    p->first = place[k];
    p->end = place[k] + st->length[id];
    sd_parser_forget (p);
    sd_parser_settle (p);
    if (p->last != p->end) {
      d->cost[id] = UINT64_MAX;
      return;
    }
    d->cost[id] += p->place[p->end - p->first].cost;
    /* Phrases on the way around must stay if this one goes. */
    for (uint64_t n = sd_parser_trace (p, way, &end); n-- > 0;)
      d->through[id * d->words + way[n] / 64] |= UINT64_C (1) << (way[n] % 64);
  }
}

/* Phrase by phrase, as each of them is the one that its own detours must not take. */
static int all_detours (const sd_parser *common, const uint64_t *place, const uint64_t *first,
                        sd_detours *d) {
  const sd_repair *st = common->st;
  int status = SD_OK;

#pragma omp parallel reduction(max : status)
  {
    sd_parser p = *common;
    sd_phrase *way = sd_alloc (st->max_length, sizeof *way);
    status = way ? sd_parser_init (&p, st->max_length) : SD_ENOMEM;
#pragma omp for schedule(dynamic)
    for (unsigned id = st->a; id < st->used; id++)
      if (!status && d->want[id]) {
        p.but = id;
        detours_of (&p, place + first[id], first[id + 1] - first[id], way, d);
      }
    sd_parser_clear (&p);
    free (way);
  }
  return status;
}

int sd_repair_find_detours (const sd_repair *st, const sd_seq *slots, const uint32_t *cost, uint32_t slack,
                            sd_detours *out) {
  SD_OWNED uint64_t *first = sd_alloc0 (st->used + 2, sizeof *first);
  if (!first)
    return SD_ENOMEM;
  /* Places by phrase, sorted by counting; shifted by two, since filling moves each begin on by one. */
  for (uint64_t i = 0; i < st->n; i++)
    first[st->ids[i] + 2] += out->want[st->ids[i]];
  for (unsigned id = 0; id < st->used; id++)
    first[id + 2] += first[id + 1];
  SD_OWNED uint64_t *place = sd_alloc (first[st->used + 1], sizeof *place);
  if (!place)
    return SD_ENOMEM;
  uint64_t at = 0;
  for (uint64_t i = 0; i < st->n; i++) { /* first[id + 1] moves to where id + 1 begins */
    if (out->want[st->ids[i]])
      place[first[st->ids[i] + 1]++] = at;
    at += st->length[st->ids[i]];
  }
  sd_parse_search s;
  uint64_t *plane[SD_PARSE_PLANES];
  SD_TRY (sd_parse_search_init (&s, st, cost, slack));
  int status = sd_parser_set_slots (&s.parser, slots->sym, slots->n, plane);
  if (!status)
    status = all_detours (&s.parser, place, first, out);
  free (plane[0]);
  sd_parse_search_clear (&s);
  return status;
}
