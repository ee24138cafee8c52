/* Values: their order, their way up the tree, their names; the sources of freedom by name. */
#include "config.h"
#include "table/table_internal.h"
#include <string.h>

int sd_value_compare (sd_value a, sd_value b) {
  int ra = sd_value_rank (a), rb = sd_value_rank (b);
  return (ra > rb) - (ra < rb);
}

sd_value sd_value_back (sd_value v) {
  if (v == 0 || v == SD_ILLEGAL)
    return v;
  /* child mated in n plies, -(n+1): won in n+1. Child mates in n: mated in n+1 plies, -(n+2), or as late as a
   * value can say. */
  const int back = v < 0 ? -v : -v - 2;
  return (sd_value) (back > SD_ILLEGAL ? back : SD_ILLEGAL + 1);
}

unsigned sd_value_limit (bool game, bool wins) {
  return !game ? SD_MAX_MAP_PLIES : wins ? INT16_MAX - 1 : INT16_MAX;
}

int sd_value_wdl (sd_value v) {
  return (v > 0) - (v < 0);
}

static const struct {
  const char *name;
  unsigned bit;
} sources[] = { { "illegal", SD_FREE_ILLEGAL },     { "draw", SD_FREE_DRAW }, { "capture", SD_FREE_CAPTURE },
                { "promotion", SD_FREE_PROMOTION }, { "won", SD_FREE_WIN },   { "all", SD_FREE_ALL } };
enum { NSOURCES = sizeof sources / sizeof sources[0] };

int sd_freedom_parse (const char *text, unsigned *out, sd_error *err) {
  if (strcmp (text, "none") == 0) {
    *out = 0;
    return SD_OK;
  }
  unsigned bits = 0;
  for (const char *p = text;; p++) {
    size_t len = strcspn (p, "+");
    unsigned i = 0;
    while (i < NSOURCES && (strlen (sources[i].name) != len || strncmp (sources[i].name, p, len) != 0))
      i++;
    if (i == NSOURCES)
      return sd_fail (
          err, SD_EINVAL,
          "freedom '%s': unknown source '%.*s': allowed are none, or all, illegal, draw, capture, "
          "promotion, won joined by +",
          text, (int) (len < 40 ? len : 40), p);
    bits |= sources[i].bit;
    p += len;
    if (*p == 0)
      break;
  }
  *out = bits;
  return SD_OK;
}

void sd_freedom_text (unsigned freedom, char *out, size_t cap) {
  if (cap == 0)
    return;
  freedom &= SD_FREE_ALL | SD_FREE_WIN;
  if ((freedom & SD_FREE_ALL) == SD_FREE_ALL || freedom == 0) {
    snprintf (out, cap, "%s", freedom == 0 ? "none" : freedom & SD_FREE_WIN ? "all+won" : "all");
    return;
  }
  size_t at = 0;
  out[0] = 0;
  for (unsigned i = 0; i + 1 < NSOURCES; i++)
    if (freedom & sources[i].bit) {
      int n = snprintf (out + at, cap - at, "%s%s", at ? "+" : "", sources[i].name);
      if (n < 0 || (size_t) n >= cap - at)
        return;
      at += (size_t) n;
    }
}

static const char *const side_words[] = { "", "white", "black", "both", "one", "joint" };

int sd_sides_parse (const char *text, unsigned *out, sd_error *err) {
  for (unsigned i = 1; i <= SD_SIDES_JOINT; i++)
    if (strcmp (text, side_words[i]) == 0) {
      *out = i;
      return SD_OK;
    }
  return sd_fail (err, SD_EINVAL,
                  "'%.40s': expected white, black, one (the smaller), both, or joint (both in one stream)",
                  text);
}

const char *sd_sides_text (unsigned sides) {
  return side_words[sides >= 1 && sides <= SD_SIDES_JOINT ? sides : SD_SIDES_BOTH];
}

void sd_table_file_name (const sd_material *m, enum sd_metric metric, char *out) {
  char name[16];
  sd_material_name (m, name);
  snprintf (out, 32, "%s.%s.sdt", name, metric == SD_WDL ? "wdl" : "dtm");
}
