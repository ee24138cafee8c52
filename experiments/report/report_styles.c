/* How the curves of a codec look: one row a codec, a colour and a point mark of its own, in one place. The colours are
 * mid-tones that hold on light and on dark paper; what the rows do not know gets what they leave over. Whether slots were free is
 * told by the dashes, not here. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <string.h>

/* gnuplot's marks of SVG: 1 plus, 2 cross, 3 star; then outlined and filled: 4 5 square, 6 7 circle, 8 9 and 10 11 triangles,
 * 12 13 diamond, 14 15 pentagon. */
static const struct {
  const char *codec;
  sd_style style;
} known[] = {
  { "repair", { "#2f7de1", 7 } },  { "lzma", { "#d9822b", 5 } },   { "obdd", { "#c2387a", 13 } },
  { "trees", { "#2e9e6b", 9 } },   { "huffman", { "#8f5bd6", 11 } }, { "zstd", { "#d64545", 15 } },
  { "brotli", { "#9a6b3f", 6 } },  { "zlib", { "#1fa3b5", 4 } },   { "bzip2", { "#b59b00", 12 } },
  { "lz4", { "#7a9e2f", 8 } },     { "rle", { "#e07aa8", 14 } },   { "store", { "#8a8f98", 2 } },
};

/* Every pair of these differs from every other and from the rows above. */
static const char *const spare_colour[] = { "#56688f", "#a8574a", "#5f8f86", "#7d6b95", "#94894f" };
static const unsigned spare_mark[] = { 10, 1, 3 };
enum { NCOLOURS = sizeof spare_colour / sizeof *spare_colour, NMARKS = sizeof spare_mark / sizeof *spare_mark };

const char sd_plain_kind[] = "*/lzma/block=16384,freedom=none,order=name", sd_plain_name[] = "LZMA 16 kB";

static const sd_style *find (const char *codec) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp (known[i].codec, codec) == 0)
      return &known[i].style;
  return NULL;
}

/* Which of the unknown codecs is this one, in the order in which the lines name them? */
static unsigned number (const sd_rowsums *all, const char *codec) {
  unsigned n = 0;
  for (size_t i = 0; i < all->n; i++) {
    const char *name = all->line[i].row->codec;
    bool again = find (name) != NULL;
    if (strcmp (name, codec) == 0)
      return n;
    for (size_t k = 0; k < i && !again; k++)
      again = strcmp (all->line[k].row->codec, name) == 0;
    n += !again;
  }
  return n;
}

sd_style sd_style_of (const sd_rowsums *all, const char *codec) {
  const sd_style *row = find (codec);
  if (row)
    return *row;
  unsigned n = number (all, codec);
  return (sd_style){ spare_colour[n % NCOLOURS], spare_mark[n % NMARKS] };
}
