/* What a run of a set says: a line for each file when it is there, and at the end what all files and exact
 * tables took. */
#include "config.h"
#include "tools/positions.h"
#include "tools/set/set.h"
#include <inttypes.h>
#include <string.h>

static double number_of (const json_t *row, const char *key) {
  return json_number_value (json_object_get (row, key));
}

static const char *codec_of (const json_t *row) {
  const char *c =
      json_string_value (json_object_get (json_array_get (json_object_get (row, "sides"), 0), "codec"));
  return c ? c : "-";
}

/* "KRvKP    wdl         29,175 bytes  obdd      3.1 CPU-s    115 MB" */
void sd_set_say (sd_set *s, const sd_set_job *j, const json_t *row) {
  sd_terminal_clear ();
  if (s->opt->json)
    sd_json_line (json_deep_copy (row));
  else if (!s->opt->quiet)
    printf ("%-8s %-6s %13s bytes  %-7s %8.1f CPU-s %7.0f MB\n", j->name, sd_metrics[j->metric].name,
            sd_tool_count ((uint64_t) number_of (row, "bytes")), codec_of (row), number_of (row, "cpu_s"),
            number_of (row, "memory_bytes") / 1e6);
  fflush (stdout);
}

/* Time, memory, disk of the jobs that are to be made. */
typedef struct sums {
  unsigned files, exact;
  double file_s, exact_s;
  uint64_t memory, bytes;
  const sd_set_job *largest;
} sums;

static void sum_up (const sd_set *s, sums *out) {
  *out = (sums){ .largest = NULL };
  for (unsigned i = 0; i < s->n; i++) {
    const sd_set_job *j = &s->job[i];
    if (!j->counts)
      continue;
    *(j->exact ? &out->exact : &out->files) += 1;
    *(j->exact ? &out->exact_s : &out->file_s) += j->cpu_s;
    out->bytes += j->exact ? 0 : j->disk;
    if (j->memory > out->memory)
      out->largest = j;
    out->memory = j->memory > out->memory ? j->memory : out->memory;
  }
}

static void say_time (double s, char out[32]) {
  sd_time_text (s, out, 32);
}

/* A row for each job that is to be made: what it is, and what it takes. */
static void say_jobs (const sd_set *s) {
  if (!s->opt->json)
    printf ("%-8s %-12s %14s %10s %8s %14s\n", "", "", "slots", "CPU-s", "MB", "bytes");
  for (unsigned i = 0; i < s->n; i++) {
    const sd_set_job *j = &s->job[i];
    if (!j->counts)
      continue;
    if (s->opt->json)
      sd_json_line (json_pack ("{s:s, s:s, s:b, s:b, s:I, s:f, s:I, s:I}", "table", j->name, "metric",
                               sd_metrics[j->metric].name, "exact", (int) j->exact, "sampled",
                               (int) j->sampled, "slots", (json_int_t) j->slots, "cpu_s", j->cpu_s,
                               "memory_bytes", (json_int_t) j->memory, "bytes", (json_int_t) j->disk));
    else
      printf ("%-8s %s%-6s %14s %10.1f %8.0f %14s\n", j->name, j->exact ? "exact " : "      ",
              sd_metrics[j->metric].name, sd_tool_count (j->slots), j->cpu_s, (double) j->memory / 1e6,
              sd_tool_count (j->disk));
  }
}

void sd_set_say_estimate (const sd_set *s) {
  sums t;
  char files[32], exact[32];
  if (s->opt->estimate)
    say_jobs (s);
  if (s->opt->json)
    return;
  sum_up (s, &t);
  say_time (t.file_s, files);
  say_time (t.exact_s, exact);
  printf ("to be made: %u exact tables, about %s of CPU time; %u files, about %s, some %s bytes\n"
          "at most at one time: some %s bytes of exact tables on disk, %s bytes of memory for %s\n",
          t.exact, exact, t.files, files, sd_tool_count (t.bytes), sd_tool_count (sd_set_most_disk (s)),
          sd_tool_count (t.memory), t.largest ? t.largest->key : "nothing");
}

/* Of the whole manifest, for files that were there belong to the set. */
void sd_set_say_sum (const sd_set *s, double seconds, double cpu_s) {
  uint64_t bytes = 0;
  double file_s = 0, exact_s = 0;
  unsigned there = 0, made = 0, missing = 0;
  for (unsigned i = 0; i < s->n; i++) {
    const sd_set_job *j = &s->job[i];
    const json_t *row = sd_manifest_row (s->manifest, j->exact ? "exact" : "files", j->name, j->metric);
    *(j->exact ? &exact_s : &file_s) += number_of (row, "cpu_s");
    bytes += j->exact ? 0 : (uint64_t) number_of (row, "bytes");
    made += !j->exact && j->own;
    there += !j->exact && j->at == SD_SET_THERE;
    missing += !j->exact && j->at != SD_SET_THERE;
  }
  if (s->opt->quiet || s->opt->json)
    return;
  if (s->task.ranks > 1)
    printf ("task %u of %u: ", s->task.rank + 1, s->task.ranks);
  printf ("%u files, %s bytes, %u of them made now in %.1f s and %.1f CPU-seconds", there,
          sd_tool_count (bytes), made, seconds, cpu_s);
  if (missing)
    printf ("; %u could not be made", missing);
  printf ("; in all runs %.1f CPU-seconds for exact tables, %.1f for files\n", exact_s, file_s);
}
