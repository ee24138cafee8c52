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
  sd_exacts *all;
  sd_material m;
  const sd_exact *e;
  sd_subdefined *d;
  sd_error err = { 0 };
  size_t n, rules = 0;
  const sd_codec *const *codec = sd_codec_all (&n);
  generate ("KPvK");
  cr_assert_eq (sd_exacts_new (folder, &all, &err), SD_OK);
  cr_assert_eq (sd_material_parse ("KPvK", &m, &err), SD_OK);
  cr_assert_eq (sd_exacts_need (all, &m, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_exacts_get (all, &m, &e, &err), SD_OK, "%s", err.text);
  for (unsigned metric = 0; metric < 2; metric++) {
    cr_assert_eq (
        sd_subdefine (all, e,
                      &(sd_stored){ metric, metric ? SD_CODING_MOVES : SD_CODING_WDL, SD_FREE_ALL, 0 }, NULL,
                      &d, &err),
        SD_OK, "%s", err.text);
    for (size_t i = 0; i < n; i++)
      for (const sd_overrule *o = codec[i]->overrules; o && o->key; o++, rules++)
        check_overrule (codec[i], o, &d->seq);
    sd_subdefined_free (d);
  }
  cr_expect_geq (rules, 2 * 6);
  sd_exacts_free (all);
}
