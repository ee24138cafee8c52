/* The files of the page for browsers, as the build puts them into the program: no file has to be found at run
 * time, and no other file can be asked for. */
#include "config.h"
#include "tools/serve/service.h"
#include <string.h>

#define SD_PAGE_FILE(name, text) { "/" name, text, sizeof (text) - 1 },

static const struct {
  const char *path, *text;
  size_t n;
} files[] = {
#include "tools/serve/page.inc"
};

/* By the ending of a name. */
static const struct {
  const char *ending, *type;
} types[] = {
  { ".html", "text/html; charset=utf-8" },
  { ".css", "text/css; charset=utf-8" },
  { ".js", "text/javascript; charset=utf-8" },
};

/* Each file of the page has one of these endings, so that the loop ends. */
static const char *type_of (const char *path) {
  unsigned i = 0;
  while (strcmp (strrchr (path, '.'), types[i].ending) != 0)
    i++;
  return types[i].type;
}

/* The address of the server alone is that of the page. SD_KEEP_CHECKED: after a new build browsers must not
 * go on with old files. */
bool sd_page_file (const char *path, sd_reply *out) {
  const char *wanted = strcmp (path, "/") == 0 ? "/index.html" : path;
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
    if (strcmp (wanted, files[i].path) == 0) {
      *out = (sd_reply){ .status = 200,
                         .type = type_of (wanted),
                         .body = (char *) files[i].text,
                         .n = files[i].n,
                         .keep = SD_KEEP_CHECKED };
      return true;
    }
  return false;
}
