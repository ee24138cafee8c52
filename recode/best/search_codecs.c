/* Codecs compete: the stages 4 and 5 of search.c. What each codec tries stands in its row.
 *
 * A trial is predicted by half a million slots in the best layout: the payload and the index grow with the
 * table, the model does not. Slow codecs have layouts of their own (sampled_layouts.c) and are predicted by
 * slices, where others are not predicted to take less than a forest alone. A trial is coded whole if its
 * prediction, less what other settings may gain, is not above the best prediction. A search of one codec
 * predicts nothing. */
#include "config.h"
#include "base/parts.h"
#include "codecs/codecs.h"
#include "recode/best/search_internal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_TRIALS = 128,
  SLOW_LAYOUTS = 2,    /* that slow codecs are coded in, beside the best of the others */
  LEAST_OF_SLOW = 1024 /* bytes of a stream: no forest that was seen takes less */
};

typedef struct trial {
  const sd_trials *of;
  const sd_codec *codec;
  sd_settings settings;
  sd_search_code guess;
  int status;
  unsigned place; /* in the list of all */
} trial;

/* ------------------------------------------------------------------- coding */

int sd_search_code_into (const sd_search *s, const sd_layout *l, sd_buf *b, sd_search_code *out,
                         sd_error *err) {
  sd_decoder *d;
  sd_codec_parts parts = { 0 };
  SD_TRY (sd_search_stream (s, l, b, out, err));
  SD_TRY (sd_codec_open (s->codec, b->data, b->len, out->n, out->m, &d, err));
  sd_codec_describe (d, &parts);
  /* Only what stands for slots grows with their number. */
  const double grow = out->n ? (double) out->all / (double) out->n : 1;
  out->bytes = b->len;
  out->scaled =
      (uint64_t) ((double) (parts.header + parts.model) + grow * (double) (parts.index + parts.payload));
  /* The blocks of a sample are as large as those of the table; a slot's number has more bits there. */
  out->seconds = sd_lookup_seconds (d, out->all);
  sd_codec_close (d);
  return SD_OK;
}

int sd_search_code_one (const sd_search *s, const sd_layout *l, sd_search_code *out, sd_error *err) {
  SD_RELEASED_BY (sd_buf_free) sd_buf b = { 0 };
  return sd_search_code_into (s, l, &b, out, err);
}

/* ------------------------------------------------------------- predictions */

/* Is no setting of the codec quick enough? Then nothing of it need be coded. */
bool sd_search_is_too_slow (const sd_search *s, const sd_codec *codec) {
  const double seconds = sd_lookup_least (codec, sd_indexer_size (s->from) * (s->other ? 2 : 1));
  if (sd_search_keeps_bound (s->how, seconds / sd_close_to_best))
    return false;
  sd_search_row_of (s, codec)->seconds = seconds;
  sd_search_too_slow (s, codec);
  return true;
}

static int list_trials (const sd_search *s, trial *t, unsigned *n, sd_error *err) {
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);

  *n = 0;
  for (size_t i = 0; i < ncodecs; i++) {
    const sd_trials *of = &codec[i]->trials;
    /* Diagrams have a search of their own. */
    if (of->whole || of->apart)
      continue;
    if (of->slow && s->judge)
      sd_search_why (s, codec[i], "not tried: coding a table of this size takes too long");
    if ((s->only_slow ? !of->slow : of->slow && s->judge) || sd_search_is_too_slow (s, codec[i]))
      continue;
    for (unsigned k = 0; k < 8 && of->settings[k] && *n < MAX_TRIALS; k++) {
      t[*n] = (trial){ .of = of, .codec = codec[i], .place = *n };
      SD_TRY (sd_settings_parse (codec[i], of->settings[k], &t[*n].settings, err));
      (*n)++;
    }
  }
  return SD_OK;
}

static void predict_one (const sd_search *s, trial *t, const sd_layout *l) {
  sd_search mine = *s;
  mine.codec = t->codec;
  mine.settings = &t->settings;
  if (t->of->slow && s->slow && s->slow->n) {
    t->status = sd_search_slices (&mine, &s->slow->layout[0].layout, s->slow->slices, &t->guess, NULL);
    if (t->status == SD_OK)
      return;
  }
  mine.extent = sd_guess_sample;
  t->status = sd_search_code_one (&mine, l, &t->guess, NULL);
}

/* Those of slow codecs, or those of the others. */
static void predict (const sd_search *s, trial *t, unsigned n, bool slow, const sd_layout *l) {
  unsigned done = 0;
#pragma omp parallel for schedule(dynamic, 1)
  for (unsigned i = 0; i < n; i++) {
    if (t[i].of->slow == slow)
      predict_one (s, &t[i], l);
#pragma omp atomic
    done++;
    if (sd_thread_number () == 0)
      sd_report (s->progress, slow ? "predicting slow codecs" : "predicting codecs", done, n);
  }
  for (unsigned i = 0; i < n; i++) {
    if (t[i].of->slow != slow)
      continue;
    sd_search_row *row = sd_search_row_of (s, t[i].codec);
    if (t[i].status != SD_OK) {
      sd_search_why (s, t[i].codec, "failed: %s", sd_strerror (t[i].status));
      continue;
    }
    /* One of its settings worked. */
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

/* t[0..*n-1]: those that may win, best first; behind them the *spare others that keep the bound, likewise. */
static void drop (const sd_search *s, trial *t, unsigned *n, unsigned *spare) {
  unsigned kept = 0;
  double best = s->best ? (double) s->best : INFINITY;
  /* A sample may be wrong by as much. */
  for (unsigned i = 0; i < *n; i++)
    if (t[i].status == SD_OK && !sd_search_keeps_bound (s->how, t[i].guess.seconds / sd_close_to_best))
      sd_search_too_slow (s, t[i].codec);
    else if (t[i].status == SD_OK)
      t[kept++] = t[i];
  for (unsigned i = 0; i < kept; i++)
    best = least (&t[i]) < best ? least (&t[i]) : best;
  qsort (t, kept, sizeof *t, by_prediction);
  /* They are sorted: the rest are spare. */
  for (*n = 0; *n < kept && least (&t[*n]) <= sd_close_to_best * best;)
    (*n)++;
  *spare = kept - *n;
  for (unsigned i = *n; i < kept; i++)
    if (sd_search_row_of (s, t[i].codec)->bytes == 0 && !sd_search_row_of (s, t[i].codec)->why[0])
      sd_search_why (s, t[i].codec, "predicted to be too large");
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

bool sd_search_better (const sd_search *s, const sd_layout *l, uint64_t best, sd_search_code *out,
                       int *status, sd_error *err) {
  sd_error mine = { 0 };
  *status = sd_search_code_one (s, l, out, &mine);
  if (*status != SD_OK) {
    /* A codec that has been coded in another way has no failure to tell. */
    if (sd_search_row_of (s, s->codec)->bytes == 0)
      sd_search_why (s, s->codec, "failed: %.100s", mine.text[0] ? mine.text : sd_strerror (*status));
    if (err)
      *err = mine;
    return false;
  }
  if (!sd_search_keeps_bound (s->how, out->seconds)) {
    sd_search_row *row = sd_search_row_of (s, s->codec);
    /* The fastest that it had, for the message. */
    row->seconds = row->seconds && row->seconds < out->seconds ? row->seconds : out->seconds;
    sd_search_too_slow (s, s->codec);
    return false;
  }
  return out->bytes < best;
}

/* ----------------------------------------------------------- other settings */

/* Does the user keep the setting that "key=word" would change? */
bool sd_search_may_vary (const sd_search_options *how, const char *way) {
  char key[32];
  snprintf (key, sizeof key, "%.*s=", (int) strcspn (way, "="), way);
  /* What the user has set is kept; all else may be better otherwise. */
  return !(how->fixed_codec && how->fixed && strstr (how->fixed, key));
}

void sd_search_put (sd_settings *set, const char *way) {
  char key[32];
  const size_t len = strcspn (way, "=");
  snprintf (key, sizeof key, "%.*s", (int) len, way);
  sd_settings_put (set, key, way + len + 1);
}

/* Other settings for the best of a codec: those of its row, one after the other, each with those that made it
 * smaller, and all with the row's `base` where that is free to choose. */
static void refine (sd_search *s, sd_winner *w, const sd_winner *of_all) {
  const sd_trials *of = &w->side.codec->trials;
  /* Where it is free to choose, and the table is not large. */
  const bool based = of->base && !s->how->fixed_codec && !s->judge;
  sd_settings start = w->side.settings;
  unsigned n = 0;
  while (n < 8 && of->ways[n])
    n++;
  if (based)
    sd_search_put (&start, of->base);
  s->codec = w->side.codec;
  if (s->judge)
    w->bytes = UINT64_MAX; /* from here on in a smaller sample */
  /* The start as it is has been coded already, unless it was changed, or was coded in another extent. */
  for (unsigned k = based || s->judge ? 0 : 1; k <= n; k++) {
    /* One symbol serves every slot. */
    if (w->bytes <= SD_CONSTANT_BYTES)
      break;
    if (k && !sd_search_may_vary (s->how, of->ways[k - 1]))
      continue;
    sd_settings mine = start;
    sd_search_code coded;
    int status;
    if (k)
      sd_search_put (&mine, of->ways[k - 1]);
    s->settings = &mine;
    report_best ("settings", of_all, k, n + 1, s->progress);
    if (sd_search_better (s, &w->side.layout, w->bytes, &coded, &status, NULL)) {
      w->bytes = coded.bytes;
      w->side.settings = start = mine;
      sd_search_note (s, &w->side.layout, &coded);
    }
  }
}

/* The best of each codec that is close to the best known, here or before; these with other settings. */
static void refine_all (sd_search *s, sd_winner *of, unsigned n, sd_winner *w) {
  const double margin = 1.4;
  double best = (double) w->bytes;
  /* It must beat what other kinds take, too. */
  if (s->best && (double) s->best < best)
    best = (double) s->best;
  for (unsigned i = 0; i < n; i++)
    best = (double) of[i].bytes < best ? (double) of[i].bytes : best;
  for (unsigned i = 0; i < n; i++) {
    if (of[i].bytes == UINT64_MAX || (double) of[i].bytes > margin * best)
      continue;
    refine (s, &of[i], w);
    if (of[i].bytes < w->bytes)
      *w = of[i];
  }
}

/* ---------------------------------------------------------------- the whole */

/* The layouts in which all trials compete, and how far they are. */
typedef struct finalists {
  const sd_candidate *c;
  unsigned done, trials;
  sd_winner seen; /* the best so far */
} finalists;

/* One setting in the first n layouts; *of: the best of its codec. */
static int try_trial (sd_search *s, const trial *t, finalists *f, unsigned n, sd_winner *of, sd_error *err) {
  int status = SD_OK;
  s->codec = t->codec;
  s->settings = &t->settings;
  for (unsigned i = 0; i < n; i++) {
    const sd_layout *l = &f->c[i].layout;
    sd_search_code coded;
    report_best ("finalists", &f->seen, f->done * n + i, (uint64_t) f->trials * n, s->progress);
    if (!sd_search_better (s, l, of->bytes, &coded, &status, err))
      continue;
    *of = (sd_winner){ { *l, t->codec, t->settings, NULL }, coded.bytes };
    sd_search_note (s, l, &coded);
    /* For the progress only; who wins is told after refining. */
    if (of->bytes < f->seen.bytes)
      f->seen = *of;
  }
  return status;
}

/* Those of slow codecs are tried only where nothing else can be coded, or keeps the bound; and why. */
static void put_off_slow (const sd_search *s, trial *t, unsigned n, const char *why) {
  for (unsigned i = 0; i < n; i++)
    if (t[i].of->slow) {
      t[i].status = SD_OK;
      t[i].guess = (sd_search_code){ .bytes = UINT64_MAX, .scaled = UINT64_MAX };
      sd_search_why (s, t[i].codec, "%s", why);
    }
}

/* The least that the others are predicted to take, or that is known. */
static double to_better (const sd_search *s, const trial *t, unsigned n) {
  double known = s->best ? (double) s->best : INFINITY;
  for (unsigned i = 0; i < n; i++)
    if (!t[i].of->slow && t[i].status == SD_OK && t[i].guess.bytes > SD_CONSTANT_BYTES
        && sd_search_keeps_bound (s->how, t[i].guess.seconds / sd_close_to_best))
      known = fmin (known, least (&t[i]));
  return known;
}

/* Slow codecs behind the others, which say what they have to better. */
static void predict_slow (sd_search *s, trial *t, unsigned n, sd_sampled_layouts *found, const sd_layout *l) {
  const double known = to_better (s, t, n);
  unsigned first = 0;
  while (first < n && !t[first].of->slow)
    first++;
  if (first == n)
    return;
  if (known < LEAST_OF_SLOW) {
    put_off_slow (s, t, n, SD_WHY_FEW_BYTES);
    return;
  }
  if (!s->slow) {
    (void) sd_search_slow_layouts (s, t[first].codec, &t[first].settings, INFINITY, known, found, NULL);
    s->slow = found; /* where there are none, they have the layouts of the others */
  }
  if (s->slow->hopeless)
    put_off_slow (s, t, n, SD_WHY_HOPELESS);
  else
    predict (s, t, n, true, l);
}

static int make_trials (sd_search *s, const sd_layout *l, sd_sampled_layouts *found, trial *t, unsigned *n,
                        unsigned *spare, sd_error *err) {
  *spare = 0;
  /* The user has chosen, or another stage. */
  if (s->codec) {
    *n = 1;
    t[0] = (trial){ .of = &s->codec->trials, .codec = s->codec, .settings = *s->settings };
    if (t->of->slow && !s->slow && !s->judge) {
      (void) sd_search_slow_layouts (s, s->codec, s->settings, INFINITY, INFINITY, found, NULL);
      s->slow = found;
    }
    return SD_OK;
  }
  SD_TRY (list_trials (s, t, n, err));
  predict (s, t, *n, false, l);
  predict_slow (s, t, *n, found, l);
  drop (s, t, n, spare);
  return SD_OK;
}

/* The layouts of a slow codec, in own: those that suit it, and the best of the others, or all *n if it is the
 * only codec. */
static void add_slow_layouts (const sd_search *s, const sd_candidate *c, bool only, sd_candidate *own,
                              unsigned *n) {
  const unsigned others = only ? *n : 1;
  unsigned count = 0;
  for (unsigned i = 0; s->slow && i < s->slow->n && i < SLOW_LAYOUTS; i++)
    sd_search_add (own, &count, &s->slow->layout[i].layout);
  for (unsigned i = 0; i < others; i++)
    sd_search_add (own, &count, &c[i].layout);
  *n = count;
}

int sd_search_codecs (const sd_search *what, const sd_candidate *c, unsigned n, sd_extent last, sd_winner *w,
                      sd_error *err) {
  sd_search s = *what;
  if (n == 0)
    return SD_OK;
  SD_OWNED trial *t = sd_alloc (MAX_TRIALS, sizeof *t);
  SD_OWNED sd_winner *of = sd_alloc (MAX_TRIALS, sizeof *of);
  finalists f = { .seen = *w };
  sd_sampled_layouts found;
  sd_candidate own[SD_FINALISTS + SLOW_LAYOUTS];
  unsigned trials = 0, spare = 0, codecs = 0;
  int status = t && of ? SD_OK : sd_fail_memory (err, MAX_TRIALS * (sizeof *t + sizeof *of));
  if (status == SD_OK)
    status = make_trials (&s, &c[0].layout, &found, t, &trials, &spare, err);
  f.trials = trials + spare;
  for (unsigned k = 0; k < f.trials && status == SD_OK; k++) {
    unsigned i = 0;
    if (k >= trials && f.seen.bytes < UINT64_MAX)
      break; /* what seemed too large is coded only where nothing else could be, or kept the bound */
    while (i < codecs && of[i].side.codec != t[k].codec)
      i++;
    if (i < codecs && of[i].bytes < UINT64_MAX)
      continue; /* a setting that was predicted to be smaller keeps the bound */
    if (i == codecs)
      of[codecs++] = (sd_winner){ .side.codec = t[k].codec, .bytes = UINT64_MAX };
    unsigned layouts = n;
    f.done = k;
    f.c = c;
    if (t[k].of->slow) {
      f.c = own;
      add_slow_layouts (&s, c, what->codec != NULL, own, &layouts);
    }
    const int st = try_trial (&s, &t[k], &f, layouts, &of[i], err);
    /* The one codec that was asked for cannot code it: that is what the user has to know. */
    if (what->codec && of[i].bytes == UINT64_MAX && st != SD_OK && what->how->fixed_codec)
      status = st;
  }
  report_best ("finalists", &f.seen, 1, 1, what->progress);
  s.extent = last;
  if (status == SD_OK)
    refine_all (&s, of, codecs, w);
  report_best ("settings", w, 1, 1, what->progress);
  return status;
}
