/* Manual pages from the tables of options that --help prints, so that the two cannot differ: `subdef COMMAND
 * --man` writes the page in the language mdoc, and the makefile adds what stands in man/ about that
 * command. */
#include "config.h"
#include "tools/tools_internal.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* One line of text; what mdoc would take for a command is protected. A minus is written \-, so that it can be
 * copied as one. */
static void put_line (const char *text, size_t n) {
  if (n && (text[0] == '.' || text[0] == '\''))
    fputs ("\\&", stdout);
  for (size_t i = 0; i < n; i++)
    if (text[i] == '\\')
      fputs ("\\e", stdout);
    else if (text[i] == '-')
      fputs ("\\-", stdout);
    else
      putchar (text[i]);
  putchar ('\n');
}

/* Paragraphs are divided by empty lines; indented lines are shown as they stand. shown: inside of indented
 * lines; blank: an empty line came before, so that a paragraph begins. */
static void put_text (const char *text) {
  bool shown = false, blank = false;

  while (*text) {
    const size_t n = strcspn (text, "\n");
    const bool indented = text[0] == ' ' || text[0] == '\t';

    if (shown && !indented) {
      puts (".Ed");
      shown = false;
    }
    if (n == 0)
      blank = true;
    else {
      if (blank && !indented)
        puts (".Pp");
      if (indented && !shown) {
        puts (".Bd -literal -offset indent");
        shown = true;
      }
      put_line (indented ? text + strspn (text, " ") : text, indented ? n - strspn (text, " ") : n);
      blank = false;
    }

    text += n + (text[n] == '\n');
  }
  if (shown)
    puts (".Ed");
}

/* ".It Fl m , Fl \-metric Ns = Ns Ar "NAME"" and what --help says of it. Keys that are no letters stand for
 * options without one. */
static void put_option (const struct argp_option *o) {
  fputs (".It", stdout);
  if (o->key > 0 && o->key < 128 && isprint (o->key))
    printf (" Fl %c%s", o->key, o->name ? " ," : "");
  if (o->name)
    printf (" Fl \\-%s", o->name);
  if (o->arg)
    printf (o->flags & OPTION_ARG_OPTIONAL ? " Ns Op = Ns Ar \"%s\"" : "%sAr \"%s\"",
            o->name ? " Ns = Ns " : " ", o->arg);
  putchar ('\n');
  if (o->doc)
    put_text (o->doc);
}

/* Aliases and hidden options are not for readers, and neither are headings of groups. */
static void put_options (const struct argp_option *o) {
  for (; o && (o->name || o->key || o->doc); o++)
    if (!(o->flags & (OPTION_HIDDEN | OPTION_ALIAS)) && (o->name || o->key))
      put_option (o);
}

/* NAME and NAME of the page: "subdef probe" has the page subdef-probe. */
static void put_head (const char *name, const char *about) {
  printf (".Dd %s\n.Dt ", PACKAGE_DATE);
  for (const char *p = name; *p; p++)
    putchar (*p == ' ' ? '-' : toupper ((unsigned char) *p));

  printf (" 1\n.Os %s\n.Sh NAME\n.Nm ", PACKAGE_STRING);
  for (const char *p = name; *p; p++)
    putchar (*p == ' ' ? '-' : *p);
  printf ("\n.Nd %s\n", about);
}

/* A word of a form: an option, something in brackets, or an argument. "--merge" becomes ".Fl \-merge",
 * "[SLICE...]" ".Op Ar SLICE...". */
static void put_form_word (const char *word, size_t n) {
  const bool optional = n > 2 && word[0] == '[' && word[n - 1] == ']';
  if (optional) {
    word++;
    n -= 2;
  }

  printf (".%s", optional ? "Op " : "");
  if (word[0] == '-' && n > 1)
    printf ("Fl %s%.*s\n", word[1] == '-' ? "\\-" : "", (int) n - (word[1] == '-' ? 2 : 1),
            word + (word[1] == '-' ? 2 : 1));
  else
    printf ("Ar %.*s\n", (int) n, word);
}

/* How the command is called: a form a line. Without arguments there is one form as well. */
static void put_forms (const char *name, const char *args) {
  do {
    const size_t end = strcspn (args, "\n");
    printf (".Nm %s\n.Op Ar option ...\n", name);
    for (size_t at = 0; at < end;) {
      const size_t n = strcspn (args + at, " \n");
      put_form_word (args + at, n);
      at += n + (args[at + n] == ' ');
    }
    args += end + (args[end] == '\n');
  } while (*args);
}

/* The first sentence of the help is the line about the page ("NAME - what it does"); what stands behind a
 * vertical tab comes behind the options. */
void sd_tool_man_page (const char *name, const struct argp *argp) {
  const char *doc = argp->doc ? argp->doc : "", *more = strchr (doc, '\v');
  const size_t n = strcspn (doc, ".:\n\v");
  char about[200], before[4096];

  snprintf (about, sizeof about, "%.*s", (int) n, doc);
  if (!isupper ((unsigned char) about[1])) /* a name such as WDL stays as it is */
    about[0] = (char) tolower ((unsigned char) about[0]);

  snprintf (before, sizeof before, "%.*s", (int) (more ? (size_t) (more - doc) : strlen (doc)), doc);

  put_head (name, about);

  puts (".Sh SYNOPSIS");
  put_forms (name, argp->args_doc ? argp->args_doc : "");

  puts (".Sh DESCRIPTION");
  put_text (before);
  puts (".Bl -tag -width indent");
  put_options (argp->options);
  puts (".It Fl h , Fl \\-help\nThe options in short.\n.It Fl V , Fl \\-version\nName and version.\n.El");

  if (more) {
    puts (".Pp");
    put_text (more + 1);
  }
}

/* Each command with the first line of its help and a reference to its own page. */
void sd_tool_man_overview (const char *name, const char *about, const sd_command *const *command) {
  put_head (name, about);
  printf (".Sh SYNOPSIS\n.Nm %s\n.Ar command\n.Op Ar option ...\n.Op Ar argument ...\n.Sh COMMANDS\n"
          ".Bl -tag -width reformat\n",
          name);
  for (; *command; command++) {
    printf (".It Xr %s-%s 1\n", name, (*command)->name);
    put_text (sd_tool_help ((*command)->name)->summary);
  }
  puts (".El");
}
