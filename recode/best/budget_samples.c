/* What samples tell a search within a budget of codecs that look at neighbours: which layouts suit them, and
 * in the best of these how many bytes the whole would take, and how long its coding. The samples are as large
 * as a small share of the budget allows. Diagrams are not sampled: no sample says enough of them
 * (papers/sampled).
 *
 * Codecs that are slow to code (`slow` in their rows) ask for digits of the index, and get slices. */
#include "config.h"
#include "codecs/codecs.h"
#include "recode/best/budget_internal.h"
#include <stdlib.h>

/* Shares of the time that is left, for both sides to move together; and CPU seconds a slot that a coding
 * takes about, by which the size of samples is chosen: of the codec that ranks layouts; all trials of quick
 * codecs; of slow ones. */
static const double for_layouts = 0.05, for_codecs = 0.08;
static const double ranking_slot = 0.6e-6, quick_slot = 10e-6, slow_slot = 20e-6;
enum { LEAST = 1 << 13, MOST = 1 << 19, PIECES = 64, MORE_LAYOUTS = 60, MOST_SLICES = 4096 };

static uint64_t size_of (double seconds, double a_slot, uint64_t all) {
  double n = seconds / a_slot;
  n = n > MOST ? MOST : n;
  return n > (double) all ? all : (uint64_t) n;
}

static void add_layout (sd_goal *g, const sd_layout *l) {
  sd_layout rows = *l;
  for (unsigned i = 0; i < rows.ngroups; i++)
    rows.group[i].numbering = SD_ROWS;
  sd_search_add (g->layout[0], &g->nlayouts[0], l);
  sd_search_add (g->layout[1], &g->nlayouts[1], &rows);
  sd_search_add (g->layout[1], &g->nlayouts[1], l);
}

static int sample_layouts (sd_budgeted *b, sd_goal *g, uint64_t slots, sd_error *err) {
  const sd_codec *codec = sd_search_ranking_codec ();
  sd_search s = g->search;
  sd_settings set;
  unsigned n = 0;
  SD_OWNED sd_candidate *c = sd_alloc (SD_MAX_CANDIDATES, sizeof *c);
  if (!c)
    return sd_fail_memory (err, SD_MAX_CANDIDATES * sizeof *c);
  SD_TRY (sd_settings_parse (codec, codec->trials.ranking, &set, err));
  s.codec = codec;
  s.settings = &set;
  s.extent = (sd_extent){ PIECES, slots / PIECES };
  const int status = sd_search_layouts (&s, c, &n, err);
  for (unsigned i = 0; status == SD_OK && i < n && i < SD_FINALISTS; i++)
    add_layout (g, &c[i].layout);
  return status == SD_ESTOPPED || sd_stopped (&b->clock) ? SD_OK : status;
}

/* Slices of about so many slots, spread over the table; number has room for MOST_SLICES. */
static int slices (const sd_layout *l, uint64_t slots, uint64_t *number, sd_part *out, sd_error *err) {
  SD_OWN (sd_indexer) *ix = NULL;
  uint32_t radix[SD_MAX_RADICES];
  SD_TRY (sd_indexer_new (l, &ix, err));
  const unsigned ndims = sd_indexer_shape (ix, radix);
  const uint64_t all = sd_indexer_size (ix);
  uint64_t values = radix[0];
  *out = (sd_part){ 0 };
  if (ndims < 2 || slots >= all)
    return SD_OK;
  unsigned digits = 1;
  while (digits + 1 < ndims && all / values > slots / 2)
    values *= radix[digits++];
  uint64_t n = slots / (all / values);
  n = n < 1 ? 1 : n > MOST_SLICES ? MOST_SLICES : n > values ? values : n;
  for (uint64_t i = 0; i < n; i++) {
    uint64_t seed = i; /* anywhere in its range: equal steps would meet the same squares again and again */
    number[i] = i * values / n + sd_random (&seed) % ((i + 1) * values / n - i * values / n);
  }
  *out = (sd_part){ digits, (uint32_t) n, number };
  return SD_OK;
}

/* The smallest of the codec's settings that keeps the bound; slow ones from the last on, which is the
 * smallest. */
static void sample_codec (sd_budgeted *b, sd_family *f, const sd_search *with) {
  const sd_trials *of = &f->codec->trials;
  sd_search s = *with;
  const sd_layout *l = &b->group[f->group].layout[of->slow][0].layout;
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
    s.settings = &next.settings;
    const double before = sd_cpu_now ();
    if (sd_search_code_one (&s, l, &coded, NULL) || coded.n == 0)
      continue;
    const double took = sd_cpu_now () - before;
    sd_tried *t = sd_budget_note (b, f, &next);
    if (t) {
      t->bytes = coded.scaled;
      t->seconds = took;
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
    f->sampled_seconds = took * (double) coded.all / (double) coded.n;
    if (of->slow)
      break;
  }
}

int sd_budget_sample (sd_budgeted *b, unsigned group, sd_error *err) {
  sd_goal *g = &b->group[group];
  const unsigned sides = (unsigned) (b->group[0].open + b->group[1].open);
  const double left = sd_budget_left (b) / sides;
  const uint64_t all = sd_indexer_size (b->all->from);
  sd_layout plain;
  bool any = false, slow = false;
  for (unsigned i = 0; i < b->nfamilies; i++)
    if (b->family[i].group == group && !b->family[i].diagram) {
      any = true;
      slow |= b->family[i].codec->trials.slow;
    }
  const uint64_t slots = size_of (for_codecs * left, quick_slot + (slow ? slow_slot : 0), all);
  if (!any || slots < LEAST)
    return SD_OK;
  SD_TRY (sd_budget_data (b, group, err));
  sd_layout_default (&sd_indexer_layout (b->all->from)->material, &plain);
  unsigned orders = 1;
  for (unsigned i = 2; i <= plain.ngroups; i++)
    orders *= i;
  const uint64_t to_rank = size_of (for_layouts * left, ranking_slot * (orders + MORE_LAYOUTS), all);
  if (to_rank >= LEAST)
    SD_TRY (sample_layouts (b, g, to_rank, err));
  if (!g->nlayouts[0])
    add_layout (g, &plain);

  uint64_t number[MOST_SLICES];
  sd_search quick = g->search, digits = g->search;
  quick.extent = (sd_extent){ PIECES, slots / PIECES };
  SD_TRY (slices (&g->layout[1][0].layout, slots, number, &digits.part, err));
  for (unsigned i = 0; i < b->nfamilies; i++) {
    sd_family *f = &b->family[i];
    if (f->group == group && !f->diagram && !f->plain_bytes && !sd_stopped (&b->clock))
      sample_codec (b, f, f->codec->trials.slow ? &digits : &quick);
  }
  return SD_OK;
}
