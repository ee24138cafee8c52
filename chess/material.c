/* Material: names, the canonical colouring that Syzygy's file names use, and which endings lead to which.
 *
 * Captures lower the number of men and promotions lower the number of pawns, so that sorting by (men, pawns)
 * puts every successor first. All costs are negligible; there are 1001 endings with 7 men. */
#include "config.h"
#include "chess/chess.h"
#include <string.h>

static const char letters[] = "PNBRQK";
static const uint8_t name_order[6] = { SD_KING, SD_QUEEN, SD_ROOK, SD_BISHOP, SD_KNIGHT, SD_PAWN };

int sd_material_parse (const char *name, sd_material *out, sd_error *err) {
  sd_material m;
  memset (&m, 0, sizeof m);
  unsigned c = SD_WHITE, men = 0;
  /* Messages quote the name, and have room for it. */
  if (strlen (name) > 64)
    return sd_fail (err, SD_EINVAL, "material \"%.16s...\": longer than any name (KQRBNPvK has 8 letters)",
                    name);
  for (const char *s = name; *s; s++) {
    if (*s == 'v') {
      if (c == SD_BLACK)
        return sd_fail (err, SD_EINVAL, "material \"%s\": more than one \"v\"", name);
      c = SD_BLACK;
      continue;
    }
    const char *at = strchr (letters, *s);
    if (!at) {
      /* What cannot be printed is shown by its code. */
      if (*s >= 0x20 && *s < 0x7f)
        return sd_fail (err, SD_EINVAL,
                        "material \"%s\": unknown letter '%c': pieces are K Q R B N P, sides are parted by v",
                        name, *s);
      return sd_fail (err, SD_EINVAL,
                      "material: unknown byte 0x%02x: pieces are K Q R B N P, sides are parted by v",
                      (unsigned char) *s);
    }
    m.count[c][at - letters]++;
    men++;
  }
  if (c == SD_WHITE)
    return sd_fail (err, SD_EINVAL, "material \"%s\": no \"v\" between the two sides", name);
  for (c = 0; c < 2; c++)
    if (m.count[c][SD_KING] != 1)
      return sd_fail (err, SD_EINVAL, "material \"%s\": the %s side has %u kings: it must have 1", name,
                      c == SD_WHITE ? "first" : "second", m.count[c][SD_KING]);
  if (men > SD_MAX_MEN)
    return sd_fail (err, SD_EINVAL, "material \"%s\": %u men: tables hold at most %u", name, men, SD_MAX_MEN);

  *out = m;
  return SD_OK;
}

/* At most 15 letters and a 0, whatever the counts. */
void sd_material_name (const sd_material *m, char *out) {
  unsigned n = 0;
  for (unsigned c = 0; c < 2; c++) {
    if (c == SD_BLACK && n < 15)
      out[n++] = 'v';
    for (unsigned i = 0; i < 6; i++)
      for (unsigned k = m->count[c][name_order[i]]; k > 0 && n < 15; k--)
        out[n++] = letters[name_order[i]];
  }
  out[n] = 0;
}

/* Kings count. */
static unsigned side_men (const sd_material *m, unsigned c) {
  unsigned n = 0;
  for (unsigned t = 0; t < 6; t++)
    n += m->count[c][t];
  return n;
}

/* > 0 when the first side is the stronger one. Among equally many men the first different piece, from the
 * queen down, is the first different count. */
static int compare_sides (const sd_material *m) {
  unsigned w = side_men (m, SD_WHITE), b = side_men (m, SD_BLACK);
  if (w != b)
    return w > b ? 1 : -1;
  for (int t = SD_QUEEN; t >= SD_PAWN; t--)
    if (m->count[SD_WHITE][t] != m->count[SD_BLACK][t])
      return m->count[SD_WHITE][t] > m->count[SD_BLACK][t] ? 1 : -1;
  return 0;
}

bool sd_material_canonical (const sd_material *m, sd_material *out) {
  sd_material in = *m;
  bool swap = compare_sides (&in) < 0;
  /* out may be m. */
  memcpy (out->count[SD_WHITE], in.count[swap ? SD_BLACK : SD_WHITE], 6);
  memcpy (out->count[SD_BLACK], in.count[swap ? SD_WHITE : SD_BLACK], 6);
  return swap;
}

bool sd_material_equal (const sd_material *a, const sd_material *b) {
  return memcmp (a->count, b->count, sizeof a->count) == 0;
}

unsigned sd_material_men (const sd_material *m) {
  return side_men (m, SD_WHITE) + side_men (m, SD_BLACK);
}

bool sd_material_has_pawns (const sd_material *m) {
  return m->count[SD_WHITE][SD_PAWN] || m->count[SD_BLACK][SD_PAWN];
}

bool sd_material_symmetric (const sd_material *m) {
  return compare_sides (m) == 0;
}

void sd_material_of (const sd_pos *p, sd_material *out) {
  for (unsigned c = 0; c < 2; c++)
    for (unsigned t = 0; t < 6; t++) {
      unsigned n = 0;
      for (uint64_t b = p->by[c][t]; b; b &= b - 1)
        n++;
      out->count[c][t] = (uint8_t) n;
    }
}

uint64_t sd_material_key (const sd_material *m) {
  uint64_t key = 0;
  /* Four bits a kind, kings left out. */
  for (unsigned c = 0; c < 2; c++)
    for (int t = SD_QUEEN; t >= SD_PAWN; t--)
      key = key << 4 | (m->count[c][t] < 15 ? m->count[c][t] : 15);
  return key;
}

typedef struct set {
  sd_material *out;
  unsigned n, cap;
  unsigned pawns; /* of both sides, where each_side looks for them */
} set;

/* Canonical, each once, without KvK. Linear search: there are at most 25. */
static void set_add (set *s, const sd_material *m) {
  sd_material c;
  sd_material_canonical (m, &c);
  if (sd_material_men (&c) < 3)
    return;
  for (unsigned i = 0; i < s->n; i++)
    if (sd_material_equal (&s->out[i], &c))
      return;
  if (s->n < s->cap)
    s->out[s->n++] = c;
}

unsigned sd_material_successors (const sd_material *m, sd_material out[64]) {
  set s = { .out = out, .cap = 64 };
  for (unsigned c = 0; c < 2; c++) { /* the side that moves */
    /* promote = SD_PAWN stands for "does not promote", captured = SD_KING for "does not capture" */
    for (unsigned promote = SD_PAWN; promote <= SD_QUEEN; promote++)
      for (unsigned captured = SD_PAWN; captured <= SD_KING; captured++) {
        bool promotes = promote != SD_PAWN, captures = captured != SD_KING;
        if ((!promotes && !captures) || (promotes && !m->count[c][SD_PAWN])
            || (captures && !m->count[c ^ 1][captured])
            || (promotes && captured == SD_PAWN)) /* no pawn stands on the last rank */
          continue;
        sd_material a = *m;
        if (promotes) {
          a.count[c][SD_PAWN]--;
          a.count[c][promote]++;
        }
        if (captures)
          a.count[c ^ 1][captured]--;
        set_add (&s, &a);
      }
  }
  return s.n;
}

/* All pairs of sides with so many pieces and pawns: each side is listed by counting down the number of
 * queens, then rooks, ..., pawns take the rest, which is the order of the names. */
static void each_side (sd_material *m, unsigned c, int type, unsigned left, unsigned other, set *s) {
  if (type == SD_PAWN) {
    m->count[c][SD_PAWN] = (uint8_t) left;
    if (c == SD_WHITE) {
      each_side (m, SD_BLACK, SD_QUEEN, other, 0, s);
      return;
    }
    if (m->count[SD_WHITE][SD_PAWN] + m->count[SD_BLACK][SD_PAWN] != (int) s->pawns || compare_sides (m) < 0)
      return;
    if (s->n < s->cap)
      s->out[s->n] = *m;
    s->n++;
    return;
  }
  for (int k = (int) left; k >= 0; k--) {
    m->count[c][type] = (uint8_t) k;
    each_side (m, c, type - 1, left - (unsigned) k, other, s);
  }
}

unsigned sd_material_all (unsigned men, sd_material *out, unsigned cap) {
  set s = { .out = out, .cap = cap };
  if (men < 3 || men > SD_MAX_MEN)
    return 0;
  sd_material m;
  memset (&m, 0, sizeof m);
  m.count[SD_WHITE][SD_KING] = m.count[SD_BLACK][SD_KING] = 1;
  unsigned pieces = men - 2;
  /* The first side has as many men as the second one, or more. */
  for (s.pawns = 0; s.pawns <= pieces; s.pawns++)
    for (unsigned white = pieces; 2 * white >= pieces; white--)
      each_side (&m, SD_WHITE, SD_QUEEN, white, pieces - white, &s);
  return s.n;
}
