/* One cell: one side of one table, already subdefined and laid out, is encoded, opened, decoded completely
 * and compared slot by slot with what each slot admits. Where whole probes are to be timed, a complete
 * container image is made: the other side is never asked there (every move leads to another ending's table or
 * is not looked at), so a constant in codec `store` stands in for it.
 *
 * The caller (sweep_work.c) names the row, gives the data and stores what comes back; a failure here ends
 * this cell and no other. What the times mean stands in experiments/README.md. "slot 17 is decoded to
 * symbol 3, which it does not admit" is what a wrong codec gives. */
#include "config.h"
#include "codecs/row.h"
#include "experiments/run/run_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Decode all slots, once; compare: each with what it admits. got: room for `most` symbols, which each part
 * fills again. Only decoding is timed; comparing would be a part of the time of a quick codec. */
static int read_through (const sd_seq *seq, const sd_decoder *d, sd_symbol *got, uint64_t most, bool compare,
                         sd_efforts *e, sd_error *err) {
  for (uint64_t first = 0; first < seq->n; first += most) {
    sd_seq part = { .alphabet = seq->alphabet, .sym = seq->sym + first };
    part.n = seq->n - first < most ? seq->n - first : most;
    sd_efforts_go (e);
    const int status = sd_codec_read (d, first, part.n, got);
    sd_efforts_pause (e);
    if (status != SD_OK)
      return sd_fail (err, status, "decoding failed: %s", sd_strerror (status));
    const uint64_t at = compare ? sd_seq_first_violation (&part, got) : part.n;
    if (at < part.n)
      return sd_fail (err, SD_EDIFF, "slot %llu is decoded to symbol %u, which it does not admit",
                      (unsigned long long) (first + at), (unsigned) got[at]);
  }
  sd_efforts_count (e);
  return SD_OK;
}

/* The first pass compares, the further ones only repeat the time. */
int sd_cell_verify (const sd_seq *seq, const sd_decoder *d, sd_efforts *e, sd_error *err) {
  const uint64_t most = 1u << 24; /* at a time: 32 MiB; blocks of any codec are much smaller */
  sd_symbol *got SD_OWNED = sd_alloc (seq->n < most ? seq->n + 1 : most, sizeof *got);
  if (!got)
    return sd_fail_memory (err, (seq->n < most ? seq->n : most) * sizeof *got);
  while (sd_efforts_more (e))
    SD_TRY (read_through (seq, d, got, most, e->n == 0, e, err));
  return SD_OK;
}

/* A table owns its decoder. */
void sd_cell_coded_free (sd_cell_coded *c) {
  if (c->table)
    sd_table_close (c->table);
  else
    sd_codec_close ((sd_decoder *) c->decoder);
  sd_buf_free (&c->bytes);
  memset (c, 0, sizeof *c);
}

/* The constant that stands in for the other side. The stream has as many slots as the other side would have,
 * so that the container is one that any reader opens. */
static int code_other (sd_table_spec *spec, unsigned side, const sd_layout *layout, const sd_subdefined *d,
                       sd_buf *stream, sd_error *err) {
  SD_OWNED sd_symbol *zero = sd_alloc0 (d->seq.n, sizeof *zero);
  sd_seq seq = d->seq;
  if (!zero)
    return sd_fail_memory (err, d->seq.n * sizeof *zero);

  seq.sym = zero;
  spec->side[side].layout = *layout;
  spec->side[side].codec = &sd_codec_store;
  SD_TRY (sd_settings_parse (&sd_codec_store, "", &spec->side[side].settings, err));
  return sd_codec_encode (&sd_codec_store, &seq, &spec->side[side].settings, NULL, stream, err);
}

/* Encode as often as its time asks for; all streams are the same. */
static int encode (const sd_cell *cell, const sd_subdefined *d, const sd_settings *set, sd_efforts *e,
                   sd_buf *out, sd_error *err) {
  while (sd_efforts_more (e)) {
    SD_RELEASED_BY (sd_buf_free) sd_buf again = { 0 };
    sd_efforts_go (e);
    const int status = sd_codec_encode (cell->codec, &d->seq, set, NULL, e->n ? &again : out, err);
    sd_efforts_pause (e);
    SD_TRY (status);
    sd_efforts_count (e);
  }
  return SD_OK;
}

/* What coding the side takes is measured; making the image around it is not. Seven arguments: a
 * cell, its data and settings, and what becomes of them. */
static int code_image (const sd_cell *cell, const sd_layout *layout, const sd_subdefined *d,
                       const sd_settings *set, sd_efforts *e, sd_cell_coded *out, sd_error *err) {
  const unsigned side = cell->side;
  const bool alone = sd_material_symmetric (&cell->material);
  sd_table_spec spec = { .material = cell->material, .metric = cell->metric, .coding = cell->coding };
  SD_RELEASED_BY (sd_buf_free) sd_buf own = { 0 }, other = { 0 };

  spec.side[side].layout = *layout;
  spec.side[side].codec = cell->codec;
  spec.side[side].settings = *set;

  SD_TRY (encode (cell, d, set, e, &own, err));
  if (!alone)
    SD_TRY (code_other (&spec, !side, layout, d, &other, err));

  SD_TRY (sd_table_put (&spec, (const sd_subdefined *const[2]){ d, alone ? NULL : d },
                        (const sd_buf[2]){ side ? other : own, side ? own : other }, &out->bytes, err));
  SD_TRY (sd_table_open_memory (out->bytes.data, out->bytes.len, cell->name.table, 0, &out->table, err));

  /* The parts are those of this side's stream, as if it stood alone. */
  sd_table_info info;
  sd_table_describe (out->table, &info);
  out->decoder = info.side[side].decoder;
  out->parts = info.side[side].parts;
  out->stream = info.side[side].stream_bytes;
  return SD_OK;
}

/* Most cells: a stream and its decoder, no container. */
static int code_stream (const sd_cell *cell, const sd_subdefined *d, const sd_settings *set, sd_efforts *e,
                        sd_cell_coded *out, sd_error *err) {
  sd_decoder *decoder;
  SD_TRY (encode (cell, d, set, e, &out->bytes, err)); /* opening does not count */
  out->stream = out->bytes.len;
  SD_TRY (sd_codec_open (cell->codec, out->bytes.data, out->bytes.len, d->seq.n,
                         sd_alphabet_main (d->alphabet), &decoder, err));
  out->decoder = decoder;
  sd_codec_describe (decoder, &out->parts);
  return SD_OK;
}

/* seconds: of the whole cell by the clock. What is left of them beside coding is check_s. */
static void note_times (const sd_efforts *encoding, const sd_efforts *decoding, uint64_t seed, double seconds,
                        sd_row *row) {
  sd_efforts_note (encoding, seed,
                   (sd_spread_to){ &row->encode_s, &row->encode_low_s, &row->encode_high_s,
                                   &row->encode_samples, NULL, NULL });
  sd_efforts_note (decoding, seed,
                   (sd_spread_to){ &row->decode_s, &row->decode_low_s, &row->decode_high_s,
                                   &row->decode_samples, NULL, NULL });
  row->repeat_s = encoding->wall - encoding->first + decoding->wall - decoding->first;
  row->check_s = fmax (0, seconds - encoding->wall - decoding->wall);
}

int sd_cell_run (const sd_cell *cell, const sd_cell_how *how, const sd_subdefined *d, sd_row *row,
                 sd_cell_coded *out, sd_error *err) {
  sd_settings set;
  sd_efforts encoding = { .enough = how->enough }, decoding = encoding;
  const double began = sd_now ();
  memset (out, 0, sizeof *out);

  SD_TRY (sd_settings_read (cell->codec, cell->name.settings, &set, err));

  int status = how->image ? code_image (cell, how->image, d, &set, &encoding, out, err)
                          : code_stream (cell, d, &set, &encoding, out, err);
  status = status ? status : sd_cell_verify (&d->seq, out->decoder, &decoding, err);
  if (status == SD_OK && cell->part)
    status = sd_sample_lots (cell, &set, d, row, err);
  if (status != SD_OK) {
    sd_cell_coded_free (out);
    return status;
  }

  note_times (&encoding, &decoding, how->seed, sd_now () - began, row);
  row->bytes = out->stream;
  row->header_bytes = out->parts.header;
  row->model_bytes = out->parts.model;
  row->index_bytes = out->parts.index;
  row->payload_bytes = out->parts.payload;
  row->blocks = out->parts.blocks;
  row->dictionary = out->parts.symbols;
  row->main = sd_alphabet_main (d->alphabet);
  row->slots = d->seq.n;

  /* A column for blocks, so that queries need not cut the settings; 0 where the codec has none. */
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
