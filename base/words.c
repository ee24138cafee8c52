/* The nearest known word: optimal string alignment (Damerau 1964: letters inserted, left out, replaced, or
 * two neighbours exchanged), by three rows of its table. Cost: the product of both lengths, at most 60 each.
 */
#include "config.h"
#include "base/words.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 60, FAR = 99 };

static unsigned least (unsigned a, unsigned b) {
  return a < b ? a : b;
}

static bool alike (char a, char b) {
  return tolower ((unsigned char) a) == tolower ((unsigned char) b);
}

/* Three rows of the table: neighbours that are exchanged look two rows back. */
static unsigned changes_between (const char *a, const char *b) {
  const size_t la = strlen (a), lb = strlen (b);
  unsigned rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
  if (la > LONGEST || lb > LONGEST)
    return FAR;
  for (size_t j = 0; j <= lb; j++)
    last[j] = (unsigned) j;
  for (size_t i = 1; i <= la; i++) {
    row[0] = (unsigned) i;
    for (size_t j = 1; j <= lb; j++) {
      row[j] = least (least (row[j - 1], last[j]) + 1, last[j - 1] + !alike (a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && alike (a[i - 1], b[j - 2]) && alike (a[i - 2], b[j - 1]))
        row[j] = least (row[j], before[j - 2] + 1);
    }
    unsigned *const free_row = before;
    before = last;
    last = row;
    row = free_row;
  }
  return last[lb];
}

sd_guess sd_guess_of (const char *word) {
  return (sd_guess){ .word = word, .changes = FAR };
}

void sd_guess_offer (sd_guess *g, const char *known) {
  const size_t n = strlen (g->word);
  const bool begun = n >= 3 && strncmp (g->word, known, n) == 0;
  const unsigned changes = begun ? 0 : changes_between (g->word, known);
  if (changes > (n > 3 ? 2 : 1) || changes >= g->changes)
    return;
  g->changes = changes;
  g->nearest = known;
}

const char *sd_guess_ask (sd_guess *g) {
  g->text[0] = 0;
  if (g->nearest)
    snprintf (g->text, sizeof g->text, "; did you mean \"%.60s\"?", g->nearest);
  return g->text;
}

const char *sd_text_count (uint64_t v, char *out) {
  char digits[24];
  int n = snprintf (digits, sizeof digits, "%llu", (unsigned long long) v), k = 0;
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0)
      out[k++] = ',';
    out[k++] = digits[i];
  }
  out[k] = '\0';
  return out;
}

const char *sd_text_plies (int n, char *out) {
  snprintf (out, 32, "%d %s", n, n == 1 ? "ply" : "plies");
  return out;
}

void sd_text_list (char *text, size_t cap, const char *fmt, ...) {
  const size_t used = strlen (text);
  va_list ap;
  va_start (ap, fmt);
  if (used + 2 < cap) {
    const int comma = snprintf (text + used, cap - used, "%s", used ? ", " : "");
    vsnprintf (text + used + comma, cap - used - (size_t) comma, fmt, ap);
  }
  va_end (ap);
}

void sd_text_bytes (const uint8_t *from, size_t n, char *out, size_t cap) {
  size_t at = 0;
  *out = 0;
  for (size_t i = 0; i < n && at + 5 < cap; i++)
    at += (size_t) snprintf (out + at, cap - at, from[i] >= ' ' && from[i] < 127 ? "%c" : "\\x%02x", from[i]);
}
