/* What subdef-gen prints: the table of estimates before the work, what happens on the way, a line for each
 * ending after it. */
#include "config.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------- estimates */

static void seconds_text (double s, char *out, size_t cap) {
  if (s < 90)
    snprintf (out, cap, "%.1f s", s);
  else if (s < 5400)
    snprintf (out, cap, "%.0f min", s / 60);
  else
    snprintf (out, cap, "%.1f h", s / 3600);
}

void sd_gen_estimate_head (FILE *f) {
  fprintf (f, "%-9s %14s %13s %9s %13s %12s %10s\n", "ending", "slots", "memory", "bytes/pos", "disk",
           "messages", "CPU time");
}

void sd_gen_estimate_row (FILE *f, const char *name, const sd_estimate *e, bool skipped) {
  char time[32], each[32] = "";
  seconds_text (e->cpu_s, time, sizeof time);
  if (e->memory_bytes)
    snprintf (each, sizeof each, "%.2f", (double) e->memory_bytes / (double) e->slots);
  if (skipped)
    fprintf (f, "%-9s %14" PRIu64 "   exists\n", name, e->slots);
  else
    fprintf (f, "%-9s %14" PRIu64 " %9.1f MiB %9s %9.2f MiB %12" PRIu64 " %10s\n", name, e->slots,
             (double) e->process_bytes / 1048576, each, (double) e->disk_bytes / 1048576, e->messages, time);
}

void sd_gen_estimate_json (const char *name, const sd_estimate_run *run, const sd_estimate *e, bool skipped) {
  printf ("{\"ending\":\"%s\",\"exists\":%s,\"ranks\":%d,\"threads\":%u,\"least_ranks\":%d,"
          "\"longest_conversion_moves\":%u,\"slots\":%" PRIu64 ",\"states\":%" PRIu64
          ",\"solve_bytes\":%" PRIu64 ",\"output_bytes\":%" PRIu64 ",\"memory_bytes\":%" PRIu64
          ",\"process_bytes\":%" PRIu64 ",\"bytes_per_position\":%.4f,\"table_bytes\":%" PRIu64
          ",\"checkpoint_bytes\":%" PRIu64 ",\"published\":%s,\"iterations\":%u,\"marks\":%" PRIu64
          ",\"marks_most\":%" PRIu64 ",\"marks_remote\":%" PRIu64 ",\"messages\":%" PRIu64
          ",\"message_bytes\":%" PRIu64 ",\"cpu_seconds\":%.3f}\n",
          name, skipped ? "true" : "false", run->ranks, run->threads, e->least_ranks, e->longest_conversion,
          e->slots, e->states, e->solve_bytes, e->output_bytes, e->memory_bytes, e->process_bytes,
          (double) e->memory_bytes / (double) e->slots, e->disk_bytes, e->checkpoint_bytes,
          e->published ? "true" : "false", e->iterations, e->marks, e->marks_most, e->marks_remote,
          e->messages, e->message_bytes, e->cpu_s);
}

void sd_gen_estimate_foot (FILE *f, const sd_estimate_run *run, const sd_estimate *all, unsigned open,
                           unsigned n) {
  const double ram = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);
  fprintf (f, "%u of %u endings to build, %d rank%s with %u thread%s%s; memory is the largest at one time\n",
           open, n, run->ranks, run->ranks == 1 ? "" : "s", run->threads, run->threads == 1 ? "" : "s",
           run->ranks == 1 ? "" : " each");
  if (all->least_ranks > run->ranks)
    fprintf (f, "at least %d ranks are needed: a rank holds at most 2^32 - 1 states\n", all->least_ranks);
  if (open && all->longest_conversion < SD_LONGEST_SIX)
    fprintf (f, "an ending with a conversion that loses in more than %u moves would be refused\n",
             all->longest_conversion);
  if ((double) all->process_bytes > ram)
    fprintf (f, "this machine has %.0f MiB of memory: it will not fit on one machine like this\n",
             ram / 1048576);
  fflush (f);
}

/* ----------------------------------------------------------------- resident */

void sd_gen_forget_resident (void) {
  FILE *f = fopen ("/proc/self/clear_refs", "we");
  if (!f)
    return;
  fputs ("5", f); /* the peak is counted anew; where that is not possible it stays that of the whole run */
  fclose (f);
}

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
static void log_iteration (void *ctx, const sd_iteration *it) {
  const sd_gen_log *l = ctx;
  const double mean = (double) it->states / l->size;
  sd_terminal_clear ();
  fprintf (stderr,
           "%s ply %u: %" PRIu64 " states, %.2f times the mean on one rank, %" PRIu64
           " marks, %.3f s, busy %.3f to "
           "%.3f s",
           l->name, it->ply, it->states, mean > 0 ? (double) it->states_most / mean : 1, it->marks,
           it->seconds, it->busy, it->busy_most);
  if (it->transfers)
    fprintf (stderr, ", %" PRIu64 " transfers of %" PRIu64 " states", it->transfers, it->moved);
  fputc ('\n', stderr);
}

sd_solve_options sd_gen_how (const sd_gen_options *o, sd_gen_log *log, const sd_checkpoint *checkpoint,
                             const sd_progress *progress) {
  return (sd_solve_options){ .grain = o->grain,
                             .threads = o->threads,
                             .balance = o->balanced ? &o->balance : NULL,
                             .trace = o->log ? log_iteration : NULL,
                             .trace_ctx = log,
                             .checkpoint = checkpoint,
                             .progress = progress };
}

void sd_gen_checkpoint_says (void *ctx, bool problem, const char *text) {
  const sd_gen_options *o = ctx;
  if (o->quiet && !problem)
    return;
  sd_terminal_clear ();
  fprintf (stderr, "subdef-gen: %s\n", text);
}

/* ------------------------------------------------------------------ results */

static unsigned mate_moves (const sd_counts c[2], unsigned nsides) {
  unsigned best = 0;
  for (unsigned side = 0; side < nsides; side++) {
    unsigned won = ((unsigned) c[side].longest_win + 1) / 2;
    unsigned lost = c[side].longest_loss ? (unsigned) (-c[side].longest_loss - 1) / 2 : 0;
    best = won > best ? won : best;
    best = lost > best ? lost : best;
  }
  return best;
}

static void result_json (const sd_gen_result *r, unsigned mate, uint64_t memory) {
  const sd_counts *c = r->output->counts;
  const sd_estimate *e = r->estimate;
  printf ("{\"ending\":\"%s\"", r->name);
  for (unsigned side = 0; side < 2; side++)
    printf (",\"%s\":{\"positions\":%" PRIu64 ",\"won\":%" PRIu64 ",\"drawn\":%" PRIu64 ",\"lost\":%" PRIu64
            ",\"longest_win_plies\":%d,\"longest_loss_plies\":%d}",
            side ? "black" : "white", c[side].positions, c[side].won, c[side].drawn, c[side].lost,
            c[side].longest_win, c[side].longest_loss ? -c[side].longest_loss - 1 : 0);
  printf (",\"mate_moves\":%u,\"seconds\":%.3f,\"init_seconds\":%.3f,\"iterate_seconds\":%.3f,\"plies\":%u,"
          "\"marks\":%" PRIu64 ",\"messages\":%" PRIu64 ",\"transfers\":%" PRIu64 ",\"moved\":%" PRIu64,
          mate, r->seconds, r->stats->init_s, r->stats->iterate_s, r->stats->plies,
          r->stats->marks_a + r->stats->marks_b, r->stats->groups, r->stats->transfers, r->stats->moved);
  printf (",\"coding_seconds\":%.3f,\"coding_memory_bytes\":%" PRIu64 ",\"solving_memory_bytes\":%" PRIu64
          ",\"memory_bytes\":%" PRIu64 ",\"resident_bytes\":%" PRIu64
          ",\"bytes_per_position\":%.4f,\"bytes\":%" PRIu64,
          r->output->code_s + r->output->write_s, r->output->bytes, r->stats->bytes + r->stats->values_bytes,
          memory, r->resident_bytes, (double) memory / (double) e->slots, r->output->file_bytes);
  printf (",\"predicted_memory_bytes\":%" PRIu64 ",\"predicted_process_bytes\":%" PRIu64
          ",\"predicted_bytes_per_position\":%.4f,\"predicted_marks\":%" PRIu64
          ",\"predicted_messages\":%" PRIu64 ",\"predicted_bytes\":%" PRIu64
          ",\"predicted_cpu_seconds\":%.3f}\n",
          e->memory_bytes, e->process_bytes, (double) e->memory_bytes / (double) e->slots, e->marks,
          e->messages, e->disk_bytes, e->cpu_s);
}

void sd_gen_result_row (const sd_gen_result *r, bool json) {
  const sd_counts *c = r->output->counts;
  const uint64_t solving = r->stats->bytes + r->stats->values_bytes, coding = r->output->bytes;
  const uint64_t memory = solving > coding ? solving : coding;
  const double slots = (double) r->estimate->slots;
  const unsigned mate = mate_moves (c, 2);
  char text[2][64], mate_text[24] = "no mate";
  sd_terminal_clear ();
  if (json)
    result_json (r, mate, memory);
  else {
    for (unsigned side = 0; side < 2; side++)
      snprintf (text[side], sizeof text[side], "%" PRIu64 "/%" PRIu64 "/%" PRIu64, c[side].won, c[side].drawn,
                c[side].lost);
    if (mate)
      snprintf (mate_text, sizeof mate_text, "mate in %u", mate);
    static bool headed;
    if (!headed)
      printf ("%-9s %-26s %-26s %-11s %9s %9s bytes, %s\n", "ending", "White won/drawn/lost", "Black won/drawn/lost",
              "longest", "time", "table", "memory a slot (predicted)");
    headed = true;
    printf ("%-9s w %-24s b %-24s %-11s %7.2f s %9" PRIu64 " bytes, %.2f (%.2f)\n", r->name, text[0], text[1],
            mate_text, r->seconds, r->output->file_bytes, (double) memory / slots,
            (double) r->estimate->memory_bytes / slots);
  }
  fflush (stdout);
}
