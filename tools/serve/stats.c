/* How many positions of a table are won, drawn and lost: /stats. To count them, all values of the table and
 * of those that it refers to are decoded, for minutes and into much memory where an ending has 5 men. That is
 * done by another process, `subdef info --statistics`, one table at a time and each once: no request waits
 * for it, its memory is limited and comes back, it makes way for answers, and what ends it does not end the
 * server. Until it has counted, the answer says so and tells what is published. */
#include "config.h"
#include "chess/ending.h"
#include "tools/serve/service.h"
#include "base/text.h"
#include "experiments/run/run.h"
#include "tools/statistics.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RETRY = 2 /* seconds */ };

/* What failed is tried again for who asks, after ten times as long as it took, but not at once. */
enum { AGAIN_TIMES = 10, AGAIN_SECONDS = 5 };

enum state { NOT_ASKED, WAITS, COUNTED, FAILED };

/* Of table number i of the server. */
typedef struct count {
  enum state state;
  const char *file;   /* with its folder */
  const char *metric; /* what it holds, by what it was when the server started */
  char ending[SD_TABLE_NAME];
  json_t *values; /* COUNTED */
  char *why;      /* FAILED */
  int64_t again;  /* FAILED: from when on it may be tried again, on the clock of sd_clock_ns */
  uint64_t turn;  /* WAITS: those with less come first */
} count;

struct sd_counting {
  const char *path; /* of tables */
  uint64_t bytes;
  pthread_mutex_t lock;
  pthread_cond_t news; /* something waits, or all is to end */
  pthread_t thread;
  bool started, ends;
  pid_t child; /* 0: none */
  unsigned n;
  uint64_t turns; /* given so far */
  count at[];
};

/* ------------------------------------------------------------- the other process */

extern char **environ;

/* The environment with one thread; the array is the caller's, its texts are not. NULL: no memory. */
static char **environment (void) {
  static char one[] = "OMP_NUM_THREADS=1";
  size_t n = 0, k = 0;
  while (environ[n])
    n++;
  char **all = sd_alloc0 (n + 2, sizeof *all);
  for (size_t i = 0; all && i < n; i++)
    if (strncmp (environ[i], "OMP_NUM_THREADS=", strlen ("OMP_NUM_THREADS=")) != 0)
      all[k++] = environ[i];
  if (all)
    all[k] = one;
  return all;
}

/* In the child of a program with threads: only what a signal handler may call. A sanitizer's own memory is
 * not limited. */
static void become (const char *const *argv, char *const *env, int out, int complaints, uint64_t bytes) {
  sigset_t none;
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  const struct rlimit memory = { .rlim_cur = bytes, .rlim_max = bytes };
  setrlimit (RLIMIT_DATA, &memory);
#else
  (void) bytes;
#endif
  setpriority (PRIO_PROCESS, 0, 19);
  if (dup2 (out, STDOUT_FILENO) >= 0 && dup2 (complaints, STDERR_FILENO) >= 0)
    execve (argv[0], (char *const *) argv, env);
  _exit (127);
}

/* Starts it, and waits until it has ended. The child is known to c meanwhile, so that it can be ended.
 * Returns its status, -1 where it could not start or was ended. */
static int run_child (sd_counting *c, const char *const *argv, char *const *env, int out, int complaints) {
  int status = -1;
  pthread_mutex_lock (&c->lock);
  const pid_t child = c->child = c->ends ? -1 : fork ();
  if (child == 0)
    become (argv, env, out, complaints, c->bytes);
  pthread_mutex_unlock (&c->lock);
  if (child < 0)
    return -1;

  /* It stays a zombie until it is known to be gone, so that its number is no other process'. */
  siginfo_t gone;
  while (waitid (P_PID, (id_t) child, &gone, WEXITED | WNOWAIT) && errno == EINTR)
    ;
  pthread_mutex_lock (&c->lock);
  c->child = 0;
  pthread_mutex_unlock (&c->lock);
  waitpid (child, &status, 0);
  return WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

/* The last line of its complaint. */
static char *why_of (int complaints) {
  static const char unknown[] =
      "the values could not be counted, for want of memory or because the process was ended";
  SD_OWNED char *text = sd_text_of_output (complaints);
  size_t n = text ? strlen (text) : 0;
  while (n > 0 && text[n - 1] == '\n')
    text[--n] = '\0';
  if (n == 0)
    return strdup (unknown);
  const char *last = strrchr (text, '\n'), *line = last ? last + 1 : text, *colon = strstr (line, ": ");
  return strdup (colon ? colon + 2 : line);
}

static bool says (const json_t *record, const char *key, const char *text) {
  const char *is = json_string_value (json_object_get (record, key));
  return is && strcmp (is, text) == 0;
}

/* Without the lock. *of was settled before it began to wait. */
static void count_values (sd_counting *c, const count *of, json_t **values, char **why) {
  const char *const argv[] = { "/proc/self/exe", "info",  "--statistics", "--json",
                               "--tables",       c->path, of->file,       NULL };
  const int out = memfd_create ("values", MFD_CLOEXEC), complaints = memfd_create ("why", MFD_CLOEXEC);
  SD_OWNED char **env = environment ();
  *values = NULL;
  *why = NULL;
  if (out >= 0 && complaints >= 0 && env && run_child (c, argv, env, out, complaints) == 0) {
    SD_OWNED char *text = sd_text_of_output (out);
    json_t *all = text ? json_loads (text, 0, NULL) : NULL;
    const json_t *record = json_array_get (all, 0);
    if (says (record, "material", of->ending) && says (record, "metric", of->metric))
      *values = json_incref (json_object_get (record, "values"));
    else if (record) /* another table has been put in its place */
      *why = strdup ("the file is no longer the one that was there when the server started");
    json_decref (all);
  }
  if (!*values && !*why)
    *why = why_of (complaints);
  if (out >= 0)
    close (out);
  if (complaints >= 0)
    close (complaints);
}

/* --------------------------------------------------------------------- one by one */

/* The lock is held. First come, first counted, so that what fails again and again keeps no other waiting. */
static count *next_of (sd_counting *c) {
  count *next = NULL;
  for (unsigned i = 0; i < c->n; i++)
    if (c->at[i].state == WAITS && (!next || c->at[i].turn < next->turn))
      next = &c->at[i];
  return next;
}

static void *work (void *arg) {
  sd_counting *c = arg;
  pthread_mutex_lock (&c->lock);
  while (!c->ends) {
    count *next = next_of (c);
    if (!next) {
      pthread_cond_wait (&c->news, &c->lock);
      continue;
    }
    json_t *values;
    char *why;
    const int64_t began = sd_clock_ns ();
    pthread_mutex_unlock (&c->lock);
    count_values (c, next, &values, &why);
    pthread_mutex_lock (&c->lock);
    next->values = values;
    next->why = why;
    const int64_t now = sd_clock_ns (), least = AGAIN_SECONDS * INT64_C (1000000000),
                  pause = AGAIN_TIMES * (now - began);
    next->again = now + (pause > least ? pause : least);
    next->state = values ? COUNTED : FAILED;
  }
  pthread_mutex_unlock (&c->lock);
  return NULL;
}

int sd_counting_new (const char *path, uint64_t bytes, unsigned tables, sd_counting **out, sd_error *err) {
  *out = sd_alloc0 (sizeof **out + tables * sizeof (count), 1);
  if (!*out)
    return sd_fail_memory (err, tables * sizeof (count));
  (*out)->path = path;
  (*out)->bytes = bytes;
  (*out)->n = tables;
  pthread_mutex_init (&(*out)->lock, NULL);
  pthread_cond_init (&(*out)->news, NULL);
  return SD_OK;
}

void sd_counting_free (sd_counting *c) {
  if (!c)
    return;
  pthread_mutex_lock (&c->lock);
  c->ends = true;
  if (c->child > 0)
    kill (c->child, SIGKILL);
  pthread_cond_signal (&c->news);
  pthread_mutex_unlock (&c->lock);
  if (c->started)
    pthread_join (c->thread, NULL);
  for (unsigned i = 0; i < c->n; i++) {
    json_decref (c->at[i].values);
    free (c->at[i].why);
  }
  pthread_cond_destroy (&c->news);
  pthread_mutex_destroy (&c->lock);
  free (c);
}

/* What is known of table i by now; *values is a copy, since reference counts of JSON are not for several
 * threads, and *why a copy as well. *retry: seconds until more may be known; 0: it is all. */
static enum state ask_for (sd_counting *c, unsigned i, const count *what, json_t **values, char **why,
                           unsigned *retry) {
  pthread_mutex_lock (&c->lock);
  count *of = &c->at[i];
  if (of->state == NOT_ASKED || (of->state == FAILED && sd_clock_ns () >= of->again)) {
    free (of->why);
    *of = *what;
    of->state = WAITS;
    of->turn = c->turns++;
    c->started = c->started || pthread_create (&c->thread, NULL, work, c) == 0;
    pthread_cond_signal (&c->news);
  }
  const enum state state = of->state;
  *values = of->values ? json_deep_copy (of->values) : NULL;
  *why = of->why ? strdup (of->why) : NULL;
  *retry = state == WAITS    ? RETRY
           : state == FAILED ? (unsigned) ((of->again - sd_clock_ns ()) / 1000000000) + 1
                             : 0;
  pthread_mutex_unlock (&c->lock);
  return state;
}

/* ------------------------------------------------------------------------ answers */

/* The table that tells most, unless a metric is asked for: the first one with plies to mate, else with plies,
 * else any. -1: there is none. */
static int table_of (const sd_service *s, const sd_material *m, enum sd_metric metric) {
  int found = -1, most = -1;
  for (unsigned i = 0; i < sd_tables_count (s->tables); i++) {
    sd_tables_file f;
    if (!sd_tables_at (s->tables, i, NULL) || !sd_tables_tell (s->tables, i, &f) || f.game
        || !sd_material_equal (&f.material, m) || (metric != SD_NO_METRIC && f.metric != metric))
      continue;
    const int tells = f.metric == SD_DTM ? 2 : sd_metrics[f.metric].plies ? 1 : 0;
    if (tells > most) {
      most = tells;
      found = (int) i;
    }
  }
  return found;
}

/* "same", "differs", or null: nothing is published. */
static json_t *compared (const json_t *values, const json_t *published) {
  if (!json_is_array (published))
    return json_null ();
  for (size_t i = 0; i < json_array_size (published); i++)
    if (!json_equal (json_object_get (json_array_get (values, i), "checksum"),
                     json_object_get (json_array_get (published, i), "checksum")))
      return json_string ("differs");
  return json_string ("same");
}

static void answer_table (const sd_service *s, unsigned i, sd_reply *out) {
  const char *path;
  const sd_table *t = sd_tables_at (s->tables, i, &path);
  sd_table_info in;
  char name[SD_TABLE_NAME];
  json_t *values = NULL;
  SD_OWNED char *why = NULL;
  unsigned retry = 0;

  sd_table_describe (t, &in);
  sd_table_info_name (&in, name);
  json_t *published = sd_service_published (s, &in, true),
         *record = json_pack ("{s:s, s:s, s:s}", "ending", name, "metric", sd_metrics[in.metric].name, "file",
                              sd_service_file (path));
  count what = { .file = path, .metric = sd_metrics[in.metric].name };
  memcpy (what.ending, name, sizeof what.ending);
  const enum state state =
      s->counting->bytes ? ask_for (s->counting, i, &what, &values, &why, &retry) : NOT_ASKED;

  if (state == COUNTED) {
    sd_json_put (record, "{s:s, s:o, s:o}", "state", "counted", "published", compared (values, published),
                 "sides", values);
    json_decref (published);
    sd_service_reply (200, SD_KEEP_CHECKED, record, out);
    return;
  }
  json_decref (values);
  const bool known = json_is_array (published);
  sd_json_put (record, "{s:s, s:o}", "state",
               state == WAITS    ? "waits"
               : state == FAILED ? "failed"
               : known           ? "published"
                                 : "unknown",
               "sides", published);
  if (state == FAILED)
    sd_json_put (record, "{s:o}", "error", sd_service_sentence (s, why ? why : "out of memory"));
  else if (state == NOT_ASKED && !known)
    sd_json_put (
        record, "{s:s}", "error",
        "nothing is published of this table, and this server counts nothing (--statistics-memory 0)");
  sd_service_reply (state == WAITS                ? 202
                    : state == FAILED             ? 500
                    : state == NOT_ASKED && known ? 200
                                                  : 404,
                    state == NOT_ASKED && known ? SD_KEEP_CHECKED : SD_KEEP_NOT, record, out);
  out->retry = retry;
}

void sd_service_statistics (const sd_service *s, const sd_ask *ask, sd_reply *out) {
  sd_material written, m;
  sd_error err = { 0 };
  enum sd_metric metric = SD_NO_METRIC;

  if (!ask->ending || !*ask->ending || strlen (ask->ending) > 16) {
    sd_service_refuse (400, "the parameter ending is missing: /stats?ending=KRvKP", out);
    return;
  }
  if (sd_ending_parse (ask->ending, &written, &err) != SD_OK) {
    sd_service_refuse (400, err.text, out);
    return;
  }
  if (ask->metric && (metric = sd_metric_find (ask->metric)) == SD_NO_METRIC) {
    char words[100], sentence[160];
    sd_tool_alternatives (sd_tool_metric_word, words, sizeof words);
    snprintf (sentence, sizeof sentence, "metric: expected %s", words);
    sd_service_refuse (400, sentence, out);
    return;
  }
  sd_material_canonical (&written, &m);
  const int i = table_of (s, &m, metric);
  if (i < 0)
    sd_service_refuse (404, "there is no such table; /tables lists them", out);
  else
    answer_table (s, (unsigned) i, out);
}
