/* What the jobs of a set take. The generator knows its own (sd_gen_estimate_slice). Of a file whose exact
 * tables are there samples tell it (sd_set_sample). Of others, by the default codec, so much for each slot of
 * the ending, as the generator counts them, and so much for each slot of the exact tables below. The
 * constants are means of the endings that were made (papers/sets). What they miss by is how hard an ending
 * is: KQPvKQ takes three times the mean, and bytes may be anything. Once files of a set are there, time
 * follows them (left.c): of another codec, or of a search, the constants know nothing. */
#include "config.h"
#include "tools/set/set.h"

/* By metric: results, and plies. With 5 men and more the leader is searched for, too, of results; with pawns
 * more positions are hard. */
static const struct {
  double slot_s, searched_s, pawns_s; /* seconds a slot */
  double slot_bytes,
      many_slot_bytes; /* of memory, a slot; with 5 men and more, where plies have another codec */
  double file_bits;    /* of the file, a slot */
} fitted[2] = { { .19e-6, .45e-6, .51e-6, 3.1, 3.1, .022 }, { .69e-6, 0, 0, 14, 3.3, .66 } };
#define BELOW_S .03e-6 /* seconds a slot of the tables below */
enum { PROGRAM_BYTES = 10 << 20, FILE_BYTES = 40, SEARCHED_MEN = 5 };

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
  const bool plies = sd_metrics[j->metric].plies, many = sd_material_men (&subject.material) >= SEARCHED_MEN,
             searched = !plies && many;
  j->slots = s->job[j->from[0]].slots;
  for (unsigned i = 1; i < j->nfrom; i++)
    below += s->job[j->from[i]].slots;
  const double slots = (double) j->slots, slot_s = !searched ? fitted[plies].slot_s
                                                   : sd_material_has_pawns (&subject.material)
                                                       ? fitted[plies].pawns_s
                                                       : fitted[plies].searched_s;
  j->cpu_s = slots * slot_s + (double) below * BELOW_S;
  /* Of equal material there is one side, which takes as much as that of two. */
  j->memory = (uint64_t) (slots * (sd_material_symmetric (&subject.material) ? 2 : 1)
                          * (many ? fitted[plies].many_slot_bytes : fitted[plies].slot_bytes))
              + PROGRAM_BYTES;
  j->disk = (uint64_t) (slots * fitted[plies].file_bits / 8) + FILE_BYTES;
  return SD_OK;
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
