/** \file choices.h
 * The options by which tables are coded and searched for, which `reformat` and `set` take alike. choices.c */
#ifndef SD_REFORMAT_CHOICES_H
#define SD_REFORMAT_CHOICES_H

#include "tools/reformat/reformat.h"

/** What options say of a run of reformat: their place. */
extern sd_reformat sd_reformat_asked;

/** What an option of reformat is for besides tables in the own format; an option of another command that goes
 * on to reformat. */
enum { SD_OF_ARRAYS = 1, SD_OF_SYZYGY = 2, SD_OF_REFORMAT = 4 };

/** Which --preset; beyond the words: none. */
extern unsigned sd_reformat_preset;
sd_words_at sd_reformat_preset_word, sd_reformat_preset_about;
/** "500ns", "2us", "0" into sd_reformat_asked. */
bool sd_reformat_take_latency (const char *text);

/** "90", "90s", "10min", "2h" into sd_reformat_asked. */
bool sd_reformat_take_budget (const char *text);

/** Exit status 2, told, if options exclude each other; a preset becomes --best with its bound. */
int sd_reformat_check_choices (void);

/** Of the options of a command those with the bit SD_OF_REFORMAT that were given, as words for reformat:
 * their number, at most SD_REFORMAT_WORDS. They stay as they are until the next call. */
unsigned sd_reformat_words (const sd_option *options, const char **out);
enum { SD_REFORMAT_WORDS = 32 };

#endif
