/* A set is made: whatever is ready, has room and is nobody else's is begun, the first in the order of
 * building first, until nothing is left. Where fewer jobs can be at work than there are cores, each gets
 * several threads. Tasks of a launcher or a job array, on any machines, do this side by side in one folder;
 * they exchange nothing but locks (child.c), the manifest and the tables themselves, so that it does not
 * matter how many there are, or whether one of them ends. */
#include "config.h"
#include "tools/set/set.h"
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_S .5            /* between two looks at what other tasks have made */
enum { PAUSE_NS = 3000000 }; /* between two looks at the own children */

/* ------------------------------------------------------------------ one job */

/* The words of the program that does it; out[] has room for them. */
static void words_of (const sd_set *s, const sd_set_job *j, const char **out) {
  static char generator[4200];
  unsigned n = 0;
  const char *const metric = sd_metrics[j->metric].name;
  if (j->exact) {
    sd_tool_find_generator (generator, sizeof generator);
    const char *const gen[] = { generator, j->name, "--metric", metric, "--only", "--quiet", "-o", s->exact };
    memcpy (out, gen, sizeof gen);
    n = sizeof gen / sizeof *gen;
  } else {
    const char *const reformat[] = { "/proc/self/exe", "reformat", j->name,  "--metric",
                                     metric,           "--tables", s->exact, "-o",
                                     s->made,          "--force",  "--json", "--statistics" };
    memcpy (out, reformat, sizeof reformat);
    n = sizeof reformat / sizeof *reformat;
    for (unsigned i = 0; i < s->opt->nchoices; i++)
      out[n++] = s->opt->choice[i];
  }
  if (s->opt->game) {
    out[n++] = "--game";
    out[n++] = s->opt->game;
  }
  out[n] = NULL;
}

/* What other tasks have made, and which exact tables may go. */
static int look_again (sd_set *s, sd_error *err) {
  json_t *now;
  SD_TRY (sd_manifest_read (s->opt->out, &now, err));
  json_decref (s->manifest);
  s->manifest = now;
  return sd_set_look_again (s, err);
}

static bool is_ready (const sd_set *s, const sd_set_job *j) {
  if (j->at != SD_SET_OPEN || (j->exact && !j->needed && !s->keeps_exact))
    return false;
  for (unsigned i = 0; i < j->nfrom; i++)
    if (s->job[j->from[i]].at != SD_SET_THERE)
      return false;
  return true;
}

/* Claimed, and after that still to be made: another task may have ended it before. */
static bool take (sd_set *s, unsigned i, int *lock, sd_error *err) {
  if (!sd_set_claim (s, &s->job[i], lock))
    return false;
  if (look_again (s, err) == SD_OK && is_ready (s, &s->job[i]))
    return true;
  close (*lock);
  return false;
}

static int begin (sd_set *s, unsigned i, unsigned threads, int lock, sd_error *err) {
  const char *argv[24 + SD_REFORMAT_WORDS];
  unsigned c = 0;
  while (s->child[c].pid)
    c++;
  words_of (s, &s->job[i], argv);
  s->child[c] = (sd_set_child){ .job = i, .lock = lock, .threads = threads };
  s->job[i].at = SD_SET_RUNS;
  return sd_set_start (s, &s->child[c], (char **) (uintptr_t) argv, err);
}

/* ------------------------------------------------------------- what was made */

/* What reformat says of the file that it has made, and what else the manifest is to tell. */
static json_t *row_of_file (const sd_set *s, const sd_set_job *j, const sd_set_took *took, sd_error *err) {
  char path[4300], sum[17];
  sd_done_file now;
  json_error_t why;
  snprintf (path, sizeof path, "%s/%s.out", s->work, j->key);
  json_t *all = json_load_file (path, 0, &why), *row = json_incref (json_array_get (all, 0));
  json_decref (all);
  if (!row) {
    sd_fail (err, SD_EFORMAT, "%s: %s", path, why.text);
    return NULL;
  }
  snprintf (path, sizeof path, "%s/%s", s->made, j->file);
  if (sd_done_tell_file (path, &now, err) != SD_OK) {
    json_decref (row);
    return NULL;
  }
  snprintf (sum, sizeof sum, "%016llx", (unsigned long long) now.sum);
  json_object_del (row, "status");
  json_object_del (row, "seconds");
  sd_json_put (row, "{s:s, s:s, s:s, s:f, s:I}", "file", j->file, "sum", sum, "how", j->how, "cpu_s",
               took->cpu_s, "memory_bytes", (json_int_t) took->memory);
  return row;
}

static json_int_t bytes_of (const json_t *row) {
  return json_integer_value (json_object_get (row, "bytes"));
}

/* The rows of what was tried before, and of the row that loses, go on in that which stays. */
static json_t *keep_smaller (json_t *old, json_t *new) {
  const bool smaller = bytes_of (new) < bytes_of (old);
  json_t *stays = smaller ? new : json_copy (old), *loses = smaller ? old : new,
         *tried = json_object_get (old, "tried");
  tried = tried ? json_deep_copy (tried) : json_array ();
  json_array_append (tried, json_object_get (loses, "how"));
  json_object_set_new (stays, "tried", tried);
  if (!smaller)
    json_decref (new);
  return stays;
}

/* The row first, then the place (jobs.c, look_at_file). */
static int file_made (sd_set *s, sd_set_job *j, const sd_set_took *took, sd_error *err) {
  char made[4400], path[4400];
  json_t *row = row_of_file (s, j, took, err),
         *old = sd_manifest_row (s->manifest, "files", j->name, j->metric);
  if (!row)
    return err->status;
  snprintf (made, sizeof made, "%s/%s", s->made, j->file);
  snprintf (path, sizeof path, "%s/%s", s->opt->out, j->file);
  const bool keeps = s->opt->smaller && old && sd_file_exists (path) && bytes_of (row) >= bytes_of (old);
  if (s->opt->smaller && old && sd_file_exists (path))
    row = keep_smaller (old, row);
  json_incref (row);
  int st = sd_manifest_put (s, &s->manifest, "files", row, err);
  if (st == SD_OK && (keeps ? unlink (made) : rename (made, path)))
    st = sd_fail (err, SD_EIO, "%s: cannot become %s", made, path);
  if (st == SD_OK)
    sd_set_say (s, j, row);
  json_decref (row);
  return st;
}

static int exact_made (sd_set *s, sd_set_job *j, const sd_set_took *took, sd_error *err) {
  char path[4400];
  sd_map file;
  snprintf (path, sizeof path, "%s/%s", s->exact, j->file);
  SD_TRY (sd_map_open (path, &file, err));
  const json_int_t bytes = (json_int_t) file.len;
  sd_map_close (&file);
  json_t *row =
      json_pack ("{s:s, s:s, s:I, s:f, s:I}", "table", j->name, "metric", sd_metrics[j->metric].name, "bytes",
                 bytes, "cpu_s", took->cpu_s, "memory_bytes", (json_int_t) took->memory);
  return row ? sd_manifest_put (s, &s->manifest, "exact", row, err) : sd_fail_memory (err, 0);
}

/* A child has ended. A job that failed is told, and the others go on. */
static void over (sd_set *s, unsigned i, const sd_set_took *took) {
  sd_set_job *j = &s->job[i];
  sd_error err = { 0 };
  char why[600];
  int st;
  if (WIFEXITED (took->status) && WEXITSTATUS (took->status) == 0)
    st = j->exact ? exact_made (s, j, took, &err) : file_made (s, j, took, &err);
  else {
    sd_set_complaint (s, j, why, sizeof why);
    if (WIFSIGNALED (took->status))
      st = sd_fail (&err, SD_EIO, "%s: its program was ended by signal %d (%s)", j->key,
                    WTERMSIG (took->status), strsignal (WTERMSIG (took->status)));
    else
      st = sd_fail (&err, SD_EIO, "%s: %s", j->key, *why ? why : "its program failed and said nothing");
  }
  j->at = st == SD_OK ? SD_SET_THERE : SD_SET_FAILED;
  j->own = st == SD_OK;
  sd_terminal_clear ();
  if (st != SD_OK)
    s->status = sd_tool_fail (&err);
}

/* ---------------------------------------------------------------- the queue */

typedef struct load {
  unsigned running, threads, ready;
  uint64_t memory;
} load;

static load load_of (const sd_set *s) {
  load l = { .running = 0 };
  for (unsigned i = 0; i < s->nchildren; i++)
    if (s->child[i].pid) {
      l.running++;
      l.threads += s->child[i].threads;
      l.memory += s->job[s->child[i].job].memory;
    }
  for (unsigned i = 0; i < s->n; i++)
    l.ready += is_ready (s, &s->job[i]);
  return l;
}

/* Threads of a job that is begun now: its share of the free cores among the jobs that could be at work beside
 * it. */
static unsigned share (const sd_set *s, const load *l, const sd_set_job *j) {
  const unsigned cores = s->cores - l->threads;
  const uint64_t room = s->memory > l->memory ? s->memory - l->memory : 0;
  uint64_t beside = j->memory ? room / j->memory : l->ready;
  beside = beside < l->ready ? beside : l->ready;
  beside = beside < s->nchildren - l->running ? beside : s->nchildren - l->running;
  return beside > 1 ? (unsigned) (cores / beside > 1 ? cores / beside : 1) : cores;
}

/* Is there room for it? Alone it may take all that there is. */
static bool fits (const sd_set *s, const load *l, const sd_set_job *j) {
  return l->running < s->nchildren && l->threads < s->cores
         && (l->running == 0 || l->memory + j->memory <= s->memory);
}

/* *others: jobs are ready that other tasks are at. */
static int begin_all (sd_set *s, bool *others, sd_error *err) {
  *others = false;
  for (unsigned i = 0; i < s->n; i++) {
    int lock;
    const load l = load_of (s);
    if (!is_ready (s, &s->job[i]) || !fits (s, &l, &s->job[i]))
      continue;
    if (take (s, i, &lock, err))
      SD_TRY (begin (s, i, share (s, &l, &s->job[i]), lock, err));
    else
      *others |= s->job[i].at == SD_SET_OPEN;
  }
  return SD_OK;
}

/* CPU seconds of what is there, and a part of what is at work. */
static void progress (sd_set *s) {
  double done = 0;
  unsigned there = 0, all = 0;
  for (unsigned i = 0; i < s->n; i++) {
    const sd_set_job *j = &s->job[i];
    /* An exact table that is not needed any more was there. */
    const bool is =
        j->at == SD_SET_THERE || j->at == SD_SET_FAILED || (j->exact && !j->needed && j->at == SD_SET_OPEN);
    done += j->counts && is ? j->cpu_s : 0;
    there += !j->exact && j->at == SD_SET_THERE;
    all += !j->exact;
  }
  for (unsigned c = 0; c < s->nchildren; c++)
    if (s->child[c].pid) {
      const double part = (sd_now () - s->child[c].start) * s->child[c].threads,
                   whole = s->job[s->child[c].job].cpu_s;
      done += part < .9 * whole ? part : .9 * whole;
    }
  char what[80];
  snprintf (what, sizeof what, "making the set\t%u of %u files", there, all);
  sd_report (&sd_terminal, what, (uint64_t) (1e3 * done), (uint64_t) (1e3 * s->left) + 1);
}

/* The children that have ended. */
static bool reap (sd_set *s) {
  bool any = false;
  for (unsigned c = 0; c < s->nchildren; c++) {
    sd_set_took took;
    if (s->child[c].pid && sd_set_ended (&s->child[c], &took)) {
      over (s, s->child[c].job, &took);
      /* Not before the manifest tells of it: another task would make it again. */
      close (s->child[c].lock);
      any = true;
    }
  }
  return any;
}

/* Until nothing is at work and nothing is left that this task or another one can make. */
int sd_set_run (sd_set *s, sd_error *err) {
  double looked = sd_now ();
  for (bool others = false;;) {
    SD_TRY (begin_all (s, &others, err));
    const load l = load_of (s);
    if (l.running == 0 && !others && l.ready == 0)
      return SD_OK;
    nanosleep (&(struct timespec){ 0, PAUSE_NS }, NULL);
    progress (s);
    if (reap (s) || (s->task.ranks > 1 && sd_now () - looked > LOOK_S)) {
      SD_TRY (look_again (s, err));
      looked = sd_now ();
    }
  }
}
