/* Forged files with right checksums: what opening them may cost is bounded by their bytes, and counted here
 * as requests for memory, not by the clock. */
#include "config.h"
#include "codecs/blocks/blocks.h"
#include "codecs/codecs.h"
#include "codecs/entropy/entropy.h"
#include "codecs/entropy/range_coder.h"
#include "codecs/row.h"
#include "codecs/trees/trees_internal.h"
#include "fuzz/forge.h"
#include "fuzz/memory.h"
#include "probe/probe.h"
#include "table/table_internal.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

static double cpu_seconds (void) {
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Opening a table takes no more than its bytes allow, whether it is refused or not. The time is bounded far
 * above what is seen, so that a busy machine does not matter. */
static int open_table (const sd_buf *image, const char *what, sd_table **out) {
  sd_error err = { 0 };
  const double before = cpu_seconds ();
  const uint64_t start = sd_fuzz_memory_start ();
  const int st = sd_table_open_memory (image->data, image->len, what, 0, out, &err);
  const uint64_t peak = sd_fuzz_memory_peak (start);
  const double seconds = cpu_seconds () - before, mib = (double) image->len / (1 << 20);
  cr_expect_leq (peak, sd_open_bound (image->len), "%s: %zu bytes, %" PRIu64 " held", what, image->len, peak);
  cr_expect_lt (seconds, 1 + 1 * mib, "%s: %zu bytes, %.2f s", what, image->len, seconds);
  cr_expect (st == SD_OK || err.text[0]);
  return st;
}

static int open_and_close (const sd_buf *image, const char *what) {
  sd_table *t = NULL;
  const int st = open_table (image, what, &t);
  sd_table_close (t);
  return st;
}

static int open_game (const sd_codec *codec, uint64_t n, const sd_buf *stream, const char *what) {
  sd_buf image = { 0 };
  cr_assert_eq (sd_forge_game (codec, n, stream, &image), SD_OK);
  const int st = open_and_close (&image, what);
  sd_buf_free (&image);
  return st;
}

/* ----------------------------------------------------------------------- pieces */

/* 5-man chess in 231 pieces a side, each with a dictionary of 65,536 ids in less than 200 bytes; 76 kB that
 * took 934 MB. */
Test (hostile, dictionaries_in_the_pieces_of_a_chess_table) {
  static const sd_value results[3] = { -1, 0, 1 };
  const uint64_t slots = (UINT64_C (1) << 31) + 2;
  sd_table_spec spec = { .metric = SD_WDL, .coding = SD_CODING_WDL, .freedom = 13 };
  sd_buf one = { 0 }, stream = { 0 }, image = { 0 };
  sd_indexer *ix;
  cr_assert_eq (sd_material_parse ("KQRBvKQR", &spec.material, NULL), SD_OK);
  for (unsigned side = 0; side < 2; side++) {
    cr_assert_eq (sd_layout_parse (&spec.material, "[Kk]QRBqr", NULL, &spec.side[side].layout, NULL), SD_OK);
    spec.side[side].codec = sd_codec_find ("repair");
  }
  cr_assert_eq (sd_indexer_new (&spec.side[0].layout, &ix, NULL), SD_OK);
  const uint64_t n = sd_indexer_size (ix);
  sd_indexer_free (ix);
  sd_forge_repair (3, SD_REPAIR_IDS, false, 1, &one);
  cr_assert_lt (one.len, 200);
  sd_forge_pieces (slots, (n - 1) / slots + 1, &one, &stream);
  const sd_buf *const both[2] = { &stream, &stream };
  cr_assert_eq (sd_forge_table (&spec, results, 3, both, &image), SD_OK);
  cr_expect_lt (image.len, 100000);
  cr_expect_eq (open_and_close (&image, "KQRBvKQR"), SD_EFORMAT);
  sd_buf_free (&one);
  sd_buf_free (&stream);
  sd_buf_free (&image);
}

/* Another game: 1000 pieces, and 65,536; with dictionaries of all sizes, so that some are admitted. */
Test (hostile, dictionaries_in_the_pieces_of_another_game) {
  static const unsigned ids[] = { 3, 33, 300, 5000, 20000, 65536 };
  static const uint64_t pieces[] = { 2, 1000, 65536 };
  unsigned opened = 0;
  for (unsigned k = 0; k < sizeof ids / sizeof *ids; k++)
    for (unsigned p = 0; p < sizeof pieces / sizeof *pieces; p++) {
      sd_buf one = { 0 }, stream = { 0 };
      char what[64];
      snprintf (what, sizeof what, "%" PRIu64 " pieces of %u ids", pieces[p], ids[k]);
      sd_forge_repair (3, ids[k], false, 1, &one);
      sd_forge_pieces (UINT32_MAX, pieces[p], &one, &stream);
      const int st = open_game (sd_codec_find ("repair"), pieces[p] * UINT32_MAX, &stream, what);
      cr_expect (st == SD_OK || st == SD_EFORMAT);
      opened += st == SD_OK;
      if (ids[k] <= 300 && p == 0)
        cr_expect_eq (st, SD_OK, "%s", what);
      if (ids[k] >= 20000 || p == 2)
        cr_expect_eq (st, SD_EFORMAT, "%s", what);
      sd_buf_free (&one);
      sd_buf_free (&stream);
    }
  cr_expect_geq (opened, 3, "%u", opened);
}

/* A claim of 65,536 pieces with nothing behind it; and pieces of two bytes each, which are few. */
Test (hostile, pieces_that_are_not_there) {
  sd_buf stream = { 0 }, constant = { 0 };
  sd_buf_u8 (&stream, SD_STREAM_PIECES);
  sd_buf_varint (&stream, UINT32_MAX);
  cr_expect_eq (open_game (sd_codec_find ("repair"), UINT64_C (65536) * UINT32_MAX, &stream, "nothing"),
                SD_EFORMAT);
  stream.len = 0;
  sd_codec_put_constant (1, &constant);
  sd_forge_pieces (UINT32_MAX, 65536, &constant, &stream);
  cr_expect_eq (open_game (sd_codec_find ("repair"), UINT64_C (65536) * UINT32_MAX, &stream, "constants"),
                SD_OK);
  sd_buf_free (&stream);
  sd_buf_free (&constant);
}

/* Pieces that an encoder makes of sequences with hardly anything in them: zeros behind the model pay for what
 * a reader holds, so that any number of such pieces can be opened. */
Test (hostile, an_encoder_pays_for_the_symbols_of_its_pieces) {
  const unsigned m = 200, ids = m + 30;
  sd_buf one = { 0 }, stream = { 0 };
  sd_forge_repair (m, ids, true, 1, &one);
  const size_t bare = one.len;
  cr_assert_lt (bare, 2 * (ids + SD_PIECE_SYMBOLS));
  sd_buf_free (&one);
  one = (sd_buf){ 0 };
  sd_model model; /* as repair/payload.c writes it for 2^31 slots and more */
  cr_assert_eq (sd_model_alloc (&model, m, ids), SD_OK);
  for (unsigned v = m; v < ids; v++)
    model.left[v] = model.right[v] = (sd_symbol) (v == m ? 0 : v - 1);
  model.bits[ids - 1] = model.bits[1] = 1;
  sd_buf_u8 (&one, SD_STREAM_CODEC);
  sd_buf_varint (&one, 0);
  sd_buf_varint (&one, 1);
  sd_model_write (&model, SD_PIECE_BYTES * (ids + SD_PIECE_SYMBOLS), &one);
  sd_buf_u8 (&one, 0xff);
  sd_model_free (&model);
  sd_forge_pieces (UINT32_MAX, 500, &one, &stream);
  sd_decoder *d;
  sd_error err = { 0 };
  sd_symbol last;
  const uint64_t n = UINT64_C (500) * UINT32_MAX;
  cr_assert_eq (sd_codec_open (sd_codec_find ("repair"), stream.data, stream.len, n, m, &d, &err), SD_OK,
                "%s", err.text);
  cr_expect_eq (sd_codec_get (d, n - 1, &last), SD_OK);
  cr_expect_eq (last, 0, "the phrase of 2^30 slots, four times");
  sd_codec_close (d);
  sd_buf_free (&one);
  sd_buf_free (&stream);
}

/* A stream that is not in pieces: as many ids as its bytes admit, and one more. */
Test (hostile, a_dictionary_is_bounded_by_the_bytes_of_its_stream) {
  for (unsigned payload = 1; payload <= 60001; payload += 20000) {
    sd_buf one = { 0 };
    sd_decoder *d;
    unsigned ids = SD_REPAIR_FREE_IDS;
    for (int st = SD_OK; st == SD_OK && ids < SD_REPAIR_IDS; ids += 997) {
      one.len = 0;
      sd_forge_repair (3, ids, false, 1, &one);
      for (unsigned k = 1; k < payload; k++) /* behind the last block of 16 bytes: refused later, if at all */
        sd_buf_u8 (&one, 0);
      const uint64_t start = sd_fuzz_memory_start ();
      st = sd_codec_open (sd_codec_find ("repair"), one.data, one.len, 1000, 3, &d, NULL);
      cr_expect_leq (sd_fuzz_memory_peak (start), SD_OPEN_FREE / 2 + SD_OPEN_A_BYTE * one.len);
      if (st == SD_OK)
        sd_codec_close (d);
      cr_expect_eq (sd_fuzz_memory_start (), start, "%u ids: what is given back is what was asked for", ids);
      if (payload == 1)
        cr_expect_eq (st, ids <= sd_repair_most_ids (one.len - 3) ? SD_OK : SD_EFORMAT, "%u ids", ids);
    }
    sd_buf_free (&one);
  }
}

/* ----------------------------------------------------------- general compressors */

/* The head of a stream of equal symbols whose blocks take so many bytes each, and zeros for these bytes. */
static int open_blocks (const sd_codec *codec, uint64_t block, uint64_t blocks, unsigned m, uint32_t bytes,
                        sd_error *err) {
  sd_settings set;
  sd_buf stream = { 0 };
  sd_decoder *d;
  uint32_t *length = sd_alloc (blocks, sizeof *length);
  cr_assert (length && sd_settings_parse (codec, NULL, &set, NULL) == SD_OK);
  for (uint64_t b = 0; b < blocks; b++)
    length[b] = bytes;
  const sd_block_plan plan = { codec, &set, block * blocks, block, blocks, m, m <= 256 ? 1 : 2 };
  cr_assert_eq (sd_codec_put_head (&plan, length, &stream), SD_OK);
  for (uint64_t k = 0; k < blocks * bytes; k++)
    sd_buf_u8 (&stream, 0);
  const int st = sd_codec_open (codec, stream.data, stream.len, plan.n, m, &d, err);
  if (st == SD_OK)
    sd_codec_close (d);
  sd_buf_free (&stream);
  free (length);
  return st;
}

/* One slot costs its block: some hundred bytes could ask for blocks of any size. */
Test (hostile, blocks_of_general_compressors_are_small) {
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  const uint64_t most = 2 << 20;
  for (size_t c = 0; c < ncodecs; c++)
    for (unsigned width = 1; codec[c]->blocks && width <= 2; width++) {
      const unsigned m = width == 1 ? 3 : 300;
      sd_error err = { 0 };
      for (const sd_tunable *t = codec[c]->tunables; t->key; t++)
        if (strcmp (t->key, "block") == 0) {
          cr_expect_leq (t->max, (long) most, "%s", codec[c]->name);
          cr_expect_eq (open_blocks (codec[c], (uint64_t) t->max / width, 100, m, width, &err), SD_OK,
                        "%s: %s", codec[c]->name, err.text);
        }
      cr_expect_eq (open_blocks (codec[c], most / width + 1, 100, m, width, &err), SD_EFORMAT, "%s",
                    codec[c]->name);
      cr_expect (strstr (err.text, "bytes are read"), "%s", err.text);
    }
}

/* LZMA's time goes by packed bytes: blocks that pack badly are raw, and read for nothing. */
Test (hostile, blocks_of_lzma_are_packed_well_or_not_at_all) {
  enum { RAW = 2 << 20, MOST = 1 << 20 };
  sd_error err = { 0 };
  cr_expect_eq (open_blocks (&sd_codec_lzma, RAW, 2, 256, MOST, &err), SD_OK, "%s", err.text);
  cr_expect_eq (open_blocks (&sd_codec_lzma, RAW, 2, 256, MOST + 1, &err), SD_EFORMAT);
  cr_expect_eq (open_blocks (&sd_codec_lzma, RAW, 2, 256, RAW - 1, &err), SD_EFORMAT);
  cr_expect_eq (open_blocks (&sd_codec_lzma, RAW, 2, 256, RAW, &err), SD_OK, "%s", err.text);
  cr_expect_eq (open_blocks (&sd_codec_lzma, MOST, 2, 256, MOST - 1, &err), SD_OK, "%s", err.text);
  sd_settings set;
  sd_alphabet *a;
  sd_buf stream = { 0 };
  sd_decoder *d;
  sd_symbol last;
  uint64_t rng = 9;
  cr_assert_eq (sd_settings_parse (&sd_codec_lzma, "block=2097152,preset=0", &set, NULL), SD_OK);
  cr_assert_eq (sd_alphabet_new (200, &a), SD_OK);
  sd_seq q = { .alphabet = a, .sym = sd_alloc (RAW, sizeof *q.sym), .n = RAW };
  for (unsigned i = 0; i < RAW; i++)
    q.sym[i] = (sd_symbol) (sd_random (&rng) % 200);
  cr_assert_eq (sd_codec_encode (&sd_codec_lzma, &q, &set, NULL, &stream, &err), SD_OK, "%s", err.text);
  cr_expect_gt (stream.len, RAW);
  cr_assert_eq (sd_codec_open (&sd_codec_lzma, stream.data, stream.len, RAW, 200, &d, &err), SD_OK, "%s",
                err.text);
  cr_expect (sd_codec_get (d, RAW - 1, &last) == SD_OK && last == q.sym[RAW - 1]);
  sd_codec_close (d);
  sd_buf_free (&stream);
  sd_alphabet_free (a);
  free (q.sym);
}

/* ------------------------------------------------------------------- other codecs */

static void grow_full (sd_trees_model *mo, unsigned at, unsigned depth) {
  mo->node[at] = sd_trees_leaf (at);
  if (!depth)
    return;
  const unsigned next = mo->nnodes;
  mo->nnodes += 2;
  mo->node[at] = (sd_trees_node){ .next = (uint16_t) next };
  grow_full (mo, next, depth - 1);
  grow_full (mo, next + 1, depth - 1);
}

/* The most that a model of `trees` may ask for with every decision as cheap as it can be: nodes up to their
 * limit, levels for all pairs of digits, and tables of averages. */
static void forge_trees (unsigned ndims, const unsigned *radix, unsigned pairs, unsigned averages,
                         unsigned nodes, sd_buf *out) {
  sd_trees_model *mo = calloc (1, sizeof *mo);
  cr_assert (mo && sd_trees_forest_new (mo, nodes) == SD_OK);
  mo->m = 3;
  mo->ndims = ndims;
  for (unsigned k = 0; k < ndims; k++)
    mo->radix[k] = radix[k];
  mo->nneighbours = 1;
  mo->offset[0] = 1;
  for (unsigned a = 0; a < ndims; a++)
    for (unsigned b = a + 1; b < ndims && mo->npairs < pairs; b++)
      mo->pair[mo->npairs++] =
          (sd_trees_pair){ (uint8_t) a, (uint8_t) b, sd_alloc0 (radix[a] * radix[b], 1) };
  mo->has_averages = averages;
  sd_trees_list_averages (mo, mo->average);
  for (; mo->naverages < averages; mo->naverages++) {
    sd_trees_average *a = mo->average + mo->naverages;
    a->value = sd_alloc0 (a->size, 1);
  }
  while (mo->ntrees < SD_TREES_MAX_TREES && mo->nnodes + 1023 < nodes && nodes > 32 * 81) /* each full */
    grow_full (mo, mo->root[mo->ntrees++] = (uint16_t) mo->nnodes++, 9);
  while (mo->ntrees < SD_TREES_MAX_TREES && mo->nnodes + 81 < nodes) { /* each a chain of 40 splits */
    unsigned at = mo->nnodes++;
    mo->root[mo->ntrees++] = (uint16_t) at;
    for (unsigned depth = 0; depth < SD_TREES_MAX_DEPTH; depth++) {
      mo->node[at].next = (uint16_t) mo->nnodes;
      mo->nnodes += 2;
      mo->node[mo->node[at].next] = sd_trees_leaf (mo->node[at].next);
      at = mo->node[at].next + 1u;
    }
    mo->node[at] = sd_trees_leaf (at);
  }
  sd_trees_forest_finish (mo);
  sd_buf_u8 (out, SD_STREAM_CODEC);
  sd_buf_varint (out, SD_TREES_MIN_BLOCK);
  sd_buf_varint (out, 1);
  sd_trees_model_write (mo, out);
  if (averages)
    sd_buf_varint (out, 0); /* the block has as many slots as there are */
  sd_buf_varint (out, 1);
  sd_buf_u8 (out, 0);
  sd_trees_model_clear (mo);
  free (mo);
}

Test (hostile, levels_of_pairs_in_trees) {
  static const unsigned six[6] = { 256, 256, 256, 256, 256, 256 }; /* 15 pairs of 65,536 */
  for (unsigned pairs = 0; pairs <= 15; pairs++) {
    sd_buf stream = { 0 };
    forge_trees (6, six, pairs, 0, 2500, &stream);
    cr_expect_lt (stream.len, 4000, "%zu bytes", stream.len);
    const int st = open_game (&sd_codec_trees, UINT64_C (1) << 48, &stream, "2^48 states");
    cr_expect_eq (st, SD_EFORMAT, "n must be below 2^48");
    static const unsigned near[6] = { 255, 256, 256, 256, 256, 256 };
    stream.len = 0;
    forge_trees (6, near, pairs, 0, 2500, &stream);
    cr_expect_eq (open_game (&sd_codec_trees, UINT64_C (255) << 40, &stream, "pairs"),
                  pairs * 65536 - (pairs < 5 ? pairs : 5) * 256 <= SD_TREES_LEVELS ? SD_OK : SD_EFORMAT,
                  "%u pairs", pairs);
    sd_buf_free (&stream);
  }
}

/* Levels, averages and nodes together; what is opened is within the bound (open_table), and some is. */
Test (hostile, averages_of_forest) {
  static const unsigned six[6] = { 64, 64, 64, 64, 64, 64 }; /* 15 tables of 4,096, and some of 262,144 */
  unsigned opened = 0;
  for (unsigned averages = 1; averages <= SD_TREES_AVERAGES; averages++)
    for (unsigned pairs = 0; pairs <= 15; pairs += 15)
      for (unsigned nodes = 2500; nodes < SD_TREES_MAX_NODES; nodes += 14000) {
        sd_buf stream = { 0 };
        forge_trees (6, six, pairs, averages, nodes, &stream);
        const int st = open_game (&sd_codec_forest, UINT64_C (1) << 36, &stream, "averages");
        cr_expect (st == SD_OK || st == SD_EFORMAT);
        opened += st == SD_OK;
        if (averages <= 15 && nodes == 2500)
          cr_expect_eq (st, SD_OK, "%u tables, %u pairs", averages, pairs);
        if (averages > 17 || nodes > 30000)
          cr_expect_eq (st, SD_EFORMAT, "%u tables, %u pairs, %u nodes", averages, pairs, nodes);
        sd_buf_free (&stream);
      }
  cr_expect_geq (opened, 30, "%u", opened);
}

/* A forest of `blocks` blocks, all empty, of as many slots each, with an index of some bits a block. */
static void forge_empty_blocks (uint64_t n, uint64_t slots, uint64_t blocks, sd_buf *out) {
  sd_trees_model mo;
  uint64_t *byte = sd_alloc (blocks, sizeof *byte);
  sd_trees_model_init (&mo, 3, NULL, 0, n);
  mo.has_averages = true;
  cr_assert (byte && sd_trees_forest_new (&mo, 1) == SD_OK && sd_trees_forest_finish (&mo) == SD_OK);
  sd_buf_u8 (out, SD_STREAM_CODEC);
  sd_buf_varint (out, SD_TREES_MIN_BLOCK);
  sd_buf_varint (out, blocks);
  sd_trees_model_write (&mo, out);
  sd_buf_varint (out, slots);
  sd_buf_varint (out, 0);
  for (uint64_t b = 0; b < blocks; b++)
    byte[b] = b;
  sd_starts_write (byte, blocks, blocks, out);
  sd_trees_model_clear (&mo);
  free (byte);
}

Test (hostile, blocks_of_a_forest_that_have_no_bytes) {
  static const struct {
    uint64_t n, slots, blocks;
    int status;
  } of[] = {
    { 1 << 22, 1, 1 << 22, SD_OK },
    { UINT64_C (1) << 37, 65536, 1 << 21, SD_OK },
    { 1000, 100, 10, SD_OK },
    { 1001, 100, 10, SD_EFORMAT }, /* one slot is left over */
    { 900, 100, 10, SD_EFORMAT },  /* a block without slots */
    { UINT64_C (1) << 20, 65537, 16, SD_EFORMAT },
  };
  for (unsigned k = 0; k < sizeof of / sizeof *of; k++) {
    sd_buf stream = { 0 };
    char what[40];
    snprintf (what, sizeof what, "%" PRIu64 " blocks, case %u", of[k].blocks, k);
    forge_empty_blocks (of[k].n, of[k].slots, of[k].blocks, &stream);
    cr_expect_eq (open_game (&sd_codec_forest, of[k].n, &stream, what), of[k].status, "%s", what);
    sd_buf_free (&stream);
  }
}

/* Both sides of a table of chess have a stream. */
Test (hostile, two_streams_of_trees_and_of_forest) {
  static const sd_value results[3] = { -1, 0, 1 };
  static const unsigned nodes[] = { 2500, 12000, 32000 };
  for (unsigned k = 0; k < 6; k++) {
    sd_table_spec spec = { .metric = SD_WDL, .coding = SD_CODING_WDL, .freedom = 13 };
    sd_buf stream = { 0 }, image = { 0 };
    cr_assert_eq (sd_material_parse ("KQRvKB", &spec.material, NULL), SD_OK);
    unsigned radix[SD_MAX_RADICES];
    for (unsigned side = 0; side < 2; side++) {
      cr_assert_eq (sd_layout_parse (&spec.material, "KQRkb", NULL, &spec.side[side].layout, NULL), SD_OK);
      spec.side[side].codec = k % 2 ? &sd_codec_forest : &sd_codec_trees;
    }
    sd_indexer *ix;
    cr_assert_eq (sd_indexer_new (&spec.side[0].layout, &ix, NULL), SD_OK);
    const unsigned ndims = sd_indexer_shape (ix, radix);
    sd_indexer_free (ix);
    forge_trees (ndims, radix, 15, k % 2 ? 17 : 0, nodes[k / 2], &stream);
    const sd_buf *const both[2] = { &stream, &stream };
    cr_assert_eq (sd_forge_table (&spec, results, 3, both, &image), SD_OK);
    const int st = open_and_close (&image, "KQRvKB");
    if (nodes[k / 2] != 12000)
      cr_expect_eq (st, k < 2 && k % 2 == 0 ? SD_OK : SD_EFORMAT, "%s, %u nodes", spec.side[0].codec->name,
                    nodes[k / 2]);
    sd_buf_free (&stream);
    sd_buf_free (&image);
  }
}

/* The encoder makes no more levels than a reader admits. */
Test (hostile, trees_of_many_digits_stay_readable) {
  enum { N = 1 << 16 };
  sd_alphabet *a;
  sd_symbol star;
  cr_assert_eq (sd_alphabet_new (3, &a), SD_OK);
  cr_assert_eq (sd_alphabet_add_range (a, 0, 2, &star), SD_OK);
  sd_seq q = { .alphabet = a, .sym = sd_alloc (N, 2), .n = N, .ndims = 2, .radix = { 256, 256 } };
  for (unsigned i = 0; i < N; i++) /* free where both digits are equal in some bits */
    q.sym[i] = ((i >> 8 ^ i) & 15) == 0 ? star : (sd_symbol) (i / 7 % 3);
  sd_trees_model *mo = calloc (1, sizeof *mo);
  static const uint32_t radix[] = { 2, 2, 256, 4, 2, 2, 2, 2 };
  sd_trees_model_init (mo, 3, radix, 8, N);
  cr_assert_eq (sd_trees_pairs (mo, &q), SD_OK);
  unsigned levels = 0;
  for (unsigned k = 0; k < mo->npairs; k++)
    levels += mo->radix[mo->pair[k].a] * mo->radix[mo->pair[k].b];
  cr_expect_leq (levels, SD_TREES_LEVELS);
  cr_expect_gt (mo->npairs, 0);
  sd_trees_model_clear (mo);
  free (mo);
  free (q.sym);
  sd_alphabet_free (a);
}

/* A diagram of results without nodes: roots only, over the digits given, of which `count` are equal men. */
static void forge_diagram (unsigned ndigits, unsigned count, unsigned size, unsigned vars, sd_buf *out) {
  sd_buf_u8 (out, SD_STREAM_CODEC);
  sd_buf_u8 (out, ndigits);
  for (unsigned d = 0; d < ndigits; d++) {
    sd_buf_u8 (out, count);
    sd_buf_varint (out, size);
  }
  sd_bitw w = { .out = out };
  for (unsigned k = vars; k-- > 0;) { /* every second variable with the one before: no digit is whole */
    if (k % 2) {
      sd_bitw_put (&w, k - 1, sd_bits_for (vars));
      sd_bitw_put (&w, 1, 1);
    }
    sd_bitw_put (&w, k, sd_bits_for (vars));
    sd_bitw_put (&w, 0, 1);
  }
  sd_bitw_flush (&w);
  sd_buf_u8 (out, vars | 1 << 6); /* all levels, one node each, both edges: no bits */
  for (unsigned k = 0; k < vars; k++)
    sd_buf_varint (out, 0);
  sd_buf_u8 (out, 2); /* level 1: edges to symbols 2 and 0, two bits each */
}

Test (hostile, tables_for_digits_of_equal_men) {
  sd_buf one = { 0 };
  forge_diagram (1, 3, 64, 18, &one);
  cr_expect_eq (open_game (&sd_codec_obdd, 41664, &one, "three equal men"), SD_OK);
  sd_buf_free (&one);
  one = (sd_buf){ 0 };
  forge_diagram (2, 3, 64, 36, &one);
  cr_expect_eq (open_game (&sd_codec_obdd, UINT64_C (41664) * 41664, &one, "three, twice"), SD_EFORMAT,
                "more than chess can have");
  sd_buf_free (&one);
}

/* `streams` times one stream in clusters, of n slots: forks one inside the other. */
static void forge_clusters (unsigned streams, const sd_buf *one, sd_buf *out) {
  sd_buf so_far = { 0 };
  sd_buf_append (&so_far, one->data, one->len);
  for (unsigned k = 1; k < streams; k++) {
    sd_buf more = { 0 };
    sd_codec_put_fork (&(sd_fork){ 1, 2, 1 }, one, &so_far, &more);
    sd_buf_free (&so_far);
    so_far = more;
  }
  sd_buf_append (out, so_far.data, so_far.len);
  sd_buf_free (&so_far);
}

Test (hostile, clusters_of_small_diagrams) {
  static const struct {
    unsigned ndigits, count, size, vars;
    uint64_t n;
  } kind[] = { { 1, 3, 64, 18, 41664 },
               { 2, 1, 64, 12, 4096 },
               { 4, 1, 64, 24, 1 << 24 },
               { 4, 1, 512, 36, UINT64_C (1) << 36 },
               { 1, 2, 64, 12, 2016 } };
  for (unsigned k = 0; k < sizeof kind / sizeof *kind; k++)
    for (unsigned streams = 2; streams <= SD_MAX_CLUSTERS; streams *= 2) {
      sd_buf one = { 0 }, all = { 0 };
      char what[64];
      snprintf (what, sizeof what, "kind %u, %u diagrams", k, streams);
      forge_diagram (kind[k].ndigits, kind[k].count, kind[k].size, kind[k].vars, &one);
      forge_clusters (streams, &one, &all);
      const int st = open_game (&sd_codec_obdd, kind[k].n, &all, what);
      cr_expect (st == SD_OK || st == SD_EFORMAT);
      if (k > 0 && streams <= 16)
        cr_expect_eq (st, SD_OK, "%s", what);
      if (k == 0 || streams > 32)
        cr_expect_eq (st, SD_EFORMAT, "%s: too much for its bytes", what);
      sd_buf_free (&one);
      sd_buf_free (&all);
    }
}

/* Whatever the codec, and whatever its stream says of sizes: numbers as large as they can be, in each place
 * of the head. */
Test (hostile, large_numbers_in_the_head_of_every_codec) {
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  static const uint64_t n[] = { 1, 3000, UINT32_MAX, UINT64_C (1) << 36, SD_MAX_STATES };
  uint64_t rng = 1;
  for (size_t c = 0; c < ncodecs; c++)
    for (unsigned k = 0; k < 4000; k++) {
      sd_buf s = { 0 };
      sd_decoder *d;
      sd_buf_u8 (&s, k % 3 ? SD_STREAM_CODEC : (unsigned) (sd_random (&rng) % 4));
      for (unsigned i = 0; i < 12; i++) {
        const uint64_t r = sd_random (&rng);
        sd_buf_varint (&s, r % 3 ? sd_random (&rng) >> (r / 3 % 64) : UINT64_C (1) << (r / 3 % 27));
      }
      for (unsigned i = 0; i < k % 400; i++)
        sd_buf_u8 (&s, k % 7 ? 0 : (unsigned) sd_random (&rng));
      const uint64_t start = sd_fuzz_memory_start ();
      const unsigned m = k % 2 ? 3 : SD_MAX_MAIN;
      if (sd_codec_open (codec[c], s.data, s.len, n[k % 5], m, &d, NULL) == SD_OK)
        sd_codec_close (d);
      cr_expect_leq (sd_fuzz_memory_peak (start), SD_OPEN_FREE / 2 + SD_OPEN_A_BYTE * s.len, "%s, number %u",
                     codec[c]->name, k);
      sd_buf_free (&s);
    }
}

/* ------------------------------------------------------------------------- values */

/* The only stored side of KRvK holds one value everywhere. */
static sd_buf one_value (sd_value v) {
  sd_table_spec spec = { .metric = SD_DTM, .coding = SD_CODING_SIGNED, .sides = SD_SIDES_WHITE };
  sd_buf stream = { 0 }, image = { 0 };
  const sd_buf *const streams[2] = { &stream, NULL };
  const sd_value small = v < 0 ? -1 : 1;
  cr_assert_eq (sd_material_parse ("KRvK", &spec.material, NULL), SD_OK);
  cr_assert_eq (sd_layout_parse (&spec.material, "[Kk]R", NULL, &spec.side[0].layout, NULL), SD_OK);
  spec.side[0].codec = &sd_codec_store;
  sd_codec_put_constant (0, &stream);
  cr_assert_eq (sd_forge_table (&spec, &small, 1, streams, &image), SD_OK);
  sd_buf_free (&stream);
  /* the writer refuses large values: its list, count 1, step - 1 and length - 1, is exchanged here */
  sd_buf list = { 0 };
  sd_buf_varint (&list, 1);
  sd_buf_varint (&list, (uint64_t) (v < 0 ? -v : v));
  sd_buf_u8 (&list, 0);
  const uint8_t before[] = { 1, 1, 0 };
  size_t at = 6;
  while (at + 3 < image.len && memcmp (image.data + at, before, 3) != 0)
    at++;
  cr_assert_lt (at + 3, image.len);
  sd_buf forged = { 0 };
  sd_buf_append (&forged, image.data, 5);
  const uint64_t covered = image.len - 2 - 4 - 6; /* stream, checksum, what stands before the header */
  sd_buf_varint (&forged, covered + list.len - 3);
  sd_buf_append (&forged, image.data + 6, at - 6);
  sd_buf_append (&forged, list.data, list.len);
  sd_buf_append (&forged, image.data + at + 3, 6 + covered - at - 3);
  sd_buf_u32 (&forged, (uint32_t) sd_hash64 (forged.data, forged.len));
  sd_buf_append (&forged, image.data + image.len - 2, 2);
  sd_buf_free (&list);
  sd_buf_free (&image);
  return forged;
}

Test (hostile, values_near_the_limit_of_16_bits) {
  static const int tried[] = { 3, 31999, 32000, 32001, 32766, 32767, -3, -32000, -32001, -32766, -32767 };
  for (unsigned k = 0; k < sizeof tried / sizeof *tried; k++) {
    sd_buf b = one_value ((sd_value) tried[k]);
    sd_table *t = NULL;
    const int st = open_table (&b, "KRvK", &t);
    const bool fits = tried[k] <= SD_MAX_MAP_PLIES && tried[k] >= -SD_MAX_MAP_PLIES;
    cr_expect_eq (st, fits ? SD_OK : SD_EFORMAT, "%d", tried[k]);
    sd_tables *ts;
    cr_assert_eq (sd_tables_open (NULL, 0, &ts, NULL), SD_OK);
    if (st == SD_OK && sd_tables_use (ts, t) == SD_OK) {
      sd_pos p;
      sd_value v;
      cr_assert_eq (sd_pos_from_fen ("8/8/8/8/3k4/8/R7/K7 b - - 0 1", &p, NULL), SD_OK);
      cr_assert_eq (sd_probe_dtm (ts, &p, &v, NULL), SD_OK);
      cr_expect_eq (v, tried[k] < 0 ? -tried[k] : -tried[k] - 2, "%d: all moves of Black lead there",
                    tried[k]);
    }
    sd_tables_close (ts);
    sd_table_close (t);
    sd_buf_free (&b);
  }
}

Test (hostile, no_value_wraps_around) {
  for (int v = SD_ILLEGAL + 1; v <= INT16_MAX; v++) {
    const int back = sd_value_back ((sd_value) v), want = v == 0 ? 0 : v < 0 ? -v : -v - 2;
    cr_assert_eq (back, want > SD_ILLEGAL ? want : SD_ILLEGAL + 1, "%d", v);
    cr_assert_eq (sd_value_wdl ((sd_value) back), -sd_value_wdl ((sd_value) v), "%d", v);
  }
  cr_expect_eq (sd_value_back (SD_ILLEGAL), SD_ILLEGAL);
}

/* What a writer puts into a file is what a reader takes; another game has all values that its solver finds.
 */
Test (hostile, writers_refuse_what_readers_would) {
  static const int tried[] = { 32000, 32001, 32766, 32767, -32000, -32001, -32767 };
  sd_buf stream = { 0 }, out = { 0 };
  sd_codec_put_constant (0, &stream);
  for (unsigned k = 0; k < sizeof tried / sizeof *tried; k++)
    for (unsigned game = 0; game < 2; game++) {
      const sd_value map = (sd_value) tried[k];
      sd_table_spec spec = { .metric = SD_DTM, .coding = SD_CODING_SIGNED, .sides = SD_SIDES_WHITE };
      spec.side[0].codec = &sd_codec_store;
      if (game)
        spec.game = (sd_table_game){ .name = "toy", .slice = "s", .states = 9 };
      else {
        cr_assert_eq (sd_material_parse ("KRvK", &spec.material, NULL), SD_OK);
        cr_assert_eq (sd_layout_parse (&spec.material, "[Kk]R", NULL, &spec.side[0].layout, NULL), SD_OK);
      }
      const sd_buf *const streams[2] = { &stream, NULL };
      const bool fits = game ? map != INT16_MAX : map <= 32000 && map >= -32000;
      out.len = 0;
      cr_expect_eq (sd_forge_table (&spec, &map, 1, streams, &out), fits ? SD_OK : SD_EINVAL, "%d", map);
      if (fits)
        cr_expect_eq (open_and_close (&out, "toy"), SD_OK, "%d", map);
    }
  sd_buf_free (&stream);
  sd_buf_free (&out);
}
