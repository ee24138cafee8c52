/* What lines have in common, as numbers: equal texts get equal numbers (a hash table), so that no later step
 * compares texts or cuts settings in pieces. Settings are cut once for each line: into those that a label
 * shows, because lines of the same subject and codec differ in them, and into the kind, which is all of them
 * but the block. Cost: linear in the rows and their settings. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------- texts */

typedef struct texts {
  char **text;
  uint64_t n, cap;
  uint32_t *slot; /* numbers + 1; 0: empty */
  uint64_t slots; /* a power of two, or 0 */
} texts;

static uint64_t hash (const char *text) {
  uint64_t h = UINT64_C (14695981039346656037);
  for (; *text; text++)
    h = (h ^ (unsigned char) *text) * UINT64_C (1099511628211);
  return h ^ h >> 29;
}

static uint32_t *place (const texts *t, const char *text) {
  uint64_t at = hash (text) & (t->slots - 1);
  while (t->slot[at] && strcmp (t->text[t->slot[at] - 1], text))
    at = (at + 1) & (t->slots - 1);
  return &t->slot[at];
}

static bool more_slots (texts *t) {
  const uint64_t slots = t->slots ? 2 * t->slots : 256;
  uint32_t *slot = sd_alloc0 (slots, sizeof *slot);
  if (!slot)
    return false;
  free (t->slot);
  t->slot = slot;
  t->slots = slots;
  for (uint64_t i = 0; i < t->n; i++)
    *place (t, t->text[i]) = (uint32_t) i + 1;
  return true;
}

/* The number of a text, from 0 on in the order in which they come. */
static int number (texts *t, const char *text, uint32_t *out, sd_error *err) {
  if (2 * (t->n + 1) > t->slots && !more_slots (t))
    return sd_fail_memory (err, t->slots * sizeof *t->slot);
  uint32_t *slot = place (t, text);
  if (!*slot) {
    char *copy = sd_grow (&t->text, &t->cap, t->n + 1) ? strdup (text) : NULL;
    if (!copy)
      return sd_fail_memory (err, strlen (text));
    t->text[t->n++] = copy;
    *slot = (uint32_t) t->n;
  }
  *out = *slot - 1;
  return SD_OK;
}

static void free_texts (texts *t) {
  for (uint64_t i = 0; i < t->n; i++)
    free (t->text[i]);
  free (t->text);
  free (t->slot);
}

/* --------------------------------------------------------------------- pieces */

/* Of all lines in work: names of each level, subjects; of the pairs of subject and codec, and of those with a
 * setting, how many lines have them. */
typedef struct work {
  texts level[SD_LEVELS], subject, counted;
  uint32_t *count; /* by the numbers of `counted` */
  uint64_t cap;
} work;

static void free_work (work *w) {
  for (unsigned k = 0; k < SD_LEVELS; k++)
    free_texts (&w->level[k]);
  free_texts (&w->subject);
  free_texts (&w->counted);
  free (w->count);
}

static bool is_block (const char *pair) {
  return strncmp (pair, "block=", 6) == 0;
}

enum { SEPARATOR = 1 }; /* stands in no text of a row */

static int number_levels (work *w, sd_rowsum *l, sd_error *err) {
  const sd_row *r = l->row;
  char kind[SD_SETTINGS_TEXT + 4] = "", one[SD_SETTINGS_TEXT], text[SD_LEVELS][2 * SD_SETTINGS_TEXT + 200];
  size_t len = 0;
  for (const char *at = r->settings; sd_next_setting (&at, one, sizeof one);)
    if (!is_block (one) && len < sizeof kind)
      len += (size_t) snprintf (kind + len, sizeof kind - len, ",%s", one);
  snprintf (text[SD_ONE_CODEC], sizeof text[0], "%s", r->codec);
  snprintf (text[SD_ONE_CODING], sizeof text[0], "%s%c%s", r->codec, SEPARATOR, r->coding);
  snprintf (text[SD_ONE_FREEDOM], sizeof text[0], "%s%c%s%c%s", r->codec, SEPARATOR, r->coding, SEPARATOR,
            r->freedom);
  snprintf (text[SD_ONE_KIND], sizeof text[0], "%s%c%s%c%s%c%s", r->codec, SEPARATOR, r->coding, SEPARATOR,
            r->freedom, SEPARATOR, kind);
  snprintf (text[SD_ONE_CHOICE], sizeof text[0], "%s%c%s%c%s%c%s%c%s%c%s", r->codec, SEPARATOR, r->coding,
            SEPARATOR, r->freedom, SEPARATOR, r->settings, SEPARATOR, r->sides, SEPARATOR, r->metric);
  for (unsigned k = 0; k < SD_LEVELS; k++)
    SD_TRY (number (&w->level[k], text[k], &l->like[k], err));
  return SD_OK;
}

/* The number of lines that have this codec in this subject, or the codec with this setting (NULL: any). */
static int counter (work *w, const sd_rowsum *l, const char *pair, uint32_t **out, sd_error *err) {
  char text[SD_SETTINGS_TEXT + 64];
  uint32_t at;
  snprintf (text, sizeof text, "%zu %u %s", l->subject, (unsigned) l->like[SD_ONE_CODEC], pair ? pair : "");
  SD_TRY (number (&w->counted, text, &at, err));
  const uint64_t had = w->cap;
  if (!sd_grow (&w->count, &w->cap, w->counted.n))
    return sd_fail_memory (err, w->counted.n);
  if (w->cap > had)
    memset (w->count + had, 0, (w->cap - had) * sizeof *w->count);
  *out = &w->count[at];
  return SD_OK;
}

static int count_settings (work *w, const sd_rowsum *l, sd_error *err) {
  char one[128];
  uint32_t *n;
  SD_TRY (counter (w, l, NULL, &n, err));
  ++*n;
  for (const char *at = l->row->settings; sd_next_setting (&at, one, sizeof one);) {
    SD_TRY (counter (w, l, one, &n, err));
    ++*n;
  }
  return SD_OK;
}

/* The settings that some line of the same codec and subject lacks: " level=3 dict=1". */
static int name_settings (work *w, sd_rowsum *l, sd_error *err) {
  char one[128], text[SD_SETTINGS_TEXT + 4] = "";
  uint32_t *of, *all;
  size_t len = 0;
  for (const char *at = l->row->settings; sd_next_setting (&at, one, sizeof one);) {
    if (is_block (one))
      continue;
    SD_TRY (counter (w, l, NULL, &all, err));
    const uint32_t lines = *all;
    SD_TRY (counter (w, l, one, &of, err));
    if (*of < lines && len < sizeof text)
      len += (size_t) snprintf (text + len, sizeof text - len, " %s", one);
  }
  l->shown = strdup (text);
  return l->shown ? SD_OK : sd_fail_memory (err, len);
}

static int number_all (sd_rowsums *all, work *w, sd_error *err) {
  for (size_t i = 0; i < all->n; i++) {
    sd_rowsum *l = &all->line[i];
    char text[SD_TABLE_TEXT + 16];
    uint32_t subject;
    snprintf (text, sizeof text, "%s%c%s", l->row->table, SEPARATOR, l->row->metric);
    SD_TRY (number (&w->subject, text, &subject, err));
    l->subject = subject;
    SD_TRY (number_levels (w, l, err));
    SD_TRY (count_settings (w, l, err));
  }
  for (size_t i = 0; i < all->n; i++)
    SD_TRY (name_settings (w, &all->line[i], err));
  all->nsubjects = w->subject.n;
  for (unsigned k = 0; k < SD_LEVELS; k++)
    all->numbers[k] = (size_t) w->level[k].n;
  return SD_OK;
}

int sd_rowsums_number (sd_rowsums *all, sd_error *err) {
  work w SD_RELEASED_BY (free_work) = { .cap = 0 };
  return number_all (all, &w, err);
}

int sd_rowsum_by_kind (const void *a, const void *b) {
  const sd_rowsum *x = *(const sd_rowsum *const *) a, *y = *(const sd_rowsum *const *) b;
  const uint32_t i = x->like[SD_ONE_KIND], k = y->like[SD_ONE_KIND];
  if (x->subject != y->subject)
    return x->subject < y->subject ? -1 : 1;
  if (i != k)
    return i < k ? -1 : 1;
  if (x->row->block != y->row->block)
    return x->row->block < y->row->block ? -1 : 1;
  if (x->best != y->best)
    return x->best < y->best ? -1 : 1;
  return x < y ? -1 : x > y;
}
