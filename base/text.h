/** \file text.h
 * Texts that people write. Editors of Windows put a byte order mark in front of them, which says nothing in
 * UTF-8: every text that people give us is read behind it, by these functions. (text.c) */
#ifndef SD_TEXT_H
#define SD_TEXT_H

#include "base/base.h"

/** How many bytes the mark takes in front of a text: 0 or 3. */
size_t sd_text_mark (const void *text, size_t n);

/** The next line, as getline gives it; of line number 1 what stands behind the mark. False: there is none. */
bool sd_text_line (FILE *f, unsigned long number, char **line, size_t *cap);

/** SD_EFORMAT: it is in UTF-16, or has a byte 0; name: for the message. */
int sd_text_check (const void *text, size_t n, const char *name, sd_error *err);

/** A regular file as a text: behind its mark, with a byte 0 behind it; len may be NULL. free (*out). As
 * sd_map_open and sd_text_check. */
int sd_text_read (const char *path, char **out, size_t *len, sd_error *err);

/** What a program of ours has written into an open file (memfd_create), from its start, with a byte 0 behind
 * it. NULL: it cannot be read, is longer than SD_MOST_OUTPUT, or there is no memory. free () it. */
enum { SD_MOST_OUTPUT = 64 << 20 }; /* a list of all values of both sides of a table takes a tenth of it */
char *sd_text_of_output (int fd);

#endif
