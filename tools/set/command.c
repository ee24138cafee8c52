/* subdef set: its options, its folders, and the run. */
#include "config.h"
#include "tools/set/set.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sd_set_options opt;

/* "wdl,dtm" */
static bool take_metrics (const char *text) {
  opt.metrics = 0;
  for (size_t n; *text; text += n + (text[n] == ',' && text[n + 1])) {
    char name[16];
    n = strcspn (text, ",");
    snprintf (name, sizeof name, "%.*s", (int) n, text);
    const enum sd_metric m = sd_metric_find (name);
    if (n >= sizeof name || m == SD_NO_METRIC || (text[n] && !text[n + 1]))
      return false;
    opt.metrics |= 1u << m;
  }
  return opt.metrics != 0;
}

static bool take_memory (const char *text) {
  return sd_tool_read_bytes (text, &opt.memory);
}

static const sd_option options[] = {
  { "men", 0, "N", "all endings with 3 to N men; other games: with 1 to N pieces", .count = &opt.men,
    .least = 1, .most = SD_MOST_PIECES },
  { "metric", 'm', "METRIC,...", "what the files tell, several with ',': @ (default: the first)",
    .take = take_metrics, .words = sd_tool_metric_word, .about = sd_tool_metric_about, .joint = ',' },
  { "only", 0, NULL,
    "only files of what is named; exact tables of all that it leads to are made all the same",
    .flag = &opt.only },
  { "game", .text = &opt.game },
  { "output", 'o', "DIR", "folder of the files and of manifest.json; --estimate needs none", .text = &opt.out,
    .expected = "the name of a folder" },
  { "exact", 0, "DIR",
    "folder in which exact tables are made and stay (default: DIR/work/exact of --output, removed as soon as nothing needs them)",
    .text = &opt.exact, .expected = "the name of a folder" },
  /* How a file is coded: words for reformat. */
  { "codec", .text = &sd_reformat_asked.codec, .of = SD_OF_REFORMAT },
  { "set", .text = &sd_reformat_asked.set, .of = SD_OF_REFORMAT },
  { "numbering", .text = &sd_reformat_asked.numbering, .of = SD_OF_REFORMAT },
  { "freedom", .text = &sd_reformat_asked.freedom, .of = SD_OF_REFORMAT },
  { "sides", .text = &sd_reformat_asked.sides, .of = SD_OF_REFORMAT },
  { "coding", .text = &sd_reformat_asked.coding, .of = SD_OF_REFORMAT },
  { "best", .flag = &sd_reformat_asked.best, .of = SD_OF_REFORMAT },
  { "preset", .choice = &sd_reformat_preset, .words = sd_reformat_preset_word,
    .about = sd_reformat_preset_about, .of = SD_OF_REFORMAT },
  { "layouts", .text = &sd_reformat_asked.layouts, .of = SD_OF_REFORMAT },
  { "max-latency", .take = sd_reformat_take_latency, .of = SD_OF_REFORMAT },
  { "budget", .take = sd_reformat_take_budget, .of = SD_OF_REFORMAT },
  { "if-smaller", 0, NULL, "a file that was made otherwise stays unless the new one is smaller",
    .flag = &opt.smaller },
  /* How it is worked on and told. */
  { "estimate", 'e', NULL,
    "only print what would be made, and what it takes: from samples of exact tables that are there, else from the material",
    .flag = &opt.estimate },
  { "memory", 0, "BYTES",
    "of all programs that this task starts, under a launcher of those of its machine, e.g. 8G (default: seven eighths of the machine's)",
    .take = take_memory, .expected = "a number of bytes, with k, M, G or T behind it" },
  { "jobs", SD_NO_LETTER, "N", "tables at the same time (default: all cores)", .count = &opt.jobs, .least = 1,
    .most = 4096 },
  { "force", 0, NULL, "make all files anew, and overwrite what is there", .flag = &opt.force },
  { "quiet", .flag = &opt.quiet },
  { "json", 0, NULL, "a line of JSON for each file, its row of the manifest, in place of text",
    .flag = &opt.json },
  { 0 },
};

/* Of all tasks on this machine this one's share, by its cores. */
static void take_share (sd_set *s) {
  const double online = (double) sysconf (_SC_NPROCESSORS_ONLN),
               machine = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);
  const double part = (double) s->task.cores < online ? s->task.cores / online : 1;
  s->memory = (uint64_t) (part * (opt.memory > 0 ? opt.memory : machine / 8 * 7));
  s->cores = getenv ("OMP_NUM_THREADS") ? (unsigned) omp_get_max_threads () : s->task.cores;
  s->nchildren = opt.jobs ? opt.jobs : s->cores;
}

/* A bound that was asked for is kept, or refused. */
static int check_memory (const sd_set *s, sd_error *err) {
  for (unsigned i = 0; i < s->n; i++)
    if (opt.memory > 0 && s->job[i].counts && s->job[i].memory > s->memory)
      return sd_fail (err, SD_ENOMEM, "%s: takes some %s bytes of memory, and --memory leaves %s%s",
                      s->job[i].key, sd_tool_count (s->job[i].memory), sd_tool_count (s->memory),
                      s->task.ranks > 1 ? " to each task; start fewer of them" : "");
  return SD_OK;
}

/* Files that hold no results by themselves. */
static void note_needed (void) {
  for (unsigned m = 0; m < SD_METRICS; m++) {
    const enum sd_metric needs = sd_codings[sd_metric_coding ((enum sd_metric) m, false)].needs;
    if (opt.metrics >> m & 1 && !opt.game && !sd_tool_said ("coding") && needs != SD_NO_METRIC
        && !(opt.metrics >> needs & 1))
      sd_tool_note ("files of %s are read together with those of %s: --metric %s,%s makes both",
                    sd_metrics[m].name, sd_metrics[needs].name, sd_metrics[needs].name, sd_metrics[m].name);
  }
}

/* The set itself, between entering its folders and leaving them. */
static int make_set (sd_set *s, sd_error *err) {
  const double start = sd_now ();
  struct rusage u;
  SD_TRY (sd_manifest_read (opt.out, &s->manifest, err));
  SD_TRY (sd_set_look (s, err));
  if (opt.estimate)
    SD_TRY (sd_set_sample (s, err));
  if (opt.estimate || (!opt.quiet && !opt.json && s->left > 0 && s->task.rank == 0))
    sd_set_say_estimate (s);
  if (opt.estimate)
    return SD_OK;
  SD_TRY (check_memory (s, err));
  SD_TRY (sd_set_run (s, err));
  sd_report (&sd_terminal, "making the set", 1, 1);
  getrusage (RUSAGE_CHILDREN, &u);
  sd_set_say_sum (s, sd_now () - start, sd_set_cpu_of (&u));
  return SD_OK;
}

static int run_all (sd_set *s, sd_error *err) {
  take_share (s);
  SD_TRY (sd_tool_rules (opt.game, &s->rules, err));
  SD_TRY (sd_set_name_folders (s, err));
  SD_TRY (sd_set_jobs (s, err));
  s->child = sd_alloc0 (s->nchildren, sizeof *s->child);
  s->child_s = sd_alloc0 (s->nchildren, sizeof *s->child_s);
  if (!s->child || !s->child_s)
    return sd_fail_memory (err, 0);
  if (!opt.estimate)
    SD_TRY (sd_set_enter (s, err));
  return make_set (s, err);
}

static int run_set (const sd_words *words) {
  sd_set s = { .opt = &opt, .shared = -1 };
  sd_error err = { 0 };
  opt.words = *words;
  opt.metrics = opt.metrics ? opt.metrics : 1u << SD_WDL;
  if (!opt.out && opt.estimate)
    opt.out = "/nonexistent"; /* nothing is there */
  if (!opt.out)
    return sd_tool_usage ("--output is not given: the folder of the files");
  if (!opt.game && opt.words.n == 0 && !opt.men)
    return sd_tool_usage ("no ending is named; e.g. 'subdef set --men 4 --metric wdl,dtm -o tables'");
  if (opt.only && !opt.words.n)
    return sd_tool_usage ("--only is for endings by name");
  if (opt.men && opt.words.n)
    return sd_tool_usage ("either --men or endings by name");
  const int status = sd_reformat_check_choices ();
  if (status)
    return status;
  opt.nchoices = sd_reformat_words (options, opt.choice);
  if (!sd_task_take (&s.task))
    return sd_tool_usage ("SLURM_ARRAY_TASK_ID is none of SLURM_ARRAY_TASK_COUNT tasks");
  if (opt.force && s.task.ranks > 1)
    return sd_tool_usage ("--force is for one task: of several none would know what the others have made");
  note_needed ();
  sd_tool_choose_waiting (); /* of the children's threads */
  sd_tool_last_words ("the same command goes on where this one has ended");

  const int st = run_all (&s, &err);
  sd_tool_last_words (NULL);
  sd_set_leave (&s);
  sd_set_jobs_free (&s);
  json_decref (s.manifest);
  free (s.child);
  free (s.child_s);
  sd_rules_close (&s.rules);
  return st == SD_OK ? s.status : sd_tool_fail (&err);
}

const sd_command sd_cmd_set = { "set", run_set, options, .args = "ENDING...|SLICE...", .makes = true };
