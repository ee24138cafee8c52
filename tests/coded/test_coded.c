/* <subdef/subdef.h>: data of every kind through every codec, what slots may hold, refusals, settings. */
#include "config.h"
#include "coded/subdef.h"
#include "values/values.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite (coded, .timeout = 300);

static char text[512];

static sd_data *data_of (const sd_data_input *in) {
  sd_data *data = NULL;
  cr_assert_eq (sd_data_new (in, &data, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_expect_str_empty (text);
  return data;
}

static sd_coded *coded_of (const sd_data *data, const char *codec, const char *settings) {
  sd_coded *c = NULL;
  cr_assert_eq (sd_coded_encode (data, codec, settings, &c, text, sizeof text), SD_CODED_OK, "%s: %s", codec,
                text);
  cr_expect_str_empty (text);
  return c;
}

/* ------------------------------------------------------- data of a table */

/* The exact DTM of KQvK, White to move; mask: slots that are no position. */
typedef struct table {
  uint64_t n;
  int32_t *value, *low, *high;
  uint8_t *mask;
  uint16_t *set;
} table;

static void load_table (table *t) {
  const char *source = getenv ("SD_SRCDIR");
  char path[512];
  sd_values *v;
  sd_material m;
  sd_error err = { 0 };
  const sd_exact *e;
  snprintf (path, sizeof path, "%s/tests/data", source ? source : ".");
  cr_assert_eq (sd_values_new (path, SD_DTM, &v, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_material_parse ("KQvK", &m, NULL), SD_OK);
  cr_assert_eq (sd_values_whole (v, &m, &e, &err), SD_OK, "%s", err.text);
  t->n = e->n;
  t->value = malloc (t->n * sizeof *t->value);
  t->low = malloc (t->n * sizeof *t->low);
  t->high = malloc (t->n * sizeof *t->high);
  t->mask = malloc (t->n);
  t->set = malloc (t->n * sizeof *t->set);
  cr_assert (t->value && t->low && t->high && t->mask && t->set);
  unsigned free_ones = 0, won = 0;
  for (uint64_t i = 0; i < t->n; i++) {
    const sd_value is = e->value[SD_WHITE][i];
    t->mask[i] = is == SD_ILLEGAL;
    t->value[i] = is == SD_ILLEGAL ? 0 : is;
    /* n-up: a win that might be told later; a slot that is no position may hold anything */
    t->low[i] = t->mask[i] ? INT32_MIN : t->value[i];
    t->high[i] = t->mask[i] || i % 3 == 0 ? INT32_MAX : t->value[i];
    /* line 0 anything, line 1 its own number in even slots, all below 16 else */
    t->set[i] = t->mask[i] ? 0 : t->value[i] < 16 && i % 2 ? 1 : 2 + (uint16_t) t->value[i];
    free_ones += t->mask[i];
    won += t->value[i] > 0;
  }
  cr_assert (free_ones > 1000 && won > 10000, "%u free, %u won", free_ones, won);
  sd_values_free (v);
}

static void free_table (table *t) {
  free (t->value);
  free (t->low);
  free (t->high);
  free (t->mask);
  free (t->set);
}

/* "*", "0-15", "0", "1", ..., "99" */
static void make_sets (char *out) {
  out += sprintf (out, "*\n0-15\n");
  for (unsigned k = 0; k < 100; k++)
    out += sprintf (out, "%u\n", k);
}

/* What slot i may hold, asked of the table itself. */
static bool may (const table *t, unsigned way, uint64_t i, int32_t v) {
  switch (way) {
  case 1:
    return t->mask[i] || v == t->value[i];
  case 2:
    return t->mask[i] || (t->set[i] == 1 ? v >= 0 && v <= 15 : v == t->value[i]);
  case 3:
    return v >= t->low[i] && v <= t->high[i];
  default:
    return v == t->value[i];
  }
}

static sd_data_input input_of (const table *t, unsigned way, const char *sets) {
  sd_data_input in = { .value = t->value, .n = t->n };
  in.mask = way == 1 ? t->mask : NULL;
  in.set = way == 2 ? t->set : NULL;
  in.sets = way == 2 ? sets : NULL;
  in.low = way == 3 ? t->low : NULL;
  in.high = way == 3 ? t->high : NULL;
  return in;
}

/* Everything that can be asked of one stream. */
static void check_coded (const table *t, unsigned way, const sd_data *data, const sd_coded *c,
                         const char *codec) {
  sd_coded_info info;
  size_t len;
  const void *bytes = sd_coded_bytes (c, &len);
  int32_t *back = malloc (t->n * sizeof *back), one;
  cr_assert (back);
  sd_coded_describe (c, &info);
  cr_expect_str_eq (info.codec, codec);
  cr_expect (info.slots == t->n && info.bytes == len && info.type == SD_DATA_U8 && info.ndims == 1);
  cr_expect_eq (info.header_bytes + info.model_bytes + info.index_bytes + info.payload_bytes,
                info.stream_bytes, "%s", codec);
  cr_assert_eq (sd_coded_read (c, 0, t->n, back, text, sizeof text), SD_CODED_OK, "%s: %s", codec, text);
  unsigned wrong = 0, not_told = 0;
  for (uint64_t i = 0; i < t->n; i++) {
    wrong += !may (t, way, i, back[i]);
    not_told += !sd_data_admits (data, i, back[i]);
  }
  cr_expect (wrong == 0 && not_told == 0, "%s, way %u: %u, %u", codec, way, wrong, not_told);
  for (uint64_t i = 0; i < t->n; i += 997) {
    cr_assert_eq (sd_coded_get (c, i, &one), SD_CODED_OK);
    cr_expect_eq (one, back[i], "%s, slot %lu", codec, (unsigned long) i);
  }
  /* the bytes alone say as much, but for the settings */
  sd_coded *again;
  cr_assert_eq (sd_coded_open (bytes, len, SD_CODED_CHECK, &again, text, sizeof text), SD_CODED_OK, "%s",
                text);
  cr_expect_eq (sd_coded_compare (again, data, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_expect_eq (sd_coded_check (again, NULL, 0), SD_CODED_OK);
  sd_coded_info told;
  sd_coded_describe (again, &told);
  cr_expect_str_empty (told.settings);
  told.settings = info.settings;
  cr_expect_eq (told.stream_bytes, info.stream_bytes);
  cr_expect_eq (told.blocks, info.blocks);
  sd_coded_close (again);
  free (back);
}

Test (coded, the_data_of_a_table_stay_within_their_freedom_with_every_codec) {
  table t;
  char sets[1000];
  const char *codec;
  load_table (&t);
  make_sets (sets);
  for (unsigned way = 0; way < 4; way++) {
    const sd_data_input in = input_of (&t, way, sets);
    sd_data *data = data_of (&in);
    sd_data_info info;
    sd_data_describe (data, &info);
    cr_expect (info.slots == t.n && (info.fixed == t.n) == (way == 0) && info.fixed > 0);
    unsigned codecs = 0;
    for (; (codec = sd_coded_codec (codecs)); codecs++) {
      sd_coded *c = coded_of (data, codec, NULL), *twice = coded_of (data, codec, "");
      size_t a, b;
      const void *x = sd_coded_bytes (c, &a), *y = sd_coded_bytes (twice, &b);
      cr_expect (a == b && memcmp (x, y, a) == 0, "%s gives other bytes the second time", codec);
      check_coded (&t, way, data, c, codec);
      sd_coded_close (twice);
      sd_coded_close (c);
    }
    cr_expect_geq (codecs, 7);
    sd_data_free (data);
  }
  free_table (&t);
}

Test (coded, freedom_makes_the_data_of_a_table_smaller) {
  table t;
  char sets[1000];
  size_t bytes[4];
  load_table (&t);
  make_sets (sets);
  for (unsigned way = 0; way < 4; way++) {
    const sd_data_input in = input_of (&t, way, sets);
    sd_data *data = data_of (&in);
    sd_coded *c = coded_of (data, "trees", NULL);
    sd_coded_bytes (c, &bytes[way]);
    sd_coded_close (c);
    sd_data_free (data);
  }
  cr_expect (bytes[1] < bytes[0] && bytes[2] < bytes[1] && bytes[3] < bytes[1], "%zu %zu %zu %zu", bytes[0],
             bytes[1], bytes[2], bytes[3]);
  free_table (&t);
}

/* ------------------------------------------------------------- odd data */

Test (coded, one_slot_all_free_slots_and_one_value_come_back) {
  enum { N = 500 };
  static int32_t value[N];
  static uint8_t all[N];
  const char *codec;
  memset (all, 7, sizeof all);
  for (unsigned i = 0; i < N; i++)
    value[i] = (int32_t) (i * 7 % 256);
  for (unsigned k = 0; (codec = sd_coded_codec (k)); k++) {
    const sd_data_input odd[] = {
      { .value = &value[3], .n = 1 },                 /* one slot */
      { .value = value, .n = N, .mask = all },        /* nothing is known */
      { .value = &value[5], .n = 1, .mask = all },    /* both */
      { .value = (int32_t[]){ -5, -5, -5 }, .n = 3 }, /* one value */
      { .value = (int32_t[]){ 9, -32768 }, .n = 2 },  /* the ends of the types */
      { .value = (int32_t[]){ 0, 65535 }, .n = 2 },
    };
    for (unsigned o = 0; o < sizeof odd / sizeof odd[0]; o++) {
      sd_data *data = data_of (&odd[o]);
      sd_data_info info;
      sd_data_describe (data, &info);
      cr_expect (!odd[o].mask || info.values == 1, "%u values", info.values);
      sd_coded *c = coded_of (data, codec, NULL);
      int32_t back[N];
      cr_assert_eq (sd_coded_read (c, 0, odd[o].n, back, NULL, 0), SD_CODED_OK);
      for (uint64_t i = 0; i < odd[o].n; i++)
        cr_expect (odd[o].mask || back[i] == odd[o].value[i], "%s, data %u: %d", codec, o, back[i]);
      sd_coded_close (c);
      sd_data_free (data);
    }
  }
}

Test (coded, each_type_holds_its_ends_and_fit_takes_the_first_one) {
  static const struct {
    enum sd_data_type type;
    int32_t value[2];
  } fits[] = { { SD_DATA_U8, { 0, 255 } },
               { SD_DATA_I8, { -128, 127 } },
               { SD_DATA_U16, { 0, 65535 } },
               { SD_DATA_I16, { -32768, 32767 } } };
  for (unsigned k = 0; k < 4; k++)
    for (unsigned told = 0; told < 2; told++) {
      const sd_data_input in = { .value = fits[k].value, .n = 2, .type = told ? fits[k].type : SD_DATA_FIT };
      sd_data *data = data_of (&in);
      sd_data_info info;
      sd_data_describe (data, &info);
      cr_expect_eq (info.type, fits[k].type);
      cr_expect (sd_data_admits (data, 0, fits[k].value[0]) && sd_data_admits (data, 1, fits[k].value[1]));
      cr_expect (!sd_data_admits (data, 0, fits[k].value[1]) && !sd_data_admits (data, 2, fits[k].value[1]));
      sd_data_free (data);
    }
}

Test (coded, dimensions_are_kept_and_must_fit) {
  int32_t value[24], back[24];
  for (int i = 0; i < 24; i++)
    value[i] = i % 5;
  const uint32_t dim[] = { 2, 3, 4 };
  sd_data_input in = { .value = value, .n = 24, .dim = dim, .ndims = 3 };
  sd_data *data = data_of (&in);
  sd_coded *c = coded_of (data, "obdd", NULL);
  sd_coded_info info;
  sd_coded_describe (c, &info);
  cr_expect (info.ndims == 3 && memcmp (info.dim, dim, sizeof dim) == 0);
  cr_expect_eq (sd_coded_read (c, 0, 24, back, NULL, 0), SD_CODED_OK);
  cr_expect_arr_eq (back, value, sizeof value);
  sd_coded_close (c);
  sd_data_free (data);
  in.n = 23;
  cr_expect_eq (sd_data_new (&in, &data, text, sizeof text), SD_CODED_ARGUMENT);
  cr_expect (!data && strstr (text, "24 slots"), "%s", text);
  in.ndims = 17;
  cr_expect_eq (sd_data_new (&in, &data, text, sizeof text), SD_CODED_ARGUMENT, "%s", text);
}

/* ---------------------------------------------------------------- choices */

Test (coded, without_a_codec_the_smallest_one_is_taken) {
  enum { N = 2000 };
  static int32_t value[N];
  static uint8_t mask[N];
  const char *codec;
  sd_coded_info best, one;
  for (unsigned i = 0; i < N; i++) {
    value[i] = (int32_t) (i * i / 300 % 7);
    mask[i] = i % 5 == 0;
  }
  sd_data *data = data_of (&(sd_data_input){ .value = value, .n = N, .mask = mask });
  sd_coded *c = coded_of (data, NULL, NULL);
  sd_coded_describe (c, &best);
  cr_expect_str_not_empty (best.settings);
  cr_expect_eq (sd_coded_compare (c, data, NULL, 0), SD_CODED_OK);
  for (unsigned k = 0; (codec = sd_coded_codec (k)); k++) {
    sd_coded *other = coded_of (data, codec, NULL);
    sd_coded_describe (other, &one);
    cr_expect_leq (best.stream_bytes, one.stream_bytes + one.stream_bytes / 50, "%s", codec);
    sd_coded_close (other);
  }
  /* what it tells of the settings makes the same bytes */
  sd_coded *same = coded_of (data, best.codec, best.settings);
  size_t a, b;
  const void *x = sd_coded_bytes (c, &a), *y = sd_coded_bytes (same, &b);
  cr_expect (a == b && memcmp (x, y, a) == 0);
  sd_coded_close (same);
  sd_coded_close (c);
  cr_expect_eq (sd_coded_encode (data, NULL, "block=256", &c, text, sizeof text), SD_CODED_ARGUMENT);
  sd_data_free (data);
}

Test (coded, codecs_and_settings_tell_what_they_are) {
  const char *codec;
  char out[1280];
  for (unsigned i = 0; (codec = sd_coded_codec (i)); i++) {
    sd_coded_setting s;
    unsigned k = 0;
    cr_expect (sd_coded_codec_text (codec) && *sd_coded_codec_text (codec));
    cr_assert_eq (sd_coded_settings (codec, NULL, out, sizeof out, text, sizeof text), SD_CODED_OK, "%s",
                  text);
    for (; sd_coded_setting_at (codec, k, &s) == SD_CODED_OK; k++) {
      char pair[160];
      snprintf (pair, sizeof pair, "%s=%s", s.key, s.deflt);
      cr_expect (strstr (out, pair), "%s: %s is not in %s", codec, pair, out);
      cr_expect (s.summary && (s.min > s.max || !s.words));
    }
    cr_expect_geq (k, 1);
    cr_expect_eq (sd_coded_setting_at (codec, k, &s), SD_CODED_ARGUMENT);
  }
  cr_expect_null (sd_coded_codec_text ("no such codec"));
  cr_expect_null (sd_coded_codec_text (NULL));
  cr_expect_eq (sd_coded_setting_at ("no such codec", 0, &(sd_coded_setting){ 0 }), SD_CODED_CODEC);
  cr_expect_eq (sd_coded_settings ("repair", "blok=3", out, sizeof out, text, sizeof text), SD_CODED_CODEC);
  cr_expect (strstr (text, "block"), "the nearest setting is not named: %s", text);
  cr_expect_eq (sd_coded_settings ("repair", "block=-3", out, sizeof out, text, sizeof text), SD_CODED_CODEC);
  cr_expect_eq (sd_coded_settings ("zip", "", out, sizeof out, text, sizeof text), SD_CODED_CODEC);
  cr_expect (strstr (text, "zip"), "%s", text);
  cr_assert_eq (sd_coded_settings ("repair", "block=512", out, sizeof out, NULL, 0), SD_CODED_OK);
  cr_expect (strstr (out, "block=512"), "%s", out);
  cr_expect_eq (sd_coded_settings ("repair", "block=512", out, 8, NULL, 0), SD_CODED_OK);
  cr_expect_eq (strlen (out), 7, "cut to the room there is: %s", out);
}

Test (coded, the_entropy_is_that_of_the_definition) {
  enum { N = 4096 };
  static int32_t value[N];
  static uint8_t mask[N];
  double bits;
  for (unsigned i = 0; i < N; i++)
    value[i] = (int32_t) (i / 2 % 4); /* four values, each as often */
  sd_data *data = data_of (&(sd_data_input){ .value = value, .n = N });
  cr_assert_eq (sd_data_entropy (data, 1, &bits, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_expect_float_eq (bits, 2.0 * N, 0.01 * N);
  cr_assert_eq (sd_data_entropy (data, 2, &bits, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_expect_float_eq (bits, 1.0 * N, 0.01 * N); /* pairs are equal */
  cr_expect_eq (sd_data_entropy (data, 17, &bits, text, sizeof text), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_data_entropy (data, 0, &bits, text, sizeof text), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_data_entropy (NULL, 1, &bits, text, sizeof text), SD_CODED_ARGUMENT);
  sd_data_free (data);
  for (unsigned i = 0; i < N; i++)
    mask[i] = value[i] != 0;
  data = data_of (&(sd_data_input){ .value = value, .n = N, .mask = mask });
  cr_assert_eq (sd_data_entropy (data, 1, &bits, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_expect_float_eq (bits, 0, 1e-6); /* one value is enough */
  sd_data_free (data);
}

/* ---------------------------------------------------------------- refusals */

static void refused (sd_data_input in, int status, const char *says) {
  sd_data *data = (sd_data *) text;
  cr_expect_eq (sd_data_new (&in, &data, text, sizeof text), status, "%s: %s", says, text);
  cr_expect (!data && strstr (text, says), "'%s' is not in '%s'", says, text);
}

Test (coded, data_that_contradict_themselves_are_refused_with_the_slot) {
  static const int32_t value[] = { 3, 1, 4 }, low[] = { 3, 2, 0 }, high[] = { 3, 1, 3 };
  static const uint16_t set[] = { 0, 1, 1 }, far[] = { 0, 9, 0 };
  static const uint8_t mask[] = { 0, 0, 1 };
  refused ((sd_data_input){ .value = value, .n = 3, .low = low }, SD_CODED_VALUES, "slot 1: value 1");
  refused ((sd_data_input){ .value = value, .n = 3, .high = high }, SD_CODED_VALUES, "slot 2: value 4");
  refused ((sd_data_input){ .value = value, .n = 3, .low = low, .high = high }, SD_CODED_VALUES,
           "slot 1: the lower bound 2 is above the upper bound 1");
  refused ((sd_data_input){ .value = value, .n = 3, .set = set, .sets = "*\n1" }, SD_CODED_VALUES, "slot 2");
  refused ((sd_data_input){ .value = value, .n = 3, .set = far, .sets = "*\n1" }, SD_CODED_VALUES,
           "slot 1: set 9");
  refused ((sd_data_input){ .value = value, .n = 3, .set = set, .sets = "*\n1,x" }, SD_CODED_VALUES,
           "sets: line 2");
  refused ((sd_data_input){ .value = (int32_t[]){ 1, 256 }, .n = 2, .type = SD_DATA_U8 }, SD_CODED_VALUES,
           "slot 1: value 256");
  refused ((sd_data_input){ .value = (int32_t[]){ -1, 40000 }, .n = 2 }, SD_CODED_LIMIT, "-1 to 40000");
  refused ((sd_data_input){ .value = (int32_t[]){ INT32_MIN }, .n = 1 }, SD_CODED_LIMIT, "-2147483648");
  refused ((sd_data_input){ .value = value, .n = 3, .mask = mask, .low = low }, SD_CODED_ARGUMENT,
           "only one");
  refused ((sd_data_input){ .value = value, .n = 3, .set = set }, SD_CODED_ARGUMENT, "belong together");
  refused ((sd_data_input){ .value = value, .n = 3, .sets = "*" }, SD_CODED_ARGUMENT, "belong together");
  refused ((sd_data_input){ .value = value }, SD_CODED_ARGUMENT, "0 slots");
  refused ((sd_data_input){ .n = 3 }, SD_CODED_ARGUMENT, "no values");
  refused ((sd_data_input){ .value = value, .n = 3, .ndims = 1 }, SD_CODED_ARGUMENT, "dimensions");
  refused ((sd_data_input){ .value = value, .n = UINT64_MAX }, SD_CODED_LIMIT, "18446744073709551615 slots");
  refused ((sd_data_input){ .value = value, .n = 3, .type = (enum sd_data_type) 5 }, SD_CODED_ARGUMENT,
           "no such type");
}

Test (coded, more_values_than_can_be_coded_are_refused_unless_they_are_free) {
  enum { MANY = 4097 };
  static int32_t value[MANY];
  static uint8_t mask[MANY];
  for (unsigned i = 0; i < MANY; i++)
    value[i] = (int32_t) (3 * i);
  refused ((sd_data_input){ .value = value, .n = MANY }, SD_CODED_LIMIT, "4097 different values");
  mask[77] = 1;
  sd_data *data = data_of (&(sd_data_input){ .value = value, .n = MANY, .mask = mask });
  sd_data_info info;
  sd_data_describe (data, &info);
  cr_expect (info.values == 4096 && info.sets == 1 && info.fixed == MANY - 1);
  sd_data_free (data);
}

Test (coded, more_sets_than_can_be_numbered_are_a_limit) {
  enum { SETS = 65537 };
  static const uint16_t set[] = { 0, 1 };
  static const int32_t value[] = { 0, 1 };
  char *sets = malloc (2 * SETS + 1);
  cr_assert (sets);
  for (unsigned i = 0; i < SETS; i++)
    memcpy (sets + 2 * i, "*\n", 3);
  refused ((sd_data_input){ .value = value, .n = 2, .set = set, .sets = sets }, SD_CODED_LIMIT,
           "more than 65536 sets");
  sets[2 * SETS - 2] = 0;
  sd_data_free (data_of (&(sd_data_input){ .value = value, .n = 2, .set = set, .sets = sets }));
  free (sets);
}

Test (coded, calls_of_nothing_tell_nothing) {
  sd_data_info data = { .slots = 1 };
  sd_coded_info coded = { .slots = 1, .codec = "?" };
  size_t len = 1;
  sd_data_describe (NULL, &data);
  sd_data_describe (NULL, NULL);
  cr_expect_eq (data.slots, 0);
  cr_expect_eq (sd_data_admits (NULL, 0, 0), 0);
  cr_expect_eq (sd_data_entropy (NULL, 1, NULL, text, sizeof text), SD_CODED_ARGUMENT);
  cr_expect_null (sd_coded_codec_text (NULL));
  cr_expect_eq (sd_coded_setting_at (NULL, 0, NULL), SD_CODED_CODEC);
  cr_expect_eq (sd_coded_setting_at ("repair", 0, NULL), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_coded_settings (NULL, NULL, text, sizeof text, NULL, 0), SD_CODED_ARGUMENT);
  cr_expect (sd_coded_bytes (NULL, &len) == NULL && len == 0);
  cr_expect_null (sd_coded_bytes (NULL, NULL));
  sd_coded_describe (NULL, &coded);
  sd_coded_describe (NULL, NULL);
  cr_expect (coded.slots == 0 && coded.codec == NULL);
}

Test (coded, calls_without_what_they_need_are_refused) {
  static const int32_t value[] = { 3, 1, 4, 1, 5 };
  sd_data *data = data_of (&(sd_data_input){ .value = value, .n = 5 });
  sd_coded *c = coded_of (data, "store", NULL), *none = c;
  size_t len;
  const void *bytes = sd_coded_bytes (c, &len);
  sd_data *no_data = data;
  int32_t out[5];
  cr_expect_eq (sd_data_new (NULL, &no_data, NULL, 0), SD_CODED_ARGUMENT);
  cr_expect_null (no_data);
  cr_expect_eq (sd_data_new (&(sd_data_input){ .value = value, .n = 5 }, NULL, NULL, 0), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_data_open (NULL, 5, NULL, NULL, 0), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_coded_encode (NULL, "store", NULL, &none, NULL, 0), SD_CODED_ARGUMENT);
  cr_expect_null (none);
  cr_expect_eq (sd_coded_encode (data, "zip", NULL, &none, text, 12), SD_CODED_CODEC);
  cr_expect_eq (strlen (text), 11, "the message is cut to its room: %s", text);
  cr_expect_eq (sd_coded_open (NULL, 3, 0, &none, NULL, 0), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_coded_open (bytes, len, 2, &none, NULL, 0), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_coded_open (bytes, len, 0, NULL, NULL, 0), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_coded_get (c, 5, out), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_coded_get (c, UINT64_MAX, out), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_coded_get (NULL, 0, out), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_coded_get (c, 0, NULL), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_coded_read (c, 3, 3, out, text, sizeof text), SD_CODED_ARGUMENT);
  cr_expect (strstr (text, "there are 5"), "%s", text);
  cr_expect_eq (sd_coded_read (c, 1, UINT64_MAX, out, NULL, 0), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_coded_read (c, 5, 0, NULL, NULL, 0), SD_CODED_OK);
  cr_expect_eq (sd_coded_compare (c, NULL, NULL, 0), SD_CODED_ARGUMENT);
  cr_expect_eq (sd_coded_check (NULL, NULL, 0), SD_CODED_ARGUMENT);
  for (int status = 0; status <= SD_CODED_MEMORY; status++)
    cr_expect_str_neq (sd_coded_text (status), "unknown status");
  cr_expect_str_eq (sd_coded_text (SD_CODED_MEMORY + 1), "unknown status");
  cr_expect_str_eq (sd_coded_text (-1), "unknown status");
  sd_coded_close (c);
  sd_data_free (data);
  sd_coded_close (NULL);
  sd_data_free (NULL);
}

Test (coded, a_slot_that_the_data_do_not_allow_is_told) {
  static const int32_t value[] = { 3, 1, 4, 1, 5 }, other[] = { 3, 1, 4, 2, 5 };
  static const uint8_t mask[] = { 0, 0, 0, 1, 0 };
  static const uint32_t dim[] = { 5, 1 };
  sd_data *data = data_of (&(sd_data_input){ .value = value, .n = 5 });
  sd_data *wrong = data_of (&(sd_data_input){ .value = other, .n = 5 });
  sd_data *free_one = data_of (&(sd_data_input){ .value = other, .n = 5, .mask = mask });
  sd_data *turned = data_of (&(sd_data_input){ .value = value, .n = 5, .dim = dim, .ndims = 2 });
  sd_coded *c = coded_of (data, "huffman", NULL);
  cr_expect_eq (sd_coded_compare (c, data, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_expect_eq (sd_coded_compare (c, wrong, text, sizeof text), SD_CODED_DIFFERS);
  cr_expect (strstr (text, "slot 3"), "%s", text);
  cr_expect_eq (sd_coded_compare (c, free_one, text, sizeof text), SD_CODED_OK, "%s", text);
  cr_expect_eq (sd_coded_compare (c, turned, text, sizeof text), SD_CODED_DIFFERS);
  cr_expect (strstr (text, "5,1"), "%s", text);
  sd_coded_close (c);
  sd_data_free (turned);
  sd_data_free (free_one);
  sd_data_free (wrong);
  sd_data_free (data);
}
