/* Which of several tasks this process is, as those who start it say in its environment: mpirun (Open MPI, and
 * launchers that speak PMI), srun and job arrays of Slurm. The program itself exchanges no messages: tasks
 * take every so many-th file (reformat), or share the cells of one database (sweep). */
#include "config.h"
#include "tools/tools_internal.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A whole number of the environment; `none` if it is not there; -1: it is none. */
static long number_of (const char *name, long none) {
  const char *text = getenv (name);
  char *end;
  if (!text || !*text)
    return none;
  const long v = strtol (text, &end, 10);
  return *end ? -1 : v;
}

/* Tasks of a node, at most, as Slurm writes them for all nodes: "4", "4(x2),3"; 1 where that is not there. */
static long tasks_of_node (const char *name) {
  long most = 1;
  for (const char *at = getenv (name); at && *at; at += strcspn (at, ","), at += *at == ',') {
    const long n = strtol (at, NULL, 10);
    most = n > most ? n : most;
  }
  return most;
}

/* The part of this task of a job array; false: the numbers do not fit each other. Tasks may be counted from
 * any number, and in steps. *alone: the array has one task, and its number is not that of a first one: when
 * one task of several is submitted again, Slurm says nothing of the others. */
bool sd_task_of_array (unsigned *part, unsigned *parts, bool *alone) {
  const long id = number_of ("SLURM_ARRAY_TASK_ID", -1), count = number_of ("SLURM_ARRAY_TASK_COUNT", 0),
             least = number_of ("SLURM_ARRAY_TASK_MIN", 0), step = number_of ("SLURM_ARRAY_TASK_STEP", 1);
  *alone = false;
  if (!getenv ("SLURM_ARRAY_TASK_ID") || count == 0)
    return true; /* no job array */
  if (id < least || least < 0 || count < 0 || step < 1 || (id - least) / step >= count)
    return false;
  /* Task 0 alone is an array of one task. Task 7 alone may be one of eight. */
  *alone = count == 1 && id > 0;
  *part = (unsigned) ((id - least) / step) + 1;
  *parts = (unsigned) count;
  return true;
}

sd_task sd_task_of_launcher (void) {
  /* Names of variables: this rank, all ranks, those of this machine. */
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
               here = tasks_of_node (launcher[i].here);
    if (rank < 0 || ranks <= rank || ranks > 1 << 20)
      /* Not by this launcher, or numbers that no launcher writes. */
      continue;
    t.rank = (unsigned) rank;
    t.ranks = (unsigned) ranks;
    if (here > 1 && bound >= online) /* the launcher has not bound it to a share of the cores */
      t.cores = (unsigned) (online > here ? online / here : 1);
    break;
  }
  return t;
}

bool sd_task_take (sd_task *task) {
  unsigned part = 0, parts = 0;
  bool alone;
  *task = sd_task_of_launcher ();
  if (!sd_task_of_array (&part, &parts, &alone))
    return false;
  if (parts > 1) { /* an array of tasks, each of which may have ranks */
    task->rank += (part - 1) * task->ranks;
    task->ranks *= parts;
  }
  return true;
}

/* All variables of launchers and job arrays, whatever they are called. */
void sd_task_forget (void) {
  static const char *const prefix[] = { "OMPI_", "PMIX_", "PMI_", "MPI_", "SLURM_", "FLUX_", "ALPS_", "PALS_" };
  for (unsigned i = 0; environ[i];) {
    char name[256];
    bool is = false;
    snprintf (name, sizeof name, "%.*s", (int) strcspn (environ[i], "="), environ[i]);
    for (unsigned p = 0; p < sizeof prefix / sizeof *prefix; p++)
      is |= strncmp (name, prefix[p], strlen (prefix[p])) == 0;
    if (!is || unsetenv (name))
      i++; /* else the next one has its place */
  }
}

/* Placements of the men without the kings, which all endings have, those of equal men divided by their
 * orders. Endings with pawns have fewer symmetries and four times the slots. */
double sd_task_weight (const sd_material *m) {
  double w = sd_material_has_pawns (m) ? 4 : 1;
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = SD_PAWN; t < SD_KING; t++)
      for (unsigned i = 0; i < m->count[c][t]; i++)
        w *= (t == SD_PAWN ? 48. : 64.) / (i + 1);
  return w;
}
