/* Which curves a figure over the block sizes has. A curve is a codec with one choice of settings (the block
 * left aside), coding and freedom; its points are the smallest lines for each block. Coders without blocks,
 * and those that were measured with one block only, hold for all block sizes: they become horizontal lines.
 * Where a figure would have more curves than an eye can tell apart, the smallest of each codec are kept, and
 * a sentence says what was left out. Cost: quadratic in the number of lines. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <stdlib.h>
#include <string.h>

/* One curve in work. */
static uint64_t least_bytes (const sd_curve *c) {
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < c->n; i++)
    least = c->line[i]->best < least ? c->line[i]->best : least;
  return least;
}

/* Settings without the block. */
static void kind_text (const sd_row *r, char *out, size_t cap) {
  char one[128];
  out[0] = '\0';
  for (const char *at = r->settings; sd_next_setting (&at, one, sizeof one);)
    if (strncmp (one, "block=", 6) != 0) {
      size_t len = strlen (out);
      snprintf (out + len, cap - len, ",%s", one);
    }
}

/* How much two lines have in common: all of these levels up to the one that is asked for. */
enum level { ONE_CODEC, ONE_CODING, ONE_FREEDOM, ONE_KIND };

static bool alike (const sd_row *a, const sd_row *b, enum level level) {
  char x[SD_SETTINGS_TEXT], y[SD_SETTINGS_TEXT];
  if (strcmp (a->codec, b->codec) || (level >= ONE_CODING && strcmp (a->coding, b->coding))
      || (level >= ONE_FREEDOM && strcmp (a->freedom, b->freedom)))
    return false;
  if (level < ONE_KIND)
    return true;
  kind_text (a, x, sizeof x);
  kind_text (b, y, sizeof y);
  return strcmp (x, y) == 0;
}

static int by_block (const void *a, const void *b) {
  const sd_rowsum *x = *(const sd_rowsum *const *) a, *y = *(const sd_rowsum *const *) b;
  return x->slots_per_block < y->slots_per_block ? -1 : x->slots_per_block > y->slots_per_block;
}

/* One more point; of two with the same block the smaller stays. */
static int add_point (sd_curve *c, const sd_rowsum *l, sd_error *err) {
  for (unsigned i = 0; i < c->n; i++)
    if (c->line[i]->row->block == l->row->block) {
      if (l->best < c->line[i]->best)
        c->line[i] = l;
      return SD_OK;
    }
  if (!sd_grow (&c->line, &c->cap, c->n + 1))
    return sd_fail_memory (err, 0);
  c->line[c->n++] = l;
  return SD_OK;
}

static int collect (const sd_rowsums *all, size_t subject, bool timed, sd_curves *out, sd_error *err) {
  out->curve = sd_alloc0 (all->n, sizeof *out->curve);
  if (!out->curve)
    return sd_fail_memory (err, all->n * sizeof *out->curve);
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *l = &all->line[i];
    unsigned k = 0;
    if (l->subject != subject || (timed && !(l->get_ns > 0) && !(l->probe_ns > 0)))
      continue;
    if (l->nsides != all->subject[subject].sides) {
      out->one_sided++;
      continue;
    }
    while (k < out->n && !alike (out->curve[k].line[0]->row, l->row, ONE_KIND))
      k++;
    out->n += k == out->n;
    SD_TRY (add_point (&out->curve[k], l, err));
  }
  for (unsigned k = 0; k < out->n; k++)
    qsort (out->curve[k].line, out->curve[k].n, sizeof *out->curve[k].line, by_block);
  return SD_OK;
}

/* ------------------------------------------------------------- what is left out */

static void say (sd_curves *c, const char *text) {
  size_t len = strlen (c->left_out);
  snprintf (c->left_out + len, sizeof c->left_out - len, "%s", text);
}

/* Drop the curves that are marked, and say how many of which codec. */
static void drop (sd_curves *c, const bool *marked, const char *why) {
  unsigned kept = 0, said = 0;
  char text[100];
  for (unsigned k = 0; k < c->n; k++) {
    unsigned n = 0;
    bool before = !marked[k];
    for (unsigned j = 0; j < c->n; j++)
      if (marked[j] && alike (c->curve[j].line[0]->row, c->curve[k].line[0]->row, ONE_CODEC)) {
        before = before || j < k;
        n++;
      }
    if (before)
      continue;
    snprintf (text, sizeof text, "%s %s (%u)", said++ ? "," : why, c->curve[k].line[0]->row->codec, n);
    say (c, text);
  }
  say (c, said ? "." : "");
  for (unsigned k = 0; k < c->n; k++)
    if (marked[k])
      free (c->curve[k].line);
    else
      c->curve[kept++] = c->curve[k];
  c->n = kept;
}

/* Of all that are alike the smallest stays. */
static void keep_smallest (sd_curves *c, enum level level, bool *marked) {
  for (unsigned k = 0; k < c->n; k++)
    for (unsigned j = 0; j < c->n; j++)
      if (j != k && alike (c->curve[j].line[0]->row, c->curve[k].line[0]->row, level)) {
        const uint64_t a = least_bytes (&c->curve[j]), b = least_bytes (&c->curve[k]);
        marked[k] = marked[k] || a < b || (a == b && j < k);
      }
}

/* With and without freedom the times nearly coincide: where a codec has lines with it, those without go. */
static void mark_not_free (const sd_curves *c, bool *marked) {
  for (unsigned k = 0; k < c->n; k++)
    for (unsigned j = 0; j < c->n && !marked[k]; j++)
      marked[k] = strcmp (c->curve[k].line[0]->row->freedom, "none") == 0
                  && strcmp (c->curve[j].line[0]->row->freedom, "none") != 0
                  && alike (c->curve[j].line[0]->row, c->curve[k].line[0]->row, ONE_CODEC);
}

static int thin_out (sd_curves *c, bool timed, sd_error *err) {
  static const char *const why[] = { " Left out, larger lines of the same coder:",
                                     " Left out, larger lines of the same coder and coding:",
                                     " Left out, larger lines of the same coder with other settings:" };
  const unsigned most = timed ? SD_MOST_CURVES / 2 : SD_MOST_CURVES; /* symbols and probes: two each */
  bool *marked = sd_alloc0 (c->n + 1, sizeof *marked);
  if (!marked)
    return sd_fail_memory (err, c->n);
  if (timed) {
    mark_not_free (c, marked);
    drop (c, marked, " Left out, lines without free symbols:");
  }
  for (int level = ONE_FREEDOM; level >= ONE_CODEC && c->n > most; level--) {
    memset (marked, 0, c->n * sizeof *marked);
    keep_smallest (c, (enum level) level, marked);
    drop (c, marked, why[level]);
  }
  free (marked);
  if (c->one_sided) {
    char text[80];
    snprintf (text, sizeof text, " Left out, lines of one side only: %u.", c->one_sided);
    say (c, text);
  }
  return SD_OK;
}

/* ---------------------------------------------------------------------- names */

/* The settings in which the curves of this codec differ. */
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
}

static void name_curve (const sd_curves *all, sd_curve *c) {
  const sd_row *r = c->line[0]->row;
  snprintf (c->label, sizeof c->label, "%s", r->codec);
  put_differing (all, c, c->label, sizeof c->label);
  const bool all_free = strcmp (r->freedom, "all") == 0, none = strcmp (r->freedom, "none") == 0;
  size_t len = strlen (c->label);
  snprintf (c->label + len, sizeof c->label - len, "%s%s%s", strcmp (r->coding, "signed") ? "" : " (signed)",
            all_free ? ""
            : none   ? ", nothing free"
                     : ", free: ",
            all_free || none ? "" : r->freedom);
}

/* One place only: the smallest line stands for all. */
static void flatten (sd_curve *c) {
  c->flat = c->line[0]->slots_per_block >= c->line[c->n - 1]->slots_per_block;
  for (unsigned i = 1; i < c->n && c->flat; i++)
    if (c->line[i]->best < c->line[0]->best)
      c->line[0] = c->line[i];
  c->n = c->flat ? 1 : c->n;
}

/* From the shortest to the longest block of the curves that have blocks. */
static void measure (sd_curves *c) {
  for (unsigned k = 0; k < c->n; k++) {
    sd_curve *v = &c->curve[k];
    flatten (v);
    c->nflat += v->flat;
    for (unsigned i = 0; i < v->n && v->line[i]->row->block; i++) {
      const double at = v->line[i]->slots_per_block;
      c->from = c->from == 0 || at < c->from ? at : c->from;
      c->to = at > c->to ? at : c->to;
    }
    name_curve (c, v);
  }
}

int sd_curves_make (const sd_rowsums *all, size_t subject, bool timed, sd_curves *out, sd_error *err) {
  memset (out, 0, sizeof *out);
  int status = collect (all, subject, timed, out, err);
  if (status == SD_OK)
    status = thin_out (out, timed, err);
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
