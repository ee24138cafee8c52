/* subdef verify: is a table right? Without options each value is compared with those of its moves, by an
 * implementation of its own (recode/verify), after the checksums of the file. --sums stops at these;
 * --published, --against and --search compare with what does not stand in the table at all: known checksums,
 * another table, a search for mates. Each file is told by a line, "FILE: ok: what was checked", or by a
 * sentence on stderr; one that fails makes the exit status 1 and does not stop the others. */
#include "config.h"
#include "recode/recode.h"
#include "table/table_internal.h"
#include "tools/arrays.h"
#include "tools/positions.h"
#include "tools/statistics.h"
#include "tools/verify.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Defaults of --moves and --seed. UNSET: no --seed was given (of --moves that is 0), which wrong_use looks
 * at. */
enum { MOVES = 8, SEED = 1, UNSET = UINT32_MAX };

static struct {
  const char *tables, *game, *source, *against;
  bool sums_only, published, json;
  sd_proof_options proof; /* of --search and --positions */
} opt = { .proof = { .seed = UNSET } };

static const sd_option options[] = {
  { "tables", 0, NULL,
    "where tables of sub-endings are that do not lie beside the file (default: SUBDEF_PATH, else the current folder)",
    .text = &opt.tables },
  { "game", 0, NULL,
    "the game whose slices are named; for a game that is read from a file, that file, as graph:race.txt",
    .text = &opt.game },
  { "source", 0, "FILE.sda", "of arrays: the source whose freedom must admit each value",
    .text = &opt.source },
  /* What is compared with what; without any of these each value with those of its moves. */
  { "sums", 's', NULL, "check the checksums only", .flag = &opt.sums_only },
  { "against", 0, "DIR[:DIR]",
    "compare each value with that of another table of the same ending in these folders, in whatever format",
    .text = &opt.against, .expected = "folders" },
  { "search", 0, "N",
    "prove N mates and at most as many draws of a DTM table, or N values of a WDL table, by a forward search instead",
    .count = &opt.proof.samples, .least = 1, .most = 1000000000 },
  { "moves", 0, "M", "search: skip longer mates (default 8)", .count = &opt.proof.moves, .least = 1,
    .most = 100 },
  { "seed", 0, "S", "search: seed of the sample (default 1)", .count = &opt.proof.seed, .least = 0,
    .most = INT32_MAX },
  { "positions", 0, "FILE", "search: the values of these positions, a FEN a line, instead of a sample",
    .text = &opt.proof.positions, .expected = "a file" },
  { "published", 'P', NULL,
    "hold all values against the checksums that come with the program (docs/checksums.csv) instead of their "
    "successors; an ending that has none fails",
    .flag = &opt.published },
  { "json", .flag = &opt.json },
  { 0 },
};

/* What was verified, as a part of a sentence. */
enum { SAID = 300 };

/* All values, whatever file they stand in, against the published checksum. */
static int verify_published (const char *path, const sd_table *t, char said[SAID], sd_error *err) {
  SD_OWN_STATISTICS s[2] = { 0 };
  SD_TRY (sd_statistics_published (t, NULL, err)); /* before all values are read */
  SD_TRY (sd_statistics_of_file (path, t, opt.tables, s, err));
  SD_TRY (sd_statistics_published (t, s, err));
  snprintf (said, SAID, "%s positions with the published checksum",
            sd_tool_count (s[0].positions + s[1].positions));
  return SD_OK;
}

/* All values beside those of other tables. search: where those are that restoring t's values needs. */
static int verify_against (const char *search, const sd_table *t, char said[SAID], sd_error *err) {
  SD_OWN (sd_tables) *own = NULL, *other = NULL;
  sd_verified v;

  SD_TRY (sd_tables_open (search, 0, &own, err));
  SD_TRY (sd_tables_open (opt.against, 0, &other, err));
  SD_TRY (sd_table_verify_against (own, t, other, &sd_terminal, &v, err));
  snprintf (said, SAID, "%s positions, each against %.200s", sd_tool_count (v.positions), v.against);
  return SD_OK;
}

/* Closes t. */
static int verify_values (const char *search, sd_table **t, char said[SAID], sd_error *err) {
  sd_table_info in;
  sd_verified v = { 0 };
  sd_rules r SD_RELEASED_BY (sd_rules_close) = { 0 };
  SD_OWNED sd_slice *below = NULL;
  sd_slice slice = 0;
  unsigned n = 0;
  char told[64] = "";

  sd_table_describe (*t, &in); /* of which only what stands in it is used below */
  SD_TRY (sd_rules_of_table (opt.game, &in, &r, err));
  /* sd_game_verify closes the table, whatever it finds. */
  sd_table *const used = *t;
  *t = NULL;
  SD_TRY (sd_game_verify (&r, search, used, &sd_terminal, &v, err));
  SD_TRY (sd_rules_slice_of_table (&r, &in, &slice, err));
  SD_TRY (sd_rules_below (&r, slice, &below, &n, err));
  /* Of a metric whose values follow from those behind a move the tables below had a part in it; of another
   * one each value was compared with the table that tells the result. */
  const bool moves = sd_metrics[in.metric].one_ply;

  if (v.signs)
    snprintf (told, sizeof told, "%s against the %s table", moves ? " and" : ", each",
              sd_metrics[sd_metrics[in.metric].told_by].title);

  if (!moves)
    snprintf (said, SAID, "%s positions%s", sd_tool_count (v.positions), told);
  else
    snprintf (said, SAID, "%s positions, each against its moves (%u smaller table%s)%s",
              sd_tool_count (v.positions), n, n == 1 ? "" : "s", told);
  return SD_OK;
}

/* A table is missing: what can be checked without it. */
static void advise (sd_error *err) {
  const sd_error before = *err;
  sd_fail_missing (err, before.missing, "%s; %s", before.text,
                   opt.published
                       ? "some of the values rest on other tables, --tables DIR[:DIR] says where these are"
                       : "--sums checks the checksums alone, --against DIR compares with another table of "
                         "the ending");
}

/* Is it a search that is asked for, in place of the usual comparison? */
static bool searches (void) {
  return opt.proof.samples || opt.proof.positions;
}

/* Of an open table what the options ask for. */
static int verify_so (const char *path, sd_table **t, char said[SAID], sd_error *err) {
  SD_OWNED char *search = NULL;

  if (opt.published)
    return verify_published (path, *t, said, err);
  if (opt.sums_only)
    return SD_OK;
  /* Beside the file first, then on the path, then in the folders of --against. */
  SD_TRY (sd_tool_path_from (path, opt.tables, opt.against, &search, err));
  return searches ()   ? sd_verify_by_search (search, *t, &opt.proof, said, SAID, err)
         : opt.against ? verify_against (search, *t, said, err)
                       : verify_values (search, t, said, err);
}

/* Path and file are put before the message by sd_error_about; of --against there are two files, which name
 * themselves. */
static int verify (const char *path, char said[SAID], sd_error *err) {
  SD_OWN (sd_table) *t = NULL;
  sd_table_info info;
  SD_TRY (sd_table_open (path, SD_OPEN_CHECK | (searches () ? SD_OPEN_CACHE : 0), &t, err));
  sd_table_describe (t, &info);
  const bool game = sd_table_info_is_game (&info);
  snprintf (said, SAID, "the checksums of %s bytes", sd_tool_count (info.bytes));

  const int st = verify_so (path, &t, said, err);
  if (st != SD_OK && !opt.against)
    sd_error_about (err, path);
  if (st != SD_OK && err->missing[0] && !game && !searches () && !opt.against)
    advise (err);
  return st;
}

/* A single option that is not for arrays is named. */
static int verify_array (const char *path, char said[SAID], sd_error *err) {
  if (searches () || opt.published || opt.against)
    return sd_fail (err, SD_EUNSUPPORTED, "%s: expected a table of chess, for --%s: it holds an array", path,
                    opt.published       ? "published"
                    : opt.against       ? "against"
                    : opt.proof.samples ? "search"
                                        : "positions");
  return sd_array_verify_one (path, opt.source, opt.sums_only, said, SAID, err);
}

/* Some file was wrong or could not be read: the exit status. */
static bool failed;

/* Of what the user has named, or of a file of it. err: what is wrong; NULL: nothing, and said was checked. */
static void tell (const char *path, const char *said, const sd_error *err) {
  sd_terminal_clear ();
  failed |= err != NULL;

  if (opt.json)
    sd_json_row (json_pack ("{s:o, s:s, s:o}", "file", sd_json_text (path), "status", err ? "failed" : "ok",
                            err ? "error" : "checked", sd_json_text (err ? err->text : said)));
  else if (!err)
    printf ("%s: ok: %s\n", path, said);
  fflush (stdout);
  if (err)
    sd_tool_fail (err);
}

/* The next one may be sound. */
static int verify_one (const char *path, sd_error *err) {
  char said[SAID] = "";
  const int st = sd_array_is (path) ? verify_array (path, said, err) : verify (path, said, err);
  tell (path, said, st ? err : NULL);
  return SD_OK;
}

/* What is wrong with the options together; NULL: nothing. */
static const char *wrong_use (void) {
  if (opt.published && opt.sums_only)
    return "--published excludes --sums";
  if (opt.against && (opt.sums_only || opt.published || searches () || opt.source))
    return "--against excludes --sums, --published, --search, --positions and --source";

  if (!searches ())
    return opt.proof.moves || opt.proof.seed != UNSET ? "--moves and --seed are for --search or --positions"
                                                      : NULL;
  if (opt.sums_only || opt.published || opt.game || opt.source)
    return "--search and --positions exclude --sums, --published, --game and --source";
  return opt.proof.samples && opt.proof.positions
             ? "--search samples positions, --positions names them: expected one of the two"
             : NULL;
}

static int run_verify (const sd_words *words) {
  if (words->n == 0)
    return sd_tool_usage ("no file is named");
  const char *wrong = wrong_use ();
  if (wrong)
    return sd_tool_usage ("%s", wrong);

  opt.proof.moves = opt.proof.moves ? opt.proof.moves : MOVES;
  opt.proof.seed = opt.proof.seed != UNSET ? opt.proof.seed : SEED;
  /* The game whose slices are named; the rules of a table are those of its own game. */
  sd_rules named = { 0 };
  sd_error none = { 0 };
  if (sd_tool_rules (opt.game, &named, &none))
    return sd_tool_fail (&none);

  for (int i = 0; i < words->n && !ferror (stdout); i++) {
    sd_error err = { 0 };
    /* Nothing of that name: that is a line of its own, and of --json a record. */
    if (sd_tool_each_file (words->at[i], &named, opt.tables, verify_one, &err))
      tell (words->at[i], NULL, &err);
  }

  if (opt.json)
    sd_json_rows_end ();
  sd_rules_close (&named);
  return failed ? SD_EXIT_FAILED : SD_EXIT_OK;
}

const sd_command sd_cmd_verify = {
  "verify", run_verify, options, .args = "FILE|ENDING...", .threads = true,
};
