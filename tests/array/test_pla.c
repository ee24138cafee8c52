/* PLA: what a text says against a slow evaluation of the terms that it was made of, each type and each
 * character, and what is refused. */
#include "config.h"
#include "array/array_internal.h"
#include "array/pla.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite (pla, .timeout = 120);

static int pla (const char *text, sd_array_shape *s, sd_subdefined **d, sd_error *err) {
  *d = NULL;
  return sd_array_pla (text, strlen (text), "f.pla", s, d, err);
}

/* What each slot may hold: "0", "1", "*". */
static char *shown (const sd_subdefined *d) {
  char *text = calloc (1, d->seq.n + 1);
  for (uint64_t i = 0; i < d->seq.n; i++) {
    const sd_symbol x = d->seq.sym[i];
    text[i] = x >= sd_alphabet_main (d->alphabet) ? '*' : (char) ('0' + d->map[x]);
  }
  return text;
}

static void says (const char *text, const char *expected) {
  sd_array_shape s;
  sd_subdefined *d;
  sd_error err = { 0 };
  cr_assert_eq (pla (text, &s, &d, &err), SD_OK, "%s", err.text);
  char *is = shown (d);
  cr_expect_str_eq (is, expected, "%s: %s, expected %s", text, is, expected);
  free (is);
  sd_subdefined_free (d);
}

Test (pla, types_say_what_is_free) {
  says (".i 2\n.o 2\n00 10\n1- 01 # a comment\n01 -0\n.e\nrubbish", "1*000011");
  says (".i 2\n.o 2\n.type fd\n--|10\n11|--\n", "111*000*"); /* free wins */
  says (".i 2\n.o 2\n.type f\n00 1-\n1- 01\n", "10000011");
  says (".i 2\n.o 2\n.type fr\n.p 3\n00 10\n1- 01\n01 -0\n.e\n", "1*000011");
  says (".i 1\n.o 1\n.e\n", "00");
  says (".i 3\n.o 1\n.ilb a b c\n.ob f\n.type fr\n2-1 1\n100 0\n", "*1*101*1");
  says (".i 3\n.o 1\n.type fdr\n011 1\n010 0\n1-- -\n.e\n", "**01****");
  says (".i 3\n.o 1\n.type dr\n011 1\n010 0\n10- -\n.e\n", "1101**11");
  says (".i 2\n.o 1\n.type r\n01 1\n10 0\n00 -\n", "1101");
  says (".i 2\n.o 1\n.type fr\n", "0000"); /* everything is free: one value, which is all that there is */
}

Test (pla, outputs_have_other_characters_too) {
  says (".i 2\n.o 2\n00 4~\n01 2-\n10 3 1\n11 00\n", "1*000*10");
  says (".i 2\n.o 2\n.type fdr\n00 4~\n01 2-\n10 0 1\n11 00\n", "1*00**10");
  says (".i 2\n.o 1\n00 1\n?1 1\n", "1000"); /* an input that is neither 0 nor 1: the term covers nothing */
}

Test (pla, a_negative_phase_exchanges_0_and_1) {
  says (".i 2\n.o 2\n.phase 01\n00 11\n01 -1\n", "0*111100");
  says (".i 2\n.o 2\n00 11\n01 -1\n.phase 1 0\n", "1*000011");
}

Test (pla, terms_and_names_may_take_several_lines) {
  says (".i 3\n.o 2\n01\n1\n1\n0 \n# between\n100\n\n11\n", "0001100000001000");
  says (".i 4\n.o 1\n.ilb a b\n c\n d\n.ob f\n.label var=0 a0 a1\n.label var=4\nf\n0-11 1\n",
        "0001000100000000");
  says ("\xef\xbb\xbf.i 2\n.o 1\n11 1\n", "0001"); /* a byte order mark */
  says ("# an ending of Windows\r\n.i 2\r\n.o 1\r\n11\r\n1\r\n.e\r\n", "0001");
}

/* The program espresso passes over them. */
Test (pla, lines_before_the_numbers_of_inputs_and_outputs_are_a_title) {
  says ("ESPRESSO example 7\nby nobody, 1984\n.i 2\n.o 1\n11 1\n", "0001");
  says (".i 2\n  two inputs\n.o 1\n11 1\n", "0001");
}

Test (pla, what_is_none_is_refused_with_its_line) {
  static const struct {
    const char *text, *says;
  } bad[] = {
    { "00 1\n", "line 1: a term stands before .i and .o" },
    { "a title\n00 1\n.i 2\n.o 1\n", "line 2: a term stands before .i and .o" },
    { ".i 2\n.o 1\na title\n", "line 3: an input" },
    { "a title\n", "before .i and .o" },
    { ".i 2\n.o 1\n00 1\n0 1\n", "line 4: 2 inputs and outputs, expected 2 and 1" },
    { ".i 2\n.o 1\n00 1\n0 1\n.e\n", "line 4: 2 inputs and outputs, expected 2 and 1" },
    { ".i 2\n.o 1\n00 11\n", "line 3: more characters than a term has" },
    { ".i 2\n.o 1\n0\n0 1 01 1\n", "line 4: more characters than a term has" },
    { ".i 2\n.o 1\n0x 1\n", "line 3: an input" },
    { ".i 2\n.o 1\n00 x\n", "line 3: an output" },
    { ".i 2\n.o 1\n.type fr\n00 3\n", "line 4: an output of 3 is ~ on espresso's page and 0 in its program" },
    { ".i 33\n.o 1\n", "line 1: 33 inputs: at most 32 are read, since an array has at most 2^32 slots" },
    { ".i 25\n.o 256\n.e\n", "line 2: 256 outputs of 25 inputs take more than 2^32 slots" },
    { ".o 256\n.i 25\n.e\n", "line 2: 256 outputs of 25 inputs take more than 2^32 slots" },
    { ".i 2\n.i 2\n", "line 2: the number of inputs stands here a second time" },
    { ".i 0\n", "line 1: expected the number of inputs" },
    { ".i 2\n.o 1\n.mv 3 1 1\n", "line 3: '.mv' is not read" },
    { ".i 2\n.o 1\n.pair 1 (1 2)\n", "line 3: '.pair' is not read" },
    { ".kiss\n", "line 1: '.kiss' is not read" },
    { ".i 2\n.o 1\n.symbolic a b ; c d ;\n", "line 3: '.symbolic' is not read" },
    { ".i 2\n.o 1\n.symbolic-output a b ; c d ;\n", "line 3: '.symbolic-output' is not read" },
    { ".i 2\n.o 1\n.type xx\n", "line 3: .type" },
    { ".i 2\n.o 1\n00 1\n.type fr\n", "line 4: a directive behind" },
    { ".i 2\n.o 2\n.phase 012\n", "line 3: .phase" },
    { ".i 2\n.o 2\n.phase 0\n", "line 3: .phase" },
    { ".i 2\n.phase 0\n", "line 2: .phase: expected once, behind .o" },
    { ".i 2\n.o 1\n.label var=3 a b\n", "line 3: .label" },
    { ".i 2\n.o 1\n.ilb a\n00 1\n", "line 4: names or a term?" },
    { ".i 2\n.o 1\n.p 2\n00 1\n.e\n", "1 terms, .p says 2" },
    { ".i 2\n.o 2\n.type fr\n-1 11\n0- 10\n11 -0\n",
      "output 2 of input 01 is both 1 (line 4) and 0 (line 5)" },
    { ".i 1\n.o 2\n.type fdr\n- 11\n0 10\n", "output 2 of input 0 is both 1 (line 4) and 0 (line 5)" },
    { "", "before .i and .o" },
  };
  for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    sd_array_shape s;
    sd_subdefined *d;
    sd_error err = { 0 };
    cr_expect_eq (pla (bad[i].text, &s, &d, &err), SD_EFORMAT, "%s", bad[i].text);
    cr_expect (strncmp (err.text, "f.pla: ", 7) == 0 && strstr (err.text, bad[i].says), "'%s': %s",
               bad[i].says, err.text);
  }
}

/* ------------------------------------------------------------- a slow evaluation */

enum { MOST_IN = 8, MOST_OUT = 4, MOST_TERMS = 12 };

/* A function as characters, and nothing else. */
typedef struct made_pla {
  unsigned inputs, outputs, terms;
  const char *type;
  char in[MOST_TERMS][MOST_IN], out[MOST_TERMS][MOST_OUT], phase[MOST_OUT + 1];
} made_pla;

static made_pla make (uint64_t *seed) {
  static const char *const type[] = { "f", "r", "fd", "fr", "dr", "fdr" };
  made_pla m = { .inputs = 1 + (unsigned) (sd_random (seed) % MOST_IN),
             .outputs = 1 + (unsigned) (sd_random (seed) % MOST_OUT),
             .terms = (unsigned) (sd_random (seed) % (MOST_TERMS + 1)),
             .type = type[sd_random (seed) % 6] };
  const uint64_t dashes = sd_random (seed) % 8;
  for (unsigned t = 0; t < m.terms; t++) {
    for (unsigned i = 0; i < m.inputs; i++)
      m.in[t][i] = sd_random (seed) % 8 < dashes ? "-2"[sd_random (seed) % 2] : "01"[sd_random (seed) % 2];
    for (unsigned o = 0; o < m.outputs; o++)
      m.out[t][o] = "01-~24"[sd_random (seed) % 6];
  }
  for (unsigned o = 0; o < m.outputs; o++)
    m.phase[o] = "011"[sd_random (seed) % 3];
  return m;
}

/* The text, with line ends and blanks in odd places. */
static void print (const made_pla *m, uint64_t *seed, char *text) {
  text += sprintf (text, ".i %u\n.o %u\n.type %s\n.phase %s\n", m->inputs, m->outputs, m->type, m->phase);
  for (unsigned t = 0; t < m->terms; t++) {
    for (unsigned k = 0; k < m->inputs + m->outputs; k++) {
      if (sd_random (seed) % 8 == 0)
        *text++ = " |\t\n"[sd_random (seed) % 4];
      *text++ = k < m->inputs ? m->in[t][k] : m->out[t][k - m->inputs];
    }
    *text++ = '\n';
  }
  strcpy (text, ".e\n");
}

static bool covers (const made_pla *m, unsigned t, unsigned x) {
  for (unsigned i = 0; i < m->inputs; i++) {
    const char bit = x >> (m->inputs - 1 - i) & 1 ? '1' : '0';
    if (m->in[t][i] != bit && m->in[t][i] != '-' && m->in[t][i] != '2')
      return false;
  }
  return true;
}

/* '0', '1', '*', or '!' where it is both. */
static char value (const made_pla *m, unsigned o, unsigned x) {
  bool on = false, off = false, any = false;
  const bool f = strchr (m->type, 'f'), d = strchr (m->type, 'd'), r = strchr (m->type, 'r');
  for (unsigned t = 0; t < m->terms; t++)
    if (covers (m, t, x)) {
      const char c = m->out[t][o];
      on |= f && (c == '1' || c == '4');
      off |= r && c == '0';
      any |= d && (c == '-' || c == '2');
    }
  if (on && off)
    return '!';
  if (any || (!on && !off && f && r))
    return '*';
  const bool one = on || (!off && !f);
  return one == (m->phase[o] == '1') ? '1' : '0';
}

Test (pla, made_up_functions_are_what_a_slow_evaluation_says) {
  uint64_t seed = 36;
  unsigned conflicts = 0, constants = 0;
  for (unsigned k = 0; k < 4000; k++) {
    const made_pla m = make (&seed);
    char text[1000], expected[(MOST_OUT << MOST_IN) + 1];
    uint64_t n = 0;
    print (&m, &seed, text);
    for (unsigned o = 0; o < m.outputs; o++)
      for (unsigned x = 0; x < 1u << m.inputs; x++)
        expected[n++] = value (&m, o, x);
    expected[n] = 0;
    sd_array_shape s;
    sd_subdefined *d;
    sd_error err = { 0 };
    const int st = pla (text, &s, &d, &err);
    if (strchr (expected, '!')) {
      conflicts++;
      cr_assert_eq (st, SD_EFORMAT, "%s", text);
      cr_assert (strstr (err.text, "is both 1"), "%s", err.text);
      continue;
    }
    cr_assert_eq (st, SD_OK, "%s\n%s", err.text, text);
    cr_assert_eq (s.ndims, 1 + m.inputs);
    if (!strchr (expected, '0') || !strchr (expected, '1')) { /* what is free is the one value, too */
      constants++;
      for (uint64_t i = 0; i < n; i++)
        expected[i] = strchr (expected, '1') ? '1' : '0';
    }
    char *is = shown (d);
    cr_assert_str_eq (is, expected, "%s", text);
    free (is);
    sd_subdefined_free (d);
  }
  cr_expect_gt (conflicts, 200);
  cr_expect_gt (constants, 200);
}

/* A function of many inputs by its slots: those of one term in 2^22 of them, and one conflict. */
Test (pla, functions_of_many_inputs_are_read_where_their_terms_are) {
  sd_array_shape s;
  sd_subdefined *d;
  sd_error err = { 0 };
  cr_assert_eq (
      pla (".i 26\n.o 1\n11111-------------------11 1\n00000000000000000000000000 -\n", &s, &d, &err), SD_OK,
      "%s", err.text);
  cr_assert (s.ndims == 2 && s.dim[0] == 1 && s.dim[1] == 1 << 26);
  uint64_t ones = 0, any = 0, wrong = 0;
  for (uint64_t i = 0; i < s.n; i++) {
    ones += d->seq.sym[i] == 1;
    any += d->seq.sym[i] == 2;
    wrong += (d->seq.sym[i] == 1) != (i >> 21 == 31 && (i & 3) == 3) && d->seq.sym[i] != 2;
  }
  cr_expect (ones == 1 << 19 && any == 1 && wrong == 0, "%llu, %llu, %llu", (unsigned long long) ones,
             (unsigned long long) any, (unsigned long long) wrong);
  sd_subdefined_free (d);
}

/* --------------------------------------------------------------------- by content */

Test (pla, is_known_by_its_content) {
  static const char *const is[] = { ".i 3\n.o 1\n",
                                    "# a comment\n\n  .o 2\n.i 3",
                                    "\xef\xbb\xbf.i 3\r\n.o 1\r\n",
                                    ".type fr\n.i\t3 # inputs\n",
                                    ".mv 4 2 3 3\n",
                                    "# \xc3\xbc\n.i 3\n" };
  static const char *const none[] = { "",        ".",          ".i\n",       ".i x\n",
                                      ".if 3\n", "1,2\n3,4\n", ".input 3\n", "a .i 3\n" };
  for (unsigned i = 0; i < sizeof is / sizeof *is; i++)
    cr_expect_eq (sd_array_form_of ((const uint8_t *) is[i], strlen (is[i])), SD_ARRAY_PLA, "%s", is[i]);
  for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
    cr_expect_eq (sd_array_form_of ((const uint8_t *) none[i], strlen (none[i])), SD_ARRAY_RAW, "%s",
                  none[i]);
  cr_expect_eq (sd_array_form_of ((const uint8_t *) "\0\n.i 3\n", 7), SD_ARRAY_RAW,
                "bytes before it are no text");
}
