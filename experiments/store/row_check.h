/** \file row_check.h
 * What a database of sweeps may hold. Such a file comes from anywhere, and its texts go into scripts, pages
 * and names of files: whoever reads a row or a run asks here first. */
#ifndef SD_ROW_CHECK_H
#define SD_ROW_CHECK_H

#include "experiments/store/store.h"

/** Is each text of the row one that subdef writes: read by its own parser (table, freedom, order, settings
 * ...), or one line of text (group)? Is each number one that was measured? SD_EFORMAT: "FILE: row 17: column
 * order: why". */
int sd_row_check (const char *file, int64_t id, const sd_row *row, sd_error *err);
/** The same for a run: "FILE: run 2: column commit: why". */
int sd_run_check (const char *file, int64_t id, const sd_provenance *run, sd_error *err);

#endif
