/* subdef_probe.c - probes of chess endgame tables: add this file to a program, and include subdef_probe.h,
 * which says how. C11, gcc or clang, POSIX; no other library. Made from the sources of subdef by
 * amalgamation/amalgamate.py; these have the comments. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#define SD_DECODERS_ONLY 1
