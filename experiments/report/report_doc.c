/* Documents written side by side from one description: Markdown for the terminal and version control, one
 * HTML page that needs nothing but itself (style, script and figures inside, no request leaves it), and the
 * tables as LaTeX. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A figure is 640 wide and its letters 14: at 520 pixels they are 11. */
static const char style[] =
    "<style>"
    ":root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--paper:#fbfaf8;--card:#fff;"
    "--line:#e3e0da;--key:#1a5fd0;--win:#eef5ff}"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--soft:#9aa4b1;--paper:#14171c;"
    "--card:#1b1f26;--line:#2e343e;--key:#6ea8fe;--win:#1d2a3f}}*{box-sizing:border-box}"
    "body{margin:0;background:var(--paper);color:var(--ink);"
    "font:16px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',sans-serif}"
    "main{max-width:72rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}"
    "h1{font-size:2rem;line-height:1.2;margin:0 0 .5rem;letter-spacing:-.01em}"
    "h2{font-size:1.35rem;margin:3rem 0 .75rem;padding-top:1rem;border-top:1px solid var(--line)}"
    "h3{font-size:1.05rem;margin:2rem 0 .5rem}p{max-width:46rem;margin:.6rem 0}"
    "p.note{color:var(--soft);font-size:.92rem}"
    "code,pre{font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:.88em}"
    "pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:1rem;"
    "overflow-x:auto}"
    ".wide{overflow-x:auto;margin:.75rem 0;border:1px solid var(--line);border-radius:8px;"
    "background:var(--card)}"
    "table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}"
    "th,td{padding:.38rem .75rem;text-align:left;vertical-align:top}"
    "th{font-weight:600;color:var(--soft);border-bottom:1px solid var(--line);white-space:nowrap}"
    "th:first-child,td:first-child{position:sticky;left:0;background:var(--card);z-index:1}"
    "th button{all:unset;cursor:pointer}"
    "th button:focus-visible,.wide:focus-visible,a:focus-visible,summary:focus-visible{outline:2px solid "
    "var(--key)}#said{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"
    "ul.files{columns:18rem;padding-left:1.2rem}a{color:var(--key)}"
    "th[aria-sort=ascending]::after{content:' \\25b2'}th[aria-sort=descending]::after{content:' \\25bc'}"
    "h1,h2,h3,p,li,figcaption,summary{overflow-wrap:anywhere}"
    "nav ul{columns:14rem;padding-left:1.2rem;margin:.5rem 0}nav a{color:var(--key)}"
    "td.r,th.r{text-align:right;white-space:nowrap}tbody tr+tr td{border-top:1px solid var(--line)}"
    "tbody tr:hover td,tr.strong td:first-child{background:var(--win)}tr.strong td{background:var(--win);font-weight:600}"
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:1rem;"
    "margin:1.5rem 0}"
    ".cards div{background:var(--card);border:1px solid var(--line);border-radius:12px;"
    "padding:1rem 1.2rem}"
    ".cards b{display:block;font-size:1.4rem;white-space:nowrap;line-height:1.4;color:var(--key);"
    "font-variant-numeric:tabular-nums}.cards span{color:var(--soft);font-size:.9rem}"
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,34rem),1fr));gap:1rem}"
    "figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:12px;"
    "padding:.75rem;overflow-x:auto;min-width:0}figure.full{grid-column:1/-1}"
    "figure svg{display:block;width:100%;min-width:32.5rem;height:auto;color:var(--ink)}"
    "figure.full svg{min-width:52rem}figure svg [fill='black']{fill:var(--ink)}figure svg>g>rect{fill:none}"
    "figure svg [color='rgb(255, 255, 255)']{color:var(--card)}figure svg [color='black']{color:var(--ink)}figure svg [stroke='black']{stroke:var(--ink)}"
    "figcaption{font-size:.88rem;color:var(--soft);padding:.25rem .5rem}details{margin:1rem 0}"
    "summary{cursor:pointer;color:var(--key)}"
    "@media (max-width:40rem){main{padding:1.5rem .8rem 3rem}td:first-child{min-width:5rem;max-width:9rem;overflow-wrap:break-word}"
    "th,td{padding:.35rem .5rem}h1{font-size:1.6rem}}@media print{body{background:#fff}main{padding:0}"
    ".figures{display:block}figure{break-inside:avoid;margin:1rem 0}}</style>"
    "\n";

/* The text of a head becomes a button, which sorts the table by that column, a second time the other way
 * round; what was done is said to who cannot see it. Numbers are compared as numbers, times in their units;
 * what was not measured goes last. */
static const char script[] =
    "<script>\n"
    "document.querySelectorAll('table').forEach(t=>{const head=[...t.querySelectorAll('th')];\n"
    "const unit={ns:1,us:1e3,ms:1e6,s:1e9,'%':1};\n"
    "const value=x=>{const m=x.replace(/,/g,'').match(/^([+-]?[0-9.]+)(?: ?(ns|us|ms|s|%)(?![a-z]).*)?$/);\n"
    "return m?m[1]*(unit[m[2]]||1):x==='-'?null:NaN};\n"
    "head.forEach((h,i)=>{if(!h.textContent)return;\n"
    "const b=document.createElement('button');b.type='button';b.append(...h.childNodes);h.append(b);\n"
    "h.setAttribute('aria-sort','none');\n"
    "b.onclick=()=>{const up=h.getAttribute('aria-sort')!=='ascending',body=t.tBodies[0];\n"
    "const key=[...body.rows].map(r=>{const x=r.cells[i].textContent;return[value(x),x,r]});\n"
    "const text=key.some(k=>Number.isNaN(k[0]));\n"
    "key.sort((a,b)=>(a[0]===null)-(b[0]===null)||(up?1:-1)*(text?a[1].localeCompare(b[1]):a[0]-b[0]));\n"
    "body.append(...key.map(k=>k[2]));\n"
    "head.forEach(o=>{if(o.hasAttribute('aria-sort'))o.setAttribute('aria-sort','none')});\n"
    "h.setAttribute('aria-sort',up?'ascending':'descending');\n"
    "document.getElementById('said').textContent=`sorted by ${b.textContent}, ${up?'rising':'falling'}`}})});\n"
    "</script>\n";

static void put_text (sd_buf *b, const char *text) {
  sd_buf_append (b, text, strlen (text));
}

/* Markup as it is and texts that are quoted, by turns; NULL ends them. */
static void between (sd_buf *b, void (*quote) (sd_buf *, const char *), const char *const *part) {
  for (unsigned i = 0; part[i]; i++)
    (i % 2 ? quote : put_text) (b, part[i]);
}
#define HTML(d, ...) between (&(d)->html, sd_put_html, (const char *const[]){ __VA_ARGS__, NULL })
#define MD(d, ...) between (&(d)->md, sd_put_md, (const char *const[]){ __VA_ARGS__, NULL })

void sd_doc_begin (sd_doc *d, const char *title) {
  HTML (d,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
        title, "</title>\n");
  put_text (&d->html, style);
  put_text (
      &d->tex,
      "% \\usepackage{booktabs,longtable} is needed for these tables; landscape paper for the wide ones\n\n");
  HTML (d, "</head><body><main>\n<h1>", title, "</h1>\n");
  d->contents_at = d->html.len;
  MD (d, "# ", title, "\n\n");
}

/* The headings of level 2, as links, behind the title. */
static void put_contents (sd_doc *d) {
  sd_buf all = { 0 };
  sd_buf_append (&all, d->html.data, d->contents_at);
  if (d->chapters > 1) {
    put_text (&all, "<nav aria-label=\"Contents\"><ul>\n");
    sd_buf_append (&all, d->contents.data, d->contents.len);
    put_text (&all, "</ul></nav>\n");
  }
  sd_buf_append (&all, d->html.data + d->contents_at, d->html.len - d->contents_at);
  all.failed = all.failed || d->html.failed || d->contents.failed;
  sd_buf_free (&d->html);
  sd_buf_free (&d->contents);
  d->html = all;
}

void sd_doc_end (sd_doc *d) {
  put_text (&d->html, "<p id=\"said\" role=\"status\" aria-live=\"polite\"></p>\n");
  put_text (&d->html, script);
  put_text (&d->html, "</main></body></html>\n");
  sd_buf_free (&d->rows);
  if (!d->html.failed)
    put_contents (d);
}

void sd_doc_free (sd_doc *d) {
  sd_buf *const all[] = { &d->md, &d->html, &d->tex, &d->contents, &d->rows };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    sd_buf_free (all[i]);
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
    sd_put (&d->contents, "<li><a href=\"#c%u\">", ++d->chapters);
    sd_put_html (&d->contents, text);
    put_text (&d->contents, "</a></li>\n");
    sd_put (&d->html, "<h2 id=\"c%u\">", d->chapters);
  } else
    sd_put (&d->html, "<h%u>", level);
  sd_put_html (&d->html, text);
  sd_put (&d->html, "</h%u>\n", level);
  put_text (&d->tex, "% ");
  sd_put_tex (&d->tex, text);
  put_text (&d->tex, "\n");
  sd_put (&d->md, "%.*s", (int) level, "####");
  MD (d, " ", text, "\n\n");
}

void sd_doc_para (sd_doc *d, const char *fmt, ...) {
  char text[2048];
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (text, sizeof text, fmt, ap);
  va_end (ap);
  HTML (d, "<p>", text, "</p>\n");
  MD (d, "", text, "\n\n");
}

/* One cell of all documents. */
static void put_cell (sd_doc *d, unsigned i, const char *tag, const char *text) {
  sd_put (&d->html, "<%s%s>", tag, d->align[i] == 'r' ? " class=\"r\"" : "");
  sd_put_html (&d->html, text);
  sd_put (&d->html, "</%.2s>", tag);
  MD (d, " ", text, " |");
  put_text (&d->rows, i ? " & " : "");
  sd_put_tex (&d->rows, text);
}

void sd_doc_table (sd_doc *d, const char *align, const char *const *head) {
  snprintf (d->align, sizeof d->align, "%s", align);
  HTML (d, "<div class=\"wide\" role=\"region\" aria-label=\"", d->caption,
        "\" tabindex=\"0\"><table><thead><tr>");
  put_text (&d->md, "|");
  d->rows.len = 0;
  for (unsigned i = 0; align[i]; i++)
    put_cell (d, i, "th scope=\"col\"", head[i]);
  put_text (&d->html, "</tr></thead><tbody>\n");
  put_text (&d->rows, " \\\\\n");
  d->head_len = d->rows.len;
  d->nrows = 0;
  put_text (&d->md, "\n|");
  for (unsigned i = 0; align[i]; i++)
    put_text (&d->md, align[i] == 'r' ? " ---: |" : " --- |");
  put_text (&d->md, "\n");
}

void sd_doc_row (sd_doc *d, const char *const *cell, bool strong) {
  put_text (&d->html, strong ? "<tr class=\"strong\">" : "<tr>");
  put_text (&d->md, "|");
  for (unsigned i = 0; d->align[i]; i++)
    put_cell (d, i, "td", cell[i]);
  put_text (&d->html, "</tr>\n");
  put_text (&d->md, "\n");
  put_text (&d->rows, " \\\\\n");
  d->nrows++;
}

/* The head between its lines. */
static void put_tex_head (sd_doc *d) {
  put_text (&d->tex, "\\toprule\n");
  sd_buf_append (&d->tex, d->rows.data, d->head_len);
  put_text (&d->tex, "\\midrule\n");
}

/* As booktabs has it: no vertical lines, three horizontal ones. A table of many rows goes over several pages,
 * its head on each of them; a short one floats and is made as narrow as the text. One of many columns has
 * small letters. */
static void put_tex_table (sd_doc *d) {
  enum { MOST_ROWS = 35, MANY_COLUMNS = 7 };
  const bool is_long = d->nrows > MOST_ROWS;
  const char *size =
      strlen (d->align) > MANY_COLUMNS ? "\\scriptsize\\setlength{\\tabcolsep}{2pt}" : "\\small";
  if (is_long)
    sd_put (&d->tex, "{%s\n\\begin{longtable}{@{}%s@{}}\n\\caption{", size, d->align);
  else
    put_text (&d->tex, "\\begin{table}[htbp]\n\\centering\n\\caption{");
  sd_put_tex (&d->tex, d->caption);
  if (is_long) {
    put_text (&d->tex, "} \\\\\n");
    put_tex_head (d);
    put_text (&d->tex, "\\endfirsthead\n");
    put_tex_head (d);
    put_text (&d->tex, "\\endhead\n\\bottomrule\n\\endfoot\n");
  } else {
    sd_put (&d->tex, "}\n%s\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%%\n",
            size);
    sd_put (&d->tex, "\\begin{tabular}{@{}%s@{}}\n", d->align);
    put_tex_head (d);
  }
  sd_buf_append (&d->tex, d->rows.data + d->head_len, d->rows.len - d->head_len);
  put_text (&d->tex, is_long ? "\\end{longtable}}\n\n" : "\\bottomrule\n\\end{tabular}}\n\\end{table}\n\n");
  d->tex.failed = d->tex.failed || d->rows.failed;
}

void sd_doc_table_end (sd_doc *d) {
  put_text (&d->html, "</tbody></table></div>\n");
  put_text (&d->md, "\n");
  if (!d->rows.failed)
    put_tex_table (d);
}

void sd_doc_files (sd_doc *d, const char *const *name, size_t n) {
  put_text (&d->html, "<ul class=\"files\">\n");
  for (size_t i = 0; i < n; i++) {
    HTML (d, "<li><a href=\"", name[i], "\">", name[i], "</a></li>\n");
    MD (d, "* [", name[i], "](");
    sd_put (&d->md, "%s)\n", name[i]);
  }
  put_text (&d->html, "</ul>\n");
  put_text (&d->md, "\n");
}

void sd_doc_cards (sd_doc *d, unsigned n, const char (*card)[3][160]) {
  put_text (&d->html, "<div class=\"cards\">\n");
  for (unsigned i = 0; i < n; i++) {
    HTML (d, "<div>", card[i][0], "<b>", card[i][1], "</b><span>", card[i][2], "</span></div>\n");
    MD (d, "* ", card[i][0], ": **", card[i][1], "** (", card[i][2], ")\n");
  }
  put_text (&d->html, "</div>\n");
  put_text (&d->md, "\n");
}

void sd_doc_figures_begin (sd_doc *d) {
  put_text (&d->html, "<div class=\"figures\">\n");
}

void sd_doc_figures_end (sd_doc *d) {
  put_text (&d->html, "</div>\n");
}

/* First occurrence of `word` in p[0..n-1]. */
static const uint8_t *find (const uint8_t *p, size_t n, const char *word) {
  size_t len = strlen (word);
  for (size_t i = 0; i + len <= n; i++)
    if (memcmp (p + i, word, len) == 0)
      return p + i;
  return NULL;
}

/* gnuplot gives the parts of every figure the same names; on one page each needs its own: PREFIX before what
 * is defined (id='...) and used (href='#..., url(#...). */
static void put_svg (sd_buf *b, const uint8_t *p, size_t n, const char *prefix) {
  static const char *const before[] = { " id='", " id=\"", "href='#", "href=\"#", "url(#" };
  size_t done = 0;
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
    sd_put (b, "%s-", prefix);
    done = i + len;
    i = done - 1;
  }
  sd_buf_append (b, p + done, n - done);
}

void sd_doc_figure (sd_doc *d, const char *name, const char *caption, bool wide) {
  char path[4096];
  sd_map map;
  snprintf (path, sizeof path, "%s/%s.svg", d->dir, name);
  if (!sd_file_exists (path) || sd_map_open (path, &map, NULL) != SD_OK)
    return;
  const uint8_t *svg = map.len ? find (map.data, map.len, "<svg") : NULL; /* without the XML prolog */
  if (svg) {
    const size_t tag = strlen ("<svg");
    put_text (&d->html, wide ? "<figure class=\"full\">" : "<figure>");
    HTML (d, "<svg role=\"img\" aria-label=\"", caption, "\"");
    put_svg (&d->html, svg + tag, map.len - (size_t) (svg - map.data) - tag, name);
    HTML (d, "<figcaption>", caption, "</figcaption></figure>\n");
    MD (d, "![", caption, "](");
    sd_put (&d->md, "%s.svg)\n\n", name);
  }
  sd_map_close (&map);
}

void sd_doc_details (sd_doc *d, const char *summary, const char *text) {
  HTML (d, "<details><summary>", summary, "</summary><pre>", text, "</pre></details>\n");
  MD (d, "", summary, ":\n\n");
  sd_put_md_code (&d->md, text);
  put_text (&d->md, "\n");
}

const char *sd_text_count (uint64_t v, char *out) {
  char digits[24];
  int n = snprintf (digits, sizeof digits, "%llu", (unsigned long long) v), k = 0;
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0)
      out[k++] = ',';
    out[k++] = digits[i];
  }
  out[k] = '\0';
  return out;
}

const char *sd_text_ns (double ns, char *out) {
  if (!(ns > 0)) /* not a number counts, too */
    snprintf (out, 32, "-");
  else if (ns < 1000)
    snprintf (out, 32, "%.0f ns", ns);
  else if (ns < 1e6)
    snprintf (out, 32, "%.*f us", ns < 1e4 ? 2 : ns < 1e5 ? 1 : 0, ns / 1e3);
  else
    snprintf (out, 32, "%.*f ms", ns < 1e7 ? 2 : ns < 1e8 ? 1 : 0, ns / 1e6);
  return out;
}

int sd_write_file (const char *dir, const char *name, const sd_buf *b, sd_error *err) {
  char path[4096];
  sd_outfile *f = NULL;
  if (b->failed)
    return sd_fail_memory (err, b->len);
  if ((size_t) snprintf (path, sizeof path, "%s/%s", dir, name) >= sizeof path)
    return sd_fail (err, SD_EINVAL, "%s: the name of the folder is too long", dir);
  SD_TRY (sd_outfile_open (path, &f, err));
  int status = sd_outfile_write (f, b->data, b->len, err);
  if (status != SD_OK) {
    sd_outfile_abort (f);
    return status;
  }
  return sd_outfile_commit (f, err);
}
