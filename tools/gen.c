/* subdef gen: the generator through the front door. It is a program of its own (subdef-gen), because only it
 * is linked with MPI; here it is started on all cores under mpirun, or alone if there is one core or no
 * mpirun. */
#include "config.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int sd_cmd_gen (int argc, char **argv) {
  char generator[4200], ranks[24];
  find_generator (generator, sizeof generator);
  long cores = sysconf (_SC_NPROCESSORS_ONLN);
  int first = 1;
  if (argc > 2
      && strcmp (argv[1], "--ranks") == 0) { /* the only option of our own; all others are subdef-gen's */
    char *end;
    cores = strtol (argv[2], &end, 10);
    if (*end || cores < 1 || cores > 65536)
      return sd_tool_usage ("--ranks %s: expected a number from 1 to 65536", argv[2]);
    first = 3;
  }
  /* calls that only print need no ranks */
  bool quick = argc <= first;
  for (int i = first; i < argc; i++)
    quick |= !strcmp (argv[i], "--help") || !strcmp (argv[i], "-?") || !strcmp (argv[i], "--usage")
             || !strcmp (argv[i], "--version") || !strcmp (argv[i], "-V") || !strcmp (argv[i], "--estimate");
  char **run = sd_alloc0 ((uint64_t) argc + 16, sizeof *run);
  if (!run)
    return sd_tool_usage ("out of memory");
  int k = 0;
#ifdef HAVE_MPI
  if (cores > 1 && !quick) {
    snprintf (ranks, sizeof ranks, "%ld", cores);
    run[k++] = (char *) "mpirun";
    run[k++] = (char *) "-np";
    run[k++] = ranks;
    /* Open MPI refuses root and more ranks than cores unless told; an idle rank must not spin away the
     * other's core */
    setenv ("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    setenv ("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
    setenv ("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    setenv ("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
  }
#else
  (void) quick;
  (void) ranks;
#endif
  run[k++] = generator;
  for (int i = first; i < argc; i++)
    run[k++] = argv[i];
  execvp (run[0], run);
  if (errno == ENOENT && strcmp (run[0], "mpirun") == 0)
    execvp (generator, run + 3); /* no mpirun: one rank does it all */
  int failed = errno;
  free (run);
  fprintf (stderr, "subdef: %s: cannot be started: %s\n", generator, strerror (failed));
  return SD_EXIT_FAILED;
}
