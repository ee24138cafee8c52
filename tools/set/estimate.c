/* What the jobs of a set take. The generator knows its own (sd_gen_estimate_slice). A file by the default
 * codec takes so much for each slot of its ending, as the generator counts them, and so much for each slot of
 * the exact tables below. The constants were fitted to the 35 endings with 3 and 4 men
 * (papers/sets); of WDL with 5 men a search for the leader is added. What they miss by is how hard an ending
 * is: KRvKN takes twice the time, and its bytes are anybody's guess. Once files of a set are there, time
 * follows them: of another codec, or of a search, the constants know nothing. */
#include "config.h"
#include "tools/set/set.h"

/* By metric: results, and plies. */
static const struct {
  double slot_s, search_s; /* seconds a slot; with 5 men and more besides */
  double slot_bytes;       /* of memory, a slot */
  double file_bits;        /* of the file, a slot */
} fitted[2] = { { .21e-6, .09e-6, 6.3, .02 }, { .8e-6, 0, 17, .7 } };
#define BELOW_S .03e-6 /* seconds a slot of the tables below */
/* Their blocks are trimmed to a gigabyte. */
enum { BELOW_BYTES = 2, BELOW_MOST = 1 << 30, PROGRAM_BYTES = 10 << 20, FILE_BYTES = 40, SEARCHED_MEN = 5 };
/* So many seconds of files tell more than the constants. */
#define EVIDENCE_S 20.

/* As the generator says. */
static int of_exact (const sd_set *s, sd_set_job *j, sd_error *err) {
  sd_estimate e;
  const sd_estimate_run run = { .ranks = 1, .threads = s->cores };
  SD_TRY (sd_gen_estimate_slice (&s->rules, j->slice, &run, &e, err));
  j->slots = e.slots;
  j->cpu_s = e.bound ? (double) e.states * 1e-6 : e.cpu_s;
  j->memory = e.process_bytes;
  j->disk = e.bound ? e.states : e.disk_bytes;
  return SD_OK;
}

int sd_set_estimate (const sd_set *s, sd_set_job *j, sd_error *err) {
  sd_table_spec subject;
  uint64_t below = 0;
  if (j->exact)
    return of_exact (s, j, err);

  SD_TRY (sd_rules_subject (&s->rules, j->slice, &subject, err));
  const bool plies = sd_metrics[j->metric].plies,
             searched = !plies && sd_material_men (&subject.material) >= SEARCHED_MEN;
  j->slots = s->job[j->from[0]].slots;
  for (unsigned i = 1; i < j->nfrom; i++)
    below += s->job[j->from[i]].slots;
  const double slots = (double) j->slots;
  j->cpu_s =
      slots * (fitted[plies].slot_s + (searched ? fitted[plies].search_s : 0)) + (double) below * BELOW_S;
  const uint64_t blocks = BELOW_BYTES * below < BELOW_MOST ? BELOW_BYTES * below : BELOW_MOST;
  j->memory = (uint64_t) (slots * fitted[plies].slot_bytes) + blocks + PROGRAM_BYTES;
  j->disk = (uint64_t) (slots * fitted[plies].file_bits / 8) + FILE_BYTES;
  return SD_OK;
}

void sd_set_learn (sd_set *s) {
  double took[SD_METRICS] = { 0 }, guessed[SD_METRICS] = { 0 };
  for (unsigned i = 0; i < s->n; i++) {
    const sd_set_job *j = &s->job[i];
    if (j->exact || j->at != SD_SET_THERE)
      continue;
    took[j->metric] += json_number_value (
        json_object_get (sd_manifest_row (s->manifest, "files", j->name, j->metric), "cpu_s"));
    guessed[j->metric] += j->cpu_s;
  }
  for (unsigned i = 0; i < s->n; i++) {
    sd_set_job *j = &s->job[i];
    if (!j->exact && j->at != SD_SET_THERE && took[j->metric] > EVIDENCE_S && guessed[j->metric] > 0)
      j->cpu_s *= took[j->metric] / guessed[j->metric];
  }
}

uint64_t sd_set_most_disk (const sd_set *s) {
  uint64_t now = 0, most = 0;
  /* The last job that reads each exact table: behind it the table goes. */
  SD_OWNED unsigned *last = sd_alloc0 ((uint64_t) s->n + 1, sizeof *last);
  if (!last)
    return 0;
  for (unsigned i = 0; i < s->n; i++)
    for (unsigned k = 0; s->job[i].counts && k < s->job[i].nfrom; k++)
      last[s->job[i].from[k]] = i;
  for (unsigned i = 0; i < s->n; i++) {
    now += s->job[i].exact && (s->job[i].counts || s->job[i].at == SD_SET_THERE) ? s->job[i].disk : 0;
    most = now > most ? now : most;
    for (unsigned k = 0; k < s->job[i].nfrom && !s->keeps_exact; k++) {
      const sd_set_job *from = &s->job[s->job[i].from[k]];
      if (s->job[i].counts && last[s->job[i].from[k]] == i)
        now -= from->disk;
    }
  }
  return most;
}

static bool has_exact (const sd_set *s, const sd_set_job *j) {
  for (unsigned i = 0; i < j->nfrom; i++)
    if (s->job[j->from[i]].at != SD_SET_THERE)
      return false;
  return true;
}

int sd_set_sample (sd_set *s, sd_error *err) {
  enum { BUDGET = 64 << 20 };
  sd_reformat asked = sd_reformat_asked;
  sd_game_tables *exact;
  unsigned done = 0;
  if (!s->rules.kind->recode || asked.best || asked.budget > 0)
    return SD_OK;
  asked.statistics = true; /* as the programs are called that make files */
  SD_TRY (sd_game_tables_open (&s->rules, s->exact, BUDGET, &exact, err));
  int st = SD_OK;
  for (unsigned i = 0; i < s->n && st == SD_OK; i++) {
    sd_set_job *j = &s->job[i];
    sd_table_estimate e;
    sd_report (&sd_terminal, "estimating", done, s->n);
    done++;
    if (j->exact || !j->counts || !has_exact (s, j))
      continue;
    st = sd_reformat_estimate (&asked, &s->rules, exact, j->slice, j->metric, &e, err);
    if (st != SD_OK)
      break;
    j->cpu_s = e.cpu_s;
    j->memory = e.memory;
    j->disk = e.bytes;
    j->sampled = true;
  }
  sd_report (&sd_terminal, "estimating", 1, 1);
  sd_game_tables_close (exact);
  return st;
}
