/** \file clusters.c
 * A sequence in clusters (Kristensen 2005, 2.7): several streams of all its slots, each of which is asked for
 * its own slots only; what it holds elsewhere is free. Kristensen 2005 numbers blocks of slots; here a digit
 * of the index decides, below a limit or not, and either of the two streams may be in clusters again. So a
 * cluster costs some ten bytes, however many blocks it has, and any digit may decide, not only the leading
 * ones.
 *
 * Runs of slots in one stream may be as short as one slot, and each is read by itself. So only codecs that
 * read a slot without its neighbours may be in clusters (codec->makes_clusters): of any other one whole
 * block would be unpacked for each slot.
 *
 * The decoder is a tree of such forks above other decoders. A stream may be far smaller than what is made
 * of it, so that the streams are counted before they are opened, and more than LARGE of them make do with
 * less memory. Layout: docs/format.md, section 7. */
#include "config.h"
#include "codecs/stream/stream_internal.h"

#include <stdlib.h>

#define PARALLEL_SLOTS (1 << 16) /* read: slots of one task */
#define LARGE 4                  /* so many streams are opened as if each was alone */

typedef struct fork_node {
  sd_fork at;
  int to[2]; /* below the limit, and from it on: k >= 0: fork k; k < 0: stream -1 - k */
} fork_node;

typedef struct clusters {
  sd_decoder base;
  const sd_stream *all; /* while it is opened: what follows the first byte */
  unsigned forks, streams;
  fork_node fork[SD_MAX_CLUSTERS - 1];
  sd_decoder *stream[SD_MAX_CLUSTERS];
  sd_reader bytes[SD_MAX_CLUSTERS]; /* of each stream */
  uint64_t header;
} clusters;

int sd_codec_put_fork (const sd_fork *f, const sd_buf *below, const sd_buf *from, sd_buf *out) {
  sd_buf_u8 (out, SD_STREAM_CLUSTERS);
  sd_buf_varint (out, f->stride);
  sd_buf_varint (out, f->radix);
  sd_buf_varint (out, f->limit);
  sd_buf_varint (out, below->len);
  sd_buf_append (out, below->data, below->len);
  sd_buf_append (out, from->data, from->len);
  out->failed |= below->failed || from->failed;
  return sd_buf_status (out);
}

static void close (sd_decoder *base) {
  clusters *c = (clusters *) base;
  for (unsigned k = 0; k < c->streams; k++)
    sd_codec_close (c->stream[k]);
  free (c);
}

/* --------------------------------------------------------------------- lookups */

/* The stream of slot i. */
static inline const sd_decoder *stream_of (const clusters *c, uint64_t i) {
  int at = 0;
  while (at >= 0) {
    const fork_node *f = c->fork + at;
    at = f->to[i / f->at.stride % f->at.radix >= f->at.limit];
  }
  return c->stream[-1 - at];
}

static int get (const sd_decoder *base, uint64_t i, sd_symbol *out) {
  return sd_codec_get (stream_of ((const clusters *) base, i), i, out);
}

/* The stream of slot i, and the first slot behind it for which another one may be asked. */
static const sd_decoder *run_of (const clusters *c, uint64_t i, uint64_t *end) {
  int at = 0;
  *end = UINT64_MAX;
  while (at >= 0) {
    const sd_fork *f = &c->fork[at].at;
    const uint64_t block = i / f->stride, value = block % f->radix;
    const bool above = value >= f->limit;
    /* Where the digit next changes sides: up to its limit, or round to 0. */
    const uint64_t change = (block - value + (above ? f->radix : f->limit)) * f->stride;
    *end = change < *end ? change : *end;
    at = c->fork[at].to[above];
  }
  return c->stream[-1 - at];
}

static int read_some (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  const clusters *c = (const clusters *) base;
  while (count) {
    uint64_t end;
    const sd_decoder *d = run_of (c, first, &end);
    const uint64_t size = end - first < count ? end - first : count;
    SD_TRY (sd_codec_read (d, first, size, out));
    first += size;
    count -= size;
    out += size;
  }
  return SD_OK;
}

static int read (const sd_decoder *base, uint64_t first, uint64_t count, sd_symbol *out) {
  return sd_read_parts (base, first, count, PARALLEL_SLOTS, read_some, out);
}

static void describe (const sd_decoder *base, sd_codec_parts *parts) {
  const clusters *c = (const clusters *) base;
  parts->header = c->header;
  for (unsigned k = 0; k < c->streams; k++)
    sd_codec_parts_add (parts, c->stream[k]);
}

/* --------------------------------------------------------------------- opening */

static int damaged (const clusters *c, sd_error *err) {
  return sd_fail (err, SD_EFORMAT, "codec %s: clusters: not a valid fork for %llu slots", c->all->codec->name,
                  (unsigned long long) c->all->n);
}

static bool valid (const sd_fork *f, uint64_t n) {
  /* Both sides of the fork have slots. */
  return f->stride >= 1 && f->stride < n && f->radix <= (n - 1) / f->stride + 1 && f->limit >= 1
         && f->limit < f->radix;
}

static int open_fork (clusters *c, sd_reader r, int *number, sd_error *err);

static int open_any (clusters *c, const uint8_t *data, size_t len, int *number, sd_error *err) {
  if (len > 0 && data[0] == SD_STREAM_CLUSTERS) {
    c->header++;
    return open_fork (c, sd_reader_of (data + 1, len - 1), number, err);
  }
  if (c->streams == SD_MAX_CLUSTERS)
    return damaged (c, err);
  /* Leaves are told from forks by their sign. */
  *number = -1 - (int) c->streams;
  c->bytes[c->streams++] = sd_reader_of (data, len);
  return SD_OK;
}

/* Forks are at most one less than streams, so that those bound how deep this goes. */
static int open_fork (clusters *c, sd_reader r, int *number, sd_error *err) {
  const uint8_t *start = r.p;
  if (c->forks == SD_MAX_CLUSTERS - 1)
    return damaged (c, err);
  fork_node *f = c->fork + (*number = (int) c->forks++);
  f->at.stride = sd_get_varint (&r);
  f->at.radix = sd_get_varint (&r);
  f->at.limit = sd_get_varint (&r);
  const uint64_t bytes = sd_get_varint (&r);
  c->header += (uint64_t) (r.p - start);
  /* Nothing of the fork counts before its bytes are known to be right. */
  if (sd_guard_check (c->all->guard, start, (uint64_t) (r.p - start)))
    return sd_fail (err, SD_ECHECKSUM, "codec %s: clusters: a fork does not have its checksum",
                    c->all->codec->name);
  if (r.bad || !valid (&f->at, c->all->n))
    return damaged (c, err);
  const uint8_t *below = sd_get_bytes (&r, bytes);
  if (!below)
    return damaged (c, err);
  SD_TRY (open_any (c, below, (size_t) bytes, &f->to[0], err));
  return open_any (c, r.p, (size_t) (r.end - r.p), &f->to[1], err);
}

/* The streams, whose bytes are known. */
static int open_streams (clusters *c, sd_error *err) {
  const size_t len = c->all->len;
  const char *name = c->all->codec->name;
  uint64_t values = 0;
  unsigned streams = 0;

  /* Constant streams take no memory and are not counted. */
  for (unsigned k = 0; k < c->streams; k++)
    streams += c->bytes[k].p < c->bytes[k].end && *c->bytes[k].p == SD_STREAM_CODEC;
  if (!sd_clusters_fit (streams, 0, len))
    return sd_fail (err, SD_EFORMAT, "codec %s: %u clusters in %zu bytes are too many", name, streams, len);
  for (unsigned k = 0; k < c->streams; k++) {
    sd_stream one = *c->all;
    sd_codec_parts parts;
    one.data = c->bytes[k].p;
    one.len = (size_t) (c->bytes[k].end - c->bytes[k].p);
    /* Many streams make do with less memory each. */
    one.small = streams > LARGE;
    SD_TRY (sd_stream_open_single (&one, &c->stream[k], err));
    sd_codec_describe (c->stream[k], &parts);
    values += parts.values;
    if (!sd_clusters_fit (streams, values, len))
      return sd_fail (err, SD_EFORMAT,
                      "codec %s: clusters: digits of equal men with %llu values in %zu bytes", name,
                      (unsigned long long) values, len);
  }
  return SD_OK;
}

static const sd_decoder_ops ops = { .get = get, .read = read, .close = close, .describe = describe };

int sd_clusters_open (const sd_stream *s, sd_decoder **out, sd_error *err) {
  *out = NULL;
  const int filled = sd_guard_fill (s->guard, s->data, s->len); /* its streams lie side by side in it */
  if (filled)
    return sd_fail (err, filled, "codec %s: clusters: the streams %s", s->codec->name,
                    filled == SD_EIO ? "cannot be read" : "do not have their checksum");
  clusters *c = sd_alloc0 (1, sizeof *c);
  if (!c)
    return sd_fail_memory (err, sizeof *c);
  c->base.ops = &ops;
  c->all = s;
  int root, st = open_fork (c, sd_reader_of (s->data, s->len), &root, err);
  if (!st)
    st = open_streams (c, err);
  c->all = NULL;
  if (st)
    close (&c->base);
  else
    *out = &c->base;
  return st;
}
