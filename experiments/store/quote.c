/* Texts at the borders of the report: what is data inside must not be markup, a formula, a command or a path
 * outside.
 *
 * A file of results may come from anybody, so no text of a row reaches a page, a table, a script or a
 * terminal but through one of these functions. tests/experiments/test_report_hostile.c sends a hostile
 * text through each border and reads back what comes out. A buffer that has no memory says so itself
 * (sd_buf.failed); nothing here returns a status. */
#include "config.h"
#include "experiments/store/store.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Longer texts than 4095 bytes are cut: formats are the program's own, and rows go through the functions
 * below. */
void sd_put (sd_buf *b, const char *fmt, ...) {
  char text[4096];
  va_list ap;
  va_start (ap, fmt);
  int n = vsnprintf (text, sizeof text, fmt, ap);
  va_end (ap);
  if (n > 0)
    sd_buf_append (b, text, (size_t) n < sizeof text ? (size_t) n : sizeof text - 1);
}

void sd_put_text (sd_buf *b, const char *text) {
  sd_buf_append (b, text, strlen (text));
}

/* Bytes of the character that begins at p: 1 to 4, or 0 if it is no right UTF-8 (overlong forms and halves of
 * pairs included). */
static size_t character (const unsigned char *p) {
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  size_t n = *p < 0x80 ? 1 : (*p & 0xe0) == 0xc0 ? 2 : (*p & 0xf0) == 0xe0 ? 3 : (*p & 0xf8) == 0xf0 ? 4 : 0;
  uint32_t code = n == 1 ? *p : n ? *p & (0x7fu >> n) : 0;
  for (size_t i = 1; i < n; i++) {
    if ((p[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (p[i] & 0x3f);
  }
  return n && code >= least[n] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? n : 0;
}

/* The next character of *at, copied to *b, or U+FFFD for what is none. */
static void put_character (sd_buf *b, const char **at) {
  const unsigned char *p = (const unsigned char *) *at;
  size_t n = character (p);
  const bool second_set = n == 2 && *p == 0xc2 && p[1] < 0xa0; /* control characters beyond ASCII */
  if (n == 0 || *p < ' ' || *p == 0x7f || second_set)
    sd_put_text (b, "\xef\xbf\xbd");
  else
    sd_buf_append (b, p, n);
  *at += n ? n : 1;
}

/* What begins *at and is letters of ASCII, none of them `special`, goes to *b at once: most texts are no
 * more. special: the characters that mean something in the form. */
static void put_plain (sd_buf *b, const char **at, const char *special) {
  const size_t most = strcspn (*at, special);
  size_t n = 0;
  while (n < most && (*at)[n] >= ' ' && (*at)[n] < 0x7f)
    n++;
  if (n)
    sd_buf_append (b, *at, n);
  *at += n;
}

void sd_put_html (sd_buf *b, const char *text) {
  static const struct {
    char c;
    const char *entity;
  } special[] = { { '&', "&amp;" },  { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" },
                  { '\'', "&#39;" }, { '\n', "\n" },  { '\t', "\t" } };

  /* A quote is one in an attribute, too, so that one function serves both places. */
  while (put_plain (b, &text, "&<>\"'"), *text) {
    unsigned i = 0;
    while (i < sizeof special / sizeof *special && special[i].c != *text)
      i++;
    if (i < sizeof special / sizeof *special) {
      sd_put_text (b, special[i].entity);
      text++;
    } else
      put_character (b, &text);
  }
}

void sd_put_md (sd_buf *b, const char *text) {
  static const char special[] = "\\`*<>[]|~$_&";
  const char *first = text;
  while (*text) {
    /* these would begin a list or a heading in front of a line only; an underscore inside a word is one */
    const bool front = text == first && strchr ("#+-=", *text) && (text[1] == ' ' || text[1] == *text);
    if (!front)
      put_plain (b, &text, special);
    if (!*text)
      return;

    /* An underscore marks up only at the edge of a word, and most of them stand inside of one. */
    const bool under =
        *text == '_'
        && !(text > first && isalnum ((unsigned char) text[-1]) && isalnum ((unsigned char) text[1]));
    /* an ampersand is one unless a name or a number follows */
    const bool entity = *text == '&' && (isalnum ((unsigned char) text[1]) || text[1] == '#');

    /* A paragraph, and a cell of a table, is one line. */
    if (*text == '\n' || *text == '\t' || *text == '\r') {
      sd_buf_u8 (b, ' ');
      text++;
      continue;
    }

    if ((strchr (special, *text) && *text != '_' && *text != '&') || front || under || entity)
      sd_buf_u8 (b, '\\');
    put_character (b, &text);
  }
}

void sd_put_tex (sd_buf *b, const char *text) {
  for (; put_plain (b, &text, "#$%&_{}<>|\\^~"), *text; text++)
    if (*text < ' ' || *text > '~')
      sd_buf_u8 (b, '?');
    else if (strchr ("#$%&_{}", *text))
      sd_put (b, "\\%c", *text);
    else if (*text == '<' || *text == '>' || *text == '|') /* TeX's own letters have others in their places */
      sd_put (b, "\\text%s{}", *text == '<' ? "less" : *text == '>' ? "greater" : "bar");
    else
      sd_put (b, "\\text%s{}", *text == '^' ? "asciicircum" : *text == '~' ? "asciitilde" : "backslash");
}

void sd_put_md_code (sd_buf *b, const char *text) {
  size_t longest = 2, run = 0;
  for (const char *t = text; *t; t++) {
    run = *t == '`' ? run + 1 : 0;
    longest = run > longest ? run : longest;
  }

  for (size_t i = 0; i <= longest; i++)
    sd_buf_u8 (b, '`');
  sd_buf_u8 (b, '\n');

  while (*text)
    if (*text == '\n' || *text == '\t')
      sd_buf_u8 (b, (uint8_t) *text++);
    else
      put_character (b, &text);
  sd_buf_u8 (b, '\n');
  for (size_t i = 0; i <= longest; i++)
    sd_buf_u8 (b, '`');
  sd_buf_u8 (b, '\n');
}

/* Such as -1.5e-3; not what else strtod takes, such as -nan(1). */
static bool is_number (const char *text) {
  char *end;
  if (text[strspn (text, "+-.0123456789eE")])
    return false;
  strtod (text, &end);
  return end != text && *end == '\0';
}

void sd_put_csv_cell (sd_buf *b, const char *text) {
  const bool formula = *text && strchr ("=+-@\t\r", *text) && !is_number (text);
  const bool quote = strpbrk (text, ",\"\n\r") != NULL;

  if (quote)
    sd_buf_u8 (b, '"');
  if (formula)
    sd_buf_u8 (b, '\'');

  /* Line breaks stay, as a quoted cell may have them; all other control characters go. */
  while (put_plain (b, &text, "\""), *text) {
    if (*text == '"')
      sd_buf_u8 (b, '"');
    if (*text == '\n' || *text == '\t' || *text == '\r')
      sd_buf_u8 (b, (uint8_t) *text++);
    else
      put_character (b, &text);
  }
  if (quote)
    sd_buf_u8 (b, '"');
}

void sd_put_csv (sd_buf *b, const char *const *cell, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    if (i)
      sd_buf_u8 (b, ',');
    sd_put_csv_cell (b, cell[i]);
  }
  sd_buf_u8 (b, '\n');
}

/* Is it a character that XML has, too? No control, and not the two that end each plane. */
static bool is_printed (const unsigned char *p, size_t n) {
  return n == 1   ? *p >= ' ' && *p <= '~'
         : n == 2 ? *p != 0xc2 || p[1] >= 0xa0
                  : n && !((p[n - 2] == 0xbf) && p[n - 1] >= 0xbe);
}

/* Quotes, which would end a text of gnuplot's, become those of printers. Even between quotes gnuplot reads a
 * backslash and a backquote as something else, so neither stays. */
void sd_put_gnuplot (sd_buf *b, const char *text) {
  const char *first = text;

  sd_buf_u8 (b, '"');
  while (*text) {
    const unsigned char *p = (const unsigned char *) text;
    const size_t n = character (p);
    const bool opens = text == first || text[-1] == ' ' || text[-1] == '(';
    if (*text == '"')
      sd_put_text (b, opens ? "\xe2\x80\x9c" : "\xe2\x80\x9d");
    else if (*text == '\'' || *text == '`')
      sd_put_text (b, opens || *text == '`' ? "\xe2\x80\x98" : "\xe2\x80\x99");
    else if (*text == '\\' || !is_printed (p, n))
      sd_buf_u8 (b, '?');
    else
      sd_buf_append (b, text, n);
    text += n ? n : 1;
  }
  sd_buf_u8 (b, '"');
}

void sd_file_part (const char *text, char *out, size_t cap) {
  snprintf (out, cap, "%s", text);
  for (; *out; out++)
    if (!isalnum ((unsigned char) *out)) /* gnuplot takes no hyphen in the name of a figure */
      *out = '_';
}

void sd_text_tame (char *text) {
  for (; *text; text++)
    if (*text < ' ' || *text > '~')
      *text = '?';
}
