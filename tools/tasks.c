/* Which of several tasks this process is, as those who start it say in its environment: mpirun (Open MPI, and
 * launchers that speak PMI), srun and job arrays of Slurm. The program itself exchanges no messages. */
#include "config.h"
#include "tools/tools_internal.h"
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

/* A whole number of the environment; `none` if it is not there. */
static long number_of (const char *name, long none) {
  const char *text = getenv (name);
  char *end;
  if (!text || !*text)
    return none;
  const long v = strtol (text, &end, 10);
  return *end ? -1 : v;
}

/* The part of this task of a job array; false: the numbers do not fit each other. Tasks may be counted from
 * any number, and in steps. */
bool sd_task_of_array (unsigned *part, unsigned *parts) {
  const long id = number_of ("SLURM_ARRAY_TASK_ID", -1), count = number_of ("SLURM_ARRAY_TASK_COUNT", 0),
             least = number_of ("SLURM_ARRAY_TASK_MIN", 0), step = number_of ("SLURM_ARRAY_TASK_STEP", 1);
  if (!getenv ("SLURM_ARRAY_TASK_ID") || count == 0)
    return true; /* no job array */
  if (id < least || least < 0 || count < 0 || step < 1 || (id - least) / step >= count)
    return false;
  *part = (unsigned) ((id - least) / step) + 1;
  *parts = (unsigned) count;
  return true;
}

sd_task sd_task_of_launcher (void) {
  static const struct {
    const char *rank, *ranks, *here;
  } launcher[] = {
    { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE" },
    { "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS" },
    { "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_TASKS_PER_NODE" },
  };
  const long online = sysconf (_SC_NPROCESSORS_ONLN), bound = omp_get_num_procs ();
  sd_task t = { .ranks = 1, .cores = (unsigned) (bound > 0 ? bound : 1) };
  for (unsigned i = 0; i < sizeof launcher / sizeof *launcher; i++) {
    const long rank = number_of (launcher[i].rank, -1), ranks = number_of (launcher[i].ranks, 0),
               here = number_of (launcher[i].here, 1);
    if (rank < 0 || ranks <= rank || ranks > 1 << 20)
      continue;
    t.rank = (unsigned) rank;
    t.ranks = (unsigned) ranks;
    if (here > 1 && bound >= online) /* the launcher has not bound it to a share of the cores */
      t.cores = (unsigned) (online > here ? online / here : 1);
    break;
  }
  return t;
}
