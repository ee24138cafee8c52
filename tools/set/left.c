/* What a set has taken up to now and what is left of it, in CPU seconds. Estimates from the material are off
 * by factors, so that they are corrected by what jobs of the same kind took; and of a job that takes longer
 * than its estimate nobody knows how long it will take. */
#include "config.h"
#include "tools/set/set.h"

#define EVIDENCE_S 20. /* so many seconds of jobs tell more than the constants */
#define LATE_PART .1   /* of a late job at least so much is left, as a part of it */

/* Is it over, as far as this set needs it? An exact table that nothing needs any more was there. */
static bool is_over (const sd_set_job *j) {
  return j->at == SD_SET_THERE || j->at == SD_SET_FAILED || (j->exact && !j->needed && j->at == SD_SET_OPEN);
}

void sd_set_learn (sd_set *s) {
  double took[2][SD_METRICS] = { { 0 } }, guessed[2][SD_METRICS] = { { 0 } };
  for (unsigned i = 0; i < s->n; i++) {
    const sd_set_job *j = &s->job[i];
    if (j->took_s > 0 && j->at != SD_SET_FAILED) {
      took[j->exact][j->metric] += j->took_s;
      guessed[j->exact][j->metric] += j->guess_s;
    }
  }
  for (unsigned i = 0; i < s->n; i++) {
    sd_set_job *j = &s->job[i];
    const double t = took[j->exact][j->metric], g = guessed[j->exact][j->metric];
    j->cpu_s = j->guess_s * (t > EVIDENCE_S && g > 0 ? t / g : 1);
  }
}

void sd_set_reckon (const sd_set *s, const double *child_s, sd_set_reckoning *out) {
  *out = (sd_set_reckoning){ .late = NULL };
  for (unsigned i = 0; i < s->n; i++) {
    const sd_set_job *j = &s->job[i];
    if (!j->counts || j->lost || j->at == SD_SET_RUNS)
      continue;
    if (!is_over (j))
      out->left += j->cpu_s;
    else if (j->took_s > 0 || j->at != SD_SET_FAILED)
      out->done += j->took_s > 0 ? j->took_s : j->cpu_s;
  }
  out->known = out->left > 0;
  for (unsigned c = 0; c < s->nchildren; c++)
    if (s->child[c].pid) {
      const sd_set_job *j = &s->job[s->child[c].job];
      const double took = child_s[c], rest = j->cpu_s - took, least = LATE_PART / (1 - LATE_PART) * took;
      out->done += took;
      out->left += rest > least ? rest : least;
      out->known |= rest > 0;
      out->late = rest > 0 ? out->late : &s->child[c];
    }
}
