/* A program that works on a job. It is another process, so that its CPU time and its memory are known, its
 * memory comes back, and what ends it does not end the set. A job is claimed by a lock on a file of its name,
 * which the child holds, too: it is free when both are gone, however they end. Tasks on other machines see
 * the lock where the file system has locks, as NFS, Lustre and GPFS do. What the program prints is kept in
 * memory: on a full disk it could not be read otherwise. */
#include "config.h"
#include "base/text.h"
#include "tools/set/set.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CANNOT_START = 127 };

int sd_set_lock (const sd_set *s, const char *name, bool shared, bool wait, int *lock, sd_error *err) {
  char path[4300];
  snprintf (path, sizeof path, "%s/%s", s->work, name);
  return sd_lock_take (path, shared, wait, lock, err);
}

int sd_set_claim (const sd_set *s, const sd_set_job *j, int *lock, sd_error *err) {
  char name[sizeof j->key + 8];
  snprintf (name, sizeof name, "%s.lock", j->key);
  return sd_set_lock (s, name, false, false, lock, err);
}

/* In the child. This program has no threads, so that anything may be called. */
static void become (const sd_set_child *c, char **argv, pid_t parent) {
  char threads[16];
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (getppid () != parent) /* gone before the line above */
    _exit (SD_EXIT_FAILED);
  /* Only the lock of its own job. */
  if (dup2 (c->out, STDOUT_FILENO) < 0 || dup2 (c->err, STDERR_FILENO) < 0 || fcntl (c->lock, F_SETFD, 0) < 0)
    _exit (SD_EXIT_FAILED);
  sd_task_forget ();
  snprintf (threads, sizeof threads, "%u", c->threads);
  setenv ("OMP_NUM_THREADS", threads, 1);
  execvp (argv[0], argv);
  dprintf (STDERR_FILENO, "%s: cannot be started: %s; is it installed beside subdef?\n", argv[0],
           strerror (errno));
  _exit (CANNOT_START);
}

int sd_set_start (sd_set_child *c, char **argv, sd_error *err) {
  /* Else the child would have what is in the buffer, too. */
  fflush (stdout);
  const pid_t parent = getpid ();
  c->out = memfd_create ("out", MFD_CLOEXEC);
  c->err = memfd_create ("err", MFD_CLOEXEC);
  c->pid = c->out < 0 || c->err < 0 ? -1 : fork ();
  if (c->pid == 0)
    become (c, argv, parent);
  if (c->pid > 0)
    return SD_OK;
  sd_fail (err, SD_EIO, "%s: cannot be started: %s", argv[0], strerror (errno));
  c->pid = 0;
  sd_set_child_free (c);
  return SD_EIO;
}

void sd_set_child_free (sd_set_child *c) {
  const int fd[] = { c->out, c->err, c->lock };
  for (unsigned i = 0; i < sizeof fd / sizeof *fd; i++)
    if (fd[i] >= 0)
      close (fd[i]);
  *c = (sd_set_child){ .pid = 0, .out = -1, .err = -1, .lock = -1 };
}

double sd_set_cpu_of (const struct rusage *u) {
  return (double) (u->ru_utime.tv_sec + u->ru_stime.tv_sec)
         + 1e-6 * (double) (u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

double sd_set_cpu_now (const sd_set_child *c) {
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid (c->pid, &clock) != 0 || clock_gettime (clock, &t) != 0)
    return 0;
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

bool sd_set_ended (const sd_set_child *c, sd_set_took *took) {
  struct rusage u;
  if (wait4 (c->pid, &took->status, WNOHANG, &u) != c->pid)
    return false;
  took->cpu_s = sd_set_cpu_of (&u);
  took->memory = (uint64_t) u.ru_maxrss << 10; /* of the largest of its own children, too */
  return true;
}

char *sd_set_output (const sd_set_child *c) {
  return sd_text_of_output (c->out);
}

void sd_set_complaint (const sd_set_child *c, char *out, size_t cap) {
  SD_OWNED char *text = sd_text_of_output (c->err);
  *out = '\0';
  if (!text)
    return;
  size_t end = strlen (text);
  while (end > 0 && text[end - 1] == '\n')
    text[--end] = '\0';
  const char *last = strrchr (text, '\n');
  snprintf (out, cap, "%s", last ? last + 1 : text);
}
