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
  const char *name;
  const sd_whole *own;
  enum sd_metric metric;
  unsigned side;
  bool signs; /* against the table of another metric that tells the same, not against its successors */
  const sd_wholes *against; /* other tables that say what is right; NULL: the own ones */
} checked;

struct failure {
  uint64_t slot; /* UINT64_MAX: none */
  int status;    /* a lookup failed, or SD_EDIFF; SD_ERANGE: a move leads where no move should */
  sd_value is, should;
};

static const char *last_part (const char *path) {
  const char *slash = strrchr (path, '/');
  return slash ? slash + 1 : path;
}

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

static int complain (const checked *c, const char *source, const struct failure *at, sd_error *err) {
  sd_pos p;
  uint8_t sq[SD_MAX_MEN];
  char fen[96] = "?", is_text[40], should_text[40];
  if (sd_whole_position (c->own, c->side, at->slot, &p, sq))
    sd_pos_to_fen (&p, fen, sizeof fen);
  sd_metric_text (c->metric, at->is, is_text, sizeof is_text);
  sd_metric_text (c->metric, at->should, should_text, sizeof should_text);
  return sd_fail (err, SD_EDIFF, "%s: %s: the table says %s, but %s says %s", c->name, fen, is_text, source,
                  should_text);
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
static int find_right (const sd_wholes *w, const checked *c, const sd_pos *p, const uint8_t *sq,
                       sd_value *should) {
  if (c->against)
    return sd_wholes_value (c->against, p, c->metric, should);
  if (!c->signs)
    return sd_wholes_by_moves (w, c->own, c->metric, p, sq, should);
  const int st = sd_wholes_value (w, p, sd_metrics[c->metric].told_by, should);
  *should = sd_metrics[c->metric].of (*should);
  return st;
}

/* Every slot; returns how many positions were looked at. */
static uint64_t check_side (const sd_wholes *w, const checked *c, struct failure *worst) {
  const sd_whole *own = c->own;
  const unsigned side = c->side;
  const uint64_t slots = sd_indexer_size (own->ix[side]), step = 1 << 18;
  const bool rounded = is_rounded (own) || is_rounded (against_whole (c));
  uint64_t positions = 0;

  worst->slot = UINT64_MAX;
  for (uint64_t from = 0; worst->slot == UINT64_MAX && from < slots; from += step) {
    const uint64_t to = slots - from < step ? slots : from + step;
    sd_report (w->progress, last_part (c->name), from, slots);
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : positions)
    for (uint64_t i = from; i < to; i++) {
      const sd_value is = own->value[side][i];
      sd_pos p;
      uint8_t sq[SD_MAX_MEN];
      if (!sd_whole_position (own, side, i, &p, sq))
        continue;
      sd_value should = 0;
      positions++;
      int st = find_right (w, c, &p, sq, &should);
      if (st == SD_OK && own->t->info.freedom & SD_FREE_UNREACHABLE)
        st = check_reached (&p);
      if (st == SD_OK && (is == should || (rounded && agrees_rounded (c, is, should))))
        continue;
#pragma omp critical
      if (i < worst->slot)
        *worst = (struct failure){ i, st != SD_OK ? st : SD_EDIFF, is, should };
    }
  }
  sd_report (w->progress, last_part (c->name), slots, slots);
  return positions;
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
  struct failure worst = { 0 };
  const sd_table_info *info = &w->first->info;
  const char *name = w->first->name;
  const sd_whole *own = sd_wholes_find (w, &info->material, info->metric);
  const checked c = { name, own, info->metric, side, signs, against };
  const uint64_t seen = check_side (w, &c, &worst);

  if (positions)
    *positions += seen;
  if (worst.slot == UINT64_MAX)
    return SD_OK;
  char teller[400] = "the best move";
  if (against)
    snprintf (teller, sizeof teller, "%.399s",
              sd_wholes_find (against, &info->material, info->metric)->t->name);
  else if (signs)
    snprintf (teller, sizeof teller, "the %s table", sd_metrics[sd_metrics[info->metric].told_by].title);
  if (worst.status == SD_EDIFF)
    return complain (&c, teller, &worst, err);
  if (worst.status == SD_ERANGE)
    return sd_fail (
        err, SD_EDIFF,
        "%s: slot %llu of side %u: a move leads from it to a position that is free because no move "
        "leads to it",
        name, (unsigned long long) worst.slot, side);
  return sd_fail (err, worst.status, "%s: slot %llu of side %u: %s cannot be looked up: %s", name,
                  (unsigned long long) worst.slot, side, against ? teller : "a successor",
                  sd_strerror (worst.status));
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
