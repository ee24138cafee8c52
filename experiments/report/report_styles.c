/* How the marks of a series look: a colour and a shape, which stand in the row of the codec that has its
 * name; other names get what the codecs leave over, in the order in which they come, and each a pair of its
 * own. Shapes are those that gnuplot has filled, and hollow by the number before: which of them a mark is, is
 * not told here.
 *
 * style.gp has the same colours of codecs, so that figures of papers/ look alike. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/report/report_internal.h"
#include <string.h>

/* These colours differ from each other and from those of the codecs. */
static const char *const spare_colour[] = { "#56688f", "#a8574a", "#5f8f86", "#7d6b95", "#94894f" };
static const unsigned spare_mark[] = { 7, 9, 11, 13, 15, 5 };
enum {
  NCOLOURS = sizeof spare_colour / sizeof *spare_colour,
  NMARKS = sizeof spare_mark / sizeof *spare_mark
};
_Static_assert(NCOLOURS *NMARKS == SD_STYLES, "a pair a name");

/* all: remembers which names have come, so that all figures of a report give a name one style. Names are
 * compared as far as they are kept. */
sd_style sd_style_of (sd_styles *all, const char *series) {
  const sd_codec *codec = sd_codec_find (series);
  unsigned n = 0;
  if (codec && codec->colour)
    return (sd_style){ codec->colour, codec->mark, false };

  while (n < all->n && strncmp (all->name[n], series, sizeof all->name[0] - 1))
    n++;
  if (n == all->n && n < SD_STYLES)
    snprintf (all->name[all->n++], sizeof all->name[0], "%.63s", series);

  if (n == SD_STYLES)
    return (sd_style){ "#7a818c", 5, true };
  return (sd_style){ spare_colour[n % NCOLOURS], spare_mark[(n % NCOLOURS + n / NCOLOURS) % NMARKS], false };
}
