/* verify.c - does every value of a table follow from the values of its successors?
 *
 * Idea: mated = -1, stalemated = 0, otherwise the best of what the moves lead to, quiet ones looked up
 * in the table itself (decoded whole), conversions in the smaller ones. For DTM there is only one
 * assignment of values that passes (a win in n rests on a loss in n - 1, down to the mates; what is
 * called drawn cannot be a win, because the first wrong one would fail), so the check is a proof, given
 * the smaller tables. For WDL see the note in table.h. WDL50 does not follow from one ply, so that it is
 * held against DTZ50 alone, which is proved as DTM is. Or each value is compared with that of another
 * table. Quiet moves other than double pawn steps change one square of the list, so that they cost an
 * index and a load, no new position. Cost: about a microsecond a position; 2 bytes a slot. Uses OpenMP;
 * the position named is the first one in any case. */
#include "config.h"
#include "recode/recode.h"
#include "recode/verify/whole_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One side of the table that is verified. */
typedef struct checked {
  const sd_wholes *w;
  const char *name;
  const sd_whole *own;
  enum sd_metric metric;
  bool signs; /* against the table of another metric that tells the same, not against its successors */
  const sd_wholes *against; /* other tables that say what is right; NULL: the own ones */
  bool rounded;             /* the plies of the table or of the other one may be */
} checked;

/* SD_ERANGE: a move of p leads to a position that is taken for one that no move leads to. */
static int check_reached (const sd_pos *p) {
  sd_move moves[SD_MAX_MOVES];
  const unsigned n = sd_moves (p, SD_MOVES_ALL, moves);
  for (unsigned i = 0; i < n; i++) {
    sd_pos child;
    sd_pos_apply (p, &moves[i], &child);
    if (!sd_pos_reachable_mirrored (&child))
      return SD_ERANGE;
  }
  return SD_OK;
}

/* The other table; NULL: there is none. */
static const sd_whole *against_whole (const checked *c) {
  return c->against ? sd_wholes_find (c->against, &c->own->t->info.material, c->metric) : NULL;
}

static bool is_rounded (const sd_whole *o) {
  return o && (o->t->info.side[0].rounded || o->t->info.side[1].rounded);
}

/* Is a the same result as b, one ply sooner? A draw and a mate are never rounded. */
static bool one_ply_sooner (sd_value a, sd_value b) {
  return (a > 0 && b == a + 1) || (a < -1 && b == a - 1);
}

/* Values of which one, or both, may have one ply too few. What the moves of rounded values say may err either
 * way; beside another table only the rounded side errs, and the result, which the WDL file says, does not. */
static bool agrees_rounded (const checked *c, sd_value is, sd_value should) {
  const bool own = is_rounded (c->own), other = is_rounded (against_whole (c));
  if (!c->against)
    return one_ply_sooner (is, should) || one_ply_sooner (should, is);
  return sd_metrics[SD_WDL50].of (is) == sd_metrics[SD_WDL50].of (should)
         && ((own && one_ply_sooner (is, should)) || (other && one_ply_sooner (should, is)));
}

/* What p's value is to be. */
static int find_right (const checked *c, const sd_pos *p, const uint8_t *sq, sd_value *should) {
  *should = 0;
  if (c->against)
    return sd_wholes_value (c->against, p, c->metric, should);
  if (!c->signs)
    return sd_wholes_by_moves (c->w, c->own, c->metric, p, sq, should);
  const int st = sd_wholes_value (c->w, p, sd_metrics[c->metric].told_by, should);
  *should = sd_metrics[c->metric].of (*should);
  return st;
}

/* SD_EDIFF: another value; SD_ERANGE: a move leads where no move should; else why a lookup failed. */
static int check_slot (const void *of, uint64_t slot, const sd_pos *p, const uint8_t *sq) {
  const checked *c = of;
  const sd_value is = c->own->value[p->stm][slot];
  sd_value should;
  SD_TRY (find_right (c, p, sq, &should));
  if (c->own->t->info.freedom & SD_FREE_UNREACHABLE)
    SD_TRY (check_reached (p));
  return is == should || (c->rounded && agrees_rounded (c, is, should)) ? SD_OK : SD_EDIFF;
}

static int complain (const checked *c, unsigned side, const char *source, uint64_t slot, sd_error *err) {
  sd_pos p;
  uint8_t sq[SD_MAX_MEN];
  sd_value should = 0;
  char fen[96] = "?", is_text[40], should_text[40];
  if (sd_index_squares (c->own->ix[side], slot, sq)) {
    sd_pos_from_squares (&c->own->t->info.material, sq, side, &p);
    sd_pos_to_fen (&p, fen, sizeof fen);
    find_right (c, &p, sq, &should);
  }
  sd_metric_text (c->metric, c->own->value[side][slot], is_text, sizeof is_text);
  sd_metric_text (c->metric, should, should_text, sizeof should_text);
  return sd_fail (err, SD_EDIFF, "%s: %s: the table says %s, but %s says %s", c->name, fen, is_text, source,
                  should_text);
}

/* The table, its successors and, if it can be had, what tells the same values: *signs. Without its
 * successors: no comparison. */
static int need_all (sd_wholes *w, const sd_table_info *info, bool *signs, sd_error *err) {
  const enum sd_metric told_by = sd_metrics[info->metric].told_by;
  sd_material next[64];
  const unsigned n = sd_material_successors (&info->material, next);
  for (unsigned i = 0; i < n; i++)
    SD_TRY (sd_wholes_need (w, &next[i], info->metric, err));
  SD_TRY (sd_wholes_need (w, &info->material, info->metric, err));
  if (sd_metrics[info->metric].one_ply
      && (told_by == SD_NO_METRIC || !sd_tables_find (w->ts, &info->material, told_by)))
    return SD_OK;
  const int st = sd_wholes_need (w, &info->material, told_by, err);
  if (!sd_metrics[info->metric].one_ply)
    SD_TRY (st);
  *signs = st == SD_OK;
  return st == SD_ENOENT ? SD_OK : st;
}

/* against NULL: what the table itself and, with `signs`, another metric say. */
static int verify_side (const sd_wholes *w, const sd_wholes *against, unsigned side, bool signs,
                        uint64_t *positions, sd_error *err) {
  const sd_table_info *info = &w->first->info;
  const char *name = w->first->name;
  checked c = { .w = w,
                .name = name,
                .own = sd_wholes_find (w, &info->material, info->metric),
                .metric = info->metric,
                .signs = signs,
                .against = against };
  sd_whole_seen seen;
  c.rounded = is_rounded (c.own) || is_rounded (against_whole (&c));
  const int st = sd_whole_each (c.own, side, false, check_slot, &c, "comparing", w->progress, &seen);

  if (positions)
    *positions += seen.positions;
  if (st == SD_OK)
    return SD_OK;
  char teller[400] = "the best move";
  if (against)
    snprintf (teller, sizeof teller, "%.399s",
              sd_wholes_find (against, &info->material, info->metric)->t->name);
  else if (signs)
    snprintf (teller, sizeof teller, "the %s table", sd_metrics[sd_metrics[info->metric].told_by].title);
  if (st == SD_EDIFF)
    return complain (&c, side, teller, seen.failed, err);
  if (st == SD_ERANGE)
    return sd_fail (
        err, SD_EDIFF,
        "%s: slot %llu of side %u: a move leads from it to a position that is free because no move "
        "leads to it",
        name, (unsigned long long) seen.failed, side);
  return sd_fail (err, st, "%s: slot %llu of side %u: %s cannot be looked up: %s", name,
                  (unsigned long long) seen.failed, side, against ? teller : "a successor", sd_strerror (st));
}

int sd_table_verify (const sd_tables *ts, const sd_table *t, const sd_progress *progress, sd_verified *out,
                     sd_error *err) {
  const sd_table_info *info = &t->info;
  sd_verified told = { 0 };

  if (sd_table_info_is_game (info))
    return sd_fail (err, SD_EINVAL, "%s-%s: a table of another game than chess: its rules are not known here",
                    info->game.name, info->game.slice);
  SD_TRY (sd_table_check (t, err));
  sd_wholes w = { .ts = ts, .first = t, .progress = progress };
  int st = need_all (&w, info, &told.signs, err);
  const bool moves = sd_metrics[info->metric].one_ply;
  for (unsigned side = 0; side < info->nsides && st == SD_OK; side++)
    for (unsigned pass = !moves; pass <= told.signs && st == SD_OK; pass++)
      st = verify_side (&w, NULL, side, pass == 1, moves == (pass == 0) ? &told.positions : NULL, err);
  sd_wholes_free (&w);
  if (st == SD_OK && out)
    *out = told;
  return st;
}

static bool same_file (const char *a, const char *b) {
  struct stat x, y;
  return stat (a, &x) == 0 && stat (b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int sd_table_verify_against (const sd_tables *ts, const sd_table *t, const sd_tables *against,
                             const sd_progress *progress, sd_verified *out, sd_error *err) {
  const sd_table_info *info = &t->info;
  *out = (sd_verified){ 0 };
  if (sd_table_info_is_game (info))
    return sd_fail (err, SD_EINVAL,
                    "%s: a table of another game than chess has no other tables to be held against", t->name);
  SD_TRY (sd_table_check (t, err));
  sd_wholes w = { .ts = ts, .first = t, .progress = progress }, v = { .ts = against, .progress = progress };
  int st = sd_wholes_need (&v, &info->material, info->metric, err);
  if (st == SD_OK) {
    out->against = sd_wholes_find (&v, &info->material, info->metric)->t->name;
    if (same_file (out->against, t->name))
      st = sd_fail (err, SD_EINVAL, "%s: the table to compare with is this file itself", t->name);
  }
  if (st == SD_OK)
    st = sd_wholes_need (&w, &info->material, info->metric, err);
  for (unsigned side = 0; side < info->nsides && st == SD_OK; side++)
    st = verify_side (&w, &v, side, false, &out->positions, err);
  sd_wholes_free (&w);
  sd_wholes_free (&v);
  return st;
}
