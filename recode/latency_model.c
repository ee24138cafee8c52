/** \file latency_model.c
 * How long a lookup takes, told by the shape of a stream instead of a clock, so that what a search chooses
 * depends on the table alone: with any number of threads, on a busy machine, on another one.
 *
 * The median of sd_codec_get at random slots, warm, is taken as a sum of terms in what a decoder has to pass:
 * slots of a block (those that unpack whole blocks, or walk from its start), its bytes, and the bits of the
 * slot's number (diagrams). The constants are fitted by `subdef bench codecs` (tools/bench/bench_codecs.c), which
 * prints these lines; docs/latency.md says where and when, and how far they are off. */
#include "config.h"
#include "recode/recode.h"
#include <math.h>
#include <string.h>

typedef struct model {
  const char *codec;
  double base, slot, byte, bit; /* nanoseconds */
} model;

static const model rows[] = {
#include "recode/latency_model.inc"
};

/* A codec without a line: beyond every bound, so that none is broken by what was never measured. */
static const model unknown = { NULL, 1e12, 0, 0, 0 };

void sd_lookup_features (const sd_decoder *d, double feature[SD_LOOKUP_FEATURES]) {
  sd_codec_parts parts = { 0 };
  sd_codec_describe (d, &parts);
  const double blocks = parts.blocks ? (double) parts.blocks : 1;
  const sd_trials *of = sd_codec_trials (d->codec);
  const bool passes_blocks = !(of && of->whole); /* diagrams have none */
  feature[0] = 1;
  feature[1] = passes_blocks ? (double) d->n / blocks : 0;
  feature[2] = passes_blocks ? (double) parts.payload / blocks : 0;
  feature[3] = d->n > 1 ? log2 ((double) d->n) : 0;
}

double sd_lookup_seconds (const sd_decoder *d) {
  if (d->constant)
    return 2e-9;
  const model *m = &unknown;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp (rows[i].codec, d->codec->name) == 0)
      m = &rows[i];
  double f[SD_LOOKUP_FEATURES];
  sd_lookup_features (d, f);
  return 1e-9 * (m->base * f[0] + m->slot * f[1] + m->byte * f[2] + m->bit * f[3]);
}
