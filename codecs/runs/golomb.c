/** \file golomb.c
 * Golomb's code of run lengths, as test cubes of circuits are coded (Chandra, Chakrabarty 2001): the length
 * is divided by a group of 2^group slots, the quotient stands in unary, the rest in `group` bits. 32 ones are
 * a code of their own, behind which the run goes on, so that a code ends within a block; the bits are the
 * same. Layout: docs/format.md, section 7.8. */
#include "config.h"
#include "codecs/runs/runs_internal.h"

enum { MOST = 32 };

static sd_coded_run take (uint64_t window, unsigned group) {
  const unsigned ones = sd_run_ones (window);
  if (ones >= MOST)
    return (sd_coded_run){ (uint64_t) MOST << group, MOST, false };
  const uint64_t rest = group ? window << (ones + 1) >> (64 - group) : 0;
  return (sd_coded_run){ ((uint64_t) ones << group) + rest, ones + 1 + group, true };
}

static sd_coded_run put (uint64_t slots, unsigned group, uint64_t *code) {
  const uint64_t ones = slots >> group, rest = slots & ((UINT64_C (1) << group) - 1);
  if (ones >= MOST) {
    *code = (UINT64_C (1) << MOST) - 1;
    return (sd_coded_run){ (uint64_t) MOST << group, MOST, false };
  }
  *code = ((UINT64_C (1) << ones) - 1) << (1 + group) | rest;
  return (sd_coded_run){ slots, (unsigned) ones + 1 + group, true };
}

const sd_run_code sd_run_golomb = { .grouped = true, .take = take, .put = put };

const sd_codec sd_codec_golomb = {
  SD_IDENTITY (golomb),
  .summary = "runs of the usual symbol, Golomb's code, in small blocks",
  .checks_while_reading = true,
  .tunables = sd_golomb_tunables,
  .encode = sd_runs_encode,
  .ops = &sd_runs_ops,
  .trials = { .settings = { "block=32", "block=128", "block=1024" },
              .ways = { SD_COMPLETING },
              .apart = true },
  .latency = { 44.4, 0, 3.6, 0 }, /* off by 32 % at most */
  .colour = "#5b8a3c",
  .mark = 11,
};
