/* For tests/tools/cli.sh and tests/search/verify.sh: what they need beside the programs themselves.
 *   cli_helper positions MATERIAL DUMP N SEED   N random legal positions of a dump, "FEN|result|plies" a line
 *   cli_helper tamper TABLES MATERIAL METRIC OUT   the table of MATERIAL with one wrong value and right
 * checksums.
 *   cli_helper falsify TABLES MATERIAL METRIC OUT N SEED PLIES   the same with N wrong values, of mates of at
 * most PLIES - 2 plies and, but for WDL, of draws; prints the positions, a FEN a line.
 * The dump is read by the layout that its documentation gives, with nothing of the project's index. */
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

/* A copy of the exact values of an ending, handed over to s, which loads the right ones first. */
static int copy_of (sd_values *s, const sd_material *m, sd_exact **out, sd_error *err) {
  const sd_exact *right;
  SD_TRY (sd_values_need (s, m, err));
  SD_TRY (sd_values_whole (s, m, &right, err));
  SD_TRY (sd_exact_new (m, out, err));
  for (unsigned side = 0; side < right->nsides; side++)
    memcpy ((*out)->value[side], right->value[side], right->n * sizeof (sd_value));
  return sd_values_put (s, *out);
}

/* The table of these values under another path, complete by itself. */
static int write_table (sd_values *s, const sd_material *m, const char *metric, const char *path,
                        sd_error *err) {
  sd_table_spec spec = { .material = *m, .freedom = SD_FREE_ILLEGAL };
  spec.metric = strcmp (metric, "wdl") ? SD_DTM : SD_WDL;
  spec.coding = spec.metric == SD_DTM ? SD_CODING_SIGNED : SD_CODING_WDL;
  for (unsigned side = 0; side < 2; side++) {
    spec.side[side].codec = sd_codec_find ("store");
    sd_layout_default (m, &spec.side[side].layout);
    SD_TRY (sd_settings_parse (spec.side[side].codec, NULL, &spec.side[side].settings, err));
  }
  return sd_table_build (s, &spec, path, NULL, err);
}

/* Another value: a mate one move longer or shorter, a draw, or a win for the other side; of a draw a mate. */
static sd_value other_value (sd_value v, bool wdl, unsigned kind) {
  if (v == 0)
    return kind & 1 ? 5 : -5;
  if (wdl || kind % 4 == 0)
    return kind & 4 ? 0 : v > 0 ? -3 : 3;
  return (sd_value) (kind % 4 == 1 && (v > 2 || v < -2) ? v - 2 * ((v > 0) - (v < 0))
                                                        : v + 2 * ((v > 0) - (v < 0)));
}

static void falsify_values (sd_exact *e, bool wdl, unsigned n, uint64_t seed, int plies) {
  for (unsigned done = 0; done < n;) {
    uint8_t sq[SD_MAX_MEN];
    char fen[100];
    sd_pos p;
    const unsigned side = (unsigned) (sd_random (&seed) % e->nsides);
    const uint64_t i = sd_random (&seed) % e->n;
    const sd_value v = e->value[side][i];
    /* of four values at most one is a draw, of WDL none, since no search tells a draw from a long win; two
     * more plies must still be within the limit */
    if (v == SD_ILLEGAL || v > plies - 2 || v < -(plies - 1) || (!v && (wdl || done % 4))
        || !sd_index_squares (e->indexer, i, sq))
      continue;
    sd_pos_from_squares (&e->material, sq, side, &p);
    sd_pos_to_fen (&p, fen, sizeof fen);
    e->value[side][i] = other_value (v, wdl, done++);
    puts (fen);
  }
}

static int falsify (char **argv) {
  const char *metric = argv[4];
  sd_error err = { 0 };
  sd_material m;
  sd_values *s = NULL;
  sd_exact *wrong;
  int st = sd_material_parse (argv[3], &m, &err);
  if (st == SD_OK)
    st = sd_values_new (argv[2], SD_DTM, &s, &err);
  if (st == SD_OK)
    st = copy_of (s, &m, &wrong, &err);
  if (st == SD_OK) {
    falsify_values (wrong, strcmp (metric, "wdl") == 0, (unsigned) strtoul (argv[6], NULL, 10),
                    strtoull (argv[7], NULL, 10), atoi (argv[8]));
    st = write_table (s, &m, metric, argv[5], &err);
  }
  sd_values_free (s);
  if (st != SD_OK)
    fprintf (stderr, "cli_helper: %s\n", err.text);
  return st != SD_OK;
}

static int tamper (const char *tables, const char *material, const char *metric, const char *path) {
  sd_error err = { 0 };
  sd_material m;
  sd_values *s = NULL;
  sd_exact *wrong;
  int st = sd_material_parse (material, &m, &err);
  if (st == SD_OK)
    st = sd_values_new (tables, SD_DTM, &s, &err);
  if (st == SD_OK)
    st = copy_of (s, &m, &wrong, &err);
  if (st == SD_OK) {
    uint64_t i = wrong->n / 2;
    while (wrong->value[0][i] <= 0)
      i++;
    wrong->value[0][i] = strcmp (metric, "wdl") ? (sd_value) (wrong->value[0][i] + 2) : 0;
    st = write_table (s, &m, metric, path, &err);
  }
  sd_values_free (s);
  if (st != SD_OK)
    fprintf (stderr, "cli_helper: %s\n", err.text);
  return st != SD_OK;
}

int main (int argc, char **argv) {
  if (argc == 6 && strcmp (argv[1], "positions") == 0)
    return positions (argv[2], argv[3], strtoul (argv[4], NULL, 10), strtoull (argv[5], NULL, 10));
  if (argc == 6 && strcmp (argv[1], "tamper") == 0)
    return tamper (argv[2], argv[3], argv[4], argv[5]);
  if (argc == 9 && strcmp (argv[1], "falsify") == 0)
    return falsify (argv);
  fputs (
      "usage: cli_helper positions MATERIAL DUMP N SEED | tamper TABLES MATERIAL METRIC OUT | falsify TABLES "
      "MATERIAL METRIC OUT N SEED PLIES\n",
      stderr);
  return 2;
}
