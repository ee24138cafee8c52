/* One stream for both sides to move, after each side has been searched for. A table has one stream or two, so
 * the joint one has to be smaller than the two winners together, `s->best`.
 *
 * It is not searched for from the beginning, which would take as long as both sides did. What each codec did
 * best with the sides is known, with its layouts and settings (search_report.c). In these a codec's stream is
 * told by a sample: bytes of its two streams in whole, times what one takes in the sample as a share of two.
 * What is not told to be a tenth larger than the best is coded whole. Distances of 12 endings with trees took
 * 0.82 to 1.9 of the pinned two streams in the better of the layouts of the sides, five of them less than
 * one. A tree asks for files and ranks of one stream in one layout, so that squares in rows are tried as
 * well. Where slow codecs are not predicted to take 1.4 times the best so, other layouts for them are found,
 * and their bytes predicted by slices of both sides (sampled_layouts.c).
 *
 * Diagrams find layouts of their own, but only if quick codings in the layouts that are known promise a
 * smaller stream; they may share half of all, more than any other codec, so that they may win where they were
 * far behind in two streams. */
#include "config.h"
#include "recode/best/search_internal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TRIALS = 64, MAX_LAYOUTS = 4, NPARTS = 2 + MAX_LAYOUTS };
enum { HALF = 2 }; /* one diagram took 0.57 of two at the least (WDL of KNvKP) */
static const sd_extent sample = { 64, 1 << 12 };
static const double margin = 1.4; /* a codec whose two streams are larger than that is left out */

typedef struct trial {
  const sd_codec *codec;
  sd_settings settings;
  sd_layout side[2];                /* White's, Black's */
  sd_candidate layout[MAX_LAYOUTS]; /* for both; best first once they are predicted */
  unsigned nlayouts;
  uint64_t apart;               /* bytes of the two streams */
  sd_search_code guess[NPARTS]; /* by the sample: White's, Black's, both in each layout */
  int status[NPARTS];
  double predicted;
  unsigned place; /* in the list */
} trial;

/* What is known of the sides. */
typedef struct known {
  const sd_search_row *row[2]; /* NULL: none */
  sd_layout layout[2];
  uint64_t apart;
  bool coded[2];
} known;

static void know (const sd_search *s, const sd_codec *codec, const sd_winner apart[2], known *k) {
  *k = (known){ 0 };
  for (unsigned i = 0; i < s->report->n; i++) {
    const sd_search_row *r = &s->report->row[i];
    if (r->codec == codec && r->side < 2)
      k->row[r->side] = r;
  }
  /* For a side that the codec did not code the side's winner stands in. */
  for (unsigned side = 0; side < 2; side++) {
    k->coded[side] = k->row[side] && k->row[side]->bytes > 0;
    k->layout[side] = k->coded[side] ? k->row[side]->layout : apart[side].side.layout;
    k->apart += k->coded[side] ? k->row[side]->bytes : apart[side].bytes;
  }
}

/* ------------------------------------------------- codecs of neighbours */

static void add (trial *t, unsigned *n, const sd_codec *codec, const known *k, const sd_settings *set) {
  char text[2][512];
  sd_settings_text (set, text[0], sizeof text[0]);
  /* Both sides may have been best with the same settings. */
  for (unsigned i = 0; i < *n; i++) {
    sd_settings_text (&t[i].settings, text[1], sizeof text[1]);
    if (t[i].codec == codec && strcmp (text[0], text[1]) == 0)
      return;
  }
  if (*n == MAX_TRIALS)
    return;
  trial *new = &t[*n];
  *new = (trial){ .codec = codec, .settings = *set, .apart = k->apart, .place = *n };
  for (unsigned side = 0; side < 2; side++) {
    new->side[side] = k->layout[side];
    sd_search_add (new->layout, &new->nlayouts, &k->layout[side]);
  }
  /* Trees ask for files and ranks: squares in rows are tried as well. */
  for (unsigned side = 0; side < 2 && codec->trials.slow; side++) {
    sd_layout rows = k->layout[side];
    for (unsigned g = 0; g < rows.ngroups; g++)
      rows.group[g].numbering = SD_ROWS;
    sd_search_add (new->layout, &new->nlayouts, &rows);
  }
  (*n)++;
}

/* Each codec that is close to the best, with the settings that were best for either side. */
static void list (const sd_search *s, const sd_winner apart[2], trial *t, unsigned *n) {
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);

  for (size_t c = 0; c < ncodecs; c++) {
    known k;
    know (s, codec[c], apart, &k);
    if (sd_search_is_diagram (codec[c]) || (!k.coded[0] && !k.coded[1]))
      continue;
    /* One stream saves too little for those. */
    if ((double) k.apart > margin * (double) s->best) {
      sd_search_why (s, codec[c], "not tried: far behind in two streams");
      continue;
    }
    for (unsigned side = 0; side < 2; side++) {
      /* The winner's settings are at hand; others stand in the report as text. */
      sd_settings set;
      if (apart[side].side.codec == codec[c])
        add (t, n, codec[c], &k, &apart[side].side.settings);
      else if (k.coded[side] && sd_settings_parse (codec[c], k.row[side]->settings, &set, NULL) == SD_OK)
        add (t, n, codec[c], &k, &set);
    }
  }
}

static void guess (const sd_search *s, trial *t, unsigned part) {
  sd_search mine = *s;
  mine.extent = sample;
  mine.codec = t->codec;
  mine.settings = &t->settings;
  /* Parts 0 and 1 are the sides alone, for the share that one stream takes of two. */
  if (part == SD_BLACK)
    mine.data = s->other;
  if (part < 2)
    mine.other = NULL;
  const sd_layout *l = part < 2 ? &t->side[part] : &t->layout[part - 2].layout;
  t->status[part] = sd_search_code_one (&mine, l, &t->guess[part], NULL);
}

static void predict (const sd_search *s, trial *t, unsigned n) {
  sd_report (s->progress, "predicting one stream for both", 0, 1);
#pragma omp parallel for schedule(dynamic, 1)
  for (unsigned i = 0; i < n * NPARTS; i++)
    if (i % NPARTS < 2 + t[i / NPARTS].nlayouts)
      guess (s, &t[i / NPARTS], i % NPARTS);
}

static int by_prediction (const void *x, const void *y) {
  const trial *a = x, *b = y;
  if (a->predicted != b->predicted)
    return a->predicted < b->predicted ? -1 : 1;
  return a->place < b->place ? -1 : 1;
}

/* What one stream may come to, and its layouts in the order of what they are predicted to take. */
static int judge (trial *t) {
  sd_candidate *c = t->layout;
  for (unsigned i = 0; i < 2 + t->nlayouts; i++)
    if (t->status[i] != SD_OK)
      return t->status[i];
  for (unsigned i = 0; i < t->nlayouts; i++)
    c[i].bytes = t->guess[2 + i].scaled;
  /* Sorted in: there are four at most. */
  for (unsigned i = 1; i < t->nlayouts; i++)
    for (unsigned j = i; j > 0 && c[j].bytes < c[j - 1].bytes; j--) {
      const sd_candidate swap = c[j];
      c[j] = c[j - 1];
      c[j - 1] = swap;
    }
  t->predicted = (double) t->apart * (double) c[0].bytes / (double) (t->guess[0].scaled + t->guess[1].scaled);
  return SD_OK;
}

/* Those that can be coded and may keep the bound, the smallest prediction first. */
static void judge_all (const sd_search *s, trial *t, unsigned *n) {
  unsigned kept = 0;
  for (unsigned i = 0; i < *n; i++) {
    const int status = judge (&t[i]);
    const double seconds = t[i].guess[2].seconds;
    if (status != SD_OK) {
      sd_search_why (s, t[i].codec, "failed: %s", sd_strerror (status));
      continue;
    }
    sd_search_row *row = sd_search_row_of (s, t[i].codec);
    /* Rows tell of the best of a codec's trials. */
    if (row->predicted == 0 || t[i].predicted < (double) row->predicted)
      row->predicted = (uint64_t) t[i].predicted;
    if (row->seconds == 0 || seconds < row->seconds)
      row->seconds = seconds;
    if (sd_search_keeps_bound (s->how, seconds / sd_close_to_best))
      t[kept++] = t[i];
    else
      sd_search_too_slow (s, t[i].codec);
  }
  *n = kept;
  qsort (t, *n, sizeof *t, by_prediction);
}

static uint64_t best_known (const sd_search *s, const sd_winner *w) {
  return w->bytes < s->best ? w->bytes : s->best;
}

static bool promises (double predicted, uint64_t best) {
  return predicted <= sd_close_to_best * (double) best;
}

/* What a slow codec may come to in layouts that are sought for the first such trial, by slices in the best of
 * them; t->predicted is of the layouts of the sides, which may be much worse. */
static double predict_slow (sd_search *s, const trial *t, sd_sampled_layouts *found, bool *sought) {
  sd_search mine = *s;
  sd_search_code coded;
  if (!*sought)
    (void) sd_search_slow_layouts (s, t->codec, &t->settings, INFINITY, (double) s->best, found, NULL);
  *sought = true;
  s->slow = found;
  mine.codec = t->codec;
  mine.settings = &t->settings;
  if (found->n == 0
      || sd_search_slices (&mine, &found->layout[0].layout, found->slices, &coded, NULL) != SD_OK)
    return t->predicted;
  return fmin (t->predicted, (double) coded.scaled);
}

static int search_neighbours (const sd_search *s, const sd_winner apart[2], sd_winner *w, sd_error *err) {
  sd_search_options options = *s->how;
  sd_sampled_layouts found = { .n = 0 };
  bool sought = false;
  unsigned n = 0;
  SD_OWNED trial *t = sd_alloc (MAX_TRIALS, sizeof *t);

  if (!t)
    return sd_fail_memory (err, MAX_TRIALS * sizeof *t);
  /* Settings are known; each trial is one codec with one of them. */
  options.fixed_codec = true;
  list (s, apart, t, &n);
  predict (s, t, n);
  judge_all (s, t, &n);
  for (unsigned i = 0; i < n; i++) {
    const sd_trials *of = &t[i].codec->trials;
    sd_search mine = *s;
    mine.best = best_known (s, w);
    mine.how = &options;
    mine.codec = t[i].codec;
    mine.settings = &t[i].settings;
    sd_search_row *row = sd_search_row_of (s, t[i].codec);
    const sd_search_row before = *row;
    if (of->slow && t[i].predicted <= margin * (double) mine.best)
      t[i].predicted = predict_slow (&mine, &t[i], &found, &sought);
    if (promises (t[i].predicted, mine.best)) /* what fails is noted, and then two streams remain */
      (void) sd_search_codecs (&mine, t[i].layout, of->slow ? 1 : t[i].nlayouts, (sd_extent){ 0 }, w, NULL);
    else if (row->bytes == 0)
      sd_search_why (s, t[i].codec, "predicted to be too large");
    /* The row tells of the best of a codec's trials. */
    if (before.bytes && (row->bytes == 0 || before.bytes <= row->bytes))
      *row = before;
  }
  return SD_OK;
}

/* --------------------------------------------------------------- diagrams */

/* Bytes of the side or sides of `s` in layout l. */
static int bytes_in (const sd_search *s, const sd_layout *l, uint64_t *bytes, sd_error *err) {
  SD_RELEASED_BY (sd_buf_free) sd_buf b = { 0 };
  sd_search_code coded;
  const int status = sd_search_stream (s, l, &b, &coded, err);
  *bytes = b.len;
  return status;
}

/* What one diagram for both may come to, by quick codings in the layouts of the sides: their share of two
 * such diagrams, or half of them where no better ones were made. */
static int promise (const sd_search *both, const known *k, double *bytes, sd_error *err) {
  uint64_t sum = 0, least = UINT64_MAX, now;
  sd_settings cheap = *both->settings;
  sd_search quick = *both;

  quick.settings = &cheap;
  sd_search_cheapen (&cheap);
  for (unsigned i = 0; i < 2; i++) {
    SD_TRY (bytes_in (&quick, &k->layout[i], &now, err));
    least = now < least ? now : least;
  }
  /* Each side alone, in its own layout. */
  quick.other = NULL;
  for (unsigned i = 0; i < 2 && k->coded[0] && k->coded[1]; i++) {
    quick.data = i ? both->other : both->data;
    SD_TRY (bytes_in (&quick, &k->layout[i], &now, err));
    sum += now;
  }
  *bytes = sum ? (double) k->apart * (double) least / (double) sum
               : (double) least / SD_QUICK_GAIN / sd_close_to_best;
  return SD_OK;
}

/* Bytes that the side's diagrams take at the least; UINT64_MAX: there can be none. */
static uint64_t least (const known *k, unsigned side) {
  const sd_search_row *r = k->row[side];
  return !r ? UINT64_MAX : r->bytes ? r->bytes : r->predicted ? r->predicted / SD_QUICK_GAIN : UINT64_MAX;
}

static int search_diagram (sd_search *s, const sd_codec *codec, const sd_winner apart[2],
                           const sd_settings *set, sd_winner *w, sd_error *err) {
  const sd_search_options fixed = {
    .max_latency = s->how->max_latency, .report = s->how->report, .fixed_codec = true, .fixed = s->how->fixed
  };
  double bytes;
  known k;
  know (s, codec, apart, &k);
  const uint64_t a = least (&k, 0), b = least (&k, 1);
  s->codec = codec;
  s->settings = set;
  if (a == UINT64_MAX || b == UINT64_MAX)
    return SD_OK; /* failed, or too slow, for a side already */
  if ((a + b) / HALF > s->best) {
    sd_search_why (s, codec, "not tried: more than twice the best in two streams");
    return SD_OK;
  }
  sd_report (s->progress, "predicting one stream for both", 0, 1);
  SD_TRY (promise (s, &k, &bytes, err));
  sd_search_row_of (s, codec)->predicted = (uint64_t) bytes;
  if (!promises (bytes, s->best)) {
    sd_search_why (s, codec, "predicted to be too large");
    return SD_OK;
  }
  /* What was best for the sides is tried, too. */
  s->known[0] = &k.layout[0];
  s->known[1] = &k.layout[1];
  s->how = &fixed;
  return sd_search_diagram (s, w, err);
}

static int search_diagrams (const sd_search *what, const sd_settings *given, const sd_winner apart[2],
                            sd_winner *w, sd_error *err) {
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  for (size_t i = 0; i < ncodecs; i++) {
    sd_search s = *what;
    sd_settings set;
    s.best = best_known (what, w);
    if (!sd_search_is_diagram (codec[i]))
      continue;
    SD_TRY (sd_settings_parse (codec[i], NULL, &set, err));
    sd_error mine = { 0 };
    const int status = search_diagram (&s, codec[i], apart, what->how->fixed_codec ? given : &set, w, &mine);
    if (status != SD_OK) /* two streams remain */
      sd_search_why (&s, codec[i], "failed: %.100s", mine.text[0] ? mine.text : sd_strerror (status));
  }
  return SD_OK;
}

/* ---------------------------------------------------------------- the whole */

/* What became of it. */
static void tell (const sd_search *s, const sd_winner *w) {
  sd_search_report *r = s->report;
  const sd_search_row *best = NULL;
  bool slow = false;

  if (w->side.codec) {
    r->joint = w->bytes;
    return;
  }
  for (unsigned i = 0; i < r->n; i++) {
    const sd_search_row *row = &r->row[i];
    if (row->side != s->side)
      continue;
    slow |= row->slow;
    if (!row->slow && row->predicted && (!best || row->predicted < best->predicted))
      best = row;
  }
  if (best)
    snprintf (r->why, sizeof r->why, "not made: some %llu bytes predicted (%s)",
              (unsigned long long) best->predicted, best->codec->name);
  else if (slow)
    snprintf (r->why, sizeof r->why, "not made: a lookup takes longer than the bound of %.3g us",
              1e6 * s->how->max_latency);
  else
    snprintf (r->why, sizeof r->why, "not made: no codec of the sides can make one");
}

int sd_search_joint (const sd_search *all, const sd_winner *apart, sd_winner *w, sd_error *err) {
  const sd_table_spec *spec = all->spec;
  sd_search what = *all;
  sd_subdefined *data[2];
  sd_error mine = { 0 };

  /* Its rows in the report are neither side's. */
  what.side = 2;
  what.codec = spec->side[0].codec;
  what.settings = &spec->side[0].settings;
  int status = sd_subdefine_both (all->exacts, all->exact, &SD_STORED (spec, 0), all->progress, data,
                                  apart ? &mine : err);
  if (status != SD_OK && apart) {
    snprintf (all->report->why, sizeof all->report->why, "not tried: %.100s",
              mine.text[0] ? mine.text : sd_strerror (status));
    return SD_OK; /* two streams remain */
  }
  if (status != SD_OK)
    return status;
  what.data = data[0];
  what.other = data[1];
  if (!apart) /* one stream because it is asked for */
    status = sd_search_kinds (&what, w, err);
  else {
    what.best = apart[0].bytes + apart[1].bytes;
    status = search_neighbours (&what, apart, w, err);
    if (status == SD_OK)
      status = search_diagrams (&what, what.settings, apart, w, err);
    tell (&what, w);
  }
  for (unsigned i = 0; i < 2; i++)
    sd_subdefined_free (data[i]);
  return status;
}
