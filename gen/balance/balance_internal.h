/** \file balance_internal.h
 * What the files of the balancer share (balance.c), inside gen/ only. Nothing here is thread-safe for one
 * object. */
#ifndef SD_GEN_BALANCE_INTERNAL_H
#define SD_GEN_BALANCE_INTERNAL_H

#include "gen/balance/balance.h"

enum {
  /* joined groups a level whose loads are kept; one is in use at a time, one may be on its way */
  SD_BALANCE_JOINED = 2,
  SD_BALANCE_LEVELS = 32 /* 2^32 > any int */
};

/** A load that nobody has told yet. */
#define SD_BALANCE_UNKNOWN (-1.f)

typedef struct sd_balance_joined {
  int manager; /* -1: no group here */
  unsigned n;
  float *load;
} sd_balance_joined;

/* What a rank knows as a member of its group on one level. Its manager keeps its books in here, too. */
typedef struct sd_balance_level {
  int manager;
  unsigned members, me; /* of the group; which of them this rank is */
  float *load;          /* [0..members-1], SD_BALANCE_UNKNOWN until told */
  sd_balance_joined joined[SD_BALANCE_JOINED];
  bool asked; /* has said "no tasks" to the manager */
  float told; /* last report to the manager, SD_BALANCE_UNKNOWN before the first */
  bool told_busy;
  double told_at;

  bool manages; /* the rest is the manager's only */
  unsigned known;
  bool *busy;                /* [0..members-1]: some rank below that member has D_0 tasks */
  bool wants;                /* somebody in the group wants tasks and knows nobody */
  bool spread, changed, had; /* LOADS were sent; not these; something in them was above the threshold */
  double spread_at;
  int joining; /* the manager that was asked for its loads and has not answered; -1: none */
  int *joiner; /* [0..members-1]: managers that asked this one */
  unsigned njoiners;
} sd_balance_level;

struct sd_balance {
  sd_balance_options opt;
  sd_balance_port port;
  sd_balance_counts counts;
  int rank, size;
  unsigned height, nlevels; /* of the tree; on how many of them this rank is a member */
  double ahead, pays, threshold[SD_BALANCE_LEVELS + 1]; /* Z, (tau_r + tau_s) / t, D_h */
  double now;
  uint64_t open, random;
  int donor; /* asked and has not answered; -1: none */
  bool stopped;
  size_t bytes;
  sd_balance_level level[];
};

/* -------------------------------------------------- the tree (balance_setup.c) */

/** The group of `rank` on level h, in l; false: it is no member there. */
bool sd_balance_place (sd_balance_level *l, unsigned h, unsigned group, int rank, int size);

/** The rank that is member i of the group of `manager` on level h. */
int sd_balance_member (const sd_balance *b, int manager, unsigned h, unsigned i);

/* ------------------------------------------ what a rank knows (balance_known.c) */

/** Is one of load[0..n-1] at least `limit`? */
bool sd_balance_any_above (const float *load, unsigned n, double limit);
double sd_balance_mean (const float *load, unsigned n);

/** Has nobody in the group of level h, or in a group that it has joined, tasks to give? */
bool sd_balance_exhausted (const sd_balance *b, unsigned h);

/** Whom to ask on level h, for one who has `own` tasks; -1: nobody has enough. */
int sd_balance_candidate (sd_balance *b, unsigned h, double own);

/** Correct the load of one rank wherever it is known on level h. */
void sd_balance_correct (sd_balance *b, unsigned h, int who, float load);

/** A report of member i, at its manager. */
void sd_balance_note (sd_balance *b, unsigned h, unsigned i, float load, bool busy);

/* -------------------------------------------- what follows (balance_decide.c) */

void sd_balance_send (sd_balance *b, int to, sd_balance_message *m);

/** The loads of the group that this rank manages on level h, to one rank. */
void sd_balance_send_loads (sd_balance *b, unsigned h, int to);

/** Balancing is over, here and for all that this rank manages. */
void sd_balance_stop (sd_balance *b);

/** All that follows from what is known now. */
void sd_balance_settle (sd_balance *b);

#endif
