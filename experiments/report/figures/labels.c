/* Names beside marks and curves, which a reader finds sooner than those of a key. A name is placed where it
 * covers no mark, no line and no other name: eight places around a mark are tried, the right one first. Names
 * at the ends of curves are pushed apart until no two overlap, each as little as possible. How wide a name is
 * can only be estimated, as each reader has other letters; those of DejaVu Sans are among the widest. Cost:
 * O(n m) for n names among m rectangles. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LINE = SD_PLOT_LETTER + 3,
  GAP = 9,
  EDGE = 4
}; /* of a name: height; from a mark; from the paper's edge */

double sd_label_width (const char *text) {
  return 0.58 * SD_PLOT_LETTER * (double) strlen (text);
}

void sd_label_avoid (sd_plot *p, sd_box box) {
  if (sd_grow (&p->taken, &p->cap, p->ntaken + 1))
    p->taken[p->ntaken++] = box;
  else
    p->gp.failed = true;
}

void sd_label_avoid_mark (sd_plot *p, double x, double y) {
  sd_label_avoid (p, (sd_box){ x - 6, y - 6, x + 6, y + 6 });
}

void sd_label_avoid_line (sd_plot *p, double x, double y, double to_x, double to_y) {
  const unsigned steps = (unsigned) (hypot (to_x - x, to_y - y) / 6) + 1;
  for (unsigned i = 0; i <= steps; i++) {
    const double at_x = x + (to_x - x) * i / steps, at_y = y + (to_y - y) * i / steps;
    sd_label_avoid (p, (sd_box){ at_x - 4, at_y - 2, at_x + 4, at_y + 2 });
  }
}

static bool is_free (const sd_plot *p, sd_box b) {
  if (b.left < p->frame.left || b.right > p->width - EDGE || b.top < p->frame.top
      || b.bottom > p->frame.bottom)
    return false;
  for (uint64_t i = 0; i < p->ntaken; i++) {
    const sd_box *t = &p->taken[i];
    if (b.left < t->right && t->left < b.right && b.top < t->bottom && t->top < b.bottom)
      return false;
  }
  return true;
}

static void write_label (sd_plot *p, double x, double y, const char *text, const char *colour) {
  sd_put (&p->gp, "set label ");
  sd_put_gnuplot (&p->gp, text);
  sd_put (&p->gp, " at screen across (%.1f), down (%.1f) left front textcolor rgb '%s' font SMALL\n", x, y,
          colour);
}

bool sd_label_beside (sd_plot *p, double x, double y, const char *text, const char *colour) {
  const double w = sd_label_width (text), h = LINE;
  const double at[][2] = { { x + GAP, y - h / 2 },         { x - GAP - w, y - h / 2 },
                           { x - w / 2, y - GAP - h },     { x - w / 2, y + GAP },
                           { x + 4, y - GAP - h + 2 },     { x + 4, y + GAP - 2 },
                           { x - 4 - w, y - GAP - h + 2 }, { x - 4 - w, y + GAP - 2 } };
  for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
    const sd_box box = { at[i][0], at[i][1], at[i][0] + w, at[i][1] + h };
    if (!is_free (p, box))
      continue;
    sd_label_avoid (p, box);
    write_label (p, box.left, (box.top + box.bottom) / 2, text, colour);
    return true;
  }
  return false;
}

static int by_height (const void *a, const void *b) {
  const sd_end_label *x = a, *y = b;
  return x->y < y->y ? -1 : x->y > y->y;
}

/* Names that touch, which stand around the mean of their places. */
typedef struct group {
  size_t n;
  double sum, from; /* of the places; where its first name stands */
} group;

/* Groups that touch become one. at: the place of each name; groups: room for one a name. */
static void push_apart (const sd_end_label *label, double *at, group *g, size_t n, double top,
                        double bottom) {
  size_t k = 0;
  for (size_t i = 0; i < n; i++) {
    g[k++] = (group){ 1, label[i].y, 0 };
    for (;; k--) {
      group *last = &g[k - 1];
      const double height = LINE * (double) (last->n - 1);
      last->from = fmin (fmax (last->sum / (double) last->n - height / 2, top), bottom - height);
      if (k < 2 || g[k - 2].from + LINE * (double) g[k - 2].n <= last->from)
        break;
      g[k - 2].n += last->n;
      g[k - 2].sum += last->sum;
    }
  }
  for (size_t i = 0, j = 0; i < k; i++)
    for (size_t m = 0; m < g[i].n; m++)
      at[j++] = g[i].from + LINE * (double) m;
}

void sd_labels_at_ends (sd_plot *p, sd_end_label *label, size_t n) {
  double *at SD_OWNED = sd_alloc (n + 1, sizeof *at);
  group *g SD_OWNED = sd_alloc (n + 1, sizeof *g);
  const double top = p->frame.top, bottom = p->frame.bottom, x = p->frame.right;
  if (!at || !g) {
    p->gp.failed = true;
    return;
  }
  qsort (label, n, sizeof *label, by_height);
  push_apart (label, at, g, n, top, bottom);
  for (size_t i = 0; i < n; i++) {
    if (fabs (at[i] - label[i].y) > 3)
      sd_put (
          &p->gp,
          "set arrow from screen across (%.1f), down (%.1f) to screen across (%.1f), down (%.1f) nohead lw 0.6 lc rgb GREY\n",
          x + 2, label[i].y, x + 14, at[i]);
    write_label (p, x + 17, at[i], label[i].text, label[i].colour);
  }
}
