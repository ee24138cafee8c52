/* Which curves a figure over the block sizes has. A curve is a codec with one choice of settings (the block
 * left aside), coding and freedom; its points are the smallest lines for each block. Codecs without blocks
 * hold for all block sizes, and one that was measured with a single block is a single point: both are called
 * flat. Where a figure would have more curves than an eye can tell apart, the smallest of each codec are
 * kept, and a sentence says what was left out. Cost: O(n log n) for n lines of the subject. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <stdlib.h>
#include <string.h>

/* One curve in work. */
static uint64_t least_bytes (const sd_curve *c) {
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < c->n; i++)
    least = c->line[i]->best < least ? c->line[i]->best : least;
  return least;
}

static uint32_t like (const sd_curve *c, enum sd_level level) {
  return c->line[0]->like[level];
}

static int by_block (const void *a, const void *b) {
  const sd_rowsum *x = *(const sd_rowsum *const *) a, *y = *(const sd_rowsum *const *) b;
  if (x->row->block != y->row->block)
    return x->row->block < y->row->block ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* In the order in which the rows have them: the first line of each curve tells, whatever its place is. */
static int by_first (const void *a, const void *b) {
  const sd_curve *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* The lines that take part. */
static size_t choose (const sd_subject *s, bool timed, const sd_rowsum **line, unsigned *one_sided) {
  size_t n = 0;
  for (size_t i = 0; i < s->nlines; i++) {
    const sd_rowsum *l = s->line[i];
    if (timed && !(l->get_ns > 0) && !(l->probe_ns > 0))
      continue;
    if (l->nsides == s->sides)
      line[n++] = l;
    else
      ++*one_sided;
  }
  return n;
}

/* A curve of line[0..n-1], which are of one kind: of those with the same block the smallest stays. */
static int add_curve (sd_curves *out, const sd_rowsum **line, size_t n, sd_error *err) {
  sd_curve *c = &out->curve[out->n++];
  c->first = line[0];
  for (size_t i = 0; i < n; i++) {
    c->first = line[i] < c->first ? line[i] : c->first;
    if (i && line[i]->row->block == line[i - 1]->row->block)
      continue;
    if (!sd_grow (&c->line, &c->cap, c->n + 1))
      return sd_fail_memory (err, n);
    c->line[c->n++] = line[i];
  }
  qsort (c->line, c->n, sizeof *c->line, by_block);
  return SD_OK;
}

static int collect (const sd_rowsums *all, size_t subject, bool timed, sd_curves *out, sd_error *err) {
  const sd_subject *s = &all->subject[subject];
  const sd_rowsum **line SD_OWNED = sd_alloc (s->nlines, sizeof *line);
  out->curve = sd_alloc0 (s->nlines, sizeof *out->curve);
  if (!out->curve || !line)
    return sd_fail_memory (err, s->nlines * sizeof *out->curve);
  const size_t n = choose (s, timed, line, &out->one_sided);
  qsort (line, n, sizeof *line, sd_rowsum_by_kind);
  for (size_t i = 0, k; i < n; i = k) {
    for (k = i + 1; k < n && line[k]->like[SD_ONE_KIND] == line[i]->like[SD_ONE_KIND];)
      k++;
    SD_TRY (add_curve (out, line + i, k - i, err));
  }
  qsort (out->curve, out->n, sizeof *out->curve, by_first);
  return SD_OK;
}

/* ------------------------------------------------------------- what is left out */

static void say (sd_curves *c, const char *text) {
  size_t len = strlen (c->left_out);
  snprintf (c->left_out + len, sizeof c->left_out - len, "%s", text);
}

/* A number for each codec of the report. */
static unsigned *by_codec (const sd_rowsums *all) {
  return sd_alloc0 (all->numbers[SD_ONE_CODEC], sizeof (unsigned));
}

/* Drop the curves that are marked, and say how many of which codec. */
static int drop (const sd_rowsums *all, sd_curves *c, const bool *marked, const char *why, sd_error *err) {
  unsigned kept = 0, said = 0, *count SD_OWNED = by_codec (all);
  char text[100];
  if (!count)
    return sd_fail_memory (err, all->numbers[SD_ONE_CODEC]);
  for (unsigned k = 0; k < c->n; k++)
    count[like (&c->curve[k], SD_ONE_CODEC)] += marked[k];
  for (unsigned k = 0; k < c->n; k++) {
    unsigned *n = &count[like (&c->curve[k], SD_ONE_CODEC)];
    if (!marked[k] || !*n)
      continue;
    snprintf (text, sizeof text, "%s %s (%u)", said++ ? "," : why, c->curve[k].line[0]->row->codec, *n);
    say (c, text);
    *n = 0;
  }
  say (c, said ? "." : "");
  for (unsigned k = 0; k < c->n; k++)
    if (marked[k])
      free (c->curve[k].line);
    else
      c->curve[kept++] = c->curve[k];
  c->n = kept;
  return SD_OK;
}

/* Of all that are alike the smallest stays; of equal ones the first. */
static int keep_smallest (const sd_rowsums *all, const sd_curves *c, enum sd_level level, bool *marked,
                          sd_error *err) {
  unsigned *least SD_OWNED = sd_alloc0 (all->numbers[level], sizeof *least); /* its number + 1; 0: none yet */
  if (!least)
    return sd_fail_memory (err, all->numbers[level]);
  for (unsigned k = 0; k < c->n; k++) {
    unsigned *at = &least[like (&c->curve[k], level)];
    if (*at == 0 || least_bytes (&c->curve[k]) < least_bytes (&c->curve[*at - 1]))
      *at = k + 1;
  }
  for (unsigned k = 0; k < c->n; k++)
    marked[k] = least[like (&c->curve[k], level)] != k + 1;
  return SD_OK;
}

static int thin_out (const sd_rowsums *all, sd_curves *c, sd_error *err) {
  static const char *const why[] = { " Left out, larger lines of the same codec:",
                                     " Left out, larger lines of the same codec and coding:",
                                     " Left out, larger lines of the same codec with other settings:" };
  bool *marked SD_OWNED = sd_alloc0 (c->n + 1, sizeof *marked);
  if (!marked)
    return sd_fail_memory (err, c->n);
  for (int level = SD_ONE_FREEDOM; level >= SD_ONE_CODEC && c->n > SD_MOST_CURVES; level--) {
    SD_TRY (keep_smallest (all, c, (enum sd_level) level, marked, err));
    SD_TRY (drop (all, c, marked, why[level], err));
  }
  if (c->one_sided) {
    char text[80];
    snprintf (text, sizeof text, " Left out, lines of one side only: %u.", c->one_sided);
    say (c, text);
  }
  return SD_OK;
}

/* ---------------------------------------------------------------------- names */

/* The settings in which the curves of this codec differ, and "joint" or "one" side where others have both apart. */
static void put_differing (const sd_curves *all, const sd_curve *c, char *out, size_t cap) {
  const sd_row *r = c->line[0]->row;
  char one[128];
  for (const char *at = r->settings; sd_next_setting (&at, one, sizeof one);) {
    bool differs = false;
    for (unsigned k = 0; k < all->n && strncmp (one, "block=", 6) != 0; k++) {
      const sd_row *other = all->curve[k].line[0]->row;
      differs = differs || (strcmp (other->codec, r->codec) == 0 && !sd_has_setting (other->settings, one));
    }
    size_t len = strlen (out);
    if (differs)
      snprintf (out + len, cap - len, " %s", one);
  }
  bool sides = false;
  for (unsigned k = 0; k < all->n; k++) {
    const sd_row *other = all->curve[k].line[0]->row;
    sides = sides || (strcmp (other->codec, r->codec) == 0 && strcmp (other->sides, r->sides));
  }
  size_t len = strlen (out);
  if (sides && *r->sides)
    snprintf (out + len, cap - len, " %s", r->sides);
}

/* What a hollow mark says already, that nothing was free, is not said again; a level line has no mark. */
static void name_curve (const sd_curves *all, sd_curve *c) {
  const sd_row *r = c->line[0]->row;
  const bool level = c->flat && r->block == 0 && sd_nothing_free (c->line[0]);
  const bool partly = strcmp (r->freedom, "all") && !sd_nothing_free (c->line[0]);
  snprintf (c->label, sizeof c->label, "%s", r->codec);
  put_differing (all, c, c->label, sizeof c->label);
  size_t len = strlen (c->label);
  snprintf (c->label + len, sizeof c->label - len, "%s%s%s%s", strcmp (r->coding, "signed") ? "" : " (signed)",
            partly ? ", free: " : "", partly ? r->freedom : "", level ? ", nothing free" : "");
}

/* From the shortest to the longest block of those that were swept. */
static void measure (sd_curves *c) {
  for (unsigned k = 0; k < c->n; k++) {
    sd_curve *v = &c->curve[k];
    v->flat = v->n == 1;
    c->nflat += v->flat;
    if (!v->flat && v->line[0]->row->block) {
      const double from = (double) v->line[0]->row->block, to = (double) v->line[v->n - 1]->row->block;
      c->from = c->from == 0 || from < c->from ? from : c->from;
      c->to = to > c->to ? to : c->to;
    }
    name_curve (c, v);
  }
}

int sd_curves_make (const sd_rowsums *all, size_t subject, bool timed, sd_curves *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  int status = collect (all, subject, timed, out, err);
  if (status == SD_OK)
    status = thin_out (all, out, err);
  if (status != SD_OK) {
    sd_curves_free (out);
    return status;
  }
  measure (out);
  return SD_OK;
}

void sd_curves_free (sd_curves *c) {
  for (unsigned k = 0; k < c->n; k++)
    free (c->curve[k].line);
  free (c->curve);
  memset (c, 0, sizeof *c);
}
