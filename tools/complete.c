/* Completion: what the word under the cursor may become. The scripts of the shells (tools/completion) ask for
 * it with `subdef COMMAND --complete WORD...`. The answer is read off the same tables as --help: options and
 * their words; and where an argument's text says ENDING, KEY=VALUE, FILE or DIR in capitals, these; small
 * letters are words themselves, as in "small|fast". */
#include "config.h"
#include "codecs/codecs.h"
#include "tools/tools_internal.h"
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The command line behind the command, and the word under the cursor. */
typedef struct line {
  const sd_command *command;
  const char *word;           /* under the cursor; what stands behind it is not known */
  const sd_option *value_of;  /* the option before it that waits for its value */
  const char *codec, *tables; /* as typed before it; NULL: not */
  unsigned words;             /* before it that are no options */
  bool files;                 /* of the answer: names of files, too */
} line;

/* "reformat<TAB>recode tables": `before` is what the word has already before the part that is completed.
 * Capitals of what was typed do not count; the shell replaces the word. */
static void put (const char *before, size_t n, const char *typed, const char *word, const char *what) {
  if (strncasecmp (typed, word, strlen (typed)) != 0)
    return;
  printf ("%.*s%s", (int) n, before, word);
  /* The first part of the sentence: shells show it in a line beside the word. */
  if (what)
    printf ("\t%.*s", (int) strcspn (what, ":;(,.\n\v"), what);
  putchar ('\n');
}

static void put_words (sd_words_at *words, const char *before, size_t n, const char *typed) {
  for (unsigned i = 0; words && words (i); i++)
    put (before, n, typed, words (i), NULL);
}

/* ------------------------------------------------------------------- endings */

/* Folders hold up to six files of an ending; each is named once. */
typedef struct names {
  char (*name)[16]; /* as sd_material_name writes them */
  uint64_t n, room;
} names;

static void add_name (names *all, const sd_material *m) {
  char name[16];
  sd_material_name (m, name);

  for (uint64_t i = 0; i < all->n; i++)
    if (strcmp (all->name[i], name) == 0)
      return;
  /* Without memory the list is shorter. */
  if (all->n < all->room || sd_grow_array (&all->name, &all->room, all->n + 1, sizeof *all->name))
    memcpy (all->name[all->n++], name, sizeof name);
}

/* By the names of files up to the first dot. Nothing is opened, so that a damaged table is offered, too. */
static void endings_in (const char *folder, names *all) {
  DIR *d = opendir (folder);
  const struct dirent *e;

  while (d && (e = readdir (d))) {
    char name[16];
    sd_material m;
    const size_t n = strcspn (e->d_name, ".");
    if (n >= sizeof name || !e->d_name[n])
      continue;
    memcpy (name, e->d_name, n);
    name[n] = 0;
    if (sd_material_parse (name, &m, NULL) == SD_OK)
      add_name (all, &m);
  }
  if (d)
    closedir (d);
}

/* That can be made: more than five men would be a long list. */
static void endings_to_make (unsigned most, names *all) {
  for (unsigned men = 3; men <= most; men++) {
    sd_material m[200];
    const unsigned n = sd_material_all (men, m, sizeof m / sizeof *m);
    for (unsigned i = 0; i < n; i++)
      add_name (all, &m[i]);
  }
}

/* For a command that makes endings all that can be made, for others those that lie on the path as typed, else
 * on the one that the command takes then. While nothing lies there the names are offered all the same: the
 * path may come behind them. */
static void put_endings (const line *l) {
  names all = { 0 };
  char folder[4096];
  const char *path = sd_tool_path (l->tables);
  if (l->command->makes)
    endings_to_make (5, &all);
  else
    while (sd_tool_next_folder (&path, folder, sizeof folder))
      endings_in (folder, &all);
  if (!all.n && !l->tables)
    endings_to_make (4, &all);
  for (uint64_t i = 0; i < all.n; i++)
    put ("", 0, l->word, all.name[i], NULL);
  free (all.name);
}

/* ------------------------------------------------------------------ settings */

/* The words "a|b|c" of a setting; those of `initial` are the initial replacements. */
static void put_setting_words (const sd_tunable *t, const char *before, size_t n, const char *typed) {
  size_t count;
  const sd_initial *const *initial = sd_initial_all (&count);
  char word[64];
  for (const char *at = t->words ? t->words : ""; *at; at += strcspn (at, "|"), at += *at == '|') {
    snprintf (word, sizeof word, "%.*s", (int) strcspn (at, "|"), at);
    put (before, n, typed, word, NULL);
  }
  for (size_t i = 0; strcmp (t->key, "initial") == 0 && i < count; i++)
    put (before, n, typed, initial[i]->name, initial[i]->summary);
}

/* "block=128,init" -> "block=128,initial=", then its words. */
static void put_settings (const line *l, const char *typed, const char *word) {
  /* key: behind the last comma; value: behind '=', of several values ("initial=a+b") behind the last '+'. A
   * setting whose name is complete is completed by its words, another one by its name. */
  const sd_codec *codec = sd_codec_find (l->codec ? l->codec : "repair");
  const char *comma = strrchr (typed, ','), *key = comma ? comma + 1 : typed, *is = strchr (key, '=');
  const char *value = is ? strrchr (is, '+') ? strrchr (is, '+') + 1 : is + 1 : NULL;
  for (const sd_tunable *t = codec ? codec->tunables : NULL; t && t->key; t++)
    if (is && strlen (t->key) == (size_t) (is - key) && strncmp (t->key, key, (size_t) (is - key)) == 0)
      put_setting_words (t, word, (size_t) (value - word), value);
    else if (!is) {
      char with[64];
      snprintf (with, sizeof with, "%s=", t->key);
      put (word, (size_t) (key - word), key, with, t->summary);
    }
}

/* ---------------------------------------------------------------- arguments */

/* What the text of an argument names: "ENDING...|SLICE...|FILE.sda...", "small|fast", "FILE.csv|papers". */
static void put_argument (line *l, const char *text, sd_words_at *named, const char *typed) {
  const size_t before = (size_t) (typed - l->word);

  /* An item ends at a bar, a blank or a bracket; its word without dots and endings tells what it is. Words of
   * small letters, as commands have them ("bench probe"), are for the first argument only. */
  for (const char *at = text; *at;) {
    char item[64];
    const size_t n = strcspn (at, "| \n[]"), bare = strcspn (at, "| \n[].:");
    snprintf (item, sizeof item, "%.*s", (int) (bare < n ? bare : n), at);

    if (strncmp (item, "ENDING", 6) == 0)
      put_endings (l);
    else if (strncmp (item, "FILE", 4) == 0 || strncmp (item, "DIR", 3) == 0 || strncmp (item, "OUT", 3) == 0)
      l->files = true;
    else if (islower ((unsigned char) *item) && l->words == 0)
      put (l->word, before, typed, item, NULL);

    at += n + (at[n] != 0);
  }
  put_words (named, l->word, before, typed);
}

/* l->words is 0 for a value: the "small|fast" of an option is offered wherever the option stands. */
static void put_value (line *l, const sd_option *o, const char *typed) {
  if (o->words) {
    const char *last = o->joint ? strrchr (typed, o->joint) : NULL, *part = last ? last + 1 : typed;
    put_words (o->words, l->word, (size_t) (part - l->word), part);
  }

  if (!o->arg)
    return;
  l->words = 0;
  if (strncmp (o->arg, "KEY=VALUE", 9) == 0)
    put_settings (l, typed, l->word);
  else if (!o->words)
    put_argument (l, o->arg, NULL, typed);
}

/* All of the command's own, with what stands in --help up to the first mark. */
static void put_options (const line *l) {
  char name[64];
  for (const sd_option *o = l->command->options; o->name; o++) {
    snprintf (name, sizeof name, "--%s", o->name);
    put ("", 0, l->word, name, o->doc);
  }
  put ("", 0, l->word, "--help", "what the command does, and its options");
}

/* ------------------------------------------------------------------ the line */

/* Endings are looked for on the typed path, and settings are those of the typed codec. */
static void note_value (line *l, const sd_option *o, const char *value) {
  if (strcmp (o->name, "codec") == 0)
    l->codec = value;
  if (strcmp (o->name, "tables") == 0)
    l->tables = value;
}

/* A word before the cursor: the value of the option before it, an option, or an argument. */
static void read_word (line *l, const char *word) {
  const sd_option *o = l->value_of ? NULL : *word == '-' ? sd_option_named (l->command, word) : NULL;
  if (l->value_of)
    note_value (l, l->value_of, word);
  l->words += !l->value_of && *word != '-';
  l->value_of = o && !o->flag && !strchr (word, '=') ? o : NULL;
  if (o && strchr (word, '='))
    note_value (l, o, strchr (word, '=') + 1);
}

/* What is completed: the value of the option before, that in "--option=value", the name of an option, or an
 * argument. */
void sd_tool_complete (const sd_command *c, char **typed, int n) {
  line l = { .command = c, .word = typed[n - 1] };

  for (int i = 0; i < n - 1; i++)
    read_word (&l, typed[i]);
  const char *is = strchr (l.word, '=');
  const sd_option *o = *l.word == '-' && is ? sd_option_named (c, l.word) : NULL;
  if (l.value_of)
    put_value (&l, l.value_of, l.word);
  else if (o)
    put_value (&l, o, is + 1);
  else if (*l.word == '-')
    put_options (&l);
  else
    put_argument (&l, c->args ? c->args : "", c->named, l.word);

  if (l.files)
    puts (":files");
}
