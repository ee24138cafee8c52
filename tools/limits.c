/* subdef limits: how short the tables of an ending, or of an array, can be, beside what the codecs take. The
 * figures are those of experiments/limits (entropies, bounds, codecs): a table for each metric and side to
 * move, as text, CSV or JSON. This file reads which endings and layouts are asked for, prepares the
 * subdefinite symbols and prints. docs/limits.md says what the figures mean. */
#include "config.h"
#include "array/array.h"
#include "chess/ending.h"
#include "experiments/experiments.h"
#include "tools/positions.h"
#include "tools/tools_internal.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the options say. */
static struct {
  const char *tables, *order, *numbering, *layouts, *freedom, *words, *codecs, *set;
  enum sd_metric metric; /* SD_NO_METRIC: all */
  unsigned side;         /* 0, 1; 2: both */
  bool quick, csv, json;
} opt = { .side = 2, .metric = SD_NO_METRIC, .freedom = "all", .words = "1,2,3,4,6,8" };

/* The words of --side. */
static const char *side_word (unsigned i) {
  static const char *const side[] = { "w", "b" };
  return i < 2 ? side[i] : NULL;
}

static const sd_option options[] = {
  /* Which table. */
  { "metric", 0, NULL, "which values (default: all that follow from plies to mate)", .metric = &opt.metric },
  { "side", 0, NULL, "side to move (default: both, one after the other)", .choice = &opt.side,
    .words = side_word },
  { "order", 0, NULL, "the piece order, as for 'subdef reformat' (default: that of the name)",
    .text = &opt.order },
  { "numbering", 0, NULL, "numbering of the squares, with --order (default: rows)", .text = &opt.numbering },
  { "layouts", 0, "FILE.csv|papers",
    "orders and numberings from a file, as for 'subdef reformat'; papers: those of the smallest known tables",
    .text = &opt.layouts },
  { "freedom", .text = &opt.freedom },
  /* Which figures of it. */
  { "words", 0, "N,...", "entropies of words of so many slots (default: 1,2,3,4,6,8)", .text = &opt.words },
  { "codecs", 'c', "NAME,...", "these codecs, all or none (default: huffman,lzma,repair,obdd)",
    .text = &opt.codecs, .words = sd_tool_codec_word, .joint = ',' },
  { "set", 0, NULL, "settings of these codecs", .text = &opt.set },
  { "quick", 0, NULL, "the entropies only", .flag = &opt.quick },
  /* How they are told. */
  { "csv", 0, NULL, "a line of CSV for each figure", .flag = &opt.csv },
  { "json", 0, NULL, "one JSON array, an object for each figure", .flag = &opt.json },
  { "tables", .text = &opt.tables },
  { 0 },
};

/* The numbers of --words. */
static int read_words (sd_limits_options *out, sd_error *err) {
  const char *at = opt.words;
  /* Numbers with a comma between any two; a comma at the end is passed over. */
  for (out->words = 0; *at; out->words++) {
    char *rest;
    const unsigned long v = strtoul (at, &rest, 10);
    if (rest == at || (*rest && *rest != ',') || v < 1 || v > SD_MAX_WORD || out->words == SD_MAX_WORDS)
      return sd_fail (err, SD_EINVAL, "--words %s: expected at most %d numbers from 1 to %d, with commas",
                      opt.words, SD_MAX_WORDS, SD_MAX_WORD);
    out->word[out->words] = (unsigned) v;
    at = *rest ? rest + 1 : rest;
  }
  return SD_OK;
}

/* The layout of a side. From --order, from the file of --layouts, or the order of the ending's name. */
static int layout (const sd_material *m, enum sd_metric metric, unsigned side, sd_layout *out,
                   sd_error *err) {
  sd_layout_default (m, out);
  if (opt.order)
    return sd_layout_parse (m, opt.order, opt.numbering, out, err);
  if (!opt.layouts)
    return SD_OK;
  /* A file has both sides of the ending in one line, so that both are read for one of them. */
  uint64_t bytes;
  sd_table_spec spec = { .material = *m, .metric = metric, .sides = SD_SIDES_BOTH };
  SD_TRY (sd_layouts_find (opt.layouts, false, false, &spec, &bytes, err));
  *out = spec.side[side].layout;
  return SD_OK;
}

/* What all rows of a table begin with. */
typedef struct {
  const char *title;   /* of the text */
  const char *cell[5]; /* in the order of subject_columns; NULL: an array has none */
  bool board;          /* sd_limits_options */
} subject;
static const char *const subject_columns[5] = { "ending", "metric", "side", "order", "numbering" };
static json_t *records; /* of --json */

/* bytes NaN: there is no figure, and `why` says why. at_least NaN: the figure is no entropy. */
static void print_text (const sd_limit *r) {
  printf ("%-11s %-34s ", sd_limit_kind_name[r->kind], r->name);
  if (isnan (r->bytes))
    printf ("%12s %s\n", "-", r->why);
  else if (isnan (r->at_least))
    printf ("%12.0f %12s %12.0f %8.2f\n", r->bytes, "", r->model, r->seconds);
  else
    printf ("%12.0f %12.0f %12.0f %8.2f\n", r->bytes, r->at_least, r->model, r->seconds);
}

/* A number, or nothing where there is none. */
static void print_cell (double v) {
  if (!isnan (v))
    printf ("%.0f", v);
  putchar (',');
}

/* As CSV has it: quotes are doubled. */
static void print_quoted (const char *text) {
  putchar ('"');
  for (const char *p = text; *p; p++)
    printf (*p == '"' ? "\"\"" : "%c", *p);
  putchar ('"');
}

/* The name of an array is a path, and the columns of endings are empty. */
static void print_csv (const subject *of, const sd_subdefined *d, uint64_t bound, const sd_limit *r) {
  if (!of->cell[0])
    print_quoted (of->title);
  for (unsigned c = 0; c < 5; c++)
    printf ("%s,", of->cell[c] ? of->cell[c] : "");
  printf ("%" PRIu64 ",%" PRIu64 ",%s,\"%s\",", d->seq.n, bound, sd_limit_kind_name[r->kind], r->name);
  print_cell (r->bytes);
  print_cell (r->at_least);
  print_cell (isnan (r->bytes) ? NAN : r->model);
  printf ("%.2f,", r->seconds);
  if (*r->why)
    print_quoted (r->why);
  putchar ('\n');
}

/* The same members as the columns of CSV have; what is not there is null, or left out. */
static void add_record (const subject *of, const sd_subdefined *d, uint64_t bound, const sd_limit *r) {
  json_t *j = json_object ();
  if (!of->cell[0])
    json_object_set_new (j, "array", json_string (of->title));
  for (unsigned c = 0; c < 5 && of->cell[0]; c++)
    json_object_set_new (j, subject_columns[c], json_string (of->cell[c]));
  sd_json_put (j, "{s:I, s:I, s:s, s:s, s:o, s:o, s:o, s:f, s:o*}", "slots", (json_int_t) d->seq.n,
               "not_free", (json_int_t) bound, "kind", sd_limit_kind_name[r->kind], "of", r->name, "bytes",
               sd_json_number (r->bytes), "at_least", sd_json_number (r->at_least), "model",
               sd_json_number (isnan (r->bytes) ? NAN : r->model), "cpu_seconds", r->seconds, "why",
               *r->why ? sd_json_text (r->why) : NULL);
  json_array_append_new (records, j);
}

/* "KRvK, WDL, White to move, order KRk, numbering rows: 40,960 slots, 21,959 not free, 3 main symbols of 4"
 * and the head of the columns. */
static void print_head (const subject *of, const sd_subdefined *d, uint64_t bound) {
  printf ("%s: %s slots, %s not free, %u main symbols of %u\n%-11s %-34s %12s %12s %12s %8s\n", of->title,
          sd_tool_count (d->seq.n), sd_tool_count (bound), sd_alphabet_main (d->alphabet),
          sd_alphabet_size (d->alphabet), "kind", "of", "bytes", "at least", "model", "CPU s");
}

static void print (const subject *of, const sd_subdefined *d, const sd_limit *row, uint64_t n) {
  /* Slots that admit fewer values than there are: all that a codec has to tell. */
  uint64_t bound = 0;

  for (uint64_t i = 0; i < d->seq.n; i++)
    bound += sd_alphabet_choices (d->alphabet, d->seq.sym[i]) < sd_alphabet_main (d->alphabet);
  sd_terminal_clear ();
  const bool text = !opt.csv && !records;
  if (text)
    print_head (of, d, bound);
  for (uint64_t i = 0; i < n; i++)
    if (records)
      add_record (of, d, bound, &row[i]);
    else if (opt.csv)
      print_csv (of, d, bound, &row[i]);
    else
      print_text (&row[i]);
  if (text)
    putchar ('\n');
  /* A user who waits for the next table sees this one. */
  fflush (stdout);
}

/* What there is is printed after a failure, too. */
static int figures (const subject *of, const sd_subdefined *d, const sd_limits_options *how, sd_error *err) {
  sd_limits_options with = *how;
  SD_OWNED sd_limit *row = NULL;
  uint64_t n;
  with.board = of->board;
  const int st = sd_limits (d, &with, &sd_terminal, &row, &n, err);
  if (n > 0)
    print (of, d, row, n);
  if (st != SD_OK && n > 0)
    sd_error_prefix (err, "%s", of->title);
  return st;
}

/* A source or a table of an array, as it lies. */
static int array (const char *path, const sd_limits_options *how, sd_error *err) {
  SD_OWN (sd_array) *a = NULL;
  SD_OWN (sd_subdefined) *d = NULL;
  SD_TRY (sd_array_open (path, SD_OPEN_CHECK, &a, err));
  SD_TRY (sd_array_load (a, &d, err));
  return figures (&(subject){ .title = path }, d, how, err);
}

/* The limits of a side to move. */
static int one_side (const sd_values *s, const sd_exact *e, enum sd_metric metric, unsigned side,
                     const sd_limits_options *how, sd_error *err) {
  SD_OWN_SIDES *d[2] = { NULL, NULL };
  sd_table_spec spec = { .material = e->material,
                         .metric = metric,
                         .coding = sd_metric_coding (metric, false),
                         .sides = SD_SIDES_WHITE + side };
  sd_layout *l = &spec.side[side].layout;
  char name[16], order[24], numbering[64], title[200];
  sd_material_name (&e->material, name);

  SD_TRY (sd_freedom_parse (opt.freedom, &spec.freedom, err));
  SD_TRY (layout (&e->material, metric, side, l, err));
  SD_TRY (sd_table_prepare (s, e, &spec, &sd_terminal, d, err));

  sd_layout_order_text (l, order);
  sd_layout_numbering_text (l, numbering);
  snprintf (title, sizeof title, "%s, %s, %s to move, order %s, numbering %s", name, sd_metrics[metric].title,
            side ? "Black" : "White", order, numbering);

  const subject of = { title,
                       { name, sd_metrics[metric].name, side_word (side), order, numbering },
                       .board = true };
  return figures (&of, d[side], how, err);
}

/* A figure that failed (all others are printed) does not keep the next side from its own. */
static int ending (sd_values *s, const sd_material *m, const sd_limits_options *how, sd_error *err) {
  const sd_exact *e = NULL;
  int first = SD_OK;
  SD_TRY (sd_values_need (s, m, err));
  SD_TRY (sd_values_whole (s, m, &e, err));
  /* Without --metric those that follow from the usual exact tables; others need other tables. */
  for (unsigned metric = 0; metric < SD_METRICS; metric++)
    for (unsigned side = 0; side < e->nsides; side++)
      if ((opt.metric == SD_NO_METRIC ? sd_metrics[metric].exact == SD_USUAL_EXACT : opt.metric == metric)
          && (opt.side == 2 || opt.side == side)) {
        const int st = one_side (s, e, (enum sd_metric) metric, side, how, first == SD_OK ? err : NULL);
        first = first == SD_OK ? st : first;
      }
  return first;
}

/* An ending, or "all-3", "all-4", ..: all with so many men. */
static int endings (sd_values *s, const char *text, const sd_limits_options *how, sd_error *err) {
  sd_material m;

  if (strncmp (text, "all-", 4) != 0) {
    sd_material canonical;
    SD_TRY (sd_ending_parse (text, &m, err));
    sd_material_canonical (&m, &canonical);
    return ending (s, &canonical, how, err);
  }

  if (strlen (text) != 5 || text[4] < '3' || text[4] > '0' + SD_MAX_MEN)
    return sd_fail (err, SD_EINVAL, "%s: all-3 to all-%d are known", text, SD_MAX_MEN);
  const unsigned men = (unsigned) (text[4] - '0'), n = sd_material_all (men, &m, 1);
  /* Counted first, with room for one, then listed. */
  SD_OWNED sd_material *all = sd_alloc (n, sizeof *all);
  if (!all)
    return sd_fail_memory (err, n * sizeof *all);
  sd_material_all (men, all, n);

  for (unsigned i = 0; i < n; i++)
    SD_TRY (ending (s, &all[i], how, err));
  return SD_OK;
}

/* Orders belong to one ending. */
static bool names_many (const sd_words *words) {
  return words->n > 1 || strncmp (words->at[0], "all-", 4) == 0;
}

/* Wrong usage, or SD_EXIT_OK. */
static int check_words (const sd_words *words) {
  if (words->n == 0)
    return sd_tool_usage ("expected an ending or an array, e.g. 'subdef limits KRvKP'");
  for (int i = 0; i < words->n; i++)
    if (sd_array_is (words->at[i])
        && (opt.order || opt.numbering || opt.layouts || opt.side < 2 || opt.metric != SD_NO_METRIC))
      return sd_tool_usage ("%s: an array has no metric, side to move or layout", words->at[i]);

  if (opt.numbering && !opt.order)
    return sd_tool_usage ("--numbering needs --order");
  if (opt.order && opt.layouts)
    return sd_tool_usage ("--order and --layouts both say what the order is");
  if (opt.order && names_many (words))
    return sd_tool_usage ("--order is that of one ending; --layouts FILE has those of many");
  if (opt.csv && opt.json)
    return sd_tool_usage ("--csv and --json exclude each other");
  if (opt.quick && (opt.codecs || opt.set))
    return sd_tool_usage ("--quick gives the entropies only, and so excludes --codecs and --set");
  return SD_EXIT_OK;
}

static int run_limits (const sd_words *words) {
  sd_error err = { 0 };
  sd_limits_options how = { 0 };

  if (check_words (words) != SD_EXIT_OK)
    return SD_EXIT_USAGE;
  if (read_words (&how, &err))
    return sd_tool_fail (&err);

  how.nearby = how.mixed = !opt.quick;
  how.codecs = opt.codecs ? opt.codecs : "huffman,lzma,repair,obdd";
  /* "none" is no codec; --quick leaves all but entropies out. */
  if (opt.quick || strcmp (how.codecs, "none") == 0)
    how.codecs = NULL;
  how.settings = opt.set;

  records = opt.json ? json_array () : NULL;
  if (opt.csv)
    puts ("ending,metric,side,order,numbering,slots,not_free,kind,of,bytes,at_least,model,cpu_seconds,why");

  sd_values *tables; /* of all endings: what one needs, the next may need */
  const enum sd_metric of = opt.metric == SD_NO_METRIC ? SD_USUAL_EXACT : sd_metrics[opt.metric].exact;
  int st = sd_values_new (sd_tool_path (opt.tables), of, &tables, &err);

  for (int i = 0; st == SD_OK && i < words->n; i++)
    st = sd_array_is (words->at[i]) ? array (words->at[i], &how, &err)
                                    : endings (tables, words->at[i], &how, &err);

  sd_values_free (tables);
  sd_json_rows (records, SD_OK);
  return sd_tool_finish (st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err));
}

const sd_command sd_cmd_limits = {
  "limits", run_limits, options, .args = "ENDING|all-N|FILE.sda...", .threads = true,
};
