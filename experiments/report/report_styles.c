/* How the curves of a codec look: a colour and a point mark, which stand in its row; what the rows do not
 * know gets what they leave over. Whether slots were free is told by the dashes, not here. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/report/report_internal.h"
#include <string.h>

/* Every pair of these differs from every other and from the codecs' own. */
static const char *const spare_colour[] = { "#56688f", "#a8574a", "#5f8f86", "#7d6b95", "#94894f" };
static const unsigned spare_mark[] = { 10, 1, 3 };
enum {
  NCOLOURS = sizeof spare_colour / sizeof *spare_colour,
  NMARKS = sizeof spare_mark / sizeof *spare_mark
};

const char sd_plain_kind[] = "*/lzma/block=16384,freedom=none,order=name", sd_plain_name[] = "LZMA 16 kB";

static bool find (const char *name, sd_style *out) {
  const sd_codec *codec = sd_codec_find (name);
  if (codec)
    *out = (sd_style){ codec->colour, codec->mark };
  return codec && codec->colour;
}

/* Which of the unknown codecs is this one, in the order in which the lines name them? */
static unsigned number (const sd_rowsums *all, const char *codec) {
  unsigned n = 0;
  for (size_t i = 0; i < all->n; i++) {
    const char *name = all->line[i].row->codec;
    sd_style known;
    bool again = find (name, &known);
    if (strcmp (name, codec) == 0)
      return n;
    for (size_t k = 0; k < i && !again; k++)
      again = strcmp (all->line[k].row->codec, name) == 0;
    n += !again;
  }
  return n;
}

sd_style sd_style_of (const sd_rowsums *all, const char *codec) {
  sd_style row;
  if (find (codec, &row))
    return row;
  unsigned n = number (all, codec);
  return (sd_style){ spare_colour[n % NCOLOURS], spare_mark[n % NMARKS] };
}
