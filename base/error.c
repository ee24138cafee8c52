#include "config.h"
#include "base/base.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *sd_strerror (int status) {
  switch (status) {
#define SD_X(name, value, text)                                                                              \
  case name:                                                                                                 \
    return text;
    SD_STATUS_LIST (SD_X)
#undef SD_X
  }
  return "unknown status";
}

int sd_fail (sd_error *err, int status, const char *fmt, ...) {
  if (err) {
    va_list ap;
    va_start (ap, fmt);
    err->status = status;
    err->missing[0] = 0;
    vsnprintf (err->text, sizeof err->text, fmt, ap);
    va_end (ap);
  }
  return status;
}

int sd_fail_missing (sd_error *err, const char *name, const char *fmt, ...) {
  if (err) {
    va_list ap;
    va_start (ap, fmt);
    err->status = SD_ENOENT;
    snprintf (err->missing, sizeof err->missing, "%s", name);
    vsnprintf (err->text, sizeof err->text, fmt, ap);
    va_end (ap);
  }
  return SD_ENOENT;
}

int sd_fail_memory (sd_error *err, size_t bytes) {
  if (bytes)
    return sd_fail (err, SD_ENOMEM, "out of memory: %zu bytes were asked for", bytes);
  return sd_fail (err, SD_ENOMEM, "out of memory");
}

int sd_error_prefix (sd_error *err, const char *fmt, ...) {
  if (!err)
    return SD_OK;
  char prefix[sizeof err->text], rest[sizeof err->text];
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (prefix, sizeof prefix, fmt, ap);
  va_end (ap);
  memcpy (rest, err->text, sizeof rest);
  size_t n = strlen (prefix);
  if (n > sizeof err->text - 3)
    n = sizeof err->text - 3;
  memcpy (err->text, prefix, n);
  err->text[n] = ':';
  err->text[n + 1] = ' ';
  size_t room = sizeof err->text - n - 3, m = strlen (rest);
  if (m > room)
    m = room;
  memcpy (err->text + n + 2, rest, m);
  err->text[n + 2 + m] = 0;
  return err->status;
}

/* "name: why" -> "why". */
static void drop_name (char *text, const char *name) {
  const size_t n = strlen (name);
  if (strncmp (text, name, n) == 0 && text[n] == ':' && text[n + 1] == ' ')
    memmove (text, text + n + 2, strlen (text + n + 2) + 1);
}

int sd_error_about (sd_error *err, const char *path) {
  if (!err)
    return SD_OK;
  const char *slash = strrchr (path, '/');
  drop_name (err->text, path);
  drop_name (err->text, slash ? slash + 1 : path);
  return sd_error_prefix (err, "%s", path);
}

void *sd_alloc (uint64_t n, size_t size) {
  uint64_t bytes;
  if (sd_mul (n, size, &bytes) || bytes > SIZE_MAX / 2)
    return NULL;
  return malloc (bytes ? bytes : 1);
}

void *sd_alloc0 (uint64_t n, size_t size) {
  uint64_t bytes;
  if (sd_mul (n, size, &bytes) || bytes > SIZE_MAX / 2)
    return NULL;
  return calloc (bytes ? bytes : 1, 1);
}

bool sd_grow_array (void *array, uint64_t *cap, uint64_t need, size_t size) {
  const uint64_t more = *cap + *cap / 2 + 32, items = more < need ? need : more;
  uint64_t bytes;
  void *p;
  memcpy (&p, array, sizeof p);
  if (sd_mul (items, size, &bytes) || bytes > SIZE_MAX / 2 || !(p = realloc (p, bytes)))
    return false;
  memcpy (array, &p, sizeof p);
  *cap = items;
  return true;
}

void sd_free_owned (void *pointer_to_it) {
  void *memory;
  memcpy (&memory, pointer_to_it, sizeof memory); /* a pointer to any type */
  free (memory);
}

void sd_time_text (double s, char *out, size_t cap) {
  const long long minutes = s < 1e15 ? (long long) (s / 60) : 0;
  if (s < 60)
    snprintf (out, cap, "%.0f s", ceil (s));
  else if (s < 3600)
    snprintf (out, cap, "%d min %02d s", (int) s / 60, (int) s % 60);
  else
    snprintf (out, cap, "%lld h %02lld min", minutes / 60, minutes % 60);
}
