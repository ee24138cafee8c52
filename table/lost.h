/** \file lost.h
 * Tables in mapped files that somebody else cuts. The system then sends SIGBUS to who reads what is no longer
 * there. A program that is to go on has a handler for it, and gives the table up. */
#ifndef SD_LOST_H
#define SD_LOST_H

#include "table/table.h"

/** Does the address lie in the mapped file of this table, in another format than this library's own? Then the
 * table is lost: what is read from it gives SD_EIO from now on, and the read that the signal interrupted goes
 * on with bytes 0. Async-signal-safe. The bytes between the new end of the file and the end of its page read
 * as 0 without a signal. */
bool sd_table_lost_at (const sd_table *t, const void *address);

#endif
