/* What the jobs of a set take. The generator knows its own (sd_gen_estimate_slice). Of a file it is so much
 * for each slot, by the men and the metric: figures of the default codecs, measured as papers/sets says. */
#include "config.h"
#include "tools/set/set.h"

/* Of files, by slot of both sides to move. */
#define FILE_CPU_WDL .6e-6                          /* seconds, of WDL */
#define FILE_CPU_PLIES 2.e-6                        /* of plies */
enum { FILE_MEMORY = 16, FIXED_MEMORY = 32 << 20 }; /* bytes */
#define FILE_BITS_WDL .1                            /* of the file */
#define FILE_BITS_PLIES .8

int sd_set_estimate (const sd_set *s, sd_set_job *j, sd_error *err) {
  sd_estimate e;
  const sd_estimate_run run = { .ranks = 1, .threads = s->cores };
  SD_TRY (sd_gen_estimate_slice (&s->rules, j->slice, &run, &e, err));
  j->states = e.states;
  if (j->exact) {
    j->cpu_s = e.bound ? (double) e.states * 1e-6 : e.cpu_s;
    j->memory = e.process_bytes;
    j->disk = e.bound ? e.states : e.disk_bytes;
    return SD_OK;
  }
  const bool plies = sd_metrics[j->metric].plies;
  j->cpu_s = (double) e.slots * (plies ? FILE_CPU_PLIES : FILE_CPU_WDL);
  j->memory = e.slots * FILE_MEMORY + FIXED_MEMORY;
  j->disk = (uint64_t) ((double) e.slots * (plies ? FILE_BITS_PLIES : FILE_BITS_WDL) / 8) + 200;
  for (unsigned i = 0; i < j->nfrom; i++) /* read whole */
    j->memory += s->job[j->from[i]].exact ? 0 : 0;
  return SD_OK;
}

uint64_t sd_set_most_disk (const sd_set *s) {
  uint64_t now = 0, most = 0;
  /* The last job that reads each exact table: behind it the table goes. */
  SD_OWNED unsigned *last = sd_alloc0 ((uint64_t) s->n + 1, sizeof *last);
  if (!last)
    return 0;
  for (unsigned i = 0; i < s->n; i++)
    for (unsigned k = 0; k < s->job[i].nfrom; k++)
      last[s->job[i].from[k]] = i;
  for (unsigned i = 0; i < s->n; i++) {
    const sd_set_job *j = &s->job[i];
    now += j->exact && (j->counts || j->at == SD_SET_THERE) ? j->disk : 0;
    most = now > most ? now : most;
    for (unsigned k = 0; k < s->n && !s->keeps_exact; k++)
      if (last[k] == i && s->job[k].exact && i > 0 && (s->job[k].counts || s->job[k].at == SD_SET_THERE))
        now -= s->job[k].disk;
  }
  return most;
}
