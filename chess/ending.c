/* Endings as people write them. What can be read in one way only is read so ("krvkp", "KRKP"); else a
 * spelling is proposed: 'material "KRv": the second side has 0 kings: it must have 1; did you mean "KRvK"?'
 * Commands take names through here; names of files are read by sd_material_parse (), which proposes nothing.
 */
#include "config.h"
#include "chess/ending.h"
#include <ctype.h>
#include <string.h>

enum { LONGEST = 64 };

static unsigned kings (const char *text) {
  unsigned n = 0;
  for (; *text; text++)
    n += *text == 'K';
  return n;
}

/* In capitals, with "v" before the second of two kings where there is none and the first begins. */
static void spell (const char *text, char out[LONGEST + 2]) {
  char plain[LONGEST + 1];
  size_t n = 0;
  for (; text[n] && n < LONGEST; n++)
    plain[n] = tolower ((unsigned char) text[n]) == 'v' ? 'v' : (char) toupper ((unsigned char) text[n]);
  plain[n] = 0;

  const char *second = *plain == 'K' ? strchr (plain + 1, 'K') : NULL;
  const size_t first = second && kings (plain) == 2 && !strchr (plain, 'v') ? (size_t) (second - plain) : n;
  memcpy (out, plain, first);
  if (first < n)
    out[first] = 'v';
  memcpy (out + first + (first < n), plain + first, n - first + 1);
}

/* A side with its king first: "RK" -> "KR", "R" -> "KR". */
static size_t side (const char *from, size_t n, char *out) {
  size_t at = 0;
  /* However many kings were written. */
  out[at++] = 'K';
  for (size_t i = 0; i < n; i++)
    if (from[i] != 'K' && strchr ("QRBNP", from[i]))
      out[at++] = from[i];
  return at;
}

/* What may have been meant: both sides get a king; what parts them is "v", another sign, or the second king. */
static bool propose (const char *spelt, char out[LONGEST + 4], sd_material *m) {
  const size_t n = strlen (spelt);
  size_t first = strcspn (spelt, "v-_:/ ");
  const char *last = strrchr (spelt, 'K');
  if (first == n && kings (spelt) == 2 && last)
    first = (size_t) (last - spelt);

  size_t at = side (spelt, first, out);
  out[at++] = 'v';
  at += side (spelt + first, n - first, out + at);
  out[at] = 0;
  return n > 0 && strspn (spelt, "KQRBNPv-_:/ ") == n && sd_material_parse (out, m, NULL) == SD_OK
         && sd_material_men (m) > 2;
}

int sd_ending_parse (const char *text, sd_material *out, sd_error *err) {
  char spelt[LONGEST + 2], meant[LONGEST + 4];
  sd_material m;
  /* No ending is so long: the parser says it. */
  if (strlen (text) > LONGEST)
    return sd_material_parse (text, out, err);
  spell (text, spelt);
  if (sd_material_parse (spelt, out, NULL) == SD_OK)
    return SD_OK;
  sd_error why = { 0 };
  const int status = sd_material_parse (spelt, out, &why);
  if (propose (spelt, meant, &m))
    return sd_fail (err, status, "%s; did you mean \"%s\"?", why.text, meant);
  return sd_fail (err, status, "%s", why.text);
}
