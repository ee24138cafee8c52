/* An .sdt table of Syzygy files, as `import` and `reformat FILE.rtbw` make it. The values come from
 * values/load.c; before they are coded each position is looked up once more by syzygy/probe.c, which shares
 * no code with that but the decoding of a stream. The first position where the two differ is an error that
 * names it, and no table is written. */
#include "config.h"
#include "tools/reformat/batch.h"
#include <inttypes.h>
#include <string.h>

/* Slots of a side that a thread compares before it looks whether another one has failed. */
enum { STEP = 4096 };

/* The values of an ending that are compared with its files. */
typedef struct reading {
  const char *path;
  const sd_syzygy_tables *files;
  bool plies;      /* not results alone */
  bool rounded;    /* the file may have one ply too few */
  unsigned stored; /* sides to move that the file has, a bit each */
} reading;

/* Does what engines find agree with the value? Of files with full moves they find one ply less at times.
 * Plies of a side that the file does not have follow from those that it has by one ply; of these only the
 * results are compared. */
static int agree (const reading *j, const sd_pos *p, sd_value v, bool *same) {
  int wdl, dtz = 0;
  SD_TRY (sd_syzygy_wdl (j->files, p, &wdl, NULL));
  *same = wdl == sd_metrics[SD_WDL50].of (v);
  /* Won or lost one ply later than the file says, which is rounded down. */
  if (j->plies && *same && j->stored >> p->stm & 1) {
    SD_TRY (sd_syzygy_dtz (j->files, p, &dtz, NULL));
    *same = v == dtz || (j->rounded && (dtz > 0 ? v == dtz + 1 : dtz < 0 && v == dtz - 1));
  }
  return SD_OK;
}

/* The slots from `first` on; *differs: the slot, after SD_EDIFF. */
static int compare_step (const reading *j, const sd_exact *e, unsigned side, uint64_t first,
                         uint64_t *differs) {
  const uint64_t end = e->n - first < STEP ? e->n : first + STEP;
  for (uint64_t i = first; i < end; i++) {
    sd_pos p;
    bool same;
    if (e->value[side][i] == SD_ILLEGAL || !sd_exact_position (e, side, i, &p))
      continue;
    SD_TRY (agree (j, &p, e->value[side][i], &same));
    if (!same) {
      *differs = i;
      return SD_EDIFF;
    }
  }
  return SD_OK;
}

/* "KRvK.rtbw: 8/8/8/8/8/2k5/8/K6R w - - 0 1: the value that was read is not the one that engines find" */
static int fail_compare (const reading *j, int status, const sd_exact *e, unsigned side, uint64_t i,
                         sd_error *err) {
  char fen[96] = "";
  sd_pos p;
  if (status == SD_EDIFF && sd_exact_position (e, side, i, &p))
    sd_pos_to_fen (&p, fen, sizeof fen);
  return sd_fail (err, status, "%s: %s: %s", j->path, *fen ? fen : "looking up its positions",
                  *fen ? "the value that was read is not the one that engines find" : sd_strerror (status));
}

/* Each position of both sides, as read, beside what the rules of engines find in the files. */
static int compare (const reading *j, const sd_exact *e, sd_error *err) {
  for (unsigned side = 0; side < e->nsides; side++) {
    const uint64_t steps = (e->n + STEP - 1) / STEP;
    /* status and at: of the first thread that found a difference. */
    int status = SD_OK;
    uint64_t done = 0, at = 0;
#pragma omp parallel for schedule(dynamic, 4)
    for (uint64_t s = 0; s < steps; s++) {
      uint64_t where = 0, so_far;
      int seen;
#pragma omp atomic read
      seen = status;
      /* A loop of OpenMP cannot be left, so that what is left of it does nothing. */
      if (seen != SD_OK)
        continue;

      const int st = compare_step (j, e, side, s * STEP, &where);
#pragma omp atomic capture
      so_far = ++done;
#pragma omp critical(import_compare)
      {
        if (st != SD_OK && status == SD_OK) {
          status = st;
          at = where;
        }
        if (so_far % 64 == 0)
          sd_report (&sd_terminal, "comparing with the source", so_far, steps);
      }
    }
    if (status != SD_OK)
      return fail_compare (j, status, e, side, at, err);
  }
  return SD_OK;
}

/* A .rtbz file has one side to move, and plies of some files are full moves. */
static int find_sides (reading *j, sd_error *err) {
  SD_OWN (sd_table) *t = NULL;
  sd_table_info in;
  SD_TRY (sd_table_open (j->path, SD_OPEN_CHECK, &t, err));
  sd_table_describe (t, &in);
  for (unsigned side = 0; side < in.nsides; side++)
    if (sd_table_info_has (&in, side)) {
      j->stored |= 1u << side;
      j->rounded |= in.side[side].rounded;
    }
  return SD_OK;
}

/* Loaded with what the freedom of the new table looks at, compared, coded. */
int sd_sdt_from_syzygy (sd_batch *r, sd_item *it, sd_error *err) {
  reading j = { .path = it->from, .files = it->source->files, .plies = it->metric == SD_DTZ50 };
  SD_OWN (sd_values) *values = NULL;
  const sd_material *m = &it->subject.material;
  const sd_exact *e;

  SD_TRY (find_sides (&j, err));
  SD_TRY (sd_values_new_syzygy (it->source->path, j.plies, &values, err));
  sd_values_show (values, &sd_terminal);
  SD_TRY (sd_values_whole (values, m, &e, err));
  /* More freedom asks for the values behind captures and promotions. */
  if (it->spec.freedom & ~(unsigned) SD_FREE_ILLEGAL)
    SD_TRY (sd_values_need (values, m, err));

  SD_TRY (compare (&j, e, err));
  SD_TRY (sd_sdt_choose (r, values, e, &it->spec, err));
  return sd_table_build (values, &it->spec, it->path, &sd_terminal, err);
}
