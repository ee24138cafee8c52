/** \file done.h
 * Lists of files that commands have made, by which a command that is given again goes on where it was
 * stopped. A list lies beside the files, and each of several tasks has a list of its own, since shared file
 * systems may mix what is appended to one file from several machines. done.c */
#ifndef SD_TOOLS_DONE_H
#define SD_TOOLS_DONE_H

#include "tools/reformat/reformat.h"

/** What tells a file: its bytes, and the checksum of all of them. No bytes: there is none. */
typedef struct sd_done_file {
  uint64_t bytes, sum;
} sd_done_file;

/** A file that was made of another one. A row is written before a new file is begun, then `to` has no bytes,
 * and when it is there. */
typedef struct sd_done {
  char name[128]; /* in the folder of the list */
  sd_done_file from, to;
  char how[SD_REFORMAT_HOW]; /* what was asked for, the same text for the same */
} sd_done;

typedef struct sd_done_list {
  sd_done *row;
  uint64_t n, room;
} sd_done_list;

/** The rows of all lists in a folder, appended. Lines that are none, such as the last one of a program that
 * was killed, are passed over. SD_ENOMEM. */
int sd_done_read (const char *folder, sd_done_list *out, sd_error *err);
/** Append a row to the list of this task in a folder, and bring it to the disk. SD_EIO. */
int sd_done_note (const char *folder, const sd_task *task, const sd_done *row, sd_error *err);
/** The newest row by which the file of that name is what it is now; NULL: none. */
const sd_done *sd_done_find (const sd_done_list *l, const char *name, const sd_done_file *now);
/** Was the file begun as `wanted` says (name, from, how), and never noted as made so? A program that was
 * killed may have given it its name all the same. */
bool sd_done_begun (const sd_done_list *l, const sd_done *wanted);
bool sd_done_same (const sd_done_file *a, const sd_done_file *b);
/** What the file at a path is now. */
int sd_done_tell_file (const char *path, sd_done_file *out, sd_error *err);

#endif
