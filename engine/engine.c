/* engine.c - opening tables for engines, and what they are told of it. What a probe might have to decide is
 * decided when the headers of the tables are read (probe/tables.c). */
#include "config.h"
#include "engine/engine_internal.h"
#include <stdlib.h>

/* ---------------------------------------------------------------- statuses */

int sd_prober_status_of (int status) {
  switch (status) {
  case SD_OK:
    return SD_PROBER_OK;
  case SD_ENOENT:
    return SD_PROBER_MISSING;
  case SD_EIO:
    return SD_PROBER_IO;
  case SD_ENOMEM:
    return SD_PROBER_MEMORY;
  case SD_EUNSUPPORTED:
  case SD_EVERSION:
    return SD_PROBER_UNSUPPORTED;
  case SD_EINVAL:
    return SD_PROBER_ILLEGAL;
  default:
    return SD_PROBER_DAMAGED;
  }
}

const char *sd_prober_text (int status) {
  static const char *const text[] = {
    [SD_PROBER_OK] = "success",
    [SD_PROBER_MISSING] = "a table or folder is missing",
    [SD_PROBER_DAMAGED] = "a table is damaged",
    [SD_PROBER_IO] = "a table cannot be read",
    [SD_PROBER_UNSUPPORTED] = "a table of a codec that is not supported here",
    [SD_PROBER_ILLEGAL] = "not a legal position",
    [SD_PROBER_CASTLING] = "castling is possible, which tables do not know",
    [SD_PROBER_MEN] = "more men than any table has",
    [SD_PROBER_MEMORY] = "out of memory",
    [SD_PROBER_ARGUMENT] = "a wrong argument",
  };
  return status >= 0 && status < (int) (sizeof text / sizeof text[0]) ? text[status] : "unknown status";
}

/* ----------------------------------------------------------------- opening */

static unsigned open_flags (unsigned flags) {
  const unsigned of_all = (flags & SD_PROBER_ANY_CODEC ? 0u : (unsigned) SD_OPEN_STEADY)
                          | (flags & SD_PROBER_SYZYGY_FIRST ? SD_OPEN_OTHERS_FIRST : SD_OPEN_OURS_FIRST);
  if (flags & SD_PROBER_ALL)
    return of_all | SD_OPEN_CHECK | (flags & SD_PROBER_MAP ? 0 : SD_OPEN_COPY);
  return of_all | SD_OPEN_LATER | (flags & SD_PROBER_MAP ? 0 : SD_OPEN_PARTS | SD_OPEN_MAP_OTHERS);
}

/* What there is, besides what can be probed. */
typedef struct census {
  unsigned opened, skipped, absent; /* files; folders */
  const sd_error *why;              /* the first was skipped; NULL: none was */
} census;

/* Count what can be probed; of the files from number `first` on, also what else there is. */
static census count (sd_prober *p, unsigned first) {
  census c = { 0 };
  p->men = p->usable = 0;
  for (unsigned i = 0; i < sd_tables_count (p->tables); i++) {
    sd_tables_file file;
    if (!sd_tables_tell (p->tables, i, &file)) {
      c.why = c.skipped || i < first ? c.why : sd_tables_problem (p->tables, i);
      c.skipped += i >= first;
      continue;
    }
    c.opened += i >= first;
    const unsigned men = sd_material_men (&file.material);
    if (file.game || file.metric == SD_DTC || !file.asked)
      continue;
    p->usable++;
    p->men = men > p->men ? men : p->men;
  }
  while (sd_tables_absent (p->tables, c.absent))
    c.absent++;
  return c;
}

/* Count what can be probed, and say so. Files from number `first` on none of which can be opened are refused.
 */
static int finish (sd_prober *p, unsigned first, char *message, size_t room) {
  const census c = count (p, first);
  char text[160 + sizeof c.why->text];
  int n = snprintf (text, sizeof text, "%u table%s with up to %u men", p->usable, p->usable == 1 ? "" : "s",
                    p->men);
  if (c.skipped)
    n += snprintf (text + n, sizeof text - (size_t) n, "; %u cannot be used", c.skipped);
  if (c.absent)
    n += snprintf (text + n, sizeof text - (size_t) n, "; %u folder%s of the path not there", c.absent,
                   c.absent == 1 ? "" : "s");
  if (c.why)
    snprintf (text + n, sizeof text - (size_t) n, "; %s", c.why->text);
  return sd_prober_say (c.why && !c.opened ? sd_prober_status_of (c.why->status) : SD_PROBER_OK, text,
                        message, room);
}

int sd_prober_open (const char *path, unsigned flags, sd_prober **out, char *message, size_t room) {
  sd_error err = { 0 };
  if (!out)
    return sd_prober_say (SD_PROBER_ARGUMENT, "no place for the prober", message, room);
  *out = NULL;
  if (flags & ~(unsigned) (SD_PROBER_MAP | SD_PROBER_ALL | SD_PROBER_ANY_CODEC | SD_PROBER_SYZYGY_FIRST))
    return sd_prober_say (SD_PROBER_ARGUMENT, "an unknown flag", message, room);
  sd_prober *p = calloc (1, sizeof *p);
  if (!p)
    return sd_prober_say (SD_PROBER_MEMORY, "out of memory", message, room);
  p->flags = open_flags (flags);
  int st = sd_tables_open (path, p->flags, &p->tables, &err);
  st = st == SD_OK ? finish (p, 0, message, room)
                   : sd_prober_say (sd_prober_status_of (st), err.text, message, room);
  if (st == SD_PROBER_OK)
    *out = p;
  else
    sd_prober_close (p);
  return st;
}

int sd_prober_add (sd_prober *prober, const char *path, char *message, size_t room) {
  sd_error err = { 0 };
  if (!prober)
    return sd_prober_say (SD_PROBER_ARGUMENT, "no prober", message, room);
  const unsigned before = sd_tables_count (prober->tables);
  const int st = sd_tables_add (prober->tables, path, prober->flags, &err);
  const int all = finish (prober, before, message, room);
  return st == SD_OK ? all : sd_prober_say (sd_prober_status_of (st), err.text, message, room);
}

void sd_prober_close (sd_prober *prober) {
  if (prober)
    sd_tables_close (prober->tables);
  free (prober);
}

unsigned sd_prober_tables (const sd_prober *prober) {
  return prober ? prober->usable : 0;
}

unsigned sd_prober_men (const sd_prober *prober) {
  return prober ? prober->men : 0;
}

int sd_prober_skipped (const sd_prober *prober, unsigned i, char *message, size_t room) {
  for (unsigned k = 0; prober && k < sd_tables_count (prober->tables); k++) {
    const sd_error *why = sd_tables_problem (prober->tables, k);
    if (why && i-- == 0)
      return sd_prober_say (sd_prober_status_of (why->status), why->text, message, room);
  }
  return sd_prober_say (SD_PROBER_OK, "", message, room);
}
