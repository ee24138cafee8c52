/* subdef simulate: the solver on more ranks than there are: what they do and exchange in each iteration, with
 * Makhnychev 2012's load balancing and without.
 *
 * The ending is solved here, by one rank, in a folder of its own that is removed again; each game that is
 * solved for it, the parts of an ending with pawns, is then counted under each deal. */
#include "config.h"
#include "gen/gen.h"
#include "papers/retrograde/simulate/simulate.h"
#include "tools/positions.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RANKS = 32, MOST_NUMBERS = 8, VARIANTS = 4 };
enum { MIXED = 1, BALANCED = 2 };
static const char *const variant_name[VARIANTS] = { "plain", "mixed", "balanced", "mixed+balanced" };

/* A list of numbers, as it is typed. */
typedef struct numbers {
  double at[MOST_NUMBERS];
  unsigned n;
} numbers;

static struct {
  const char *tables;
  int ranks[MOST_RANKS];
  unsigned nranks;
  bool variant[VARIANTS], each;
  numbers scale, interval;
  uint64_t grain;
  unsigned group;
  double state, mark, run, record; /* seconds; 0: a state with its marks takes sim.balance.task */
  bool exchange, measured;
  sd_sim_options sim;
  bool csv, json;
} opt = { .scale = { { 1 }, 1 }, .interval = { { 1 }, 1 }, .variant = { true, true, true, true } };

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

static bool take_numbers (numbers *out, const char *text, double least, double most) {
  char *end;
  out->n = 0;
  for (const char *at = text;; at = end + 1) {
    const double v = strtod (at, &end);
    if (end == at || (*end && *end != ',') || !(v >= least && v <= most) || out->n == MOST_NUMBERS)
      return false;
    out->at[out->n++] = v;
    if (!*end)
      return true;
  }
}

static bool take_scale (const char *text) {
  return take_numbers (&opt.scale, text, 1, 1e9);
}

static bool take_interval (const char *text) {
  return take_numbers (&opt.interval, text, 1e-6, 1e6);
}

static bool take_mixing (const char *text) {
  char *end;
  const long long n = strtoll (text, &end, 10);
  opt.grain = (uint64_t) n;
  return end != text && !*end && n >= 1 && n <= 1ll << 40;
}

/* A line "NAME VALUE" of what subdef-gen --measure prints; other names are notes for people. */
static bool take_measured_line (const char *name, const char *value) {
  static const struct {
    const char *name;
    double *to, unit;
  } known[] = { { "state_ns", &opt.state, 1e-9 },
                { "mark_ns", &opt.mark, 1e-9 },
                { "run_ns", &opt.run, 1e-9 },
                { "record_ns", &opt.record, 1e-9 },
                { "word_ns", &opt.sim.word, 1e-9 },
                { "message_us", &opt.sim.message, 1e-6 },
                { "latency_us", &opt.sim.balance.latency, 1e-6 } };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp (known[i].name, name) == 0) {
      char *end;
      *known[i].to = strtod (value, &end) * known[i].unit;
      return end != value && *known[i].to >= 0 && isfinite (*known[i].to);
    }
  return true;
}

static bool take_measured (const char *path) {
  char line[512], name[64], value[256];
  FILE *f = fopen (path, "re");
  bool good = f;
  while (good && fgets (line, sizeof line, f))
    good = sscanf (line, "%63s %255s", name, value) == 2 && take_measured_line (name, value);
  if (f)
    fclose (f);
  /* A transfer is a message full of places, at either end. */
  const double most = (double) sd_transport_group (2, NULL);
  opt.sim.balance.give = opt.sim.balance.receive = opt.sim.message + most * opt.sim.word;
  opt.exchange = opt.measured = true;
  return good && opt.state + opt.mark + opt.run > 0 && opt.sim.message > 0 && opt.sim.balance.latency > 0;
}

static const sd_option options[] = {
  { "tables", .text = &opt.tables },
  { "ranks", 0, "N,N,...", "how many ranks (default 64,256,1024,4096,16384,65536)", .take = take_ranks,
    .expected = "up to 32 numbers from 1 to 1048576 with commas", .group = 1 },
  { "variants", 'v', "LIST", "of plain, mixed, balanced, mixed+balanced (default: all)",
    .take = take_variants, .expected = "names of plain, mixed, balanced, mixed+balanced with commas",
    .group = 1 },
  { "scale", 0, "K,K,...", "each state stands for K states of the same rank (default 1)", .take = take_scale,
    .expected = "up to 8 numbers from 1 to 1e9 with commas", .group = 1 },
  { "mixing", 0, "N",
    "mixed: states that stay together when they are dealt out (default: as subdef gen does)",
    .take = take_mixing, .expected = "how many states stay together, from 1", .group = 1 },
  { "exchange", 'x', NULL, "count marks and messages of each variant, and add their time",
    .flag = &opt.exchange, .group = 1 },
  { "measured", 0, "FILE",
    "measured times, as subdef-gen prints them, in place of assumed ones; with it marks are counted",
    .take = take_measured, .expected = "a file that subdef-gen --measure has printed", .group = 3 },
  { "group", 0, "G", "ranks a group (default 32)", .count = &opt.group, .least = 2, .most = 4096,
    .group = 2 },
  { "interval", 'q', "SECONDS,...", "between two reports of a rank's load (default 1)", .take = take_interval,
    .expected = "up to 8 numbers from 1e-6 to 1e6 with commas", .group = 2 },
  { "top", 0, NULL, "always ask the most loaded rank, not one of the more loaded",
    .flag = &opt.sim.balance.top, .group = 2 },
  { "give-share", 0, "SHARE", "of the difference between two ranks, how much one gives (default 0.5)",
    .number = &opt.sim.balance.share, .least = 1e-3, .most = 0.999, .group = 2 },
  { "task-us", 0, "US", "microseconds a state: un-moves and marks (default 1, or as measured)",
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
  double scale, interval;
  double single; /* seconds on one rank */
  double imbalance, least, predicted;
  double exchange; /* seconds, part of r.time */
  uint64_t marks, sent, bytes;
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
  sum->exchange += one->exchange;
  sum->marks += one->marks;
  sum->sent += one->sent;
  sum->bytes += one->bytes;
}

static double ratio (double a, double b) {
  return b > 0 ? a / b : 0;
}

static void head (void) {
  if (opt.csv)
    puts (
        "scale,interval,ranks,variant,iteration,states,seconds,speedup,efficiency,predicted_seconds,predicted_speedup,"
        "imbalance_states,least_imbalance_states,relative_imbalance,idle_share,extra_share,transfers,moved,requests,messages,marks,mark_messages,mark_bytes,"
        "exchange_seconds");
  else if (!opt.json)
    printf ("%7s %-14s%s %7s %7s %11s %11s %10s %11s %9s %6s %10s %11s\n", "ranks", "variant",
            opt.each ? "  ply" : "", "scale", "q, s", "seconds", "speed-up", "efficiency", "predicted s",
            "imbalance", "idle", "transfers", "messages");
}

static void print (const line *l) {
  static bool headed;
  if (!headed)
    head ();
  headed = true;
  const double speed = ratio (l->single, l->r.time), efficiency = speed / l->ranks;
  const double predicted = ratio (l->single, l->predicted), total = l->r.time * l->ranks;
  const double relative = ratio (l->imbalance * l->ranks, (double) l->r.tasks);
  const double idle = ratio (l->r.idle, total), extra = ratio (l->r.extra, total);
  sd_terminal_clear ();
  if (opt.csv) {
    printf ("%g,%g,%d,%s,", l->scale, l->interval, l->ranks, variant_name[l->variant]);
    if (l->iteration >= 0)
      printf ("%d", l->iteration);
    printf (",%" PRIu64 ",%.9g,%.9g,%.6f,%.9g,%.9g,%.9g,%.9g,%.6g,%.6f,%.6f,%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6g\n",
            l->r.tasks, l->r.time, speed, efficiency, l->predicted, predicted, l->imbalance, l->least,
            relative, idle, extra, l->r.transfers, l->r.moved, l->r.requests, l->r.messages, l->marks,
            l->sent, l->bytes, l->exchange);
  } else if (opt.json) {
    json_t *o = json_pack (
        "{s:f, s:f, s:i, s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f}",
        "scale", l->scale, "interval", l->interval, "ranks", l->ranks, "variant", variant_name[l->variant],
        "states", (json_int_t) l->r.tasks, "seconds", l->r.time, "speedup", speed, "efficiency", efficiency,
        "predicted_seconds", l->predicted, "predicted_speedup", predicted, "imbalance_states", l->imbalance,
        "least_imbalance_states", l->least, "relative_imbalance", relative, "idle_share", idle, "extra_share",
        extra, "transfers", (json_int_t) l->r.transfers, "moved", (json_int_t) l->r.moved, "requests",
        (json_int_t) l->r.requests, "messages", (json_int_t) l->r.messages, "marks", (json_int_t) l->marks,
        "mark_messages", (json_int_t) l->sent, "mark_bytes", (json_int_t) l->bytes, "exchange_seconds",
        l->exchange);
    if (l->iteration >= 0)
      json_object_set_new (o, "iteration", json_integer (l->iteration));
    json_array_append_new (rows, o);
  } else {
    printf ("%7d %-14s", l->ranks, variant_name[l->variant]);
    if (opt.each)
      printf (" %4d", l->iteration);
    printf (" %7g %7g %11.4g %11.5g %10.3f %11.4g %9.3f %6.3f %10" PRIu64 " %11" PRIu64 "\n", l->scale,
            l->interval, l->r.time, speed, efficiency, l->predicted, relative, idle, l->r.transfers,
            l->r.messages);
  }
  fflush (stdout);
}

/* -------------------------------------------------------------- simulation */

/* One number of ranks and one deal: its variants, without and with balancing, by scales and intervals. */
typedef struct trial {
  const sd_game *game;
  int ranks;
  unsigned first; /* variant without balancing */
  line sum[MOST_NUMBERS][MOST_NUMBERS][2];
  sd_simulator *simulator[MOST_NUMBERS]; /* by interval */
  uint64_t *load;
} trial;

static trial trials[2 * MOST_RANKS];
static unsigned ntrials;

static int iteration (trial *t, sd_simulator *balanced, const sd_sim_share *share, line *l, sd_error *err) {
  sd_sim_model m;
  sd_sim_options o = opt.sim;
  o.balance.interval = l->interval;
  double runs = 0;
  for (int r = 0; r < t->ranks; r++) {
    t->load[r] = (uint64_t) llround ((double) share[r].states * l->scale);
    l->marks += share[r].marks;
    l->sent += share[r].sent;
    l->bytes += share[r].out * sizeof (uint32_t);
    l->r.tasks += share[r].states;
    runs += (double) share[r].runs;
  }
  const double states = (double) l->r.tasks;
  if (opt.measured && states > 0)
    o.balance.task = opt.state + (opt.mark * (double) l->marks + opt.run * runs) / states;
  SD_TRY (sd_simulate_model (&o, t->load, t->ranks, &m, err));
  if (balanced) {
    sd_simulator_task (balanced, o.balance.task);
    SD_TRY (sd_simulate (balanced, t->load, &l->r, err));
  } else
    sd_simulate_plain (&o, t->load, t->ranks, &l->r);
  const double pass = opt.record * (double) t->game->nstates * l->scale;
  l->exchange = opt.exchange ? sd_simulate_exchange (&o, share, t->ranks, l->scale) : 0;
  l->r.time += l->exchange + pass / t->ranks;
  l->single = (double) l->r.tasks * o.balance.task + pass;
  l->imbalance = m.imbalance;
  l->least = m.least;
  l->predicted = (balanced ? m.predicted : m.plain / t->ranks) + l->exchange + pass / t->ranks;
  return SD_OK;
}

static int told (void *ctx, unsigned v, const sd_sim_share *share, sd_error *err) {
  trial *t = ctx;
  for (unsigned i = 0; i < opt.scale.n; i++)
    for (unsigned j = 0; j < opt.interval.n; j++)
      for (unsigned k = 0; k < 2; k++) {
        line l = t->sum[i][j][k];
        if (!opt.variant[l.variant])
          continue;
        l = (line){ .ranks = l.ranks, .variant = l.variant, .scale = l.scale, .interval = l.interval };
        l.iteration = (int) v;
        SD_TRY (iteration (t, k ? t->simulator[j] : NULL, share, &l, err));
        if (opt.each)
          print (&l);
        add (&t->sum[i][j][k], &l);
      }
  return SD_OK;
}

/* In the place of the solver: what it has solved is counted under each deal. */
static int solve_and_count (const sd_game *game, const sd_transport *t, const sd_solve_options *how,
                            sd_solution *out, sd_solve_stats *stats, sd_error *err) {
  SD_TRY (sd_solve (game, t, how, out, stats, err));
  for (unsigned i = 0; i < ntrials; i++) {
    sd_deal deal;
    sd_report (&sd_terminal, "counting", i, ntrials);
    trials[i].game = game;
    sd_deal_make (game->nstates, trials[i].ranks,
                  trials[i].first & MIXED ? sd_deal_grain (game, trials[i].ranks, opt.grain) : SD_DEAL_PLAIN,
                  &deal);
    SD_TRY (sd_sim_traffic (game, out->value, &deal, opt.exchange, told, &trials[i], err));
  }
  return SD_OK;
}

static int prepare (sd_error *err) {
  for (unsigned r = 0; r < opt.nranks; r++)
    for (unsigned first = 0; first <= MIXED; first++) {
      if (!opt.variant[first] && !opt.variant[first | BALANCED])
        continue;
      trial *t = &trials[ntrials++];
      sd_sim_options o = opt.sim;
      if (opt.measured) /* a transfer is a message, with so many places behind its head */
        o.most_tasks = sd_transport_group (opt.ranks[r], NULL) - SD_BALANCE_WORDS - 2;
      *t = (trial){ .ranks = opt.ranks[r], .first = first };
      t->load = sd_alloc ((uint64_t) t->ranks, sizeof *t->load);
      if (!t->load)
        return sd_fail_memory (err, (size_t) t->ranks * sizeof *t->load);
      for (unsigned i = 0; i < opt.scale.n; i++)
        for (unsigned j = 0; j < opt.interval.n; j++)
          for (unsigned k = 0; k < 2; k++)
            t->sum[i][j][k] = (line){ .ranks = t->ranks,
                                      .variant = first | (k ? BALANCED : 0),
                                      .scale = opt.scale.at[i],
                                      .interval = opt.interval.at[j],
                                      .iteration = -1 };
      for (unsigned j = 0; j < opt.interval.n && opt.variant[first | BALANCED]; j++) {
        o.balance.interval = opt.interval.at[j];
        SD_TRY (sd_simulator_new (&o, t->ranks, &t->simulator[j], err));
      }
    }
  return SD_OK;
}

/* Solve the ending as the generator does; its table goes where nobody looks, and away. */
static int solve_slice (const sd_rules *rules, const char *name, const char *tables, sd_error *err) {
  const char *tmp = getenv ("TMPDIR");
  char folder[4096], path[4200];
  char *names[1] = { (char *) (uintptr_t) name };
  sd_slices want = { NULL, 0 };
  sd_game_tables *g = NULL;
  sd_transport self;

  snprintf (folder, sizeof folder, "%s/subdef-simulate-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  SD_TRY (sd_rules_wanted (rules, names, 1, 0, &want, err));
  int st = sd_game_tables_open (rules, tables, 0, &g, err);
  if (st == SD_OK && !mkdtemp (folder))
    st = sd_fail (err, SD_EIO, "%s: cannot be made: %s", folder, strerror (errno));
  else if (st == SD_OK) {
    sd_transport_self (&self);
    const sd_solve_options how = { .progress = &sd_terminal };
    const sd_gen_run run = { &self, solve_and_count, &how, NULL };
    snprintf (path, sizeof path, "%s/table", folder);
    st = sd_gen_build (&run, g, want.at[0], path, NULL, err);
    unlink (path);
    rmdir (folder);
  }
  sd_game_tables_close (g);
  free (want.at);
  return st;
}

static int simulate (const char *name, sd_error *err) {
  sd_rules rules;
  SD_TRY (prepare (err));
  SD_TRY (sd_rules_open (sd_game_kind_at (0)->name, &rules, err));
  int st = solve_slice (&rules, name, sd_tool_path (opt.tables), err);
  sd_rules_close (&rules);
  if (st != SD_OK || opt.each)
    return st;
  for (unsigned i = 0; i < opt.scale.n; i++)
    for (unsigned j = 0; j < opt.interval.n; j++)
      for (unsigned r = 0; r < ntrials; r++)
        for (unsigned k = 0; k < 2; k++)
          if (opt.variant[trials[r].sum[i][j][k].variant])
            print (&trials[r].sum[i][j][k]);
  return SD_OK;
}

static int run_simulate (const sd_words *words) {
  static const int standard[] = { 64, 256, 1024, 4096, 16384, 65536 };
  if (!words->n)
    return sd_tool_usage ("expected an ending, e.g. 'subdef simulate KQvKR --tables tables'");
  if (!opt.nranks)
    for (; opt.nranks < sizeof standard / sizeof *standard; opt.nranks++)
      opt.ranks[opt.nranks] = standard[opt.nranks];
  sd_error err = { 0 };
  opt.sim.balance.group = opt.group;
  if (sd_balance_defaults (&opt.sim.balance, &opt.sim.balance, &err))
    return sd_tool_fail (&err);
  rows = opt.json ? json_array () : NULL;
  int st = simulate (words->at[0], &err);
  for (unsigned i = 0; i < ntrials; i++) {
    for (unsigned j = 0; j < opt.interval.n; j++)
      sd_simulator_free (trials[i].simulator[j]);
    free (trials[i].load);
  }
  sd_terminal_clear ();
  sd_json_rows (rows, st);
  return st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}

const sd_command sd_cmd_simulate = {
  "simulate", run_simulate, options, .args = "ENDING", .most = 1, .threads = true,
};
