/** \file batch.h
 * A run of reformat: many files, which tasks and threads share, and which goes on where it was stopped. What
 * the files of the folder share. */
#ifndef SD_REFORMAT_BATCH_H
#define SD_REFORMAT_BATCH_H

#include "syzygy/syzygy.h"
#include "tools/reformat/done.h"
#include "tools/reformat/reformat.h"
#include <jansson.h>

/** Folders that values come from. */
typedef struct sd_origin {
  char path[8200];       /* by which it is found again */
  sd_game_tables *exact; /* NULL: no item has asked yet, or all of them have their values from Syzygy files */
  sd_syzygy_tables *files; /* NULL: likewise of Syzygy files */
} sd_origin;

typedef struct sd_batch sd_batch;
typedef struct sd_item sd_item;
/** A format that files are made in. */
typedef struct sd_target {
  const char *name;      /* as of --to, and the ending of files */
  const char *about;     /* in help */
  enum sd_metric metric; /* SD_NO_METRIC: files of any metric, whose names tell it */
  /** What the file is to become, before it is known whether it is there: it->row.how. */
  int (*plan) (sd_batch *r, sd_item *it, sd_error *err);
  /** The file at it->path, compared with the values that it was made of before it has its name. */
  int (*make) (sd_batch *r, sd_item *it, sd_error *err);
} sd_target;
extern const sd_target sd_targets[];    /* a row without a name at the end. items.c */
extern const sd_target sd_target_array; /* of an array, nothing else can be made. array.c */

/** A file of the run. */
struct sd_item {
  const sd_target *to;
  sd_origin *source; /* NULL: of an array */
  uint64_t since;    /* with --parts: what stood at `path` when it was looked at */
  bool syzygy;       /* values come from Syzygy files, not from exact tables */
  bool named;        /* by the user; else it is one that named ones lead to */
  sd_slice slice;
  sd_table_spec subject, spec;
  enum sd_metric metric;                            /* of the new file */
  char name[SD_SLICE_NAME], from[4096], path[4096]; /* from: the file with its values; empty: there is none */
  double weight;                                    /* what it takes to make, compared with others */
  sd_done row;                                      /* as the list of what is done is to have it */
  bool kept;                                        /* it was there */
  bool otherwise;             /* it was there, but nothing says that it is what was asked for */
  double seconds;             /* that it took */
  sd_table_estimate estimate; /* with --estimate */
  int status;
  sd_error err;
};

struct sd_batch {
  const sd_reformat *opt;
  sd_rules rules;
  sd_origin **source;
  unsigned nsources;
  uint64_t room_sources;
  sd_item *item;
  unsigned n, finished;
  uint64_t room;
  double weight, finished_weight;
  sd_task task;
  unsigned jobs; /* files at the same time */
  sd_done_list list;
  sd_values *values; /* of an ending that several files are made of, one after the other */
  const sd_item *values_of;
  sd_search_report found;
  sd_search_budget *budget;    /* of the latest table's search; NULL: none is given */
  sd_statistics statistics[2]; /* of the values of the latest table, where they are asked for */
  int status;                  /* of the program */
};

/** The files that are asked for, each of them once. items.c */
int sd_items_take (sd_batch *r, sd_error *err);

/** Is the file that is to be made the one that it is made of, however both are spelled? items.c */
bool sd_item_in_place (const sd_item *it);
/** What the options say of every .sdt table of a game alike. sdt.c */
int sd_sdt_common (const sd_reformat *opt, const sd_game_kind *kind, enum sd_metric metric,
                   sd_table_spec *spec, sd_error *err);
/** As sd_chooser.choose; ctx: the run. */
int sd_sdt_choose (void *ctx, sd_values *values, const sd_exact *e, sd_table_spec *spec, sd_error *err);
/** The streams of the latest search within a budget, which no file needs any more. sdt.c */
void sd_batch_forget_streams (sd_batch *r);
/** All that options say of a chess table but what is searched for. sdt.c */
int sd_sdt_choose_plainly (const sd_reformat *opt, const sd_material *m, sd_table_spec *spec, sd_error *err);
/** What of the layouts is chosen by a part of the table, if nobody asks for a search. */
enum sd_ranks { SD_RANKS_NOTHING, SD_RANKS_LEADERS, SD_RANKS_ORDERS };
/** With 5 men and more of WDL the leader of the default's diagrams, of plies the order for other codecs.
 * sdt.c */
enum sd_ranks sd_sdt_ranks (const sd_reformat *opt, const sd_material *m, enum sd_metric metric);
/** Choose that, and put it into *spec. sdt.c */
int sd_sdt_rank (const sd_reformat *opt, const sd_values *values, const sd_exact *e, bool checks,
                 sd_search_report *report, sd_table_spec *spec, sd_error *err);
int sd_sdt_plan (sd_batch *r, sd_item *it, sd_error *err);
int sd_sdt_make (sd_batch *r, sd_item *it, sd_error *err);
/** In place of sd_sdt_make: it->estimate. estimate.c */
int sd_sdt_estimate (sd_batch *r, sd_item *it, sd_error *err);
/** SD_EINVAL: something is asked for of which there is no estimate. */
int sd_estimate_check (const sd_batch *r, sd_error *err);
void sd_estimate_say (const sd_batch *r, const sd_item *it);
void sd_estimate_sum_up (const sd_batch *r, double seconds, double cpu_seconds);
/** The .sdt table of an item whose values come from Syzygy files. from_syzygy.c */
int sd_sdt_from_syzygy (sd_batch *r, sd_item *it, sd_error *err);
int sd_rtb_plan (sd_batch *r, sd_item *it, sd_error *err);
int sd_rtb_make (sd_batch *r, sd_item *it, sd_error *err);

/** The file that a source of an array becomes. array.c */
int sd_array_item (const sd_reformat *opt, const char *from, sd_item *it, sd_error *err);
bool sd_array_is_whole (const char *path);
void sd_array_item_text (const sd_batch *r, const sd_item *it);
/** What is known of it, into the record. */
void sd_array_item_json (const sd_batch *r, const sd_item *it, json_t *record);

/** A file is there, made or kept, or it could not be made. say.c */
void sd_batch_say (sd_batch *r, sd_item *it);
/** What a search within a budget did: lines, or "budget" of a record. say_budget.c */
void sd_budget_say (const sd_search_budget *b);
json_t *sd_budget_json (const sd_search_budget *b);
/** Once, at the end. */
void sd_batch_sum_up (const sd_batch *r, double seconds, double cpu_seconds);

#endif
