/* subdef bench FILE: one's own file by every codec, in the manner of lzbench: bytes, encoding, decoding,
 * single slots, the plain copy first. Everything happens in memory. Each table is read back and compared with
 * the data, slot by slot, so that no codec is fast because it is wrong. */
#include "config.h"
#include "codecs/codecs.h"
#include "experiments/run/run.h"
#include "tools/arrays.h"
#include "tools/bench/bench.h"
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Each of three measurements is repeated for SECONDS, and its fastest reading counts: what else the machine
 * does can only add. A reading is of so many passes that it takes READING seconds, beside which a look at the
 * clock is nothing. CHECKED: lookups between two looks at the clock. */
#define SECONDS 0.3
#define READING 1e-3
enum { CHECKED = 64, SETTINGS = 512 /* letters */ };

/* The file. */
typedef struct subject {
  sd_array_shape shape;
  sd_subdefined *d;
  double bytes; /* of the values alone */
  uint64_t *slot;
  unsigned nslots; /* that are looked up, one after the other */
} subject;

/* A row of the table; below 0: not measured. */
typedef struct result {
  const char *codec;
  char settings[SETTINGS];
  uint64_t bytes;
  double encode_s, decode_s, access_ns;
} result;

static void free_subject (subject *of) {
  sd_subdefined_free (of->d);
  free (of->slot);
}

/* -------------------------------------------------------------- measuring */

/* Seconds of a pass in the fastest reading; below 0: *st says why it failed. */
static double fastest (int (*pass) (void *ctx, sd_error *err), void *ctx, int *st, sd_error *err) {
  const double start = sd_now ();
  double best = INFINITY;
  unsigned passes = 1;
  do {
    const double before = sd_now ();
    for (unsigned i = 0; i < passes; i++)
      if ((*st = pass (ctx, err)) != SD_OK)
        return -1;
    const double took = sd_now () - before;
    best = fmin (best, took / passes);
    if (took < READING)
      passes *= 2;
  } while (sd_now () - start < SECONDS);
  return best;
}

/* Nanoseconds for one slot, of all that are looked up once or more often, or as many as SECONDS have room
 * for. */
static double lookups (const subject *of, int (*look) (void *ctx, uint64_t slot), void *ctx) {
  double best = INFINITY;
  const double start = sd_now ();
  do {
    const int64_t before = sd_clock_ns ();
    int64_t took = 0;
    unsigned i = 0;
    for (unsigned at = 0;
         (i < of->nslots || (double) took < 1e9 * READING) && (double) took < 1e9 * SECONDS;) {
      for (unsigned k = 0; k < CHECKED; k++, i++, at = at + 1 < of->nslots ? at + 1 : 0)
        if (look (ctx, of->slot[at]) != SD_OK)
          return -1;
      took = sd_clock_ns () - before;
    }
    best = fmin (best, (double) took / i);
  } while (sd_now () - start < SECONDS);
  return best;
}

/* ---------------------------------------------------------- the plain copy */

typedef struct copy {
  uint8_t *from, *to;
  size_t n;
  unsigned width;
  uint32_t sum; /* so that no lookup is left out */
} copy;

static int copy_pass (void *ctx, sd_error *err) {
  copy *c = ctx;
  (void) err;
  memcpy (c->to, c->from, c->n);
  /* As if somebody read it. */
  __asm__ volatile("" : : "r"(c->to) : "memory");
  return SD_OK;
}

static int copy_look (void *ctx, uint64_t slot) {
  copy *c = ctx;
  c->sum += c->to[slot * c->width];
  return SD_OK;
}

/* Any bytes will do: a copy takes as long whatever they are. */
static int measure_copy (const subject *of, result *r, sd_error *err) {
  const size_t n = (size_t) of->bytes;
  copy c = { .n = n, .width = sd_array_types[of->shape.type].bytes };
  int st = SD_OK;
  SD_OWNED uint8_t *from = c.from = sd_alloc0 (n, 1), *to = c.to = sd_alloc0 (n, 1);
  if (!from || !to)
    return sd_fail_memory (err, n);
  memset (from, 1, n);
  *r = (result){ .codec = "plain copy", .bytes = n };
  r->encode_s = r->decode_s = fastest (copy_pass, &c, &st, err);
  r->access_ns = lookups (of, copy_look, &c);
  return c.sum ? SD_OK : sd_fail (err, SD_EDIFF, "plain copy: the copy is another one");
}

/* ------------------------------------------------------------------ codecs */

typedef struct coding {
  const subject *of;
  const sd_array_codec *how;
  const sd_progress *progress;
  const sd_array *a;
} coding;

static int encode_pass (void *ctx, sd_error *err) {
  const coding *c = ctx;
  sd_buf stream SD_RELEASED_BY (sd_buf_free) = { 0 };
  return sd_codec_encode (c->how->codec, &c->of->d->seq, &c->how->settings, c->progress, &stream, err);
}

/* By pieces, which threads take as they come. */
static int decode_pass (void *ctx, sd_error *err) {
  const coding *c = ctx;
  const uint64_t n = c->of->shape.n;
  int st = SD_OK;
#pragma omp parallel for schedule(dynamic)
  for (uint64_t first = 0; first < n; first += SD_BENCH_PIECE) {
    int32_t room[SD_BENCH_PIECE];
    const int one =
        sd_array_read (c->a, first, n - first < SD_BENCH_PIECE ? n - first : SD_BENCH_PIECE, room, NULL);
    if (one != SD_OK) {
#pragma omp atomic write
      st = one;
    }
  }
  return st == SD_OK ? SD_OK : sd_fail (err, st, "decoding: %s", sd_strerror (st));
}

static int look_up (void *ctx, uint64_t slot) {
  const coding *c = ctx;
  int32_t value;
  return sd_array_get (c->a, slot, &value, NULL);
}

/* When the encoder that is at work has had its time. */
static double deadline;
static bool is_late (void *ctx) {
  (void) ctx;
  return sd_now () > deadline;
}

/* The file that `subdef reformat` would write is made once, compared, and read from. */
static int measure_codec (const subject *of, const sd_array_codec *how, double limit, result *r,
                          sd_error *err) {
  const sd_progress progress = { .report = sd_terminal.report, .ctx = sd_terminal.ctx, .stop = is_late };
  SD_OWN (sd_array) *a = NULL;
  sd_buf image SD_RELEASED_BY (sd_buf_free) = { 0 };
  coding c = { .of = of, .how = how, .progress = &progress };
  int st = SD_OK;

  *r = (result){ .codec = how->codec->name };
  sd_settings_differing (&how->settings, r->settings, sizeof r->settings);
  const double start = sd_now ();
  deadline = start + limit;
  st = sd_array_image (&of->shape, of->d, how, &progress, &image, err);
  if (st == SD_ESTOPPED)
    return sd_fail (err, st, "stopped after %.0f s (--limit)", limit);
  SD_TRY (st);
  /* Where it took long, header and checksums are nothing, and it is not done again. */
  r->encode_s = sd_now () - start;
  SD_TRY (sd_array_open_memory (image.data, image.len, r->codec, SD_OPEN_CHECK, &a, err));
  SD_TRY (sd_array_compare (&of->shape, of->d, a, err));
  c.a = a;
  r->bytes = image.len;

  deadline = INFINITY;
  if (r->encode_s < SECONDS)
    r->encode_s = fastest (encode_pass, &c, &st, err);
  SD_TRY (st);
  sd_terminal_clear ();
  r->decode_s = fastest (decode_pass, &c, &st, err);
  SD_TRY (st);
  r->access_ns = lookups (of, look_up, &c);
  return SD_OK;
}

/* ----------------------------------------------------------------- telling */

/* How rows are told: lines of text, CSV, or objects in `rows`. */
typedef struct telling {
  const char *path;
  const subject *of;
  bool csv;
  json_t *rows;
} telling;

static double mb_per_s (const subject *of, double seconds) {
  return of->bytes / 1e6 / fmax (seconds, 1e-9);
}

/* "1,234", "12.3", "0.542". */
static const char *number (double v, char out[32]) {
  if (v >= 1000)
    snprintf (out, 32, "%s", sd_tool_count ((uint64_t) (v + .5)));
  else
    snprintf (out, 32, "%.*f", v < 10 ? 3 : 1, v);
  return out;
}

enum { SHAPE = 192 /* letters */ };

/* A row that says of which file it is, and takes over `told`. */
static void add_row (const telling *to, const result *r, json_t *told) {
  char shape[SHAPE];
  sd_array_shape_text (&to->of->shape, shape);
  json_t *row = json_pack ("{s:o, s:s, s:s, s:s, s:s}", "file", sd_json_text (to->path), "type",
                           sd_array_types[to->of->shape.type].name, "shape", shape, "codec", r->codec,
                           "settings", r->settings);
  json_object_update (row, told);
  json_decref (told);
  json_array_append_new (to->rows, row);
}

static void say_head (const telling *to, unsigned threads) {
  char shape[SHAPE];
  sd_array_shape_text (&to->of->shape, shape);
  if (to->csv)
    puts ("codec,settings,bytes,ratio,encode_mb_s,decode_mb_s,access_ns,error");
  else if (!to->rows)
    printf ("%s: %s %s, %s bytes; %u thread%s\n%-32s %14s %8s %12s %12s %12s\n", to->path,
            sd_array_types[to->of->shape.type].name, shape, sd_tool_count ((uint64_t) to->of->bytes), threads,
            threads == 1 ? "" : "s", "codec and settings", "bytes", "ratio %", "encode MB/s", "decode MB/s",
            "ns a slot");
}

static void say (const telling *to, const result *r) {
  const double ratio = (double) r->bytes / to->of->bytes, encode = mb_per_s (to->of, r->encode_s),
               decode = mb_per_s (to->of, r->decode_s);
  char name[sizeof r->settings + 32], text[3][32];
  snprintf (name, sizeof name, "%s%s%s", r->codec, *r->settings ? "," : "", r->settings);
  if (to->rows)
    add_row (to, r,
             json_pack ("{s:I, s:f, s:f, s:f, s:f}", "bytes", (json_int_t) r->bytes, "ratio", ratio,
                        "encode_mb_s", encode, "decode_mb_s", decode, "access_ns", r->access_ns));
  else if (to->csv)
    printf ("%s,\"%s\",%" PRIu64 ",%.6f,%.4g,%.4g,%.4g,\n", r->codec, r->settings, r->bytes, ratio, encode,
            decode, r->access_ns);
  else
    printf ("%-32s %14s %8.3f %12s %12s %12s\n", name, sd_tool_count (r->bytes), 100 * ratio,
            number (encode, text[0]), number (decode, text[1]), number (r->access_ns, text[2]));
  fflush (stdout);
}

static void say_failed (const telling *to, const result *r, const char *why) {
  char name[sizeof r->settings + 32];
  snprintf (name, sizeof name, "%s%s%s", r->codec, *r->settings ? "," : "", r->settings);
  if (to->rows)
    add_row (to, r, json_pack ("{s:o}", "error", sd_json_text (why)));
  else if (to->csv) {
    printf ("%s,\"%s\",,,,,,\"", r->codec, r->settings);
    for (const char *at = why; *at; at++)
      printf (*at == '"' ? "\"\"" : "%c", *at);
    puts ("\"");
  } else
    printf ("%-32s %s\n", name, why);
}

/* ----------------------------------------------------------------- command */

/* "repair,block=32": a codec, and its settings as for --set. */
static int read_codec (const char *text, sd_array_codec *out, sd_error *err) {
  const char *comma = strchr (text, ',');
  char name[64];
  snprintf (name, sizeof name, "%.*s", comma ? (int) (comma - text) : (int) strlen (text), text);
  return sd_tool_codec (name, comma ? comma + 1 : NULL, &out->codec, &out->settings, err);
}

/* A source has its freedom; a table's slots have one value each. */
static int load (const char *path, const sd_bench_options *how, subject *of, sd_error *err) {
  if (!sd_array_is (path)) {
    SD_TRY (sd_array_read_plain (path, &how->plain, &of->shape, &of->d, err));
  } else {
    SD_OWN (sd_array) *a = NULL;
    sd_array_info in;
    SD_TRY (sd_array_open (path, SD_OPEN_CHECK, &a, err));
    sd_array_describe (a, &in);
    of->shape = in.shape;
    SD_TRY (sd_array_load (a, &of->d, err));
  }

  of->bytes = (double) of->shape.n * sd_array_types[of->shape.type].bytes;
  of->nslots = how->count;
  of->slot = sd_alloc (of->nslots, sizeof *of->slot);
  if (!of->slot)
    return sd_fail_memory (err, of->nslots * sizeof *of->slot);
  uint64_t state = how->seed;
  for (unsigned i = 0; i < of->nslots; i++)
    of->slot[i] = sd_random (&state) % of->shape.n;
  return SD_OK;
}

/* What cannot code the file is told in its row, and is a failure where it was named. A table that differs is
 * one in any case. */
static int one_codec (const telling *to, const sd_array_codec *how, bool named, double limit, int *status,
                      sd_error *err) {
  result r;
  sd_error why = { 0 };
  const int st = measure_codec (to->of, how, limit, &r, &why);
  sd_terminal_clear ();
  if (st == SD_OK)
    say (to, &r);
  else
    say_failed (to, &r, why.text[0] ? why.text : sd_strerror (st));
  if (st == SD_EDIFF)
    return sd_fail (err, st, "%s", why.text);
  if (st != SD_OK && named)
    *status = SD_EXIT_FAILED;
  return SD_OK;
}

static int all_codecs (const telling *to, char **text, int n, double limit, int *status, sd_error *err) {
  size_t ncodecs;
  const sd_codec *const *all = sd_codec_all (&ncodecs);
  result r;
  SD_TRY (measure_copy (to->of, &r, err));
  say (to, &r);
  const size_t end = n ? (size_t) n : ncodecs;
  for (size_t i = 0; i < end; i++) {
    sd_array_codec one = { .codec = all[n ? 0 : i] };
    if (n)
      SD_TRY (read_codec (text[i], &one, err));
    else
      SD_TRY (sd_settings_parse (one.codec, NULL, &one.settings, err));
    SD_TRY (one_codec (to, &one, n != 0, limit, status, err));
  }
  return SD_OK;
}

int sd_bench_file (char **word, int n, const sd_bench_options *how) {
  subject of SD_RELEASED_BY (free_subject) = { 0 };
  sd_error err = { 0 };
  int status = SD_EXIT_OK;
  telling to = { .path = word[0], .of = &of, .csv = how->csv };

  if (how->csv && how->json)
    return sd_tool_usage ("either --csv or --json");
  if (sd_array_is (word[0]) && (how->plain.mask || how->plain.shape || how->plain.typed || how->plain.raw))
    return sd_tool_usage ("%s has its shape and its freedom in itself", word[0]);
  /* What is wrong is told before a minute has passed. */
  for (int i = 1; i < n; i++) {
    sd_array_codec one;
    if (read_codec (word[i], &one, &err))
      return sd_tool_fail (&err);
  }
  if (load (word[0], how, &of, &err))
    return sd_tool_fail (&err);

  const unsigned threads = how->threads ? how->threads : (unsigned) omp_get_num_procs ();
  omp_set_num_threads ((int) threads);
  to.rows = how->json ? json_array () : NULL;
  say_head (&to, threads);
  const int st = all_codecs (&to, word + 1, n - 1, how->limit, &status, &err);
  sd_json_rows (to.rows, st);
  return st == SD_OK ? status : sd_tool_fail (&err);
}
