/* Values of positions from files, by the rules that engines follow. WDL: what is stored, or the best capture
 * if that is better, since a table may hold anything that is not better than it. DTZ: the WDL result comes
 * first; a win by a capture or a pawn move, and a loss with no other move, take one ply and are stored as
 * anything; for the side that is not stored all moves are made. This is a second way to these values
 * besides table/syzygy.c and restoring, with which it shares the decoding alone. */
#include "config.h"
#include "syzygy/syzygy.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct part {
  sd_material material;
  enum sd_syzygy_kind kind;
  sd_map map;
  sd_syzygy *file; /* NULL: it cannot be used, `problem` says why */
  sd_error problem;
  bool sound; /* its checksum is right; atomic */
} part;

struct sd_syzygy_tables {
  part *part; /* by material and kind, see by_name () */
  uint64_t n, room;
};

/* ------------------------------------------------------------------ files */

static int by_name (const void *a, const void *b) {
  const part *x = a, *y = b;
  const int c = memcmp (&x->material, &y->material, sizeof x->material);
  return c ? c : (int) x->kind - (int) y->kind;
}

static const part *find (const sd_syzygy_tables *ts, const sd_material *m, enum sd_syzygy_kind kind) {
  const part key = { .material = *m, .kind = kind };
  return ts->n ? bsearch (&key, ts->part, ts->n, sizeof key, by_name) : NULL;
}

/* A file that cannot be used keeps its problem, which is told where it is needed. Its mapping stays until
 * sd_syzygy_tables_close (). */
static int open_part (part *p, const char *folder, const char *name) {
  char path[4400]; /* names of files are short */
  snprintf (path, sizeof path, "%s/%s", folder, name);
  SD_TRY (sd_map_open (path, &p->map, &p->problem));
  int st = sd_syzygy_open (p->map.data, p->map.len, &p->file, &p->problem);
  if (st == SD_OK && (!sd_material_equal (&p->file->material, &p->material) || p->file->kind != p->kind))
    st = sd_fail (&p->problem, SD_EFORMAT, "it holds another table than its name says");
  if (st == SD_OK)
    return SD_OK;
  sd_error_prefix (&p->problem, "%s", path);
  sd_syzygy_close (p->file);
  p->file = NULL;
  return st;
}

/* All of a folder that are not there yet. SD_ENOENT: it cannot be read. */
static int open_folder (sd_syzygy_tables *ts, const char *folder, sd_error *err) {
  DIR *dir = opendir (folder);
  const uint64_t before = ts->n;
  bool memory = true;
  if (!dir)
    return sd_fail (err, SD_ENOENT, "%s: %s", folder, strerror (errno));
  for (struct dirent *e; memory && (e = readdir (dir));) {
    part p = { .file = NULL };
    if (!sd_syzygy_name_parse (e->d_name, &p.material, &p.kind))
      continue;
    /* A folder before this one has it: earlier ones win. Sorted again at the end, so that files are found. */
    if (before && bsearch (&p, ts->part, before, sizeof p, by_name))
      continue;
    /* A file that cannot be used is listed, too: its problem is told when it is needed. */
    memory = sd_grow (&ts->part, &ts->room, ts->n + 1);
    if (memory) {
      open_part (&p, folder, e->d_name);
      ts->part[ts->n++] = p;
    }
  }
  closedir (dir);
  if (ts->n)
    qsort (ts->part, ts->n, sizeof *ts->part, by_name);
  return memory ? SD_OK : sd_fail_memory (err, 0);
}

int sd_syzygy_tables_open (const char *path, sd_syzygy_tables **out, sd_error *err) {
  sd_syzygy_tables *ts = calloc (1, sizeof *ts);
  int status = ts ? SD_OK : sd_fail_memory (err, sizeof *ts);

  for (const char *p = path; status == SD_OK && p;) {
    char folder[4096];
    const size_t n = strcspn (p, ":");
    if (n >= sizeof folder)
      status = sd_fail (err, SD_EINVAL, "%s: the path is too long", path);
    else if (n) {
      memcpy (folder, p, n);
      folder[n] = 0;
      status = open_folder (ts, folder, err);
    }
    p = p[n] ? p + n + 1 : NULL;
  }
  if (status != SD_OK) {
    sd_syzygy_tables_close (ts);
    return status;
  }
  *out = ts;
  return SD_OK;
}

void sd_syzygy_tables_close (sd_syzygy_tables *ts) {
  if (!ts)
    return;
  for (uint64_t i = 0; i < ts->n; i++) {
    sd_syzygy_close (ts->part[i].file);
    sd_map_close (&ts->part[i].map);
  }
  free (ts->part);
  free (ts);
}

uint64_t sd_syzygy_tables_count (const sd_syzygy_tables *ts) {
  return ts->n;
}

/* The checksum of a file, once. */
/* Only WDL files: what this answers is whether their values can be believed. */
static int check_part (const sd_syzygy_tables *ts, const sd_material *m, sd_error *err) {
  part *p = (part *) find (ts, m, SD_SYZYGY_WDL); /* which is ours to change */
  char name[16];

  sd_material_name (m, name);
  if (!p)
    return sd_fail (err, SD_ENOENT, "%s%s: not found", name, sd_syzygy_endings[SD_SYZYGY_WDL]);
  if (!p->file)
    return sd_fail (err, p->problem.status, "%s", p->problem.text);
  /* Threads may look at once: at worst a checksum is computed twice. */
  if (__atomic_load_n (&p->sound, __ATOMIC_RELAXED))
    return SD_OK;
  const int status = sd_syzygy_check (p->file, err);
  if (status)
    sd_error_prefix (err, "%s%s", name, sd_syzygy_endings[SD_SYZYGY_WDL]);
  else
    __atomic_store_n (&p->sound, true, __ATOMIC_RELAXED);
  return status;
}

int sd_syzygy_tables_check (const sd_syzygy_tables *ts, const sd_material *m, bool promotions,
                            sd_error *err) {
  sd_material next[64];
  if (sd_material_men (m) < 3)
    return SD_OK;
  SD_TRY (check_part (ts, m, err));
  const unsigned n = sd_material_successors (m, next);
  /* WDL is put right by captures only, so that the files of these count for every value. */
  for (unsigned i = 0; i < n; i++)
    if (promotions || sd_material_men (&next[i]) < sd_material_men (m))
      SD_TRY (sd_syzygy_tables_check (ts, &next[i], false, err));
  return SD_OK;
}

/* A position as a file has it: colours exchanged where White is the weaker side, or where both are equal and
 * Black is to move. */
typedef struct place {
  const sd_syzygy *file;
  unsigned side; /* to move */
  uint8_t sq[SD_MAX_MEN];
} place;

/* Where the position's value stands: the file of its ending, the side to move as that file has it, and the
 * squares in the order of the ending's name. SD_ENOENT names the file that is missing: "KRvKP.rtbw: not
 * found". */
static int find_place (const sd_syzygy_tables *ts, const sd_pos *p, enum sd_syzygy_kind kind, place *out,
                       sd_error *err) {
  sd_material m, canonical;
  sd_material_of (p, &m);
  const bool swapped = sd_material_canonical (&m, &canonical);
  const part *found = find (ts, &canonical, kind);
  char name[16];
  sd_material_name (&canonical, name);
  if (!found)
    return sd_fail (err, SD_ENOENT, "%s%s: not found", name, sd_syzygy_endings[kind]);
  if (!found->file)
    return sd_fail (err, found->problem.status, "%s", found->problem.text);
  /* A file holds the stronger side as White, and of equal sides White to move. */
  const bool flip = swapped || (sd_material_symmetric (&m) && p->stm == SD_BLACK);
  sd_pos flipped = *p;
  if (flip)
    sd_pos_flip (p, &flipped);

  out->file = found->file;
  out->side = flipped.stm;
  sd_pos_to_squares (&canonical, &flipped, out->sq);
  return SD_OK;
}

static int damaged (const sd_syzygy *s, const char *what, sd_error *err) {
  char name[16];
  sd_material_name (&s->material, name);
  return sd_fail (err, SD_EFORMAT, "%s%s: %s", name, sd_syzygy_endings[s->kind], what);
}

/* -------------------------------------------------------------------- WDL */

static bool bare_kings (const sd_pos *p) {
  return __builtin_popcountll (p->occ[0] | p->occ[1]) == 2;
}

static int stored_wdl (const sd_syzygy_tables *ts, const sd_pos *p, int *wdl, sd_error *err) {
  place at;
  unsigned v;
  SD_TRY (find_place (ts, p, SD_SYZYGY_WDL, &at, err));
  /* Equal sides share a stream. */
  const unsigned stream = at.file->streams == 2 ? at.side : 0;
  if (sd_syzygy_get (at.file, stream, sd_syzygy_slot_of (at.file, stream, at.sq), &v) != SD_OK)
    return damaged (at.file, "a block is damaged", err);
  *wdl = (int) v - 2;
  return SD_OK;
}

/* Without an en-passant capture there may be no move: then the position without that right is stalemate, and
 * does not count. */
static bool only_en_passant (const sd_pos *p) {
  sd_move all[SD_MAX_MOVES];
  const unsigned n = p->ep == SD_NO_SQUARE ? 0 : sd_moves (p, SD_MOVES_ALL, all);
  unsigned i = 0;
  while (i < n && all[i].en_passant)
    i++;
  return n && i == n;
}

int sd_syzygy_wdl (const sd_syzygy_tables *ts, const sd_pos *p, int *wdl, sd_error *err) {
  sd_move move[SD_MAX_MOVES];
  int best = -3, v;

  *wdl = 0;
  if (bare_kings (p))
    return SD_OK;
  const unsigned n = sd_moves (p, SD_MOVES_CAPTURES, move);
  /* Captures first (Syzygy, item 2): what is stored may be anything up to the best of them. */
  for (unsigned i = 0; i < n && best < 2; i++) {
    sd_pos child;
    sd_pos_apply (p, &move[i], &child);
    SD_TRY (sd_syzygy_wdl (ts, &child, &v, err));
    best = -v > best ? -v : best;
  }
  /* Where every move is a capture en passant nothing else counts: the table does not know of the right. */
  if (best < 2 && !only_en_passant (p)) {
    SD_TRY (stored_wdl (ts, p, &v, err));
    best = v > best ? v : best;
  }
  *wdl = best;
  return SD_OK;
}

/* -------------------------------------------------------------------- DTZ */

/* Not of draws. *stored: false, and no value, if the other side is. */
static int stored_dtz (const sd_syzygy_tables *ts, const sd_pos *p, int wdl, bool *stored, int *value,
                       sd_error *err) {
  place at;
  unsigned v, plies = 0;
  SD_TRY (find_place (ts, p, SD_SYZYGY_DTZ, &at, err));
  *stored = sd_material_symmetric (&at.file->material) || at.side == at.file->side;
  /* A DTZ file has one side to move. */
  if (!*stored)
    return SD_OK;
  /* Maps and rounding are those of the sub-table, which must be known besides what it stores. */
  uint64_t slot = sd_syzygy_slot_of (at.file, 0, at.sq);
  const sd_syzygy_pairs *pairs = &at.file->pairs[sd_syzygy_sub_table (at.file, 0, &slot)][0];
  if (sd_syzygy_pairs_get (pairs, slot, &v) != SD_OK || sd_syzygy_plies (pairs, wdl, v, &plies) != SD_OK)
    return damaged (at.file, "a block or its map is damaged", err);
  *value = wdl > 0 ? (int) plies : -(int) plies - 1;
  return SD_OK;
}

static bool zeroing (const sd_move *m) {
  return m->piece == SD_PAWN || m->captured != SD_NO_PIECE;
}

/* Zeroing moves that settle the value; *n: of all moves. */
static int by_zeroing (const sd_syzygy_tables *ts, const sd_pos *p, int wdl, const sd_move *move, unsigned n,
                       int *value, sd_error *err) {
  unsigned others = 0;
  *value = 0;
  for (unsigned i = 0; i < n; i++) {
    sd_pos child;
    int v;
    if (!zeroing (&move[i])) {
      others++;
      continue;
    }
    /* A loss is only settled if nothing but zeroing moves can be played. */
    if (wdl < 0)
      continue;
    sd_pos_apply (p, &move[i], &child);
    SD_TRY (sd_syzygy_wdl (ts, &child, &v, err));
    /* The result is kept by a move that zeroes at once (Syzygy, item 3); cursed, it comes behind the 100
     * plies. */
    if (-v == wdl) {
      *value = wdl == 2 ? 1 : 101;
      return SD_OK;
    }
  }
  if (wdl < 0 && n && !others)
    *value = wdl == -2 ? -2 : -102;
  return SD_OK;
}

/* The best of all moves that do not zero, by the values of what they lead to; where all moves lose, the one
 * that loses latest, be it by zeroing. A ply deeper the other side is to move, which is stored, so that this
 * does not go on for ever. */
static int by_moves (const sd_syzygy_tables *ts, const sd_pos *p, int wdl, const sd_move *move, unsigned n,
                     int *value, sd_error *err) {
  int best = 0;
  for (unsigned i = 0; i < n; i++) {
    sd_pos child;
    int v, plies;
    sd_pos_apply (p, &move[i], &child);
    if (zeroing (&move[i])) {
      SD_TRY (sd_syzygy_wdl (ts, &child, &v, err));
      /* A loss by a zeroing move takes one ply; a win by one would have been settled. */
      v = -v != wdl ? 0 : wdl == -2 ? 1 : wdl == -1 ? 101 : 0;
      plies = v;
    } else {
      SD_TRY (sd_syzygy_dtz (ts, &child, &v, err));
      plies = v < 0 && wdl > 0 ? -v : v > 0 && wdl < 0 ? v + 1 : 0;
    }
    if (plies && (!best || (wdl > 0 ? plies < best : plies > best)))
      best = plies;
  }
  if (!best)
    return sd_fail (err, SD_EFORMAT, "the DTZ files do not bear out the WDL files");
  *value = wdl > 0 ? best : -best - 1;
  return SD_OK;
}

int sd_syzygy_dtz (const sd_syzygy_tables *ts, const sd_pos *p, int *value, sd_error *err) {
  sd_move move[SD_MAX_MOVES];
  int wdl;
  bool stored;

  *value = 0;
  SD_TRY (sd_syzygy_wdl (ts, p, &wdl, err));
  if (wdl == 0)
    return SD_OK;
  const unsigned n = sd_moves (p, SD_MOVES_ALL, move);
  /* Mated: a stalemate would be drawn. */
  if (n == 0) {
    *value = -1;
    return SD_OK;
  }
  SD_TRY (by_zeroing (ts, p, wdl, move, n, value, err));
  if (*value)
    return SD_OK;
  SD_TRY (stored_dtz (ts, p, wdl, &stored, value, err));
  /* For the side that is not stored all moves are made (Syzygy, item 5). */
  return stored ? SD_OK : by_moves (ts, p, wdl, move, n, value, err);
}
