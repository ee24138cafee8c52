/* Opening and reading files of arrays (docs/format.md, section 10). Every number is checked before it is
 * used; chunks of the stream are compared with their checksums when they are first read. Whoever opens a file
 * may have got it from anybody: what it asks for is bounded by its length (sd_array_pays), and a damaged one
 * gives a status with the place, never a value. */
#include "config.h"
#include "array/array_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool sd_array_is (const char *path) {
  const size_t n = strlen (path);
  return n > 4 && strcmp (path + n - 4, ".sda") == 0;
}

/* ------------------------------------------------------------------ header */

/* "sea.sda: header: the list of values is wrong or cut off near byte 31" */
static int wrong (const sd_array *a, const sd_reader *r, const char *what, sd_error *err) {
  return sd_fail (err, SD_EFORMAT, "%s: header: %s is wrong or cut off near byte %zu", a->name, what,
                  (size_t) (r->p - a->data));
}

static int get_shape (sd_array *a, sd_reader *r, sd_error *err) {
  sd_array_shape *s = &a->info.shape;
  const unsigned type = sd_get_u8 (r), kind = sd_get_u8 (r);
  if (r->bad || type >= SD_ARRAY_TYPES || kind > 1)
    return wrong (a, r, "the type", err);
  s->type = (enum sd_array_type) type;
  a->info.source = kind;

  s->ndims = sd_get_u8 (r);
  for (unsigned d = 0; d < s->ndims && d < SD_MAX_DIMS; d++) {
    const uint64_t v = sd_get_varint (r);
    /* 0 is refused below. */
    s->dim[d] = v <= UINT32_MAX ? (uint32_t) v : 0;
  }
  if (r->bad || sd_array_shape_set (s, NULL) != SD_OK)
    return wrong (a, r, "the shape", err);
  return SD_OK;
}

/* Runs of rising numbers below `limit`, taken one by one: *at is the last one, -1 at first. */
static bool get_run (sd_reader *r, int64_t *at, uint64_t limit, uint64_t *step, uint64_t *count) {
  *step = sd_get_varint (r);
  *count = sd_get_varint (r);
  if (r->bad || *step >= limit || *count >= limit)
    return false;
  /* Both are stored less 1; below the limit neither the sums nor the product can wrap around. */
  ++*step, ++*count;
  return *at + (int64_t) (*step * *count) < (int64_t) limit;
}

/* The values that occur, into a->map by rising values; SD_MAX_MAIN of them fit. */
static int get_map (sd_array *a, sd_reader *r, sd_error *err) {
  const sd_array_type_kind *type = &sd_array_types[a->info.shape.type];
  const uint64_t count = sd_get_varint (r), span = (uint64_t) (type->most - type->least) + 1;

  if (r->bad || count < 1 || count > SD_MAX_MAIN)
    return wrong (a, r, "the number of values", err);

  int64_t at = -1;
  for (uint64_t n = 0, step, run; n < count;) {
    if (!get_run (r, &at, span, &step, &run) || run > count - n)
      return wrong (a, r, "the list of values", err);
    for (uint64_t k = 0; k < run; k++) {
      at += (int64_t) step;
      /* A value's bits stand in the map, with or without a sign: sd_array_value () takes them back. */
      a->map[n++] = (sd_value) (uint16_t) (at + type->least);
    }
  }
  a->info.main = (unsigned) count;
  return SD_OK;
}

/* The alphabet, with the sets of a source as further symbols, numbered as they come. */
static int get_sets (sd_array *a, sd_reader *r, sd_error *err) {
  const unsigned m = a->info.main;
  if (sd_alphabet_new (m, &a->alphabet) != SD_OK)
    return sd_fail_memory (err, 0);
  /* A coded array has no sets: each slot holds a value. */
  const uint64_t sets = a->info.source ? sd_get_varint (r) : 0;
  if (r->bad || sets > SD_MAX_SYMBOLS - m)
    return wrong (a, r, "the number of sets", err);
  for (uint64_t s = 0; s < sets; s++) {
    uint64_t row[SD_MAX_MAIN / 64] = { 0 }, end = 0;
    const uint64_t runs = sd_get_varint (r);
    sd_symbol symbol;
    for (uint64_t k = 0; k < runs; k++) {
      const uint64_t skip = sd_get_varint (r), more = sd_get_varint (r);
      /* Behind the first run one symbol at least is passed over, else both would be one run. */
      if (r->bad || skip >= m || more >= m || end + skip + more >= m || (k && !skip))
        return wrong (a, r, "a set of values", err);
      end += skip;
      for (const uint64_t stop = end + more; end <= stop; end++)
        row[end / 64] |= (uint64_t) 1 << (end % 64);
    }

    const int st = r->bad ? SD_EFORMAT : sd_alphabet_add (a->alphabet, row, &symbol);
    if (st == SD_ENOMEM)
      return sd_fail_memory (err, 0);
    if (st != SD_OK || symbol != m + s) /* empty, of one value, or there before */
      return wrong (a, r, "a set of values", err);
  }
  a->info.sets = (unsigned) sets;
  return SD_OK;
}

/* What the stream is and where its checksums stand; it follows the header, and is opened last. */
static int get_stream (sd_array *a, sd_reader *r, sd_error *err) {
  const unsigned id = sd_get_u8 (r);
  if (r->bad)
    return wrong (a, r, "the codec", err);
  a->info.codec = sd_codec_by_id (id);
  if (!a->info.codec)
    return sd_fail (err, SD_EUNSUPPORTED, "%s: codec %u (%s) is not in this build of subdef%s", a->name, id,
                    sd_codec_missing (id) ? sd_codec_missing (id) : "unknown",
                    sd_codec_missing (id) ? ": build it with the library of that name"
                                          : ": a newer one may know it");

  a->info.stream_bytes = sd_get_varint (r);
  /* Compared with the bytes that are there before they are taken: a forged length asks for nothing. */
  const uint64_t chunks = sd_table_chunks (a->info.stream_bytes);
  if (r->bad || chunks > (uint64_t) (r->end - r->p) / 4)
    return wrong (a, r, "the length of the stream", err);

  a->sums = sd_get_bytes (r, 4 * chunks);
  if (r->p != r->end)
    return wrong (a, r, "its end", err);
  return SD_OK;
}

/* ----------------------------------------------------------------- opening */

static uint32_t sum_at (const uint8_t *p) {
  return (uint32_t) p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16 | (uint32_t) p[3] << 24;
}

int sd_array_check (const sd_array *a, sd_error *err) {
  const uint64_t bytes = a->info.stream_bytes;
  for (uint64_t at = 0, k = 0; at < bytes; at += SD_CHUNK_BYTES, k++) {
    const uint64_t n = bytes - at < SD_CHUNK_BYTES ? bytes - at : SD_CHUNK_BYTES;
    const uint32_t sum = (uint32_t) sd_hash64 (a->data + a->offset + at, n),
                   expected = sum_at (a->sums + 4 * k);
    /* The bytes say which part of a copy is bad. */
    if (sum != expected)
      return sd_fail (err, SD_ECHECKSUM,
                      "%s: bytes %" PRIu64 " to %" PRIu64 ": checksum is %08" PRIx32 ", expected %08" PRIx32
                      ": the file is damaged; copy or make it anew",
                      a->name, a->offset + at, a->offset + at + n - 1, sum, expected);
  }
  return SD_OK;
}

/* checked: all checksums have been compared, and no part is compared again when it is read. */
static int open_stream (sd_array *a, bool checked, sd_error *err) {
  const uint64_t bytes = a->info.stream_bytes;
  const unsigned symbols = a->info.main + a->info.sets;

  /* Which chunks have been compared; the guard keeps it. */
  uint32_t *state = checked ? NULL : sd_alloc0 (sd_table_chunks (bytes), sizeof *state);
  if (!state && !checked)
    return sd_fail_memory (err, sd_table_chunks (bytes));
  a->guard = (sd_guard){
    .data = a->data + a->offset, .bytes = bytes, .chunk_bits = SD_CHUNK_BITS, .sums = a->sums, .state = state
  };

  /* More symbols than a codec takes: two bytes a slot, in two halves of the stream. */
  const bool planes = sd_array_planes (symbols);
  const sd_stream s = { .codec = a->info.codec,
                        .guard = checked ? NULL : &a->guard,
                        .data = a->data + a->offset,
                        .len = (size_t) bytes,
                        .n = a->info.shape.n << planes,
                        .m = planes ? 256 : symbols };

  const int st = sd_stream_open (&s, &a->decoder, err);
  if (st != SD_OK)
    return sd_error_prefix (err, "%s", a->name), st;
  sd_codec_describe (a->decoder, &a->info.parts);
  return SD_OK;
}

static int open_array (sd_array *a, unsigned flags, sd_error *err) {
  sd_reader r = sd_reader_of (a->data, a->len);
  const uint8_t *magic = sd_get_bytes (&r, SD_ARRAY_MAGIC_BYTES);

  if (!magic || memcmp (magic, SD_ARRAY_MAGIC, SD_ARRAY_MAGIC_BYTES) != 0)
    return sd_fail (err, SD_EFORMAT,
                    "%s: no file of an array: it does not begin with \"\\x89SDA\" (%zu bytes in all); "
                    "'subdef import' makes one of a plain file",
                    a->name, a->len);
  a->info.version = sd_get_u8 (&r);
  if (!r.bad && a->info.version != SD_ARRAY_VERSION)
    return sd_fail (err, SD_EVERSION, "%s: format version %u of arrays, this program reads version %d",
                    a->name, a->info.version, SD_ARRAY_VERSION);
  /* The checksum is compared before anything else of the header is taken. */
  const uint64_t header = sd_get_varint (&r);
  if (r.bad || header > (uint64_t) (r.end - r.p) || (uint64_t) (r.end - r.p) - header < 4)
    return sd_fail (err, SD_EFORMAT,
                    "%s: the header is cut off: it takes %" PRIu64
                    " bytes and a checksum, the file has %zu bytes",
                    a->name, header, a->len);

  const size_t covered = (size_t) (r.p - a->data) + (size_t) header;
  const uint32_t sum = (uint32_t) sd_hash64 (a->data, covered), expected = sum_at (a->data + covered);
  if (sum != expected)
    return sd_fail (err, SD_ECHECKSUM,
                    "%s: header, bytes 0 to %zu: checksum is %08" PRIx32 ", expected %08" PRIx32
                    ": the file is damaged; copy or make it anew",
                    a->name, covered - 1, sum, expected);
  /* From here on the header ends where it says, and each part must end within it. */
  r.end = a->data + covered;

  SD_TRY (get_shape (a, &r, err));
  SD_TRY (get_map (a, &r, err));
  SD_TRY (get_sets (a, &r, err));
  SD_TRY (get_stream (a, &r, err));

  a->offset = covered + 4;
  a->info.bytes = a->len;
  if (a->len - a->offset != a->info.stream_bytes)
    return sd_fail (err, SD_EFORMAT,
                    "%s: %" PRIu64 " bytes from byte %" PRIu64 " on, expected %" PRIu64
                    ": the file is cut off or has bytes too many",
                    a->name, a->len - a->offset, a->offset, a->info.stream_bytes);

  if (flags & SD_OPEN_CHECK)
    SD_TRY (sd_array_check (a, err));
  return open_stream (a, flags & SD_OPEN_CHECK, err);
}

/* Takes the file, or NULL where the bytes are the caller's. Seven arguments: those of both ways to open. */
static int open_mapped (sd_map *file, const uint8_t *data, size_t len, const char *name, unsigned flags,
                        sd_array **out, sd_error *err) {
  sd_array *a = calloc (1, sizeof *a);
  char *copy = strdup (name);

  if (!a || !copy) {
    free (a);
    free (copy);
    /* The file is closed in any case: callers have given it away. */
    if (file)
      sd_map_close (file);
    return sd_fail_memory (err, sizeof *a);
  }
  a->name = copy;
  a->data = data;
  a->len = len;
  if (file)
    a->file = *file;

  const int st = open_array (a, flags, err);
  if (st != SD_OK)
    sd_array_close (a);
  else
    *out = a;
  return st;
}

int sd_array_open (const char *path, unsigned flags, sd_array **out, sd_error *err) {
  sd_map file;
  SD_TRY (sd_map_open (path, &file, err));
  return open_mapped (&file, file.data, file.len, path, flags, out, err);
}

int sd_array_open_memory (const uint8_t *data, size_t len, const char *name, unsigned flags, sd_array **out,
                          sd_error *err) {
  return open_mapped (NULL, data, len, name, flags, out, err);
}

void sd_array_close (sd_array *a) {
  if (!a)
    return;
  sd_codec_close (a->decoder);
  sd_alphabet_free (a->alphabet);
  free (a->guard.state);
  if (a->file.data)
    sd_map_close (&a->file);
  free (a->name);
  free (a);
}

void sd_array_describe (const sd_array *a, sd_array_info *out) {
  *out = a->info;
}

/* ----------------------------------------------------------------- reading */

/* Each symbol is below main + sets: decoders see to that, and of planes this does. */
int sd_array_symbols (const sd_array *a, uint64_t first, uint64_t count, sd_symbol *out, sd_error *err) {
  const unsigned symbols = a->info.main + a->info.sets;
  int st = count ? sd_codec_read (a->decoder, first, count, out) : SD_OK;

  if (st == SD_OK && count && sd_array_planes (symbols)) {
    /* The high bytes stand behind all low ones, and together they may be no symbol at all. */
    SD_OWNED sd_symbol *high = sd_alloc (count, sizeof *high);
    if (!high)
      return sd_fail_memory (err, count * sizeof *high);
    st = sd_codec_read (a->decoder, a->info.shape.n + first, count, high);
    for (uint64_t k = 0; k < count && st == SD_OK; k++) {
      out[k] = (sd_symbol) (out[k] | high[k] << 8);
      st = out[k] < symbols ? SD_OK : SD_EFORMAT;
    }
  }
  if (st != SD_OK)
    return sd_fail (err, st, "%s: slots from %" PRIu64 " on cannot be decoded: %s", a->name, first,
                    sd_strerror (st));
  return SD_OK;
}

/* The least main symbol of s. */
static unsigned least (const sd_alphabet *a, sd_symbol s) {
  unsigned v = 0;
  if (s < sd_alphabet_main (a))
    return s;
  while (!sd_admits (a, s, (sd_symbol) v))
    v++;
  return v;
}

int sd_array_read (const sd_array *a, uint64_t first, uint64_t count, int32_t *out, sd_error *err) {
  /* One more than is asked for, since 0 bytes may be no memory. */
  const uint64_t room = count < SD_ARRAY_PIECE ? count + 1 : SD_ARRAY_PIECE;
  SD_OWNED sd_symbol *sym = sd_alloc (room, sizeof *sym);
  if (!sym)
    return sd_fail_memory (err, room * sizeof *sym);

  for (uint64_t at = 0; at < count; at += SD_ARRAY_PIECE) {
    const uint64_t n = count - at < SD_ARRAY_PIECE ? count - at : SD_ARRAY_PIECE;
    SD_TRY (sd_array_symbols (a, first + at, n, sym, err));
    for (uint64_t k = 0; k < n; k++)
      out[at + k] = sd_array_value (a->info.shape.type, a->map[least (a->alphabet, sym[k])]);
  }
  return SD_OK;
}

int sd_array_get (const sd_array *a, uint64_t i, int32_t *out, sd_error *err) {
  sd_symbol s;
  /* In planes a lookup takes memory for the second byte; else it takes none. */
  if (sd_array_planes (a->info.main + a->info.sets))
    SD_TRY (sd_array_symbols (a, i, 1, &s, err));
  else {
    const int st = sd_codec_get (a->decoder, i, &s);
    if (st != SD_OK)
      return sd_fail (err, st, "%s: slot %" PRIu64 " cannot be decoded: %s", a->name, i, sd_strerror (st));
  }
  *out = sd_array_value (a->info.shape.type, a->map[least (a->alphabet, s)]);
  return SD_OK;
}

/* What a user sees by `subdef get`. A text that does not fit ends with "...". */
int sd_array_slot (const sd_array *a, uint64_t i, char *out, size_t cap, sd_error *err) {
  sd_symbol s;
  SD_TRY (sd_array_symbols (a, i, 1, &s, err));
  const unsigned m = a->info.main, choices = sd_alphabet_choices (a->alphabet, s);
  size_t at = 0;
  /* What may hold anything is told as in the list of sets. */
  if (choices == m && m > 1) {
    snprintf (out, cap, "*");
    return SD_OK;
  }

  for (unsigned v = least (a->alphabet, s), end; v < m; v = end) {
    for (end = v + 1; end < m && sd_admits (a->alphabet, s, (sd_symbol) end); end++)
      ;
    const int32_t low = sd_array_value (a->info.shape.type, a->map[v]),
                  high = sd_array_value (a->info.shape.type, a->map[end - 1]);
    /* Neighbours among the main symbols make a range: a value of the type between them is no symbol. */
    const char *comma = at ? "," : "";
    const int n = low == high ? snprintf (out + at, cap - at, "%s%" PRId32, comma, low)
                              : snprintf (out + at, cap - at, "%s%" PRId32 "-%" PRId32, comma, low, high);
    at += (size_t) n;
    /* Cut off in the middle of a number, it would be another one. */
    if (at >= cap) {
      if (cap > 4)
        strcpy (out + cap - 4, "...");
      return SD_OK;
    }
    while (end < m && !sd_admits (a->alphabet, s, (sd_symbol) end))
      end++;
  }
  return SD_OK;
}

/* All of it in memory, so that the file's length bounds it: a few bytes may stand for 2^32 slots. */
int sd_array_load (const sd_array *a, sd_subdefined **out, sd_error *err) {
  sd_subdefined *d;
  if (!sd_array_pays (a->len, a->info.shape.n))
    return sd_fail (err, SD_ERANGE,
                    "%s: %" PRIu64
                    " slots are more than a file of %zu bytes may bring into memory: 'subdef get', verify "
                    "and export read it slot by slot",
                    a->name, a->info.shape.n, a->len);
  /* The same symbols as in the file: the sets come in the same order. */
  SD_TRY (sd_array_frame (&a->info.shape, a->map, a->info.main, &d, err));
  int st = SD_OK;
  sd_symbol s;
  for (unsigned k = 0; k < a->info.sets && st == SD_OK; k++) {
    st = sd_alphabet_add (d->alphabet, sd_alphabet_set (a->alphabet, (sd_symbol) (a->info.main + k)), &s);
    if (st != SD_OK)
      sd_fail_memory (err, 0);
  }

  const uint64_t n = a->info.shape.n;
  for (uint64_t i = 0; i < n && st == SD_OK; i += SD_ARRAY_PIECE)
    st = sd_array_symbols (a, i, n - i < SD_ARRAY_PIECE ? n - i : SD_ARRAY_PIECE, d->seq.sym + i, err);
  if (st != SD_OK)
    sd_subdefined_free (d);
  else
    *out = d;
  return st;
}
