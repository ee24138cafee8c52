/* How the marks of a codec look: a colour and a shape, which stand in its row; what the rows do not know gets
 * what they leave over. Shapes are those that gnuplot has filled, and hollow by the number before: whether
 * slots were free is told by that, not here. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/report/report_internal.h"
#include <string.h>

/* These colours differ from each other and from those of the codecs. */
static const char *const spare_colour[] = { "#56688f", "#a8574a", "#5f8f86", "#7d6b95", "#94894f" };
static const unsigned spare_mark[] = { 7, 9, 11, 13, 15 };
enum {
  NCOLOURS = sizeof spare_colour / sizeof *spare_colour,
  NMARKS = sizeof spare_mark / sizeof *spare_mark
};

static bool find (const char *name, sd_style *out) {
  const sd_codec *codec = sd_codec_find (name);
  if (codec)
    *out = (sd_style){ codec->colour, codec->mark };
  return codec && codec->colour;
}

sd_style sd_style_of (const sd_rowsums *all, const sd_rowsum *l) {
  sd_style row;
  if (find (l->row->codec, &row))
    return row;
  const unsigned n = all->unknown[l->like[SD_ONE_CODEC]];
  return (sd_style){ spare_colour[n % NCOLOURS], spare_mark[n % NMARKS] };
}

int sd_styles_number (sd_rowsums *all, sd_error *err) {
  unsigned n = 0;
  uint32_t codecs = 0; /* they are numbered in the order of the lines */
  all->unknown = sd_alloc0 (all->numbers[SD_ONE_CODEC], sizeof *all->unknown);
  if (!all->unknown)
    return sd_fail_memory (err, all->numbers[SD_ONE_CODEC]);
  for (size_t i = 0; i < all->n; i++) {
    sd_style known;
    const uint32_t codec = all->line[i].like[SD_ONE_CODEC];
    if (codec == codecs) {
      codecs++;
      all->unknown[codec] = n;
      n += !find (all->line[i].row->codec, &known);
    }
  }
  return SD_OK;
}
