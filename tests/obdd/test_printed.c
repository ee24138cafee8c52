/* The examples that Kristensen 2005 prints: two boards of KQvKR that become one node (2.5), the table that
 * defeats the heuristic (2.5), a table in two clusters (2.7), the words of a graph of seven vertices
 * (2.10). */
#include "config.h"
#include <criterion/criterion.h>
#include "tests/obdd/obdd_made.h"
#include "tests/obdd/printed_boards.h"

/* The symbols that are printed: 0, 1, and `star` for '*'. Other characters part groups of them. */
static unsigned symbols (const char *text, sd_symbol star, sd_symbol *out) {
  unsigned n = 0;
  for (; *text; text++)
    if (*text == '0' || *text == '1' || *text == '*')
      out[n++] = *text == '*' ? star : (sd_symbol) (*text - '0');
  return n;
}

/* ---------------------------------------------------------- 2.5: the nodes A and B */

Test (printed, the_two_boards_become_one_node) {
  suite_seq q = function (2, 7);
  const sd_symbol star = suite_range (q.alphabet, 0, 1);
  sd_obdd_shape shape;
  for (unsigned i = 0; i < q.seq.n; i++) {
    const unsigned moves = printed_moves (i / 64, i % 64);
    q.seq.sym[i] = moves ? moves == 10 : star;
  }
  shape_of (&q, "order=pieces,top=root", &shape);
  cr_assert_eq (shape.levels, 7u);
  cr_expect_eq (shape.nodes[6], 1u, "%llu", (unsigned long long) shape.nodes[6]);
  /* with the free squares told apart from both distances there are two */
  suite_free (&q);
  q = function (3, 7);
  for (unsigned i = 0; i < q.seq.n; i++) {
    const unsigned moves = printed_moves (i / 64, i % 64);
    q.seq.sym[i] = moves ? moves == 10 : 2;
  }
  shape_of (&q, "order=pieces,top=root", &shape);
  cr_expect_eq (shape.nodes[6], 2u);
  suite_free (&q);
}

/* ---------------------------------------------------------- 2.5: the table that defeats the heuristic */

/* n = 4 rows of 16 groups of 4 symbols, as printed. */
static const char *const defeating[4] = {
  "***0 ***1 ***0 ***1 ***0 ***1 ***0 ***1 ***0 ***1 ***0 ***1 ***0 ***1 ***0 ***1",
  "**0* **0* **1* **1* **0* **0* **1* **1* **0* **0* **1* **1* **0* **0* **1* **1*",
  "*0** *0** *0** *0** *1** *1** *1** *1** *0** *0** *0** *0** *1** *1** *1** *1**",
  "0*** 0*** 0*** 0*** 0*** 0*** 0*** 0*** 1*** 1*** 1*** 1*** 1*** 1*** 1*** 1***",
};

/* Groups made constant first give a node for each row and bit of the group's number; the rows merged first
 * (all of them can be one) spell 16 numbers. */
Test (printed, the_table_that_defeats_merging_from_the_root) {
  suite_seq q = function (2, 8);
  const sd_symbol star = suite_range (q.alphabet, 0, 1);
  sd_obdd_shape leaves, merged;
  for (unsigned row = 0; row < 4; row++)
    cr_assert_eq (symbols (defeating[row], star, q.seq.sym + 64 * row), 64u, "row %u", row);
  shape_of (&q, "order=pieces,top=root", &leaves);
  cr_expect_eq (leaves.nodes[2], 2u, "%llu", (unsigned long long) leaves.nodes[2]);
  for (unsigned i = 0; i < 64; i++) {
    sd_symbol definite = star;
    for (unsigned row = 0; row < 4; row++)
      if (q.seq.sym[64 * row + i] != star) {
        cr_assert_eq (definite, star, "symbol %u is definite in two rows", i);
        definite = q.seq.sym[64 * row + i];
      }
    q.seq.sym[i] = definite;
  }
  for (unsigned i = 64; i < 256; i++)
    q.seq.sym[i] = q.seq.sym[i % 64];
  shape_of (&q, "order=pieces,top=root", &merged);
  cr_expect_eq (merged.nodes[2], 16u, "%llu", (unsigned long long) merged.nodes[2]);
  suite_free (&q);
}

/* ---------------------------------------------------------- 2.7: clusters */

static const char clustered[] = "0101 001*  11*1 10*1  0000 010*  11** 11*1  0111 1*01";
static const char *const cluster[2] = { "0101 001*  **** ****  0000 010*  **** ****  **** ****",
                                        "**** ****  11*1 10*1  **** ****  11** 11*1  0111 1*01" };
static const unsigned cluster_of[5] = { 0, 1, 0, 1, 1 };

static sd_buf stream_of_cluster (unsigned c) {
  const uint32_t radix[2] = { 5, 8 };
  suite_seq q = sequence (2, 2, radix);
  symbols (cluster[c], suite_range (q.alphabet, 0, 1), q.seq.sym);
  sd_buf out = suite_encode (&sd_codec_obdd, &q, "");
  suite_free (&q);
  return out;
}

/* Both clusters hold the blocks of 8 that are theirs and nothing else. */
Test (printed, clusters_hold_the_blocks_of_their_number) {
  enum { STAR = 2 };
  sd_symbol t[40], part[2][40];
  cr_assert_eq (symbols (clustered, STAR, t), 40u);
  for (unsigned c = 0; c < 2; c++) {
    cr_assert_eq (symbols (cluster[c], STAR, part[c]), 40u);
    for (unsigned i = 0; i < 40; i++)
      cr_expect_eq (part[c][i], cluster_of[i / 8] == c ? t[i] : STAR, "t%u[%u]", c, i);
  }
}

/* Our clusters are told by comparisons of digits instead of a list c, so that the printed one takes three
 * cuts, and t0 stands in two places. Kristensen's t[i] = t_c[i / 8][i] holds of what is read. */
Test (printed, a_slot_is_read_from_the_cluster_of_its_block) {
  sd_buf s[2] = { stream_of_cluster (0), stream_of_cluster (1) }, last = { 0 }, rest = { 0 }, all = { 0 };
  const sd_fork f[3] = { { 8, 5, 1 }, { 8, 5, 2 }, { 8, 5, 3 } };
  cr_assert_eq (sd_codec_put_fork (&f[2], &s[0], &s[1], &last), SD_OK);
  cr_assert_eq (sd_codec_put_fork (&f[1], &s[1], &last, &rest), SD_OK);
  cr_assert_eq (sd_codec_put_fork (&f[0], &s[0], &rest, &all), SD_OK);
  sd_decoder *d[3];
  const sd_buf *const stream[3] = { &s[0], &s[1], &all };
  for (unsigned k = 0; k < 3; k++)
    cr_assert_eq (sd_codec_open (&sd_codec_obdd, stream[k]->data, stream[k]->len, 40, 2, &d[k], NULL), SD_OK);
  sd_symbol t[40];
  symbols (clustered, 2, t);
  for (unsigned i = 0; i < 40; i++) {
    sd_symbol of_cluster, read;
    cr_assert_eq (sd_codec_get (d[cluster_of[i / 8]], i, &of_cluster), SD_OK);
    cr_assert_eq (sd_codec_get (d[2], i, &read), SD_OK);
    cr_expect_eq (read, of_cluster, "slot %u", i);
    cr_expect (t[i] == 2 || read == t[i], "slot %u", i);
  }
  for (unsigned k = 0; k < 3; k++)
    sd_codec_close (d[k]);
  sd_buf_free (&s[0]);
  sd_buf_free (&s[1]);
  sd_buf_free (&last);
  sd_buf_free (&rest);
  sd_buf_free (&all);
}

/* ---------------------------------------------------------- 2.10: a graph of seven vertices */

enum { WORDS = 7 };
static const char *const word[WORDS] = { "10**000", "01*0*00", "**1**00", "*0*10**",
                                         "0**01*0", "000**1*", "000*0*1" };
static const unsigned word_group[WORDS] = { 0, 1, 0, 0, 1, 2, 2 };
static const char *const covering[3] = { "1011000", "0100100", "0000011" };

static bool compatible (const char *a, const char *b) {
  for (; *a && *b; a++, b++)
    if (*a != *b && *a != '*' && *b != '*')
      return false;
  return *a == *b;
}

/* Whether `groups` groups of compatible words suffice, words[from..] still to be placed. */
static bool groups_suffice (unsigned from, unsigned groups, unsigned *group) {
  if (from == WORDS)
    return true;
  for (unsigned g = 0; g < groups; g++) {
    bool fits = true;
    for (unsigned i = 0; i < from; i++)
      fits &= group[i] != g || compatible (word[i], word[from]);
    group[from] = g;
    if (fits && groups_suffice (from + 1, groups, group))
      return true;
  }
  return false;
}

Test (printed, seven_words_have_three_completions_and_no_fewer) {
  unsigned group[WORDS];
  for (unsigned i = 0; i < WORDS; i++)
    cr_expect (compatible (word[i], covering[word_group[i]]), "s%u = %s", i, word[i]);
  cr_expect (groups_suffice (0, 3, group));
  cr_expect_not (groups_suffice (0, 2, group));
}

/* A row for each word, the first position at the root. The eighth symbol and the eighth row are free, as
 * the width of a digit is a power of two. */
Test (printed, seven_words_become_three_nodes) {
  const uint32_t radix[2] = { 8, 8 };
  static const char *const settings[] = { "order=pieces,top=root", "order=pieces,top=root,merge=root" };
  for (unsigned k = 0; k < 2; k++) {
    suite_seq q = sequence (2, 2, radix);
    const sd_symbol star = suite_range (q.alphabet, 0, 1);
    sd_obdd_shape shape;
    for (unsigned i = 0; i < q.seq.n; i++)
      q.seq.sym[i] = star;
    for (unsigned i = 0; i < WORDS; i++)
      symbols (word[i], star, q.seq.sym + 8 * i);
    shape_of (&q, settings[k], &shape);
    cr_expect_eq (shape.nodes[3], 3u, "%s: %llu", settings[k], (unsigned long long) shape.nodes[3]);
    suite_free (&q);
  }
}
