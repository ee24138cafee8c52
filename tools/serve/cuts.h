/** \file cuts.h
 * A server outlives mapped files that somebody else cuts. */
#ifndef SD_CUTS_H
#define SD_CUTS_H

#include "probe/probe.h"

/** From now on a table whose mapped file is cut is lost (sd_table_lost_at), and the program goes on. The
 * tables stay until it ends. */
void sd_outlive_cuts (const sd_tables *tables);

#endif
