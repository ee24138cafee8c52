/* Published figures beside measured ones. A file says for each step of a paper which rows were there before
 * it and which after it (sd_rows_least), and what was published; here stands what the rows of this store say.
 * Sizes are of both sides. No text begins with a sign: a spreadsheet would take it for a formula. */
#include "config.h"
#include "base/text.h"
#include "experiments/report/report_internal.h"
#include <stdlib.h>
#include <string.h>

enum { STEP, BEFORE, AFTER, MEASURE, PUBLISHED, SOURCE, NFIELDS };
static const char *const field_name[NFIELDS] = {
  "step", "before", "after", "measure", "published", "source"
};
enum { MOST_COLUMNS = 16, FIELD_TEXT = 300 };
typedef char line[MOST_COLUMNS][FIELD_TEXT];

/* The cells of the line at *at, and on to the next; returns how many there are. A line may end with CR LF,
 * as on Windows. */
static unsigned read_line (const char **at, line out) {
  unsigned n = 0;
  for (const char *p = *at;; p++) {
    const bool quoted = *p == '"';
    size_t len = 0;
    for (p += quoted; *p && (quoted ? *p != '"' || p[1] == '"' : !strchr (",\r\n", *p)); p++) {
      p += quoted && *p == '"';
      if (n < MOST_COLUMNS && len + 1 < FIELD_TEXT)
        out[n][len++] = *p;
    }
    p += quoted && *p == '"';
    if (n < MOST_COLUMNS)
      out[n++][len] = '\0';
    p += *p == '\r';
    if (*p != ',') {
      *at = p + (*p == '\n');
      return n;
    }
  }
}

/* One step with the rows of a table. */
static void put_step (sd_doc *d, const sd_rowsums *all, size_t subject, const char *const *field,
                      sd_buf *csv) {
  const sd_subject *s = &all->subject[subject];
  const bool time = strcmp (field[MEASURE], "ns") == 0;
  double value[2], ns[2];
  char shown[2][32], raw[2][32], factor[32], saved[32] = "-";
  for (unsigned k = 0; k < 2; k++) {
    const uint64_t bytes = sd_rows_least (all, subject, field[k ? AFTER : BEFORE], &ns[k]);
    value[k] = time ? ns[k] : (double) bytes;
    if (!(value[k] > 0))
      return;
    snprintf (raw[k], sizeof raw[k], "%.0f", value[k]);
    if (time)
      sd_text_ns (ns[k], shown[k]);
    else
      sd_text_count (bytes, shown[k]);
  }
  snprintf (factor, sizeof factor, "%.2f", value[0] / value[1]);
  if (!time)
    snprintf (saved, sizeof saved, "%.1f %%", 100 * (value[0] - value[1]) / value[0]);
  sd_doc_row (d,
              (const char *[]){ field[STEP], s->title, shown[0], shown[1], factor, saved, field[PUBLISHED],
                                field[SOURCE] },
              false);
  sd_put_csv (csv,
              (const char *[]){ s->table, s->metric, field[STEP], field[MEASURE], raw[0], raw[1], factor,
                                field[PUBLISHED], field[SOURCE] },
              9);
}

/* The columns of the file by name. SD_EINVAL: one is missing. */
static int find_fields (const char *path, line head, unsigned n, unsigned *at, sd_error *err) {
  for (unsigned f = 0; f < NFIELDS; f++) {
    at[f] = 0;
    while (at[f] < n && strcmp (head[at[f]], field_name[f]))
      at[f]++;
    if (at[f] == n)
      return sd_fail (err, SD_EINVAL, "%s: no column is called \"%s\"", path, field_name[f]);
  }
  return SD_OK;
}

static int put_steps (sd_doc *d, const sd_rowsums *all, const char *path, const char *text, sd_buf *csv,
                      sd_error *err) {
  unsigned at[NFIELDS];
  line cell;
  SD_TRY (find_fields (path, cell, read_line (&text, cell), at, err));
  sd_doc_heading (d, 2, "Published figures beside those of these rows");
  sd_doc_para (
      d,
      "Published tables have other endings and men than these, with other shares of free slots: directions should "
      "agree, figures need not. Each side is in the smallest of the orders that the rows hold, unless a step says "
      "otherwise. Before / after: how many times smaller, or quicker; steps for which rows are missing are left out.");
  sd_doc_table (d, "llrrrrlL",
                (const char *const[]){ "step", "table", "before", "after", "before / after", "saved", "published",
                                       "source" });
  while (*text) {
    const char *field[NFIELDS];
    const unsigned n = read_line (&text, cell);
    for (unsigned f = 0; f < NFIELDS; f++)
      field[f] = at[f] < n ? cell[at[f]] : "";
    for (size_t s = 0; s < all->nsubjects && *field[STEP]; s++)
      put_step (d, all, s, field, csv);
  }
  sd_doc_table_end (d);
  return SD_OK;
}

int sd_report_published (sd_doc *d, const sd_rowsums *all, const char *path, sd_buf *csv, sd_error *err) {
  static const char *const head[] = { "table", "metric", "step",      "measure", "before",
                                      "after", "factor", "published", "source" };
  SD_OWNED char *text = NULL;
  if (!path)
    return SD_OK;
  SD_TRY (sd_text_read (path, &text, NULL, err));
  sd_put_csv (csv, head, 9);
  return put_steps (d, all, path, text, csv, err);
}
