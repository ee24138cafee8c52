/* Pawns on 48 squares against 64 (Kristensen 2005, 2.3): ./squares TABLES ENDING...
 *   make -C build papers/obdd/squares
 * WDL of each ending, each side to move: the bytes of its stream with 48 numbers for a pawn, and with 64, of
 * which those of ranks 1 and 8 are free. The men stand in the same order, and their squares follow each
 * other in the same numbering. Only endings without two pawns of a colour. */
#include "config.h"
#include "recode/recode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A king leads in each order, so that pawns are not confined to four files. */
static const struct way {
  const char *kings, *numbering, *codec, *settings;
  unsigned freedom;
} ways[] = {
  { "Kk!", "z/folded", "obdd", "nodes=ideal,top=root,merge=root,match=first", SD_FREE_ILLEGAL },
  { "Kk!", "folded", "obdd", "", SD_FREE_ALL },
  { "Kk!", "folded/folded/rows", "obdd", "", SD_FREE_ALL },
  { "Kk!", "rows", "repair", "", SD_FREE_ALL },
};
enum { ROWS = 0, SQUARES = 64, PAWN_SQUARES = 48 };

static sd_error err;

static void stop (const char *what) {
  fprintf (stderr, "squares: %s: %s\n", what, err.text);
  exit (1);
}

/* Is the square of this number, of all 64 in the numbering `rows` or `folded`, on rank 1 or 8? */
static bool on_edge (unsigned numbering, unsigned number) {
  return numbering == ROWS ? number < 8 || number >= 56 : (number & 5) == 0;
}

/* wide[k]: the number among all 64 squares of the k-th square that a pawn may stand on. */
static void widen (unsigned numbering, unsigned wide[PAWN_SQUARES]) {
  unsigned k = 0;
  for (unsigned number = 0; number < SQUARES; number++)
    if (!on_edge (numbering, number))
      wide[k++] = number;
}

/* The same data with 64 numbers for each pawn; the caller frees out->sym. */
static void spread (const sd_subdefined *d, const sd_layout *l, sd_seq *out) {
  unsigned wide[SD_MAX_GROUPS][PAWN_SQUARES];
  sd_symbol any;
  *out = d->seq;
  out->n = 1;
  for (unsigned g = 0; g < l->ngroups; g++) {
    if (l->group[g].type == SD_PAWN) {
      widen (l->group[g].numbering, wide[g]);
      out->radix[g] = SQUARES;
    }
    out->n *= out->radix[g];
  }
  out->sym = malloc (out->n * sizeof *out->sym);
  if (!out->sym || sd_alphabet_add_range (d->alphabet, 0, sd_alphabet_main (d->alphabet) - 1, &any) != SD_OK)
    stop ("no memory");
  for (uint64_t i = 0; i < out->n; i++)
    out->sym[i] = any;
  for (uint64_t i = 0; i < d->seq.n; i++) {
    uint64_t rest = i, to = 0, weight = 1;
    for (unsigned g = l->ngroups; g-- > 0;) {
      const unsigned digit = (unsigned) (rest % d->seq.radix[g]);
      to += weight * (l->group[g].type == SD_PAWN ? wide[g][digit] : digit);
      weight *= out->radix[g];
      rest /= d->seq.radix[g];
    }
    out->sym[to] = d->seq.sym[i];
  }
}

static size_t coded (const sd_seq *seq, const struct way *way) {
  const sd_codec *codec = sd_codec_find (way->codec);
  sd_settings set;
  sd_buf out = { 0 };
  if (sd_settings_parse (codec, way->settings, &set, &err) != SD_OK
      || sd_codec_encode (codec, seq, &set, NULL, &out, &err) != SD_OK)
    stop (way->codec);
  const size_t bytes = out.len;
  sd_buf_free (&out);
  return bytes;
}

static void measure (const sd_values *s, const sd_exact *e, const char *ending, unsigned side,
                     const sd_layout *l, const struct way *way) {
  const sd_stored what = { SD_WDL, sd_metrics[SD_WDL].coding[0], way->freedom, side, SD_SIDES_BOTH };
  char order[24];
  sd_indexer *ix;
  sd_subdefined *d, *laid;
  sd_seq all;
  if (sd_subdefine (s, e, &what, NULL, &d, &err) != SD_OK || sd_indexer_new (l, &ix, &err) != SD_OK
      || sd_subdefined_relayout (d, e->indexer, ix, &laid, &err) != SD_OK)
    stop (ending);
  spread (laid, l, &all);
  sd_layout_order_text (l, order);
  printf ("%s,%c,%s,%s,%s,%s,\"%s\",%zu,%zu\n", ending, "wb"[side], order, way -> numbering,
          way -> freedom == SD_FREE_ALL ? "all" : "illegal", way->codec, way->settings,
          coded (&laid->seq, way), coded (&all, way));
  fflush (stdout);
  free (all.sym);
  sd_subdefined_free (laid);
  sd_subdefined_free (d);
  sd_indexer_free (ix);
}

/* The kings first, the men of the name behind them. */
static void ending_of (sd_values *s, const char *name, const struct way *way) {
  sd_material m;
  sd_layout l;
  const sd_exact *e;
  char order[24], *end = order + strlen (way->kings);
  const char *other = strchr (name, 'v');
  strcpy (order, way->kings);
  for (const char *c = name; *c; c++)
    if (c != other && *c != 'K')
      *end++ = (char) (other && c > other ? *c + 'a' - 'A' : *c);
  *end = '\0';
  if (sd_material_parse (name, &m, &err) != SD_OK || sd_values_need (s, &m, &err) != SD_OK
      || sd_values_whole (s, &m, &e, &err) != SD_OK
      || sd_layout_parse (&m, order, way->numbering, &l, &err) != SD_OK)
    stop (name);
  for (unsigned side = 0; side < e->nsides; side++)
    measure (s, e, name, side, &l, way);
}

int main (int argc, char **argv) {
  sd_values *s;
  if (argc < 3 || sd_values_new (argv[1], SD_DTM, &s, &err) != SD_OK)
    return fprintf (stderr, "usage: squares TABLES ENDING...\n"), 2;
  puts ("ending,side,order,numbering,freedom,codec,settings,bytes_48,bytes_64");
  for (int i = 2; i < argc; i++)
    for (unsigned w = 0; w < sizeof ways / sizeof ways[0]; w++)
      ending_of (s, argv[i], &ways[w]);
  sd_values_free (s);
  return 0;
}
