/* <subdef/probe.h>: every value is that of sd_probe_value, whatever the codec; moves are ranked by what they
 * lead to; probes ask for no memory; every failure is a status. */
#include "config.h"
#include "engine/fathom.h"
#include "fuzz/forge.h"
#include "tests/engine/engine_made.h"
#include "tests/probe/count_requests.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
enum { NAMES = sizeof names / sizeof names[0] };
static const char *const own_codecs[] = {
#define OWN 1
#define SD_CODEC(name, number, guard, ...) SD_OF_##guard (#name)
#define SD_OF_OWN(name) name,
#define SD_OF_ALWAYS(name)
#define SD_OF_HAVE_ZSTD(name)
#define SD_OF_HAVE_BROTLI(name)
#define SD_OF_HAVE_ZLIB(name)
#define SD_OF_HAVE_BZIP2(name)
#define SD_OF_HAVE_LZ4(name)
#include "codecs/codecs.def"
#undef SD_CODEC
};
enum { CODECS = sizeof own_codecs / sizeof own_codecs[0] };

/* A forest that learns from 50,000 questions, and blocks of at most 1000 slots: with the defaults, 2 million
 * and 65,536, growing them and reading single slots take minutes. */
static void build_all (sd_values *s, const char *codec) {
  const bool grows = strcmp (codec, "trees") == 0 || strcmp (codec, "forest") == 0;
  const char *settings = grows ? "samples=50,slots=1000" : "";
  for (unsigned i = 0; i < NAMES; i++) {
    build (s, names[i], SD_WDL, SD_CODING_WDL, SD_FREE_ALL, codec, settings, NULL);
    build (s, names[i], SD_DTM, i % 2 ? SD_CODING_SIGNED : SD_CODING_MOVES, SD_FREE_ALL, codec, settings,
           NULL);
  }
}

/* Positions for sd_prober_wdl_batch with what sd_prober_wdl says: more than are prefetched together. */
enum { BATCH = 50 };
static sd_prober_position batch[BATCH];
static int batch_wdl[BATCH], batch_status[BATCH];
static unsigned in_batch;

static int check_batch (const sd_prober *prober) {
  int wdl[BATCH], status[BATCH], first = SD_PROBER_OK;
  const int all = sd_prober_wdl_batch (prober, batch, in_batch, wdl, status);
  for (unsigned i = 0; i < in_batch; i++) {
    cr_assert_eq (status[i], batch_status[i]);
    cr_assert (status[i] != SD_PROBER_OK || wdl[i] == batch_wdl[i]);
    first = first == SD_PROBER_OK ? status[i] : first;
  }
  cr_assert_eq (all, first);
  in_batch = 0;
  return all;
}

static void add_to_batch (const sd_prober *prober, const sd_prober_position *q) {
  batch[in_batch] = *q;
  batch_status[in_batch] = sd_prober_wdl (prober, q, &batch_wdl[in_batch]);
  if (++in_batch == BATCH)
    check_batch (prober);
}

/* Moves are all of them, each worth what it leads to, the best first. */
static void check_root (const sd_prober *prober, const sd_tables *ts, const sd_pos *p) {
  sd_prober_move moves[SD_PROBER_MOVES];
  sd_move list[SD_MAX_MOVES];
  unsigned n, last = 0;
  const sd_prober_position q = boards_of (p);
  cr_assert (sd_prober_root (prober, &q, moves, &n) == SD_PROBER_OK);
  cr_assert_eq (n, sd_moves (p, SD_MOVES_ALL, list));
  for (unsigned i = 0; i < n; i++) {
    char name[6];
    unsigned k = 0;
    for (; k < n && (sd_move_name (&list[k], name), strcmp (name, moves[i].uci) != 0);)
      k++;
    cr_assert (k < n, "%s is no move", moves[i].uci);
    cr_assert (list[k].from == moves[i].from && list[k].to == moves[i].to);
    sd_pos child;
    sd_value v;
    sd_pos_apply (p, &list[k], &child);
    cr_assert (sd_probe_dtm (ts, &child, &v, NULL) == SD_OK);
    v = sd_value_back (v);
    cr_assert_eq (moves[i].wdl, sd_value_wdl (v));
    cr_assert_eq (moves[i].dtm, v > 0 ? v : v < 0 ? -v - 1 : 0);
    const unsigned place = (unsigned) (70000 - (v > 0 ? 40000 - v : v < 0 ? -40000 - v : 0));
    cr_assert (i == 0 || place >= last, "%s comes too late", moves[i].uci);
    last = place;
    list[k].from = list[k].to = 0; /* each once */
    list[k].promotion = SD_NO_PIECE;
  }
}

/* Some positions of every ending with both sides to move, as they are and with colours swapped. */
static unsigned compare (const sd_prober *prober, const sd_tables *ts, unsigned step, unsigned tries) {
  unsigned seen = 0;
  uint64_t random = 7;
  for (unsigned i = 0; i < NAMES; i++) {
    const sd_material m = material (names[i]);
    for (unsigned n = 0; n < tries; n++) {
      sd_pos one, p;
      const uint8_t sq[3] = { (uint8_t) (sd_random (&random) % 64), (uint8_t) (sd_random (&random) % 64),
                              (uint8_t) (sd_random (&random) % 64) };
      sd_pos_from_squares (&m, sq, n & 1, &one);
      if (n & 2)
        sd_pos_flip (&one, &p);
      else
        p = one;
      if (__builtin_popcountll (p.occ[0] | p.occ[1]) != 3 || !sd_pos_legal (&p))
        continue;
      const sd_prober_position q = boards_of (&p);
      int wdl = 7, other = 7, plies = -1, result;
      sd_value v;
      cr_assert (sd_probe_dtm (ts, &p, &v, NULL) == SD_OK && sd_probe_wdl (ts, &p, &result, NULL) == SD_OK);
      cr_assert (sd_prober_wdl (prober, &q, &wdl) == SD_PROBER_OK);
      cr_assert (sd_prober_dtm (prober, &q, &other, &plies) == SD_PROBER_OK);
      cr_assert (wdl == result && other == result && plies == (v > 0 ? v : v < 0 ? -v - 1 : 0));
      add_to_batch (prober, &q);
      if (++seen % step == 0)
        check_root (prober, ts, &p);
    }
  }
  check_batch (prober);
  return seen;
}

Test (engine, values_and_moves_with_every_codec_of_the_project, .init = make_folder, .fini = remove_folder) {
  sd_values *s = three_men ("KPvK");
  cr_assert_eq (CODECS, 7);
  for (unsigned c = 0; c < CODECS; c++) {
    build_all (s, own_codecs[c]);
    sd_tables *ts = open_folder ();
    for (unsigned flags = 0; flags < 4; flags++) {
      sd_prober *prober = prober_of (folder, flags);
      cr_expect (sd_prober_tables (prober) == 10 && sd_prober_men (prober) == 3);
#if COUNTS_REQUESTS
      const unsigned long first = requests_so_far ();
      compare (prober, ts, 1000, 40);
      const unsigned long before = requests_so_far ();
      cr_expect (!(flags & SD_PROBER_ALL) || first == before, "%s asks for memory", own_codecs[c]);
#endif
      cr_assert (compare (prober, ts, flags ? 1000 : 50, 3000) > 8000);
#if COUNTS_REQUESTS
      cr_expect (requests_so_far () == before, "%s asks for memory when its tables are open", own_codecs[c]);
#endif
      sd_prober_close (prober);
    }
    sd_tables_close (ts);
  }
  sd_values_free (s);
}

Test (engine, a_batch_has_a_status_for_each_position, .init = make_folder, .fini = remove_folder) {
  static const char *const fens[] = {
    "8/8/8/8/8/3k4/8/K6Q w - - 0 1",  "8/8/8/8/8/3k4/8/KQ6 b - - 0 1",    "8/8/8/8/1r6/3k4/8/K6Q w - - 0 1",
    "8/8/8/8/8/3k4/3P4/K7 b - - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1",   "8/8/8/8/8/3k4/8/K7 w - - 0 1",
    "8/4P3/8/8/8/3k4/8/K7 w - - 0 1", "k7/pppp4/8/8/8/8/6PP/K7 w - - 0 1"
  };
  sd_values *s = three_men ("KPvK");
  build_all (s, "repair");
  sd_prober *prober = prober_of (folder, 0);
  sd_prober_position q;
  int value = 7, status = 7;
  for (unsigned k = 0; k < sizeof fens / sizeof fens[0]; k++) {
    cr_assert_eq (sd_prober_fen (fens[k], &q), SD_PROBER_OK);
    add_to_batch (prober, &q);
  }
  q.kings = 0;
  add_to_batch (prober, &q);
  cr_expect (batch_status[0] == SD_PROBER_OK && batch_status[2] == SD_PROBER_MISSING
             && batch_status[4] == SD_PROBER_CASTLING && batch_status[7] == SD_PROBER_MEN
             && batch_status[8] == SD_PROBER_ILLEGAL);
  cr_expect_eq (check_batch (prober), SD_PROBER_MISSING);
  cr_expect_eq (sd_prober_wdl_batch (prober, batch, 0, &value, &status), SD_PROBER_OK);
  cr_expect_eq (sd_prober_wdl_batch (NULL, batch, 1, &value, &status), SD_PROBER_ARGUMENT);
  cr_expect_eq (sd_prober_wdl_batch (prober, NULL, 1, &value, &status), SD_PROBER_ARGUMENT);
  cr_expect_eq (sd_prober_wdl_batch (prober, batch, 1, NULL, &status), SD_PROBER_ARGUMENT);
  cr_expect_eq (sd_prober_wdl_batch (prober, batch, 1, &value, NULL), SD_PROBER_ARGUMENT);
  cr_expect (value == 7 && status == 7);
  sd_prober_close (prober);
  sd_values_free (s);
}

/* What `subdef gen` writes, alone and beside a table that can be read. */
Test (engine, other_codecs_are_refused_or_asked_for, .init = make_folder, .fini = remove_folder) {
  char advice[200];
  snprintf (advice, sizeof advice,
            "'subdef reformat KQvK --metric dtm --tables %s -o DIR' makes a table that can be read", folder);
  sd_values *s = three_men ("KQvK");
  build (s, "KQvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "lzma", "", NULL);
  sd_prober *prober;
  sd_prober_position q;
  char message[300];
  int wdl, plies;
  cr_expect_eq (sd_prober_open (folder, 0, &prober, message, sizeof message), SD_PROBER_UNSUPPORTED);
  cr_expect_null (prober);
  cr_expect (strstr (message, "0 tables") && strstr (message, "; 1 cannot be used; ")
                 && strstr (message, "KQvK.dtm.sdt: ") && strstr (message, "codec lzma")
                 && strstr (message, advice),
             "%s", message);
  prober = prober_of (NULL, 0);
  cr_expect_eq (sd_prober_add (prober, folder, message, sizeof message), SD_PROBER_UNSUPPORTED);
  cr_expect (strstr (message, advice), "%s", message);
  sd_prober_close (prober);

  build (s, "KQvK", SD_WDL, SD_CODING_WDL, SD_FREE_ALL, "repair", "", NULL);
  prober = prober_of (folder, 0);
  cr_expect_eq (sd_prober_tables (prober), 1);
  cr_expect_eq (sd_prober_skipped (prober, 0, message, sizeof message), SD_PROBER_UNSUPPORTED);
  cr_expect (strstr (message, advice), "%s", message);
  cr_expect_eq (sd_prober_skipped (prober, 1, message, sizeof message), SD_PROBER_OK);
  cr_assert (sd_prober_fen ("8/8/8/8/8/3k4/8/K6Q w - - 0 1", &q) == SD_PROBER_OK);
  cr_expect_eq (sd_prober_dtm (prober, &q, &wdl, &plies), SD_PROBER_UNSUPPORTED);
  cr_expect (sd_prober_wdl (prober, &q, &wdl) == SD_PROBER_OK && wdl == 1);
  sd_prober_close (prober);
  prober = prober_of (folder, SD_PROBER_ANY_CODEC);
  cr_expect (sd_prober_dtm (prober, &q, &wdl, &plies) == SD_PROBER_OK && wdl == 1 && plies == 13);
  cr_expect (sd_prober_wdl (prober, &q, &wdl) == SD_PROBER_OK && wdl == 1);
  sd_prober_close (prober);
  sd_values_free (s);
}

/* A file as long as no address space, beside a sound table. */
Test (engine, a_table_too_large_for_memory_hides_no_other_one, .init = make_folder, .fini = remove_folder) {
  sd_values *s = three_men ("KQvK");
  build (s, "KQvK", SD_WDL, SD_CODING_WDL, SD_FREE_ALL, "repair", "", NULL);
  char path[1100], message[300];
  snprintf (path, sizeof path, "%s/KRvK.wdl.sdt", folder);
  FILE *f = fopen (path, "wb");
  cr_assert (f && fclose (f) == 0);
  if (truncate (path, INT64_C (1) << 42)) /* a file system without so long ones */
    cr_skip_test ("no file of 4 TiB can be made");
#ifdef __SANITIZE_ADDRESS__
  cr_skip_test ("its own memory takes more than may be left here");
#endif
  const struct rlimit little = { UINT64_C (1) << 40, UINT64_C (1) << 40 };
  cr_assert_eq (setrlimit (RLIMIT_AS, &little), 0);
  for (unsigned all = 0; all < 2; all++) {
    sd_prober *prober = prober_of (folder, all ? SD_PROBER_ALL : 0);
    sd_prober_position q;
    int wdl;
    cr_expect_eq (sd_prober_tables (prober), 1);
    const int why = sd_prober_skipped (prober, 0, message, sizeof message);
    cr_expect (why == SD_PROBER_MEMORY && strstr (message, "KRvK.wdl.sdt: out of memory"), "%d: %s", why,
               message);
    cr_assert (sd_prober_fen ("8/8/8/8/8/3k4/8/K6Q w - - 0 1", &q) == SD_PROBER_OK);
    cr_expect (sd_prober_wdl (prober, &q, &wdl) == SD_PROBER_OK && wdl == 1);
    cr_assert (sd_prober_fen ("8/8/8/8/8/3k4/8/K6R w - - 0 1", &q) == SD_PROBER_OK);
    cr_expect_eq (sd_prober_wdl (prober, &q, &wdl), SD_PROBER_MEMORY);
    sd_prober_close (prober);
  }
  sd_values_free (s);
}

Test (engine, every_failure_has_a_status, .init = make_folder, .fini = remove_folder) {
  sd_values *s = three_men ("KQvK");
  build (s, "KQvK", SD_WDL, SD_CODING_WDL, SD_FREE_ALL, "repair", "", NULL);
  char path[1100], message[300];
  snprintf (path, sizeof path, "%s/none:%s", folder, folder);
  sd_prober *prober, *none;
  cr_assert (sd_prober_open (path, 0, &prober, message, sizeof message) == SD_PROBER_OK);
  cr_expect (strstr (message, "1 table with up to 3 men") && strstr (message, "1 folder"), "%s", message);
  path[strlen (folder) + 5] = 0;
  cr_expect (sd_prober_open (path, 0, &none, message, sizeof message) == SD_PROBER_MISSING && !none);
  cr_expect (sd_prober_open (folder, 64, &none, message, sizeof message) == SD_PROBER_ARGUMENT && !none);
  cr_expect (sd_prober_open (folder, 0, NULL, NULL, 0) == SD_PROBER_ARGUMENT);
  static const struct {
    const char *fen;
    int status;
  } fens[] = { { "8/8/8/8/8/3k4/8/K6Q w - - 0 1", SD_PROBER_OK },
               { "8/8/8/8/8/3k4/8/K6Q w - -", SD_PROBER_OK },
               { "4k3/8/8/8/8/8/8/4K2Q w K - 0 1", SD_PROBER_CASTLING },
               { "4k3/8/8/8/8/8/8/4K2R w K - 0 1", SD_PROBER_CASTLING },
               { "8/8/8/8/8/3k4/8/K6R w - - 0 1", SD_PROBER_MISSING },
               { "rnb1kbnr/8/8/8/8/8/8/RNB1KBNR w - - 0 1", SD_PROBER_MEN },
               { "8/8/8/8/8/3k4/8/K6Q w - x9 0 1", SD_PROBER_ILLEGAL },
               { "8/8/8/8/8/3k4/8/K6Q w", SD_PROBER_OK }, /* what is left out is usual */
               { "8/8/8/8/8/3k4/8/K6Q x", SD_PROBER_ILLEGAL },
               { "8/8/8/8/8/3k4/8/K2Q4 w - - 0 1", SD_PROBER_ILLEGAL },
               { "", SD_PROBER_ILLEGAL } };
  for (unsigned i = 0; i < sizeof fens / sizeof fens[0]; i++) {
    sd_prober_position q;
    sd_prober_move moves[SD_PROBER_MOVES];
    unsigned n;
    int wdl, status = sd_prober_fen (fens[i].fen, &q);
    if (status == SD_PROBER_OK) {
      status = sd_prober_wdl (prober, &q, &wdl);
      cr_expect_eq (sd_prober_root (prober, &q, moves, &n), status, "%s", fens[i].fen);
      cr_expect_eq (sd_prober_explain (prober, &q, 0, message, sizeof message), status);
      cr_expect_eq (message[0] == 0, status == SD_PROBER_OK);
    }
    cr_expect_eq (status, fens[i].status, "%s: %d", fens[i].fen, status);
  }
  sd_prober_position q = { 0 };
  int wdl, plies;
  cr_expect_eq (sd_prober_wdl (prober, &q, &wdl), SD_PROBER_ILLEGAL);
  q = (sd_prober_position){ .white = 5, .black = 1ull << 40, .kings = 1 | 1ull << 40, .queens = 6 };
  cr_expect_eq (sd_prober_wdl (prober, &q, &wdl), SD_PROBER_ILLEGAL, "a queen of no colour");
  q.queens = 4;
  cr_expect_eq (sd_prober_wdl (prober, &q, &wdl), SD_PROBER_OK);
  q.ep = 200;
  cr_expect_eq (sd_prober_wdl (prober, &q, &wdl), SD_PROBER_ILLEGAL);
  q.ep = 0;
  q.black_to_move = 2;
  cr_expect_eq (sd_prober_wdl (prober, &q, &wdl), SD_PROBER_ILLEGAL);
  cr_expect_eq (sd_prober_wdl (NULL, &q, &wdl), SD_PROBER_ARGUMENT);
  cr_expect_eq (sd_prober_dtm (prober, &q, &wdl, NULL), SD_PROBER_ARGUMENT);
  cr_expect (strcmp (sd_prober_text (SD_PROBER_CASTLING), sd_prober_text (-1)) != 0);
  (void) plies;
  sd_prober_close (prober);
  sd_prober_close (NULL);
  sd_values_free (s);
}

Test (engine, tables_may_be_added_and_opened_twice, .init = make_folder, .fini = remove_folder) {
  sd_values *s = three_men ("KRvK");
  sd_prober *prober = prober_of (NULL, 0);
  sd_prober_position q;
  sd_prober_move moves[SD_PROBER_MOVES];
  char message[300];
  unsigned n;
  int wdl;
  cr_assert (sd_prober_fen ("8/8/8/8/8/3k4/8/K6R b - - 0 1", &q) == SD_PROBER_OK);
  cr_expect (sd_prober_tables (prober) == 0 && sd_prober_men (prober) == 0);
  cr_expect_eq (sd_prober_wdl (prober, &q, &wdl), SD_PROBER_MISSING);
  build (s, "KRvK", SD_WDL, SD_CODING_WDL, SD_FREE_ALL, "obdd", "", NULL);
  cr_expect_eq (sd_prober_add (prober, "/nowhere/at/all", message, sizeof message), SD_PROBER_MISSING);
  cr_assert (sd_prober_add (prober, folder, message, sizeof message) == SD_PROBER_OK, "%s", message);
  cr_expect (sd_prober_tables (prober) == 1 && sd_prober_wdl (prober, &q, &wdl) == SD_PROBER_OK && wdl == -1);
  sd_prober *twice = prober_of (folder, 0);
  sd_prober_close (prober);
  cr_assert (sd_prober_root (twice, &q, moves, &n) == SD_PROBER_OK && n > 0);
  for (unsigned i = 0; i < n; i++) /* no DTM tables */
    cr_expect (moves[i].dtm == -1 && (i == 0 || moves[i].wdl <= moves[i - 1].wdl));
  sd_prober_close (twice);

  /* a DTM table that is damaged: moves are ranked by WDL, and the reason is told */
  build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ALL, "obdd", "", NULL);
  char path[1100];
  snprintf (path, sizeof path, "%s/KRvK.dtm.sdt", folder);
  twice = prober_of (folder, 0);
  cr_assert (sd_prober_root (twice, &q, moves, &n) == SD_PROBER_OK && n > 0 && moves[0].dtm > 0);
  sd_prober_close (twice);
  cr_assert_eq (truncate (path, 300), 0);
  twice = prober_of (folder, 0);
  cr_assert (sd_prober_root (twice, &q, moves, &n) == SD_PROBER_OK && n > 0 && moves[0].dtm == -1);
  cr_expect (sd_prober_explain (twice, &q, 1, message, sizeof message) > SD_PROBER_MISSING && message[0]);
  sd_prober_close (twice);
  sd_values_free (s);
}

/* A table of an ending with more men than is solved here: White to move wins, Black to move loses. */
static void forge_won (const char *name) {
  static const sd_value results[3] = { -1, 0, 1 };
  sd_table_spec spec = { .material = material (name), .metric = SD_WDL, .coding = SD_CODING_WDL };
  sd_buf stream[2] = { { 0 }, { 0 } }, image = { 0 };
  char path[600];
  for (unsigned side = 0; side < 2; side++) {
    sd_layout_kings_first (&spec.material, &spec.side[side].layout);
    spec.side[side].codec = sd_codec_find ("repair");
    sd_codec_put_constant (side ? 0 : 2, &stream[side]);
  }
  const sd_buf *const both[2] = { &stream[0], &stream[1] };
  cr_assert_eq (sd_forge_table (&spec, results, 3, both, &image), SD_OK);
  snprintf (path, sizeof path, "%s/%s.wdl.sdt", folder, name);
  FILE *f = fopen (path, "wb");
  cr_assert (f && fwrite (image.data, 1, image.len, f) == image.len && fclose (f) == 0);
  sd_buf_free (&stream[0]);
  sd_buf_free (&stream[1]);
  sd_buf_free (&image);
}

/* Positions with 5 men and more are probed together, those with less one by one. */
Test (engine, a_batch_of_positions_with_few_and_with_many_men, .init = make_folder, .fini = remove_folder) {
  static const struct {
    const char *fen;
    int status, wdl;
  } want[] = {
    { "8/8/8/8/8/3k4/8/K6Q w - - 0 1", SD_PROBER_OK, 1 },
    { "4k3/8/8/8/8/8/1r6/K5RR w - - 0 1", SD_PROBER_MISSING, 0 },
    { "8/8/8/8/8/1k5n/8/K4QQQ w - - 0 1", SD_PROBER_MISSING, 0 },
    { "8/8/8/8/8/3k3r/8/K5QQ w - - 0 1", SD_PROBER_OK, 1 },
    { "8/8/8/8/8/3k4/8/K6B w - - 0 1", SD_PROBER_OK, 0 },
    { "8/8/8/8/8/2k4r/8/K4Q1Q b - - 0 1", SD_PROBER_OK, -1 },
    { "8/8/8/8/8/3k3r/8/K4Q1Q b - - 0 1", SD_PROBER_ILLEGAL, 0 }, /* with White to move */
    { "8/8/8/8/8/3K3R/8/k5qq b - - 0 1", SD_PROBER_OK, 1 },       /* colours swapped */
    { "8/8/8/8/8/3k4/8/KQ6 b - - 0 1", SD_PROBER_OK, -1 },
  };
  enum { N = sizeof want / sizeof want[0], TURNS = 4 };
  sd_values *s = three_men ("KPvK");
  build_all (s, "repair");
  forge_won ("KQQvKR");
  sd_prober_position q[N * TURNS];
  int wdl[N * TURNS], status[N * TURNS];
  for (unsigned flags = 0; flags < 4; flags++) {
    sd_prober *prober = prober_of (folder, flags);
    for (unsigned i = 0; i < N * TURNS; i++) {
      cr_assert_eq (sd_prober_fen (want[i % N].fen, &q[i]), SD_PROBER_OK);
      q[i].black_to_move &= want[i % N].status != SD_PROBER_ILLEGAL;
      wdl[i] = 7;
    }
    cr_expect_eq (sd_prober_wdl_batch (prober, q, N * TURNS, wdl, status), SD_PROBER_MISSING);
    for (unsigned i = 0; i < N * TURNS; i++) {
      const int expected = want[i % N].status == SD_PROBER_OK ? want[i % N].wdl : 7;
      cr_expect (status[i] == want[i % N].status && wdl[i] == expected, "%u, %s: status %d, %d", i,
                 want[i % N].fen, status[i], wdl[i]);
    }
    sd_prober_close (prober);
  }
  sd_values_free (s);
}

/* A batch is the first to ask, in a process that has forked since the tables were found. */
Test (engine, a_batch_in_a_forked_process_opens_tables, .init = make_folder, .fini = remove_folder) {
  static const char *const fens[] = { "8/8/8/8/8/3k4/8/K6Q w - - 0 1", "8/8/8/8/8/3k4/8/K6R w - - 0 1",
                                      "8/8/8/8/8/3k4/8/K6B w - - 0 1" };
  static const int result[] = { 1, 1, 0 };
  sd_values *s = three_men ("KPvK");
  for (unsigned c = 0; c < CODECS; c++) {
    build_all (s, own_codecs[c]);
    sd_prober *prober = prober_of (folder, 0);
    for (unsigned twice = 0; twice < 2; twice++) {
      const pid_t child = twice ? 0 : fork ();
      cr_assert (child >= 0);
      if (child) {
        int status;
        cr_assert (waitpid (child, &status, 0) == child && WIFEXITED (status));
        cr_expect_eq (WEXITSTATUS (status), 0, "%s", own_codecs[c]);
        continue;
      }
      sd_prober_position q[3];
      int wdl[3] = { 7, 7, 7 }, status[3], bad = 0;
      for (unsigned i = 0; i < 3; i++)
        bad += sd_prober_fen (fens[i], &q[i]) != SD_PROBER_OK;
      bad += sd_prober_wdl_batch (prober, q, 3, wdl, status) != SD_PROBER_OK;
      for (unsigned i = 0; i < 3; i++)
        bad += status[i] != SD_PROBER_OK || wdl[i] != result[i];
      if (!twice)
        _exit (bad);
      cr_expect_eq (bad, 0, "%s", own_codecs[c]);
    }
    sd_prober_close (prober);
  }
  sd_values_free (s);
}

/* From here on no more files can be opened; the limit of before. */
static struct rlimit use_up_descriptors (void) {
  struct rlimit before, none;
  const int next = open ("/dev/null", O_RDONLY);
  cr_assert (next >= 0 && getrlimit (RLIMIT_NOFILE, &before) == 0);
  close (next);
  none = before;
  none.rlim_cur = (rlim_t) next;
  cr_assert (setrlimit (RLIMIT_NOFILE, &none) == 0);
  return before;
}

Test (engine, a_probe_without_a_descriptor_says_so_and_works_later, .init = make_folder,
      .fini = remove_folder) {
  sd_values *s = three_men ("KQvK");
  build (s, "KQvK", SD_WDL, SD_CODING_WDL, SD_FREE_ALL, "repair", "", NULL);
  sd_prober *prober = prober_of (folder, 0), *none;
  sd_prober_position q;
  sd_prober_move moves[SD_PROBER_MOVES];
  char message[300];
  unsigned n;
  int wdl, status;
  cr_assert (sd_prober_fen ("8/8/8/8/8/3k4/8/K6Q w - - 0 1", &q) == SD_PROBER_OK);
  const struct rlimit before = use_up_descriptors ();
  cr_expect_eq (sd_prober_wdl (prober, &q, &wdl), SD_PROBER_IO);
  cr_expect (sd_prober_wdl_batch (prober, &q, 1, &wdl, &status) == SD_PROBER_IO && status == SD_PROBER_IO);
  cr_expect_eq (sd_prober_root (prober, &q, moves, &n), SD_PROBER_IO);
  cr_expect_eq (sd_prober_explain (prober, &q, 0, message, sizeof message), SD_PROBER_IO);
  cr_expect (strstr (message, "KQvK.wdl.sdt: cannot be read: ") && strstr (message, strerror (EMFILE)), "%s",
             message);
  cr_expect_eq (sd_prober_open (folder, 0, &none, message, sizeof message), SD_PROBER_IO);
  cr_expect (strstr (message, strerror (EMFILE)), "%s", message);
  cr_assert (setrlimit (RLIMIT_NOFILE, &before) == 0);
  cr_expect (sd_prober_wdl (prober, &q, &wdl) == SD_PROBER_OK && wdl == 1);
  sd_prober_close (prober);
  sd_values_free (s);
}

/* -------------------------------------------------------------- shim */

static unsigned shim (const sd_prober_position *q, unsigned rule50, unsigned castling, unsigned *results) {
  return results ? tb_probe_root (q->white, q->black, q->kings, q->queens, q->rooks, q->bishops, q->knights,
                                  q->pawns, rule50, castling, q->ep, !q->black_to_move, results)
                 : tb_probe_wdl (q->white, q->black, q->kings, q->queens, q->rooks, q->bishops, q->knights,
                                 q->pawns, rule50, castling, q->ep, !q->black_to_move);
}

Test (engine, calls_of_fathom, .init = make_folder, .fini = remove_folder) {
  sd_values *s = three_men ("KPvK");
  unsigned results[TB_MAX_MOVES];
  sd_prober_position q;
  build_all (s, "repair");
  cr_expect (tb_init ("/nowhere/at/all") && TB_LARGEST == 0);
  cr_expect (tb_init ("<empty>") && TB_LARGEST == 0);
  cr_assert (tb_init (folder) && TB_LARGEST == 3);
  cr_assert (sd_prober_fen ("8/2P5/8/8/8/2k5/8/K7 w - - 0 1", &q) == SD_PROBER_OK);
  cr_expect_eq (shim (&q, 0, 0, NULL), TB_WIN);
  cr_expect_eq (shim (&q, 1, 0, NULL), TB_RESULT_FAILED);
  cr_expect_eq (shim (&q, 0, TB_CASTLING_K, NULL), TB_RESULT_FAILED);
  cr_expect_eq (shim (&q, 0, TB_CASTLING_K, results), TB_RESULT_FAILED);
  cr_expect_eq (shim (&q, 3, 0, results), TB_RESULT_FAILED, "no table knows plies to zeroing");
  const sd_prober_position right = { .pawns = UINT64_C (3) << 35, .ep = 43 }; /* pawns on d5 and e5, d6 */
  const sd_prober_move take = { .from = 36, .to = 43 }, step = { .from = 35, .to = 43 };
  cr_expect (TB_GET_EP (subdef_fathom_result (&right, &take, 0, 0)) == 1
             && TB_GET_EP (subdef_fathom_result (&right, &step, 0, 0)) == 0);
  const unsigned set = TB_SET_DTZ (
      TB_SET_EP (TB_SET_PROMOTES (TB_SET_FROM (TB_SET_TO (TB_SET_WDL (0, 3), 63), 7), 4), 1), 4095);
  cr_expect (TB_GET_WDL (set) == 3 && TB_GET_TO (set) == 63 && TB_GET_FROM (set) == 7
             && TB_GET_PROMOTES (set) == 4 && TB_GET_EP (set) == 1 && TB_GET_DTZ (set) == 4095);
  tb_free ();
  cr_expect_eq (TB_LARGEST, 0);
  cr_expect_eq (shim (&q, 0, 0, NULL), TB_RESULT_FAILED);
  sd_values_free (s);
}
