/* Texts that people write. Some editors put a byte order mark in front of them, which says nothing in UTF-8.
 */
#include "config.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t sd_text_mark (const void *text, size_t n) {
  return n >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

bool sd_text_line (FILE *f, unsigned long number, char **line, size_t *cap) {
  const ssize_t n = getline (line, cap, f);
  if (n <= 0)
    return false;
  const size_t mark = number == 1 ? sd_text_mark (*line, (size_t) n) : 0;
  memmove (*line, *line + mark, (size_t) n - mark + 1);
  return true;
}

int sd_text_check (const void *text, size_t n, const char *name, sd_error *err) {
  const uint8_t *p = text, *zero = n ? memchr (p, 0, n) : NULL;
  if (n >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff)))
    return sd_fail (err, SD_EFORMAT, "%s: is text in UTF-16: save it in UTF-8", name);
  if (zero)
    return sd_fail (err, SD_EFORMAT, "%s: no text: byte %td is 0", name, zero - p);
  return SD_OK;
}

int sd_text_read (const char *path, char **out, size_t *len, sd_error *err) {
  SD_RELEASED_BY (sd_map_close) sd_map map = { 0 };
  *out = NULL;
  SD_TRY (sd_map_open (path, &map, err));
  SD_TRY (sd_text_check (map.data, map.len, path, err));
  const size_t mark = sd_text_mark (map.data, map.len), n = map.len - mark;
  if (!(*out = sd_alloc ((uint64_t) n + 1, 1)))
    return sd_fail_memory (err, n);
  if (n)
    memcpy (*out, map.data + mark, n);
  (*out)[n] = 0;
  if (len)
    *len = n;
  return SD_OK;
}

char *sd_text_of_output (int fd) {
  const off_t n = lseek (fd, 0, SEEK_END);
  char *text = n >= 0 && n <= SD_MOST_OUTPUT ? sd_alloc0 ((uint64_t) n + 1, 1) : NULL;
  if (text && !sd_file_read_at (fd, 0, (uint8_t *) text, (size_t) n)) {
    free (text);
    return NULL;
  }
  return text;
}
