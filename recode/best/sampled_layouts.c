/* Layouts for codecs that look at neighbours, found by samples. Within a budget quick codecs get the best few
 * of sd_search_layouts (), or the default's where there is no time for that.
 *
 * Slow ones (`slow` in their rows), which ask for files and ranks of men, are coded whole in few layouts, and
 * one that does not suit them takes three times the bytes of another (WDL of KNvKP, papers/budget). So all
 * orders with all leaders, squares in rows, are compared: first by the codec that ranks layouts in small
 * samples, fewer and fewer in larger and larger ones, then the last few by slices that one of the slow codecs
 * codes, which stands for all of them. The seconds that are left may be INFINITY: then samples and slices are
 * the largest, and no clock changes what is found. */
#include "config.h"
#include "codecs/codecs.h"
#include "recode/best/search_internal.h"
#include <math.h>
#include <stdlib.h>

/* Shares of the time that is left: for layouts of quick codecs; for those of slow ones by samples; by slices,
 * with which these codecs are then sampled. */
static const double for_quick_layouts = 0.05, for_leaders = 0.1, for_slices = 0.1;
static const double slow_slot = 5e-6;    /* CPU seconds of a slot of slices, before it is known */
static const double larger_slices = 1.5; /* what a slot of them takes, of one of the smallest */
static const double sampled_alike =
    4;                            /* codings with them: two codecs, of both sides in one stream and in two */
static const double hopeless = 3; /* slices that say so many times what the table takes */
enum {
  LEAST_SLICES = 1 << 15, /* slots */
  SMALL_SLICES = 4,       /* slices for the first comparison have one slot of so many */
  MOST_LARGER = 4,   /* times the slots that were asked for; with two men the last digits may have as many */
  MORE_LAYOUTS = 60, /* that are ranked beside the orders */
  KEEP_BY_SAMPLES = 6,
  KEEP_BY_SLICES = 2
};

/* Slots that so many seconds suffice for. */
static uint64_t size_of (double seconds, double a_slot, uint64_t all) {
  const double n = seconds / a_slot; /* INFINITY for ever */
  const uint64_t most = SD_MOST_SAMPLED < all ? SD_MOST_SAMPLED : all;
  return n > (double) most ? most : (uint64_t) n;
}

static void set_sample (sd_search *s, uint64_t slots) {
  s->extent = (sd_extent){ SD_SAMPLE_PIECES, slots / SD_SAMPLE_PIECES };
}

/* The search by the codec that ranks layouts, with small samples; *a_slot: CPU seconds of theirs. */
static int ranking (const sd_search *with, sd_search *s, sd_settings *set, double *a_slot, sd_error *err) {
  sd_layout plain;
  sd_search_code coded;
  *s = *with;
  s->codec = sd_search_ranking_codec ();
  s->settings = set;
  set_sample (s, SD_LEAST_SAMPLED);
  sd_layout_default (&sd_indexer_layout (s->from)->material, &plain);
  SD_TRY (sd_settings_parse (s->codec, s->codec->trials.ranking, set, err));
  const double before = sd_cpu_now ();
  SD_TRY (sd_search_code_one (s, &plain, &coded, err));
  *a_slot = (sd_cpu_now () - before) / (double) coded.n;
  return SD_OK;
}

static sd_candidate *room (sd_error *err) {
  sd_candidate *c = sd_alloc (SD_MAX_CANDIDATES, sizeof *c);
  if (!c)
    sd_fail_memory (err, SD_MAX_CANDIDATES * sizeof *c);
  return c;
}

int sd_search_quick_layouts (const sd_search *with, double left, sd_sampled_layouts *out, sd_error *err) {
  sd_search s;
  sd_settings set;
  sd_layout plain;
  double a_slot;
  unsigned n = 0, orders = 1;
  SD_OWNED sd_candidate *c = room (err);
  *out = (sd_sampled_layouts){ .n = 0 };
  if (!c)
    return SD_ENOMEM;
  SD_TRY (ranking (with, &s, &set, &a_slot, err));
  sd_layout_default (&sd_indexer_layout (s.from)->material, &plain);
  for (unsigned i = 2; i <= plain.ngroups; i++)
    orders *= i;
  const double sides = s.other ? 2 : 1;
  const uint64_t slots =
      size_of (for_quick_layouts * left, sides * a_slot * (orders + MORE_LAYOUTS), sd_indexer_size (s.from));
  int status = SD_OK;
  if (slots >= SD_LEAST_SAMPLED) {
    set_sample (&s, slots);
    status = sd_search_layouts (&s, c, &n, err);
    for (unsigned i = 0; status == SD_OK && i < n && i < SD_FINALISTS; i++)
      sd_search_add (out->layout, &out->n, &c[i].layout);
  }
  if (!out->n)
    sd_search_add (out->layout, &out->n, &plain);
  return status == SD_ESTOPPED || sd_stopped (s.progress) ? SD_OK : status;
}

/* ---------------------------------------------------------------- slow codecs */

/* All orders with each leader, squares in rows; with the default's leader where these are too many. */
static int list_leaders (const sd_search *s, sd_candidate *c, unsigned *n, sd_error *err) {
  sd_layout start;
  SD_OWNED sd_layout *order = sd_alloc (SD_MAX_CANDIDATES, sizeof *order);
  if (!order)
    return sd_fail_memory (err, SD_MAX_CANDIDATES * sizeof *order);
  sd_layout_default (&sd_indexer_layout (s->from)->material, &start);
  for (unsigned i = 0; i < start.ngroups; i++)
    start.group[i].numbering = SD_ROWS;
  const unsigned norders = sd_layout_orders (&start, order, SD_MAX_CANDIDATES);
  const bool all = norders * start.ngroups <= SD_MAX_CANDIDATES;
  for (unsigned i = 0; i < norders; i++)
    for (unsigned g = 0; g < (all ? start.ngroups : 1); g++) {
      order[i].leader = all ? (uint8_t) g : order[i].leader;
      sd_search_add (c, n, &order[i]);
    }
  return SD_OK;
}

/* The best of them by samples; the default's order where there is no time for them. */
static int best_leaders (const sd_search *with, double left, sd_candidate *c, unsigned *n, sd_error *err) {
  sd_search s;
  sd_settings set;
  double a_slot;
  unsigned keep = 1;
  SD_TRY (ranking (with, &s, &set, &a_slot, err));
  SD_TRY (list_leaders (&s, c, n, err));
  const double end = sd_cpu_now () + for_leaders * left, sides = s.other ? 2 : 1;
  for (uint64_t slots = SD_LEAST_SAMPLED; *n > KEEP_BY_SAMPLES;
       slots = slots < SD_MOST_SAMPLED ? 4 * slots : SD_MOST_SAMPLED) {
    if (*n * sides * a_slot * (double) slots > end - sd_cpu_now () || sd_stopped (s.progress))
      break;
    for (unsigned i = 0; i < *n; i++)
      c[i].bytes = 0;
    set_sample (&s, slots);
    SD_TRY (sd_search_rank (&s, c, *n, "orders of the pieces, roughly", err));
    keep = KEEP_BY_SAMPLES;
    *n = *n / 4 > keep ? *n / 4 : keep;
  }
  *n = *n < KEEP_BY_SAMPLES ? *n : keep;
  return SD_OK;
}

/* Slices of about so many slots of a stream; *part has no digits: the whole. SD_ERANGE where few of them are
 * a large part of the table, since several men of a kind make up one of the last digits. */
static int cut (const sd_search *s, const sd_layout *l, uint64_t slots, uint64_t **number, sd_part *part,
                sd_error *err) {
  SD_OWN (sd_indexer) *ix = NULL;
  uint32_t radix[SD_MAX_RADICES];
  SD_TRY (sd_indexer_new (l, &ix, err));
  const uint64_t sides = s->other ? 2 : 1, all = sd_indexer_size (ix) * sides;
  *part = (sd_part){ 0 };
  if (slots >= all)
    return SD_OK;
  SD_TRY (sd_sample_slices (ix, (unsigned) (all / slots), number, part, err));
  const unsigned ndims = sd_indexer_shape (ix, radix);
  uint64_t n = part->n * sides;
  for (unsigned d = part->digits; d < ndims; d++)
    n *= radix[d];
  return n > MOST_LARGER * slots ? sd_fail (err, SD_ERANGE, "slices have too many slots") : SD_OK;
}

int sd_search_slices (const sd_search *with, const sd_layout *l, uint64_t slots, sd_search_code *out,
                      sd_error *err) {
  SD_OWNED uint64_t *number = NULL;
  sd_search s = *with;
  SD_TRY (cut (&s, l, slots, &number, &s.part, err));
  return sd_search_code_one (&s, l, out, err);
}

/* Candidates of which no small slices can be made are dropped. */
static void drop_unsliced (const sd_search *s, sd_candidate *c, unsigned *n) {
  unsigned kept = 0;
  for (unsigned i = 0; i < *n; i++) {
    SD_OWNED uint64_t *number = NULL;
    sd_part part;
    if (cut (s, &c[i].layout, LEAST_SLICES, &number, &part, NULL) == SD_OK)
      c[kept++] = c[i];
  }
  *n = kept;
}

/* The best first; one that fails stands last. */
static int rank_slices (const sd_search *s, sd_candidate *c, unsigned n, uint64_t slots, sd_error *err) {
  for (unsigned i = 0; i < n; i++) {
    sd_search_code coded;
    const bool fits =
        !sd_stopped (s->progress) && sd_search_slices (s, &c[i].layout, slots, &coded, NULL) == SD_OK;
    c[i].bytes = fits ? coded.scaled : UINT64_MAX;
  }
  return sd_search_rank (s, c, n, "orders of the pieces", err); /* nothing is left to be coded */
}

/* What a slot of slices takes the slow codec that s codes with; *told: bytes of the whole, by them. */
static int measure (const sd_search *s, const sd_layout *l, double *a_slot, uint64_t *told, sd_error *err) {
  sd_search_code coded;
  const double before = sd_cpu_now ();
  SD_TRY (sd_search_slices (s, l, LEAST_SLICES, &coded, err));
  *a_slot = larger_slices * (sd_cpu_now () - before) / (double) coded.n;
  *told = coded.scaled;
  return SD_OK;
}

sd_settings sd_search_quicker (const sd_search_options *how, const sd_codec *codec, const sd_settings *set) {
  sd_settings out = *set;
  if (codec->trials.quick && sd_search_may_vary (how, codec->trials.quick))
    sd_search_put (&out, codec->trials.quick);
  return out;
}

int sd_search_slow_layouts (const sd_search *with, const sd_codec *codec, const sd_settings *set, double left,
                            double best, sd_sampled_layouts *out, sd_error *err) {
  const sd_settings quicker = sd_search_quicker (with->how, codec, set);
  const uint64_t all = sd_indexer_size (with->from) * (with->other ? 2 : 1);
  sd_search s = *with;
  unsigned n = 0;
  double a_slot;
  uint64_t told, slots;
  *out = (sd_sampled_layouts){ .n = 0 };
  if (for_slices * left < slow_slot * LEAST_SLICES)
    return SD_OK;
  SD_OWNED sd_candidate *c = room (err);
  if (!c)
    return SD_ENOMEM;
  s.codec = codec;
  s.settings = &quicker;
  s.extent = (sd_extent){ 0 };
  SD_TRY (best_leaders (&s, left, c, &n, err));
  drop_unsliced (&s, c, &n);
  if (n == 0)
    return sd_fail (err, SD_ERANGE, "no layout has small slices");
  SD_TRY (measure (&s, &c[0].layout, &a_slot, &told, err));
  out->hopeless = (double) told > hopeless * best;
  if (out->hopeless)
    return SD_OK;
  slots = size_of (for_slices * left,
                   a_slot * ((double) KEEP_BY_SAMPLES / SMALL_SLICES + KEEP_BY_SLICES + sampled_alike), all);
  if (slots < SMALL_SLICES * LEAST_SLICES && slots < all) { /* too few to compare layouts with */
    slots = LEAST_SLICES;
    n = 1;
  } else {
    SD_TRY (rank_slices (&s, c, n, slots / SMALL_SLICES, err));
    SD_TRY (rank_slices (&s, c, n < KEEP_BY_SLICES ? n : KEEP_BY_SLICES, slots, err));
  }
  for (unsigned i = 0; i < n && i < SD_FINALISTS && c[i].bytes != UINT64_MAX; i++)
    sd_search_add (out->layout, &out->n, &c[i].layout);
  out->slices = slots;
  return SD_OK;
}
