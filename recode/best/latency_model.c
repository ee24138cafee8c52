/** \file latency_model.c
 * How long a lookup takes, told by the shape of a stream instead of a clock, so that what a search chooses
 * depends on the table alone: with any number of threads, on a busy machine, on another one.
 *
 * The median of sd_codec_get at random slots, warm, is taken as a sum of terms in what a decoder has to
 * pass: slots of a block (those that unpack whole blocks, or walk from its start), its bytes, and the bits
 * of the slot's number (diagrams). The constants stand in the codecs' rows; `subdef bench codecs` fits and
 * prints them (tools/bench/bench_codecs.c), and docs/latency.md says where and when, and how far they are
 * off. */
#include "config.h"
#include "recode/recode.h"
#include <math.h>

void sd_lookup_features (const sd_decoder *d, uint64_t n, double feature[SD_LOOKUP_FEATURES]) {
  sd_codec_parts parts = { 0 };
  sd_codec_describe (d, &parts);
  const double blocks = parts.blocks ? (double) parts.blocks : 1;
  const bool passes_blocks = !d->codec->trials.whole; /* diagrams have none */
  feature[0] = 1;
  feature[1] = passes_blocks ? (double) d->n / blocks : 0;
  feature[2] = passes_blocks ? (double) parts.payload / blocks : 0;
  feature[3] = n > 1 ? log2 ((double) n) : 0;
}

double sd_lookup_least (const sd_codec *codec, uint64_t n) {
  const double *constant = codec->latency;
  return 1e-9 * (constant[0] + constant[1] + constant[3] * (n > 1 ? log2 ((double) n) : 0));
}

double sd_lookup_seconds (const sd_decoder *d, uint64_t n) {
  if (d->constant)
    return 2e-9;
  const double *constant = d->codec->latency;
  double f[SD_LOOKUP_FEATURES], ns = 0;
  bool known = false;
  sd_lookup_features (d, n, f);
  for (unsigned k = 0; k < SD_LOOKUP_FEATURES; k++) {
    ns += constant[k] * f[k];
    known |= constant[k] != 0;
  }
  return known ? 1e-9 * ns : 1e3; /* beyond every bound, so that none is broken by what was never measured */
}
