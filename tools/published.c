/* The values of a table against docs/checksums.csv, whose lines are those of `subdef info --checksums`. The
 * checksum is that of the values, not of the file, so that it holds for each codec, layout and format. For
 * `subdef verify --published`. */
#include "config.h"
#include "tools/statistics.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The checksum of a line, if it begins with `start`; NULL: it does not. It is the last column, as 16 digits
 * of base 16. */
static const char *checksum_of (const char *line, const char *start) {
  const char *last = strrchr (line, ',');
  return last && strncmp (line, start, strlen (start)) == 0 ? last + 1 : NULL;
}

/* *published: of the line that begins with `start`. */
static int find (const char *path, const char *start, uint64_t *published, sd_error *err) {
  FILE *f;
  char line[256];
  const char *sum = NULL;

  SD_TRY (sd_file_open (path, &f, err));
  while (!sum && fgets (line, sizeof line, f))
    sum = checksum_of (line, start);
  fclose (f);

  if (!sum)
    return sd_fail (err, SD_ENOENT, "no checksum of these values is published (%s)", path);
  *published = strtoull (sum, NULL, 16);
  return SD_OK;
}

/* Called twice: with s NULL before the values are decoded, which takes long, and with them. */
int sd_statistics_published (const sd_table *t, const sd_statistics s[2], sd_error *err) {
  sd_table_info in;
  char path[4096], name[SD_TABLE_NAME], start[SD_TABLE_NAME + 32];

  sd_table_describe (t, &in);
  sd_table_info_name (&in, name);
  SD_TRY (sd_tool_data ("docs/checksums.csv", path, sizeof path, err));

  for (unsigned side = 0; side < in.nsides; side++) {
    uint64_t published = 0;
    snprintf (start, sizeof start, "%s,%s,%c,", name, sd_metrics[in.metric].name, side ? 'b' : 'w');
    SD_TRY (find (path, start, &published, err));
    if (s && published != s[side].content)
      return sd_fail (err, SD_EDIFF,
                      "the values with %s to move have the checksum %016" PRIx64 ", but %016" PRIx64
                      " is published: some value is wrong",
                      side ? "Black" : "White", s[side].content, published);
  }
  return SD_OK;
}
