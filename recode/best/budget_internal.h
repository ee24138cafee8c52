/** \file budget_internal.h
 * The search within a budget of CPU time (search_budget.c): what its files share. */
#ifndef SD_BUDGET_INTERNAL_H
#define SD_BUDGET_INTERNAL_H

#include "recode/best/search_internal.h"

enum {
  SD_BUDGET_GROUPS = 3, /* White to move, Black to move, both in one stream */
  SD_BOTH = 2,
  SD_MORE_ROWS = 8,
  SD_MAX_FAMILIES = SD_BUDGET_GROUPS * 24,
  SD_MAX_NEXT = 2048,
  SD_PLAIN = -1,    /* sd_next.more: the settings that layouts are compared with */
  SD_NO_CHECKS = -2 /* what is best of the group, where positions in check are not free */
};

/** A stream that may be made: of one side to move, or of both. */
typedef struct sd_goal {
  bool open;                     /* it may be a stream of the table */
  sd_search search;              /* search.data is NULL until it is needed */
  sd_subdefined *data[2];        /* owned; [1]: of Black in one stream for both */
  double subdefine_seconds;      /* 0: not known */
  bool checks, tried_checks;     /* positions in check are free; it has been tried that they are not */
  sd_sampled_layouts layouts[2]; /* for quick codecs and slow ones; in the first one they are sampled */
  sd_winner best;                /* coded whole, within the bound */
  sd_buf stream;                 /* of it */
} sd_goal;

/** One codec for one group. Bytes are of the whole stream, seconds CPU time of a coding. */
typedef struct sd_family {
  const sd_codec *codec;
  unsigned group;
  bool diagram, slices;   /* slices: layouts are compared by slices of the table, not by all of it */
  sd_settings plain;      /* settings by which layouts are compared */
  sd_layout plain_layout; /* the best that was coded whole in these */
  uint64_t plain_bytes;   /* of it; 0: nothing was coded yet */
  double plain_seconds;
  sd_layout layout;              /* the best by slices; without slices the same */
  uint64_t ranked, plain_ranked; /* bytes of slices of the two; 0: not known */
  double rank_seconds;
  unsigned layouts;                               /* that were compared with the best one */
  double sampled, sampled_seconds;                /* as a sample tells the whole; 0: not sampled */
  double share[SD_MORE_ROWS], cost[SD_MORE_ROWS]; /* of the rows of codec->trials.more: their `bytes` and
                                                     `seconds`, or what was seen of them */
  sd_winner best;
  double best_seconds;
} sd_family;

/** Something that may be done next. */
typedef struct sd_next {
  unsigned family;
  int more; /* a row of codec->trials.more, or SD_PLAIN, SD_NO_CHECKS */
  enum sd_tried_how how;
  enum sd_variation variation; /* SD_VARIATIONS: the layout is no variation of the best one */
  sd_layout layout;
  sd_settings settings;
  bool soon;             /* what samples or slices say would make the table much smaller */
  double bytes, seconds; /* predicted */
  double gain;           /* bytes of the table that it may save, what may follow on it included */
  double value;          /* by which it is chosen */
} sd_next;

typedef struct sd_budgeted {
  const sd_search *all;
  sd_search_budget *budget;
  sd_table_spec *spec;
  sd_progress clock; /* its stop is true from the end of the budget on, unless patient */
  bool patient;
  sd_goal group[SD_BUDGET_GROUPS];
  sd_family family[SD_MAX_FAMILIES];
  unsigned nfamilies;
  double learned[SD_VARIATIONS],
      weight[SD_VARIATIONS]; /* mean gain of a variation of the layout, and from how many */
} sd_budgeted;

/** CPU seconds that are left. search_budget.c */
double sd_budget_left (const sd_budgeted *b);
/** Is there no time left, or is the search no longer wanted? ctx: the sd_budgeted. search_budget.c */
bool sd_budget_is_over (void *ctx);
/** Code n, which is then noted as tried. SD_ESTOPPED: the search is over; other failures are noted, and do
 * not end it. budget_code.c */
int sd_budget_try (sd_budgeted *b, const sd_next *n);
/** The data of a group, made when they are first needed. budget_code.c */
int sd_budget_data (sd_budgeted *b, unsigned group, sd_error *err);
sd_family *sd_budget_family (sd_budgeted *b, unsigned group, const sd_codec *codec);
/** Noted as tried, with what was predicted of it; NULL: there is no room. budget_code.c */
sd_tried *sd_budget_note (sd_budgeted *b, const sd_family *f, const sd_next *n);

/** What a table takes of all that has been coded; UINT64_MAX: not yet one. budget_next.c */
uint64_t sd_budget_total (const sd_budgeted *b);
/** The best layout of the family, and what the whole is expected to take there in plain settings; false:
 * nothing is known. budget_next.c */
bool sd_budget_expects (const sd_budgeted *b, const sd_family *f, sd_layout *l, double *bytes,
                        double *seconds);
/** Bytes of the family's slices in layout l; 0: they were not coded. budget_next.c */
uint64_t sd_budget_ranked (const sd_budgeted *b, const sd_family *f, const sd_layout *l);
/** All that may make the table smaller and was not tried: list[0..n-1], the most bytes for a second first.
 * budget_next.c */
unsigned sd_budget_next (const sd_budgeted *b, sd_next *list);

/** What each codec but diagrams is expected to take in the best of the layouts that samples find for it;
 * nothing is known of those whose samples fail. budget_samples.c */
void sd_budget_sample (sd_budgeted *b);

#endif
