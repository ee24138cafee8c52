/** \file runs_internal.h
 * What the codecs of runs of one usual symbol share: golomb and fdr differ in the code of a run's length
 * alone, which each gives as an sd_run_code. */
#ifndef SD_RUNS_INTERNAL_H
#define SD_RUNS_INTERNAL_H

#include "codecs/row.h"

#define SD_RUNS_MIN_BLOCK 16
#define SD_RUNS_MAX_BLOCK 65536
#define SD_RUNS_CODE 15   /* bits of the longest code of another symbol; a length takes 4 bits */
#define SD_RUNS_GROUPS 17 /* of Golomb's code: 2^0 to 2^16 slots */

/** One code: so many slots of the usual symbol; another symbol follows, or more of the same run. */
typedef struct sd_coded_run {
  uint64_t slots;
  unsigned bits; /* of the code, at most 54 */
  bool ends;
} sd_coded_run;

/** How lengths are coded. group: log2 of what Golomb's code divides by, which FDR has not. */
typedef struct sd_run_code {
  bool grouped;
  /** The code that begins the window (left-aligned, 56 bits of it valid). */
  sd_coded_run (*take) (uint64_t window, unsigned group);
  /** The first code of a run of `slots` slots, in the low bits of *code. */
  sd_coded_run (*put) (uint64_t slots, unsigned group, uint64_t *code);
} sd_run_code;
extern const sd_run_code sd_run_golomb, sd_run_fdr;

/** Of the codec of this number: of either. */
static inline const sd_run_code *sd_run_code_of (const sd_codec *codec) {
  return codec->id == SD_CODEC_ID_golomb ? &sd_run_golomb : &sd_run_fdr;
}

/** Ones at the start of the window. */
static inline unsigned sd_run_ones (uint64_t window) {
  return ~window ? (unsigned) __builtin_clzll (~window) : 64;
}

/** The only symbol that has a code length, and so needs no code; else one of these. */
enum { SD_RUNS_CODED = -1, SD_RUNS_NONE = -2 };
static inline int sd_runs_lone (const uint8_t *bits, unsigned m) {
  int lone = SD_RUNS_NONE;
  for (unsigned s = 0; s < m; s++)
    if (bits[s])
      lone = lone == SD_RUNS_NONE ? (int) s : SD_RUNS_CODED;
  return lone;
}

extern const sd_decoder_ops sd_runs_ops;
extern const sd_tunable sd_golomb_tunables[], sd_fdr_tunables[];
int sd_runs_encode (const sd_encoding *what, sd_buf *out, sd_error *err);

#endif
