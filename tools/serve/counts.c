#include "config.h"
#include "tools/serve/counts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>

static void add (uint64_t *to, uint64_t n) {
  __atomic_fetch_add (to, n, __ATOMIC_RELAXED);
}

static uint64_t read_of (const uint64_t *of) {
  return __atomic_load_n (of, __ATOMIC_RELAXED);
}

void sd_served_add (sd_served *c, unsigned status, bool damaged, int64_t ns) {
  int64_t most = 10000;
  unsigned i = 0;
  for (; i < SD_TIMES && ns > most; i++)
    most *= 10;
  add (&c->time[i], 1);
  add (&c->ns, (uint64_t) ns);
  add (&c->status[(status - SD_FIRST_STATUS) % SD_STATUSES], 1);
  add (&c->damaged, damaged);
}

void sd_served_sent (sd_served *c, uint64_t bytes) {
  add (&c->bytes, bytes);
}

void sd_served_lost_line (sd_served *c) {
  add (&c->lines, 1);
}

static void head (FILE *f, const char *name, const char *type, const char *about) {
  fprintf (f, "# HELP %s %s\n# TYPE %s %s\n", name, about, name, type);
}

static void one (FILE *f, const char *name, const char *type, const char *about, uint64_t value) {
  head (f, name, type, about);
  fprintf (f, "%s %" PRIu64 "\n", name, value);
}

static void times (const sd_served *c, FILE *f) {
  static const char name[] = "subdef_answer_seconds";
  static const char *const most[SD_TIMES] = { "0.00001", "0.0001", "0.001", "0.01", "0.1", "1", "10" };
  uint64_t n = 0;
  head (f, name, "histogram", "Seconds from the end of a request's head to its answer, without sending it.");
  for (unsigned i = 0; i <= SD_TIMES; i++) {
    n += read_of (&c->time[i]);
    fprintf (f, "%s_bucket{le=\"%s\"} %" PRIu64 "\n", name, i < SD_TIMES ? most[i] : "+Inf", n);
  }
  fprintf (f, "%s_sum %.9f\n%s_count %" PRIu64 "\n", name, 1e-9 * (double) read_of (&c->ns), name, n);
}

static double cpu_seconds (void) {
  struct rusage u;
  getrusage (RUSAGE_SELF, &u);
  return (double) (u.ru_utime.tv_sec + u.ru_stime.tv_sec)
         + 1e-6 * (double) (u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void say (const sd_served *c, const sd_service *s, unsigned connections, uint64_t ended, FILE *f) {
  head (f, "subdef_requests_total", "counter", "Requests that were answered, by status.");
  for (unsigned i = 0; i < SD_STATUSES; i++)
    if (read_of (&c->status[i]))
      fprintf (f, "subdef_requests_total{status=\"%u\"} %" PRIu64 "\n", SD_FIRST_STATUS + i,
               read_of (&c->status[i]));
  one (f, "subdef_probe_errors_total", "counter", "Answers that tell of a table that cannot be read.",
       read_of (&c->damaged));
  one (f, "subdef_answer_bytes_total", "counter", "Bytes of the bodies of answers that went out whole.",
       read_of (&c->bytes));
  times (c, f);
  one (f, "subdef_log_lines_lost_total", "counter", "Lines of the access log that could not be written.",
       read_of (&c->lines));
  one (f, "subdef_connections", "gauge", "Connections that are open.", connections);
  one (f, "subdef_connections_ended_total", "counter",
       "Connections that were ended because they took too long or others needed their place.", ended);
  head (f, "subdef_tables", "gauge", "Tables, and files that are none.");
  fprintf (f, "subdef_tables{state=\"usable\"} %u\nsubdef_tables{state=\"unusable\"} %u\n", s->usable,
           sd_tables_count (s->tables) - s->usable);
  one (f, "subdef_table_bytes", "gauge", "Bytes of all usable tables.", s->bytes);
  head (f, "process_cpu_seconds_total", "counter", "User and system CPU time in seconds.");
  fprintf (f, "process_cpu_seconds_total %.6f\n", cpu_seconds ());
}

void sd_served_reply (const sd_served *c, const sd_service *s, unsigned connections, uint64_t ended,
                      sd_reply *out) {
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream (&text, &n);
  if (f)
    say (c, s, connections, ended, f);
  if (!f || fclose (f) != 0) {
    free (text);
    sd_service_refuse (500, "out of memory", out);
    return;
  }
  *out = (sd_reply){ .status = 200,
                     .type = "text/plain; version=0.0.4; charset=utf-8",
                     .keep = SD_KEEP_NOT,
                     .body = text,
                     .n = n,
                     .owned = true };
}
