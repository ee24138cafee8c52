/* Files that come with the program (layouts of papers/): below SUBDEF_DATA, else where `make install` put
 * them, else in the source folder that the program was built from. A program that runs where it was built
 * looks into its source folder first: what an older one has installed is not its own. */
#include "config.h"
#include "tools/tools_internal.h"
#include <stdlib.h>
#include <sys/auxv.h>

static bool runs_where_built (void) {
  const char *name = (const char *) (uintptr_t) getauxval (AT_EXECFN); /* 0: not known */
  return name && sd_tool_same_file (name, SD_BUILT_PROGRAM);
}

/* Where SUBDEF_DATA is set nothing else is looked into: a file of another version would not be noticed. */
int sd_tool_data (const char *name, char *path, size_t cap, sd_error *err) {
  const char *own = getenv ("SUBDEF_DATA");
  const bool built = runs_where_built ();
  const char *folder[] = { built ? SD_SOURCE_FOLDER : SD_DATA_FOLDER,
                           built ? SD_DATA_FOLDER : SD_SOURCE_FOLDER };

  if (own && *own)
    folder[0] = folder[1] = own;
  for (unsigned i = 0; i < 2; i++)
    if (snprintf (path, cap, "%s/%s", folder[i], name) < (int) cap && sd_file_exists (path))
      return SD_OK;
  if (own && *own)
    return sd_fail (err, SD_ENOENT, "SUBDEF_DATA=%s: %s is not there", own, name);
  return sd_fail (err, SD_ENOENT,
                  "%s: neither in %s nor in %s; SUBDEF_DATA names the folder that has the program's papers/",
                  name, folder[0], folder[1]);
}
