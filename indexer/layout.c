/* Layouts: making them, text, bytes in files, all orders. No arithmetic on indices here (indexer.c). Texts
 * come from a command line, a sweep file or a database, bytes from files that anybody may have written:
 * whatever way a layout comes in, sd_layout_check () has the last word, so that an indexer can be made of it.
 * Each layout has one text and one row of bytes, by which tables and rows of an experiment are compared. */
#include "config.h"
#include "base/words.h"
#include "indexer/indexer.h"
#include <ctype.h>
#include <string.h>

static const char letters[] = "PNBRQK"; /* by type */
static const uint8_t name_order[6] = { SD_KING, SD_QUEEN, SD_ROOK, SD_BISHOP, SD_KNIGHT, SD_PAWN };

static const sd_group both_kings = { .kind = SD_GROUP_KINGS, .type = SD_KING, .count = 2 };

/* All men of a colour and kind are one group: a text cannot part them. Squares are numbered by rows until
 * parse_numberings () says otherwise. */
static sd_group pieces_group (const sd_material *m, unsigned colour, unsigned type) {
  return (sd_group){ .kind = SD_GROUP_PIECES,
                     .colour = (uint8_t) colour,
                     .type = (uint8_t) type,
                     .count = type == SD_KING ? 1 : m->count[colour][type],
                     .numbering = SD_ROWS };
}

void sd_layout_default (const sd_material *m, sd_layout *out) {
  memset (out, 0, sizeof *out);
  out->material = *m;
  /* In the order of the ending's name; kings stand in every ending. */
  for (unsigned colour = 0; colour < 2; colour++)
    for (unsigned k = 0; k < 6; k++)
      if (name_order[k] == SD_KING || m->count[colour][name_order[k]])
        out->group[out->ngroups++] = pieces_group (m, colour, name_order[k]);
}

void sd_layout_kings_first (const sd_material *m, sd_layout *out) {
  enum { SINGLE_PIECES, SEVERAL_PIECES, SINGLE_PAWNS, SEVERAL_PAWNS, CLASSES };
  sd_layout all;
  sd_layout_default (m, &all);
  memset (out, 0, sizeof *out);
  out->material = *m;
  out->group[out->ngroups++] = both_kings;
  /* From several pawns to single pieces, each class in the order of the name. */
  for (unsigned class = CLASSES; class -- > SINGLE_PIECES;)
    for (const sd_group *g = all.group; g < all.group + all.ngroups; g++) {
      const bool several = g->count > 1;
      const unsigned its = g->type == SD_PAWN ? SINGLE_PAWNS + several : SINGLE_PIECES + several;
      if (g->type != SD_KING && its == class)
        out->group[out->ngroups++] = *g;
    }
}

/* The leader that a text need not name: the pair of kings, which must lead wherever it is a group, else the
 * king that comes first. */
static unsigned default_leader (const sd_layout *l) {
  unsigned king = 0;
  for (unsigned g = l->ngroups; g-- > 0;) {
    if (l->group[g].kind == SD_GROUP_KINGS)
      return g;
    /* From the end, so that the first king of the order stays. */
    if (l->group[g].type == SD_KING)
      king = g;
  }
  return king;
}

/* Each number is compared with its range before anything is counted or indexed by it: a layout may come from
 * a file. */
int sd_layout_check (const sd_layout *l, sd_error *err) {
  bool seen[2][6] = { { false } }, pair = false;
  unsigned men = 0;

  if (l->ngroups == 0 || l->ngroups > SD_MAX_GROUPS)
    return sd_fail (err, SD_EINVAL, "layout: %u groups of pieces, expected 1 to %d", l->ngroups,
                    SD_MAX_GROUPS);
  /* Each man of the ending once, each kind of men in one group. */
  for (unsigned i = 0; i < l->ngroups; i++) {
    const sd_group *g = &l->group[i];
    if (g->numbering >= SD_NUMBERINGS)
      return sd_fail (err, SD_EINVAL, "layout: unknown square numbering %u", g->numbering);
    if (g->kind == SD_GROUP_KINGS) {
      if (seen[0][SD_KING] || seen[1][SD_KING] || g->count != 2)
        return sd_fail (err, SD_EINVAL, "layout: a king stands in it twice");
      seen[0][SD_KING] = seen[1][SD_KING] = pair = true;
      men += 2;
      continue;
    }
    if (g->kind != SD_GROUP_PIECES || g->colour > 1 || g->type > SD_KING)
      return sd_fail (err, SD_EINVAL, "layout: group %u is of an unknown kind", i);
    unsigned count = g->type == SD_KING ? 1 : l->material.count[g->colour][g->type];
    if (count == 0 || g->count != count || seen[g->colour][g->type])
      return sd_fail (err, SD_EINVAL, "layout: piece '%c' stands in it twice or is not in the ending",
                      g->colour ? tolower (letters[g->type]) : letters[g->type]);
    seen[g->colour][g->type] = true;
    men += g->count;
  }
  if (men != sd_material_men (&l->material))
    return sd_fail (err, SD_EINVAL, "layout: holds %u of the %u men", men, sd_material_men (&l->material));
  /* Symmetry confines one man. The pair of kings has a digit in which all squares of White's king are
   * home. */
  const sd_group *leader = &l->group[l->leader < l->ngroups ? l->leader : 0];
  if (l->leader >= l->ngroups || (pair ? leader->kind != SD_GROUP_KINGS : leader->count != 1))
    return sd_fail (err, SD_EINVAL, "layout: the leader must be %s",
                    pair ? "the pair of kings, whose digit knows no other squares" : "a single piece");
  /* Only a digit of 64 squares can be cut into two of 8. */
  const sd_group *last = &l->group[l->ngroups - 1];
  if (l->around
      && (l->ngroups < 2 || last->kind != SD_GROUP_PIECES || last->count != 1 || last->type == SD_PAWN
          || l->leader == l->ngroups - 1))
    return sd_fail (err, SD_EINVAL,
                    "layout: what stands around another digit must be a single piece, neither "
                    "a pawn nor the leader");
  return SD_OK;
}

static const char *const numbering_names[SD_NUMBERINGS] = { "rows", "z", "folded", "hilbert", "files" };

/* -1: there is no such numbering. */
static int numbering_of (const char *text, size_t n) {
  for (int i = 0; i < SD_NUMBERINGS; i++)
    if (strlen (numbering_names[i]) == n && memcmp (text, numbering_names[i], n) == 0)
      return i;
  return -1;
}

/* Brackets in an order: "R(K)" at its end. The piece in front waits until its bracket closes. */
static int open_bracket (sd_layout *l, bool marked, sd_group *waits, const char *order, sd_error *err) {
  if (l->ngroups == 0 || waits->count || (marked && l->leader == l->ngroups - 1))
    return sd_fail (err, SD_EINVAL, "order '%s': '(' must follow a piece that does not lead, once", order);
  *waits = l->group[--l->ngroups];
  l->around = true;
  return SD_OK;
}

/* `before`: groups when the bracket opened, `rest`: the text behind the one that closes. The piece that
 * waited becomes the last group, since a layout keeps "R(K)" as K and then R around it. */
static int close_bracket (sd_layout *l, sd_group *waits, unsigned before, const char *rest, const char *order,
                          sd_error *err) {
  if (!waits->count || l->ngroups != before + 1 || *rest)
    return sd_fail (err, SD_EINVAL, "order '%s': a bracket holds one piece and ends the order, as in pkR(K)",
                    order);
  l->group[l->ngroups++] = *waits;
  *waits = (sd_group){ 0 };
  return SD_OK;
}

/* Parts of a numbering's text: kings, others, pawns; what is not said is as the one before. */
enum { PARTS = 3 };
static unsigned part_of (const sd_group *g) {
  return g->type == SD_KING ? 0 : g->type == SD_PAWN ? 2 : 1;
}

/* Names all numberings, and asks for the nearest one: "numbering 'row': expected one of rows, z, .." */
static int no_such_numbering (const char *text, const char *part, size_t n, sd_error *err) {
  char known[80] = "", word[24];
  snprintf (word, sizeof word, "%.*s", (int) n, part);
  sd_guess guess = sd_guess_of (word);
  for (unsigned i = 0; i < SD_NUMBERINGS; i++) {
    sd_guess_offer (&guess, numbering_names[i]);
    sd_text_list (known, sizeof known, "%s", numbering_names[i]);
  }
  return sd_fail (err, SD_EINVAL,
                  "numbering '%s': expected one of %s, or two of them as KINGS/OTHERS, or three as "
                  "KINGS/OTHERS/PAWNS%s",
                  text, known, sd_guess_ask (&guess));
}

static int parse_numberings (sd_layout *l, const char *text, sd_error *err) {
  int part[PARTS] = { -1, -1, -1 };
  const char *p = text;
  for (unsigned k = 0; k < PARTS; k++) {
    const size_t n = strcspn (p, "/");
    part[k] = numbering_of (p, n);
    if (part[k] < 0 || (p[n] && k == PARTS - 1))
      return no_such_numbering (text, p, n, err);
    /* What is not said is as the one before: p stays at the last word. */
    if (p[n])
      p += n + 1;
  }

  /* A word tells of all groups of its part. */
  for (unsigned g = 0; g < l->ngroups; g++)
    l->group[g].numbering = (uint8_t) part[part_of (&l->group[g])];
  return SD_OK;
}

int sd_layout_parse (const sd_material *m, const char *order, const char *numbering, sd_layout *out,
                     sd_error *err) {
  sd_layout l;
  memset (&l, 0, sizeof l);
  l.material = *m;
  /* `waits` is the piece in front of an open bracket, count 0: there is none; it is no group of the layout
   * meanwhile. */
  bool marked = false;
  sd_group waits = { 0 };
  unsigned before = 0;

  for (const char *p = order; *p; p++) {
    /* "R(K)": R is taken back from the order and put behind K, around which its digit stands. */
    if (*p == '(') {
      SD_TRY (open_bracket (&l, marked, &waits, order, err));
      before = l.ngroups;
      continue;
    }
    if (*p == ')') {
      SD_TRY (close_bracket (&l, &waits, before, p + 1, order, err));
      continue;
    }
    /* Marks the leader, where it is not the one that goes without saying. */
    if (*p == '!') {
      if (marked || l.ngroups == 0)
        return sd_fail (err, SD_EINVAL, "order '%s': '!' must follow exactly one piece", order);
      marked = true;
      l.leader = (uint8_t) (l.ngroups - 1);
      continue;
    }
    if (l.ngroups + (waits.count > 0) == SD_MAX_GROUPS)
      return sd_fail (err, SD_EINVAL, "order '%s': more than %d pieces", order, SD_MAX_GROUPS);
    if (*p == '[') {
      if (strncmp (p, "[Kk]", 4) != 0)
        return sd_fail (err, SD_EINVAL, "order '%s': a bracket can only be \"[Kk]\", the pair of kings",
                        order);
      p += 3;
      l.group[l.ngroups++] = both_kings;
      continue;
    }
    /* A letter stands for all men of its kind. */
    const char *at = strchr (letters, toupper ((unsigned char) *p));
    unsigned colour = islower ((unsigned char) *p) ? SD_BLACK : SD_WHITE;
    if (!at || (*at != 'K' && m->count[colour][at - letters] == 0))
      return sd_fail (err, SD_EINVAL, "order '%s': '%c' is no piece of the ending", order, *p);
    l.group[l.ngroups++] = pieces_group (m, colour, (unsigned) (at - letters));
  }

  if (l.ngroups == 0)
    return sd_fail (err, SD_EINVAL, "order '%s': names no piece", order);
  if (waits.count)
    return sd_fail (err, SD_EINVAL, "order '%s': ')' is missing", order);
  if (!marked)
    l.leader = (uint8_t) default_leader (&l);
  if (numbering)
    SD_TRY (parse_numberings (&l, numbering, err));
  /* What only the whole can tell: men that are missing, or a leader that cannot be one. */
  if (sd_layout_check (&l, err)) {
    if (err)
      sd_error_prefix (err, "order '%s'", order);
    return SD_EINVAL;
  }
  *out = l;
  return SD_OK;
}

/* Says '!' only of a leader that does not go without saying, so that equal layouts have equal texts. Returns
 * where the text ends; there is no 0 yet. */
static char *group_text (const sd_layout *l, unsigned g, char *out) {
  if (l->group[g].kind == SD_GROUP_KINGS) {
    memcpy (out, "[Kk]", 4);
    out += 4;
  } else {
    char c = letters[l->group[g].type];
    *out++ = (char) (l->group[g].colour ? tolower (c) : c);
  }
  if (g == l->leader && g != default_leader (l))
    *out++ = '!';
  return out;
}

void sd_layout_order_text (const sd_layout *l, char *out) {
  const unsigned n = l->ngroups;
  /* The last two change places in the text, see sd_layout_parse (). */
  for (unsigned g = 0; g < n - 2 * l->around; g++)
    out = group_text (l, g, out);
  if (l->around) {
    out = group_text (l, n - 1, out);
    *out++ = '(';
    out = group_text (l, n - 2, out);
    *out++ = ')';
  }
  *out = 0;
}

void sd_layout_numbering_text (const sd_layout *l, char *out) {
  int part[PARTS] = { -1, -1, -1 };
  for (unsigned g = 0; g < l->ngroups; g++)
    part[part_of (&l->group[g])] = l->group[g].numbering;
  /* Men that are not there take a numbering that shortens the text. */
  for (unsigned k = 1; k < PARTS; k++) /* no such men */
    if (part[k] < 0)
      part[k] = k == 1 && part[2] >= 0 ? part[2] : part[k - 1];
  strcpy (out, numbering_names[part[0]]);
  const unsigned n = part[2] != part[1] ? 3 : part[1] != part[0] ? 2 : 1;
  for (unsigned k = 1; k < n; k++) {
    strcat (out, "/");
    strcat (out, numbering_names[part[k]]);
  }
}

/* Group by group: what stands behind the last one does not count. */
bool sd_layout_equal (const sd_layout *a, const sd_layout *b) {
  if (!sd_material_equal (&a->material, &b->material) || a->ngroups != b->ngroups || a->leader != b->leader
      || a->around != b->around)
    return false;
  for (unsigned g = 0; g < a->ngroups; g++) {
    const sd_group *x = &a->group[g], *y = &b->group[g];
    if (x->kind != y->kind || x->colour != y->colour || x->type != y->type || x->count != y->count
        || x->numbering != y->numbering)
      return false;
  }
  return true;
}

/* Next permutation in lexicographic order; false after the last. */
static bool next_permutation (uint8_t *p, unsigned n) {
  unsigned i = n - 1;
  /* The longest falling end has no greater order: the number before it is exchanged for the next larger one
   * in it, and the end put into rising order. */
  while (i > 0 && p[i - 1] > p[i])
    i--;
  if (i == 0)
    return false;
  unsigned j = n - 1;
  /* The end falls: the first from behind that is larger is the least of those. */
  while (p[j] < p[i - 1])
    j--;

  uint8_t t = p[j];
  p[j] = p[i - 1];
  p[i - 1] = t;
  for (unsigned a = i, b = n - 1; a < b; a++, b--) {
    t = p[a];
    p[a] = p[b];
    p[b] = t;
  }
  return true;
}

unsigned sd_layout_orders (const sd_layout *like, sd_layout *out, unsigned cap) {
  uint8_t p[SD_MAX_GROUPS];
  unsigned n = like->ngroups, count = 0;

  for (unsigned g = 0; g < n; g++)
    p[g] = (uint8_t) g;
  /* The first permutation is `like` itself: p rises. */
  do {
    /* Counted on, so that the caller sees how many there are. */
    if (count < cap) {
      out[count] = *like;
      for (unsigned g = 0; g < n; g++) {
        out[count].group[g] = like->group[p[g]];
        /* The same group leads, wherever it stands now. */
        if (p[g] == like->leader)
          out[count].leader = (uint8_t) g;
      }
    }
    count++;
  } while (next_permutation (p, n));
  return count;
}

/* In files: one byte number of groups (bits 0-2), last one around the other (bit 3), leader (high nibble),
 * then a byte a group: bit 0 kind, bit 1 colour, bits 2-4 type, bits 5-7 numbering. The counts follow from
 * the material. */
void sd_layout_write (const sd_layout *l, sd_buf *out) {
  sd_buf_u8 (out, l->ngroups | (unsigned) l->around << 3 | (unsigned) l->leader << 4);
  for (unsigned g = 0; g < l->ngroups; g++) {
    const sd_group *x = &l->group[g];
    sd_buf_u8 (out,
               x->kind | (unsigned) x->colour << 1 | (unsigned) x->type << 2 | (unsigned) x->numbering << 5);
  }
}

int sd_layout_read (sd_reader *r, const sd_material *m, sd_layout *out, sd_error *err) {
  sd_layout l;
  memset (&l, 0, sizeof l);
  l.material = *m;

  unsigned head = sd_get_u8 (r);
  /* Three bits hold up to 7 groups, as many as there can be men; 0 is refused with the rest, below. */
  l.ngroups = head & 7;
  l.around = head >> 3 & 1;
  l.leader = (uint8_t) (head >> 4);
  if (r->bad || l.ngroups > SD_MAX_GROUPS)
    return sd_fail (err, SD_EFORMAT, "layout: %u groups of pieces, expected 1 to %d", head & 7,
                    SD_MAX_GROUPS);
  for (unsigned g = 0; g < l.ngroups; g++) {
    unsigned b = sd_get_u8 (r);
    sd_group *x = &l.group[g];
    x->kind = b & 1;
    x->colour = (b >> 1) & 1;
    x->type = (b >> 2) & 7;
    x->numbering = (uint8_t) (b >> 5);
    if (x->numbering >= SD_NUMBERINGS || x->type > SD_KING
        || (x->kind == SD_GROUP_KINGS && (x->type != SD_KING || x->colour)))
      return sd_fail (err, SD_EFORMAT, "layout: group %u has the invalid code %u", g, b);
    /* The material, which stands before it in a file, tells how many men a group has. */
    x->count = x->kind == SD_GROUP_KINGS ? 2 : x->type == SD_KING ? 1 : m->count[x->colour][x->type];
  }
  if (r->bad)
    return sd_fail (err, SD_EFORMAT, "layout: ends too early");
  /* The rest as for any layout; only that the file is at fault here. */
  if (sd_layout_check (&l, err)) {
    if (err)
      err->status = SD_EFORMAT;
    return SD_EFORMAT;
  }
  *out = l;
  return SD_OK;
}
