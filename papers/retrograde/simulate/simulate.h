/** \file simulate.h
 * Discrete-event simulation of one iteration of the solver on many ranks, with the decision code of balance.h
 * (Makhnychev 2012, 3.6), the model's prediction for the same iteration, and the loads of real iterations,
 * counted from a solved table. */
#ifndef SD_SIMULATE_H
#define SD_SIMULATE_H

#include "gen/balance/balance.h"
#include "table/table.h"

/* ------------------------------------------------------------------- loads */

/** How the states of a game are dealt out to ranks. */
typedef struct sd_sim_deal {
  int ranks;
  uint64_t grain; /* states that stay together: state / grain mod ranks is the owner; 0: one contiguous range
                     a rank */
} sd_sim_deal;

/** How many states each rank of a deal has that are decided in each number of plies. */
typedef struct sd_sim_loads {
  sd_sim_deal deal;
  unsigned iterations; /* of 0..iterations-1 plies */
  uint32_t *count;     /* [iterations][deal.ranks] */
} sd_sim_loads;

/** Count the loads of the ending in t under n deals, out[0..n-1].deal, in one pass over the file, block by
 * block. A state is a side and a slot, in the order of the file; en-passant states are not in the file and
 * not counted. The caller frees out[0..n-1], unless this fails. SD_EUNSUPPORTED: t is not a complete DTM
 * table; SD_EINVAL (a deal), SD_ENOMEM; what reading returns. Not collective; memory 4 bytes for each rank,
 * iteration and deal. */
int sd_sim_loads_read (const sd_table *t, const char *name, sd_sim_loads *out, unsigned n,
                       const sd_progress *progress, sd_error *err);
void sd_sim_loads_free (sd_sim_loads *l); /* its arrays; zeros are fine */

/* -------------------------------------------------------------- simulation */

typedef struct sd_sim_options {
  sd_balance_options balance; /* zeros: defaults; task is t, the latency omega, ... */
  double message;             /* seconds that a control message costs its sender, and its receiver; 0: 1 us */
} sd_sim_options;

/** One iteration, simulated. Seconds. */
typedef struct sd_sim_result {
  double time;                         /* from the start until the last rank has ended */
  double work;                         /* of all ranks: tasks */
  double extra;                        /* of all ranks: messages, giving and receiving */
  double idle;                         /* of all ranks: time * ranks - work - extra */
  uint64_t tasks, most;                /* L, and l_max */
  uint64_t messages;                   /* all types */
  uint64_t requests, transfers, moved; /* REQUESTs; GIVEs with tasks; those tasks */
  uint64_t events;
} sd_sim_result;

typedef struct sd_simulator sd_simulator;

/** Some 0.7 kB a rank with groups of 32. SD_EINVAL, SD_ENOMEM. */
int sd_simulator_new (const sd_sim_options *o, int ranks, sd_simulator **out, sd_error *err);
void sd_simulator_free (sd_simulator *s);
/** One iteration of load[0..ranks-1] tasks, balanced. Ranks do tasks one after another, t seconds each;
 * handling a message takes the time of it from that; messages arrive a latency later. Deterministic.
 * SD_ENOMEM; SD_EDIFF: balancing did not come to an end, or lost tasks (a bug). */
int sd_simulate (sd_simulator *s, const uint64_t *load, sd_sim_result *out, sd_error *err);
/** The same without balancing: everybody works off what he has. */
void sd_simulate_plain (const sd_sim_options *o, const uint64_t *load, int ranks, sd_sim_result *out);

/* ------------------------------------------------------------------- model */

/** What Makhnychev 2012's formulas say about an iteration. */
typedef struct sd_sim_model {
  double imbalance; /* [d] mean of l_max - l_i, tasks */
  double load_data; /* [B] seconds a rank spends on load data: two messages (the start and the end) and two
                       more every q */
  double threshold; /* [D_H] tasks, of the highest level */
  double plain;     /* [T0] seconds of all ranks: L t + P t d */
  double balanced;  /* [T] B P + L t + S (tau_r + tau_s) + I, with S = d P / (2 M), M = max (d, D_0) / 2 (half
                       of a typical gap),  and the bound D_H t (P - 1) for I */
  double least;     /* [B / t + D_H] tasks: above it balancing pays */
  bool pays;        /* d > least */
  double predicted; /* seconds that the iteration takes balanced: T / P if it pays, else T0 / P + B */
} sd_sim_model;
/** SD_EINVAL: options. */
int sd_simulate_model (const sd_sim_options *o, const uint64_t *load, int ranks, sd_sim_model *out,
                       sd_error *err);

#endif
