/* All that a prober says of random positions of the endings whose names are given: values PATH FLAGS
 * ENDING... The same text for the library and for the two files to copy. Positions need not be legal. */
#include "tell.h"

int main (int argc, char **argv) {
  char message[600];
  sd_prober *prober;
  uint64_t state = 1;
  if (argc < 3)
    return 2;
  const int status =
      sd_prober_open (argv[1], (unsigned) strtoul (argv[2], NULL, 10), &prober, message, sizeof message);
  printf ("%d %s %s\n", status, message, sd_prober_text (status));
  for (unsigned i = 0; sd_prober_skipped (prober, i, message, sizeof message) != SD_PROBER_OK; i++)
    printf ("%s\n", message);
  for (int k = 3; k < argc && prober; k++)
    for (unsigned i = 0; i < 100; i++) {
      const sd_prober_position p = position (&state, argv[k]);
      tell (stdout, prober, &p);
    }
  sd_prober_close (prober);
  return 0;
}
