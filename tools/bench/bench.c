/* subdef bench: how fast tables answer (bench_probe.c), decode and encode, and what codecs make of one's own
 * file (bench_file.c): whole tables, repeated for about a second, median with the spread. The first word says
 * what is measured, the others name endings or arrays. At the end a note says if other programs were at work
 * meanwhile, for then times are of little worth. */
#include "config.h"
#include "chess/ending.h"
#include "codecs/codecs.h"
#include "experiments/experiments.h"
#include "tools/bench/bench.h"
#include <inttypes.h>
#include <stdlib.h>
#include <math.h>
#include <unistd.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* The defaults, over which options are put. */
static sd_bench_options opt = { .metric = SD_WDL,
                                .count = 100000,
                                .seed = 1,
                                .threads = 1,
                                .turns = 3,
                                .nodes = 10000000,
                                .limit = 15,
                                .plain = { .type = SD_ARRAY_U8 } };

/* Each kind of measuring looks at its own; the text of an option begins with the kinds that it is for, where
 * these are not all. */
static const sd_option options[] = {
  { "metric", 0, NULL, "which tables (default wdl)", .metric = &opt.metric },
  { "tables", .text = &opt.tables },
  { "count", 'n', "N",
    "probe, FILE: positions or slots (default 100000); search policies: at most 20 positions (default 20)",
    .count = &opt.count, .least = 1, .most = 100000000 },
  { "seed", 0, "N", "probe, search, FILE: seed of the random positions or slots (default 1)",
    .count = &opt.seed, .least = 0, .most = INT32_MAX },
  { "threads", 'T', "N",
    "decode: threads, 0 = one a core (default 1); probe: also probes a second with 1, 2, 4, ... N threads; "
    "encode: seconds by these; FILE: threads that code and decode (default 1)",
    .count = &opt.threads, .least = 0, .most = 1024 },
  { "turns", 0, "N", "encode --threads: medians of N turns, of an even number the upper one (default 3)",
    .count = &opt.turns, .least = 1, .most = SD_BENCH_MOST_TURNS },
  { "codec", 0, NULL, "encode: this codec instead of the table's own", .text = &opt.codec },
  { "set", 0, NULL, "encode: the codec's settings (else its defaults); '--set help' lists them",
    .text = &opt.set },
  { "solver", 0, "NAME,...", "gen: these solvers, or all (default parallel)", .text = &opt.solvers,
    .words = sd_tool_solver_word, .joint = ',' },
  { "cache", 0, NULL,
    "probe: keep decoded blocks of general compressors, as 'subdef probe' does (default: as an engine)",
    .flag = &opt.cache },
  { "men", 0, "N", "gen: all endings with 3 to N men", .count = &opt.men, .least = 3, .most = SD_MAX_MEN },
  { "nodes", 0, "N", "search: positions to visit for each code and from each position (default 10000000)",
    .count = &opt.nodes, .least = 1, .most = 2000000000 },
  { "free", 0, "FILE", "FILE: another file, .npy or raw, that is not 0 where a slot may hold any value",
    .text = &opt.plain.mask },
  { "shape", 0, "N,N,...", "FILE: dimensions of raw numbers, the last one runs fastest",
    .text = &opt.plain.shape },
  { "type", 't', NULL, "FILE: of raw numbers (default: u8); of .npy a type that all values fit",
    .choice = &opt.plain.type, .words = sd_array_type_word },
  { "raw", 0, NULL, "FILE: raw numbers, whatever its bytes look like", .flag = &opt.plain.raw },
  { "limit", 0, "SECONDS", "FILE: a codec that takes longer to code it is left out (default 15)",
    .number = &opt.limit, .least = 1, .most = 1e6 },
  { "csv", 0, NULL, "FILE: comma-separated values", .flag = &opt.csv },
  { "json", 0, NULL, "one JSON array", .flag = &opt.json },
  { 0 },
};

/* -------------------------------------------------- probe, decode, encode */

/* A table of chess that is measured. */
typedef struct bench_subject {
  const sd_tables *ts;
  sd_values *exact;  /* for encode: values of the endings so far */
  const sd_table *t; /* which is one of ts */
  sd_table_info in;
  char title[200]; /* of the text */
} bench_subject;

/* The three kinds of measuring that a table has, as bench_kind.table. */
static int probe_table (const bench_subject *of, json_t *row, sd_error *err) {
  return sd_bench_probe (of->ts, of->t, &opt, of->title, row, err);
}

/* As sd_bench_reading.read; a symbol has 32 bits. */
static int read_symbols (const void *from, uint64_t first, uint64_t n, int32_t *room) {
  return sd_codec_read (from, first, n, (sd_symbol *) room);
}

static int decode_table (const bench_subject *of, json_t *row, sd_error *err) {
  /* A side that is not stored has no decoder and no slots. */
  const sd_table_info *in = &of->in;
  sd_bench_reading r = { .read = read_symbols, .threads = opt.threads };
  fputs (of->title, stdout);
  for (unsigned side = 0; side < in->nsides; side++) {
    r.from[side] = in->side[side].decoder;
    r.n[side] = in->side[side].slots;
  }
  return sd_bench_decode ("slots", &r, row, err);
}

/* What the table was made with. All but the codec, which --codec may choose. Used to encode the same symbols
 * anew. */
static sd_table_spec spec_of (const sd_table_info *in) {
  sd_table_spec spec = { .material = in->material,
                         .metric = in->metric,
                         .coding = in->coding,
                         .freedom = in->freedom,
                         .sides = in->joint ? SD_SIDES_JOINT : in->sides };
  for (unsigned side = 0; side < in->nsides; side++)
    if (in->side[side].layout)
      spec.side[side].layout = *in->side[side].layout;
  return spec;
}

/* From the subdefinite symbols in the table's layout to bytes; finding out what is free is not timed. */
static int encode_table (const bench_subject *of, json_t *row, sd_error *err) {
  const sd_table_info *in = &of->in;
  const sd_table_spec spec = spec_of (in);
  SD_OWN_SIDES *d[2] = { NULL, NULL };
  SD_OWN (sd_subdefined) *joint = NULL;
  const sd_exact *e;
  sd_bench_coding c = { .threads = opt.threads, .turns = opt.turns };

  fputs (of->title, stdout);

  SD_TRY (sd_values_need (of->exact, &in->material, err));
  SD_TRY (sd_values_whole (of->exact, &in->material, &e, err));
  SD_TRY (sd_table_prepare (of->exact, e, &spec, &sd_terminal, d, err));
  if (in->joint)
    SD_TRY (sd_subdefined_join ((const sd_subdefined *const *) d, &joint, err));
  /* Of a joint stream the first side stands for both. */
  for (unsigned side = 0; side < 2; side++) {
    if (!d[side] || (side && joint))
      continue;
    c.codec[side] = opt.codec ? sd_codec_find (opt.codec) : in->side[side].codec;
    /* --codec and --set are parsed for each side, since each may have a codec of its own. */
    SD_TRY (sd_settings_parse (c.codec[side], opt.set, &c.set[side], err));
    c.seq[side] = joint ? &joint->seq : &d[side]->seq;
  }
  return sd_bench_encode (&c, row, err);
}

/* ----------------------------------------------------------------- command */

/* What can be measured, by the first word: of tables and arrays, or by a command of its own. */
typedef struct bench_kind {
  const char *name;
  int (*table) (const bench_subject *of, json_t *row, sd_error *err);
  sd_bench_of_array *array;
  int (*run) (char **word, int n, const sd_bench_options *how);
} bench_kind;
static const bench_kind kinds[] = {
  { "probe", probe_table, sd_bench_array_probe, NULL },
  { "decode", decode_table, sd_bench_array_decode, NULL },
  { "encode", encode_table, sd_bench_array_encode, NULL },
  { "gen", .run = sd_bench_gen },
  { "codecs", .run = sd_bench_codecs },
  { "search", .run = sd_bench_search },
};

/* Finds the table of the ending on the path, prints or notes what it is, and measures. A name with a '-' is
 * that of a slice of another game. */
static int one_table (const sd_tables *ts, sd_values *ex, const bench_kind *what, const char *material,
                      json_t *rows, sd_error *err) {
  sd_material written, m;
  if (strchr (material, '-'))
    return sd_fail (err, SD_EINVAL, "%s: tables of other games than chess are not measured", material);
  SD_TRY (sd_ending_parse (material, &written, err));
  sd_material_canonical (&written, &m);

  char file[32];
  sd_table_file_name (&m, opt.metric, file);
  const sd_table *t = sd_tables_find (ts, &m, opt.metric);
  /* A file that is there and could not be opened is the reason, rather than that there is none. */
  if (!t) {
    for (unsigned i = 0; i < sd_tables_count (ts); i++) {
      const char *path = NULL;
      const sd_table *other = sd_tables_at (ts, i, &path);
      const size_t len = path ? strlen (path) : 0, tail = strlen (file);
      if (!other && len > tail && strcmp (path + len - tail, file) == 0)
        return sd_fail (err, sd_tables_problem (ts, i)->status, "%s", sd_tables_problem (ts, i)->text);
    }
    char where[sizeof err->text];
    sd_path_said (sd_tool_path (opt.tables), where, sizeof where);
    return sd_fail_missing (err, file, "%s: not found in %s", file, where);
  }

  bench_subject of = { ts, ex, t, .title = "" };
  sd_table_describe (t, &of.in);
  const sd_table_info *in = &of.in;

  if (!in->side[0].indexer && !in->side[1].indexer)
    return sd_fail (
        err, SD_EUNSUPPORTED,
        "the %s table of %s is a Syzygy file, which is not measured; 'subdef import' makes a table "
        "of it that is",
        sd_metrics[opt.metric].title, material);

  const uint64_t n = sd_bench_positions (in);
  sd_terminal_clear ();
  const double bits = n ? 8.0 * (double) in->bytes / (double) n : 0;

  json_t *row = NULL;
  if (opt.json) {
    row = json_pack ("{s:s, s:s, s:s, s:I, s:I, s:f}", "table", file, "bench", what->name, "codec",
                     sd_side_codec (&in->side[in->sides == SD_SIDES_BLACK]), "bytes", (json_int_t) in->bytes,
                     "legal_positions", (json_int_t) n, "bits_per_position", bits);
    json_array_append_new (rows, row);
  } else
    /* Printed by who measures, behind progress bars. */
    snprintf (of.title, sizeof of.title, "%s  %s, %s bytes, %s positions, %.4f bits/position\n", file,
              sd_side_codec (&in->side[in->sides == SD_SIDES_BLACK]), sd_tool_count (in->bytes),
              sd_tool_count (n), bits);
  return what->table (&of, row, err);
}

/* probe, decode, encode: the tables that are named. */
static int bench_tables (const bench_kind *what, const sd_words *words) {
  if (words->n < 2)
    return sd_tool_usage ("expected endings or arrays; e.g. subdef bench %s KRvKP", what->name);
#ifdef _OPENMP
  if (opt.threads == 0)
    opt.threads = (unsigned) omp_get_num_procs ();
#else
  opt.threads = 1;
#endif

  unsigned arrays = 0;
  for (int i = 1; i < words->n; i++)
    arrays += sd_array_is (words->at[i]);
  if (sd_tool_said ("turns") && (what->table != encode_table || opt.threads < 2))
    return sd_tool_usage ("--turns is for encode with several --threads");
  if (arrays && what->table == probe_table && (opt.threads > 1 || opt.cache))
    return sd_tool_usage ("arrays are probed by one thread, and keep no blocks: no --threads or --cache");

  sd_error err = { 0 };
  SD_OWN (sd_tables) *ts = NULL;
  SD_OWN (sd_values) *ex = NULL;
  json_t *rows = opt.json ? json_array () : NULL;
  const bool endings = (int) arrays + 1 < words->n;

  int st = endings ? sd_tool_open (opt.tables, opt.cache ? SD_OPEN_CACHE : 0, &ts, &err) : SD_OK;
  if (st == SD_OK && endings)
    st = sd_values_new (sd_tool_path (opt.tables), sd_metrics[opt.metric].exact, &ex, &err);
  for (int i = 1; st == SD_OK && i < words->n; i++)
    st = sd_array_is (words->at[i]) ? sd_bench_array (what->name, what->array, words->at[i], &opt, rows, &err)
                                    : one_table (ts, ex, what, words->at[i], rows, &err);

  sd_json_rows (rows, st);
  return st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}

/* Times are of little worth where less than a core and a half was left for them. NaN: the system does not
 * tell what others used; the load of the last minute is taken instead. */
static void note_busy (const sd_busy_clock *since) {
  const long cores = sysconf (_SC_NPROCESSORS_ONLN);
  double busy = sd_busy_cores (since), load;
  if (isnan (busy) && getloadavg (&load, 1) == 1)
    busy = load < (double) cores ? load : (double) cores;
  if (busy > (double) cores - 0.5)
    sd_tool_note ("timed while other programs kept %.1f of %ld core%s busy: the times say little", busy,
                  cores, cores == 1 ? "" : "s");
}

/* By the first word; a word that is none gets a guess. */
static int bench (const sd_words *words) {
  const char *what = words->n > 0 ? words->at[0] : "";
  sd_guess guess = sd_guess_of (what);
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp (what, kinds[i].name) == 0)
      return kinds[i].run ? kinds[i].run (words->at + 1, words->n - 1, &opt)
                          : bench_tables (&kinds[i], words);
    sd_guess_offer (&guess, kinds[i].name);
  }
  if (words->n > 0 && (sd_file_exists (what) || strpbrk (what, "./"))) {
    if (opt.codec || opt.set)
      return sd_tool_usage (
          "of a file, codecs stand behind it, with their settings: subdef bench %.60s lzma,preset=9", what);
    return sd_bench_file (words->at, words->n, &opt);
  }

  return sd_tool_usage (
      "expected what to measure (probe, decode or encode; gen; codecs; search) and endings, "
      "e.g. subdef bench probe KRvKP, or a file%s%.60s%s",
      *what ? ", not " : "", what, sd_guess_ask (&guess));
}

/* The clock of other programs' work starts before anything is measured. */
static int run_bench (const sd_words *words) {
  if (opt.set && strcmp (opt.set, "help") == 0)
    return sd_tool_list_settings ();
  opt.plain.typed = sd_tool_said ("type");
  sd_busy_clock since;
  sd_busy_start (&since);
  const int status = bench (words);
  if (status == SD_EXIT_OK)
    note_busy (&since);
  return status;
}

const sd_command sd_cmd_bench = {
  "bench",
  run_bench,
  options,
  .args = "probe|decode|encode|gen|codecs|search ENDING|FILE.sda...\nFILE [CODEC[,SETTINGS]...]",
  .named = sd_tool_codec_word,
  .threads = true,
};
