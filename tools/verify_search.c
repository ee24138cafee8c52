/* subdef verify --search: values of a table against a forward search for mates. The search knows the rules
 * alone: it makes no move backwards and reads no table, neither of the ending nor of those that captures and
 * promotions lead to. A value of n plies is right if there is a mate in n plies and none in less. */
#include "config.h"
#include "base/parts.h"
#include "base/text.h"
#include "probe/probe.h"
#include "search/search.h"
#include "tools/verify.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Slots of a thread's transposition table, of 16 bytes each: with codes of 64 bits two positions are confused
 * once in 2^64 probes. */
#define TABLE_SLOTS ((uint64_t) 1 << 22)
/* Positions that threads share at one time; slots that are looked at, at most, for each position that is
 * wanted. */
enum { BATCH = 64, SLOTS_PER_SAMPLE = 1000 };

/* A position whose value is compared. */
typedef struct item {
  sd_pos pos;
  sd_value stored, found; /* by the table; by the search, 0: no mate */
  unsigned plies;         /* that are searched */
} item;

typedef struct proof {
  const sd_table *t;
  sd_table_info in;
  sd_tables *tables; /* t among them */
  const sd_proof_options *how;
  sd_mate_search **search; /* of each thread */
  int threads;
  item *item; /* those that are to be searched */
  uint64_t nitems, room;
  uint64_t taken_mates,
      taken_others; /* to be searched so far; others: no mate that the table tells the length of */
  uint64_t mates, drawn, undecided, longer, wrong; /* of the judged ones */
} proof;

static void free_proof (proof *p) {
  for (int i = 0; p->search && i < p->threads; i++)
    sd_mate_search_free (p->search[i]);
  free (p->search);
  free (p->item);
  sd_tables_close (p->tables);
}

/* Each thread has a search with a table of its own, so that none waits for another. */
static int open_proof (proof *p, const char *path, sd_error *err) {
  p->threads = 1;
#ifdef _OPENMP
  p->threads = omp_get_max_threads ();
#endif

  sd_table_describe (p->t, &p->in);
  if (sd_table_info_is_game (&p->in) || (p->in.metric != SD_WDL && p->in.metric != SD_DTM))
    return sd_fail (err, SD_EUNSUPPORTED,
                    "--search looks for mates: expected a table of chess, of WDL or DTM");
  SD_TRY (sd_tables_open (path, SD_OPEN_CACHE, &p->tables, err));
  SD_TRY (sd_tables_use (p->tables, p->t));

  if (!(p->search = calloc ((size_t) p->threads, sizeof *p->search)))
    return sd_fail_memory (err, 0);
  const sd_mate_options o = { .table = { .slots = TABLE_SLOTS, .code_bits = 64 }, .seed = 1 };
  for (int i = 0; i < p->threads; i++)
    SD_TRY (sd_mate_search_new (&o, &p->search[i], err));
  return SD_OK;
}

/* ------------------------------------------------------------------- searching */

/* "a mate in 5 plies": what the search found. */
static void say_found (const item *it, char *out, size_t cap) {
  if (it->found)
    snprintf (out, cap, it->found > 0 ? "a mate in %d %s" : "being mated in %d %s",
              it->found > 0 ? it->found : -it->found - 1,
              it->found == 1 || it->found == -2 ? "ply" : "plies");
  else
    snprintf (out, cap, "no mate within %u %s", it->plies, it->plies == 1 ? "ply" : "plies");
}

/* What no mate was found for is drawn, or its mate is longer than was searched: of WDL that is no
 * contradiction. */
static void judge (proof *p, const item *it) {
  const bool wdl = p->in.metric == SD_WDL;
  const int sign = (it->found > 0) - (it->found < 0);

  if (wdl ? it->found && sign != it->stored : it->found != it->stored) {
    /* "wrong value: FEN: the table says mate in 9 plies, the search found a mate in 7 plies" */
    char fen[100], stored[64], found[64];
    sd_pos_to_fen (&it->pos, fen, sizeof fen);
    sd_metric_text (p->in.metric, it->stored, stored, sizeof stored);
    say_found (it, found, sizeof found);
    sd_tool_say ("wrong value: %s: the table says %s, the search found %s", fen, stored, found);
    p->wrong++;
  } else if (it->found)
    p->mates++;
  else if (it->stored)
    p->undecided++;
  else
    p->drawn++;
}

/* All items, by all threads. */
static int search_items (proof *p, sd_error *err) {
  int failed = SD_OK;

#pragma omp parallel for schedule(dynamic) num_threads(p->threads)
  for (uint64_t i = 0; i < p->nitems; i++) {
    int found;
    const int st = sd_mate_find (p->search[sd_thread_number ()], &p->item[i].pos, p->item[i].plies, &found);
    if (st == SD_OK)
      p->item[i].found = (sd_value) found;
    else
#pragma omp atomic write
      failed = st;
  }
  if (failed)
    return sd_fail (err, failed, "the search failed");

  /* Judged by one thread in the order of the items: messages are the same with any number of threads. */
  for (uint64_t i = 0; i < p->nitems; i++)
    judge (p, &p->item[i]);
  p->nitems = 0;
  return SD_OK;
}

/* Take the position in, or count it as one with too long a mate; `others`: also one that is no mate. */
static int add (proof *p, const sd_pos *pos, bool others, sd_error *err) {
  const unsigned limit = 2 * p->how->moves;
  sd_value v;

  SD_TRY (sd_probe_value (p->tables, p->in.metric, pos, &v, err));
  /* A loss in n plies has the value -(n + 1); a mated side (n = 0) is -1. */
  const bool plies = p->in.metric == SD_DTM && v;
  const unsigned n = !plies ? limit : v > 0 ? (unsigned) v : (unsigned) (-v - 1);
  if (n > limit) {
    p->longer++;
    return SD_OK;
  }

  if (!plies && !others)
    return SD_OK;

  ++*(plies ? &p->taken_mates : &p->taken_others);
  if (!sd_grow (&p->item, &p->room, p->nitems + 1))
    return sd_fail_memory (err, 0);
  p->item[p->nitems++] = (item){ *pos, v, 0, n };
  return SD_OK;
}

/* --------------------------------------------------------------------- sampling */

/* Slots of both sides to move in an order in which none comes twice: by a random stride that has no divisor
 * in common with their number. */
typedef struct walk {
  uint64_t n, at, stride, left; /* all slots; the next; the step; those to come */
} walk;

/* stride and n have no divisor in common if Euclid's algorithm ends with 1. */
static walk walk_of (uint64_t n, uint64_t seed) {
  walk w = { .n = n, .at = sd_random (&seed) % n, .left = n };
  for (uint64_t a = 0, b = 1; a != 1;) {
    w.stride = sd_random (&seed) % n;
    for (a = w.stride, b = n; b;) { /* Euclid */
      const uint64_t rest = a % b;
      a = b;
      b = rest;
    }
  }
  return w;
}

/* The next slot's position; false: it has none. at + stride modulo n, without an overflow. */
static bool next_position (walk *w, const sd_indexer *ix, sd_pos *out) {
  const uint64_t slots = sd_indexer_size (ix), at = w->at;
  w->left--;
  w->at = at >= w->n - w->stride ? at - (w->n - w->stride) : at + w->stride;
  return sd_index_position (ix, at % slots, (unsigned) (at / slots), out);
}

/* Searched in batches; ends with what is wanted, or with the slots of the walk. */
static int prove_sample (proof *p, sd_error *err) {
  sd_layout layout;
  SD_OWN (sd_indexer) *ix = NULL;

  sd_layout_kings_first (&p->in.material, &layout);
  /* Any layout will do: the sample is of positions, and does not depend on how the table numbers them. */
  SD_TRY (sd_indexer_new (&layout, &ix, err));
  /* A table of WDL tells no length: of it all values are `others`. */
  const uint64_t want = p->how->samples, *taken = p->in.metric == SD_DTM ? &p->taken_mates : &p->taken_others;
  walk w = walk_of (p->in.nsides * sd_indexer_size (ix), p->how->seed);
  /* Of an ending with hardly any mates, not all slots are gone through for the last of them. */
  if (w.left / SLOTS_PER_SAMPLE > want)
    w.left = want * SLOTS_PER_SAMPLE;

  while (w.left && *taken < want) {
    sd_pos pos;
    while (w.left && *taken < want && p->nitems < BATCH)
      if (next_position (&w, ix, &pos))
        SD_TRY (add (p, &pos, p->taken_others < want, err));
    SD_TRY (search_items (p, err));
    sd_report (&sd_terminal, "searching for mates", *taken, want);
  }
  return SD_OK;
}

/* ------------------------------------------------------------- given positions */

/* The FEN may have the colours exchanged: the material is compared as the table has it. */
static int add_given (proof *p, const char *fen, sd_error *err) {
  sd_pos pos;
  sd_material m;
  char name[SD_TABLE_NAME];
  SD_TRY (sd_pos_from_fen (fen, &pos, err));

  sd_material_of (&pos, &m);
  sd_material_canonical (&m, &m);
  if (!sd_material_equal (&m, &p->in.material)) {
    sd_table_info_name (&p->in, name);
    return sd_fail (err, SD_EINVAL, "'%.100s' is no position of %s", fen, name);
  }
  return add (p, &pos, true, err);
}

/* A line that is wrong ends it: a sample by hand should be as it was meant. */
static int prove_lines (proof *p, FILE *f, sd_error *err) {
  SD_OWNED char *line = NULL;
  size_t cap = 0;

  for (unsigned long number = 1; sd_text_line (f, number, &line, &cap); number++) {
    line[strcspn (line, "\r\n")] = 0;
    if (!*line || *line == '#')
      continue;
    const int st = add_given (p, line, err);
    if (st != SD_OK)
      return sd_error_prefix (err, "%s:%lu", p->how->positions, number), st;
    if (p->nitems < BATCH)
      continue;
    SD_TRY (search_items (p, err));
    sd_report (&sd_terminal, "searching for mates", p->mates, 0);
  }

  if (!p->taken_mates && !p->taken_others && !p->longer)
    return sd_fail (err, SD_EINVAL, "%s: expected a FEN a line, and it has none", p->how->positions);
  return search_items (p, err);
}

static int prove_given (proof *p, sd_error *err) {
  FILE *f;
  SD_TRY (sd_file_open (p->how->positions, &f, err));
  const int st = prove_lines (p, f, err);
  fclose (f);
  return st;
}

/* ---------------------------------------------------------------------- results */

/* What was proved, as a part of a sentence. */
static void say (const proof *p, char *out, size_t cap) {
  /* Four parts, of which those that are 0 are left out; out may be too short for all of them. */
  int n = snprintf (out, cap, "%" PRIu64 " mate%s of at most %u moves searched for and found", p->mates,
                    p->mates == 1 ? "" : "s", p->how->moves);
  if (p->drawn && n < (int) cap)
    n += snprintf (out + n, cap - (size_t) n, "; %" PRIu64 " drawn, without a mate within %u plies", p->drawn,
                   2 * p->how->moves);
  if (p->undecided && n < (int) cap)
    n += snprintf (out + n, cap - (size_t) n, "; %" PRIu64 " won or lost, undecided within %u plies",
                   p->undecided, 2 * p->how->moves);
  if (p->longer && n < (int) cap)
    snprintf (out + n, cap - (size_t) n, "; %" PRIu64 " longer mate%s skipped", p->longer,
              p->longer == 1 ? "" : "s");
}

int sd_verify_by_search (const char *path, const sd_table *t, const sd_proof_options *how, char *said,
                         size_t cap, sd_error *err) {
  proof p SD_RELEASED_BY (free_proof) = { .t = t, .how = how };
  SD_TRY (open_proof (&p, path, err));
  const int st = how->positions ? prove_given (&p, err) : prove_sample (&p, err);
  /* The bar goes before anything is told, also after a failure. */
  sd_report (&sd_terminal, "searching for mates", 1, 1);
  SD_TRY (st);
  say (&p, said, cap);
  if (p.wrong)
    return sd_fail (err, SD_EDIFF, "%" PRIu64 " of %" PRIu64 " values that were searched are wrong", p.wrong,
                    p.mates + p.drawn + p.undecided + p.wrong);
  return SD_OK;
}
