/** \file runs.c
 * Writing runs of one usual symbol, each ended by another symbol, as the codes of test cubes have them: of
 * two symbols, 0 and 1, the bits are those of the literature. Of more symbols the one behind a run has a
 * canonical Huffman code. Blocks of a fixed number of coded bytes and an exact index of their first slots
 * (starts.c) make slots accessible; what does not fit into a block begins the next one. */
#include "config.h"
#include "codecs/entropy/entropy.h"
#include "codecs/runs/runs_internal.h"

#include <stdlib.h>

#define BLOCK_TUNABLE                                                                                        \
  { "block", "bytes of compressed data in a block", "128", SD_RUNS_MIN_BLOCK, SD_RUNS_MAX_BLOCK, NULL }

const sd_tunable sd_golomb_tunables[] = {
  SD_TUNABLE_INITIAL ("frequent"),
  BLOCK_TUNABLE,
  { "group", "slots that a length is divided by; best: those with the fewest bits", "best", 1, 0,
    "best|1|2|4|8|16|32|64|128|256|512|1024|2048|4096|8192|16384|32768|65536" },
  { 0 },
};

const sd_tunable sd_fdr_tunables[] = {
  SD_TUNABLE_INITIAL ("frequent"),
  BLOCK_TUNABLE,
  { 0 },
};

typedef struct encoder {
  const sd_run_code *run;
  const sd_symbol *sym;
  uint64_t n;
  unsigned m, usual, group;
  uint8_t *bits; /* [m] of the code of a symbol that ends a run; 0: not needed */
  uint32_t *code;
  uint64_t *freq;
  sd_start_list starts;
} encoder;

/* Slots of the usual symbol from i on. */
static uint64_t run_at (const encoder *e, uint64_t i) {
  const uint64_t first = i;
  while (i < e->n && e->sym[i] == e->usual)
    i++;
  return i - first;
}

static void count_symbols (encoder *e) {
  for (uint64_t i = 0; i < e->n; i++)
    e->freq[e->sym[i]]++;
  for (unsigned s = 1; s < e->m; s++)
    if (e->freq[s] > e->freq[e->usual])
      e->usual = s;
  e->freq[e->usual] = 0; /* no run ends with it */
}

/* The group with the fewest bits; of equal ones the smallest. */
static unsigned best_group (const encoder *e) {
  uint64_t bits[SD_RUNS_GROUPS] = { 0 };
  unsigned best = 0;
  for (uint64_t i = 0, length; i < e->n; i += length + 1) {
    length = run_at (e, i);
    for (unsigned g = 0; g < SD_RUNS_GROUPS; g++)
      bits[g] += (length >> g) + 1 + g;
  }
  for (unsigned g = 1; g < SD_RUNS_GROUPS; g++)
    best = bits[g] < bits[best] ? g : best;
  return best;
}

/* Of two symbols the other one ends every run, and so does a lone one: there is nothing to be coded. */
static int make_code (encoder *e) {
  SD_TRY (sd_huffman_lengths (e->freq, e->m, SD_RUNS_CODE, e->bits));
  return sd_runs_lone (e->bits, e->m) == SD_RUNS_CODED ? sd_huffman_codes (e->bits, e->m, e->code) : SD_OK;
}

/* What may be written to the payload: the bits that its last block has left. */
typedef struct payload {
  sd_bitw w;
  uint64_t room;
  unsigned block;
} payload;

/* A block for `bits` bits that stand for slots from i on. */
static int make_room (encoder *e, payload *p, unsigned bits, uint64_t i) {
  if (p->room >= bits && i > 0)
    return SD_OK;
  for (; p->room > 32; p->room -= 32)
    sd_bitw_put (&p->w, 0, 32);
  sd_bitw_put (&p->w, 0, (unsigned) p->room);
  p->room = 8 * (uint64_t) p->block;
  return sd_start_list_add (&e->starts, i);
}

/* The next code of a run that has `left` slots from *i on. */
static int put_run (encoder *e, bool coded, payload *p, uint64_t left, sd_coded_run *run, uint64_t *i) {
  uint64_t code;
  *run = e->run->put (left, e->group, &code);
  /* The last run may end with the sequence. */
  const bool other = run->ends && *i + run->slots < e->n;
  const unsigned symbol = other ? e->sym[*i + run->slots] : e->usual,
                 bits = other && coded ? e->bits[symbol] : 0;
  SD_TRY (make_room (e, p, run->bits + bits, *i));
  sd_bitw_put (&p->w, code, run->bits);
  if (bits)
    sd_bitw_put (&p->w, e->code[symbol], bits);
  p->room -= run->bits + bits;
  *i += run->slots + other;
  return SD_OK;
}

static int put_runs (encoder *e, bool coded, payload *p) {
  for (uint64_t i = 0; i < e->n;) {
    uint64_t left = run_at (e, i);
    sd_coded_run run = { 0 };
    for (; !run.ends && i < e->n; left -= run.slots)
      SD_TRY (put_run (e, coded, p, left, &run, &i));
  }
  sd_bitw_flush (&p->w);
  return sd_buf_status (p->w.out);
}

static int put_stream (encoder *e, const sd_settings *set, sd_buf *out) {
  SD_RELEASED_BY (sd_buf_free) sd_buf coded = { 0 };
  payload p = { .w = { .out = &coded }, .block = (unsigned) sd_settings_int (set, "block") };
  count_symbols (e);
  SD_TRY (make_code (e));
  if (e->run->grouped) {
    const char *group = sd_settings_word (set, "group");
    e->group = group[0] == 'b' ? best_group (e) : (unsigned) __builtin_ctzl (strtoul (group, NULL, 10));
  }
  SD_TRY (put_runs (e, sd_runs_lone (e->bits, e->m) == SD_RUNS_CODED, &p));

  sd_buf_varint (out, p.block - SD_RUNS_MIN_BLOCK);
  sd_buf_varint (out, e->starts.n);
  sd_buf_varint (out, e->usual);
  if (e->run->grouped)
    sd_buf_varint (out, e->group);
  if (e->m > 2)
    sd_huffman_put_lengths (e->bits, e->m, out);
  sd_starts_write (e->starts.at, e->starts.n, e->n, out);
  sd_buf_append (out, coded.data, coded.len);
  return sd_buf_status (out);
}

int sd_runs_encode (const sd_encoding *what, sd_buf *out, sd_error *err) {
  const sd_seq *src = what->src;
  encoder e = {
    .run = sd_run_code_of (what->codec), .sym = src->sym, .n = src->n, .m = sd_alphabet_main (src->alphabet)
  };
  if (e.n >> 48)
    return sd_fail (err, SD_ERANGE, "%s: more than 2^48 symbols", what->codec->name);
  e.bits = sd_alloc0 (e.m, sizeof *e.bits);
  e.code = sd_alloc0 (e.m, sizeof *e.code);
  e.freq = sd_alloc0 (e.m, sizeof *e.freq);
  const int st = e.bits && e.code && e.freq ? put_stream (&e, what->set, out) : SD_ENOMEM;
  free (e.bits);
  free (e.code);
  free (e.freq);
  free (e.starts.at);
  return st ? sd_fail_memory (err, 0) : SD_OK;
}
