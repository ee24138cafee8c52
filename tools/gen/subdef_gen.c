/* subdef-gen: builds slices of a game, endings of chess first of all, and everything that they depend on,
 * alone or on all ranks of mpirun / srun.
 *
 * All ranks take the same way through the list; whatever only one of them knows (a table exists, a disk is
 * full) is agreed on before anybody acts on it. Rank 0 talks: the table of estimates and the progress bar on
 * stderr, one line per table on stdout (subdef_gen_report.c). */
#include "config.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#ifdef HAVE_MPI
#include "gen/solve/transport_mpi.h"
#endif
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* ----------------------------------------------------------------- messages */

/* One sentence, from rank 0 alone; the exit status that fits. */
static int complain (const sd_transport *t, const sd_error *err) {
  if (t->rank == 0) {
    sd_tool_say ("%s%s", err->text[0] ? err->text : sd_strerror (err->status),
                 err->status == SD_ENOMEM ? "; --estimate tells what it takes" : "");
  }
  return SD_EXIT_FAILED;
}

/* Collective: each rank has parsed the command line with this result; the exit status, SD_EXIT_OK to go on.
 * Wrong usage is wrong on all ranks, but memory may end on one of them: that is told here. */
static int agree_usage (const sd_transport *t, int parsed) {
  sd_error err = { 0 };
  int st = sd_agree (t, parsed == ENOMEM ? sd_fail_memory (&err, 0) : SD_OK, &err);
  return st != SD_OK ? complain (t, &err) : parsed ? SD_EXIT_USAGE : SD_EXIT_OK;
}

/* ------------------------------------------------------------------- the run */

/* How the tables will be generated; --ranks is for estimates only. */
static sd_estimate_run run_of (const sd_gen_options *o, const sd_transport *t, bool mpi) {
  sd_estimate_run r = { .ranks = o->ranks ? (int) o->ranks : t->size,
                        .threads = o->threads ? o->threads : 1,
                        .mpi = mpi,
                        .grain = o->grain,
                        .coding = &o->coding };
#ifdef _OPENMP
  if (!o->threads)
    r.threads = (unsigned) omp_get_max_threads ();
#endif
  return r;
}

/* Tell in the end what was done, and in which time. "5 endings built in tables: 1.2 s, 2.0 s of CPU time":
 * the CPU time is that of all ranks. */
static void say_done (const sd_gen_session *s, const sd_gen_job *jobs, unsigned n, double start) {
  uint64_t cpu = (uint64_t) (sd_cpu_now () * 1e6);
  unsigned built = 0;
  for (unsigned i = 0; i < n; i++)
    built += !jobs[i].skip;
  s->t->sum (s->t->ctx, &cpu, 1);
  if (s->t->rank != 0)
    return;
  sd_terminal_clear ();
  fprintf (stderr, "%u %s built in %s: %.1f s, %.1f s of CPU time\n", built,
           built == 1 ? sd_tool_slice (s->rules.kind) : sd_tool_slices (s->rules.kind), s->folder,
           sd_now () - start, (double) cpu / 1e6);
}

/* With the rules at hand. The table of estimates stands before the work, so that a run that is too large is
 * seen at once. */
static int run_slices (sd_gen_session *s, const sd_slice *want, unsigned nwant, sd_error *err) {
  char first[4096];
  sd_gen_job *jobs = NULL;
  unsigned n = 0;
  const double start = sd_now ();

  SD_TRY (sd_gen_folder (s, first, sizeof first, err));
  if (s->o->measure)
    return sd_gen_measure (s, want, nwant, err);
  int st = sd_gen_jobs (s, want, nwant, &jobs, &n, err);
  if (st == SD_OK) {
    sd_gen_print_estimates (s, jobs, n);
    if (!s->o->estimate)
      st = sd_gen_build_all (s, jobs, n, err);
  }
  if (st == SD_OK && !s->o->estimate && !s->o->quiet)
    say_done (s, jobs, n, start);
  sd_gen_jobs_free (jobs, n);
  return st;
}

/* The exit status, on all ranks the same. */
static int run (const sd_gen_options *o, const sd_transport *t, bool mpi) {
  sd_error err = { 0 };
  sd_gen_session s = { .o = o, .t = t, .estimate = run_of (o, t, mpi) };
  sd_slices want = { NULL, 0 };
  int st = sd_rules_open (o->game ? o->game : sd_game_kind_at (0)->name, &s.rules, &err);

  if (st == SD_OK)
    st = sd_rules_wanted (&s.rules, o->slice, o->nslices, o->men, &want, &err);
  st = sd_agree (t, st, &err);
  int status = st == SD_EINVAL ? SD_EXIT_USAGE : SD_EXIT_FAILED; /* what was typed */

  if (st == SD_OK) {
    st = run_slices (&s, want.at, want.n, &err);
    status = SD_EXIT_FAILED;
  }

  free (want.at);
  sd_rules_close (&s.rules);
  if (st == SD_OK)
    return SD_EXIT_OK;
  complain (t, &err);
  return status;
}

#ifdef HAVE_MPI
/* The ranks of a host share its cores, unless OMP_NUM_THREADS says how many threads each shall have. */
static void share_cores (void) {
#ifdef _OPENMP
  MPI_Comm host;
  int n = 1;
  MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_size (host, &n);
  MPI_Comm_free (&host);
  if (!getenv ("OMP_NUM_THREADS"))
    omp_set_num_threads (omp_get_max_threads () / n > 1 ? omp_get_max_threads () / n : 1);
#endif
}

/* Did mpirun, srun or the like start us? Alone, MPI is left out: its start takes half a second and two helper
 * processes, and it fails where it cannot write its own files. */
static bool launched (void) {
  static const char *const rank_of[] = {
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",       "PMI_ID",      "PMI_FD",     "MPI_RANKID",
    "MPI_LOCALRANKID",      "SLURM_PROCID", "FLUX_TASK_RANK", "ALPS_APP_PE", "PALS_RANKID"
  };
  for (size_t i = 0; i < sizeof rank_of / sizeof *rank_of; i++)
    if (getenv (rank_of[i]))
      return true;
  return false;
}
#endif

int main (int argc, char **argv) {
  sd_transport t;
  int st = SD_EXIT_OK;
  const char *called = getenv (SD_GEN_CALLED);

  /* Messages begin with what the user typed: "subdef gen: ...". */
  sd_tool_called (called && *called ? called : "subdef-gen");
  sd_tool_wait_gently (argv);

  sd_transport_self (&t);
  bool mpi = false;
#ifdef HAVE_MPI
  if ((mpi = launched ())) {
    sd_error err = { 0 };
    int provided;
    MPI_Init_thread (&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    share_cores ();
    if (sd_transport_mpi_new (MPI_COMM_WORLD, &t, &err) != SD_OK) { /* on all ranks alike */
      MPI_Comm_rank (MPI_COMM_WORLD, &t.rank);
      complain (&t, &err);
      MPI_Finalize ();
      return SD_EXIT_FAILED;
    }
    /* A single rank needs no messages: its tables may be made side by side, and MPI expects one thread at a
     * time. */
    if (t.size == 1) {
      sd_transport_mpi_free (&t);
      sd_transport_self (&t);
    }
  }
#endif
  /* Ranks have their cores from the launcher. */
  if (!mpi)
    sd_tool_leave_busy_cores ();
  sd_tool_watch_signals ();

  sd_gen_options o;
  st = agree_usage (&t, sd_gen_parse (argc, argv, t.rank == 0, &o));
  if (st == SD_EXIT_OK && !o.done)
    st = run (&o, &t, mpi);

  if (t.rank == 0)
    st = sd_tool_finish (st);
#ifdef HAVE_MPI
  if (mpi) {
    if (t.size > 1)
      sd_transport_mpi_free (&t);
    MPI_Finalize ();
  }
#endif
  return st;
}
