/* subdef dump: all values of a slice (of chess: an ending) as plain numbers for other programs, in the order
 * of the generator's states. OUT gets 16 bits a state, little-endian; of games that can print positions,
 * --text writes "POSITION won in 5" a line to stdout. A game such as chess writes its own numbers
 * (sd_game_kind.dump). OUT has its name once it is complete; where it fails there is no file. */
#include "config.h"
#include "recode/recode.h"
#include "tools/tools_internal.h"
#include <endian.h>
#include <stdlib.h>

/* What the options say. */
static struct {
  const char *tables, *game;
  bool text;
} opt;

enum { BUDGET = 64 << 20 }; /* bytes of decoded values */

static const sd_option options[] = {
  { "tables", .text = &opt.tables },
  { "game", .text = &opt.game },
  { "text", 't', NULL, "with --game: a line a position on standard output instead of OUT",
    .flag = &opt.text },
  { 0 },
};

/* States that stand for no position are passed over, so that a line's number says nothing. */
static int dump_text (const sd_rules *r, sd_slice slice, const sd_value *value, uint64_t n) {
  /* Ends early where nobody reads any more. */
  for (uint64_t i = 0; i < n && !ferror (stdout); i++) {
    char text[SD_POSITION_TEXT];
    if (value[i] == SD_ILLEGAL || !r->kind->print (r->ctx, slice, i, text))
      continue;

    char said[80];
    sd_tool_value (r->kind, value[i], said, sizeof said);
    printf ("%s %s\n", text, said);
  }
  return SD_OK;
}

/* SD_ILLEGAL among them, so that the place in the file is the number of the state. */
static int dump_numbers (const sd_value *value, uint64_t n, sd_outfile *out, sd_error *err) {
  enum { CHUNK = 1 << 16 };
  uint16_t numbers[CHUNK];
  for (uint64_t from = 0; from < n; from += CHUNK) {
    const uint64_t count = n - from < CHUNK ? n - from : CHUNK;
    for (uint64_t i = 0; i < count; i++)
      numbers[i] = htole16 ((uint16_t) value[from + i]);
    SD_TRY (sd_outfile_write (out, numbers, 2 * count, err));
  }
  return SD_OK;
}

/* The numbers of a slice as it is named, to out, or its positions as text where out is NULL. */
static int dump_slice (const sd_rules *r, const char *name, sd_slice slice, sd_outfile *out, sd_error *err) {
  SD_OWN (sd_game_tables) *tables = NULL;
  SD_OWNED sd_value *value = NULL;
  const char *path = sd_tool_path (opt.tables);
  uint64_t n = 0;

  if (r->kind->dump)
    return r->kind->dump (r->ctx, name, path, out, &sd_terminal, err);

  SD_TRY (sd_game_tables_open (r, path, BUDGET, &tables, err));
  SD_TRY (sd_game_tables_exact (tables, slice, SD_DTM, &value, &n, err));
  return out ? dump_numbers (value, n, out, err) : dump_text (r, slice, value, n);
}

/* OUT is opened first: that it cannot be written is known before the values are computed. */
static int dump (const sd_rules *r, const char *name, const char *file, sd_error *err) {
  sd_outfile *out = NULL;
  sd_slice slice = 0;
  if (file)
    SD_TRY (sd_outfile_open (file, &out, err));
  int st = sd_rules_slice (r, name, &slice, err);
  if (st == SD_OK && (st = dump_slice (r, name, slice, out, err)) != SD_OK)
    sd_tool_advise (err, opt.game, r, slice, sd_tool_path (opt.tables));

  if (st == SD_OK && out)
    return sd_outfile_commit (out, err);
  sd_outfile_abort (out);
  return st;
}

static int run_dump (const sd_words *words) {
  sd_rules r SD_RELEASED_BY (sd_rules_close) = { 0 };
  sd_error err = { 0 };
  if (sd_tool_rules (opt.game, &r, &err))
    return sd_tool_fail (&err);

  if (opt.text && r.kind->dump)
    return sd_tool_usage ("--text goes with --game: tables of %s are written as numbers", r.kind->name);
  if (words->n != (opt.text ? 1 : 2))
    return sd_tool_usage ("expected ENDING and OUT%s, e.g. 'subdef dump KRvK KRvK.bin'",
                          r.kind->dump ? "" : ", or SLICE and --text");
  return dump (&r, words->at[0], opt.text ? NULL : words->at[1], &err) ? sd_tool_fail (&err) : SD_EXIT_OK;
}

const sd_command sd_cmd_dump = {
  "dump", run_dump, options, .args = "ENDING|SLICE OUT", .most = 2, .threads = true,
};
