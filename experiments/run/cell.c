/* One cell: one side of one table, already subdefined and laid out, is encoded, opened, decoded completely
 * and compared slot by slot with what each slot admits. Where whole probes are to be timed, a complete
 * container image is made: the other side is never asked there (every move leads to another ending's table or
 * is not looked at), so a constant in codec `store` stands in for it. */
#include "config.h"
#include "codecs/row.h"
#include "experiments/run/run_internal.h"
#include <stdlib.h>
#include <string.h>

int sd_cell_verify (const sd_seq *seq, const sd_decoder *d, double *seconds, sd_error *err) {
  const uint64_t most = 1u << 24; /* at a time: 32 MiB; blocks of any codec are much smaller */
  sd_symbol *got = sd_alloc (seq->n < most ? seq->n + 1 : most, sizeof *got);
  int status = got ? SD_OK : sd_fail_memory (err, (seq->n < most ? seq->n : most) * sizeof *got);
  *seconds = 0;
  for (uint64_t first = 0; first < seq->n && status == SD_OK; first += most) {
    sd_seq part = { .alphabet = seq->alphabet, .sym = seq->sym + first };
    part.n = seq->n - first < most ? seq->n - first : most;
    double start = sd_now ();
    status = sd_codec_read (d, first, part.n, got);
    *seconds += sd_now () - start;
    if (status != SD_OK) {
      sd_fail (err, status, "decoding failed: %s", sd_strerror (status));
      break;
    }
    uint64_t at = sd_seq_first_violation (&part, got);
    if (at < part.n)
      status = sd_fail (err, SD_EDIFF, "slot %llu is decoded to symbol %u, which it does not admit",
                        (unsigned long long) (first + at), (unsigned) got[at]);
  }
  free (got);
  return status;
}

void sd_coded_free (sd_coded *c) {
  if (c->table)
    sd_table_close (c->table);
  else
    sd_codec_close ((sd_decoder *) c->decoder);
  sd_buf_free (&c->bytes);
  memset (c, 0, sizeof *c);
}

static int code_image (const sd_cell *cell, const sd_layout *layout, const sd_subdefined *d,
                       const sd_settings *set, sd_coded *out, sd_error *err) {
  sd_table_spec spec = {
    .material = cell->material, .metric = cell->metric, .coding = cell->coding, .freedom = cell->freedom
  };
  sd_subdefined other = *d;
  const sd_subdefined *sides[2] = { d, d };
  const unsigned nsides = sd_material_symmetric (&cell->material) ? 1 : 2;
  int status = SD_OK;
  spec.side[cell->side].layout = *layout;
  spec.side[cell->side].codec = cell->codec;
  spec.side[cell->side].settings = *set;
  other.seq.sym = NULL;
  if (nsides == 2) {
    other.side = !cell->side;
    other.seq.sym = sd_alloc0 (d->seq.n, sizeof *other.seq.sym);
    if (!other.seq.sym)
      return sd_fail_memory (err, d->seq.n * sizeof *other.seq.sym);
    spec.side[!cell->side].layout = *layout;
    spec.side[!cell->side].codec = &sd_codec_store;
    status = sd_settings_parse (&sd_codec_store, "", &spec.side[!cell->side].settings, err);
    sides[!cell->side] = &other;
  }
  if (status == SD_OK)
    status = sd_table_image (&spec, sides, NULL, &out->bytes, err);
  free (other.seq.sym);
  if (status == SD_OK)
    status = sd_table_open_memory (out->bytes.data, out->bytes.len, cell->name.table, 0, &out->table, err);
  if (status == SD_OK) {
    sd_table_info info;
    sd_table_describe (out->table, &info);
    out->decoder = info.side[cell->side].decoder;
    out->parts = info.side[cell->side].parts;
    out->stream = info.side[cell->side].stream_bytes;
  }
  return status;
}

static int code_stream (const sd_cell *cell, const sd_subdefined *d, const sd_settings *set, sd_row *row,
                        sd_coded *out, sd_error *err) {
  sd_decoder *decoder;
  const double start = sd_now ();
  SD_TRY (sd_codec_encode (cell->codec, &d->seq, set, NULL, &out->bytes, err));
  row->encode_s = sd_now () - start; /* opening does not count */
  out->stream = out->bytes.len;
  SD_TRY (sd_codec_open (cell->codec, out->bytes.data, out->bytes.len, d->seq.n,
                         sd_alphabet_main (d->alphabet), &decoder, err));
  out->decoder = decoder;
  sd_codec_describe (decoder, &out->parts);
  return SD_OK;
}

int sd_cell_run (const sd_cell *cell, const sd_layout *image, const sd_subdefined *d, sd_row *row,
                 sd_coded *out, sd_error *err) {
  sd_settings set;
  memset (out, 0, sizeof *out);
  int status = sd_settings_parse (cell->codec, cell->name.settings, &set, err);
  const double start = sd_now ();
  if (status == SD_OK && image) {
    status = code_image (cell, image, d, &set, out, err);
    row->encode_s = sd_now () - start;
  } else if (status == SD_OK)
    status = code_stream (cell, d, &set, row, out, err);
  if (status == SD_OK)
    status = sd_cell_verify (&d->seq, out->decoder, &row->decode_s, err);
  if (status != SD_OK) {
    sd_coded_free (out);
    return status;
  }
  row->bytes = out->stream;
  row->header_bytes = out->parts.header;
  row->model_bytes = out->parts.model;
  row->index_bytes = out->parts.index;
  row->payload_bytes = out->parts.payload;
  row->blocks = out->parts.blocks;
  row->dictionary = out->parts.symbols;
  row->main = sd_alphabet_main (d->alphabet);
  row->slots = d->seq.n;
  for (const sd_tunable *t = cell->codec->tunables; t->key; t++)
    if (strcmp (t->key, "block") == 0)
      row->block = sd_settings_int (&set, "block");
  return SD_OK;
}

uint64_t sd_count_free (const sd_seq *s) {
  uint64_t n = 0;
  const unsigned m =
      sd_alphabet_main (s->alphabet); /* each symbol beyond the main ones permits two or more */
  for (uint64_t i = 0; i < s->n; i++)
    n += s->sym[i] >= m;
  return n;
}
