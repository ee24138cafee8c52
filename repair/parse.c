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
#include "repair/parse_internal.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define SEGMENT (1u << 17)    /* positions of one task without blocks */
#define MAX_WINDOW (1u << 24) /* positions of a block at most */
#define MAX_SLACK (512 * SD_PARSE_BIT)

static bool first_thread (void) {
#ifdef _OPENMP
  return omp_get_thread_num () == 0;
#else
  return true;
#endif
}

/* Without blocks: segments by themselves, then put together. */
static int parse_segments (sd_repair *st, const sd_parser *common, uint64_t n) {
  uint64_t segments = (n + SEGMENT - 1) / SEGMENT, done = 0;
  SD_OWNED uint64_t *count = sd_alloc (segments, sizeof *count);
  int status = count ? SD_OK : SD_ENOMEM;
#pragma omp parallel
  {
    sd_parser p = *common;
    int mine = count ? sd_parser_init (&p, n < SEGMENT ? n : SEGMENT) : SD_ENOMEM;
#pragma omp for schedule(dynamic) reduction(max : status)
    for (uint64_t s = 0; s < segments; s++) {
      if (mine) {
        status = mine;
        continue;
      }
      uint64_t end;
      p.first = s * SEGMENT;
      p.end = n - p.first < SEGMENT ? n : p.first + SEGMENT;
      sd_parser_forget (&p);
      sd_parser_settle (&p);
      count[s] = sd_parser_trace (&p, st->ids + p.first, &end);
      if (end != p.end)
        status = SD_EINVAL; /* no phrase fits */
      uint64_t so_far;
#pragma omp atomic capture
      so_far = ++done;
      if (s % 8 == 0 && first_thread ())
        sd_report (st->progress, "parsing", so_far, segments);
    }
    sd_parser_clear (&p);
  }
  uint64_t o = 0;
  for (uint64_t s = 0; !status && s < segments; s++) {
    memmove (st->ids + o, st->ids + s * SEGMENT, count[s] * sizeof *st->ids);
    o += count[s];
  }
  st->n = o;
  return status;
}

static int parse_blocks (sd_repair *st, const sd_parser *common, uint64_t n, sd_parsed *blocks) {
  sd_parser p = *common;
  uint64_t o = 0, end = 0, cap = 0;
  const uint64_t window = st->block_positions ? st->block_positions : MAX_WINDOW;
  int status = sd_parser_init (&p, n < window ? n : window);
  *blocks = (sd_parsed){ 0 };
  while (!status && end < n) {
    if ((status = sd_parsed_reserve (blocks, &cap)))
      break;
    p.first = end;
    p.end = n - end < window ? n : end + window;
    sd_parser_forget (&p);
    sd_parser_settle (&p);
    uint64_t count = sd_parser_trace (&p, st->ids + o, &end);
    if (!count) {
      status = SD_EINVAL; /* no phrase fits */
      break;
    }
    blocks->start[blocks->n] = p.first;
    blocks->phrase[blocks->n++] = o;
    o += count;
    sd_report (st->progress, "blocks", end, n);
  }
  if (!status)
    blocks->phrase[blocks->n] = o;
  st->n = o;
  sd_parser_clear (&p);
  return status;
}

int sd_parsed_reserve (sd_parsed *blocks, uint64_t *cap) {
  uint64_t same = *cap;
  return sd_grow (&blocks->start, &same, blocks->n + 2) && sd_grow (&blocks->phrase, cap, blocks->n + 2)
             ? SD_OK
             : SD_ENOMEM;
}

void sd_parsed_clear (sd_parsed *blocks) {
  free (blocks->start);
  free (blocks->phrase);
  *blocks = (sd_parsed){ 0 };
}

static int make_planes (const sd_alphabet *a, const sd_symbol *slot, uint64_t n, uint64_t **plane) {
  unsigned m = sd_alphabet_main (a);
  uint64_t words = n / 64 + 2;
  plane[0] = sd_alloc0 (m * words, sizeof **plane);
  if (!plane[0])
    return SD_ENOMEM;
  for (unsigned v = 0; v < m; v++)
    plane[v] = plane[0] + v * words;
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t rest = sd_alphabet_set (a, slot[i])[0]; rest; rest &= rest - 1)
      plane[__builtin_ctzll (rest)][i >> 6] |= UINT64_C (1) << (i & 63);
  return SD_OK;
}

int sd_repair_parse (sd_repair *st, const sd_symbol *slot, uint64_t n, const uint32_t *cost, uint32_t slack,
                     uint32_t block_bits, sd_parsed *blocks) {
  SD_RELEASED_BY (sd_trie_clear) sd_trie trie = { 0 };
  SD_RELEASED_BY (sd_wild_clear) sd_wild wild = { 0 };
  uint64_t *plane[SD_PARSE_PLANES] = { NULL };
  SD_TRY (sd_trie_new (st, cost, &trie));
  int status =
      st->m <= SD_PARSE_PLANES ? make_planes (st->alphabet, slot, n, plane) : sd_wild_new (st, &trie, &wild);
  sd_parser p = { .st = st,
                  .trie = &trie,
                  .slot = slot,
                  .plane = st->m <= SD_PARSE_PLANES ? plane : NULL,
                  .wild = st->m <= SD_PARSE_PLANES ? NULL : &wild,
                  .slack = slack == UINT32_MAX || slack <= MAX_SLACK ? slack : MAX_SLACK,
                  .lead = st->narrow && !slack ? SD_PARSE_BIT : 0,
                  .budget = blocks ? block_bits * SD_PARSE_BIT : UINT32_MAX };
  if (!status)
    status = blocks ? parse_blocks (st, &p, n, blocks) : parse_segments (st, &p, n);
  free (plane[0]);
  return status;
}
