/* For tests/tools/cli.sh: what it needs beside the programs themselves.
 *   cli_helper positions MATERIAL DUMP N SEED   N random legal positions of a dump, "FEN|result|plies" a line
 *   cli_helper tamper TABLES MATERIAL METRIC OUT   the table of MATERIAL with one wrong value and right
 * checksums The dump is read by the layout that its documentation gives, with nothing of the project's index.
 */
#include "config.h"
#include "codecs/codecs.h"
#include "recode/recode.h"
#include <stdlib.h>
#include <string.h>

static int positions (const char *material, const char *dump, unsigned long n, uint64_t state) {
  char men[8];
  unsigned k = 0;
  bool black = false;
  for (const char *c = material; *c && k < 7; c++)
    if (*c == 'v')
      black = true;
    else
      men[k++] = black ? (char) (*c | 32) : *c;
  FILE *f = fopen (dump, "rb");
  if (!f)
    return 1;
  uint64_t all = 1ull << (6 * k);
  while (n > 0) {
    uint64_t stm = sd_random (&state) & 1, i = sd_random (&state) % all;
    uint8_t two[2];
    if (fseek (f, (long) (2 * (stm * all + i)), SEEK_SET) || fread (two, 1, 2, f) != 2)
      return 1;
    int v = (int16_t) (two[0] | two[1] << 8);
    if (v == -32768)
      continue;
    char board[64] = { 0 };
    for (unsigned j = k; j-- > 0; i >>= 6)
      board[i & 63] = men[j];
    for (int r = 7; r >= 0; r--) {
      int empty = 0;
      for (int c = 0; c < 8; c++)
        if (board[8 * r + c]) {
          if (empty)
            printf ("%d", empty);
          empty = 0;
          putchar (board[8 * r + c]);
        } else
          empty++;
      if (empty)
        printf ("%d", empty);
      if (r)
        putchar ('/');
    }
    printf (" %c - - 0 1|%s|", stm ? 'b' : 'w', v > 0 ? "won" : v < 0 ? "lost" : "drawn");
    if (v)
      printf ("%d", v > 0 ? v : -v - 1);
    putchar ('\n');
    n--;
  }
  fclose (f);
  return 0;
}

static int tamper (const char *tables, const char *material, const char *metric, const char *path) {
  sd_error err = { 0 };
  sd_material m;
  sd_exacts *s = NULL;
  const sd_exact *right;
  sd_exact *wrong;
  int st = sd_material_parse (material, &m, &err);
  if (st == SD_OK)
    st = sd_exacts_new (tables, &s, &err);
  if (st == SD_OK)
    st = sd_exacts_need (s, &m, &err);
  if (st == SD_OK)
    st = sd_exacts_get (s, &m, &right, &err);
  if (st == SD_OK)
    st = sd_exact_new (&m, &wrong, &err);
  if (st == SD_OK) {
    for (unsigned side = 0; side < right->nsides; side++)
      memcpy (wrong->value[side], right->value[side], right->n * sizeof (sd_value));
    uint64_t i = right->n / 2;
    while (wrong->value[0][i] <= 0)
      i++;
    wrong->value[0][i] = strcmp (metric, "wdl") ? (sd_value) (wrong->value[0][i] + 2) : 0;
    st = sd_exacts_put (s, wrong);
  }
  if (st == SD_OK) {
    sd_table_spec spec = { .material = m, .freedom = SD_FREE_ILLEGAL };
    spec.metric = strcmp (metric, "wdl") ? SD_DTM : SD_WDL;
    spec.coding = spec.metric == SD_DTM ? SD_CODING_SIGNED : SD_CODING_WDL;
    for (unsigned side = 0; side < 2; side++) {
      spec.side[side].codec = sd_codec_find ("store");
      sd_layout_default (&m, &spec.side[side].layout);
      sd_settings_parse (spec.side[side].codec, NULL, &spec.side[side].settings, &err);
    }
    st = sd_table_build (s, &spec, path, NULL, &err);
  }
  sd_exacts_free (s);
  if (st != SD_OK)
    fprintf (stderr, "cli_helper: %s\n", err.text);
  return st != SD_OK;
}

int main (int argc, char **argv) {
  if (argc == 6 && strcmp (argv[1], "positions") == 0)
    return positions (argv[2], argv[3], strtoul (argv[4], NULL, 10), strtoull (argv[5], NULL, 10));
  if (argc == 6 && strcmp (argv[1], "tamper") == 0)
    return tamper (argv[2], argv[3], argv[4], argv[5]);
  fputs ("usage: cli_helper positions MATERIAL DUMP N SEED | tamper TABLES MATERIAL METRIC OUT\n", stderr);
  return 2;
}
