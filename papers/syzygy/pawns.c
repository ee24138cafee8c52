/* One stream against four, by the file of the leading pawn: ./pawns TABLES ENDING...
 *   make -C build papers/syzygy/pawns
 * WDL of each ending, each side to move, RE-PAIR at its defaults. The leading pawn, the first one of the
 * name, stands on files a-d and is the most significant digit of the index, numbered file by file: the first
 * quarter of the slots has it on file a. The whole sequence is coded as one stream, and each quarter as a
 * stream of its own, in every order of the other men. One line of CSV for each order. Only endings in which
 * that pawn is the only one of its colour. */
#include "config.h"
#include "recode/recode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sd_error err;

static void stop (const char *what) {
  fprintf (stderr, "pawns: %s: %s\n", what, err.text);
  exit (1);
}

/* Bytes of the stream of n slots from `first` on. */
static size_t coded (const sd_subdefined *d, const sd_codec *codec, uint64_t first, uint64_t n) {
  sd_seq part = { .alphabet = d->alphabet, .sym = d->seq.sym + first, .n = n };
  sd_settings set;
  sd_buf out = { 0 };
  if (sd_settings_parse (codec, "", &set, &err) != SD_OK)
    stop ("settings");
  if (sd_codec_encode (codec, &part, &set, NULL, &out, &err) != SD_OK)
    stop ("encode");
  const size_t bytes = out.len;
  sd_buf_free (&out);
  return bytes;
}

/* One order of the men: the whole sequence and its quarters. */
static void measure (const sd_exact *e, const sd_subdefined *d, const char *ending, const sd_layout *layout) {
  const sd_codec *codec = sd_codec_find ("repair");
  char order[24];
  sd_indexer *ix;
  sd_subdefined *laid;
  if (sd_indexer_new (layout, &ix, &err) != SD_OK
      || sd_subdefined_relayout (d, e->indexer, ix, &laid, &err) != SD_OK)
    stop (ending);
  sd_layout_order_text (layout, order);
  const uint64_t n = laid->seq.n, quarter = n / 4;
  printf ("%s,%c,%s,%llu,%zu", ending, "wb"[d->side], order, (unsigned long long) n,
          coded (laid, codec, 0, n));
  for (unsigned file = 0; file < 4; file++)
    printf (",%zu", coded (laid, codec, file * quarter, quarter));
  puts ("");
  fflush (stdout);
  sd_subdefined_free (laid);
  sd_indexer_free (ix);
}

/* The leading pawn first, the men of the name behind it in every order. */
static void ending_of (sd_values *s, const char *name) {
  sd_material m;
  const sd_exact *e;
  char text[24] = "P!", *end = text + 2;
  const char *pawn = strchr (name, 'P'), *other = strchr (name, 'v');
  const int black = pawn && pawn > other;
  if (!pawn || sd_material_parse (name, &m, &err) != SD_OK || sd_values_need (s, &m, &err) != SD_OK
      || sd_values_whole (s, &m, &e, &err) != SD_OK)
    stop (name);
  text[0] = black ? 'p' : 'P';
  for (const char *c = name; *c; c++)
    if (c != pawn && c != other)
      *end++ = (char) (c > other ? *c + 'a' - 'A' : *c);
  *end = '\0';
  sd_layout first, all[24];
  if (sd_layout_parse (&m, text, "files", &first, &err) != SD_OK)
    stop (name);
  const unsigned n = sd_layout_orders (&first, all, 24);
  for (unsigned side = 0; side < e->nsides; side++) {
    const sd_stored what = { SD_WDL, sd_metrics[SD_WDL].coding[0], SD_FREE_ALL, side, SD_SIDES_BOTH };
    sd_subdefined *d;
    if (sd_subdefine (s, e, &what, NULL, &d, &err) != SD_OK)
      stop (name);
    for (unsigned i = 0; i < n; i++)
      if (all[i].group[0].type == SD_PAWN && all[i].leader == 0)
        measure (e, d, name, &all[i]);
    sd_subdefined_free (d);
  }
}

int main (int argc, char **argv) {
  sd_values *s;
  if (argc < 3 || sd_values_new (argv[1], SD_DTM, &s, &err) != SD_OK)
    return fprintf (stderr, "usage: pawns TABLES ENDING...\n"), 2;
  puts ("ending,side,order,slots,one,a,b,c,d");
  for (int i = 2; i < argc; i++)
    ending_of (s, argv[i]);
  sd_values_free (s);
  return 0;
}
