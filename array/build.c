/* Writing files of arrays: code, write under a temporary name, read back, compare, rename. `subdef import`
 * and `reformat` call this, and whoever codes data of one's own by the library. What comes in is subdefinite
 * data and a codec, or none for a source; on any failure the temporary file goes, and a file that had the
 * name before stays as it was. */
#include "config.h"
#include "array/array_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ header */

/* Rising numbers as runs of equal differences; the first one counts from -1 (docs/format.md, section 1). */
static void put_map (const sd_array_shape *s, const sd_value *map, unsigned m, sd_buf *b) {
  const int32_t least = sd_array_types[s->type].least;
  int32_t before = -1;

  sd_buf_varint (b, m);
  for (unsigned i = 0; i < m;) {
    const int32_t v = sd_array_value (s->type, map[i]) - least, step = v - before;
    unsigned run = 1;
    /* As many as have the same step; a lone value is a run of one. */
    before = v;
    while (i + run < m && sd_array_value (s->type, map[i + run]) - least - before == step) {
      before += step;
      run++;
    }
    sd_buf_varint (b, (uint64_t) step - 1);
    sd_buf_varint (b, run - 1);
    i += run;
  }
}

/* Runs of main symbols: how many are passed over, and how many behind the first are in it. */
static void put_set (const sd_alphabet *a, sd_symbol s, sd_buf *b) {
  const unsigned m = sd_alphabet_main (a);
  unsigned runs = 0, end = 0;

  /* The number of runs comes first, and is counted first. */
  for (unsigned v = 0; v < m; v++)
    runs += sd_admits (a, s, (sd_symbol) v) && (v == 0 || !sd_admits (a, s, (sd_symbol) (v - 1)));
  sd_buf_varint (b, runs);
  for (unsigned v = 0; v < m; v++) {
    if (!sd_admits (a, s, (sd_symbol) v))
      continue;
    const unsigned first = v;
    while (v + 1 < m && sd_admits (a, s, (sd_symbol) (v + 1)))
      v++;
    sd_buf_varint (b, first - end);
    sd_buf_varint (b, v - first);
    /* The next run is told from here: at least one symbol lies between. */
    end = v + 1;
  }
}

/* The whole file. Seven arguments: it is made of five things that have been made one after the other. */
static int put_file (const sd_array_shape *s, const sd_subdefined *d, bool source, const sd_codec *codec,
                     const sd_buf *stream, sd_buf *out, sd_error *err) {
  const unsigned m = sd_alphabet_main (d->alphabet), size = sd_alphabet_size (d->alphabet);
  sd_buf h = { 0 };

  sd_buf_u8 (&h, s->type);
  sd_buf_u8 (&h, source);
  sd_buf_u8 (&h, s->ndims);
  for (unsigned k = 0; k < s->ndims; k++)
    sd_buf_varint (&h, s->dim[k]);
  put_map (s, d->map, m, &h);
  if (source) {
    sd_buf_varint (&h, size - m);
    for (unsigned k = m; k < size; k++)
      put_set (d->alphabet, (sd_symbol) k, &h);
  }

  sd_buf_u8 (&h, codec->id);
  sd_buf_varint (&h, stream->len);

  /* A checksum a chunk, so that a reader checks only what it reads. */
  for (size_t at = 0; at < stream->len; at += SD_CHUNK_BYTES)
    sd_buf_u32 (&h,
                (uint32_t) sd_hash64 (stream->data + at,
                                      stream->len - at < SD_CHUNK_BYTES ? stream->len - at : SD_CHUNK_BYTES));

  /* The header's own checksum covers the magic and all that stands before it; it is taken from the buffer
   * once all of it is there. */
  const size_t start = out->len;
  sd_buf_append (out, SD_ARRAY_MAGIC, SD_ARRAY_MAGIC_BYTES);
  sd_buf_u8 (out, SD_ARRAY_VERSION);
  sd_buf_varint (out, h.len);
  sd_buf_append (out, h.data, h.len);
  if (!out->failed)
    sd_buf_u32 (out, (uint32_t) sd_hash64 (out->data + start, out->len - start));
  sd_buf_append (out, stream->data, stream->len);

  const bool failed = h.failed || out->failed;
  sd_buf_free (&h);
  return failed ? sd_fail_memory (err, stream->len) : SD_OK;
}

/* ------------------------------------------------------------------ coding */

/* A source must be kept exactly, sets and all: a general compressor does that well enough, and nobody looks
 * up single slots of it. */
static const sd_codec *source_codec (void) {
  /* The first of these that this build has, the smallest files first. */
  static const char *const name[] = { "lzma", "zstd", "brotli", "zlib", "bzip2", "lz4" };
  for (unsigned i = 0; i < sizeof name / sizeof name[0]; i++)
    if (sd_codec_find (name[i]))
      return sd_codec_find (name[i]);
  return sd_codec_find ("store");
}

/* Each symbol, free ones too, as a main symbol of a larger alphabet; or their bytes, low ones first. */
static int code_source (const sd_subdefined *d, const sd_codec *codec, const sd_progress *progress,
                        sd_buf *stream, sd_error *err) {
  const unsigned size = sd_alphabet_size (d->alphabet);
  const bool planes = sd_array_planes (size);
  const uint64_t n = d->seq.n;
  sd_settings settings;
  sd_alphabet *a = NULL;

  SD_TRY (sd_settings_parse (codec, NULL, &settings, err));
  if (sd_alphabet_new (planes ? 256 : size, &a) != SD_OK)
    return sd_fail_memory (err, 0);

  sd_seq seq = { .alphabet = a, .sym = d->seq.sym, .n = n };
  SD_OWNED sd_symbol *bytes = planes ? sd_alloc (2 * n, sizeof *bytes) : NULL;
  int st = planes && !bytes ? sd_fail_memory (err, 2 * n * sizeof *bytes) : SD_OK;
  /* All low bytes, then all high ones: these change rarely and pack well. */
  for (uint64_t i = 0; i < n && bytes; i++) {
    bytes[i] = d->seq.sym[i] & 255;
    bytes[n + i] = d->seq.sym[i] >> 8;
  }
  if (bytes)
    seq = (sd_seq){ .alphabet = a, .sym = bytes, .n = 2 * n };
  if (st == SD_OK)
    st = sd_codec_encode (codec, &seq, &settings, progress, stream, err);
  sd_alphabet_free (a);
  return st;
}

/* The stream is made before the header, which has its length and its checksums. */
int sd_array_image (const sd_array_shape *s, const sd_subdefined *d, const sd_array_codec *how,
                    const sd_progress *progress, sd_buf *out, sd_error *err) {
  sd_buf stream = { 0 };
  const bool source = !how->codec;
  const size_t start = out->len;
  const sd_codec *codec = source ? source_codec () : how->codec;
  int st = source ? code_source (d, codec, progress, &stream, err)
                  : sd_codec_encode (codec, &d->seq, &how->settings, progress, &stream, err);

  if (st == SD_OK)
    st = put_file (s, d, source, codec, &stream, out, err);
  /* A reader would refuse it, see sd_array_load (). */
  if (st == SD_OK && source && !sd_array_pays (out->len - start, s->n))
    st = sd_fail (err, SD_EUNSUPPORTED,
                  "%" PRIu64
                  " slots, almost all of them equal: a source of %zu bytes may not bring so many into memory",
                  s->n, out->len - start);
  sd_buf_free (&stream);
  return st;
}

/* Each codec's trials on all slots: an array may be like no table that was measured. */
int sd_array_search (const sd_subdefined *d, const sd_progress *progress, sd_array_codec *out,
                     uint64_t *bytes, sd_error *err) {
  size_t n;
  const sd_codec *const *all = sd_codec_all (&n);
  uint64_t best = UINT64_MAX;

  for (size_t c = 0; c < n; c++) {
    const sd_trials *trials = &all[c]->trials;
    if (bytes)
      bytes[c] = 0;
    /* Settings from fast to small, then other ways, which may suit an array. */
    for (unsigned w = 0; w < 2; w++) {
      const char *const *text = w ? trials->ways : trials->settings;
      for (unsigned k = 0; k < 8 && text[k]; k++) {
        sd_array_codec one = { .codec = all[c] };
        sd_buf stream = { 0 };
        int st = sd_settings_parse (all[c], text[k], &one.settings, NULL);
        if (st == SD_OK)
          st = sd_codec_encode (all[c], &d->seq, &one.settings, progress, &stream, NULL);

        const uint64_t len = stream.len;
        sd_buf_free (&stream);
        if (st == SD_ENOMEM) /* says nothing of the codec */
          return sd_fail_memory (err, 0);
        if (st != SD_OK) /* it cannot code this: it drops out */
          continue;
        /* The best of each codec, for the list that is printed. */
        if (bytes && (!bytes[c] || len < bytes[c]))
          bytes[c] = len;
        if (len < best) {
          best = len;
          *out = one;
        }
      }
    }
    sd_report (progress, "searching", c + 1, n);
  }
  return best < UINT64_MAX ? SD_OK : sd_fail (err, SD_ENOENT, "no codec of this build can code the array");
}

/* --------------------------------------------------------------- comparing */

/* "sea.sda: slot 77 (1,2,3): 9, which the source does not admit" */
static int differs (const sd_array *a, uint64_t i, sd_error *err) {
  char slot[224], is[80];
  sd_array_slot_text (&a->info.shape, i, slot);
  /* The difference is the error, not that the slot cannot be printed. */
  if (sd_array_slot (a, i, is, sizeof is, NULL) != SD_OK)
    strcpy (is, "?");
  return sd_fail (err, SD_EDIFF, "%s: %s: %s, which the source does not admit", a->name, slot, is);
}

/* same[x]: the symbol of d that is the value or the set x of a; UINT32_MAX: none. */
static void match_symbols (const sd_array_shape *s, const sd_subdefined *d, const sd_array *a,
                           uint32_t *same) {
  const unsigned m = sd_alphabet_main (d->alphabet), size = sd_alphabet_size (d->alphabet);
  /* Sets are rows of bits of main symbols, and can be compared only if these are the same. */
  const bool equal = m == a->info.main && memcmp (d->map, a->map, m * sizeof *d->map) == 0;
  unsigned k = 0;
  for (unsigned x = 0; x < a->info.main; x++) { /* both rise */
    while (k < m && sd_array_value (s->type, d->map[k]) < sd_array_value (s->type, a->map[x]))
      k++;
    same[x] = k < m && d->map[k] == a->map[x] ? k : UINT32_MAX;
  }
  for (unsigned x = a->info.main; x < a->info.main + a->info.sets; x++) {
    same[x] = UINT32_MAX;
    for (unsigned y = m; y < size && equal && same[x] == UINT32_MAX; y++)
      if (memcmp (sd_alphabet_set (d->alphabet, (sd_symbol) y), sd_alphabet_set (a->alphabet, (sd_symbol) x),
                  (m + 63) / 64 * sizeof (uint64_t))
          == 0)
        same[x] = y;
  }
}

/* Types count, too: the same bits would be other values. */
static int compare_shapes (const sd_array_shape *s, const sd_array *a, sd_error *err) {
  const sd_array_shape *is = &a->info.shape;
  char x[192], y[192];
  if (s->type == is->type && sd_array_same_dims (s, is))
    return SD_OK;
  sd_array_shape_text (is, x);
  sd_array_shape_text (s, y);
  return sd_fail (err, SD_EDIFF, "%s: %s of the type %s, the source has %s of the type %s", a->name, x,
                  sd_array_types[is->type].name, y, sd_array_types[s->type].name);
}

int sd_array_compare (const sd_array_shape *s, const sd_subdefined *source, const sd_array *a,
                      sd_error *err) {
  SD_TRY (compare_shapes (s, a, err));
  SD_OWNED uint32_t *same = sd_alloc (a->info.main + a->info.sets, sizeof *same);
  SD_OWNED sd_symbol *sym = sd_alloc (SD_ARRAY_PIECE, sizeof *sym);
  if (!same || !sym)
    return sd_fail_memory (err, SD_ARRAY_PIECE * sizeof *sym);

  match_symbols (s, source, a, same);
  for (uint64_t i = 0; i < s->n; i += SD_ARRAY_PIECE) {
    const uint64_t count = s->n - i < SD_ARRAY_PIECE ? s->n - i : SD_ARRAY_PIECE;
    SD_TRY (sd_array_symbols (a, i, count, sym, err));
    for (uint64_t k = 0; k < count; k++) {
      const uint32_t is = same[sym[k]];
      const sd_symbol may = source->seq.sym[i + k];
      /* A source must hold the same; a coded array anything that the source admits. */
      if (is == UINT32_MAX
          || (is != may && (a->info.source || !sd_admits (source->alphabet, may, (sd_symbol) is))))
        return differs (a, i + k, err);
    }
  }
  return SD_OK;
}

/* ----------------------------------------------------------------- writing */

/* The file is opened as a stranger's would be, with all checksums, and each of its slots compared with d. */
static int write_and_compare (sd_outfile *f, sd_buf *image, const sd_array_shape *s, const sd_subdefined *d,
                              const char *path, sd_error *err) {
  SD_RELEASED_BY (sd_map_close) sd_map map = { 0 };
  sd_array *a;
  SD_TRY (sd_outfile_write (f, image->data, image->len, err));
  /* From here on the file is what counts; the memory is given back. */
  sd_buf_free (image);
  /* Before the rename: the name never stands for a file that is not all on disk. */
  SD_TRY (sd_outfile_sync (f, err));
  SD_TRY (sd_map_open (sd_outfile_temp_name (f), &map, err));
  SD_TRY (sd_array_open_memory (map.data, map.len, path, SD_OPEN_CHECK, &a, err));

  const int st = sd_array_compare (s, d, a, err);
  sd_array_close (a);
  return st;
}

int sd_array_write (const sd_array_shape *s, const sd_subdefined *d, const sd_array_codec *how,
                    const char *path, const sd_progress *progress, sd_error *err) {
  sd_outfile *f;
  sd_buf image = { 0 };
  SD_TRY (sd_outfile_open (path, &f, err));
  int st = sd_array_image (s, d, how, progress, &image, err);
  if (st == SD_OK)
    st = write_and_compare (f, &image, s, d, path, err);
  sd_buf_free (&image);
  if (st == SD_OK)
    return sd_outfile_commit (f, err);
  sd_outfile_abort (f);
  return st;
}
