/* Files of layouts: which order and numbering each ending is stored in, one line an ending, so that what a
 * search has found is rebuilt without searching:
 *
 *   material,order_w,numbering_w,order_b,numbering_b,bytes      (further columns are ignored; the order of
 * a side that is not stored is empty)
 *
 * `subdef list --layouts` writes them, `subdef reformat --layouts` reads them. */
#include "config.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void sd_layouts_header (void) {
  puts ("material,order_w,numbering_w,order_b,numbering_b,bytes");
}

void sd_layouts_line (const sd_table_info *in) {
  char name[16], order[2][24] = { "", "" }, numbering[2][24] = { "", "" };
  sd_material_name (&in->material, name);
  for (unsigned s = 0; s < in->nsides; s++) {
    if (!sd_table_info_has (in, s))
      continue;
    sd_layout_order_text (in->side[s].layout, order[s]);
    sd_layout_numbering_text (in->side[s].layout, numbering[s]);
  }
  printf ("%s,%s,%s,%s,%s,%" PRIu64 "\n", name, order[0], numbering[0], order[1], numbering[1], in->bytes);
}

static int parse_line (char *line, const char *file, unsigned number, const sd_material *m, unsigned sides,
                       sd_layout *side, bool *found, sd_error *err) {
  enum { FIELDS = 5 };
  char *field[FIELDS];
  for (int i = 0; i < FIELDS; i++)
    if (!(field[i] = strsep (&line, ",\r\n")))
      return sd_fail (err, SD_EFORMAT, "%s:%u: %d columns, expected at least %d", file, number, i, FIELDS);
  sd_material here;
  if (sd_material_parse (field[0], &here, err)) {
    sd_error_prefix (err, "%s:%u", file, number);
    return SD_EFORMAT;
  }
  if (!sd_material_equal (&here, m))
    return SD_OK;
  *found = true;
  for (unsigned s = 0; s < 2; s++)
    if ((sides >> s & 1) && sd_layout_parse (m, field[1 + 2 * s], field[2 + 2 * s], &side[s], err)) {
      sd_error_prefix (err, "%s:%u", file, number);
      return SD_EFORMAT;
    }
  return SD_OK;
}

int sd_layouts_find (const char *file, const sd_material *m, unsigned sides, sd_layout *side,
                     sd_error *err) {
  FILE *f = fopen (file, "r");
  if (!f)
    return sd_fail (err, errno == ENOENT ? SD_ENOENT : SD_EIO, "%s: cannot be read: %s", file,
                    strerror (errno));
  char *line = NULL;
  size_t cap = 0;
  bool found = false;
  int status = SD_OK;
  for (unsigned number = 1; status == SD_OK && !found && getline (&line, &cap, f) > 0; number++)
    if (number > 1 && line[0] != '#' && line[0] != '\n')
      status = parse_line (line, file, number, m, sides, side, &found, err);
  free (line);
  fclose (f);
  if (status == SD_OK && !found) {
    char name[16];
    sd_material_name (m, name);
    status = sd_fail (err, SD_ENOENT, "%s: has no line for %s", file, name);
  }
  return status;
}
