/** \file repair.c
 * The codec `repair`, RE-PAIR over subdefinite symbols (Larsson and Moffat 1999; Zakharov 2015, 1.7, 1.8):
 * the most frequent pair is replaced by a fresh symbol until the dictionary is full, what is still free is
 * completed, and the phrases are coded with a canonical Huffman code in blocks of a fixed number of
 * compressed bytes that share one dictionary. */
#include "config.h"
#include "repair/decoder_internal.h"

static bool block_of (const sd_decoder *base, uint64_t i, sd_codec_block *out) {
  sd_coded_blocks_of (&((const sd_repair_decoder *) base)->blocks, i, out);
  return true;
}

static const sd_decoder_ops ops = {
  sd_repair_get,  sd_repair_read, sd_repair_close, sd_repair_describe, sizeof (sd_repair_decoder),
  sd_repair_open, block_of,       sd_repair_fetch
};

static const sd_more more[] = { { "parse=optimal", { 0.85F, 0.95F }, { 12, 12 } }, { NULL, { 0 }, { 0 } } };

const sd_codec sd_codec_repair = {
  SD_IDENTITY (repair),
  .summary = "pairs of symbols become phrases, Huffman code in small blocks with one dictionary",
  .takes_free_slots = true,
  .in_pieces = true,
  .max_slots = UINT32_MAX,
  .checks_while_reading = true,
  SD_ENCODER (.tunables = sd_repair_tunables, .overrules = sd_repair_overrules, .encode = sd_repair_encode,
              .keeps_slots = sd_repair_parses, )
      .ops = &ops,
  .trials = { .settings = { "block=64", "block=128", "block=256", "block=1024" },
              .ways = { "initial=none", "initial=frequent", SD_COMPLETING },
              .base = "parse=optimal",
              .more = more,
              .gain = 0.8, /* papers/repair/wdl-3-4.csv: 444,949 of 555,269 bytes */
              /* looks for repetition near by: few phrases, three times as fast, and the ranking of orders
               * hardly changes */
              .ranking = "symbols=600,min=24" },
  .latency = { 0, 0, 0.013, 4.99 }, /* off by 29 % at most */
  .memory = { 0.6, 5, 0, 0 },
  .colour = "#2f7de1",
  .mark = 7,
};
