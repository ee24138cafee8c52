/* Reading what stands before the data. Nothing of it is believed: every length is compared with what is left
 * of the file, the order of the men has to be one, symbols have to end, and codes to lead to symbols. Probes
 * rely on it: a file that passes here may give wrong values, but is never read outside its image. What fails
 * is said without the file's name, which the caller puts in front. */
#include "config.h"
#include "syzygy/syzygy.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t magic[2][4] = {
  [SD_SYZYGY_WDL] = { 0x71, 0xe8, 0x23, 0x5d }, [SD_SYZYGY_DTZ] = { 0xd7, 0x66, 0x0c, 0xa5 }
};
enum { SPLIT = 1, PAWNS = 2 }; /* of the first byte: the sides' men differ; there are pawns */

/* ------------------------------------------------------------------ names */

const char *const sd_syzygy_endings[2] = { [SD_SYZYGY_WDL] = ".rtbw", [SD_SYZYGY_DTZ] = ".rtbz" };

bool sd_syzygy_name_parse (const char *file, sd_material *m, enum sd_syzygy_kind *kind) {
  char name[16];
  sd_material as_written;
  const char *dot = strrchr (file, '.');
  for (unsigned k = 0; dot && dot - file < (ptrdiff_t) sizeof name && k < 2; k++)
    if (strcmp (dot, sd_syzygy_endings[k]) == 0) {
      memcpy (name, file, (size_t) (dot - file));
      name[dot - file] = 0;
      *kind = (enum sd_syzygy_kind) k;
      /* Only the stronger side's name is one; of equal sides both are the same. */
      return sd_material_parse (name, &as_written, NULL) == SD_OK
             && (!sd_material_canonical (&as_written, m) || sd_material_symmetric (m))
             && sd_material_men (m) > 2;
    }
  return false;
}

/* ---------------------------------------------------------------- reading */

static unsigned get_u16 (sd_reader *r) {
  const unsigned low = sd_get_u8 (r);
  return low | sd_get_u8 (r) << 8;
}

static int wrong (const sd_syzygy *s, const sd_reader *r, const char *what, sd_error *err) {
  return sd_fail (err, SD_EFORMAT, "%s wrong or cut off near byte %zu", what, (size_t) (r->p - s->image));
}

static void align (const sd_syzygy *s, sd_reader *r, unsigned to) {
  /* What is skipped counts for nothing; a reader that is cut off notices later. */
  sd_get_bytes (r, -(uint64_t) (r->p - s->image) % to);
}

/* ------------------------------------------------------------ orders of men */

/* The men of White's order are the material. */
static bool material_of (const uint8_t *men, unsigned n, unsigned flags, sd_material *m) {
  sd_material canonical;
  memset (m, 0, sizeof *m);
  for (unsigned i = 0; i < n; i++) {
    const unsigned code = men[i] & 15, type = (code & 7) - 1;
    if (type > SD_KING)
      return false;
    m->count[code >> 3][type]++;
  }
  /* One king each, the stronger side White, and both flags as the men say. */
  return m->count[SD_WHITE][SD_KING] == 1 && m->count[SD_BLACK][SD_KING] == 1
         && (!sd_material_canonical (m, &canonical) || sd_material_symmetric (m))
         && sd_material_symmetric (m) == !(flags & SPLIT)
         && sd_material_has_pawns (m) == ((flags & PAWNS) != 0);
}

static bool both_have_pawns (const sd_material *m) {
  return m->count[SD_WHITE][SD_PAWN] && m->count[SD_BLACK][SD_PAWN];
}

/* A second byte comes before the men if both sides have pawns, which only the men tell. Taking it for a man
 * would leave out no pawn, since those come first: so the wrong reading contradicts itself. */
static bool get_material (sd_syzygy *s, const sd_reader *r, unsigned men, unsigned flags) {
  if (r->end - r->p < (ptrdiff_t) men + 2)
    return false;
  return (material_of (r->p + 1, men, flags, &s->material) && !both_have_pawns (&s->material))
         || (material_of (r->p + 2, men, flags, &s->material) && both_have_pawns (&s->material));
}

/* Orders of all sub-tables and streams, each with its index; from here on it is known how many slots each
 * stream has. */
static int get_orders (sd_syzygy *s, sd_reader *r, sd_error *err) {
  const unsigned first = sd_get_u8 (r), men = first >> 4;
  if (r->bad || men < 3 || men > SD_MAX_MEN || !get_material (s, r, men, first))
    return wrong (s, r, "the men are", err);
  /* Four sub-tables by the leading pawn's file; two streams where the sides to move differ (Syzygy, items 4,
   * 5). */
  s->files = first & PAWNS ? SD_SYZYGY_FILES : 1;
  s->streams = s->kind == SD_SYZYGY_WDL && (first & SPLIT) ? 2 : 1;
  const bool both = both_have_pawns (&s->material);
  for (unsigned f = 0; f < s->files; f++) {
    const unsigned lead = sd_get_u8 (r), second = both ? sd_get_u8 (r) : 0;
    const uint8_t *codes = sd_get_bytes (r, men);
    if (!codes)
      return wrong (s, r, "the order of the men is", err);
    /* Both streams share the bytes: the low half is that of White to move, the high half that of Black. */
    for (unsigned k = 0; k < s->streams; k++) {
      sd_syzygy_order o = { .lead = (uint8_t) (lead >> 4 * k & 15),
                            .pawns =
                                (uint8_t) (both ? second >> 4 * k & 15 : (unsigned) SD_SYZYGY_NO_PAWNS) };
      for (unsigned i = 0; i < men; i++)
        o.man[i] = codes[i] >> 4 * k & 15;
      sd_error inner;
      if (sd_syzygy_index_init (&s->pairs[f][k].index, &s->squares, &s->material, f, &o, &inner) != SD_OK)
        return sd_fail (err, SD_EFORMAT, "near byte %zu: %.200s", (size_t) (r->p - s->image), inner.text);
      s->slots[k] += s->pairs[f][k].index.slots;
    }
  }
  align (s, r, 2);
  return r->bad ? wrong (s, r, "the order of the men is", err) : SD_OK;
}

/* ------------------------------------------------------------------ symbols */

/* Lengths from the leaves up; a symbol that is met again below itself would never end. A part may have a
 * higher number than the whole. A stack of its own takes the place of recursion: no symbol may spell more
 * than SD_SYZYGY_MAX_LENGTH slots, so that none lies deeper than that. */
static bool measure (sd_syzygy_pairs *p) {
  enum { OPEN = UINT16_MAX }; /* in place of a length: on the way down to here */
  uint16_t stack[SD_SYZYGY_MAX_LENGTH + 1];

  /* 0: not known yet. */
  for (unsigned i = 0; i < p->symbols; i++)
    p->symbol[i].length = 0;
  for (unsigned first = 0; first < p->symbols; first++) {
    unsigned depth = 0;
    stack[depth++] = (uint16_t) first;
    while (depth) {
      sd_syzygy_symbol *s = &p->symbol[stack[depth - 1]];
      if (s->length == 0 || s->length == OPEN) {
        if (s->right == SD_SYZYGY_LEAF) {
          s->length = 1;
          depth--;
          continue;
        }
        /* A leaf is known by its right part; any other part must be a symbol. */
        if (s->left >= p->symbols || s->right >= p->symbols)
          return false;
        const unsigned a = p->symbol[s->left].length, b = p->symbol[s->right].length;
        s->length = OPEN;
        /* A part that is on the way down contains itself. */
        if (a == OPEN || b == OPEN || depth > SD_SYZYGY_MAX_LENGTH)
          return false;
        /* A part of unknown length first; this symbol is looked at again afterwards. */
        if (!a || !b)
          stack[depth++] = a ? s->right : s->left;
        else if (a + b > SD_SYZYGY_MAX_LENGTH)
          return false;
        else
          s->length = (uint16_t) (a + b);
      }
      if (s->length != OPEN)
        depth--;
    }
  }
  return true;
}

/* Longer codes come first, in the order of the numbers and of the codes themselves. Behind the symbols of the
 * shortest codes stand those that are only parts of others. With this, no code of any other length leads to a
 * symbol that is not there. */
static bool make_bases (sd_syzygy_pairs *p) {

  uint64_t base = 0;
  /* The longest codes have the lowest numbers, from 0 on. */
  if (p->lowest[p->max_bits - p->min_bits] != 0 || p->lowest[0] >= p->symbols)
    return false;
  for (unsigned bits = p->max_bits; bits > p->min_bits; bits--) {
    const unsigned i = bits - p->min_bits;
    p->base[i] = base << (64 - bits);
    if (p->lowest[i - 1] < p->lowest[i])
      return false;
    base += p->lowest[i - 1] - p->lowest[i];
    /* Codes of each length fill whole codes of the next shorter one, as in a full tree. */
    if (base & 1)
      return false;
    base /= 2;
  }
  p->base[0] = base << (64 - p->min_bits);
  return base < (uint64_t) 1 << p->min_bits;
}

int sd_syzygy_pairs_prepare (sd_syzygy_pairs *p, sd_error *err) {
  if (!measure (p))
    return sd_fail (err, SD_EFORMAT, "symbols that are not there, do not end or are too long");
  if (!make_bases (p))
    return sd_fail (err, SD_EFORMAT, "lengths of codes that lead to no symbols");
  return SD_OK;
}

/* Lengths of codes, then the symbols with both their parts. p->symbol is freed by sd_syzygy_close (),
 * whatever comes. */
static int get_symbols (sd_syzygy *s, sd_syzygy_pairs *p, sd_reader *r, sd_error *err) {
  p->max_bits = sd_get_u8 (r);
  p->min_bits = sd_get_u8 (r);
  if (r->bad || p->min_bits < 1 || p->min_bits > p->max_bits || p->max_bits > SD_SYZYGY_MAX_BITS)
    return wrong (s, r, "lengths of codes are", err);
  for (unsigned i = 0; i <= p->max_bits - p->min_bits; i++)
    p->lowest[i] = (uint16_t) get_u16 (r);
  p->symbols = get_u16 (r);
  if (r->bad || p->symbols < 1 || p->symbols > SD_SYZYGY_MAX_SYMBOLS)
    return wrong (s, r, "the number of symbols is", err);

  const uint8_t *b = sd_get_bytes (r, 3 * p->symbols);
  align (s, r, 2);
  if (r->bad)
    return wrong (s, r, "the list of symbols is", err);

  p->symbol = sd_alloc (p->symbols, sizeof *p->symbol);
  if (!p->symbol)
    return sd_fail_memory (err, p->symbols * sizeof *p->symbol);
  for (unsigned i = 0; i < p->symbols; i++, b += 3) {
    /* Two numbers of 12 bits in three bytes. */
    p->symbol[i].left = (uint16_t) (b[0] | (b[1] & 15) << 8);
    p->symbol[i].right = (uint16_t) (b[1] >> 4 | b[2] << 4);
    /* Results are 0 to 4. */
    if (s->kind == SD_SYZYGY_WDL && p->symbol[i].right == SD_SYZYGY_LEAF && p->symbol[i].left > 4)
      return wrong (s, r, "a value is", err);
  }
  return sd_syzygy_pairs_prepare (p, err);
}

static int get_pairs (sd_syzygy *s, sd_syzygy_pairs *p, sd_reader *r, sd_error *err) {
  p->flags = sd_get_u8 (r);
  /* One value of all slots: readers take that of a DTZ file to be 0, so that another one would be misread. */
  if (p->flags & SD_SYZYGY_SINGLE) {
    /* No blocks, nor anything else: `symbol` stays NULL. */
    p->value = sd_get_u8 (r);
    return r->bad || p->value > (s->kind == SD_SYZYGY_WDL ? 4 : 0)
               ? wrong (s, r, "the value of all positions is", err)
               : SD_OK;
  }
  p->block_bits = sd_get_u8 (r);
  p->span_bits = sd_get_u8 (r);
  p->padding = sd_get_u8 (r);
  p->blocks = sd_get_u32 (r);
  if (r->bad || p->block_bits > 24 || p->span_bits < 1 || p->span_bits > 31 || p->blocks < 1)
    return wrong (s, r, "the size of blocks is", err);
  /* One entry for every started span of slots. */
  p->entries = ((p->index.slots - 1) >> p->span_bits) + 1;
  return get_symbols (s, p, r, err);
}

/* ---------------------------------------------------------------- whole file */

/* Numbers of plies by result, which sd_syzygy_plies () looks up; they stay in the image. */
static int get_maps (sd_syzygy *s, sd_reader *r, sd_error *err) {
  for (unsigned f = 0; f < s->files; f++) {
    sd_syzygy_pairs *p = &s->pairs[f][0];
    const bool wide = p->flags & SD_SYZYGY_WIDE;
    if (!(p->flags & SD_SYZYGY_MAPPED))
      continue;
    /* Maps of 16-bit entries stand on even bytes. */
    if (wide)
      align (s, r, 2);
    for (unsigned k = 0; k < SD_SYZYGY_MAPS; k++) {
      p->map[k].n = wide ? get_u16 (r) : sd_get_u8 (r);
      p->map[k].at = sd_get_bytes (r, (uint64_t) p->map[k].n << wide);
    }
  }
  align (s, r, 2);
  return r->bad ? wrong (s, r, "the map of values is", err) : SD_OK;
}

/* The parts of all streams behind the headers, kind by kind. */
static int get_parts (sd_syzygy *s, sd_reader *r, sd_error *err) {
  /* Sparse indexes of all streams, then the lengths of all blocks, then the data, each stream's on 64
   * bytes. */
  for (unsigned part = 0; part < 3; part++)
    for (unsigned f = 0; f < s->files; f++)
      for (unsigned k = 0; k < s->streams; k++) {
        sd_syzygy_pairs *p = &s->pairs[f][k];
        if (part == 2)
          align (s, r, SD_SYZYGY_ALIGN);
        if (p->flags & SD_SYZYGY_SINGLE)
          continue;
        if (part == 0)
          p->sparse = sd_get_bytes (r, p->entries * SD_SYZYGY_SPARSE_BYTES);
        else if (part == 1)
          p->lengths = sd_get_bytes (r, 2 * ((uint64_t) p->blocks + p->padding));
        else
          p->data = sd_get_bytes (r, (uint64_t) p->blocks << p->block_bits);
        if (r->bad)
          return wrong (s, r,
                        part == 0   ? "the sparse index is"
                        : part == 1 ? "the lengths of blocks are"
                                    : "the data is",
                        err);
      }
  align (s, r, SD_SYZYGY_ALIGN);
  /* All bytes are accounted for: no more and no fewer. */
  if (r->bad || r->end - r->p != SD_SYZYGY_CHECKSUM_BYTES)
    return wrong (s, r, "the end is", err);
  return SD_OK;
}

static int get_all (sd_syzygy *s, sd_error *err) {
  sd_reader r = sd_reader_of (s->image, s->bytes);
  const uint8_t *first = sd_get_bytes (&r, 4);

  if (first)
    s->kind = memcmp (first, magic[SD_SYZYGY_WDL], 4) == 0 ? SD_SYZYGY_WDL : SD_SYZYGY_DTZ;
  if (!first || memcmp (first, magic[s->kind], 4) != 0)
    return sd_fail (err, SD_EFORMAT, "not a Syzygy file: the first four bytes are of neither kind");

  SD_TRY (get_orders (s, &r, err));
  /* Headers of all streams stand before any data. */
  for (unsigned f = 0; f < s->files; f++)
    for (unsigned k = 0; k < s->streams; k++)
      SD_TRY (get_pairs (s, &s->pairs[f][k], &r, err));
  if (s->kind == SD_SYZYGY_DTZ) {
    /* The format allows a side for each sub-table; all files that there are have one. */
    s->side = s->pairs[0][0].flags & SD_SYZYGY_BLACK;
    for (unsigned f = 1; f < s->files; f++)
      if ((s->pairs[f][0].flags & SD_SYZYGY_BLACK) != s->side)
        return sd_fail (err, SD_EUNSUPPORTED, "sub-tables with different sides to move");
    SD_TRY (get_maps (s, &r, err));
  }
  return get_parts (s, &r, err);
}

int sd_syzygy_open (const uint8_t *image, uint64_t bytes, sd_syzygy **out, sd_error *err) {
  sd_syzygy *s = calloc (1, sizeof *s);
  if (!s)
    return sd_fail_memory (err, sizeof *s);
  /* Each file has its own: files are opened by any thread, and nothing is shared. */
  sd_syzygy_squares_init (&s->squares);
  s->image = image;
  s->bytes = bytes;
  const int st = get_all (s, err);
  if (st != SD_OK) {
    sd_syzygy_close (s);
    return st;
  }
  *out = s;
  return SD_OK;
}

void sd_syzygy_close (sd_syzygy *s) {
  if (!s)
    return;
  for (unsigned f = 0; f < SD_SYZYGY_FILES; f++)
    for (unsigned k = 0; k < 2; k++)
      free (s->pairs[f][k].symbol);
  free (s);
}
