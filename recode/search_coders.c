/* Coders compete: the stages 4 and 5 of search.c. What each codec tries stands in its row.
 *
 * A trial is predicted by half a million slots in the best layout: the payload and the index grow with the
 * table, the model does not. It is coded whole if its prediction, less what other settings may gain, is not
 * above the best prediction. A search of one codec predicts nothing. */
#include "config.h"
#include "codecs/codecs.h"
#include "recode/search_internal.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { MAX_TRIALS = 128 };

static const sd_extent guess_sample = { 64, 1 << 13 };
static const double close_to_best = 1.1; /* what a sample or a layout may be wrong by */

typedef struct trial {
  const sd_trials *of;
  const sd_codec *codec;
  sd_settings settings;
  sd_search_code guess;
  int status;
  unsigned place; /* in the list of all */
} trial;

/* -------------------------------------------------------------- what is told */

static sd_search_row *row_of (const sd_search *s, const sd_codec *codec) {
  sd_search_report *r = s->report;
  for (unsigned i = 0; i < r->n; i++)
    if (r->row[i].codec == codec && r->row[i].side == s->side)
      return &r->row[i];
  if (r->n == SD_MAX_SEARCH_ROWS) /* more than 20 codecs: the last row tells of all others */
    return &r->row[SD_MAX_SEARCH_ROWS - 1];
  r->row[r->n] = (sd_search_row){ .codec = codec, .side = s->side };
  return &r->row[r->n++];
}

__attribute__ ((format (printf, 3, 4))) static void why (const sd_search *s, const sd_codec *codec,
                                                         const char *fmt, ...) {
  va_list args;
  sd_search_row *row = row_of (s, codec);
  va_start (args, fmt);
  vsnprintf (row->why, sizeof row->why, fmt, args);
  va_end (args);
}

static bool keeps_bound (const sd_search_options *how, double seconds) {
  return how->max_latency <= 0 || seconds <= how->max_latency;
}

static void too_slow (const sd_search *s, const sd_search_options *how, const sd_codec *codec) {
  sd_search_row *row = row_of (s, codec);
  if (row->bytes == 0)
    why (s, codec, "too slow: a lookup takes %.*f us at the least, the bound is %.3g us",
         row->seconds < 10e-6 ? 2 : 0, 1e6 * row->seconds, 1e6 * how->max_latency);
}

bool sd_search_hopeless (const sd_search *s, uint64_t bytes) {
  enum { GAIN = 2 }; /* the best layouts and settings took half of the first quick coding, no less */
  if (s->best == 0 || s->best == UINT64_MAX || bytes <= GAIN * s->best)
    return false;
  row_of (s, s->codec)->predicted = bytes;
  why (s, s->codec, "%llu bytes in the first layout, more than twice the best", (unsigned long long) bytes);
  return true;
}

int sd_search_failed (const sd_search *s, const sd_search_options *how, int status, sd_error *err) {
  if (how->fixed_codec)
    return status;
  why (s, s->codec, "failed: %.100s", err && err->text[0] ? err->text : sd_strerror (status));
  return SD_OK;
}

int sd_search_nothing (const sd_search *s, const sd_search_options *how, sd_error *err) {
  if (how->max_latency > 0)
    return sd_fail (err, SD_ENOENT, "no coder keeps the latency bound of %.4g ns", how->max_latency * 1e9);
  const sd_search_report *r = s->report;
  const char *first = r && r->n ? r->row[0].why : "";
  return sd_fail (err, SD_ENOENT, "no coder could code the table%s%s", *first ? ": " : "", first);
}

/* ------------------------------------------------------------------- coding */

static int code (const sd_search *s, const sd_layout *l, sd_search_code *out, sd_error *err) {
  sd_buf b = { 0 };
  sd_decoder *d = NULL;
  sd_codec_parts parts = { 0 };
  int status = sd_search_stream (s, l, &b, out, err);
  if (status == SD_OK)
    status = sd_codec_open (s->codec, b.data, b.len, out->n, out->m, &d, err);
  if (status == SD_OK) {
    sd_codec_describe (d, &parts);
    const double grow = out->n ? (double) out->all / (double) out->n : 1;
    out->bytes = b.len;
    out->scaled =
        (uint64_t) ((double) (parts.header + parts.model) + grow * (double) (parts.index + parts.payload));
    out->seconds = sd_lookup_seconds (d);
  }
  sd_codec_close (d);
  sd_buf_free (&b);
  return status;
}

/* ------------------------------------------------------------- predictions */

static int list_trials (const sd_search *s, trial *t, unsigned *n, sd_error *err) {
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  *n = 0;
  for (size_t i = 0; i < ncodecs; i++) {
    const sd_trials *of = &codec[i]->trials;
    if (!of->settings[0])
      why (s, codec[i], "not tried: its row says no settings");
    if (of->whole)
      continue;
    if (of->slow && s->judge) {
      why (s, codec[i], "not tried: coding a table of this size takes too long");
      continue;
    }
    for (unsigned k = 0; k < 8 && of->settings[k] && *n < MAX_TRIALS; k++) {
      t[*n] = (trial){ .of = of, .codec = codec[i], .place = *n };
      SD_TRY (sd_settings_parse (codec[i], of->settings[k], &t[*n].settings, err));
      (*n)++;
    }
  }
  return SD_OK;
}

static void predict (const sd_search *s, trial *t, unsigned n, const sd_layout *l,
                     const sd_progress *progress) {
  unsigned done = 0;
#pragma omp parallel for schedule(dynamic, 1)
  for (unsigned i = 0; i < n; i++) {
    sd_search mine = *s;
    mine.extent = guess_sample;
    mine.codec = t[i].codec;
    mine.settings = &t[i].settings;
    t[i].status = code (&mine, l, &t[i].guess, NULL);
#pragma omp atomic
    done++;
#ifdef _OPENMP
    if (omp_get_thread_num () == 0)
#endif
      sd_report (progress, "predicting codecs", done, n);
  }
  for (unsigned i = 0; i < n; i++) {
    sd_search_row *row = row_of (s, t[i].codec);
    if (t[i].status != SD_OK) {
      why (s, t[i].codec, "failed: %s", sd_strerror (t[i].status));
      continue;
    }
    row->why[0] = 0;
    if (!row->predicted || t[i].guess.scaled < row->predicted)
      row->predicted = t[i].guess.scaled;
    if (row->seconds == 0 || t[i].guess.seconds < row->seconds)
      row->seconds = t[i].guess.seconds;
  }
}

/* The least that a trial may come to. */
static double least (const trial *t) {
  if (t->guess.bytes <= SD_CONSTANT_BYTES)
    return (double) t->guess.bytes;
  return (double) t->guess.scaled * (t->of->gain > 0 ? t->of->gain : 1);
}

static int by_prediction (const void *x, const void *y) {
  const trial *a = x, *b = y;
  if (least (a) != least (b))
    return least (a) < least (b) ? -1 : 1;
  return a->place < b->place ? -1 : 1;
}

/* Those that may win, best first. */
static void drop (const sd_search *s, const sd_search_options *how, trial *t, unsigned *n) {
  unsigned kept = 0;
  double best = INFINITY;
  for (unsigned i = 0; i < *n; i++)
    if (t[i].status == SD_OK && !keeps_bound (how, t[i].guess.seconds / close_to_best))
      too_slow (s, how, t[i].codec);
    else if (t[i].status == SD_OK)
      t[kept++] = t[i];
  for (unsigned i = 0; i < kept; i++)
    best = least (&t[i]) < best ? least (&t[i]) : best;
  *n = 0;
  for (unsigned i = 0; i < kept; i++)
    if (least (&t[i]) <= close_to_best * best)
      t[(*n)++] = t[i];
    else if (row_of (s, t[i].codec)->bytes == 0)
      why (s, t[i].codec, "predicted to be too large");
  qsort (t, *n, sizeof *t, by_prediction);
}

/* --------------------------------------------------------------- finalists */

/* "finalists, best 12345 bytes (trees)" */
static void report_best (const char *what, const sd_winner *w, uint64_t done, uint64_t total,
                         const sd_progress *progress) {
  char text[60];
  if (w->bytes == UINT64_MAX)
    snprintf (text, sizeof text, "%s", what);
  else
    snprintf (text, sizeof text, "%s, best %llu bytes (%s)", what, (unsigned long long) w->bytes,
              w->side.codec->name);
  sd_report (progress, text, done, total);
}

/* The settings that are not the codec's defaults. */
static void differing (const sd_settings *set, char *out, size_t cap) {
  size_t len = 0;
  out[0] = 0;
  for (unsigned i = 0; set->tunables[i].key && len < cap; i++)
    if (strcmp (set->value[i], set->tunables[i].deflt) != 0)
      len += (size_t) snprintf (out + len, cap - len, "%s%s=%s", len ? "," : "", set->tunables[i].key,
                                set->value[i]);
}

static void note_best (const sd_search *s, const sd_search_code *c) {
  sd_search_row *row = row_of (s, s->codec);
  row->bytes = c->bytes;
  row->seconds = c->seconds;
  row->why[0] = 0;
  differing (s->settings, row->settings, sizeof row->settings);
}

/* Is it smaller than *best, and fast enough? A failure is noted and is no. */
static bool better (const sd_search *s, const sd_search_options *how, const sd_layout *l, uint64_t best,
                    sd_search_code *out, int *status, sd_error *err) {
  sd_error mine = { 0 };
  *status = code (s, l, out, &mine);
  if (*status != SD_OK) {
    if (row_of (s, s->codec)->bytes == 0)
      why (s, s->codec, "failed: %.100s", mine.text[0] ? mine.text : sd_strerror (*status));
    if (err)
      *err = mine;
    return false;
  }
  if (!keeps_bound (how, out->seconds)) {
    sd_search_row *row = row_of (s, s->codec);
    row->seconds = row->seconds && row->seconds < out->seconds ? row->seconds : out->seconds;
    too_slow (s, how, s->codec);
    return false;
  }
  return out->bytes < best;
}

/* ----------------------------------------------------------- other settings */

/* Does the user keep the setting that "key=word" would change? */
static bool may_vary (const sd_search_options *how, const char *way) {
  char key[32];
  snprintf (key, sizeof key, "%.*s=", (int) strcspn (way, "="), way);
  return !(how->fixed_codec && how->fixed && strstr (how->fixed, key));
}

static void put (sd_settings *set, const char *way) {
  char key[32];
  const size_t len = strcspn (way, "=");
  snprintf (key, sizeof key, "%.*s", (int) len, way);
  sd_settings_put (set, key, way + len + 1);
}

/* Other settings for the best of a codec: those of its row, each alone, and all with the row's `base` where
 * that is free to choose. */
static void refine (sd_search *s, const sd_search_options *how, sd_winner *w, const sd_winner *of_all,
                    const sd_progress *progress) {
  const sd_trials *of = &w->side.codec->trials;
  const bool based = of->base && !how->fixed_codec && !s->judge;
  sd_settings start = w->side.settings;
  unsigned n = 0;
  while (n < 8 && of->ways[n])
    n++;
  if (based)
    put (&start, of->base);
  s->codec = w->side.codec;
  if (s->judge)
    w->bytes = UINT64_MAX; /* from here on in a smaller sample */
  for (unsigned k = based || s->judge ? 0 : 1; k <= n; k++) {
    if (w->bytes <= SD_CONSTANT_BYTES)
      break;
    if (k && !may_vary (how, of->ways[k - 1]))
      continue;
    sd_settings mine = start;
    sd_search_code coded;
    int status;
    if (k)
      put (&mine, of->ways[k - 1]);
    s->settings = &mine;
    report_best ("settings", of_all, k, n + 1, progress);
    if (better (s, how, &w->side.layout, w->bytes, &coded, &status, NULL)) {
      w->bytes = coded.bytes;
      w->side.settings = mine;
      note_best (s, &coded);
    }
  }
}

/* The best of each codec that is close to the best of all; these with other settings. */
static void refine_all (sd_search *s, const sd_search_options *how, sd_winner *of, unsigned n, sd_winner *w,
                        const sd_progress *progress) {
  double best = INFINITY;
  const double margin = 1.4;
  for (unsigned i = 0; i < n; i++)
    best = (double) of[i].bytes < best ? (double) of[i].bytes : best;
  for (unsigned i = 0; i < n; i++) {
    if (of[i].bytes == UINT64_MAX || (double) of[i].bytes > margin * best)
      continue;
    refine (s, how, &of[i], w, progress);
    if (of[i].bytes < w->bytes)
      *w = of[i];
  }
}

/* ---------------------------------------------------------------- the whole */

/* One setting in the layouts; *of: the best of its codec. */
static int try_trial (sd_search *s, const sd_search_options *how, const trial *t, const sd_candidate *c,
                      unsigned n, sd_winner *of, sd_winner *seen, const sd_progress *progress, unsigned done,
                      unsigned total, sd_error *err) {
  int status = SD_OK;
  s->codec = t->codec;
  s->settings = &t->settings;
  for (unsigned i = 0; i < n; i++) {
    sd_search_code coded;
    report_best ("finalists", seen, done * n + i, (uint64_t) total * n, progress);
    if (!better (s, how, &c[i].layout, of->bytes, &coded, &status, err))
      continue;
    *of = (sd_winner){ { c[i].layout, t->codec, t->settings }, coded.bytes };
    note_best (s, &coded);
    if (of->bytes < seen->bytes)
      *seen = *of;
  }
  return status;
}

static int make_trials (sd_search *s, const sd_search_options *how, const sd_codec *codec,
                        const sd_settings *set, const sd_layout *l, trial *t, unsigned *n,
                        const sd_progress *progress, sd_error *err) {
  if (codec) {
    *n = 1;
    t[0] = (trial){ .of = &codec->trials, .codec = codec, .settings = *set };
    return SD_OK;
  }
  SD_TRY (list_trials (s, t, n, err));
  predict (s, t, *n, l, progress);
  drop (s, how, t, n);
  return SD_OK;
}

int sd_search_coders (const sd_search *what, const sd_search_options *how, const sd_codec *codec,
                      const sd_settings *set, const sd_candidate *c, unsigned n, sd_extent last, sd_winner *w,
                      const sd_progress *progress, sd_error *err) {
  sd_search s = *what;
  if (n == 0)
    return SD_OK;
  trial *t = sd_alloc (MAX_TRIALS, sizeof *t);
  sd_winner *of = sd_alloc (MAX_TRIALS, sizeof *of), seen = *w;
  unsigned trials = 0, codecs = 0;
  int status = t && of ? SD_OK : sd_fail_memory (err, MAX_TRIALS * (sizeof *t + sizeof *of));
  if (status == SD_OK)
    status = make_trials (&s, how, codec, set, &c[0].layout, t, &trials, progress, err);
  for (unsigned k = 0; k < trials && status == SD_OK; k++) {
    unsigned i = 0;
    while (i < codecs && of[i].side.codec != t[k].codec)
      i++;
    if (i < codecs && of[i].bytes < UINT64_MAX)
      continue; /* a setting that was predicted to be smaller keeps the bound */
    if (i == codecs)
      of[codecs++] = (sd_winner){ .side.codec = t[k].codec, .bytes = UINT64_MAX };
    const bool slow = !codec && t[k].of->slow;
    const int st = try_trial (&s, how, &t[k], c, slow ? 1 : n, &of[i], &seen, progress, k, trials, err);
    if (codec && of[i].bytes == UINT64_MAX && st != SD_OK && how->fixed_codec)
      status = st;
  }
  report_best ("finalists", &seen, 1, 1, progress);
  s.extent = last;
  if (status == SD_OK)
    refine_all (&s, how, of, codecs, w, progress);
  report_best ("settings", w, 1, 1, progress);
  free (t);
  free (of);
  return status;
}
