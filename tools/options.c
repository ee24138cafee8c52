/* The command line of all programs: the rows of options that --help and the manual page print read their own
 * values. Splitting words into options is argp's; this file gives it its list, keeps the values, says in one
 * line what is wrong, and prints help as it is wanted. Wrong usage is exit status 2. */
#include "config.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Keys of argp: an option without a letter has KEY_FIRST and its number, so that a byte stays a letter. DOCS:
 * room for the texts of options in which words were put, all of a command together. */
enum { KEY_FIRST = 256, KEY_USAGE = 0x7000, MOST_OPTIONS = 64, DOCS = 8192 };

/* What every command takes. argp's own list says less, and does not know -h. */
static const struct argp_option common[] = {
  { "help", 'h', NULL, 0, "this text", -1 },
  { NULL, '?', NULL, OPTION_ALIAS, NULL, -1 },
  { "usage", KEY_USAGE, NULL, 0, "the options in short", -1 },
  { "version", 'V', NULL, 0, "name and version", -1 },
};
enum { NCOMMON = sizeof common / sizeof common[0] };

/* From tools/help/. */
#define SD_HELP(name, summary, about) { name, summary, about },
static const sd_help helps[] = {
#include "tools/help.inc"
};

/* The build makes a row for each command, so that the loop ends. */
const sd_help *sd_tool_help (const char *name) {
  unsigned i = 0;
  while (strcmp (helps[i].name, name) != 0)
    i++;
  return &helps[i];
}

/* The rows that were given, for sd_tool_said. */
static sd_option typed[MOST_OPTIONS];
static unsigned ntyped;

/* A command line that is being read. */
typedef struct reader {
  const sd_command *command;
  sd_words *words;
  bool told; /* help or the version */
} reader;

/* What argp calls the option by: its letter, else its number in the table. */
static int key_of (const sd_command *c, const sd_option *o) {
  return o->letter ? o->letter : KEY_FIRST + (int) (o - c->options);
}

/* Help for people with terminals of 79 columns: argp would break every line there, examples and tables as
 * well, so it is given wide lines, and paragraphs are wrapped here. Lines that begin with a space stay as
 * they are. `column`: where the text begins. In the text of an option LINE_END stands for the end of a line.
 *
 * argp's stream of glibc 2.36 counts columns wrongly where its buffer is full, which has 200 bytes. One write
 * that is longer than all help makes it so large that it is never full again: the FILLER before the text. */
enum { TEXT_WIDTH = 79, DOC_COLUMN = 29, LINE_END = 1, FILLER = 1 << 16 };
static char *wrapped (const char *text, unsigned column) {
  /* No line is broken but at a blank, in whose place the end stands: the text gets no longer. */
  const size_t room = 2 * strlen (text) + 1;
  char *out = malloc (room);

  if (!out)
    return NULL;
  /* space: behind the last blank of this line in `out`, 0: there was none. at: the column. kept: the line is
   * an example or a table and stays as it is. */
  size_t n = 0, space = 0;
  unsigned at = column;
  bool kept = *text == ' ';
  const char end = column ? LINE_END : '\n';
  for (const char *c = text; *c; c++) {
    out[n++] = *c;
    at++;
    if (*c == ' ')
      space = n;
    if (*c == '\n') {
      out[n - 1] = end;
      at = column;
      space = 0;
      kept = c[1] == ' ';
    } else if (at > TEXT_WIDTH && space && !kept) {
      out[space - 1] = end;
      at = column + (unsigned) (n - space);
      space = 0;
    }
  }
  out[n] = 0;
  return out;
}

/* text, which is freed, behind the filler. */
static char *filled (char *text) {
  char *out = malloc (FILLER + strlen (text) + 1);
  if (!out)
    return text;
  memset (out, '\n', FILLER);
  strcpy (out + FILLER, text);
  free (text);
  return out;
}

/* As argp's help_filter: a text that is returned changed is freed by argp. Texts before and behind the
 * options begin in the first column, those of options in DOC_COLUMN. */
static char *wrap_help (int key, const char *text, void *input) {
  (void) input;
  if (!text || key == ARGP_KEY_HELP_ARGS_DOC || key == ARGP_KEY_HELP_HEADER)
    return (char *) (uintptr_t) text;
  char *w = wrapped (text, key == ARGP_KEY_HELP_PRE_DOC || key == ARGP_KEY_HELP_POST_DOC
                                   || key == ARGP_KEY_HELP_DUP_ARGS_NOTE
                               ? 0
                               : DOC_COLUMN);
  if (w && key == ARGP_KEY_HELP_PRE_DOC)
    w = filled (w);
  return w ? w : (char *) (uintptr_t) text;
}

/* Put the value where the option says; false: it is no such value. */
static bool take (const sd_option *o, char *arg) {
  char *end = arg;

  if (o->flag)
    return *o->flag = true;
  if (o->metric)
    return (*o->metric = sd_metric_find (arg)) != SD_NO_METRIC;
  if (o->choice)
    return sd_tool_find_word (o->words, arg, o->choice);
  if (o->take)
    return o->take (arg);
  /* Of several words, as "capture+draw", what reads the text looks at each of them. */
  if (o->text) {
    *o->text = arg;
    return o->words && !o->joint ? sd_tool_is_word (o->words, arg) : *arg || !o->expected;
  }
  /* "10x" is no number, and neither is what lies outside of the range; NaN is not within any. */
  const double v = o->count ? (double) strtol (arg, &end, 10) : strtod (arg, &end);
  if (end == arg || *end || !(v >= o->least && v <= o->most))
    return false;
  if (o->count)
    *o->count = (unsigned) v;
  else
    *o->number = o->unit ? v * o->unit : v;
  return true;
}

bool sd_tool_said (const char *name) {
  for (unsigned i = 0; i < ntyped; i++)
    if (strcmp (typed[i].name, name) == 0)
      return true;
  return false;
}

const char *sd_tool_said_not_of (unsigned of) {
  for (unsigned i = 0; i < ntyped; i++)
    if (!(typed[i].of & of))
      return typed[i].name;
  return NULL;
}

/* "subdef probe: --threads 0: expected a number from 1 to 256". What is expected is the row's own text, else
 * its words and the nearest of them, else its range. */
static error_t take_option (const sd_option *o, char *arg, const struct argp_state *state) {
  if (take (o, arg)) {
    if (!sd_tool_said (o->name))
      typed[ntyped++] = *o;
    return 0;
  }
  char expected[400];
  if (o->words && !o->expected)
    sd_tool_expected (o->words, arg, expected, sizeof expected);
  else if (o->expected)
    snprintf (expected, sizeof expected, "expected %s", o->expected);
  else
    snprintf (expected, sizeof expected, "expected a number from %.10g to %.10g", o->least, o->most);
  if (!(state->flags & ARGP_NO_ERRS))
    sd_tool_say ("--%s %s: %s", o->name, *arg ? arg : "''", expected);
  return EINVAL;
}

/* argp adds "Try `... --help'" to what getopt says itself. */
static void discard_advice (struct argp_state *state) {
  FILE *f = fopen ("/dev/null", "we");
  state->err_stream = f ? f : state->err_stream;
}

/* argp writes to memory. LINE_END becomes a line's end with the column of texts behind it, and the filler
 * goes, with the blanks behind it that argp has put in the wrong column. */
static void print_help (const struct argp_state *state, unsigned what) {
  char *text = NULL;
  size_t n;
  FILE *f = open_memstream (&text, &n);
  if (!f)
    return;
  argp_state_help (state, f, what & ~(unsigned) ARGP_HELP_EXIT_OK);
  fclose (f);
  for (const char *c = text; c && *c; c++) {
    if (strspn (c, "\n") >= FILLER)
      c += FILLER + strspn (c + FILLER, " ");
    if (*c == LINE_END)
      printf ("\n%*s", DOC_COLUMN, "");
    else
      putchar (*c);
  }
  free (text);
}

/* The program ends here unless ranks are to leave together. */
static error_t tell (int key, struct argp_state *state) {
  ((reader *) state->input)->told = true;
  if (key != 'V')
    print_help (state, key == KEY_USAGE ? ARGP_HELP_USAGE : ARGP_HELP_STD_HELP);
  else if (!(state->flags & ARGP_NO_ERRS))
    printf ("%.*s %s\n", (int) strcspn (state->name, " "), state->name, PACKAGE_VERSION);
  if (!(state->flags & ARGP_NO_EXIT))
    exit (SD_EXIT_OK);
  return 0;
}

/* As argp calls it: at the start, for the words that are no options (all at once, since options may stand
 * behind them), and for each option. */
static error_t parse (int key, char *arg, struct argp_state *state) {
  const reader *r = state->input;

  switch (key) {
  case ARGP_KEY_INIT:
    discard_advice (state);
    return 0;
  case ARGP_KEY_ARGS:
    *r->words = (sd_words){ state->argv + state->next, state->argc - state->next };
    if (!r->command->most || r->words->n <= r->command->most)
      return 0;
    if (!(state->flags & ARGP_NO_ERRS))
      sd_tool_say ("'%s' is one argument too many", r->words->at[r->command->most]);
    return EINVAL;
  case 'h':
  case '?':
  case 'V':
  case KEY_USAGE:
    return tell (key, state);
  }
  for (const sd_option *o = r->command->options; o->name; o++)
    if (key_of (r->command, o) == key)
      return take_option (o, arg, state);
  return ARGP_ERR_UNKNOWN;
}

const sd_option *sd_option_named (const sd_command *c, const char *word) {
  const size_t n = strcspn (word, "=");
  const sd_option *found = NULL;
  for (const sd_option *o = c->options; o->name && strcmp (word, "--") != 0; o++)
    if ((word[1] != '-' ? o->letter && o->letter == word[n - 1] : strncmp (o->name, word + 2, n - 2) == 0)
        && (!found || strlen (o->name) == n - 2))
      found = o;
  return found;
}

/* "--help" and its like, by as many letters as one likes. */
static bool is_common (const char *word) {
  const size_t n = strcspn (word + 2, "=");
  for (unsigned i = 0; i < NCOMMON; i++)
    if (common[i].name && strncmp (common[i].name, word + 2, n) == 0)
      return true;
  return false;
}

/* Is the next word the value of this one? In "--order --x" it is, whatever it looks like. */
static bool takes_next (const sd_command *c, const char *word) {
  const sd_option *o = *word == '-' && word[1] && !strchr (word, '=') ? sd_option_named (c, word) : NULL;
  return o && !o->flag;
}

/* getopt would say of an option that is mistyped only that it does not know it. */
static bool complain_of_unknown (const sd_command *c, int argc, char **argv, bool silent) {
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i += 1 + takes_next (c, argv[i])) {
    if (strncmp (argv[i], "--", 2) != 0 || sd_option_named (c, argv[i]) || is_common (argv[i]))
      continue;
    /* "--codek=lzma" is told without its value. */
    argv[i][strcspn (argv[i], "=")] = 0;
    sd_guess guess = sd_guess_of (argv[i] + 2);
    for (const sd_option *o = c->options; o->name; o++)
      sd_guess_offer (&guess, o->name);
    if (!silent)
      sd_tool_say ("unknown option '%s'%s%s%s", argv[i],
                   guess.nearest ? "; did you mean \"--" : "; --help lists them",
                   guess.nearest ? guess.nearest : "", guess.nearest ? "\"?" : "");
    return true;
  }
  return false;
}

/* The text of an option with its words in place of an '@', in what is left of docs. It returns the option's
 * own text where it has no '@'. */
static const char *list_words (const sd_option *o, char docs[DOCS], size_t *used) {
  const char *at = o->words && o->doc ? strchr (o->doc, '@') : NULL;
  char list[1500], *out = docs + *used;
  if (!at)
    return o->doc;
  sd_tool_say_words (o->words, o->about, list, sizeof list);
  const int n = snprintf (out, DOCS - *used, "%.*s%s%s", (int) (at - o->doc), o->doc, list, at + 1);
  assert (n >= 0 && (size_t) n < DOCS - *used);
  *used += (size_t) n + 1;
  return out;
}

/* Options are first completed by shared_options.c, each with room of its own for what the table of the
 * command leaves out: `given` is constant, and `row` lasts until argp is through. */
int sd_options_read (const sd_command *given, int argc, char **argv, unsigned flags, sd_words *words,
                     bool *told) {
  struct argp_option options[MOST_OPTIONS];
  char arg[MOST_OPTIONS][100], docs[DOCS];
  /* The row behind the last one is 0 and ends the list. */
  sd_option row[MOST_OPTIONS] = { 0 };
  size_t used = 0;
  sd_command whole = *given;
  const sd_command *const c = &whole;
  for (unsigned i = 0; given->options[i].name; i++) {
    assert (i + NCOMMON + 1 < MOST_OPTIONS);
    row[i] = sd_option_whole (&given->options[i]);
    row[i].doc = list_words (&row[i], docs, &used);
  }

  whole.options = row;
  struct argp argp = { options, parse,     c->args, c->about ? c->about : sd_tool_help (c->name)->about,
                       NULL,    wrap_help, NULL };
  reader r = { .command = c, .words = words };
  unsigned n = 0;
  *words = (sd_words){ NULL, 0 };

  for (const sd_option *o = c->options; o->name; o++) {
    if (o->words && !o->arg)
      sd_tool_alternatives (o->words, arg[n], sizeof arg[n]);
    options[n] = (struct argp_option){ o->name, key_of (c, o), o->words && !o->arg ? arg[n] : o->arg,
                                       0,       o->doc,        o->group };
    n++;
  }
  /* The manual page has lines of its own for the common options, so that it is printed before these are
   * added. */
  options[n] = (struct argp_option){ 0 };
  *told = argc == 2 && strcmp (argv[1], "--man") == 0; /* for the makefile */
  if (*told) {
    sd_tool_man_page (argv[0], &argp);
    return 0;
  }
  *told = argc > 2 && strcmp (argv[1], "--complete") == 0; /* for the shell */
  if (*told) {
    sd_tool_complete (c, argv + 2, argc - 2);
    return 0;
  }

  if (complain_of_unknown (c, argc, argv, flags & ARGP_NO_ERRS))
    return EINVAL;
  memcpy (options + n, common, sizeof common);
  options[n + NCOMMON] = (struct argp_option){ 0 };
  argp_err_exit_status = SD_EXIT_USAGE;
  /* Wide lines for wrap_help; a user who has chosen a format of argp's keeps it. */
  setenv ("ARGP_HELP_FMT", "rmargin=1000", 0);
  const error_t status = argp_parse (&argp, argc, argv, ARGP_NO_HELP | flags, NULL, &r);
  *told = r.told;
  return status;
}

void sd_tool_parse (const sd_command *c, int argc, char **argv, sd_words *words) {
  bool told;
  const int status = sd_options_read (c, argc, argv, 0, words, &told);
  if (status || told) /* wrong usage does not return */
    exit (status ? SD_EXIT_USAGE : SD_EXIT_OK);
}
