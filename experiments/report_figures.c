/* Figures by gnuplot: each is a script NAME.gp that carries its own data and can be run again by hand; all of
 * them go through one gnuplot process, its messages into a file that is removed when there are none. Colours
 * are mid-tones that hold on light and dark paper; lines and text take the page's ink (style of the page). */
#include "config.h"
#include "experiments/report_internal.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* One curve: lines of one codec, coding, freedom and group over their blocks. */
typedef struct curve {
  const sd_rowsum *line[64];
  unsigned n;
} curve;
enum { MAX_CURVES = 12 };

static const char *colour_of (const char *codec) {
  static const struct {
    const char *codec, *colour;
  } known[] = { { "lzma", "#d9822b" }, { "repair", "#2f7de1" }, { "store", "#8a8f98" } };
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp (known[i].codec, codec) == 0)
      return known[i].colour;
  return "#2e9e6b";
}

static bool one_curve (const sd_rowsum *a, const sd_rowsum *b) {
  return strcmp (a->row->group, b->row->group) == 0 && strcmp (a->row->codec, b->row->codec) == 0
         && strcmp (a->row->coding, b->row->coding) == 0 && strcmp (a->row->freedom, b->row->freedom) == 0;
}

static int by_block (const void *a, const void *b) {
  const sd_rowsum *x = *(const sd_rowsum *const *) a, *y = *(const sd_rowsum *const *) b;
  return x->slots_per_block < y->slots_per_block ? -1 : x->slots_per_block > y->slots_per_block;
}

/* Curves of a subject over at least two block sizes; where settings differ besides, the smallest of each
 * block. */
static unsigned make_curves (const sd_rowsums *all, size_t subject, bool timed, curve *out) {
  unsigned n = 0, kept = 0;
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *l = &all->line[i];
    unsigned k = 0, at = 0;
    if (!sd_rowsum_is (l, all->subject[subject].table, all->subject[subject].metric) || l->row->block == 0
        || l->varied || (timed && l->get_ns <= 0 && l->probe_ns <= 0))
      continue;
    while (k < n && !one_curve (out[k].line[0], l))
      k++;
    if (k == MAX_CURVES)
      continue;
    if (k == n)
      out[n++].n = 0;
    while (at < out[k].n && out[k].line[at]->row->block != l->row->block)
      at++;
    if (at == 64)
      continue;
    if (at == out[k].n)
      out[k].line[out[k].n++] = l;
    else if (l->best < out[k].line[at]->best)
      out[k].line[at] = l;
  }
  for (unsigned k = 0; k < n; k++)
    if (out[k].n > 1) {
      qsort (out[k].line, out[k].n, sizeof out[k].line[0], by_block);
      out[kept++] = out[k];
    }
  return kept;
}

static void put_head (sd_buf *b, const char *name, const char *title, unsigned width, unsigned height) {
  sd_put (b,
          "# %s: run gnuplot in this folder to draw it again\n"
          "reset\n"
          "set terminal svg size %u,%u dynamic noenhanced font 'sans-serif,14' name '%s'\n"
          "set output '%s.svg'\n"
          "set title '%s'\n"
          "set border 3 lw 0.8\n"
          "set tics nomirror\n"
          "set grid ytics lt 1 lc rgb '#9aa4b1' lw 0.4\n",
          title, width, height, name, name, title);
}

static void put_block_axis (sd_buf *b) {
  sd_put (b, "set logscale x 2\nset xlabel 'slots in a block'\nset xtics (");
  for (unsigned k = 4; k <= 26; k += 2)
    sd_put (b, "%s'%u%s' %u", k > 4 ? ", " : "", 1u << (k % 10),
            k >= 20   ? " M"
            : k >= 10 ? " k"
                      : "",
            1u << k);
  sd_put (b, ")\nset key outside bottom center horizontal\nset offsets graph 0.03, graph 0.03, 0, 0\n");
}

static void put_size (sd_buf *b, const sd_rowsums *all, size_t subject, const char *name) {
  curve c[MAX_CURVES + 1];
  unsigned n = make_curves (all, subject, false, c);
  char title[80];
  snprintf (title, sizeof title, "%s %s: size against block size", all->subject[subject].table,
            all->subject[subject].metric);
  put_head (b, name, title, 720, 460);
  put_block_axis (b);
  sd_put (b, "set ylabel 'both sides, thousand bytes'\nset yrange [0:*]\n");
  for (unsigned k = 0; k < n; k++) {
    sd_put (b, "$d%u << EOD\n", k);
    for (unsigned i = 0; i < c[k].n; i++)
      sd_put (b, "%.1f %.3f\n", c[k].line[i]->slots_per_block, (double) c[k].line[i]->best / 1000);
    sd_put (b, "EOD\n");
  }
  sd_put (b, "plot ");
  for (unsigned k = 0; k < n; k++) {
    const bool free = strcmp (c[k].line[0]->row->freedom, "none") != 0;
    sd_put (b,
            "%s$d%u using 1:2 with linespoints lw %s pt %d ps 0.7 lc rgb '%s' dt %d title '%s%s, free "
            "symbols %s'",
            k ? ", \\\n  " : "", k, free ? "2.2" : "1.4", free ? 7 : 6, colour_of (c[k].line[0]->row->codec),
            free ? 1 : 2, c[k].line[0]->row->codec,
            strcmp (c[k].line[0]->row->coding, "signed") ? "" : " (signed)",
            sd_rowsum_freedom (c[k].line[0]));
  }
  sd_put (b, "\nunset output\n");
}

static void put_latency (sd_buf *b, const sd_rowsums *all, size_t subject, const char *name) {
  curve c[MAX_CURVES + 1];
  unsigned n = make_curves (all, subject, true, c), drawn = 0;
  char title[80];
  snprintf (title, sizeof title, "%s %s: time of one access", all->subject[subject].table,
            all->subject[subject].metric);
  put_head (b, name, title, 720, 460);
  put_block_axis (b);
  sd_put (b, "set logscale y\nset ylabel 'median'\n"
             "set ytics ('10 ns' 10, '100 ns' 100, '1 us' 1e3, '10 us' 1e4, '100 us' 1e5, '1 ms' 1e6, '10 "
             "ms' 1e7, '100 ms' 1e8)\n");
  for (unsigned k = 0; k < n; k++) {
    sd_put (b, "$d%u << EOD\n", k);
    for (unsigned i = 0; i < c[k].n; i++)
      sd_put (b, "%.1f %.2f %.2f\n", c[k].line[i]->slots_per_block, c[k].line[i]->probe_ns,
              c[k].line[i]->get_ns);
    sd_put (b, "EOD\n");
  }
  sd_put (b, "plot ");
  for (unsigned k = 0; k < n; k++) {
    const sd_row *r = c[k].line[0]->row;
    bool others = false; /* with and without freedom nearly coincide: one of them is drawn */
    for (unsigned j = 0; j < n; j++)
      others = others
               || (j != k && strcmp (c[j].line[0]->row->codec, r->codec) == 0
                   && strcmp (c[j].line[0]->row->freedom, "none"));
    if (strcmp (r->freedom, "none") == 0 && others)
      continue;
    if (c[k].line[0]->probe_ns > 0)
      sd_put (b, "%s$d%u using 1:2 with linespoints lw 2.2 pt 7 ps 0.7 lc rgb '%s' title '%s, probe'",
              drawn++ ? ", \\\n  " : "", k, colour_of (r->codec), r->codec);
    if (c[k].line[0]->get_ns > 0)
      sd_put (b,
              "%s$d%u using 1:3 with linespoints lw 1.4 pt 6 ps 0.7 dt 2 lc rgb '%s' title '%s, one symbol'",
              drawn++ ? ", \\\n  " : "", k, colour_of (r->codec), r->codec);
  }
  sd_put (b, "\nunset output\n");
}

/* -------------------------------------------------------------------- orders */

typedef struct bar {
  const sd_row *row[2];
  uint64_t sum, off;
} bar;
enum { MAX_BARS = 120 };

static int by_sum (const void *a, const void *b) {
  const bar *x = a, *y = b;
  return x->sum < y->sum ? -1 : x->sum > y->sum;
}

static bool row_of (const sd_row *r, const sd_rowsum *l, const char *freedom) {
  const sd_row *k = l->row;
  return strcmp (r->group, k->group) == 0 && strcmp (r->table, k->table) == 0
         && strcmp (r->metric, k->metric) == 0 && strcmp (r->coding, k->coding) == 0
         && strcmp (r->codec, k->codec) == 0 && strcmp (r->settings, k->settings) == 0
         && strcmp (r->freedom, freedom) == 0;
}

/* The order sweep that is drawn: the smallest line with freedom if there is one. */
static const sd_rowsum *swept (const sd_rowsums *all, size_t subject) {
  const sd_rowsum *best = NULL;
  for (size_t i = 0; i < all->n; i++) {
    const sd_rowsum *l = &all->line[i];
    if (sd_rowsum_is (l, all->subject[subject].table, all->subject[subject].metric) && l->varied
        && (!best || (strcmp (best->row->freedom, "none") == 0) > (strcmp (l->row->freedom, "none") == 0)
            || (strcmp (best->row->freedom, l->row->freedom) == 0 && l->best < best->best)))
      best = l;
  }
  return best;
}

static void put_orders (sd_buf *b, const sd_rowsums *all, size_t subject, const char *name) {
  const sd_rowsum *l = swept (all, subject);
  bar *bars = sd_alloc0 (MAX_BARS, sizeof *bars);
  unsigned n = 0, kept = 0;
  bool off = false;
  if (!bars) {
    b->failed = true;
    return;
  }
  for (unsigned pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < all->nrows; i++) {
      const sd_row *r = &all->row[i];
      unsigned k = 0;
      if (!row_of (r, l, pass ? "none" : l->row->freedom))
        continue;
      while (
          k < n
          && (strcmp (bars[k].row[0]->order, r->order) || strcmp (bars[k].row[0]->numbering, r->numbering)))
        k++;
      if (pass && k < n) {
        bars[k].off += r->bytes;
        off = true;
      } else if (!pass && k < MAX_BARS) {
        if (k == n)
          n++;
        bars[k].row[bars[k].row[0] != NULL] = r;
        bars[k].sum += r->bytes;
      }
    }
  for (unsigned k = 0; k < n; k++)
    if ((bars[k].row[1] != NULL) == (l->nsides == 2))
      bars[kept++] = bars[k];
  n = kept;
  qsort (bars, n, sizeof *bars, by_sum);
  off = off && strcmp (l->row->freedom, "none") != 0;
  char title[96];
  snprintf (title, sizeof title, "%s %s: size over %u piece orders (%s)", l->row->table, l->row->metric, n,
            l->row->codec);
  put_head (b, name, title, 720, 460);
  sd_put (b, "set ylabel 'thousand bytes'\nset yrange [0:*]\nset style data histograms\nset style histogram "
             "rowstacked\n"
             "set style fill solid 0.85 noborder\nset boxwidth 0.72\nset xtics rotate by 90 right font "
             "'monospace,11'\n"
             "set key outside bottom center horizontal\n$d << EOD\n");
  for (unsigned k = 0; k < n; k++) {
    const sd_row *r = bars[k].row[0];
    uint64_t side[2] = { 0, 0 };
    for (unsigned s = 0; s < 2; s++)
      if (bars[k].row[s])
        side[bars[k].row[s]->side[0] == 'b'] = bars[k].row[s]->bytes;
    sd_put (b, "%s%s%s %.3f %.3f %.3f\n", r->order, strcmp (r->numbering, "rows") ? ":" : "",
            strcmp (r->numbering, "rows") ? r->numbering : "", (double) side[0] / 1000,
            (double) side[1] / 1000, (double) bars[k].off / 1000);
  }
  sd_put (b, "EOD\nplot $d using 2:xtic(1) lc rgb '#2f7de1' title 'White to move'");
  if (l->nsides == 2)
    sd_put (b, ", \\\n  $d using 3 lc rgb '#8fb8ee' title 'Black to move'");
  if (off)
    sd_put (b, ", \\\n  $d using 0:4 with points pt 2 ps 0.8 lw 1.6 lc rgb '#d9822b' title 'both, free "
               "symbols off'");
  sd_put (b, "\nunset output\n");
  free (bars);
}

/* ----------------------------------------------------------------------- all */

bool sd_figure_name (const sd_rowsums *all, const char *kind, size_t subject, char *out) {
  curve c[MAX_CURVES + 1];
  snprintf (out, 64, "%s_%s_%s", kind, all->subject[subject].table, all->subject[subject].metric);
  if (strcmp (kind, "orders") == 0) {
    const sd_rowsum *l = swept (all, subject);
    return l && l->side[0].n > 1 && l->side[0].n <= MAX_BARS;
  }
  return make_curves (all, subject, strcmp (kind, "latency") == 0, c) > 0;
}

/* Run gnuplot in dir over the scripts; its messages go to figures.log. */
static int run_gnuplot (const char *gnuplot, const char *dir, char *const *args, char *why, size_t cap) {
  posix_spawn_file_actions_t actions;
  pid_t pid;
  int code = posix_spawn_file_actions_init (&actions), state = 0;
  if (code == 0)
    code = posix_spawn_file_actions_addchdir_np (&actions, dir);
  if (code == 0)
    code = posix_spawn_file_actions_addopen (&actions, 0, "/dev/null", O_RDONLY, 0);
  if (code == 0)
    code = posix_spawn_file_actions_addopen (&actions, 1, "figures.log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (code == 0)
    code = posix_spawn_file_actions_adddup2 (&actions, 1, 2);
  if (code == 0)
    code = posix_spawnp (&pid, gnuplot, &actions, NULL, args, environ);
  posix_spawn_file_actions_destroy (&actions);
  if (code != 0) {
    snprintf (why, cap, "%s cannot be run: %s", gnuplot, strerror (code));
    return code;
  }
  while (waitpid (pid, &state, 0) < 0)
    if (errno != EINTR)
      return errno;
  if (!WIFEXITED (state) || WEXITSTATUS (state) != 0) {
    snprintf (why, cap, "%s failed with status %d; figures.log says why", gnuplot,
              WIFEXITED (state) ? WEXITSTATUS (state) : -1);
    return EIO;
  }
  return 0;
}

int sd_figures (const sd_rowsums *all, const char *dir, const char *gnuplot, bool *drawn, char *why,
                size_t cap, sd_error *err) {
  static const char *const kinds[] = { "size", "latency", "orders" };
  static void (*const put[]) (sd_buf *, const sd_rowsums *, size_t, const char *) = { put_size, put_latency,
                                                                                      put_orders };
  const size_t most = 3 * all->nsubjects;
  char (*name)[72] = sd_alloc0 (most, sizeof *name);
  char **args = sd_alloc0 (most + 2, sizeof *args);
  size_t n = 0;
  int status = name && args ? SD_OK : sd_fail_memory (err, most * sizeof *name);
  *drawn = false;
  why[0] = '\0';
  for (size_t s = 0; s < all->nsubjects && status == SD_OK; s++)
    for (unsigned k = 0; k < 3 && status == SD_OK; k++) {
      char figure[64], svg[4200];
      sd_buf b = { 0 };
      if (!sd_figure_name (all, kinds[k], s, figure))
        continue;
      snprintf (svg, sizeof svg, "%s/%s.svg", dir, figure);
      unlink (svg); /* an older figure would otherwise pass for this one */
      put[k](&b, all, s, figure);
      snprintf (name[n], sizeof name[n], "%s.gp", figure);
      status = sd_write_file (dir, name[n], &b, err);
      args[n + 1] = name[n];
      n++;
      sd_buf_free (&b);
    }
  if (status == SD_OK && n) {
    char log[4200];
    sd_map map;
    args[0] = (char *) gnuplot;
    *drawn = run_gnuplot (gnuplot, dir, args, why, cap) == 0;
    snprintf (log, sizeof log, "%s/figures.log", dir);
    if (sd_map_open (log, &map, NULL) == SD_OK) {
      if (map.len == 0)
        unlink (log);
      sd_map_close (&map);
    }
  } else if (status == SD_OK)
    snprintf (why, cap, "the rows hold neither several block sizes nor several orders");
  free (name);
  free (args);
  return status;
}
