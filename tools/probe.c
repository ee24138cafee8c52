/* subdef probe. */
#include "config.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <jansson.h>
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

/* What is known of a position: the result always, the distance where a dtm table is there. */
typedef struct known {
  int wdl;
  bool have_dtm;
  sd_value value;
} known;

static int look_up (const sd_tables *ts, const sd_pos *p, known *k, sd_error *err) {
  sd_error no_dtm = { 0 };
  int status = sd_probe_dtm (ts, p, &k->value, &no_dtm);
  k->have_dtm = status == SD_OK;
  if (status == SD_OK) {
    k->wdl = sd_value_wdl (k->value);
    return SD_OK;
  }
  if (status != SD_ENOENT) {
    if (err)
      *err = no_dtm;
    return status;
  }
  return sd_probe_wdl (ts, p, &k->wdl, err);
}

/* Plies to the end; meaningful for decided positions with a distance. */
static int plies (sd_value v) {
  return v > 0 ? v : -v - 1;
}

static int compare (const known *a, const known *b) { /* > 0: a is better for the side to move */
  if (a->wdl != b->wdl)
    return a->wdl - b->wdl;
  if (a->have_dtm && b->have_dtm)
    return sd_value_compare (a->value, b->value);
  return 0;
}

static const char *const words[3] = { "lost", "drawn", "won" };

static void say (const known *k) {
  printf ("%s", words[k->wdl + 1]);
  if (k->have_dtm && k->wdl > 0)
    printf (", mates in %d move%s (%d plies)", (plies (k->value) + 1) / 2, plies (k->value) > 2 ? "s" : "",
            plies (k->value));
  else if (k->have_dtm && k->wdl < 0)
    printf (plies (k->value) ? ", mated in %d move%s (%d plies)" : ", mated", (plies (k->value) + 1) / 2,
            plies (k->value) > 2 ? "s" : "", plies (k->value));
}

static int probe (const sd_tables *ts, const char *fen) {
  sd_error err = { 0 };
  sd_pos p;
  if (sd_pos_from_fen (fen, &p, &err))
    return sd_tool_fail (&err);
  known here;
  if (look_up (ts, &p, &here, &err)) {
    sd_material m, canonical;
    sd_material_of (&p, &m);
    sd_material_canonical (&m, &canonical);
    sd_tool_advise (&err, &canonical, sd_tool_path (opt.tables));
    sd_error_prefix (&err, "%s", fen);
    return sd_tool_fail (&err);
  }
  struct {
    char name[6];
    known k; /* for the side that makes the move */
  } move[SD_MAX_MOVES];
  sd_move legal[SD_MAX_MOVES];
  unsigned n = sd_moves (&p, SD_MOVES_ALL, legal);
  for (unsigned i = 0; i < n; i++) {
    sd_pos child;
    sd_pos_apply (&p, &legal[i], &child);
    sd_move_name (&legal[i], move[i].name);
    if (look_up (ts, &child, &move[i].k, &err)) {
      sd_material m, canonical;
      sd_material_of (&child, &m);
      sd_material_canonical (&m, &canonical);
      sd_tool_advise (&err, &canonical, sd_tool_path (opt.tables));
      sd_error_prefix (&err, "%s: move %s", fen, move[i].name);
      return sd_tool_fail (&err);
    }
    move[i].k.wdl = -move[i].k.wdl;
    if (move[i].k.have_dtm)
      move[i].k.value = sd_value_back (move[i].k.value);
  }
  for (unsigned i = 1; i < n; i++) /* best first, stable */
    for (unsigned j = i; j > 0 && compare (&move[j].k, &move[j - 1].k) > 0; j--) {
      __typeof__ (move[0]) swap = move[j];
      move[j] = move[j - 1];
      move[j - 1] = swap;
    }
  if (opt.json) {
    json_t *moves = json_array ();
    for (unsigned i = 0; i < n; i++) {
      json_t *m = json_pack ("{s:s, s:s, s:b}", "move", move[i].name, "result", words[move[i].k.wdl + 1],
                             "best", compare (&move[i].k, &move[0].k) == 0);
      if (move[i].k.have_dtm && move[i].k.wdl)
        json_object_set_new (m, "plies", json_integer (plies (move[i].k.value)));
      json_array_append_new (moves, m);
    }
    json_t *all = json_pack ("{s:s, s:s, s:i, s:o}", "fen", fen, "result", words[here.wdl + 1], "wdl",
                             here.wdl, "moves", moves);
    if (here.have_dtm && here.wdl)
      json_object_set_new (all, "plies", json_integer (plies (here.value)));
    json_dumpf (all, stdout, JSON_COMPACT);
    putchar ('\n');
    json_decref (all);
    return SD_EXIT_OK;
  }
  printf ("%s\n  ", fen);
  say (&here);
  putchar ('\n');
  for (unsigned i = 0; i < n; i++) {
    printf ("  %c %-5s  ", compare (&move[i].k, &move[0].k) == 0 ? '*' : ' ', move[i].name);
    say (&move[i].k);
    putchar ('\n');
  }
  if (n == 0)
    puts (sd_in_check (&p, p.stm) ? "  checkmate" : "  stalemate");
  return SD_EXIT_OK;
}

int sd_cmd_probe (int argc, char **argv) {
  static const struct argp a = {
    options,
    parse,
    "FEN...|POSITION...|-",
    "Result, distance to mate and all moves of positions, best moves first and marked '*'.\v"
    "'-' reads a FEN a line from standard input. Positions have at most 7 men and no castling rights; an "
    "en-passant right is "
    "honoured. The distance needs the dtm tables; with wdl tables alone only the result is shown. For a "
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
  if (sd_tool_open (opt.tables, SD_OPEN_CHECK, &ts, &err))
    return sd_tool_fail (&err);
  int status = SD_EXIT_OK;
  for (int i = 0; i < opt.nfens; i++) {
    int one = SD_EXIT_OK;
    if (strcmp (opt.fen[i], "-") != 0) {
      one = probe (ts, opt.fen[i]);
    } else {
      char *line = NULL;
      size_t cap = 0;
      ssize_t n;
      while ((n = getline (&line, &cap, stdin)) > 0) {
        while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r' || line[n - 1] == ' '))
          line[--n] = 0;
        if (n == 0)
          continue;
        int each = probe (ts, line);
        one = each ? each : one;
      }
      free (line);
    }
    status = one ? one : status;
  }
  sd_tables_close (ts);
  return status;
}
