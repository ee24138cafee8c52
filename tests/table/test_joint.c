/* One stream for both sides to move: what is stored is what is read, whatever is free and by every codec. */
#include "config.h"
#include "recode/recode_internal.h"
#include "tests/table/made_up.h"

static sd_buf joint_image (const sd_values *s, const sd_table_spec *spec) {
  const sd_exact *e = sd_values_find (s, &spec->material);
  sd_subdefined *d[2], *laid[2];
  sd_indexer *ix;
  sd_buf b = { 0 };
  sd_error err = { 0 };
  cr_assert_eq (sd_subdefine_both (s, e, &SD_STORED (spec, 0), NULL, d, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_indexer_new (&spec->side[0].layout, &ix, &err), SD_OK);
  for (unsigned side = 0; side < 2; side++)
    cr_assert_eq (sd_subdefined_relayout (d[side], e->indexer, ix, &laid[side], &err), SD_OK);
  cr_assert_eq (sd_table_image (spec, (const sd_subdefined *const *) laid, NULL, &b, &err), SD_OK, "%s",
                err.text);
  for (unsigned side = 0; side < 2; side++) {
    sd_subdefined_free (d[side]);
    sd_subdefined_free (laid[side]);
  }
  sd_indexer_free (ix);
  return b;
}

/* Every position of the table of `spec`, as the builder compares them. */
static void check_image (const sd_values *s, const sd_table_spec *spec, const sd_buf *b, uint64_t *constant) {
  const sd_exact *e = sd_values_find (s, &spec->material);
  sd_table *t;
  sd_table_info in;
  sd_error err = { 0 };
  cr_assert_eq (sd_table_open_memory (b->data, b->len, "joint", SD_OPEN_CHECK, &t, &err), SD_OK, "%s",
                err.text);
  sd_table_describe (t, &in);
  cr_expect (in.joint && in.sides == SD_SIDES_BOTH && in.side[0].indexer == in.side[1].indexer);
  cr_expect_eq (in.side[1].stream_bytes, 0);
  const sd_codec_parts *p = &in.side[0].parts;
  cr_expect_eq (p->header + p->model + p->index + p->payload, in.side[0].stream_bytes);
  cr_expect_eq (sd_values_compare (s, t, e, NULL, &err), SD_OK, "%s: %s", spec->side[0].codec->name,
                err.text);
  *constant += in.side[0].decoder->constant;
  sd_table_close (t);
}

Test (joint, every_codec_and_coding_keeps_every_position) {
  static const struct {
    enum sd_coding coding;
    unsigned freedom;
  } kind[] = { { SD_CODING_WDL, SD_FREE_ALL },    { SD_CODING_WDL, 0 },
               { SD_CODING_SIGNED, SD_FREE_ALL }, { SD_CODING_SIGNED, 0 },
               { SD_CODING_MOVES, SD_FREE_ALL },  { SD_CODING_MOVES, SD_FREE_ILLEGAL } };
  /* losses only need true values: test_one_sided.c */
  sd_values *s = endings ("KPvK", RANDOM, 5);
  size_t n;
  uint64_t constant = 0;
  const sd_codec *const *all = sd_codec_all (&n);
  for (size_t c = 0; c < n; c++)
    for (size_t k = c % 2; k < sizeof kind / sizeof *kind; k += strcmp (all[c]->name, "obdd") ? 2 : 1) {
      sd_table_spec spec =
          spec_of (c % 2 ? "KPvK" : "KQvK", kind[k].coding, kind[k].freedom, all[c]->name, NULL);
      spec.sides = SD_SIDES_JOINT;
      sd_buf b = joint_image (s, &spec);
      check_image (s, &spec, &b, &constant);
      sd_buf_free (&b);
    }
  cr_expect_eq (constant, 0);
  sd_values_free (s);
}

Test (joint, one_value_in_all_of_both_sides) {
  sd_values *s = endings ("KBvK", DRAWN, 1);
  sd_table_spec spec = spec_of ("KBvK", SD_CODING_WDL, SD_FREE_ALL, "obdd", NULL);
  spec.sides = SD_SIDES_JOINT;
  uint64_t constant = 0;
  sd_buf b = joint_image (s, &spec);
  check_image (s, &spec, &b, &constant);
  cr_expect_eq (constant, 1);
  sd_buf_free (&b);
  sd_values_free (s);
}

/* Where both sides have the same values in the same places one stream takes half: with distances of made-up
 * values, which nothing else compresses. */
Test (joint, what_the_sides_have_in_common_is_stored_once) {
  sd_values *s = endings ("KQvK", RANDOM, 3);
  sd_exact *e = (sd_exact *) get (s, "KQvK");
  for (uint64_t i = 0; i < e->n; i++)
    if (e->value[0][i] != SD_ILLEGAL && e->value[1][i] != SD_ILLEGAL)
      e->value[1][i] = e->value[0][i];
  sd_table_spec spec = spec_of ("KQvK", SD_CODING_SIGNED, SD_FREE_ILLEGAL, "obdd", NULL);
  sd_buf apart = image_of (s, &spec);
  spec.sides = SD_SIDES_JOINT;
  uint64_t constant = 0;
  sd_buf b = joint_image (s, &spec);
  check_image (s, &spec, &b, &constant);
  cr_expect_lt (b.len * 10, apart.len * 6, "%zu bytes in one stream, %zu in two", b.len, apart.len);
  sd_buf_free (&apart);
  sd_buf_free (&b);
  sd_values_free (s);
}

Test (joint, sides_that_do_not_match_are_refused) {
  sd_values *s = endings ("KQvK", RANDOM, 1);
  const sd_exact *e = get (s, "KQvK");
  sd_subdefined *d[2], *own[2], *out;
  sd_error err = { 0 };
  cr_assert_eq (
      sd_subdefine_both (s, e, &(sd_stored){ SD_DTM, SD_CODING_SIGNED, 0, 0, SD_SIDES_BOTH }, NULL, d, &err),
      SD_OK);
  for (unsigned side = 0; side < 2; side++)
    cr_assert_eq (sd_subdefine (s, e, &(sd_stored){ SD_WDL, SD_CODING_WDL, 0, side, SD_SIDES_BOTH }, NULL,
                                &own[side], &err),
                  SD_OK);
  const sd_subdefined *const mixed[2] = { d[0], own[1] };
  cr_expect_eq (sd_subdefined_join (mixed, &out, &err), SD_EINVAL);
  own[1]->seq.radix[0]--;
  cr_expect_eq (sd_subdefined_join ((const sd_subdefined *const *) own, &out, &err), SD_EINVAL);
  for (unsigned side = 0; side < 2; side++) {
    sd_subdefined_free (d[side]);
    sd_subdefined_free (own[side]);
  }
  sd_values_free (s);
  s = endings ("KBvKB", DRAWN, 1);
  cr_expect_eq (sd_subdefine_both (s, get (s, "KBvKB"),
                                   &(sd_stored){ SD_WDL, SD_CODING_WDL, 0, 0, SD_SIDES_BOTH }, NULL, d, &err),
                SD_EINVAL);
  cr_expect (!d[0] && !d[1]);
  sd_values_free (s);
}

/* Header byte "kind" of a one-sided table and of equal material: there is nothing to share. */
Test (joint, the_mark_means_nothing_with_one_side) {
  sd_values *s = endings ("KBvKB", DRAWN, 1);
  sd_error err = { 0 };
  for (unsigned k = 0; k < 2; k++) {
    sd_table_spec spec = spec_of (k ? "KBvKB" : "KBvK", SD_CODING_WDL, SD_FREE_ALL, "store", NULL);
    spec.sides = k ? SD_SIDES_JOINT : SD_SIDES_WHITE;
    sd_buf b = image_of (s, &spec); /* equal material: SD_SIDES_JOINT means nothing */
    const size_t kind = 5 + 1 + 1 + k + 1, covered = 6 + b.data[5];
    cr_assert_eq (b.data[kind], SD_SIDES_WHITE << 4);
    b.data[kind] |= 1 << 6;
    const uint32_t sum = (uint32_t) sd_hash64 (b.data, covered);
    for (unsigned i = 0; i < 4; i++)
      b.data[covered + i] = (uint8_t) (sum >> 8 * i);
    sd_table *t;
    cr_expect_eq (sd_table_open_memory (b.data, b.len, "forged", 0, &t, &err), SD_EFORMAT);
    cr_expect_not_null (strstr (err.text, "one stream for both sides"), "%s", err.text);
    sd_buf_free (&b);
  }
  sd_values_free (s);
}
