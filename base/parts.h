/** \file parts.h
 * A pass over a long row of elements, cut into parts that threads take. Nothing that such a pass gives may
 * depend on where the parts begin: it is the same for any number of threads. */
#ifndef SD_PARTS_H
#define SD_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#define SD_MAX_PARTS 64
#define SD_PART 65536 /* elements of a part: a pass over fewer is no work to share */

/** How many parts n elements are cut into, 1..SD_MAX_PARTS: as many as the next parallel region may have
 * threads, but none for less than SD_PART elements. More for a larger n, if for any. */
unsigned sd_parts (uint64_t n);

/** The number of the thread that asks in its parallel region: 0 for the one that began it, outside of any,
 * and without OpenMP. */
unsigned sd_thread_number (void);

/** May a part begin at element i, which is none of the first SD_PART elements? */
typedef bool sd_part_begin (const void *ctx, uint64_t i);

/** Cut elements from..to-1 into parts of first[k]..first[k + 1] - 1: one, or (to - from) / SD_PART at most.
 * first[0..parts]: a part begins at the first place of its share, or behind that, at which it may; a part may
 * be empty. Cost: the places that are asked for, to - from at most. */
void sd_parts_cut (uint64_t from, uint64_t to, unsigned parts, sd_part_begin *may_begin, const void *ctx,
                   uint64_t *first);

#endif
