/* subdef gen: the generator through the front door. It is a program of its own (subdef-gen), because only it
 * is linked with MPI. It is started alone: its threads use all cores, and one rank takes less memory than
 * several, each with its own part of the sub-endings decoded. With --ranks N it is started under mpirun, its
 * ranks sharing the cores; built without OpenMP, it gets a rank for each core, unless its solver runs on one
 * rank only. mpirun's own comments on a rank's exit status are silenced: the rank has said why; what it
 * cannot say itself, that a signal ended it, is said here. */
#include "config.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The status of a shell for a program that is not found; subdef-gen itself never returns it. */
enum { CANNOT_START = 127 };

void sd_tool_find_generator (char *out, size_t cap) {
  char self[4096];
  ssize_t n = readlink ("/proc/self/exe", self, sizeof self - 1);
  if (n > 0) {
    self[n] = 0;
    char *folder = dirname (self);

    for (int i = 0; i < 2; i++) { /* installed, or libtool's wrapper folder .libs */
      snprintf (out, cap, i ? "%s/../subdef-gen" : "%s/subdef-gen", folder);
      if (access (out, X_OK) == 0)
        return;
    }
  }
  snprintf (out, cap, "subdef-gen");
}

/* Run argv and wait; its exit status, or -1 if a signal ended it (*signal_number). */
static int run_and_wait (char **argv, int *signal_number) {
  /* Else the child would have what is in the buffer, too. */
  fflush (stdout);
  const pid_t parent = getpid (), child = fork ();
  if (child < 0)
    return CANNOT_START;
  if (child == 0) {
    /* A generator whose `subdef` was killed must not go on by itself. */
    prctl (PR_SET_PDEATHSIG, SIGTERM);
    if (getppid () != parent) /* gone before the line above */
      _exit (SD_EXIT_FAILED);
    execvp (argv[0], argv);
    _exit (CANNOT_START);
  }
  signal (SIGINT, SIG_IGN); /* the child gets it too, and ends */

  int status = 0;
  while (waitpid (child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED (status))
    *signal_number = WTERMSIG (status);
  else if (WEXITSTATUS (status) > 128)
    *signal_number = WEXITSTATUS (status) - 128; /* mpirun's way to tell of a rank's */
  else
    return WEXITSTATUS (status);
  return -1;
}

#ifdef HAVE_MPI
/* The ranks share the cores, also in an estimate. */
static void share_cores (unsigned ranks) {
  const long cores = sysconf (_SC_NPROCESSORS_ONLN);
  char threads[24];
  snprintf (threads, sizeof threads, "%ld", cores > (long) ranks ? cores / (long) ranks : 1);
  /* A number that the user has set stays. */
  setenv ("OMP_NUM_THREADS", threads, 0);
}

/* Open MPI refuses root and more ranks than cores unless told. mpi_yield_when_idle stays as it is: each look
 * for a message would give the core away, which on a busy machine takes three times as long; idle ranks
 * sleep. */
static void prepare_mpirun (void) {
  setenv ("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
  setenv ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  setenv ("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
  setenv ("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
  setenv ("OMPI_MCA_orte_execute_quiet", "1", 0);
  setenv ("OMPI_MCA_hwloc_base_binding_policy", "none", 0); /* a rank has several threads */
}
#endif

/* The exit status, where the generator could not be started or was ended by a signal with a sentence. */
static int tell_end (int status, int signal_number, const char *generator) {
  if (status == CANNOT_START)
    sd_tool_say ("%s: cannot be started; is it installed beside subdef?", generator);
  else if (status < 0)
    sd_tool_say ("ended by signal %d (%s); the same command goes on behind the tables that are complete",
                 signal_number, strsignal (signal_number));
  return status == CANNOT_START || status < 0 ? SD_EXIT_FAILED : status;
}

/* Without OpenMP a rank for each core. */
static unsigned ranks_of (const sd_gen_options *o) {
  unsigned n = 1;
#ifndef _OPENMP
  if (o->solver->ranks)
    n = (unsigned) sysconf (_SC_NPROCESSORS_ONLN);
#endif
  return o->ranks ? o->ranks : n;
}

/* The words go on as they are: subdef-gen reads them once more. */
static int start_gen (int argc, char **argv) {
  char generator[4200], ranks[24];
  sd_gen_options o;
  int k = 0;
  SD_OWNED char **run = sd_alloc0 ((uint64_t) argc + 16, sizeof *run);
  SD_OWNED char **typed = sd_alloc0 ((uint64_t) argc + 1, sizeof *typed);

  if (!run || !typed)
    return sd_tool_usage ("out of memory");

  memcpy (typed, argv, (size_t) argc * sizeof *typed); /* reading options sorts them */
  /* Read here for the number of ranks, and so that wrong usage is told once, not by each rank. */
  const int wrong = sd_gen_parse (argc, argv, true, &o);
  if (wrong || o.done)
    return wrong ? SD_EXIT_USAGE : SD_EXIT_OK;

  const unsigned n = ranks_of (&o);
  const bool chosen = getenv ("OMP_NUM_THREADS") != NULL; /* by the user */
  sd_tool_find_generator (generator, sizeof generator);
  setenv (SD_GEN_CALLED, sd_tool_name (), 1);
  sd_tool_choose_waiting (); /* subdef-gen need not start itself twice */

  snprintf (ranks, sizeof ranks, "%u", n);
#ifdef HAVE_MPI
  if (n > 1)
    share_cores (n);
  if (n > 1 && !o.estimate) {
    run[k++] = (char *) "mpirun";
    run[k++] = (char *) "-np";
    run[k++] = ranks;
    prepare_mpirun ();
  }
#endif

  const int alone = k; /* what stands before the generator */
  run[k++] = generator;
  if (alone > 0 && isatty (STDERR_FILENO))
    run[k++] = (char *) "--progress"; /* a rank's standard error is a pipe to mpirun */
  /* One process reckons as if there were so many. */
  if (o.estimate && n > 1) {
    run[k++] = (char *) "--ranks";
    run[k++] = ranks;
  }

  memcpy (run + k, typed + 1, ((size_t) argc - 1) * sizeof *run);
  int signal_number = 0, status = run_and_wait (run, &signal_number);
  if (status == CANNOT_START && alone > 0) { /* no mpirun: one rank does it all */
    if (!chosen)
      unsetenv ("OMP_NUM_THREADS");
    status = run_and_wait (run + alone, &signal_number);
  }
  return tell_end (status, signal_number, generator);
}

const sd_command sd_cmd_gen = { "gen", .start = start_gen };
