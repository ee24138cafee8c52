/** \file fdr.c
 * Frequency-directed run-length codes, as test cubes of circuits are coded (Chandra, Chakrabarty 2003): runs
 * of 2^k - 2 to 2^(k+1) - 3 slots have a prefix of k bits, ones and a zero, and k bits more. 27 ones are a
 * code of their own, of 2^28 - 2 slots, behind which the run goes on, so that a code ends within a block.
 * Layout: docs/format.md, section 7.8. */
#include "config.h"
#include "codecs/runs/runs_internal.h"

enum { MOST = 27 };
#define LONGEST ((UINT64_C (1) << (MOST + 1)) - 2) /* slots: more than the last prefix has */

static sd_coded_run take (uint64_t window, unsigned group) {
  (void) group;
  const unsigned ones = sd_run_ones (window), k = ones + 1;
  if (ones >= MOST)
    return (sd_coded_run){ LONGEST, MOST, false };
  return (sd_coded_run){ (UINT64_C (1) << k) - 2 + (window << k >> (64 - k)), 2 * k, true };
}

static sd_coded_run put (uint64_t slots, unsigned group, uint64_t *code) {
  (void) group;
  if (slots >= LONGEST) {
    *code = (UINT64_C (1) << MOST) - 1;
    return (sd_coded_run){ LONGEST, MOST, false };
  }
  const unsigned k = 63 - (unsigned) __builtin_clzll (slots + 2);
  const uint64_t prefix = (UINT64_C (1) << k) - 2;
  *code = prefix << k | (slots - prefix);
  return (sd_coded_run){ slots, 2 * k, true };
}

const sd_run_code sd_run_fdr = { .take = take, .put = put };

const sd_codec sd_codec_fdr = {
  SD_IDENTITY (fdr),
  .summary = "runs of the usual symbol, frequency-directed code, in small blocks",
  .checks_while_reading = true,
  .tunables = sd_fdr_tunables,
  .encode = sd_runs_encode,
  .ops = &sd_runs_ops,
  .trials = { .settings = { "block=32", "block=128", "block=1024" },
              .ways = { SD_COMPLETING },
              .apart = true },
  .latency = { 43.5, 0, 3.95, 0 }, /* off by 20 % at most */
  .colour = "#8a6d3b",
  .mark = 15,
};
