/* subdef probe: what is known of positions, and of their moves. Positions are arguments, lines of standard
 * input ("-") or of a file. On a terminal a position is drawn as a board, elsewhere it is lines for scripts;
 * --json writes a record a line. --metric leads to stream.c, which answers very many positions with a value a
 * line. Exit status 1: of some position or move nothing is known; what is missing is told at the end, with
 * the command that makes it. */
#include "config.h"
#include "tools/probe/answers.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  const char *tables, *game, *input;
  bool json, line, pgn, board, lines; /* of these at most one says how to print; line goes with any */
  enum sd_metric metric;              /* SD_NO_METRIC: all that is known */
  unsigned threads;
} opt = { .metric = SD_NO_METRIC, .threads = 1 };

static const sd_option options[] = {
  { "tables", .text = &opt.tables },
  { "game", 0, NULL, "positions of another game than chess (subdef gen --help lists them)",
    .text = &opt.game },
  { "line", 'l', NULL, "the best line of both sides as well, with DTM tables up to mate", .flag = &opt.line },
  { "pgn", 0, NULL, "the best line as a game of PGN, and nothing else", .flag = &opt.pgn },
  { "json", 0, NULL, "one JSON object a line", .flag = &opt.json },
  { "board", 'b', NULL,
    "draw the board, and moves as people write them (default where the output is a terminal)",
    .flag = &opt.board },
  { "lines", 0, NULL, "the position, its value and a line a move (default elsewhere)", .flag = &opt.lines },
  { "metric", 0, NULL, "the values alone, a line a position; of chess", .metric = &opt.metric },
  { "threads", 'T', "N", "with --metric: threads that share the work (default: 1)", .count = &opt.threads,
    .least = 1, .most = 256 },
  { "input", 'i', "FILE", "positions from a file, a line each", .text = &opt.input, .expected = "a file" },
  { 0 },
};

enum { BUDGET = 64 << 20 }; /* bytes of decoded values */

/* What is asked of all positions. */
typedef struct asker {
  sd_sources prober;
  sd_missing missing;
  sd_look look;
  bool draws;         /* boards for the arguments */
  const char *beyond; /* why no table can hold a position, as it was told last */
  bool told_clock[2]; /* with [1] and without the 50-move rule */
} asker;

/* "fen" or "position": of records. */
static const char *key_of (const asker *p) {
  return sd_position_key (p->prober.rules->kind);
}

/* To the record if there is one, else to stdout. */
static void tell_line (asker *p, const sd_answer *a, json_t *record) {
  sd_line_of_play l;
  sd_error err = { 0 };

  if ((!opt.line && !opt.pgn) || (opt.pgn && !sd_answer_known (a))) /* a file of games stays one */
    return;
  /* The moves up to a damaged table are told all the same. */
  if (sd_line_find (a, &l, &err) != SD_OK)
    sd_tool_fail (&err);

  sd_missing_add (&p->missing, &l.missing);
  if (record) {
    json_object_set_new (record, "line_end", json_string (sd_line_end_name (&l)));
    json_object_set_new (record, "line", sd_line_json (a, &l));
  } else if (opt.pgn)
    sd_line_pgn (a, &l);
  else
    sd_line_text (a, &l);
  sd_line_free (&l);
}

/* A note about a half-move clock, once where tables know the 50-move rule and once where none does. */
static void tell_clock (asker *p, const sd_answer *a) {
  const bool rule = sd_known_has (&a->here, SD_WDL50);
  if (p->told_clock[rule])
    return;

  p->told_clock[rule] = a->clocks.halfmoves > 0;
  if (a->clocks.halfmoves > 0)
    sd_tool_note ("a half-move clock %s",
                  !rule ? "does not count where no table knows the 50-move rule"
                  : opt.json
                      ? "counts for the members \"category\" and \"best\" alone; values are for a clock of 0"
                      : "counts for best moves alone; values are for a clock of 0");
}

/* A note that no table can hold a position, not again where the next one has the same reason. */
static void tell_beyond (asker *p, const sd_answer *a) {
  const char *why = sd_answer_beyond (a);
  if (why && why != p->beyond)
    sd_tool_note ("%s: only moves that lead to positions of tables tell of others", why);
  p->beyond = why ? why : p->beyond;
}

/* What is missing is told at the end. */
static int say_answer (asker *p, sd_answer *a, const sd_given *g) {
  const bool drawn = p->draws && !g->line && !opt.pgn;

  if (!drawn) { /* a board tells it itself */
    tell_clock (p, a);
    tell_beyond (p, a);
  }

  if (opt.json) {
    json_t *record = sd_answer_json (a, g->text);
    tell_line (p, a, record);
    sd_json_line (record);
  } else {
    if (drawn)
      sd_answer_draw (a, g->text, p->look);
    else if (!opt.pgn)
      sd_answer_lines (a, g->text);
    tell_line (p, a, NULL);
  }
  /* Something is known, but a table was damaged on the way. */
  if (a->why.status != SD_OK && a->why.status != SD_ENOENT) {
    sd_error_prefix (&a->why, "%.200s", g->text);
    sd_tool_fail (&a->why);
  }
  return sd_answer_known (a) && a->unknown == 0 ? SD_EXIT_OK : SD_EXIT_FAILED;
}

/* As sd_tool_positions calls it. */
static int probe (void *ctx, const sd_given *g) {
  asker *p = ctx;
  sd_answer a;
  sd_error err = { 0 };
  /* Also after a failure there is something to free, and tables may be missing. */
  int status = sd_answer_text (&p->prober, g->text, &a, &err);
  sd_missing_add (&p->missing, &a.missing);
  if (status != SD_OK) {
    err.status = status;
    status = sd_given_fail (g, key_of (p), opt.json, &a.missing, &err);
  } else
    status = say_answer (p, &a, g);
  sd_answer_free (&a);
  return status;
}

/* SD_EXIT_OK, or what is wrong with the options that were given together. */
static int check_options (const sd_words *words) {
  if (words->n == 0 && !opt.input)
    return sd_tool_usage ("no position is given; e.g. subdef probe '8/8/8/8/8/2k5/8/K6R w - - 0 1'");
  if (opt.metric != SD_NO_METRIC && (opt.game || opt.json || opt.line || opt.pgn || opt.board || opt.lines))
    return sd_tool_usage ("--metric gives values of chess alone, without --game, --json, --line, --pgn, "
                          "--board and --lines");
  if (opt.metric == SD_NO_METRIC && opt.threads != 1)
    return sd_tool_usage ("--threads is for --metric");
  if (opt.json + opt.pgn + opt.board + opt.lines > 1)
    return sd_tool_usage ("one of --json, --pgn, --board and --lines is possible");
  return SD_EXIT_OK;
}

static int probe_all (const sd_rules *r, const sd_words *words) {
  sd_game_tables *tables;
  sd_error err = { 0 };
  const bool chess = r->kind->board != NULL;
  const char *path = sd_tool_path (opt.tables);
  char command[400] = "subdef gen";

  if (!chess && (opt.board || opt.pgn))
    return sd_tool_usage ("--board and --pgn are for chess");

  if (sd_tool_note_absent (opt.tables, &err) != SD_OK
      || sd_game_tables_open (r, path, BUDGET, &tables, &err) != SD_OK)
    return sd_tool_fail (&err);

  asker p = { .prober = { r, tables }, .look = sd_look_of_stdout () };
  /* Of records nothing is drawn all the same: say_answer looks at --json first. */
  p.draws = chess && (opt.board || (!opt.lines && isatty (STDOUT_FILENO)));

  int status = sd_tool_positions (words->at, words->n, probe, &p);
  if (opt.input) {
    const int st = sd_tool_positions_of (opt.input, probe, &p);
    status = st ? st : status;
  }

  if (opt.game)
    snprintf (command, sizeof command, "subdef gen --game %.300s", opt.game);
  /* Of a game with a single slice the command needs no name behind it. */
  sd_missing_tell (&p.missing, path, command, r->kind->slice_of != NULL);
  sd_missing_free (&p.missing);
  sd_game_tables_close (tables);
  return status;
}

static int run_probe (const sd_words *words) {
  sd_rules r = { 0 };
  sd_error err = { 0 };
  int status = check_options (words);
  if (status != SD_EXIT_OK)
    return status;
  if (opt.metric != SD_NO_METRIC)
    return sd_stream_values (words, opt.input, &(sd_stream_options){ opt.tables, opt.metric, opt.threads });
  if (sd_tool_rules (opt.game, &r, &err) != SD_OK)
    return sd_tool_fail (&err);
  status = probe_all (&r, words);
  sd_rules_close (&r);
  return status;
}

const sd_command sd_cmd_probe = { "probe", run_probe, options, .args = "FEN...|POSITION...|-" };
