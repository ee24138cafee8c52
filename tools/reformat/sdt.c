/* Tables of any game in the project's own format: how they are coded, as options, files and searches say, and
 * what must be there to read them. sd_sdt_plan says what is asked for before it is known whether the file is
 * there; sd_sdt_make makes it, with sd_sdt_choose called once the values are loaded, for only then can a
 * search begin. */
#include "config.h"
#include "experiments/experiments.h"
#include "table/table_internal.h"
#include "tools/reformat/batch.h"
#include <string.h>

enum { PLIES_MEN = 4, DIAGRAM_MEN = 6 }; /* the most for which diagrams are made by default: plies, others */
enum { FIXED_MEN = 4 }; /* the most with which a layout that nobody chose is the same for all */

/* A coding that tables of the metric do not have. */
static int no_such_coding (const char *coding, enum sd_metric metric, bool game, sd_error *err) {
  char known[80] = "";
  for (unsigned c = 0; c < SD_CODINGS; c++)
    if (sd_metric_takes (metric, (enum sd_coding) c, game))
      sd_text_list (known, sizeof known, "%s", sd_codings[c].name);
  return sd_fail (err, SD_EINVAL, "--coding %s: tables of the metric %s have: %s", coding,
                  sd_metrics[metric].name, known);
}

/* The same for both sides to move. */
static int take_codec (const char *name, const char *set, sd_table_spec *spec, sd_error *err) {
  for (unsigned s = 0; s < 2; s++)
    SD_TRY (sd_tool_codec (name, set, &spec->side[s].codec, &spec->side[s].settings, err));
  return SD_OK;
}

/* What nobody chose: all, and of WDL what is evident, else checks where both sides to move are stored. Tables
 * become smaller, and probes of positions in check take longer (papers/obdd, "Positions in check"). Of WDL a
 * slot is not free by lesser promotions: few slots are, and a probe would look at three more promotions of
 * each pawn, and at the answers to each. */
static void free_more (bool smallest, sd_table_spec *spec) {
  const unsigned possible = sd_freedom_of_coding (spec->coding);
  if (possible & SD_FREE_EVIDENT)
    spec->freedom |= SD_FREE_EVIDENT | (smallest ? 0 : possible & SD_FREE_QUEEN);
  else if (sd_sides_both (spec->sides))
    spec->freedom |= SD_FREE_CHECK & possible;
}

int sd_sdt_common (const sd_reformat *opt, const sd_game_kind *kind, enum sd_metric metric,
                   sd_table_spec *spec, sd_error *err) {
  const bool moves = kind->recode != NULL; /* DTM may leave WDL to another table */

  memset (spec, 0, sizeof *spec);
  spec->metric = metric;
  spec->parts = opt->parts;
  spec->coding = sd_metric_coding (metric, !moves);
  /* sd_coding_find gives SD_NO_CODING for a word that is none, which no metric takes. */
  const enum sd_coding asked = opt->coding ? sd_coding_find (opt->coding) : spec->coding;
  if (!sd_metric_takes (metric, asked, !moves))
    return no_such_coding (opt->coding, metric, !moves, err);
  spec->coding = asked;

  const char *freedom = opt->freedom ? opt->freedom : kind->recode ? "all" : "illegal";
  SD_TRY (sd_freedom_parse (freedom, &spec->freedom, err));
  /* "all" is as much as the game has; a source that is named and that it does not have is a mistake. */
  if (strcmp (freedom, "all") == 0)
    spec->freedom &= kind->freedom | SD_FREE_ILLEGAL;
  if (spec->freedom & ~(kind->freedom | SD_FREE_ILLEGAL)) {
    char known[120];
    sd_freedom_text (kind->freedom | SD_FREE_ILLEGAL, known, sizeof known);
    return sd_fail (err, SD_EINVAL, "--freedom %s: tables of %s know only %s", opt->freedom, kind->name,
                    known);
  }

  if (sd_freedom_choose (spec->metric, spec->coding, spec->freedom, &spec->freedom, err))
    return sd_error_prefix (err, "--freedom %s", freedom), SD_EINVAL;
  if (opt->sides && sd_sides_parse (opt->sides, &spec->sides, err))
    return sd_error_prefix (err, "--sides"), SD_EINVAL;
  /* Behind the sides, which decide whether checks can be free. */
  if (!opt->freedom && moves)
    free_more (opt->best, spec);
  return take_codec (opt->codec, opt->set, spec, err);
}

/* Does no option choose codec or settings? A search within a budget starts from what is made without one. */
static bool is_default (const sd_reformat *opt) {
  return !opt->codec && !opt->set && (!opt->best || opt->budget > 0) && !opt->sweep && !opt->layouts;
}

/* Is the leader of the default's diagrams chosen by slices? It matters more than any numbering, which is
 * fixed: KRNvKR, WDL, takes 712,818 bytes where White's king leads both sides. */
static bool ranks_leaders (const sd_reformat *opt, const sd_material *m, enum sd_metric metric) {
  return is_default (opt) && !opt->numbering && !sd_metrics[metric].plies
         && sd_material_men (m) <= DIAGRAM_MEN;
}

/* Is the order chosen by a sample? Of plies other codecs than diagrams gain more by it than by any setting
 * (papers/orders). */
static bool ranks_orders (const sd_reformat *opt, enum sd_metric metric) {
  const sd_codec *codec = opt->codec ? sd_codec_find (opt->codec) : NULL;
  return sd_metrics[metric].plies && !(codec && codec->trials.whole) && !opt->best && !opt->sweep
         && !opt->layouts && !(opt->sides && strcmp (opt->sides, "joint") == 0);
}

enum sd_ranks sd_sdt_ranks (const sd_reformat *opt, const sd_material *m, enum sd_metric metric) {
  if (opt->order || sd_material_men (m) <= FIXED_MEN)
    return SD_RANKS_NOTHING;
  return ranks_leaders (opt, m, metric) ? SD_RANKS_LEADERS
         : ranks_orders (opt, metric)   ? SD_RANKS_ORDERS
                                        : SD_RANKS_NOTHING;
}

/* What nobody chose: diagrams, in the numbering that suits them, which are quick to look up. Of WDL they are
 * smaller than RE-PAIR, and no larger than Syzygy's file, in each ending that was tried; of plies smaller
 * than the exact table in each of the 35 endings, as RE-PAIR is not (papers/obdd/defaults.csv, five.csv).
 * With more men plies take too long for a default; seven men are more bits than a diagram can have. */
static int take_default (const sd_reformat *opt, const sd_material *m, const char **numbering,
                         sd_table_spec *spec, sd_error *err) {
  /* *numbering: of --numbering, else that which goes with the default codec; NULL: rows. */
  const bool chosen = !is_default (opt), plies = sd_metrics[spec->metric].plies;
  *numbering = opt->numbering;
  if (chosen || sd_material_men (m) > (plies ? PLIES_MEN : DIAGRAM_MEN))
    return SD_OK;
  *numbering = opt->numbering ? opt->numbering : "folded";
  spec->sides = plies && !opt->sides ? SD_SIDES_JOINT : spec->sides;
  return take_codec ("obdd", plies ? "choices=256,pairs=256" : NULL, spec, err);
}

/* The layouts of a table, and what a row of a sweep or of a file has besides: all but what is searched
 * for. */
int sd_sdt_choose_plainly (const sd_reformat *opt, const sd_material *m, sd_table_spec *spec, sd_error *err) {
  const unsigned nsides = sd_material_symmetric (m) ? 1 : 2;
  const char *numbering;
  char order[24];
  uint64_t bytes;
  sd_layout plain;

  SD_TRY (take_default (opt, m, &numbering, spec, err));
  sd_layout_default (m, &plain);
  sd_layout_order_text (&plain, order);
  for (unsigned s = 0; s < nsides; s++)
    SD_TRY (sd_layout_parse (m, opt->order ? opt->order : order, numbering, &spec->side[s].layout, err));

  if (opt->layouts) /* codec and settings, too, where no option names them */
    SD_TRY (sd_layouts_find (opt->layouts, !opt->codec && !opt->set, !opt->freedom, spec, &bytes, err));
  /* The row decides all but the sides, which the options chose. */
  if (opt->sweep) {
    const unsigned sides = spec->sides;
    SD_TRY (sd_report_best (opt->sweep, m, spec->metric, opt->max_latency * 1e9, spec, err));
    spec->sides = sides;
  }
  return SD_OK;
}

/* The layouts, whose squares are numbered by rows, with another numbering. */
static int number (const char *numbering, sd_table_spec *spec, sd_error *err) {
  char order[24];
  for (unsigned s = 0; s < 2; s++)
    if (spec->side[s].layout.ngroups > 0) {
      sd_layout_order_text (&spec->side[s].layout, order);
      SD_TRY (sd_layout_parse (&spec->material, order, numbering, &spec->side[s].layout, err));
    }
  return SD_OK;
}

/* checks: of leaders alone, may the search choose which checks are free? */
int sd_sdt_rank (const sd_reformat *opt, const sd_values *values, const sd_exact *e, bool checks,
                 sd_search_report *report, sd_table_spec *spec, sd_error *err) {
  const enum sd_ranks what = sd_sdt_ranks (opt, &e->material, spec->metric);
  const sd_search_options quick = { .report = report,
                                    .checks = checks && what == SD_RANKS_LEADERS,
                                    .fixed_codec = true,
                                    .quick = true,
                                    .large = what == SD_RANKS_ORDERS ? 1 : 0 };
  if (what == SD_RANKS_NOTHING)
    return SD_OK;
  SD_TRY (sd_table_search (values, e, &quick, spec, &sd_terminal, err));
  return what == SD_RANKS_ORDERS && opt->numbering ? number (opt->numbering, spec, err) : SD_OK;
}

/* What is made without a search is where it begins. An interruption ends the search and not the program. */
static int search_within (sd_batch *r, const sd_values *values, const sd_exact *e, sd_search_options *how,
                          sd_table_spec *spec, sd_error *err) {
  const sd_reformat *opt = r->opt;
  sd_progress progress = sd_terminal;
  sd_search_budget *b = r->budget = r->budget ? r->budget : sd_alloc0 (1, sizeof *b);
  if (!b)
    return sd_fail_memory (err, sizeof *b);
  sd_batch_forget_streams (r);
  *b = (sd_search_budget){ .begin = sd_cpu_now () };
  b->end = b->begin + opt->budget;
  how->budget = b;
  how->may_share = !opt->sides;
  progress.stop = sd_tool_interrupted;
  sd_tool_catch_interrupt (true);
  int status = sd_sdt_rank (opt, values, e, false, &r->found, spec, err);
  if (status == SD_OK)
    status = sd_table_search (values, e, how, spec, &progress, err);
  sd_tool_catch_interrupt (false);
  return status;
}

void sd_batch_forget_streams (sd_batch *r) {
  for (unsigned i = 0; i < 2 && r->budget; i++)
    sd_buf_free (&r->budget->stream[i]);
}

int sd_sdt_choose (void *ctx, sd_values *values, const sd_exact *e, sd_table_spec *spec, sd_error *err) {
  sd_batch *r = ctx;
  const sd_reformat *opt = r->opt;
  sd_search_options how = { .max_latency = opt->max_latency,
                            .report = &r->found,
                            .checks = !opt->freedom,
                            .fixed_codec = opt->set || opt->codec,
                            .fixed = opt->set };

  SD_TRY (sd_sdt_choose_plainly (opt, &e->material, spec, err));
  if (opt->statistics)
    SD_TRY (sd_exact_statistics (e, spec->metric, &sd_terminal, r->statistics, err));
  if (opt->budget > 0)
    return search_within (r, values, e, &how, spec, err);
  if (opt->best)
    return sd_table_search (values, e, &how, spec, &sd_terminal, err);
  return sd_sdt_rank (opt, values, e, !opt->freedom, &r->found, spec, err);
}

/* The spec as a text, which is the same for the same table. It stands in the list of what was made, by which
 * the next run knows what is there: a part of the spec that is not in it would keep a table that is another
 * one. Of a search its conditions stand for the outcome. */
static void describe (const sd_reformat *opt, const sd_table_spec *spec, char *out, size_t cap) {
  char freedom[120], settings[400], order[24], numbering[24];

  sd_freedom_text (spec->freedom, freedom, sizeof freedom);
  size_t n = (size_t) snprintf (out, cap, "reformat %s %s %s %s", sd_metrics[spec->metric].name,
                                sd_codings[spec->coding].name, freedom, sd_sides_row (spec->sides)->name);
  const enum sd_ranks ranks = sd_sdt_ranks (opt, &spec->material, spec->metric);
  if (!opt->freedom && (opt->best || ranks == SD_RANKS_LEADERS))
    n += (size_t) snprintf (out + n, cap - n, " checks by side");

  if (opt->best)
    n += (size_t) snprintf (out + n, cap - n, " best %g %s %s", opt->max_latency,
                            opt->codec ? opt->codec : "any", opt->set ? opt->set : "");
  if (opt->budget > 0)
    snprintf (out + n, cap - n, " budget %g", opt->budget);

  if (opt->parts)
    n += (size_t) snprintf (out + n, cap - n, " parts %u", opt->parts);
  if (!opt->best && ranks != SD_RANKS_NOTHING)
    n += (size_t) snprintf (out + n, cap - n, ranks == SD_RANKS_LEADERS ? " leaders" : " orders");

  for (unsigned s = 0; !opt->best && s < 2 && n < cap; s++) {
    const bool laid_out = spec->side[s].layout.ngroups > 0;
    sd_settings_text (&spec->side[s].settings, settings, sizeof settings);
    if (laid_out) {
      sd_layout_order_text (&spec->side[s].layout, order);
      sd_layout_numbering_text (&spec->side[s].layout, numbering);
    }
    n += (size_t) snprintf (out + n, cap - n, " %s %s %s %s", spec->side[s].codec->name, settings,
                            laid_out ? order : "-", laid_out ? numbering : "-");
  }
}

/* A dtm table that is complete by itself, or a file that cannot be opened and is left to the caller. */
static bool holds_results (const char *path) {
  SD_OWN (sd_table) *t = NULL;
  sd_table_info in;
  if (sd_table_open (path, 0, &t, NULL))
    return false;
  sd_table_describe (t, &in);
  return sd_codings[in.coding].needs == SD_NO_METRIC;
}

/* A table whose coding needs that of another metric (DTM as moves) is told if the folder has none: *alone. It
 * does not take the place of a table that is complete by itself. */
static int check_results (const sd_item *it, bool *alone, sd_error *err) {
  const sd_holding what = { it->subject.game, it->subject.material, sd_codings[it->spec.coding].needs };
  char folder[4096], file[SD_GAME_FILE_NAME], other[4200];

  *alone = what.metric != SD_NO_METRIC;
  /* In either format: an .rtbw file tells the results, too. */
  sd_tool_folder_of (it->path, folder);
  for (unsigned syzygy = 0; syzygy < 2 && *alone; syzygy++) {
    sd_holding_name (&what, syzygy, file);
    snprintf (other, sizeof other, "%s/%s", folder, file);
    *alone = !sd_file_exists (other);
  }

  if (*alone && sd_file_exists (it->path) && holds_results (it->path))
    return sd_fail (
        err, SD_EIO,
        "%s: holds WDL as well, which --coding moves would drop, and %s has no WDL table of this ending: "
        "reformat --metric wdl first, or take --coding signed or another folder",
        it->path, folder);
  return SD_OK;
}

/* It needs the table of another metric beside it, which is not there. */
static void note_alone (const sd_item *it) {
  const enum sd_metric needs = sd_codings[it->spec.coding].needs;
  char file[SD_GAME_FILE_NAME];
  sd_subject_file_name (&it->subject, needs, file);
  sd_tool_note ("%s holds no %s; it is read together with %s ('subdef reformat --metric %s')", it->path,
                sd_metrics[needs].title, file, sd_metrics[needs].name);
}

int sd_reformat_how (const sd_reformat *opt, const sd_rules *rules, const sd_table_spec *subject,
                     enum sd_metric metric, char *out, size_t cap, sd_error *err) {
  sd_table_spec plain;
  SD_TRY (sd_sdt_common (opt, rules->kind, metric, &plain, err));
  plain.material = subject->material;
  if (rules->kind->recode)
    SD_TRY (sd_sdt_choose_plainly (opt, &plain.material, &plain, err));
  describe (opt, &plain, out, cap);
  return SD_OK;
}

/* it->spec stays without layouts, which are chosen again when the table is made; in between they are only
 * described. */
int sd_sdt_plan (sd_batch *r, sd_item *it, sd_error *err) {
  SD_TRY (sd_sdt_common (r->opt, r->rules.kind, it->metric, &it->spec, err));
  if (r->opt->memory > 0 && (it->syzygy || it->spec.game.name[0]))
    return sd_fail (
        err, SD_EINVAL,
        "--memory bounds what chess tables take that are made of exact ones: of %s whole endings are in memory",
        it->syzygy ? "Syzygy files" : "other games");
  it->spec.memory = (uint64_t) r->opt->memory;
  it->spec.material = it->subject.material;
  return sd_reformat_how (r->opt, &r->rules, &it->subject, it->metric, it->row.how, sizeof it->row.how, err);
}

int sd_sdt_make (sd_batch *r, sd_item *it, sd_error *err) {
  const sd_chooser how = { r, sd_sdt_choose, &sd_terminal, NULL };
  bool alone;
  SD_TRY (check_results (it, &alone, err));
  it->spec.parts_of = it->row.from.sum;
  it->spec.parts_since = it->since;
  SD_TRY (it->syzygy ? sd_sdt_from_syzygy (r, it, err)
                     : sd_game_tables_recode (it->source->exact, it->slice, &it->spec, &how, it->path, err));
  for (unsigned s = 0; s < 2; s++)
    it->spec.side[s].coded = NULL; /* its streams go */
  sd_batch_forget_streams (r);
  if (alone && !r->opt->quiet)
    note_alone (it);
  return SD_OK;
}
