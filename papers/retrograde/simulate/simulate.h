/** \file simulate.h
 * Discrete-event simulation of one iteration of the solver on many ranks, with the decision code of balance.h
 * (Makhnychev 2012, 3.6), the model's prediction for the same iteration, and what ranks do in real
 * iterations: states, marks and messages, counted from the values of a solved game. */
#ifndef SD_SIMULATE_H
#define SD_SIMULATE_H

#include "gen/solve/solve.h"

/* ----------------------------------------------------------------- traffic */

/** What one rank does in one iteration. */
typedef struct sd_sim_share {
  uint64_t states;         /* that are decided then */
  uint64_t marks, runs;    /* that it sends; marks for neighbours are one run */
  uint64_t sent, received; /* messages to and from other ranks, the flags at the end among them */
  uint64_t out, in;        /* 32-bit words of them */
} sd_sim_share;

/** share[0..ranks-1] of an iteration; valid during the call. A failure ends the count with it. */
typedef int sd_sim_told (void *ctx, unsigned iteration, const sd_sim_share *share, sd_error *err);

/** What the ranks of a deal would do to solve a game, iteration by iteration, from value[0..nstates-1], which
 * one process has solved. exchange: marks and messages, too; else they stay 0, and the iteration that only
 * finds that no mark is left is not told. Exact for one thread a rank without balancing (traffic.c).
 * SD_EUNSUPPORTED: times are not plies; SD_ENOMEM; what `told` returns. */
int sd_sim_traffic (const sd_game *game, const sd_value *value, const sd_deal *deal, bool exchange,
                    sd_sim_told *told, void *ctx, sd_error *err);

/* -------------------------------------------------------------- simulation */

typedef struct sd_sim_options {
  sd_balance_options balance; /* zeros: defaults; task is t, the latency omega, ... */
  double message;             /* seconds that a message costs its sender, and its receiver; 0: 1 us */
  double word;                /* seconds that each of its words costs either of them, with the mark in it */
  uint64_t most_tasks;        /* that one transfer moves: as many as fit a message; 0: any number */
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
/** Seconds a task from the next iteration on; the ranks know it, as they measure it in the generator. */
void sd_simulator_task (sd_simulator *s, double seconds);
/** The same without balancing: everybody works off what he has. */
void sd_simulate_plain (const sd_sim_options *o, const uint64_t *load, int ranks, sd_sim_result *out);

/** Seconds that the exchange of an iteration takes: the messages and words of the rank that has most to do
 * with them, and a latency. scale: each state stands for so many, so that messages of marks are as many more,
 * full ones, while flags are not. 0 for one rank. Thread-safe. */
double sd_simulate_exchange (const sd_sim_options *o, const sd_sim_share *share, int ranks, double scale);

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
