/** \file fuzz_syzygy_trip.c
 * There and back with the writer of Syzygy streams: a sequence over any alphabet, any effort; what the writer
 * made is what the reader of files expects, and what is read, together, in part and slot by slot, completes
 * the sequence. An encoder that refuses one is a finding.
 *
 * Input: u8 kind (effort and size, see below), u8 sets (bit 0: the sets "up to a value" of WDL files, not
 * only the one that permits all; the rest: which other ones), u8 flags (see below), u8 how much longer runs
 * are, u32 from which an effort is drawn, varint m - 1, then pairs of u8: a symbol and how often it stands
 * there; or, as the flags say, slots drawn from the u32 instead. */
#include "config.h"
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "syzygy/syzygy_write.h"

enum {
  MOST_SLOTS = 6000,
  MOST_STRETCHED = (1 << 18) + 100, /* with longer runs: a little behind a span of the sparse index */
  WORDS_SLOTS = 8000,
  MOST_WORDS = 4000,
  MOST_MAIN = SD_SYZYGY_MAX_SYMBOLS
};
/* Of the flags: a stream of one value may have the value 0 only; both of the last two: words that fill a
 * dictionary. */
enum { ZERO_ONLY = 1, WORDS = 2 + 4 };

/* A kind is an effort and a size: what the slots of the input count as. */
enum { DRAWN, DEFAULT, HIGH, DTZ, EFFORTS };
enum { SMALL, MIDDLE, LARGE, SIZES };
static const char *const kind_name[EFFORTS][SIZES] = {
  [DRAWN] = { "drawn, small", "drawn, middle", "drawn, large" },
  [DEFAULT] = { "default, small", "default, middle", "default, large" },
  [HIGH] = { "high, small", "high, middle", "high, large" },
  [DTZ] = { "DTZ, small", "DTZ, middle", "DTZ, large" },
};

sd_fuzz_count sd_fuzz_counts[SD_FUZZ_KINDS]; /* by kind; accepted: not of one value */

/* ------------------------------------------------------------------ efforts */

static unsigned draw (uint64_t *state, unsigned from, unsigned to) {
  return from + (unsigned) (sd_random (state) >> 16) % (to - from + 1);
}

/* An initial replacement without a parameter, or none. */
static const char *draw_initial (uint64_t *state) {
  size_t n;
  const sd_initial *const *all = sd_initial_all (&n);
  const sd_initial *one = all[draw (state, 0, (unsigned) n - 1)];
  switch (draw (state, 0, 2)) {
  case 0:
    return NULL;
  case 1:
    return one->takes_param ? NULL : one->name;
  default:
    return "ternary";
  }
}

/* One by one: members of an initializer could be drawn in any order. */
static sd_syzygy_effort draw_effort (uint64_t *state) {
  sd_syzygy_effort e = { .orders = 1 };
  e.rounds = draw (state, 0, 4);
  e.restarts = draw (state, 0, 3);
  e.slack = draw (state, 0, 400);
  e.small_restarts = draw (state, 0, 4);
  e.small_slack = draw (state, 0, 400);
  e.wide_rounds = draw (state, 0, 4);
  e.initial = draw_initial (state);
  e.large_rounds = draw (state, 0, 4);
  e.large_restarts = draw (state, 0, 2);
  e.large_wide_rounds = draw (state, 0, 2);
  e.large_slack = draw (state, 0, 3) * 40;
  e.large_lead = draw (state, 0, 4) * 256;
  e.least_block_bits = draw (state, 5, draw (state, 0, 7) ? 10 : 16);
  e.block_bits = draw (state, e.least_block_bits, e.least_block_bits < 10 ? 10 : 16);
  return e;
}

/* Let n slots count as what `size` says, just so or by far; one slot is never large. */
static void set_bounds (sd_syzygy_effort *e, unsigned size, uint64_t n, uint64_t *state) {
  const uint64_t some = (sd_random (state) >> 16) % n;
  e->small = size == SMALL ? n + some * draw (state, 0, 1) : draw (state, 0, 1) ? n - 1 : some;
  e->large = size != LARGE ? n * draw (state, 0, 1) : draw (state, 0, 1) ? n - 1 : some;
  e->sample = draw (state, 0, 3) ? 1 + some : n * draw (state, 0, 2);
}

static sd_syzygy_effort make_effort (unsigned which, unsigned size, uint64_t n, uint64_t *state) {
  sd_syzygy_effort e = which == DEFAULT ? SD_SYZYGY_WDL_EFFORT
                       : which == HIGH  ? SD_SYZYGY_WDL_HIGH
                       : which == DTZ   ? SD_SYZYGY_DTZ_EFFORT
                                        : draw_effort (state);
  set_bounds (&e, size, n, state);
  return e;
}

/* ------------------------------------------------------------------ reading */

/* Memory that ends where the bytes end; NULL: it is short. */
static uint8_t *exact (const sd_buf *b) {
  uint8_t *copy = sd_alloc (b->len, 1);
  if (copy && b->len)
    memcpy (copy, b->data, b->len);
  return copy;
}

static unsigned get_u16 (sd_reader *r) {
  const unsigned low = sd_get_u8 (r);
  return low | sd_get_u8 (r) << 8;
}

/* The header, by the rules of the reader of files (syzygy/header.c); false: memory is short. */
static bool read_header (const uint8_t *header, size_t bytes, sd_syzygy_pairs *p) {
  sd_reader r = sd_reader_of (header, bytes);
  p->block_bits = sd_get_u8 (&r);
  p->span_bits = sd_get_u8 (&r);
  p->padding = sd_get_u8 (&r);
  p->blocks = sd_get_u32 (&r);
  p->max_bits = sd_get_u8 (&r);
  p->min_bits = sd_get_u8 (&r);
  SD_FUZZ_CHECK (p->span_bits >= 1 && p->span_bits <= 31 && p->blocks >= 1 && p->min_bits >= 1
                 && p->min_bits <= p->max_bits && p->max_bits <= SD_SYZYGY_MAX_BITS);
  for (unsigned i = 0; i <= p->max_bits - p->min_bits; i++)
    p->lowest[i] = (uint16_t) get_u16 (&r);
  p->symbols = get_u16 (&r);
  SD_FUZZ_CHECK (p->symbols >= 1 && p->symbols <= SD_SYZYGY_MAX_SYMBOLS);
  const uint8_t *b = sd_get_bytes (&r, (uint64_t) 3 * p->symbols);
  SD_FUZZ_CHECK (!r.bad && r.p == r.end);
  p->symbol = sd_alloc (p->symbols, sizeof *p->symbol);
  for (unsigned i = 0; p->symbol && i < p->symbols; i++, b += 3) {
    p->symbol[i].left = (uint16_t) (b[0] | (b[1] & 15) << 8);
    p->symbol[i].right = (uint16_t) (b[1] >> 4 | b[2] << 4);
  }
  return p->symbol != NULL;
}

/* A stream of n slots as a file would hold it; false: memory is short. To be closed. */
static bool open_stream (const sd_syzygy_stream *s, uint64_t n, sd_syzygy_pairs *p) {
  *p = (sd_syzygy_pairs){ .flags = s->single ? SD_SYZYGY_SINGLE : 0, .value = s->value };
  if (s->single)
    return true;
  p->sparse = exact (&s->sparse);
  p->lengths = exact (&s->lengths);
  p->data = exact (&s->data);
  if (!p->sparse || !p->lengths || !p->data || !read_header (s->header.data, s->header.len, p))
    return false;
  p->entries = ((n - 1) >> p->span_bits) + 1;
  SD_FUZZ_CHECK (s->sparse.len == p->entries * SD_SYZYGY_SPARSE_BYTES);
  SD_FUZZ_CHECK (s->lengths.len == 2 * ((uint64_t) p->blocks + p->padding));
  SD_FUZZ_CHECK (s->data.len == (uint64_t) p->blocks << p->block_bits);
  SD_FUZZ_CHECK (sd_syzygy_pairs_prepare (p, NULL) == SD_OK);
  return true;
}

static void close_stream (sd_syzygy_pairs *p) {
  free ((uint8_t *) p->sparse);
  free ((uint8_t *) p->lengths);
  free ((uint8_t *) p->data);
  free (p->symbol);
}

static void read_back (const sd_syzygy_pairs *p, const sd_seq *seq) {
  SD_OWNED uint16_t *all = sd_alloc (seq->n, sizeof *all);
  SD_OWNED uint16_t *part = sd_alloc (seq->n, sizeof *part);
  unsigned alone;
  if (!all || !part)
    return;
  SD_FUZZ_CHECK (sd_syzygy_pairs_read (p, 0, seq->n, all) == SD_OK);
  for (uint64_t i = 0; i < seq->n; i++)
    SD_FUZZ_CHECK (all[i] < sd_alphabet_main (seq->alphabet));
  SD_FUZZ_CHECK (sd_seq_first_violation (seq, all) == seq->n);
  for (uint64_t i = 0; i < seq->n; i++)
    SD_FUZZ_CHECK (sd_syzygy_pairs_get (p, i, &alone) == SD_OK && alone == all[i]);
  for (uint64_t i = 0; i < seq->n; i += 1 + seq->n / 8) {
    const uint64_t count = 1 + (seq->n - i - 1) / 2;
    SD_FUZZ_CHECK (sd_syzygy_pairs_read (p, i, count, part) == SD_OK);
    SD_FUZZ_CHECK (memcmp (part, all + i, count * sizeof *part) == 0);
  }
}

/* ---------------------------------------------------------- there and back */

/* false: the stream has one value. */
static bool there_and_back (const sd_seq *seq, const sd_syzygy_effort *effort) {
  sd_syzygy_stream made;
  sd_syzygy_pairs p;
  sd_error err = { 0 };
  SD_FUZZ_CHECK (sd_syzygy_encode (seq, effort, &made, &err) == SD_OK);
  SD_FUZZ_CHECK (!made.single || made.value <= effort->most_single);
  const bool coded = !made.single, open = open_stream (&made, seq->n, &p);
  if (open && coded)
    SD_FUZZ_CHECK (p.block_bits >= effort->least_block_bits && p.block_bits <= effort->block_bits);
  sd_syzygy_stream_clear (&made);
  if (open)
    read_back (&p, seq);
  close_stream (&p);
  return coded;
}

/* The sets of WDL files or the one of DTZ files, and any others; false: memory is short. */
static bool add_sets (sd_alphabet *a, unsigned sets) {
  const unsigned m = sd_alphabet_main (a);
  sd_symbol s;
  for (unsigned v = sets & 1 && m <= 5 ? 1 : m - 1; v < m; v++)
    if (sd_alphabet_add_range (a, 0, v, &s))
      return false;
  return sd_fuzz_add_sets (a, sets >> 1);
}

/* Slots that the input does not say, but the state: words of a few slots each, over and over again. */
static bool draw_words (uint64_t *state, sd_seq *seq) {
  const unsigned size = sd_alphabet_size (seq->alphabet),
                 words = draw (state, 1, draw (state, 1, MOST_WORDS));
  const uint64_t seed = sd_random (state);
  seq->n = draw (state, WORDS_SLOTS / 8, WORDS_SLOTS);
  seq->sym = sd_alloc (seq->n, sizeof *seq->sym);
  for (uint64_t i = 0; seq->sym && i < seq->n;) {
    uint64_t word = seed + draw (state, 0, words - 1);
    for (unsigned left = draw (&word, 1, 4); left && i < seq->n; left--)
      seq->sym[i++] = (sd_symbol) draw (&word, 0, size - 1);
  }
  return seq->sym != NULL;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  sd_reader r = sd_reader_of (data, size);
  const unsigned kind = sd_get_u8 (&r) % (EFFORTS * SIZES), sets = sd_get_u8 (&r), flags = sd_get_u8 (&r),
                 longer = sd_get_u8 (&r);
  uint64_t state = sd_get_u32 (&r);
  const uint64_t m = sd_get_varint (&r) + 1;
  sd_alphabet *alphabet;
  if (r.bad || m > MOST_MAIN || sd_alphabet_new ((unsigned) m, &alphabet))
    return 0;
  sd_seq seq = { .alphabet = alphabet };
  if (add_sets (alphabet, sets)
      && ((flags & WORDS) == WORDS
              ? draw_words (&state, &seq)
              : sd_fuzz_read_runs (&r, longer ? MOST_STRETCHED : MOST_SLOTS, 1 + longer, &seq))) {
    sd_syzygy_effort effort = make_effort (kind / SIZES, kind % SIZES, seq.n, &state);
    effort.most_single = flags & ZERO_ONLY ? 0 : 4;
    sd_fuzz_count_one (kind, kind_name[kind / SIZES][kind % SIZES], there_and_back (&seq, &effort));
  }
  free (seq.sym);
  sd_alphabet_free (alphabet);
  return 0;
}

/* Most rows are short; the last one has words, for which few symbols are left, or long sequences, the row in
 * the middle long runs. */
bool sd_fuzz_seed (unsigned k, sd_buf *out) {
  enum { ROWS = 15, MIDDLE_ROW = 7, LAST_ROW = 14 };
  static const unsigned sizes[] = { 3, 5, 100, 4, 30 }, lengths[] = { 6, 40, 150 };
  const unsigned row = k / (EFFORTS * SIZES), last = row == LAST_ROW,
                 words = last && (k % SIZES == LARGE || k % 2),
                 m = words ? MOST_MAIN - 30 * (k % SIZES) : sizes[row % 5];
  uint64_t state = k;
  if (row >= ROWS)
    return false;
  sd_buf_u8 (out, k % (EFFORTS * SIZES));
  sd_buf_u8 (out, 5 * row + 1);
  sd_buf_u8 (out, (words ? WORDS : 0) | (row % 2 ? ZERO_ONLY : 0));
  sd_buf_u8 (out, row == MIDDLE_ROW ? 100 : last ? 16 : 0);
  sd_buf_u32 (out, (uint32_t) sd_random (&state));
  sd_buf_varint (out, m - 1);
  for (unsigned i = 0; i < (last ? 1300 : lengths[row / 5]); i++) {
    const uint64_t r = sd_random (&state);
    sd_buf_u8 (out, (unsigned) (r >> 8 & (r & 64 ? 255 : 7)));
    sd_buf_u8 (out, r & 7 ? (unsigned) (r >> 32 & 15) : (unsigned) (r >> 32 & 127));
  }
  return !out->failed;
}
