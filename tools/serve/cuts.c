/* A mapped file that somebody cuts short does not end the server. SIGBUS comes to the thread that reads,
 * while it reads: the handler gives it bytes to go on with, and the table counts as lost from then on
 * (table/lost.h). In place of what signals.c does in other commands. */
#include "config.h"
#include "tools/serve/service.h"
#include "table/lost.h"
#include <signal.h>

static const sd_tables *outlived;
static struct sigaction before;

/* Only reads what has been there since the start, as a handler must. */
static bool is_outlived (const siginfo_t *why) {
  bool lost = false;
  for (unsigned i = 0; i < sd_tables_count (outlived) && !lost; i++) {
    const sd_table *t = sd_tables_at (outlived, i, NULL);
    lost = t && sd_table_lost_at (t, why->si_addr);
  }
  return lost;
}

/* What is no table's ends the program as before. */
static void cut (int number, siginfo_t *why, void *context) {
  (void) context;
  if (why->si_code > 0 && is_outlived (why)) /* else it was sent by a process */
    return;
  sigaction (SIGBUS, &before, NULL);
  raise (number);
}

void sd_outlive_cuts (const sd_tables *tables) {
  struct sigaction act = { .sa_sigaction = cut, .sa_flags = SA_SIGINFO };
  outlived = tables;
  sigemptyset (&act.sa_mask);
  sigaction (SIGBUS, &act, &before);
}
