/* Where and by what a run was made: version, commit, compiler and flags, processor. Read from the build and
 * from /proc/cpuinfo. */
#include "config.h"
#include "experiments/experiments_internal.h"
#include "experiments/commit.h"
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef SD_BUILD_FLAGS
#define SD_BUILD_FLAGS ""
#endif

static void processor (char *out, size_t cap) {
  char line[512];
  snprintf (out, cap, "unknown");
  FILE *f = fopen ("/proc/cpuinfo", "r");
  while (f && fgets (line, sizeof line, f)) {
    char *colon = strchr (line, ':');
    if (strncmp (line, "model name", 10) != 0 || !colon)
      continue;
    colon[strcspn (colon, "\n")] = '\0';
    snprintf (out, cap, "%s", colon + 1 + (colon[1] == ' '));
    break;
  }
  if (f)
    fclose (f);
}

void sd_run_here (const sd_sweep *s, unsigned jobs, sd_provenance *out) {
  time_t now = time (NULL);
  struct tm tm;
  long cores = sysconf (_SC_NPROCESSORS_ONLN);
  memset (out, 0, sizeof *out);
  gmtime_r (&now, &tm);
  strftime (out->started, sizeof out->started, "%Y-%m-%dT%H:%M:%SZ", &tm);
  snprintf (out->title, sizeof out->title, "%s", s->title);
  snprintf (out->version, sizeof out->version, "%s", PACKAGE_STRING);
  snprintf (out->commit, sizeof out->commit, "%s", SD_COMMIT);
#ifdef __clang__
  snprintf (out->compiler, sizeof out->compiler, "%s %s", __VERSION__, SD_BUILD_FLAGS);
#else
  snprintf (out->compiler, sizeof out->compiler, "gcc %s %s", __VERSION__, SD_BUILD_FLAGS);
#endif
  processor (out->cpu, sizeof out->cpu);
  out->cores = cores > 0 ? (unsigned) cores : 1;
  out->jobs = jobs;
  out->seed = s->seed;
  const char *slash = strrchr (s->path, '/');
  snprintf (out->sweep_file, sizeof out->sweep_file, "%s", slash ? slash + 1 : s->path);
  snprintf (out->sweep_hash, sizeof out->sweep_hash, "%016llx",
            (unsigned long long) sd_hash64 (s->text, strlen (s->text)));
  out->sweep = s->text;
}
