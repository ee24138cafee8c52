/* What a search within a budget did and what it had no time for, as text and as JSON. */
#include "config.h"
#include "tools/positions.h"
#include "tools/reformat/batch.h"
#include <string.h>

enum { LEFT_LINES = 5 };

static const char *const sides[] = { "white", "black", "both" };
static const char *const hows[] = {
  [SD_TRIED_SAMPLE] = "sample", [SD_TRIED_SLICES] = "slices", [SD_TRIED_WHOLE] = "whole"
};

static void layout_of (const sd_tried *t, char order[24], char numbering[24]) {
  sd_layout_order_text (&t->layout, order);
  sd_layout_numbering_text (&t->layout, numbering);
}

/* "    white obdd KRkp! folded: 11,872 bytes, 11,122 predicted; 0.8 s, 1.5 predicted; starts=1,polish=1" */
static void say_tried (const sd_tried *t, bool left) {
  char order[24], numbering[24];
  layout_of (t, order, numbering);
  printf ("    %s %s %s %s: ", sides[t->side], t->codec->name, order, numbering);
  if (t->bytes)
    printf ("%s bytes", sd_tool_count (t->bytes));
  else
    printf ("%s", left ? "left out" : t->why ? t->why : "failed");
  if (t->predicted_bytes > 0)
    printf (", %s predicted", sd_tool_count ((uint64_t) t->predicted_bytes));
  if (!left)
    printf ("; %.1f s", t->seconds);
  if (t->predicted_seconds > 0)
    printf ("%s %.1f%s predicted", left ? ";" : ",", t->predicted_seconds, left ? " s" : "");
  printf ("%s%s%s\n", t->checks ? "" : "; checks not free", *t->settings ? "; " : "", t->settings);
}

void sd_budget_say (const sd_search_budget *b) {
  unsigned of[3] = { 0 };
  for (unsigned i = 0; i < b->n; i++)
    of[b->tried[i].how]++;
  printf ("  budget: %.1f of %.1f s of CPU time; %u samples, %u slices, %u codings of whole streams%s\n",
          b->used, b->end - b->begin, of[SD_TRIED_SAMPLE], of[SD_TRIED_SLICES], of[SD_TRIED_WHOLE],
          b->stopped ? "; stopped before its end" : "");
  for (unsigned i = 0; i < b->n; i++)
    if (b->tried[i].how == SD_TRIED_WHOLE)
      say_tried (&b->tried[i], false);
  if (b->left + b->more == 0) {
    printf ("  nothing more promised to be smaller\n");
    return;
  }
  printf ("  without time for %u more that may be smaller, of which these promised most for their time\n",
          b->left + b->more);
  for (unsigned i = b->n; i < b->n + b->left && i < b->n + LEFT_LINES; i++)
    say_tried (&b->tried[i], true);
}

static json_t *rows_of (const sd_tried *t, unsigned n, bool left) {
  json_t *rows = json_array ();
  for (unsigned i = 0; i < n; i++, t++) {
    char order[24], numbering[24];
    layout_of (t, order, numbering);
    json_t *row = json_pack ("{s:s, s:s, s:s, s:s, s:s, s:s, s:b}", "to_move", sides[t->side], "codec",
                             t->codec->name, "settings", t->settings, "order", order, "numbering", numbering,
                             "coded", hows[t->how], "checks_free", t->checks);
    if (t->predicted_seconds > 0)
      sd_json_put (row, "{s:I, s:f}", "predicted_bytes", (json_int_t) t->predicted_bytes,
                   "predicted_cpu_seconds", t->predicted_seconds);
    if (!left)
      sd_json_put (row, "{s:f}", "cpu_seconds", t->seconds);
    if (t->bytes)
      sd_json_put (row, "{s:I}", "bytes", (json_int_t) t->bytes);
    else if (!left)
      sd_json_put (row, "{s:s}", "failed", t->why ? t->why : "");
    json_array_append_new (rows, row);
  }
  return rows;
}

json_t *sd_budget_json (const sd_search_budget *b) {
  return json_pack ("{s:f, s:f, s:b, s:o, s:o, s:I}", "cpu_seconds", b->end - b->begin, "used_cpu_seconds",
                    b->used, "stopped", b->stopped, "tried", rows_of (b->tried, b->n, false), "left_out",
                    rows_of (b->tried + b->n, b->left, true), "more_left_out", (json_int_t) b->more);
}
