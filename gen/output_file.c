/* The file of a table, written by all ranks: each its own blocks, rank 0 the heads; read back by all before
 * it is believed. A rank compares its own blocks byte for byte; checksums are computed from what is read, a
 * share of the chunks on each rank, so that the table's sums tell what is on the disk. Files are behind the
 * transport (MPI's own calls under MPI): a rank says which bytes go where. */
#include "config.h"
#include "gen/output_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What this rank writes before the checksums are known. */
static int write_own (const sd_output *o, void *file, sd_error *err) {
  const sd_transport *t = o->t;
  /* Ranks' blocks do not overlap: no order is needed. */
  for (uint64_t k = 0; k < o->nmine; k++)
    SD_TRY (t->file_write (file, o->mine[k].at, o->mine[k].data, o->mine[k].bytes, err));
  for (unsigned s = 0; t->rank == 0 && s < o->nsides; s++)
    SD_TRY (t->file_write (file, o->side[s].stream, o->side[s].head.data, o->side[s].head.len, err));
  return SD_OK;
}

/* Is what this rank has written what the file holds? */
static int compare_own (const sd_output *o, void *file, uint8_t *buffer, sd_error *err) {
  for (uint64_t k = 0; k < o->nmine; k++) {
    const sd_output_block *b = &o->mine[k];
    for (uint64_t at = 0; at < b->bytes; at += SD_CHUNK_BYTES) {
      size_t n = b->bytes - at < SD_CHUNK_BYTES ? b->bytes - at : SD_CHUNK_BYTES;
      SD_TRY (o->t->file_read (file, b->at + at, buffer, n, err));
      if (memcmp (buffer, b->data + at, n))
        return sd_fail (err, SD_EIO, "bytes from %" PRIu64 " on are not those that were written", b->at + at);
    }
  }
  return SD_OK;
}

/* Checksums of this rank's share of all chunks; the others stay zero. */
static int sum_share (const sd_output *o, void *file, uint8_t *buffer, uint64_t *sum, uint64_t chunks,
                      sd_error *err) {
  const uint64_t size = (uint64_t) o->t->size, rank = (uint64_t) o->t->rank, share = chunks / size + 1;
  uint64_t c = 0;
  for (unsigned s = 0; s < o->nsides; s++)
    for (uint64_t at = 0; at < o->side[s].bytes; at += SD_CHUNK_BYTES, c++) {
      /* Neighbouring chunks, so that a rank reads one stretch of the file. */
      if (c / share != rank)
        continue;
      uint64_t n = o->side[s].bytes - at < SD_CHUNK_BYTES ? o->side[s].bytes - at : SD_CHUNK_BYTES;
      SD_TRY (o->t->file_read (file, o->side[s].stream + at, buffer, n, err));
      sum[c] = (uint32_t) sd_hash64 (buffer, n);
    }
  return SD_OK;
}

/* Collective: the file read back; then rank 0 writes the container's head. */
static int read_back (sd_output *o, void *file, sd_error *err) {
  const sd_transport *t = o->t;
  uint64_t chunks = 0;

  for (unsigned s = 0; s < o->nsides; s++)
    chunks += sd_table_chunks (o->side[s].bytes);
  const uint64_t bytes = SD_CHUNK_BYTES + chunks * (sizeof (uint64_t) + sizeof (uint32_t));
  SD_OWNED uint8_t *buffer = sd_alloc (SD_CHUNK_BYTES, 1);
  SD_OWNED uint64_t *sum = sd_alloc0 (chunks, sizeof *sum);
  SD_OWNED uint32_t *low = sd_alloc (chunks, sizeof *low);
  SD_RELEASED_BY (sd_buf_free) sd_buf head = { 0 };
  /* The file may lie on another machine: that all writes were reported well is not taken for it. */
  sd_output_hold (o, bytes);

  int st = buffer && sum && low ? SD_OK : sd_fail_memory (err, bytes);
  if (st == SD_OK)
    st = compare_own (o, file, buffer, err);
  if (st == SD_OK)
    st = sum_share (o, file, buffer, sum, chunks, err);
  /* Nobody adds up while another one has found a fault. */
  st = sd_agree (t, st, err);
  if (st == SD_OK)
    st = sd_exchanged (t->sum (t->ctx, sum, (unsigned) chunks), NULL, "their checksums", err);
  if (st == SD_OK && t->rank == 0) {
    /* Each chunk was summed by one rank: the sum is that one's. */
    for (uint64_t c = 0; c < chunks; c++)
      low[c] = (uint32_t) sum[c];
    st = sd_output_head (o, low, &head, err);
    if (st == SD_OK)
      st = t->file_write (file, 0, head.data, head.len, err);
  }
  sd_output_release (o, bytes);
  return sd_agree (t, st, err);
}

/* Collective: the temporary file's name, which rank 0 has made. *out is malloced, and the caller's to free
 * whatever comes. */
static int tell_name (const sd_output *o, const char *name, char **out, sd_error *err) {
  const sd_transport *t = o->t;
  uint64_t n = name ? strlen (name) + 1 : 0;
  int st = t->broadcast (t->ctx, 0, &n, sizeof n);

  *out = st == SD_OK ? malloc (n) : NULL;
  if (st == SD_OK)
    SD_TRY (sd_agree (t, *out ? SD_OK : sd_fail_memory (err, n), err));
  if (st == SD_OK && t->rank == 0)
    memcpy (*out, name, n);
  if (st == SD_OK)
    st = t->broadcast (t->ctx, 0, *out, n);

  SD_TRY (sd_exchanged (st, NULL, "the name of the file", err));
  /* Told here, since MPI would only say that a file cannot be opened. */
  if (!sd_file_exists (*out))
    st = sd_fail (
        err, SD_EIO,
        "rank %d does not see the file that rank 0 has made: the folder must be one that all ranks share",
        t->rank);
  return sd_agree (t, st, err);
}

int sd_output_write (sd_output *o, const char *temp, sd_error *err) {
  const sd_transport *t = o->t;
  void *file;
  char *name = NULL;
  int st = tell_name (o, temp, &name, err);

  if (st == SD_OK)
    st = sd_agree (t, t->file_open (t->ctx, name, &file, err), err);
  free (name);
  SD_TRY (st);

  st = sd_agree (t, write_own (o, file, err), err);
  if (st == SD_OK)
    st = sd_agree (t, t->file_sync (file, err), err);
  if (st == SD_OK)
    st = read_back (o, file, err);
  if (st == SD_OK)
    st = sd_agree (t, t->file_sync (file, err), err);

  /* Closed in any case; the first failure is the one to tell. */
  sd_error closing = { 0 };
  int st2 = sd_agree (t, t->file_close (file, &closing), &closing);
  if (st == SD_OK && st2 != SD_OK) {
    st = st2;
    if (err)
      *err = closing;
  }
  return st;
}

/* Only rank 0 looks: what the others have written it sees through the head, and their blocks they have
 * compared themselves. */
int sd_output_check (const sd_output *o, const char *temp, uint64_t file_bytes, sd_error *err) {
  sd_table *table;
  sd_table_info info;

  SD_TRY (sd_table_open (temp, 0, &table, err));
  sd_table_describe (table, &info);
  /* As a reader sees it, against what was to be written. */
  bool same = sd_material_equal (&info.material, &o->spec.material)
              && strcmp (info.game.name, o->spec.game.name) == 0
              && strcmp (info.game.slice, o->spec.game.slice) == 0
              && info.game.fingerprint == o->spec.game.fingerprint && info.metric == o->spec.metric
              && info.coding == o->spec.coding && info.nsides == o->nsides && info.bytes == file_bytes;
  for (unsigned s = 0; s < o->nsides && same; s++)
    same = info.side[s].main == o->side[s].m && info.side[s].stream_bytes == o->side[s].bytes
           && info.side[s].slots == o->n
           && memcmp (info.side[s].map, o->side[s].map, o->side[s].m * sizeof *o->side[s].map) == 0;
  sd_table_close (table);
  return same ? SD_OK : sd_fail (err, SD_EDIFF, "its head does not tell what was written");
}
