/** \file limits.c
 * The ladder: bounds and estimates of a table's length, and what each codec takes.
 *
 * `subdef limits` prints a line a row. Figures come in a fixed order: entropies of words, neighbours,
 * mixing, codecs. All of them are of one sequence (of an ending one side to move, in one layout), so that
 * they can be compared with each other. */
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

/* NEARBY: rows "slots behind 1 neighbour" to "... 6 neighbours". ROUNDS and TOLERANCE end the search for an
 * entropy: it is known to a thousandth, or as well as a thousand rounds tell. */
enum { NEARBY = 6, ROUNDS = 1000 };
static const double TOLERANCE = 1e-3;

/* The rows so far. l->row may move when it grows, so a row is filled before the next one begins. */
typedef struct {
  const sd_subdefined *d;
  const sd_limits_options *how;
  const sd_progress *progress;
  sd_limit *row;
  uint64_t n, cap; /* rows that there are, and that there is room for */
  int failed;      /* the first failure that is not told by the row alone, or SD_OK; */
  sd_error why;    /* its reason */
} ladder;

/* NULL: no memory. The row is in the list from now on, with NaN in all that is not known, so that a figure
 * which fails leaves its name. `seconds` holds the clock's reading until `end` makes a difference of it. */
static sd_limit *begin (ladder *l, enum sd_limit_kind kind, const char *name) {
  if (!sd_grow (&l->row, &l->cap, l->n + 1))
    return NULL;
  sd_limit *row = &l->row[l->n++];
  *row = (sd_limit){ .kind = kind, .bytes = NAN, .at_least = NAN, .seconds = sd_cpu_now () };
  snprintf (row->name, sizeof row->name, "%s", name);
  sd_report (l->progress, row->name, 0, 0);
  return row;
}

/* What fails is a row with its reason, and the ladder goes on. at_least NaN: this is no bound. Bytes are
 * rounded up, as a file has no fractions. A figure that is too large or not supported is no failure of the
 * whole ladder; the first one of any other kind is remembered for its end. */
static void end (ladder *l, sd_limit *row, double bytes, double at_least, int st, const sd_error *why) {
  row->seconds = sd_cpu_now () - row->seconds;
  if (st == SD_OK) {
    row->bytes = ceil (bytes);
    row->at_least = ceil (at_least);
    return;
  }
  snprintf (row->why, sizeof row->why, "%.127s", *why->text ? why->text : sd_strerror (st));
  if (st != SD_ERANGE && st != SD_EUNSUPPORTED && !l->failed) {
    l->failed = st;
    l->why = *why;
  }
}

/* Entropy of words of so many slots: the only figure with a bound from below, since the search knows how far
 * it can still fall. */
static int entropy (ladder *l, unsigned length) {
  char name[64];
  sd_entropy h = { 0 };
  sd_error why = { 0 };
  snprintf (name, sizeof name, length == 1 ? "single slots" : "words of %u slots", length);
  sd_limit *row = begin (l, SD_LIMIT_ENTROPY, name);
  if (!row)
    return SD_ENOMEM;
  const int st = sd_seq_entropy (&l->d->seq, length, TOLERANCE, ROUNDS, &h, &why);
  row->model = (double) h.sets;
  end (l, row, h.bits / 8, h.at_least / 8, st, &why);
  return SD_OK;
}

/* The code length of slots behind their first neighbours (conditional.c). */
static int nearby (ladder *l, unsigned neighbours) {
  char name[64];
  double bits = 0, model = 0;
  sd_error why = { 0 };
  snprintf (name, sizeof name, "slots behind %u neighbour%s", neighbours, neighbours == 1 ? "" : "s");
  sd_limit *row = begin (l, SD_LIMIT_NEARBY, name);
  if (!row)
    return SD_ENOMEM;
  const int st = sd_nearby_entropy (&l->d->seq, l->how->board, neighbours, &bits, &model, &why);
  row->model = model;
  end (l, row, bits / 8, NAN, st, &why);
  return SD_OK;
}

/* By context mixing (mixing.c), the longest of the figures to compute. free_known: as if a reader knew which
 * slots are altogether free. */
static int mixed (ladder *l, bool free_known) {
  double bits = 0;
  sd_error why = { 0 };
  sd_limit *row = begin (l, SD_LIMIT_MIXED,
                         free_known ? "context mixing with known free slots" : "context mixing of all slots");
  if (!row)
    return SD_ENOMEM;
  const int st = sd_mixed_length (&l->d->seq, l->how->board, free_known, l->progress, &bits, &why);
  end (l, row, bits / 8, NAN, st, &why);
  return SD_OK;
}

/* With settings that have been checked. What is measured is the stream alone, without the container around
 * it. */
static int size (ladder *l, const sd_codec *codec) {
  sd_settings set;
  sd_buf out = { 0 };
  sd_error why = { 0 };
  sd_limit *row = begin (l, SD_LIMIT_SIZE, codec->name);
  if (!row)
    return SD_ENOMEM;
  int st = sd_settings_parse (codec, l->how->settings ? l->how->settings : "", &set, &why);
  if (st == SD_OK)
    st = sd_codec_encode (codec, &l->d->seq, &set, l->progress, &out, &why);
  end (l, row, (double) out.len, NAN, st, &why);
  sd_buf_free (&out);
  return SD_OK;
}

/* The codecs that are asked for, each once for each time that it is named; l NULL: only check them and their
 * settings. The settings hold for each codec that is named, so that one which does not know a key is refused
 * before anything is computed: "no codec 'x'; 'subdef reformat --set help' lists the codecs". */
static int sizes (ladder *l, const sd_limits_options *how, sd_error *err) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  sd_settings set;

  if (strcmp (how->codecs, "all") == 0) {
    for (size_t i = 0; i < n; i++)
      SD_TRY (l ? size (l, all[i])
                : sd_settings_parse (all[i], how->settings ? how->settings : "", &set, err));
    return SD_OK;
  }

  SD_OWNED char *names = strdup (how->codecs);
  char *rest = names;
  if (!names)
    return SD_ENOMEM;
  for (char *name; (name = strsep (&rest, ",")) != NULL;) {
    const sd_codec *codec = sd_codec_find (name);
    if (!codec)
      return sd_fail (err, SD_EINVAL, "no codec '%s'; 'subdef reformat --set help' lists the codecs", name);
    SD_TRY (l ? size (l, codec) : sd_settings_parse (codec, how->settings ? how->settings : "", &set, err));
  }
  return SD_OK;
}

int sd_limits (const sd_subdefined *d, const sd_limits_options *how, const sd_progress *progress,
               sd_limit **out, uint64_t *n, sd_error *err) {
  ladder l = { .d = d, .how = how, .progress = progress };
  *out = NULL;
  *n = 0;
  if (how->words > SD_MAX_WORDS)
    return sd_fail (err, SD_EINVAL, "%u lengths of words: only %d", how->words, SD_MAX_WORDS);

  /* Wrong names and settings first: mixing may take minutes, which a slip at the end must not cost. */
  int st = how->codecs ? sizes (NULL, how, err) : SD_OK;
  for (unsigned i = 0; st == SD_OK && i < how->words; i++)
    st = entropy (&l, how->word[i]);
  for (unsigned k = 1; st == SD_OK && how->nearby && k <= NEARBY; k++)
    st = nearby (&l, k);
  for (unsigned known = 0; st == SD_OK && how->mixed && known < 2; known++)
    st = mixed (&l, known != 0);
  if (st == SD_OK && how->codecs)
    st = sizes (&l, how, err);

  /* What there is belongs to the caller, after a failure too: the rows that were made are shown beside it. */
  *out = l.row;
  *n = l.n;
  if (st == SD_OK && l.failed)
    return sd_fail (err, l.failed, "%s", l.why.text);
  return st == SD_ENOMEM ? sd_fail_memory (err, 0) : st;
}
