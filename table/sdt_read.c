/* Opening the container (docs/format.md). Every number is range-checked before use; what is refused is named
 * with its place. Opening reads the header and the codecs' own headers and dictionaries only, so that a
 * folder of large tables is opened without touching their payload, whose checksums are compared when it is
 * read (sd_guard); SD_OPEN_CHECK or sd_table_check reads everything. */
#include "config.h"
#include "base/words.h"
#include "codecs/codecs.h"
#include "table/table_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *sd_table_mover (const sd_table *t, unsigned side) {
  return sd_table_info_is_game (&t->info) ? "states" : side ? "Black to move" : "White to move";
}

/* The place is that of the byte behind what was read: "KRvKP.wdl.sdt: header: the list of values is wrong or
 * cut off near byte 17". */
static int format_error (sd_table *t, const sd_reader *r, const char *what, sd_error *err) {
  return sd_fail (err, SD_EFORMAT, "%s: header: %s is wrong or cut off near byte %zu", t->name, what,
                  (size_t) (r->p - t->data));
}

/* Fill t->map[side]. */
static int get_map (sd_table *t, sd_reader *r, unsigned side, sd_error *err) {
  const sd_coding_kind *c = &sd_codings[t->info.coding];
  /* Room for what a damaged list may hold before it is compared with SD_MAX_MAIN (sd_coding_kind.get). */
  sd_value *map = t->map[side] = sd_alloc (2 * SD_MAX_MAIN + 1, sizeof *map);
  unsigned m = c->main;
  if (!map)
    return sd_fail_memory (err, 0);
  /* Codings of results have fixed numbers and no list in the file. */
  if (c->map)
    memcpy (map, c->map, m * sizeof *map);
  else if (!c->get (r, sd_table_info_is_game (&t->info), map, &m))
    m = 0;
  if (r->bad || m == 0 || m > SD_MAX_MAIN)
    return format_error (t, r, "the list of values", err);
  t->info.side[side].main = m;
  t->info.side[side].map = map;
  return SD_OK;
}

/* A text behind its length; false: cut off, or no room for it and a 0. */
static bool get_text (sd_reader *r, char *out, size_t room) {
  size_t n = sd_get_u8 (r);
  const uint8_t *text = n < room ? sd_get_bytes (r, n) : NULL;
  /* A 0 inside would make two names of one. */
  if (!text || memchr (text, 0, n))
    return false;
  memcpy (out, text, n);
  out[n] = 0;
  return true;
}

/* A table of another game has one side, and as many slots as its game has states. */
static int get_game (sd_table *t, sd_reader *r, sd_error *err) {
  sd_table_game g = { 0 };
  bool ok = get_text (r, g.name, sizeof g.name) && get_text (r, g.slice, sizeof g.slice);
  g.fingerprint = sd_get_u64 (r);
  g.states = sd_get_varint (r);
  if (!ok || r->bad || sd_table_game_check (&g, NULL) != SD_OK)
    return format_error (t, r, "the name or the size of the game", err);
  t->info.game = g;
  t->info.nsides = 1;
  return SD_OK;
}

/* What the table is of: an ending, or a part of another game; sets `nsides`. */
static int get_subject (sd_table *t, sd_reader *r, sd_error *err) {
  sd_material *m = &t->info.material, canonical;
  memset (m, 0, sizeof *m);
  unsigned men = sd_get_u8 (r), n[2] = { men >> 4, men & 15 };
  /* No ending has no men but kings: another game. */
  if (!r->bad && men == 0)
    return get_game (t, r, err);
  if (r->bad || n[0] + n[1] == 0 || n[0] + n[1] + 2 > SD_MAX_MEN)
    return format_error (t, r, "the number of men", err);
  for (unsigned c = 0; c < 2; c++) {
    m->count[c][SD_KING] = 1;
    /* From queens to pawns, so that there is one way to write an ending. */
    for (unsigned i = 0, before = SD_QUEEN; i < n[c]; i++) {
      unsigned type = sd_get_u8 (r);
      if (r->bad || type > before)
        return format_error (t, r, "the list of men", err);
      m->count[c][type]++;
      before = type;
    }
  }
  /* The stronger side is White in every file. */
  if (sd_material_canonical (m, &canonical) && !sd_material_symmetric (m))
    return format_error (t, r, "the order of the colours", err);
  t->info.nsides = sd_material_symmetric (m) ? 1 : 2;
  return SD_OK;
}

/* Has the side a stream of its own? One for both is White's. */
static bool has_stream (const sd_table *t, unsigned side) {
  return sd_table_info_has (&t->info, side) && !(side && t->info.joint);
}

int sd_table_refuse_codec (const sd_table *t, const char *why, sd_error *err) {
  const sd_table_info *in = &t->info;
  const bool game = sd_table_info_is_game (in);
  char name[sizeof in->game.slice];
  const char *file = strrchr (t->name, '/'); /* behind the folder, which is named if it is one word */
  const int folder = file && !memchr (t->name, ' ', (size_t) (file - t->name)) ? (int) (file - t->name) : 0;
  snprintf (name, sizeof name, "%s", in->game.slice);
  if (!game)
    sd_material_name (&in->material, name);
  return sd_fail (
      err, SD_EUNSUPPORTED,
      "%s: %s; 'subdef reformat %s%s%s%s --metric %s%s%.*s -o DIR' makes a table that can be read", t->name,
      why, game ? "--game " : "", game ? in->game.name : "", game ? " " : "", name,
      sd_metrics[in->metric].name, folder ? " --tables " : "", folder, t->name);
}

/* The codec is unknown, or known and not in this library: one with decoders alone never has it. */
static int no_codec (const sd_table *t, unsigned side, unsigned id, sd_error *err) {
  const char *name = sd_codec_missing (id);
#ifdef SD_DECODERS_ONLY
  if (name) {
    char why[80];
    snprintf (why, sizeof why, "this library does not read the codec %s", name);
    return sd_table_refuse_codec (t, why, err);
  }
#endif
  return sd_fail (err, SD_EUNSUPPORTED, "%s: %s: codec %u (%s) is not in this build of subdef: %s", t->name,
                  sd_table_mover (t, side), id, name ? name : "unknown",
                  name ? "take a build with the library of that name" : "a newer one may know it");
}

/* All that the header says, in its order, which docs/format.md gives. *r ends with the header. Nothing is
 * opened yet: a folder of tables is listed by this alone. */
static int get_header (sd_table *t, sd_reader *r, sd_error *err) {
  SD_TRY (get_subject (t, r, err));
  sd_kind kind = { 0 };
  /* Metric, coding and sides: in one byte up to version 5, in three from then on. */
  const bool plain = sd_kind_get (r, t->info.version, &kind), game = sd_table_info_is_game (&t->info);
  const unsigned freedom = sd_freedom_get (r, t->info.version), metric = kind.metric, coding = kind.coding;

  if (r->bad || !plain || coding >= SD_CODINGS
      || !sd_metric_takes ((enum sd_metric) metric, (enum sd_coding) coding, game))
    return format_error (t, r, "metric and coding", err);

  /* Each of the following is a claim that restoring relies on: a file that makes it wrongly is refused here,
   * since restoring would never end, or give wrong values. */
  t->info.sides = kind.sides;
  if (t->info.nsides == 2 ? t->info.sides == 0 : t->info.sides != 1)
    return format_error (t, r, "the set of sides", err);
  if (!sd_metrics[metric].one_ply && t->info.sides + 1 != 1u << t->info.nsides) /* not restored by a ply */
    return format_error (t, r, "the set of sides", err);
  t->info.joint = kind.joint;
  if (t->info.joint && t->info.sides != SD_SIDES_BOTH)
    return format_error (t, r, "one stream for both sides", err);
  if (freedom & ~sd_freedom_of_coding ((enum sd_coding) coding) || (game && (freedom & SD_FREE_CHESS))
      || (t->info.nsides == 1 && (freedom & SD_FREE_ONE_SIDE))
      || ((freedom & SD_FREE_QUEEN) && !sd_freedom_classes (freedom)))
    return format_error (t, r, "the set of freedoms", err);

  /* The version follows from what the file holds: one way to write a table. The last one is of any table in
   * pieces. */
  if (t->info.version != SD_VERSION
      && t->info.version != sd_version_of ((enum sd_metric) metric, game, freedom))
    return format_error (t, r, "the set of freedoms", err);

  /* Successors must be stored: else there would be no end of plies. */
  const unsigned by_moves = freedom & SD_FREE_BY_MOVES;
  if (by_moves & (by_moves - 1)
      || (by_moves & ~(unsigned) SD_FREE_EVIDENT && t->info.sides + 1 != 1u << t->info.nsides)) {
    char sources[80], what[120];
    sd_freedom_text (by_moves, sources, sizeof sources);
    snprintf (what, sizeof what, "freedom '%s'%s", sources,
              by_moves & (by_moves - 1) ? ", which exclude each other," : " with one side to move");
    return format_error (t, r, what, err);
  }

  t->info.metric = (enum sd_metric) metric;
  t->info.coding = (enum sd_coding) coding;
  t->info.freedom = freedom;

  /* What each stream needs: its index, its codec, the values of its symbols, its length, its checksums. */
  for (unsigned side = 0; side < t->info.nsides; side++) {
    if (!has_stream (t, side))
      continue;
    if (!game) {
      if (sd_layout_read (r, &t->info.material, &t->layout[side], err) != SD_OK)
        return sd_error_prefix (err, "%s: %s", t->name, sd_table_mover (t, side)), SD_EFORMAT;
      t->info.side[side].layout = &t->layout[side];
    }
    t->stream[side].codec_at = r->p;
    unsigned id = sd_get_u8 (r);
    if (r->bad)
      return format_error (t, r, "the codec", err);
    t->info.side[side].codec = sd_codec_by_id (id);
    if (!t->info.side[side].codec)
      return no_codec (t, side, id, err);
    SD_TRY (get_map (t, r, side, err));
    t->stream[side].length_at = r->p;
    /* A chunk's checksum takes four bytes, so that a forged length cannot ask for more than the header
     * has. */
    uint64_t bytes = sd_get_varint (r), chunks = sd_table_chunks (bytes);
    if (r->bad || chunks > (uint64_t) (r->end - r->p) / 4)
      return format_error (t, r, "the length of a stream", err);
    t->info.side[side].stream_bytes = bytes;
    t->stream[side].sums = sd_get_bytes (r, 4 * chunks);
  }

  if (r->p != r->end)
    return format_error (t, r, "its end", err);
  return SD_OK;
}

/* The lowest byte first, on every machine. */
static uint32_t get_sum (const uint8_t *p) {
  return (uint32_t) p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16 | (uint32_t) p[3] << 24;
}

/* Only what SD_OPEN_PARTS reads by itself is still missing; it then lies where a mapping would have it. */
static int fetch (sd_table *t, uint64_t bytes, sd_error *err) {
  /* Mapped or read as a whole, or read so far already. */
  if (!t->parts || bytes <= t->there)
    return SD_OK;
  if (!sd_file_read_at (t->source, t->there, (uint8_t *) (uintptr_t) t->data + t->there,
                        (size_t) (bytes - t->there)))
    return sd_fail (err, SD_EIO, "%s: the header cannot be read: the file has become shorter, or %s", t->name,
                    "the disk fails");
  t->there = bytes;
  return SD_OK;
}

/* The chunks of a stream are compared with their checksums when they are first read. */
static int guard_stream (sd_table *t, unsigned side, sd_error *err) {
  const uint64_t bytes = t->info.side[side].stream_bytes;
  uint32_t *state = sd_alloc0 (sd_table_chunks (bytes), sizeof *state);
  if (!state)
    return sd_fail_memory (err, (size_t) sd_table_chunks (bytes));
  t->stream[side].guard = (sd_guard){ .data = t->data + t->stream[side].offset,
                                      .bytes = bytes,
                                      .chunk_bits = SD_CHUNK_BITS,
                                      .sums = t->stream[side].sums,
                                      .state = state,
                                      .file = t->parts ? &t->stream[side].file : NULL };
  t->stream[side].file = (sd_guard_file){ t->source, t->stream[side].offset };
  return SD_OK;
}

static int open_stream (sd_table *t, unsigned side, sd_error *err) {
  sd_indexer *ix = NULL;
  sd_decoder *d;
  int st = SD_OK;

  /* The number of slots follows from the layout; a stream with another number is refused by its codec. */
  if (t->info.side[side].layout)
    st = sd_indexer_new (&t->layout[side], &ix, err);
  if (st != SD_OK)
    return sd_error_prefix (err, "%s: %s", t->name, sd_table_mover (t, side)), st;
  /* At once, so that closing frees it whatever fails from here on. */
  t->info.side[side].indexer = ix;
  t->info.side[side].slots = ix ? sd_indexer_size (ix) : t->info.game.states;
  const sd_stream s = { .codec = t->info.side[side].codec,
                        .guard = t->stream[side].guard.state ? &t->stream[side].guard : NULL,
                        .data = t->data + t->stream[side].offset,
                        .len = (size_t) t->info.side[side].stream_bytes,
                        .n = t->info.side[side].slots << t->info.joint,
                        .m = t->info.side[side].main,
                        .old_pieces = t->info.version < SD_VERSION };

  st = sd_stream_open (&s, &d, err);
  /* The cache only helps codecs that decode whole blocks; others are returned as they are. */
  if (st == SD_OK && t->cache)
    st = sd_codec_cached (d, t->cache, &d, err);
  if (st != SD_OK)
    return sd_error_prefix (err, "%s: %s", t->name, sd_table_mover (t, side)), st;
  t->info.side[side].decoder = d;
  sd_codec_describe (d, &t->info.side[side].parts);
  return SD_OK;
}

/* To read on behind a slot costs more for each slot than to skip it. A 16th of a block was best or near it in
 * KRvKP, KQvKR, KBPvK, KPvK (RE-PAIR) when each access began at the start of a block; since it begins at a
 * mark (repair/access.c) any part from none to that is about as good. General compressors decode all of a
 * block in any case, and ask for memory each time. Where there are no blocks, nothing is gained. */
static uint64_t near_slots (const sd_table_info *in, unsigned side) {
  return sd_table_info_block (in, side) / (in->side[side].codec->blocks ? 1 : 16);
}

/* White's slots come before Black's in the stream that was opened as White's. */
static int share_stream (sd_table *t, sd_error *err) {
  const uint64_t n = t->info.side[0].slots;
  t->info.side[1] = t->info.side[0];
  t->info.side[1].stream_bytes = 0;
  t->info.side[1].parts = (sd_codec_parts){ 0 };
  t->joint = t->info.side[0].decoder;
  t->info.side[0].decoder = t->info.side[1].decoder = NULL;
  /* Each side reads its half through a window, so that nobody else need know of the other half. */
  for (unsigned side = 0; side < 2; side++) {
    sd_decoder *d;
    SD_TRY (sd_codec_window (t->joint, side * n, n, &d, err));
    t->info.side[side].decoder = d;
  }
  return SD_OK;
}

/* Reads every byte of all streams, a chunk at a time; the header was compared when the table was opened. */
static int check_sdt (const sd_table *t, sd_error *err) {
  for (unsigned side = 0; side < t->info.nsides; side++) {
    if (!sd_table_info_has (&t->info, side))
      continue;
    uint64_t bytes = t->info.side[side].stream_bytes, offset = t->stream[side].offset;

    /* The chunk that differs is named, and where it stands: a copy may lack one bad sector. */
    for (uint64_t at = 0, chunk = 0; at < bytes; at += SD_CHUNK_BYTES, chunk++) {
      uint64_t n = bytes - at < SD_CHUNK_BYTES ? bytes - at : SD_CHUNK_BYTES;
      uint32_t sum = (uint32_t) sd_hash64 (t->data + offset + at, (size_t) n);
      uint32_t expected = get_sum (t->stream[side].sums + 4 * chunk);
      if (sum != expected)
        return sd_fail (err, SD_ECHECKSUM,
                        "%s: %s: chunk %" PRIu64 ", bytes %" PRIu64 " to %" PRIu64 ": checksum is %08" PRIx32
                        ", expected %08" PRIx32,
                        t->name, sd_table_mover (t, side), chunk, offset + at, offset + at + n - 1, sum,
                        expected);
    }
  }
  return SD_OK;
}

/* *r: the header; behind it stand its checksum and the streams. */
static int find_header (sd_table *t, sd_reader *r, sd_error *err) {
  size_t fixed = SD_MAGIC_BYTES + 1, start_bytes = fixed + 10; /* and the length of the header */
  /* Magic, version, and at most ten bytes of the header's length. */
  SD_TRY (fetch (t, start_bytes < t->len ? start_bytes : t->len, err));
  if (t->len < SD_MAGIC_BYTES || memcmp (t->data, SD_MAGIC, SD_MAGIC_BYTES) != 0) {
    char start[4 * SD_MAGIC_BYTES + 5];
    sd_text_bytes (t->data, t->len < SD_MAGIC_BYTES ? t->len : SD_MAGIC_BYTES, start, sizeof start);
    return sd_fail (
        err, SD_EFORMAT,
        "%s: not a table file: it begins with \"%s\" (%zu bytes in all), a table with \"\\x89SDT\"", t->name,
        start, t->len);
  }
  if (t->len > SD_MAGIC_BYTES && (t->data[SD_MAGIC_BYTES] < 1 || t->data[SD_MAGIC_BYTES] > SD_VERSION))
    return sd_fail (err, SD_EVERSION, "%s: format version %u, this program reads versions 1 to %d", t->name,
                    t->data[SD_MAGIC_BYTES], SD_VERSION);
  *r = sd_reader_of (t->data, t->len);
  sd_get_bytes (r, fixed);

  uint64_t header = sd_get_varint (r);
  /* The length is not believed before it fits into the file. */
  if (r->bad || header > (uint64_t) (r->end - r->p) || (uint64_t) (r->end - r->p) - header < 4)
    return sd_fail (err, SD_EFORMAT,
                    "%s: the header is cut off: it takes %" PRIu64
                    " bytes and a checksum, the file has %zu bytes",
                    t->name, header, t->len);
  r->end = r->p + header;
  t->info.version = t->data[SD_MAGIC_BYTES];
  t->info.bytes = t->len;
  return SD_OK;
}

/* The header has a checksum of its own, so that a folder of tables is listed without their streams. */
static int check_header (sd_table *t, size_t covered, sd_error *err) {
  SD_TRY (fetch (t, covered + 4, err));
  const uint32_t sum = (uint32_t) sd_hash64 (t->data, covered), expected = get_sum (t->data + covered);
  if (sum == expected)
    return SD_OK;
  return sd_fail (err, SD_ECHECKSUM,
                  "%s: header, bytes 0 to %zu: checksum is %08" PRIx32 ", expected %08" PRIx32, t->name,
                  covered - 1, sum, expected);
}

/* The streams stand one behind the other from byte `at` on. */
static int place_streams (sd_table *t, uint64_t at, sd_error *err) {
  uint64_t room = t->len - at;
  for (unsigned side = 0; side < t->info.nsides; side++) {
    uint64_t bytes = t->info.side[side].stream_bytes; /* none without a stream */
    /* Lengths are compared with what is left, one by one, so that their sum cannot wrap around. */
    if (bytes > room)
      return sd_fail (err, SD_EFORMAT,
                      "%s: %s: cut off: %" PRIu64 " bytes from byte %" PRIu64 " on, the file has %zu bytes",
                      t->name, sd_table_mover (t, side), bytes, at, t->len);
    t->stream[side].offset = at;
    at += bytes;
    room -= bytes;
  }
  if (room)
    return sd_fail (err, SD_EFORMAT, "%s: %" PRIu64 " bytes too many: the table ends at byte %" PRIu64,
                    t->name, room, at);
  return SD_OK;
}

static int open_sdt (sd_table *t, unsigned flags, sd_error *err) {
  sd_reader r;
  SD_TRY (find_header (t, &r, err));
  const size_t covered = (size_t) (r.end - t->data);
  /* Nothing of the header is looked at before its checksum is right. */
  SD_TRY (check_header (t, covered, err));
  SD_TRY (get_header (t, &r, err));
  SD_TRY (place_streams (t, covered + 4, err));
  if (flags & SD_OPEN_HEADER)
    return SD_OK;
  if (flags & SD_OPEN_CHECK)
    SD_TRY (check_sdt (t, err));
  /* Chunks are compared when they are first read, unless all have just been, or none shall be. */
  const bool later = !(flags & (SD_OPEN_CHECK | SD_OPEN_UNSAFE_NO_CHECKSUMS));
  /* A symmetric ending, another game and one stream for both sides have one to be opened. */
  for (unsigned side = 0; side < t->info.nsides; side++)
    if (has_stream (t, side)) {
      SD_TRY (later ? guard_stream (t, side, err) : SD_OK);
      SD_TRY (open_stream (t, side, err));
    }
  SD_TRY (t->info.joint ? share_stream (t, err) : SD_OK);
  for (unsigned side = 0; side < t->info.nsides; side++)
    if (sd_table_info_has (&t->info, side))
      t->info.side[side].near = near_slots (&t->info, side);
  return SD_OK;
}

/* For fuzzers and tests, which damage what a checksum covers and put the checksum right again, so that what
 * they reach is the code behind it. */
bool sd_sdt_find_places (const uint8_t *data, size_t len, sd_sdt_places *out) {
  sd_table t = { .data = data, .len = len, .name = (char *) (uintptr_t) "" };
  sd_reader r;

  *out = (sd_sdt_places){ .header = 0 };
  if (find_header (&t, &r, NULL) != SD_OK)
    return false;
  out->header = (size_t) (r.p - data);
  out->end = (size_t) (r.end - data);
  const bool ok = get_header (&t, &r, NULL) == SD_OK && place_streams (&t, out->end + 4, NULL) == SD_OK;
  for (unsigned s = 0; s < 2; s++) {
    /* get_header () has made them; nothing else of t has memory. */
    free (t.map[s]);
    out->there[s] = ok && has_stream (&t, s);
    if (!out->there[s])
      continue;
    out->codec[s] = (size_t) (t.stream[s].codec_at - data);
    out->length[s] = (size_t) (t.stream[s].length_at - data);
    out->sums[s] = (size_t) (t.stream[s].sums - data);
    out->stream[s] = (size_t) t.stream[s].offset;
    out->bytes[s] = t.info.side[s].stream_bytes;
  }
  return ok;
}

static bool is_sdt (const char *file, sd_holding *holds) {
  return sd_holding_parse (file, ".sdt", holds);
}

static bool name_sdt (const sd_holding *holds, char out[SD_GAME_FILE_NAME]) {
  sd_holding_print (holds, ".sdt", out);
  return true;
}

const sd_format sd_format_sdt = {
  .name = "sdt",
  .matches = is_sdt,
  .file_name = name_sdt,
  .open = open_sdt,
  .check = check_sdt,
#ifndef SD_DECODERS_ONLY
  .write = sd_container_write,
#endif
};
