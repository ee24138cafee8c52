/* Tables on a path: which are found, which are refused, what a missing or damaged one says and does. */
#include "config.h"

#include "tests/base/long_tests.h"
#include "tests/probe/three_men.h"

TestSuite (tables, .init = make_folder, .fini = remove_folder);

/* ----------------------------------------------------------- what is refused */

Test (tables, a_missing_sub_table_is_named_with_the_path_and_who_needs_it) {
  sd_values *s = three_men ("KPvK");
  build (s, "KPvK", SD_WDL, SD_CODING_WDL, SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW, "store", NULL, NULL);
  sd_tables *ts = open_folder ();
  sd_pos p;
  sd_error err = { 0 };
  int wdl;
  cr_assert (sd_pos_from_fen ("8/Pk6/8/8/8/8/8/7K w - - 0 1", &p, &err) == SD_OK); /* drawn */
  cr_expect (sd_probe_wdl (ts, &p, &wdl, NULL) == SD_ENOENT);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, &err) == SD_ENOENT);
  char want[700];
  snprintf (want, sizeof want, "KQvK.wdl.sdt: not found in %s, needed by KPvK", folder);
  cr_expect (strcmp (err.text, want) == 0, "%s", err.text);
  sd_value v;
  cr_expect (sd_probe_dtm (ts, &p, &v, &err) == SD_ENOENT);
  snprintf (want, sizeof want, "KPvK.dtm.sdt: not found in %s", folder);
  cr_expect (strcmp (err.text, want) == 0, "%s", err.text);
  cr_assert (sd_pos_from_fen ("8/8/8/P7/8/8/8/K6k w - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, &err) == SD_OK && wdl == 1,
             "no promotion yet: the table alone answers");
  cr_assert (sd_pos_from_fen ("8/P7/8/8/8/8/8/K6k w - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, &err) != SD_OK || wdl == 1,
             "a table that has the win itself may do without");
  sd_tables_close (ts);
  sd_values_free (s);
}

Test (tables, a_folder_that_is_not_there_is_passed_over) {
  sd_values *s = three_men ("KRvK");
  build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  sd_tables *ts;
  sd_error err = { 0 };
  char path[3 * sizeof folder + 40], gone[sizeof folder + 10];
  snprintf (gone, sizeof gone, "%s/gone", folder);
  snprintf (path, sizeof path, "%s:%s:%s/lost", gone, folder, folder);
  cr_assert (sd_tables_open (path, 0, &ts, &err) == SD_OK, "%s", err.text);
  cr_expect (sd_tables_count (ts) == 1);
  cr_expect (sd_tables_absent (ts, 0) && strcmp (sd_tables_absent (ts, 0), gone) == 0);
  cr_expect (sd_tables_absent (ts, 1) && strstr (sd_tables_absent (ts, 1), "/lost"));
  cr_expect (sd_tables_absent (ts, 2) == NULL);
  sd_tables_close (ts);
  snprintf (path, sizeof path, "%s:%s/lost", gone, folder);
  cr_expect (sd_tables_open (path, 0, &ts, &err) == SD_ENOENT && ts == NULL);
  cr_expect (strstr (err.text, "/gone: cannot list the folder: "), "%s", err.text);
  sd_values_free (s);
}

/* As an engine and as a command line open them: blocks that are kept, of both sides in one stream too. */
Test (tables, kept_blocks_give_the_same_values) {
  sd_values *s = three_men ("KPvK");
  static const char *const name[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  for (unsigned i = 0; i < 5; i++) {
    stored_sides = i % 2 ? SD_SIDES_JOINT : SD_SIDES_BOTH;
    build (s, name[i], SD_WDL, SD_CODING_WDL, SD_FREE_ALL & ~(unsigned) SD_FREE_DRAW, "lzma", "block=4096",
           NULL);
    build (s, name[i], SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, "lzma", "block=4096", NULL);
  }
  sd_tables *ts;
  sd_error err = { 0 };
  cr_assert (sd_tables_open (folder, SD_OPEN_CHECK | SD_OPEN_CACHE, &ts, &err) == SD_OK, "%s", err.text);
  compare_all (ts, s, "KPvK", true, true, "kept");
  compare_all (ts, s, "KRvK", true, true, "kept");
  sd_tables_close (ts);
  sd_values_free (s);
}

/* In tables that hold the values themselves, what stands in the slot is the value; blocks hold their slot, of
 * both sides in one stream too, and of either colour as the stronger side. */
Test (tables, a_position_stands_where_its_value_is) {
  sd_values *s = three_men ("KRvK");
  sd_tables *ts;
  sd_error err = { 0 };
  for (unsigned joint = 0; joint < 2; joint++) {
    stored_sides = joint ? SD_SIDES_JOINT : SD_SIDES_BOTH;
    build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, joint ? "repair" : "lzma", "block=64", NULL);
    cr_assert (sd_tables_open (folder, SD_OPEN_CACHE, &ts, &err) == SD_OK, "%s", err.text);
    const sd_material m = material ("KRvK");
    const sd_exact *e;
    cr_assert (sd_values_whole (s, &m, &e, NULL) == SD_OK);
    unsigned long seen = 0, blocks = 0;
    for (unsigned k = 0; k < 2 * 3000; k++) {
      sd_pos p, flipped;
      sd_place place;
      sd_symbol symbol;
      sd_value value;
      if (!position (e, k & 1, (uint64_t) k * 7919 % e->n, &p))
        continue;
      sd_pos_flip (&p, &flipped);
      const sd_pos *asked = k & 2 ? &flipped : &p;
      cr_assert (sd_tables_place (ts, SD_DTM, asked, &place) == SD_OK && place.stored);
      cr_assert (place.side == (k & 1) && sd_probe_dtm (ts, asked, &value, NULL) == SD_OK);
      sd_table_info in;
      sd_table_describe (place.table, &in);
      const sd_side *side = &in.side[place.side];
      cr_assert (place.slot < side->slots && sd_codec_get (side->decoder, place.slot, &symbol) == SD_OK);
      cr_assert_eq (side->map[symbol], value, "slot %lu", (unsigned long) place.slot);
      const sd_codec_block *b = &place.block;
      cr_assert (b->bytes > 0 && b->first <= place.slot && place.slot - b->first < b->slots
                 && b->first + b->slots <= side->slots);
      blocks = b->number > blocks ? b->number : blocks;
      seen++;
    }
    cr_expect (seen > 1000 && blocks > 10, "%lu positions, %lu blocks", seen, blocks);
    sd_place none;
    const sd_pos kings = { .by = { [0][SD_KING] = 1, [1][SD_KING] = sd_bit (63) }, .ep = SD_NO_SQUARE };
    cr_expect (sd_tables_place (ts, SD_WDL, &kings, &none) == SD_ENOENT);
    cr_expect (sd_tables_place (ts, SD_DTM, &kings, &none) == SD_ENOENT);
    sd_tables_close (ts);
  }
  sd_values_free (s);
}

Test (tables, what_is_missing_has_a_name_of_its_own) {
  sd_tables *ts;
  sd_pos p;
  sd_error err = { 0 };
  int wdl;
  cr_assert (sd_tables_open ("", 0, &ts, NULL) == SD_OK);
  cr_assert (sd_pos_from_fen ("8/8/8/8/8/2k5/8/K6R w - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, &err) == SD_ENOENT && strcmp (err.missing, "KRvK.wdl.sdt") == 0);
  sd_tables_close (ts);
}

Test (tables, eight_men_and_positions_that_cannot_be_are_refused_and_two_kings_are_drawn) {
  sd_tables *ts;
  cr_assert (sd_tables_open ("", 0, &ts, NULL) == SD_OK);
  sd_pos p;
  sd_error err = { 0 };
  int wdl = 7;
  sd_value v = 7;
  cr_assert (sd_pos_from_fen ("k7/ppp5/8/8/8/8/5PPP/7K w - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, &err) == SD_EINVAL);
  cr_expect (strcmp (err.text, "the position has 8 men: tables hold at most 7") == 0, "%s", err.text);
  cr_assert (sd_pos_from_fen ("7k/8/8/8/8/8/8/K7 b - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_wdl (ts, &p, &wdl, &err) == SD_OK && wdl == 0);
  cr_expect (sd_probe_dtm (ts, &p, &v, &err) == SD_OK && v == 0);
  sd_pos wrong = { .stm = SD_WHITE, .ep = SD_NO_SQUARE };
  cr_expect (sd_probe_wdl (ts, &wrong, &wdl, &err) == SD_EINVAL, "an empty board");
  sd_pos_put (&wrong, SD_WHITE, SD_KING, 0);
  sd_pos_put (&wrong, SD_BLACK, SD_KING, 1);
  sd_pos_put (&wrong, SD_WHITE, SD_QUEEN, 60);
  cr_expect (sd_probe_dtm (ts, &wrong, &v, &err) == SD_EINVAL, "adjacent kings");
  sd_tables_close (ts);
}

/* What 60 damaged copies of both tables answer. */
typedef struct tally {
  long opened, right, wrong, refused;
} tally;

static bool damage_is_told (int st) {
  return st == SD_EFORMAT || st == SD_ECHECKSUM || st == SD_ENOENT;
}

static void probe_damaged (const sd_exact *e, const sd_tables *ts, uint64_t *state, tally *sum) {
  for (unsigned i = 0; i < 500; i++) {
    const unsigned side = sd_random (state) & 1;
    const uint64_t slot = sd_random (state) % e->n;
    sd_pos p;
    sd_value v;
    int wdl;
    if (!position (e, side, slot, &p))
      continue;
    const sd_value is = e->value[side][slot];
    int st = sd_probe_wdl (ts, &p, &wdl, NULL);
    cr_assert (damage_is_told (st) || (st == SD_OK && wdl >= -1 && wdl <= 1), "status %d", st);
    sum->wrong += st == SD_OK && wdl != sd_value_wdl (is);
    st = sd_probe_dtm (ts, &p, &v, NULL);
    cr_assert (damage_is_told (st) || (st == SD_OK && v != SD_ILLEGAL), "status %d", st);
    sum->refused += st != SD_OK;
    sum->right += st == SD_OK && v == is;
    sum->wrong += st == SD_OK && v != is;
  }
}

enum { ROUNDS = 60 };

static tally probe_copies (const sd_exact *e, const sd_map map[2], unsigned flags, unsigned rounds) {
  tally sum = { 0 };
  uint64_t state = 5;
  for (unsigned round = 0; round < rounds; round++) {
    sd_tables *ts;
    sd_table *t[2] = { NULL, NULL };
    uint8_t *copy[2];
    cr_assert (sd_tables_open (NULL, 0, &ts, NULL) == SD_OK);
    for (int metric = 0; metric < 2; metric++) {
      cr_assert (copy[metric] = malloc (map[metric].len));
      memcpy (copy[metric], map[metric].data, map[metric].len);
      for (unsigned k = 0; k < round % 3; k++)
        copy[metric][sd_random (&state) % map[metric].len] ^= (uint8_t) (1u << (sd_random (&state) & 7));
      if (sd_table_open_memory (copy[metric], map[metric].len, "damaged", flags, &t[metric], NULL) == SD_OK
          && sd_tables_use (ts, t[metric]) == SD_OK)
        sum.opened++;
    }
    probe_damaged (e, ts, &state, &sum);
    sd_tables_close (ts);
    for (int metric = 0; metric < 2; metric++) {
      sd_table_close (t[metric]);
      free (copy[metric]);
    }
  }
  return sum;
}

Test (tables, damaged_bytes_never_make_a_wrong_answer_unless_that_is_asked_for) {
  static const char *const codecs[] = { "store", "lzma", "repair", "rle", "obdd", "trees" };
  const long least = 4000 / sd_every (4);
  sd_values *s = three_men ("KRvK");
  sd_material m = material ("KRvK");
  const sd_exact *e;
  cr_assert (sd_values_whole (s, &m, &e, NULL) == SD_OK);
  for (unsigned c = 0; c < sizeof codecs / sizeof *codecs; c++) {
    build (s, "KRvK", SD_WDL, SD_CODING_WDL, SD_FREE_ILLEGAL | SD_FREE_CAPTURE, codecs[c], NULL, NULL);
    build (s, "KRvK", SD_DTM, SD_CODING_MOVES, SD_FREE_ALL, codecs[c], NULL, NULL);
    sd_map map[2];
    for (int metric = 0; metric < 2; metric++) {
      char file[32], path[600];
      sd_table_file_name (&m, metric, file);
      snprintf (path, sizeof path, "%s/%s", folder, file);
      cr_assert (sd_map_open (path, &map[metric], NULL) == SD_OK);
    }
    const tally usual = probe_copies (e, map, 0, ROUNDS / sd_every (4));
    cr_expect (usual.wrong == 0, "%s: %ld wrong", codecs[c], usual.wrong);
    cr_expect (usual.right > least && usual.refused > least, "%s: %ld right, %ld refused", codecs[c],
               usual.right, usual.refused);
    const tally kept = probe_copies (e, map, SD_OPEN_CACHE, ROUNDS / sd_every (4));
    cr_expect (memcmp (&kept, &usual, sizeof kept) == 0, "%s, blocks kept: %ld wrong, %ld right, %ld refused",
               codecs[c], kept.wrong, kept.right, kept.refused);
    const tally unsafe = probe_copies (e, map, SD_OPEN_UNSAFE_NO_CHECKSUMS, ROUNDS);
    cr_expect (unsafe.opened > usual.opened * (long) sd_every (4), "%s: %ld open unchecked, %ld checked",
               codecs[c], unsafe.opened, usual.opened);
    cr_expect (unsafe.wrong > 0, "%s", codecs[c]);
    for (int metric = 0; metric < 2; metric++)
      sd_map_close (&map[metric]);
  }
  sd_values_free (s);
}

Test (tables, all_checksums_and_none_at_once_are_refused) {
  sd_table *t;
  sd_error err = { 0 };
  cr_expect (sd_table_open_memory ((const uint8_t *) "", 0, "none",
                                   SD_OPEN_CHECK | SD_OPEN_UNSAFE_NO_CHECKSUMS, &t, &err)
             == SD_EINVAL);
  cr_expect (strcmp (err.text, "none: all checksums and none are asked for at once") == 0, "%s", err.text);
}

Test (tables, a_copy_in_memory_does_not_notice_that_its_file_is_cut) {
  sd_values *s = three_men ("KRvK");
  build (s, "KRvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  char path[600];
  snprintf (path, sizeof path, "%s/KRvK.dtm.sdt", folder);
  sd_tables *ts;
  cr_assert (sd_tables_open (folder, SD_OPEN_COPY, &ts, NULL) == SD_OK);
  cr_assert (truncate (path, 0) == 0);
  compare_all (ts, s, "KRvK", true, true, "cut behind its back");
  sd_tables_close (ts);
  sd_values_free (s);
}

Test (tables, what_is_no_position_is_refused_and_a_square_without_a_capture_is_no_right) {
  sd_values *s = three_men ("KPvK");
  build (s, "KPvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  sd_tables *ts = open_folder ();
  sd_pos good, p;
  sd_value is, v;
  int wdl;
  cr_assert (sd_pos_from_fen ("8/8/8/8/4P3/8/8/K6k b - - 0 1", &good, NULL) == SD_OK);
  cr_assert (sd_probe_dtm (ts, &good, &is, NULL) == SD_OK);
  for (unsigned n = 2; n < 256; n++) {
    p = good;
    p.stm = (uint8_t) n;
    cr_expect (sd_probe_wdl (ts, &p, &wdl, NULL) == SD_EINVAL
               && sd_probe_dtm (ts, &p, &v, NULL) == SD_EINVAL);
  }
  for (unsigned n = 0; n < 256; n++) {
    p = good;
    p.ep = (uint8_t) n;
    const int st = sd_probe_dtm (ts, &p, &v, NULL);
    cr_expect (n > 64 ? st == SD_EINVAL : st == SD_OK && v == is, "en-passant square %u: status %d", n, st);
  }
  p = good;
  p.occ[SD_WHITE] = 0;
  cr_expect (sd_probe_dtm (ts, &p, &v, NULL) == SD_EINVAL);
  sd_tables_close (ts);
  sd_values_free (s);
}

/* ------------------------------------------------------------------- paths */

static void copy_file (const char *from, const char *to, size_t bytes) {
  char path[600];
  snprintf (path, sizeof path, "%s/%s", folder, from);
  sd_map map;
  cr_assert (sd_map_open (path, &map, NULL) == SD_OK);
  snprintf (path, sizeof path, "%s/%s", folder, to);
  FILE *f = fopen (path, "wb");
  const size_t n = bytes < map.len ? bytes : map.len;
  cr_assert (f && fwrite (map.data, 1, n, f) == n && fclose (f) == 0);
  sd_map_close (&map);
}

Test (tables, a_broken_file_disturbs_only_those_who_need_it) {
  sd_values *s = three_men ("KQvK");
  build (s, "KQvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  copy_file ("KQvK.dtm.sdt", "KRvK.dtm.sdt", 100);      /* cut off */
  copy_file ("KQvK.dtm.sdt", "KNvK.dtm.sdt", SIZE_MAX); /* another table */
  copy_file ("KQvK.dtm.sdt", "notes.sdt", 10);          /* not the name of a table */
  sd_tables *ts = open_folder ();
  cr_expect (sd_tables_count (ts) == 3, "%u", sd_tables_count (ts));
  compare_all (ts, s, "KQvK", true, true, "beside a broken file");
  sd_pos p;
  sd_value v;
  sd_error err = { 0 };
  cr_assert (sd_pos_from_fen ("8/8/8/8/8/2k5/8/K6R w - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_dtm (ts, &p, &v, &err) != SD_OK);
  cr_expect (strstr (err.text, "KRvK.dtm.sdt") != NULL, "%s", err.text);
  cr_expect (strstr (err.text, "not found") == NULL, "%s", err.text);
  cr_assert (sd_pos_from_fen ("8/8/8/8/8/2k5/8/K6N w - - 0 1", &p, &err) == SD_OK);
  cr_expect (sd_probe_dtm (ts, &p, &v, &err) == SD_EFORMAT);
  cr_expect (strstr (err.text, "holds another table, KQvK.dtm.sdt") != NULL, "%s", err.text);
  const char *last = "";
  unsigned broken = 0;
  for (unsigned i = 0; i < 3; i++) { /* in the order of names */
    const char *path;
    const sd_table *t = sd_tables_at (ts, i, &path);
    cr_expect (strcmp (last, path) < 0);
    cr_expect ((t == NULL) == (sd_tables_problem (ts, i) != NULL));
    broken += t == NULL;
    last = path;
  }
  cr_expect (broken == 2, "%u", broken);
  sd_tables_close (ts);
  sd_values_free (s);
}

Test (tables, earlier_folders_win_and_a_missing_folder_is_an_error) {
  sd_values *s = three_men ("KQvK");
  char kept[512], path[1100];
  build (s, "KQvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
  memcpy (kept, folder, sizeof kept);
  make_folder ();
  build (s, "KQvK", SD_DTM, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "lzma", NULL, NULL);
  for (unsigned first = 0; first < 2; first++) {
    sd_tables *ts;
    sd_error err = { 0 };
    snprintf (path, sizeof path, "%s::%s", first ? folder : kept, first ? kept : folder);
    cr_assert (sd_tables_open (path, 0, &ts, &err) == SD_OK, "%s", err.text);
    sd_material m = material ("KvKQ");
    const sd_table *t = sd_tables_find (ts, &m, SD_DTM);
    cr_assert (t);
    sd_table_info in;
    sd_table_describe (t, &in);
    cr_expect (strcmp (in.side[0].codec->name, first ? "lzma" : "store") == 0, "%s", in.side[0].codec->name);
    cr_expect (sd_tables_find (ts, &m, SD_WDL) == NULL);
    sd_tables_close (ts);
  }
  remove_folder ();
  sd_tables *ts;
  sd_error err = { 0 };
  cr_expect (sd_tables_open (folder, 0, &ts, &err) == SD_ENOENT);
  cr_expect (ts == NULL && strstr (err.text, folder) != NULL, "%s", err.text);
  memcpy (folder, kept, sizeof folder);
  sd_values_free (s);
}
