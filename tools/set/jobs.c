/* What is to be made for a set: for each ending (slice) in the order of building the exact tables that its
 * files are made of, and the files. What a job reads are the exact tables of its own ending and of those that
 * a move leads to; the order of building has them in front. An exact table is needed as long as something
 * that is not there is made of it: seen from the last job to the first, for an exact table that is not needed
 * needs nothing itself. */
#include "config.h"
#include "tools/set/set.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  return sd_set_estimate (s, j, err);
}

/* The exact tables of a slice first, then its files. */
static int add_slice (sd_set *s, places *p, unsigned at, sd_error *err) {
  unsigned exacts = 0;
  for (unsigned m = 0; m < SD_METRICS; m++)
    if (s->opt->metrics >> m & 1)
      exacts |= 1u << sd_metrics[m].exact;
  for (unsigned exact = 2; exact-- > 0;)
    for (unsigned m = 0; m < SD_METRICS; m++)
      if ((exact ? exacts : s->opt->metrics) >> m & 1)
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
    st = add_slice (s, &p, i, err);
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

/* ------------------------------------------------------------ what is there */

static int path_of (const char *folder, const char *file, char out[4096], sd_error *err) {
  return snprintf (out, 4096, "%s/%s", folder, file) < 4096
             ? SD_OK
             : sd_fail (err, SD_EINVAL, "%s/%s: the path is too long", folder, file);
}

/* Is the file the one that a row of the manifest tells of? Its bytes are read. */
static int is_file_of (const char *path, const json_t *row, bool *is, sd_error *err) {
  sd_done_file now;
  char sum[17];
  *is = false;
  if (!row || !sd_file_exists (path))
    return SD_OK;
  SD_TRY (sd_done_tell_file (path, &now, err));
  snprintf (sum, sizeof sum, "%016llx", (unsigned long long) now.sum);
  const char *known = json_string_value (json_object_get (row, "sum"));
  *is = known && strcmp (known, sum) == 0;
  return SD_OK;
}

/* Does a row say that what is asked for was done? With --if-smaller also if it was tried and another file was
 * smaller. */
static bool is_done (const sd_set *s, const sd_set_job *j, const json_t *row) {
  const char *how = json_string_value (json_object_get (row, "how"));
  if (how && sd_reformat_does (how, j->how))
    return true;
  const json_t *tried = json_object_get (row, "tried");
  for (size_t i = 0; s->opt->smaller && i < json_array_size (tried); i++) {
    how = json_string_value (json_array_get (tried, i));
    if (how && sd_reformat_does (how, j->how))
      return true;
  }
  return false;
}

/* A file of the set. Its row was written before it got its place, so that a run that was killed in between
 * left it among those that have none. */
static int look_at_file (sd_set *s, sd_set_job *j, sd_error *err) {
  char path[4096], made[4096];
  bool is, waits;
  const json_t *row = sd_manifest_row (s->manifest, "files", j->name, j->metric);

  SD_TRY (path_of (s->opt->out, j->file, path, err));
  SD_TRY (path_of (s->made, j->file, made, err));
  SD_TRY (is_file_of (path, row, &is, err));
  if (!is) {
    SD_TRY (is_file_of (made, row, &waits, err));
    if (waits && rename (made, path) == 0)
      is = true;
  }
  if (is && !s->opt->force && is_done (s, j, row))
    j->at = SD_SET_THERE;
  else if (!is && !s->opt->force && sd_file_exists (path))
    return sd_fail (
        err, SD_EIO,
        "%s: is there already, and %s/manifest.json does not know it; -f makes it anew, --output names "
        "another folder",
        path, s->opt->out);
  return SD_OK;
}

/* Tables of the generator have their names only when they are whole. */
static int look_at_exact (const sd_set *s, sd_set_job *j, sd_error *err) {
  char path[4096];
  SD_TRY (path_of (s->exact, j->file, path, err));
  const bool there = sd_file_exists (path);
  if (j->at == SD_SET_OPEN && there)
    j->at = SD_SET_THERE;
  else if (j->at == SD_SET_THERE && !there) /* another task has removed it, or somebody */
    j->at = SD_SET_OPEN;
  return SD_OK;
}

/* From the last job on. */
static void mark_needed (sd_set *s) {
  for (unsigned i = 0; i < s->n; i++)
    s->job[i].needed = false;
  for (unsigned i = s->n; i-- > 0;) {
    const sd_set_job *j = &s->job[i];
    const bool reads = j->at == SD_SET_OPEN || j->at == SD_SET_RUNS;
    if (reads && (!j->exact || j->needed))
      for (unsigned k = 0; k < j->nfrom; k++)
        s->job[j->from[k]].needed = true;
  }
}

static void remove_unneeded (sd_set *s) {
  char path[4096];
  for (unsigned i = 0; i < s->n && !s->keeps_exact; i++) {
    sd_set_job *j = &s->job[i];
    if (j->exact && !j->needed && j->at == SD_SET_THERE && path_of (s->exact, j->file, path, NULL) == SD_OK) {
      unlink (path);
      j->at = SD_SET_OPEN;
    }
  }
}

int sd_set_look (sd_set *s, sd_error *err) {
  for (unsigned i = 0; i < s->n; i++)
    SD_TRY (s->job[i].exact ? look_at_exact (s, &s->job[i], err) : look_at_file (s, &s->job[i], err));
  mark_needed (s);
  sd_set_learn (s);
  for (unsigned i = 0; i < s->n; i++) {
    sd_set_job *j = &s->job[i];
    j->counts = j->at == SD_SET_OPEN && (!j->exact || j->needed || s->keeps_exact);
    s->left += j->counts ? j->cpu_s : 0;
  }
  return SD_OK;
}

/* A file that another task has made. */
static int look_at_row (const sd_set *s, sd_set_job *j, sd_error *err) {
  char path[4096];
  SD_TRY (path_of (s->opt->out, j->file, path, err));
  if (is_done (s, j, sd_manifest_row (s->manifest, "files", j->name, j->metric)) && sd_file_exists (path))
    j->at = SD_SET_THERE;
  return SD_OK;
}

int sd_set_look_again (sd_set *s, sd_error *err) {
  for (unsigned i = 0; i < s->n; i++) {
    sd_set_job *j = &s->job[i];
    if (j->exact)
      SD_TRY (look_at_exact (s, j, err));
    else if (j->at == SD_SET_OPEN && !s->opt->force)
      SD_TRY (look_at_row (s, j, err));
  }
  mark_needed (s);
  remove_unneeded (s);
  return SD_OK;
}
