/* subdef-gen: builds endings and everything that they depend on, alone or on all ranks of mpirun / srun.
 *
 * All ranks take the same way through the list; whatever only one of them knows (a table exists, a disk is
 * full) is agreed on before anybody acts on it. Rank 0 talks: the table of estimates and the progress bar on
 * stderr, one line per ending on stdout (subdef_gen_report.c). */
#include "config.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#ifdef HAVE_MPI
#include "gen/solve/transport_mpi.h"
#endif
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* ----------------------------------------------------------------- messages */

/* One sentence, from rank 0 alone; the exit status that fits. */
int sd_gen_complain (const sd_transport *t, const sd_error *err) {
  if (t->rank == 0) {
    sd_terminal_clear ();
    fflush (stdout);
    fprintf (stderr, "subdef-gen: %s%s\n", err->text[0] ? err->text : sd_strerror (err->status),
             err->status == SD_ENOMEM ? "; --estimate tells what it takes" : "");
  }
  return SD_EXIT_FAILED;
}

int sd_gen_agree_usage (const sd_transport *t, error_t parsed) {
  sd_error err = { 0 };
  int st = sd_agree (t, parsed == ENOMEM ? sd_fail_memory (&err, 0) : SD_OK, &err);
  return st != SD_OK ? sd_gen_complain (t, &err) : parsed ? SD_EXIT_USAGE : SD_EXIT_OK;
}

/* The bar covers the whole run: done and total are milliseconds of estimated CPU time. */
typedef struct overall {
  sd_progress bar;
  double before, current, total; /* estimated CPU seconds: endings done, this one, all */
  unsigned stage;                /* enum sd_gen_stage */
} overall;

static void overall_stage (void *ctx, unsigned stage) {
  overall *o = ctx;
  o->stage = stage;
}

static void overall_report (void *ctx, const char *what, uint64_t done, uint64_t total) {
  overall *o = ctx;
  /* parts of an ending's time that each stage takes, roughly */
  static const double until[SD_GEN_STAGES + 1] = { 0, 0.4, 0.6, 1 };
  const double from = until[o->stage], to = until[o->stage + 1];
  const double part = total ? (double) done / (double) total : 0;
  double at = o->before + o->current * (from + (to - from) * part);
  (void) what;
  /* never quite full: the last stage's end is not the run's end */
  sd_report (&o->bar, "generating", (uint64_t) (at * 1000) + 1, (uint64_t) (o->total * 1000) + 2);
}

/* ------------------------------------------------------------------- the run */

typedef struct job {
  sd_gen_job table; /* first */
  sd_material material;
  char name[16];
  sd_estimate estimate;
} job;

static bool ours (const void *ctx, const sd_table_info *info) {
  const job *j = ctx;
  return sd_material_equal (&info->material, &j->material) && info->metric == SD_DTM;
}

static int make_job (const sd_gen_options *o, const sd_transport *t, const char *folder,
                     const sd_estimate_run *r, job *j, sd_error *err) {
  char file[32];
  sd_material_name (&j->material, j->name);
  sd_table_file_name (&j->material, SD_DTM, file);
  SD_TRY (sd_gen_job_paths (&j->table, folder, file, j->name, err));
  SD_TRY (sd_gen_estimate (&j->material, r, &j->estimate, err));
  return sd_gen_job_look (o, t, &j->table, ours, j, "holds another table than its name says", err);
}

static int make_jobs (const sd_gen_options *o, const sd_transport *t, const char *folder, job **out,
                      unsigned *nout, const sd_estimate_run *r, sd_error *err) {
  sd_material *order = NULL;
  unsigned n = 0;
  int st = sd_gen_order (o->want, o->nwant, &order, &n, err);
  job *jobs = st == SD_OK ? sd_alloc0 (n, sizeof *jobs) : NULL;
  if (st == SD_OK && !jobs)
    st = sd_fail_memory (err, n * sizeof *jobs);
  for (unsigned i = 0; i < n && st == SD_OK; i++) {
    jobs[i].material = order[i];
    st = make_job (o, t, folder, r, &jobs[i], err);
  }
  free (order);
  *out = jobs;
  *nout = jobs ? n : 0;
  return sd_gen_jobs_agree (t, st, jobs, sizeof *jobs, n, err);
}

/* How the endings will be generated; --ranks is for estimates only. */
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

static double print_estimates (const sd_gen_options *o, const sd_transport *t, const sd_estimate_run *r,
                               const job *jobs, unsigned n) {
  sd_estimate all = { .longest_conversion = UINT_MAX };
  FILE *f = o->estimate ? stdout : stderr;
  const bool json = o->estimate && o->json, print = t->rank == 0 && (o->estimate || !o->quiet);
  unsigned open = 0;
  if (print && !json)
    sd_gen_estimate_head (f);
  for (unsigned i = 0; i < n; i++) {
    const sd_estimate *e = &jobs[i].estimate;
    if (print && json)
      sd_gen_estimate_json (jobs[i].name, r, e, jobs[i].table.skip);
    else if (print)
      sd_gen_estimate_row (f, jobs[i].name, e, jobs[i].table.skip);
    if (jobs[i].table.skip)
      continue;
    open++;
    all.process_bytes = e->process_bytes > all.process_bytes ? e->process_bytes : all.process_bytes;
    all.least_ranks = e->least_ranks > all.least_ranks ? e->least_ranks : all.least_ranks;
    if (e->longest_conversion < all.longest_conversion)
      all.longest_conversion = e->longest_conversion;
    all.slots += e->slots;
    all.disk_bytes += e->disk_bytes;
    all.messages += e->messages;
    all.cpu_s += e->cpu_s;
  }
  if (print && !json) {
    if (open)
      sd_gen_estimate_row (f, "all", &all, false);
    sd_gen_estimate_foot (f, r, &all, open, n);
  }
  return all.cpu_s;
}

/* One ending: solved and written by all. */
static int build (const sd_gen_options *o, const sd_transport *t, sd_values *values, const job *j,
                  const sd_progress *progress, sd_error *err) {
  sd_solve_stats stats = { 0 };
  sd_output_stats output = { 0 };
  sd_gen_making making;
  sd_gen_forget_resident ();
  int st = sd_gen_begin (o, t, &j->table, j->name, progress, &making, err);
  if (st == SD_OK)
    st = sd_gen_build (o->solver, values, t, &j->material, &making.how, &o->coding, j->table.path, &stats,
                       &output, err);
  uint64_t resident = sd_gen_resident ();
  if (st == SD_OK && (st = t->sum (t->ctx, &resident, 1)) != SD_OK)
    sd_fail (err, st, "%s: the ranks could not exchange their counts: %s", j->name, sd_strerror (st));
  sd_gen_end (t, &j->table, &making, st == SD_OK);
  if (st == SD_OK && t->rank == 0) {
    const sd_gen_result r = { j->name, &j->estimate, &stats, &output, sd_now () - making.start, resident };
    sd_gen_result_row (&r, o->json);
  }
  return st;
}

static int build_all (const sd_gen_options *o, const sd_transport *t, const char *folder, const job *jobs,
                      unsigned n, double cpu_s, sd_error *err) {
  sd_values *values = NULL;
  overall over = { .total = cpu_s };
  sd_progress progress = { overall_report, &over, overall_stage };
  if (t->rank == 0 && !o->quiet)
    sd_terminal_progress (&over.bar, o->progress);
  int st = sd_agree (t, sd_values_new (folder, 0, &values, err), err);
  for (unsigned i = 0; i < n && st == SD_OK; i++) {
    if (jobs[i].table.skip)
      continue;
    over.current = jobs[i].estimate.cpu_s;
    st = build (o, t, values, &jobs[i], over.bar.report ? &progress : NULL, err);
    if (st == SD_ENOMEM)
      sd_error_prefix (err, "%s", jobs[i].name);
    over.before += over.current;
  }
  sd_values_free (values);
  return st;
}

static int run (const sd_gen_options *o, const sd_transport *t, bool mpi) {
  sd_error err = { 0 };
  char first[4096];
  const char *folder;
  job *jobs = NULL;
  unsigned n = 0, open = 0;
  double start = sd_now ();
  const sd_estimate_run r = run_of (o, t, mpi);
  int st = sd_gen_folder (o, t, first, sizeof first, &folder, &err);
  if (st == SD_OK)
    st = make_jobs (o, t, folder, &jobs, &n, &r, &err);
  if (st == SD_OK) {
    double cpu_s = print_estimates (o, t, &r, jobs, n);
    if (!o->estimate)
      st = build_all (o, t, folder, jobs, n, cpu_s, &err);
  }
  for (unsigned i = 0; i < n; i++) {
    open += !jobs[i].table.skip;
    sd_gen_job_free (&jobs[i].table);
  }
  free (jobs);
  if (st != SD_OK)
    return sd_gen_complain (t, &err);
  if (!o->estimate && !o->quiet) {
    uint64_t cpu = (uint64_t) (sd_cpu_now () * 1e6);
    t->sum (t->ctx, &cpu, 1);
    if (t->rank == 0) {
      sd_terminal_clear ();
      fprintf (stderr, "%u endings built in %s: %.1f s, %.1f s of CPU time\n", open, folder,
               sd_now () - start, (double) cpu / 1e6);
    }
  }
  return SD_EXIT_OK;
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
      sd_gen_complain (&t, &err);
      MPI_Finalize ();
      return SD_EXIT_FAILED;
    }
  }
#endif
  if (!mpi)
    sd_tool_leave_busy_cores ();
  sd_tool_watch_signals ();
  sd_gen_options o = { .checkpoint = 300, .solver = sd_solver_at (0) };
  if (sd_gen_is_game (argc, argv))
    st = sd_gen_game (argc, argv, &t);
  else if ((st = sd_gen_agree_usage (&t, sd_gen_parse (argc, argv, t.rank == 0, &o))) == SD_EXIT_OK
           && !o.done)
    st = run (&o, &t, mpi);
  free (o.want);
  if (t.rank == 0)
    st = sd_tool_finish (st);
#ifdef HAVE_MPI
  if (mpi) {
    sd_transport_mpi_free (&t);
    MPI_Finalize ();
  }
#endif
  return st;
}
