/* What a search tells: a row for each codec and side, and the reasons where nothing was found. `subdef
 * reformat --best` prints the rows; the sentence about a bound that no codec keeps is its error message. */
#include "config.h"
#include "recode/best/search_internal.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Made when a codec is first spoken of, so that rows stand in the order of the search. */
sd_search_row *sd_search_row_of (const sd_search *s, const sd_codec *codec) {
  sd_search_report *r = s->report;
  for (unsigned i = 0; i < r->n; i++)
    if (r->row[i].codec == codec && r->row[i].side == s->side)
      return &r->row[i];
  if (r->n == SD_MAX_SEARCH_ROWS) /* more than 20 codecs: the last row tells of all others */
    return &r->row[SD_MAX_SEARCH_ROWS - 1];
  r->row[r->n] = (sd_search_row){ .codec = codec, .side = s->side };
  return &r->row[r->n++];
}

/* The last reason counts; bytes that the codec has reached stay. */
void sd_search_why (const sd_search *s, const sd_codec *codec, const char *fmt, ...) {
  va_list args;
  sd_search_row *row = sd_search_row_of (s, codec);
  va_start (args, fmt);
  vsnprintf (row->why, sizeof row->why, fmt, args);
  va_end (args);
  row->slow = false;
}

bool sd_search_keeps_bound (const sd_search_options *how, double seconds) {
  return how->max_latency <= 0 || seconds <= how->max_latency;
}

void sd_search_too_slow (const sd_search *s, const sd_codec *codec) {
  sd_search_row *row = sd_search_row_of (s, codec);
  if (row->bytes)
    return;
  sd_search_why (s, codec, "too slow: a lookup takes %.*f us at the least, the bound is %.3g us",
                 row->seconds < 10e-6 ? 2 : 0, 1e6 * row->seconds, 1e6 * s->how->max_latency);
  row->slow = true;
}

/* By its size in one layout a codec is given up before its settings are tried. */
bool sd_search_hopeless (const sd_search *s, uint64_t bytes) {
  if (s->best == 0 || s->best == UINT64_MAX || bytes <= SD_QUICK_GAIN * s->best)
    return false;
  sd_search_row_of (s, s->codec)->predicted = bytes;
  sd_search_why (s, s->codec, "%llu bytes in the first layout, more than twice the best",
                 (unsigned long long) bytes);
  return true;
}

/* After the sizes of samples come those of whole tables, which must not be taken for each other. */
void sd_search_were_samples (const sd_search *s) {
  for (unsigned i = 0; i < s->report->n; i++) {
    sd_search_row *r = &s->report->row[i];
    if (r->side != s->side || r->bytes == 0)
      continue;
    snprintf (r->why, sizeof r->why, "%llu bytes of a sample", (unsigned long long) r->bytes);
    r->bytes = 0;
    r->seconds = 0;
    r->sample = false;
  }
}

/* One codec that fails does not end a search among many; a codec that was asked for does. */
int sd_search_failed (const sd_search *s, int status, sd_error *err) {
  if (s->how->fixed_codec)
    return status;
  sd_search_why (s, s->codec, "failed: %.100s", err && err->text[0] ? err->text : sd_strerror (status));
  return SD_OK;
}

void sd_search_note (const sd_search *s, const sd_layout *l, const sd_search_code *c) {
  sd_search_row *row = sd_search_row_of (s, s->codec);
  row->bytes = c->bytes;
  row->seconds = c->seconds;
  row->layout = *l;
  row->sample = s->judge != NULL;
  row->why[0] = 0;
  sd_settings_differing (s->settings, row->settings, sizeof row->settings);
}

/* --------------------------------------------------------- nothing was found */

__attribute__ ((format (printf, 4, 5))) static void add (char *text, size_t cap, size_t *len, const char *fmt,
                                                         ...) {
  va_list args;
  va_start (args, fmt);
  if (*len < cap)
    *len += (size_t) vsnprintf (text + *len, cap - *len, fmt, args);
  va_end (args);
}

/* "; trees: failed: out of memory; not in this build: zstd": all that the bound did not leave out. */
static void other_reasons (const sd_search *s, char *text, size_t cap) {
  size_t len = 0;
  text[0] = 0;
  for (unsigned i = 0; i < s->report->n; i++) {
    const sd_search_row *r = &s->report->row[i];
    if (r->side == s->side && !r->slow && r->bytes == 0)
      add (text, cap, &len, "; %s: %s", r->codec->name, r->why);
  }
  for (unsigned id = 0, n = 0; id < 256 && !s->how->fixed_codec; id++)
    if (sd_codec_missing (id))
      add (text, cap, &len, "%s %s", n++ ? "," : "; not in this build:", sd_codec_missing (id));
}

/* Names of the codecs that the bound left out, and the least time of a lookup among them. */
static double too_slow (const sd_search *s, char *text, size_t cap) {
  size_t len = 0;
  double least = 0;
  text[0] = 0;
  for (unsigned i = 0; i < s->report->n; i++) {
    const sd_search_row *r = &s->report->row[i];
    if (r->side != s->side || !r->slow || r->bytes)
      continue;
    add (text, cap, &len, "%s%s", len ? ", " : "", r->codec->name);
    if (least == 0 || r->seconds < least)
      least = r->seconds;
  }
  return least;
}

int sd_search_nothing (const sd_search *s, sd_error *err) {
  char slow[200], other[500];
  const double least = too_slow (s, slow, sizeof slow);
  other_reasons (s, other, sizeof other);
  if (*slow)
    return sd_fail (
        err, SD_ENOENT,
        "no codec can be chosen: a lookup takes %.4g ns at the least (%s), above the latency bound of %.4g "
        "ns%s",
        least * 1e9, slow, s->how->max_latency * 1e9, other);
  return sd_fail (err, SD_ENOENT, "no codec could code the table%s%s", *other ? ": " : "",
                  *other ? other + 2 : "");
}
