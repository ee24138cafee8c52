/** \file quote.h
 * One function for each border that a text passes on its way out of a database: HTML, Markdown, CSV, gnuplot, names of
 * files. Everything that the report writes goes through them, its own texts too. What is no character (control characters,
 * bytes that are not UTF-8) is shown as U+FFFD. */
#ifndef SD_QUOTE_H
#define SD_QUOTE_H

#include "base/base.h"

/** Formatted text as it is; for what is markup already. */
void sd_put (sd_buf *b, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/** Text into HTML, also into an attribute between quotes. Tabs and line breaks stay. */
void sd_put_html (sd_buf *b, const char *text);
/** Text into Markdown as one line that is no markup: backslashes before the characters that would be some. */
void sd_put_md (sd_buf *b, const char *text);
/** Text of many lines into Markdown, as a block of code whose fence is longer than any in the text. */
void sd_put_md_code (sd_buf *b, const char *text);
/** One cell: quotes where a comma, a quote or a line break makes them necessary (RFC 4180), and an apostrophe before what a
 * spreadsheet would compute: a text, not a number, that begins with = + - @, a tab or a carriage return. */
void sd_put_csv_cell (sd_buf *b, const char *text);
/** One line of cells. */
void sd_put_csv (sd_buf *b, const char *const *cell, unsigned n);
/** A string of gnuplot with its quotes, as its scripts and its data files read it: printable ASCII only, and a question mark
 * for each other byte and for the four characters that mean something inside (both quotes, backslash, backquote). */
void sd_put_gnuplot (sd_buf *b, const char *text);
/** A part of a file's name: letters, digits, '-' and '_'; each other byte becomes '_'. */
void sd_file_part (const char *text, char *out, size_t cap);
/** A question mark for each byte that is not printable ASCII, for messages: what a terminal obeys begins with such. In place. */
void sd_text_tame (char *text);

#endif
