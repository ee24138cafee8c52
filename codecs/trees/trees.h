/** \file trees.h
 * The codec `trees` for the list of codecs: slots are coded as questions about their neighbours, whose odds a
 * forest of decision trees tells. Smaller than RE-PAIR, and far slower to read. Uses codec.h. */
#ifndef SD_TREES_H
#define SD_TREES_H

#include "codecs/stream/stream.h"

extern const sd_codec sd_codec_trees; /* id 10 */

#endif
