/* What a report says first of each table: its smallest line, timed or not, and the smallest that is known to
 * answer quickly, as cards on the page, as a line of text, and as JSON. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct headline {
  const sd_rowsum *smallest, *quick; /* quick: NULL: none is known to be, or the smallest is */
  bool untimed;                      /* the smallest, where others were timed */
} headline;

static headline headline_of (const sd_rowsums *all, size_t subject) {
  const sd_rowsum *quick = sd_rowsums_best (all, subject, SD_QUICK_NS);
  headline h = { .smallest = sd_rowsums_best (all, subject, 0) };
  h.quick = quick == h.smallest ? NULL : quick;
  for (size_t i = 0; i < all->subject[subject].nlines; i++)
    h.untimed = h.untimed || sd_rowsum_is_timed (all->subject[subject].line[i]);
  h.untimed = h.untimed && !sd_rowsum_is_timed (h.smallest);
  return h;
}

/* "obdd, order KRkP / kPKR". */
static void put_name (const sd_rowsum *l, char *out, size_t cap) {
  char label[160], order[160];
  sd_rowsum_label (l, label, sizeof label);
  sd_rowsum_order (l, order, sizeof order);
  snprintf (out, cap, "%.100s%s%.70s", label, *order ? ", order " : "", order);
}

/* "; not timed; within 2 us: 14,286 bytes (repair 128 B)". */
static void put_time (const headline *h, char *out, size_t cap) {
  char time[32], bytes[32], label[160], own[80] = "";
  const double ns = h->smallest->probe_ns > 0 ? h->smallest->probe_ns : h->smallest->get_ns;
  if (h->untimed)
    snprintf (own, sizeof own, "; not timed");
  else if (ns > 0)
    snprintf (own, sizeof own, "; %s %s", h->smallest->probe_ns > 0 ? "probe" : "slot", sd_text_ns (ns, time));
  snprintf (out, cap, "%s", own);
  if (!h->quick)
    return;
  sd_rowsum_label (h->quick, label, sizeof label);
  snprintf (out, cap, "%s; within %d us: %s bytes (%.100s)", own, SD_QUICK_NS / 1000,
            sd_text_count (h->quick->best, bytes), label);
}

/* ---------------------------------------------------------------------- page */

static void put_card (const sd_rowsums *all, size_t subject, sd_doc_card *card) {
  const headline h = headline_of (all, subject);
  char name[200], count[32], against[64], time[300], compared[140] = "";
  put_name (h.smallest, name, sizeof name);
  put_time (&h, time, sizeof time);
  if (h.smallest->plain_bytes)
    snprintf (compared, sizeof compared, "; %s %.60s",
              sd_text_against (h.smallest->plain_bytes, h.smallest->best, against), all->baseline.text);
  snprintf (card->head, sizeof card->head, "%s", all->subject[subject].title);
  snprintf (card->value, sizeof card->value, "%s bytes", sd_text_count (h.smallest->best, count));
  snprintf (card->remark, sizeof card->remark, "%s%s%s", name, compared, time);
}

int sd_report_headlines (sd_doc *d, const sd_rowsums *all, sd_error *err) {
  enum { MOST_CARDS = 12 };
  const bool arrays = sd_rowsums_only_arrays (all);
  sd_doc_card *card SD_OWNED = sd_alloc0 (all->nsubjects, sizeof *card);
  if (!card)
    return sd_fail_memory (err, all->nsubjects * sizeof *card);
  sd_doc_para (d,
               "How small %s become when a codec may choose the values of slots that %s, and how long one access "
               "takes. Each of the %zu rows behind this page was decoded completely and every slot compared with "
               "what it may hold.",
               arrays ? "arrays" : "chess endgame tables",
               arrays ? "may hold several" : "nobody has to look at", all->nrows);
  for (size_t s = 0; s < all->nsubjects; s++)
    put_card (all, s, &card[s]);
  if (all->nsubjects <= MOST_CARDS)
    sd_doc_cards (d, all->nsubjects, card);
  return SD_OK;
}

/* ------------------------------------------------------------------ a line */

void sd_summary_line (const sd_rowsums *all, size_t subject, sd_buf *out) {
  const headline h = headline_of (all, subject);
  const uint64_t plain = h.smallest->plain_bytes;
  char name[200], count[32], against[64], time[300];
  put_name (h.smallest, name, sizeof name);
  put_time (&h, time, sizeof time);
  sd_put (out, "%s: %s: %s bytes", all->subject[subject].title, name, sd_text_count (h.smallest->best, count));
  if (plain)
    sd_put (out, ", %s %s (%s bytes)", sd_text_against (plain, h.smallest->best, against), all->baseline.text,
            sd_text_count (plain, count));
  sd_put (out, "%s\n", time);
}

/* ----------------------------------------------------------------------- JSON */

/* null: not measured. */
static json_t *known (double v) {
  return v > 0 ? json_real (v) : json_null ();
}

/* What is no UTF-8 becomes question marks: files are untrusted. */
static json_t *text_json (const char *text) {
  char tame[SD_SETTINGS_TEXT + 200];
  json_t *j = json_string (text);
  if (j)
    return j;
  snprintf (tame, sizeof tame, "%s", text);
  sd_text_tame (tame);
  return json_string (tame);
}

static json_t *line_json (const sd_rowsum *l) {
  const sd_row *r = l->row;
  json_t *streams = json_array ();
  for (unsigned s = 0; s < 2; s++) {
    const sd_row *best = l->counted[s] ? l->side[s].best : NULL;
    if (best)
      json_array_append_new (streams, json_pack ("{s:s, s:s, s:s, s:I}", "side", best->side, "order", best->order,
                                                 "numbering", best->numbering, "bytes", (json_int_t) best->bytes));
  }
  return json_pack ("{s:o, s:o, s:s, s:s, s:o, s:I, s:f, s:o, s:o, s:o}", "codec", text_json (r->codec), "settings",
                    text_json (r->settings), "coding", r->coding, "freedom", r->freedom, "groups",
                    text_json (sd_rowsum_groups (l)), "bytes", (json_int_t) l->best, "bits_per_position", l->bits_per_position, "get_ns",
                    known (l->get_ns), "probe_ns", known (l->probe_ns), "streams", streams);
}

static json_t *subject_json (const sd_rowsums *all, size_t subject) {
  const headline h = headline_of (all, subject);
  const sd_subject *s = &all->subject[subject];
  const sd_rowsum *quick = h.quick ? h.quick : sd_rowsums_best (all, subject, SD_QUICK_NS), *l = h.smallest;
  json_t *plain = l->plain_bytes ? json_pack ("{s:o, s:I, s:f}", "name", text_json (all->baseline.text), "bytes",
                                              (json_int_t) l->plain_bytes, "times_smaller", l->ratio)
                                 : json_null ();
  return json_pack ("{s:o, s:s, s:o, s:i, s:o, s:o}", "table", text_json (s->table), "metric", s->metric, "smallest",
                    line_json (l), "quick_ns", SD_QUICK_NS, "quick", quick ? line_json (quick) : json_null (),
                    "baseline", plain);
}

int sd_summary_json (const sd_rowsums *all, sd_buf *out, sd_error *err) {
  json_t *list = json_array ();
  for (size_t s = 0; s < all->nsubjects; s++)
    json_array_append_new (list, subject_json (all, s));
  char *text = json_array_size (list) == all->nsubjects ? json_dumps (list, JSON_INDENT (2)) : NULL;
  json_decref (list);
  if (!text)
    return sd_fail_memory (err, 0);
  sd_buf_append (out, text, strlen (text));
  sd_buf_u8 (out, '\n');
  free (text);
  return SD_OK;
}
