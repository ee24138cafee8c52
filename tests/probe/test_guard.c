/* Checksums that are compared when their bytes are first read: whatever byte of a stream is damaged, a
 * decoder gives the right symbol or a status, and slots whose bytes are sound are still read; in one stream,
 * in pieces, in clusters, and with decoded blocks that are kept. Chunks of 64 bytes here, so that small
 * streams have many. */
#include "config.h"
#include "codecs/blocks/blocks.h"
#include "codecs/codecs.h"
#include "table/table.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK_BITS = 6, N = 2000, M = 40 };

typedef struct guarded {
  sd_buf stream;
  uint8_t *sums;
  uint32_t *state;
  sd_guard guard;
  sd_block_cache *cache; /* NULL: nothing is kept */
} guarded;

static uint64_t chunks_of (const guarded *g) {
  return ((g->stream.len - 1) >> CHUNK_BITS) + 1;
}

/* The sums of the stream as it is. */
static void set_sums (guarded *g) {
  g->sums = malloc (4 * chunks_of (g));
  g->state = malloc (chunks_of (g) * sizeof *g->state);
  cr_assert (g->sums && g->state);
  for (uint64_t c = 0; c < chunks_of (g); c++) {
    const uint64_t at = c << CHUNK_BITS, rest = g->stream.len - at;
    const uint64_t sum = sd_hash64 (g->stream.data + at, rest < 1u << CHUNK_BITS ? rest : 1u << CHUNK_BITS);
    for (unsigned k = 0; k < 4; k++)
      g->sums[4 * c + k] = (uint8_t) (sum >> 8 * k);
  }
}

static int open_guarded (guarded *g, const sd_codec *codec, unsigned m, sd_decoder **d) {
  memset (g->state, SD_CHUNK_NEW, chunks_of (g) * sizeof *g->state);
  g->guard = (sd_guard){ g->stream.data, g->stream.len, CHUNK_BITS, g->sums, g->state, NULL };
  const sd_stream s = {
    .codec = codec, .guard = &g->guard, .data = g->stream.data, .len = g->stream.len, .n = N, .m = m
  };
  const int st = sd_stream_open (&s, d, NULL);
  return st || !g->cache ? st : sd_codec_cached (*d, g->cache, d, NULL);
}

typedef struct outcome {
  unsigned refused, late, sound;
} outcome;

/* All symbols of a damaged stream, one by one and some at a time, against those of the sound one. */
static void compare (const sd_codec *codec, const sd_decoder *d, const sd_symbol *want, size_t byte,
                     outcome *sum) {
  static sd_symbol some[N];
  unsigned late = 0, sound = 0;
  for (uint64_t i = 0; i < N; i += 29) {
    sd_symbol v;
    const int st = sd_codec_get (d, i, &v);
    cr_assert (st == SD_ECHECKSUM || (st == SD_OK && v == want[i]), "%s: byte %zu, slot %d: status %d",
               codec->name, byte, (int) i, st);
    late += st != SD_OK;
    sound += st == SD_OK;
  }
  for (uint64_t i = 0; i < N; i += 500) {
    const int st = sd_codec_read (d, i, 500, some);
    cr_assert (st == SD_ECHECKSUM || (st == SD_OK && memcmp (some, want + i, 500 * sizeof *some) == 0),
               "%s: byte %zu, slots from %d on: status %d", codec->name, byte, (int) i, st);
  }
  cr_assert (sd_codec_read (d, 0, N, some) == SD_ECHECKSUM || late == 0, "%s: byte %zu", codec->name, byte);
  sum->late += late > 0;
  sum->sound += sound > 0;
}

static sd_buf encode (const sd_codec *codec, const char *text, const sd_seq *seq) {
  sd_buf stream = { 0 };
  sd_settings set;
  cr_assert (sd_settings_parse (codec, text, &set, NULL) == SD_OK);
  cr_assert (sd_codec_encode (codec, seq, &set, NULL, &stream, NULL) == SD_OK);
  return stream;
}

/* Every seventh byte of a stream (freed here) damaged, one after the other. budget: bytes of decoded blocks
 * that are kept; 0: none. */
static void check_stream (const sd_codec *codec, sd_buf stream, unsigned kind, uint64_t budget) {
  static sd_symbol want[N];
  guarded g = { .stream = stream };
  outcome sum = { 0 };
  sd_decoder *d;
  cr_assert_eq (g.stream.data[0], kind, "%s", codec->name);
  if (budget)
    cr_assert_eq (sd_block_cache_new (budget, &g.cache, NULL), SD_OK);
  set_sums (&g);
  cr_assert (open_guarded (&g, codec, M, &d) == SD_OK, "%s: sound", codec->name);
  cr_assert (!budget || d->ops != codec->ops, "%s: nothing is kept", codec->name);
  cr_assert (sd_codec_read (d, 0, N, want) == SD_OK);
  sd_codec_close (d);
  cr_assert (g.stream.len > 8u << CHUNK_BITS, "%s: %zu bytes", codec->name, g.stream.len);
  unsigned rounds = 0;
  for (size_t byte = 0; byte < g.stream.len; byte += 7, rounds++) {
    g.stream.data[byte] ^= (uint8_t) (1u << byte % 8);
    const int st = open_guarded (&g, codec, M, &d);
    cr_assert (st == SD_OK || st == SD_ECHECKSUM || st == SD_EFORMAT, "%s: status %d", codec->name, st);
    sum.refused += st != SD_OK;
    if (!st)
      compare (codec, d, want, byte, &sum);
    sd_codec_close (d);
    g.stream.data[byte] ^= (uint8_t) (1u << byte % 8);
  }
  cr_expect_eq (sum.refused + sum.late, rounds, "%s: damage of %u bytes, told of %u", codec->name, rounds,
                sum.refused + sum.late);
  if (codec->checks_while_reading)
    cr_expect (sum.sound > rounds / 4, "%s: in %u of %u rounds some slots were read", codec->name, sum.sound,
               rounds);
  sd_block_cache_free (g.cache);
  sd_buf_free (&g.stream);
  free (g.sums);
  free (g.state);
}

static sd_symbol made[N];
static sd_seq seq = { .sym = made, .n = N };
static sd_alphabet *alphabet;
static const sd_codec *const *all;
static size_t ncodecs;

/* Runs, so that codecs find something, and noise, so that they need bytes. */
static void make (void) {
  uint64_t rng = 3;
  all = sd_codec_all (&ncodecs);
  cr_assert_eq (sd_alphabet_new (M, &alphabet), SD_OK);
  for (unsigned i = 0; i < N; i++)
    made[i] = (sd_symbol) (sd_random (&rng) % 4 || i == 0 ? sd_random (&rng) % M : made[i - 1]);
  seq.alphabet = alphabet;
}

static void clear (void) {
  sd_alphabet_free (alphabet);
}
TestSuite (guard, .init = make, .fini = clear);

/* Small blocks, so that most of them lie in sound chunks. */
static const char *small (const sd_codec *codec) {
  static char text[32];
  text[0] = 0;
  for (const sd_tunable *t = codec->tunables; t->key; t++)
    if (strcmp (t->key, "block") == 0)
      snprintf (text, sizeof text, "block=%ld", t->min < 128 ? 128 : t->min);
  return text;
}

Test (guard, no_codec_believes_a_damaged_byte) {
  for (size_t c = 0; c < ncodecs; c++) {
    check_stream (all[c], encode (all[c], small (all[c]), &seq), SD_STREAM_CODEC, 0);
    if (strcmp (all[c]->name, "repair") == 0)
      check_stream (all[c], encode (all[c], "entropy=rans", &seq), SD_STREAM_CODEC, 0);
  }
}

/* As if each codec took so few slots at once; those whose slots need no neighbours take any number. */
Test (guard, no_codec_believes_a_damaged_byte_of_its_pieces) {
  for (size_t c = 0; c < ncodecs; c++) {
    sd_codec few = *all[c];
    few.in_pieces = true;
    few.max_slots = N / 3;
    if (!few.makes_clusters)
      check_stream (&few, encode (&few, small (&few), &seq), SD_STREAM_PIECES, 0);
  }
}

/* Three streams of all slots, each asked for its own. */
Test (guard, no_codec_believes_a_damaged_byte_of_its_clusters) {
  unsigned checked = 0;
  for (size_t c = 0; c < ncodecs; c++)
    if (all[c]->makes_clusters) {
      sd_buf one = encode (all[c], "order=pieces", &seq), two = { 0 }, three = { 0 };
      cr_assert_eq (sd_codec_put_fork (&(sd_fork){ 10, 10, 4 }, &one, &one, &two), SD_OK);
      cr_assert_eq (sd_codec_put_fork (&(sd_fork){ 100, 20, 7 }, &one, &two, &three), SD_OK);
      sd_buf_free (&one);
      sd_buf_free (&two);
      check_stream (all[c], three, SD_STREAM_CLUSTERS, 0);
      checked++;
    }
  cr_expect_gt (checked, 0);
}

/* All blocks are kept, or only some; a damaged one never is. */
Test (guard, no_damaged_block_is_kept) {
  unsigned checked = 0;
  for (size_t c = 0; c < ncodecs; c++)
    if (all[c]->blocks)
      for (unsigned some = 0; some < 2; some++, checked++)
        check_stream (all[c], encode (all[c], small (all[c]), &seq), SD_STREAM_CODEC, some ? 700 : 1 << 20);
  cr_expect_gt (checked, 0);
}

/* ---------------------------------------------------------------- processes */

/* 64 chunks in a file, which are read when they are first asked for. */
enum { FILE_CHUNKS = 64, FILE_BYTES = FILE_CHUNKS << CHUNK_BITS };
typedef struct in_file {
  FILE *file;
  uint8_t sound[FILE_BYTES], read[FILE_BYTES], sums[4 * FILE_CHUNKS];
  uint32_t state[FILE_CHUNKS];
  sd_guard_file from;
  sd_guard guard;
} in_file;

static void put_in_file (in_file *f) {
  guarded g = { .stream = { .data = f->sound, .len = FILE_BYTES } };
  uint64_t rng = 5;
  for (unsigned i = 0; i < FILE_BYTES; i++)
    f->sound[i] = (uint8_t) sd_random (&rng);
  set_sums (&g);
  memcpy (f->sums, g.sums, sizeof f->sums);
  free (g.sums);
  free (g.state);
  f->file = tmpfile ();
  cr_assert (f->file && fwrite (f->sound, FILE_BYTES, 1, f->file) == 1 && fflush (f->file) == 0);
  f->from = (sd_guard_file){ fileno (f->file), 0 };
  f->guard = (sd_guard){ f->read, FILE_BYTES, CHUNK_BITS, f->sums, f->state, &f->from };
}

static bool reads_all (const in_file *f) {
  return sd_guard_check (&f->guard, f->read, FILE_BYTES) == SD_OK
         && memcmp (f->read, f->sound, FILE_BYTES) == 0;
}

/* What a child that looks as long as `seconds` exits with; -1: a signal ended it. */
static int in_child (const in_file *f, unsigned seconds) {
  const pid_t child = fork ();
  int status;
  cr_assert_geq (child, 0);
  if (child == 0) {
    alarm (seconds);
    _exit (reads_all (f) ? 0 : 1);
  }
  cr_assert_eq (waitpid (child, &status, 0), child);
  return WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

Test (guard, a_child_reads_what_a_thread_of_its_parent_was_reading) {
  static in_file f;
  put_in_file (&f);
  f.state[7] = SD_CHUNK_READING | (uint32_t) getpid () << 2; /* as a thread that is interrupted leaves it */
  cr_expect_eq (in_child (&f, 10), 0);
  f.state[7] = SD_CHUNK_NEW;
  cr_expect (reads_all (&f));
  fclose (f.file);
}

static bool stop;

static void *read_again_and_again (void *ctx) {
  in_file *f = ctx;
  while (!__atomic_load_n (&stop, __ATOMIC_RELAXED)) {
    for (unsigned c = 0; c < FILE_CHUNKS; c++)
      __atomic_store_n (f->state + c, SD_CHUNK_NEW, __ATOMIC_RELEASE);
    sd_guard_check (&f->guard, f->read, FILE_BYTES);
  }
  return NULL;
}

Test (guard, a_process_may_fork_while_a_thread_reads) {
  static in_file f;
  pthread_t thread;
  put_in_file (&f);
  cr_assert_eq (pthread_create (&thread, NULL, read_again_and_again, &f), 0);
  for (unsigned i = 0; i < 40; i++)
    cr_expect_eq (in_child (&f, 10), 0, "fork %u", i);
  __atomic_store_n (&stop, true, __ATOMIC_RELAXED);
  pthread_join (thread, NULL);
  cr_expect (reads_all (&f));
  fclose (f.file);
}
