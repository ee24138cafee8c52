/* subdef gen: the generator through the front door. It is a program of its own (subdef-gen), because only it
 * is linked with MPI. It is started alone: its threads use all cores, and one rank takes less memory than
 * several, each with its own part of the sub-endings decoded. With --ranks N it is started under mpirun, its
 * ranks sharing the cores; built without OpenMP, it gets a rank for each core, unless its solver runs on one
 * rank only. mpirun's own comments on a rank's exit status are silenced: the rank has said why; what it
 * cannot say itself, that a signal ended it, is said here. */
#include "config.h"
#include "gen/gen.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_START = 127 };

/* subdef-gen beside this program, or as found on PATH. */
static void find_generator (char *out, size_t cap) {
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

/* Is argv[i] (with what follows) a solver that runs on one rank only? What is no solver, subdef-gen tells. */
static bool one_rank_only (int argc, char **argv, int i) {
  const char *name = NULL;
  if (strncmp (argv[i], "--solver=", 9) == 0)
    name = argv[i] + 9;
  else if (strcmp (argv[i], "--solver") == 0 && i + 1 < argc)
    name = argv[i + 1];
  const sd_solver_kind *k = name ? sd_solver_find (name) : NULL;
  return k && !k->ranks;
}

/* Run argv and wait; its exit status, or -1 if a signal ended it (*signal_number). */
static int run_and_wait (char **argv, int *signal_number) {
  fflush (stdout);
  const pid_t parent = getpid (), child = fork ();
  if (child < 0)
    return CANNOT_START;
  if (child == 0) {
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

int sd_cmd_gen (int argc, char **argv) {
  char generator[4200], ranks[24];
  find_generator (generator, sizeof generator);
  const char *ranks_text = NULL;
  bool help = false, quick = argc <= 1; /* calls that only print need no ranks */
  bool estimate = false, alone_only = false;
  int kept = 1;
  for (int i = 1; i < argc; i++) { /* --ranks is the only option of our own; all others are subdef-gen's */
    if (strcmp (argv[i], "--ranks") == 0) {
      if (++i == argc)
        return sd_tool_usage ("gen: --ranks: expected a number from 1 to 65536");
      ranks_text = argv[i];
      continue;
    }
    if (strncmp (argv[i], "--ranks=", 8) == 0) {
      ranks_text = argv[i] + 8;
      continue;
    }
    help |= !strcmp (argv[i], "--help") || !strcmp (argv[i], "-h");
    quick |= !strcmp (argv[i], "--usage") || !strcmp (argv[i], "--version") || !strcmp (argv[i], "-V")
             || !strcmp (argv[i], "--estimate") || !strcmp (argv[i], "-e");
    estimate |= !strcmp (argv[i], "--estimate") || !strcmp (argv[i], "-e");
    alone_only |= one_rank_only (argc, argv, i);
    argv[kept++] = argv[i];
  }
  argc = kept;
  quick |= help || argc == 1;
  const long cores = sysconf (_SC_NPROCESSORS_ONLN);
  long n = 1;
#ifndef _OPENMP
  if (!alone_only)
    n = cores;
#else
  (void) alone_only;
#endif
  if (ranks_text) {
    char *end;
    n = strtol (ranks_text, &end, 10);
    if (!*ranks_text || *end || n < 1 || n > 65536)
      return sd_tool_usage ("gen: --ranks %s: expected a number from 1 to 65536", ranks_text);
  }
  if (help)
    puts (
        "Usage: subdef gen [--ranks=N] [OPTION...] ENDING...\n"
        "Starts subdef-gen, by default alone with a thread on each free core, or under mpirun on N ranks; all "
        "else goes "
        "to it:\n");
  sd_tool_choose_waiting (); /* subdef-gen need not start itself twice */
  char **run = sd_alloc0 ((uint64_t) argc + 16, sizeof *run);
  if (!run)
    return sd_tool_usage ("out of memory");
  int k = 0;
  const bool chosen = getenv ("OMP_NUM_THREADS") != NULL; /* by the user */
#ifdef HAVE_MPI
  if (n > 1) { /* the ranks share the cores, also in an estimate */
    char threads[24];
    snprintf (threads, sizeof threads, "%ld", cores > n ? cores / n : 1);
    setenv ("OMP_NUM_THREADS", threads, 0);
  }
  if (n > 1 && !quick) {
    snprintf (ranks, sizeof ranks, "%ld", n);
    run[k++] = (char *) "mpirun";
    run[k++] = (char *) "-np";
    run[k++] = ranks;
    /* Open MPI refuses root and more ranks than cores unless told. mpi_yield_when_idle stays as it is: each
     * look for a message would give the core away, which on a busy machine takes three times as long; idle
     * ranks sleep */
    setenv ("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    setenv ("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
    setenv ("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    setenv ("OMPI_MCA_orte_execute_quiet", "1", 0);
    setenv ("OMPI_MCA_hwloc_base_binding_policy", "none", 0); /* a rank has several threads */
  }
#else
  (void) quick, (void) cores;
#endif
  const int alone = k; /* what stands before the generator */
  run[k++] = generator;
  if (alone > 0 && isatty (STDERR_FILENO))
    run[k++] = (char *) "--progress"; /* a rank's standard error is a pipe to mpirun */
  if (estimate && n > 1) {
    snprintf (ranks, sizeof ranks, "--ranks=%ld", n);
    run[k++] = ranks;
  }
  for (int i = 1; i < argc; i++)
    run[k++] = argv[i];
  int signal_number = 0, status = run_and_wait (run, &signal_number);
  if (status == CANNOT_START && alone > 0) { /* no mpirun: one rank does it all */
    if (!chosen)
      unsetenv ("OMP_NUM_THREADS");
    status = run_and_wait (run + alone, &signal_number);
  }
  free (run);
  if (status == CANNOT_START) {
    fprintf (stderr, "subdef: %s: cannot be started; is it installed beside subdef?\n", generator);
    return SD_EXIT_FAILED;
  }
  if (status < 0) {
    fprintf (stderr,
             "subdef: gen: ended by signal %d (%s); the same command goes on behind the tables that are "
             "complete\n",
             signal_number, strsignal (signal_number));
    return SD_EXIT_FAILED;
  }
  return status;
}
