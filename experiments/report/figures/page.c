/* Where figures stand on the page: of those in sections (tables) the first of each section at once, the
 * others behind a line that opens them; those without a section side by side. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 8 }; /* sections whose first figures are shown at once */

/* The figures of some query files; those for phones come with the others. */
typedef struct chosen {
  const sd_figures *all;
  const sd_query_file *const *of;
  size_t n;
} chosen;

static bool is_chosen (const chosen *c, uint64_t i) {
  const sd_figure *f = &c->all->figure[i];
  for (size_t k = 0; k < c->n && !f->narrow; k++)
    if (c->of[k] == f->of)
      return true;
  return false;
}

static bool are_alike (const chosen *c, uint64_t i, uint64_t k) {
  return is_chosen (c, k) && strcmp (c->all->figure[i].section, c->all->figure[k].section) == 0;
}

/* Of its section. */
static bool is_first (const chosen *c, uint64_t i) {
  uint64_t k = 0;
  while (k < i && !are_alike (c, i, k))
    k++;
  return k == i && is_chosen (c, i);
}

static void put (sd_doc *d, const chosen *c, uint64_t i) {
  const sd_figure *f = &c->all->figure[i];
  sd_doc_figure (d, f->name, f->caption, f->wide);
}

/* Of the section of this figure, which is its first. */
static void put_others (sd_doc *d, const chosen *c, uint64_t first) {
  char text[300];
  bool any = false;
  for (uint64_t i = first + 1; i < c->all->n; i++) {
    if (!are_alike (c, first, i))
      continue;
    if (!any) {
      snprintf (text, sizeof text, "%.250s: more figures", c->all->figure[first].section);
      sd_doc_fold_begin (d, text);
      sd_doc_box_begin (d, "figures");
    }
    any = true;
    put (d, c, i);
  }
  if (any) {
    sd_doc_box_end (d);
    sd_doc_fold_end (d);
  }
}

void sd_figures_put_chapter (sd_doc *d, const sd_figures *all, const sd_query_file *const *of, size_t n) {
  const chosen c = { all, of, n };
  size_t sections = 0;
  sd_doc_heading (d, 2, "Figures");
  if (!all->drawn) {
    sd_doc_para (d, "No figures here: %s.%s", all->why,
                 all->n ? " The scripts (*.gp) lie beside this page; with gnuplot they draw the figures."
                        : "");
    return;
  }
  for (uint64_t i = 0; i < all->n; i++)
    sections += is_first (&c, i);
  if (sections > MOST_SHOWN)
    sd_doc_fold_begin (d, "The first figure of each table");
  sd_doc_box_begin (d, "figures");
  for (uint64_t i = 0; i < all->n; i++)
    if (is_first (&c, i))
      put (d, &c, i);
  sd_doc_box_end (d);
  if (sections > MOST_SHOWN)
    sd_doc_fold_end (d);
  for (uint64_t i = 0; i < all->n; i++)
    if (is_first (&c, i))
      put_others (d, &c, i);
}

void sd_figures_put (sd_doc *d, const sd_figures *all, const sd_query_file *of) {
  const chosen c = { all, &of, 1 };
  sd_doc_box_begin (d, "figures");
  for (uint64_t i = 0; i < all->n && all->drawn; i++)
    if (is_chosen (&c, i))
      put (d, &c, i);
  sd_doc_box_end (d);
}

int sd_figures_put_files (sd_doc *d, const sd_figures *all, sd_error *err) {
  static const char *const ending[] = { "gp", "dat", "svg", "pdf" };
  enum { ENDINGS = sizeof ending / sizeof *ending, NAME = 104 };
  char (*file)[NAME] SD_OWNED = sd_alloc (all->n + 1, ENDINGS * sizeof *file), path[4096];
  const char **name SD_OWNED = sd_alloc (ENDINGS * all->n + 1, sizeof *name); /* and their style */
  size_t n = 0;
  if (!file || !name)
    return sd_fail_memory (err, all->n * NAME);
  for (uint64_t i = 0; i < all->n; i++)
    for (unsigned e = 0; e < ENDINGS; e++) {
      snprintf (file[n], sizeof file[n], "%s.%s", all->figure[i].name, ending[e]);
      snprintf (path, sizeof path, "%s/%s", d->dir, file[n]);
      name[n] = file[n];
      n += sd_file_exists (path);
    }
  if (!n)
    return SD_OK;
  name[n++] = "style.gp";
  sd_doc_fold_begin (d, "Of each figure its script, its data and what gnuplot drew");
  sd_doc_files (d, name, n);
  sd_doc_fold_end (d);
  return SD_OK;
}
