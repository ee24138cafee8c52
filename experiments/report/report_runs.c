/* The runs behind a report: who measured which rows, and whether rows stand side by side that should not be
 * compared without a second look: of several commits, machines or ways to compile, or timed while the machine
 * had other work. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF_A_CORE 0.5 /* the system counts time in steps that are long beside the timing of a cell */

static int by_text (const void *a, const void *b) {
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Different texts among the runs that have one; text: room for one a run. */
static unsigned different (const sd_provenance *run, size_t n, size_t at, const char **text) {
  unsigned count = 0;
  for (size_t i = 0; i < n; i++)
    text[i] = (const char *) &run[i] + at;
  qsort (text, n, sizeof *text, by_text);
  for (size_t i = 0; i < n; i++)
    count += *text[i] && (i == 0 || strcmp (text[i - 1], text[i]));
  return count;
}

/* The rows of a run: how many, those with a latency, those of them that were timed beside other work, those
 * that were coded beside it. */
typedef struct run_rows {
  size_t n, timed, disturbed, coded;
  double busy; /* the most cores that others used beside a disturbed row; 0: only the load is known */
  double coding_busy;
} run_rows;

const sd_provenance *sd_run_find (const sd_provenance *run, size_t n, int64_t id) {
  size_t from = 0, to = n;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (run[middle].id < id)
      from = middle + 1;
    else
      to = middle;
  }
  return from < n && run[from].id == id ? &run[from] : NULL;
}

/* Of rows that do not say what others did the load when the run began tells, which is not their own. */
static void add_row (run_rows *out, const sd_provenance *run, const sd_row *r) {
  const bool timed = r->get_ns > 0 || r->probe_ns > 0;
  out->n++;
  out->timed += timed;
  const bool disturbed =
      timed
      && (isnan (r->busy_cores) ? run->load > run->cores : r->busy_cores > run->cores - 1 + HALF_A_CORE);
  out->disturbed += disturbed;
  if (disturbed && r->busy_cores > out->busy)
    out->busy = r->busy_cores;
  const double ours = run->jobs < run->cores ? run->jobs : run->cores;
  out->coded += r->coding_busy_cores > run->cores - ours + HALF_A_CORE;
  if (r->coding_busy_cores > out->coding_busy)
    out->coding_busy = r->coding_busy_cores;
}

/* What each run has; NULL: no memory. */
static run_rows *rows_of (const sd_row *row, size_t nrows, const sd_provenance *run, size_t n) {
  run_rows *out = sd_alloc0 (n, sizeof *out);
  for (size_t i = 0; out && i < nrows; i++) {
    const sd_provenance *r = sd_run_find (run, n, row[i].run);
    if (r)
      add_row (&out[r - run], r, &row[i]);
  }
  return out;
}

static void add_warning (sd_buf *out, const char *text) {
  sd_put (out, "%s%s", out->len ? "\n" : "", text);
}

/* One sentence for all that differs. */
static void warn_of_mixture (const sd_provenance *run, size_t n, sd_buf *out) {
  const char **texts SD_OWNED = sd_alloc (n, sizeof *texts);
  char text[400] = "";
  out->failed = out->failed || !texts;
  for (unsigned k = 0; texts && k < SD_IDENTITIES; k++) {
    const unsigned count = different (run, n, sd_identities[k].at, texts);
    if (count > 1)
      sd_text_list (text, sizeof text, "%u %s", count, sd_identities[k].many);
  }
  if (!*text)
    return;
  size_t len = strlen (text);
  snprintf (
      text + len, sizeof text - len,
      ": the rows were not all made by the same program on the same machine; times do not compare, sizes may not");
  add_warning (out, text);
}

/* Commits that name no exact source cannot be compared, which is said once. */
static void warn_of_commits (const sd_provenance *run, size_t n, sd_buf *out) {
  size_t any = 0;
  const char *example = "";
  char text[200];
  for (size_t i = 0; i < n; i++)
    if (!sd_commit_is_exact (run[i].commit)) {
      any++;
      example = run[i].commit;
    }
  if (n < 2 || !any)
    return;
  snprintf (text, sizeof text,
            "%zu of %zu runs name no exact commit (%.40s): the same program may have made their rows, or not",
            any, n, *example ? example : "none");
  add_warning (out, text);
}

static void warn_of_others (const sd_provenance *run, const run_rows *rows, sd_buf *out) {
  char text[300];
  if (rows->disturbed) {
    snprintf (text, sizeof text,
              "run %lld: %zu rows were timed while %s %.1f%s %u cores: these times may be too long",
              (long long) run->id, rows->disturbed,
              rows->busy > 0 ? "other programs used up to" : "the load of the machine was",
              rows->busy > 0 ? rows->busy : run->load, rows->busy > 0 ? " of" : " with", run->cores);
    add_warning (out, text);
  }
  if (rows->coded) {
    snprintf (text, sizeof text,
              "run %lld: %zu rows were coded while other programs used up to %.1f of %u cores: speeds of encoding and "
              "decoding are CPU times, but may be too low",
              (long long) run->id, rows->coded, rows->coding_busy, run->cores);
    add_warning (out, text);
  }
}

void sd_runs_warn (const sd_row *row, size_t nrows, const sd_provenance *run, size_t n, sd_buf *out) {
  run_rows *of SD_OWNED = rows_of (row, nrows, run, n);
  out->failed = out->failed || !of;
  warn_of_mixture (run, n, out);
  warn_of_commits (run, n, out);
  for (size_t i = 0; of && i < n; i++)
    warn_of_others (&run[i], &of[i], out);
}

/* ----------------------------------------------------------------------- page */

void sd_doc_warnings (sd_doc *d, const sd_buf *warnings) {
  const char *at = (const char *) warnings->data;
  for (size_t i = 0; i < warnings->len && at[i];) {
    size_t len = 0;
    while (i + len < warnings->len && at[i + len] && at[i + len] != '\n')
      len++;
    sd_doc_para (d, "Warning: %.*s.", (int) len, at + i);
    i += len + 1;
  }
}

/* "16.2 GB"; "-": not known. */
static const char *text_memory (uint64_t bytes, char *out) {
  snprintf (out, 32, "-");
  if (bytes)
    snprintf (out, 32, "%.1f GB", (double) bytes / 1e9);
  return out;
}

static void put_row (sd_doc *d, run_rows of, const sd_provenance *r) {
  char id[24], rows[24], times[24], cores[48], load[32] = "-", memory[32];
  snprintf (id, sizeof id, "%lld", (long long) r->id);
  snprintf (rows, sizeof rows, "%zu", of.n);
  snprintf (times, sizeof times, "%zu", of.timed);
  snprintf (cores, sizeof cores, "%u, %u jobs", r->cores, r->jobs);
  if (isfinite (r->load))
    snprintf (load, sizeof load, "%.2f", r->load);
  sd_doc_row (d,
              (const char *[]){ id, rows, times, r->started, r->commit, *r->host ? r->host : "-", r->cpu,
                                cores, text_memory (r->memory_bytes, memory), load },
              false);
}

/* One text of a run, where it has it. */
static void put_text (sd_doc *d, const char *what, const char *text) {
  if (*text)
    sd_doc_row (d, (const char *[]){ what, text }, false);
}

static void put_last (sd_doc *d, const sd_provenance *r) {
  char seed[32], sweep[320];
  snprintf (seed, sizeof seed, "%llu", (unsigned long long) r->seed);
  snprintf (sweep, sizeof sweep, "%s, hash %s", r->sweep_file, r->sweep_hash);
  sd_doc_table (d, "ll", (const char *const[]){ "last run", "" });
  put_text (d, "command", r->command);
  put_text (d, "program", r->version);
  put_text (d, "compiler", r->compiler);
  put_text (d, "compiler flags", r->flags);
  put_text (d, "configure", r->configure);
  put_text (d, "libraries", r->libraries);
  put_text (d, "kernel", r->kernel);
  put_text (d, "seed", seed);
  put_text (d, "sweep", sweep);
  sd_doc_table_end (d);
}

int sd_report_run_table (sd_doc *d, const sd_row *row, size_t nrows, const sd_provenance *run, size_t n,
                         sd_error *err) {
  static const char *const head[] = { "run",  "rows",      "timed", "started", "commit",
                                      "host", "processor", "cores", "memory",  "load" };
  run_rows *of SD_OWNED = rows_of (row, nrows, run, n);
  if (!of)
    return sd_fail_memory (err, n * sizeof *of);
  sd_doc_table (d, "rrr~ll~l-~l~l~r~-r~", head);
  for (size_t i = 0; i < n; i++)
    put_row (d, of[i], &run[i]);
  sd_doc_table_end (d);
  return SD_OK;
}

int sd_report_runs (sd_doc *d, const sd_row *row, size_t nrows, const sd_provenance *run, size_t n,
                    sd_error *err) {
  sd_doc_heading (d, 2, "Where it comes from");
  sd_doc_para (d, "All runs that rows come from. Load: of one minute, when the run began.");
  SD_TRY (sd_report_run_table (d, row, nrows, run, n, err));
  put_last (d, &run[n - 1]);
  if (*run[n - 1].tables)
    sd_doc_details (d, "The tables that the last run read, with their checksums (XXH3)", run[n - 1].tables);
  sd_doc_details (d, "The sweep file of the last run", run[n - 1].sweep);
  return SD_OK;
}
