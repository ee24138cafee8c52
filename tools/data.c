/* Files that come with the program (layouts of papers/): below SUBDEF_DATA, else where `make install` put
 * them, else in the source folder that the program was built from. */
#include "config.h"
#include "tools/tools_internal.h"
#include <stdlib.h>

int sd_tool_data (const char *name, char *path, size_t cap, sd_error *err) {
  const char *own = getenv ("SUBDEF_DATA");
  const char *const folder[] = { own && *own ? own : SD_DATA_FOLDER, own && *own ? own : SD_SOURCE_FOLDER };
  for (unsigned i = 0; i < 2; i++)
    if (snprintf (path, cap, "%s/%s", folder[i], name) < (int) cap && sd_file_exists (path))
      return SD_OK;
  if (own && *own)
    return sd_fail (err, SD_ENOENT, "SUBDEF_DATA=%s: %s is not there", own, name);
  return sd_fail (err, SD_ENOENT,
                  "%s: neither in %s nor in %s; SUBDEF_DATA names the folder that has the program's papers/",
                  name, SD_DATA_FOLDER, SD_SOURCE_FOLDER);
}
