/* The runs behind a report: who measured which rows, and whether rows stand side by side that should not be compared without a
 * second look: of several commits, machines or ways to compile, or timed while the machine had other work. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <math.h>
#include <string.h>

/* What runs may differ in. A text that a run of an older version did not write down differs from none. */
static const char *commit_of (const sd_provenance *r) {
  return r->commit;
}
static const char *cpu_of (const sd_provenance *r) {
  return r->cpu;
}
static const char *host_of (const sd_provenance *r) {
  return r->host;
}
static const char *compiler_of (const sd_provenance *r) {
  return r->compiler;
}
static const char *flags_of (const sd_provenance *r) {
  return r->flags;
}

static const char *version_of (const sd_provenance *r) {
  return r->version;
}
static const char *libraries_of (const sd_provenance *r) {
  return r->libraries;
}

/* Different texts among the runs that have one. Commits that name no exact source differ from all others. */
static unsigned different (const sd_provenance *run, size_t n, const char *(*text) (const sd_provenance *)) {
  unsigned count = 0;
  for (size_t i = 0; i < n; i++) {
    const char *t = text (&run[i]);
    const bool itself = text != commit_of || sd_commit_is_exact (t);
    bool before = !*t;
    for (size_t k = 0; k < i && !before && itself; k++)
      before = strcmp (text (&run[k]), t) == 0;
    count += !before;
  }
  return count;
}

/* Rows of a run; *timed: those of them with a latency. */
static size_t rows_of (const sd_rowsums *all, const sd_provenance *run, size_t *timed) {
  size_t n = 0;
  *timed = 0;
  for (size_t i = 0; i < all->nrows; i++)
    if (all->row[i].run == run->id) {
      n++;
      *timed += all->row[i].get_ns > 0 || all->row[i].probe_ns > 0;
    }
  return n;
}

static void add_warning (sd_buf *out, const char *text) {
  sd_put (out, "%s%s", out->len ? "\n" : "", text);
}

/* One sentence for all that differs. */
static void warn_of_mixture (const sd_provenance *run, size_t n, sd_buf *out) {
  static const struct {
    const char *(*text) (const sd_provenance *);
    const char *what;
  } kind[] = { { commit_of, "commits" },     { cpu_of, "processors" },   { host_of, "hosts" },
               { compiler_of, "compilers" }, { flags_of, "compiler flags" },
               { version_of, "versions" },   { libraries_of, "sets of libraries" } };
  char text[400] = "";
  for (unsigned k = 0; k < sizeof kind / sizeof *kind; k++) {
    const unsigned count = different (run, n, kind[k].text);
    const size_t len = strlen (text);
    if (count > 1)
      snprintf (text + len, sizeof text - len, "%s%u %s", len ? ", " : "", count, kind[k].what);
  }
  if (!*text)
    return;
  size_t len = strlen (text);
  snprintf (text + len, sizeof text - len,
            ": the rows were not all made by the same program on the same machine; times do not compare, sizes may not");
  add_warning (out, text);
}

void sd_runs_warn (const sd_rowsums *all, const sd_provenance *run, size_t n, sd_buf *out) {
  warn_of_mixture (run, n, out);
  for (size_t i = 0; i < n; i++) {
    char text[300];
    size_t timed;
    rows_of (all, &run[i], &timed);
    if (!timed || !(run[i].load > run[i].cores))
      continue;
    snprintf (text, sizeof text,
              "run %lld: %zu rows were timed while the load of the machine was %.1f with %u cores: these times may be too long",
              (long long) run[i].id, timed, run[i].load, run[i].cores);
    add_warning (out, text);
  }
}

/* ----------------------------------------------------------------------- page */

/* "16.2 GB"; "-": not known. */
static const char *text_memory (uint64_t bytes, char *out) {
  snprintf (out, 32, "-");
  if (bytes)
    snprintf (out, 32, "%.1f GB", (double) bytes / 1e9);
  return out;
}

static void put_row (sd_doc *d, const sd_rowsums *all, const sd_provenance *r) {
  char id[24], rows[24], times[24], cores[48], load[32] = "-", memory[32];
  size_t timed, n = rows_of (all, r, &timed);
  snprintf (id, sizeof id, "%lld", (long long) r->id);
  snprintf (rows, sizeof rows, "%zu", n);
  snprintf (times, sizeof times, "%zu", timed);
  snprintf (cores, sizeof cores, "%u, %u jobs", r->cores, r->jobs);
  if (isfinite (r->load))
    snprintf (load, sizeof load, "%.2f", r->load);
  sd_doc_row (d,
              (const char *[]){ id, rows, times, r->started, r->commit, *r->host ? r->host : "-", r->cpu, cores,
                                text_memory (r->memory_bytes, memory), load },
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

void sd_report_runs (sd_doc *d, const sd_rowsums *all, const sd_provenance *run, size_t n) {
  static const char *const head[] = { "run",  "rows",      "timed", "started", "commit",
                                      "host", "processor", "cores", "memory",  "load" };
  sd_doc_heading (d, 2, "Where it comes from");
  sd_doc_para (d, "All runs that rows come from. Load: of one minute, when the run began.");
  sd_doc_table (d, "rrrlllllrr", head);
  for (size_t i = 0; i < n; i++)
    put_row (d, all, &run[i]);
  sd_doc_table_end (d);
  put_last (d, &run[n - 1]);
  sd_doc_para (d, "cells.csv holds every row with its provenance; best.csv, gains.csv, sizes.csv, latency.csv and orders.csv "
                  "hold the tables above.");
  if (*run[n - 1].tables)
    sd_doc_details (d, "The tables that the last run read, with their checksums (XXH3)", run[n - 1].tables);
  sd_doc_details (d, "The sweep file of the last run", run[n - 1].sweep);
}
