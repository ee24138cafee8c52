/* What samples tell a search within a budget of codecs that look at neighbours: how many bytes the whole
 * would take in the layout that suits them best (sampled_layouts.c), and how long its coding. The samples are
 * as large as a small share of the budget allows. Diagrams are not sampled: no sample says enough of them
 * (papers/sampled).
 *
 * Codecs that are slow to code (`slow` in their rows) get slices. Where one stream for both sides to move may
 * be made, and its values do not take too long, layouts are sought for that, and the sides are sampled in the
 * best of them. */
#include "config.h"
#include "codecs/codecs.h"
#include "recode/best/budget_internal.h"
#include <stdlib.h>

/* Shares of the time that is left: for samples of quick codecs of one side to move; at most for the values of
 * both sides in one stream. */
static const double for_quick = 0.08, for_values = 0.2;
/* CPU seconds that all trials of quick codecs take about for a slot; and so many times what a slow codec
 * takes for a slot of slices it takes for one of the whole. */
static const double quick_slot = 10e-6, whole_slot = 2;

static int code (const sd_search *with, const sd_layout *l, uint64_t slots, sd_search_code *out) {
  sd_search s = *with;
  if (s.codec->trials.slow)
    return sd_search_slices (&s, l, slots, out, NULL);
  s.extent = (sd_extent){ SD_SAMPLE_PIECES, slots / SD_SAMPLE_PIECES };
  return sd_search_code_one (&s, l, out, NULL);
}

/* The smallest of the codec's settings that keeps the bound; slow ones from the last on, which is the
 * smallest. */
static void sample_codec (sd_budgeted *b, sd_family *f, uint64_t slots) {
  const sd_trials *of = &f->codec->trials;
  sd_search s = b->group[f->group].search;
  const sd_layout *l = &b->group[f->group].layouts[of->slow].layout[0].layout;
  unsigned n = 0;
  while (n < 8 && of->settings[n])
    n++;
  s.codec = f->codec;
  const bool given = s.how->fixed_codec;
  for (unsigned k = given ? 1 : n; k-- > 0 && !sd_stopped (&b->clock);) {
    sd_next next = { .how = SD_TRIED_SAMPLE, .more = SD_PLAIN, .layout = *l, .settings = f->plain };
    sd_search_code coded;
    if (!given && sd_settings_parse (f->codec, of->settings[k], &next.settings, NULL))
      continue;
    next.settings = sd_search_quicker (b->all->how, f->codec, &next.settings);
    s.settings = &next.settings;
    const double before = sd_cpu_now ();
    if (code (&s, l, slots, &coded) || coded.n == 0)
      continue;
    const double took = sd_cpu_now () - before;
    sd_tried *t = sd_budget_note (b, f, &next);
    if (t) {
      t->bytes = coded.scaled;
      t->seconds = took;
    }
    /* Of White with two rooks against one all is won but a few slots, of which the sample has none. One
     * coding is worth its time, by the codec to which what repeats is cheapest. */
    if (coded.bytes <= SD_CONSTANT_BYTES && coded.n < coded.all && f->codec != sd_search_ranking_codec ()) {
      sd_search_why (&s, f->codec,
                     "not tried: its sample has one value only, which tells nothing of the rest");
      continue;
    }
    if (!sd_search_keeps_bound (s.how, coded.seconds / sd_close_to_best)) {
      sd_search_row *row = sd_search_row_of (&s, f->codec);
      row->seconds = row->seconds > 0 && row->seconds < coded.seconds ? row->seconds : coded.seconds;
      sd_search_too_slow (&s, f->codec);
      continue;
    }
    if (f->sampled > 0 && (double) coded.scaled >= f->sampled)
      continue;
    sd_search_row_of (&s, f->codec)->why[0] = 0;
    f->plain = next.settings;
    f->sampled = (double) coded.scaled;
    f->sampled_seconds =
        (of->slow && coded.n < coded.all ? whole_slot : 1) * took * (double) coded.all / (double) coded.n;
    if (of->slow)
      break;
  }
}

/* The first codec of the kind; NULL: there is none. */
static sd_family *first (sd_budgeted *b, unsigned group, bool slow) {
  for (unsigned i = 0; i < b->nfamilies; i++) {
    sd_family *f = &b->family[i];
    if (f->group == group && !f->diagram && f->codec->trials.slow == slow)
      return f;
  }
  return NULL;
}

static void sample_all (sd_budgeted *b, unsigned group, bool slow, uint64_t slots) {
  for (unsigned i = 0; i < b->nfamilies && !sd_stopped (&b->clock); i++) {
    sd_family *f = &b->family[i];
    if (f->group == group && !f->diagram && !f->plain_bytes && f->codec->trials.slow == slow)
      sample_codec (b, f, slots);
  }
}

/* Without time for samples: of a table of few bytes one coding is worth its time, by the codec to which what
 * repeats is cheapest. */
static void expect_little (sd_budgeted *b, unsigned group) {
  sd_sampled_layouts *to = &b->group[group].layouts[false];
  const sd_family *begun = sd_budget_family (b, group, b->all->spec->side[0].codec);
  sd_family *f = sd_budget_family (b, group, sd_search_ranking_codec ());
  sd_layout plain;
  if (!f || f->plain_bytes || !begun || sd_budget_total (b) >= SD_FEW_BYTES)
    return;
  sd_layout_default (&sd_indexer_layout (b->all->from)->material, &plain);
  sd_search_add (to->layout, &to->n, &plain);
  f->sampled = SD_CONSTANT_BYTES;
  f->sampled_seconds = begun->plain_seconds;
}

static int sample_quick (sd_budgeted *b, unsigned group, double left, sd_error *err) {
  const uint64_t all = sd_indexer_size (b->all->from);
  const double n = for_quick * left / quick_slot / (group == SD_BOTH ? 2 : 1);
  const uint64_t most = SD_MOST_SAMPLED < all ? SD_MOST_SAMPLED : all,
                 slots = n > (double) most ? most : (uint64_t) n;
  if (slots < SD_LEAST_SAMPLED)
    expect_little (b, group);
  if (slots < SD_LEAST_SAMPLED || !first (b, group, false))
    return SD_OK;
  SD_TRY (sd_budget_data (b, group, err));
  SD_TRY (sd_search_quick_layouts (&b->group[group].search, left, &b->group[group].layouts[false], err));
  sample_all (b, group, false, slots);
  return SD_OK;
}

/* Slow codecs of the group are not tried, and why. */
static void leave_out_slow (sd_budgeted *b, unsigned group, const char *why) {
  for (unsigned i = 0; i < b->nfamilies; i++) {
    const sd_family *f = &b->family[i];
    if (f->group == group && !f->diagram && f->codec->trials.slow && !f->plain_bytes)
      sd_search_why (&b->group[group].search, f->codec, "%s", why);
  }
}

static int sample_slow (sd_budgeted *b, unsigned group, double left, sd_error *err) {
  sd_sampled_layouts *slow = &b->group[group].layouts[true], *both = &b->group[SD_BOTH].layouts[true];
  const sd_family *f = first (b, group, true);
  if (!f)
    return SD_OK;
  if (sd_budget_total (b) < SD_FEW_BYTES && !b->all->how->fixed_codec) {
    leave_out_slow (b, group, SD_WHY_FEW_BYTES);
    return SD_OK;
  }
  /* The values of one stream for both sides take as long as those of the sides. */
  if (group == SD_BOTH && b->group[0].subdefine_seconds + b->group[1].subdefine_seconds > for_values * left)
    return SD_OK;
  if (group != SD_BOTH && (both->n || both->hopeless)) {
    *slow = *both;
    slow->slices /= 2;
  } else {
    SD_TRY (sd_budget_data (b, group, err));
    SD_TRY (sd_search_slow_layouts (&b->group[group].search, f->codec, &f->plain, left,
                                    (double) sd_budget_total (b), slow, err));
  }
  if (slow->hopeless)
    leave_out_slow (b, group, SD_WHY_HOPELESS);
  if (!slow->n)
    return SD_OK;
  SD_TRY (sd_budget_data (b, group, err));
  sample_all (b, group, true, slow->slices);
  return SD_OK;
}

void sd_budget_sample (sd_budgeted *b) {
  const unsigned sides = (unsigned) (b->group[0].open + b->group[1].open);
  for (unsigned g = SD_BUDGET_GROUPS; g-- > 0;) {
    if (!b->group[g].open)
      continue;
    const double streams = g == SD_BOTH ? 1 : sides;
    /* There is a table already: what fails here, or is stopped, is not sampled. */
    if (!sd_budget_is_over (b))
      (void) sample_slow (b, g, sd_budget_left (b) / streams, NULL);
    if (!sd_budget_is_over (b) && (g != SD_BOTH || !sides))
      (void) sample_quick (b, g, sd_budget_left (b) / streams, NULL);
  }
}
