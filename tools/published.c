/* The values of a table against docs/checksums.csv, whose lines are those of `subdef info --checksums`. The
 * checksum is that of the values, not of the file, so that it holds for each codec, layout and format. For
 * `subdef verify --published`. */
#include "config.h"
#include "tools/statistics.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int sd_published_text (char **out, sd_error *err) {
  char path[4096];
  sd_map file;
  *out = NULL;
  SD_TRY (sd_tool_data ("docs/checksums.csv", path, sizeof path, err));
  SD_TRY (sd_map_open (path, &file, err));
  *out = sd_alloc0 (file.len + 1, 1);
  if (*out)
    memcpy (*out, file.data, file.len);
  sd_map_close (&file);
  return *out ? SD_OK : sd_fail_memory (err, file.len + 1);
}

bool sd_published_line (const char *text, const sd_table_info *in, unsigned side, sd_published *out) {
  char name[SD_TABLE_NAME], start[SD_TABLE_NAME + 32];
  sd_table_info_name (in, name);
  const int n =
      snprintf (start, sizeof start, "%s,%s,%c,", name, sd_metrics[in->metric].name, side ? 'b' : 'w');
  for (const char *line = text; line; line = strchr (line, '\n')) {
    line += *line == '\n';
    if (strncmp (line, start, (size_t) n) == 0)
      return sscanf (line + n,
                     "%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNd16 ",%" SCNd16 ",%" SCNx64,
                     &out->positions, &out->won, &out->drawn, &out->lost, &out->longest_win,
                     &out->longest_loss, &out->content)
             == 7;
  }
  return false;
}

/* Called twice: with s NULL before the values are decoded, which takes long, and with them. */
int sd_statistics_published (const sd_table *t, const sd_statistics s[2], sd_error *err) {
  sd_table_info in;
  sd_published published;
  SD_OWNED char *text = NULL;

  sd_table_describe (t, &in);
  SD_TRY (sd_published_text (&text, err));
  for (unsigned side = 0; side < in.nsides; side++) {
    if (!sd_published_line (text, &in, side, &published))
      return sd_fail (err, SD_ENOENT, "no checksum of these values is published (docs/checksums.csv)");
    if (s && published.content != s[side].content)
      return sd_fail (err, SD_EDIFF,
                      "the values with %s to move have the checksum %016" PRIx64 ", but %016" PRIx64
                      " is published: some value is wrong",
                      side ? "Black" : "White", s[side].content, published.content);
  }
  return SD_OK;
}
