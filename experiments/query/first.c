/* first_of (id, what, x, y, ...): the id of the first row that was asked with these values, `what` among
 * them, a word for each question. Rows that come by rising id are so numbered by their texts without being
 * sorted by them: of 100,000 rows a third of the time. Only our own tables may ask, as the answer depends on
 * what was asked before. Cost: a look-up in a hash table; the texts once.
 *
 * lines.sql numbers lines, subjects, choices and kinds of rows with it, each by a word of its own
 * (`what`). */
#include "config.h"
#include "experiments/query/query_internal.h"
#include <stdlib.h>
#include <string.h>

/* A key that was asked, and the id that came with it first. */
typedef struct first {
  uint64_t hash;
  size_t text, length; /* in texts; length 0: free */
  int64_t id;
} first;

/* An open hash table, and the keys themselves, one behind the other. `key` is the one in work. It lives as
 * long as the function: SQLite frees it with the connection (firsts_free). */
typedef struct firsts {
  first *slot;      /* [size] */
  uint64_t size, n; /* size: a power of two, or 0 at first; n: slots that are taken */
  sd_buf texts, key;
} firsts;

static void firsts_free (void *user) {
  firsts *all = user;
  free (all->slot);
  sd_buf_free (&all->texts);
  sd_buf_free (&all->key);
  free (all);
}

/* Where a key is or belongs. Slots are tried from the hash on; as half of them are free the search ends. */
static first *slot_of (const firsts *all, uint64_t hash, const void *key, size_t length) {
  for (uint64_t i = hash & (all->size - 1);; i = (i + 1) & (all->size - 1)) {
    first *f = &all->slot[i];
    if (!f->length
        || (f->hash == hash && f->length == length && memcmp (all->texts.data + f->text, key, length) == 0))
      return f;
  }
}

/* At least half of the slots are free. If need be the table becomes twice as large; the texts stay where they
 * are. False: no memory, and the table is as it was. */
static bool make_room (firsts *all) {
  if (all->size > 2 * all->n)
    return true;
  firsts more = { .size = all->size ? 2 * all->size : 1024, .texts = all->texts };
  more.slot = sd_alloc0 (more.size, sizeof *more.slot);
  if (!more.slot)
    return false;
  for (uint64_t i = 0; i < all->size; i++)
    if (all->slot[i].length)
      *slot_of (&more, all->slot[i].hash, all->texts.data + all->slot[i].text, all->slot[i].length) =
          all->slot[i];
  free (all->slot);
  all->slot = more.slot;
  all->size = more.size;
  return true;
}

/* The values, each with its type, so that NULL is no empty text. */
static void make_key (sd_buf *key, int n, sqlite3_value **value) {
  key->len = 0;
  for (int i = 0; i < n; i++) {
    const char *text = (const char *) sqlite3_value_text (value[i]);
    sd_buf_u8 (key, (uint8_t) sqlite3_value_type (value[i]));
    sd_buf_append (key, text ? text : "", text ? strlen (text) + 1 : 1);
  }
}

/* The function itself: argv[0] is the id of the row in work, all behind it is the key. */
static void first_of (sqlite3_context *c, int argc, sqlite3_value **argv) {
  firsts *all = sqlite3_user_data (c);
  make_key (&all->key, argc - 1, argv + 1);
  if (all->key.failed || !make_room (all)) {
    sqlite3_result_error_nomem (c);
    return;
  }
  const uint64_t hash = sd_hash64 (all->key.data, all->key.len);
  first *f = slot_of (all, hash, all->key.data, all->key.len);
  if (!f->length) {
    *f = (first){ hash, all->texts.len, all->key.len, sqlite3_value_int64 (argv[0]) };
    sd_buf_append (&all->texts, all->key.data, all->key.len);
    all->n++;
  }
  if (all->texts.failed)
    sqlite3_result_error_nomem (c);
  else
    sqlite3_result_int64 (c, f->id);
}

/* It is not deterministic in SQLite's sense, which would let it answer from another row's call, and not in
 * the list of functions that the authorizer lets pass (sd_query_add). */
bool sd_query_add_first (sd_query *q) {
  firsts *all = sd_alloc0 (1, sizeof *all);
  return all
         && sqlite3_create_function_v2 (q->db, "first_of", -1, SQLITE_UTF8, all, first_of, NULL, NULL,
                                        firsts_free)
                == SQLITE_OK;
}
