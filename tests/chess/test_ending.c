/* Endings as people write them. */
#include "config.h"
#include "chess/ending.h"
#include <criterion/criterion.h>
#include <string.h>

Test (ending, all_spellings_name_the_same_ending) {
  static const char *const in[][2] = { { "KRvKP", "KRvKP" }, { "krvkp", "KRvKP" }, { "KRKP", "KRvKP" },
                                       { "krkp", "KRvKP" },  { "KRVKP", "KRvKP" }, { "KPkr", "KRvKP" },
                                       { "kqvk", "KQvK" },   { "KQK", "KQvK" },    { "kkq", "KQvK" },
                                       { "KvKQ", "KQvK" },   { "kqkr", "KQvKR" },  { "KNBvK", "KBNvK" },
                                       { "knbk", "KBNvK" },  { "kbnnk", "KBNNvK" } };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    sd_material m;
    sd_error err = { 0 };
    char name[16];
    cr_assert_eq (sd_ending_parse (in[i][0], &m, &err), SD_OK, "%s: %s", in[i][0], err.text);
    sd_material_canonical (&m, &m);
    sd_material_name (&m, name);
    cr_expect_str_eq (name, in[i][1], "%s: %s", in[i][0], name);
  }
}

/* Numbers of positions depend on which side is named first (subdef dump). */
Test (ending, sides_stay_as_they_are_written) {
  sd_material m;
  cr_assert_eq (sd_ending_parse ("kkr", &m, NULL), SD_OK);
  cr_expect_eq (m.count[SD_BLACK][SD_ROOK], 1);
}

Test (ending, what_is_wrong_is_told_with_the_right_spelling) {
  static const struct {
    const char *text, *says, *meant; /* NULL: no spelling is proposed */
  } in[] = { { "KRP", "no \"v\"", "KRPvK" },
             { "KRvP", "0 kings", "KRvKP" },
             { "vKP", "first side has 0 kings", "KvKP" },
             { "RKPK", "no \"v\"", "KRPvK" },
             { "KR-KP", "unknown letter '-'", "KRvKP" },
             { "kr_kp", "unknown letter '_'", "KRvKP" },
             { "KQvKvR", "more than one", "KQvKR" },
             { "KRvKX", "unknown letter 'X'", NULL },
             { "KXvK", "unknown letter 'X'", NULL },
             { "", "no \"v\"", NULL },
             { "KK", "", NULL },
             { "KQRBvKQRB", "8 men", NULL },
             { "KQ\x01vK", "unknown byte 0x01", NULL },
             { "KPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPvK",
               "longer", NULL } };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    sd_material m;
    sd_error err = { 0 };
    char meant[64] = "";
    if (sd_ending_parse (in[i].text, &m, &err)
        == SD_OK) { /* two kings have no table, but are no mistake here */
      cr_expect_str_eq (in[i].text, "KK");
      continue;
    }
    if (in[i].meant)
      snprintf (meant, sizeof meant, "; did you mean \"%s\"?", in[i].meant);
    cr_expect (strstr (err.text, in[i].says) && !strstr (err.text, in[i].meant ? "\n" : "mean")
                   && strstr (err.text, meant),
               "%s: %s", in[i].text, err.text);
  }
}
