/* The container under every kind of damage; building, and loading what was built. */
#include "config.h"
#include "tests/table/made_up.h"
#include "gen/gen.h"
#include "tests/gen/endings.h"

/* ------------------------------------------------------------------- container */

Test (container, a_trivial_ending_takes_less_than_80_bytes_with_every_codec) {
  sd_values *s = endings ("KBvK", DRAWN, 1);
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  for (size_t c = 0; c < n; c++) {
    sd_table_spec spec = spec_of ("KBvK", SD_CODING_WDL, SD_FREE_ALL, all[c]->name, NULL);
    sd_buf b = image_of (s, &spec);
    cr_expect_lt (b.len, 80, "%s: %zu bytes", all[c]->name, b.len);
    sd_buf_free (&b);
  }
  sd_values_free (s);
}

Test (container, tells_what_it_holds) {
  sd_values *s = endings ("KPvK", RANDOM, 3);
  sd_table_spec spec = spec_of ("KPvK", SD_CODING_MOVES, SD_FREE_ALL, "repair", "kPK");
  sd_buf b = image_of (s, &spec);
  sd_table *t;
  sd_table_info info;
  sd_error err = { 0 };
  char order[24];
  cr_assert_eq (sd_table_open_memory (b.data, b.len, "memory", SD_OPEN_CHECK, &t, &err), SD_OK, "%s",
                err.text);
  sd_table_describe (t, &info);
  cr_expect (sd_material_equal (&info.material, &spec.material));
  cr_expect_eq (info.metric, SD_DTM);
  cr_expect_eq (info.coding, SD_CODING_MOVES);
  cr_expect_eq (info.freedom, (unsigned) SD_FREE_ALL);
  cr_expect_eq (info.version, 1);
  cr_expect_eq (info.nsides, 2);
  cr_expect_eq (info.bytes, b.len);
  for (unsigned side = 0; side < 2; side++) {
    sd_codec_parts *p = &info.side[side].parts;
    sd_layout_order_text (info.side[side].layout, order);
    cr_expect_str_eq (order, "kPK");
    cr_expect_str_eq (info.side[side].codec->name, "repair");
    cr_expect_eq (info.side[side].slots, sd_indexer_size (info.side[side].indexer));
    cr_expect_eq (p->header + p->model + p->index + p->payload, info.side[side].stream_bytes);
    for (unsigned i = 1; i < info.side[side].main; i++)
      cr_expect_gt (info.side[side].map[i], info.side[side].map[i - 1]);
  }
  cr_expect_eq (sd_table_check (t, &err), SD_OK);
  sd_table_close (t);
  sd_table_close (NULL);
  sd_buf_free (&b);
  sd_values_free (s);
}

Test (container, the_same_table_gives_the_same_bytes) {
  sd_values *s = endings ("KPvK", RANDOM, 3);
  sd_table_spec spec = spec_of ("KPvK", SD_CODING_SIGNED, SD_FREE_ALL, "repair", NULL);
  sd_buf a = image_of (s, &spec), b = image_of (s, &spec);
  cr_expect_eq (a.len, b.len);
  cr_expect_eq (memcmp (a.data, b.data, a.len), 0);
  sd_buf_free (&a);
  sd_buf_free (&b);
  sd_values_free (s);
}

Test (container, every_flipped_bit_is_found) {
  sd_values *s = endings ("KBvK", DRAWN, 1);
  sd_table_spec spec = spec_of ("KBvK", SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
  sd_buf b = image_of (s, &spec);
  for (size_t bit = 0; bit < 8 * b.len; bit++) {
    sd_table *t;
    sd_error err = { 0 };
    b.data[bit / 8] ^= (uint8_t) (1u << bit % 8);
    int st = sd_table_open_memory (b.data, b.len, "KBvK.wdl.sdt", SD_OPEN_CHECK, &t, &err);
    cr_assert_neq (st, SD_OK, "bit %zu", bit);
    cr_assert_eq (strncmp (err.text, "KBvK.wdl.sdt: ", 14), 0, "%s", err.text);
    b.data[bit / 8] ^= (uint8_t) (1u << bit % 8);
  }
  sd_buf_free (&b);
  sd_values_free (s);
}

Test (container, no_length_but_its_own_opens) {
  sd_values *s = endings ("KPvK", RANDOM, 1);
  sd_table_spec spec = spec_of ("KPvK", SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
  sd_buf b = image_of (s, &spec);
  sd_table *t;
  sd_error err = { 0 };
  for (size_t len = 0; len < b.len; len++) {
    uint8_t *copy = malloc (len ? len : 1); /* so that a sanitizer sees a read beyond the end */
    memcpy (copy, b.data, len);
    int st = sd_table_open_memory (copy, len, "KPvK.wdl.sdt", 0, &t, &err);
    cr_assert_eq (st, SD_EFORMAT, "%zu of %zu bytes: %d %s", len, b.len, st, err.text);
    free (copy);
  }
  sd_buf_u8 (&b, 0);
  cr_expect_eq (sd_table_open_memory (b.data, b.len, "KPvK.wdl.sdt", 0, &t, &err), SD_EFORMAT);
  cr_expect_not_null (strstr (err.text, "1 bytes too many"), "%s", err.text);
  sd_buf_free (&b);
  sd_values_free (s);
}

Test (container, foreign_files_and_other_versions_are_told_apart) {
  sd_table *t;
  sd_error err = { 0 };
  cr_expect_eq (sd_table_open_memory ((const uint8_t *) "\177ELF\2\1", 6, "a.out", 0, &t, &err), SD_EFORMAT);
  cr_expect_str_eq (
      err.text,
      "a.out: not a table file: it begins with \"\\x7fELF\" (6 bytes in all), a table with \"\\x89SDT\"");
  cr_expect_eq (sd_table_open_memory (NULL, 0, "empty", 0, &t, &err), SD_EFORMAT);
  cr_expect_eq (sd_table_open_memory ((const uint8_t *) "\x89SDT\x0a\x01", 6, "new", 0, &t, &err),
                SD_EVERSION);
  cr_expect_str_eq (err.text, "new: format version 10, this program reads versions 1 to 9");
  cr_expect_eq (sd_table_open ("/nonexistent/KQvK.wdl.sdt", 0, &t, &err), SD_ENOENT);
  cr_expect_neq (sd_table_open ("/tmp", 0, &t, &err), SD_OK);
}

/* Give the header of an image a right checksum again; false if its length is out of range. */
static bool forge (sd_buf *b) {
  sd_reader r = sd_reader_of (b->data, b->len);
  sd_get_bytes (&r, 5);
  uint64_t n = sd_get_varint (&r);
  if (r.bad || n > b->len || (size_t) (r.p - b->data) + n + 4 > b->len)
    return false;
  size_t covered = (size_t) (r.p - b->data) + (size_t) n;
  uint32_t sum = (uint32_t) sd_hash64 (b->data, covered);
  for (unsigned k = 0; k < 4; k++)
    b->data[covered + k] = (uint8_t) (sum >> (8 * k));
  return true;
}

Test (container, wrong_headers_under_right_checksums_do_no_harm) {
  static const enum sd_coding codings[] = { SD_CODING_WDL, SD_CODING_SIGNED, SD_CODING_MOVES };
  sd_values *s = endings ("KQvK", RANDOM, 1);
  unsigned opened = 0;
  for (int c = 0; c < 3; c++) {
    sd_table_spec spec = spec_of ("KQvK", codings[c], SD_FREE_ALL, "store", "KQk");
    sd_buf b = image_of (s, &spec);
    size_t header = 5 + 1 + b.data[5];
    uint8_t whole[1024]; /* header and more: what a test may change */
    memcpy (whole, b.data, b.len < sizeof whole ? b.len : sizeof whole);
    for (size_t at = 4; at < header; at++)
      for (unsigned v = 0; v < 256; v++) {
        sd_table *t;
        sd_error err = { 0 };
        b.data[at] = (uint8_t) v;
        forge (&b);
        if (sd_table_open_memory (b.data, b.len, "forged", 0, &t, &err) == SD_OK) {
          const sd_table_info *info = &t->info;
          for (uint64_t i = 0, n = info->side[0].slots; i < n; i += n / 16 + 1) {
            sd_symbol sym;
            if (sd_codec_get (info->side[0].decoder, i, &sym) == SD_OK)
              cr_assert_lt (sym, info->side[0].main);
          }
          sd_table_close (t);
          opened++;
        } else
          cr_assert_eq (strncmp (err.text, "forged: ", 8), 0, "byte %zu = %u: %s", at, v, err.text);
        memcpy (b.data, whole, b.len < sizeof whole ? b.len : sizeof whole);
      }
    sd_buf_free (&b);
  }
  cr_expect_gt (opened, 0);
  sd_values_free (s);
}

Test (container, huge_numbers_in_a_header_are_refused) {
  sd_error err = { 0 };
  sd_table *t;
  /* fixed part, KBvK, WDL, both sides, a layout of three groups led by the first, codec store */
  static const uint8_t start[] = { 0x10, SD_BISHOP, 0x30, 1, 0x03, 5 << 2, SD_BISHOP << 2, 5 << 2 | 2, 0 };
  static const uint64_t huge[] = { 1 << 20, (1 << 20) + 1, 1ull << 32, 1ull << 62, UINT64_MAX };
  for (int i = 0; i < 5; i++) {
    sd_buf header = { 0 }, b = { 0 };
    sd_buf_append (&header, start, sizeof start);
    sd_buf_varint (&header, huge[i]); /* bytes of the stream */
    sd_buf_append (&b, SD_MAGIC, 4);
    sd_buf_u8 (&b, 1);
    sd_buf_varint (&b, header.len);
    sd_buf_append (&b, header.data, header.len);
    sd_buf_u32 (&b, 0);
    forge (&b);
    cr_expect_eq (sd_table_open_memory (b.data, b.len, "huge", SD_OPEN_CHECK, &t, &err), SD_EFORMAT);
    cr_expect_not_null (strstr (err.text, "length of a stream"), "%s", err.text);
    sd_buf_free (&header);
    sd_buf_free (&b);
  }
  for (int i = 1; i < 5; i++) { /* bytes of the header */
    sd_buf b = { 0 };
    sd_buf_append (&b, SD_MAGIC, 4);
    sd_buf_u8 (&b, 1);
    sd_buf_varint (&b, huge[i]);
    sd_buf_append (&b, start, sizeof start);
    cr_expect_eq (sd_table_open_memory (b.data, b.len, "huge", SD_OPEN_CHECK, &t, &err), SD_EFORMAT);
    cr_expect_not_null (strstr (err.text, "header is cut off"), "%s", err.text);
    sd_buf_free (&b);
  }
}

Test (container, damage_in_a_large_stream_is_named_by_its_chunk) {
  sd_material m = material ("KQvKR");
  sd_values *s;
  sd_exact *e;
  sd_error err = { 0 };
  uint64_t state = 11;
  sd_table *t;
  cr_assert_eq (sd_values_new (NULL, SD_DTM, &s, NULL), SD_OK);
  cr_assert_eq (sd_exact_new (&m, &e, NULL), SD_OK);
  for (unsigned side = 0; side < 2; side++)
    for (uint64_t i = 0; i < e->n; i++)
      e->value[side][i] = (sd_value) (1 + sd_random (&state) % 1000);
  cr_assert_eq (sd_values_put (s, e), SD_OK);
  sd_table_spec spec = spec_of ("KQvKR", SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL);
  sd_buf b = image_of (s, &spec);
  cr_assert_gt (b.len, 4u << 20);
  size_t at = b.len - 100; /* in the last chunk of Black's side */
  b.data[at] ^= 0x10;
  cr_expect_eq (sd_table_open_memory (b.data, b.len, "KQvKR.dtm.sdt", 0, &t, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_table_check (t, &err), SD_ECHECKSUM);
  uint64_t chunk = (t->info.side[1].stream_bytes - 1) / SD_CHUNK_BYTES;
  char expected[64];
  snprintf (expected, sizeof expected, "KQvKR.dtm.sdt: Black to move: chunk %" PRIu64 ", bytes", chunk);
  cr_expect_gt (chunk, 0);
  cr_expect_eq (strncmp (err.text, expected, strlen (expected)), 0, "%s", err.text);
  sd_table_close (t);
  sd_buf_free (&b);
  sd_values_free (s);
}

Test (container, image_refuses_values_that_do_not_fit) {
  sd_values *s = endings ("KQvK", RANDOM, 1);
  sd_table_spec spec = spec_of ("KQvK", SD_CODING_WDL, 0, "store", NULL), other;
  sd_subdefined *d[2];
  sd_buf b = { 0 };
  sd_error err = { 0 };
  for (unsigned side = 0; side < 2; side++)
    cr_assert_eq (sd_subdefine (s, get (s, "KQvK"),
                                &(sd_stored){ SD_WDL, SD_CODING_WDL, 0, side, SD_SIDES_BOTH }, NULL, &d[side],
                                &err),
                  SD_OK);
  const sd_subdefined *const both[2] = { d[0], d[1] }, *const one[2] = { d[0], NULL };
  cr_expect_eq (sd_table_image (&spec, both, NULL, &b, &err), SD_OK, "%s", err.text);
  cr_expect_eq (sd_table_image (&spec, one, NULL, &b, &err), SD_EINVAL);
  other = spec;
  other.metric = SD_DTM;
  cr_expect_eq (sd_table_image (&other, both, NULL, &b, &err), SD_EINVAL);
  other.coding = SD_CODING_MOVES;
  cr_expect_eq (sd_table_image (&other, both, NULL, &b, &err), SD_EINVAL);
  other = spec_of ("KQvK", SD_CODING_WDL, 0, "store", "KQk"); /* more slots */
  cr_expect_eq (sd_table_image (&other, both, NULL, &b, &err), SD_EINVAL);
  cr_expect_not_null (strstr (err.text, "slots"), "%s", err.text);
  sd_subdefined_free (d[0]);
  sd_subdefined_free (d[1]);
  sd_buf_free (&b);
  sd_values_free (s);
}

/* -------------------------------------------------------------------- building */

/* Build everything under KPvK, load it into an empty set, compare. */
static void there_and_back (enum sd_coding coding, unsigned freedom, const char *codec, const char *order) {
  static const char *const names[] = { "KQvK", "KRvK", "KBvK", "KNvK", "KPvK" };
  sd_values *s = endings ("KPvK", RANDOM, 21), *again;
  sd_error err = { 0 };
  make_folder ();
  for (int i = 0; i < 5; i++) {
    sd_table_spec spec = spec_of (names[i], coding, freedom, codec, i == 4 ? order : NULL);
    build (s, &spec, names[i]);
    if (coding == SD_CODING_MOVES) {
      spec = spec_of (names[i], SD_CODING_WDL, freedom, codec, NULL);
      build (s, &spec, names[i]);
    }
  }
  cr_assert_eq (sd_values_new (folder, SD_DTM, &again, &err), SD_OK);
  sd_material m = material ("KPvK");
  cr_assert_eq (sd_values_need (again, &m, &err), SD_OK, "%s", err.text);
  for (int i = 0; i < 5; i++) {
    const sd_exact *a = get (s, names[i]), *b;
    m = material (names[i]);
    cr_assert_eq (sd_values_whole (again, &m, &b, &err), SD_OK, "%s", err.text);
    for (unsigned side = 0; side < 2; side++)
      cr_assert_eq (memcmp (a->value[side], b->value[side], a->n * sizeof (sd_value)), 0, "%s", names[i]);
  }
  cr_expect_eq (files_in_folder (), coding == SD_CODING_MOVES ? 10 : 5);
  sd_values_free (again);
  sd_values_free (s);
  remove_folder ();
}

Test (build, what_a_generator_writes_comes_back_with_every_codec) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  for (size_t c = 0; c < n; c++)
    there_and_back (SD_CODING_SIGNED, SD_FREE_ILLEGAL, all[c]->name, "PkK");
  there_and_back (SD_CODING_SIGNED, 0, "store", NULL);
}

Test (build, reformatted_tables_come_back_through_their_sub_tables) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  for (size_t c = 0; c < n; c++)
    there_and_back (SD_CODING_MOVES, SD_FREE_ALL, all[c]->name, "kP!K");
  there_and_back (SD_CODING_MOVES, SD_FREE_CAPTURE | SD_FREE_DRAW, "repair", NULL);
  there_and_back (SD_CODING_MOVES, 0, "store", "KPk");
  there_and_back (SD_CODING_SIGNED, SD_FREE_ALL, "repair", "Pk!K");
}

Test (build, moves_need_the_results_beside_them) {
  sd_values *s = endings ("KBvK", RANDOM, 2), *again;
  sd_error err = { 0 };
  const sd_exact *e;
  sd_material m = material ("KBvK");
  make_folder ();
  sd_table_spec spec = spec_of ("KBvK", SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL);
  build (s, &spec, "KBvK");
  cr_assert_eq (sd_values_new (folder, SD_DTM, &again, &err), SD_OK);
  cr_expect_eq (sd_values_whole (again, &m, &e, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "KBvK.wdl.sdt"), "%s", err.text);
  sd_values_free (again);
  sd_values_free (s);
  remove_folder ();
}

Test (build, a_file_under_a_wrong_name_is_refused) {
  sd_values *s = endings ("KBvK", DRAWN, 2), *again;
  sd_error err = { 0 };
  const sd_exact *e;
  sd_material m = material ("KNvK");
  make_folder ();
  sd_table_spec spec = spec_of ("KBvK", SD_CODING_SIGNED, SD_FREE_ALL, "repair", NULL);
  build (s, &spec, "KNvK");
  cr_assert_eq (sd_values_new (folder, SD_DTM, &again, &err), SD_OK);
  cr_expect_eq (sd_values_whole (again, &m, &e, &err), SD_EFORMAT);
  sd_values_free (again);
  sd_values_free (s);
  remove_folder ();
}

Test (build, values_worse_than_a_conversion_are_refused_and_nothing_is_left) {
  sd_values *s = endings ("KRvKR", DRAWN, 2);
  sd_exact *won = (sd_exact *) get (s, "KRvK");
  sd_error err = { 0 };
  char path[128];
  make_folder ();
  /* winning a rook now wins, but KRvKR still says drawn */
  for (uint64_t i = 0; i < won->n; i++)
    won->value[1][i] = won->value[1][i] == SD_ILLEGAL ? SD_ILLEGAL : -21;
  path_of ("KRvKR", SD_WDL, path);
  sd_table_spec spec = spec_of ("KRvKR", SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
  cr_expect_eq (sd_table_build (s, &spec, path, NULL, &err), SD_EDIFF);
  cr_expect_not_null (strstr (err.text, "restored value 1, exact value 0"), "%s", err.text);
  cr_expect_not_null (strstr (err.text, " w - -"), "%s", err.text);
  cr_expect_eq (files_in_folder (), 0);
  sd_values_free (s);
  remove_folder ();
}

static void count_report (void *ctx, const char *what, uint64_t done, uint64_t total) {
  cr_assert_not_null (what);
  cr_assert (total == 0 || done <= total, "%s: %" PRIu64 " of %" PRIu64, what, done, total);
  ++*(unsigned *) ctx;
}

Test (build, unwritable_folders_and_missing_values_leave_nothing_and_progress_is_reported) {
  sd_values *s = endings ("KBvK", DRAWN, 2);
  sd_error err = { 0 };
  char path[128];
  unsigned reports = 0;
  sd_progress progress = { .report = count_report, .ctx = &reports };
  sd_table_spec spec = spec_of ("KBvK", SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
  make_folder ();
  path_of ("KBvK", SD_WDL, path);
  cr_expect_eq (sd_table_build (s, &spec, "/nonexistent/folder/KBvK.wdl.sdt", NULL, &err), SD_ENOENT, "%s",
                err.text);
  cr_expect_not_null (strstr (err.text, "/nonexistent/folder"), "%s", err.text);
  sd_table_spec missing = spec_of ("KRvK", SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
  cr_expect_eq (sd_table_build (s, &missing, path, NULL, &err), SD_ENOENT);
  cr_expect_not_null (strstr (err.text, "KRvK"), "%s", err.text);
  cr_expect_eq (files_in_folder (), 0);
  cr_expect_eq (sd_table_build (s, &spec, path, &progress, &err), SD_OK, "%s", err.text);
  cr_expect_eq (files_in_folder (), 1);
  cr_expect_gt (reports, 0);
  sd_values_free (s);
  remove_folder ();
}

/* True values: solve the ending and all that it depends on. */
static sd_values *solved (const char *name) {
  sd_material want = material (name), *order;
  sd_transport self;
  sd_values *s;
  sd_error err = { 0 };
  unsigned n;
  sd_transport_self (&self);
  cr_assert_eq (sd_values_new (NULL, SD_DTM, &s, &err), SD_OK);
  cr_assert_eq (gen_order (&want, 1, &order, &n, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < n; i++) {
    cr_assert_eq (gen_into (s, &order[i], &err), SD_OK, "%s", err.text);
  }
  free (order);
  return s;
}

static size_t size_of (const sd_values *s, const char *name, enum sd_coding coding, unsigned freedom) {
  sd_table_spec spec = spec_of (name, coding, freedom, "repair", "kPK");
  sd_buf b = image_of (s, &spec);
  size_t len = b.len;
  sd_buf_free (&b);
  return len;
}

Test (build, real_endings_come_back_and_every_source_of_freedom_makes_them_smaller) {
  sd_values *s = solved ("KPvK"), *again;
  sd_error err = { 0 };
  sd_material next[64], m = material ("KPvK");
  unsigned n = sd_material_successors (&m, next);
  make_folder ();
  next[n++] = m;
  for (unsigned i = 0; i < n; i++) {
    char name[16];
    sd_material_name (&next[i], name);
    sd_table_spec wdl = spec_of (name, SD_CODING_WDL, SD_FREE_ALL, "repair", NULL);
    sd_table_spec dtm = spec_of (name, SD_CODING_MOVES, SD_FREE_ALL, "repair", NULL);
    build (s, &wdl, name);
    build (s, &dtm, name);
  }
  cr_assert_eq (sd_values_new (folder, SD_DTM, &again, &err), SD_OK);
  cr_assert_eq (sd_values_need (again, &m, &err), SD_OK, "%s", err.text);
  for (unsigned i = 0; i < n; i++) {
    const sd_exact *a = sd_values_find (s, &next[i]), *b;
    cr_assert_eq (sd_values_whole (again, &next[i], &b, &err), SD_OK, "%s", err.text);
    for (unsigned side = 0; side < 2; side++)
      cr_expect_eq (memcmp (a->value[side], b->value[side], a->n * sizeof (sd_value)), 0);
  }
  sd_counts c;
  sd_exact_count (get (again, "KPvK"), 0, &c);
  cr_expect_eq (c.longest_win, 55); /* 28 moves */
  unsigned free_bits = 0;
  size_t before = size_of (s, "KPvK", SD_CODING_MOVES, 0);
  for (unsigned bit = 1; bit < SD_FREE_ALL; bit <<= 1) {
    size_t now = size_of (s, "KPvK", SD_CODING_MOVES, free_bits |= bit);
    if (bit
        == SD_FREE_CAPTURE) /* the bare king's captures only draw: nothing to gain, hardly anything to lose */
      cr_expect_leq (now, before);
    else
      cr_expect_lt (now, before, "freedom %u: %zu bytes, %zu before", free_bits, now, before);
    before = now;
  }
  cr_expect_lt (size_of (s, "KPvK", SD_CODING_WDL, SD_FREE_ALL), size_of (s, "KPvK", SD_CODING_WDL, 0));
  sd_values_free (again);
  sd_values_free (s);
  remove_folder ();
}
