/* subdef import, get: data of one's own (docs/data.md). `import` reads a plain file of numbers (.npy or raw)
 * and what is free beside it, or a PLA, and writes a source: an .sda file that holds for each slot all values
 * that it may have. `subdef reformat` then makes a small table of it, and `get` reads single slots of either.
 * Names of Syzygy files go to reformat (of_syzygy). A file that is there is overwritten with -f alone. */
#include "config.h"
#include "array/array.h"
#include "base/text.h"
#include "tools/arrays.h"
#include "tools/positions.h"
#include "tools/reformat/reformat.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *shape, *mask, *sets, *list, *lower, *upper, *out;
  unsigned type; /* enum sd_array_type */
  bool pla, cubes, raw, overwrite, quiet, json;
} opt = { .type = SD_ARRAY_U8 };

/* The words of --type. */
static const char *type_word (unsigned i) {
  return i < SD_ARRAY_TYPES ? sd_array_types[i].name : NULL;
}

static json_t *made; /* of --json: what was */

static const sd_option import_options[] = {
  { "shape", 0, "N,N,...", "dimensions of raw numbers, the last one runs fastest (default: one dimension)",
    .text = &opt.shape },
  { "type", 't', NULL,
    "raw numbers: bits, with a sign (i) or without (default: u8); of an .npy file: a type that all its values fit",
    .choice = &opt.type, .words = type_word },
  { "raw", 0, NULL, "FILE holds raw numbers, whatever its bytes look like", .flag = &opt.raw },
  { "mask", 'm', "FILE", "where this is not 0, a slot may hold any value", .text = &opt.mask },
  { "sets", 's', "FILE", "for each slot the number of the set of values that it may hold; with --set-list",
    .text = &opt.sets },
  { "set-list", 0, "LIST.txt",
    "the sets: line k, counted from 0, is set k: values with commas, ranges a-b, or * for any value",
    .text = &opt.list },
  { "lower", 0, "FILE", "for each slot the least value that it may hold", .text = &opt.lower },
  { "upper", 0, "FILE", "for each slot the greatest value that it may hold", .text = &opt.upper },
  { "pla", 0, NULL, "FILE is text of Berkeley's PLA format, also where nothing in it says so",
    .flag = &opt.pla },
  { "cubes", 0, NULL, "FILE is text of test cubes, also where no bit near its start is free",
    .flag = &opt.cubes },
  { "output", 0, "FILE.sda", "the file to make (default: the name of FILE with .sda, in the current folder)",
    .text = &opt.out, .expected = "a name that ends in .sda" },
  { "force", .flag = &opt.overwrite },
  { "json", 0, NULL, "what was made as a JSON array, with the members of 'subdef info --json'",
    .flag = &opt.json },
  { "quiet", .flag = &opt.quiet },
  { 0 },
};

/* ------------------------------------------------------------------ import */

/* A name that is nothing but the ending does not count. */
static bool ends (const char *text, const char *ending) {
  const size_t n = strlen (text), k = strlen (ending);
  return n > k && strcmp (text + n - k, ending) == 0;
}

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

/* Numbers that belong to the values: of their shape. NULL: not asked for. type: of raw numbers; an .npy file
 * says itself what it has. out->value is malloced. */
static int beside (const char *path, const sd_array_shape *s, enum sd_array_type type, sd_array_plain *out,
                   sd_error *err) {
  const sd_array_want want = { .shape = s, .raw = type, .npy = SD_ARRAY_TYPES };
  return path ? sd_array_plain_read (path, &want, out, err) : SD_OK;
}

/* What is free beside the values of v. */
typedef struct freedom {
  sd_array_plain mask, set, low, high; /* the files, as read */
  uint8_t *mask8;                      /* for each slot: 1 is free altogether */
  uint16_t *set16;                     /* for each slot the line of the list */
  char *list;                          /* the text of --set-list */
  sd_array_freedom is;                 /* which points to the four above */
} freedom;

/* Bounds are used as they are read; masks and numbers of sets are narrowed to what sd_array_freedom has. */
static int read_freedom (const sd_array_shape *s, freedom *f, sd_error *err) {
  SD_TRY (beside (opt.mask, s, SD_ARRAY_TYPES, &f->mask, err));
  SD_TRY (beside (opt.sets, s, SD_ARRAY_TYPES, &f->set, err));
  SD_TRY (beside (opt.lower, s, s->type, &f->low, err));
  SD_TRY (beside (opt.upper, s, s->type, &f->high, err));

  f->is.low = f->low.value;
  f->is.high = f->high.value;
  f->mask8 = opt.mask ? sd_alloc (s->n, 1) : NULL;
  f->set16 = opt.sets ? sd_alloc (s->n, sizeof *f->set16) : NULL;
  if ((opt.mask && !f->mask8) || (opt.sets && !f->set16))
    return sd_fail_memory (err, s->n);

  for (uint64_t i = 0; i < s->n && f->mask8; i++)
    f->mask8[i] = f->mask.value[i] != 0;
  for (uint64_t i = 0; i < s->n && f->set16; i++) {
    /* What is too large is told by sd_array_subdefine, which knows the list. */
    if (f->set.value[i] < 0)
      return sd_fail (err, SD_EFORMAT, "%s: slot %" PRIu64 ": set %" PRId32 ": sets are counted from 0",
                      opt.sets, i, f->set.value[i]);
    f->set16[i] = (uint16_t) f->set.value[i];
  }

  f->is.mask = f->mask8;
  f->is.set = f->set16;
  f->is.list_name = opt.list;
  if (opt.list)
    SD_TRY (sd_text_read (opt.list, &f->list, NULL, err));
  f->is.list = f->list;
  return SD_OK;
}

static void free_freedom (freedom *f) {
  free (f->mask.value);
  free (f->set.value);
  free (f->low.value);
  free (f->high.value);
  free (f->mask8);
  free (f->set16);
  free (f->list);
}

/* *s: the shape, which is that of the file where it has one, as .npy files do; a shape that was typed must
 * fit it. */
static int load_plain (const char *path, sd_array_shape *s, sd_subdefined **out, sd_error *err) {
  sd_array_shape shape = { 0 };
  sd_array_plain v = { 0 };
  freedom f SD_RELEASED_BY (free_freedom) = { 0 };

  if (opt.shape && sd_array_shape_parse (opt.shape, &shape, err))
    return sd_error_prefix (err, "--shape"), SD_EINVAL;
  const sd_array_want want = { .shape = opt.shape ? &shape : NULL,
                               .raw = (enum sd_array_type) opt.type,
                               .npy = sd_tool_said ("type") ? (enum sd_array_type) opt.type : SD_ARRAY_TYPES,
                               .as_raw = opt.raw };

  SD_TRY (sd_array_plain_read (path, &want, &v, err));

  SD_OWNED int32_t *value = v.value;
  *s = v.shape;
  SD_TRY (read_freedom (s, &f, err));
  return sd_array_subdefine (s, value, &f.is, out, err) == SD_OK ? SD_OK : sd_error_prefix (err, "%s", path);
}

/* Texts that have their shape and their freedom in themselves. */
typedef int read_text (const char *text, size_t len, const char *name, sd_array_shape *s, sd_subdefined **out,
                       sd_error *err);
typedef struct text_form {
  enum sd_array_form form;
  const char *ending, *what;
  const bool *asked; /* its option */
  read_text *read;
} text_form;
static const text_form text_forms[] = {
  { SD_ARRAY_PLA, ".pla", "a PLA", &opt.pla, sd_array_pla },
  { SD_ARRAY_CUBES, ".cubes", "text of test cubes", &opt.cubes, sd_array_cubes },
};
enum { TEXT_FORMS = sizeof text_forms / sizeof text_forms[0] };

/* Which of them is it? By its option; else by its content; by its name where the content says nothing, so
 * that the line is named that is wrong. NULL: numbers. Raw ones are read only where the user has said that
 * they are raw, or what they are. */
static int text_form_of (const char *path, const sd_map *file, const text_form **out, sd_error *err) {
  const enum sd_array_form form = sd_array_form_of (file->data, file->len);
  const bool described = opt.shape || sd_tool_said ("type"), asked = opt.pla || opt.cubes;

  *out = NULL;
  for (unsigned i = 0; i < TEXT_FORMS && !*out; i++) {
    const text_form *t = &text_forms[i];
    const bool looks = form == t->form || (form == SD_ARRAY_RAW && ends (path, t->ending));
    if (asked ? *t->asked : looks && !opt.raw)
      *out = t;
  }

  if (*out && (described || opt.mask || opt.sets || opt.lower || opt.upper))
    return sd_fail (
        err, SD_EINVAL,
        "%s: %s has its shape and its freedom in itself; with --raw its bytes are read as numbers", path,
        (*out)->what);

  if (!*out && form == SD_ARRAY_RAW && !ends (path, ".npy") && !opt.raw && !described)
    return sd_fail (
        err, SD_EFORMAT,
        "%s: is neither an .npy file nor a PLA nor test cubes; for raw numbers give --shape or --type, or --raw for "
        "bytes in one dimension",
        path);
  return SD_OK;
}

static int load (const char *path, sd_array_shape *s, sd_subdefined **out, sd_error *err) {
  SD_RELEASED_BY (sd_map_close) sd_map file = { 0 };
  const text_form *text;
  SD_TRY (sd_map_open (path, &file, err));
  SD_TRY (text_form_of (path, &file, &text, err));
  return text ? text->read ((const char *) file.data, file.len, path, s, out, err)
              : load_plain (path, s, out, err);
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
  SD_TRY (load (path, &s, &d, err));
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
  const unsigned ways = !!opt.mask + (opt.sets || opt.list) + (opt.lower || opt.upper);
  if (ways > 1)
    return sd_tool_usage ("only one of --mask, --sets with --set-list, and --lower with --upper");
  if (!opt.sets != !opt.list)
    return sd_tool_usage ("--sets and --set-list go together");
  if (opt.pla + opt.cubes + opt.raw > 1)
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
