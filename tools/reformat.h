/** \file reformat.h
 * What the words of `subdef reformat` say: reformat_args.c reads them, reformat.c does it, reformat_say.c
 * tells what was done. */
#ifndef SD_REFORMAT_H
#define SD_REFORMAT_H

#include "tools/done.h"

typedef struct sd_reformat {
  const char *tables, *out, *codec, *set, *order, *numbering, *freedom, *coding, *sweep, *layouts, *game,
      *sides;
  enum sd_metric metric;
  bool arrays;                                    /* the words are files of arrays */
  bool best, fixed_codec, overwrite, quiet, json; /* fixed_codec: codec is named */
  bool successors;                                /* with the endings that they lead to */
  bool plain;                                     /* nothing says how to choose order, codec or settings */
  double max_latency;
  unsigned men;
  sd_words endings;
} sd_reformat;

/** Read and check the words; wrong ones end the program. false: all that was asked for is told, *exit_status
 * is the program's. */
bool sd_reformat_args (int argc, char **argv, sd_reformat *out, int *exit_status);

/** A table of the run. */
typedef struct sd_reformat_item {
  sd_slice slice;
  bool named; /* by the user; else it is one that named ones lead to */
  char name[SD_SLICE_NAME], path[4096];
  sd_table_spec subject, spec;
  sd_done row;    /* as the list of what is done is to have it */
  bool otherwise; /* it is there and is kept, but nothing says that it is what was asked for */
  double seconds; /* that it took */
} sd_reformat_item;

/** A table is there: made now, with what --best has tried, or kept from an earlier run. */
void sd_reformat_say (const sd_reformat *opt, const sd_reformat_item *it, bool kept, sd_search_report *found);
/** It could not be made; the sentence for people is another matter. */
void sd_reformat_say_failed (const sd_reformat *opt, const sd_reformat_item *it, const sd_error *err);
/** Once, at the end of a run of n tables: what the smallest known ones would take, if no option chose order,
 * codec or settings. */
void sd_reformat_say_better (const sd_reformat *opt, unsigned n);

#endif
