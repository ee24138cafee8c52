/* subdef import, get: data of one's own (docs/data.md). `import` reads a plain file of numbers (.npy or raw)
 * and what is free beside it, or a PLA, and writes a source: an .sda file that holds for each slot all values
 * that it may have. `subdef reformat` then makes a small table of it, and `get` reads single slots of either.
 * Names of Syzygy files go to reformat (of_syzygy). A file that is there is overwritten with -f alone. */
#include "config.h"
#include "array/array.h"
#include "tools/arrays.h"
#include "tools/positions.h"
#include "tools/reformat/reformat.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct {
  sd_array_reading in;
  const char *out;
  bool overwrite, quiet, json;
} opt = { .in = { .type = SD_ARRAY_U8 } };

static json_t *made; /* of --json: what was */

static const sd_option import_options[] = {
  { "shape", 0, "N,N,...", "dimensions of raw numbers, the last one runs fastest (default: one dimension)",
    .text = &opt.in.shape },
  { "type", 't', NULL,
    "raw numbers: bits, with a sign (i) or without (default: u8); of an .npy file: a type that all its values fit",
    .choice = &opt.in.type, .words = sd_array_type_word },
  { "raw", 0, NULL, "FILE holds raw numbers, whatever its bytes look like", .flag = &opt.in.raw },
  { "mask", 'm', "FILE", "where this is not 0, a slot may hold any value", .text = &opt.in.mask },
  { "sets", 's', "FILE", "for each slot the number of the set of values that it may hold; with --set-list",
    .text = &opt.in.sets },
  { "set-list", 0, "LIST.txt",
    "the sets: line k, counted from 0, is set k: values with commas, ranges a-b, or * for any value",
    .text = &opt.in.list },
  { "lower", 0, "FILE", "for each slot the least value that it may hold", .text = &opt.in.lower },
  { "upper", 0, "FILE", "for each slot the greatest value that it may hold", .text = &opt.in.upper },
  { "pla", 0, NULL, "FILE is text of Berkeley's PLA format, also where nothing in it says so",
    .flag = &opt.in.pla },
  { "cubes", 0, NULL, "FILE is text of test cubes, also where no bit near its start is free",
    .flag = &opt.in.cubes },
  { "output", 0, "FILE.sda", "the file to make (default: the name of FILE with .sda, in the current folder)",
    .text = &opt.out, .expected = "a name that ends in .sda" },
  { "force", .flag = &opt.overwrite },
  { "json", 0, NULL, "what was made as a JSON array, with the members of 'subdef info --json'",
    .flag = &opt.json },
  { "quiet", .flag = &opt.quiet },
  { 0 },
};

/* ------------------------------------------------------------------ import */

/* "x/grid.npy": grid.sda */
static int name_out (const char *from, char *out, size_t cap, sd_error *err) {
  if (opt.out) {
    if (!sd_array_is (opt.out) || strlen (opt.out) >= cap)
      return sd_fail (err, SD_EINVAL, "--output %s: expected a name that ends in .sda", opt.out);
    strcpy (out, opt.out);
    return SD_OK;
  }

  const char *base = basename (from), *dot = strrchr (base, '.');
  const int n = dot && dot > base ? (int) (dot - base) : (int) strlen (base);
  return snprintf (out, cap, "%.*s.sda", n, base) < (int) cap
             ? SD_OK
             : sd_fail (err, SD_EINVAL, "%s: too long", from);
}

/* "grid.sda: u8 8,8, 3 values, 1 set, 120 bytes; 'subdef reformat grid.sda -o DIR' codes it" */
static void say (const char *path) {
  SD_OWN (sd_array) *a = NULL;
  sd_array_info in;
  char shape[192];
  if (opt.quiet || sd_array_open (path, 0, &a, NULL))
    return;

  sd_array_describe (a, &in);
  sd_array_shape_text (&in.shape, shape);
  sd_terminal_clear ();
  printf ("%s: %s %s, %u values, %u set%s, %s bytes; 'subdef reformat %s -o DIR' codes it\n", path,
          sd_array_types[in.shape.type].name, shape, in.main, in.sets, in.sets == 1 ? "" : "s",
          sd_tool_count (in.bytes), path);
}

static int import (const char *path, sd_error *err) {
  SD_OWN (sd_subdefined) *d = NULL;
  char out[4096];
  sd_array_shape s = { 0 };
  /* No codec: what is written is a source. */
  static const sd_array_codec source = { 0 };

  SD_TRY (name_out (path, out, sizeof out, err));

  if (!opt.overwrite && sd_file_exists (out))
    return sd_fail (err, SD_EIO, "%s: is there already; -f overwrites it", out);
  SD_TRY (sd_array_read_plain (path, &opt.in, &s, &d, err));
  SD_TRY (sd_array_write (&s, d, &source, out, &sd_terminal, err));

  if (made)
    sd_array_info_one (out, made, NULL);
  else
    say (out);
  return SD_OK;
}

/* Before any option is read, since reformat has others. A value of an option that looks like a Syzygy file is
 * taken for one. */
static const sd_command *of_syzygy (int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (sd_reformat_is_syzygy (argv[i]))
      return &sd_reformat_imports;
  return NULL;
}

static int run_import (const sd_words *words) {
  sd_error err = { 0 };

  if (words->n == 0)
    return sd_tool_usage ("no file is named");

  made = opt.json ? json_array () : NULL;
  opt.in.typed = sd_tool_said ("type");
  const unsigned ways = !!opt.in.mask + (opt.in.sets || opt.in.list) + (opt.in.lower || opt.in.upper);
  if (ways > 1)
    return sd_tool_usage ("only one of --mask, --sets with --set-list, and --lower with --upper");
  if (!opt.in.sets != !opt.in.list)
    return sd_tool_usage ("--sets and --set-list go together");
  if (opt.in.pla + opt.in.cubes + opt.in.raw > 1)
    return sd_tool_usage ("only one of --pla, --cubes and --raw");

  const int st = import (words->at[0], &err);
  sd_json_rows (made, st);
  return st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}

const sd_command sd_cmd_import = {
  "import",  run_import,      import_options,       .args = "FILE\nENDING.rtbw|ENDING.rtbz...",
  .most = 1, .threads = true, .instead = of_syzygy,
};

/* -------------------------------------------------------------------- get */

/* "77", or an index for each dimension, "1,2,3". */
static int parse_index (const sd_array_shape *s, const char *text, uint64_t *out, sd_error *err) {
  /* The last index runs fastest, as in C. A number that is no number is as wrong as one that is too large. */
  const char *p = text;
  char shape[192];
  const bool flat = !strchr (text, ',');

  *out = 0;
  for (unsigned d = 0; d < (flat ? 1 : s->ndims); d++) {
    char *end = NULL;
    const uint64_t most = flat ? s->n : s->dim[d];
    const unsigned long long v = *p >= '0' && *p <= '9' ? strtoull (p, &end, 10) : ULLONG_MAX;
    if (v >= most || *end != (d + 1 == (flat ? 1 : s->ndims) ? 0 : ',')) {
      sd_array_shape_text (s, shape);
      return sd_fail (err, SD_EINVAL,
                      "'%.60s': expected a slot below %" PRIu64 ", or an index for each dimension of %s",
                      text, s->n, shape);
    }
    *out = flat ? v : *out * most + v;
    p = end + 1;
  }
  return SD_OK;
}

/* A number where there is one value; else the text, as "3 5-9" or "*". */
static json_t *slot_json (const char *slot, const char *text) {
  char *end;
  const long long v = strtoll (text, &end, 10);
  return *end == 0 && end != text ? json_pack ("{s:s, s:I}", "slot", slot, "value", (json_int_t) v)
                                  : json_pack ("{s:s, s:s}", "slot", slot, "values", text);
}

static bool as_json;
static const sd_option get_options[] = {
  { "json", 'j', NULL, "one JSON array, an object for each slot", .flag = &as_json },
  { 0 },
};

/* A line for each slot: its value, and of a source all that it may hold. */
static int get (const sd_array *a, const char *slot, json_t *all, sd_error *err) {
  sd_array_info in;
  uint64_t i;
  char text[4096];
  sd_array_describe (a, &in);
  SD_TRY (parse_index (&in.shape, slot, &i, err));
  SD_TRY (sd_array_slot (a, i, text, sizeof text, err));
  if (all)
    json_array_append_new (all, slot_json (slot, text));
  else
    puts (text);
  return SD_OK;
}

/* Slots before a wrong one have been printed; of --json nothing is then. */
static int run_get (const sd_words *words) {
  SD_OWN (sd_array) *a = NULL;
  sd_error err = { 0 };
  if (words->n < 2)
    return sd_tool_usage ("expected FILE.sda and a slot, e.g. 'subdef get grid.sda 3,5,7'");

  if (sd_array_open (words->at[0], 0, &a, &err))
    return sd_tool_fail (&err);

  json_t *all = as_json ? json_array () : NULL;
  int st = SD_OK;
  for (int i = 1; i < words->n && st == SD_OK && !ferror (stdout); i++)
    st = get (a, words->at[i], all, &err);
  sd_json_rows (all, st);
  return st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}

const sd_command sd_cmd_get = { "get", run_get, get_options, .args = "FILE.sda SLOT..." };
