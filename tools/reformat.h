/** \file reformat.h
 * What the words of `subdef reformat` say: reformat_args.c reads them, reformat.c does it. */
#ifndef SD_REFORMAT_H
#define SD_REFORMAT_H

#include "tools/tools_internal.h"

typedef struct sd_reformat {
  const char *tables, *out, *codec, *set, *order, *numbering, *freedom, *coding, *sweep, *layouts, *game,
      *sides;
  enum sd_metric metric;
  bool arrays; /* the words are files of arrays */
  bool best, fixed_codec, overwrite, quiet; /* fixed_codec: codec is named */
  bool successors;                          /* with the endings that they lead to */
  bool plain;                               /* nothing says how to choose order, codec or settings */
  double max_latency;
  unsigned men;
  sd_words endings;
} sd_reformat;

/** Read and check the words; wrong ones end the program. false: all that was asked for is told, *exit_status
 * is the program's. */
bool sd_reformat_args (int argc, char **argv, sd_reformat *out, int *exit_status);

#endif
