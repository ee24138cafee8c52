/* Words in messages: lists, numbers, bytes, and the nearest word. */
#include "config.h"
#include "base/words.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char *nearest (const char *word, const char *const *known) {
  sd_guess guess = sd_guess_of (word);
  for (; *known; known++)
    sd_guess_offer (&guess, *known);
  return guess.nearest ? guess.nearest : "-";
}

Test (words, the_nearest_word_is_guessed) {
  static const char *const known[] = { "gen", "get", "probe", "report", "reformat", "repair", "rle", NULL };
  static const char *const in[][2] = {
    { "prob", "probe" },   /* a letter is missing */
    { "probbe", "probe" }, /* or superfluous */
    { "probr", "probe" },  /* or wrong */
    { "gne", "gen" },      /* two neighbours are exchanged: one change, not two */
    { "repiar", "repair" },
    { "REPAIR", "repair" },
    { "refo", "reformat" }, /* begun */
    { "reprot", "report" },
    { "repqrt", "report" },
    { "xx", "-" },
    { "rl", "rle" },
    { "g", "-" },
    { "frobnicate", "-" },
    { "", "-" },
    { "repxxx", "-" },
  };
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++)
    cr_expect_str_eq (nearest (in[i][0], known), in[i][1], "%s: %s", in[i][0], nearest (in[i][0], known));
}

Test (words, endless_words_are_no_guess) {
  char word[200];
  memset (word, 'a', sizeof word - 1);
  word[sizeof word - 1] = 0;
  sd_guess guess = sd_guess_of (word);
  sd_guess_offer (&guess, "a");
  cr_expect_null (guess.nearest);
  guess = sd_guess_of ("a");
  sd_guess_offer (&guess, word);
  cr_expect_null (guess.nearest);
}

Test (words, a_guess_ends_a_sentence) {
  sd_guess guess = sd_guess_of ("kqvr");
  cr_expect_str_eq (sd_guess_ask (&guess), "");
  sd_guess_offer (&guess, "KQvK");
  cr_expect_str_eq (sd_guess_ask (&guess), "; did you mean \"KQvK\"?");
}

Test (words, a_list_has_commas_and_is_cut_off) {
  char text[12] = "";
  sd_text_list (text, sizeof text, "%s", "wdl");
  cr_expect_str_eq (text, "wdl");
  sd_text_list (text, sizeof text, "%d", 50);
  cr_expect_str_eq (text, "wdl, 50");
  sd_text_list (text, sizeof text, "%s", "zeroing");
  cr_expect_str_eq (text, "wdl, 50, ze");
  sd_text_list (text, sizeof text, "%s", "more");
  cr_expect_str_eq (text, "wdl, 50, ze");
}

Test (words, thousands_are_parted) {
  static const struct {
    uint64_t v;
    const char *text;
  } in[] = { { 0, "0" },
             { 999, "999" },
             { 1000, "1,000" },
             { 1281667, "1,281,667" },
             { UINT64_MAX, "18,446,744,073,709,551,615" } };
  char out[32];
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++)
    cr_expect_str_eq (sd_text_count (in[i].v, out), in[i].text);
}

Test (words, bytes_are_shown_as_one_types_them) {
  char out[24];
  sd_text_bytes ((const uint8_t *) "\x89SDT", 4, out, sizeof out);
  cr_expect_str_eq (out, "\\x89SDT");
  sd_text_bytes ((const uint8_t *) "", 0, out, sizeof out);
  cr_expect_str_eq (out, "");
  sd_text_bytes ((const uint8_t *) "\n\n\n\n\n\n\n\n", 8, out, sizeof out);
  cr_expect_str_eq (out, "\\x0a\\x0a\\x0a\\x0a\\x0a", "what has no room is left out: %s", out);
}
