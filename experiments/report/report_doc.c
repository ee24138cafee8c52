/* Documents written side by side from one description: Markdown for the terminal and version control, one
 * HTML page that needs nothing but itself (page.css, page.js and the figures inside, no request leaves it),
 * and each table as a file for LaTeX (report_tex.c).
 *
 * report.c begins a document, its parts add headings, paragraphs, tables and figures, and each of these is
 * written into all forms at once, so that no form lacks what another has. Markup is the program's, all
 * else goes through quote.c (between). What fails for lack of memory is kept in the buffers and told when
 * they are written (sd_write_file). */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char style[] = {
#include "experiments/report/page.css.inc"
};
static const char script[] = {
#include "experiments/report/page.js.inc"
};

/* Markup as it is and texts that are quoted, by turns; NULL ends them. */
static void between (sd_buf *b, void (*quote) (sd_buf *, const char *), const char *const *part) {
  for (unsigned i = 0; part[i]; i++)
    (i % 2 ? quote : sd_put_text) (b, part[i]);
}
/* HTML (d, "<p>", text, "</p>"): the first, third, ... are markup, the others texts. */
#define HTML(d, ...) between (&(d)->html, sd_put_html, (const char *const[]){ __VA_ARGS__, NULL })
#define MD(d, ...) between (&(d)->md, sd_put_md, (const char *const[]){ __VA_ARGS__, NULL })

/* The place behind the title is kept: a list of the chapters goes there at the end. */
void sd_doc_begin (sd_doc *d, const char *title) {
  HTML (d,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
        title, "</title>\n<style>\n");
  sd_put_text (&d->html, style);
  HTML (d, "</style>\n</head><body><main>\n<h1>", title, "</h1>\n");
  d->contents_at = d->html.len;
  MD (d, "# ", title, "\n\n");
}

/* The headings of level 2, as links, behind the title. A page of one chapter needs none. */
static void put_contents (sd_doc *d) {
  sd_buf all = { 0 };
  sd_buf_append (&all, d->html.data, d->contents_at);

  if (d->chapters > 1) {
    sd_put_text (&all, "<nav aria-label=\"Contents\"><ul>\n");
    sd_buf_append (&all, d->contents.data, d->contents.len);
    sd_put_text (&all, "</ul></nav>\n");
  }

  sd_buf_append (&all, d->html.data + d->contents_at, d->html.len - d->contents_at);
  all.failed = all.failed || d->html.failed || d->contents.failed;
  sd_buf_free (&d->html);
  sd_buf_free (&d->contents);
  d->html = all;
}

/* page.js lets a reader sort tables; the page can be read without it. */
void sd_doc_end (sd_doc *d) {
  sd_put_text (&d->html, "<p id=\"said\" role=\"status\" aria-live=\"polite\"></p>\n<script>\n");
  sd_put_text (&d->html, script);
  sd_put_text (&d->html, "</script>\n</main></body></html>\n");
  if (!d->html.failed)
    put_contents (d);
}

void sd_doc_free (sd_doc *d) {
  sd_buf *const all[] = { &d->md, &d->html, &d->contents, &d->quoted };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    sd_buf_free (all[i]);
  for (uint64_t i = 0; i < d->ntex; i++)
    sd_buf_free (&d->tex[i].text);
  free (d->tex);
}

/* What the headings say of the next table: "Sizes: KRvK WDL". */
static void set_caption (sd_doc *d, unsigned level, const char *text) {
  if (level == 2)
    snprintf (d->chapter, sizeof d->chapter, "%s", text);
  snprintf (d->caption, sizeof d->caption, "%s%s%s", d->chapter, level == 2 ? "" : ": ",
            level == 2 ? "" : text);
}

void sd_doc_heading (sd_doc *d, unsigned level, const char *text) {
  set_caption (d, level, text);

  if (level == 2) {
    d->in_chapter = 0;
    sd_put (&d->contents, "<li><a href=\"#c%u\">", ++d->chapters);
    sd_put_html (&d->contents, text);
    sd_put_text (&d->contents, "</a></li>\n");
    sd_put (&d->html, "<h2 id=\"c%u\">", d->chapters);
  } else
    sd_put (&d->html, "<h%u>", level);

  sd_put_html (&d->html, text);
  sd_put (&d->html, "</h%u>\n", level);
  sd_put (&d->md, "%.*s", (int) level, "####");
  MD (d, " ", text, "\n\n");
}

static const char time_form[] = "0000-00-00T00:00:00Z";

/* A moment as the store has it, which no line should break. */
static bool is_time (const char *text) {
  for (unsigned i = 0; time_form[i]; i++)
    if (time_form[i] == '0' ? !isdigit ((unsigned char) text[i]) : text[i] != time_form[i])
      return false;
  return true;
}

static bool is_unit (const char *text) {
  return strncmp (text, "KiB", 3) == 0 || strcmp (text, "B") == 0 || strncmp (text, "B ", 2) == 0;
}

/* A text whose lines break behind a slash and before the word that a setting is, never inside a time, before
 * a % or the unit of a block, or in a head before a letter alone. head: of a column, where blanks before a
 * single letter or sign hold what belongs together. */
static void put_words (sd_doc *d, sd_buf *b, const char *text, bool head) {
  const char *turns = strchr (text, 'Z') ? " /=0123456789" : " /="; /* a time ends with Z */
  d->quoted.len = 0;
  sd_put_html (&d->quoted, text);
  sd_buf_u8 (&d->quoted, 0);
  b->failed = b->failed || d->quoted.failed;

  /* The text is quoted already, so that what is looked for are signs, and what is put between is markup. */
  for (const char *p = (const char *) d->quoted.data; !b->failed && *p;) {
    const size_t plain = strcspn (p, turns);
    sd_buf_append (b, p, plain);
    p += plain;
    if (!*p)
      return;

    const size_t n = is_time (p) ? sizeof time_form - 1 : 1;
    sd_put_text (b, n > 1 ? "<time>" : "");
    if (*p == ' ' && (p[1] == '%' || (!head && is_unit (p + 1)) || (head && p[1] && (p[2] == ' ' || !p[2]))))
      sd_put_text (b, "&nbsp;");
    else
      sd_buf_append (b, p, n);

    const bool path =
        *p == '/' && isalnum ((unsigned char) p[1]) && isalnum ((unsigned char) p[2]); /* not of "M/s" */
    const bool end = path || (*p == '=' && isalpha ((unsigned char) p[1]));
    sd_put_text (b, n > 1 ? "</time>" : end ? "<wbr>" : "");
    p += n;
  }
}

/* Texts of more than 2047 bytes are cut. */
void sd_doc_para (sd_doc *d, const char *fmt, ...) {
  char text[2048];
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (text, sizeof text, fmt, ap);
  va_end (ap);
  sd_put_text (&d->html, "<p>");
  put_words (d, &d->html, text, false);
  sd_put_text (&d->html, "</p>\n");
  MD (d, "", text, "\n\n");
}

/* ---------------------------------------------------------------------- tables */

/* A short text stays on a line, a codec with few settings where the page has room. */
enum { SHORT = 16 };
static bool is_short (const char *text) {
  return strlen (text) <= (strchr (text, '=') ? 30 : SHORT);
}

const char *sd_doc_text (const sd_doc_table *t, size_t row, unsigned column) {
  return (const char *) t->texts.data + t->cell[row * t->ncolumns + column].text;
}

/* As GitHub shows tables: heads, a line that says where cells stand, rows. */
static void put_md_table (sd_doc *d, const sd_doc_table *t) {
  for (size_t r = 0; r <= t->nrows; r++) {
    sd_put_text (&d->md, "|");
    for (unsigned i = 0; i < t->ncolumns; i++)
      MD (d, " ", sd_doc_text (t, r, i), " |");
    sd_put_text (&d->md, r ? "\n" : "\n|");
    for (unsigned i = 0; i < t->ncolumns && !r; i++)
      sd_put_text (&d->md, t->column[i].right ? " ---: |" : " --- |");
    sd_put_text (&d->md, r ? "" : "\n");
  }
  sd_put_text (&d->md, "\n");
}

/* Classes of page.css: r: on the right; long, wider: how its lines may break; more, desk: shown when the
 * reader asks for it. */
static void put_html_cell (sd_doc *d, const sd_doc_column *c, const char *text, bool head) {
  const char *class[] = { c->right                         ? " r"
                          : !head && !is_short (text)      ? " long"
                          : !head && strlen (text) > SHORT ? " wider"
                                                           : "",
                          c->more   ? " more"
                          : c->desk ? " desk"
                                    : "" };

  sd_put_text (&d->html, head ? "<th scope=\"col\"" : "<td");
  if (*class[0] || *class[1]) {
    sd_put_text (&d->html, " class=\"");
    sd_put_text (&d->html, (*class[0] ? class[0] : class[1]) + 1);
    sd_put_text (&d->html, *class[0] ? class[1] : "");
    sd_put_text (&d->html, "\"");
  }

  sd_put_text (&d->html, c->of->rises && head ? " aria-sort=\"ascending\">" : ">");
  put_words (d, &d->html, text, head);
  sd_put_text (&d->html, head ? "</th>" : "</td>");
}

/* A box that shows the columns of less importance, where there are any; on a phone there are more of them. */
static void put_tools (sd_doc *d, const sd_doc_table *t) {
  bool more = false, desk = false;

  for (unsigned i = 0; i < t->ncolumns; i++) {
    more = more || t->column[i].more;
    desk = desk || t->column[i].desk;
  }

  if (more || desk)
    sd_put (&d->html,
            "<input type=\"checkbox\" class=\"all%s\" id=\"t%llu\"><label class=\"tools\" for=\"t%llu\">all "
            "columns</label>",
            more ? "" : " phone", (unsigned long long) d->ntex, (unsigned long long) d->ntex);
}

/* Pixels of n letters as wide as those of DejaVu Sans, which are among the widest. */
static double letters_width (const char *text, size_t n) {
  static const char narrow[] = " .,:;!'ijlftrI/()-", wide[] = "mwMW%=";
  size_t of_narrow = 0, of_wide = 0;
  for (size_t i = 0; i < n; i++)
    if (!isdigit ((unsigned char) text[i])) {
      of_narrow += strchr (narrow, text[i]) != NULL;
      of_wide += strchr (wide, text[i]) != NULL;
    }
  return 4.8 * (double) of_narrow + 12.5 * (double) of_wide + 8.6 * (double) (n - of_narrow - of_wide);
}

/* Pixels of the longest part of a text that stays on one line. A head is bold, and has an arrow. */
static double longest_part (const char *text, bool right, bool head) {
  enum { ARROW = 12 };
  double longest = 0;

  if (!head && (right || is_short (text)))
    return letters_width (text, strlen (text));
  while (*text) {
    const size_t n = strcspn (text, " /");
    longest = fmax (longest, letters_width (text, n));
    text += n + (text[n] != '\0');
  }
  return head ? 1.1 * longest + ARROW : longest;
}

/* Has the table room at the width of a desk if no short text is broken? */
static bool is_roomy (const sd_doc_table *t) {
  enum { PAGE = 1110, BESIDE = 13 }; /* pixels: the page, what is beside the text of a cell */
  double sum = 0;
  for (unsigned i = 0; i < t->ncolumns; i++) {
    double width = BESIDE;
    for (size_t r = 0; r <= t->nrows && !t->column[i].more; r++)
      width = fmax (width, BESIDE + longest_part (sd_doc_text (t, r, i), t->column[i].right, !r));
    sum += t->column[i].more ? 0 : width;
  }
  return sum <= PAGE;
}

/* A long table is closed until the reader opens it; behind the first of a chapter a shorter one, too. */
static void put_html_table (sd_doc *d, const sd_doc_table *t) {
  enum { MOST = 12, MOST_OF_OTHERS = 6, MOST_OF_CHIEF = 40 };
  const bool closed = t->nrows > (t->chief ? MOST_OF_CHIEF : d->in_chapter ? MOST_OF_OTHERS : MOST);
  char rows[40];

  d->in_chapter++;
  snprintf (rows, sizeof rows, "%zu rows%s", t->nrows, *t->about ? ": " : "");

  if (closed)
    HTML (d, "<details><summary>", rows, "", t->about, "</summary>\n");
  else
    sd_put_text (&d->html, "<div>\n");

  put_tools (d, t);
  sd_put (&d->html, "<div class=\"wide%s\"", is_roomy (t) ? " roomy" : "");
  HTML (d, " role=\"region\" aria-label=\"", d->caption, "\" tabindex=\"0\"><table><thead>");
  for (size_t r = 0; r <= t->nrows; r++) {
    sd_put_text (&d->html, r && t->strong[r] ? "<tr class=\"strong\">" : "<tr>");
    for (unsigned i = 0; i < t->ncolumns; i++)
      put_html_cell (d, &t->column[i], sd_doc_text (t, r, i), !r);
    sd_put_text (&d->html, r ? "</tr>\n" : "</tr></thead><tbody>\n");
  }
  sd_put_text (&d->html,
               closed ? "</tbody></table></div>\n</details>\n" : "</tbody></table></div>\n</div>\n");
}

/* A failure of the table for LaTeX is one of memory, and kept in html. */
void sd_doc_put_table (sd_doc *d, const sd_doc_table *t) {
  put_md_table (d, t);
  put_html_table (d, t);
  d->html.failed = d->html.failed || !sd_doc_table_tex (d, t);
}

void sd_doc_files_begin (sd_doc *d) {
  sd_put_text (&d->html, "<ul class=\"files\">\n");
}

void sd_doc_file (sd_doc *d, const char *name) {
  HTML (d, "<li><a href=\"", name, "\">", name, "</a></li>\n");
  MD (d, "* [", name, "](");
  sd_put (&d->md, "%s)\n", name);
}

void sd_doc_files_end (sd_doc *d) {
  sd_put_text (&d->html, "</ul>\n");
  sd_put_text (&d->md, "\n");
}

/* In Markdown a point of a list. */
void sd_doc_card (sd_doc *d, const char *head, const char *value, const char *remark) {
  HTML (d, "<div>", head, "<b>", value, "</b><span>", remark, "</span></div>\n");
  MD (d, "* ", head, ": **", value, "** (", remark, ")\n");
}

void sd_doc_box_begin (sd_doc *d, const char *class) {
  HTML (d, "<div class=\"", class, "\">\n");
}

void sd_doc_box_end (sd_doc *d) {
  sd_put_text (&d->html, "</div>\n");
}

/* gnuplot gives the parts of every figure the same names; on one page each needs its own: PREFIX before what
 * is defined (id='...) and used (href='#..., url(#...). */
static void put_svg (sd_buf *b, const uint8_t *p, size_t n, const char *prefix) {
  static const char *const before[] = { " id='", " id=\"", "href='#", "href=\"#", "url(#" };
  size_t done = 0;

  /* A look at one letter first: drawings have hundreds of kilobytes. */
  for (size_t i = 0; i < n; i++) {
    size_t len = 0;
    if (p[i] != ' ' && p[i] != 'h' && p[i] != 'u')
      continue;
    for (unsigned k = 0; k < sizeof before / sizeof *before && !len; k++)
      if (strlen (before[k]) <= n - i && memcmp (p + i, before[k], strlen (before[k])) == 0)
        len = strlen (before[k]);
    if (len == 0)
      continue;
    sd_buf_append (b, p + done, i + len - done);
    sd_put_text (b, prefix);
    sd_buf_u8 (b, '-');
    done = i + len;
    i = done - 1;
  }

  sd_buf_append (b, p + done, n - done);
}

/* False: there is no such drawing. look: more attributes. */
static bool put_drawing (sd_doc *d, const char *name, const char *look, const char *caption) {
  char path[4096];
  sd_map map;
  snprintf (path, sizeof path, "%s/%s.svg", d->dir, name);
  if (!sd_file_exists (path) || sd_map_open (path, &map, NULL) != SD_OK)
    return false;

  static const char tag[] = "<svg";
  /* without the XML prolog */
  const uint8_t *svg = map.len ? memmem (map.data, map.len, tag, strlen (tag)) : NULL;

  if (svg) {
    sd_put_text (&d->html, tag);
    sd_put_text (&d->html, look);
    HTML (d, " role=\"img\" aria-label=\"", caption, "\"");
    svg += strlen (tag);
    put_svg (&d->html, svg, (size_t) (map.data + map.len - svg), name);
  }
  sd_map_close (&map);
  return svg != NULL;
}

void sd_doc_figure (sd_doc *d, const char *name, const char *caption, bool wide) {
  char narrow[100];
  const size_t before = d->html.len;
  sd_put_text (&d->html, wide ? "<figure class=\"full\">" : "<figure>");
  snprintf (narrow, sizeof narrow, "%s_narrow", name);

  /* Without the drawing for a desk what was begun is taken back. */
  put_drawing (d, narrow, " class=\"narrow\"", caption);
  if (!put_drawing (d, name, "", caption)) {
    d->html.len = before;
    return;
  }

  HTML (d, "<figcaption>", caption, "</figcaption></figure>\n");
  MD (d, "![", caption, "](");
  sd_put (&d->md, "%s.svg)\n\n", name);
}

void sd_doc_fold_begin (sd_doc *d, const char *summary) {
  HTML (d, "<details><summary>", summary, "</summary>\n");
}

void sd_doc_fold_end (sd_doc *d) {
  sd_put_text (&d->html, "</details>\n");
}

void sd_doc_details (sd_doc *d, const char *summary, const char *text) {
  HTML (d, "<details><summary>", summary, "</summary><pre>", text, "</pre></details>\n");
  MD (d, "", summary, ":\n\n");
  sd_put_md_code (&d->md, text);
  sd_put_text (&d->md, "\n");
}

int sd_report_folder (const char *dir, sd_error *err) {
  SD_TRY (sd_make_folder (dir, err));
  sd_outfile_sweep (dir, "");
  return SD_OK;
}

int sd_write_file (const char *dir, const char *name, const sd_buf *b, sd_error *err) {
  char path[4096];
  sd_outfile *f = NULL;
  if (b->failed)
    return sd_fail_memory (err, b->len);
  if ((size_t) snprintf (path, sizeof path, "%s/%s", dir, name) >= sizeof path)
    return sd_fail (err, SD_EINVAL, "%s: the name of the folder is too long", dir);

  /* Under a temporary name, so that a reader never sees half of a page. */
  SD_TRY (sd_outfile_open_swept (path, &f, err));
  int status = sd_outfile_write (f, b->data, b->len, err);
  if (status != SD_OK) {
    sd_outfile_abort (f);
    return status;
  }
  return sd_outfile_commit_unsynced (f, err); /* a report is soon made again */
}
