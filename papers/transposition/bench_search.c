/* subdef bench search: what the transposition table of Nemec 2007 does in a search. CSV on stdout.
 *
 * codes: positions whose mates the exact table tells are searched with codes of few bits and a small table
 * that is never emptied, positions kept beside the entries: false matches are counted, and results that they
 * made wrong. policies: the same positions, each from an empty table, by both policies and tables of 2^10 to
 * 2^24 slots. depth: alpha-beta with the balance of material, one ply deeper each time, with and without a
 * table. Seconds are CPU time; counts of nodes are the same on every machine. */
#include "config.h"
#include "chess/ending.h"
#include "search/search.h"
#include "tools/bench/bench.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Positions with mates that the exact table tells. */
typedef struct source {
  sd_tables *tables;
  sd_material material;
  sd_indexer *indexer;
  uint64_t seed;
} source;

static void close_source (source *s) {
  sd_indexer_free (s->indexer);
  sd_tables_close (s->tables);
}

static int open_source (source *s, const char *ending, const char *tables, uint64_t seed, sd_error *err) {
  sd_layout layout;
  s->seed = seed;
  SD_TRY (sd_ending_parse (ending, &s->material, err));
  sd_material_canonical (&s->material, &s->material);
  SD_TRY (sd_tool_open (tables, SD_OPEN_CACHE, &s->tables, err));
  sd_layout_kings_first (&s->material, &layout);
  return sd_indexer_new (&layout, &s->indexer, err);
}

/* A random position with a mate in least .. most plies. SD_ENOENT: none of very many is one. */
static int draw (source *s, unsigned least, unsigned most, sd_pos *out, sd_value *value, sd_error *err) {
  enum { TRIES = 10000000 };
  const uint64_t slots = sd_indexer_size (s->indexer);
  for (unsigned i = 0; i < TRIES; i++) {
    const uint64_t slot = sd_random (&s->seed) % slots;
    const unsigned stm = sd_random (&s->seed) & 1;
    if (!sd_index_position (s->indexer, slot, stm, out))
      continue;
    SD_TRY (sd_probe_dtm (s->tables, out, value, err));
    const unsigned plies = *value > 0 ? (unsigned) *value : *value < 0 ? (unsigned) (-*value - 1) : 0;
    if (*value && plies >= least && plies <= most)
      return SD_OK;
  }
  return sd_fail (err, SD_ENOENT, "no position with a mate in %u to %u plies was found", least, most);
}

/* ---------------------------------------------------------------------- codes */

/* Searches with codes of so many bits until there were `nodes` nodes. */
static int with_code (const char *ending, const sd_bench_options *how, unsigned bits, sd_error *err) {
  enum { SLOTS = 1 << 14, PLIES = 7 };
  const sd_mate_options o = { .table = { .slots = SLOTS, .code_bits = bits, .keep_positions = true },
                              .seed = how->seed };
  source from = { 0 };
  sd_mate_search *s = NULL;
  uint64_t positions = 0, wrong = 0;
  int st = open_source (&from, ending, how->tables, how->seed, err);
  if (st == SD_OK)
    st = sd_mate_search_new (&o, &s, err);
  while (st == SD_OK && sd_mate_nodes (s) < how->nodes) {
    sd_pos p;
    sd_value v;
    int found = 0;
    if ((st = draw (&from, 1, PLIES, &p, &v, err)) == SD_OK)
      st = sd_mate_find (s, &p, PLIES, &found);
    positions++;
    wrong += found != v;
    sd_report (&sd_terminal, "codes", sd_mate_nodes (s), how->nodes);
  }
  if (st == SD_OK) {
    const sd_trans_counts *c = sd_trans_counted (sd_mate_table (s));
    printf ("%u,%s,%u,%u,%zu,%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.2f,%" PRIu64
            ",%" PRIu64 ",%" PRIu64 "\n",
            how->seed, ending, bits, SLOTS, bits > 32 ? sizeof (sd_long_entry) : sizeof (sd_entry),
            sizeof (sd_pos), positions, sd_mate_nodes (s), c->probes, c->others, c->false_matches,
            (double) c->others * (bits < 64 ? 1. / (double) ((uint64_t) 1 << bits) : 0x1p-64), c->false_uses,
            wrong, c->stores);
  }
  sd_mate_search_free (s);
  close_source (&from);
  return st;
}

static int bench_codes (char **ending, int n, const sd_bench_options *how, sd_error *err) {
  static const unsigned bits[] = { 8, 10, 12, 14, 16, 18, 20, 32, 64 };
  puts (
      "seed,ending,code_bits,slots,entry_bytes,position_bytes,positions,nodes,probes,others,false_matches,expected,"
      "false_uses,wrong,stores");
  for (int i = 0; i < n; i++)
    for (size_t k = 0; k < sizeof bits / sizeof bits[0]; k++)
      SD_TRY (with_code (ending[i], how, bits[k], err));
  return SD_OK;
}

/* ------------------------------------------------------------------- policies */

enum { MOST_POLICY_POSITIONS = 20, LEAST_LOG2 = 10, MOST_LOG2 = 24 };
typedef struct task {
  sd_pos pos;
  sd_value value;
} task;

/* All tasks, each from an empty table. log2 0: without a table. */
static int with_policy (const char *ending, const task *of, unsigned n, unsigned log2, bool deeper,
                        sd_error *err) {
  const sd_mate_options o = { .table = { .slots = log2 ? (uint64_t) 1 << log2 : 0, .keep_deeper = deeper },
                              .seed = 1 };
  sd_mate_search *s;
  uint64_t refused = 0, stores = 0;
  double seconds = 0;
  unsigned wrong = 0;
  SD_TRY (sd_mate_search_new (&o, &s, err));
  int st = SD_OK;
  for (unsigned i = 0; st == SD_OK && i < n; i++) {
    int found = 0;
    const int plies = of[i].value > 0 ? of[i].value : -of[i].value - 1;
    if (log2)
      sd_trans_clear (sd_mate_table (s));
    const double start = sd_cpu_now ();
    st = sd_mate_find (s, &of[i].pos, (unsigned) plies, &found);
    seconds += sd_cpu_now () - start;
    wrong += found != of[i].value;
    if (log2) {
      stores += sd_trans_counted (sd_mate_table (s))->stores;
      refused += sd_trans_counted (sd_mate_table (s))->refused;
    }
  }
  if (st == SD_OK)
    printf ("%s,%s,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%.3f\n", ending,
            !log2    ? "none"
            : deeper ? "deeper"
                     : "always",
            log2, n, sd_mate_nodes (s), stores, refused, wrong, seconds);
  fflush (stdout);
  sd_mate_search_free (s);
  return st;
}

static int policies_of (const char *ending, const sd_bench_options *how, sd_error *err) {
  enum { LEAST = 11, MOST = 12 };
  source from = { 0 };
  task tasks[MOST_POLICY_POSITIONS];
  const unsigned n = how->count < MOST_POLICY_POSITIONS ? how->count : MOST_POLICY_POSITIONS;
  int st = open_source (&from, ending, how->tables, how->seed, err);
  for (unsigned i = 0; st == SD_OK && i < n; i++)
    st = draw (&from, LEAST, MOST, &tasks[i].pos, &tasks[i].value, err);
  close_source (&from);
  if (st == SD_OK)
    st = with_policy (ending, tasks, n, 0, false, err);
  for (unsigned log2 = LEAST_LOG2; st == SD_OK && log2 <= MOST_LOG2; log2++) {
    sd_report (&sd_terminal, "policies", log2 - LEAST_LOG2, MOST_LOG2 - LEAST_LOG2 + 1);
    st = with_policy (ending, tasks, n, log2, false, err);
    if (st == SD_OK)
      st = with_policy (ending, tasks, n, log2, true, err);
  }
  return st;
}

static int bench_policies (char **ending, int n, const sd_bench_options *how, sd_error *err) {
  puts ("ending,policy,log2_slots,positions,nodes,stores,refused,wrong,seconds");
  for (int i = 0; i < n; i++)
    SD_TRY (policies_of (ending[i], how, err));
  return SD_OK;
}

/* ---------------------------------------------------------------------- depth */

/* The balance of material for the player to move, in hundredths of a pawn. */
static int material_balance (const sd_pos *p) {
  static const int worth[] = { 100, 300, 300, 500, 900 };
  int sum = 0;
  for (unsigned t = SD_PAWN; t < SD_KING; t++)
    sum +=
        worth[t] * (__builtin_popcountll (p->by[p->stm][t]) - __builtin_popcountll (p->by[p->stm ^ 1u][t]));
  return sum;
}

/* Depth by depth until the nodes do not suffice. */
static int deepen (const sd_pos *p, const char *fen, const sd_bench_options *how, bool table, sd_error *err) {
  enum { LOG2 = 22 };
  const sd_mate_options o = { .table = { .slots = table ? (uint64_t) 1 << LOG2 : 0 },
                              .seed = how->seed,
                              .evaluate = material_balance,
                              .most_nodes = how->nodes };
  sd_mate_search *s;
  SD_TRY (sd_mate_search_new (&o, &s, err));
  const double start = sd_cpu_now ();
  for (unsigned depth = 1; depth <= SD_MAX_DEPTH && sd_mate_nodes (s) < how->nodes; depth++) {
    int score = 0;
    if (sd_mate_score (s, p, depth, -SD_MATE - 1, SD_MATE + 1, &score)) /* too many nodes */
      break;
    const sd_trans_counts *c = table ? sd_trans_counted (sd_mate_table (s)) : NULL;
    printf ("%s,%u,%s,%u,%" PRIu64 ",%d,%" PRIu64 ",%" PRIu64 ",%.3f\n", fen,
            (unsigned) __builtin_popcountll (p->occ[0] | p->occ[1]), table ? "yes" : "no", depth,
            sd_mate_nodes (s), score, c ? c->probes : 0, c ? c->stores : 0, sd_cpu_now () - start);
    fflush (stdout);
  }
  sd_mate_search_free (s);
  return SD_OK;
}

static int bench_depth (char **fen, int n, const sd_bench_options *how, sd_error *err) {
  puts ("fen,men,table,depth,nodes,score,probes,stores,seconds");
  for (int i = 0; i < n; i++) {
    sd_pos p;
    char text[100];
    if (sd_pos_from_fen (fen[i], &p, err))
      return sd_error_prefix (err, "'%.200s'", fen[i]);
    sd_pos_to_fen (&p, text, sizeof text);
    SD_TRY (deepen (&p, text, how, false, err));
    SD_TRY (deepen (&p, text, how, true, err));
  }
  return SD_OK;
}

int sd_bench_search (char **word, int n, const sd_bench_options *how) {
  static const struct {
    const char *name;
    int (*run) (char **, int, const sd_bench_options *, sd_error *);
  } part[] = { { "codes", bench_codes }, { "policies", bench_policies }, { "depth", bench_depth } };
  sd_error err = { 0 };
  for (size_t i = 0; n > 1 && i < sizeof part / sizeof part[0]; i++)
    if (strcmp (word[0], part[i].name) == 0)
      return part[i].run (word + 1, n - 1, how, &err) == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
  return sd_tool_usage ("expected codes or policies and endings, or depth and FENs");
}
