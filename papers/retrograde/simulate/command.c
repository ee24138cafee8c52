/* subdef simulate: Makhnychev 2012's load balancing on more ranks than there are, with the loads of a solved
 * ending. */
#include "config.h"
#include "chess/ending.h"
#include "papers/retrograde/simulate/simulate.h"
#include "tools/positions.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 32, VARIANTS = 4 };
enum { MIXED = 1, BALANCED = 2 };
static const char *const variant_name[VARIANTS] = { "plain", "mixed", "balanced", "mixed+balanced" };

static struct {
  const char *tables;
  int ranks[MOST_RANKS];
  unsigned nranks;
  bool variant[VARIANTS], each;
  double scale;
  unsigned grain, group;
  sd_sim_options sim;
  bool csv, json;
} opt = { .scale = 1, .grain = 1, .variant = { true, true, true, true } };

/* ----------------------------------------------------------------- options */

static bool take_ranks (const char *text) {
  char *end;
  opt.nranks = 0;
  for (const char *at = text;; at = end + 1) {
    const long v = strtol (at, &end, 10);
    if (end == at || (*end && *end != ',') || v < 1 || v > 1 << 20 || opt.nranks == MOST_RANKS)
      return false;
    opt.ranks[opt.nranks++] = (int) v;
    if (!*end)
      return true;
  }
}

static bool take_variants (const char *text) {
  memset (opt.variant, 0, sizeof opt.variant);
  for (const char *at = text;; at++) {
    const size_t len = strcspn (at, ",");
    unsigned v = 0;
    while (v < VARIANTS && (strlen (variant_name[v]) != len || strncmp (variant_name[v], at, len)))
      v++;
    if (v == VARIANTS)
      return false;
    opt.variant[v] = true;
    at += len;
    if (!*at)
      return true;
  }
}

static const sd_option options[] = {
  { "tables", .text = &opt.tables },
  { "ranks", 0, "N,N,...", "how many ranks (default 64,256,1024,4096,16384,65536)", .take = take_ranks,
    .expected = "up to 32 numbers from 1 to 1048576 with commas", .group = 1 },
  { "variants", 'v', "LIST", "of plain, mixed, balanced, mixed+balanced (default: all)",
    .take = take_variants, .expected = "names of plain, mixed, balanced, mixed+balanced with commas",
    .group = 1 },
  { "scale", 0, "K", "each state stands for K states of the same rank (default 1)", .number = &opt.scale,
    .least = 1, .most = 1e9, .group = 1 },
  { "grain", 0, "N", "mixed: states that stay together when they are dealt out (default 1)",
    .count = &opt.grain, .least = 1, .most = 1e9, .group = 1 },
  { "group", 0, "G", "ranks a group (default 32)", .count = &opt.group, .least = 2, .most = 4096,
    .group = 2 },
  { "interval", 'q', "SECONDS", "between two reports of a rank's load (default 1)",
    .number = &opt.sim.balance.interval, .least = 1e-6, .most = 1e6, .group = 2 },
  { "top", 0, NULL, "always ask the most loaded rank, not one of the more loaded",
    .flag = &opt.sim.balance.top, .group = 2 },
  { "give-share", 0, "SHARE", "of the difference between two ranks, how much one gives (default 0.5)",
    .number = &opt.sim.balance.share, .least = 1e-3, .most = 0.999, .group = 2 },
  { "task-us", 0, "US", "microseconds a state: un-moves and marks (default 1)",
    .number = &opt.sim.balance.task, .least = 1e-3, .most = 1e9, .unit = 1e-6, .group = 3 },
  { "give-us", 0, "US", "microseconds that a transfer costs the giver (default 100)",
    .number = &opt.sim.balance.give, .least = 1e-3, .most = 1e9, .unit = 1e-6, .group = 3 },
  { "receive-us", 0, "US", "microseconds that it costs the receiver (default 100)",
    .number = &opt.sim.balance.receive, .least = 1e-3, .most = 1e9, .unit = 1e-6, .group = 3 },
  { "latency-us", 0, "US", "microseconds from rank to rank (default 10)", .number = &opt.sim.balance.latency,
    .least = 1e-3, .most = 1e9, .unit = 1e-6, .group = 3 },
  { "message-us", 0, "US", "microseconds of work a message, at each end (default 1)",
    .number = &opt.sim.message, .least = 1e-3, .most = 1e9, .unit = 1e-6, .group = 3 },
  { "iterations", 'i', NULL, "a row for each iteration instead of their sums", .flag = &opt.each,
    .group = 4 },
  { "csv", 0, NULL, "comma-separated values", .flag = &opt.csv, .group = 4 },
  { "json", 0, NULL, "JSON", .flag = &opt.json, .group = 4 },
  { 0 },
};

/* -------------------------------------------------------------------- rows */

typedef struct line {
  int ranks, iteration; /* -1: all */
  unsigned variant;
  double single; /* seconds on one rank */
  double imbalance, least, predicted;
  sd_sim_result r;
} line;

static json_t *rows;

static void add (line *sum, const line *one) {
  sum->single += one->single;
  sum->imbalance += one->imbalance;
  sum->least += one->least;
  sum->predicted += one->predicted;
  sum->r.time += one->r.time;
  sum->r.idle += one->r.idle;
  sum->r.extra += one->r.extra;
  sum->r.tasks += one->r.tasks;
  sum->r.transfers += one->r.transfers;
  sum->r.requests += one->r.requests;
  sum->r.messages += one->r.messages;
  sum->r.moved += one->r.moved;
}

static double ratio (double a, double b) {
  return b > 0 ? a / b : 0;
}

static void head (void) {
  if (opt.csv)
    puts (
        "ranks,variant,iteration,states,seconds,speedup,efficiency,predicted_seconds,predicted_speedup,"
        "imbalance_states,least_imbalance_states,relative_imbalance,idle_share,extra_share,transfers,moved,requests,messages");
  else if (!opt.json)
    printf ("%7s %-14s%s %11s %11s %10s %11s %9s %6s %10s %11s\n", "ranks", "variant",
            opt.each ? "  ply" : "", "seconds", "speed-up", "efficiency", "predicted s", "imbalance", "idle",
            "transfers", "messages");
}

static void print (const line *l) {
  const double speed = ratio (l->single, l->r.time), efficiency = speed / l->ranks;
  const double predicted = ratio (l->single, l->predicted), total = l->r.time * l->ranks;
  const double relative = ratio (l->imbalance * l->ranks, (double) l->r.tasks);
  const double idle = ratio (l->r.idle, total), extra = ratio (l->r.extra, total);
  sd_terminal_clear ();
  if (opt.csv) {
    printf ("%d,%s,", l->ranks, variant_name[l->variant]);
    if (l->iteration >= 0)
      printf ("%d", l->iteration);
    printf (",%" PRIu64 ",%.9g,%.9g,%.6f,%.9g,%.9g,%.9g,%.9g,%.6g,%.6f,%.6f,%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",%" PRIu64 "\n",
            l->r.tasks, l->r.time, speed, efficiency, l->predicted, predicted, l->imbalance, l->least,
            relative, idle, extra, l->r.transfers, l->r.moved, l->r.requests, l->r.messages);
  } else if (opt.json) {
    json_t *o = json_pack (
        "{s:i, s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:I}", "ranks",
        l->ranks, "variant", variant_name[l->variant], "states", (json_int_t) l->r.tasks, "seconds",
        l->r.time, "speedup", speed, "efficiency", efficiency, "predicted_seconds", l->predicted,
        "predicted_speedup", predicted, "imbalance_states", l->imbalance, "least_imbalance_states", l->least,
        "relative_imbalance", relative, "idle_share", idle, "extra_share", extra, "transfers",
        (json_int_t) l->r.transfers, "moved", (json_int_t) l->r.moved, "requests", (json_int_t) l->r.requests,
        "messages", (json_int_t) l->r.messages);
    if (l->iteration >= 0)
      json_object_set_new (o, "iteration", json_integer (l->iteration));
    json_array_append_new (rows, o);
  } else {
    printf ("%7d %-14s", l->ranks, variant_name[l->variant]);
    if (opt.each)
      printf (" %4d", l->iteration);
    printf (" %11.4g %11.5g %10.3f %11.4g %9.3f %6.3f %10" PRIu64 " %11" PRIu64 "\n", l->r.time, speed,
            efficiency, l->predicted, relative, idle, l->r.transfers, l->r.messages);
  }
  fflush (stdout);
}

/* -------------------------------------------------------------- simulation */

static int iteration (sd_simulator *s, unsigned variant, const uint64_t *load, line *l, sd_error *err) {
  sd_sim_model m;
  SD_TRY (sd_simulate_model (&opt.sim, load, l->ranks, &m, err));
  if (variant & BALANCED)
    SD_TRY (sd_simulate (s, load, &l->r, err));
  else
    sd_simulate_plain (&opt.sim, load, l->ranks, &l->r);
  l->single = (double) l->r.tasks * opt.sim.balance.task;
  l->imbalance = m.imbalance;
  l->least = m.least;
  l->predicted = variant & BALANCED ? m.predicted : m.plain / l->ranks;
  return SD_OK;
}

/* All iterations of one number of ranks and one variant. */
static int run (const sd_sim_loads *in, unsigned variant, sd_error *err) {
  sd_simulator *s = NULL;
  uint64_t *load = sd_alloc ((uint64_t) in->deal.ranks, sizeof *load);
  line sum = { .ranks = in->deal.ranks, .variant = variant, .iteration = -1 };
  int st = load ? SD_OK : sd_fail_memory (err, 0);
  if (st == SD_OK && (variant & BALANCED))
    st = sd_simulator_new (&opt.sim, in->deal.ranks, &s, err);
  for (unsigned v = 0; v < in->iterations && st == SD_OK; v++) {
    line l = { .ranks = in->deal.ranks, .variant = variant, .iteration = (int) v };
    sd_report (&sd_terminal, "simulating", v, in->iterations);
    for (int r = 0; r < in->deal.ranks; r++)
      load[r] = (uint64_t) llround (in->count[(size_t) v * (size_t) in->deal.ranks + (size_t) r] * opt.scale);
    st = iteration (s, variant, load, &l, err);
    if (st == SD_OK && opt.each)
      print (&l);
    add (&sum, &l);
  }
  if (st == SD_OK && !opt.each)
    print (&sum);
  sd_simulator_free (s);
  free (load);
  return st;
}

static int simulate (const sd_table *t, const char *name, sd_error *err) {
  sd_sim_loads load[2 * MOST_RANKS] = { 0 };
  for (unsigned i = 0; i < opt.nranks; i++) {
    load[2 * i].deal = (sd_sim_deal){ .ranks = opt.ranks[i] };
    load[2 * i + 1].deal = (sd_sim_deal){ .ranks = opt.ranks[i], .grain = opt.grain };
  }
  int st = sd_sim_loads_read (t, name, load, 2 * opt.nranks, &sd_terminal, err);
  if (st == SD_OK)
    head ();
  for (unsigned i = 0; i < opt.nranks && st == SD_OK; i++)
    for (unsigned v = 0; v < VARIANTS && st == SD_OK; v++)
      if (opt.variant[v])
        st = run (&load[2 * i + (v & MIXED ? 1 : 0)], v, err);
  for (unsigned i = 0; i < 2 * opt.nranks; i++)
    sd_sim_loads_free (&load[i]);
  return st;
}

/* A file, or an ending on the path. */
static int open_and_simulate (const char *what, sd_error *err) {
  if (strchr (what, '/') || strstr (what, ".sdt")) {
    sd_table *t;
    SD_TRY (sd_table_open (what, SD_OPEN_CHECK, &t, err));
    int st = simulate (t, what, err);
    sd_table_close (t);
    return st;
  }
  sd_material m, canonical;
  sd_tables *ts;
  char name[32];
  SD_TRY (sd_ending_parse (what, &m, err));
  sd_material_canonical (&m, &canonical);
  sd_table_file_name (&canonical, SD_USUAL_EXACT, name);
  SD_TRY (sd_tool_open (opt.tables, 0, &ts, err));
  const sd_table *t = sd_tables_find (ts, &canonical, SD_USUAL_EXACT);
  int st = t ? sd_table_check (t, err)
             : sd_fail_missing (err, name, "%s: not found in %s", name, sd_tool_path (opt.tables));
  if (st == SD_OK)
    st = simulate (t, name, err);
  else if (!t)
    sd_tool_advise (err, NULL, &(sd_rules){ &sd_game_chess, NULL }, sd_chess_slice (&canonical),
                    sd_tool_path (opt.tables));
  sd_tables_close (ts);
  return st;
}

static int run_simulate (const sd_words *words) {
  static const int standard[] = { 64, 256, 1024, 4096, 16384, 65536 };
  if (!words->n)
    return sd_tool_usage ("expected an ending or a table, e.g. 'subdef simulate KQvKR --tables tables'");
  if (!opt.nranks)
    for (; opt.nranks < sizeof standard / sizeof *standard; opt.nranks++)
      opt.ranks[opt.nranks] = standard[opt.nranks];
  sd_error err = { 0 };
  opt.sim.balance.group = opt.group;
  if (sd_balance_defaults (&opt.sim.balance, &opt.sim.balance, &err))
    return sd_tool_fail (&err);
  rows = opt.json ? json_array () : NULL;
  int st = open_and_simulate (words->at[0], &err);
  sd_terminal_clear ();
  sd_json_rows (rows, st);
  return st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}

const sd_command sd_cmd_simulate = {
  "simulate", run_simulate, options, .args = "ENDING|FILE.dtm.sdt", .most = 1, .threads = true,
};
