/* Load balancing: messages as words, for transports. Type, level and numbers in four words, then the loads.
 */
#include "config.h"
#include "gen/balance/balance.h"
#include <string.h>

/* The words that it took, 0: `cap` is too small. In word 0: the type in bits 0-2, busy in bit 3, the level in
 * bits 4-15, the number of loads above. More tasks than 32 bits hold are told as the most that they hold. */
size_t sd_balance_pack (const sd_balance_message *m, uint32_t *word, size_t cap) {
  const size_t n = m->type == SD_BALANCE_LOADS ? m->n : 0;
  if (cap < SD_BALANCE_WORDS + n)
    return 0;
  word[0] = (uint32_t) m->type | (uint32_t) m->busy << 3 | m->level << 4 | (uint32_t) n << 16;
  word[1] = (uint32_t) m->manager;
  memcpy (&word[2], &m->load, 4);
  word[3] = m->tasks < UINT32_MAX ? (uint32_t) m->tasks : UINT32_MAX;
  if (n > 0)
    memcpy (&word[SD_BALANCE_WORDS], m->loads, n * 4);
  return SD_BALANCE_WORDS + n;
}

/* 0: no message. The loads stay in the words, which must outlive m. */
size_t sd_balance_unpack (const uint32_t *word, size_t n, sd_balance_message *m) {
  if (n < SD_BALANCE_WORDS || (word[0] & 7) >= SD_BALANCE_TYPES || word[1] > INT32_MAX
      || word[0] >> 16 > n - SD_BALANCE_WORDS)
    return 0;
  *m = (sd_balance_message){ .type = (enum sd_balance_type) (word[0] & 7),
                             .busy = word[0] >> 3 & 1,
                             .level = word[0] >> 4 & 0xfff,
                             .manager = (int) word[1],
                             .tasks = word[3],
                             .n = word[0] >> 16 };
  memcpy (&m->load, &word[2], 4);
  m->loads = m->n ? (const float *) (const void *) &word[SD_BALANCE_WORDS] : NULL;
  return SD_BALANCE_WORDS + m->n;
}
