/* One prober asked by four threads at once, for ThreadSanitizer: threads FLAGS PATH ENDING... Every thread
 * asks of the same random positions, at once, of tables that the first question opens; half of the threads
 * open a prober of their own beside it. Ends with 1 where a thread is told something else. */
#include "tell.h"
#include <pthread.h>
#include <stdbool.h>

enum { THREADS = 4, POSITIONS = 8 };

typedef struct asker {
  const sd_prober *prober;
  const char *path; /* of a prober of its own; NULL: none */
  unsigned flags;
  char **ending;
  char *text;
  size_t len;
} asker;

static pthread_barrier_t begin; /* nobody asks before all can */

static void *ask (void *of) {
  asker *a = of;
  sd_prober *own = NULL;
  uint64_t state = 1;
  FILE *out = open_memstream (&a->text, &a->len);
  const bool ready = out && (!a->path || sd_prober_open (a->path, a->flags, &own, NULL, 0) == SD_PROBER_OK);
  pthread_barrier_wait (&begin);
  if (!ready)
    return NULL;
  for (char **ending = a->ending; *ending; ending++) {
    sd_prober_position p[POSITIONS];
    int wdl[POSITIONS] = { 0 }, status[POSITIONS];
    for (unsigned i = 0; i < POSITIONS; i++)
      p[i] = position (&state, *ending);
    if (own) /* half of the threads begin with all at once */
      sd_prober_wdl_batch (a->prober, p, POSITIONS, wdl, status);
    for (unsigned i = 0; i < POSITIONS; i++)
      tell (out, own && i % 2 ? own : a->prober, &p[i]);
    sd_prober_wdl_batch (a->prober, p, POSITIONS, wdl, status);
    for (unsigned i = 0; i < POSITIONS; i++)
      fprintf (out, "%d %d\n", status[i], status[i] == SD_PROBER_OK ? wdl[i] : 0);
  }
  sd_prober_close (own);
  return fclose (out) == 0 ? a : NULL;
}

int main (int argc, char **argv) {
  char message[600];
  sd_prober *prober;
  pthread_t thread[THREADS];
  asker is[THREADS];
  int wrong = 0;
  const unsigned flags = argc > 1 ? (unsigned) strtoul (argv[1], NULL, 10) : 0;
  if (argc < 4)
    return 2;
  if (sd_prober_open (argv[2], flags, &prober, message, sizeof message) != SD_PROBER_OK) {
    fprintf (stderr, "%s\n", message);
    return 2;
  }
  if (pthread_barrier_init (&begin, NULL, THREADS) != 0)
    return 2;
  for (unsigned t = 0; t < THREADS; t++) {
    is[t] = (asker){ prober, t % 2 ? argv[2] : NULL, flags, argv + 3, NULL, 0 };
    if (pthread_create (&thread[t], NULL, ask, &is[t]) != 0)
      return 2;
  }
  for (unsigned t = 0; t < THREADS; t++) {
    void *done;
    pthread_join (thread[t], &done);
    if (!done || is[t].len != is[0].len || memcmp (is[t].text, is[0].text, is[0].len) != 0) {
      fprintf (stderr,
               done ? "thread %u is told something else than thread 0\n" : "thread %u could not ask\n", t);
      wrong = 1;
    }
  }
  if (!wrong)
    printf ("%zu bytes of answers from each of %d threads\n", is[0].len, THREADS);
  for (unsigned t = 0; t < THREADS; t++)
    free (is[t].text);
  sd_prober_close (prober);
  return wrong;
}
