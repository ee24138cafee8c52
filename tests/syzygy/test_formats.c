/* Syzygy files as tables of this program: probed, loaded whole and verified as all others are. */
#include "config.h"
#include "fuzz/syzygy_seeds.h"
#include "recode/recode.h"
#include "table/lost.h"
#include "table/table_internal.h"
#include "tests/base/long_tests.h"
#include "tests/syzygy/files.h"
#include <criterion/criterion.h>
#include <signal.h>

/* Of made-up files under right names: slots, sides, symbols. */
Test (syzygy_formats, made_up_files_open_as_tables) {
  for (unsigned k = 0; k < SYZYGY_SEEDS; k++) {
    const syzygy_seed *seed = &syzygy_seeds[k];
    const sd_material m = syzygy_seed_material (seed);
    char ending[16], name[32];
    sd_buf b = { 0 };
    sd_table *t;
    sd_table_info in;
    sd_error err = { 0 };
    sd_material_name (&m, ending);
    snprintf (name, sizeof name, "%s.%s", ending, seed->dtz ? "rtbz" : "rtbw");
    cr_assert (syzygy_seed_put (k, &b));
    cr_assert_eq (sd_table_open_memory (b.data, b.len, name, 0, &t, &err), SD_OK, "%s: %s", name, err.text);
    sd_table_describe (t, &in);
    cr_expect (sd_material_equal (&in.material, &m));
    cr_expect_eq (in.metric, seed->dtz ? SD_DTZ50 : SD_WDL50);
    for (unsigned side = 0; side < in.nsides; side++) {
      const sd_side *s = &in.side[side];
      sd_symbol two[2], one;
      if (!sd_table_info_has (&in, side))
        continue;
      for (uint64_t i = 0; i < s->slots; i += 1 + s->slots / 50) {
        const uint64_t first = i + 2 > s->slots ? s->slots - 2 : i;
        cr_assert_eq (sd_codec_read (s->decoder, first, 2, two), SD_OK);
        cr_assert_eq (sd_codec_get (s->decoder, first + 1, &one), SD_OK);
        cr_assert (one == two[1] && one < s->main && two[0] < s->main);
      }
    }
    sd_table_close (t);
    cr_expect_eq (sd_table_open_memory (b.data, b.len, name, SD_OPEN_CHECK, &t, &err), SD_ECHECKSUM);
    cr_expect_eq (strncmp (err.text, name, strlen (name)), 0, "%s", err.text);
    name[strlen (name) - 1] ^= 'w' ^ 'z';
    cr_expect_eq (sd_table_open_memory (b.data, b.len, name, 0, &t, &err), SD_EFORMAT);
    cr_expect_eq (sd_table_open_memory (b.data, b.len, name, 0, &t, NULL), SD_EFORMAT);
    sd_buf_free (&b);
  }
}

Test (syzygy_formats, only_names_with_the_stronger_side_first_count) {
  static const struct {
    const char *name;
    enum sd_metric metric;
  } names[] = { { "KRPvKR.rtbw", SD_WDL50 }, { "KvKQ.rtbw", SD_METRICS },     { "KRvKQ.rtbw", SD_METRICS },
                { "KRPvKR.rtbz", SD_DTZ50 }, { "KQvK.dtm.rtbw", SD_METRICS }, { ".rtbw", SD_METRICS },
                { "KQvK.rtb", SD_METRICS },  { "KQQQQQQvK.rtbw", SD_METRICS } };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    sd_holding holds;
    const sd_format *f = sd_format_of (names[i].name, &holds);
    char back[SD_GAME_FILE_NAME];
    cr_expect_eq (f ? holds.metric : SD_NO_METRIC, names[i].metric, "%s", names[i].name);
    if (f) {
      cr_expect (f->file_name (&holds, back));
      cr_expect_str_eq (back, names[i].name);
    }
  }
}

/* ------------------------------------------------------------ files that are cut */

static sd_table *cut;

static void lost (int number, siginfo_t *why, void *context) {
  (void) number;
  (void) context;
  if (!sd_table_lost_at (cut, why->si_addr))
    _exit (99);
}

/* The first symbols of each stored side; how many of them failed with SD_EIO. */
enum { FIRST = 64 };
static unsigned read_first (const sd_table *t, sd_symbol out[2][FIRST]) {
  unsigned failed = 0;
  sd_table_info in;
  sd_table_describe (t, &in);
  for (unsigned side = 0; side < in.nsides; side++)
    for (unsigned i = 0; i < FIRST && sd_table_info_has (&in, side); i++) {
      sd_symbol one;
      const int st = sd_codec_get (in.side[side].decoder, i * (in.side[side].slots / FIRST), &one);
      cr_assert (st == SD_OK || st == SD_EIO);
      failed += st == SD_EIO;
      if (st == SD_OK)
        out[side][i] = one;
    }
  return failed;
}

/* Opened so, then cut: SD_EIO or what was read before. Returns how many reads failed. */
static unsigned read_cut (const char *path, unsigned flags, size_t bytes) {
  sd_symbol before[2][FIRST] = { 0 }, after[2][FIRST];
  sd_error err = { 0 };
  cr_assert_eq (sd_table_open (path, flags, &cut, &err), SD_OK, "%s", err.text);
  cr_assert_eq (read_first (cut, before), 0);
  memcpy (after, before, sizeof after);
  cr_assert_eq (truncate (path, (off_t) bytes), 0);
  const unsigned failed = read_first (cut, after);
  cr_expect_eq (memcmp (before, after, sizeof after), 0, "%s: wrong values", path);
  sd_table_close (cut);
  return failed;
}

Test (syzygy_formats, a_mapped_file_that_is_cut_is_lost_and_ends_nothing) {
  struct sigaction act = { .sa_sigaction = lost, .sa_flags = SA_SIGINFO };
  char folder[] = "/tmp/sd-syzygy-cut-XXXXXX";
  unsigned failed = 0;
  cr_assert (mkdtemp (folder));
  sigemptyset (&act.sa_mask);
  sigaction (SIGBUS, &act, NULL);
  for (unsigned k = 0; k < SYZYGY_SEEDS; k++) {
    const syzygy_seed *seed = &syzygy_seeds[k];
    const sd_material m = syzygy_seed_material (seed);
    char ending[16], path[128];
    sd_buf b = { 0 };
    sd_material_name (&m, ending);
    snprintf (path, sizeof path, "%s/%s.%s", folder, ending, seed->dtz ? "rtbz" : "rtbw");
    cr_assert (syzygy_seed_put (k, &b));
    for (unsigned mapped = 0; mapped < 2; mapped++) {
      FILE *f = fopen (path, "wb");
      cr_assert (f && fwrite (b.data, 1, b.len, f) == b.len && fclose (f) == 0);
      const unsigned n = read_cut (path, mapped ? 0 : SD_OPEN_PARTS | SD_OPEN_MAP_OTHERS, 0);
      cr_expect (mapped || n == 0, "%s: a small file is read when it is opened", path);
      failed += n;
    }
    unlink (path);
    sd_buf_free (&b);
  }
  cr_expect_gt (failed, 0);
  rmdir (folder);
}

/* --------------------------------------------------------- the public files */

typedef struct both {
  sd_tables *tables;    /* this program's */
  sd_syzygy_tables *ts; /* the rules of engines */
} both;

static bool open_both (both *b) {
  const char *folder = syzygy_folder ();
  if (!folder)
    return false;
  cr_assert_eq (sd_tables_open (folder, 0, &b->tables, NULL), SD_OK);
  cr_assert_eq (sd_syzygy_tables_open (folder, &b->ts, NULL), SD_OK);
  return true;
}

static void close_both (both *b) {
  sd_tables_close (b->tables);
  sd_syzygy_tables_close (b->ts);
}

static void random_position (const sd_material *m, uint64_t *state, sd_pos *p) {
  const unsigned men = sd_material_men (m);
  uint8_t sq[SD_MAX_MEN];
  do {
    for (unsigned i = 0; i < men; i++)
      sq[i] = sd_random (state) & 63;
    sd_pos_from_squares (m, sq, sd_random (state) & 1, p);
  } while (!sd_pos_legal (p) || (unsigned) __builtin_popcountll (p->occ[0] | p->occ[1]) != men);
  if (sd_ep_squares (p))
    p->ep = (uint8_t) sd_lowest (sd_ep_squares (p));
}

Test (syzygy_formats, probes_follow_the_rules_of_engines) {
  both b;
  char name[16];
  uint64_t state = 9, wrong = 0;
  if (!open_both (&b))
    return;
  for (unsigned i = 0; small_ending (i, name); i++) {
    sd_material m;
    cr_assert_eq (sd_material_parse (name, &m, NULL), SD_OK);
    for (unsigned k = 0; k < 200; k++) {
      sd_pos p, mirrored;
      int wdl = 9, dtz = 9;
      sd_value w = 8, d = 8;
      random_position (&m, &state, &p);
      sd_pos_flip (&p, &mirrored);
      cr_assert_eq (sd_syzygy_wdl (b.ts, &p, &wdl, NULL), SD_OK);
      cr_assert_eq (sd_syzygy_dtz (b.ts, &p, &dtz, NULL), SD_OK);
      cr_assert_eq (sd_probe_value (b.tables, SD_WDL50, k & 1 ? &p : &mirrored, &w, NULL), SD_OK);
      cr_assert_eq (sd_probe_value (b.tables, SD_DTZ50, k & 1 ? &p : &mirrored, &d, NULL), SD_OK);
      wrong += w != wdl || d != dtz;
    }
  }
  cr_expect_eq (wrong, 0, "%llu", (unsigned long long) wrong);
  close_both (&b);
}

/* Loaded whole, as tables are that others are made from: with the plies that full moves leave open. */
Test (syzygy_formats, loaded_values_are_those_of_probes) {
  /* the last one searches the plies of many positions */
  static const char *const names[] = { "KRvK", "KPvK", "KQvKN", "KPPvK" };
  const unsigned n = sd_long_tests () ? 4 : 3;
  both b;
  sd_values *x;
  sd_error err = { 0 };
  if (!open_both (&b))
    return;
  cr_assert_eq (sd_values_new (syzygy_folder (), SD_DTZ50, &x, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < n; i++) {
    sd_material m;
    const sd_exact *e;
    uint64_t wrong = 0, seen = 0, step = i < 2 ? 7 : 1999;
    cr_assert_eq (sd_material_parse (names[i], &m, NULL), SD_OK);
    cr_assert_eq (sd_values_whole (x, &m, &e, &err), SD_OK, "%s", err.text);
    for (unsigned side = 0; side < e->nsides; side++)
      for (uint64_t k = 0; k < e->n; k += step) {
        uint8_t sq[SD_MAX_MEN];
        sd_pos p;
        int dtz = 9;
        if (e->value[side][k] == SD_ILLEGAL || !sd_index_squares (e->indexer, k, sq))
          continue;
        sd_pos_from_squares (&m, sq, side, &p);
        cr_assert_eq (sd_syzygy_dtz (b.ts, &p, &dtz, &err), SD_OK, "%s", err.text);
        const sd_value v = e->value[side][k];
        wrong += v != dtz && !(dtz > 0 && v == dtz + 1) && !(dtz < 0 && v == dtz - 1);
        seen++;
      }
    cr_expect (wrong == 0 && seen > 1000, "%s: %llu of %llu", names[i], (unsigned long long) wrong,
               (unsigned long long) seen);
  }
  sd_values_free (x);
  close_both (&b);
}
