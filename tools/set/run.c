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

#define LOOK_S .5 /* between two looks at what other tasks have made */
/* Between two looks at the own children; while none ends it is doubled, up to the long one. */
enum { PAUSE_NS = 3000000, LONG_PAUSE_NS = 50000000 };

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

static bool is_ready (const sd_set *s, const sd_set_job *j) {
  if (j->at != SD_SET_OPEN || (j->exact && !j->needed && !s->keeps_exact))
    return false;
  for (unsigned i = 0; i < j->nfrom; i++)
    if (s->job[j->from[i]].at != SD_SET_THERE)
      return false;
  return true;
}

/* Claimed, and after that still to be made: another task may have ended it before. *lock -1: it is not this
 * task's. */
static int take (sd_set *s, unsigned i, int *lock, sd_error *err) {
  SD_TRY (sd_set_claim (s, &s->job[i], lock, err));
  if (*lock < 0)
    return SD_OK;
  const int st = sd_set_look_again (s, err);
  if (st == SD_OK && is_ready (s, &s->job[i]))
    return SD_OK;
  close (*lock);
  *lock = -1;
  return st;
}

static int begin (sd_set *s, unsigned i, unsigned threads, int lock, sd_error *err) {
  const char *argv[24 + SD_REFORMAT_WORDS];
  unsigned c = 0;
  while (s->child[c].pid)
    c++;
  words_of (s, &s->job[i], argv);
  s->child[c] = (sd_set_child){ .job = i, .lock = lock, .threads = threads };
  s->job[i].at = SD_SET_RUNS;
  s->job[i].counts = true;
  return sd_set_start (&s->child[c], (char **) (uintptr_t) argv, err);
}

/* What reads a table that could not be made cannot be made either. */
static void mark_lost (sd_set *s) {
  for (unsigned i = 0; i < s->n; i++)
    for (unsigned k = 0; k < s->job[i].nfrom; k++) {
      const sd_set_job *from = &s->job[s->job[i].from[k]];
      s->job[i].lost |= from->at == SD_SET_FAILED || from->lost;
    }
}

/* A child has ended. A job that failed is told, and the others go on. */
static void over (sd_set *s, const sd_set_child *c, const sd_set_took *took) {
  sd_set_job *j = &s->job[c->job];
  sd_error err = { 0 };
  char why[600];
  int st;
  if (WIFEXITED (took->status) && WEXITSTATUS (took->status) == 0)
    st = j->exact ? sd_set_exact_made (s, j, took, &err) : sd_set_file_made (s, j, c, took, &err);
  else if (WIFSIGNALED (took->status))
    st = sd_fail (&err, SD_EIO, "%s: its program was ended by signal %d (%s)", j->key,
                  WTERMSIG (took->status), strsignal (WTERMSIG (took->status)));
  else {
    sd_set_complaint (c, why, sizeof why);
    st = sd_fail (&err, SD_EIO, "%s: %s", j->key, *why ? why : "its program failed and said nothing");
  }
  j->at = st == SD_OK ? SD_SET_THERE : SD_SET_FAILED;
  j->own = st == SD_OK;
  j->took_s = took->cpu_s;
  if (st != SD_OK)
    mark_lost (s);
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
  const unsigned cores = s->cores > l->threads ? s->cores - l->threads : 1;
  const uint64_t room = s->memory > l->memory ? s->memory - l->memory : 0;
  uint64_t beside = j->memory ? room / j->memory : l->ready;
  beside = beside < l->ready ? beside : l->ready;
  beside = beside < s->nchildren - l->running ? beside : s->nchildren - l->running;
  return beside > 1 ? (unsigned) (cores / beside > 1 ? cores / beside : 1) : cores;
}

/* Is there room for it? Alone it may take all that there is. */
static bool fits (const sd_set *s, const load *l, const sd_set_job *j) {
  return l->running < s->nchildren && (l->threads < s->cores || s->opt->jobs)
         && (l->running == 0 || l->memory + j->memory <= s->memory);
}

/* *others: jobs are ready that other tasks are at. */
static int begin_all (sd_set *s, bool *others, sd_error *err) {
  load l = load_of (s);
  *others = false;
  for (unsigned i = 0; i < s->n && l.running < s->nchildren; i++) {
    int lock;
    if (!is_ready (s, &s->job[i]) || !fits (s, &l, &s->job[i]))
      continue;
    SD_TRY (take (s, i, &lock, err));
    if (lock >= 0) {
      SD_TRY (begin (s, i, share (s, &l, &s->job[i]), lock, err));
      l = load_of (s);
    } else
      *others |= is_ready (s, &s->job[i]);
  }
  return SD_OK;
}

/* A job that takes longer than its estimate says itself how far it is. */
static void say_late (const sd_set *s, const sd_set_child *c, char *out, size_t cap) {
  char last[120];
  sd_set_complaint (c, last, sizeof last);
  snprintf (out, cap, "; %s%s%s\t", s->job[c->job].key, *last ? ": " : " takes longer than was estimated",
            last);
}

static void progress (sd_set *s) {
  sd_set_reckoning r;
  char what[340], late[256] = "";
  unsigned there = 0, all = 0;
  for (unsigned i = 0; i < s->n; i++) {
    there += !s->job[i].exact && s->job[i].at == SD_SET_THERE;
    all += !s->job[i].exact;
  }
  for (unsigned c = 0; c < s->nchildren; c++)
    s->child_s[c] = s->child[c].pid ? sd_set_cpu_now (&s->child[c]) : 0;
  sd_set_reckon (s, s->child_s, &r);
  if (!r.known && r.late)
    say_late (s, r.late, late, sizeof late);
  snprintf (what, sizeof what, "making the set\t%u of %u files%s", there, all, late);
  sd_report (&sd_terminal, what, (uint64_t) (1e3 * r.done), (uint64_t) (1e3 * (r.done + r.left)) + 1);
}

/* The children that have ended. Their locks go behind what is told of them: another task would make the
 * same again. */
static bool reap (sd_set *s) {
  bool any = false;
  for (unsigned c = 0; c < s->nchildren; c++) {
    sd_set_took took;
    if (s->child[c].pid && sd_set_ended (&s->child[c], &took)) {
      over (s, &s->child[c], &took);
      sd_set_child_free (&s->child[c]);
      any = true;
    }
  }
  return any;
}

/* Until nothing is at work and nothing is left that this task or another one can make. */
int sd_set_run (sd_set *s, sd_error *err) {
  long pause = PAUSE_NS;
  SD_TRY (sd_set_look_again (s, err));
  for (;;) {
    bool others, any = false;
    SD_TRY (begin_all (s, &others, err));
    const load l = load_of (s);
    if (l.running == 0 && !others && l.ready == 0)
      return SD_OK;
    for (const double looked = sd_now (); !(any = reap (s)) && sd_now () - looked < LOOK_S;) {
      nanosleep (&(struct timespec){ 0, pause }, NULL);
      pause = 2 * pause < LONG_PAUSE_NS ? 2 * pause : LONG_PAUSE_NS;
      progress (s);
    }
    pause = any ? PAUSE_NS : pause;
    SD_TRY (sd_set_look_again (s, err));
  }
}
