/* Names beside marks and curves, which a reader finds sooner than those of a key. A name is placed where it
 * covers no mark, no line and no other name: twelve places around a mark are tried, the right one first, then
 * places farther away that a thin line can reach. Names at the ends of
 * curves are pushed apart until no two overlap, each as little as possible. How wide a name is can only be
 * estimated, as each reader has other letters; those of DejaVu Sans are among the widest. Cost: O(n m) for n
 * names among m rectangles.
 *
 * A figure remembers where no name may stand (sd_plot.taken): marks, lines and bars, which the drawers
 * add, and each name that is written. Names are commands of the script (set label), which come before the
 * plot command. */
#include "config.h"
#include "experiments/report/figures/figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LINE = SD_PLOT_LETTER + 3,
  GAP = 9,
  EDGE = 4,
  PLACES = 12
}; /* of a name: height; from a mark; from the paper's edge; tried around a mark */

double sd_label_width (const char *text) {
  return 0.58 * SD_PLOT_LETTER * (double) strlen (text);
}

/* Failure of memory is that of the script. */
void sd_label_avoid (sd_plot *p, sd_box box) {
  if (sd_grow (&p->taken, &p->cap, p->ntaken + 1))
    p->taken[p->ntaken++] = box;
  else
    p->gp.failed = true;
}

void sd_label_avoid_mark (sd_plot *p, double x, double y) {
  sd_label_avoid (p, (sd_box){ x - 6, y - 6, x + 6, y + 6 });
}

/* As small rectangles along the line: a slanting one would else take a large one. */
void sd_label_avoid_line (sd_plot *p, double x, double y, double to_x, double to_y) {
  const unsigned steps = (unsigned) (hypot (to_x - x, to_y - y) / 6) + 1;
  for (unsigned i = 0; i <= steps; i++) {
    const double at_x = x + (to_x - x) * i / steps, at_y = y + (to_y - y) * i / steps;
    sd_label_avoid (p, (sd_box){ at_x - 4, at_y - 2, at_x + 4, at_y + 2 });
  }
}

/* Within the axes, or right of them up to the paper's edge, and on nothing that is taken. */
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

/* Pixels from a rectangle to a point. */
static double distance (sd_box b, double x, double y) {
  return hypot (fmax (0, fmax (b.left - x, x - b.right)), fmax (0, fmax (b.top - y, y - b.bottom)));
}

/* Is a mark at other_x above or below the letters, and nearer to their middle than one at x? */
static bool is_amid (sd_box b, double x, double other_x) {
  const double middle = (b.left + b.right) / 2, far = fabs (other_x - middle);
  return far < b.right - middle && far <= fabs (x - middle);
}

/* Would nobody take the name for that of another mark? Where a line leads to a name it may be farther away,
 * but stays off marks that have no name, most of all where such a mark is nearer to the middle of its
 * letters. */
static bool is_clear (const sd_plot *p, sd_box b, double x, double y) {
  enum { FAR = 14, FAR_OF_NAMELESS = 24 };

  const double own = distance (b, x, y);
  for (size_t i = 0; i < p->nother; i++) {
    const sd_mark_at *o = &p->other[i];
    const bool taken_for_it = !o->told && is_amid (b, x, o->x);
    if (distance (b, o->x, o->y) < (o->told        ? fmin (own + 1, FAR)
                                    : taken_for_it ? FAR_OF_NAMELESS
                                                   : fmin (own + 5, FAR_OF_NAMELESS)))
      return false;
  }
  return true;
}

/* side: which of its ends stands at x, or center. */
static void write_label (sd_plot *p, double x, double y, const char *side, const char *text,
                         const char *colour) {
  sd_put (&p->gp, "set label ");
  sd_put_gnuplot (&p->gp, text);
  sd_put (&p->gp, " at screen across (%.1f), down (%.1f) %s front textcolor rgb '%s' font SMALL\n", x, y,
          side, colour);
}

/* A place of a name beside a mark, `which` of twelve, so far from it. */
static sd_box place_of (unsigned which, double x, double y, double gap, const char *text) {
  enum { ASIDE = 5 };
  const double w = sd_label_width (text), h = LINE, aside = gap - ASIDE;
  const double at[PLACES][2] = { { x + gap, y - h / 2 },
                                 { x - gap - w, y - h / 2 },
                                 { x - w / 2, y - gap - h },
                                 { x - w / 2, y + gap },
                                 { x + aside, y - gap - h + 2 },
                                 { x + aside, y + gap - 2 },
                                 { x - aside - w, y - gap - h + 2 },
                                 { x - aside - w, y + gap - 2 },
                                 { x - ASIDE, y - gap - h },
                                 { x + ASIDE - w, y - gap - h },
                                 { x - ASIDE, y + gap },
                                 { x + ASIDE - w, y + gap } };
  return (sd_box){ at[which][0], at[which][1], at[which][0] + w, at[which][1] + h };
}

/* Of a name whose letters are narrower than its box the end, or the middle, that is nearest to the mark stays
 * where it is. x: of the mark. */
static void put_label (sd_plot *p, sd_box box, double x, const char *text, const char *colour) {
  enum { NEAR = 8 };

  const double y = (box.top + box.bottom) / 2;
  sd_label_avoid (p, box);
  if (x < box.left + NEAR)
    write_label (p, box.left, y, "left", text, colour);
  else if (x > box.right - NEAR)
    write_label (p, box.right, y, "right", text, colour);
  else
    write_label (p, (box.left + box.right) / 2, y, "center", text, colour);
}

/* From a mark to the nearest point of a name. */
typedef struct lead {
  double x, y, to_x, to_y;
} lead;

static lead lead_to (sd_box box, double x, double y) {
  enum { RADIUS = 7 };
  const double to_x = fmin (fmax (x, box.left), box.right),
               to_y = fmin (fmax (y, box.top + 2), box.bottom - 2);
  const double far = hypot (to_x - x, to_y - y);
  return (lead){ x + RADIUS * (to_x - x) / far, y + RADIUS * (to_y - y) / far, to_x, to_y };
}

/* Does it cross no mark of others, not even one that covers a part of its own? */
static bool is_off_others (const sd_plot *p, double x, double y) {
  enum { OFF = 9 };
  for (size_t i = 0; i < p->nother; i++)
    if (hypot (p->other[i].x - x, p->other[i].y - y) < OFF)
      return false;
  return true;
}

/* Does it cross nothing, but what covers its own mark? */
static bool is_lead_free (const sd_plot *p, lead l) {
  const unsigned steps = (unsigned) (hypot (l.to_x - l.x, l.to_y - l.y) / 3) + 1;
  for (unsigned i = 0; i <= steps; i++) {
    const double x = l.x + (l.to_x - l.x) * i / steps, y = l.y + (l.to_y - l.y) * i / steps;
    if (!is_off_others (p, x, y))
      return false;

    for (uint64_t k = 0; k < p->ntaken; k++) {
      const sd_box *t = &p->taken[k];
      const bool own = l.x >= t->left && l.x <= t->right && l.y >= t->top && l.y <= t->bottom;
      if (!own && x > t->left && x < t->right && y > t->top && y < t->bottom)
        return false;
    }
  }
  return true;
}

static void put_lead (sd_plot *p, lead l) {
  sd_put (
      &p->gp,
      "set arrow from screen across (%.1f), down (%.1f) to screen across (%.1f), down (%.1f) nohead lw 0.6 lc rgb GREY\n",
      l.x, l.y, l.to_x, l.to_y);
  sd_label_avoid_line (p, l.x, l.y, l.to_x, l.to_y);
}

/* All places near by are tried before any farther one; the first that is free, clear and can be reached is
 * taken. */
bool sd_label_beside (sd_plot *p, double x, double y, double reach, const char *text, const char *colour) {
  enum { STEP = 12 };
  for (double gap = GAP; gap <= GAP + reach; gap += STEP)
    for (unsigned i = 0; i < PLACES; i++) {
      const sd_box box = place_of (i, x, y, gap, text);
      const lead l = lead_to (box, x, y);
      if (!is_free (p, box) || !is_clear (p, box, x, y) || (gap > GAP && !is_lead_free (p, l)))
        continue;

      if (gap > GAP)
        put_lead (p, l);
      put_label (p, box, x, text, colour);
      return true;
    }
  return false;
}

/* From above to below. */
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

  /* The names of a group stand one below the other. */
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

  /* A thin line leads from a curve's end to a name that was pushed away. */
  for (size_t i = 0; i < n; i++) {
    if (fabs (at[i] - label[i].y) > 3)
      sd_put (
          &p->gp,
          "set arrow from screen across (%.1f), down (%.1f) to screen across (%.1f), down (%.1f) nohead lw 0.6 lc rgb GREY\n",
          x + 2, label[i].y, x + 14, at[i]);
    write_label (p, x + 17, at[i], "left", label[i].text, label[i].colour);
  }
}
