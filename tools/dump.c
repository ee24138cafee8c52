/* subdef dump. */
#include "config.h"
#include "recode/recode.h"
#include "tools/tools_internal.h"
#include "gen/games/games.h"
#include <stdlib.h>

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

static int dump_text (const sd_rules *r, sd_slice slice, const sd_value *value, uint64_t n) {
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

static int dump_numbers (const sd_value *value, uint64_t n, sd_outfile *out, sd_error *err) {
  enum { CHUNK = 1 << 16 };
  uint8_t bytes[2 * CHUNK];
  int st = SD_OK;
  for (uint64_t from = 0; from < n && st == SD_OK; from += CHUNK) {
    const uint64_t count = n - from < CHUNK ? n - from : CHUNK;
    for (uint64_t i = 0; i < count; i++) {
      const uint16_t v = (uint16_t) value[from + i];
      bytes[2 * i] = (uint8_t) v;
      bytes[2 * i + 1] = (uint8_t) (v >> 8);
    }
    st = sd_outfile_write (out, bytes, 2 * count, err);
  }
  return st;
}

/* The numbers of a slice as it is named, to out, or its positions as text where out is NULL. */
static int dump_slice (const sd_rules *r, const char *name, sd_outfile *out, const sd_progress *progress,
                       sd_error *err) {
  const char *path = sd_tool_path (opt.tables);
  sd_game_tables *tables = NULL;
  sd_slice slice = 0;
  sd_value *value = NULL;
  uint64_t n = 0;
  int st = sd_rules_slice (r, name, &slice, err);
  if (st == SD_OK && r->kind->dump)
    st = r->kind->dump (r->ctx, name, path, out, progress, err);
  else if (st == SD_OK) {
    st = sd_game_tables_open (r, path, BUDGET, &tables, err);
    if (st == SD_OK)
      st = sd_game_tables_exact (tables, slice, SD_DTM, &value, &n, err);
    if (st == SD_OK)
      st = out ? dump_numbers (value, n, out, err) : dump_text (r, slice, value, n);
  }
  free (value);
  sd_game_tables_close (tables);
  if (st != SD_OK)
    sd_tool_advise (err, opt.game, r, slice, path);
  return st;
}

static int run_dump (const sd_words *words) {
  sd_rules r = { 0 };
  sd_error err = { 0 };
  sd_progress progress;
  sd_outfile *out = NULL;
  if (sd_tool_rules (opt.game, &r, &err))
    return sd_tool_fail (&err);
  if (opt.text && r.kind->dump)
    return sd_tool_usage ("--text goes with --game: tables of %s are written as numbers", r.kind->name);
  if (words->n != (opt.text ? 1 : 2))
    return sd_tool_usage ("expected ENDING and OUT%s, e.g. 'subdef dump KRvK KRvK.bin'",
                          r.kind->dump ? "" : ", or SLICE and --text");
  sd_terminal_progress (&progress, false);
  int st = opt.text ? SD_OK : sd_outfile_open (words->at[1], &out, &err);
  if (st == SD_OK)
    st = dump_slice (&r, words->at[0], out, &progress, &err);
  if (st == SD_OK && out)
    st = sd_outfile_commit (out, &err);
  else
    sd_outfile_abort (out);
  sd_rules_close (&r);
  return st == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}

const sd_command sd_cmd_dump = {
  "dump", run_dump, options, .args = "ENDING|SLICE OUT", .most = 2, .threads = true,
};
