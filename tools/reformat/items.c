/* What is to be made: the words of the command as a list of files (sd_item), each with the source of its
 * values, the file that it is made of, and the path of the new file. Words are endings or slices, files whose
 * values are taken, or arrays. Nothing is written here: what is wrong with any word is told before the first
 * file is made. */
#include "config.h"
#include "array/array.h"
#include "table/table_internal.h"
#include "tools/reformat/batch.h"
#include <stdlib.h>
#include <string.h>

/* In the order of the bits SD_TO_SDT, SD_TO_RTBW, SD_TO_RTBZ. */
const sd_target sd_targets[] = {
  { "sdt", "tables of this program", SD_NO_METRIC, sd_sdt_plan, sd_sdt_make },
  { "rtbw", "results under the 50-move rule as a file of Syzygy, which engines read", SD_WDL50, sd_rtb_plan,
    sd_rtb_make },
  { "rtbz", "plies to zeroing as a file of Syzygy", SD_DTZ50, sd_rtb_plan, sd_rtb_make },
  { 0 }
};

/* A file that was named, and what it holds. */
typedef struct given {
  const char *path;
  bool syzygy;           /* values are read from Syzygy files, this one or those beside it */
  enum sd_metric metric; /* of the values that stand in it */
} given;

bool sd_reformat_is_syzygy (const char *path) {
  const char *dot = strrchr (path, '.');
  unsigned t = 1; /* behind this program's own */
  while (sd_targets[t].name && (!dot || strcmp (dot + 1, sd_targets[t].name) != 0))
    t++;
  return sd_targets[t].name != NULL;
}

/* The folder of the file that was named comes first. g NULL: endings are named, not files. *out: the folders
 * that values come from, shared by all items of the same path, so that tables are opened once. It belongs to
 * the batch. */
static int source_of (sd_batch *r, const given *g, sd_origin **out, sd_error *err) {
  const char *tables = g && !r->opt->tables ? "" : g ? r->opt->tables : sd_tool_path (r->opt->tables);
  char folder[4096] = "", path[sizeof (*out)->path];

  if (g)
    sd_tool_folder_of (g->path, folder);
  if (*tables && strchr (folder, ':')) /* it would be looked for as several folders */
    *folder = 0;
  if (snprintf (path, sizeof path, "%s%s%s", folder, *folder && *tables ? ":" : "", tables)
      >= (int) sizeof path)
    return sd_fail (err, SD_EINVAL, "%s: the path is too long", tables);

  for (unsigned i = 0; i < r->nsources; i++)
    if (strcmp (r->source[i]->path, path) == 0) {
      *out = r->source[i];
      return SD_OK;
    }

  *out = sd_alloc0 (1, sizeof **out);
  if (!*out || !sd_grow (&r->source, &r->room_sources, r->nsources + 1)) {
    free (*out);
    return sd_fail_memory (err, sizeof **out);
  }
  strcpy ((*out)->path, path);
  r->source[r->nsources++] = *out;
  return SD_OK;
}

/* The metrics that Syzygy files tell, as words of an option. */
static const char *told_word (unsigned i) {
  unsigned m = 0;
  while (m < SD_METRICS && (!sd_metric_made_of ((enum sd_metric) m, SD_DTZ50) || i-- > 0))
    m++;
  return sd_tool_metric_word (m);
}

/* Of the new file. Values that stand in a file must tell it. The format may have one metric only; else
 * --metric says it; else it is that of the file, and of endings WDL. */
static int find_metric (const sd_reformat *opt, const given *g, sd_item *it, sd_error *err) {
  const enum sd_metric own = g ? g->metric : SD_WDL;

  it->metric = it->to->metric != SD_NO_METRIC ? it->to->metric
               : opt->metric != SD_NO_METRIC  ? opt->metric
                                              : own;

  const char *name = sd_metrics[it->metric].name;
  char expected[200];
  sd_tool_expected (told_word, name, expected, sizeof expected);

  /* Three mistakes: Syzygy files that do not tell the metric, plies of a .rtbw file, and exact values of
   * another metric than the new one is made of. */
  if (g && g->syzygy && !sd_metric_made_of (it->metric, SD_DTZ50))
    return sd_fail (err, SD_EINVAL, "--metric %s: %s, which Syzygy files tell", name, expected);
  if (g && g->syzygy && it->to == sd_targets && it->metric == SD_DTZ50 && own != SD_DTZ50)
    return sd_fail (err, SD_EINVAL, "--metric dtz50: plies stand in the .rtbz file; name that one");
  if (g && !g->syzygy && sd_metrics[it->metric].exact != own)
    return sd_fail (err, SD_EINVAL, "%s: holds %s; %s is made of exact values of %s", g->path,
                    sd_metrics[own].name, name, sd_metrics[sd_metrics[it->metric].exact].name);
  return SD_OK;
}

/* The file that the values come from: that which was named, if it is of the same metric, else what is found
 * on the path. An exact table that is not there is told when it is to be read. */
static int find_from (sd_item *it, const given *g, sd_error *err) {
  SD_OWNED char *found = NULL;
  const char *from = NULL;

  if (it->named && g && (!it->syzygy || it->to == sd_targets || g->metric == it->metric))
    from = g->path;
  /* Of Syzygy files that of the metric's kind, else the exact table that the metric is made of. */
  for (unsigned metric = 0; metric < SD_METRICS && !from; metric++) {
    const sd_holding what = { it->subject.game, it->subject.material, (enum sd_metric) metric };
    if (it->syzygy
            ? metric == (it->metric == SD_DTZ50 ? SD_DTZ50 : SD_WDL50)
            : sd_metric_made_of (it->metric, (enum sd_metric) metric) && sd_metrics[metric].exact == metric)
      SD_TRY (sd_path_find_table (it->source->path, &what, it->syzygy, &found, err));
    from = found;
  }

  if (from || !it->syzygy)
    return snprintf (it->from, sizeof it->from, "%s", from ? from : "") < (int) sizeof it->from
               ? SD_OK
               : sd_fail (err, SD_EINVAL, "%s: the path is too long", from);
  /* The Syzygy file is not there: under the name that it would have it is told to be missing. */
  char folder[4000];
  sd_tool_first_folder (it->source->path, folder, sizeof folder);
  snprintf (it->from, sizeof it->from, "%s/%s.rtb%c", folder, it->name, it->metric == SD_DTZ50 ? 'z' : 'w');
  return SD_OK;
}

/* Of the new file: --output is its folder or itself; else it stands beside the file that was named, or in the
 * first folder of the path. */
static int find_path (const sd_reformat *opt, const given *g, sd_item *it, sd_error *err) {
  char file[SD_GAME_FILE_NAME], folder[4096];
  const char *out = opt->out;

  if (it->to == sd_targets)
    sd_subject_file_name (&it->subject, it->metric, file);
  else
    snprintf (file, sizeof file, "%s.%s", it->name, it->to->name);

  const bool itself = out && (sd_format_names (out) || sd_array_is (out));
  if (itself && strcmp (basename (out), file) != 0)
    return sd_fail (err, SD_EINVAL, "--output %s: a table of this ending is found as %s only", out, file);

  if (g)
    sd_tool_folder_of (g->path, folder);
  else
    sd_tool_first_folder (it->source->path, folder, sizeof folder);
  snprintf (it->row.name, sizeof it->row.name, "%s", file);
  return snprintf (it->path, sizeof it->path, itself ? "%s" : "%s/%s", out ? out : folder, file)
                 < (int) sizeof it->path - 100
             ? SD_OK
             : sd_fail (err, SD_EINVAL, "%s: the path is too long", out ? out : folder);
}

/* Is the new file one of the list already? "KRvK.wdl.sdt" named twice is one file; two files whose values
 * would go into one are a mistake. */
static int is_there (const sd_batch *r, const sd_item *it, bool *is, sd_error *err) {
  *is = false;
  for (unsigned i = 0; i < r->n && !*is; i++)
    if (strcmp (r->item[i].path, it->path) == 0) {
      *is = true;
      if (strcmp (r->item[i].from, it->from))
        return sd_fail (err, SD_EINVAL, "%s and %s: both would become %s", r->item[i].from, it->from,
                        it->path);
    }
  return SD_OK;
}

/* The files of a slice in each format that is asked for. */
static int add (sd_batch *r, const given *g, sd_slice slice, bool named, sd_error *err) {
  sd_origin *source;

  SD_TRY (source_of (r, g, &source, err));
  /* Without --to each Syzygy file is made in its own format, by its metric. */
  for (unsigned t = 0; sd_targets[t].name; t++) {
    if (r->opt->to ? !(r->opt->to >> t & 1) : sd_targets[t].metric != g->metric)
      continue;
    if (!sd_grow (&r->item, &r->room, r->n + 1))
      return sd_fail_memory (err, 0);
    sd_item *it = &r->item[r->n];
    bool there;
    *it = (sd_item){
      .to = &sd_targets[t], .source = source, .slice = slice, .named = named, .syzygy = g && g->syzygy
    };
    /* From what it is, in this order: metric, source, path. Each looks at what was found before. */
    r->rules.kind->slice_name (r->rules.ctx, slice, it->name);
    SD_TRY (sd_rules_subject (&r->rules, slice, &it->subject, err));
    SD_TRY (find_metric (r->opt, g, it, err));
    SD_TRY (find_from (it, g, err));
    SD_TRY (find_path (r->opt, g, it, err));
    /* A .rtbw file has a part for each side to move. */
    it->weight = sd_task_weight (&it->subject.material)
                 * (1 + (t == 1 && !sd_material_symmetric (&it->subject.material)));
    SD_TRY (is_there (r, it, &there, err));
    r->n += !there;
  }
  return SD_OK;
}

/* Those slices, with all that they lead to if asked for, each behind those that it leads to. `named` tells
 * later which tables may be kept though they were made otherwise: those that nobody named. */
static int add_all (sd_batch *r, const given *g, const sd_slices *want, sd_error *err) {
  sd_slice *all = want->at;
  unsigned n = want->n;

  if (r->opt->successors)
    SD_TRY (sd_rules_order (&r->rules, want->at, want->n, &all, &n, err));

  int st = SD_OK;
  for (unsigned i = 0; i < n && st == SD_OK; i++) {
    bool named = false;
    for (unsigned k = 0; k < want->n; k++)
      named |= want->at[k] == all[i];
    st = add (r, g, all[i], named, err);
  }
  if (all != want->at)
    free (all);
  return st;
}

/* What a table says of itself must be what its name says in its format: by that it is found. */
static int check_name (const char *path, const sd_holding *is, sd_error *err) {
  char file[SD_GAME_FILE_NAME];
  sd_holding named;
  const sd_format *f = sd_format_of (basename (path), &named);
  /* The name is that of another table, or of none in the format that is written here. */
  const bool other = f && !sd_holding_equal (&named, is);
  f = f ? f : sd_formats[0];
  if (f->file_name (is, file) && strcmp (basename (path), file) == 0)
    return SD_OK;
  if (other)
    return sd_fail (err, SD_EFORMAT, "%s: it holds another table than its name says: that of %s", path, file);
  return sd_fail (err, SD_EFORMAT, "%s: this table is found under the name %s only: rename it", path, file);
}

/* What an own table says in its header: metric, game, slice. Its streams are compared when it is read. */
static int look_into (sd_batch *r, given *g, sd_slice *slice, sd_error *err) {
  sd_table *t;
  sd_table_info in;
  sd_holding is;
  SD_TRY (sd_table_open (g->path, 0, &t, err));
  sd_table_describe (t, &in);
  sd_table_close (t);
  sd_table_holding (&in, &is);
  g->metric = in.metric;
  SD_TRY (check_name (g->path, &is, err));
  const char *game = sd_game_of_table (&in);
  if (strcmp (game, r->rules.kind->name) != 0)
    return sd_fail (err, SD_EINVAL, "%s: is a table of %s: --game %s", g->path, game, game);
  return sd_rules_slice_of_table (&r->rules, &in, slice, err);
}

/* A file that was named and is not of a format that is read; names of endings and slices have no dot. */
static int check_foreign (const char *word, sd_error *err) {
  char known[80] = "";
  if (!strpbrk (word, "./") || !sd_file_exists (word))
    return SD_OK;
  for (const sd_format *const *f = sd_formats; *f; f++)
    sd_text_list (known, sizeof known, ".%s", (*f)->name);
  return sd_fail (
      err, SD_EINVAL,
      "%s: is no table that is read: names of their files end in %s; 'subdef import' takes arrays "
      "of numbers",
      word, known);
}

/* Of a Syzygy file the name tells ending and kind; what stands in it is compared with that when it is
 * read. */
static int add_file (sd_batch *r, const char *path, sd_error *err) {
  given g = { .path = path, .syzygy = !r->opt->to || sd_reformat_is_syzygy (path) };
  sd_slice slice;
  sd_material m;
  enum sd_syzygy_kind kind;
  char name[16];

  if (!g.syzygy)
    SD_TRY (look_into (r, &g, &slice, err));
  else if (!sd_syzygy_name_parse (basename (path), &m, &kind))
    return sd_fail (err, SD_EINVAL,
                    "%s: expected the name of a Syzygy file, the stronger side first, e.g. KRvKP.rtbw", path);
  else {
    g.metric = kind == SD_SYZYGY_WDL ? SD_WDL50 : SD_DTZ50;
    sd_material_name (&m, name);
    SD_TRY (sd_rules_slice (&r->rules, name, &slice, err));
  }
  return add_all (r, &g, &(sd_slices){ &slice, 1 }, err);
}

/* Arrays are parted by their names: of each a file of the same name is made. */
static int add_arrays (sd_batch *r, sd_error *err) {
  for (int i = 0; i < r->opt->words.n; i++) {
    bool there;
    if (!sd_grow (&r->item, &r->room, r->n + 1))
      return sd_fail_memory (err, 0);
    SD_TRY (sd_array_item (r->opt, r->opt->words.at[i], &r->item[r->n], err));
    SD_TRY (is_there (r, &r->item[r->n], &there, err));
    r->n += !there;
  }
  return SD_OK;
}

/* Files are added at once. Endings are collected in name[], which has room for all words, to be ordered
 * together. */
static int add_words (sd_batch *r, char **name, sd_error *err) {
  const sd_reformat *opt = r->opt;
  unsigned n = 0;

  for (int i = 0; i < opt->words.n; i++)
    if (sd_tool_is_list (opt->words.at[i])) /* "syzygy/" and a star names it, too */
      continue;
    else if (!opt->to || sd_format_names (opt->words.at[i]))
      SD_TRY (add_file (r, opt->words.at[i], err));
    else {
      SD_TRY (check_foreign (opt->words.at[i], err));
      name[n++] = opt->words.at[i];
    }
  /* Files alone, or only lists of what was made: there is nothing left to add. */
  if (opt->words.n && !n && !opt->men)
    return SD_OK;
  sd_slices want;
  SD_TRY (sd_rules_wanted (&r->rules, name, n, opt->men, &want, err));
  const int st = add_all (r, NULL, &want, err);
  free (want.at);
  return st;
}

/* Is the file the one that the values come from? Written anew it would be a recoded table in place of the
 * exact one. */
bool sd_item_in_place (const sd_item *it) {
  return sd_tool_same_file (it->path, it->from);
}

int sd_items_take (sd_batch *r, sd_error *err) {
  if (r->opt->arrays)
    return add_arrays (r, err);
  SD_OWNED char **name = sd_alloc ((uint64_t) r->opt->words.n + 1, sizeof *name);
  if (!name)
    return sd_fail_memory (err, 0);
  SD_TRY (add_words (r, name, err));
  for (unsigned i = 0; i < r->n && !r->opt->overwrite && !r->opt->in_place && !r->opt->estimate; i++)
    if (sd_item_in_place (&r->item[i])) /* told before any of the files is made */
      return sd_fail (
          err, SD_EIO,
          "%s: is the table that is to be recoded; -f overwrites it, --output names another folder",
          r->item[i].path);
  return SD_OK;
}
