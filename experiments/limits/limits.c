/** \file limits.c
 * The ladder: bounds and estimates of a table's length, and what each codec takes. */
#include "config.h"
#include "experiments/limits/limits.h"

#include "codecs/codecs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sd_limit_kind_name[SD_LIMIT_KINDS] = { [SD_LIMIT_ENTROPY] = "entropy",
                                                         [SD_LIMIT_NEARBY] = "neighbours",
                                                         [SD_LIMIT_MIXED] = "mixing",
                                                         [SD_LIMIT_SIZE] = "codec" };

enum { NEARBY = 6, ROUNDS = 1000 };
static const double TOLERANCE = 1e-3;

typedef struct {
  const sd_subdefined *d;
  const sd_progress *progress;
  sd_limit *out;
  unsigned n;
  sd_error *err;
} ladder;

static sd_limit *begin (ladder *l, enum sd_limit_kind kind, const char *name) {
  if (l->n == SD_MAX_LIMITS)
    l->n--; /* options have fewer */
  sd_limit *row = &l->out[l->n++];
  *row = (sd_limit){ .kind = kind, .bytes = -1, .seconds = sd_cpu_now () };
  snprintf (row->name, sizeof row->name, "%s", name);
  sd_report (l->progress, row->name, 0, 0);
  return row;
}

/* What does not fit is a row with its reason; other failures end the ladder. */
static int end (ladder *l, sd_limit *row, double bytes, double at_least, int st) {
  row->seconds = sd_cpu_now () - row->seconds;
  if (st == SD_OK) {
    row->bytes = ceil (bytes);
    row->at_least = ceil (at_least);
  } else if (st == SD_ERANGE || st == SD_EUNSUPPORTED)
    snprintf (row->why, sizeof row->why, "%.127s", l->err->text);
  else
    return st;
  return SD_OK;
}

static int entropy (ladder *l, unsigned length) {
  char name[64];
  sd_entropy h = { 0 };
  snprintf (name, sizeof name, length == 1 ? "single slots" : "words of %u slots", length);
  sd_limit *row = begin (l, SD_LIMIT_ENTROPY, name);
  const int st = sd_seq_entropy (&l->d->seq, length, TOLERANCE, ROUNDS, &h, l->err);
  row->model = (double) h.sets;
  return end (l, row, h.bits / 8, h.at_least / 8, st);
}

static int nearby (ladder *l, unsigned neighbours) {
  char name[64];
  double bits = 0, model = 0;
  snprintf (name, sizeof name, "slots behind %u neighbour%s", neighbours, neighbours == 1 ? "" : "s");
  sd_limit *row = begin (l, SD_LIMIT_NEARBY, name);
  const int st = sd_nearby_entropy (&l->d->seq, neighbours, &bits, &model, l->err);
  row->model = model;
  return end (l, row, bits / 8, bits / 8, st);
}

static int mixed (ladder *l, bool free_known) {
  double bits = 0;
  sd_limit *row = begin (l, SD_LIMIT_MIXED,
                         free_known ? "context mixing with known free slots" : "context mixing of all slots");
  const int st = sd_mixed_length (&l->d->seq, free_known, l->progress, &bits, l->err);
  return end (l, row, bits / 8, bits / 8, st);
}

static int size (ladder *l, const sd_codec *codec, const char *settings) {
  sd_settings set;
  sd_buf out = { 0 };
  int st = sd_settings_parse (codec, settings ? settings : "", &set, l->err);
  if (st != SD_OK)
    return st;
  sd_limit *row = begin (l, SD_LIMIT_SIZE, codec->name);
  st = sd_codec_encode (codec, &l->d->seq, &set, l->progress, &out, l->err);
  const double bytes = (double) out.len;
  sd_buf_free (&out);
  return end (l, row, bytes, bytes, st);
}

static int sizes (ladder *l, const char *codecs, const char *settings) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  if (strcmp (codecs, "all") == 0) {
    int st = SD_OK;
    for (size_t i = 0; i < n && st == SD_OK; i++)
      st = size (l, all[i], settings);
    return st;
  }
  char *names = strdup (codecs), *rest = names;
  int st = names ? SD_OK : sd_fail_memory (l->err, 0);
  for (char *name; st == SD_OK && (name = strsep (&rest, ",")) != NULL;) {
    const sd_codec *codec = sd_codec_find (name);
    st = codec ? size (l, codec, settings)
               : sd_fail (l->err, SD_EINVAL, "no codec '%s'; 'subdef reformat --set help' lists the codecs",
                          name);
  }
  free (names);
  return st;
}

int sd_limits (const sd_subdefined *d, const sd_limits_options *how, const sd_progress *progress,
               sd_limit *out, unsigned *n, sd_error *err) {
  ladder l = { d, progress, out, 0, err };
  int st = SD_OK;
  for (unsigned i = 0; st == SD_OK && i < how->words; i++)
    st = entropy (&l, how->word[i]);
  for (unsigned k = 1; st == SD_OK && how->nearby && k <= NEARBY; k++)
    st = nearby (&l, k);
  for (unsigned known = 0; st == SD_OK && how->mixed && known < 2; known++)
    st = mixed (&l, known != 0);
  if (st == SD_OK && how->codecs)
    st = sizes (&l, how->codecs, how->settings);
  *n = l.n;
  return st;
}
