/* A program that works on a job. It is another process, so that its CPU time and its memory are known, its
 * memory comes back, and what ends it does not end the set. A job is claimed by a lock on a file of its name,
 * which the child holds, too: it is free when both are gone, however they end. Tasks on other machines see
 * the lock where the file system has locks, as NFS, Lustre and GPFS do. */
#include "config.h"
#include "tools/set/set.h"
#include <fcntl.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

bool sd_set_claim (const sd_set *s, const sd_set_job *j, int *lock) {
  char path[4300];
  snprintf (path, sizeof path, "%s/%s.lock", s->work, j->key);
  *lock = open (path, O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
  if (*lock >= 0 && flock (*lock, LOCK_EX | LOCK_NB) == 0)
    return true;
  if (*lock >= 0)
    close (*lock);
  return false;
}

/* Only what is async-signal-safe would be allowed between fork and exec in a program with threads; this one
 * has none. */
static void become (const sd_set *s, const sd_set_child *c, char **argv, pid_t parent) {
  char path[4300], threads[16];
  static const struct {
    const char *ending;
    int fd;
  } to[] = { { "out", STDOUT_FILENO }, { "err", STDERR_FILENO } };

  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (getppid () != parent) /* gone before the line above */
    _exit (SD_EXIT_FAILED);
  for (unsigned i = 0; i < 2; i++) {
    snprintf (path, sizeof path, "%s/%s.%s", s->work, s->job[c->job].key, to[i].ending);
    const int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0 || dup2 (fd, to[i].fd) < 0)
      _exit (SD_EXIT_FAILED);
  }
  sd_task_forget ();
  snprintf (threads, sizeof threads, "%u", c->threads);
  setenv ("OMP_NUM_THREADS", threads, 1);
  execvp (argv[0], argv);
  _exit (SD_EXIT_FAILED);
}

int sd_set_start (const sd_set *s, sd_set_child *c, char **argv, sd_error *err) {
  /* Else the child would have what is in the buffer, too. */
  fflush (stdout);
  const pid_t parent = getpid ();
  c->start = sd_now ();
  c->pid = fork ();
  if (c->pid == 0)
    become (s, c, argv, parent);
  if (c->pid > 0)
    return SD_OK;
  c->pid = 0;
  return sd_fail (err, SD_EIO, "%s: cannot be started: %s", argv[0], strerror (errno));
}

bool sd_set_ended (sd_set_child *c, sd_set_took *took) {
  struct rusage u;
  if (wait4 (c->pid, &took->status, WNOHANG, &u) != c->pid)
    return false;
  took->cpu_s = (double) (u.ru_utime.tv_sec + u.ru_stime.tv_sec)
                + 1e-6 * (double) (u.ru_utime.tv_usec + u.ru_stime.tv_usec);
  took->memory = (uint64_t) u.ru_maxrss << 10; /* of the largest of its own children, too */
  c->pid = 0;
  return true;
}

void sd_set_complaint (const sd_set *s, const sd_set_job *j, char *out, size_t cap) {
  char path[4300];
  sd_map text;
  *out = '\0';
  snprintf (path, sizeof path, "%s/%s.err", s->work, j->key);
  if (sd_map_open (path, &text, NULL) != SD_OK)
    return;
  size_t end = text.len;
  while (end > 0 && text.data[end - 1] == '\n')
    end--;
  size_t from = end;
  while (from > 0 && text.data[from - 1] != '\n')
    from--;
  snprintf (out, cap, "%.*s", (int) (end - from), text.data + from);
  sd_map_close (&text);
}
