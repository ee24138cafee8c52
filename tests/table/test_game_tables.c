/* Tables of games besides chess: what is stored is what is read, by every codec and as results too, and what
 * is damaged, foreign or made from another file is refused. */
#include "config.h"
#include "codecs/row.h"
#include "codecs/codecs.h"
#include "gen/games/games.h"
#include "tests/gen/endings.h"
#include "tests/gen/solved_draughts.h"
#include <criterion/criterion.h>

/* -------------------------------------------------------------------- helpers */

static const char race[] = "start: left right\nleft: hold trap\nhold: left\ntrap: mate\nright: +7 stuck\n"
                           "mate: lost\nstuck:\npress: -4 hold\nforced: press +7\nover: won\n";
static const struct {
  const char *state;
  sd_value value;
} known[] = { { "start", 0 }, { "left", 0 },  { "hold", 0 },  { "trap", 1 },    { "right", 0 },
              { "mate", -1 }, { "stuck", 0 }, { "press", 5 }, { "forced", -9 }, { "over", 1 } };
enum { KNOWN = sizeof known / sizeof *known };

typedef struct place {
  char folder[40], graph[80], game[100], dtm[80], wdl[80];
} place;

static void write_file (const char *path, const void *data, size_t n) {
  FILE *f = fopen (path, "wb");
  cr_assert_not_null (f, "%s", path);
  cr_assert_eq (fwrite (data, 1, n, f), n);
  cr_assert_eq (fclose (f), 0);
}

static place *new_place (void) {
  static place p;
  strcpy (p.folder, "/tmp/sd-games-XXXXXX");
  cr_assert_not_null (mkdtemp (p.folder));
  snprintf (p.graph, sizeof p.graph, "%s/race.txt", p.folder);
  snprintf (p.game, sizeof p.game, "graph:%s", p.graph);
  snprintf (p.dtm, sizeof p.dtm, "%s/graph-race.dtm.sdt", p.folder);
  snprintf (p.wdl, sizeof p.wdl, "%s/graph-race.wdl.sdt", p.folder);
  write_file (p.graph, race, sizeof race - 1);
  return &p;
}

static void leave (place *p) {
  unlink (p->graph);
  unlink (p->dtm);
  unlink (p->wdl);
  cr_expect_eq (rmdir (p->folder), 0);
}

static void build (const place *p) {
  sd_rules r;
  sd_game_tables *t;
  sd_counts c[2];
  sd_error err = { 0 };
  cr_assert_eq (sd_rules_open (p->game, &r, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_game_tables_open (&r, p->folder, 1 << 20, &t, &err), SD_OK);
  cr_assert_eq (gen_slice (t, 0, p->dtm, c, &err), SD_OK, "%s", err.text);
  cr_expect_eq (c[0].positions, KNOWN);
  cr_expect_eq (c[0].won, 3);
  cr_expect_eq (c[0].lost, 2);
  sd_game_tables_close (t);
  sd_rules_close (&r);
}

/* Every state of the table, found by its name. */
static void expect_states (const place *p, enum sd_metric metric) {
  sd_rules r;
  sd_game_tables *t;
  sd_error err = { 0 };
  cr_assert_eq (sd_rules_open (p->game, &r, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_game_tables_open (&r, p->folder, 1 << 20, &t, &err), SD_OK);
  cr_assert_eq (sd_game_tables_need (t, 0, metric, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < KNOWN; i++) {
    sd_position at;
    sd_value v;
    cr_assert_eq (r.kind->parse (r.ctx, known[i].state, &at, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_game_tables_value (t, at.slice, metric, at.state, &v), SD_OK);
    const int want = metric == SD_WDL ? sd_value_wdl (known[i].value) : known[i].value;
    cr_expect_eq (v, want, "%s: %d, expected %d", known[i].state, v, want);
  }
  sd_game_tables_close (t);
  sd_rules_close (&r);
}

static int verify (const place *p, const char *file, sd_error *err) {
  sd_rules r;
  sd_table *t;
  SD_TRY (sd_rules_open (p->game, &r, err));
  int st = sd_table_open (file, SD_OPEN_CHECK, &t, err);
  if (st == SD_OK)
    st = sd_game_verify (&r, p->folder, t, NULL, NULL, err);
  sd_rules_close (&r);
  return st;
}

/* The table anew with other settings. */
static int reformat (const place *p, const char *codec, enum sd_metric metric, unsigned freedom,
                     const char *path, sd_error *err) {
  sd_rules r;
  sd_game_tables *t;
  sd_value *value;
  uint64_t n;
  sd_table_spec spec = { .metric = metric,
                         .coding = metric == SD_WDL ? SD_CODING_WDL : SD_CODING_SIGNED,
                         .freedom = freedom,
                         .side = { { .codec = sd_codec_find (codec) } } };
  cr_assert_eq (sd_settings_parse (spec.side[0].codec, NULL, &spec.side[0].settings, err), SD_OK);
  cr_assert_eq (sd_rules_open (p->game, &r, err), SD_OK, "%s", err->text);
  cr_assert_eq (sd_rules_describe (&r, 0, &spec.game, err), SD_OK);
  cr_assert_eq (sd_game_tables_open (&r, p->folder, 1 << 20, &t, err), SD_OK);
  cr_assert_eq (sd_game_tables_exact (t, 0, SD_DTM, &value, &n, err), SD_OK, "%s", err->text);
  int st = sd_table_build_states (&spec, value, NULL, path, NULL, err);
  free (value);
  sd_game_tables_close (t);
  sd_rules_close (&r);
  return st;
}

static uint8_t *slurp (const char *path, size_t *n) {
  sd_map map;
  cr_assert_eq (sd_map_open (path, &map, NULL), SD_OK);
  uint8_t *copy = malloc (map.len);
  memcpy (copy, map.data, map.len);
  *n = map.len;
  sd_map_close (&map);
  return copy;
}

/* ---------------------------------------------------------------------- a graph */

Test (game_tables, a_graph_is_stored_recoded_verified_and_probed) {
  place *p = new_place ();
  sd_error err = { 0 };
  build (p);
  expect_states (p, SD_DTM);
  expect_states (p, SD_WDL); /* by the signs */
  cr_expect_eq (verify (p, p->dtm, &err), SD_OK, "%s", err.text);
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  for (size_t c = 0; c < ncodecs; c++)
    for (unsigned freedom = 0; freedom <= SD_FREE_ILLEGAL; freedom += SD_FREE_ILLEGAL) {
      cr_expect_eq (reformat (p, codec[c]->name, SD_WDL, freedom, p->wdl, &err), SD_OK, "%s", err.text);
      cr_expect_eq (reformat (p, codec[c]->name, SD_DTM, freedom, p->dtm, &err), SD_OK, "%s", err.text);
      expect_states (p, SD_WDL);
      expect_states (p, SD_DTM);
      cr_expect_eq (verify (p, p->wdl, &err), SD_OK, "%s", err.text);
      cr_expect_eq (verify (p, p->dtm, &err), SD_OK, "%s", err.text);
    }
  cr_expect_eq (reformat (p, "lzma", SD_WDL, SD_FREE_CAPTURE, p->wdl, &err), SD_EINVAL);
  cr_expect (strstr (err.text, "'illegal' or nothing"), "%s", err.text);
  cr_expect_eq (reformat (p, "lzma", SD_WDL, SD_FREE_DRAW, p->wdl, &err), SD_EINVAL);
  leave (p);
}

Test (game_tables, a_graph_has_the_name_of_its_file) {
  static const struct {
    const char *file, *slice;
  } row[] = { { "race.txt", "race" },
              { "my graph.v2.txt", "my_graph" },
              { "a-b+c", "a-b+c" },
              { ".hidden", "_" },
              { "0123456789012345678901234567890123456789", "0123456789012345678901234567890" } };
  place *p = new_place ();
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char path[120], game[140], name[SD_SLICE_NAME];
    sd_rules r;
    sd_slice slice;
    sd_error err = { 0 };
    snprintf (path, sizeof path, "%s/%s", p->folder, row[i].file);
    snprintf (game, sizeof game, "graph:%s", path);
    write_file (path, race, sizeof race - 1);
    cr_assert_eq (sd_rules_open (game, &r, &err), SD_OK, "%s", err.text);
    r.kind->slice_name (r.ctx, 0, name);
    cr_expect_str_eq (name, row[i].slice);
    cr_expect_eq (sd_rules_slice (&r, row[i].slice, &slice, &err), SD_OK);
    cr_expect_eq (sd_rules_slice (&r, NULL, &slice, &err), SD_OK);
    cr_expect_eq (sd_rules_slice (&r, "another", &slice, &err), SD_EINVAL);
    sd_rules_close (&r);
    if (strcmp (path, p->graph) != 0)
      unlink (path);
  }
  leave (p);
}

Test (game_tables, another_file_of_the_same_name_is_another_game) {
  place *p = new_place ();
  sd_error err = { 0 };
  sd_rules r;
  sd_game_tables *t;
  build (p);
  /* the same states, but hold can now mate */
  char other[sizeof race + 8];
  snprintf (other, sizeof other, "%s", race);
  memcpy (strstr (other, "hold: left"), "hold: mate", 10);
  write_file (p->graph, other, strlen (other));
  cr_assert_eq (sd_rules_open (p->game, &r, &err), SD_OK);
  cr_assert_eq (sd_game_tables_open (&r, p->folder, 1 << 20, &t, &err), SD_OK);
  cr_expect_eq (sd_game_tables_need (t, 0, SD_DTM, &err), SD_EFORMAT);
  cr_expect (strstr (err.text, "graph-race.dtm.sdt: made from other rules of graph"), "%s", err.text);
  cr_expect_eq (verify (p, p->dtm, &err), SD_EFORMAT);
  sd_game_tables_close (t);
  sd_rules_close (&r);
  leave (p);
}

/* A table that says something else of one state is refused with that state's name. */
Test (game_tables, a_wrong_value_is_found) {
  place *p = new_place ();
  sd_error err = { 0 };
  sd_rules r;
  build (p);
  for (unsigned wrong = 0; wrong < KNOWN; wrong++) {
    sd_value value[KNOWN];
    sd_table_spec spec = { .metric = SD_DTM,
                           .coding = SD_CODING_SIGNED,
                           .side = { { .codec = &sd_codec_store } } };
    for (unsigned i = 0; i < KNOWN; i++)
      value[i] = known[i].value;
    value[wrong] = value[wrong] ? 0 : 3;
    cr_assert_eq (sd_settings_parse (&sd_codec_store, NULL, &spec.side[0].settings, &err), SD_OK);
    cr_assert_eq (sd_rules_open (p->game, &r, &err), SD_OK);
    cr_assert_eq (sd_rules_describe (&r, 0, &spec.game, &err), SD_OK);
    cr_assert_eq (sd_table_build_states (&spec, value, NULL, p->dtm, NULL, &err), SD_OK, "%s", err.text);
    sd_rules_close (&r);
    cr_expect_eq (verify (p, p->dtm, &err), SD_EDIFF, "%s", known[wrong].state);
    cr_expect (strstr (err.text, "the best move says"), "%s", err.text);
  }
  leave (p);
}

Test (game_tables, damage_anywhere_is_found) {
  place *p = new_place ();
  sd_error err = { 0 };
  size_t n;
  build (p);
  uint8_t *image = slurp (p->dtm, &n);
  for (size_t i = 0; i < n; i++)
    for (unsigned bit = 0; bit < 8; bit++) {
      sd_table *t;
      image[i] ^= (uint8_t) (1 << bit);
      cr_expect_neq (sd_table_open_memory (image, n, "damaged", SD_OPEN_CHECK, &t, &err), SD_OK, "byte %zu",
                     i);
      image[i] ^= (uint8_t) (1 << bit);
    }
  for (size_t cut = 0; cut < n; cut++) {
    sd_table *t;
    cr_expect_neq (sd_table_open_memory (image, cut, "cut", 0, &t, &err), SD_OK, "%zu bytes", cut);
  }
  free (image);
  leave (p);
}

Test (game_tables, a_folder_lists_games_beside_chess) {
  place *p = new_place ();
  sd_tables *ts;
  sd_table_info info;
  const sd_error *problem;
  build (p);
  cr_assert_eq (sd_tables_open (p->folder, 0, &ts, NULL), SD_OK);
  cr_assert_eq (sd_tables_count (ts), 1);
  const sd_table *t = sd_tables_at (ts, 0, NULL);
  cr_assert_not_null (t);
  cr_expect_null (sd_tables_problem (ts, 0));
  sd_table_describe (t, &info);
  cr_expect (sd_table_info_is_game (&info));
  cr_expect_str_eq (info.game.slice, "race");
  cr_expect_eq (info.game.states, KNOWN);
  cr_expect_eq (info.game.fingerprint, sd_hash64 (race, sizeof race - 1));
  cr_expect_eq (info.nsides, 1);
  cr_expect_null (info.side[0].layout);
  sd_error err = { 0 };
  cr_expect_eq (sd_table_verify (ts, t, NULL, NULL, &err), SD_EINVAL); /* chess has no say here */
  sd_tables_close (ts);
  /* a file under a wrong name, and a damaged one, are told about */
  cr_assert_eq (rename (p->dtm, p->wdl), 0);
  cr_assert_eq (sd_tables_open (p->folder, 0, &ts, NULL), SD_OK);
  cr_expect_null (sd_tables_at (ts, 0, NULL));
  problem = sd_tables_problem (ts, 0);
  cr_assert_not_null (problem);
  cr_expect (strstr (problem->text, "holds another table, graph-race.dtm.sdt"), "%s", problem->text);
  sd_tables_close (ts);
  leave (p);
}

Test (game_tables, specs_that_make_no_sense_are_refused) {
  const sd_value value[4] = { 0, 1, -1, SD_ILLEGAL };
  sd_error err = { 0 };
  sd_table_spec spec = { .game = { .name = "toy", .slice = "a", .states = 4 },
                         .metric = SD_DTM,
                         .coding = SD_CODING_SIGNED,
                         .freedom = SD_FREE_ILLEGAL,
                         .side = { { .codec = &sd_codec_store } } };
  cr_assert_eq (sd_settings_parse (&sd_codec_store, NULL, &spec.side[0].settings, &err), SD_OK);
  static const struct {
    const char *name, *slice;
    uint64_t states;
  } bad[] = {
    { "Toy", "a", 4 },   { "1toy", "a", 4 },  { "to-y", "a", 4 }, { "toy", "", 4 },
    { "toy", "a.b", 4 }, { "toy", "a/b", 4 }, { "toy", "a", 0 },  { "toy", "a", SD_MAX_STATES + 1 }
  };
  char path[] = "/tmp/sd-game-XXXXXX";
  cr_assert_not_null (mkdtemp (path));
  char file[64];
  snprintf (file, sizeof file, "%s/toy-a.dtm.sdt", path);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sd_table_spec s = spec;
    snprintf (s.game.name, sizeof s.game.name, "%s", bad[i].name);
    snprintf (s.game.slice, sizeof s.game.slice, "%s", bad[i].slice);
    s.game.states = bad[i].states;
    cr_expect_eq (sd_table_build_states (&s, value, NULL, file, NULL, &err), SD_EINVAL, "%zu", i);
  }
  sd_table_spec moves = spec, wdl = spec;
  moves.coding = SD_CODING_MOVES;
  wdl.metric = SD_WDL;
  cr_expect_eq (sd_table_build_states (&moves, value, NULL, file, NULL, &err), SD_EINVAL);
  cr_expect_eq (sd_table_build_states (&wdl, value, NULL, file, NULL, &err), SD_EINVAL);
  cr_expect_eq (sd_table_build_states (&spec, value, NULL, file, NULL, &err), SD_OK, "%s", err.text);
  sd_table *t;
  sd_value got[4];
  cr_assert_eq (sd_table_open (file, SD_OPEN_CHECK, &t, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_table_game_stored (t, got, NULL, &err), SD_OK, "%s", err.text);
  cr_expect (got[0] == 0 && got[1] == 1 && got[2] == -1);
  sd_table_close (t);
  unlink (file);
  cr_expect_eq (rmdir (path), 0);
}

/* ------------------------------------------------------------------- draughts */

Test (game_tables, draughts_up_to_three_pieces_are_verified_and_recoded) {
  solved *d = solve_all (3);
  sd_error err = { 0 };
  sd_draughts_slice m[64];
  const unsigned n = sd_draughts_order (3, m, 64);
  for (unsigned i = 0; i < n; i++) {
    char path[200], wdl[200];
    sd_table *t;
    sd_value *value;
    const sd_slice slice = sd_draughts_number (&m[i]);
    sd_table_spec spec = { .metric = SD_WDL,
                           .coding = SD_CODING_WDL,
                           .freedom = SD_FREE_ILLEGAL,
                           .side = { { .codec = sd_codec_find ("repair") } } };
    path_of (d, &m[i], path);
    cr_assert_eq (sd_table_open (path, SD_OPEN_CHECK, &t, &err), SD_OK, "%s", err.text);
    cr_expect_eq (sd_game_verify (&d->rules, d->folder, t, NULL, NULL, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_settings_parse (spec.side[0].codec, "block=64", &spec.side[0].settings, &err), SD_OK);
    cr_assert_eq (sd_rules_describe (&d->rules, slice, &spec.game, &err), SD_OK);
    cr_assert_eq (sd_game_tables_exact (d->tables, slice, SD_DTM, &value, &spec.game.states, &err), SD_OK,
                  "%s", err.text);
    snprintf (wdl, sizeof wdl, "%.180s-w", path);
    cr_expect_eq (sd_table_build_states (&spec, value, NULL, wdl, NULL, &err), SD_OK, "%s", err.text);
    cr_assert_eq (sd_table_open (wdl, SD_OPEN_CHECK, &t, &err), SD_OK, "%s", err.text);
    cr_expect_eq (sd_game_verify (&d->rules, d->folder, t, NULL, NULL, &err), SD_OK, "%s", err.text);
    unlink (wdl);
    free (value);
  }
  forget (d);
}
