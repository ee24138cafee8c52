/* Where and by what a run was made: version, commit, how it was compiled, processor, host, memory, load,
 * versions of the libraries as they run, the tables that were read. Read from the build and from the system.
 *
 * sweep.c asks for it once, before the first cell; the row `run` of a store is made of it, and
 * sd_store_compare asks whether rows that are there came about in the same way. Whatever the system does
 * not tell is "unknown", 0 or NaN, and no failure. The second half tells how busy the machine is with
 * other work, for the columns busy_cores and coding_busy_cores and for the bar. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/build.h"
#include "experiments/run/run_internal.h"
#include <gsl/gsl_version.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

/* The first "model name" of /proc/cpuinfo: "unknown" where there is none, as on some other architectures. */
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

static void compiler (char *out, size_t cap) {
#ifdef __clang__
  snprintf (out, cap, "%s", __VERSION__); /* names itself */
#else
  snprintf (out, cap, "gcc %s", __VERSION__);
#endif
}

/* cores: those that are switched on, not those that this process may use. */
static void machine (sd_provenance *out) {
  struct utsname u;
  double load[1];
  const long cores = sysconf (_SC_NPROCESSORS_ONLN), pages = sysconf (_SC_PHYS_PAGES),
             page = sysconf (_SC_PAGESIZE);

  processor (out->cpu, sizeof out->cpu);
  if (uname (&u) == 0) {
    snprintf (out->host, sizeof out->host, "%s", u.nodename);
    snprintf (out->kernel, sizeof out->kernel, "%.40s %.80s %.30s", u.sysname, u.release, u.machine);
  }

  out->cores = cores > 0 ? (unsigned) cores : 1;
  out->memory_bytes = pages > 0 && page > 0 ? (uint64_t) pages * (uint64_t) page : 0;
  out->load = getloadavg (load, 1) == 1 ? load[0] : NAN;
}

/* Seconds in which some core was at work, of all programs; -1: the system does not tell. Waiting for the disk
 * is no work, and counts as idle. */
static double busy_seconds (void) {
  unsigned long long user, nice, system, idle, wait, irq, soft;
  FILE *f = fopen ("/proc/stat", "r");
  const int n = f ? fscanf (f, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &wait,
                            &irq, &soft)
                  : 0;
  if (f)
    fclose (f);
  return n == 7 ? (double) (user + nice + system + irq + soft) / (double) sysconf (_SC_CLK_TCK) : -1;
}

void sd_busy_start (sd_busy_clock *c) {
  *c = (sd_busy_clock){ sd_now (), sd_cpu_now (), busy_seconds () };
}

/* What all did, without what this process did. Small differences of the two clocks may come out below 0. */
double sd_busy_cores (const sd_busy_clock *c) {
  sd_busy_clock now;
  sd_busy_start (&now);
  const double time = now.at - c->at, others = now.all - c->all - (now.own - c->own);
  const long cores = sysconf (_SC_NPROCESSORS_ONLN);

  if (c->all < 0 || now.all < 0 || !(time >= SD_BUSY_LEAST_S))
    return NAN;
  const double used = others > 0 ? others / time : 0;
  return cores > 0 && used > (double) cores ? (double) cores : used;
}

/* Codecs of one library name it once. */
static void add_library (char *out, size_t cap, const char *what) {
  if (!strstr (out, what))
    sd_text_list (out, cap, "%s", what);
}

/* What the codecs stand on, and what this room does. */
static void libraries (char *out, size_t cap) {
  char text[80];
  size_t n;
  const sd_codec *const *codec = sd_codec_all (&n);
  out[0] = '\0';
  for (size_t i = 0; i < n; i++)
    if (codec[i]->runtime) {
      codec[i]->runtime (text, sizeof text);
      add_library (out, cap, text);
    }

  snprintf (text, sizeof text, "SQLite %s", sqlite3_libversion ());
  add_library (out, cap, text);
  snprintf (text, sizeof text, "GSL %s", gsl_version);
  add_library (out, cap, text);
#ifdef __GLIBC__
  snprintf (text, sizeof text, "glibc %s", gnu_get_libc_version ());
  add_library (out, cap, text);
#endif
}

int sd_run_here (const sd_sweep *s, unsigned jobs, const char *command, sd_provenance *out, sd_error *err) {
  time_t now = time (NULL);
  struct tm tm;
  memset (out, 0, sizeof *out);
  gmtime_r (&now, &tm);
  strftime (out->started, sizeof out->started, "%Y-%m-%dT%H:%M:%SZ", &tm);

  snprintf (out->title, sizeof out->title, "%s", s->title);
  snprintf (out->version, sizeof out->version, "%s", PACKAGE_STRING);
  snprintf (out->commit, sizeof out->commit, "%s", SD_COMMIT);
  snprintf (out->flags, sizeof out->flags, "%s", SD_FLAGS);
  snprintf (out->configure, sizeof out->configure, "%s", SD_CONFIGURE);
  snprintf (out->command, sizeof out->command, "%s", command ? command : "");

  compiler (out->compiler, sizeof out->compiler);
  libraries (out->libraries, sizeof out->libraries);
  machine (out);
  out->jobs = jobs;
  out->load_s = NAN; /* not known yet */
  out->seed = s->seed;

  const char *slash = strrchr (s->path, '/');
  snprintf (out->sweep_file, sizeof out->sweep_file, "%s", slash ? slash + 1 : s->path);
  snprintf (out->sweep_hash, sizeof out->sweep_hash, "%016llx",
            (unsigned long long) sd_hash64 (s->text, strlen (s->text)));

  /* The whole text, so that a store alone says how it was made. */
  out->sweep = strdup (s->text);
  out->tables = strdup ("");
  if (out->sweep && out->tables)
    return SD_OK;
  sd_provenance_clear (out);
  return sd_fail_memory (err, strlen (s->text));
}

/* The name without its folder, as folders differ between machines; the checksum says whether it is the same
 * file. */
static int add_file (const char *path, sd_buf *text, sd_error *err) {
  SD_RELEASED_BY (sd_map_close) sd_map map = { 0 };
  char line[300];
  const char *slash = strrchr (path, '/');
  SD_TRY (sd_map_open (path, &map, err));
  snprintf (line, sizeof line, "%.255s %016llx\n", slash ? slash + 1 : path,
            (unsigned long long) sd_hash64 (map.data, map.len));
  sd_buf_append (text, line, strlen (line));
  return SD_OK;
}

/* Those of the cells that this run is to compute, each once. */
static int add_arrays (const sd_runner *r, sd_buf *text, sd_error *err) {
  const sd_sweep *s = r->sweep;
  SD_OWNED uint64_t *hash = sd_alloc0 (s->ncells + 1, sizeof *hash); /* of their names; 0: of other cells */
  SD_OWNED uint32_t *first = NULL;
  if (!hash)
    return sd_fail_memory (err, s->ncells * sizeof *hash);
  for (uint64_t i = 0; i < s->ncells; i++)
    if (s->cell[i].array && r->state[i].counted)
      hash[i] = sd_hash64 (s->cell[i].name.table, strlen (s->cell[i].name.table));
  SD_TRY (sd_first_alike (hash, s->ncells, &first, err));
  for (uint64_t i = 0; i < s->ncells; i++)
    if (hash[i] && first[i] == i)
      SD_TRY (add_file (s->cell[i].name.table, text, err));
  return SD_OK;
}

int sd_run_tables (sd_runner *r, sd_error *err) {
  const char *const *file;
  const size_t n = sd_values_files (r->exacts, &file);
  SD_RELEASED_BY (sd_buf_free) sd_buf text = { 0 };

  for (size_t i = 0; i < n; i++)
    SD_TRY (add_file (file[i], &text, err));
  SD_TRY (add_arrays (r, &text, err));

  sd_buf_u8 (&text, 0);
  if (sd_buf_status (&text) != SD_OK)
    return sd_fail_memory (err, text.len);

  free (r->run.tables);
  r->run.tables = (char *) text.data;
  text = (sd_buf){ 0 };
  return SD_OK;
}
