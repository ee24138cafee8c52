/* Files of layouts: which order and numbering each ending is stored in, one line an ending, so that what a
 * search has found is rebuilt without searching. Columns are known by their names in the first line:
 *
 *   material,order_w,numbering_w,order_b,numbering_b
 *                     must be there; the order of a side that is not stored is empty (--sides one then stores
 *                     the other one), "=" if Black's side shares White's stream
 *   codec,settings    may be; taken where no codec is named. Settings with commas stand in double
 *                     quotes. Where the sides differ, White's|Black's
 *   freedom           may be; taken where none is named, evident for check where one side is stored
 *   bytes             what came out
 *
 * Others are ignored. `subdef list --layouts` writes them, `subdef reformat --layouts` reads them. */
#include "config.h"
#include "base/text.h"
#include "codecs/codecs.h"
#include "tools/tools_internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHARED "="

void sd_layouts_header (void) {
  puts ("material,order_w,numbering_w,order_b,numbering_b,bytes,freedom");
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
    sd_tool_layout (&in->side[s], order[s], numbering[s]);
  }

  char freedom[80];
  sd_freedom_text (in->freedom, freedom, sizeof freedom);
  printf ("%s,%s,%s,%s,%s,%" PRIu64 ",%s\n", name, order[0], numbering[0], order[1], numbering[1], in->bytes,
          freedom);
}

/* In the order of `names`. */
enum column {
  MATERIAL,
  ORDER_W,
  NUMBERING_W,
  ORDER_B,
  NUMBERING_B,
  CODEC,
  SETTINGS,
  FREEDOM,
  BYTES,
  COLUMNS
};
enum { NEEDED = CODEC }; /* columns before must be there */
static const char *const names[COLUMNS] = { "material", "order_w",  "numbering_w", "order_b", "numbering_b",
                                            "codec",    "settings", "freedom",     "bytes" };

/* The next field, without its double quotes; NULL behind the last one. */
static char *next_field (char **line) {
  char *at = *line;
  if (at && *at == '"') {
    char *end = strchr (at + 1, '"');
    if (end) {
      *end = 0;
      *line = end[1] == ',' ? end + 2 : NULL;
      return at + 1;
    }
  }
  /* Also a quote that nothing closes: the field is then taken as it stands. */
  return strsep (line, ",");
}

/* place[c] = which field column c is, or -1. */
static int parse_names (char *line, const char *file, int place[COLUMNS], sd_error *err) {
  char *field;
  for (unsigned c = 0; c < COLUMNS; c++)
    place[c] = -1;
  for (int i = 0; (field = next_field (&line)); i++)
    for (unsigned c = 0; c < COLUMNS; c++)
      if (strcmp (field, names[c]) == 0)
        place[c] = i;

  for (unsigned c = 0; c < NEEDED; c++)
    if (place[c] < 0)
      return sd_fail (err, SD_EFORMAT, "%s:1: the line names no column \"%s\"", file, names[c]);
  return SD_OK;
}

/* field[c] = what stands in column c, "" if there is no such column. */
static int split (char *line, const char *file, unsigned number, const int place[COLUMNS],
                  const char *field[COLUMNS], sd_error *err) {
  char *here;
  int i = 0;
  for (unsigned c = 0; c < COLUMNS; c++)
    field[c] = "";
  for (; (here = next_field (&line)); i++)
    for (unsigned c = 0; c < COLUMNS; c++)
      if (place[c] == i)
        field[c] = here;
  /* A line that ends before a column that the first line names. */
  for (unsigned c = 0; c < COLUMNS; c++)
    if (place[c] >= i)
      return sd_fail (err, SD_EFORMAT, "%s:%u: %d columns, expected at least %d", file, number, i,
                      place[c] + 1);
  return SD_OK;
}

/* White's or Black's part of a field, or the whole where it has no parts. */
static void part_of (const char *field, unsigned side, char *out, size_t cap) {
  const char *bar = strchr (field, '|');
  const size_t front = bar ? (size_t) (bar - field) : strlen (field);
  if (side && bar)
    snprintf (out, cap, "%s", bar + 1);
  else
    snprintf (out, cap, "%.*s", (int) front, field);
}

/* Codec and settings of the line, where it has them. */
static int parse_codec (const char *const field[COLUMNS], sd_table_spec *spec, sd_error *err) {
  if (!*field[CODEC])
    return SD_OK;
  for (unsigned s = 0; s < 2; s++) {
    char name[24], settings[400];
    part_of (field[CODEC], s, name, sizeof name);
    part_of (field[SETTINGS], s, settings, sizeof settings);
    const sd_codec *codec = spec->side[s].codec = sd_codec_find (name);
    if (!codec)
      return sd_fail (err, SD_EFORMAT, "codec \"%s\" is unknown", name);
    SD_TRY (sd_settings_parse (codec, settings, &spec->side[s].settings, err));
  }
  return SD_OK;
}

/* What the line leaves free, if it says so. */
static int parse_freedom (const char *const field[COLUMNS], sd_table_spec *spec, sd_error *err) {
  unsigned freedom;
  if (!*field[FREEDOM])
    return SD_OK;
  SD_TRY (sd_freedom_parse (field[FREEDOM], &freedom, err));
  /* The value of a slot in check is the best of all moves, behind which the other side is to move: it has to
   * be stored. What is evident takes the place of that. */
  if (!sd_sides_both (spec->sides) && freedom & SD_FREE_IN_CHECK)
    freedom = (freedom & ~SD_FREE_IN_CHECK) | (SD_FREE_EVIDENT & sd_freedom_of_coding (spec->coding));
  return sd_freedom_choose (spec->metric, spec->coding, freedom, &spec->freedom, err);
}

/* Where one side is to be chosen and the line has one, that is the one. */
static void choose_side (const char *const field[COLUMNS], sd_table_spec *spec) {
  const bool white = *field[ORDER_W], black = *field[ORDER_B];
  if (spec->sides == SD_SIDES_ONE && white != black)
    spec->sides = white ? SD_SIDES_WHITE : SD_SIDES_BLACK;
}

/* Layouts of the sides that spec stores, and one stream for both if the line says so. */
static int parse_layouts (const char *const field[COLUMNS], sd_table_spec *spec, sd_error *err) {
  if (!sd_material_symmetric (&spec->material))
    choose_side (field, spec);
  const unsigned sides = sd_table_sides (spec);
  const bool shared = strcmp (field[ORDER_B], SHARED) == 0;
  if (shared && (strchr (field[CODEC], '|') || strchr (field[SETTINGS], '|')))
    return sd_fail (err, SD_EFORMAT, "one stream for both sides has one codec, and one set of settings");
  /* Where one side is stored, or is to be chosen, the order of the shared stream is that of the side. */
  if (shared && sides == SD_SIDES_BOTH && spec->sides != SD_SIDES_ONE)
    spec->sides = SD_SIDES_JOINT;
  /* Black's columns may say "=", and of a joint table they are not looked at. */
  for (unsigned s = 0; s < 2; s++) {
    const char *const *of = field + (s && !shared && !sd_table_joint (spec) ? ORDER_B : ORDER_W);
    if (sides >> s & 1)
      SD_TRY (sd_layout_parse (&spec->material, of[0], of[1], &spec->side[s].layout, err));
  }
  return SD_OK;
}

/* What is looked for, and where. */
typedef struct search {
  const char *file;
  int place[COLUMNS];  /* of parse_names */
  bool codec, freedom; /* these are asked for, too */
  sd_table_spec *spec; /* whose ending it is */
  uint64_t *bytes;
  bool found;
} search;

/* SD_EFORMAT, whatever is wrong with it. A line of another ending is passed over unread. A name that is none
 * fails: it may be the one that is looked for. */
static int parse_line (search *s, char *line, unsigned number, sd_error *err) {
  const char *field[COLUMNS];
  sd_material here;

  SD_TRY (split (line, s->file, number, s->place, field, err));
  const bool known = sd_material_parse (field[MATERIAL], &here, err) == SD_OK;
  if (known && !sd_material_equal (&here, &s->spec->material))
    return SD_OK;

  s->found = true;
  *s->bytes = strtoull (field[BYTES], NULL, 10);
  if (known && (!s->codec || parse_codec (field, s->spec, err) == SD_OK)
      && (!s->freedom || parse_freedom (field, s->spec, err) == SD_OK)
      && parse_layouts (field, s->spec, err) == SD_OK)
    return SD_OK;

  sd_error_prefix (err, "%s:%u", s->file, number);
  return SD_EFORMAT;
}

/* The next line, without its end. */
static bool get_line (FILE *f, unsigned number, char **line, size_t *cap) {
  if (!sd_text_line (f, number, line, cap))
    return false;
  (*line)[strcspn (*line, "\r\n")] = 0;
  return true;
}

/* The first line of the ending counts. */
int sd_layouts_find (const char *file, bool codec, bool freedom, sd_table_spec *spec, uint64_t *bytes,
                     sd_error *err) {
  FILE *f;
  char own[4096], name[64];

  if (strcmp (file, "papers") == 0) {
    const unsigned men = sd_material_men (&spec->material);
    snprintf (name, sizeof name, "papers/best-%s-%s.csv", sd_metrics[spec->metric].name,
              men > 4 ? "5" : "3-4");
    const int status = sd_tool_data (name, own, sizeof own, err);
    /* The installation is whole, but nobody has made such a list. */
    if (status != SD_OK && men > 4
        && sd_tool_data ("papers/best-wdl-3-4.csv", own, sizeof own, NULL) == SD_OK)
      return sd_fail (err, SD_ENOENT,
                      "no list of the smallest known %s tables with %u men comes with the program",
                      sd_metrics[spec->metric].title, men);
    SD_TRY (status);
    file = own;
  }

  SD_TRY (sd_file_open (file, &f, err));
  char *line = NULL;
  size_t cap = 0;
  search s = { .file = file, .codec = codec, .freedom = freedom, .spec = spec, .bytes = bytes };
  int status = get_line (f, 1, &line, &cap) ? parse_names (line, file, s.place, err)
                                            : sd_fail (err, SD_EFORMAT, "%s: is empty", file);

  for (unsigned number = 2; status == SD_OK && !s.found && get_line (f, number, &line, &cap); number++)
    if (line[0] != '#' && line[0])
      status = parse_line (&s, line, number, err);
  free (line);
  fclose (f);

  if (status == SD_OK && !s.found) {
    sd_material_name (&spec->material, name);
    status = sd_fail (err, SD_ENOENT, "%s: has no line for %s", file, name);
  }
  return status;
}
