/* A request for memory that fails while a stream is made: each in turn, on one thread. Linked with sd_alloc,
 * sd_alloc0 and sd_grow_array sent here. The encoder says so, or has made the stream without what it asked
 * for; it never goes on with what it has not got. */
#include "config.h"
#include "codecs/codecs.h"
#include "codecs/row.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

void *__real_sd_alloc (uint64_t n, size_t size);
void *__real_sd_alloc0 (uint64_t n, size_t size);
void *__wrap_sd_alloc (uint64_t n, size_t size);
void *__wrap_sd_alloc0 (uint64_t n, size_t size);

bool __real_sd_grow_array (void *array, uint64_t *cap, uint64_t need, size_t size);
bool __wrap_sd_grow_array (void *array, uint64_t *cap, uint64_t need, size_t size);

static long left = -1; /* requests that are met before one fails; -1: all are */

static bool fails (void) {
  return left >= 0 && left-- == 0;
}
void *__wrap_sd_alloc (uint64_t n, size_t size) {
  return fails () ? NULL : __real_sd_alloc (n, size);
}
void *__wrap_sd_alloc0 (uint64_t n, size_t size) {
  return fails () ? NULL : __real_sd_alloc0 (n, size);
}
bool __wrap_sd_grow_array (void *array, uint64_t *cap, uint64_t need, size_t size) {
  return !fails () && __real_sd_grow_array (array, cap, need, size);
}

enum { N = 10 * 8 * 9 * 7, MOST = 5000 };

/* With m main symbols. */
static void fail_each_request (const sd_codec *codec, const char *settings, unsigned m) {
  sd_alphabet *a;
  sd_symbol star;
  sd_settings set;
  uint64_t rng = 1;
  long requests = 0;
#ifdef _OPENMP
  omp_set_num_threads (1);
#endif
  cr_assert_eq (sd_alphabet_new (m, &a), SD_OK);
  cr_assert_eq (sd_alphabet_add_range (a, 0, m - 1, &star), SD_OK);
  cr_assert_eq (sd_settings_parse (codec, settings, &set, NULL), SD_OK);
  sd_seq q = {
    .alphabet = a, .n = N, .ndims = 4, .radix = { 10, 8, 9, 7 }, .sym = sd_alloc (N, sizeof *q.sym)
  };
  for (unsigned i = 0; i < N; i++)
    q.sym[i] = sd_random (&rng) % 5 ? (sd_symbol) ((i / 63 % 8 * 7 + i % 7) * 37 % (m + 8) % m) : star;
  for (bool met = false; !met && requests < MOST; requests++) {
    sd_buf out = { 0 };
    sd_error err = { 0 };
    left = requests;
    const int st = sd_codec_encode (codec, &q, &set, NULL, &out, &err);
    met = left >= 0;
    left = -1;
    cr_expect_eq (st, met ? SD_OK : SD_ENOMEM, "%s, request %ld: %s", codec->name, requests, err.text);
    sd_buf_free (&out);
  }
  cr_expect (requests > 20 && requests < MOST, "%ld requests", requests);
  free (q.sym);
  sd_alphabet_free (a);
}

Test (requests, each_that_fails_ends_the_encoder_of_trees) {
  fail_each_request (&sd_codec_trees, "samples=3,trees=3", 3);
  fail_each_request (&sd_codec_forest, "samples=3,trees=3", 3);
}

/* Few symbols, whose pairs are counted in a matrix, and many. */
Test (requests, each_that_fails_ends_the_encoder_of_repair) {
  fail_each_request (&sd_codec_repair, "", 3);
  fail_each_request (&sd_codec_repair, "initial=none,min=2", 300);
}
