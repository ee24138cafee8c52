/* Syzygy files as tables (syzygy/). Their index is no layout: slots are numbered by the files themselves, all
 * sub-tables of a side one behind the other. A WDL file has the results under the 50-move rule, free where a
 * capture is as good; both sides to move, each with a stream of its own. A DTZ file has one side to move and
 * plies to the next capture or pawn move, or full moves, which are plies that may be one too few. What its
 * symbols mean depends on the result; the WDL file tells that. */
#include "config.h"
#include "syzygy/syzygy.h"
#include "table/lost.h"
#include "table/table_internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* One side to move as a decoder: all sub-tables of the file one behind the other. */
typedef struct syzygy_stream {
  sd_decoder base;
  const sd_syzygy *file;
  const bool *lost; /* the table's */
  unsigned stream;  /* of each sub-table: 0, or 1 for the second side to move */
} syzygy_stream;

typedef struct syzygy_table {
  sd_syzygy *file;
  syzygy_stream side[2];
  bool lost; /* the mapped file has become shorter; atomic */
} syzygy_table;

/* ------------------------------------------------------- files that are cut */

/* Bytes 0 take the place of the file from the page on that the system could not read. The mark is set first,
 * so that no thread reads such bytes that does not find it afterwards. */
bool sd_table_lost_at (const sd_table *t, const void *address) {
  const bool maps = t->format == &sd_format_rtbw || t->format == &sd_format_rtbz;
  const uintptr_t start = (uintptr_t) t->file.data, at = (uintptr_t) address;
  if (!maps || !start || at < start || at >= start + t->file.len)
    return false;
  const uintptr_t from = at - (at - start) % (uintptr_t) sysconf (_SC_PAGESIZE);
  const int before = errno;
  __atomic_store_n (&((syzygy_table *) t->own)->lost, true, __ATOMIC_SEQ_CST);
  const void *p = mmap ((void *) from, start + t->file.len - from, PROT_READ,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  errno = before;
  return p != MAP_FAILED;
}

/* ---------------------------------------------------------------- decoding */

/* What was read of a file that was cut meanwhile is no value, and no damage of the file's either. */
static int settled (const syzygy_stream *s, int status) {
  __atomic_thread_fence (__ATOMIC_ACQUIRE);
  return __atomic_load_n (s->lost, __ATOMIC_RELAXED) ? SD_EIO : status;
}

static int get (const sd_decoder *d, uint64_t i, sd_symbol *out) {
  const syzygy_stream *s = (const syzygy_stream *) d;
  unsigned v = 0;
  SD_TRY (settled (s, sd_syzygy_get (s->file, s->stream, i, &v)));
  *out = (sd_symbol) v;
  return SD_OK;
}

static int read_part (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out) {
  const syzygy_stream *s = (const syzygy_stream *) d;
  return settled (s, sd_syzygy_read (s->file, s->stream, first, count, out));
}

static void close_nothing (sd_decoder *d) {
  (void) d; /* it belongs to the table */
}

static void describe (const sd_decoder *d, sd_codec_parts *parts) {
  const syzygy_stream *s = (const syzygy_stream *) d;
  for (unsigned f = 0; f < s->file->files; f++) {
    const sd_syzygy_pairs *p = &s->file->pairs[f][s->stream];
    parts->header += 2; /* flags, and a value or the size of blocks */
    if (p->flags & SD_SYZYGY_SINGLE)
      continue;
    /* Size of blocks, span, padding, and the number of blocks. */
    parts->header += 6;
    /* Lengths of codes, number of symbols, the lowest symbols, three bytes a symbol, padded to an even
     * byte. */
    parts->model += 4 + 2 * (p->max_bits - p->min_bits + 1) + 3 * p->symbols + (p->symbols & 1);
    parts->index += p->entries * SD_SYZYGY_SPARSE_BYTES + 2 * ((uint64_t) p->blocks + p->padding);
    parts->payload += (uint64_t) p->blocks << p->block_bits;
    parts->blocks += p->blocks;
    parts->symbols += p->symbols;
  }
}

static const sd_decoder_ops ops = {
  .get = get, .read = read_part, .close = close_nothing, .describe = describe, .size = sizeof (syzygy_stream)
};

/* ----------------------------------------------------------------- opening */

static uint64_t slot_of (const sd_side *s, const uint8_t *sq) {
  const syzygy_stream *own = (const syzygy_stream *) s->own;
  return sd_syzygy_slot_of (own->file, own->stream, sq);
}

/* Of a DTZ file the symbol says the sub-table, too, since each has maps of its own. */
enum { VALUES = 4096, DTZ_SYMBOLS = SD_SYZYGY_FILES * VALUES };

static int get_dtz (const sd_decoder *d, uint64_t i, sd_symbol *out) {
  const syzygy_stream *s = (const syzygy_stream *) d;
  const unsigned f = sd_syzygy_sub_table (s->file, 0, &i);
  unsigned v = 0;
  SD_TRY (settled (s, sd_syzygy_pairs_get (&s->file->pairs[f][0], i, &v)));
  *out = (sd_symbol) (f * VALUES + v);
  return SD_OK;
}

/* As get_dtz: stretch by stretch of a sub-table, whose number goes into the symbols. */
static int read_dtz (const sd_decoder *d, uint64_t first, uint64_t count, sd_symbol *out) {
  const syzygy_stream *s = (const syzygy_stream *) d;
  SD_TRY (settled (s, sd_syzygy_read (s->file, 0, first, count, out)));
  for (uint64_t i = 0, end; i < count; i = end) {
    uint64_t slot = first + i;
    const unsigned f = sd_syzygy_sub_table (s->file, 0, &slot);
    const uint64_t left = s->file->pairs[f][0].index.slots - slot;
    for (end = left < count - i ? i + left : count; i < end; i++)
      out[i] = (sd_symbol) (out[i] + f * VALUES);
  }
  return SD_OK;
}

static const sd_decoder_ops dtz_ops = { .get = get_dtz,
                                        .read = read_dtz,
                                        .close = close_nothing,
                                        .describe = describe,
                                        .size = sizeof (syzygy_stream) };

static sd_value number_of (const sd_side *s, sd_value number, int sign) {
  const syzygy_stream *own = (const syzygy_stream *) s->own;
  unsigned plies = 0;
  const int status = sd_syzygy_plies (&own->file->pairs[number / VALUES][0], sign, number % VALUES, &plies);
  /* Read from the map, which is a part of the mapped file, too. */
  if (settled (own, status) != SD_OK)
    return SD_ILLEGAL;
  return (sd_value) (sign == 1 || sign == -1 ? plies - SD_RULE_PLIES : plies);
}

/* Plies of cursed wins and blessed losses are halved whatever the flags. */
static bool rounds (const sd_side *s, sd_value number, int sign) {
  const syzygy_stream *own = (const syzygy_stream *) s->own;
  const unsigned exact = sign == 2 ? SD_SYZYGY_WIN_PLIES : sign == -2 ? SD_SYZYGY_LOSS_PLIES : 0;
  return !(own->file->pairs[number / VALUES][0].flags & exact);
}

/* Only a map tells that there are no cursed wins and blessed losses. */
static bool is_rounded (const sd_syzygy_pairs *p) {
  const unsigned exact = SD_SYZYGY_WIN_PLIES | SD_SYZYGY_LOSS_PLIES | SD_SYZYGY_MAPPED;
  return (p->flags & exact) != exact || p->map[SD_SYZYGY_CURSED].n || p->map[SD_SYZYGY_BLESSED].n;
}

/* side: whose it is in the table; stream: where it stands in the file, which of a DTZ file has one alone. */
static void fill_side (sd_table *t, unsigned side, unsigned stream) {
  syzygy_table *own = (syzygy_table *) t->own;
  syzygy_stream *s = &own->side[stream];
  sd_side *to = &t->info.side[side];

  *s = (syzygy_stream){ { .ops = t->map[side] ? &dtz_ops : &ops,
                          .n = own->file->slots[stream],
                          .m = t->map[side] ? (unsigned) DTZ_SYMBOLS : sd_codings[t->info.coding].main },
                        own->file,
                        &own->lost,
                        stream };
  to->slots = s->base.n;
  to->slot_of = slot_of;
  to->decoder = &s->base;
  to->map = t->map[side] ? t->map[side] : sd_codings[t->info.coding].map;
  to->number_of = t->map[side] ? number_of : NULL;
  to->rounds = t->map[side] ? rounds : NULL;
  /* One sub-table with full moves makes the whole side rounded. */
  for (unsigned f = 0; t->map[side] && f < own->file->files; f++)
    to->rounded = to->rounded || is_rounded (&own->file->pairs[f][0]);

  to->main = s->base.m;
  to->own = s;
  describe (&s->base, &to->parts);
  to->stream_bytes = to->parts.header + to->parts.model + to->parts.index + to->parts.payload;
  /* A 16th of a block, as in sdt_read.c; a single value has no blocks. */
  to->near = to->parts.blocks ? to->slots / to->parts.blocks / 16 : 64;
}

static int check (const sd_table *t, sd_error *err) {
  const syzygy_table *own = (const syzygy_table *) t->own;
  const int st = sd_syzygy_check (own->file, err);
  if (st != SD_OK)
    sd_error_prefix (err, "%s", t->name);
  return st;
}

/* What both kinds of files say of themselves. */
static int open_file (sd_table *t, enum sd_syzygy_kind kind, unsigned flags, sd_error *err) {
  syzygy_table *own = calloc (1, sizeof *own);
  t->own = own;
  if (!own)
    return sd_fail_memory (err, sizeof *own);
  const int st = sd_syzygy_open (t->data, t->len, &own->file, err);
  if (st != SD_OK)
    return sd_error_prefix (err, "%s", t->name), st;
  if (own->file->kind != kind)
    return sd_fail (err, SD_EFORMAT, "%s: the file is of the other kind of Syzygy files than its name says",
                    t->name);
  SD_TRY (flags & SD_OPEN_CHECK ? check (t, err) : SD_OK);
  t->info.material = own->file->material;
  t->info.version = 1;
  t->info.bytes = t->len;
  t->info.nsides = sd_material_symmetric (&t->info.material) ? 1 : 2;
  return SD_OK;
}

/* Results under the 50-move rule, both sides, free where a capture is as good. */
static int open_wdl (sd_table *t, unsigned flags, sd_error *err) {
  SD_TRY (open_file (t, SD_SYZYGY_WDL, flags, err));
  t->info.metric = SD_WDL50;
  t->info.coding = SD_CODING_WDL50;
  t->info.freedom = SD_FREE_ILLEGAL | SD_FREE_CAPTURE;
  t->info.sides = (1u << t->info.nsides) - 1;
  for (unsigned side = 0; side < t->info.nsides; side++)
    fill_side (t, side, side);
  return SD_OK;
}

static int open_dtz (sd_table *t, unsigned flags, sd_error *err) {
  SD_TRY (open_file (t, SD_SYZYGY_DTZ, flags, err));
  const unsigned side = t->info.nsides == 2 ? ((syzygy_table *) t->own)->file->side : 0;
  t->info.metric = SD_DTZ50;
  t->info.coding = SD_CODING_ZEROING;
  t->info.freedom = SD_FREE_ALL;
  t->info.sides = 1u << side;
  t->map[side] = sd_alloc (DTZ_SYMBOLS, sizeof *t->map[side]);
  if (!t->map[side])
    return sd_fail_memory (err, DTZ_SYMBOLS * sizeof *t->map[side]);
  /* A symbol stays a number of the file until the result is known (number_of). */
  for (unsigned i = 0; i < DTZ_SYMBOLS; i++)
    t->map[side][i] = (sd_value) i;
  fill_side (t, side, 0);
  return SD_OK;
}

static void close_file (sd_table *t) {
  syzygy_table *own = (syzygy_table *) t->own;
  if (own)
    sd_syzygy_close (own->file);
  free (own);
}

/* ------------------------------------------------------------------- names */

static bool matches (const char *file, enum sd_syzygy_kind wanted, enum sd_metric metric, sd_holding *holds) {
  enum sd_syzygy_kind kind;
  *holds = (sd_holding){ .game = { .states = 1 }, .metric = metric };
  return sd_syzygy_name_parse (file, &holds->material, &kind) && kind == wanted;
}

static bool matches_wdl (const char *file, sd_holding *holds) {
  return matches (file, SD_SYZYGY_WDL, SD_WDL50, holds);
}

static bool matches_dtz (const char *file, sd_holding *holds) {
  return matches (file, SD_SYZYGY_DTZ, SD_DTZ50, holds);
}

/* out is filled in any case; false: Syzygy has no file of that metric, or of another game. */
static bool name (const sd_holding *s, enum sd_metric metric, const char *ending, char *out) {
  char material[16];
  sd_material_name (&s->material, material);
  snprintf (out, SD_GAME_FILE_NAME, "%s.%s", material, ending);
  return !s->game.name[0] && s->metric == metric;
}

static bool name_wdl (const sd_holding *holds, char out[SD_GAME_FILE_NAME]) {
  return name (holds, SD_WDL50, "rtbw", out);
}

static bool name_dtz (const sd_holding *holds, char out[SD_GAME_FILE_NAME]) {
  return name (holds, SD_DTZ50, "rtbz", out);
}

/* "a: order PKk, digit 2, 72 symbols, 14 blocks of 64 bytes, 0.3059 bits a slot" */
static bool say_part (const sd_table *t, unsigned side, unsigned i, char *out, size_t cap) {
  const syzygy_stream *s = (const syzygy_stream *) t->info.side[side].own;
  if (i >= s->file->files)
    return false;
  const sd_syzygy_pairs *p = &s->file->pairs[i][s->stream];
  char order[SD_MAX_MEN + 1] = "";
  for (unsigned k = 0; k < p->index.men; k++)
    order[k] = ".PNBRQK..pnbrqk"[p->index.order.man[k]];
  int n = snprintf (out, cap, "%s%sorder %s, leading digit %u",
                    s->file->files > 1 ? (const char *[]){ "a", "b", "c", "d" }[i] : "",
                    s->file->files > 1 ? ": " : "", order, p->index.order.lead);
  /* Of the blocks alone: what the coding of values takes. */
  const double bits = 8.0 * (double) ((uint64_t) p->blocks << p->block_bits) / (double) p->index.slots;
  if (n < 0 || (size_t) n >= cap)
    return true;
  if (p->flags & SD_SYZYGY_SINGLE)
    snprintf (out + n, cap - (size_t) n, ", one value (%u)", p->value);
  else
    snprintf (out + n, cap - (size_t) n, ", %u symbols, %u blocks of %u bytes, %.4f bits a slot", p->symbols,
              p->blocks, 1u << p->block_bits, bits);
  return true;
}

const sd_format sd_format_rtbw = {
  .name = "rtbw",
  .matches = matches_wdl,
  .file_name = name_wdl,
  .open = open_wdl,
  .close = close_file,
  .check = check,
  .say_part = say_part,
};

const sd_format sd_format_rtbz = {
  .name = "rtbz",
  .matches = matches_dtz,
  .file_name = name_dtz,
  .open = open_dtz,
  .close = close_file,
  .check = check,
  .say_part = say_part,
};
