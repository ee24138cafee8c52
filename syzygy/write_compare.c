/* What a file holds beside what its slots may hold: all slots one after the other, and some of them by
 * themselves, as a probe reads them, so that the sparse index is walked both ways. */
#include "config.h"
#include "syzygy/syzygy_write.h"
#include <inttypes.h>
#include <stdlib.h>

enum { CHUNK = 1 << 16, ALONE = 61 };

static int compare_chunk (const sd_syzygy_pairs *p, const sd_seq *slots, uint64_t first, uint64_t count,
                          uint16_t *value, uint64_t *at) {
  const unsigned m = sd_alphabet_main (slots->alphabet);
  *at = first;
  SD_TRY (sd_syzygy_pairs_read (p, first, count, value));
  for (uint64_t i = 0; i < count; i++) {
    unsigned alone = value[i];
    *at = first + i;
    /* Some slots by themselves, through the sparse index; the last one always. */
    if ((first + i) % ALONE == 0 || first + i + 1 == slots->n)
      SD_TRY (sd_syzygy_pairs_get (p, first + i, &alone));
    if (alone != value[i] || alone >= m
        || !sd_admits (slots->alphabet, slots->sym[first + i], (sd_symbol) alone))
      return SD_EDIFF;
  }
  return SD_OK;
}

int sd_syzygy_compare (const sd_syzygy *file, unsigned sub_table, unsigned stream, const sd_seq *slots,
                       sd_error *err) {
  const sd_syzygy_pairs *p = &file->pairs[sub_table][stream];
  const uint64_t chunks = (slots->n + CHUNK - 1) / CHUNK;
  SD_OWNED uint16_t *value = sd_alloc (CHUNK, sizeof *value);

  if (!value)
    return sd_fail_memory (err, CHUNK * sizeof *value);
  if (slots->n != p->index.slots)
    return sd_fail (err, SD_EDIFF, "sub-table %u has %" PRIu64 " slots, not %" PRIu64, sub_table,
                    p->index.slots, slots->n);
  for (uint64_t c = 0; c < chunks; c++) {
    uint64_t at;
    const uint64_t first = c * CHUNK, left = slots->n - first;
    const int status = compare_chunk (p, slots, first, left < CHUNK ? left : CHUNK, value, &at);
    if (status)
      return sd_fail (err, status, "sub-table %u, side %u, slot %" PRIu64 ": %s", sub_table, stream, at,
                      status == SD_EDIFF ? "not a value that it may hold" : "cannot be read");
  }
  return SD_OK;
}
