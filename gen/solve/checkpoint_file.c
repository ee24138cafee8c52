/* The files of a checkpoint: manifest and one file of records a rank; byte by byte in docs/checkpoint.md.
 *
 * The manifest says how states were dealt out to the ranks that wrote (gen.h, sd_deal). The same deal reads
 * one file a rank; any other reads all of them and keeps what is its own.
 *
 * Cost: one pass over the file and 1 MiB of memory; resuming under another deal reads the whole checkpoint on
 * each rank. */
#include "config.h"
#include "gen/solve/checkpoint_internal.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char manifest_magic[8] = { 'S', 'D', 'C', 'K', 'P', 'T', '\r', '\n' };
static const char part_magic[8] = { 'S', 'D', 'C', 'K', 'P', 'A', '\r', '\n' };
/* RECORDS: of the meaning of a record's bits (solver_internal.h) and of the numbers of a game's states (for
 * chess sd_layout_kings_first); higher when one of them changes. */
enum { FORMAT = 2, RECORDS = 4, HEADER = 40, NAME_MAX_BYTES = 255 };

/* ---------------------------------------------------------------- manifest */

int sd_ckpt_encode (const sd_ckpt_manifest *m, sd_buf *out) {
  size_t len = strlen (m->name);
  if (len > NAME_MAX_BYTES)
    return SD_ERANGE;
  sd_buf_append (out, manifest_magic, sizeof manifest_magic);
  /* Of these bytes, and of what the records' bits mean. */
  sd_buf_u32 (out, FORMAT);
  sd_buf_u32 (out, RECORDS);
  sd_buf_u64 (out, m->id);
  sd_buf_u64 (out, m->deal.nstates);
  sd_buf_u64 (out, m->deal.grain);
  sd_buf_u32 (out, m->max_moves);
  sd_buf_u32 (out, m->at.ply);
  sd_buf_u32 (out, m->at.plies);
  sd_buf_u64 (out, m->at.marks_a);
  sd_buf_u64 (out, m->at.marks_b);
  sd_buf_u64 (out, m->at.groups);
  /* Times in whole microseconds: bytes that every machine reads alike. */
  sd_buf_u64 (out, (uint64_t) (m->at.init_s * 1e6));
  sd_buf_u64 (out, (uint64_t) (m->at.iterate_s * 1e6));
  sd_buf_u8 (out, (unsigned) len);
  sd_buf_append (out, m->name, len);
  sd_buf_u32 (out, m->ranks);
  for (uint32_t r = 0; r < m->ranks; r++) {
    sd_buf_u64 (out, m->part[r].records);
    sd_buf_u64 (out, m->part[r].checksum);
  }
  SD_TRY (sd_buf_status (out));
  sd_buf_u64 (out, sd_hash64 (out->data, out->len));
  return sd_buf_status (out);
}

void sd_ckpt_manifest_free (sd_ckpt_manifest *m) {
  free (m->name);
  free (m->part);
  *m = (sd_ckpt_manifest){ 0 };
}

int sd_ckpt_decode (const uint8_t *p, size_t n, const char *path, sd_ckpt_manifest *out, sd_error *err) {
  *out = (sd_ckpt_manifest){ 0 };
  if (n < sizeof manifest_magic + 16 || memcmp (p, manifest_magic, sizeof manifest_magic) != 0)
    return sd_fail (err, SD_EFORMAT, "%s: %zu bytes that are no manifest of a checkpoint", path, n);
  sd_reader r = sd_reader_of (p, n - 8), tail = sd_reader_of (p + n - 8, 8);
  /* Before anything of it is taken. */
  if (sd_get_u64 (&tail) != sd_hash64 (p, n - 8))
    return sd_fail (err, SD_ECHECKSUM, "%s: checksum differs", path);
  sd_get_bytes (&r, sizeof manifest_magic);
  uint32_t version = sd_get_u32 (&r), records = sd_get_u32 (&r);
  if (version != FORMAT || records != RECORDS)
    return sd_fail (err, SD_EVERSION, "%s: version %" PRIu32 ".%" PRIu32 ", this program reads %d.%d", path,
                    version, records, FORMAT, RECORDS);
  out->id = sd_get_u64 (&r);
  const uint64_t nstates = sd_get_u64 (&r), grain = sd_get_u64 (&r);
  out->max_moves = sd_get_u32 (&r);
  out->at.ply = sd_get_u32 (&r);
  out->at.plies = sd_get_u32 (&r);
  out->at.marks_a = sd_get_u64 (&r);
  out->at.marks_b = sd_get_u64 (&r);
  out->at.groups = sd_get_u64 (&r);
  out->at.init_s = (double) sd_get_u64 (&r) / 1e6;
  out->at.iterate_s = (double) sd_get_u64 (&r) / 1e6;
  /* What follows is as long as the name and the number of ranks say. The checksum was right, but a file
   * that somebody has made may have any numbers: nothing is reserved before they fit the bytes that are
   * there. */
  unsigned len = sd_get_u8 (&r);
  const uint8_t *name = sd_get_bytes (&r, len);
  out->ranks = sd_get_u32 (&r);
  if (r.bad || out->ranks == 0 || out->ranks > INT_MAX || grain == 0
      || nstates > UINT64_MAX / ((uint64_t) out->ranks + 1)
      || (uint64_t) (r.end - r.p) != 16 * (uint64_t) out->ranks)
    return sd_fail (err, SD_EFORMAT, "%s: %zu bytes do not fit %" PRIu32 " ranks", path, n, out->ranks);

  sd_deal_make (nstates, (int) out->ranks, grain, &out->deal);
  out->name = strndup ((const char *) name, len);
  out->part = sd_alloc (out->ranks, sizeof *out->part);
  if (!out->name || !out->part)
    return sd_fail_memory (err, out->ranks * sizeof *out->part);
  for (uint32_t k = 0; k < out->ranks; k++) {
    out->part[k].records = sd_get_u64 (&r);
    out->part[k].checksum = sd_get_u64 (&r);
    if (out->part[k].records != sd_deal_count (&out->deal, (int) k))
      return sd_fail (err, SD_EFORMAT, "%s: %" PRIu64 " records of rank %" PRIu32 " are not its share", path,
                      out->part[k].records, k);
  }
  return SD_OK;
}

/* -------------------------------------------------------- a rank's records */

/* The sum of a file so far and of its next block, independent of the machine's byte order. */
static uint64_t chain (uint64_t a, uint64_t b) {
  uint8_t bytes[16];
  for (unsigned i = 0; i < 8; i++) {
    bytes[i] = (uint8_t) (a >> 8 * i);
    bytes[8 + i] = (uint8_t) (b >> 8 * i);
  }
  return sd_hash64 (bytes, sizeof bytes);
}

/* The header of a file of records: magic, id, rank, ranks, records, checksum of these 32 bytes. */
static int header (uint64_t id, uint32_t rank, uint32_t ranks, uint64_t n, sd_buf *out, uint64_t *checksum) {
  sd_buf_append (out, part_magic, sizeof part_magic);
  sd_buf_u64 (out, id);
  sd_buf_u32 (out, rank);
  sd_buf_u32 (out, ranks);
  sd_buf_u64 (out, n);
  SD_TRY (sd_buf_status (out));
  *checksum = sd_hash64 (out->data, out->len);
  sd_buf_u64 (out, *checksum);
  return sd_buf_status (out);
}

uint64_t sd_ckpt_bytes (const sd_deal *deal, size_t name_length) {
  enum { MANIFEST = 105, EACH = 16 }; /* without the name; for each rank */
  uint64_t bytes = MANIFEST + name_length + (uint64_t) EACH * deal->size;
  for (unsigned r = 0; r < deal->size; r++) {
    const uint64_t n = sd_deal_count (deal, (int) r);
    bytes +=
        HEADER + n * sizeof (uint16_t) + (n / SD_CKPT_BLOCK + (n % SD_CKPT_BLOCK != 0)) * sizeof (uint64_t);
  }
  return bytes;
}

/* Little-endian records in place; the same call brings them back. */
static void swap_if_big (uint16_t *rec, uint64_t n) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (uint64_t i = 0; i < n; i++)
    rec[i] = __builtin_bswap16 (rec[i]);
#else
  (void) rec, (void) n;
#endif
}

/* As the file has a number, from the machine's or to it. */
static uint64_t little_endian (uint64_t v) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return __builtin_bswap64 (v);
#else
  return v;
#endif
}

int sd_ckpt_write_part (const char *path, const sd_ckpt_manifest *m, int rank, const uint16_t *rec,
                        sd_ckpt_part *out, sd_error *err) {
  const uint64_t n = sd_deal_count (&m->deal, rank);
  SD_RELEASED_BY (sd_buf_free) sd_buf head = { 0 };
  sd_outfile *f = NULL;
  uint64_t sum = 0;
  SD_OWNED uint16_t *block = sd_alloc (SD_CKPT_BLOCK, sizeof *block);
  int st = block ? header (m->id, (uint32_t) rank, m->ranks, n, &head, &sum) : SD_ENOMEM;
  if (st != SD_OK)
    sd_fail_memory (err, SD_CKPT_BLOCK * sizeof *block);
  if (st == SD_OK && (st = sd_outfile_open (path, &f, err)) == SD_OK)
    st = sd_outfile_write (f, head.data, head.len, err);
  /* Each block has a checksum, and all of them one, which the manifest has: a file of another generation that
   * is whole by itself is found out. */
  for (uint64_t i = 0; i < n && st == SD_OK; i += SD_CKPT_BLOCK) {
    uint64_t k = n - i < SD_CKPT_BLOCK ? n - i : SD_CKPT_BLOCK;
    memcpy (block, rec + i, k * sizeof *block);
    swap_if_big (block, k);
    uint64_t h = sd_hash64 (block, k * sizeof *block), le = little_endian (h);
    sum = chain (sum, h);
    st = sd_outfile_write (f, block, k * sizeof *block, err);
    if (st == SD_OK)
      st = sd_outfile_write (f, &le, sizeof le, err);
  }

  *out = (sd_ckpt_part){ n, sum };
  if (st == SD_OK)
    st = sd_outfile_commit (f, err);
  else
    sd_outfile_abort (f);
  return st;
}

/* Records i..i+n-1 of a rank's file: ours go to their places. */
static void keep_ours (const sd_deal *from, uint32_t part, uint64_t i, const uint16_t *block, uint64_t n,
                       const sd_ckpt_share *to) {
  /* From the writers' deal to the state, and to the place that it has now. */
  for (uint64_t k = 0; k < n;) {
    uint64_t run;
    const sd_state first = sd_deal_state (from, (int) part, i + k, &run);
    run = run < n - k ? run : n - k;
    for (uint64_t j = 0; j < run; j++) {
      int owner;
      uint64_t place;
      sd_deal_find (to->deal, first + j, &owner, &place);
      if (owner == to->rank)
        to->rec[place] = block[k + j];
    }
    k += run;
  }
}

static bool same_deal (const sd_deal *a, const sd_deal *b) {
  return a->nstates == b->nstates && a->size == b->size && a->grain == b->grain;
}

/* So many bytes, or a sentence that tells a short file from a bad disk. */
static int read_exactly (FILE *f, const char *path, void *out, size_t n, uint64_t at, sd_error *err) {
  errno = 0;
  size_t got = fread (out, 1, n, f);
  if (got == n)
    return SD_OK;
  if (ferror (f))
    return sd_fail (err, SD_EIO, "%s: cannot be read: %s", path, strerror (errno));
  return sd_fail (err, SD_EFORMAT, "%s: ends after %" PRIu64 " bytes, too early", path, at + got);
}

int sd_ckpt_read_part (const char *path, const sd_ckpt_manifest *m, uint32_t part, const sd_ckpt_share *to,
                       sd_error *err) {
  /* With as many ranks as before, each reads its own part alone. Else each reads all parts and keeps what
   * is its share now. */
  const bool same = same_deal (&m->deal, to->deal);
  if (same && part != (uint32_t) to->rank)
    return SD_OK;
  const uint64_t n = m->part[part].records;
  uint8_t head[HEADER];
  SD_RELEASED_BY (sd_buf_free) sd_buf want = { 0 };
  uint64_t sum = 0, at = HEADER;
  SD_OWNED uint16_t *block = sd_alloc (SD_CKPT_BLOCK, sizeof *block);
  FILE *f = NULL;
  int st = block ? header (m->id, part, m->ranks, n, &want, &sum) : SD_ENOMEM;
  if (st != SD_OK)
    sd_fail_memory (err, SD_CKPT_BLOCK * sizeof *block);
  else if ((st = sd_file_open (path, &f, err)) == SD_OK)
    st = read_exactly (f, path, head, sizeof head, 0, err);
  /* Generation, rank and number of records are those that the manifest says. */
  if (st == SD_OK && memcmp (head, want.data, sizeof head) != 0)
    st = sd_fail (err, SD_EFORMAT, "%s: its header is not what the manifest says", path);
  for (uint64_t b = 0; b < n && st == SD_OK; b += SD_CKPT_BLOCK) {
    uint64_t k = n - b < SD_CKPT_BLOCK ? n - b : SD_CKPT_BLOCK, le;
    st = read_exactly (f, path, block, k * sizeof *block, at, err);
    at += k * sizeof *block;
    if (st == SD_OK)
      st = read_exactly (f, path, &le, sizeof le, at, err);
    at += sizeof le;
    if (st != SD_OK)
      break;
    uint64_t h = sd_hash64 (block, k * sizeof *block);
    sum = chain (sum, h);
    if (little_endian (le) != h) {
      st = sd_fail (err, SD_ECHECKSUM, "%s: block %" PRIu64 ": checksum differs", path, b / SD_CKPT_BLOCK);
      break;
    }
    swap_if_big (block, k);
    if (same)
      memcpy (to->rec + b, block, k * sizeof *block);
    else
      keep_ours (&m->deal, part, b, block, k, to);
  }
  /* Whole blocks with right checksums, but more of them than there may be. */
  if (st == SD_OK && fgetc (f) != EOF)
    st = sd_fail (err, SD_EFORMAT, "%s: is longer than %" PRIu64 " bytes", path, at);
  if (st == SD_OK && sum != m->part[part].checksum)
    st = sd_fail (err, SD_ECHECKSUM, "%s: checksum differs from the manifest's", path);
  if (f)
    fclose (f);
  return st;
}
