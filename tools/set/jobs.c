/* What is to be made for a set: for each ending (slice) in the order of building the exact tables that its
 * files are made of, and the files, with --only those of the endings that are named. What a job reads are the
 * exact tables of its own ending and of those that a move leads to; the order of building has them in front.
 * An exact table is needed as long as something that is not there is made of it: seen from the last job to
 * the first, for an exact table that is not needed needs nothing itself. */
#include "config.h"
#include "tools/set/set.h"
#include <stdlib.h>
#include <string.h>

/* Where the exact job of each slice of the order stands, by metric. */
typedef struct places {
  sd_slice *order;
  unsigned n;
  unsigned (*exact)[SD_METRICS];
} places;

/* The job of the exact table of a slice; it is there. */
static unsigned exact_of (const places *p, sd_slice slice, enum sd_metric metric) {
  unsigned i = 0;
  while (p->order[i] != slice)
    i++;
  return p->exact[i][metric];
}

static sd_set_job *add_job (sd_set *s, const places *p, unsigned at, enum sd_metric metric, bool exact,
                            sd_error *err) {
  sd_table_spec subject;
  if (!sd_grow (&s->job, &s->room, s->n + 1)) {
    sd_fail_memory (err, 0);
    return NULL;
  }
  sd_set_job *j = &s->job[s->n];
  *j = (sd_set_job){ .exact = exact, .metric = metric, .slice = p->order[at] };
  if (sd_rules_subject (&s->rules, j->slice, &subject, err) != SD_OK)
    return NULL;
  s->n++;
  s->rules.kind->slice_name (s->rules.ctx, j->slice, j->name);
  sd_subject_file_name (&subject, metric, j->file);
  snprintf (j->key, sizeof j->key, "%s.%s%s", j->name, exact ? "exact-" : "", sd_metrics[metric].name);
  if (!exact
      && sd_reformat_how (&sd_reformat_asked, &s->rules, &subject, metric, j->how, sizeof j->how, err)
             != SD_OK)
    return NULL;
  return j;
}

/* Of an exact table those of the slices below; of a file that of its own slice, too. */
static int needs (sd_set *s, const places *p, unsigned at, sd_set_job *j, sd_error *err) {
  SD_OWNED sd_slice *below = NULL;
  unsigned n;
  const enum sd_metric of = sd_metrics[j->metric].exact;
  SD_TRY (sd_rules_below (&s->rules, j->slice, &below, &n, err));
  j->from = sd_alloc0 ((uint64_t) n + 1, sizeof *j->from);
  if (!j->from)
    return sd_fail_memory (err, 0);
  if (!j->exact)
    j->from[j->nfrom++] = p->exact[at][of];
  for (unsigned i = 0; i < n; i++)
    j->from[j->nfrom++] = exact_of (p, below[i], of);
  return SD_OK;
}

static int add (sd_set *s, places *p, unsigned at, enum sd_metric metric, bool exact, sd_error *err) {
  if (exact)
    p->exact[at][metric] = s->n;
  sd_set_job *j = add_job (s, p, at, metric, exact, err);
  SD_TRY (j ? SD_OK : err->status);
  SD_TRY (needs (s, p, at, j, err));
  SD_TRY (sd_set_estimate (s, j, err));
  j->guess_s = j->cpu_s;
  return SD_OK;
}

static bool is_among (const sd_slices *set, sd_slice slice) {
  for (unsigned i = 0; i < set->n; i++)
    if (set->at[i] == slice)
      return true;
  return false;
}

/* The exact tables of a slice first, then its files, if any are wanted. */
static int add_slice (sd_set *s, places *p, unsigned at, bool files, sd_error *err) {
  unsigned exacts = 0;
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (s->opt->metrics >> m & 1)
      exacts |= 1u << sd_metrics[m].exact;
  for (unsigned exact = 2; exact-- > 0;)
    for (unsigned m = 0; m < SD_METRICS; m++)
      if ((exact ? exacts : files ? s->opt->metrics : 0) >> m & 1)
        SD_TRY (add (s, p, at, (enum sd_metric) m, exact, err));
  return SD_OK;
}

int sd_set_jobs (sd_set *s, sd_error *err) {
  const sd_set_options *o = s->opt;
  sd_slices want;
  places p = { NULL, 0, NULL };
  SD_TRY (sd_rules_wanted (&s->rules, o->words.at, (unsigned) o->words.n, o->men, &want, err));
  int st = sd_rules_order (&s->rules, want.at, want.n, &p.order, &p.n, err);
  if (st == SD_OK && !(p.exact = sd_alloc0 (p.n, sizeof *p.exact)))
    st = sd_fail_memory (err, 0);
  for (unsigned i = 0; i < p.n && st == SD_OK; i++)
    st = add_slice (s, &p, i, !o->only || is_among (&want, p.order[i]), err);
  free (p.exact);
  free (p.order);
  free (want.at);
  return st;
}

void sd_set_jobs_free (sd_set *s) {
  for (unsigned i = 0; i < s->n; i++)
    free (s->job[i].from);
  free (s->job);
  s->job = NULL;
  s->n = 0;
}
