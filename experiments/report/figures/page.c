/* Where figures stand on the page: of those in sections (tables) the first of each section at once, the
 * others behind a line that opens them; those without a section side by side.
 *
 * A chapter "Figures" has the figures of all queries with sections, so that what belongs to one table
 * stands together, whichever query it is of. Only those drawings are linked that are there: gnuplot
 * without pdfcairo makes no PDF. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <string.h>

enum { MOST_SHOWN = 8 }; /* sections whose first figures are shown at once */

/* With its drawing for a phone, which sd_doc_figure finds by its name. */
static void put (sd_doc *d, const sd_figure *f) {
  sd_doc_figure (d, f->name, f->caption, f->wide);
}

/* Is it of this section of the chapter? Those for phones come with the others. */
static bool is_of (const sd_figure *f, const char *section) {
  return !f->narrow && *f->of->section && strcmp (f->section, section) == 0;
}

/* Of its section. */
static bool is_first (const sd_figures *all, uint64_t i) {
  const char *section = all->figure[i].section;
  uint64_t k = 0;
  while (k < i && !is_of (&all->figure[k], section))
    k++;
  return k == i && is_of (&all->figure[i], section);
}

/* Of the section of this figure, which is its first. */
static void put_others (sd_doc *d, const sd_figures *all, uint64_t first) {
  const char *section = all->figure[first].section;
  char text[300];
  bool any = false;
  for (uint64_t i = first + 1; i < all->n; i++) {
    if (!is_of (&all->figure[i], section))
      continue;

    if (!any) {
      snprintf (text, sizeof text, "%.250s: more figures", section);
      sd_doc_fold_begin (d, text);
      sd_doc_box_begin (d, "figures");
    }
    any = true;
    put (d, &all->figure[i]);
  }

  if (any) {
    sd_doc_box_end (d);
    sd_doc_fold_end (d);
  }
}

void sd_figures_put_chapter (sd_doc *d, const sd_figures *all) {
  size_t sections = 0;
  sd_doc_heading (d, 2, "Figures");

  if (!all->drawn) {
    sd_doc_para (d, "No figures here: %s.%s", all->why,
                 all->n ? " The scripts (*.gp) lie beside this page; with gnuplot they draw the figures."
                        : "");
    return;
  }

  for (uint64_t i = 0; i < all->n; i++)
    sections += is_first (all, i);
  if (sections > MOST_SHOWN)
    sd_doc_fold_begin (d, "The first figure of each table");

  sd_doc_box_begin (d, "figures");

  for (uint64_t i = 0; i < all->n; i++)
    if (is_first (all, i))
      put (d, &all->figure[i]);
  sd_doc_box_end (d);
  if (sections > MOST_SHOWN)
    sd_doc_fold_end (d);
  for (uint64_t i = 0; i < all->n; i++)
    if (is_first (all, i))
      put_others (d, all, i);
}

void sd_figures_put (sd_doc *d, const sd_figures *all, const sd_query_file *of) {
  sd_doc_box_begin (d, "figures");
  for (uint64_t i = 0; i < all->n && all->drawn; i++)
    if (all->figure[i].of == of && !all->figure[i].narrow)
      put (d, &all->figure[i]);
  sd_doc_box_end (d);
}

void sd_figures_put_files (sd_doc *d, const sd_figures *all) {
  static const char *const ending[] = { "gp", "dat", "svg", "pdf" };
  char name[104], path[4200];
  if (!all->n)
    return;

  sd_doc_fold_begin (d, "Of each figure its script, its data and what gnuplot drew");
  sd_doc_files_begin (d);

  for (uint64_t i = 0; i < all->n; i++)
    for (unsigned e = 0; e < sizeof ending / sizeof *ending; e++) {
      snprintf (name, sizeof name, "%s.%s", all->figure[i].name, ending[e]);
      snprintf (path, sizeof path, "%s/%s", d->dir, name);
      if (sd_file_exists (path))
        sd_doc_file (d, name);
    }
  sd_doc_file (d, "style.gp");
  sd_doc_files_end (d);
  sd_doc_fold_end (d);
}
