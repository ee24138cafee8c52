/* subdef bench codecs: how long a lookup takes in each codec with each of its trials, and the constants of
 * the model that a search uses instead of a clock (recode/best/latency_model.c).
 *
 * For each side of each table that is named: the slots in the plain order of the pieces are coded, and random
 * slots looked up, as the model says: the median of batches of 16. The constants of a codec are those of
 * least relative squares, none below zero: of all subsets of the terms, the solution without a negative one
 * that is nearest. */
#include "config.h"
#include "chess/ending.h"
#include "codecs/codecs.h"
#include "tools/bench/bench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { F = SD_LOOKUP_FEATURES, MAX_ROWS = 512 };

typedef struct row {
  const sd_codec *codec;
  double feature[F], ns; /* as sd_lookup_features has them; the median of a lookup */
} row;

/* Of all tables, for the fits at the end. What is beyond them is neither printed nor fitted. */
static row rows[MAX_ROWS];
static unsigned nrows;

/* Nanoseconds. The same slots for every codec, since the seed is. */
static double median_ns (const sd_decoder *d) {
  enum { BATCHES = 301, BATCH = 16 };
  double t[BATCHES];
  unsigned n = 0;
  uint64_t seed = 1;
  sd_symbol v;
  const double begin = sd_now ();

  while (n < BATCHES && (n < 21 || sd_now () - begin < 0.5)) { /* slow codecs need no more samples */
    /* A single lookup is shorter than a reading of the clock is exact. */
    const double start = sd_now ();
    for (unsigned k = 0; k < BATCH; k++)
      sd_codec_get (d, sd_random (&seed) % d->n, &v);
    t[n++] = (sd_now () - start) / BATCH;
  }
  qsort (t, n, sizeof *t, sd_bench_by_value);
  return 1e9 * t[n / 2];
}

/* One row of CSV. A constant stream is not looked up in a codec at all. */
static int measure (const sd_codec *codec, const char *settings, const sd_seq *seq, const char *name,
                    sd_error *err) {
  sd_settings set;
  sd_buf b SD_RELEASED_BY (sd_buf_free) = { 0 };
  SD_OWN (sd_decoder) *d = NULL;
  SD_TRY (sd_settings_parse (codec, settings, &set, err));
  SD_TRY (sd_codec_encode (codec, seq, &set, NULL, &b, err));
  SD_TRY (sd_codec_open (codec, b.data, b.len, seq->n, sd_alphabet_main (seq->alphabet), &d, err));

  if (!d->constant && nrows < MAX_ROWS) {
    row *r = &rows[nrows++];
    r->codec = codec;
    sd_lookup_features (d, d->n, r->feature);
    r->ns = median_ns (d);
    printf ("%s,%s,\"%s\",%zu,%.4g,%.4g,%.4g,%.4g,%.4g\n", name, codec->name, settings, b.len, r->feature[1],
            r->feature[2], r->feature[3], r->ns, 1e9 * sd_lookup_seconds (d, d->n));
    fflush (stdout);
  }
  return SD_OK;
}

static int one_ending (const char *name, enum sd_metric metric, sd_values *ex, sd_error *err) {
  sd_material written, m;
  const sd_exact *e;
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);

  SD_TRY (sd_ending_parse (name, &written, err));
  sd_material_canonical (&written, &m);
  SD_TRY (sd_values_need (ex, &m, err));
  SD_TRY (sd_values_whole (ex, &m, &e, err));

  for (unsigned side = 0; side < e->nsides; side++) {
    SD_OWN (sd_subdefined) *d = NULL;
    /* With the freedom "all", and so without that of positions in check. */
    SD_TRY (sd_subdefine (
        ex, e, &(sd_stored){ metric, sd_metric_coding (metric, false), SD_FREE_ALL, side, SD_SIDES_BOTH },
        NULL, &d, err));
    for (size_t c = 0; c < ncodecs; c++) {
      const sd_trials *of = &codec[c]->trials;
      for (unsigned k = 0; k < 8 && of->settings[k]; k++)
        SD_TRY (measure (codec[c], of->settings[k], &d->seq, name, err));
    }
  }
  return SD_OK;
}

/* ----------------------------------------------------------------- the fit */

/* Solve a x = b for the features in `set` by elimination; false: singular, or a negative part. By Gauss and
 * Jordan: each pivot removes its column from all other rows, so that no substitution back is needed. */
static bool solve (double a[F][F + 1], unsigned set, double x[F]) {
  for (unsigned i = 0; i < F; i++) {
    x[i] = 0;
    if (!(set >> i & 1))
      continue;
    if (fabs (a[i][i]) < 1e-12)
      return false;
    for (unsigned r = 0; r < F; r++) {
      const double f = r != i && (set >> r & 1) ? a[r][i] / a[i][i] : 0;
      for (unsigned c = 0; f != 0 && c <= F; c++)
        a[r][c] -= f * a[i][c];
    }
  }

  for (unsigned i = 0; i < F; i++)
    if (set >> i & 1)
      x[i] = a[i][F] / a[i][i];

  for (unsigned i = 0; i < F; i++)
    if (!(x[i] >= 0))
      return false;
  return true;
}

/* By which part of the measured time the model is too high; below 0: too low. */
static double off_by (const row *r, const double x[F]) {
  double sum = 0;
  for (unsigned i = 0; i < F; i++)
    sum += x[i] * r->feature[i];
  return sum / r->ns - 1;
}

/* All 15 subsets of the four terms: an unconstrained fit may be negative where a smaller set is not. */
static void fit (const sd_codec *codec) {
  double best = INFINITY, least[F] = { 0 }, worst = 0;

  for (unsigned set = 1; set < 1u << F; set++) {
    /* The normal equations; each row divided by its time, so that relative errors count. */
    double a[F][F + 1] = { { 0 } }, x[F], left = 0;
    for (unsigned k = 0; k < nrows; k++)
      for (unsigned i = 0; i < F && rows[k].codec == codec; i++) {
        for (unsigned j = 0; j < F; j++)
          a[i][j] += rows[k].feature[i] * rows[k].feature[j] / (rows[k].ns * rows[k].ns);
        a[i][F] += rows[k].feature[i] / rows[k].ns;
      }

    if (!solve (a, set, x))
      continue;
    for (unsigned k = 0; k < nrows; k++)
      left += rows[k].codec == codec ? off_by (&rows[k], x) * off_by (&rows[k], x) : 0;
    if (left < best) {
      best = left;
      memcpy (least, x, sizeof least);
    }
  }

  if (best == INFINITY)
    return;
  /* How far the model may be off is told with it. */
  for (unsigned k = 0; k < nrows; k++)
    if (rows[k].codec == codec && fabs (off_by (&rows[k], least)) > worst)
      worst = fabs (off_by (&rows[k], least));
  printf ("%s: .latency = { %.3g, %.3g, %.3g, %.3g }, /* off by %.0f %% at most */\n", codec->name, least[0],
          least[1], least[2], least[3], 100 * worst);
}

int sd_bench_codecs (char **name, int n, const sd_bench_options *how) {
  if (n < 1)
    return sd_tool_usage ("expected a WDL or a DTM table; e.g. subdef bench codecs KRvKP.dtm");
  sd_values *ex = NULL;
  sd_error err = { 0 };
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  int status = sd_values_new (sd_tool_path (how->tables), SD_DTM, &ex, &err);

  puts ("table,codec,settings,bytes,slots_a_block,bytes_a_block,bits,ns,model_ns");

  for (int i = 0; i < n && status == SD_OK; i++) {
    const char *dtm = strchr (name[i], '.'); /* KQvKR.dtm: another metric than that of --metric */
    char plain[32];
    snprintf (plain, sizeof plain, "%.*s", (int) strcspn (name[i], "."), name[i]);
    const enum sd_metric own = dtm ? sd_metric_find (dtm + 1) : how->metric;

    if (own == SD_NO_METRIC)
      status = sd_fail (&err, SD_EINVAL, "bench codecs: %s: expected an ending, with .wdl or .dtm behind it",
                        name[i]);
    else
      status = one_ending (plain, own, ex, &err);
  }

  sd_values_free (ex);
  if (status != SD_OK)
    return sd_tool_fail (&err);
  /* Lines for the rows of the codecs, to be put into their sources. */
  for (size_t c = 0; c < ncodecs; c++)
    fit (codec[c]);
  return SD_EXIT_OK;
}
