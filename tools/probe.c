/* subdef probe. */
#include "config.h"
#include "tools/positions.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const char *tables, *game;
  bool json;
  char **fen;
  int nfens;
} opt;

static const struct argp_option options[] = {
  { "tables", 'p', "DIR[:DIR]", 0, "where the tables are (default: SUBDEF_PATH, else the current folder)",
    0 },
  { "game", 'g', "NAME[:FILE]", 0, "positions of another game than chess: draughts, graph:FILE", 0 },
  { "json", 'j', NULL, 0, "one JSON object a line", 0 },
  { 0 },
};

static error_t parse (int key, char *arg, struct argp_state *state) {
  switch (key) {
  case 'j':
    opt.json = true;
    return 0;
  case 'g':
    opt.game = arg;
    return 0;
  case 'p':
    opt.tables = arg;
    return 0;
  case ARGP_KEY_ARGS:
    opt.fen = state->argv + state->next;
    opt.nfens = state->argc - state->next;
    return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

/* What is known of a position: nothing, or the result, and the distance where a dtm table is there. */
typedef struct known {
  bool is, have_dtm;
  int wdl;
  sd_value value;
} known;

typedef struct prober {
  const sd_tables *ts;
  const char *path;
  sd_missing missing;
  bool noted_clock;
} prober;

/* A position that has been looked at. */
typedef struct answer {
  sd_pos p;
  known here;
  unsigned n, unknown; /* moves; those of which nothing is known */
  struct {
    char name[6];
    known k; /* for the side that makes the move */
  } move[SD_MAX_MOVES];
  sd_missing missing; /* for this one */
  sd_error why;       /* the first failure */
} answer;

/* ------------------------------------------------------------------- looking up */

static bool is_there (const prober *pr, const sd_material *m, enum sd_metric metric, bool *looks,
                      bool *halves) {
  const sd_table *t = sd_tables_find (pr->ts, m, metric);
  sd_table_info in;
  if (!t)
    return sd_tool_on_path (pr->path, m, metric); /* a damaged one */
  sd_table_describe (t, &in);
  *halves |= sd_codings[in.coding].needs != SD_METRICS;
  *looks |= (in.freedom & (SD_FREE_CAPTURE | SD_FREE_PROMOTION)) || sd_table_info_by_moves (&in);
  return true;
}

/* Note what is missing of the ending m and, where its table rests on them, of those below. Ended by the
 * number of men and pawns; no ending is looked at twice that is there. */
static void note_missing (const prober *pr, answer *a, const sd_material *as_is, sd_missing *seen) {
  sd_material m, next[64];
  char name[16];
  bool looks = false, halves = false; /* halves: distances without results */
  sd_material_canonical (as_is, &m);
  sd_material_name (&m, name);
  if (sd_material_men (&m) < 3)
    return;
  const bool wdl = is_there (pr, &m, SD_WDL, &looks, &halves);
  const bool dtm = is_there (pr, &m, SD_DTM, &looks, &halves);
  if (!wdl && !dtm)
    sd_missing_note (&a->missing, name);
  if (!wdl && halves) {
    char file[32];
    sd_table_file_name (&m, SD_WDL, file);
    sd_missing_note (&a->missing, file);
  }
  const unsigned before = seen->n;
  sd_missing_note (seen, name);
  if (!looks || seen->n == before)
    return;
  const unsigned n = sd_material_successors (&m, next);
  for (unsigned i = 0; i < n; i++)
    note_missing (pr, a, &next[i], seen);
}

/* Look p up; what fails leaves k unknown and the reason in a. */
static int look_up (const prober *pr, const sd_pos *p, answer *a, known *k) {
  sd_error err = { 0 };
  *k = (known){ .is = true, .have_dtm = true };
  int status = sd_probe_dtm (pr->ts, p, &k->value, &err);
  if (status == SD_OK)
    k->wdl = sd_value_wdl (k->value);
  else if (status == SD_ENOENT) {
    k->have_dtm = false;
    status = sd_probe_wdl (pr->ts, p, &k->wdl, &err);
  }
  if (status == SD_OK)
    return status;
  k->is = k->have_dtm = false;
  if (status == SD_ENOENT) {
    sd_missing seen = { 0 };
    sd_material m;
    sd_material_of (p, &m);
    note_missing (pr, a, &m, &seen);
    sd_missing_free (&seen);
  }
  if (a->why.status == SD_OK
      || (a->why.status == SD_ENOENT && status != SD_ENOENT)) /* damage before absence */
    a->why = err;
  return status;
}

/* Plies to the end; meaningful for decided positions with a distance. */
static int plies (sd_value v) {
  return v > 0 ? v : -v - 1;
}

static int compare (const known *a, const known *b) { /* > 0: a is better for the side to move */
  if (!a->is || !b->is)
    return a->is - b->is;
  if (a->wdl != b->wdl)
    return a->wdl - b->wdl;
  if (a->wdl == 0) /* all draws are alike */
    return 0;
  if (!a->have_dtm || !b->have_dtm)
    return a->have_dtm - b->have_dtm;
  return sd_value_compare (a->value, b->value);
}

/* What the moves say about a position whose own tables do not: all of them, or one that wins. */
static void from_moves (answer *a) {
  if (a->n == 0)
    a->here = (known){ .is = true,
                       .have_dtm = true,
                       .wdl = sd_in_check (&a->p, a->p.stm) ? -1 : 0,
                       .value = sd_in_check (&a->p, a->p.stm) ? -1 : 0 };
  else if (a->unknown == 0 || a->move[0].k.wdl > 0) {
    a->here = a->move[0].k;
    a->here.have_dtm = a->unknown == 0;
    for (unsigned i = 0; i < a->n; i++)
      a->here.have_dtm &= a->move[i].k.have_dtm;
  }
}

static int look_at (const prober *pr, answer *a) {
  sd_move legal[SD_MAX_MOVES];
  if (look_up (pr, &a->p, a, &a->here) == SD_EINVAL) /* a position that no table can have */
    return SD_EINVAL;
  a->n = sd_moves (&a->p, SD_MOVES_ALL, legal);
  for (unsigned i = 0; i < a->n; i++) {
    sd_pos child;
    known *k = &a->move[i].k;
    sd_pos_apply (&a->p, &legal[i], &child);
    sd_move_name (&legal[i], a->move[i].name);
    look_up (pr, &child, a, k);
    k->wdl = -k->wdl;
    if (k->have_dtm)
      k->value = sd_value_back (k->value);
    a->unknown += !k->is;
  }
  for (unsigned i = 1; i < a->n; i++) /* best first, unknown ones last, stable */
    for (unsigned j = i; j > 0 && compare (&a->move[j].k, &a->move[j - 1].k) > 0; j--) {
      __typeof__ (a->move[0]) swap = a->move[j];
      a->move[j] = a->move[j - 1];
      a->move[j - 1] = swap;
    }
  if (!a->here.is)
    from_moves (a);
  return a->here.is || a->unknown < a->n ? SD_OK : a->why.status;
}

/* Can the moves be compared with each other? Not where one is unknown, nor where of those that lead to the
 * best result some have a distance and others have none. */
static bool comparable (const answer *a) {
  const known *first = &a->move[0].k;
  for (unsigned i = 0; i < a->n; i++) {
    const known *k = &a->move[i].k;
    if (!k->is || (k->wdl && k->wdl == first->wdl && k->have_dtm != first->have_dtm))
      return false;
  }
  return true;
}

/* Is there surely no better move? Where the moves cannot tell, the position does: by its distance if it has
 * one, else by its result alone. */
static bool is_best (const answer *a, unsigned i) {
  const known *k = &a->move[i].k;
  if (!k->is || comparable (a))
    return k->is && compare (k, &a->move[0].k) == 0;
  if (!a->here.is || k->wdl != a->here.wdl)
    return false;
  return !a->here.wdl || !a->here.have_dtm || (k->have_dtm && k->value == a->here.value);
}

/* ----------------------------------------------------------------------- saying */

static const char *word (const known *k) {
  static const char *const words[3] = { "lost", "drawn", "won" };
  return k->is ? words[k->wdl + 1] : "unknown";
}

static void say (const known *k) {
  printf ("%s", k->is ? word (k) : "?");
  if (k->have_dtm && k->wdl > 0)
    printf (", mates in %d move%s (%d plies)", (plies (k->value) + 1) / 2, plies (k->value) > 2 ? "s" : "",
            plies (k->value));
  else if (k->have_dtm && k->wdl < 0)
    printf (plies (k->value) ? ", mated in %d move%s (%d plies)" : ", mated", (plies (k->value) + 1) / 2,
            plies (k->value) > 2 ? "s" : "", plies (k->value));
}

static void say_json (const answer *a, const char *fen) {
  json_t *moves = json_array (), *all = json_object ();
  for (unsigned i = 0; i < a->n; i++) {
    const known *k = &a->move[i].k;
    json_t *m =
        json_pack ("{s:s, s:s, s:b}", "move", a->move[i].name, "result", word (k), "best", is_best (a, i));
    if (k->have_dtm && k->wdl)
      json_object_set_new (m, "plies", json_integer (plies (k->value)));
    json_array_append_new (moves, m);
  }
  json_object_set_new (all, "fen", sd_json_text (fen));
  json_object_set_new (all, "result", json_string (word (&a->here)));
  json_object_set_new (all, "wdl", a->here.is ? json_integer (a->here.wdl) : json_null ());
  json_object_set_new (all, "moves", moves);
  if (a->here.have_dtm && a->here.wdl)
    json_object_set_new (all, "plies", json_integer (plies (a->here.value)));
  sd_json_missing (all, &a->missing);
  sd_json_line (all);
}

static void say_text (const answer *a, const char *fen) {
  printf ("%s\n  ", fen);
  say (&a->here);
  putchar ('\n');
  for (unsigned i = 0; i < a->n; i++) {
    printf ("  %c %-5s  ", is_best (a, i) ? '*' : ' ', a->move[i].name);
    say (&a->move[i].k);
    putchar ('\n');
  }
  if (a->n == 0)
    puts (sd_in_check (&a->p, a->p.stm) ? "  checkmate" : "  stalemate");
}

static void note_clock (prober *pr, long clock) {
  if (clock <= 0 || pr->noted_clock)
    return;
  pr->noted_clock = true;
  fputs ("subdef: note: a half-move clock is not looked at: these values know no 50-move rule\n", stderr);
}

static int probe (void *ctx, const sd_given *g) {
  prober *pr = ctx;
  answer a = { .n = 0 };
  sd_error err = { 0 };
  long clock;
  int status = sd_given_position (g->text, &a.p, &clock, &err);
  if (status == SD_OK && (status = look_at (pr, &a)) != SD_OK)
    err = a.why;
  for (unsigned i = 0; i < a.missing.n; i++)
    sd_missing_note (&pr->missing, a.missing.name[i]);
  if (status == SD_ENOENT && !opt.json) { /* an answer as any other; what is missing is told at the end */
    printf ("%s\n  ?\n", g->text);
    status = SD_EXIT_FAILED;
  } else if (status != SD_OK)
    status = sd_given_fail (g, "fen", opt.json, &a.missing, &err);
  else {
    note_clock (pr, clock);
    (opt.json ? say_json : say_text) (&a, g->text);
    if (a.why.status != SD_OK && a.why.status != SD_ENOENT) { /* what is missing is told at the end */
      sd_error_prefix (&a.why, "%.200s", g->text);
      sd_tool_fail (&a.why);
    }
    status = a.unknown || !a.here.is ? SD_EXIT_FAILED : SD_EXIT_OK;
  }
  sd_missing_free (&a.missing);
  return status;
}

int sd_cmd_probe (int argc, char **argv) {
  static const struct argp a = {
    options,
    parse,
    "FEN...|POSITION...|-",
    "Result, distance to mate and all moves of positions, best moves first and marked '*'.\v"
    "'-' reads a position a line from standard input: FEN with or without clocks, or EPD with its "
    "operations; "
    "blank lines and lines that begin with '#' are passed over. Each other line gives one answer, with "
    "--json one "
    "record, {\"line\", \"fen\", \"error\"} where it failed; \"missing\" in it names the tables that are "
    "missing. Positions have at most 7 men and no castling rights; "
    "an en-passant right is honoured, a half-move clock is not: there is no 50-move rule. The distance needs "
    "the dtm tables; with wdl tables alone only the result is shown. For a "
    "mover the words "
    "say what the move leads to.\n\n"
    "Examples:\n"
    "  subdef probe --tables tables '8/8/8/8/8/2k5/8/K6R w - - 0 1'\n"
    "  subdef probe --json - < positions.fen\n"
    "  subdef probe --game draughts --tables tables W:WK1:BK32\n"
    "  subdef probe --game graph:race.txt --tables tables start\n\n"
    "A position of draughts: the side to move, then both sides' pieces by the numbers of their squares, K "
    "before kings; 1 to 4 is "
    "Black's first rank, 29 to 32 White's.",
    NULL,
    NULL,
    NULL
  };
  sd_tool_parse (&a, argc, argv);
  if (opt.nfens == 0)
    return sd_tool_usage ("probe: no position is given; e.g. subdef probe '8/8/8/8/8/2k5/8/K6R w - - 0 1'");
  if (opt.game)
    return sd_game_probe (opt.game, sd_tool_path (opt.tables), opt.fen, opt.nfens, opt.json);
  sd_tables *ts;
  sd_error err = { 0 };
  if (sd_tool_open (opt.tables, SD_OPEN_CACHE, &ts, &err))
    return sd_tool_fail (&err);
  prober pr = { .ts = ts, .path = sd_tool_path (opt.tables) };
  const int status = sd_tool_positions (opt.fen, opt.nfens, probe, &pr);
  sd_missing_tell (&pr.missing, pr.path, "subdef gen", true);
  sd_missing_free (&pr.missing);
  sd_tables_close (ts);
  return status;
}
