/* The list of tables that were asked for in vain. Commands of many positions meet the same gap again and
 * again; they note it here and tell it once at the end (sd_missing_tell in positions.c). */
#include "config.h"
#include "tools/positions.h"
#include <stdlib.h>
#include <string.h>

/* Without memory the table is left out of the list; answers say all the same that they are unknown. */
void sd_missing_note (sd_missing *m, const char *name, enum sd_metric exact) {
  for (unsigned i = 0; i < m->n; i++)
    if (m->exact[i] == exact && strcmp (m->name[i], name) == 0)
      return;
  if (!sd_grow (&m->name, &m->room, m->n + 1) || !sd_grow (&m->exact, &m->exact_room, m->n + 1))
    return;
  m->exact[m->n] = exact;
  snprintf (m->name[m->n++], sizeof *m->name, "%s", name);
}

void sd_missing_add (sd_missing *m, const sd_missing *more) {
  for (unsigned i = 0; i < more->n; i++)
    sd_missing_note (m, more->name[i], more->exact[i]);
}

void sd_missing_free (sd_missing *m) {
  free (m->name);
  free (m->exact);
  *m = (sd_missing){ 0 };
}
