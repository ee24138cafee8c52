/* Makes what tests/golden cannot make with the commands of users:
 *   golden_tool pieces DIR                  a table of more slots than RE-PAIR takes at once
 *   golden_tool describe GOLDEN FILE EXACT  FILE's line of files.csv, its values from the exact tables in
 * EXACT golden_tool bad GOLDEN                  the files of GOLDEN/bad, as GOLDEN/bad.txt says; new ones'
 * messages Run by tests/golden/make.sh in the root of the sources; tests/table/test_golden.c compares with
 * what this wrote. */
#include "config.h"
#include "codecs/codecs.h"
#include "gen/games/games.h"
#include "tests/table/golden.h"
#include <ctype.h>
#include <stdlib.h>

static int fail (const sd_error *err) {
  fprintf (stderr, "golden_tool: %s\n", err->text);
  return 1;
}

static int write_file (const char *path, const sd_buf *b, sd_error *err) {
  sd_outfile *f;
  SD_TRY (sd_outfile_open (path, &f, err));
  int st = sd_outfile_write (f, b->data, b->len, err);
  if (st == SD_OK)
    return sd_outfile_commit (f, err);
  sd_outfile_abort (f);
  return st;
}

/* ---------------------------------------------------------------------- pieces */

/* 2^31 slots that are won and 64 others: the first piece is constant, the second one RE-PAIR's. The exact
 * values are made here, with nothing but this rule. */
enum { TAIL = 64 };
static const uint64_t piece = UINT64_C (1) << 31;

static sd_value made_value (uint64_t state) {
  return state < piece ? 1 : (sd_value) ((state - piece) * (state - piece) % 3) - 1;
}

static int make_pieces (const char *folder, sd_error *err) {
  sd_table_spec spec = { .game = { .name = "made", .slice = "pieces", .fingerprint = 1, .states = TAIL },
                         .metric = SD_WDL,
                         .coding = SD_CODING_WDL };
  sd_value value[TAIL];
  sd_subdefined *d = NULL;
  sd_buf first = { 0 }, second = { 0 }, stream = { 0 }, all = { 0 };
  char path[4096];
  for (unsigned i = 0; i < TAIL; i++)
    value[i] = made_value (piece + i);
  spec.side[0].codec = sd_codec_find ("repair");
  SD_TRY (sd_settings_parse (spec.side[0].codec, NULL, &spec.side[0].settings, err));
  SD_TRY (sd_table_game_subdefine (&spec, value, NULL, NULL, &d, err));
  SD_TRY (sd_codec_encode (spec.side[0].codec, &d->seq, &spec.side[0].settings, NULL, &second, err));
  sd_codec_put_constant (2, &first);
  sd_buf_u8 (&stream, SD_STREAM_PIECES);
  sd_buf_varint (&stream, piece);
  sd_buf_varint (&stream, first.len);
  sd_buf_varint (&stream, second.len);
  sd_buf_append (&stream, first.data, first.len);
  sd_buf_append (&stream, second.data, second.len);
  spec.game.states = piece + TAIL;
  const uint32_t sum = (uint32_t) sd_hash64 (stream.data, stream.len);
  const sd_table_stream side[2] = { { d->map, 3, stream.len, &sum }, { 0 } };
  SD_TRY (sd_table_head (&spec, side, &all, err));
  sd_buf_append (&all, stream.data, stream.len);
  snprintf (path, sizeof path, "%s/made-pieces.wdl.sdt", folder);
  int st = sd_buf_status (&all) ? sd_fail_memory (err, 0) : write_file (path, &all, err);
  sd_subdefined_free (d);
  sd_buf_free (&first);
  sd_buf_free (&second);
  sd_buf_free (&stream);
  sd_buf_free (&all);
  return st;
}

/* -------------------------------------------------------------------- describe */

typedef struct exact {
  sd_values *of;
  enum sd_metric metric;
} exact;

static int exact_value (void *ctx, const sd_pos *p, sd_value *out) {
  const exact *x = ctx;
  SD_TRY (sd_values_of (x->of, p, out));
  *out = sd_metrics[x->metric].of (*out);
  return SD_OK;
}

static int chess_values (const char *folder, const sd_table_info *info, uint64_t every, sd_buf *out,
                         sd_error *err) {
  exact x = { NULL, info->metric };
  SD_TRY (sd_values_new (folder, sd_metrics[x.metric].exact, &x.of, err));
  int st = sd_values_need (x.of, &info->material, err);
  if (st == SD_OK && (st = golden_positions (&info->material, every, exact_value, &x, out)) != SD_OK)
    sd_fail (err, st, "an exact value is not to be had: %s", sd_strerror (st));
  sd_values_free (x.of);
  return st;
}

static int game_values (const char *folder, const sd_table_info *info, sd_buf *out, sd_error *err) {
  sd_rules r;
  sd_game_tables *t;
  sd_slice slice;
  sd_value *value = NULL;
  uint64_t n = 0;
  if (strcmp (info->game.name, "made") == 0) {
    for (uint64_t i = piece - TAIL; i < info->game.states; i++)
      golden_put (out, made_value (i));
    return SD_OK;
  }
  const char *game = strcmp (info->game.name, "graph") == 0 ? "graph:tests/data/race.txt" : info->game.name;
  SD_TRY (sd_rules_open (game, &r, err));
  SD_TRY (sd_game_tables_open (&r, folder, 1 << 20, &t, err));
  int st = sd_rules_slice (&r, r.kind->slice_of ? info->game.slice : NULL, &slice, err);
  if (st == SD_OK)
    st = sd_game_tables_exact (t, slice, SD_DTM, &value, &n, err);
  for (uint64_t i = 0; st == SD_OK && i < n; i++)
    if (value[i] != SD_ILLEGAL)
      golden_put (out, info->metric == SD_WDL ? (sd_value) sd_value_wdl (value[i]) : value[i]);
  free (value);
  sd_game_tables_close (t);
  sd_rules_close (&r);
  return st;
}

/* Every how many placements are looked up by the test: few where a probe unpacks a block, fewer of long
 * blocks, and fewest of trees, whose blocks take a millisecond. */
static uint64_t step_of (const sd_table_info *info) {
  const unsigned side = sd_table_info_has (info, 0) ? 0 : 1;
  if (sd_table_info_is_game (info))
    return 1;
  if (sd_material_men (&info->material) > 3)
    return strcmp (info->side[side].codec->name, "forest") == 0 ? 2111 : 211;
  if (info->side[side].codec->blocks)
    return sd_table_info_block (info, side) > 8192 ? 97 : 17;
  return strcmp (info->side[side].codec->name, "trees") == 0 ? 67 : 1;
}

static int describe (const char *golden, const char *file, const char *folder, sd_error *err) {
  char path[4096], header[SD_GOLDEN_TEXT];
  sd_table *t;
  sd_map map;
  sd_table_info info;
  sd_buf values = { 0 };
  snprintf (path, sizeof path, "%s/%s", golden, file);
  SD_TRY (sd_map_open (path, &map, err));
  SD_TRY (sd_table_open (path, SD_OPEN_CHECK, &t, err));
  sd_table_describe (t, &info);
  golden_header (t, &map, header);
  const uint64_t every = step_of (&info);
  int st = sd_table_info_is_game (&info) ? game_values (folder, &info, &values, err)
                                         : chess_values (folder, &info, every, &values, err);
  if (st == SD_OK)
    printf ("%s,%zu,%016" PRIx64 ",%" PRIu64 ",%zu,%016" PRIx64 ",%s\n", file, map.len,
            sd_hash64 (map.data, map.len), every, values.len / 2, sd_hash64 (values.data, values.len),
            header);
  sd_buf_free (&values);
  sd_table_close (t);
  sd_map_close (&map);
  return st;
}

/* ------------------------------------------------------------------------- bad */

/* The header's checksum is made right. */
static void mend_header (sd_buf *b) {
  sd_reader r = sd_reader_of (b->data, b->len);
  sd_get_bytes (&r, 5);
  const uint64_t n = sd_get_varint (&r);
  const size_t covered = (size_t) (r.p - b->data) + (size_t) n;
  if (r.bad || n > b->len || covered + 4 > b->len)
    return;
  const uint32_t sum = (uint32_t) sd_hash64 (b->data, covered);
  for (unsigned k = 0; k < 4; k++)
    b->data[covered + k] = (uint8_t) (sum >> (8 * k));
}

/* The last stream's checksum, which stands at the end of the header, and the header's are made right. */
static void mend_stream (sd_buf *b, size_t stream) {
  sd_reader r = sd_reader_of (b->data, b->len);
  sd_get_bytes (&r, 5);
  const uint64_t n = sd_get_varint (&r);
  const size_t end = (size_t) (r.p - b->data) + (size_t) n;
  const uint32_t sum = (uint32_t) sd_hash64 (b->data + stream, b->len - stream);
  for (unsigned k = 0; k < 4; k++)
    b->data[end - 4 + k] = (uint8_t) (sum >> (8 * k));
  mend_header (b);
}

/* One word of a row: AT=HEX.. puts bytes, stream+AT=HEX.. into the last stream, cut=N keeps N bytes,
 * add=HEX.. appends; header makes its checksum right, sums the last stream's as well. */
static bool change (sd_buf *b, const char *word, size_t stream) {
  char *end;
  if (strcmp (word, "header") == 0)
    return mend_header (b), true;
  if (strcmp (word, "sums") == 0)
    return mend_stream (b, stream), true;
  const char *hex = strchr (word, '=');
  const bool add = strncmp (word, "add=", 4) == 0, in = strncmp (word, "stream+", 7) == 0;
  if (!hex)
    return false;
  if (strncmp (word, "cut=", 4) == 0) {
    const size_t len = strtoul (hex + 1, &end, 10);
    return *end == 0 && len < b->len && (b->len = len, true);
  }
  size_t at = add ? b->len : in ? stream + strtoul (word + 7, &end, 10) : strtoul (word, &end, 10);
  for (hex++; isxdigit ((unsigned char) hex[0]) && isxdigit ((unsigned char) hex[1]); hex += 2, at++) {
    unsigned v;
    sscanf (hex, "%2x", &v);
    if (add)
      sd_buf_u8 (b, (uint8_t) v);
    else if (at < b->len)
      b->data[at] = (uint8_t) v;
    else
      return false;
  }
  return *hex == 0;
}

/* Where the last stream of a sound table begins. */
static int last_stream (const char *path, size_t *out, sd_error *err) {
  sd_table *t;
  sd_table_info info;
  SD_TRY (sd_table_open (path, SD_OPEN_CHECK, &t, err));
  sd_table_describe (t, &info);
  const unsigned last = info.side[1].stream_bytes ? 1 : 0;
  *out = (size_t) (info.bytes - info.side[last].stream_bytes);
  sd_table_close (t);
  return SD_OK;
}

/* NAME BASE CHANGE... */
static int make_bad (const char *golden, char *line, sd_error *err) {
  char path[4096], *rest = NULL, *name = strtok_r (line, " \n", &rest), *base = strtok_r (NULL, " \n", &rest);
  sd_map map;
  sd_buf b = { 0 };
  size_t stream;
  if (!name || *name == '#')
    return SD_OK;
  snprintf (path, sizeof path, "%s/%s", golden, base ? base : "?");
  SD_TRY (last_stream (path, &stream, err));
  SD_TRY (sd_map_open (path, &map, err));
  sd_buf_append (&b, map.data, map.len);
  sd_map_close (&map);
  int st = SD_OK;
  for (char *word; st == SD_OK && (word = strtok_r (NULL, " \n", &rest));)
    if (!change (&b, word, stream))
      st = sd_fail (err, SD_EINVAL, "%s: %s: no such change", name, word);
  snprintf (path, sizeof path, "%s/bad/%s.sdt", golden, name);
  if (st == SD_OK && !sd_file_exists (path)) {
    sd_table *t;
    sd_error why = { 0 };
    st = write_file (path, &b, err);
    if (st == SD_OK && sd_table_open (path, SD_OPEN_CHECK, &t, &why) == SD_OK) {
      sd_table_close (t);
      st = sd_fail (err, SD_EDIFF, "%s: is not refused", path);
    }
    printf ("%s.sdt: %s\n", name, why.text + strlen (path) + 2);
  }
  sd_buf_free (&b);
  return st;
}

static int make_all_bad (const char *golden, sd_error *err) {
  char path[4096], line[1000];
  int st = SD_OK;
  snprintf (path, sizeof path, "%s/bad.txt", golden);
  FILE *f = fopen (path, "r");
  if (!f)
    return sd_fail (err, SD_ENOENT, "%s: cannot be read", path);
  while (st == SD_OK && fgets (line, sizeof line, f))
    st = make_bad (golden, line, err);
  fclose (f);
  return st;
}

int main (int argc, char **argv) {
  sd_error err = { 0 };
  int st = SD_EINVAL;
  if (argc == 3 && strcmp (argv[1], "pieces") == 0)
    st = make_pieces (argv[2], &err);
  else if (argc == 5 && strcmp (argv[1], "describe") == 0)
    st = describe (argv[2], argv[3], argv[4], &err);
  else if (argc == 3 && strcmp (argv[1], "bad") == 0)
    st = make_all_bad (argv[2], &err);
  else
    sd_fail (&err, st, "usage: golden_tool pieces DIR | describe GOLDEN FILE EXACT | bad GOLDEN");
  return st == SD_OK ? 0 : fail (&err);
}
