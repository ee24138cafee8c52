/* A Syzygy file with full moves beside exact tables: one ply less in the file is all that is not told
 * apart. */
#include "config.h"
#include "tests/probe/three_men.h"

TestSuite (beside, .init = make_folder, .fini = remove_folder);

enum { DRAWN_IS_MATE, MATE_IS_DRAWN, WHITE_ONE_LESS, TWO_MORE, NOTHING };

/* One change to the exact values of KRvK; true: something was changed. */
static bool change (const sd_exact *e, const sd_exact *right, unsigned what) {
  bool any = false;
  for (unsigned side = 0; side < 2; side++)
    for (uint64_t i = 0; i < e->n; i++) {
      const sd_value is = right->value[side][i];
      sd_value v = is;
      if (is == SD_ILLEGAL)
        continue;
      if (what == DRAWN_IS_MATE && is == 0)
        v = -1;
      if (what == MATE_IS_DRAWN && is == -1)
        v = 0;
      if (what == WHITE_ONE_LESS && side == 0 && is > 1)
        v = (sd_value) (is - 1);
      if (what == TWO_MORE && !any && is > 1)
        v = (sd_value) (is + 2);
      any |= v != is;
      e->value[side][i] = v;
    }
  return any;
}

static void expect (sd_table *file, const sd_tables *files, int status, unsigned what) {
  sd_error err = { 0 };
  sd_verified v;
  sd_tables *own = open_folder ();
  const sd_material m = material ("KRvK");
  cr_expect_eq (sd_table_verify_against (files, file, own, NULL, &v, &err), status, "%u: %s", what, err.text);
  cr_expect_eq (sd_table_verify_against (own, sd_tables_find (own, &m, SD_DTZ50), files, NULL, &v, &err),
                status, "%u, the other way: %s", what, err.text);
  sd_tables_close (own);
}

Test (beside, only_one_ply_less_in_the_file_with_full_moves_is_right) {
  const char *source = getenv ("SD_SRCDIR");
  char golden[1024], path[1100];
  sd_error err = { 0 };
  sd_values *s, *copy;
  sd_exact *changed;
  const sd_exact *right;
  sd_table *file;
  sd_table_info info;
  sd_tables *files;
  const sd_material m = material ("KRvK");
  snprintf (golden, sizeof golden, "%s/tests/golden/syzygy", source ? source : ".");
  snprintf (path, sizeof path, "%s/KRvK.rtbz", golden);
  cr_assert_eq (sd_tables_open (golden, 0, &files, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_table_open (path, 0, &file, &err), SD_OK, "%s", err.text);
  sd_table_describe (file, &info);
  cr_assert (info.side[0].rounded || info.side[1].rounded);
  cr_assert_eq (sd_values_new_syzygy (golden, true, &s, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_values_whole (s, &m, &right, &err), SD_OK, "%s", err.text);
  for (unsigned what = 0; what <= NOTHING; what++) {
    cr_assert_eq (sd_values_new (NULL, SD_DTZ50, &copy, NULL), SD_OK);
    cr_assert_eq (sd_exact_new (&m, &changed, NULL), SD_OK);
    cr_expect_eq (change (changed, right, what), what != NOTHING);
    cr_assert_eq (sd_values_put (copy, changed), SD_OK);
    build (copy, "KRvK", SD_DTZ50, SD_CODING_SIGNED, SD_FREE_ILLEGAL, "store", NULL, NULL);
    expect (file, files, what == NOTHING ? SD_OK : SD_EDIFF, what);
    sd_values_free (copy);
  }
  sd_values_free (s);
  sd_table_close (file);
  sd_tables_close (files);
}
