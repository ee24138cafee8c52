/* The files of a checkpoint (docs/checkpoint.md): what checkpoint.c and checkpoint_file.c share. */
#ifndef SD_GEN_CHECKPOINT_INTERNAL_H
#define SD_GEN_CHECKPOINT_INTERNAL_H

#include "gen/solve/solve.h"

enum { SD_CKPT_BLOCK = 1 << 19 }; /* records: 1 MiB */

/* What the manifest says of one rank's file. */
typedef struct sd_ckpt_part {
  uint64_t records, checksum; /* checksum: over those of the header and of all blocks */
} sd_ckpt_part;

typedef struct sd_ckpt_manifest {
  uint64_t id; /* of this generation; part of its files' names */
  uint32_t ranks, max_moves;
  sd_deal deal; /* which records are whose */
  sd_solve_point at;
  char *name; /* the game's */
  sd_ckpt_part *part;
} sd_ckpt_manifest;

/** Bytes of a manifest; *out is {0} before. */
int sd_ckpt_encode (const sd_ckpt_manifest *m, sd_buf *out);

/** Untrusted bytes; `path` for messages. Free *out with sd_ckpt_manifest_free, also after a failure. */
int sd_ckpt_decode (const uint8_t *p, size_t n, const char *path, sd_ckpt_manifest *out, sd_error *err);
void sd_ckpt_manifest_free (sd_ckpt_manifest *m);

/** Bytes of one generation under this deal: manifest and files of records. */
uint64_t sd_ckpt_bytes (const sd_deal *deal, size_t name_length);

/** Write the file of rank `rank` of m->ranks: its records under m->deal. */
int sd_ckpt_write_part (const char *path, const sd_ckpt_manifest *m, int rank, const uint16_t *rec,
                        sd_ckpt_part *out, sd_error *err);

/** Where records that are read go: rec[place] to those that `rank` holds under `deal`. */
typedef struct sd_ckpt_share {
  const sd_deal *deal;
  int rank;
  uint16_t *rec;
} sd_ckpt_share;

/** Read the file of rank `part` of m->ranks. Each block is checked before it is used. */
int sd_ckpt_read_part (const char *path, const sd_ckpt_manifest *m, uint32_t part, const sd_ckpt_share *to,
                       sd_error *err);

#endif
