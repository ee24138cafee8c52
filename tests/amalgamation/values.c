/* All that a prober says of random positions of the endings whose names are given:
 * values FLAGS [-- COUNT PATH ENDING...]..., a prober for each path, and so many positions of each ending.
 * The same text for the library and for the two files to copy. Positions need not be legal. */
#include "tell.h"

/* From the count on; where it ends. */
static char **tell_of (unsigned flags, char **word) {
  char message[600];
  sd_prober *prober;
  uint64_t state = 1;
  const unsigned long count = strtoul (*word++, NULL, 10);
  printf ("of %s\n", *word);
  fflush (stdout); /* it says where a crash was */
  const int status = sd_prober_open (*word++, flags, &prober, message, sizeof message);
  printf ("%d %s %s\n", status, message, sd_prober_text (status));
  for (unsigned i = 0; sd_prober_skipped (prober, i, message, sizeof message) != SD_PROBER_OK; i++)
    printf ("%s\n", message);
  for (; *word && strcmp (*word, "--") != 0; word++)
    for (unsigned i = 0; prober && i < count; i++) {
      const sd_prober_position p = position (&state, *word);
      tell (stdout, prober, &p);
    }
  sd_prober_close (prober);
  return word;
}

int main (int argc, char **argv) {
  if (argc < 2)
    return 2;
  const unsigned flags = (unsigned) strtoul (argv[1], NULL, 10);
  for (char **word = argv + 2; *word;) {
    if (strcmp (*word, "--") != 0 || !word[1] || !word[2])
      return 2;
    word = tell_of (flags, word + 1);
  }
  return 0;
}
