/* How threads wait that have nothing to do. OpenMP's libraries let them spin for a while by default, for the
 * next parallel loop may come soon; where other programs want the cores, that takes the time from those who
 * work (35 small endings on a busy machine: three times the CPU time, twice the wall time of one thread).
 * Ours spin for a short while and then sleep.
 *
 * OpenMP has no call for this, and its library reads the environment when it is loaded, before main: a
 * program that sets OMP_WAIT_POLICY for itself must start itself once more. It does so at once, under its own
 * name, in the same process, so that mpirun, debuggers and pipes see nothing of it, and only if nobody has
 * chosen: having chosen, it cannot come here again. Programs alone do this; libsubdef never touches the
 * environment of its user. */
#include "config.h"
#include "tools/tools_internal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

bool sd_tool_choose_waiting (void) {
#ifdef _OPENMP
  /* OpenMP's own word, GCC's, LLVM's and Intel's */
  static const char *const chosen[] = { "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY" };
  for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
    if (getenv (chosen[i]))
      return false;
  /* A short while of spinning bridges the gaps between the generator's loops: 35 endings on an idle machine,
   * two threads, took 16.5 s asleep at once and 14.5 s so, as with the libraries' default. */
  return setenv (chosen[0], "passive", 0) == 0 && setenv (chosen[1], "20000", 0) == 0;
#else
  return false;
#endif
}

/* Is that the file of this program? Not if a loader was started with the program as its argument. */
static bool is_program (const char *file) {
  const char *name = (const char *) (uintptr_t) getauxval (AT_EXECFN); /* 0: not known */
  struct stat a, b;
  return name && stat (file, &a) == 0 && stat (name, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void sd_tool_wait_gently (char **argv) {
  char self[4096];
  const ssize_t n = readlink ("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0)
    return;
  self[n] = 0;
  /* With one core there is one thread, which waits for nobody. */
  if (!is_program (self) || sysconf (_SC_NPROCESSORS_ONLN) == 1 || !sd_tool_choose_waiting ())
    return;
  execv (self, argv); /* comes back only if that fails: then they spin */
}

/* "0.52 0.58 0.59 2/1345 9876": the load of the last minute, and behind two longer ones the runnable threads
 * of all. This thread is one of these. */
unsigned sd_tool_busy_cores (const char *loadavg) {
  double minute;
  unsigned runnable;
  if (sscanf (loadavg, "%lf %*f %*f %u/", &minute, &runnable) != 2 || !(minute >= 0 && minute < 1e6)
      || !runnable)
    return 0;
  const double rounded = floor (minute + 0.5);
  return rounded < runnable - 1 ? (unsigned) rounded : runnable - 1;
}

void sd_tool_leave_busy_cores (void) {
#ifdef _OPENMP
  const int cores = omp_get_num_procs ();
  char text[128] = "";
  if (getenv ("OMP_NUM_THREADS") || cores != sysconf (_SC_NPROCESSORS_ONLN))
    return; /* somebody has chosen, for all threads or by giving us some of the cores */
  FILE *f = fopen ("/proc/loadavg", "r");
  if (!f)
    return;
  const char *got = fgets (text, sizeof text, f);
  fclose (f);
  const unsigned busy = got ? sd_tool_busy_cores (text) : 0;
  if (busy)
    omp_set_num_threads (busy < (unsigned) cores ? cores - (int) busy : 1);
#endif
}
