/* Files of layouts: which order and numbering each ending is stored in, one line an ending, so that what a
 * search has found is rebuilt without searching:
 *
 *   material,order_w,numbering_w,order_b,numbering_b,bytes      (further columns are ignored; the order of
 * a side that is not stored is empty, "=" if Black's side shares White's stream)
 *
 * `subdef list --layouts` writes them, `subdef reformat --layouts` reads them. */
#include "config.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHARED "="

void sd_layouts_header (void) {
  puts ("material,order_w,numbering_w,order_b,numbering_b,bytes");
}

void sd_layouts_line (const sd_table_info *in) {
  char name[16], order[2][24] = { "", "" }, numbering[2][24] = { "", "" };
  sd_material_name (&in->material, name);
  for (unsigned s = 0; s < in->nsides; s++) {
    if (!sd_table_info_has (in, s))
      continue;
    if (s == 1 && in->joint) {
      strcpy (order[s], SHARED);
      strcpy (numbering[s], SHARED);
      continue;
    }
    sd_layout_order_text (in->side[s].layout, order[s]);
    sd_layout_numbering_text (in->side[s].layout, numbering[s]);
  }
  printf ("%s,%s,%s,%s,%s,%" PRIu64 "\n", name, order[0], numbering[0], order[1], numbering[1], in->bytes);
}

/* Layouts of the sides that spec stores, and one stream for both if the line says so. */
static int parse_line (char *line, const char *file, unsigned number, sd_table_spec *spec, bool *found,
                       sd_error *err) {
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
  if (!sd_material_equal (&here, &spec->material))
    return SD_OK;
  *found = true;
  const unsigned sides = sd_table_sides (spec);
  const bool shared = strcmp (field[3], SHARED) == 0;
  if (shared && sides == SD_SIDES_BOTH && spec->sides != SD_SIDES_ONE)
    spec->sides = SD_SIDES_JOINT;
  for (unsigned s = 0; s < 2; s++) {
    const char *const *of = (const char *const *) field + (s && !shared && !sd_table_joint (spec) ? 3 : 1);
    if ((sides >> s & 1) && sd_layout_parse (&spec->material, of[0], of[1], &spec->side[s].layout, err)) {
      sd_error_prefix (err, "%s:%u", file, number);
      return SD_EFORMAT;
    }
  }
  return SD_OK;
}

int sd_layouts_find (const char *file, sd_table_spec *spec, sd_error *err) {
  FILE *f;
  SD_TRY (sd_file_open (file, &f, err));
  char *line = NULL;
  size_t cap = 0;
  bool found = false;
  int status = SD_OK;
  for (unsigned number = 1; status == SD_OK && !found && getline (&line, &cap, f) > 0; number++)
    if (number > 1 && line[0] != '#' && line[0] != '\n')
      status = parse_line (line, file, number, spec, &found, err);
  free (line);
  fclose (f);
  if (status == SD_OK && !found) {
    char name[16];
    sd_material_name (&spec->material, name);
    status = sd_fail (err, SD_ENOENT, "%s: has no line for %s", file, name);
  }
  return status;
}
