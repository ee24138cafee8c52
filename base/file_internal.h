/* What the files of base/ about files share. */
#ifndef SD_BASE_FILE_INTERNAL_H
#define SD_BASE_FILE_INTERNAL_H

#include "base/base.h"

/* "PATH: WHAT: why" from errno; SD_ENOENT, SD_ENOMEM or SD_EIO. */
int sd_file_failed (sd_error *err, const char *path, const char *what);

#endif
