/* Settings of codecs that are refused because they have no effect: they have none. */
#include "config.h"
#include "codecs/codecs.h"
#include "tests/experiments/sweeps.h"

TestSuite (idle_settings, .init = make_folder, .fini = remove_folder);

static sd_buf coded (const sd_codec *codec, const sd_seq *seq, const sd_settings *set) {
  sd_buf out = { 0 };
  sd_error err = { 0 };
  cr_assert_eq (sd_codec_encode (codec, seq, set, NULL, &out, &err), SD_OK, "%s: %s", codec->name, err.text);
  return out;
}

/* A value of a tunable that is not its default. */
static void other_value (const sd_tunable *t, char *out, size_t cap) {
  if (t->min <= t->max)
    snprintf (out, cap, "%ld", strtol (t->deflt, NULL, 10) == t->min ? t->min + 3 : t->min);
  else
    for (const char *w = t->words; *w; w += strcspn (w, "|"), w += *w == '|') {
      snprintf (out, cap, "%.*s", (int) strcspn (w, "|"), w);
      if (strcmp (out, t->deflt) != 0)
        return;
    }
}

static void check_overrule (const sd_codec *codec, const sd_overrule *o, const sd_seq *seq) {
  char text[100], value[64];
  sd_settings set;
  sd_error err = { 0 };
  snprintf (text, sizeof text, "%s=%s", o->key,
            o->unless ? "pieces" : o->word); /* the one `unless` is an order */
  cr_assert_eq (sd_settings_parse (codec, text, &set, &err), SD_OK, "%s", err.text);
  sd_buf plain = coded (codec, seq, &set);
  for (const char *const *idle = o->idle; *idle; idle++) {
    char both[200];
    sd_settings varied = set;
    for (const sd_tunable *t = codec->tunables; t->key; t++)
      if (strcmp (t->key, *idle) == 0)
        other_value (t, value, sizeof value);
    snprintf (both, sizeof both, "%s,%s=%s", text, *idle, value);
    cr_expect_eq (sd_settings_parse (codec, both, &varied, &err), SD_EINVAL, "%s", both);
    cr_expect (strstr (err.text, "no effect") != NULL, "%s", err.text);
    cr_assert_eq (sd_settings_read (codec, both, &varied, &err), SD_OK, "%s", err.text);
    sd_buf same = coded (codec, seq, &varied);
    cr_expect (same.len == plain.len && memcmp (same.data, plain.data, same.len) == 0, "%s has an effect",
               both);
    sd_buf_free (&same);
  }
  sd_buf_free (&plain);
}

Test (idle_settings, settings_that_are_refused_have_no_effect) {
  sd_values *all;
  sd_material m;
  const sd_exact *e;
  sd_subdefined *d;
  sd_error err = { 0 };
  size_t n, rules = 0;
  const sd_codec *const *codec = sd_codec_all (&n);
  generate ("KPvK");
  cr_assert_eq (sd_values_new (folder, SD_DTM, &all, &err), SD_OK);
  cr_assert_eq (sd_material_parse ("KPvK", &m, &err), SD_OK);
  cr_assert_eq (sd_values_need (all, &m, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_values_whole (all, &m, &e, &err), SD_OK, "%s", err.text);
  for (unsigned metric = 0; metric < 2; metric++) {
    cr_assert_eq (sd_subdefine (all, e,
                                &(sd_stored){ metric, metric ? SD_CODING_MOVES : SD_CODING_WDL, SD_FREE_ALL,
                                              0, SD_SIDES_BOTH },
                                NULL, &d, &err),
                  SD_OK, "%s", err.text);
    for (size_t i = 0; i < n; i++)
      for (const sd_overrule *o = codec[i]->overrules; o && o->key; o++, rules++)
        check_overrule (codec[i], o, &d->seq);
    sd_subdefined_free (d);
  }
  cr_expect_geq (rules, 2 * 6);
  sd_values_free (all);
}

/* ------------------------------------------- settings that are not refused have an effect
 * Every two settings of every codec on a few small tables. A key that changes bytes beside the defaults must
 * change them beside each value of each other key, too, or be refused there. */

/* What these tables do not show, and why it is allowed all the same; beside NULL: beside the defaults. */
static const struct exception {
  const char *codec, *key, *beside;
} excepted[] = {
  /* behind subdefinite and compatible pairs nothing is left to complete: papers/repair shows that by asking
     for it */
  { "repair", "final", NULL },
  /* where the slots are filled before, as by default; parse=optimal gives pairs of free slots something to do
     again */
  { "repair", "pair", NULL },
  { "repair", "pair", "initial=frequent" },
  { "repair", "pair", "initial=left" },
  /* such trees have four leaves at most, and only three would be another number */
  { "trees", "leaves", "depth=2" },
  { "forest", "leaves", "depth=2" },
  /* with questions for eight slots these tables ask so few in the first round that one tree learns them */
  { "forest", "trees", "rounds=1" },
  /* a dictionary is trained of more than these tables have */
  { "zstd", "dict", NULL },
  /* these tables are too small for several orders, and for clusters, to differ in the end */
  { "obdd", "starts", "initial=frequent" },
  { "obdd", "starts", "initial=left" },
  { "obdd", "sums", "initial=left" },
  { "obdd", "rounds", "initial=left" },
  { "obdd", "starts", "merge=none" },
  { "obdd", "starts", "polish=4" },
  { "obdd", "clusters", "polish=4" },
  { "obdd", "clusters", "order=interleaved" },
  { "obdd", "choices", "merge=root" },
};

enum { MOST_VALUES = 20, VALUE = 64, TABLES = 4 };

/* Values to try a tunable with: some chains, its words, or numbers from its range. Returns how many. */
static unsigned values_of (const sd_tunable *t, char value[MOST_VALUES][VALUE]) {
  const char *words = strcmp (t->key, "initial") == 0 ? "none|frequent|left|full"
                      : t->words                      ? t->words
                                                      : "sift|pieces|interleaved";
  unsigned n = 0;
  if (t->min <= t->max) { /* in blocks of a few bytes nothing else has an effect */
    const long deflt = strtol (t->deflt, NULL, 10), some = t->min + (deflt - t->min) / 8;
    if (strcmp (t->key, "block") != 0)
      snprintf (value[n++], VALUE, "%ld", t->min);
    snprintf (value[n++], VALUE, "%ld", some > t->min ? some : t->max < some + 4 ? t->max : some + 4);
    if (t->min + 3 < some && strcmp (t->key, "block") != 0)
      snprintf (value[n++], VALUE, "%ld", t->min + 3);
  } else
    for (const char *w = words; *w && n < MOST_VALUES; w += strcspn (w, "|"), w += *w == '|')
      snprintf (value[n++], VALUE, "%.*s", (int) strcspn (w, "|"), w);
  return n;
}

/* The tables under some settings; empty: they are refused. */
typedef struct context {
  const sd_codec *codec;
  const sd_seq *table;
  char text[2 * VALUE];
  sd_settings set;
  sd_buf coded[TABLES];
} context;

static sd_buf try (const context *c, unsigned d, const sd_settings *set) {
  sd_buf out = { 0 };
  sd_codec_encode (c->codec, &c->table[d], set, NULL, &out, NULL);
  return out;
}

static void enter (context *c, const char *text) {
  sd_error err = { 0 };
  snprintf (c->text, sizeof c->text, "%s", text);
  cr_assert_eq (sd_settings_parse (c->codec, text, &c->set, &err), SD_OK, "%s", err.text);
  for (unsigned d = 0; d < TABLES; d++)
    c->coded[d] = try (c, d, &c->set);
}

static void leave (context *c) {
  for (unsigned d = 0; d < TABLES; d++)
    sd_buf_free (&c->coded[d]);
}

static bool same (const sd_buf *a, const sd_buf *b) {
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len) == 0);
}

/* Do these settings change the bytes of one of the tables? */
static bool changes (const context *c, const sd_settings *other) {
  for (unsigned d = 0; d < TABLES; d++) {
    sd_buf now = try (c, d, other);
    const bool equal = same (&now, &c->coded[d]);
    sd_buf_free (&now);
    if (!equal)
      return true;
  }
  return false;
}

/* Does a value of the key change the bytes of one of the tables? *allowed: is there a value that is not
 * refused? */
static bool has_effect (const context *c, const sd_tunable *t, bool *allowed) {
  char value[MOST_VALUES][VALUE], text[4 * VALUE];
  const unsigned n = values_of (t, value);
  sd_settings other;
  *allowed = false;
  for (unsigned i = 0; i < n; i++) {
    snprintf (text, sizeof text, "%s%s%.40s=%.60s", c->text, *c->text ? "," : "", t->key, value[i]);
    if (strcmp (value[i], sd_settings_word (&c->set, t->key)) == 0
        || sd_settings_parse (c->codec, text, &other, NULL) != SD_OK)
      continue;
    *allowed = true;
    if (changes (c, &other))
      return true;
  }
  return false;
}

static bool is_excepted (const sd_codec *codec, const char *key, const char *with) {
  for (size_t i = 0; i < sizeof excepted / sizeof *excepted; i++)
    if (strcmp (excepted[i].codec, codec->name) == 0 && strcmp (excepted[i].key, key) == 0
        && strcmp (excepted[i].beside ? excepted[i].beside : "", with) == 0)
      return true;
  return false;
}

/* shows[k]: key number k has an effect beside the defaults. */
static void check_beside (context *c, const char *with, unsigned but, const bool *shows) {
  const sd_tunable *t = c->codec->tunables;
  enter (c, with);
  for (unsigned k = 0; t[k].key; k++) {
    bool allowed;
    if (k != but && shows[k] && !has_effect (c, &t[k], &allowed) && allowed)
      cr_expect (is_excepted (c->codec, t[k].key, with),
                 "codec %s: %s changes nothing beside %s and is not refused", c->codec->name, t[k].key, with);
  }
  leave (c);
}

/* Every initial replacement that is not refused differs from the default. */
static void check_initials (const context *c) {
  size_t n;
  const sd_initial *const *all = sd_initial_all (&n);
  for (size_t i = 0; i < n; i++) {
    char text[VALUE];
    sd_settings other;
    snprintf (text, sizeof text, "initial=%s%s", all[i]->name, all[i]->takes_param ? ":1" : "");
    if (strcmp (text + strlen ("initial="), c->codec->tunables[0].deflt) != 0
        && sd_settings_parse (c->codec, text, &other, NULL) == SD_OK)
      cr_expect (changes (c, &other), "codec %s: %s changes nothing and is not refused", c->codec->name,
                 text);
  }
}

static void check_codec (const sd_codec *codec, const sd_seq *table) {
  context c = { .codec = codec, .table = table };
  bool shows[SD_MAX_SETTINGS], allowed;
  const sd_tunable *t = codec->tunables;
  enter (&c, "");
  check_initials (&c);
  for (unsigned k = 0; t[k].key; k++) {
    shows[k] = has_effect (&c, &t[k], &allowed);
    cr_expect (shows[k] || !allowed || is_excepted (codec, t[k].key, ""),
               "codec %s: %s changes nothing beside the defaults and is not refused", codec->name, t[k].key);
  }
  leave (&c);
  for (unsigned k = 0; t[k].key; k++) {
    char value[MOST_VALUES][VALUE], with[2 * VALUE];
    const unsigned n = values_of (&t[k], value), most = t[k].min <= t[k].max ? 2 : MOST_VALUES;
    for (unsigned i = 0; i < n && i < most; i++) {
      sd_settings set;
      snprintf (with, sizeof with, "%.40s=%.60s", t[k].key, value[i]);
      if (strcmp (value[i], t[k].deflt) != 0 && sd_settings_parse (codec, with, &set, NULL) == SD_OK)
        check_beside (&c, with, k, shows);
    }
  }
}

/* Slots with a pattern in them, some of them free, of an index whose digits are no powers of two. */
static void make_table (const sd_alphabet *a, unsigned ndims, const uint32_t *radix, sd_seq *out) {
  uint64_t state = 7;
  *out = (sd_seq){ .alphabet = a, .n = 1, .ndims = ndims };
  for (unsigned k = 0; k < ndims; k++)
    out->n *= out->radix[k] = radix[k];
  out->sym = malloc (out->n * sizeof *out->sym);
  cr_assert (out->sym != NULL);
  for (uint64_t i = 0; i < out->n; i++) {
    const uint64_t r = sd_random (&state) % 16, digit = i % radix[ndims - 1], rest = i / radix[ndims - 1];
    out->sym[i] =
        (sd_symbol) (r < 4    ? sd_alphabet_main (a) + r % (sd_alphabet_size (a) - sd_alphabet_main (a))
                     : r == 4 ? sd_random (&state) % sd_alphabet_main (a)
                              : (digit * digit / 3 + rest / 2) % sd_alphabet_main (a));
  }
}

Test (idle_settings, settings_that_are_allowed_have_an_effect) {
  static const uint32_t radix[3][3] = { { 5, 7, 11 }, { 3, 2016, 0 }, { 10, 13, 61 } };
  static const unsigned ndims[3] = { 3, 2, 3 };
  sd_values *all;
  sd_material m;
  const sd_exact *e;
  sd_subdefined *d;
  sd_error err = { 0 };
  size_t n;
  const sd_codec *const *codec = sd_codec_all (&n);
  sd_seq table[TABLES];
  generate ("KPvK");
  cr_assert_eq (sd_values_new (folder, SD_DTM, &all, &err), SD_OK);
  cr_assert_eq (sd_material_parse ("KPvK", &m, &err), SD_OK);
  cr_assert_eq (sd_values_need (all, &m, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_values_whole (all, &m, &e, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_subdefine (all, e, &(sd_stored){ SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, 0, SD_SIDES_BOTH },
                              NULL, &d, &err),
                SD_OK, "%s", err.text);
  for (unsigned i = 0; i < 3; i++)
    make_table (d->alphabet, ndims[i], radix[i], &table[i]);
  table[3] = d->seq; /* a part of the real one */
  table[3].n = d->seq.n / d->seq.radix[0] * 3;
  table[3].radix[0] = 3;
  table[3].sym += table[3].n;
  for (size_t i = 0; i < n; i++)
    check_codec (codec[i], table);
  for (unsigned i = 0; i < 3; i++)
    free (table[i].sym);
  sd_subdefined_free (d);
  sd_values_free (all);
}
