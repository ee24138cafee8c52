/** \file repair.h
 * The RE-PAIR coder over subdefinite symbols (Larsson and Moffat 1999; S0 Sec. 1.7, 1.8): the most frequent
 * pair is replaced by a fresh symbol until the dictionary is full, what is still free is completed, and the
 * phrases are coded with a canonical Huffman code in blocks of a fixed number of compressed bytes that share
 * one dictionary. Uses codecs/ (the interface and Huffman). */
#ifndef SD_REPAIR_H
#define SD_REPAIR_H

#include "codecs/stream/stream.h"

extern const sd_codec sd_codec_repair; /* id 2 */

/** Named pair and final replacement algorithms, for --help and sweeps; the names are the words of the
 * tunables `pair` and `final`. */
typedef struct sd_repair_rule {
  const char *name, *summary, *source;
} sd_repair_rule;
const sd_repair_rule *sd_repair_pair_rules (size_t *n);
const sd_repair_rule *sd_repair_final_rules (size_t *n);

#endif
