/* What a probe says when it fails. Texts are made only where the caller wants one. */
#include "config.h"
#include "probe/probing_internal.h"
#include <inttypes.h>

int sd_probe_missing (const sd_probing *pr, const sd_board *b, const sd_view *v, enum sd_metric metric) {
  if (v && v->problem)
    return sd_fail (pr->err, v->problem->status, "%s", v->problem->text);
  if (!pr->err)
    return SD_ENOENT;
  sd_material m, canonical;
  char file[32], name[16];
  sd_key_to_material (b->key, &m);
  sd_material_canonical (&m, &canonical);
  sd_table_file_name (&canonical, metric, file);
  sd_material root, root_canonical;
  sd_material_of (pr->root, &root);
  sd_material_canonical (&root, &root_canonical);
  sd_material_name (&root_canonical, name);
  char where[sizeof pr->err->text];
  sd_path_said (pr->ts->path, where, sizeof where);
  if (sd_material_equal (&canonical, &root_canonical))
    return sd_fail_missing (pr->err, file, "%s: not found in %s", file, where);
  return sd_fail_missing (pr->err, file, "%s: not found in %s, needed by %s", file, where, name);
}

int sd_probe_damaged (const sd_probing *pr, const sd_view *v, const sd_pos *p, const char *what,
                      long number) {
  if (!pr->err)
    return SD_EFORMAT;
  char file[32], fen[96];
  sd_table_file_name (&v->material, v->metric, file);
  sd_pos_to_fen (p, fen, sizeof fen);
  return sd_fail (pr->err, SD_EFORMAT, "%s: %s: %s (%ld)", v->path ? v->path : file, fen, what, number);
}

int sd_probe_unreadable (const sd_probing *pr, const sd_view *v, const sd_pos *p, int status, uint64_t slot) {
  if (status == SD_EFORMAT)
    return sd_probe_damaged (pr, v, p, "its slot cannot be decoded", (long) slot);
  if (!pr->err)
    return status;
  char file[32], fen[96];
  sd_table_file_name (&v->material, v->metric, file);
  sd_pos_to_fen (p, fen, sizeof fen);
  return sd_fail (pr->err, status, "%s: %s: slot %" PRIu64 ": %s", v->path ? v->path : file, fen, slot,
                  status == SD_ECHECKSUM
                      ? "the file is damaged here: the bytes that hold this slot do not have "
                        "their checksum"
                      : sd_strerror (status));
}

int sd_probe_refused (const sd_probing *pr) {
  const sd_pos *p = pr->root;
  const int men = __builtin_popcountll (p->occ[0] | p->occ[1]);
  if (men > SD_MAX_MEN)
    return sd_fail (pr->err, SD_EINVAL, "the position has %d men: tables hold at most %d", men, SD_MAX_MEN);
  return sd_fail (pr->err, SD_EINVAL, "the position is not legal, so no table has a value for it");
}
