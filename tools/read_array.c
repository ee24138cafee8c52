/* Plain files of numbers (.npy, raw), PLA and test cubes, with what is free beside them, as commands take
 * them: import, and bench of one's own file. Messages name the options of import. */
#include "config.h"
#include "base/text.h"
#include "tools/arrays.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *sd_array_type_word (unsigned i) {
  return i < SD_ARRAY_TYPES ? sd_array_types[i].name : NULL;
}

/* A name that is nothing but the ending does not count. */
static bool ends (const char *text, const char *ending) {
  const size_t n = strlen (text), k = strlen (ending);
  return n > k && strcmp (text + n - k, ending) == 0;
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
static int read_freedom (const sd_array_reading *how, const sd_array_shape *s, freedom *f, sd_error *err) {
  SD_TRY (beside (how->mask, s, SD_ARRAY_TYPES, &f->mask, err));
  SD_TRY (beside (how->sets, s, SD_ARRAY_TYPES, &f->set, err));
  SD_TRY (beside (how->lower, s, s->type, &f->low, err));
  SD_TRY (beside (how->upper, s, s->type, &f->high, err));

  f->is.low = f->low.value;
  f->is.high = f->high.value;
  f->mask8 = how->mask ? sd_alloc (s->n, 1) : NULL;
  f->set16 = how->sets ? sd_alloc (s->n, sizeof *f->set16) : NULL;
  if ((how->mask && !f->mask8) || (how->sets && !f->set16))
    return sd_fail_memory (err, s->n);

  for (uint64_t i = 0; i < s->n && f->mask8; i++)
    f->mask8[i] = f->mask.value[i] != 0;
  for (uint64_t i = 0; i < s->n && f->set16; i++) {
    /* What is too large is told by sd_array_subdefine, which knows the list. */
    if (f->set.value[i] < 0)
      return sd_fail (err, SD_EFORMAT, "%s: slot %" PRIu64 ": set %" PRId32 ": sets are counted from 0",
                      how->sets, i, f->set.value[i]);
    f->set16[i] = (uint16_t) f->set.value[i];
  }

  f->is.mask = f->mask8;
  f->is.set = f->set16;
  f->is.list_name = how->list;
  if (how->list)
    SD_TRY (sd_text_read (how->list, &f->list, NULL, err));
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
static int load_plain (const char *path, const sd_array_reading *how, sd_array_shape *s, sd_subdefined **out,
                       sd_error *err) {
  sd_array_shape shape = { 0 };
  sd_array_plain v = { 0 };
  freedom f SD_RELEASED_BY (free_freedom) = { 0 };

  if (how->shape && sd_array_shape_parse (how->shape, &shape, err))
    return sd_error_prefix (err, "--shape"), SD_EINVAL;
  const sd_array_want want = { .shape = how->shape ? &shape : NULL,
                               .raw = (enum sd_array_type) how->type,
                               .npy = how->typed ? (enum sd_array_type) how->type : SD_ARRAY_TYPES,
                               .as_raw = how->raw };

  SD_TRY (sd_array_plain_read (path, &want, &v, err));

  SD_OWNED int32_t *value = v.value;
  *s = v.shape;
  SD_TRY (read_freedom (how, s, &f, err));
  return sd_array_subdefine (s, value, &f.is, out, err) == SD_OK ? SD_OK : sd_error_prefix (err, "%s", path);
}

/* Texts that have their shape and their freedom in themselves. */
typedef int read_text (const char *text, size_t len, const char *name, sd_array_shape *s, sd_subdefined **out,
                       sd_error *err);
typedef struct text_form {
  enum sd_array_form form;
  const char *ending, *what;
  read_text *read;
} text_form;
static const text_form text_forms[] = {
  { SD_ARRAY_PLA, ".pla", "a PLA", sd_array_pla },
  { SD_ARRAY_CUBES, ".cubes", "text of test cubes", sd_array_cubes },
};
enum { TEXT_FORMS = sizeof text_forms / sizeof text_forms[0] };

/* Which of them is it? As was asked for; else by its content; by its name where the content says nothing, so
 * that the line is named that is wrong. NULL: numbers. Raw ones are read only where the user has said that
 * they are raw, or what they are. */
static int text_form_of (const char *path, const sd_array_reading *how, const sd_map *file,
                         const text_form **out, sd_error *err) {
  const enum sd_array_form form = sd_array_form_of (file->data, file->len);
  const bool described = how->shape || how->typed, asked[TEXT_FORMS] = { how->pla, how->cubes };

  *out = NULL;
  for (unsigned i = 0; i < TEXT_FORMS && !*out; i++) {
    const text_form *t = &text_forms[i];
    const bool looks = form == t->form || (form == SD_ARRAY_RAW && ends (path, t->ending));
    if (how->pla || how->cubes ? asked[i] : looks && !how->raw)
      *out = t;
  }

  if (*out && (described || how->mask || how->sets || how->lower || how->upper))
    return sd_fail (
        err, SD_EINVAL,
        "%s: %s has its shape and its freedom in itself; with --raw its bytes are read as numbers", path,
        (*out)->what);

  if (!*out && form == SD_ARRAY_RAW && !ends (path, ".npy") && !how->raw && !described)
    return sd_fail (
        err, SD_EFORMAT,
        "%s: is neither an .npy file nor a PLA nor test cubes; for raw numbers give --shape or --type, or "
        "--raw for bytes in one dimension",
        path);
  return SD_OK;
}

int sd_array_read_plain (const char *path, const sd_array_reading *how, sd_array_shape *s,
                         sd_subdefined **out, sd_error *err) {
  SD_RELEASED_BY (sd_map_close) sd_map file = { 0 };
  const text_form *text;
  SD_TRY (sd_map_open (path, &file, err));
  SD_TRY (text_form_of (path, how, &file, &text, err));
  return text ? text->read ((const char *) file.data, file.len, path, s, out, err)
              : load_plain (path, how, s, out, err);
}
