/** \file conf_internal.h
 * Values of a sweep file: words, numbers, lists, codecs with their settings (conf.c). */
#ifndef SD_CONF_INTERNAL_H
#define SD_CONF_INTERNAL_H

#include "experiments/run/run_internal.h"
#include <libconfig.h>

#define SD_MAX_VALUES 1024 /* values of one axis */

/** Who reads what, for messages. */
typedef struct sd_conf {
  sd_sweep *sweep;  /* which the cells are added to */
  const char *path; /* of the sweep file */
  sd_error *err;
} sd_conf;

/** The value of a key as a list of words, each with the setting it stands in (for its line). */
typedef struct sd_conf_words {
  char text[SD_MAX_VALUES][SD_TABLE_TEXT];
  const config_setting_t *at[SD_MAX_VALUES];
  unsigned n;
} sd_conf_words;

/** One codec with one choice of settings. */
typedef struct sd_codec_choice {
  const sd_codec *codec;
  int metric;                      /* only for this metric, or -1 */
  char settings[SD_SETTINGS_TEXT]; /* all of them, in the order of the codec */
} sd_codec_choice;

typedef struct sd_codec_list {
  sd_codec_choice *choice;
  uint64_t n, cap;
} sd_codec_list;

/** One of the metrics, by name. */
int sd_conf_metric (const sd_conf *r, const config_setting_t *at, const char *word, enum sd_metric *out);

/** SD_EINVAL with "FILE:LINE: text". */
int sd_conf_bad (const sd_conf *r, const config_setting_t *at, const char *fmt, ...)
    __attribute__ ((format (printf, 3, 4)));
/** Are all keys of `s` in the NULL-terminated list? The message names the nearest known one. */
int sd_conf_keys (const sd_conf *r, const config_setting_t *s, const char *where, const char *const *known);
int sd_conf_values (const sd_conf *r, const config_setting_t *s, sd_conf_words *v);
/** Values of `key` in group g, or the one word `deflt` standing at the group's own line. */
int sd_conf_axis (const sd_conf *r, const config_setting_t *g, const char *key, const char *deflt,
                  sd_conf_words *v);
/** Number of `word` in the NULL-terminated list. */
int sd_conf_word (const sd_conf *r, const config_setting_t *at, const char *key, const char *word,
                  const char *const *words, unsigned *out);
/** The key `codec` of a group, expanded; *out is appended to, the caller frees out->choice. */
int sd_conf_codecs (const sd_conf *r, const config_setting_t *g, sd_codec_list *out);

/** The file and those that it includes, parsed; s->text has all of it. SD_EINVAL with "FILE:LINE: text".
 * sweep_text.c */
int sd_sweep_text (sd_sweep *s, const char *path, config_t *conf, sd_error *err);
/** Apply "key=value"; s->text gets a remark. sweep_text.c */
int sd_sweep_override (const sd_conf *r, config_t *conf, const char *text);

/** Take the cells from the first on that the key `exclude` of a group names out of the sweep. conf_exclude.c
 * */
int sd_conf_exclude (const sd_conf *r, const config_setting_t *g, uint64_t first);

/** The keys of all axes, older ones too, as many as a list of 27 has room for. axes.c */
void sd_axes_keys (const char **out);
/** The older key of an axis, or the axis of an older key; NULL: it has none. axes.c */
const char *sd_axes_other_key (const char *key);
/** The columns of sd_name in which the words of an axis stand; returns how many, 0: there is no such axis, or
 * it is the codec. axes.c */
unsigned sd_axes_columns (const char *key, size_t at[2]);
/** The cells of a group, which has its name. axes.c */
int sd_axes_expand (const sd_conf *r, const config_setting_t *g, unsigned group);

#endif
