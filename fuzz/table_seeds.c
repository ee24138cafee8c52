/** \file table_seeds.c
 * Valid tables to start from: every codec of the list with settings by turns, all codings, both sides, one,
 * both in one stream, losses only, other sources of freedom, values near the limit; other games; pieces of
 * billions of slots. */
#include "config.h"
#include "codecs/codecs.h"
#include "fuzz/data.h"
#include "fuzz/forge.h"
#include "fuzz/fuzz.h"
#include "table/table_internal.h"

/* A map that the header can hold: the coding's own; -1, -3, .. 0, .. 3, 1; numbers of moves or plies;
 * `large`: all as large as they may be. */
static unsigned make_map (enum sd_coding coding, bool large, sd_value *map) {
  const sd_coding_kind *c = &sd_codings[coding];
  const bool sign = coding == SD_CODING_SIGNED;
  const unsigned m = c->map ? c->main : sign ? 41 : 20;
  const int base = !large ? 0 : sign ? SD_MAX_MAP_PLIES - 41 : SD_MAX_MAP_MOVES - 19;
  for (unsigned i = 0; i < m; i++) {
    int v = (int) i - (int) m / 2;
    map[i] = (sd_value) (c->map   ? c->map[i]
                         : !sign  ? base + (int) i
                         : v == 0 ? 0
                         : v < 0  ? -(base + 2 * ((int) m / 2 + v) + 1)
                                  : base + 2 * ((int) m / 2 - v) + 1);
  }
  return m;
}

/* The first metric that may have it. */
static enum sd_metric metric_of (enum sd_coding coding, bool game) {
  unsigned m = 0;
  while (m < SD_METRICS && !sd_metric_takes ((enum sd_metric) m, coding, game))
    m++;
  return (enum sd_metric) m;
}

/* A table of another game, where only some codings mean something. */
static bool game_seed (const sd_codec *codec, enum sd_coding coding, unsigned k, sd_buf *out) {
  if (metric_of (coding, true) == SD_NO_METRIC)
    coding = SD_CODING_SIGNED;
  sd_table_spec spec = { .game = { .name = "toy", .slice = "A-b+1", .fingerprint = k, .states = 5000 },
                         .metric = metric_of (coding, true),
                         .coding = coding,
                         .side = { { .codec = codec } } };
  sd_value map[64];
  sd_subdefined d = { .map = map, .metric = spec.metric, .coding = coding, .freedom = SD_FREE_ILLEGAL };
  const sd_subdefined *const side[2] = { &d, NULL };
  const bool ok =
      sd_fuzz_settings (codec, k, &spec.side[0].settings)
      && sd_fuzz_sequence (spec.game.states, make_map (coding, k & 1, map), k, &d.alphabet, &d.seq)
      && sd_table_image (&spec, side, NULL, out, NULL) == SD_OK;
  free (d.seq.sym);
  sd_alphabet_free (d.alphabet);
  return ok;
}

/* Three pieces of as many slots as fit, by hand. */
static bool pieces_seed (sd_buf *out) {
  sd_buf one = { 0 }, stream = { 0 };
  sd_forge_repair (3, 33, true, 1, &one);
  sd_forge_pieces (UINT32_MAX, 3, &one, &stream);
  const bool ok = sd_forge_game (sd_codec_find ("repair"), UINT64_C (3) * UINT32_MAX, &stream, out) == SD_OK;
  sd_buf_free (&one);
  sd_buf_free (&stream);
  return ok;
}

typedef struct ending {
  const char *name, *order;
  unsigned sides, freedom;
} ending;

static bool chess_seed (const sd_codec *codec, const ending *e, enum sd_coding coding, unsigned k,
                        sd_buf *out) {
  const enum sd_metric metric = metric_of (coding, false);
  const unsigned sides = sd_metrics[metric].one_ply || e->sides == SD_SIDES_JOINT || e->sides == 0
                             ? e->sides
                             : (unsigned) SD_SIDES_BOTH; /* a value that does not follow from the next ones */
  sd_table_spec spec = { .metric = metric,
                         .coding = coding,
                         .freedom = e->freedom & sd_freedom_of_coding (coding),
                         .sides = sides };
  sd_subdefined side[2] = { { 0 } };
  sd_value map[64];
  const unsigned stored = sides == SD_SIDES_WHITE || sides == SD_SIDES_BLACK ? sides : SD_SIDES_BOTH;
  const sd_subdefined *data[2] = { NULL, NULL };
  bool ok = sd_material_parse (e->name, &spec.material, NULL) == SD_OK;
  for (unsigned s = 0; ok && s < 2; s++) {
    sd_indexer *ix;
    spec.side[s].codec = codec;
    ok = sd_layout_parse (&spec.material, e->order, NULL, &spec.side[s].layout, NULL) == SD_OK
         && sd_fuzz_settings (codec, k / 7, &spec.side[s].settings)
         && sd_indexer_new (&spec.side[s].layout, &ix, NULL) == SD_OK;
    if (!ok)
      break;
    side[s] = (sd_subdefined){ .map = map, .metric = spec.metric, .coding = coding, .freedom = spec.freedom };
    ok = sd_fuzz_sequence (sd_indexer_size (ix), make_map (coding, k % 5 == 0, map), k + s, &side[s].alphabet,
                           &side[s].seq);
    sd_indexer_free (ix);
    data[s] = stored >> s & 1 ? &side[s] : NULL;
  }
  ok = ok && sd_table_image (&spec, data, NULL, out, NULL) == SD_OK;
  for (unsigned s = 0; s < 2; s++) {
    free (side[s].seq.sym);
    sd_alphabet_free (side[s].alphabet);
  }
  return ok;
}

bool sd_fuzz_seed (unsigned k, sd_buf *out) {
  static const ending endings[] = { { "KQvK", "[Kk]Q", SD_SIDES_BOTH, SD_FREE_ALL },
                                    { "KPvK", "P!kK", SD_SIDES_BOTH, SD_FREE_ALL | SD_FREE_WIN },
                                    { "KPvK", "Pk!K", SD_SIDES_JOINT, SD_FREE_ILLEGAL },
                                    { "KRvK", "RK!k", SD_SIDES_WHITE, SD_FREE_ALL },
                                    { "KBvK", "[Kk]B", SD_SIDES_BLACK, SD_FREE_CAPTURE },
                                    { "KPvK", "PKk", SD_SIDES_BOTH, SD_FREE_ALL | SD_FREE_QUEEN },
                                    { "KQvK", "QKk", SD_SIDES_BOTH, SD_FREE_ALL | SD_FREE_UNREACHABLE },
                                    { "KPvK", "PkK", SD_SIDES_BOTH, SD_FREE_ALL | SD_FREE_CHECK },
                                    { "KQvK", "QkK", SD_SIDES_BLACK, SD_FREE_ALL | SD_FREE_EVIDENT } };
  enum { ENDINGS = sizeof endings / sizeof *endings };
  size_t ncodecs;
  const sd_codec *const *codec = sd_codec_all (&ncodecs);
  const enum sd_coding coding = (enum sd_coding) (k / ncodecs % SD_CODINGS);
  const unsigned which = k / (unsigned) ncodecs / SD_CODINGS;
  if (k == ncodecs * SD_CODINGS * (ENDINGS + 1))
    return pieces_seed (out);
  if (k == ncodecs * SD_CODINGS * (ENDINGS + 1) + 1) /* equal material has one side, and 1.9 million slots */
    return chess_seed (sd_codec_find ("repair"), &(ending){ "KRvKR", "[Kk]Rr", 0, SD_FREE_ALL },
                       SD_CODING_WDL, 0, out);
  if (which > ENDINGS)
    return false;
  if (which == ENDINGS)
    return game_seed (codec[k % ncodecs], coding, k, out);
  return chess_seed (codec[k % ncodecs], &endings[which], coding, k, out);
}
