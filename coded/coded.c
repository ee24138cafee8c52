/* coded.c - what users of the library call: array/ behind functions that need no other header. Data are an
 * array's shape and its sd_subdefined, coded data the bytes of an .sda file that is open. What is added here:
 * checks of what a caller gives, statuses of this header, and that everything coded is compared with its data
 * before a caller gets it. */
#include "config.h"
#include "array/array.h"
#include "codecs/codecs.h"
#include "coded/subdef.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int) SD_DATA_U8 == SD_ARRAY_U8 + 1 && (int) SD_DATA_I8 == SD_ARRAY_I8 + 1
                   && (int) SD_DATA_U16 == SD_ARRAY_U16 + 1 && (int) SD_DATA_I16 == SD_ARRAY_I16 + 1
                   && SD_ARRAY_TYPES == 4,
               "the types of this header are those of arrays, behind SD_DATA_FIT");
_Static_assert(sizeof ((sd_coded_info *) 0)->dim / sizeof (uint32_t) == SD_MAX_DIMS,
               "every shape fits into sd_coded_info");

struct sd_data {
  sd_array_shape shape;
  sd_subdefined *d;
  uint64_t fixed;
};

struct sd_coded {
  sd_array *array;
  sd_array_info in;
  const uint8_t *bytes;
  size_t len;
  sd_buf own; /* the bytes where they were coded here; empty: they are the caller's */
  char settings[SD_MAX_SETTINGS * 80];
};

static const char NAME[] = "the coded data"; /* in messages of array/ */

/* ---------------------------------------------------------------- statuses */

const char *sd_coded_text (int status) {
  static const char *const text[] = {
    [SD_CODED_OK] = "success",
    [SD_CODED_ARGUMENT] = "a wrong argument",
    [SD_CODED_VALUES] = "a value that its own slot may not hold",
    [SD_CODED_LIMIT] = "more slots, values or sets, or larger values, than can be coded",
    [SD_CODED_CODEC] = "no such codec or setting",
    [SD_CODED_DAMAGED] = "no coded data, or they are damaged",
    [SD_CODED_UNSUPPORTED] = "coded by a newer version, or by a codec that this build has not",
    [SD_CODED_DIFFERS] = "a slot holds what the data do not allow",
    [SD_CODED_MEMORY] = "out of memory",
  };
  return status >= 0 && status < (int) (sizeof text / sizeof text[0]) ? text[status] : "unknown status";
}

/* The status of a reader: what the bytes say is at fault. */
static int status_of_reading (int st) {
  switch (st) {
  case SD_OK:
    return SD_CODED_OK;
  case SD_ENOMEM:
    return SD_CODED_MEMORY;
  case SD_EUNSUPPORTED:
  case SD_EVERSION:
    return SD_CODED_UNSUPPORTED;
  case SD_EDIFF:
    return SD_CODED_DIFFERS;
  case SD_ERANGE: /* sound, and too large for a short file */
    return SD_CODED_LIMIT;
  default:
    return SD_CODED_DAMAGED;
  }
}

/* The status of what works on a caller's data and words; `mistake` is what SD_EINVAL and SD_EFORMAT mean. */
static int status_of_making (int st, int mistake) {
  switch (st) {
  case SD_OK:
    return SD_CODED_OK;
  case SD_ENOMEM:
    return SD_CODED_MEMORY;
  case SD_ERANGE:
  case SD_ENOENT: /* no codec can code them */
  case SD_EUNSUPPORTED:
    return SD_CODED_LIMIT;
  default:
    return mistake;
  }
}

/* A caller's message: the text of `err`, or that of the status where there is none. */
static int say (int status, const sd_error *err, char *message, size_t room) {
  const char *text = err->text[0] ? err->text : sd_coded_text (status);
  if (message && room)
    snprintf (message, room, "%s", status == SD_CODED_OK ? "" : text);
  return status;
}

static int refuse (int status, const char *text, char *message, size_t room) {
  if (message && room)
    snprintf (message, room, "%s", text);
  return status;
}

/* -------------------------------------------------------------------- data */

/* What is wrong with the arguments themselves; NULL: nothing. */
static const char *wrong_input (const sd_data_input *in) {
  if (!in->value)
    return "there are no values";
  if (!in->n)
    return "0 slots: data have at least one";
  if (in->ndims && !in->dim)
    return "a number of dimensions without the dimensions";
  if ((unsigned) in->type > SD_DATA_I16)
    return "there is no such type";
  if (!in->set != !in->sets)
    return "set and sets belong together";
  if (!!in->mask + !!in->set + (in->low || in->high) > 1)
    return "a mask, sets and bounds: only one of them may be given";
  return NULL;
}

static int take_shape (const sd_data_input *in, sd_array_shape *s, sd_error *err) {
  if (in->n > (in->ndims ? SD_ARRAY_MAX_SLOTS : UINT32_MAX))
    return sd_fail (err, SD_ERANGE, "%" PRIu64 " slots are more than can be coded", in->n);
  s->ndims = in->ndims;
  if (in->ndims > SD_MAX_DIMS)
    return sd_array_shape_set (s, err);
  if (in->ndims)
    memcpy (s->dim, in->dim, in->ndims * sizeof s->dim[0]);
  else
    s->dim[s->ndims++] = (uint32_t) in->n;
  SD_TRY (sd_array_shape_set (s, err));
  return s->n == in->n ? SD_OK
                       : sd_fail (err, SD_EINVAL, "the dimensions have %" PRIu64 " slots, the data %" PRIu64,
                                  s->n, in->n);
}

static int take_type (const sd_data_input *in, sd_array_shape *s, sd_error *err) {
  int32_t least = INT32_MAX, most = INT32_MIN;
  unsigned t = 0;
  if (in->type != SD_DATA_FIT) {
    s->type = (enum sd_array_type) ((unsigned) in->type - 1);
    return SD_OK;
  }
  for (uint64_t i = 0; i < in->n; i++) {
    least = in->value[i] < least ? in->value[i] : least;
    most = in->value[i] > most ? in->value[i] : most;
  }
  while (t < SD_ARRAY_TYPES && (least < sd_array_types[t].least || most > sd_array_types[t].most))
    t++;
  if (t == SD_ARRAY_TYPES)
    return sd_fail (err, SD_ERANGE, "values from %" PRId32 " to %" PRId32 ": no type of 16 bits holds both",
                    least, most);
  s->type = (enum sd_array_type) t;
  return SD_OK;
}

static int subdefine (const sd_data_input *in, sd_data *data, sd_error *err) {
  const sd_array_freedom f = {
    .mask = in->mask, .set = in->set, .list = in->sets, .list_name = "sets", .low = in->low, .high = in->high
  };
  SD_TRY (take_type (in, &data->shape, err));
  return sd_array_subdefine (&data->shape, in->value, &f, &data->d, err);
}

static void count_fixed (sd_data *data) {
  const sd_seq *s = &data->d->seq;
  for (uint64_t i = 0; i < s->n; i++)
    data->fixed += sd_alphabet_choices (s->alphabet, s->sym[i]) == 1;
}

int sd_data_new (const sd_data_input *in, sd_data **out, char *message, size_t room) {
  sd_error err = { 0 };
  if (!out)
    return refuse (SD_CODED_ARGUMENT, "there is no place for the data", message, room);
  *out = NULL;
  const char *wrong = in ? wrong_input (in) : "there is no input";
  if (wrong)
    return refuse (SD_CODED_ARGUMENT, wrong, message, room);
  sd_data *data = calloc (1, sizeof *data);
  if (!data)
    return say (SD_CODED_MEMORY, &err, message, room);
  int st = status_of_making (take_shape (in, &data->shape, &err), SD_CODED_ARGUMENT);
  if (st == SD_CODED_OK)
    st = status_of_making (subdefine (in, data, &err), SD_CODED_VALUES);
  if (st == SD_CODED_OK) {
    count_fixed (data);
    *out = data;
  } else
    free (data);
  return say (st, &err, message, room);
}

int sd_data_open (const void *bytes, size_t len, sd_data **out, char *message, size_t room) {
  sd_error err = { 0 };
  sd_array *a = NULL;
  if (out)
    *out = NULL;
  if (!bytes || !out)
    return refuse (SD_CODED_ARGUMENT, "there are no bytes, or there is no place for the data", message, room);
  sd_data *data = calloc (1, sizeof *data);
  if (!data)
    return say (SD_CODED_MEMORY, &err, message, room);
  int st = sd_array_open_memory (bytes, len, NAME, SD_OPEN_CHECK, &a, &err);
  if (st == SD_OK) {
    sd_array_info in;
    sd_array_describe (a, &in);
    data->shape = in.shape;
    st = sd_array_load (a, &data->d, &err);
    sd_array_close (a);
  }
  if (st == SD_OK) {
    count_fixed (data);
    *out = data;
  } else
    free (data);
  return say (status_of_reading (st), &err, message, room);
}

void sd_data_free (sd_data *data) {
  if (!data)
    return;
  sd_subdefined_free (data->d);
  free (data);
}

void sd_data_describe (const sd_data *data, sd_data_info *out) {
  if (!out)
    return;
  *out = (sd_data_info){ 0 };
  if (!data)
    return;
  const sd_alphabet *a = data->d->alphabet;
  *out = (sd_data_info){ .slots = data->shape.n,
                         .fixed = data->fixed,
                         .values = sd_alphabet_main (a),
                         .sets = sd_alphabet_size (a) - sd_alphabet_main (a),
                         .type = (enum sd_data_type) (data->shape.type + 1) };
}

int sd_data_admits (const sd_data *data, uint64_t slot, int32_t value) {
  if (!data || slot >= data->shape.n)
    return 0;
  const sd_subdefined *d = data->d;
  unsigned low = 0, high = sd_alphabet_main (d->alphabet); /* the values rise: the first one not below it */
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (sd_array_value (data->shape.type, d->map[middle]) < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < sd_alphabet_main (d->alphabet) && sd_array_value (data->shape.type, d->map[low]) == value
         && sd_admits (d->alphabet, d->seq.sym[slot], (sd_symbol) low);
}

int sd_data_entropy (const sd_data *data, unsigned length, double *bits, char *message, size_t room) {
  enum { ROUNDS = 1000 };
  sd_error err = { 0 };
  sd_entropy h = { 0 };
  if (!data || !bits)
    return refuse (SD_CODED_ARGUMENT, "there are no data, or there is no place for the bits", message, room);
  const int st = sd_seq_entropy (&data->d->seq, length, 1e-3, ROUNDS, &h, &err);
  if (st == SD_OK)
    *bits = h.at_least;
  return say (status_of_making (st, SD_CODED_ARGUMENT), &err, message, room);
}

/* ------------------------------------------------------------------ codecs */

const char *sd_coded_codec (unsigned i) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  return i < n ? all[i]->name : NULL;
}

const char *sd_coded_codec_text (const char *codec) {
  const sd_codec *c = codec ? sd_codec_find (codec) : NULL;
  return c ? c->summary : NULL;
}

int sd_coded_setting_at (const char *codec, unsigned k, sd_coded_setting *out) {
  const sd_codec *c = codec ? sd_codec_find (codec) : NULL;
  if (!c || !out)
    return c ? SD_CODED_ARGUMENT : SD_CODED_CODEC;
  const sd_tunable *t = c->tunables;
  for (unsigned i = 0; t->key && i < k; i++)
    t++;
  if (!t->key)
    return SD_CODED_ARGUMENT;
  *out = (sd_coded_setting){
    .key = t->key, .summary = t->summary, .deflt = t->deflt, .words = t->words, .min = t->min, .max = t->max
  };
  return SD_CODED_OK;
}

static int find_codec (const char *codec, const char *settings, sd_array_codec *out, sd_error *err) {
  out->codec = sd_codec_find (codec);
  if (!out->codec)
    return sd_fail (err, SD_EINVAL, "the codec %.40s is not in this build", codec);
  return sd_settings_parse (out->codec, settings, &out->settings, err);
}

int sd_coded_settings (const char *codec, const char *settings, char *out, size_t cap, char *message,
                       size_t room) {
  sd_error err = { 0 };
  sd_array_codec how;
  if (!codec || !out)
    return refuse (SD_CODED_ARGUMENT, "there is no codec, or there is no place for the settings", message,
                   room);
  const int st = find_codec (codec, settings, &how, &err);
  if (st == SD_OK)
    sd_settings_text (&how.settings, out, cap);
  return say (status_of_making (st, SD_CODED_CODEC), &err, message, room);
}

/* ------------------------------------------------------------------- coded */

static int encode (const sd_data *data, const sd_array_codec *how, sd_coded *c, sd_error *err) {
  const int st =
      status_of_making (sd_array_image (&data->shape, data->d, how, NULL, &c->own, err), SD_CODED_CODEC);
  if (st != SD_CODED_OK)
    return st;
  c->bytes = c->own.data;
  c->len = c->own.len;
  int read = sd_array_open_memory (c->bytes, c->len, NAME, SD_OPEN_CHECK, &c->array, err);
  if (read == SD_OK)
    read = sd_array_compare (&data->shape, data->d, c->array, err);
  sd_settings_text (&how->settings, c->settings, sizeof c->settings);
  return read == SD_OK || read == SD_ENOMEM ? status_of_reading (read) : SD_CODED_DIFFERS;
}

int sd_coded_encode (const sd_data *data, const char *codec, const char *settings, sd_coded **out,
                     char *message, size_t room) {
  sd_error err = { 0 };
  sd_array_codec how = { 0 };
  if (out)
    *out = NULL;
  if (!data || !out || (!codec && settings && *settings))
    return refuse (SD_CODED_ARGUMENT,
                   "there are no data, no place for what is coded, or settings without a codec", message,
                   room);
  sd_coded *c = calloc (1, sizeof *c);
  if (!c)
    return say (SD_CODED_MEMORY, &err, message, room);
  int st = status_of_making (codec ? find_codec (codec, settings, &how, &err)
                                   : sd_array_search (data->d, NULL, &how, NULL, &err),
                             SD_CODED_CODEC);
  if (st == SD_CODED_OK)
    st = encode (data, &how, c, &err);
  if (st != SD_CODED_OK) {
    sd_coded_close (c);
    return say (st, &err, message, room);
  }
  sd_array_describe (c->array, &c->in);
  *out = c;
  return say (st, &err, message, room);
}

int sd_coded_open (const void *bytes, size_t len, unsigned flags, sd_coded **out, char *message,
                   size_t room) {
  sd_error err = { 0 };
  if (out)
    *out = NULL;
  if (!bytes || !out || flags & ~(unsigned) SD_CODED_CHECK)
    return refuse (SD_CODED_ARGUMENT,
                   "there are no bytes, there is no place for what is opened, or an unknown flag", message,
                   room);
  sd_coded *c = calloc (1, sizeof *c);
  if (!c)
    return say (SD_CODED_MEMORY, &err, message, room);
  c->bytes = bytes;
  c->len = len;
  int st =
      sd_array_open_memory (bytes, len, NAME, flags & SD_CODED_CHECK ? SD_OPEN_CHECK : 0, &c->array, &err);
  if (st == SD_OK) {
    sd_array_describe (c->array, &c->in);
    if (c->in.source)
      st = sd_fail (&err, SD_EFORMAT, "%s: a source, which says what slots may hold: sd_data_open reads it",
                    NAME);
  }
  if (st == SD_OK)
    *out = c;
  else
    sd_coded_close (c);
  return say (status_of_reading (st), &err, message, room);
}

void sd_coded_close (sd_coded *coded) {
  if (!coded)
    return;
  sd_array_close (coded->array);
  sd_buf_free (&coded->own);
  free (coded);
}

const void *sd_coded_bytes (const sd_coded *coded, size_t *len) {
  if (len)
    *len = coded ? coded->len : 0;
  return coded ? coded->bytes : NULL;
}

void sd_coded_describe (const sd_coded *coded, sd_coded_info *out) {
  if (!out)
    return;
  *out = (sd_coded_info){ 0 };
  if (!coded)
    return;
  const sd_array_info *in = &coded->in;
  *out = (sd_coded_info){ .slots = in->shape.n,
                          .ndims = in->shape.ndims,
                          .type = (enum sd_data_type) (in->shape.type + 1),
                          .values = in->main,
                          .codec = in->codec->name,
                          .settings = coded->settings,
                          .bytes = coded->len,
                          .stream_bytes = in->stream_bytes,
                          .header_bytes = in->parts.header,
                          .model_bytes = in->parts.model,
                          .index_bytes = in->parts.index,
                          .payload_bytes = in->parts.payload,
                          .blocks = in->parts.blocks,
                          .dictionary = in->parts.symbols };
  memcpy (out->dim, in->shape.dim, in->shape.ndims * sizeof out->dim[0]);
}

int sd_coded_get (const sd_coded *coded, uint64_t slot, int32_t *out) {
  if (!coded || !out || slot >= coded->in.shape.n)
    return SD_CODED_ARGUMENT;
  return status_of_reading (sd_array_get (coded->array, slot, out, NULL));
}

int sd_coded_read (const sd_coded *coded, uint64_t first, uint64_t count, int32_t *out, char *message,
                   size_t room) {
  sd_error err = { 0 };
  if (!coded || (count && !out))
    return refuse (SD_CODED_ARGUMENT, "there are no coded data, or there is no place for the values", message,
                   room);
  if (first > coded->in.shape.n || count > coded->in.shape.n - first) {
    sd_fail (&err, SD_EINVAL, "%" PRIu64 " slots from number %" PRIu64 " on: there are %" PRIu64 " in all",
             count, first, coded->in.shape.n);
    return say (SD_CODED_ARGUMENT, &err, message, room);
  }
  return say (status_of_reading (sd_array_read (coded->array, first, count, out, &err)), &err, message, room);
}

int sd_coded_check (const sd_coded *coded, char *message, size_t room) {
  sd_error err = { 0 };
  if (!coded)
    return refuse (SD_CODED_ARGUMENT, "there are no coded data", message, room);
  return say (status_of_reading (sd_array_check (coded->array, &err)), &err, message, room);
}

int sd_coded_compare (const sd_coded *coded, const sd_data *data, char *message, size_t room) {
  sd_error err = { 0 };
  if (!coded || !data)
    return refuse (SD_CODED_ARGUMENT, "there are no coded data, or there are no data", message, room);
  return say (status_of_reading (sd_array_compare (&data->shape, data->d, coded->array, &err)), &err, message,
              room);
}
