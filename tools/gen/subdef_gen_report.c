/* What subdef-gen prints: the table of estimates before the work, what happens on the way, a line for each
 * table after it. Estimates and messages go to stderr (--estimate: to stdout, being what was asked for),
 * lines of tables to stdout. With --json each line is an object. Only rank 0 prints. */
#include "config.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------- estimates */

/* "12.3 s", "15 min", "3.2 h": of an estimate no more is known. */
static void seconds_text (double s, char *out, size_t cap) {
  if (s < 90)
    snprintf (out, cap, "%.1f s", s);
  else if (s < 5400)
    snprintf (out, cap, "%.0f min", s / 60);
  else
    snprintf (out, cap, "%.1f h", s / 3600);
}

/* Games but the first are named in records, which are told apart by it. */
static void json_start (const sd_gen_session *s, const char *name) {
  if (s->rules.kind == sd_game_kind_at (0))
    printf ("{\"%s\":\"%s\"", sd_tool_slice (s->rules.kind), name);
  else
    printf ("{\"game\":\"%s\",\"%s\":\"%s\"", s->rules.kind->name, sd_tool_slice (s->rules.kind), name);
}

/* "KRvK               59,136      15.6 MiB      64.56      0.01 MiB              0     0.0 s"; or "exists"
 * behind the slots, or the memory "at most" where a game is not estimated. */
static void estimate_row (FILE *f, const char *name, const sd_estimate *e, bool skipped) {
  char time[32], each[32] = "";
  const char *slots = sd_tool_count (e->slots);

  seconds_text (e->cpu_s, time, sizeof time);
  /* The sum of all has no bytes a slot. */
  if (e->memory_bytes)
    snprintf (each, sizeof each, "%.2f", (double) e->memory_bytes / (double) e->slots);

  if (skipped)
    fprintf (f, "%-9s %15s   exists\n", name, slots);
  else if (e->bound)
    fprintf (f, "%-9s %15s %9.1f MiB at most\n", name, slots, (double) e->process_bytes / 1048576);
  else
    fprintf (f, "%-9s %15s %9.1f MiB %10s %9.2f MiB %14s %9s\n", name, slots,
             (double) e->process_bytes / 1048576, each, (double) e->disk_bytes / 1048576,
             sd_tool_count (e->messages), time);
}

/* Of a game without estimates only the bound of its memory. */
static void estimate_json (const sd_gen_session *s, const sd_gen_job *j) {
  const sd_estimate_run *run = &s->estimate;
  const sd_estimate *e = &j->estimate;

  json_start (s, j->name);
  printf (",\"exists\":%s,\"ranks\":%d,\"threads\":%u", j->skip ? "true" : "false", run->ranks, run->threads);
  if (e->bound) {
    printf (",\"states\":%" PRIu64 ",\"process_bytes_at_most\":%" PRIu64 "}\n", e->states, e->process_bytes);
    return;
  }
  printf (",\"least_ranks\":%d,\"longest_conversion_moves\":%u,\"slots\":%" PRIu64 ",\"states\":%" PRIu64
          ",\"solve_bytes\":%" PRIu64 ",\"output_bytes\":%" PRIu64 ",\"memory_bytes\":%" PRIu64
          ",\"process_bytes\":%" PRIu64 ",\"bytes_per_position\":%.4f,\"table_bytes\":%" PRIu64
          ",\"checkpoint_bytes\":%" PRIu64 ",\"published\":%s,\"iterations\":%u,\"marks\":%" PRIu64
          ",\"marks_most\":%" PRIu64 ",\"marks_remote\":%" PRIu64 ",\"messages\":%" PRIu64
          ",\"message_bytes\":%" PRIu64 ",\"cpu_seconds\":%.3f}\n",
          e->least_ranks, e->longest_conversion, e->slots, e->states, e->solve_bytes, e->output_bytes,
          e->memory_bytes, e->process_bytes, (double) e->memory_bytes / (double) e->slots, e->disk_bytes,
          e->checkpoint_bytes, e->published ? "true" : "false", e->iterations, e->marks, e->marks_most,
          e->marks_remote, e->messages, e->message_bytes, e->cpu_s);
}

/* The largest must have room, or it would never be made. */
uint64_t sd_gen_room (const sd_gen_job *jobs, unsigned n) {
  uint64_t room = (uint64_t) sysconf (_SC_PHYS_PAGES) * (uint64_t) sysconf (_SC_PAGESIZE) / 8;
  for (unsigned i = 0; i < n; i++)
    if (!jobs[i].skip && jobs[i].estimate.process_bytes > room)
      room = jobs[i].estimate.process_bytes;
  return room;
}

/* Sums over what is to be built, and the most memory. */
static unsigned add_up (const sd_gen_session *s, const sd_gen_job *jobs, unsigned n, sd_estimate *all) {
  const uint64_t room = sd_gen_room (jobs, n), threads = s->estimate.ranks == 1 ? s->estimate.threads : 1;
  uint64_t small = 0;
  unsigned open = 0;

  *all = (sd_estimate){ .longest_conversion = UINT_MAX };

  for (unsigned i = 0; i < n; i++) {
    const sd_estimate *e = &jobs[i].estimate;
    if (jobs[i].skip)
      continue;
    open++;
    all->bound |= e->bound;
    all->process_bytes = e->process_bytes > all->process_bytes ? e->process_bytes : all->process_bytes;
    if (sd_gen_is_small (&jobs[i]) && e->process_bytes > small)
      small = e->process_bytes;
    all->least_ranks = e->least_ranks > all->least_ranks ? e->least_ranks : all->least_ranks;
    /* The shortest limit of any of them. */
    if (!e->bound && e->longest_conversion < all->longest_conversion)
      all->longest_conversion = e->longest_conversion;

    all->slots += e->slots;
    all->disk_bytes += e->disk_bytes;
    all->messages += e->messages;
    all->cpu_s += e->cpu_s;
  }
  /* Small ones are made side by side. */
  const uint64_t beside = (open < threads ? open : threads) * small;
  const uint64_t together = beside < room ? beside : room;
  all->process_bytes = together > all->process_bytes ? together : all->process_bytes;
  return open;
}

/* What the figures are about, and what will not work: too few ranks, an ending with too long a conversion,
 * too little memory. */
static void estimate_foot (const sd_gen_session *s, FILE *f, const sd_estimate *all, unsigned open,
                           unsigned n) {
  const sd_estimate_run *run = &s->estimate;
  const double ram = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);
  fprintf (f, "%u of %u %s to build, %d rank%s with %u thread%s%s; memory is the largest at one time\n", open,
           n, sd_tool_slices (s->rules.kind), run->ranks, run->ranks == 1 ? "" : "s", run->threads,
           run->threads == 1 ? "" : "s", run->ranks == 1 ? "" : " each");

  if (all->bound)
    fputs ("Memory is an upper bound; time, disk and messages of this game are not predicted.\n", f);
  if (s->o->metric != SD_USUAL_EXACT)
    fprintf (f,
             "The figures are those of %s; %s takes about the same memory and time, and mostly less disk.\n",
             sd_metrics[SD_USUAL_EXACT].name, sd_metrics[s->o->metric].name);

  if (all->least_ranks > run->ranks)
    fprintf (f, "at least %d ranks are needed: a rank holds at most 2^32 - 1 states\n", all->least_ranks);
  if (open && all->longest_conversion < SD_LONGEST_SIX)
    fprintf (f, "an ending with a conversion that loses in more than %u moves would be refused\n",
             all->longest_conversion);

  if ((double) all->process_bytes > ram)
    fprintf (f, "this machine has %.0f MiB of memory: it %s not fit on one machine like this\n",
             ram / 1048576, all->bound ? "might" : "will");
  fflush (f);
}

void sd_gen_print_estimates (const sd_gen_session *s, const sd_gen_job *jobs, unsigned n) {
  const sd_gen_options *o = s->o;
  FILE *f = o->estimate ? stdout : stderr;
  const bool json = o->estimate && o->json;
  sd_estimate all;

  if (s->t->rank != 0 || (o->quiet && !o->estimate))
    return;
  if (!json)
    fprintf (f, "%-9s %15s %13s %10s %13s %14s %9s\n", sd_tool_slice (s->rules.kind), "slots", "memory",
             "bytes/slot", "disk", "messages", "CPU time");
  for (unsigned i = 0; i < n; i++)
    if (json)
      estimate_json (s, &jobs[i]);
    else
      estimate_row (f, jobs[i].name, &jobs[i].estimate, jobs[i].skip);
  if (json)
    return;

  const unsigned open = add_up (s, jobs, n, &all);
  if (open)
    estimate_row (f, "all", &all, false);
  estimate_foot (s, f, &all, open, n);
}

/* ----------------------------------------------------------------- resident */

void sd_gen_forget_resident (void) {
  FILE *f = fopen ("/proc/self/clear_refs", "we");
  if (!f)
    return;
  fputs ("5", f); /* the peak is counted anew; where that is not possible it stays that of the whole run */
  fclose (f);
}

/* VmHWM, the largest resident size since it was reset; 0 where the system does not tell it. */
uint64_t sd_gen_resident (void) {
  char line[256];
  uint64_t kib = 0;
  FILE *f = fopen ("/proc/self/status", "re");
  while (f && fgets (line, sizeof line, f))
    if (sscanf (line, "VmHWM: %" SCNu64, &kib) == 1)
      break;
  if (f)
    fclose (f);
  return kib * 1024;
}

/* ------------------------------------------------------------------ solving */

/* Shares are of the mean over ranks: 1 is even, the number of ranks the worst. */
void sd_gen_log_iteration (void *ctx, const sd_iteration *it) {
  const sd_gen_log *l = ctx;
  /* No state in an iteration: 1, for it is even. */
  const double mean = (double) it->states / l->size;
  sd_terminal_clear ();
  fprintf (stderr,
           "%s ply %u: %" PRIu64 " states, %.2f times the mean on one rank, %" PRIu64 " marks, %" PRIu64
           " messages of %" PRIu64 " bytes, %.3f s, busy %.3f to %.3f s",
           l->name, it->ply, it->states, mean > 0 ? (double) it->states_most / mean : 1, it->marks,
           it->messages, it->message_bytes, it->seconds, it->busy, it->busy_most);
  if (it->transfers)
    fprintf (stderr, ", %" PRIu64 " transfers of %" PRIu64 " states", it->transfers, it->moved);
  fputc ('\n', stderr);
}

void sd_gen_checkpoint_says (void *ctx, bool problem, const char *text) {
  const sd_gen_options *o = ctx;
  if (o->quiet && !problem)
    return;
  sd_tool_say ("%s", text);
}

/* ------------------------------------------------------------------ results */

/* In units of so many plies. Losses count too: of endings in which a capture ends the longest one, the other
 * side's win stands in a smaller table. */
static unsigned longest (const sd_counts c[2], unsigned nsides, unsigned unit) {
  unsigned best = 0;
  for (unsigned side = 0; side < nsides; side++) {
    /* The value of a loss in n plies is -(n + 1). */
    const unsigned won = ((unsigned) c[side].longest_win + unit - 1) / unit;
    const unsigned lost =
        unit > 1 && c[side].longest_loss ? (unsigned) (-c[side].longest_loss - 1) / unit : 0;
    best = won > best ? won : best;
    best = lost > best ? lost : best;
  }
  return best;
}

static const char *side_word (const sd_game_kind *k, unsigned side) {
  static const char *const usual[2] = { "first", "second" };
  return k->words.side[side] ? k->words.side[side] : usual[side];
}

/* ","white":{"positions":...}": the key is the name of the player in small letters. */
static void counts_json (const sd_game_kind *k, const sd_output_stats *all, bool rule, unsigned side) {
  const sd_counts *c = &all->counts[side];
  char word[16], under_rule[80] = "";
  if (rule) /* they are among those won and lost */
    snprintf (under_rule, sizeof under_rule, ",\"cursed\":%" PRIu64 ",\"blessed\":%" PRIu64,
              all->cursed[side], all->blessed[side]);

  snprintf (word, sizeof word, "%s", side_word (k, side));
  word[0] = (char) tolower ((unsigned char) word[0]);
  printf (",\"%s\":{\"positions\":%" PRIu64 ",\"won\":%" PRIu64 ",\"drawn\":%" PRIu64 ",\"lost\":%" PRIu64
          "%s,\"longest_win_plies\":%d,\"longest_loss_plies\":%d}",
          word, c->positions, c->won, c->drawn, c->lost, under_rule, c->longest_win,
          c->longest_loss ? -c->longest_loss - 1 : 0);
}

/* A line that is to be printed. */
typedef struct result {
  const sd_gen_session *s;
  const sd_gen_job *j;
  const sd_gen_stats *stats;
  double seconds;
  uint64_t resident, memory; /* bytes: of the processes, if known; as solver or coder count them */
  unsigned sides,
      longest; /* longest: in what the game counts by, a move of both players in chess, or in plies */
} result;

/* What was predicted stands beside what came out, so that estimates can be judged by it. */
static void result_json (const result *r) {
  const sd_game_kind *k = r->s->rules.kind;
  const sd_solve_stats *solve = &r->stats->solve;
  const sd_output_stats *output = &r->stats->output;
  const sd_estimate *e = &r->j->estimate;
  const bool rule = sd_metric_has_rule (r->s->o->metric);

  json_start (r->s, r->j->name);
  for (unsigned side = 0; side < r->sides; side++)
    counts_json (k, output, rule, side);
  /* Moves to mate, of games that count them. */
  if (k->words.none && r->s->o->metric == SD_USUAL_EXACT)
    printf (",\"mate_moves\":%u", r->longest);
  printf (",\"seconds\":%.3f,\"init_seconds\":%.3f,\"iterate_seconds\":%.3f,\"iterate_cpu_seconds\":%.3f"
          ",\"plies\":%u,"
          "\"marks\":%" PRIu64 ",\"messages\":%" PRIu64 ",\"message_bytes\":%" PRIu64
          ",\"transfers\":%" PRIu64 ",\"moved\":%" PRIu64,
          r->seconds, solve->init_s, solve->iterate_s, solve->iterate_cpu_s, solve->plies,
          solve->marks_a + solve->marks_b, solve->groups, solve->message_bytes, solve->transfers,
          solve->moved);
  printf (",\"coding_seconds\":%.3f,\"coding_memory_bytes\":%" PRIu64 ",\"solving_memory_bytes\":%" PRIu64
          ",\"memory_bytes\":%" PRIu64 ",\"bytes_per_position\":%.4f,\"bytes\":%" PRIu64,
          output->code_s + output->write_s, output->bytes, solve->bytes + solve->values_bytes, r->memory,
          (double) r->memory / (double) e->slots, output->file_bytes);
  /* Where the system tells it, and of tables that were made alone. */
  if (r->resident)
    printf (",\"resident_bytes\":%" PRIu64, r->resident);
  if (!e->bound)
    printf (",\"predicted_memory_bytes\":%" PRIu64 ",\"predicted_process_bytes\":%" PRIu64
            ",\"predicted_bytes_per_position\":%.4f,\"predicted_marks\":%" PRIu64
            ",\"predicted_messages\":%" PRIu64 ",\"predicted_bytes\":%" PRIu64
            ",\"predicted_cpu_seconds\":%.3f",
            e->memory_bytes, e->process_bytes, (double) e->memory_bytes / (double) e->slots, e->marks,
            e->messages, e->disk_bytes, e->cpu_s);
  puts ("}");
}

/* Once, above the first table of the run. */
static void result_head (const result *r) {
  printf ("%-9s %-6s %11s %11s %11s  %-20s %8s %15s\n", sd_tool_slice (r->s->rules.kind), "turn", "won",
          "drawn", "lost", "longest", "time", "table");
}

/* "mate in 16 moves", "zeroing in 1 ply", "12 plies". */
static void longest_text (const result *r, char *out, size_t cap) {
  const sd_game_kind *k = r->s->rules.kind;
  const char *ends = sd_metrics[r->s->o->metric].ends, *what = ends ? ends : k->words.longest;
  const bool moves = !ends && k->words.plies > 1;
  if (k->words.none && !r->longest)
    snprintf (out, cap, "%s", k->words.none);
  else
    snprintf (out, cap, "%s%s%u %s", what ? what : "", what ? " in " : "", r->longest,
              r->longest == 1 ? (moves ? "move" : "ply")
              : moves         ? "moves"
                              : "plies");
}

/* A line for each player's turn; what belongs to both (longest, time, bytes) stands in the first, as does the
 * name. */
static void result_rows (const result *r) {
  for (unsigned side = 0; side < r->sides; side++) {
    const sd_counts *c = &r->stats->output.counts[side];
    char far[48];
    printf ("%-9s %-6s %11s %11s %11s", side ? "" : r->j->name,
            r->sides == 2 ? side_word (r->s->rules.kind, side) : "either", sd_tool_count (c->won),
            sd_tool_count (c->drawn), sd_tool_count (c->lost));
    longest_text (r, far, sizeof far);
    if (side == 0)
      printf ("  %-20s %6.2f s %9s bytes", far, r->seconds, sd_tool_count (r->stats->output.file_bytes));
    putchar ('\n');
  }
}

void sd_gen_print_result (const sd_gen_session *s, const sd_gen_job *j, const sd_gen_stats *stats,
                          double seconds, uint64_t resident) {
  const sd_game_kind *k = s->rules.kind;
  const uint64_t solving = stats->solve.bytes + stats->solve.values_bytes, coding = stats->output.bytes;
  result r = { s, j, stats, seconds, resident, solving > coding ? solving : coding, 1, 0 };

  static bool headed;
  r.sides = k->sides ? k->sides (s->rules.ctx, j->slice) : 1;
  const unsigned unit = k->words.plies && s->o->metric == SD_USUAL_EXACT ? k->words.plies : 1;
  r.longest = longest (stats->output.counts, r.sides, unit);

  sd_terminal_clear ();
  if (s->o->json)
    result_json (&r);
  else {
    if (!headed)
      result_head (&r);
    headed = true;
    result_rows (&r);
  }
  fflush (stdout);
}
