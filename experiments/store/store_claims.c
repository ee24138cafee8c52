/* Several sweeps on one store. Before a sweep computes a cell it claims it: a row in the table `claim`, made
 * in one transaction with the question whether the cell has its row already. Storing the row removes the
 * claim.
 *
 * A claim belongs to a worker: a process with its place (host, boot, space of process numbers), its number
 * and the moment of its birth. In the same place the system says at once whether that process still lives; a
 * process of another place lives as long as its count of beats goes up, watched with our own clock, so that
 * clocks need not agree. What a dead worker had claimed is free again. A worker that was only asleep (a
 * laptop that was shut) may so lose a cell to another; both compute it then, and the first row stays.
 *
 * A sweep joins when it has opened its store and quits when it closes it; in between it beats, claims
 * cells some seconds ahead (run/sweep_clerk.c) and asks who else is there. `subdef sweep --status` shows
 * "1 sweep is at work: process 4711 on host". */
#include "config.h"
#include "experiments/store/store_internal.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define SILENT_S 120. /* a worker elsewhere whose beats stand still so long is dead */
#define BEAT_S 10.    /* about so often they come */

/* A row of the table `worker`, and the place that it is of. */
typedef struct worker {
  int64_t id, pid, born, beat;
  double age; /* seconds since its last beat, as the clocks of both have it and each beat takes BEAT_S */
  char place[400], host[128];
} worker;

/* ------------------------------------------------------------------ who lives */

/* When a process began, in ticks since the boot; 0: not known. dead: it has ended, only its parent has not
 * asked how. The command's name stands in parentheses and may hold anything, so the fields are counted from
 * the last one. A number is given to another process when one has ended; together with its birth it is that
 * of one process. */
static int64_t birth_of (int64_t pid, bool *dead) {
  char path[64], text[1024];
  *dead = false;
  snprintf (path, sizeof path, "/proc/%lld/stat", (long long) pid);
  FILE *f = fopen (path, "r");
  if (!f)
    return 0;

  size_t n = fread (text, 1, sizeof text - 1, f);
  fclose (f);
  text[n] = '\0';
  char *at = strrchr (text, ')');
  /* Z: it has ended, and its parent has not waited for it; X: it is ending */
  *dead = at && at[1] == ' ' && (at[2] == 'Z' || at[2] == 'X');
  /* the birth is field 22 of proc(5) */
  for (unsigned field = 2; at && field < 22; field++)
    at = strchr (at + 1, ' ');
  return at ? strtoll (at, NULL, 10) : 0;
}

/* Processes of one place see each other's numbers: same host, same boot, same space of numbers. Two
 * containers of one host are two places. */
static void place_here (char *out, size_t cap, char *host, size_t host_cap) {
  struct utsname u;
  char boot[64] = "", names[64] = "";
  snprintf (host, host_cap, "%s", uname (&u) == 0 ? u.nodename : "unknown");
  FILE *f = fopen ("/proc/sys/kernel/random/boot_id", "r");
  if (f) {
    if (fgets (boot, sizeof boot, f))
      boot[strcspn (boot, "\n")] = '\0';
    fclose (f);
  }
  ssize_t n = readlink ("/proc/self/ns/pid", names, sizeof names - 1);
  names[n > 0 ? n : 0] = '\0';
  snprintf (out, cap, "%s %s %s", host, boot, names);
}

/* A process of this place whose number is in use, and which is still the one that joined. Where the system
 * tells no birth, the number alone counts. */
static bool lives_here (const worker *w) {
  if (kill ((pid_t) w->pid, 0) != 0 && errno == ESRCH)
    return false;
  bool dead;
  const int64_t born = birth_of (w->pid, &dead);
  return !dead && (born == 0 || w->born == 0 || born == w->born);
}

/* What is remembered of a worker of another place. Numbers of workers are given out again, their births are
 * not. NULL: no memory. */
static struct sd_watched *watch (sd_store *s, const worker *w) {
  for (size_t i = 0; i < s->nwatched; i++)
    if (s->watched[i].worker == w->id && s->watched[i].pid == w->pid && s->watched[i].born == w->born)
      return &s->watched[i];
  if (!sd_grow (&s->watched, &s->watched_cap, s->nwatched + 1))
    return NULL;
  struct sd_watched *seen = &s->watched[s->nwatched++];
  *seen = (struct sd_watched){
    .worker = w->id, .pid = w->pid, .born = w->born, .beat = w->beat, .since = sd_now ()
  };
  return seen;
}

/* What is remembered of this worker; its number may be given to another one. */
static void forget (sd_store *s, int64_t id) {
  for (size_t i = 0; i < s->nwatched;)
    if (s->watched[i].worker == id)
      s->watched[i] = s->watched[--s->nwatched];
    else
      i++;
}

/* Has the worker of another place been silent for too long? The store remembers when a beat was new. *moved:
 * its beats were seen to go up. */
static bool silent (sd_store *s, const worker *w, bool *moved) {
  struct sd_watched *seen = watch (s, w);
  *moved = false;
  if (!seen)
    return false;
  if (seen->beat != w->beat) {
    seen->beat = w->beat;
    seen->since = sd_now ();
    seen->moved = true;
  }
  *moved = seen->moved;
  return sd_now () - seen->since > SILENT_S;
}

/* Dead workers lose their claims, so in doubt a worker lives. */
static bool is_dead (sd_store *s, const worker *w) {
  bool moved;
  return strcmp (w->place, s->place) == 0 ? !lives_here (w) : silent (s, w, &moved);
}

/* Is it known to be at work, for a note? Of a worker elsewhere whose beats nobody here has seen yet: if its
 * last one was not long ago by its number, provided that the clocks agree. */
static bool at_work (sd_store *s, const worker *w) {
  bool moved;
  if (strcmp (w->place, s->place) == 0)
    return lives_here (w);
  return !silent (s, w, &moved) && (moved || w->age < SILENT_S + 0.1 * BEAT_S * (double) w->beat);
}

/* ------------------------------------------------------------------- a worker */

/* In the store from now on, under a number that SQLite chooses (s->worker). */
int sd_store_join (sd_store *s, sd_error *err) {
  char host[128];
  bool dead;
  place_here (s->place, sizeof s->place, host, sizeof host);
  SD_TRY (sd_store_change (s, err,
                           "INSERT INTO worker (place, host, pid, born, started) VALUES (?, ?, ?, ?,"
                           " strftime ('%Y-%m-%dT%H:%M:%SZ', 'now'))",
                           "ttii", s->place, host, (int64_t) getpid (), birth_of (getpid (), &dead)));
  s->worker = sqlite3_last_insert_rowid (s->db);
  /* for sd_store_adopt, and for sd_store_best_order */
  return sd_store_do (s, "CREATE INDEX IF NOT EXISTS cell_coded ON cell (\"table\", \"order\", settings)",
                      err);
}

/* Who was held for dead (it slept, or could not reach the file) comes back under a new number. */
int sd_store_beat (sd_store *s, const char *says, sd_error *err) {
  SD_TRY (sd_store_change (s, err, "UPDATE worker SET beat = beat + 1, says = ? WHERE id = ? AND pid = ? AND place = ?",
                           "tiit", says, s->worker, (int64_t) getpid (), s->place));
  return sqlite3_changes (s->db) == 0 ? sd_store_join (s, err) : SD_OK;
}

/* Several sweeps on the same cells see the same; the one that has come furthest knows most. */
int sd_store_says (sd_store *s, char *out, size_t cap, sd_error *err) {
  sqlite3_stmt *q = NULL;
  int at = 0;
  out[0] = '\0';
  SD_TRY (sd_store_prepare (s, "SELECT says FROM worker WHERE says > '' ORDER BY says DESC LIMIT 1", &q, err));
  const int code = sqlite3_step (q);
  if (code == SQLITE_ROW)
    sd_store_read_text (q, &at, out, cap);
  return sd_store_finish (s, q, code, SD_OK, "cannot be read", err);
}

/* The worker leaves the store, and what it has claimed is free. Between BEGIN and COMMIT, as others may claim
 * at the same moment. */
static int dismiss (sd_store *s, int64_t id, sd_error *err) {
  forget (s, id);
  SD_TRY (sd_store_change (s, err, "DELETE FROM claim WHERE worker = ?", "i", id));
  return sd_store_change (s, err, "DELETE FROM worker WHERE id = ?", "i", id);
}

/* The columns of WORKER_COLUMNS. */
static void read_worker (sqlite3_stmt *q, worker *out) {
  int at = 0;
  out->id = sqlite3_column_int64 (q, at++);
  out->pid = sqlite3_column_int64 (q, at++);
  out->born = sqlite3_column_int64 (q, at++);
  out->beat = sqlite3_column_int64 (q, at++);
  out->age = sqlite3_column_double (q, at++) - BEAT_S * (double) out->beat;
  sd_store_read_text (q, &at, out->place, sizeof out->place);
  sd_store_read_text (q, &at, out->host, sizeof out->host);
}

#define WORKER_COLUMNS                                                                                       \
  "worker.id, pid, born, beat, strftime ('%s', 'now') - strftime ('%s', started), place, host"

/* The first worker of a question with one text, which may be NULL; *found: is there one? */
static int find_worker (const sd_store *s, const char *sql, const char *text, worker *out, bool *found,
                        sd_error *err) {
  sqlite3_stmt *q = NULL;
  int at = 1;
  SD_TRY (sd_store_prepare (s, sql, &q, err));
  if (text)
    sd_store_bind_text (q, &at, text);
  int code = sqlite3_step (q);
  *found = code == SQLITE_ROW;
  if (*found)
    read_worker (q, out);
  return sd_store_finish (s, q, code, SD_OK, "cannot be read", err);
}

/* Between BEGIN and COMMIT: the dead leave, the living are counted. A worker that leaves while the rows are
 * gone through has been read already. */
static int look_at_others (sd_store *s, unsigned *n, char *example, size_t cap, sd_error *err) {
  sqlite3_stmt *q = NULL;
  char host[128];
  int code, status = SD_OK;
  if (!*s->place) /* who only looks has not joined, and sees who of this place has died all the same */
    place_here (s->place, sizeof s->place, host, sizeof host);

  SD_TRY (sd_store_prepare (s, "SELECT " WORKER_COLUMNS " FROM worker WHERE id <> ?", &q, err));
  sqlite3_bind_int64 (q, 1, s->worker);

  while (status == SD_OK && (code = sqlite3_step (q)) == SQLITE_ROW) {
    worker w;
    read_worker (q, &w);
    if (is_dead (s, &w))
      status = dismiss (s, w.id, err);
    else if (at_work (s, &w) && (*n)++ == 0)
      snprintf (example, cap, "process %lld on %s", (long long) w.pid, w.host);
  }
  return sd_store_finish (s, q, code, status, "cannot be read", err);
}

/* Who has died meanwhile leaves, too. If the file cannot be written, the worker stays in the store and dies
 * there: others will see that its process has ended. */
void sd_store_quit (sd_store *s) {
  unsigned n = 0;
  char who[1];
  if (s->worker && sd_store_do (s, "BEGIN IMMEDIATE", NULL) == SD_OK) {
    look_at_others (s, &n, who, sizeof who, NULL);
    dismiss (s, s->worker, NULL);
    sd_store_do (s, "COMMIT", NULL);
  }
  s->worker = 0;
}

int sd_store_others (sd_store *s, unsigned *n, char *example, size_t cap, sd_error *err) {
  *n = 0;
  example[0] = '\0';
  SD_TRY (sd_store_begin (s, err));
  return sd_store_end (s, look_at_others (s, n, example, cap, err), err);
}

/* -------------------------------------------------------------------- claims */

int sd_store_unclaim (const sd_store *s, const char *key, sd_error *err) {
  return sd_store_change (s, err, "DELETE FROM claim WHERE key = ? AND worker = ?", "ti", key, s->worker);
}

/* Between BEGIN and COMMIT. *out: MINE also where this worker has claimed the cell before. */
static int claim (sd_store *s, const char *key, sd_times times, enum sd_claim *out, sd_error *err) {
  worker w;
  bool there, taken;

  SD_TRY (sd_store_has (s, key, times, &there, err));
  if (there) {
    *out = SD_CLAIM_DONE;
    return SD_OK;
  }

  SD_TRY (find_worker (s,
                       "SELECT " WORKER_COLUMNS " FROM claim JOIN worker ON worker.id = worker WHERE key = ?",
                       key, &w, &taken, err));
  if (taken && !is_dead (s, &w)) {
    *out = w.id == s->worker ? SD_CLAIM_MINE : SD_CLAIM_TAKEN;
    return SD_OK;
  }

  /* Its worker has died: it leaves with all that it had claimed. */
  if (taken)
    SD_TRY (dismiss (s, w.id, err));
  *out = SD_CLAIM_MINE;
  return sd_store_change (s, err, "INSERT OR REPLACE INTO claim (key, worker) VALUES (?, ?)", "ti", key,
                          s->worker);
}

int sd_store_claim (sd_store *s, const char *key, sd_times times, enum sd_claim *out, sd_error *err) {
  *out = SD_CLAIM_TAKEN;
  SD_TRY (sd_store_begin (s, err));
  return sd_store_end (s, claim (s, key, times, out, err), err);
}
