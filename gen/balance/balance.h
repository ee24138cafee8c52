/** \file balance.h
 * Load balancing of Makhnychev 2012, 3.6 as pure decisions: who tells whom how much work is left, who asks
 * whom for tasks, how many are given, and when balancing is over. No input or output, no clock, no MPI:
 * events go in as calls, messages come out through a port. The solver and the simulation
 * (papers/retrograde/simulate) drive the same code.
 *
 * One object a rank and, in it, one iteration at a time. A task is a state whose un-moves must be found; the
 * caller keeps the tasks, the balancer only hears how many are open. */
#ifndef SD_GEN_BALANCE_H
#define SD_GEN_BALANCE_H

#include "base/base.h"

/** All-zero means the defaults. The names of Makhnychev 2012 in brackets. */
typedef struct sd_balance_options {
  unsigned group;  /* [G] ranks a group, 2 to 4096; 0: 32, as Makhnychev 2012 tested */
  double interval; /* [q] seconds between two reports, 0: 1, as Makhnychev 2012 tested */
  double receive;  /* [tau_r] seconds that a transfer of tasks costs the rank that receives them; 0: 100 us */
  double give;     /* [tau_s] the same for the rank that gives; 0: 100 us */
  double latency;  /* [omega] seconds that a report takes from rank to rank; 0: 10 us */
  double task;     /* [t] seconds a task; 0: 1 us; sd_balance_task_time changes it */
  double share;    /* [M / D] of the difference between two ranks, how much one gives; 0: half of it */
  bool top; /* always ask the most loaded rank, as Makhnychev 2012 does; default: spread, see balance.c */
} sd_balance_options;

/** With the defaults in place of zeros; *out may be the same. SD_EINVAL names what is out of range. */
int sd_balance_defaults (const sd_balance_options *o, sd_balance_options *out, sd_error *err);

/** [Z] = (tau_r + tau_s) / t: with fewer open tasks than this a rank asks for some. `o` without zeros. */
double sd_balance_ahead (const sd_balance_options *o);

/** [D_h] = (tau_r + tau_s + q + (h + 2) omega) / t: nothing is taken from groups of level h whose mean is
 * below this; h = 0: from ranks. `o` without zeros. */
double sd_balance_threshold (const sd_balance_options *o, unsigned level);

/** [H]: levels of managers over `size` ranks, the least with group^H >= size; 0 for one rank. */
unsigned sd_balance_height (unsigned group, int size);

enum sd_balance_type {
  SD_BALANCE_LOAD,     /* to the manager: my open tasks, or the mean of the group that I manage */
  SD_BALANCE_LOADS,    /* from the manager: the loads of all members; or those of a group that was joined */
  SD_BALANCE_NO_TASKS, /* to the manager: somebody here wants tasks, and I know nobody who has some */
  SD_BALANCE_JOIN,     /* from manager to manager: send me the loads of your group */
  SD_BALANCE_REQUEST,  /* please give me tasks */
  SD_BALANCE_GIVE,     /* the answer: `tasks` tasks follow; 0: refused */
  SD_BALANCE_STOP      /* to all that the sender manages: balancing is over */
};
enum { SD_BALANCE_TYPES = SD_BALANCE_STOP + 1 };

/** Loads travel as floats: they are estimates, and means of large counts. */
typedef struct sd_balance_message {
  enum sd_balance_type type;
  unsigned level;     /* of the group that it is about */
  bool busy;          /* LOAD: some rank below the sender holds D_0 tasks or more */
  int manager;        /* LOADS: whose group */
  float load;         /* LOAD: what is reported; REQUEST, GIVE: the sender's open tasks */
  uint64_t tasks;     /* GIVE */
  unsigned n;         /* LOADS: members of the group, in the order of ranks */
  const float *loads; /* LOADS: [0..n-1], valid during the call */
} sd_balance_message;

/** What a rank can do. Neither function may call the balancer. */
typedef struct sd_balance_port {
  void *ctx;
  /** Send *m to another rank; messages between two ranks must stay in order. In a GIVE the port adds the
   * tasks, and may lower m->tasks to as many as it has. Failures are the port's to remember. */
  void (*send) (void *ctx, int to, sd_balance_message *m);
} sd_balance_port;

/** What happened since sd_balance_new. */
typedef struct sd_balance_counts {
  uint64_t sent[SD_BALANCE_TYPES]; /* messages by type */
  uint64_t transfers, moved;       /* GIVEs with tasks, and those tasks, of this rank as the giver */
} sd_balance_counts;

typedef struct sd_balance sd_balance;

/** Options may have zeros. One allocation, some 12 G bytes a level. SD_EINVAL, SD_ENOMEM. */
int sd_balance_new (const sd_balance_options *o, int rank, int size, const sd_balance_port *port,
                    sd_balance **out, sd_error *err);
void sd_balance_free (sd_balance *b);
size_t sd_balance_bytes (const sd_balance *b);

/* All the following: not thread-safe for one object; no allocation; `now` in seconds of any clock that does
 * not run backwards; `open` the tasks that this rank holds and has not finished, those received included. */

/** Another iteration. No message of the one before may still be on its way to this rank. */
void sd_balance_begin (sd_balance *b, double now, uint64_t open);

/** Time has passed, tasks were done. To be called at the latest when sd_balance_wake says so. */
void sd_balance_step (sd_balance *b, double now, uint64_t open);

/** A message from another rank. `open`: for a GIVE, with the tasks that came along; the answer to a REQUEST
 * is sent in here, and takes tasks from the back of what is open. SD_EFORMAT: not a message that a balancer
 * with these options can have sent; nothing was changed. */
int sd_balance_receive (sd_balance *b, double now, uint64_t open, int from, const sd_balance_message *m);

/** When to call sd_balance_step although no message comes: at the time *when (may be infinite), or as soon as
 * fewer than *below tasks are open (0: never). */
void sd_balance_wake (const sd_balance *b, uint64_t open, double *when, uint64_t *below);

/** Balancing is over and no answer is outstanding: no task will come any more, and none will be asked for
 * that would not be refused. A rank that has also done its tasks may end the iteration, but answers requests
 * until all others have ended it too. */
bool sd_balance_over (const sd_balance *b);

/** Seconds a task, as measured; thresholds follow. */
void sd_balance_task_time (sd_balance *b, double task);
void sd_balance_counted (const sd_balance *b, sd_balance_counts *out);

/** Messages as 32-bit words, for transports: at most SD_BALANCE_WORDS + group words; `cap` is the room in
 * words; 0: too little. tasks is cut to 2^32 - 1. */
enum { SD_BALANCE_WORDS = 4 };
size_t sd_balance_pack (const sd_balance_message *m, uint32_t *word, size_t cap);

/** Back; m->loads points into word. How many words the message takes, 0: no such message. */
size_t sd_balance_unpack (const uint32_t *word, size_t n, sd_balance_message *m);

#endif
