/** \file ranges.h
 * Parts of files that are asked for by the header Range (RFC 9110, 14). */
#ifndef SD_RANGES_H
#define SD_RANGES_H

#include <stdint.h>

/** The whole file, a part of it, or what the file does not have. */
enum sd_range { SD_RANGE_ALL, SD_RANGE_PART, SD_RANGE_NONE };

/** A header's value of a file of n bytes; NULL: there is none. What is written wrongly, in other units, or
 * asks for several parts, which a server need not give, is as if it were not there. */
enum sd_range sd_range_read (const char *text, uint64_t n, uint64_t *first, uint64_t *count);

#endif
